//! Smooth problems without difficulties: a chain of decays, a free rigid body.
//!
//! Chain: Hull, Enright, Fellen, Sedgwick, *Comparing numerical methods for ordinary differential equations*, SIAM J. Numer.
//! Anal. 9 (1972) 603–637, problem C1, with its closed form y_i = t^(i−1) e^(−t) / (i−1)!, i < 10, and y_10 = 1 − Σ y_i, to
//! t = 20.
//!
//! Rigid body: Euler's equations as y1' = y2 y3, y2' = −y1 y3, y3' = −0.51 y1 y2 from (0, 1, 1), the equations of
//! Jacobi's sn, cn, dn (Krogh 1973; problem B5 of the same collection to t = 20, and MATLAB's rigidode to t = 12).

use super::{Problem, rows};

/// Ten substances, each decaying into the next.
pub(super) static CHAIN: Problem = Problem {
    name: "chain",
    summary: "chain of ten decays to t = 20, linear (Hull et al. 1972, C1), closed form",
    stiff: false,
    t0: 0.0,
    t_end: 20.0,
    y0: || vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    end: &[
        2.06115362243855782796594e-9,
        4.122307244877115655931881e-8,
        4.122307244877115655931881e-7,
        2.748204829918077103954587e-6,
        1.374102414959038551977294e-5,
        5.496409659836154207909174e-5,
        1.832136553278718069303058e-4,
        5.234675866510623055151595e-4,
        1.308668966627655763787899e-3,
        0.9979127409508649811977838,
    ],
    trust: 1e-16,
    scale_atol: &[],
    floor: 1.0,
    rhs: |_, y, dy| {
        dy[0] = -y[0];
        for i in 1..9 {
            dy[i] = y[i - 1] - y[i];
        }
        dy[9] = y[8];
    },
    jacobian: Some(|_, _, entry| {
        entry(0, 0, -1.0);
        for i in 1..9 {
            entry(i, i - 1, 1.0);
            entry(i, i, -1.0);
        }
        entry(9, 8, 1.0);
    }),
};

/// A free body to t = 12.
pub(super) static RIGID_12: Problem = Problem {
    name: "rigid-12",
    summary: "free rigid body to t = 12 (as MATLAB's rigidode)",
    stiff: false,
    t0: 0.0,
    t_end: 12.0,
    y0: || vec![0.0, 1.0, 1.0],
    end: &[-0.7053978095225718, -0.708811632467158, 0.8638466903702221],
    trust: 1e-14,
    scale_atol: &[],
    floor: 1.0,
    rhs: rigid,
    jacobian: Some(rigid_jacobian),
};

/// A free body to t = 20.
pub(super) static RIGID_20: Problem = Problem {
    name: "rigid-20",
    summary: "free rigid body to t = 20 (Krogh 1973; Hull et al. 1972, B5)",
    t_end: 20.0,
    end: &[-0.9396570798729205, -0.3421177754000746, 0.7414126596199953],
    ..RIGID_12
};

fn rigid(_: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = y[1] * y[2];
    dy[1] = -y[0] * y[2];
    dy[2] = -0.51 * y[0] * y[1];
}

fn rigid_jacobian(_: f64, y: &[f64], entry: &mut dyn FnMut(usize, usize, f64)) {
    rows(
        &[&[(1, y[2]), (2, y[1])], &[(0, -y[2]), (2, -y[0])], &[(0, -0.51 * y[1]), (1, -0.51 * y[0])]],
        entry,
    );
}
