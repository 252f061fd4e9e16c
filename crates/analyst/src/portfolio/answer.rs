//! Questions about the asker's own properties: read, looked up with the portfolio tool, and answered; none where a
//! question is about something else.
//!
//! The entry of this folder. Knows no database: the tool is bound to what the run may see.

use std::mem;

use chrono::NaiveDate;
use tables::letters;

use crate::contract::brief::{Brief, FileExcerpt, FileFrom};
use crate::contract::draft::{Draft, UsedModel};
use crate::contract::portfolio::Portfolio;
use crate::contract::portfolio::Result;
use crate::portfolio::ask::What;
use crate::portfolio::clauses;
use crate::portfolio::conditions::{self, Held as Bounds};
use crate::portfolio::fixed::split_of;
use crate::portfolio::framing::{self, Framed};
use crate::portfolio::held::Held;
use crate::portfolio::histories;
use crate::portfolio::lexicon::Turn;
use crate::portfolio::lists;
use crate::portfolio::loans;
use crate::portfolio::measures;
use crate::portfolio::parts::Known;
use crate::portfolio::people;
use crate::portfolio::pieces::{Piece, pieces};
use crate::portfolio::places::{Names, Place};
use crate::portfolio::plan::{self, Decision, Plan};
use crate::portfolio::reading;
use crate::portfolio::rosters;
use crate::portfolio::say::Saying;
use crate::portfolio::slips;
use crate::portfolio::splits;
use crate::portfolio::supposed;
use crate::portfolio::times::When;
use crate::portfolio::unsure;
use crate::read::handing;
use crate::words::numbers;
use finance::portfolio::calendar::Month;
use finance::portfolio::query::{Catalog, DataModel};

const PARTLY: &str = "I understood a part of your question only. Please ask for one thing at a time.";

/// Longer questions are none of this kind.
const MOST: usize = 120;

/// What became of a question.
pub(crate) enum Outcome {
    /// It is about something else.
    NotMine,
    /// It may be about the portfolio: said where nobody else has anything to say.
    Perhaps(Draft),
    /// It is about the portfolio, and nothing can be computed: said unless somebody else has an answer.
    Say(Draft),
    /// The same with a property or the portfolio named: nobody else's figure is the answer.
    Stays(Draft),
    Answered(Draft),
}

/// Answers a question about the portfolio.
pub(crate) async fn answer(brief: &Brief, view: &mut dyn Portfolio) -> Result<Outcome> {
    let Some(pieces) = pieces(&brief.question, MOST).filter(|pieces| !pieces.is_empty()) else {
        return Ok(Outcome::NotMine);
    };
    // "Here's my rent roll, how full am I": asked of a file that did not come, of nothing that is kept.
    if counts_told(&pieces) {
        return Ok(Outcome::NotMine);
    }
    let sent = |file: &FileExcerpt| file.from == FileFrom::Question;
    if handing::handed(&numbers::read(&brief.question)) && !brief.files.iter().any(sent) {
        return Ok(Outcome::NotMine);
    }
    let outcome = seen(brief, &pieces, view).await;
    view.close().await?;
    outcome
}

/// "143 of our 156 apartments have somebody in them": both counts are told, so that nothing is to be looked up.
fn counts_told(pieces: &[Piece]) -> bool {
    let word = |at: usize| pieces.get(at).map_or("", Piece::word);
    let count = |at: usize| {
        pieces
            .get(at)
            .and_then(Piece::number)
            .is_some_and(|number| number.fract() == 0.0)
    };
    let units = |at: usize| matches!(word(at), "unit" | "door" | "apartment" | "home" | "bed");
    (0..pieces.len()).any(|of| {
        let all = of + 1 + usize::from(matches!(word(of + 1), "our" | "the" | "my" | "all" | "its"));
        let part = of.checked_sub(1).is_some_and(&count) || count(all + 2);
        word(of) == "of" && count(all) && units(all + 1) && part
    })
}

/// The catalog with names in composed letters, as the question has them. What is filtered by stays as it is stored.
fn with_composed_names(mut catalog: Catalog) -> Catalog {
    let compose = |name: &mut String| *name = letters::into_composed(mem::take(name));
    for property in &mut catalog.buildings {
        compose(&mut property.name);
        property.city.iter_mut().for_each(compose);
    }
    catalog
        .accounts
        .iter_mut()
        .for_each(|account| compose(&mut account.name));
    catalog
}

async fn seen(brief: &Brief, pieces: &[Piece], view: &mut dyn Portfolio) -> Result<Outcome> {
    let catalog = with_composed_names(view.catalog().await?);
    let Some(coverage) = catalog.coverage else {
        return Ok(Outcome::NotMine);
    };
    let names = Names::of(&catalog.buildings);
    let mut pieces = pieces.to_vec();
    let mended = slips::mend(&brief.question, &mut pieces, &names, &catalog.accounts);
    let known = Known {
        text: &brief.question,
        names: &names,
        accounts: &catalog.accounts,
        last: Month::of(coverage.as_of),
        buildings: u32::try_from(catalog.buildings.len()).map_or(0.0, f64::from),
    };
    let Framed { pieces, doubt } = framing::without(pieces, &known);
    let asker = Asker {
        brief,
        catalog: &catalog,
        names: &names,
        last: Month::of(coverage.as_of),
        mended: &mended,
        doubt: doubt.as_deref(),
    };
    let earlier = Held::read(brief.earlier.as_ref());
    let clauses = clauses::split(&pieces);
    // "… and how big is it?" asks for what the first part shows anyway.
    let whole = match clauses.as_slice() {
        [only] => only,
        _ => pieces.as_slice(),
    };
    let Decided { decision, unsure, .. } = asker.decide(whole, earlier.as_ref(), &[], view).await?;
    // "How many units are there, and how many of them are vacant?": both, or none.
    let lacks = match &decision {
        Decision::Look(plan) => clauses.len() > plan.answers(),
        Decision::NotMine | Decision::Suppose(_) => false,
        _ => true,
    };
    if clauses.len() > 1 && lacks {
        return asker.each(&clauses, earlier, view).await;
    }
    match decision {
        Decision::NotMine => Ok(Outcome::NotMine),
        Decision::Unsure => Ok(Outcome::Say(text_alone(&unsure))),
        Decision::Perhaps => Ok(Outcome::Perhaps(text_alone(&unsure))),
        Decision::Say(text) => Ok(Outcome::Say(text_alone(&text))),
        Decision::Stays(text) => Ok(Outcome::Stays(text_alone(&text))),
        Decision::Suppose(supposed) => match supposed::look(&supposed, coverage.as_of, view).await? {
            Ok(saying) => {
                // What is asked next is not of the supposition: it names its figure anew.
                let frame = Held::default().json();
                Ok(Outcome::Answered(Draft {
                    used_models: models(view, coverage.as_of),
                    ..saying.draft(brief.tone, frame)
                }))
            }
            Err(why) => Ok(Outcome::Stays(text_alone(&why))),
        },
        Decision::Look(plan) => match look(&plan, view).await? {
            Ok(saying) => {
                let frame = plan
                    .held
                    .led_by(saying.leader.clone(), &saying.listed, &saying.loans)
                    .json();
                Ok(Outcome::Answered(Draft {
                    used_models: models(view, coverage.as_of),
                    ..saying.draft(brief.tone, frame)
                }))
            }
            Err(why) if plan.scopes.iter().any(|scope| scope.is_building) => {
                Ok(Outcome::Stays(text_alone(&why)))
            }
            Err(why) => Ok(Outcome::Say(text_alone(&why))),
        },
    }
}

/// What is to be done about a question or a part of one, and the places it is about.
struct Decided {
    decision: Decision,
    unsure: String,
    places: Vec<Place>,
    /// Names no place, no kind and not all of them.
    open: bool,
}

/// Who asks, and what may be named.
struct Asker<'a> {
    brief: &'a Brief,
    catalog: &'a Catalog,
    names: &'a Names<'a>,
    last: Month,
    mended: &'a [String],
    /// What has to be asked of the question as a whole.
    doubt: Option<&'a str>,
}

impl Asker<'_> {
    /// What a question, or a part of one, asks for, in the places of the part before it where it names none; and what to
    /// say where words of it were not understood.
    async fn decide(
        &self,
        pieces: &[Piece],
        earlier: Option<&Held>,
        within: &[Place],
        view: &mut dyn Portfolio,
    ) -> Result<Decided> {
        let mut reading = reading::read(
            &self.brief.question,
            pieces,
            self.names,
            &self.catalog.accounts,
            &self.catalog.kinds,
            self.last,
        );
        reading.remarks.extend(self.mended.iter().cloned());
        reading.ask = reading.ask.or_else(|| self.doubt.map(str::to_owned));
        people::name(
            &self.brief.question,
            pieces,
            self.names,
            &self.catalog.accounts,
            &mut reading,
            view,
        )
        .await?;
        // "Bad debt at Barton Creek … what share of rent did we write off": of that place too.
        let placed =
            !reading.places.is_empty() || reading.whole || reading.portfolio || !reading.groups.is_empty();
        if !placed && !reading.our && reading.only.tenants.is_empty() {
            reading.places = within.to_vec();
        }
        let open = !placed && !reading.our && reading.only.tenants.is_empty() && within.is_empty();
        let places = reading.places.clone();
        if reading.ask.is_none()
            && let Some(supposed) = supposed::of(&reading, pieces)
        {
            return Ok(Decided {
                decision: Decision::Suppose(Box::new(supposed)),
                unsure: String::new(),
                places,
                open,
            });
        }
        let unsure = unsure::told(&self.brief.question, pieces, &reading);
        Ok(Decided {
            decision: plan::decide(reading, self.catalog, earlier),
            unsure,
            places,
            open,
        })
    }

    /// Several questions in one, each after the other as in a conversation.
    async fn each(
        &self,
        clauses: &[&[Piece]],
        earlier: Option<Held>,
        view: &mut dyn Portfolio,
    ) -> Result<Outcome> {
        let mut saying = Saying::default();
        let mut held = earlier;
        let mut within: Vec<Place> = Vec::new();
        let mut was_open = held.is_none();
        for (at, clause) in clauses.iter().enumerate() {
            let Decided {
                decision,
                unsure,
                places,
                open,
            } = self.decide(clause, held.as_ref(), &within, view).await?;
            // "What's the NOI and how many leases expire in Denver?": the first is of Denver too, or of everything.
            if at > 0 && was_open && !places.is_empty() && within.is_empty() {
                return Ok(Outcome::Say(text_alone(
                    "Is the first part of that of the same place, or of all your properties? Please name the place in each.",
                )));
            }
            was_open &= open;
            within = places;
            // "Who pays the most, and what share is it?": of one that the part before it found.
            let share = [
                "share",
                "slice",
                "percent",
                "percentage",
                "proportion",
                "portion",
                "fraction",
            ];
            let has = |words: &[&str]| clause.iter().any(|piece| words.contains(&piece.word()));
            if !saying.is_empty() && has(&["it", "they"]) && has(&share) {
                return Ok(Outcome::Say(text_alone(PARTLY)));
            }
            let why = match decision {
                Decision::Look(plan) => match look(&plan, view).await? {
                    Ok(said) => {
                        held = Some(plan.held.led_by(said.leader.clone(), &said.listed, &said.loans));
                        saying.append(said);
                        continue;
                    }
                    Err(why) => why,
                },
                Decision::Say(why) | Decision::Stays(why) => why,
                Decision::Unsure | Decision::Perhaps => unsure,
                Decision::NotMine if saying.is_empty() => return Ok(Outcome::NotMine),
                Decision::NotMine | Decision::Suppose(_) => PARTLY.to_owned(),
            };
            return Ok(Outcome::Say(text_alone(&why)));
        }
        let frame = held.and_then(|held| held.json());
        let as_of = self.catalog.coverage.map(|coverage| coverage.as_of);
        Ok(Outcome::Answered(Draft {
            used_models: as_of.map(|as_of| models(view, as_of)).unwrap_or_default(),
            ..saying.draft(self.brief.tone, frame)
        }))
    }
}

/// What the figures were taken from.
fn models(view: &dyn Portfolio, as_of: NaiveDate) -> Vec<UsedModel> {
    let used = view.used().into_iter();
    let dated = used.map(|DataModel { name, title }| UsedModel { name, title, as_of });
    dated.collect()
}

/// Looks the plan up; a reason where nothing comes of it.
async fn look(plan: &Plan, view: &mut dyn Portfolio) -> Result<std::result::Result<Saying, String>> {
    let mut saying = Saying::default();
    if plan.explains {
        saying.explain();
    }
    for remark in &plan.remarks {
        saying.remark(remark);
    }
    if let Some(why) = unfit(plan) {
        return Ok(Err(why));
    }
    let mut narrowed = None;
    if !plan.conditions.is_empty() {
        match conditions::hold(plan, view, &mut saying).await? {
            Bounds::Said => return Ok(Ok(saying)),
            Bounds::Failed(why) => return Ok(Err(why)),
            Bounds::Narrowed(own) => narrowed = Some(own),
        }
    }
    let plan = narrowed.as_deref().unwrap_or(plan);
    let failed = match &plan.what {
        What::Metrics(metrics) => measures::look(plan, metrics, view, &mut saying).await?,
        What::Rollover => lists::rollover(plan, view, &mut saying).await?,
        What::Tenants => lists::tenants(plan, view, &mut saying).await?,
        What::Maturities => loans::maturities(plan, view, &mut saying).await?,
        What::Loans(asked) => loans::loans(plan, asked, view, &mut saying).await?,
        What::Breaches => splits::breaches(plan, view, &mut saying).await?,
        What::Facts(asked) => histories::facts(plan, asked, view, &mut saying).await?,
        What::Unlevered => histories::unlevered(plan, view, &mut saying).await?,
        What::Units(listed) => rosters::units(plan, *listed, view, &mut saying).await?,
    };
    Ok(match failed {
        Some(why) if saying.is_empty() => Err(why),
        // What of several things could not be had is said beside the others.
        Some(why) => {
            saying.remark(&why);
            Ok(saying)
        }
        None => Ok(saying),
    })
}

/// Lists know no bounds, and those of buildings and debt no single units and no other day: nothing asked is passed over.
fn unfit(plan: &Plan) -> Option<String> {
    let bounded = plan.bounds.iter().any(|bound| bound.above.is_some());
    // A bound that nothing is held against.
    let unused = matches!(plan.what, What::Metrics(_)) && !plan.polar && split_of(plan).is_none();
    if bounded && unused && !plan.scopes.iter().any(|scope| scope.is_building) {
        return Some(
            "I could not tell what is held against that bound. Please ask for instance which buildings are beyond it."
                .to_owned(),
        );
    }
    let changed = plan.turns.contains(&Turn::Growth) || plan.turns.contains(&Turn::Gain);
    let ordered = matches!(plan.what, What::Metrics(_)) && !changed && split_of(plan).is_some();
    if plan.rank.is_some_and(|rank| rank.nth.is_some()) && !ordered {
        return Some(
            "I can put that in order, but not pick one from its middle. Please ask for the order.".to_owned(),
        );
    }
    let lists = !matches!(
        plan.what,
        What::Metrics(_) | What::Breaches | What::Loans(_) | What::Facts(_)
    );
    if bounded && lists {
        return Some(
            "I cannot hold that list against a bound. Please ask for the list, or for one figure.".to_owned(),
        );
    }
    let of_units = !matches!(plan.what, What::Metrics(_) | What::Units(_) | What::Tenants);
    if plan.only.is_of_units() && of_units {
        return Some(format!(
            "I do not have that for {} alone.",
            plan.held.only_words.join(", ")
        ));
    }
    let dated = plan.times.iter().any(|when| *when != When::Now);
    if dated && plan.what == What::Unlevered {
        return Some(
            "I know which properties carry no debt as the data stands, not on another day.".to_owned(),
        );
    }
    None
}

fn text_alone(text: &str) -> Draft {
    Draft {
        quick_reply: text.to_owned(),
        summary: text.to_owned(),
        result: text.to_owned(),
        ..Draft::default()
    }
}
