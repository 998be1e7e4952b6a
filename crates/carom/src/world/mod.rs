//! The world: bodies, their surfaces and materials, gravity and drives, scales and the layout of the state. Contacts, joints
//! and forces are built from it and act in it; it does not depend on them.

mod ahead;
mod body;
mod make;
mod part;
mod start;

use carom_base::{Pose, Vec3};
use carom_geometry::proximity::Aabb;
use carom_geometry::{PairSolver, Shape, Side};
use carom_law::Material;

use crate::drive::{Bound, InTime};
use crate::layout::{BodyRows, Quadratures, StateLayout};
use crate::state::BodyState;

pub(crate) use ahead::Ahead;
pub(crate) use body::{BodyKind, BodyModel, angular_acceleration, kinetic, spin};
pub(crate) use make::Units;

/// The bodies and everything that concerns them alone. Immutable once the model is built.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// gravity at t = 0 [m/s²]
    pub(crate) gravity: Vec3,
    /// the components that are driven
    pub(crate) gravity_in_time: [Option<InTime>; 3],
    /// all drives, in the order given
    pub(crate) drives: Vec<Bound>,
    /// whether a mass or gravity is driven
    pub(crate) driven: bool,
    pub(crate) bodies: Vec<BodyModel>,
    /// the rigid bodies whose motion is determined by forces, in the order of the state
    pub(crate) dynamic: Vec<usize>,
    /// the bodies that deform, which follow in the state
    pub(crate) affine: Vec<usize>,
    /// the bodies whose motion is prescribed
    pub(crate) prescribed: Vec<usize>,
    /// the bodies that no force moves: fixed ones, and those whose motion is prescribed
    pub(crate) held: Vec<usize>,
    /// whether a body that moves under forces is locked in some direction
    pub(crate) partly_held: bool,
    pub(crate) surfaces: Vec<SurfaceModel>,
    pub(crate) materials: Vec<Material>,
    /// user-defined pair solvers, which are tried before those of the library
    pub(crate) solvers: Solvers,
    pub(crate) scale: Scale,
    /// the indices of the components of the state
    pub(crate) layout: StateLayout,
    /// the integrals in the state
    pub(crate) quadratures: Quadratures,
}

/// A surface of the model.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceModel {
    pub(crate) name: String,
    pub(crate) body: usize,
    pub(crate) shape: Shape,
    /// its frame in the body's internal frame; `None` if they coincide
    pub(crate) local: Option<Pose>,
    pub(crate) material: Option<usize>,
    /// the centre of its bounding ball in the body's internal frame
    pub(crate) centre: Vec3,
    /// the radius of that ball
    pub(crate) radius: f64,
    /// the largest distance from the centre of mass of a point that a rotation of the body moves (a rotation of a ball about
    /// its centre does not move its surface)
    pub(crate) lever: f64,
    /// whether it belongs to a joint with clearance: it then touches only by contact rules that name it
    pub(crate) of_joint: bool,
}

/// Returns half the approximate thickness of a surface where it is thinnest [m]; infinite for an unbounded one.
pub(crate) fn thickness(shape: &Shape) -> f64 {
    if shape.side == Side::Inside && !shape.surface.is_sheet() {
        return f64::INFINITY;
    }
    let around = Aabb::of(&Shape { surface: shape.surface.clone(), side: Side::Outside }, &Pose::identity());
    let half = 0.5 * (around.max - around.min).min();
    // a ring is thinner than its bounding box. (For a flat ellipsoid the skin is the smallest radius of curvature, far below
    // its thickness)
    let skin = if shape.surface.as_support().is_none() { shape.surface.skin() } else { 0.0 };
    let thin = if skin > 0.0 { half.min(skin) } else { half };
    if thin.is_nan() { f64::INFINITY } else { thin }
}

/// User-defined pair solvers.
#[derive(Clone, Default)]
pub(crate) struct Solvers(pub(crate) Vec<&'static dyn PairSolver>);

impl std::fmt::Debug for Solvers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|s| s.name())).finish()
    }
}

/// The length and speed scales of a model: absolute tolerances are in these units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// length scale [m]: the size of the smallest body, unless set
    pub length: f64,
    /// speed scale [m/s]: from that length and gravity, or from the initial speeds, unless set
    pub speed: f64,
}

impl World {
    /// Returns the names of the bodies, in order.
    pub(crate) fn body_names(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().map(|b| b.name.as_str())
    }

    /// Marks bodies whose orientation matters to something that acts on them.
    pub(crate) fn orient(&mut self, bodies: impl IntoIterator<Item = usize>) {
        bodies.into_iter().for_each(|body| self.bodies[body].orientation_matters = true);
    }

    /// Reserves components of the state for wear depths and integrals, once their numbers are known.
    pub(crate) fn lay_out(&mut self, depths: usize, quadratures: Quadratures) {
        self.layout = self.layout.with(depths, quadratures.count);
        self.quadratures = quadratures;
    }

    /// Returns the bodies that are not fixed.
    pub(crate) fn moving(&self) -> impl Iterator<Item = &BodyModel> {
        self.bodies.iter().filter(|b| !matches!(b.kind, BodyKind::Fixed))
    }

    /// Returns the name `body/surface`.
    pub(crate) fn surface_name(&self, surface: usize) -> String {
        let s = &self.surfaces[surface];
        format!("{}/{}", self.bodies[s.body].name, s.name)
    }

    /// Whether a surface is on a body that deforms.
    pub(crate) fn deforms_surface(&self, surface: usize) -> bool {
        self.bodies[self.surfaces[surface].body].soft.is_some()
    }

    /// Returns the index of a body in frames, or `None` if it is fixed.
    pub(crate) fn frame_index(&self, body: usize) -> Option<usize> {
        let moves = |b: &BodyModel| !matches!(b.kind, BodyKind::Fixed);
        moves(&self.bodies[body]).then(|| self.bodies[..body].iter().filter(|b| moves(b)).count())
    }

    /// Returns the frame of a surface in the world, its body being at that index of a frame; `None` if the frame has no such
    /// index.
    pub(crate) fn surface_pose(
        &self,
        surface: usize,
        frame_index: Option<usize>,
        bodies: &[BodyState],
    ) -> Option<Pose> {
        let s = &self.surfaces[surface];
        let b = &self.bodies[s.body];
        let body = match frame_index {
            Some(frame_index) => bodies.get(frame_index).map(|b| Pose { p: b.position, r: b.axes() })?,
            None => Pose::new(b.position, &b.orientation),
        };
        let own = s.local.unwrap_or_else(Pose::identity);
        // the internal frame has its origin at the centre of mass
        Some(Pose { p: body.point(&(b.centre + own.p)), r: body.r * own.r })
    }

    /// Returns the bodies whose motion is determined by forces, first the rigid ones, then those that deform.
    pub(crate) fn free(&self) -> impl Iterator<Item = usize> {
        self.dynamic.iter().chain(&self.affine).copied()
    }

    /// Returns the indices in the state of a body whose motion is determined by forces.
    pub(crate) fn rows(&self, body: usize) -> Option<BodyRows> {
        match self.bodies[body].kind {
            BodyKind::Dynamic(rows) => Some(BodyRows::Rigid(rows)),
            BodyKind::Affine(rows) => Some(BodyRows::Affine(rows)),
            _ => None,
        }
    }

    /// Returns m(t)/m(0) of a body.
    pub(crate) fn mass_factor(&self, body: usize, t: f64) -> f64 {
        self.bodies[body].mass_in_time.as_ref().map_or(1.0, |mass| mass.factor(t))
    }

    /// Returns the first kink of any drive or prescribed motion after t and before `end`, or `end` if there is none.
    pub(crate) fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let end = self.drives.iter().fold(end, |end, drive| drive.course.smooth_until(t, end));
        self.prescribed.iter().fold(end, |end, &body| match &self.bodies[body].kind {
            BodyKind::Prescribed(motion) => motion.smooth_until(t, end),
            _ => end,
        })
    }

    pub(crate) fn is_dynamic(&self, body: usize) -> bool {
        matches!(self.bodies[body].kind, BodyKind::Dynamic(_) | BodyKind::Affine(_))
    }
}
