//! Columns that a clause names as what is measured: alone, added up, one over the other, from one to the other.
//!
//! Computes nothing.

use crate::sheets::query::amounts::averaged;
use crate::sheets::query::nouns;
use crate::sheets::query::part::{Measure, Part};
use crate::sheets::query::view::View;
use crate::sheets::words::Words;
use tables::headers::Field;

/// Columns as measures, alone or joined by the words between them.
pub(crate) fn measured(
    words: &mut Words,
    view: &View<'_>,
    part: &mut Part,
    columns: &[(usize, Vec<usize>)],
    growth: bool,
    change: bool,
) {
    // What a bound spoke of is no measure where another is there.
    let mut per = None;
    let mut plain: Vec<Vec<usize>> = Vec::new();
    for (_, own) in columns {
        match own.as_slice() {
            [first, column] if *first == usize::MAX => per = Some(*column),
            _ => {
                if !plain.contains(own) {
                    plain.push(own.clone());
                }
            }
        }
    }
    let joined =
        words.take(&["plus", "together with", "combined", "together", "including"]) && plain.len() > 1;
    let less = words.take(&[
        "minus",
        "less",
        "net of",
        "versus",
        "vs",
        "compared to",
        "compared with",
        "against",
    ]);
    let over = words.take(&["divided by", "over", "relative to", "ratio", "as a multiple of"]);
    let singles: Vec<usize> = plain
        .iter()
        .filter_map(|own| match own.as_slice() {
            [only] => Some(*only),
            _ => None,
        })
        .collect();
    if let Some(bottom) = per {
        let top: Vec<usize> = plain
            .iter()
            .flatten()
            .copied()
            .filter(|at| *at != bottom)
            .collect();
        let top = match (
            top.is_empty(),
            view.first(&[Field::Rent, Field::AnnualRent, Field::Price]),
        ) {
            (false, _) => top,
            (true, Some(rent)) if nouns::pays(words) => vec![rent],
            (true, _) => view.usual().into_iter().collect(),
        };
        // Rents for a square foot are told of a year where the table has both.
        let top = match top.as_slice() {
            [only]
                if part.pace.is_none()
                    && view.field(*only) == Some(Field::Rent)
                    && view.field(bottom) == Some(Field::Area) =>
            {
                vec![view.table.column(Field::AnnualRent).unwrap_or(*only)]
            }
            _ => top,
        };
        // A column that is for a square foot already, and one of averages, is not divided again.
        if let [only] = top.as_slice()
            && (matches!(
                view.field(*only),
                Some(Field::RentPerArea | Field::PricePerArea | Field::PricePerUnit)
            ) || averaged(view.header(*only)))
        {
            part.measures.push(Measure::Column(*only));
            return;
        }
        if top.is_empty() {
            part.unsure = Some(format!("What per “{}” do you mean?", view.header(bottom)));
        } else {
            part.measures.push(Measure::Per(top, bottom));
        }
        return;
    }
    if let [one, other] = singles.as_slice()
        && plain.len() == 2
        && (growth || change || less || over)
    {
        let unit = |at: usize| view.column(at).of;
        part.measures.push(match () {
            () if growth || (change && part.share) => {
                part.share = false;
                Measure::Growth(*one, *other)
            }
            () if over => Measure::Per(vec![*one], *other),
            // A change runs from the first to the second, a difference is the first less the second.
            () if change && words.says(&["from"]) && words.says(&["to"]) => Measure::Less(*other, *one),
            () => Measure::Less(*one, *other),
        });
        if unit(*one) != unit(*other) && !over {
            part.unsure = Some(format!(
                "“{}” and “{}” are not of one kind, so they have no difference.",
                view.header(*one),
                view.header(*other)
            ));
        }
        return;
    }
    if growth || change || less || over {
        for (said, word) in [
            (growth, "growth"),
            (change, "change"),
            (less, "less"),
            (over, "over"),
        ] {
            if said {
                part.left.push(word.to_owned());
            }
        }
    }
    if joined {
        part.measures
            .push(Measure::All(plain.into_iter().flatten().collect()));
        return;
    }
    // "CAM as a share of base rent": one column over the other.
    if let [one, other] = singles.as_slice()
        && part.share
        && plain.len() == 2
        && part.filters.is_empty()
    {
        part.share = false;
        part.measures.push(Measure::Per(vec![*one], *other));
        return;
    }
    for own in plain {
        part.measures.push(match own.as_slice() {
            [only] => Measure::Column(*only),
            _ => Measure::All(own),
        });
    }
}
