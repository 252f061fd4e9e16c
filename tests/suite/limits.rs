//! How often something may be done in a time.

mod record;
