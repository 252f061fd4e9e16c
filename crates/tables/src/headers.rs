//! Interprets the headers of real-estate tables: `Unit Sq Ft`, `RSF` and `GLA` are the same field. Names come
//! from the exports of common property systems; rules cover headers that are not listed.
//!
//! Does not look at the cells below a header.

pub use crate::fields::Field;
use crate::fields::listed;
use crate::work::charge;

/// Reduces a header to lower-case letters and digits, for comparison.
#[must_use]
pub fn normalized(header: &str) -> String {
    charge(1 + header.len());
    header
        .chars()
        .filter(|sign| sign.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a text begins with the first letter of one of these words, in any case. Quicker than to compare them.
pub(crate) fn begins_like(text: &str, words: &[&str]) -> bool {
    let mut letters = text.chars().filter(|sign| sign.is_alphanumeric());
    let initial = letters.next().and_then(|first| first.to_lowercase().next());
    initial.is_some() && words.iter().any(|word| word.chars().next() == initial)
}

/// The words of a header, in lower case.
#[must_use]
pub fn words(header: &str) -> Vec<String> {
    charge(1 + header.len());
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut small = false;
    for sign in header.chars() {
        // "LeaseFromDate" is three words.
        if sign.is_uppercase() && small && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        small = sign.is_lowercase();
        if sign.is_alphanumeric() {
            word.extend(sign.to_lowercase());
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if matches!(sign, '%' | '$' | '#') {
            words.push(sign.to_string());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The field of a header, if it is known.
#[must_use]
pub fn field(header: &str) -> Option<Field> {
    let whole = normalized(header);
    if whole.is_empty() {
        return None;
    }
    if let Some(found) = listed(&whole) {
        return Some(qualified(found, header));
    }
    // In "Rent ($/mo)", the parenthesis contains the unit and the text before it names the field.
    if let Some((before, inside)) = header.split_once(['(', '[']) {
        let inside = inside.trim_end_matches([')', ']', ' ']);
        if !before.trim().is_empty()
            && let Some(found) = by_words(&words(header)).or_else(|| field(before))
        {
            return Some(with_unit(found, inside));
        }
    }
    by_words(&words(header))
        .or_else(|| abbreviated(&words(header)))
        .or_else(|| in_currency(&words(header)))
        .map(|found| qualified(found, header))
}

/// In "Amount EUR" or "Net (GBP)", the currency is the unit and the rest names the field; also in "Kaltmiete je WE €",
/// of each unit. A currency alone means amounts.
fn in_currency(words: &[String]) -> Option<Field> {
    let each = |pair: &[String]| {
        matches!(pair, [one, other] if matches!(one.as_str(), "je" | "pro")
            && matches!(other.as_str(), "we" | "einheit" | "wohnung"))
    };
    let (before, behind) = match words.windows(2).position(each) {
        Some(at) if at > 0 => (words.get(..at)?, words.get(at + 2..)?),
        _ => (words, &[] as &[String]),
    };
    let rest: Vec<&str> = before
        .iter()
        .chain(behind)
        .map(String::as_str)
        .filter(|word| {
            !matches!(
                *word,
                "usd" | "eur" | "gbp" | "chf" | "$" | "euro" | "euros" | "pounds"
            )
        })
        .collect();
    if rest.len() == words.len() {
        return None;
    }
    if rest.is_empty() {
        return Some(Field::Amount);
    }
    listed(&rest.concat())
}

/// Expands abbreviations such as "Lse End", "Mkt" and "Stat.".
fn abbreviated(words: &[String]) -> Option<Field> {
    let long: Vec<String> = words
        .iter()
        .filter(|word| !matches!(word.as_str(), "#" | "no"))
        .map(|word| {
            match word.as_str() {
                "lse" => "lease",
                "mkt" => "market",
                "stat" | "sts" => "status",
                "bal" => "balance",
                "prin" => "principal",
                "orig" => "original",
                "curr" | "cur" => "current",
                "amt" => "amount",
                "tnt" | "ten" => "tenant",
                "res" => "resident",
                "bldg" => "building",
                "mat" => "maturity",
                "exp" => "expiration",
                "mo" | "mth" => "monthly",
                "int" => "interest",
                "appr" => "appraised",
                "val" => "value",
                "occ" => "occupancy",
                "dep" => "deposit",
                other => other,
            }
            .to_owned()
        })
        .collect();
    if long == words {
        return None;
    }
    listed(&long.concat()).or_else(|| by_words(&long))
}

/// "Occupied SF" is an area although "occupied" alone is a status. A percent sign indicates a rate.
fn qualified(found: Field, header: &str) -> Field {
    match found {
        Field::Rent if header.to_lowercase().contains("/yr") => Field::AnnualRent,
        other => other,
    }
}

fn with_unit(found: Field, unit: &str) -> Field {
    let unit = unit.to_lowercase();
    let says = |parts: &[&str]| parts.iter().any(|part| unit.contains(part));
    let area = says(&["/sf", "psf", "per sf", "/sq", "per sq"]);
    let year = says(&["/yr", "year", "annual", "p.a", "pa", "/y"]);
    match found {
        Field::Rent | Field::AnnualRent if area => Field::RentPerArea,
        Field::Rent if year => Field::AnnualRent,
        Field::AnnualRent if says(&["/mo", "month"]) => Field::Rent,
        Field::Price if area => Field::PricePerArea,
        Field::AdjustedPrice if area => Field::AdjustedPerArea,
        Field::Price if says(&["/unit", "per unit", "/door"]) => Field::PricePerUnit,
        Field::RemainingYears if says(&["mo"]) => Field::RemainingMonths,
        other => other,
    }
}

/// Words of amounts that are not rent: free months, steps, deposits, arrears.
const ASIDE: &str = "free|concession|concessions|step|steps|abatement|deposit|due|loss|roll|id|change|increase|bump|\
     escalation|paid|received|credit|type|notes|comment|share|%|variance|diff|difference|gap|delta|\
     vs";

/// Rules for names that are not listed.
fn by_words(words: &[String]) -> Option<Field> {
    let words: &[String] = &periods_joined(words);
    let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    let area = has(&["psf", "persf", "ppsf"]) || per_area(words);
    let annual = has(&["annual", "annualized", "yearly", "yr", "year", "annum", "pa"]);
    let date = has(&["date", "on", "exp", "expiration", "expiry", "expires", "maturity"]);
    let aside = words.iter().any(|word| ASIDE.split('|').any(|one| one == word));
    if has(&["rent", "rents", "rental"]) && !aside && !date {
        return Some(match () {
            () if has(&["market", "asking", "mkt", "street", "proforma", "potential"]) => {
                if area || annual {
                    return None;
                } else {
                    Field::MarketRent
                }
            }
            () if area => Field::RentPerArea,
            () if annual => Field::AnnualRent,
            () => Field::Rent,
        });
    }
    if has(&["erv"]) && !aside && !area && !annual {
        return Some(Field::MarketRent);
    }
    if has(&["tenancy", "contract", "lease", "letting"])
        && !aside
        && !has(&["break", "option", "notice", "rent", "gain"])
    {
        if has(&[
            "end",
            "ends",
            "to",
            "expiration",
            "expiry",
            "expires",
            "exp",
            "expire",
            "termination",
            "until",
        ]) {
            return Some(Field::EndDate);
        }
        if has(&[
            "start",
            "starts",
            "from",
            "begin",
            "begins",
            "commencement",
            "commences",
        ]) {
            return Some(Field::StartDate);
        }
    }
    if has(&["adjusted", "adj"]) && has(&["price", "sale", "psf", "sf"]) {
        return Some(if area || has(&["sf", "psf"]) {
            Field::AdjustedPerArea
        } else {
            Field::AdjustedPrice
        });
    }
    if has(&["adjustment", "adjustments"]) || (has(&["adj"]) && has(&["%", "pct", "net", "total"])) {
        return Some(Field::Adjustment);
    }
    if has(&["price"]) && !aside {
        return Some(match () {
            () if area => Field::PricePerArea,
            () if has(&["unit", "door", "key"]) => Field::PricePerUnit,
            () => Field::Price,
        });
    }
    if has(&["rate"]) && has(&["sf", "psf", "sqft", "rsf"]) && !has(&["market", "asking", "mkt"]) {
        return Some(Field::RentPerArea);
    }
    if has(&["interest", "note", "coupon"]) && has(&["rate", "%"]) {
        return Some(Field::Rate);
    }
    if has(&["maturity", "matures"]) {
        return Some(Field::Maturity);
    }
    if has(&["balance", "upb"]) && has(&["loan", "current", "outstanding", "principal", "unpaid"]) {
        return Some(Field::LoanBalance);
    }
    if has(&["loan"]) && has(&["amount", "original", "size"]) {
        return Some(Field::LoanAmount);
    }
    let measured = has(&[
        "sf", "sqft", "rsf", "gla", "nra", "nla", "feet", "footage", "area", "gia", "nia", "sqm", "m2", "m²",
    ]) || words.windows(2).any(|pair| {
        let unit = |word: &str| matches!(word, "m" | "ft" | "metres" | "meters");
        matches!(pair, [one, other] if one == "sq" && unit(other))
    });
    if measured && !area && !has(&["$", "%", "rent", "price", "cost", "share", "pct"]) {
        return Some(Field::Area);
    }
    if has(&["tenant", "resident", "lessee", "occupier"]) && has(&["name", "company", "s"]) {
        return Some(Field::Tenant);
    }
    if has(&["status"]) && !has(&["payment", "approval", "loan", "credit"]) {
        return Some(Field::Status);
    }
    if has(&["unit", "suite", "apt", "apartment"]) && has(&["number", "no", "id", "#", "code", "name"]) {
        return Some(Field::Unit);
    }
    if has(&["flow", "cashflow"]) && !has(&["date", "cumulative", "discounted"]) {
        return Some(Field::Amount);
    }
    if has(&["date"]) && has(&["flow", "cash", "payment", "value", "transaction", "posting"]) {
        return Some(Field::Date);
    }
    None
}

/// Joins "p.a." and "p.c.m.", which are split into single letters.
fn periods_joined(words: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        match (joined.last_mut(), word.as_str()) {
            (Some(last), "a" | "c" | "m") if last == "p" || (last == "pc" && word == "m") => {
                last.push_str(word);
            }
            _ => joined.push(word.clone()),
        }
    }
    joined
}

fn is_metric(word: &str) -> bool {
    matches!(word, "m²" | "m2" | "sqm" | "qm")
}

/// "Rent / SF", "Price per Sq Ft".
fn per_area(words: &[String]) -> bool {
    words.windows(2).any(|pair| {
        let unit =
            |word: &str| matches!(word, "sf" | "sqft" | "sq" | "square" | "foot" | "rsf") || is_metric(word);
        matches!(pair, [one, other] if one == "per" && unit(other))
    }) || (words
        .iter()
        .any(|word| matches!(word.as_str(), "rent" | "price" | "rate" | "$"))
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "sf" | "sqft" | "rsf") || is_metric(word)))
}
