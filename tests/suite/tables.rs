//! Tables out of text.

mod cells;
mod reads;
