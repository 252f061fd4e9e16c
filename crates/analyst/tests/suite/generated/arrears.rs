//! Lists of what tenants owe, as different systems print them.

use super::building::{Building, Money, State, Unit, Wanted, building};
use super::random::Random;
use super::style::Style;
use super::tables::{Mutation, Page, Question, footer};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Property,
    Unit,
    Tenant,
    Status,
    Email,
    /// What is owed for so many days: a place among the four.
    Aged(usize),
    Owed,
    Rent,
    Deposit,
    Late,
    Note,
}

struct Maker {
    name: &'static str,
    titles: &'static [&'static str],
    columns: &'static [(Column, &'static str)],
    /// Units without arrears are on the list too.
    all: bool,
    /// Current tenants, and those who have given notice.
    states: Option<[&'static str; 2]>,
    total: Option<&'static str>,
}

const MAKERS: &[Maker] = &[
    Maker {
        name: "past due of each unit",
        titles: &[],
        columns: &[
            (Column::Unit, "Unit"),
            (Column::Tenant, "Tenant"),
            (Column::Rent, "Rent"),
            (Column::Owed, "Past Due"),
            (Column::Late, "Late Count"),
        ],
        all: true,
        states: None,
        total: Some("{count} Units"),
    },
    Maker {
        name: "delinquency",
        titles: &["Delinquency", "Properties: {name}", "As of: {date}"],
        columns: &[
            (Column::Property, "Property"),
            (Column::Unit, "Unit"),
            (Column::Tenant, "Name"),
            (Column::Status, "Tenant Status"),
            (Column::Aged(0), "0-30"),
            (Column::Aged(1), "31-60"),
            (Column::Aged(2), "61-90"),
            (Column::Aged(3), "91+"),
            (Column::Owed, "Amount Receivable"),
            (Column::Note, "Delinquency Notes"),
        ],
        all: false,
        states: Some(["Current", "Notice"]),
        total: Some("Total"),
    },
    Maker {
        name: "aged receivables",
        titles: &["{name}", "Aged Receivables Report", "As of {date}"],
        columns: &[
            (Column::Unit, "Unit"),
            (Column::Tenant, "Resident"),
            (Column::Status, "Status"),
            (Column::Owed, "Total Unpaid Charges"),
            (Column::Aged(0), "0-30 days"),
            (Column::Aged(1), "31-60 days"),
            (Column::Aged(2), "61-90 days"),
            (Column::Aged(3), "Over 90 days"),
        ],
        all: false,
        states: Some(["Current", "Notice"]),
        total: Some("Grand Total"),
    },
    Maker {
        name: "delinquent and prepaid",
        titles: &["Delinquent and Prepaid", "{name}", "{date}"],
        columns: &[
            (Column::Unit, "Bldg/Unit"),
            (Column::Tenant, "Name"),
            (Column::Status, "Status"),
            (Column::Deposit, "Dep On Hand"),
            (Column::Owed, "Total Delinquent"),
            (Column::Aged(0), "Current"),
            (Column::Aged(1), "30 Days"),
            (Column::Aged(2), "60 Days"),
            (Column::Aged(3), "90+ Days"),
            (Column::Note, "Comments"),
        ],
        all: false,
        states: Some(["Current resident", "Current resident - NTV"]),
        total: Some("Totals"),
    },
    Maker {
        name: "balances owed",
        titles: &[],
        columns: &[
            (Column::Unit, "Unit"),
            (Column::Tenant, "Tenant name"),
            (Column::Email, "Email"),
            (Column::Owed, "Balance due"),
            (Column::Aged(0), "0 - 30 days"),
            (Column::Aged(1), "31 - 60 days"),
            (Column::Aged(2), "61 - 90 days"),
            (Column::Aged(3), "90+ days"),
        ],
        all: false,
        states: None,
        total: None,
    },
    Maker {
        name: "plain sheet",
        titles: &["Delinquency list {date}"],
        columns: &[
            (Column::Unit, "unit"),
            (Column::Tenant, "tenant"),
            (Column::Status, "status"),
            (Column::Rent, "monthly_rent"),
            (Column::Owed, "amount_past_due"),
        ],
        all: true,
        states: Some(["current", "notice"]),
        total: None,
    },
];

const RARE: [&str; 6] = [
    "Eviction",
    "Skip",
    "Payment Plan",
    "Legal",
    "Corporate",
    "Bankruptcy",
];
const OTHER: [&str; 4] = ["In Use", "Live", "Resident", "Res"];

struct Plan<'a> {
    maker: &'a Maker,
    building: Building,
    /// The units on the list.
    listed: Vec<usize>,
    style: Style,
    words: [String; 2],
    rare: Option<(usize, &'static str)>,
}

pub fn page(random: &mut Random, mutation: Mutation) -> Page {
    let by_status = matches!(mutation, Mutation::StatusAdded | Mutation::StatusRenamed);
    let makers: Vec<&Maker> = MAKERS
        .iter()
        .filter(|maker| !by_status || maker.states.is_some())
        .collect();
    let maker = makers[random.below(makers.len())];
    let mut building = building(
        random,
        Wanted {
            firms: false,
            states: false,
        },
    );
    owe(random, &mut building);
    let units = building.units.iter().enumerate();
    let listed: Vec<usize> = units
        .filter(|(_, unit)| maker.all || unit.balance() != 0)
        .map(|(at, _)| at)
        .collect();
    let cents = building
        .units
        .iter()
        .any(|unit| unit.rent % 100 != 0 || unit.balance() % 100 != 0);
    let style = Style::any(random, cents);
    let style = mutation.styled(style, random);
    let mut words = maker.states.unwrap_or(["", ""]).map(str::to_owned);
    if mutation == Mutation::StatusRenamed {
        words[0] = random.pick(&OTHER).to_owned();
    }
    let owing: Vec<usize> = (0..building.units.len())
        .filter(|at| building.units[*at].balance() > 0)
        .collect();
    let rare =
        (mutation == Mutation::StatusAdded).then(|| (owing[random.below(owing.len())], random.pick(&RARE)));
    let plan = Plan {
        maker,
        building,
        listed,
        style,
        words,
        rare,
    };
    let mut rows = plan.top();
    rows.extend(plan.listed.iter().map(|at| plan.line(*at)));
    let label = match (maker.total, mutation) {
        (None, Mutation::TotalsTwice) => Some("Total"),
        (own, _) => own,
    };
    if let Some(label) = label {
        let total = plan.total(&label.replace("{count}", &plan.listed.len().to_string()));
        if mutation == Mutation::TotalsTwice {
            rows.push(total.clone());
        }
        rows.push(total);
    }
    if mutation == Mutation::Footer {
        rows.extend(footer(random, plan.building.name, maker.columns.len()));
    }
    Page {
        maker: maker.name,
        rows,
        questions: plan.questions(by_status),
        style: plan.style,
        period: None,
    }
}

/// At least three tenants owe something.
fn owe(random: &mut Random, building: &mut Building) {
    let occupied: Vec<&mut Unit> = building
        .units
        .iter_mut()
        .filter(|unit| unit.state.occupied())
        .collect();
    for unit in occupied.into_iter().take(3) {
        if unit.balance() == 0 {
            unit.owed[random.below(4)] = random.between(30, 1_800) * 100;
        }
    }
}

impl Plan<'_> {
    fn top(&self) -> Vec<Vec<String>> {
        let as_of = self.style.date(self.building.as_of);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for title in self.maker.titles {
            let title = title.replace("{name}", self.building.name);
            rows.push(vec![title.replace("{date}", &as_of)]);
        }
        let headers = self.maker.columns.iter().map(|(_, header)| (*header).to_owned());
        rows.push(headers.collect());
        rows
    }

    fn line(&self, at: usize) -> Vec<String> {
        let unit = &self.building.units[at];
        let money = |amount: Money| {
            if unit.state.occupied() {
                self.style.money(amount)
            } else {
                String::new()
            }
        };
        let cell = |column: Column| match column {
            Column::Property => self.building.name.to_owned(),
            Column::Unit => unit.number.clone(),
            Column::Tenant => unit.tenant.clone(),
            Column::Status => self.status(at),
            Column::Email => format!("tenant{at}@example.org"),
            Column::Aged(days) => money(unit.owed[days]),
            Column::Owed => money(unit.balance()),
            Column::Rent => money(unit.rent),
            Column::Deposit => money(unit.deposit),
            Column::Late if unit.state.occupied() => (unit.balance() / 50_000).to_string(),
            Column::Note if unit.owed[3] > 0 => "letter sent".to_owned(),
            Column::Late | Column::Note => String::new(),
        };
        self.maker
            .columns
            .iter()
            .map(|(column, _)| cell(*column))
            .collect()
    }

    fn status(&self, at: usize) -> String {
        match (self.rare, self.building.units[at].state) {
            (Some((rare, word)), _) if rare == at => word.to_owned(),
            (_, State::Let) => self.words[0].clone(),
            (_, State::Notice) => self.words[1].clone(),
            _ => "vacant".to_owned(),
        }
    }

    fn sum(&self, of: impl Fn(&Unit) -> Money) -> Money {
        self.listed.iter().map(|at| of(&self.building.units[*at])).sum()
    }

    fn total(&self, label: &str) -> Vec<String> {
        let cell = |column: Column| match column {
            Column::Aged(days) => self.style.money(self.sum(|unit| unit.owed[days])),
            Column::Owed => self.style.money(self.sum(Unit::balance)),
            Column::Rent => self.style.money(self.sum(|unit| unit.rent)),
            Column::Deposit => self.style.money(self.sum(|unit| unit.deposit)),
            _ => String::new(),
        };
        let mut cells: Vec<String> = self
            .maker
            .columns
            .iter()
            .map(|(column, _)| cell(*column))
            .collect();
        label.clone_into(&mut cells[0]);
        cells
    }

    fn questions(&self, open: bool) -> Vec<Question> {
        let owed = self
            .maker
            .columns
            .iter()
            .find(|(column, _)| *column == Column::Owed);
        let (_, owed) = owed.unwrap();
        let most = self
            .listed
            .iter()
            .map(|at| self.building.units[*at].balance())
            .max()
            .unwrap();
        let mut all = vec![
            Question {
                open,
                ..Question::money("What is the total past due?", self.sum(Unit::balance))
            },
            Question {
                open,
                ..Question::money(
                    format!("What is the total of \"{owed}\"?"),
                    self.sum(Unit::balance),
                )
            },
            Question {
                open,
                ..Question::money(format!("What is the highest \"{owed}\"?"), most)
            },
        ];
        if self.maker.all {
            all.push(Question::count("How many units are there?", self.listed.len()));
        }
        let aged = self
            .maker
            .columns
            .iter()
            .find(|(column, _)| *column == Column::Aged(1));
        if let Some((_, header)) = aged {
            all.push(Question {
                open,
                ..Question::money(
                    format!("What is the total of \"{header}\"?"),
                    self.sum(|unit| unit.owed[1]),
                )
            });
        }
        all
    }
}
