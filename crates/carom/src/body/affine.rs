//! A body that deforms homogeneously: p = p0 + F X, with X from the centre of mass in the body axes.
//!
//! F̈ J = M − S vol, M = ∫ q ⊗ X dA, S = S'(F, Ḟ) − π F^−T (Contento et al. 2009, Eq 6, with Eq 9 read as the transpose of
//! what is printed).
//! If the body is incompressible, det F = 1 and hence tr(F̈ F⁻¹) = tr L², L = Ḟ F⁻¹:
//!
//!   π vol = [tr L² − tr((M − S' vol) J⁻¹ F⁻¹)] / tr(F^−T J⁻¹ F⁻¹),   F̈ = (M − S' vol + π vol F^−T) J⁻¹.
//!
//! In plane strain F = F₂ + w Wᵀ, w being the axis in the world and W in the body: P = 1 − w wᵀ removes the components that
//! this constraint locks, and the inverse of J is that of its part across W.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | J | kg m² | Euler tensor, ∫ ρ X⊗X dV = ½ tr I − I of the inertia I |
//! | M | N m | moment tensor of the loads on the body: rows in the world frame, columns in the body axes |
//! | S, S' | Pa | Piola–Kirchhoff stress, with and without the pressure |
//! | π | Pa | pressure that keeps the volume constant |
//! | vol | m³ | volume |
//!
//! Checked: free rotation and the spinning ellipsoid against the rigid body, small oscillations of a cylinder, trajectories
//! of an independent program, the (χ, κ) parameterisation of Eq 24 (`tests/affine.rs`).

use carom_base::{Mat3, Scalar, Vec3, inverse};
use carom_law::elastic::{Elastic, StrainScalar, Volume};

/// The elastic and inertial properties that a body has if it deforms.
#[derive(Clone, Debug)]
pub(crate) struct Soft {
    /// Euler tensor J, in the body axes [kg m²]
    pub(crate) euler: Mat3,
    /// J⁻¹; in plane strain, of its part across the axis
    inverse: Mat3,
    /// P: 1, or in plane strain 1 − w wᵀ
    plane: Mat3,
    /// volume [m³]
    pub(crate) volume: f64,
    pub(crate) elastic: Elastic,
}

impl Soft {
    /// Takes `inertia` about the centre of mass in the body axes, and for plane strain the axis in the world and in the body.
    pub(crate) fn new(inertia: &Mat3, volume: f64, elastic: Elastic, axes: Option<[Vec3; 2]>) -> Soft {
        let euler = euler_tensor(inertia);
        let (plane, inverse) = match axes {
            None => (Mat3::identity(), inverse(&euler).1),
            Some([w, own]) => {
                // the part along the axis is replaced by 1 so that there is an inverse, and removed from it again
                let along = own * own.transpose();
                let across = Mat3::identity() - along;
                (Mat3::identity() - w * w.transpose(), inverse(&(across * euler * across + along)).1 - along)
            }
        };
        Soft { euler, inverse, plane, volume, elastic }
    }

    pub(crate) fn keeps_volume(&self) -> bool {
        self.elastic.volume() == Volume::Kept
    }

    /// Computes F̈ from F, Ḟ and the moment tensor M of all loads on the body, whose mass is `mass_factor` times that at t =
    /// 0.
    pub(crate) fn acceleration<S: StrainScalar>(
        &self,
        f: &Mat3<S>,
        f_dot: &Mat3<S>,
        moment: &Mat3<S>,
        mass_factor: f64,
    ) -> Mat3<S> {
        let (det, inv) = inverse(f);
        let stress = self.elastic.stress(f, det, &inv, f_dot);
        let load = (moment - stress * S::from_f64(self.volume)) * S::from_f64(1.0 / mass_factor);
        let free = self.response_of(&load);
        if !self.keeps_volume() {
            return free;
        }
        let l = f_dot * inv;
        let (push, weight) = self.pressure_response(&inv);
        let missing = (l * l).trace() - (free * inv).trace();
        free + push * (missing / weight)
    }

    /// Returns the change of F̈ due to a change of the moment tensor, with everything else unchanged.
    pub(crate) fn response(&self, inv: &Mat3, moment: &Mat3) -> Mat3 {
        let free = self.response_of(moment);
        if !self.keeps_volume() {
            return free;
        }
        let (push, weight) = self.pressure_response(inv);
        free - push * ((free * inv).trace() / weight)
    }

    /// Returns the part of a change of F that plane strain and incompressibility allow.
    pub(crate) fn allowed(&self, f: &Mat3, change: &Mat3) -> Mat3 {
        // J⁻¹ has no part along the body's axis, so J⁻¹ J projects onto the plane across it
        let across = self.inverse * self.euler;
        let within = if self.plane == Mat3::identity() { *change } else { self.plane * change * across };
        if !self.keeps_volume() {
            return within;
        }
        let normal = self.plane * inverse(f).1.transpose();
        let normal = if self.plane == Mat3::identity() { normal } else { normal * across };
        within - normal * (normal.dot(&within) / normal.norm_squared())
    }

    /// Returns P M J⁻¹.
    fn response_of<S: Scalar>(&self, moment: &Mat3<S>) -> Mat3<S> {
        let [plane, inverse] = [&self.plane, &self.inverse].map(|m| m.map(S::from_f64));
        plane * moment * inverse
    }

    /// Returns the response to a unit pressure, P F^−T J⁻¹, and tr(F^−T J⁻¹ F⁻¹).
    fn pressure_response<S: Scalar>(&self, inv: &Mat3<S>) -> (Mat3<S>, S) {
        let push = self.response_of(&inv.transpose());
        (push, (push * inv).trace())
    }

    /// Returns the kinetic energy of deformation and rotation, ½ tr(Ḟ J Ḟᵀ) [J].
    pub(crate) fn kinetic(&self, f_dot: &Mat3) -> f64 {
        0.5 * (f_dot * self.euler).dot(f_dot)
    }

    /// Returns the strain energy [J].
    pub(crate) fn strain(&self, f: &Mat3) -> f64 {
        self.volume * self.elastic.energy(f)
    }

    /// Returns the power dissipated by viscosity [W], for L = Ḟ F⁻¹.
    pub(crate) fn dissipated(&self, l: &Mat3) -> f64 {
        self.volume * self.elastic.dissipated(l)
    }

    /// Removes the drift of the volume of an incompressible body: det F = 1 and tr(Ḟ F⁻¹) = 0, by the smallest change in the
    /// norm given by J.
    pub(crate) fn project(&self, f: &mut Mat3, f_dot: &mut Mat3) {
        if !self.keeps_volume() {
            return;
        }
        // Newton's method: quadratic convergence, from a drift of the size of a tolerance
        for _ in 0..4 {
            let (det, inv) = inverse(f);
            let (push, weight) = self.pressure_response(&inv);
            *f -= push * ((det - 1.0) / (det * weight));
            if (det - 1.0).abs() < 1e-14 {
                break;
            }
        }
        let (_, inv) = inverse(f);
        let (push, weight) = self.pressure_response(&inv);
        *f_dot -= push * ((*f_dot * inv).trace() / weight);
    }
}

/// Returns the Euler tensor ½ tr I − I of an inertia tensor I.
pub(crate) fn euler_tensor(inertia: &Mat3) -> Mat3 {
    Mat3::from_diagonal_element(0.5 * inertia.trace()) - inertia
}
