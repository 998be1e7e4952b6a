//! Contacts of any surfaces, by the pairs of the geometry: each is a [`ContactPair`], as in other runs, that is kept and searched from where it was found last.

use carom_base::{Pose, Vec3};
use carom_crowd::{Load, NearPairs, Sums, in_parts};
use carom_geometry::surfaces::Sphere;
use carom_geometry::{BoundPair, Shape, Side, pairs};

use crate::contact::{Action, ContactPair, PairBodies, PairMemory};
use crate::error::RunError;
use crate::model::Model;
use crate::state::{Kinematics, placed};
use crate::world::{BodyKind, SurfaceModel};

/// A surface of a body that is held counts as large from this many times the median radius on: it is no ball in a grid, but asked for its distance.
const LARGE: f64 = 4.0;

/// Pairs are computed in parts of so many.
const CHUNK: usize = 32;

/// A pair of surfaces that are near each other.
#[derive(Debug)]
pub(super) struct NearPair {
    pub(super) ends: [u32; 2],
    /// once their bounds have met
    pub(super) pair: Option<Box<(ContactPair, PairMemory)>>,
    pub(super) action: Action,
}

impl NearPair {
    pub(super) fn new(ends: [u32; 2]) -> NearPair {
        NearPair { ends, pair: None, action: Action::default() }
    }
}

/// The surfaces that are not balls among balls, and their contacts.
#[derive(Debug)]
pub(super) struct General {
    /// surfaces in the grid, and large ones
    members: Vec<u32>,
    large: Vec<u32>,
    /// radii of the balls around all surfaces [m]
    radii: Vec<f64>,
    pub(super) near: NearPairs,
    pub(super) entries: Vec<NearPair>,
    parts: Vec<Result<Sums, (usize, &'static str)>>,
    /// balls beside large surfaces
    beside: Vec<Beside>,
}

/// A ball of a radius [m] beside a large surface, by the pair that knows their distance.
#[derive(Debug)]
struct Beside {
    radius: f64,
    large: u32,
    pair: Option<Box<dyn BoundPair>>,
}

impl General {
    /// Finds the surfaces of a model that are concerned; `skin` [m] as a part of the smallest of their radii.
    pub(super) fn new(m: &Model, concerned: impl Fn(usize) -> bool, skin: f64) -> General {
        let all = 0..m.world.surfaces.len();
        let radii: Vec<f64> = m.world.surfaces.iter().map(|s| s.radius).collect();
        let free = |i: usize| m.world.is_dynamic(m.world.surfaces[i].body);
        let mut sizes: Vec<f64> =
            all.clone().filter(|&i| free(i) && radii[i].is_finite()).map(|i| radii[i]).collect();
        sizes.sort_by(f64::total_cmp);
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or(f64::INFINITY);
        let is_large = |i: &usize| !radii[*i].is_finite() || (!free(*i) && radii[*i] > LARGE * median);
        let (large, members): (Vec<usize>, Vec<usize>) = all.filter(|&i| concerned(i)).partition(is_large);
        let skin = skin * sizes.first().copied().unwrap_or(0.0);
        let numbers = |all: Vec<usize>| all.into_iter().map(|i| i as u32).collect();
        General {
            members: numbers(members),
            large: numbers(large),
            radii,
            near: NearPairs::new(skin),
            entries: Vec::new(),
            parts: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// Says whether there are no such surfaces.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Says whether the list of near surfaces still holds.
    pub(super) fn holds(&self, m: &Model, k: &[Kinematics]) -> bool {
        self.is_empty() || self.near.holds(|i| centre(&m.world.surfaces[i], k))
    }

    /// Lists the surfaces that are near each other anew; `wanted` says of two whether they are treated here.
    pub(super) fn list(&mut self, m: &Model, k: &[Kinematics], wanted: impl Fn(u32, u32) -> bool + Sync) {
        let at = |i: usize| centre(&m.world.surfaces[i], k);
        self.near.rebuild(&self.members, at, &self.radii, &wanted);
        let mut ends: Vec<[u32; 2]> = self.near.pairs().to_vec();
        for index in 0..self.large.len() {
            let large = self.large[index];
            let near: Vec<u32> = self.members.iter().copied().filter(|&i| wanted(i, large)).collect();
            ends.extend(near.into_iter().filter(|&i| self.is_near(m, k, i, large)).map(|i| [i, large]));
        }
        ends.sort_unstable();
        let mut known = std::mem::take(&mut self.entries).into_iter().peekable();
        for ends in ends {
            while known.next_if(|entry| entry.ends < ends).is_some() {}
            self.entries
                .push(known.next_if(|entry| entry.ends == ends).unwrap_or_else(|| NearPair::new(ends)));
        }
    }

    /// Says whether a surface may touch a large one before the lists are made anew.
    fn is_near(&mut self, m: &Model, k: &[Kinematics], i: u32, large: u32) -> bool {
        let (s, other) = (&m.world.surfaces[i as usize], &m.world.surfaces[large as usize]);
        if !matches!(m.world.bodies[other.body].kind, BodyKind::Fixed) {
            return true;
        }
        let room;
        let there = placed!(other.local, k[other.body].x, room);
        let (at, skin) = (Pose::at(centre(s, k)), self.near.skin());
        let bound = self.ball_near(m, s.radius, large);
        // (what cannot be found out is near)
        bound.is_none_or(|pair| {
            pair.search(&at, there, None).map_or(true, |found| !(found.contact.delta < -skin))
        })
    }

    /// Returns the pair of a ball with a large surface.
    fn ball_near(&mut self, m: &Model, radius: f64, large: u32) -> Option<&dyn BoundPair> {
        let known = self.beside.iter().position(|known| known.radius == radius && known.large == large);
        let at = known.unwrap_or_else(|| {
            let shape = &m.world.surfaces[large as usize].shape;
            let ball = Sphere::new(radius)
                .ok()
                .map(|ball| Shape { surface: std::sync::Arc::new(ball), side: Side::Outside });
            let bound = ball.and_then(|ball| pairs::bind(&ball, shape).ok());
            self.beside.push(Beside { radius, large, pair: bound });
            self.beside.len() - 1
        });
        self.beside[at].pair.as_deref()
    }

    /// Computes what all pairs do at the end of a step of length `h` [s] and adds it to the loads, one pair after the other.
    pub(super) fn push(
        &mut self,
        m: &Model,
        k: &[Kinematics],
        h: f64,
        loads: &mut [Load],
    ) -> Result<Sums, (String, &'static str)> {
        let part = |entries: &mut [NearPair]| {
            let mut sums = Sums::default();
            for (i, entry) in entries.iter_mut().enumerate() {
                entry.act(m, k, h, &mut sums).map_err(|why| (i, why))?;
            }
            Ok(sums)
        };
        in_parts(&mut self.entries, CHUNK, &mut self.parts, part);
        let mut sums = Sums::default();
        for (chunk, part) in self.parts.iter().enumerate() {
            match part {
                Ok(part) => sums.add(part),
                Err((i, why)) => return Err((self.entries[chunk * CHUNK + i].name(), why)),
            }
        }
        for entry in self.entries.iter().filter(|entry| entry.action.acting > 0) {
            let Some(pair) = entry.pair.as_ref().map(|pair| &pair.0) else { continue };
            let Action { force, torques, .. } = entry.action;
            for (body, sign, torque) in [(pair.body_a, 1.0, torques[0]), (pair.body_b, -1.0, torques[1])] {
                loads[body].force += force * sign;
                loads[body].torque += torque;
            }
        }
        Ok(sums)
    }

    /// Visits the pairs that act, with what they remember.
    pub(super) fn acting(&self) -> impl Iterator<Item = (&ContactPair, &PairMemory)> {
        let acting = self.entries.iter().filter(|entry| entry.action.acting > 0);
        acting.filter_map(|entry| entry.pair.as_ref()).map(|pair| (&pair.0, &pair.1))
    }
}

impl NearPair {
    fn name(&self) -> String {
        self.pair.as_ref().map_or_else(String::new, |pair| pair.0.name.clone())
    }

    fn act(&mut self, m: &Model, k: &[Kinematics], h: f64, sums: &mut Sums) -> Result<(), &'static str> {
        self.action = Action::default();
        let [a, b] = self.ends.map(|i| &m.world.surfaces[i as usize]);
        if self.pair.is_none() {
            let apart = (centre(a, k) - centre(b, k)).norm() - a.radius - b.radius;
            if apart > 0.0 {
                return Ok(());
            }
        }
        let pair = match &mut self.pair {
            Some(pair) => pair,
            none => {
                let bound = bound(m, self.ends).ok_or("no pair of the geometry fits the surfaces")?;
                none.insert(Box::new(bound))
            }
        };
        let (pair, memory) = &mut **pair;
        let bodies = PairBodies { a: &k[pair.body_a], b: &k[pair.body_b], worn: &[] };
        self.action = pair.act(m, bodies, h, memory)?;
        let Action { lost_normal, lost_friction, lost_at_once, f_n, depth, touches, acting, .. } =
            self.action;
        let small = a.radius.min(b.radius);
        sums.add(&Sums {
            lost_normal,
            lost_friction,
            lost_at_once,
            force: f_n,
            depth,
            overlap: depth / small,
            touches,
            acting,
        });
        Ok(())
    }
}

/// Returns the pair of two surfaces, in the order in which their rule names them, with room for what it remembers.
pub(super) fn bound(m: &Model, ends: [u32; 2]) -> Option<(ContactPair, PairMemory)> {
    let [a, b] = ends.map(|i| i as usize);
    let (rule, straight) = m.table.get(a, b)?;
    let [a, b] = if straight { [a, b] } else { [b, a] };
    let pair = ContactPair::new(m, rule, a, b).ok()?;
    let memory = pair.room(m);
    Some((pair, memory))
}

/// Returns the centre of the ball around a surface.
fn centre(s: &SurfaceModel, k: &[Kinematics]) -> Vec3 {
    k[s.body].x.point(&s.centre)
}

/// Returns the error of a contact that fails.
pub(super) fn failed(t: f64, (contact, why): (String, &'static str)) -> RunError {
    RunError::Crowd { t, part: format!("contact {contact}"), why }
}
