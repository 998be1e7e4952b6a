//! The result of an integration.

use std::fmt;

use carom_portable::snapshot::{Plain, Reader, SnapshotError, Writer};

use super::dense::Pieces;
use super::error::IvpError;
use super::event::Occurrence;
use crate::counted::Stats;

/// The reason why an integration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// the end time was reached
    End,
    /// the terminal event of this index happened
    Event(usize),
    /// [`each_output`](super::Ivp::each_output) asked to stop
    Stopped,
    /// the [`Ode`](crate::Ode) itself asked to stop, at one of its own events
    Problem,
    /// the integration did not reach its end: see [`Unfinished`](super::Unfinished)
    Unfinished,
}

/// A solution: outputs, events, and the trajectory in between.
///
/// Unless [`output_at`](super::Ivp::output_at) is used, an event that changes the state has two outputs at the same
/// time: before and after it.
#[derive(Clone)]
pub struct Solution {
    /// the times of the outputs [time units of the problem]
    pub t: Vec<f64>,
    /// events in the order in which they happened
    pub events: Vec<Occurrence>,
    /// the work of the integration
    pub stats: Stats,
    /// the reason why it ended
    pub reason: Reason,
    /// the method's name
    pub method: String,
    n: usize,
    states: Vec<f64>,
    pub(super) start: f64,
    pub(super) end: (f64, Vec<f64>),
    pub(super) pieces: Option<Pieces>,
}

impl Solution {
    pub(super) fn new(t0: f64, y0: &[f64], method: &str) -> Solution {
        Solution {
            t: Vec::new(),
            events: Vec::new(),
            stats: Stats::default(),
            reason: Reason::Unfinished,
            method: method.to_owned(),
            n: y0.len(),
            states: Vec::new(),
            start: t0,
            end: (t0, y0.to_vec()),
            pieces: None,
        }
    }

    pub(super) fn push(&mut self, t: f64, y: &[f64]) {
        self.t.push(t);
        self.states.extend_from_slice(&y[..self.n]);
    }

    /// How many outputs there are.
    pub fn len(&self) -> usize {
        self.t.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }

    /// How many components the state has.
    pub fn dim(&self) -> usize {
        self.n
    }

    /// The state at output `i`, below [`len`](Self::len).
    pub fn y(&self, i: usize) -> &[f64] {
        &self.states[i * self.n..(i + 1) * self.n]
    }

    /// One component at all outputs: a column, to plot against `t`.
    ///
    /// ```
    /// # use carom_ode::Ivp;
    /// let s = Ivp::new(|t, _, dy| dy[0] = 2.0 * t, 0.0, [0.0]).output_at([0.0, 1.0, 2.0]).solve_to(2.0)?;
    /// let squares: Vec<f64> = s.component(0).collect();
    /// assert!((squares[1] - 1.0).abs() < 1e-12 && (squares[2] - 4.0).abs() < 1e-12);
    /// # Ok::<(), carom_ode::Unfinished>(())
    /// ```
    pub fn component(&self, k: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).map(move |i| self.y(i)[k])
    }

    /// All outputs: time and state.
    pub fn iter(&self) -> impl Iterator<Item = (f64, &[f64])> + '_ {
        self.t.iter().enumerate().map(|(i, &t)| (t, self.y(i)))
    }

    /// The time it started at.
    pub fn t_start(&self) -> f64 {
        self.start
    }

    /// The time reached, whether or not there is an output at it.
    pub fn t_end(&self) -> f64 {
        self.end.0
    }

    /// The state at the time reached; if an event ended the integration, the state after its action.
    pub fn y_end(&self) -> &[f64] {
        &self.end.1
    }

    /// Returns the state at any time between start and end, from the method's own dense output, to rounding. At the
    /// time of an event that changes the state, it is the state after the event (before it if the event is at the end
    /// of the solution).
    ///
    /// ```
    /// # use carom_ode::Ivp;
    /// let s = Ivp::new(|_, y, dy| dy[0] = -y[0], 0.0, [1.0]).solve_to(2.0)?;
    /// assert!((s.at(1.2345)?[0] - (-1.2345f64).exp()).abs() < 1e-7);
    /// assert!(s.at(2.1).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, t: f64) -> Result<Vec<f64>, IvpError> {
        let mut y = vec![0.0; self.n];
        self.at_into(t, &mut y)?;
        Ok(y)
    }

    /// Writes the state at any time between start and end into `out`, which must have the length of the state; see
    /// [`at`](Self::at).
    pub fn at_into(&self, t: f64, out: &mut [f64]) -> Result<(), IvpError> {
        if out.len() != self.n {
            return Err(IvpError::Count { name: "at_into", expected: self.n, got: out.len() });
        }
        let pieces = self.pieces.as_ref().ok_or(IvpError::NotKept)?;
        if pieces.at(t, out) {
            return Ok(());
        }
        if t == self.end.0 {
            out.copy_from_slice(&self.end.1);
            return Ok(());
        }
        Err(IvpError::OutsideSpan { name: "at", t, from: self.start, to: self.end.0 })
    }
}

/// The first bytes of every stored solution; the last is the version of the format.
const MAGIC: [u8; 8] = *b"carom-y\x01";

impl Plain for Reason {
    fn write(&self, to: &mut Writer) {
        let (kind, event): (u8, usize) = match self {
            Reason::End => (0, 0),
            Reason::Event(i) => (1, *i),
            Reason::Stopped => (2, 0),
            Reason::Problem => (3, 0),
            Reason::Unfinished => (4, 0),
        };
        (kind, event).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Reason, SnapshotError> {
        match <(u8, usize)>::read(from)? {
            (0, _) => Ok(Reason::End),
            (1, i) => Ok(Reason::Event(i)),
            (2, _) => Ok(Reason::Stopped),
            (3, _) => Ok(Reason::Problem),
            (4, _) => Ok(Reason::Unfinished),
            _ => Err(SnapshotError::BadValue),
        }
    }
}

impl Solution {
    /// Returns the solution as bytes, identical on every platform.
    ///
    /// ```
    /// # use carom_ode::{Ivp, Solution};
    /// let s = Ivp::new(|_, y, dy| dy[0] = -y[0], 0.0, [1.0]).solve_to(2.0)?;
    /// let again = Solution::from_bytes(&s.to_bytes())?;
    /// assert_eq!(again.at(1.2345)?, s.at(1.2345)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut to = Writer::default();
        MAGIC.write(&mut to);
        self.t.write(&mut to);
        self.events.write(&mut to);
        self.stats.write(&mut to);
        self.reason.write(&mut to);
        self.method.write(&mut to);
        self.n.write(&mut to);
        self.states.write(&mut to);
        self.start.write(&mut to);
        self.end.write(&mut to);
        self.pieces.write(&mut to);
        to.into_bytes()
    }

    /// Reads a solution from bytes; refuses bytes that are no solution, or that contradict each other.
    pub fn from_bytes(bytes: &[u8]) -> Result<Solution, SnapshotError> {
        let mut from = Reader::new(bytes);
        if <[u8; 8]>::read(&mut from)? != MAGIC {
            return Err(SnapshotError::BadValue);
        }
        let solution = Solution {
            t: Plain::read(&mut from)?,
            events: Plain::read(&mut from)?,
            stats: Plain::read(&mut from)?,
            reason: Plain::read(&mut from)?,
            method: Plain::read(&mut from)?,
            n: Plain::read(&mut from)?,
            states: Plain::read(&mut from)?,
            start: Plain::read(&mut from)?,
            end: Plain::read(&mut from)?,
            pieces: Plain::read(&mut from)?,
        };
        from.end()?;
        let n = solution.n;
        let whole = solution.t.len().checked_mul(n) == Some(solution.states.len())
            && solution.end.1.len() == n
            && solution.pieces.as_ref().is_none_or(|pieces| pieces.are_whole(n));
        if whole { Ok(solution) } else { Err(SnapshotError::BadValue) }
    }
}

/// Prints a summary only, because a solution may be long.
impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution")
            .field("method", &self.method)
            .field("from", &self.start)
            .field("to", &self.end)
            .field("reason", &self.reason)
            .field("outputs", &self.len())
            .field("events", &self.events.len())
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}
