//! Classifies the lines of operating statements by name.
//!
//! Does not use amounts. A name that matches no kind, or two, is unknown.

use crate::headers;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    /// Rent of all units at market: gross potential rent.
    Potential,
    /// Rent as billed or collected.
    Rent,
    LossToLease,
    Vacancy,
    NonRevenue,
    Concessions,
    BadDebt,
    /// Recoveries and other income.
    Other,
    Expense,
    Below(Below),
    /// A sum of other lines.
    Printed(Printed),
    Unknown,
}

/// Items that are never part of net operating income.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Below {
    Reserves,
    /// Capital works, tenant improvements, leasing commissions.
    Capital,
    Debt,
    Depreciation,
    IncomeTax,
    /// Another line below a printed net operating income.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Printed {
    NetRentalIncome,
    EffectiveGrossIncome,
    Expenses,
    NetOperatingIncome,
    Other,
}

/// Classifies a name.
#[must_use]
pub fn line(label: &str) -> Line {
    let name = headers::normalized(label);
    if name.is_empty() || !name.contains(char::is_alphabetic) {
        return Line::Unknown;
    }
    if let Some(of) = printed(&name, label) {
        return Line::Printed(of);
    }
    let words = headers::words(label);
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let word = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    // Income, although its name starts like a cost.
    let income = word(&[
        "income",
        "revenue",
        "reimbursement",
        "reimbursements",
        "recovery",
        "recoveries",
        "rubs",
    ]);
    // Commission that an insurer pays for referring tenants.
    if has(&["insurancecommission", "tenantinsurance"]) {
        return Line::Other;
    }
    if has(&[
        "losstolease",
        "gaintolease",
        "lossgaintolease",
        "gainlosstolease",
        "losslease",
        "ltl",
    ]) {
        return Line::LossToLease;
    }
    if has(&["vacan"])
        || (word(&["void", "voids"])
            && !word(&["rates", "tax", "taxes", "cost", "costs", "utilities", "insurance"]))
    {
        return Line::Vacancy;
    }
    if has(&[
        "nonrevenue",
        "modelunit",
        "employeeunit",
        "staffunit",
        "staffapartment",
        "staffhousing",
        "adminunit",
        "downunit",
        "nonrev",
    ]) {
        return Line::NonRevenue;
    }
    if has(&[
        "concession",
        "freerent",
        "rentabatement",
        "rentfree",
        "incentive",
        "rentdiscount",
        "moveinspecial",
        "discountsandpromo",
        "promotionaldiscount",
        "moveindiscount",
    ]) {
        return Line::Concessions;
    }
    let recovered = word(&["recovery", "recoveries", "recovered"]);
    if has(&[
        "baddebt",
        "creditloss",
        "collectionloss",
        "uncollect",
        "writeoff",
        "delinquen",
        "doubtful",
        "irrecoverable",
        "uncollected",
    ]) {
        return if recovered { Line::Other } else { Line::BadDebt };
    }
    if has(&[
        "grosspotentialrent",
        "potentialrent",
        "grossmarketrent",
        "marketrent",
        "grosspotentialincome",
        "potentialgrossincome",
        "potentialgrossrent",
        "grosspotential",
        "rentpotential",
        "atfulloccupancy",
        "iffullylet",
        "fullylet",
        "estimatedrentalvalue",
    ]) || matches!(name.as_str(), "gpr" | "gpi" | "pgi" | "erv")
    {
        return Line::Potential;
    }
    if has(&["reserve", "sinkingfund"]) {
        return Line::Below(Below::Reserves);
    }
    if has(&["depreciation", "amortizationexpense", "amortizationofloan"]) || name == "amortization" {
        return Line::Below(Below::Depreciation);
    }
    if has(&["incometax", "federaltax", "corporatetax"]) {
        return Line::Below(Below::IncomeTax);
    }
    if has(&[
        "debtservice",
        "mortgage",
        "loanpayment",
        "principalpayment",
        "interestexpense",
        "loaninterest",
        "loanrepayment",
        "loancost",
        "loanfee",
        "financecost",
        "debtcost",
    ]) || (word(&["interest", "principal"]) && !income)
    {
        return Line::Below(Below::Debt);
    }
    if has(&[
        "capex",
        "capitalexp",
        "capitalimprov",
        "capitalrepair",
        "capitalproject",
        "tenantimprovement",
        "leasingcommission",
        "leasecommission",
        "renovation",
    ]) || word(&["capital", "ti"])
    {
        return Line::Below(Below::Capital);
    }
    // Conventions differ on whether these are above or below the line.
    if has(&[
        "assetmanagement",
        "partnership",
        "ownerdistribution",
        "investorrelation",
    ]) {
        return Line::Unknown;
    }
    if income {
        let rent = word(&["rental", "rent", "rents"])
            && !word(&["other", "storage", "parking", "pet", "garage", "late"]);
        return if rent { Line::Rent } else { Line::Other };
    }
    let cost = has(&[
        "tax",
        "insurance",
        "utilit",
        "electric",
        "water",
        "sewer",
        "trash",
        "garbage",
        "repair",
        "maintenance",
        "payroll",
        "onsitestaff",
        "sitestaff",
        "staffing",
        "staffcost",
        "salar",
        "wage",
        "benefit",
        "managementfee",
        "mgmt",
        "propertymanagement",
        "admin",
        "marketing",
        "advertis",
        "landscap",
        "snow",
        "security",
        "janitor",
        "cleaning",
        "legal",
        "professional",
        "accounting",
        "audit",
        "officesupplies",
        "supplies",
        "license",
        "turnover",
        "makeready",
        "pest",
        "elevator",
        "poolservice",
        "telephone",
        "software",
        "groundrent",
        "groundlease",
        "contractservice",
        "contractedservice",
        "hvac",
        "painting",
        "commonarea",
        "cammaint",
        "camexpense",
        "operatingcost",
        "generalexpense",
        "officeexpense",
        "wasteremoval",
        "gas",
        "permit",
        "bankcharge",
        "bankfee",
        "cardprocessing",
        "merchantfee",
        "paymentprocessing",
        "personnel",
        "leasingexpense",
        "leasingfee",
        "hoa",
        "condo",
        "grounds",
        "firesafety",
        "lifesafety",
        "unitturn",
        "plumbing",
        "roof",
        "management",
        "managingagent",
        "lettingagent",
        "lettingfee",
        "agentfee",
        "heating",
        "energy",
        "caretaker",
        "concierge",
        "porter",
        "bookkeeping",
        "accountant",
        "liftservice",
        "refuse",
        "gardening",
        "valuationfee",
        "surveyor",
    ]) || matches!(
        name.as_str(),
        "ga" | "rm"
            | "rates"
            | "businessrates"
            | "cam"
            | "retaxes"
            | "ret"
            | "internet"
            | "staff"
            | "phone"
            | "generalandadministrative"
            | "general"
    );
    let earned = has(&[
        "parking",
        "carpark",
        "laundry",
        "storage",
        "petrent",
        "petfee",
        "applicationfee",
        "latefee",
        "latecharge",
        "vending",
        "antenna",
        "signage",
        "forfeited",
        "damages",
        "monthtomonthfee",
        "amenity",
        "garage",
        "washer",
        "percentagerent",
        "cellular",
        "billboard",
        "clubhouse",
        "cablecommission",
        "tenantcharges",
        "otherfees",
        "nsffee",
        "miscfees",
        "feesandother",
    ]);
    match (cost, earned) {
        (true, false) => Line::Expense,
        (false, true) => Line::Other,
        (true, true) => Line::Unknown,
        (false, false) if word(&["rent", "rents", "rental"]) => Line::Rent,
        (false, false) => by_parts(label),
    }
}

/// For names such as "R&M - general" or "Site: G&A": the kind on which all parts agree.
fn by_parts(label: &str) -> Line {
    let short = label.to_lowercase().replace(' ', "");
    let abbreviated = ["r&m", "g&a"].iter().any(|own| {
        short
            .strip_prefix(own)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    });
    if abbreviated {
        return Line::Expense;
    }
    let mut found = Line::Unknown;
    let mut printed = None;
    for part in label
        .split([':', '–', '—', '/'])
        .flat_map(|part| part.split(" - "))
        .filter(|part| part.len() < label.len())
    {
        match line(part) {
            Line::Printed(of) => printed = Some(of),
            Line::Unknown => {}
            own if found == Line::Unknown || found == own => found = own,
            _ => return Line::Unknown,
        }
    }
    match (found, printed) {
        // "NOI - Net Operating Income".
        (Line::Unknown, Some(of)) if of != Printed::Other => Line::Printed(of),
        (found, _) => found,
    }
}

fn printed(name: &str, label: &str) -> Option<Printed> {
    let is = |names: &[&str]| names.contains(&name);
    if is(&[
        "netoperatingincome",
        "noi",
        "netoperatingincomenoi",
        "netoperatingincomeloss",
        "operatingincome",
        "netoperating",
        "netordinaryincome",
    ]) {
        return Some(Printed::NetOperatingIncome);
    }
    if is(&[
        "effectivegrossincome",
        "egi",
        "effectivegrossincomeegi",
        "totalincome",
        "totalrevenue",
        "totalrevenues",
        "effectivegrossrevenue",
        "grossoperatingincome",
        "totaleffectivegrossincome",
        "totaloperatingincome",
        "totaloperatingrevenue",
        "effectiverevenue",
    ]) {
        return Some(Printed::EffectiveGrossIncome);
    }
    if is(&[
        "netrentalincome",
        "netrentalrevenue",
        "totalrentalincome",
        "totalnetrentalincome",
        "netrent",
        "totalrent",
        "effectiverentalincome",
    ]) {
        return Some(Printed::NetRentalIncome);
    }
    if is(&[
        "totalexpenses",
        "totaloperatingexpenses",
        "totalopex",
        "totalexpense",
        "totaloperatingexpense",
        "operatingexpensestotal",
        "expensestotal",
    ]) {
        return Some(Printed::Expenses);
    }
    let words = headers::words(label);
    let sum = |word: &String| matches!(word.as_str(), "total" | "subtotal" | "totals");
    let bottom = is(&[
        "netincome",
        "netincomeloss",
        "netcashflow",
        "cashflow",
        "ncf",
        "cashflowafterdebtservice",
        "cashflowafterdebt",
        "netcashflowafterdebtservice",
        "cashflowfromoperations",
        "netprofit",
        "leveredcashflow",
        "cashflowbeforedebt",
        "cashflowbeforedebtservice",
        "noiafterreserves",
        "netcashflowncf",
    ]);
    // "Cash flow before tax", "after-tax cash flow": not a tax.
    let taxed = name.contains("cashflow") && name.contains("tax");
    (bottom || taxed || words.first().is_some_and(sum) || words.last().is_some_and(sum))
        .then_some(Printed::Other)
}
