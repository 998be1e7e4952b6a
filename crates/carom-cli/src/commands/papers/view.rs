//! Bodies of a paper's runs in space.

use carom::BodyState;
use carom::base::{Pose, Vec3};
use carom::geometry::Side;
use carom::geometry::pairs::common_normal::Tangents;
use carom::geometry::surfaces::Plane;
use carom_plot::{Point, View, marked};
use carom_results::Recorded;
use carom_scene::Scene;
use carom_studies::paper;

use super::check::SAME_TIME;
use super::normals;
use super::work::Done;

/// Segments around a circle as large as all that is seen; smaller bodies have fewer.
const MESH: f64 = 72.0;
/// Up to so many moving bodies have colours of their own.
const TOLD_APART: usize = 3;
/// The colours of normal, tangent and binormal, their names, and the colour of the line between the points.
pub(super) const COLOURS: [&str; 3] = ["#D00000", "#008000", "#0030D0"];
pub(super) const NAMES: [&str; 3] = ["normal", "tangent", "binormal"];
const BETWEEN: &str = "#000000";
/// Those of paths, and of their projections.
const PATHS: [&str; 3] = ["#D55E00", "#0072B2", "#009E73"];
const SHADOW: &str = "#888888";
/// Between a path and these planes, as a share of its size.
const ROOM: f64 = 0.15;
/// How far planes go beyond bodies, as a share of the size of all.
const MARGIN: f64 = 0.2;
/// How far away a plane may be, by that size, to be seen.
const NEAR: f64 = 0.7;
/// Lengths of the normals and tangents, as a share of the size, but no more than this of the distance, so that the line between the points shows; widths [px].
const LENGTH: f64 = 0.12;
const SHARE: f64 = 0.4;
pub(super) const WIDTH: f64 = 2.2;

/// The bodies of a run, or nothing if it failed.
pub(super) fn drawn(recipe: &paper::View, done: &Done) -> Result<Option<View>, String> {
    let Done { result: Ok(run), scene: Some(scene), .. } = done else { return Ok(None) };
    let here = moment(run, recipe.at)?;
    let bodies = bodies_at(scene, run, here);
    let mut view = View::new(recipe.eye).title(marked(&recipe.title));
    let mut size: f64 = 0.0;
    let whole = reach(scene.model.surfaces_at(&bodies).filter_map(|(_, shape, x)| {
        let bounds = shape.surface.bounds();
        bounds.radius.is_finite().then(|| (x.point(&bounds.centre), bounds.radius))
    }));
    let solid = recipe.bodies && !recipe.common_normals;
    let (mut extent, mut planes) = (Extent::default(), Vec::new());
    let colours = Colours::of(recipe, scene);
    for (n, (name, shape, x)) in scene.model.surfaces_at(&bodies).enumerate().filter(|_| solid) {
        let bounds = shape.surface.bounds();
        let colour = colours.nth(name.rsplit_once('/').map_or(name.as_str(), |(body, _)| body));
        if shape.surface.as_any().is::<Plane>() {
            planes.push(x);
            continue;
        }
        size = size.max((x.point(&bounds.centre) - bounds.centre).norm() + bounds.radius);
        let mesh = shape.surface.mesh((MESH * (bounds.radius / whole).cbrt()).ceil() as usize, 1.0);
        for t in &mesh.triangles {
            let mut corners = t.map(|i| x.point(&Vec3::from(mesh.vertices[i as usize])));
            // of a cavity the far wall is seen, through the near one
            if shape.side == Side::Inside {
                corners.swap(1, 2);
            }
            corners.iter().for_each(|p| extent.take_in(p));
            let corners = corners.map(Into::into);
            view = match colour {
                Some(colour) => view.patch(corners, n, colour),
                None => view.fixed(corners, n),
            };
        }
    }
    if solid {
        view = view.scale_bar();
    }
    for (n, name) in recipe.paths.iter().enumerate() {
        let track = run.tracks.iter().find(|t| t.name == *name);
        let track = track.ok_or_else(|| format!("there is no body or probe `{name}`"))?;
        track.position.iter().for_each(|p| extent.take_in(&Vec3::from(*p)));
        view = view.path(track.position.clone(), PATHS[n % PATHS.len()], WIDTH);
        if recipe.shadows {
            view = shadows(view, &track.position, &recipe.eye);
        }
    }
    let view = planes.iter().fold(view, |view, plane| under(view, plane, &extent));
    match &recipe.distance {
        Some(name) if recipe.common_normals => normals::drawn(view, name, scene, &bodies).map(Some),
        Some(name) => nearest(view, name, scene, run, here, &bodies, LENGTH * size).map(Some),
        None => Ok(Some(view)),
    }
}

/// Half the size of a box around these balls.
fn reach(balls: impl Iterator<Item = (Vec3, f64)>) -> f64 {
    let mut all = Extent::default();
    for (centre, radius) in balls {
        all.take_in(&centre.add_scalar(radius));
        all.take_in(&centre.add_scalar(-radius));
    }
    0.5 * (all.high - all.low).max()
}

/// The box around what is seen.
struct Extent {
    low: Vec3,
    high: Vec3,
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { low: Vec3::repeat(f64::INFINITY), high: Vec3::repeat(f64::NEG_INFINITY) }
    }
}

impl Extent {
    fn take_in(&mut self, p: &Vec3) {
        (self.low, self.high) = (self.low.inf(p), self.high.sup(p));
    }
}

/// A plane, as far as it is below or beside what is seen and a margin more; one that is far from all of it is left out.
fn under(view: View, plane: &Pose, seen: &Extent) -> View {
    let size = (seen.high - seen.low).norm();
    let mut local = Extent::default();
    for i in 0..8 {
        let pick = |k: usize| if i >> k & 1 == 0 { seen.low[k] } else { seen.high[k] };
        local.take_in(&plane.point_to_local(&Vec3::new(pick(0), pick(1), pick(2))));
    }
    // nothing is seen, or it is far away
    if !(local.low.z <= NEAR * size) {
        return view;
    }
    let (low, high) = (local.low.add_scalar(-MARGIN * size), local.high.add_scalar(MARGIN * size));
    let [a, b, c, d] = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)]
        .map(|(x, y)| plane.point(&Vec3::new(x, y, 0.0)).into());
    view.ground([a, b, c]).ground([a, c, d])
}

/// The index of an output time; past the end, that of the last: a run may have been shortened.
pub(super) fn moment(run: &Recorded, at: f64) -> Result<usize, String> {
    let here = |t: &f64| (t - at).abs() <= SAME_TIME;
    let index = if at > run.t_end() { run.t.len().checked_sub(1) } else { run.t.iter().position(here) };
    index.ok_or_else(|| format!("{at} s is no output time"))
}

/// All moving bodies at an output time.
pub(super) fn bodies_at(scene: &Scene, run: &Recorded, here: usize) -> Vec<BodyState> {
    let state = |name: &str| run.tracks.iter().find(|t| t.name == name)?.state(here);
    scene.model.moving_bodies().filter_map(state).collect()
}

/// The projections of a trajectory onto the walls behind it of a box around it, whose edges are axes.
fn shadows(mut view: View, trajectory: &[Point], eye: &Point) -> View {
    let over =
        |i: usize, pick: fn(f64, f64) -> f64| trajectory.iter().map(|p| p[i]).reduce(pick).unwrap_or(0.0);
    let (low, high) = ([0, 1, 2].map(|i| over(i, f64::min)), [0, 1, 2].map(|i| over(i, f64::max)));
    let room = ROOM * (0..3).map(|i| high[i] - low[i]).fold(0.0, f64::max);
    let (low, high) = (low.map(|x| x - room), high.map(|x| x + room));
    view = view.axes(low, high, ["x [m]", "y [m]", "z [m]"].map(String::from));
    for i in 0..3 {
        let wall = if eye[i] > 0.0 { low[i] } else { high[i] };
        let onto = |p: &Point| {
            let mut p = *p;
            p[i] = wall;
            p
        };
        view = view.path(trajectory.iter().map(onto).collect(), SHADOW, 1.2);
    }
    view
}

/// The colours of bodies: of a few that move each has its own, of many all have the first; those that are marked have the second, and fixed ones have none.
struct Colours {
    moving: Vec<String>,
    marked: Vec<String>,
}

impl Colours {
    fn of(recipe: &paper::View, scene: &Scene) -> Colours {
        Colours {
            moving: scene.model.moving_bodies().map(str::to_owned).collect(),
            marked: recipe.marked.clone(),
        }
    }

    fn nth(&self, body: &str) -> Option<usize> {
        if self.marked.iter().any(|name| name == body) {
            return Some(1);
        }
        let n = self.moving.iter().position(|name| name == body)?;
        Some(if self.moving.len() <= TOLD_APART && self.marked.is_empty() { n } else { 0 })
    }
}

/// The nearest points, the line between them, and at each the normal, tangent and binormal, made in the frame of its surface.
fn nearest(
    mut view: View,
    name: &str,
    scene: &Scene,
    run: &Recorded,
    here: usize,
    bodies: &[BodyState],
    length: f64,
) -> Result<View, String> {
    let value = |column: &str| {
        let all = run.column(&format!("{name}.{column}")).map_err(|e| e.to_string())?;
        all.get(here).copied().filter(|x| x.is_finite()).ok_or_else(|| format!("{name} was not found"))
    };
    let vector = |of: &str| {
        Ok::<_, String>(Vec3::new(
            value(&format!("{of}x"))?,
            value(&format!("{of}y"))?,
            value(&format!("{of}z"))?,
        ))
    };
    let (a, b, n) = (vector("a")?, vector("b")?, vector("n")?);
    let distance = scene.distances.iter().find(|d| d.name() == name);
    let followed = distance.ok_or("no such distance")?.follow(&scene.model).map_err(|e| e.to_string())?;
    let frames: [Pose; 2] = followed.frames(&scene.model, bodies).ok_or("a body is missing")?;
    view = view.path(vec![a.into(), b.into()], BETWEEN, WIDTH).name("least distance", BETWEEN, WIDTH);
    view = NAMES.into_iter().zip(COLOURS).fold(view, |view, (name, colour)| view.name(name, colour, WIDTH));
    let length = length.min((SHARE * (b - a).norm()).max(0.3 * length));
    for (p, n, x) in [(a, n, &frames[0]), (b, -n, &frames[1])] {
        let across = Tangents::Householder.of(&x.direction_to_local(&n)).map(|(t, _)| x.direction(&t));
        for (v, colour) in [n, across[0], across[1]].iter().zip(COLOURS) {
            view = view.path(vec![p.into(), (p + v * length).into()], colour, WIDTH);
        }
    }
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_end_around_what_is_seen_and_far_ones_are_left_out() {
        // a cube of 2 m, 1 m above the ground; a wall 100 m away
        let mut cube = Extent::default();
        cube.take_in(&Vec3::new(9.0, -1.0, 1.0));
        cube.take_in(&Vec3::new(11.0, 1.0, 3.0));
        let drawn = |plane: &Pose| format!("{:?}", under(View::new([1.0, -2.0, 1.0]), plane, &cube));
        let none = format!("{:?}", View::new([1.0, -2.0, 1.0]));
        assert_eq!(drawn(&Pose::at(Vec3::new(0.0, 0.0, -100.0))), none);
        let margin = MARGIN * 12.0_f64.sqrt();
        let ground = drawn(&Pose::identity());
        for corner in [[9.0 - margin, -1.0 - margin, 0.0], [11.0 + margin, 1.0 + margin, 0.0]] {
            assert!(ground.contains(&format!("{corner:?}")), "{ground}");
        }
        assert_eq!(reach([(Vec3::zeros(), 1.0), (Vec3::new(4.0, 0.0, 0.0), 2.0)].into_iter()), 3.5);
    }
}
