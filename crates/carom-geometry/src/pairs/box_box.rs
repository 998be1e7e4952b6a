//! Two boxes: corners on faces, edges across edges, faces on faces.
//!
//! B is the smaller. The contact points, sixteen for good:
//!
//! - each corner of B, with the eighth of B it belongs to, against A: the point of that eighth nearest to A and as near to the corner
//!   as that allows (`slide`). On a face of A that is the corner; over an edge of A it is the nearest point of B's face or edge that
//!   has A beneath. So a box on a table stands on four points, wherever it stands, as it does on a plane, and
//!   crossed planks touch where they cross;
//! - each corner of A against B: that point of the material and no other.
//!
//! The box touched counts as rounded: |x − clamp(x, ±(h − r))| = r, r its `edge_radius`. Its faces stay where they are, so that corners
//! on faces and faces on faces are exact; edges that meet edges do so up to (√2 − 1) r late, and corners that meet corners up to (√3 − 1) r. Without it, boxes of one size
//! stacked in line would have no contact at all: each corner would leave by the side it is nearest to. It counts so at any depth (`rounded`). All gaps are
//! continuous functions of the poses, and smooth but where pieces meet.
//!
//! How far apart two sharp boxes are, exactly, is another question: see `closest`.

use carom_base::{Mat3, Pose, Scalar, Two, Vec3};

use super::piece::Piece;
use super::rounded::{Level, Rounded};
use super::slide::{Block, Reach, Slid, slide, slide_dual};
use super::{CORNERS, SHARP, boxes_apart, corner, finite, solid, within};
use crate::contact::{Common, Contact, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{
    BoundPair, GapBounds, PairFeatures, PairScalar, PairSolver, Sliding, two_by_two, with_derivatives,
};
use crate::shape::Shape;
use crate::surfaces::Cuboid;

/// The solver: A a box, B a box no larger.
#[derive(Debug)]
pub struct BoxBox;

#[derive(Debug)]
struct Bound {
    a: Edged,
    b: Edged,
    reach: Reach,
}

/// A box as the other meets it.
#[derive(Clone, Copy, Debug)]
struct Edged {
    half: Vec3,
    rounded: Rounded,
}

impl Edged {
    fn of(shape: &Cuboid) -> Edged {
        let (half, radius) = (*shape.half(), shape.edge_radius());
        Edged { half, rounded: Rounded { core: half.map(|h| h - radius), radius } }
    }
}

impl PairSolver for BoxBox {
    fn name(&self) -> &'static str {
        "box-box"
    }
    fn reference(&self) -> &'static str {
        "nearest points of a box's eighths to the other's rounded box; corners as in Corral et al. 2021, Eqs 24-32"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let (a, b) = (Edged::of(solid::<Cuboid>(a)?), Edged::of(solid::<Cuboid>(b)?));
        // by the longest diagonal, not the volume: a table top may be thin
        (b.half.norm() <= a.half.norm())
            .then(|| Box::new(Bound { a, b, reach: Reach::new(b.half) }) as Box<dyn BoundPair>)
    }
}

/// The contact of a point with a rounded box, the box being A; the point's own surface is `sag` behind it. Where the depth grows by less than one per length, the force is so much
/// less than the law gives.
fn touch<S: Scalar>(at: &Slid<S>, sag: S, radius: f64, x_a: &Pose<S>) -> Contact<S> {
    let radius = S::from_f64(radius);
    let Level { d, u, steepness } = &at.level;
    let n = x_a.direction(u);
    let p = x_a.point(&at.x);
    let one = S::from_f64(1.0);
    let common = (steepness.value() < 1.0).then(|| Common {
        n: n * *steepness,
        moment: Vec3::from_element(S::from_f64(0.0)),
        lever: one / *steepness,
    });
    let share = if common.is_some() { *steepness } else { one };
    Contact { p_a: p + n * (radius - *d), p_b: p + n * sag, n, delta: radius - *d - sag, share, common }
}

/// The eighth of a box that belongs to a corner, in the frame `x_a`.
fn eighth<S: Scalar>(corner: &Vec3, x_a: &Pose<S>, x_b: &Pose<S>) -> Block<S> {
    let local = x_a.point_to_local(&x_b.point(&corner.map(S::from_f64)));
    let inwards = |i: usize| {
        let axis = x_a.direction_to_local(&x_b.axis(i));
        if corner[i] > 0.0 { -axis } else { axis }
    };
    Block { corner: local, inwards: [inwards(0), inwards(1), inwards(2)] }
}

/// What is near to a rounded box: an eighth of the other box, or a corner of it.
enum Other<S: Scalar> {
    Eighth(Block<S>),
    Corner(Vec3<S>),
}

impl Bound {
    /// What a feature is about: the box that is touched, its frame, and what touches it there.
    #[inline(always)]
    fn sides<'p, S: Scalar>(
        &self,
        feature: usize,
        x_a: &'p Pose<S>,
        x_b: &'p Pose<S>,
    ) -> Result<(&Rounded, &'p Pose<S>, Other<S>), PairFailure> {
        let k = within(feature, 16)?;
        if k < 8 {
            let other = Other::Eighth(eighth(&corner(k, &self.b.half), x_a, x_b));
            return Ok((&self.a.rounded, x_a, other));
        }
        let x = x_b.point_to_local(&x_a.point(&corner(k - 8, &self.a.half).map(S::from_f64)));
        Ok((&self.b.rounded, x_b, Other::Corner(x)))
    }

    /// A contact point, held on a piece if the seed names one.
    #[inline(always)]
    fn at<S: PairScalar>(
        &self,
        feature: usize,
        x_a: &Pose<S>,
        x_b: &Pose<S>,
        seed: Option<&Seed>,
        slide: impl Fn(&Rounded, &Block<S>, &Reach) -> Result<Slid<S>, PairFailure>,
    ) -> Result<Contact<S>, PairFailure> {
        let piece = seed.and_then(|seed| Piece::numbered(seed.piece));
        let (solid, x, other) = self.sides(feature, x_a, x_b)?;
        let at = match (&other, piece) {
            (Other::Eighth(block), None) => slide(solid, block, &self.reach)?,
            // (far beyond the end of its piece a point may not be found; up to there it is the one that is searched for)
            (Other::Eighth(block), Some(piece)) => {
                piece.slid(solid, block, &self.reach).or_else(|_| slide(solid, block, &self.reach))?
            }
            (Other::Corner(corner), None) => Slid::of(solid, *corner)?,
            (Other::Corner(corner), Some(piece)) => {
                piece.point(solid, *corner).or_else(|_| Slid::of(solid, *corner))?
            }
        };
        finite(match other {
            Other::Eighth(_) => touch(&at, self.reach.sag(&at.s), solid.radius, x),
            Other::Corner(_) => touch(&at, S::from_f64(0.0), solid.radius, x).swapped(),
        })
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        BoxBox.name()
    }
    fn features(&self) -> usize {
        16
    }
    fn feature_name(&self, feature: usize) -> String {
        match CORNERS.get(feature % 8) {
            Some(corner) if feature < 8 => (*corner).to_owned(),
            Some(corner) if feature < 16 => format!("larger {corner}"),
            _ => String::new(),
        }
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        SHARP
    }
    // a contact point that slides over a turning box may come nearer faster than any point of the material
    // (corners of A are followed as well: these are fixed on it)
    fn bounds(&self) -> GapBounds {
        GapBounds {
            sliding: Some(Sliding { radius: self.reach.radius(), along: None }),
            ..GapBounds::UNKNOWN
        }
    }
    /// By the distances of sharp boxes along the axes of both, A and an eighth of B: no gap is less.
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        let (a, b) = (&self.a.half, &self.b.half);
        // B's axes in A's frame, and its middle in both
        let turn: Mat3 = x_a.r.tr_mul(&x_b.r);
        let lean = turn.abs();
        let [p, q] = [x_a.point_to_local(&x_b.p), -x_b.point_to_local(&x_a.p)];
        let apart = |p: &Vec3, q: &Vec3, b: &Vec3| {
            let of_a: Vec3 = p.abs() - lean * b - a;
            let of_b: Vec3 = q.abs() - lean.tr_mul(a) - b;
            of_a.max().max(of_b.max())
        };
        near.clear();
        if apart(&p, &q, b) > margin {
            return true;
        }
        let half = b * 0.5;
        let of_b = |k: &usize| {
            let middle = corner(*k, &half);
            apart(&(p + turn * middle), &(q + middle), &half) <= margin
        };
        near.extend((0..8).filter(of_b));
        let of_a = |k: &usize| {
            let x: Vec3 = turn.tr_mul(&corner(k - 8, a)) - q;
            (x.abs() - b).max() <= margin
        };
        near.extend((8..16).filter(of_a));
        true
    }
    // edges by (√2 − 1) r; a corner by a corner
    fn late(&self) -> f64 {
        (3f64.sqrt() - 1.0) * self.a.rounded.radius
    }
    fn crown(&self) -> f64 {
        self.reach.sag(&self.b.half)
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.at(feature, x_a, x_b, None, slide)
    }
    fn contact_from(
        &self,
        feature: usize,
        x_a: &Pose,
        x_b: &Pose,
        seed: Option<&Seed>,
    ) -> Result<Contact, PairFailure> {
        self.at(feature, x_a, x_b, seed, slide)
    }
    fn contacts_from(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        seed: &dyn Fn(usize) -> Option<Seed>,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        two_by_two(features, contacts, |k| self.at(k, x_a, x_b, seed(k).as_ref(), slide))
    }
    with_derivatives!(|pair, k, x_a, x_b, seed| Some(pair.at(k, x_a, x_b, seed, slide_dual)));
    fn has_pieces(&self) -> bool {
        true
    }
    fn piece(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> u32 {
        let piece = self.sides(feature, x_a, x_b).and_then(|(solid, _, other)| match other {
            Other::Eighth(block) => Piece::of(solid, &block, &self.reach),
            Other::Corner(corner) => Piece::of_point(solid, corner),
        });
        piece.ok().flatten().map_or(0, Piece::number)
    }
    fn piece_ends(&self, feature: usize, x_a: &Pose, x_b: &Pose, piece: u32) -> Option<(f64, u32)> {
        let piece = Piece::numbered(piece)?;
        let (solid, _, other) = self.sides(feature, x_a, x_b).ok()?;
        let (room, next) = match other {
            Other::Eighth(block) => {
                let at = piece.slid(solid, &block, &self.reach).ok()?;
                piece.end(solid, &at, Some((&block, &self.reach)))
            }
            Other::Corner(corner) => piece.end(solid, &piece.point(solid, corner).ok()?, None),
        };
        Some((room, next.map_or(0, Piece::number)))
    }
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        finite(boxes_apart::closest(&self.a.half, &self.b.half, x_a, x_b))
    }
}
