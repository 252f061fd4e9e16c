//! Rows of the portfolio's versioned tables. One declaration generates the struct of a row and the pieces of
//! SQL that read, add and end it.
//!
//! Amounts are in minor units, areas in hundredths of a square foot, other decimals in millionths.

use chrono::NaiveDate;

use crate::db::args::Record;
use crate::db::exec::Builder;

/// The end date of rows that have no end.
pub const FOREVER: NaiveDate = match NaiveDate::from_ymd_opt(9999, 12, 31) {
    Some(day) => day,
    None => NaiveDate::MAX,
};

/// A row that is versioned: each import may add another version.
pub trait Versioned: Record + Clone + PartialEq + Sync + 'static {
    /// The name of the view, which reports also use for the table.
    const NAME: &'static str;
    /// Reads the current rows; `$1` is the organization.
    const SELECT: &'static str;
    /// The statement up to the values of the first row: `(org, …, since_import, until_import)`.
    const INSERT: &'static str;
    /// The statement up to the number of the import that ends the row.
    const END: &'static str;
    /// The columns of the key after `org_id`, in parentheses.
    const KEY: &'static str;
    /// Delete or restore what an import wrote; `$1` organization, `$2` import, at most `$3` rows.
    const DROP_SINCE: &'static str;
    const UNDO_UNTIL: &'static str;
    const DROP_UNTIL: &'static str;
    /// Updates the database's statistics on the table for its query planner.
    const ANALYZE: &'static str;

    /// The key that identifies the row within the organization.
    fn key(&self) -> String;
    fn bind<'c>(&self, to: Builder<'c>) -> Builder<'c>;
    fn bind_key<'c>(&self, to: Builder<'c>) -> Builder<'c>;
}

/// Formats a part of a key, such as a date or a name.
trait Part {
    fn part(&self) -> String;
}

impl Part for String {
    fn part(&self) -> String {
        self.clone()
    }
}

impl Part for NaiveDate {
    fn part(&self) -> String {
        self.to_string()
    }
}

macro_rules! versioned {
    ($(#[$doc:meta])* $name:ident: $view:literal in $table:literal by $first:ident $(, $key:ident)* {
        $head:ident: $head_type:ty $(, $field:ident: $type:ty)* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
        pub struct $name {
            pub $head: $head_type,
            $(pub $field: $type,)*
        }

        impl Versioned for $name {
            const NAME: &'static str = $view;
            const SELECT: &'static str = concat!(
                "SELECT ", stringify!($head), $(", ", stringify!($field),)* " FROM ", $view, " WHERE org_id = $1"
            );
            const INSERT: &'static str = concat!(
                "INSERT INTO ", $table, " (org_id, ", stringify!($head), $(", ", stringify!($field),)*
                ", since_import, until_import) VALUES "
            );
            const END: &'static str = concat!("UPDATE ", $table, " SET until_import = ");
            const KEY: &'static str = concat!("(", stringify!($first), $(", ", stringify!($key),)* ")");
            const DROP_SINCE: &'static str = concat!(
                "DELETE FROM ", $table, " WHERE org_id = $1 AND since_import = $2 AND (",
                stringify!($first), $(", ", stringify!($key),)* ") IN (SELECT ",
                stringify!($first), $(", ", stringify!($key),)* " FROM ", $table,
                " WHERE org_id = $1 AND since_import = $2 LIMIT $3)"
            );
            const UNDO_UNTIL: &'static str = concat!(
                "UPDATE ", $table,
                " SET until_import = 9223372036854775807 WHERE org_id = $1 AND until_import = $2 AND (",
                stringify!($first), $(", ", stringify!($key),)* ") IN (SELECT ",
                stringify!($first), $(", ", stringify!($key),)* " FROM ", $table,
                " WHERE org_id = $1 AND until_import = $2 AND until_import < 9223372036854775807 LIMIT $3)"
            );
            const DROP_UNTIL: &'static str = concat!(
                "DELETE FROM ", $table, " WHERE org_id = $1 AND until_import < $2 AND (since_import, ",
                stringify!($first), $(", ", stringify!($key),)* ") IN (SELECT since_import, ",
                stringify!($first), $(", ", stringify!($key),)* " FROM ", $table,
                " WHERE org_id = $1 AND until_import < $2 AND until_import < 9223372036854775807 LIMIT $3)"
            );

            const ANALYZE: &'static str = concat!("ANALYZE ", $table);

            fn key(&self) -> String {
                [self.$first.part(), $(self.$key.part()),*].join("\u{1f}")
            }

            fn bind<'c>(&self, to: Builder<'c>) -> Builder<'c> {
                to.bind(self.$head.clone())
                $(.push(", ").bind(self.$field.clone()))*
            }

            fn bind_key<'c>(&self, to: Builder<'c>) -> Builder<'c> {
                to.bind(self.$first.clone())
                $(.push(", ").bind(self.$key.clone()))*
            }
        }
    };
}

versioned! { AccountRow: "accounts" in "account_versions" by code {
    code: String, name: String, category: String, statement_sign: i64, included_in_noi: bool, source: String,
} }

versioned! { UnitRow: "units" in "unit_versions" by id {
    id: String, building_id: String, unit_number: String, unit_use: String, unit_type: Option<String>,
    bedrooms: Option<i64>, bathrooms: Option<i64>, area: i64, is_rentable: bool, non_revenue_reason: Option<String>,
    market_rent: Option<i64>, currency: String, source: String,
} }

versioned! { MarketRentRow: "unit_market_rents" in "unit_market_rent_versions" by unit_id, effective_date {
    unit_id: String, effective_date: NaiveDate, building_id: String, market_rent: i64, currency: String, source: String,
} }

versioned! { TenantRow: "tenants" in "tenant_versions" by id {
    id: String, name: String, kind: Option<String>, industry: Option<String>, credit_rating: Option<String>,
    parent_tenant_id: Option<String>, source: String,
} }

versioned! { LeaseRow: "leases" in "lease_versions" by id {
    id: String, building_id: String, unit_id: String, tenant_id: String, lease_type: Option<String>,
    signed_date: Option<NaiveDate>, start_date: NaiveDate, end_date: NaiveDate, move_out_date: Option<NaiveDate>,
    month_to_month: bool, effective_end: NaiveDate, monthly_rent: i64, escalation_type: String, escalation_rate: i64,
    escalation_floor: Option<i64>, escalation_cap: Option<i64>, free_rent_months: i64, ti_allowance: i64,
    security_deposit: i64, area: i64, renewal_of_lease_id: Option<String>, first_break_date: Option<NaiveDate>,
    is_draft: bool, currency: String, source: String,
} }

versioned! { LeaseUnitRow: "lease_units" in "lease_unit_versions" by lease_id, unit_id {
    lease_id: String, unit_id: String, building_id: String, area: i64, rent_share: i64, source: String,
} }

versioned! { StepRow: "lease_rent_steps" in "lease_rent_step_versions" by lease_id, effective_date {
    lease_id: String, effective_date: NaiveDate, building_id: String, monthly_rent: i64, currency: String,
    source: String,
} }

versioned! { LedgerRow: "monthly_financials" in "monthly_financial_versions" by building_id, month, account_code {
    building_id: String, month: NaiveDate, account_code: String, amount: i64, budget_amount: Option<i64>,
    currency: String, source: String,
} }

versioned! { LoanRow: "loans" in "loan_versions" by id {
    id: String, building_id: String, lender: String, loan_kind: String, original_principal: i64,
    origination_date: NaiveDate, maturity_date: NaiveDate, interest_rate: i64, rate_kind: Option<String>,
    io_months: i64, amortization_months: Option<i64>, day_count: Option<String>, level_payment: Option<i64>,
    current_balance: i64, balance_date: NaiveDate, prepayment: Option<String>, min_dscr_covenant: Option<i64>,
    max_ltv_covenant: Option<i64>, currency: String, source: String,
} }

versioned! { LoanBuildingRow: "loan_buildings" in "loan_building_versions" by loan_id, building_id {
    loan_id: String, building_id: String, share: i64, source: String,
} }

versioned! { PaymentRow: "loan_payments" in "loan_payment_versions" by loan_id, payment_date {
    loan_id: String, payment_date: NaiveDate, building_id: String, interest: i64, principal: i64, ending_balance: i64,
    currency: String, source: String,
} }

versioned! { ValuationRow: "valuations" in "valuation_versions" by building_id, valuation_date {
    building_id: String, valuation_date: NaiveDate, market_value: i64, cap_rate: Option<i64>, method: Option<String>,
    appraiser: Option<String>, currency: String, source: String,
} }

versioned! {
    /// A unit at a month's end.
    UnitMonthRow: "unit_month" in "unit_month_versions" by building_id, month, unit_id {
        building_id: String, month: NaiveDate, unit_id: String, month_end: NaiveDate, unit_use: String, area: i64,
        rentable: bool, occupied: bool, lease_id: Option<String>, tenant_id: Option<String>,
        rent_in_effect: Option<i64>, market_rent: Option<i64>, currency: String,
    }
}

/// A building with all its fields. Not versioned: it is written in the step that publishes the import.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct BuildingRow {
    pub id: String,
    pub name: String,
    pub property_type: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub postal_code: Option<String>,
    pub country: Option<String>,
    pub year_built: Option<i64>,
    pub acquired_date: Option<NaiveDate>,
    pub purchase_price: Option<i64>,
    pub closing_costs: Option<i64>,
    pub building_value_share: Option<i64>,
    pub rentable_area: Option<i64>,
    pub unit_count: Option<i64>,
    pub ownership_share: Option<i64>,
    pub currency: Option<String>,
    pub timezone: Option<String>,
    pub source: Option<String>,
}

impl BuildingRow {
    pub fn named(id: &str, name: &str) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            property_type: None,
            address: None,
            city: None,
            state: None,
            postal_code: None,
            country: None,
            year_built: None,
            acquired_date: None,
            purchase_price: None,
            closing_costs: None,
            building_value_share: None,
            rentable_area: None,
            unit_count: None,
            ownership_share: None,
            currency: None,
            timezone: None,
            source: None,
        }
    }

    pub fn currency(&self) -> &str {
        self.currency.as_deref().unwrap_or("USD")
    }
}
