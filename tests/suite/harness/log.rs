//! Captures the app's logs in memory, so that a test can check what must not be logged.

use std::io::Write;
use std::sync::{Mutex, Once};

static CAPTURED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static SET_UP: Once = Once::new();

struct Capture;

impl Write for Capture {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        CAPTURED.lock().expect("log").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// From now on, captures everything down to `trace` from the app and its HTTP client.
pub fn capture() {
    SET_UP.call_once(|| {
        let filter =
            tracing_subscriber::EnvFilter::new("corbel=trace,reqwest=debug,hyper=debug,sqlx=info,warn");
        let logs = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_ansi(false)
            .with_writer(|| Capture);
        logs.try_init().expect("the only subscriber");
    });
}

/// Everything that was captured, from all tests.
pub fn all() -> String {
    String::from_utf8_lossy(&CAPTURED.lock().expect("log")).into_owned()
}
