//! Writes numbers and names as text.

/// Appends a number with the fewest digits that read back to the same double: `1`, `0.1`, `6.02e23`.
///
/// NaN and the infinities are written `NaN`, `inf` and `-inf`.
pub fn push_number(out: &mut Vec<u8>, x: f64) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(x);
    let text = text.strip_suffix(".0").unwrap_or(text);
    // only large numbers can have an `e+`
    let parts = if x.abs() >= 1e15 { text.split_once('+') } else { None };
    let (front, back) = parts.unwrap_or((text, ""));
    out.extend_from_slice(front.as_bytes());
    out.extend_from_slice(back.as_bytes());
}

/// The characters with which a formula of a spreadsheet begins.
const FORMULA: [u8; 6] = [b'=', b'+', b'-', b'@', b'\t', b'\r'];

/// Whether a spreadsheet would take a text for a formula, or one that [`push_field`] has marked as text.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches('\'').as_bytes();
    text.first().is_some_and(|first| FORMULA.contains(first))
}

/// Appends a field of a CSV line, quoted if it has to be (RFC 4180). A text that a spreadsheet would run as a formula is marked as text, by
/// an apostrophe before it, which [`field_text`] takes away again.
pub fn push_field(out: &mut Vec<u8>, text: &str) {
    let formula = is_formula(text);
    if !formula && !text.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    if formula {
        out.push(b'\'');
    }
    for b in text.bytes() {
        if b == b'"' {
            out.push(b'"');
        }
        out.push(b);
    }
    out.push(b'"');
}

/// Returns the text of a field that was in quotes, as it was before [`push_field`] marked it.
///
/// ```
/// use carom_base::number::{field_text, push_field};
/// let mut line = Vec::new();
/// push_field(&mut line, "=1+1");
/// assert_eq!(line, b"\"'=1+1\"");
/// assert_eq!(field_text("'=1+1"), "=1+1");
/// ```
pub fn field_text(quoted: &str) -> &str {
    quoted.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(x: f64) -> String {
        let mut out = Vec::new();
        push_number(&mut out, x);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_short_and_read_back() {
        for (x, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-100.0, "-100"),
            (0.1, "0.1"),
            (1e-3, "0.001"),
            (2.5e-9, "2.5e-9"),
            (1e22, "1e22"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e308"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(x), text);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!(number(f64::NAN), "NaN");
    }

    #[test]
    fn many_numbers_read_back_to_the_same_bits() {
        // a full-period generator over the bit patterns of doubles
        let mut bits = 1u64;
        for _ in 0..100_000 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let x = f64::from_bits(bits);
            if x.is_finite() {
                assert_eq!(number(x).parse::<f64>().unwrap().to_bits(), bits);
            }
        }
    }

    #[test]
    fn fields_are_quoted_only_when_they_must_be() {
        for (text, field) in [
            ("ring/tread~floor/plane1", "ring/tread~floor/plane1"),
            ("corner +-+", "corner +-+"),
            ("a,b", "\"a,b\""),
            ("-cam", "\"'-cam\""),
            ("'@", "\"''@\""),
            ("'quoted'", "'quoted'"),
            ("say \"ah\"", "\"say \"\"ah\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("", ""),
        ] {
            let mut out = Vec::new();
            push_field(&mut out, text);
            assert_eq!(String::from_utf8(out).unwrap(), field);
        }
    }
}
