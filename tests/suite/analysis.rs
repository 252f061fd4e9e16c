//! The analysis core and its engines.

mod asking;
mod calculations;
mod cases;
mod conversations;
mod examples;
mod handed;
mod judge;
mod near_misses;
mod orders;
mod paraphrases;
mod phrasings;
mod pitfalls;
mod questions;
mod reader;
mod recall;
mod sheets;
