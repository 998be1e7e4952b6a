//! Tests that bounds hold, and that they are no wider than necessary.

use carom_base::{Quat, Vec3};
use carom_geometry::surfaces::{Capsule, Cuboid, Cylinder};
use carom_law::normal::Hertz;
use carom_testkit::Random;

use super::{BodyBounds, PairBounds};
use crate::contact::{ContactMonitor, ContactPair, PairBodies};
use crate::state::Kinematics;
use crate::{Body, ContactRule, Model, ModelBuilder, SurfaceSpec};

fn model(a: Body, b: Body) -> Model {
    let mut builder = ModelBuilder::new();
    builder.body(a.mass(1.0).inertia([1.0; 3])).body(b.mass(1.0).inertia([1.0; 3]));
    builder.contact(ContactRule::between("a", "b").normal(Hertz::new().stiffness(1e6)));
    builder.build().unwrap()
}

/// Returns the gap of a contact point and its rate.
fn gap(pair: &ContactPair, k: usize, a: &Kinematics, b: &Kinematics) -> (f64, f64) {
    pair.gap(k, PairBodies { a, b, worn: &[] }).unwrap()
}

/// A body that moves at constant velocity and angular velocity.
#[derive(Clone, Copy)]
struct Even {
    p: Vec3,
    q: Quat,
    v: Vec3,
    w: Vec3,
}

impl Even {
    fn at(&self, rest: &Kinematics, t: f64) -> Kinematics {
        let mut k = *rest;
        k.x.p = self.p + self.v * t;
        k.x.r = *(Quat::from_scaled_axis(self.w * t) * self.q).to_rotation_matrix().matrix();
        (k.v, k.w) = (self.v, self.w);
        k
    }

    fn bounds(&self, rest: &Kinematics, h: f64) -> BodyBounds {
        BodyBounds {
            start: self.at(rest, 0.0),
            end: self.at(rest, h),
            acceleration: 0.0,
            angular_speed: self.w.norm(),
            angular_acceleration: 0.0,
        }
    }
}

/// Returns the largest amount by which gaps go below the parabolas that the curvature bound allows, from any of some times in
/// a step to any other [m], and the number of times that they would without the contribution of sliding.
fn beyond(m: &Model, [a, b]: [Even; 2], h: f64) -> (f64, usize) {
    let monitor = ContactMonitor::new(m).unwrap();
    let pair = &monitor.pairs[0];
    let rest = [pair.body_a, pair.body_b].map(|body| m.world.bodies[body].rest);
    // the pair may have the two bodies in the other order
    let (a, b) = if pair.body_a == 0 { (a, b) } else { (b, a) };
    let (of_a, of_b) = (a.bounds(&rest[0], h), b.bounds(&rest[1], h));
    let pair_bounds = PairBounds::new(pair, [&of_a, &of_b], &[], h);
    let sliding = pair.gap_bounds.sliding.unwrap();
    let (ends, w) = match pair.gap_bounds.follows_b {
        true => ([&of_a, &of_b], [a.w.norm(), b.w.norm()]),
        false => ([&of_b, &of_a], [b.w.norm(), a.w.norm()]),
    };
    let turn = super::turning(sliding.along.as_ref(), ends, w, h);
    let bare = pair_bounds.curvature - sliding.radius * turn * turn;
    let (mut worst, mut needed) = (0.0_f64, 0);
    for k in 0..pair.monitored_points() {
        let n = 24;
        let times: Vec<f64> = (0..=n).map(|i| h * f64::from(i) / f64::from(n)).collect();
        let gaps: Vec<(f64, f64)> =
            times.iter().map(|t| gap(pair, k, &a.at(&rest[0], *t), &b.at(&rest[1], *t))).collect();
        if gaps.iter().any(|(g, _)| *g <= 0.0) {
            continue;
        }
        let curvature = pair_bounds.gap(pair, gaps[0].0, gaps[n as usize].0).curvature;
        for (t0, (g0, rate)) in times.iter().zip(&gaps) {
            for (t, (g, _)) in times.iter().zip(&gaps) {
                let line = g0 + rate * (t - t0) - g;
                worst = worst.max(line - 0.5 * curvature * (t - t0).powi(2));
                needed += usize::from(line > 0.5 * bare * (t - t0).powi(2) + 1e-12);
            }
        }
    }
    (worst, needed)
}

/// Boxes and barrels that lean by about 1e-4 rad turn and pass each other. Their contact points run along faces and axes, and
/// the curvatures of their gaps stay within the bounds.
#[test]
fn sliding_bends_gaps_no_more_than_the_crown_allows() {
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    let boxes = || {
        let a = Body::new("a").surface(Cuboid::new([0.3, 0.2, 0.1]).unwrap());
        model(a, Body::new("b").surface(Cuboid::new([0.1, 0.12, 0.1]).unwrap()))
    };
    let rods = || {
        let a = Body::new("a").surface(Cylinder::new(0.05, 0.4).unwrap());
        model(a, Body::new("b").surface(Cylinder::new(0.05, 0.1).unwrap()))
    };
    let capsule = || {
        let a = Body::new("a").surface(Cuboid::new([0.3, 0.2, 0.1]).unwrap());
        model(a, Body::new("b").surface(Capsule::new(0.05, 0.1).unwrap()))
    };
    let mut random = Random(5);
    for (name, m, q) in
        [("boxes", boxes(), Quat::identity()), ("rods", rods(), lying), ("a capsule", capsule(), lying)]
    {
        let q_a = if name == "rods" { lying } else { Quat::identity() };
        let (mut worst, mut needed) = (0.0_f64, 0);
        for _ in 0..60 {
            let lean = Quat::from_scaled_axis(random.vector() * 1e-4);
            let a = Even { p: Vec3::zeros(), q: q_a, v: random.vector() * 0.01, w: random.vector() * 0.02 };
            let p = Vec3::new(0.06 * random.between(-1.0, 1.0), 0.0, 0.1 + 1e-4);
            let b = Even { p, q: lean * q, v: random.vector() * 0.01, w: random.vector() * 0.02 };
            let (by, more) = beyond(&m, [a, b], 0.02);
            worst = worst.max(by);
            needed += more;
        }
        assert!(worst < 1e-13, "{name}: {worst:e} m below the parabola");
        // the contribution of sliding is necessary
        assert!(needed > 0, "{name}: nothing slides");
    }
}

/// A pin and its bearing rotate together at 100 rad/s, half a metre from the centres of mass. The gaps change no faster than
/// the bounds allow, and the bounds are those of the motion within the clearance.
#[test]
fn what_goes_round_together_hardly_passes() {
    let at = |surface: SurfaceSpec| surface.at([0.5, 0.0, 0.0]);
    let bearing = SurfaceSpec::new(Cylinder::new(0.0101, 0.02).unwrap()).inside();
    let pin = SurfaceSpec::new(Cylinder::new(0.01, 0.03).unwrap());
    let m = model(Body::new("a").surface(at(bearing)), Body::new("b").surface(at(pin)));
    let monitor = ContactMonitor::new(&m).unwrap();
    let pair = &monitor.pairs[0];
    let rest = [pair.body_a, pair.body_b].map(|body| m.world.bodies[body].rest);
    let (mut random, h) = (Random(7), 1e-4);
    for _ in 0..300 {
        let w = Vec3::new(0.0, 0.0, 100.0);
        let still = |w: Vec3| Even { p: Vec3::zeros(), q: Quat::identity(), v: Vec3::zeros(), w };
        let a = still(w + random.vector() * 0.1);
        let lean = Quat::from_scaled_axis(random.vector() * 1e-5);
        let (v, own) = (random.vector() * 0.02, random.vector() * 0.1);
        let b = Even { p: random.vector() * 2e-5, q: lean, v, ..still(w + own) };
        let (of_a, of_b) = (a.bounds(&rest[0], h), b.bounds(&rest[1], h));
        let pair_bounds = PairBounds::new(pair, [&of_a, &of_b], &[], h);
        let n = 20;
        let gap_at = |k: usize, i: u32| {
            let t = h * f64::from(i) / f64::from(n);
            gap(pair, k, &a.at(&rest[0], t), &b.at(&rest[1], t))
        };
        for k in 0..pair.monitored_points() {
            let bounds = pair_bounds.gap(pair, gap_at(k, 0).0, gap_at(k, n).0);
            assert!(bounds.rate < 0.1 * pair_bounds.rate, "{} of {}", bounds.rate, pair_bounds.rate);
            for i in 0..n {
                let ((g0, rate), (g1, _)) = (gap_at(k, i), gap_at(k, i + 1));
                let most = bounds.rate * h / f64::from(n);
                assert!((g1 - g0).abs() <= most && rate.abs() <= bounds.rate, "{g0} {g1} {rate}");
            }
        }
    }
}

/// Bodies that spin about parallel axes do not slide: the bound comes from the centres, not from the crown's radius of a
/// kilometre.
#[test]
fn spinning_about_parallel_axes_is_no_sliding() {
    let a = Body::new("a").surface(Cylinder::new(0.05, 0.4).unwrap());
    let m = model(a, Body::new("b").surface(Cylinder::new(0.05, 0.1).unwrap()));
    let monitor = ContactMonitor::new(&m).unwrap();
    let pair = &monitor.pairs[0];
    let rest = [pair.body_a, pair.body_b].map(|body| m.world.bodies[body].rest);
    let even = |x: f64, spin: f64| Even {
        p: Vec3::new(x, 0.0, 0.0),
        q: Quat::identity(),
        v: Vec3::zeros(),
        w: Vec3::new(0.0, 0.0, spin),
    };
    let (of_a, of_b) = (even(0.0, 100.0).bounds(&rest[0], 1e-4), even(0.1, -150.0).bounds(&rest[1], 1e-4));
    let curvature = PairBounds::new(pair, [&of_a, &of_b], &[], 1e-4).gap(pair, 0.0, 0.0).curvature;
    assert!(curvature < 4.0 * 250.0 * 250.0 * 0.3, "{curvature:e} m/s²");
}
