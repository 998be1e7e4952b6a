//! The stiff problems of the library, with the absolute tolerances the other code was run with.

use carom_ode::problems::{self, Problem};
use carom_ode::{Options, SolveError, Stats};

use super::solver;
use crate::common::Stiff;

/// Names, and scales: the absolute tolerance is the relative one times these.
pub(crate) static ALL: [(&str, &[f64]); 5] = [
    ("robertson", &[1e-8, 1e-14, 1.0]),
    ("robertson-long", &[1e-8, 1e-14, 1.0]),
    ("vdpol", &[1.0, 1.0]),
    ("hires", &[1e-4; 8]),
    ("orego", &[1.0; 3]),
];

/// What came of a run: the largest relative error at the end, and the counters.
pub(crate) fn run(name: &str, scale: &[f64], rtol: f64, exact: bool) -> Result<(f64, Stats), SolveError> {
    let p: &'static Problem = problems::find(name).unwrap();
    let mut ode = Stiff::new(p, exact, 1.0);
    let options = Options { rtol, atol: rtol, scale: scale.to_vec(), ..Options::default() };
    let mut solver = solver(&mut ode, p.t0, &p.start(), p.t_end, options);
    while !solver.done() {
        solver.step(&mut ode)?;
    }
    assert_eq!(solver.stats().evaluations, ode.evaluations, "every evaluation counts");
    let relative = |(y, end): (&f64, &f64)| (y / end - 1.0).abs();
    let error = solver.y().iter().zip(p.end).map(relative).fold(0.0, f64::max);
    Ok((error, solver.stats()))
}
