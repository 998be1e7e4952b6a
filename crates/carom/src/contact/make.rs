//! How contact pairs are made: of two surfaces under their rule, of a joint stop.

use carom_geometry::{BoundPair, GapBounds};

use super::contact_point::ContactPoint;
use super::pair::{ContactPair, PairScratch, PairState};
use crate::error::BuildError;
use crate::joint::Stop;
use crate::model::Model;
use crate::rule::{FrictionAt, Shear, bind, material_stiffness, shears};
use crate::wear::Groove;

impl ContactPair {
    /// Creates the contact pair of two surfaces, given in the order in which their rule names them.
    pub(crate) fn new(m: &Model, rule: usize, a: usize, b: usize) -> Result<ContactPair, BuildError> {
        let (sa, sb) = (&m.world.surfaces[a], &m.world.surfaces[b]);
        let (na, nb) = (m.world.surface_name(a), m.world.surface_name(b));
        let contact = m.rules[rule].subject();
        let pair = bind(&m.world, &m.rules[rule], a, b)?;
        let e_star = match m.rules[rule].normal.stiffness().asks_materials() {
            true => material_stiffness(&m.world, &m.rules[rule], a, b)
                .map_err(|source| contact.fails(Some("normal"), source))?,
            false => 0.0,
        };
        // the parts of an integral over a patch are not monitored one by one
        let normal = &m.rules[rule].normal;
        if pair.parts() > 0 && (normal.has_phases() || m.rules[rule].adheres) {
            let value = format!(
                "`{}` between `{na}` and `{nb}`, whose contact is an integral over its patch",
                normal.name()
            );
            return Err(contact.bad(
                "normal",
                value,
                "a law without history and adhesion, or a number of `slices`",
            ));
        }
        let shears = shears(&m.world, &m.rules[rule], a, b)
            .map_err(|(key, source)| contact.fails(Some(key), source))?;
        let mut made = ContactPair::of(m, [sa.body, sb.body], rule, format!("{na}~{nb}"), pair);
        if made.presses && made.gap_bounds.hollow_radius.is_none() {
            // the points of a gap of which nothing else is known are on both surfaces, and one may have no end
            made.gap_bounds.follows_b = sb.lever <= sa.lever;
        }
        Ok(ContactPair {
            surfaces: Some([a, b]),
            levers: [sa.lever, sb.lever],
            balls: Some([(sa.centre, sa.radius), (sb.centre, sb.radius)]),
            local_a: sa.local,
            local_b: sb.local,
            e_star,
            shears,
            ..made
        })
    }

    /// Creates the contact pair of a joint stop.
    pub(crate) fn of_stop(m: &Model, stop: &Stop) -> ContactPair {
        let (levers, own) = (stop.pair.levers(), Some(stop.pair));
        ContactPair {
            levers,
            stop: own,
            ..ContactPair::of(m, stop.bodies, stop.rule, stop.name.clone(), Box::new(stop.pair))
        }
    }

    /// Creates a contact pair whose surface frames are the body frames.
    fn of(
        m: &Model,
        bodies: [usize; 2],
        rule: usize,
        name: String,
        geometry: Box<dyn BoundPair>,
    ) -> ContactPair {
        let sizes = bodies.map(|body| m.world.bodies[body].size);
        let size = sizes.into_iter().filter(|s| *s > 0.0).fold(f64::INFINITY, f64::min);
        let profile = m.rules[rule].wear.as_ref().and_then(|wear| wear.profile.as_ref());
        let groove = profile.filter(|profile| profile.feedback);
        let slips = m.rules[rule].friction.is_some() || m.rules[rule].wear.is_some();
        let middle = slips && m.rules[rule].friction_at == FrictionAt::Middle;
        let deforms = bodies.iter().any(|body| m.world.bodies[*body].soft.is_some());
        ContactPair {
            surfaces: None,
            stop: None,
            levers: [0.0; 2],
            balls: None,
            body_a: bodies[0],
            body_b: bodies[1],
            local_a: None,
            local_b: None,
            rule,
            name,
            state: PairState {
                points: vec![
                    ContactPoint::apart(
                        m.rules[rule].min_impact_speed,
                        m.rules[rule].normal.begins_at()
                    );
                    geometry.features()
                ],
                seeds: match geometry.is_iterative() || geometry.has_pieces() {
                    true => vec![None; geometry.features()],
                    false => Vec::new(),
                },
                on: Vec::with_capacity(geometry.features()),
                f_n_rate: 0.0,
                depth_rate: 0.0,
                peaked: [false; 2],
                f_n: 0.0,
                depth: 0.0,
                deepest: 0.0,
            },
            scratch: PairScratch { near: Vec::with_capacity(geometry.features()), ..PairScratch::default() },
            gap_bounds: match groove {
                None => geometry.bounds(),
                Some(_) => GapBounds { hollow_radius: None, sliding: None, ..geometry.bounds() },
            },
            presses: geometry.patch().is_some(),
            geometry,
            size: if size.is_finite() { size } else { m.world.scale.length },
            e_star: 0.0,
            shears: [Shear::default(); 3],
            groove: groove.map(Groove::new),
            middle,
            forces_apart: deforms && middle,
        }
    }
}
