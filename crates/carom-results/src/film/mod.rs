//! A film: the visible content of a run, for viewers and exports.
//!
//! [`Film::open`] reads a folder of results and the scene in it (`scene.json`); [`Film::of_scene`] shows a scene at its start.
//! A film has
//!
//! - [`bodies`](Film::bodies), each with its [`parts`](FilmBody::parts) (meshes on the body) and its
//!   [`motion`](FilmBody::motion): a pose per frame;
//! - [`meshes`](Film::meshes), each stored once for all parts that use it;
//! - the [contact points](Film::contacts) of every frame, with normals and forces;
//! - [`joints`](Film::joints), [`lines`](Film::lines) of force, other forces ([`actions`](Film::actions)),
//!   [`fields`](Film::fields), [`probes`](Film::probes), each on its bodies;
//! - [`events`](Film::events), and [`series`](Film::series): all other recorded numbers, by name, with units;
//! - [`modes`](Film::modes), if it shows mode shapes instead of a run ([`Film::open_modes`]): the frames of each;
//! - [`notices`](Film::notices): messages for the viewer, such as that the run failed.
//!
//! All values are in SI units and in the world frame; a body's frame has its origin at its reference point. The frames are the
//! output times that [`thin`] keeps, which are all of them unless there are very many; every function of time has one
//! entry per frame.
//!
//! ```no_run
//! use carom_results::film::{Film, Motion};
//!
//! let film = Film::open("out/bouncing-ball".as_ref(), None)?;
//! for body in &film.bodies {
//!     for part in &body.parts {
//!         let mesh = part.on_body(&film.meshes[part.mesh]); // triangles in the body's frame [m]
//!         println!("{}/{}: {} triangles", body.name, part.name, mesh.triangles.len());
//!     }
//!     for frame in 0..film.t.len() {
//!         let pose = body.motion.pose(frame); // x = pose.p + pose.r X, of rigid and of affine bodies
//!         println!("{} s: {}", film.t[frame], pose.p);
//!     }
//! }
//! # Ok::<(), carom_results::film::FilmError>(())
//! ```

mod actions;
mod bodies;
mod contacts;
mod modes;
mod open;
mod page;
mod series;
pub mod thin;

pub use modes::FilmMode;
pub use page::Page;

use std::path::PathBuf;

use carom::Glyph;
use carom::base::{Mat3, Pose, Quat, Vec3};
use carom::geometry::mesh::Mesh;
use carom_scene::SceneError;
use nalgebra::Quaternion;

use crate::{ReadError, RecordedEvent, RecordedPoint, Track};

/// The reason why a film cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// not a folder of results
    #[error(transparent)]
    Results(#[from] ReadError),
    /// an error in the scene
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// a folder without modes
    #[error("{} has no modes: `carom modes SCENE -o {}` puts them there", path.display(), path.display())]
    NoModes {
        /// the folder
        path: PathBuf,
    },
}

/// The visible content of a run.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// title of the scene
    pub title: String,
    /// messages for the viewer: that the run failed, was stopped or killed, that the folder has no scene
    pub notices: Vec<String>,
    /// the times of the frames \[s\]
    pub t: Vec<f64>,
    /// all meshes, each in its own frame
    pub meshes: Vec<Mesh>,
    /// all bodies, fixed ones too
    pub bodies: Vec<FilmBody>,
    /// points on bodies whose motion is recorded
    pub probes: Vec<Track>,
    /// the joints that have a point
    pub joints: Vec<FilmJoint>,
    /// forces between points: springs, dampers
    pub lines: Vec<FilmLine>,
    /// all other forces: loads, couples, motors, springs along coordinates, bushings
    pub actions: Vec<FilmAction>,
    /// short-range fields
    pub fields: Vec<FilmField>,
    /// the names of contacts, `body/surface~body/surface`
    pub contact_names: Vec<String>,
    /// the names of contact points
    pub feature_names: Vec<String>,
    /// all contact points that carry a force, frame by frame: see [`Film::contacts`]
    pub contact_points: Vec<FilmContact>,
    /// index of the first contact point of every frame, and the end of the last
    pub contact_starts: Vec<usize>,
    /// touches and releases
    pub events: Vec<RecordedEvent>,
    /// energies, contact forces, distances, fields, reactions
    pub series: Vec<Series>,
    /// the space that the moving bodies pass through, with what is near it of fixed ones, without infinite planes
    pub bounds: Bounds,
    /// the space that the moving bodies fill at the start, with what is near it of fixed ones
    pub start_bounds: Bounds,
    /// gravity at the start [m/s²]; zero if there is none
    pub gravity: [f64; 3],
    /// the modes that it shows instead of a run, each over its frames; empty for a run
    pub modes: Vec<FilmMode>,
}

impl Film {
    /// Default for the largest number of frames.
    pub const FRAMES: usize = 2000;

    /// Returns the contact points of a frame.
    pub fn contacts(&self, frame: usize) -> &[FilmContact] {
        let ends = self.contact_starts.get(frame).zip(self.contact_starts.get(frame + 1));
        ends.and_then(|(from, to)| self.contact_points.get(*from..*to)).unwrap_or(&[])
    }

    /// Finds a body by its name.
    pub fn body(&self, name: &str) -> Option<&FilmBody> {
        self.bodies.iter().find(|b| b.name == name)
    }
}

/// A body: its shape and its motion.
#[derive(Clone, Debug)]
pub struct FilmBody {
    /// its name
    pub name: String,
    /// its surfaces and decorations
    pub parts: Vec<Part>,
    /// its motion
    pub motion: Motion,
    /// index of its colour in a palette, counted from 0 over the moving bodies; `None`: it is fixed and drawn grey
    pub colour: Option<usize>,
    /// whether it moves under forces, not as prescribed
    pub free: bool,
}

/// A mesh on a body.
#[derive(Clone, Debug)]
pub struct Part {
    /// the surface's name; for a decoration, its file
    pub name: String,
    /// the surface's kind; for a decoration `mesh`
    pub kind: &'static str,
    /// its index in [`Film::meshes`]
    pub mesh: usize,
    /// pose of the mesh's frame in the body's frame
    pub pose: Pose,
    /// how it is drawn
    pub look: Look,
    /// closed lines on the surface at which it is cut into slices, in the mesh's frame \[m\]
    pub slices: Vec<Vec<[f64; 3]>>,
}

/// How a part is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// the outside of a solid
    Solid,
    /// a wall seen from within, or a sheet: both sides are visible, and what is behind it
    Shell,
    /// a patch of an infinite surface
    Plane,
    /// a shape without contact; the surfaces of its body are then drawn faintly, or not at all
    Decoration,
}

impl Part {
    /// Returns the mesh in the frame of the body \[m\].
    pub fn on_body(&self, mesh: &Mesh) -> Mesh {
        Mesh {
            vertices: mesh.vertices.iter().map(|v| self.pose.point(&Vec3::from(*v)).into()).collect(),
            normals: mesh.normals.iter().map(|n| self.pose.direction(&Vec3::from(*n)).into()).collect(),
            triangles: mesh.triangles.clone(),
        }
    }
}

/// The motion of a body.
#[derive(Clone, Debug)]
pub enum Motion {
    /// at rest: position of the reference point \[m\], unit quaternion w x y z
    Fixed([f64; 3], [f64; 4]),
    /// rigid, or deforming (it then has `deformation` instead of `rotation`): one entry per frame
    Moving(Track),
}

impl Motion {
    /// Returns the pose of the body's frame at a frame of the film: x = p + r X, where r is a rotation, or F of a body that
    /// deforms. After the last frame it is the origin.
    pub fn pose(&self, frame: usize) -> Pose {
        let turned = |q: &[f64; 4]| {
            let quaternion = Quat::new_normalize(Quaternion::new(q[0], q[1], q[2], q[3]));
            quaternion.to_rotation_matrix().into_inner()
        };
        match self {
            Motion::Fixed(p, q) => Pose { p: (*p).into(), r: turned(q) },
            Motion::Moving(track) => {
                let p = track.position.get(frame).copied().unwrap_or_default().into();
                let f = track.deformation.as_ref().and_then(|d| d.f.get(frame));
                let q = track.rotation.as_ref().and_then(|r| r.quaternion.get(frame));
                let r = f.map(|f| Mat3::from_row_slice(f)).or_else(|| q.map(turned));
                Pose { p, r: r.unwrap_or_else(Mat3::identity) }
            }
        }
    }
}

/// A contact point that carries a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmContact {
    /// index in [`Film::contact_names`]
    pub contact: usize,
    /// index in [`Film::feature_names`]
    pub feature: usize,
    /// its numbers
    pub at: RecordedPoint,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct FilmJoint {
    /// its name
    pub name: String,
    /// the word for its kind
    pub kind: &'static str,
    /// the symbol that is drawn for it
    pub glyph: Glyph,
    /// indices of its bodies in [`Film::bodies`]
    pub bodies: [usize; 2],
    /// its point on each body, in the body's frame \[m\]
    pub points: [[f64; 3]; 2],
    /// its axis, in the frame of the second body
    pub axis: Option<[f64; 3]>,
    /// force on the second body at its point \[N\], one per frame; empty if none was recorded
    pub force: Vec<[f64; 3]>,
    /// couple on the second body [N m], one per frame
    pub couple: Vec<[f64; 3]>,
}

/// A force between points.
#[derive(Clone, Debug)]
pub struct FilmLine {
    /// its name
    pub name: String,
    /// indices of its bodies in [`Film::bodies`]
    pub bodies: [usize; 2],
    /// its point on each body, in the body's frame \[m\]
    pub points: [[f64; 3]; 2],
}

/// A force or a couple at a point: a load, a motor, a spring along a coordinate, a bushing.
#[derive(Clone, Debug)]
pub struct FilmAction {
    /// its name in the results
    pub name: String,
    /// indices of its bodies in [`Film::bodies`]; of a load on one body, that one twice
    pub bodies: [usize; 2],
    /// its point on each body, in the body's frame \[m\]
    pub points: [[f64; 3]; 2],
    /// the axis of a bushing, in the frame of the second body; `None`: it is no bushing
    pub bushing: Option<[f64; 3]>,
    /// which of its bodies force and couple are on: the first, unless that is not moved by forces
    pub end: usize,
    /// force on that body at its point \[N\], one per frame; empty if none was recorded
    pub force: Vec<[f64; 3]>,
    /// couple on that body about its point [N m], one per frame
    pub couple: Vec<[f64; 3]>,
}

/// A short-range field on the boundary of a body, as a function of the height over the plane of a support.
#[derive(Clone, Debug)]
pub struct FilmField {
    /// its name
    pub name: String,
    /// indices of the body and its support in [`Film::bodies`]
    pub bodies: [usize; 2],
    /// the support's plane in the support's frame; z is its normal
    pub plane: Pose,
    /// heights d \[m\], increasing, and the normal traction q there [N/m²] from repulsion and adhesion; between them q is linear
    /// in log d
    pub tractions: Vec<[f64; 2]>,
    /// the same heights d \[m\], and the damping β there [N s/m³]: a point that leaves the support with the normal velocity u has
    /// the traction −β u besides; empty if the field does not damp
    pub damping: Vec<[f64; 2]>,
}

/// A recorded number, one value per frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// its name in the results
    pub name: String,
    /// the group it belongs to: `energy`, `contact force`, `distance`, `field`, `joint`, `force`, `signal`
    pub group: &'static str,
    /// its unit
    pub unit: &'static str,
    /// values; NaN where none was recorded
    pub values: Vec<f64>,
}

/// A box-shaped region of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// the least x, y, z \[m\]
    pub min: [f64; 3],
    /// the greatest x, y, z \[m\]
    pub max: [f64; 3],
}

impl Default for Bounds {
    /// Returns an empty box.
    fn default() -> Bounds {
        Bounds { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] }
    }
}

impl Bounds {
    /// Enlarges the box to contain a ball.
    pub fn add(&mut self, centre: &Vec3, radius: f64) {
        for i in 0..3 {
            // a body without a position does not count
            if (centre[i] + radius).is_finite() {
                self.min[i] = self.min[i].min(centre[i] - radius);
                self.max[i] = self.max[i].max(centre[i] + radius);
            }
        }
    }

    /// Returns the box grown on every side by half its diagonal; without an extent, all of space.
    fn grown(&self) -> Bounds {
        match 0.5 * self.diagonal() {
            d if d > 0.0 => Bounds { min: self.min.map(|x| x - d), max: self.max.map(|x| x + d) },
            _ => Bounds { min: [f64::NEG_INFINITY; 3], max: [f64::INFINITY; 3] },
        }
    }

    /// Returns the space that two boxes share; empty if they share none.
    fn common(&self, other: &Bounds) -> Bounds {
        let min = [0, 1, 2].map(|i| self.min[i].max(other.min[i]));
        let max = [0, 1, 2].map(|i| self.max[i].min(other.max[i]));
        if (0..3).all(|i| min[i] <= max[i]) { Bounds { min, max } } else { Bounds::default() }
    }

    /// Enlarges the box to contain another.
    fn join(&mut self, other: &Bounds) {
        for i in 0..3 {
            self.min[i] = self.min[i].min(other.min[i]);
            self.max[i] = self.max[i].max(other.max[i]);
        }
    }

    fn contains(&self, p: &Vec3) -> bool {
        (0..3).all(|i| p[i] >= self.min[i] && p[i] <= self.max[i])
    }

    /// Returns its middle \[m\]; the origin if it is empty.
    pub fn centre(&self) -> Vec3 {
        match self.diagonal() > 0.0 {
            true => 0.5 * (Vec3::from(self.min) + Vec3::from(self.max)),
            false => Vec3::zeros(),
        }
    }

    /// Returns its diagonal \[m\]; 0 if it is empty.
    pub fn diagonal(&self) -> f64 {
        let d = Vec3::from(self.max) - Vec3::from(self.min);
        if d.iter().all(|x| *x >= 0.0) { d.norm() } else { 0.0 }
    }
}
