//! Like-kind exchanges: which gain is recognized now, and which is deferred.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::lists::around::{before, behind};
use crate::words::scan::Shape;
use finance::variable::Variable::*;

#[rustfmt::skip]
const CASH: &[&str] = &["cash boot", "boot", "cash", "in cash", "cash received", "cash boot of", "boot in cash", "cash out", "of cash", "cash proceeds", "boot received"];

#[rustfmt::skip]
pub(crate) static EXCHANGE: Form = Form {
    name: "exchange",
    is: |words| words.has(&["1031", "boot"]) || words.says(&["like kind", "tax deferred exchange"]) || (words.has(&["exchange", "swap"]) && words.has(&["relinquished"]) && words.has(&["taxable", "taxed", "recognized", "recognised", "deferred"])) || (words.has(&["exchange", "swap"]) && words.says(&["realized gain", "recognized gain", "realised gain", "recognised gain"])),
    goals: &[
        (RecognizedGain, &["recognized", "gain recognized", "recognized gain", "recognised gain", "recognised", "taxable gain", "taxable", "taxed", "gain is recognized", "recognize", "recognise", "gain do we recognize"]),
        (DeferredGain, &["deferred", "deferred gain", "defer", "gain deferred", "gain is deferred"]),
        (Boot, &["boot", "total boot"]),
        (RealizedGain, &["realized gain", "realised gain"]),
    ],
    inputs: &[
        (RealizedGain, &["realized gain", "realised gain", "gain", "total gain", "capital gain", "gain realized", "gain realised", "realized", "gain of"]),
        (CashBoot, CASH),
        (OldDebt, &["old mortgage", "old loan", "old debt", "existing mortgage", "existing loan", "existing debt", "relinquished mortgage", "relinquished debt", "relinquished loan", "mortgage paid off", "loan paid off", "debt paid off", "paid off", "mortgage on the old", "debt on the old", "loan on the old", "mortgage retired"]),
        (NewDebt, &["new mortgage", "new loan", "new debt", "new", "replacement mortgage", "replacement loan", "replacement debt", "mortgage on the new", "debt on the new", "loan on the new", "mortgage on the replacement", "debt on the replacement", "loan on the replacement"]),
        (CashAdded, &["cash added", "additional cash", "new cash", "fresh cash", "extra cash", "cash paid in", "cash in", "own cash", "new equity"]),
        (DebtRelief, &["debt relief", "net debt relief", "mortgage relief", "mortgage boot", "debt boot", "of debt relief", "debt reduction", "net debt reduction", "net reduction in debt", "debt reduced by", "debt reduced", "reduction of debt", "mortgage reduction", "net mortgage relief", "net mortgage reduction", "less debt", "lower debt", "net mortgage debt", "of net mortgage debt", "mortgage debt relief"]),
        (SalePrice, &["sale price", "selling price", "relinquished property"]),
        (SellingCosts, &["selling costs", "closing costs", "sale costs", "selling expenses", "transaction costs", "costs of sale"]),
        (AdjustedBasis, &["adjusted basis", "basis", "tax basis", "adjusted cost basis"]),
    ],
    leads: &[
        (CashBoot, &["take out", "pull out", "receive", "receives", "pockets", "takes", "keeps", "pocket", "take", "keep", "keeping", "taking", "receiving", "pocketing", "pocketed", "kept", "walked away with", "pulled", "pull", "pocketed", "taking out", "pulling out", "took out", "took", "received", "walk away with", "get back", "pulled out"]),
        (DebtRelief, &["relieved of", "relief of"]),
        (SalePrice, &["sell for", "sold for", "selling for", "sells for", "sell at", "sold at", "sells at", "selling at", "goes for", "went for"]),
        (CashAdded, &["add", "adding", "added", "put in", "putting in", "i put in", "we put in", "offset by", "contribute", "contributing"]),
    ],
    bare: &[],
    sums: &[],
    settle: settle_exchange,
};

/// "The old building carried a 1.1m mortgage, the replacement only 900k": each debt by the property it stands on.
fn debts(words: &Words) -> Option<(usize, usize)> {
    let owed = words.has(&["mortgage", "loan", "debt", "mortgages", "loans", "encumbered"]);
    let amounts: Vec<(usize, bool)> = words
        .numbers()
        .filter(|at| {
            words.number(*at).is_some_and(|number| {
                matches!(number.shape, Shape::Money | Shape::Plain) && number.value >= 1000.0
            })
        })
        .filter_map(|at| {
            let near = before(words, at, 9);
            let of = |list: &[&str]| near.iter().position(|word| list.contains(word));
            let after = behind(words, at, 6);
            let named = |list: &[&str]| {
                of(list).or_else(|| {
                    after
                        .iter()
                        .position(|word| list.contains(word))
                        .map(|at| at + 20)
                })
            };
            let old = named(&[
                "relinquished",
                "old",
                "existing",
                "sold",
                "surrendered",
                "downleg",
                "previous",
                "gave",
                "giving",
            ]);
            let new = named(&["replacement", "new", "acquired", "upleg", "bought"]);
            let other = of(&[
                "gain", "cash", "basis", "price", "boot", "worth", "value", "valued", "costs", "pocketed",
                "for", "equity",
            ]);
            let behind = behind(words, at, 2);
            let side = match (old, new) {
                (Some(old), Some(new)) => old < new,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => return None,
            };
            let cash = behind
                .iter()
                .any(|word| matches!(*word, "cash" | "gain" | "boot" | "basis"));
            (other.is_none() && !cash).then_some((at, side))
        })
        .collect();
    // "Debt falls from 900k to 830k".
    let falls = words.numbers().find_map(|at| {
        let from = at.checked_sub(1).is_some_and(|at| words.word(at) == "from");
        let of = before(words, at, 6)
            .iter()
            .any(|word| matches!(*word, "debt" | "mortgage" | "loan"));
        let next = at + 2;
        (from && of && words.word(at + 1) == "to" && words.number(next).is_some()).then_some((at, next))
    });
    if falls.is_some() {
        return falls;
    }
    if let Some(pair) = replaced(words).filter(|_| owed) {
        return Some(pair);
    }
    match amounts.as_slice() {
        [(old, true), (new, false)] | [(new, false), (old, true)] if owed => Some((*old, *new)),
        _ => None,
    }
}

/// "The 1.9M mortgage gets replaced by one of 1.75M": the old debt and the one in its place.
fn replaced(words: &Words) -> Option<(usize, usize)> {
    let amount = |at: usize| {
        words.number(at).is_some_and(|number| {
            matches!(number.shape, Shape::Money | Shape::Plain) && number.value >= 1000.0
        })
    };
    let swaps = |at: usize| {
        matches!(
            words.word(at),
            "replaced"
                | "replace"
                | "replaces"
                | "replacing"
                | "swapped"
                | "swap"
                | "swaps"
                | "swapping"
                | "traded"
                | "trade"
        )
    };
    let places: Vec<usize> = words.numbers().collect();
    places.windows(2).find_map(|pair| {
        let [old, new] = pair else { return None };
        let passive = (old + 1..*new).find(|at| swaps(*at));
        let active = (old.saturating_sub(4)..*old).find(|at| swaps(*at)).map(|_| *old);
        let by = passive
            .or(active)
            .is_some_and(|at| (at + 1..*new).any(|at| matches!(words.word(at), "by" | "with" | "for")));
        let ends = (old + 1..*new).any(|at| words.mark(at, '.') || words.mark(at, ';'));
        (amount(*old) && amount(*new) && by && !ends).then_some((*old, *new))
    })
}

/// What the mortgage words around the two debts name, whatever else a phrase could have made of them.
fn place_debts(words: &Words, sheet: &mut Sheet) {
    let Some((old, new)) = debts(words) else { return };
    for at in [old, new] {
        let Some(number) = words.number(at) else { continue };
        let said = format!("“{}”", words.said(at));
        sheet.deal.doubts.retain(|doubt| !doubt.contains(&said));
        sheet
            .deal
            .values
            .retain(|other, given| *other == RealizedGain || (given.value - number.value).abs() > 1e-9);
    }
    for (at, variable) in [(old, OldDebt), (new, NewDebt)] {
        let Some(number) = words.number(at) else { continue };
        sheet.put(variable, number.value);
        sheet.take(at);
    }
}

/// "My new mortgage is 60k smaller than the old one": how much less is owed, and whether it is less.
fn difference(words: &Words) -> Option<(usize, bool)> {
    (0..words.tokens.len()).find_map(|at| {
        let smaller = match words.word(at) {
            "smaller" | "lower" | "less" | "lighter" | "below" | "under" | "short" => true,
            "larger" | "bigger" | "higher" | "more" | "greater" | "above" | "over" => false,
            _ => return None,
        };
        let amount = |at: usize| {
            words.number(at).is_some_and(|number| {
                matches!(number.shape, Shape::Money | Shape::Plain) && number.value >= 1000.0
            })
        };
        let number = at
            .checked_sub(1)
            .filter(|at| amount(*at))
            .or_else(|| (at + 1..at + 9).find(|place| amount(*place) && words.word(place - 1) == "by"))?;
        let old = |word: &&str| {
            matches!(
                *word,
                "old" | "existing" | "previous" | "prior" | "relinquished" | "former"
            )
        };
        let new = |word: &&str| matches!(*word, "new" | "replacement");
        let first = before(words, at.min(number), 8);
        let debt = first
            .iter()
            .chain(&before(words, at, 8))
            .any(|word| matches!(*word, "mortgage" | "loan" | "debt"));
        let than =
            matches!(words.word(at), "below" | "under" | "above" | "over") || words.word(at + 1) == "than";
        let second: Vec<&str> = (at + 1..at + 6).map(|at| words.word(at)).collect();
        // "Puts 25k less": the nearer of the two is what is measured.
        let side = first.iter().find(|word| old(word) || new(word))?;
        let (one_new, other) = (
            new(side),
            second
                .iter()
                .any(|word| if new(side) { old(word) } else { new(word) }),
        );
        (debt && than && other).then_some((number, smaller == one_new))
    })
}

/// "Realized gain on the relinquished property was 900k": the property says whose gain it is, and has no price there.
fn gain_of_property(words: &Words, sheet: &mut Sheet) {
    let Some(price) = sheet.value(SalePrice).filter(|_| !sheet.has(RealizedGain)) else {
        return;
    };
    let of_gain = words.numbers().any(|at| {
        let near = before(words, at, 9);
        let gain = near.iter().position(|word| *word == "gain");
        let on = gain
            .and_then(|gain| gain.checked_sub(1))
            .and_then(|at| near.get(at));
        words.number(at).is_some_and(|number| number.value == price)
            && matches!(
                near.first(),
                Some(&("was" | "is" | "of" | "totals" | "totalled" | "equals"))
            )
            && on.is_some_and(|on| matches!(*on, "on" | "from"))
            && !near
                .iter()
                .any(|word| matches!(*word, "price" | "sold" | "sells"))
    });
    if of_gain {
        sheet.rename(SalePrice, RealizedGain);
    }
}

fn settle_exchange(words: &Words, sheet: &mut Sheet) {
    if let Some((at, relieved)) = difference(words)
        && let Some(number) = words.number(at)
    {
        let said = format!("“{}”", words.said(at));
        sheet.deal.doubts.retain(|doubt| !doubt.contains(&said));
        for debt in [OldDebt, NewDebt, DebtRelief] {
            sheet.deal.values.remove(&debt);
        }
        sheet.put(DebtRelief, if relieved { number.value } else { 0.0 });
        sheet.take(at);
    } else {
        place_debts(words, sheet);
    }
    gain_of_property(words, sheet);
    if words.says(&[
        "no debt relief",
        "no mortgage relief",
        "no debt",
        "debt free",
        "no mortgage",
        "no net debt relief",
    ]) {
        sheet.put(DebtRelief, 0.0);
    }
    if words.says(&["no boot"]) {
        sheet.put(CashBoot, 0.0);
        if !sheet.has(OldDebt) {
            sheet.put(DebtRelief, 0.0);
        }
    } else if words.says(&["no cash", "without cash"]) && !sheet.has(CashBoot) {
        sheet.put(CashBoot, 0.0);
    }
    if words.says(&[
        "realized loss",
        "realised loss",
        "loss of",
        "at a loss",
        "loss on the sale",
    ]) {
        sheet.doubt("With a loss there is no gain to recognize, whatever the boot. Is the amount a gain?");
    }
    // "I add 150k cash": the verb says which way it goes.
    let both = format!("{} or the {}", CashBoot.label(), CashAdded.label());
    let added = words.numbers().find(|at| {
        (1..=2).any(|back| {
            at.checked_sub(back).is_some_and(|at| {
                matches!(
                    words.word(at),
                    "add" | "adding" | "added" | "adds" | "contribute" | "contributing"
                )
            })
        })
    });
    if let Some(at) = added
        && let Some(number) = words.number(at)
        && sheet
            .deal
            .doubts
            .iter()
            .any(|doubt| doubt.contains(&both) && doubt.contains(words.said(at)))
    {
        sheet.deal.doubts.retain(|doubt| !doubt.contains(&both));
        sheet.put(CashAdded, number.value);
    }
    // Beside the new debt, what is relieved is the old one.
    if sheet.has(NewDebt) && !sheet.has(OldDebt) {
        sheet.rename(DebtRelief, OldDebt);
    }
    let debts = sheet.has(OldDebt) || sheet.has(NewDebt);
    // Cash paid in makes up for debt relief, however that is given.
    if let (false, Some(relief), Some(cash)) = (debts, sheet.value(DebtRelief), sheet.value(CashAdded)) {
        sheet.put(DebtRelief, (relief - cash).max(0.0));
        sheet.deal.values.remove(&CashAdded);
        sheet.remark("Cash paid in offsets the debt relief.");
    }
    if debts {
        let none = words.says(&["none added", "no cash added", "no cash in", "nothing added"]);
        sheet.assume(
            CashAdded,
            0.0,
            if none {
                ""
            } else {
                "No cash added is given, so none is counted."
            },
        );
    } else if sheet.has(CashBoot) {
        sheet.assume(DebtRelief, 0.0, "No debt relief is given, so none is counted.");
    }
    if debts || sheet.has(DebtRelief) {
        let relieved = debts || sheet.value(DebtRelief).is_some_and(|relief| relief > 0.0);
        if !sheet.has(CashBoot) && (relieved || !words.has(&["boot"])) {
            sheet.assume(CashBoot, 0.0, "No cash taken out is given, so none is counted.");
        }
    }
    if sheet.has(SalePrice) && sheet.has(AdjustedBasis) {
        sheet.assume(
            SellingCosts,
            0.0,
            "No selling costs are given, so none are counted.",
        );
    }
    sheet.remark("This is a calculation, not tax advice.");
}
