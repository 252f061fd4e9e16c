//! A question about cash flows as its amounts, each with what is said of its side, its time and its joint to
//! the amount before.
//!
//! Places nothing on a time line and gives no signs; what it cannot attach is a doubt.

use crate::flows::counted::{aside, beside, each_alike, flows, headed, listed, said_again};
use crate::flows::cues::word;
use crate::flows::moments::moment;
use crate::flows::sides::{Side, side, unread};
use crate::flows::when::Moment;
use crate::words::asides::{DATE, counts_only};
use crate::words::scan::{Kind, Number, Per, Shape, Sign, Token};

/// How an amount is joined to the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Joint {
    /// Nothing but commas and "and" in between.
    pub(crate) list: bool,
    pub(crate) and: bool,
    pub(crate) stop: bool,
    pub(crate) plus: bool,
    pub(crate) more: bool,
    pub(crate) then: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) token: usize,
    pub(crate) value: f64,
    pub(crate) sign: Sign,
    pub(crate) per: Option<Per>,
    pub(crate) sides: Vec<Side>,
    pub(crate) moments: Vec<(Moment, Per)>,
    pub(crate) joint: Joint,
    /// "growing 3% a year".
    pub(crate) growth: f64,
    /// "five receipts of 1,000", "5 x 150k".
    pub(crate) times: Option<usize>,
    /// What was put in comes back.
    pub(crate) back: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) parts: Vec<Part>,
    pub(crate) term: Option<(usize, Per)>,
    pub(crate) frequency: Option<Per>,
    pub(crate) advance: bool,
    /// A total is named, which is not paid each time.
    pub(crate) total: bool,
    pub(crate) doubts: Vec<String>,
}

/// What waits for its amount.
#[derive(Default)]
struct Pending {
    sides: Vec<Side>,
    moments: Vec<(Moment, Per)>,
    joint: Joint,
    times: Option<usize>,
}

struct Reader<'a> {
    tokens: &'a [Token],
    found: Parts,
    pending: Pending,
    /// Amounts since the last separator.
    here: usize,
    /// The segment began with a time, so each time is of the amount after it.
    ahead: bool,
    /// Sides named after the last amount of the segment.
    behind: Vec<Side>,
    /// "back" or "returned" was said in the segment.
    back: bool,
}

/// Reads the tokens. `rates` are percentages with a role of their own, `growth` those that let an amount
/// grow, `masked` the words of what is asked.
pub(crate) fn parts(tokens: &[Token], rates: &[usize], growth: &[(usize, f64)], masked: &[usize]) -> Parts {
    let mut reader = Reader {
        tokens,
        found: Parts::default(),
        pending: Pending::default(),
        here: 0,
        ahead: false,
        behind: Vec::new(),
        back: false,
    };
    let mut at = 0;
    while at < tokens.len() {
        at = reader.step(at, rates, growth, masked);
    }
    reader.close(true);
    let mut pending = std::mem::take(&mut reader.pending.moments);
    // "IRR over those six years?": how long all of it takes.
    if let [(Moment::Span { count, .. }, per)] = pending.as_slice()
        && reader.found.term.is_none()
    {
        reader.found.term = Some((*count, *per));
        pending.clear();
    }
    if pending
        .iter()
        .any(|(moment, _)| !matches!(moment, Moment::Each | Moment::Plain | Moment::Now))
    {
        reader
            .found
            .doubts
            .push("I could not tell which amount falls when.".to_owned());
    }
    reader.bare();
    reader.found
}

impl Reader<'_> {
    fn step(&mut self, at: usize, rates: &[usize], growth: &[(usize, f64)], masked: &[usize]) -> usize {
        let tokens = self.tokens;
        let Some(token) = tokens.get(at) else {
            return at + 1;
        };
        if rates.contains(&at) {
            if let Some((_, rate)) = growth.iter().find(|(place, _)| *place == at) {
                self.grows(*rate);
            }
            return at + 1;
        }
        if masked.contains(&at) {
            return at + 1;
        }
        // "with the last", "and nothing in year 2": phrases of time come before single words.
        if let Some((moment, per, next)) = moment(tokens, at) {
            self.time(at, moment, per);
            return next.max(at + 1);
        }
        if let Some(number) = token.number() {
            return self.number(at, number);
        }
        if let Kind::Mark(mark) = &token.kind {
            match mark {
                ',' | '—' | '|' => self.close(false),
                ';' | '.' | '?' | '!' => self.close(true),
                '+' => {
                    self.close(false);
                    self.pending.joint.plus = true;
                }
                _ => {}
            }
            return at + 1;
        }
        match token.word() {
            "and" => {
                self.close(false);
                self.pending.joint.and = true;
            }
            "plus" | "also" | "top" | "additionally" => {
                if token.word() == "plus" {
                    self.close(false);
                }
                self.pending.joint.plus |= token.word() != "top" || self.here == 0;
                // "1.1m in year 5 on top".
            }
            "then" | "followed" | "thereafter" | "afterwards" | "finally" => {
                self.close(false);
                self.pending.joint.then = true;
            }
            "another" | "more" | "further" | "additional" | "again" | "extra" => {
                if self.after_amount(at)
                    && let Some(part) = self.found.parts.last_mut()
                {
                    part.joint.more = true;
                } else {
                    self.pending.joint.more = true;
                }
            }
            // "year 1 nil, year 2 180k": the time of no amount.
            "nil" | "nothing" | "none" if self.here == 0 && !self.pending.moments.is_empty() => {
                self.pending.moments.clear();
            }
            "total" | "totalling" | "totaling" | "altogether" | "overall" => self.found.total = true,
            "with" if self.here > 0 => self.close(false),
            "but" if said_again(tokens, at) => {}
            "while" | "but" | "otherwise" | "where" => self.close(false),
            DATE => self.found.doubts.push(
                "I cannot work with calendar dates here; please give one date for each amount.".to_owned(),
            ),
            "growth" | "growing" | "grows" | "grow" | "rising" | "rises" | "increasing" | "increases"
            | "up" | "by" | "escalating" => {}
            _ => {
                if let Some((side, next)) = side(tokens, at, self.after_amount(at)) {
                    self.side(at, side, next);
                    return next;
                }
                let aside = matches!(token.word(), "debt" | "mortgage" | "loan")
                    && (1..=3).any(|back| {
                        matches!(
                            at.checked_sub(back).map_or("", |at| word(tokens, at)),
                            "after" | "before"
                        )
                    });
                // "in the third", "the second, third and fourth years": which year, and no part.
                let nth = token.word() == "third"
                    && at.checked_sub(1).is_some_and(|before| {
                        matches!(word(tokens, before), "the" | "and")
                            || tokens.get(before).is_some_and(|token| token.is_mark(','))
                    });
                if unread(token) && !aside && !nth && !beside(tokens, at) {
                    self.found.doubts.push(format!(
                        "I do not know how “{}” should enter the flows.",
                        token.word()
                    ));
                }
            }
        }
        at + 1
    }

    /// Small bare amounts beside large ones: thousands, or the years themselves.
    fn bare(&mut self) {
        let large = self.found.parts.iter().any(|part| part.value >= 10_000.0);
        let small = self.found.parts.iter().any(|part| {
            let bare = self.tokens.get(part.token).and_then(Token::number);
            // "2,000 a month" is paid, and no year.
            let paid = part.per.is_some() || part.moments.iter().any(|(moment, _)| *moment == Moment::Each);
            let year = (1950.0..=2100.0).contains(&part.value) && !paid;
            bare.is_some_and(|number| !number.scaled && !number.dollars)
                && ((part.value > 0.0 && part.value < 1000.0) || year)
        });
        if large && small {
            self.found.doubts.push(
                "Are the small numbers amounts in thousands, or years? Please number the years from 0."
                    .to_owned(),
            );
        }
    }

    fn after_amount(&self, at: usize) -> bool {
        self.here > 0 && self.found.parts.last().is_some_and(|part| part.token + 1 == at)
    }

    /// An amount that grows recurs.
    fn grows(&mut self, rate: f64) {
        match self.found.parts.last_mut().filter(|part| part.growth == 0.0) {
            Some(part) => part.growth = rate,
            None => self.found.doubts.push("Which amount grows?".to_owned()),
        }
    }

    fn side(&mut self, at: usize, side: Side, next: usize) {
        // "Equity of 4m in" is put in.
        let paid = self
            .found
            .parts
            .last()
            .is_some_and(|part| part.sides.iter().any(|side| side.out()));
        if word(self.tokens, at) == "in" && self.after_amount(at) && paid {
            return;
        }
        // "2.4m in, got 3.1m back": what is in first is put in.
        let first = word(self.tokens, at) == "in" && self.after_amount(at) && self.found.parts.len() == 1;
        let returns = first
            && self.tokens.iter().skip(at).any(|token| {
                matches!(
                    token.word(),
                    "back" | "out" | "got" | "received" | "returned" | "distributions" | "then" | "followed"
                )
            });
        let side = if returns { Side::Pay } else { side };
        if word(self.tokens, next - 1) == "back" {
            self.back = true;
        }
        let valued = self.tokens.get(next).is_some_and(|token| {
            token.number().is_some()
                || matches!(token.word(), "of" | "for" | "at" | "is" | "was" | "a")
                || token.is_mark(':')
        });
        if self.after_amount(at) && !valued {
            if let Some(part) = self.found.parts.last_mut() {
                part.sides.push(side);
            }
        } else if self.here > 0 {
            // "a 300k retrofit saving 48k": the noun is the amount's before, the verb the next one's.
            let nouns = !self.behind.is_empty() && self.behind.iter().all(|own| own.out());
            if let Some(part) = self.found.parts.last_mut()
                && nouns
                && !side.out()
                && part.sides.iter().all(|own| own.out())
            {
                part.sides.append(&mut self.behind);
            }
            self.behind.push(side);
        } else {
            self.pending.sides.push(side);
        }
    }

    fn time(&mut self, at: usize, moment: Moment, per: Per) {
        match moment {
            Moment::Term(count) => self.found.term = Some((count, per)),
            Moment::Frequency => self.found.frequency = Some(per),
            Moment::Advance => self.found.advance = true,
            Moment::Plain => {}
            Moment::Unclear => self
                .found
                .doubts
                .push("I could not tell when one of the amounts falls.".to_owned()),
            moment => {
                let attached = self.here > 0 && !self.ahead;
                // "120k a year" has its period already; an adjective before its noun is of what follows.
                if attached && let Some(part) = self.found.parts.last_mut() {
                    part.moments.push((moment, per));
                    return;
                }
                if self.here == 0 && self.pending.moments.is_empty() {
                    self.ahead = matches!(moment, Moment::At(_) | Moment::Now);
                }
                // "8 quarters of 20k": each of them.
                if let Moment::Span { count, .. } = moment
                    && let Some(of) = (at + 1..at + 3).find(|next| word(self.tokens, *next) == "of")
                {
                    if self
                        .tokens
                        .get(of + 1)
                        .is_some_and(|next| next.number().is_some())
                    {
                        self.pending.moments.push((Moment::Each, per));
                    } else {
                        // "four years of cash: …".
                        self.found.term = Some((count, per));
                        return;
                    }
                }
                self.pending.moments.push((moment, per));
            }
        }
    }

    fn number(&mut self, at: usize, number: &Number) -> usize {
        let tokens = self.tokens;
        let next = word(tokens, at + 1);
        let counted = number.value < 601.0
            && number.per.is_none()
            && !number.dollars
            && !number.scaled
            && number.value.fract() == 0.0;
        if counted && (flows(next) || number.shape == Shape::Payments) {
            self.pending.times = Some(number.value as usize);
            return at + 1 + usize::from(flows(next));
        }
        // "six annual receipts of 58,000": how often they come is read from the adjective.
        let few = number.spelled || (number.short && !number.dollars && !number.scaled);
        let adjectives = (at + 1..at + 3)
            .take_while(|at| each_alike(word(tokens, *at)))
            .count();
        if few
            && adjectives > 0
            && number.value.fract() == 0.0
            && number.value < 601.0
            && flows(word(tokens, at + 1 + adjectives))
        {
            self.pending.times = Some(number.value as usize);
            return at + 1;
        }
        // "a 12-unit walk-up": what is bought, and no amount.
        if number.shape == Shape::Units && number.base.is_none() {
            return at + 1;
        }
        // "70k a year x 5", "5 x 150k".
        let valued = tokens.get(at + 1).is_some_and(|next| next.number().is_some());
        if number.shape == Shape::Multiple && counted && valued {
            self.pending.times = Some(number.value as usize);
            return at + 1;
        }
        let crossed = at
            .checked_sub(1)
            .is_some_and(|before| word(tokens, before) == "x");
        if crossed && counted && number.shape != Shape::Percent && self.here > 0 {
            if let Some(part) = self.found.parts.last_mut() {
                part.times = Some(number.value as usize);
            }
            return at + 1;
        }
        if counted && number.spelled && number.shape == Shape::Plain && !next.is_empty() {
            if !aside(next) && !counts_only(tokens, at) {
                self.found.doubts.push(format!(
                    "I could not tell what the {} “{next}” are.",
                    number.value
                ));
            }
            return at + 1;
        }
        if number.doubtful || !matches!(number.shape, Shape::Money | Shape::Plain) || number.base.is_some() {
            self.found
                .doubts
                .push("There is a number among the flows that I cannot place.".to_owned());
            return at + 1;
        }
        if number.foreign {
            self.found
                .doubts
                .push("I compute in US dollars only so far.".to_owned());
        }
        if number.thirds && !number.scaled {
            self.found.doubts.push(
                "Does the point before three digits group thousands? Please write the amounts without it."
                    .to_owned(),
            );
        }
        if number.per == Some(Per::Other) {
            self.found
                .doubts
                .push("Please give the flows by year, quarter or month.".to_owned());
        }
        self.amount(at, number);
        at + 1
    }

    fn amount(&mut self, at: usize, number: &Number) {
        let pending = std::mem::take(&mut self.pending);
        let before = self.found.parts.last().map_or(0, |part| part.token + 1);
        let between = self.tokens.get(before..at).unwrap_or_default();
        let only = listed(between);
        let mut sides = pending.sides;
        sides.append(&mut self.behind);
        let list = !self.found.parts.is_empty() && only;
        // "Equity in: 3.2m, 0.4m": what heads a list holds for all of it.
        if sides == [Side::Acquire] && headed(self.tokens, at) {
            sides.push(Side::Pay);
        }
        self.found.parts.push(Part {
            token: at,
            value: number.value,
            sign: number.sign,
            per: number.per.filter(|per| *per != Per::Other),
            sides,
            moments: pending.moments,
            joint: Joint {
                list,
                ..pending.joint
            },
            growth: 0.0,
            times: pending.times,
            back: self.back,
        });
        if number.sign == Sign::Plus
            && between.is_empty()
            && let Some(part) = self.found.parts.last_mut()
        {
            part.joint.plus = true;
        }
        self.here += 1;
    }

    /// The end of a clause: what is left over finds its amount.
    fn close(&mut self, stop: bool) {
        if self.here > 0 {
            let sides = std::mem::take(&mut self.behind);
            let moments = std::mem::take(&mut self.pending.moments);
            let back = self.back;
            if let Some(part) = self.found.parts.last_mut() {
                part.sides.extend(sides);
                part.moments.extend(moments);
                part.back |= back;
            }
        } else if !self.pending.moments.is_empty() && self.pending.sides.is_empty() {
            self.late();
        }
        // "…, received at the start of each year, cost 400k": the clause is of what was said before it.
        if stop || (self.pending.moments.is_empty() && !self.found.parts.is_empty()) {
            self.pending.sides.clear();
        }
        self.back = false;
        self.pending.joint.stop |= stop;
        // "free and clear. They netted …": a sentence joins nothing of the one before.
        self.pending.joint.and &= !stop;
        self.here = 0;
        self.ahead = !self.pending.moments.is_empty();
    }

    /// A clause of times alone: of the annual amount before it that still lacks its years, or of what follows.
    fn late(&mut self) {
        let spans = self
            .pending
            .moments
            .iter()
            .any(|(moment, _)| matches!(moment, Moment::Span { .. } | Moment::At(_)));
        let open = self.found.parts.last_mut().filter(|part| {
            let recurs = part.per.is_some() || part.moments.iter().any(|(moment, _)| *moment == Moment::Each);
            let placed = part
                .moments
                .iter()
                .any(|(moment, _)| matches!(moment, Moment::Span { .. } | Moment::At(_) | Moment::Now));
            recurs && !placed
        });
        if let Some(part) = open.filter(|_| spans) {
            part.moments.append(&mut self.pending.moments);
        }
    }
}
