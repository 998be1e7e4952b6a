//! Pairs: two surfaces, and the algorithm that finds their contacts.
//!
//! A [`PairSolver`] binds two shapes. What it gives says what is known of its contact points ([`PairFeatures`]) and finds them
//! ([`BoundPair`]). A pair in closed form is a formula, written once ([`PairFormula`]): the rest follows from it.

mod derivatives;

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Dual, Pose, Two, Vec3};

use crate::contact::{Contact, Found, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pressure::PressurePatch;
use crate::shape::Shape;
pub(crate) use derivatives::with_derivatives;
pub use derivatives::{PairDual, PairScalar};

/// An algorithm that finds contacts between some kinds of surfaces.
pub trait PairSolver: Debug + Send + Sync {
    /// Its name, for messages and `query`.
    fn name(&self) -> &'static str;
    /// Where it comes from: paper and equations.
    fn reference(&self) -> &'static str;
    /// Binds A and B in this order, or says no. The caller tries (B, A) as well.
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>>;
    /// Why a contact that asks for it leaves these two shapes to the usual algorithms; `None` (the default): it does not, and shapes it cannot bind
    /// are an error.
    fn leaves(&self, a: &Shape, b: &Shape) -> Option<&'static str> {
        let _ = (a, b);
        None
    }
    /// The key of a contact that asks for it, for messages.
    fn key(&self) -> &'static str {
        "solver"
    }
    /// The value of that key, for messages.
    fn value(&self) -> String {
        self.name().to_owned()
    }
    /// Whether it is right also where B is deformed: the axes of B's frame are then F, oblique and of any length, and the solid is that of
    /// the points p + F X. A's are always those of a rotation.
    fn deforms(&self) -> bool {
        false
    }
    /// The same algorithm for forces that grow with these powers of the indentation, those of a spring and of a dashpot beside it: an integral over a contact patch chooses its
    /// points by them. `None` (the default): it is the same for all.
    fn for_powers(&self, powers: [f64; 2]) -> Option<Arc<dyn PairSolver>> {
        let _ = powers;
        None
    }
    /// The same algorithm where A and B yield by these parts of the depth, whose sum is 1: that of an integral of pressure over a patch. `None` (the default): it is no such integral.
    fn yielding(&self, weights: [f64; 2]) -> Option<Arc<dyn PairSolver>> {
        let _ = weights;
        None
    }
    /// Whether a contact point stays the same place of the bodies from step to step, so that friction can remember it.
    fn keeps_points(&self) -> bool {
        true
    }
    /// The angles at which it cuts rings into slices [rad], for those who draw them. The default: it cuts none.
    fn cuts(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// How contact points slide along the body that carries them: a gap is g = min_s (d(x + D s) + |s|²/2R), d the distance from a convex set that the other body carries, s within bounds,
/// D the directions of sliding, unit vectors that are at right angles.
///
/// With n the direction of d at the minimum, and D turned by θ since then as seen from the other body, g ≥ g_x − θ|σ| + |σ|²/2R for every change σ of s, g_x being the gap of the point
/// held fast. So g falls short of g_x by R θ²/2 at most: it bends towards contact by R θ̇² more than the gap of a point of the body does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sliding {
    /// R, of the crown [m]
    pub radius: f64,
    /// the only direction of sliding, of length 1, in the frame of the surface that carries the points; `None`: there are several
    pub along: Option<Vec3>,
}

/// What is known beforehand of how the gaps of a pair change, whatever the poses: by it a touch between two looks is not missed.
///
/// ```
/// use carom_geometry::{GapBounds, Shape, pairs, surfaces::{Plane, Sphere}};
/// let (ball, floor) = (Shape::outside(Sphere::new(0.5)?), Shape::outside(Plane));
/// assert_eq!(pairs::bind(&floor, &ball)?.bounds(), GapBounds::CONVEX); // the height of the centre, a point of B
/// assert_eq!(pairs::bind(&ball, &floor)?.bounds(), GapBounds::CONVEX.swapped());
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapBounds {
    /// How sharply a gap can bend towards contact: as one surface passes the other straight on at unit
    /// speed without turning, the second derivative of a gap g is no less than −1/(radius − g) [1/m],
    /// so no less than −2/radius as long as the gap is below half that radius [m]. Infinite where the
    /// gap is convex; `None` where nothing is known.
    pub hollow_radius: Option<f64>,
    /// How contact points slide along the body that carries them, if they do so to where that body, crowned, comes nearest. But for that, gaps are then convex; so where this is known,
    /// `hollow_radius` is not asked.
    pub sliding: Option<Sliding>,
    /// Whether it is B that carries the points whose distance from the other surface the gaps are (a ball's centre,
    /// a box's corners): points fixed on their body, followed in the other's frame when gaps are bounded.
    pub follows_b: bool,
    /// How far the points that gaps are measured from can be beyond the core of the surface that carries them [m], as far as
    /// turning moves them: zero where they are on it ([`Surface::skin`](crate::Surface::skin)).
    pub stray: f64,
}

impl GapBounds {
    /// Gaps are convex functions of where a point of B is.
    pub const CONVEX: GapBounds = GapBounds::hollow(Some(f64::INFINITY));
    /// Of how gaps bend nothing is known.
    pub const UNKNOWN: GapBounds = GapBounds::hollow(None);

    /// The gaps of points of B from a surface whose hollows have that radius [m].
    pub const fn hollow(radius: Option<f64>) -> GapBounds {
        GapBounds { hollow_radius: radius, sliding: None, follows_b: true, stray: 0.0 }
    }

    /// The same with the roles of A and B exchanged.
    pub const fn swapped(self) -> GapBounds {
        GapBounds { follows_b: !self.follows_b, ..self }
    }
}

/// A contact point, or why there is none.
pub type ContactResult<S = f64> = Result<Contact<S>, PairFailure>;

/// What is known of the contact points of two surfaces that are bound to an algorithm.
///
/// The contact points are its *features*, numbered for good from 0. A feature's gap is a continuous
/// function of the two poses, and delta_dot = (v_a(p_a) − v_b(p_b))·n is its exact rate.
pub trait PairFeatures: Debug + Send + Sync {
    /// The algorithm's name.
    fn solver(&self) -> &'static str;
    /// How many contact points there can be at once.
    fn features(&self) -> usize;
    /// What a feature is called (`barrel`, `corner +-+` …), for results.
    fn feature_name(&self, feature: usize) -> String;
    /// How many features, the last ones, are parts of the first one's contact: they touch and part with it, and their own gaps are not
    /// watched. For contacts that are integrals over a patch.
    fn parts(&self) -> usize {
        0
    }
    /// The relative curvature there: asked for at first touch only.
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature;
    /// How its gaps can change. The default: nothing is known.
    fn bounds(&self) -> GapBounds {
        GapBounds::UNKNOWN
    }
    /// How much deeper than they touch the sharp solids may be in one another at most [m], because edges and corners count as rounded. The default: zero, nothing is rounded.
    fn late(&self) -> f64 {
        0.0
    }
    /// How much further from the other solid than the flat face or straight line that carries it a contact point may be taken to be at most [m], because these count as slightly crowned. The default: zero, nothing is crowned.
    fn crown(&self) -> f64 {
        0.0
    }
    /// Motions of the bodies within which contact points may go their whole way [m]. The default: zero, they move no faster than the solids allow.
    fn fine(&self) -> f64 {
        0.0
    }
    /// Puts into `near` all features whose gap can be less than `margin` [m], and perhaps others, and says that it did. The default
    /// says no: every feature has to be looked at. For pairs with many features most of which are far away.
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        let _ = (x_a, x_b, margin, near);
        false
    }
}

/// The formula of a pair in closed form, written once over [`Scalar`](carom_base::Scalar) (or [`PairScalar`], where it asks a surface for its closest point):
/// [`BoundPair`] follows from it, derivatives included.
///
/// Here that of the height of B's origin over the plane z = 0 of A:
///
/// ```
/// use carom_geometry::{BoundPair, Contact, ContactResult, GapBounds, PairFailure, PairFeatures};
/// use carom_geometry::{PairFormula, Pose, RelativeCurvature, Scalar, Vec3};
///
/// #[derive(Debug)]
/// struct Height;
///
/// impl PairFeatures for Height {
///     fn solver(&self) -> &'static str {
///         "height"
///     }
///     fn features(&self) -> usize {
///         1
///     }
///     fn feature_name(&self, _feature: usize) -> String {
///         "point".to_owned()
///     }
///     fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
///         RelativeCurvature::point(0.0, 0.0)
///     }
///     fn bounds(&self) -> GapBounds {
///         GapBounds::CONVEX
///     }
/// }
///
/// impl PairFormula for Height {
///     fn contact<S: Scalar>(&self, _: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
///         let n = x_a.axis(2);
///         let d = n.dot(&(x_b.p - x_a.p));
///         Ok(Contact { p_a: x_b.p - n * d, p_b: x_b.p, n, delta: -d, share: S::from_f64(1.0), common: None })
///     }
/// }
///
/// let pair: &dyn BoundPair = &Height;
/// let contact = pair.contact(0, &Pose::identity(), &Pose::at(Vec3::new(1.0, 2.0, 0.25)))?;
/// assert_eq!((contact.p_a, contact.delta), (Vec3::new(1.0, 2.0, 0.0), -0.25));
/// # Ok::<(), PairFailure>(())
/// ```
pub trait PairFormula: PairFeatures + Sized {
    /// See [`BoundPair::contact`].
    fn contact<S: PairScalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S>;
    /// See [`BoundPair::contacts`].
    #[inline]
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        two_by_two(features, contacts, |k| PairFormula::contact(self, k, x_a, x_b))
    }
}

impl<P: PairFormula> BoundPair for P {
    #[inline]
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        PairFormula::contact(self, feature, x_a, x_b)
    }
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        PairFormula::contacts(self, features, x_a, x_b, contacts)
    }
    with_derivatives!(|pair, feature, x_a, x_b, _| Some(PairFormula::contact(pair, feature, x_a, x_b)));
}

/// Two surfaces bound to an algorithm, which finds their contact points: everything that depends on their kinds is decided.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Plane, Sphere}};
/// let pair = pairs::bind(&Shape::outside(Plane), &Shape::outside(Sphere::new(0.5)?))?;
/// let contact = pair.contact(0, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.375)))?;
/// assert_eq!((pair.feature_name(0).as_str(), contact.delta), ("plane", 0.125));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait BoundPair: PairFeatures {
    /// One contact point, the surfaces' frames being at `x_a` and `x_b`.
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult;
    /// The same, by an iteration that starts from a contact shortly before; a closed form needs no seed.
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        let _ = seed;
        self.contact(feature, x_a, x_b)
    }
    /// Whether seeds help: the caller that follows a motion then keeps some.
    fn is_iterative(&self) -> bool {
        false
    }
    /// Several contact points, two at a time, put into `contacts` in that order; a pair of many may share work between them. An odd one
    /// is paired with itself, apart ([`Contact::and_none`]).
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        two_by_two(features, contacts, |k| self.contact(k, x_a, x_b))
    }
    /// The same, each by an iteration that may start from its feature's seed. The default does without.
    fn contacts_from(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        seed: &dyn Fn(usize) -> Option<Seed>,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        let _ = seed;
        self.contacts(features, x_a, x_b, contacts)
    }
    /// The same contact point with its derivatives by six variables, whatever the poses make of them (a small
    /// motion of one body, say), started from a contact that was. `None` (the default): the pair has no derivatives, and the caller that needs some takes
    /// differences. A [`PairFormula`] gives them by itself.
    fn contact_dual_from(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
        seed: Option<&Seed>,
    ) -> Option<ContactResult<Dual<6>>> {
        let _ = (feature, x_a, x_b, seed);
        None
    }
    /// The same from nothing.
    fn contact_dual(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
    ) -> Option<ContactResult<Dual<6>>> {
        self.contact_dual_from(feature, x_a, x_b, None)
    }
    /// The same with its derivatives by one variable alone, time say, for those who need no more. The default: those by six, five of them zero.
    fn contact_in_motion(
        &self,
        feature: usize,
        x_a: &Pose<Dual<1>>,
        x_b: &Pose<Dual<1>>,
        seed: Option<&Seed>,
    ) -> Option<ContactResult<Dual<1>>> {
        let more = |v: Dual<1>| Dual { re: v.re, eps: [v.eps[0], 0.0, 0.0, 0.0, 0.0, 0.0] };
        let [x_a, x_b] = [x_a, x_b].map(|x| Pose { p: x.p.map(more), r: x.r.map(more) });
        let contact = self.contact_dual_from(feature, &x_a, &x_b, seed)?;
        Some(contact.map(|c| c.map(|v| Dual { re: v.re, eps: [v.eps[0]] })))
    }
    /// A number that changes its sign where the slope of this feature's force has a kink, as points that share an indentation begin or end to do so; it is of order one a little away from there. `None` (the default): there is no such place.
    fn kink(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Option<f64> {
        let _ = (feature, x_a, x_b);
        None
    }
    /// Whether contact points may be held on a piece of theirs, on which they are smooth functions of the poses: forces have kinks where one piece ends and the next begins. The caller
    /// that follows a motion then keeps seeds, in which it says on which piece a point is, and changes it where the piece ends. The default: no.
    fn has_pieces(&self) -> bool {
        false
    }
    /// The piece on which this feature's point is; zero: none on which it could be held.
    fn piece(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> u32 {
        let _ = (feature, x_a, x_b);
        0
    }
    /// How far this feature's point is from the end of the piece on which it is held, of order one and negative beyond, and the piece that follows there. `None`: no
    /// point of the piece is found so far beyond its end.
    fn piece_ends(&self, feature: usize, x_a: &Pose, x_b: &Pose, piece: u32) -> Option<(f64, u32)> {
        let _ = (feature, x_a, x_b, piece);
        None
    }
    /// The pair that knows how far the solids as they are, with sharp edges, are apart, if this one takes them for something smoother. `None` (the default): it does not.
    fn sharp(&self) -> Option<&dyn BoundPair> {
        None
    }
    /// The nearest points of the two surfaces as they are, or the deepest: what the features come down to, unless they take
    /// the surfaces for something smoother (edges for rounded ones), as [`BoundPair::sharp`] then says.
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> ContactResult {
        match self.sharp() {
            Some(sharp) => sharp.closest(x_a, x_b),
            None => self.nearest(x_a, x_b).map(|(_, contact)| contact),
        }
    }
    /// [`BoundPair::closest`], and the name of the algorithm that found it.
    fn closest_by(&self, x_a: &Pose, x_b: &Pose) -> Result<(Contact, &'static str), PairFailure> {
        Ok((self.closest(x_a, x_b)?, self.solver()))
    }
    /// [`BoundPair::closest`], and how it was found.
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        if let Some(sharp) = self.sharp() {
            return sharp.search(x_a, x_b, seed);
        }
        let contact = self.closest(x_a, x_b)?;
        Ok(Found { contact, steps: 0, bounds: None, unique: true, solver: self.solver() })
    }
    /// The integral of pressure over the patch where the solids overlap, of a pair whose forces are such an integral. `None` (the default): its forces act at its contact points.
    fn patch(&self) -> Option<&dyn PressurePatch> {
        None
    }
    /// The contact with the smallest gap of all features.
    fn nearest(&self, x_a: &Pose, x_b: &Pose) -> Result<(usize, Contact), PairFailure> {
        let mut best = (0, self.contact(0, x_a, x_b)?);
        for k in 1..self.features() - self.parts() {
            let c = self.contact(k, x_a, x_b)?;
            if c.delta > best.1.delta {
                best = (k, c);
            }
        }
        Ok(best)
    }
}

/// Contact points one by one, packed in twos.
#[inline(always)]
pub(crate) fn two_by_two(
    features: &[usize],
    contacts: &mut Vec<Contact<Two>>,
    contact: impl Fn(usize) -> ContactResult,
) -> Result<(), PairFailure> {
    contacts.clear();
    let (twos, last) = features.as_chunks::<2>();
    for &[i, j] in twos {
        contacts.push(contact(i)?.and(&contact(j)?));
    }
    for &k in last {
        contacts.push(contact(k)?.and_none());
    }
    Ok(())
}
