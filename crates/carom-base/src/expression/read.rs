//! The parser: from a text to its terms.

use super::ExpressionError;
use super::term::{One, Term, Two};

/// The largest depth of nested parentheses and signs. A deeper expression is a mistake, and would exhaust the stack.
const DEEPEST: usize = 100;

pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    pub(super) names: Vec<String>,
}

fn is_quote(c: char) -> bool {
    c == '\'' || c == '"'
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader { text, at: 0, depth: 0, names: Vec::new() }
    }

    /// Parses the whole text.
    pub(super) fn whole(&mut self) -> Result<Term, ExpressionError> {
        let root = self.sum()?;
        match self.peek() {
            None => Ok(root),
            Some(c) => Err(self.wrong(format!("`{c}` does not belong here"))),
        }
    }

    fn wrong(&self, message: String) -> ExpressionError {
        ExpressionError { message, at: self.at }
    }

    /// Skips white space and returns the next character.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    fn needed(&mut self, wanted: char) -> Result<(), ExpressionError> {
        if self.take(wanted) { Ok(()) } else { Err(self.wrong(format!("`{wanted}` is missing"))) }
    }

    fn sum(&mut self) -> Result<Term, ExpressionError> {
        let mut left = self.product()?;
        loop {
            let f = match self.peek() {
                Some('+') => Two::Plus,
                Some('-') => Two::Minus,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Term::Two(f, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Term, ExpressionError> {
        let mut left = self.signed()?;
        loop {
            let f = match self.peek() {
                Some('*') => Two::Times,
                Some('/') => Two::Over,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Term::Two(f, Box::new(left), Box::new(self.signed()?));
        }
    }

    fn signed(&mut self) -> Result<Term, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(format!("more than {DEEPEST} parentheses or signs in each other")));
        }
        let term = if self.take('-') {
            Term::One(One::Minus, Box::new(self.signed()?))
        } else if self.take('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(term)
    }

    fn power(&mut self) -> Result<Term, ExpressionError> {
        let base = self.atom()?;
        if self.take('^') {
            return Ok(Term::Two(Two::Power, Box::new(base), Box::new(self.signed()?)));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<Term, ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let term = self.sum()?;
                self.needed(')')?;
                Ok(term)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || is_quote(c) => self.named(),
            Some(c) => Err(self.wrong(format!("`{c}` where a number or a name belongs"))),
            None => Err(self.wrong("a number or a name is missing".to_owned())),
        }
    }

    fn number(&mut self) -> Result<Term, ExpressionError> {
        let bytes = self.text.as_bytes();
        let digits = |mut i: usize| {
            while bytes.get(i).is_some_and(|b| b.is_ascii_digit() || *b == b'.') {
                i += 1;
            }
            i
        };
        let mut end = digits(self.at);
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            // `2e` is the number 2 followed by a name, not an incomplete number
            end = if digits(sign) > sign { digits(sign) } else { end };
        }
        let text = &self.text[self.at..end];
        let x = text.parse().map_err(|_| self.wrong(format!("`{text}` is not a number")))?;
        self.at = end;
        Ok(Term::Number(x))
    }

    /// Reads a name, parts of which may be in quotes. Returns whether any are.
    fn name(&mut self) -> Result<(String, bool), ExpressionError> {
        let inside = |c: char| c.is_alphanumeric() || "_.~".contains(c);
        let (mut name, mut quoted) = (String::new(), false);
        loop {
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else { break };
            let plain = &rest[..rest.find(|c| !inside(c)).unwrap_or(rest.len())];
            if is_quote(first) {
                let Some(end) = rest[1..].find(first) else {
                    self.at = self.text.len();
                    return Err(self.wrong(format!("`{first}` is missing")));
                };
                quoted = true;
                name += &rest[1..=end];
                self.at += end + 2;
            } else if !plain.is_empty() {
                name += plain;
                self.at += plain.len();
            } else {
                break;
            }
        }
        Ok((name, quoted))
    }

    fn named(&mut self) -> Result<Term, ExpressionError> {
        let start = self.at;
        let (name, quoted) = self.name()?;
        if quoted || self.peek() != Some('(') {
            if name == "pi" && !quoted {
                return Ok(Term::Number(std::f64::consts::PI));
            }
            let known = self.names.iter().position(|n| *n == name);
            return Ok(Term::Name(known.unwrap_or_else(|| {
                self.names.push(name);
                self.names.len() - 1
            })));
        }
        if let Some((_, f)) = One::NAMED.iter().find(|(n, _)| *n == name) {
            self.needed('(')?;
            let a = self.sum()?;
            self.needed(')')?;
            return Ok(Term::One(*f, Box::new(a)));
        }
        if let Some((_, f)) = Two::NAMED.iter().find(|(n, _)| *n == name) {
            self.needed('(')?;
            let a = self.sum()?;
            self.needed(',')?;
            let b = self.sum()?;
            self.needed(')')?;
            return Ok(Term::Two(*f, Box::new(a), Box::new(b)));
        }
        let known: Vec<&str> = One::NAMED.iter().map(|f| f.0).chain(Two::NAMED.iter().map(|f| f.0)).collect();
        let message = format!("there is no function `{name}`: there are {}", known.join(", "));
        Err(ExpressionError { message, at: start })
    }
}
