//! Two cylinders: barrels, caps and rims; that forces have a potential, and that nothing jumps where one hands over to another.

use carom_base::{Dual, Mat3, Pose, Quat, Scalar, Vec3};
use carom_geometry::surfaces::Cylinder;
use carom_geometry::{BoundPair, Contact, PairFailure, Shape, pairs};
use carom_testkit::{Random, one_in};

/// Radii and lengths of A and B [m], slender ones and flat ones, A the longer.
const SIZES: [[[f64; 2]; 2]; 5] = [
    [[0.4, 1.1], [0.3, 0.8]],
    [[0.3, 1.0], [0.3, 1.0]],
    [[0.1, 2.0], [0.7, 0.2]],
    [[0.8, 0.3], [0.2, 0.25]],
    [[0.05, 1.5], [0.06, 1.2]],
];

fn bound([a, b]: [[f64; 2]; 2]) -> Box<dyn BoundPair> {
    let shape = |[radius, length]: [f64; 2]| Shape::outside(Cylinder::new(radius, length).unwrap());
    let pair = pairs::bind(&shape(a), &shape(b)).unwrap();
    assert_eq!(pair.solver(), "cylinder-cylinder");
    pair
}

/// A pose of B, A's being the identity, at which the nearest contact point is that deep [m]; some lie flat or upright but for a small tilt.
fn placed(pair: &dyn BoundPair, random: &mut Random, depth: f64) -> Option<Pose> {
    let small = |random: &mut Random| {
        let tilt = 10f64.powf(-7.0 * random.next());
        Quat::from_scaled_axis(Vec3::from_fn(|_, _| tilt * (random.next() - 0.5)))
    };
    let any = Quat::from_scaled_axis(Vec3::from_fn(|_, _| 6.0 * random.next() - 3.0));
    let turn = match (6.0 * random.next()) as usize {
        0 | 1 => small(random) * Quat::from_axis_angle(&Vec3::z_axis(), 6.0 * random.next()),
        2 => small(random) * Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2),
        _ => any,
    };
    let towards = match random.next() < 0.3 {
        true => Vec3::z(),
        false => Vec3::from_fn(|_, _| random.next() - 0.5).normalize(),
    };
    let aside = Vec3::from_fn(|_, _| random.next() - 0.5);
    let mut x = Pose::new(towards * 4.0 + aside, &turn);
    for _ in 0..200 {
        let (_, c) = pair.nearest(&Pose::identity(), &x).ok()?;
        let step = depth - c.delta;
        if step.abs() < 1e-9 {
            return Some(x);
        }
        x.p -= towards * step;
        if x.p.dot(&towards) < -4.0 {
            return None;
        }
    }
    None
}

/// A small motion of a body: translation and rotation about its origin.
fn shifted(x: &Pose, v: &Vec3, w: &Vec3, h: f64) -> Pose {
    let turn = Quat::from_scaled_axis(w * h);
    Pose { p: x.p + v * h, r: turn.to_rotation_matrix().matrix() * x.r }
}

fn unit(i: usize) -> (Vec3, Vec3) {
    let of = |at: usize| Vec3::from_fn(|j, _| if at + j == i { 1.0 } else { 0.0 });
    (of(0), of(3))
}

#[test]
fn gaps_are_those_of_the_solids_but_for_rounded_edges_and_the_crown() {
    let (mut random, mut seen) = (Random::of("gaps of cylinders"), 0);
    for sizes in SIZES {
        let pair = bound(sizes);
        let size = sizes.as_flattened().iter().fold(0.0, |m: f64, l| m.max(*l));
        for _ in 0..60 {
            let depth = -0.05 * size * random.next();
            let Some(x) = placed(&*pair, &mut random, depth) else { continue };
            let sharp = -pair.closest(&Pose::identity(), &x).unwrap().delta;
            let off = -depth - sharp;
            // the core of A is ρ/√2 further where its edge is met askew; the crown is 2 κ of the size at most
            assert!((-1e-9..=pair.late() + 2e-4 * size).contains(&off), "{sizes:?} {off:e} {x:?}");
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn rates_are_those_of_the_material() {
    let (mut random, mut seen, mut worst) = (Random::of("rates of cylinders"), 0, 0.0);
    for sizes in SIZES {
        let pair = bound(sizes);
        for _ in 0..300 {
            let depth = 2e-3 * (random.next() - 0.5);
            let Some(x) = placed(&*pair, &mut random, depth) else { continue };
            let [v, w] = [0, 1].map(|_| Vec3::from_fn(|_, _| random.next() - 0.5));
            for k in 0..pair.features() {
                // (tilted, contact points run over caps by r/κ the radian: short, so that few change over to another piece)
                let h = 1e-9;
                let at = |h: f64| pair.contact(k, &Pose::identity(), &shifted(&x, &v, &w, h));
                let (Ok(c), Ok(plus), Ok(minus)) = (at(0.0), at(h), at(-h)) else { continue };
                let slope = (plus.delta - minus.delta) / (2.0 * h);
                let at_p = -(v + w.cross(&(c.p_b - x.p)));
                let rate = c.common_rate(|| [at_p, -w]).unwrap_or(at_p.dot(&c.n));
                worst = f64::max(worst, (slope - rate).abs());
                seen += 1;
            }
        }
    }
    // what rounding of gaps makes of differences over so short a way
    assert!(worst < 1e-6 && seen > 7500, "{worst:e} of {seen}");
}

/// The energy of springs at all contact points, with the force and torque about B's origin.
fn energy(pair: &dyn BoundPair, x: &Pose) -> Result<(f64, Vec3, Vec3), PairFailure> {
    let (mut e, mut f, mut t) = (0.0, Vec3::zeros(), Vec3::zeros());
    for k in 0..pair.features() {
        let c = pair.contact(k, &Pose::identity(), x)?;
        if c.delta > 0.0 {
            e += c.share * c.lever() * 0.4 * c.delta.powf(2.5);
            let push = c.n * (c.share * c.delta.powf(1.5));
            f += push;
            t += (c.p_b - x.p).cross(&push);
        }
    }
    Ok((e, f, t))
}

#[test]
fn forces_are_the_slopes_of_their_potential() {
    let (mut random, mut worst, mut seen): (_, f64, _) = (Random::of("potential of cylinders"), 0.0, 0);
    for sizes in SIZES {
        let pair = bound(sizes);
        for _ in 0..60 {
            let Some(x) = placed(&*pair, &mut random, 1e-3) else { continue };
            let Ok((_, f, t)) = energy(&*pair, &x) else { continue };
            for i in 0..6 {
                let ((v, w), h) = (unit(i), 1e-9);
                let at = |h: f64| energy(&*pair, &shifted(&x, &v, &w, h)).map(|e| e.0);
                let (Ok(plus), Ok(minus)) = (at(h), at(-h)) else { continue };
                let slope = (plus - minus) / (2.0 * h);
                let force = if i < 3 { f[i] } else { t[i - 3] };
                worst = worst.max((slope + force).abs() / (f.norm() + t.norm()));
                seen += 1;
            }
        }
    }
    assert!(worst < 1e-5 && seen > 1000, "{worst:e} {seen}");
}

/// A rim deep in a rim, a barrel or a cap: each contact point has one normal, and forces have a potential.
#[test]
fn deep_in_one_another_forces_are_the_slopes_of_their_potential() {
    let (mut random, mut worst, mut seen): (_, f64, _) = (Random::of("deep potential of cylinders"), 0.0, 0);
    for sizes in SIZES {
        let pair = bound(sizes);
        let thin = sizes.as_flattened().iter().fold(f64::INFINITY, |m: f64, l| m.min(*l));
        for round in one_in(5, 0..300) {
            let depth = thin * [0.01, 0.03, 0.1, 0.2][round % 4];
            let Some(x) = placed(&*pair, &mut random, depth) else { continue };
            let (_, f, t) = energy(&*pair, &x).unwrap();
            for i in 0..6 {
                let (v, w) = unit(i);
                let at = |h: f64| energy(&*pair, &shifted(&x, &v, &w, h)).map(|e| e.0).unwrap();
                let force = if i < 3 { f[i] } else { t[i - 3] };
                let error = |h: f64| {
                    let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
                    (slope + force).abs() / (f.norm() + t.norm())
                };
                // (nearly flush, contact points come to the end of a face within the longer ways, where second derivatives leap; the shorter ones show more of rounding)
                worst = worst.max([1e-6, 1e-8, 1e-9].map(error).into_iter().fold(f64::INFINITY, f64::min));
                seen += 1;
            }
        }
    }
    assert!(worst < 1e-7 && seen > 1000, "{worst:e} {seen}");
}

/// In motion the points of both ends are found together, each end once; deep in one another, too, a cap that touches is crowned about the anchor of each.
#[test]
fn points_found_together_are_those_found_one_by_one() {
    let (mut random, mut seen) = (Random::of("points of cylinders together"), 0);
    for sizes in SIZES {
        let pair = bound(sizes);
        let thin = sizes.as_flattened().iter().fold(f64::INFINITY, |m: f64, l| m.min(*l));
        for round in 0..60 {
            let depth = thin * [1e-4, 0.03, 0.1, 0.2][round % 4];
            let Some(x) = placed(&*pair, &mut random, depth) else { continue };
            let (all, mut together) = ((0..pair.features()).collect::<Vec<_>>(), Vec::new());
            pair.contacts(&all, &Pose::identity(), &x, &mut together).unwrap();
            for k in all {
                let alone = pair.contact(k, &Pose::identity(), &x).unwrap();
                let delta = together[k / 2].delta.lanes()[k % 2];
                assert!((delta - alone.delta).abs() < 1e-14, "{k}: {delta:e} {:e} {x:?}", alone.delta);
                seen += 1;
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn derivatives_are_those_of_differences() {
    let (mut random, mut seen, mut off) = (Random::of("derivatives of cylinders"), 0, 0);
    for sizes in SIZES {
        let pair = bound(sizes);
        for _ in 0..25 {
            let depth = 2e-3 * (random.next() - 0.5);
            let Some(x) = placed(&*pair, &mut random, depth) else { continue };
            let variable = |v: f64, i: usize| Dual::<6>::variable(v, i);
            let small = Vec3::new(variable(0.0, 3), variable(0.0, 4), variable(0.0, 5));
            let turned = x.r.map(Dual::from_f64);
            let by_turn = Mat3::from_columns(&[0, 1, 2].map(|i| small.cross(&turned.column(i))));
            let moved = Pose { p: Vec3::from_fn(|i, _| variable(x.p[i], i)), r: turned + by_turn };
            let still = Pose { p: Vec3::zeros(), r: Pose::<f64>::identity().r.map(Dual::from_f64) };
            for k in 0..pair.features() {
                let Ok(exact) = pair.contact_dual(k, &still, &moved).unwrap() else { continue };
                for i in 0..6 {
                    let ((v, w), h) = (unit(i), 1e-7);
                    let at = |h: f64| pair.contact(k, &Pose::identity(), &shifted(&x, &v, &w, h));
                    let (Ok(plus), Ok(minus)) = (at(h), at(-h)) else { continue };
                    let slope = |f: fn(&Contact) -> Vec3| (f(&plus) - f(&minus)) / (2.0 * h);
                    let differ =
                        |f: &Vec3<Dual<6>>, by: Vec3| (f.map(|c| c.eps[i]) - by).norm() / (1.0 + by.norm());
                    let error = differ(&exact.n, slope(|c| c.n)).max(differ(&exact.p_b, slope(|c| c.p_b)));
                    off += usize::from(error > 1e-4);
                    seen += 1;
                }
            }
        }
    }
    assert!(off * 200 < seen && seen > 3000, "{off} of {seen}");
}

/// From barrels side by side over the end of one, a rim on a barrel, a rim on a rim, to caps on each other and back: gaps and normals change by no more than the motion allows.
#[test]
fn nothing_jumps_from_barrel_to_rim_to_cap() {
    let (mut random, mut handed_over, mut worst): (_, usize, f64) = (Random::of("hand-over"), 0, 0.0);
    for sizes in SIZES {
        let pair = bound(sizes);
        let thin = sizes.as_flattened().iter().fold(f64::INFINITY, |m: f64, l| m.min(*l));
        for round in 0..80 {
            let depth = if round % 2 == 0 { 5e-4 } else { 0.2 * thin * random.next() };
            let Some(x) = placed(&*pair, &mut random, depth) else { continue };
            let [v, w] = [0, 1].map(|_| Vec3::from_fn(|_, _| random.next() - 0.5));
            // halve the path until the step with the largest jump of the force is short
            let force = |h: f64| energy(&*pair, &shifted(&x, &v, &w, h)).map(|e| (e.1, e.2));
            let (mut low, mut high) = (0.0, 2e-3);
            while high - low > 1e-11 {
                let middle = 0.5 * (low + high);
                let (Ok(a), Ok(b), Ok(c)) = (force(low), force(middle), force(high)) else { break };
                let far = |p: &(Vec3, Vec3), q: &(Vec3, Vec3)| (p.0 - q.0).norm() + (p.1 - q.1).norm();
                if far(&a, &b) > far(&b, &c) {
                    high = middle
                } else {
                    low = middle
                }
                if high - low <= 1e-11 {
                    worst = worst.max(far(&a, &b).max(far(&b, &c)) / (a.0.norm() + a.1.norm() + 1e-9));
                    handed_over += 1;
                }
            }
        }
    }
    // the steepest: a contact point that runs over a cap with the tilt, size/κ by the radian
    assert!(worst < 1e-5 && handed_over > 100, "{worst:e} {handed_over}");
}

#[test]
fn numbers_by_hand() {
    let can = [0.05, 0.2];
    let pair = bound([can, can]);
    let nearest = |x: Vec3, q: &Quat| pair.nearest(&Pose::identity(), &Pose::new(x, q)).unwrap().1;
    // a cap on a cap, aligned and half aside: all anchors of that end over the cap are as deep
    for aside in [0.0, 0.04] {
        let at = Pose::at(Vec3::new(aside, 0.0, 0.2 - 1e-4));
        let deep = |k: usize| pair.contact(k, &Pose::identity(), &at).unwrap();
        let (_, c) = pair.nearest(&Pose::identity(), &at).unwrap();
        assert!((c.delta - 1e-4).abs() < 1e-15 && (c.n - Vec3::z()).norm() < 1e-14, "{c:?}");
        let carried: f64 = (0..8).map(deep).filter(|c| c.delta > 0.0).map(|c| c.share).sum();
        assert!(carried == 1.0, "{carried}");
    }
    // leaning by θ, the lowest point of its rim touches a barrel: r cos θ + (L/2) sin θ off its middle
    for theta in [1e-6, 1e-3, 0.1, 0.7] {
        let lean = Quat::from_axis_angle(&Vec3::y_axis(), theta);
        let reach = 0.05 + 0.05 * theta.cos() + 0.1 * theta.sin();
        let c = nearest(Vec3::new(reach - 1e-5, 0.0, 0.08 * theta.cos()), &lean);
        // (its rim's point is at the height L/2 cos θ, which must be within the other barrel)
        // and an anchor is 2 % of the radius further in, by which the crown sags by w²/2 of κ r 0.02²
        let crown = 0.5 * theta.sin().powi(2) * 1e-4 * 0.05 * 0.02 * 0.02;
        let off = c.delta - (1e-5 - crown);
        assert!(off.abs() < 1e-14 && (c.n - Vec3::x()).norm() < 1e-12, "{theta}: {off:e} {c:?}");
    }
    // crossed at right angles, over the rim of A: A's edge, rounded by 2 % of its radius, d above the core's circle; from half that depth on the circle goes inwards, and the radius becomes less
    let across = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    let rho = 0.02 * 0.05;
    for depth in [0.1 * rho, 0.4 * rho, 0.6 * rho, 2.0 * rho, 8.0 * rho] {
        let tau = f64::max(depth / rho - 0.5, 0.0);
        let edge = if tau > 0.0 { rho * (0.5 - tau / (1.0 + 16.0 * tau * tau).sqrt()) } else { rho - depth };
        // (half of the length from its end the crown takes κ L/8 off the radius)
        let apart = 0.05 - 1e-4 * 0.2 / 8.0 + edge;
        let (up, out, within) = (0.6 * apart, 0.8 * apart, depth + edge);
        let c = nearest(Vec3::new(0.05 - within + out, 0.0, 0.1 - within + up), &across);
        let off = [c.delta - depth, (c.n - Vec3::new(0.8, 0.0, 0.6)).norm()];
        // (there the crown leans by κ/2)
        assert!(off[0].abs() < 1e-9 && off[1] < 1e-4, "{depth} {off:?} {c:?}");
    }
}

/// Cans as wide as each other, one on the other, almost flush: every anchor is found, whatever the small tilt and offset.
#[test]
fn flush_caps_have_all_their_points() {
    let pair = bound([[0.033, 0.1], [0.033, 0.1]]);
    let mut random = Random::of("flush caps");
    for _ in 0..2000 {
        let mut small = |most: f64| {
            let size = most * 10f64.powf(-9.0 * random.next());
            Vec3::from_fn(|_, _| size * (random.next() - 0.5))
        };
        let (aside, tilt, deep) = (small(1e-3), small(1e-3), small(2e-4).x.abs());
        let at = Vec3::new(aside.x, aside.y, 0.1 - deep);
        let x = Pose::new(at, &Quat::from_scaled_axis(tilt));
        for k in 0..pair.features() {
            let c = pair.contact(k, &Pose::identity(), &x);
            assert!(c.is_ok(), "{k}: {c:?} {aside:?} {tilt:?} {deep:e}");
        }
    }
}
