//! Finds the known names closest to an unknown one. Independent of the models.

/// Maximum number of suggestions.
const OFFERED: usize = 3;
/// Longer names are too slow to compare, and unlikely to be a typo.
const LONGEST: usize = 64;

/// The closest known names, best first. Empty if none is close.
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

/// Edit distance: letters inserted, deleted, replaced, or swapped with the next one.
pub fn distance(wrong: &[char], name: &str) -> usize {
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
