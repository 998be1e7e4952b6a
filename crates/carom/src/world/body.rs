//! A body of the world: how it moves, its inertia, its pose in a state.

use std::sync::Arc;

use carom_base::{Mat3, Pose, Quat, Vec3};

use crate::body::{Dofs, Inertia, Motion, Rotation, Soft};
use crate::drive::InTime;
use crate::layout::{AffineRows, RigidRows};
use crate::state::{BodyState, Deformation, Kinematics, rotation, rotation_of, torque_of};

/// How a body of the model moves.
#[derive(Clone, Debug)]
pub(crate) enum BodyKind {
    /// as a rigid body under forces; the indices of its components in the state
    Dynamic(RigidRows),
    /// as a deforming body under forces; the indices of its components in the state
    Affine(AffineRows),
    /// not at all: the body is fixed
    Fixed,
    /// as a prescribed function of time
    Prescribed(Arc<dyn Motion>),
}

/// A body of the model. Its internal frame has its origin at the centre of mass.
#[derive(Clone, Debug)]
pub(crate) struct BodyModel {
    pub(crate) name: String,
    pub(crate) kind: BodyKind,
    /// mass at t = 0 [kg]
    pub(crate) mass: f64,
    /// m(t), if it is driven
    pub(crate) mass_in_time: Option<InTime>,
    /// 1/m along the free directions, 0 along the others
    pub(crate) inverse_mass: Vec3,
    pub(crate) inertia: Inertia,
    /// moment of inertia about the one axis of `dofs`, if there is one [kg m²]
    pub(crate) axis_inertia: f64,
    /// centre of mass from the reference point, in the body axes [m]
    pub(crate) centre: Vec3,
    pub(crate) dofs: Dofs,
    /// initial position of the reference point [m]
    pub(crate) position: Vec3,
    pub(crate) orientation: Quat,
    pub(crate) velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    /// whether its orientation matters to any force: that of a ball does not matter to a force on its surface
    pub(crate) orientation_matters: bool,
    /// its pose at the start, which stays if it is fixed
    pub(crate) rest: Kinematics,
    /// weight m g at t = 0 [N]
    pub(crate) weight: Vec3,
    /// the elastic properties, if it deforms
    pub(crate) soft: Option<Soft>,
    /// radius of a ball around the reference point that contains its bounded surfaces [m]; 0 if there are none
    pub(crate) size: f64,
}

impl BodyModel {
    /// Returns the approximate distance of its outermost points from its centre of mass [m], from its surfaces or the radius
    /// of gyration.
    pub(crate) fn reach(&self) -> f64 {
        let gyration = (self.inertia.tensor().trace() / (2.0 * self.mass)).sqrt();
        if self.size > 0.0 { self.size + self.centre.norm() } else { gyration }
    }
}

impl Kinematics {
    /// Computes pose and velocity of a body at a time, in a state.
    pub(crate) fn new(b: &BodyModel, t: f64, y: &[f64]) -> Kinematics {
        let mut k = b.rest;
        k.update(b, t, y);
        k
    }

    /// Updates pose and velocity of a body to another time and state.
    #[inline]
    pub(crate) fn update(&mut self, b: &BodyModel, t: f64, y: &[f64]) {
        match &b.kind {
            BodyKind::Dynamic(rows) => self.set_rigid(b.orientation_matters, rows.of(y)),
            BodyKind::Affine(rows) => self.set_affine(&rows.of(y)),
            BodyKind::Prescribed(motion) => {
                let m = motion.at(t);
                self.x = Pose::new(b.position + m.displacement, &(m.rotation * b.orientation));
                (self.v, self.w) = (m.velocity, m.angular_velocity);
            }
            BodyKind::Fixed => {}
        }
    }
}

impl BodyState {
    /// Creates the state of a body in an output frame, from the state of the model at a time.
    pub(crate) fn new(b: &BodyModel, t: f64, y: &[f64]) -> BodyState {
        let mut k = Kinematics::new(b, t, y);
        let orientation = match &b.kind {
            BodyKind::Dynamic(rows) => {
                let q = rows.of(y).quaternion();
                // the reference point is output even if no force needs the orientation
                k.x.r = rotation(&q);
                Quat::new_normalize(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]))
            }
            BodyKind::Affine(_) => rotation_of(&k.x.r),
            BodyKind::Prescribed(motion) => motion.at(t).rotation * b.orientation,
            BodyKind::Fixed => b.orientation,
        };
        let position = k.x.point(&-b.centre);
        let deformation = k.deforms.then(|| Deformation { f: k.x.r, f_dot: k.l * k.x.r });
        let velocity = k.velocity_at(&position);
        BodyState { position, orientation, velocity, angular_velocity: k.w, deformation }
    }
}

/// Computes the angular acceleration by Euler's equation: ω̇ = W (τ − ω × I ω).
#[inline(always)]
pub(crate) fn angular_acceleration(b: &BodyModel, k: &Kinematics, torque: &Vec3) -> Vec3 {
    match &b.inertia {
        // no gyroscopic torque
        Inertia::Isotropic { .. } => b.angular_response(&k.x.r, torque),
        Inertia::General { tensor, .. } => b.angular_response(&k.x.r, &(torque - gyroscopic(tensor, k))),
    }
}

/// Returns the gyroscopic torque ω × (I ω), world frame.
#[inline]
fn gyroscopic(tensor: &Mat3, k: &Kinematics) -> Vec3 {
    let w = k.x.direction_to_local(&k.w);
    k.x.direction(&w.cross(&(tensor * w)))
}

impl BodyModel {
    /// Returns the angular acceleration due to a torque, both in the world frame; `r` holds the body axes.
    #[inline(always)]
    pub(crate) fn angular_response(&self, r: &Mat3, torque: &Vec3) -> Vec3 {
        match (self.dofs.rotation, &self.inertia) {
            (Rotation::Free, Inertia::Isotropic { inverse, .. }) => torque * *inverse,
            (Rotation::Free, Inertia::General { inverse, .. }) => r * (inverse * r.tr_mul(torque)),
            (Rotation::None, _) => Vec3::zeros(),
            // a body that turns about one world axis only keeps its inertia about it
            (Rotation::About(axis), _) => axis * (axis.dot(torque) / self.axis_inertia),
        }
    }
}

/// Returns ½ m v² + ½ ω·I ω of a rigid body, or ½ m v² + ½ tr(Ḟ J Ḟᵀ) of one that deforms, with its mass at t = 0 [J].
pub(crate) fn kinetic(b: &BodyModel, k: &Kinematics) -> f64 {
    let about = match &b.soft {
        None => {
            let w = k.x.direction_to_local(&k.w);
            0.5 * w.dot(&(b.inertia.tensor() * w))
        }
        Some(soft) => soft.kinetic(&(k.l * k.x.r)),
    };
    0.5 * b.mass * k.v.norm_squared() + about
}

/// Returns the spin of a body about its centre of mass, with its mass at t = 0 [kg m²/s]: R I Rᵀ ω, or ∫ r × v dm of one that
/// deforms; only along the axes about which it can turn.
pub(crate) fn spin(b: &BodyModel, k: &Kinematics) -> Vec3 {
    let spin = match &b.soft {
        None => k.x.direction(&(b.inertia.tensor() * k.x.direction_to_local(&k.w))),
        Some(soft) => torque_of(&(k.l * k.x.r * soft.euler * k.x.r.transpose())),
    };
    b.dofs.allowed_rotation(&spin)
}
