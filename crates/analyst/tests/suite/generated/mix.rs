//! Unit mixes as different people print them: one line for each plan.

use super::building::{Building, Money, Unit, Wanted, building};
use super::random::Random;
use super::style::Style;
use super::tables::{Mutation, Page, Question, Scale, footer, headed};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Plan,
    Beds,
    Count,
    Occupied,
    Area,
    AllArea,
    Listed,
    Market,
    Paid,
    PerArea,
    Share,
}

struct Maker {
    name: &'static str,
    titles: &'static [&'static str],
    columns: &'static [(Column, &'static str)],
    total: Option<&'static str>,
}

const MAKERS: &[Maker] = &[
    Maker {
        name: "offering memorandum",
        titles: &["{name}", "Unit Mix"],
        columns: &[
            (Column::Plan, "Unit Type"),
            (Column::Count, "# of Units"),
            (Column::Share, "% of Total"),
            (Column::Area, "Avg SF"),
            (Column::Market, "Market Rent"),
            (Column::PerArea, "Market Rent/SF"),
        ],
        total: Some("Total/Avg"),
    },
    Maker {
        name: "plain sheet",
        titles: &[],
        columns: &[
            (Column::Plan, "Unit Type"),
            (Column::Count, "Units"),
            (Column::Area, "Avg SF"),
            (Column::Market, "Avg market rent"),
            (Column::Paid, "Avg in-place rent"),
        ],
        total: None,
    },
    Maker {
        name: "names of a database",
        titles: &[],
        columns: &[
            (Column::Plan, "floorplan"),
            (Column::Count, "units"),
            (Column::Occupied, "occupied"),
            (Column::Area, "sqft"),
            (Column::Market, "market_rent"),
        ],
        total: None,
    },
    Maker {
        name: "floor plan summary",
        titles: &["{name}", "Floor Plan Summary"],
        columns: &[
            (Column::Plan, "Floor Plan"),
            (Column::Beds, "Bed/Bath"),
            (Column::Count, "Unit Count"),
            (Column::Area, "SF per Unit"),
            (Column::AllArea, "Total SF"),
            (Column::Market, "Market Rent"),
            (Column::Paid, "In-Place Rent"),
        ],
        total: Some("Total"),
    },
    Maker {
        name: "type summary",
        titles: &["Unit Type Summary - {name}"],
        columns: &[
            (Column::Plan, "Type"),
            (Column::Count, "No. Units"),
            (Column::Area, "Sq Ft"),
            (Column::Market, "Market Rent per Unit"),
        ],
        total: Some("Totals"),
    },
];

const LISTED: [&str; 5] = [
    "List Price",
    "Street Rate",
    "Published Rent",
    "Standard Rate",
    "Web Price",
];

struct Plan<'a> {
    columns: Vec<(Column, String)>,
    maker: &'a Maker,
    building: Building,
    style: Style,
}

pub fn page(random: &mut Random, mutation: Mutation) -> Page {
    let maker = &MAKERS[random.below(MAKERS.len())];
    let mut building = building(
        random,
        Wanted {
            firms: false,
            states: false,
        },
    );
    // Units of a plan have one market rent and one paid rent, so that averages are exact; every plan is used.
    let count = building.plans.len();
    for (at, unit) in building.units.iter_mut().enumerate() {
        unit.plan = if at < count { at } else { unit.plan };
        unit.market = building.plans[unit.plan].market;
        unit.rent = unit.market - 5_000;
    }
    let style = Style::any(random, false);
    let style = mutation.styled(style, random);
    let mut columns = headed(maker.columns);
    if mutation == Mutation::PriceList {
        let market = columns
            .iter()
            .position(|(column, _)| *column == Column::Market)
            .unwrap();
        columns.insert(market, (Column::Listed, random.pick(&LISTED).to_owned()));
    }
    let plan = Plan {
        columns,
        maker,
        building,
        style,
    };
    let mut rows: Vec<Vec<String>> = maker
        .titles
        .iter()
        .map(|title| vec![title.replace("{name}", plan.building.name)])
        .collect();
    rows.push(plan.columns.iter().map(|(_, header)| header.clone()).collect());
    for at in 0..count {
        rows.push(plan.line(Some(at)));
    }
    if maker.total.is_some() || mutation == Mutation::TotalsTwice {
        rows.push(plan.line(None));
        if mutation == Mutation::TotalsTwice {
            rows.push(plan.line(None));
        }
    }
    if mutation == Mutation::Footer {
        rows.extend(footer(random, plan.building.name, plan.columns.len()));
    }
    Page {
        maker: maker.name,
        rows,
        questions: plan.questions(),
        style: plan.style,
        period: None,
    }
}

impl Plan<'_> {
    /// Units of a plan, or of all.
    fn units(&self, plan: Option<usize>) -> impl Iterator<Item = &Unit> {
        let units = self.building.units.iter();
        units.filter(move |unit| plan.is_none_or(|plan| unit.plan == plan))
    }

    fn area(&self, plan: Option<usize>) -> i64 {
        self.units(plan)
            .map(|unit| self.building.plans[unit.plan].area)
            .sum()
    }

    fn mean(&self, plan: Option<usize>, of: impl Fn(&Unit) -> Money) -> Money {
        let count = i64::try_from(self.units(plan).count()).unwrap();
        self.units(plan).map(of).sum::<Money>() / count
    }

    fn line(&self, plan: Option<usize>) -> Vec<String> {
        let own = plan.map(|plan| &self.building.plans[plan]);
        let count = self.units(plan).count();
        let all = self.building.units.len();
        let money = |of: &dyn Fn(&Unit) -> Money| self.style.money(self.mean(plan, of));
        let cell = |column: Column| match column {
            Column::Plan => own
                .map_or(self.maker.total.unwrap_or("Total"), |own| own.name)
                .to_owned(),
            Column::Beds => own.map_or(String::new(), |own| format!("{}/{}", own.beds, own.baths)),
            Column::Count => count.to_string(),
            Column::Occupied => self
                .units(plan)
                .filter(|unit| unit.state.occupied())
                .count()
                .to_string(),
            Column::Area => (self.area(plan) / i64::try_from(count).unwrap()).to_string(),
            Column::AllArea => self.area(plan).to_string(),
            Column::Listed => money(&|unit| unit.market + 10_000),
            Column::Market => money(&|unit| unit.market),
            Column::Paid => money(&|unit| unit.rent),
            Column::PerArea => {
                let market: Money = self.units(plan).map(|unit| unit.market).sum();
                self.style.money(market / self.area(plan))
            }
            Column::Share => format!("{:.0}%", 100.0 * count as f64 / all as f64),
        };
        self.columns.iter().map(|(column, _)| cell(*column)).collect()
    }

    fn questions(&self) -> Vec<Question> {
        let has = |wanted: Column| self.columns.iter().any(|(column, _)| *column == wanted);
        let count = self.building.units.len();
        let market: Money = self.units(None).map(|unit| unit.market).sum();
        let paid: Money = self.units(None).map(|unit| unit.rent).sum();
        let mut all = vec![
            Question::count("How many units are there?", count),
            Question::money("What is the annual GPR at market?", market * 12),
            Question::new(
                "What is the total square footage?",
                self.area(None) as f64,
                Scale::Amount,
            ),
            Question::new(
                "What is the average unit size?",
                self.area(None) as f64 / count as f64,
                Scale::Amount,
            ),
        ];
        if has(Column::Paid) {
            all.push(Question::new(
                "What is the weighted average in-place rent?",
                paid as f64 / count as f64 / 100.0,
                Scale::Amount,
            ));
        }
        if has(Column::Occupied) {
            let occupied = self.units(None).filter(|unit| unit.state.occupied()).count();
            all.push(Question::share(
                "What is the physical occupancy?",
                occupied,
                count,
            ));
        }
        all
    }
}
