//! A plug in an O-ring: pressure over a patch that goes all round.

use carom::geometry::{Pose, Shape, pairs};
use carom::prelude::*;

fn ring() -> Torus {
    Torus::new(0.2, 0.05).unwrap()
}

/// A plug that is narrower below.
fn plug() -> Cone {
    Cone::new(0.12, 0.28, 0.16).unwrap()
}

/// Force and energy of the plug in the ring, coaxial, per stiffness, with the depth measured in either: against ∫ d dV in the half plane of the radius and the height, by SciPy (nested `quad`, to 1e-11), and its central differences, extrapolated.
#[test]
fn a_plug_in_an_o_ring_presses_as_the_integral_over_the_volume_says() {
    let cases = [
        (0.065, [1.0, 0.0], 1.7928010247963545e-07, 7.8204907810141e-05),
        (0.065, [0.0, 1.0], 1.8053844780133656e-07, 7.8988367013379e-05),
        (0.07, [1.0, 0.0], 9.867242529823573e-10, 3.4696947430150e-06),
        (0.07, [0.0, 1.0], 9.875389997979818e-10, 3.4737152771033e-06),
    ];
    for (z, weights, energy, force) in cases {
        let solver = Pressure::new(weights).unwrap();
        let (a, b) = (Shape::outside(ring()), Shape::outside(plug()));
        let pair = pairs::bind_by(&solver, &a, &b).unwrap();
        let patch = pair.patch().unwrap();
        let (x_a, x_b) = (Pose::identity(), Pose::at(Vec3::z() * z));
        let stored = patch.stored(&x_a, &x_b).unwrap();
        let mut points = Vec::new();
        patch.points(&x_a, &x_b, &mut points).unwrap();
        let sum: Vec3 = points.iter().map(|c| c.n * (c.share * c.delta)).sum();
        assert!((stored / energy - 1.0).abs() < 1e-9, "{z} {weights:?}: {stored:e} {energy:e}");
        assert!((sum - Vec3::z() * force).norm() < 1e-9 * force, "{z} {weights:?}: {sum:?} {force:e}");
    }
}
