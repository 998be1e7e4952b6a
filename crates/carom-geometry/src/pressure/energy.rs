//! What is stored, as the work of the forces on the way to where the solids no longer overlap.
//!
//! Forces are derivatives of the energy, so their work along any way is the difference of the energies at its ends. Near its end the force grows with a power of the way that is left, 1, 3/2 or 2 for
//! touching faces, lines and points: with t = T (1 − s²) that is smooth in s.

use super::gauss::Rule;
use crate::error::PairFailure;

/// How often an interval is halved.
const MOST_HALVINGS: usize = 14;

/// ∫ f dt from 0 to `end`, as accurate as that, relative.
pub(crate) fn work(
    f: &mut dyn FnMut(f64) -> Result<f64, PairFailure>,
    end: f64,
    accuracy: f64,
) -> Result<f64, PairFailure> {
    let mut by_s = |s: f64| Ok(2.0 * end * s * f(end * (1.0 - s * s))?);
    let rule = Rule::of(if accuracy > 1e-6 { 6 } else { 8 });
    let whole = gauss(&mut by_s, rule, 0.0, 1.0)?;
    let task = Halves { rule, accuracy, scale: whole.abs() };
    task.sum(&mut by_s, [0.0, 1.0], whole, MOST_HALVINGS)
}

fn gauss(
    f: &mut dyn FnMut(f64) -> Result<f64, PairFailure>,
    rule: &Rule,
    a: f64,
    b: f64,
) -> Result<f64, PairFailure> {
    let mut sum = 0.0;
    for (node, weight) in rule.nodes.iter().zip(&rule.weights) {
        sum += weight * f(a + (b - a) * node)?;
    }
    Ok(sum * (b - a))
}

/// How intervals are halved: by which rule, and until halves and whole agree to which share of the scale.
struct Halves {
    rule: &'static Rule,
    accuracy: f64,
    scale: f64,
}

impl Halves {
    /// The integral over an interval whose value by one rule is known: by that of its halves, and so on until they agree.
    fn sum(
        &self,
        f: &mut dyn FnMut(f64) -> Result<f64, PairFailure>,
        [a, b]: [f64; 2],
        whole: f64,
        left: usize,
    ) -> Result<f64, PairFailure> {
        let middle = 0.5 * (a + b);
        let (first, second) = (gauss(f, self.rule, a, middle)?, gauss(f, self.rule, middle, b)?);
        let scale = self.scale.max((first + second).abs());
        if left == 0 || (first + second - whole).abs() <= self.accuracy * scale {
            return Ok(first + second);
        }
        let sum = self.sum(f, [a, middle], first, left - 1)?;
        Ok(sum + self.sum(f, [middle, b], second, left - 1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_from_the_end_are_integrated() {
        for power in [1.0, 1.5, 2.0] {
            let mut f = |t: f64| Ok(if t < 0.75 { (0.75f64 - t).powf(power) } else { 0.0 });
            let exact = 0.75f64.powf(power + 1.0) / (power + 1.0);
            assert!((work(&mut f, 0.75, 1e-12).unwrap() / exact - 1.0).abs() < 1e-13);
            // where the end is not known it takes longer
            assert!((work(&mut f, 1.0, 1e-12).unwrap() / exact - 1.0).abs() < 1e-9);
        }
    }
}
