//! Tests that the audit of overlaps takes worn walls as they are.

use carom_law::normal::Hertz;

use super::Audit;
use crate::forward::kinematics;
use crate::system::{StepPolicy, System};
use crate::{Body, Clearance, Joint, Model, ModelBuilder, Overlaps, Revolute, Wear};

const GAP: f64 = 0.5e-3;

/// Two shafts, each in the middle of its own bearing; the first bearing wears, with feedback or without.
fn model(length: Option<f64>, feedback: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("housing"));
    for (name, x) in [("worn", 0.0), ("sound", 1.0)] {
        b.body(Body::new(name).mass(1.0).inertia([1e-4; 3]).position([x, 0.0, 0.0]));
        let joint = Joint::between(name, "housing", Revolute).named(name).at([x, 0.0, 0.0]);
        let mut pin = Clearance::new(joint.axis([0.0, 0.0, 1.0]), GAP).radius(9.5e-3);
        pin = pin.normal(Hertz::new().stiffness(1e9));
        if let Some(length) = length {
            pin = pin.length(length);
        }
        if name == "worn" {
            let wear = Wear::coefficient(1e-9).length(0.02).sectors(12);
            pin = pin.wear(if feedback { wear } else { wear.without_feedback() });
        }
        b.clearance(pin);
    }
    b.build().unwrap()
}

/// Audits a state that the contacts have not seen: a shaft lies 1 mm deep in the wall as it was made, while the wall of the
/// worn bearing has lost 2 mm all round.
fn audited(length: Option<f64>, feedback: bool, shaft: &str) -> Overlaps {
    let model = model(length, feedback);
    let mut system = System::new(&model, StepPolicy::Located, 1.0).unwrap();
    let mut y = system.start(0.0, model.world.initial_state());
    let place = model.moving_bodies().position(|name| name == shaft).unwrap();
    y[model.world.layout.rigid_rows(place).position(1)] -= GAP + 1e-3;
    model.world.layout.others_mut(&mut y).depths.fill(2e-3);
    kinematics(&model, 0.0, &y, &mut system.ws);
    let mut audit = Audit::new(&model);
    audit.look(&(&system, &y[..]), 0.0);
    audit.result(&model)
}

/// A shaft that lies where its wall was worn off overlaps nothing. A wall that wears without feedback has not receded, and
/// the wear of one bearing excuses no overlap in another.
#[test]
fn only_a_wall_that_has_receded_accounts_for_an_overlap() {
    for length in [None, Some(0.02)] {
        let in_groove = audited(length, true, "worn");
        assert!(in_groove.deepest.is_none() && in_groove.unaccounted.is_none(), "{in_groove:?}");
        for missed in [audited(length, false, "worn"), audited(length, true, "sound")] {
            let unaccounted = missed.unaccounted.expect("nobody knows of this overlap");
            assert!((unaccounted.depth - 1e-3).abs() < 1e-12, "{unaccounted:?}");
        }
    }
}
