//! Text for a terminal: how wide it is, lines that fit, tables.

use std::fmt;

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
