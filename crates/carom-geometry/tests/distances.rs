//! Every pair of shapes has a distance: all kinds, all sides, in random and special placements, against checks that know nothing of how it was found.
//!
//! Of two convex solids the answer is its own proof: the distance of the tangent planes across its normal bounds the distance from below, that of its points from above. Deep in one another, no direction
//! of many, each followed uphill, may part them by a shorter way. Of all others, the points must be on the surfaces and as far from each other as is said, and no point of the surfaces may be nearer, by trial:
//! from the corners of a mesh, and then points around, taken back to the surface, ever nearer.
//!
//! Every pair of kinds and sides once in every run of the tests; `cargo xtask verify distances` for 20,000 placements. `CAROM_THIN` (10) is how much thinner than long surfaces may be, `CAROM_RATIO` (1) how much
//! larger and smaller than usual.

#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::print_stdout)] // helpers of tests, and a table to read

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::surfaces::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, LevelFunction, Plane, Polyhedron, Quadric, Sphere,
    Superellipsoid, Superquadric, Supertorus, Torus,
};
use carom_geometry::{Found, Region, Shape, Side, Surface, pairs};
use common::{Random, rock};

/// How many kinds there are.
const KINDS: usize = 18;

fn surface(kind: usize, r: &mut Random) -> Arc<dyn Surface> {
    let ratio = asked("CAROM_RATIO", 1) as f64;
    let size = r.scale(0.3 / ratio, 1.5 * ratio);
    let thin = 1.0 / asked("CAROM_THIN", 10) as f64;
    let mut length = || size * r.scale(thin, 1.0);
    let three = [length(), length(), length()];
    let mut exponent = || if r.next() < 0.3 { 2.0 } else { r.scale(2.0, 10.0) };
    let g = [exponent(), exponent(), exponent()];
    match kind {
        0 => Arc::new(Plane),
        1 => Arc::new(Sphere::new(three[0]).unwrap()),
        2 => Arc::new(Cuboid::new(three).unwrap()),
        3 => Arc::new(Cylinder::new(three[0], three[1]).unwrap()),
        4 => Arc::new(Capsule::new(three[0], three[1]).unwrap()),
        5 => {
            let corners = rock(size);
            let stretched: Vec<[f64; 3]> =
                corners.chunks(3).map(|c| std::array::from_fn(|i| c[i] * three[i] / size)).collect();
            Arc::new(Polyhedron::new(&stretched).unwrap())
        }
        6 => Arc::new(Ellipsoid::new(three).unwrap()),
        7 => Arc::new(Superellipsoid::new(three, g).unwrap()),
        8 => Arc::new(Superellipsoid::barr(three, [g[0], g[1]]).unwrap()),
        9 => Arc::new(Torus::new(size, size * r.scale(0.05, 0.9)).unwrap()),
        10 => {
            let [a, b] = [0.6, 1.2].map(|most| size * r.scale(0.05, most));
            Arc::new(Supertorus::new(size, [a, b], [g[0], g[1]]).unwrap())
        }
        11 => {
            let s = 1.0 / (size * size);
            let region = Region::new([-1.5 * size; 3], [1.5 * size, 1.2 * size, 1.1 * size]).unwrap();
            let c = match r.one_of(4) {
                0 => [s, 2.0 * s, -0.7 * s, 0.0, 0.0, 0.0],
                1 => [s, 0.5 * s, 0.0, 0.0, 0.0, -1.5 / size],
                2 => [s, -0.8 * s, 0.0, 0.0, 0.0, -1.0 / size],
                _ => [-s, -0.5 * s, 2.0 * s, 0.0, 0.0, 0.0],
            };
            Arc::new(Quadric::new(&c, Some(region)).unwrap())
        }
        12 => {
            let axes = three.map(|a| 1.0 / (a * a));
            Arc::new(Quadric::new(&[axes[0], axes[1], axes[2], 0.0, 0.0, 0.0], None).unwrap())
        }
        13 => {
            // (a size of its own)
            let region = Region::new([-1.4, -1.7, -0.9], [1.6, 1.5, 0.8]).unwrap();
            Arc::new(Superquadric::new(&[1.2, 0.8, -0.6], &[g[0].min(4.0), g[1].min(4.0)], region).unwrap())
        }
        // a convex one and one with a waist, by functions
        14 => {
            let [a, b, c] = three;
            let f = move |x: &Vec3| (x.x / a).powi(2) + (x.y / b).powi(2) + (x.z / c).powi(2) - 1.0;
            let slope = move |x: &Vec3| Vec3::new(x.x / (a * a), x.y / (b * b), x.z / (c * c)) * 2.0;
            let region = Region::new([-1.2 * a, -1.2 * b, -1.2 * c], [1.2 * a, 1.2 * b, 1.2 * c]).unwrap();
            Arc::new(LevelFunction::with_gradient(region, f, slope).unwrap())
        }
        16 => Arc::new(Cone::new(three[0], 0.0, three[1]).unwrap()),
        17 => Arc::new(Cone::new(three[0], three[2], three[1]).unwrap()),
        _ => {
            let waist = move |x: &Vec3| (x * (1.0 / size)).norm_squared();
            let f = move |x: &Vec3| {
                let z = (x.z / size).powi(2);
                waist(x).powi(2) - 1.6 * z + 0.2 * (waist(x) - z) - 0.05
            };
            let slope = move |x: &Vec3| {
                let g = x * (4.0 * waist(x) / (size * size));
                g + Vec3::new(0.4 * x.x, 0.4 * x.y, -3.2 * x.z) / (size * size)
            };
            Arc::new(
                LevelFunction::with_gradient(
                    Region::new([-1.6 * size; 3], [1.6 * size; 3]).unwrap(),
                    f,
                    slope,
                )
                .unwrap(),
            )
        }
    }
}

const PLACES: [&str; 7] = ["anywhere", "near", "aligned", "concentric", "far", "touching", "deep"];

struct Case {
    a: Shape,
    b: Shape,
    x_a: Pose,
    x_b: Pose,
    size: f64,
}

impl Case {
    fn new(kinds: [usize; 2], side: Side, class: usize, r: &mut Random) -> Case {
        let shape = |k, side, r: &mut Random| Shape { surface: surface(k, r), side };
        let (a, b) = (shape(kinds[0], side, r), shape(kinds[1], Side::Outside, r));
        let bounded = |s: &Shape| match s.surface.bounds().radius {
            far if far.is_infinite() => 1.0,
            near => near,
        };
        let size = bounded(&a) + bounded(&b);
        let x_a = r.pose(1.0);
        let quarter = |r: &mut Random| {
            Quat::from_scaled_axis(Vec3::ith(r.one_of(3), std::f64::consts::FRAC_PI_2 * r.one_of(4) as f64))
        };
        let way = r.direction();
        let (p, turn) = match class {
            0 => (way * (size * r.next()), r.turn()),
            1 => (way * (size * r.between(0.5, 1.1)), r.turn()),
            2 => (Vec3::ith(r.one_of(3), size * r.between(-1.2, 1.2)), quarter(r) * quarter(r)),
            3 => (Vec3::zeros(), if r.next() < 0.5 { quarter(r) } else { r.turn() }),
            4 => (way * (size * r.scale(2.0, 100.0)), r.turn()),
            5 => (way * (size * r.between(0.2, 1.0)), r.turn()),
            _ => (way * (size * r.between(0.0, 0.3)), r.turn()),
        };
        let x_b = x_a.then(&Pose::new(p, &turn));
        let mut case = Case { a, b, x_a, x_b, size };
        if class == 5
            && let Ok(found) =
                pairs::bind_for_query(&case.a, &case.b).map(|p| p.search(&case.x_a, &case.x_b, None))
            && let Ok(found) = found
        {
            // moved until they touch, to a millionth or less
            let c = found.contact;
            let left = if r.next() < 0.5 {
                0.0
            } else {
                r.scale(1e-13, 1e-6) * if r.next() < 0.5 { 1.0 } else { -1.0 }
            };
            case.x_b.p += c.n * (c.delta + left * size);
        }
        case
    }

    fn name(&self) -> String {
        format!("{} – {}", self.a.describe(), self.b.describe())
    }

    fn convex(&self) -> bool {
        [&self.a, &self.b].iter().all(|s| s.side == Side::Outside && s.surface.as_support().is_some())
    }

    fn s(&self, n: &Vec3) -> f64 {
        let tip = |s: &Shape, x: &Pose, n: Vec3| {
            x.point(&s.surface.as_support().unwrap().support(&x.direction_to_local(&n)))
        };
        n.dot(&(tip(&self.b, &self.x_b, -n) - tip(&self.a, &self.x_a, *n)))
    }

    /// The largest distance of tangent planes found, uphill from many directions.
    fn parted(&self, r: &mut Random) -> f64 {
        let mut starts: Vec<(f64, Vec3)> = (0..300).map(|_| r.direction()).map(|n| (self.s(&n), n)).collect();
        for x in [&self.x_a, &self.x_b] {
            for n in (0..3).flat_map(|i| [x.axis(i), -x.axis(i)]) {
                starts.push((self.s(&n), n));
            }
        }
        starts.sort_by(|x, y| y.0.total_cmp(&x.0));
        let mut best = f64::NEG_INFINITY;
        for (mut s, mut n) in starts.into_iter().take(6) {
            let mut step = 0.2;
            while step > 1e-9 {
                let tried = (0..8).map(|_| (n + r.direction() * step).normalize()).map(|m| (self.s(&m), m));
                match tried.max_by(|x, y| x.0.total_cmp(&y.0)) {
                    Some((up, m)) if up > s => (s, n) = (up, m),
                    _ => step *= 0.7,
                }
            }
            best = best.max(s);
        }
        best
    }
}

/// The signed distance of a point of the world from a shape: the least of all walls.
fn height(shape: &Shape, x: &Pose, p: &Vec3) -> f64 {
    let project = shape.surface.as_project().unwrap();
    let local = x.point_to_local(p);
    (0..project.features(shape.side).len())
        .map(|k| project.closest_point(shape.side, k, &local).d)
        .fold(f64::INFINITY, f64::min)
}

/// The least distance from `to` over the surface of `on`, by trial.
fn searched(on: &Shape, x_on: &Pose, to: &Shape, x_to: &Pose, r: &mut Random) -> f64 {
    let project = on.surface.as_project().unwrap();
    let d = |p: &Vec3| height(to, x_to, &x_on.point(p));
    let mesh = on.surface.mesh(24, 1.0);
    let mut starts: Vec<(f64, Vec3)> =
        mesh.vertices.iter().map(|v| Vec3::from(*v)).map(|p| (d(&p), p)).collect();
    starts.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut best = f64::INFINITY;
    let mut taken: Vec<Vec3> = Vec::new();
    let reach = on.surface.bounds().radius;
    for (_, start) in starts {
        if taken.iter().any(|p| (p - start).norm() < 0.3 * reach) {
            continue;
        }
        taken.push(start);
        if taken.len() > 4 {
            break;
        }
        let (mut p, mut least, mut step) = (start, d(&start), 0.2 * reach);
        for _ in 0..300 {
            let around = (0..8).map(|_| project.closest_point(Side::Outside, 0, &(p + r.vector() * step)).p);
            match around.map(|q| (d(&q), q)).min_by(|x, y| x.0.total_cmp(&y.0)) {
                Some((next, q)) if next < least => (least, p) = (next, q),
                _ if step < 1e-8 * reach => break,
                _ => step *= 0.6,
            }
        }
        best = best.min(least);
    }
    best
}

/// The least signed distance of a ball's centre, or of the circle within a ring, from the other shape, less the radius around it.
fn centred(on: &Shape, x_on: &Pose, to: &Shape, x_to: &Pose) -> Option<f64> {
    if on.side == Side::Inside {
        return None;
    }
    let surface = on.surface.as_any();
    if let Some(ball) = surface.downcast_ref::<Sphere>() {
        return Some(height(to, x_to, &x_on.p) - ball.radius());
    }
    let ring = surface.downcast_ref::<Torus>()?;
    let d = |t: f64| height(to, x_to, &x_on.point(&(Vec3::new(t.cos(), t.sin(), 0.0) * ring.major())));
    let step = std::f64::consts::TAU / 720.0;
    let mut least = f64::INFINITY;
    for k in 0..720 {
        let at = step * k as f64;
        if d(at) > d(at - step) || d(at) > d(at + step) {
            continue;
        }
        let (mut from, mut to) = (at - step, at + step);
        while to - from > 1e-11 {
            let third = (to - from) / 3.0;
            if d(from + third) < d(to - third) { to -= third } else { from += third }
        }
        least = least.min(d(0.5 * (from + to)));
    }
    Some(least - ring.minor())
}

const EXACT: f64 = 1e-12;
const NEAR: f64 = 1e-9;

/// A placement and what became of it: the algorithm, what is wrong with its answer, if anything, and how long query and check took [s].
struct Checked {
    solver: String,
    fault: Option<String>,
    query: f64,
    check: f64,
}

/// Queries that take longer are told [s].
const SLOW: f64 = 1.0;

fn checked(case: &Case, r: &mut Random) -> Checked {
    let pair = match pairs::bind_for_query(&case.a, &case.b) {
        Ok(pair) => pair,
        Err(e) => {
            let fault = Some(format!("refused: {e}"));
            return Checked { solver: "none".to_owned(), fault, query: 0.0, check: 0.0 };
        }
    };
    let began = Instant::now();
    let found = pair.search(&case.x_a, &case.x_b, None);
    let query = began.elapsed().as_secs_f64();
    let (solver, fault) = match found {
        Ok(found) => fault(case, pair.solver().to_owned(), &found, r),
        Err(e) => (pair.solver().to_owned(), Some(format!("failed: {e}"))),
    };
    Checked { solver, fault, query, check: began.elapsed().as_secs_f64() - query }
}

/// What is wrong with the answer, if anything.
fn fault(case: &Case, solver: String, found: &Found, r: &mut Random) -> (String, Option<String>) {
    let Case { a, b, x_a, x_b, size, .. } = case;
    let (c, d) = (found.contact, -found.contact.delta);
    let apart = c.p_b - c.p_a;
    let exact = EXACT * (size + d.abs());
    let say = |what: String| Some(format!("{what}; d = {d:e}, n = {:?}", c.n.as_slice()));
    if !((c.n.norm() - 1.0).abs() < 1e-12) || !((apart - c.n * d).norm() < 1e3 * exact) {
        return (solver, say(format!("points {apart:?} are not along the normal")));
    }
    if case.convex() {
        let low = case.s(&c.n);
        if (low - d).abs() > exact {
            return (solver, say(format!("tangent planes are {low:e} apart")));
        }
        if d > 0.0 {
            let off = [height(a, x_a, &c.p_a), height(b, x_b, &c.p_b)];
            // (far apart, a distance says little of where its points are)
            let fault = off.iter().any(|o| o.abs() > 1e-8 * (size + d));
            return (solver, if fault { say(format!("points are off by {off:?}")) } else { None });
        }
        let other = case.parted(r);
        let fault = other > d + NEAR;
        return (
            solver,
            if fault {
                say(format!("they part by {other:e}, {:e} less", other - d))
            } else if !found.certified {
                say("not certified".to_owned())
            } else {
                None
            },
        );
    }
    // a journal longer than its bearing runs through it
    let length = |s: &Shape| s.surface.as_any().downcast_ref::<Cylinder>().map_or(0.0, Cylinder::length);
    if solver == "journal"
        && length(if a.side == Side::Inside { b } else { a })
            >= length(if a.side == Side::Inside { a } else { b })
    {
        return (solver, None);
    }
    // balls and rings overlap by how deep their centres are
    if d <= 0.0 && ["sphere-any", "torus-torus", "torus-convex"].contains(&found.solver) {
        let centred = centred(a, x_a, b, x_b).or_else(|| centred(b, x_b, a, x_a));
        let off = centred.map_or(f64::INFINITY, |centred| (centred - d).abs());
        return (solver, if off > NEAR { say(format!("the centre is off by {off:e}")) } else { None });
    }
    let bounded = |s: &Shape| {
        s.surface.bounds().radius.is_finite() && (s.side == Side::Outside || s.surface.is_sheet())
    };
    let walk = |on: &Shape, x_on: &Pose, to: &Shape, x_to: &Pose, p: &Vec3, r: &mut Random| {
        (bounded(on)).then(|| (searched(on, x_on, to, x_to, r), height(to, x_to, p), height(on, x_on, p)))
    };
    let mut least = f64::INFINITY;
    let mut there = false;
    let ways = [walk(a, x_a, b, x_b, &c.p_a, r), walk(b, x_b, a, x_a, &c.p_b, r)];
    for (value, to, on) in ways.into_iter().flatten() {
        least = least.min(value);
        there |= on.abs() < 1e3 * exact && (to - d).abs() < 1e3 * exact;
    }
    // a sheet or a plane in one way only
    if !there {
        return (solver, say("that is not how far the points are apart".to_owned()));
    }
    // apart, both ways are the same; a solid around the other has no depth the other way
    let fault = least < d - NEAR;
    (solver, if fault { say(format!("found {least:e} by trial, {:e} less", d - least)) } else { None })
}

/// Every pair of kinds from outside, and every kind in every other; but not what is without end in what is without end.
fn combinations() -> Vec<([usize; 2], Side)> {
    let sheet = |k: usize| [11, 13].contains(&k);
    let mut all = Vec::new();
    for (i, j) in (0..KINDS).flat_map(|i| (0..KINDS).map(move |j| (i, j))) {
        if i <= j && [i, j] != [0, 0] {
            all.push(([i, j], Side::Outside));
        }
        if i != 0 && (j != 0 || sheet(i)) {
            all.push(([i, j], Side::Inside));
        }
    }
    all
}

/// What was found of a pair of kinds: placements, faults, and how long queries and checks took [s].
#[derive(Default)]
struct Row {
    placements: usize,
    faults: usize,
    query: f64,
    check: f64,
    slowest: f64,
}

/// Faults of the placements `which`, and a table of the pairs. `told`: faults are printed as they come, and how many placements were tried.
fn run(which: std::ops::Range<usize>, seed: u64, told: bool) -> (String, String) {
    let mut table: BTreeMap<String, Row> = BTreeMap::new();
    let mut faults = String::new();
    let (all, first) = (combinations(), which.start);
    let began = Instant::now();
    for count in which {
        if told && count > first && count % 100 == 0 {
            println!("{count} placements, {:.0} s", began.elapsed().as_secs_f64());
        }
        let (kinds, side) = all[count % all.len()];
        // random numbers of its own, so that any part of the placements can be run alone
        let mut r = Random::of(&format!("{seed} {count}"));
        let class = r.one_of(PLACES.len());
        let state = r.0;
        let case = Case::new(kinds, side, class, &mut r);
        let Checked { solver, fault, query, check } = checked(&case, &mut r);
        let row = table.entry(format!("{} ({solver})", case.name())).or_default();
        row.placements += 1;
        row.query += query;
        row.check += check;
        row.slowest = row.slowest.max(query);
        let inside = u8::from(side == Side::Inside);
        let again = format!("CAROM_CASE=\"{state} {} {} {inside} {class}\"", kinds[0], kinds[1]);
        if told && query > SLOW {
            println!("{} {}: {query:.1} s ({again})", case.name(), PLACES[class]);
        }
        if let Some(fault) = fault {
            row.faults += 1;
            let fault = format!("{} {}: {fault} ({again})", case.name(), PLACES[class]);
            if told {
                println!("{fault}");
            }
            let _ = writeln!(faults, "{fault}");
        }
    }
    let mut text = String::new();
    for (name, row) in table {
        let each = 1e3 / row.placements as f64;
        let _ = writeln!(
            text,
            "{name}: {} of {}; {:.2} ms a query, the slowest {:.1} ms, {:.1} ms a check",
            row.faults,
            row.placements,
            row.query * each,
            row.slowest * 1e3,
            row.check * each
        );
    }
    (faults, text)
}

fn asked(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn every_pair_of_shapes_has_a_distance() {
    assert_eq!(combinations().len(), 170 + 291);
    let placements = asked("CAROM_PLACEMENTS", combinations().len());
    let (faults, _) = run(0..placements, asked("CAROM_SEED", 1) as u64, false);
    assert!(faults.is_empty(), "{faults}");
}

/// How far a solid of revolution goes along a direction at the angle θ with its axis, z, from its profile alone: the furthest of its rims, tips and balls, or of a spheroid.
struct Profile {
    solid: Arc<dyn Surface>,
    height: Box<dyn Fn(f64) -> f64>,
}

fn revolved(kind: usize, r: &mut Random) -> Profile {
    let [a, b, h] = [0, 1, 2].map(|_| r.scale(0.1, 1.0));
    let rims = move |a: f64, b: f64, t: f64| (a * t.sin() - h * t.cos()).max(b * t.sin() + h * t.cos());
    match kind {
        0 => Profile {
            solid: Arc::new(Cone::new(a, 0.0, 2.0 * h).unwrap()),
            height: Box::new(move |t| rims(a, 0.0, t)),
        },
        1 => Profile {
            solid: Arc::new(Cone::new(a, b, 2.0 * h).unwrap()),
            height: Box::new(move |t| rims(a, b, t)),
        },
        2 => Profile {
            solid: Arc::new(Cylinder::new(a, 2.0 * h).unwrap()),
            height: Box::new(move |t| rims(a, a, t)),
        },
        3 => Profile {
            solid: Arc::new(Capsule::new(a, 2.0 * h).unwrap()),
            height: Box::new(move |t| a + h * t.cos().abs()),
        },
        _ => Profile {
            solid: Arc::new(Ellipsoid::new([a, a, h]).unwrap()),
            height: Box::new(move |t| (a * t.sin()).hypot(h * t.cos())),
        },
    }
}

#[test]
fn depths_of_coaxial_solids_of_revolution_are_certified() {
    let mut r = Random::of("coaxial");
    let (mut deep, mut round) = (0, 0);
    for (i, j) in (0..60).flat_map(|_| (0..5).flat_map(|i| (i..5).map(move |j| (i, j)))) {
        let (a, b) = (revolved(i, &mut r), revolved(j, &mut r));
        let (z, over) = (r.between(-0.5, 0.5), r.next() < 0.5);
        let x_a = r.pose(1.0);
        let turn = Quat::from_scaled_axis(Vec3::x() * if over { std::f64::consts::PI } else { 0.0 });
        let x_b = x_a.then(&Pose::new(Vec3::z() * z, &turn));
        // along n, at the angle θ with A's axis, B goes as far back as it goes along −n
        let depth = |t: f64| {
            let back = if over { t } else { std::f64::consts::PI - t };
            (a.height)(t) + (b.height)(back) - z * t.cos()
        };
        let angle = |k: usize| std::f64::consts::PI * k as f64 / 4000.0;
        let k = (0..=4000).min_by(|k, l| depth(angle(*k)).total_cmp(&depth(angle(*l)))).unwrap();
        // by thirds, the depth having one minimum so close to its least
        let (mut from, mut to) = (angle(k.saturating_sub(1)), angle((k + 1).min(4000)));
        while to - from > 1e-9 {
            let third = (to - from) / 3.0;
            if depth(from + third) < depth(to - third) { to -= third } else { from += third }
        }
        let least = depth(0.5 * (from + to)).min(depth(angle(k)));
        if least < 0.0 {
            continue;
        }
        let shapes = [a.solid, b.solid].map(|surface| Shape { surface, side: Side::Outside });
        let pair = pairs::bind_for_query(&shapes[0], &shapes[1]).unwrap();
        let found = pair.search(&x_a, &x_b, None).unwrap();
        let across = found.contact.n.dot(&x_a.axis(2)).abs();
        deep += 1;
        round += usize::from(across < 0.99);
        assert!(found.certified, "{i} {j}: {found:?}");
        assert!((found.contact.delta - least).abs() < 1e-9, "{i} {j}: {least} {found:?}");
    }
    // most are deep in one another, and many are shortest apart all around
    assert!(deep > 500 && round > 200, "{deep} {round}");
}

#[test]
#[ignore = "takes an hour: cargo xtask verify distances"]
fn by_the_thousand() {
    let from = asked("CAROM_FROM", 0);
    let which = from..from + asked("CAROM_PLACEMENTS", 20_000);
    let (faults, table) = run(which, asked("CAROM_SEED", 2) as u64, true);
    println!("{table}");
    assert!(faults.is_empty(), "{faults}");
}

#[test]
#[ignore = "one placement, by CAROM_CASE: state, kinds, side, class"]
fn one() {
    let text = std::env::var("CAROM_CASE").unwrap();
    let n: Vec<u64> = text.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let mut r = Random(n[0]);
    let side = if n[3] == 1 { Side::Inside } else { Side::Outside };
    let case = Case::new([n[1] as usize, n[2] as usize], side, n[4] as usize, &mut r);
    println!("{:?}\n{:?}\n{:?}\n{:?}", case.a, case.b, case.x_a, case.x_b);
    let pair = pairs::bind_for_query(&case.a, &case.b).unwrap();
    let found = pair.search(&case.x_a, &case.x_b, None);
    println!("{found:?}");
    let Checked { solver, fault, query, check } = checked(&case, &mut r);
    println!("{solver}: {fault:?}, {query:.4} s to find, {check:.4} s to check");
}
