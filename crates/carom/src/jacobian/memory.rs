//! Derivatives of the bristle state (z, s) at a contact point, by the states of the two bodies and by (z, s) itself.
//!
//! The force and the rates of z and s are functions of (f_n, v_t, z, s), of laws that follow the depth also of δ and δ̇, with z projected
//! onto the tangent plane, and the law gives their derivatives. A law of resistance has the rate of rolling or spinning in place of v_t, makes a couple in place of a force, and has z projected onto the plane or the normal. A law may have several elements, each with (z, s) of its own; forces add up. The rate of z has the further term Ω × z, the rotation of the bristles with the
//! contact (`contact::bristle`). Ω is linear in the velocities. Its derivatives by the poses need second derivatives
//! of the normal, which contact pairs do not provide: these alone are differences, of sixth order where points move smoothly, of Ω, which itself
//! is exact.
//!
//! A law that follows the depth says what the whole contact does, x(f_n, δ, …); the point has the share s of its force, so that d(s f_t) = s df_t + f_t ds, and z and its rate do not know of it. In an elliptical contact
//! a law has one more direction, the longer axis e, beside n, v_t and z. It has no other, so that a turn of all of them by ψ turns its results: ∂x/∂e along ψ × e is ψ × x − ∂x/∂v_t (ψ × v_t) − ∂x/∂z (ψ × z). e turns with
//! its memory, in the plane, and tilts with the normal, ψ = n × dn.

use carom_base::Scalar;
use carom_base::{Dual, Mat3, Vec3, rotation_by};
use carom_geometry::Contact;
use carom_law::{Friction, Grip, Memory, Slip, Still};
use nalgebra::{SMatrix, SVector};

use super::couple::part_of;
use super::derivatives::{ContactDerivatives, ContactQuantities};
use crate::contact::ContactPair;
use crate::rule::Against;
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
    /// derivatives of its friction force and of the rates of (z, s) by the memory of an ellipse's axis, and the index of that
    pub(super) by_axis: Option<(usize, SMatrix<f64, 7, 3>)>,
    /// the whole of z, its part along n included: Ω rotates all of it
    pub(super) z: Vec3,
}

/// What all elements of a law share.
pub(super) struct Elements<'a> {
    /// of the whole contact, if the law follows the depth
    pub(super) at: &'a ContactQuantities,
    /// normal force of the point [N]
    pub(super) f_n: f64,
    /// whether what presses the surfaces together changes friction
    pub(super) pressed: bool,
    pub(super) against: Against,
    pub(super) law: &'a dyn Friction,
    pub(super) grip: &'a Grip,
    /// the contact point as the law sees it
    pub(super) slip: Slip,
    /// the same contact at rest, of a law that follows the depth, where it changes with the indentation
    pub(super) still: Option<Still>,
    /// share of the point in what the law says
    pub(super) share: f64,
    /// memory of an ellipse's axis and its index
    pub(super) axis: Option<(usize, Vec3)>,
    /// ω = ω_a − ω_b
    pub(super) w: Vec3,
    /// Ω
    pub(super) turning: Vec3,
}

impl Elements<'_> {
    /// The law's variables: (f_n, v_t, z, s, δ, δ̇).
    fn variables(&self) -> Slip<Dual<10>> {
        let variable = |value: f64, i: usize| Dual::<10>::variable(value, i);
        let by_delta = |value: f64, slope: f64| {
            let mut x = Dual::<10>::from_f64(value);
            x.eps[8] = if self.still.is_some() { slope } else { 0.0 };
            x
        };
        let at = &self.slip;
        let (second, stiffening_rate) =
            self.still.map_or((0.0, 0.0), |still| (still.force.second, still.rigidity.second));
        Slip {
            f_n: variable(at.f_n, 0),
            f_elastic: by_delta(at.f_elastic, at.slope),
            slope: by_delta(at.slope, second),
            rigidity: by_delta(at.rigidity, at.stiffening),
            stiffening: by_delta(at.stiffening, stiffening_rate),
            delta: by_delta(at.delta, 1.0),
            delta_dot: variable(at.delta_dot, 9),
            v_t: Vec3::from_fn(|i, _| variable(at.v_t[i], 1 + i)),
            axis: at.axis,
        }
    }

    /// Returns the derivatives of one of the elements, whose memory has this index and these numbers.
    pub(super) fn element(&self, i: usize, index: usize, memory: &[f64; Memory::SIZE]) -> Bristles {
        let (n, whole) = (&self.at.n, Vec3::new(memory[0], memory[1], memory[2]));
        let z = self.against.part(n, &whole);
        let variable = |value: f64, i: usize| Dual::<10>::variable(value, i);
        let bent = Memory { z: Vec3::from_fn(|i, _| variable(z[i], 4 + i)), s: variable(memory[3], 7) };
        let now = self.law.evolve_at_dual(i, &self.variables(), self.grip, &bent);
        let mut by = SMatrix::<f64, 7, 10>::zeros();
        let rows = now.f_t.iter().chain(&now.rate.z).chain([&now.rate.s]);
        rows.enumerate().for_each(|(i, x)| by.set_row(i, &SMatrix::<f64, 1, 10>::from(x.eps)));
        // a tensile normal force does not press the surfaces together: friction does not change with it
        if !self.pressed {
            by.fill_column(0, 0.0);
        }
        // forces are the share of the whole contact's
        by.fixed_rows_mut::<3>(0).scale_mut(self.share);
        let f_t = now.f_t.map(|f| self.share * f.re);
        let turned = self.turned(&f_t, &now.rate.z.map(|x| x.re), &z, &by);
        let (plane, _) = part_of(self.against, n, &whole);
        let mut by_memory = by.fixed_columns::<4>(4).into_owned();
        let within = by_memory.fixed_columns::<3>(0) * plane;
        by_memory.fixed_columns_mut::<3>(0).copy_from(&within);
        // Ω × z rotates the whole of z
        let mut carried = by_memory.fixed_view_mut::<3, 3>(3, 0);
        carried += self.turning.cross_matrix();
        let mut follows = self.derivatives(&whole, &by.fixed_rows::<4>(3).into_owned());
        let mut pulls = self.derivatives(&whole, &by.fixed_rows::<3>(0).into_owned());
        if self.law.follows_depth() {
            follows.by_f_n.fill(0.0);
            follows.by_adhesion.fill(0.0);
            pulls.by_adhesion.fill(0.0);
            pulls.by_f_n = if self.f_n == 0.0 { Vec3::zeros() } else { f_t / self.f_n };
        }
        // the axis tilts with the normal, and turns in the plane by what of its memory is out of that
        let axis = self.axis.map_or(Mat3::zeros(), |(_, axis)| self.turn_of_axis(&axis) * -n.dot(&axis));
        let tilt = turned * (n.cross_matrix() + axis);
        pulls.by_n += tilt.fixed_rows::<3>(0);
        follows.by_n += tilt.fixed_rows::<4>(3);
        Bristles {
            memory: index,
            follows,
            pulls,
            turns: self.against.turns(),
            force: by_memory.fixed_rows::<3>(0).into_owned(),
            pulls_by_w: self.by_w(&by.fixed_rows::<3>(0).into_owned()),
            follows_by_w: self.by_w(&by.fixed_rows::<4>(3).into_owned()),
            rate: by_memory.fixed_rows::<4>(3).into_owned(),
            by_axis: self.axis.map(|(index, axis)| (index, turned * self.turn_of_axis(&axis))),
            z: whole,
        }
    }

    /// Returns the element that is an ellipse's axis, which Ω rotates, and which has no force.
    pub(super) fn axis(&self) -> Option<Bristles> {
        let (memory, z) = self.axis?;
        let none = Vec3::zeros();
        let mut rate = SMatrix::<f64, 4, 4>::zeros();
        rate.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.turning.cross_matrix());
        Some(Bristles {
            memory,
            follows: ContactDerivatives::new(
                self.at,
                &none,
                &SVector::zeros(),
                &SMatrix::zeros(),
                &SMatrix::zeros(),
            ),
            pulls: ContactDerivatives::new(
                self.at,
                &none,
                &SVector::zeros(),
                &SMatrix::zeros(),
                &SMatrix::zeros(),
            ),
            turns: false,
            force: SMatrix::zeros(),
            pulls_by_w: Mat3::zeros(),
            follows_by_w: SMatrix::zeros(),
            rate,
            by_axis: None,
            z,
        })
    }

    /// Returns what a turn of the axis does to force and rates, by the vector ψ of that turn; nothing for a circle.
    fn turned(&self, f_t: &Vec3, rate: &Vec3, z: &Vec3, by: &SMatrix<f64, 7, 10>) -> SMatrix<f64, 7, 3> {
        let mut by_turn = SMatrix::<f64, 7, 3>::zeros();
        if self.axis.is_none() {
            return by_turn;
        }
        // ψ × x = −x × ψ
        by_turn.fixed_rows_mut::<3>(0).copy_from(&-f_t.cross_matrix());
        by_turn.fixed_rows_mut::<3>(3).copy_from(&-rate.cross_matrix());
        by_turn
            + by.fixed_columns::<3>(1) * self.slip.v_t.cross_matrix()
            + by.fixed_columns::<3>(4) * z.cross_matrix()
    }

    /// Returns the derivatives of the turn ψ of the axis by its memory, in the tangent plane.
    fn turn_of_axis(&self, memory: &Vec3) -> Mat3 {
        let n = &self.at.n;
        let across = n.cross(&self.slip.axis);
        let long = memory.dot(&self.slip.axis);
        if long > 0.0 { n * across.transpose() / long } else { Mat3::zeros() }
    }

    /// Converts derivatives by the law's variables into those by v, n and δ.
    fn derivatives<const R: usize>(&self, z: &Vec3, by: &SMatrix<f64, R, 10>) -> ContactDerivatives<R> {
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
        all.by_v += column(9) * n.transpose();
        all.by_n += column(9) * v.transpose();
        all.by_rate += column(9);
        all.by_delta += column(8);
        all
    }

    /// Converts derivatives by the law's variables into those by ω.
    fn by_w<const R: usize>(&self, by: &SMatrix<f64, R, 10>) -> SMatrix<f64, R, 3> {
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
