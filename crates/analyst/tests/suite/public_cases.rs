//! Small tables and questions made after faults that people reported: right or asked back, never wrong.
//!
//! The files are in `tests/public_cases`. Where a question back is right too, the reply to it must settle the question.

use std::path::Path;

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileFrom};
use analyst::contract::draft::Draft;

use super::asking::brief;
use super::sheets::file;

/// Percent of the cases that must be right.
const LEAST_RIGHT: usize = 90;

struct Case {
    /// The kind of fault.
    kind: &'static str,
    file: &'static str,
    question: &'static str,
    wanted: Wanted,
}

enum Wanted {
    /// The answer has all of these.
    Values(&'static [f64]),
    /// The same, or a question back after which the reply leads to them.
    ValuesOrAsked(&'static [f64], Option<&'static str>),
    /// No figure: the file does not tell, and the answer says this.
    Refused(&'static str),
}

use Wanted::{Refused, Values, ValuesOrAsked};

const fn case(kind: &'static str, file: &'static str, question: &'static str, wanted: Wanted) -> Case {
    Case {
        kind,
        file,
        question,
        wanted,
    }
}

const CASES: &[Case] = &[
    case(
        "K1",
        "status_corporate.csv",
        "What is the total rent?",
        ValuesOrAsked(&[4_500.0], Some("Corporate and On Notice mean occupied.")),
    ),
    case(
        "K1",
        "status_corporate.csv",
        "What is the total balance?",
        Values(&[535.0]),
    ),
    case(
        "K2",
        "t12_starred_month.csv",
        "What is the NOI?",
        Values(&[390_000.0]),
    ),
    case(
        "K2",
        "t12_month_end_dates.csv",
        "What is the NOI?",
        Values(&[390_000.0]),
    ),
    case(
        "K3",
        "delinquency_units_total.csv",
        "What is the total past due?",
        Values(&[100.5]),
    ),
    case(
        "K3",
        "delinquency_units_total.csv",
        "How many units are there?",
        Values(&[4.0]),
    ),
    case(
        "K4",
        "rent_roll_right_footer.csv",
        "What is the physical occupancy?",
        Values(&[0.6]),
    ),
    case(
        "K4",
        "rent_roll_right_footer.csv",
        "How many units are there?",
        Values(&[6.0]),
    ),
    case(
        "K5",
        "budget_comparison_collapsed.csv",
        "What is the ytd_actual NOI?",
        Values(&[167_400.0]),
    ),
    case(
        "K5",
        "budget_comparison_collapsed.csv",
        "Year-to-date NOI against budget?",
        Values(&[-21_000.0, -0.111465]),
    ),
    case(
        "K6",
        "tenants_named_like_measures.csv",
        "What is the market rent in total?",
        Refused("market rent"),
    ),
    case(
        "K6",
        "lease_charges.csv",
        "What is the total monthly rent?",
        ValuesOrAsked(&[4_195.0], Some("rrent, rent and baserent are rent.")),
    ),
    case(
        "K7",
        "std_and_actual_rent.csv",
        "What is the total monthly rent?",
        Values(&[474.0]),
    ),
    case(
        "K8",
        "vacant_units_with_asking_rent.csv",
        "What is the in-place rent?",
        Values(&[3_300.0]),
    ),
    case(
        "K8",
        "vacant_units_with_asking_rent.csv",
        "What is the contract rent?",
        Values(&[3_300.0]),
    ),
    case(
        "K8",
        "vacant_units_with_asking_rent.csv",
        "What is the total monthly rent?",
        Values(&[3_300.0]),
    ),
    case(
        "K8",
        "vacant_units_with_asking_rent.csv",
        "What is the annual rent?",
        Values(&[39_600.0]),
    ),
    case(
        "K9",
        "two_properties.csv",
        "What is the occupancy by property?",
        Values(&[2.0 / 3.0, 0.5]),
    ),
    case(
        "K9",
        "two_properties.csv",
        "What is the vacancy rate by property?",
        Values(&[1.0 / 3.0, 0.5]),
    ),
    case(
        "K9",
        "two_properties.csv",
        "Which property has the lowest occupancy?",
        Values(&[0.5]),
    ),
    case(
        "K10",
        "",
        "What is the monthly payment on a $200,000 mortgage at 6% with semi-annual compounding and a 25 year \
         amortization?",
        ValuesOrAsked(&[1_279.61], None),
    ),
    case(
        "K10",
        "",
        "What is the accelerated biweekly payment on a $200,000 mortgage at 6% over 25 years?",
        ValuesOrAsked(&[644.30], None),
    ),
    case(
        "K13",
        "status_codes.csv",
        "What is the physical occupancy? O and NU mean occupied, VU and VR mean vacant.",
        Values(&[0.6]),
    ),
    case(
        "K13",
        "status_codes.csv",
        "What is the physical occupancy?",
        ValuesOrAsked(&[0.6], Some("O and NU mean occupied, VU and VR mean vacant.")),
    ),
    case(
        "K14",
        "indented_no_year.csv",
        "What were utilities in total?",
        Values(&[4_500.0]),
    ),
    case(
        "K13",
        "indented_no_year.csv",
        "What is the NOI?",
        Values(&[124_500.0]),
    ),
    case(
        "K15",
        "commercial_start_expire.csv",
        "What is the WALT as of 2026-10-31?",
        Values(&[3.03]),
    ),
    case(
        "K15",
        "commercial_start_expire.csv",
        "What is the WALE by area as of 2026-10-31?",
        Values(&[2.98]),
    ),
    case(
        "K16",
        "semicolons_decimal_comma.csv",
        "What is the total monthly rent?",
        Values(&[2_925.5]),
    ),
    case(
        "K17",
        "decomposed_names.csv",
        "What rent does Caf\u{e9} Zo\u{eb} pay?",
        Values(&[1_000.0]),
    ),
];

fn ask(name: &str, question: &str, from: FileFrom, earlier: Option<serde_json::Value>) -> Draft {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/public_cases");
    let files = (!name.is_empty()).then(|| {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        file(name, &text, from)
    });
    draft(&Brief {
        earlier,
        files: files.into_iter().collect(),
        ..brief(question)
    })
}

/// Every value is among the figures, and the first of them is a value.
fn holds(draft: &Draft, values: &[f64]) -> bool {
    let near = |got: &serde_json::Value, value: f64| {
        let within = if value.abs() < 1.0 { 6e-5 } else { 0.006 };
        got.as_f64().is_some_and(|got| (got - value).abs() <= within)
    };
    let first = draft.figures.first();
    let all = values
        .iter()
        .all(|value| draft.figures.iter().any(|figure| near(&figure.value, *value)));
    all && first.is_some_and(|figure| values.iter().any(|value| near(&figure.value, *value)))
}

fn verdict(case: &Case) -> (&'static str, String) {
    let draft = ask(case.file, case.question, FileFrom::Question, None);
    let asked = !draft.success && draft.figures.is_empty();
    let said = draft.quick_reply.clone();
    let verdict = match case.wanted {
        Values(values) | ValuesOrAsked(values, _) if holds(&draft, values) => "right",
        ValuesOrAsked(_, None) if asked => "right",
        ValuesOrAsked(values, Some(reply)) if asked => {
            let settled = ask(case.file, reply, FileFrom::Earlier, draft.frame);
            let verdict = match () {
                () if holds(&settled, values) => "right",
                () if settled.figures.is_empty() => "asked",
                () => "wrong",
            };
            return (verdict, format!("{said} -- {reply} -> {}", settled.quick_reply));
        }
        Refused(word) if asked && draft.quick_reply.contains(word) => "right",
        _ if asked => "asked",
        _ => "wrong",
    };
    (verdict, said)
}

#[test]
fn published_faults_are_not_repeated() {
    let (mut right, mut wrong) = (0, Vec::new());
    for case in CASES {
        let (verdict, said) = verdict(case);
        let line = format!(
            "{verdict} {} {}: {} -> {said}",
            case.kind, case.file, case.question
        );
        println!("{line}");
        match verdict {
            "right" => right += 1,
            "wrong" => wrong.push(line),
            _ => {}
        }
    }
    println!("{right} right, {} wrong of {}", wrong.len(), CASES.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        right * 100 >= LEAST_RIGHT * CASES.len(),
        "only {right} of {}",
        CASES.len()
    );
}
