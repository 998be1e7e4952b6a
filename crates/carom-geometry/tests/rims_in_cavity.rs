//! Rims in round cavities: where they touch, that nothing jumps, and that forces have a potential.

use crate::common::Random;
use carom_base::{Dual, Pose, Quat, Scalar, Vec3};
use carom_geometry::pairs::rims_in_cavity::RimsInCavity;
use carom_geometry::surfaces::{Capsule, Cone, Cylinder, Ellipsoid, Sphere, Superellipsoid};
use carom_geometry::{BoundPair, Contact, PairSolver, Shape, Side};

const CROWN: f64 = 5e-4;
const ANCHORS: usize = 12;
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

#[test]
fn the_gap_is_the_least_around_the_rim() {
    let mut random = Random::of("rims");
    let (mut seen, mut touching) = (0, 0);
    each(|cavity, solid, rims, pair| {
        let project = cavity.surface.as_project().unwrap();
        for _ in 0..25 {
            let x = placed(&mut random);
            for k in 0..pair.features() {
                let name = pair.feature_name(k);
                let words: Vec<&str> = name.split(' ').collect();
                let wall =
                    project.features(Side::Inside).iter().position(|w| *w == *words.last().unwrap()).unwrap();
                let Some(anchor) = words[1].parse::<f64>().ok().map(|n| n - 1.0) else { continue };
                let [r, z] = rims[usize::from(words[0] == "rim-")];
                let d = |phi: f64| {
                    let p = x.point(&Vec3::new(r * phi.cos(), r * phi.sin(), z));
                    project.closest_point(Side::Inside, wall, &p).d
                };
                let at = FIRST + std::f64::consts::TAU * anchor / ANCHORS as f64;
                let crowned = least(|phi| d(phi) + CROWN * r * (1.0 - (phi - at).cos()));
                let c = pair.contact(k, &Pose::identity(), &x).unwrap();
                let off = -c.delta - crowned;
                assert!(off.abs() < 1e-13, "{} {} {name}: {off:e}", cavity.describe(), solid.describe());
                seen += 1;
                touching += usize::from(c.delta > 0.0);
            }
        }
    });
    assert!(seen > 4000 && touching > 300, "{touching} of {seen}");
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
    for k in 0..pair.features() {
        let c = pair.contact(k, &Pose::identity(), x).unwrap();
        if c.delta > 0.0 {
            e += c.share * 0.4 * c.delta.powf(2.5);
            let push = c.n * (c.share * c.delta.powf(1.5));
            f += push;
            t += (c.p_b - x.p).cross(&push);
            touching += 1;
        }
    }
    (e, f, t, touching)
}

/// Down the axis of the cavity until it is that deep.
fn lowered(pair: &dyn BoundPair, mut x: Pose, depth: f64) -> Pose {
    for _ in 0..60 {
        let (_, c) = pair.nearest(&Pose::identity(), &x).unwrap();
        x.p.z += (c.delta - depth) / c.n.z.abs().max(0.2);
    }
    x
}

#[test]
fn forces_are_those_of_a_potential() {
    let (mut random, mut worst, mut seen) = (Random::of("potential of rims"), 0f64, 0);
    each(|cavity, solid, _, pair| {
        for round in 0..12 {
            // from coaxial, where a rim may touch all round, over tilts at which points run around it to large ones
            let tilt = if round % 4 == 0 { 0.0 } else { 10f64.powf(-6.0 * random.next()) };
            let lean = Vec3::new(random.between(-0.5, 0.5), random.between(-0.5, 0.5), 0.0) * tilt;
            let off = Vec3::new(random.between(-0.1, 0.1), random.between(-0.1, 0.1), 0.0) * tilt;
            let x = lowered(pair, Pose::new(off, &Quat::from_scaled_axis(lean)), 1e-5);
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
    assert!(worst < 1e-4 && seen > 1000, "{worst:e} {seen}");
}

/// In an oval bowl a rim touches on two sides. As one becomes deeper than the other, no force jumps: what an anchor between them does, it does while it does not touch.
#[test]
fn a_rim_on_two_sides_of_an_oval_bowl_does_not_jump() {
    let (bowl, can) = (&cavities()[1], &solids()[0].0);
    let pair = RimsInCavity.bind(bowl, can).unwrap();
    // the shorter axis is x: down to where it touches at both ends of it
    let low = lowered(&*pair, Pose::new(Vec3::zeros(), &Quat::from_scaled_axis(Vec3::z() * 0.3)), 2e-5);
    let at = |off: f64| energy(&*pair, &Pose { p: low.p + Vec3::x() * off, r: low.r });
    let middle = at(0.0);
    let (mut last, step, mut largest): (Option<Vec3>, f64, f64) = (None, 2e-8, 0.0);
    for i in -1500..=1500 {
        let (_, _, torque, touching) = at(step * f64::from(i));
        assert!(touching > 0);
        if let Some(last) = last {
            largest = largest.max((torque - last).norm());
        }
        last = Some(torque);
    }
    // over the whole way the torque changes by about that of the force at the radius; in a step by a thousandth of it
    assert!(middle.1.z > 0.0 && largest < 4e-3 * 0.3 * middle.1.norm(), "{largest:e} {:e}", middle.1.norm());
    // as deep on both sides, both carry as much
    let sides = [1.0, -1.0].map(|side| {
        (0..pair.features())
            .filter_map(|k| {
                let c = pair.contact(k, &Pose::identity(), &low).unwrap();
                (c.delta > 0.0 && c.p_b.x * side > 0.0).then(|| c.share * c.delta.powf(1.5))
            })
            .sum::<f64>()
    });
    assert!(sides[0] > 0.0 && (sides[0] / sides[1] - 1.0).abs() < 1e-9, "{sides:?}");
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
        .filter(|c| c.delta > 0.0)
        .collect();
    let sides = [1.0, -1.0].map(|s| touching.iter().filter(|c| c.p_b.y * s > 1e-3).count());
    assert!(sides[0] == sides[1] && sides[0] > 0 && touching.len() == 2 * sides[0], "{touching:#?}");
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
