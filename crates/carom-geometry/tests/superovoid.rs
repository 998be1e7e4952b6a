//! The superovoid: equation, convexity, furthest and closest points, mass, and pairs of them by two methods.

use carom_geometry::pairs::common_normal::CommonNormal;
use carom_geometry::pairs::{self, convex::Convex};
use carom_geometry::surfaces::{Superellipsoid, Superovoid};
use carom_geometry::{Implicit, Pose, Project, Quat, Seed, Shape, Side, Support, Surface, Vec3};
use carom_testkit::Random;

fn some() -> Vec<Superovoid> {
    [
        ([0.5, 0.4, 0.8], [2.0, 2.0], 0.3),
        ([0.5, 0.4, 0.8], [2.0, 2.0], -0.7),
        ([0.6, 0.5, 0.4], [2.5, 3.0], 0.5),
        ([0.3, 0.3, 0.7], [4.0, 2.0], -0.8),
    ]
    .map(|(semi, exponents, taper)| Superovoid::new(semi, exponents, taper).unwrap())
    .into()
}

#[test]
fn derivatives_are_those_of_differences() {
    let mut r = Random(3);
    for egg in some() {
        for _ in 0..50 {
            let x = r.direction() * (0.3 + 0.4 * r.next());
            let level = egg.level(&x);
            let h = 1e-5;
            for i in 0..3 {
                let at = |s: f64| egg.level(&(x + Vec3::ith(i, s * h)));
                let slope = (at(1.0).f - at(-1.0).f) / (2.0 * h);
                assert!((slope - level.gradient[i]).abs() < 1e-7 * (1.0 + level.gradient.norm()), "{x}");
                let bend = (at(1.0).gradient - at(-1.0).gradient) / (2.0 * h);
                assert!((bend - level.hessian.column(i)).norm() < 1e-6 * (1.0 + level.hessian.norm()), "{x}");
            }
        }
    }
}

/// At the limit the profile is straight somewhere; a little more, and it is hollow there.
#[test]
fn convex_up_to_the_limit() {
    for gamma in [2.0, 2.7, 4.0, 9.0] {
        let most = Superovoid::largest_taper(gamma);
        let hollow = |taper: f64| {
            let w = |z: f64| (1.0 + taper * z) * (1.0 - z.abs().powf(gamma)).powf(1.0 / gamma);
            let h = 1e-4;
            (1..9990).map(|i| f64::from(i) * 2e-4 - 0.999).any(|z| w(z + h) - 2.0 * w(z) + w(z - h) > 1e-13)
        };
        assert!(!hollow(most * 0.999) && !hollow(-most * 0.999) && hollow(most * 1.003), "{gamma}");
        assert!(Superovoid::new([1.0; 3], [gamma, 2.0], most * (1.0 + 1e-12)).is_err());
        assert!(Superovoid::new([1.0; 3], [gamma, 2.0], -most * (1.0 - 1e-12)).is_ok());
    }
}

#[test]
fn without_taper_it_is_barrs_superellipsoid() {
    let (semi, exponents) = ([0.6, 0.5, 0.4], [2.5, 3.0]);
    let (egg, barr) =
        (Superovoid::new(semi, exponents, 0.0).unwrap(), Superellipsoid::barr(semi, exponents).unwrap());
    let mut r = Random(5);
    for _ in 0..100 {
        let m = r.direction();
        assert!((egg.support(&m) - Support::support(&barr, &m)).norm() < 1e-9, "{m}");
        assert!((egg.support(&m) - Support::support(&barr, &m)).dot(&m).abs() < 1e-14);
    }
    let (a, b) = (egg.solid().unwrap(), barr.solid().unwrap());
    assert!(
        (a.volume / b.volume - 1.0).abs() < 1e-13
            && (a.inertia - b.inertia).norm() < 1e-13 * b.inertia.norm()
    );
    let (a, b) = (egg.shell().unwrap(), barr.shell().unwrap());
    assert!((a.area / b.area - 1.0).abs() < 1e-9 && (a.inertia - b.inertia).norm() < 1e-9 * b.inertia.norm());
}

/// Furthest points are on the surface, have the normal asked for, and no point of the mesh is beyond them, nor out of bounds.
#[test]
fn furthest_points() {
    let mut r = Random(7);
    for egg in some() {
        let mesh = egg.mesh(32, 1.0);
        for v in &mesh.vertices {
            let v = Vec3::from(*v);
            assert!(egg.level(&v).f.abs() < 1e-13 && v.norm() <= egg.bounds().radius);
        }
        for _ in 0..100 {
            let m = r.direction();
            let p = egg.support(&m);
            let level = egg.level(&p);
            assert!(level.f.abs() < 1e-13 && (level.gradient.normalize() - m).norm() < 1e-9, "{m} {p}");
            assert!(mesh.vertices.iter().all(|v| Vec3::from(*v).dot(&m) <= p.dot(&m) + 1e-14));
            let curvature = egg.curvature_at(&p, &m);
            let sharpest = curvature.k1.max(curvature.k2);
            assert!(sharpest > 0.0 && sharpest * egg.least_radius() <= 1.0);
        }
    }
}

/// Volume, centroid and inertia are those of sections added up (Simpson's rule), and area and volume those of a fine mesh.
#[test]
fn mass_is_that_of_its_sections() {
    for (semi, exponents, taper) in [([0.5, 0.4, 0.8], [2.0, 2.0], 0.6), ([0.6, 0.5, 0.4], [4.0, 2.0], -0.7)]
    {
        let solid = Superovoid::new(semi, exponents, taper).unwrap().solid().unwrap();
        let [a, b, c] = semi;
        // sections are ellipses; ζ = sin t takes the steep ends away
        let n = 20_000;
        let sum = |f: &dyn Fn(f64, f64) -> f64| {
            let term = |i: i32| {
                let t = std::f64::consts::PI * (f64::from(i) / f64::from(n) - 0.5);
                let zeta = t.sin();
                let w = (1.0 + taper * zeta)
                    * (1.0 - zeta.abs().powf(exponents[0])).max(0.0).powf(1.0 / exponents[0]);
                let weight = if i == 0 || i == n {
                    1.0
                } else if i % 2 == 1 {
                    4.0
                } else {
                    2.0
                };
                weight * f(w, c * zeta) * c * t.cos()
            };
            (0..=n).map(term).sum::<f64>() * std::f64::consts::PI / f64::from(n) / 3.0
        };
        let pi = std::f64::consts::PI;
        let volume = sum(&|w, _| pi * a * b * w * w);
        let z = sum(&|w, z| pi * a * b * w * w * z) / volume;
        let zz = sum(&|w, z| pi * a * b * w * w * z * z) - volume * z * z;
        let (xx, yy) = (
            sum(&|w, _| pi / 4.0 * a * a * a * b * w.powi(4)),
            sum(&|w, _| pi / 4.0 * a * b * b * b * w.powi(4)),
        );
        let close = |x: f64, y: f64| (x / y - 1.0).abs() < 1e-6;
        assert!(close(solid.volume, volume) && close(solid.centroid.z, z), "{solid:?} {volume} {z}");
        for (i, moment) in [yy + zz, xx + zz, xx + yy].into_iter().enumerate() {
            assert!(close(solid.inertia[(i, i)], moment), "{i} {solid:?} {moment}");
        }
    }
}

/// From outside and from within no point of a fine mesh is nearer, and the line to the closest point is along the normal.
#[test]
fn closest_points() {
    let mut r = Random(11);
    for egg in some() {
        let mesh = egg.mesh(64, 1.0);
        for _ in 0..60 {
            let x = r.direction() * (0.1 + 1.2 * r.next());
            for side in [Side::Outside, Side::Inside] {
                let c = egg.closest_point(side, 0, &x);
                let near =
                    mesh.vertices.iter().map(|v| (Vec3::from(*v) - x).norm()).fold(f64::INFINITY, f64::min);
                assert!((x - c.p).norm() <= near + 1e-12, "{x} {c:?} {near}");
                assert!((x - c.p - c.n * c.d).norm() < 1e-7 && egg.level(&c.p).f.abs() < 1e-12, "{x} {c:?}");
                assert_eq!(c.d > 0.0, (egg.level(&x).f > 0.0) == (side == Side::Outside));
            }
        }
    }
}

/// Two methods that have nothing in common but the surface find the same distance.
#[test]
fn pairs_by_two_methods() {
    let mut r = Random(13);
    let eggs: Vec<Shape> = some().into_iter().map(Shape::outside).collect();
    let mut found = 0;
    for _ in 0..60 {
        let (a, b) = (&eggs[(r.next() * 4.0) as usize], &eggs[(r.next() * 4.0) as usize]);
        let (x_a, x_b) =
            (Pose::identity(), Pose::new(r.direction() * 2.0, &Quat::from_scaled_axis(r.direction())));
        let usual = pairs::bind_by(&Convex, a, b).unwrap().closest(&x_a, &x_b).unwrap();
        let by = CommonNormal { tolerance: 1e-9, ..CommonNormal::default() };
        let seed = Seed::of(&usual, &x_a, &x_b);
        let Ok(c) = pairs::bind_by(&by, a, b).unwrap().search(&x_a, &x_b, Some(&seed)) else { continue };
        assert!((c.contact.delta - usual.delta).abs() < 1e-12, "{c:?} {usual:?}");
        found += 1;
    }
    assert!(found > 55, "{found}");
}
