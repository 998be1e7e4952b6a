//! Sobol's sequence: points that fill a cube evenly, for any number of them.
//!
//! References: Sobol 1967; direction numbers of Joe and Kuo, SIAM J. Sci. Comput. 30 (2008) 2635; order of Antonov and Saleev
//! (1979), in which the n-th point is that of the Gray code of n.

/// Number of bits of a coordinate.
const BITS: usize = 32;

/// Largest number of coordinates.
pub const MOST: usize = LINES.len() + 1;

/// For the second and further coordinates: the inner coefficients of a primitive polynomial over GF(2) as the bits of a number,
/// and the first direction numbers m; their count is the degree of the polynomial.
const LINES: [(u32, &[u32]); 31] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
    (19, &[1, 1, 1, 15, 7, 5]),
    (22, &[1, 3, 1, 15, 13, 25]),
    (25, &[1, 1, 5, 5, 19, 61]),
    (1, &[1, 3, 7, 11, 23, 15, 103]),
    (4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, &[1, 1, 3, 13, 7, 35, 63]),
    (8, &[1, 3, 5, 9, 1, 25, 53]),
    (14, &[1, 3, 1, 13, 9, 35, 107]),
    (19, &[1, 3, 1, 5, 27, 61, 31]),
    (21, &[1, 1, 5, 11, 19, 41, 61]),
    (28, &[1, 3, 5, 3, 3, 13, 69]),
    (31, &[1, 1, 7, 13, 1, 19, 1]),
    (32, &[1, 3, 7, 5, 13, 19, 59]),
    (37, &[1, 1, 3, 9, 25, 29, 41]),
    (41, &[1, 3, 5, 13, 23, 1, 55]),
    (42, &[1, 3, 7, 3, 13, 59, 17]),
];

/// Returns the direction numbers v_k = m_k/2^k as bits, with the first bit the highest.
fn directions(dimension: usize) -> [u32; BITS] {
    let mut v = [0; BITS];
    let Some((a, m)) = dimension.checked_sub(1).and_then(|i| LINES.get(i)) else {
        // the first coordinate is van der Corput's sequence
        return std::array::from_fn(|k| 1 << (BITS - 1 - k));
    };
    let s = m.len();
    for k in 0..BITS {
        v[k] = match m.get(k) {
            Some(m) => m << (BITS - 1 - k),
            // the recurrence of Joe and Kuo, Eq 2
            None => (1..s).fold(v[k - s] ^ (v[k - s] >> s), |x, i| x ^ (((a >> (s - 1 - i)) & 1) * v[k - i])),
        };
    }
    v
}

/// Some coordinates of the sequence.
#[derive(Clone, Debug)]
pub(super) struct Sobol {
    directions: Vec<[u32; BITS]>,
}

impl Sobol {
    pub(super) fn new(dimensions: usize) -> Sobol {
        Sobol { directions: (0..dimensions).map(directions).collect() }
    }

    /// Returns a coordinate of the n-th point, from 0 to 1, the latter excluded; `shift` changes some of its bits.
    pub(super) fn at(&self, n: usize, dimension: usize, shift: u32) -> f64 {
        let gray = n ^ (n >> 1);
        let v = &self.directions[dimension];
        let bits = (0..BITS).filter(|k| (gray >> k) & 1 == 1).fold(shift, |x, k| x ^ v[k]);
        f64::from(bits) / (1u64 << BITS) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points 6 and 63 in 64ths, by `scipy.stats.qmc.Sobol(32, scramble=False)`.
    #[test]
    fn points_as_published() {
        let sobol = Sobol::new(MOST);
        let point = |n: usize| (0..MOST).map(|d| 64.0 * sobol.at(n, d, 0)).collect::<Vec<_>>();
        assert_eq!(point(0), [0.0; MOST]);
        assert_eq!(point(1), [32.0; MOST]);
        assert_eq!(
            point(6),
            [
                40.0, 8.0, 56.0, 40.0, 40.0, 56.0, 8.0, 8.0, 8.0, 24.0, 8.0, 40.0, 8.0, 56.0, 40.0, 40.0,
                40.0, 40.0, 8.0, 24.0, 24.0, 56.0, 8.0, 40.0, 40.0, 8.0, 8.0, 24.0, 24.0, 56.0, 8.0, 24.0
            ]
        );
        assert_eq!(
            point(63),
            [
                1.0, 51.0, 23.0, 29.0, 55.0, 9.0, 37.0, 9.0, 53.0, 37.0, 27.0, 43.0, 35.0, 49.0, 21.0, 49.0,
                5.0, 25.0, 61.0, 15.0, 15.0, 35.0, 25.0, 35.0, 61.0, 41.0, 13.0, 19.0, 19.0, 29.0, 1.0, 59.0
            ]
        );
    }

    /// Every coordinate has one of 2^k points in each of 2^k parts: a (0, 1)-sequence.
    #[test]
    fn every_part_has_its_point() {
        let sobol = Sobol::new(MOST);
        for dimension in 0..MOST {
            for shift in [0, 0x9e37_79b9] {
                let mut seen = [0; 1024];
                (0..1024).for_each(|n| seen[(1024.0 * sobol.at(n, dimension, shift)) as usize] += 1);
                assert_eq!(seen, [1; 1024], "{dimension}");
            }
        }
    }
}
