//! Meshes against every kind of surface, from outside and in cavities: random placements against search by trial over all triangles and over dense points of the other surface.
//!
//! An answer is checked by itself, too: its points are on the surfaces, as far from each other as it says, along its normal, and one of them is that far from the other body. So it is a distance that is there,
//! and trial must find none that is less.

use std::sync::Arc;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::surfaces::{Cuboid, LevelFunction, TriangleMesh};
use carom_geometry::{BoundPair, Region, Seed, Shape, Side, Surface, pairs};

use carom_testkit::{all_cases, allocations_of, one_in};

use crate::common::meshes::{angle_piece, ball, brick, mesh, torus};
use crate::common::trial::{self, Effort, height};
use crate::common::{Random, all_shapes};

/// A cube, a ball and an angle piece, of triangles, and a ring.
fn meshes() -> Vec<TriangleMesh> {
    vec![
        mesh(&brick([-0.5; 3], [0.5; 3])),
        mesh(&ball(0.7, 4)),
        mesh(&angle_piece()),
        mesh(&torus(0.9, 0.3, 24, 12)),
    ]
}

/// Every shape, and two by functions, one convex and one not, and meshes.
fn others() -> Vec<Shape> {
    let region = || Region::new([-1.3; 3], [1.3; 3]).unwrap();
    let round = |x: &Vec3| x.norm_squared() - 0.6;
    let waisted =
        |x: &Vec3| x.norm_squared().powi(2) - 1.6 * x.z * x.z + 0.2 * (x.x * x.x + x.y * x.y) - 0.05;
    let mut all = all_shapes();
    all.push(Shape::outside(LevelFunction::new(region(), round).unwrap()));
    all.push(Shape::outside(LevelFunction::new(region(), waisted).unwrap()));
    for solid in meshes() {
        let surface: Arc<dyn Surface> = Arc::new(solid);
        all.push(Shape { surface: surface.clone(), side: Side::Outside });
        all.push(Shape { surface, side: Side::Inside });
    }
    all
}

/// Points all over a surface, its corners among them.
fn points(shape: &Shape) -> Vec<Vec3> {
    let slow = ["superquadric", "own"].contains(&shape.surface.kind());
    let mesh = shape.surface.mesh(if slow { 8 } else { 20 }, 1.0);
    let mut all: Vec<Vec3> = mesh.vertices.iter().map(|v| Vec3::from(*v)).collect();
    let corner = |k: u32| Vec3::from(mesh.vertices[k as usize]);
    let cuts = if mesh.triangles.len() > 400 { 0 } else { 5 };
    for t in mesh.triangles.iter().filter(|_| cuts > 0) {
        let [a, b, c] = t.map(corner);
        for (i, j) in (0..=cuts).flat_map(|i| (0..=cuts - i).map(move |j| (i, j))) {
            all.push(a + (b - a) * (i as f64 / cuts as f64) + (c - a) * (j as f64 / cuts as f64));
        }
    }
    let project = shape.surface.as_project().unwrap();
    all.iter().map(|x| project.closest_point(Side::Outside, 0, x).p).collect()
}

/// The least distance from `to` over the surface of `on`, by trial.
fn searched(on: &Shape, x_on: &Pose, to: &Shape, x_to: &Pose, r: &mut Random) -> f64 {
    let effort = Effort { starts: 3, apart: 0.2, rounds: 150 };
    trial::searched((on, x_on), (to, x_to), points(on), effort, r)
}

fn is_endless(shape: &Shape) -> bool {
    let cavity = shape.side == Side::Inside && !shape.surface.is_sheet();
    cavity || !shape.surface.bounds().radius.is_finite()
}

/// What is wrong with the answer, if anything.
fn fault(
    pair: &dyn BoundPair,
    [a, b]: [&Shape; 2],
    [x_a, x_b]: [&Pose; 2],
    r: &mut Random,
) -> Option<String> {
    let reach = |s: &Shape| Some(s.surface.bounds().radius).filter(|r| r.is_finite()).unwrap_or(1.0);
    let size = reach(a) + reach(b);
    let found = match pair.search(x_a, x_b, None) {
        Ok(found) => found,
        Err(e) => return Some(format!("failed: {e}")),
    };
    let (c, d) = (found.contact, -found.contact.delta);
    let say = |what: String| Some(format!("{what}; d = {d:e}, certified {}", found.certified()));
    let own = [a, b].iter().any(|s| s.surface.kind() == "own");
    let exact = if own { 1e-6 } else { 1e-11 } * (size + d.abs());
    if !((c.n.norm() - 1.0).abs() < 1e-12) || !((c.p_b - c.p_a - c.n * d).norm() < exact) {
        return say(format!("points {:?} are not along the normal", (c.p_b - c.p_a).as_slice()));
    }
    let ways = [
        (height(b, x_b, &c.p_a) - d, height(a, x_a, &c.p_a), is_endless(a)),
        (height(a, x_a, &c.p_b) - d, height(b, x_b, &c.p_b), is_endless(b)),
    ];
    if !ways.iter().any(|(off, on, endless)| !endless && off.abs() < exact && on.abs() < exact) {
        return say(format!("the points are elsewhere: {ways:?}"));
    }
    // a sheet has no inside for others to be deep in
    let searches = [(a, x_a, b, x_b), (b, x_b, a, x_a)].into_iter().filter(|(on, ..)| !is_endless(on));
    let searches = searches.filter(|(_, _, to, _)| !to.surface.is_sheet() || d > 0.0);
    let least =
        searches.map(|(on, x_on, to, x_to)| searched(on, x_on, to, x_to, r)).fold(f64::INFINITY, f64::min);
    // deep in one another, where several sides are as near, and next to surfaces whose closest points are found by search
    let ring = [a, b].iter().any(|s| s.side == Side::Inside && s.surface.kind().ends_with("torus"));
    let near = match d < 0.0 {
        true if found.certified() => 1e-9,
        true if ring => 1e-4,
        true => 1e-5,
        false if own => 1e-6,
        false => 1e-9,
    };
    if least < d - near * size {
        return say(format!("found {least:e} by trial, {:e} less", d - least));
    }
    None
}

/// Placements anywhere, near, touching, and deep in one another.
fn placed(pair: &dyn BoundPair, [a, b]: [&Shape; 2], class: usize, r: &mut Random) -> (Pose, Pose) {
    let reach = |s: &Shape| Some(s.surface.bounds().radius).filter(|r| r.is_finite()).unwrap_or(1.0);
    let (size, x_a) = (reach(a) + reach(b), r.pose(1.0));
    let way = r.direction();
    let quarter = |r: &mut Random| {
        Quat::from_scaled_axis(Vec3::ith(r.one_of(3), std::f64::consts::FRAC_PI_2 * r.one_of(4) as f64))
    };
    let (p, turn) = match class {
        0 => (way * (size * r.next()), r.turn()),
        1 | 2 => (way * (size * r.between(0.3, 1.1)), r.turn()),
        3 => (way * (size * r.between(0.0, 0.3)), r.turn()),
        _ => (Vec3::ith(r.one_of(3), size * r.between(-1.0, 1.0)), quarter(r) * quarter(r)),
    };
    let mut x_b = x_a.then(&Pose::new(p, &turn));
    if class == 2
        && let Ok(c) = pair.closest(&x_a, &x_b)
    {
        let left = r.scale(1e-12, 1e-3) * [1.0, -1.0, 0.0][r.one_of(3)];
        x_b.p += c.n * (c.delta + left * size);
    }
    (x_a, x_b)
}

fn asked(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn a_mesh_has_a_distance_from_everything() {
    let (only, rounds) = (asked("CAROM_CLASS", 9), asked("CAROM_ROUNDS", 1));
    let mut r = Random(asked("CAROM_SEED", 3) as u64);
    let (mut faults, mut tried) = (String::new(), 0);
    let (solids, others) = (meshes(), others());
    let (solids, others) = (&solids, &others);
    let both =
        (0..rounds).flat_map(|_| solids.iter().enumerate().flat_map(|s| others.iter().map(move |o| (s, o))));
    for ((k, solid), other) in one_in(3, both) {
        // (those whose closest points are found by search take long)
        if k > 1 && rounds == 1 && ["superquadric", "own"].contains(&other.surface.kind()) {
            continue;
        }
        for side in [Side::Outside, Side::Inside] {
            let a = Shape { surface: Arc::new(solid.clone()), side };
            let Ok(pair) = pairs::bind_for_query(&a, other) else {
                assert!(is_endless(&a) && is_endless(other), "{} {}", a.describe(), other.describe());
                continue;
            };
            let r = &mut r;
            let class = if only < 9 { only } else { r.one_of(5) };
            let (x_a, x_b) = placed(pair.as_ref(), [&a, other], class, r);
            tried += 1;
            if pair.solver() != "mesh" {
                continue;
            }
            if let Some(fault) = fault(pair.as_ref(), [&a, other], [&x_a, &x_b], r) {
                faults += &format!("{k} {} – {} class {class}: {fault}\n", a.describe(), other.describe());
            }
        }
    }
    assert!(tried > if all_cases() { 100 } else { 30 } && faults.is_empty(), "{tried} tried\n{faults}");
}

#[test]
fn a_cube_of_triangles_is_as_far_as_a_box() {
    let mut r = Random(5);
    let cube = Shape::outside(mesh(&brick([-0.5, -0.4, -0.3], [0.5, 0.4, 0.3])));
    let same = Shape::outside(Cuboid::new([1.0, 0.8, 0.6]).unwrap());
    let others = [
        Shape::outside(Cuboid::new([0.7, 1.1, 0.4]).unwrap()),
        Shape::outside(mesh(&brick([-0.35, -0.55, -0.2], [0.35, 0.55, 0.2]))),
    ];
    let mut apart = 0;
    for _ in 0..500 {
        let (x_a, x_b) = (r.pose(0.5), r.pose(1.5));
        let exact = pairs::bind_for_query(&same, &others[0]).unwrap().closest(&x_a, &x_b).unwrap();
        for other in &others {
            let found = pairs::bind_for_query(&cube, other).unwrap().search(&x_a, &x_b, None).unwrap();
            let c = found.contact;
            assert_eq!(c.delta < 0.0, exact.delta < 0.0);
            if exact.delta < 0.0 {
                apart += 1;
                assert!(found.certified() && (c.delta - exact.delta).abs() < 1e-12, "{c:?} {exact:?}");
                assert!((c.n - exact.n).norm() < 1e-12 / exact.delta.abs(), "{c:?} {exact:?}");
            }
        }
    }
    assert!(apart > 300);
}

#[test]
fn over_a_floor_the_lowest_vertex_counts() {
    let mut r = Random(11);
    let floor = Shape::outside(carom_geometry::surfaces::Plane);
    for solid in meshes() {
        let a = Shape::outside(solid.clone());
        let pair = pairs::bind_for_query(&floor, &a).unwrap();
        for _ in 0..100 {
            let (x_f, x_a) = (r.pose(0.3), r.pose(2.0));
            let over = |v: &Vec3| x_f.axis(2).dot(&(x_a.point(v) - x_f.p));
            let lowest = solid.vertices().iter().map(over).fold(f64::INFINITY, f64::min);
            let found = pair.search(&x_f, &x_a, None).unwrap();
            assert!(found.certified() && (found.contact.delta + lowest).abs() < 4e-15);
            assert!((found.contact.n - x_f.axis(2)).norm() < 1e-15);
        }
    }
}

#[test]
fn a_gap_in_motion_is_continuous_whatever_it_starts_from() {
    let mut r = Random(7);
    let solids = meshes();
    // (but for surfaces whose closest points are found by search, which takes long)
    let quick: Vec<Shape> = others();
    let quick = quick.iter().filter(|s| !["own", "superquadric"].contains(&s.surface.kind()));
    for other in one_in(5, quick) {
        let a = Shape::outside(solids[r.one_of(4)].clone());
        let Ok(pair) = pairs::bind_for_query(&a, other) else { continue };
        if pair.solver() != "mesh" {
            continue;
        }
        // past the other one, nearer and further
        let (x_a, from, to) = (r.pose(0.2), r.vector() * 1.5, r.vector() * 1.5);
        let (turn, steps) = (r.turn(), 10);
        let (mut seed, mut before): (Option<Seed>, Option<f64>) = (None, None);
        for k in 0..=steps {
            let x_b = Pose::new(from + (to - from) * (f64::from(k) / f64::from(steps)), &turn);
            let followed = pair.contact_from(0, &x_a, &x_b, seed.as_ref()).unwrap();
            let fresh = pair.contact(0, &x_a, &x_b).unwrap();
            let off = (followed.delta - fresh.delta).abs();
            let (near, deep) = (if fresh.delta > 0.0 { 1e-5 } else { 1e-9 }, 1e-5);
            assert!(off < near, "{} – {}: {off:e} {fresh:?}", a.describe(), other.describe());
            let most = (to - from).norm() / f64::from(steps);
            if let Some(before) = before {
                let change = (followed.delta - before).abs();
                assert!(change < most + deep, "{} – {}: {change:e}", a.describe(), other.describe());
            }
            (seed, before) = (Some(Seed::of(&followed, &x_a, &x_b)), Some(followed.delta));
        }
    }
}

#[test]
fn apart_nothing_is_allocated() {
    let solids = meshes();
    let mut r = Random(13);
    for other in others().iter().filter(|s| s.side == Side::Outside && !s.surface.is_sheet()) {
        let a = Shape::outside(solids[r.one_of(4)].clone());
        let pair = pairs::bind_for_query(&a, other).unwrap();
        let (x_a, x_b) = (r.pose(0.1), Pose::new(Vec3::new(0.0, 0.0, -6.0), &Quat::identity()));
        let mut gap = 0.0;
        let n = allocations_of(|| gap = pair.contact(0, &x_a, &x_b).map_or(0.0, |c| -c.delta));
        // (surfaces by functions are searched)
        let free = other.surface.kind() == "own";
        assert!(gap > 0.0 && (n == 0 || free), "{}: {n}, {gap}", other.describe());
    }
}

/// A thin plate through the deepest place of a solid with a waist: all around it walls are as near, so that the distance has a kink there in all directions. The solid is revolved about z, with the profile r² = √(1.8 z² + 0.06) − z² − 0.1.
#[test]
fn a_plate_through_the_deepest_place_of_a_level_function_is_as_deep_as_that() {
    let waisted =
        |x: &Vec3| x.norm_squared().powi(2) - 1.6 * x.z * x.z + 0.2 * (x.x * x.x + x.y * x.y) - 0.05;
    let slope = |x: &Vec3| x * (4.0 * x.norm_squared()) + Vec3::new(0.4 * x.x, 0.4 * x.y, -3.2 * x.z);
    let region = Region::new([-1.3; 3], [1.3; 3]).unwrap();
    let solid = Shape::outside(LevelFunction::with_gradient(region, waisted, slope).unwrap());
    let end = (0.8 + 0.69f64.sqrt()).sqrt();
    // the least and the greatest of a function that has but one minimum or maximum between two places
    let least = |f: &dyn Fn(f64) -> f64, mut a: f64, mut b: f64| {
        while b - a > 1e-9 {
            let third = (b - a) / 3.0;
            if f(a + third) < f(b - third) { b -= third } else { a += third }
        }
        (0.5 * (a + b), f(0.5 * (a + b)))
    };
    let from_profile = |height: f64| {
        let square = |z: f64| (1.8 * z * z + 0.06).sqrt() - z * z - 0.1 + (z - height) * (z - height);
        let k = (1..200)
            .min_by(|k, l| square(end * *k as f64 / 200.0).total_cmp(&square(end * *l as f64 / 200.0)));
        let at = |k: f64| end * k / 200.0;
        let k = k.unwrap() as f64;
        least(&square, at(k - 1.0), at(k + 1.0)).1.sqrt()
    };
    let (height, negative) = least(&|z| -from_profile(z), 0.4, 0.9);
    let plate = Shape::outside(mesh(&brick([-2.0, -2.0, -0.01], [2.0, 2.0, 0.0])));
    let pair = pairs::bind_for_query(&solid, &plate).unwrap();
    let q = Quat::from_scaled_axis(Vec3::new(1.2, -0.5, 0.9));
    let x_b = Pose::new(Vec3::z() * height - q * Vec3::new(-0.4, 0.07, 0.0), &q);
    let found = pair.search(&Pose::identity(), &x_b, None).unwrap().contact.delta;
    assert!((found + negative).abs() < 1e-9, "{found} {}", -negative);
}
