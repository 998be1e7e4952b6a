//! A load on a body, and its derivatives by the state of that body.

use carom_base::{Dual, Mat3, Scalar, Vec3, inverse};
use carom_ode::Jacobian;

use super::motion::{affine, rigid, rotation_by_quaternion};
use crate::joint::{GeneralizedForce, Moving};
use crate::layout::{ByAffine, Rigid, RigidRows};
use crate::loads::Loads;
use crate::world::{BodyKind, World};

/// Force [N], torque about the centre of mass [N m] and Σ g ⊗ r [N m] on a body.
#[derive(Clone, Copy)]
pub(crate) struct Load<S: Scalar> {
    pub(crate) f: Vec3<S>,
    pub(crate) torque: Vec3<S>,
    pub(crate) moment: Mat3<S>,
}

impl<S: Scalar> Load<S> {
    /// Returns a load of zero.
    pub(crate) fn none() -> Load<S> {
        let zero = S::from_f64(0.0);
        Load {
            f: Vec3::from_element(zero),
            torque: Vec3::from_element(zero),
            moment: Mat3::from_element(zero),
        }
    }

    /// Returns the load of a force at `r` from the centre of mass, and a couple.
    pub(crate) fn at(r: &Vec3<S>, force: &Vec3<S>, couple: &Vec3<S>) -> Load<S> {
        let zero = S::from_f64(0.0);
        let [x, y, z] = [couple.x, couple.y, couple.z].map(|c| c * S::from_f64(0.5));
        let skew = Mat3::new(zero, -z, y, z, zero, -x, -y, x, zero);
        Load { f: *force, torque: couple + r.cross(force), moment: force * r.transpose() + skew }
    }

    /// Adds a generalised force times `factor`.
    pub(crate) fn add_generalized(&mut self, factor: S, force: &GeneralizedForce<S>) {
        self.f += force.f * factor;
        self.torque += force.torque() * factor;
        for arm in &force.arms {
            self.moment += arm.g * arm.r.transpose() * factor;
        }
    }
}

impl Load<f64> {
    /// Returns the magnitude of the load on a body [N]; its couple counts as the force that it would take at the body's rim.
    pub(crate) fn amount(&self, world: &World, body: usize) -> f64 {
        let rim = world.bodies[body].reach();
        let torque = if rim.is_finite() { self.torque.norm() / rim } else { 0.0 };
        self.f.norm() + torque
    }
}

impl<const N: usize> Load<Dual<N>> {
    /// Adds to a column the accelerations of a body by Σ weight · derivative of this load.
    pub(crate) fn add(
        &self,
        world: &World,
        loads: &Loads,
        body: usize,
        weight: &[f64; N],
        column: usize,
        j: &mut Jacobian,
    ) {
        let along = |x: &Dual<N>| x.eps.iter().zip(weight).map(|(e, w)| e * w).sum::<f64>();
        let b = &world.bodies[body];
        let (k, share) = (loads.body(body), 1.0 / loads.now.mass_factor(body));
        let a = share * self.f.map(|x| along(&x)).component_mul(&b.inverse_mass);
        match (&b.kind, &b.soft) {
            (BodyKind::Dynamic(rows), _) => {
                let alpha = share * b.angular_response(&k.x.r, &self.torque.map(|x| along(&x)));
                j.add_rows(rows.velocity(0), column, &[a.x, a.y, a.z, alpha.x, alpha.y, alpha.z]);
            }
            (BodyKind::Affine(rows), Some(soft)) => {
                let inv = inverse(&k.x.r).1;
                let moment = self.moment.map(|x| along(&x));
                let bent = soft.response(&inv, &(share * moment * inv.transpose()));
                j.add_rows(rows.velocity(0), column, a.as_slice());
                j.add_rows(rows.deformation_rate(0, 0), column, bent.as_slice());
            }
            _ => {}
        }
    }
}

/// The number of small motions of a rigid body: δx, δθ, δv, δω.
pub(crate) const RIGID: usize = 12;

/// Calls `put` for every number of a rigid body's state, which are at `rows`: with the weights that express it as a
/// sum of small motions, and with its column.
pub(crate) fn rigid_columns(y: Rigid<'_>, rows: RigidRows, mut put: impl FnMut(&[f64; RIGID], usize)) {
    // δx, δv, δω, and δθ by q
    (0..3).for_each(|i| put(&unit(i), rows.position(i)));
    (0..3).for_each(|i| put(&unit(6 + i), rows.velocity(i)));
    (0..3).for_each(|i| put(&unit(9 + i), rows.angular_velocity(i)));
    for (k, by_q) in rotation_by_quaternion(&y.quaternion()).column_iter().enumerate() {
        let weight = std::array::from_fn(|i| if (3..6).contains(&i) { by_q[i - 3] } else { 0.0 });
        put(&weight, rows.quaternion(k));
    }
}

/// Returns 1 at index `at`, 0 elsewhere.
pub(crate) fn unit<const N: usize>(at: usize) -> [f64; N] {
    std::array::from_fn(|i| f64::from(u8::from(i == at)))
}

/// Adds the derivatives of a load on one body by the state of that body: by the small motions of a rigid body, or by
/// the numbers of a deformable one.
pub(crate) fn add(
    world: &World,
    body: usize,
    loads: &Loads,
    (t, y): (f64, &[f64]),
    by_motion: impl FnOnce(&Moving<Dual<RIGID>>) -> Load<Dual<RIGID>>,
    by_numbers: impl FnOnce(&Moving<ByAffine>) -> Load<ByAffine>,
    j: &mut Jacobian,
) {
    match world.bodies[body].kind {
        BodyKind::Dynamic(rows) => {
            let moving = Moving::new(&world.bodies[body], loads.body(body), t);
            let load = by_motion(&rigid(&moving, &loads.body(body).w));
            rigid_columns(rows.of(y), rows, |weight, column| {
                load.add(world, loads, body, weight, column, j);
            });
        }
        BodyKind::Affine(rows) => {
            let load = by_numbers(&affine(rows.numbers(y)));
            rows.all().enumerate().for_each(|(i, column)| load.add(world, loads, body, &unit(i), column, j));
        }
        _ => {}
    }
}
