//! The multipliers of all joints in a state: S λ = −(b + Φ_q a₀), with a₀ the accelerations without joints, and b the
//! part of φ̈ that is known before the accelerations are. The inertia force of a rotor is a multiplier too, with 1/J added
//! to S (`joint/rotor.rs`).

use carom_base::{Mat3, Vec3};

use super::angles::CountedAngle;
use super::products::{multiply, respond, response_of, subtract, sum_of};
use super::settle::Slenders;
use super::writer::Writer;
use crate::joint::{ConstraintSet, End, Factors, Moving, Spin, unwrapped};
use crate::model::Model;
use crate::state::{Kinematics, torque_of};

/// A row that was redundant at the start is so no longer when its new part exceeds this.
const REVIVED: f64 = 1e-6;

/// 1/J of a rotor that is left out: so large that its force is zero to the last digit.
const LEFT_OUT: f64 = 1e200;

/// Workspace for the equations of all joints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multipliers {
    /// the motion of every body that has joints
    pub(crate) moving: Vec<Moving>,
    /// the inverse inertia of every body that has joints, from torques to angular accelerations: in the world, or about
    /// the principal axes of a slender body; for a body that deforms, F⁻¹
    pub(super) inverses: Vec<Mat3>,
    /// φ: the violation of every row
    pub(crate) value: Vec<f64>,
    /// φ̇: its rate
    pub(crate) rate: Vec<f64>,
    /// b: the part of φ̈ that is known
    pub(crate) bias: Vec<f64>,
    /// Φ_q, ordered by constraints, their bodies and their rows; for slender bodies, about their principal axes
    pub(super) loads: Vec<f64>,
    /// M⁻¹ Φ_qᵀ, in the same order
    pub(super) responses: Vec<f64>,
    pub(super) factors: Factors,
    /// λ: the multiplier of every row
    pub(crate) lambda: Vec<f64>,
    /// the angles whose full turns are counted, in the last accepted state [rad]
    pub(crate) turns: Vec<f64>,
    /// the coordinates that joints leave free, in the last accepted state; of these only angles are counted
    pub(crate) angles: Vec<CountedAngle>,
    /// the rows that are redundant from the start, in the order of elimination within each joint
    pub(crate) repeated: Vec<bool>,
    /// the rows that may become redundant: those of mechanisms with loops
    looped: Vec<bool>,
    /// for every row, the largest fraction that was new so far
    largest: Vec<f64>,
    /// α [1/s]: Baumgarte's constant, 0 unless it is asked for
    pub(crate) baumgarte: f64,
    /// whether rotors are left out, as where an equilibrium is sought
    pub(crate) without_rotors: bool,
    /// data of bodies with little inertia
    pub(super) slender: Slenders,
    /// their angular accelerations about axes that enter S with their true inertia
    pub(crate) spins: Vec<Spin>,
}

carom_base::carried!(
    Multipliers { turns, angles, repeated, largest } scratch {
        moving, inverses, value, rate, bias, loads, responses, factors, lambda, looped, baumgarte, slender, spins,
        without_rotors
    }
);

impl Multipliers {
    pub(crate) fn new(m: &Model) -> Multipliers {
        let l = &m.constraints;
        let (rows, bodies) = (l.rows(), l.bodies.len());
        let rest = |i: &crate::joint::Jointed| {
            Moving::new(&m.world.bodies[i.body], &m.world.bodies[i.body].rest, 0.0)
        };
        Multipliers {
            moving: l.bodies.iter().map(rest).collect(),
            inverses: vec![Mat3::identity(); bodies],
            value: vec![0.0; rows],
            rate: vec![0.0; rows],
            bias: vec![0.0; rows],
            loads: vec![0.0; l.loads],
            responses: vec![0.0; l.loads],
            factors: Factors::new(&l.pattern),
            lambda: vec![0.0; rows],
            turns: vec![0.0; l.counters],
            angles: vec![CountedAngle::default(); l.coordinates().count()],
            repeated: vec![false; rows],
            looped: l.rows_in_loops(),
            largest: vec![0.0; rows],
            baumgarte: 0.0,
            without_rotors: false,
            slender: Slenders::new(l),
            spins: Vec::with_capacity(3 * l.slender.len()),
        }
    }

    /// Computes φ, φ̇, b and Φ_q at t; `k`: the kinematics of a body.
    pub(crate) fn evaluate<'k>(&mut self, m: &Model, t: f64, k: impl Fn(usize) -> &'k Kinematics) {
        let l = &m.constraints;
        for (moving, jointed) in self.moving.iter_mut().zip(&l.bodies) {
            *moving = Moving::new(&m.world.bodies[jointed.body], k(jointed.body), t);
        }
        self.evaluate_rows(m, t);
    }

    /// Computes φ, φ̇, b and Φ_q of the bodies' motion.
    fn evaluate_rows(&mut self, m: &Model, t: f64) {
        let l = &m.constraints;
        let mut row = 0;
        for (constraint, ends) in l.list.iter().zip(&l.ends) {
            let rows = row..row + constraint.rows;
            let mut out = Writer {
                value: &mut self.value[rows.clone()],
                rate: &mut self.rate[rows.clone()],
                bias: &mut self.bias[rows.clone()],
                loads: &mut self.loads,
                ends,
                next: 0,
            };
            row = rows.end;
            // a gear has three or four bodies
            let mut bodies = [&self.moving[0]; 4];
            bodies.iter_mut().zip(ends).for_each(|(b, e)| *b = &self.moving[e.jointed]);
            constraint.evaluate(t, &bodies, &self.turns, &mut out);
        }
        self.turn_gradients(m);
    }

    /// Computes M⁻¹ Φ_qᵀ and the factors of S. `mass_factor`: m(t)/m(0) of a body.
    pub(crate) fn factor(&mut self, m: &Model, mass_factor: impl Fn(usize) -> f64) {
        let l = &m.constraints;
        for ((inverse, jointed), moving) in self.inverses.iter_mut().zip(&l.bodies).zip(&self.moving) {
            *inverse = match l.turning(jointed) {
                Some(turning) => turning.inverse,
                None => response_of(&m.world.bodies[jointed.body], &moving.r),
            };
        }
        if !l.slender.is_empty() {
            let bodies = self.slender.shares.iter_mut().zip(&l.bodies);
            bodies.for_each(|(share, jointed)| *share = 1.0 / mass_factor(jointed.body));
        }
        for (constraint, ends) in l.list.iter().zip(&l.ends) {
            for end in ends.iter().filter(|e| e.width > 0) {
                let body = l.bodies[end.jointed].body;
                let (b, inverse) = (&m.world.bodies[body], &self.inverses[end.jointed]);
                let share = 1.0 / mass_factor(body);
                let range = end.at..end.at + constraint.rows * end.width;
                let (loads, responses) = (&self.loads[range.clone()], &mut self.responses[range]);
                respond(b, inverse, share, loads, responses);
            }
        }
        l.fill_in.iter().for_each(|block| self.factors.blocks[block.clone()].fill(0.0));
        for p in &l.products {
            multiply(p, &self.loads, &self.responses, &mut self.factors.blocks);
        }
        for rotor in &l.rotors {
            self.factors.blocks[rotor.at] += if self.without_rotors { LEFT_OUT } else { 1.0 / rotor.inertia };
        }
        self.factors.factor(&l.pattern);
    }

    /// Computes λ; `free`: the accelerations that each body would have without joints.
    pub(crate) fn solve(&mut self, m: &Model, free: &[[f64; 12]]) {
        let alpha = self.baumgarte;
        for (row, x) in self.lambda.iter_mut().enumerate() {
            *x = -self.bias[row] - 2.0 * alpha * self.rate[row] - alpha * alpha * self.value[row];
        }
        self.subtract_gradient(m, free);
        self.factors.solve(&m.constraints.pattern, &mut self.lambda);
        self.settle(m, |i| free[i]);
    }

    /// Computes the change of λ, S⁻¹ (−slopes − Φ_q a), where the accelerations have changed by `a` and rows by
    /// `slopes`.
    pub(crate) fn solve_changed(&mut self, m: &Model, slopes: &[(usize, f64)], a: &[[f64; 12]]) {
        self.lambda.fill(0.0);
        slopes.iter().for_each(|(row, x)| self.lambda[*row] -= x);
        self.subtract_gradient(m, a);
        self.factors.solve(&m.constraints.pattern, &mut self.lambda);
        self.settle(m, |i| a[i]);
    }

    /// Returns the motion of a body of a constraint.
    pub(crate) fn moving_of(&self, m: &Model, constraint: usize, end: usize) -> &Moving {
        &self.moving[m.constraints.jointed_index(constraint, end)]
    }

    /// Computes λ −= Φ_q a.
    fn subtract_gradient(&mut self, m: &Model, a: &[[f64; 12]]) {
        let l = &m.constraints;
        let mut row = 0;
        for (constraint, ends) in l.list.iter().zip(&l.ends) {
            for end in ends.iter().filter(|e| e.width > 0) {
                let a = match l.bodies[end.jointed].slender {
                    None => &a[end.jointed],
                    Some(_) => &self.to_own(l, end.jointed, &a[end.jointed]),
                };
                subtract(&mut self.lambda[row..row + constraint.rows], &self.loads, end, a);
            }
            row += constraint.rows;
        }
    }

    /// Computes λ = S⁻¹ b, with S of M̃, whether or not bodies are slender.
    pub(crate) fn solve_for(&mut self, m: &Model, b: impl Fn(&Multipliers, usize) -> f64) {
        for row in 0..self.lambda.len() {
            self.lambda[row] = b(self, row);
        }
        self.factors.solve(&m.constraints.pattern, &mut self.lambda);
        self.slender.loads.fill([0.0; 6]);
    }

    /// Computes λ = S⁻¹ b with S of M, not M̃: the impulses of the joints alone that change the velocities.
    pub(crate) fn solve_for_impulses(&mut self, m: &Model, b: impl Fn(&Multipliers, usize) -> f64) {
        self.solve_for(m, b);
        self.settle(m, |_| [0.0; 12]);
    }

    /// Passes Φ_q to `take`: for every row and every body of its constraint that moves by its forces, the gradient by
    /// the accelerations of that body.
    pub(crate) fn gradients(&self, m: &Model, mut take: impl FnMut(usize, usize, &[f64])) {
        let l = &m.constraints;
        for (h, ends) in l.ends.iter().enumerate() {
            for end in ends.iter().filter(|e| e.width > 0) {
                for (row, load) in l.rows_of(h).zip(self.loads[end.at..].chunks_exact(end.width)) {
                    let mut world = [0.0; 12];
                    world[..end.width].copy_from_slice(load);
                    self.to_world(l, end.jointed, &mut world);
                    take(row, l.bodies[end.jointed].body, &world[..end.width]);
                }
            }
        }
    }

    /// Passes Φ_qᵀ λ to `take`: for every constraint and every body of it that moves by its forces, force and torque
    /// or, if it deforms, force and Σ g ⊗ X.
    pub(crate) fn loads(&self, m: &Model, mut take: impl FnMut(usize, usize, &[f64])) {
        self.sums(m, &self.loads, &mut take);
    }

    /// Passes to `take`, for every body of a constraint that does not move by its forces, the force on it and the
    /// torque about its centre of mass.
    pub(crate) fn loads_on_held(&self, m: &Model, mut take: impl FnMut(usize, Vec3, Vec3)) {
        let l = &m.constraints;
        let mut row = 0;
        for (constraint, ends) in l.list.iter().zip(&l.ends) {
            let lambda = &self.lambda[row..row + constraint.rows];
            row += constraint.rows;
            for end in ends.iter().filter(|e| e.width == 0) {
                let load = sum_of(lambda, &self.loads, &End { width: end.stored, ..*end });
                let vector = |i: usize| Vec3::new(load[i], load[i + 1], load[i + 2]);
                take(l.bodies[end.jointed].body, vector(0), vector(3));
            }
        }
    }

    /// Passes M⁻¹ Φ_qᵀ λ to `take` for every constraint and body: accelerations, or changes of velocity or position.
    /// Those of slender bodies have a further part that belongs to no constraint; its index is `usize::MAX`.
    pub(crate) fn responses(&self, m: &Model, mut take: impl FnMut(usize, usize, &[f64])) {
        self.sums(m, &self.responses, &mut take);
        self.slender_responses(m, &mut |body, change| take(usize::MAX, body, change));
    }

    fn sums(&self, m: &Model, of: &[f64], take: &mut impl FnMut(usize, usize, &[f64])) {
        let l = &m.constraints;
        let mut row = 0;
        for (h, (constraint, ends)) in l.list.iter().zip(&l.ends).enumerate() {
            let lambda = &self.lambda[row..row + constraint.rows];
            row += constraint.rows;
            for end in ends.iter().filter(|e| e.width > 0) {
                let mut sum = sum_of(lambda, of, end);
                self.to_world(l, end.jointed, &mut sum);
                take(h, l.bodies[end.jointed].body, &sum[..end.width]);
            }
        }
    }

    /// Returns the force of a constraint on one of its bodies and the torque about its centre of mass [N, N m]; `None`
    /// if the body does not move by its forces.
    pub(crate) fn wrench(&self, m: &Model, constraint: usize, end: usize) -> Option<(Vec3, Vec3)> {
        let (l, at) = (&m.constraints, m.constraints.ends[constraint][end]);
        let load = sum_of(&self.lambda[l.rows_of(constraint)], &self.loads, &at);
        (at.width > 0).then(|| self.wrench_of(l, &at, &load[..at.width]))
    }

    /// Returns force and torque about the centre of mass, per unit of one multiplier of a constraint, on one of its
    /// bodies, which must move by its forces.
    pub(crate) fn row_wrench(
        &self,
        m: &Model,
        (constraint, end): (usize, usize),
        row: usize,
    ) -> (Vec3, Vec3) {
        let at = m.constraints.ends[constraint][end];
        let load = &self.loads[at.at + row * at.width..at.at + (row + 1) * at.width];
        self.wrench_of(&m.constraints, &at, load)
    }

    /// Returns the force of a generalised force, and its torque about the centre of mass.
    fn wrench_of(&self, l: &ConstraintSet, at: &End, load: &[f64]) -> (Vec3, Vec3) {
        let force = Vec3::new(load[0], load[1], load[2]);
        match at.width {
            6 => {
                let mut world = [0.0; 6];
                world.copy_from_slice(load);
                self.to_world(l, at.jointed, &mut world);
                (force, Vec3::new(world[3], world[4], world[5]))
            }
            _ => {
                let r = &self.moving[at.jointed].r;
                (force, torque_of(&(Mat3::from_column_slice(&load[3..]) * r.transpose())))
            }
        }
    }

    /// Returns the accelerations that a generalised force (force and torque, or force and Σ g ⊗ X) gives a body of a
    /// constraint. `mass_factor`: m(t)/m(0).
    pub(crate) fn response(
        &self,
        m: &Model,
        (constraint, end): (usize, usize),
        mass_factor: f64,
        load: &[f64; 12],
    ) -> [f64; 12] {
        let mut out = [0.0; 12];
        let at = m.constraints.ends[constraint][end];
        if at.width > 0 {
            let b = &m.world.bodies[m.constraints.bodies[at.jointed].body];
            let inverse = &self.inverses[at.jointed];
            let load = self.to_own(&m.constraints, at.jointed, load);
            respond(b, inverse, 1.0 / mass_factor, &load[..at.width], &mut out[..at.width]);
            self.to_world(&m.constraints, at.jointed, &mut out);
        }
        out
    }

    /// Returns the distance of the mechanism from a singular position, and the row that it is of. It is the square root
    /// of the least ratio of a row's new part to the largest that part has been, among the rows that are not
    /// permanently redundant.
    pub(crate) fn singular_distance(&self) -> (f64, usize) {
        let rows = self.factors.new_parts().iter().zip(&self.largest).zip(&self.repeated).enumerate();
        let (least, row) = rows
            .filter(|(row, (_, repeated))| self.looped[*row] && !**repeated)
            .map(|(row, ((x, largest), _))| (x.max(0.0) / largest.max(*x), row))
            .fold((1.0, 0), |least, now| if now.0 < least.0 { now } else { least });
        (least.sqrt(), row)
    }

    /// Records how much of every row is new. Rows that were redundant only because the initial position was singular
    /// are no longer marked as redundant.
    pub(crate) fn note_new_parts(&mut self) {
        let rows = self.largest.iter_mut().zip(&mut self.repeated).zip(self.factors.new_parts());
        for ((most, repeated), x) in rows {
            *most = most.max(*x);
            *repeated &= *x < REVIVED;
        }
    }

    /// Whether the row at this position in the order of elimination is redundant.
    pub(crate) fn is_redundant(&self, m: &Model, step: usize) -> bool {
        self.factors.is_redundant(&m.constraints.pattern, step)
    }

    /// Returns the row at this position in the order of elimination within its joint.
    pub(crate) fn row_at(&self, m: &Model, step: usize) -> usize {
        let l = &m.constraints;
        self.factors.row_at(&l.pattern.rows(l.constraint_of(step)), step)
    }

    /// Whether the row at this position in the order of elimination has any effect: it has none where the motion that
    /// it constrains is impossible anyway.
    pub(crate) fn acts(&self, m: &Model, step: usize) -> bool {
        let (l, row) = (&m.constraints, self.row_at(m, step));
        let h = l.constraint_of(row);
        let k = row - l.pattern.rows(h).start;
        let of = |e: &End| &self.responses[e.at + k * e.width..e.at + (k + 1) * e.width];
        l.ends[h].iter().any(|e| of(e).iter().any(|x| *x != 0.0))
    }

    /// Updates the angles whose full turns are counted, at the end of an accepted step.
    pub(crate) fn count_turns(&mut self, m: &Model) {
        let l = &m.constraints;
        for (constraint, ends) in l.list.iter().zip(&l.ends) {
            for (term, counter) in constraint.counted() {
                let bodies = term.ends.map(|i| &self.moving[ends[i].jointed]);
                let angle = term.measure.at(bodies).value;
                self.turns[counter] = unwrapped(angle, self.turns[counter]);
            }
        }
    }
}
