//! Where a body is over its support, and what the field does to it.

use carom_base::{Mat3, Scalar, Vec3};

use crate::Height;

/// A body over a plane support. X is a point of the body from its centre of mass, in its own axes.
#[derive(Clone, Copy, Debug)]
pub struct Near<S: Scalar = f64> {
    /// the support's normal, world frame
    pub n: Vec3<S>,
    /// d = a + b·X, b = Fᵀ n
    pub d: Height<S>,
    /// F* = det F F^−T of a body that deforms; `None`: it does not, and area stays what it is
    pub cof: Option<Mat3<S>>,
    /// velocity relative to the support of the centre of mass [m/s], world frame
    pub u0: Vec3<S>,
    /// how that grows with X [1/s]: u = u0 + U X
    pub u: Mat3<S>,
}

/// What a field does to a body.
#[derive(Clone, Copy, Debug)]
pub struct Action<S: Scalar = f64> {
    /// f = ∫ q dA [N], world frame
    pub force: Vec3<S>,
    /// M = ∫ q ⊗ X dA [N m]: rows in the world frame, columns in the body's axes
    pub moment: Mat3<S>,
    /// of repulsion and adhesion [J]; a potential as long as the body does not deform
    pub potential: S,
    /// power lost to damping and friction [W]
    pub dissipated: S,
    /// the part of force and moment that depends on the height alone, as power on the motion relative to the support [W]: what a
    /// deforming body, of which the field has no potential, must account for as work
    pub power: S,
}

impl<S: Scalar> Action<S> {
    /// Nothing at all.
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
