//! Forces and couples in a worn bearing are equal and opposite: their sums over all bodies are zero to rounding error.

use crate::prelude::{Body, Clearance, Hertz, Joint, ModelBuilder, Revolute, Tanh, Wear};
use crate::system::{StepPolicy, System};
use crate::workspace::Balance;

/// Returns all forces between bodies in a state, including those on fixed and prescribed bodies.
fn balance(system: &mut System<'_>, t: f64, y: &[f64]) -> Balance {
    system.ws.loads.audit = true;
    system.rates(t, y, &mut vec![0.0; y.len()]).unwrap();
    system.ws.loads.audit = false;
    system.ws.balance
}

/// A worn bearing draws its journal towards its deepest wear: its force on the journal and the journal's force on it
/// are opposite.
#[test]
fn a_worn_bearing() {
    for length in [None, Some(0.02)] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let (gap, depth) = (0.5e-3, 2e-6);
        b.body(
            Body::new("housing").mass(0.7).inertia([1e-3, 2e-3, 1.5e-3]).angular_velocity([0.1, -0.2, 3.0]),
        );
        let shaft = Body::new("shaft").mass(0.3).inertia([1e-4; 3]).angular_velocity([0.3, 0.1, 40.0]);
        b.body(shaft.position([0.6 * (gap + depth), -0.8 * (gap + depth), 0.0]).velocity([0.01, 0.02, 0.0]));
        let joint =
            Joint::between("shaft", "housing", Revolute).points([0.0; 3], [0.0; 3]).axis([0.0, 0.0, 1.0]);
        let mut pin = Clearance::new(joint, gap).radius(9.5e-3).normal(Hertz::new().stiffness(1e9));
        if let Some(length) = length {
            pin = pin.length(length);
        }
        let wear = Wear::coefficient(1e-9).length(0.02).sectors(12);
        b.clearance(pin.wear(wear).friction(Tanh::new(0.2, 10.0).unwrap()));
        let model = b.build().unwrap();
        let mut system = System::new(&model, StepPolicy::Located, 1.0).unwrap();
        let mut y = system.start(0.0, model.world.initial_state());
        let depths = model.world.layout.others_mut(&mut y).depths;
        depths.iter_mut().enumerate().for_each(|(i, h)| *h = 1e-6 * (1.0 + (2.0 * i as f64).sin()));
        let Balance { sums, amounts } = balance(&mut system, 0.0, &y);
        for (sum, size) in sums.iter().zip(amounts) {
            assert!(sum.norm() <= 1e-14 * size, "{size:e} sum to {:e}", sum.norm());
        }
        assert!(amounts[0] > 1.0, "nothing is pressed");
    }
}
