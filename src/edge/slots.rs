//! Bounds how many clients are served at a time and how many bytes are held for them: in total and for each of them
//! that is counted. Above a bound, the client that has kept the server waiting longest loses its slot to the new one.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use metrics::counter;
use tokio::sync::Notify;

/// Slots, and bytes held for their clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub slots: usize,
    pub bytes: usize,
}

/// The slots of a kind of client. `K` is what they are counted by, for instance an address. Clones share the slots.
#[derive(Debug)]
pub struct Slots<K>(Arc<Shared<K>>);

impl<K> Clone for Slots<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

#[derive(Debug)]
struct Shared<K> {
    /// Names these slots in the metrics.
    name: &'static str,
    total: Share,
    each: Share,
    since: Instant,
    taken: Mutex<Taken<K>>,
}

#[derive(Debug)]
struct Taken<K> {
    next: u64,
    slots: HashMap<u64, Entry<K>>,
    counted: HashMap<K, Share>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry<K> {
    /// None: counts in the total only.
    by: Option<K>,
    bytes: usize,
    client: Arc<Client>,
}

/// What changes often, and so without the lock.
#[derive(Debug)]
struct Client {
    /// Since when the server has waited for the client, in microseconds, or [`SERVER`].
    waiting: AtomicU64,
    lost: Notify,
}

/// It is the server's turn. Such a client never loses its slot.
const SERVER: u64 = u64::MAX;

/// A client's slot, freed on drop.
#[derive(Debug)]
pub struct Slot<K: Copy + Eq + Hash> {
    id: u64,
    client: Arc<Client>,
    shared: Arc<Shared<K>>,
}

impl<K: Copy + Eq + Hash> Slots<K> {
    /// `each` bounds what is counted by the same key.
    pub fn new(name: &'static str, total: Share, each: Share) -> Self {
        Self(Arc::new(Shared {
            name,
            total,
            each,
            since: Instant::now(),
            taken: Mutex::new(Taken {
                next: 0,
                slots: HashMap::new(),
                counted: HashMap::new(),
                bytes: 0,
            }),
        }))
    }

    /// A slot for a client that the server waits for. None if every slot in question is at work.
    pub fn take(&self, by: Option<K>) -> Option<Slot<K>> {
        let mut taken = self.0.taken();
        if let Some(key) = by
            && taken.count(key).slots >= self.0.each.slots
            && !self.0.free(&mut taken, |_, entry| entry.by == by)
        {
            return None;
        }
        if taken.slots.len() >= self.0.total.slots && !self.0.free(&mut taken, |_, _| true) {
            return None;
        }
        let id = taken.next;
        taken.next += 1;
        let client = Arc::new(Client {
            waiting: AtomicU64::new(self.0.now()),
            lost: Notify::new(),
        });
        let entry = Entry {
            by: None,
            bytes: 0,
            client: Arc::clone(&client),
        };
        taken.slots.insert(id, entry);
        taken.count_by(id, by);
        let shared = Arc::clone(&self.0);
        Some(Slot { id, client, shared })
    }

    /// Takes the slot from the client that has kept the server waiting longest, if there is one.
    pub fn free_one(&self) -> bool {
        self.0.free(&mut self.0.taken(), |_, _| true)
    }
}

impl<K: Copy + Eq + Hash> Shared<K> {
    fn taken(&self) -> MutexGuard<'_, Taken<K>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_micros()).unwrap_or(SERVER - 1)
    }

    fn free(&self, taken: &mut Taken<K>, among: impl Fn(u64, &Entry<K>) -> bool) -> bool {
        let candidates = taken.slots.iter().filter(|(id, entry)| among(**id, entry));
        let waiting = candidates.map(|(id, entry)| (entry.client.waiting.load(Ordering::Relaxed), *id));
        let Some((_, longest)) = waiting.filter(|(since, _)| *since != SERVER).min() else {
            return false;
        };
        if let Some(entry) = taken.remove(longest) {
            entry.client.lost.notify_one();
            counter!("corbel_slots_lost_total", "of" => self.name).increment(1);
        }
        true
    }
}

impl<K: Copy + Eq + Hash> Taken<K> {
    fn count(&self, key: K) -> Share {
        self.counted.get(&key).copied().unwrap_or_default()
    }

    /// Counts a slot by another key.
    fn count_by(&mut self, id: u64, by: Option<K>) {
        let Some(entry) = self.slots.get_mut(&id) else {
            return;
        };
        let (before, bytes) = (std::mem::replace(&mut entry.by, by), entry.bytes);
        self.uncount(before, bytes);
        if let Some(key) = by {
            let count = self.counted.entry(key).or_default();
            count.slots += 1;
            count.bytes += bytes;
        }
    }

    fn uncount(&mut self, by: Option<K>, bytes: usize) {
        let Some(key) = by else { return };
        if let Some(count) = self.counted.get_mut(&key) {
            count.slots -= 1;
            count.bytes -= bytes;
            if count.slots == 0 {
                self.counted.remove(&key);
            }
        }
    }

    fn remove(&mut self, id: u64) -> Option<Entry<K>> {
        let entry = self.slots.remove(&id)?;
        self.bytes -= entry.bytes;
        self.uncount(entry.by, entry.bytes);
        Some(entry)
    }
}

impl<K: Copy + Eq + Hash> Slot<K> {
    /// Completes when another client has got the slot.
    pub async fn lost(&self) {
        self.client.lost.notified().await;
    }

    /// It is the server's turn.
    pub fn working(&self) {
        self.client.waiting.store(SERVER, Ordering::Relaxed);
    }

    /// It is the client's turn, from now on or as before.
    pub fn waiting(&self) {
        let now = self.shared.now();
        let waiting = &self.client.waiting;
        let _ = waiting.compare_exchange(SERVER, now, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The client has made progress, and it is still its turn.
    pub fn progressed(&self) {
        self.client.waiting.store(self.shared.now(), Ordering::Relaxed);
    }

    /// Counts the slot by another key. False, and unchanged, if all slots of that key are at work.
    #[must_use]
    pub fn count_by(&self, by: Option<K>) -> bool {
        let mut taken = self.shared.taken();
        let Some(entry) = taken.slots.get(&self.id) else {
            // Lost: the client is about to be disconnected.
            return true;
        };
        if entry.by == by {
            return true;
        }
        if let Some(key) = by
            && taken.count(key).slots >= self.shared.each.slots
            && !self.shared.free(&mut taken, |_, entry| entry.by == by)
        {
            return false;
        }
        taken.count_by(self.id, by);
        true
    }

    /// Sets how many bytes are held for this client. Above a bound, others that bytes are held for lose their slots;
    /// one client alone may hold more.
    pub fn hold(&self, bytes: usize) {
        let mut taken = self.shared.taken();
        let Some(entry) = taken.slots.get_mut(&self.id) else {
            return;
        };
        let (before, by) = (std::mem::replace(&mut entry.bytes, bytes), entry.by);
        taken.bytes = taken.bytes - before + bytes;
        if let Some(count) = by.and_then(|key| taken.counted.get_mut(&key)) {
            count.bytes = count.bytes - before + bytes;
        }
        let (each, total) = (self.shared.each.bytes, self.shared.total.bytes);
        let another = |id: u64, entry: &Entry<K>| id != self.id && entry.bytes > 0;
        if let Some(key) = by {
            while taken.count(key).bytes > each
                && self
                    .shared
                    .free(&mut taken, |id, entry| another(id, entry) && entry.by == by)
            {}
        }
        while taken.bytes > total && self.shared.free(&mut taken, another) {}
    }
}

impl<K: Copy + Eq + Hash> Drop for Slot<K> {
    fn drop(&mut self) {
        self.shared.taken().remove(self.id);
    }
}
