//! How much joints rub: loads that are the reactions under the friction they make.

use carom_base::Vec3;
use carom_law::Memory;
use carom_ode::RhsFailure;

use super::multipliers::Multipliers;
use crate::joint::{A, B, JointFrictionTerm, Slipping};
use crate::model::Model;
use crate::site::Part;
use crate::state::Loaded;

/// Iterations at most.
const MOST: usize = 100;
/// Relative: what rounding leaves of a load.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Relative: what is no load at all.
const OFF: f64 = 1e-10;

/// Loads are scanned from this part of the load found to so many times of it, in steps of this ratio: a law's narrowest band, a hundredth of a load, is seen.
const SCANNED: f64 = 64.0;
const RATIO: f64 = 1.005;

/// Room for the friction of all joints.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointFrictionState {
    pub(crate) slips: Vec<Slipping>,
    /// accelerations of A and B for a unit of friction, way by way
    responses: Vec<[[[f64; 12]; 3]; 2]>,
    /// N
    pub(crate) loads: Vec<f64>,
    /// F
    pub(crate) forces: Vec<Vec3>,
    /// g(N) − N, now and before, and the N before
    residuals: [Vec<f64>; 2],
    before: Vec<f64>,
    /// where the bristles are in the state, of those that have some
    pub(crate) memories: Vec<Option<usize>>,
}

// (how fast bristles are is asked of the slips and loads found last)
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

    /// The accelerations of A or B under friction `f`.
    pub(crate) fn response(&self, friction: usize, end: usize, f: &Vec3) -> [f64; 12] {
        let mut a = [0.0; 12];
        for (response, f) in self.responses[friction][end].iter().zip(f) {
            a.iter_mut().zip(response).for_each(|(a, r)| *a += r * f);
        }
        a
    }

    /// What is remembered by the friction of that number.
    pub(crate) fn memory(&self, friction: usize, memories: &[[f64; Memory::SIZE]]) -> Option<Memory> {
        self.memories[friction].map(|memory| Memory::from_numbers(&memories[memory]))
    }

    /// Finds loads and friction. `joints` has λ without friction as it comes, and with it as it goes; `a`, the accelerations without joints, likewise.
    pub(crate) fn solve(
        &mut self,
        m: &Model,
        bodies: &[Loaded],
        memories: &[[f64; Memory::SIZE]],
        joints: &mut Multipliers,
        a: &mut [[f64; 12]],
        mass_factor: impl Fn(usize) -> f64,
    ) -> Result<(), RhsFailure> {
        let frictions = &m.constraints.frictions;
        for (i, friction) in frictions.iter().enumerate() {
            let slip = friction.slipping([A, B].map(|end| joints.moving_of(m, friction.constraint, end)));
            for (end, side) in [(A, 1.0), (B, -1.0)] {
                let body = friction.bodies[end];
                for way in 0..friction.ways() {
                    let load = slip.unit_load(way, &bodies[body].k, side);
                    self.responses[i][end][way] =
                        joints.response(m, (friction.constraint, end), mass_factor(body), &load);
                }
            }
            self.slips[i] = slip;
            self.forces[i] = Vec3::zeros();
            self.loads[i] = load(m, bodies, joints, friction, &slip.p);
        }
        self.iterate(m, bodies, memories, joints, a)
    }

    /// N ← N + ω (g(N) − N): ω = 1, and then what makes the last residual vanish along the last step. Where several loads balance, the least is meant, which friction comes to as it builds
    /// up from none: a step that leads beyond is taken back.
    fn iterate(
        &mut self,
        m: &Model,
        bodies: &[Loaded],
        memories: &[[f64; Memory::SIZE]],
        joints: &mut Multipliers,
        a: &mut [[f64; 12]],
    ) -> Result<(), RhsFailure> {
        let mut omega = 1.0;
        let mut least = f64::INFINITY;
        for step in 0..MOST {
            self.push(m, memories, a);
            joints.solve(m, a);
            let mut worst = (0.0_f64, 0);
            for (i, friction) in m.constraints.frictions.iter().enumerate() {
                let now = load(m, bodies, joints, friction, &self.slips[i].p) - self.loads[i];
                self.residuals[0][i] = now;
                let off = now.abs() / self.loads[i].abs().max(f64::MIN_POSITIVE);
                if !(off <= worst.0) {
                    worst = (off, friction.constraint);
                }
            }
            // as good as rounding, or good, and no better than before
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

    /// What is to be tried instead of a step of ω that may have gone past the least load that balances: less, where the residual has turned round and is not half of what it was; and where it has
    /// not turned round, no more than ω = 1, by which a load that grows with its friction does not pass a balance.
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

    /// The ω that makes the last residual vanish along the last step; 1, where the residual has grown: the balance that it has come from is behind.
    fn longer(&self, omega: f64) -> f64 {
        let [now, before] = &self.residuals;
        let change = |(r, s): (&f64, &f64)| (s * (r - s), (r - s) * (r - s));
        let sums = now.iter().zip(before).map(change).fold((0.0, 0.0), |s, x| (s.0 + x.0, s.1 + x.1));
        if sums.0 < 0.0 { -omega * sums.0 / sums.1 } else { 1.0 }
    }

    /// Brings the friction to its loads, and the accelerations with it.
    fn push(&mut self, m: &Model, memories: &[[f64; Memory::SIZE]], a: &mut [[f64; 12]]) {
        for (i, friction) in m.constraints.frictions.iter().enumerate() {
            let f = friction.force(self.loads[i], &self.slips[i].v, self.memory(i, memories).as_ref());
            let change = f - self.forces[i];
            self.forces[i] = f;
            for end in [A, B] {
                let a = &mut a[m.constraints.jointed_index(friction.constraint, end)];
                for (response, df) in self.responses[i][end].iter().zip(&change).take(friction.ways()) {
                    a.iter_mut().zip(response).for_each(|(a, r)| *a += r * df);
                }
            }
        }
    }
}

impl JointFrictionState {
    /// The loads of a joint's friction that balance, N = g(N), those of the others being as they are, in the state that was evaluated last. More than one: friction adds more to the load than it
    /// needs, and the state does not say which of them it is. Leaves multipliers and accelerations of another load behind.
    pub(crate) fn balances(
        &mut self,
        m: &Model,
        bodies: &[Loaded],
        memories: &[[f64; Memory::SIZE]],
        joints: &mut Multipliers,
        a: &mut [[f64; 12]],
        friction: usize,
    ) -> Vec<f64> {
        let found = self.loads[friction];
        let mut excess = |joint_friction: &mut JointFrictionState, n: f64| {
            joint_friction.loads[friction] = n;
            joint_friction.push(m, memories, a);
            joints.solve(m, a);
            load(m, bodies, joints, &m.constraints.frictions[friction], &joint_friction.slips[friction].p) - n
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

/// The load of a joint that slips at `p`, with the multipliers as they are.
fn load(m: &Model, bodies: &[Loaded], joints: &Multipliers, friction: &JointFrictionTerm, p: &Vec3) -> f64 {
    let on = |end: usize| {
        let (force, torque) = joints.wrench(m, friction.constraint, end)?;
        Some((force, torque + (bodies[friction.bodies[end]].k.x.p - p).cross(&force)))
    };
    let (force, couple) = on(B).or_else(|| on(A)).unwrap_or_default();
    friction.load(&force, &couple)
}
