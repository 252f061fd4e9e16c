//! The stable words of figures: a metric's own, with its period, its split or its rank. Pure.

use finance::portfolio::calendar::Span;
use finance::portfolio::metric::Metric;
use finance::portfolio::query::{Account, Split, Time};

/// The figure's word: "noi_t12", "physical_occupancy_by_building", "property_taxes".
pub(crate) fn word(
    metric: Metric,
    account: Option<&Account>,
    time: Time,
    last: Span,
    annualized: bool,
) -> String {
    let own = match account {
        Some(account) if metric == Metric::AccountVsBudget => format!("{}_vs_budget", slug(&account.name)),
        Some(account) if metric == Metric::AccountBudget => format!("{}_budget", slug(&account.name)),
        Some(account) => slug(&account.name),
        None => metric.word().to_owned(),
    };
    let Time::Span(span) = time else { return own };
    if annualized {
        return format!("{own}_t{}_annualized", span.months());
    }
    if !metric.names_its_period() {
        return own;
    }
    let period = if span.months() == 12 && span.to == last.to {
        "t12"
    } else if span.is_calendar_year() {
        "calendar_year"
    } else if span.months() == 12 {
        "t12"
    } else if span.is_quarter() {
        "quarter"
    } else if span.months() == 1 {
        "month"
    } else if span.from.number() == 1 && span.to == last.to && span.months() < 12 {
        "ytd"
    } else {
        "period"
    };
    format!("{own}_{period}")
}

/// "lowest_occupancy_building".
pub(crate) fn ranked(metric: Metric, account: Option<&Account>, most: bool, split: Split) -> String {
    let own = match (metric, account) {
        (Metric::Occupancy, _) => "occupancy".to_owned(),
        (_, Some(account)) => slug(&account.name),
        _ => metric.word().to_owned(),
    };
    let end = if most { "highest" } else { "lowest" };
    format!("{end}_{own}_{}", split.word())
}

/// "Property taxes" → "property_taxes".
pub(crate) fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('_') && !out.is_empty() {
            out.push('_');
        }
    }
    out.trim_end_matches('_').to_owned()
}
