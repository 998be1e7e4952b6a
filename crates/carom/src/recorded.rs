//! What is recorded of the joints, the drives, the forces and the signals of a model in motion.

use carom_base::Quantity;
use carom_ode::Ode;

use crate::coordinate::Coordinate;
use crate::force::ForceOutput;
use crate::forward::kinematics;
use crate::joint::{A, B};
use crate::loads::Loads;
use crate::model::Model;
use crate::record::{
    Acceleration, CoordinateRecord, DriveRecord, Energy, ForceRecord, Frame, JointRecord, SignalRecord,
};
use crate::system::System;
use crate::workspace::Workspace;
use crate::world::BodyKind;

impl Model {
    /// Returns the coordinates that the joints leave free, each with the name of its joint, in the order in which frames
    /// list them.
    pub fn joint_coordinates(&self) -> impl Iterator<Item = (&str, &Coordinate)> {
        self.constraints.coordinates().map(|(_, joint, (coordinate, _))| (joint.name.as_str(), coordinate))
    }

    /// Returns the names of the drives of joints, as in `hinge/angle` and `hinge/torque`, in the order in which frames list
    /// them.
    pub fn drive_names(&self) -> Vec<String> {
        let motions = self.constraints.list.iter().filter(|h| h.is_driven()).map(|h| h.name.clone());
        motions.chain(self.at_rest().1.into_iter().map(|drive| drive.drive)).collect()
    }

    /// Returns the names of the forces in results, in the order in which frames list them, each with the suffixes of its
    /// columns and their physical quantities.
    ///
    /// A force is called by its name; by `force/NAME` if a joint or a field has that name too, or if the name could be that
    /// of a contact, as the name `a~b` of a force that is given none.
    pub fn force_names(&self) -> Vec<(String, Vec<(&'static str, Quantity)>)> {
        let columns = |record: &ForceRecord| record.columns().map(|c| (c.suffix, c.quantity)).collect();
        self.at_rest().0.into_iter().map(|r| (r.force.clone(), columns(&r))).collect()
    }

    /// Returns the names of the inputs, and then of the outputs of controllers, in results, in the order in which frames list
    /// them.
    ///
    /// They are called as in expressions, as in `push` and `balance.u`; by `input/NAME` if that is the name of an energy, or
    /// begins as the name of something else that is recorded, as in `ball.push` of an input where a body is called `ball`.
    pub fn signal_names(&self) -> impl Iterator<Item = String> {
        let recorded = |owner: &str| {
            ["summary", "touch", "release"].contains(&owner)
                || self
                    .moving_bodies()
                    .chain(self.joint_names())
                    .chain(self.field_names())
                    .any(|n| n == owner)
                || self.forces.iter().any(|force| force.name() == owner)
        };
        let ambiguous = move |name: &str| {
            name.contains(['~', '/'])
                || Energy::COLUMNS.iter().any(|column| column.name == name)
                || name.split_once('.').is_some_and(|(owner, _)| recorded(owner))
        };
        let names = self.controls.inputs.iter().map(|input| input.name.as_str());
        names.map(move |name| if ambiguous(name) { format!("input/{name}") } else { name.to_owned() })
    }

    /// Returns the records of the forces with the bodies at their given places: which numbers there are depends on no state.
    fn at_rest(&self) -> (Vec<ForceRecord>, Vec<DriveRecord>) {
        self.force_records(&Workspace::new(self, 0).loads, 0.0, &[])
    }

    /// Returns the records of the forces, and of the drives that are forces, in the state that the loads hold; `integrals`:
    /// the integrals of that state.
    fn force_records(
        &self,
        loads: &Loads,
        t: f64,
        integrals: &[f64],
    ) -> (Vec<ForceRecord>, Vec<DriveRecord>) {
        let (mut forces, mut drives) = (Vec::new(), Vec::new());
        for force in &self.forces {
            match force.record(&self.world, loads, t, integrals) {
                Some(ForceOutput::Force(record)) => {
                    forces.push(ForceRecord { force: self.name_in_results(force.name()), ..record });
                }
                Some(ForceOutput::Drive(record)) => drives.push(record),
                None => {}
            }
        }
        (forces, drives)
    }

    /// Returns the name of a force in results.
    pub(crate) fn name_in_results(&self, force: &str) -> String {
        let ambiguous = force.contains(['~', '/'])
            || self.joint_names().any(|joint| joint == force)
            || self.field_names().any(|field| field == force);
        if ambiguous { format!("force/{force}") } else { force.to_owned() }
    }
}

impl System<'_> {
    /// Records joints, coordinates, drives, forces and signals in a state.
    pub(crate) fn record_actions(&mut self, t: f64, y: &[f64], frame: &mut Frame) {
        frame.coordinates.clear();
        frame.drives.clear();
        frame.joints.clear();
        if !self.model.constraints.is_empty() {
            let mut dy = vec![0.0; y.len()];
            let known = self.rhs(t, y, &mut dy).is_ok();
            if known {
                self.reactions_now(&mut frame.joints);
            } else {
                kinematics(self.model, t, y, &mut self.ws);
                let Workspace { joints, loads, .. } = &mut self.ws;
                joints.evaluate(self.model, t, |body| loads.body(body));
            }
            frame.coordinates = self.coordinates(t, known);
            frame.drives = self.drives(t, known);
        }
        kinematics(self.model, t, y, &mut self.ws);
        let m = self.model;
        let (forces, drives) = m.force_records(&self.ws.loads, t, m.world.layout.integrals(y));
        frame.forces = forces;
        frame.drives.extend(drives);
        let signals = m.signal_names().zip(&self.ws.loads.inputs);
        frame.signals = signals.map(|(signal, value)| SignalRecord { signal, value: *value }).collect();
    }

    /// Returns the records of the forces in a state of an analysis, which integrates no works.
    pub(crate) fn forces_at(&mut self, t: f64, y: &[f64]) -> Vec<ForceRecord> {
        kinematics(self.model, t, y, &mut self.ws);
        let (forces, _) = self.model.force_records(&self.ws.loads, t, &[]);
        forces.into_iter().map(|force| ForceRecord { work: None, ..force }).collect()
    }

    /// Computes the action of every joint on its second body in a state; `out` stays empty if the forces cannot be computed.
    pub(crate) fn reactions(&mut self, t: f64, y: &[f64], out: &mut Vec<JointRecord>) {
        out.clear();
        if self.model.constraints.is_empty() {
            return;
        }
        let mut dy = vec![0.0; y.len()];
        if self.rhs(t, y, &mut dy).is_ok() {
            self.reactions_now(out);
            kinematics(self.model, t, y, &mut self.ws);
        }
    }

    /// Adds the action of every joint on its second body, in the state whose rates were computed last.
    fn reactions_now(&self, out: &mut Vec<JointRecord>) {
        let m = self.model;
        for (h, constraint) in m.constraints.proper().iter().enumerate() {
            let p = constraint.reaction_point([A, B].map(|end| self.ws.joints.moving_of(m, h, end)));
            // force, and couple about p, on one of its bodies
            let on = |end: usize| {
                let (force, torque) = self.ws.joints.wrench(m, h, end)?;
                Some((force, torque + (self.ws.body(constraint.bodies[end]).x.p - p).cross(&force)))
            };
            // a body whose motion is not determined by forces has no gradients: the action on it is the opposite of that on
            // the others
            let others = || (0..constraint.bodies.len()).filter_map(on);
            let (mut force, mut couple) =
                on(B).unwrap_or_else(|| others().fold(Default::default(), |(f, c), on| (f - on.0, c - on.1)));
            for (i, _) in
                m.constraints.frictions.iter().enumerate().filter(|(_, friction)| friction.constraint == h)
            {
                let (slip, f) = (&self.ws.joint_friction.slips[i], &self.ws.joint_friction.forces[i]);
                let frictions = slip.wrench(f);
                (force, couple) =
                    (force - frictions.0, couple - frictions.1 - (slip.p - p).cross(&frictions.0));
            }
            out.push(JointRecord { joint: constraint.name.clone(), force, couple });
        }
    }

    /// Returns the accelerations of the rigid bodies that move by their forces, in the state whose rates `dy` were computed last.
    pub(crate) fn accelerations(&self, dy: &[f64]) -> Vec<Acceleration> {
        let of = |&d: &usize| {
            let (b, k) = (&self.model.world.bodies[d], self.ws.body(d));
            let BodyKind::Dynamic(rows) = b.kind else { return None };
            let rates = rows.of(dy);
            let (a, alpha) = (rates.velocity(), rates.angular_velocity());
            // acceleration of the reference point: a + α × r + ω × (ω × r)
            let r = k.x.r * -b.centre;
            let linear = a + alpha.cross(&r) + k.w.cross(&k.w.cross(&r));
            Some(Acceleration { body: b.name.clone(), linear, angular: alpha })
        };
        self.model.world.dynamic.iter().filter_map(of).collect()
    }

    /// Returns the coordinates that the joints leave free, with full turns counted, in the state whose joints were evaluated
    /// last; `known`: whether its accelerations are known.
    pub(crate) fn coordinates(&self, t: f64, known: bool) -> Vec<CoordinateRecord> {
        let (m, joints) = (self.model, &self.ws.joints);
        let held = if known { self.ws.held_accelerations(m) } else { Vec::new() };
        let mut all = Vec::with_capacity(joints.angles.len());
        for ((h, constraint, (coordinate, measure)), counted) in
            m.constraints.coordinates().zip(&joints.angles)
        {
            let row = measure.at([A, B].map(|end| joints.moving_of(m, h, end)));
            let along = |end: usize| {
                let a = held.get(m.constraints.jointed_index(h, end));
                let deforms = m.world.bodies[constraint.bodies[end]].soft.is_some();
                a.map_or(f64::NAN, |a| row.forces[end].along(a, deforms))
            };
            let value = match coordinate.counts_turns() {
                true => counted.at(t, row.value, row.rate).value(),
                false => row.value,
            };
            all.push(CoordinateRecord {
                joint: constraint.name.clone(),
                coordinate: *coordinate,
                value,
                rate: row.rate,
                second: row.bias + along(A) + along(B),
            });
        }
        all
    }

    /// Returns the forces of the drives that prescribe coordinates, in the state whose rates were computed last; `known`:
    /// whether they are known.
    pub(crate) fn drives(&self, t: f64, known: bool) -> Vec<DriveRecord> {
        let (m, joints) = (self.model, &self.ws.joints);
        let t = self.ws.loads.now.stretch.inside(t);
        let driven = m.constraints.list.iter().enumerate().filter(|(_, constraint)| constraint.is_driven());
        driven
            .map(|(h, constraint)| {
                let force = if known { joints.lambda[m.constraints.rows_of(h).start] } else { f64::NAN };
                let power = force * constraint.rate_wanted(t);
                DriveRecord { drive: constraint.name.clone(), force, power }
            })
            .collect()
    }
}
