//! Averages of d^−ν over segments and triangles, d affine: what flat pieces are made of, and curved ones that reduce to them.
//!
//! | room | what | for |
//! |---|---|---|
//! | `simplex` | the averages asked for, by whichever of the following holds | all |
//! | `homogeneous` | symmetric polynomials of 1/d | ν > K |
//! | `beta` | an integral in one variable, by Gauss points | ν ≤ K, heights within a factor of 65 |
//! | `divided` | divided differences with logarithms | ν ≤ K, heights further apart |
//!
//! K = dimension + power of λ.

mod beta;
mod divided;
mod homogeneous;
pub(crate) mod rule;
pub(crate) mod simplex;
#[cfg(test)]
mod tests;
