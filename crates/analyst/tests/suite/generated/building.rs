//! An invented building: its units and leases, and what is owed for them. Amounts are cents.

use chrono::{Days, NaiveDate};

use super::random::Random;

/// Cents.
pub type Money = i64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Let,
    /// Let, and the tenant has given notice.
    Notice,
    Vacant,
    /// Vacant, with a lease that begins later.
    Reserved,
    Model,
    Down,
}

impl State {
    pub fn occupied(self) -> bool {
        matches!(self, Self::Let | Self::Notice)
    }

    /// Counts in the denominator of occupancy.
    pub fn rentable(self) -> bool {
        !matches!(self, Self::Model | Self::Down)
    }
}

pub struct Unit {
    pub number: String,
    pub plan: usize,
    pub state: State,
    pub tenant: String,
    pub rent: Money,
    pub market: Money,
    pub deposit: Money,
    pub start: NaiveDate,
    pub end: NaiveDate,
    /// Owed for 0 to 30, 31 to 60, 61 to 90 and more days.
    pub owed: [Money; 4],
    /// Charges next to the rent: their code and amount.
    pub charges: Vec<(&'static str, Money)>,
}

impl Unit {
    pub fn balance(&self) -> Money {
        self.owed.iter().sum()
    }
}

pub struct Plan {
    pub name: &'static str,
    pub beds: i64,
    pub baths: &'static str,
    pub area: i64,
    pub market: Money,
}

pub struct Building {
    pub name: &'static str,
    pub as_of: NaiveDate,
    pub plans: Vec<Plan>,
    pub units: Vec<Unit>,
}

const NAMES: [&str; 10] = [
    "Lantern Court",
    "Quarry Lofts",
    "Alder Row",
    "Harbour Steps",
    "Tanner Yard",
    "Orchard Flats",
    "Mill Race",
    "Cedar Point",
    "Saddler House",
    "Kestrel Park",
];
const FIRST: [&str; 16] = [
    "Ana", "Ben", "Dia", "Eli", "Fay", "Gus", "Ida", "Jon", "Kay", "Lea", "Max", "Nia", "Oto", "Pia", "Ray",
    "Zoe",
];
const LAST: [&str; 16] = [
    "Abel", "Bell", "Cole", "Dunn", "Eng", "Frost", "Grey", "Hale", "Ives", "Jarvis", "Kerr", "Lund", "Moss",
    "North", "Orr", "Poe",
];
const FIRMS: [&str; 14] = [
    "Alder Coffee LLC",
    "Birch Dental PC",
    "Corner Cafe",
    "Delta Design Inc.",
    "Elm Books",
    "Fir Physio",
    "Gable Gym",
    "Hill Flowers",
    "Iris Optics",
    "Juniper Law LLP",
    "Kite Toys",
    "Linden Bakery",
    "Maple Tailors",
    "Nettle Tea Co.",
];
const CHARGES: [(&str, i64); 6] = [
    ("petrent", 35),
    ("parking", 60),
    ("trash", 15),
    ("water", 42),
    ("storage", 25),
    ("conc", -50),
];

/// What a list may tell of its units.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub firms: bool,
    /// Model, down and reserved units, which only a column of states can tell.
    pub states: bool,
}

pub fn building(random: &mut Random, wanted: Wanted) -> Building {
    let as_of = NaiveDate::from_ymd_opt(2026, 10, 31).unwrap();
    let plans = plans(random);
    let count = random.below(9) + 6;
    let cents = random.chance(40);
    let mut states = vec![State::Let; count];
    states[1] = State::Vacant;
    for state in states.iter_mut().skip(4) {
        *state = match random.below(10) {
            0 => State::Notice,
            1 | 2 => State::Vacant,
            _ => State::Let,
        };
    }
    if wanted.states && random.chance(40) {
        let last = states.len() - 1;
        states[last] = random.one(&[State::Model, State::Down, State::Reserved]);
    }
    random.shuffle(&mut states);
    let names = tenants(random, wanted.firms, count);
    let floors = random.chance(50);
    let units = states
        .into_iter()
        .zip(names)
        .enumerate()
        .map(|(at, (state, name))| {
            let plan = random.below(plans.len());
            let number = if floors {
                format!("{}{:02}", at / 4 + 1, at % 4 + 1)
            } else {
                format!("{}", 101 + at)
            };
            unit(
                random,
                state,
                (number, plan, name),
                plans[plan].market,
                (as_of, cents),
            )
        })
        .collect();
    Building {
        name: random.pick(&NAMES),
        as_of,
        plans,
        units,
    }
}

fn plans(random: &mut Random) -> Vec<Plan> {
    let base = random.between(80, 130) * 1000;
    let all = [
        ("S1", 0, "1.00", 45),
        ("A1", 1, "1.00", 64),
        ("A2", 1, "1.00", 71),
        ("B1", 2, "2.00", 96),
    ];
    let from = random.below(2);
    all[from..from + 3]
        .iter()
        .map(|(name, beds, baths, size)| Plan {
            name,
            beds: *beds,
            baths,
            area: size * 10 + random.between(0, 9),
            market: base + size * 1000 + random.between(0, 9) * 500,
        })
        .collect()
}

fn tenants(random: &mut Random, firms: bool, count: usize) -> Vec<String> {
    let mut firsts = FIRST;
    let mut lasts = LAST;
    let mut all = FIRMS;
    random.shuffle(&mut firsts);
    random.shuffle(&mut lasts);
    random.shuffle(&mut all);
    let backwards = random.chance(40);
    (0..count)
        .map(|at| match (firms, backwards) {
            (true, _) => all[at].to_owned(),
            (false, true) => format!("{}, {}", lasts[at], firsts[at]),
            (false, false) => format!("{} {}", firsts[at], lasts[at]),
        })
        .collect()
}

fn unit(
    random: &mut Random,
    state: State,
    (number, plan, name): (String, usize, String),
    market: Money,
    (as_of, cents): (NaiveDate, bool),
) -> Unit {
    let occupied = state.occupied();
    let rent = market + random.between(-12, 4) * 500 + if cents { random.between(1, 99) } else { 0 };
    let mut owed = [0; 4];
    if occupied && random.chance(35) {
        owed[0] = random.between(40, 1500) * 100 + if cents { random.between(0, 99) } else { 0 };
        if random.chance(50) {
            owed[1] = random.between(20, 900) * 100;
        }
        if random.chance(30) {
            owed[3] = random.between(20, 700) * 100;
        }
    }
    let charges = CHARGES.iter().filter(|_| occupied && random.chance(25)).copied();
    let charges = charges.map(|(code, amount)| (code, amount * 100)).collect();
    Unit {
        number,
        plan,
        state,
        tenant: if occupied { name } else { String::new() },
        rent: if occupied { rent } else { 0 },
        market,
        deposit: if occupied {
            random.between(0, 3) * 25_000
        } else {
            0
        },
        start: as_of - Days::new(u64::try_from(random.between(40, 600)).unwrap()),
        end: as_of + Days::new(u64::try_from(random.between(20, 500)).unwrap()),
        owed,
        charges,
    }
}
