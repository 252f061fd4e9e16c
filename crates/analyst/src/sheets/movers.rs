//! Of the columns of a statement, the one in which a figure is highest or lowest; of its lines, those that moved most
//! between two columns.
//!
//! The comparison itself is read by [`changes`](super::changes).

use crate::say::format;
use crate::sheets::asked;
use crate::sheets::finding::{Finding, Open, Outcome, percent};
use crate::sheets::lines;
use crate::sheets::sides::{AMOUNTS, Side, amount, finished, label};
use crate::sheets::slots::{Reach, Slot, called, through};
use crate::sheets::slotted::{Said, View};
use crate::sheets::sources::Sheet;
use crate::sheets::subject::shown_amount;
use crate::sheets::words::Words;
use tables::accounts::Line;
use tables::statement;

/// The lines that moved most from one column to the other.
pub(crate) fn moved(
    base: &Side,
    other: &Side,
    costs: bool,
    relative: bool,
    which: Option<(bool, usize)>,
) -> Result<Outcome, Open> {
    let (lowest, count) = which.unwrap_or((false, 1));
    let mut all: Vec<(String, f64, f64)> = other
        .statement
        .items
        .iter()
        .filter(|item| !costs || item.line == Line::Expense)
        .filter_map(|item| {
            let before = base.statement.items.iter().find(|own| own.label == item.label)?;
            let (one, two) = (
                shown_amount(&base.statement, before, &[]),
                shown_amount(&other.statement, item, &[]),
            );
            let share = if one == 0.0 {
                f64::NAN
            } else {
                (two - one) / one.abs()
            };
            Some((item.label.clone(), two - one, share))
        })
        .filter(|(.., share)| !relative || share.is_finite())
        .collect();
    let size = |row: &(String, f64, f64)| if relative { row.2 } else { row.1 };
    all.sort_by(|one, two| size(two).total_cmp(&size(one)));
    if lowest {
        all.reverse();
    }
    if all.is_empty() {
        return Err(Open::because("I found no lines to compare."));
    }
    let findings = all
        .iter()
        .take(count)
        .map(|(label, change, share)| {
            let shown = format!("{} ({})", format::money(*change), percent(*share));
            let own = if relative {
                Finding::percent(
                    "growth_rate",
                    &format!("growth of “{label}”"),
                    *share,
                    "Growth = change ÷ earlier amount.",
                )
            } else {
                Finding::money(
                    "change",
                    &format!("change of “{label}”"),
                    *change,
                    "Change = later − earlier amount.",
                )
            };
            own.step(shown)
                .of(label.clone())
                .during(format!("{} against {}", other.name, base.name))
        })
        .collect();
    Ok(Outcome::figures(findings))
}

/// The column in which a figure is highest or lowest.
pub(crate) fn best(
    sheet: &Sheet,
    view: &View,
    said: &Said,
    mut words: Words,
    which: Option<(bool, usize)>,
) -> Option<Result<Outcome, Open>> {
    let (lowest, _) = which?;
    let mut columns = view.columns.clone();
    let quarters = |slot: &Slot| matches!(slot.reach, Some(Reach::Quarter(_) | Reach::Of(_)));
    if columns.iter().any(|(_, slot)| quarters(slot)) {
        columns.retain(|(_, slot)| quarters(slot));
    }
    if !said.versions.is_empty() {
        columns.retain(|(_, slot)| {
            slot.version
                .is_some_and(|version| said.versions.contains(&version))
        });
    }
    let sides: Vec<Side> = columns
        .iter()
        .map(|column| Side {
            name: called(&sheet.table, &[*column]),
            slot: column.1,
            statement: statement::read(&through(sheet, &[*column], 1.0).table, &[]),
        })
        .collect();
    let first = sides.first()?;
    if let Some(doubt) = first.statement.doubts.first() {
        return Some(Err(Open::because(doubt.clone())));
    }
    let measures = asked::measures(&mut words, tables::kind::Kind::Statement);
    let (measure, labels) = match measures.as_slice() {
        [only] if AMOUNTS.contains(only) => (Some(*only), Vec::new()),
        [] => {
            let items = lines::lines(&mut words, &first.statement);
            (
                None,
                items.iter().map(|item| item.label.clone()).collect::<Vec<_>>(),
            )
        }
        _ => return None,
    };
    words.take(&["total", "expense", "income", "cost", "spending", "had", "saw"]);
    if (measure.is_none() && labels.is_empty()) || !finished(&words) {
        return None;
    }
    let mut all: Vec<(f64, &Side)> = sides
        .iter()
        .filter_map(|side| Some((amount(side, measure, &labels)?, side)))
        .collect();
    all.sort_by(|(one, _), (two, _)| two.total_cmp(one));
    if lowest {
        all.reverse();
    }
    let (value, side) = all.first()?;
    let mut finding = Finding::money("amount", &label(&side.statement, measure, &labels), *value, "")
        .during(side.name.clone())
        .of(side.name.clone());
    for (other, own) in &all {
        finding = finding.step(format!("{}: {}.", own.name, format::money(*other)));
    }
    Some(Ok(Outcome::figures(vec![finding])))
}
