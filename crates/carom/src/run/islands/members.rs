//! The bodies of a model as islands see them, and what is foreseen of each.

use carom_base::Vec3;
use carom_geometry::proximity::Aabb;

use super::groups::Mover;
use crate::model::Model;
use crate::run::runner::Runner;
use crate::world::BodyKind;

/// The bodies that move by forces, and those that are held.
#[derive(Debug)]
pub(super) struct Members {
    /// the rigid bodies that move by forces, the radius of the ball about each that contains it [m], and the index of each body of
    /// the model among them
    pub(super) free: Vec<usize>,
    pub(super) radii: Vec<f64>,
    pub(super) index: Vec<usize>,
    /// the bodies whose motion is prescribed: they belong to every island
    prescribed: Vec<usize>,
    /// the fixed bodies and their boxes
    pub(super) fixed: Vec<(usize, Aabb)>,
}

/// What is foreseen of a body at the end of a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// about the time in which it will meet a body that is held [s]
    pub(super) wall: f64,
    /// the length that the next step of its island would have; 0 if it is not known yet [s]
    pub(super) planned: f64,
    /// by how much its acceleration differs from gravity [m/s²]
    pub(super) pull: f64,
    /// a bound on the lengths of the paths of its points in the last window [m]
    pub(super) path: f64,
}

carom_base::plain!(Outlook { wall, planned, pull, path });

impl Outlook {
    /// Nothing is known: what touches may be at rest.
    pub(super) fn unknown(gravity: f64) -> Outlook {
        Outlook { wall: f64::INFINITY, planned: 0.0, pull: gravity, path: 0.0 }
    }
}

impl Members {
    pub(super) fn of(m: &Model) -> Members {
        let w = &m.world;
        let free = w.dynamic.clone();
        // (a fixed body is where its surfaces are: the other one carries the whole of what lies between)
        let begins = m.rules.iter().map(|rule| rule.normal.begins_at()).fold(0.0, f64::max);
        let radii = free.iter().map(|&body| (1.0 + 1e-9) * w.reach_of(body) + begins).collect();
        let mut index = vec![usize::MAX; w.bodies.len()];
        free.iter().enumerate().for_each(|(i, &body)| index[body] = i);
        let box_of = |body: usize| {
            let around = w.surfaces_of(body).map(|i| {
                let s = &w.surfaces[i];
                let x = &w.bodies[body].rest.x;
                let pose = s.local.as_ref().map_or(*x, |local| x.then(local));
                Aabb::of(&s.shape, &pose)
            });
            around.reduce(|a, b| a.merge(&b))
        };
        let is_fixed = |body: &usize| matches!(w.bodies[*body].kind, BodyKind::Fixed);
        let fixed = w.held.iter().copied().filter(is_fixed);
        let fixed = fixed.filter_map(|body| Some((body, box_of(body)?))).collect();
        Members { free, radii, index, prescribed: w.prescribed.clone(), fixed }
    }

    /// Returns the held bodies that come near a group within the next time `h` [s]; `extra`: those known to, of each body.
    pub(super) fn held_near(
        &self,
        group: &[usize],
        movers: &[Mover],
        h: f64,
        gravity: &Vec3,
        extra: &[Vec<usize>],
    ) -> Vec<usize> {
        let mut held = self.prescribed.clone();
        if !self.fixed.is_empty() {
            let boxes: Vec<Aabb> = group.iter().map(|&i| movers[i].bounds(h, gravity)).collect();
            let near = |fixed: &Aabb| boxes.iter().any(|own| own.overlaps(fixed));
            held.extend(self.fixed.iter().filter(|(_, fixed)| near(fixed)).map(|(body, _)| *body));
        }
        held.extend(group.iter().flat_map(|&i| &extra[i]));
        held.sort_unstable();
        held.dedup();
        held
    }
}

/// For each surface, the contact pairs of the whole model that it belongs to.
#[derive(Debug)]
pub(super) struct PairsOf {
    of: Vec<Vec<usize>>,
    /// how many pairs these are of
    known: usize,
}

impl PairsOf {
    pub(super) fn new(surfaces: usize) -> PairsOf {
        PairsOf { of: vec![Vec::new(); surfaces], known: 0 }
    }

    /// Forgets all pairs: they have been bound anew.
    pub(super) fn clear(&mut self) {
        self.known = 0;
        self.of.iter_mut().for_each(Vec::clear);
    }

    /// Takes note of new contact pairs.
    pub(super) fn note(&mut self, runner: &Runner<'_>) {
        let pairs = &runner.system.monitor.pairs;
        for (i, pair) in pairs.iter().enumerate().skip(self.known) {
            pair.surfaces().into_iter().flatten().for_each(|s| self.of[s].push(i));
        }
        self.known = pairs.len();
    }

    /// Returns the pairs to which any of these surfaces belongs, in order.
    pub(super) fn of(&self, surfaces: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut pairs: Vec<usize> = surfaces.flat_map(|s| &self.of[s]).copied().collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}
