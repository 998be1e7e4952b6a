//! The terms of an expression.

use std::sync::Arc;

use super::function::{Comparison, One, Two};
use super::table::{Course, Curve};
use crate::interpolation::PointsError;
use crate::units::Dimension;

/// A term, and where it stands in the text.
#[derive(Clone)]
pub(super) struct Term {
    pub(super) form: Form,
    pub(super) span: Span,
}

/// The bytes of the text from which a term was read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) from: usize,
    pub(super) to: usize,
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.form.fmt(f)
    }
}

/// Two terms are equal wherever they stand.
impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.form == other.form
    }
}

/// The forms of terms. Sums and products are lists, so that long ones are not deep.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// a number without a unit
    Number(f64),
    /// a number with a unit, in SI units
    Measured(f64, Dimension),
    /// index in the list of names
    Name(usize),
    One(One, Box<Term>),
    Two(Two, Box<[Term; 2]>),
    /// a first term, and what is done to it: sums and differences, or products and quotients
    Chain(Box<Term>, Vec<(Two, Term)>),
    If(Box<Branches>),
    /// x, x0, h0, x1, h1
    Step(Box<[Term; 5]>),
    /// x, start, width, height, and a period if it is repeated
    Pulse(Vec<Term>),
    Table(Box<Table>),
    // conditions
    Compare(Comparison, Box<[Term; 2]>),
    All(Vec<Term>),
    Any(Vec<Term>),
    Not(Box<Term>),
}

/// A condition, and the terms of which it selects one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Branches {
    pub(super) condition: Term,
    pub(super) yes: Term,
    pub(super) no: Term,
    /// numbers of switches in both
    pub(super) switches: [usize; 2],
}

/// A curve through points, which may contain names until these are replaced by numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub(super) course: Course,
    pub(super) x: Term,
    pub(super) points: Vec<[Term; 2]>,
    /// `None` as long as the points contain names, or if there is no curve through them
    pub(super) curve: Option<Arc<Curve>>,
}

impl Table {
    pub(super) fn new(course: Course, x: Term, points: Vec<[Term; 2]>) -> Table {
        let mut table = Table { course, x, points, curve: None };
        table.curve = table.numbers().and_then(|points| Curve::new(course, &points).ok()).map(Arc::new);
        table
    }

    /// Returns the points, if they contain no names.
    fn numbers(&self) -> Option<Vec<[f64; 2]>> {
        let number = |t: &Term| (!t.has_names()).then(|| t.constant());
        self.points.iter().map(|[x, y]| Some([number(x)?, number(y)?])).collect()
    }

    /// Returns what is wrong with the points; `None` inside if they contain names.
    pub(super) fn fault(&self) -> Option<Option<PointsError>> {
        match self.numbers() {
            None => Some(None),
            Some(points) => Curve::new(self.course, &points).err().map(Some),
        }
    }
}

impl Form {
    /// Returns the term without a place in the text.
    pub(super) fn bare(self) -> Term {
        Term { form: self, span: Span::default() }
    }
}

impl Term {
    /// Whether it is a condition, and not a number.
    pub(super) fn is_condition(&self) -> bool {
        matches!(self.form, Form::Compare(..) | Form::All(_) | Form::Any(_) | Form::Not(_))
    }

    /// Returns the terms of which it consists, in the order in which they are evaluated; the points of a table are not
    /// evaluated.
    pub(super) fn parts(&self) -> Vec<&Term> {
        match &self.form {
            Form::Number(_) | Form::Measured(..) | Form::Name(_) => Vec::new(),
            Form::One(_, a) | Form::Not(a) => vec![a],
            Form::Two(_, ab) | Form::Compare(_, ab) => ab.iter().collect(),
            Form::Chain(first, rest) => std::iter::once(&**first).chain(rest.iter().map(|r| &r.1)).collect(),
            Form::If(b) => vec![&b.condition, &b.yes, &b.no],
            Form::Step(parts) => parts.iter().collect(),
            Form::Pulse(parts) | Form::All(parts) | Form::Any(parts) => parts.iter().collect(),
            Form::Table(t) => vec![&t.x],
        }
    }

    /// Calls a function with every term, the points of tables included, until it fails.
    pub(super) fn each<E>(&self, f: &mut impl FnMut(&Term) -> Result<(), E>) -> Result<(), E> {
        f(self)?;
        if let Form::Table(t) = &self.form {
            t.points.iter().flatten().try_for_each(|p| p.each(f))?;
        }
        self.parts().into_iter().try_for_each(|part| part.each(f))
    }

    pub(super) fn has_names(&self) -> bool {
        self.each(&mut |t| if matches!(t.form, Form::Name(_)) { Err(()) } else { Ok(()) }).is_err()
    }

    /// Returns the term with every name replaced by another term.
    pub(super) fn replaced(&self, by: &impl Fn(usize) -> Form) -> Term {
        let inner = |a: &Term| a.replaced(by);
        let boxed = |a: &Term| Box::new(a.replaced(by));
        let two = |ab: &[Term; 2]| Box::new([inner(&ab[0]), inner(&ab[1])]);
        let all = |parts: &[Term]| parts.iter().map(inner).collect();
        let form = match &self.form {
            Form::Number(x) => Form::Number(*x),
            Form::Measured(x, dimension) => Form::Measured(*x, *dimension),
            Form::Name(i) => by(*i),
            Form::One(f, a) => Form::One(*f, boxed(a)),
            Form::Two(f, ab) => Form::Two(*f, two(ab)),
            Form::Chain(first, rest) => {
                Form::Chain(boxed(first), rest.iter().map(|(f, b)| (*f, inner(b))).collect())
            }
            Form::If(b) => Form::If(Box::new(Branches {
                condition: inner(&b.condition),
                yes: inner(&b.yes),
                no: inner(&b.no),
                switches: b.switches,
            })),
            Form::Step(p) => Form::Step(Box::new(p.each_ref().map(inner))),
            Form::Pulse(parts) => Form::Pulse(all(parts)),
            Form::Table(t) => {
                let points = t.points.iter().map(|p| p.each_ref().map(inner)).collect();
                Form::Table(Box::new(Table::new(t.course, inner(&t.x), points)))
            }
            Form::Compare(f, ab) => Form::Compare(*f, two(ab)),
            Form::All(parts) => Form::All(all(parts)),
            Form::Any(parts) => Form::Any(all(parts)),
            Form::Not(a) => Form::Not(boxed(a)),
        };
        Term { form, span: self.span }
    }

    /// Returns the number of switches.
    pub(super) fn count(&self) -> usize {
        self.parts().into_iter().map(Term::count).sum::<usize>() + self.own_switches(&mut |_, _| {})
    }

    /// Collects the switches, those of its parts before its own.
    pub(super) fn switches(&self, all: &mut Vec<(Term, bool)>) {
        for part in self.parts() {
            part.switches(all);
        }
        self.own_switches(&mut |term, jumps| all.push((term(), jumps)));
    }

    /// Calls a function with each of its own switches, and whether the value jumps there. Returns their number.
    fn own_switches(&self, found: &mut dyn FnMut(&dyn Fn() -> Term, bool)) -> usize {
        let less = |a: &Term, b: &[&Term]| {
            let rest = b.iter().map(|b| (Two::Minus, (*b).clone())).collect();
            Form::Chain(Box::new(a.clone()), rest).bare()
        };
        match &self.form {
            Form::One(f, a) => {
                let Some(jumps) = f.jumps() else { return 0 };
                match f {
                    One::Floor | One::Ceil => found(&|| wave((**a).clone(), None), jumps),
                    _ => found(&|| (**a).clone(), jumps),
                }
                1
            }
            Form::Two(f, ab) => {
                let Some(jumps) = f.jumps() else { return 0 };
                match f {
                    Two::Mod => found(&|| wave(ab[0].clone(), Some(&ab[1])), jumps),
                    _ => found(&|| less(&ab[0], &[&ab[1]]), jumps),
                }
                1
            }
            Form::Compare(f, _) if f.is_equality() => 0,
            Form::Compare(f, ab) => {
                let [a, b] = if f.is_reversed() { [&ab[1], &ab[0]] } else { [&ab[0], &ab[1]] };
                found(&|| less(a, &[b]), true);
                1
            }
            Form::Step(p) => {
                found(&|| less(&p[0], &[&p[1]]), false);
                found(&|| less(&p[0], &[&p[3]]), false);
                2
            }
            Form::Pulse(p) => {
                let [rise, fall] = [[&p[1]].as_slice(), &[&p[1], &p[2]]].map(|b| less(&p[0], b));
                found(&|| rise.clone(), true);
                match p.get(4) {
                    None => found(&|| fall.clone(), true),
                    period => {
                        [&rise, &fall].into_iter().for_each(|x| found(&|| wave(x.clone(), period), true))
                    }
                }
                p.len() - 2
            }
            Form::Table(t) => {
                for [x, _] in &t.points {
                    found(&|| less(&t.x, &[x]), false);
                }
                t.points.len()
            }
            _ => 0,
        }
    }
}

/// Returns sin(π x/period), which changes its sign at the multiples of the period (1 if none is given).
fn wave(x: Term, period: Option<&Term>) -> Term {
    let turn = Form::Number(std::f64::consts::PI).bare();
    let over = period.map(|p| (Two::Over, p.clone()));
    let x = Form::Chain(Box::new(x), over.into_iter().chain([(Two::Times, turn)]).collect()).bare();
    Form::One(One::Sin, Box::new(x)).bare()
}
