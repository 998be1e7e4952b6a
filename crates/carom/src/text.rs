//! Formats numbers and lists for messages.

use carom_base::elementary::log10;

/// Formats a length with its unit: `1.1 m`, `3.25 mm`, `40 nm`.
pub(crate) fn length(metres: f64) -> String {
    let (scale, unit) = match metres.abs() {
        x if !(x < 1e4) => return format!("{metres:.3e} m"),
        x if x >= 1.0 => (1.0, "m"),
        x if x >= 1e-3 => (1e3, "mm"),
        x if x >= 1e-6 => (1e6, "µm"),
        0.0 => (1.0, "m"),
        _ => (1e9, "nm"),
    };
    format!("{} {unit}", short(metres * scale))
}

/// Formats a time in seconds, to four digits.
pub(crate) fn time(seconds: f64) -> String {
    short(seconds)
}

/// Formats a number to four digits, without trailing zeros.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let size = log10(x.abs()).floor();
    if !(-4.0..6.0).contains(&size) {
        return format!("{x:.3e}");
    }
    let text = format!("{x:.*}", (3.0 - size).max(0.0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Formats the first `named` items of a list of pairs, and the number of the others.
pub(crate) fn list<T>(all: &[T], named: usize, words: impl Fn(&T) -> String) -> String {
    let mut text: Vec<String> = all.iter().take(named).map(words).collect();
    match all.len().saturating_sub(named) {
        0 => {}
        1 => text.push("1 other pair".to_owned()),
        n => text.push(format!("{n} other pairs")),
    }
    text.join("; ")
}

#[cfg(test)]
mod tests {
    use super::{length, list};

    #[test]
    fn lengths_have_their_units() {
        for (metres, text) in [
            (1.1, "1.1 m"),
            (0.9999, "999.9 mm"),
            (3.25e-3, "3.25 mm"),
            (1e-6, "1 µm"),
            (4e-8, "40 nm"),
            (0.0, "0 m"),
            (12345.0, "1.234e4 m"),
            (f64::INFINITY, "inf m"),
        ] {
            assert_eq!(length(metres), text);
        }
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(&[1, 2, 3], 2, i32::to_string), "1; 2; 1 other pair");
        assert_eq!(list(&[1, 2], 2, i32::to_string), "1; 2");
    }
}
