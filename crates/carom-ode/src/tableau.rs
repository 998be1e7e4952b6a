//! The coefficients of explicit Runge–Kutta methods.

/// A row of a tableau: (stage, coefficient), zeros left out.
pub type Row = &'static [(usize, f64)];

/// The coefficients of an explicit embedded Runge–Kutta method with a continuous extension.
///
/// The slope at the end of a step is one more stage after those of `a` (first same as last).
/// Continuous extension, θ from 0 to 1 (Hairer, Nørsett, Wanner, II.6):
/// y(θ) = y0 + θ(r1 + (1−θ)(r2 + θ(r3 + (1−θ)(r4 + θ(r5 + …))))), r1 = y1 − y0, r2 = h f0 − r1,
/// r3 = r1 − h f1 − r2, and r4 … = h Σ d_i k_i.
#[derive(Debug)]
pub struct Tableau {
    /// the name by which users select it
    pub name: &'static str,
    /// a description in one line
    pub summary: &'static str,
    /// order of the solution
    pub order: usize,
    /// the error estimate is proportional to h to this power
    pub error_order: usize,
    /// factor by which the error estimate is multiplied before it is compared with the tolerance: above 1, steps are
    /// shorter than the estimate asks for. Start with 1, and raise it until `tests/library.rs` finds the errors at the
    /// same tolerance no larger than those of the reference code of the family, whose error norm and constants differ
    pub error_factor: f64,
    /// exponent β of the step-size controller
    pub beta: f64,
    /// the least factor by which a step may shrink
    pub min_factor: f64,
    /// the largest factor by which a step may grow
    pub max_factor: f64,
    /// nodes
    pub c: &'static [f64],
    /// stages
    pub a: &'static [Row],
    /// weights of the solution
    pub b: Row,
    /// weights of the error estimate h Σ eᵢ kᵢ: the differences b − b̂, where b̂ are the weights of the embedded solution
    /// of lower order. Only the absolute value of the sum is used, so that b̂ − b serves as well. Unlike `b` it may
    /// have a weight of the slope at the end
    pub error: Row,
    /// weights of a second estimate, of lower order than the first and also up to its sign, which corrects the first
    /// (DOP853)
    pub error_3: Option<Row>,
    /// nodes of the extra stages of the continuous extension
    pub dense_c: &'static [f64],
    /// the extra stages
    pub dense_a: &'static [Row],
    /// weights of r4 …
    pub dense_d: &'static [Row],
}

/// The largest number of stages of a tableau, including the slope at the end.
pub const MOST_STAGES: usize = 13;

impl Tableau {
    /// Returns, for every stage, whether it enters neither the solution nor the estimates. The last stage, the slope at
    /// the end, is the first of the next step.
    pub(crate) const fn unseen(&self) -> [bool; MOST_STAGES] {
        let mut unseen = [false; MOST_STAGES];
        let mut stage = 1;
        while stage < self.a.len() {
            let tempers = matches!(self.error_3, Some(row) if has(row, stage));
            unseen[stage] = !(has(self.b, stage) || has(self.error, stage) || tempers);
            stage += 1;
        }
        unseen
    }
}

const fn has(row: Row, stage: usize) -> bool {
    let mut i = 0;
    while i < row.len() {
        if row[i].0 == stage {
            return true;
        }
        i += 1;
    }
    false
}
