//! Bodies of a paper's runs in space.

use std::path::Path;

use carom::BodyState;
use carom::base::{Pose, Vec3};
use carom::geometry::pairs::common_normal::Tangents;
use carom_plot::{Picture, View};
use carom_scene::Scene;
use carom_scene::paper;
use carom_scene::results::Recorded;

use super::Finished;
use super::check::SAME_TIME;
use super::work::Done;
use crate::failure::Failure;

/// Segments around a circle.
const MESH: usize = 28;
/// The colours of normal, tangent and binormal, and of the line between the points.
const COLOURS: [&str; 3] = ["#D00000", "#008000", "#0030D0"];
const BETWEEN: &str = "#000000";
/// Their lengths, as a share of the size, but no more than this of the distance, so that the line between the points shows; widths [px].
const LENGTH: f64 = 0.12;
const SHARE: f64 = 0.4;
const WIDTH: f64 = 2.2;

/// Draws the views of a figure as SVG and PNG. A run that failed leaves its view out.
pub(super) fn picture(f: &Finished<'_>, folder: &Path) -> Result<(), Failure> {
    let recipe = f.figure;
    let mut picture = Picture::new(recipe.columns).title(&recipe.title);
    for view in &recipe.views {
        let Done { result: Ok(run), scene: Some(scene), .. } = &f.runs[view.run] else { continue };
        picture = picture.view(drawn(view, scene, run).map_err(Failure::Run)?);
    }
    for ending in ["svg", "png"] {
        picture.write(&folder.join(format!("{}.{ending}", recipe.name)))?;
    }
    Ok(())
}

fn drawn(recipe: &paper::View, scene: &Scene, run: &Recorded) -> Result<View, String> {
    let here = run.t.iter().position(|t| (t - recipe.at).abs() <= SAME_TIME);
    let here = here.ok_or_else(|| format!("{} s is no output time", recipe.at))?;
    let state = |name: &str| run.tracks.iter().find(|t| t.name == name)?.state(here);
    let bodies: Vec<BodyState> = scene.model.moving_bodies().filter_map(state).collect();
    let mut view = View::new(recipe.eye).title(&recipe.title);
    let mut size: f64 = 0.0;
    for (n, (_, shape, x)) in scene.model.surfaces_at(&bodies).enumerate() {
        let bounds = shape.surface.bounds();
        size = size.max((x.point(&bounds.centre) - bounds.centre).norm() + bounds.radius);
        let mesh = shape.surface.mesh(MESH, 1.0);
        for t in &mesh.triangles {
            let corner = |i: u32| x.point(&Vec3::from(mesh.vertices[i as usize])).into();
            view = view.patch(t.map(corner), n);
        }
    }
    match &recipe.distance {
        Some(name) => nearest(view, name, scene, run, here, &bodies, LENGTH * size),
        None => Ok(view),
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
    view = view.line(a.into(), b.into(), BETWEEN, WIDTH);
    let length = length.min((SHARE * (b - a).norm()).max(0.3 * length));
    for (p, n, x) in [(a, n, &frames[0]), (b, -n, &frames[1])] {
        let across = Tangents::Householder.of(&x.direction_to_local(&n)).map(|(t, _)| x.direction(&t));
        for (v, colour) in [n, across[0], across[1]].iter().zip(COLOURS) {
            view = view.line(p.into(), (p + v * length).into(), colour, WIDTH);
        }
    }
    Ok(view)
}
