//! The modes of friction at contact points: which switches there are, and what happens where one changes its sign.
//!
//! A friction law with modes ([`Switching`](carom_law::Switching)) gives each contact point that is on a number of switches, positive while its modes hold. Which points these are
//! changes at events only. A mode that has just changed may leave its switch at zero; it is then not searched until it has left.

use carom_base::expression::Side;
use carom_law::{Grip, Memory, Slip};

use super::System;
use crate::contact::{Active, ContactPair, Status, within};
use crate::forward::kinematics;
use crate::model::Model;
use crate::workspace::Workspace;

/// The switches of all contact points with modes.
#[derive(Debug, Default)]
pub(crate) struct ContactModes {
    /// the contact points, each with the index of its first switch
    points: Vec<(Active, usize)>,
    /// the sides of all switches: positive, or free while they are zero
    pub(super) sides: Vec<Side>,
    /// workspace: the memories of a point, and which of its switches have crossed zero
    memories: Vec<[f64; Memory::SIZE]>,
    crossed: Vec<bool>,
}

carom_base::carried!(ContactModes { points, sides } scratch { memories, crossed });

impl ContactModes {
    /// Returns the number of switches.
    pub(super) fn count(&self) -> usize {
        self.sides.len()
    }

    /// Whether a switch is not searched.
    pub(super) fn has_free(&self) -> bool {
        self.sides.contains(&Side::Free)
    }

    /// Reads a contact point as its friction law sees it, its share in that, and its memories within the tangent plane, in the state that the workspace holds. `None`: nothing is known of it there.
    fn read(
        &mut self,
        m: &Model,
        pair: &ContactPair,
        point: usize,
        ws: &Workspace,
        y: &[f64],
    ) -> Option<(Slip, f64)> {
        let own = pair.memories(m, point)?;
        let now = pair.point(m, point, pair.bodies(|body| ws.body(body), m.world.layout.worn(y))).ok()?;
        let n = now.contact.n;
        self.memories.clear();
        // (a point that has just touched has no place in the state yet)
        for memory in m.world.layout.memories(y).get(own)? {
            let Memory { z, s } = Memory::from_numbers(memory);
            self.memories.push(Memory { z: within(&z, &n), s }.numbers());
        }
        let slip = pair.slip(m, point, &now, m.world.layout.memories(y));
        Some((slip, pair.share_of_friction(m, &now.contact)))
    }

    /// Writes the values of all switches in the state that the workspace holds, and their sizes.
    pub(super) fn values(
        &mut self,
        m: &Model,
        pairs: &[ContactPair],
        ws: &Workspace,
        y: &[f64],
        values: &mut [f64],
        sizes: &mut [f64],
    ) {
        for i in 0..self.points.len() {
            let (Active { pair, point }, first) = self.points[i];
            let pair = &pairs[pair];
            let Some(switching) = m.rules[pair.rule].friction.as_ref().and_then(|law| law.switching()) else {
                continue;
            };
            let own = first..first + switching.count();
            match self.read(m, pair, point, ws, y) {
                Some((at, _)) => {
                    let grip = &pair.state.points[point].latched.grip;
                    switching.values(&at, grip, &self.memories, &mut values[own.clone()], &mut sizes[own]);
                }
                None => values[own].fill(f64::NAN),
            }
        }
    }
}

impl System<'_> {
    /// Changes, at an event, the modes of contact points whose switches have crossed zero, and lists the switches that there are from now on.
    pub(super) fn change_modes(&mut self, t: f64, y: &mut [f64], target: Option<usize>) {
        if !self.model.rules.iter().any(|rule| rule.switches()) {
            return;
        }
        self.set_axes(y);
        if self.switches.contacts.count() > 0 {
            self.cross_modes(t, y, target);
        }
        self.list_modes(t, y);
    }

    /// Puts the axes of elliptical contacts that have just touched into their places in the state.
    fn set_axes(&mut self, y: &mut [f64]) {
        let layout = &self.model.world.layout;
        for at in &self.monitor.active {
            let pair = &self.monitor.pairs[at.pair];
            let Some(place) = pair.axis_memory(self.model, at.point) else { continue };
            if layout.memories(y).get(place) == Some(&Memory::unbent().numbers()) {
                let z = pair.state.points[at.point].latched.axis;
                y[layout.memory_rows(place)].copy_from_slice(&Memory { z, s: 0.0 }.numbers());
            }
        }
    }

    fn cross_modes(&mut self, t: f64, y: &mut [f64], target: Option<usize>) {
        let (values, zeros) = self.contact_switches(t, y);
        let m = self.model;
        for i in 0..self.switches.contacts.points.len() {
            let (at, first) = self.switches.contacts.points[i];
            let pair = &self.monitor.pairs[at.pair];
            let law = m.rules[pair.rule].friction.as_ref();
            let Some((law, switching)) = law.and_then(|law| Some((law, law.switching()?))) else { continue };
            let contacts = &mut self.switches.contacts;
            contacts.crossed.clear();
            for k in first..first + switching.count() {
                let beyond = contacts.sides[k] == Side::Positive && values[k] < -zeros[k];
                contacts.crossed.push(target == Some(k) || beyond);
            }
            if !contacts.crossed.contains(&true) {
                continue;
            }
            let Some((slip, share)) = contacts.read(m, pair, at.point, &self.ws, y) else { continue };
            let Some(own) = pair.memories(m, at.point) else { continue };
            let energy = |grip: &Grip, memories: &[[f64; Memory::SIZE]]| -> f64 {
                let all = memories.iter().enumerate();
                all.map(|(k, memory)| law.energy_at(k, &slip, grip, &Memory::from_numbers(memory))).sum()
            };
            let grip = &mut self.monitor.pairs[at.pair].state.points[at.point].latched.grip;
            let before = energy(&*grip, &contacts.memories);
            switching.change(&slip, grip, &mut contacts.memories, &contacts.crossed);
            // what the new modes do not store is lost
            let lost = share * (before - energy(&*grip, &contacts.memories));
            if let Some(i) = m.world.quadratures.dissipated_friction {
                m.world.layout.integrals_mut(y)[i] += lost;
            }
            for (memory, new) in own.zip(&contacts.memories) {
                y[m.world.layout.memory_rows(memory)].copy_from_slice(new);
            }
        }
    }

    /// Lists the contact points with modes, and sets free the switches that are zero.
    pub(super) fn list_modes(&mut self, t: f64, y: &[f64]) {
        let contacts = &mut self.switches.contacts;
        contacts.points.clear();
        let mut count = 0;
        for at in &self.monitor.active {
            let pair = &self.monitor.pairs[at.pair];
            let on = pair.state.points[at.point].status == Status::On;
            let switching = self.model.rules[pair.rule].friction.as_ref().and_then(|law| law.switching());
            if let (true, Some(switching)) = (on, switching) {
                contacts.points.push((*at, count));
                count += switching.count();
            }
        }
        contacts.sides.clear();
        contacts.sides.resize(count, Side::Positive);
        self.switches.resize();
        let (values, zeros) = self.contact_switches(t, y);
        let free = self.switches_at_once();
        for (i, side) in self.switches.contacts.sides.iter_mut().enumerate() {
            if values[i].abs() <= zeros[i] || free {
                *side = Side::Free;
            }
        }
    }

    /// Returns the switches of contact points in a state, and what counts as zero for each.
    fn contact_switches(&mut self, t: f64, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = self.switches.contacts.count();
        let (mut values, mut sizes) = (vec![f64::NAN; n], vec![1.0; n]);
        kinematics(self.model, t, y, &mut self.ws);
        let (switches, scene) = self.switching();
        switches.contacts.values(scene.m, scene.pairs, scene.ws, y, &mut values, &mut sizes);
        let zeros = sizes.iter().map(|size| super::switches::zero(*size, scene.atol)).collect();
        (values, zeros)
    }
}
