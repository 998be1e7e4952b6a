//! The definition of an event: its function, its direction, and its action.

/// A function of time and state.
pub(super) type Function<'a> = Box<dyn FnMut(f64, &[f64]) -> f64 + 'a>;
/// The change that an event makes to the state.
pub(super) type Action<'a> = Box<dyn FnMut(f64, &mut [f64]) + 'a>;

/// The direction in which an event function passes through zero, **along the integration**: when integrating backward,
/// a function that increases with t is falling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// from below
    Rising,
    /// from above
    Falling,
    /// in either direction
    Any,
}

impl Direction {
    /// Returns whether a zero reached from this side counts.
    pub(super) fn counts_from(self, side: Side) -> bool {
        match self {
            Direction::Any => true,
            Direction::Falling => side == Side::Above,
            Direction::Rising => side == Side::Below,
        }
    }
}

/// An event: it happens when a function g(t, y) reaches zero.
///
/// **What counts.** g reaches zero from above (*falling*) or from below (*rising*). A zero that g only touches counts
/// if the computed g does reach it; leaving it again is not another event. A g that jumps over zero counts as one that
/// passes through it.
///
/// **At the start** and right after an event, a g that is zero does not count: it must first move to one side and come
/// back. [`pending`](Self::pending) makes a zero at the very start count. An [`action`](Self::action) may change the
/// state; if that changes the sign of g, g has not reached zero.
///
/// **What can be missed.** g is evaluated, on the method's dense output, at both ends of every step, at 1e-3 of the
/// step from each end, and at the eighths of the step. Where |g| has a minimum among these points, its least value is
/// searched for. So two zeros between neighbouring points are found if |g|, at these points, goes down and up again
/// around them. They are missed if they fall between two points on a slope: a spike narrower than an eighth of a step.
/// A g that oscillates faster than the solution, as a function of t alone may, is sampled too coarsely: pairs of its
/// zeros are missed, as many as there are between two points. Steps are long where the solution is smooth;
/// [`Ivp::max_step`](super::Ivp::max_step) keeps them shorter than the time in which g can reach zero and come back.
/// With [`bounded`](Self::bounded) nothing is missed.
///
/// **Accuracy.** The step is repeated so that it ends on the zero: g is zero there to rounding (of y, and of t where g
/// jumps), and the solution does not depend on an interpolant across the event.
///
/// ```
/// use carom_ode::{Event, Ivp, Reason};
/// // thrown up at 5 m/s: the highest point, then the ground
/// let thrown = Ivp::new(|_, y, dy| { dy[0] = y[1]; dy[1] = -9.81; }, 0.0, [0.0, 5.0])
///     .event(Event::new(|_, y| y[1]).falling())
///     .event(Event::new(|_, y| y[0]).falling().terminal())
///     .solve_to(10.0)?;
/// assert_eq!(thrown.reason, Reason::Event(1));
/// assert!((thrown.events[0].t - 5.0 / 9.81).abs() < 1e-13);
/// assert!((thrown.t_end() - 10.0 / 9.81).abs() < 1e-13);
/// # Ok::<(), carom_ode::Unfinished>(())
/// ```
pub struct Event<'a> {
    pub(super) g: Function<'a>,
    pub(super) direction: Direction,
    pub(super) terminal: Option<usize>,
    pub(super) pending: bool,
    pub(super) restart: bool,
    pub(super) action: Option<Action<'a>>,
    pub(super) bounds: Option<(f64, f64)>,
}

impl<'a> Event<'a> {
    /// Creates an event where g(t, y) is zero: in either direction, and the integration continues after it.
    pub fn new(g: impl FnMut(f64, &[f64]) -> f64 + 'a) -> Event<'a> {
        Event {
            g: Box::new(g),
            direction: Direction::Any,
            terminal: None,
            pending: false,
            restart: false,
            action: None,
            bounds: None,
        }
    }

    /// Counts only zeros that g reaches from above, along the integration.
    pub fn falling(self) -> Event<'a> {
        self.direction(Direction::Falling)
    }

    /// Counts only zeros that g reaches from below, along the integration.
    pub fn rising(self) -> Event<'a> {
        self.direction(Direction::Rising)
    }

    /// Sets the direction that counts.
    pub fn direction(mut self, direction: Direction) -> Event<'a> {
        self.direction = direction;
        self
    }

    /// Ends the integration at this event.
    pub fn terminal(self) -> Event<'a> {
        self.terminal_after(1)
    }

    /// Ends the integration when the event has happened `count` times.
    pub fn terminal_after(mut self, count: usize) -> Event<'a> {
        self.terminal = Some(count.max(1));
        self
    }

    /// Makes a zero at the very start count: if g is exactly zero there, the event happens at the start, unless g is
    /// about to move in the direction that does not count.
    pub fn pending(mut self) -> Event<'a> {
        self.pending = true;
        self
    }

    /// Sets the change of the state at the event. The integration starts anew from the changed state. (Rates that
    /// change with an event may read a `Cell` that the action sets.)
    ///
    /// If an action leaves g and its rate both at zero, the rates alone determine what follows: a ball that lands
    /// without bouncing needs equations for resting, or it falls on.
    pub fn action(mut self, action: impl FnMut(f64, &mut [f64]) + 'a) -> Event<'a> {
        self.action = Some(Box::new(action));
        self
    }

    /// Declares that the rates jump at the event although the state does not (a switch). The integration starts anew,
    /// so that no step and no stored past step extends across the event. An event with an action always restarts.
    ///
    /// A step that finds the event has gone past it before it is repeated. Rates that depend on a variable set by the
    /// action (a `Cell`), not on the sign of g itself, stay smooth there and cause no refused steps.
    pub fn restart(mut self) -> Event<'a> {
        self.restart = true;
        self
    }

    /// Gives bounds that hold along every solution: |dg/dt| ≤ `rate` [g per time] and |d²g/dt²| ≤ `curvature` [g per
    /// time²], infinite where unknown. The search is then certified: no zero of g on the dense output is missed,
    /// however long the steps, except for two within a millionth of a step where the bound on the curvature is used.
    /// Steps far from a zero need no search.
    ///
    /// If a bound does not hold, the search is no longer certain. If it is far too wide, the search is expensive: the
    /// number of evaluations of g is about `rate` times the time divided by |g|.
    ///
    /// ```
    /// use carom_ode::{Event, Ivp};
    /// // a spike 2e-4 wide, between two points of any ordinary search
    /// let spike = |t: f64, _: &[f64]| (t - 0.3333).abs() - 1e-4;
    /// let solution = Ivp::new(|_, _, dy| dy[0] = 1.0, 0.0, [0.0])
    ///     .event(Event::new(spike).bounded(1.0, f64::INFINITY))
    ///     .solve_to(1.0)?;
    /// assert_eq!(solution.events.len(), 2);
    /// # Ok::<(), carom_ode::Unfinished>(())
    /// ```
    pub fn bounded(mut self, rate: f64, curvature: f64) -> Event<'a> {
        self.bounds = Some((rate, curvature));
        self
    }
}

/// An event that has happened, as recorded in a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// the time of the event
    pub t: f64,
    /// index of the event, in the order in which the events were given
    pub event: usize,
    /// whether g came from below
    pub rising: bool,
    /// the state at that time, before any action
    pub y: Vec<f64>,
    /// the state after all actions of that time
    pub y_after: Vec<f64>,
}

carom_portable::plain!(Occurrence { t, event, rising, y, y_after });

/// A side of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

impl Side {
    /// Returns the side of a value; `None` for zero and for NaN.
    pub(super) fn of(g: f64) -> Option<Side> {
        if g > 0.0 {
            Some(Side::Above)
        } else if g < 0.0 {
            Some(Side::Below)
        } else {
            None
        }
    }

    pub(super) fn other(self) -> Side {
        match self {
            Side::Above => Side::Below,
            Side::Below => Side::Above,
        }
    }

    pub(super) fn sign(self) -> f64 {
        match self {
            Side::Above => 1.0,
            Side::Below => -1.0,
        }
    }

    /// Returns whether a value is on this side; zero is not.
    pub(super) fn holds(self, g: f64) -> bool {
        Side::of(g) == Some(self)
    }
}
