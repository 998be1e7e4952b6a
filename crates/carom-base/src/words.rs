//! Suggestions for misspelt words, for error messages.

/// Returns the most similar of the known words, if it is similar enough to be meant.
///
/// ```
/// assert_eq!(carom_base::words::nearest("bal", &["ball", "floor"]), Some("ball".to_owned()));
/// assert_eq!(carom_base::words::nearest("xyz", &["ball", "floor"]), None);
/// ```
pub fn nearest(word: &str, known: &[&str]) -> Option<String> {
    let best = known.iter().map(|k| (distance(word, k), *k)).min()?;
    (best.0 <= 1 + word.chars().count() / 3).then(|| best.1.to_owned())
}

/// Returns the number of letters to insert, delete, change or exchange to get from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut d = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    d = d.min(rows[i - 2][j - 2] + 1);
                }
                d
            };
        }
    }
    rows[a.len()][b.len()]
}
