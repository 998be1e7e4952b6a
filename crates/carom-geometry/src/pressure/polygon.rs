//! Plane convex polygons: cut by planes, and sums over points that stand for integrals over them.

use carom_base::Vec3;

/// A point of an integral over an area: where it is [m], and the area it stands for [m²].
pub(crate) type AreaPoint = (Vec3, f64);

/// Room for polygons that are cut, kept so that nothing is allocated once it is large enough.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    now: Vec<Vec3>,
    next: Vec<Vec3>,
    heights: Vec<f64>,
}

impl Room {
    /// The polygon that is left.
    pub(crate) fn polygon(&self) -> &[Vec3] {
        &self.now
    }

    /// Starts with these vertices.
    pub(crate) fn start(&mut self, vertices: impl IntoIterator<Item = Vec3>) {
        self.now.clear();
        self.now.extend(vertices);
    }

    /// Leaves of the polygon what has height(x) ≥ 0, a linear function, and says whether anything is left. Heights within `zero` of zero [m] count as zero; a polygon on which all
    /// of them do is kept if `keep_level`.
    pub(crate) fn cut(&mut self, zero: f64, keep_level: bool, height: impl Fn(&Vec3) -> f64) -> bool {
        self.heights.clear();
        let snapped = |h: f64| if h.abs() <= zero { 0.0 } else { h };
        self.heights.extend(self.now.iter().map(|x| snapped(height(x))));
        let (least, most) =
            self.heights.iter().fold((0.0, 0.0), |(l, m): (f64, f64), h| (l.min(*h), m.max(*h)));
        if most == 0.0 && !(keep_level && least == 0.0) {
            self.now.clear();
        }
        if self.now.len() < 3 {
            self.now.clear();
            return false;
        }
        if least == 0.0 {
            return true;
        }
        self.next.clear();
        let last = self.now.len() - 1;
        let (mut before, mut below) = (self.now[last], self.heights[last]);
        for (x, h) in self.now.iter().zip(&self.heights) {
            if (below < 0.0 && *h > 0.0) || (below > 0.0 && *h < 0.0) {
                self.next.push(before + (x - before) * (below / (below - h)));
            }
            if *h >= 0.0 {
                self.next.push(*x);
            }
            (before, below) = (*x, *h);
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.now.len() >= 3
    }
}

/// Weights and barycentric coordinates of six points of a triangle, exact for polynomials of degree 4 (Strang & Fix 1973; Dunavant 1985).
const SIX: [(f64, f64, f64); 2] = [
    (0.223_381_589_678_011_47, 0.108_103_018_168_070_23, 0.445_948_490_915_964_89),
    (0.109_951_743_655_321_87, 0.816_847_572_980_458_51, 0.091_576_213_509_770_74),
];

/// Points of an integral over a triangle: positive weights, exact for polynomials of degree 4.
pub(crate) fn triangle_points(corners: &[Vec3; 3], mut visit: impl FnMut(AreaPoint)) {
    let [a, b, c] = corners;
    let area = 0.5 * (b - a).cross(&(c - a)).norm();
    if !(area > 0.0) {
        return;
    }
    for (weight, at, others) in SIX {
        visit((a * at + (b + c) * others, area * weight));
        visit((b * at + (c + a) * others, area * weight));
        visit((c * at + (a + b) * others, area * weight));
    }
}

/// Points of an integral over a convex polygon: positive weights, exact for polynomials of degree 4. The triangles go round the mean of the vertices, so that the points move
/// continuously as cuts move, wherever the list of vertices begins.
pub(crate) fn polygon_points(vertices: &[Vec3], mut visit: impl FnMut(AreaPoint)) {
    if let [a, b, c] = vertices {
        return triangle_points(&[*a, *b, *c], visit);
    }
    let middle = vertices.iter().sum::<Vec3>() / vertices.len().max(1) as f64;
    for (a, b) in vertices.iter().zip(vertices.iter().cycle().skip(1)) {
        triangle_points(&[middle, *a, *b], &mut visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_is_exact_for_degree_four() {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        for (i, j) in (0..5).flat_map(|i| (0..5 - i).map(move |j| (i, j))) {
            let mut sum = 0.0;
            triangle_points(&corners, |(p, w)| sum += w * p.x.powi(i) * p.y.powi(j));
            // i! j!/(i + j + 2)!
            let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
            assert!((sum - factorial(i) * factorial(j) / factorial(i + j + 2)).abs() < 1e-16, "{i} {j}");
        }
    }

    #[test]
    fn a_square_is_cut() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let mut room = Room::default();
        room.start(square);
        assert!(room.cut(0.0, true, |p| 1.5 - p.x - p.y));
        let mut area = 0.0;
        polygon_points(room.polygon(), |(_, w)| area += w);
        assert!((area - 0.875).abs() < 1e-15 && room.polygon().len() == 5);
        assert!(!room.cut(0.0, true, |p| p.x - 2.0));
        room.start(square);
        assert!(room.cut(1e-15, true, |p| p.z + 1e-16) && !room.cut(1e-15, false, |p| p.z + 1e-16));
    }
}
