//! A plane convex polygon integrated by Gauss's points, as the field's authors did (Contento et al. 2009, Sec 7.3), for
//! comparison.
//!
//! The polygon is cut into quadrilaterals (and a triangle, as a quadrilateral with two coinciding corners), each with n × n
//! Gauss–Legendre points in the coordinates u, v of
//!
//!   x(u, v) = (1−u)(1−v) p_0 + u (1−v) p_1 + u v p_2 + (1−u) v p_3
//!
//! Close to a support d^−ν is steep: at a gap of 2 mm a face of 1 m on its corner needs 144 × 144 points for 1e-8, and the
//! accuracy is limited by the number of points chosen. [`Polygon`](super::Polygon) has a closed form.

use carom_base::elementary::{pow, powi};
use carom_base::{Mat3, Pose, Scalar, Vec3};

use super::plane;
use crate::kernel::rule::legendre;
use crate::node::Node;
use crate::piece::{Asked, Height, Moments, PieceFormula};
use crate::tractions::power;

/// A plane convex polygon, integrated numerically with a fixed number of points.
///
/// ```
/// use carom_base::Vec3;
/// use carom_field::{Asked, Height, Moments, Piece, pieces::GaussPolygon};
/// let square = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
/// let face = GaussPolygon::new(square.to_vec(), 10).unwrap();
/// let mut moments = [Moments::zero()];
/// let d = Height { a: 0.1, b: Vec3::new(0.02, 0.0, 1.0) };
/// let bound = face.moments(&[Asked { nu: 2, order: 0 }], &d, None, &mut moments);
/// // ∫ d^−2 dA = 1/(0.1 · 0.12)
/// assert!((moments[0].i0 * 0.1 * 0.12 - 1.0).abs() < bound && bound < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct GaussPolygon {
    vertices: Vec<Vec3>,
    /// points with their weights [m²]
    points: Vec<(Vec3, f64)>,
    /// number of points along each side of a quadrilateral
    n: usize,
    /// outward unit normal
    normal: Vec3,
}

impl GaussPolygon {
    /// Makes a polygon from three vertices or more [m], in a plane, counterclockwise seen from outside; n × n points on each
    /// quadrilateral.
    pub fn new(vertices: Vec<Vec3>, n: usize) -> Option<GaussPolygon> {
        let normal = plane::normal(&vertices)?;
        let (&first, rest) = vertices.split_first()?;
        if n == 0 {
            return None;
        }
        let rule = legendre(n);
        let mut points = Vec::new();
        for i in (0..rest.len() - 1).step_by(2) {
            let last = rest[(i + 2).min(rest.len() - 1)];
            let p = [first, rest[i], rest[i + 1], last];
            for &(u, weight_u) in &rule {
                for &(v, weight_v) in &rule {
                    let along = (p[1] - p[0]) * (1.0 - v) + (p[2] - p[3]) * v;
                    let across = (p[3] - p[0]) * (1.0 - u) + (p[2] - p[1]) * u;
                    let x = (p[0] * (1.0 - u) + p[1] * u) * (1.0 - v) + (p[3] * (1.0 - u) + p[2] * u) * v;
                    points.push((x, weight_u * weight_v * along.cross(&across).dot(&normal)));
                }
            }
        }
        Some(GaussPolygon { vertices, points, n, normal })
    }

    /// Returns its points as nodes of the boundary.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> {
        self.points.iter().map(|&(x, area)| Node { x, normal: self.normal, area })
    }

    /// Computes a set of moments, point by point, and ∫ d^−(ν−1) dA.
    fn sum<S: Scalar>(&self, asked: &Asked, d: &Height<S>) -> (Moments<S>, S) {
        let (mut sum, mut lower) = (Moments::zero(), S::from_f64(0.0));
        for (x, weight) in &self.points {
            let x = x.map(S::from_f64);
            let height = d.at(&x);
            let q = S::from_f64(*weight) * power(S::from_f64(1.0) / height, asked.nu);
            sum.i0 += q;
            lower += height * q;
            if asked.order >= 1 {
                sum.i1 += x * q;
            }
            if asked.order >= 2 {
                sum.i2 += (x * q) * x.transpose();
            }
        }
        (sum, lower)
    }

    /// Returns the bound on the error, relative to i0. In each direction d^−ν has no singularity within an ellipse about the
    /// side, whose half axes add up to R times half the side, and is at most M there: the error is no more than
    /// 64/15 M R^−2n/(1 − R^−2) of the area (L. N. Trefethen, *Approximation Theory and Approximation Practice* (2013),
    /// Theorem 19.3).
    fn bound(&self, d: &Height, asked: &Asked, i0: f64) -> f64 {
        let (n, nu) = (self.n as f64, f64::from(asked.nu));
        let least = self.nearest(d);
        let most = self.vertices.iter().map(|v| d.at(v)).fold(0.0, f64::max);
        // the height falls by at most `half` from the middle of a side to its end, and to θ times the least where the ellipse
        // ends
        let half = 0.5 * (most - least);
        let steep = nu / (2.0 * n) * (2.0 * half / least).sqrt();
        let theta = (steep + 0.1) / (steep + 1.1);
        // the powers of x, and the area at a double corner, grow with the ellipse: n points are exact for degrees below 2n
        let degree = asked.order as i32 + 1;
        let largest = if 2 * self.n > degree as usize { 1e15 } else { 1.5 };
        let axis = (1.0 + (1.0 - theta) * least / half).min(largest);
        let r = axis + (axis * axis - 1.0).sqrt();
        let greatest = pow(theta * least, -nu) * powi(axis, degree);
        let share = 64.0 / 15.0 * pow(r, -2.0 * n) / (1.0 - powi(r, -2));
        // two directions, and dA/(du dv) of a triangle is up to twice its mean
        (4.0 * share * greatest * self.area() / i0).max(ROUNDING)
    }
}

impl PieceFormula for GaussPolygon {
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64 {
        let count = asked.len().min(out.len());
        let (asked, out) = (&asked[..count], &mut out[..count]);
        let plain = Height { a: d.a.value(), b: d.b.map(S::value) };
        if !(self.nearest(&plain) > 0.0) {
            out.fill(Moments::undefined());
            return f64::NAN;
        }
        plane::sets(asked, out, |set, out| {
            let (sum, lower) = self.sum(set, d);
            *out = sum;
            lower
        });
        let bounds =
            asked.iter().zip(out.iter()).map(|(asked, out)| self.bound(&plain, asked, out.i0.value()));
        let bound = bounds.fold(0.0, f64::max);
        plane::stretch(cof, &self.normal, out);
        bound
    }

    fn on_body(&self, at: &Pose) -> Option<Box<dyn crate::Piece>> {
        Some(Box::new(GaussPolygon::new(self.vertices.iter().map(|v| at.point(v)).collect(), self.n)?))
    }

    fn nearest(&self, d: &Height) -> f64 {
        plane::nearest(&self.vertices, d)
    }

    fn area(&self) -> f64 {
        self.points.iter().map(|(_, weight)| weight).sum()
    }

    fn facing(&self, b: &Vec3) -> f64 {
        plane::facing(&self.normal, b)
    }

    fn resting(&self, gap: f64) -> Height {
        plane::resting(&self.vertices, &self.normal, gap)
    }
}

/// Relative rounding error of points, weights and sums.
const ROUNDING: f64 = 1e-14;
