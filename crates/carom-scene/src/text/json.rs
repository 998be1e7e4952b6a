//! Parses JSON (RFC 8259) into a tree with positions. It is strict: no comments, no trailing commas, no repeated keys.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::{Map, Value as Json};

use crate::error::Problem;
use crate::tree::{Member, Node, Span, Value};

/// Greatest depth of nesting; no scene needs more, and deeper nesting could overflow the stack.
const MAX_DEPTH: usize = 64;

/// Reads a whole text.
pub(crate) fn parse(text: &str) -> Result<Node, Problem> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    reader.skip_space();
    let node = reader.value(0)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(reader.wrong("nothing may follow the value")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn skip_space(&mut self) {
        while let Some(' ' | '\t' | '\n' | '\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Advances past the character if it is the next one.
    fn take(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        if there {
            self.at += c.len_utf8();
        }
        there
    }

    fn problem(&self, range: Range<usize>, label: impl Into<String>) -> Problem {
        Problem::new("this is not JSON").at(Span::new(0, range), label)
    }

    /// Makes an error message about the next character, or about the end of the text.
    fn wrong(&self, label: &str) -> Problem {
        match self.peek() {
            Some(c) => self.problem(self.at..self.at + c.len_utf8(), label),
            None => {
                let last = self.text.chars().next_back().map_or(0, char::len_utf8);
                self.problem(self.text.len() - last..self.text.len(), format!("the text ends here: {label}"))
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Problem> {
        if depth > MAX_DEPTH {
            return Err(self.wrong("nested too deep"));
        }
        let start = self.at;
        let value = match self.peek() {
            Some('{') => self.table(depth)?,
            Some('[') => self.array(depth)?,
            Some('"') => Value::Text(self.string()?),
            Some('-' | '0'..='9') => self.number()?,
            Some('a'..='z' | 'A'..='Z') => self.word()?,
            _ => return Err(self.wrong("expected a value")),
        };
        // for a table or array over several lines it is enough to mark the beginning
        let lines = self.text[start..self.at].contains('\n');
        Ok(Node { span: Span::new(0, start..if lines { start + 1 } else { self.at }), value })
    }

    fn table(&mut self, depth: usize) -> Result<Value, Problem> {
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        let mut known: HashMap<String, Span> = HashMap::new();
        self.skip_space();
        if self.take('}') {
            return Ok(Value::Table(members));
        }
        loop {
            self.skip_space();
            let start = self.at;
            if self.peek() != Some('"') {
                return Err(self.wrong("expected a key in double quotes"));
            }
            let key = self.string()?;
            let key_span = Span::new(0, start..self.at);
            if let Some(first) = known.insert(key.clone(), key_span.clone()) {
                return Err(Problem::new(format!("the key `{key}` is given twice"))
                    .at(key_span, "the second time")
                    .context(first, "the first time"));
            }
            self.skip_space();
            if !self.take(':') {
                return Err(self.wrong("expected `:` after the key"));
            }
            self.skip_space();
            let value = self.value(depth + 1)?;
            members.push(Member { key, key_span, value });
            self.skip_space();
            if self.take('}') {
                return Ok(Value::Table(members));
            }
            if !self.take(',') {
                return Err(self.wrong("expected `,` or `}`"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Problem> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.take(']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.skip_space();
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take(']') {
                return Ok(Value::Array(items));
            }
            if !self.take(',') {
                return Err(self.wrong("expected `,` or `]`"));
            }
        }
    }

    fn word(&mut self) -> Result<Value, Problem> {
        let start = self.at;
        while let Some('a'..='z' | 'A'..='Z') = self.peek() {
            self.at += 1;
        }
        match &self.text[start..self.at] {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            "null" => Ok(Value::Other("null")),
            _ => Err(self.problem(start..self.at, "expected a value; words are in double quotes")),
        }
    }

    fn digits(&mut self) -> Result<(), Problem> {
        if !matches!(self.peek(), Some('0'..='9')) {
            return Err(self.wrong("expected a digit"));
        }
        while let Some('0'..='9') = self.peek() {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Value, Problem> {
        let start = self.at;
        self.take('-');
        let first = self.at;
        self.digits()?;
        if self.at - first > 1 && self.text[first..].starts_with('0') {
            return Err(self.problem(start..self.at, "a number does not begin with 0"));
        }
        if self.take('.') {
            self.digits()?;
        }
        if self.take('e') || self.take('E') {
            if !self.take('+') {
                self.take('-');
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        text.parse().map(Value::Number).map_err(|_| self.problem(start..self.at, "not a number"))
    }

    fn string(&mut self) -> Result<String, Problem> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else {
                return Err(self.problem(start..start + 1, "this string has no end"));
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                c if (c as u32) < 0x20 => return Err(self.wrong("a string ends on its line")),
                c => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Problem> {
        let c = self.peek();
        let plain = match c {
            Some('"') => '"',
            Some('\\') => '\\',
            Some('/') => '/',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode(),
            _ => return Err(self.wrong("not an escape; a backslash is written twice")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// Reads `u` and four hexadecimal digits, twice for characters beyond the first 65,536.
    fn unicode(&mut self) -> Result<char, Problem> {
        let start = self.at - 1;
        let high = self.hex()?;
        let code = match high {
            0xd800..=0xdbff if self.text[self.at..].starts_with("\\u") => {
                self.at += 1;
                let low = self.hex()?;
                match low {
                    0xdc00..=0xdfff => 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00),
                    _ => high,
                }
            }
            _ => high,
        };
        char::from_u32(code).ok_or_else(|| self.problem(start..self.at, "not a character"))
    }

    fn hex(&mut self) -> Result<u32, Problem> {
        self.at += 1;
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else {
                return Err(self.wrong("expected four hexadecimal digits"));
            };
            code = 16 * code + digit;
            self.at += 1;
        }
        Ok(code)
    }
}

/// Writes a tree as JSON.
pub(crate) fn written(node: &Node) -> Json {
    match &node.value {
        Value::Table(members) => {
            Json::Object(members.iter().map(|m| (m.key.clone(), written(&m.value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(written).collect(),
        Value::Text(text) => Json::from(text.as_str()),
        // a whole number is written as 3, not 3.0; −0 is none: it would lose its sign
        Value::Number(x) | Value::Computed { value: x, .. }
            if x.fract() == 0.0 && x.abs() < 1e15 && x.to_bits() != (-0.0_f64).to_bits() =>
        {
            Json::from(*x as i64)
        }
        Value::Number(x) | Value::Computed { value: x, .. } => Json::from(*x),
        Value::Bool(b) => Json::from(*b),
        Value::Other(_) => Json::Null,
    }
}
