//! A Jacobian kept up to date: exact from the problem where it has one, else by differences, columns that share no
//! row in one evaluation (A. R. Curtis, M. J. D. Powell, J. K. Reid, J. Inst. Maths Applics 13 (1974) 117).

use super::{Jacobian, Sparsity};
use crate::counted::Counted;
use crate::methods::Tolerance;
use crate::ode::{Ode, RhsFailure};

/// The largest order for which all entries are kept, whatever the pattern.
pub(super) const DENSE: usize = 60;

/// The Jacobian of a problem.
pub(crate) struct Linearised {
    pub(crate) j: Jacobian,
    pattern: Sparsity,
    /// columns by colour: those of one colour are moved together
    colours: Vec<Vec<usize>>,
    y: Vec<f64>,
    f: Vec<f64>,
    step: Vec<f64>,
}

impl Linearised {
    /// Room for the Jacobian of a problem.
    pub(crate) fn new(ode: &dyn Ode) -> Linearised {
        let (n, m) = (ode.dim(), ode.dim() - ode.quadratures());
        let pattern = ode.sparsity().filter(|s| s.n() == m).unwrap_or_else(|| Sparsity::full(m));
        // what is small is dense; the pattern still saves evaluations
        let kept = if m > DENSE { pattern.clone() } else { Sparsity::full(m) };
        Linearised {
            j: Jacobian::new(kept),
            colours: colours(&pattern),
            pattern,
            y: vec![0.0; n],
            f: vec![0.0; n],
            step: vec![0.0; m],
        }
    }

    /// The Jacobian at (t, y), where the rates are f.
    pub(crate) fn evaluate(
        &mut self,
        ode: &mut Counted<'_>,
        t: f64,
        y: &[f64],
        f: &[f64],
        tol: &Tolerance<'_>,
    ) -> Result<(), RhsFailure> {
        ode.stats().jacobians += 1;
        self.j.clear();
        if ode.ode().jacobian(t, y, &mut self.j)? {
            return Ok(());
        }
        self.j.clear();
        let n = y.len();
        for c in 0..self.colours.len() {
            self.y[..n].copy_from_slice(y);
            for &i in &self.colours[c] {
                self.step[i] = difference(y[i], f[i], tol, i);
                self.y[i] += self.step[i];
                // what was really added, after rounding
                self.step[i] = self.y[i] - y[i];
            }
            ode.rhs(t, &self.y[..n], &mut self.f[..n])?;
            for &column in &self.colours[c] {
                for &i in self.pattern.rows(column) {
                    self.j.set(i, column, (self.f[i] - f[i]) / self.step[column]);
                }
            }
        }
        Ok(())
    }
}

/// How far to move y_i: the square root of rounding, of the value or of what counts as zero for it; along the motion,
/// so that a state stays where it is going (Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.8).
fn difference(y: f64, f: f64, tol: &Tolerance<'_>, i: usize) -> f64 {
    let floor = tol.scale[i] / tol.rtol.max(1e-6);
    let d = (f64::EPSILON * y.abs().max(floor)).sqrt() * y.abs().max(floor).sqrt();
    let d = if d > 0.0 { d } else { f64::EPSILON.sqrt() };
    if f < 0.0 { -d } else { d }
}

/// Columns in groups whose rows do not meet, greedily.
fn colours(s: &Sparsity) -> Vec<Vec<usize>> {
    let n = s.n();
    // for each row, the columns in it
    let mut columns = vec![Vec::new(); n];
    for j in 0..n {
        for &i in s.rows(j) {
            columns[i].push(j);
        }
    }
    let mut colour = vec![usize::MAX; n];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut taken_by = Vec::new();
    for j in 0..n {
        for &i in s.rows(j) {
            for &other in &columns[i] {
                if colour[other] != usize::MAX {
                    taken_by[colour[other]] = j;
                }
            }
        }
        let free = (0..groups.len()).find(|&c| taken_by[c] != j);
        let c = free.unwrap_or_else(|| {
            groups.push(Vec::new());
            taken_by.push(usize::MAX);
            groups.len() - 1
        });
        colour[j] = c;
        groups[c].push(j);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_needs_as_many_colours_as_it_is_wide() {
        assert_eq!(colours(&Sparsity::banded(100, 1, 1)).len(), 3);
        assert_eq!(colours(&Sparsity::banded(100, 2, 3)).len(), 6);
        assert_eq!(colours(&Sparsity::full(7)).len(), 7);
    }
}
