//! What there is between two surfaces: a contact, nothing that is an oversight, or nothing at all.

use std::collections::HashSet;

use crate::model::Model;
use crate::rule::Endpoint;

/// What there is between two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// a contact, and whether they are in its order
    Rule(usize, bool),
    /// no contact, and nothing that says that none is meant
    NoRule,
    /// nothing that could be an oversight
    Nothing,
}

/// The bodies that a joint or a short-range field holds together or apart: their surfaces are drawn as they like, pins in holes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined(HashSet<(usize, usize)>);

impl Joined {
    pub(crate) fn of(m: &Model) -> Joined {
        let mut joined = Joined::default();
        // a mechanism is drawn in its plane: links that pass each other there do so side by side
        for bodies in m.constraints.mechanisms() {
            joined.all(&bodies);
        }
        m.constraints.list.iter().for_each(|constraint| joined.all(&constraint.bodies));
        m.fields().for_each(|field| joined.all(&field.bodies));
        for rule in &m.rules {
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

    fn all(&mut self, bodies: &[usize]) {
        for (i, &a) in bodies.iter().enumerate() {
            self.0.extend(bodies[i + 1..].iter().map(|&b| (a.min(b), a.max(b))));
        }
    }

    /// What there is between two surfaces.
    pub(crate) fn between(&self, m: &Model, i: usize, j: usize) -> Between {
        let [sa, sb] = [i, j].map(|s| &m.world.surfaces[s]);
        let (a, b) = (sa.body, sb.body);
        if a == b || !(m.world.is_dynamic(a) || m.world.is_dynamic(b)) || m.constraints.rolls(i, j) {
            return Between::Nothing;
        }
        if let Some((rule, straight)) = m.table.get(i, j) {
            return Between::Rule(rule, straight);
        }
        // two surfaces without end, as planes are, always meet somewhere: that says nothing
        let endless = sa.radius.is_infinite() && sb.radius.is_infinite();
        let meant = m.table.none(i, j).is_some() || sa.of_joint || sb.of_joint || endless;
        if meant || self.0.contains(&(a.min(b), a.max(b))) { Between::Nothing } else { Between::NoRule }
    }
}
