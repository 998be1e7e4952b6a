//! Surfaces by functions against those by formulas.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may")]

use carom_base::Dual;
use carom_geometry::surfaces::{Ellipsoid, LevelFunction, Torus};
use carom_geometry::{Project, Region, Side, Surface, Vec3};

/// Points around and within a box of half side 1.
fn points() -> impl Iterator<Item = Vec3> {
    // Halton's sequence
    let radical = |mut i: usize, base: usize| {
        let (mut f, mut x) = (1.0, 0.0);
        while i > 0 {
            f /= base as f64;
            x += f * (i % base) as f64;
            i /= base;
        }
        x
    };
    (1..200).map(move |i| Vec3::new(radical(i, 2), radical(i, 3), radical(i, 5)) * 4.0 - Vec3::repeat(2.0))
}

fn compare(own: &LevelFunction, known: &dyn Project, accuracy: f64) {
    for side in [Side::Outside, Side::Inside] {
        for x in points() {
            let (a, b) = (own.foot(side, 0, &x), known.foot(side, 0, &x));
            assert!((a.d - b.d).abs() < 1e-11, "{x:?} {side:?}: {} for {}", a.d, b.d);
            let k = known.curvature(side, 0, &x);
            // feet of points near a centre of curvature are as uncertain as they are many
            let spread = (1.0 + b.d * k.k1).abs().min((1.0 + b.d * k.k2).abs());
            if spread < 0.05 || b.d.abs() < 1e-3 {
                continue;
            }
            assert!((a.p - b.p).norm() < accuracy / spread && (a.n - b.n).norm() < accuracy * 10.0 / spread);
            let x = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i));
            let (a, b) = (own.foot_dual(side, 0, &x), known.foot_dual(side, 0, &x));
            for i in 0..3 {
                for j in 0..3 {
                    assert!((a.n[i].eps[j] - b.n[i].eps[j]).abs() < 1e-4 / spread);
                }
            }
        }
    }
}

#[test]
fn an_ellipsoid() {
    let known = Ellipsoid::new([1.0, 0.7, 0.5]).unwrap();
    let within = Region::new([-1.1; 3], [1.1; 3]).unwrap();
    let f = |x: &Vec3| x.x * x.x + x.y * x.y / 0.49 + x.z * x.z / 0.25 - 1.0;
    compare(&LevelFunction::new(within, f).unwrap(), &known, 1e-8);
    let g = |x: &Vec3| Vec3::new(2.0 * x.x, 2.0 * x.y / 0.49, 2.0 * x.z / 0.25);
    compare(&LevelFunction::with_gradient(within, f, g).unwrap(), &known, 1e-12);
}

#[test]
fn a_torus_and_its_hollow() {
    let known = Torus::new(0.8, 0.3).unwrap();
    let within = Region::new([-1.2, -1.2, -0.4], [1.2, 1.2, 0.4]).unwrap();
    let own = LevelFunction::new(within, |x| (x.x.hypot(x.y) - 0.8).powi(2) + x.z * x.z - 0.09).unwrap();
    for x in points() {
        let (a, b) = (own.foot(Side::Outside, 0, &x), known.foot(Side::Outside, 0, &x));
        assert!((a.d - b.d).abs() < 1e-10, "{x:?}: {} for {}", a.d, b.d);
    }
    // the inner equator sees a hollow of radius 0.5; half of it is promised
    assert!(
        (own.hollow_radius(Side::Outside) / 0.25 - 1.0).abs() < 0.05,
        "{}",
        own.hollow_radius(Side::Outside)
    );
    assert!((own.hollow_radius(Side::Inside) / 0.15 - 1.0).abs() < 0.05);
}

#[test]
fn its_mesh_is_on_it() {
    let within = Region::new([-1.2; 3], [1.2; 3]).unwrap();
    let ball = LevelFunction::new(within, |x| x.norm_squared() - 1.0).unwrap();
    let mesh = ball.mesh(24, 1.0);
    assert!(mesh.vertices.len() > 100);
    assert!(mesh.vertices.iter().all(|v| (Vec3::from(*v).norm() - 1.0).abs() < 1e-12));
}

#[test]
fn what_is_no_closed_surface_is_refused() {
    let within = || Region::new([-1.0; 3], [1.0; 3]).unwrap();
    let message = |f: fn(&Vec3) -> f64| LevelFunction::new(within(), f).unwrap_err().to_string();
    assert!(message(|_| 1.0).contains("without a zero"));
    assert!(message(|x| x.z).contains("all of it within the box"));
}
