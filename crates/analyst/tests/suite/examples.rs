//! The annotated questions that the analyst learns from, asked as they stand: each is answered with the figure that its
//! intent names, or asked back; what stands under `none` gets no figure by example.

use std::path::PathBuf;

use analyst::answer::draft;

use super::asking::brief;

/// Every so many-th example is asked.
const STEP: usize = 40;

struct Example {
    figure: String,
    question: String,
}

/// The examples of the calculations that have an intent with a telling.
fn examples() -> Vec<Example> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../analyst-learn/examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut out = Vec::new();
    for file in files {
        let (mut figure, mut tells) = (String::new(), false);
        for line in std::fs::read_to_string(file).unwrap().lines() {
            if line.starts_with("== ") {
                tells = false;
            } else if let Some(named) = line.strip_prefix("figure:") {
                figure = named.trim().to_owned();
            } else if line.starts_with("tell:") {
                tells = true;
            } else if let Some(marked) = line.strip_prefix("- ")
                && tells
            {
                out.push(Example {
                    figure: figure.clone(),
                    question: unmarked(marked),
                });
            }
        }
    }
    out
}

/// `{noi|731,600}` as `731,600`.
fn unmarked(marked: &str) -> String {
    let mut out = String::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, behind) = after.split_once('}').unwrap();
        out.push_str(before);
        out.push_str(inside.split_once('|').unwrap().1);
        rest = behind;
    }
    out + rest
}

#[test]
fn examples_lead_to_their_figure_or_to_a_question() {
    let all = examples();
    let asked: Vec<&Example> = all.iter().step_by(STEP).collect();
    let mut other = Vec::new();
    let mut answered = 0;
    for example in &asked {
        let draft = draft(&brief(&example.question));
        match draft.figures.first() {
            Some(figure) if figure.name == example.figure => answered += 1,
            Some(figure) => other.push(format!(
                "{} -> {} instead of {}",
                example.question, figure.name, example.figure
            )),
            None => {}
        }
    }
    let share = f64::from(answered) / asked.len() as f64;
    println!(
        "{answered} of {} examples answered, {} with another figure",
        asked.len(),
        other.len()
    );
    assert!(share > 0.8, "only {share:.2} of the examples are answered");
    // Figures have near kin (a payment of interest only is a payment), which readers may name instead.
    assert!(other.len() * 20 < asked.len(), "{}", other.join("\n"));
}

#[test]
fn questions_that_lead_back_to_each_other_end() {
    for question in [
        "PV at 8% of the interest paid in the first 4 years of $9.65M, 6.28%, 25-year am?",
        "What is the PV at 6% of the principal paid in the first 5 years of a 4m loan at 5.5%, 30 years?",
    ] {
        let draft = draft(&brief(question));
        assert!(!draft.quick_reply.is_empty());
    }
}
