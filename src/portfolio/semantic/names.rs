//! Which known names are closest to one that is not known. Knows no model.

/// Names offered at most.
const OFFERED: usize = 3;
/// Longer names are misspelt beyond help, and would take long to compare.
const LONGEST: usize = 64;

/// The closest of the known names, the closest first; none where nothing comes near.
pub fn closest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wrong: Vec<char> = wrong
        .chars()
        .take(LONGEST + 1)
        .flat_map(char::to_lowercase)
        .collect();
    if wrong.is_empty() || wrong.len() > LONGEST {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = known
        .map(|name| (distance(&wrong, name), name))
        .filter(|(far, name)| *far <= (name.len().max(wrong.len()) / 2).max(2))
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(OFFERED).map(|(_, name)| name).collect()
}

/// Letters to put in, leave out, change, or swap with the next one.
fn distance(wrong: &[char], name: &str) -> usize {
    let name: Vec<char> = name.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=name.len()).collect();
    let mut last = None;
    for (row, sign) in wrong.iter().enumerate() {
        let mut line = vec![row + 1];
        let mut left = None;
        for (column, other) in name.iter().enumerate() {
            let cell = |line: &[usize], at: usize| line.get(at).copied().unwrap_or(usize::MAX / 2);
            let changed = cell(&above, column) + usize::from(sign != other);
            let mut best = changed
                .min(cell(&above, column + 1) + 1)
                .min(cell(&line, column) + 1);
            if left == Some(sign) && last == Some(other) {
                best = best.min(cell(&before, column.saturating_sub(1)) + 1);
            }
            line.push(best);
            left = Some(other);
        }
        before = above;
        above = line;
        last = Some(sign);
    }
    above.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_one_slip_away_comes_first() {
        let known = [
            "financials.noi",
            "financials.capex",
            "financials.month",
            "buildings.city",
        ];
        for (wrong, first) in [
            ("financials.noii", "financials.noi"),
            ("financials.nio", "financials.noi"),
            ("Financials.Capx", "financials.capex"),
            ("building.city", "buildings.city"),
        ] {
            assert_eq!(closest(wrong, known.into_iter()).first(), Some(&first), "{wrong}");
        }
    }

    #[test]
    fn what_is_like_nothing_gets_no_suggestion() {
        let known = || ["financials.noi", "buildings.city"].into_iter();
        assert!(closest("xyzzy", known()).is_empty());
        assert!(closest(&"n".repeat(100_000), known()).is_empty());
        assert!(closest("", known()).is_empty());
    }

    #[test]
    fn the_distance_counts_slips() {
        for (one, other, far) in [
            ("noi", "noi", 0),
            ("nio", "noi", 1),
            ("", "noi", 3),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
        ] {
            let one: Vec<char> = one.chars().collect();
            assert_eq!(distance(&one, other), far, "{one:?} {other}");
        }
    }
}
