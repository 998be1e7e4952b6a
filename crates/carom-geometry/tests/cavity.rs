//! Smooth solids in cavities, against search over the solid's surface.

use crate::common::{cases, meshes, pose};
use carom_geometry::surfaces::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Superellipsoid, Superovoid,
};
use carom_geometry::{GeometryError, Pose, Seed, Shape, Side, Support, Surface, Vec3, pairs};
use carom_testkit::Random;
use proptest::prelude::*;

fn cavities() -> [Shape; 6] {
    [
        Shape::inside(Sphere::new(2.0).unwrap()),
        Shape::inside(Ellipsoid::new([2.2, 1.8, 2.0]).unwrap()),
        Shape::inside(Cylinder::new(1.9, 4.0).unwrap()),
        Shape::inside(Cone::new(2.2, 1.7, 4.0).unwrap()),
        Shape::inside(Capsule::new(1.8, 1.0).unwrap()),
        Shape::inside(Cuboid::new([4.0, 3.6, 4.4]).unwrap()),
    ]
}

/// A mesh has many facets, each of them flat: an egg in it must not be bound to the first that is seen, as if it were the only wall.
#[test]
fn a_facet_of_a_mesh_is_no_wall() {
    let egg = Shape::outside(Ellipsoid::new([0.2, 0.2, 0.3]).unwrap());
    for triangles in [meshes::brick([-1.0; 3], [1.0; 3]), meshes::ball(2.0, 2), meshes::octahedron(1.5)] {
        let cavity = Shape::inside(meshes::mesh(&triangles));
        assert!(matches!(pairs::bind(&cavity, &egg), Err(GeometryError::NoPair { .. })));
        // its distance is that from the nearest of all facets
        let pair = pairs::bind_for_query(&cavity, &egg).unwrap();
        let [left, right] = [-0.4, 0.4]
            .map(|x| pair.closest(&Pose::identity(), &Pose::at(Vec3::new(x, 0.0, 0.0))).unwrap().delta);
        assert!(left < 0.0 && (left - right).abs() < 1e-9, "{left} {right}");
    }
}

/// The least distance from a wall over the surface: the best of a grid of directions, uphill from there.
fn searched(cavity: &Shape, wall: usize, solid: &dyn Support, x_a: &Pose, x_b: &Pose) -> f64 {
    let project = cavity.surface.as_project().unwrap();
    let d = |m: &Vec3| {
        let p = x_b.point(&solid.support(m));
        project.closest_point(Side::Inside, wall, &x_a.point_to_local(&p)).d
    };
    let mut best = (f64::INFINITY, Vec3::z());
    for i in 0..40 {
        for j in 0..20 {
            let (phi, z) = (0.157 * f64::from(i), 0.1 * (f64::from(j) + 0.5) - 1.0);
            let r = (1.0 - z * z).sqrt();
            let m = Vec3::new(r * phi.cos(), r * phi.sin(), z);
            if d(&m) < best.0 {
                best = (d(&m), m);
            }
        }
    }
    let mut step = 0.1;
    while step > 1e-9 {
        let around = (0..6).map(|k| best.1 + Vec3::ith(k / 2, if k % 2 == 0 { step } else { -step }));
        let next =
            around.map(|m| m.normalize()).map(|m| (d(&m), m)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        if next.0 < best.0 - 1e-16 {
            best = next;
        } else {
            step *= 0.5;
        }
    }
    best.0
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_nearest_point_to_a_wall(x_a in pose(1.0), offset in pose(1.6)) {
        let egg = Ellipsoid::new([0.35, 0.25, 0.3]).unwrap();
        for cavity in cavities() {
            let pair = pairs::bind(&cavity, &Shape::outside(egg)).unwrap();
            let x_b = x_a.then(&offset);
            for wall in 0..pair.features() {
                let c = pair.contact(wall, &x_a, &x_b).unwrap();
                let least = searched(&cavity, wall, &egg, &x_a, &x_b);
                let name = format!("{} {}", cavity.describe(), pair.feature_name(wall));
                prop_assert!((least + c.delta).abs() < 1e-9, "{}: {} {}", name, least, -c.delta);
                // a start from elsewhere changes nothing
                let seed = Seed { n: Vec3::z(), n_b: Vec3::z(), p_a: Vec3::zeros(), p_b: egg.support(&Vec3::new(0.3, -1.0, 0.2)), delta: 0.0, piece: 0 };
                let again = pair.contact_from(wall, &x_a, &x_b, Some(&seed)).unwrap();
                prop_assert!((again.p_b - c.p_b).norm() < 1e-10, "{}", name);
            }
        }
    }
}

#[test]
fn a_ball_as_an_ellipsoid_is_a_ball() {
    let x_b = Pose::at(Vec3::new(0.9, -0.7, 1.1));
    for cavity in cavities() {
        let by = |solid: Shape| pairs::bind(&cavity, &solid).unwrap();
        let (round, ball) = (
            by(Shape::outside(Ellipsoid::new([0.3; 3]).unwrap())),
            by(Shape::outside(Sphere::new(0.3).unwrap())),
        );
        for k in 0..ball.features() {
            let [c, d] = [&round, &ball].map(|pair| pair.contact(k, &Pose::identity(), &x_b).unwrap());
            assert!(
                (c.p_b - d.p_b).norm() < 1e-14 && (c.delta - d.delta).abs() < 1e-14,
                "{}",
                cavity.describe()
            );
            let [c, d] = [&round, &ball].map(|pair| pair.curvature(k, &Pose::identity(), &x_b));
            assert!((c.k_max - d.k_max).abs() < 1e-12 && (c.k_min - d.k_min).abs() < 1e-12);
        }
    }
}

/// Ends that touch at once are no single contact, and a flat side meets a hollow all around.
#[test]
fn what_is_flatter_than_the_hollow_is_refused() {
    let bowl = Shape::inside(Sphere::new(1.0).unwrap());
    let refused = |solid: Shape| matches!(pairs::bind(&bowl, &solid), Err(GeometryError::NoPair { .. }));
    assert!(refused(Shape::outside(Ellipsoid::new([0.9, 0.3, 0.3]).unwrap()))); // 0.81/0.3 > 1
    assert!(!refused(Shape::outside(Ellipsoid::new([0.5, 0.3, 0.3]).unwrap())));
    let squarer = Superovoid::new([0.2; 3], [2.0, 2.2], 0.1).unwrap();
    assert!(refused(Shape::outside(squarer)));
    let die = Superellipsoid::new([0.2; 3], [4.0; 3]).unwrap();
    assert!(refused(Shape::outside(die)));
    assert!(pairs::bind(&Shape::inside(Cuboid::new([1.0; 3]).unwrap()), &Shape::outside(die)).is_ok());
    assert_eq!(die.kind(), "superellipsoid");
}

/// An egg, blunt at one end: in round bowls, and with an ellipsoid in its cavity. Its largest radius of curvature is that of the flattest of many places, no less and hardly more.
#[test]
fn an_egg_touches_bowls_and_holds_eggs() {
    let mut r = Random(17);
    for (semi, taper) in [([0.25, 0.25, 0.32], -0.3), ([0.22, 0.28, 0.3], 0.2), ([0.3, 0.3, 0.25], 0.45)] {
        let egg = Superovoid::new(semi, [2.0, 2.0], taper).unwrap();
        let flattest = (0..20_000).map(|_| {
            let m = r.direction();
            let k = egg.curvature_at(&egg.support(&m), &m);
            1.0 / k.k1.min(k.k2)
        });
        let ratio = egg.largest_radius() / flattest.fold(0.0, f64::max);
        assert!(ratio > 1.0 && ratio < 1.03, "{semi:?}: {ratio}");
        for cavity in cavities() {
            let pair =
                pairs::bind(&cavity, &Shape::outside(Superovoid::new(semi, [2.0, 2.0], taper).unwrap()));
            let pair = pair.unwrap();
            assert_eq!(pair.solver(), "cavity");
            let (x_a, x_b) = (r.pose(1.0), r.pose(1.5));
            let x_b = x_a.then(&x_b);
            for wall in 0..pair.features() {
                let c = pair.contact(wall, &x_a, &x_b).unwrap();
                let least = searched(&cavity, wall, &egg, &x_a, &x_b);
                assert!((least + c.delta).abs() < 1e-9, "{}: {least} {}", cavity.describe(), -c.delta);
            }
        }
        let seed = Ellipsoid::new([0.04, 0.03, 0.035]).unwrap();
        let shell = Shape::inside(egg);
        let pair = pairs::bind(&shell, &Shape::outside(seed)).unwrap();
        for _ in 0..10 {
            let (x_a, x) = (r.pose(1.0), r.pose(0.1));
            let x_b = x_a.then(&x);
            let c = pair.contact(0, &x_a, &x_b).unwrap();
            let least = searched(&shell, 0, &seed, &x_a, &x_b);
            assert!((least + c.delta).abs() < 1e-9, "{least} {}", -c.delta);
        }
    }
}
