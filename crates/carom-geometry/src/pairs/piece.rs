//! The piece on which the contact point of a block is a smooth function of the poses, and how far the next one is.
//!
//! The point that [`slide`](super::slide) finds is held by some of its bounds, and beyond the core in some coordinates. As long as these
//! stay the same, it is a smooth function of the poses; where one changes, the slope of the force has a kink. Whoever integrates a motion
//! holds a piece and follows its function, a little way beyond its end too, finds where it ends, and goes on with the next one from there.

use carom_base::{Mat3, Scalar, Vec3, norm};

use super::rounded::{Level, Rounded};
use super::slide::{Block, Reach, Slid, newton_step, point, slide};
use crate::error::PairFailure;
use crate::pair::PairScalar;

/// The fixed-point iteration within a piece: more steps than it takes near the piece.
const STEPS: usize = 40;
/// Distances closer to each other than this, relatively, are the same.
const STILL: f64 = 4.0 * f64::EPSILON;

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

    /// The piece on which a block's point is; `None` where it is so deep that the core is of no use.
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
        let side = |j: usize| match found.x[j] {
            x if x > solid.core[j] => 1,
            x if x < -solid.core[j] => -1,
            _ => 0,
        };
        let beyond = [side(0), side(1), side(2)];
        let shallow = found.level.d >= 0.5 * solid.radius && beyond != [0; 3];
        shallow.then_some(Piece { slides, beyond })
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

    /// Where a point is, seen from the edge or the corner of the core that is next to it.
    #[inline(always)]
    fn off<S: Scalar>(&self, solid: &Rounded, x: &Vec3<S>) -> Vec3<S> {
        let edge = |j: usize| f64::from(self.beyond[j]) * solid.core[j];
        self.outer(&(x - Vec3::new(edge(0), edge(1), edge(2)).map(S::from_f64)))
    }

    /// How far a point is from the core, by the coordinates that are beyond it here.
    #[inline(always)]
    fn level<S: Scalar>(&self, solid: &Rounded, x: &Vec3<S>) -> Level<S> {
        let one = S::from_f64(1.0);
        if let Some((axis, side)) = self.only() {
            let mut u = Vec3::from_element(S::from_f64(0.0));
            u[axis] = S::from_f64(side);
            let d = x[axis] * S::from_f64(side) - S::from_f64(solid.core[axis]);
            return Level { d, u, steepness: one };
        }
        let off = self.off(solid, x);
        let d = norm(&off);
        Level { d, u: off / d, steepness: one }
    }

    /// dF/ds, F being that of [`slide`](super::slide).
    #[inline(always)]
    fn slope<S: Scalar>(block: &Block<S>, reach: &Reach, s: &Vec3<S>, level: &Level<S>) -> Vec3<S> {
        Vec3::from_fn(|i, _| block.inwards[i].dot(&level.u) + s[i] * S::from_f64(reach.crown))
    }

    /// The second derivative of F, on the free s_i, with one on the others' diagonal.
    fn curvature(&self, block: &Block, reach: &Reach, level: &Level) -> Mat3 {
        let ways = block.inwards.map(|way| self.outer(&way));
        let along = ways.map(|way| way.dot(&level.u));
        let free = self.free();
        Mat3::from_fn(|i, k| match free[i] && free[k] {
            true => {
                let crown = if i == k { reach.crown } else { 0.0 };
                (ways[i].dot(&ways[k]) - along[i] * along[k]) / level.d + crown
            }
            false => f64::from(u8::from(i == k)),
        })
    }

    /// Where F is least on this piece. Over one face it is a parabola. Elsewhere its slope is zero where s is the least of the parabola |e + M s|²/2d + |s|²/2R, e + M s being what leads from the core
    /// to the point and d its own length: d is found by fixed-point iteration, which the crown, so slight, makes fast, and each step of it by the secant through the last two.
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
        let ways = block.inwards.map(|way| self.outer(&way));
        let start = self.off(solid, &point(block, &held));
        let slope = Vec3::new(ways[0].dot(&start), ways[1].dot(&start), ways[2].dot(&start));
        let products = Mat3::from_fn(|i, k| ways[i].dot(&ways[k]));
        let least = |d: f64| {
            let crown = d * reach.crown;
            let step = match free {
                [true, false, false] => Vec3::new(-slope.x / (products.m11 + crown), 0.0, 0.0),
                [false, true, false] => Vec3::new(0.0, -slope.y / (products.m22 + crown), 0.0),
                [false, false, true] => Vec3::new(0.0, 0.0, -slope.z / (products.m33 + crown)),
                _ => newton_step(&(products + Mat3::identity() * crown), &slope, &free),
            };
            (step, (start + ways[0] * step.x + ways[1] * step.y + ways[2] * step.z).norm())
        };
        let (mut d, mut before) = (start.norm(), None);
        for _ in 0..STEPS {
            let (step, length) = least(d);
            if (length - d).abs() <= STILL * d {
                return Ok(held + step);
            }
            let rate = before.map_or(0.0, |(at, was): (f64, f64)| (length - was) / (d - at));
            before = Some((d, length));
            let next = if rate < 0.9 { length + (length - d) * rate / (1.0 - rate) } else { length };
            d = if next > 0.0 { next } else { length };
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
        if S::CARRIES && self.free() != [false; 3] {
            // one step of Newton's method, whose slope carries the derivatives
            let level = self.level(solid, &point(&values, &found));
            let inverse = self.curvature(&values, reach, &level).try_inverse().ok_or(PairFailure::TooDeep)?;
            let slope = Piece::slope(block, reach, &s, &self.level(solid, &point(block, &s)));
            let (free, zero) = (self.free(), S::from_f64(0.0));
            s -= inverse.map(S::from_f64) * Vec3::from_fn(|i, _| if free[i] { slope[i] } else { zero });
        }
        let x = point(block, &s);
        Ok(Slid { s, x, level: self.level(solid, &x) })
    }

    /// The point on this piece, if it does not slide.
    pub(super) fn point<S: Scalar>(&self, solid: &Rounded, x: Vec3<S>) -> Slid<S> {
        Slid { s: Vec3::from_element(S::from_f64(0.0)), x, level: self.level(solid, &x) }
    }

    /// How far a point on this piece is from its end, negative beyond, of order one; and the piece that follows there (`None`: so deep that there is none).
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
        for j in 0..3 {
            let (x, side) = (slid.x[j], f64::from(self.beyond[j]));
            let out = if side == 0.0 { x.abs() } else { x * side } - solid.core[j];
            let room = if side == 0.0 { -out } else { out } / solid.radius;
            least = least.min(room);
            if room < 0.0 {
                next.beyond[j] = if side == 0.0 { x.signum() as i8 } else { 0 };
            }
        }
        let depth = slid.level.d / solid.radius - 0.5;
        let next = (depth >= 0.0 && next.beyond != [0; 3]).then_some(next);
        (least.min(depth), next)
    }
}
