//! The parser: from a text to its terms.

use super::ExpressionError;
use super::function::{Comparison, One, Two};
use super::term::{Form, Span, Term};
use crate::units::{Dimension, UnitError, nearest_of_all, parse_any};

/// The largest depth of nested parentheses and signs. A deeper expression is a mistake, and would exhaust the stack.
const DEEPEST: usize = 100;

/// The largest number of different names, and of bytes. What is longer comes from no human hand, and would take very long.
const MOST_NAMES: usize = 1000;
pub(super) const LONGEST: usize = 1 << 20;

/// Words between and before conditions.
const AND: &str = "and";
const OR: &str = "or";
const NOT: &str = "not";

pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    pub(super) names: Vec<String>,
}

fn is_quote(c: char) -> bool {
    c == '\'' || c == '"'
}

/// Whether a name may contain the character without quotes.
fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || "_.~".contains(c)
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader { text, at: 0, depth: 0, names: Vec::new() }
    }

    /// Parses the whole text.
    pub(super) fn whole(&mut self) -> Result<Term, ExpressionError> {
        if self.text.len() > LONGEST {
            return Err(self.wrong(format!("the expression is longer than {LONGEST} bytes")));
        }
        let root = self.argument()?;
        match self.peek() {
            None => Ok(root),
            Some('=') => Err(self.wrong("`=` does not belong here: `==` compares two numbers".to_owned())),
            Some(c) => Err(self.wrong(format!("`{c}` does not belong here"))),
        }
    }

    /// Returns a form as the term that began there and ends here.
    pub(super) fn term(&self, from: usize, form: Form) -> Term {
        Term { form, span: Span { from, to: self.text[..self.at].trim_end().len() } }
    }

    /// Returns the position of the next character that is not white space.
    fn here(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// Accepts a number, and not a condition.
    pub(super) fn number(&self, term: Term) -> Result<Term, ExpressionError> {
        if !term.is_condition() {
            return Ok(term);
        }
        let Span { from, to } = term.span;
        let text = &self.text[from..to];
        let message = format!("`{text}` is a condition, not a number: if({text}, a, b) makes a number of it");
        Err(ExpressionError { message, at: from })
    }

    /// Accepts a condition, and not a number.
    pub(super) fn condition(&self, term: Term) -> Result<Term, ExpressionError> {
        if term.is_condition() {
            return Ok(term);
        }
        let Span { from, to } = term.span;
        let text = &self.text[from..to];
        let message = format!("`{text}` is a number, not a condition: compare it, as in {text} > 0");
        Err(ExpressionError { message, at: from })
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

    pub(super) fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    pub(super) fn needed(&mut self, wanted: char) -> Result<(), ExpressionError> {
        if self.take(wanted) { Ok(()) } else { Err(self.wrong(format!("`{wanted}` is missing"))) }
    }

    /// Reads a number: the whole text, an argument of a function.
    pub(super) fn argument(&mut self) -> Result<Term, ExpressionError> {
        let term = self.any()?;
        self.number(term)
    }

    /// Returns whether the next word is this one, and reads it.
    fn word(&mut self, word: &str) -> bool {
        self.peek();
        let rest = self.text[self.at..].strip_prefix(word);
        let there = rest.is_some_and(|rest| !rest.starts_with(|c: char| is_inside(c) || is_quote(c)));
        if there {
            self.at += word.len();
        }
        there
    }

    /// Reads conditions joined by a word; a single term may be a number too.
    fn joined(
        &mut self,
        word: &str,
        part: fn(&mut Self) -> Result<Term, ExpressionError>,
        form: fn(Vec<Term>) -> Form,
    ) -> Result<Term, ExpressionError> {
        let from = self.here();
        let first = part(self)?;
        let mut all = Vec::new();
        while self.word(word) {
            let next = part(self)?;
            all.push(self.condition(next)?);
        }
        if all.is_empty() {
            return Ok(first);
        }
        all.insert(0, self.condition(first)?);
        Ok(self.term(from, form(all)))
    }

    pub(super) fn any(&mut self) -> Result<Term, ExpressionError> {
        self.joined(OR, Self::all, Form::Any)
    }

    fn all(&mut self) -> Result<Term, ExpressionError> {
        self.joined(AND, Self::not, Form::All)
    }

    fn not(&mut self) -> Result<Term, ExpressionError> {
        let from = self.here();
        if !self.word(NOT) {
            return self.comparison();
        }
        let inner = self.nested(Self::not)?;
        let inner = self.condition(inner)?;
        Ok(self.term(from, Form::Not(Box::new(inner))))
    }

    fn comparison(&mut self) -> Result<Term, ExpressionError> {
        let from = self.here();
        let left = self.sum()?;
        let Some(f) = self.comparison_sign() else { return Ok(left) };
        let left = self.number(left)?;
        let right = self.sum()?;
        let right = self.number(right)?;
        let term = self.term(from, Form::Compare(f, Box::new([left, right])));
        let at = self.at;
        match self.comparison_sign() {
            None => Ok(term),
            Some(_) => {
                let message = "comparisons are joined by `and`: a < b and b < c".to_owned();
                Err(ExpressionError { message, at })
            }
        }
    }

    fn comparison_sign(&mut self) -> Option<Comparison> {
        self.peek();
        let rest = &self.text[self.at..];
        let (text, f) = Comparison::WRITTEN.iter().find(|(text, _)| rest.starts_with(text))?;
        self.at += text.len();
        Some(*f)
    }

    /// Reads numbers joined by operations of equal precedence.
    fn chain(
        &mut self,
        part: fn(&mut Self) -> Result<Term, ExpressionError>,
        operation: fn(char) -> Option<Two>,
    ) -> Result<Term, ExpressionError> {
        let from = self.here();
        let first = part(self)?;
        let mut rest = Vec::new();
        while let Some(f) = self.peek().and_then(operation) {
            self.at += 1;
            let next = part(self)?;
            rest.push((f, self.number(next)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        let first = self.number(first)?;
        Ok(self.term(from, Form::Chain(Box::new(first), rest)))
    }

    fn sum(&mut self) -> Result<Term, ExpressionError> {
        self.chain(Self::product, |c| match c {
            '+' => Some(Two::Plus),
            '-' => Some(Two::Minus),
            _ => None,
        })
    }

    fn product(&mut self) -> Result<Term, ExpressionError> {
        self.chain(Self::signed, |c| match c {
            '*' => Some(Two::Times),
            '/' => Some(Two::Over),
            _ => None,
        })
    }

    /// Reads what is nested one level deeper.
    fn nested(
        &mut self,
        inner: fn(&mut Self) -> Result<Term, ExpressionError>,
    ) -> Result<Term, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(format!("more than {DEEPEST} parentheses or signs in each other")));
        }
        let term = inner(self)?;
        self.depth -= 1;
        Ok(term)
    }

    fn signed(&mut self) -> Result<Term, ExpressionError> {
        self.nested(|reader| {
            let from = reader.here();
            if reader.take('-') {
                let inner = reader.signed()?;
                let inner = reader.number(inner)?;
                Ok(reader.term(from, Form::One(One::Minus, Box::new(inner))))
            } else if reader.take('+') {
                let inner = reader.signed()?;
                reader.number(inner)
            } else {
                reader.power()
            }
        })
    }

    fn power(&mut self) -> Result<Term, ExpressionError> {
        let from = self.here();
        let base = self.atom()?;
        if !self.take('^') {
            return Ok(base);
        }
        let base = self.number(base)?;
        let power = self.signed()?;
        let power = self.number(power)?;
        Ok(self.term(from, Form::Two(Two::Power, Box::new([base, power]))))
    }

    fn atom(&mut self) -> Result<Term, ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let term = self.any()?;
                self.needed(')')?;
                Ok(term)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.digits(),
            Some(c) if c.is_alphabetic() || is_quote(c) => self.named(),
            Some(c) => Err(self.wrong(format!("`{c}` where a number or a name belongs"))),
            None => Err(self.wrong("a number or a name is missing".to_owned())),
        }
    }

    fn digits(&mut self) -> Result<Term, ExpressionError> {
        let (from, bytes) = (self.at, self.text.as_bytes());
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
        if self.peek() == Some('[') {
            return self.measured(from, text);
        }
        self.at = end;
        Ok(self.term(from, Form::Number(x)))
    }

    /// Reads the unit of a number, in brackets.
    fn measured(&mut self, from: usize, number: &str) -> Result<Term, ExpressionError> {
        let start = self.at + 1;
        let Some(length) = self.text[start..].find(']') else {
            self.at = self.text.len();
            return Err(self.wrong("`]` is missing".to_owned()));
        };
        let unit = &self.text[start..start + length];
        let wrong = |e: UnitError| {
            let near = if let UnitError::Unknown { name } = &e { nearest_of_all(name) } else { None };
            let meant = near.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            ExpressionError { message: format!("{e}{meant}"), at: start }
        };
        let (x, dimension) = parse_any(&format!("{number} {unit}")).map_err(wrong)?;
        self.at = start + length + 1;
        Ok(self.term(from, Form::Measured(x, dimension.unwrap_or(Dimension::NONE))))
    }

    /// Reads a name, parts of which may be in quotes. Returns whether any are.
    fn name(&mut self) -> Result<(String, bool), ExpressionError> {
        let (mut name, mut quoted) = (String::new(), false);
        loop {
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else { break };
            let plain = &rest[..rest.find(|c| !is_inside(c)).unwrap_or(rest.len())];
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
        let from = self.at;
        let (name, quoted) = self.name()?;
        let end = self.at;
        let is_word = [AND, OR, NOT].contains(&name.as_str()) && !quoted;
        if is_word {
            let message = format!("`{name}` where a number or a name belongs: as a name it is in quotes");
            return Err(ExpressionError { message, at: from });
        }
        if !quoted && self.peek() == Some('(') {
            return self.call(from, &name);
        }
        self.at = end;
        if name == "pi" && !quoted {
            return Ok(self.term(from, Form::Measured(std::f64::consts::PI, Dimension::NONE)));
        }
        let known = self.names.iter().position(|n| *n == name);
        if known.is_none() && self.names.len() == MOST_NAMES {
            return Err(ExpressionError {
                message: format!("more than {MOST_NAMES} different names"),
                at: from,
            });
        }
        let i = known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        Ok(self.term(from, Form::Name(i)))
    }
}
