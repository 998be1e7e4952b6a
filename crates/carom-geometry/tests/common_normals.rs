//! All common normals of two ellipsoids: closed forms, sums of indices, the other methods' distances, and an independent search.

use crate::common::{Random, RandomSolids};
use carom_base::{Pose, Vec3};
use carom_geometry::proximity::ellipsoids::{CommonNormals, Stationary, common_normals};
use carom_geometry::surfaces::Ellipsoid;
use carom_geometry::{Project, Shape, Side, pairs};

/// Σ (−1)^index over all pairs of points.
fn sum(found: &CommonNormals) -> i32 {
    found.all.iter().map(|c| if c.index.is_multiple_of(2) { 1 } else { -1 }).sum()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::at(Vec3::new(x, y, z))
}

fn egg(semi_axes: [f64; 3]) -> Ellipsoid {
    Ellipsoid::new(semi_axes).unwrap()
}

/// The line of the centres, which meets each ball twice.
#[test]
fn two_balls_have_four() {
    let found =
        common_normals(&egg([2.0; 3]), &egg([1.0; 3]), &at(1.0, 0.0, 0.0), &at(1.0, 0.0, 5.0)).unwrap();
    let distances: Vec<f64> = found.all.iter().map(|c| -c.contact.delta).collect();
    // n out of A: towards B for the first two, away from it for the others
    assert!(found.complete && found.all.len() == 4);
    for (d, expected) in distances.iter().zip([2.0, 4.0, -6.0, -8.0]) {
        assert!((d - expected).abs() < 1e-14, "{distances:?}");
    }
    let kinds: Vec<_> = found.all.iter().map(|c| (c.kind, c.index, c.opposite)).collect();
    let saddle = Stationary::Saddle;
    let expected = [
        (Stationary::Nearest, 0, true),
        (saddle, 2, false),
        (saddle, 2, false),
        (Stationary::Furthest, 4, true),
    ];
    assert_eq!(kinds, expected);
}

/// A point has six normals to an ellipsoid near its centre (a small ball, twelve, as each line meets it twice), along the axes from the centre itself.
#[test]
fn a_small_ball_at_the_centre_of_an_ellipsoid_has_twelve() {
    let (a, b) = (egg([1.0, 1.5, 2.0]), egg([0.125; 3]));
    let found = common_normals(&a, &b, &Pose::identity(), &Pose::identity()).unwrap();
    assert!(found.complete && found.all.len() == 12);
    let mut distances: Vec<f64> = found.all.iter().map(|c| (c.contact.p_b - c.contact.p_a).norm()).collect();
    distances.sort_by(f64::total_cmp);
    for (pair, expected) in distances.chunks(2).zip([0.875, 1.125, 1.375, 1.625, 1.875, 2.125]) {
        assert!(pair.iter().all(|d| (d - expected).abs() < 1e-14), "{distances:?}");
    }
    assert_eq!(sum(&found), 4);
    // the least translation that takes the ball out is along the shortest axis
    assert!((found.all[0].contact.delta - 1.125).abs() < 1e-14);
}

/// Every one of them is a common normal, and the sums say that none is missing; the first is what the usual method finds.
#[test]
fn random_pairs() {
    let mut random = Random(31);
    let (mut most, mut least) = (0, usize::MAX);
    for k in 0..400 {
        let aspect = [2.0, 5.0, 20.0][k % 3];
        let (a, b) = (random.ellipsoid(aspect), random.ellipsoid(aspect));
        let (x_a, x_b) = (random.pose(0.3), random.pose(if k % 2 == 0 { 1.5 } else { 0.2 }));
        let found = common_normals(&a, &b, &x_a, &x_b).unwrap();
        assert!(found.complete, "{a:?} {b:?}\n{x_a:?}\n{x_b:?}");
        assert_eq!(sum(&found), 4, "{a:?} {b:?}");
        (most, least) = (most.max(found.all.len()), least.min(found.all.len()));
        for normal in &found.all {
            let c = &normal.contact;
            for (body, x, p, sign) in
                [(&a, &x_a, &c.p_a, 1.0), (&b, &x_b, &c.p_b, if normal.opposite { -1.0 } else { 1.0 })]
            {
                // on the surface, with that normal
                let local = x.point_to_local(p);
                let on = Project::closest_point(body, Side::Outside, 0, &local);
                assert!(on.d.abs() < 1e-13, "off by {:e}", on.d);
                let gradient = local.component_div(&body.semi_axes().component_mul(body.semi_axes()));
                let across = x.direction(&gradient).normalize() - c.n * sign;
                assert!(across.norm() < 1e-10, "the normal is off by {:e}", across.norm());
            }
            let along = c.p_b - c.p_a + c.n * c.delta;
            assert!(along.norm() < 1e-12, "{:e}", along.norm());
        }
        let usual = pairs::bind(&Shape::outside(a), &Shape::outside(b)).unwrap();
        let closest = usual.closest(&x_a, &x_b).unwrap();
        assert!((closest.delta - found.all[0].contact.delta).abs() < 1e-12);
    }
    assert!(least >= 4 && most >= 12, "{least} {most}");
}

/// How many there are, of pairs at random, apart and overlapping. The book quotes the numbers.
#[test]
fn how_many_there_are() {
    let mut random = Random(33);
    let mut counts = [[0; 32]; 2];
    for k in 0..6000 {
        let aspect = [2.0, 5.0, 20.0][k % 3];
        let (a, b) = (random.ellipsoid(aspect), random.ellipsoid(aspect));
        let x_b = random.pose([0.1, 0.5, 1.5][k / 3 % 3]);
        let found = common_normals(&a, &b, &Pose::identity(), &x_b).unwrap();
        assert!(found.complete, "{a:?} {b:?}\n{x_b:?}");
        assert_eq!(sum(&found), 4, "{a:?} {b:?}\n{x_b:?}");
        let overlap = usize::from(found.all[0].contact.delta > 0.0);
        counts[overlap][found.all.len()] += 1;
    }
    // always an even number, and four at least
    let even = counts.map(|of| (2..12).map(|half| of[2 * half]).collect::<Vec<i32>>());
    assert_eq!(even[0], [2081, 163, 164, 20, 19, 3, 1, 0, 0, 0]);
    assert_eq!(even[1], [1003, 311, 498, 526, 1048, 96, 55, 7, 4, 1]);
}

/// The nature of each, by the distances of points near by.
#[test]
fn kinds_are_what_neighbours_say() {
    let mut random = Random(32);
    for _ in 0..60 {
        let (a, b) = (random.ellipsoid(3.0), random.ellipsoid(3.0));
        let (x_a, x_b) = (random.pose(0.2), random.pose(2.0));
        for normal in common_normals(&a, &b, &x_a, &x_b).unwrap().all {
            let c = &normal.contact;
            let moved = |body: &Ellipsoid, x: &Pose, p: &Vec3, by: Vec3| {
                let local = x.point_to_local(&(p + by));
                x.point(&Project::closest_point(body, Side::Outside, 0, &local).p)
            };
            let here = (c.p_b - c.p_a).norm();
            let (mut closer, mut further) = (0, 0);
            for _ in 0..400 {
                let p = moved(&a, &x_a, &c.p_a, random.direction() * 1e-4);
                let q = moved(&b, &x_b, &c.p_b, random.direction() * 1e-4);
                // (second differences are about 1e-8, and rounding 1e-16)
                let change = (q - p).norm() - here;
                closer += usize::from(change < -1e-13);
                further += usize::from(change > 1e-13);
            }
            match normal.kind {
                Stationary::Nearest => assert!(closer == 0, "{normal:?}"),
                Stationary::Furthest => assert!(further == 0, "{normal:?}"),
                // the directions that lead closer may be few
                Stationary::Saddle => assert!(closer + further > 0, "{normal:?}"),
            }
        }
    }
}

/// About a common axis of revolution those off the axis are circles: what is isolated is found, and the answer says that it is not all.
#[test]
fn circles_of_common_normals_are_not_complete() {
    let found =
        common_normals(&egg([1.0, 1.0, 3.0]), &egg([0.2; 3]), &Pose::identity(), &at(0.0, 0.0, 0.1)).unwrap();
    assert!(!found.complete && found.all.len() >= 4);
    let concentric =
        common_normals(&egg([1.0; 3]), &egg([2.0; 3]), &Pose::identity(), &Pose::identity()).unwrap();
    assert!(!concentric.complete);
    assert!(
        common_normals(&egg([1.0; 3]), &egg([2.0; 3]), &Pose::identity(), &at(f64::NAN, 0.0, 0.0)).is_none()
    );
}
