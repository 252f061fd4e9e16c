//! Wakes the callers of this process that wait for a turn to end. It only shortens the wait: the run may end on another
//! node, so the waiting caller polls the database as well.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use crate::base::ids::MessageId;
use crate::db::tx::Tx;

type Watched = HashMap<MessageId, Vec<Arc<Notify>>>;

/// Cheap to clone; clones share the list of waiting callers.
#[derive(Clone, Default)]
pub(super) struct Waiting {
    watched: Arc<Mutex<Watched>>,
}

/// Waits for one turn until it is dropped.
pub(super) struct Watch {
    waiting: Waiting,
    message: MessageId,
    ended: Arc<Notify>,
}

impl Waiting {
    /// Starts watching: a signal from now on is not missed.
    pub(super) fn watch(&self, message: MessageId) -> Watch {
        let ended = Arc::new(Notify::new());
        self.with(|watched| watched.entry(message).or_default().push(Arc::clone(&ended)));
        Watch {
            waiting: self.clone(),
            message,
            ended,
        }
    }

    /// Wakes the callers that wait for the turn, once the transaction that ends it is on disk.
    pub(super) fn signal(&self, tx: &mut Tx, message: MessageId) {
        let watches = self.with(|watched| watched.get(&message).cloned());
        for ended in watches.iter().flatten() {
            tx.signal(ended);
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Watched) -> T) -> T {
        // A panic while the lock was held cannot have left the map inconsistent.
        act(&mut self.watched.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Watch {
    pub(super) async fn ended(&self) {
        self.ended.notified().await;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.waiting.with(|watched| {
            if let Some(all) = watched.get_mut(&self.message) {
                all.retain(|one| !Arc::ptr_eq(one, &self.ended));
                if all.is_empty() {
                    watched.remove(&self.message);
                }
            }
        });
    }
}
