//! One body in given fields: Kepler's ellipse, Arenstorf's orbit.
//!
//! Kepler: eccentricity e = 0.6, semi-major axis 1, from the pericentre, so that E − e sin E = t, x = cos E − e,
//! y = √(1 − e²) sin E. The end at t = 20 solves Kepler's equation to 40 digits.
//!
//! Arenstorf: a periodic orbit of the restricted problem of three bodies, close to the smaller one (Hairer, Nørsett,
//! Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., II.0). After its period the orbit closes; the states
//! in between come from Taylor series of order 30 in quadruple precision, which close the orbit to 4e-27. The close
//! passages make the orbit sensitive: starting from the data rounded to doubles it misses its end by 1.4e-11 (the
//! quarters by 8e-15, 2e-14 and 4e-14), and no computation in doubles can do better. That is the `trust` here.

use super::{Problem, rows};
use carom_portable::elementary::{hypot, powi};

/// Kepler's ellipse.
pub(super) static KEPLER: Problem = Problem {
    name: "kepler",
    summary: "Kepler's ellipse, e = 0.6, to t = 20, by Kepler's equation",
    stiff: false,
    t0: 0.0,
    t_end: 20.0,
    y0: || vec![0.4, 0.0, 0.0, 2.0],
    end: &[
        -0.7700755784112404492717702,
        0.7883448169944243890645961,
        -0.8941837319886914970330716,
        -0.1234617641584409588118907,
    ],
    // 20 times the rounding error of 0.4, because the period depends on it
    trust: 1e-14,
    scale_atol: &[],
    floor: 1.0,
    rhs: |_, y, dy| {
        let r = hypot(y[0], y[1]);
        dy[0] = y[2];
        dy[1] = y[3];
        dy[2] = -y[0] / powi(r, 3);
        dy[3] = -y[1] / powi(r, 3);
    },
    jacobian: Some(|_, y, entry| {
        let [xx, xy, yy] = attraction(y[0], y[1], 1.0);
        rows(&[&[(2, 1.0)], &[(3, 1.0)], &[(0, xx), (1, xy)], &[(0, xy), (1, yy)]], entry);
    }),
};

/// ∂/∂(x, y) of −m (x, y) / r³: xx, xy = yx, yy.
fn attraction(x: f64, y: f64, m: f64) -> [f64; 3] {
    let r2 = x * x + y * y;
    let r5 = r2 * r2 * r2.sqrt();
    [m * (3.0 * x * x - r2) / r5, m * 3.0 * x * y / r5, m * (3.0 * y * y - r2) / r5]
}

const MU: f64 = 0.012277471;
const PERIOD: f64 = 17.0652165601579625588917206249;
const SPEED: f64 = -2.00158510637908252240537862224;

/// One period of Arenstorf's orbit.
pub(super) static ARENSTORF: Problem = Problem {
    name: "arenstorf",
    summary: "Arenstorf's orbit, one period (Hairer, Nørsett, Wanner I, II.0)",
    stiff: false,
    t0: 0.0,
    t_end: PERIOD,
    y0: || vec![0.994, 0.0, 0.0, SPEED],
    end: &[0.994, 0.0, 0.0, SPEED],
    trust: 2e-11,
    scale_atol: &[],
    floor: 1.0,
    rhs: arenstorf,
    jacobian: Some(arenstorf_jacobian),
};

/// A quarter of the period.
pub(super) static ARENSTORF_QUARTER: Problem = Problem {
    name: "arenstorf-1/4",
    summary: "Arenstorf's orbit, a quarter of the period",
    t_end: 0.25 * PERIOD,
    end: &[
        -0.08871921330930074625412,
        1.102775755630899388617,
        0.3654609717068432243419,
        -0.1923428767803491997549,
    ],
    trust: 1e-14,
    ..ARENSTORF
};

/// Half the period.
pub(super) static ARENSTORF_HALF: Problem = Problem {
    name: "arenstorf-1/2",
    summary: "Arenstorf's orbit, half the period",
    t_end: 0.5 * PERIOD,
    end: &[-1.244822052026569705585, 0.0, 0.0, 0.5539903081422230677753],
    trust: 3e-14,
    ..ARENSTORF
};

/// Three quarters of the period.
pub(super) static ARENSTORF_THREE_QUARTERS: Problem = Problem {
    name: "arenstorf-3/4",
    summary: "Arenstorf's orbit, three quarters of the period",
    t_end: 0.75 * PERIOD,
    end: &[
        -0.08871921330930074625412,
        -1.102775755630899388617,
        -0.3654609717068432243419,
        -0.1923428767803491997549,
    ],
    trust: 5e-14,
    ..ARENSTORF
};

fn arenstorf(_: f64, y: &[f64], dy: &mut [f64]) {
    let (near, far) = (1.0 - MU, MU);
    let d1 = powi(hypot(y[0] + far, y[1]), 3);
    let d2 = powi(hypot(y[0] - near, y[1]), 3);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = y[0] + 2.0 * y[3] - near * (y[0] + far) / d1 - far * (y[0] - near) / d2;
    dy[3] = y[1] - 2.0 * y[2] - near * y[1] / d1 - far * y[1] / d2;
}

fn arenstorf_jacobian(_: f64, y: &[f64], entry: &mut dyn FnMut(usize, usize, f64)) {
    let (a, b) = (attraction(y[0] + MU, y[1], 1.0 - MU), attraction(y[0] - (1.0 - MU), y[1], MU));
    let [xx, xy, yy] = [a[0] + b[0] + 1.0, a[1] + b[1], a[2] + b[2] + 1.0];
    let (vx, vy) = ([(0, xx), (1, xy), (3, 2.0)], [(0, xy), (1, yy), (2, -2.0)]);
    rows(&[&[(2, 1.0)], &[(3, 1.0)], &vx, &vy], entry);
}
