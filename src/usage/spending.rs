//! The table `model_spend`: what people and organizations spend on language models in a day and a month. Money is
//! reserved when a run is admitted, so that parallel runs cannot exceed a cap together.

use chrono::{DateTime, Days, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::base::ids::{OrgId, UserId};
use crate::base::money::MicroUsd;
use crate::db::exec::Exec;
use crate::db::tx::Tx;
use crate::usage::period;

/// The smallest amount with which a run is given to a model.
const LEAST: MicroUsd = MicroUsd(5_000);
/// The share of a cap, in per cent, after which administrators are warned.
pub const WARNED_AT: i64 = 80;

/// Who pays for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payer {
    Person(UserId),
    /// The owner of sandbox keys, for their runs.
    Sandbox(UserId),
    Organization,
}

impl Payer {
    /// As it is stored.
    pub fn word(self) -> String {
        match self {
            Self::Person(user) => format!("person/{user}"),
            Self::Sandbox(user) => format!("sandbox/{user}"),
            Self::Organization => "organization".to_owned(),
        }
    }

    /// Whose budget it is, for people.
    const fn budget(self) -> &'static str {
        match self {
            Self::Person(_) => "Your budget for the language model",
            Self::Sandbox(_) => "The trial budget of your sandbox keys for the language model",
            Self::Organization => "This organization's budget for the language model",
        }
    }
}

/// How long a cap holds, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    Day,
    Month,
}

impl Span {
    /// The period that a time is in, as it is stored.
    pub fn period(self, at: DateTime<Utc>) -> String {
        match self {
            Self::Day => at.format("%Y-%m-%d").to_string(),
            Self::Month => period::period_of(at),
        }
    }

    /// When the next period begins.
    fn next(self, at: DateTime<Utc>) -> DateTime<Utc> {
        let tomorrow = at.date_naive().checked_add_days(Days::new(1));
        match self {
            Self::Day => tomorrow
                .unwrap_or(at.date_naive())
                .and_time(NaiveTime::MIN)
                .and_utc(),
            Self::Month => period::next(at),
        }
    }
}

/// What a payer may spend in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    pub payer: Payer,
    pub span: Span,
    /// Absent: no limit now. What is spent counts towards a limit that is set later in the period.
    pub most: Option<MicroUsd>,
}

impl Cap {
    fn or_unlimited(&self) -> MicroUsd {
        self.most.unwrap_or(MicroUsd(i64::MAX))
    }
}

/// Money that is reserved for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    pub amount: MicroUsd,
    /// Where it counts.
    of: Vec<Share>,
}

/// One cap that reserved money counts towards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Share {
    payer: String,
    period: String,
    most: Option<MicroUsd>,
}

/// Why a run gets no money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached(pub String);

/// Reserves at most `most` for a run, as far as all caps allow. Locks the rows of the caps in their order, so that two
/// runs do not reserve the same money.
pub async fn hold(
    tx: &mut Tx,
    org: OrgId,
    caps: &[Cap],
    most: MicroUsd,
) -> Result<std::result::Result<Held, Reached>> {
    if most < LEAST {
        let why =
            "The limit of one question does not pay for the language model. The built-in analyst answered.";
        return Ok(Err(Reached(why.to_owned())));
    }
    let now = tx.now().await?;
    let mut caps: Vec<(String, String, Cap)> = caps
        .iter()
        .map(|cap| (cap.payer.word(), cap.span.period(now), *cap))
        .collect();
    caps.sort_by(|one, other| {
        (&one.0, &one.1, one.2.or_unlimited()).cmp(&(&other.0, &other.1, other.2.or_unlimited()))
    });
    // Of two caps of the same budget the lower one counts.
    caps.dedup_by(|one, other| (&one.0, &one.1) == (&other.0, &other.1));
    let mut held = Held {
        amount: most,
        of: Vec::with_capacity(caps.len()),
    };
    for (payer, period, cap) in caps {
        // The update locks the row.
        let (waiting, spent): (i64, i64) = tx
            .query(
                "INSERT INTO model_spend (org_id, payer, period, held, spent, warned) VALUES ($1, $2, $3, 0, 0, 0)
                 ON CONFLICT (org_id, payer, period) DO UPDATE SET held = model_spend.held
                 RETURNING held, spent",
            )
            .bind(org)
            .bind(payer.as_str())
            .bind(period.as_str())
            .one()
            .await?;
        let left = cap.or_unlimited().0.saturating_sub(spent);
        held.amount = held.amount.min(MicroUsd(left.saturating_sub(waiting)));
        if held.amount < LEAST {
            let is_spent = left < LEAST.0;
            return Ok(Err(Reached(reached(cap, now, is_spent))));
        }
        held.of.push(Share {
            payer,
            period,
            most: cap.most,
        });
    }
    for share in &held.of {
        tx.query("UPDATE model_spend SET held = held + $1 WHERE org_id = $2 AND payer = $3 AND period = $4")
            .bind(held.amount)
            .bind(org)
            .bind(share.payer.as_str())
            .bind(share.period.as_str())
            .execute()
            .await?;
    }
    Ok(Ok(held))
}

/// The sentence for people.
fn reached(cap: Cap, now: DateTime<Utc>, is_spent: bool) -> String {
    if !is_spent {
        return format!(
            "{} is reserved for questions that are being answered; ask again when they have ended. The built-in \
             analyst answered instead.",
            cap.payer.budget()
        );
    }
    let (span, next) = match cap.span {
        Span::Day => ("day", cap.span.next(now).format("%-d %B, %H:%M UTC")),
        Span::Month => ("month", cap.span.next(now).format("%-d %B")),
    };
    format!(
        "{} is used up for this {span}; it is renewed on {next}. The built-in analyst answered instead.",
        cap.payer.budget()
    )
}

/// A cap of which most is spent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    pub payer: String,
    pub period: String,
    pub spent: MicroUsd,
    pub most: MicroUsd,
}

impl Held {
    /// Counts what the run spent and returns the rest. Gives the caps of which most is spent now for the first time.
    pub async fn spend(&self, tx: &mut Tx, org: OrgId, spent: MicroUsd) -> Result<Vec<Near>> {
        let mut near = Vec::new();
        for share in &self.of {
            tx.query(
                "UPDATE model_spend SET held = CASE WHEN held < $1 THEN 0 ELSE held - $1 END, spent = spent + $2
                 WHERE org_id = $3 AND payer = $4 AND period = $5",
            )
            .bind(self.amount)
            .bind(spent)
            .bind(org)
            .bind(share.payer.as_str())
            .bind(share.period.as_str())
            .execute()
            .await?;
            let Some(most) = share.most else { continue };
            let warned = tx
                .query(
                    "UPDATE model_spend SET warned = $5 WHERE org_id = $1 AND payer = $2 AND period = $3
                         AND warned <> $5 AND spent * 100 >= $4",
                )
                .bind(org)
                .bind(share.payer.as_str())
                .bind(share.period.as_str())
                .bind(most.0.saturating_mul(WARNED_AT))
                .bind(most)
                .execute()
                .await?;
            if warned == 1 {
                let sum = spent_in(tx.exec(), org, &share.payer, &share.period).await?;
                near.push(Near {
                    payer: share.payer.clone(),
                    period: share.period.clone(),
                    spent: sum,
                    most,
                });
            }
        }
        Ok(near)
    }
}

/// What a payer has spent in a period.
pub async fn spent_in(db: Exec<'_>, org: OrgId, payer: &str, period: &str) -> Result<MicroUsd> {
    let spent: Option<(MicroUsd,)> = db
        .query("SELECT spent FROM model_spend WHERE org_id = $1 AND payer = $2 AND period = $3")
        .bind(org)
        .bind(payer)
        .bind(period)
        .optional()
        .await?;
    Ok(spent.map_or(MicroUsd::ZERO, |(spent,)| spent))
}

/// What people have spent in a period, by person.
pub async fn spent_by_person(db: Exec<'_>, org: OrgId, period: &str) -> Result<Vec<(UserId, MicroUsd)>> {
    let rows: Vec<(String, MicroUsd)> = db
        .query("SELECT payer, spent FROM model_spend WHERE org_id = $1 AND period = $2 AND payer LIKE 'person/%'")
        .bind(org)
        .bind(period)
        .all()
        .await?;
    let person = |(payer, spent): (String, MicroUsd)| {
        let id = payer.strip_prefix("person/")?.parse().ok()?;
        Some((id, spent))
    };
    Ok(rows.into_iter().filter_map(person).collect())
}

/// Deletes periods that ended more than a month ago, of all organizations.
pub async fn delete_old(tx: &mut Tx) -> Result<u64> {
    let before = tx.now().await?.checked_sub_days(Days::new(40));
    let before = before.map(period::period_of).unwrap_or_default();
    Ok(tx
        .query("DELETE FROM model_spend WHERE period < $1")
        .bind(before.as_str())
        .execute()
        .await?)
}
