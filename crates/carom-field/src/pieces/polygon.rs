//! A plane convex polygon.
//!
//! On a triangle with the vertices p_i the position is x = Σ λ_i p_i, and the height d is affine: with the averages of
//! `kernel::simplex`
//!
//!   ∫ d^−ν dA = A avg d^−ν,  ∫ d^−ν x dA = A Σ p_i avg λ_i d^−ν,  ∫ d^−ν x⊗x dA = A Σ p_i⊗p_j avg λ_i λ_j d^−ν
//!
//! and a polygon is a fan of triangles, which are computed two at a time. The area factor k = |F* m| of a deformation is
//! constant on it.

use carom_base::{Mat3, Pose, Scalar, Two, Vec3};

use super::{GaussPolygon, plane};
use crate::kernel::simplex::{self, Averages};
use crate::piece::{Asked, Height, Moments, Piece, PieceFormula};

/// A plane convex polygon, with its vertices in order around it, counterclockwise seen from outside.
///
/// ```
/// use carom_base::Vec3;
/// use carom_field::{Asked, Height, Moments, Piece, pieces::Polygon};
/// // a square of 1 m, 1 cm over the support and level: ∫ d^−2 dA = 1e4
/// let square = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
/// let face = Polygon::new(square.to_vec()).unwrap();
/// let mut moments = [Moments::zero()];
/// let d = Height { a: 0.01, b: Vec3::new(0.0, 0.0, 1.0) };
/// face.moments(&[Asked { nu: 2, order: 0 }], &d, None, &mut moments);
/// assert!((moments[0].i0 - 1e4).abs() < 1e-10);
/// ```
#[derive(Clone, Debug)]
pub struct Polygon {
    vertices: Vec<Vec3>,
    /// triangles from the first vertex, two at a time; the last one may have no area
    fan: Vec<Triangle<Two>>,
    /// outward unit normal
    normal: Vec3,
}

#[derive(Clone, Copy, Debug)]
struct Triangle<S: Scalar> {
    /// vertices [m]
    p: [Vec3<S>; 3],
    /// area [m²]
    area: S,
}

impl<S: Scalar> Triangle<S> {
    /// Returns the heights of the vertices [m].
    #[inline(always)]
    fn heights(&self, d: &Height<S>) -> [S; 3] {
        [d.at(&self.p[0]), d.at(&self.p[1]), d.at(&self.p[2])]
    }

    /// Adds its part of a set of moments; returns its part of ∫ d^−(ν−1) dA, which is Σ x_i ∫ λ_i d^−ν dA.
    #[inline(always)]
    fn add(&self, x: &[S; 3], avg: &Averages<S, 3>, order: usize, sum: &mut Moments<S>) -> S {
        let (p, area) = (&self.p, self.area);
        sum.i0 += area * avg.zeroth;
        if order == 1 {
            for i in 0..3 {
                sum.i1 += p[i] * (area * avg.first[i]);
            }
        }
        if order >= 2 {
            for i in 0..3 {
                // ∫ λ_i x d^−ν dA; the sum over i is ∫ x d^−ν dA
                let s = &avg.second[i];
                let row = p[0] * (area * s[0]) + p[1] * (area * s[1]) + p[2] * (area * s[2]);
                sum.i1 += row;
                for u in 0..3 {
                    for v in 0..u + 1 {
                        sum.i2[(u, v)] += p[i][u] * row[v];
                    }
                }
            }
        }
        area * (x[0] * avg.first[0] + x[1] * avg.first[1] + x[2] * avg.first[2])
    }
}

impl Triangle<Two> {
    /// Returns one of the two triangles.
    fn lane<S: Scalar>(&self, lane: usize) -> Triangle<S> {
        let of = |x: Two| S::from_f64(x.lanes()[lane]);
        Triangle { p: self.p.map(|p| p.map(of)), area: of(self.area) }
    }

    /// Adds the parts of both triangles, one after the other.
    #[inline(never)]
    fn one_by_one<const ORDER: usize>(&self, x: &[Two; 3], nu: u32, sum: &mut Moments<Two>) -> Two {
        let (mut one, mut lower) = (Moments::zero(), 0.0);
        for lane in [0, 1] {
            let x = x.map(|x| x.lanes()[lane]);
            let avg = simplex::of_order::<f64, 3, ORDER>(&x, nu);
            lower += self.lane(lane).add(&x, &avg, ORDER, &mut one);
        }
        // the lane does not matter, because both are summed in the end
        let first = |x: f64| Two::new(x, 0.0);
        sum.i0 += first(one.i0);
        sum.i1 += one.i1.map(first);
        sum.i2 += one.i2.map(first);
        first(lower)
    }
}

impl Polygon {
    /// Makes a polygon from three vertices or more [m], in a plane, counterclockwise seen from outside.
    pub fn new(vertices: Vec<Vec3>) -> Option<Polygon> {
        let normal = plane::normal(&vertices)?;
        let (&first, rest) = vertices.split_first()?;
        let area = |v: &[Vec3]| 0.5 * (v[0] - first).cross(&(v[1] - first)).dot(&normal);
        let edges: Vec<&[Vec3]> = rest.windows(2).collect();
        let pair = |pair: &[&[Vec3]]| {
            let (a, b) = (pair[0], pair[pair.len() - 1]);
            let p = [Two::both(&first), Two::vector(&a[0], &b[0]), Two::vector(&a[1], &b[1])];
            let second = if pair.len() > 1 { area(b) } else { 0.0 };
            Triangle { p, area: Two::new(area(a), second) }
        };
        let fan = edges.chunks(2).map(pair).collect();
        Some(Polygon { vertices, fan, normal })
    }

    /// Computes a set of moments, and ∫ d^−(ν−1) dA.
    #[inline(always)]
    fn two_by_two<const ORDER: usize>(&self, nu: u32, d: &Height<Two>, out: &mut Moments) -> f64 {
        let (mut sum, mut lower) = (Moments::zero(), Two::ZERO);
        for pair in &self.fan {
            let x = pair.heights(d);
            if simplex::together::<3, ORDER>(&x, nu) {
                lower += pair.add(&x, &simplex::of_order::<Two, 3, ORDER>(&x, nu), ORDER, &mut sum);
            } else {
                lower += pair.one_by_one::<ORDER>(&x, nu, &mut sum);
            }
        }
        out.i0 = sum.i0.sum();
        out.i1 = sum.i1.map(Two::sum);
        for u in 0..3 {
            for v in 0..u + 1 {
                let s = if ORDER >= 2 { sum.i2[(u, v)].sum() } else { 0.0 };
                (out.i2[(u, v)], out.i2[(v, u)]) = (s, s);
            }
        }
        lower.sum()
    }

    /// Returns whether it is wholly above the support; if not, its moments are undefined.
    #[inline]
    fn above(&self, d: &Height) -> bool {
        self.vertices.iter().all(|v| d.at(v) > 0.0)
    }
}

impl PieceFormula for Polygon {
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64 {
        let count = asked.len().min(out.len());
        let (asked, out) = (&asked[..count], &mut out[..count]);
        if !self.above(&d.value()) {
            out.fill(Moments::undefined());
            return f64::NAN;
        }
        plane::sets(asked, out, |set, out| {
            let (mut sum, mut lower) = (Moments::zero(), S::from_f64(0.0));
            for pair in &self.fan {
                for triangle in [0, 1].map(|lane| pair.lane::<S>(lane)) {
                    if triangle.area.value() != 0.0 {
                        let x = triangle.heights(d);
                        let avg = simplex::averages(&x, set.nu, set.order);
                        lower += triangle.add(&x, &avg, set.order as usize, &mut sum);
                    }
                }
            }
            sum.i2.fill_upper_triangle_with_lower_triangle();
            *out = sum;
            lower
        });
        plane::stretch(cof, &self.normal, out);
        ERROR
    }

    fn values(&self, asked: &[Asked], d: &Height, cof: Option<&Mat3>, out: &mut [Moments]) -> f64 {
        let count = asked.len().min(out.len());
        let (asked, out) = (&asked[..count], &mut out[..count]);
        if !self.above(d) {
            out.fill(Moments::undefined());
            return f64::NAN;
        }
        let d = Height { a: Two::splat(d.a), b: Two::both(&d.b) };
        plane::sets(asked, out, |set, out| match set.order {
            0 => self.two_by_two::<0>(set.nu, &d, out),
            1 => self.two_by_two::<1>(set.nu, &d, out),
            _ => self.two_by_two::<2>(set.nu, &d, out),
        });
        plane::stretch(cof, &self.normal, out);
        ERROR
    }

    fn on_body(&self, at: &Pose) -> Option<Box<dyn Piece>> {
        Some(Box::new(Polygon::new(self.vertices.iter().map(|v| at.point(v)).collect())?))
    }

    fn nearest(&self, d: &Height) -> f64 {
        plane::nearest(&self.vertices, d)
    }

    fn area(&self) -> f64 {
        self.fan.iter().map(|pair| pair.area.sum()).sum()
    }

    fn facing(&self, b: &Vec3) -> f64 {
        plane::facing(&self.normal, b)
    }

    fn resting(&self, gap: f64) -> Height {
        plane::resting(&self.vertices, &self.normal, gap)
    }

    fn by_gauss(&self, n: usize) -> Option<Box<dyn Piece>> {
        Some(Box::new(GaussPolygon::new(self.vertices.clone(), n)?))
    }
}

/// Largest error of moments, relative to i0 and the size of the polygon (tests/planar.rs).
const ERROR: f64 = 2e-14;
