//! Johnson: two cylinders, each compressed down to its axis.
//!
//! δ = q [ln(4ΔR/q) − 1], q = F/(π E* L): c = 4ΔR/e
//!
//! Symbols: see [`super`].
//! Source: K. L. Johnson, *Contact Mechanics*, 1985, section 5.6, as used for joints with clearance.
//! Valid: δ < 4ΔR/e². Checked against the others of the family, and numerically.

use std::f64::consts::E;

use super::{Form, LineEntry};
use crate::entry::Reference;

pub(super) const ENTRY: LineEntry = LineEntry {
    name: "johnson",
    formula: "δ = q [ln(4ΔR/q) − 1], q = F/(π E* L)",
    range: "δ < 4ΔR/e²",
    reference: Reference {
        source: "K. L. Johnson, Contact Mechanics, 1985, section 5.6",
        checked: "from general knowledge, formula not checked against the source; values against an independent computation",
    },
    form: Form::Logarithm(|pair| 4.0 * pair.delta_r / E),
};
