//! The Hertz stiffness over random moduli and curvatures: how it scales, and what bounds it.

use carom_law::hertz::{PointContact, stiffness};
use proptest::prelude::*;

fn powers(lo: f64, hi: f64) -> impl Strategy<Value = f64> {
    (lo..hi).prop_map(|p| 10f64.powf(p))
}

proptest! {
    #[test]
    fn it_scales_as_its_units_say(e_star in powers(3.0, 12.0), k_1 in powers(-4.0, 6.0),
                                  ratio in powers(0.0, 8.0), s in powers(-3.0, 3.0)) {
        let k_2 = k_1 * ratio;
        let k = stiffness(e_star, k_1, k_2).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-13 * b;
        prop_assert_eq!(k, stiffness(e_star, k_2, k_1).unwrap());
        prop_assert!(near(stiffness(s * e_star, k_1, k_2).unwrap(), s * k));
        prop_assert!(near(stiffness(e_star, s * k_1, s * k_2).unwrap(), k / s.sqrt()));
    }

    /// Between the balls of the two curvatures.
    #[test]
    fn it_lies_between_the_circles(k_1 in powers(-4.0, 6.0), ratio in powers(0.0, 10.0)) {
        let k_2 = k_1 * ratio;
        let circle = |k: f64| 4.0 / 3.0 / k.sqrt();
        let k = stiffness(1.0, k_1, k_2).unwrap();
        prop_assert!(k <= circle(k_1) * (1.0 + 1e-14) && k >= circle(k_2) * (1.0 - 1e-14));
    }

    /// The ellipse lies along the smaller curvature, and the load of its pressure is the force.
    #[test]
    fn the_ellipse_carries_the_load(k_1 in powers(-2.0, 4.0), ratio in powers(0.0, 6.0),
                                    delta in powers(-9.0, -3.0)) {
        let contact = PointContact::new(1e9, k_1, k_1 * ratio).unwrap();
        let (a, b) = contact.semi_axes(delta);
        prop_assert!(b <= a && b > 0.0);
        let load = 2.0 / 3.0 * std::f64::consts::PI * contact.peak_pressure(delta) * a * b;
        let force = contact.stiffness() * delta.powf(1.5);
        prop_assert!((load - force).abs() <= 1e-13 * force);
    }
}
