//! Plain runs: only the error estimate of the method limits the steps.

use carom::law::friction::Dahl;
use carom::prelude::*;
use carom::{Run, Warning};

const DROP: f64 = 0.1;

/// A ball dropped from a height onto an elastic floor.
fn bouncing() -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, DROP + 0.02]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e7)));
    b.build().unwrap()
}

/// A bullet in front of a sheet that it would stop at.
fn bullet() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("bullet").mass(0.01).velocity([100.0, 0.0, 0.0]).surface(Sphere::new(0.005).unwrap()));
    let sheet = Body::fixed("sheet").position([5.0, 0.0, 0.0]);
    b.body(sheet.surface(Cuboid::new([0.002, 1.0, 1.0]).unwrap()));
    b.contact(ContactRule::between("bullet", "sheet").normal(Hertz::new().stiffness(1e9)));
    b.build().unwrap()
}

fn is_plain(run: &Run) -> bool {
    run.summary.warnings.iter().any(|w| w.warning == Warning::PlainSteps)
}

/// With a tolerance that resolves the impact, a plain run finds the motion of a located one, by every kind of method: its error falls with the tolerance.
#[test]
fn a_plain_run_converges_to_the_located_one() {
    let model = bouncing();
    let exact = Simulation::new(&model).duration(0.3).rtol(1e-12).run().unwrap();
    let height = |run: &Run| run.end.body("ball").unwrap().position.z;
    for method in ["ode45", "ode113", "dop853", "ode15s"] {
        let off = |rtol: f64| {
            let run =
                Simulation::new(&model).duration(0.3).method(method).rtol(rtol).plain(true).run().unwrap();
            assert!(is_plain(&run) && run.summary.touches == exact.summary.touches, "{method}");
            (height(&run) - height(&exact)).abs()
        };
        let (coarse, fine) = (off(1e-5), off(1e-9));
        assert!(fine < 1e-6 && fine < 0.1 * coarse, "{method}: {coarse:e}, {fine:e}");
    }
}

/// The steps of a plain run are those of the method alone: in free flight, which explicit methods integrate without error, a step spans the whole run
/// up to `max_step`, past a sheet that all other runs meet.
#[test]
fn only_a_plain_run_passes_through() {
    let model = bullet();
    let velocity = |sim: &Simulation<'_>| sim.run().unwrap().end.body("bullet").unwrap().velocity.x;
    let sim = Simulation::new(&model).duration(0.1).method("ode45").rtol(1e-3);
    for safe in [sim.clone(), sim.clone().locate_contacts(false)] {
        assert!((velocity(&safe) + 100.0).abs() < 1.0);
        assert!(!is_plain(&safe.run().unwrap()));
    }
    let plain = sim.plain(true);
    assert_eq!(velocity(&plain), 100.0);
    let run = plain.run().unwrap();
    assert!(is_plain(&run) && run.summary.touches == 0);
    // `carom check` says it beforehand
    assert!(plain.start_warnings().unwrap().contains(&Warning::PlainSteps));
    // short steps see the sheet
    assert!(velocity(&plain.max_step(1e-6)) < 0.0);
}

/// Fixed steps are not shortened in contact.
#[test]
fn fixed_steps_stay_as_they_are() {
    let model = bouncing();
    let run = |plain: bool| {
        let sim = Simulation::new(&model).duration(0.2).method("verlet").step(1e-3).locate_contacts(false);
        sim.plain(plain).run().unwrap().summary.stats.steps
    };
    assert_eq!(run(true), 200);
    assert!(run(false) > 210);
}

/// An overlap at an output time that no step has seen is reported all the same.
#[test]
fn the_overlap_audit_looks_on() {
    let model = bullet();
    let sim = Simulation::new(&model).duration(0.1).method("ode45").rtol(1e-3).plain(true);
    // at 50 ms the bullet is in the middle of the sheet
    let run = sim.output(Output::At(vec![0.05, 0.1])).run().unwrap();
    let deepest = run.summary.overlaps.deepest.unwrap();
    assert!((deepest.depth - 0.006).abs() < 1e-9 && deepest.t == 0.05, "{deepest:?}");
}

/// Friction that remembers begins at a touch, which a plain run does not know.
#[test]
fn friction_with_memory_is_refused() {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.03]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    let rule = ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e7));
    b.contact(rule.friction(Dahl::new(0.3, 1e5).unwrap()));
    let model = b.build().unwrap();
    let refused = Simulation::new(&model).plain(true).run().unwrap_err().to_string();
    assert!(refused.contains("plain") && refused.contains("remember"), "{refused}");
    // and so are more pairs than can all be evaluated
    let refused = Simulation::new(&bouncing()).plain(true).eager_pairs(0).run().unwrap_err().to_string();
    assert!(refused.contains("plain") && refused.contains("pairs"), "{refused}");
}
