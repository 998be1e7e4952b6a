//! The functions of one and two arguments, and comparisons.

use super::switch::Side;
use crate::{Arithmetic, Sign};

/// Functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum One {
    Minus,
    Sqrt,
    Abs,
    Exp,
    Log,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Sign,
    Floor,
    Ceil,
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
    Hypot,
    Min,
    Max,
    Mod,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
}

/// Whether a condition holds, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    /// for some of the numbers in a range
    Either,
    /// it compares what is not a number
    Undefined,
}

impl One {
    pub(super) const NAMED: &[(&str, One)] = &[
        ("sqrt", One::Sqrt),
        ("abs", One::Abs),
        ("exp", One::Exp),
        ("log", One::Log),
        ("log10", One::Log10),
        ("sin", One::Sin),
        ("cos", One::Cos),
        ("tan", One::Tan),
        ("asin", One::Asin),
        ("acos", One::Acos),
        ("atan", One::Atan),
        ("sinh", One::Sinh),
        ("cosh", One::Cosh),
        ("tanh", One::Tanh),
        ("sign", One::Sign),
        ("floor", One::Floor),
        ("ceil", One::Ceil),
    ];

    /// Returns whether it jumps where it switches, if it switches at all.
    pub(super) fn jumps(self) -> Option<bool> {
        match self {
            One::Abs => Some(false),
            One::Sign | One::Floor | One::Ceil => Some(true),
            _ => None,
        }
    }

    pub(super) fn on<N: Arithmetic>(self, side: Side, a: N) -> N {
        match (self, side) {
            (One::Abs | One::Sign, Side::Free) => {
                if self == One::Abs {
                    a.abs()
                } else {
                    signum(a)
                }
            }
            (One::Abs, Side::Positive) => a,
            (One::Abs, Side::Negative) => -a,
            (One::Sign, Side::Positive) => N::constant(1.0),
            (One::Sign, Side::Negative) => N::constant(-1.0),
            (One::Floor, _) => floor(side, a),
            (One::Ceil, Side::Free) => -(-a).floor(),
            (One::Ceil, _) => floor(side, a) + N::constant(1.0),
            (One::Minus, _) => -a,
            (One::Sqrt, _) => a.sqrt(),
            (One::Exp, _) => a.exp(),
            (One::Log, _) => a.ln(),
            (One::Log10, _) => a.log10(),
            (One::Sin, _) => a.sin(),
            (One::Cos, _) => a.cos(),
            (One::Tan, _) => a.tan(),
            (One::Asin, _) => a.asin(),
            (One::Acos, _) => a.acos(),
            (One::Atan, _) => a.atan(),
            (One::Sinh, _) => a.sinh(),
            (One::Cosh, _) => a.cosh(),
            (One::Tanh, _) => a.tanh(),
        }
    }
}

impl Two {
    pub(super) const NAMED: &[(&str, Two)] = &[
        ("atan2", Two::Atan2),
        ("hypot", Two::Hypot),
        ("min", Two::Min),
        ("max", Two::Max),
        ("mod", Two::Mod),
    ];

    /// Returns whether it jumps where it switches, if it switches at all.
    pub(super) fn jumps(self) -> Option<bool> {
        match self {
            Two::Min | Two::Max => Some(false),
            Two::Mod => Some(true),
            _ => None,
        }
    }

    pub(super) fn on<N: Arithmetic>(self, side: Side, a: N, b: N) -> N {
        match (self, side) {
            (Two::Plus, _) => a + b,
            (Two::Minus, _) => a - b,
            (Two::Times, _) => a * b,
            (Two::Over, _) => a / b,
            (Two::Power, _) => a.power(b),
            (Two::Atan2, _) => a.atan2(b),
            (Two::Hypot, _) => a.hypot(b),
            (Two::Min, Side::Free) => a.min(b),
            (Two::Max, Side::Free) => a.max(b),
            (Two::Min, Side::Negative) | (Two::Max, Side::Positive) => a,
            (Two::Min, Side::Positive) | (Two::Max, Side::Negative) => b,
            (Two::Mod, _) => a - b * floor(side, a / b),
        }
    }
}

/// Returns −1, 0 or 1.
fn signum<N: Arithmetic>(x: N) -> N {
    let of = |s: f64| N::constant(s);
    match (x.sign(), (-x).sign()) {
        (Sign::Undefined, _) | (_, Sign::Undefined) => of(f64::NAN),
        (Sign::Positive, Sign::Positive) => of(0.0),
        (Sign::Positive, Sign::Negative) => of(1.0),
        (Sign::Negative, _) => of(-1.0),
        (Sign::Positive, Sign::Either) => of(0.0).either(of(1.0)),
        (Sign::Either, Sign::Positive) => of(-1.0).either(of(0.0)),
        (Sign::Either, _) => of(-1.0).either(of(1.0)),
    }
}

/// Returns the largest whole number that is not greater than x. Its switch is sin(πx), which is positive after even
/// numbers and negative after odd ones: on a given side the result is the nearest even or odd number that fits.
pub(super) fn floor<N: Arithmetic>(side: Side, x: N) -> N {
    let [half, two] = [0.5, 2.0].map(N::constant);
    match side {
        Side::Free => x.floor(),
        Side::Positive => two * ((x + half) / two).floor(),
        Side::Negative => two * ((x - half) / two).floor() + N::constant(1.0),
    }
}

impl Comparison {
    /// In the order in which they are looked for: longer ones before their beginnings.
    pub(super) const WRITTEN: &[(&str, Comparison)] = &[
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("==", Comparison::Equal),
        ("!=", Comparison::Unequal),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];

    /// Whether it asks for equality, which is no switch.
    pub(super) fn is_equality(self) -> bool {
        matches!(self, Comparison::Equal | Comparison::Unequal)
    }

    /// Returns whether the switch is the second number less the first, and not the first less the second: so that at zero,
    /// which counts as positive, `<` and `>` do not hold while `<=` and `>=` do.
    pub(super) fn is_reversed(self) -> bool {
        matches!(self, Comparison::Greater | Comparison::AtMost)
    }

    pub(super) fn on<N: Arithmetic>(self, side: Side, a: N, b: N) -> Truth {
        let difference = if self.is_reversed() { b - a } else { a - b };
        let truth = match self {
            Comparison::Less | Comparison::Greater => Truth::of(sign(side, difference)).not(),
            Comparison::AtMost | Comparison::AtLeast => Truth::of(sign(side, difference)),
            Comparison::Equal | Comparison::Unequal => {
                Truth::of(difference.sign()).and(Truth::of((-difference).sign()))
            }
        };
        if self == Comparison::Unequal { truth.not() } else { truth }
    }
}

/// Returns the given sign, or else the number's.
pub(super) fn sign<N: Arithmetic>(side: Side, x: N) -> Sign {
    match side {
        Side::Free => x.sign(),
        Side::Negative => Sign::Negative,
        Side::Positive => Sign::Positive,
    }
}

impl Truth {
    /// Whether a number of this sign is zero or greater.
    pub(super) fn of(sign: Sign) -> Truth {
        match sign {
            Sign::Positive => Truth::Yes,
            Sign::Negative => Truth::No,
            Sign::Either => Truth::Either,
            Sign::Undefined => Truth::Undefined,
        }
    }

    pub(super) fn not(self) -> Truth {
        match self {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            other => other,
        }
    }

    /// One that does not hold decides, whatever the other.
    pub(super) fn and(self, o: Truth) -> Truth {
        let any = |t: Truth| self == t || o == t;
        [Truth::No, Truth::Undefined, Truth::Either].into_iter().find(|t| any(*t)).unwrap_or(Truth::Yes)
    }

    pub(super) fn or(self, o: Truth) -> Truth {
        self.not().and(o.not()).not()
    }

    /// Returns one of two numbers.
    pub(super) fn pick<N: Arithmetic>(self, a: N, b: N) -> N {
        match self {
            Truth::Yes => a,
            Truth::No => b,
            Truth::Either => a.either(b),
            Truth::Undefined => N::constant(f64::NAN),
        }
    }
}
