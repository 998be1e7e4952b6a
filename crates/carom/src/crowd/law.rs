//! The contact rules of a model, as the contacts of balls in a crowd feel them.
//!
//! Stiffness, impact speed and mass are latched in the first step that finds two bodies in contact, and springs of friction begin there,
//! not bent. What springs and bristles remember is integrated by the trapezoidal rule with a predicted end, as `verlet` does; springs are
//! let go to their limits step by step, and where bristles relax the rule has its exponential form.

use carom_base::Vec3;
use carom_base::elementary::expm1;
use carom_crowd::{Ahead, Law, Meeting, Push, Sums};
use carom_geometry::RelativeCurvature;
use carom_law::{
    Friction, Grip, Indentation, Memory, NormalForce, Patch, Pressed, Slip, Spring, Stiffness, Touch,
};

use crate::contact::{at_depth, turning};
use crate::model::Model;
use crate::rule::{Against, Rule, material_stiffness, meeting, shears};

/// What a contact of a ball remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallState {
    /// whether the bodies touch
    pub(super) touching: bool,
    /// whether an impact speed was ever latched
    fast: bool,
    /// index of the contact rule
    pub(super) rule: u32,
    pub(super) touch: Touch,
    pub(super) grip: Grip,
    /// whether the elastic force is a power of the indentation
    power: bool,
    /// radii of the patches of rolling and of spinning resistance [m]
    radii: [f64; 2],
    /// what the friction law remembers, and its rate at the end of the last step
    pub(super) memory: [f64; Memory::SIZE],
    rate: [f64; Memory::SIZE],
}

impl Default for BallState {
    fn default() -> BallState {
        BallState {
            touching: false,
            fast: false,
            rule: u32::MAX,
            touch: Touch::point(0.0, 0.0, 0.0),
            grip: Grip::under(0.0),
            power: false,
            radii: [0.0; 2],
            memory: [0.0; Memory::SIZE],
            rate: [0.0; Memory::SIZE],
        }
    }
}

impl BallState {
    /// Says whether the contact has something to remember.
    pub(super) fn is_known(&self) -> bool {
        self.touching || self.fast
    }
}

/// The two surfaces of a contact in a crowd.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) surfaces: [usize; 2],
    /// radii, infinite of a flat wall [m]
    pub(super) radii: [f64; 2],
}

/// The rules of a model between balls, or between balls and flat walls.
pub(super) struct Laws<'c> {
    pub(super) m: &'c Model,
    /// the surface of every body that is a ball
    pub(super) balls: &'c [usize],
    /// the surfaces of the walls, if the second ends are walls
    pub(super) walls: Option<&'c [usize]>,
    pub(super) radii: &'c [f64],
}

/// The forces of a contact. What friction that remembers stores is counted as taken from the motion; the books know what of it is stored.
pub(super) struct Forces {
    pub(super) normal: NormalForce,
    pub(super) f_t: Vec3,
    pub(super) couple: Vec3,
    /// power that resistance dissipates [W]
    lost: f64,
    /// how fast what friction remembers changes
    rate: [f64; Memory::SIZE],
}

impl Forces {
    fn of(normal: NormalForce) -> Forces {
        let none = Vec3::zeros();
        Forces { normal, f_t: none, couple: none, lost: 0.0, rate: [0.0; Memory::SIZE] }
    }
}

impl Laws<'_> {
    /// Returns the surfaces of a contact.
    pub(super) fn ends(&self, ends: [u32; 2]) -> Ends {
        let [a, b] = ends.map(|end| end as usize);
        match self.walls {
            None => Ends { surfaces: [self.balls[a], self.balls[b]], radii: [self.radii[a], self.radii[b]] },
            Some(walls) => {
                Ends { surfaces: [self.balls[a], walls[b]], radii: [self.radii[a], f64::INFINITY] }
            }
        }
    }

    /// Notes what laws need as bodies begin to touch. (What can fail was checked as the model was built.)
    #[cold]
    fn latch(&self, ends: [u32; 2], at: &Meeting, state: &mut BallState) {
        let (m, Ends { surfaces: [a, b], radii }) = (self.m, self.ends(ends));
        let Some((rule, _)) = m.table.get(a, b) else { return };
        let one = &m.rules[rule];
        let across = 1.0 / radii[0] + 1.0 / radii[1];
        let meeting = meeting(&RelativeCurvature::point(across, across));
        let source = one.normal.stiffness();
        let e_star = match source.asks_materials() {
            true => material_stiffness(&m.world, one, a, b).unwrap_or(f64::NAN),
            false => 0.0,
        };
        let stiffness = source.at(e_star, &meeting).unwrap_or(f64::NAN);
        let give = |surface: usize| {
            let body = &m.world.bodies[m.world.surfaces[surface].body];
            match m.world.is_dynamic(m.world.surfaces[surface].body) {
                true => at.n.dot(&body.inverse_mass.component_mul(&at.n)),
                false => 0.0,
            }
        };
        let mass = 1.0 / (give(a) + give(b));
        let known = if state.is_known() { state.touch.v0 } else { one.min_impact_speed };
        let fast = at.delta_dot >= one.min_impact_speed;
        let v0 = if fast { at.delta_dot } else { known };
        let touch = Touch { radius: 1.0 / across, ..Touch::point(stiffness, v0, mass) };
        *state = BallState {
            touching: true,
            fast: state.fast || fast,
            rule: rule as u32,
            touch,
            ..BallState::default()
        };
        for (radius, law) in state.radii.iter_mut().zip(&one.resistance) {
            let patch = law.as_ref().map_or(Patch::Unneeded, |law| law.patch());
            *radius = patch.radius(across, across).unwrap_or(f64::NAN);
        }
        if let Some(law) = remembering(one) {
            let exponent = one.normal.exponent_in(&touch);
            let ratio =
                shears(&m.world, one, a, b).map_or(f64::NAN, |all| all[Against::Sliding as usize].ratio);
            let grip = Grip::new(&touch, exponent, ratio, at.delta, at.delta_dot);
            let load = law.least_load(touch.force(exponent));
            state.power = is_power(one);
            state.grip = Grip { load, damped: !one.normal.is_elastic(), ..grip };
        }
    }

    /// Computes the forces of a contact with what friction remembers.
    #[inline(always)]
    pub(super) fn forces(&self, at: &Meeting, state: &BallState, memory: &[f64; Memory::SIZE]) -> Forces {
        let rule = &self.m.rules[state.rule as usize];
        let indentation = Indentation { delta: at.delta, delta_dot: at.delta_dot };
        let normal = rule.normal.force(indentation, &state.touch);
        let load = normal.f_n.max(0.0);
        let mut forces = Forces::of(normal);
        if let Some(law) = &rule.friction {
            match rule.remembers {
                false => forces.f_t = law.force(load, &at.v_t),
                true => remembered(rule, law.as_ref(), at, state, &normal, memory, &mut forces),
            }
        }
        forces
    }

    /// Adds the couples against rolling and spinning.
    #[cold]
    pub(super) fn resist(&self, at: &Meeting, state: &BallState, forces: &mut Forces) {
        let (rule, load) = (&self.m.rules[state.rule as usize], forces.normal.f_n.max(0.0));
        let w = at.w[0] - at.w[1];
        let along = at.n * w.dot(&at.n);
        for ((law, rate), radius) in rule.resistance.iter().zip([w - along, along]).zip(state.radii) {
            let Some(law) = law else { continue };
            let pressed = Pressed { f_n: load, a: (radius * at.delta).sqrt() };
            let couple = match law.acts_on_path() {
                false => law.couple(&pressed, &rate),
                // balls roll by R ω over one another, across the axis of ω
                true => {
                    let r = state.touch.radius;
                    law.couple(&pressed, &(at.n.cross(&rate) * r)).cross(&at.n) * r
                }
            };
            forces.couple += couple;
            forces.lost -= couple.dot(&rate);
        }
    }
}

/// Returns the friction law of a rule if it remembers.
fn remembering(rule: &Rule) -> Option<&dyn Friction> {
    rule.friction.as_deref().filter(|law| law.remembers())
}

/// Adds the force of friction that remembers, with this memory.
fn remembered(
    rule: &Rule,
    law: &dyn Friction,
    at: &Meeting,
    state: &BallState,
    normal: &NormalForce,
    memory: &[f64; Memory::SIZE],
    forces: &mut Forces,
) {
    let whole = Memory::from_numbers(memory);
    let z = Against::Sliding.part(&at.n, &whole.z);
    let slip = slip(rule, law, at, state, normal);
    if let Some(spring) = spring(law, &slip, state) {
        (forces.f_t, _) = pulled(&spring, &z, &at.v_t);
        return;
    }
    let now = law.evolve_at(0, &slip, &state.grip, &Memory { z, s: whole.s });
    let turning = turning(&at.n, &at.n_dot, &at.w);
    forces.f_t = now.f_t;
    forces.rate = Memory { z: now.rate.z + turning.cross(&whole.z), s: now.rate.s }.numbers();
}

/// Returns the spring of a friction law that has one.
fn spring(law: &dyn Friction, slip: &Slip, state: &BallState) -> Option<Spring> {
    law.switching()?.spring(0, slip, &state.grip)
}

/// Returns the force of a spring that is bent by z, and how far it is bent within its limit.
fn pulled(spring: &Spring, z: &Vec3, v_t: &Vec3) -> (Vec3, Vec3) {
    let long = z.norm();
    match long > spring.limit {
        false => (z * -spring.pull - v_t * spring.damping, *z),
        true => {
            let z = z * (spring.limit / long);
            (z * -spring.pull, z)
        }
    }
}

/// Returns a contact as a friction law with memory sees it. Where the elastic force is K δⁿ, all that follows from the depth does from K and n.
#[inline]
pub(super) fn slip(
    rule: &Rule,
    law: &dyn Friction,
    at: &Meeting,
    state: &BallState,
    normal: &NormalForce,
) -> Slip {
    let (delta, delta_dot, f_n) = (at.delta, at.delta_dot, normal.f_n.max(0.0));
    if !law.follows_depth() {
        return Slip { f_elastic: normal.f_elastic, delta, delta_dot, ..Slip::under(f_n, at.v_t) };
    }
    match state.power {
        true => Slip::of_power(&state.grip, f_n, delta, delta_dot, at.v_t),
        false => {
            let indentation = Indentation { delta, delta_dot };
            Slip { v_t: at.v_t, ..at_depth(rule, &state.touch, &state.grip, 0.0, indentation).0 }
        }
    }
}

/// Says whether the elastic force of a rule is K δⁿ.
fn is_power(rule: &Rule) -> bool {
    let given = matches!(rule.normal.stiffness(), Stiffness::Given(_) | Stiffness::Materials);
    given && rule.normal.is_formula() && !rule.normal.has_phases() && !rule.adheres
}

impl Law for Laws<'_> {
    type State = BallState;

    #[inline]
    fn touches(state: &BallState) -> bool {
        state.touching
    }

    #[inline(always)]
    fn push(
        &self,
        ends: [u32; 2],
        at: &Meeting,
        step: Ahead,
        state: &mut BallState,
        sums: &mut Sums,
    ) -> Push {
        if !state.touching {
            self.latch(ends, at, state);
            sums.touches += 1;
        }
        let rule = &self.m.rules[state.rule as usize];
        let mut forces = match remembering(rule) {
            None => self.forces(at, state, &state.memory),
            Some(law) => self.step(law, at, step.h, state),
        };
        let NormalForce { f_n, f_elastic } = forces.normal;
        if rule.resists() {
            self.resist(at, state, &mut forces);
        }
        sums.acting += 1;
        sums.lost_normal += (f_n - f_elastic) * at.delta_dot;
        sums.lost_friction += forces.lost - forces.f_t.dot(&at.v_t);
        sums.force = sums.force.max(f_n);
        sums.depth = sums.depth.max(at.delta);
        Push { force: forces.f_t - at.n * f_n, couple: forces.couple }
    }

    fn part(&self, _: [u32; 2], state: &mut BallState, _: &mut Sums) {
        state.touching = false;
        (state.memory, state.rate) = ([0.0; Memory::SIZE], [0.0; Memory::SIZE]);
    }
}

impl Laws<'_> {
    /// Computes the forces of a contact at the end of a step of length `h` [s], and takes what friction remembers through it.
    #[inline]
    fn step(&self, law: &dyn Friction, at: &Meeting, h: f64, state: &mut BallState) -> Forces {
        let rule = &self.m.rules[state.rule as usize];
        let indentation = Indentation { delta: at.delta, delta_dot: at.delta_dot };
        let normal = rule.normal.force(indentation, &state.touch);
        if let Some(spring) = spring(law, &slip(rule, law, at, state, &normal), state) {
            let mut forces = Forces::of(normal);
            forces.f_t = stretched(&spring, at, h, state);
            return forces;
        }
        self.relax(at, h, state)
    }

    /// The same, of a law whose bristles relax.
    fn relax(&self, at: &Meeting, h: f64, state: &mut BallState) -> Forces {
        let (start, rate) = (state.memory, state.rate);
        let fades = relaxation(&start, &rate, &at.v_t);
        let one = phi(fades * h)[0];
        let ahead: [f64; Memory::SIZE] = std::array::from_fn(|i| start[i] + h * one * rate[i]);
        let forces = self.forces(at, state, &ahead);
        let fades = fades.max(relaxation(&ahead, &forces.rate, &at.v_t));
        let [one, two] = phi(fades * h);
        state.memory = std::array::from_fn(|i| {
            let bend = forces.rate[i] - rate[i] + fades * (ahead[i] - start[i]);
            start[i] + h * (one * rate[i] + two * bend)
        });
        state.rate = forces.rate;
        forces
    }
}

/// Takes a spring through a step of length `h` [s], and returns its force at the end: it is bent by the slip, by the trapezoidal rule with a predicted
/// end, and let go to its limit if it is bent further.
#[inline]
fn stretched(spring: &Spring, at: &Meeting, h: f64, state: &mut BallState) -> Vec3 {
    let [start, rate] = [&state.memory, &state.rate].map(|x| Vec3::new(x[0], x[1], x[2]));
    let turning = turning(&at.n, &at.n_dot, &at.w);
    let bent = |z: &Vec3| spring.drive + z * spring.relief + turning.cross(z);
    let z = start + (rate + bent(&(start + rate * h))) * (0.5 * h);
    let (force, z) = pulled(spring, &Against::Sliding.part(&at.n, &z), &at.v_t);
    state.memory[..3].copy_from_slice(z.as_slice());
    state.rate[..3].copy_from_slice(bent(&z).as_slice());
    force
}

/// Returns the rate λ at which bristles relax [1/s]: ż = v − λ z along z.
fn relaxation(memory: &[f64; Memory::SIZE], rate: &[f64; Memory::SIZE], v_t: &Vec3) -> f64 {
    let [z, r] = [memory, rate].map(|x| Vec3::new(x[0], x[1], x[2]));
    let squared = z.norm_squared();
    let fades = (v_t - r).dot(&z) / squared;
    if squared > 0.0 && fades.is_finite() { fades.max(0.0) } else { 0.0 }
}

/// Returns φ1 and φ2 of −x: (1 − e^{−x})/x and (1 − φ1)/x.
fn phi(x: f64) -> [f64; 2] {
    if x < 1e-3 {
        return [
            1.0 - x / 2.0 + x * x / 6.0 - x * x * x / 24.0,
            0.5 - x / 6.0 + x * x / 24.0 - x * x * x / 120.0,
        ];
    }
    let one = -expm1(-x) / x;
    [one, (1.0 - one) / x]
}
