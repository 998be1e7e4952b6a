//! Checks averages over simplexes against divided differences with 120 digits, and their derivatives against the identity
//! ∂/∂x_i avg λ^m d^−ν = −ν avg λ_i λ^m d^−(ν+1).

use carom_base::Dual;
use serde_json::Value;

use super::simplex::{Averages, averages};

struct Case {
    x: Vec<f64>,
    nu: u32,
    order: u32,
    expected: Vec<f64>,
}

fn cases() -> Vec<Case> {
    let data: Value = serde_json::from_str(include_str!("../../tests/data/simplex.json")).unwrap();
    let numbers = |v: &Value| v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let whole = |v: &Value| v.as_u64().unwrap() as u32;
    let case = |v: &Value| Case {
        x: numbers(&v["x"]),
        nu: whole(&v["nu"]),
        order: whole(&v["order"]),
        expected: numbers(&v["avg"]),
    };
    data["averages"].as_array().unwrap().iter().map(case).collect()
}

/// Largest allowed relative error: rounding alone where nothing cancels; logarithms of very different heights lose one or two
/// of the sixteen digits.
fn allowed(dimension: usize, nu: u32, order: u32) -> f64 {
    let k = dimension as u32 + order;
    match k {
        _ if nu > k => 5e-15,
        4 => 2e-14,
        _ => 5e-15,
    }
}

/// Returns the averages by vertex, or by pairs of vertices, in the order of the data.
fn flat<S: Copy, const N: usize>(avg: &Averages<S, N>, order: u32) -> Vec<S> {
    match order {
        0 => vec![avg.zeroth],
        1 => avg.first.to_vec(),
        _ => (0..N).flat_map(|i| (i..N).map(move |j| avg.second[i][j])).collect(),
    }
}

fn check<const N: usize>(case: &Case) {
    let Case { nu, order, .. } = *case;
    let x: [f64; N] = case.x.clone().try_into().unwrap();
    let avg = averages(&x, nu, order);
    for (a, e) in flat(&avg, order).iter().zip(&case.expected) {
        let error = (a / e - 1.0).abs();
        assert!(error <= allowed(N - 1, nu, order), "ν {nu} order {order} at {x:?}: {a} for {e}, {error:e}");
    }
    // averages of lower order are sums of these
    let e = if order == 0 { case.expected[0] } else { averages(&x, nu, 0).zeroth };
    assert!((avg.zeroth / e - 1.0).abs() < 5e-15, "ν {nu} order {order} at {x:?}");
}

/// Each error is relative to the value itself, however small.
#[test]
fn averages_are_those_of_120_digits() {
    for case in cases() {
        match case.x.len() {
            2 => check::<2>(&case),
            _ => check::<3>(&case),
        }
    }
}

fn check_derivatives<const N: usize>(case: &Case) {
    let Case { nu, order, .. } = *case;
    let x: [f64; N] = case.x.clone().try_into().unwrap();
    let dual: [Dual<N>; N] = std::array::from_fn(|i| Dual::variable(x[i], i));
    let avg = averages(&dual, nu, order);
    let up = averages(&x, nu + 1, order + 1);
    for i in 0..N {
        let rates: Vec<(f64, f64)> = match order {
            0 => vec![(avg.zeroth.eps[i], up.first[i])],
            _ => (0..N).map(|j| (avg.first[j].eps[i], up.second[j][i])).collect(),
        };
        for (rate, up) in rates {
            let error = (rate / (-f64::from(nu) * up) - 1.0).abs();
            assert!(
                error <= allowed(N - 1, nu + 1, order + 1).min(1e-14),
                "ν {nu} order {order} at {x:?}: {error:e}"
            );
        }
    }
}

/// The cases include equal heights, where divided differences are quotients of zeros.
#[test]
fn derivatives_are_averages_of_the_next_exponent() {
    for case in cases().iter().filter(|case| case.order < 2) {
        match case.x.len() {
            2 => check_derivatives::<2>(case),
            _ => check_derivatives::<3>(case),
        }
    }
}

#[test]
fn without_a_power_averages_are_those_of_polynomials() {
    let avg = averages(&[0.1, 2.0, 0.3], 0, 2);
    assert!((avg.zeroth - 1.0).abs() < 1e-15);
    assert!((avg.first[1] - 1.0 / 3.0).abs() < 1e-15);
    assert!((avg.second[0][0] - 1.0 / 6.0).abs() < 1e-15);
    assert!((avg.second[0][2] - 1.0 / 12.0).abs() < 1e-15);
}
