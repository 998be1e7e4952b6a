//! What is inside: the pattern as bodies touch, pairs without derivatives, the balance of a worn bearing. The Jacobian itself is compared with differences in `tests/derivatives`.

mod balance;
mod plain;

use carom_geometry::surfaces::Sphere;
use carom_law::normal;

use crate::system::{StepPolicy, System};
use crate::{Body, ContactRule, ModelBuilder};

/// Bodies that touch for the first time change the pattern; those that touch again do not.
#[test]
fn the_pattern_grows() {
    let mut b = ModelBuilder::new();
    for i in 0..4 {
        let ball = Body::new(&format!("ball{i}")).mass(0.1).surface(Sphere::new(0.02).unwrap());
        b.body(ball.position([0.05 * f64::from(i), 0.0, 0.0]));
    }
    b.contact(ContactRule::between("*", "*").normal(normal::Hertz::new().stiffness(1e6)));
    let model = b.build().unwrap();
    let system = System::new(&model, StepPolicy::Located, 1.0).unwrap();
    let pair =
        |a: usize, b: usize| system.monitor.pairs.iter().find(|s| (s.body_a, s.body_b) == (a, b)).into_iter();
    let mut coupled = super::Coupled::default();
    let alone = coupled.sparsity(&model, 0, &[]).entries();
    coupled.cover(&model, pair(0, 1));
    assert_eq!(coupled.version(), 1);
    let one = coupled.sparsity(&model, 0, &[]).entries();
    // two blocks of 6 accelerations by x, v and ω; orientations of balls do not matter
    assert_eq!(one - alone, 2 * 6 * 9);
    coupled.cover(&model, pair(0, 1));
    coupled.cover(&model, [].into_iter());
    assert_eq!((coupled.version(), coupled.sparsity(&model, 0, &[]).entries()), (1, one));
    coupled.cover(&model, pair(2, 3));
    assert_eq!((coupled.version(), coupled.sparsity(&model, 0, &[]).entries()), (2, one + 2 * 6 * 9));
}
