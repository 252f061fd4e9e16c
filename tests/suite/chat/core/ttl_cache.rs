//! The cache of look-ups: entries expire, and their number is bounded.

use chrono::{DateTime, TimeDelta, Utc};
use corbel::chat::core::ttl_cache::TtlCache;

#[test]
fn entries_expire_and_the_size_is_bounded() {
    let now = DateTime::<Utc>::UNIX_EPOCH;
    let later = now + TimeDelta::seconds(5);
    let cache = TtlCache::new(2);
    cache.put("a", 1, later, now);
    assert_eq!(cache.get(&"a", now), Some((later, 1)));
    assert_eq!(cache.get(&"a", later), None);
    cache.put("b", 2, later + TimeDelta::seconds(1), now);
    cache.put("c", 3, later + TimeDelta::seconds(1), later);
    assert_eq!(
        cache.get(&"b", later).map(|(_, value)| value),
        Some(2),
        "only the expired entry was removed"
    );
    cache.put("d", 4, later + TimeDelta::seconds(1), later);
    assert_eq!(cache.get(&"b", later), None);
    assert_eq!(cache.get(&"d", later).map(|(_, value)| value), Some(4));
}
