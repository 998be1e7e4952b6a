//! Resistance to rolling and spinning at a contact point.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3, rotation_by};
use carom_law::{Pressed, Resistance};

use super::pair::ContactPair;
use super::point::PointForce;
use crate::model::Model;
use crate::state::{Kinematics, placed};

/// The couple that resists rolling and spinning at a contact point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Couple {
    /// couple on A [N m]; its opposite acts on B
    pub(crate) on_a: Vec3,
    /// dissipated power [W]
    pub(crate) lost: f64,
}

/// Returns the rolling and the spinning angular velocity: the components of ω = ω_a − ω_b perpendicular to the normal and
/// along it [rad/s].
pub(crate) fn rolling_and_spinning(n: &Vec3, ka: &Kinematics, kb: &Kinematics) -> [Vec3; 2] {
    let w = ka.w - kb.w;
    let along = n * w.dot(n);
    [w - along, along]
}

impl ContactPair {
    /// Computes the couple that resists rolling and spinning at a contact point by laws without memory; `None` if its rule has no resistance.
    #[cold]
    pub(crate) fn couple(
        &self,
        m: &Model,
        k: usize,
        ka: &Kinematics,
        kb: &Kinematics,
        point: PointForce,
    ) -> Option<Couple> {
        let rule = &m.rules[self.rule];
        if !rule.resists() {
            return None;
        }
        let rates = rolling_and_spinning(&point.contact.n, ka, kb);
        let mut couple = Couple { on_a: Vec3::zeros(), lost: 0.0 };
        for ((law, w), radius) in rule.resistance.iter().zip(&rates).zip(self.state.points[k].latched.radii) {
            // (what springs do, `ContactPair::evolve` computes)
            let Some(law) = law.as_ref().filter(|law| law.spring().is_none()) else { continue };
            let pressed = Pressed { f_n: point.load, a: (radius * point.contact.delta.max(0.0)).sqrt() };
            let on_a = match law.acts_on_path() {
                false => law.couple(&pressed, w),
                true => self.couple_on_path(law.as_ref(), k, [ka, kb], &pressed),
            };
            couple.on_a += on_a;
            couple.lost -= on_a.dot(w);
        }
        Some(couple)
    }

    /// Computes the couple on A of a law that acts on the path of the contact point. The contact is that of the poses of the bodies; how hard they are pressed is given.
    pub(crate) fn couple_on_path(
        &self,
        law: &dyn Resistance,
        k: usize,
        [ka, kb]: [&Kinematics; 2],
        pressed: &Pressed,
    ) -> Vec3 {
        let path = self.path(k, [ka, kb]);
        path.tr_mul(&law.couple(pressed, &(path * (ka.w - kb.w))))
    }

    /// Returns J, by which rolling moves the contact point over the surfaces: v = J ω, ω = ω_a − ω_b [m]. As A turns about the contact point, which is then at rest on both bodies, the
    /// middle of the two closest points moves at v. Where the surfaces have the relative curvature κ, |v| = |ω_t|/κ. Zero if the pair finds no contact.
    pub(crate) fn path(&self, k: usize, [ka, kb]: [&Kinematics; 2]) -> Mat3 {
        let plane = |n: &Vec3| Mat3::identity() - n * n.transpose();
        match self.contact_dual(k, [ka, kb], 0) {
            Some(Ok(c)) => {
                let middle = (c.p_a + c.p_b) * Dual::from_f64(0.5);
                let by = |i: usize| middle.map(|x| x.eps[i]);
                let [moves, turns] = [0, 3].map(|i| Mat3::from_columns(&[by(i), by(i + 1), by(i + 2)]));
                // about the middle: the centre of mass moves by dθ × arm
                let arm = ka.x.p - middle.map(|x| x.re);
                let plane = plane(&c.n.map(|n| n.re));
                plane * (turns - moves * arm.cross_matrix()) * plane
            }
            Some(Err(_)) => Mat3::zeros(),
            None => self.path_by_differences(k, [ka, kb]).map_or(Mat3::zeros(), |(n, path)| {
                let plane = plane(&n);
                plane * path * plane
            }),
        }
    }

    /// Returns n, and how the middle of the closest points moves as A turns about it, of a pair without derivatives.
    fn path_by_differences(&self, k: usize, [ka, kb]: [&Kinematics; 2]) -> Option<(Vec3, Mat3)> {
        const TURN: f64 = 1e-5;
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        let middle = |xa: &Pose| self.geometry.contact(k, xa, xb).map(|c| (c.n, 0.5 * (c.p_a + c.p_b))).ok();
        let (n, here) = middle(xa)?;
        let turned = |turn: Vec3| {
            let r = rotation_by(&turn).to_rotation_matrix().into_inner();
            Some(middle(&Pose { p: here + r * (xa.p - here), r: r * xa.r })?.1)
        };
        let by = |axis: Vec3| Some((turned(axis * TURN)? - turned(axis * -TURN)?) / (2.0 * TURN));
        Some((n, Mat3::from_columns(&[by(Vec3::x())?, by(Vec3::y())?, by(Vec3::z())?])))
    }
}
