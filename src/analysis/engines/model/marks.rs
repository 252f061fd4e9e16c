//! Marks such as `[n1]` with which a model cites its sources. People do not see them.

/// Most characters of the refs in one mark.
const MARK: usize = 80;

/// The text without marks such as `[n1]` and `[r2.1]`, and the refs of the marks in their order.
pub fn without_marks(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut cited) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let (before, mark) = rest.split_at(start);
        // A mark is short: a text of brackets must not be searched to its end for each of them.
        let end = mark
            .char_indices()
            .skip(1)
            .take(MARK)
            .find(|(_, sign)| *sign == ']');
        let inner = end.and_then(|(at, _)| Some((mark.get(1..at)?, mark.get(at + 1..)?)));
        let refs: Option<Vec<&str>> = inner.and_then(|(inner, _)| {
            let all = inner.split([',', ';', ' ']).filter(|one| !one.is_empty());
            let all: Vec<&str> = all.collect();
            (!all.is_empty() && all.iter().all(|one| is_reference(one))).then_some(all)
        });
        match (inner, refs) {
            (Some((_, after)), Some(refs)) if !after.starts_with('(') => {
                plain.push_str(before.trim_end_matches(' '));
                for reference in refs {
                    if !cited.iter().any(|known| known == reference) {
                        cited.push(reference.to_owned());
                    }
                }
                rest = after;
            }
            _ => {
                plain.push_str(before);
                plain.push('[');
                rest = mark.get(1..).unwrap_or("");
            }
        }
    }
    plain.push_str(rest);
    (plain.trim().to_owned(), cited)
}

/// `n1`, `f2`, `d1`, `r3`, `r3.1`.
fn is_reference(text: &str) -> bool {
    let Some(number) = text.strip_prefix(['n', 'f', 'd', 'r']) else {
        return false;
    };
    let mut parts = number.split('.');
    let digits =
        |part: &str| !part.is_empty() && part.len() < 5 && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.clone().count() <= 2 && parts.all(digits)
}
