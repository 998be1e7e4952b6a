//! Pressure where derivatives of the depth leap: on the planes of symmetry of superellipsoids, superovoids and supertori whose exponents are no even numbers, and where the barrel of a capsule ends.

use std::sync::Arc;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::pairs::{self, pressure::Pressure};
use carom_geometry::surfaces::{Capsule, Cuboid, Sphere, Superellipsoid, Superovoid, Supertorus, Torus};
use carom_geometry::{Project, Shape, Side, Surface};

use carom_testkit::one_in;

use crate::pressure::{load, points, stored};

fn outside(surface: impl Surface + 'static) -> Shape {
    Shape { surface: Arc::new(surface), side: Side::Outside }
}

/// Force, torque and energy at the accuracy that is usual, against those at a thousandth of it; the depth is measured in either solid.
fn as_accurate_as_asked(name: &str, a: &Shape, b: &Shape, x_b: &Pose, allowed: f64) {
    for weights in [[1.0, 0.0], [0.0, 1.0]] {
        let at = |accuracy: f64| {
            let solver = Pressure::new(weights).unwrap().with_accuracy(accuracy);
            let pair = pairs::bind_by(&solver, a, b).unwrap();
            let (force, torque) = load(&points(&*pair, &Pose::identity(), x_b));
            (force, torque, stored(&*pair, &Pose::identity(), x_b))
        };
        let (usual, fine) = (at(1e-10), at(1e-13));
        let (force, size) = (fine.0.norm(), x_b.p.norm());
        assert!(force > 0.0, "{name}: they do not touch");
        let errors = [
            (usual.0 - fine.0).norm() / force,
            (usual.1 - fine.1).norm() / (force * size),
            (usual.2 / fine.2 - 1.0).abs(),
        ];
        assert!(errors.iter().all(|e| *e < allowed), "{name} {weights:?}: {errors:?}");
    }
}

#[test]
fn integrals_over_seams_are_as_accurate_as_asked() {
    let turn = Quat::from_scaled_axis(Vec3::new(0.02, 0.03, 0.01));
    let stone = |g: [f64; 3]| outside(Superellipsoid::new([0.2, 0.15, 0.1], g).unwrap());
    for (g, z) in [([3.0, 3.0, 3.0], 0.195), ([4.0, 3.0, 2.5], 0.195)] {
        let x_b = Pose::new(Vec3::new(0.02, 0.01, z), &turn);
        as_accurate_as_asked("two superellipsoids", &stone(g), &stone(g), &x_b, 1e-10);
    }
    let egg = |g: [f64; 2]| outside(Superovoid::new([0.2, 0.15, 0.1], g, 0.3).unwrap());
    let bowl = Shape { surface: Arc::new(Sphere::new(0.25).unwrap()), side: Side::Inside };
    // (their closest points half way up lie on no plane, and powers of their own area are rough along the same line)
    for (g, x) in
        one_in(4, [([3.0, 2.0], 0.033), ([4.0, 2.0], 0.025), ([2.5, 3.0], 0.045), ([2.0, 3.0], 0.055)])
    {
        let ([by_bowl, by_egg], name) = ([[x, 0.01, 0.0], [0.02, 0.01, 0.195]], "superovoid");
        as_accurate_as_asked(name, &egg(g), &bowl, &Pose::new(Vec3::from(by_bowl), &turn), 1e-10);
        as_accurate_as_asked(name, &egg(g), &egg(g), &Pose::new(Vec3::from(by_egg), &turn), 1e-10);
    }
    let link = outside(Supertorus::new(0.2, [0.05, 0.06], [4.0, 3.0]).unwrap());
    let brick = outside(Cuboid::new([0.6, 0.6, 0.1]).unwrap());
    as_accurate_as_asked("supertorus on a box", &brick, &link, &Pose::new(Vec3::z() * 0.112, &turn), 1e-10);
    let (ring, pill) = (outside(Torus::new(0.2, 0.05).unwrap()), outside(Capsule::new(0.05, 0.1).unwrap()));
    let lying = Quat::from_scaled_axis(Vec3::new(0.1, 1.4, 0.2));
    as_accurate_as_asked(
        "capsule on a torus",
        &ring,
        &pill,
        &Pose::new(Vec3::new(0.16, 0.0, 0.085), &lying),
        1e-10,
    );
}

/// The third derivative of the distance across a seam leaps where the exponent is 3; beside the seam it does not.
#[test]
fn seams_are_where_derivatives_leap() {
    let link = Supertorus::new(0.2, [0.05, 0.06], [3.0, 3.0]).unwrap();
    let stone = Superellipsoid::new([0.2, 0.15, 0.1], [3.0; 3]).unwrap();
    let egg = Superovoid::new([0.2, 0.15, 0.1], [3.0; 2], 0.3).unwrap();
    let by_link = [[0.01, 0.26, 0.03], [0.26, 0.01, 0.03], [0.2, 0.19, 0.01], [0.16, 0.14, 0.08]];
    let by_stone = [[0.01, 0.14, 0.11], [0.19, 0.01, 0.1], [0.18, 0.14, 0.01]];
    let cases: [(&dyn Project, &[[f64; 3]]); 3] = [(&link, &by_link), (&stone, &by_stone), (&egg, &by_stone)];
    for (surface, places) in cases {
        assert!(surface.seam(places.len(), &Vec3::zeros()).is_none());
        for (k, place) in places.iter().enumerate() {
            let mut on = Vec3::from(*place);
            for _ in 0..50 {
                let (value, slope) = surface.seam(k, &on).unwrap();
                // it changes by no more than the way
                assert!(slope.norm() <= 1.0 + 1e-12);
                on -= slope * (value / slope.norm_squared());
            }
            let e = surface.seam(k, &on).unwrap().1.normalize();
            let third = |at: Vec3, h: f64| {
                let d = |t: f64| surface.closest_point(Side::Outside, 0, &(at + e * t)).d;
                ((d(2.0 * h) - d(-2.0 * h)) - 2.0 * (d(h) - d(-h))) / (2.0 * h * h * h)
            };
            // on both sides, as near as differences of four places go
            let h = 2e-4;
            let leap = |at: Vec3| (third(at + e * (2.5 * h), h) - third(at - e * (2.5 * h), h)).abs();
            let (here, beside) = (leap(on), leap(on + e * 0.01));
            assert!(here > 5.0 * beside, "{} {k}: {here:e} {beside:e}", surface.kind());
        }
    }
}
