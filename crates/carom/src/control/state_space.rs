//! A discrete state-space block.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity, SpecError};

use super::ControlLaw;

/// A discrete state-space block: y = C x + D u, then x ← A x + B u, at every sample.
///
/// ```
/// use carom::{ControlLaw, StateSpace};
/// let sum = StateSpace::new(vec![vec![1.0]], vec![vec![0.5]], vec![vec![1.0]], vec![vec![0.0]])?;
/// let (mut x, mut y) = (sum.memory(), [0.0]);
/// for _ in 0..3 {
///     sum.sample(0.1, &[2.0], &mut x, &mut y);
/// }
/// assert_eq!(y[0], 2.0); // two samples of 0.5 · 2 so far
/// # Ok::<(), (&str, String)>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    c: Vec<Vec<f64>>,
    d: Vec<Vec<f64>>,
}

const A: Param = matrix("a", "[]", "matrix A: a row for every number of the memory");
const B: Param = matrix("b", "[]", "matrix B: likewise, a number for every input");
const C: Param = matrix("c", "a row without numbers for every output", "matrix C: a row for every output");
const D: Param = Param::required(
    "d",
    Quantity::Any,
    Allowed::Matrix,
    "matrix D: a row for every output, a number for every input",
);

const fn matrix(name: &'static str, absent: &'static str, doc: &'static str) -> Param {
    Param::optional(name, Quantity::Any, Allowed::Matrix, absent, doc)
}

impl StateSpace {
    pub(super) const ENTRY: Entry<Arc<dyn ControlLaw>> = Entry {
        name: "state-space",
        summary: "y = C x + D u, then x = A x + B u, at every sample",
        params: &[A, B, C, D],
        build: |args| {
            let given = |p: &Param| args.rows(p.name).map(<[_]>::to_vec);
            let d = given(&D).unwrap_or_default();
            let c = given(&C).unwrap_or_else(|| vec![Vec::new(); d.len()]);
            let [a, b] = [&A, &B].map(|p| given(p).unwrap_or_default());
            let sizes = [("a", &a), ("b", &b), ("c", &c), ("d", &d)].map(|(name, m)| (name, size(m)));
            let block = StateSpace::new(a, b, c, d).map_err(|(name, allowed)| {
                let value = sizes.iter().find(|s| s.0 == name).map_or_else(String::new, |s| s.1.clone());
                SpecError::NotAllowed { kind: "state-space", name, value, allowed }
            })?;
            Ok(Arc::new(block))
        },
    };

    /// Creates a block from the rows of its matrices; otherwise returns which matrix does not fit, and what would.
    pub fn new(
        a: Vec<Vec<f64>>,
        b: Vec<Vec<f64>>,
        c: Vec<Vec<f64>>,
        d: Vec<Vec<f64>>,
    ) -> Result<StateSpace, (&'static str, String)> {
        let (n, inputs, outputs) = (a.len(), d.first().map_or(0, Vec::len), d.len());
        let sizes =
            [("a", &a, n, n), ("b", &b, n, inputs), ("c", &c, outputs, n), ("d", &d, outputs, inputs)];
        for (name, matrix, rows, columns) in sizes {
            if matrix.len() != rows || matrix.iter().any(|row| row.len() != columns) {
                return Err((name, format!("{}, as `a` and `d` say", counted(rows, columns))));
            }
            if !matrix.iter().flatten().all(|x| x.is_finite()) {
                return Err((name, "finite numbers".to_owned()));
            }
        }
        if outputs == 0 || inputs == 0 {
            return Err(("d", "a row for every output and a number for every input".to_owned()));
        }
        Ok(StateSpace { a, b, c, d })
    }
}

/// Returns the size of a matrix in words.
fn size(matrix: &[Vec<f64>]) -> String {
    let columns = matrix.first().map_or(0, Vec::len);
    match matrix.iter().all(|row| row.len() == columns) {
        true => counted(matrix.len(), columns),
        false => "rows of different lengths".to_owned(),
    }
}

fn counted(rows: usize, columns: usize) -> String {
    let many = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    format!("{} of {}", many(rows, "row"), many(columns, "number"))
}

fn dot(row: &[f64], x: &[f64]) -> f64 {
    row.iter().zip(x).map(|(a, x)| a * x).sum()
}

impl ControlLaw for StateSpace {
    fn inputs(&self) -> usize {
        self.d.first().map_or(0, Vec::len)
    }

    fn outputs(&self) -> usize {
        self.d.len()
    }

    fn memory(&self) -> Vec<f64> {
        vec![0.0; self.a.len()]
    }

    fn sample(&self, _: f64, u: &[f64], x: &mut [f64], y: &mut [f64]) {
        for (y, (c, d)) in y.iter_mut().zip(self.c.iter().zip(&self.d)) {
            *y = dot(c, x) + dot(d, u);
        }
        let next: Vec<f64> = self.a.iter().zip(&self.b).map(|(a, b)| dot(a, x) + dot(b, u)).collect();
        x.copy_from_slice(&next);
    }
}
