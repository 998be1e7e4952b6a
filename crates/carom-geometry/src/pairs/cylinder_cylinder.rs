//! Two cylinders as they are, barrels, caps and rims: contact points that neither jump nor coincide.
//!
//! B is the shorter cylinder; A, the longer one, has its edge rounded by ρ, 2 % of the smaller of its radius and half its length, as in `crowned`. d is the distance from A, a convex function of the place.
//! Each end of B has four *anchors*, points of its rim, and each anchor a contact point of its own with an eighth of the force.
//!
//! - *On its barrel* B is its axis, widened by its radius: as for a capsule (`capsule_on_cylinder`), the point c + s a of the axis counts that has the least d + s²/2R, c the end of the anchor, a the direction to the other one. The four anchors of
//!   an end agree. So barrels that lie side by side touch at the ends of their common length, and crossed ones where the axes are nearest.
//! - *Beyond the end of the barrel*, where the normal n leans to the cap, a flat disc takes the place of the ball at the end of the axis: of the points y of the disc that one counts which has the least
//!
//!     g(y) = max_w  d(m + y + σ w a) − σ w²/2 ,      σ = κ |y − c|²/r ,
//!
//!   m the disc's middle, c the anchor, a now the direction into B, w = n·a ≥ 0 at the maximum. Without σ, that is the distance of the disc; the term with σ is its crown, which tells anchors apart where a cap lies on
//!   a cap, and which is gone where the normal is across the axis. So at the end of the barrel all anchors agree, and both descriptions have the same gap, the same normal and the same point there: forces are continuous.
//!
//! Seen from the other end of B, the crown has made the barrel thinner by L²/2R and its end lean by L/R. The disc there begins with that radius and that lean, w = n·a − L/R, and σ w²/2 becomes σ (w²/2 + w L/R), so that all this is true there too.
//!
//! y, w and n are all where g is stationary, so that the rate of the gap is that of the material (envelope theorem), and forces have a potential. Rims meet rims up to (√2 − 1) ρ late; what lies on a barrel or a cap is exact but for the
//! crown. From the depth ρ/2 on it is the core of a level of depth that d is the distance from, whose edge keeps a radius (`levels.rs`): all of the above is true of each level, and the depth is that of the level that B touches.
//!
//! Checked: search, rates, potential, hand-over (`tests/cylinders.rs`); motion that keeps its energy (`tests/cans.rs` of `carom`).

use std::cell::Cell;

use carom_base::elementary::sincos;
use carom_base::{Pose, Scalar, Two, Vec3};

use super::capsule_on_cylinder::{Axis, AxisOnCylinder, OnAxis};
use super::convex::AnyConvex;
use super::end_disc::{Disc, EndDisc};
use super::levels::{Levels, Near, along_level};
use super::{LEAN, SHARP, either_way, finite, side_by_side, solid, within};
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{
    BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, Sliding, two_by_two, with_derivatives,
};
use crate::shape::{EDGE, Shape};
use crate::surfaces::Cylinder;

/// Anchors of a rim.
const ANCHORS: usize = 4;
/// Features: those of both rims.
const FEATURES: usize = 2 * ANCHORS;
/// Normals that lean by less than this are those of the barrel: with it, disc and ball differ by half its square, less than rounding.
const LEVEL: f64 = 1e-9;

/// The solver: A the longer cylinder, B the shorter, both touched from outside.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::Cylinder};
/// let can = Shape::outside(Cylinder::new(0.03, 0.10)?); // [m]
/// let pair = pairs::bind(&can, &can)?;
/// assert_eq!(pair.solver(), "cylinder-cylinder");
/// // one on the other, 0.1 mm deep; and side by side, as deep
/// let contact = |x| pair.nearest(&Pose::identity(), &Pose::at(x)).map(|(_, contact)| contact);
/// let on_top = contact(Vec3::new(0.0, 0.0, 0.0999))?;
/// assert!((on_top.delta - 1e-4).abs() < 1e-15 && (on_top.n - Vec3::z()).norm() < 1e-15);
/// let beside = contact(Vec3::new(0.0599, 0.0, 0.02))?;
/// assert!((beside.delta - 1e-4).abs() < 1e-15 && (beside.n - Vec3::x()).norm() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CylinderCylinder;

#[derive(Debug)]
struct Bound {
    longer: Cylinder,
    shorter: Cylinder,
    /// ρ [m]
    edge_radius: f64,
    /// those of A
    levels: Levels,
    /// of the shorter one's axis, against the longer one without its rounded edge
    slide: AxisOnCylinder,
    /// the disc at the end of the anchor, and at the other one
    discs: [EndDisc; 2],
    /// where anchors are on a disc of radius 1: not over the rounded edge of a cylinder that is as wide
    anchors: [[f64; 2]; ANCHORS],
    /// the solids as they are
    sharp: Box<dyn BoundPair>,
}

impl PairSolver for CylinderCylinder {
    fn name(&self) -> &'static str {
        "cylinder-cylinder"
    }
    fn reference(&self) -> &'static str {
        "of the axis of the shorter one, then of its caps, crowned about points of their rims, the point nearest to the other"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let (longer, shorter) = (*solid::<Cylinder>(a)?, *solid::<Cylinder>(b)?);
        if shorter.length() > longer.length() {
            return None;
        }
        let edge_radius = EDGE * longer.radius().min(0.5 * longer.length());
        let core = Cylinder::new(longer.radius() - edge_radius, longer.length() - 2.0 * edge_radius).ok()?;
        let mut slide = AxisOnCylinder::new(core, shorter.length());
        // at the other end the ball about the axis, L²/2R smaller, touches in a circle that is further out than its middle, by the lean: the axis ends so much earlier that the circle is at the cap
        let radius = |reach: f64| shorter.radius() - 0.5 * slide.crown * reach * reach;
        let mut reach = shorter.length();
        for _ in 0..8 {
            reach = shorter.length() / (1.0 + slide.crown * radius(reach));
        }
        let lean = slide.crown * reach;
        let far = EndDisc { core, radius: radius(reach) * (1.0 - lean * lean).sqrt(), lean };
        let near = EndDisc { core, radius: shorter.radius(), lean: 0.0 };
        slide.reach = reach;
        let anchors = std::array::from_fn(|k| {
            let (sin, cos) = sincos(std::f64::consts::TAU * k as f64 / ANCHORS as f64);
            [cos, sin].map(|c| (1.0 - EDGE) * c)
        });
        let sharp = either_way(&AnyConvex, a, b)?;
        let levels = Levels::new(edge_radius, core.radius().min(0.5 * core.length()));
        Some(Box::new(Bound {
            longer,
            shorter,
            edge_radius,
            levels,
            slide,
            discs: [near, far],
            anchors,
            sharp,
        }))
    }
}

/// Which disc touches.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    Barrel,
    /// the cap of the anchor's end
    Near,
    /// that of the other end
    Far,
}

/// What the anchors of an end have in common.
#[derive(Clone, Copy)]
struct End<S: Scalar> {
    axis: Axis<S>,
    on_axis: OnAxis<S>,
    at: Where,
}

/// What touches A, or the core of one of its levels, in A's frame.
#[derive(Clone, Copy)]
struct Touch<S: Scalar> {
    /// the point that d is the distance of [m]
    p: Vec3<S>,
    n: Vec3<S>,
    d: S,
    /// how far B reaches beyond the point, less the crown [m]
    off: S,
}

impl<S: Scalar> Touch<S> {
    /// How much the distance grows as the walls of the core go inwards: Σ λ of its two walls.
    fn walls(&self) -> S {
        let square = self.n.x * self.n.x + self.n.y * self.n.y;
        let across = if square.value() > 0.0 { square.sqrt() } else { S::from_f64(0.0) };
        across + self.n.z.abs()
    }
}

impl Bound {
    /// The nearest point of the axis, as seen from an end of it; `x` is the shorter one's frame in the longer one's, whose walls are `inset` further in [m].
    fn end<S: Scalar>(&self, end: usize, x: &Pose<S>, inset: S) -> Result<End<S>, PairFailure> {
        let axis = Axis::new(x, self.shorter.length(), [1.0, -1.0][end]);
        let on_axis = self.slide.nearest(&axis, inset)?;
        let (s, lean) = (on_axis.s.value(), on_axis.closest.n.dot(&axis.along).value());
        let at = if s <= 0.0 && lean > LEVEL {
            Where::Near
        } else if s >= self.slide.reach && -lean > self.discs[1].lean + LEVEL {
            Where::Far
        } else {
            Where::Barrel
        };
        Ok(End { axis, on_axis, at })
    }

    /// What touches at an anchor of that end.
    fn touch<S: Scalar>(
        &self,
        anchor: usize,
        end: &End<S>,
        x: &Pose<S>,
        inset: S,
    ) -> Result<Touch<S>, PairFailure> {
        let OnAxis { p, closest, .. } = end.on_axis;
        if end.at == Where::Barrel {
            let off = S::from_f64(self.shorter.radius()) - end.on_axis.sag(self.slide.crown);
            return Ok(Touch { p, n: closest.n, d: closest.d, off });
        }
        let far = end.at == Where::Far;
        let (disc, inwards) = (&self.discs[usize::from(far)], if far { -1.0 } else { 1.0 });
        let from_end = if far { self.shorter.length() } else { 0.0 };
        let frame = Disc {
            middle: end.axis.end + end.axis.along * S::from_f64(from_end),
            inwards: end.axis.along * S::from_f64(inwards),
            across: [x.axis(0), x.axis(1)],
            inset,
        };
        let at = disc.nearest(&frame, &self.anchors[anchor], &closest.n)?;
        Ok(Touch { p: at.p, n: at.closest.n, d: at.closest.d, off: at.crown })
    }

    /// The same on a level.
    fn touch_at<S: Scalar>(&self, feature: usize, x: &Pose<S>, t: S) -> Result<Touch<S>, PairFailure> {
        let inset = self.levels.inset(t);
        self.touch(feature % ANCHORS, &self.end(feature / ANCHORS, x, inset)?, x, inset)
    }

    /// The contact point of an anchor of that end.
    fn of<S: Scalar>(
        &self,
        feature: usize,
        end: Result<&End<S>, PairFailure>,
        x: &Pose<S>,
        x_a: &Pose<S>,
    ) -> ContactResult<S> {
        let edge_radius = S::from_f64(self.edge_radius);
        let at = end.and_then(|end| self.touch(feature % ANCHORS, end, x, S::from_f64(0.0)));
        let share = S::from_f64(1.0 / FEATURES as f64);
        match at {
            Ok(Touch { p, n, d, off }) if (edge_radius + off - d).value() <= self.levels.begin() => {
                let (p, n) = (x_a.point(&p), x_a.direction(&n));
                let delta = edge_radius + off - d;
                let p_a = p - n * (d - edge_radius);
                finite(Contact { p_a, p_b: p - n * off, n, delta, share, common: None })
            }
            Err(PairFailure::NotFinite) => Err(PairFailure::NotFinite),
            at => {
                let guess = at.map(|at| (edge_radius + at.off - at.d).value());
                self.deep(feature, guess.unwrap_or(2.0 * self.edge_radius), x, x_a)
            }
        }
    }

    /// The contact point deeper than that, from a guess of its depth.
    #[cold]
    fn deep<S: Scalar>(&self, feature: usize, guess: f64, x: &Pose<S>, x_a: &Pose<S>) -> ContactResult<S> {
        let still = Pose { p: x.p.map(Scalar::value), r: x.r.map(Scalar::value) };
        let size = self.longer.radius().max(self.longer.length());
        let (t, _) = self.levels.touched(guess, size, |t| {
            let at = self.touch_at(feature, &still, t)?;
            Ok(Near { distance: at.d - at.off, walls: at.walls(), point: () })
        })?;
        // how the depth changes: as the distance from the core of the level does
        let of = S::from_f64;
        let at = self.touch_at(feature, x, of(t))?;
        let excess = at.d - at.off;
        let steepness = self.levels.steepness(t, at.walls().value());
        let t = of(t) - (excess - of(excess.value())) * of(steepness);
        let at = self.touch_at(feature, x, t)?;
        let steepness = self.levels.steepness(t, at.walls());
        let (p, n) = (x_a.point(&at.p), x_a.direction(&at.n));
        let (p_b, share) = (p - n * at.off, steepness * of(1.0 / FEATURES as f64));
        let common = Some(along_level(&n, steepness));
        finite(Contact { p_a: p_b + n * t, p_b, n, delta: t, share, common })
    }

    fn at<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let feature = within(feature, FEATURES)?;
        let x = x_b.seen_from(x_a);
        self.of(
            feature,
            self.end(feature / ANCHORS, &x, S::from_f64(0.0)).as_ref().map_err(Clone::clone),
            &x,
            x_a,
        )
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        CylinderCylinder.name()
    }
    fn features(&self) -> usize {
        FEATURES
    }
    fn feature_name(&self, feature: usize) -> String {
        match feature {
            0..FEATURES => {
                format!("{} {}", ["end+", "end-"][feature / ANCHORS], feature % ANCHORS + 1)
            }
            _ => String::new(),
        }
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let Ok(c) = self.contact(feature, x_a, x_b) else { return SHARP };
        // (a cap is flat, and nothing spreads the load of a rim)
        let of = |x: &Pose, cylinder: &Cylinder| {
            let across = x.axis(2).dot(&c.n).abs() <= LEAN;
            let round = if across { 1.0 / cylinder.radius() } else { 0.0 };
            let direction = crate::closest_point::direction(&x.axis(2).cross(&c.n), Vec3::x).0;
            Curvature { k1: round, k2: 0.0, direction }
        };
        let k = RelativeCurvature::between(&of(x_a, &self.longer), &of(x_b, &self.shorter));
        let k = RelativeCurvature { k_min: k.k_min.max(0.0), k_max: k.k_max.max(0.0), ..k };
        let barrels = [x_a, x_b].iter().all(|x| x.axis(2).dot(&c.n).abs() <= LEAN);
        let lengths = [self.longer.length(), self.shorter.length()];
        let length = if barrels { side_by_side(lengths, x_a, x_b) } else { 0.0 };
        match length > 0.0 {
            true => RelativeCurvature { length, radii: [self.longer.radius(), self.shorter.radius()], ..k },
            false => k,
        }
    }
    // as they slide along axis and caps, gaps are not convex
    fn bounds(&self) -> GapBounds {
        let radius = (1.0 / self.slide.crown).max(EndDisc::crown_radius(self.shorter.radius()));
        GapBounds { sliding: Some(Sliding { radius, along: Some(Vec3::z()) }), ..GapBounds::UNKNOWN }
    }
    fn late(&self) -> f64 {
        (std::f64::consts::SQRT_2 - 1.0) * self.edge_radius
    }
    /// Leaning by the crown, a point runs over a cap or along a barrel.
    fn fine(&self) -> f64 {
        let across = self.shorter.radius();
        (across * across / EndDisc::crown_radius(across)).min(self.slide.crown * across * self.slide.reach)
    }
    // along the barrel, and across a cap
    fn crown(&self) -> f64 {
        let (length, across) = (self.shorter.length(), 2.0 * self.shorter.radius());
        let cap = across * across / EndDisc::crown_radius(self.shorter.radius());
        (0.5 * self.slide.crown * length * length).max(0.5 * cap)
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.at(feature, x_a, x_b)
    }
    /// The anchors of an end have its axis in common, and on the barrel all else, unless they are so deep that a level tells, on which it may be the cap that touches.
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        let x = x_b.seen_from(x_a);
        let seen: Cell<Option<(usize, End<f64>, Contact)>> = Cell::new(None);
        two_by_two(features, contacts, |k| {
            let end = within(k, FEATURES)? / ANCHORS;
            let of = match seen.get() {
                Some((same, of, contact)) if same == end => match of.at {
                    Where::Barrel if contact.common.is_none() => return Ok(contact),
                    _ => of,
                },
                _ => match self.end(end, &x, 0.0) {
                    Ok(of) => of,
                    Err(e) => return self.of(k, Err(e), &x, x_a),
                },
            };
            let contact = self.of(k, Ok(&of), &x, x_a)?;
            seen.set(Some((end, of, contact)));
            Ok(contact)
        })
    }
    with_derivatives!(|pair, k, x_a, x_b, _| Some(pair.at(k, x_a, x_b)));
    fn sharp(&self) -> Option<&dyn BoundPair> {
        Some(&*self.sharp)
    }
}
