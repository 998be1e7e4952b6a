//! Tangent and binormal of a surface from its normal n, a vector of any length, with their derivatives (Lopes et al. 2010, Section 3.4).
//!
//! *Householder*, Eqs 15–17: the reflection H = E − 2 h hᵀ/hᵀh takes n to the x axis; its other two columns are t and b, of length 1. Printed is
//! h = n + |n| e₁, which is zero at n = −|n| e₁; here h = n + sign(n_x) |n| e₁, so that |h| ≥ √2 |n| everywhere. The price is a jump of t and b where
//! n_x changes its sign.
//!
//! *Auxiliary vector*, Eqs 18–20: t = n × v, b = n × t with v = n + |n| s. Of the four v that are printed two are enough: s = (−1, 1, 0) where
//! n_x n_y ≥ 0, else s = (1, 1, 0). So t = |n| n × s is never shorter than |n|². Eq 20 is printed with a plus before ṽ n_q.
//!
//! Checked: derivatives against differences, generic and next to both axes and jumps (`tests`).

use carom_base::{Mat3, Vec3};

/// How tangent and binormal are made of a normal.
///
/// ```
/// use carom_geometry::{Vec3, pairs::common_normal::Tangents};
/// let n = Vec3::new(-2.0, 0.0, 0.0);
/// for way in [Tangents::Householder, Tangents::Auxiliary] {
///     let [t, b] = way.of(&n).map(|(v, _)| v.normalize());
///     assert!(t.dot(&n) == 0.0 && b.dot(&n) == 0.0 && t.dot(&b) == 0.0);
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tangents {
    /// columns of a reflection, Eqs 15–17
    #[default]
    Householder,
    /// products with a vector that is not along n, Eqs 18–20
    Auxiliary,
}

impl Tangents {
    /// t and b, each with its derivative by n.
    pub fn of(self, n: &Vec3) -> [(Vec3, Mat3); 2] {
        match self {
            Tangents::Householder => householder(n),
            Tangents::Auxiliary => auxiliary(n),
        }
    }
}

/// +1 for zero too, unlike the mathematicians' sign.
fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

fn householder(n: &Vec3) -> [(Vec3, Mat3); 2] {
    let length = n.norm();
    let side = sign(n.x);
    let h = n + Vec3::x() * (side * length); // Eq 16, corrected
    let dh = Mat3::identity() + Vec3::x() * n.transpose() * (side / length);
    let square = h.norm_squared(); // Eq 17
    [1, 2].map(|k| {
        let column = Vec3::ith(k, 1.0) - h * (2.0 * h[k] / square); // Eq 15
        let by_h = (h * Vec3::ith(k, 1.0).transpose() + Mat3::identity() * h[k]) * (-2.0 / square)
            + h * h.transpose() * (4.0 * h[k] / (square * square));
        (column, by_h * dh)
    })
}

fn auxiliary(n: &Vec3) -> [(Vec3, Mat3); 2] {
    let length = n.norm();
    // Table 1: v₂ where n_x n_y ≥ 0, else v₁
    let s = Vec3::new(if n.x * n.y >= 0.0 { -1.0 } else { 1.0 }, 1.0, 0.0);
    let v = n + s * length; // Eq 18
    let dv = Mat3::identity() + s * n.transpose() / length;
    let t = n.cross(&v); // Eq 19
    let b = n.cross(&t);
    // Eq 20: t_q = ñ v_q − ṽ n_q, b_q = ñ t_q − t̃ n_q
    let dt = n.cross_matrix() * dv - v.cross_matrix();
    let db = n.cross_matrix() * dt - t.cross_matrix();
    [(t, dt), (b, db)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generic normals, and those next to what is special to either way: the axes, the diagonals, the jumps.
    const NORMALS: [[f64; 3]; 10] = [
        [0.3, -0.5, 0.8],
        [-1.3, 0.2, 0.1],
        [-1.0, 1e-7, -1e-7],
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [1e-4, 2.0, 3.0],
        [1.0, 1.0, 1e-9],
        [-1.0, 1.0, 1e-9],
        [2e-4, -1e-4, 5.0],
        [2e-4, 1e-4, -1e-3],
    ];

    #[test]
    fn they_are_across_the_normal_and_each_other_and_no_shorter_than_promised() {
        for n in NORMALS.map(Vec3::from) {
            for (way, least) in [(Tangents::Householder, 1.0), (Tangents::Auxiliary, n.norm_squared())] {
                let [(t, _), (b, _)] = way.of(&n);
                let off =
                    [n.dot(&t) / t.norm(), n.dot(&b) / b.norm(), t.dot(&b) / t.norm() / b.norm() * n.norm()];
                assert!(off.iter().all(|x| x.abs() < 4e-16 * n.norm()), "{way:?} {n} {off:?}");
                assert!(
                    t.norm() > least * (1.0 - 1e-15) && b.norm() > least * n.norm().min(1.0) * (1.0 - 1e-15)
                );
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        for n in NORMALS.map(Vec3::from) {
            for way in [Tangents::Householder, Tangents::Auxiliary] {
                // differences that stay on one side of the jumps: at a jump no difference exists
                let step = 1e-5 * n.iter().filter(|x| **x != 0.0).fold(n.norm(), |m, x| m.min(x.abs()));
                for j in 0..3 {
                    let to = |h: f64| way.of(&(n + Vec3::ith(j, h))).map(|(v, _)| v);
                    if n[j] == 0.0 && way == Tangents::Auxiliary && n.x * n.y == 0.0 {
                        continue;
                    }
                    let (low, high) = (to(-step), to(step));
                    for k in 0..2 {
                        let by = (high[k] - low[k]) / (2.0 * step);
                        let ours = way.of(&n)[k].1.column(j).into_owned();
                        let scale = way.of(&n)[k].0.norm() / n.norm();
                        let rounding = 1e-15 * n.norm() / step;
                        assert!(
                            (by - ours).norm() <= (1e-8 + rounding) * scale,
                            "{way:?} {n} {j} {k} {by} {ours}"
                        );
                    }
                }
            }
        }
    }
}
