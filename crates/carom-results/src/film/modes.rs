//! Makes a film of mode shapes: one period of every mode about the equilibrium, one after the other.
//!
//! A component of a mode shape has an amplitude a and a phase φ, and is drawn at a sin(θ + φ) for angles θ from 0 to 2π. The
//! amplitude is chosen so that the point that moves most goes a given fraction of the scene's size; the motion stays linear in
//! it, except that turns are drawn as true rotations.

use std::f64::consts::TAU;
use std::ops::Range;
use std::path::Path;

use carom::BodyState;
use carom::base::elementary::sincos;
use carom::base::{Mat3, Quat, Vec3, rotation_by};
use carom_base::file::read_text;
use carom_scene::Scene;
use nalgebra::Quaternion;
use serde_json::{Map, Value};

use super::open::still;
use super::{Film, FilmError, Motion, actions, bodies};
use crate::files::{self, MODES};
use crate::{ReadError, Track};

/// Number of steps of a period.
const STEPS: usize = 48;
/// How far the point that moves most goes, as a fraction of the scene's size; and how far a body turns at most [rad].
const WAY: f64 = 0.1;
const TURN: f64 = 0.4;
/// Largest number of modes; the lowest are shown.
const MOST: usize = 200;

/// A mode in a film.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmMode {
    /// how it moves freely: `oscillates`, `decays`, `neutral`, `grows`
    pub kind: String,
    /// its frequency \[Hz\]
    pub frequency: f64,
    /// its damping ratio; `None` for a mode without damping
    pub damping_ratio: Option<f64>,
    /// the bodies that move most, in words: `mass z 1.00`
    pub shape: String,
    /// its frames, one period: the last is the same as the first
    pub frames: Range<usize>,
}

impl Film {
    /// Makes a film of the modes in a folder (`modes.json`), each over one period.
    pub fn open_modes(path: &Path) -> Result<Film, FilmError> {
        let text = modes_text(path).ok_or_else(|| FilmError::NoModes { path: path.to_owned() })?;
        let file = path.join(files::SCENE);
        let scene = read_text(&file, files::TEXT).map_err(|e| ReadError::NotResults {
            path: path.to_owned(),
            why: format!("{}: {e}", files::SCENE),
        })?;
        let name = file.display().to_string();
        let scene = Scene::from_text(&scene, carom_scene::Format::Json, &name, &[])?;
        Ok(Film::of_modes(&scene, &text))
    }

    /// Makes a film of modes in the form of `modes.json` ([`modes_json`](crate::modes_json)).
    ///
    /// ```
    /// use carom_results::{film::Film, modes_json};
    /// use carom_scene::{Format, Scene};
    /// let text = r#"
    ///     run = { duration = 1 }
    ///     body = [{ name = "mass", mass = 2, dofs = ["z"] }, { name = "wall", fixed = true, position = [0, 0, 1] }]
    ///     force = [{ type = "spring-damper", between = ["mass", "wall"], stiffness = 800, rest_length = 0.5 }]
    /// "#;
    /// let scene = Scene::from_text(text, Format::Toml, "spring.toml", &[])?;
    /// let film = Film::of_modes(&scene, &modes_json("spring", &scene.model, &carom::Modes::new(&scene.model)?));
    /// assert_eq!((film.modes.len(), film.modes[0].shape.as_str()), (1, "mass z 1.00"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_modes(scene: &Scene, text: &Value) -> Film {
        let rest = at_rest(scene, &text["equilibrium"]["bodies"]);
        let mut film = Film { title: scene.title.clone(), t: vec![0.0], ..Film::default() };
        bodies::put(&mut film, scene, rest.clone());
        let bodies: Vec<Swinging> = rest.iter().map(|track| Swinging::new(&film, scene, track)).collect();
        let list = |key: &str| text[key].as_array().cloned().unwrap_or_default();
        let damped = list("roots").into_iter().filter(|root| root["omega"].as_f64().is_some_and(|w| w > 0.0));
        let roots: Vec<Value> = if text["damped"] == true { damped.collect() } else { Vec::new() };
        let size = film.bounds.diagonal();
        let mut moving = Film { title: film.title, ..Film::default() };
        let mut tracks: Vec<Track> =
            rest.iter().map(|t| Track { position: Vec::new(), velocity: Vec::new(), ..empty(t) }).collect();
        for mode in list("modes").iter().chain(&roots).take(MOST) {
            let none = Map::new();
            let shape = mode["components"].as_object().unwrap_or(&none);
            let swings: Vec<Shape> = bodies.iter().map(|b| Shape::read(shape.get(&b.name), b.soft)).collect();
            let scale = scale(&bodies, &swings, size);
            let first = moving.t.len();
            for step in 0..=STEPS {
                moving.t.push(moving.modes.len() as f64 + step as f64 / STEPS as f64);
                for ((body, swing), track) in bodies.iter().zip(&swings).zip(&mut tracks) {
                    body.put(swing, scale, TAU * step as f64 / STEPS as f64, track);
                }
            }
            moving.modes.push(FilmMode {
                kind: mode["kind"].as_str().unwrap_or_default().to_owned(),
                frequency: mode["frequency"].as_f64().unwrap_or(0.0),
                damping_ratio: mode["damping_ratio"].as_f64(),
                shape: mode["shape"].as_str().unwrap_or_default().to_owned(),
                frames: first..moving.t.len(),
            });
        }
        if moving.modes.is_empty() {
            moving.t = vec![0.0];
            tracks = rest;
            moving.notices.push("No body can move: there are no modes to show.".to_owned());
        }
        bodies::put(&mut moving, scene, tracks);
        bodies::joints(&mut moving, &scene.model, None);
        actions::put(&mut moving, &scene.model, None);
        moving.contact_starts = vec![0; moving.t.len() + 1];
        moving
    }
}

/// Reads the modes of a folder, if it has any.
pub(super) fn modes_text(path: &Path) -> Option<Value> {
    files::texts(path).into_iter().find(|(name, _)| *name == MODES[0]).map(|(_, text)| text)
}

/// Returns the moving bodies at the equilibrium; one that the text does not have, as it starts.
fn at_rest(scene: &Scene, found: &Value) -> Vec<Track> {
    let start = scene.model.start_bodies();
    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let placed = |(name, state): (&str, &BodyState)| {
        let mut state = *state;
        if let [x, y, z] = numbers(&found[name]["position"])[..] {
            state.position = Vec3::new(x, y, z);
        }
        if let [w, x, y, z] = numbers(&found[name]["quaternion"])[..] {
            state.orientation = Quat::new_normalize(Quaternion::new(w, x, y, z));
        }
        still(name, &state)
    };
    scene.model.moving_bodies().zip(&start).map(placed).collect()
}

/// Returns the track of a body without frames, of the same kind as another.
fn empty(track: &Track) -> Track {
    let mut track = track.clone();
    if let Some(rotation) = &mut track.rotation {
        rotation.quaternion.clear();
        rotation.angular_velocity.clear();
    }
    if let Some(deformation) = &mut track.deformation {
        deformation.f.clear();
        deformation.f_dot.clear();
    }
    track
}

/// A body about its equilibrium.
struct Swinging {
    name: String,
    position: Vec3,
    /// rotation, or F of a body that deforms
    pose: Mat3,
    orientation: Quat,
    soft: bool,
    /// from the centre of mass to the reference point, along the world's axes \[m\]
    arm: Vec3,
    /// the largest distance of what is drawn of it from its centre of mass \[m\]
    reach: f64,
}

impl Swinging {
    fn new(film: &Film, scene: &Scene, track: &Track) -> Swinging {
        let pose = Motion::Moving(track.clone()).pose(0);
        let centre =
            scene.model.drawn_bodies().find(|b| b.name == track.name).map_or(Vec3::zeros(), |b| b.centre);
        let parts = film.body(&track.name).map_or(&[][..], |b| &b.parts);
        let far = |part: &super::Part| {
            let distance = |v: &[f64; 3]| (part.pose.point(&Vec3::from(*v)) - centre).norm();
            film.meshes[part.mesh].vertices.iter().map(distance).fold(0.0, f64::max)
        };
        let q = track.rotation.as_ref().and_then(|r| r.quaternion.first());
        let orientation =
            q.map_or(Quat::identity(), |q| Quat::new_normalize(Quaternion::new(q[0], q[1], q[2], q[3])));
        Swinging {
            name: track.name.clone(),
            position: pose.p,
            pose: pose.r,
            orientation,
            soft: track.deformation.is_some(),
            arm: -(pose.r * centre),
            reach: parts.iter().map(far).fold(0.0, f64::max),
        }
    }

    /// Adds a frame at an angle of the period.
    fn put(&self, swing: &Shape, scale: f64, angle: f64, track: &mut Track) {
        let (along, change) = (swing.at(angle, scale, &swing.along), swing.change(angle, scale));
        let turn = rotation_by(&swing.at(angle, scale, &swing.about));
        let moved = self.position + along + (turn * self.arm - self.arm);
        track.position.push(moved.into());
        track.velocity.push([0.0; 3]);
        if let Some(rotation) = &mut track.rotation {
            rotation.quaternion.push(bodies::wxyz(&(turn * self.orientation)));
            rotation.angular_velocity.push([0.0; 3]);
        }
        if let Some(deformation) = &mut track.deformation {
            let f = (Mat3::identity() + change) * self.pose;
            let mut rows = [0.0; 9];
            rows.copy_from_slice(f.transpose().as_slice());
            deformation.f.push(rows);
            deformation.f_dot.push([0.0; 9]);
        }
    }
}

/// Amplitude and phase of a component.
type Swing = (f64, f64);

/// The motion of a body in a mode.
#[derive(Default)]
struct Shape {
    along: [Swing; 3],
    about: [Swing; 3],
    /// changes of F of a body that deforms, and what they are
    changes: Vec<(Mat3, Swing)>,
}

impl Shape {
    fn read(components: Option<&Value>, soft: bool) -> Shape {
        let mut shape = Shape::default();
        let Some(all) = components.and_then(Value::as_object) else { return shape };
        // a stretch that keeps the volume has two components instead of three
        let keeps_volume = all.contains_key("sx") && !all.contains_key("sz");
        for (direction, value) in all {
            let swing = match value.as_array().map(|pair| [&pair[0], &pair[1]].map(Value::as_f64)) {
                Some([Some(value), Some(phase)]) => (value, phase),
                _ => (value.as_f64().unwrap_or(0.0), 0.0),
            };
            let (kind, axis) = direction.split_at(direction.len() - 1);
            let Some(i) = ["x", "y", "z"].iter().position(|a| *a == axis) else { continue };
            match kind {
                "" => shape.along[i] = swing,
                "r" if !soft => shape.about[i] = swing,
                _ => shape.changes.push((change(direction, i, keeps_volume), swing)),
            }
        }
        shape
    }

    fn at(&self, angle: f64, scale: f64, swings: &[Swing; 3]) -> Vec3 {
        Vec3::from(swings.map(|(value, phase)| scale * value * sincos(angle + phase).0))
    }

    fn change(&self, angle: f64, scale: f64) -> Mat3 {
        let one =
            |(change, (value, phase)): &(Mat3, Swing)| change * (scale * value * sincos(angle + phase).0);
        self.changes.iter().map(one).sum()
    }
}

/// Returns the change of F of unit norm that a component of a deformable body stands for, about F = 1: a turn `rx`, a shear
/// `syz` or a stretch `sx`.
fn change(direction: &str, i: usize, keeps_volume: bool) -> Mat3 {
    let unit = |k: usize| Vec3::from_fn(|row, _| if row == k % 3 { 1.0 } else { 0.0 });
    let gradient = match (direction.len(), keeps_volume) {
        (2, _) if direction.starts_with('r') => unit(i).cross_matrix(),
        // `syz` ends in z: the shear of the plane of its two letters
        (3, _) => unit(i) * unit(i + 2).transpose() + unit(i + 2) * unit(i).transpose(),
        (_, false) => unit(i) * unit(i).transpose(),
        (_, true) if i == 0 => Mat3::from_diagonal(&Vec3::new(2.0, -1.0, -1.0)),
        (_, true) => Mat3::from_diagonal(&Vec3::new(0.0, 1.0, -1.0)),
    };
    gradient / gradient.norm()
}

/// Returns the factor by which amplitudes are drawn: the point that moves most goes [`WAY`] of the size, and no body turns by
/// more than [`TURN`].
fn scale(bodies: &[Swinging], shapes: &[Shape], size: f64) -> f64 {
    let norm = |swings: &[Swing; 3]| swings.iter().map(|s| s.0 * s.0).sum::<f64>().sqrt();
    let (mut way, mut turn) = (0.0f64, 0.0f64);
    for (body, shape) in bodies.iter().zip(shapes) {
        let strain = shape.changes.iter().map(|(_, s)| s.0 * s.0).sum::<f64>().sqrt();
        way = way.max(norm(&shape.along) + (norm(&shape.about) + strain) * body.reach);
        turn = turn.max(norm(&shape.about)).max(strain);
    }
    let by_way = if way > 0.0 && size > 0.0 { WAY * size / way } else { f64::INFINITY };
    let by_turn = if turn > 0.0 { TURN / turn } else { f64::INFINITY };
    let least = by_way.min(by_turn);
    if least.is_finite() { least } else { 1.0 }
}
