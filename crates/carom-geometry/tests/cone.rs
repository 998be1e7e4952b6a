//! Cones and frustums: closest points against a search over their profile, solids in closed form, and the cylinder as a limit.

use std::f64::consts::PI;

use crate::common::Random;
use carom_base::{Pose, Vec3};
use carom_geometry::surfaces::{Cone, Cylinder, Sphere};
use carom_geometry::{GeometryError, Project, Shape, Side, Support, Surface, pairs};

/// A cone of any proportions: a third of them pointed, the others narrower or wider above.
fn random_cone(random: &mut Random) -> Cone {
    let (radius, length) = (random.scale(0.2, 2.0), random.scale(0.2, 2.0));
    let top = if random.one_of(3) == 0 { 0.0 } else { random.scale(0.1, 2.0) };
    Cone::new(radius, top, length).unwrap()
}

/// The corners of the profile in the half plane (ρ, z).
fn profile(cone: &Cone) -> [[f64; 2]; 4] {
    let h = 0.5 * cone.length();
    [[0.0, -h], [cone.radius(), -h], [cone.top_radius(), h], [0.0, h]]
}

/// The distance of a point from the profile: over a grid of each of its lines, refined about the best place.
fn searched(cone: &Cone, rho: f64, z: f64) -> f64 {
    let mut best = f64::INFINITY;
    for line in profile(cone).windows(2) {
        let at = |s: f64| {
            let [p, q] = [0, 1].map(|i| line[0][i] + s * (line[1][i] - line[0][i]));
            (rho - p).hypot(z - q)
        };
        let (mut middle, mut width) = (0.5, 0.5);
        while width > 1e-12 {
            let tried = (-10..=10).map(|k| (middle + 0.1 * width * f64::from(k)).clamp(0.0, 1.0));
            middle = tried.min_by(|a, b| at(*a).total_cmp(&at(*b))).unwrap();
            width *= 0.25;
        }
        best = best.min(at(middle));
    }
    best
}

#[test]
fn closest_points_are_those_a_search_finds() {
    let mut random = Random(11);
    let mut seen = [0; 2];
    for _ in 0..4000 {
        let cone = random_cone(&mut random);
        let x = random.vector() * 1.2;
        let closest = Project::closest_point(&cone, Side::Outside, 0, &x);
        let rho = x.x.hypot(x.y);
        let [a, b] = [cone.radius(), cone.top_radius()];
        let share = x.z / cone.length() + 0.5;
        let within = (0.0..=1.0).contains(&share) && rho <= a + (b - a) * share;
        let distance = if within { -searched(&cone, rho, x.z) } else { searched(&cone, rho, x.z) };
        assert!((closest.d - distance).abs() < 1e-11, "{cone:?} {x}: {} {distance}", closest.d);
        seen[usize::from(within)] += 1;
    }
    assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
}

/// From inside every wall is a surface of its own; the nearest of them is what a search finds.
#[test]
fn the_nearest_wall_of_a_cavity_is_what_a_search_finds() {
    let mut random = Random(12);
    for _ in 0..2000 {
        let cone = random_cone(&mut random);
        let share = random.next();
        let radius = cone.radius() + (cone.top_radius() - cone.radius()) * share;
        let (rho, z) = (radius * random.next(), cone.length() * (share - 0.5));
        let angle = random.between(0.0, 2.0 * PI);
        let x = Vec3::new(rho * angle.cos(), rho * angle.sin(), z);
        let walls = 0..Project::features(&cone, Side::Inside).len();
        let nearest = walls.map(|k| Project::closest_point(&cone, Side::Inside, k, &x).d);
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!((nearest - searched(&cone, rho, z)).abs() < 1e-11, "{cone:?} {x}");
    }
}

#[test]
fn a_cone_has_the_textbook_volume_centroid_and_inertia() {
    let (r, h) = (0.6, 1.7);
    let solid = Cone::new(r, 0.0, h).unwrap().solid().unwrap();
    let mass = PI * r * r * h / 3.0;
    assert!((solid.volume / mass - 1.0).abs() < 1e-15);
    assert!((solid.centroid.z + h / 4.0).abs() < 1e-15); // h/4 above the base, which is at −h/2
    assert!((solid.inertia[(2, 2)] / (0.3 * mass * r * r) - 1.0).abs() < 1e-15);
    let across = mass * (0.15 * r * r + 0.0375 * h * h);
    assert!((solid.inertia[(0, 0)] / across - 1.0).abs() < 1e-14);
    // the mantle π r l, its centroid a third of the height above the base; the base itself
    let shell = Cone::new(r, 0.0, h).unwrap().shell().unwrap();
    let (mantle, base) = (PI * r * r.hypot(h), PI * r * r);
    assert!((shell.area / (mantle + base) - 1.0).abs() < 1e-15);
    let z = (mantle * h / 3.0) / (mantle + base) - 0.5 * h;
    assert!((shell.centroid.z - z).abs() < 1e-15);
    assert!((shell.inertia[(2, 2)] / (0.5 * r * r * (mantle + base)) - 1.0).abs() < 1e-15);
}

/// A frustum is a large cone less a small one.
#[test]
fn a_frustum_is_a_cone_without_its_tip() {
    let (r, top, h) = (0.9, 0.3, 1.2);
    let whole = Cone::new(r, 0.0, 1.8).unwrap().solid().unwrap();
    let tip = Cone::new(top, 0.0, 0.6).unwrap().solid().unwrap();
    let frustum = Cone::new(r, top, h).unwrap().solid().unwrap();
    let volume = whole.volume - tip.volume;
    assert!((frustum.volume / volume - 1.0).abs() < 1e-14);
    // heights over the base
    let moment = whole.volume * 0.45 - tip.volume * (1.2 + 0.15);
    assert!((frustum.centroid.z - (moment / volume - 0.6)).abs() < 1e-14);
    let along = whole.inertia[(2, 2)] - tip.inertia[(2, 2)];
    assert!((frustum.inertia[(2, 2)] / along - 1.0).abs() < 1e-14);
}

#[test]
fn of_almost_equal_radii_it_is_a_cylinder() {
    let (cone, can) = (Cone::new(0.5, 0.5 - 1e-12, 1.4).unwrap(), Cylinder::new(0.5, 1.4).unwrap());
    let mut random = Random(13);
    for _ in 0..1000 {
        let x = random.vector() * 1.5;
        for side in [Side::Outside, Side::Inside] {
            for k in 0..Project::features(&can, side).len() {
                let [a, b] = [&cone as &dyn Project, &can].map(|s| s.closest_point(side, k, &x));
                assert!((a.d - b.d).abs() < 2e-12 && (a.p - b.p).norm() < 1e-11, "{side:?} {k} {x}");
                // from a rim the direction turns by as much as the rim is off, over the distance
                assert!((a.n - b.n).norm() * a.d.abs().min(1.0) < 2e-12, "{side:?} {k} {x}");
            }
        }
        let m = random.direction();
        assert!((Support::support(&cone, &m) - Support::support(&can, &m)).norm() < 1e-11);
    }
    let [a, b] = [cone.solid().unwrap(), can.solid().unwrap()];
    assert!((a.volume - b.volume).abs() < 1e-11 && (a.inertia - b.inertia).norm() < 1e-11);
    let [a, b] = [cone.shell().unwrap(), can.shell().unwrap()];
    assert!((a.area - b.area).abs() < 1e-10 && (a.inertia - b.inertia).norm() < 1e-10);
}

#[test]
fn the_tip_is_furthest_for_all_directions_within_its_cone_of_normals() {
    let cone = Cone::new(0.75, 0.0, 1.0).unwrap(); // the mantle's normal is (0.8, 0.6)
    let at = |x: f64, z: f64| Support::support(&cone, &Vec3::new(x, 0.0, z));
    assert_eq!(at(0.79, 0.6), Vec3::new(0.0, 0.0, 0.5));
    assert_eq!(at(0.81, 0.6), Vec3::new(0.75, 0.0, -0.5));
    assert_eq!(at(0.0, -2.0), Vec3::new(0.0, 0.0, -0.5));
    let sharp = Support::curvature_at(&cone, &at(0.0, 1.0), &Vec3::z());
    assert!(sharp.k1.is_infinite() && sharp.k2.is_infinite());
    // half way down the mantle the radius of curvature is ρ/cos α
    let on = Support::curvature_at(&cone, &Vec3::new(0.375, 0.0, 0.0), &Vec3::new(0.8, 0.0, 0.6));
    assert!((on.k1 - 0.8 / 0.375).abs() < 1e-14 && on.k2 == 0.0);
}

/// A ball dropped into a funnel lies in it: it touches the mantle all round at once, where its centre is on the axis.
#[test]
fn a_ball_in_a_funnel_is_as_deep_as_the_half_angle_says() {
    let funnel = Shape::inside(Cone::new(0.75, 0.0, 1.0).unwrap());
    let pair = pairs::bind(&funnel, &Shape::outside(Sphere::new(0.12).unwrap())).unwrap();
    assert_eq!([0, 1].map(|k| pair.feature_name(k)), ["mantle", "cap-"]);
    // a distance r/sin α below the tip, sin α = 0.6, it touches
    let at = Pose::at(Vec3::new(0.0, 0.0, 0.5 - 0.2));
    assert!(pair.contact(0, &Pose::identity(), &at).unwrap().delta.abs() < 1e-16);
    // beyond the tip, in the material, the tip is the closest point
    let beyond = pair.contact(0, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.75))).unwrap();
    assert_eq!((beyond.p_a, beyond.n, beyond.delta), (Vec3::new(0.0, 0.0, 0.5), -Vec3::z(), 0.37));
}

#[test]
fn refuses_what_is_no_measure() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let of = |r: f64, l: f64| Cone::new(r, 0.5, l);
        assert!(matches!(of(bad, 1.0), Err(GeometryError::BadMeasure { name: "radius", .. })));
        assert!(matches!(of(1.0, bad), Err(GeometryError::BadMeasure { name: "length", .. })));
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY, 1.0] {
        let error = Cone::new(1.0, bad, 2.0).unwrap_err();
        assert!(matches!(error, GeometryError::BadValue { name: "top_radius", .. }), "{bad}");
    }
    let error = Cone::new(1.0, 1.0, 2.0).unwrap_err().to_string();
    assert!(error.contains("cylinder"), "{error}");
}
