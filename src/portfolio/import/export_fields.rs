//! The fields of exports from other property systems: rent rolls and income statements.

use crate::portfolio::import::fields::{Field, Form, may, must};
use crate::portfolio::import::native_fields::AREA;
use tables::fields::Field as Meaning;

/// A rent roll as exported by property systems. The building is a column or part of the title; a unit's rent
/// is a column or the sum of its charges.
pub(super) const RENT_ROLL: &[Field] = &[
    may("building", Form::Text, &[]).like(Meaning::Building),
    must("unit_number", Form::Text, &[]).like(Meaning::Unit),
    may("unit_type", Form::Text, &[]).like(Meaning::UnitType),
    may("area", Form::Area, AREA),
    may("tenant", Form::Text, &["name"]).like(Meaning::Tenant),
    may(
        "tenant_code",
        Form::Text,
        &[
            "residentid",
            "tenantid",
            "tcode",
            "tenantcode",
            "residentcode",
            "resident",
        ],
    ),
    may(
        "status",
        Form::Text,
        &["unitstatus", "occupancystatus", "leasestatus", "occupancy"],
    ),
    may("market_rent", Form::Amount, &[]).like(Meaning::MarketRent),
    may("monthly_rent", Form::Amount, &[]).like(Meaning::Rent),
    may("charge_code", Form::Text, &["code"]).like(Meaning::ChargeCode),
    may("charge_amount", Form::Signed, &["amount", "chargeamount"]),
    may("start_date", Form::Date, &[]).like(Meaning::StartDate),
    may("end_date", Form::Date, &[]).like(Meaning::EndDate),
    may("move_in", Form::Date, &[]).like(Meaning::MoveIn),
    may("move_out", Form::Date, &["moveoutdate", "actualmoveout"]),
    may("deposit", Form::Amount, &[]).like(Meaning::Deposit),
    may("other_deposit", Form::Amount, &["otherdeposits"]),
];

/// A column for each month follows.
pub(super) const STATEMENT: &[Field] = &[
    may("building", Form::Text, &[]).like(Meaning::Building),
    must(
        "account_name",
        Form::Text,
        &[
            "description",
            "accountdescription",
            "lineitem",
            "name",
            "glaccount",
            "account",
        ],
    ),
    may(
        "account_code",
        Form::Text,
        &[
            "code",
            "glcode",
            "accountnumber",
            "acct",
            "glaccountnumber",
            "accountno",
            "account",
            "glaccount",
        ],
    ),
    may("total", Form::Signed, &["totals", "annualtotal", "ytd"]),
];
