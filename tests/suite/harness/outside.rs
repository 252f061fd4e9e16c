//! What tests need from outside: programs that judge, material that is not ours, a database server. Each is named by a
//! setting. Without it a test says what it leaves out; where `CI=true`, it fails.

/// What the setting names; none where it is not set, said together with what is left out.
///
/// # Panics
///
/// In CI, where nothing may be left out.
pub fn named(setting: &str, left_out: &str) -> Option<String> {
    let found = std::env::var(setting).ok();
    if found.is_none() {
        missing(&format!("{setting} is not set: {left_out}"));
    }
    found
}

/// Says what is left out.
///
/// # Panics
///
/// In CI, where nothing may be left out.
pub fn missing(what: &str) {
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "in CI nothing is left out: {what}"
    );
    println!("{what}");
}
