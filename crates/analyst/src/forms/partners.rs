//! Partnerships with one distribution: accrued preferred return, and who gets what of the proceeds.

use crate::forms::form::{Form, Sheet};
use crate::forms::promotes::{caught_up, remaining};
use crate::forms::words::Words;
use crate::words::scan::Shape;
use finance::variable::Variable::*;

#[rustfmt::skip]
const PREF: &[&str] = &["pref", "preferred return", "preferred", "pref rate", "preferred rate", "preferred equity return", "pref return", "cumulative pref", "cumulative preferred return"];

#[rustfmt::skip]
pub(crate) static PREFERRED: Form = Form {
    name: "preferred_return",
    is: |words| words.says(PREF) && !words.has(&["noi", "irr", "attached"]),
    goals: &[(AccruedPref, &["preferred return", "pref", "preferred return owed", "accrued pref", "accrued preferred return", "pref owed", "pref due", "accrued", "owed", "pref balance", "preferred return due"])],
    inputs: &[
        (Capital, &["capital", "equity", "investment", "contribution", "invested", "contributed", "capital contribution", "principal"]),
        (PrefRate, PREF),
        (PrefYears, &["years", "hold"]),
    ],
    leads: &[
        (Capital, &["on", "invested", "contributed", "of"]),
        (PrefRate, &["at", "accrues at", "accruing at"]),
    ],
    bare: &[Capital, PrefYears, PrefRate],
    sums: &[],
    settle: compounding,
};

/// Simple or compounding: said, or of no effect, or asked.
fn compounding(words: &Words, sheet: &mut Sheet) {
    let simple = words.has(&["simple", "noncompounding", "noncompounded", "uncompounded"])
        || words.says(&[
            "non compounding",
            "not compounded",
            "not compounding",
            "non compounded",
            "without compounding",
            "no compounding",
        ]);
    let compound = words.has(&["compounded", "compounding", "compound", "compounds"]) && !simple;
    if words.has(&[
        "half",
        "third",
        "part",
        "partly",
        "partially",
        "waived",
        "deferred",
    ]) {
        sheet.doubt("How much of the preferred return is paid, and when? Please give the amounts.");
    }
    // "the quarterly pref payment": what a part of the year earns, paid as it comes.
    if !sheet.has(PrefYears) && !compound {
        let part = [
            ("quarterly", 4.0),
            ("monthly", 12.0),
            ("yearly", 1.0),
            ("annual", 1.0),
        ]
        .into_iter()
        .find(|(word, _)| {
            [
                "pref",
                "pref payment",
                "preferred return",
                "payment",
                "preferred payment",
                "distribution",
            ]
            .iter()
            .any(|noun| words.says(&[&format!("{word} {noun}")]))
        });
        if let Some((_, count)) = part {
            sheet.put(PrefYears, 1.0 / count);
            sheet.put(SimplePref, 1.0);
            return;
        }
    }
    let often = [
        ("quarterly", 4.0),
        ("monthly", 12.0),
        ("semiannually", 2.0),
        ("daily", 365.0),
    ]
    .into_iter()
    .find(|(word, _)| words.has(&[*word]));
    match (often, sheet.value(PrefRate)) {
        // Compounded within the year, the rate has an effective annual one.
        (Some((word, count)), Some(rate))
            if words.has(&["compounded", "compounding", "compounds"])
                && !sheet
                    .deal
                    .remarks
                    .iter()
                    .any(|said| said.starts_with("Compounded")) =>
        {
            let effective = (1.0_f64 + rate / count).powf(count) - 1.0;
            sheet.put(PrefRate, effective);
            sheet.remark(&format!(
                "Compounded {word}, the rate of {}% a year is {}% effective.",
                crate::say::format::plain(rate * 100.0, 4),
                crate::say::format::plain(effective * 100.0, 4)
            ));
        }
        (Some(_), _) => sheet.doubt("How often does the preferred return compound?"),
        _ => {}
    }
    let one_year = sheet.value(PrefYears).is_some_and(|years| years <= 1.0);
    if simple {
        sheet.put(SimplePref, 1.0);
    } else if compound {
        sheet.deal.values.remove(&SimplePref);
    } else if !one_year && !sheet.has(SimplePref) && sheet.has(PrefYears) {
        sheet.doubt("Is the preferred return simple, or does it compound annually?");
    }
}

#[rustfmt::skip]
const PARTNERS: &[&str] = &["lp", "lps", "limited partner", "limited partners", "investor", "investors", "lp equity", "lp investors"];
#[rustfmt::skip]
const SPONSOR: &[&str] = &["gp", "sponsor", "general partner", "gp co invest", "gp coinvest", "sponsor's", "gp equity"];

#[rustfmt::skip]
pub(crate) static SPLIT: Form = Form {
    name: "waterfall",
    is: |words| {
        let sides = words.says(PARTNERS) || words.says(SPONSOR);
        let split = words.has(&["promote", "waterfall", "split", "catchup", "residual", "carry"])
            || words.says(&["catch up", "carried interest", "pro rata", "pari passu"]);
        sides && split && !words.has(&["attached"])
    },
    goals: &[
        (PartnersDistribution, &["lp", "lps", "limited partner", "limited partners", "investors", "investor", "lp get", "lp distribution", "lp receive", "lp total", "lps total", "lp's total", "total to the lp", "total to the lps", "investors total"]),
        (SponsorDistribution, &["gp", "sponsor", "general partner", "gp distribution", "gp total", "gp's total", "total to the gp", "sponsor total", "total to the sponsor"]),
        (Promote, &["promote", "gp promote", "sponsor promote", "promote earned", "promote dollars", "carried interest", "promote worth"]),
    ],
    inputs: &[
        (PartnersShare, PARTNERS),
        (SponsorShare, SPONSOR),
        (PartnersCapital, PARTNERS),
        (SponsorCapital, SPONSOR),
        (Capital, &["equity", "capital", "total equity", "equity raise", "total capital", "raise", "invested", "equity investment", "contributed"]),
        (PrefRate, PREF),
        (PromoteShare, &["promote", "carry", "carried interest", "promote to the gp", "promoted interest", "gp promote", "sponsor promote"]),
        (CatchUpShare, &["catch up", "catchup", "gp catch up"]),
        (HurdleRate, &["irr", "irr hurdle", "hurdle"]),
        (Proceeds, &["everything", "is paid out", "paid out", "are paid out", "distribution", "distributed", "proceeds", "sale proceeds", "net proceeds", "distributable", "distributable cash", "comes back", "to distribute", "cash at exit", "total proceeds", "net sale proceeds", "available", "exit", "sale"]),
        (PrefYears, &["years", "hold", "year hold"]),
    ],
    leads: &[
        (Capital, &["of"]),
        (PartnersShare, &["lp puts in", "lp contributes", "lps contribute", "lps put in", "lp puts up", "investors put in", "lp invests", "lps invest"]),
        (PartnersCapital, &["lp puts in", "lp contributes", "lps contribute", "lps put in", "lp puts up", "investors put in", "lp invests", "lps invest", "investors contribute"]),
        (SponsorShare, &["gp puts in", "gp contributes", "sponsor puts in", "sponsor contributes", "gp invests"]),
        (SponsorCapital, &["gp puts in", "gp contributes", "sponsor puts in", "sponsor contributes", "gp invests"]),
        (Proceeds, &["distribution of", "proceeds of", "distribute", "distributes", "pays out", "returns", "sells for", "sale of", "distributions of", "distributing"]),
    ],
    bare: &[PrefYears],
    sums: &[],
    settle: settle_split,
};

/// The years that the question tells apart.
fn moments(words: &Words) -> usize {
    let mut years: Vec<u64> = words
        .numbers()
        .filter_map(|at| words.number(at))
        .filter(|number| number.shape == Shape::YearLabel)
        .map(|number| number.value.to_bits())
        .collect();
    years.sort_unstable();
    years.dedup();
    years.len()
}

fn settle_split(words: &Words, sheet: &mut Sheet) {
    if moments(words) > 1 {
        sheet.doubt("I work out one distribution at the end; please give its amount and year.");
    }
    // Whoever asks what one of them gets is told the other's part as well.
    match sheet.goals.as_slice() {
        [PartnersDistribution] => sheet.goals.push(SponsorDistribution),
        [SponsorDistribution] => sheet.goals.push(PartnersDistribution),
        _ => {}
    }
    remaining(words, sheet);
    let shared = unpaired(words, sheet);
    caught_up(words, sheet);
    capital(sheet);
    let splits = splits(words, sheet, shared);
    years(words, sheet);
    compounding(words, sheet);
    if words.says(&["full catch up", "full gp catch up", "full catchup"]) {
        sheet.put(CatchUpShare, 1.0);
    }
    if !sheet.has(CatchUpShare)
        && words.says(&["catch up", "catchup"])
        && !words.says(&["no catch up", "without catch up", "no catchup"])
    {
        sheet.doubt("What share of each dollar goes to the sponsor in the catch-up?");
    }
    if words.says(&[
        "no catch up",
        "without catch up",
        "no catchup",
        "without a catch up",
    ]) {
        sheet.deal.values.remove(&CatchUpShare);
    }
    if words.says(&["american", "deal by deal"])
        || words.has(&["annually", "quarterly"]) && !words.has(&["compounded", "compounding", "compounds"])
    {
        sheet.doubt("I work out one distribution at the end; please give its amount and year.");
    }
    // Shares of the whole: of a split that is said outright, or of what the promote leaves, pro rata.
    let partners = sheet.value(PartnersShare);
    match (splits.as_slice(), sheet.value(PromoteShare), partners) {
        ([], Some(promote), Some(partners)) => {
            sheet.assume(
                ResidualShare,
                (1.0 - promote) * partners,
                "After the promote the rest is shared pro rata to capital.",
            );
        }
        // "20% promote and the balance 95/5": the split is of what the promote leaves; "20% promote, 80/20" says one thing
        // twice.
        ([only], Some(promote), _) if !sheet.has(CatchUpShare) => {
            let twice = (only.part + promote - 1.0).abs() < 1e-9 && !only.rest;
            let shared = partners.is_some_and(|share| (share - only.part).abs() < 1e-9);
            if twice {
                sheet.put(ResidualShare, only.part);
            } else if only.rest || shared {
                sheet.put(ResidualShare, (1.0 - promote) * only.part);
                sheet.remark("The promote comes off the top of what is left; the split is of the rest.");
            } else {
                sheet.doubt("Is the split one of all that is left, or of what the promote leaves?");
            }
        }
        ([only], _, _) => sheet.put(ResidualShare, only.part),
        ([first, second], _, _) if sheet.has(HurdleRate) => {
            sheet.put(ResidualShare, first.part);
            sheet.put(SecondShare, second.part);
        }
        ([_, _, ..], _, _) => sheet.doubt("Which split applies to what?"),
        _ => {}
    }
    if sheet.has(CatchUpShare)
        && !sheet.has(PromoteShare)
        && let Some(residual) = sheet.value(ResidualShare)
    {
        sheet.put(PromoteShare, 1.0 - residual);
    }
    if sheet.has(HurdleRate) && !sheet.has(SecondShare) {
        sheet.doubt("How is the cash split above the second hurdle?");
    }
    if !sheet.has(CatchUpShare) {
        sheet.deal.values.remove(&PromoteShare);
    }
    sheet.remark(
        "Capital and preferred return are shared pro rata to capital, and come back before any promote.",
    );
}

/// Pairs that make a hundred, "80/20", with where they stand.
fn hundreds(words: &Words) -> Vec<(usize, f64, f64)> {
    words
        .numbers()
        .filter_map(|at| {
            let joined = words.mark(at + 1, '/') || words.mark(at + 1, '-');
            let (first, second) = words.number(at).zip(words.number(at + 2)).filter(|_| joined)?;
            let whole = (first.value + second.value - 100.0).abs() <= 1e-9;
            whole.then_some((at, first.value, second.value))
        })
        .collect()
}

/// "90/10 LP/GP": a half of such a pair that stands beside a name is not that partner's share; the pair is read as one.
/// Returns where the pair stands that shares the capital by its names: "80/20 LP/GP on 6M of equity".
fn unpaired(words: &Words, sheet: &mut Sheet) -> Option<usize> {
    let mut shared = None;
    for (at, first, second) in hundreds(words) {
        let half = |value: f64| (value - first / 100.0).abs() < 1e-9 || (value - second / 100.0).abs() < 1e-9;
        for variable in [PartnersShare, SponsorShare] {
            if sheet.value(variable).is_some_and(half)
                && !(sheet.left.contains(&at) && sheet.left.contains(&(at + 2)))
            {
                sheet.deal.values.remove(&variable);
            }
        }
        let named = matches!(
            words.word(at + 3),
            "lp" | "lps" | "gp" | "sponsor" | "investor" | "investors"
        );
        let of_capital = named
            && at < 5
            && (at..at + 12).any(|place| matches!(words.word(place), "equity" | "capital" | "raise"));
        if of_capital && shared.is_none() && !sheet.has(PartnersShare) && !sheet.has(SponsorShare) {
            let turned = matches!(words.word(at + 3), "gp" | "sponsor");
            sheet.put(PartnersShare, if turned { second } else { first } / 100.0);
            // The amount beside the names is what both put in.
            if sheet.has(PartnersCapital) != sheet.has(SponsorCapital) {
                sheet.rename(PartnersCapital, Capital);
                sheet.rename(SponsorCapital, Capital);
            }
            shared = Some(at);
        }
    }
    shared
}

/// Capital and the shares of it, however they are given.
fn capital(sheet: &mut Sheet) {
    match (sheet.value(PartnersCapital), sheet.value(SponsorCapital)) {
        (Some(partners), Some(sponsor)) if partners + sponsor > 0.0 => {
            sheet.put(Capital, partners + sponsor);
            sheet.put(PartnersShare, partners / (partners + sponsor));
        }
        (Some(partners), None) if !sheet.has(Capital) => {
            if let Some(share) = sheet
                .value(PartnersShare)
                .or(sheet.value(SponsorShare).map(|share| 1.0 - share))
                .filter(|share| *share > 0.0)
            {
                sheet.put(Capital, partners / share);
            } else {
                sheet.put(Capital, partners);
                sheet.assume(
                    PartnersShare,
                    1.0,
                    "All capital is taken as the limited partners'.",
                );
            }
        }
        _ => {}
    }
    for variable in [PartnersCapital, SponsorCapital] {
        sheet.deal.values.remove(&variable);
    }
    let (partners, sponsor) = (sheet.value(PartnersShare), sheet.value(SponsorShare));
    sheet.deal.values.remove(&SponsorShare);
    match (partners, sponsor) {
        (Some(partners), Some(sponsor)) if (partners + sponsor - 1.0).abs() > 1e-6 => {
            sheet.doubt("The shares of the capital do not add up to 100%.");
        }
        (None, Some(sponsor)) => sheet.put(PartnersShare, 1.0 - sponsor),
        _ => {}
    }
}

/// The limited partners' part of a split; `rest`: of what is left, as it says itself.
#[derive(Clone, Copy)]
struct Split {
    part: f64,
    rest: bool,
}

/// "80/20", in order; one that speaks of the capital gives its shares. Returns the limited partners' parts.
fn splits(words: &Words, sheet: &mut Sheet, shared: Option<usize>) -> Vec<Split> {
    let mut found = Vec::new();
    for (at, first, second) in hundreds(words) {
        sheet.take(at);
        sheet.take(at + 2);
        if shared == Some(at) {
            continue;
        }
        let near =
            |names: &[&str]| (at.saturating_sub(4)..at + 8).any(|place| names.contains(&words.word(place)));
        let before =
            |names: &[&str]| (at.saturating_sub(5)..at).any(|place| names.contains(&words.word(place)));
        let turned = words.word(at + 3) == "gp" || words.word(at + 3) == "sponsor";
        let part = if turned { second } else { first } / 100.0;
        if !before(&[
            "then",
            "thereafter",
            "above",
            "after",
            "split",
            "promote",
            "remaining",
            "rest",
            "balance",
        ]) && near(&[
            "equity",
            "capital",
            "invest",
            "invested",
            "contribute",
            "contributed",
            "funded",
            "raise",
        ]) && !sheet.has(PartnersShare)
        {
            sheet.put(PartnersShare, part);
        } else {
            let rest = at.checked_sub(1).is_some_and(|last| {
                (last.saturating_sub(3)..=last).any(|place| {
                    words.number(place).is_none()
                        && matches!(
                            words.word(place),
                            "rest" | "balance" | "remaining" | "remainder" | "residual"
                        )
                })
            });
            found.push(Split { part, rest });
        }
    }
    if !found.is_empty() && !sheet.has(PartnersShare) {
        sheet.assume(
            PartnersShare,
            1.0,
            "All capital is taken as the limited partners'.",
        );
    }
    // What a split says is no doubt any more.
    if !found.is_empty() {
        sheet
            .deal
            .doubts
            .retain(|doubt| !doubt.starts_with("I am not sure how to read"));
    }
    found
}

/// "at the end of year 5".
fn years(words: &Words, sheet: &mut Sheet) {
    for at in words.numbers().collect::<Vec<_>>() {
        if let Some(number) = words.number(at)
            && number.shape == Shape::YearLabel
            && sheet.left.contains(&at)
        {
            sheet.take(at);
            if number.value >= 1.0 && !sheet.has(PrefYears) {
                sheet.put(PrefYears, number.value);
            }
        }
    }
    if !sheet.has(PrefYears)
        && let Some(year) = words.ordinal_year()
    {
        sheet.put(PrefYears, year);
    }
}
