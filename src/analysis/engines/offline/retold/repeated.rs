//! Flows that repeat, payments at once and payments of another length, in the words that the readers know.
//!
//! Each of them would otherwise be taken for another flow or another figure, so they are told before anything is read.

use crate::analysis::engines::offline::retold::finding::{has, number, word};
use crate::analysis::engines::offline::retold::pattern::{Edit, Pattern, Wording};
use crate::analysis::engines::offline::retold::timing::FLOWS;
use crate::analysis::engines::offline::words::scan::{Per, Shape, Token};

const NONE: &[&str] = &[];
#[rustfmt::skip]
const DEALS: &[&str] = &["noi", "coc", "dscr", "coverage", "rent", "rents", "irr", "sofr", "spread", "bps", "cash", "price", "then", "after", "ltv", "io"];

#[rustfmt::skip]
pub(super) const FIRST: &[Wording] = &[
    // A perpetuity or an annuity whose first payment is not a period away.
    Wording { says: &["starting|beginning|commencing|starts|begins|start today|now|immediately|straightaway", "starting|beginning|commencing|starts|begins at once|closing", "the? first payment|one|instalment|installment|amount|of|them? is|being|comes|falls|due|paid|payable? today|now|immediately"], told: "payments in advance", has: &["pv", "present"], lacks: &["irr", "npv", "loan", "mortgage", "noi", "rent"] },
    // Interest of another length than a month.
    Wording { says: &["interest only payment|payments|interest? per|a|each|every year|annum", "annual|yearly interest only payment|payments", "interest only payment|payments yearly|annually"], told: "simple interest for 1 year", has: NONE, lacks: DEALS },
    Wording { says: &["interest only payment|payments|interest? per|a|each|every quarter", "quarterly interest only payment|payments", "interest only payment|payments quarterly"], told: "simple interest for 3 months", has: NONE, lacks: DEALS },
    // All payments of a year.
    Wording { says: &["loan|mortgage|debt? payments for|over|in|across the|a|one? whole|full|entire|complete year", "a|one full|whole|entire year of|of? loan|mortgage? payments"], told: "annual debt service", has: NONE, lacks: &["noi", "coc", "dscr", "coverage", "rent", "rents", "irr", "month", "monthly", "total"] },
    // Costs that are paid from equity are part of it anyway.
    Wording { says: &["which are? paid|funded|covered|met from|with|by|out our|the? equity", "paid|funded|covered|met from|with|by|out our|the? equity"], told: "", has: &["coc", "cash"], lacks: &["loan", "mezz"] },
];

pub(super) fn edits(tokens: &[Token]) -> Vec<Edit> {
    if !has(tokens, FLOWS) {
        return Vec::new();
    }
    let mut edits = between_years(tokens);
    edits.extend(both_paid(tokens));
    edits.extend(paid_after(tokens));
    edits.extend(first_in_a_year(tokens));
    edits
}

/// "100k a year starting in year 2 through year 6", "100k a year from year 3 to year 7": in each of these years.
fn between_years(tokens: &[Token]) -> Vec<Edit> {
    let wording = Pattern::read(
        "starting|beginning|commencing|from|starts in|from|at|with? the? end? of? year|yr #l through|to|until|till|thru|and|up to? ending? in|the? end? of? year|yr #l",
    );
    if has(
        tokens,
        &[
            "growing",
            "grows",
            "rising",
            "increasing",
            "loan",
            "mortgage",
            "rent",
            "noi",
        ],
    ) {
        return Vec::new();
    }
    let mut edits = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(found) = wording.at(tokens, at) else {
            at += 1;
            continue;
        };
        let years: Vec<f64> = found
            .numbers
            .iter()
            .filter_map(|at| number(tokens, *at))
            .map(|number| number.value)
            .collect();
        let amount = at.checked_sub(1).and_then(|at| number(tokens, at));
        if let [first, last] = years.as_slice()
            && amount.is_some_and(|amount| amount.per == Some(Per::Year))
            && first < last
        {
            edits.push(Edit {
                from: at,
                to: found.to,
                told: format!("in years {first} through {last}"),
            });
        }
        at = found.to;
    }
    edits
}

/// "We put in 300k at close and 20k every year": both go in.
fn both_paid(tokens: &[Token]) -> Vec<Edit> {
    let wordings = [
        Pattern::read(
            "put|puts|putting|pay|paying|pays in #$ at|on? the? closing|close|now|today|upfront|initially|start|outset? and|plus another|a|further? #$",
        ),
        Pattern::read(
            "contribute|contributes|contributing|inject|injects #$ at|on? the? closing|close|now|today|upfront|initially|start|outset? and|plus another|a|further? #$",
        ),
    ];
    (0..tokens.len())
        .filter_map(|at| {
            let found = wordings.iter().find_map(|wording| wording.at(tokens, at))?;
            let second = *found.numbers.get(1)?;
            number(tokens, second).filter(|number| number.per == Some(Per::Year))?;
            let joined = (at..second).rfind(|at| matches!(word(tokens, *at), "and" | "plus"))?;
            Some(Edit {
                from: joined,
                to: joined + 1,
                told: "and put in".to_owned(),
            })
        })
        .collect()
}

/// "I receive 90k a year for 8 years and pay 500k at the end": that goes out.
fn paid_after(tokens: &[Token]) -> Vec<Edit> {
    let received = has(
        tokens,
        &[
            "receive",
            "receives",
            "receiving",
            "received",
            "collect",
            "collects",
            "get",
            "earn",
        ],
    );
    let own = has(tokens, &["i", "we"]);
    if !received
        || !own
        || has(
            tokens,
            &[
                "loan", "mortgage", "rent", "noi", "us", "me", "it", "they", "pays",
            ],
        )
    {
        return Vec::new();
    }
    let pay = Pattern::read("and|but|then pay|paying|repay|repaying #$");
    (0..tokens.len())
        .filter(|at| pay.at(tokens, *at).is_some())
        .map(|at| Edit {
            from: at + 1,
            to: at + 2,
            told: "invest".to_owned(),
        })
        .collect()
}

/// "First flow one year from now": a net present value as the function of a spreadsheet takes it.
fn first_in_a_year(tokens: &[Token]) -> Vec<Edit> {
    if !has(tokens, &["npv"]) || has(tokens, &["t", "perpetuity", "forever"]) {
        return Vec::new();
    }
    let wordings = [
        Pattern::read(
            "with? the? very? first|initial cash? amount|flow|payment|one|outlay|cashflow? is|being|comes|falls|paid|due|arriving|coming|occurring? paid|due? in|exactly? a year from|after now|today",
        ),
        Pattern::read(
            "with? the? very? first|initial cash? amount|flow|payment|one|outlay|cashflow? is|being|comes|falls|paid|due|arriving|coming|occurring? paid|due? in|exactly? #y from|after|out|hence now|today?",
        ),
        Pattern::read(
            "with? the? very? first|initial cash? amount|flow|payment|one|outlay|cashflow? is|being|comes|falls|paid|due|arriving|coming|occurring? at|in the? end of the? first year|period",
        ),
    ];
    // "Every flow lands at a year end, including the first one".
    let all = [
        Pattern::read(
            "so|where|with|and|since|because? every|each|all|the of? the? cash? flow|flows|amount|amounts|payment|payments lands|land|falls|fall|comes|come|is|are|arrives|arrive|landing|falling|being|treated|booked|due? at|on|in the|a|each|its? year|period end|ends ,|(? including|even|also|incl|starting|beginning with? the? very? first|initial flow|one|amount|outlay|outflow|investment|payment? )? :?",
        ),
        Pattern::read(
            "including the? very? first|initial flow|one|amount|outlay|outflow|investment|payment at|on|in the|a|its? year|period end|ends :?",
        ),
    ];
    let wordings: Vec<Pattern> = wordings.into_iter().chain(all).collect();
    let Some((at, found)) = (0..tokens.len()).find_map(|at| {
        let found = wordings.iter().find_map(|wording| wording.at(tokens, at))?;
        Some((at, found))
    }) else {
        return Vec::new();
    };
    let one = found.numbers.iter().all(|at| {
        number(tokens, *at).is_some_and(|number| number.shape == Shape::Years && number.value == 1.0)
    });
    // Years that are named place the flows themselves.
    let labelled = tokens
        .iter()
        .filter_map(Token::number)
        .any(|number| number.shape == Shape::YearLabel);
    if !one || labelled {
        return Vec::new();
    }
    vec![Edit {
        from: at,
        to: found.to,
        told: "as Excel's NPV".to_owned(),
    }]
}
