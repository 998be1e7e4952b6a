//! The monitor of gaps: no contact is missed, and none stalls the run.
//!
//! Each contact point is off, on or free ([`Status`]). After a step, bounds on how gaps can change certify, pair by pair,
//! that no gap near zero has crossed it. A gap that cannot be certified is searched on the step's interpolant, and the step
//! is repeated to end on the earliest crossing. There all points whose gaps are crossed, or zero within rounding error,
//! change status together, laws latch their quantities, and the integrator restarts once.

use carom_base::Two;
use carom_geometry::Contact;
use carom_law::Indentation;
use carom_ode::{Interpolant, RhsFailure, Step};

use super::ahead::Ahead;
use super::bounds::BodyBounds;
use super::bristle::Memories;
#[cfg(test)]
use super::candidates::EAGER_PAIRS;
use super::candidates::PairSearch;
use super::contact_point::Status;
use super::kinks::KinkSearch;
use super::mass::Mobility;
use super::pair::ContactPair;
use super::phases::PhaseSearch;
use super::reason::reason;
use super::rounding::Rounding;
use super::unlocated::Foreseen;
use crate::contact::Active;
use crate::error::BuildError;
use crate::layout::{Affine, Rigid};
use crate::model::Model;
use crate::record::{Event, Warning};
use crate::site::Part;
use crate::state::Kinematics;
use crate::world::BodyKind;

/// A contact point whose gap could not be certified in this step, and the bounds on that gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suspect {
    pub(super) at: Active,
    pub(super) bounds: carom_ode::events::Bounds,
}

/// The step examined last, accepted or not.
pub(super) struct Examined {
    /// its number
    pub(super) steps: u64,
    /// its times [s]
    pub(super) start: f64,
    pub(super) end: f64,
    /// whether it was repeated after the gaps at its end were stored
    pub(super) repeated: bool,
    /// the contact point whose crossing was found, and the gap at which it crosses [m]: zero, unless the point starts beyond
    /// zero
    pub(super) target: Option<(Active, f64)>,
    /// contact points whose gaps could not be certified
    pub(super) suspects: Vec<Suspect>,
    /// contact points of a pair with many points at its end
    pub(super) contacts_at_end: Vec<Contact<Two>>,
}

carom_base::carried!(Examined { steps, start, end, repeated, target } scratch { suspects, contacts_at_end });

/// What a run reports of its contacts.
#[derive(Default)]
pub(crate) struct Report {
    /// largest normal force of a pair so far [N]
    pub(crate) peak_force: f64,
    /// number of times that a pair that was apart has touched
    pub(crate) contacts: usize,
    /// touches and releases that the runner has not taken yet
    pub(crate) events: Vec<Event>,
    pub(crate) warnings: Vec<Warning>,
}

carom_base::carried!(Report { peak_force, contacts, events, warnings });

/// The contact monitor: all contact pairs of a run, and their state.
pub(crate) struct ContactMonitor {
    pub(crate) pairs: Vec<ContactPair>,
    /// the contact points that can carry a force, of all pairs
    pub(crate) active: Vec<Active>,
    pub(crate) search: PairSearch,
    /// whether touches and releases are located as events
    pub(crate) locates: bool,
    /// number of accepted steps: every stored gap belongs to one of them
    pub(super) accepted: u64,
    pub(crate) ahead: Ahead,
    pub(super) examined: Examined,
    /// search for the ends of phases of laws with history
    pub(super) phases: PhaseSearch,
    /// search for kinks in the slopes of forces
    pub(super) kinks: KinkSearch,
    /// indices of the contact pairs to examine in this step
    pub(crate) candidates: Vec<usize>,
    /// bounds on the motion of every body in the step being examined
    pub(crate) bounds: Vec<BodyBounds>,
    /// prediction for the next step, used if contacts are not located
    pub(super) foreseen: Foreseen,
    /// workspace for effective masses
    pub(super) mobility: Mobility,
    /// positions in the state of the friction memories (bristles)
    pub(crate) memories: Memories,
    /// effect of the rounding of positions on indentations
    pub(crate) rounding: Rounding,
    pub(crate) report: Report,
    /// energy lost as adhesive surfaces have jumped into contact and out of it [J]
    pub(crate) lost_in_jumps: f64,
    /// reason why a contact could not be evaluated, and in which pair
    pub(crate) failure: Option<RhsFailure>,
}

// (pairs must be bound before they are restored; a run that has failed is not saved)
carom_base::carried!(
    ContactMonitor { active, accepted, ahead, examined, phases, candidates, bounds, foreseen, memories, rounding, report, lost_in_jumps } scratch {
        pairs, search, locates, kinks, mobility, failure
    }
);

impl ContactMonitor {
    #[cfg(test)]
    pub(crate) fn new(m: &Model) -> Result<ContactMonitor, BuildError> {
        ContactMonitor::with_limit(m, EAGER_PAIRS)
    }

    /// Creates a monitor that leaves the search for near pairs to the sweep if there are more than `eager_pairs` pairs.
    pub(crate) fn with_limit(m: &Model, eager_pairs: usize) -> Result<ContactMonitor, BuildError> {
        let mut monitor = ContactMonitor {
            pairs: m.constraints.stops.iter().map(|stop| ContactPair::of_stop(m, stop)).collect(),
            active: Vec::new(),
            search: PairSearch::new(),
            locates: false,
            accepted: 1,
            ahead: Ahead::new(),
            examined: Examined {
                steps: 1,
                start: f64::NAN,
                end: f64::NAN,
                repeated: false,
                target: None,
                suspects: Vec::new(),
                contacts_at_end: Vec::new(),
            },
            phases: PhaseSearch::default(),
            kinks: KinkSearch::default(),
            candidates: Vec::new(),
            bounds: m.world.bodies.iter().map(BodyBounds::at_rest).collect(),
            foreseen: Foreseen::new(m),
            mobility: Mobility::new(m),
            memories: Memories::default(),
            rounding: Rounding::default(),
            report: Report::default(),
            lost_in_jumps: 0.0,
            failure: None,
        };
        monitor.bind_pairs(m, eager_pairs)?;
        let most = monitor.pairs.iter().map(|s| s.state.points.len()).max().unwrap_or(0);
        monitor.examined.contacts_at_end.reserve(most.div_ceil(2));
        Ok(monitor)
    }

    /// Sets the status of every contact point at the start: a point that overlaps, or is zero within rounding error and
    /// closes, is on; a point whose gap and rate are zero within rounding error is free.
    pub(crate) fn start(&mut self, m: &Model, t: f64, y: &[f64]) {
        let f = vec![0.0; y.len()];
        let step = Step::still(t, y, &f);
        self.bounds.iter_mut().zip(&m.world.bodies).for_each(|(bounds, b)| bounds.look(b, &step));
        self.find_candidates(m, 0.0, 0.0);
        let worn = m.world.layout.worn(y);
        for i in 0..self.candidates.len() {
            let pair = self.candidates[i];
            for k in 0..self.pairs[pair].monitored_points() {
                let at = Active { pair, point: k };
                let Some((g, rate)) = self.gap_at_end(at, worn) else { continue };
                let g = g - self.pairs[pair].begins();
                let zero_gap = self.grain_at_end(pair);
                let closing = rate < -speed_rounding(m);
                let jumps = m.rules[self.pairs[pair].rule].jumps();
                if g.abs() <= zero_gap && !closing && rate <= speed_rounding(m) && !jumps {
                    self.set_free(m, t, at, worn);
                } else if g < -zero_gap || (g <= zero_gap && (closing || jumps)) {
                    self.found_touching(m, t, at, worn);
                }
            }
        }
        self.list_active();
        self.hold_pieces();
    }

    /// Computes the gap [m] of a contact point and its rate [m/s] at the end of the step being examined, with the wear
    /// depths `worn` there.
    pub(crate) fn gap_at_end(&mut self, at: Active, worn: &[f64]) -> Option<(f64, f64)> {
        let s = &mut self.pairs[at.pair];
        let bodies = s.bodies(|body| &self.bounds[body].end, worn);
        match s.gap_at_end(at.point, bodies) {
            Ok(g) => Some(g),
            Err(e) => {
                self.failure = Some(Part::Contact(at.pair).fails(reason(e)));
                None
            }
        }
    }

    /// Returns the gap that counts as zero for a pair at the end of the step being examined [m].
    pub(super) fn grain_at_end(&self, pair: usize) -> f64 {
        let s = &self.pairs[pair];
        s.zero_gap(&self.bounds[s.body_a].end, &self.bounds[s.body_b].end)
    }

    /// Returns the indentation of a contact point and its rate at time `t`, the end of an accepted step, if the monitor has
    /// examined them there.
    pub(crate) fn known_at(&self, at: &Active, t: f64) -> Option<Indentation> {
        let pair = &self.pairs[at.pair];
        if self.examined.repeated
            || self.examined.end != t
            || pair.state.points[at.point].end.step != self.examined.steps
        {
            return None;
        }
        let f = &pair.state.points[at.point];
        Some(Indentation { delta: -f.end.gap, delta_dot: -f.end.rate })
    }

    /// Lists the contact points that can carry a force. A point that is on or free is near, so its pair is among the
    /// candidates.
    pub(super) fn list_active(&mut self) {
        self.active.clear();
        for &pair in &self.candidates {
            let s = &mut self.pairs[pair];
            s.state.on.clear();
            s.state.on.extend((0..s.state.points.len()).filter(|&k| s.state.points[k].status != Status::Off));
            self.active.extend(s.state.on.iter().map(|&point| Active { pair, point }));
        }
    }
}

/// The largest rotation in a step of a joint with a limit on its angle [rad]. Whole turns are counted from step to step, and
/// a rotation by more than half a turn could not be distinguished from one in the other direction.
const TURN: f64 = 3.0;

impl ContactMonitor {
    /// Iterates over the joint stops whose turns are counted: their indices among the pairs, and the bounds of their bodies.
    fn turning(&self, m: &Model) -> impl Iterator<Item = (usize, [&BodyBounds; 2])> {
        let stops = self.pairs[..m.constraints.stops.len()].iter().enumerate();
        let counted = stops.filter(|(_, s)| s.stop.as_ref().is_some_and(|stop| stop.turns()));
        counted.map(|(i, s)| (i, [s.body_a, s.body_b].map(|body| &self.bounds[body])))
    }

    /// Returns the longest step in which turns can be counted [s], for the angular velocities at the end of the last step.
    pub(crate) fn longest_turn(&self, m: &Model) -> f64 {
        let turning = self.turning(m);
        turning.map(|(_, [a, b])| 0.8 * TURN / (a.end.w - b.end.w).norm()).fold(f64::INFINITY, f64::min)
    }

    /// Returns a failure if a joint stop may have turned too far in a step of length `h` [s] for its turns to be counted.
    pub(super) fn turned_too_far(&self, m: &Model, h: f64) -> Option<RhsFailure> {
        let reason = "a joint with a limit on its angle turns too far in a step for its turns to be counted";
        let too_far = |[a, b]: [&BodyBounds; 2]| {
            let ends = (a.start.w - b.start.w).norm() + (a.end.w - b.end.w).norm();
            0.5 * h * (ends + (a.angular_acceleration + b.angular_acceleration) * h) > TURN
        };
        self.turning(m).find(|(_, ends)| too_far(*ends)).map(|(pair, _)| Part::Contact(pair).fails(reason))
    }
}

/// Returns the speed below which the rate of a gap is zero within its rounding error [m/s].
pub(super) fn speed_rounding(m: &Model) -> f64 {
    1e-10 * m.world.scale.speed
}

/// Computes the kinematics of a body at time `t` within the step, from the interpolant.
pub(crate) fn body_at(m: &Model, body: usize, dense: &Interpolant<'_>, t: f64) -> Kinematics {
    let b = &m.world.bodies[body];
    let mut k = b.rest;
    match b.kind {
        BodyKind::Dynamic(rows) => {
            k.set_rigid(b.orientation_matters, Rigid(&rows.read(|rows, out| dense.at(t, rows, out))));
        }
        BodyKind::Affine(rows) => {
            k.set_affine(&Affine::of(&rows.read(|rows, out| dense.at(t, rows, out))));
        }
        _ => k.update(b, t, &[]),
    }
    k
}

#[cfg(test)]
mod tests {
    use carom_geometry::surfaces::{Cuboid, Sphere};
    use carom_law::normal::HuntCrossley;
    use carom_ode::{Options, Solver, methods};

    use super::ContactMonitor;
    use crate::system::{StepPolicy, System};
    use crate::{Body, ContactRule, Model, ModelBuilder, SurfaceSpec};

    /// Twelve balls shaken in a closed box.
    fn model() -> Model {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("box").surface(SurfaceSpec::new(Cuboid::new([0.2; 3]).unwrap()).inside()));
        for i in 0..12 {
            let (x, y, z) = (f64::from(i % 2), f64::from(i / 2 % 2), f64::from(i / 4));
            let ball = Body::new(&format!("ball{i}")).mass(0.01).surface(Sphere::new(0.02).unwrap());
            let v = [1.0 - y, 0.7 * x - 0.2, 0.3 * z];
            b.body(ball.position([0.06 * x - 0.03, 0.06 * y - 0.03, 0.06 * z - 0.06]).velocity(v));
        }
        let law = || HuntCrossley::damping(0.3).unwrap().stiffness(1e6);
        b.contact(ContactRule::between("*", "*").normal(law()));
        b.build().unwrap()
    }

    /// It makes no difference to the motion whether near pairs are found by the sweep or all pairs are examined.
    #[test]
    fn the_sweep_misses_nothing() {
        let model = model();
        let run = |eager_pairs: usize| {
            let mut system = System::new(&model, StepPolicy::Located, 0.3).unwrap();
            system.monitor = ContactMonitor::with_limit(&model, eager_pairs).unwrap();
            let y = system.start(0.0, model.world.initial_state());
            let options = Options { scale: model.world.component_scales(), ..Options::default() };
            let method = methods::find("dop853").unwrap();
            let mut solver = Solver::new(method, &mut system, 0.0, &y, 0.3, options).unwrap();
            while !solver.done() {
                solver.step(&mut system).unwrap();
                solver.finish(&mut system).unwrap();
            }
            (solver.y().to_vec(), solver.stats().events, system.monitor.pairs.len())
        };
        let (all, events, pairs) = run(usize::MAX);
        let (near, swept_events, near_pairs) = run(0);
        assert_eq!(events, swept_events);
        assert!(events > 30 && near_pairs <= pairs, "{events} events, {near_pairs} of {pairs} pairs");
        // the forces on a ball may be added in another order
        for (a, b) in all.iter().zip(&near) {
            assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{a} {b}");
        }
    }
}
