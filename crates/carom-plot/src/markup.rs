//! Sub- and superscripts in labels.
//!
//! A label is plain text until [`marked`] reads its marks: `f_n`, `F_{max}`, `m/s^2`, `10^{-3}`. They become letters of Unicode's
//! private use, which no other label has, and the drawing sets what is between them smaller, lower or higher.

/// What begins a subscript or a superscript, and what ends either.
const SUB: char = '\u{E000}';
const SUPER: char = '\u{E001}';
const END: char = '\u{E002}';

/// Reads the marks of a label: `_` and `^` lower and raise the letters and digits that follow, or what is in braces; after `^`
/// also a sign. A backslash before one of them leaves it as it is.
///
/// ```
/// use carom_plot::{marked, plain};
/// assert_eq!(plain(&marked("f_n [m/s^2]")), "fn [m/s2]");
/// assert_eq!(marked(r"rod\_1"), "rod_1");
/// ```
pub fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' if letters.peek().is_some_and(|next| "_^\\".contains(*next)) => out.extend(letters.next()),
            '_' | '^' => match argument(&mut letters, c == '^') {
                Some(inside) => {
                    out.push(if c == '_' { SUB } else { SUPER });
                    out.push_str(&inside.replace('-', "−"));
                    out.push(END);
                }
                None => out.push(c),
            },
            _ => out.push(c),
        }
    }
    out
}

/// Reads the powers of an expression alone: `ball.x^2`. Its names stay as they are.
///
/// ```
/// use carom_plot::{plain, powers};
/// assert_eq!(plain(&powers("rod_1.x^2 + 1")), "rod_1.x2 + 1");
/// ```
pub fn powers(text: &str) -> String {
    marked(&text.replace('\\', "\\\\").replace('_', "\\_"))
}

/// Returns the label without its marks, as it would be read aloud.
pub fn plain(label: &str) -> String {
    label.replace([SUB, SUPER, END], "")
}

/// Takes what is lowered or raised; nothing, if no letter or digit follows.
fn argument(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, signed: bool) -> Option<String> {
    let mut ahead = letters.clone();
    let first = ahead.next()?;
    let mut inside = String::new();
    if first == '{' {
        loop {
            match ahead.next()? {
                '}' => break,
                c => inside.push(c),
            }
        }
    } else {
        let mut next = Some(first);
        if signed && (first == '-' || first == '+') {
            inside.push(first);
            next = ahead.next();
        }
        while let Some(c) = next.filter(|c| c.is_alphanumeric()) {
            inside.push(c);
            next = ahead.peek().copied().filter(|c| c.is_alphanumeric());
            if next.is_some() {
                ahead.next();
            }
        }
        if !inside.ends_with(char::is_alphanumeric) {
            return None;
        }
    }
    *letters = ahead;
    Some(inside)
}

/// The height of a piece of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "kuva"), allow(dead_code))]
pub(crate) enum Level {
    Line,
    Sub,
    Super,
}

/// Returns the pieces of a label; one without marks is one piece.
#[cfg(feature = "kuva")]
pub(crate) fn pieces(label: &str) -> Vec<(Level, &str)> {
    let (mut all, mut level, mut from) = (Vec::new(), Level::Line, 0);
    for (i, c) in label.char_indices().filter(|(_, c)| [SUB, SUPER, END].contains(c)) {
        all.push((level, &label[from..i]));
        level = match c {
            SUB => Level::Sub,
            SUPER => Level::Super,
            _ => Level::Line,
        };
        from = i + c.len_utf8();
    }
    all.push((level, &label[from..]));
    all.retain(|(_, text)| !text.is_empty());
    all
}

/// Returns whether a label has marks.
#[cfg(feature = "kuva")]
pub(crate) fn has_marks(label: &str) -> bool {
    label.contains(END)
}

#[cfg(all(test, feature = "kuva"))]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_and_names_stay() {
        let read = |text: &str| {
            pieces(&marked(text)).into_iter().map(|(l, t)| (l, t.to_owned())).collect::<Vec<_>>()
        };
        let line = |t: &str| (Level::Line, t.to_owned());
        let sub = |t: &str| (Level::Sub, t.to_owned());
        let sup = |t: &str| (Level::Super, t.to_owned());
        assert_eq!(read("f_n"), [line("f"), sub("n")]);
        assert_eq!(
            read("F_{max, 2} [m/s^2]"),
            [line("F"), sub("max, 2"), line(" [m/s"), sup("2"), line("]")]
        );
        assert_eq!(read("10^-3 x"), [line("10"), sup("−3"), line(" x")]);
        assert_eq!(read("10^{-3}"), [line("10"), sup("−3")]);
        // nothing to lower, an open brace, and letters that are meant
        for text in ["a_ b", "^", "x_{n", "x^+"] {
            assert_eq!(read(text), [line(text)], "{text}");
        }
        assert_eq!(read(r"rod\_1 \^"), [line("rod_1 ^")]);
        assert_eq!(read(""), []);
    }

    #[test]
    fn powers_of_expressions() {
        assert_eq!(pieces(&powers("rod_1.x^2")), [(Level::Line, "rod_1.x"), (Level::Super, "2")]);
    }
}
