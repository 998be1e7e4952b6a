//! All common normals of two ellipsoids of a paper's run, in space.

use std::f64::consts::PI;

use carom::BodyState;
use carom::base::elementary::sincos;
use carom::base::{Pose, Vec3};
use carom::geometry::proximity::ellipsoids::{CommonNormal, Stationary, as_ellipsoid, common_normals};
use carom::geometry::surfaces::Ellipsoid;
use carom_plot::{Point, View};
use carom_scene::Scene;

use super::view::{COLOURS, NAMES, WIDTH};

/// The colours of the bodies' sections, and of the lines between points that are nearest, saddles and furthest.
const SECTIONS: [&str; 2] = ["#7799BB", "#BB8866"];
const NEAREST: &str = "#000000";
const SADDLE: &str = "#CC79A7";
const FURTHEST: &str = "#E69F00";
/// Segments of a section.
const SEGMENTS: u32 = 72;
/// Lengths of normals, as a share of the longest semi axis.
const LENGTH: f64 = 0.3;

/// The principal sections of both ellipsoids, every common normal from point to point, and at its ends the outward normals in red.
pub(super) fn drawn(mut view: View, name: &str, scene: &Scene, bodies: &[BodyState]) -> Result<View, String> {
    let distance = scene.distances.iter().find(|d| d.name() == name).ok_or("no such distance")?;
    let followed = distance.follow(&scene.model).map_err(|e| e.to_string())?;
    let frames = followed.frames(&scene.model, bodies).ok_or("a body is missing")?;
    let at = |x: &Pose| {
        let there = |(_, shape, y): (_, _, Pose)| (y == *x).then_some(shape);
        scene.model.surfaces_at(bodies).find_map(there).and_then(as_ellipsoid)
    };
    let (Some(a), Some(b)) = (at(&frames[0]), at(&frames[1])) else {
        return Err(format!("{name}: common normals are those of ellipsoids and balls"));
    };
    for ((body, x), colour) in [(&a, &frames[0]), (&b, &frames[1])].into_iter().zip(SECTIONS) {
        for i in 0..3 {
            view = view.path(section(body, x, i), colour, 0.8);
        }
    }
    let found = common_normals(&a, &b, &frames[0], &frames[1]).ok_or("the bodies are nowhere")?;
    let longest = a.semi_axes().max().min(b.semi_axes().max());
    for kind in [Stationary::Nearest, Stationary::Saddle, Stationary::Furthest] {
        if found.all.iter().any(|normal| normal.kind == kind) {
            let (colour, width, name) = look(kind);
            view = view.name(name, colour, width);
        }
    }
    let view = view.name(NAMES[0], COLOURS[0], WIDTH);
    Ok(found.all.iter().rev().fold(view, |view, normal| line(view, normal, LENGTH * longest)))
}

/// The section across an axis.
fn section(body: &Ellipsoid, x: &Pose, axis: usize) -> Vec<Point> {
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let point = |i: u32| {
        let (sin, cos) = sincos(2.0 * PI * f64::from(i) / f64::from(SEGMENTS));
        let mut p = Vec3::zeros();
        (p[j], p[k]) = (body.semi_axes()[j] * cos, body.semi_axes()[k] * sin);
        x.point(&p).into()
    };
    (0..=SEGMENTS).map(point).collect()
}

/// Colour, width [px] and name of the lines of a kind: along one line the longer ones are wider, so that all are seen.
fn look(kind: Stationary) -> (&'static str, f64, &'static str) {
    match kind {
        Stationary::Nearest => (NEAREST, WIDTH, "least distance"),
        Stationary::Saddle => (SADDLE, 1.8 * WIDTH, "saddle of the distance"),
        Stationary::Furthest => (FURTHEST, 3.0 * WIDTH, "greatest distance"),
    }
}

/// A common normal, and at its ends the outward normals.
fn line(view: View, normal: &CommonNormal, length: f64) -> View {
    let c = &normal.contact;
    let (colour, width, _) = look(normal.kind);
    let out_of_b = if normal.opposite { -c.n } else { c.n };
    let view = view.path(vec![c.p_a.into(), c.p_b.into()], colour, width);
    [(c.p_a, c.n), (c.p_b, out_of_b)]
        .into_iter()
        .fold(view, |view, (p, n)| view.path(vec![p.into(), (p + n * length).into()], COLOURS[0], WIDTH))
}
