//! Files that are spoken of as if they had come along. Pure.

use crate::words::scan::Token;

/// "Here is the rent roll", "sending over my T-12": a file is spoken of that should have come along.
pub(crate) fn handed(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let hands = |at: usize| {
        matches!(
            (word(at), word(at + 1)),
            ("here", "is" | "are" | "s" | "my" | "our" | "the" | "your")
                | ("just", "sent" | "uploaded" | "shared" | "forwarded" | "dropped")
                | (
                    "here's"
                        | "heres"
                        | "enclosed"
                        | "attached"
                        | "attaching"
                        | "sending"
                        | "sharing"
                        | "forwarding"
                        | "uploading"
                        | "dropping",
                    _
                )
        )
    };
    (0..tokens.len()).any(|at| {
        hands(at)
            && (at + 1..at + 6).any(|next| {
                matches!(
                    word(next),
                    "roll"
                        | "rentroll"
                        | "rr"
                        | "t12"
                        | "t"
                        | "ttm"
                        | "statement"
                        | "spreadsheet"
                        | "file"
                        | "table"
                        | "schedule"
                        | "tape"
                        | "sheet"
                        | "export"
                        | "workbook"
                ) || (word(next) == "list" && matches!(word(next - 1), "lease" | "tenant" | "unit" | "comp"))
            })
    })
}
