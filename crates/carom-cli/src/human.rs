//! Numbers for people: three digits and a fitting unit.

const PREFIXES: [&str; 13] = ["a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];

/// `47.5 mJ`.
pub(crate) fn si(x: f64, unit: &str) -> String {
    if x == 0.0 {
        return format!("0 {unit}");
    }
    let scientific = format!("{x:.2e}");
    let parts = scientific.split_once('e');
    let Some((Ok(mantissa), Ok(exponent))) = parts.map(|(m, e)| (m.parse::<f64>(), e.parse::<i32>())) else {
        return format!("{x} {unit}"); // NaN and the infinities
    };
    let (group, shift) = (exponent.div_euclid(3), exponent.rem_euclid(3));
    match usize::try_from(group + 6).ok().and_then(|i| PREFIXES.get(i)) {
        Some(prefix) => {
            let digits = usize::try_from(2 - shift).unwrap_or(0);
            let value = format!("{:.digits$}", mantissa * 10f64.powi(shift));
            format!("{} {prefix}{unit}", without_zeros(&value))
        }
        None => format!("{scientific} {unit}"),
    }
}

/// So many significant digits, without a unit: `1234.56`, `0.00123456`, `1.23456e9`.
pub(crate) fn significant(x: f64, digits: usize) -> String {
    let scientific = format!("{x:.*e}", digits.saturating_sub(1));
    let exponent = scientific.split_once('e').and_then(|(_, e)| e.parse::<i32>().ok());
    match exponent.and_then(|e| usize::try_from(digits as i32 - 1 - e).ok()) {
        Some(decimals) if x == 0.0 || x.abs() >= 1e-4 => format!("{x:.decimals$}"),
        _ => scientific,
    }
}

/// The unit in which a column of numbers up to `largest` is best read, and its size: `("kN", 1000.0)`.
pub(crate) fn unit_of(largest: f64, unit: &str) -> (String, f64) {
    let group = if largest > 0.0 && largest.is_finite() { (largest.log10() / 3.0).floor() } else { 0.0 };
    let group = group.clamp(-6.0, 6.0);
    let prefix = PREFIXES.get((group + 6.0) as usize).unwrap_or(&"");
    (format!("{prefix}{unit}"), 10f64.powi(3 * group as i32))
}

/// `47.50` is `47.5`.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Time in a model: `3 ms`, `12.5 s`, `86400 s`.
pub(crate) fn duration(t: f64) -> String {
    if t.abs() < 100.0 { si(t, "s") } else { format!("{} s", without_zeros(&format!("{t:.2}"))) }
}

/// Time on a clock: `3 ms`, `12.5 s`, `2 min 5 s`.
pub(crate) fn seconds(t: f64) -> String {
    if !(t >= 100.0 && t.is_finite()) {
        return si(t, "s");
    }
    if t < 600.0 {
        return format!("{} s", without_zeros(&format!("{t:.1}")));
    }
    let whole = t.round();
    let (hours, minutes, rest) = ((whole / 3600.0).floor(), (whole / 60.0).floor() % 60.0, whole % 60.0);
    if hours > 0.0 { format!("{hours} h {minutes} min {rest} s") } else { format!("{minutes} min {rest} s") }
}

/// `1 contact`, `11,210 evaluations`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    format!("{text} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_prefix() {
        for (x, text) in [
            (0.0, "0 J"),
            (0.0475, "47.5 mJ"),
            (0.00021, "210 µJ"),
            (712.4, "712 J"),
            (999.6, "1 kJ"),
            (-0.0016, "-1.6 mJ"),
            (1.0, "1 J"),
            (1.23456e-30, "1.23e-30 J"),
            (2e25, "2.00e25 J"),
            (f64::INFINITY, "inf J"),
            (f64::NAN, "NaN J"),
        ] {
            assert_eq!(si(x, "J"), text);
        }
    }

    #[test]
    fn significant_digits() {
        let numbers = [1234.5678, -0.00123456789, 1.5e9, 0.0, 999_999.7, 2e-7].map(|x| significant(x, 6));
        assert_eq!(numbers, ["1234.57", "-0.00123457", "1.50000e9", "0.00000", "1.00000e6", "2.00000e-7"]);
    }

    #[test]
    fn a_unit_for_a_column() {
        for (largest, unit, size) in
            [(0.0, "N", 1.0), (999.0, "N", 1.0), (1e3, "kN", 1e3), (3e-5, "µN", 1e-6), (f64::NAN, "N", 1.0)]
        {
            assert_eq!(unit_of(largest, "N"), (unit.to_owned(), size));
        }
    }

    #[test]
    fn times_and_counts() {
        let times = [0.003, 1.0, 99.0, 130.25, 725.0, 7384.0].map(seconds);
        assert_eq!(times, ["3 ms", "1 s", "99 s", "130.2 s", "12 min 5 s", "2 h 3 min 4 s"]);
        let durations = [0.003, 1.5, 0.0, 600.0, 1234.567].map(duration);
        assert_eq!(durations, ["3 ms", "1.5 s", "0 s", "600 s", "1234.57 s"]);
        let counts = [0, 1, 812, 11_210, 1_000_000].map(|n| count(n, "step", "steps"));
        assert_eq!(counts, ["0 steps", "1 step", "812 steps", "11,210 steps", "1,000,000 steps"]);
    }
}
