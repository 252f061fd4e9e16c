//! Every integration test in one binary: it links once. Folders mirror `src`.

mod accounts;
mod analysis;
mod chat;
mod cli;
mod db;
mod finance;
mod harness;
mod layers;
mod pages;
mod platform;
mod privacy;
mod queue;
mod usage;
