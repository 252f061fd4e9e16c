//! The reader survives anything, quickly, and reads back what the formatter writes.

use std::time::Duration;

use analyst::contract::draft::Draft;
use analyst::say::format::money;
use proptest::prelude::*;

use super::asking::ask;
use crate::measured::cpu_time;

/// No draft carries a number that is none, or figures without success.
fn assert_sound(draft: &Draft) {
    assert!(draft.success || draft.figures.is_empty());
    let text = format!(
        "{} {} {} {}",
        draft.quick_reply, draft.summary, draft.result, draft.reasoning
    );
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        assert!(word != "NaN" && word != "inf", "{text}");
    }
    assert!(draft.figures.iter().all(|figure| !figure.value.is_null()));
}

proptest! {
    #[test]
    fn any_text_is_answered(text in ".{0,200}") {
        assert_sound(&ask(&text));
    }

    #[test]
    fn any_mix_of_known_words_is_answered(words in prop::collection::vec(prop::sample::select(vec![
        "NOI", "cap", "cap rate", "price", "of", "at", "6%", "5.85%", "12.4m", "(70,000)", "-70000", "900k", "loan", "30 year am",
        "IO", "2 years", "interest only", "balance", "after", "10 years", "IRR", "NPV", ",", "and", "?", "DSCR", "1.25x",
        "debt service", "a month", "equity", "year 3", "year", "1", "31 days", "actual/360", "0", "$", "-", "/", "half", "a",
        "million", "one", "point", "sell for", "each year for", "MIRR", "what", "is", "the", "1e308", "999999999999999999999",
        "compounded", "effective rate", "how much interest", "payment", "6 3/8", "(", ")", "%", "LTV", "value",
    ]), 0..24)) {
        assert_sound(&ask(&words.join(" ")));
    }

    #[test]
    fn money_reads_back(cents in 100_000_i64..100_000_000_i64, cap in 3_u32..12) {
        let noi = money(cents as f64 / 100.0);
        let draft = ask(&format!("What is {noi} of NOI worth at a {cap}% cap?"));
        prop_assert!(draft.success, "{}", draft.quick_reply);
        let got = draft.figures[0].value.as_f64().unwrap();
        let want = cents as f64 / f64::from(cap);
        prop_assert!((got - want).abs() < 0.6 * 100.0 / f64::from(cap), "{got} {want}");
    }

    #[test]
    fn scales_mean_the_same(thousands in 100_u32..9_999) {
        let plain = f64::from(thousands) * 1000.0;
        let forms = [
            format!("{thousands}k"),
            format!("{thousands},000"),
            format!("${thousands}000"),
            format!("{} million", plain / 1e6),
            format!("{}MM", plain / 1e6),
            format!("{thousands} thousand"),
        ];
        for form in forms {
            if thousands >= 1000 && form.ends_with(",000") {
                continue;
            }
            let draft = ask(&format!("NOI is {form} and the price is 80 million, cap rate?"));
            prop_assert!(draft.success, "{form}: {}", draft.quick_reply);
            let got = draft.figures[0].value.as_f64().unwrap();
            prop_assert!((got - plain / 8e7).abs() < 1e-12, "{form}: {got}");
        }
    }
}

#[test]
fn long_text_is_answered_at_once() {
    let texts = [
        "NOI ".repeat(10_000),
        "1 ".repeat(20_000),
        "-70000, 12000, ".repeat(2_600),
        "irr -1, 2, ".repeat(100),
        "one hundred and ".repeat(2_500),
        "((((((((".repeat(5_000),
        "5 5/8 ".repeat(190),
        "\u{1f3e2}\u{301}".repeat(5_000),
        "cap rate 6% NOI 900k price 15m ".repeat(30),
    ];
    for text in texts {
        let start = cpu_time();
        assert_sound(&ask(&text));
        let time = cpu_time() - start;
        // Unoptimised; optimised it is well below a twentieth of a second.
        assert!(
            time < Duration::from_millis(1500),
            "{}: {time:?}",
            text.get(..20).unwrap_or("")
        );
    }
}
