//! Answers that stay true for a short while: until their time, and only so many.

use chrono::{DateTime, TimeDelta, Utc};
use corbel::chat::slack::recent::Recent;

#[test]
fn holds_until_its_time_and_never_more_than_its_bound() {
    let now = DateTime::<Utc>::UNIX_EPOCH;
    let later = now + TimeDelta::seconds(5);
    let recent = Recent::new(2);
    recent.put("a", 1, later, now);
    assert_eq!(recent.get(&"a", now), Some((later, 1)));
    assert_eq!(recent.get(&"a", later), None);
    recent.put("b", 2, later + TimeDelta::seconds(1), now);
    recent.put("c", 3, later + TimeDelta::seconds(1), later);
    assert_eq!(
        recent.get(&"b", later).map(|(_, value)| value),
        Some(2),
        "only the stale one went"
    );
    recent.put("d", 4, later + TimeDelta::seconds(1), later);
    assert_eq!(recent.get(&"b", later), None);
    assert_eq!(recent.get(&"d", later).map(|(_, value)| value), Some(4));
}
