//! Dormand–Prince 5(4), order 5, with dense output of order 4: `ode45`.
//!
//! J. R. Dormand, P. J. Prince, *A family of embedded Runge–Kutta formulae*, J. Comp. Appl. Math. 6
//! (1980) 19–26; the continuous extension is that of Hairer, Nørsett, Wanner, *Solving Ordinary
//! Differential Equations I*, 2nd ed., II.6 (code DOPRI5).

use crate::erk::{Explicit, Tableau};

/// Dormand–Prince 5(4).
#[derive(Debug)]
pub(super) struct Ode45;

impl Explicit for Ode45 {
    const TABLEAU: Tableau = TABLEAU;
}

/// The method's coefficients.
const TABLEAU: Tableau = Tableau {
    name: "ode45",
    summary: "Dormand–Prince 5(4), as MATLAB's ode45",
    order: 5,
    error_order: 5,
    error_factor: 2.0,
    beta: 0.04,
    min_factor: 0.2,
    max_factor: 8.0,
    c: &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0],
    a: &[
        &[],
        &[(0, 0.2)],
        &[(0, 3.0 / 40.0), (1, 9.0 / 40.0)],
        &[(0, 44.0 / 45.0), (1, -56.0 / 15.0), (2, 32.0 / 9.0)],
        &[(0, 19372.0 / 6561.0), (1, -25360.0 / 2187.0), (2, 64448.0 / 6561.0), (3, -212.0 / 729.0)],
        &[
            (0, 9017.0 / 3168.0),
            (1, -355.0 / 33.0),
            (2, 46732.0 / 5247.0),
            (3, 49.0 / 176.0),
            (4, -5103.0 / 18656.0),
        ],
    ],
    b: &[(0, 35.0 / 384.0), (2, 500.0 / 1113.0), (3, 125.0 / 192.0), (4, -2187.0 / 6784.0), (5, 11.0 / 84.0)],
    // fifth minus fourth order weights; the seventh stage is the slope at the end
    error: &[
        (0, 71.0 / 57600.0),
        (2, -71.0 / 16695.0),
        (3, 71.0 / 1920.0),
        (4, -17253.0 / 339200.0),
        (5, 22.0 / 525.0),
        (6, -1.0 / 40.0),
    ],
    error_3: None,
    dense_c: &[],
    dense_a: &[],
    dense_d: &[&[
        (0, -12715105075.0 / 11282082432.0),
        (2, 87487479700.0 / 32700410799.0),
        (3, -10690763975.0 / 1880347072.0),
        (4, 701980252875.0 / 199316789632.0),
        (5, -1453857185.0 / 822651844.0),
        (6, 69997945.0 / 29380423.0),
    ]],
};
