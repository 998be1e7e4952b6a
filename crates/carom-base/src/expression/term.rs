//! The terms of an expression, and their evaluation.

use crate::Arithmetic;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Number(f64),
    /// index in the list of names
    Name(usize),
    One(One, Box<Term>),
    Two(Two, Box<Term>, Box<Term>),
}

/// Functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum One {
    Minus,
    Sqrt,
    Abs,
    Exp,
    Log,
    Sin,
    Cos,
    Tan,
}

/// Functions of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Two {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Atan2,
    Min,
    Max,
}

impl One {
    pub(super) const NAMED: &[(&str, One)] = &[
        ("sqrt", One::Sqrt),
        ("abs", One::Abs),
        ("exp", One::Exp),
        ("log", One::Log),
        ("sin", One::Sin),
        ("cos", One::Cos),
        ("tan", One::Tan),
    ];

    fn of<N: Arithmetic>(self, a: N) -> N {
        match self {
            One::Minus => -a,
            One::Sqrt => a.sqrt(),
            One::Abs => a.abs(),
            One::Exp => a.exp(),
            One::Log => a.ln(),
            One::Sin => a.sin(),
            One::Cos => a.cos(),
            One::Tan => a.tan(),
        }
    }
}

impl Two {
    pub(super) const NAMED: &[(&str, Two)] = &[("atan2", Two::Atan2), ("min", Two::Min), ("max", Two::Max)];

    fn of<N: Arithmetic>(self, a: N, b: N) -> N {
        match self {
            Two::Plus => a + b,
            Two::Minus => a - b,
            Two::Times => a * b,
            Two::Over => a / b,
            Two::Power => a.power(b),
            Two::Atan2 => a.atan2(b),
            Two::Min => a.min(b),
            Two::Max => a.max(b),
        }
    }
}

impl Term {
    /// Returns the value; NaN where a name has no value.
    pub(super) fn value<N: Arithmetic>(&self, values: &[N]) -> N {
        match self {
            Term::Number(x) => N::constant(*x),
            Term::Name(i) => values.get(*i).copied().unwrap_or_else(|| N::constant(f64::NAN)),
            Term::One(f, a) => f.of(a.value(values)),
            Term::Two(f, a, b) => f.of(a.value(values), b.value(values)),
        }
    }

    /// Returns the term with every name replaced by another term.
    pub(super) fn replaced(&self, by: &impl Fn(usize) -> Term) -> Term {
        let inner = |a: &Term| Box::new(a.replaced(by));
        match self {
            Term::Number(x) => Term::Number(*x),
            Term::Name(i) => by(*i),
            Term::One(f, a) => Term::One(*f, inner(a)),
            Term::Two(f, a, b) => Term::Two(*f, inner(a), inner(b)),
        }
    }

    /// Collects the terms whose signs select the branches of `abs`, `min` and `max`.
    pub(super) fn switches(&self, all: &mut Vec<Term>) {
        match self {
            Term::Number(_) | Term::Name(_) => {}
            Term::One(f, a) => {
                a.switches(all);
                if *f == One::Abs {
                    all.push((**a).clone());
                }
            }
            Term::Two(f, a, b) => {
                a.switches(all);
                b.switches(all);
                if matches!(f, Two::Min | Two::Max) {
                    all.push(Term::Two(Two::Minus, a.clone(), b.clone()));
                }
            }
        }
    }
}
