//! Van der Pol's oscillator with strong damping: slow drifts and sudden jumps.
//!
//! Hairer, Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., IV.1 and IV.10 (scaled, ε = 1e-6); unscaled with
//! μ = 1000 as in the test set of Mazzia and Magherini. With τ = t/μ and z2 = μ y2 the two are the same, ε = 1/μ², so
//! they share one end, computed by extrapolation in quadruple precision at tolerance 1e-18.

use super::{Problem, rows};

/// y1'' = μ (1 − y1²) y1' − y1.
pub(super) static VDPOL: Problem = Problem {
    name: "vdpol",
    summary: "van der Pol's oscillator, μ = 1000, to t = 2000 (Mazzia, Magherini 2008)",
    stiff: true,
    t0: 0.0,
    t_end: 2000.0,
    y0: || vec![2.0, 0.0],
    end: &[1.706167732170465008045, -0.000892809701024816547478939],
    trust: 1e-15,
    // as in the scaled problem
    scale_atol: &[1.0, 1e-3],
    floor: 0.0,
    rhs: |_, y, dy| {
        dy[0] = y[1];
        dy[1] = MU * (1.0 - y[0] * y[0]) * y[1] - y[0];
    },
    jacobian: Some(|_, y, entry| {
        let (stiffness, damping) = (-2.0 * MU * y[0] * y[1] - 1.0, MU * (1.0 - y[0] * y[0]));
        rows(&[&[(1, 1.0)], &[(0, stiffness), (1, damping)]], entry);
    }),
};

/// ε z1'' = (1 − z1²) z1' − z1.
pub(super) static VDPOL_SCALED: Problem = Problem {
    name: "vdpol-scaled",
    summary: "van der Pol's oscillator, ε = 1e-6, to t = 2 (Hairer, Wanner II, IV.10)",
    stiff: true,
    t0: 0.0,
    t_end: 2.0,
    y0: || vec![2.0, 0.0],
    end: &[1.706167732170465008045, -0.892809701024816547478939],
    trust: 1e-15,
    scale_atol: &[],
    floor: 0.0,
    rhs: |_, y, dy| {
        dy[0] = y[1];
        dy[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / EPSILON;
    },
    jacobian: Some(|_, y, entry| {
        let (stiffness, damping) = ((-2.0 * y[0] * y[1] - 1.0) / EPSILON, (1.0 - y[0] * y[0]) / EPSILON);
        rows(&[&[(1, 1.0)], &[(0, stiffness), (1, damping)]], entry);
    }),
};

const MU: f64 = 1000.0;
const EPSILON: f64 = 1e-6;
