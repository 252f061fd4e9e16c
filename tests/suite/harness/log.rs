//! What the product logs, kept in memory so that a test can look for what must not be there.

use std::io::Write;
use std::sync::{Mutex, Once};

static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static SET_UP: Once = Once::new();

struct Keeper;

impl Write for Keeper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        KEPT.lock().expect("log").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// From now on everything down to `trace` of this product and its HTTP client is kept.
pub fn keep() {
    SET_UP.call_once(|| {
        let filter =
            tracing_subscriber::EnvFilter::new("corbel=trace,reqwest=debug,hyper=debug,sqlx=info,warn");
        let logs = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_ansi(false)
            .with_writer(|| Keeper);
        logs.try_init().expect("the only subscriber");
    });
}

/// Everything logged since, by all tests.
pub fn all() -> String {
    String::from_utf8_lossy(&KEPT.lock().expect("log")).into_owned()
}
