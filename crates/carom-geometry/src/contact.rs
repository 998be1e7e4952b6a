//! A contact: its points and normal, and the curvatures there.

use carom_base::{Pose, Scalar, Two, Vec3};

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
    /// how the indentation changes as the bodies move, where it is one that several points have in common; `None`: as the points p_a and p_b approach along n
    pub common: Option<Common<S>>,
}

/// How the indentation changes that several points have in common, each with a part w of it, Σ w = 1. The bodies are rigid.
///
/// Its rate is the mean of those at the points: m·v + c·ω, where v is the velocity of A at p_a less that of B at the same place, and ω the angular velocity of A less that of B.
#[derive(Clone, Copy, Debug)]
pub struct Common<S: Scalar = f64> {
    /// m = Σ w n, shorter than one where normals differ
    pub n: Vec3<S>,
    /// c = Σ w (p − p_a) × n [m], p the points on A
    pub moment: Vec3<S>,
    /// the way along the normal for a unit of indentation, at a point that has its indentation alone, else one: the point stores, and dissipates, so many times its share of
    /// what the law does
    pub lever: S,
}

impl<S: Scalar> Contact<S> {
    /// The same contact with the roles of A and B exchanged.
    pub fn swapped(self) -> Contact<S> {
        let common = self.common.map(|c| {
            let moment = c.moment + (self.p_a - self.p_b).cross(&c.n);
            Common { n: -c.n, moment: -moment, ..c }
        });
        Contact { p_a: self.p_b, p_b: self.p_a, n: -self.n, common, ..self }
    }

    /// The same contact in other numbers.
    pub(crate) fn map<T: Scalar>(&self, of: impl Fn(S) -> T) -> Contact<T> {
        let vector = |v: &Vec3<S>| v.map(&of);
        Contact {
            p_a: vector(&self.p_a),
            p_b: vector(&self.p_b),
            n: vector(&self.n),
            delta: of(self.delta),
            share: of(self.share),
            common: self.common.as_ref().map(|c| Common {
                n: vector(&c.n),
                moment: vector(&c.moment),
                lever: of(c.lever),
            }),
        }
    }

    /// The way along the normal for a unit of indentation, for a point that has its indentation alone; else one.
    #[inline(always)]
    pub fn lever(&self) -> S {
        self.common.as_ref().map_or(S::from_f64(1.0), |common| common.lever)
    }

    /// The rate of the indentation [m/s], where it is not that of p_a and p_b: `v` gives the velocity at p_a and the angular velocity of A, each less that of B.
    #[inline(always)]
    pub fn common_rate(&self, v: impl FnOnce() -> [Vec3<S>; 2]) -> Option<S> {
        self.common.as_ref().map(|common| {
            let [v, w] = v();
            common.n.dot(&v) + common.moment.dot(&w)
        })
    }
}

/// A contact that was, to start the search for the next one: a good guess, no more. Where it leads nowhere the search starts anew, so that it
/// changes no result by more than the search's own error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seed {
    /// its normal, in A's frame
    pub n: Vec3,
    /// the same, as it was in B's frame
    pub n_b: Vec3,
    /// its points, each in the frame of its surface [m]
    pub p_a: Vec3,
    /// that of B
    pub p_b: Vec3,
    /// its indentation [m]: a measure that goes round counts its turns by it
    pub delta: f64,
    /// the piece that the point is held on ([`BoundPair::piece`](crate::BoundPair::piece)); zero: none
    pub piece: u32,
}

carom_base::plain!(Seed { n, n_b, p_a, p_b, delta, piece });

impl Seed {
    /// The seed a contact leaves, the frames being at `x_a` and `x_b`.
    pub fn of(contact: &Contact, x_a: &Pose, x_b: &Pose) -> Seed {
        Seed {
            n: x_a.direction_to_local(&contact.n),
            n_b: x_b.direction_to_local(&contact.n),
            p_a: x_a.point_to_local(&contact.p_a),
            p_b: x_b.point_to_local(&contact.p_b),
            delta: contact.delta,
            piece: 0,
        }
    }

    /// A seed that says nothing but on which piece the point is held.
    pub fn on(piece: u32) -> Seed {
        let zero = Vec3::zeros();
        Seed { n: zero, n_b: zero, p_a: zero, p_b: zero, delta: 0.0, piece }
    }

    /// The same with the roles of A and B exchanged.
    pub fn swapped(&self) -> Seed {
        Seed { n: -self.n_b, n_b: -self.n, p_a: self.p_b, p_b: self.p_a, ..*self }
    }
}

/// A nearest contact, and how it was found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// where the surfaces are nearest
    pub contact: Contact,
    /// steps of iteration it took; none for a closed form
    pub steps: usize,
    /// bounds that the signed distance is certainly between [m], if there are such: nothing is nearer
    pub bounds: Option<[f64; 2]>,
    /// false where other points are just as near: flat pieces that face each other
    pub unique: bool,
    /// the name of the algorithm that found it
    pub solver: &'static str,
}

impl Found {
    /// Whether bounds from both sides show that nothing else is nearer.
    pub fn certified(&self) -> bool {
        self.bounds.is_some()
    }
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
            common: match (self.common, other.common) {
                (None, None) => None,
                _ => {
                    let [a, b] = [self, other].map(|c| {
                        let alone = Common { n: c.n, moment: Vec3::zeros(), lever: 1.0 };
                        c.common.unwrap_or(alone)
                    });
                    Some(Common {
                        n: Two::vector(&a.n, &b.n),
                        moment: Two::vector(&a.moment, &b.moment),
                        lever: Two::new(a.lever, b.lever),
                    })
                }
            },
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
        Contact { p_a: zero, p_b: zero, n: zero, delta: Two::ZERO, share: Two::ZERO, common: None }
    };

    /// The two contact points, one by one.
    pub fn each(&self) -> [Contact; 2] {
        let of = |v: &Vec3<Two>, lane: usize| v.map(|c| c.lanes()[lane]);
        [0, 1].map(|lane| Contact {
            p_a: of(&self.p_a, lane),
            p_b: of(&self.p_b, lane),
            n: of(&self.n, lane),
            delta: self.delta.lanes()[lane],
            share: self.share.lanes()[lane],
            common: self.common.map(|c| Common {
                n: of(&c.n, lane),
                moment: of(&c.moment, lane),
                lever: c.lever.lanes()[lane],
            }),
        })
    }
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
