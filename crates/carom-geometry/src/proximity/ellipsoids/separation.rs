//! Whether two ellipsoids are apart, without their distance.
//!
//! As quadrics Xᵀ A X = 0, Xᵀ B X = 0, A and B symmetric 4 × 4 matrices, two ellipsoids are separate if and only if f(λ) = det(λ A + B) has two
//! distinct positive roots, and touch from outside if these coincide (W. Wang, J. Wang, M.-S. Kim, An algebraic condition for the separation of two ellipsoids,
//! Comput. Aided Geom. Design 18 (2001) 531–539). f is negative at λ = 0 and for large λ, so that separate means: f > 0 for some λ > 0.
//!
//! A congruence takes both to arrow form. With E = R diag(e²) Rᵀ the shape matrices, c the vector from centre to centre and λ = t/(1 − t), 0 < t < 1,
//! the sign of f is that of K(t) − 1,
//!
//!   K(t) = t (1 − t) cᵀ w,   M w = c,   M = (1 − t) E_A + t E_B,   K'(t) = (1 − t)² wᵀE_A w − t² wᵀE_B w.
//!
//! K is concave, zero at both ends (J. W. Perram, M. S. Wertheim, J. Comput. Phys. 58 (1985) 409–416): it has one maximum, σ², and the ellipsoids are separate if and only if
//! σ > 1. So there are no roots to be found, let alone a double one at touch, where a discriminant keeps half of the digits: K(t) > 1 at any t shows
//! separation, a tangent of K below 1 everywhere shows overlap, and what is between goes on to the maximum, where (1 − t) √(wᵀE_A w) = t √(wᵀE_B w). Containment
//! is overlap.
//!
//! σ is how much both have to grow about their centres to touch. With n = w/|w| the common normal then, the signed distance d is bounded:
//! d ≥ (σ − 1)(h_A(n) + h_B(n)), equal to it in the limit of touch.
//!
//! Valid for any semi axes; aspect ratios cost digits of σ, about their square times 1e-16. Checked: signs of det(λ A + B) over λ, balls, and the distance of
//! random pairs with margins from 1e-9 (`tests/ellipsoid_proximity.rs`).

use carom_base::{Mat3, Pose, Vec3};

use crate::surfaces::Ellipsoid;

/// Steps at most; none to four are usual.
const MOST_STEPS: usize = 60;

/// What two solids are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separation {
    /// no point in common
    Separate,
    /// just touching, to the tolerance
    Touching,
    /// points in common, or one within the other
    Overlap,
}

/// How much two ellipsoids have to grow to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// σ: both touch from outside when made σ times as large about their centres
    pub sigma: f64,
    /// the common normal then, out of A into B
    pub n: Vec3,
    /// (σ − 1)(h_A(n) + h_B(n)) [m]: the signed distance is no less
    pub distance: f64,
}

/// E in the world [m²].
fn shape_matrix(e: &Ellipsoid, x: &Pose) -> Mat3 {
    let k = x.r * Mat3::from_diagonal(e.semi_axes());
    k * k.transpose()
}

/// K and what comes with it, at one t.
struct At {
    k: f64,
    /// K'
    slope: f64,
    /// w, M w = c
    w: Vec3,
    /// (1 − t) √(wᵀE_A w) − t √(wᵀE_B w), of the sign of K', and its derivative
    phi: f64,
    phi_slope: f64,
}

/// Both ellipsoids, lengths in units of |c|.
struct Pencil {
    a: Mat3,
    b: Mat3,
    c: Vec3,
}

impl Pencil {
    fn at(&self, t: f64) -> Option<At> {
        let u = 1.0 - t;
        let l = (self.a * u + self.b * t).cholesky()?;
        let w = l.solve(&self.c);
        let (aw, bw) = (self.a * w, self.b * w);
        let (alpha, beta) = (w.dot(&aw).sqrt(), w.dot(&bw).sqrt());
        // w' = M⁻¹ (E_A − E_B) w
        let dw = l.solve(&(aw - bw));
        let phi_slope = u * aw.dot(&dw) / alpha - t * bw.dot(&dw) / beta - (alpha + beta);
        let (x, y) = (u * alpha, t * beta);
        let at = At { k: t * u * self.c.dot(&w), slope: (x - y) * (x + y), w, phi: x - y, phi_slope };
        (at.k + at.phi_slope).is_finite().then_some(at)
    }

    /// To the maximum of K by Newton's method for φ, guarded by halving; or to where `enough` says so of K and its upper bound.
    fn climb(&self, enough: impl Fn(f64, f64) -> bool) -> Option<At> {
        let (mut low, mut high) = (0.0, 1.0);
        // exact for balls
        let (r_a, r_b) = (self.a.trace().sqrt(), self.b.trace().sqrt());
        let mut t = r_a / (r_a + r_b);
        for _ in 0..MOST_STEPS {
            let at = self.at(t)?;
            if at.slope >= 0.0 {
                low = t;
            } else {
                high = t;
            }
            // below its tangent all the way to either end
            let bound = at.k + (at.slope * (high - t)).max(at.slope * (low - t));
            let step = -at.phi / at.phi_slope;
            if enough(at.k, bound) || step.abs() <= f64::EPSILON * t.min(1.0 - t) {
                return Some(at);
            }
            let next = t + step;
            let mended = if next > low && next < high { next } else { 0.5 * (low + high) };
            if mended == t {
                return Some(at);
            }
            t = mended;
        }
        self.at(t)
    }
}

/// In units of |c|, so that nothing overflows; `None` for centres that coincide or are nowhere.
fn pencil(a: &Ellipsoid, b: &Ellipsoid, x_a: &Pose, x_b: &Pose) -> Option<Pencil> {
    let c = x_b.p - x_a.p;
    let length = c.norm();
    if !(length > 0.0) || !length.is_finite() {
        return None;
    }
    let i = 1.0 / length;
    let scaled = |e: &Ellipsoid, x: &Pose| shape_matrix(e, x) * i * i;
    Some(Pencil { a: scaled(a, x_a), b: scaled(b, x_b), c: c * i })
}

/// Whether two ellipsoids at these poses are apart: `Touching` where σ is within `tolerance` of 1, a number like 1e-12.
///
/// `None` for poses that are not finite.
///
/// ```
/// use carom_geometry::proximity::ellipsoids::{Separation, separation};
/// use carom_geometry::{Pose, Vec3, surfaces::Ellipsoid};
/// let egg = Ellipsoid::new([0.02, 0.02, 0.03])?; // semi axes [m]
/// let at = |z: f64| separation(&egg, &egg, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, z)), 1e-12);
/// assert_eq!(at(0.0601), Some(Separation::Separate));
/// assert_eq!(at(0.06), Some(Separation::Touching));
/// assert_eq!(at(0.0599), Some(Separation::Overlap));
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub fn separation(
    a: &Ellipsoid,
    b: &Ellipsoid,
    x_a: &Pose,
    x_b: &Pose,
    tolerance: f64,
) -> Option<Separation> {
    let [more, less] = [1.0 + tolerance, 1.0 - tolerance].map(|sigma| sigma * sigma.abs());
    let Some(pencil) = pencil(a, b, x_a, x_b) else {
        // a common centre is in both
        return (x_a.p == x_b.p).then_some(Separation::Overlap);
    };
    let at = pencil.climb(|k, bound| k > more || bound < less)?;
    Some(if at.k > more {
        Separation::Separate
    } else if at.k < less {
        Separation::Overlap
    } else {
        Separation::Touching
    })
}

/// σ, how much both ellipsoids have to grow to touch; `None` for centres that coincide, which is σ = 0 in any direction, and poses that are not finite.
///
/// ```
/// use carom_geometry::proximity::ellipsoids::touching_scale;
/// use carom_geometry::{Pose, Vec3, surfaces::Ellipsoid};
/// let (a, b) = (Ellipsoid::new([1.0, 2.0, 3.0])?, Ellipsoid::new([1.0, 1.0, 1.0])?); // semi axes [m]
/// let scale = touching_scale(&a, &b, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 6.0))).unwrap();
/// assert!((scale.sigma - 1.5).abs() < 1e-15 && (scale.distance - 2.0).abs() < 1e-14);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub fn touching_scale(a: &Ellipsoid, b: &Ellipsoid, x_a: &Pose, x_b: &Pose) -> Option<Scale> {
    let at = pencil(a, b, x_a, x_b)?.climb(|_, _| false)?;
    let n = at.w.normalize();
    // by the semi axes themselves: nothing is lost to the shape matrices
    let height = |e: &Ellipsoid, x: &Pose| e.semi_axes().component_mul(&x.direction_to_local(&n)).norm();
    let (reach, apart) = (height(a, x_a) + height(b, x_b), n.dot(&(x_b.p - x_a.p)));
    Some(Scale { sigma: apart / reach, n, distance: apart - reach })
}
