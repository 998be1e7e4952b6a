//! A journal in its bearing, against search around the circles and against closed forms.

use crate::common::Random;
use carom_base::{Pose, Quat, Vec3};
use carom_geometry::surfaces::{Cylinder, Sphere};
use carom_geometry::{BoundPair, PairFailure, RelativeCurvature, Shape, pairs};

const R_B: f64 = 0.0100;
const R_J: f64 = 0.0095;

fn bearing(length: f64) -> Shape {
    Shape::inside(Cylinder::new(R_B, length).unwrap())
}

fn journal(length: f64) -> Shape {
    Shape::outside(Cylinder::new(R_J, length).unwrap())
}

fn pair(bearing_length: f64, journal_length: f64) -> Box<dyn BoundPair> {
    pairs::bind(&bearing(bearing_length), &journal(journal_length)).unwrap()
}

/// The largest value of f(φ) around a circle: the best of a grid, then golden sections, then the parabola through three points.
fn largest(f: impl Fn(f64) -> f64) -> f64 {
    let step = std::f64::consts::TAU / 720.0;
    let best = (0..720).map(|i| f64::from(i) * step).max_by(|a, b| f(*a).total_cmp(&f(*b))).unwrap();
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    let (mut lo, mut hi) = (best - step, best + step);
    while hi - lo > 1e-9 {
        let (a, b) = (hi - golden * (hi - lo), lo + golden * (hi - lo));
        if f(a) > f(b) { hi = b } else { lo = a }
    }
    f(0.5 * (lo + hi))
}

/// The indentation at an end by search: of the journal's rim beyond the barrel, or of a mouth's points within the journal.
fn searched(lengths: [f64; 2], side: f64, x_a: &Pose, x_b: &Pose) -> f64 {
    let through = lengths[1] > lengths[0];
    let half = 0.5 * lengths[0].min(lengths[1]);
    let (x, other, r) = if through { (x_a, x_b, R_B) } else { (x_b, x_a, R_J) };
    let rho = |phi: f64| {
        let p = other.point_to_local(&x.point(&Vec3::new(r * phi.cos(), r * phi.sin(), side * half)));
        p.x.hypot(p.y)
    };
    if through { R_J + largest(|phi| -rho(phi)) } else { largest(rho) - R_B }
}

#[test]
fn around_the_circles() {
    let mut random = Random(5);
    let mut touching = 0;
    for lengths in [[0.020, 0.014], [0.014, 0.020], [0.005, 0.1], [0.1, 0.0065]] {
        let pair = pair(lengths[0], lengths[1]);
        for i in 0..400 {
            // from nearly parallel to far askew
            let tilt = random.scale(1e-9, 0.5) * f64::from(i % 5).min(1.0);
            let x_a = random.pose(1.0);
            let turn = Quat::from_scaled_axis(random.direction() * tilt);
            let place = Vec3::new(random.between(-6e-4, 6e-4), random.between(-6e-4, 6e-4), 1e-4);
            let x_b = x_a.then(&Pose::new(place, &turn));
            for (k, side) in [1.0, -1.0].into_iter().enumerate() {
                let expected = searched(lengths, side, &x_a, &x_b);
                let Ok(c) = pair.contact(k, &x_a, &x_b) else {
                    assert!(tilt > 0.02, "refused at {tilt}");
                    continue;
                };
                touching += usize::from(c.delta > 0.0);
                assert!((c.delta - expected).abs() < 1e-15, "{lengths:?} {tilt:e}: {} {expected}", c.delta);
                assert!(((c.p_a - c.p_b) - c.n * c.delta).norm() < 4e-16);
            }
        }
    }
    assert!(touching > 300, "{touching}");
}

/// Parallel, both ends are as deep as the eccentricity is beyond the clearance, and together they are one contact.
#[test]
fn parallel_it_is_a_line() {
    for lengths in [[0.020, 0.014], [0.014, 0.020], [0.02, 0.02]] {
        let pair = pair(lengths[0], lengths[1]);
        for e in [1e-9, 1e-4, 4.9e-4, 5e-4, 5.1e-4, 7e-4] {
            let x_b = Pose::at(Vec3::new(-0.6 * e, 0.8 * e, 0.0));
            let mut share = 0.0;
            for k in 0..2 {
                let c = pair.contact(k, &Pose::identity(), &x_b).unwrap();
                assert!((c.delta - (e - (R_B - R_J))).abs() < 4e-18, "{e}: {}", c.delta);
                assert!((c.n - Vec3::new(0.6, -0.8, 0.0)).norm() < 1e-12, "{:?}", c.n);
                share += c.share;
            }
            assert_eq!(share, 1.0);
        }
        let k = pair.curvature(0, &Pose::identity(), &Pose::identity());
        assert_eq!(k, RelativeCurvature::line([R_J, -R_B], lengths[0].min(lengths[1])));
    }
}

/// In the plane across the axes it is a ball in a hollow ball.
#[test]
fn in_the_plane_it_is_a_ball_in_a_ball() {
    let [round, ball] = [R_B, R_J].map(|r| Sphere::new(r).unwrap());
    let balls = pairs::bind(&Shape::inside(round), &Shape::outside(ball)).unwrap();
    let mut random = Random(8);
    for lengths in [[0.020, 0.014], [0.014, 0.020]] {
        let pair = pair(lengths[0], lengths[1]);
        for _ in 0..200 {
            let turn = |r: &mut Random| Quat::from_scaled_axis(Vec3::z() * r.between(-3.0, 3.0));
            let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.0), &turn(&mut random));
            let place = Vec3::new(random.between(-8e-4, 8e-4), random.between(-8e-4, 8e-4), 0.0);
            let x_b = Pose::new(x_a.p + place, &turn(&mut random));
            let ball = balls.contact(0, &x_a, &x_b).unwrap();
            for k in 0..2 {
                let c = pair.contact(k, &x_a, &x_b).unwrap();
                assert!((c.delta - ball.delta).abs() < 1e-16);
                assert!((c.n - ball.n).norm() < 1e-12);
                assert!((c.p_a - ball.p_a).xy().norm() < 2e-16 + 1e-12 * R_B);
            }
        }
    }
}

/// Askew about its middle it touches with two opposite ends; the rim of a journal in a can, by hand.
#[test]
fn askew_it_touches_at_two_opposite_ends() {
    let pair = pair(0.020, 0.014);
    let theta: f64 = 0.08;
    let turn = Quat::from_scaled_axis(Vec3::y() * theta);
    let [up, down] =
        [0, 1].map(|k| pair.contact(k, &Pose::identity(), &Pose::new(Vec3::zeros(), &turn)).unwrap());
    // the rim's tip: R cos θ + (L/2) sin θ
    let tip = R_J * theta.cos() + 0.007 * theta.sin();
    assert!((up.delta - (tip - R_B)).abs() < 4e-18 && (down.delta - up.delta).abs() < 4e-18);
    assert!(up.delta > 0.0 && (up.n + down.n).norm() < 1e-12 && (up.n + Vec3::x()).norm() < 1e-12);
}

/// A gap has no jumps along a path of poses, with whatever turns the journal takes, also through the middle and upright.
#[test]
fn gaps_are_continuous() {
    for lengths in [[0.020, 0.014], [0.014, 0.020]] {
        let pair = pair(lengths[0], lengths[1]);
        let mut last = None::<Vec<f64>>;
        let (n, h) = (20_000, 1e-3);
        for i in 0..n {
            let t = h * f64::from(i - n / 2) / 10.0;
            let turn = Quat::from_scaled_axis(Vec3::new(0.04 * t, 0.03 * (1.7 * t).sin(), 0.5 * t));
            let place = Vec3::new(4e-4 * t, 3e-4 * (2.0 * t).sin(), 1e-4 * t);
            let x_b = Pose::new(place, &turn);
            let gaps: Vec<f64> = (0..pair.features())
                .map(|k| pair.contact(k, &Pose::identity(), &x_b).unwrap().delta)
                .collect();
            if let Some(last) = &last {
                for (k, (a, b)) in last.iter().zip(&gaps).enumerate() {
                    assert!((a - b).abs() < 2e-3 * h / 10.0 * 2.0, "{k} at {t}: {a} {b}");
                }
            }
            last = Some(gaps);
        }
    }
}

#[test]
fn the_caps_of_a_can_hold_it() {
    let pair = pair(0.020, 0.014);
    let x_b = Pose::at(Vec3::new(0.0, 0.0, 0.0031));
    let deep: Vec<String> = (0..pair.features())
        .filter(|k| pair.contact(*k, &Pose::identity(), &x_b).unwrap().delta > 0.0)
        .map(|k| pair.feature_name(k))
        .collect();
    assert_eq!(deep, ["rim+ low at cap+", "rim+ high at cap+"]);
    let c = pair.contact(2, &Pose::identity(), &x_b).unwrap();
    assert!((c.delta - 1e-4).abs() < 4e-18 && (c.n + Vec3::z()).norm() < 1e-15);
    assert_eq!(pairs::bind(&bearing(0.014), &journal(0.020)).unwrap().features(), 2);
}

#[test]
fn what_does_not_fit_or_has_left_is_refused() {
    let thick = Shape::outside(Cylinder::new(R_B, 0.01).unwrap());
    assert!(pairs::bind(&bearing(0.02), &thick).is_err());
    // the journal's end has passed the mouth
    let pair = pair(0.014, 0.020);
    let at = |x: f64, z: f64| pair.contact(1, &Pose::identity(), &Pose::at(Vec3::new(x, 0.0, z)));
    assert!(at(6e-4, 0.0).is_ok() && at(6e-4, 0.0042).is_ok() && at(4e-4, 0.01).is_ok());
    assert!(matches!(at(6e-4, 0.0045), Err(PairFailure::Rim)));
}

/// Rods side by side meet along a line too, as long as they lie beside each other; crossed, in a point.
#[test]
fn rods_side_by_side_have_a_line() {
    let rod = |r: f64, length: f64| Shape::outside(Cylinder::new(r, length).unwrap());
    let pair = pairs::bind(&rod(0.02, 0.3), &rod(0.01, 0.2)).unwrap();
    let at = |x: Pose| pair.curvature(0, &Pose::identity(), &x);
    let beside = at(Pose::at(Vec3::new(0.03, 0.0, 0.12)));
    assert!((beside.length - 0.13).abs() < 1e-16 && beside.radii == [0.02, 0.01]);
    assert!((beside.k_max - 150.0).abs() < 1e-9 && beside.k_min < 1e-9);
    let turn = Quat::from_scaled_axis(Vec3::x() * 0.3);
    let crossed = at(Pose::new(Vec3::new(0.03, 0.0, 0.0), &turn));
    assert!(crossed.length == 0.0 && crossed.k_min > 1.0);
}

/// Where no point is furthest one is taken: concentric and parallel, or off by next to nothing.
#[test]
fn concentric_it_has_a_contact() {
    for lengths in [[0.020, 0.014], [0.014, 0.020]] {
        let pair = pair(lengths[0], lengths[1]);
        for e in [0.0, 1e-300, 1e-204, 1e-100, 1e-30, 1e-17, 1e-16, 1e-15] {
            for tilt in [0.0, 1e-300, 1e-160, 1e-20, 1e-9, 1e-3] {
                for phi in [0.0f64, 0.3, 1.6, 3.2, 4.5] {
                    let turn = Quat::from_scaled_axis(Vec3::y() * tilt);
                    let x_b = Pose::new(Vec3::new(e * phi.cos(), e * phi.sin(), 0.0), &turn);
                    for k in 0..2 {
                        let c = pair.contact(k, &Pose::identity(), &x_b).unwrap();
                        let off = c.delta + (R_B - R_J);
                        assert!(
                            off.abs() < 2e-17 + 1.01 * e + 0.02 * tilt,
                            "{lengths:?} {e} {tilt}: {off:e}"
                        );
                        assert!((c.n.norm() - 1.0).abs() < 1e-15);
                    }
                }
            }
        }
    }
}

/// A can that tumbles about the very middle of another: two points of a rim are as far, or one, by its tilt.
#[test]
fn in_the_very_middle_at_every_tilt() {
    for lengths in [[0.020, 0.014], [0.014, 0.020], [0.1, 0.019], [0.019, 0.1]] {
        let pair = pair(lengths[0], lengths[1]);
        // (a journal that runs through cannot lie across its bearing)
        let tilts = if lengths[1] > lengths[0] { 0..=120 } else { 0..=315 };
        for i in tilts {
            for axis in [Vec3::x(), Vec3::y(), Vec3::new(0.6, 0.8, 0.0)] {
                let x_b = Pose::new(Vec3::zeros(), &Quat::from_scaled_axis(axis * (0.01 * f64::from(i))));
                for (k, side) in [1.0, -1.0].into_iter().enumerate() {
                    let expected = searched(lengths, side, &Pose::identity(), &x_b);
                    match pair.contact(k, &Pose::identity(), &x_b) {
                        Err(PairFailure::Rim) => assert!(expected > 0.0),
                        found => {
                            let off = found.unwrap().delta - expected;
                            assert!(off.abs() < 1e-15, "{lengths:?} {i} {axis:?} {side}: {off:e}");
                        }
                    }
                }
            }
        }
    }
}
