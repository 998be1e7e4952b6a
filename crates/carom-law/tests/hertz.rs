//! The Hertz stiffness over random moduli and curvatures: how it scales, and what bounds it.

use carom_law::hertz::{PointContact, stiffness};
use carom_law::{Material, MaterialPair};
use carom_testkit::within;
use proptest::prelude::*;
use serde_json::Value;

/// The stiffness along both axes of an ellipse, over that along the normal, against Cerruti's solution integrated numerically (`oracles/shear.py`): κ/(1 ± ε).
#[test]
fn ellipses_yield_along_their_axes() {
    let table: Value = serde_json::from_str(include_str!("data/shear.json")).unwrap();
    for row in table["rows"].as_array().unwrap() {
        let material = |key: &str| {
            let [g, nu] = [0, 1].map(|i| row[key][i].as_f64().unwrap());
            Material::new(key).youngs_modulus(2.0 * g * (1.0 + nu)).poisson_ratio(nu)
        };
        let [a, b] = ["a", "b"].map(material);
        let pair = MaterialPair::new(&a, &b);
        let shape = PointContact::new(1.0, 1.0, row["ratio"].as_f64().unwrap()).unwrap();
        let (kappa, epsilon) =
            (pair.stiffness_ratio().unwrap(), pair.shear_contrast().unwrap() * shape.elongation());
        within("along", kappa / (1.0 + epsilon), row["along"].as_f64().unwrap(), 1e-13, 0.0);
        within("across", kappa / (1.0 - epsilon), row["across"].as_f64().unwrap(), 1e-13, 0.0);
    }
    // of a line 1 − ν along it and 1 across
    let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3);
    let pair = MaterialPair::new(&steel, &steel);
    let (kappa, epsilon) = (pair.stiffness_ratio().unwrap(), pair.shear_contrast().unwrap());
    within("line", kappa / (1.0 + epsilon), 0.7, 1e-14, 0.0);
    within("line", kappa / (1.0 - epsilon), 1.0, 1e-14, 0.0);
}

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
