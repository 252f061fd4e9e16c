//! A named time as a metric takes it: a day for what stands, months for what adds up, a window for what ends.

use chrono::NaiveDate;

use crate::portfolio::times::When;
use finance::portfolio::calendar::{Month, Span};
use finance::portfolio::metric::{Metric, Tense};
use finance::portfolio::query::{Split, Time, Window};

/// The end of the data's last month is the day the data stands at, where that month has not ended.
pub(crate) fn stands(time: Time, as_of: NaiveDate) -> Time {
    match time {
        Time::Day(day) if day > as_of && Month::of(day) == Month::of(as_of) => Time::Day(as_of),
        other => other,
    }
}

/// As [`stands`], with what has to be said of it.
pub(crate) fn stands_told(time: Time, told: Option<String>, as_of: NaiveDate) -> (Time, Option<String>) {
    let stood = stands(time, as_of);
    if stood == time {
        (time, told)
    } else {
        (stood, Some("That is the day the data stands at.".to_owned()))
    }
}

/// A time as a metric takes it, with what has to be said of it.
pub(crate) fn time_for(
    metric: Metric,
    when: Option<When>,
    split: Option<Split>,
    last: Month,
) -> Result<(Time, Option<String>), String> {
    let by_time = split.is_some_and(Split::is_time);
    match metric.tense() {
        Tense::Day => {
            let (time, told) = match when {
                None | Some(When::Now) => {
                    let told = "That is the last closed month in the data.".to_owned();
                    (Time::Day(last.last_day()), Some(told))
                }
                Some(When::Ago(months)) => (Time::Day(last.plus(-months).last_day()), None),
                Some(When::NextDays(_) | When::NextMonths(_)) => (Time::Day(last.last_day()), None),
                Some(When::Day(day)) => (Time::Day(day), None),
                Some(When::End(month)) => (Time::Day(month.last_day()), None),
                Some(When::Span(span)) => of_span(span, by_time),
                Some(When::Trailing { months, to }) => of_span(Span::ending(to, months), by_time),
            };
            let time = match (time, by_time) {
                // Months are shown for a year where nothing is said.
                (Time::Day(day), true) => Time::Span(Span::ending(Month::of(day), 12)),
                (time, _) => time,
            };
            Ok((time, told))
        }
        Tense::Span | Tense::Both => {
            let trailing = |month: Month| Time::Span(Span::ending(month, 12));
            Ok(match when {
                None | Some(When::Now) => {
                    let told = "No period was named: these are the trailing twelve months.".to_owned();
                    (trailing(last), Some(told))
                }
                Some(When::Ago(months)) => (trailing(last.plus(-months)), None),
                Some(When::Span(span)) => (Time::Span(span), None),
                Some(When::Trailing { months, to }) => (Time::Span(Span::ending(to, months)), None),
                Some(When::End(month)) => {
                    let told = format!("These are the twelve months through {}.", month.words());
                    (trailing(month), Some(told))
                }
                Some(When::Day(day)) if day == Month::of(day).last_day() => {
                    let told = format!("These are the twelve months through {}.", Month::of(day).words());
                    (trailing(Month::of(day)), Some(told))
                }
                Some(When::Day(_)) => {
                    return Err("The ledger is kept by months. Which month or period do you mean?".to_owned());
                }
                Some(When::NextDays(_) | When::NextMonths(_)) => {
                    return Err("The ledger holds what was, not what will be.".to_owned());
                }
            })
        }
    }
}

fn of_span(span: Span, by_time: bool) -> (Time, Option<String>) {
    if by_time {
        return (Time::Span(span), None);
    }
    let told = (span.months() > 1).then(|| {
        format!(
            "It stands on a day: this is the end of {}, the last month of {}.",
            span.to.words(),
            span.words()
        )
    });
    (Time::Day(span.to.last_day()), told)
}

/// The window of end dates that a time means, seen from the last closed month.
pub(crate) fn window(when: When, last: Month) -> Option<Window> {
    let from = last.last_day().succ_opt()?;
    let to = match when {
        When::NextDays(days) => last
            .last_day()
            .checked_add_days(chrono::Days::new(u64::try_from(days).ok()?))?,
        // "The next six months": to the end of the sixth.
        When::NextMonths(months) => last.plus(months).last_day(),
        // "By the end of 2027": what ends today is among them. A day that is over says when something stands.
        When::End(_) | When::Day(_) => {
            let to = match when {
                When::End(month) => month.last_day(),
                When::Day(day) => day,
                _ => return None,
            };
            let from = last.last_day();
            return (to > from).then_some(Window { from, to });
        }
        When::Span(span) => {
            return Some(Window {
                from: span.from.first_day(),
                to: span.to.last_day(),
            });
        }
        _ => return None,
    };
    Some(Window { from, to })
}
