//! Amounts that a question tells in words, told again as amounts: a sale "at cost", "30% down", a part that its whole
//! already holds.
//!
//! Takes only what has one meaning; whatever else stands in the question stays as it is.

use crate::read::vocabulary::matches;
use crate::say::format;
use crate::words::scan::{Number, Shape, Token};

/// A stretch of the question and what stands in its place.
struct Edit {
    from: usize,
    to: usize,
    told: String,
    why: String,
}

/// The question in plain amounts, and what was put in their place.
pub(crate) fn told(text: &str, tokens: &[Token]) -> Option<(String, String)> {
    let mut edits: Vec<Edit> = Vec::new();
    edits.extend(sale_at_cost(tokens));
    edits.extend(held_parts(tokens));
    edits.extend(neutral(tokens));
    edits.extend(down_payment(tokens).unwrap_or_default());
    edits.extend(share_of(tokens));
    if edits.is_empty() {
        return None;
    }
    edits.sort_by_key(|edit| edit.from);
    let mut question = String::new();
    let mut at = 0;
    for edit in &edits {
        question.push_str(text.get(at..edit.from)?);
        question.push_str(&edit.told);
        at = edit.to;
    }
    question.push_str(text.get(at..)?);
    let why: Vec<&str> = edits
        .iter()
        .map(|edit| edit.why.as_str())
        .filter(|why| !why.is_empty())
        .collect();
    Some((question, why.join(" ")))
}

fn edit(tokens: &[Token], from: usize, to: usize, told: String, why: String) -> Option<Edit> {
    Some(Edit {
        from: tokens.get(from)?.start,
        to: tokens.get(to.checked_sub(1)?)?.end,
        told,
        why,
    })
}

#[rustfmt::skip]
const AT_COST: &[&str] = &[
    "at cost", "at par", "at our cost", "at its cost", "for what we paid", "for what i paid", "for what was paid", "at what we paid",
    "for what it cost", "for what it cost us", "for the same price", "at the same price", "for the same amount", "at purchase price", "at the purchase price",
    "for the purchase price", "at the price paid", "for the price paid", "at our purchase price", "at the original price", "at acquisition cost", "at acquisition price",
    "equal to cost", "equal to our cost", "equal to the cost", "equal to purchase price", "equal to the purchase price", "equal to the price paid", "equals the purchase price",
    "equals cost", "equal to what we paid", "for exactly what we paid", "for its cost", "for cost", "at our basis", "for the price we paid", "at the price we paid",
];
const SALES: &[&str] = &[
    "sell",
    "sells",
    "sold",
    "selling",
    "sale",
    "resale",
    "resell",
    "reversion",
    "exit",
    "exits",
    "exiting",
    "residual",
    "terminal",
];
const BOUGHT: &[&str] = &[
    "buy",
    "buying",
    "bought",
    "pay",
    "paying",
    "paid",
    "price",
    "invest",
    "investing",
    "invested",
    "purchase",
    "purchased",
    "purchasing",
    "acquire",
    "acquired",
    "acquiring",
    "cost",
    "outlay",
    "investment",
];

/// "As a % of", "in % of": the sign stands for the word.
fn share_of(tokens: &[Token]) -> Option<Edit> {
    let at = tokens.iter().position(|token| token.is_mark('%'))?;
    let before = at
        .checked_sub(1)
        .and_then(|at| tokens.get(at))
        .map_or("", Token::word);
    let after = tokens.get(at + 1).map_or("", Token::word);
    let sign = tokens.get(at)?;
    (matches!(before, "a" | "as" | "in" | "what" | "which") && after == "of").then(|| Edit {
        from: sign.start,
        to: sign.end,
        told: "percentage".to_owned(),
        why: String::new(),
    })
}

/// "and sell at cost": for what was paid.
fn sale_at_cost(tokens: &[Token]) -> Option<Edit> {
    // Equity and a loan are another price than the property's.
    let levered = tokens.iter().any(|token| {
        matches!(
            token.word(),
            "loan" | "mortgage" | "ltv" | "debt" | "equity" | "lp" | "gp"
        )
    });
    let sold = tokens.iter().any(|token| SALES.contains(&token.word()));
    if levered || !sold {
        return None;
    }
    let (at, to) = (0..tokens.len()).find_map(|at| Some((at, phrase(tokens, at, AT_COST)?)))?;
    let sale = (1..=7)
        .map_while(|back| at.checked_sub(back))
        .take_while(|at| !tokens.get(*at).is_some_and(|token| token.is_mark('.')))
        .any(|at| SALES.contains(&word(tokens, at)));
    if !sale {
        return None;
    }
    let mut paid: Vec<f64> = Vec::new();
    for place in 0..tokens.len() {
        let Some(number) = number(tokens, place).filter(|number| lump(number)) else {
            continue;
        };
        let before = (1..=4)
            .map_while(|back| place.checked_sub(back))
            .take_while(|at| self::number(tokens, *at).is_none())
            .any(|at| BOUGHT.contains(&word(tokens, at)));
        let after = BOUGHT.contains(&word(tokens, place + 1));
        if before || after {
            paid.push(number.value);
        }
    }
    let [paid] = paid.as_slice() else { return None };
    let amount = money(*paid);
    let preposition = if word(tokens, at) == "equal" || word(tokens, at) == "equals" {
        "of"
    } else {
        "for"
    };
    edit(
        tokens,
        at,
        to,
        format!("{preposition} {amount}"),
        format!("The sale brings what was paid, {amount}."),
    )
}

/// Words of a part that is of the same kind as its whole: to leave it out of the telling changes no sum.
#[rustfmt::skip]
const SAME_KIND: &[&str] = &[
    "return", "returns", "capital", "profit", "profits", "gain", "gains", "sale", "proceeds", "operations", "operating", "operational", "cash", "flow", "income",
    "fee", "fees", "closing", "costs", "cost", "acquisition", "transaction", "legal", "due", "diligence", "stamp", "duty", "brokerage", "broker", "taxes",
    "dividends", "dividend", "interim", "final", "annual", "distributions", "distribution", "parking", "laundry", "storage", "garage", "rent", "rents", "rental",
    "retail", "office", "residential", "insurance", "utilities", "payroll", "repairs", "maintenance", "management", "marketing", "recoveries", "reimbursements",
    "premiums", "equipment", "works", "upfront", "refinancing", "refi", "principal", "yield", "transfer",
];
#[rustfmt::skip]
const FILLING: &[&str] = &[
    "of", "is", "are", "was", "were", "from", "in", "for", "the", "a", "an", "as", "its", "our", "some", "about", "comes", "came", "come", "being", "to", "and", "which",
];

/// "9m, of which 4m is return of capital": the whole counts.
fn held_parts(tokens: &[Token]) -> Vec<Edit> {
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    if !has(&["multiple", "moic", "irr", "npv", "emx", "em"]) || has(&["lp", "gp", "promote", "waterfall"]) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 1;
    while at < tokens.len() {
        match held_part(tokens, at) {
            Some((from, to)) => {
                found.extend(edit(
                    tokens,
                    from,
                    to,
                    String::new(),
                    "A part that is named with its whole is counted once.".to_owned(),
                ));
                at = to;
            }
            None => at += 1,
        }
    }
    found
}

/// The stretch from the phrase (with a comma or bracket before it) to the end of its clause.
fn held_part(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    const PARTS: &[&str] = &[
        "of which",
        "thereof",
        "whereof",
        "including",
        "incl",
        "inclusive of",
        "which includes",
        "net of",
    ];
    let start = phrase(tokens, at, PARTS)?;
    let mark = |at: usize, mark: char| tokens.get(at).is_some_and(|token| token.is_mark(mark));
    let open = mark(at - 1, '(') || mark(at - 1, ',');
    let whole = (1..=3)
        .filter_map(|back| at.checked_sub(back))
        .find_map(|at| number(tokens, at))
        .filter(|number| lump(number))?;
    let mut parts = 0.0;
    let mut to = start;
    while let Some(token) = tokens.get(to) {
        let last = [',', '.', ';', ':', '?', ')']
            .iter()
            .any(|mark| token.is_mark(*mark));
        let joined = matches!(token.word(), "and" | "but" | "then" | "plus");
        let more = number(tokens, to + 1).is_some();
        if last || (joined && !more) {
            break;
        }
        match token.number() {
            Some(number) if lump(number) => parts += number.value,
            Some(_) => return None,
            None if SAME_KIND.contains(&token.word()) || FILLING.contains(&token.word()) => {}
            None => return None,
        }
        to += 1;
    }
    if parts <= 0.0 || parts >= whole.value {
        return None;
    }
    let closed = mark(at - 1, '(') && mark(to, ')');
    // "1m including 50k fees and 80k a year": the comma before the phrase goes with it.
    let from = at - usize::from(open);
    Some((from, to + usize::from(closed)))
}

/// What never belongs to operating expenses or NOI, and land beside a depreciable basis.
#[rustfmt::skip]
const BELOW: &[&str] = &[
    "reserves", "reserve", "replacement", "debt", "service", "depreciation", "capex", "capital", "expenditures", "expenditure", "interest", "mortgage", "payments", "financing",
    "amortization", "income", "tax", "and", "or", "any", "the", "all", "of", "course",
];
#[rustfmt::skip]
const NO_LAND: &[&str] = &[
    "land", "the", "already", "stripped", "out", "excluded", "removed", "taken", "off", "set", "aside", "separated", "carved", "backed", "excluding", "without", "ex", "net", "of", "having",
    "been", "with",
];

/// "Operating expenses, before reserves and debt service, came to 1.3m", "the depreciable basis (land already
/// excluded)": an aside without a number that says what the amount is by definition.
fn neutral(tokens: &[Token]) -> Vec<Edit> {
    let mark = |at: usize, among: &[char]| {
        tokens
            .get(at)
            .is_some_and(|token| among.iter().any(|mark| token.is_mark(*mark)))
    };
    let near = |at: usize, words: &[&str]| {
        (1..=5)
            .map_while(|back| at.checked_sub(back))
            .any(|at| words.contains(&word(tokens, at)))
    };
    let mut found = Vec::new();
    for at in 1..tokens.len() {
        if !mark(at, &[',', '(']) {
            continue;
        }
        let Some(to) = (at + 2..at + 10).find(|to| mark(*to, &[',', ')'])) else {
            continue;
        };
        let own = at + 1..to;
        let all = |from: usize, words: &[&str]| (from..to).all(|at| words.contains(&word(tokens, at)));
        let below = near(at, &["expenses", "opex", "costs", "noi"])
            && matches!(word(tokens, at + 1), "before" | "excluding" | "excl" | "ex")
            && to > at + 2
            && all(at + 2, BELOW);
        let land = near(at, &["basis", "depreciable"])
            && own.clone().any(|at| word(tokens, at) == "land")
            && all(at + 1, NO_LAND)
            && own.len() >= 2;
        if below || land {
            found.extend(edit(tokens, at, to + 1, " ".to_owned(), String::new()));
        }
    }
    found
}

/// "10m with 30% down": the rest is borrowed.
fn down_payment(tokens: &[Token]) -> Option<Vec<Edit>> {
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word()));
    let owed = has(&[
        "payment", "payments", "debt", "dscr", "mortgage", "interest", "ltv", "balance", "loan", "borrow",
        "finance", "p&i",
    ]);
    let told = has(&["ltv", "equity"]) || loan_given(tokens);
    if !owed || told || has(&["lp", "gp", "waterfall"]) {
        return None;
    }
    let mut prices: Vec<(usize, f64, bool)> = Vec::new();
    for at in 0..tokens.len() {
        let Some(number) = number(tokens, at).filter(|number| lump(number) && number.value >= 10_000.0)
        else {
            continue;
        };
        if down(tokens, at).is_some() {
            continue;
        }
        let near = (1..=4)
            .map_while(|back| at.checked_sub(back))
            .take_while(|at| self::number(tokens, *at).is_none())
            .any(|at| BOUGHT.contains(&word(tokens, at)) || word(tokens, at) == "priced");
        let after = (1..=2).any(|ahead| {
            matches!(
                word(tokens, at + ahead),
                "property" | "building" | "purchase" | "house" | "asset" | "price" | "deal" | "acquisition"
            )
        });
        if near || after {
            prices.push((at, number.value, near));
        }
    }
    let [(place, price, named)] = prices.as_slice() else {
        return None;
    };
    let (from, to, paid) = (0..tokens.len()).find_map(|at| {
        let number = number(tokens, at)?;
        let (from, to) = down(tokens, at)?;
        let paid = match number.shape {
            Shape::Percent => price * number.value / 100.0,
            _ if lump(number) && number.value >= 1000.0 => number.value,
            _ => return None,
        };
        Some((from, to, paid))
    })?;
    if paid <= 0.0 || paid >= *price {
        return None;
    }
    let loan = money(price - paid);
    let mut edits = vec![edit(
        tokens,
        from,
        to,
        format!("a loan of {loan}"),
        format!(
            "The loan is the price less the down payment of {}: {loan}.",
            money(paid)
        ),
    )?];
    if !named {
        let start = tokens.get(*place)?.start;
        edits.push(Edit {
            from: start,
            to: start,
            told: "price ".to_owned(),
            why: String::new(),
        });
    }
    Some(edits)
}

/// A loan with an amount of its own.
fn loan_given(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        matches!(
            word(tokens, at),
            "loan" | "mortgage" | "borrow" | "borrowing" | "note" | "debt"
        ) && (1..=3)
            .take_while(|ahead| {
                matches!(word(tokens, at + ahead), "of" | "is" | "for" | "a" | "")
                    || number(tokens, at + ahead).is_some()
            })
            .any(|ahead| {
                number(tokens, at + ahead).is_some_and(|number| lump(number) && number.value >= 10_000.0)
            })
    }) || (0..tokens.len()).any(|at| {
        number(tokens, at).is_some_and(|number| lump(number) && number.value >= 10_000.0)
            && matches!(word(tokens, at + 1), "loan" | "mortgage" | "note" | "debt")
    })
}

/// "30% down", "down payment of 1.5m": the tokens of the phrase around the number.
fn down(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let ahead = at + 1 + usize::from(word(tokens, at + 1) == "as");
    let ahead = ahead + usize::from(matches!(word(tokens, ahead), "a" | "the"));
    if word(tokens, ahead) == "down"
        || word(tokens, ahead) == "downpayment"
        || word(tokens, ahead) == "deposit"
    {
        let to = ahead + 1 + usize::from(word(tokens, ahead + 1) == "payment");
        let from = at
            - usize::from(
                at > 0
                    && matches!(
                        word(tokens, at - 1),
                        "a" | "put" | "putting" | "puts" | "pay" | "paying"
                    ),
            );
        return Some((from, to));
    }
    let mut back = at.checked_sub(1)?;
    while back > 0
        && (matches!(word(tokens, back), "of" | "is" | "a" | "at") || tokens.get(back)?.is_mark(':'))
    {
        back -= 1;
    }
    let start = match (
        back.checked_sub(1).map_or("", |at| word(tokens, at)),
        word(tokens, back),
    ) {
        ("down", "payment") => back - 1,
        (_, "downpayment") => back,
        ("put" | "putting" | "pay" | "paying", "down") => back - 1,
        _ => return None,
    };
    let start = start - usize::from(start > 0 && matches!(word(tokens, start - 1), "a" | "our" | "the"));
    Some((start, at + 1))
}

fn lump(number: &Number) -> bool {
    matches!(number.shape, Shape::Money | Shape::Plain)
        && (number.value >= 100.0 || number.scaled || number.dollars)
        && number.per.is_none()
        && number.base.is_none()
        && !number.doubtful
        && !number.foreign
}

fn phrase(tokens: &[Token], at: usize, phrases: &[&str]) -> Option<usize> {
    let first = word(tokens, at).chars().next()?;
    phrases
        .iter()
        .filter(|phrase| phrase.starts_with(first))
        .filter_map(|phrase| {
            let parts: Vec<&str> = phrase.split(' ').collect();
            matches(tokens, at, &parts)
        })
        .max()
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::word)
}

fn number(tokens: &[Token], at: usize) -> Option<&Number> {
    tokens.get(at).and_then(Token::number)
}

fn money(value: f64) -> String {
    format!("${}", format::plain(value, 2).replace(',', ""))
}
