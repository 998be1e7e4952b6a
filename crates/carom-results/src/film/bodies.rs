//! Makes the shapes of bodies in a film, and the joints, springs and fields on them.

use std::collections::HashMap;
use std::f64::consts::TAU;

use carom::base::elementary::{pow, sincos};
use carom::base::{Pose, Quat, Vec3};
use carom::field::Power;
use carom::geometry::mesh::Mesh;
use carom::geometry::surfaces::{Cuboid, Sphere};
use carom::geometry::{Ring, Section, Side, Surface};
use carom::{DrawnField, DrawnSurface, Model};
use carom_scene::Scene;

use super::{Bounds, Film, FilmBody, FilmField, FilmJoint, FilmLine, Look, Motion, Part};
use crate::{Recorded, Track};

/// Number of segments around a circle, with few bodies and with more than `MANY`.
const SEGMENTS: [usize; 2] = [64, 24];
const MANY: usize = 100;
/// Approximate numbers of mesh points and of frames from which the bounds are found.
const SPOTS: usize = 150;
const MOMENTS: usize = 200;
/// Number of points of the line around a slice.
const AROUND: usize = 24;
/// Number of heights at which tractions are given, from a thousandth of the scene's size to its whole size.
const HEIGHTS: usize = 64;

/// The meshes, each stored once.
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

/// Adds the bodies, the bounds and the objects on the bodies to a film; `tracks` are their motions at its frames.
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
        let (name, parts) = (b.name.to_owned(), Vec::new());
        film.bodies.push(FilmBody { name, parts, motion, colour, free: b.free });
    }
    // a track that has no body is a probe
    let is_probe = |t: &&carom_scene::Probe| moving.contains_key(&t.name);
    let probes: Vec<Track> =
        scene.probes.iter().filter(is_probe).filter_map(|p| moving.get(&p.name).cloned()).collect();
    film.probes = probes;
    film.gravity = model.gravity().into();
    let mut meshes = Meshes::default();
    parts(film, scene, &mut meshes);
    boxes(film, model, &mut meshes);
    film.meshes = std::mem::take(&mut meshes.all);
    bound(film, model);
    meshes.all = std::mem::take(&mut film.meshes);
    patches(film, model, &mut meshes);
    film.meshes = meshes.all;
    film.lines = model
        .drawn_lines()
        .map(|l| FilmLine { name: l.name.to_owned(), bodies: l.bodies, points: l.points.map(Into::into) })
        .collect();
    let size = film.bounds.diagonal();
    film.fields = model.drawn_fields().map(|f| field(&f, size)).collect();
}

/// Returns an empty track, for a body without recorded states.
fn nowhere(name: &str) -> Track {
    let (position, velocity) = (Vec::new(), Vec::new());
    Track { name: name.to_owned(), position, velocity, rotation: None, deformation: None }
}

pub(super) fn wxyz(q: &Quat) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

/// Finds the space that moving bodies fill at the start and over all frames, with the part of fixed bodies that is near them:
/// their meshes, and the points of joints and springs. A ground of 100 m or the far end of a long spring is not part of it.
fn bound(film: &mut Film, model: &Model) {
    let mut spots: Vec<Vec<Vec3>> = vec![Vec::new(); film.bodies.len()];
    for (body, spots) in film.bodies.iter().zip(&mut spots) {
        for part in &body.parts {
            let vertices = &film.meshes[part.mesh].vertices;
            let stride = vertices.len().div_ceil(SPOTS).max(1);
            spots.extend(vertices.iter().step_by(stride).map(|v| part.pose.point(&Vec3::from(*v))));
        }
    }
    let mut points: Vec<Vec<Vec3>> = vec![Vec::new(); film.bodies.len()];
    for (bodies, at) in holds(model) {
        bodies.into_iter().zip(at).for_each(|(body, point)| points[body].push(point));
    }
    let (mut all, mut start) = (Bounds::default(), Bounds::default());
    for (i, body) in film.bodies.iter().enumerate().filter(|(_, b)| !is_fixed(b)) {
        let frames = film.t.len().max(1);
        let stride = frames.div_ceil(MOMENTS).max(1);
        for frame in (0..frames).step_by(stride).chain([frames - 1]) {
            let x = body.motion.pose(frame);
            // of a body without any surface or joint at least the reference point counts
            for p in spots[i].iter().chain(&points[i]).chain([&Vec3::zeros()]).map(|p| x.point(p)) {
                all.add(&p, 0.0);
                if frame == 0 {
                    start.add(&p, 0.0);
                }
            }
        }
    }
    // a ball in a bowl stays in it: at the start, too, the whole of its way says what is near
    let near = all.grown();
    for (i, body) in film.bodies.iter().enumerate().filter(|(_, b)| is_fixed(b)) {
        let x = body.motion.pose(0);
        let mut whole = Bounds::default();
        spots[i].iter().for_each(|p| whole.add(&x.point(p), 0.0));
        for out in [&mut all, &mut start] {
            out.join(&near.common(&whole));
            points[i].iter().map(|p| x.point(p)).filter(|p| near.contains(p)).for_each(|p| out.add(&p, 0.0));
        }
    }
    film.bounds = all;
    film.start_bounds = start;
}

/// Returns what holds bodies at points, with these points: joints, springs, bushings.
fn holds(model: &Model) -> impl Iterator<Item = ([usize; 2], [Vec3; 2])> {
    let joints = model.drawn_joints().map(|j| (j.bodies, j.points));
    let lines = model.drawn_lines().map(|l| (l.bodies, l.points));
    let bushings = model.drawn_actions().filter(|a| a.bushing.is_some()).map(|a| (a.bodies, a.points));
    joints.chain(lines).chain(bushings)
}

fn is_fixed(body: &FilmBody) -> bool {
    matches!(body.motion, Motion::Fixed(..))
}

/// Adds the parts of finite surfaces, and the decorations.
fn parts(film: &mut Film, scene: &Scene, meshes: &mut Meshes) {
    let segments = SEGMENTS[usize::from(film.bodies.len() > MANY)];
    for s in scene.model.drawn_surfaces().filter(|s| !endless(s)) {
        let surface = &s.shape.surface;
        let look = match (s.shape.side, surface.is_sheet()) {
            (Side::Outside, false) => Look::Solid,
            _ => Look::Shell,
        };
        let mesh = meshes.of(format!("{surface:?} {segments}"), || surface.mesh(segments, 0.0));
        let slices = surface.as_ring().map_or_else(Vec::new, |ring| slices(ring, &s.cuts));
        let part = Part { name: s.name.to_owned(), kind: surface.kind(), mesh, pose: s.pose, look, slices };
        film.bodies[s.body].parts.push(part);
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
}

/// Shows bodies without surfaces, joints, springs and bushings as the blocks of uniform density that have their mass and inertia.
fn boxes(film: &mut Film, model: &Model, meshes: &mut Meshes) {
    let mut held = vec![false; film.bodies.len()];
    holds(model).flat_map(|(bodies, _)| bodies).for_each(|body| held[body] = true);
    model.drawn_surfaces().for_each(|s| held[s.body] = true);
    for (i, b) in model.drawn_bodies().enumerate().filter(|(i, _)| !held[*i]) {
        let (Some(mass), Some(inertia)) = (model.mass(b.name), model.inertia(b.name)) else { continue };
        if !film.bodies[i].parts.is_empty() {
            continue;
        }
        let axes = inertia.symmetric_eigen();
        let moment = axes.eigenvalues;
        // the sides follow from I_x = m (b² + c²)/12 and so on
        let side = |k: usize| (6.0 * (moment.sum() - 2.0 * moment[k]) / mass).max(0.0).sqrt();
        let sides = [side(0), side(1), side(2)];
        // thin blocks are made thick enough to be visible
        let least = 0.01 * sides.iter().fold(0.0, |most: f64, x| most.max(*x));
        let Ok(block) = Cuboid::new(sides.map(|x| x.max(least))) else { continue };
        let turn = axes.eigenvectors;
        let r = if turn.determinant() < 0.0 { -turn } else { turn };
        let mesh = meshes.of(format!("{block:?}"), || block.mesh(0, 0.0));
        let (name, pose) = ("inertia".to_owned(), Pose { p: b.centre, r });
        let (kind, look, slices) = ("inertia", Look::Solid, Vec::new());
        film.bodies[i].parts.push(Part { name, kind, mesh, pose, look, slices });
    }
}

fn endless(s: &DrawnSurface<'_>) -> bool {
    !s.shape.surface.bounds().radius.is_finite()
}

/// Adds patches of infinite surfaces, in proportion to the scene's size and below its middle.
fn patches(film: &mut Film, model: &Model, meshes: &mut Meshes) {
    let size = film.bounds.diagonal();
    let extent = if size > 0.0 { 0.75 * size } else { 1.0 };
    for s in model.drawn_surfaces().filter(endless) {
        let surface = &s.shape.surface;
        let mesh = meshes.of(format!("{surface:?}"), || surface.mesh(SEGMENTS[0], extent));
        let there = film.bodies[s.body].motion.pose(0).then(&s.pose);
        let offset = there.point_to_local(&film.bounds.centre());
        let pose = Pose { p: s.pose.point(&Vec3::new(offset.x, offset.y, 0.0)), r: s.pose.r };
        let (name, kind, look) = (s.name.to_owned(), surface.kind(), Look::Plane);
        film.bodies[s.body].parts.push(Part { name, kind, mesh, pose, look, slices: Vec::new() });
    }
}

/// Returns the lines around a ring at which it is cut into slices.
fn slices(ring: &dyn Ring, cuts: &[f64]) -> Vec<Vec<[f64; 3]>> {
    let around = |phi: &f64| {
        let Section { centre, radial, axial, exponent } = ring.section(*phi);
        // |ξ|^γ + |ζ|^γ = 1
        let power = |x: f64| pow(x.abs(), 2.0 / exponent).copysign(x);
        let at = |k: usize| {
            let (sin, cos) = sincos(TAU * k as f64 / AROUND as f64);
            (centre + radial * power(cos) + Vec3::new(0.0, 0.0, axial * power(sin))).into()
        };
        (0..=AROUND).map(at).collect()
    };
    cuts.iter().map(around).collect()
}

fn field(f: &DrawnField<'_>, size: f64) -> FilmField {
    let at = |k: usize| {
        let d = size * pow(1e-3f64, 1.0 - k as f64 / (HEIGHTS - 1) as f64);
        [d, f.tractions.normal_at(d)]
    };
    let tractions: Vec<[f64; 2]> = if size > 0.0 { (0..HEIGHTS).map(at).collect() } else { Vec::new() };
    let resistance =
        |p: Power| tractions.iter().map(move |[d, _]| [*d, p.coefficient * pow(*d, -f64::from(p.exponent))]);
    let damping = f.tractions.damping.map_or_else(Vec::new, |p| resistance(p).collect());
    FilmField { name: f.name.to_owned(), bodies: f.bodies, plane: f.plane, tractions, damping }
}

/// Adds the joints with their recorded forces and couples to a film that has its times.
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
            glyph: j.glyph,
            bodies: j.bodies,
            points: j.points.map(Into::into),
            axis: j.axis.map(Into::into),
            force: loads(0),
            couple: loads(1),
        }
    };
    film.joints = model.drawn_joints().map(joint).collect();
}

/// Shows bodies of which only the positions are known as balls of a visible size.
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
            free: true,
        });
    }
}
