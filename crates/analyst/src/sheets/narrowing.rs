//! Whether what is left of a question could change its answer: words that narrow, exclude, bound, compare or suppose
//! something, numbers without a part in it, names that the table does not have. All other words change nothing.
//!
//! A narrowing word is harmless where its clause only says again what the measure leaves out or counts anyway.

use crate::sheets::asked::Measure;
use crate::sheets::belonging::Belonging;
use crate::sheets::query::vocabulary;
use crate::sheets::words::{Kind as WordKind, Words, stem};
use crate::words::among::among;

/// These take something out.
const EXCLUDES: &str = "without excluding exclude excluded exclusive excl ex except besides minus not no non none never \
     ignoring ignore ignored disregard disregarding disregarded omit omitting omitted skip skipping stripping \
     stripped remove removing removed before aside apart below neither nor drop dropping dropped free don't doesn't \
     aren't isn't didn't don’t";

/// These take something in.
const INCLUDES: &str = "including include included incl inclusive after plus net deducting deducted deduct subtract subtracting subtracted";

/// These leave nothing else.
const ONLY: &str = "only solely exclusively alone merely just";

/// These suppose something.
const SUPPOSES: &str = "if unless assuming assume suppose supposing imagine provided whether when";

/// These bound, compare, order or change; in whatever clause, they have to be understood.
const BOUNDS: &str = "q1 q2 q3 q4 h1 h2 1q 2q 3q 4q fy ytd mtd ptd qtd t3 t6 quarter january february march april june \
     july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec more less than above under over fewer greater higher lower larger smaller bigger exceed exceeding \
     beyond since until till during last next previous prior first second third fourth fifth earliest \
     latest grow growth rise raised raise increase increased decrease decreased reduce reduced cut double \
     doubled triple halve half change changed improve worsen stress scenario sensitivity highest lowest \
     largest smallest biggest max min maximum minimum most least top bottom best worst typical rank \
     average avg mean median another other others different versus vs compare compared against between \
     split breakdown separately respectively economic econ adjusted unadjusted stabilised stabilized \
     normalised normalized controllable uncontrollable fixed variable recurring nonrecurring projected \
     forecast budget budgeted underwritten forward gross effective nominal quarterly weekly daily \
     inflation tax taxes once twice two three four five six seven eight nine ten eleven twelve dozen \
     divided quotient dscr coverage share percent percentage proforma cumulative running per each by which who whose whom list name";

/// These say which of the rows are meant.
const STATES: &str = "expired holdover break breaks notice paying renewed signed current former future upcoming old new \
     vacant void empty occupied let leased unlet down model mtm unsold sold";

/// Rows and sizes: behind "per", "each" and "by" they ask for one figure of each.
const ROWS: &str = "unit lease tenant suite apartment flat tenancy occupier resident space comp sale loan investor fund \
     building floorplan plan type bedroom bed sf sqft square foot feet sq metre meter sqm door tower floor block phase \
     wing month quarter category partner line account size";

/// What rows of a table are called, where an unknown word before them describes some of them.
const DESCRIBED: &str =
    "unit lease tenant suite apartment flat tenancy occupier resident space comp loan investor";

/// Before the rows these describe none of them.
const HARMLESS: &str = "attached enclosed following individual existing present respective various neighbouring \
     neighboring nearby recent recently comparable listed dated irregular underlying full entire rental rent sales \
     lease actual said relevant cash separate remaining residential commercial own";

/// Names of places: what is called so is the property itself.
const PLACES: &str = "street road park house court plaza center centre place yard tower towers square estate lane avenue \
     drive way building block property portfolio scheme site complex village terrace gardens mill wharf quay row hall \
     mall lofts apartments flats suites estate roll schedule statement list file ledger t12 table sheet leases units";

/// What a person sends: a name behind it is that of the property.
const FILES: &str = "roll schedule statement list file ledger t12 ttm table sheet spreadsheet export tape account flows \
     block building property estate centre center flows comps leases park office warehouse shop mall scheme complex";

/// Whose file or opinion it is.
const PEOPLE: &str = "excel client boss partner owner lender landlord buyer seller bank today year month landlord's vendor \
     agent manager colleague appraiser valuer we that it what who let here there market today";

/// Words that change nothing in a clause that narrows.
const FILLERS: &str = "counting far everything anything else stuff underneath consider regard block house estate centre \
     center park scheme complex place deduct subtract please pls and or but the a an any all every each of in on at to for from with by as it its it's \
     this that these those thi i we you my our your their me us is are was were be been being do does did has have had \
     which who ones one such what how much many out off also so then too there here would could should can will may \
     shall must taking take taken setting set look looking consider considering work count counts counted belong \
     belongs treat treated keep kept put line lines item items cost costs money amount amounts figure figures thing \
     things attached enclosed file table list sheet schedule statement document roll data property building asset \
     again against course obviously way same whole full total overall calculation answer result them they he she \
     stay stays go goes should into about leave leaving left service services payment payments expense expenses \
     expenditure works work charge charges period year month date whatever themselves included matter matters entry";

/// Words of the question that could change the answer and were not understood.
pub(crate) fn unexplained(words: &Words, measures: &[Measure], own: &Belonging) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for clause in clauses(words) {
        for word in in_clause(words, &clause, measures, own) {
            if !found.contains(&word) {
                found.push(word);
            }
        }
    }
    found
}

/// Places of the words of each clause: marks end them, and "but".
fn clauses(words: &Words) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (at, word) in words.all.iter().enumerate() {
        let begins = word.begins || matches!(word.stem.as_str(), "but" | "while" | "whereas");
        match all.last_mut() {
            Some(clause) if !begins => clause.push(at),
            _ => all.push(vec![at]),
        }
    }
    all
}

fn in_clause(words: &Words, clause: &[usize], measures: &[Measure], own: &Belonging) -> Vec<String> {
    let mut found = Vec::new();
    let mut narrowing: Vec<usize> = Vec::new();
    for at in clause {
        let Some(word) = words.all.get(*at).filter(|word| !word.used) else {
            continue;
        };
        match &word.kind {
            WordKind::Number(_) => found.push(word.text.clone()),
            WordKind::Date(dated) => found.push(dated.date.to_string()),
            WordKind::Plain if narrows(words, *at, clause, measures, own) => narrowing.push(*at),
            WordKind::Plain if names(words, *at, own) => found.push(word.text.clone()),
            WordKind::Plain => {}
        }
    }
    if narrowing.is_empty() || harmless(words, clause, &narrowing, own) {
        return found;
    }
    let mut said: Vec<usize> = Vec::new();
    for at in &narrowing {
        if said.contains(at) {
            continue;
        }
        // With what it narrows: "third floor", "without the fee".
        let behind = clause
            .iter()
            .copied()
            .filter(|place| place > at)
            .take_while(|place| {
                words
                    .all
                    .get(*place)
                    .is_some_and(|word| word.kind == WordKind::Plain)
            })
            .take(3);
        let mut phrase: Vec<usize> = std::iter::once(*at).chain(behind).collect();
        while phrase.len() > 1
            && phrase
                .last()
                .is_some_and(|place| among(FILLERS, words.stem_at(*place)))
        {
            phrase.pop();
        }
        found.push(
            phrase
                .iter()
                .filter_map(|place| words.all.get(*place))
                .map(|word| word.text.as_str())
                .collect::<Vec<_>>()
                .join(" "),
        );
        said.extend(phrase);
    }
    found
}

/// Whether a word narrows where it stands.
fn narrows(words: &Words, at: usize, clause: &[usize], measures: &[Measure], own: &Belonging) -> bool {
    let Some(word) = words.all.get(at) else {
        return false;
    };
    let (stem, text) = (word.stem.as_str(), word.text.as_str());
    let next = words.stem_at(at + 1);
    let clause_has = |list: &[&str]| clause.iter().any(|place| list.contains(&words.stem_at(*place)));
    match stem {
        "leave" | "leaving" | "left" => clause_has(&["out", "off", "aside"]),
        // "Just tell me".
        "just" => !matches!(
            next,
            "tell" | "give" | "want" | "need" | "looking" | "wondering" | "the" | "a" | "checking" | "like"
        ),
        // "Count the interest as opex".
        "count" | "counting" | "treat" => clause_has(&["as"]),
        "may" => word.named,
        "let" if matches!(next, "me" | "us") => false,
        "net" => next == "of" || own.nets(&[stem]),
        "not" | "no" if matches!(next, "sure" | "idea" | "certain") => false,
        "when" | "which" | "who" | "whose" | "whom" | "list" | "name" | "share" | "percent"
        | "percentage" => asks_names(words, at),
        "by" | "per" | "each" => {
            let second = words.stem_at(at + 2);
            among(ROWS, next) && !among("number count", second)
                || (next == "the" || next == "each") && among(ROWS, second) && stem != "each"
        }
        "over" | "under" | "above" | "during" | "since" | "last" | "first" | "current" | "against" => {
            !own.says_again(words, at)
        }
        "average" | "avg" | "mean" => !measures.iter().any(|own| {
            matches!(
                own,
                Measure::LeaseTerm | Measure::PricePerArea | Measure::PricePerUnit
            )
        }),
        _ => {
            among(EXCLUDES, stem)
                || among(EXCLUDES, text)
                || among(INCLUDES, stem)
                || among(ONLY, stem)
                || among(SUPPOSES, stem)
                || among(BOUNDS, stem)
                || among(BOUNDS, text)
                || (own.rows && among(STATES, stem))
        }
    }
}

/// "Which units", "who": they ask for names; "which share", "tell me which" do not.
fn asks_names(words: &Words, at: usize) -> bool {
    let next = words.stem_at(at + 1);
    match words.stem_at(at) {
        "which" => among(DESCRIBED, next) || among("month year line one expense cost", next),
        "who" | "whose" => at == 0 || words.all.get(at).is_some_and(|word| word.begins),
        "list" | "name" => among("the all every each", next) && among(DESCRIBED, words.stem_at(at + 2)),
        "when" => at == 0,
        _ => false,
    }
}

/// Whether an unknown word is a name of something else than the whole: before rows, with a possessive ending, after "of".
fn names(words: &Words, at: usize, own: &Belonging) -> bool {
    let Some(word) = words.all.get(at) else {
        return false;
    };
    if word.text.len() < 2 {
        return false;
    }
    let owner = word.text.strip_suffix("'s").unwrap_or("");
    if !owner.is_empty() && own.rows {
        return !among(PEOPLE, owner) && !among(PLACES, owner);
    }
    let fill = among(FILLERS, &word.stem)
        || among(HARMLESS, &word.stem)
        || own.plain(&word.stem)
        || own.knows(&word.stem);
    let next = words.all.get(at + 1);
    let before = |back: usize| at.checked_sub(back).map_or("", |place| words.stem_at(place));
    if !word.named {
        // "Furnished flats", "anchor tenants": of some of the rows.
        let described = own.rows
            && next.is_some_and(|next| !next.begins && among(DESCRIBED, &next.stem))
            && matches!(
                before(1),
                "the"
                    | "of"
                    | "for"
                    | "our"
                    | "all"
                    | "on"
                    | "in"
                    | "at"
                    | "any"
                    | "my"
                    | "these"
                    | "only"
                    | "are"
                    | "by"
            );
        return described && !fill;
    }
    // Where the table holds several of them, a name that it does not have is of none.
    if own.several && !fill && matches!(before(1), "of" | "for" | "at" | "in" | "the" | "on") {
        return true;
    }
    if !own.rows || fill || among(PLACES, &word.text) {
        return false;
    }
    // "For Kroger" is of one of the rows; "for the Harbour Street flats", "at Elm Court" name the property.
    let led = matches!(before(1), "of" | "for");
    let place = (1..=3).any(|ahead| {
        words.all.get(at + ahead).is_some_and(|other| {
            (among(PLACES, &other.text) || among(PLACES, &other.stem))
                && (at + 1..=at + ahead)
                    .all(|between| words.all.get(between).is_some_and(|word| !word.begins))
        })
    });
    let file = (2..=5).any(|back| among(FILES, before(back)) || among("rent", before(back)));
    led && !place && !file
}

/// Whether the clause of narrowing words says again what the measure counts or leaves out anyway.
fn harmless(words: &Words, clause: &[usize], narrowing: &[usize], own: &Belonging) -> bool {
    let is = |at: &usize, list: &str| {
        words
            .all
            .get(*at)
            .is_some_and(|word| among(list, &word.stem) || among(list, &word.text))
    };
    // "Below market" is what a loss to lease is; it takes nothing out.
    let any = |list: &str| {
        narrowing
            .iter()
            .any(|at| is(at, list) && !own.plain(words.stem_at(*at)))
    };
    // Rows were chosen by what stands with them.
    let chosen = clause
        .iter()
        .any(|at| words.all.get(*at).is_some_and(|word| word.chooses));
    let leaving = clause
        .iter()
        .any(|at| matches!(words.stem_at(*at), "leave" | "leaving" | "left"))
        && clause
            .iter()
            .any(|at| matches!(words.stem_at(*at), "out" | "off" | "aside"));
    let excludes = any(EXCLUDES) || leaving;
    let includes = any(INCLUDES);
    let only = any(ONLY);
    let stems: Vec<&str> = clause.iter().map(|at| words.stem_at(*at)).collect();
    let said = |test: &dyn Fn(&str) -> bool| stems.iter().any(|stem| test(stem));
    let apart = |stem: &str| own.apart(stem);
    let within = |stem: &str| own.within(stem);
    if chosen && narrowing.iter().all(|at| is(at, ONLY)) {
        return true;
    }
    // What is left in the clause must belong to the measure.
    let strange = clause.iter().any(|at| {
        let Some(word) = words
            .all
            .get(*at)
            .filter(|word| !word.used && word.kind == WordKind::Plain)
        else {
            return false;
        };
        let stem = word.stem.as_str();
        let known = among(FILLERS, stem)
            || (!narrowing.contains(at) && vocabulary::filler(stem))
            || among(FILLERS, &word.text)
            || own.plain(stem)
            || (excludes && own.apart(stem))
            || (!excludes && own.within(stem))
            || (narrowing.contains(at)
                && (is(at, EXCLUDES) || is(at, INCLUDES) || is(at, ONLY) || is(at, SUPPOSES)))
            || word.text.len() < 2;
        !known
    });
    if strange {
        return false;
    }
    // "Capex is not included" takes out; "include capex, not debt" does both.
    let first = |list: &str| narrowing.iter().position(|at| is(at, list));
    if excludes && includes && (leaving || first(EXCLUDES) > first(INCLUDES)) {
        return false;
    }
    if excludes {
        return said(&apart) && !said(&|stem| own.within(stem) && !own.apart(stem) && !own.plain(stem));
    }
    if includes {
        return said(&within) && !said(&|stem| own.apart(stem) && !own.within(stem)) || own.nets(&stems);
    }
    let counts = narrowing
        .iter()
        .any(|at| matches!(words.stem_at(*at), "count" | "counting" | "treat"));
    if counts {
        return said(&within) && !said(&apart);
    }
    if only {
        return said(&|stem| own.alone(stem)) && (!own.compares(&stems) || own.nets(&stems));
    }
    true
}

/// Whether a word, wherever it stands, could take something out, bound, compare or suppose.
pub(crate) fn could_narrow(word: &str) -> bool {
    let own = stem(word);
    [EXCLUDES, INCLUDES, ONLY, SUPPOSES, BOUNDS, STATES]
        .iter()
        .any(|list| among(list, &own) || among(list, word))
}
