//! A triangle, whole or a piece of one, and the least value of a parabola on it.

use carom_base::{Mat3, Vec3};
use nalgebra::{Matrix2, Vector2};

use crate::pairs::apart::Place;
use crate::pairs::convex::newton::across;

#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) corners: [Vec3; 3],
}

impl Piece {
    pub(super) fn middle(&self) -> Vec3 {
        let [a, b, c] = &self.corners;
        (a + b + c) / 3.0
    }

    /// How far its furthest point is from x [m].
    pub(super) fn reach(&self, x: &Vec3) -> f64 {
        self.corners.iter().map(|v| (v - x).norm_squared()).fold(0.0, f64::max).sqrt()
    }

    /// The least n·(y − x) over its points y [m].
    pub(super) fn least_along(&self, n: &Vec3, x: &Vec3) -> f64 {
        self.corners.iter().map(|v| n.dot(&(v - x))).fold(f64::INFINITY, f64::min)
    }

    /// The point with these shares of the corners.
    pub(super) fn point(&self, shares: &Vec3) -> Vec3 {
        let [a, b, c] = &self.corners;
        a * shares.x + b * shares.y + c * shares.z
    }

    /// The values at the corners of the tangent of a distance at a place.
    pub(super) fn tangent(&self, at: &Place) -> Vec3 {
        let [a, b, c] = self.corners.map(|v| at.d + at.n.dot(&(v - at.p)));
        Vec3::new(a, b, c)
    }

    /// Cut into four along the middles of its sides.
    pub(super) fn quarters(&self) -> [Piece; 4] {
        let [a, b, c] = self.corners;
        let (ab, bc, ca) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]].map(|corners| Piece { corners })
    }

    /// From x, where a function has that slope and bend: the way to its least value on the piece, taken for a parabola. `normal` is that of the piece; no bend counts for less than
    /// `least` [1/m].
    pub(super) fn step(&self, x: &Vec3, normal: &Vec3, slope: &Vec3, bend: &Mat3, least: f64) -> Vec3 {
        let t = across(normal);
        let (g, h) = (t.tr_mul(slope), upwards(&t.tr_mul(&(bend * t)), least));
        let corners = self.corners.map(|v| t.tr_mul(&(v - x)));
        t * lowest(&g, &h, &corners)
    }
}

/// The bend by the size of its principal values, none less than `least`.
fn upwards(bend: &Matrix2<f64>, least: f64) -> Matrix2<f64> {
    let eigen = ((bend + bend.transpose()) * 0.5).symmetric_eigen();
    let v = eigen.eigenvectors;
    v * Matrix2::from_diagonal(&eigen.eigenvalues.map(|k| k.abs().max(least))) * v.transpose()
}

/// Where g·s + ½ s·h s is least on a triangle, h being positive definite.
fn lowest(g: &Vector2<f64>, h: &Matrix2<f64>, corners: &[Vector2<f64>; 3]) -> Vector2<f64> {
    let value = |s: &Vector2<f64>| g.dot(s) + 0.5 * s.dot(&(h * s));
    if let Some(inverse) = h.try_inverse() {
        let free = -(inverse * g);
        let side = |k: usize| (corners[(k + 1) % 3] - corners[k]).perp(&(free - corners[k]));
        let sides = [side(0), side(1), side(2)];
        if sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0) {
            return free;
        }
    }
    let mut best = (f64::INFINITY, Vector2::zeros());
    for k in 0..3 {
        let (a, e) = (corners[k], corners[(k + 1) % 3] - corners[k]);
        let (slope, bend) = ((g + h * a).dot(&e), e.dot(&(h * e)));
        let share = if bend > 0.0 { (-slope / bend).clamp(0.0, 1.0) } else { 0.0 };
        // an end exactly, not by rounding
        let s = if share == 1.0 { corners[(k + 1) % 3] } else { a + e * share };
        if value(&s) < best.0 {
            best = (value(&s), s);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_least_inside_on_a_side_or_at_a_corner() {
        let corners = [Vector2::new(0.0, 0.0), Vector2::new(1.0, 0.0), Vector2::new(0.0, 1.0)];
        let h = Matrix2::new(2.0, 0.0, 0.0, 4.0);
        let least_at = |x: f64, y: f64| lowest(&-(h * Vector2::new(x, y)), &h, &corners);
        assert!((least_at(0.25, 0.5) - Vector2::new(0.25, 0.5)).norm() < 1e-15);
        assert!((least_at(0.25, -1.0) - Vector2::new(0.25, 0.0)).norm() < 1e-15);
        assert_eq!(least_at(3.0, -1.0), Vector2::new(1.0, 0.0));
        // on the slanting side (x − 1)² + 2 x² is least at x = 1/3
        assert!((least_at(1.0, 1.0) - Vector2::new(1.0 / 3.0, 2.0 / 3.0)).norm() < 1e-15);
    }
}
