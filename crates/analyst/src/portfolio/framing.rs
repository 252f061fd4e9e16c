//! What stands around a question: who wants it, what it is for, how somebody feels about it. Such sentences and openings
//! go before the question is read; the places, kinds and times that they name stay.
//!
//! A sentence goes only where another one asks for a figure and nothing in it could change that figure: it names no
//! figure, and leaves out, bounds, compares and supposes nothing.

use crate::portfolio::antecedent;
use crate::portfolio::anyway;
use crate::portfolio::beside::{self, Beside};
use crate::portfolio::lexicon::{self, Meaning};
use crate::portfolio::not_begun;
use crate::portfolio::parts::{Known, Part, parts};
use crate::portfolio::payments;
use crate::portfolio::pieces::{Kind, Piece};
use crate::portfolio::set_aside;
use crate::portfolio::stays_in;
use crate::portfolio::twice;
use crate::words::among::among;
use crate::words::everyday;

/// What is left of a question.
pub(super) struct Framed {
    pub(super) pieces: Vec<Piece>,
    /// What has to be asked: a name stands beside the question, and nothing tells whether it belongs to it.
    pub(super) doubt: Option<String>,
}

/// The pieces without what only stands around the question.
pub(super) fn without(mut pieces: Vec<Piece>, known: &Known<'_>) -> Framed {
    stays_in::take(&mut pieces);
    payments::take(&mut pieces, known.last);
    not_begun::take(&mut pieces);
    set_aside::take(&mut pieces);
    twice::drop(&mut pieces, known.last, known.buildings);
    anyway::drop(&mut pieces, known.accounts, known.last);
    antecedent::name(&mut pieces, known.accounts);
    let parts = parts(&pieces, known);
    let spans = sentences(&pieces);
    let asks = |span: &(usize, usize)| (span.0..span.1).any(|at| parts.get(at) == Some(&Part::Figure));
    if !spans.iter().any(asks) {
        return Framed { pieces, doubt: None };
    }
    let mut goes = vec![false; pieces.len()];
    let mut framed = vec![false; pieces.len()];
    let mut ends: Vec<usize> = Vec::new();
    let mut drop = |from: usize, to: usize, timed: bool| {
        for at in from..to {
            if let Some(own) = framed.get_mut(at) {
                *own = true;
            }
            let mark = pieces
                .get(at)
                .is_some_and(|piece| matches!(piece.kind, Kind::Mark(_)));
            if let Some(own) = goes.get_mut(at).filter(|_| {
                !mark
                    && match parts.get(at) {
                        Some(Part::Kept) => false,
                        Some(Part::Time) => timed,
                        _ => true,
                    }
            }) {
                *own = true;
            }
        }
    };
    for span in &spans {
        let own = |at: &usize| parts.get(*at).copied().unwrap_or(Part::Plain);
        let any = |part: Part| (span.0..span.1).any(|at| own(&at) == part);
        // "Insurance renewal is coming. What did we spend on insurance in Tampa?"
        let asked_later = spans
            .iter()
            .any(|other| other.0 > span.0 && asks(other) && questions(&pieces, *other));
        if asks(span)
            && asked_later
            && !questions(&pieces, *span)
            && !any(Part::Weighs)
            && states(&pieces, *span)
        {
            let numbers = (span.0..span.1).any(|at| {
                pieces
                    .get(at)
                    .is_some_and(|piece| !matches!(piece.kind, Kind::Word(_) | Kind::Mark(_)))
            });
            if !numbers {
                drop(span.0, span.1, false);
                ends.push(span.1);
                continue;
            }
        }
        // "The broker is about to renew the Denver programme. How much was insurance across Denver in 2025?"
        let own_place = spans.iter().any(|other| {
            other.0 > span.0
                && questions(&pieces, *other)
                && asks(other)
                && (other.0..other.1).any(|at| known.names.find(known.text, &pieces, at).is_some())
        });
        if own_place
            && !asks_itself(&pieces, *span)
            && states(&pieces, *span)
            && is_harmless(&pieces, &parts, *span)
        {
            drop(span.0, span.1, true);
            ends.push(span.1);
            continue;
        }
        // "Thinking about a refi before the July 2027 maturity. What debt yield are we at?"
        let concerns = asked_later && concerns(&pieces, &parts, *span);
        let doing = asked_later
            && among(DOING, pieces.get(span.0).map_or("", Piece::word))
            && !leaves_out(&pieces, *span);
        if doing || concerns {
            drop(span.0, span.1, true);
            ends.push(span.1);
            continue;
        }
        // "The bank is asking whether we're still inside 75%. What's the LTV at Ybor?"
        if asked_later && own_place && is_a_test(&pieces, *span) {
            drop(span.0, span.1, true);
            ends.push(span.1);
            continue;
        }
        if asks(span) {
            let end = opening(&pieces, &parts, *span);
            let left = (end..span.1).any(|at| own(&at) == Part::Figure);
            if left {
                drop(span.0, end, false);
            }
            continue;
        }
        let strange = (span.0..span.1)
            .any(|at| own(&at) == Part::Strange && pieces.get(at).is_some_and(|piece| !is_everyday(piece)));
        let leads = leads_up(&pieces, *span) || wonders(&pieces, *span);
        if leads && !any(Part::Figure) {
            drop(span.0, span.1, false);
            ends.push(span.1);
            continue;
        }
        // "Occupancy: 187 of 204 leased": numbers without a sentence are those of a calculation, and so are two in one:
        // "143 of our 156 apartments have somebody living in them."
        let numbers = (span.0..span.1)
            .filter(|at| pieces.get(*at).is_some_and(|piece| piece.number().is_some()))
            .count();
        let listed = numbers > 1 || (numbers > 0 && !states(&pieces, *span));
        if !any(Part::Weighs) && !any(Part::Rhythm) && !listed && (!strange || states(&pieces, *span)) {
            drop(span.0, span.1, false);
            ends.push(span.1);
        }
    }
    // What is left of such a sentence belongs to the next one.
    for end in ends.into_iter().filter(|end| *end < pieces.len()) {
        let own = end.checked_sub(1).and_then(|at| goes.get_mut(at));
        if let Some(own) = own {
            *own = true;
        }
    }
    let beside = beside::judge(&pieces, &parts, &framed, known);
    if beside == Beside::Goes {
        for (at, own) in goes.iter_mut().enumerate() {
            *own |= framed.get(at) == Some(&true) && parts.get(at) == Some(&Part::Kept);
        }
    }
    let mut goes = goes.into_iter();
    pieces.retain(|_| !goes.next().unwrap_or(false));
    let doubt = match beside {
        Beside::Asks(text) => Some(text),
        Beside::Goes | Beside::Stays => None,
    };
    Framed { pieces, doubt }
}

fn is_everyday(piece: &Piece) -> bool {
    !piece.capital && everyday::is(piece.word())
}

/// From one end of a sentence to the next. A colon ends one as well.
fn sentences(pieces: &[Piece]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut from = 0;
    for (at, piece) in pieces.iter().enumerate() {
        if matches!(piece.kind, Kind::Mark('.' | '?' | '!' | ';' | ':')) {
            out.push((from, at + 1));
            from = at + 1;
        }
    }
    out.push((from, pieces.len()));
    out.retain(|(from, to)| from < to);
    out
}

/// What somebody is doing who asks.
const DOING: &str = "jumping pulling putting looking working preparing prepping trying heading sitting getting thinking \
     reviewing updating finishing writing drafting chatting talking meeting planning filling reading tying testing \
     comparing";

/// "For the quarterly letter:", "comparing us with a competing fund:": what it is for, whatever its words.
fn leads_up(pieces: &[Piece], (from, to): (usize, usize)) -> bool {
    let own = pieces.get(from..to).unwrap_or_default();
    let word = |at: usize| own.get(at).map_or("", Piece::word);
    own.last().is_some_and(|piece| piece.is_mark(':'))
        && matches!(
            word(0),
            "for"
                | "re"
                | "regarding"
                | "in"
                | "on"
                | "about"
                | "comparing"
                | "looking"
                | "reviewing"
                | "testing"
                | "tying"
        )
        && !leaves_out(pieces, (from, to))
}

/// Whether a sentence leaves something out, or supposes something.
fn leaves_out(pieces: &[Piece], (from, to): (usize, usize)) -> bool {
    let own = pieces.get(from..to).unwrap_or_default();
    own.iter().any(|piece| {
        among(
            "excluding without except ignoring only assuming suppose if less net",
            piece.word(),
        )
    })
}

/// "It's about Mueller Yards.": names what the question is of, and says no more.
fn concerns(pieces: &[Piece], parts: &[Part], (from, to): (usize, usize)) -> bool {
    const LEADS: &str = "hey hi hello it it's its is this that's about regarding re concerning on of for question quick one \
         a an the my our next";
    let kept = |at: usize| parts.get(at) == Some(&Part::Kept);
    let mark = |at: usize| {
        pieces
            .get(at)
            .is_some_and(|piece| matches!(piece.kind, Kind::Mark(_)))
    };
    (from..to).any(kept)
        && (from..to).any(|at| {
            among(
                "about regarding re concerning",
                pieces.get(at).map_or("", Piece::word),
            )
        })
        && (from..to).all(|at| kept(at) || mark(at) || among(LEADS, pieces.get(at).map_or("", Piece::word)))
}

/// Whether a sentence tells what a figure is tested against, and no question behind it asks for the test: what it is does
/// not depend on what it has to be.
fn is_a_test(pieces: &[Piece], (from, to): (usize, usize)) -> bool {
    const TESTED: &str = "comply compliance compliant pass passes fail fails breach breaches headroom cushion room inside within \
         below above under over short meet meets covenant limit";
    let word = |at: usize| pieces.get(at).map_or("", Piece::word);
    let asks = |at: usize| {
        among(
            "ask asks asked asking wonder wonders wondering check checks checking worry worries worried know sure see",
            word(at),
        ) && matches!(word(at + 1), "whether" | "if" | "that")
    };
    let limits = |at: usize| {
        among(
            "covenant limit threshold requirement maximum minimum ceiling",
            word(at),
        ) && matches!(word(at + 1), "is" | "was")
    };
    let sets = |at: usize| {
        among(
            "excluding without except ignoring only assuming suppose less net",
            word(at),
        )
    };
    !asks_itself(pieces, (from, to))
        && (from..to).any(|at| asks(at) || limits(at))
        && (from..to).filter(|at| word(*at) == "if").count() <= 1
        && !(from..to).any(sets)
        && !(to..pieces.len()).any(|at| among(TESTED, word(at)))
}

/// Whether a statement could change nothing that is asked of a place of its own: no event, number, exclusion or supposition.
fn is_harmless(pieces: &[Piece], parts: &[Part], (from, to): (usize, usize)) -> bool {
    (from..to).all(|at| {
        let Some(piece) = pieces.get(at) else { return true };
        let sets = match lexicon::look_up(pieces, at) {
            Some((Meaning::Except | Meaning::Other, _)) => true,
            Some(_) => among("only just", piece.word()),
            None => matches!(piece.kind, Kind::Word(_)) && parts.get(at) == Some(&Part::Weighs),
        };
        !sets
            && matches!(
                piece.kind,
                Kind::Word(_) | Kind::Mark(_) | Kind::Date(_) | Kind::Month(_)
            )
    })
}

/// "What should I put in the report?": asks nothing of its own.
fn wonders(pieces: &[Piece], (from, to): (usize, usize)) -> bool {
    let own = pieces.get(from..to).unwrap_or_default();
    let has = |words: &[&str]| own.iter().any(|piece| words.contains(&piece.word()));
    own.first().is_some_and(|piece| piece.word() == "what")
        && has(&["i", "we"])
        && has(&[
            "put", "tell", "say", "write", "report", "quote", "enter", "answer",
        ])
}

/// Whether a sentence is a question: by its mark, or a word that asks.
fn questions(pieces: &[Piece], (from, to): (usize, usize)) -> bool {
    let own = pieces.get(from..to).unwrap_or_default();
    own.last().is_some_and(|piece| piece.is_mark('?'))
        || own
            .iter()
            .any(|piece| matches!(piece.word(), "what" | "how" | "which" | "whose" | "who"))
}

/// Whether a sentence is a question in its own right: "would like to know what it cost" is none.
fn asks_itself(pieces: &[Piece], (from, to): (usize, usize)) -> bool {
    let own = pieces.get(from..to).unwrap_or_default();
    let first = own.first().map_or("", Piece::word);
    own.last().is_some_and(|piece| piece.is_mark('?')) || among(QUESTIONS, first)
}

/// Whether a sentence has a verb: it says something of its own, and is no name.
fn states(pieces: &[Piece], (from, to): (usize, usize)) -> bool {
    const VERBS: &str = "is are was were am be looks look looked seem seems seemed feels feel felt sounds sounded appears appeared wants want needs need asks ask has have had \
         keeps keep says say said think thinks believe comes coming goes going gets getting got do does did will \
         tell told know knows heard hear met";
    let own = pieces.get(from..to).unwrap_or_default();
    let first = own.first().map_or("", Piece::word);
    own.len() > 2
        && (matches!(first, "i" | "we")
            || own.iter().any(|piece| {
                VERBS.split_whitespace().any(|verb| verb == piece.word()) || piece.word().ends_with("'s")
            }))
}

/// A question begins with one of these.
const QUESTIONS: &str =
    "what how which who whose where when is are was were do does did has have can could will";

/// Where the opening of a sentence ends that says who asks for the figure, or what for: "the lender wants", "for the
/// board paper I need", "putting a deck together,". Its own beginning where there is none.
fn opening(pieces: &[Piece], parts: &[Part], (from, to): (usize, usize)) -> usize {
    const ASKS: &str =
        "want wanted need needed ask asked asking request requested require required wondering wonder";
    const LONGEST: usize = 12;
    let among = |list: &str, at: usize| among(list, pieces.get(at).map_or("", Piece::word));
    let clear = |at: usize| {
        matches!(
            parts.get(at),
            Some(Part::Plain | Part::Strange | Part::Kept | Part::Time | Part::Party | Part::Rhythm)
        ) && !pieces
            .get(at)
            .is_some_and(|piece| matches!(piece.kind, Kind::Mark('%')))
    };
    if among(QUESTIONS, from) {
        return from;
    }
    let most = to.min(from + LONGEST);
    if among(DOING, from) {
        let comma = (from..to).find(|at| pieces.get(*at).is_some_and(|piece| piece.is_mark(',')));
        let whole = comma.filter(|comma| (from..*comma).all(clear));
        return whole.map_or(from, |comma| comma + 1);
    }
    let Some(verb) = (from..most)
        .take_while(|at| clear(*at))
        .find(|at| among(ASKS, *at))
    else {
        return from;
    };
    let mut end = verb + 1;
    while among("me us you for about to know see have get help with if", end) {
        end += 1;
    }
    end
}
