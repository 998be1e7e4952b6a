//! The book's table of pairs: who is bound by what, how exact it is and how long it takes. `cargo xtask pairs` writes it, in a quarter of an hour.
//!
//! Times are those of the processor, so that other programs do not count. `CAROM_ROW_SECONDS` (1) is how long a row may look for placements, as long again compare them with search, and as long again measure times: less is a rough page soon. `CAROM_ROWS="torus,plane"` writes the rows with one of these words in them anew, and leaves the others as
//! they are; `CAROM_ROWS="capsule|cylinder,box|box"` writes these rows alone.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)] // a program in a test's clothes

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;

use rustix::time::{ClockId, clock_gettime};

use crate::common::{Random, all_shapes, meshes};
use carom_base::{Pose, Quat, Vec3};
use carom_geometry::pairs::{
    self,
    common_normal::{CommonNormal, Tangents},
    pressure::Pressure,
    slices::Slices,
};
use carom_geometry::surfaces::Cone;
use carom_geometry::{BoundPair, Project, Seed, Shape, Side};

/// Placements per pair.
const PLACES: usize = 40;
/// Placements of pairs that have a distance alone: some take milliseconds.
const FEW: usize = 8;
/// What takes less is measured several times over [s].
const LEAST: f64 = 5e-5;

/// The time that the processor has spent here [s].
fn processor() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 + 1e-9 * t.tv_nsec as f64
}

/// How long a row may look for placements, as long again compare them, and as long again measure times [s].
fn row_time() -> f64 {
    let asked = std::env::var("CAROM_ROW_SECONDS").ok().and_then(|s| s.parse().ok());
    asked.unwrap_or(1.0)
}

/// The least distance of B's surface from a feature of A, by trial: from the vertices of a mesh, then points around, taken back to the surface,
/// ever nearer. Nothing of any pair is in it. Nothing, if it has not settled when time is up.
fn searched(a: &dyn Project, side: Side, feature: usize, b: &Shape, x: &Pose, until: f64) -> Option<f64> {
    let mut r = Random(11);
    let project = b.surface.as_project()?;
    let d = |p: &Vec3| a.closest_point(side, feature, &x.point(p)).d;
    let mesh = b.surface.mesh(24, 1.0);
    let at = |v: &[f64; 3]| (d(&Vec3::from(*v)), Vec3::from(*v));
    let mut starts: Vec<(f64, Vec3)> = mesh.vertices.iter().map(at).collect();
    starts.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut best = f64::INFINITY;
    for (mut least, mut p) in starts.into_iter().take(6) {
        let mut step = 0.1 * b.surface.bounds().radius;
        // where it has been, of late: along a valley the way goes on as it went
        let mut trail = [p; 3];
        for round in 0..400 {
            if processor() > until {
                return None;
            }
            let beside = (0..12).map(|_| r.vector() * step);
            let on = trail.iter().flat_map(|q| [0.5, 1.0, 3.0].map(|share| (p - q) * share));
            let around: Vec<Vec3> = beside.chain(on).collect();
            let around = around.iter().map(|way| project.closest_point(Side::Outside, 0, &(p + way)).p);
            match around.map(|q| (d(&q), q)).min_by(|x, y| x.0.total_cmp(&y.0)) {
                Some((next, q)) if next < least - 1e-15 => {
                    trail[round % 3] = p;
                    (least, p) = (next, q);
                }
                _ if step < 1e-9 => break,
                _ => step *= 0.7,
            }
        }
        best = best.min(least);
    }
    Some(best)
}

/// Whether a shape has all of its free space within its walls.
fn is_cavity(shape: &Shape) -> bool {
    shape.side == Side::Inside && !shape.surface.is_sheet()
}

/// Where the solids are apart, B in the free space of A.
fn places(pair: &dyn BoundPair, a: &Shape, b: &Shape) -> Vec<(Pose, Pose)> {
    let mut r = Random(7);
    let reach = match a.surface.bounds().radius {
        far if far.is_infinite() => 2.0,
        // (either side of a sheet is beside it)
        near => near + if is_cavity(a) { 0.0 } else { b.surface.bounds().radius.min(4.0) },
    };
    // from a wall a distance is one within it, too
    let deepest = if is_cavity(a) { f64::INFINITY } else { -1e-3 };
    let most = if pairs::bind(a, b).is_ok() { PLACES } else { FEW };
    let begin = processor();
    let mut found = Vec::new();
    for _ in 0..4000 {
        let (x_a, x) = (r.pose(1.0), r.pose(reach));
        let x_b = x_a.then(&x);
        // (five times as long until there is one at least)
        let late = processor() - begin > if found.is_empty() { 5.0 * row_time() } else { row_time() };
        if found.len() == most || late {
            break;
        }
        if pair.closest(&x_a, &x_b).is_ok_and(|c| c.delta < deepest) {
            found.push((x_a, x_b));
        }
    }
    found
}

/// Median time for one contact point, of all of them in a place [ns].
fn nanoseconds(pair: &dyn BoundPair, places: &[(Pose, Pose)], seeded: bool) -> f64 {
    let mut times = Vec::new();
    let begin = processor();
    for (x_a, x_b) in places {
        if processor() - begin > row_time() && !times.is_empty() {
            break;
        }
        // the seeds of a place next to it
        let turn = Quat::from_scaled_axis(Vec3::new(0.006, -0.005, 0.006));
        let near = Pose { p: x_b.p + Vec3::new(0.006, 0.005, -0.006), r: turn.to_rotation_matrix() * x_b.r };
        let before = |k: usize| Some(Seed::of(&pair.contact(k, x_a, &near).ok()?, x_a, &near));
        let seeds: Vec<Option<Seed>> =
            (0..pair.features()).map(|k| if seeded { before(k) } else { None }).collect();
        let mut repeats = 1;
        let time = loop {
            let start = processor();
            for i in 0..repeats {
                // (a little further each time: points that are found together are remembered)
                let x_b = Pose { p: x_b.p.add_scalar(1e-14 * f64::from(i)), r: x_b.r };
                for (k, seed) in seeds.iter().enumerate() {
                    let _ = black_box(pair.contact_from(k, black_box(x_a), black_box(&x_b), seed.as_ref()));
                }
            }
            let time = processor() - start;
            if time > LEAST {
                break time;
            }
            repeats *= 4;
        };
        times.push(1e9 * time / f64::from(repeats) / seeds.len() as f64);
    }
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// How exact distances are.
#[derive(Default)]
struct Errors {
    /// the largest error, against search [m]
    worst: Option<f64>,
    /// how many placements were refused
    refused: usize,
    /// how many were tried, and compared
    tried: usize,
    compared: usize,
}

/// The errors of the distance in as many placements as there is time for.
fn errors(pair: &dyn BoundPair, a: &Shape, b: &Shape, places: &[(Pose, Pose)]) -> Errors {
    let mut all = Errors::default();
    let begin = processor();
    // (a search that has begun may end)
    let until = begin + 2.0 * row_time();
    for (x_a, x_b) in places {
        if processor() - begin > row_time() {
            break;
        }
        all.tried += 1;
        let Ok(c) = pair.closest(x_a, x_b) else {
            all.refused += 1;
            continue;
        };
        let x = Pose { p: x_a.point_to_local(&x_b.p), r: x_a.r.tr_mul(&x_b.r) };
        let least = a.surface.as_project().and_then(|project| {
            let walls = 0..project.features(a.side).len();
            let all: Option<Vec<f64>> = walls.map(|w| searched(project, a.side, w, b, &x, until)).collect();
            all?.into_iter().min_by(f64::total_cmp)
        });
        // and the other way round, of two solids
        let back = || {
            let y = Pose { p: x_b.point_to_local(&x_a.p), r: x_b.r.tr_mul(&x_a.r) };
            let bounded = |s: &Shape| s.surface.bounds().radius.is_finite();
            let solids = (a.side == Side::Outside || a.surface.is_sheet()) && bounded(a);
            solids.then(|| searched(b.surface.as_project()?, Side::Outside, 0, a, &y, until)).flatten()
        };
        // (what is without end cannot be searched over)
        let least = least.filter(|_| b.surface.bounds().radius.is_finite());
        if let Some(least) = least.into_iter().chain(back()).min_by(f64::total_cmp) {
            // a distance between points that are there is wrong only if others are nearer
            let over = -c.delta - least;
            let error = if pair.solver() == "apart" { over.max(0.0) } else { over.abs() };
            all.worst = Some(all.worst.unwrap_or(0.0).max(error));
            all.compared += 1;
        }
    }
    all
}

/// What acts in motion: contact points by a method, slices, or the pressure over a patch.
fn in_motion(a: &Shape, b: &Shape) -> String {
    if let Ok(pair) = pairs::bind(a, b) {
        return format!("`{}`", pair.solver());
    }
    let sliced = Slices::new(36).is_ok_and(|slices| pairs::bind_by(&slices, a, b).is_ok());
    let pressed = pairs::bind_by(&Pressure::default(), a, b).is_ok();
    match (sliced, pressed) {
        (true, true) => "slices or pressure".to_owned(),
        (true, false) => "slices".to_owned(),
        (false, true) => "pressure".to_owned(),
        (false, false) => "–".to_owned(),
    }
}

/// A whole number, or a dash where nothing was measured.
fn whole(x: f64) -> String {
    if x.is_nan() { "–".to_owned() } else { format!("{x:.0}") }
}

fn row(text: &mut String, motion: &str, [a, b]: [&Shape; 2], pair: &dyn BoundPair, places: &[(Pose, Pose)]) {
    let errors = errors(pair, a, b, places);
    let error = errors.worst.map_or("–".to_owned(), |e| match e < 1e-12 {
        true => "< 1e-12".to_owned(),
        false => format!("{e:.0e}"),
    });
    let warm = match pair.is_iterative() {
        true => whole(nanoseconds(pair, places, true)),
        false => "–".to_owned(),
    };
    let refused = match errors.refused {
        0 => String::new(),
        n => format!(" ({n} of {} refused)", errors.tried),
    };
    let _ = writeln!(
        text,
        "| {} | {} | {motion} | `{}` | {} | {error}{refused} | {} | {} | {warm} |",
        name(a),
        name(b),
        pair.solver(),
        pair.features(),
        errors.compared,
        whole(nanoseconds(pair, places, false)),
    );
}

/// What the page calls a shape: a cone without a tip has no name of its own in the registry.
fn name(shape: &Shape) -> String {
    let frustum = shape.surface.as_any().downcast_ref::<Cone>().is_some_and(|cone| cone.top_radius() > 0.0);
    if frustum { shape.describe().replace("cone", "frustum") } else { shape.describe() }
}

/// All shapes, and triangle meshes, which come from files and have no line in the registry: an L, and the cavity of a ball in 512 triangles.
fn shapes() -> Vec<Shape> {
    let piece = meshes::mesh(&meshes::moved(&meshes::angle_piece(), [-0.9, -0.9, -0.5]));
    let ball = meshes::mesh(&meshes::ball(2.5, 3));
    let mut all = all_shapes();
    all.push(Shape::outside(piece));
    all.push(Shape { surface: Arc::new(ball), side: Side::Inside });
    all
}

/// The rows of the page there is, by the names of their surfaces.
fn known(page: &str) -> BTreeMap<[String; 2], String> {
    let mut rows: BTreeMap<[String; 2], String> = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| A |")) {
        let mut cells = line.split('|').skip(1).map(|cell| cell.trim().to_owned());
        let names = [cells.next().unwrap_or_default(), cells.next().unwrap_or_default()];
        *rows.entry(names).or_default() += &format!("{line}\n");
    }
    rows
}

#[test]
#[ignore = "measures times: cargo xtask pairs"]
fn the_page() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/src/pairs.md");
    let only = std::env::var("CAROM_ROWS").ok();
    let is_asked = |names: &[String; 2], word: &str| match word.split_once('|') {
        Some((a, b)) => names[0] == a && names[1] == b,
        None => names.iter().any(|name| name.contains(word)),
    };
    let asked = |names: &[String; 2]| {
        only.as_ref().is_none_or(|words| words.split(',').any(|word| is_asked(names, word)))
    };
    let mut rows = known(&std::fs::read_to_string(path).unwrap());
    if only.is_none() {
        rows.clear();
    }
    for a in shapes() {
        for b in shapes().into_iter().filter(|b| b.side == Side::Outside) {
            let names = [name(&a), name(&b)];
            // planes first: what is without end cannot be searched over
            let second = names[1] == "plane" || (names[0] != "plane" && names[0] > names[1]);
            if !asked(&names) || (a.side == Side::Outside && second) {
                continue;
            }
            let Ok(pair) = pairs::bind_for_query(&a, &b) else { continue };
            let places = places(&*pair, &a, &b);
            let mut text = String::new();
            row(&mut text, &in_motion(&a, &b), [&a, &b], &*pair, &places);
            for tangents in [Tangents::Householder, Tangents::Auxiliary] {
                let solver = CommonNormal { tangents, ..CommonNormal::default() };
                if let Ok(named) = pairs::bind_by(&solver, &a, &b) {
                    row(&mut text, "by name", [&a, &b], &*named, &places);
                }
            }
            eprint!("{text}");
            rows.insert(names, text);
            // (at once: it may be stopped)
            let page = rows.values().fold(include_str!("pairs_page.md").to_owned(), |page, row| page + row);
            std::fs::write(path, page).unwrap();
        }
    }
}
