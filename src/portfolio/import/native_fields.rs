//! The fields of files in Corbel's own format, one list for each table.

use crate::portfolio::import::fields::{ANY_PERCENT, COUNT, Field, Form, MONTHS, SHARE, may, must};
use tables::fields::Field as Meaning;

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
    must("building_id", Form::Text, BUILDING),
    must("building_name", Form::Text, &["name", "propertyname"]),
    may(
        "property_type",
        Form::Word(&["multifamily", "office", "retail", "industrial", "mixed", "land"]),
        &["type", "assettype", "propertytypes"],
    ),
    may(
        "address",
        Form::Text,
        &["street", "streetaddress", "propertyaddress"],
    ),
    may("city", Form::Text, &["propertycity"]),
    may("state", Form::Text, &["stateorprovince", "propertystate"]),
    may("postal_code", Form::Text, &["zip", "zipcode", "postcode"]),
    may("country", Form::Text, &[]),
    may("year_built", Form::Count(1500, 2200), &["built", "yearbuilt"]),
    may(
        "acquired_date",
        Form::Date,
        &["acquisitiondate", "acquired", "purchasedate"],
    ),
    may("purchase_price", Form::Amount, &["price", "acquisitionprice"]),
    may("closing_costs", Form::Amount, &[]),
    may(
        "building_value_pct",
        SHARE,
        &["buildingvalueshare", "improvementpct"],
    ),
    may(
        "rentable_area_sqft",
        Form::Area,
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
    may(
        "unit_count",
        COUNT,
        &["units", "numberofunitstotal", "numberofunits"],
    ),
    may("ownership_pct", SHARE, &["ownership"]),
    may("currency", Form::Currency, &[]),
    may("timezone", Form::Text, &["timezone"]),
];

pub(super) const ACCOUNTS: &[Field] = &[
    must(
        "account_code",
        Form::Text,
        &["code", "account", "glaccount", "accountnumber", "glcode"],
    ),
    must("account_name", Form::Text, &["name", "description"]),
    must("category", CATEGORY, &["type", "accounttype"]),
    may("statement_sign", Form::Word(&["+", "-"]), &["sign"]),
    may("included_in_noi", Form::Bool, &["innoi", "noi"]),
];

pub(super) const CATEGORY: Form = Form::Word(&["revenue", "operating_expense", "capital", "debt_service"]);
pub(super) const USE: Form = Form::Word(&["residential", "office", "retail", "industrial", "other"]);

pub(super) const UNITS: &[Field] = &[
    must("unit_id", Form::Text, UNIT),
    must("building_id", Form::Text, BUILDING),
    must(
        "unit_number",
        Form::Text,
        &["number", "unitno", "apt", "suite", "space", "bldgunit"],
    ),
    may("unit_use", USE, &["use"]),
    may(
        "unit_type",
        Form::Text,
        &["floorplan", "type", "bdba", "unittypetype"],
    ),
    may("bedrooms", Form::Count(0, 100), &["beds", "bd"]),
    may("bathrooms", Form::Decimal(100), &["baths", "ba"]),
    must("area_sqft", Form::Area, AREA),
    may(
        "market_rent_monthly",
        Form::Amount,
        &[
            "marketrent",
            "market",
            "asking",
            "askingrent",
            "computedmarketrent",
        ],
    ),
    may("is_rentable", Form::Bool, &["rentable"]),
    may(
        "non_revenue_reason",
        Form::Word(&["model", "down", "office", "employee"]),
        &["nonrevenue"],
    ),
];

pub(super) const UNIT_MARKET_RENTS: &[Field] = &[
    must("unit_id", Form::Text, UNIT),
    must("effective_date", Form::Date, &["effective", "date", "asof"]),
    must(
        "market_rent_monthly",
        Form::Amount,
        &["marketrent", "market", "asking", "askingrent"],
    ),
];

pub(super) const TENANTS: &[Field] = &[
    must("tenant_id", Form::Text, &["tenantcode", "residentid", "tcode"]),
    must(
        "tenant_name",
        Form::Text,
        &["name", "tenant", "resident", "lessee"],
    ),
    may(
        "tenant_kind",
        Form::Word(&["individual", "company"]),
        &["kind", "type"],
    ),
    may("industry", Form::Text, &["sector"]),
    may("credit_rating", Form::Text, &["rating"]),
    may("parent_tenant_id", Form::Text, &["parent"]),
];

pub(super) const LEASES: &[Field] = &[
    must("lease_id", Form::Text, &["lease", "leasenumber", "leasecode"]),
    must("building_id", Form::Text, BUILDING),
    must("unit_id", Form::Text, UNIT),
    must("tenant_id", Form::Text, &["tenant", "tenantcode", "residentid"]),
    may("lease_type", Form::Text, &["type"]),
    may("status", Form::Text, &["leasestatus"]),
    may(
        "signed_date",
        Form::Date,
        &["signed", "executed", "executiondate"],
    ),
    must("start_date", Form::Date, &[]).like(Meaning::StartDate),
    must("end_date", Form::Date, &[]).like(Meaning::EndDate),
    may("move_out_date", Form::Date, &["moveout", "moveoutdate"]),
    may("month_to_month", Form::Bool, &["mtm", "holdover"]),
    must("monthly_rent", Form::Amount, &[]).like(Meaning::Rent),
    may("escalation_type", Form::Word(&["none", "fixed_pct", "cpi"]), &[]),
    may("escalation_pct", ANY_PERCENT, &["escalation"]),
    may("escalation_floor_pct", ANY_PERCENT, &["escalationfloor"]),
    may("escalation_cap_pct", ANY_PERCENT, &["escalationcap"]),
    may("free_rent_months", Form::Decimal(240), &["freerent"]),
    may("ti_allowance", Form::Amount, &["ti", "tenantimprovements"]),
    may("security_deposit", Form::Amount, &["deposit"]),
    may("area_sqft", Form::Area, AREA),
    may("renewal_of_lease_id", Form::Text, &["renewalof", "previouslease"]),
    may("first_break_date", Form::Date, &["breakdate", "firstbreak"]),
    may("is_draft", Form::Bool, &["draft"]),
    may("currency", Form::Currency, &[]),
];

pub(super) const LEASE_UNITS: &[Field] = &[
    must("lease_id", Form::Text, &["lease"]),
    must("unit_id", Form::Text, UNIT),
    may("area_sqft", Form::Area, AREA),
    must("rent_share_pct", SHARE, &["rentshare", "share"]),
];

pub(super) const LEASE_RENT_STEPS: &[Field] = &[
    must("lease_id", Form::Text, &["lease"]),
    must("effective_date", Form::Date, &["effective", "from", "date"]),
    must("monthly_rent", Form::Amount, &[]).like(Meaning::Rent),
];

pub(super) const MONTHLY_FINANCIALS: &[Field] = &[
    must("building_id", Form::Text, BUILDING),
    must("month", Form::Month, &["period", "date", "postmonth"]),
    must(
        "account_code",
        Form::Text,
        &["account", "glaccount", "code", "glcode"],
    ),
    may("account_name", Form::Text, &["name", "description"]),
    may("category", CATEGORY, &["accounttype"]),
    must("amount", Form::Signed, &["actual", "value", "netamount"]),
    may("budget_amount", Form::Signed, &["budget"]),
    may("currency", Form::Currency, &[]),
];

pub(super) const LOANS: &[Field] = &[
    must("loan_id", Form::Text, &["loan", "loannumber"]),
    must("building_id", Form::Text, BUILDING),
    may("lender", Form::Text, &[]),
    may("loan_kind", Form::Text, &["kind", "position", "lien"]),
    must(
        "original_principal",
        Form::Amount,
        &["principal", "originalbalance", "loanamount"],
    ),
    must(
        "origination_date",
        Form::Date,
        &["origination", "funded", "closingdate"],
    ),
    must("maturity_date", Form::Date, &["maturity"]),
    must(
        "interest_rate_pct",
        Form::Percent(0, 100),
        &["interestrate", "rate", "coupon"],
    ),
    may("rate_kind", Form::Text, &["ratetype"]),
    may("io_months", MONTHS, &["interestonlymonths", "io"]),
    may("amortization_months", MONTHS, &["amortization"]),
    may(
        "day_count",
        Form::Word(&["30/360", "actual/360", "actual/365"]),
        &["daycount"],
    ),
    may("level_payment", Form::Amount, &["payment", "monthlypayment"]),
    must(
        "current_balance",
        Form::Amount,
        &["balance", "outstandingbalance", "upb"],
    ),
    may("balance_date", Form::Date, &["asof", "balanceasof"]),
    may("prepayment", Form::Text, &["prepaymentterms"]),
    may(
        "min_dscr_covenant",
        Form::Decimal(100),
        &["mindscr", "dscrcovenant"],
    ),
    may(
        "max_ltv_covenant_pct",
        Form::Percent(0, 1000),
        &["maxltv", "ltvcovenant"],
    ),
    may("currency", Form::Currency, &[]),
];

pub(super) const LOAN_BUILDINGS: &[Field] = &[
    must("loan_id", Form::Text, &["loan"]),
    must("building_id", Form::Text, BUILDING),
    must("share_pct", SHARE, &["share", "allocationpct", "allocatedpct"]),
];

pub(super) const LOAN_PAYMENTS: &[Field] = &[
    must("loan_id", Form::Text, &["loan", "loannumber"]),
    must("payment_date", Form::Date, &["date", "duedate", "paymentdate"]),
    must("interest", Form::Signed, &["interestpaid"]),
    must("principal", Form::Signed, &["principalpaid"]),
    must("ending_balance", Form::Amount, &["balance", "endbalance"]),
];

pub(super) const VALUATIONS: &[Field] = &[
    must("building_id", Form::Text, BUILDING),
    must("valuation_date", Form::Date, &["date", "asof", "appraisaldate"]),
    must("market_value", Form::Amount, &["value", "appraisedvalue"]),
    may("cap_rate_pct", Form::Percent(0, 100), &["caprate", "cap"]),
    may("method", Form::Text, &["approach"]),
    may("source", Form::Text, &["appraiser", "valuer"]),
];
