//! Text for a terminal: how wide it is, lines that fit, tables.

use std::fmt;
use std::io::{self, Write};

/// The standard output, and the standard error output, for texts in which names and titles of scenes occur: what would command a
/// terminal is shown instead of done.
pub(crate) fn stdout() -> Plainly<io::StdoutLock<'static>> {
    Plainly { to: io::stdout().lock(), colours: false }
}

pub(crate) fn stderr() -> Plainly<io::StderrLock<'static>> {
    Plainly { to: io::stderr().lock(), colours: false }
}

/// Writes texts without control characters, but for the ends of lines, tabs and, if they are wanted, colours.
pub(crate) struct Plainly<W> {
    to: W,
    pub(crate) colours: bool,
}

impl<W: Write> Write for Plainly<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.to.write_all(plain(text, self.colours).as_bytes())?,
            // (what is no text is none of ours; a letter may be cut)
            Err(_) => self.to.write_all(bytes)?,
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// The text with a picture in place of every control character: `␛`.
pub(crate) fn plain(text: &str, colours: bool) -> std::borrow::Cow<'_, str> {
    let commands = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(commands) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let colour = if colours { colour(rest) } else { 0 };
        if colour > 0 {
            out.push_str(&rest[..colour]);
            rest = &rest[colour..];
            continue;
        }
        out.push(match c {
            '\n' | '\t' => c,
            '\u{7f}' => '\u{2421}',
            c if c.is_control() => {
                char::from_u32(0x2400 + u32::from(c)).filter(|_| c < ' ').unwrap_or('\u{fffd}')
            }
            c => c,
        });
        rest = &rest[c.len_utf8()..];
    }
    out.into()
}

/// The length of the order for a colour with which a text begins, or 0.
fn colour(text: &str) -> usize {
    let Some(order) = text.strip_prefix("\u{1b}[") else { return 0 };
    let digits = order.bytes().take_while(|b| b.is_ascii_digit() || *b == b';').count();
    if order.as_bytes().get(digits) == Some(&b'm') { digits + 3 } else { 0 }
}

/// Where nobody says how wide the terminal is: a file, a pipe.
const WIDTH: usize = 100;
/// Narrower than this no text is made.
const LEAST: usize = 40;

/// The width of the terminal in letters.
pub(crate) fn columns() -> usize {
    let size = console::Term::stdout().size_checked();
    size.map_or(WIDTH, |(_, columns)| usize::from(columns)).max(LEAST)
}

/// How many columns a text takes: dots above a letter take none.
pub(crate) fn width(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

/// The text with spaces behind, up to so many columns.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// `head` and the text behind it, in lines of so many columns; those after the first begin below the text.
pub(crate) fn hanging(head: &str, text: &str, columns: usize) -> String {
    let indent = width(head);
    let mut lines = vec![head.to_owned()];
    let mut empty = true;
    for word in text.split(' ') {
        let line = lines.last().map_or(0, |l| width(l));
        if !empty && line + 1 + width(word) > columns.max(indent + 20) {
            lines.push(" ".repeat(indent));
            empty = true;
        }
        if let Some(line) = lines.last_mut() {
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
    }
    lines.iter().map(|l| l.trim_end()).collect::<Vec<_>>().join("\n") + "\n"
}

/// A table: the first column to the left, the others to the right.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    lines: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<T: Into<String>>(header: impl IntoIterator<Item = T>) -> Table {
        Table { lines: vec![header.into_iter().map(Into::into).collect()] }
    }

    pub(crate) fn line<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.lines.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.lines.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|i| self.lines.iter().filter_map(|l| l.get(i)).map(|c| width(c)).max().unwrap_or(0))
            .collect();
        for line in &self.lines {
            let mut text = String::from("  ");
            for (i, (cell, wide)) in line.iter().zip(&widths).enumerate() {
                if i == 0 {
                    text += &padded(cell, *wide);
                } else {
                    text += "  ";
                    text += &" ".repeat(wide - width(cell));
                    text += cell;
                }
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_the_terminal() {
        let evil = "\u{1b}]0;pwned\u{7}\u{1b}[2J\u{1b}[31mred\u{9b}5n\ttab\nline\r\u{7f}";
        assert_eq!(plain(evil, false), "␛]0;pwned␇␛[2J␛[31mred\u{fffd}5n\ttab\nline␍␡");
        assert_eq!(plain("\u{1b}[1;31mred\u{1b}[0m\u{1b}[2J", true), "\u{1b}[1;31mred\u{1b}[0m␛[2J");
        assert!(matches!(plain("δ̇ as it is", false), std::borrow::Cow::Borrowed(_)));
    }

    #[test]
    fn lines_fit_and_hang() {
        assert_eq!(width("δ̇ and ẋ"), 7);
        let text = hanging("  name  ", "some words that are long enough for two lines of forty", 40);
        assert_eq!(
            text,
            "  name  some words that are long enough\n          for two lines of forty\n"
                .replace("          ", "        ")
        );
        assert!(text.lines().all(|l| width(l) <= 40));
        assert_eq!(hanging("", "one", 40), "one\n");
    }

    #[test]
    fn tables_are_aligned() {
        let mut table = Table::new(["law", "δ̇"]);
        table.line(["a", "1.25"]);
        table.line(["long", "2"]);
        assert_eq!(table.to_string(), "  law      δ̇\n  a     1.25\n  long     2\n");
    }
}
