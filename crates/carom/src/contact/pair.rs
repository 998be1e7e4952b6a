//! A contact pair: two surfaces that may touch, and their contact points.

use carom_base::{Pose, Scalar, Two, Vec3};
use carom_geometry::{BoundPair, Contact, GapBounds, PairFailure, RelativeCurvature, Seed};

use super::bodies::PairBodies;
use super::closing::common_rates;
use super::contact_point::ContactPoint;
use super::point::PointForce;
use crate::joint::StopPair;
use crate::model::Model;
use crate::rule::Shear;
use crate::state::{Kinematics, placed};
use crate::wear::Groove;

/// A contact pair: two surfaces, the geometry solver bound to them, the contact rule that applies to them, and the
/// state of their contact points. A limit stop of a joint is a contact pair too.
#[derive(Debug)]
pub(crate) struct ContactPair {
    /// indices of the surfaces A and B; `None` for a joint stop
    pub(super) surfaces: Option<[usize; 2]>,
    /// the joint stop, if the pair is one: it acts by the generalised forces of the joint's measure
    pub(super) stop: Option<StopPair>,
    /// largest distance from the body's centre of mass to a point of A or of B that rotation moves [m]
    pub(super) levers: [f64; 2],
    /// bounding spheres of the surfaces: centres, measured from the centres of mass in the body frames, and radii [m]
    pub(super) balls: Option<[(Vec3, f64); 2]>,
    pub(crate) body_a: usize,
    pub(crate) body_b: usize,
    /// frames of the surfaces in their body frames; `None`: identical with the body frame
    pub(super) local_a: Option<Pose>,
    pub(super) local_b: Option<Pose>,
    /// index of the contact rule
    pub(crate) rule: usize,
    /// name in results and messages, as `ring/tread~floor/plane1`
    pub(crate) name: String,
    pub(crate) geometry: Box<dyn BoundPair>,
    /// bounds on how the gaps can change; for a wall that wears, the curvature of the gaps is unknown
    pub(super) gap_bounds: GapBounds,
    /// size of the smaller body [m]: lengths count as small relative to it
    pub(crate) size: f64,
    /// contact modulus E* of the two materials [Pa], or the stiffness of their layers [Pa/m], if the law takes its stiffness from
    /// materials; else 0
    pub(super) e_star: f64,
    /// stiffness against sliding, rolling and spinning, if the laws with memory ask for it
    pub(super) shears: [Shear; 3],
    /// whether its forces are an integral of pressure over a patch
    pub(super) presses: bool,
    /// whether forces act midway between p_a and p_b, rather than on each body at its own contact point
    pub(super) middle: bool,
    /// whether friction and normal force act at different points: a body deforms and friction acts midway
    pub(crate) forces_apart: bool,
    /// state carried from step to step
    pub(crate) state: PairState,
    /// results computed anew for each step examined
    pub(super) scratch: PairScratch,
    /// worn groove of B, if B wears and the wear acts back on the contact
    pub(super) groove: Option<Groove>,
}

carom_base::carried!(
    ContactPair { state, scratch } scratch {
        surfaces, stop, levers, balls, body_a, body_b, local_a, local_b, rule, name, geometry, gap_bounds, size, e_star, shears, presses, middle, forces_apart, groove
    }
);

/// The state that a contact pair carries from step to step. Together with the state of the bodies it determines the
/// next step. Plain data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PairState {
    pub(crate) points: Vec<ContactPoint>,
    /// start values of the iterative searches for the contact points, if the pair needs any, and pieces on which they are held: the points at the end of
    /// the last step examined. They change between steps only, so that rates are a function of the state
    pub(super) seeds: Vec<Option<Seed>>,
    /// indices of the contact points that can carry a force
    pub(crate) on: Vec<usize>,
    /// rate of the normal force of all points together [N/s], rate of the depth of the deepest point [m/s], and whether
    /// the force and the depth had a peak in the last step
    pub(crate) f_n_rate: f64,
    pub(crate) depth_rate: f64,
    pub(crate) peaked: [bool; 2],
    /// normal force of all points together [N] and depth of the deepest point [m] at the end of the last step, while
    /// the pair can carry a force
    pub(crate) f_n: f64,
    pub(crate) depth: f64,
    /// largest indentation of contacts that have ended [m]
    pub(super) deepest: f64,
}

carom_base::plain!(PairState { points, seeds, on, f_n_rate, depth_rate, peaked, f_n, depth, deepest });

/// The results that are computed anew for each step examined.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairScratch {
    /// number of the last examined step in which the pair was near (counted by `Examined::steps`)
    pub(super) end_of: u64,
    /// indices of the contact points that matter in that step, or at that event
    pub(super) near: Vec<usize>,
    /// number of lists of near points made so far
    pub(super) lists: u64,
}

// (each contact point stores the number of the list it was last in, so the count continues after a restore)
carom_base::carried!(PairScratch { end_of, lists } scratch { near });

impl ContactPair {
    /// Says whether contact points slide over their body.
    pub(crate) fn slides(&self) -> bool {
        self.gap_bounds.sliding.is_some()
    }

    /// Returns the points at which friction acts on A and on B.
    #[inline(always)]
    pub(crate) fn friction_points<S: Scalar>(&self, c: &Contact<S>) -> [Vec3<S>; 2] {
        if !self.middle {
            return [c.p_a, c.p_b];
        }
        let middle = (c.p_a + c.p_b) * S::from_f64(0.5);
        [middle, middle]
    }

    /// Returns the indices of the surfaces A and B; `None` for a joint stop.
    pub(crate) fn surfaces(&self) -> Option<[usize; 2]> {
        self.surfaces
    }

    /// Returns the gap below which a contact point counts as neither open nor closed, with the bodies at `ka` and `kb`
    /// [m]: a length negligible for the pair, or the rounding error of positions that are far from the origin,
    /// whichever is larger.
    pub(crate) fn zero_gap(&self, ka: &Kinematics, kb: &Kinematics) -> f64 {
        (1e-12 * self.size).max(16.0 * f64::EPSILON * (ka.x.p.amax() + kb.x.p.amax()))
    }

    /// Computes contact point `k`. A worn wall reduces its indentation by the depth of wear.
    #[inline(always)]
    pub(crate) fn contact(&self, k: usize, bodies: PairBodies<'_>) -> Result<Contact, PairFailure> {
        let (ra, rb);
        let xa = placed!(self.local_a, bodies.a.x, ra);
        let xb = placed!(self.local_b, bodies.b.x, rb);
        let mut c = match self.state.seeds.get(k) {
            None => self.geometry.contact(k, xa, xb),
            Some(seed) => self.geometry.contact_from(k, xa, xb, seed.as_ref()),
        }?;
        if self.groove.is_some() {
            c.delta -= self.depth_and_slope(k, &c, bodies).0;
        }
        Ok(c)
    }

    /// Computes several contact points of a pair without wear, two at a time, in the order given.
    #[inline]
    pub(crate) fn contacts(
        &self,
        features: &[usize],
        ka: &Kinematics,
        kb: &Kinematics,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        if self.state.seeds.is_empty() {
            return self.geometry.contacts(features, xa, xb, contacts);
        }
        let seed = |k: usize| self.state.seeds.get(k).copied().flatten();
        self.geometry.contacts_from(features, xa, xb, &seed, contacts)
    }

    /// Iterates over the contact points that can carry a force, in twos as [`contacts`](ContactPair::contacts) groups
    /// them.
    #[inline(always)]
    pub(crate) fn on_in_twos(&self) -> impl Iterator<Item = [&ContactPoint; 2]> {
        let feature = |k: usize| &self.state.points[k];
        self.state.on.chunks(2).map(move |two| [feature(two[0]), feature(two[two.len() - 1])])
    }

    /// Computes the contact, rates and forces of contact point `k`.
    #[inline(always)]
    pub(crate) fn point(
        &self,
        m: &Model,
        k: usize,
        bodies: PairBodies<'_>,
    ) -> Result<PointForce, PairFailure> {
        let contact = self.contact(k, bodies)?;
        let closing = self.closing(k, &contact, bodies);
        Ok(PointForce::new(contact, closing, &m.rules[self.rule], &self.state.points[k]))
    }

    /// Computes the relative curvatures of the surfaces at contact point `k`.
    pub(super) fn curvature(&self, k: usize, ka: &Kinematics, kb: &Kinematics) -> RelativeCurvature {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        self.geometry.curvature(k, xa, xb)
    }

    /// Computes the gap [m] of contact point `k` and its rate [m/s].
    #[inline]
    pub(crate) fn gap(&self, k: usize, bodies: PairBodies<'_>) -> Result<(f64, f64), PairFailure> {
        let c = self.contact(k, bodies)?;
        Ok((-c.delta, -self.closing(k, &c, bodies).delta_dot))
    }

    /// Computes the gap [m] of contact point `k` and its rate [m/s] at the end of a step, and stores the point found as
    /// the start value of the next search.
    pub(crate) fn gap_at_end(&mut self, k: usize, bodies: PairBodies<'_>) -> Result<(f64, f64), PairFailure> {
        let c = self.contact(k, bodies)?;
        if self.geometry.is_iterative() {
            let (ra, rb);
            let xa = placed!(self.local_a, bodies.a.x, ra);
            let xb = placed!(self.local_b, bodies.b.x, rb);
            follow(&mut self.state.seeds[k], &c, xa, xb);
        }
        Ok((-c.delta, -self.closing(k, &c, bodies).delta_dot))
    }

    /// Returns the piece on which a contact point is held.
    pub(super) fn held_on(&self, k: usize) -> Option<u32> {
        self.state.seeds.get(k)?.as_ref().map(|seed| seed.piece).filter(|piece| *piece != 0)
    }

    /// Holds a contact point on a piece, or on none if that is zero.
    pub(super) fn hold_on(&mut self, k: usize, piece: u32) {
        if let Some(seed) = self.state.seeds.get_mut(k) {
            seed.get_or_insert(Seed::on(0)).piece = piece;
        }
    }

    /// Stores the near points, found at the end of a step two at a time, as the start values of the next searches.
    pub(super) fn seed_near_points(&mut self, contacts: &[Contact<Two>], ka: &Kinematics, kb: &Kinematics) {
        if !self.geometry.is_iterative() {
            return;
        }
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        for (k, c) in self.scratch.near.iter().zip(contacts.iter().flat_map(Contact::each)) {
            if let Some(seed) = self.state.seeds.get_mut(*k) {
                follow(seed, &c, xa, xb);
            }
        }
    }

    /// Returns the gap at which its law begins to act [m].
    pub(super) fn begins(&self) -> f64 {
        self.state.points.first().map_or(0.0, |f| f.begins)
    }

    /// Finds the contact points that matter if gaps below `margin` [m], counted from where their law begins to act, do: the points with such gaps, and all points
    /// that are not off. (Without help from the geometry, all monitored points.)
    pub(super) fn find_near_points(&mut self, ka: &Kinematics, kb: &Kinematics, margin: f64) {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        if self.geometry.near(xa, xb, margin + self.begins(), &mut self.scratch.near) {
            self.scratch.lists += 1;
            let list = self.scratch.lists;
            self.scratch.near.iter().for_each(|&k| self.state.points[k].near_in = list);
            let monitored_points = self.monitored_points();
            let far = |k: &&usize| **k < monitored_points && self.state.points[**k].near_in != list;
            self.scratch.near.extend(self.state.on.iter().filter(far));
        } else if self.scratch.near.len() != self.monitored_points() {
            self.scratch.near.clear();
            self.scratch.near.extend(0..self.monitored_points());
        }
    }

    /// Returns the number of contact points whose gaps are monitored; the others are parts of the first point's
    /// contact.
    pub(super) fn monitored_points(&self) -> usize {
        self.state.points.len() - self.geometry.parts()
    }

    /// Returns the contact points that touch and part together with point `k`.
    pub(crate) fn parts(&self, k: usize) -> std::ops::Range<usize> {
        if k == 0 { self.monitored_points()..self.state.points.len() } else { 0..0 }
    }
}

/// Makes a contact just found the start of the next search. The piece that its point is held on stays.
fn follow(seed: &mut Option<Seed>, c: &Contact, xa: &Pose, xb: &Pose) {
    let piece = seed.map_or(0, |seed| seed.piece);
    *seed = Some(Seed { piece, ..Seed::of(c, xa, xb) });
}

/// Returns the gaps of two contact points [m] and their rates [m/s].
#[inline]
pub(super) fn gaps_of(c: &Contact<Two>, ka: &Kinematics, kb: &Kinematics) -> [(f64, f64); 2] {
    let rate = match common_rates(c, ka, kb) {
        Some(closing) => -closing,
        None => (kb.velocities_at(&c.p_b) - ka.velocities_at(&c.p_a)).dot(&c.n),
    };
    let (gap, rate) = ((-c.delta).lanes(), rate.lanes());
    [(gap[0], rate[0]), (gap[1], rate[1])]
}
