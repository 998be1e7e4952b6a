//! A film: what is to be seen of a run, for viewers and exports.
//!
//! [`Film::open`] reads a folder of results and the scene in it (`scene.json`), [`Film::of_scene`] shows a scene as it starts. A film has
//!
//! - [`bodies`](Film::bodies), each with its [`parts`](FilmBody::parts) (meshes on the body) and its [`motion`](FilmBody::motion): a pose a frame;
//! - [`meshes`](Film::meshes), each once, however many parts are of it;
//! - the [contact points](Film::contacts) of every frame, with normals and forces;
//! - [`joints`](Film::joints), [`lines`](Film::lines) of force, [`fields`](Film::fields), [`probes`](Film::probes), each on its bodies;
//! - [`events`](Film::events), and [`series`](Film::series): whatever else was recorded, by name, with units;
//! - [`notices`](Film::notices): what whoever looks at it has to know, as that the run failed.
//!
//! SI units, world frame; a body's own frame has its origin at its reference point. Frames are those output times that [`thin`] leaves, all of
//! them unless there are very many; everything that goes with the time has one entry a frame.
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

mod bodies;
mod contacts;
mod open;
mod page;
mod series;
pub mod thin;

pub use page::Page;

use carom::Glyph;
use carom::base::{Mat3, Pose, Quat, Vec3};
use carom::geometry::mesh::Mesh;
use carom_scene::SceneError;
use nalgebra::Quaternion;

use crate::{ReadError, RecordedEvent, Track};

/// Why there is nothing to see.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// no folder of ours
    #[error(transparent)]
    Results(#[from] ReadError),
    /// a scene that cannot be
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// What is to be seen of a run.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// of the scene
    pub title: String,
    /// what to know before looking: a run that failed, was stopped or killed, a folder without a scene
    pub notices: Vec<String>,
    /// the times of the frames \[s\]
    pub t: Vec<f64>,
    /// all meshes, in frames of their own
    pub meshes: Vec<Mesh>,
    /// all bodies, fixed ones too
    pub bodies: Vec<FilmBody>,
    /// points on bodies whose motion is recorded
    pub probes: Vec<Track>,
    /// the joints that are at a point
    pub joints: Vec<FilmJoint>,
    /// forces between points: springs, dampers
    pub lines: Vec<FilmLine>,
    /// short-range fields
    pub fields: Vec<FilmField>,
    /// the names of contacts, `body/surface~body/surface`
    pub contact_names: Vec<String>,
    /// the names of contact points
    pub feature_names: Vec<String>,
    /// all contact points that carry a force, frame by frame: see [`Film::contacts`]
    pub contact_points: Vec<FilmContact>,
    /// where those of every frame begin, and the end of the last
    pub contact_starts: Vec<usize>,
    /// touches and releases
    pub events: Vec<RecordedEvent>,
    /// energies, contact forces, distances, fields, reactions
    pub series: Vec<Series>,
    /// what the bodies sweep; planes count for nothing
    pub bounds: Bounds,
    /// what they fill at the start
    pub start_bounds: Bounds,
    /// the direction of gravity at the start [m/s²]; zero without
    pub gravity: [f64; 3],
}

impl Film {
    /// At most so many frames, unless others are asked for.
    pub const FRAMES: usize = 2000;

    /// The contact points of a frame.
    pub fn contacts(&self, frame: usize) -> &[FilmContact] {
        let ends = self.contact_starts.get(frame).zip(self.contact_starts.get(frame + 1));
        ends.and_then(|(from, to)| self.contact_points.get(*from..*to)).unwrap_or(&[])
    }

    /// A body by its name.
    pub fn body(&self, name: &str) -> Option<&FilmBody> {
        self.bodies.iter().find(|b| b.name == name)
    }
}

/// A body: what it looks like, and where it is.
#[derive(Clone, Debug)]
pub struct FilmBody {
    /// its name
    pub name: String,
    /// its surfaces and decorations
    pub parts: Vec<Part>,
    /// where it is
    pub motion: Motion,
    /// its colour: a number from 0 on for every body that moves, to be taken from a palette; `None`: it is ground, and grey
    pub colour: Option<usize>,
    /// whether it moves by its forces, not as prescribed
    pub free: bool,
}

/// A mesh on a body.
#[derive(Clone, Debug)]
pub struct Part {
    /// the surface's name; of a decoration, its file
    pub name: String,
    /// the surface's kind; of a decoration `mesh`
    pub kind: &'static str,
    /// its number among [`Film::meshes`]
    pub mesh: usize,
    /// the mesh's frame in that of the body
    pub pose: Pose,
    /// what it is to the eye
    pub look: Look,
    /// closed lines on the surface at which it is cut into slices, in the mesh's frame \[m\]
    pub slices: Vec<Vec<[f64; 3]>>,
}

/// What a part is to the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// the outside of a solid
    Solid,
    /// a wall seen from within, or a sheet: both sides are to be seen, and what is behind it
    Shell,
    /// a patch of a surface without end
    Plane,
    /// a shape that touches nothing; the surfaces of its body are then drawn lightly, or not at all
    Decoration,
}

impl Part {
    /// The mesh in the frame of the body \[m\].
    pub fn on_body(&self, mesh: &Mesh) -> Mesh {
        Mesh {
            vertices: mesh.vertices.iter().map(|v| self.pose.point(&Vec3::from(*v)).into()).collect(),
            normals: mesh.normals.iter().map(|n| self.pose.direction(&Vec3::from(*n)).into()).collect(),
            triangles: mesh.triangles.clone(),
        }
    }
}

/// Where a body is.
#[derive(Clone, Debug)]
pub enum Motion {
    /// always there: position of the reference point \[m\], unit quaternion w x y z
    Fixed([f64; 3], [f64; 4]),
    /// rigid, or deforming (`deformation` is then there instead of `rotation`): one entry a frame
    Moving(Track),
}

impl Motion {
    /// Where the body's frame is at a frame of the film: x = p + r X, r being a rotation, or F of a body that deforms. Past the end: at the origin.
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
    /// its number among [`Film::contact_names`]
    pub contact: usize,
    /// its number among [`Film::feature_names`]
    pub feature: usize,
    /// on the first body \[m\]
    pub point: [f64; 3],
    /// unit, out of the first body into the second
    pub normal: [f64; 3],
    /// indentation \[m\]
    pub delta: f64,
    /// normal force \[N\]: on the first body it is −f_n n
    pub f_n: f64,
    /// friction force on the first body \[N\]
    pub f_t: [f64; 3],
    /// couple on the first body [N m]
    pub couple: [f64; 3],
}

/// A joint.
#[derive(Clone, Debug)]
pub struct FilmJoint {
    /// its name
    pub name: String,
    /// the word for its kind
    pub kind: &'static str,
    /// the mark that stands for it
    pub glyph: Glyph,
    /// its bodies, by their numbers among [`Film::bodies`]
    pub bodies: [usize; 2],
    /// its point on each, in the body's frame \[m\]
    pub points: [[f64; 3]; 2],
    /// its axis, in the axes of the second body
    pub axis: Option<[f64; 3]>,
    /// force on the second body at its point \[N\], one a frame; none, if they were not recorded
    pub force: Vec<[f64; 3]>,
    /// couple on the second body [N m], one a frame
    pub couple: Vec<[f64; 3]>,
}

/// A force between points.
#[derive(Clone, Debug)]
pub struct FilmLine {
    /// its name
    pub name: String,
    /// its bodies, by their numbers among [`Film::bodies`]
    pub bodies: [usize; 2],
    /// its point on each, in the body's frame \[m\]
    pub points: [[f64; 3]; 2],
}

/// A short-range field: on the boundary of a body, by its height over the plane of a support.
#[derive(Clone, Debug)]
pub struct FilmField {
    /// its name
    pub name: String,
    /// the body and its support, by their numbers among [`Film::bodies`]
    pub bodies: [usize; 2],
    /// the support's plane in the support's frame: z is its normal
    pub plane: Pose,
    /// heights \[m\], increasing, and the normal traction there [N/m²] by repulsion and adhesion: between them log d and q go evenly
    pub tractions: Vec<[f64; 2]>,
}

/// A recorded number, one value a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// as results call it
    pub name: String,
    /// what it belongs with: `energy`, `contact force`, `distance`, `field`, `joint`
    pub group: &'static str,
    /// its unit
    pub unit: &'static str,
    /// NaN where it was not recorded
    pub values: Vec<f64>,
}

/// A box of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// the least x, y, z \[m\]
    pub min: [f64; 3],
    /// the greatest x, y, z \[m\]
    pub max: [f64; 3],
}

impl Default for Bounds {
    /// Nothing.
    fn default() -> Bounds {
        Bounds { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] }
    }
}

impl Bounds {
    /// Makes room for a ball.
    pub fn add(&mut self, centre: &Vec3, radius: f64) {
        for i in 0..3 {
            // a body that is nowhere takes no room
            if (centre[i] + radius).is_finite() {
                self.min[i] = self.min[i].min(centre[i] - radius);
                self.max[i] = self.max[i].max(centre[i] + radius);
            }
        }
    }

    /// Its middle \[m\]; the origin, if there is nothing in it.
    pub fn centre(&self) -> Vec3 {
        match self.diagonal() > 0.0 {
            true => 0.5 * (Vec3::from(self.min) + Vec3::from(self.max)),
            false => Vec3::zeros(),
        }
    }

    /// Its diagonal \[m\]; 0, if there is nothing in it.
    pub fn diagonal(&self) -> f64 {
        let d = Vec3::from(self.max) - Vec3::from(self.min);
        if d.iter().all(|x| *x >= 0.0) { d.norm() } else { 0.0 }
    }
}
