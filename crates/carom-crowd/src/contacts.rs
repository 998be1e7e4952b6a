//! The contacts of balls with balls and with walls: where they meet, and where their forces go.

use carom_base::Vec3;
use carom_base::snapshot::{Plain, Reader, SnapshotError, Writer};
use rayon::prelude::*;

use crate::bodies::{Load, Place};
use crate::near::NearPairs;
use crate::sums::{CHUNK, Sums};
use crate::threads::threads;

/// Where two bodies touch, A and B.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// unit normal out of A
    pub n: Vec3,
    /// indentation [m]
    pub delta: f64,
    /// its rate [m/s], positive while approaching
    pub delta_dot: f64,
    /// sliding velocity of A over B [m/s]
    pub v_t: Vec3,
    /// rate of the normal [1/s]
    pub n_dot: Vec3,
    /// angular velocities of A and B [rad/s]
    pub w: [Vec3; 2],
}

/// What a contact does to A; the opposite acts on B.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// force at the point where they touch [N]
    pub force: Vec3,
    /// couple [N m]
    pub couple: Vec3,
}

/// The step being taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// its length [s]; 0 at the start of a run
    pub h: f64,
}

/// What bodies that touch do to each other.
pub trait Law: Sync {
    /// What a contact remembers.
    type State: Copy + Default + Send + Sync;

    /// Says whether there is something to be remembered: the bodies have touched, and not parted yet.
    fn touches(state: &Self::State) -> bool;

    /// Returns the push on A, and changes what is remembered as the step does. `ends`: the numbers of A and B.
    fn push(
        &self,
        ends: [u32; 2],
        at: &Meeting,
        step: Ahead,
        state: &mut Self::State,
        sums: &mut Sums,
    ) -> Push;

    /// Is called once bodies have parted.
    fn part(&self, ends: [u32; 2], state: &mut Self::State, sums: &mut Sums);
}

/// Room for the pushes of all pairs of a list.
#[derive(Clone, Debug, Default)]
pub struct Room {
    pushes: Vec<Both>,
    acts: Vec<bool>,
    parts: Vec<Sums>,
}

/// What a contact does to its two bodies.
#[derive(Clone, Copy, Debug, Default)]
struct Both {
    force: Vec3,
    torques: [Vec3; 2],
}

impl Both {
    fn new(push: &Push, n: &Vec3, levers: [f64; 2]) -> Both {
        let turn = n.cross(&push.force);
        Both { force: push.force, torques: [turn * levers[0] + push.couple, turn * levers[1] - push.couple] }
    }

    #[inline]
    fn on_first(&self, load: &mut Load) {
        load.force += self.force;
        load.torque += self.torques[0];
    }

    #[inline]
    fn on_second(&self, load: &mut Load) {
        load.force -= self.force;
        load.torque += self.torques[1];
    }
}

/// Returns where two balls meet, if they do, and how far that is from their centres [m].
#[inline(always)]
pub fn balls_meet(a: &Place, b: &Place) -> Option<(Meeting, [f64; 2])> {
    let apart = b.x - a.x;
    let (squared, reach) = (apart.norm_squared(), a.r + b.r);
    // (a distance of zero has no direction: such bodies pass)
    if squared >= reach * reach || squared == 0.0 {
        return None;
    }
    let distance = squared.sqrt();
    let n = apart / distance;
    let delta = reach - distance;
    // both closest points move with the middle between them
    let levers = [a.r - 0.5 * delta, b.r - 0.5 * delta];
    let v = a.v - b.v;
    let delta_dot = v.dot(&n);
    let across = v - n * delta_dot;
    let v_t = across + (a.w * levers[0] + b.w * levers[1]).cross(&n);
    Some((Meeting { n, delta, delta_dot, v_t, n_dot: across / -distance, w: [a.w, b.w] }, levers))
}

/// Computes the contact of two balls, if they touch.
#[inline(always)]
fn between<L: Law>(
    law: &L,
    ends: [u32; 2],
    places: &[Place],
    step: Ahead,
    state: &mut L::State,
    sums: &mut Sums,
) -> Option<Both> {
    let (a, b) = (&places[ends[0] as usize], &places[ends[1] as usize]);
    let Some((at, levers)) = balls_meet(a, b) else {
        if L::touches(state) {
            law.part(ends, state, sums);
        }
        return None;
    };
    let push = law.push(ends, &at, step, state, sums);
    sums.overlap = sums.overlap.max(at.delta / a.r.min(b.r));
    Some(Both::new(&push, &at.n, levers))
}

/// Returns where a ball meets a wall on the body `holder`, if it does, and how far that is from its centre [m] and from that body's.
#[inline(always)]
pub fn wall_meets(ball: &Place, wall: &Wall, holder: &Place) -> Option<(Meeting, f64, Vec3)> {
    let delta = ball.r - (ball.x - wall.p).dot(&wall.n);
    if delta <= 0.0 {
        return None;
    }
    let n = -wall.n;
    let lever = ball.r - 0.5 * delta;
    let arm = ball.x + n * lever - holder.x;
    let v = ball.v - holder.v - holder.w.cross(&arm);
    let delta_dot = v.dot(&n);
    let v_t = v - n * delta_dot + ball.w.cross(&(n * lever));
    let at = Meeting { n, delta, delta_dot, v_t, n_dot: holder.w.cross(&n), w: [ball.w, holder.w] };
    Some((at, lever, arm))
}

/// Computes the pushes of a part of the pairs, and returns their sums.
fn push_part<L: Law>(
    law: &L,
    step: Ahead,
    places: &[Place],
    pairs: &[[u32; 2]],
    states: &mut [L::State],
    pushes: &mut [Both],
    acts: &mut [bool],
) -> Sums {
    let mut sums = Sums::default();
    for (((ends, state), push), acts) in pairs.iter().zip(states).zip(pushes).zip(acts) {
        let both = between(law, *ends, places, step, state, &mut sums);
        *acts = both.is_some();
        if let Some(both) = both {
            *push = both;
        }
    }
    sums
}

/// Adds the forces of the pairs of a list to the loads, and returns their sums.
pub fn push_pairs<L: Law>(
    law: &L,
    near: &NearPairs,
    step: Ahead,
    places: &[Place],
    states: &mut [L::State],
    loads: &mut [Load],
    room: &mut Room,
) -> Sums {
    let pairs = near.pairs();
    room.pushes.resize(pairs.len(), Both::default());
    room.acts.resize(pairs.len(), false);
    let part = |((pairs, states), (pushes, acts))| push_part(law, step, places, pairs, states, pushes, acts);
    let Room { pushes, acts, parts } = room;
    match threads() {
        1 => {
            let chunks = pairs.chunks(CHUNK).zip(states.chunks_mut(CHUNK));
            let rooms = pushes.chunks_mut(CHUNK).zip(acts.chunks_mut(CHUNK));
            parts.clear();
            parts.extend(chunks.zip(rooms).map(part));
        }
        _ => {
            let chunks = pairs.par_chunks(CHUNK).zip(states.par_chunks_mut(CHUNK));
            let rooms = pushes.par_chunks_mut(CHUNK).zip(acts.par_chunks_mut(CHUNK));
            chunks.zip(rooms).map(part).collect_into_vec(parts);
        }
    }
    // each body adds what its pairs do in the order of the list: first those in which it is the second one
    let (pushes, acts) = (&*pushes, &*acts);
    let add = |(body, load): (usize, &mut Load)| {
        let seconds = near.as_second(body).iter().map(|i| *i as usize);
        seconds.filter(|i| acts[*i]).for_each(|i| pushes[i].on_second(load));
        near.as_first(body).filter(|i| acts[*i]).for_each(|i| pushes[i].on_first(load));
    };
    match threads() {
        1 => loads.iter_mut().enumerate().for_each(add),
        _ => loads.par_iter_mut().enumerate().with_min_len(CHUNK).for_each(add),
    }
    Sums::of(&*parts)
}

/// A ball that is near a flat wall.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtWall<S> {
    /// number of the ball
    pub ball: u32,
    /// number of the wall
    pub wall: u32,
    /// what the contact remembers
    pub state: S,
}

impl<S: Plain> Plain for AtWall<S> {
    fn write(&self, to: &mut Writer) {
        let AtWall { ball, wall, state } = self;
        (*ball, *wall).write(to);
        state.write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<AtWall<S>, SnapshotError> {
        let (ball, wall) = Plain::read(from)?;
        Ok(AtWall { ball, wall, state: S::read(from)? })
    }
}

/// A flat wall without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// number of its body
    pub body: u32,
    /// a point of it [m]
    pub p: Vec3,
    /// unit normal out of the wall
    pub n: Vec3,
    /// distance within which balls count as near [m]; infinite of a wall that moves
    pub reach: f64,
}

/// What a contact does to its ball and to the body of its wall, if they touch.
type WallPush = Option<(Load, Load)>;

/// The balls that are near walls, and room for their pushes.
#[derive(Clone, Debug)]
pub struct AtWalls<S> {
    /// in the order of the balls, then of the walls
    pub entries: Vec<AtWall<S>>,
    pushes: Vec<WallPush>,
    parts: Vec<Sums>,
}

impl<S> Default for AtWalls<S> {
    fn default() -> AtWalls<S> {
        AtWalls { entries: Vec::new(), pushes: Vec::new(), parts: Vec::new() }
    }
}

impl<S: Copy + Default> AtWalls<S> {
    /// Finds the balls that are near walls; `wanted` says of a ball and a wall whether they may touch. What contacts remember
    /// that are to be kept stays with them.
    pub fn rebuild(
        &mut self,
        members: &[u32],
        places: &[Place],
        walls: &[Wall],
        wanted: impl Fn(u32, u32) -> bool,
        kept: impl Fn(&S) -> bool,
    ) {
        let before = std::mem::take(&mut self.entries);
        let mut known = before.iter().filter(|entry| kept(&entry.state)).peekable();
        for &ball in members {
            let place = &places[ball as usize];
            for (index, wall) in walls.iter().enumerate() {
                let gap = (place.x - wall.p).dot(&wall.n) - place.r;
                let (wall, reach) = (index as u32, wall.reach);
                while known.next_if(|entry| (entry.ball, entry.wall) < (ball, wall)).is_some() {}
                let state =
                    known.next_if(|entry| (entry.ball, entry.wall) == (ball, wall)).map(|entry| entry.state);
                if state.is_some() || (gap < reach && wanted(ball, wall)) {
                    self.entries.push(AtWall { ball, wall, state: state.unwrap_or_default() });
                }
            }
        }
    }
}

/// Adds the forces between balls and walls to the loads, and returns their sums. The numbers that the law is given are those of the
/// ball and of the wall.
pub fn push_walls<L: Law>(
    law: &L,
    walls: &[Wall],
    step: Ahead,
    places: &[Place],
    near: &mut AtWalls<L::State>,
    loads: &mut [Load],
) -> Sums {
    let one = |entry: &mut AtWall<L::State>, sums: &mut Sums| {
        let (ball, wall) = (&places[entry.ball as usize], &walls[entry.wall as usize]);
        let (ends, holder) = ([entry.ball, entry.wall], &places[wall.body as usize]);
        let Some((at, lever, arm)) = wall_meets(ball, wall, holder) else {
            if L::touches(&entry.state) {
                law.part(ends, &mut entry.state, sums);
            }
            return None;
        };
        let push = law.push(ends, &at, step, &mut entry.state, sums);
        sums.overlap = sums.overlap.max(at.delta / ball.r);
        let on_ball = Load { force: push.force, torque: at.n.cross(&push.force) * lever + push.couple };
        let on_wall = Load { force: -push.force, torque: -arm.cross(&push.force) - push.couple };
        Some((on_ball, on_wall))
    };
    let part = |(entries, pushes): (&mut [AtWall<L::State>], &mut [WallPush])| {
        let mut sums = Sums::default();
        entries.iter_mut().zip(pushes).for_each(|(entry, push)| *push = one(entry, &mut sums));
        sums
    };
    near.pushes.resize(near.entries.len(), None);
    match threads() {
        1 => {
            near.parts.clear();
            let chunks = near.entries.chunks_mut(CHUNK).zip(near.pushes.chunks_mut(CHUNK));
            near.parts.extend(chunks.map(part));
        }
        _ => {
            let chunks = near.entries.par_chunks_mut(CHUNK).zip(near.pushes.par_chunks_mut(CHUNK));
            chunks.map(part).collect_into_vec(&mut near.parts);
        }
    }
    for (entry, push) in near.entries.iter().zip(&near.pushes) {
        let Some((on_ball, on_wall)) = push else { continue };
        let body = walls[entry.wall as usize].body;
        for (body, own) in [(entry.ball, on_ball), (body, on_wall)] {
            loads[body as usize].force += own.force;
            loads[body as usize].torque += own.torque;
        }
    }
    Sums::of(&near.parts)
}
