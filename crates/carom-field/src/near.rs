//! The configuration of a body over its support, and the action of the field on it.

use carom_base::{Mat3, Scalar, Vec3};

use crate::Height;

/// The configuration of a body over a plane support. X is a point of the body from its centre of mass, in its own axes.
#[derive(Clone, Copy, Debug)]
pub struct Near<S: Scalar = f64> {
    /// unit normal of the support, world frame
    pub n: Vec3<S>,
    /// height d = a + b·X, with b = Fᵀ n
    pub d: Height<S>,
    /// cofactor matrix F* = det F F^−T of a body that deforms; `None` for a rigid body, whose area does not change
    pub cof: Option<Mat3<S>>,
    /// velocity of the centre of mass relative to the support [m/s], world frame
    pub u0: Vec3<S>,
    /// gradient of the relative velocity [1/s]: u = u0 + U X
    pub u: Mat3<S>,
}

/// The action of a field on a body.
#[derive(Clone, Copy, Debug)]
pub struct Action<S: Scalar = f64> {
    /// f = ∫ q dA [N], world frame
    pub force: Vec3<S>,
    /// M = ∫ q ⊗ X dA [N m]: rows in the world frame, columns in the body's axes
    pub moment: Mat3<S>,
    /// potential of repulsion and adhesion [J]; it is a potential only as long as the body does not deform
    pub potential: S,
    /// power lost to damping and friction [W]
    pub dissipated: S,
    /// power of the part of force and moment that depends on the height alone, on the motion relative to the support [W]; for a
    /// deforming body, for which the field has no potential, it must be counted as work
    pub power: S,
}

impl<S: Scalar> Action<S> {
    /// Returns an action that is zero.
    pub fn zero() -> Action<S> {
        let zero = S::from_f64(0.0);
        Action {
            force: Vec3::from_element(zero),
            moment: Mat3::from_element(zero),
            potential: zero,
            dissipated: zero,
            power: zero,
        }
    }
}
