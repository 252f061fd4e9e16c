//! Terms of the search index: stems, plain characters, counts.

use std::collections::BTreeMap;

use corbel::context::terms::{Terms, counts, wanted};

#[test]
fn words_with_one_stem_are_one_term() {
    for (one, other) in [
        ("reserve", "Reserves"),
        ("lease", "LEASED"),
        ("policy", "policies"),
        ("café", "cafe"),
        ("ﬁnance", "financing"),
        ("Straße", "straße"),
        ("zu\u{308}rich", "Zürich"),
        ("Łódź", "lodz"),
        ("\u{1112}\u{1161}\u{11ab}", "한"),
    ] {
        assert_eq!(wanted(one), wanted(other), "{one}, {other}");
    }
    assert_ne!(wanted("договор"), wanted("аренда"));
    assert_eq!(wanted("the of what a"), Vec::<String>::new());
}

#[test]
fn terms_are_plain_and_counted() {
    let text = "Straße 日本 naïve don't 1,200 \u{130}stanbul x² ½ \u{1F3E0} _o' | & :";
    let terms = Terms::of("Naive", text);
    let plain = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == ' ';
    assert!(terms.distinct().chars().all(plain), "{}", terms.distinct());
    let wanted = wanted("naive missing");
    let found: BTreeMap<_, _> = wanted.iter().zip(counts(&terms.encode(), &wanted)).collect();
    assert_eq!(found.values().copied().collect::<Vec<_>>(), [0, 4]);
}

#[test]
fn each_wanted_word_is_counted_in_any_position() {
    let terms = Terms::of("", "b d d f h h h b b b");
    for (question, expected) in [("bb dd", vec![0, 0]), ("aa 00 zz", vec![0, 0, 0]), ("", vec![])] {
        let wanted = wanted(question);
        assert_eq!(counts(&terms.encode(), &wanted), expected, "{question}");
    }
    let all: Vec<String> = ["a", "b", "c", "d", "f", "g", "h", "i"]
        .map(str::to_owned)
        .to_vec();
    assert_eq!(counts(&terms.encode(), &all), [0, 4, 0, 2, 1, 0, 3, 0]);
    assert_eq!(counts("", &all), [0; 8]);
}
