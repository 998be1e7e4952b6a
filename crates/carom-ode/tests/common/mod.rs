//! What tests share.

use carom_ode::events::{Bounds, Found, Sample, first_crossing};
use carom_ode::problems::Problem;
use carom_ode::{
    Components, Derivatives, EventAction, Events, Interpolant, Jacobian, Landing, Ode, Options, RhsFailure,
    Solution, Solver, Split, Stats, Step, Steps, methods,
};

/// Standard gravity, near enough.
pub(crate) const G: f64 = 9.81;

/// Every method that chooses its steps.
pub(crate) fn adaptive() -> Vec<&'static str> {
    methods::ALL.iter().filter(|m| m.is_adaptive()).map(|m| m.name()).collect()
}

/// A height and its rate in free fall.
pub(crate) fn fall(_: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = y[1];
    dy[1] = -G;
}

/// x'' = −x.
pub(crate) fn oscillate(_: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = y[1];
    dy[1] = -y[0];
}

/// When events happened.
pub(crate) fn times(s: &Solution) -> Vec<f64> {
    s.events.iter().map(|e| e.t).collect()
}

/// The same relative and absolute tolerance.
pub(crate) fn tolerance(tol: f64) -> Options {
    Options { rtol: tol, atol: tol, ..Options::default() }
}

/// A method at work, from t = 0.
pub(crate) fn start(method: &str, ode: &mut dyn Ode, y0: &[f64], t_end: f64, o: Options) -> Solver {
    Solver::new(methods::find(method).unwrap(), ode, 0.0, y0, t_end, o).unwrap()
}

/// From t = 0 to the end: the state there, and what it cost.
pub(crate) fn solve(
    method: &str,
    ode: &mut dyn Ode,
    y0: &[f64],
    t_end: f64,
    o: Options,
) -> (Vec<f64>, Stats) {
    let mut solver = start(method, ode, y0, t_end, o);
    while !solver.done() {
        solver.step(ode).unwrap();
    }
    solver.finish(ode).unwrap();
    (solver.y().to_vec(), solver.stats())
}

/// A problem with nothing but rates.
pub(crate) struct Plain<F>(pub(crate) F);

impl<F: Fn(f64, &[f64], &mut [f64])> Ode for Plain<F> {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.0(t, y, dy);
        Ok(())
    }
}

/// x'' = −x as (x, v), with ∫ v² dt as a quadrature; marks at x = 0 where asked for; now and then only short steps.
#[derive(Default)]
pub(crate) struct Oscillator {
    /// the times of zeros of x, if they are events
    pub(crate) marks: Option<Vec<f64>>,
    /// only those where x falls
    falling: bool,
    /// whether steps may be cut at events
    pub(crate) cut: bool,
    /// every so many steps only a short one is allowed
    pub(crate) hurdles: usize,
    steps: usize,
}

impl Oscillator {
    /// With events.
    pub(crate) fn marked() -> Oscillator {
        Oscillator { marks: Some(Vec::new()), ..Oscillator::default() }
    }

    /// With events where x falls through 0.
    pub(crate) fn marked_falling() -> Oscillator {
        Oscillator { falling: true, ..Oscillator::marked() }
    }

    /// With hurdles.
    pub(crate) fn with_hurdles(hurdles: usize) -> Oscillator {
        Oscillator { hurdles, ..Oscillator::default() }
    }

    /// The state at t, from x = 1 at t = 0.
    pub(crate) fn exact(t: f64) -> [f64; 3] {
        [t.cos(), -t.sin(), 0.5 * t - 0.25 * (2.0 * t).sin()]
    }

    /// The largest error of the components there are.
    pub(crate) fn wrong(y: &[f64], t: f64) -> f64 {
        y.iter().zip(Self::exact(t)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}

impl Ode for Oscillator {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], -y[0], y[1] * y[1]]);
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
    fn events(&mut self) -> &mut dyn Events {
        self
    }
    fn steps(&mut self) -> &mut dyn Steps {
        self
    }
    fn split(&mut self) -> &mut dyn Split {
        self
    }
}

impl Components for Oscillator {
    fn dim(&self) -> Option<usize> {
        Some(3)
    }
    fn quadratures(&self) -> usize {
        1
    }
}

impl Events for Oscillator {
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        if self.falling {
            return Ok(step.y0[0] <= 1e-12 || step.y1[0] > 0.0);
        }
        // a step that starts on a mark leaves it
        Ok(self.marks.is_none() || (step.y0[0] > 0.0) == (step.y1[0] > 0.0) || step.y0[0].abs() < 1e-9)
    }
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let sign = step.y0[0].signum();
        let mut g = |t: f64| {
            let mut y = [0.0; 2];
            dense.at(t, 0..2, &mut y);
            Sample { t, g: sign * y[0], rate: sign * y[1] }
        };
        let (a, b) = (g(step.t0), g(step.t1));
        Ok(first_crossing(&mut g, a, b, &Bounds { rate: 2.0, curvature: 2.0 }, 1e-15))
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        Landing { dt: -step.y1[0] / step.y1[1] }
    }
    fn may_cut(&mut self, _: f64) -> bool {
        self.cut
    }
    fn on_event(&mut self, t: f64, _: &mut [f64]) -> EventAction {
        if let Some(marks) = &mut self.marks {
            marks.push(t);
        }
        EventAction::Continue
    }
}

impl Steps for Oscillator {
    fn max_step(&mut self, _: f64, _: &[f64], _: &[f64], _: f64) -> f64 {
        self.steps += 1;
        if self.hurdles > 0 && self.steps.is_multiple_of(self.hurdles) { 1e-5 } else { f64::INFINITY }
    }
}

impl Split for Oscillator {
    fn is_velocity(&self, i: usize) -> Option<bool> {
        Some(i == 1)
    }
    fn drift(&mut self, h: f64, y: &mut [f64]) {
        y[0] += h * y[1];
    }
}

/// A problem of the library without its pattern, as a user's would be.
pub(crate) struct Stiff {
    pub(crate) problem: &'static Problem,
    /// whether it gives its Jacobian
    pub(crate) exact: bool,
    /// time runs this many times as fast
    pub(crate) pace: f64,
    pub(crate) evaluations: usize,
}

impl Stiff {
    pub(crate) fn new(problem: &'static Problem, exact: bool, pace: f64) -> Stiff {
        Stiff { problem, exact, pace, evaluations: 0 }
    }
}

impl Ode for Stiff {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.evaluations += 1;
        (self.problem.rhs)(t, y, dy);
        dy.iter_mut().for_each(|d| *d *= self.pace);
        Ok(())
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl Derivatives for Stiff {
    fn jacobian(&mut self, t: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        let Some(jacobian) = self.problem.jacobian.filter(|_| self.exact) else { return Ok(false) };
        jacobian(t, y, &mut |row, column, value| j.set(row, column, self.pace * value));
        Ok(true)
    }
}

/// A ball that bounces without loss, five times: v → −v where x = 0.
#[derive(Default)]
pub(crate) struct Bouncer {
    /// when
    pub(crate) bounces: Vec<f64>,
}

impl Bouncer {
    /// Dropped from 1 m: every bounce is where it should be, to a part of its time. What it cost.
    pub(crate) fn check(method: &str, part: f64) -> Stats {
        let mut ode = Bouncer::default();
        let mut solver = start(method, &mut ode, &[1.0, 0.0], 100.0, tolerance(1e-10));
        while !solver.done() {
            solver.step(&mut ode).unwrap();
            solver.finish(&mut ode).unwrap();
        }
        let fall = (2.0 / G).sqrt();
        assert_eq!(ode.bounces.len(), 5, "{method}");
        for (i, t) in ode.bounces.iter().enumerate() {
            assert!((t - fall * (2 * i + 1) as f64).abs() < part * t, "{method}: bounce {i} at {t}");
        }
        assert_eq!(solver.t(), ode.bounces[4], "the event asked to stop");
        solver.stats()
    }
}

impl Ode for Bouncer {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        fall(t, y, dy);
        Ok(())
    }
    fn events(&mut self) -> &mut dyn Events {
        self
    }
}

impl Events for Bouncer {
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let bounds = Bounds { rate: step.max_rate(0), curvature: G };
        let at = |t, y: &[f64]| Sample { t, g: y[0].max(0.0), rate: y[1] };
        Ok(step.y1[0] >= 0.0 && bounds.keep_clear(&at(step.t0, step.y0), &at(step.t1, step.y1)))
    }
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let mut g = |t: f64| {
            let mut y = [0.0; 2];
            dense.at(t, 0..2, &mut y);
            Sample { t, g: y[0], rate: y[1] }
        };
        let bounds = Bounds { rate: step.max_rate(0), curvature: G };
        let (a, b) = (g(step.t0), g(step.t1));
        Ok(first_crossing(&mut g, a, b, &bounds, 1e-15))
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        Landing { dt: -step.y1[0] / step.y1[1] }
    }
    fn on_event(&mut self, t: f64, y: &mut [f64]) -> EventAction {
        self.bounces.push(t);
        (y[0], y[1]) = (0.0, -y[1]);
        if self.bounces.len() == 5 {
            return EventAction::Stop;
        }
        EventAction::Restart { time_scale: f64::INFINITY }
    }
}
