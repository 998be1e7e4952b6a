//! Laws with adhesion: pull-off forces, the branch that is stable, and what jumps lose.

use std::f64::consts::PI;

use crate::common::slope;
use carom_base::Dual;
use carom_law::normal::{Dmt, Jkr, MaugisDugdale};
use carom_law::{Indentation, Normal, NormalLaw, Touch};
use carom_testkit::within;

/// [J/m²], [Pa], [m]: rubber on glass, a grain of dust, a gel.
const CASES: [(f64, f64, f64); 4] =
    [(0.05, 1.3e6, 1e-3), (0.02, 5e10, 1e-6), (3.0, 2e4, 0.05), (1e-9, 1e11, 1.0)];

fn jkr((w, e_star, r): (f64, f64, f64)) -> (Jkr, Touch) {
    let k = 4.0 / 3.0 * e_star * r.sqrt();
    let law = Jkr::adhesion_energy(w).unwrap().stiffness(k).radius(r);
    let touch = Touch::point(k, 1.0, 1.0);
    (law, Touch { floor: -law.holds_to(&touch) * (1.0 + 4.0 * f64::EPSILON), ..touch })
}

fn force(law: &dyn Normal, delta: f64, touch: &Touch) -> f64 {
    law.force(Indentation { delta, delta_dot: 0.0 }, touch).f_n
}

/// Force and indentation as the source has them, by the radius a of the contact area.
#[test]
fn the_force_is_that_of_the_contact_area() {
    for case @ (w, e_star, r) in CASES {
        let (law, touch) = jkr(case);
        let a_c = (PI * w * r * r / (8.0 * e_star)).cbrt();
        for i in 0..=200 {
            let a = a_c * (1.0 + 1e-3 + 0.05 * f64::from(i));
            let delta = a * a / r - (2.0 * PI * w * a / e_star).sqrt();
            let f = 4.0 * e_star * a.powi(3) / (3.0 * r) - (8.0 * PI * w * e_star * a.powi(3)).sqrt();
            within(&format!("{case:?}, a = {a}"), force(&law, delta, &touch), f, 1e-11, PI * w * r);
        }
    }
}

/// −(3/2) π w R at a³ = 9 π w R²/(8E*), −(5/6) π w R where it ends; −2 π w R for hard bodies.
#[test]
fn pull_off_forces() {
    for case @ (w, e_star, r) in CASES {
        let (law, touch) = jkr(case);
        let pull = PI * w * r;
        within("pull-off", law.pull_off(&touch), 1.5 * pull, 1e-15, 0.0);
        let d = law.holds_to(&touch) / 3.0;
        within("δ_c", 3.0 * d, 0.75 * (PI * PI * w * w * r / (e_star * e_star)).cbrt(), 1e-14, 0.0);
        within("least", force(&law, -d * 3f64.cbrt(), &touch), -1.5 * pull, 1e-14, 0.0);
        // no force on the branch is less: golden section
        let (mut lo, mut hi) = (-3.0 * d, 0.0);
        for _ in 0..80 {
            let (a, b) = (lo + 0.381966 * (hi - lo), hi - 0.381966 * (hi - lo));
            if force(&law, a, &touch) < force(&law, b, &touch) { hi = b } else { lo = a }
        }
        within("least by search", force(&law, 0.5 * (lo + hi), &touch), -1.5 * pull, 1e-12, 0.0);
        within("at the end", force(&law, -3.0 * d, &touch), -5.0 / 6.0 * pull, 1e-7, 0.0);
        assert_eq!(force(&law, -3.1 * d, &touch), 0.0);
        within("at touch", force(&law, 0.0, &touch), -4.0 / 3.0 * pull, 1e-13, 0.0);
        let hard = Dmt::adhesion_energy(w).unwrap().stiffness(touch.stiffness).radius(r);
        within("dmt", force(&hard, f64::MIN_POSITIVE, &touch), -2.0 * pull, 1e-14, 0.0);
        within("dmt", hard.pull_off(&touch), 2.0 * pull, 1e-15, 0.0);
    }
}

/// F = dU/dδ, the derivative is that of the force, and Hertz is the limit of no adhesion.
#[test]
fn energy_force_and_slope_fit() {
    for case in CASES {
        let (law, touch) = jkr(case);
        let d = law.holds_to(&touch) / 3.0;
        for x in [-2.9, -2.0, -0.7, 0.4, 3.0, 40.0] {
            let delta = x * d;
            let h = 1e-3 * d * (x + 3.0);
            let numeric = slope(|delta| law.energy(delta, &touch), delta, h);
            within(
                &format!("{case:?} at {x}"),
                force(&law, delta, &touch),
                numeric,
                1e-9,
                law.pull_off(&touch),
            );
            let c = Indentation { delta: Dual::variable(delta, 0), delta_dot: Dual::variable(0.0, 1) };
            let k = law.force_dual(c, &touch).f_n.eps[0];
            let numeric = slope(|delta| force(&law, delta, &touch), delta, h);
            within(&format!("{case:?} at {x}"), k, numeric, 1e-8, law.pull_off(&touch) / d);
        }
        let none = Jkr::adhesion_energy(0.0).unwrap().stiffness(touch.stiffness).radius(case.2);
        let hertz = touch.stiffness * (1e-3f64 * case.2).powf(1.5);
        within("hertz", force(&none, 1e-3 * case.2, &Touch { floor: 0.0, ..touch }), hertz, 1e-14, 0.0);
    }
}

/// A cycle of approach and separation takes what both jumps lose, −U(touch) + U(release), which is the work of the force around it.
#[test]
fn a_cycle_takes_the_loss_of_the_jumps() {
    for case in CASES {
        let (law, touch) = jkr(case);
        let end = -law.holds_to(&touch);
        let lost = law.energy(end, &touch) - law.energy(0.0, &touch);
        within(&format!("{case:?}"), lost, law.loss(&touch), 1e-12, 0.0);
        // the work of pulling from δ = 0 to the end, by x² = (δ − end)/δ_c, in which the root of the force at the end is smooth
        let n = 400;
        let at = |x: f64| force(&law, end + (0.0 - end) * x * x, &touch) * 2.0 * x * (0.0 - end);
        let simpson = |i: i32| {
            let (a, h) = (f64::from(i) / f64::from(n), 1.0 / f64::from(n));
            h / 6.0 * (at(a) + 4.0 * at(a + 0.5 * h) + at(a + h))
        };
        let work: f64 = -(0..n).map(simpson).sum::<f64>();
        within(&format!("{case:?}"), work, lost, 1e-8, 0.0);
    }
}

/// Maugis' contact whose units are 1 but for λ: w = 1/π, R = 1, K = 1.
fn maugis(lambda: f64) -> (MaugisDugdale, Touch) {
    let law = MaugisDugdale::new(1.0 / PI, 2.0 / (PI * lambda)).unwrap().stiffness(1.0).radius(1.0);
    let touch = Touch::point(1.0, 1.0, 1.0);
    (law, Touch { floor: -law.holds_to(&touch) * (1.0 + 4.0 * f64::EPSILON), ..touch })
}

/// Forces, energies, the largest tension, the end of the contact and the loss of a cycle, against an independent solution of Maugis' equations (`oracles/maugis.py`).
#[test]
fn maugis_equations() {
    let text = include_str!("data/maugis.json");
    let table: serde_json::Value = serde_json::from_str(text).unwrap();
    for row in table["rows"].as_array().unwrap() {
        let number = |row: &serde_json::Value, key: &str| row[key].as_f64().unwrap();
        let lambda = number(row, "lambda");
        let (law, touch) = maugis(lambda);
        let what = |key: &str| format!("λ = {lambda}, {key}");
        within(&what("λ"), law.lambda(&touch), lambda, 1e-14, 0.0);
        within(&what("pull-off"), law.pull_off(&touch), number(row, "pull_off"), 1e-13, 0.0);
        within(&what("end"), -law.holds_to(&touch), number(row, "end"), 1e-13, 0.0);
        within(&what("loss"), law.loss(&touch), number(row, "loss"), 1e-12, 1e-2);
        for at in row["at"].as_array().unwrap() {
            let delta = number(at, "delta");
            within(&what("force"), force(&law, delta, &touch), number(at, "force"), 1e-12, 1.0);
            // (in units of what the whole attraction stores)
            within(&what("energy"), law.energy(delta, &touch), number(at, "energy"), 1e-12, 1.0 / lambda);
        }
    }
}

/// λ → ∞ is `jkr`, λ → 0 is `dmt`: pull-off force, end of the contact and force; and the pull-off force lies between theirs.
#[test]
fn limits_of_maugis() {
    let touch = Touch::point(1.0, 1.0, 1.0);
    let soft = Jkr::adhesion_energy(1.0 / PI).unwrap().stiffness(1.0).radius(1.0);
    let hard = Dmt::adhesion_energy(1.0 / PI).unwrap().stiffness(1.0).radius(1.0);
    let held = Touch { floor: -soft.holds_to(&touch), ..touch };
    let mut last = [f64::INFINITY; 2];
    for lambda in [10.0, 100.0, 1000.0] {
        let (law, touch) = maugis(lambda);
        // the range is part of the indentation: what is left falls with λ⁻² and its like
        let off = (law.pull_off(&touch) - 1.5).abs() + (law.holds_to(&touch) - soft.holds_to(&touch)).abs();
        let forces =
            [-0.9, 0.0, 2.0, 50.0].map(|delta| force(&law, delta, &touch) - force(&soft, delta, &held));
        let worst = forces.iter().fold(0f64, |worst, x| worst.max(x.abs()));
        println!("λ = {lambda}: {off:e}, {worst:e}");
        assert!(off < last[0] / 8.0 && worst < last[1] / 8.0, "λ = {lambda}: {off:e} {worst:e}");
        last = [off, worst];
    }
    assert!(last[0] < 5e-3 && last[1] < 5e-3, "{last:?}");
    last = [f64::INFINITY; 2];
    for lambda in [0.1, 0.01, 1e-3, 1e-4] {
        let (law, held) = maugis(lambda);
        let off = (law.pull_off(&held) - 2.0).abs();
        let forces = [1e-3, 0.3, 1.0].map(|delta| force(&law, delta, &held) - force(&hard, delta, &touch));
        let worst = forces.iter().fold(0f64, |worst, x| worst.max(x.abs()));
        println!("λ = {lambda}: {off:e}, {worst:e}");
        assert!(off < last[0] / 8.0 && worst < last[1] / 2.4, "λ = {lambda}: {off:e} {worst:e}");
        last = [off, worst];
    }
    for i in -40..=40 {
        let (law, touch) = maugis(10f64.powf(f64::from(i) / 10.0));
        let pull = law.pull_off(&touch);
        assert!(pull > 1.5 && pull < 2.0 && law.holds_to(&touch) > law.begins_at(), "{i}: {pull}");
        assert!(law.loss(&touch) > 0.0, "{i}");
    }
    let none = MaugisDugdale::new(0.0, 1e-9).unwrap().stiffness(1.0).radius(1.0);
    assert_eq!((none.begins_at(), force(&none, 4.0, &touch)), (0.0, 8.0));
}

/// F = dU/dδ, and the derivative is that of the force, on both sides of where the contact becomes a point.
#[test]
fn energy_force_and_slope_fit_with_a_range() {
    for lambda in [0.02, 0.3, 0.9, 1.2, 4.0, 30.0] {
        let (law, touch) = maugis(lambda);
        let end = law.holds_to(&touch);
        for part in [0.05, 0.3, 0.7, 0.95, 1.5, 4.0, 20.0] {
            let delta = end * (part - 1.0);
            let h = 2e-3 * end * part.min(1.0);
            let what = format!("λ = {lambda} at {delta}");
            // (one difference across the point contact, where the third derivative leaps, is left out by its two widths)
            let numeric = slope(|delta| law.energy(delta, &touch), delta, h);
            within(&what, force(&law, delta, &touch), numeric, 1e-7, 1.0);
            let c = Indentation { delta: Dual::variable(delta, 0), delta_dot: Dual::variable(0.0, 1) };
            let k = law.force_dual(c, &touch).f_n.eps[0];
            let numeric = slope(|delta| force(&law, delta, &touch), delta, h);
            within(&what, k, numeric, 1e-6, 1.0);
        }
    }
}

/// What friction is told of how slope and stiffness change with the indentation: second derivatives are those of the first ones.
#[test]
fn second_derivatives_with_a_range() {
    for lambda in [0.02, 0.3, 0.9, 1.2, 4.0, 30.0] {
        let (law, touch) = maugis(lambda);
        let end = law.holds_to(&touch);
        for part in [0.07, 0.45, 0.7, 0.95, 1.5, 4.0, 20.0] {
            let delta = end * (part - 1.0);
            let still = |delta: f64| law.still(delta, &touch);
            // (away from where the contact becomes a point, beyond which there is no radius)
            let h = 1e-3 * end * part.min(1.0);
            let smooth = [-3.0, 3.0].map(|i| still(delta + i * h).rigidity.value > 0.0);
            if smooth[0] != smooth[1] {
                continue;
            }
            let what = format!("λ = {lambda} at {delta}");
            let here = still(delta);
            let force = slope(|delta| still(delta).force.rate, delta, h);
            let rigid = slope(|delta| still(delta).rigidity.rate, delta, h);
            within(&what, here.force.second, force, 1e-9, here.force.rate.abs() / end);
            within(&what, here.rigidity.second, rigid, 1e-9, here.rigidity.value / (end * end));
        }
    }
}
