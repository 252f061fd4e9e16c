//! Adds the annual rent to tables that only have it per square foot, and determines the period of rents.
//!
//! Independent of questions.

use crate::dates::Order;
use crate::headers::{self, Field};
use crate::numbers::{Decimal, Number};
use crate::table::{Column, Indexed, Role, Row, Table};

/// The header of the added column.
pub const ADDED: &str = "Rent of a year";

/// Adds the annual rent to each row: its area times its rent per square foot.
#[must_use]
pub fn with_annual(mut table: Table) -> Table {
    let (Some(each), Some(area)) = (table.column(Field::RentPerArea), table.column(Field::Area)) else {
        return table;
    };
    if table.has(Field::Rent) || table.has(Field::AnnualRent) {
        return table;
    }
    let name = headers::normalized(table.header(each));
    let monthly = name.contains("mo") && !name.contains("model");
    let factor = if monthly { 12.0 } else { 1.0 };
    let sums = table.rows.iter().map(|row| {
        let (area, rent) = (table.number(row, area)?, table.number(row, each)?);
        Some(format!("{:.2}", area.written() * rent.written() * factor))
    });
    let sums = sums.collect();
    add_column(&mut table, ADDED.to_owned(), Field::AnnualRent, sums);
    table
}

/// Whether a charge of this code is rent, and not for a pet, parking, storage, insurance or furniture.
pub(crate) fn is_rent_charge(code: &str) -> bool {
    let code = headers::normalized(code);
    ["rent", "rnt", "base"].iter().any(|word| code.contains(word))
        && !["conc", "pet", "park", "garage", "stor", "ins", "furn"]
            .iter()
            .any(|word| code.contains(word))
}

/// Adds the rent to the first row of each unit of a table that has a row for each charge: the sum of its rent charges.
/// The header names their codes.
#[must_use]
pub fn with_charges(mut table: Table) -> Table {
    let (Some(code), Some(amount)) = (table.column(Field::ChargeCode), table.column(Field::Amount)) else {
        return table;
    };
    if [Field::Rent, Field::AnnualRent, Field::RentPerArea]
        .iter()
        .any(|field| table.has(*field))
    {
        return table;
    }
    let indexed = Indexed::new(&table);
    let mut rents: Vec<Option<f64>> = vec![None; table.rows.len()];
    let mut codes: Vec<String> = Vec::new();
    let mut head = None;
    for (at, row) in table
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.role != Role::Total)
    {
        let named = [Field::Unit, Field::Tenant]
            .iter()
            .any(|field| !indexed.text_of(row, *field).is_empty());
        if named || head.is_none() {
            head = Some(at);
        }
        let own = table.text(row, code);
        let Some(number) = table.number(row, amount).filter(|_| is_rent_charge(own)) else {
            continue;
        };
        if !codes.iter().any(|known| known == own) {
            codes.push(own.to_owned());
        }
        if let Some(rent) = head.and_then(|head| rents.get_mut(head)) {
            *rent = Some(rent.unwrap_or(0.0) + number.written());
        }
    }
    if codes.is_empty() {
        return table;
    }
    let cells = rents
        .into_iter()
        .map(|rent| rent.map(|rent| format!("{rent:.2}")));
    add_column(
        &mut table,
        format!("Rent ({})", codes.join(", ")),
        Field::Rent,
        cells.collect(),
    );
    table
}

/// Adds a column behind the others.
fn add_column(table: &mut Table, header: String, field: Field, cells: Vec<Option<String>>) {
    let width = table.columns.len();
    let comma = table.decimal == Decimal::Comma;
    for (row, cell) in table.rows.iter_mut().zip(cells) {
        let cell = cell.unwrap_or_default();
        let cell = if comma { cell.replace('.', ",") } else { cell };
        row.cells.set(width, &cell);
    }
    table.columns.push(Column {
        header,
        field: Some(field),
        month: None,
        order: Order::default(),
        ambiguous: false,
    });
}

/// The column of market rents, and the number of its amounts that make up a month's rent.
pub(crate) struct Market {
    column: Option<usize>,
    months: f64,
}

impl Market {
    /// The monthly market rent of a row.
    pub(crate) fn of(&self, table: &Table, row: &Row) -> Option<f64> {
        Some(table.number(row, self.column?)?.written() / self.months)
    }
}

/// The column of market rents. If its header names no period, it has the period of the contract rents.
pub(crate) fn market(table: &Table) -> Market {
    let says = |at: usize, all: &[&str]| {
        let words = headers::words(table.header(at));
        let joined = headers::normalized(table.header(at));
        words.iter().any(|word| all.contains(&word.as_str()))
            || (all.contains(&"pa")
                && joined.ends_with("pa")
                && words.ends_with(&["p".to_owned(), "a".to_owned()]))
    };
    const YEARLY: &[&str] = &[
        "annual",
        "yearly",
        "yr",
        "year",
        "annum",
        "pa",
        "annualized",
        "annualised",
    ];
    const MONTHLY: &[&str] = &["month", "monthly", "mo", "mth", "pcm", "pm"];
    let like = |at: &usize| {
        says(*at, &["market", "asking", "erv", "mkt"])
            && says(*at, YEARLY)
            && !says(*at, &["psf", "sf", "sqft", "sqm", "%", "date", "value"])
    };
    let column = table
        .column(Field::MarketRent)
        .or_else(|| (0..table.columns.len()).find(like));
    let yearly = column.is_some_and(|at| {
        says(at, YEARLY) || (!says(at, MONTHLY) && !table.has(Field::Rent) && table.has(Field::AnnualRent))
    });
    Market {
        column,
        months: if yearly { 12.0 } else { 1.0 },
    }
}

/// The column of rents, and their basis.
pub(crate) enum Rents {
    Monthly(usize),
    Yearly(usize),
    /// Per square foot, and per year or month.
    PerArea {
        column: usize,
        yearly: bool,
    },
    None,
}

impl Rents {
    pub(crate) fn of(&self, table: &Indexed<'_>, row: &Row) -> Option<f64> {
        let written = |column: usize| table.number(row, column).map(Number::written);
        match self {
            Self::Monthly(column) => written(*column),
            Self::Yearly(column) => written(*column).map(|rent| rent / 12.0),
            Self::PerArea { column, yearly } => {
                let rent = written(*column)? * positive(table, row, Field::Area)?;
                Some(if *yearly { rent / 12.0 } else { rent })
            }
            Self::None => None,
        }
    }
}

/// Above this monthly rent per square foot, a rent without a stated period is doubtful.
const DEAR: f64 = 9.0;
/// Smaller spaces are not measured in square feet.
const SMALLEST: f64 = 200.0;

/// The contract rents, and doubts about them.
pub(crate) struct InPlace {
    pub(crate) rents: Rents,
    /// Whether they are annual rents.
    pub(crate) yearly: bool,
    pub(crate) doubts: Vec<String>,
    pub(crate) remarks: Vec<String>,
}

fn positive(table: &Indexed<'_>, row: &Row, field: Field) -> Option<f64> {
    table
        .number(row, table.column(field)?)
        .map(Number::written)
        .filter(|amount| *amount > 0.0)
}

/// The column of contract rents.
pub(crate) fn in_place(table: &Indexed<'_>) -> InPlace {
    let mut own = InPlace {
        rents: Rents::None,
        yearly: false,
        doubts: Vec::new(),
        remarks: Vec::new(),
    };
    own.rents = rents(table, &mut own);
    own
}

fn rents(table: &Indexed<'_>, tenancy: &mut InPlace) -> Rents {
    let median_per_area = |column: usize| {
        let mut all: Vec<f64> = table
            .data()
            .filter_map(|row| {
                let rent = table.number(row, column)?.written();
                let area = positive(table, row, Field::Area)?;
                (rent > 0.0 && area >= SMALLEST).then_some(rent / area)
            })
            .collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    if let Some(column) = table.column(Field::Rent) {
        let words = headers::words(table.header(column));
        let monthly = words.iter().any(|word| {
            matches!(
                word.as_str(),
                "monthly" | "month" | "mo" | "mth" | "pcm" | "m" | "monatsmiete"
            )
        });
        if !monthly && median_per_area(column).is_some_and(|rent| rent > DEAR) {
            tenancy.doubts.push(format!(
                "Is “{}” the rent of a month or of a year? For a square foot it is high for a month.",
                table.header(column)
            ));
        } else if !monthly {
            tenancy.remarks.push(format!(
                "“{}” is read as the rent of a month.",
                table.header(column)
            ));
        }
        return Rents::Monthly(column);
    }
    if let Some(column) = table.column(Field::AnnualRent) {
        tenancy.yearly = true;
        return Rents::Yearly(column);
    }
    let Some(column) = table.column(Field::RentPerArea) else {
        return Rents::None;
    };
    let words = headers::words(table.header(column));
    let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    let mut values: Vec<f64> = table
        .data()
        .filter_map(|row| table.number(row, column))
        .map(Number::written)
        .filter(|rent| *rent > 0.0)
        .collect();
    values.sort_by(f64::total_cmp);
    let median = values.get(values.len() / 2).copied().unwrap_or(0.0);
    let yearly = if says(&["mo", "month", "monthly"]) {
        false
    } else {
        if !says(&["yr", "year", "annual", "annum", "pa"]) {
            if median <= DEAR {
                tenancy
                    .doubts
                    .push(format!("Is “{}” of a month or of a year?", table.header(column)));
            }
            tenancy.remarks.push(format!(
                "“{}” is read as the rent of a year.",
                table.header(column)
            ));
        }
        true
    };
    tenancy.yearly = yearly;
    Rents::PerArea { column, yearly }
}
