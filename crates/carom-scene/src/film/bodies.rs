//! What bodies look like, and what is on them.

use std::collections::HashMap;
use std::f64::consts::TAU;

use carom::base::{Pose, Quat, Vec3};
use carom::geometry::mesh::Mesh;
use carom::geometry::surfaces::Sphere;
use carom::geometry::{Ring, Section, Side, Surface};
use carom::{DrawnField, DrawnSurface, Model};

use super::{Bounds, Film, FilmBody, FilmField, FilmJoint, FilmLine, Look, Motion, Part};
use crate::results::{Recorded, Track};
use crate::scene::Scene;

/// Segments around a circle, of few bodies and of many.
const SEGMENTS: [usize; 2] = [64, 24];
const MANY: usize = 100;
/// Points of the line around a slice.
const AROUND: usize = 24;
/// Heights at which tractions are told, from a thousandth of the scene's size to all of it.
const HEIGHTS: usize = 64;

/// Meshes, each once.
#[derive(Default)]
struct Meshes {
    all: Vec<Mesh>,
    known: HashMap<String, usize>,
}

impl Meshes {
    fn of(&mut self, key: String, make: impl FnOnce() -> Mesh) -> usize {
        *self.known.entry(key).or_insert_with(|| {
            self.all.push(make());
            self.all.len() - 1
        })
    }
}

/// Puts bodies, bounds and what is on the bodies into a film; `tracks` are those of its frames.
pub(super) fn put(film: &mut Film, scene: &Scene, tracks: Vec<Track>) {
    let model = &scene.model;
    let mut moving: HashMap<String, Track> = tracks.into_iter().map(|t| (t.name.clone(), t)).collect();
    let mut colours = 0..;
    for b in model.drawn_bodies() {
        let motion = match b.fixed {
            Some((p, q)) => Motion::Fixed(p.into(), wxyz(&q)),
            None => Motion::Moving(moving.remove(b.name).unwrap_or_else(|| nowhere(b.name))),
        };
        let colour = if b.fixed.is_none() { colours.next() } else { None };
        film.bodies.push(FilmBody { name: b.name.to_owned(), parts: Vec::new(), motion, colour });
    }
    // what no body is called is a probe
    let is_probe = |t: &&crate::scene::Probe| moving.contains_key(&t.name);
    let probes: Vec<Track> =
        scene.probes.iter().filter(is_probe).filter_map(|p| moving.get(&p.name).cloned()).collect();
    film.probes = probes;
    film.gravity = model.gravity().into();
    bound(film, model, scene);
    let mut meshes = Meshes::default();
    let segments = SEGMENTS[usize::from(film.bodies.len() > MANY)];
    for surface in model.drawn_surfaces() {
        let part = part(film, &surface, segments, &mut meshes);
        film.bodies[surface.body].parts.push(part);
    }
    for d in &scene.decorations {
        let Some(body) = film.bodies.iter_mut().find(|b| b.name == d.body) else { continue };
        let scaled = || Mesh {
            vertices: d.mesh.vertices.iter().map(|v| v.map(|x| x * d.scale)).collect(),
            ..(*d.mesh).clone()
        };
        let mesh = meshes.of(format!("file {} {}", d.file, d.scale), scaled);
        let (name, look) = (d.file.clone(), Look::Decoration);
        body.parts.push(Part { name, kind: "mesh", mesh, pose: d.pose, look, slices: Vec::new() });
    }
    film.meshes = meshes.all;
    film.lines = model
        .drawn_lines()
        .map(|l| FilmLine { name: l.name.to_owned(), bodies: l.bodies, points: l.points.map(Into::into) })
        .collect();
    let size = film.bounds.diagonal();
    film.fields = model.drawn_fields().map(|f| field(&f, size)).collect();
}

/// Of a body whose states are not there.
fn nowhere(name: &str) -> Track {
    let (position, velocity) = (Vec::new(), Vec::new());
    Track { name: name.to_owned(), position, velocity, rotation: None, deformation: None }
}

pub(super) fn wxyz(q: &Quat) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

/// What bodies fill at the start and over all frames.
fn bound(film: &mut Film, model: &Model, scene: &Scene) {
    let mut reach: Vec<Option<f64>> = vec![None; film.bodies.len()];
    let mut grow = |body: usize, r: f64| reach[body] = Some(reach[body].unwrap_or(0.0).max(r));
    for s in model.drawn_surfaces() {
        let ball = s.shape.surface.bounds();
        if ball.radius.is_finite() {
            grow(s.body, s.pose.point(&ball.centre).norm() + ball.radius);
        }
    }
    for d in &scene.decorations {
        let far = d.mesh.vertices.iter().map(|v| d.pose.point(&(Vec3::from(*v) * d.scale)).norm());
        let body = film.bodies.iter().position(|b| b.name == d.body);
        if let (Some(body), Some(far)) = (body, far.reduce(f64::max)) {
            grow(body, far);
        }
    }
    // where a joint or a spring holds it, there is something of a body, too
    for (bodies, points) in model
        .drawn_joints()
        .map(|j| (j.bodies, j.points))
        .chain(model.drawn_lines().map(|l| (l.bodies, l.points)))
    {
        bodies.into_iter().zip(points).for_each(|(body, point)| grow(body, point.norm()));
    }
    let (mut all, mut start) = (Bounds::default(), Bounds::default());
    for (body, reach) in film.bodies.iter().zip(&reach) {
        let fixed = matches!(body.motion, Motion::Fixed(..));
        // a fixed body without anything bounded on it is a floor: it is as large as the rest
        let Some(radius) = reach.or((!fixed).then_some(0.0)) else { continue };
        let stretch = |r: &carom::base::Mat3| (0..3).map(|i| r.column(i).norm()).fold(1.0, f64::max);
        let frames = if fixed { 1 } else { film.t.len().max(1) };
        for frame in 0..frames {
            let x = body.motion.pose(frame);
            all.add(&x.p, radius * stretch(&x.r));
            if frame == 0 {
                start.add(&x.p, radius * stretch(&x.r));
            }
        }
    }
    film.bounds = all;
    film.start_bounds = start;
}

fn part(film: &Film, s: &DrawnSurface<'_>, segments: usize, meshes: &mut Meshes) -> Part {
    let surface = &s.shape.surface;
    let endless = !surface.bounds().radius.is_finite();
    let look = match (endless, s.shape.side, surface.is_sheet()) {
        (true, ..) => Look::Plane,
        (false, Side::Outside, false) => Look::Solid,
        _ => Look::Shell,
    };
    let size = film.bounds.diagonal();
    let extent = if size > 0.0 { 0.75 * size } else { 1.0 };
    let mesh = meshes.of(format!("{surface:?} {segments}"), || surface.mesh(segments, extent));
    let mut pose = s.pose;
    if endless {
        // the patch lies below the middle of the scene
        let there = film.bodies[s.body].motion.pose(0).then(&s.pose);
        let offset = there.point_to_local(&film.bounds.centre());
        pose.p = s.pose.point(&Vec3::new(offset.x, offset.y, 0.0));
    }
    let slices = surface.as_ring().map_or_else(Vec::new, |ring| slices(ring, &s.cuts));
    Part { name: s.name.to_owned(), kind: surface.kind(), mesh, pose, look, slices }
}

/// The lines around a ring at which it is cut.
fn slices(ring: &dyn Ring, cuts: &[f64]) -> Vec<Vec<[f64; 3]>> {
    let around = |phi: &f64| {
        let Section { centre, radial, axial, exponent } = ring.section(*phi);
        // |ξ|^γ + |ζ|^γ = 1
        let power = |x: f64| x.abs().powf(2.0 / exponent).copysign(x);
        let at = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / AROUND as f64).sin_cos();
            (centre + radial * power(cos) + Vec3::new(0.0, 0.0, axial * power(sin))).into()
        };
        (0..=AROUND).map(at).collect()
    };
    cuts.iter().map(around).collect()
}

fn field(f: &DrawnField<'_>, size: f64) -> FilmField {
    let at = |k: usize| {
        let d = size * 1e-3f64.powf(1.0 - k as f64 / (HEIGHTS - 1) as f64);
        [d, f.tractions.normal_at(d)]
    };
    let tractions = if size > 0.0 { (0..HEIGHTS).map(at).collect() } else { Vec::new() };
    FilmField { name: f.name.to_owned(), bodies: f.bodies, plane: f.plane, tractions }
}

/// Puts the joints into a film whose times are there, with what they were recorded to do.
pub(super) fn joints(film: &mut Film, model: &Model, run: Option<&Recorded>) {
    let joint = |j: carom::DrawnJoint<'_>| {
        let recorded = run.and_then(|run| run.joints.iter().find(|r| r.joint == j.name));
        let loads = |i: usize| match recorded {
            Some(r) => film.t.iter().map(|t| r.at(*t).map_or([f64::NAN; 3], |l| l[i])).collect(),
            None => Vec::new(),
        };
        FilmJoint {
            name: j.name.to_owned(),
            kind: j.kind,
            bodies: j.bodies,
            points: j.points.map(Into::into),
            axis: j.axis.map(Into::into),
            force: loads(0),
            couple: loads(1),
        }
    };
    film.joints = model.drawn_joints().map(joint).collect();
}

/// Bodies of which nothing is known but where they are: balls of a size that can be seen.
pub(super) fn put_points(film: &mut Film, tracks: Vec<Track>) {
    let (bodies, probes): (Vec<Track>, Vec<Track>) =
        tracks.into_iter().partition(|t| t.rotation.is_some() || t.deformation.is_some());
    film.probes = probes;
    for (frame, p) in bodies.iter().flat_map(|t| t.position.iter().enumerate()) {
        film.bounds.add(&Vec3::from(*p), 0.0);
        if frame == 0 {
            film.start_bounds.add(&Vec3::from(*p), 0.0);
        }
    }
    let size = film.bounds.diagonal();
    let radius = if size > 0.0 { 0.02 * size } else { 0.5 };
    for all in [&mut film.bounds, &mut film.start_bounds] {
        let centre = all.centre();
        all.add(&centre, radius);
    }
    film.meshes = Sphere::new(radius).map(|ball| ball.mesh(SEGMENTS[1], 0.0)).into_iter().collect();
    for (i, track) in bodies.into_iter().enumerate() {
        let (name, slices, pose) = ("marker".to_owned(), Vec::new(), Pose::identity());
        let part = Part { name, kind: "marker", mesh: 0, pose, look: Look::Solid, slices };
        film.bodies.push(FilmBody {
            name: track.name.clone(),
            parts: vec![part],
            motion: Motion::Moving(track),
            colour: Some(i),
        });
    }
}
