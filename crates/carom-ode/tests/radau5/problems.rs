//! Stiff problems with known ends: Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.10. The ends were
//! computed with extrapolation in quadruple precision.

use carom_ode::{Jacobian, Ode, Options, RhsFailure, SolveError, Solver, Stats, methods};

/// Sets an entry of a Jacobian: row, column, value.
type Set<'a> = &'a mut dyn FnMut(usize, usize, f64);

/// A problem without events.
pub(crate) struct Problem {
    pub(crate) name: &'static str,
    rhs: fn(&[f64], &mut [f64]),
    jacobian: fn(&[f64], Set<'_>),
    y0: &'static [f64],
    t_end: f64,
    /// of the components: the absolute tolerance is the relative one times these
    scale: &'static [f64],
    end: &'static [f64],
}

pub(crate) static ALL: [Problem; 5] = [
    Problem {
        name: "rober40",
        rhs: robertson,
        jacobian: robertson_jacobian,
        y0: &[1.0, 0.0, 0.0],
        t_end: 40.0,
        scale: &[1e-8, 1e-14, 1.0],
        end: &[0.715827068719405090474473, 9.18553476455776390528e-06, 0.284163745745830351761622],
    },
    Problem {
        name: "rober1e11",
        rhs: robertson,
        jacobian: robertson_jacobian,
        y0: &[1.0, 0.0, 0.0],
        t_end: 1e11,
        scale: &[1e-8, 1e-14, 1.0],
        end: &[2.08334014970129423058317e-08, 8.33336077033478340069014e-14, 0.999999979166515169379354],
    },
    Problem {
        name: "vdpol",
        rhs: |y, dy| dy.copy_from_slice(&[y[1], 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0]]),
        jacobian: |y, set| {
            set(0, 1, 1.0);
            set(1, 0, -2000.0 * y[0] * y[1] - 1.0);
            set(1, 1, 1000.0 * (1.0 - y[0] * y[0]));
        },
        y0: &[2.0, 0.0],
        t_end: 2000.0,
        scale: &[1.0, 1.0],
        end: &[1.706167732170465008045, -0.000892809701024816547478939],
    },
    Problem {
        name: "hires",
        rhs: hires,
        jacobian: hires_jacobian,
        y0: &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057],
        t_end: 321.8122,
        scale: &[1e-4; 8],
        end: &[
            0.000737131257332566780727169,
            0.000144248572631618465818617,
            5.88872974096757500752943e-05,
            0.00117565134328314914550615,
            0.00238635619883133046882306,
            0.0062389682527427957867333,
            0.00284999839518576865781936,
            0.00285000160481423134218064,
        ],
    },
    Problem {
        name: "orego",
        rhs: |y, dy| {
            dy[0] = 77.27 * (y[1] + y[0] * (1.0 - 8.375e-6 * y[0] - y[1]));
            dy[1] = (y[2] - (1.0 + y[0]) * y[1]) / 77.27;
            dy[2] = 0.161 * (y[0] - y[2]);
        },
        jacobian: |y, set| {
            set(0, 0, 77.27 * (1.0 - 2.0 * 8.375e-6 * y[0] - y[1]));
            set(0, 1, 77.27 * (1.0 - y[0]));
            set(1, 0, -y[1] / 77.27);
            set(1, 1, -(1.0 + y[0]) / 77.27);
            set(1, 2, 1.0 / 77.27);
            set(2, 0, 0.161);
            set(2, 2, -0.161);
        },
        y0: &[1.0, 2.0, 3.0],
        t_end: 360.0,
        scale: &[1.0; 3],
        end: &[1.00081487031852271635096, 1228.17852154988798372093, 132.055494284650828788135],
    },
];

fn robertson(y: &[f64], dy: &mut [f64]) {
    let (a, b, c) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
    dy.copy_from_slice(&[-a + b, a - b - c, c]);
}

fn robertson_jacobian(y: &[f64], set: Set<'_>) {
    let column = [[-0.04, 0.04, 0.0], [1e4 * y[2], -1e4 * y[2] - 6e7 * y[1], 6e7 * y[1]]];
    for i in 0..3 {
        set(i, 0, column[0][i]);
        set(i, 1, column[1][i]);
    }
    set(0, 2, 1e4 * y[1]);
    set(1, 2, -1e4 * y[1]);
}

fn hires(y: &[f64], dy: &mut [f64]) {
    let r = 280.0 * y[5] * y[7];
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dy[1] = 1.71 * y[0] - 8.75 * y[1];
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dy[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
    dy[5] = -r + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dy[6] = r - 1.81 * y[6];
    dy[7] = -dy[6];
}

fn hires_jacobian(y: &[f64], set: Set<'_>) {
    let (a, b) = (280.0 * y[7], 280.0 * y[5]);
    let entries = [
        (0, 0, -1.71),
        (0, 1, 0.43),
        (0, 2, 8.32),
        (1, 0, 1.71),
        (1, 1, -8.75),
        (2, 2, -10.03),
        (2, 3, 0.43),
        (2, 4, 0.035),
        (3, 1, 8.32),
        (3, 2, 1.71),
        (3, 3, -1.12),
        (4, 4, -1.745),
        (4, 5, 0.43),
        (4, 6, 0.43),
        (5, 3, 0.69),
        (5, 4, 1.71),
        (5, 5, -a - 0.43),
        (5, 6, 0.69),
        (5, 7, -b),
        (6, 5, a),
        (6, 6, -1.81),
        (6, 7, b),
        (7, 5, -a),
        (7, 6, 1.81),
        (7, 7, -b),
    ];
    for (i, j, v) in entries {
        set(i, j, v);
    }
}

/// A problem, with its exact Jacobian or without.
struct Stiff {
    problem: &'static Problem,
    exact: bool,
    evaluations: usize,
}

impl Ode for Stiff {
    fn dim(&self) -> usize {
        self.problem.y0.len()
    }
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.evaluations += 1;
        (self.problem.rhs)(y, dy);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        if self.exact {
            (self.problem.jacobian)(y, &mut |row, column, v| j.set(row, column, v));
        }
        Ok(self.exact)
    }
}

/// What came of a run: the largest relative error at the end, and the counters.
pub(crate) fn run(problem: &'static Problem, rtol: f64, exact: bool) -> Result<(f64, Stats), SolveError> {
    let mut ode = Stiff { problem, exact, evaluations: 0 };
    let options = Options { rtol, atol: rtol, scale: problem.scale.to_vec(), ..Options::default() };
    let method = methods::find("radau5")?;
    let mut solver = Solver::new(method, &mut ode, 0.0, problem.y0, problem.t_end, options)?;
    while !solver.done() {
        solver.step(&mut ode)?;
    }
    assert_eq!(solver.stats().evaluations, ode.evaluations, "every evaluation counts");
    let relative = |(y, end): (&f64, &f64)| (y / end - 1.0).abs();
    let error = solver.y().iter().zip(problem.end).map(relative).fold(0.0, f64::max);
    Ok((error, solver.stats()))
}
