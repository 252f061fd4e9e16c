//! Slack's text escapes: the text as people see it, the bot's mention, and truncation.

use corbel::chat::slack::mrkdwn::{fitted, mentions, plain};

#[test]
fn escaped_text_becomes_the_text_people_see() {
    for (wire, seen) in [
        ("<@U0BOT> what is NOI?", "what is NOI?"),
        ("ask <@U0BOT|corbel> now", "ask now"),
        ("thanks <@U0BOT>, and <@U0BOB>?", "thanks , and @someone?"),
        ("<@U0BOB|bob> owes &lt;5% &amp; more", "@bob owes <5% & more"),
        ("&amp;lt; stays escaped once", "&lt; stays escaped once"),
        (
            "see <https://a.example/x?a=1&amp;b=2>",
            "see https://a.example/x?a=1&b=2",
        ),
        ("see <https://a.example|the deal>", "see the deal"),
        ("<mailto:a@b.example|a@b.example> <tel:123>", "a@b.example 123"),
        ("in <#C1|leasing> or <#C2>", "in #leasing or #channel"),
        (
            "<!here> <!subteam^S1|@desk> <!date^1^{date}|1 May>",
            "@here @desk 1 May",
        ),
        ("a < b", "a < b"),
        ("1 & 2 &copy;", "1 & 2 &copy;"),
        ("Total? <@U0BOT>\na,b\n1,2", "Total? \na,b\n1,2"),
        ("<@U0BOT>", ""),
        ("", ""),
    ] {
        assert_eq!(plain(wire, Some("U0BOT")), seen, "{wire}");
    }
}

#[test]
fn only_the_bot_s_own_id_is_a_mention() {
    assert!(mentions("hi <@U0BOT|x>", "U0BOT"));
    assert!(!mentions("hi <@U0BOTTOM> @U0BOT &lt;@U0BOT&gt;", "U0BOT"));
}

#[test]
fn truncation_never_splits_an_entity() {
    assert_eq!(fitted("a<b", 10), "a&lt;b");
    assert_eq!(fitted("a<<", 6), "a&lt;…");
    assert_eq!(fitted("<<<", 3), "…");
}
