//! Radzimovsky: the approach of two cylinders by the width of their contact.
//!
//! δ = q [2/3 + ln(4R_b/b) + ln(4R_j/b)], q = F/(π E* L), b = 4 √(q R) the full width of the Hertz contact: with R = R_b R_j/ΔR both logarithms are
//! ln(ΔR/q), so c = ΔR e^{2/3}
//!
//! Symbols: see [`super`].
//! Source: E. I. Radzimovsky, Stress distribution and strength condition of two rolling cylinders, *Univ. Illinois Eng. Exp. Stn. Bull.* 408 (1953).
//! Valid: δ < ΔR e^{−1/3}. Checked against the others of the family, and numerically.

use super::{Form, LineEntry};
use crate::entry::Reference;
use carom_base::elementary::exp;

pub(super) const ENTRY: LineEntry = LineEntry {
    name: "radzimovsky",
    formula: "δ = q [2/3 + ln(4R_b/b) + ln(4R_j/b)], b = 4 √(q R), q = F/(π E* L)",
    range: "δ < ΔR e^(−1/3)",
    reference: Reference {
        source: "E. I. Radzimovsky, Univ. Illinois Eng. Exp. Stn. Bull. 408 (1953)",
        checked: "from general knowledge, formula not checked against the source; values against an independent computation",
    },
    form: Form::Logarithm(|pair| pair.delta_r * exp(2.0f64 / 3.0)),
};
