//! See `targets::ALL`.

#![no_main]

use corbel_fuzz::targets::run;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| run("slack_signatures", input));
