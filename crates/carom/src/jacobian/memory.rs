//! Derivatives of the bristle state (z, s) at a contact point, by the states of the two bodies and by (z, s) itself.
//!
//! The force and the rates of z and s are functions of (f_n, v_t, z, s), of laws that follow the depth also of the elastic normal force, δ and δ̇, with z projected
//! onto the tangent plane, and the law gives their derivatives. A law of resistance has the rate of rolling or spinning in place of v_t, makes a couple in place of a force, and has z projected onto the plane or the normal. A law may have several elements, each with (z, s) of its own; forces add up. The rate of z has the further term Ω × z, the rotation of the bristles with the
//! contact (`contact::bristle`). Ω is linear in the velocities. Its derivatives by the poses need second derivatives
//! of the normal, which contact pairs do not provide: these alone are differences, of sixth order where points move smoothly, of Ω, which itself
//! is exact.

use carom_base::Scalar;
use carom_base::{Dual, Mat3, Vec3, rotation_by};
use carom_geometry::Contact;
use carom_law::{Friction, Grip, Memory, Slip};
use nalgebra::SMatrix;

use super::couple::part_of;
use super::point::{ContactDerivatives, ContactQuantities};
use crate::contact::{ContactPair, PointForce};
use crate::rule::{Against, TOUCHING};
use crate::state::Kinematics;

/// An element of a law with memory of a contact point, with derivatives.
pub(super) struct Bristles {
    /// index of its memory
    pub(super) memory: usize,
    /// derivatives of the rates of (z, s) by v, n and δ
    pub(super) follows: ContactDerivatives<4>,
    /// whether it makes a couple, not a force
    pub(super) turns: bool,
    /// derivatives of its force or couple by v, n and δ
    pub(super) pulls: ContactDerivatives<3>,
    /// derivatives of its force or couple by (z, s)
    pub(super) force: SMatrix<f64, 3, 4>,
    /// derivatives of its couple and of the rates of (z, s) by the relative angular velocity ω, of a law of resistance; else zero
    pub(super) pulls_by_w: Mat3,
    pub(super) follows_by_w: SMatrix<f64, 4, 3>,
    /// derivatives of the rates of (z, s) by (z, s)
    pub(super) rate: SMatrix<f64, 4, 4>,
    /// the whole of z, its part along n included: Ω rotates all of it
    pub(super) z: Vec3,
}

/// What all elements of a law share.
pub(super) struct Elements<'a> {
    pub(super) at: &'a ContactQuantities,
    pub(super) point: &'a PointForce,
    pub(super) against: Against,
    pub(super) law: &'a dyn Friction,
    pub(super) grip: &'a Grip,
    /// the contact point as the law sees it
    pub(super) slip: Slip,
    /// ω = ω_a − ω_b
    pub(super) w: Vec3,
    /// Ω
    pub(super) turning: Vec3,
}

impl Elements<'_> {
    /// The law's variables: (f_n, v_t, z, s, f_elastic, δ, δ̇). The slope of the elastic force follows δ as that of a power does.
    fn variables(&self) -> Slip<Dual<11>> {
        let variable = |value: f64, i: usize| Dual::<11>::variable(value, i);
        let Slip { f_n, f_elastic, slope, delta, delta_dot, v_t } = self.slip;
        let mut bent = Dual::<11>::from_f64(slope);
        let felt = delta > TOUCHING;
        bent.eps[9] = if felt { (self.grip.exponent - 1.0) * slope / delta } else { 0.0 };
        Slip {
            f_n: variable(f_n, 0),
            f_elastic: variable(f_elastic, 8),
            slope: bent,
            delta: if felt { variable(delta, 9) } else { Dual::from_f64(delta) },
            delta_dot: variable(delta_dot, 10),
            v_t: Vec3::from_fn(|i, _| variable(v_t[i], 1 + i)),
        }
    }

    /// Returns the derivatives of one of the elements, whose memory has this index and these numbers.
    pub(super) fn element(&self, i: usize, index: usize, memory: &[f64; Memory::SIZE]) -> Bristles {
        let (n, whole) = (&self.at.n, Vec3::new(memory[0], memory[1], memory[2]));
        let z = self.against.part(n, &whole);
        let variable = |value: f64, i: usize| Dual::<11>::variable(value, i);
        let bent = Memory { z: Vec3::from_fn(|i, _| variable(z[i], 4 + i)), s: variable(memory[3], 7) };
        let now = self.law.evolve_at_dual(i, &self.variables(), self.grip, &bent);
        let mut by = SMatrix::<f64, 7, 11>::zeros();
        let rows = now.f_t.iter().chain(&now.rate.z).chain([&now.rate.s]);
        rows.enumerate().for_each(|(i, x)| by.set_row(i, &SMatrix::<f64, 1, 11>::from(x.eps)));
        // a tensile normal force does not press the surfaces together: friction does not change with it
        if self.point.load <= 0.0 {
            by.fill_column(0, 0.0);
        }
        let (plane, _) = part_of(self.against, n, &whole);
        let mut by_memory = by.fixed_columns::<4>(4).into_owned();
        let within = by_memory.fixed_columns::<3>(0) * plane;
        by_memory.fixed_columns_mut::<3>(0).copy_from(&within);
        // Ω × z rotates the whole of z
        let mut carried = by_memory.fixed_view_mut::<3, 3>(3, 0);
        carried += self.turning.cross_matrix();
        Bristles {
            memory: index,
            follows: self.derivatives(&whole, &by.fixed_rows::<4>(3).into_owned()),
            pulls: self.derivatives(&whole, &by.fixed_rows::<3>(0).into_owned()),
            turns: self.against.turns(),
            force: by_memory.fixed_rows::<3>(0).into_owned(),
            pulls_by_w: self.by_w(&by.fixed_rows::<3>(0).into_owned()),
            follows_by_w: self.by_w(&by.fixed_rows::<4>(3).into_owned()),
            rate: by_memory.fixed_rows::<4>(3).into_owned(),
            z: whole,
        }
    }

    /// Converts derivatives by the law's variables into those by v, n and δ.
    fn derivatives<const R: usize>(&self, z: &Vec3, by: &SMatrix<f64, R, 11>) -> ContactDerivatives<R> {
        let column = |i: usize| by.column(i).into_owned();
        let part = |i: usize| by.fixed_columns::<3>(i).into_owned();
        let (n, v) = (&self.at.n, &self.at.v);
        let mut all = match self.against {
            Against::Sliding => ContactDerivatives::new(self.at, z, &column(0), &part(1), &part(4)),
            Against::Rolling | Against::Spinning => {
                // in place of v_t, the law takes a part of ω
                let none = SMatrix::zeros();
                let mut all = ContactDerivatives::new(self.at, &Vec3::zeros(), &column(0), &none, &none);
                let [(_, w_tilt), (_, z_tilt)] = [&self.w, z].map(|of| part_of(self.against, n, of));
                all.by_n += part(1) * w_tilt + part(4) * z_tilt;
                all
            }
        };
        all.by_v += column(10) * n.transpose();
        all.by_n += column(10) * v.transpose();
        all.by_rate += column(10);
        all.by_delta += column(8) * self.slip.slope + column(9);
        // where the share of a contact changes, the elastic force changes with the whole one
        if self.slip.f_n > 0.0 {
            all.by_f_n += column(8) * (self.slip.f_elastic / self.slip.f_n);
        }
        all
    }

    /// Converts derivatives by the law's variables into those by ω.
    fn by_w<const R: usize>(&self, by: &SMatrix<f64, R, 11>) -> SMatrix<f64, R, 3> {
        match self.against.turns() {
            true => by.fixed_columns::<3>(1) * part_of(self.against, &self.at.n, &self.w).0,
            false => SMatrix::zeros(),
        }
    }
}

impl BristleRotation {
    /// Returns dΩ by the small motion and the velocities of one of the bodies. `None`: the pair has no derivatives.
    pub(super) fn new(
        pair: &ContactPair,
        index: usize,
        k: [&Kinematics; 2],
        end: usize,
        contact: &Contact<Dual<6>>,
    ) -> Option<BristleRotation> {
        let n = contact.n.map(|n| n.re);
        let by_motion = by_motions(pair, k, end, |[a, b]| pair.turning(index, a, b))?;
        let by_velocity = std::array::from_fn(|i| {
            // ∂ṅ/∂velocity equals ∂n/∂motion; the mean spin has half of each ω
            let spin = if i < 3 { 0.0 } else { 0.5 * n[i - 3] };
            n.cross(&contact.n.map(|n| n.eps[i])) + n * spin
        });
        Some(BristleRotation { by_motion, by_velocity })
    }
}

/// dΩ by a body's small displacement (0 to 2) and rotation (3 to 5), and by its velocity and angular velocity.
#[derive(Default)]
pub(super) struct BristleRotation {
    pub(super) by_motion: [Vec3; 6],
    pub(super) by_velocity: [Vec3; 6],
}

/// Returns the changes of a vector by the six small motions of body `end`, by differences of sixth order where points move smoothly.
pub(super) fn by_motions(
    pair: &ContactPair,
    k: [&Kinematics; 2],
    end: usize,
    vector: impl Fn([&Kinematics; 2]) -> Option<Vec3>,
) -> Option<[Vec3; 6]> {
    let fine = pair.geometry.fine() / pair.size;
    let part = if fine > 0.0 { 1e-3 * fine } else { 1e-3 };
    let mut all = [Vec3::zeros(); 6];
    for (i, by_motion) in all.iter_mut().enumerate() {
        let h = if i < 3 { part * pair.size } else { part };
        let at = |s: f64| {
            let mut bodies = [*k[0], *k[1]];
            move_by(&mut bodies[end], i, s * h);
            vector([&bodies[0], &bodies[1]])
        };
        let d = |s: f64| Some(at(s)? - at(-s)?);
        *by_motion = match fine > 0.0 {
            // so short a step needs no higher order
            true => d(1.0)? / (2.0 * h),
            false => (45.0 * d(1.0)? - 9.0 * d(2.0)? + d(3.0)?) / (60.0 * h),
        };
    }
    Some(all)
}

/// Displaces a body along a world axis (0 to 2), or rotates it about one (3 to 5).
fn move_by(body: &mut Kinematics, i: usize, by: f64) {
    if i < 3 {
        body.x.p[i] += by;
    } else {
        let mut turn = Vec3::zeros();
        turn[i - 3] = by;
        body.x.r = rotation_by(&turn).to_rotation_matrix().into_inner() * body.x.r;
    }
}
