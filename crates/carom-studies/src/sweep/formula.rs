//! Reads measures: expressions in which quantities over time are reduced to numbers.

use carom::Analysis;
use carom_base::expression::Expression;
use carom_results::NUMBERS;
use carom_results::quantity::{is_contact, untouched};
use carom_results::{Curve, QuantityError, Recorded};
use carom_scene::Scene;
use carom_scene::quantity::Names;
use carom_scene::quantity::nearest;

use super::analysis::{has_number, has_quantity, numbers_of};
use super::reduce::{self, Reduce};

/// First letter of the name that stands for the n-th reduced part in an expression; no name in a scene begins with it.
const PART: &str = "§";
/// The function that counts touches and releases.
const COUNT: &str = "count";

/// A measure is not longer [bytes], and its parts are not nested deeper.
const LONGEST: usize = 10_000;
const DEEPEST: usize = 16;

/// An expression, and its parts that are reduced to numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Formula {
    pub(super) expression: Expression,
    pub(super) parts: Vec<Part>,
}

/// A part of an expression that gives a number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// a quantity over time that is reduced to a number; the second formula is the time for `at`
    Reduced(Reduce, Formula, Option<Formula>),
    /// the number of touches or releases, of all contacts or of one
    Count(String, Option<String>),
}

/// The data from which a measure is computed.
pub(super) struct Subject<'r> {
    pub(super) recorded: &'r Recorded,
    pub(super) parameters: &'r [(String, f64)],
    /// numbers of an analysis as a whole
    pub(super) numbers: &'r [(String, f64)],
}

impl Formula {
    pub(super) fn parse(text: &str) -> Result<Formula, String> {
        Formula::parse_within(text, 0)
    }

    /// Reads a formula within so many others.
    fn parse_within(text: &str, depth: usize) -> Result<Formula, String> {
        if text.len() > LONGEST {
            return Err(format!("it is longer than {LONGEST} characters"));
        }
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} measures in each other"));
        }
        let (mut plain, mut parts, mut rest) = (String::new(), Vec::new(), text);
        if is_open(text) {
            return Err("`)` is missing".to_owned());
        }
        while let Some((before, word, inside, after)) = call(rest) {
            plain.push_str(before);
            match part(word, &arguments(inside), depth + 1)? {
                Some(part) => {
                    plain.push_str(&format!("'{PART}{}'", parts.len()));
                    parts.push(part);
                    rest = after;
                }
                // max(a, b) and the like: continue with the inside
                None => {
                    plain.push_str(word);
                    plain.push('(');
                    rest = &rest[before.len() + word.len() + 1..];
                }
            }
        }
        plain.push_str(rest);
        let expression = Expression::parse(&plain).map_err(|e| e.message)?;
        expression.complete().map_err(|e| e.message)?;
        Ok(Formula { expression, parts })
    }

    /// Checks its names before anything is run. With `over_time`, quantities that change with time may occur without reduction.
    pub(super) fn check(&self, scene: &Scene, over_time: bool) -> Result<(), String> {
        for name in self.expression.names().iter().filter(|n| !n.starts_with(PART)) {
            let (names, analysis) = (&scene.names, scene.analysis);
            let constant = has_number(scene, name) || scene.parameters.iter().any(|p| p.0 == *name);
            let quantity = has_quantity(scene, name);
            if constant || (over_time && quantity) {
                continue;
            }
            if quantity {
                return Err(format!(
                    "`{name}` changes with time: say final({name}), max({name}), mean({name}) or the like"
                ));
            }
            let numbers = numbers_of(analysis);
            let known: Vec<_> = names.all().into_iter().filter(|m| has_quantity(scene, &m.name)).collect();
            let meant = nearest(name, &known).or_else(|| carom::words::nearest(name, &numbers));
            let meant = meant.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            let kind = match analysis {
                Analysis::Dynamic => String::new(),
                other => format!(" in a {} analysis", other.word()),
            };
            return Err(format!("there is no quantity `{name}`{kind}{meant}"));
        }
        for part in &self.parts {
            if let Part::Reduced(_, of, when) = part {
                of.check(scene, true)?;
                when.as_ref().map_or(Ok(()), |when| when.check(scene, false))?;
            } else if scene.analysis != Analysis::Dynamic {
                return Err(format!(
                    "a {} analysis has no touches and releases to count",
                    scene.analysis.word()
                ));
            }
        }
        Ok(())
    }

    /// Returns whether contact points, which may be very many, have to be recorded for it.
    pub(super) fn needs_contacts(&self, names: &Names) -> bool {
        self.expression.names().iter().any(|name| names.of_contact(name))
            || self.parts.iter().any(|p| matches!(p, Part::Reduced(_, of, _) if of.needs_contacts(names)))
    }

    /// Returns its value.
    pub(super) fn value(&self, subject: &Subject<'_>) -> Result<f64, QuantityError> {
        let parts = self.parts(subject)?;
        let of = |name: &String| part_of(name, &parts).or_else(|| subject.constant(name)).unwrap_or(f64::NAN);
        let values: Vec<f64> = self.expression.names().iter().map(of).collect();
        Ok(self.expression.at(&values))
    }

    /// Returns its value at every output time; an expression with contacts also at the moments between them at which these are
    /// recorded. (Without contacts it must not depend on whether contacts are recorded for another measure.)
    fn curve(&self, subject: &Subject<'_>) -> Result<Curve, QuantityError> {
        let parts = self.parts(subject)?;
        let recorded = subject.recorded;
        let names = self.expression.names();
        let contacts = names.iter().any(|name| recorded.contact_of(name).is_some());
        recorded.curve_of(&self.expression, |name| {
            let constant = part_of(name, &parts).or_else(|| subject.constant(name));
            match constant {
                Some(x) => Ok(Curve { values: vec![x; recorded.t.len()], t: recorded.t.clone() }),
                None if contacts => subject.curve(name),
                None => Ok(Curve { values: recorded.column(name)?, t: recorded.t.clone() }),
            }
        })
    }

    fn parts(&self, subject: &Subject<'_>) -> Result<Vec<f64>, QuantityError> {
        let value = |part: &Part| match part {
            Part::Reduced(how, of, when) => {
                let when = when.as_ref().map_or(Ok(f64::NAN), |w| w.value(subject))?;
                let curve = of.curve(subject)?;
                Ok(how.of(&curve.t, &curve.values, when))
            }
            Part::Count(kind, contact) => {
                let meant = |name: &str| contact.as_ref().is_none_or(|asked| is_contact(name, asked));
                let events = subject.recorded.events.iter();
                Ok(events.filter(|e| e.kind == *kind && meant(&e.contact)).count() as f64)
            }
        };
        self.parts.iter().map(value).collect()
    }
}

impl Subject<'_> {
    /// Returns a number of the run as a whole; NaN for a touch or release that did not occur.
    fn constant(&self, name: &str) -> Option<f64> {
        if let Some((_, x)) = self.numbers.iter().find(|n| n.0 == name) {
            return Some(*x);
        }
        let summary = |name: &str| self.recorded.summary.get(name).and_then(serde_json::Value::as_f64);
        if NUMBERS.contains(&name) {
            // `energy.csv` also has an audit over time; that of the summary is its largest value
            return Some(summary(name).unwrap_or(f64::NAN));
        }
        if let Some(rest) = name.strip_prefix("summary.") {
            return Some(summary(rest).unwrap_or(f64::NAN));
        }
        if name.starts_with("touch.") || name.starts_with("release.") {
            return Some(
                self.recorded.column(name).ok().and_then(|c| c.first().copied()).unwrap_or(f64::NAN),
            );
        }
        self.parameters.iter().find(|p| p.0 == name).map(|p| p.1)
    }

    /// Returns a quantity over time; for a contact that never occurred, forces and indentation are zero.
    fn curve(&self, name: &str) -> Result<Curve, QuantityError> {
        let t = &self.recorded.t;
        let never = |e| match name.rsplit_once('.').filter(|(owner, _)| owner.contains('~')) {
            Some((_, suffix)) => {
                untouched(suffix, t.len()).map(|values| Curve { t: t.clone(), values }).ok_or(e)
            }
            None => Err(e),
        };
        self.recorded.curve(name).or_else(never)
    }
}

fn part_of(name: &str, parts: &[f64]) -> Option<f64> {
    parts.get(name.strip_prefix(PART)?.parse::<usize>().ok()?).copied()
}

/// Reads a function call as a part; `None` if it is a function of plain expressions.
fn part(word: &str, arguments: &[&str], depth: usize) -> Result<Option<Part>, String> {
    if word == COUNT {
        let (kind, contact) = match arguments {
            [kind] => (*kind, None),
            [kind, contact] => (*kind, Some(contact.trim_matches(['"', '\'']).to_owned())),
            _ => {
                return Err(
                    "count(touch), count(release), or of a contact: count(touch, ring~floor)".to_owned()
                );
            }
        };
        return match kind {
            "touch" | "release" => Ok(Some(Part::Count(kind.to_owned(), contact))),
            _ => Err(format!(
                "touches and releases can be counted, not `{kind}`: count(touch), count(release)"
            )),
        };
    }
    let Some((_, how)) = reduce::ALL.iter().find(|(name, _)| *name == word) else { return Ok(None) };
    match (how, arguments) {
        (Reduce::At, [of, when]) => Ok(Some(Part::Reduced(
            *how,
            Formula::parse_within(of, depth)?,
            Some(Formula::parse_within(when, depth)?),
        ))),
        (Reduce::At, _) => Err("at(quantity, time)".to_owned()),
        (Reduce::Max | Reduce::Min, [_, _]) => Ok(None),
        (_, [of]) => Ok(Some(Part::Reduced(*how, Formula::parse_within(of, depth)?, None))),
        _ => Err(format!("`{word}` is of one quantity: {word}(ring.z)")),
    }
}

/// Finds the first call of a function that may be a part: the text before it, its name, its arguments, and what follows.
fn call(text: &str) -> Option<(&str, &str, &str, &str)> {
    let mut quote = None;
    let mut start = None;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) => {
                if q == c {
                    quote = None;
                }
            }
            (None, '"' | '\'') => (quote, start) = (Some(c), None),
            (None, '(') => {
                if let Some(word) = start.map(|s: usize| &text[s..i])
                    && (word == COUNT || reduce::ALL.iter().any(|(name, _)| *name == word))
                {
                    let end = closing(&text[i + 1..])?;
                    let (inside, after) = (&text[i + 1..i + 1 + end], &text[i + 2 + end..]);
                    return Some((&text[..i - word.len()], word, inside, after));
                }
                start = None;
            }
            (None, c) if c.is_alphanumeric() || "_.~".contains(c) => start = start.or(Some(i)),
            _ => start = None,
        }
    }
    None
}

/// Returns the position at which the parenthesis opened before the text is closed.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0usize, None);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return Some(i),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns whether a parenthesis is not closed.
fn is_open(text: &str) -> bool {
    let (mut depth, mut quote) = (0i64, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    depth > 0 && quote.is_none()
}

/// Splits at commas, except those within quotes and parentheses.
fn arguments(text: &str) -> Vec<&str> {
    let (mut all, mut from, mut depth, mut quote) = (Vec::new(), 0, 0usize, None);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                all.push(text[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    all.push(text[from..].trim());
    all
}
