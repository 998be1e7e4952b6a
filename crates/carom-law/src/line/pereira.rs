//! Pereira, Ramalho and Ambrósio: a power of the indentation, fitted to Johnson's law.
//!
//! F = (a ΔR + b) L E* δⁿ/ΔR, n = Y ΔR^{−0.005}, in mm, N and MPa:
//! - one in the other: a = 0.965, b = 0.0965, Y = 1.51 [ln(1000ΔR)]^{−0.151} for 0.005 ≤ ΔR ≤ 0.34954 mm, 0.0151ΔR + 1.151 up to 10 mm;
//! - side by side: a = 0.39, b = 0.85, Y = 1.094.
//!
//! Symbols: see [`super`]. E = F δ/(n + 1).
//! Source: C. M. Pereira, A. L. Ramalho, J. A. Ambrósio, A critical overview of internal and external cylinder contact force models, *Nonlinear Dyn.* 63
//! (2011) 681–697.
//! Valid: 0.005 ≤ ΔR ≤ 10 mm, any δ ≥ 0, where the stiffness is positive and continuous. Where the two Y meet they differ by 1e-4.
//! Checked against the others of the family, and numerically.

use super::{Cylinders, Form, LineEntry};
use crate::entry::Reference;
use carom_base::elementary::{ln, pow};

/// K/(E* L) [m⁻ⁿ] and n.
fn law(pair: &Cylinders) -> (f64, f64) {
    let delta_r = 1e3 * pair.delta_r; // [mm]
    let (a, b, y) = match pair.inside {
        true if delta_r <= 0.34954 => (0.965, 0.0965, 1.51 * pow(ln(1e3 * delta_r), -0.151)),
        true => (0.965, 0.0965, 0.0151 * delta_r + 1.151),
        false => (0.39, 0.85, 1.094),
    };
    let n = y * pow(delta_r, -0.005);
    // E* L of MPa mm is N/mm: 1e-3 of N/m, and δⁿ of mmⁿ is 1e3ⁿ of mⁿ
    ((a * delta_r + b) / delta_r * pow(1e3f64, n - 1.0), n)
}

pub(super) const ENTRY: LineEntry = LineEntry {
    name: "pereira",
    formula: "F = (a ΔR + b) L E* δⁿ/ΔR, n = Y ΔR^(−0.005), in mm and MPa",
    range: "0.005 mm ≤ ΔR ≤ 10 mm",
    reference: Reference {
        source: "C. M. Pereira, A. L. Ramalho, J. A. Ambrósio, Nonlinear Dyn. 63 (2011) 681-697",
        checked: "from general knowledge, formula not checked against the source; values against an independent computation",
    },
    form: Form::Power { law, clearance: [5e-6, 10e-3] },
};
