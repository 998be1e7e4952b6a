//! The patch of two solids: both surfaces, each within the other solid.

use std::cell::RefCell;

use carom_base::{Pose, Vec3};

use super::body::Body;
use super::curved;
use super::depth::Depth;
use super::flat::{self, Rooms};
use super::flux;
use super::layer::{Fineness, Layered};
use super::star::{self, Around};
use crate::contact::Contact;
use crate::error::PairFailure;
use crate::shape::Shape;

/// Two solids, and the weights s_A and s_B of the depths in them.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    pub(crate) a: Body,
    pub(crate) b: Body,
    pub(crate) weights: [f64; 2],
    /// of integrals over curved surfaces, relative
    pub(crate) accuracy: f64,
    /// A's surface in B and B's in A, where the host is a mesh whose depth is that of its layer
    layered: [Option<Layered>; 2],
}

thread_local! {
    static ROOMS: RefCell<Rooms> = RefCell::default();
}

/// Calls `go` with room that is kept from call to call.
fn with_rooms<T>(go: impl FnOnce(&mut Rooms) -> T) -> T {
    ROOMS.with(|rooms| match rooms.try_borrow_mut() {
        Ok(mut rooms) => go(&mut rooms),
        Err(_) => go(&mut Rooms::default()),
    })
}

fn is_finite(x: &Pose) -> bool {
    (x.p.sum() + x.r.sum()).is_finite()
}

/// The rounding of a depth, relative to the places it is the difference of.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Solids whose depth is known less well than this, relative, do not press on one another.
const COARSEST: f64 = 1e-2;

/// Whose surface is looked at, within the other solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhichSide {
    A,
    B,
}

/// One surface within the other solid.
struct Side<'p> {
    guest: &'p Body,
    x_guest: &'p Pose,
    host: &'p Body,
    x_host: &'p Pose,
    /// of the depth in the host
    weight: f64,
    /// plus one if the guest is A
    sign: f64,
}

impl Patch {
    /// The patch of two shapes, if they bound solids.
    pub(crate) fn new(
        [a, b]: [&Shape; 2],
        weights: [f64; 2],
        accuracy: f64,
        fineness: &Fineness,
    ) -> Option<Patch> {
        let (body_a, body_b) = (Body::new(a)?, Body::new(b)?);
        let layered = |guest: (&Shape, &Body), host: (&Shape, &Body), weight: f64| {
            let needed = weight > 0.0 && !host.1.depth.is_smooth() && !guest.1.is_sheet;
            needed.then(|| Layered::new(guest, host, fineness)).flatten()
        };
        let (side_a, side_b) = ((a, &body_a), (b, &body_b));
        let layered = [layered(side_a, side_b, weights[1]), layered(side_b, side_a, weights[0])];
        Some(Patch { a: body_a, b: body_b, weights, accuracy, layered })
    }

    /// One side, if its host is a mesh with a layer.
    fn layered(&self, which: WhichSide) -> Option<&Layered> {
        self.layered[if which == WhichSide::A { 0 } else { 1 }].as_ref()
    }

    /// The point that is deepest in a mesh, as a contact; `None` if none is or no layer tells.
    pub(crate) fn deepest_in_layers(&self, x_a: &Pose, x_b: &Pose) -> Option<Contact> {
        if !is_finite(x_a) || !is_finite(x_b) {
            return None;
        }
        let mut found: Option<Contact> = None;
        for which in self.sides() {
            let (Some(layered), side) = (self.layered(which), self.side(which, x_a, x_b)) else { continue };
            let x = side.x_guest.seen_from(side.x_host);
            let deepest = with_rooms(|rooms| layered.deepest(&x, &mut rooms.space));
            let Some(deepest) = deepest else { continue };
            if found.is_none_or(|c| c.delta < deepest.depth) {
                // the guest's point is deeper along the normal out of the guest than the host's surface
                let (p, n) = (side.x_host.point(&deepest.p), side.x_host.direction(&deepest.down));
                let on_host = p - n * deepest.depth;
                let (p_a, p_b) = if which == WhichSide::A { (p, on_host) } else { (on_host, p) };
                found = Some(Contact {
                    p_a,
                    p_b,
                    n: n * side.sign,
                    delta: deepest.depth,
                    share: 1.0,
                    common: None,
                });
            }
        }
        found
    }

    fn side<'p>(&'p self, which: WhichSide, x_a: &'p Pose, x_b: &'p Pose) -> Side<'p> {
        let (a, b, weight) = (&self.a, &self.b, self.weight(which));
        match which {
            WhichSide::A => Side { guest: a, x_guest: x_a, host: b, x_host: x_b, weight, sign: 1.0 },
            WhichSide::B => Side { guest: b, x_guest: x_b, host: a, x_host: x_a, weight, sign: -1.0 },
        }
    }

    /// The sides that count.
    pub(crate) fn sides(&self) -> impl Iterator<Item = WhichSide> + use<> {
        let [s_b, s_a] = [WhichSide::A, WhichSide::B].map(|which| self.weight(which));
        [(WhichSide::A, s_b), (WhichSide::B, s_a)].into_iter().filter(|(_, s)| *s > 0.0).map(|(side, _)| side)
    }

    /// The weight of the depth of one solid's surface in the other. In a sheet there is no depth: the other one yields for both.
    fn weight(&self, which: WhichSide) -> f64 {
        let [s_a, s_b] = self.weights;
        match (which, self.a.is_sheet, self.b.is_sheet) {
            (WhichSide::A, true, _) | (WhichSide::B, _, true) => s_a + s_b,
            (_, true, _) | (_, _, true) => 0.0,
            (WhichSide::A, ..) => s_b,
            (WhichSide::B, ..) => s_a,
        }
    }

    /// Whether it helps to know where the solids overlap most: one of them is smooth, and both are convex.
    pub(crate) fn asks_for_deepest(&self) -> bool {
        let convex = [&self.a, &self.b].iter().all(|body| body.largest_radius.is_some());
        convex && (self.a.round.is_some() || self.b.round.is_some())
    }

    /// How accurate the work of one side's forces can be, relative: not much better than they are.
    pub(crate) fn accuracy_of_work(&self, which: WhichSide) -> f64 {
        let host = if which == WhichSide::A { &self.b } else { &self.a };
        if host.depth.is_smooth() { 0.1 * self.accuracy } else { self.accuracy.max(curved::IN_A_MESH) }
    }

    /// Visits the points of one side; `deepest` is where the solids overlap most, if that is known.
    pub(crate) fn points_of(
        &self,
        which: WhichSide,
        x_a: &Pose,
        x_b: &Pose,
        deepest: Option<&Contact>,
        visit: &mut dyn FnMut(Contact),
    ) -> Result<(), PairFailure> {
        if !is_finite(x_a) || !is_finite(x_b) {
            return Err(PairFailure::NotFinite);
        }
        let side = self.side(which, x_a, x_b);
        let x = side.x_guest.seen_from(side.x_host);
        let around = deepest.map(|c| {
            let largest = |body: &Body| body.largest_radius.unwrap_or(f64::INFINITY);
            let radius = largest(side.guest).min(largest(side.host));
            let centre = if which == WhichSide::A { c.p_a } else { c.p_b };
            let (centre, depth) = (side.x_host.point_to_local(&centre), c.delta);
            Around { centre, reach: (2.0 * radius * depth).sqrt() + depth, depth }
        });
        let mut found = |p: Vec3, n: Vec3, delta: f64, area: f64| {
            // the layer on the host presses a sheet out along its own normal
            let n = if side.guest.is_sheet { side.host.depth.gradient(&p) } else { n };
            let (p, n) = (side.x_host.point(&p), side.x_host.direction(&n) * side.sign);
            visit(Contact { p_a: p, p_b: p, n, delta, share: area * side.weight, common: None });
        };
        if let Some(layered) = self.layered(which) {
            with_rooms(|rooms| layered.points(&x, &mut rooms.space, &mut found));
            return Ok(());
        }
        // depths are differences of places, which are rounded: where solids overlap by little more than that, no better accuracy exists
        let rounding = around
            .as_ref()
            .map_or(0.0, |around| ROUNDING * (around.centre.norm() + x.p.norm()) / around.depth);
        if rounding > COARSEST {
            return Ok(());
        }
        let accuracy = self.accuracy.max(rounding);
        with_rooms(|rooms| {
            let done = around.is_some_and(|around| {
                let Side { guest, host, .. } = side;
                star::points(guest, host, &x, &around, accuracy, &mut rooms.star, &mut found)
            });
            if !done {
                curved::points(side.guest, side.host, &x, accuracy, None, rooms, &mut found);
            }
        });
        Ok(())
    }

    /// What one side stores [m⁴], in closed form or as a flux; `None` if neither is known.
    pub(crate) fn stored_in_closed_form(
        &self,
        which: WhichSide,
        x_a: &Pose,
        x_b: &Pose,
        deepest: Option<&Contact>,
    ) -> Result<Option<f64>, PairFailure> {
        if !is_finite(x_a) || !is_finite(x_b) {
            return Err(PairFailure::NotFinite);
        }
        let side = self.side(which, x_a, x_b);
        let x = side.x_guest.seen_from(side.x_host);
        if let Some(layered) = self.layered(which) {
            let stored = with_rooms(|rooms| layered.stored(&x, &mut rooms.space));
            return Ok(Some(side.weight * stored));
        }
        if side.guest.is_sheet {
            let accuracy = self.accuracy;
            let stored =
                |rooms: &mut Rooms| flux::stored_by_sheet(side.guest, side.host, &x, accuracy, rooms);
            return Ok(Some(side.weight * with_rooms(stored)));
        }
        let by_flux = || with_rooms(|rooms| flux::stored(side.guest, side.host, &x, self.accuracy, rooms));
        let Depth::Cells(host) = &side.host.depth else { return Ok(by_flux().map(|sum| side.weight * sum)) };
        // in a half space −½ d² n has the divergence d, whatever the guest
        if let [face] = &host.faces[..] {
            let n = side.x_host.direction(&face.n) * side.sign;
            let mut sum = 0.0;
            let mut add = |c: Contact| sum -= 0.5 * c.share * c.delta * c.delta * c.n.dot(&n);
            self.points_of(which, x_a, x_b, deepest, &mut add)?;
            return Ok(Some(sum));
        }
        let Depth::Cells(guest) = &side.guest.depth else {
            return Ok(by_flux().map(|sum| side.weight * sum));
        };
        let stored = |rooms: &mut Rooms| flat::stored((side.guest, guest), (side.host, host), &x, rooms);
        Ok(Some(side.weight * with_rooms(stored)))
    }
}
