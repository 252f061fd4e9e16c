//! Every integration test in one binary: it links once. Folders mirror `src`.

mod chat;
mod harness;
mod layers;
