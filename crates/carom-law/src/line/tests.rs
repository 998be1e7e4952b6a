use carom_base::Dual;

use super::*;

/// E* of 207 GPa and ν = 0.3 on both sides [Pa].
const E_STAR: f64 = 0.5 * 207e9 / 0.91;
/// A journal of 9.5 mm in a bearing of 10 mm, over 10 mm.
const JOURNAL: [f64; 2] = [0.0095, -0.010];

fn touch(name: &str, radii: [f64; 2], length: f64) -> (Line, Touch) {
    let line = Line::new(name).unwrap();
    let (stiffness, latched) = line.at(E_STAR, &Meeting::along(radii, length)).unwrap();
    (line, Touch { line: latched, ..Touch::point(stiffness, 1.0, 1.0) })
}

/// Computed by an independent root search of the published formulas, [N] at 1, 5 and 10 µm.
#[test]
fn forces_of_a_journal_in_its_bearing() {
    let rows = [
        ("johnson", [407.309084126, 2579.17972999, 5850.01365269]),
        ("radzimovsky", [393.158963912, 2463.10912464, 5547.0965045]),
        ("goldsmith", [375.359797799, 2321.01675101, 5182.98469138]),
        ("dubowsky-freudenstein", [375.359797799, 2321.01675101, 5182.98469138]),
        ("esdu-78035", [324.869067829, 1939.39562205, 4238.5233891]),
        ("pereira", [428.440911069, 2782.87709206, 6229.64255509]),
    ];
    assert_eq!(rows.map(|(name, _)| name).as_slice(), LINES.iter().map(|e| e.name).collect::<Vec<_>>());
    for (name, forces) in rows {
        let (line, touch) = touch(name, JOURNAL, 0.010);
        for (delta, expected) in [1e-6, 5e-6, 10e-6].into_iter().zip(forces) {
            let f = line.elastic(delta, &touch);
            assert!((f / expected - 1.0).abs() < 1e-11, "{name} at {delta}: {f} is not {expected}");
        }
    }
}

/// The published forms, δ as a function of F, in their own symbols.
#[test]
fn indentation_by_force_as_printed() {
    let (r_i, r_j, l) = (0.010, 0.0095, 0.014);
    let (delta_r, h) = (r_i - r_j, 1.0 / (PI * E_STAR));
    for f in [1.0f64, 300.0, 9e3] {
        let b = 4.0 * (f / l * h * r_i * r_j / delta_r).sqrt();
        let printed = [
            ("johnson", f / l * h * ((4.0 * delta_r * l / (h * f)).ln() - 1.0)),
            ("radzimovsky", f / l * h * (2.0 / 3.0 + (4.0 * r_i / b).ln() + (4.0 * r_j / b).ln())),
            ("goldsmith", f * h / l * ((l.powi(3) * delta_r / (f * r_i * r_j * h)).ln() + 1.0)),
            ("esdu-78035", f * h / l * ((4.0 * l * delta_r / (f * h)).ln() + 1.0)),
        ];
        for (name, delta) in printed {
            let (line, touch) = touch(name, [r_j, -r_i], l);
            let back = line.elastic(delta, &touch);
            assert!((back / f - 1.0).abs() < 2e-14, "{name}: {back} is not {f}");
        }
    }
}

/// Over the whole range the stiffness is positive, without jumps, and rises; just outside nothing is given.
#[test]
fn stiffness_is_positive_and_continuous_within_reach() {
    let shapes =
        [(JOURNAL, 0.010), ([0.0498, -0.050], 0.003), ([0.006, 0.0035], 0.040), ([0.010, -0.0165], 0.02)];
    for entry in LINES {
        for (radii, length) in shapes {
            let (line, touch) = touch(entry.name, radii, length);
            let reach = line.reach(&touch).min(1.0);
            let slope = |delta: f64| line.elastic(Dual::<2>::variable(delta, 0), &touch).eps[0];
            // from 1e-15 of the range, in steps of 2 %, then towards its end likewise
            let up = (0..1744).map(|i| 1e-15 * 1.02f64.powi(i)).filter(|x| *x < 0.5);
            let end = (0..1500).rev().map(|i| 1.0 - 1e-13 * 1.02f64.powi(i)).filter(|x| *x >= 0.5);
            let mut last: Option<f64> = None;
            for x in up.chain(end) {
                let now = slope(x * reach);
                assert!(now > 0.0 && now.is_finite(), "{} at {x}: {now}", entry.name);
                if let Some(last) = last {
                    assert!(
                        now >= last * (1.0 - 1e-15) && now < 1.12 * last,
                        "{} at {x}: {last} to {now}",
                        entry.name
                    );
                }
                last = Some(now);
            }
            if line.reach(&touch).is_finite() {
                let beyond = line.elastic(reach * (1.0 + 1e-14), &touch);
                assert!(beyond.is_nan() && line.energy(2.0 * reach, &touch).is_nan(), "{}", entry.name);
            }
        }
    }
}

/// ∫ F dδ by Gauss and Legendre's rule with eight points in each of many pieces, even in the square root.
#[test]
fn energy_is_the_integral_of_force() {
    const NODES: [(f64, f64); 4] = [
        (0.1834346424956498, 0.3626837833783620),
        (0.5255324099163290, 0.3137066458778873),
        (0.7966664774136267, 0.2223810344533745),
        (0.9602898564975363, 0.1012285362903763),
    ];
    for entry in LINES {
        let (line, touch) = touch(entry.name, JOURNAL, 0.010);
        for delta in [1e-7, 1e-5, 0.7 * line.reach(&touch).min(1e-3)] {
            let (n, mut sum) = (400, 0.0);
            for i in 0..n {
                // the force is no power at zero: pieces shrink towards it
                let at = |k: i32| delta * (f64::from(k) / f64::from(n)).powi(6);
                let (middle, half) = (0.5 * (at(i) + at(i + 1)), 0.5 * (at(i + 1) - at(i)));
                let f = |x: f64| line.elastic(middle + half * x, &touch);
                sum += half * NODES.iter().map(|(x, w)| w * (f(*x) + f(-x))).sum::<f64>();
            }
            let energy = line.energy(delta, &touch);
            assert!((energy / sum - 1.0).abs() < 3e-14, "{} to {delta}: {energy} is not {sum}", entry.name);
        }
    }
}

#[test]
fn the_logarithm_is_met_to_rounding() {
    for i in 0..4000 {
        let l = 1.0 + 10f64.powf(-6.0 + f64::from(i) * 8.8 / 4000.0);
        if l > 690.0 {
            break;
        }
        let found = logarithm(l.exp() / l);
        // the root is as well determined as ln x is: by ε ln x/(1 − 1/ℓ)
        let allowed = 4.0 * f64::EPSILON * l * l / (l - 1.0);
        assert!((found - l).abs() <= allowed, "{found} is not {l}: {:e} of {allowed:e}", (found - l).abs());
    }
    assert!(logarithm(2.0).is_nan() && logarithm(f64::NAN).is_nan());
}

/// Pereira's two formulas for the exponent meet within the figures they are printed with; side by side they have their own.
#[test]
fn pereira_in_and_beside() {
    let exponent = |radii| touch("pereira", radii, 0.01).1.line.n;
    let (below, above) = (exponent([0.010, -0.0103495]), exponent([0.010, -0.0103496]));
    assert!((below - above).abs() < 2e-4, "{below} {above}");
    assert!((exponent([0.001, 0.0005]) - 1.094 * 1.5f64.powf(-0.005)).abs() < 1e-15);
}

#[test]
fn what_is_no_line_is_refused() {
    let at = |name: &str, meeting: &Meeting| Line::new(name).unwrap().at(E_STAR, meeting);
    for entry in LINES {
        assert_eq!(
            at(entry.name, &Meeting::in_point(5.0, 5.0)).unwrap_err(),
            LawError::NotLineContact { law: entry.name }
        );
        // strips of a ring on a plane have no two radii
        assert!(at(entry.name, &Meeting::in_strips(5.0, 0.1)).is_err());
        assert!(at(entry.name, &Meeting::along([0.01, -0.01], 0.1)).is_err());
    }
    let wide = at("pereira", &Meeting::along([0.010, -0.0202], 0.01)).unwrap_err();
    assert!(matches!(wide, LawError::BadClearance { law: "pereira", .. }), "{wide}");
    assert!(Line::new("hooke").is_err());
}
