//! Error and work against another code of the same method.

use super::problems;

/// Error and evaluations with the exact Jacobian, and with differences.
type Row = (f64, usize, f64, usize);

/// For the relative tolerances 1e-3, 1e-4 … 1e-12, the error at the end and the evaluations of SciPy 1.17.1's `Radau`:
/// with the exact Jacobian, then with differences (whose evaluations count).
#[rustfmt::skip]
static SCIPY: [(&str, &[Row]); 5] = [
    (
        "robertson",
        &[
            (1.952e-6, 232, 1.952e-6, 260),
            (1.289e-7, 313, 1.289e-7, 362),
            (7.715e-9, 469, 7.716e-9, 548),
            (2.363e-9, 761, 2.363e-9, 882),
            (3.736e-11, 1218, 3.736e-11, 1414),
            (1.898e-12, 2058, 1.898e-12, 2374),
            (7.443e-14, 3586, 7.501e-14, 4097),
            (6.824e-15, 6163, 5.665e-15, 6980),
            (2.213e-15, 9648, 5.164e-15, 10128),
            (3.504e-15, 16688, 2.398e-15, 16854),
        ],
    ),
    (
        "robertson-long",
        &[
            (8.929e-5, 929, 8.847e-5, 1059),
            (4.417e-6, 1454, 5.206e-6, 1617),
            (3.018e-7, 2406, 3.015e-7, 2665),
            (1.389e-8, 4112, 1.420e-8, 4515),
            (7.818e-10, 7064, 7.959e-10, 7704),
            (4.111e-11, 12352, 4.804e-11, 13409),
            (2.663e-12, 21767, 2.100e-12, 23554),
            (3.117e-13, 38007, 2.944e-13, 40719),
            (5.112e-13, 63704, 2.398e-13, 65043),
            (7.295e-13, 111739, 7.693e-13, 112186),
        ],
    ),
    (
        "vdpol",
        &[
            (4.143e-3, 1550, 4.145e-3, 1640),
            (4.836e-5, 2084, 4.836e-5, 2210),
            (5.161e-5, 3170, 5.162e-5, 3346),
            (4.992e-7, 5167, 4.992e-7, 5411),
            (5.147e-8, 8405, 5.147e-8, 8773),
            (3.261e-9, 14443, 3.261e-9, 15003),
            (1.747e-10, 24983, 1.671e-10, 25838),
            (2.545e-11, 42780, 2.654e-11, 43962),
            (4.654e-11, 71602, 5.002e-11, 72445),
            (9.556e-12, 125953, 9.457e-12, 124943),
        ],
    ),
    (
        "hires",
        &[
            (2.648e-5, 512, 2.645e-5, 698),
            (1.548e-5, 779, 1.435e-5, 1061),
            (1.855e-7, 1244, 1.877e-7, 1663),
            (7.152e-8, 1931, 1.329e-7, 2535),
            (5.225e-9, 3129, 1.193e-8, 4037),
            (5.227e-10, 5329, 7.699e-10, 6727),
            (2.434e-11, 9233, 3.490e-11, 11385),
            (1.357e-12, 15797, 2.238e-12, 18805),
            (1.663e-13, 26630, 1.013e-13, 29501),
            (1.570e-13, 45973, 3.819e-13, 48249),
        ],
    ),
    (
        "orego",
        &[
            (8.617e-5, 2494, 3.978e-5, 2816),
            (1.135e-5, 3438, 8.561e-6, 3879),
            (5.196e-7, 5344, 5.547e-7, 6001),
            (4.962e-8, 8650, 6.087e-8, 9576),
            (2.118e-9, 14316, 2.116e-9, 15660),
            (1.579e-10, 24260, 1.587e-10, 26343),
            (8.900e-12, 42014, 8.892e-12, 45106),
            (4.285e-13, 71651, 4.602e-13, 75728),
            (9.362e-14, 117164, 8.566e-14, 120132),
            (8.157e-14, 205432, 4.025e-14, 207453),
        ],
    ),
];

/// (log error, log work) of the runs well above rounding.
fn points(runs: impl Iterator<Item = (f64, usize)>) -> Vec<(f64, f64)> {
    runs.filter(|(e, _)| *e > 2e-12).map(|(e, work)| (e.ln(), (work as f64).ln())).collect()
}

/// The straight line through points by least squares: its value at x.
fn line(points: &[(f64, f64)], x: f64) -> f64 {
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let slope = mean(&|p| (p.0 - mx) * (p.1 - my)) / mean(&|p| (p.0 - mx).powi(2));
    my + slope * (x - mx)
}

/// The error falls at least as the tolerance, to rounding; at the same tolerance it is at most three times the other
/// code's; and for the same error no more than 1.2 times the evaluations are needed.
#[test]
fn error_and_work() {
    for (problem, scale) in &problems::ALL {
        let (name, theirs) = SCIPY.iter().find(|(name, _)| name == problem).expect(problem);
        for exact in [true, false] {
            let tolerances = (3..=12).map(|p| 10f64.powi(-p));
            let ours: Vec<(f64, usize)> = tolerances
                .map(|rtol| problems::run(problem, scale, rtol, exact).unwrap())
                .map(|(error, stats)| (error, stats.evaluations))
                .collect();
            let theirs: Vec<(f64, usize)> =
                theirs.iter().map(|t| if exact { (t.0, t.1) } else { (t.2, t.3) }).collect();
            let label = format!("{name}, exact Jacobian {exact}");
            for (p, (ours, theirs)) in (3..).zip(ours.iter().zip(&theirs)) {
                assert!(
                    ours.0 <= 3.0 * theirs.0 + 5e-13,
                    "{label}, 1e-{p}: {:.1e}, {:.1e}",
                    ours.0,
                    theirs.0
                );
                let proportional = 30.0 * 10f64.powi(-p) + 1e-12;
                assert!(ours.0 <= proportional, "{label}, 1e-{p}: {:.1e}", ours.0);
            }
            let (ours, theirs) = (points(ours.into_iter()), points(theirs.into_iter()));
            let ends = |v: &[(f64, f64)]| {
                v.iter().fold((f64::MAX, f64::MIN), |(lo, hi), p| (lo.min(p.0), hi.max(p.0)))
            };
            let ((a, b), (c, d)) = (ends(&ours), ends(&theirs));
            let (lo, hi) = (a.max(c), b.min(d));
            for x in [lo, 0.5 * (lo + hi), hi] {
                let ratio = (line(&ours, x) - line(&theirs, x)).exp();
                assert!(ratio < 1.2, "{label}: {ratio} times the work for an error of {:.1e}", x.exp());
            }
        }
    }
}
