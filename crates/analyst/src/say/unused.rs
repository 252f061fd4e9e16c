//! What of a question was not used, said beside the answer.

use crate::contract::brief::{Brief, FileContent, FileFrom, Remark, Speaker};
use crate::contract::draft::Draft;
use crate::say::scope;
use tables::pasted;

pub(crate) const THREAD: &str = "Earlier messages of this thread hold numbers that I did not use, because I cannot tell \
                             which of them you mean. Repeat those that count and I calculate with them.";

pub(crate) fn holds_numbers(remark: &Remark) -> bool {
    matches!(remark.by, Speaker::Person) && remark.text.chars().any(|sign| sign.is_ascii_digit())
}

/// The answer to a question that says nothing of this field, but came with something: that may be what it is about.
pub(crate) fn of_content(brief: &Brief) -> Option<String> {
    let content = || pasted::has_quotation(&brief.question) || !pasted::find(&brief.question).is_empty();
    let asked = || content().then(|| scope::WHAT_TO_COMPUTE.to_owned());
    brief.refused.clone().or_else(asked)
}

/// Files of the question that cannot be read: none is passed over in silence.
pub(crate) fn unread_files(brief: &Brief, draft: &Draft) -> Option<String> {
    let own = brief.files.iter().filter(|file| file.from == FileFrom::Question);
    let unread: Vec<String> = own
        .filter(|file| !draft.quick_reply.contains(&file.name))
        .filter_map(|file| match &file.content {
            FileContent::Unreadable(why) => Some(format!("{} ({why})", file.name)),
            FileContent::Text { .. } => None,
        })
        .collect();
    (!unread.is_empty()).then(|| format!("Not used for this: {}.", unread.join("; ")))
}
