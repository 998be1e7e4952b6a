//! Reactions whose rates lie many orders of magnitude apart: Robertson, HIRES, the Oregonator.
//!
//! Hairer, Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., IV.1 and IV.10; Mazzia, Magherini, *Test Set for
//! Initial Value Problem Solvers*, release 2.4, University of Bari 2008. The ends are computed by extrapolation in
//! quadruple precision at tolerance 1e-18; they agree with the published ones to the digits given there. Absolute
//! tolerances are those of Hairer and Wanner, IV.10.

use super::{Problem, rows};

/// Robertson's autocatalytic reaction up to t = 40.
pub(super) static ROBERTSON: Problem = Problem {
    name: "robertson",
    summary: "Robertson's reaction to t = 40 (Robertson 1966; Hairer, Wanner II, IV.1)",
    stiff: true,
    t0: 0.0,
    t_end: 40.0,
    y0: || vec![1.0, 0.0, 0.0],
    end: &[0.715827068719405090474473, 9.18553476455776390528e-06, 0.284163745745830351761622],
    trust: 1e-15,
    scale_atol: &[1e-6, 1e-6, 1e-6],
    floor: 0.0,
    rhs: robertson,
    jacobian: Some(robertson_jacobian),
};

/// Robertson's reaction over eleven orders of magnitude in time.
pub(super) static ROBERTSON_LONG: Problem = Problem {
    name: "robertson-long",
    summary: "Robertson's reaction to t = 1e11 (Hairer, Wanner II, IV.10)",
    t_end: 1e11,
    end: &[2.08334014970129423058317e-08, 8.33336077033478340069014e-14, 0.999999979166515169379354],
    ..ROBERTSON
};

fn robertson(_: f64, y: &[f64], dy: &mut [f64]) {
    let made = 0.04 * y[0] - 1e4 * y[1] * y[2];
    let eaten = 3e7 * y[1] * y[1];
    dy[0] = -made;
    dy[1] = made - eaten;
    dy[2] = eaten;
}

fn robertson_jacobian(_: f64, y: &[f64], entry: &mut dyn FnMut(usize, usize, f64)) {
    let (a, b, c) = (1e4 * y[2], 1e4 * y[1], 6e7 * y[1]);
    rows(&[&[(0, -0.04), (1, a), (2, b)], &[(0, 0.04), (1, -a - c), (2, -b)], &[(1, c)]], entry);
}

/// High irradiance responses of photomorphogenesis.
pub(super) static HIRES: Problem = Problem {
    name: "hires",
    summary: "High irradiance responses, 8 reactions (Schäfer 1975; Hairer, Wanner II, IV.10)",
    stiff: true,
    t0: 0.0,
    t_end: 321.8122,
    y0: || vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057],
    end: &[
        0.000737131257332566780727169,
        0.000144248572631618465818617,
        5.88872974096757500752943e-05,
        0.00117565134328314914550615,
        0.00238635619883133046882306,
        0.0062389682527427957867333,
        0.00284999839518576865781936,
        0.00285000160481423134218064,
    ],
    trust: 1e-15,
    scale_atol: &[1e-4; 8],
    floor: 0.0,
    rhs: hires,
    jacobian: Some(hires_jacobian),
};

fn hires(_: f64, y: &[f64], dy: &mut [f64]) {
    let bound = 280.0 * y[5] * y[7];
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dy[1] = 1.71 * y[0] - 8.75 * y[1];
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dy[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
    dy[5] = -bound + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dy[6] = bound - 1.81 * y[6];
    dy[7] = -dy[6];
}

fn hires_jacobian(_: f64, y: &[f64], entry: &mut dyn FnMut(usize, usize, f64)) {
    let (a, b) = (280.0 * y[7], 280.0 * y[5]);
    rows(
        &[
            &[(0, -1.71), (1, 0.43), (2, 8.32)],
            &[(0, 1.71), (1, -8.75)],
            &[(2, -10.03), (3, 0.43), (4, 0.035)],
            &[(1, 8.32), (2, 1.71), (3, -1.12)],
            &[(4, -1.745), (5, 0.43), (6, 0.43)],
            &[(3, 0.69), (4, 1.71), (5, -a - 0.43), (6, 0.69), (7, -b)],
            &[(5, a), (6, -1.81), (7, b)],
            &[(5, -a), (6, 1.81), (7, -b)],
        ],
        entry,
    );
}

/// The Belousov–Zhabotinsky reaction: bursts between slow phases.
pub(super) static OREGO: Problem = Problem {
    name: "orego",
    summary: "Oregonator, a reaction in bursts (Field, Noyes 1974; Hairer, Wanner II, IV.10)",
    stiff: true,
    t0: 0.0,
    t_end: 360.0,
    y0: || vec![1.0, 2.0, 3.0],
    end: &[1.00081487031852271635096, 1228.17852154988798372093, 132.055494284650828788135],
    trust: 1e-15,
    scale_atol: &[1e-6, 1e-6, 1e-6],
    floor: 0.0,
    rhs: orego,
    jacobian: Some(orego_jacobian),
};

const S: f64 = 77.27;
const Q: f64 = 8.375e-6;
const W: f64 = 0.161;

fn orego(_: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = S * (y[1] + y[0] * (1.0 - Q * y[0] - y[1]));
    dy[1] = (y[2] - (1.0 + y[0]) * y[1]) / S;
    dy[2] = W * (y[0] - y[2]);
}

fn orego_jacobian(_: f64, y: &[f64], entry: &mut dyn FnMut(usize, usize, f64)) {
    rows(
        &[
            &[(0, S * (1.0 - 2.0 * Q * y[0] - y[1])), (1, S * (1.0 - y[0]))],
            &[(0, -y[1] / S), (1, -(1.0 + y[0]) / S), (2, 1.0 / S)],
            &[(0, W), (2, -W)],
        ],
        entry,
    );
}
