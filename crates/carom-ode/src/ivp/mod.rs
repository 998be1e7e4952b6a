//! The simplest interface: an initial-value problem in a few lines, and a whole solution in return.
//!
//! [`Ivp`] takes rates as a closure (or any [`Ode`]), events and tolerances, and returns a [`Solution`]: outputs,
//! events, and the state at any time in between. To control every step yourself, use [`Solver`](crate::Solver).
//!
//! A ball that bounces, losing a tenth of its speed each time:
//!
//! ```
//! use carom_ode::{Event, Ivp, Reason};
//!
//! let fall = |_t: f64, y: &[f64], dy: &mut [f64]| {
//!     dy[0] = y[1];
//!     dy[1] = -9.81;
//! };
//! let solution = Ivp::new(fall, 0.0, [1.0, 0.0])
//!     .event(Event::new(|_, y| y[0]).falling().action(|_, y| y[1] = -0.9 * y[1]).terminal_after(10))
//!     .rtol(1e-9)
//!     .solve_to(60.0)?;
//!
//! assert_eq!(solution.reason, Reason::Event(0));
//! let first = (2.0f64 / 9.81).sqrt();
//! assert!((solution.events[0].t - first).abs() < 1e-14);
//! assert!((solution.events[1].t - (first + 2.0 * 0.9 * first)).abs() < 1e-13);
//! assert!((solution.at(0.3)?[0] - (1.0 - 0.5 * 9.81 * 0.09)).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certified;
mod dense;
mod error;
mod event;
mod happen;
mod run;
mod search;
mod solution;
mod system;
mod monitor;

use std::ops::ControlFlow;

pub use error::{IvpError, Unfinished};
pub use event::{Direction, Event, Occurrence};
pub use solution::{Reason, Solution};

use crate::failure::RhsFailure;
use crate::linear::{Jacobian, Sparsity};
use crate::method::Method;
use crate::methods;
use crate::ode::Ode;
use crate::options::Options;
use system::{Problem, Stretch};

/// The method used if none is chosen.
pub const DEFAULT_METHOD: &str = methods::DEFAULT;

/// The times at which there is output.
#[derive(Clone, Debug, PartialEq)]
enum Output {
    /// this many outputs per step
    Refine(usize),
    At(Vec<f64>),
}

enum Choice {
    Name(String),
    Given(&'static dyn Method),
}

type EachOutput<'a> = Box<dyn FnMut(f64, &[f64]) -> ControlFlow<()> + 'a>;

/// An initial-value problem y' = f(t, y), y(t0) = y0, with the settings for its solution.
///
/// The unit of time is that of the rates; all times given here are in this unit.
///
/// | | default |
/// |---|---|
/// | [`method`](Self::method) | [`DEFAULT_METHOD`] |
/// | [`rtol`](Self::rtol), [`atol`](Self::atol) | 1e-8 |
/// | output | at every step |
/// | [`dense`](Self::dense) | stored |
/// | [`max_steps`](Self::max_steps) | 1e7, or fewer if the stored data would exceed 4 GB |
/// | [`max_events`](Self::max_events) | 1e6 |
pub struct Ivp<'a> {
    problem: Problem<'a>,
    events: Vec<Event<'a>>,
    t0: f64,
    y0: Vec<f64>,
    method: Choice,
    options: Options,
    atol_each: Option<Vec<f64>>,
    output: Output,
    dense: bool,
    max_steps: Option<usize>,
    max_events: usize,
    each_output: Option<EachOutput<'a>>,
}

impl<'a> Ivp<'a> {
    /// Creates a problem with rates given by a closure (t, y, dy), which must write all of dy; y(t0) = y0.
    pub fn new(
        mut rates: impl FnMut(f64, &[f64], &mut [f64]) + 'a,
        t0: f64,
        y0: impl Into<Vec<f64>>,
    ) -> Ivp<'a> {
        let rates = move |t: f64, y: &[f64], dy: &mut [f64]| {
            rates(t, y, dy);
            Ok(())
        };
        Ivp::fallible(rates, t0, y0)
    }

    /// Creates a problem with rates given by a closure that may fail. A step in which it fails is tried again with a
    /// shorter length, because the failure may lie beyond the states that the solution reaches.
    ///
    /// ```
    /// use carom_ode::{Ivp, RhsFailure, Site};
    /// let root = |_t: f64, y: &[f64], dy: &mut [f64]| {
    ///     if y[0] < 0.0 {
    ///         return Err(RhsFailure { site: Site::Whole, reason: "the tank is empty" });
    ///     }
    ///     dy[0] = -y[0].sqrt();
    ///     Ok(())
    /// };
    /// let unfinished = Ivp::fallible(root, 0.0, [1.0]).solve_to(3.0).unwrap_err();
    /// assert!(unfinished.to_string().ends_with("the tank is empty"));
    /// assert!((unfinished.so_far.t_end() - 2.0).abs() < 1e-3);
    /// ```
    pub fn fallible(
        rates: impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), RhsFailure> + 'a,
        t0: f64,
        y0: impl Into<Vec<f64>>,
    ) -> Ivp<'a> {
        Ivp::of(rates, t0, y0)
    }

    /// The number of components.
    fn dim(&self) -> usize {
        self.problem.ode.components().dim().unwrap_or(self.y0.len())
    }

    /// Creates a problem from any [`Ode`]. Its own events, if it has some, work beside those given here. They may
    /// change the sparsity of the Jacobian, but not the number of components: that ends in [`IvpError::Resized`].
    pub fn of(ode: impl Ode + 'a, t0: f64, y0: impl Into<Vec<f64>>) -> Ivp<'a> {
        Ivp {
            problem: Problem {
                ode: Box::new(ode),
                quadratures: None,
                jacobian: None,
                sparsity: None,
                kinks: Vec::new(),
                stretch: Stretch::ALL,
            },
            events: Vec::new(),
            t0,
            y0: y0.into(),
            method: Choice::Name(DEFAULT_METHOD.to_owned()),
            options: Options::default(),
            atol_each: None,
            output: Output::Refine(1),
            dense: true,
            max_steps: None,
            max_events: 1_000_000,
            each_output: None,
        }
    }

    /// Chooses the method by name: one of [`methods::ALL`].
    pub fn method(mut self, name: &str) -> Ivp<'a> {
        self.method = Choice::Name(name.to_owned());
        self
    }

    /// Chooses a user-defined method.
    pub fn with(mut self, method: &'static dyn Method) -> Ivp<'a> {
        self.method = Choice::Given(method);
        self
    }

    /// Sets the relative tolerance of a step. The error allowed in component i is atol_i + rtol |y_i|. The component
    /// with the largest ratio of error to allowed error decides, not a mean.
    pub fn rtol(mut self, rtol: f64) -> Ivp<'a> {
        self.options.rtol = rtol;
        self
    }

    /// Sets the absolute tolerance of a step, in the units of y: the same value for all components.
    pub fn atol(mut self, atol: f64) -> Ivp<'a> {
        self.options.atol = atol;
        self.atol_each = None;
        self
    }

    /// Sets the absolute tolerance of each component (quadratures may be left out); all values must be greater than 0.
    pub fn atol_each(mut self, atol: &[f64]) -> Ivp<'a> {
        self.atol_each = Some(atol.to_vec());
        self
    }

    /// Sets the first step [time]; without it, the first step is estimated. For a fixed-step method it is the length of
    /// all steps.
    pub fn first_step(mut self, h: f64) -> Ivp<'a> {
        self.options.first_step = Some(h);
        self
    }

    /// Sets the longest step allowed [time].
    pub fn max_step(mut self, h: f64) -> Ivp<'a> {
        self.options.max_step = h;
        self
    }

    /// Sets the largest number of steps; a run that needs more fails. The default is 10 million, or as many as can be
    /// stored in 4 GB. A long run can store less with [`dense`](Self::dense) and [`output_at`](Self::output_at).
    pub fn max_steps(mut self, steps: usize) -> Ivp<'a> {
        self.max_steps = Some(steps);
        self
    }

    /// Sets the number of events at which the run fails: events may accumulate without end, as the bounces of a ball
    /// do.
    pub fn max_events(mut self, events: usize) -> Ivp<'a> {
        self.max_events = events.max(1);
        self
    }

    /// Gives times at which the rates are known to have a kink or a jump, such as the points of a table or a switch at
    /// a given time. A step ends at each, and the method starts anew, so that it keeps its order. They may be in any
    /// order; times outside the integration are ignored.
    ///
    /// ```
    /// use carom_ode::Ivp;
    /// // a valve opens at t = 1
    /// let tank = |t: f64, y: &[f64], dy: &mut [f64]| dy[0] = if t < 1.0 { 0.0 } else { -y[0] };
    /// let s = Ivp::new(tank, 0.0, [1.0]).kinks([1.0]).rtol(1e-10).atol(1e-10).solve_to(2.0)?;
    /// assert!((s.y_end()[0] - (-1f64).exp()).abs() < 1e-10);
    /// assert!(s.t.contains(&1.0));
    /// # Ok::<(), carom_ode::Unfinished>(())
    /// ```
    pub fn kinks(mut self, times: impl Into<Vec<f64>>) -> Ivp<'a> {
        self.problem.kinks = times.into();
        self
    }

    /// Adds an event. Events have the numbers 0, 1 … in the order in which they are given.
    pub fn event(mut self, event: Event<'a>) -> Ivp<'a> {
        self.events.push(event);
        self
    }

    /// Sets the output times: output at these times and no others, in the order of integration, between start and end.
    /// The steps do not depend on them. Where an event changes the state at such a time, the output is the state before
    /// it. After a terminal event there is no more output, and none at the event unless its time was requested; the
    /// final state is in [`Solution::t_end`], [`Solution::y_end`] and the last of [`Solution::events`].
    pub fn output_at(mut self, times: impl Into<Vec<f64>>) -> Ivp<'a> {
        self.output = Output::At(times.into());
        self
    }

    /// Sets output at the end of every step, and at `k` − 1 times evenly spaced within it.
    pub fn refine(mut self, k: usize) -> Ivp<'a> {
        self.output = Output::Refine(k.max(1));
        self
    }

    /// Sets whether the trajectory within steps is stored, for [`Solution::at`]. For every step this takes as many
    /// numbers as the state has, times the degree of the method's polynomial plus one. Some methods also need a few
    /// more evaluations per step; `radau5`, and `auto` on stiff problems, take shorter steps, so that the trajectory
    /// between the ends of steps satisfies the tolerance too.
    pub fn dense(mut self, keep: bool) -> Ivp<'a> {
        self.dense = keep;
        self
    }

    /// Sets a function that is called with every output as soon as it is computed. `Break` ends the integration there.
    ///
    /// ```
    /// use carom_ode::{Ivp, Reason};
    /// use std::ops::ControlFlow;
    /// let mut seen = 0;
    /// let s = Ivp::new(|_, _, dy| dy[0] = 1.0, 0.0, [0.0])
    ///     .output_at([1.0, 2.0, 3.0])
    ///     .each_output(|_, y| {
    ///         seen += 1;
    ///         if y[0] > 1.5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    ///     })
    ///     .solve_to(3.0)?;
    /// assert_eq!((s.reason, s.t.len()), (Reason::Stopped, 2));
    /// drop(s);
    /// assert_eq!(seen, 2);
    /// # Ok::<(), carom_ode::Unfinished>(())
    /// ```
    pub fn each_output(mut self, f: impl FnMut(f64, &[f64]) -> ControlFlow<()> + 'a) -> Ivp<'a> {
        self.each_output = Some(Box::new(f));
        self
    }

    /// Gives the exact Jacobian ∂f/∂y for implicit methods: a closure that sets the non-zero entries.
    pub fn jacobian(mut self, jacobian: impl FnMut(f64, &[f64], &mut Jacobian) + 'a) -> Ivp<'a> {
        self.problem.jacobian = Some(Box::new(jacobian));
        self
    }

    /// Gives the positions at which the Jacobian may be non-zero, quadratures left out.
    pub fn sparsity(mut self, sparsity: Sparsity) -> Ivp<'a> {
        self.problem.sparsity = Some(sparsity);
        self
    }

    /// Declares that the last `k` components are integrals: no rate depends on them, and they are left out of the error
    /// control (and of the Jacobian). `k` must be less than the number of components, because the others determine the
    /// steps.
    ///
    /// Steps are as long as the other components allow, so an integral is accurate if its rate is smooth *on their
    /// scale*: about as accurate as the others where its rate follows them (an energy), and arbitrarily inaccurate
    /// where its rate varies independently. A pulse shorter than a step is missed, and an integrand that oscillates
    /// faster than the state is sampled at random. Remedies: leave it under error control (do not count it as a
    /// quadrature), or use [`max_step`](Self::max_step).
    ///
    /// ```
    /// use carom_ode::Ivp;
    /// // ∫ cos²(40 t) dt beside a slow decay, from 0 to 10
    /// let rates = |t: f64, y: &[f64], dy: &mut [f64]| { dy[0] = -0.1 * y[0]; dy[1] = (40.0 * t).cos().powi(2); };
    /// let exact = 5.0 + 800f64.sin() / 160.0;
    /// let outside = Ivp::new(rates, 0.0, [1.0, 0.0]).quadratures(1).solve_to(10.0)?;
    /// assert!((outside.y_end()[1] - exact).abs() > 1e-3, "nobody looks at it");
    /// let inside = Ivp::new(rates, 0.0, [1.0, 0.0]).solve_to(10.0)?;
    /// assert!((inside.y_end()[1] - exact).abs() < 1e-6);
    /// # Ok::<(), carom_ode::Unfinished>(())
    /// ```
    pub fn quadratures(mut self, k: usize) -> Ivp<'a> {
        self.problem.quadratures = Some(k);
        self
    }

    /// Solves from the start to `t_end`, forward or backward.
    pub fn solve_to(&mut self, t_end: f64) -> Result<Solution, Unfinished> {
        let y0 = self.y0.clone();
        let solution = Solution::new(self.t0, &y0, self.method_name());
        run::run(self, solution, y0, t_end)
    }

    /// Continues a solution from its end to `t_end`. An event that ended it has happened and does not count again; the
    /// counts of terminal events start anew.
    ///
    /// ```
    /// use carom_ode::{Event, Ivp};
    /// let mut circle = Ivp::new(|_, y, dy| { dy[0] = y[1]; dy[1] = -y[0]; }, 0.0, [0.0, 1.0])
    ///     .event(Event::new(|_, y| y[0]).terminal());
    /// let half = circle.solve_to(100.0)?;
    /// let whole = circle.extend(half, 100.0)?;
    /// assert!((whole.t_end() - std::f64::consts::TAU).abs() < 1e-7);
    /// assert!((whole.at(1.0)?[0] - 1f64.sin()).abs() < 1e-7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend(&mut self, solution: Solution, t_end: f64) -> Result<Solution, Unfinished> {
        let y = solution.y_end().to_vec();
        run::run(self, solution, y, t_end)
    }

    /// Continues a solution as [`extend`](Self::extend) does, from another state at the same time.
    pub fn extend_with(
        &mut self,
        solution: Solution,
        y: impl Into<Vec<f64>>,
        t_end: f64,
    ) -> Result<Solution, Unfinished> {
        run::run(self, solution, y.into(), t_end)
    }

    fn method_name(&self) -> &str {
        match &self.method {
            Choice::Name(name) => name,
            Choice::Given(method) => method.name(),
        }
    }

    fn find_method(&self) -> Result<&'static dyn Method, IvpError> {
        match &self.method {
            Choice::Name(name) => Ok(methods::find(name)?),
            Choice::Given(method) => Ok(*method),
        }
    }
}
