//! Classifies pairs of surfaces: with a contact, without one by a possible oversight, or without one by intention.

use std::collections::HashSet;

use crate::model::Model;
use crate::rule::Endpoint;

/// The relation between two surfaces, as far as contacts are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// a contact: the index of its rule, and whether the surfaces are in the order in which the rule names them
    Rule(usize, bool),
    /// no contact, and no statement that none is intended
    NoRule,
    /// no contact, which cannot be an oversight
    Nothing,
}

/// The pairs of bodies that a joint or a short-range field holds together or apart: their surfaces may overlap by design, as
/// pins in holes do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined(HashSet<(usize, usize)>);

impl Joined {
    /// Collects the pairs of bodies that joints and fields of a model connect.
    pub(crate) fn of(m: &Model) -> Joined {
        let mut joined = Joined::default();
        // a planar mechanism is drawn in one plane: links that overlap there pass each other side by side
        for bodies in m.constraints.mechanisms() {
            joined.all(&bodies);
        }
        m.constraints.list.iter().for_each(|constraint| joined.all(&constraint.bodies));
        m.fields().for_each(|field| joined.all(&field.bodies));
        for rule in m.rules.iter() {
            let body = |end: &Endpoint| {
                let Endpoint::Surface(body, surface) = end else { return None };
                let is = |s: &&crate::world::SurfaceModel| {
                    s.of_joint && s.name == *surface && m.world.bodies[s.body].name == *body
                };
                m.world.surfaces.iter().find(is).map(|s| s.body)
            };
            if let [Some(a), Some(b)] = rule.between.each_ref().map(body) {
                joined.all(&[a, b]);
            }
        }
        joined
    }

    /// Adds all pairs among these bodies.
    fn all(&mut self, bodies: &[usize]) {
        for (i, &a) in bodies.iter().enumerate() {
            self.0.extend(bodies[i + 1..].iter().map(|&b| (a.min(b), a.max(b))));
        }
    }

    /// Returns the relation between two surfaces.
    pub(crate) fn between(&self, m: &Model, i: usize, j: usize) -> Between {
        let [sa, sb] = [i, j].map(|s| &m.world.surfaces[s]);
        let (a, b) = (sa.body, sb.body);
        if a == b || !(m.world.is_dynamic(a) || m.world.is_dynamic(b)) || m.constraints.rolls(i, j) {
            return Between::Nothing;
        }
        if let Some((rule, straight)) = m.table.get(i, j) {
            return Between::Rule(rule, straight);
        }
        // two unbounded surfaces, such as planes, always intersect somewhere: that is no sign of an oversight
        let endless = sa.radius.is_infinite() && sb.radius.is_infinite();
        let meant = m.table.none(i, j).is_some() || sa.of_joint || sb.of_joint || endless;
        if meant || self.0.contains(&(a.min(b), a.max(b))) { Between::Nothing } else { Between::NoRule }
    }
}
