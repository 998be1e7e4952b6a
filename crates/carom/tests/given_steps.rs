//! Forces with kinks and jumps under given steps: changes of branch are located, so that the order is kept, whether or not
//! contacts are located.

use crate::common::near;
use carom::OneSidedSpring;
use carom::prelude::*;

fn run(b: &ModelBuilder, t: f64, h: f64, locate: bool) -> carom::Run {
    let model = b.build().unwrap();
    let simulation = Simulation::new(&model).duration(t).method("verlet").step(h);
    simulation.locate_contacts(locate).run().unwrap()
}

/// A force that jumps where the mass passes x = 0.1 m: the accelerations are constant on both sides, which given steps follow
/// exactly, so that all of the error would be that of a jump passed over.
#[test]
fn a_jump_by_the_state() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::new("mass").mass(2.0).inertia([1.0; 3]).velocity([0.3, 0.0, 0.0]));
    let load = ExternalLoad::default().force_by(["if(mass.x > 0.1, -5, 3)", "0", "0"]).unwrap();
    b.force(Force::on("mass", load));
    let [before, after] = [3.0 / 2.0, -5.0 / 2.0];
    let v = (0.3f64.powi(2) + 2.0 * before * 0.1).sqrt();
    let (passed, t) = ((v - 0.3) / before, 0.31);
    let rest = t - passed;
    let x = 0.1 + v * rest + 0.5 * after * rest * rest;
    for locate in [true, false] {
        for h in [1e-2, 3e-3] {
            let run = run(&b, t, h, locate);
            near(&format!("{h}, {locate}"), run.end.body("mass").unwrap().position.x, x, 1e-11);
            near("work", run.summary.energy.work, 3.0 * 0.1 - 5.0 * (x - 0.1), 1e-11);
        }
    }
}

/// A mass that hangs on a cable and bounces: the closed form of free flight and oscillation, to the order of the method; and the
/// audit is as large as the error of the energy.
#[test]
fn a_kink_keeps_the_order() {
    let (m, k, slack, g) = (2.0f64, 800.0f64, 1.0, 9.81f64);
    let mut b = ModelBuilder::new();
    let fall = 0.05;
    b.body(Body::new("mass").mass(m).inertia([1.0; 3]).position([0.0, 0.0, -slack + fall]));
    b.body(Body::fixed("anchor"));
    b.force(Force::between("mass", "anchor", OneSidedSpring::above(k, slack).unwrap()));
    // down to the slack length, below it about its rest, and up again as it came
    let (drop, omega) = ((2.0 * fall / g).sqrt(), (k / m).sqrt());
    let (rest, speed) = (g / omega.powi(2), (2.0 * g * fall).sqrt());
    let below = 2.0 * (std::f64::consts::PI - (speed / omega).atan2(rest)) / omega;
    let period = 2.0 * drop + below;
    for locate in [true, false] {
        let errors = [2e-3, 1e-3, 5e-4].map(|h| {
            let run = run(&b, 3.0 * period + drop, h, locate);
            let error = (run.end.body("mass").unwrap().position.z + slack).abs();
            (error, run.summary.audit_relative)
        });
        for pair in errors.windows(2) {
            let order = |a: f64, b: f64| (a / b).log2();
            assert!((order(pair[0].0, pair[1].0) - 2.0).abs() < 0.3, "{locate}: {errors:?}");
            assert!((order(pair[0].1, pair[1].1) - 2.0).abs() < 0.3, "{locate}: {errors:?}");
        }
    }
}
