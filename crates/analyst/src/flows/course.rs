//! The amounts of a question on a time line: which go out, which come in, and at the end of which period.
//!
//! What is bought falls at the start wherever it is named, and the receipts follow from the first year on.
//! Never guesses: a side or a time that nothing says is a doubt.

use crate::flows::directions::outs;
use crate::flows::frequency::{frequency, periods};
use crate::flows::parts::{Part, Parts};
use crate::flows::placed::Placed;
use crate::flows::sides::Side;
use crate::flows::spreading::{spread, uneven};
use crate::flows::when::Moment;
use crate::plan::frame::Series;
use crate::words::scan::Sign;

/// Longer series are files, not questions.
const MOST_FLOWS: usize = 600;
const LIST_OR_STREAM: &str = "Is the last amount of the list paid once, or in every year from then on?";

/// The flows with what was assumed, or what stands in the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    pub(crate) series: Series,
    pub(crate) remarks: Vec<String>,
    pub(crate) doubts: Vec<String>,
    /// The flows are the two sums alone.
    pub(crate) sums: bool,
}

impl Course {
    fn doubt(&mut self, text: &str) {
        self.doubts.push(text.to_owned());
    }
}

/// Lays the parts out. `timeless`: only the sums of both sides matter.
pub(crate) fn course(read: &Parts, timeless: bool) -> Course {
    let mut course = Course {
        doubts: read.doubts.clone(),
        ..Course::default()
    };
    let per_year = frequency(read, &mut course.doubts);
    let mut placed: Vec<Placed> = Vec::new();
    for part in &read.parts {
        let group = match placed.last() {
            Some(last) if part.joint.list => last.group,
            Some(last) => last.group + 1,
            None => 0,
        };
        placed.push(times(part, per_year, group, &mut course));
    }
    let recurs: Vec<bool> = placed.iter().map(|item| item.recurs).collect();
    let outs = outs(&read.parts, &recurs, timeless, &mut course.doubts);
    for (item, out) in placed.iter_mut().zip(outs) {
        item.out = out;
    }
    if !course.doubts.is_empty() || placed.is_empty() {
        return course;
    }
    if timeless {
        sums(&placed, &mut course);
    } else {
        let term = read.term.map(|(count, per)| periods(count, per, per_year));
        lay(&mut placed, term, read.advance, read.total, &mut course);
    }
    course.series.per_year = per_year;
    course
}

fn times(part: &Part, per_year: usize, group: usize, course: &mut Course) -> Placed {
    let mut item = Placed {
        value: part.value,
        out: false,
        sale: part.sides.contains(&Side::Sale),
        acquire: part.sides.contains(&Side::Acquire),
        recurs: part.per.is_some() || part.times.is_some() || part.growth != 0.0,
        at: None,
        span: part.times,
        counted: part.times.is_some(),
        over: false,
        from: None,
        later: None,
        last: None,
        same: false,
        now: false,
        gap: 0,
        growth: part.growth,
        group,
        plus: part.joint.plus,
        then: part.joint.then,
        back: part.back,
        signed: part.sign != Sign::None,
        loosely: false,
        each: false,
    };
    item.loosely = !item.recurs;
    let mut twice = false;
    for (moment, per) in &part.moments {
        let scaled = |count: usize| periods(count, *per, per_year);
        match moment {
            Moment::Now => item.now = true,
            Moment::At(years) => {
                let years: Vec<usize> = years.iter().map(|year| scaled(*year)).collect();
                twice |= item.at.as_ref().is_some_and(|known| *known != years);
                item.at = Some(years);
            }
            Moment::Span { count, over } => {
                twice |= item.span.is_some_and(|known| known != scaled(*count));
                item.span = Some(scaled(*count));
                item.over = *over;
            }
            Moment::From(year) => item.from = Some(scaled(*year)),
            Moment::Later(count) => item.later = Some(scaled(*count)),
            Moment::Last => item.last = Some(0),
            Moment::AfterLast(count) => item.last = Some(scaled(*count)),
            Moment::Same => item.same = true,
            Moment::Each => item.recurs = true,
            Moment::Nothing(count) => item.gap = scaled(*count),
            _ => {}
        }
    }
    // "for 5 years" after an amount is how long it recurs; "over 5 years" may spread a total.
    item.recurs |= item.span.is_some() && !item.over && !part.joint.list;
    let several = item.at.as_ref().is_some_and(|years| years.len() > 1);
    if several
        && item
            .span
            .is_some_and(|span| item.at.as_ref().is_some_and(|years| years.len() != span))
    {
        twice = true;
    }
    // "for three years … 8m in year 4": a span beside one year is another amount's.
    let each = part.per.is_some()
        || part.growth != 0.0
        || part.moments.iter().any(|(moment, _)| *moment == Moment::Each);
    twice |= !several && item.at.is_some() && item.span.is_some() && !each;
    item.each = each;
    // "the same 200k in each of years 1 to 5".
    item.recurs |= several && !part.joint.list;
    item.loosely &= item.recurs && item.span.is_none() && item.at.is_none() && item.from.is_none();
    // "A bill at the end: pay 400k today": the end is another amount's.
    if twice || (item.now && (item.at.is_some() || item.last.is_some())) {
        course.doubt("Two times are named for one of the amounts.");
    }
    item
}

/// Both totals, for what does not depend on time.
fn sums(placed: &[Placed], course: &mut Course) {
    let (mut paid, mut got) = (0.0, 0.0);
    for item in placed {
        let count = match (&item.at, item.span, item.recurs) {
            (Some(years), _, _) if years.len() > 1 => years.len(),
            (_, Some(span), true) => span,
            (_, None, true) => {
                course.doubt("For how many years does the annual amount recur?");
                return;
            }
            _ => 1,
        };
        if item.growth != 0.0 {
            course.doubt("Please give the growing amounts year by year.");
        }
        let sum = item.value * count as f64;
        if item.out { paid += sum } else { got += sum }
    }
    course.sums = true;
    course.series.flows = vec![-paid, got];
}

fn lay(placed: &mut [Placed], term: Option<usize>, advance: bool, total: bool, course: &mut Course) {
    spread(placed);
    if uneven(placed) {
        return course.doubt("The number of amounts does not fit the years named.");
    }
    for index in 0..placed.len() {
        let group = placed.get(index).map(|item| item.group);
        let next = placed
            .get(index + 1)
            .filter(|next| Some(next.group) == group && !next.recurs);
        let listed = next.is_some();
        if let Some(item) = placed.get_mut(index).filter(|item| listed && item.loosely) {
            item.recurs = false;
        }
    }
    // "42k, 48k and 55k annually, then sold": a list tells its years one by one.
    for index in 2..placed.len() {
        let group = placed.get(index).map(|item| item.group);
        let single = |at: usize| {
            placed
                .get(at)
                .is_some_and(|item| Some(item.group) == group && !item.recurs)
        };
        let listed = single(index - 1) && single(index - 2) && !single(index + 1);
        if let Some(item) = placed.get_mut(index).filter(|item| listed && item.recurs) {
            let open = item.span.is_none() && item.at.is_none() && item.from.is_none();
            if item.loosely {
                item.recurs = false;
            } else if open && item.growth == 0.0 {
                return course.doubt(LIST_OR_STREAM);
            }
        }
    }
    if total && placed.iter().any(|item| item.recurs) {
        course.doubt("Is that amount paid in each of the years, or in total?");
        return;
    }
    // "-5,000 then +11,800 then -6,890": signs alone tell the order.
    let all_signed = placed.len() > 2 && placed.iter().all(|item| item.signed);
    let signed_list = placed.iter().filter(|item| item.out).count() > 1;
    // "100k a year, sold in year 5": what recurs does so until the sale.
    let end = term.or_else(|| {
        placed
            .iter()
            .filter(|item| item.sale)
            .find_map(|item| item.at.as_ref().and_then(|years| years.first().copied()))
    });
    let end = end.or_else(|| {
        let later = placed.iter().filter(|item| item.sale).find_map(|item| item.later);
        let streams = placed.iter().any(|item| item.recurs && item.span.is_some());
        later.filter(|_| !streams)
    });
    let mut flows: Vec<(usize, f64)> = Vec::new();
    // "I pay 10,000 a year from today and get …": receipts follow the first payment.
    let outs = || placed.iter().filter(|item| item.out && !item.recurs);
    let mut cursor = match outs()
        .map(|item| item.at.as_ref().and_then(|years| years.first().copied()))
        .min()
    {
        Some(Some(first)) => first,
        _ => 0,
    };
    let mut paid = 0_usize;
    let mut streamed = false;
    let mut listed = false;
    let mut bought = false;
    let mut previous: Option<(usize, bool)> = None;
    let first_group = placed.first().map_or(0, |item| item.group);
    let many = |group: usize| placed.iter().filter(|item| item.group == group).count() > 1;
    let mut late: Vec<(f64, usize)> = Vec::new();
    for item in placed.iter() {
        let value = if item.out { -item.value } else { item.value };
        cursor += item.gap;
        if item.gap > 0 && !item.recurs && item.at.is_none() {
            course.doubt("Please number the years of the flows, those without any too.");
            return;
        }
        let in_list = many(item.group);
        if let Some(after) = item.last {
            late.push((value, after));
            continue;
        }
        let open = item.at.is_none() && item.from.is_none() && item.later.is_none() && !item.out && !item.now;
        if open && item.then && paid > cursor {
            course.doubt("Do the receipts begin in year 1, or after the last payment?");
            return;
        }
        if item.recurs {
            let Some(years) = stream(item, cursor, end, course) else {
                return;
            };
            let last = years.last().copied().unwrap_or(cursor);
            for (nth, year) in years.iter().enumerate() {
                let grown = value * (1.0 + item.growth).powi(nth as i32);
                flows.push((if advance { year.saturating_sub(1) } else { *year }, grown));
            }
            if !item.out {
                cursor = cursor.max(last);
                streamed = true;
            }
            previous = Some((last, true));
            continue;
        }
        let year = match (&item.at, item.later) {
            _ if item.now => 0,
            (Some(years), _) => {
                if let [year] = years.as_slice() {
                    *year
                } else {
                    course.doubt("Is that amount paid in each of the years, or in total?");
                    return;
                }
            }
            (None, Some(count)) => {
                if (cursor == 0 && !streamed) || (streamed && end == Some(count)) {
                    count
                } else {
                    cursor + count
                }
            }
            (None, None) if item.same || (item.plus && previous.is_some_and(|(_, stream)| !stream)) => {
                previous.map_or(cursor, |(year, _)| year)
            }
            (None, None)
                if item.out
                    && !bought
                    && flows.iter().all(|(year, value)| *year > 0 || *value > 0.0)
                    && (item.acquire || !signed_list || item.group == first_group || !in_list)
                    // "First 12,000 in a year, -18,000, 24,000": an outflow within a list has its turn.
                    && !(item.signed && in_list && previous.is_some()) =>
            {
                0
            }
            // Among amounts with their signs an outflow has its turn.
            (None, None) if item.out && !(item.signed && (in_list || all_signed)) => {
                course.doubt("In which year is each of the outflows?");
                return;
            }
            (None, None) if item.sale && streamed => {
                course.remarks.push(format!(
                    "The sale is taken at the end of year {cursor}, with the last annual flow."
                ));
                cursor
            }
            (None, None) if item.sale && listed && !in_list => {
                course.doubt("Does the sale fall in the year of the last flow, or a year later?");
                return;
            }
            (None, None) if item.sale && end.is_some() => end.unwrap_or(cursor),
            (None, None) if streamed && item.back => cursor,
            (None, None) if streamed && !in_list => {
                course.doubts.push(
                    "Does the last amount fall in the year of the last annual flow, or a year later?"
                        .to_owned(),
                );
                return;
            }
            (None, None) => cursor + 1,
        };
        if item.span.is_some() && !in_list {
            course.doubt("Is that amount paid in each of the years, or in total?");
            return;
        }
        if item.out && year == 0 {
            bought = true;
        }
        if item.out && !(in_list && item.group == first_group) {
            paid = paid.max(year);
        }
        let before_list = item.at.is_none() && !item.now && year > 0;
        listed |= before_list || (item.at.is_some() && !item.out);
        // In a list of flows with their signs an outflow has its turn like the others.
        if !item.out || (in_list && (item.signed || item.group == first_group)) {
            if item.at.is_some() && in_list && year != cursor + 1 && year != cursor && cursor > 0 {
                course.doubt("I could not tell in which year each of the amounts falls.");
                return;
            }
            cursor = cursor.max(year);
        } else if item.at.is_some() && !in_list && cursor > 0 && year == cursor + 1 && !streamed {
            // "48k, 71k, spend 15k in year 3, 96k": the year that the row would come to next is taken.
            cursor = year;
        }
        previous = Some((year, false));
        flows.push((year, value));
    }
    for (value, after) in late {
        let last = if cursor > 0 { cursor } else { end.unwrap_or(0) };
        if last == 0 {
            course.doubt("In which year does the last amount fall?");
            return;
        }
        flows.push((last + after, value));
    }
    finish(placed, &flows, term, advance, course);
}

/// The years of what recurs.
fn stream(item: &Placed, cursor: usize, end: Option<usize>, course: &mut Course) -> Option<Vec<usize>> {
    let first = item.from.unwrap_or(cursor + 1);
    let years = match (&item.at, item.span) {
        (Some(years), None) if years.len() > 1 => years.clone(),
        (Some(years), Some(span)) if years.len() == span => years.clone(),
        // "120k a year in year 3" is one payment.
        (Some(years), None) => years.clone(),
        (Some(years), Some(span)) => {
            let start = years.first().copied()?;
            (start..start + span.min(MOST_FLOWS)).collect()
        }
        (None, Some(span)) => (first..first + span.min(MOST_FLOWS)).collect(),
        (None, None) => match end {
            Some(end) if end >= first => (first..=end.min(MOST_FLOWS)).collect(),
            _ => {
                course.doubt("For how many years does the annual amount recur?");
                return None;
            }
        },
    };
    Some(years)
}

fn finish(
    placed: &[Placed],
    flows: &[(usize, f64)],
    term: Option<usize>,
    advance: bool,
    course: &mut Course,
) {
    let last = flows.iter().map(|(year, _)| *year).max().unwrap_or(0);
    if last > MOST_FLOWS {
        course.doubt("That is a longer series than I handle.");
        return;
    }
    let lumps = placed
        .iter()
        .any(|item| !item.recurs && !item.out && item.at.is_none() && item.last.is_none());
    if advance && (lumps || !placed.iter().any(|item| item.recurs)) {
        course.doubt("Which of the flows fall at the beginning of a year?");
        return;
    }
    if term.is_some_and(|term| term != last && !(advance && term == last + 1)) {
        course.doubt("You speak of another number of years than the flows given cover.");
        return;
    }
    let mut series = vec![0.0; last + 1];
    for (year, value) in flows {
        if let Some(flow) = series.get_mut(*year) {
            *flow += value;
        }
    }
    let paid: f64 = flows.iter().map(|(_, value)| (-value).max(0.0)).sum();
    let got: f64 = flows.iter().map(|(_, value)| value.max(0.0)).sum();
    course.series.gross = Some((paid, got));
    let start = flows.iter().any(|(year, _)| *year == 0);
    if !start && series.len() > 1 {
        series.remove(0);
        course.series.late = true;
    }
    course.series.flows = series;
}
