//! Suggestions for misspelt words, for error messages.

/// Returns the most similar of the known words, if it is similar enough to be meant.
///
/// ```
/// assert_eq!(carom_base::words::nearest("bal", &["ball", "floor"]), Some("ball".to_owned()));
/// assert_eq!(carom_base::words::nearest("xyz", &["ball", "floor"]), None);
/// ```
pub fn nearest(word: &str, known: &[&str]) -> Option<String> {
    let letters = |word: &str| -> Vec<char> { word.to_lowercase().chars().collect() };
    let word = letters(word);
    if word.len() > LONGEST {
        return None;
    }
    let allowed = 1 + word.len() / 3;
    let best = known
        .iter()
        // (a word that is so much longer or shorter is not similar; its bytes are at least as many as its letters)
        .filter(|k| k.len() <= 4 * (LONGEST + allowed))
        .map(|k| (letters(k), *k))
        .filter(|(k, _)| k.len().abs_diff(word.len()) <= allowed)
        .map(|(k, known)| (distance(&word, &k), known))
        .min()?;
    (best.0 <= allowed).then(|| best.1.to_owned())
}

/// For longer words there is no suggestion.
const LONGEST: usize = 100;

/// Returns the number of letters to insert, delete, change or exchange to get from one word to the other.
fn distance(a: &[char], b: &[char]) -> usize {
    // the last two rows of the table, and the one that is made
    let [mut before, mut last, mut row] =
        [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut d: usize = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(before[j - 2] + 1);
            }
            row[j] = d;
        }
        (before, last, row) = (last, row, before);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(a: &str, b: &str) -> usize {
        let letters = |word: &str| word.chars().collect::<Vec<char>>();
        distance(&letters(a), &letters(b))
    }

    #[test]
    fn letters_are_counted() {
        for (a, b, d) in [
            ("", "", 0),
            ("ab", "", 2),
            ("", "ab", 2),
            ("ab", "ba", 1),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
        ] {
            assert_eq!(apart(a, b), d, "{a} {b}");
        }
    }

    #[test]
    fn very_long_words_take_neither_time_nor_memory() {
        let long = "x".repeat(1 << 20);
        assert_eq!(nearest(&long, &[&long, "ball"]), None);
        assert_eq!(nearest("bal", &[&long, "ball"]), Some("ball".to_owned()));
    }
}
