//! Which side of the deal the money is on: words that name a payment or a receipt.
//!
//! Knows words alone. A verb outweighs a noun; what is bought falls at the start, works and fees fall when
//! their time is given.

use crate::flows::cues::{Cue, direction, gone_already, verb, word};
use crate::words::scan::{Kind, Shape, Token};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// What the deal costs: once, and at the start unless another time is given.
    Acquire,
    /// A verb of paying: what is joined to its amount is paid as well.
    Pay,
    /// Works, fees, taxes: paid at the time that is given.
    Spend,
    /// A verb of getting.
    Receive,
    /// A noun of income.
    Income,
    Sale,
}

impl Side {
    pub(crate) fn out(self) -> bool {
        matches!(self, Self::Acquire | Self::Pay | Self::Spend)
    }

    /// A verb, or a noun as plain as one.
    pub(crate) fn strong(self) -> bool {
        matches!(self, Self::Pay | Self::Receive | Self::Sale | Self::Spend)
    }
}

/// The side that the words at `at` name, and the token after them. `after` is the amount right before.
pub(crate) fn side(tokens: &[Token], at: usize, amount_before: bool) -> Option<(Side, usize)> {
    let here = word(tokens, at);
    let next = word(tokens, at + 1);
    let before = at.checked_sub(1).map_or("", |at| word(tokens, at));
    let one = |side| Some((side, at + 1));
    let two = |side| Some((side, at + 2));
    // "What NPV do I get if …" asks and receives nothing.
    let asks = at.checked_sub(2).map_or("", |at| word(tokens, at));
    // "What IRR did my client earn if she …".
    let asked = matches!(here, "get" | "earn" | "make" | "receive")
        && matches!(
            word(tokens, at + 1),
            "if" | "when" | "on" | "from" | "with" | "?" | "" | "for" | "out"
        )
        // "And will receive 30,000" tells; a question has its subject between.
        && tokens.get(at + 1).is_none_or(|next| next.number().is_none())
        && (2..=4).filter_map(|back| at.checked_sub(back)).any(|at| {
            matches!(
                word(tokens, at),
                "did" | "does" | "do" | "would" | "will" | "could"
            )
        });
    // "How many times their money did the partners get back who …".
    let got_back = here == "back"
        && before == "get"
        && (2..=6)
            .filter_map(|back| at.checked_sub(back))
            .any(|at| matches!(word(tokens, at), "did" | "do" | "does" | "will" | "would"));
    let gets_back = here == "get"
        && word(tokens, at + 1) == "back"
        && (1..=5)
            .filter_map(|back| at.checked_sub(back))
            .any(|at| matches!(word(tokens, at), "did" | "do" | "does" | "will" | "would"));
    if asked || got_back || gets_back {
        return None;
    }
    // "Cash flows to equity" names who gets them.
    if here == "equity"
        && before == "to"
        && matches!(
            asks,
            "flow"
                | "flows"
                | "cash"
                | "cashflow"
                | "cashflows"
                | "distribution"
                | "distributions"
                | "available"
                | "left"
        )
    {
        return None;
    }
    // "Wrote a 1.15m check".
    if matches!(here, "wrote" | "write" | "writes" | "writing")
        && (1..=3).any(|ahead| {
            tokens
                .get(at + ahead)
                .is_some_and(|token| token.number().is_some())
        })
    {
        return one(Side::Pay);
    }
    // "185,000 all in" names what it cost altogether.
    if here == "in" && before == "all" {
        return one(Side::Acquire);
    }
    if matches!(here, "get" | "earn" | "make" | "receive")
        && matches!(before, "i" | "we" | "you")
        && matches!(
            asks,
            "do" | "does" | "would" | "will" | "did" | "could" | "should" | "can"
        )
    {
        return None;
    }
    // "rents after costs", "net of fees", "after paying the loan": what is gone already.
    let gone = before == "after" || (before == "of" && asks == "net");
    // "For 214,000 after selling costs", "net of all brokerage fees".
    if matches!(
        here,
        "cost" | "costs" | "expenses" | "fees" | "selling" | "sale" | "sales" | "closing" | "exit"
    ) && gone_already(tokens, at)
    {
        return None;
    }
    // "after paying 1.9M for it" tells what was paid.
    let told = matches!(here, "paying") && tokens.get(at + 1).is_some_and(|next| next.number().is_some());
    if before == "all" && here == "cash" {
        return None;
    }
    // "Buys it for 185,000 cash." says how it is paid.
    let ends = tokens
        .get(at + 1)
        .is_none_or(|next| matches!(next.kind, Kind::Mark('.' | ',' | ';' | '?')) || next.word() == "today");
    if here == "cash" && amount_before && ends {
        return None;
    }
    if gone
        && !told
        && matches!(
            here,
            "cost" | "costs" | "expenses" | "fees" | "tax" | "taxes" | "paying" | "repaying" | "insurance"
        )
    {
        return None;
    }
    // "years 3 and 4 pay 500k each": a year that pays is a receipt, "in year 3 pay" is not.
    if matches!(here, "pay" | "pays") && labelled(tokens, at) {
        return one(Side::Receive);
    }
    match (here, next) {
        ("sale" | "resale" | "exit" | "selling" | "sales", "price" | "proceeds" | "value" | "amount") => {
            return two(Side::Sale);
        }
        (
            "sale" | "selling" | "sales" | "disposal" | "exit",
            "cost" | "costs" | "fee" | "fees" | "expenses",
        ) => return two(Side::Spend),
        ("purchase" | "buying" | "asking" | "acquisition" | "entry", "price" | "cost") => {
            return two(Side::Acquire);
        }
        (
            "initial" | "original" | "opening" | "upfront",
            "investment" | "cost" | "outlay" | "equity" | "capital" | "payment" | "outflow" | "price"
            | "layout",
        ) => {
            return two(Side::Acquire);
        }
        ("price", "paid") | ("equity" | "capital", "in" | "invested" | "contributed" | "contribution") => {
            return two(Side::Acquire);
        }
        // "LP capital 6M".
        ("capital", _)
            if before != "of"
                && (tokens.get(at + 1).is_some_and(|next| next.number().is_some())
                    || (next == "of" && tokens.get(at + 2).is_some_and(|next| next.number().is_some()))) =>
        {
            return one(Side::Acquire);
        }
        // "Equity in 5.2M, cash out 310k": out of the deal, to whoever put in.
        ("cash" | "money", "out")
            if tokens.get(at + 2).is_some_and(|next| next.number().is_some())
                && (1..at).any(|place| {
                    word(tokens, place) == "in"
                        && matches!(
                            word(tokens, place - 1),
                            "equity" | "cash" | "capital" | "money" | "put"
                        )
                }) =>
        {
            return two(Side::Receive);
        }
        ("capital" | "cash", "call" | "calls" | "contribution" | "contributions") => return two(Side::Pay),
        ("tenant", "improvements" | "improvement") => return two(Side::Spend),
        ("total", "cost") => return two(Side::Acquire),
        ("paid", "out")
            if matches!(
                word(tokens, at + 2),
                "today" | "now" | "initially" | "first" | "upfront"
            ) =>
        {
            return two(Side::Pay);
        }
        ("pay" | "pays" | "paid" | "paying" | "gives" | "gave" | "give", "back" | "out" | "us" | "me") => {
            return two(Side::Receive);
        }
        ("pay" | "put" | "puts" | "putting" | "paid", "in" | "into" | "down" | "up") => {
            return two(Side::Pay);
        }
        ("comes" | "come" | "coming" | "came", _) => {
            return match direction(tokens, at + 1, true) {
                Cue::In => two(Side::Receive),
                _ => one(Side::Receive),
            };
        }
        ("goes" | "go" | "going" | "went", "out" | "in" | "into") => return two(Side::Pay),
        ("get" | "gets" | "got" | "getting" | "took" | "take" | "takes" | "taking", "out") => {
            return two(Side::Receive);
        }
        // "I am out 95,000 today".
        ("am" | "is" | "are" | "was" | "were", "out")
            if tokens.get(at + 2).is_some_and(|next| next.number().is_some()) =>
        {
            return two(Side::Pay);
        }
        ("out", "the") if word(tokens, at + 2) == "door" => return Some((Side::Pay, at + 3)),
        ("hand" | "hands" | "handed", "over") => return two(Side::Pay),
        _ => {}
    }
    match here {
        "capex" | "roof" | "renovation" | "renovations" | "refurbishment" | "refurb" | "repair"
        | "repairs" | "rehab" | "fee" | "fees" | "tax" | "taxes" | "commission" | "commissions" | "works"
        | "upgrade" | "upgrades" | "fitout" | "expense" | "expenses" | "maintenance" | "tis"
        | "improvements" | "remediation" | "demolition" | "facelift" | "hvac" | "elevator" | "boiler"
        | "facade" | "legal" | "overrun" | "overruns" | "modernization" | "modernisation" | "refit"
        | "restoration" | "cleanup" | "reclamation" | "decommissioning" | "upkeep" | "insurance"
        | "retrofit" | "retrofits" | "installation" | "conversion" | "buildout" | "expansion" => {
            return one(Side::Spend);
        }
        "needs" | "requires" if tokens.get(at + 1).is_some_and(|next| next.number().is_some()) => {
            return one(Side::Pay);
        }
        // "The investors were paid 175k".
        "paid"
            if matches!(
                before,
                "been" | "were" | "was" | "got" | "get" | "gets" | "being" | "are"
            ) && tokens.get(at + 1).is_some_and(|next| next.number().is_some()) =>
        {
            return one(Side::Receive);
        }
        // "had to feed it 60k": what has to be done with money is paying, whatever the verb.
        "had" | "have" | "has" if next == "to" && obliged(tokens, at + 2) => return two(Side::Pay),
        // "I close today at 365,000".
        "close" | "closed" | "closing" | "closes" if bought_at(tokens, at + 1) => return one(Side::Acquire),
        "pays" | "paying" | "pay" | "paid" => {
            let subject = matches!(
                before,
                "it" | "they"
                    | "property"
                    | "tenant"
                    | "tenants"
                    | "bond"
                    | "deal"
                    | "investment"
                    | "fund"
                    | "which"
                    | "that"
                    | "building"
                    | "asset"
            );
            let person = matches!(
                before,
                "investor"
                    | "buyer"
                    | "lp"
                    | "who"
                    | "one"
                    | "he"
                    | "she"
                    | "client"
                    | "developer"
                    | "purchaser"
                    | "owner"
                    | "partner"
                    | "friend"
                    | "borrower"
                    | "company"
                    | "firm"
                    | "somebody"
                    | "someone"
            );
            let gets = subject || (here == "pays" && !person);
            return one(if gets { Side::Receive } else { Side::Pay });
        }
        "put" | "puts" | "spent" | "laid" | "sunk" | "sank" | "deposit" | "deposited" | "outflow" | "owe"
        | "owes" | "owed" | "outflows" | "drawdown" | "drawdowns" | "contribution" | "contributions"
        | "lent" => {
            return one(Side::Pay);
        }
        "buy" | "buys" | "bought" | "buying" | "purchase" | "purchased" | "purchasing" | "price"
        | "priced" | "cost" | "costs" | "costing" | "outlay" | "outlays" | "acquisition" | "acquire"
        | "acquired" | "acquiring" | "investment" | "equity" | "basis" => {
            return one(Side::Acquire);
        }
        "down" if amount_before => return one(Side::Acquire),
        "sell" | "sells" | "sold" | "selling" | "sale" | "resale" | "exit" | "disposal" | "disposition"
        | "reversion" | "residual" | "balloon" | "terminal" | "liquidation" => return one(Side::Sale),
        "get" | "gets" | "got" | "getting" | "back" | "threw" | "inflow" | "inflows" | "receipts"
        | "receipt" | "takes" | "adds" | "adding" | "saves" | "saving" | "savings" | "save" | "saved"
        | "saw" | "nets" | "netting" | "netted" | "cleared" | "clears" | "grossed" => {
            return one(Side::Receive);
        }
        "income" | "proceeds" | "rent" | "rents" | "cash" | "noi" | "dividend" | "dividends" | "coupon"
        | "coupons" | "distribution" | "distributions" | "flow" | "flows" | "cashflow" | "cashflows"
        | "revenue" | "interest" | "payout" | "payouts" | "principal" => {
            return one(Side::Income);
        }
        "take" | "took" | "taking" | "bring" | "brings" | "brought" | "pull" | "pulls" | "pulled"
            if word(tokens, at + 1) == "in" =>
        {
            return one(Side::Receive);
        }
        "in" | "out" => {
            return match direction(tokens, at, true) {
                Cue::Out => one(Side::Pay),
                Cue::In => one(Side::Receive),
                Cue::None => None,
            };
        }
        _ => {}
    }
    match verb(here) {
        Cue::Out => one(Side::Pay),
        Cue::In => one(Side::Receive),
        Cue::None => None,
    }
}

/// A verb after "had to" that an amount follows and that says no side itself.
fn obliged(tokens: &[Token], at: usize) -> bool {
    let own = side(tokens, at, false).is_some();
    let amount = (at + 1..at + 5)
        .take_while(|at| {
            tokens
                .get(*at)
                .is_some_and(|token| !token.is_mark(',') && token.word() != "and")
        })
        .any(|at| tokens.get(at).is_some_and(|token| token.number().is_some()));
    !own && amount && !matches!(word(tokens, at), "wait" | "settle" | "accept" | "take")
}

/// "at 365,000", "today at 365,000", "for $2.1m": the price at which a deal is closed.
fn bought_at(tokens: &[Token], at: usize) -> bool {
    let at = at + usize::from(matches!(word(tokens, at), "today" | "now"));
    matches!(word(tokens, at), "at" | "for")
        && tokens
            .get(at + 1)
            .and_then(Token::number)
            .is_some_and(|number| matches!(number.shape, Shape::Money | Shape::Plain) && !number.short)
}

/// A year is the subject right before.
fn labelled(tokens: &[Token], at: usize) -> bool {
    let mut back = at;
    let mut numbered = false;
    while let Some(before) = back.checked_sub(1).and_then(|at| tokens.get(at)) {
        match before.word() {
            "and" | "to" | "through" | "year" | "years" => {}
            "" if before.number().is_some() => numbered = true,
            "" if before.is_mark('-') || before.is_mark('&') => {}
            "in" | "at" | "during" | "of" | "after" => return false,
            _ => break,
        }
        back -= 1;
    }
    numbered
        && tokens.get(back..at).is_some_and(|own| {
            own.iter()
                .filter_map(Token::number)
                .all(|number| number.shape == Shape::YearLabel || number.short)
        })
}

/// Words that change an amount, its time or its meaning in a way that is not worked out here.
pub(crate) fn unread(token: &Token) -> bool {
    let Kind::Word(word) = &token.kind else {
        return false;
    };
    matches!(
        word.as_str(),
        "half"
            | "halves"
            | "third"
            | "thirds"
            | "twice"
            | "double"
            | "doubles"
            | "doubled"
            | "triple"
            | "except"
            | "excluding"
            | "unless"
            | "skip"
            | "skipping"
            | "skipped"
            | "miss"
            | "missed"
            | "missing"
            | "delayed"
            | "late"
            | "deferred"
            | "postponed"
            | "less"
            | "minus"
            | "average"
            | "averaging"
            | "between"
            | "inflation"
            | "cpi"
            | "indexed"
            | "index"
            | "forever"
            | "perpetuity"
            | "perpetual"
            | "perpetually"
            | "indefinitely"
            | "onwards"
            | "onward"
            | "until"
            | "till"
            | "midyear"
            | "mid"
            | "continuously"
            | "continuous"
            | "compounded"
            | "compounding"
            | "profit"
            | "profits"
            | "gain"
            | "gains"
            | "lose"
            | "loses"
            | "lost"
            | "losing"
            | "loss"
            | "losses"
            | "negative"
            | "shortfall"
            | "deficit"
            | "loan"
            | "mortgage"
            | "leverage"
            | "debt"
            | "borrow"
            | "borrowed"
            | "borrowing"
            | "weekly"
            | "daily"
            | "biweekly"
            | "semiannual"
            | "semiannually"
            | "semi"
            | "alternate"
            | "alternating"
            | "biennial"
            | "cut"
            | "fraction"
            | "remaining"
            | "rest"
            | "remainder"
            | "vacant"
            | "vacancy"
            | "or"
            | "either"
            | "instead"
            | "rather"
            | "waived"
            | "rebate"
            | "thousandfold"
    )
}
