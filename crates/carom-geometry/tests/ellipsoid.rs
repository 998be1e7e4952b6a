//! The ellipsoid: closest points against search over the surface, special places, the sphere, its forms against each other.

use carom_testkit::Random;
use std::f64::consts::PI;

use carom_base::{Dual, Mat3, Pose, Quat, Vec3};
use carom_geometry::surfaces::{Ellipsoid, Plane, Sphere};
use carom_geometry::{Project, Shape, Side, Surface, pairs};

/// Semi axes from 1 down to 1/100.
fn ellipsoid(random: &mut Random) -> Ellipsoid {
    Ellipsoid::new(std::array::from_fn(|_| random.scale(0.01, 1.0))).unwrap()
}

/// The least distance of x from the surface: a grid over the unit sphere that is stretched to it, then ever finer patches around the best
/// node. What it finds is on the surface, so no less than the distance; `check` says the same of the closest point: neither may be beaten.
fn searched(e: &Ellipsoid, x: &Vec3) -> f64 {
    let x = x.abs(); // the closest point is in the same octant
    let away = |w: &Vec3| (w.component_mul(e.semi_axes()) - x).norm();
    let (mut best, mut at) = (f64::INFINITY, Vec3::z());
    let (cells, mut step) = (60, 0.5 * PI / 60.0);
    for (i, j) in (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j))) {
        let ((sp, cp), (st, ct)) = ((f64::from(i) * step).sin_cos(), (f64::from(j) * step).sin_cos());
        let w = Vec3::new(ct * cp, ct * sp, st);
        if away(&w) < best {
            (best, at) = (away(&w), w);
        }
    }
    while step > 1e-10 {
        let (middle, before) = (at, best);
        let across = middle.cross(&Vec3::ith(middle.iamin(), 1.0)).normalize();
        let up = middle.cross(&across);
        for (i, j) in (-2..=2).flat_map(|i| (-2..=2).map(move |j| (i, j))) {
            let w = (middle + across * (f64::from(i) * step) + up * (f64::from(j) * step)).normalize();
            if away(&w) < best {
                (best, at) = (away(&w), w);
            }
        }
        if !(best < before) {
            step *= 0.5;
        }
    }
    best
}

fn check(e: &Ellipsoid, x: &Vec3) -> f64 {
    let closest_point = e.closest_point(Side::Outside, 0, x);
    let size = e.semi_axes().max() + x.norm();
    assert!(e.implicit(&closest_point.p).abs() < 1e-15, "{e:?} {x}");
    // x − p is along the normal, and d has the sign of F
    let off = (closest_point.p + closest_point.n * closest_point.d - x).norm();
    assert!(off < 1e-13 * size, "{e:?} {x}: {off:e}");
    assert!(closest_point.d * e.implicit(x) >= -1e-15, "{e:?} {x}");
    let inside = e.closest_point(Side::Inside, 0, x);
    assert_eq!((inside.p, inside.n, inside.d), (closest_point.p, -closest_point.n, -closest_point.d));
    closest_point.d.abs()
}

#[test]
fn no_point_is_nearer_than_the_closest_point() {
    let mut random = Random(1);
    for k in 0..2000 {
        let e = ellipsoid(&mut random);
        let (way, far) = (random.vector(), 10f64.powf(4.0 * random.next() - 3.0));
        // within and without, by the ellipsoid's measure and in space
        let x = if k % 2 == 0 { way.component_mul(e.semi_axes()) } else { way * far };
        let (found, best) = (check(&e, &x), searched(&e, &x));
        let size = e.semi_axes().max() + x.norm();
        assert!(found <= best + 1e-13 * size, "{e:?} {x}: {found} {best}");
    }
}

#[test]
fn special_places() {
    let mut random = Random(2);
    for k in 0..1200 {
        let [a, b, c]: [f64; 3] = (*ellipsoid(&mut random).semi_axes()).into();
        // of three, two or no equal axes
        let axes = [[a, b, c], [a, a, c], [a, b, a], [c, b, b]][k % 4];
        let e = Ellipsoid::new(axes).unwrap();
        let mut x = random.vector().component_mul(e.semi_axes()) * [0.01, 0.3, 1.0, 3.0][k / 4 % 4];
        // in the planes, on the axes, at the centre, and next to them
        let least = [0.0, 1e-300, 1e-17, 1e-9][k / 16 % 4];
        let which = k / 64 % 8;
        for i in 0..3 {
            if which & (1 << i) != 0 {
                x[i] *= least;
            }
        }
        let (found, best) = (check(&e, &x), searched(&e, &x));
        let size = e.semi_axes().max() + x.norm();
        assert!(found <= best + 1e-13 * size, "{e:?} {x}: {found} {best}");
    }
}

/// Points built from their closest points: p + d n, d above −1/k_max, has the closest point p.
#[test]
fn closest_points_are_found_again() {
    let mut random = Random(3);
    for _ in 0..5000 {
        let e = ellipsoid(&mut random);
        let p = e.point(2.0 * PI * random.next(), PI * (random.next() - 0.5));
        let n = e.normal(&p);
        // to the smallest radius of curvature inwards a closest point is the nearest
        let d = if random.next() < 0.5 { -0.9 * random.next() * e.skin() } else { random.next() };
        let closest_point = e.closest_point(Side::Outside, 0, &(p + n * d));
        assert!((closest_point.d - d).abs() < 1e-15 && (closest_point.n - n).norm() < 1e-10, "{e:?} {p} {d}");
        // x is known to rounding, and inwards the closest point up to ten times worse
        assert!((closest_point.p - p).norm() < 1e-14, "{e:?} {p} {d}: {}", (closest_point.p - p).norm());
    }
}

#[test]
fn equal_axes_are_the_sphere() {
    let (e, ball) = (Ellipsoid::new([0.7; 3]).unwrap(), Sphere::new(0.7).unwrap());
    let mut random = Random(4);
    for _ in 0..1000 {
        let x = random.vector() * 2.0;
        for side in [Side::Outside, Side::Inside] {
            let (a, b) = (e.closest_point(side, 0, &x), Project::closest_point(&ball, side, 0, &x));
            assert!((a.d - b.d).abs() < 1e-15 && (a.p - b.p).norm() < 1e-15 && (a.n - b.n).norm() < 1e-15);
        }
    }
    let [a, b] = [
        e.closest_point(Side::Outside, 0, &Vec3::zeros()),
        Project::closest_point(&ball, Side::Outside, 0, &Vec3::zeros()),
    ];
    assert_eq!((a.p, a.n, a.d), (b.p, b.n, b.d));
    let (a, b) = (e.solid().unwrap(), ball.solid().unwrap());
    assert!(
        (a.volume / b.volume - 1.0).abs() < 1e-15 && ((a.inertia - b.inertia) / b.inertia[0]).norm() < 1e-15
    );
    let (a, b) = (e.shell().unwrap(), ball.shell().unwrap());
    assert!((a.area / b.area - 1.0).abs() < 1e-13 && ((a.inertia - b.inertia) / b.inertia[0]).norm() < 1e-13);
}

#[test]
fn forms_agree() {
    let mut random = Random(5);
    for _ in 0..500 {
        let e = ellipsoid(&mut random);
        let (p, m) = (e.point(7.0 * random.next(), 7.0 * random.next()), random.vector().normalize());
        assert!(e.implicit(&p).abs() < 1e-15);
        assert!((e.support(&e.normal(&p)) - p).norm() < 1e-15);
        assert!((e.normal(&e.support(&m)) - m).norm() < 1e-15);
        let dual = e.implicit(&Vec3::from_fn(|i, _| Dual::<3>::variable(p[i], i)));
        assert!((Vec3::from(dual.eps) - e.gradient(&p)).norm() < 1e-13 * e.gradient(&p).norm());
        let q = e.support(&Vec3::from_fn(|i, _| Dual::<3>::variable(m[i], i)));
        let slope = Mat3::from_fn(|i, j| q[i].eps[j]);
        let (exact, h) = (e.support_slope(&m), m.component_mul(e.semi_axes()).norm());
        // duals subtract numbers of the size e²/h
        assert!((slope - exact).norm() < 1e-15 * e.semi_axes().max().powi(2) / h, "{e:?} {m}");
        // the slope of the support point is the inverse of the shape operator: k₁ + k₂ by the trace, and Gauss' curvature
        let k = e.curvature_at(Side::Outside, &e.support(&m));
        let trace = 1.0 / k.k1 + 1.0 / k.k2;
        assert!((trace / exact.trace() - 1.0).abs() < 1e-12, "{e:?} {m}");
        let gauss = h.powi(4) / e.semi_axes().product().powi(2);
        assert!((k.k1 * k.k2 / gauss - 1.0).abs() < 1e-13, "{e:?} {m}");
        let [least, most] = e.radii_of_curvature();
        assert!(k.k1 <= (1.0 + 1e-12) / least && k.k2 >= (1.0 - 1e-9) / most, "{e:?} {m}");
    }
}

/// The areas of spheroids are closed: of the flat one and the long one.
#[test]
fn areas_of_spheroids() {
    for c in [0.01f64, 0.1, 0.5, 0.9, 1.2, 3.0, 20.0, 100.0] {
        let e = (1.0 - (c.min(1.0 / c)).powi(2)).sqrt();
        let area = if c < 1.0 {
            2.0 * PI * (1.0 + c * c * e.atanh() / e)
        } else {
            2.0 * PI * (1.0 + c * e.asin() / e)
        };
        for axes in [[1.0, 1.0, c], [1.0, c, 1.0], [c, 1.0, 1.0]] {
            let shell = Ellipsoid::new(axes).unwrap().shell().unwrap();
            assert!((shell.area / area - 1.0).abs() < 1e-12, "{axes:?}: {} {area}", shell.area);
        }
    }
}

#[test]
fn on_a_plane_no_point_is_lower() {
    let mut random = Random(6);
    for _ in 0..300 {
        let e = ellipsoid(&mut random);
        let pair = pairs::bind(&Shape::outside(Plane), &Shape::outside(e)).unwrap();
        let x_b = Pose::new(random.vector(), &Quat::from_scaled_axis(random.vector() * 3.0));
        let c = pair.contact(0, &Pose::identity(), &x_b).unwrap();
        let m = x_b.direction_to_local(&Vec3::z());
        let height = x_b.p.z - m.component_mul(e.semi_axes()).norm();
        assert!((c.delta + height).abs() < 1e-15 && c.p_a.z.abs() < 1e-15);
        let lowest = |i: i32, j: i32| x_b.point(&e.point(0.1 * f64::from(i), 0.1 * f64::from(j))).z;
        assert!((0..63).all(|i| (-16..17).all(|j| lowest(i, j) >= height - 1e-15)));
    }
}

/// A body that turns: its gap bends no more than points as far off as lever and stray say.
#[test]
fn gaps_of_turning_ellipsoids_bend_no_more_than_allowed_for() {
    let mut random = Random(7);
    for _ in 0..2000 {
        let e = ellipsoid(&mut random);
        let pair = pairs::bind(&Shape::outside(Plane), &Shape::outside(e)).unwrap();
        let (q, w) = (Quat::from_scaled_axis(random.vector() * 3.0), random.vector());
        let most = (e.bounds().radius - e.skin() + pair.bounds().stray) * w.norm_squared();
        // second derivative of −h(m), exactly: ḧ = ṁᵀ(∂q/∂m)ṁ + q·m̈
        let m = q.inverse_transform_vector(&Vec3::z());
        let w = q.inverse_transform_vector(&w);
        let (dm, ddm) = (m.cross(&w), m.cross(&w).cross(&w));
        let bend = -(dm.dot(&(e.support_slope(&m) * dm)) + e.support(&m).dot(&ddm));
        assert!(bend >= -most * (1.0 + 1e-12), "{e:?}: {bend} {most}");
        let h = 1e-5;
        let gap = |t: f64| {
            let turn = q * Quat::from_scaled_axis(w * t);
            -pair.contact(0, &Pose::identity(), &Pose::new(Vec3::zeros(), &turn)).unwrap().delta
        };
        let difference = (gap(h) + gap(-h) - 2.0 * gap(0.0)) / (h * h);
        assert!((difference - bend).abs() < 1e-4 * (1.0 + most), "{e:?}: {difference} {bend}");
    }
}

#[test]
fn refuses_what_is_no_axis() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Ellipsoid::new([1.0, bad, 1.0]).is_err());
    }
}
