//! The supertorus: its closest point against search over the whole surface, its forms against each other, the torus and quadrature.

use carom_testkit::Random;
use std::f64::consts::PI;

use carom_base::{Dual, Mat3, Vec3};
use carom_geometry::surfaces::{Sphere, Supertorus, Torus};
use carom_geometry::{GeometryError, Pose, Project, Ring, Shape, Side, Surface, pairs};

/// Spread evenly over the powers of ten, of either sign.
fn small(random: &mut Random) -> f64 {
    let size = random.scale(1e-14, 0.1);
    if random.next() < 0.5 { size } else { -size }
}

/// The superellipse by its explicit form: eighth by eighth, in each by the smaller coordinate.
fn superellipse(gamma: f64, t: f64) -> (f64, f64) {
    let t = t.rem_euclid(8.0);
    let (eighth, rest) = (t.floor() as usize, t.fract());
    let s = if eighth.is_multiple_of(2) { rest } else { 1.0 - rest };
    let small = s * 0.5f64.powf(1.0 / gamma);
    let large = (1.0 - small.powf(gamma)).powf(1.0 / gamma);
    match eighth {
        0 => (large, small),
        1 => (small, large),
        2 => (-small, large),
        3 => (-large, small),
        4 => (-large, -small),
        5 => (-small, -large),
        6 => (small, -large),
        _ => (large, -small),
    }
}

/// The surface as a set of points, and how to look closer.
struct Searched {
    surface: Supertorus,
    nodes: Vec<(f64, f64, Vec3)>,
}

const EACH: usize = 10;

impl Searched {
    fn new(surface: Supertorus) -> Searched {
        let mut searched = Searched { surface, nodes: Vec::new() };
        for i in 0..8 * EACH {
            for j in 0..8 * EACH {
                let (s, t) = (i as f64 / EACH as f64, j as f64 / EACH as f64);
                searched.nodes.push((s, t, searched.point(s, t)));
            }
        }
        searched
    }

    fn point(&self, s: f64, t: f64) -> Vec3 {
        let ([a, b], [section, ring]) = (self.surface.semi_axes(), self.surface.exponents());
        let ((x, y), (u, v)) = (superellipse(ring, s), superellipse(section, t));
        let q = self.surface.major() + a * u;
        Vec3::new(q * x, q * y, b * v)
    }

    /// The least distance: the ten best nodes, each with ever closer looks around.
    fn distance(&self, x: &Vec3) -> f64 {
        let mut best: Vec<(f64, f64, f64)> =
            self.nodes.iter().map(|(s, t, p)| ((x - p).norm_squared(), *s, *t)).collect();
        best.select_nth_unstable_by(10, |a, b| a.0.total_cmp(&b.0));
        let closer = |&(mut least, mut s, mut t): &(f64, f64, f64)| {
            let mut width = 1.0 / EACH as f64;
            while width > 1e-9 {
                let centre = (s, t);
                for (i, j) in (-2..=2).flat_map(|i| (-2..=2).map(move |j| (i, j))) {
                    let at = (centre.0 + 0.5 * width * f64::from(i), centre.1 + 0.5 * width * f64::from(j));
                    let f = (x - self.point(at.0, at.1)).norm_squared();
                    if f < least {
                        (least, s, t) = (f, at.0, at.1);
                    }
                }
                width *= if (s, t) == centre { 0.4 } else { 1.0 };
            }
            least
        };
        best[..10].iter().map(closer).fold(f64::INFINITY, f64::min).sqrt()
    }
}

fn links() -> Vec<Supertorus> {
    let mut links = Vec::new();
    for exponents in [[2.0, 2.0], [2.0, 20.0], [20.0, 2.0], [2.2, 2.7], [4.0, 4.0], [8.0, 3.0], [20.0, 20.0]]
    {
        for axes in [[0.4, 0.4], [0.9, 0.3], [0.2, 1.5]] {
            links.push(Supertorus::new(1.0, axes, exponents).unwrap());
        }
    }
    links
}

/// Points all around: far, in the tube, at the axis, at the planes of symmetry, at the ring.
fn samples(link: &Supertorus, random: &mut Random, n: usize) -> Vec<Vec3> {
    let [a, b] = link.semi_axes();
    let mut out = Vec::new();
    for i in 0..n {
        let reach = Vec3::new(1.0 + 2.0 * a, 1.0 + 2.0 * a, 2.0 * b);
        let mut x = reach.map(|r| random.between(-r, r));
        if i % 3 == 0 {
            let at = link.point(random.between(-PI, PI), random.between(-PI, PI));
            let c = link.section(at.y.atan2(at.x)).centre;
            x = c + (at - c) * random.next().powf(0.3);
        }
        match i % 7 {
            1 => (x.x, x.y) = (small(random), small(random)),
            2 => x.y = small(random),
            3 => x.z = small(random),
            4 => x.y = x.x + small(random),
            5 => {
                x = link.section(random.between(-PI, PI)).centre
                    + Vec3::new(small(random), small(random), small(random))
            }
            _ => {}
        }
        out.push(x);
    }
    out
}

#[test]
fn no_point_of_the_surface_is_nearer_than_the_closest_point() {
    let mut random = Random(1);
    for link in links() {
        let searched = Searched::new(link);
        for x in samples(&link, &mut random, 42) {
            let closest_point = link.closest_point(Side::Outside, 0, &x);
            let what = format!("{:?} {:?} {x:?}", link.semi_axes(), link.exponents());
            assert!(closest_point.d.abs() <= searched.distance(&x) + 1e-13, "{what}");
            // and it is a closest point: on the surface, x along its normal
            assert!(link.implicit(&closest_point.p).abs() < 1e-13, "{what}");
            assert!((closest_point.p + closest_point.n * closest_point.d - x).norm() < 1e-14, "{what}");
            assert_eq!(closest_point.d < 0.0, link.implicit(&x) < 0.0, "{what}");
        }
    }
}

/// In the tube's corner, on the ring's diagonal: nearest to a wall that is flat neither way.
#[test]
fn a_corner_of_both_section_and_ring() {
    let link = Supertorus::new(
        1.0,
        [0.18968140632298527, 2.029461863345924],
        [8.504609928945243, 2.9963343186386937],
    );
    let (link, x) = (link.unwrap(), Vec3::new(0.8675700132596943, 0.8675714341204555, 1.9503795419847096));
    let closest_point = link.closest_point(Side::Outside, 0, &x);
    assert!(closest_point.d.abs() <= Searched::new(link).distance(&x) + 1e-13, "{}", closest_point.d);
}

#[test]
fn from_inside_all_is_turned_over() {
    let mut random = Random(2);
    for link in links() {
        for x in samples(&link, &mut random, 20) {
            let (out, within) =
                (link.closest_point(Side::Outside, 0, &x), link.closest_point(Side::Inside, 0, &x));
            assert_eq!((within.p, within.n, within.d), (out.p, -out.n, -out.d));
            let [out, within] = [Side::Outside, Side::Inside].map(|s| Project::curvature(&link, s, 0, &x));
            assert_eq!((within.k1, within.k2, within.direction), (-out.k1, -out.k2, out.direction));
        }
    }
}

#[test]
fn round_it_is_the_torus() {
    let (link, ring) = (Supertorus::new(1.3, [0.4, 0.4], [2.0, 2.0]).unwrap(), Torus::new(1.3, 0.4).unwrap());
    let mut random = Random(3);
    for x in samples(&link, &mut random, 2000) {
        for side in [Side::Outside, Side::Inside] {
            let [a, b] = [&link as &dyn Project, &ring].map(|s| s.closest_point(side, 0, &x));
            assert!((a.d - b.d).abs() < 1e-15, "{x:?}");
            // near axis and ring a closest point is as uncertain as x is relative to its distance from there
            let near = x.x.hypot(x.y).min((x.x.hypot(x.y) - 1.3).hypot(x.z));
            assert!((a.p - b.p).norm() < 1e-15 / near.min(1.0) + 1e-15, "{x:?}");
            assert!((a.n - b.n).norm() < 4e-15 / near.min(1.0) + 1e-15, "{x:?}");
        }
        let (phi, theta) = (random.between(-PI, PI), random.between(-PI, PI));
        assert!((link.point(phi, theta) - ring.point(phi, theta)).norm() < 1e-15);
        assert!((link.normal(phi, theta) - ring.normal(phi, theta)).norm() < 1e-15);
        let p = ring.point(phi, theta);
        let (k, ours) =
            (Project::curvature(&ring, Side::Outside, 0, &p), link.curvature_at(Side::Outside, &p));
        assert!((ours.k1 - k.k1).abs() < 1e-14 && (ours.k2 - k.k2).abs() < 1e-14);
        assert!(ours.direction.cross(&k.direction).norm() < 1e-14);
    }
    for side in [Side::Outside, Side::Inside] {
        let [a, b] = [&link as &dyn Project, &ring].map(|s| s.hollow_radius(side));
        assert!((a / b - 1.0).abs() < 1e-8);
    }
    assert!((link.bounds().radius / ring.bounds().radius - 1.0).abs() < 1e-15);
    let (a, b) = (link.solid().unwrap(), ring.solid().unwrap());
    assert!(
        (a.volume / b.volume - 1.0).abs() < 1e-13
            && (a.inertia - b.inertia).norm() < 1e-13 * b.inertia.norm()
    );
    let (a, b) = (link.shell().unwrap(), ring.shell().unwrap());
    assert!(
        (a.area / b.area - 1.0).abs() < 1e-13 && (a.inertia - b.inertia).norm() < 1e-13 * b.inertia.norm()
    );
}

#[test]
fn the_forms_agree() {
    let mut random = Random(4);
    for link in links() {
        for _ in 0..100 {
            let (phi, theta) = (random.between(-PI, PI), random.between(-PI, PI));
            let (p, n) = (link.point(phi, theta), link.normal(phi, theta));
            assert!(link.implicit(&p).abs() < 1e-12);
            let gradient = link.gradient(&p);
            assert!((gradient.normalize() - n).norm() < 1e-12);
            let [along, around] = link.tangents(phi, theta);
            assert!(along.dot(&n).abs() < 1e-15 && around.dot(&n).abs() < 1e-15);
            assert!(along.cross(&around).dot(&n) > 0.0);
            assert!((link.point(phi + 1e-6, theta) - p).dot(&along) > 0.0);
            assert!((link.point(phi, theta + 1e-6) - p).dot(&around) > 0.0);
            // by duals, on the surface and off it
            for x in [p, p * 1.1, p * 0.9] {
                let dual = link.implicit(&Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i)));
                let gradient = link.gradient(&x);
                assert!((Vec3::from(dual.eps) - gradient).norm() < 1e-13 * gradient.norm());
            }
            let h = 1e-6;
            let column = |i: usize| {
                let step = Vec3::ith(i, h);
                (link.gradient(&(p + step)) - link.gradient(&(p - step))) / (2.0 * h)
            };
            let (found, hessian) = (Mat3::from_columns(&[column(0), column(1), column(2)]), link.hessian(&p));
            assert!((found - hessian).norm() < 1e-6 * (1.0 + hessian.norm()), "{found} {hessian}");
        }
    }
}

#[test]
fn no_hollow_is_narrower_than_said() {
    let mut random = Random(5);
    for link in links() {
        for side in [Side::Outside, Side::Inside] {
            let radius = Project::hollow_radius(&link, side);
            let mut narrowest = f64::INFINITY;
            for _ in 0..3000 {
                let p = link.point(random.between(-PI, PI), random.between(-PI, PI));
                let k = link.curvature_at(side, &p);
                narrowest =
                    narrowest.min(if k.k1.min(k.k2) < 0.0 { -1.0 / k.k1.min(k.k2) } else { f64::INFINITY });
            }
            let what = format!("{:?} {:?} {side:?}", link.semi_axes(), link.exponents());
            assert!(narrowest >= radius * (1.0 - 1e-12), "{what}: {narrowest} < {radius}");
            // nor much wider, unless opposite walls are nearer than that
            let [a, b] = link.semi_axes();
            assert!(narrowest < 1.05 * radius || radius == a.min(b), "{what}: {narrowest} {radius}");
        }
    }
}

#[test]
fn a_ball_outside_and_one_in_the_tube() {
    let link = Supertorus::new(1.0, [0.4, 0.3], [4.0, 6.0]).unwrap();
    let searched = Searched::new(link);
    let (ball, mut random) = (Sphere::new(0.1).unwrap(), Random(6));
    let x_a = Pose::new(Vec3::new(0.3, -0.2, 0.1), &carom_base::Quat::from_euler_angles(0.4, -1.1, 2.0));
    for shape in [Shape::outside(link), Shape::inside(link)] {
        let pair = pairs::bind(&shape, &Shape::outside(ball)).unwrap();
        assert_eq!((pair.solver(), pair.features()), ("sphere-any", 1));
        for x in samples(&link, &mut random, 100) {
            let contact = pair.contact(0, &x_a, &Pose::at(x_a.point(&x))).unwrap();
            let within = link.implicit(&x) < 0.0;
            let free = within == (shape.side == Side::Inside);
            let distance = searched.distance(&x) * if free { 1.0 } else { -1.0 };
            assert!((0.1 - contact.delta - distance).abs() < 1e-12, "{x:?}");
        }
    }
    // on the floor of the tube, at its middle
    let pair = pairs::bind(&Shape::inside(link), &Shape::outside(ball)).unwrap();
    let contact = pair.contact(0, &Pose::identity(), &Pose::at(Vec3::new(1.0, 0.0, -0.21))).unwrap();
    assert!((contact.delta - 0.01).abs() < 1e-15 && (contact.n - Vec3::z()).norm() < 1e-15);
}

#[test]
fn refuses_what_is_no_supertorus() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for (major, a, b) in [(bad, 0.1, 0.1), (1.0, bad, 0.1), (1.0, 0.1, bad)] {
            let error = Supertorus::new(major, [a, b], [3.0, 3.0]);
            assert!(matches!(error, Err(GeometryError::BadMeasure { .. })));
        }
    }
    for bad in [0.0, 1.999, -3.0, f64::NAN, f64::INFINITY] {
        for exponents in [[bad, 3.0], [3.0, bad]] {
            let error = Supertorus::new(1.0, [0.1, 0.1], exponents);
            assert!(matches!(error, Err(GeometryError::BadExponent { .. })));
        }
    }
    let error = Supertorus::new(1.0, [1.0, 0.1], [3.0, 3.0]).unwrap_err().to_string();
    assert!(error.contains("semi_axes") && error.contains("major_radius"), "{error}");
}
