//! The common normal by Newton's method for six coordinates (Lopes et al. 2010): right where it converges, and how often it does not.

use carom_base::{Dual, Mat3, Scalar};
use carom_geometry::pairs::common_normal::{CommonNormal, Tangents};
use carom_geometry::pairs::{self, convex::Convex};
use carom_geometry::surfaces::{Ellipsoid, Plane, Sphere, Superellipsoid};
use carom_geometry::{Contact, PairFailure, Pose, Quat, Seed, Shape, Vec3};
use carom_testkit::Random;
use serde_json::Value as Json;

const WAYS: [Tangents; 2] = [Tangents::Householder, Tangents::Auxiliary];

fn by(tangents: Tangents) -> CommonNormal {
    CommonNormal { tangents, ..CommonNormal::default() }
}

/// Semi axes of an aspect ratio up to that.
fn semi_axes(r: &mut Random, aspect: f64) -> [f64; 3] {
    [0; 3].map(|_| r.scale(1.0 / aspect, 1.0))
}

fn turn(r: &mut Random) -> Mat3 {
    r.turn().to_rotation_matrix().into_inner()
}

/// Two shapes, at poses whose gap is about `gap` of their size, by the other method.
fn placed(r: &mut Random, a: &Shape, b: &Shape, gap: f64) -> (Pose, Pose) {
    let usual = pairs::bind_by(&Convex, a, b).unwrap();
    let (x_a, u) = (Pose { p: r.direction(), r: turn(r) }, r.direction());
    let turn = turn(r);
    let at = |l: f64| Pose { p: x_a.p + u * l, r: turn };
    let (mut low, mut high) = (0.0, 4.0 * (a.surface.bounds().radius + b.surface.bounds().radius));
    let size = 0.25 * high;
    for _ in 0..40 {
        let l = 0.5 * (low + high);
        let near = usual.closest(&x_a, &at(l)).unwrap().delta > -gap * size;
        if near { low = l } else { high = l }
    }
    (x_a, at(low))
}

/// A population of pairs: how slender, how square, how far apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class {
    pub(crate) name: &'static str,
    aspect: f64,
    /// 2: ellipsoids
    exponent: f64,
    /// gaps from, to, in sizes
    gaps: [f64; 2],
}

const APART: [f64; 2] = [0.01, 0.5];
pub(crate) const CLASSES: [Class; 6] = [
    Class { name: "ellipsoids apart, aspect to 2", aspect: 2.0, exponent: 2.0, gaps: APART },
    Class { name: "ellipsoids apart, aspect to 5", aspect: 5.0, exponent: 2.0, gaps: APART },
    Class { name: "ellipsoids apart, aspect to 20", aspect: 20.0, exponent: 2.0, gaps: APART },
    Class { name: "ellipsoids near, aspect to 20", aspect: 20.0, exponent: 2.0, gaps: [-0.1, 0.1] },
    Class { name: "superellipsoids apart, exponents to 4", aspect: 5.0, exponent: 4.0, gaps: APART },
    Class { name: "superellipsoids near, exponents to 20", aspect: 20.0, exponent: 20.0, gaps: [-0.1, 0.1] },
];

impl Class {
    fn shape(&self, r: &mut Random) -> Shape {
        let semi = semi_axes(r, self.aspect);
        match self.exponent == 2.0 {
            true => Shape::outside(Ellipsoid::new(semi).unwrap()),
            false => {
                let exponents = [0; 3].map(|_| r.scale(2.0, self.exponent));
                Shape::outside(Superellipsoid::new(semi, exponents).unwrap())
            }
        }
    }
    pub(crate) fn pair(&self, r: &mut Random) -> (Shape, Shape, Pose, Pose) {
        let (a, b) = (self.shape(r), self.shape(r));
        let gap = self.gaps[0] + (self.gaps[1] - self.gaps[0]) * r.next();
        let (x_a, x_b) = placed(r, &a, &b, gap);
        (a, b, x_a, x_b)
    }
}

/// How often a cold start fails: does not converge, converges elsewhere and says so, is wrong without knowing.
#[derive(Debug, Default)]
struct Failures {
    astray: usize,
    refused: usize,
    wrong: usize,
    /// of those that are called certain
    certainly_wrong: usize,
}

fn failures(count: usize, class: &Class, tangents: Tangents) -> Failures {
    let mut r = Random(2010);
    let mut f = Failures::default();
    for _ in 0..count {
        let (a, b, x_a, x_b) = class.pair(&mut r);
        let usual = pairs::bind_by(&Convex, &a, &b).unwrap().closest(&x_a, &x_b).unwrap();
        let size = a.surface.bounds().radius + b.surface.bounds().radius;
        match pairs::bind_by(&by(tangents), &a, &b).unwrap().search(&x_a, &x_b, None) {
            Err(PairFailure::OtherSolution(_)) => f.refused += 1,
            Err(_) => f.astray += 1,
            Ok(found) => {
                let wrong = (found.contact.delta - usual.delta).abs() > 1e-8 * size;
                f.wrong += usize::from(wrong);
                f.certainly_wrong += usize::from(wrong && found.certified());
            }
        }
    }
    f
}

/// Printed with `--nocapture`; the book has the numbers of 3,400 pairs each (`COMMON_NORMAL_PAIRS=3400`).
#[test]
fn cold_starts_fail_as_often_as_they_are_said_to() {
    let count = std::env::var("COMMON_NORMAL_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let percent = |n: usize| 100.0 * n as f64 / f64::from(count);
    let share = CLASSES.map(|class| {
        WAYS.map(|way| {
            let f = failures(count as usize, &class, way);
            let total = percent(f.astray + f.refused + f.wrong);
            let (astray, refused, wrong) = (percent(f.astray), percent(f.refused), percent(f.wrong));
            println!(
                "{}, {way:?}: {total:.1} % fail: {astray:.1} astray, {refused:.1} refused, {wrong:.1} wrong",
                class.name
            );
            assert_eq!(f.certainly_wrong, 0, "{class:?} {f:?}");
            total
        })
    });
    for ([householder, auxiliary], most) in share.iter().zip([1.0, 5.0, 60.0, 70.0, 40.0, 90.0]) {
        assert!(*householder <= most && *auxiliary <= most, "{share:?}");
    }
    // slender and square ones fail by the half
    assert!(share[5].iter().all(|f| *f > 30.0), "{share:?}");
}

/// Where it converges and is certain it gives what the other method gives: points and normal too, cold and warm, either way round.
#[test]
fn it_agrees_with_the_usual_method() {
    let mut r = Random(1);
    let mut agreed = 0;
    for i in 0..300 {
        let gaps = if i % 3 == 0 { [-0.02, 0.0] } else { [0.0, 0.3] };
        let (a, b, x_a, x_b) = Class { gaps, ..CLASSES[0] }.pair(&mut r);
        let usual = pairs::bind_by(&Convex, &a, &b).unwrap().closest(&x_a, &x_b).unwrap();
        for way in WAYS {
            // the last step's square is what is left
            let exact = CommonNormal { tolerance: 1e-9, ..by(way) };
            let pair = pairs::bind_by(&exact, &a, &b).unwrap();
            let seed = Seed::of(&usual, &x_a, &x_b);
            let loose = pairs::bind_by(&by(way), &a, &b).unwrap().search(&x_a, &x_b, None);
            assert!(loose.is_ok_and(|f| !f.certified() || (f.contact.delta - usual.delta).abs() < 1e-10));
            let cold = pair.search(&x_a, &x_b, None).ok().filter(|f| f.certified()).map(|f| f.contact);
            let warm = pair.contact_from(0, &x_a, &x_b, Some(&seed)).unwrap();
            let turned = pairs::bind_by(&exact, &b, &a).unwrap();
            let back = turned.contact_from(0, &x_b, &x_a, Some(&seed.swapped())).unwrap().swapped();
            for c in [Some(warm), Some(back), cold].into_iter().flatten() {
                let off = [(c.p_a - usual.p_a).norm(), (c.p_b - usual.p_b).norm(), (c.n - usual.n).norm()];
                assert!(
                    (c.delta - usual.delta).abs() < 1e-14 && off.iter().all(|x| *x < 1e-12),
                    "{way:?} {off:?}"
                );
                agreed += 1;
            }
        }
    }
    assert!(agreed > 1700, "{agreed}");
}

/// The two ellipsoids of `data/convex.jsonl`: distances in arithmetic of higher precision. A start that leads astray is no answer.
#[test]
fn reference_values() {
    let numbers =
        |json: &Json| json.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
    let shape = |json: &Json| {
        let semi = numbers(&json["semi_axes"]);
        Shape::outside(Ellipsoid::new([semi[0], semi[1], semi[2]]).unwrap())
    };
    let pose = |json: &Json| {
        let q = numbers(&json["quaternion"]);
        let q = Quat::from_quaternion(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]));
        Pose::new(Vec3::from_iterator(numbers(&json["position"])), &q)
    };
    let (mut all, mut right) = (0, 0);
    for line in include_str!("data/convex.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        if [&case["a"], &case["b"]].iter().any(|s| s["type"] != "ellipsoid") {
            continue;
        }
        let (a, b) = (shape(&case["a"]), shape(&case["b"]));
        let (x_a, x_b) = (pose(&case["pose_a"]), pose(&case["pose_b"]));
        let distance = case["expect"]["distance"].as_f64().unwrap();
        for way in WAYS {
            let pair = pairs::bind_by(&by(way), &a, &b).unwrap();
            all += 1;
            match pair.search(&x_a, &x_b, None) {
                Ok(found) if found.certified() => {
                    assert!((found.contact.delta + distance).abs() < 1e-9, "{} {way:?}", case["id"]);
                    right += 1;
                }
                _ => {}
            }
        }
    }
    println!("{right} of {all} reference values from a cold start");
    assert!(all == 42 && right > 20, "{right} of {all}");
}

/// Two balls, whose distance anyone knows, and the other three common normals of theirs, which are refused.
#[test]
fn of_balls() {
    let ball = |radius: f64| Shape::outside(Ellipsoid::new([radius; 3]).unwrap());
    let (x_a, x_b) = (Pose::identity(), Pose::at(Vec3::new(2.0, -1.0, 2.0)));
    let n = x_b.p / 3.0;
    for way in WAYS {
        let pair = pairs::bind_by(&by(way), &ball(1.0), &ball(0.5)).unwrap();
        assert!((pair.contact(0, &x_a, &x_b).unwrap().delta + 1.5).abs() < 1e-14);
        for (i, j) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let seed = Seed { n, n_b: n, p_a: n * i, p_b: n * (0.5 * j), delta: 0.0, piece: 0 };
            let found = pair.contact_from(0, &x_a, &x_b, Some(&seed));
            assert!(matches!(found, Err(PairFailure::OtherSolution(_))), "{way:?} {i} {j} {found:?}");
        }
        let sunk = pair.search(&x_a, &Pose::at(n * 1.4), None).unwrap();
        assert!((sunk.contact.delta - 0.1).abs() < 1e-14 && sunk.certified());
    }
}

/// Followed through a motion, each start the contact before: 3 to 4 steps.
#[test]
fn a_warm_start_takes_three_or_four_steps() {
    let (a, b) = (Ellipsoid::new([5.0, 5.0, 2.0]).unwrap(), Ellipsoid::new([1.0, 5.0, 5.0]).unwrap());
    for way in WAYS {
        let pair = pairs::bind_by(&by(way), &Shape::outside(a), &Shape::outside(b)).unwrap();
        let (mut seed, mut steps) = (None, 0);
        for i in 0..200 {
            let angle = f64::from(i) * std::f64::consts::TAU / 200.0;
            let x_a = Pose::new(Vec3::zeros(), &Quat::from_scaled_axis(Vec3::x() * angle));
            let diagonal = Vec3::new(1.0, 1.0, 1.0).normalize();
            let x_b = Pose::new(Vec3::new(8.0, 6.0, 4.0), &Quat::from_scaled_axis(diagonal * angle));
            let found = pair.search(&x_a, &x_b, seed.as_ref()).unwrap();
            let usual =
                pairs::bind(&Shape::outside(a), &Shape::outside(b)).unwrap().closest(&x_a, &x_b).unwrap();
            assert!((found.contact.delta - usual.delta).abs() < 1e-9 && found.certified());
            seed = Some(Seed::of(&found.contact, &x_a, &x_b));
            steps += found.steps;
        }
        let mean = steps as f64 / 200.0;
        println!("{way:?}: {mean} steps each");
        assert!((3.0..4.2).contains(&mean), "{way:?} {mean}");
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let egg = Shape::outside(Ellipsoid::new([0.5, 0.3, 0.8]).unwrap());
    let pillow = Shape::outside(Superellipsoid::new([0.6, 0.4, 0.5], [2.5, 3.0, 4.0]).unwrap());
    let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.3), &Quat::from_euler_angles(0.4, 0.3, -0.9));
    let x_b = Pose::new(Vec3::new(0.7, 0.4, 0.9), &Quat::from_euler_angles(-0.2, 0.5, 0.6));
    let moved = |x: &Pose, k: usize, h: f64| {
        let unit = Vec3::ith(k % 3, h);
        match k {
            0..3 => Pose { p: x.p + unit, r: x.r },
            _ => Pose { p: x.p, r: Quat::from_scaled_axis(unit).to_rotation_matrix().into_inner() * x.r },
        }
    };
    let numbers =
        |c: &Contact| c.p_a.iter().chain(&c.p_b).chain(&c.n).chain([&c.delta]).copied().collect::<Vec<f64>>();
    for (a, b) in [(&egg, &egg), (&egg, &pillow), (&pillow, &egg)] {
        let pair =
            pairs::bind_by(&CommonNormal { tolerance: 1e-9, ..by(Tangents::Householder) }, a, b).unwrap();
        for which in 0..2 {
            let dual = |x: &Pose, moves: bool| {
                let constant = |v: f64| Dual::<6>::from_f64(v);
                let (p, r) = (x.p.map(constant), x.r.map(constant));
                if !moves {
                    return Pose { p, r };
                }
                let w = Vec3::from_fn(|i, _| Dual::<6>::variable(0.0, 3 + i));
                let columns = [0, 1, 2].map(|i| r.column(i) + w.cross(&r.column(i).into_owned()));
                Pose {
                    p: p + Vec3::from_fn(|i, _| Dual::<6>::variable(0.0, i)),
                    r: Mat3::from_columns(&columns),
                }
            };
            let ours =
                pair.contact_dual(0, &dual(&x_a, which == 0), &dual(&x_b, which == 1)).unwrap().unwrap();
            let ours: Vec<Dual<6>> =
                ours.p_a.iter().chain(&ours.p_b).chain(&ours.n).chain([&ours.delta]).copied().collect();
            for k in 0..6 {
                let h = 1e-5;
                let at = |h: f64| {
                    let (x_a, x_b) =
                        if which == 0 { (moved(&x_a, k, h), x_b) } else { (x_a, moved(&x_b, k, h)) };
                    numbers(&pair.contact(0, &x_a, &x_b).unwrap())
                };
                for (i, (low, high)) in at(-h).iter().zip(at(h)).enumerate() {
                    let by = (high - low) / (2.0 * h);
                    assert!(
                        (by - ours[i].eps[k]).abs() < 1e-8,
                        "{i} by {k} of {which}: {by} {}",
                        ours[i].eps[k]
                    );
                }
            }
        }
    }
}

/// Curvatures, bounds of gaps, names, and what it does not know.
#[test]
fn what_else_a_pair_has() {
    let egg = Shape::outside(Ellipsoid::new([0.5, 0.3, 0.8]).unwrap());
    let (x_a, x_b) = (Pose::identity(), Pose::at(Vec3::new(0.9, 0.4, 0.3)));
    let usual = pairs::bind(&egg, &egg).unwrap();
    let pair = pairs::bind_by(&CommonNormal::default(), &egg, &egg).unwrap();
    let (ours, theirs) = (pair.curvature(0, &x_a, &x_b), usual.curvature(0, &x_a, &x_b));
    assert!((ours.k_min - theirs.k_min).abs() < 1e-9 && (ours.k_max - theirs.k_max).abs() < 1e-9);
    assert_eq!(pair.bounds(), usual.bounds());
    assert_eq!((pair.features(), pair.feature_name(0)), (1, "contact".to_owned()));
    assert_eq!(pair.contact(1, &x_a, &x_b).unwrap_err(), PairFailure::NoFeature(1));
    let lost = Pose::at(Vec3::new(f64::NAN, 0.0, 0.0));
    assert_eq!(pair.contact(0, &x_a, &lost).unwrap_err(), PairFailure::NotFinite);
    for other in [
        Shape::outside(Plane),
        Shape::outside(Sphere::new(0.1).unwrap()),
        Shape::inside(Sphere::new(2.0).unwrap()),
    ] {
        let error = pairs::bind_by(&CommonNormal::default(), &egg, &other).unwrap_err();
        assert!(error.to_string().starts_with("common-normal does not know ellipsoid against "), "{error}");
    }
}
