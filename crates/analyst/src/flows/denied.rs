//! "And receives nothing in return", "never got anything": that nothing comes back, said outright.
//!
//! Knows no amounts; a time behind it ("nothing in year 2") makes it a remark about that time.

use crate::contract::draft::Draft;
use crate::flows::cues::word;
use crate::plan::outcome::Ask;
use crate::say::compose;
use crate::words::scan::Token;
use finance::fault::Fault;
use finance::variable::Variable;

/// What is paid and never comes back has no return, whichever of the amounts a reader takes for receipts.
pub(super) fn refused(tokens: &[Token], goals: &[Variable]) -> Option<Draft> {
    let rates = goals
        .iter()
        .any(|goal| matches!(goal, Variable::Irr | Variable::Mirr));
    (rates && denied(tokens)).then(|| compose::ask(&Ask::because(Fault::OneSign.sentence()), goals, &[]))
}

/// Whether the question says that no money came in at all.
fn denied(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        let open = |to: usize| {
            // "nothing in year 2", "nothing until the sale", "nothing but the deposit", "nothing else".
            let timed = matches!(
                word(tokens, to),
                "in" | "until"
                    | "till"
                    | "before"
                    | "during"
                    | "for"
                    | "at"
                    | "but"
                    | "except"
                    | "else"
                    | "more"
                    | "other"
                    | "further"
                    | "today"
                    | "now"
                    | "over"
                    | "on"
                    | "from"
                    | "the"
                    | "this"
                    | "that"
            ) && !returned(tokens, to);
            !timed && tokens.get(to).is_none_or(|token| token.number().is_none())
        };
        match word(tokens, at) {
            "nothing" if at > 0 && gets(word(tokens, at - 1)) => {
                open(at + 1 + usize::from(word(tokens, at + 1) == "back"))
            }
            "nothing" if returned(tokens, at + 1) => true,
            "nothing" if word(tokens, at + 1) == "back" || word(tokens, at + 2) == "back" => {
                open(at + 2 + usize::from(word(tokens, at + 1) != "back"))
            }
            "never" if gets(word(tokens, at + 1)) => {
                let to = at + 2 + usize::from(word(tokens, at + 2) == "back");
                match word(tokens, to) {
                    "anything" => open(to + 1 + usize::from(word(tokens, to + 1) == "back")),
                    "a" | "one" | "any" => matches!(
                        word(tokens, to + 1),
                        "cent" | "penny" | "dollar" | "dime" | "money"
                    ),
                    _ => false,
                }
            }
            _ => false,
        }
    })
}

fn gets(word: &str) -> bool {
    matches!(
        word,
        "receive"
            | "receives"
            | "received"
            | "receiving"
            | "get"
            | "gets"
            | "got"
            | "getting"
            | "gotten"
            | "recover"
            | "recovers"
            | "recovered"
            | "collect"
            | "collects"
            | "collected"
            | "returned"
    )
}

/// "in return", "in exchange".
fn returned(tokens: &[Token], at: usize) -> bool {
    word(tokens, at) == "in" && matches!(word(tokens, at + 1), "return" | "exchange")
}
