//! Surfaces that are deformed: against rotations, search over the surface, differences, and other surfaces that are the same.

use crate::common::Random;
use carom_base::{Dual, Mat3, Pose, Quat, Scalar, Vec3};
use carom_geometry::surfaces::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Plane, Sphere, Superellipsoid, Torus,
};
use carom_geometry::{BoundPair, Contact, GeometryError, Shape, Side, pairs};

fn bind(a: &Shape, b: &Shape) -> Box<dyn BoundPair> {
    pairs::bind_deformed(pairs::ALL.iter().copied(), a, b, [false, true]).unwrap()
}

fn plane() -> Shape {
    Shape::outside(Plane)
}

fn ball(radius: f64) -> Shape {
    Shape::outside(Sphere::new(radius).unwrap())
}

/// What a plane touches deformed.
fn on_a_plane() -> Vec<Shape> {
    vec![
        ball(0.6),
        Shape::outside(Ellipsoid::new([0.5, 0.3, 0.8]).unwrap()),
        Shape::outside(Superellipsoid::new([0.5, 0.3, 0.6], [2.5, 4.0, 3.0]).unwrap()),
        Shape::outside(Superellipsoid::barr([0.5, 0.4, 0.6], [3.5, 2.5]).unwrap()),
        Shape::outside(Cuboid::new([1.0, 1.4, 0.8]).unwrap()),
        Shape::outside(Cylinder::new(0.5, 1.6).unwrap()),
        Shape::outside(Cone::new(0.6, 0.0, 1.2).unwrap()),
        Shape::outside(Cone::new(0.3, 0.7, 1.2).unwrap()),
        Shape::outside(Capsule::new(0.4, 1.0).unwrap()),
        Shape::outside(Torus::new(0.6, 0.2).unwrap()),
    ]
}

/// What a ball does.
fn at_a_ball() -> Vec<Shape> {
    vec![
        ball(0.6),
        Shape::outside(Ellipsoid::new([0.5, 0.3, 0.8]).unwrap()),
        Shape::outside(Cuboid::new([1.0, 1.4, 0.8]).unwrap()),
    ]
}

fn couples() -> Vec<(Shape, Shape)> {
    let planes = on_a_plane().into_iter().map(|s| (plane(), s));
    planes.chain(at_a_ball().into_iter().map(|s| (ball(0.3), s))).collect()
}

/// A deformation of determinant about one, stretches between 1/2 and 2.
fn deformation(random: &mut Random) -> Mat3 {
    let r = |random: &mut Random| random.turn().to_rotation_matrix().into_inner();
    let stretch = Vec3::from_fn(|_, _| random.scale(0.6, 1.7));
    r(random) * Mat3::from_diagonal(&stretch) * r(random)
}

fn numbers(c: &Contact) -> [f64; 10] {
    let mut out = [0.0; 10];
    c.p_a.iter().chain(&c.p_b).chain(&c.n).chain([&c.delta]).zip(&mut out).for_each(|(x, out)| *out = *x);
    out
}

/// A frame that only turns finds what the pairs of rigid bodies find.
#[test]
fn rotations_are_deformations() {
    let mut random = Random(3);
    for (a, b) in couples() {
        let (soft, rigid) = (bind(&a, &b), pairs::bind(&a, &b).unwrap());
        for _ in 0..200 {
            let (x_a, mut x_b) = (random.pose(0.3), random.pose(1.0));
            if b.surface.kind() != "box" || a.surface.kind() == "plane" {
                // deep within an ellipsoid there are other closest points
                x_b.p += (x_b.p - x_a.p).normalize();
            }
            for k in 0..soft.features() {
                let (one, other) =
                    (soft.contact(k, &x_a, &x_b).unwrap(), rigid.contact(k, &x_a, &x_b).unwrap());
                for (x, y) in numbers(&one).iter().zip(&numbers(&other)) {
                    assert!((x - y).abs() < 1e-13, "{}: {x} {y}", soft.solver());
                }
                let (one, other) = (soft.curvature(k, &x_a, &x_b), rigid.curvature(k, &x_a, &x_b));
                for (x, y) in [(one.k_min, other.k_min), (one.k_max, other.k_max)] {
                    assert!((x - y).abs() < 1e-11 * (1.0 + other.k_max), "{}: {x} {y}", soft.solver());
                }
            }
        }
    }
}

/// No point of the deformed surface is lower than the lowest.
#[test]
fn nothing_is_lower() {
    let mut random = Random(5);
    for shape in on_a_plane() {
        let pair = bind(&plane(), &shape);
        let mesh = shape.surface.mesh(48, 1.0);
        for _ in 0..50 {
            let x_a = random.pose(0.3);
            let x_b = Pose { p: random.vector(), r: deformation(&mut random) };
            let height = |p: &Vec3| x_a.axis(2).dot(&(p - x_a.p));
            let (_, c) = pair.nearest(&x_a, &x_b).unwrap();
            assert!((height(&c.p_b) + c.delta).abs() < 1e-14 && (c.n - x_a.axis(2)).norm() == 0.0);
            let least = mesh.vertices.iter().map(|v| height(&x_b.point(&Vec3::from(*v))));
            let least = least.fold(f64::INFINITY, f64::min);
            // the mesh is within the solid, and close to it
            assert!(
                least > -c.delta - 1e-13 && least < -c.delta + 0.02,
                "{}: {least} {}",
                pair.solver(),
                -c.delta
            );
        }
    }
}

/// The point of contact is on the surface, and no other is nearer to the ball's centre; what is nearest is found again by a search from there.
#[test]
fn nothing_is_nearer() {
    let mut random = Random(7);
    for shape in at_a_ball() {
        let pair = bind(&ball(0.3), &shape);
        let project = shape.surface.as_project().unwrap();
        let mesh = shape.surface.mesh(48, 1.0);
        for _ in 0..300 {
            let x_b = Pose { p: random.vector(), r: deformation(&mut random) };
            let x_a = Pose::at(x_b.p + random.direction() * random.between(0.9, 2.5));
            let c = pair.contact(0, &x_a, &x_b).unwrap();
            let own = x_b.r.try_inverse().unwrap() * (c.p_b - x_b.p);
            assert!(project.closest_point(Side::Outside, 0, &own).d.abs() < 1e-14, "{}", pair.solver());
            let apart = (c.p_b - x_a.p).norm();
            let outside =
                project.closest_point(Side::Outside, 0, &(x_b.r.try_inverse().unwrap() * (x_a.p - x_b.p))).d
                    > 0.0;
            let signed = if outside { apart } else { -apart };
            assert!((signed - (0.3 - c.delta)).abs() < 1e-13, "{}: {apart} {}", pair.solver(), c.delta);
            let to = |v: &[f64; 3]| (x_b.point(&Vec3::from(*v)) - x_a.p).norm();
            let least = mesh.vertices.iter().map(to).fold(f64::INFINITY, f64::min);
            assert!(!outside || least > apart - 1e-13, "{}: {least} {apart}", pair.solver());
        }
    }
}

/// Long and flat ones: the closest point's equation holds to rounding.
#[test]
fn closest_points_on_thin_ellipsoids() {
    let mut random = Random(11);
    let shape = Ellipsoid::new([1.0, 1.0, 1.0]).unwrap();
    let pair = bind(&ball(0.1), &Shape::outside(shape));
    for _ in 0..2000 {
        let stretch = Vec3::from_fn(|_, _| random.scale(0.01, 1.0));
        let [u, v] = [0; 2].map(|_| random.turn().to_rotation_matrix().into_inner());
        let e = u * Mat3::from_diagonal(&stretch) * v;
        let centre = random.direction() * random.scale(1e-3, 3.0);
        let c = pair.contact(0, &Pose::at(centre), &Pose { p: Vec3::zeros(), r: e }).unwrap();
        let y = e.try_inverse().unwrap() * c.p_b;
        let n = e.try_inverse().unwrap().transpose() * y;
        assert!((y.norm() - 1.0).abs() < 1e-12, "{}", y.norm() - 1.0);
        let off = (centre - c.p_b).cross(&n.normalize()).norm();
        // a point known to rounding has a normal known to that over the least radius of curvature
        let least = stretch.min() * stretch.min() / stretch.max();
        assert!(off < 1e-15 * (1.0 + centre.norm()) / least, "{off:e}, stretches {stretch:?}");
    }
}

/// By every number of the pose of the deformed surface, twelve of them in two halves, and of the other one.
#[test]
fn derivatives_against_differences() {
    let mut random = Random(13);
    for (a, b) in couples() {
        let pair = bind(&a, &b);
        let mut checked = 0;
        for _ in 0..12 {
            let x_a = random.pose(0.2);
            let x_b = Pose { p: x_a.p + random.direction() * 1.2, r: deformation(&mut random) };
            for k in 0..pair.features() {
                let value = numbers(&pair.contact(k, &x_a, &x_b).unwrap());
                for half in 0..2 {
                    let variable = |re: f64, i: usize| match i.checked_sub(6 * half) {
                        Some(i) => Dual::<6>::variable(re, i),
                        None => Dual::from_f64(re),
                    };
                    let dual = Pose {
                        p: Vec3::from_fn(|i, _| variable(x_b.p[i], i)),
                        r: Mat3::from_fn(|i, k| variable(x_b.r[(i, k)], 3 + 3 * k + i)),
                    };
                    let still = Pose { p: x_a.p.map(Dual::from_f64), r: x_a.r.map(Dual::from_f64) };
                    let c = pair.contact_dual(k, &still, &dual).unwrap().unwrap();
                    let c: Vec<_> =
                        c.p_a.iter().chain(&c.p_b).chain(&c.n).chain([&c.delta]).copied().collect();
                    for i in 0..6 {
                        let at = |h: f64| {
                            let mut x_b = x_b;
                            match 6 * half + i {
                                i @ 0..3 => x_b.p[i] += h,
                                i => x_b.r[((i - 3) % 3, (i - 3) / 3)] += h,
                            }
                            numbers(&pair.contact(k, &x_a, &x_b).unwrap())
                        };
                        let slopes = [1e-3, 5e-4].map(|h| {
                            let d = [1.0, 2.0, 3.0].map(|s| (at(s * h), at(-s * h)));
                            let d = |s: usize, j: usize| d[s].0[j] - d[s].1[j];
                            std::array::from_fn::<f64, 10, _>(|j| {
                                (45.0 * d(0, j) - 9.0 * d(1, j) + d(2, j)) / (60.0 * h)
                            })
                        });
                        for j in 0..10 {
                            assert!((c[j].re - value[j]).abs() < 1e-14, "{}", pair.solver());
                            let slope = slopes[1][j];
                            // next to an edge or a flat differences know nothing
                            if (slopes[0][j] - slope).abs() > 1e-9 {
                                continue;
                            }
                            checked += 1;
                            let error = (c[j].eps[i] - slope).abs();
                            assert!(error < 1e-9, "{} {k}: {j} by {i} of {half}: {error:e}", pair.solver());
                        }
                    }
                }
            }
        }
        assert!(checked > 500, "{}: {checked}", pair.solver());
    }
}

/// δ̇ = (v_a(p_a) − v_b(p_b))·n, B's points moving by ṗ + Ḟ X.
#[test]
fn the_gap_changes_as_the_points_part() {
    let mut random = Random(17);
    for (a, b) in couples() {
        let pair = bind(&a, &b);
        for _ in 0..100 {
            let (x_a, v, w) = (random.pose(0.2), random.vector(), random.vector());
            let x_b = Pose { p: x_a.p + random.direction() * 1.2, r: deformation(&mut random) };
            let (v_b, f_dot) = (random.vector(), Mat3::from_fn(|_, _| random.between(-1.0, 1.0)));
            for k in 0..pair.features() {
                let at = |t: f64| {
                    let turn = Quat::from_scaled_axis(w * t).to_rotation_matrix().into_inner();
                    let a = Pose { p: x_a.p + v * t, r: turn * x_a.r };
                    let b = Pose { p: x_b.p + v_b * t, r: x_b.r + f_dot * t };
                    pair.contact(k, &a, &b).unwrap()
                };
                let c = at(0.0);
                let of_a = v + w.cross(&(c.p_a - x_a.p));
                let of_b = v_b + f_dot * (x_b.r.try_inverse().unwrap() * (c.p_b - x_b.p));
                let rate = (of_a - of_b).dot(&c.n);
                let d = |h: f64| at(h).delta - at(-h).delta;
                let slope = |h: f64| (45.0 * d(h) - 9.0 * d(2.0 * h) + d(3.0 * h)) / (60.0 * h);
                if (slope(1e-3) - slope(5e-4)).abs() > 1e-9 {
                    continue;
                }
                assert!((rate - slope(5e-4)).abs() < 1e-9, "{}: {rate} {}", pair.solver(), slope(5e-4));
            }
        }
    }
}

/// Stretched along its axes a surface is another one of its kind, with that one's curvatures.
#[test]
fn curvatures_of_what_is_the_same() {
    let mut random = Random(19);
    let stretch = Vec3::new(1.3, 0.7, 1.2);
    let f = Mat3::from_diagonal(&stretch);
    let egg = Vec3::new(0.5, 0.3, 0.8);
    let exponents = [2.5, 4.0, 3.0];
    let scaled = |semi: &Vec3| -> [f64; 3] { semi.component_mul(&stretch).into() };
    let same: [(Shape, Shape); 3] = [
        (ball(0.4), Shape::outside(Ellipsoid::new(scaled(&Vec3::repeat(0.4))).unwrap())),
        (
            Shape::outside(Ellipsoid::new(egg.into()).unwrap()),
            Shape::outside(Ellipsoid::new(scaled(&egg)).unwrap()),
        ),
        (
            Shape::outside(Superellipsoid::new(egg.into(), exponents).unwrap()),
            Shape::outside(Superellipsoid::new(scaled(&egg), exponents).unwrap()),
        ),
    ];
    for (i, (own, stretched)) in same.iter().enumerate() {
        for other in [plane(), ball(0.2)] {
            if i == 2 && other.surface.kind() == "sphere" {
                continue;
            }
            let (soft, rigid) = (bind(&other, own), pairs::bind(&other, stretched).unwrap());
            for _ in 0..100 {
                let r = random.turn().to_rotation_matrix().into_inner();
                let p = random.direction() * 1.3;
                let (x_a, x_b) = (random.pose(0.05), Pose { p, r });
                let k = soft.curvature(0, &x_a, &Pose { p, r: r * f });
                let expected = rigid.curvature(0, &x_a, &x_b);
                for (x, y) in [(k.k_min, expected.k_min), (k.k_max, expected.k_max)] {
                    assert!((x - y).abs() < 1e-10 * (1.0 + expected.k_max), "{}: {x} {y}", soft.solver());
                }
            }
        }
    }
}

/// What is refused says what is possible.
#[test]
fn what_cannot_touch_is_refused() {
    let all = || pairs::ALL.iter().copied();
    let rod = Shape::outside(Capsule::new(0.1, 0.4).unwrap());
    let egg = Shape::outside(Ellipsoid::new([0.1, 0.2, 0.3]).unwrap());
    for (a, b, deforms) in [
        (ball(0.1), ball(0.1), [true, true]),
        (plane(), ball(0.1), [true, false]),
        (plane(), ball(0.1), [true, true]),
        (ball(0.1), rod.clone(), [false, true]),
        (rod, ball(0.1), [false, true]),
        (egg.clone(), ball(0.1), [false, true]),
        (Shape::inside(Sphere::new(1.0).unwrap()), egg.clone(), [false, true]),
        (plane(), Shape::inside(Sphere::new(1.0).unwrap()), [false, true]),
    ] {
        let error = pairs::bind_deformed(all(), &a, &b, deforms).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, GeometryError::Deformed { .. }), "{text}");
        assert!(text.contains(&a.describe()) && text.contains("touches a plane"), "{text}");
    }
    // in either order
    let pair = pairs::bind_deformed(all(), &egg, &plane(), [true, false]).unwrap();
    assert_eq!((pair.solver(), pair.features()), ("plane-ellipsoid", 1));
}
