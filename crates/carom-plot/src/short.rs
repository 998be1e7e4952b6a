//! Shortens the text of an SVG figure: rounds numbers to what the eye can tell apart, and removes redundant letters from paths.

/// Returns the same figure with coordinates of paths rounded to a tenth of a pixel, other numbers to a hundredth.
pub(crate) fn shortened(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    for (n, part) in svg.split('<').enumerate() {
        if n > 0 {
            out.push('<');
        }
        // a tag, and the text after it, which is unchanged; before the first tag there is only text
        let (tag, text) = part.split_once('>').filter(|_| n > 0).map_or((None, part), |(t, s)| (Some(t), s));
        if let Some(tag) = tag {
            values(tag, &mut out);
            out.push('>');
        }
        out += text;
    }
    out
}

/// Writes a tag with shortened values of its attributes, which are in quotes.
fn values(tag: &str, out: &mut String) {
    let mut name = "";
    for (n, part) in tag.split('"').enumerate() {
        if n % 2 == 0 {
            out.push_str(if n > 0 { "\"" } else { "" });
            out.push_str(part);
            name = part;
        } else {
            out.push('"');
            match part.parse::<f64>() {
                Ok(x) if part.contains('.') => out.push_str(&number(x, 2)),
                _ if name.ends_with(" d=") => path(part, out),
                _ => out.push_str(part),
            }
        }
    }
}

/// Writes a path without repeated letters and without blanks beside letters.
fn path(d: &str, out: &mut String) {
    let letter = |c: char| c.is_ascii_alphabetic();
    let (mut last, mut after_number) = (' ', false);
    for word in d.split_inclusive(letter).flat_map(|part| {
        let numbers = part.trim_end_matches(letter);
        numbers.split([' ', ',']).chain([&part[numbers.len()..]])
    }) {
        if let Ok(x) = word.parse::<f64>() {
            out.push_str(if after_number { " " } else { "" });
            out.push_str(&number(x, 1));
            after_number = true;
        } else if let Some(c) = word.chars().next().filter(|c| *c != 'L' || last != 'L') {
            out.push(c);
            (last, after_number) = (c, false);
        }
    }
}

/// Writes a number with at most this many decimals, at least one.
fn number(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shorter_and_texts_are_as_they_were() {
        let svg = r#"<svg width="10"><path d="M 68.86 85.60000000000001 L 76.95 -85.8 L 80.13,86.05 Z" stroke-width="0.8" /><line x1="301.15000000000003" y1="7" /><text x="1.5">0.123456 "L 1.25 L"</text></svg>"#;
        let short = r#"<svg width="10"><path d="M68.9 85.6L77 -85.8 80.1 86Z" stroke-width="0.8" /><line x1="301.15" y1="7" /><text x="1.5">0.123456 "L 1.25 L"</text></svg>"#;
        assert_eq!(shortened(svg), short);
        assert_eq!(shortened(short), short);
    }

    #[test]
    fn curves_and_arcs_keep_their_letters() {
        let mut out = String::new();
        path("M 0 0 C 1 2 3.25 4 5 6 A 2 2 0 0 1 7.04 8 L 9 9 M 1 1 L 2 2 L 3 3", &mut out);
        assert_eq!(out, "M0 0C1 2 3.2 4 5 6A2 2 0 0 1 7 8L9 9M1 1L2 2 3 3");
    }
}
