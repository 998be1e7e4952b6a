//! The contact rules of a model, as the contacts of balls in a crowd feel them.
//!
//! Stiffness, impact speed and mass are latched in the first step that finds two bodies in contact, and springs of friction begin there,
//! not bent.

use carom_base::Vec3;
use carom_crowd::{Ahead, Law, Meeting, Push, Sums};
use carom_geometry::RelativeCurvature;
use carom_law::{Friction, Grip, History, Indentation, NormalForce, Patch, Pressed, Slip, Stiffness, Touch};

use crate::contact::{Advance, Remembered, follow_phases, note_extreme, turning};
use crate::model::Model;
use crate::rule::{Against, FrictionAt, Rule, material_stiffness, meeting, shears};

/// The one element that friction has here.
pub(super) const SLIDING: (usize, Against) = (0, Against::Sliding);

/// What a contact of a ball remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallState {
    /// whether the bodies touch
    pub(super) touching: bool,
    /// whether an impact speed was ever latched
    fast: bool,
    /// index of the contact rule
    pub(super) rule: u32,
    /// what was latched of the contact, of a [`Touch`] and of a [`Grip`] no more than a ball needs: there are many of them
    stiffness: f64,
    v0: f64,
    mass: f64,
    radius: f64,
    history: History,
    gripped: Gripped,
    /// whether the elastic force is a power of the indentation, and whether the normal law has phases
    power: bool,
    phases: bool,
    /// radii of the patches of rolling and of spinning resistance [m]
    radii: [f64; 2],
    /// what the friction law remembers
    pub(super) remembered: Remembered,
}

impl Default for BallState {
    fn default() -> BallState {
        BallState {
            touching: false,
            fast: false,
            rule: u32::MAX,
            stiffness: 0.0,
            v0: 0.0,
            mass: 0.0,
            radius: 0.0,
            history: History::NEW,
            gripped: Gripped::default(),
            power: false,
            phases: false,
            radii: [0.0; 2],
            remembered: Remembered::default(),
        }
    }
}

/// What friction with memory needs of a contact.
#[derive(Clone, Copy, Debug, Default)]
struct Gripped {
    load: f64,
    exponent: f64,
    ratio: f64,
    depth: f64,
    reach: f64,
    damped: bool,
}

carom_base::plain!(Gripped { load, exponent, ratio, depth, reach, damped });
carom_base::plain!(BallState {
    touching,
    fast,
    rule,
    stiffness,
    v0,
    mass,
    radius,
    history,
    gripped,
    power,
    phases,
    radii,
    remembered
});

impl BallState {
    /// Returns the contact as normal laws see it.
    #[inline]
    pub(super) fn touch(&self) -> Touch {
        let BallState { stiffness, v0, mass, radius, history, .. } = *self;
        Touch { history, ..Touch::point(stiffness, v0, mass).round(radius) }
    }

    /// Returns the contact as friction with memory sees it.
    #[inline]
    pub(super) fn grip(&self) -> Grip {
        let Gripped { load, exponent, ratio, depth, reach, damped } = self.gripped;
        let (stiffness, speed) = (self.stiffness, self.v0);
        Grip { stiffness, exponent, ratio, depth, speed, reach, damped, ..Grip::under(load) }
    }

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
}

impl Forces {
    fn of(normal: NormalForce) -> Forces {
        let none = Vec3::zeros();
        Forces { normal, f_t: none, couple: none, lost: 0.0 }
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
        let known = if state.is_known() { state.v0 } else { one.min_impact_speed };
        let fast = at.delta_dot >= one.min_impact_speed;
        let v0 = if fast { at.delta_dot } else { known };
        let touch = Touch::point(stiffness, v0, mass).round(1.0 / across);
        *state = BallState {
            touching: true,
            fast: state.fast || fast,
            rule: rule as u32,
            stiffness,
            v0,
            mass,
            radius: touch.radius,
            phases: one.normal.has_phases(),
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
            let Grip { depth, reach, .. } = grip;
            state.gripped = Gripped { load, exponent, ratio, depth, reach, damped: !one.normal.is_elastic() };
        }
    }

    /// Computes the forces of a contact as it is.
    pub(super) fn forces(&self, at: &Meeting, state: &BallState) -> Forces {
        let rule = &self.m.rules[state.rule as usize];
        let mut forces = Forces::of(pressed(rule, at, state));
        if let Some(law) = &rule.friction {
            forces.f_t = match law.remembers() {
                false => law.force(forces.normal.f_n.max(0.0), &at.v_t),
                true => {
                    let slip = slip(rule, law.as_ref(), at, state, &forces.normal);
                    state.remembered.force(law.as_ref(), SLIDING, &slip, &state.grip(), &at.n)
                }
            };
        }
        self.resist(at, state, &mut forces);
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
                    let r = state.radius;
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

/// Computes the normal force of a contact.
#[inline(always)]
fn pressed(rule: &Rule, at: &Meeting, state: &BallState) -> NormalForce {
    rule.normal.force(Indentation { delta: at.delta, delta_dot: at.delta_dot }, &state.touch())
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
        true => Slip::of_power(&state.grip(), f_n, delta, delta_dot, at.v_t),
        false => {
            let indentation = Indentation { delta, delta_dot };
            let (slip, _) = Slip::at_depth(&*rule.normal, &state.touch(), &state.grip(), indentation);
            Slip { v_t: at.v_t, ..slip }
        }
    }
}

/// Says whether the contacts of balls under a rule are treated here: forces act midway between the surfaces, by laws that give one memory at most, without adhesion and with the standard pairs.
pub(super) fn suits_balls(m: &Model, rule: &Rule) -> bool {
    let springs = rule.resistance.iter().flatten().any(|law| law.spring().is_some());
    let one = rule.friction.as_ref().is_none_or(|law| law.elements() == 1);
    let standard = rule.solver.is_none() && m.world.solvers.0.is_empty();
    let middle = rule.friction.is_none() || rule.friction_at == FrictionAt::Middle;
    standard && middle && one && !springs && !rule.adheres
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
        if state.phases {
            let mut touch = state.touch();
            note_extreme(&mut touch.history, at.delta);
            follow_phases(&*rule.normal, &mut touch, at.delta, at.delta_dot);
            state.history = touch.history;
        }
        let mut forces = Forces::of(pressed(rule, at, state));
        if let Some(law) = rule.friction.as_deref() {
            forces.f_t = match rule.remembers {
                false => law.force(forces.normal.f_n.max(0.0), &at.v_t),
                true => {
                    let slip = slip(rule, law, at, state, &forces.normal);
                    let by = Advance { h: step.h, n: at.n, turning: turning(&at.n, &at.n_dot, &at.w) };
                    let grip = state.grip();
                    state.remembered.advance(law, SLIDING, &slip, &grip, &by)
                }
            };
        }
        if rule.resists() {
            self.resist(at, state, &mut forces);
        }
        let NormalForce { f_n, f_elastic } = forces.normal;
        sums.acting += 1;
        sums.lost_normal += (f_n - f_elastic) * at.delta_dot;
        sums.lost_friction += forces.lost - forces.f_t.dot(&at.v_t);
        sums.force = sums.force.max(f_n);
        sums.depth = sums.depth.max(at.delta);
        Push { force: forces.f_t - at.n * f_n, couple: forces.couple }
    }

    fn part(&self, _: [u32; 2], state: &mut BallState, _: &mut Sums) {
        (state.touching, state.remembered) = (false, Remembered::default());
    }
}
