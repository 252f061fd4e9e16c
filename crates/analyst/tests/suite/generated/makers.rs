//! The makers of rent rolls: their titles, headers, states and totals.

use super::style::Dates;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Property,
    Unit,
    Plan,
    Beds,
    Area,
    /// The key of a tenant.
    Resident,
    Tenant,
    Status,
    Market,
    /// A list of prices.
    Listed,
    Rent,
    /// Charges next to the rent.
    Other,
    /// Rent and other charges.
    Billed,
    Annual,
    PerArea,
    Deposit,
    Balance,
    MoveIn,
    Start,
    End,
    MoveOut,
    Tags,
    Late,
    /// One line for each charge.
    Code,
    Amount,
}

impl Column {
    pub fn is_rent(self) -> bool {
        matches!(self, Self::Rent | Self::Annual)
    }
}

#[derive(Clone, Copy)]
pub enum Totals {
    None,
    Word(&'static str),
    /// "12 Units"
    Units,
    /// That line and then a total.
    Both,
}

pub struct Maker {
    pub name: &'static str,
    pub titles: &'static [&'static str],
    pub columns: &'static [(Column, &'static str)],
    /// Let, notice, vacant, reserved, model, down.
    pub states: Option<[&'static str; 6]>,
    /// The text in place of a name where a unit has no tenant.
    pub empty: &'static str,
    pub section: &'static str,
    pub totals: Totals,
    pub dates: Option<Dates>,
    pub firms: bool,
    /// Amounts of vacant units are zeros and not empty.
    pub zeros: bool,
}

impl Maker {
    pub fn has(&self, wanted: Column) -> bool {
        self.columns.iter().any(|(column, _)| *column == wanted)
    }
}

const PLAIN: Maker = Maker {
    name: "",
    titles: &[],
    columns: &[],
    states: None,
    empty: "",
    section: "",
    totals: Totals::None,
    dates: None,
    firms: false,
    zeros: false,
};

const USUAL: Option<[&str; 6]> = Some(["Occupied", "Notice", "Vacant", "Vacant-Leased", "Model", "Down"]);

pub const ROLLS: &[Maker] = &[
    Maker {
        name: "unit details",
        titles: &[
            "Rent Roll with Unit Details",
            "{name} (b07)",
            "As Of = {date}",
            "Month Year = 10/2026",
        ],
        columns: &[
            (Column::Unit, "Unit"),
            (Column::Plan, "Unit Type"),
            (Column::Area, "Unit\nSq Ft"),
            (Column::Resident, "Resident"),
            (Column::Tenant, "Name"),
            (Column::Market, "Market\nRent"),
            (Column::Rent, "Actual\nRent"),
            (Column::Deposit, "Resident\nDeposit"),
            (Column::MoveIn, "Move In"),
            (Column::End, "Lease\nExpiration"),
            (Column::MoveOut, "Move Out"),
            (Column::Balance, "Balance"),
        ],
        empty: "VACANT",
        section: "Current/Notice/Vacant Residents",
        totals: Totals::Word("Total"),
        dates: Some(Dates::American),
        zeros: true,
        ..PLAIN
    },
    Maker {
        name: "lease charges",
        titles: &["Rent Roll with Lease Charges", "{name} (b07)", "As Of = {date}"],
        columns: &[
            (Column::Unit, "Unit"),
            (Column::Plan, "Unit Type"),
            (Column::Area, "Unit\nSq Ft"),
            (Column::Resident, "Resident"),
            (Column::Tenant, "Name"),
            (Column::Market, "Market\nRent"),
            (Column::Code, "Charge\nCode"),
            (Column::Amount, "Amount"),
            (Column::MoveIn, "Move In"),
            (Column::End, "Lease\nExpiration"),
            (Column::Balance, "Balance"),
        ],
        empty: "VACANT",
        dates: Some(Dates::American),
        ..PLAIN
    },
    Maker {
        name: "past due and tags",
        titles: &["Rent Roll", "Properties: {name}", "As of: {date}"],
        columns: &[
            (Column::Property, "Property"),
            (Column::Unit, "Unit"),
            (Column::Tags, "Tags"),
            (Column::Beds, "BD/BA"),
            (Column::Tenant, "Tenant"),
            (Column::Status, "Status"),
            (Column::Area, "Sqft"),
            (Column::Market, "Market Rent"),
            (Column::Rent, "Rent"),
            (Column::Deposit, "Deposit"),
            (Column::Start, "Lease From"),
            (Column::End, "Lease To"),
            (Column::MoveIn, "Move-in"),
            (Column::MoveOut, "Move-out"),
            (Column::Balance, "Past Due"),
            (Column::Late, "Late Count"),
        ],
        states: Some([
            "Current",
            "Notice-Unrented",
            "Vacant-Unrented",
            "Vacant-Rented",
            "Model",
            "Down",
        ]),
        totals: Totals::Both,
        dates: Some(Dates::American),
        ..PLAIN
    },
    Maker {
        name: "rent roll detail",
        titles: &["{name}", "RENT ROLL DETAIL", "As of Date: {date}"],
        columns: &[
            (Column::Unit, "Unit"),
            (Column::Plan, "Floorplan"),
            (Column::Area, "SQFT"),
            (Column::Status, "Unit/Lease Status"),
            (Column::Tenant, "Name"),
            (Column::Start, "Lease Start"),
            (Column::End, "Lease End"),
            (Column::Market, "Market + Addl."),
            (Column::Rent, "Lease Rent"),
            (Column::Other, "Other Charges/ Credits"),
            (Column::Billed, "Total Billing"),
            (Column::Deposit, "Dep On Hand"),
            (Column::Balance, "Balance"),
        ],
        states: Some([
            "Occupied",
            "Occupied-NTV",
            "Vacant",
            "Vacant-Leased",
            "Model",
            "Admin/Down",
        ]),
        totals: Totals::Word("TOTALS"),
        zeros: true,
        ..PLAIN
    },
    Maker {
        name: "building and unit",
        titles: &["Rent Roll", "{name}", "As of {date}"],
        columns: &[
            (Column::Unit, "Bldg-Unit"),
            (Column::Plan, "Unit Type"),
            (Column::Area, "SQFT"),
            (Column::Status, "Unit Status"),
            (Column::Tenant, "Resident"),
            (Column::MoveIn, "Move-In"),
            (Column::Start, "Lease Start"),
            (Column::End, "Lease End"),
            (Column::Market, "Market Rent"),
            (Column::Rent, "Scheduled Rent"),
            (Column::Other, "Other Charges"),
            (Column::Deposit, "Deposit Held"),
            (Column::Balance, "Balance"),
        ],
        states: Some([
            "Occupied No Notice",
            "Notice Unrented",
            "Vacant Unrented Ready",
            "Vacant Rented Ready",
            "Model",
            "Down",
        ]),
        totals: Totals::Word("Total"),
        ..PLAIN
    },
    Maker {
        name: "letters for states",
        titles: &["{name}", "Rent Roll as of {date}"],
        columns: &[
            (Column::Unit, "Unit"),
            (Column::Plan, "Type"),
            (Column::Area, "Sq. Feet"),
            (Column::Tenant, "Residents"),
            (Column::Status, "Status"),
            (Column::Market, "Market Rent"),
            (Column::Start, "Lease Start"),
            (Column::End, "Lease End"),
            (Column::Rent, "Rent"),
            (Column::Other, "Other"),
            (Column::Balance, "Balance"),
        ],
        states: Some(["C", "NTV", "V", "VR", "M", "D"]),
        totals: Totals::Units,
        ..PLAIN
    },
    Maker {
        name: "small landlord",
        titles: &[],
        columns: &[
            (Column::Property, "Property"),
            (Column::Unit, "Unit"),
            (Column::Beds, "Bed/Bath"),
            (Column::Tenant, "Tenants"),
            (Column::Status, "Status"),
            (Column::Start, "Start"),
            (Column::End, "End"),
            (Column::Rent, "Rent"),
            (Column::Deposit, "Deposits held"),
        ],
        states: Some([
            "Active",
            "Active - notice given",
            "Vacant",
            "Future",
            "Model",
            "Offline",
        ]),
        ..PLAIN
    },
    Maker {
        name: "scheduled rent",
        titles: &["Rent Roll", "{name}", "{date}"],
        columns: &[
            (Column::Unit, "Unit"),
            (Column::Plan, "Unit Type"),
            (Column::Tenant, "Tenant"),
            (Column::Area, "Square Feet"),
            (Column::MoveIn, "Move In"),
            (Column::End, "Lease Ends"),
            (Column::Market, "Market Rent"),
            (Column::Rent, "Current Rent"),
            (Column::Deposit, "Security Deposit"),
            (Column::Balance, "Balance Due"),
        ],
        empty: "** VACANT **",
        totals: Totals::Word("Property Total"),
        zeros: true,
        ..PLAIN
    },
    Maker {
        name: "plain sheet",
        titles: &[],
        columns: &[
            (Column::Unit, "unit"),
            (Column::Tenant, "tenant"),
            (Column::Status, "status"),
            (Column::Area, "sf"),
            (Column::Rent, "rent"),
            (Column::End, "lease_end"),
        ],
        states: USUAL,
        ..PLAIN
    },
    Maker {
        name: "broker's sheet",
        titles: &["{name} - Rent Roll"],
        columns: &[
            (Column::Unit, "Apt #"),
            (Column::Plan, "Plan"),
            (Column::Area, "Size (SF)"),
            (Column::Status, "Occupancy"),
            (Column::Market, "Market Rent"),
            (Column::Rent, "Contract Rent"),
            (Column::End, "Lease Exp."),
        ],
        states: USUAL,
        totals: Totals::Word("Total / Average"),
        ..PLAIN
    },
    Maker {
        name: "commercial schedule",
        titles: &["{name}", "Tenancy Schedule", "As of {date}"],
        columns: &[
            (Column::Unit, "Suite"),
            (Column::Tenant, "Tenant"),
            (Column::Area, "NRA (SF)"),
            (Column::Start, "Start"),
            (Column::End, "Expire"),
            (Column::Rent, "Monthly Base Rent"),
            (Column::Annual, "Annual Rent"),
            (Column::PerArea, "Rent PSF"),
        ],
        empty: "Vacant",
        totals: Totals::Word("Total"),
        firms: true,
        ..PLAIN
    },
    Maker {
        name: "yearly rents",
        titles: &["{name} rent schedule"],
        columns: &[
            (Column::Unit, "Suite No."),
            (Column::Tenant, "Lessee"),
            (Column::Area, "RSF"),
            (Column::Start, "Commencement"),
            (Column::End, "Expiration"),
            (Column::Annual, "Base Rent (Annual)"),
            (Column::PerArea, "Annual Rent/SF"),
        ],
        empty: "Available",
        totals: Totals::Word("Totals"),
        firms: true,
        ..PLAIN
    },
    Maker {
        name: "storage",
        titles: &[],
        columns: &[
            (Column::Unit, "UnitNo"),
            (Column::Plan, "UnitType"),
            (Column::Area, "Area"),
            (Column::Status, "STATUS"),
            (Column::Tenant, "TenantName"),
            (Column::Listed, "StdRent"),
            (Column::Rent, "ActualRent"),
            (Column::MoveIn, "MovedIn"),
        ],
        states: Some(["Rented", "Rented", "Vacant", "Reserved", "Company", "Unrentable"]),
        ..PLAIN
    },
    Maker {
        name: "tenancy schedule",
        titles: &["{name}", "Tenancy schedule at {date}"],
        columns: &[
            (Column::Unit, "Flat"),
            (Column::Tenant, "Tenant"),
            (Column::Status, "Let status"),
            (Column::Area, "Sq ft"),
            (Column::Start, "Lease start"),
            (Column::End, "Lease expiry"),
            (Column::Market, "ERV pcm"),
            (Column::Rent, "Passing rent pcm"),
        ],
        states: Some([
            "Let",
            "Let",
            "Vacant",
            "Under offer",
            "Show flat",
            "Refurbishment",
        ]),
        totals: Totals::Word("Total"),
        dates: Some(Dates::British),
        ..PLAIN
    },
];
