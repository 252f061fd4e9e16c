//! Answers about loans: debt by maturity, and loans with their terms.

use std::collections::BTreeMap;

use chrono::Datelike as _;
use serde_json::{Map, Value, json};

use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::ask::What;
use crate::portfolio::lexicon::{Topic, Turn};
use crate::portfolio::lists::only;
use crate::portfolio::moments::window;
use crate::portfolio::plan::{LOAN_FACTS, Plan};
use crate::portfolio::rosters::building;
use crate::portfolio::say::{Label, Saying};
use crate::portfolio::scopes::Scope;
use crate::portfolio::shown::{self, Table};
use crate::portfolio::times::When;
use finance::portfolio::calendar::{Month, day_words};
use finance::portfolio::query::{Loan, Time};

type Failed = Option<String>;

/// Loans on the day the data stands at, or at another one.
async fn loans_at(
    plan: &Plan,
    scope: &Scope,
    view: &mut dyn Portfolio,
) -> Result<(Vec<Loan>, chrono::NaiveDate)> {
    let day = match plan.times.first() {
        Some(When::Day(day)) if *day <= plan.coverage.as_of => *day,
        Some(When::End(month)) if month.last_day() <= plan.coverage.as_of => month.last_day(),
        // A period is seen from its end, unless it says which loans mature.
        Some(When::Span(span))
            if span.to.last_day() <= plan.coverage.as_of
                && !matches!(&plan.what, What::Loans(asked) if asked.contains(&Topic::Mature)) =>
        {
            span.to.last_day()
        }
        _ => plan.coverage.as_of,
    };
    let of = scope.of_group.as_ref().or(scope.buildings.as_ref());
    let mut loans = view.loans(of, day).await?;
    if plan.turns.contains(&Turn::Senior) {
        loans.retain(|loan| loan.kind == "senior");
    }
    if let Some(fixed) = plan.only.fixed {
        loans.retain(|loan| {
            loan.rate_kind
                .as_deref()
                .is_some_and(|kind| (kind == "fixed") == fixed)
        });
    }
    if let Some(lender) = &plan.only.lender {
        loans.retain(|loan| loan.lender == *lender);
    }
    if let Some(kind) = &plan.only.loan_kind {
        loans.retain(|loan| loan.kind == *kind);
    }
    if !plan.loans.is_empty() {
        loans.retain(|loan| plan.loans.contains(&loan.id));
    }
    if plan.only.interest_only {
        loans.retain(|loan| day < loan.amortizes);
    }
    Ok((loans, day))
}

pub(super) async fn maturities(plan: &Plan, view: &mut dyn Portfolio, saying: &mut Saying) -> Result<Failed> {
    let scope = match only(plan) {
        Ok(scope) => scope,
        Err(why) => return Ok(Some(why)),
    };
    let last = Month::of(plan.coverage.as_of);
    let (loans, day) = loans_at(plan, scope, view).await?;
    if loans.is_empty() {
        return Ok(Some(format!("There is no debt on {}.", scope.label)));
    }
    let time = Some(Time::Day(day));
    let mut sums: BTreeMap<(String, i32), f64> = BTreeMap::new();
    let wanted = plan.times.iter().find_map(|when| window(*when, last));
    let total: f64 = loans.iter().map(|loan| loan.balance).sum();
    let inside: Vec<&Loan> = loans
        .iter()
        .filter(|loan| wanted.is_none_or(|window| window.from <= loan.matures && loan.matures <= window.to))
        .collect();
    for loan in &inside {
        *sums
            .entry((loan.currency.clone(), loan.matures.year()))
            .or_default() += loan.balance;
    }
    let cents = |value: f64| (value * 100.0).round() / 100.0;
    let definition = "Balance by the calendar year of maturity.".to_owned();
    let many = loans
        .iter()
        .any(|loan| Some(&loan.currency) != loans.first().map(|first| &first.currency));
    let currency = loans.first().map_or(String::new(), |loan| loan.currency.clone());
    if let (Some(window), false) = (wanted, many) {
        let sum = cents(inside.iter().map(|loan| loan.balance).sum());
        let head = |name: &str| Label {
            name: name.to_owned(),
            definition: "Balance of the loans that mature in the window.".to_owned(),
            time,
            subject: None,
        };
        // "Before July 2027" begins at no time.
        let from = if window.from.year() > 1900 {
            format!("from {} to", day_words(window.from))
        } else {
            "up to".to_owned()
        };
        saying.sentence(format!(
            "Debt of {} that matures {from} {}: {} ({} of {} outstanding).",
            scope.label,
            day_words(window.to),
            shown::money(sum, &currency),
            shown::value(if total == 0.0 { 0.0 } else { sum / total }, "percent"),
            shown::money(cents(total), &currency)
        ));
        if plan.turns.contains(&Turn::Share) && total > 0.0 {
            saying.value(head("debt_maturing_pct"), json!(sum / total), "percent");
        }
        saying.value(head("debt_maturing"), json!(sum), &currency);
    } else {
        let mut values = Map::new();
        let mut table = Table::new(&["Year of maturity", "Balance"]);
        for ((currency, year), sum) in &sums {
            let key = if many {
                format!("{year} {currency}")
            } else {
                year.to_string()
            };
            values.insert(key.clone(), json!(cents(*sum)));
            table.rows.push(vec![key, shown::money(cents(*sum), currency)]);
        }
        saying.sentence(format!(
            "Debt of {} by year of maturity, balances as of {}.",
            scope.label,
            day_words(day)
        ));
        let head = Label {
            name: "debt_maturing".to_owned(),
            definition: definition.clone(),
            time,
            subject: None,
        };
        saying.value(
            head,
            Value::Object(values),
            if many { "table" } else { &currency },
        );
        for ((currency, year), sum) in &sums {
            let one = Label {
                name: "debt_maturing".to_owned(),
                definition: definition.clone(),
                time,
                subject: Some(year.to_string()),
            };
            saying.value(one, json!(cents(*sum)), currency);
        }
        saying.table("debt_maturing", table);
    }
    let mut table = Table::new(&["Loan", "Property", "Matures", "Balance"]);
    for loan in inside {
        table.rows.push(vec![
            format!("{} ({})", loan.lender, loan.kind),
            building(plan, &loan.building_id).to_owned(),
            day_words(loan.matures),
            shown::money(loan.balance, &loan.currency),
        ]);
    }
    if !table.rows.is_empty() {
        saying.table("loans_maturing", table);
    }
    Ok(None)
}

pub(super) async fn loans(
    plan: &Plan,
    asked: &[Topic],
    view: &mut dyn Portfolio,
    saying: &mut Saying,
) -> Result<Failed> {
    let scope = match only(plan) {
        Ok(scope) => scope,
        Err(why) => return Ok(Some(why)),
    };
    let (mut loans, day) = loans_at(plan, scope, view).await?;
    let last = Month::of(plan.coverage.as_of);
    // "Which loans mature in 2027?"
    if asked.contains(&Topic::Mature)
        && let Some(window) = plan.times.iter().find_map(|when| window(*when, last))
    {
        loans.retain(|loan| window.from <= loan.matures && loan.matures <= window.to);
    }
    if loans.is_empty() {
        return Ok(Some(format!("There is no such loan on {}.", scope.label)));
    }
    for bound in &plan.bounds {
        let beyond = |value: f64| bound.holds(value, bound.value);
        match (bound.percent, bound.value >= 1000.0) {
            (true, _) => loans.retain(|loan| beyond(loan.rate)),
            (false, true) => loans.retain(|loan| beyond(loan.balance)),
            _ => {
                return Ok(Some(
                    "A bound for loans is one of their rate or of their balance.".to_owned(),
                ));
            }
        }
    }
    if loans.is_empty() {
        return Ok(Some(format!("There is no such loan on {}.", scope.label)));
    }
    ordered(plan, asked, day, &mut loans);
    kept(plan, &loans, saying);
    let mut wanted: Vec<Topic> = LOAN_FACTS
        .into_iter()
        .filter(|fact| asked.contains(fact) || asked.iter().all(|topic| !LOAN_FACTS.contains(topic)))
        .collect();
    // The balance first, then in the order in which they were asked for.
    wanted.sort_by_key(|fact| {
        let asked = asked
            .iter()
            .position(|topic| topic == fact)
            .map_or(usize::MAX, |at| at + 1);
        if *fact == Topic::Owe { 0 } else { asked }
    });
    let time = Some(Time::Day(day));
    let several = loans.len() > 1;
    let one_currency = loans
        .iter()
        .all(|loan| Some(&loan.currency) == loans.first().map(|first| &first.currency));
    let window = plan.times.iter().find_map(|when| window(*when, last));
    let matures = asked.contains(&Topic::Mature) && window.is_some();
    if plan.turns.contains(&Turn::Count) {
        saying.sentence(format!(
            "{} {} on {}{}.",
            loans.len(),
            if several { "loans" } else { "loan" },
            scope.label,
            if matures { " in that window" } else { "" }
        ));
        let head = Label {
            name: "loans".to_owned(),
            definition: "Number of these loans.".to_owned(),
            time,
            subject: None,
        };
        saying.value(head, json!(loans.len()), "count");
    }
    // What is owed on all of them comes first.
    if several && wanted.contains(&Topic::Owe) && one_currency {
        let total = (loans.iter().map(|loan| loan.balance).sum::<f64>() * 100.0).round() / 100.0;
        let currency = loans.first().map_or(String::new(), |loan| loan.currency.clone());
        saying.sentence(format!(
            "Owed on {} as of {}: {} in {} loans.",
            scope.label,
            day_words(day),
            shown::money(total, &currency),
            loans.len()
        ));
        let head = Label {
            name: if matures { "debt_maturing" } else { "loan_balance" }.to_owned(),
            definition: "Balance of all these loans.".to_owned(),
            time,
            subject: None,
        };
        saying.value(head, json!(total), &currency);
    }
    // "… and how much is it in total?": the sum stands with the list, whatever else is told of each.
    let together = several && !wanted.contains(&Topic::Owe) && one_currency;
    for fact in &wanted {
        for loan in &loans {
            let subject = several.then(|| format!("{} ({})", loan.lender, loan.kind));
            say_fact(*fact, loan, subject, day, saying);
        }
    }
    if several {
        let mut table = Table::new(&[
            "Loan",
            "Property",
            "Balance",
            "Rate",
            "Matures",
            "Minimum DSCR",
            "Maximum LTV",
        ]);
        for loan in &loans {
            let shown =
                |value: Option<f64>, unit| value.map_or("–".to_owned(), |value| shown::value(value, unit));
            table.rows.push(vec![
                format!("{} ({})", loan.lender, loan.kind),
                building(plan, &loan.building_id).to_owned(),
                shown::money(loan.balance, &loan.currency),
                shown::value(loan.rate, "percent"),
                day_words(loan.matures),
                shown(loan.min_dscr, "ratio"),
                shown(loan.max_ltv, "percent"),
            ]);
        }
        saying.table("loans", table);
    }
    if !several || wanted.len() == 1 {
        sentence(plan, &wanted, &loans, day, saying);
    } else if !wanted.contains(&Topic::Owe) {
        saying.sentence(format!("The loans on {} as of {}:", scope.label, day_words(day)));
    }
    if together {
        let total = (loans.iter().map(|loan| loan.balance).sum::<f64>() * 100.0).round() / 100.0;
        let currency = loans.first().map_or(String::new(), |loan| loan.currency.clone());
        saying.sentence(format!(
            "Together {} is owed on these {} loans as of {}.",
            shown::money(total, &currency),
            loans.len(),
            day_words(day)
        ));
        let head = Label {
            name: if matures { "debt_maturing" } else { "loan_balance" }.to_owned(),
            definition: "Balance of all these loans.".to_owned(),
            time,
            subject: None,
        };
        saying.value(head, json!(total), &currency);
    }
    Ok(None)
}

/// Keeps the loans for what is asked of them next, and their buildings.
fn kept(plan: &Plan, loans: &[Loan], saying: &mut Saying) {
    for loan in loans {
        saying.loans.push(loan.id.clone());
        let own = (
            loan.building_id.clone(),
            building(plan, &loan.building_id).to_owned(),
        );
        if !saying.listed.contains(&own) {
            saying.listed.push(own);
        }
    }
}

/// "The next to mature", "the largest": those alone, in that order.
fn ordered(plan: &Plan, asked: &[Topic], day: chrono::NaiveDate, loans: &mut Vec<Loan>) {
    let count = plan.rank.and_then(|rank| rank.count).unwrap_or(1);
    if plan.turns.contains(&Turn::Next) {
        loans.retain(|loan| loan.matures >= day);
        loans.sort_by_key(|loan| loan.matures);
        loans.truncate(count);
        return;
    }
    let Some(rank) = plan.rank else { return };
    loans.sort_by(|a, b| {
        let order = if asked.contains(&Topic::Rate) {
            a.rate.total_cmp(&b.rate)
        } else if asked.contains(&Topic::Mature) {
            a.matures.cmp(&b.matures)
        } else {
            a.balance.total_cmp(&b.balance)
        };
        if rank.most { order.reverse() } else { order }
    });
    loans.truncate(count);
}

fn say_fact(fact: Topic, loan: &Loan, subject: Option<String>, day: chrono::NaiveDate, saying: &mut Saying) {
    let label = |name: &str, definition: &str| Label {
        name: name.to_owned(),
        definition: definition.to_owned(),
        time: Some(Time::Day(day)),
        subject: subject.clone(),
    };
    match fact {
        Topic::Owe => saying.value(
            label("loan_balance", "Balance of the loan."),
            json!(loan.balance),
            &loan.currency,
        ),
        Topic::Mature => saying.value(
            label("maturity_date", "The day the loan matures."),
            json!(loan.matures.to_string()),
            "date",
        ),
        Topic::Rate => saying.value(
            label("interest_rate", "Interest rate of the loan, per year."),
            json!(loan.rate),
            "percent",
        ),
        Topic::Lender => saying.value(label("lender", "Who lent."), json!(loan.lender), "text"),
        Topic::Covenant => {
            if let Some(least) = loan.min_dscr {
                saying.value(
                    label("min_dscr_covenant", "Least DSCR the loan asks for."),
                    json!(least),
                    "ratio",
                );
            }
            if let Some(most) = loan.max_ltv {
                saying.value(
                    label("max_ltv_covenant", "Most loan to value the loan allows."),
                    json!(most),
                    "percent",
                );
            }
        }
        _ => {}
    }
}

/// What was asked of one loan, or one fact of several, in a sentence.
fn sentence(plan: &Plan, wanted: &[Topic], loans: &[Loan], day: chrono::NaiveDate, saying: &mut Saying) {
    for loan in loans.iter().take(5) {
        let told: Vec<String> = wanted
            .iter()
            .filter_map(|fact| match fact {
                Topic::Owe => Some(format!(
                    "{} is owed as of {}",
                    shown::money(loan.balance, &loan.currency),
                    day_words(day)
                )),
                Topic::Mature => Some(format!("it matures on {}", day_words(loan.matures))),
                Topic::Rate => Some(format!("the rate is {}", shown::value(loan.rate, "percent"))),
                Topic::Lender => Some(format!("the lender is {}", loan.lender)),
                Topic::Covenant => {
                    let least = loan
                        .min_dscr
                        .map(|value| format!("DSCR of at least {}", shown::value(value, "ratio")));
                    let most = loan
                        .max_ltv
                        .map(|value| format!("loan to value of at most {}", shown::value(value, "percent")));
                    let both: Vec<String> = least.into_iter().chain(most).collect();
                    (!both.is_empty()).then(|| format!("covenants: {}", both.join(", ")))
                }
                _ => None,
            })
            .collect();
        saying.sentence(format!(
            "Loan of {} ({}) on {}: {}.",
            loan.lender,
            loan.kind,
            building(plan, &loan.building_id),
            told.join("; ")
        ));
    }
}
