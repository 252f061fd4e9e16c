//! Groups the months of a span into months, quarters or years. Pure.

use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::query::Split;

pub(super) fn buckets(span: Span, split: Split) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let same = |a: Month, b: Month| match split {
        Split::Year => a.year() == b.year(),
        Split::Quarter => (a.year(), a.quarter()) == (b.year(), b.quarter()),
        _ => a == b,
    };
    for month in span.each() {
        match out.last_mut() {
            Some(bucket) if same(bucket.to, month) => bucket.to = month,
            _ => out.push(Span::new(month, month)),
        }
    }
    out
}

pub(super) fn bucket_key(bucket: Span, split: Split) -> String {
    match split {
        Split::Year => bucket.to.year().to_string(),
        Split::Quarter => format!("{}-Q{}", bucket.to.year(), bucket.to.quarter()),
        _ => bucket.to.to_string(),
    }
}

/// Labels a bucket, and marks a quarter or year that the span covers only in part.
pub(super) fn bucket_label(bucket: Span, split: Split) -> String {
    let complete = match split {
        Split::Year => bucket.is_calendar_year(),
        Split::Quarter => bucket.is_quarter(),
        _ => return bucket.to.words(),
    };
    let key = match split {
        Split::Year => bucket.to.year().to_string(),
        _ => format!("Q{} {}", bucket.to.quarter(), bucket.to.year()),
    };
    if complete {
        key
    } else {
        format!("{key} ({})", bucket.words())
    }
}
