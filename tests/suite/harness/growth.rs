//! Measures how the CPU time of readers grows with the length of their text, shared by the tests of all crates.
//!
//! Each text is read at one length and at four times that length. Over two doublings a reader that is quadratic takes
//! 16 times as long, far more than the noise of a busy machine.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Each doubling of the text may take this many times as long, on average.
const FACTOR: f64 = 2.5;
/// Shorter times depend on the allocator and the scheduler more than on the text.
const SHORTEST: Duration = Duration::from_millis(10);
/// Number of measurements of which the fastest counts.
const ATTEMPTS: usize = 20;
/// A reading that takes this long is not measured again.
const LONG: Duration = Duration::from_secs(10);

/// Texts are measured one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// The CPU time of each reader.
pub type Times = BTreeMap<&'static str, Duration>;

/// Adds the CPU time that a reader takes.
pub fn timed<T>(times: &mut Times, reader: &'static str, read: impl FnOnce() -> T) -> T {
    let start = cpu_time();
    let result = black_box(read());
    *times.entry(reader).or_default() += cpu_time() - start;
    result
}

/// The readers that take too long for a text compared with one of a quarter of its length, as sentences.
pub fn steep(shape: &str, short: &str, long: &str, read: impl Fn(&str) -> Times) -> Vec<String> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut before, mut after) = (Times::new(), read(long));
    let mut found = Vec::new();
    for _ in 0..ATTEMPTS {
        if after.values().all(|time| *time < SHORTEST) {
            found.clear();
            break;
        }
        fastest(&mut before, read(short));
        found = after
            .iter()
            .filter(|(_, time)| **time >= SHORTEST)
            .filter_map(|(reader, time)| {
                let own = before.get(reader)?;
                (time.as_secs_f64() > own.as_secs_f64() * FACTOR * FACTOR)
                    .then(|| format!("{shape}: {reader} takes {own:.1?}, then {time:.1?}"))
            })
            .collect();
        // A single measurement of a long time is exact enough.
        if found.is_empty() || after.values().sum::<Duration>() > LONG {
            break;
        }
        fastest(&mut after, read(long));
    }
    if std::env::var_os("CORBEL_TEST_TIMES").is_some() {
        println!("{shape}: {before:.1?} {after:.1?}");
    }
    found
}

fn fastest(times: &mut Times, again: Times) {
    for (reader, time) in again {
        let own = times.entry(reader).or_insert(time);
        *own = time.min(*own);
    }
}

/// The CPU time of this thread so far.
pub fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(now.tv_sec).unwrap(),
        u32::try_from(now.tv_nsec).unwrap(),
    )
}
