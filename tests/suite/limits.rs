//! Rate limits.

mod record;
