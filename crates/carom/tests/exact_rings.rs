//! The continuous ring on a plane under every kind of law: its forces against integrals of our own, its energy, its peaks.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use crate::common::{close, near};
use carom::Summary;
use carom::law::Normal;
use carom::law::normal::{KelvinVoigt, Ristow, Tsuji};
use carom::prelude::*;

const MAJOR: f64 = 0.1;
const MINOR: f64 = 0.01;
const TILT: f64 = 0.4;

/// The ring with its centre at that height over the table, sinking at that speed.
fn model(law: &Arc<dyn Normal>, z: f64, speed: f64) -> Model {
    let mut b = ModelBuilder::new();
    let turn = Quat::from_axis_angle(&Vec3::x_axis(), TILT);
    let ring =
        Body::new("ring").mass(0.1).inertia([5e-4, 5e-4, 1e-3]).surface(Torus::new(MAJOR, MINOR).unwrap());
    b.body(ring.position([0.0, 0.0, z]).orientation(turn).velocity([0.0, 0.0, -speed]));
    b.body(Body::fixed("table").surface(Plane));
    let rule = ContactRule::between("ring", "table").normal_arc(law.clone()).may_start_deep();
    b.contact(rule.solver(Slices::exact(1e-9).unwrap()));
    b.build().unwrap()
}

fn run(model: &Model, duration: f64) -> (Recording, Summary) {
    let mut r = Recording::default();
    let sim = Simulation::new(model).duration(duration).method("dop853").rtol(1e-11);
    let summary = sim.output(Output::Every(duration / 50.0)).run_into(&mut r).unwrap().summary;
    (r, summary)
}

/// ∫ f(δ) dψ/2π over what is in the table, by double exponentials, which mind no power at the ends: ψ = ψ₀ tanh(½π sinh t).
fn over_patch(z: f64, f: impl Fn(f64) -> f64) -> f64 {
    let rho = TILT.sin();
    let depth = |psi: f64| MAJOR * rho * psi.cos() + MINOR * (1.0 - (rho * psi.sin()).powi(2)).sqrt() - z;
    let (mut low, mut high) = (0.0, PI);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        *(if depth(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    let h = 1.0 / 64.0;
    let term = |k: i32| {
        let (sinh, cosh) = (0.5 * PI * (h * f64::from(k)).sinh(), 0.5 * PI * (h * f64::from(k)).cosh());
        f(depth(low * sinh.tanh()).max(0.0)) * cosh / sinh.cosh().powi(2)
    };
    (-256..=256).map(term).sum::<f64>() * h * low / TAU
}

/// K with which all powers are as stiff at a millimetre.
fn stiffness(n: f64) -> f64 {
    1e6 * 1e-3f64.powf(1.5 - n)
}

/// The normal force right at the start.
fn force(model: &Model) -> f64 {
    run(model, 1e-9).0.frames[0].contacts.iter().map(|c| c.f_n).sum()
}

const POWERS: [f64; 6] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0];

/// The force of a ring pressed in, in the tolerance of its slices whatever the exponent; and none of its energy is lost in an impact.
#[test]
fn every_exponent() {
    for n in POWERS {
        let k = stiffness(n);
        let law: Arc<dyn Normal> = Arc::new(Hertz::new().stiffness(k).exponent(n));
        let want = k * over_patch(0.045, |delta| delta.powf(n));
        close(&format!("force with exponent {n}"), force(&model(&law, 0.045, 0.0)), want, 1e-9);
        let (_, summary) = run(&model(&law, 0.05, 0.5), 0.1);
        assert!(summary.contacts > 0 && summary.audit_relative < 1e-9, "exponent {n}: {summary}");
    }
}

/// A dashpot beside the spring, of another power: none at all (kelvin-voigt, ristow), a quarter (tsuji), a half (kuwabara-kono). All slices sink at one speed.
#[test]
fn every_dashpot() {
    let (speed, d) = (0.3, 20.0);
    let laws: [(Arc<dyn Normal>, f64, f64); 4] = [
        (Arc::new(KelvinVoigt::damping(d).unwrap().stiffness(stiffness(1.0))), 1.0, 0.0),
        (Arc::new(Ristow::damping(d).unwrap().stiffness(stiffness(1.5))), 1.5, 0.0),
        (Arc::new(Tsuji::damping(d).unwrap().stiffness(stiffness(1.5))), 1.5, 0.25),
        (Arc::new(HuntCrossley::damping(0.3).unwrap().stiffness(stiffness(1.5))), 1.5, 1.5),
    ];
    for (law, n, p) in laws {
        let k = stiffness(n);
        let damping = if p == n { 0.3 * k } else { d };
        let want = over_patch(0.045, |delta| k * delta.powf(n) + damping * delta.powf(p) * speed);
        let what = law.name();
        close(what, force(&model(&law, 0.045, speed)), want, 1e-9);
        let (_, summary) = run(&model(&law, 0.05, 0.5), 0.1);
        assert!(summary.contacts > 0 && summary.audit_relative < 1e-9, "{what}: {summary}");
    }
}

/// A release tells the largest force of the whole ring since its touch, which for one touch is that of the run.
#[test]
fn a_release_has_the_peak_of_the_ring() {
    let law: Arc<dyn Normal> = Arc::new(Hertz::new().stiffness(1e6));
    let (r, summary) = run(&model(&law, 0.05, 0.5), 0.1);
    let releases: Vec<&Event> = r.events.iter().filter(|e| e.kind == EventKind::Release).collect();
    assert!(!releases.is_empty() && releases.iter().all(|e| e.feature == "ring" && e.peak_force > 0.0));
    let largest = releases.iter().map(|e| e.peak_force).fold(0.0, f64::max);
    let touching = r.events.iter().filter(|e| e.kind == EventKind::Touch).count() > releases.len();
    assert!(!touching);
    close("peak", largest, summary.peak_force, 1e-15);
    // the deepest moment has the largest force, if the ring hardly turns; in any case no recorded force is larger
    let recorded = r.frames.iter().map(|f| f.contacts.iter().map(|c| c.f_n).sum::<f64>()).fold(0.0, f64::max);
    assert!(recorded > 0.0 && recorded <= largest * (1.0 + 1e-12), "{recorded} {largest}");
    near(
        "deepest",
        releases.iter().map(|e| e.max_indentation).fold(0.0, f64::max),
        summary.max_indentation,
        0.0,
    );
}
