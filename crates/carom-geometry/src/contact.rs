//! A contact, and the pairs that find it.

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Dual, Pose, Scalar, Two, Vec3};

use crate::error::PairFailure;
use crate::surface::Shape;

/// Where two surfaces touch, or come nearest. World frame.
///
/// delta = (p_a − p_b)·n > 0 when the surfaces overlap. The force on A acts at p_a, on B at p_b.
#[derive(Clone, Copy, Debug)]
pub struct Contact<S: Scalar = f64> {
    /// the point of A deepest in B, or nearest to it [m]
    pub p_a: Vec3<S>,
    /// the point of B deepest in A, or nearest to it [m]
    pub p_b: Vec3<S>,
    /// the unit normal, out of A into B
    pub n: Vec3<S>,
    /// the indentation [m]; negative: minus the gap
    pub delta: S,
    /// how much of a contact this point is: what the law makes of its indentation counts that many times. One, but for points
    /// that stand for a contact together
    pub share: S,
}

impl<S: Scalar> Contact<S> {
    /// The same contact with the roles of A and B exchanged.
    pub fn swapped(self) -> Contact<S> {
        Contact { p_a: self.p_b, p_b: self.p_a, n: -self.n, ..self }
    }
}

/// A contact that was, to start the search for the next one: a good guess, no more. Where it leads nowhere the search starts anew, so that it
/// changes no result by more than the search's own error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seed {
    /// its normal, in A's frame
    pub n: Vec3,
    /// its points, each in the frame of its surface [m]
    pub p_a: Vec3,
    /// that of B
    pub p_b: Vec3,
    /// its indentation [m]: a measure that goes round counts its turns by it
    pub delta: f64,
}

impl Seed {
    /// The seed a contact leaves, the frames being at `x_a` and `x_b`.
    pub fn of(contact: &Contact, x_a: &Pose, x_b: &Pose) -> Seed {
        Seed {
            n: x_a.direction_to_local(&contact.n),
            p_a: x_a.point_to_local(&contact.p_a),
            p_b: x_b.point_to_local(&contact.p_b),
            delta: contact.delta,
        }
    }

    /// The same with the roles of A and B exchanged.
    pub fn swapped(&self, x_a: &Pose, x_b: &Pose) -> Seed {
        Seed {
            n: -x_b.direction_to_local(&x_a.direction(&self.n)),
            p_a: self.p_b,
            p_b: self.p_a,
            delta: self.delta,
        }
    }
}

/// A nearest contact, and how it was found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// where the surfaces are nearest
    pub contact: Contact,
    /// steps of iteration it took; none for a closed form
    pub steps: usize,
    /// whether bounds from both sides show that nothing else is nearer
    pub certified: bool,
    /// false where other points are just as near: flat pieces that face each other
    pub unique: bool,
}

impl Contact {
    /// Two contact points at once.
    #[inline(always)]
    pub fn and(&self, other: &Contact) -> Contact<Two> {
        Contact {
            p_a: Two::vector(&self.p_a, &other.p_a),
            p_b: Two::vector(&self.p_b, &other.p_b),
            n: Two::vector(&self.n, &other.n),
            delta: Two::new(self.delta, other.delta),
            share: Two::new(self.share, other.share),
        }
    }

    /// The point, and none beside it: the same place, but a metre apart, and no share of anything.
    pub fn and_none(&self) -> Contact<Two> {
        self.and(&Contact { delta: -1.0, share: 0.0, ..*self })
    }
}

impl Contact<Two> {
    /// Room for two contact points.
    pub(crate) const NOWHERE: Contact<Two> = {
        let zero = Vec3::new(Two::ZERO, Two::ZERO, Two::ZERO);
        Contact { p_a: zero, p_b: zero, n: zero, delta: Two::ZERO, share: Two::ZERO }
    };
}

/// Contact points one by one, packed in twos.
#[inline(always)]
pub(crate) fn two_by_two(
    features: &[usize],
    contacts: &mut Vec<Contact<Two>>,
    contact: impl Fn(usize) -> Result<Contact, PairFailure>,
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

/// The principal curvatures of a surface at a point [1/m] and the direction of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curvature {
    /// along `direction`
    pub k1: f64,
    /// across `direction`
    pub k2: f64,
    /// a unit tangent; any, where both curvatures are equal
    pub direction: Vec3,
}

/// The curvatures of the gap between two surfaces at their contact [1/m]: near it the surfaces part as
/// ½ k_min x² + ½ k_max y².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeCurvature {
    /// the smaller one
    pub k_min: f64,
    /// the larger one; of a strip, that across it
    pub k_max: f64,
    /// length of the line along which the surfaces meet in strips [m]; zero where they meet in a point
    pub length: f64,
    /// the radii of two cylinders along their line of contact [m], a hollow one's negative; infinite where they are none
    pub radii: [f64; 2],
}

impl RelativeCurvature {
    /// Where surfaces meet in a point [1/m].
    pub const fn point(k_min: f64, k_max: f64) -> RelativeCurvature {
        RelativeCurvature { k_min, k_max, length: 0.0, radii: [f64::INFINITY; 2] }
    }

    /// Where they meet in strips of a line of that length [m], bent by `across` [1/m].
    pub const fn strip(across: f64, length: f64) -> RelativeCurvature {
        RelativeCurvature { k_min: 0.0, k_max: across, length, radii: [f64::INFINITY; 2] }
    }

    /// Where two cylinders of these radii [m], a hollow one's negative, meet along a line of that length [m].
    ///
    /// ```
    /// use carom_geometry::RelativeCurvature;
    /// let journal = RelativeCurvature::line([0.01, -0.02], 0.03); // in its bearing
    /// assert_eq!((journal.k_min, journal.k_max), (0.0, 50.0));
    /// ```
    pub fn line(radii: [f64; 2], length: f64) -> RelativeCurvature {
        RelativeCurvature { radii, ..RelativeCurvature::strip(1.0 / radii[0] + 1.0 / radii[1], length) }
    }

    /// Of two surfaces with a common normal, from their own curvatures, the directions in one frame: with ω the angle between the
    /// directions (Johnson 1985, Contact Mechanics, Section 4.1)
    ///
    ///   k_min + k_max = k1 + k2 + k1' + k2',
    ///   (k_max − k_min)² = (k1 − k2)² + (k1' − k2')² + 2 (k1 − k2)(k1' − k2') cos 2ω.
    ///
    /// `k_min` is negative where the surfaces cut through each other around the contact: a bulge in a hollow that is too narrow.
    ///
    /// ```
    /// use carom_geometry::{Curvature, RelativeCurvature, Vec3};
    /// let rod = |direction| Curvature { k1: 2.0, k2: 0.0, direction }; // of radius 0.5 m, round along `direction`
    /// let crossed = RelativeCurvature::between(&rod(Vec3::x()), &rod(Vec3::y()));
    /// assert_eq!(crossed, RelativeCurvature::point(2.0, 2.0));
    /// let parallel = RelativeCurvature::between(&rod(Vec3::x()), &rod(-Vec3::x()));
    /// assert_eq!(parallel, RelativeCurvature::point(0.0, 4.0));
    /// ```
    pub fn between(a: &Curvature, b: &Curvature) -> RelativeCurvature {
        let (sum, by_a, by_b) = ((a.k1 + a.k2) + (b.k1 + b.k2), a.k1 - a.k2, b.k1 - b.k2);
        let cos = a.direction.dot(&b.direction);
        // (x + y)² − 2 x y (1 − cos 2ω): no less than (|x| − |y|)², whatever rounding does to the cosine
        let sin_2 = (1.0 - cos * cos).clamp(0.0, 1.0);
        let square = (by_a + by_b) * (by_a + by_b) - 4.0 * by_a * by_b * sin_2;
        let difference = square.max(0.0).sqrt();
        RelativeCurvature::point(0.5 * (sum - difference), 0.5 * (sum + difference))
    }
}

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

/// Two surfaces bound to an algorithm: everything that depends on their kinds is decided.
///
/// The contact points are its *features*, numbered for good from 0. A feature's gap is a continuous
/// function of the two poses, and delta_dot = (v_a(p_a) − v_b(p_b))·n is its exact rate.
pub trait BoundPair: Debug + Send + Sync {
    /// The algorithm's name.
    fn solver(&self) -> &'static str;
    /// How many contact points there can be at once.
    fn features(&self) -> usize;
    /// What a feature is called (`barrel`, `corner +-+` …), for results.
    fn feature_name(&self, feature: usize) -> String;
    /// One contact point, the surfaces' frames being at `x_a` and `x_b`.
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure>;
    /// The same, by an iteration that starts from a contact shortly before; a closed form needs no seed.
    fn contact_from(
        &self,
        feature: usize,
        x_a: &Pose,
        x_b: &Pose,
        seed: Option<&Seed>,
    ) -> Result<Contact, PairFailure> {
        let _ = seed;
        self.contact(feature, x_a, x_b)
    }
    /// Whether seeds help: whoever follows a motion then keeps some.
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
    /// The same contact point with its derivatives by six variables, whatever the poses make of them (a small
    /// motion of one body, say). `None` (the default): the pair has no derivatives, and whoever needs some takes
    /// differences. A formula written over [`Scalar`] gives them by itself.
    fn contact_dual(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
    ) -> Option<Result<Contact<Dual<6>>, PairFailure>> {
        let _ = (feature, x_a, x_b);
        None
    }
    /// The relative curvature there: asked for at first touch only.
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature;
    /// How sharply a gap can bend towards contact: as one surface passes the other straight on at unit
    /// speed without turning, the second derivative of a gap g is no less than −1/(radius − g) [1/m],
    /// so no less than −2/radius as long as the gap is below half that radius [m]. Infinite where the
    /// gap is convex; `None` where nothing is known.
    fn hollow_radius(&self) -> Option<f64>;
    /// How contact points slide along the body that carries them, if they do so to where that body, crowned, comes nearest. But for that, gaps are then convex; so where this is known,
    /// [`BoundPair::hollow_radius`] is not asked. The default: `None`.
    fn sliding(&self) -> Option<Sliding> {
        None
    }
    /// Whether it is B that carries the points whose distance from the other surface the gaps are (a ball's centre,
    /// a box's corners): points fixed on their body, followed in the other's frame when gaps are bounded. The
    /// default: B; a pair that follows points of A says so.
    fn follows_b(&self) -> bool {
        true
    }
    /// How many features, the last ones, are parts of the first one's contact: they touch and part with it, and their own gaps are not
    /// watched. For contacts that are integrals over a patch.
    fn parts(&self) -> usize {
        0
    }
    /// How far the points that gaps are measured from can be beyond the core of the surface that carries them [m], as far as
    /// turning moves them: zero where they are on it ([`Surface::skin`](crate::Surface::skin)).
    fn stray(&self) -> f64 {
        0.0
    }
    /// Puts into `near` all features whose gap can be less than `margin` [m], and perhaps others, and says that it did. The default
    /// says no: every feature has to be looked at. For pairs with many features most of which are far away.
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        let _ = (x_a, x_b, margin, near);
        false
    }
    /// The nearest points of the two surfaces as they are, or the deepest: what the features come down to, unless they take
    /// the surfaces for something smoother (edges for rounded ones), as a pair then says.
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.nearest(x_a, x_b).map(|(_, contact)| contact)
    }
    /// [`BoundPair::closest`], and how it was found.
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        let _ = seed;
        Ok(Found { contact: self.closest(x_a, x_b)?, steps: 0, certified: true, unique: true })
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
