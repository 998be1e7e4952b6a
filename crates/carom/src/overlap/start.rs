//! Checks for mistakes in the start state: bodies that overlap deeply, and bodies that will meet without having a contact.

use carom_base::Vec3;
use carom_geometry::BoundPair;

use super::between::{Between, Joined};
use super::pair_words;
use super::{beyond, tolerance};
use crate::forward::kinematics;
use crate::model::Model;
use crate::record::Warning;
use crate::rule::audit_pair;
use crate::state::{Kinematics, placed};
use crate::system::System;
use crate::text::{length, list, short, time};
use crate::world::{BodyKind, thickness};

/// A start is deep from this part of the thinner body's half thickness on, if it also throws the bodies apart ...
const DEEP: f64 = 0.02;
/// ... at this many times the model's speed: a body that rests on its contact at the start is in balance, and is not thrown.
const THROWN: f64 = 3.0;
/// Trajectories are sampled in steps no shorter than the duration divided by this.
const STEPS: f64 = 1000.0;
/// With more pairs than this, trajectories are not predicted: the audit of the run finds the overlaps.
const MOST_PAIRS: usize = 20_000;
/// The number of pairs named in a warning.
const NAMED: usize = 4;

/// Finds probable mistakes in the start state: returns warnings, and the surfaces that will meet without a contact. The
/// system must have been started.
pub(crate) fn at_start(system: &mut System<'_>, y: &[f64], duration: f64) -> (Vec<Warning>, Vec<Meeting>) {
    let m = system.model;
    let mut warnings = deep_starts(system, y);
    warnings.extend(
        m.journals.iter().filter_map(|journal| journal.too_short(&m.world, &m.constraints, y, duration)),
    );
    (warnings, meetings(m, y, duration))
}

/// Returns a warning for every contact that starts so deep that it throws the bodies apart, or deeper than half the thickness
/// of a body. The system must have been started.
fn deep_starts(system: &mut System<'_>, y: &[f64]) -> Vec<Warning> {
    let m = system.model;
    kinematics(m, 0.0, y, &mut system.ws);
    let mut warnings = Vec::new();
    for pair in &system.monitor.pairs {
        let Some(surfaces) = pair.surfaces() else { continue };
        let rule = &m.rules[pair.rule];
        if rule.may_start_deep || pair.state.on.is_empty() {
            continue;
        }
        let bodies = system.bodies(pair, y);
        let (mut depth, mut mass, mut energy) = (0.0, f64::INFINITY, 0.0);
        for &k in &pair.state.on {
            let Ok(c) = pair.contact(k, bodies) else { continue };
            let touch = &pair.state.points[k].touch;
            energy += pair.elastic_energy(m, k, bodies).unwrap_or(0.0);
            if c.delta > depth {
                (depth, mass) = (c.delta, touch.mass * pair.state.points[k].latched.area);
            }
        }
        let thin =
            surfaces.map(|s| thickness(&m.world.surfaces[s].shape)).into_iter().fold(f64::INFINITY, f64::min);
        let speed = (2.0 * energy / mass).sqrt();
        let thrown = depth > DEEP * thin && speed > THROWN * m.world.scale.speed;
        if thrown || depth > thin {
            let contact = pair.name.clone();
            warnings.push(Warning::DeepStart { contact, depth: length(depth), speed: short(speed) });
        }
    }
    warnings
}

/// Two surfaces without a contact that meet if the bodies continue as they start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(crate) surfaces: [usize; 2],
    /// time [s]; 0: they overlap at the start
    pub(crate) t: f64,
}

/// Returns the warning that surfaces without a contact will meet, if there are any.
pub(crate) fn no_contact(m: &Model, found: &[Meeting]) -> Option<Warning> {
    let [a, b] = found.first()?.surfaces.map(|s| m.world.bodies[m.world.surfaces[s].body].name.clone());
    let words = |meeting: &Meeting| {
        let pair = pair_words(m, meeting.surfaces);
        match meeting.t {
            0.0 => format!("{pair}, which overlap at the start"),
            t => format!("{pair}, which meet at about t = {} s", time(t)),
        }
    };
    Some(Warning::NoContact { pairs: list(found, NAMED, words), a, b })
}

/// Finds the surfaces without a contact that meet if the bodies fly on as they start, until they meet a surface with which
/// they have a contact. Bodies on which joints or forces act are assumed to stand still: what they meet later is left to the
/// audit of the run.
fn meetings(m: &Model, y: &[f64], duration: f64) -> Vec<Meeting> {
    let joined = Joined::of(m);
    let n = m.world.surfaces.len();
    if n * n.saturating_sub(1) / 2 > MOST_PAIRS {
        return Vec::new();
    }
    let flights = Flights::new(m, y, duration);
    let all = || (0..n).flat_map(move |i| (i + 1..n).map(move |j| [i, j]));
    let mut found: Vec<Meeting> = Vec::new();
    for surfaces in all() {
        if joined.between(m, surfaces[0], surfaces[1]) == Between::NoRule
            && let Some(t) = flights.meet(surfaces, None, duration)
        {
            found.push(Meeting { surfaces, t });
        }
    }
    // a body that a contact stops earlier does not get there
    found.retain(|meeting| {
        meeting.t == 0.0
            || !all().any(|[i, j]| {
                let of = |s: usize| m.world.surfaces[s].body;
                let concerns = meeting
                    .surfaces
                    .iter()
                    .any(|&s| flights.flies(of(s)) && (of(s) == of(i) || of(s) == of(j)));
                concerns
                    && match joined.between(m, i, j) {
                        Between::Rule(rule, straight) => {
                            let ends = if straight { [i, j] } else { [j, i] };
                            flights.meet(ends, Some(rule), meeting.t).is_some_and(|t| t < meeting.t)
                        }
                        _ => false,
                    }
            })
    });
    found
}

/// The free flight of bodies from the start, with no force but gravity.
struct Flights<'m> {
    m: &'m Model,
    start: Vec<Kinematics>,
    /// acceleration of each body that flies [m/s²]; `None`: it does not
    free: Vec<Option<Vec3>>,
    /// shortest sampling step [s]
    shortest: f64,
}

impl<'m> Flights<'m> {
    fn new(m: &'m Model, y: &[f64], duration: f64) -> Flights<'m> {
        let mut held = vec![false; m.world.bodies.len()];
        m.constraints.bodies.iter().for_each(|b| held[b.body] = true);
        let pulled = m.forces.iter().filter(|force| !force.is_couple());
        pulled.flat_map(|force| force.bodies()).for_each(|&body| held[body] = true);
        let free = |(i, held): (usize, &bool)| {
            let flies = m.world.is_dynamic(i) && !held;
            flies.then(|| m.world.gravity.component_mul(&m.world.bodies[i].dofs.translation))
        };
        Flights {
            m,
            start: m.world.bodies.iter().map(|b| Kinematics::new(b, 0.0, y)).collect(),
            free: held.iter().enumerate().map(free).collect(),
            shortest: duration / STEPS,
        }
    }

    /// Returns whether a body flies freely.
    fn flies(&self, body: usize) -> bool {
        self.free[body].is_some()
    }

    /// Computes a body and its velocity at time `t` [s]. A flying body is not rotated from its orientation at the start.
    fn at(&self, body: usize, t: f64) -> Kinematics {
        let mut k = self.start[body];
        match (&self.m.world.bodies[body].kind, self.free[body]) {
            (BodyKind::Prescribed(_), _) => k.update(&self.m.world.bodies[body], t, &[]),
            (_, Some(g)) => {
                k.x.p += k.v * t + g * (0.5 * t * t);
                k.v += g * t;
            }
            (_, None) => k.v = Vec3::zeros(),
        }
        k
    }

    /// Finds the time before `end` at which two surfaces meet [s]. Time advances in steps in which they cannot meet, or in
    /// the shortest steps.
    fn meet(&self, surfaces: [usize; 2], rule: Option<usize>, end: f64) -> Option<f64> {
        let m = self.m;
        let s = surfaces.map(|s| &m.world.surfaces[s]);
        let moves =
            |body: usize| self.flies(body) || matches!(m.world.bodies[body].kind, BodyKind::Prescribed(_));
        let pulls = s.iter().filter_map(|s| self.free[s.body]).fold(Vec3::zeros(), |sum, g| g - sum).norm();
        let least = tolerance(m, surfaces);
        let mut pair = None;
        let mut t = 0.0;
        loop {
            let k = s.map(|s| self.at(s.body, t));
            let balls =
                (k[0].x.point(&s[0].centre) - k[1].x.point(&s[1].centre)).norm() - s[0].radius - s[1].radius;
            let gap = if balls > 0.0 {
                balls
            } else {
                let pair = pair
                    .get_or_insert_with(|| {
                        audit_pair(&m.world, rule.map(|rule| &m.rules[rule]), surfaces[0], surfaces[1])
                    })
                    .as_ref()?;
                -depth(pair.as_ref(), s, &k)?
            };
            if t == 0.0 && rule.is_none() && beyond(s, -gap) {
                return None;
            }
            if gap < -least {
                return Some(t);
            }
            if !s.iter().any(|s| moves(s.body)) {
                return None;
            }
            if t >= end {
                return None;
            }
            // g = v t + ½ a t²
            let v = (k[0].v - k[1].v).norm();
            let way = gap.max(0.0);
            let dt = 2.0 * way / (v + (v * v + 2.0 * pulls * way).sqrt());
            let dt = if s.iter().any(|s| matches!(m.world.bodies[s.body].kind, BodyKind::Prescribed(_))) {
                0.0
            } else {
                dt
            };
            let dt = if dt.is_nan() { f64::INFINITY } else { dt };
            t = (t + dt.max(self.shortest)).min(end);
        }
    }
}

/// Measures the depth of the overlap of two surfaces [m]; negative: minus the distance; `None`: not known.
fn depth(pair: &dyn BoundPair, s: [&crate::world::SurfaceModel; 2], k: &[Kinematics; 2]) -> Option<f64> {
    let (ra, rb);
    let xa = placed!(s[0].local, k[0].x, ra);
    let xb = placed!(s[1].local, k[1].x, rb);
    pair.search(xa, xb, None).ok().map(|found| found.contact.delta)
}
