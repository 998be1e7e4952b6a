//! Every pair of shapes has a distance: all kinds, all sides, in random and special placements, against checks that know nothing of how it was found.
//!
//! Of two convex solids the answer is its own proof: the distance of the tangent planes across its normal bounds the distance from below, that of its points from above. Deep in one another, no direction
//! of many, each followed uphill, may part them by a shorter way. Of all others, the points must be on the surfaces and as far from each other as is said, and no point of the surfaces may be nearer, by trial:
//! from the corners of a mesh, and then points around, taken back to the surface, ever nearer.
//!
//! A third of the pairs of kinds and sides once in every run of the tests, `cargo xtask verify tests` for all; `cargo xtask verify distances` for 20,000 placements. `CAROM_KINDS="9 11"` runs those of these two kinds alone. `CAROM_THIN` (10) is how much thinner than long surfaces may be, `CAROM_RATIO` (1) how much
//! larger and smaller than usual.

#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::print_stdout)] // helpers of tests, and a table to read

mod checks;
mod coaxial;
#[path = "../common/mod.rs"]
mod common;
mod shapes;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Instant;

use carom_base::Vec3;
use carom_geometry::{Side, pairs};
use carom_testkit::one_in;
use checks::{Checked, SLOW, checked};
use common::Random;
use shapes::{Case, KINDS, PLACES, QUICK};

/// Every pair of these kinds from outside, and every kind in every other; but not what is without end in what is without end.
fn combinations(kinds: usize) -> Vec<([usize; 2], Side)> {
    let sheet = |k: usize| [11, 13].contains(&k);
    let mut all = Vec::new();
    for (i, j) in (0..kinds).flat_map(|i| (0..kinds).map(move |j| (i, j))) {
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

/// Faults of the placements `which` of these pairs, and a table of the pairs. `told`: faults are printed as they come, and how many placements were tried.
fn run(
    all: &[([usize; 2], Side)],
    which: impl Iterator<Item = usize>,
    seed: u64,
    told: bool,
) -> (String, String) {
    let mut table: BTreeMap<String, Row> = BTreeMap::new();
    let mut faults = String::new();
    let only = std::env::var("CAROM_KINDS").ok().map(|text| {
        let mut numbers = text.split_whitespace().map(|n| n.parse::<usize>().unwrap());
        [numbers.next().unwrap(), numbers.next().unwrap()]
    });
    let began = Instant::now();
    for (tried, count) in which.enumerate() {
        if told && tried > 0 && count % 100 == 0 {
            println!("{count} placements, {:.0} s", began.elapsed().as_secs_f64());
        }
        let (kinds, side) = all[count % all.len()];
        if only.is_some_and(|only| only != kinds && only != [kinds[1], kinds[0]]) {
            continue;
        }
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
    let all = combinations(QUICK);
    assert_eq!(all.len(), 170 + 291);
    let placements = asked("CAROM_PLACEMENTS", all.len());
    let (faults, _) = run(&all, one_in(3, 0..placements), asked("CAROM_SEED", 1) as u64, false);
    assert!(faults.is_empty(), "{faults}");
}

/// A sheet deep in a flat ring cuts its middle plane, and along the cut, a valley, the depth is almost level: against points all along the cut, by halving of the edges of a mesh.
#[test]
fn level_valleys_are_followed_to_their_ends() {
    let mut r = Random(17359520013459730973);
    let case = Case::new([11, 10], Side::Inside, 6, &mut r);
    let pair = pairs::bind_for_query(&case.a, &case.b).unwrap();
    let depth = pair.search(&case.x_a, &case.x_b, None).unwrap().contact.delta;
    let (sheet, ring) = (case.a.surface.as_project().unwrap(), case.b.surface.as_project().unwrap());
    let on = |p: &Vec3| sheet.closest_point(Side::Outside, 0, p).p;
    let in_ring = |p: &Vec3| case.x_b.point_to_local(&case.x_a.point(p));
    let mesh = case.a.surface.mesh(100, 1.0);
    let (mut least, mut count) = (f64::INFINITY, 0);
    for (k, l) in mesh.triangles.iter().flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]) {
        let [mut p, mut q] = [k, l].map(|k| on(&Vec3::from(mesh.vertices[k as usize])));
        if !(in_ring(&p).z < 0.0 && in_ring(&q).z >= 0.0) {
            continue;
        }
        for _ in 0..60 {
            let middle = on(&((p + q) * 0.5));
            if in_ring(&middle).z < 0.0 { p = middle } else { q = middle }
        }
        least = least.min(ring.closest_point(Side::Outside, 0, &in_ring(&p)).d);
        count += 1;
    }
    // (the last edge of the mesh crosses the plane a little before the sheet ends)
    let over = depth + least;
    assert!(count > 100 && over > -1e-12 && over < 1e-7, "{count} {depth} {over:e}");
}

#[test]
#[ignore = "takes an hour: cargo xtask verify distances"]
fn by_the_thousand() {
    let from = asked("CAROM_FROM", 0);
    let which = from..from + asked("CAROM_PLACEMENTS", 20_000);
    let (faults, table) = run(&combinations(KINDS), which, asked("CAROM_SEED", 2) as u64, true);
    println!("{table}");
    assert!(faults.is_empty(), "{faults}");
}

/// The placement that `CAROM_CASE` names by the state of the random numbers, both kinds, the side and the class; and the random numbers after it.
fn named(text: &str) -> (Case, Random) {
    let n: Vec<u64> = text.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let mut r = Random(n[0]);
    let side = if n[3] == 1 { Side::Inside } else { Side::Outside };
    (Case::new([n[1] as usize, n[2] as usize], side, n[4] as usize, &mut r), r)
}

/// Deep placements with two minima that are almost as low, in boxes next to each other: 1.3e-5 and 5.3e-5 m were missed by boxes that were too large.
#[test]
fn minima_next_to_each_other_are_told_apart() {
    for text in ["18326932375588626193 8 11 0 0", "10888536319467088181 7 10 0 6"] {
        let (case, mut r) = named(text);
        let fault = checked(&case, &mut r).fault;
        assert!(fault.is_none(), "{}: {fault:?}", case.name());
    }
}

/// Boxes that nearly touch, whose normal is that of a face; and an ellipsoid across a capsule, nearest on both sides of its end.
#[test]
fn faults_of_twenty_thousand_placements_stay_mended() {
    for text in ["17821531811140115481 2 2 0 5", "5520845313881553602 2 2 0 5", "5086080936608594611 4 6 1 2"]
    {
        let (case, mut r) = named(text);
        let fault = checked(&case, &mut r).fault;
        assert!(fault.is_none(), "{}: {fault:?}", case.name());
    }
}

#[test]
#[ignore = "one placement, by CAROM_CASE: state, kinds, side, class"]
fn one() {
    let (case, mut r) = named(&std::env::var("CAROM_CASE").unwrap());
    println!("{:?}\n{:?}\n{:?}\n{:?}", case.a, case.b, case.x_a, case.x_b);
    let pair = pairs::bind_for_query(&case.a, &case.b).unwrap();
    let found = pair.search(&case.x_a, &case.x_b, None);
    println!("{found:?}");
    let Checked { solver, fault, query, check } = checked(&case, &mut r);
    println!("{solver}: {fault:?}, {query:.4} s to find, {check:.4} s to check");
}
