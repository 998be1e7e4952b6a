//! What several tests need.
#![allow(dead_code, reason = "each test uses its own part")]

use carom::prelude::{Frame, Model, Output, Recording, Simulation};
pub(crate) use carom_testkit::{close, near};
use serde_json::Value;

/// The states of a run at these times.
pub(crate) fn frames(model: &Model, method: &str, rtol: f64, times: &[f64]) -> (Vec<Frame>, carom::Run) {
    let mut recording = Recording::default();
    let run = Simulation::new(model)
        .method(method)
        .duration(*times.last().unwrap())
        .rtol(rtol)
        .atol(rtol)
        .output(Output::At(times.to_vec()))
        .run_into(&mut recording)
        .unwrap();
    (recording.frames, run)
}

/// A file of reference values.
pub(crate) fn reference(name: &str) -> Value {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A number, or the number in a string.
pub(crate) fn number(v: &Value) -> f64 {
    match v {
        Value::String(s) => s.parse().unwrap_or_else(|_| panic!("not a number: {s}")),
        v => v.as_f64().unwrap_or_else(|| panic!("not a number: {v}")),
    }
}

/// An array of numbers.
pub(crate) fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(number).collect()
}

/// A fourth-order step of y' = f(y).
pub(crate) fn rk4<const N: usize>(y: [f64; N], h: f64, f: impl Fn(&[f64; N]) -> [f64; N]) -> [f64; N] {
    let along = |k: &[f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    let k1 = f(&y);
    let k2 = f(&along(&k1, 0.5 * h));
    let k3 = f(&along(&k2, 0.5 * h));
    let k4 = f(&along(&k3, h));
    std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// The first zero of a smooth curve given at equally spaced places (x, y): inverse interpolation through six of them.
pub(crate) fn first_zero(curve: &[(f64, f64)]) -> Option<f64> {
    let i = curve.windows(2).position(|w| w[0].1 * w[1].1 <= 0.0)?;
    let near = &curve[i.saturating_sub(2).min(curve.len() - 6)..][..6];
    // Lagrange's polynomial of x by y, at y = 0
    let weight = |k: usize| -> f64 {
        let others = (0..6).filter(|&j| j != k);
        others.map(|j| near[j].1 / (near[j].1 - near[k].1)).product()
    };
    Some((0..6).map(|k| near[k].0 * weight(k)).sum())
}
