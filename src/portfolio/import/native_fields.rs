//! The fields of files in Corbel's own format, one list for each table.

use crate::portfolio::import::fields::{
    ANY_PERCENT, COUNT, CellType, Field, MONTHS, SHARE, optional, required,
};
use tables::fields::Field as SharedField;

pub(super) const BUILDING: &[&str] = &[
    "building",
    "propertyid",
    "propertycode",
    "property",
    "site",
    "bldg",
];
pub(super) const UNIT: &[&str] = &["unit", "unitcode"];
/// Headers for the area of a unit or lease. Leaves out names that tables of sales use for the area of a whole
/// building.
pub(super) const AREA: &[&str] = &[
    "area",
    "sqft",
    "squarefeet",
    "squarefootage",
    "sf",
    "unitsqft",
    "rentablearea",
    "rentablesqft",
    "rentablesf",
    "leasedsf",
    "gla",
    "rsf",
    "nla",
    "areasqft",
    "areasqm",
    "sqm",
];

pub(super) const BUILDINGS: &[Field] = &[
    required("building_id", CellType::Text, BUILDING),
    required("building_name", CellType::Text, &["name", "propertyname"]),
    optional(
        "property_type",
        CellType::Word(&["multifamily", "office", "retail", "industrial", "mixed", "land"]),
        &["type", "assettype", "propertytypes"],
    ),
    optional(
        "address",
        CellType::Text,
        &["street", "streetaddress", "propertyaddress"],
    ),
    optional("city", CellType::Text, &["propertycity"]),
    optional("state", CellType::Text, &["stateorprovince", "propertystate"]),
    optional("postal_code", CellType::Text, &["zip", "zipcode", "postcode"]),
    optional("country", CellType::Text, &[]),
    optional("year_built", CellType::Count(1500, 2200), &["built", "yearbuilt"]),
    optional(
        "acquired_date",
        CellType::Date,
        &["acquisitiondate", "acquired", "purchasedate"],
    ),
    optional("purchase_price", CellType::Amount, &["price", "acquisitionprice"]),
    optional("closing_costs", CellType::Amount, &[]),
    optional(
        "building_value_pct",
        SHARE,
        &["buildingvalueshare", "improvementpct"],
    ),
    optional(
        "rentable_area_sqft",
        CellType::Area,
        &[
            "rentablearea",
            "gla",
            "nla",
            "nra",
            "rsf",
            "sqft",
            "squarefeet",
            "area",
            "rentableareasqm",
            "areasqm",
        ],
    ),
    optional(
        "unit_count",
        COUNT,
        &["units", "numberofunitstotal", "numberofunits"],
    ),
    optional("ownership_pct", SHARE, &["ownership"]),
    optional("currency", CellType::Currency, &[]),
    optional("timezone", CellType::Text, &["timezone"]),
];

pub(super) const ACCOUNTS: &[Field] = &[
    required(
        "account_code",
        CellType::Text,
        &["code", "account", "glaccount", "accountnumber", "glcode"],
    ),
    required("account_name", CellType::Text, &["name", "description"]),
    required("category", CATEGORY, &["type", "accounttype"]),
    optional("statement_sign", CellType::Word(&["+", "-"]), &["sign"]),
    optional("included_in_noi", CellType::Bool, &["innoi", "noi"]),
];

pub(super) const CATEGORY: CellType =
    CellType::Word(&["revenue", "operating_expense", "capital", "debt_service"]);
pub(super) const USE: CellType = CellType::Word(&["residential", "office", "retail", "industrial", "other"]);

pub(super) const UNITS: &[Field] = &[
    required("unit_id", CellType::Text, UNIT),
    required("building_id", CellType::Text, BUILDING),
    required(
        "unit_number",
        CellType::Text,
        &["number", "unitno", "apt", "suite", "space", "bldgunit"],
    ),
    optional("unit_use", USE, &["use"]),
    optional(
        "unit_type",
        CellType::Text,
        &["floorplan", "type", "bdba", "unittypetype"],
    ),
    optional("bedrooms", CellType::Count(0, 100), &["beds", "bd"]),
    optional("bathrooms", CellType::Decimal(100), &["baths", "ba"]),
    required("area_sqft", CellType::Area, AREA),
    optional(
        "market_rent_monthly",
        CellType::Amount,
        &[
            "marketrent",
            "market",
            "asking",
            "askingrent",
            "computedmarketrent",
        ],
    ),
    optional("is_rentable", CellType::Bool, &["rentable"]),
    optional(
        "non_revenue_reason",
        CellType::Word(&["model", "down", "office", "employee"]),
        &["nonrevenue"],
    ),
];

pub(super) const UNIT_MARKET_RENTS: &[Field] = &[
    required("unit_id", CellType::Text, UNIT),
    required("effective_date", CellType::Date, &["effective", "date", "asof"]),
    required(
        "market_rent_monthly",
        CellType::Amount,
        &["marketrent", "market", "asking", "askingrent"],
    ),
];

pub(super) const TENANTS: &[Field] = &[
    required(
        "tenant_id",
        CellType::Text,
        &["tenantcode", "residentid", "tcode"],
    ),
    required(
        "tenant_name",
        CellType::Text,
        &["name", "tenant", "resident", "lessee"],
    ),
    optional(
        "tenant_kind",
        CellType::Word(&["individual", "company"]),
        &["kind", "type"],
    ),
    optional("industry", CellType::Text, &["sector"]),
    optional("credit_rating", CellType::Text, &["rating"]),
    optional("parent_tenant_id", CellType::Text, &["parent"]),
];

pub(super) const LEASES: &[Field] = &[
    required("lease_id", CellType::Text, &["lease", "leasenumber", "leasecode"]),
    required("building_id", CellType::Text, BUILDING),
    required("unit_id", CellType::Text, UNIT),
    required(
        "tenant_id",
        CellType::Text,
        &["tenant", "tenantcode", "residentid"],
    ),
    optional("lease_type", CellType::Text, &["type"]),
    optional("status", CellType::Text, &["leasestatus"]),
    optional(
        "signed_date",
        CellType::Date,
        &["signed", "executed", "executiondate"],
    ),
    required("start_date", CellType::Date, &[]).with_shared_headers(SharedField::StartDate),
    required("end_date", CellType::Date, &[]).with_shared_headers(SharedField::EndDate),
    optional("move_out_date", CellType::Date, &["moveout", "moveoutdate"]),
    optional("month_to_month", CellType::Bool, &["mtm", "holdover"]),
    required("monthly_rent", CellType::Amount, &[]).with_shared_headers(SharedField::Rent),
    optional(
        "escalation_type",
        CellType::Word(&["none", "fixed_pct", "cpi"]),
        &[],
    ),
    optional("escalation_pct", ANY_PERCENT, &["escalation"]),
    optional("escalation_floor_pct", ANY_PERCENT, &["escalationfloor"]),
    optional("escalation_cap_pct", ANY_PERCENT, &["escalationcap"]),
    optional("free_rent_months", CellType::Decimal(240), &["freerent"]),
    optional("ti_allowance", CellType::Amount, &["ti", "tenantimprovements"]),
    optional("security_deposit", CellType::Amount, &["deposit"]),
    optional("area_sqft", CellType::Area, AREA),
    optional(
        "renewal_of_lease_id",
        CellType::Text,
        &["renewalof", "previouslease"],
    ),
    optional("first_break_date", CellType::Date, &["breakdate", "firstbreak"]),
    optional("is_draft", CellType::Bool, &["draft"]),
    optional("currency", CellType::Currency, &[]),
];

pub(super) const LEASE_UNITS: &[Field] = &[
    required("lease_id", CellType::Text, &["lease"]),
    required("unit_id", CellType::Text, UNIT),
    optional("area_sqft", CellType::Area, AREA),
    required("rent_share_pct", SHARE, &["rentshare", "share"]),
];

pub(super) const LEASE_RENT_STEPS: &[Field] = &[
    required("lease_id", CellType::Text, &["lease"]),
    required("effective_date", CellType::Date, &["effective", "from", "date"]),
    required("monthly_rent", CellType::Amount, &[]).with_shared_headers(SharedField::Rent),
];

pub(super) const MONTHLY_FINANCIALS: &[Field] = &[
    required("building_id", CellType::Text, BUILDING),
    required("month", CellType::Month, &["period", "date", "postmonth"]),
    required(
        "account_code",
        CellType::Text,
        &["account", "glaccount", "code", "glcode"],
    ),
    optional("account_name", CellType::Text, &["name", "description"]),
    optional("category", CATEGORY, &["accounttype"]),
    required("amount", CellType::Signed, &["actual", "value", "netamount"]),
    optional("budget_amount", CellType::Signed, &["budget"]),
    optional("currency", CellType::Currency, &[]),
];

pub(super) const LOANS: &[Field] = &[
    required("loan_id", CellType::Text, &["loan", "loannumber"]),
    required("building_id", CellType::Text, BUILDING),
    optional("lender", CellType::Text, &[]),
    optional("loan_kind", CellType::Text, &["kind", "position", "lien"]),
    required(
        "original_principal",
        CellType::Amount,
        &["principal", "originalbalance", "loanamount"],
    ),
    required(
        "origination_date",
        CellType::Date,
        &["origination", "funded", "closingdate"],
    ),
    required("maturity_date", CellType::Date, &["maturity"]),
    required(
        "interest_rate_pct",
        CellType::Percent(0, 100),
        &["interestrate", "rate", "coupon"],
    ),
    optional("rate_kind", CellType::Text, &["ratetype"]),
    optional("io_months", MONTHS, &["interestonlymonths", "io"]),
    optional("amortization_months", MONTHS, &["amortization"]),
    optional(
        "day_count",
        CellType::Word(&["30/360", "actual/360", "actual/365"]),
        &["daycount"],
    ),
    optional("level_payment", CellType::Amount, &["payment", "monthlypayment"]),
    required(
        "current_balance",
        CellType::Amount,
        &["balance", "outstandingbalance", "upb"],
    ),
    optional("balance_date", CellType::Date, &["asof", "balanceasof"]),
    optional("prepayment", CellType::Text, &["prepaymentterms"]),
    optional(
        "min_dscr_covenant",
        CellType::Decimal(100),
        &["mindscr", "dscrcovenant"],
    ),
    optional(
        "max_ltv_covenant_pct",
        CellType::Percent(0, 1000),
        &["maxltv", "ltvcovenant"],
    ),
    optional("currency", CellType::Currency, &[]),
];

pub(super) const LOAN_BUILDINGS: &[Field] = &[
    required("loan_id", CellType::Text, &["loan"]),
    required("building_id", CellType::Text, BUILDING),
    required("share_pct", SHARE, &["share", "allocationpct", "allocatedpct"]),
];

pub(super) const LOAN_PAYMENTS: &[Field] = &[
    required("loan_id", CellType::Text, &["loan", "loannumber"]),
    required(
        "payment_date",
        CellType::Date,
        &["date", "duedate", "paymentdate"],
    ),
    required("interest", CellType::Signed, &["interestpaid"]),
    required("principal", CellType::Signed, &["principalpaid"]),
    required("ending_balance", CellType::Amount, &["balance", "endbalance"]),
];

pub(super) const VALUATIONS: &[Field] = &[
    required("building_id", CellType::Text, BUILDING),
    required(
        "valuation_date",
        CellType::Date,
        &["date", "asof", "appraisaldate"],
    ),
    required("market_value", CellType::Amount, &["value", "appraisedvalue"]),
    optional("cap_rate_pct", CellType::Percent(0, 100), &["caprate", "cap"]),
    optional("method", CellType::Text, &["approach"]),
    optional("source", CellType::Text, &["appraiser", "valuer"]),
];
