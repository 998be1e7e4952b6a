//! Laws with adhesion: pull-off forces, the branch that is stable, and what jumps lose.

use std::f64::consts::PI;

use crate::common::slope;
use carom_base::Dual;
use carom_law::normal::{Dmt, Jkr};
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
