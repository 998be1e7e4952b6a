//! Random pairs of convex solids, each checked by something that knows nothing of how it was solved.
//!
//! Tangent planes are put a known way apart, points facing each other: apart, touching or overlapping by less than the coats the signed distance is
//! then known (`apart`, `touching`, `shallow`). Deeper, and where axes are aligned and flat poles face each other (`aligned`), the distance of
//! tangent planes is searched for its largest value over the sphere, from many directions.
//!
//! 5,000 pairs in every run of the tests; `cargo xtask verify pairs` for a million.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::print_stdout)] // helpers of tests, and a table to read

mod common;

use std::fmt::Write;
use std::sync::Arc;

use carom_geometry::surfaces::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Superellipsoid};
use carom_geometry::{Found, Pose, Quat, Shape, Side, Support, Surface, Vec3, pairs};
use common::Random;

/// Three lengths of an aspect ratio up to 20.
fn semi_axes(r: &mut Random) -> [f64; 3] {
    let aspect = r.scale(1.0, 20.0);
    let mut axes = [1.0, 1.0 / aspect, r.scale(1.0 / aspect, 1.0)];
    let k = r.one_of(3);
    axes.rotate_left(k);
    axes.map(|a| a * 0.7)
}

fn exponent(r: &mut Random) -> f64 {
    if r.next() < 0.2 { 2.0 } else { r.scale(2.0, 20.0) }
}

const CLASSES: [&str; 5] = ["apart", "touching", "shallow", "deep", "aligned"];

/// A smooth solid: ellipsoid, or either superellipsoid.
fn smooth(r: &mut Random) -> Arc<dyn Surface> {
    let semi = semi_axes(r);
    match r.one_of(3) {
        0 => Arc::new(Ellipsoid::new(semi).unwrap()),
        1 => Arc::new(Superellipsoid::new(semi, [exponent(r), exponent(r), exponent(r)]).unwrap()),
        _ => Arc::new(Superellipsoid::barr(semi, [exponent(r), exponent(r)]).unwrap()),
    }
}

/// Smooth, or one with edges or straight pieces.
fn any(r: &mut Random) -> Arc<dyn Surface> {
    if r.next() < 0.7 {
        return smooth(r);
    }
    let semi = semi_axes(r);
    match r.one_of(4) {
        0 => Arc::new(Cuboid::new(semi).unwrap()),
        3 => {
            let top = if r.next() < 0.3 { 0.0 } else { semi[2] * r.between(0.1, 1.0) };
            Arc::new(Cone::new(semi[0], top, semi[1]).unwrap())
        }
        1 => Arc::new(Cylinder::new(semi[0], semi[1]).unwrap()),
        _ => Arc::new(Capsule::new(semi[0], semi[1]).unwrap()),
    }
}

/// A pair somewhere, and its signed distance if that is known.
struct Case {
    class: usize,
    a: Arc<dyn Surface>,
    b: Arc<dyn Surface>,
    x_a: Pose,
    x_b: Pose,
    known: Option<f64>,
    size: f64,
}

fn support(s: &Arc<dyn Surface>) -> &dyn Support {
    s.as_support().unwrap()
}

impl Case {
    fn random(r: &mut Random, class: usize) -> Case {
        let (a, b) = (smooth(r), any(r));
        let (s_a, s_b) = (support(&a), support(&b));
        let size = a.bounds().radius + b.bounds().radius;
        let coats = s_a.least_radius() + s_b.least_radius();
        let q_a = r.turn();
        // aligned: axes along each other's, apart along one of them or not
        let q_b = match class {
            4 => {
                q_a * Quat::from_scaled_axis(Vec3::ith(
                    r.one_of(3),
                    std::f64::consts::FRAC_PI_2 * r.one_of(4) as f64,
                ))
            }
            _ => r.turn(),
        };
        let n = match class {
            4 if r.next() < 0.5 => q_a * Vec3::ith(r.one_of(3), 1.0),
            _ => r.direction(),
        };
        let sign = if r.next() < 0.5 { -1.0 } else { 1.0 };
        let gap = match class {
            0 => r.scale(1e-3, 3.0) * size,
            1 => sign * r.scale(1e-12, 1e-6) * size,
            2 => -r.scale(1e-6, 0.95) * coats,
            3 => -(s_a.least_radius() + s_b.least_radius() + r.between(0.0, 0.5) * size),
            _ => sign * r.scale(1e-4, 1.0) * size,
        };
        let x_a = Pose::new(Vec3::from_fn(|_, _| r.between(-1.0, 1.0)), &q_a);
        let free = Pose::new(Vec3::zeros(), &q_b);
        let p = x_a.point(&s_a.support(&x_a.direction_to_local(&n)));
        let q = free.point(&s_b.support(&-free.direction_to_local(&n)));
        let x_b = Pose { p: p + n * gap - q, r: free.r };
        let known = (gap > -coats).then_some(gap);
        Case { class, a, b, x_a, x_b, known, size }
    }

    fn s(&self, n: &Vec3) -> f64 {
        let p = self.x_a.point(&support(&self.a).support(&self.x_a.direction_to_local(n)));
        let q = self.x_b.point(&support(&self.b).support(&-self.x_b.direction_to_local(n)));
        n.dot(&(q - p))
    }

    /// The largest s found from many directions, uphill by trial steps of ever shorter length.
    fn searched(&self, r: &mut Random, starts: usize) -> f64 {
        let mut looked: Vec<(f64, Vec3)> =
            (0..starts).map(|_| r.direction()).map(|n| (self.s(&n), n)).collect();
        looked.sort_by(|x, y| y.0.total_cmp(&x.0));
        let mut best = f64::NEG_INFINITY;
        for (mut s, mut n) in looked.into_iter().take(8) {
            let mut step = 0.2;
            for _ in 0..300 {
                let t = if n.x.abs() < 0.5 { n.cross(&Vec3::x()) } else { n.cross(&Vec3::y()) }.normalize();
                let b = n.cross(&t);
                let around = [t, -t, b, -b, t + b, t - b, b - t, -t - b];
                let tried = around.iter().map(|v| (n + v * step).normalize()).map(|m| (self.s(&m), m));
                match tried.max_by(|x, y| x.0.total_cmp(&y.0)) {
                    Some((up, m)) if up > s + 1e-14 * self.size => (s, n) = (up, m),
                    _ if step < 1e-8 => break,
                    _ => step *= 0.4,
                }
            }
            best = best.max(s);
        }
        best
    }

    fn describe(&self) -> String {
        format!("{} {:?} {:?}\n at {:?}\n and {:?}", CLASSES[self.class], self.a, self.b, self.x_a, self.x_b)
    }
}

/// What is wrong with an answer, if anything.
fn fault(case: &Case, found: &Found, r: &mut Random) -> Option<String> {
    let c = &found.contact;
    let (d, size) = (-c.delta, case.size);
    let wrong = |what: String| Some(format!("{what}: {} found {d:e}", case.describe()));
    // whatever n is, the distance is no less than s(n): an answer above it would be no lower bound
    if (case.s(&c.n) - d).abs() > 1e-12 * size {
        return wrong(format!("s(n) = {:e}", case.s(&c.n)));
    }
    match case.known {
        Some(known) if (known - d).abs() > 1e-11 * size => return wrong(format!("known {known:e}")),
        None => {
            let best = case.searched(r, 300);
            if best > d + 1e-10 * size {
                return wrong(format!("searched {best:e}"));
            }
        }
        _ => {}
    }
    // the points: on both surfaces, across from one another
    if found.unique {
        let off = |surface: &Arc<dyn Surface>, x: &Pose, p: &Vec3, n: &Vec3| {
            let (p, n) = (x.point_to_local(p), x.direction_to_local(n));
            let project = surface.as_project();
            let d = project.map_or(0.0, |f| f.closest_point(Side::Outside, 0, &p).d.abs());
            d.max((support(surface).support(&n) - p).dot(&n).abs())
        };
        let worst = off(&case.a, &case.x_a, &c.p_a, &c.n).max(off(&case.b, &case.x_b, &c.p_b, &-c.n));
        if worst > 1e-9 * size {
            return wrong(format!("points off by {worst:e}"));
        }
    }
    None
}

#[derive(Default)]
struct Tally {
    count: usize,
    wrong: usize,
    refused: usize,
    not_unique: usize,
    uncertain: usize,
    steps: Vec<usize>,
    faults: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.count += other.count;
        self.wrong += other.wrong;
        self.refused += other.refused;
        self.not_unique += other.not_unique;
        self.uncertain += other.uncertain;
        self.steps.extend(other.steps);
        self.faults.extend(other.faults);
    }
}

/// On all cores, each with numbers of its own.
fn run(count: usize, seed: u64) -> [Tally; 5] {
    const PARTS: usize = 10;
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut tallies: [Tally; 5] = Default::default();
        loop {
            let part = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if part >= PARTS {
                return tallies;
            }
            let found = run_part(count / PARTS, seed + 1000 * part as u64);
            tallies.iter_mut().zip(found).for_each(|(t, f)| t.add(f));
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|s| {
        let threads: Vec<_> = (0..cores).map(|_| s.spawn(work)).collect();
        let mut all: [Tally; 5] = Default::default();
        for thread in threads {
            all.iter_mut().zip(thread.join().unwrap()).for_each(|(t, f)| t.add(f));
        }
        all
    })
}

fn run_part(count: usize, seed: u64) -> [Tally; 5] {
    let mut r = Random(seed);
    let mut tallies: [Tally; 5] = Default::default();
    for i in 0..count {
        let case = Case::random(&mut r, i % CLASSES.len());
        let tally = &mut tallies[case.class];
        tally.count += 1;
        let shape = |surface: &Arc<dyn Surface>| Shape { surface: surface.clone(), side: Side::Outside };
        let pair = pairs::bind(&shape(&case.a), &shape(&case.b)).unwrap();
        match pair.search(&case.x_a, &case.x_b, None) {
            Ok(found) => {
                tally.steps.push(found.steps);
                tally.not_unique += usize::from(!found.unique);
                tally.uncertain += usize::from(!found.certified());
                if let Some(what) = fault(&case, &found, &mut r) {
                    tally.wrong += 1;
                    let certified = if found.certified() { "certified" } else { "not certified" };
                    tally.faults.push(format!("{seed}, {i}, {certified}: {what}"));
                }
            }
            Err(e) => {
                tally.refused += 1;
                tally.faults.push(format!("{seed}, {i}: {e}: {}", case.describe()));
            }
        }
    }
    tallies
}

/// The table of what came out.
fn table(tallies: &mut [Tally; 5]) -> String {
    let mut text = String::from(
        "| class | pairs | wrong | refused | points not unique | without certificate | steps: median | 99 % | most |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, t) in CLASSES.iter().zip(tallies) {
        t.steps.sort_unstable();
        let at = |share: f64| {
            t.steps
                .get(((t.steps.len() as f64 * share) as usize).min(t.steps.len().max(1) - 1))
                .copied()
                .unwrap_or(0)
        };
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            t.count,
            t.wrong,
            t.refused,
            t.not_unique,
            t.uncertain,
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    text
}

fn check(count: usize, seed: u64) {
    let mut tallies = run(count, seed);
    println!("{}", table(&mut tallies));
    // each with the seed of its part and its place there
    let faults: Vec<String> = tallies.into_iter().flat_map(|t| t.faults).collect();
    assert!(faults.is_empty(), "{} wrong or refused:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn five_thousand_random_pairs() {
    check(5_000, 1);
}

/// `cargo xtask verify pairs`.
#[test]
#[ignore = "takes minutes"]
fn random_pairs_by_the_million() {
    let count = std::env::var("CAROM_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    check(count, 2);
}
