//! What is asked for: which of the named variables the question wants, and questions that nothing
//! here can compute.
//!
//! Knows words and their order, no values.

use crate::read::fitting;
use crate::read::handing::handed;
use crate::read::vocabulary::Mention;
use crate::words::scan::{Shape, Token};
use finance::variable::Variable;

/// How strongly a mention is asked for: 0 is "just named".
pub(crate) fn weight(tokens: &[Token], mentions: &[Mention], mention: &Mention) -> u8 {
    if mention.verb || mention.variable.is_none() {
        return 0;
    }
    let before = mention
        .from
        .checked_sub(1)
        .and_then(|at| tokens.get(at))
        .map_or("", Token::word);
    if matches!(
        before,
        "after" | "before" | "net" | "excluding" | "including" | "less" | "no" | "without" | "any"
    ) {
        return 0;
    }
    // "at our house cap rate" refers to a value that is written down.
    let near = tokens
        .get(mention.from.saturating_sub(5)..mention.from)
        .unwrap_or_default();
    if house(tokens, mention)
        && near
            .iter()
            .any(|token| matches!(token.word(), "at" | "using" | "with" | "use" | "on" | "apply"))
    {
        return 0;
    }
    if asked_before(tokens, mention.from) {
        return 3;
    }
    // "…, monthly payments" says how it is paid.
    if tokens.get(mention.from..mention.to).is_some_and(|own| {
        own.iter().any(|token| {
            matches!(
                token.word(),
                "payments" | "pmts" | "instalments" | "installments" | "repayments"
            )
        })
    }) {
        return 0;
    }
    // What has its number beside it is given.
    if valued_before(tokens, mentions, mention) {
        return 0;
    }
    if ends_question(tokens, mention.to) {
        return 3;
    }
    if matches!(mention.variable, Some(Variable::Value))
        && tokens.get(mention.from).is_some_and(|t| t.word() == "worth")
    {
        return 2;
    }
    if valued_after(tokens, mentions, mention) {
        return 0;
    }
    u8::from(starts_sentence(tokens, mention.from)) * 2
}

/// "our house cap rate", "our minimum DSCR", "our hurdle rate": a value that is written down.
pub(crate) fn house(tokens: &[Token], mention: &Mention) -> bool {
    let near = tokens
        .get(mention.from.saturating_sub(4)..mention.from)
        .unwrap_or_default();
    let has = |words: &[&str]| near.iter().any(|token| words.contains(&token.word()));
    let limit = has(&["our"])
        && (has(&["minimum", "min", "maximum", "max", "target", "required"])
            || mention.variable == Some(Variable::DiscountRate));
    has(&["house", "standard", "usual", "policy", "default"]) || limit
}

fn fits(tokens: &[Token], at: usize, mention: &Mention) -> bool {
    tokens
        .get(at)
        .and_then(Token::number)
        .zip(mention.variable)
        .is_some_and(|(number, variable)| fitting::fits(variable, number))
}

/// "NOI 600k", "NOI per month: 50k".
fn valued_after(tokens: &[Token], mentions: &[Mention], mention: &Mention) -> bool {
    let mut at = mention.to;
    let mut colon = false;
    while let Some(token) = tokens.get(at).filter(|_| at < mention.to + 5) {
        let dated = token.word() == "for"
            && tokens
                .get(at + 1)
                .is_some_and(|next| matches!(next.word(), "the" | "last" | "this" | "that"))
            || (matches!(token.word(), "the" | "last" | "this" | "that")
                && tokens
                    .get(at + 1)
                    .is_some_and(|next| matches!(next.word(), "month" | "year" | "quarter")));
        let skips = dated
            || matches!(
                token.word(),
                "of" | "is"
                    | "are"
                    | "was"
                    | "were"
                    | "been"
                    | "will"
                    | "be"
                    | "per"
                    | "month"
                    | "monthly"
                    | "quarter"
                    | "year"
            )
            || token.is_mark('=')
            || token.is_mark(':')
            || token.is_mark('/')
            || token.is_mark('(')
            || token.is_mark(')');
        if !skips {
            break;
        }
        colon = colon || token.is_mark(':');
        at += 1;
    }
    // "Value: 918k NOI …" names what is asked, then another quantity with its number.
    let anothers = mentions.iter().any(|other| other.from == at + 1);
    fits(tokens, at, mention) && !(colon && anothers)
}

/// "on 1.482m forward NOI", "$338,000 in NOI".
fn valued_before(tokens: &[Token], mentions: &[Mention], mention: &Mention) -> bool {
    let mut at = mention.from;
    for _ in 0..3 {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        at = before;
        let skips = tokens.get(at).is_some_and(|token| {
            matches!(
                token.word(),
                "forward"
                    | "annual"
                    | "in"
                    | "of"
                    | "trailing"
                    | "t12"
                    | "stabilized"
                    | "underwritten"
                    | "uw"
                    | "current"
                    | "net"
            ) || token
                .number()
                .is_some_and(|number| matches!(number.shape, Shape::Years | Shape::Months))
                || token.is_mark('-')
        });
        if !skips {
            break;
        }
    }
    // "NOI 900000 value?": the number may belong to the name before it.
    let claimed = mentions.iter().any(|other| other.to == at)
        || at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|token| {
                matches!(token.word(), "of" | "is" | "was") || token.is_mark(':') || token.is_mark('=')
            });
    fits(tokens, at, mention) && !claimed
}

/// "what is the monthly …", "calculate …", "need the …".
pub(crate) fn asked_before(tokens: &[Token], from: usize) -> bool {
    for back in 1..=6 {
        let Some(token) = from.checked_sub(back).and_then(|at| tokens.get(at)) else {
            return false;
        };
        match token.word() {
            "what" | "whats" | "wat" | "which" | "calculate" | "compute" | "find" | "determine"
            | "estimate" | "solve" | "show" | "tell" | "give" | "figure" | "work" | "need" | "want"
            | "know" | "check" => return true,
            "much" | "many" | "big" | "high" => {
                return from
                    .checked_sub(back + 1)
                    .and_then(|at| tokens.get(at))
                    .is_some_and(|t| t.word() == "how");
            }
            "is" | "the" | "our" | "my" | "a" | "an" | "me" | "for" | "out" | "be" | "would" | "will"
            | "are" | "does" | "do" | "i" | "we" | "us" | "to" | "monthly" | "annual" | "annually"
            | "yearly" | "year" | "first" | "one" | "remaining" | "max" | "maximum" | "implied" | "going"
            | "in" | "simple" | "project" | "levered" | "unlevered" | "total" | "loan" | "new" | "and"
            | "effective" | "resulting" | "that" | "this" | "its" | "their" | "your" | "s" | "likely"
            | "current" | "still" | "could" | "can" | "should" | "get" | "kind" | "of" | "sort"
            | "required" | "minimum" | "as" | "borrower" | "buyer" | "lender" | "client" | "investor"
            | "owner" | "landlord" | "seller" | "partners" | "investors" => {}
            _ => return false,
        }
    }
    false
}

/// "… DSCR?", "value pls", "… LTV".
pub(crate) fn ends_question(tokens: &[Token], to: usize) -> bool {
    for ahead in 0..5 {
        let Some(token) = tokens.get(to + ahead) else {
            return true;
        };
        if token.is_mark('?') {
            return true;
        }
        match token.word() {
            "is" | "that" | "would" | "be" | "do" | "does" | "we" | "i" | "get" | "have" | "this"
            | "imply" | "please" | "pls" | "plz" | "here" | "there" | "then" | "it" | "look" | "like"
            | "looking" | "are" | "will" | "to" | "at" | "now" | "today" | "rate" | "ratio" | "return"
            | "thanks" | "thx" | "on" | "for" | "the" | "deal" | "annual" | "annually" | "per" | "annum"
            | "year" | "a" => {}
            _ if token.is_mark('(') => return remark_ends(tokens, to + ahead),
            // The question may follow: "I pay 5,200 on the mortgage. What is …?"
            _ if token.is_mark('.') || token.is_mark('!') => {
                return !tokens.iter().skip(to + ahead).any(|later| {
                    later.is_mark('?') || matches!(later.word(), "what" | "what's" | "whats" | "how")
                });
            }
            _ => return false,
        }
    }
    false
}

/// "(annual)?" with words only.
fn remark_ends(tokens: &[Token], open: usize) -> bool {
    let Some(close) = (open..open + 7).find(|at| tokens.get(*at).is_some_and(|token| token.is_mark(')')))
    else {
        return false;
    };
    let words_only = tokens
        .get(open..close)
        .is_some_and(|inner| inner.iter().all(|token| token.number().is_none()));
    words_only
        && tokens
            .get(close + 1)
            .is_none_or(|next| next.is_mark('?') || next.is_mark('.'))
}

fn starts_sentence(tokens: &[Token], from: usize) -> bool {
    for back in 1..=4 {
        let Some(token) = from.checked_sub(back).and_then(|at| tokens.get(at)) else {
            return true;
        };
        match token.word() {
            "the" | "monthly" | "annual" | "and" | "our" | "my" | "first" | "year" | "levered"
            | "unlevered" | "hi" | "hello" | "hey" | "please" | "pls" | "ok" | "okay" | "so" | "quick"
            | "then" | "one" | "now" => {}
            _ => return token.is_mark('.') || token.is_mark('?') || token.is_mark('!') || token.is_mark(':'),
        }
    }
    false
}

/// "Biweekly? No", "not biweekly": what is named only to be put aside.
fn denied(tokens: &[Token], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
    let answered = tokens
        .get(at + 1)
        .is_some_and(|next| next.is_mark('?') || next.is_mark(',') || next.is_mark(':'))
        && word(Some(at + 2)) == "no";
    answered
        || matches!(word(at.checked_sub(1)), "not" | "no" | "without" | "never")
        || (matches!(word(at.checked_sub(1)), "a" | "an" | "any")
            && matches!(word(at.checked_sub(2)), "not" | "without"))
}

/// "The forecast NOI is $542,750": what is expected is given with its amount.
fn assumed(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let noun = matches!(
        word(at + 1),
        "net"
            | "noi"
            | "income"
            | "operating"
            | "rent"
            | "revenue"
            | "cash"
            | "expenses"
            | "egi"
            | "first"
            | "stabilized"
    );
    let given = (at + 2..at + 14)
        .take_while(|at| !tokens.get(*at).is_some_and(|token| token.is_mark('?')))
        .filter_map(|at| tokens.get(at).and_then(Token::number))
        .any(|number| number.value >= 1000.0 && !number.short);
    // "A property is forecast to produce NOI of …".
    let passive = word(at + 1) == "to" && matches!(word(at.saturating_sub(1)), "is" | "are" | "was" | "were");
    (noun || passive) && given
}

/// A family of questions that is known but not computed, named for people.
pub(crate) fn unsupported(tokens: &[Token]) -> Option<&'static str> {
    // "before-tax cash flow" leaves the taxes out.
    let before_tax = |at: usize| {
        (1..=2)
            .filter_map(|back| at.checked_sub(back).and_then(|at| tokens.get(at)))
            .any(|token| matches!(token.word(), "before" | "pre"))
    };
    let has = |words: &[&str]| {
        tokens.iter().enumerate().any(|(at, token)| {
            let other = match token.word() {
                "tax" | "taxes" => before_tax(at),
                "forecast" => assumed(tokens, at),
                "lump" => tokens.get(at + 1).is_some_and(|next| next.word() == "sum"),
                "points" => at
                    .checked_sub(1)
                    .and_then(|at| tokens.get(at))
                    .is_some_and(|before| before.word() == "basis"),
                _ => false,
            };
            words.contains(&token.word()) && !other && !denied(tokens, at)
        })
    };
    let run = |words: &[&str]| {
        (0..tokens.len()).any(|at| {
            words
                .iter()
                .enumerate()
                .all(|(n, word)| tokens.get(at + n).is_some_and(|token| token.word() == *word))
        })
    };
    let families: &[(&[&str], &str)] = &[
        (
            &[
                "attached",
                "attachment",
                "attachments",
                "csv",
                "xlsx",
                "pdf",
                "upload",
                "uploaded",
                "file",
            ],
            "attached files",
        ),
        (
            &[
                "waterfall",
                "promote",
                "lp",
                "gp",
                "catchup",
                "clawback",
                "pref",
                "preferred",
            ],
            "distribution waterfalls and preferred returns",
        ),
        (&["xirr", "xnpv", "dated"], "cash flows with calendar dates"),
        (&["wale", "walt", "wault"], "weighted average lease terms"),
        (&["1031", "boot"], "1031 exchanges"),
        (&["depreciation", "depreciate", "recapture"], "depreciation"),
        (
            &["defeasance", "prepay", "prepaying", "prepayment"],
            "prepayment premiums",
        ),
        (&["comps", "comparables"], "sales comparables"),
        (
            &[
                "escalation",
                "escalations",
                "bumps",
                "bump",
                "escalator",
                "cpi",
                "indexed",
            ],
            "rent escalations",
        ),
        (
            &["rollover", "rolls", "roll", "expirations"],
            "rent rolls and lease rollover",
        ),
        (&["grid", "sensitivity"], "sensitivity tables"),
        (
            &["growing", "grows", "grow", "growth", "inflation", "inflating"],
            "cash flows that grow",
        ),
        (&["tax", "taxes", "taxable"], "taxes"),
        (
            &["mezz", "mezzanine", "junior", "subordinate"],
            "several loans at once",
        ),
        (
            &[
                "arm",
                "floating",
                "adjustable",
                "sofr",
                "libor",
                "swap",
                "graduated",
                "teaser",
            ],
            "floating or changing rates",
        ),
        (
            &[
                "biweekly",
                "fortnightly",
                "weekly",
                "semiannual",
                "semiannually",
                "daily",
                "fortnight",
            ],
            "payments that are not monthly",
        ),
        (&["predict", "prediction"], "forecasts"),
        (&["points", "origination", "apr"], "fees and points"),
        (
            &[
                "extra", "prepaid", "lump", "biannual", "skip", "skipped", "deferred",
            ],
            "irregular payments",
        ),
    ];
    let long: &[(&[&str], &str)] = &[
        (&["loss", "to", "lease"], "loss to lease"),
        (&["yield", "maintenance"], "prepayment premiums"),
        (&["net", "effective"], "net effective rents"),
        (&["rent", "roll"], "rent rolls and lease rollover"),
        (&["replacement", "cost"], "replacement cost"),
        (&["developer", "profit"], "replacement cost"),
        (&["compounded", "semi"], "payments that are not monthly"),
        (&["interest", "rate", "cap"], "rate caps"),
        (&["after", "tax"], "taxes"),
    ];
    // "The forecast net operating income is …" gives one; "forecast the income" asks for it.
    let foretold = tokens.iter().enumerate().any(|(at, token)| {
        token.word() == "forecast"
            && !assumed(tokens, at)
            && !tokens.get(at + 1).is_some_and(|next| {
                matches!(
                    next.word(),
                    "noi"
                        | "net"
                        | "income"
                        | "rent"
                        | "egi"
                        | "gross"
                        | "annual"
                        | "first"
                        | "year"
                        | "stabilized"
                )
            })
    });
    if foretold {
        return Some("forecasts");
    }
    if handed(tokens) {
        return Some("attached files");
    }
    families
        .iter()
        .find(|(words, _)| has(words))
        .or_else(|| long.iter().find(|(words, _)| run(words)))
        .map(|(_, name)| *name)
}
