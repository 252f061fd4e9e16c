//! Chat rules for all platforms.

mod greeting;
mod rate_limits;
mod ttl_cache;
