//! Retail leases: percentage rent, breakpoints, occupancy cost.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Base, Per, Shape};
use finance::variable::Variable::*;

#[rustfmt::skip]
const SALES: &[&str] = &["sales", "tenant sales", "gross sales", "annual sales", "sales volume", "turnover", "sales last year", "year's sales", "revenue", "receipts"];

/// Amounts for each square foot: times the area where it is told; a ratio needs none.
fn each_area(words: &Words, sheet: &mut Sheet) {
    let areas: Vec<usize> = sheet
        .left
        .iter()
        .copied()
        .filter(|at| {
            words
                .number(*at)
                .is_some_and(|number| number.shape == Shape::Area)
        })
        .collect();
    let ratio = sheet.wants(OccupancyCost);
    let size = match areas.as_slice() {
        [only] => words.number(*only).map_or(1.0, |number| number.value),
        [] if ratio && !sheet.has(Sales) && !sheet.has(Occupancy) => 1.0,
        _ => return,
    };
    let mut any = false;
    for at in sheet.left.clone() {
        let Some(number) = words.number(at).filter(|number| number.base == Some(Base::Area)) else {
            continue;
        };
        if number.every == Some(Per::Month) {
            return;
        }
        let sold = (1..=3)
            .filter_map(|back| at.checked_sub(back))
            .chain([at + 1])
            .any(|at| SALES.contains(&words.word(at)) || matches!(words.word(at), "does" | "sells" | "sold"));
        let own = if sold {
            Sales
        } else if ratio {
            Occupancy
        } else {
            RetailRent
        };
        let before = sheet.value(own).unwrap_or(0.0);
        if before > 0.0 && own != Occupancy {
            return;
        }
        sheet.put(own, before + number.value * size);
        sheet.take(at);
        any = true;
    }
    if any {
        sheet.left.retain(|at| !areas.contains(at));
    }
}

#[rustfmt::skip]
pub(crate) static PERCENTAGE_RENT: Form = Form {
    name: "percentage_rent",
    is: |words| words.says(&["percentage rent", "breakpoint", "break point", "overage", "overage rent", "natural breakpoint", "turnover rent", "percent rent"]) || (words.says(&["of sales", "of gross sales", "of its sales"]) && words.says(&["base rent", "minimum rent", "above", "over"]) && !words.says(&["occupancy cost", "cost of sales"])),
    goals: &[
        (PercentageRent, &["percentage rent", "overage", "overage rent", "percentage rent due", "percent rent", "turnover rent", "percentage rent owed"]),
        (Breakpoint, &["natural breakpoint", "breakpoint", "break point", "natural break point", "natural break"]),
        (RetailTotal, &["total rent", "rent in total", "total", "altogether", "base plus percentage rent", "in all", "all in rent"]),
    ],
    inputs: &[
        (RetailRent, &["base rent", "minimum rent", "base", "minimum", "annual rent", "rent", "guaranteed rent", "fixed rent", "annual base rent", "min rent", "minimum annual rent", "base annual rent"]),
        (SalesShare, &["percentage rate", "percentage", "rate", "of sales", "of gross sales", "percent of sales", "on sales", "overage rate", "of turnover", "percentage rent rate", "over natural breakpoint", "over the natural breakpoint", "percentage rent", "overage", "of its sales", "of the excess", "breakpoint"]),
        (Sales, SALES),
        (AgreedBreakpoint, &["breakpoint", "break point", "agreed breakpoint", "artificial breakpoint", "agreed", "threshold", "unnatural breakpoint", "stated breakpoint", "fixed breakpoint"]),
    ],
    leads: &[
        (Sales, &["sales of", "sales were", "sales are", "sales hit", "sold", "sells"]),
        (RetailRent, &["pays", "pay", "paying", "rent of", "rent is"]),
        (AgreedBreakpoint, &["above an agreed", "above", "exceeding", "in excess of", "over an agreed", "sales above", "sales over", "breakpoint of", "breakpoint is"]),
    ],
    bare: &[SalesShare],
    sums: &[],
    settle: |words, sheet| {
        let shares = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Percent)).count();
        if shares > 1 {
            sheet.doubt("There is more than one percentage: please ask for each band of sales by itself.");
        }
        each_area(words, sheet);
        if words.says(&["total rent", "rent in total", "all in rent", "base plus percentage rent"]) {
            sheet.goals = vec![RetailTotal];
        }
        // The breakpoint alone needs no sales.
        if !sheet.has(Sales) && !sheet.wants(RetailTotal) && !words.says(&["percentage rent due", "percentage rent owed"]) && sheet.wants(Breakpoint) {
            sheet.goals = vec![Breakpoint];
        }
        if sheet.has(Sales) && sheet.wants(Breakpoint) && sheet.wants(PercentageRent) && !words.says(&["what is the breakpoint", "natural breakpoint and"]) {
            sheet.goals = vec![PercentageRent];
        }
        if sheet.has(AgreedBreakpoint) {
            if !sheet.wants(RetailTotal) {
                sheet.deal.values.remove(&RetailRent);
            }
        } else if !sheet.wants(Breakpoint) {
            sheet.remark("The breakpoint is the natural one.");
        }
    },
};

#[rustfmt::skip]
pub(crate) static OCCUPANCY_COST: Form = Form {
    name: "occupancy_cost",
    is: |words| words.says(&["occupancy cost", "occupancy costs", "occupancy cost ratio", "rent to sales", "rent to sales ratio", "health ratio", "cost of occupancy", "occ cost"]) && (words.says(SALES) || words.has(&["sells", "sold"])),
    goals: &[(OccupancyCost, &["occupancy cost ratio", "occupancy cost", "occupancy costs", "rent to sales ratio", "rent to sales", "health ratio", "cost of occupancy", "occ cost"])],
    inputs: &[
        (Sales, SALES),
        (Occupancy, &["base rent", "rent", "minimum rent", "cam", "taxes", "tax", "insurance", "charges", "service charge", "marketing", "marketing fund", "percentage rent", "other charges", "rates", "business rates", "utilities", "promotion fund", "property taxes", "recoveries", "total rent", "gross rent", "occupancy costs", "real estate taxes"]),
    ],
    leads: &[(Occupancy, &["pays", "pay", "paying"]), (Sales, &["sells", "sold"])],
    bare: &[],
    sums: &[Occupancy],
    settle: |words, sheet| {
        each_area(words, sheet);
        if !sheet.has(Occupancy) {
            sheet.deal.missing.push(Occupancy);
        }
        if !sheet.has(Sales) {
            sheet.deal.missing.push(Sales);
        }
    },
};
