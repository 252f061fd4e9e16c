//! Rent rolls as different systems print them.

use chrono::Days;

use super::building::{Building, Money, State, Unit, Wanted, building};
use super::makers::{Column, Maker, ROLLS, Totals};
use super::random::Random;
use super::style::Style;
use super::tables::{Mutation, Page, Question, Scale, footer, headed};

/// Words of states that few systems have; all are occupied.
const RARE: [&str; 10] = [
    "Corporate",
    "On Notice",
    "Holdover",
    "Month to Month",
    "Student",
    "HAP",
    "Relocating",
    "Skip Pending",
    "Transfer",
    "Legal",
];
const OTHER_LET: [&str; 6] = ["In Use", "Tenanted", "Live", "Filled", "Inhabited", "Res"];
const OTHER_VACANT: [&str; 5] = ["Idle", "Open", "Unfilled", "Not Rented", "Ready To Show"];
const CODES: [&[&str]; 4] = [
    &["rent"],
    &["RENT"],
    &["rrent", "rent", "baserent"],
    &["rnt", "rnt2"],
];
const LISTED: [&str; 7] = [
    "Std Rate",
    "Street Rate",
    "Asking Rent",
    "List Price",
    "Standard Rent",
    "Published Rate",
    "Std Rent",
];

/// What is fixed before the rows are written.
struct Plan<'a> {
    maker: &'a Maker,
    columns: Vec<(Column, String)>,
    building: Building,
    style: Style,
    states: Option<[String; 6]>,
    /// Units whose state has a rare word, with the word.
    rare: Vec<(usize, &'static str)>,
    /// Vacant units show the rent that is asked for.
    asking: bool,
    /// The codes of rent among the charges.
    codes: Vec<&'static str>,
    /// Below the units, those who move into a vacant one later, with their rent.
    future: Option<usize>,
}

pub fn page(random: &mut Random, mutation: Mutation) -> Page {
    let fits = |maker: &&Maker| match mutation {
        Mutation::StatusAdded | Mutation::StatusRenamed => maker.states.is_some(),
        Mutation::PriceList => !maker.has(Column::Amount),
        _ => true,
    };
    let makers: Vec<&Maker> = ROLLS.iter().filter(fits).collect();
    let maker = makers[random.below(makers.len())];
    let building = building(
        random,
        Wanted {
            firms: maker.firms,
            states: maker.states.is_some(),
        },
    );
    let cents = building.units.iter().any(|unit| unit.rent % 100 != 0);
    let mut style = Style::any(random, cents);
    if let Some(dates) = maker.dates {
        style.dates = dates;
    }
    let style = mutation.styled(style, random);
    let mut columns = headed(maker.columns);
    if mutation == Mutation::PriceList {
        let rent = columns.iter().position(|(column, _)| column.is_rent()).unwrap();
        columns.insert(rent, (Column::Listed, random.pick(&LISTED).to_owned()));
    }
    let mut states = maker.states.map(|states| states.map(str::to_owned));
    let mut rare = Vec::new();
    match (mutation, &mut states) {
        (Mutation::StatusAdded, _) => {
            let occupied = (0..building.units.len()).filter(|at| building.units[*at].state == State::Let);
            let occupied: Vec<usize> = occupied.collect();
            rare.push((occupied[random.below(occupied.len())], random.pick(&RARE)));
        }
        (Mutation::StatusRenamed, Some(states)) => {
            if random.chance(50) {
                states[0] = random.pick(&OTHER_LET).to_owned();
            } else {
                states[2] = random.pick(&OTHER_VACANT).to_owned();
            }
        }
        _ => {}
    }
    let priced = columns
        .iter()
        .any(|(column, _)| matches!(column, Column::Market | Column::Listed | Column::Amount));
    let told = columns.iter().any(|(column, _)| *column == Column::Status);
    let vacant = building.units.iter().position(|unit| unit.state == State::Vacant);
    let plan = Plan {
        codes: random.one(&CODES).to_vec(),
        future: vacant.filter(|_| !maker.section.is_empty() && random.chance(40)),
        maker,
        columns,
        building,
        style,
        states,
        rare,
        asking: !priced && told && random.chance(30),
    };
    let mut rows = plan.titles();
    rows.extend(plan.header());
    rows.extend(plan.body());
    rows.extend(plan.totals());
    if mutation == Mutation::TotalsTwice {
        let again = plan.totals();
        if again.is_empty() {
            let total = plan.total("Total");
            rows.push(total.clone());
            rows.push(total);
        } else {
            rows.extend(again);
        }
    }
    if mutation == Mutation::Footer {
        rows.extend(footer(random, plan.building.name, plan.columns.len()));
    }
    let questions = plan.questions(mutation);
    Page {
        maker: plan.maker.name,
        rows,
        style: plan.style,
        questions,
        period: None,
    }
}

impl Plan<'_> {
    fn titles(&self) -> Vec<Vec<String>> {
        let as_of = self.style.date(self.building.as_of);
        let filled = |title: &&str| {
            let title = title.replace("{name}", self.building.name);
            vec![title.replace("{date}", &as_of)]
        };
        self.maker.titles.iter().map(filled).collect()
    }

    /// One line, or two where a header has a line break.
    fn header(&self) -> Vec<Vec<String>> {
        let part = |at: usize| -> Vec<String> {
            let headers = self.columns.iter().map(|(_, header)| header.split('\n').nth(at));
            headers.map(|part| part.unwrap_or("").to_owned()).collect()
        };
        if self.columns.iter().any(|(_, header)| header.contains('\n')) {
            vec![part(0), part(1)]
        } else {
            vec![part(0)]
        }
    }

    fn body(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        if !self.maker.section.is_empty() {
            rows.push(vec![self.maker.section.to_owned()]);
        }
        for (at, unit) in self.building.units.iter().enumerate() {
            let charges = self.charges(unit);
            rows.push(self.cells(|column| self.cell(at, unit, column, charges.first())));
            if self.maker.has(Column::Amount) {
                for charge in charges.iter().skip(1) {
                    rows.push(self.charge(charge));
                }
                let sum = charges.iter().map(|(_, amount)| amount).sum();
                rows.push(self.charge(&("Total", sum)));
            }
        }
        if let Some(at) = self.future {
            rows.push(vec!["Future Residents/Applicants".to_owned()]);
            rows.push(self.coming(&self.building.units[at]));
        }
        rows
    }

    fn coming(&self, unit: &Unit) -> Vec<String> {
        let start = self.building.as_of + Days::new(30);
        let later = Unit {
            number: unit.number.clone(),
            tenant: "Kay Orville".to_owned(),
            state: State::Let,
            rent: unit.market - 1_500,
            start,
            end: start + Days::new(364),
            charges: Vec::new(),
            ..*unit
        };
        self.cells(|column| self.cell(99, &later, column, None))
    }

    fn cells(&self, cell: impl Fn(Column) -> String) -> Vec<String> {
        self.columns.iter().map(|(column, _)| cell(*column)).collect()
    }

    /// The rent and everything else that is charged every month.
    fn charges(&self, unit: &Unit) -> Vec<(&'static str, Money)> {
        if !self.maker.has(Column::Amount) || !unit.state.occupied() {
            return Vec::new();
        }
        let code = self.codes[unit.plan % self.codes.len()];
        let mut all = vec![(code, unit.rent)];
        all.extend(unit.charges.iter().copied());
        all
    }

    fn charge(&self, (code, amount): &(&str, Money)) -> Vec<String> {
        self.cells(|column| match column {
            Column::Code => (*code).to_owned(),
            Column::Amount => self.style.money(*amount),
            _ => String::new(),
        })
    }

    fn cell(&self, at: usize, unit: &Unit, column: Column, charge: Option<&(&str, Money)>) -> String {
        let plan = &self.building.plans[unit.plan];
        let money = |amount: Money| self.style.money(amount);
        let leased = |text: String| {
            if unit.state.occupied() {
                text
            } else {
                String::new()
            }
        };
        match column {
            Column::Property => self.building.name.to_owned(),
            Column::Unit => unit.number.clone(),
            Column::Plan => plan.name.to_owned(),
            Column::Beds => format!("{}/{}", plan.beds, plan.baths),
            Column::Area => plan.area.to_string(),
            Column::Resident => leased(format!("t{:07}", 104_211 + at * 37)),
            Column::Tenant if unit.state.occupied() => unit.tenant.clone(),
            Column::Tenant => match unit.state {
                State::Model if self.states.is_none() => "MODEL".to_owned(),
                _ => self.maker.empty.to_owned(),
            },
            Column::Status => self.state(at, unit),
            Column::Market => money(unit.market),
            // A list is dearer than what is paid.
            Column::Listed => money(plan.market + 7_500),
            Column::Rent if self.asking && !unit.state.occupied() => money(unit.market),
            Column::Rent => self.amount(unit.rent, unit.state.occupied()),
            Column::Annual => self.amount(unit.rent * 12, unit.state.occupied()),
            Column::PerArea => leased(money(unit.rent * 12 / plan.area)),
            Column::Other => {
                let other = unit.charges.iter().map(|(_, amount)| amount).sum();
                self.amount(other, unit.state.occupied())
            }
            Column::Billed => {
                let other: Money = unit.charges.iter().map(|(_, amount)| amount).sum();
                self.amount(unit.rent + other, unit.state.occupied())
            }
            Column::Deposit => self.amount(unit.deposit, unit.state.occupied()),
            Column::Balance => self.amount(unit.balance(), unit.state.occupied()),
            Column::MoveIn | Column::Start => leased(self.style.date(unit.start)),
            Column::End => leased(self.style.date(unit.end)),
            Column::MoveOut if unit.state == State::Notice => self.style.date(unit.end),
            Column::MoveOut | Column::Tags => String::new(),
            Column::Late => if unit.state.occupied() { "0" } else { "" }.to_owned(),
            Column::Code => charge.map_or(String::new(), |(code, _)| (*code).to_owned()),
            Column::Amount => charge.map_or(String::new(), |(_, amount)| money(*amount)),
        }
    }

    fn amount(&self, amount: Money, occupied: bool) -> String {
        if occupied || self.maker.zeros {
            self.style.money(amount)
        } else {
            String::new()
        }
    }

    fn state(&self, at: usize, unit: &Unit) -> String {
        if let Some((_, word)) = self.rare.iter().find(|(rare, _)| *rare == at) {
            return (*word).to_owned();
        }
        let words = self.states.as_ref();
        let index = match unit.state {
            State::Let => 0,
            State::Notice => 1,
            State::Vacant => 2,
            State::Reserved => 3,
            State::Model => 4,
            State::Down => 5,
        };
        words.map_or(String::new(), |words| words[index].clone())
    }

    fn totals(&self) -> Vec<Vec<String>> {
        let count = self.building.units.len();
        match self.maker.totals {
            Totals::None => Vec::new(),
            Totals::Word(word) => vec![self.total(word)],
            Totals::Units => vec![self.total(&format!("{count} Units"))],
            Totals::Both => vec![self.total(&format!("{count} Units")), self.total("Total")],
        }
    }

    fn total(&self, word: &str) -> Vec<String> {
        let mut cells = self.cells(|column| {
            let units = || self.building.units.iter();
            let shown: Money = match column {
                Column::Area => {
                    let area: i64 = units().map(|unit| self.building.plans[unit.plan].area).sum();
                    return area.to_string();
                }
                Column::Market => units().map(|unit| unit.market).sum(),
                Column::Listed => units()
                    .map(|unit| self.building.plans[unit.plan].market + 7_500)
                    .sum(),
                Column::Rent if self.asking => {
                    let own = |unit: &Unit| {
                        if unit.state.occupied() {
                            unit.rent
                        } else {
                            unit.market
                        }
                    };
                    units().map(own).sum()
                }
                Column::Rent => self.rent(),
                Column::Annual => self.rent() * 12,
                Column::Other => units()
                    .flat_map(|unit| &unit.charges)
                    .map(|(_, amount)| amount)
                    .sum(),
                Column::Billed | Column::Amount => {
                    let other: Money = units()
                        .flat_map(|unit| &unit.charges)
                        .map(|(_, amount)| amount)
                        .sum();
                    self.rent() + other
                }
                Column::Deposit => units().map(|unit| unit.deposit).sum(),
                Column::Balance => units().map(Unit::balance).sum(),
                _ => return String::new(),
            };
            self.style.money(shown)
        });
        word.clone_into(&mut cells[0]);
        cells
    }

    fn rent(&self) -> Money {
        self.building.units.iter().map(|unit| unit.rent).sum()
    }

    fn questions(&self, mutation: Mutation) -> Vec<Question> {
        let units = &self.building.units;
        let occupied = units.iter().filter(|unit| unit.state.occupied()).count();
        let rentable = units.iter().filter(|unit| unit.state.rentable()).count();
        let has = |wanted: Column| self.columns.iter().any(|(column, _)| *column == wanted);
        let unclear = matches!(mutation, Mutation::StatusAdded | Mutation::StatusRenamed);
        let area = |all: bool| {
            let own = units.iter().filter(|unit| all || unit.state.occupied());
            own.map(|unit| self.building.plans[unit.plan].area).sum::<i64>() as f64
        };
        let mut all = vec![
            Question::count("How many units are there?", units.len()),
            Question {
                open: unclear,
                // Of suites it is usually a share of the area.
                instead: self.maker.firms.then(|| (area(false) / area(true), Scale::Share)),
                ..Question::share("What is the physical occupancy?", occupied, rentable)
            },
            Question {
                open: unclear,
                ..Question::count("How many units are occupied?", occupied)
            },
        ];
        // The codes of charges say what is rent, and a list of prices may be taken for it.
        let open = unclear || has(Column::Amount);
        all.push(Question {
            open,
            ..Question::money("What is the total monthly rent?", self.rent())
        });
        all.push(Question {
            open,
            instead: has(Column::Annual).then(|| (self.rent() as f64 / 100.0 * 12.0, Scale::Amount)),
            ..Question::money("What is the in-place rent?", self.rent())
        });
        if has(Column::Rent) && !self.asking {
            all.push(Question {
                open: unclear,
                ..Question::money("What is the total rent?", self.rent())
            });
        }
        if has(Column::Area) {
            all.push(Question::new(
                "What is the total area?",
                area(true),
                Scale::Amount,
            ));
        }
        if has(Column::Market) {
            let market = units.iter().map(|unit| unit.market).sum();
            all.push(Question::money("What is the total market rent?", market));
        }
        if has(Column::Balance) {
            let balance = units.iter().map(Unit::balance).sum();
            all.push(Question::money("What is the total balance?", balance));
        }
        all
    }
}
