//! A ring in slices: the contact of a torus, or of another tube around a ring, spread over its length.
//!
//! The ring is cut into N slices at the angles φ_s = 2π (s + phase)/N (Marques & Silva). Each is a contact point of its own, with its share
//! L_s/L of the contact: the length of its centre line over that of all. The laws see a strip (`RelativeCurvature::strip`), so that the
//! elastic foundation gives each slice K_s = k √(2r) L_s, their Eq 20, and a stiffness that is given is that of all slices together.
//!
//! - against a plane: the lowest point of each slice's middle section ([`plane`], Eqs 11–17);
//! - against a plane, as N → ∞: the continuous ring ([`ring`]);
//! - against anything with a closest point: the ball of a round tube around each slice's centre ([`tube`]), the deepest point of each middle section
//!   of another ([`section`]).

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::error::GeometryError;
use crate::pair::{BoundPair, PairSolver};
use crate::shape::{Ring, Section, Shape, Side};

mod gauss;
pub mod plane;
pub mod ring;
pub mod section;
pub mod tube;

/// The solver: A what is touched, B the ring that is sliced.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs};
/// use carom_geometry::pairs::slices::Slices;
/// use carom_geometry::surfaces::{Plane, Torus};
/// let (floor, ring) = (Shape::outside(Plane), Shape::outside(Torus::new(0.025, 0.005)?)); // [m]
/// let pair = pairs::bind_with(&[&Slices::new(36)?], &floor, &ring)?;
/// let lying = Pose::at(Vec3::new(0.0, 0.0, 0.0049));
/// let c = pair.contact(7, &Pose::identity(), &lying)?;
/// assert!((c.delta - 1e-4).abs() < 1e-17 && c.share == 1.0 / 36.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slices {
    /// that many, the first one `phase` of a slice away from the x axis
    Count {
        /// N
        count: usize,
        /// as a fraction of a slice
        phase: f64,
    },
    /// without end: the continuous ring against a plane, its contact patch integrated over so many points that the force is right to
    /// `tolerance`, relative
    Exact {
        /// of the force
        tolerance: f64,
        /// the powers of the indentation with which forces grow from the ends of the patch, those of spring and dashpot (3/2 each unless
        /// [`PairSolver::for_powers`] says others, as a contact does of its law)
        powers: [f64; 2],
    },
}

/// Some slices, to ask whether a pair can be had with slices at all.
pub(super) static ANY: Slices = Slices::Count { count: 3, phase: 0.0 };

/// The least and the largest number of slices.
const COUNT: std::ops::RangeInclusive<usize> = 3..=100_000;

impl Slices {
    /// N slices, from 3 to 100 000; refuses another number.
    pub fn new(count: usize) -> Result<Slices, GeometryError> {
        match COUNT.contains(&count) {
            true => Ok(Slices::Count { count, phase: 0.0 }),
            false => {
                let allowed = "a whole number from 3 to 100000, or \"exact\"";
                Err(GeometryError::BadSlices { name: "slices", value: count as f64, allowed })
            }
        }
    }

    /// Turned by a fraction of a slice.
    pub fn phase(self, phase: f64) -> Slices {
        match self {
            Slices::Count { count, .. } => Slices::Count { count, phase },
            exact => exact,
        }
    }

    /// The continuous ring, to this relative tolerance of the force, from 1e-13 to 1e-3; refuses another.
    pub fn exact(tolerance: f64) -> Result<Slices, GeometryError> {
        match (1e-13..=1e-3).contains(&tolerance) {
            true => Ok(Slices::Exact { tolerance, powers: [1.5; 2] }),
            false => {
                let allowed = "from 1e-13 to 1e-3";
                Err(GeometryError::BadSlices { name: "slice_tolerance", value: tolerance, allowed })
            }
        }
    }
}

/// The ring, if the shape is one and touched from outside.
fn ring_of(shape: &Shape) -> Option<&dyn Ring> {
    (shape.side == Side::Outside).then_some(())?;
    shape.surface.as_ring()
}

impl PairSolver for Slices {
    fn name(&self) -> &'static str {
        match self {
            Slices::Count { .. } => "slices",
            Slices::Exact { .. } => "slices-exact",
        }
    }
    fn reference(&self) -> &'static str {
        "Marques & Silva, Eqs 11-20; exact: the limit of many slices"
    }
    fn leaves(&self, a: &Shape, b: &Shape) -> Option<&'static str> {
        let ring = ring_of(a).is_some() || ring_of(b).is_some();
        (!ring).then_some("no surface of this contact is a ring")
    }
    fn key(&self) -> &'static str {
        "slices"
    }
    fn value(&self) -> String {
        match self {
            Slices::Count { count, .. } => count.to_string(),
            Slices::Exact { .. } => "\"exact\"".to_owned(),
        }
    }
    fn for_powers(&self, powers: [f64; 2]) -> Option<Arc<dyn PairSolver>> {
        match *self {
            Slices::Count { .. } => None,
            Slices::Exact { tolerance, .. } => Some(Arc::new(Slices::Exact { tolerance, powers })),
        }
    }
    fn keeps_points(&self) -> bool {
        matches!(self, Slices::Count { .. })
    }
    fn cuts(&self) -> Vec<f64> {
        match *self {
            Slices::Count { count, phase } => (0..count).map(|s| angle(s as f64, count, phase)).collect(),
            Slices::Exact { .. } => Vec::new(),
        }
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        match *self {
            Slices::Count { count, phase } => {
                let on_plane =
                    |plane, ring, flipped| plane::bind(plane, ring_of(ring)?, count, phase, flipped);
                let ring = || ring_of(b);
                on_plane(a, b, false)
                    .or_else(|| on_plane(b, a, true))
                    .or_else(|| tube::bind(a, ring()?, count, phase))
                    .or_else(|| section::bind(a, ring()?, count, phase))
            }
            Slices::Exact { tolerance, powers } => ring::bind(a, ring_of(b)?, tolerance, powers),
        }
    }
}

/// A slice: its middle section, and its share of the ring.
#[derive(Clone, Copy, Debug)]
struct Slice {
    section: Section,
    share: f64,
}

/// The angle of a slice [rad].
fn angle(s: f64, count: usize, phase: f64) -> f64 {
    TAU * (s + phase) / count as f64
}

/// The slices of a ring, and its length [m].
fn cut(ring: &dyn Ring, count: usize, phase: f64) -> (Vec<Slice>, f64) {
    let length = ring.length(0.0, TAU);
    let slice = |s: usize| {
        let at = |s: f64| angle(s, count, phase);
        let s = s as f64;
        // lengths add up to that of the centre line: L_s = 2πR/N of a circle
        let share = match ring.round() {
            Some(_) => 1.0 / count as f64,
            None => ring.length(at(s - 0.5), at(s + 0.5)) / length,
        };
        Slice { section: ring.section(at(s)), share }
    };
    ((0..count).map(slice).collect(), length)
}

/// The slices s with cos(φ_s − middle) > cos of a slice at the edge of an arc, as numbers: `half` to both sides [rad].
fn arc(middle: f64, half: f64, count: usize, phase: f64, near: &mut Vec<usize>) {
    let step = TAU / count as f64;
    let (first, last) = (((middle - half) / step - phase).ceil(), ((middle + half) / step - phase).floor());
    let n = count as f64;
    // at most once around, whatever rounding makes of the ends
    let last = last.min(first + n - 1.0);
    let mut s = first;
    while s <= last {
        near.push(s.rem_euclid(n) as usize % count);
        s += 1.0;
    }
}

/// `slice 7`.
fn name(feature: usize, count: usize) -> String {
    if feature < count { format!("slice {feature}") } else { String::new() }
}
