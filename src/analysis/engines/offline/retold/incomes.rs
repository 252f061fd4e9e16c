//! Incomes that are told by a change: after a haircut, of the year after, in a stress.

use crate::analysis::engines::offline::plan::steps::moves;
use crate::analysis::engines::offline::retold::finding::{
    first, has, money, near, number, places, value, word,
};
use crate::analysis::engines::offline::retold::pattern::{Edit, Found, Pattern, lump};
use crate::analysis::engines::offline::say::format;
use crate::analysis::engines::offline::words::scan::{Per, Shape, Token};

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

/// "GPR 1.2m, 6% vacancy, opex 480k", before a ratio of the income that is left.
pub(super) fn net_income(tokens: &[Token]) -> Option<Edit> {
    if !has(
        tokens,
        &[
            "dscr", "dcr", "coverage", "cover", "yield", "dy", "cap", "value", "worth",
        ],
    ) || has(
        tokens,
        &[
            "noi",
            "egi",
            "occupancy",
            "breakeven",
            "even",
            "reserves",
            "concessions",
            "concession",
            "if",
        ],
    ) {
        return None;
    }
    let shared = Pattern::read(
        "gpr|pgi|gpi|rents|rent of|is|at|:|=? #$ ,|;|.? and|with|less|minus|at|assume? a|an? #% vacancy|vacant|vac factor|loss|allowance|rate? ,|;|.? no? other? income? ,|;|.? and|with|less|minus|then? opex|expenses|operating costs|expenses? of|is|are|at|:|=? #$",
    );
    let named = Pattern::read(
        "gpr|pgi|gpi|rents|rent of|is|at|:|=? #$ ,|;|.? and|with|less|minus? vacancy|vac factor|loss|allowance|rate? of|is|at|:|=? #% ,|;|.? no? other? income? ,|;|.? and|with|less|minus|then? opex|expenses|operating costs|expenses? of|is|are|at|:|=? #$",
    );
    let (at, found) = first(tokens, &[shared, named])?;
    let [gross, share, costs] = found.numbers.as_slice() else {
        return None;
    };
    let yearly = [*gross, *costs]
        .iter()
        .all(|at| number(tokens, *at).is_some_and(|number| matches!(number.per, None | Some(Per::Year))));
    // Other income would be part of it, unless there is none.
    let none = (0..tokens.len()).any(|at| {
        matches!(word(tokens, at), "no" | "without" | "zero")
            && word(tokens, at + 1) == "other"
            && word(tokens, at + 2) == "income"
    });
    let more = has(
        tokens,
        &["other", "parking", "laundry", "reimbursements", "recoveries"],
    ) && !none;
    // Rents by the month beside costs by the year are another sum.
    let monthly = has(tokens, &["monthly", "month"]);
    let left = value(tokens, *gross) * (1.0 - value(tokens, *share) / 100.0) - value(tokens, *costs);
    (yearly && !more && !monthly && left > 0.0).then(|| {
        // "No other income" may also stand behind the costs.
        let mut to = found.to;
        let comma = usize::from(
            tokens
                .get(to)
                .is_some_and(|token| token.is_mark(',') || token.is_mark(';')),
        );
        if word(tokens, to + comma) == "no"
            && word(tokens, to + comma + 1) == "other"
            && word(tokens, to + comma + 2) == "income"
        {
            to += comma + 3;
        }
        Edit {
            from: at,
            to,
            told: format!("NOI {}", money(left)),
        }
    })
}

/// "Interest 900k plus principal 450k": the debt service of a year, for its coverage.
pub(super) fn service(tokens: &[Token]) -> Option<Edit> {
    if !has(tokens, &["dscr", "dcr", "coverage", "cover", "covered"])
        || has(
            tokens,
            &[
                "monthly",
                "month",
                "quarterly",
                "quarter",
                "reserve",
                "reserves",
                "fee",
                "fees",
            ],
        )
    {
        return None;
    }
    let patterns = [
        Pattern::read(
            "the|our|with|annual|yearly? interest paid|expense|of|is|was|ran|at|:|=? of|is|was|at? #$b ,? plus|and|+|&|with? the|our|scheduled? principal repayments|repayment|payments|paid|amortization|of|is|was|at|:|=? of|is|was|at? #$b",
        ),
        Pattern::read(
            "#$b in|of|for? interest ,? plus|and|+|&|with? another|a|further? #$b in|of|for? principal repayments|repayment|payments|paid|amortization?",
        ),
        Pattern::read(
            "the|our|with|annual|yearly? principal paid|payments|of|is|was|at|:|=? of|is|was|at? #$b ,? plus|and|+|& interest paid|expense|of|is|was|at|:|=? of|is|was|at? #$b",
        ),
    ];
    let (at, found) = first(tokens, &patterns)?;
    let [one, other] = found.numbers.as_slice() else {
        return None;
    };
    let sum = value(tokens, *one) + value(tokens, *other);
    Some(Edit {
        from: at,
        to: found.to,
        told: format!("debt service is {}", money(sum)),
    })
}
