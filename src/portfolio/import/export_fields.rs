//! The fields of exports from other property systems: rent rolls and income statements.

use crate::portfolio::import::fields::{CellType, Field, optional, required};
use crate::portfolio::import::native_fields::AREA;
use tables::fields::Field as SharedField;

/// A rent roll as exported by property systems. The building is a column or part of the title; a unit's rent
/// is a column or the sum of its charges.
pub(super) const RENT_ROLL: &[Field] = &[
    optional("building", CellType::Text, &[]).with_shared_headers(SharedField::Building),
    required("unit_number", CellType::Text, &[]).with_shared_headers(SharedField::Unit),
    optional("unit_type", CellType::Text, &[]).with_shared_headers(SharedField::UnitType),
    optional("area", CellType::Area, AREA),
    optional("tenant", CellType::Text, &["name"]).with_shared_headers(SharedField::Tenant),
    optional(
        "tenant_code",
        CellType::Text,
        &[
            "residentid",
            "tenantid",
            "tcode",
            "tenantcode",
            "residentcode",
            "resident",
        ],
    ),
    optional(
        "status",
        CellType::Text,
        &["unitstatus", "occupancystatus", "leasestatus", "occupancy"],
    ),
    optional("market_rent", CellType::Amount, &[]).with_shared_headers(SharedField::MarketRent),
    optional("monthly_rent", CellType::Amount, &[]).with_shared_headers(SharedField::Rent),
    optional("charge_code", CellType::Text, &["code"]).with_shared_headers(SharedField::ChargeCode),
    optional("charge_amount", CellType::Signed, &["amount", "chargeamount"]),
    optional("start_date", CellType::Date, &[]).with_shared_headers(SharedField::StartDate),
    optional("end_date", CellType::Date, &[]).with_shared_headers(SharedField::EndDate),
    optional("move_in", CellType::Date, &[]).with_shared_headers(SharedField::MoveIn),
    optional("move_out", CellType::Date, &["moveoutdate", "actualmoveout"]),
    optional("deposit", CellType::Amount, &[]).with_shared_headers(SharedField::Deposit),
    optional("other_deposit", CellType::Amount, &["otherdeposits"]),
];

/// A column for each month follows.
pub(super) const STATEMENT: &[Field] = &[
    optional("building", CellType::Text, &[]).with_shared_headers(SharedField::Building),
    required(
        "account_name",
        CellType::Text,
        &[
            "description",
            "accountdescription",
            "lineitem",
            "name",
            "glaccount",
            "account",
        ],
    ),
    optional(
        "account_code",
        CellType::Text,
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
    optional("total", CellType::Signed, &["totals", "annualtotal", "ytd"]),
];
