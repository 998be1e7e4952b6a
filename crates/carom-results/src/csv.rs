//! Reads the CSV files of a folder (RFC 4180).

use carom_base::number::field_text;

/// Splits a CSV text into lines, each as its fields and the number of the line it starts on; the second result says whether
/// the text ends within a line, which is then left out.
pub fn records(text: &str) -> (Vec<(usize, Vec<String>)>, bool) {
    let mut all = Vec::new();
    let (mut fields, mut field) = (Vec::new(), String::new());
    let (mut quoted, mut line, mut start) = (false, 1, 1);
    // whether the field was in quotes
    let mut was = false;
    let taken = |field: &mut String, was: &mut bool| {
        let field = std::mem::take(field);
        if std::mem::take(was) { field_text(&field).to_owned() } else { field }
    };
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match (quoted, c) {
            (true, '"') if letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            (_, '"') => (quoted, was) = (!quoted, true),
            (false, ',') => fields.push(taken(&mut field, &mut was)),
            (false, '\n') => {
                fields.push(taken(&mut field, &mut was));
                all.push((start, std::mem::take(&mut fields)));
                start = line + 1;
            }
            (false, '\r') => {}
            _ => field.push(c),
        }
        if c == '\n' {
            line += 1;
        }
    }
    (all, !field.is_empty() || !fields.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_as_they_were() {
        let mut text = Vec::new();
        let fields = ["t", "a,b.x", "say \"ah\"", "two\nlines", "", "=1+1", "'=a", "-b.x", "'c'"];
        for field in fields {
            carom_base::number::push_field(&mut text, field);
            text.push(b',');
        }
        *text.last_mut().unwrap() = b'\n';
        text.extend_from_slice(b"1,2\n3");
        let (lines, cut) = records(std::str::from_utf8(&text).unwrap());
        assert_eq!(lines[0], (1, fields.map(str::to_owned).to_vec()));
        assert_eq!(lines[1], (3, vec!["1".to_owned(), "2".to_owned()]));
        assert!(cut && lines.len() == 2);
    }
}
