//! CPU time to the nanosecond, thread by thread: `/proc/PID/stat` counts in ticks of ten milliseconds, too coarse
//! for a few hundred requests.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::support::Outcome;

/// CPU time of each thread of some processes so far.
pub struct Threads(BTreeMap<String, u64>);

impl Threads {
    pub fn of(pids: &[u32]) -> Outcome<Self> {
        let mut times = BTreeMap::new();
        for pid in pids {
            for entry in std::fs::read_dir(format!("/proc/{pid}/task"))? {
                let path = entry?.path().join("schedstat");
                // A thread may end while it is looked at.
                let Ok(text) = std::fs::read_to_string(&path) else {
                    continue;
                };
                let spent = text.split_whitespace().next().ok_or("an empty schedstat")?;
                times.insert(path.display().to_string(), spent.parse()?);
            }
        }
        Ok(Self(times))
    }

    /// What they spent since `before`. What a thread that has ended meanwhile spent is not known any more.
    pub fn since(&self, before: &Self) -> Duration {
        let spent = self.0.iter().map(|(thread, now)| {
            let then = before.0.get(thread).copied().unwrap_or_default();
            now.saturating_sub(then)
        });
        Duration::from_nanos(spent.sum())
    }
}
