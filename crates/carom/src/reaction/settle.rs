//! The motion of slender bodies: see `joint/slender.rs`.

use carom_base::{Mat3, Vec3};

use super::multipliers::Multipliers;
use super::products::{respond, subtract, sum_of};
use crate::joint::{ConstraintSet, RotorRow, Spin};
use crate::model::Model;
use crate::state::Loaded;
use crate::world::BodyKind;

/// Steps of conjugate gradients that are allowed in addition to the number of degrees of freedom.
const STEPS: usize = 10;
/// After more successive steps than this that do not halve the least residual, only rounding error is left.
const WORSE: usize = 4;

/// The state of slender bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Slenders {
    /// their principal axes, in the world
    frames: Vec<Mat3>,
    /// E a: force, and torque about the principal axes
    pub(super) loads: Vec<[f64; 6]>,
    /// m(0)/m(t) of every body that has joints
    pub(super) shares: Vec<f64>,
    room: Room,
}

/// Workspace for conjugate gradients: numbers of every body that has joints, about its principal axes if it is slender.
/// Numbers of the rotors follow, each as if it were a body with the one coordinate w and the inertia J that is connected
/// to the others by the constraint q̈ = w: one number of its entry is that of w.
#[derive(Clone, Debug, Default)]
struct Room {
    /// the accelerations without joints
    free: Vec<[f64; 12]>,
    accelerations: Vec<[f64; 12]>,
    residual: Vec<[f64; 12]>,
    step: Vec<[f64; 12]>,
    /// M̃ times `step`
    step_load: Vec<[f64; 12]>,
    /// M times `step`
    image: Vec<[f64; 12]>,
    /// the preconditioned residual
    next: Vec<[f64; 12]>,
    /// μ: the multipliers of the preconditioner's constraints
    multipliers: Vec<f64>,
}

impl Slenders {
    pub(super) fn new(l: &ConstraintSet) -> Slenders {
        let bodies = if l.slender.is_empty() { 0 } else { l.bodies.len() + l.rotors.len() };
        let zeros = || vec![[0.0; 12]; bodies];
        Slenders {
            frames: vec![Mat3::identity(); l.slender.len()],
            loads: vec![[0.0; 6]; l.slender.len()],
            shares: vec![1.0; l.bodies.len()],
            room: Room {
                free: zeros(),
                accelerations: zeros(),
                residual: zeros(),
                step: zeros(),
                step_load: zeros(),
                image: zeros(),
                next: zeros(),
                multipliers: vec![0.0; if bodies > 0 { l.rows() } else { 0 }],
            },
        }
    }
}

impl Multipliers {
    /// Transforms the gradients of slender bodies to their principal axes, and sets components to zero that are zero in
    /// all positions that satisfy the joints.
    pub(super) fn turn_gradients(&mut self, m: &Model) {
        for (s, frame) in m.constraints.slender.iter().zip(&mut self.slender.frames) {
            let Some(turning) = &s.turning else { continue };
            *frame = self.moving[s.jointed].r * turning.axes;
            for action in &turning.actions {
                let loads = self.loads[action.at..].as_chunks_mut::<6>().0;
                for (load, acts) in loads.iter_mut().zip(&action.acts) {
                    let torque = frame.tr_mul(&Vec3::new(load[3], load[4], load[5]));
                    (0..3).for_each(|k| load[3 + k] = if acts[k] { torque[k] } else { 0.0 });
                }
            }
        }
    }

    /// Returns generalised forces or accelerations of a body that has joints; if it is slender, torques or angular
    /// accelerations are transformed from the world to its principal axes.
    pub(super) fn to_own(&self, l: &ConstraintSet, jointed: usize, x: &[f64; 12]) -> [f64; 12] {
        let mut x = *x;
        if let Some(s) = l.bodies[jointed].slender {
            let own = self.slender.frames[s].tr_mul(&Vec3::new(x[3], x[4], x[5]));
            x[3..6].copy_from_slice(own.as_slice());
        }
        x
    }

    /// Transforms torques or angular accelerations of a slender body from its principal axes to the world, in place;
    /// those of other bodies stay.
    pub(super) fn to_world(&self, l: &ConstraintSet, jointed: usize, x: &mut [f64]) {
        if let Some(s) = l.bodies[jointed].slender {
            let world = self.slender.frames[s] * Vec3::new(x[3], x[4], x[5]);
            x[3..6].copy_from_slice(world.as_slice());
        }
    }

    /// Computes the angular accelerations of slender bodies about axes that enter S with their true inertia, from the
    /// equations of these axes: rounding errors of reactions that do not act about them would be large, as the inertia
    /// against them is so small. `loaded`: the bodies with all forces but the reactions.
    pub(crate) fn find_spins<'l>(
        &mut self,
        m: &Model,
        loaded: impl Fn(usize) -> &'l Loaded,
        mass_factor: impl Fn(usize) -> f64,
    ) {
        self.spins.clear();
        for turning in m.constraints.slender.iter().filter_map(|s| s.turning.as_ref()) {
            let (l, share) = (loaded(turning.body), 1.0 / mass_factor(turning.body));
            for &k in &turning.true_axes {
                let reaction = turning.actions.iter().flat_map(|action| {
                    let loads = self.loads[action.at..].as_chunks::<6>().0;
                    let lambda = &self.lambda[action.row..action.row + action.acts.len()];
                    lambda.iter().zip(loads).map(move |(lambda, load)| lambda * load[3 + k])
                });
                let rate = turning.spin(k, l, &(l.torque * share), reaction.sum::<f64>() * share);
                let axis = l.k.x.direction(&turning.axes.column(k).into_owned());
                self.spins.push(Spin { body: turning.body, axis, rate });
            }
        }
    }

    /// Changes λ from that of M̃ to that of M; `free`: the accelerations that M̃ would have without joints.
    pub(super) fn settle(&mut self, m: &Model, free: impl Fn(usize) -> [f64; 12]) {
        let l = &m.constraints;
        if !l.slender.iter().any(|s| s.is_enlarged()) {
            return;
        }
        let mut room = std::mem::take(&mut self.slender.room);
        for i in 0..l.bodies.len() {
            room.free[i] = self.to_own(l, i, &free(i));
        }
        room.accelerations.copy_from_slice(&room.free);
        self.add_sums(m, &self.responses, &self.lambda, &mut room.accelerations);
        add_to_rotors(l, &self.lambda, |rotor| 1.0 / rotor.inertia, &mut room.accelerations);
        self.iterate(m, &mut room);
        for (load, s) in self.slender.loads.iter_mut().zip(&l.slender) {
            [_, *load] = s.loads_of(self.slender.shares[s.jointed], &room.accelerations[s.jointed]);
        }
        self.slender.room = room;
    }

    /// Iterates by conjugate gradients from the accelerations for M̃, which the joints allow, to those for M.
    fn iterate(&mut self, m: &Model, room: &mut Room) {
        self.start(m, room);
        // twice, so that the rounding error of Φᵀ μ is no part of a step
        self.precondition(m, room);
        self.precondition(m, room);
        room.step.copy_from_slice(&room.next);
        room.step_load.copy_from_slice(&room.residual);
        let mut size = dot(&room.residual, &room.next);
        let (mut least, mut worse) = (size, 0);
        for _ in 0..6 * m.constraints.bodies.len() + STEPS {
            // M p
            room.image.copy_from_slice(&room.step_load);
            for s in &m.constraints.slender {
                let [own, _] = s.loads_of(self.slender.shares[s.jointed], &room.step[s.jointed]);
                room.image[s.jointed][..s.width()].copy_from_slice(&own[..s.width()]);
            }
            let resistance = dot(&room.image, &room.step);
            if !(size > 0.0 && resistance > 0.0) {
                break;
            }
            let length = size / resistance;
            add(&mut room.accelerations, length, &room.step);
            add(&mut room.residual, -length, &room.image);
            if is_rounding(length, &room.step, &room.accelerations, m.world.scale.length) {
                break;
            }
            self.precondition(m, room);
            let now = dot(&room.residual, &room.next);
            worse = if now < 0.5 * least { 0 } else { worse + 1 };
            least = least.min(now);
            if worse > WORSE {
                break;
            }
            let carry = now / size;
            size = now;
            for (p, z) in room.step.iter_mut().zip(&room.next) {
                (0..12).for_each(|i| p[i] = z[i] + carry * p[i]);
            }
            for (load, r) in room.step_load.iter_mut().zip(&room.residual) {
                (0..12).for_each(|i| load[i] = r[i] + carry * load[i]);
            }
        }
    }

    /// Computes r = f − M a with f = M̃ a₀, which is −Φᵀ λ for bodies that are not slender. λ is set to zero and summed
    /// up from there, so that no number is as large as M̃ a where M a is small.
    fn start(&mut self, m: &Model, room: &mut Room) {
        room.residual.fill([0.0; 12]);
        self.lambda.iter_mut().for_each(|x| *x = -*x);
        self.add_sums(m, &self.loads, &self.lambda, &mut room.residual);
        add_to_rotors(&m.constraints, &self.lambda, |_| 1.0, &mut room.residual);
        self.lambda.fill(0.0);
        for s in &m.constraints.slender {
            let share = self.slender.shares[s.jointed];
            let [f, more] = s.loads_of(share, &room.free[s.jointed]);
            let [own, _] = s.loads_of(share, &room.accelerations[s.jointed]);
            (0..s.width()).for_each(|i| room.residual[s.jointed][i] = f[i] + more[i] - own[i]);
        }
    }

    /// Solves M̃ z = r + Φᵀ μ, Φ z = 0: puts z into `next`, and adds Φᵀ μ to r and μ to λ.
    fn precondition(&mut self, m: &Model, room: &mut Room) {
        let l = &m.constraints;
        for (i, jointed) in l.bodies.iter().enumerate() {
            let b = &m.world.bodies[jointed.body];
            let width = match b.kind {
                BodyKind::Dynamic(_) => 6,
                BodyKind::Affine(_) => 12,
                _ => continue,
            };
            let (r, z) = (&room.residual[i][..width], &mut room.next[i][..width]);
            respond(b, &self.inverses[i], self.slender.shares[i], r, z);
        }
        room.multipliers.fill(0.0);
        for (i, rotor) in (l.bodies.len()..).zip(&l.rotors) {
            let w = room.residual[i][rotor.number()] / rotor.inertia;
            room.next[i][rotor.number()] = w;
            room.multipliers[rotor.row] = w;
        }
        let mut row = 0;
        for (constraint, ends) in l.list.iter().zip(&l.ends) {
            let mu = &mut room.multipliers[row..row + constraint.rows];
            ends.iter()
                .filter(|e| e.width > 0)
                .for_each(|e| subtract(mu, &self.loads, e, &room.next[e.jointed]));
            row += constraint.rows;
        }
        self.factors.solve(&l.pattern, &mut room.multipliers);
        self.add_sums(m, &self.responses, &room.multipliers, &mut room.next);
        self.add_sums(m, &self.loads, &room.multipliers, &mut room.residual);
        add_to_rotors(l, &room.multipliers, |rotor| 1.0 / rotor.inertia, &mut room.next);
        add_to_rotors(l, &room.multipliers, |_| 1.0, &mut room.residual);
        self.lambda.iter_mut().zip(&room.multipliers).for_each(|(x, mu)| *x += mu);
    }

    /// Adds Σ λ · `of` to every body, where `of` are gradients or responses.
    fn add_sums(&self, m: &Model, of: &[f64], lambda: &[f64], to: &mut [[f64; 12]]) {
        let (l, mut row) = (&m.constraints, 0);
        for (constraint, ends) in l.list.iter().zip(&l.ends) {
            for end in ends.iter().filter(|e| e.width > 0) {
                let sum = sum_of(&lambda[row..row + constraint.rows], of, end);
                (0..12).for_each(|i| to[end.jointed][i] += sum[i]);
            }
            row += constraint.rows;
        }
    }

    /// Passes M̃⁻¹ E a of every slender body, in the world, to `take`.
    pub(super) fn slender_responses(&self, m: &Model, take: &mut impl FnMut(usize, &[f64])) {
        for (s, load) in m.constraints.slender.iter().zip(&self.slender.loads) {
            let (body, mut out) = (m.constraints.bodies[s.jointed].body, [0.0; 6]);
            let inverse = &self.inverses[s.jointed];
            respond(&m.world.bodies[body], inverse, self.slender.shares[s.jointed], load, &mut out);
            self.to_world(&m.constraints, s.jointed, &mut out);
            take(body, &out);
        }
    }

    /// Passes to `take` how the torque of E a changes as a slender body rotates, with the mass at t = 0.
    pub(crate) fn slender_by_turn(&self, m: &Model, mut take: impl FnMut(usize, Mat3)) {
        for (s, frame) in m.constraints.slender.iter().zip(&self.slender.frames) {
            let Some(turning) = &s.turning else { continue };
            let a = &self.slender.room.accelerations[s.jointed];
            let a = frame * Vec3::new(a[3], a[4], a[5]);
            let excess = frame * Mat3::from_diagonal(&turning.more) * frame.transpose();
            take(turning.body, excess * a.cross_matrix() - (excess * a).cross_matrix());
        }
    }

    /// Passes E a of every slender body to `take`: force and torque, in the world.
    pub(crate) fn slender_loads(&self, m: &Model, mut take: impl FnMut(usize, Vec3, Vec3)) {
        for (s, load) in m.constraints.slender.iter().zip(&self.slender.loads) {
            let (body, mut load) = (m.constraints.bodies[s.jointed].body, *load);
            self.to_world(&m.constraints, s.jointed, &mut load);
            take(body, Vec3::new(load[0], load[1], load[2]), Vec3::new(load[3], load[4], load[5]));
        }
    }
}

/// Adds the action −λ of the multipliers to every rotor, times a factor of it.
fn add_to_rotors(l: &ConstraintSet, lambda: &[f64], factor: impl Fn(&RotorRow) -> f64, to: &mut [[f64; 12]]) {
    for (to, rotor) in to[l.bodies.len()..].iter_mut().zip(&l.rotors) {
        to[rotor.number()] -= factor(rotor) * lambda[rotor.row];
    }
}

fn dot(a: &[[f64; 12]], b: &[[f64; 12]]) -> f64 {
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a * b).sum()
}

/// Computes a += factor · b.
fn add(a: &mut [[f64; 12]], factor: f64, b: &[[f64; 12]]) {
    a.as_flattened_mut().iter_mut().zip(b.as_flattened()).for_each(|(a, b)| *a += factor * b);
}

/// Whether a step of that length changes accelerations by no more than their rounding error; l: the length that relates
/// angular accelerations to those of points [m].
fn is_rounding(length: f64, step: &[[f64; 12]], a: &[[f64; 12]], l: f64) -> bool {
    let largest = |of: &[[f64; 12]]| {
        of.iter().fold(0.0_f64, |most, x| {
            let [along, about] = [&x[..3], &x[3..]].map(|x| x.iter().fold(0.0_f64, |m, x| m.max(x.abs())));
            most.max(along).max(l * about)
        })
    };
    length * largest(step) <= f64::EPSILON * largest(a)
}
