//! Averages of d^−ν over segments and triangles on which d is affine; flat pieces, and curved ones that reduce to them, are made
//! of these.
//!
//! | module | method | case |
//! |---|---|---|
//! | `simplex` | the averages, by whichever of the following methods applies | all |
//! | `homogeneous` | symmetric polynomials of 1/d | ν > K |
//! | `beta` | an integral in one variable, by Gauss points | ν ≤ K, heights within a factor of 65 |
//! | `divided` | divided differences with logarithms | ν ≤ K, heights further apart |
//!
//! K is the dimension plus the power of λ.

mod beta;
mod divided;
mod homogeneous;
pub(crate) mod rule;
pub(crate) mod simplex;
#[cfg(test)]
mod tests;
