//! What a crowd shows of its contacts: their stored energy, and their records.

use std::collections::HashMap;

use carom_base::Vec3;
use carom_crowd::{Meeting, balls_meet, wall_meets};

use super::CrowdSystem;
use super::law::{BallState, Laws, SLIDING, slip};
use crate::contact::{ContactPair, PairBodies};
use crate::record::ContactRecord;

/// A contact of a ball that acts.
struct Acting<'c> {
    laws: Laws<'c>,
    ends: [u32; 2],
    at: Meeting,
    state: &'c BallState,
    /// centre and radius of the ball A [m]
    centre: Vec3,
    radius: f64,
}

impl CrowdSystem<'_> {
    /// Visits all contacts that act: those of balls, then those with walls.
    fn each(&self, mut visit: impl FnMut(Acting<'_>)) {
        let (m, places) = (self.model, self.crowd.places());
        let laws = |walls| Laws { m, balls: &self.balls.surfaces, walls, radii: &self.balls.radii };
        for (ends, state) in self.balls.near.pairs().iter().zip(&self.balls.states) {
            let [a, b] = ends.map(|end| &places[end as usize]);
            if let Some((at, _)) = balls_meet(a, b).filter(|_| state.touching) {
                visit(Acting { laws: laws(None), ends: *ends, at, state, centre: a.x, radius: a.r });
            }
        }
        for entry in &self.walls.near.entries {
            let (ball, wall) = (&places[entry.ball as usize], &self.walls.at[entry.wall as usize]);
            let met = wall_meets(ball, wall, &places[wall.body as usize]);
            if let Some((at, ..)) = met.filter(|_| entry.state.touching) {
                let (ends, state) = ([entry.ball, entry.wall], &entry.state);
                let laws = laws(Some(&self.walls.surfaces));
                visit(Acting { laws, ends, at, state, centre: ball.x, radius: ball.r });
            }
        }
    }

    /// Returns the energies that contacts store in normal forces, and in the springs of friction [J].
    pub(super) fn stored(&self) -> [f64; 2] {
        let mut sums = [0.0; 2];
        self.each(|contact| {
            let [normal, springs] = contact.stored();
            sums = [sums[0] + normal, sums[1] + springs];
        });
        let m = self.model;
        for (pair, memory) in self.general.acting() {
            let bodies = self.bodies(pair);
            for &k in &pair.state.on {
                sums[0] += pair.elastic_energy(m, k, bodies).unwrap_or(0.0);
                let Ok(point) = pair.point(m, k, bodies) else { continue };
                sums[1] += pair.held(m, k, [bodies.a, bodies.b], &point, memory).1;
            }
        }
        sums
    }

    /// Returns how deep surfaces overlap at most according to their contacts [m], which may meet late at edges and corners; the smaller number of a surface first.
    pub(crate) fn depths(&self) -> HashMap<[usize; 2], f64> {
        let mut depths = HashMap::new();
        let mut note = |surfaces: [usize; 2], depth: f64| {
            let known: &mut f64 = depths.entry(in_order(surfaces)).or_default();
            *known = known.max(depth);
        };
        self.each(|contact| note(contact.laws.ends(contact.ends).surfaces, contact.at.delta));
        for (pair, _) in self.general.acting() {
            let bodies = self.bodies(pair);
            let points = pair.state.on.iter().filter_map(|&k| pair.contact(k, bodies).ok());
            let depth = points.map(|c| c.delta * c.lever()).fold(0.0, f64::max);
            if let Some(surfaces) = pair.surfaces() {
                note(surfaces, depth + pair.geometry.late());
            }
        }
        depths
    }

    /// Returns the bodies of a pair where they are now.
    fn bodies(&self, pair: &ContactPair) -> PairBodies<'_> {
        PairBodies { a: &self.k[pair.body_a], b: &self.k[pair.body_b], worn: &[] }
    }

    /// Returns the records of all contacts that act, named in the order of their rules.
    pub(crate) fn records(&self, records: &mut Vec<ContactRecord>) {
        records.clear();
        self.each(|contact| records.push(contact.record()));
        let m = self.model;
        for (pair, memory) in self.general.acting() {
            let bodies = self.bodies(pair);
            let ends = [bodies.a, bodies.b];
            for &k in &pair.state.on {
                let Ok(point) = pair.point(m, k, bodies) else { continue };
                let ([f_t, couple], _) = pair.held(m, k, ends, &point, memory);
                let own = pair.couple(m, k, ends[0], ends[1], point).map_or(Vec3::zeros(), |now| now.on_a);
                records.push(ContactRecord {
                    contact: pair.name.clone(),
                    feature: pair.geometry.feature_name(k),
                    point: point.contact.p_a,
                    normal: point.contact.n,
                    delta: point.contact.delta,
                    delta_dot: point.delta_dot,
                    f_n: point.f_n,
                    f_t: point.f_t + f_t,
                    couple: couple + own,
                    area: 0.0,
                    pressure: 0.0,
                });
            }
        }
    }
}

/// Returns two numbers with the smaller one first.
pub(crate) fn in_order([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

impl Acting<'_> {
    fn stored(&self) -> [f64; 2] {
        let rule = &self.laws.m.rules[self.state.rule as usize];
        let normal = rule.normal.energy(self.at.delta, &self.state.touch());
        let Some(law) = rule.friction.as_deref().filter(|law| law.remembers()) else { return [normal, 0.0] };
        let forces = self.laws.forces(&self.at, self.state);
        let slip = slip(rule, law, &self.at, self.state, &forces.normal);
        [normal, self.state.remembered.stored(law, SLIDING, &slip, &self.state.grip(), &self.at.n)]
    }

    fn record(&self) -> ContactRecord {
        let forces = self.laws.forces(&self.at, self.state);
        let m = self.laws.m;
        let [a, b] = self.laws.ends(self.ends).surfaces;
        // as the rule names them
        let straight = m.table.get(a, b).is_none_or(|(_, straight)| straight);
        let [first, second] = if straight { [a, b] } else { [b, a] };
        let sign = if straight { 1.0 } else { -1.0 };
        let depth = if straight { 0.0 } else { self.at.delta };
        ContactRecord {
            contact: format!("{}~{}", m.world.surface_name(first), m.world.surface_name(second)),
            feature: if self.laws.walls.is_some() { "plane" } else { "sphere" }.to_owned(),
            point: self.centre + self.at.n * (self.radius - depth),
            normal: self.at.n * sign,
            delta: self.at.delta,
            delta_dot: self.at.delta_dot,
            f_n: forces.normal.f_n,
            f_t: forces.f_t * sign,
            couple: forces.couple * sign,
            area: 0.0,
            pressure: 0.0,
        }
    }
}
