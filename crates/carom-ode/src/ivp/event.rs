//! What to watch for, and what to do about it.

/// A function of time and state.
pub(super) type Function<'a> = Box<dyn FnMut(f64, &[f64]) -> f64 + 'a>;
/// What an event does to the state.
pub(super) type Action<'a> = Box<dyn FnMut(f64, &mut [f64]) + 'a>;

/// The way in which an event function goes through zero, **along the integration**: integrating backward, a
/// function that grows with t is falling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// from below
    Rising,
    /// from above
    Falling,
    /// either way
    Any,
}

impl Direction {
    /// Whether going from this side to the other counts.
    pub(super) fn counts_from(self, side: Side) -> bool {
        match self {
            Direction::Any => true,
            Direction::Falling => side == Side::Above,
            Direction::Rising => side == Side::Below,
        }
    }
}

/// Something that happens when a function g(t, y) reaches zero.
///
/// **What counts.** g reaches zero from above (*falling*) or from below (*rising*). A zero that is only touched
/// counts if the computed g does reach it; leaving it again is not another event. A g that jumps over zero
/// counts as one that goes through.
///
/// **At the start** and right after an event, a g that is zero is *left*: it counts again only once it has been
/// on one side and comes back. [`pending`](Self::pending) makes a zero at the very start count. The state may
/// be changed by an [`action`](Self::action); a g that changes its sign with it has not reached zero.
///
/// **What can be missed.** g is looked at, on the method's dense output, at both ends of every step and at the eighths
/// of it, and where |g| dips between these, its least value is searched for. So two zeros between neighbouring
/// points are found if |g|, at these points, goes down and up again around them. They are missed if they fall
/// between two points on a slope: a spike narrower than an eighth of a step. And a g that oscillates faster than the
/// solution, a function of t for the most part, is sampled too coarsely: pairs of its zeros are missed, as
/// many as there are between two points. Steps are long where the solution is smooth; [`Ivp::max_step`](super::Ivp::max_step) keeps them below the time in which g can come and
/// go. With [`bounded`](Self::bounded) nothing is missed.
///
/// **Where.** The step is repeated so as to end on the zero: g is zero there to rounding (of y, and of t where
/// g jumps), and the solution does not depend on an interpolant across it.
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
    /// An event where g(t, y) is zero: in either direction, and the integration goes on.
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

    /// Only when g comes from above, along the integration.
    pub fn falling(self) -> Event<'a> {
        self.direction(Direction::Falling)
    }

    /// Only when g comes from below, along the integration.
    pub fn rising(self) -> Event<'a> {
        self.direction(Direction::Rising)
    }

    /// Which way counts.
    pub fn direction(mut self, direction: Direction) -> Event<'a> {
        self.direction = direction;
        self
    }

    /// The integration ends here.
    pub fn terminal(self) -> Event<'a> {
        self.terminal_after(1)
    }

    /// The integration ends when this has happened `count` times.
    pub fn terminal_after(mut self, count: usize) -> Event<'a> {
        self.terminal = Some(count.max(1));
        self
    }

    /// Has not happened yet: if g is exactly zero at the very start, and not about to move off against the
    /// direction, it happens there.
    pub fn pending(mut self) -> Event<'a> {
        self.pending = true;
        self
    }

    /// What happens to the state. The integration starts anew from there. (Rates that change with an event
    /// may read a `Cell` that the action sets.)
    ///
    /// An action that leaves the state on the brink, g and its rate both zero, hands over to the rates:
    /// a ball that lands without bouncing needs equations for resting, or it falls on.
    pub fn action(mut self, action: impl FnMut(f64, &mut [f64]) + 'a) -> Event<'a> {
        self.action = Some(Box::new(action));
        self
    }

    /// The rates jump here though the state does not (a switch): the integration starts anew, so that no step
    /// and no history reaches across. Taken for granted where there is an action.
    ///
    /// A step that finds the event has gone across it before it is repeated: rates that depend on a state set by the
    /// action (a `Cell`), not on the sign of g itself, stay smooth there, and cost no refused steps.
    pub fn restart(mut self) -> Event<'a> {
        self.restart = true;
        self
    }

    /// A promise, along every solution: |dg/dt| ≤ `rate` [g per time] and |d²g/dt²| ≤ `curvature` [g per time²], infinite
    /// where unknown. The search is certified then: no zero of g on the dense output is missed, however long the
    /// steps, but for two within a millionth of a step where the bound on the curvature is used. Steps
    /// far away from a zero need no closer look.
    ///
    /// A promise that does not hold takes the certainty away; one that is far too wide costs: g is looked at as often as
    /// `rate` times the time over |g| says.
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

/// An event that has happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// when
    pub t: f64,
    /// which, in the order they were given
    pub event: usize,
    /// whether g came from below
    pub rising: bool,
    /// the state at that time, before any action
    pub y: Vec<f64>,
    /// the state after all actions of that time
    pub y_after: Vec<f64>,
}

/// A side of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

impl Side {
    /// The side of a value, if it has one.
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

    /// Whether a value is still on this side: zero is not.
    pub(super) fn holds(self, g: f64) -> bool {
        Side::of(g) == Some(self)
    }
}
