//! Gauss–Legendre points: for 0 … 1, and for 0 … ∞.

/// Points τ = s/(1−s) on 0 … ∞ with weights w/(1−s)²; s and w are Gauss's points and weights on 0 … 1.
pub(super) type Rule = &'static [(f64, f64)];

/// 4 points
pub(super) const FOUR: Rule = &to_infinity::<4>(&HALF_OF_FOUR);
/// 8 points
pub(super) const EIGHT: Rule = &to_infinity::<8>(&HALF_OF_EIGHT);
/// 12 points
pub(super) const TWELVE: Rule = &to_infinity::<12>(&HALF_OF_TWELVE);
/// 16 points
pub(super) const SIXTEEN: Rule = &to_infinity::<16>(&HALF_OF_SIXTEEN);

/// `half`: the points and weights on 0 … 1/2; the others mirror them.
const fn to_infinity<const N: usize>(half: &[(f64, f64)]) -> [(f64, f64); N] {
    let mut rule = [(0.0, 0.0); N];
    let mut i = 0;
    while i < half.len() {
        let (s, w) = half[i];
        let rest = 1.0 - s;
        rule[i] = (s / rest, w / (rest * rest));
        rule[N - 1 - i] = (rest / s, w / (s * s));
        i += 1;
    }
    rule
}

const HALF_OF_FOUR: [(f64, f64); 2] = [
    (0.069_431_844_202_973_712, 0.173_927_422_568_726_929),
    (0.330_009_478_207_571_868, 0.326_072_577_431_273_071),
];

const HALF_OF_EIGHT: [(f64, f64); 4] = [
    (0.019_855_071_751_231_884, 0.050_614_268_145_188_130),
    (0.101_666_761_293_186_630, 0.111_190_517_226_687_235),
    (0.237_233_795_041_835_507, 0.156_853_322_938_943_644),
    (0.408_282_678_752_175_098, 0.181_341_891_689_180_991),
];

const HALF_OF_TWELVE: [(f64, f64); 6] = [
    (0.009_219_682_876_640_375, 0.023_587_668_193_255_914),
    (0.047_941_371_814_762_572, 0.053_469_662_997_659_216),
    (0.115_048_662_902_847_656, 0.080_039_164_271_673_113),
    (0.206_341_022_856_691_276, 0.101_583_713_361_532_961),
    (0.316_084_250_500_909_903, 0.116_746_268_269_177_404),
    (0.437_383_295_744_265_542, 0.124_573_522_906_701_393),
];

const HALF_OF_SIXTEEN: [(f64, f64); 8] = [
    (0.005_299_532_504_175_034, 0.013_576_229_705_877_047),
    (0.027_712_488_463_383_712, 0.031_126_761_969_323_946),
    (0.067_184_398_806_084_128, 0.047_579_255_841_246_392),
    (0.122_297_795_822_498_483, 0.062_314_485_627_766_936),
    (0.191_061_877_798_678_126, 0.074_797_994_408_288_366),
    (0.270_991_611_171_386_307, 0.084_578_259_697_501_269),
    (0.359_198_224_610_370_543, 0.091_301_707_522_461_794),
    (0.452_493_745_081_181_280, 0.094_725_305_227_534_248),
];

/// n points and their weights, in order: zeros of the Legendre polynomial P_n by Newton's method, weights 1/((1 − z²) P_n'²) on 0 … 1.
pub(crate) fn legendre(n: usize) -> Vec<(f64, f64)> {
    let count = n as f64;
    let point = |i: usize| {
        let mut z = -(std::f64::consts::PI * (i as f64 + 0.75) / (count + 0.5)).cos();
        let mut slope = 1.0;
        // the first guess has two digits at least, and every step doubles them
        for _ in 0..8 {
            // (k + 1) P_(k+1) = (2k + 1) z P_k − k P_(k−1); (z² − 1) P_n' = n (z P_n − P_(n−1))
            let (mut p, mut before) = (z, 1.0);
            for k in 1..n {
                let k = k as f64;
                (p, before) = (((2.0 * k + 1.0) * z * p - k * before) / (k + 1.0), p);
            }
            slope = count * (z * p - before) / (z * z - 1.0);
            z -= p / slope;
        }
        (0.5 * (1.0 + z), 1.0 / ((1.0 - z * z) * slope * slope))
    };
    (0..n).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_zeros_of_legendre_polynomials() {
        for table in [&HALF_OF_FOUR[..], &HALF_OF_EIGHT, &HALF_OF_TWELVE, &HALF_OF_SIXTEEN] {
            for (i, (point, weight)) in legendre(2 * table.len()).into_iter().take(table.len()).enumerate() {
                assert!((point - table[i].0).abs() < 2e-16, "{point}");
                assert!((weight - table[i].1).abs() < 1e-15, "{weight}");
            }
        }
    }

    /// ∫₀¹ s^m ds = 1/(m + 1) for m < 2n.
    #[test]
    fn polynomials_are_integrated_exactly() {
        for n in [1, 2, 3, 7, 20, 144, 500] {
            let points = legendre(n);
            for m in [0, 1, n as i32, 2 * n as i32 - 1] {
                let sum: f64 = points.iter().map(|(s, w)| w * s.powi(m)).sum();
                assert!(
                    (sum * f64::from(m + 1) - 1.0).abs() < 2e-13,
                    "{n} {m} {}",
                    sum * f64::from(m + 1) - 1.0
                );
            }
        }
    }
}
