//! Rims in round cavities: where they touch, that nothing jumps, and that forces have a potential.

use crate::common::Random;
use carom_base::{Dual, Pose, Quat, Scalar, Two, Vec3};
use carom_geometry::pairs::rims_in_cavity::RimsInCavity;
use carom_geometry::surfaces::{Capsule, Cone, Cylinder, Ellipsoid, Sphere, Superellipsoid};
use carom_geometry::{BoundPair, Contact, PairSolver, Shape, Side};

const CROWN: f64 = 2.5e-4;
const ANCHORS: usize = 8;
/// Where the first anchor is [rad].
const FIRST: f64 = 0.1;

fn solids() -> Vec<(Shape, [[f64; 2]; 2])> {
    vec![
        (Shape::outside(Cylinder::new(0.3, 0.2).unwrap()), [[0.3, 0.1], [0.3, -0.1]]),
        (Shape::outside(Cone::new(0.35, 0.15, 0.3).unwrap()), [[0.15, 0.15], [0.35, -0.15]]),
        (Shape::outside(Cone::new(0.25, 0.0, 0.4).unwrap()), [[0.0, 0.2], [0.25, -0.2]]),
    ]
}

fn cavities() -> Vec<Shape> {
    vec![
        Shape::inside(Sphere::new(0.6).unwrap()),
        Shape::inside(Ellipsoid::new([0.5, 0.7, 0.6]).unwrap()),
        Shape::inside(Capsule::new(0.5, 0.8).unwrap()),
        Shape::inside(Cylinder::new(0.5, 1.2).unwrap()),
        Shape::inside(Cone::new(0.3, 0.8, 1.4).unwrap()),
        Shape::inside(Superellipsoid::new([0.5, 0.6, 0.7], [4.0, 3.0, 2.5]).unwrap()),
    ]
}

fn each(mut check: impl FnMut(&Shape, &Shape, [[f64; 2]; 2], &dyn BoundPair)) {
    for cavity in cavities() {
        for (solid, rims) in solids() {
            check(&cavity, &solid, rims, &*RimsInCavity.bind(&cavity, &solid).unwrap());
        }
    }
}

/// A pose of the solid in the cavity, from well within to a little way into the walls.
fn placed(random: &mut Random) -> Pose {
    let p = Vec3::from_fn(|_, _| random.between(-0.35, 0.35));
    Pose::new(p, &Quat::from_scaled_axis(Vec3::from_fn(|_, _| random.between(-3.0, 3.0))))
}

/// A small motion of a body: translation and rotation vector about its origin.
fn shifted(x: &Pose, v: &Vec3, w: &Vec3, h: f64) -> Pose {
    Pose { p: x.p + v * h, r: Quat::from_scaled_axis(w * h).to_rotation_matrix().matrix() * x.r }
}

/// The least of f(φ) around a circle: the best of a grid, then golden sections.
fn least(f: impl Fn(f64) -> f64) -> f64 {
    let step = std::f64::consts::TAU / 720.0;
    let best = (0..720).map(|i| f64::from(i) * step).min_by(|a, b| f(*a).total_cmp(&f(*b))).unwrap();
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    let (mut lo, mut hi) = (best - step, best + step);
    while hi - lo > 1e-8 {
        let (a, b) = (hi - golden * (hi - lo), lo + golden * (hi - lo));
        if f(a) < f(b) { hi = b } else { lo = a }
    }
    f(0.5 * (lo + hi))
}

/// The anchor, in radians, and the rim of a feature, with its wall; nothing for points of flat walls and tips.
fn anchor_of(pair: &dyn BoundPair, cavity: &Shape, k: usize) -> Option<(f64, usize, usize)> {
    let name = pair.feature_name(k);
    let words: Vec<&str> = name.split(' ').collect();
    let project = cavity.surface.as_project().unwrap();
    let wall = project.features(Side::Inside).iter().position(|w| *w == *words.last().unwrap()).unwrap();
    let number = words[1].trim_end_matches(['b', 'c']).parse::<f64>().ok()?;
    let at = FIRST + std::f64::consts::TAU * (number - 1.0) / ANCHORS as f64;
    Some((at, usize::from(words[0] == "rim-"), wall))
}

/// The points of an anchor, with weights that add up to one, have the mean distance and crown that the gap is; and no point of the rim is lower than they are under the slope there: that is the proof of the least.
#[test]
fn the_gap_is_the_least_over_the_disc() {
    let mut random = Random::of("rims");
    let (mut seen, mut touching, mut several) = (0, 0, 0);
    each(|cavity, solid, rims, pair| {
        let project = cavity.surface.as_project().unwrap();
        for round in 0..8 {
            let mut x = placed(&mut random);
            // some upright and almost so, where a rim is nearly as near all around
            if round % 2 == 0 {
                let tilt = 10f64.powf(-5.0 * random.next());
                let turn = Quat::from_scaled_axis(Vec3::from_fn(|_, _| tilt * random.between(-1.0, 1.0)));
                x = Pose::new(x.p * tilt, &turn);
            }
            for k in (0..pair.features()).filter(|k| pair.feature_name(*k).contains("rim")) {
                let name = pair.feature_name(k);
                let Some((at, rim, wall)) = anchor_of(pair, cavity, k) else { continue };
                if name.split(' ').nth(1).unwrap().ends_with(['b', 'c']) {
                    continue;
                }
                let [r, z] = rims[rim];
                let on_rim = |phi: f64| x.point(&Vec3::new(r * phi.cos(), r * phi.sin(), z));
                let closest = |phi: f64| project.closest_point(Side::Inside, wall, &on_rim(phi));
                let points: Vec<Contact> =
                    (k..k + 3).map(|k| pair.contact(k, &Pose::identity(), &x).unwrap()).collect();
                let (mut mean, mut u, mut weights) = (0.0, [0.0; 2], 0.0);
                let mut angles = Vec::new();
                for c in points.iter().filter(|c| c.share > 0.0) {
                    let mut local = x.point_to_local(&c.p_b);
                    for _ in 0..20 {
                        let d = closest(local.y.atan2(local.x)).d;
                        local = x.point_to_local(&(c.p_a + c.n * d));
                    }
                    let (phi, w) = (local.y.atan2(local.x), 0.5 * ANCHORS as f64 * c.share);
                    (mean, weights) = (mean + w * closest(phi).d, weights + w);
                    u = [u[0] + w * phi.cos(), u[1] + w * phi.sin()];
                    angles.push(phi);
                    assert_eq!(c.delta, points[0].delta);
                }
                let off = [u[0] - at.cos(), u[1] - at.sin()];
                let crown = 0.5 * CROWN * r * (off[0] * off[0] + off[1] * off[1]);
                let error = points[0].delta + mean + crown;
                let place = format!("{} {} {name} {x:?}", cavity.describe(), solid.describe());
                assert!((weights - 1.0).abs() < 1e-14 && error.abs() < 1e-13, "{place}: {error:e}");
                let q = |phi: f64| closest(phi).d + CROWN * r * (off[0] * phi.cos() + off[1] * phi.sin());
                let level = angles.iter().map(|phi| q(*phi)).fold(f64::NEG_INFINITY, f64::max);
                let lower = least(q) - level;
                assert!(lower > -1e-12 * r, "{place}: lower by {lower:e}");
                seen += 1;
                touching += usize::from(points[0].delta > 0.0);
                several += usize::from(angles.len() > 1);
            }
        }
    });
    assert!(seen > 1200 && touching > 100 && several > 50, "{touching} and {several} of {seen}");
}

/// Of the anchors of a rim, one is as near as the rim itself, but for the crown half way between two.
#[test]
fn the_nearest_anchor_misses_the_rim_by_a_known_bound() {
    let mut random = Random::of("crown");
    let (bowl, can) = (&cavities()[0], &solids()[0].0);
    let pair = RimsInCavity.bind(bowl, can).unwrap();
    let most = CROWN * 0.3 * (1.0 - (std::f64::consts::PI / ANCHORS as f64).cos());
    let mut worst: f64 = 0.0;
    for _ in 0..500 {
        let x = placed(&mut random);
        // in a ball the furthest point of a rim is in the plane of its axis and the middle: in closed form
        let sharp = [0.1, -0.1].map(|z| {
            let m = x.p + x.axis(2) * z;
            let along = m.dot(&x.axis(2));
            let off = (m - x.axis(2) * along).norm();
            0.6 - along.hypot(off + 0.3)
        });
        let (_, c) = pair.nearest(&Pose::identity(), &x).unwrap();
        let sharp = sharp[0].min(sharp[1]);
        // how far apart they are is told without the crown
        let closest = pair.closest(&Pose::identity(), &x).unwrap();
        assert!((closest.delta + sharp).abs() < 1e-15, "{:e}", closest.delta + sharp);
        let late = -c.delta - sharp;
        assert!((-1e-15..=most + 1e-15).contains(&late), "{late:e} {most:e}");
        worst = worst.max(late);
    }
    assert!(worst > 0.9 * most);
}

/// The energy of springs at all contact points, with the force and torque about the solid's origin.
fn energy(pair: &dyn BoundPair, x: &Pose) -> (f64, Vec3, Vec3, usize) {
    let (mut e, mut f, mut t, mut touching) = (0.0, Vec3::zeros(), Vec3::zeros(), 0);
    let (all, mut found) = ((0..pair.features()).collect::<Vec<_>>(), Vec::new());
    pair.contacts(&all, &Pose::identity(), x, &mut found).unwrap();
    for c in found.iter().flat_map(lanes).filter(|c| c.delta > 0.0) {
        e += c.share * 0.4 * c.delta.powf(2.5);
        let push = c.n * (c.share * c.delta.powf(1.5));
        f += push;
        t += (c.p_b - x.p).cross(&push);
        touching += 1;
    }
    (e, f, t, touching)
}

fn lanes(two: &Contact<Two>) -> [Contact; 2] {
    [0, 1].map(|k| {
        let vector = |v: &Vec3<Two>| v.map(|c| c.lanes()[k]);
        let (delta, share) = (two.delta.lanes()[k], two.share.lanes()[k]);
        Contact {
            p_a: vector(&two.p_a),
            p_b: vector(&two.p_b),
            n: vector(&two.n),
            delta,
            share,
            common: None,
        }
    })
}

/// The rate of the indentation that points have in common is its derivative along the motion, also where it is handed over from one to another, whichever body is A.
#[test]
fn the_rate_of_a_common_indentation_is_its_derivative() {
    let (mut random, mut worst, mut several) = (Random::of("rates of rims"), [0f64; 2], 0);
    each(|cavity, solid, _, pair| {
        for round in 0..12 {
            // from coaxial to tilts at which points run around the rim, where most have company
            let tilt = 10f64.powf(-4.0 * random.next());
            let lean = Vec3::new(random.between(-0.5, 0.5), random.between(-0.5, 0.5), 0.0) * tilt;
            let off = Vec3::new(random.between(-0.1, 0.1), random.between(-0.1, 0.1), 0.0) * tilt;
            let x_b =
                lowered(pair, Pose::new(off, &Quat::from_scaled_axis(lean)), [1e-5, 1e-3, 0.03][round % 3]);
            let x_a = Pose::identity();
            let mut any = || Vec3::from_fn(|_, _| random.between(-1.0, 1.0));
            let [v_a, w_a, v_b, w_b] = [any(), any(), any(), any()];
            let at = |k: usize, h: f64| {
                let moved = [shifted(&x_a, &v_a, &w_a, h), shifted(&x_b, &v_b, &w_b, h)];
                pair.contact(k, &moved[0], &moved[1]).unwrap()
            };
            for k in 0..pair.features() {
                let c = at(k, 0.0);
                let Some(common) = c.common else { continue };
                let here = |x: &Pose, v: &Vec3, w: &Vec3, p: &Vec3| v + w.cross(&(p - x.p));
                let rate = |c: &Contact, sign: f64| {
                    let v = here(&x_a, &v_a, &w_a, &c.p_a) - here(&x_b, &v_b, &w_b, &c.p_a);
                    c.common_rate(|| [v * sign, (w_a - w_b) * sign]).unwrap()
                };
                // (short: second derivatives jump as points come and go)
                let h = 1e-8;
                let slope = (at(k, h).delta - at(k, -h).delta) / (2.0 * h);
                let place =
                    format!("{} {} {} {x_b:?}", cavity.describe(), solid.describe(), pair.feature_name(k));
                assert!((rate(&c, 1.0) - rate(&c.swapped(), -1.0)).abs() < 1e-14, "{place}");
                let error = (rate(&c, 1.0) - slope).abs();
                // how far the rate of the point alone would be off
                let alone =
                    (here(&x_a, &v_a, &w_a, &c.p_a) - here(&x_b, &v_b, &w_b, &c.p_b)).dot(&c.n) - slope;
                assert!(error < 2e-6, "{place}: {error:e}, alone {alone:e}");
                assert!(common.n.norm() < 1.0 + 1e-15);
                worst = [worst[0].max(error), worst[1].max(alone.abs())];
                several += 1;
            }
        }
    });
    assert!(worst[1] > 0.1 && several > 300, "{worst:?} {several}");
}

/// Down the axis of the cavity until it is that deep.
fn lowered(pair: &dyn BoundPair, mut x: Pose, depth: f64) -> Pose {
    for _ in 0..25 {
        let (_, c) = pair.nearest(&Pose::identity(), &x).unwrap();
        x.p.z += (c.delta - depth) / c.n.z.abs().max(0.2);
    }
    x
}

#[test]
fn forces_are_those_of_a_potential() {
    let (mut random, mut worst, mut seen) = (Random::of("potential of rims"), 0f64, 0);
    each(|cavity, solid, _, pair| {
        for round in 0..8 {
            let depth = [1e-5, 1e-3, 0.03, 1e-4][round / 2];
            // from coaxial, where a rim may touch all round, over tilts at which points run around it to large ones
            let tilt = if round % 2 == 0 { 0.0 } else { 10f64.powf(-6.0 * random.next()) };
            let lean = Vec3::new(random.between(-0.5, 0.5), random.between(-0.5, 0.5), 0.0) * tilt;
            let off = Vec3::new(random.between(-0.1, 0.1), random.between(-0.1, 0.1), 0.0) * tilt;
            let x = lowered(pair, Pose::new(off, &Quat::from_scaled_axis(lean)), depth);
            let (e, f, t, touching) = energy(pair, &x);
            assert!(touching > 0 && e > 0.0, "{} {}", cavity.describe(), solid.describe());
            for i in 0..6 {
                let unit = |at: usize| Vec3::from_fn(|j, _| if at + j == i { 1.0 } else { 0.0 });
                let h = 1e-8;
                let at = |h: f64| energy(pair, &shifted(&x, &unit(0), &unit(3), h)).0;
                let slope = (at(h) - at(-h)) / (2.0 * h);
                let force = if i < 3 { f[i] } else { t[i - 3] };
                worst = worst.max((slope + force).abs() / (f.norm() + t.norm()));
                seen += 1;
            }
        }
    });
    assert!(worst < 1e-4 && seen > 600, "{worst:e} {seen}");
}

/// In an oval bowl a rim touches on two sides. As one becomes deeper than the other, no force jumps, however deep the rim is: of a soft rim a tenth of its radius.
#[test]
fn a_rim_on_two_sides_of_an_oval_bowl_does_not_jump() {
    let (bowl, can) = (&cavities()[1], &solids()[0].0);
    let pair = RimsInCavity.bind(bowl, can).unwrap();
    for depth in [2e-5, 1e-3, 0.03] {
        // the shorter axis is x: down to where it touches at both ends of it
        let low = lowered(&*pair, Pose::new(Vec3::zeros(), &Quat::from_scaled_axis(Vec3::z() * 0.3)), depth);
        let at = |off: f64| energy(&*pair, &Pose { p: low.p + Vec3::x() * off, r: low.r });
        let middle = at(0.0);
        let (mut last, step, mut largest): (Option<Vec3>, f64, f64) = (None, 2e-6, 0.0);
        let (mut first, mut total) = (None, 0.0);
        for i in -300..=300 {
            let (_, _, torque, touching) = at(step * f64::from(i));
            assert!(touching > 0);
            if let Some(last) = last {
                largest = largest.max((torque - last).norm());
            }
            let start = *first.get_or_insert(torque);
            total = f64::max(total, (torque - start).norm());
            last = Some(torque);
        }
        // over the whole way the torque changes by about that of the force at the radius; in a step by a twentieth of it at most
        assert!(middle.1.z > 0.0 && largest < 0.05 * total, "{depth}: {largest:e} {total:e}");
        // as deep on both sides, both carry as much
        let sides = [1.0, -1.0].map(|side| {
            (0..pair.features())
                .filter_map(|k| {
                    let c = pair.contact(k, &Pose::identity(), &low).unwrap();
                    (c.delta > 0.0 && c.p_b.x * side > 0.0).then(|| c.share * c.delta.powf(1.5))
                })
                .sum::<f64>()
        });
        assert!(sides[0] > 0.0 && (sides[0] / sides[1] - 1.0).abs() < 1e-9, "{depth}: {sides:?}");
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let (mut random, mut off, mut seen) = (Random::of("derivatives of rims"), 0, 0);
    each(|_, _, _, pair| {
        for _ in 0..6 {
            let x = placed(&mut random);
            let variable = |v: f64, i: usize| Dual::<6>::variable(v, i);
            let small = Vec3::new(variable(0.0, 3), variable(0.0, 4), variable(0.0, 5));
            let turned = x.r.map(Dual::from_f64);
            let by_turn = carom_base::Mat3::from_columns(&[0, 1, 2].map(|i| small.cross(&turned.column(i))));
            let moved = Pose { p: Vec3::from_fn(|i, _| variable(x.p[i], i)), r: turned + by_turn };
            let still = Pose {
                p: Vec3::zeros().map(Dual::from_f64),
                r: Pose::<f64>::identity().r.map(Dual::from_f64),
            };
            for k in 0..pair.features() {
                let exact = pair.contact_dual(k, &still, &moved).unwrap().unwrap();
                for i in 0..6 {
                    let unit = |at: usize| Vec3::from_fn(|j, _| if at + j == i { 1.0 } else { 0.0 });
                    let h = 1e-6;
                    let at = |h: f64| {
                        pair.contact(k, &Pose::identity(), &shifted(&x, &unit(0), &unit(3), h)).unwrap()
                    };
                    let (plus, minus) = (at(h), at(-h));
                    let slope = |f: fn(&Contact) -> f64| (f(&plus) - f(&minus)) / (2.0 * h);
                    let pairs = [
                        (slope(|c| c.delta), exact.delta.eps[i]),
                        (slope(|c| c.n.x), exact.n.x.eps[i]),
                        (slope(|c| c.p_b.y), exact.p_b.y.eps[i]),
                    ];
                    // (where a point bends much, differences tell less)
                    off += pairs.iter().filter(|(d, e)| !((d - e).abs() <= 1e-5 * (1.0 + e.abs()))).count();
                    seen += 3;
                }
            }
        }
    });
    assert!(off * 200 < seen && seen > 10_000, "{off} of {seen}");
}

/// A disc that can turn over in a tube lies askew on two points of its rim; a journal that cannot keeps its two ends.
#[test]
fn discs_that_can_turn_over_in_a_tube_have_rims() {
    let tube = Shape::inside(Cylinder::new(0.05, 0.4).unwrap());
    let disc = |length: f64| Shape::outside(Cylinder::new(0.03, length).unwrap());
    let by = |length: f64| carom_geometry::pairs::bind(&tube, &disc(length)).unwrap().solver();
    // half the diagonal is the radius of the tube at a length of 80 mm
    assert_eq!([by(0.0799), by(0.0801)], ["rims-in-cavity", "journal"]);
    let pair = carom_geometry::pairs::bind(&tube, &disc(0.004)).unwrap();
    // leaning by 70°, its rim is in an oval much longer than wide: two points of it are furthest out
    let lean = Quat::from_scaled_axis(Vec3::y() * 70f64.to_radians());
    let mut x = Pose::new(Vec3::new(0.03, 0.0, 0.0), &lean);
    for _ in 0..60 {
        x.p.x -= pair.nearest(&Pose::identity(), &x).unwrap().1.delta - 1e-6;
    }
    let touching: Vec<Contact> = (0..pair.features())
        .map(|k| pair.contact(k, &Pose::identity(), &x).unwrap())
        .filter(|c| c.delta > 0.0 && c.share > 0.0)
        .collect();
    let sides =
        [1.0, -1.0].map(|s| touching.iter().filter(|c| c.p_b.y * s > 1e-3).map(|c| c.share).sum::<f64>());
    let all: f64 = touching.iter().map(|c| c.share).sum();
    // (anchors are not symmetrical about that plane)
    assert!(sides.iter().all(|s| *s > 0.3) && (sides[0] + sides[1] - all).abs() < 1e-12, "{sides:?} {all}");
}

/// Upright on the axis of a funnel a rim is as near all around.
#[test]
fn a_rim_that_is_as_near_all_around_has_a_distance() {
    let (funnel, plug) = (
        Shape::inside(Cone::new(0.3, 0.8, 1.4).unwrap()),
        Shape::outside(Cone::new(0.35, 0.15, 0.3).unwrap()),
    );
    let pair = RimsInCavity.bind(&funnel, &plug).unwrap();
    let slope: f64 = 0.5 / 1.4;
    for z in [-0.3, -0.4, -0.42] {
        let found = pair.search(&Pose::identity(), &Pose::at(Vec3::z() * z), None).unwrap();
        let exact = (0.35 - 0.55 - (z - 0.15) * slope) / slope.hypot(1.0);
        assert!((found.contact.delta - exact).abs() < 1e-15, "{z}: {:e}, not {exact:e}", found.contact.delta);
    }
}
