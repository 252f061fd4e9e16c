//! Finds or opens the sessions of a group of turns. All sessions of the group are looked up at once; new ones are
//! opened only when it is certain that they get a turn.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use crate::base::error::{Error, Result};
use crate::base::ids::{OrgId, SessionId, UserId};
use crate::base::principal::Principal;
use crate::db::tx::Tx;
use crate::sessions::model::{Audience, Session, Which};
use crate::sessions::store;

/// The session of a turn, which exists or will be opened.
#[derive(Clone, Debug)]
pub struct Entry {
    org: OrgId,
    user: UserId,
    session: Session,
    origin: Option<String>,
    is_new: bool,
}

impl Entry {
    pub const fn session(&self) -> &Session {
        &self.session
    }
}

/// Sessions by origin, and whether they are new.
type ByOrigin = BTreeMap<(OrgId, String), (Session, bool)>;

/// Finds or plans the session of each turn, in order; writes nothing. If the whole call fails with `NotFound`, one turn
/// depends on the outcome of another, and the caller has to process them one by one.
pub(super) async fn find(tx: &mut Tx, turns: &[(Principal, &Which)]) -> Result<Vec<Result<Entry>>> {
    let now = tx.now().await?;
    let known = existing(tx, turns).await?;
    let mut by_origin = of_origins(tx, turns).await?;
    let mut entries = Vec::with_capacity(turns.len());
    for (principal, which) in turns {
        let (org, user) = (principal.org, principal.user);
        let entry = |session: Session, origin: Option<&str>, is_new| Entry {
            org,
            user,
            session,
            origin: origin.map(str::to_owned),
            is_new,
        };
        entries.push(match which {
            Which::New => Ok(entry(planned(Audience::Private, user, now), None, true)),
            Which::Existing(id) => match known.get(&(org, *id, user)) {
                Some(session) => Ok(entry(session.clone(), None, false)),
                None => Err(Error::NotFound("session")),
            },
            Which::Origin { origin, audience } => {
                let known = by_origin.entry((org, origin.clone()));
                let (session, is_new) = known.or_insert_with(|| (planned(*audience, user, now), true));
                if session.audience == *audience && may_enter(session, user) {
                    Ok(entry(session.clone(), Some(origin), *is_new))
                } else if *is_new {
                    // The turn that is to open the session may still be refused.
                    return Err(Error::NotFound("session"));
                } else {
                    Err(Error::NotFound("session"))
                }
            }
        });
    }
    Ok(entries)
}

/// Opens the new sessions and adds the people as participants.
pub(super) async fn open(tx: &mut Tx, entries: &mut [Entry]) -> Result<()> {
    let mut new: BTreeMap<(OrgId, Option<&str>, SessionId), &Session> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.is_new) {
        // Sorted, so that concurrent groups lock the same sessions in the same order.
        let key = (entry.org, entry.origin.as_deref(), entry.session.id);
        new.entry(key).or_insert(&entry.session);
    }
    let rows: Vec<(OrgId, Option<&str>, &Session)> = new
        .iter()
        .map(|((org, origin, _), session)| (*org, *origin, *session))
        .collect();
    if store::add(tx, &rows).await? < rows.len() {
        // Another transaction opened one of them meanwhile.
        let origins: Vec<(OrgId, &str)> = rows
            .iter()
            .filter_map(|(org, origin, _)| Some((*org, (*origin)?)))
            .collect();
        let found = store::of_origins(tx, &origins).await?;
        for (org, origin, session) in found {
            let same = |entry: &&mut Entry| entry.org == org && entry.origin.as_ref() == Some(&origin);
            for entry in entries.iter_mut().filter(same) {
                if session.audience != entry.session.audience || !may_enter(&session, entry.user) {
                    return Err(Error::NotFound("session"));
                }
                entry.session = session.clone();
            }
        }
    }
    // Only sessions found by their origin need new participants: a private session has only its owner, and people who
    // name a shared session by its id already take part in it.
    let joining: BTreeSet<(OrgId, SessionId, UserId)> = entries
        .iter()
        .filter(|entry| entry.origin.is_some() && entry.session.audience == Audience::Shared)
        .map(|entry| (entry.org, entry.session.id, entry.user))
        .collect();
    store::join(tx, &joining.into_iter().collect::<Vec<_>>()).await
}

async fn existing(
    tx: &mut Tx,
    turns: &[(Principal, &Which)],
) -> Result<BTreeMap<(OrgId, SessionId, UserId), Session>> {
    let keys: BTreeSet<(OrgId, SessionId, UserId)> = turns
        .iter()
        .filter_map(|(principal, which)| match which {
            Which::Existing(id) => Some((principal.org, *id, principal.user)),
            Which::New | Which::Origin { .. } => None,
        })
        .collect();
    let found = store::all_taken_part_in(tx, &keys.into_iter().collect::<Vec<_>>()).await?;
    let keyed = found
        .into_iter()
        .map(|(org, user, session)| ((org, session.id, user), session));
    Ok(keyed.collect())
}

async fn of_origins(tx: &mut Tx, turns: &[(Principal, &Which)]) -> Result<ByOrigin> {
    let keys: BTreeSet<(OrgId, &str)> = turns
        .iter()
        .filter_map(|(principal, which)| match which {
            Which::Origin { origin, .. } => Some((principal.org, origin.as_str())),
            Which::New | Which::Existing(_) => None,
        })
        .collect();
    let found = store::of_origins(tx, &keys.into_iter().collect::<Vec<_>>()).await?;
    let keyed = found
        .into_iter()
        .map(|(org, origin, session)| ((org, origin), (session, false)));
    Ok(keyed.collect())
}

fn planned(audience: Audience, user: UserId, now: DateTime<Utc>) -> Session {
    Session {
        id: SessionId::new(),
        audience,
        owner_id: (audience == Audience::Private).then_some(user),
        created_at: now,
    }
}

/// A private session is open to its owner only. A shared one is open to every member of the organization, because the
/// chat conversation behind it controls who can post.
fn may_enter(session: &Session, user: UserId) -> bool {
    session.audience == Audience::Shared || session.owner_id == Some(user)
}
