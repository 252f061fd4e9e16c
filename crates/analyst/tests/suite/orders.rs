//! Every two- and three-input metric in every order, layout and separator: right or asked back, never wrong.

use super::asking::ask;

/// An input: its synonyms, how its number is written, and its value.
struct Input {
    labels: &'static [&'static str],
    written: &'static [&'static str],
    value: f64,
}

const fn input(labels: &'static [&'static str], written: &'static [&'static str], value: f64) -> Input {
    Input {
        labels,
        written,
        value,
    }
}

struct Metric {
    words: &'static [&'static str],
    names: &'static [&'static str],
    inputs: Vec<Input>,
    compute: fn(&[f64]) -> f64,
}

fn level(loan: f64, rate: f64, years: f64) -> f64 {
    let i = rate / 12.0;
    loan * i / (1.0 - (1.0 + i).powf(-12.0 * years))
}

fn metrics() -> Vec<Metric> {
    let noi = || input(&["NOI", "net operating income"], &["500k", "$500,000"], 500_000.0);
    let price = || input(&["price", "purchase price"], &["8m", "$8,000,000"], 8_000_000.0);
    let value = || input(&["value", "appraised value"], &["8m", "8 million"], 8_000_000.0);
    let loan = || input(&["loan", "debt", "mortgage"], &["5m", "$5,000,000"], 5_000_000.0);
    let service = || {
        input(
            &["debt service", "annual debt service"],
            &["400k", "$400,000"],
            400_000.0,
        )
    };
    let opex = || input(&["opex", "operating expenses"], &["300k", "$300,000"], 300_000.0);
    let rate = || input(&["rate", "interest rate"], &["6%", "6 percent"], 0.06);
    let term = || input(&["amortization"], &["30 years", "30-year"], 30.0);
    let metric = |words, names, inputs, compute| Metric {
        words,
        names,
        inputs,
        compute,
    };
    vec![
        metric(
            &["cap rate", "going-in cap"],
            &["going_in_cap_rate"],
            vec![noi(), price()],
            |v| v[0] / v[1],
        ),
        metric(
            &["value", "property value"],
            &["value"],
            vec![
                noi(),
                input(&["cap rate", "cap"], &["6.25%", "6.25 percent"], 0.0625),
            ],
            |v| v[0] / v[1],
        ),
        metric(
            &["DSCR", "debt service coverage"],
            &["dscr"],
            vec![noi(), service()],
            |v| v[0] / v[1],
        ),
        metric(&["debt yield"], &["debt_yield"], vec![noi(), loan()], |v| {
            v[0] / v[1]
        }),
        metric(&["LTV", "loan to value"], &["ltv"], vec![loan(), value()], |v| {
            v[0] / v[1]
        }),
        metric(
            &["LTC", "loan to cost"],
            &["ltc"],
            vec![
                loan(),
                input(
                    &["cost", "total cost", "costs", "project cost", "all-in"],
                    &["8m", "$8,000,000"],
                    8_000_000.0,
                ),
            ],
            |v| v[0] / v[1],
        ),
        metric(
            &["GRM", "gross rent multiplier"],
            &["grm"],
            vec![
                price(),
                input(&["gross rent", "annual rent"], &["1m", "$1,000,000"], 1_000_000.0),
            ],
            |v| v[0] / v[1],
        ),
        metric(
            &["opex ratio", "operating expense ratio"],
            &["opex_ratio"],
            vec![
                opex(),
                input(
                    &["EGI", "effective gross income"],
                    &["1m", "$1,000,000"],
                    1_000_000.0,
                ),
            ],
            |v| v[0] / v[1],
        ),
        metric(
            &["break-even occupancy", "breakeven"],
            &["breakeven_occupancy"],
            vec![
                opex(),
                service(),
                input(
                    &["PGI", "potential gross income"],
                    &["1.1m", "$1,100,000"],
                    1_100_000.0,
                ),
            ],
            |v| (v[0] + v[1]) / v[2],
        ),
        metric(
            &["cash-on-cash", "cash on cash return"],
            &["cash_on_cash"],
            vec![
                input(&["cash flow"], &["240k", "$240,000"], 240_000.0),
                input(&["equity"], &["3m", "$3,000,000"], 3_000_000.0),
            ],
            |v| v[0] / v[1],
        ),
        metric(
            &["equity multiple", "MOIC"],
            &["equity_multiple"],
            vec![
                input(
                    &["distributions", "total distributions"],
                    &["6m", "$6,000,000"],
                    6_000_000.0,
                ),
                input(&["equity", "equity invested"], &["3m", "$3,000,000"], 3_000_000.0),
            ],
            |v| v[0] / v[1],
        ),
        metric(
            &["payment", "monthly payment"],
            &["payment"],
            vec![loan(), rate(), term()],
            |v| level(v[0], v[1], v[2]),
        ),
        metric(
            &["mortgage constant", "loan constant"],
            &["mortgage_constant"],
            vec![rate(), term()],
            |v| 12.0 * level(1.0, v[0], v[1]),
        ),
    ]
}

fn orders(count: usize) -> Vec<Vec<usize>> {
    match count {
        2 => vec![vec![0, 1], vec![1, 0]],
        _ => vec![
            vec![0, 1, 2],
            vec![0, 2, 1],
            vec![1, 0, 2],
            vec![1, 2, 0],
            vec![2, 0, 1],
            vec![2, 1, 0],
        ],
    }
}

/// Right, asked and wrong; the wrong ones are listed.
#[derive(Default)]
struct Tally {
    right: usize,
    asked: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn judge(&mut self, question: &str, names: &[&str], want: f64) {
        let draft = ask(question);
        if !draft.success {
            if draft.figures.is_empty() {
                self.asked += 1;
            } else {
                self.wrong.push(format!("{question:?}: figures without success"));
            }
            return;
        }
        let right = draft.figures.first().is_some_and(|figure| {
            let got = figure.value.as_f64().unwrap_or(f64::NAN);
            names.contains(&figure.name.as_str()) && (got - want).abs() <= 1e-6 * want.abs()
        });
        if right {
            self.right += 1;
        } else {
            self.wrong.push(format!("{question:?}: {}", draft.quick_reply));
        }
    }
}

const BETWEEN: &[&str] = &[" ", ", ", "\n", "; ", " and ", " with "];
const BINDS: &[&str] = &[" ", ": ", " = ", "=", " is ", " of ", " at ", ":\n"];
const BEHIND: &[&str] = &[" ", " of ", " in "];
/// `#` is the metric, `*` the inputs.
const FRAMES: &[&str] = &[
    "# *",
    "#? *",
    "#: *",
    "#, *",
    "#\n*",
    "#?\n*",
    "* #",
    "* #?",
    "*, #?",
    "*\n#?",
    "*. #?",
    "what is the # with *?",
    "What's the # if *",
    "*. What is the #?",
    "# for *",
    "# given *?",
];

/// Every so many-th question is asked. A step that shares no factor with the number of choices visits all of them over
/// time.
fn stride() -> usize {
    let told = std::env::var("CORBEL_ORDERS_STRIDE").ok();
    told.and_then(|step| step.parse().ok()).unwrap_or(29)
}

#[test]
fn every_order_is_right_or_asked() {
    let stride = stride();
    let mut tally = Tally::default();
    let mut at = 0_usize;
    for metric in metrics() {
        let values: Vec<f64> = metric.inputs.iter().map(|input| input.value).collect();
        let want = (metric.compute)(&values);
        for order in orders(metric.inputs.len()) {
            for between in BETWEEN {
                for (before, bind) in BINDS
                    .iter()
                    .map(|bind| (true, bind))
                    .chain(BEHIND.iter().map(|bind| (false, bind)))
                {
                    for frame in FRAMES {
                        for synonym in 0..6 {
                            at += 1;
                            if !at.is_multiple_of(stride) {
                                continue;
                            }
                            let parts: Vec<String> = order
                                .iter()
                                .enumerate()
                                .map(|(place, index)| {
                                    let input = &metric.inputs[*index];
                                    let label = input.labels[(synonym + place) % input.labels.len()];
                                    let number = input.written[(synonym / 2) % input.written.len()];
                                    if before {
                                        format!("{label}{bind}{number}")
                                    } else {
                                        format!("{number}{bind}{label}")
                                    }
                                })
                                .collect();
                            let word = metric.words[synonym % metric.words.len()];
                            let question = frame.replace('#', word).replace('*', &parts.join(between));
                            tally.judge(&question, metric.names, want);
                        }
                    }
                }
            }
        }
    }
    println!(
        "right {}, asked {}, wrong {}",
        tally.right,
        tally.asked,
        tally.wrong.len()
    );
    assert!(
        tally.wrong.is_empty(),
        "{} wrong:\n{}",
        tally.wrong.len(),
        tally.wrong.join("\n")
    );
    assert!(
        tally.right > 3 * tally.asked,
        "{} right, {} asked",
        tally.right,
        tally.asked
    );
}

#[test]
fn a_label_never_takes_the_number_of_the_pair_before() {
    for question in [
        "cost 8m loan 5m LTC?",
        "LTC? cost 8m loan 5m",
        "cost: 8m\nloan: 5m\nLTC?",
        "LTC? all-in 8m loan 5m",
        "8m cost 5m loan LTC?",
        "loan 5m costs 8m LTC?",
    ] {
        let draft = ask(question);
        assert!(draft.success, "{question}: {}", draft.quick_reply);
        let got = draft.figures[0].value.as_f64().unwrap();
        assert!((got - 0.625).abs() < 1e-9, "{question}: {got}");
    }
    for question in ["cost 8m loan 5m LTV?", "building 8m loan 5m LTV?"] {
        let draft = ask(question);
        let wrong = draft.success && (draft.figures[0].value.as_f64().unwrap() - 0.625).abs() > 1e-9;
        assert!(!wrong, "{question}: {}", draft.quick_reply);
    }
}

#[test]
fn nothing_is_divided_by_zero() {
    let (stride, mut at) = (stride(), 0_usize);
    for metric in metrics() {
        let values: Vec<f64> = metric.inputs.iter().map(|input| input.value).collect();
        for zero in 0..values.len() {
            let mut with_zero = values.clone();
            with_zero[zero] = 0.0;
            let want = (metric.compute)(&with_zero);
            let mut tally = Tally::default();
            for order in orders(values.len()) {
                for between in BETWEEN {
                    for (before, bind) in [(true, " "), (true, ": "), (true, " of "), (false, " ")] {
                        for frame in FRAMES {
                            at += 1;
                            if !at.is_multiple_of(stride) {
                                continue;
                            }
                            let parts: Vec<String> = order
                                .iter()
                                .map(|index| {
                                    let input = &metric.inputs[*index];
                                    let number = match (*index == zero, input.written[0]) {
                                        (false, written) => written,
                                        (true, written) if written.contains('%') => "0%",
                                        (true, written) if written.contains("year") => "0 years",
                                        (true, _) => "0",
                                    };
                                    if before {
                                        format!("{}{bind}{number}", input.labels[0])
                                    } else {
                                        format!("{number}{bind}{}", input.labels[0])
                                    }
                                })
                                .collect();
                            let question = frame
                                .replace('#', metric.words[0])
                                .replace('*', &parts.join(between));
                            if want.is_finite() {
                                tally.judge(&question, metric.names, want);
                            } else {
                                let draft = ask(&question);
                                // At a rate of zero a payment is the loan over its months.
                                let rate =
                                    metric.names[0] == "payment" || metric.names[0] == "mortgage_constant";
                                if draft.success && !(rate && want.is_nan()) {
                                    tally.wrong.push(format!("{question:?}: {}", draft.quick_reply));
                                }
                            }
                        }
                    }
                }
            }
            assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
        }
    }
}
