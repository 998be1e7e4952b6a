//! A plane convex polygon.

use carom_base::{Mat3, Scalar, Vec3};

use crate::piece::{Asked, Height, Moments, PieceFormula};

/// A plane convex polygon, its vertices in order around it, seen from outside counterclockwise.
#[derive(Clone, Debug)]
pub struct Polygon {
    vertices: Vec<Vec3>,
    /// outward unit normal
    normal: Vec3,
    area: f64,
}

impl Polygon {
    /// Three vertices or more [m], in a plane, counterclockwise seen from outside.
    pub fn new(vertices: Vec<Vec3>) -> Option<Polygon> {
        let (&first, rest) = vertices.split_first()?;
        let twice: Vec3 = rest.windows(2).map(|v| (v[0] - first).cross(&(v[1] - first))).sum();
        let area = 0.5 * twice.norm();
        (area > 0.0 && area.is_finite()).then(|| Polygon { normal: twice / (2.0 * area), area, vertices })
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
        let _ = (d, cof, &self.normal);
        for (_, out) in asked.iter().zip(out) {
            *out = Moments::undefined();
        }
        0.0
    }

    fn nearest(&self, d: &Height) -> f64 {
        self.vertices.iter().map(|v| d.at(v)).fold(f64::INFINITY, f64::min)
    }

    fn area(&self) -> f64 {
        self.area
    }

    fn facing(&self, b: &Vec3) -> f64 {
        -b.dot(&self.normal) / b.norm()
    }

    fn resting(&self, gap: f64) -> Height {
        let on_it = self.vertices.first().map_or(0.0, |v| v.dot(&self.normal));
        Height { a: gap + on_it, b: -self.normal }
    }
}
