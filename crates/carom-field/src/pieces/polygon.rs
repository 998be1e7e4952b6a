//! A plane convex polygon.
//!
//! On a triangle with the vertices p_i the place is x = Σ λ_i p_i, and the height d is affine: with the averages of `kernel::simplex`
//!
//!   ∫ d^−ν dA = A avg d^−ν,  ∫ d^−ν x dA = A Σ p_i avg λ_i d^−ν,  ∫ d^−ν x⊗x dA = A Σ p_i⊗p_j avg λ_i λ_j d^−ν
//!
//! and a polygon is a fan of triangles. The area factor k = |F* m| of a deformation is the same all over it.

use carom_base::{Mat3, Scalar, Vec3};

use super::{GaussPolygon, plane};
use crate::kernel::simplex;
use crate::piece::{Asked, Height, Moments, Piece, PieceFormula};

/// A plane convex polygon, its vertices in order around it, seen from outside counterclockwise.
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
    /// of the fan's triangles: vertices 0, i + 1, i + 2 [m²]
    areas: Vec<f64>,
    /// outward unit normal
    normal: Vec3,
}

impl Polygon {
    /// Three vertices or more [m], in a plane, counterclockwise seen from outside.
    pub fn new(vertices: Vec<Vec3>) -> Option<Polygon> {
        let normal = plane::normal(&vertices)?;
        let (&first, rest) = vertices.split_first()?;
        let areas =
            rest.windows(2).map(|v| 0.5 * (v[0] - first).cross(&(v[1] - first)).dot(&normal)).collect();
        Some(Polygon { vertices, areas, normal })
    }

    /// Adds what a triangle of the fan has of a set of moments; `x`: heights of its vertices.
    #[inline]
    fn add<S: Scalar>(&self, triangle: usize, x: &[S; 3], asked: &Asked, out: &mut Moments<S>) {
        let avg = simplex::averages(x, asked.nu, asked.order);
        let area = S::from_f64(self.areas[triangle]);
        let p = [0, triangle + 1, triangle + 2].map(|i| self.vertices[i].map(S::from_f64));
        out.i0 += area * avg.zeroth;
        if asked.order >= 1 {
            for i in 0..3 {
                out.i1 += p[i] * (area * avg.first[i]);
            }
        }
        if asked.order >= 2 {
            for i in 0..3 {
                let row =
                    (p[0] * avg.second[i][0] + p[1] * avg.second[i][1] + p[2] * avg.second[i][2]) * area;
                for u in 0..3 {
                    for v in 0..u + 1 {
                        out.i2[(u, v)] += p[i][u] * row[v];
                    }
                }
            }
        }
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
        out.fill(Moments::zero());
        let height = |i: usize| d.at(&self.vertices[i].map(S::from_f64));
        let (first, mut last) = (height(0), height(1));
        for triangle in 0..self.areas.len() {
            let x = [first, last, height(triangle + 2)];
            if !x.iter().all(|x| x.value() > 0.0) {
                out.fill(Moments::undefined());
                return f64::NAN;
            }
            for (i, set) in asked.iter().enumerate() {
                if plane::same(asked, i).is_none() {
                    self.add(triangle, &x, set, &mut out[i]);
                }
            }
            last = x[2];
        }
        for out in out.iter_mut() {
            out.i2.fill_upper_triangle_with_lower_triangle();
        }
        plane::share(asked, out);
        plane::stretch(cof, &self.normal, out);
        ERROR
    }

    fn nearest(&self, d: &Height) -> f64 {
        plane::nearest(&self.vertices, d)
    }

    fn area(&self) -> f64 {
        self.areas.iter().sum()
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

/// What moments may be off by, relative to i0 and the size of the polygon (tests/planar.rs).
const ERROR: f64 = 2e-14;
