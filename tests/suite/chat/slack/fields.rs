//! What an admin copies from Slack's pages: a value in the wrong field is refused with a hint.

use corbel::chat::slack::fields::{
    app_id, bot_token, client_id, client_secret, configuration_token, signing_secret,
};

#[test]
fn a_value_in_the_wrong_field_is_refused() {
    assert_eq!(app_id(" A0123ABCD\n").ok().as_deref(), Some("A0123ABCD"));
    assert!(app_id("a0123abcd").is_err() && app_id("T0123ABCD").is_err() && app_id("A 0").is_err());
    assert!(client_id("1234.5678").is_ok() && client_id("1234").is_err() && client_id("a.b").is_err());
    let hex = "8f742231b10e8888abcd99aabbcc85a5";
    assert!(signing_secret(hex).is_ok() && client_secret(hex).is_ok());
    assert!(signing_secret("xoxb-8f742231b10e8888abcd99aabbcc85a5").is_err());
    assert!(
        signing_secret("gIkuvaNzQIHg97ATvDxqgjtO").is_err(),
        "a verification token"
    );
    assert!(bot_token("xoxb-1-2-abc").is_ok());
    for (token, hint) in [
        ("xoxp-1-2-abc", "person's"),
        ("xapp-1-2-abc", "app-level"),
        ("xoxe.xoxb-1-2-abc", "Install to Slack"),
        ("xoxe.xoxp-1-2-abc", "configuration"),
        ("xoxb-1 2", "Bot User"),
    ] {
        let why = bot_token(token).err().map(|error| error.to_string());
        assert!(why.is_some_and(|why| why.contains(hint)), "{token}");
    }
    assert!(configuration_token("xoxe.xoxp-1-abc").is_ok());
    assert!(configuration_token("xoxe-1-abc").is_err() && configuration_token("xoxb-1-abc").is_err());
}
