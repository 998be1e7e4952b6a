//! Arithmetic in texts: `diameter + gap`, `sqrt(ball.x^2 + ball.y^2)`.
//!
//! | what | how |
//! |---|---|
//! | numbers | `2`, `0.5`, `1e-3` |
//! | names | letters, digits, `_` and `.`, beginning with a letter; `pi` is known everywhere |
//! | operations | `+ - * / ^` and parentheses; `^` binds closest and from the right, so −2^2 is −4 |
//! | functions | `sqrt`, `abs`, `exp`, `log`, `sin`, `cos`, `tan`, `atan2(y, x)`, `min(a, b)`, `max(a, b)` |
//!
//! Names are found when the text is read, and given as numbers, in the order of [`Expression::names`], when it is
//! evaluated: once for a parameter of a scene, once an output time for a curve of a figure.

/// A text that is no expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExpressionError {
    /// what is wrong
    pub message: String,
    /// where, in bytes from the beginning of the text
    pub at: usize,
}

/// An expression that was read.
///
/// ```
/// use carom_scene::expression::Expression;
/// let e = Expression::parse("2*(diameter + gap) - 1")?;
/// assert_eq!(e.names(), ["diameter", "gap"]);
/// assert_eq!(e.at(&[0.5, 0.25]), 0.5);
/// assert_eq!(Expression::parse("2 +").unwrap_err().at, 3);
/// # Ok::<(), carom_scene::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    names: Vec<String>,
    root: Term,
}

#[derive(Clone, Debug)]
enum Term {
    Number(f64),
    /// the place among the names
    Name(usize),
    One(One, Box<Term>),
    Two(Two, Box<Term>, Box<Term>),
}

type One = fn(f64) -> f64;
type Two = fn(f64, f64) -> f64;

const ONE: &[(&str, One)] = &[
    ("sqrt", f64::sqrt),
    ("abs", f64::abs),
    ("exp", f64::exp),
    ("log", f64::ln),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
];
const TWO: &[(&str, Two)] = &[("atan2", f64::atan2), ("min", f64::min), ("max", f64::max)];

/// Deeper parentheses are a slip, and would exhaust the stack.
const DEEPEST: usize = 100;

impl Expression {
    /// Reads a text.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        let mut reader = Reader { text, at: 0, depth: 0, names: Vec::new() };
        let root = reader.sum()?;
        match reader.peek() {
            None => Ok(Expression { names: reader.names, root }),
            Some(c) => Err(reader.wrong(format!("`{c}` does not belong here"))),
        }
    }

    /// The names in it, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Its value; `values` are those of the names, in their order (NaN where there are too few).
    pub fn at(&self, values: &[f64]) -> f64 {
        value(&self.root, values)
    }
}

fn value(term: &Term, values: &[f64]) -> f64 {
    match term {
        Term::Number(x) => *x,
        Term::Name(i) => values.get(*i).copied().unwrap_or(f64::NAN),
        Term::One(f, a) => f(value(a, values)),
        Term::Two(f, a, b) => f(value(a, values), value(b, values)),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    names: Vec<String>,
}

impl Reader<'_> {
    fn wrong(&self, message: String) -> ExpressionError {
        ExpressionError { message, at: self.at }
    }

    /// The next letter that is no space.
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
            let f: Two = match self.peek() {
                Some('+') => |a, b| a + b,
                Some('-') => |a, b| a - b,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Term::Two(f, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Term, ExpressionError> {
        let mut left = self.signed()?;
        loop {
            let f: Two = match self.peek() {
                Some('*') => |a, b| a * b,
                Some('/') => |a, b| a / b,
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
            Term::One(|a| -a, Box::new(self.signed()?))
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
            return Ok(Term::Two(f64::powf, Box::new(base), Box::new(self.signed()?)));
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
            Some(c) if c.is_alphabetic() => self.named(),
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
            // `2e` is 2 and a name, not half a number
            end = if digits(sign) > sign { digits(sign) } else { end };
        }
        let text = &self.text[self.at..end];
        let x = text.parse().map_err(|_| self.wrong(format!("`{text}` is not a number")))?;
        self.at = end;
        Ok(Term::Number(x))
    }

    fn named(&mut self) -> Result<Term, ExpressionError> {
        let rest = &self.text[self.at..];
        let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let name = &rest[..rest.find(|c| !inside(c)).unwrap_or(rest.len())];
        let start = self.at;
        self.at += name.len();
        if self.peek() != Some('(') {
            if name == "pi" {
                return Ok(Term::Number(std::f64::consts::PI));
            }
            let known = self.names.iter().position(|n| n == name);
            return Ok(Term::Name(known.unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            })));
        }
        if let Some((_, f)) = ONE.iter().find(|(n, _)| *n == name) {
            self.needed('(')?;
            let a = self.sum()?;
            self.needed(')')?;
            return Ok(Term::One(*f, Box::new(a)));
        }
        if let Some((_, f)) = TWO.iter().find(|(n, _)| *n == name) {
            self.needed('(')?;
            let a = self.sum()?;
            self.needed(',')?;
            let b = self.sum()?;
            self.needed(')')?;
            return Ok(Term::Two(*f, Box::new(a), Box::new(b)));
        }
        let known: Vec<&str> = ONE.iter().map(|f| f.0).chain(TWO.iter().map(|f| f.0)).collect();
        let message = format!("there is no function `{name}`: there are {}", known.join(", "));
        Err(ExpressionError { message, at: start })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_on_paper() -> Result<(), ExpressionError> {
        for (text, expected) in [
            ("1 + 2*3", 7.0),
            ("(1 + 2)*3", 9.0),
            ("8/4/2", 1.0),
            ("1 - 2 - 3", -4.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("2*-3", -6.0),
            ("1e-3 + .5e1", 5.001),
            ("sqrt(3)/2", 3f64.sqrt() / 2.0),
            ("atan2(1, 1)", std::f64::consts::FRAC_PI_4),
            ("max(min(3, 2), abs(-1)) + cos(pi)", 1.0),
        ] {
            assert_eq!(Expression::parse(text)?.at(&[]), expected, "{text}");
        }
        let e = Expression::parse("b.x - a*b.x")?;
        assert_eq!((e.names().len(), e.at(&[3.0, 2.0])), (2, -3.0));
        assert!(e.at(&[]).is_nan());
        Ok(())
    }

    #[test]
    fn what_is_wrong_and_where() {
        for (text, at, message) in [
            ("", 0, "a number or a name is missing"),
            ("2 +", 3, "a number or a name is missing"),
            ("2 3", 2, "`3` does not belong here"),
            ("(1", 2, "`)` is missing"),
            ("1.2.3", 0, "`1.2.3` is not a number"),
            ("2 * %", 4, "`%` where a number or a name belongs"),
            ("max(1)", 5, "`,` is missing"),
        ] {
            let e = Expression::parse(text).err();
            assert_eq!(e, Some(ExpressionError { message: message.to_owned(), at }), "{text}");
        }
        let e = Expression::parse("1 + sine(2)").map_err(|e| (e.at, e.message));
        assert!(e.is_err_and(|(at, m)| at == 4 && m.starts_with("there is no function `sine`")));
        assert!(Expression::parse(&"(".repeat(100_000)).is_err());
        assert!(Expression::parse(&"-".repeat(100_000)).is_err());
    }
}
