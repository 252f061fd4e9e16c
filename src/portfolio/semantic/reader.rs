//! Reads a query from JSON, using a strict subset of Cube's names. Unknown keys are errors, so that no filter
//! is ignored without notice.

use serde_json::{Map, Value as Json};

use crate::portfolio::semantic::dates::{Anchor, Days, Granularity, between, one};
use crate::portfolio::semantic::filters::{self, Filters};
use crate::portfolio::semantic::model::{Kind, Measure, OverTime, Segment};
use crate::portfolio::semantic::operators::invalid_range;
use crate::portfolio::semantic::query::{
    By, Chosen, DEFAULT_ROWS, Dim, Format, Group, MAX_BUCKETS, MAX_DIMENSIONS, MAX_MEASURES, MAX_OFFSET,
    MAX_ROWS, Order, Query, Range, TimeSettings,
};
use crate::portfolio::semantic::refusal::{Code, Path, Refusal, shown};
use crate::portfolio::semantic::registry::{self, What};
use crate::portfolio::semantic::wire::{
    Used, a_dimension, array, given, misplaced, object, string, unknown_key,
};

const KEYS: [&str; 12] = [
    "measures",
    "dimensions",
    "timeDimensions",
    "filters",
    "segments",
    "order",
    "limit",
    "offset",
    "total",
    "timezone",
    "responseFormat",
    "anchor",
];
/// Maximum number of segments, and of time dimensions.
const MAX_LISTED: usize = 10;

/// Returns the query itself, also if it is wrapped as `{"query": {…}}`.
pub fn unwrapped(json: &Json) -> Result<&Map<String, Json>, Refusal> {
    let json_object = object(json, &Path::root())?;
    match json_object.get("query") {
        Some(inner) if json_object.len() == 1 => object(inner, &Path::root()),
        _ => Ok(json_object),
    }
}

/// Reads the reference point of relative ranges, which the rest of the query depends on.
pub fn time_settings(query: &Map<String, Json>) -> Result<TimeSettings, Refusal> {
    let from_today = match given(query, "anchor") {
        None => false,
        Some(Json::String(word)) if word == "data" => false,
        Some(Json::String(word)) if word == "today" => true,
        Some(_) => {
            return Err(Refusal::value(
                &Path::root().key("anchor"),
                "anchor says from where relative ranges count",
                "use \"data\" (the last closed day of the data) or \"today\"",
            ));
        }
    };
    let zone = match given(query, "timezone") {
        None => Some(chrono_tz::UTC),
        Some(name) => name.as_str().and_then(|name| name.parse().ok()),
    };
    let zone = zone.ok_or_else(|| {
        Refusal::value(
            &Path::root().key("timezone"),
            "there is no such time zone",
            "use an IANA name such as America/Denver",
        )
    })?;
    Ok(TimeSettings { from_today, zone })
}

/// Reads the query.
pub fn read(query: &Map<String, Json>, anchor: Anchor) -> Result<Query, Refusal> {
    if let Some(unknown) = query.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(unknown_key(&Path::root(), unknown, &KEYS));
    }
    let mut used = Used::default();
    let measures = measures(query, &mut used)?;
    let mut groups = groups(query, &mut used)?;
    let ranges = time_dimensions(query, anchor, &mut used, &mut groups)?;
    let segments = segments(query, &mut used)?;
    let Filters { rows, sums } = filters::read(given(query, "filters"), anchor, &mut used)?;
    if measures.is_empty() && groups.is_empty() {
        return Err(Refusal::value(
            &Path::root(),
            "the query asks for nothing",
            "name a measure, a dimension, or a time dimension with a granularity",
        ));
    }
    let model = used.model()?;
    buckets(&groups, &ranges)?;
    let order = order(query, &measures, &groups)?;
    let as_of = (model.over_time == OverTime::AsOf)
        .then(|| ranges.iter().find(|range| range.dimension.of.kind == Kind::AsOf))
        .flatten()
        .map(|range| range.days.last);
    Ok(Query {
        model,
        measures,
        groups,
        segments,
        rows,
        sums,
        ranges,
        order,
        limit: count(query, "limit", DEFAULT_ROWS, 1, MAX_ROWS)?,
        offset: count(query, "offset", 0, 0, MAX_OFFSET)?,
        total: total(query)?,
        format: format(query)?,
        as_of,
    })
}

fn measures(query: &Map<String, Json>, used: &mut Used) -> Result<Vec<Chosen<&'static Measure>>, Refusal> {
    let mut chosen: Vec<Chosen<&'static Measure>> = Vec::new();
    for (name, path) in listed(query, "measures", MAX_MEASURES)? {
        let member = registry::member(name, &path)?;
        let What::Measure(of) = member.what else {
            return Err(misplaced(member, name, "measures", &path));
        };
        used.note(member, &path);
        if chosen.iter().all(|one| one.name != name) {
            let name = member.name;
            chosen.push(Chosen { name, of });
        }
    }
    Ok(chosen)
}

fn groups(query: &Map<String, Json>, used: &mut Used) -> Result<Vec<Group>, Refusal> {
    let mut groups: Vec<Group> = Vec::new();
    for (name, path) in listed(query, "dimensions", MAX_DIMENSIONS)? {
        // `model.date.month` is short for a time dimension with that granularity.
        let shortened = name.rsplit_once('.').filter(|(before, _)| before.contains('.'));
        let (full, granularity) = shortened.map_or((name, None), |(full, word)| (full, Some(word)));
        let (member, dimension) = a_dimension(full, &path)?;
        let granularity = granularity
            .map(|word| granularity_of(word, dimension.of.kind, &path, Code::UnknownMember))
            .transpose()?;
        if dimension.of.kind == Kind::AsOf {
            return Err(Refusal::value(
                &path,
                format!("all rows stand at one {full}; the answer says it as asOf"),
                "leave it out here, and name the day by a dateRange under timeDimensions",
            ));
        }
        used.note(member, &path);
        if groups.iter().all(|group| group.key != name) {
            groups.push(Group {
                key: name.to_owned(),
                dimension,
                granularity,
                timed: false,
            });
        }
    }
    if groups.iter().filter(|group| group.bucketed()).count() > 1 {
        return Err(two_granularities(&Path::root().key("dimensions")));
    }
    Ok(groups)
}

fn time_dimensions(
    query: &Map<String, Json>,
    anchor: Anchor,
    used: &mut Used,
    groups: &mut Vec<Group>,
) -> Result<Vec<Range>, Refusal> {
    let all = Path::root().key("timeDimensions");
    let mut ranges = Vec::new();
    let entries = array(given(query, "timeDimensions"), &all, MAX_LISTED)?;
    for (place, entry) in entries.iter().enumerate() {
        let path = all.at(place);
        let entry = object(entry, &path)?;
        let known = ["dimension", "dateRange", "granularity"];
        if let Some(unknown) = entry.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(unknown_key(&path, unknown, &known));
        }
        let named = path.key("dimension");
        let name = string(entry.get("dimension"), &named)?;
        let (member, dimension) = a_dimension(name, &named)?;
        let kind = dimension.of.kind;
        if !kind.is_time() {
            return Err(Refusal::value(
                &named,
                format!("{name} is no time dimension"),
                "put it under dimensions, or limit it by a filter",
            ));
        }
        used.note(member, &named);
        if let Some(granularity) = given(entry, "granularity") {
            let path = path.key("granularity");
            let granularity =
                granularity_of(string(Some(granularity), &path)?, kind, &path, Code::InvalidValue)?;
            group_by_time(groups, dimension, granularity, &path)?;
        }
        if let Some(range) = given(entry, "dateRange") {
            let asked = date_range(range, anchor, &path.key("dateRange"))?;
            let days = if kind == Kind::Month {
                asked.whole_months()
            } else {
                asked
            };
            ranges.push(Range {
                dimension,
                days,
                widened: days != asked,
            });
        }
    }
    Ok(ranges)
}

fn group_by_time(
    groups: &mut Vec<Group>,
    dimension: Dim,
    granularity: Granularity,
    path: &Path,
) -> Result<(), Refusal> {
    let same =
        |group: &Group| group.dimension.name == dimension.name && group.granularity == Some(granularity);
    // The bucket is already under `dimensions`: one column is enough, with the name used there.
    if groups.iter().any(same) {
        return Ok(());
    }
    if groups.iter().any(Group::bucketed) {
        return Err(two_granularities(path));
    }
    // The plain month and its bucket would be two columns of the same name.
    groups.retain(|group| group.key != dimension.name);
    groups.push(Group {
        key: dimension.name.to_owned(),
        dimension,
        granularity: Some(granularity),
        timed: true,
    });
    Ok(())
}

fn date_range(json: &Json, anchor: Anchor, path: &Path) -> Result<Days, Refusal> {
    let texts: Vec<&str> = match json {
        Json::String(text) => vec![text.as_str()],
        Json::Array(entries) if entries.len() <= 2 => entries.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    let range = match (texts.as_slice(), json.as_array().map_or(1, Vec::len)) {
        ([text], 1) => one(text, anchor),
        ([first, last], 2) => between(first, last),
        _ => None,
    };
    range.ok_or_else(|| invalid_range(path, &texts.join(" - ")))
}

fn segments(query: &Map<String, Json>, used: &mut Used) -> Result<Vec<Chosen<&'static Segment>>, Refusal> {
    let mut chosen: Vec<Chosen<&'static Segment>> = Vec::new();
    for (name, path) in listed(query, "segments", MAX_LISTED)? {
        let member = registry::member(name, &path)?;
        let What::Segment(of) = member.what else {
            return Err(misplaced(member, name, "segments", &path));
        };
        used.note(member, &path);
        let name = member.name;
        chosen.push(Chosen { name, of });
    }
    Ok(chosen)
}

/// Cube's default order: the first time bucket, else the first measure descending, else the first dimension.
fn order(
    query: &Map<String, Json>,
    measures: &[Chosen<&'static Measure>],
    groups: &[Group],
) -> Result<Vec<Order>, Refusal> {
    let all = Path::root().key("order");
    let mut order = Vec::new();
    let mut add = |name: &Json, direction: &Json, path: &Path| {
        let name = string(Some(name), path)?;
        let group = groups
            .iter()
            .position(|group| group.key == name || (group.bucketed() && group.dimension.name == name));
        let measure = measures.iter().position(|one| one.name == name);
        let by = group.map(By::Group).or(measure.map(By::Measure)).ok_or_else(|| {
            Refusal::value(
                path,
                format!("{:?} is not among what the query asks for", shown(name)),
                "order by a measure or dimension of the query",
            )
        })?;
        let descending = match direction.as_str() {
            Some("asc") => false,
            Some("desc") => true,
            _ => {
                return Err(Refusal::value(
                    path,
                    "the direction is unknown",
                    "use asc or desc",
                ));
            }
        };
        order.push(Order { by, descending });
        Ok(())
    };
    match given(query, "order") {
        None => {}
        Some(Json::Object(named)) => {
            for (name, direction) in named {
                add(&Json::String(name.clone()), direction, &all.key(name))?;
            }
        }
        some => {
            for (place, entry) in array(some, &all, MAX_DIMENSIONS + MAX_MEASURES)?
                .iter()
                .enumerate()
            {
                let path = all.at(place);
                match entry.as_array().map(Vec::as_slice) {
                    Some([name, direction]) => add(name, direction, &path)?,
                    _ => {
                        return Err(Refusal::value(
                            &path,
                            "an entry is a pair",
                            "write [\"model.member\", \"asc\"] or [\"model.member\", \"desc\"]",
                        ));
                    }
                }
            }
        }
    }
    if order.is_empty() {
        let bucket = groups
            .iter()
            .position(Group::bucketed)
            .map(|at| (By::Group(at), false));
        let measure = measures.first().map(|_| (By::Measure(0), true));
        let group = groups.first().map(|_| (By::Group(0), false));
        order.extend(
            bucket
                .or(measure)
                .or(group)
                .map(|(by, descending)| Order { by, descending }),
        );
    }
    Ok(order)
}

/// Checks the number of buckets in a range before anything is read.
fn buckets(groups: &[Group], ranges: &[Range]) -> Result<(), Refusal> {
    for group in groups {
        let Some(granularity) = group.granularity else {
            continue;
        };
        let mut own = ranges
            .iter()
            .filter(|range| range.dimension.name == group.dimension.name);
        if own.any(|range| range.days.buckets(granularity, MAX_BUCKETS) > MAX_BUCKETS) {
            return Err(too_many_buckets());
        }
    }
    Ok(())
}

pub fn too_many_buckets() -> Refusal {
    Refusal::complex(
        &Path::root().key("timeDimensions"),
        format!("the range has more than {MAX_BUCKETS} buckets of time"),
        "use a shorter dateRange or a coarser granularity",
    )
}

fn two_granularities(path: &Path) -> Refusal {
    Refusal::complex(
        path,
        "only one time dimension can have a granularity",
        "leave the granularity of the others out",
    )
}

fn granularity_of(word: &str, kind: Kind, path: &Path, code: Code) -> Result<Granularity, Refusal> {
    let possible = kind.granularities();
    let found = possible.iter().find(|one| one.as_str() == word).copied();
    found.ok_or_else(|| {
        let words: Vec<&str> = possible.iter().map(|one| one.as_str()).collect();
        let fix = match (kind, words.as_slice()) {
            (Kind::AsOf, _) => {
                "all rows stand at one day; for a series use occupancy, valuations or debt_service".to_owned()
            }
            (_, []) => "only time dimensions have a granularity".to_owned(),
            (_, words) => format!("use one of {}", words.join(", ")),
        };
        Refusal::new(
            code,
            path,
            format!("{:?} is no granularity here", shown(word)),
            fix,
        )
    })
}

fn listed<'a>(query: &'a Map<String, Json>, key: &str, most: usize) -> Result<Vec<(&'a str, Path)>, Refusal> {
    let all = Path::root().key(key);
    let entries = array(given(query, key), &all, most)?.iter().enumerate();
    entries
        .map(|(place, entry)| {
            let path = all.at(place);
            Ok((string(Some(entry), &path)?, path))
        })
        .collect()
}

fn count(
    query: &Map<String, Json>,
    key: &str,
    otherwise: i64,
    least: i64,
    most: i64,
) -> Result<i64, Refusal> {
    let Some(json) = given(query, key) else {
        return Ok(otherwise);
    };
    let path = Path::root().key(key);
    match json.as_i64() {
        Some(number) if number > most => Err(Refusal::new(
            Code::LimitExceeded,
            &path,
            format!("{number} is more than is allowed"),
            format!("give at most {most}"),
        )),
        Some(number) if number >= least => Ok(number),
        _ => Err(Refusal::value(
            &path,
            "a whole number is expected",
            format!("give a number from {least} to {most}"),
        )),
    }
}

fn total(query: &Map<String, Json>) -> Result<bool, Refusal> {
    match given(query, "total") {
        None => Ok(false),
        Some(Json::Bool(total)) => Ok(*total),
        Some(_) => Err(Refusal::value(
            &Path::root().key("total"),
            "total is a switch",
            "give true or false",
        )),
    }
}

fn format(query: &Map<String, Json>) -> Result<Format, Refusal> {
    match given(query, "responseFormat").map(Json::as_str) {
        None | Some(Some("default")) => Ok(Format::Default),
        Some(Some("compact")) => Ok(Format::Compact),
        Some(Some("columnar")) => Ok(Format::Columnar),
        Some(_) => Err(Refusal::value(
            &Path::root().key("responseFormat"),
            "there is no such form of answer",
            "use default, compact or columnar",
        )),
    }
}
