//! Incomes that are told by a change: after a haircut, of the year after, in a stress.

use crate::analysis::engines::offline::plan::steps::moves;
use crate::analysis::engines::offline::retold::finding::{
    first, has, money, near, number, places, value, word,
};
use crate::analysis::engines::offline::retold::pattern::{Edit, Found, Pattern, lump};
use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::words::scan::{Shape, Token};

const INCOME: &[&str] = &["noi", "income"];

/// The one income that is given.
fn income(tokens: &[Token]) -> Option<usize> {
    let mut found = places(tokens, lump);
    if found.len() > 1 {
        found.retain(|at| near(tokens, *at, INCOME, 4));
    }
    match found.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// "Our underwriting haircuts that figure by 6%": the income that counts.
pub(super) fn haircut(tokens: &[Token]) -> Option<Vec<Edit>> {
    if !has(tokens, INCOME)
        || has(
            tokens,
            &["change", "difference", "compare", "compared", "versus", "vs"],
        )
    {
        return None;
    }
    let patterns = [
        Pattern::read(
            "our|the|their|but|and|lender|lender's|bank|bank's? underwriting|underwriter|underwriters|lender|bank|credit|lenders|we|they haircuts|haircut|trims|trim|shaves|shave|discounts|cuts|knocks|marks|takes that|this|the|it? figure|number|noi|income|down? by? #% off|down? of|from? that|it|this|noi|the? figure|number?",
        ),
        Pattern::read(
            ",|and|but|with|after|less|applying|net|allowing? of|for? a|an|our|the? #% underwriting|lender|lender's|underwriter's|vacancy? haircut to|on|off|applied? the|that|this|it? to? noi|income|figure|number?",
        ),
        Pattern::read(
            ",|and|but|with|after|less|applying|net? of? a|an|our|the? haircut of #% to|on|off? the|that|this|it? noi|income|figure|number?",
        ),
    ];
    // "Lender haircuts our 1.24m NOI by 8%": the income within.
    let around = [
        Pattern::read(
            "our|the|their|a? underwriting|underwriter|underwriters|lender|bank|credit|lenders|we|they haircuts|haircut|trims|trim|shaves|shave|discounts|cuts|knocks|marks down? our|the|that|this|my|its? #$ of? noi|income down? by? #% off?",
        ),
        Pattern::read(
            "our|the|their|its|an|a? #$ of? noi|income gets|is|was|being|were haircut|trimmed|cut|shaved|reduced|discounted|marked down? by? #% by|in .. underwriting|underwriter|underwriters|lender|lenders|bank",
        ),
        Pattern::read(
            "our|the|their|its|an|a? #$ of? noi|income gets|is|was|being|were haircut|trimmed|cut|shaved|reduced|discounted|marked down? by? #%",
        ),
    ];
    if let Some((at, found)) = first(tokens, &around) {
        let [base, share] = found.numbers.as_slice() else {
            return None;
        };
        let kept = value(tokens, *base) * (1.0 - value(tokens, *share) / 100.0);
        return (kept > 0.0).then(|| {
            vec![Edit {
                from: at,
                to: found.to,
                told: format!("NOI {}", money(kept)),
            }]
        });
    }
    let (at, found) = first(tokens, &patterns)?;
    let [share] = found.numbers.as_slice() else {
        return None;
    };
    let base = income(tokens)?;
    if (at..found.to).contains(&base) {
        return None;
    }
    let kept = value(tokens, base) * (1.0 - value(tokens, *share) / 100.0);
    (kept > 0.0).then(|| {
        vec![
            Edit {
                from: base,
                to: base + 1,
                told: money(kept),
            },
            Edit {
                from: at,
                to: found.to,
                told: String::new(),
            },
        ]
    })
}

/// "Year 5 NOI will be 866k and year 6 should be 3% better": the income of the year after.
pub(super) fn next_income(tokens: &[Token]) -> Option<Edit> {
    let patterns = [
        Pattern::read(
            "year #l noi|income will|should|would|is|of? be|come|to|run? in|at|to? #$ and|,|with|; year|the #l noi|income? will|should|is|would|being? expected|forecast|projected|set|to? to? be|come|grow|grows|rise|rises? in|out|by? #% better|higher|more|up|above|greater|above? on|than? that|it?",
        ),
        Pattern::read(
            "year #l noi|income will|should|would|is|of? be|come|to|run? in|at|to? #$ and|,|with|; #% growth|increase|bump|uplift|better|higher|more .. year #l",
        ),
    ];
    let (at, found) = first(tokens, &patterns)?;
    let labels: Vec<f64> = found
        .numbers
        .iter()
        .filter_map(|at| number(tokens, *at))
        .filter(|number| number.shape == Shape::YearLabel)
        .map(|number| number.value)
        .collect();
    let base = found
        .numbers
        .iter()
        .find(|at| number(tokens, **at).is_some_and(lump))?;
    let share = found
        .numbers
        .iter()
        .find(|at| number(tokens, **at).is_some_and(|number| number.shape == Shape::Percent))?;
    let [before, after] = labels.as_slice() else {
        return None;
    };
    if (after - before - 1.0).abs() > 1e-9 {
        return None;
    }
    let grown = value(tokens, *base) * (1.0 + value(tokens, *share) / 100.0);
    Some(Edit {
        from: at,
        to: found.to,
        told: format!("year {after} NOI is {}", money(grown)),
    })
}

/// "NOI drops 4% while caps move out 35 bps": both told as they are then.
pub(super) fn moved(tokens: &[Token]) -> Option<Vec<Edit>> {
    let asks = has(tokens, &["worth", "value", "valued"]);
    if !asks
        || has(
            tokens,
            &[
                "loan",
                "debt",
                "ltv",
                "dscr",
                "irr",
                "difference",
                "lose",
                "loss",
                "much",
                "dcf",
            ],
        )
    {
        return None;
    }
    let patterns = [
        Pattern::read(
            "if|when|suppose|assume|say|and|while|with|as|,? the? noi|income goes|comes|moves|is? drops|falls|slips|declines|drop|fall|rises|grows|rise|increases|down|up|lower|higher|dropping|falling|rising|climbs|decreases|gains|loses by? #%",
        ),
        Pattern::read(
            "if|when|suppose|assume|say|and|while|with|as|,? the|market|exit? cap|caps|yield|yields rate|rates? move|moves|goes|go|is|are|come|comes|drift|drifts|blow|shift|shifts? out|in|up|down|wider|tighter|higher|lower|widen|widens|rise|rises|expand|expands|compress|compresses|tighten|tightens|fall|falls|drop|drops|increase|increases|moving|widening|rising|decompress by|another? #bp",
        ),
    ];
    let income_move = first(tokens, patterns.get(..1)?)?;
    let cap_move = first(tokens, patterns.get(1..)?)?;
    let own = |found: &(usize, Found)| found.1.numbers.first().copied();
    let (share, points) = (own(&income_move)?, own(&cap_move)?);
    let base = income(tokens)?;
    let caps = places(tokens, |number| number.shape == Shape::Percent);
    let cap = match caps
        .iter()
        .filter(|at| **at != share)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [only] => **only,
        _ => return None,
    };
    let way = |found: &(usize, Found)| -> Option<f64> {
        (found.0..found.1.to).find_map(|at| match word(tokens, at) {
            "out" | "widen" | "widens" | "expand" | "expands" | "widening" | "decompress" | "rising"
            | "gains" | "grows" | "increase" | "climbs" => Some(1.0),
            "in" | "compress" | "compresses" | "tighten" | "drop" | "fall" | "dropping" | "falling"
            | "loses" => Some(-1.0),
            "goes" => None,
            other => moves(other).map(|up| if up { 1.0 } else { -1.0 }),
        })
    };
    let noi = value(tokens, base) * (1.0 + way(&income_move)? * value(tokens, share) / 100.0);
    let rate = value(tokens, cap) + way(&cap_move)? * value(tokens, points) / 100.0;
    (noi > 0.0 && rate > 0.0).then(|| {
        let told = format!("cap rate {}%", format::plain(rate, 6));
        vec![
            Edit {
                from: base,
                to: base + 1,
                told: money(noi),
            },
            Edit {
                from: cap,
                to: cap + 1,
                told,
            },
            Edit {
                from: income_move.0,
                to: income_move.1.to,
                told: String::new(),
            },
            Edit {
                from: cap_move.0,
                to: cap_move.1.to,
                told: String::new(),
            },
        ]
    })
}

/// "Vacancy 5%, then credit loss 1% of what's left": the share of the whole that it is.
pub(super) fn of_remainder(tokens: &[Token]) -> Option<Edit> {
    let named = Pattern::read(
        "#% for|in|as? credit|collection|collections|bad loss|losses|debt|debts? of|on|off|from the|all? what|whatever|remaining|remainder|rest|collected|rent that|is|was|rent|rents|income|collected|of? left|remains|rent|rents?",
    );
    let alone = Pattern::read(
        "#% of|on|off|from the|all? what|whatever|remaining|remainder|rest|collected that|is|was|rent|rents|income|of? left|remains|rent|rents?",
    );
    let (at, found, tail) = first(tokens, &[named])
        .map(|(at, found)| (at, found, " credit loss"))
        .or_else(|| {
            (0..tokens.len()).find_map(|at| {
                let found = alone
                    .at(tokens, at)
                    .filter(|_| near(tokens, at, &["credit", "bad", "collection", "collections"], 4))?;
                Some((at, found, ""))
            })
        })?;
    let empty = places(tokens, |number| number.shape == Shape::Percent)
        .into_iter()
        .filter(|other| *other != at && near(tokens, *other, &["vacancy", "vacant"], 3))
        .collect::<Vec<_>>();
    let [vacancy] = empty.as_slice() else {
        return None;
    };
    let share = value(tokens, at) * (1.0 - value(tokens, *vacancy) / 100.0);
    Some(Edit {
        from: at,
        to: found.to,
        told: format!("{}%{tail}", format::plain(share, 6)),
    })
}
