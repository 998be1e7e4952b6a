//! Tsitouras 5(4), order 5, with dense output of order 4: `tsit5`.
//!
//! Ch. Tsitouras, *Runge–Kutta pairs of order 5(4) satisfying only the first column simplifying assumption*,
//! Computers & Mathematics with Applications 62 (2011) 770–775.
//!
//! The continuous extension agrees with both ends in value and slope, so that it is the cubic through them plus
//! θ²(1−θ)² h Σ d_i k_i, where d_i is the coefficient of θ⁴ in the paper's b_i(θ).

use crate::erk::{Explicit, Tableau};

/// Tsitouras' 5(4).
#[derive(Debug)]
pub(super) struct Tsit5;

impl Explicit for Tsit5 {
    const TABLEAU: Tableau = TABLEAU;
}

/// The method's coefficients.
const TABLEAU: Tableau = Tableau {
    name: "tsit5",
    summary: "Tsitouras 5(4): like ode45, with a smaller error per step",
    order: 5,
    error_order: 5,
    error_factor: 4.0,
    beta: 0.04,
    min_factor: 0.2,
    max_factor: 8.0,
    c: &[0.0, 0.161, 0.327, 0.9, 0.980_025_540_904_509_7, 1.0],
    a: &[
        &[],
        &[(0, 0.161)],
        &[(0, -0.008_480_655_492_356_989), (1, 0.335_480_655_492_357)],
        &[(0, 2.897_153_057_105_493_5), (1, -6.359_448_489_975_075), (2, 4.362_295_432_869_581_5)],
        &[
            (0, 5.325_864_828_439_257),
            (1, -11.748_883_564_062_828),
            (2, 7.495_539_342_889_836_5),
            (3, -0.092_495_066_361_755_25),
        ],
        &[
            (0, 5.861_455_442_946_42),
            (1, -12.920_969_317_847_11),
            (2, 8.159_367_898_576_159),
            (3, -0.071_584_973_281_401),
            (4, -0.028_269_050_394_068_383),
        ],
    ],
    b: &[
        (0, 0.096_460_766_818_065_23),
        (1, 0.01),
        (2, 0.479_889_650_414_499_6),
        (3, 1.379_008_574_103_742),
        (4, -3.290_069_515_436_081),
        (5, 2.324_710_524_099_774),
    ],
    error: &[
        (0, -0.001_780_011_052_225_777_14),
        (1, -0.000_816_434_459_656_746_9),
        (2, 0.007_880_878_010_261_995),
        (3, -0.144_711_007_173_262_9),
        (4, 0.582_357_165_452_555_2),
        (5, -0.458_082_105_929_186_97),
        (6, 1.0 / 66.0),
    ],
    error_3: None,
    dense_c: &[],
    dense_a: &[],
    dense_d: &[&[
        (0, -1.053_088_497_729_021_6),
        (1, 0.1017),
        (2, 2.490_627_285_651_252_793),
        (3, -16.548_102_889_244_902_72),
        (4, 47.379_521_962_819_281_22),
        (5, -34.870_657_861_496_609_74),
        (6, 2.5),
    ]],
};
