//! Letters in one form: composed in text, without accents in search. ASCII and composed text is not copied.

use std::borrow::Cow;

use proptest::prelude::*;
use tables::decode::decode;
use tables::letters::{composed, forms, into_composed, is_composed, name_key, search_key};

/// "Zoë" and others with their accents behind the letters.
const APART: &str = "Zoe\u{308}, Cafe\u{301}, U\u{308}bel, An\u{303}o, \u{1112}\u{1161}\u{11ab}";
const TOGETHER: &str = "Zoë, Café, Übel, Año, 한";

#[test]
fn letters_are_composed() {
    assert_eq!(composed(APART), TOGETHER);
    assert_eq!(into_composed(APART.to_owned()), TOGETHER);
    assert!(is_composed(TOGETHER) && !is_composed(APART));
    // Digits, fractions and units stay as they are written.
    for text in ["m², ½, 5\u{a0}%, ＣＡＦÉ, ﬁ", "rent 1,200", "日本", ""] {
        assert!(matches!(composed(text), Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn a_file_of_composed_letters_is_not_copied() {
    for text in [
        "unit,rent\n1,5\n".repeat(1_000),
        format!("{TOGETHER}\n").repeat(100),
    ] {
        let (start, bytes) = (text.as_ptr(), text.clone().into_bytes());
        assert_eq!(decode(bytes).text, text);
        assert_eq!(decode(text.into_bytes()).text.as_ptr(), start, "the same memory");
    }
    assert_eq!(decode(APART).text, TOGETHER);
    let utf16: Vec<u8> = std::iter::once(0xfeff)
        .chain(APART.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(decode(utf16).text, TOGETHER);
}

#[test]
fn names_are_compared_without_case_and_searched_without_accents() {
    for (one, other) in [
        ("CAFÉ ZOË", "cafe\u{301} zoe\u{308}"),
        ("ÉCOLE", "école"),
        ("Acme", "ACME"),
    ] {
        assert_eq!(name_key(one), name_key(other), "{one}");
    }
    assert_ne!(name_key("Café"), name_key("Cafe"));
    for (text, key) in [
        ("Zürich", "zurich"),
        ("ZU\u{308}RICH", "zurich"),
        ("Straße Søren Łódź Œuvre", "strasse soren lodz oeuvre"),
        ("İstanbul ﬁ x² ＡＢＣ", "istanbul fi x2 abc"),
        ("ά й \u{1112}\u{1161}\u{11ab} が हिन्दी", "α и 한 が हिन्दी"),
        ("Plain TEXT 1,200", "plain text 1,200"),
    ] {
        assert_eq!(search_key(text), key, "{text}");
    }
    assert_eq!(forms("Acme"), ["Acme"]);
    assert_eq!(forms("Zoë"), ["Zoe\u{308}", "Zoë"]);
}

proptest! {
    #[test]
    fn every_form_of_a_text_has_one_key(text in "[a-zA-Z0-9éÉüßøÅñ한が½ﬁ\u{301}\u{308}\u{327} ,]{0,20}") {
        let whole = composed(&text);
        prop_assert!(is_composed(&whole));
        prop_assert_eq!(composed(&whole), whole.clone());
        for form in forms(&text) {
            prop_assert_eq!(composed(&form), whole.clone());
            prop_assert_eq!(name_key(&form), name_key(&text));
            prop_assert_eq!(search_key(&form), search_key(&text));
        }
        prop_assert_eq!(search_key(&search_key(&text)), search_key(&text));
    }

    #[test]
    fn ascii_is_left_alone(text in "[ -~\\n\\t]{0,40}") {
        prop_assert!(matches!(composed(&text), Cow::Borrowed(_)));
        prop_assert_eq!(forms(&text), vec![text.clone()]);
        prop_assert_eq!(name_key(&text), text.to_ascii_lowercase());
        prop_assert_eq!(search_key(&text), text.to_ascii_lowercase());
    }
}
