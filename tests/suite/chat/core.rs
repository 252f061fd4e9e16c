//! Rules of a chat, for every platform.

mod greeting;
mod rate_limits;
mod ttl_cache;
