//! Contact points differentiated by small motions of their bodies: the frames of the surfaces with the variables, and the points.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};
use carom_geometry::{Contact, PairDual, PairFailure};

use super::pair::ContactPair;
use crate::state::{Kinematics, placed};

/// Returns a frame that does not move: all derivatives are zero.
pub(super) fn still(x: &Pose) -> Pose<Dual<6>> {
    Pose { p: x.p.map(Dual::from_f64), r: x.r.map(Dual::from_f64) }
}

/// Returns a frame that moves with its body, with six variables at zero: a displacement and a rotation about `centre`.
fn moving(x: &Pose, centre: &Vec3) -> Pose<Dual<6>> {
    let turned = Mat3::from_columns(&[0, 1, 2].map(|i| moved(&x.axis(i), 0.0, &x.axis(i))));
    Pose { p: moved(&x.p, 1.0, &(x.p - centre)), r: turned }
}

/// Returns the frame of a surface, at `local` on a deformable body, with six of the body's coordinates as variables: p0 and
/// the first column of F (half 0), or the other two columns (half 1).
fn deforming(x: &Pose, local: Option<&Pose>, half: usize) -> Pose<Dual<6>> {
    // the twelve coordinates are p0, then F column by column: six of them are variables
    let variable = |re: f64, i: usize| match i.checked_sub(6 * half) {
        Some(i) => Dual::variable(re, i),
        None => Dual::from_f64(re),
    };
    let p = Vec3::from_fn(|i, _| variable(x.p[i], i));
    let r = Mat3::from_fn(|i, k| variable(x.r[(i, k)], 3 + 3 * k + i));
    let body = Pose { p, r };
    match local {
        None => body,
        Some(local) => body.then(&still(local)),
    }
}

/// Returns x + s δp + δθ × a with its derivatives with respect to δp and δθ.
#[inline(always)]
fn moved(x: &Vec3, s: f64, a: &Vec3) -> Vec3<Dual<6>> {
    Vec3::new(
        Dual { re: x.x, eps: [s, 0.0, 0.0, 0.0, a.z, -a.y] },
        Dual { re: x.y, eps: [0.0, s, 0.0, -a.z, 0.0, a.x] },
        Dual { re: x.z, eps: [0.0, 0.0, s, a.y, -a.x, 0.0] },
    )
}

impl ContactPair {
    /// Computes a contact point with the derivatives that the poses of the surfaces carry, from the last one found. Returns `None` if the pair
    /// provides no derivatives.
    pub(super) fn differentiated<S: PairDual>(
        &self,
        k: usize,
        xa: &Pose<S>,
        xb: &Pose<S>,
    ) -> Option<Result<Contact<S>, PairFailure>> {
        let seed = self.state.seeds.get(k).and_then(Option::as_ref);
        S::contact(&*self.geometry, k, xa, xb, seed)
    }

    /// Computes a contact point with its derivatives with respect to a small motion of one body, A (0) or B (1): a
    /// displacement of its centre of mass and a rotation about it, in the world frame. Returns `None` if the pair
    /// provides no derivatives.
    pub(crate) fn contact_dual(
        &self,
        k: usize,
        [ka, kb]: [&Kinematics; 2],
        moved: usize,
    ) -> Option<Result<Contact<Dual<6>>, PairFailure>> {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        match moved {
            0 => self.differentiated(k, &moving(xa, &ka.x.p), &still(xb)),
            _ => self.differentiated(k, &still(xa), &moving(xb, &kb.x.p)),
        }
    }

    /// Computes a contact point with its derivatives with respect to six of the twelve coordinates of a deformable
    /// body, A (0) or B (1): half 0 is p0 and the first column of F, half 1 the other two columns. Returns `None` if
    /// the pair provides no derivatives.
    pub(crate) fn contact_deformed(
        &self,
        k: usize,
        [ka, kb]: [&Kinematics; 2],
        moved: usize,
        half: usize,
    ) -> Option<Result<Contact<Dual<6>>, PairFailure>> {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        match moved {
            0 => self.differentiated(k, &deforming(&ka.x, self.local_a.as_ref(), half), &still(xb)),
            _ => self.differentiated(k, &still(xa), &deforming(&kb.x, self.local_b.as_ref(), half)),
        }
    }
}
