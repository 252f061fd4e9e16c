//! Emoji and struck-out text: none of their digits is left, and everything else is.

use corbel::chat::slack::unmarked::unmarked;
use proptest::prelude::*;

#[test]
fn emoji_codes_and_struck_text_are_left_out() {
    for (written, left) in [
        ("DSCR? :pray::skin-tone-3:", "DSCR? "),
        (":100: :one: NOI 5", "NOI 5"),
        ("(:+1:) :-1: :1234: :o'clock2: x", "() x"),
        (":数字1: :8ball:5%", "5%"),
        ("price 5️⃣ 1⃣ #️⃣ 12", "price 12"),
        ("NOI ~500k~ 520k", "NOI 520k"),
        ("NOI ~~500k~~ 520k", "NOI 520k"),
        ("~a 1~", ""),
        ("*~12~* (~13~), “~14~”. ~15~!", "** (), “”. !"),
        ("| ~12~ | :one: | 3 |", "| | | 3 |"),
        ("~5 and ~7~ 8", "~5 and 8"),
        ("~see <https://x.example/~1~|12> `~` 3~ 4", "4"),
        ("a\t:one:\tb", "a\t\tb"),
        ("rent :one:\n:two: next", "rent \nnext"),
        ("2:one:3", "2:one:3"),
    ] {
        assert_eq!(unmarked(written), left, "{written}");
    }
}

#[test]
fn what_only_resembles_them_is_kept() {
    for text in [
        "12:30:45",
        "a ratio of 1:2:3, or 10:1: no",
        "Note: NOI: 5, see :NOI: and :: and ::1",
        "|:---|:-:|---:|",
        "about ~5% or ~7%",
        "~$5m–~$7m, ~5/~6, (~7 (~8)",
        "~ 12 ~ and ~12 ~ and ~ 12~",
        "~12\n13~",
        "~~~12~~~",
        "`~12~ :one:` and ```\n~12~ :one:\n```",
        "<https://x.example/:one:/~2~/|~3~>",
        "x~12~y",
        ":a name: 5",
        ":one",
        "<",
        "`",
    ] {
        assert_eq!(unmarked(text), text);
    }
}

/// A piece of a message, and what is left of it.
fn piece() -> impl Strategy<Value = (String, &'static str)> {
    let kept = prop::sample::select(vec!["rent", "NOI,", "(cap)", "vs.", "*b*", "| x |", "ä"]);
    let number = 0..2_000_u32;
    prop_oneof![
        kept.prop_map(|word| (word.to_owned(), word)),
        number.clone().prop_map(|code| (format!(":{code}:"), "")),
        number
            .clone()
            .prop_map(|code| (format!(":clock{code}::skin-tone-{}:", code % 6), "")),
        number.clone().prop_map(|code| (format!("~{code}.5%~"), "")),
        number
            .clone()
            .prop_map(|code| (format!("~rent of {code} :one:~"), "")),
        number.clone().prop_map(|code| (format!("~~{code}k~~"), "")),
        number.prop_map(|code| (format!("{}\u{fe0f}\u{20e3}", code % 10), "")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_digit_of_them_survives_and_no_word_is_lost(
        pieces in prop::collection::vec((piece(), prop::sample::select(vec![" ", "\n", "\t", "  "])), 0..20)
    ) {
        let written: String = pieces.iter().map(|((piece, _), gap)| format!("{piece}{gap}")).collect();
        let left = unmarked(&written);
        prop_assert!(!left.contains(|sign: char| sign.is_ascii_digit()), "{written:?}: {left:?}");
        let words: Vec<&str> = pieces.iter().flat_map(|((_, left), _)| left.split_whitespace()).collect();
        prop_assert_eq!(left.split_whitespace().collect::<Vec<_>>(), words);
        prop_assert_eq!(left.matches(['\n', '\t']).count(), written.matches(['\n', '\t']).count());
        prop_assert_eq!(unmarked(&left), left);
    }

    #[test]
    fn any_text_is_read_and_nothing_is_added(written in "[~:`<>1a \\n|*$–é]{0,40}") {
        let left = unmarked(&written);
        prop_assert!(left.len() <= written.len(), "{written:?}: {left:?}");
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
        prop_assert!(digits(&left) <= digits(&written));
    }
}
