//! The modes of friction at contact points: which switches there are, and what happens where one changes its sign.
//!
//! A law of friction or resistance with modes ([`Switching`](carom_law::Switching)) gives each contact point that is on a number of switches, positive while its modes hold. Which points these are
//! changes at events only. A mode that has just changed may leave its switch at zero; it is then not searched until it has left.

use carom_base::expression::Side;
use carom_law::{Friction, Grip, Memory, Slip, Switching};

use super::System;
use crate::contact::{Active, ContactPair, Status, rates, sums_work};
use crate::forward::kinematics;
use crate::model::Model;
use crate::rule::Remembering;
use crate::workspace::Workspace;

/// A law with modes at a contact point.
#[derive(Clone, Copy, Debug)]
struct Switched {
    at: Active,
    /// what the law acts against, as `Against` numbers it
    against: usize,
    /// index of its first switch
    first: usize,
}

carom_base::plain!(Switched { at, against, first });

impl Switched {
    /// Returns its law, and which of the memories of the point are the law's.
    fn law<'m>(&self, m: &'m Model, pairs: &[ContactPair]) -> Option<Remembering<'m>> {
        let mut all = m.rules[pairs[self.at.pair].rule].remembering();
        all.find(|one| one.against as usize == self.against)
    }

    /// Returns the indices of its switches.
    fn switches(&self, switching: &dyn Switching) -> std::ops::Range<usize> {
        self.first..self.first + switching.count()
    }
}

/// The switches of all contact points with modes.
#[derive(Debug, Default)]
pub(crate) struct ContactModes {
    /// the laws at contact points
    points: Vec<Switched>,
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

    /// Reads a contact point as one of its laws sees it, its share in that, and the law's memories where they count, in the state that the workspace holds. `None`: nothing is known of it there.
    fn read(
        &mut self,
        m: &Model,
        pair: &ContactPair,
        at: Active,
        one: &Remembering<'_>,
        ws: &Workspace,
        y: &[f64],
    ) -> Option<(Slip, f64)> {
        let own = pair.memories(m, at.point)?;
        let bodies = pair.bodies(|body| ws.body(body), m.world.layout.worn(y));
        let now = pair.point(m, at.point, bodies).ok()?;
        let n = now.contact.n;
        self.memories.clear();
        // (a point that has just touched has no place in the state yet)
        for memory in &m.world.layout.memories(y).get(own)?[one.elements.clone()] {
            let Memory { z, s } = Memory::from_numbers(memory);
            self.memories.push(Memory { z: one.against.part(&n, &z), s }.numbers());
        }
        let v_t = rates(&now, bodies.a, bodies.b)[one.against as usize];
        let slip = pair.slip(m, at.point, &now, m.world.layout.memories(y), one);
        Some((Slip { v_t, ..slip }, one.share(&now.contact)))
    }

    /// Writes the values of all switches in the state that the workspace holds, and their sizes; if `of` is a switch, those of its contact point alone (`Some(None)`: of none).
    pub(super) fn values(
        &mut self,
        m: &Model,
        pairs: &[ContactPair],
        ws: &Workspace,
        y: &[f64],
        of: Option<Option<usize>>,
        [values, sizes]: [&mut [f64]; 2],
    ) {
        for i in 0..self.points.len() {
            let switched = self.points[i];
            let Some(one) = switched.law(m, pairs) else { continue };
            let Some(switching) = one.law.switching() else { continue };
            let (at, own) = (switched.at, switched.switches(switching));
            if of.is_some_and(|of| !of.is_some_and(|i| own.contains(&i))) {
                continue;
            }
            let pair = &pairs[at.pair];
            match self.read(m, pair, at, &one, ws, y) {
                Some((slip, _)) => {
                    let grip = &pair.state.points[at.point].latched.grips[switched.against];
                    let (values, sizes) = (&mut values[own.clone()], &mut sizes[own]);
                    switching.values(&slip, grip, &self.memories, values, sizes);
                }
                None => values[own].fill(f64::NAN),
            }
        }
    }
}

/// Returns the energy that the elements of a law store [J].
fn stored(law: &dyn Friction, at: &Slip, grip: &Grip, memories: &[[f64; Memory::SIZE]]) -> f64 {
    let energy = |(k, memory)| law.energy_at(k, at, grip, &Memory::from_numbers(memory));
    memories.iter().enumerate().map(energy).sum()
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
            let switched = self.switches.contacts.points[i];
            let Some(one) = switched.law(m, &self.monitor.pairs) else { continue };
            let Some(switching) = one.law.switching() else { continue };
            let (at, pair) = (switched.at, &self.monitor.pairs[switched.at.pair]);
            let contacts = &mut self.switches.contacts;
            contacts.crossed.clear();
            for k in switched.switches(switching) {
                let beyond = contacts.sides[k] == Side::Positive && values[k] < -zeros[k];
                contacts.crossed.push(target == Some(k) || beyond);
            }
            if !contacts.crossed.contains(&true) {
                continue;
            }
            let Some((slip, share)) = contacts.read(m, pair, at, &one, &self.ws, y) else { continue };
            let Some(own) = pair.memories(m, at.point) else { continue };
            let (rule, pair) = (pair.rule, &mut self.monitor.pairs[at.pair]);
            let grips = &mut pair.state.points[at.point].latched.grips;
            let grip = &mut grips[switched.against];
            let before = stored(one.law, &slip, grip, &contacts.memories);
            switching.change(&slip, grip, &mut contacts.memories, &contacts.crossed);
            // what the new modes do not store is lost
            let after = stored(one.law, &slip, grip, &contacts.memories);
            let lost = if sums_work(&m.rules[rule], &one) { 0.0 } else { share * (before - after) };
            if let Some(i) = m.world.quadratures.dissipated_friction {
                m.world.layout.integrals_mut(y)[i] += lost;
            }
            for (memory, new) in own.skip(one.elements.start).zip(&contacts.memories) {
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
            for one in self.model.rules[pair.rule].remembering().filter(|_| on) {
                if let Some(switching) = one.law.switching() {
                    contacts.points.push(Switched { at: *at, against: one.against as usize, first: count });
                    count += switching.count();
                }
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
        switches.contacts.values(scene.m, scene.pairs, scene.ws, y, None, [&mut values, &mut sizes]);
        let zeros = sizes.iter().map(|size| super::switches::zero(*size, scene.atol)).collect();
        (values, zeros)
    }
}
