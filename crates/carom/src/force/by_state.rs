//! Loads that are functions of the time and of the state: on one body, along a coordinate of a joint, or along the
//! line between two points.
//!
//! Each effort is a [`Signal`]. The power of the load counts as work in the energy ledger, and is also integrated under
//! its own name. Its derivatives are exact: those of the signals by the quantities they use, and of these quantities
//! and of the directions of the load by the motions of all bodies involved.

use std::ops::Range;

use carom_base::{Scalar, Vec3};
use carom_ode::Jacobian;

use super::{ActionSite, DrawnLine, ForceElement, ForceOutput, Integrals, Switching};
use crate::joint::Measure;
use crate::loads::{Loads, add};
use crate::record::{ForceRecord, LineRecord};
use crate::signal::{Sense, Signal};
use crate::slopes::{Load, LoadsFormula, Motions, add_loads};
use crate::world::{BodyKind, World};

/// A load by the time and the state, in a model.
#[derive(Debug)]
pub(super) struct StateLoad {
    pub(super) name: String,
    /// the bodies that it loads, followed by all others that it depends on
    pub(super) bodies: Vec<usize>,
    /// the first this many of them are loaded: one or two
    pub(super) loaded: usize,
    pub(super) acts: Acts,
    /// index of its work among all works that are integrated by name
    pub(super) work: usize,
    /// where its switches are among all
    pub(super) switches: Range<usize>,
}

/// Where and how it acts.
#[derive(Debug)]
pub(super) enum Acts {
    /// a force [N] at a point of a body, given from the centre of mass in the body's axes, and a couple [N m]; in the
    /// axes of the body if they turn with it
    OnBody { point: Vec3, turns: bool, force: Box<[Signal; 3]>, torque: Box<[Signal; 3]> },
    /// a generalised force [N or N m] on a coordinate of a joint, with the joint's points on its two bodies, given from
    /// the centres of mass in the bodies' axes
    Along { measure: Measure, effort: Signal, points: [Vec3; 2] },
    /// a tension [N] between points of two bodies, given from the centres of mass in the bodies' axes
    Line { points: [Vec3; 2], tension: Signal },
}

impl Acts {
    fn signals(&self) -> impl Iterator<Item = &Signal> {
        let (first, second): (&[Signal], &[Signal]) = match self {
            Acts::OnBody { force, torque, .. } => (&force[..], &torque[..]),
            Acts::Along { effort, .. } => (std::slice::from_ref(effort), &[]),
            Acts::Line { tension, .. } => (std::slice::from_ref(tension), &[]),
        };
        first.iter().chain(second)
    }
}

impl StateLoad {
    /// Creates the load; `loaded`: the bodies that it loads.
    pub(super) fn new(
        name: String,
        loaded: &[usize],
        acts: Acts,
        work: usize,
        switches: Range<usize>,
    ) -> StateLoad {
        let mut bodies = loaded.to_vec();
        for body in acts.signals().flat_map(Signal::bodies) {
            if !bodies.contains(&body) {
                bodies.push(body);
            }
        }
        StateLoad { name, bodies, loaded: loaded.len(), acts, work, switches }
    }

    fn now(&self, world: &World, loads: &Loads, t: f64) -> [Load<f64>; 2] {
        self.loads(&Motions { world, loads, t, varied: None })
    }
}

impl LoadsFormula for StateLoad {
    fn loaded(&self) -> &[usize] {
        &self.bodies[..self.loaded]
    }

    fn involved(&self) -> &[usize] {
        &self.bodies
    }

    fn loads<S: Scalar>(&self, motions: &Motions<'_, S>) -> [Load<S>; 2] {
        let vector = |signals: &[Signal; 3]| Vec3::from_fn(|i, _| signals[i].at(motions));
        let number = |v: &Vec3| v.map(S::from_f64);
        match &self.acts {
            Acts::OnBody { point, turns, force, torque } => {
                let body = motions.of(self.bodies[0]);
                let in_world = |v: Vec3<S>| if *turns { body.r * v } else { v };
                let (force, torque) = (in_world(vector(force)), in_world(vector(torque)));
                [Load::at(&(body.r * number(point)), &force, &torque), Load::none()]
            }
            Acts::Along { measure, effort, .. } => {
                let [a, b] = [0, 1].map(|end| motions.of(self.bodies[end]));
                let (row, effort) = (measure.at([&a, &b]), effort.at(motions));
                [0, 1].map(|end| {
                    let mut load = Load::none();
                    load.add_generalized(effort, &row.forces[end]);
                    load
                })
            }
            Acts::Line { points, tension } => {
                let [(a, r_a), (b, r_b)] = [0, 1].map(|end| motions.of(self.bodies[end]).point(&points[end]));
                let d = a.w - b.w;
                if d.iter().all(|x| x.value() == 0.0) {
                    return [Load::none(); 2];
                }
                let f = d * (tension.at(motions) / d.dot(&d).sqrt());
                let none = number(&Vec3::zeros());
                [Load::at(&r_a, &-f, &none), Load::at(&r_b, &f, &none)]
            }
        }
    }
}

impl ForceElement for StateLoad {
    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> &[usize] {
        self.loaded()
    }

    fn linked(&self) -> &[usize] {
        &self.bodies
    }

    fn oriented(&self) -> Vec<usize> {
        self.bodies.clone()
    }

    fn is_from_outside(&self) -> bool {
        matches!(self.acts, Acts::OnBody { .. })
    }

    fn integrals(&self, _: &World) -> Integrals {
        Integrals { work: true, driven: true, named: true, ..Integrals::default() }
    }

    fn load(
        &self,
        world: &World,
        loads: &mut Loads,
        t: f64,
        integrals: &mut [f64],
    ) -> Result<(), &'static str> {
        let t = loads.now.stretch.inside(t);
        let all = self.now(world, loads, t);
        let mut work = 0.0;
        for (load, &body) in all.iter().zip(self.loaded()) {
            if !(load.f.sum() + load.torque.sum()).is_finite() {
                return Err("its expression gives numbers that are not finite");
            }
            let k = loads.body(body);
            if !k.moves && !loads.audit {
                continue;
            }
            let power = match self.is_from_outside() {
                true => loads.load_from_outside(body, &load.f, &load.moment),
                false => loads.spread_with_power(body, &load.f, &load.moment),
            };
            work += power;
            // the power of a force on a prescribed body is taken up by the drive that moves that body
            if matches!(world.bodies[body].kind, BodyKind::Prescribed(_)) {
                add(integrals, world.quadratures.work, -power);
            }
        }
        add(integrals, world.quadratures.work, work);
        add(integrals, world.quadratures.named.map(|first| first + self.work), work);
        Ok(())
    }

    fn linearise(&self, world: &World, loads: &mut Loads, t: f64, y: &[f64], j: &mut Jacobian) -> bool {
        add_loads(world, self, loads, loads.now.stretch.inside(t), y, j);
        true
    }

    fn add_amounts(&self, world: &World, loads: &Loads, amounts: &mut [f64]) {
        for (load, &body) in self.now(world, loads, 0.0).iter().zip(self.loaded()) {
            amounts[body] += load.amount(world, body);
        }
    }

    fn record(&self, world: &World, loads: &Loads, t: f64, integrals: &[f64]) -> Option<ForceOutput> {
        let t = loads.now.stretch.inside(t);
        let all = self.now(world, loads, t);
        let pushed = all.iter().zip(self.loaded());
        let power = pushed.map(|(load, &body)| loads.power(body, &load.f, &load.moment)).sum();
        let work = world.quadratures.named.and_then(|first| integrals.get(first + self.work));
        let motions: Motions<'_, f64> = Motions { world, loads, t, varied: None };
        let (line, effort) = match &self.acts {
            Acts::OnBody { .. } => (None, None),
            Acts::Along { measure, effort, .. } => (None, Some(measure.effort(effort.at(&motions)))),
            Acts::Line { points, tension } => {
                let bodies = [self.bodies[0], self.bodies[1]];
                let length = Sense::Length { bodies, points: *points }.at(&motions);
                let rate = Sense::LengthRate { bodies, points: *points }.at(&motions);
                (Some(LineRecord { length, rate, tension: tension.at(&motions) }), None)
            }
        };
        let (on_first, couple) = (all[0].f, all[0].torque);
        let work = Some(work.copied().unwrap_or_default());
        let force = String::new();
        Some(ForceOutput::Force(ForceRecord { force, on_first, couple, line, effort, power, work }))
    }

    fn count_turns(&self, world: &World, loads: &mut Loads, t: f64) {
        self.acts.signals().for_each(|signal| signal.count_turns(world, loads, t));
    }

    fn drawn_line(&self, world: &World) -> Option<DrawnLine<'_>> {
        let Acts::Line { points, .. } = &self.acts else { return None };
        let bodies = [self.bodies[0], self.bodies[1]];
        let points = [0, 1].map(|i| points[i] + world.bodies[bodies[i]].centre);
        Some(DrawnLine { name: &self.name, bodies, points })
    }

    fn site(&self) -> Option<ActionSite> {
        match (&self.acts, self.loaded()) {
            (Acts::OnBody { point, .. }, [body, ..]) => Some(ActionSite::on_body(*body, *point)),
            (Acts::Along { points, .. }, [a, b]) => {
                Some(ActionSite { bodies: [*a, *b], points: *points, bushing: None })
            }
            _ => None,
        }
    }

    fn switching(&self) -> Option<&dyn Switching> {
        Some(self)
    }
}

impl Switching for StateLoad {
    fn switches(&self) -> Range<usize> {
        self.switches.clone()
    }

    fn switch_values(&self, world: &World, loads: &Loads, t: f64, values: &mut [f64]) {
        for signal in self.acts.signals() {
            signal.each_switch(world, loads, t, |i, value| values[i] = value);
        }
    }

    fn switch_sizes(&self, world: &World, sizes: &mut [f64]) {
        self.acts.signals().for_each(|signal| signal.switch_sizes(world, sizes));
    }

    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        self.acts.signals().fold(end, |end, signal| signal.smooth_until(t, end))
    }
}
