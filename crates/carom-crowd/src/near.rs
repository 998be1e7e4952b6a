//! Pairs of balls that are near each other, kept while nothing has moved far.

use carom_base::Vec3;
use carom_base::snapshot::{Carried, Reader, SnapshotError, Writer};
use rayon::prelude::*;

use crate::grid::Grid;
use crate::sums::CHUNK;
use crate::threads::threads;

/// The pairs of balls whose surfaces are nearer than a skin. The list holds until a ball has moved by half of that.
///
/// Pairs are in the order of their first ball, then of their second one, which has the larger number.
///
/// ```
/// use carom_base::Vec3;
/// use carom_crowd::NearPairs;
/// let mut near = NearPairs::new(0.1);
/// let centres = [Vec3::zeros(), Vec3::new(2.05, 0.0, 0.0), Vec3::new(9.0, 0.0, 0.0)];
/// assert!(!near.holds(|i| centres[i])); // nothing was listed yet
/// near.rebuild(&[0, 1, 2], |i| centres[i], &[1.0; 3], |_, _| true);
/// assert_eq!(near.pairs(), [[0, 1]]);
/// assert!(near.holds(|i| centres[i]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct NearPairs {
    skin: f64,
    members: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    /// where the pairs of a first ball begin
    starts: Vec<u32>,
    /// where the pairs of a second ball begin among `seconds`, which are indices of pairs
    second_starts: Vec<u32>,
    seconds: Vec<u32>,
    /// the pairs of the list before
    before: Vec<[u32; 2]>,
    /// the centres when the list was made
    then: Vec<Vec3>,
    grid: Grid,
}

impl Carried for NearPairs {
    /// Saves the pairs, and where the centres were when they were listed: a list that is made at another time has the same pairs that
    /// touch, but others beside them, and sums are made in parts of the list.
    fn save(&self, to: &mut Writer) {
        self.pairs.save(to);
        self.then.save(to);
    }

    /// Restores the list of the same balls.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let balls = self.then.len();
        self.pairs.restore(from)?;
        self.then.restore(from)?;
        let is_known = |ball: &u32| (*ball as usize) < balls;
        if self.then.len() != balls || !self.pairs.iter().flatten().all(is_known) {
            return Err(SnapshotError::OtherModel);
        }
        self.index(balls);
        Ok(())
    }
}

impl NearPairs {
    /// Creates an empty list with a skin [m].
    pub fn new(skin: f64) -> NearPairs {
        NearPairs { skin, ..NearPairs::default() }
    }

    /// Returns the pairs.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Returns the skin [m].
    pub fn skin(&self) -> f64 {
        self.skin
    }

    /// Returns where the pairs of every first ball begin.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the indices of the pairs in which a ball is the second one, in increasing order.
    #[inline]
    pub fn as_second(&self, ball: usize) -> &[u32] {
        match self.second_starts.get(ball..ball + 2) {
            Some(&[from, to]) => &self.seconds[from as usize..to as usize],
            _ => &[],
        }
    }

    /// Returns the indices of the pairs in which a ball is the first one.
    #[inline]
    pub fn as_first(&self, ball: usize) -> std::ops::Range<usize> {
        match self.starts.get(ball..ball + 2) {
            Some(&[from, to]) => from as usize..to as usize,
            _ => 0..0,
        }
    }

    /// Says whether the list still has all pairs that may touch, with the centres where they are now.
    pub fn holds(&self, centre: impl Fn(usize) -> Vec3 + Sync) -> bool {
        let most = 0.25 * self.skin * self.skin;
        // (written so that a position that is no number is found)
        let stays = |&i: &u32| {
            let i = i as usize;
            (centre(i) - self.then[i]).norm_squared() <= most
        };
        if self.then.is_empty() {
            return false;
        }
        match threads() {
            1 => self.members.iter().all(stays),
            _ => self.members.par_chunks(16 * CHUNK).all(|members| members.iter().all(stays)),
        }
    }

    /// Makes the list anew, for these balls among all that have a centre and a radius; `wanted` says of two of them whether they may
    /// touch at all.
    pub fn rebuild(
        &mut self,
        members: &[u32],
        centre: impl Fn(usize) -> Vec3 + Sync,
        radii: &[f64],
        wanted: impl Fn(u32, u32) -> bool + Sync,
    ) {
        let largest = members.iter().map(|&i| radii[i as usize]).fold(0.0, f64::max);
        self.members.clear();
        self.members.extend_from_slice(members);
        self.then.clear();
        self.then.extend((0..radii.len()).map(centre));
        let centres = &self.then;
        let size = 2.0 * largest + self.skin;
        self.grid.fill(size, members.iter().map(|&i| (i, centres[i as usize])));
        let (grid, skin) = (&self.grid, self.skin);
        let of = |members: &[u32]| {
            let mut pairs = Vec::with_capacity(8 * members.len());
            for &i in members {
                let (first, a, r) = (pairs.len(), &centres[i as usize], radii[i as usize] + skin);
                grid.around(a, |j| {
                    let reach = r + radii[j as usize];
                    if j > i && (centres[j as usize] - a).norm_squared() < reach * reach && wanted(i, j) {
                        pairs.push([i, j]);
                    }
                });
                pairs[first..].sort_unstable();
            }
            pairs
        };
        std::mem::swap(&mut self.pairs, &mut self.before);
        self.pairs.clear();
        match threads() {
            1 => self.pairs.append(&mut of(members)),
            _ => {
                let parts: Vec<Vec<[u32; 2]>> = members.par_chunks(CHUNK).map(of).collect();
                parts.iter().for_each(|part| self.pairs.extend_from_slice(part));
            }
        }
        self.index(radii.len());
    }

    /// Carries what contacts remember over from the list before: those that are to be kept stay with their pair, all others begin anew.
    pub fn carry<S: Copy + Default>(
        &self,
        states: &mut Vec<S>,
        room: &mut Vec<S>,
        kept: impl Fn(&S) -> bool,
    ) {
        room.clear();
        room.resize(self.pairs.len(), S::default());
        for (state, pair) in states.iter().zip(&self.before) {
            if !kept(state) {
                continue;
            }
            let own = self.as_first(pair[0] as usize);
            if let Some(at) = self.pairs[own.clone()].iter().position(|now| now == pair) {
                room[own.start + at] = *state;
            }
        }
        std::mem::swap(states, room);
    }

    /// Notes where the pairs of every ball are.
    fn index(&mut self, balls: usize) {
        for (starts, end) in [(&mut self.starts, 0), (&mut self.second_starts, 1)] {
            starts.clear();
            starts.resize(balls + 1, 0);
            self.pairs.iter().for_each(|pair| starts[pair[end] as usize + 1] += 1);
            for i in 0..balls {
                starts[i + 1] += starts[i];
            }
        }
        self.seconds.resize(self.pairs.len(), 0);
        let mut next = self.second_starts.clone();
        for (index, pair) in self.pairs.iter().enumerate() {
            let at = &mut next[pair[1] as usize];
            self.seconds[*at as usize] = index as u32;
            *at += 1;
        }
    }
}
