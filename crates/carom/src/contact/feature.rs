//! What is remembered of a contact point.

use carom_law::Touch;

/// What a contact point is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// apart: no force, even where a trial stage of a step penetrates, so that flight stays smooth
    Off,
    /// touching: watched for release
    On,
    /// neither, to rounding: force where it penetrates, no events until it is clear of that
    Free,
}

/// A contact point of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    pub(crate) status: Status,
    /// latched at touch
    pub(crate) touch: Touch,
    /// the indentation below which the law holds [m], latched too
    pub(crate) reach: f64,
    /// the normal force from which on friction that remembers is full [N], latched too
    pub(crate) load: f64,
    /// radii of relative curvature for the patches of resistance to rolling and to spinning [m], latched too
    pub(crate) radii: [f64; 2],
    /// where in the state that friction remembers this point, as long as it is on or free
    pub(crate) place: Option<usize>,
    /// whether an impact speed has ever been latched
    pub(crate) latched: bool,
    /// gap at the end of the last accepted step [m], and its rate
    pub(crate) gap: f64,
    pub(crate) gap_rate: f64,
    /// the accepted step they belong to
    pub(crate) gap_of: u64,
    /// the same at the end of the step being looked at
    pub(crate) gap_end: f64,
    pub(crate) gap_rate_end: f64,
    /// the look at a step they belong to
    pub(crate) end_of: u64,
    /// the list of near features it was in last
    pub(super) near_in: u64,
    /// how much of a contact it is, as it touched
    pub(crate) share: f64,
    /// the rate of the force there, to notice a peak between two steps
    pub(crate) f_n_rate: f64,
    /// largest since touch
    pub(crate) peak_force: f64,
    pub(crate) max_indentation: f64,
    /// events since the last output
    pub(crate) events: usize,
    /// freed because it had too many of them
    pub(crate) chattering: bool,
}

impl Feature {
    /// A point that has not touched yet; `v0` [m/s] is the impact speed it has until one is latched.
    pub(super) fn apart(v0: f64) -> Feature {
        Feature {
            status: Status::Off,
            touch: Touch::point(0.0, v0, 1.0),
            reach: f64::INFINITY,
            load: 0.0,
            radii: [0.0; 2],
            place: None,
            latched: false,
            gap: f64::INFINITY,
            gap_rate: 0.0,
            gap_of: 0,
            gap_end: f64::INFINITY,
            gap_rate_end: 0.0,
            end_of: 0,
            near_in: 0,
            share: 1.0,
            f_n_rate: 0.0,
            peak_force: 0.0,
            max_indentation: 0.0,
            events: 0,
            chattering: false,
        }
    }
}
