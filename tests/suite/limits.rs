//! Rate limits.

mod sliding_window;
