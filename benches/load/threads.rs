//! CPU time in nanoseconds, per thread. `/proc/PID/stat` counts in ticks of ten milliseconds, which is too
//! coarse for a few hundred requests.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::support::Outcome;

/// CPU time so far of each thread of some processes.
pub struct Threads(BTreeMap<String, u64>);

impl Threads {
    pub fn of(pids: &[u32]) -> Outcome<Self> {
        let mut times = BTreeMap::new();
        for pid in pids {
            for entry in std::fs::read_dir(format!("/proc/{pid}/task"))? {
                let path = entry?.path().join("schedstat");
                // The thread may have ended in the meantime.
                let Ok(text) = std::fs::read_to_string(&path) else {
                    continue;
                };
                let spent = text.split_whitespace().next().ok_or("an empty schedstat")?;
                times.insert(path.display().to_string(), spent.parse()?);
            }
        }
        Ok(Self(times))
    }

    /// CPU time spent since `before`. The time of threads that ended in between is unknown.
    pub fn since(&self, before: &Self) -> Duration {
        let spent = self.0.iter().map(|(thread, now)| {
            let then = before.0.get(thread).copied().unwrap_or_default();
            now.saturating_sub(then)
        });
        Duration::from_nanos(spent.sum())
    }
}
