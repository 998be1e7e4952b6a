//! The stored state of a contact point.

use carom_base::snapshot::{Plain, Reader, SnapshotError, Writer};
use carom_base::{Dual, Scalar, Vec3};
use carom_law::{Grip, Touch};

use crate::rule::TOUCHING;

/// The contact status of a contact point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// apart: carries no force, even if a trial stage of a step penetrates, so that rates in free flight stay smooth
    Off,
    /// touching: monitored for release
    On,
    /// open or closed only within rounding error: carries a force where it penetrates, and triggers no events until its gap
    /// is clear of rounding error
    Free,
}

carom_base::plain!(
    enum Status {
        Off,
        On,
        Free,
    }
);

impl Status {
    /// Returns the sign that the gap has in this status; 0: either sign.
    pub(super) fn side(self) -> f64 {
        match self {
            Status::Off => 1.0,
            Status::On => -1.0,
            Status::Free => 0.0,
        }
    }
}

/// Returns an indentation as the variable by which a law is differentiated. One that was raised to the least that a point shows its laws
/// is a constant: a change of the true indentation does not change the force there.
pub(crate) fn as_variable<const N: usize>(delta: f64, point: &ContactPoint) -> Dual<N> {
    if delta > point.least { Dual::variable(delta, 0) } else { Dual::from_f64(delta) }
}

/// What the laws of a contact point need besides [`Touch`], as at touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Latched {
    /// indentation below which the law is valid [m]
    pub(crate) reach: f64,
    /// what laws with memory need of the contact: against sliding, rolling and spinning
    pub(crate) grips: [Grip; 3],
    /// the longer axis of an elliptical contact at its touch; zero for a circle
    pub(crate) axis: Vec3,
    /// radii of relative curvature for the contact patches of rolling and of spinning resistance [m]
    pub(crate) radii: [f64; 2],
    /// gap up to which surfaces that touch hold each other [m], 0 without adhesion
    pub(crate) hold: f64,
    /// what adhesion adds to the normal force of the whole contact as friction feels it [N]
    pub(crate) adhesion: f64,
    /// share of the contact force that this point carries (1 unless several points make up one contact)
    pub(crate) share: f64,
    /// for a patch, the area on which it will press [m²], about; the mass of its [`Touch`] is that on a unit of area. 1 for a point
    pub(crate) area: f64,
}

carom_base::plain!(Latched { reach, grips, axis, radii, hold, adhesion, share, area });

/// The impact speed of a contact point's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImpactSpeed {
    /// whether one has ever been latched
    pub(crate) latched: bool,
    /// whether this contact began below the minimum impact speed under a law that divides by the impact speed
    pub(crate) slow: bool,
    /// largest |gap rate| during contacts that are `slow` [m/s], and its ratio to the impact speed v0 that the law uses
    pub(crate) fastest_slow: (f64, f64),
}

carom_base::plain!(ImpactSpeed { latched, slow, fastest_slow });

/// The gap of a contact point at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    /// gap [m]
    pub(crate) gap: f64,
    /// its rate [m/s]
    pub(crate) rate: f64,
    /// number of that step
    pub(crate) step: u64,
}

carom_base::plain!(Gap { gap, rate, step });

impl Gap {
    const UNKNOWN: Gap = Gap { gap: f64::INFINITY, rate: 0.0, step: 0 };
}

/// The largest values of a contact point since touch.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Peaks {
    /// largest normal force [N]
    pub(crate) force: f64,
    /// largest indentation [m]
    pub(crate) indentation: f64,
    /// rate of the normal force [N/s], to detect a peak between two steps
    pub(crate) force_rate: f64,
    /// time at which the indentation began to rise again [s]: from then on the surfaces follow each other
    pub(crate) follows_from: Option<f64>,
}

carom_base::plain!(Peaks { force, indentation, force_rate, follows_from });

impl Peaks {
    /// Includes a normal force [N] and an indentation [m].
    pub(crate) fn include(&mut self, force: f64, indentation: f64) {
        self.force = self.force.max(force);
        self.indentation = self.indentation.max(indentation);
    }
}

/// The events of a contact point in quick succession.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QuickEvents {
    /// time of the last event [s]
    pub(crate) last: f64,
    /// number of events in a row that came within an instant of the one before
    pub(crate) in_a_row: usize,
    /// time until which the point stays free [s] after too many such events
    pub(crate) free_until: f64,
}

carom_base::plain!(QuickEvents { last, in_a_row, free_until });

/// The state of one contact point of a contact pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactPoint {
    pub(crate) status: Status,
    /// whether a touch was recorded and its release was not yet
    pub(crate) touching: bool,
    /// the law's quantities latched at touch: stiffness, impact speed, effective mass
    pub(crate) touch: Touch,
    pub(crate) latched: Latched,
    pub(crate) impact: ImpactSpeed,
    /// gap at which the law begins to act between surfaces that approach [m]: 0, unless it is one of adhesion with a range
    pub(crate) begins: f64,
    /// least indentation passed to laws [m]: for a located point that is on [`TOUCHING`], or where adhesion ends; −∞ otherwise
    pub(crate) least: f64,
    /// index of this point's memory (bristles) in the state, the first one where its laws have several elements; that of an ellipse's axis comes after them. As long as the point is on or free
    pub(crate) memory: Option<usize>,
    /// gap at the end of the last accepted step
    pub(crate) last: Gap,
    /// time of that [s]
    pub(crate) last_t: f64,
    /// gap at the end of the step being examined
    pub(crate) end: Gap,
    /// number of the list of near points that last held it
    pub(super) near_in: u64,
    pub(crate) peaks: Peaks,
    pub(crate) events: QuickEvents,
}

impl Plain for ContactPoint {
    /// Most points never touch, and what they could say of a touch is long: it is left out until there is one. (What a touch latches is never all
    /// as it was: its stiffness is not zero.)
    fn write(&self, to: &mut Writer) {
        let ContactPoint { status, touching, touch, latched, impact, begins, least, memory, .. } = self;
        let ContactPoint { last, last_t, end, near_in, peaks, events, .. } = self;
        (touch.v0, *begins).write(to);
        let new = ContactPoint::apart(touch.v0, *begins);
        let is_new = (touch, latched, impact, peaks, events)
            == (&new.touch, &new.latched, &new.impact, &new.peaks, &new.events);
        is_new.write(to);
        if !is_new {
            touch.write(to);
            latched.write(to);
            impact.write(to);
            peaks.write(to);
            events.write(to);
        }
        status.write(to);
        touching.write(to);
        (*least, *memory).write(to);
        (*last, *last_t, *end, *near_in).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<ContactPoint, SnapshotError> {
        let (v0, begins) = Plain::read(from)?;
        let mut point = ContactPoint::apart(v0, begins);
        if !bool::read(from)? {
            point.touch = Plain::read(from)?;
            point.latched = Plain::read(from)?;
            point.impact = Plain::read(from)?;
            point.peaks = Plain::read(from)?;
            point.events = Plain::read(from)?;
        }
        point.status = Plain::read(from)?;
        point.touching = Plain::read(from)?;
        (point.least, point.memory) = Plain::read(from)?;
        (point.last, point.last_t, point.end, point.near_in) = Plain::read(from)?;
        Ok(point)
    }
}

impl ContactPoint {
    /// Creates a contact point that has not touched yet; `v0` [m/s] is its impact speed until one is latched, `begins` [m] the gap at which its law begins to act.
    pub(super) fn apart(v0: f64, begins: f64) -> ContactPoint {
        ContactPoint {
            status: Status::Off,
            touching: false,
            touch: Touch::point(0.0, v0, 1.0),
            latched: Latched {
                reach: f64::INFINITY,
                grips: [Grip::under(0.0); 3],
                axis: Vec3::zeros(),
                radii: [0.0; 2],
                hold: 0.0,
                adhesion: 0.0,
                share: 1.0,
                area: 1.0,
            },
            impact: ImpactSpeed { latched: false, slow: false, fastest_slow: (0.0, 0.0) },
            begins,
            least: f64::NEG_INFINITY,
            memory: None,
            last: Gap::UNKNOWN,
            last_t: 0.0,
            end: Gap::UNKNOWN,
            near_in: 0,
            peaks: Peaks::default(),
            events: QuickEvents { last: f64::NEG_INFINITY, in_a_row: 0, free_until: f64::NEG_INFINITY },
        }
    }

    /// Returns the gap at which the point changes its status [m]: zero, but where adhesion acts across a gap or holds the surfaces.
    pub(super) fn edge(&self) -> f64 {
        if self.status == Status::Off { self.begins } else { self.latched.hold }
    }

    /// Sets its status to on or free, and where its laws find the surfaces in contact; `located`: whether its release is an event.
    pub(super) fn close(&mut self, status: Status, located: bool) {
        self.status = status;
        let hold = self.latched.hold;
        // (just beyond the gap up to which they hold, so that the force there is that of the contact)
        self.touch.floor = if hold > 0.0 { -hold * (1.0 + 4.0 * f64::EPSILON) } else { 0.0 };
        self.least = match located && status == Status::On {
            true if hold > 0.0 => -hold,
            true => TOUCHING,
            false => f64::NEG_INFINITY,
        };
    }

    /// Sets its status to off.
    pub(super) fn open(&mut self) {
        self.status = Status::Off;
        self.touch.floor = 0.0;
        self.least = f64::NEG_INFINITY;
    }

    /// Stores the gap [m] and its rate [m/s] at time `t`, the end of the accepted step with number `accepted`. An indentation
    /// that falls at the start of a step and rises at its end has a minimum within the step: from there on the surfaces
    /// follow each other.
    pub(super) fn store_gap(&mut self, t: f64, gap: f64, gap_rate: f64, accepted: u64) {
        let turns = self.last.rate > 0.0 && gap_rate < 0.0 && t > self.last_t;
        if turns && self.status == Status::On && self.peaks.follows_from.is_none() {
            let h = t - self.last_t;
            let part = turn(self.last.rate, gap_rate, (gap - self.last.gap) / h);
            self.peaks.follows_from = Some(self.last_t + part * h);
        }
        (self.last, self.last_t) = (Gap { gap, rate: gap_rate, step: accepted }, t);
        if self.status == Status::On {
            self.note_extreme(-gap);
        }
        if self.impact.slow
            && self.status != Status::Off
            && gap < 0.0
            && gap_rate.abs() > self.impact.fastest_slow.0
        {
            self.impact.fastest_slow = (gap_rate.abs(), gap_rate.abs() / self.touch.v0);
        }
    }
}

/// Returns the position in a step, 0 to 1, at which the rate of a gap passes zero. The gap is the cubic with rates r0 > 0 >
/// r1 at the ends of the step and mean rate m: r0 − (4 r0 + 2 r1 − 6 m) s + (3 r0 + 3 r1 − 6 m) s² = 0.
pub(super) fn turn(r0: f64, r1: f64, m: f64) -> f64 {
    let (b, c) = (4.0 * r0 + 2.0 * r1 - 6.0 * m, 3.0 * (r0 + r1) - 6.0 * m);
    // the root between 0 and 1, without cancellation: both terms of the sum have the same sign
    let root = (b * b - 4.0 * c * r0).max(0.0).sqrt();
    let s = if b > 0.0 { 2.0 * r0 / (b + root) } else { (b - root) / (2.0 * c) };
    if (0.0..=1.0).contains(&s) { s } else { r0 / (r0 - r1) }
}

/// A contact point that can carry a force: the index of its contact pair, and that of the point in the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Active {
    pub(crate) pair: usize,
    pub(crate) point: usize,
}

carom_base::plain!(Active { pair, point });

#[cfg(test)]
mod tests {
    use super::turn;

    /// Rates s ↦ (s − z)(a s − k), whose means are known, pass zero at s = z.
    #[test]
    fn a_parabola_of_rates_turns_where_it_does() {
        for z in [0.1, 0.37, 0.5, 0.93] {
            for (a, k) in [(0.0, 2.0), (0.7, 1.1), (-3.0, 0.4), (1.0, 1.3)] {
                let rate = |s: f64| (s - z) * (a * s - k);
                let mean = a / 3.0 - 0.5 * (k + a * z) + z * k;
                let found = turn(rate(0.0), rate(1.0), mean);
                assert!((found - z).abs() < 1e-14, "{z} {a} {k}: {found}");
            }
        }
    }
}
