//! Tori against smooth convex solids, by search along the ring.

use std::f64::consts::TAU;

use crate::common::{cases, pose};
use carom_geometry::surfaces::{Ellipsoid, Sphere, Superellipsoid, Torus};
use carom_geometry::{Pose, Shape, Side, Vec3, pairs};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn no_point_of_the_ring_is_nearer(x_a in pose(0.5), x_b in pose(1.0)) {
        let ring = Torus::new(0.8, 0.1).unwrap();
        let solids = [
            Shape::outside(Ellipsoid::new([0.5, 0.2, 0.9]).unwrap()),
            Shape::outside(Superellipsoid::new([0.4, 0.3, 0.6], [6.0, 3.0, 4.0]).unwrap()),
            Shape::outside(Superellipsoid::barr([0.4, 0.5, 0.2], [5.0, 2.5]).unwrap()),
        ];
        for solid in solids {
            let pair = pairs::bind(&solid, &Shape::outside(ring)).unwrap();
            let c = pair.contact(0, &x_a, &x_b).unwrap();
            let project = solid.surface.as_project().unwrap();
            let gap = |phi: f64| {
                let centre = x_b.point(&Vec3::new(0.8 * phi.cos(), 0.8 * phi.sin(), 0.0));
                project.closest_point(Side::Outside, 0, &x_a.point_to_local(&centre)).d - 0.1
            };
            let coarse = (0..2000).map(|i| TAU * f64::from(i) / 2000.0).min_by(|a, b| gap(*a).total_cmp(&gap(*b)));
            let (mut phi, mut step) = (coarse.unwrap(), TAU / 2000.0);
            while step > 1e-9 {
                let next = [phi - step, phi + step].into_iter().min_by(|a, b| gap(*a).total_cmp(&gap(*b))).unwrap();
                if gap(next) < gap(phi) { phi = next } else { step *= 0.5 }
            }
            // nothing is nearer than what was found, and what was found is on the ring (at a kink the search stops 1e-9 rad off)
            let name = solid.describe();
            prop_assert!(gap(phi) > -c.delta - 1e-12, "{}: {} {}", name, gap(phi), -c.delta);
            let place = x_b.point_to_local(&(c.p_b - c.n * -0.1));
            let at = gap(place.y.atan2(place.x));
            prop_assert!((place.norm() - 0.8).abs() < 1e-12 && (at + c.delta).abs() < 1e-12, "{}", name);
        }
    }
}

#[test]
fn a_round_ellipsoid_is_a_ball() {
    let ring = Shape::outside(Torus::new(0.8, 0.1).unwrap());
    let ball = pairs::bind(&ring, &Shape::outside(Sphere::new(0.3).unwrap())).unwrap();
    let egg = pairs::bind(&ring, &Shape::outside(Ellipsoid::new([0.3; 3]).unwrap())).unwrap();
    for at in [Vec3::new(0.3, 0.1, 0.2), Vec3::new(1.1, -0.4, 0.3), Vec3::new(0.1, 0.6, -0.5)] {
        let [c, d] = [&ball, &egg].map(|pair| pair.contact(0, &Pose::identity(), &Pose::at(at)).unwrap());
        assert!((c.delta - d.delta).abs() < 1e-14 && (c.p_a - d.p_a).norm() < 1e-12, "{at}");
        let [c, d] = [&ball, &egg].map(|pair| pair.curvature(0, &Pose::identity(), &Pose::at(at)));
        assert!((c.k_max - d.k_max).abs() < 1e-11 && (c.k_min - d.k_min).abs() < 1e-11, "{at}");
    }
}
