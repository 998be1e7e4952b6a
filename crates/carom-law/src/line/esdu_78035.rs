//! The formula of the ESDU data item 78035.
//!
//! δ = q {ln(4ΔR/q) + 1}, q = F/(π E* L): c = 4 e ΔR
//!
//! Symbols: see [`super`].
//! Source: Engineering Sciences Data Unit, item 78035, *Contact phenomena I: stresses, deflections and contact dimensions for normally loaded
//! unlubricated elastic components*, 1978.
//! Valid: δ < 4ΔR. Checked against the others of the family, and numerically.

use std::f64::consts::E;

use super::{Form, LineEntry};
use crate::entry::Reference;

pub(super) const ENTRY: LineEntry = LineEntry {
    name: "esdu-78035",
    formula: "δ = q [ln(4ΔR/q) + 1], q = F/(π E* L)",
    range: "δ < 4ΔR",
    reference: Reference {
        source: "Engineering Sciences Data Unit, item 78035 (1978)",
        checked: "from general knowledge, formula not checked against the source; values against an independent computation",
    },
    form: Form::Logarithm(|pair| 4.0 * E * pair.delta_r),
};
