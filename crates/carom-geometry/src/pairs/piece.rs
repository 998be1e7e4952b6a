//! The piece on which the contact point of a block is a smooth function of the poses, and how far the next one is.
//!
//! The point that [`slide`](super::slide) finds is held by some of its bounds, and beyond the core in some coordinates. As long as these
//! stay the same, it is a smooth function of the poses; where one changes, the slope of the force has a kink. An integrator
//! holds a piece and follows its function, a little way beyond its end too, finds where it ends, and goes on with the next one from there.

use carom_base::{Mat3, Scalar, Vec3, norm};

use super::rounded::{Level, Rounded};
use super::slide::{Block, Reach, Slid, newton_step, point, slide};
use crate::error::PairFailure;
use crate::pair::PairScalar;

/// The fixed-point iteration within a piece: more steps than it takes near the piece.
const STEPS: usize = 40;
/// Depths closer to each other than this, relative to the size of the core, are the same: they are differences of lengths as large as that.
const STILL: f64 = 4.0 * f64::EPSILON;

/// What rounding makes of depths [m].
fn rounding(solid: &Rounded) -> f64 {
    STILL * (solid.core.max() + solid.radius)
}

/// What holds the point along one edge of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slide {
    /// it is at the corner
    Corner,
    Free,
    /// it is as far from the corner as it may go
    Far,
}

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    slides: [Slide; 3],
    /// on which side the point is beyond the core in each coordinate: 1, −1, or 0 for neither
    beyond: [i8; 3],
}

impl Piece {
    /// The piece as a number other than zero.
    pub(super) fn number(self) -> u32 {
        let slides = self.slides.iter().rev().fold(0, |n, slide| 4 * n + *slide as u32);
        let sides = self.beyond.iter().rev().fold(0, |n, side| 4 * n + u32::from((side + 1).unsigned_abs()));
        0x8000 | (sides << 6) | slides
    }

    /// The piece with that number; zero is none.
    #[inline(always)]
    pub(super) fn numbered(number: u32) -> Option<Piece> {
        let part = |i: usize| (number >> (2 * i)) & 3;
        let slide = |i: usize| match part(i) {
            0 => Slide::Corner,
            1 => Slide::Free,
            _ => Slide::Far,
        };
        let side = |i: usize| part(3 + i) as i8 - 1;
        (number != 0)
            .then(|| Piece { slides: [slide(0), slide(1), slide(2)], beyond: [side(0), side(1), side(2)] })
    }

    /// The piece on which a block's point is; `None` within a solid without round edges, in its middle, and at edges deeper than they are round.
    pub(super) fn of(solid: &Rounded, block: &Block, reach: &Reach) -> Result<Option<Piece>, PairFailure> {
        let found = slide(solid, block, reach)?;
        let slide = |i: usize| match found.s[i] {
            s if s <= 0.0 => Slide::Corner,
            s if s >= reach.length[i] => Slide::Far,
            _ => Slide::Free,
        };
        Ok(Piece::at(solid, &found, [slide(0), slide(1), slide(2)]))
    }

    /// The piece on which a point is that does not slide.
    pub(super) fn of_point(solid: &Rounded, x: Vec3) -> Result<Option<Piece>, PairFailure> {
        Ok(Piece::at(solid, &Slid::of(solid, x)?, [Slide::Corner; 3]))
    }

    fn at(solid: &Rounded, found: &Slid, slides: [Slide; 3]) -> Option<Piece> {
        let (x, core) = (&found.x, &solid.core);
        let side = |j: usize| if x[j] < 0.0 { -1 } else { 1 };
        let nearest = (x.abs() - core).imax();
        let beyond = match solid.face(x, nearest).filter(|face| face.overhang(x) == Vec3::zeros()) {
            Some(face) => [0, 1, 2].map(|j| if j == face.axis { side(j) } else { 0 }),
            // (at edges no deeper than they are round: nothing is known of how the search for a piece's point ends further in)
            None if found.level.d < 0.0 => return None,
            None => {
                let inset = solid.inset(solid.radius - found.level.d);
                [0, 1, 2].map(|j| if x[j].abs() > core[j] - inset { side(j) } else { 0 })
            }
        };
        (solid.radius > 0.0 && beyond != [0; 3]).then_some(Piece { slides, beyond })
    }

    #[inline(always)]
    fn free(&self) -> [bool; 3] {
        self.slides.map(|slide| slide == Slide::Free)
    }

    /// The coordinate in which the point is beyond the core, and on which side, if there is one alone.
    #[inline(always)]
    fn only(&self) -> Option<(usize, f64)> {
        match self.beyond {
            [side, 0, 0] => Some((0, f64::from(side))),
            [0, side, 0] => Some((1, f64::from(side))),
            [0, 0, side] => Some((2, f64::from(side))),
            _ => None,
        }
    }

    /// The coordinates of a vector that are beyond the core.
    #[inline(always)]
    fn outer<S: Scalar>(&self, v: &Vec3<S>) -> Vec3<S> {
        let of = |j: usize| if self.beyond[j] == 0 { S::from_f64(0.0) } else { v[j] };
        Vec3::new(of(0), of(1), of(2))
    }

    /// The sides as numbers, σ.
    #[inline(always)]
    fn sides(&self) -> Vec3 {
        Vec3::new(f64::from(self.beyond[0]), f64::from(self.beyond[1]), f64::from(self.beyond[2]))
    }

    /// Where a point is, seen from the edge or the corner of the core that is next to it, the core of a level being further in by `inset`.
    #[inline(always)]
    fn off<S: Scalar>(&self, solid: &Rounded, x: &Vec3<S>, inset: S) -> Vec3<S> {
        let sides = self.sides();
        let edge = |j: usize| S::from_f64(sides[j]) * (S::from_f64(solid.core[j]) - inset);
        self.outer(&(x - Vec3::new(edge(0), edge(1), edge(2))))
    }

    /// The level of a point's depth, by the coordinates that are beyond its core here.
    #[inline(always)]
    fn level<S: Scalar>(&self, solid: &Rounded, x: &Vec3<S>) -> Result<Level<S>, PairFailure> {
        let (zero, one) = (S::from_f64(0.0), S::from_f64(1.0));
        if let Some((axis, side)) = self.only() {
            let mut u = Vec3::from_element(zero);
            u[axis] = S::from_f64(side);
            let d = x[axis] * S::from_f64(side) - S::from_f64(solid.core[axis]);
            return Ok(Level { d, u, steepness: one });
        }
        let off = self.off(solid, x, zero);
        match self.is_shallow(solid, &off.map(Scalar::value)) {
            true => {
                let d = norm(&off);
                Ok(Level { d, u: off / d, steepness: one })
            }
            false => self.deep(solid, x),
        }
    }

    /// Whether a point is less than half the radius deep, by where it is from the edge or the corner of the core.
    #[inline(always)]
    fn is_shallow(&self, solid: &Rounded, off: &Vec3) -> bool {
        off.component_mul(&self.sides()).map(|out| out.max(0.0)).norm() >= 0.5 * solid.radius
    }

    /// No less than the depth of a point that is deeper than half the radius: that below the nearest face.
    fn at_most(solid: &Rounded, x: &Vec3) -> f64 {
        (solid.core - x.abs()).add_scalar(solid.radius).min().max(0.5 * solid.radius)
    }

    /// The same deeper than half the radius: the depth t at which the point is as far from the core of the level as its edges are round, by Newton's method.
    #[cold]
    fn deep<S: Scalar>(&self, solid: &Rounded, x: &Vec3<S>) -> Result<Level<S>, PairFailure> {
        let values = x.map(Scalar::value);
        let sides = self.sides();
        let mut t = Piece::at_most(solid, &values);
        for _ in 0..STEPS {
            let off = self.off(solid, &values, solid.inset(t));
            let (d, edge) = (off.norm(), solid.edge_radius(t));
            let step = (d - edge.rho) / ((1.0 + edge.rho_1) * sides.dot(&off) / d - edge.rho_1);
            t -= step;
            if step.abs() <= rounding(solid) {
                return Ok(self.level_at(solid, x, t));
            }
        }
        Err(PairFailure::NoConvergence(STEPS))
    }

    /// The level of depth t, on which the point is; one more step of Newton's method carries the derivatives.
    fn level_at<S: Scalar>(&self, solid: &Rounded, x: &Vec3<S>, t: f64) -> Level<S> {
        let one = S::from_f64(1.0);
        let sides = self.sides().map(S::from_f64);
        let look = |t: S| {
            let edge = solid.edge_radius(t);
            let off = self.off(solid, x, t + edge.rho - S::from_f64(solid.radius));
            let d = norm(&off);
            let u = off / d;
            let slope = (one + edge.rho_1) * sides.dot(&u) - edge.rho_1;
            (d - edge.rho, u, slope)
        };
        let start = S::from_f64(t);
        let (residual, _, slope) = look(start);
        let t = start - residual / S::from_f64(slope.value());
        let (_, u, slope) = look(t);
        Level { d: S::from_f64(solid.radius) - t, u, steepness: one / slope }
    }

    /// dF/ds, F being that of [`slide`](super::slide).
    #[inline(always)]
    fn slope<S: Scalar>(block: &Block<S>, reach: &Reach, s: &Vec3<S>, level: &Level<S>) -> Vec3<S> {
        let slope = level.slope();
        Vec3::from_fn(|i, _| block.inwards[i].dot(&slope) + s[i] * S::from_f64(reach.crown))
    }

    /// The second derivative of F, on the free s_i, with one on the others' diagonal: that of d is (P − a′ (σ qᵀ + q σᵀ) + D′ q qᵀ)/D as in [`Rounded::bend`](super::rounded).
    fn curvature(&self, solid: &Rounded, block: &Block, reach: &Reach, slid: &Slid) -> Mat3 {
        let level = &slid.level;
        let t = solid.radius - level.d;
        let edge = solid.edge_radius(t);
        let (sides, slope, a_1) = (self.sides(), level.slope(), 1.0 + edge.rho_1);
        let c: f64 = sides.dot(&self.off(solid, &slid.x, solid.inset(t)));
        let by_t = sides.norm_squared() * a_1 * a_1 + c * edge.rho_2
            - edge.rho_1 * edge.rho_1
            - edge.rho * edge.rho_2;
        let mut bend = Mat3::from_diagonal(&sides.abs());
        bend -= (sides * slope.transpose() + slope * sides.transpose()) * a_1;
        bend += slope * slope.transpose() * by_t;
        if self.only().is_some() {
            bend = Mat3::zeros();
        }
        let free = self.free();
        Mat3::from_fn(|i, k| match free[i] && free[k] {
            true => {
                let crown = if i == k { reach.crown } else { 0.0 };
                block.inwards[i].dot(&(bend * block.inwards[k])) * level.steepness / edge.rho + crown
            }
            false => f64::from(u8::from(i == k)),
        })
    }

    /// Where F is least on this piece. Over one face it is a parabola. Elsewhere e + M s leads from the core of the level to the point, and its length is ρ. With w = 1/(a′ Σ σ_j u_j − ρ′), the slope
    /// of F is w Mᵀ u + s/R, so s is the least of the parabola |e + M s|²/2 + (ρ/w) |s|²/2R: the crown is so slight that a few rounds of this and of one step of Newton's method for t end at it, with
    /// the secant through the last two in place of each step.
    #[inline]
    fn minimum(&self, solid: &Rounded, block: &Block, reach: &Reach) -> Result<Vec3, PairFailure> {
        let free = self.free();
        let held = |i: usize| if self.slides[i] == Slide::Far { reach.length[i] } else { 0.0 };
        let held = Vec3::new(held(0), held(1), held(2));
        if free == [false; 3] {
            return Ok(held);
        }
        if let Some((axis, side)) = self.only() {
            let flat =
                |i: usize| if free[i] { -side * block.inwards[i][axis] / reach.crown } else { held[i] };
            return Ok(Vec3::new(flat(0), flat(1), flat(2)));
        }
        let (ways, sides) = (block.inwards.map(|way| self.outer(&way)), self.sides());
        let start = self.off(solid, &point(block, &held), 0.0);
        let products = Mat3::from_fn(|i, k| ways[i].dot(&ways[k]));
        // the step, and the depth after it, for a core that is further in, and ρ/w
        let least = |inset: f64, weight: f64| {
            let start = start + sides * inset;
            let slope = Vec3::new(ways[0].dot(&start), ways[1].dot(&start), ways[2].dot(&start));
            let crown = weight * reach.crown;
            let step = match free {
                [true, false, false] => Vec3::new(-slope.x / (products.m11 + crown), 0.0, 0.0),
                [false, true, false] => Vec3::new(0.0, -slope.y / (products.m22 + crown), 0.0),
                [false, false, true] => Vec3::new(0.0, 0.0, -slope.z / (products.m33 + crown)),
                _ => newton_step(&(products + Mat3::identity() * crown), &slope, &free),
            };
            (step, start + ways[0] * step.x + ways[1] * step.y + ways[2] * step.z)
        };
        let (mut d, mut before) = (start.norm(), None);
        for _ in 0..STEPS {
            let (step, length) = if d >= 0.5 * solid.radius {
                let (step, off) = least(0.0, d);
                if !self.is_shallow(solid, &off) {
                    d = solid.radius - Piece::at_most(solid, &point(block, &(held + step)));
                    d = d.min(0.499 * solid.radius);
                    before = None;
                    continue;
                }
                (step, off.norm())
            } else {
                let t = solid.radius - d;
                let edge = solid.edge_radius(t);
                let grows = |off: &Vec3| (1.0 + edge.rho_1) * sides.dot(off) / off.norm() - edge.rho_1;
                let inset = solid.inset(t);
                let (_, off) = least(inset, edge.rho);
                let (step, off) = least(inset, edge.rho * grows(&off));
                (step, d + (off.norm() - edge.rho) / grows(&off))
            };
            if (length - d).abs() <= rounding(solid) {
                return Ok(held + step);
            }
            let rate = before.map_or(0.0, |(at, was): (f64, f64)| (length - was) / (d - at));
            before = Some((d, length));
            let next = if rate < 0.9 { length + (length - d) * rate / (1.0 - rate) } else { length };
            d = if next.is_finite() { next } else { length };
        }
        Err(PairFailure::NoConvergence(STEPS))
    }

    /// The point on this piece.
    #[inline]
    pub(super) fn slid<S: PairScalar>(
        &self,
        solid: &Rounded,
        block: &Block<S>,
        reach: &Reach,
    ) -> Result<Slid<S>, PairFailure> {
        let values = Block {
            corner: block.corner.map(Scalar::value),
            inwards: block.inwards.map(|d| d.map(Scalar::value)),
        };
        let found = self.minimum(solid, &values, reach)?;
        let mut s = found.map(S::from_f64);
        let free = self.free();
        if S::CARRIES && free != [false; 3] {
            // one step of Newton's method, whose slope carries the derivatives
            let x = point(&values, &found);
            let at = Slid { s: found, x, level: self.level(solid, &x)? };
            let curvature = self.curvature(solid, &values, reach, &at);
            let inverse = curvature.try_inverse().ok_or(PairFailure::TooDeep)?;
            let slope = Piece::slope(block, reach, &s, &self.level(solid, &point(block, &s))?);
            let zero = S::from_f64(0.0);
            s -= inverse.map(S::from_f64) * Vec3::from_fn(|i, _| if free[i] { slope[i] } else { zero });
        }
        let x = point(block, &s);
        Ok(Slid { s, x, level: self.level(solid, &x)? })
    }

    /// The point on this piece, if it does not slide.
    #[inline]
    pub(super) fn point<S: Scalar>(&self, solid: &Rounded, x: Vec3<S>) -> Result<Slid<S>, PairFailure> {
        Ok(Slid { s: Vec3::from_element(S::from_f64(0.0)), x, level: self.level(solid, &x)? })
    }

    /// How far a point on this piece is from its end, negative beyond, of order one; and the piece that follows there (`None`: in the middle of the solid, and at edges deeper than they are round).
    pub(super) fn end(
        &self,
        solid: &Rounded,
        slid: &Slid,
        sliding: Option<(&Block, &Reach)>,
    ) -> (f64, Option<Piece>) {
        let (mut least, mut next) = (f64::INFINITY, *self);
        if let Some((block, reach)) = sliding {
            let slope = Piece::slope(block, reach, &slid.s, &slid.level);
            for i in (0..3).filter(|i| reach.length[*i] > 0.0) {
                let (s, l) = (slid.s[i], reach.length[i]);
                // a slope of κ is that of the crown at the far end
                let steep = slope[i] / (reach.crown * reach.length.max());
                let (room, then) = match self.slides[i] {
                    Slide::Corner => (steep, Slide::Free),
                    Slide::Far => (-steep, Slide::Free),
                    Slide::Free if s < 0.5 * l => (s / l, Slide::Corner),
                    Slide::Free => (1.0 - s / l, Slide::Far),
                };
                least = least.min(room);
                if room < 0.0 {
                    next.slides[i] = then;
                }
            }
        }
        let nearest = (slid.x.abs() - solid.core).imax();
        let axis = self.only().map_or(nearest, |(axis, _)| axis);
        let Some(face) = solid.face(&slid.x, axis) else { return (-1.0, None) };
        // below a face the level is flat as far as its core goes; beside it, the core is that of the level at the edge
        let inset = match self.only() {
            Some(_) => solid.inset(solid.core[axis] + solid.radius - slid.x[axis] * face.side),
            None => solid.inset(solid.radius - slid.level.d),
        };
        for j in (0..3).filter(|j| self.only().is_none_or(|(axis, _)| axis != *j)) {
            let (x, side) = (slid.x[j], f64::from(self.beyond[j]));
            let out = if side == 0.0 { x.abs() } else { x * side } - solid.core[j] + inset;
            let room = if side == 0.0 { -out } else { out } / solid.radius;
            least = least.min(room);
            if room < 0.0 {
                next.beyond[j] = match self.beyond[j] {
                    0 if x < 0.0 => -1,
                    0 => 1,
                    _ => 0,
                };
            }
        }
        let depth = if self.only().is_some() { f64::INFINITY } else { slid.level.d / solid.radius };
        let holds = next.beyond != [0; 3] && (slid.level.d >= 0.0 || next.only().is_some());
        (least.min(depth), holds.then_some(next))
    }
}
