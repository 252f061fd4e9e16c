//! Depreciation of buildings.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::lists::around::{before, behind};
use crate::read::terms;
use crate::words::scan::{Shape, Token};
use finance::tax::Use;
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static DEPRECIATION: Form = Form {
    name: "depreciation",
    is: |words| {
        let plain = words.says(&["straight line"]) && words.says(&["land", "building basis", "depreciable"]) && !words.has(&["rent", "rents", "ti", "effective"]);
        let left = words.says(&["adjusted basis", "remaining basis", "tax basis"]) && words.says(&["in service", "placed in service"]);
        plain || left || words.says(&["first year", "mid month"]) && words.says(&["in service"]) || words.has(&["depreciation", "depreciate", "depreciated", "depreciable", "depreciating"]) && !words.has(&["noi", "recapture", "bonus", "segregation", "egi", "opex", "operating"])
    },
    goals: &[
        (Depreciation, &["depreciation", "depreciate", "annual depreciation", "depreciation deduction", "depreciation expense", "deduction", "straight line depreciation"]),
        (DepreciableBasis, &["depreciable basis"]),
    ],
    inputs: &[
        (DepreciableBasis, &["depreciable basis", "building basis", "of building basis", "basis", "building value", "improvements", "improvement value", "building", "structure", "depreciable", "basis excl land", "basis excluding land", "building excl land", "building excluding land", "excl land", "excluding land", "ex land", "net of land", "without land", "exclusive of land", "land excluded", "land not included", "not including land", "is building", "allocated to the building", "to the building", "to building", "to improvements"]),
        (BuildingShare, &["building", "improvements", "structure", "allocated to the building", "is building", "to the building", "to building"]),
        (Price, &["price", "purchase price", "cost", "total cost", "acquisition cost", "purchase", "cost basis"]),
        (LandShare, &["of it is dirt", "is dirt", "dirt", "of it is land", "land", "land value", "land allocation", "is land", "to land", "allocated to land", "for land", "the land", "attributable to land", "goes to land"]),
        (LandCost, &["land", "land value", "land allocation", "is land", "to land", "allocated to land", "for land", "the land", "attributable to land", "goes to land", "land worth"]),
        (RecoveryYears, &["recovery", "recovery period", "life", "useful life", "straight line"]),
        (TaxYear, &["year", "tax year"]),
    ],
    leads: &[
        (Price, &["bought for", "bought", "purchased for", "buy for", "paid", "acquired for", "costing", "cost", "for", "purchase for", "bought at", "worth", "we paid", "buying for", "building for"]),
        (RecoveryYears, &["over"]),
    ],
    bare: &[TaxYear, Price],
    sums: &[],
    settle: settle_depreciation,
};

fn settle_depreciation(words: &Words, sheet: &mut Sheet) {
    if words.has(&["accelerated", "component"]) {
        sheet.doubt("I work out straight-line depreciation only.");
    }
    // "Office building: 2.5m price": the word right behind the amount names it.
    let either = [DepreciableBasis.label(), Price.label()];
    let named = words.numbers().find(|at| {
        matches!(words.word(at + 1), "price" | "purchase" | "cost")
            && sheet.deal.doubts.iter().any(|doubt| {
                doubt.contains(&format!("“{}”", words.said(*at)))
                    && either.iter().all(|label| doubt.contains(label))
            })
    });
    if let Some(number) = named.and_then(|at| words.number(at)) {
        sheet
            .deal
            .doubts
            .retain(|doubt| !either.iter().all(|label| doubt.contains(label)));
        sheet.put(Price, number.value);
    }
    let whole = words.says(&[
        "land included",
        "including land",
        "including the land",
        "incl land",
        "inclusive of land",
        "land and building",
        "with land",
    ]);
    if whole
        && ![LandShare, LandCost, BuildingShare]
            .iter()
            .any(|own| sheet.has(*own))
    {
        sheet.deal.missing.push(LandShare);
    }
    // "Apartment building, 4m incl. land at 25%": the amount is the whole, of which the land goes off.
    let within = (0..words.tokens.len()).any(|at| {
        matches!(
            words.word(at),
            "incl" | "including" | "inclusive" | "includes" | "with" | "which"
        ) && (at + 1..at + 5)
            .take_while(|at| !words.mark(*at, ',') && !words.mark(*at, '.'))
            .any(|at| words.word(at) == "land")
    });
    if within && !words.has(&["basis", "depreciable"]) && (sheet.has(LandShare) || sheet.has(LandCost)) {
        sheet.rename(DepreciableBasis, Price);
    }
    capitalized(words, sheet);
    // "A 24-unit apartment building": what was bought.
    for at in sheet.left.clone() {
        if words
            .number(at)
            .is_some_and(|number| number.shape == Shape::Units && number.base.is_none())
        {
            sheet.take(at);
        }
    }
    // "Straight-line, 39 years, mid-month": a life of the law needs no name.
    for at in sheet.left.clone() {
        let Some(number) = words.number(at).filter(|number| number.shape == Shape::Years) else {
            continue;
        };
        if [27.5, 30.0, 31.5, 39.0, 40.0].contains(&number.value) && !sheet.has(RecoveryYears) {
            sheet.put(RecoveryYears, number.value);
            sheet.take(at);
        }
    }
    let span = span(words, sheet);
    calendar_year(words, sheet);
    if let Some(used) = kind(words) {
        match used {
            Ok(used) => {
                let years = used.years();
                if sheet
                    .value(RecoveryYears)
                    .is_some_and(|own| (own - years).abs() > 1e-9)
                {
                    sheet.remark("The recovery period is the one you gave.");
                }
                sheet.assume(
                    RecoveryYears,
                    years,
                    if used == Use::Residential {
                        "Residential rental property: 27.5 years."
                    } else {
                        "Nonresidential real property: 39 years."
                    },
                );
            }
            Err(()) if !sheet.has(RecoveryYears) => {
                sheet.doubt("Is it residential rental property (27.5 years) or nonresidential (39 years)?");
            }
            Err(()) => {}
        }
    }
    if sheet.goals == [DepreciableBasis] {
        return;
    }
    let month = month(words);
    if let Some(years) = span {
        return spanned(words, sheet, month, years);
    }
    let first = words.says(&[
        "first year",
        "year one",
        "first calendar year",
        "year of purchase",
        "initial year",
        "this year",
    ]) || sheet.value(TaxYear) == Some(1.0)
        || words.has(&["midmonth"])
        || words.says(&["mid month", "year 1"]);
    let full = words.says(&[
        "full year",
        "annual",
        "per year",
        "each year",
        "a year",
        "yearly",
        "every year",
    ]) && !first;
    if let Some(month) = month {
        sheet.put(ServiceMonth, month);
    }
    if let Some(year) = words.ordinal_year() {
        sheet.put(TaxYear, year);
    }
    let later = sheet.value(TaxYear).is_some_and(|year| year > 1.0);
    if first || (month.is_some() && !full) || later && month.is_some() {
        sheet.assume(TaxYear, 1.0, "That is the first tax year.");
        sheet.goals = vec![YearDepreciation];
        sheet.names.push((YearDepreciation, Depreciation.word()));
    } else {
        // Any full year of the middle is alike.
        sheet.deal.values.remove(&TaxYear);
        sheet.goals = vec![Depreciation];
    }
}

/// "415,000 plus 6,200 of closing costs that go into basis": what is added to the price and said to be part of the basis.
fn capitalized(words: &Words, sheet: &mut Sheet) {
    let Some(price) = sheet.value(Price).filter(|_| !sheet.has(DepreciableBasis)) else {
        return;
    };
    let costs: Vec<usize> = sheet
        .left
        .iter()
        .copied()
        .filter(|at| {
            let amount = words.number(*at).is_some_and(|number| {
                matches!(number.shape, Shape::Money | Shape::Plain)
                    && number.value < price
                    && number.value >= 100.0
            });
            let near: Vec<&str> = behind(words, *at, 6)
                .into_iter()
                .chain(before(words, *at, 4))
                .collect();
            amount
                && near.iter().any(|word| {
                    matches!(
                        *word,
                        "closing" | "acquisition" | "legal" | "title" | "transfer" | "settlement"
                    )
                })
                && near
                    .iter()
                    .any(|word| matches!(*word, "cost" | "costs" | "fee" | "fees" | "tax" | "taxes"))
        })
        .collect();
    let [at] = costs.as_slice() else { return };
    let into = words.says(&[
        "go into basis",
        "goes into basis",
        "go into the basis",
        "go in the basis",
        "goes into the basis",
        "added to basis",
        "added to the basis",
        "add to basis",
        "add to the basis",
        "included in basis",
        "included in the basis",
        "part of the basis",
        "part of basis",
        "capitalized",
        "capitalised",
        "that get capitalized",
    ]);
    let out = words.says(&[
        "not capitalized",
        "not added",
        "not part",
        "not included",
        "expensed",
    ]);
    let Some(number) = words.number(*at).filter(|_| into && !out) else {
        return;
    };
    if sheet.has(LandCost) {
        sheet.doubt("Do the costs belong to the building alone, or are they shared with the land?");
        return;
    }
    sheet.put(Price, price + number.value);
    sheet.take(*at);
    sheet.remark("The costs that go into the basis are added to the price, land and building alike.");
}

/// How many years are to be summed: "over the first three years", "accumulated after 5 years", "from January
/// 2021 through December 2025". A span is no recovery period.
fn span(words: &Words, sheet: &mut Sheet) -> Option<f64> {
    let total = words.says(&[
        "accumulated",
        "cumulative",
        "in total",
        "total depreciation",
        "adjusted basis",
    ]);
    if let Some(years) = through_year(words, total) {
        sheet.deal.values.remove(&TaxYear);
        return Some(years);
    }
    let years = words.numbers().find_map(|at| {
        let number = words.number(at)?;
        let first = (1..=2).any(|back| {
            at.checked_sub(back)
                .is_some_and(|at| matches!(words.word(at), "first" | "initial"))
        });
        let held = total
            && (1..=2).any(|back| {
                at.checked_sub(back)
                    .is_some_and(|at| matches!(words.word(at), "after" | "over" | "for" | "through"))
            });
        // "over 10 full years".
        let whole = number.shape == Shape::Plain
            && number.short
            && matches!(
                words.word(at + 1),
                "full" | "whole" | "complete" | "calendar" | "tax"
            )
            && words.word(at + 2) == "years";
        ((number.shape == Shape::Years || whole) && number.value < 27.0 && (first || held))
            .then_some((at, number.value))
    });
    if years.is_none()
        && words.says(&["adjusted basis", "remaining basis"])
        && words.says(&["first year", "year one", "year 1"])
    {
        return Some(1.0);
    }
    if let Some((at, years)) = years {
        if sheet.value(RecoveryYears) == Some(years) {
            sheet.deal.values.remove(&RecoveryYears);
        }
        sheet.take(at);
        return Some(years);
    }
    let dates: Vec<f64> = words
        .tokens
        .iter()
        .filter_map(Token::number)
        .filter(|number| number.shape == Shape::Calendar)
        .map(|number| number.value)
        .collect();
    match dates.as_slice() {
        [from, to]
            if total
                && to >= from
                && words.says(&["through december", "end of", "to december", "until december"]) =>
        {
            Some(to - from + 1.0)
        }
        _ if words.has(&["accumulated", "cumulative"]) => {
            sheet.doubt("Over how many tax years should the depreciation be summed?");
            None
        }
        _ => None,
    }
}

/// "By the end of the second calendar year", "through year 5": all tax years up to that one.
fn through_year(words: &Words, total: bool) -> Option<f64> {
    (0..words.tokens.len()).find_map(|at| {
        let label = words
            .number(at)
            .filter(|number| number.shape == Shape::YearLabel)
            .map(|number| number.value);
        let rank = || {
            let noun = (1..=3)
                .take_while(|ahead| !words.word(at + ahead).is_empty())
                .any(|ahead| matches!(words.word(at + ahead), "year" | "yr"));
            terms::rank(words.word(at)).filter(|_| noun)
        };
        let year = label.or_else(rank)?;
        let near: Vec<&str> = before(words, at, 7)
            .into_iter()
            .skip_while(|word| matches!(*word, "the" | "tax" | "calendar" | "our" | "its" | "my" | "year"))
            .collect();
        let leads = |phrase: &[&str]| near.starts_with(phrase);
        // Named from the back: "by the end of", "as of the close of".
        let until = leads(&["through"])
            || leads(&["thru"])
            || leads(&["including"])
            || [&["of", "end"][..], &["of", "the", "end"], &["of", "close"]]
                .iter()
                .any(|end| {
                    leads(end)
                        && near
                            .iter()
                            .skip(end.len())
                            .find(|word| **word != "the")
                            .is_some_and(|word| {
                                matches!(*word, "by" | "through" | "until" | "till" | "to")
                                    || total && matches!(*word, "at" | "after" | "of")
                            })
                })
            || total && (leads(&["after"]) || leads(&["by"]) || leads(&["until"]) || leads(&["of", "end"]));
        (until && year >= 1.0 && year.fract() == 0.0).then_some(year)
    })
}

/// "in service June 2024, depreciation for 2025": which tax year that is.
fn calendar_year(words: &Words, sheet: &mut Sheet) {
    let start = words
        .tokens
        .iter()
        .filter_map(Token::number)
        .find(|number| number.shape == Shape::Calendar)
        .map(|number| number.value);
    let asked: Vec<(usize, f64)> = sheet
        .left
        .iter()
        .filter_map(|at| words.number(*at).map(|number| (*at, number)))
        .filter(|(_, number)| {
            number.shape == Shape::Plain && number.short && (1990.0..=2100.0).contains(&number.value)
        })
        .map(|(at, number)| (at, number.value))
        .collect();
    if let (Some(start), [(at, year)]) = (start, asked.as_slice())
        && *year >= start
    {
        sheet.put(TaxYear, year - start + 1.0);
        sheet.take(*at);
    }
}

/// The sum over years, from the month of service on.
fn spanned(words: &Words, sheet: &mut Sheet, month: Option<f64>, years: f64) {
    sheet.deal.values.remove(&TaxYear);
    sheet.put(TaxYears, years);
    match month {
        Some(month) => sheet.put(ServiceMonth, month),
        None => sheet.deal.missing.push(ServiceMonth),
    }
    sheet.goals = vec![AccumulatedDepreciation];
    if words.says(&["adjusted basis", "remaining basis"]) {
        sheet.goals = vec![RemainingBasis];
    }
}

/// Residential or not; an error where both are named.
fn kind(words: &Words) -> Option<Result<Use, ()>> {
    // A family office owns; it is no building.
    let office = words.has(&["office"]) && !words.says(&["family office", "our office"]);
    let commercial = office
        || words.has(&[
            "offices",
            "retail",
            "warehouse",
            "industrial",
            "commercial",
            "nonresidential",
            "shopping",
            "strip",
            "mall",
            "hotel",
            "store",
            "medical",
            "storage",
            "restaurant",
            "factory",
            "flex",
            "logistics",
            "plaza",
            "hospitality",
        ])
        || words.says(&["non residential"]);
    let homes = words.has(&[
        "apartment",
        "apartments",
        "multifamily",
        "duplex",
        "triplex",
        "fourplex",
        "sixplex",
        "eightplex",
        "quadplex",
        "house",
        "home",
        "townhome",
        "townhouse",
        "sfr",
        "condominium",
        "homes",
        "houses",
        "cottage",
        "flats",
        "flat",
        "terrace",
        "bungalow",
        "dwelling",
        "dwellings",
        "condos",
        "townhouses",
    ]) || words.says(&["single family", "rental house"])
        || (words.has(&["residential"]) && !words.says(&["non residential"]))
        || (words.has(&["condo"]) && !commercial);
    match (homes, commercial) {
        (true, true) => Some(Err(())),
        (true, false) => Some(Ok(Use::Residential)),
        (false, true) => Some(Ok(Use::Nonresidential)),
        (false, false) => None,
    }
}

/// The month of the year that is named.
fn month(words: &Words) -> Option<f64> {
    (0..words.tokens.len()).find_map(|at| {
        let word = words.word(at);
        let found = terms::month(word)?;
        let before = at.checked_sub(1).map_or("", |at| words.word(at));
        let verb = matches!(word, "may" | "march")
            && !matches!(
                before,
                "in" | "during" | "since" | "of" | "late" | "early" | "mid" | "this" | "service"
            );
        (!verb).then_some(found as f64 + 1.0)
    })
}
