//! External resources for tests: oracles, shared data, a database server. Each is configured by a setting. Without it a
//! test prints what it skips, or fails where `CI=true`.

/// The value of a setting. If it is not set, prints what is skipped.
///
/// # Panics
///
/// In CI, where nothing may be skipped.
pub fn named(setting: &str, skipped: &str) -> Option<String> {
    let found = std::env::var(setting).ok();
    if found.is_none() {
        missing(&format!("{setting} is not set: {skipped}"));
    }
    found
}

/// Prints what is skipped.
///
/// # Panics
///
/// In CI, where nothing may be skipped.
pub fn missing(what: &str) {
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "in CI nothing may be skipped: {what}"
    );
    println!("{what}");
}
