//! The moment of the normal force on a deformable body: the normal force acts at the body's own contact point,
//! friction at the middle of the two points.
//!
//! Let d be the vector from the friction point to p_a (on B, the vector from p_b to the friction point). The normal
//! force is equivalent to the same force at the friction point and a moment
//!
//!   K = −f_n n ⊗ d
//!
//! on A and on B alike, and δ̇ = v·n + e, e = n·(L_a + L_b) d, where v is the relative velocity at the friction
//! points. d is parallel to n, so K has no effect on a rigid body, and a rigid body adds nothing to e. Hence
//!
//!   dK = −(df_n n ⊗ d + f_n dn ⊗ d + f_n n ⊗ dd),   de = dn·L d + n·dL d + n·L dd,   dL = (dḞ − L dF) F⁻¹.

use carom_base::{Dual, Mat3, Vec3, inverse};
use carom_geometry::Contact;
use carom_ode::Jacobian;

use crate::contact::ContactPair;
use crate::model::Model;
use crate::slopes::Wrench;
use crate::workspace::Workspace;
use crate::world::BodyKind;

/// The moment K of a contact point whose normal force acts at another point than its friction.
pub(super) struct NormalMoment {
    n: Vec3,
    f_n: f64,
    /// d [m]
    d: Vec3,
    /// L_a + L_b, summed over the deformable bodies of the two [1/s]
    l: Mat3,
}

/// dn and dd by a number of the state.
pub(super) struct NormalChange {
    pub(super) n: Vec3,
    pub(super) d: Vec3,
}

impl NormalMoment {
    /// Returns the moment for this contact and normal force; `None` where both forces act at the same points.
    pub(super) fn new(
        pair: &ContactPair,
        contact: &Contact,
        f_n: f64,
        wrench: &Wrench,
    ) -> Option<NormalMoment> {
        let d = contact.p_a - pair.friction_points(contact)[0];
        let soft = wrench.kinematics().into_iter().filter(|k| k.deforms);
        pair.forces_apart.then(|| NormalMoment {
            n: contact.n,
            f_n,
            d,
            l: soft.fold(Mat3::zeros(), |sum, k| sum + k.l),
        })
    }

    /// Returns dn and dd by the i-th variable of a contact.
    pub(super) fn turned(pair: &ContactPair, contact: &Contact<Dual<6>>, i: usize) -> NormalChange {
        let d = contact.p_a - pair.friction_points(contact)[0];
        NormalChange { n: contact.n.map(|x| x.eps[i]), d: d.map(|x| x.eps[i]) }
    }

    /// Returns de by dn and dd, at constant L.
    pub(super) fn rate_by(&self, turned: &NormalChange) -> f64 {
        turned.n.dot(&(self.l * self.d)) + self.n.dot(&(self.l * turned.d))
    }

    /// Returns n·dL d by dḞ = 1 in row i and column k, for a body with deformation gradient `f`.
    pub(super) fn rate_by_stretching(&self, f: &Mat3, i: usize, k: usize) -> f64 {
        self.n[i] * (inverse(f).1 * self.d)[k]
    }

    /// Returns n·dL d by dF = 1 in row i and column k, for a body with deformation gradient `f` and velocity gradient
    /// L = `l`.
    pub(super) fn rate_by_stretch(&self, f: &Mat3, l: &Mat3, i: usize, k: usize) -> f64 {
        -self.n.dot(&l.column(i)) * (inverse(f).1 * self.d)[k]
    }

    /// Returns dK.
    pub(super) fn change(&self, df_n: f64, turned: &NormalChange) -> Mat3 {
        let by = self.n * df_n + turned.n * self.f_n;
        -(by * self.d.transpose() + self.n * turned.d.transpose() * self.f_n)
    }

    /// Applies K to the deformable bodies.
    pub(super) fn load(&self, wrench: &Wrench, ws: &mut Workspace) {
        for end in wrench.ends.iter().filter(|end| end.k.deforms) {
            ws.loads.moments[end.body] -= self.n * self.d.transpose() * self.f_n;
        }
    }

    /// Adds the accelerations of the deformable bodies by dK to a column.
    pub(super) fn add(m: &Model, wrench: &Wrench, change: &Mat3, column: usize, j: &mut Jacobian) {
        for end in &wrench.ends {
            let b = &m.world.bodies[end.body];
            if let (BodyKind::Affine(rows), Some(soft)) = (&b.kind, &b.soft) {
                let inv = inverse(&end.k.x.r).1;
                let bent = soft.response(&inv, &(change * inv.transpose() / end.mass_factor));
                j.add_rows(rows.deformation_rate(0, 0), column, bent.as_slice());
            }
        }
    }
}
