//! Goldsmith, and Dubowsky and Freudenstein: a short journal in its bearing.
//!
//! δ = q {ln[L² ΔR/(q R_b R_j)] + 1}, q = F/(π E* L): c = e L²/R
//!
//! Both write (F/(π E* L)) {ln[π E* Lᵐ ΔR/(F R_b R_j)] + 1}; m = 1 is printed for the one and 3 for the other. Only m = 3 has a number under the logarithm
//! in any unit of length, and it is taken for both: they are one law here, under two names.
//!
//! Symbols: see [`super`].
//! Source: W. Goldsmith, *Impact*, 1960; S. Dubowsky, F. Freudenstein, Dynamic analysis of mechanical systems with clearances, *J. Eng. Ind.* 93 (1971)
//! 305–309.
//! Valid: δ < L²/R, which a journal short against R leaves early. Checked against the others of the family, and numerically.

use std::f64::consts::E;

use super::{Cylinders, Form, LineEntry};
use crate::entry::Reference;

const FORMULA: &str = "δ = q {ln[L² ΔR/(q R_b R_j)] + 1}, q = F/(π E* L)";
const RANGE: &str = "δ < L² ΔR/(R_b R_j)";
const CHECKED: &str = "from general knowledge, formula not checked against the source; values against an independent computation";

fn c(pair: &Cylinders) -> f64 {
    E * pair.length * pair.length / pair.radius
}

pub(super) const GOLDSMITH: LineEntry = LineEntry {
    name: "goldsmith",
    formula: FORMULA,
    range: RANGE,
    reference: Reference { source: "W. Goldsmith, Impact, 1960", checked: CHECKED },
    form: Form::Logarithm(c),
};

pub(super) const DUBOWSKY_FREUDENSTEIN: LineEntry = LineEntry {
    name: "dubowsky-freudenstein",
    formula: FORMULA,
    range: RANGE,
    reference: Reference {
        source: "S. Dubowsky, F. Freudenstein, J. Eng. Ind. 93 (1971) 305-309",
        checked: CHECKED,
    },
    form: Form::Logarithm(c),
};
