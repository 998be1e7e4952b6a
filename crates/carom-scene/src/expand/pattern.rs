//! Patterns: which bodies are copied, and where the copies go.

use std::path::Path;

use carom::geometry::surfaces;
use carom_base::{Pose, Vec3};
use nalgebra::Unit;

use super::arrange::{self, Room};
use super::copy::Copies;
use super::placement::Placement;
use super::random::Random;
use super::read::{inner, orientation, pose, table, text, vector};
use crate::build;
use crate::error::{Problem, Source};
use crate::fields::Fields;
use crate::mesh_file;
use crate::read::whole;
use crate::select::Roster;
use crate::tables::MOST_BODIES;
use crate::tree::{Node, Span};

/// Puts the copies of a pattern into the scene.
pub(super) fn apply(
    scene: &mut Node,
    node: &Node,
    folder: &Path,
    sources: &mut Vec<Source>,
) -> Result<(), Problem> {
    let f = whole(table("pattern"), node)?;
    let bodies = scene.get("body").map_or(&[][..], Node::items);
    let (texts, spans) = f.texts("of").unwrap_or_default();
    let of = Roster::of_nodes(bodies).bodies_of(texts, spans)?;
    if of.is_empty() {
        return Err(Problem::new("a pattern needs bodies to copy").at(f.span("of"), "`of` is empty"));
    }
    let places = places(&f, &of, bodies, folder)?;
    let name = template(&f, &of)?;
    Copies { of: &of, at: &f.span("of"), name, places: &places }.make(scene, sources)
}

/// Returns the template of the copies' names, if one is given.
fn template<'f>(f: &'f Fields, of: &[String]) -> Result<Option<(&'f str, Span)>, Problem> {
    let Some(text) = f.text("name") else { return Ok(None) };
    let at = f.span("name");
    let needed = match (text.contains("{}"), of.len() > 1 && !text.contains("{name}")) {
        (false, _) if f.kind.as_ref().is_some_and(|k| k.0 == "mirrored") => None,
        (false, _) => Some("`{}` in it, the number of the copy"),
        (true, true) => Some("`{name}` in it as well: several bodies are copied"),
        (true, false) => None,
    };
    match needed {
        None => Ok(Some((text, at))),
        Some(needed) => {
            let problem = Problem::new(format!("the copies would all be called `{text}`"));
            Err(problem.at(at, format!("needs {needed}")))
        }
    }
}

fn whole_number(f: &Fields, key: &str) -> Result<usize, Problem> {
    let x = f.number(key).unwrap_or(1.0);
    match x.fract() == 0.0 {
        true => Ok(x as usize),
        false => {
            Err(Problem::new(format!("`{key}` cannot be {x}")).at(f.span(key), "allowed: a whole number"))
        }
    }
}

fn unit(f: &Fields, key: &str, default: Vec3) -> Result<Unit<Vec3>, Problem> {
    let v = f.vector(key).map_or(default, Vec3::from);
    // scaled first: the square of a tiny or huge number would underflow or overflow
    Unit::try_new(v / v.amax().max(f64::MIN_POSITIVE), 0.5).ok_or_else(|| {
        Problem::new(format!("`{key}` cannot be zero")).at(f.span(key), "allowed: a direction")
    })
}

/// Returns where the bodies themselves go, then each of their copies.
fn places(f: &Fields, of: &[String], bodies: &[Node], folder: &Path) -> Result<Vec<Placement>, Problem> {
    let point = Vec3::from(f.vector("point").unwrap_or_default());
    match f.kind.as_ref().map_or("", |k| k.0) {
        "circular" => circular(f, of, bodies, &point),
        "linear" => {
            let step = Vec3::from(f.vector("step").unwrap_or_default());
            let count = whole_number(f, "count")?;
            Ok((0..count).map(|k| Placement::shift(step * k as f64)).collect())
        }
        "grid" => grid(f),
        "mirrored" => {
            let normal = unit(f, "normal", Vec3::x())?;
            Ok(vec![Placement::shift(Vec3::zeros()), Placement::mirrored(&point, &normal)])
        }
        kind => scattered(f, kind, bounding_sphere(f, of, bodies, folder)?),
    }
}

fn circular(f: &Fields, of: &[String], bodies: &[Node], point: &Vec3) -> Result<Vec<Placement>, Problem> {
    let axis = unit(f, "axis", Vec3::z())?;
    let count = whole_number(f, "count")?;
    let turn = std::f64::consts::TAU;
    let step = match (f.number("step"), f.number("angle")) {
        (Some(_), Some(_)) => return Err(f.blame("`step` and `angle` exclude each other")),
        (Some(step), None) => step,
        // the whole turn brings the last next to the first, not onto it
        (None, Some(angle)) if (angle.abs() - turn).abs() > 1e-9 => angle / (count.max(2) - 1) as f64,
        (None, angle) => angle.unwrap_or(turn) / count as f64,
    };
    let place = |k: usize| Placement::about(point, &axis, step * k as f64);
    if f.text("orientation") != Some("kept") {
        return Ok((0..count).map(place).collect());
    }
    let first = bodies.iter().find(|b| text(b, "name") == of.first().map(String::as_str));
    let x = first.map_or(Ok(Vec3::zeros()), |b| pose(b).map(|p| p.0))?;
    Ok((0..count).map(|k| Placement::shift(place(k).point(&x) - x)).collect())
}

fn grid(f: &Fields) -> Result<Vec<Placement>, Problem> {
    let step = Vec3::from(f.vector("step").unwrap_or_default());
    let counts = f.vector("count").unwrap_or([1.0; 3]);
    if let Some(x) = counts.iter().find(|x| x.fract() != 0.0) {
        let problem = Problem::new(format!("`count` cannot be {x}"));
        return Err(problem.at(f.span("count"), "allowed: whole numbers"));
    }
    let total: f64 = counts.iter().product();
    if total > MOST_BODIES as f64 {
        let problem = Problem::new(format!("`count` makes {total} of them"));
        return Err(problem.at(f.span("count"), format!("allowed: up to {MOST_BODIES} in all")));
    }
    let [nx, ny, nz] = counts.map(|x| x as usize);
    let mut places = Vec::new();
    for (k, j, i) in (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| (k, j, i)))) {
        let n = Vec3::new(i as f64, j as f64, k as f64);
        places.push(Placement::shift(n.component_mul(&step)));
    }
    Ok(places)
}

/// Returns places in a box by bounding spheres.
fn scattered(f: &Fields, kind: &str, (centre, radius): (Vec3, f64)) -> Result<Vec<Placement>, Problem> {
    let Some(within) = f.table("within") else {
        return Err(Problem::new(format!("a `{kind}` pattern needs `within`"))
            .at(f.at.clone(), "`within` is missing")
            .note("`within` is a box of space, as { min = [0, 0, 0], max = [1, 1, 1] }"));
    };
    let gap = f.number("gap").unwrap_or_default();
    let margin = Vec3::repeat(radius + gap);
    let corner = |key: &str| Vec3::from(within.vector(key).unwrap_or_default());
    let room = Room { low: corner("min") + margin, high: corner("max") - margin, apart: 2.0 * radius + gap };
    let count = match f.number("count") {
        Some(_) => Some(whole_number(f, "count")?),
        None => None,
    };
    if (0..3).any(|i| room.high[i] < room.low[i]) {
        let problem = Problem::new(format!("none fits: a bounding sphere has the radius {radius} m"));
        return Err(problem.at(f.span("within"), "this box is too narrow"));
    }
    let seed = whole_number(f, "seed")? as u64;
    let mut random = Random(seed);
    let points = match kind {
        "lattice" => {
            let limit = count.unwrap_or(MOST_BODIES + 1);
            let sites = arrange::lattice(&room, f.text("lattice").unwrap_or_default(), limit);
            fits(f, count, sites.len(), "the lattice has sites for")?;
            if sites.len() > MOST_BODIES {
                let problem = Problem::new(format!("the lattice has more than {MOST_BODIES} sites"));
                return Err(problem.at(f.span("within"), "take a smaller box, or give `count`"));
            }
            sites
        }
        "packed" => {
            let count = count.unwrap_or(1);
            match arrange::packed(&room, count, &mut random) {
                Some(points) => points,
                None => {
                    let most = arrange::most_packed(&room, count, seed);
                    fits(f, Some(count), most, "there is room for about")?;
                    Vec::new()
                }
            }
        }
        _ => {
            let points = arrange::random(&room, count.unwrap_or(1), &mut random);
            fits(f, count, points.len(), "one after the other at random there was room for")?;
            points
        }
    };
    let turned = f.text("orientation") == Some("random");
    let place = |x: &Vec3| match turned {
        true => Placement::turned(&centre, random.rotation(), x - centre),
        false => Placement::shift(x - centre),
    };
    Ok(points.iter().map(place).collect())
}

/// Refuses a number of places that do not fit.
fn fits(f: &Fields, count: Option<usize>, most: usize, found: &str) -> Result<(), Problem> {
    match count {
        Some(count) if most < count => {
            let problem = Problem::new(format!("{count} do not fit into the box: {found} {most}"));
            let problem = problem.at(f.span("count"), "").context(f.span("within"), "the box");
            Err(problem.help(
                "take fewer, a larger `within`, or a denser pattern: `packed`, or `lattice` with \"fcc\"",
            ))
        }
        _ => Ok(()),
    }
}

/// Returns a sphere around the surfaces of bodies, as they are before they are placed; files are in that folder.
fn bounding_sphere(
    f: &Fields,
    of: &[String],
    bodies: &[Node],
    folder: &Path,
) -> Result<(Vec3, f64), Problem> {
    let t = inner(table("body"), "surface");
    let mut spheres: Vec<(Vec3, f64)> = Vec::new();
    for body in bodies.iter().filter(|b| text(b, "name").is_some_and(|n| of.iter().any(|o| o == n))) {
        let (x, q) = pose(body)?;
        for surface in body.get("surface").map_or(&[][..], Node::items) {
            let made = match text(surface, "type") {
                Some(surfaces::MESH) => mesh_file::surface(&whole(t, surface)?, folder)?,
                _ => build::made(surfaces::ALL.iter(), &whole(t, surface)?)?,
            };
            let bounds = made.bounds();
            let at = vector(t, surface, "position")?.unwrap_or_default();
            let local = Pose::new(at, &orientation(surface)?.unwrap_or_default());
            let centre = x + q * local.point(&bounds.centre);
            spheres.push((centre, bounds.radius));
        }
    }
    let infinite = spheres.iter().any(|s| !s.1.is_finite());
    if spheres.is_empty() || infinite {
        let what = if infinite { "has a surface without end" } else { "has no surface" };
        let problem = Problem::new(format!("`{}` {what}, so that no sphere is around it", of.join("`, `")));
        return Err(problem.at(f.span("of"), "needed: bodies with bounded surfaces"));
    }
    let (low, high) = spheres.iter().fold((spheres[0].0, spheres[0].0), |(low, high), (c, r)| {
        let r = Vec3::repeat(*r);
        (low.inf(&(c - r)), high.sup(&(c + r)))
    });
    let centre = if let [one] = spheres.as_slice() { one.0 } else { (low + high) * 0.5 };
    let reach = |(c, r): &(Vec3, f64)| (c - centre).norm_squared().sqrt() + r;
    Ok((centre, spheres.iter().map(reach).fold(0.0, f64::max)))
}
