//! Seven stars in a plane, with close encounters.
//!
//! Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., II.10: masses 1 to 7, gravity
//! x_i'' = Σ_j m_j (x_j − x_i) / r³, to t = 3. The components: x1 … x7, y1 … y7 and their rates.

use super::Problem;

/// The Pleiades problem.
pub(super) static PLEIADES: Problem = Problem {
    name: "pleiades",
    summary: "seven stars in a plane to t = 3 (Hairer, Nørsett, Wanner I, II.10)",
    stiff: false,
    t0: 0.0,
    t_end: 3.0,
    y0: || {
        let (x, y) = ([3.0, 3.0, -1.0, -3.0, 2.0, -2.0, 2.0], [3.0, -3.0, 2.0, 0.0, 0.0, -4.0, 4.0]);
        let (vx, vy) = ([0.0, 0.0, 0.0, 0.0, 0.0, 1.75, -1.5], [0.0, 0.0, 0.0, -1.25, 1.0, 0.0, 0.0]);
        [x, y, vx, vy].concat()
    },
    end: &[
        0.3706139143969231,
        3.237284092057232,
        -3.2225590324183115,
        0.6597091455775296,
        0.3425581707156579,
        1.5621721014006353,
        -0.700309292221239,
        -3.943437585517564,
        -3.2713809739725517,
        5.225081843456532,
        -2.5906124349774746,
        1.1982136933922987,
        -0.24296823449358343,
        1.091449240428997,
        3.417003806313957,
        1.3545845016255036,
        -2.590065597810765,
        2.025053734714299,
        -1.1558151001604893,
        -0.8072988170222881,
        0.5952396354209014,
        -3.7412449612342407,
        0.37734596857505914,
        0.9386858869550937,
        0.3667922227200601,
        -0.3474046353808349,
        2.3449154481809353,
        -1.9470204342632624,
    ],
    trust: 1e-13,
    scale_atol: &[],
    floor: 1.0,
    rhs,
    jacobian: Some(jacobian),
};

const N: usize = 7;

/// The mass of star i.
fn mass(i: usize) -> f64 {
    (i + 1) as f64
}

fn rhs(_: f64, y: &[f64], dy: &mut [f64]) {
    let (positions, rates) = y.split_at(2 * N);
    dy[..2 * N].copy_from_slice(rates);
    let (x, y) = positions.split_at(N);
    for i in 0..N {
        let (mut ax, mut ay) = (0.0, 0.0);
        for j in 0..N {
            if j != i {
                let (dx, dy) = (x[j] - x[i], y[j] - y[i]);
                let r2 = dx * dx + dy * dy;
                let pull = mass(j) / (r2 * r2.sqrt());
                ax += pull * dx;
                ay += pull * dy;
            }
        }
        dy[2 * N + i] = ax;
        dy[3 * N + i] = ay;
    }
}

fn jacobian(_: f64, y: &[f64], entry: &mut dyn FnMut(usize, usize, f64)) {
    for i in 0..2 * N {
        entry(i, 2 * N + i, 1.0);
    }
    let (x, y) = (&y[..N], &y[N..2 * N]);
    for i in 0..N {
        // the sum over the other stars: moving a star changes its distance from all of them
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for j in 0..N {
            if j == i {
                continue;
            }
            let (dx, dy) = (x[j] - x[i], y[j] - y[i]);
            let r2 = dx * dx + dy * dy;
            let m = mass(j) / (r2 * r2 * r2.sqrt());
            let (a, b, c) = (m * (r2 - 3.0 * dx * dx), -3.0 * m * dx * dy, m * (r2 - 3.0 * dy * dy));
            entry(2 * N + i, j, a);
            entry(2 * N + i, N + j, b);
            entry(3 * N + i, j, b);
            entry(3 * N + i, N + j, c);
            (xx, xy, yy) = (xx - a, xy - b, yy - c);
        }
        entry(2 * N + i, i, xx);
        entry(2 * N + i, N + i, xy);
        entry(3 * N + i, i, xy);
        entry(3 * N + i, N + i, yy);
    }
}
