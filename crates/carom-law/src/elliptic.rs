//! Carlson's symmetric elliptic integrals R_F and R_D, to rounding error.
//!
//! Duplication (DLMF 19.26.18 and 19.26.20) brings the arguments together, then a Taylor series in their
//! symmetric functions finishes (DLMF 19.36.1 and 19.36.2).
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | x, y, z | 1 | arguments, ≥ 0; at most one of x, y is zero, z > 0 for R_D |
//! | R_F | 1 | ½ ∫₀^∞ dt / √((t+x)(t+y)(t+z)) |
//! | R_D | 1 | (3/2) ∫₀^∞ dt / (√((t+x)(t+y)) (t+z)^{3/2}) |
//!
//! Source: B. C. Carlson, Numerical computation of real or complex elliptic integrals, *Numerical
//! Algorithms* 10 (1995) 13–26. Checked against the arithmetic–geometric mean and mpmath, to 1e-14.

/// From arguments this close (relative), the series is exact to rounding; each duplication divides by 4.
const NEAR: f64 = 1.0e-3;
/// Duplications that suffice for any ratio of two doubles; only NaN or a wrong argument gets this far.
const MOST: usize = 600;

/// R_F(x, y, z); the complete integral 𝐊(m) is R_F(0, 1 − m, 1). Arguments out of range give NaN.
///
/// ```
/// use carom_law::elliptic::rf;
/// assert!((rf(0.0, 1.0, 1.0) - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
/// ```
pub fn rf(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    if !(x >= 0.0 && y >= 0.0 && z >= 0.0) || x.max(y).max(z).is_infinite() || zeros(x, y, z) > 1 {
        return f64::NAN;
    }
    for _ in 0..MOST {
        let mean = (x + y + z) / 3.0;
        let (dx, dy, dz) = (1.0 - x / mean, 1.0 - y / mean, 1.0 - z / mean);
        if dx.abs().max(dy.abs()).max(dz.abs()) < NEAR {
            // DLMF 19.36.1, cut where the next term is below NEAR⁶
            let e2 = dx * dy - dz * dz;
            let e3 = dx * dy * dz;
            let series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0;
            return series / mean.sqrt();
        }
        let lambda = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
    }
    f64::NAN
}

/// R_D(x, y, z), symmetric in x and y; the complete integral 𝐃(m) = (𝐊 − 𝐄)/m is R_D(0, 1 − m, 1)/3.
/// Arguments out of range give NaN.
///
/// ```
/// use carom_law::elliptic::rd;
/// let pi = std::f64::consts::PI;
/// assert!((rd(0.0, 1.0, 1.0) - 3.0 * pi / 4.0).abs() < 1e-15);
/// ```
pub fn rd(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    if !(x >= 0.0 && y >= 0.0 && z > 0.0) || x.max(y).max(z).is_infinite() || zeros(x, y, z) > 1 {
        return f64::NAN;
    }
    let (mut sum, mut power) = (0.0, 1.0);
    for _ in 0..MOST {
        let mean = (x + y + 3.0 * z) / 5.0;
        let (dx, dy, dz) = (1.0 - x / mean, 1.0 - y / mean, 1.0 - z / mean);
        if dx.abs().max(dy.abs()).max(dz.abs()) < NEAR {
            // DLMF 19.36.2, cut where the next term is below NEAR⁶
            let (xy, zz) = (dx * dy, dz * dz);
            let e2 = xy - 6.0 * zz;
            let e3 = (3.0 * xy - 8.0 * zz) * dz;
            let e4 = 3.0 * (xy - zz) * zz;
            let e5 = xy * zz * dz;
            let series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0
                - 3.0 * e4 / 22.0
                - 9.0 * e2 * e3 / 52.0
                + 3.0 * e5 / 26.0;
            return 3.0 * sum + power * series / (mean * mean.sqrt());
        }
        let (sx, sy, sz) = (x.sqrt(), y.sqrt(), z.sqrt());
        let lambda = sx * sy + sy * sz + sz * sx;
        sum += power / (sz * (z + lambda));
        power *= 0.25;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
    }
    f64::NAN
}

fn zeros(x: f64, y: f64, z: f64) -> usize {
    [x, y, z].iter().filter(|a| **a == 0.0).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance * b.abs(), "{a:e} is not {b:e}: {:e}", (a - b).abs() / b.abs());
    }

    /// 𝐊 and 𝐄 of parameter m by the arithmetic–geometric mean (DLMF 19.8.5, 19.8.6).
    fn agm(m: f64) -> (f64, f64) {
        let (mut a, mut g, mut c) = (1.0f64, (1.0 - m).sqrt(), m.sqrt());
        let (mut sum, mut weight) = (0.5 * c * c, 0.5);
        for _ in 0..40 {
            c = 0.5 * (a - g);
            (a, g) = (0.5 * (a + g), (a * g).sqrt());
            weight *= 2.0;
            sum += weight * c * c;
        }
        (FRAC_PI_2 / a, FRAC_PI_2 / a * (1.0 - sum))
    }

    #[test]
    fn complete_integrals_agree_with_the_agm() {
        for i in 1..200 {
            let m = f64::from(i) / 200.0;
            let (k, e) = agm(m);
            let q = 1.0 - m;
            close(rf(0.0, q, 1.0), k, 1e-14);
            // DLMF 19.25.1: E = K − (m/3) R_D(0, 1 − m, 1) and E = ((1−m)/3) [R_D(0,1−m,1) + R_D(0,1,1−m)]
            close(k - m / 3.0 * rd(0.0, q, 1.0), e, 1e-14);
            close(q / 3.0 * (rd(0.0, q, 1.0) + rd(0.0, 1.0, q)), e, 1e-14);
        }
    }

    /// Carlson's own examples (Numerical Algorithms 10, section 3), real ones, 14 digits.
    #[test]
    fn carlsons_examples() {
        close(rf(1.0, 2.0, 0.0), 1.3110287771461, 4e-14);
        close(rf(2.0, 3.0, 4.0), 0.58408284167715, 2e-14);
        close(rd(0.0, 2.0, 1.0), 1.7972103521034, 4e-14);
        close(rd(2.0, 3.0, 4.0), 0.16510527294261, 4e-14);
    }

    /// Homogeneity, and the sum rule R_D(x,y,z) + R_D(y,z,x) + R_D(z,x,y) = 3/√(xyz) (DLMF 19.21.10).
    #[test]
    fn identities_of_general_arguments() {
        for (x, y, z) in [(1e-12, 2.0, 3e5), (0.3, 0.2, 7.0), (1.0, 1.0, 1e-9), (5.0, 4.0, 6.0)] {
            let sum = rd(x, y, z) + rd(y, z, x) + rd(z, x, y);
            close(sum, 3.0 / f64::sqrt(x * y * z), 1e-14);
            close(rf(4.0 * x, 4.0 * y, 4.0 * z), 0.5 * rf(x, y, z), 1e-14);
            close(rf(x, y, z), rf(z, x, y), 1e-14);
        }
        close(rf(2.5, 2.5, 2.5), 1.0 / 2.5f64.sqrt(), 1e-15);
        close(rd(2.5, 2.5, 2.5), 1.0 / (2.5 * 2.5f64.sqrt()), 1e-15);
    }

    /// 𝐊(m) → ½ ln(16/(1−m)) (DLMF 19.12.1).
    #[test]
    fn the_logarithmic_limit() {
        for q in [1e-18, 1e-60, 1e-200] {
            close(rf(0.0, q, 1.0), 0.5 * (16.0 / q).ln(), 1e-14);
        }
        close(rd(0.0, 1.0, 1e-30) / 3.0, 1e30, 1e-14);
    }

    #[test]
    fn wrong_arguments_give_nan() {
        assert!(rf(0.0, 0.0, 1.0).is_nan() && rf(-1.0, 1.0, 1.0).is_nan());
        assert!(rf(f64::NAN, 1.0, 1.0).is_nan() && rf(f64::INFINITY, 1.0, 1.0).is_nan());
        assert!(rd(1.0, 1.0, 0.0).is_nan() && rd(0.0, 0.0, 1.0).is_nan());
        close(rd(0.0, 1.0, 1.0), 0.75 * PI, 1e-15);
    }
}
