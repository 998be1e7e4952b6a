//! The coefficients of Radau IIA with three stages: Hairer, Wanner, *Solving Ordinary Differential Equations II*,
//! Table IV.5.6 and IV.8. The eigenvalues are roots of a cubic in closed form; T was computed with 40 digits.

use num_complex::Complex64;

/// √6
const S: f64 = 2.449_489_742_783_178_1;

/// The nodes: zeros of d²/dx² (x² (x − 1)³).
pub(super) const C: [f64; 3] = [(4.0 - S) / 10.0, (4.0 + S) / 10.0, 1.0];

/// The weights of the stages; the last row is that of the solution.
pub(super) const A: [[f64; 3]; 3] = [
    [(88.0 - 7.0 * S) / 360.0, (296.0 - 169.0 * S) / 1800.0, (-2.0 + 3.0 * S) / 225.0],
    [(296.0 + 169.0 * S) / 1800.0, (88.0 + 7.0 * S) / 360.0, (-2.0 - 3.0 * S) / 225.0],
    [(16.0 - S) / 36.0, (16.0 + S) / 36.0, 1.0 / 9.0],
];

/// The real eigenvalue of A⁻¹: 3 + 3^(2/3) − 3^(1/3).
pub(super) const GAMMA: f64 = 3.637_834_252_744_495_732_2;

/// One of the complex pair, α + iβ: α = 3 + (3^(1/3) − 3^(2/3))/2, β = (3^(5/6) + 3^(7/6))/2.
pub(super) const ALPHA_BETA: Complex64 =
    Complex64::new(2.681_082_873_627_752_133_9, 3.050_430_199_247_410_569_4);

/// T⁻¹ A⁻¹ T = [γ, 0, 0; 0, α, −β; 0, β, α] (IV.8.5), with the last row of T (1, 1, 0).
pub(super) const T: [[f64; 3]; 3] = [
    [0.094_438_762_488_975_241_487, -0.141_255_295_020_954_208_43, -0.030_029_194_105_147_424_492],
    [0.250_213_122_965_333_311_38, 0.204_129_352_293_799_932, 0.382_942_112_757_261_937_8],
    [1.0, 1.0, 0.0],
];

/// T⁻¹.
pub(super) const T_INVERSE: [[f64; 3]; 3] = [
    [4.178_718_591_551_904_727_3, 0.327_682_820_761_062_387_08, 0.523_376_445_499_449_548_04],
    [-4.178_718_591_551_904_727_3, -0.327_682_820_761_062_387_08, 0.476_623_554_500_550_451_96],
    [-0.502_872_634_945_786_875_95, 2.571_926_949_855_605_429_2, -0.596_039_204_828_224_924_97],
];

/// Weights of the stages in the error estimate: γ (b̂ − b) A⁻¹, where b̂ has the weight 1/γ at the start of the step
/// and is of order 3 (IV.8.19).
pub(super) const E: [f64; 3] = [(-13.0 - 7.0 * S) / 3.0, (-13.0 + 7.0 * S) / 3.0, -1.0 / 3.0];

/// Σ_j row_j x_j.
#[inline(always)]
pub(super) fn dot(row: &[f64; 3], x: [f64; 3]) -> f64 {
    row[0] * x[0] + row[1] * x[1] + row[2] * x[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| dot(&a[i], [b[0][j], b[1][j], b[2][j]])))
    }

    fn assert_close(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) {
        for (a, b) in a.as_flattened().iter().zip(b.as_flattened()) {
            assert!((a - b).abs() < 4e-15, "{a} instead of {b}");
        }
    }

    #[test]
    fn the_transformation_is_right() {
        let one = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_close(&product(&T, &T_INVERSE), &one);
        let (a, b) = (ALPHA_BETA.re, ALPHA_BETA.im);
        let blocks = [[GAMMA, 0.0, 0.0], [0.0, a, -b], [0.0, b, a]];
        // A T Λ = T
        assert_close(&product(&A, &product(&T, &blocks)), &T);
    }

    /// C(3): Σ a_ij c_j^(q−1) = c_i^q / q; B(5) for the last row.
    #[test]
    fn stage_order_3_and_order_5() {
        for q in 1..=5 {
            let powers = C.map(|c| c.powi(q - 1));
            for i in if q <= 3 { 0..3 } else { 2..3 } {
                let (got, want) = (dot(&A[i], powers), C[i].powi(q) / f64::from(q));
                assert!((got - want).abs() < 1e-15, "stage {i}, power {q}: {got} instead of {want}");
            }
        }
    }

    /// The estimate vanishes for solutions 1, t, t², t³: h f0 + Σ e_i z_i = 0.
    #[test]
    fn the_estimate_is_of_order_3() {
        for q in 1..=3 {
            let f0 = if q == 1 { 1.0 } else { 0.0 };
            let e = f0 + dot(&E, C.map(|c| c.powi(q)));
            assert!(e.abs() < 1e-14, "power {q}: {e}");
        }
    }
}
