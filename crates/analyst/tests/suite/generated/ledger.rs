//! A year of a building's accounts, actual and budgeted. Amounts are cents; deductions from income are negative.

use super::building::Money;
use super::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Income,
    Expense,
    /// Below the net operating income.
    Below,
}

pub struct Line {
    pub code: i64,
    pub name: &'static str,
    pub actual: [Money; 12],
    pub budget: [Money; 12],
}

pub struct Group {
    pub name: &'static str,
    pub side: Side,
    pub lines: Vec<Line>,
}

pub struct Ledger {
    pub groups: Vec<Group>,
}

/// Which of the two columns of a budget comparison.
#[derive(Clone, Copy)]
pub enum Book {
    Actual,
    Budget,
}

impl Line {
    pub fn of(&self, book: Book) -> &[Money; 12] {
        match book {
            Book::Actual => &self.actual,
            Book::Budget => &self.budget,
        }
    }

    pub fn sum(&self, book: Book, months: &[usize]) -> Money {
        months.iter().map(|month| self.of(book)[*month]).sum()
    }
}

impl Group {
    pub fn sum(&self, book: Book, months: &[usize]) -> Money {
        self.lines.iter().map(|line| line.sum(book, months)).sum()
    }
}

impl Ledger {
    pub fn side(&self, side: Side, book: Book, months: &[usize]) -> Money {
        let own = self.groups.iter().filter(|group| group.side == side);
        own.map(|group| group.sum(book, months)).sum()
    }

    pub fn noi(&self, book: Book, months: &[usize]) -> Money {
        self.side(Side::Income, book, months) - self.side(Side::Expense, book, months)
    }

    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }
}

/// Names of groups and of their lines; the sign of the second number is that of the amounts, in dollars a month.
type Names = &'static [(&'static str, i64)];

const RENT: Names = &[
    ("Gross Potential Rent", 42_000),
    ("Loss to Lease", -900),
    ("Vacancy Loss", -2_400),
    ("Concessions", -350),
    ("Bad Debt", -280),
];
const PLAIN_RENT: Names = &[("Rental Income", 39_000), ("Less: Vacancy", -1_900)];
const OTHER: Names = &[
    ("Laundry Income", 310),
    ("Parking Income", 640),
    ("Late Fees", 190),
    ("Application Fees", 120),
    ("Pet Fees", 230),
];
const EXPENSES: [(&str, Names); 7] = [
    (
        "Payroll",
        &[
            ("Salary - Manager", 3_900),
            ("Salary - Maintenance", 3_100),
            ("Payroll Taxes", 560),
            ("Health Insurance", 480),
        ],
    ),
    (
        "Utilities",
        &[
            ("Electricity - Common", 620),
            ("Water and Sewer", 1_150),
            ("Gas", 340),
            ("Trash Removal", 410),
        ],
    ),
    (
        "Repairs and Maintenance",
        &[
            ("Plumbing", 380),
            ("HVAC", 450),
            ("Landscaping", 520),
            ("Pest Control", 90),
        ],
    ),
    (
        "Marketing",
        &[("Advertising", 330), ("Website", 80), ("Signage", 45)],
    ),
    (
        "Administrative",
        &[
            ("Office Supplies", 110),
            ("Telephone", 140),
            ("Legal Fees", 210),
            ("Bank Charges", 25),
        ],
    ),
    ("Management Fees", &[("Management Fee", 1_180)]),
    (
        "Taxes and Insurance",
        &[("Real Estate Taxes", 4_100), ("Property Insurance", 1_050)],
    ),
];
const DEBT: Names = &[("Mortgage Interest", 6_200), ("Mortgage Principal", 2_100)];
const CAPITAL: Names = &[("Appliances", 260), ("Roof Replacement", 900)];

pub fn ledger(random: &mut Random) -> Ledger {
    let cents = random.chance(40);
    let mut groups = Vec::new();
    let mut code = 4_000;
    let mut add = |random: &mut Random, name, side, names: Names| {
        let lines = names.iter().map(|(line, dollars)| {
            code += 10;
            line_of(random, code, (line, *dollars), cents)
        });
        groups.push(Group {
            name,
            side,
            lines: lines.collect(),
        });
        code = (code / 100 + 1) * 100;
    };
    let rent = random.one(&[RENT, RENT, PLAIN_RENT]);
    add(random, "Rental Income", Side::Income, rent);
    let from = random.below(3);
    add(random, "Other Income", Side::Income, &OTHER[from..from + 3]);
    for (name, names) in EXPENSES {
        let always = matches!(name, "Utilities" | "Payroll" | "Taxes and Insurance");
        if always || random.chance(65) {
            let few = names.len() - random.below(2).min(names.len() - 1);
            add(random, name, Side::Expense, &names[..few]);
        }
    }
    if random.chance(50) {
        add(random, "Debt Service", Side::Below, DEBT);
    }
    if random.chance(25) {
        add(random, "Capital Expenditures", Side::Below, CAPITAL);
    }
    Ledger { groups }
}

fn line_of(random: &mut Random, code: i64, (name, dollars): (&'static str, i64), cents: bool) -> Line {
    let mut amounts = |spread: i64| {
        std::array::from_fn(|_| {
            let share = random.between(100 - spread, 100 + spread);
            let exact = dollars * share;
            if cents {
                exact + random.between(0, 99) * dollars.signum()
            } else {
                exact / 100 * 100
            }
        })
    };
    Line {
        code,
        name,
        actual: amounts(9),
        budget: amounts(4),
    }
}
