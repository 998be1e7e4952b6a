//! The joint friction in a state: the loads are the reactions that result from the friction they cause.

use carom_base::Vec3;
use carom_law::Memory;
use carom_ode::RhsFailure;

use super::multipliers::Multipliers;
use crate::joint::{A, B, JointFrictionTerm, Slipping};
use crate::model::Model;
use crate::site::Part;
use crate::state::Loaded;

/// The largest number of iterations.
const MOST: usize = 100;
/// Relative residual of a load that is only rounding error.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Relative residual above which a load is not accepted as converged.
const OFF: f64 = 1e-10;

/// Loads are scanned from 1/`SCANNED` to `SCANNED` times the load found, in steps of the ratio `RATIO`, so that the
/// narrowest band of a law, a hundredth of a load, is resolved.
const SCANNED: f64 = 64.0;
const RATIO: f64 = 1.005;

/// A state with joints, in which the friction of joints is sought.
pub(crate) struct Jointed<'a> {
    pub(crate) m: &'a Model,
    pub(crate) bodies: &'a [Loaded],
    pub(crate) memories: &'a [[f64; Memory::SIZE]],
    /// λ: without friction on entry, with friction on return
    pub(crate) joints: &'a mut Multipliers,
    /// the accelerations that the joints are to change; without friction on entry, with friction on return
    pub(crate) a: &'a mut [[f64; 12]],
}

impl Jointed<'_> {
    /// Returns the load of a joint that slips at `p`, from the present multipliers [N].
    fn load(&self, friction: &JointFrictionTerm, p: &Vec3) -> f64 {
        let on = |end: usize| {
            let (force, torque) = self.joints.wrench(self.m, friction.constraint, end)?;
            Some((force, torque + (self.bodies[friction.bodies[end]].k.x.p - p).cross(&force)))
        };
        let (force, couple) = on(B).or_else(|| on(A)).unwrap_or_default();
        friction.load(&force, &couple)
    }
}

/// Workspace for the friction of all joints.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointFrictionState {
    pub(crate) slips: Vec<Slipping>,
    /// accelerations of A and B per unit of friction, for each direction of slip
    responses: Vec<[[[f64; 12]; 3]; 2]>,
    /// N, for each friction term [N]
    pub(crate) loads: Vec<f64>,
    /// F, for each friction term [N]
    pub(crate) forces: Vec<Vec3>,
    /// g(N) − N, in this and the last iteration; and below, the N of the last iteration
    residuals: [Vec<f64>; 2],
    before: Vec<f64>,
    /// index of the bristle state of each friction term, if it has one
    pub(crate) memories: Vec<Option<usize>>,
}

// (the time scales of bristles are computed from the slips and loads found last)
carom_base::carried!(
    JointFrictionState { slips, loads, memories } scratch { responses, forces, residuals, before }
);

impl JointFrictionState {
    pub(crate) fn new(m: &Model) -> JointFrictionState {
        let count = m.constraints.frictions.len();
        let still = Slipping { v: Vec3::zeros(), p: Vec3::zeros(), units: Default::default() };
        JointFrictionState {
            slips: vec![still; count],
            responses: vec![[[[0.0; 12]; 3]; 2]; count],
            loads: vec![0.0; count],
            forces: vec![Vec3::zeros(); count],
            residuals: [vec![0.0; count], vec![0.0; count]],
            before: vec![0.0; count],
            memories: vec![None; count],
        }
    }

    /// Returns the accelerations of A or B under friction `f`.
    pub(crate) fn response(&self, friction: usize, end: usize, f: &Vec3) -> [f64; 12] {
        let mut a = [0.0; 12];
        for (response, f) in self.responses[friction][end].iter().zip(f) {
            a.iter_mut().zip(response).for_each(|(a, r)| *a += r * f);
        }
        a
    }

    /// Returns the bristle state of a friction term, if it has one.
    pub(crate) fn memory(&self, friction: usize, memories: &[[f64; Memory::SIZE]]) -> Option<Memory> {
        self.memories[friction].map(|memory| Memory::from_numbers(&memories[memory]))
    }

    /// Computes loads and friction.
    pub(crate) fn solve(
        &mut self,
        state: &mut Jointed<'_>,
        mass_factor: impl Fn(usize) -> f64,
    ) -> Result<(), RhsFailure> {
        let (m, bodies) = (state.m, state.bodies);
        for (i, friction) in m.constraints.frictions.iter().enumerate() {
            let slip =
                friction.slipping([A, B].map(|end| state.joints.moving_of(m, friction.constraint, end)));
            for (end, side) in [(A, 1.0), (B, -1.0)] {
                let body = friction.bodies[end];
                for way in 0..friction.slip_directions() {
                    let load = slip.unit_load(way, &bodies[body].k, side);
                    self.responses[i][end][way] =
                        state.joints.response(m, (friction.constraint, end), mass_factor(body), &load);
                }
            }
            self.slips[i] = slip;
            self.forces[i] = Vec3::zeros();
            self.loads[i] = state.load(friction, &slip.p);
        }
        self.iterate(state)
    }

    /// Iterates N ← N + ω (g(N) − N): first with ω = 1, then with the ω that makes the last residual vanish along the
    /// last step. Where several loads satisfy N = g(N), the least one is sought, which friction reaches as it builds up
    /// from zero: a step that leads beyond it is taken back.
    fn iterate(&mut self, state: &mut Jointed<'_>) -> Result<(), RhsFailure> {
        let mut omega = 1.0;
        let mut least = f64::INFINITY;
        for step in 0..MOST {
            self.push(state);
            let mut worst = (0.0_f64, 0);
            for (i, friction) in state.m.constraints.frictions.iter().enumerate() {
                let now = state.load(friction, &self.slips[i].p) - self.loads[i];
                self.residuals[0][i] = now;
                let off = now.abs() / self.loads[i].abs().max(f64::MIN_POSITIVE);
                if !(off <= worst.0) {
                    worst = (off, friction.constraint);
                }
            }
            // converged to rounding error, or close to it and not improving any more
            if worst.0 <= ROUNDING || (worst.0 < OFF && worst.0 >= least) {
                return Ok(());
            }
            if step + 1 == MOST || !worst.0.is_finite() {
                let reason = "its friction adds to the load that makes it, without end: it jams";
                return Err(Part::Joint(worst.1).fails(reason));
            }
            least = least.min(worst.0);
            match self.shorter(omega).filter(|_| step > 0) {
                Some(shorter) => omega = shorter,
                None => {
                    omega = if step > 0 { self.longer(omega) } else { 1.0 };
                    self.before.copy_from_slice(&self.loads);
                    let [now, before] = &mut self.residuals;
                    before.copy_from_slice(now);
                }
            }
            for ((n, before), r) in self.loads.iter_mut().zip(&self.before).zip(&self.residuals[1]) {
                *n = (before + omega * r).max(0.0);
            }
        }
        Ok(())
    }

    /// Returns the ω to be tried instead of a step that may have passed the least load that satisfies N = g(N): a
    /// smaller one where the residual has changed its sign and is more than half of what it was; and where it has not
    /// changed its sign, at most ω = 1, with which a load that grows with its friction passes no solution.
    fn shorter(&self, omega: f64) -> Option<f64> {
        let [now, before] = &self.residuals;
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (was, along) = (product(before, before), product(before, now));
        if 4.0 * product(now, now) <= was {
            return None;
        }
        match along < 0.0 {
            true => Some(omega * (was / (was - along)).clamp(0.1, 0.9)),
            false => (omega > 1.0).then_some(1.0),
        }
    }

    /// Returns the ω that makes the last residual vanish along the last step; 1 where the residual has grown, since the
    /// solution that it has moved away from then lies behind.
    fn longer(&self, omega: f64) -> f64 {
        let [now, before] = &self.residuals;
        let change = |(r, s): (&f64, &f64)| (s * (r - s), (r - s) * (r - s));
        let sums = now.iter().zip(before).map(change).fold((0.0, 0.0), |s, x| (s.0 + x.0, s.1 + x.1));
        if sums.0 < 0.0 { -omega * sums.0 / sums.1 } else { 1.0 }
    }

    /// Updates the friction to its present loads, and accelerations and multipliers accordingly.
    fn push(&mut self, Jointed { m, memories, joints, a, .. }: &mut Jointed<'_>) {
        for (i, friction) in m.constraints.frictions.iter().enumerate() {
            let f = friction.force(self.loads[i], &self.slips[i].v, self.memory(i, memories).as_ref());
            let change = f - self.forces[i];
            self.forces[i] = f;
            for end in [A, B] {
                let a = &mut a[m.constraints.jointed_index(friction.constraint, end)];
                for (response, df) in
                    self.responses[i][end].iter().zip(&change).take(friction.slip_directions())
                {
                    a.iter_mut().zip(response).for_each(|(a, r)| *a += r * df);
                }
            }
        }
        joints.solve(m, a);
    }

    /// Returns the loads of a joint's friction that satisfy N = g(N) in the state evaluated last, with the loads of the
    /// other joints unchanged. If there is more than one, an increase of the load causes friction that increases it by
    /// even more (g′ > 1), and the state does not determine which of them it is. At the end multipliers and
    /// accelerations are those of the load found before.
    pub(crate) fn balances(&mut self, state: &mut Jointed<'_>, friction: usize) -> Vec<f64> {
        let found = self.loads[friction];
        let term = &state.m.constraints.frictions[friction];
        let mut excess = |joint_friction: &mut JointFrictionState, n: f64| {
            joint_friction.loads[friction] = n;
            joint_friction.push(state);
            state.load(term, &joint_friction.slips[friction].p) - n
        };
        let mut balances = Vec::new();
        let mut n = found / SCANNED;
        let mut before = excess(self, n);
        while n < found * SCANNED {
            let next = n * RATIO;
            let now = excess(self, next);
            if (before > 0.0) != (now > 0.0) {
                balances.push(n + (next - n) * before / (before - now));
            }
            (n, before) = (next, now);
        }
        excess(self, found);
        balances
    }
}
