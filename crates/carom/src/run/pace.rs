//! Monitors the progress of a run, and ends runs that would take longer than anyone would wait.

use carom_ode::methods;

use super::runner::{Runner, passed_on};
use super::sink::Sink;
use crate::error::RunError;
use crate::forward::kinematics;
use crate::record::Warning;
use crate::system::System;
use crate::text::length;

/// The pace is measured over this number of steps. Any phase with shorter steps than usual (an impact, a transient) is over
/// by then.
const WINDOW: usize = 50_000;
/// After every so many steps the pace is checked: where a force drives the motion to a position at which the force is
/// undefined, steps shorten without end.
const LOOK: usize = 1000;
/// Steps shorten in that sense if [`LOOK`] of them advance less than this fraction of the longest time that as many have
/// advanced. A run of many steps that only passes near such a position continues.
const SHORTER: f64 = 1e-3;
/// A run that needs more evaluations than this is ended: at some microseconds each they take a day. (Steps are no measure:
/// most attempts may be rejected, and a step may take twelve evaluations.)
const HOPELESS: f64 = 1.2e11;
/// A run that needs more steps than this is ended if the steps have no effect.
const VERY_MANY: f64 = 1e6;

/// A run with more steps left than this is slow, perhaps because its method is unsuitable.
const MANY: f64 = 3e5;
/// The method is examined after the run has been slow for this number of thousands of steps, after twice as many, and so on.
const SLOW: usize = 4;
/// Steps of an explicit method that exceed the time scale of the fastest motion by this factor are at the stability limit:
/// such methods are stable up to 2 to 6 times that time scale.
const AT_THE_LIMIT: f64 = 1.5;

/// The progress of the run when its pace was last measured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    steps: usize,
    evaluations: usize,
    t: f64,
    /// the time at which the last [`LOOK`] steps began, and the longest time that as many steps have advanced [s]
    looked: f64,
    longest: f64,
    /// number of successive checks at which very many steps were left
    slow: usize,
    /// the time that the last [`LOOK`] steps advanced [s]
    last: f64,
    /// whether the warning of a slow method was given
    warned: bool,
}

carom_base::plain!(Pace { steps, evaluations, t, looked, longest, last, slow, warned });

impl Pace {
    /// After a step to time `t` [s], with this number of `evaluations` made so far: returns the number of steps that the rest
    /// of the run would take, if that is hopeless. `stuck` says whether it is, given the time [s] that the steps since the
    /// last check advanced; `held`, where very many steps are left, given their length [s]. `leads_nowhere` is called much
    /// sooner: it says whether a force drives the motion to a position at which the force is undefined.
    #[inline]
    pub(super) fn hopeless(
        &mut self,
        (t, end): (f64, f64),
        evaluations: usize,
        stuck: impl FnOnce(f64) -> bool,
        held: impl FnOnce(f64) -> bool,
        leads_nowhere: impl FnOnce() -> bool,
    ) -> Option<f64> {
        self.steps += 1;
        if !self.steps.is_multiple_of(LOOK) {
            return None;
        }
        let took = t - self.looked;
        let needed = (end - t) * LOOK as f64 / took;
        (self.looked, self.longest, self.last) = (t, self.longest.max(took), took);
        self.slow = if needed > MANY { self.slow + 1 } else { 0 };
        if t < end && needed > VERY_MANY && took < SHORTER * self.longest && leads_nowhere() {
            return Some(needed);
        }
        if self.steps < WINDOW {
            return None;
        }
        let span = t - self.t;
        let step = span / WINDOW as f64;
        let needed = (end - t) / step;
        let work = (end - t) * (evaluations - self.evaluations) as f64 / span;
        (self.steps, self.t, self.evaluations) = (0, t, evaluations);
        let hopeless = work > HOPELESS || stuck(span) || needed > VERY_MANY && held(step);
        (t < end && hopeless).then_some(needed)
    }
}

impl Pace {
    /// Returns, at increasing intervals while very many steps are left, the length of a step [s] and the number of steps
    /// left. To be called after [`hopeless`](Self::hopeless).
    #[inline]
    pub(super) fn slow(&self, end: f64) -> Option<(f64, f64)> {
        let asked = self.steps.is_multiple_of(LOOK) && self.slow >= SLOW && self.slow.is_power_of_two();
        let step = self.last / LOOK as f64;
        asked.then(|| (step, (end - self.looked) / step))
    }
}

impl Runner<'_> {
    /// Warns, once, of an explicit method that takes very many steps because they are at its stability limit.
    pub(super) fn tell_if_slow(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        let Some((step, needed)) = self.pace.slow(self.sim.duration) else { return Ok(()) };
        let method = methods::find(&self.sim.method).map_err(RunError::Method)?;
        if method.suits_stiff() || self.pace.warned {
            return Ok(());
        }
        // (if the rates cannot be computed, the next step reports it)
        let fastest = self.solver.fastest_rate(&mut self.system).unwrap_or(0.0);
        if step * fastest > AT_THE_LIMIT {
            self.pace.warned = true;
            let [step, needed, fastest] = [step, needed, 1.0 / fastest].map(|x| format!("{x:.0e}"));
            let warning = Warning::SlowMethod { method: method.name().to_owned(), step, needed, fastest };
            passed_on(self.solver.t(), sink.warning(&warning))?;
            self.warnings.insert(warning, 1);
        }
        Ok(())
    }
}

/// Describes the likely cause of short steps: a tolerance below the rounding error of a contact's depth, or the contact with
/// the largest force in this state. `stiff`: the method suits stiff problems.
pub(super) fn likely_cause(system: &mut System<'_>, t: f64, y: &[f64], rtol: f64, stiff: bool) -> String {
    if let Some(rounded) = system.rounded(rtol) {
        return format!("it follows the rounding of {rounded}");
    }
    kinematics(system.model, t, y, &mut system.ws);
    if let Some(part) = system.friction_discontinuity(y) {
        return part;
    }
    let other = if stiff {
        "take a larger rtol"
    } else {
        "take a method for stiff problems (`auto`, `radau5`, `ode15s`)"
    };
    let mut likely_cause: Option<(f64, String)> = None;
    for at in &system.monitor.active {
        let pair = &system.monitor.pairs[at.pair];
        let Ok((c, _)) = system.point(at, y) else { continue };
        let of = &pair.state.points[at.point];
        // (a contact that is about to carry a force counts too, by its stiffness)
        let force = c.f_n.abs().max(f64::MIN_POSITIVE);
        if likely_cause.as_ref().is_none_or(|(most, _)| force > *most) {
            let text = format!(
                "contact {} is {} deep and presses with {:.1e} N, with a stiffness of {:.1e} (N and m) on {:.1e} kg; check where the bodies start, \
                 the stiffness and the masses, or {other}",
                pair.name,
                length(c.contact.delta.max(0.0)),
                c.f_n,
                of.touch.stiffness * of.latched.area,
                of.touch.mass * of.latched.area
            );
            likely_cause = Some((force, text));
        }
    }
    let none = || format!("no contact presses; a force or joint may be too stiff: {other}");
    system.undefined_angle(t).or(likely_cause.map(|(_, text)| text)).unwrap_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::{LOOK, Pace, WINDOW};

    #[test]
    fn only_a_hopeless_pace_is_told() {
        let run = |step: f64| {
            let mut pace = Pace::default();
            let now = |i: usize| (step * i as f64, 1.0);
            (1..=WINDOW).find_map(|i| pace.hopeless(now(i), 6 * i, |_| false, |_| true, || false))
        };
        assert_eq!(run(1e-6 / 0.9), None);
        // bodies that do not move
        let needed = run(1e-9).expect("1e9 steps that mean nothing are hopeless");
        assert!((needed * 1e-9 - 1.0).abs() < 1e-4, "{needed}");
        let needed = run(1e-14).expect("1e14 steps are hopeless");
        assert!((needed * 1e-14 - 1.0).abs() < 1e-6, "{needed}");
        // no time passes at all
        assert_eq!(run(0.0), Some(f64::INFINITY));
    }

    /// Runs that would take very many steps are examined after thousands of them, and then at increasing intervals.
    #[test]
    fn slow_runs_are_looked_into_at_times() {
        let asked = |step: f64| -> Vec<usize> {
            let mut pace = Pace::default();
            let ask = |i: &usize| {
                let passed_on = pace.hopeless((step * *i as f64, 1.0), 6 * i, |_| false, |_| false, || false);
                passed_on.is_none() && pace.slow(1.0).is_some()
            };
            (1..WINDOW / 2).filter(ask).collect()
        };
        assert!(asked(1e-5).is_empty());
        assert_eq!(asked(1e-7), [4 * LOOK, 8 * LOOK, 16 * LOOK]);
    }

    /// The criterion is the work that is left: steps that are rejected time and again count.
    #[test]
    fn refused_steps_count() {
        let run = |evaluations: usize| {
            let mut pace = Pace::default();
            let now = |i: usize| (1e-9 * i as f64, 1.0);
            (1..=WINDOW).find_map(|i| pace.hopeless(now(i), evaluations * i, |_| false, |_| false, || false))
        };
        assert_eq!(run(6), None);
        assert_eq!(run(60), None);
        assert!(run(200).is_some());
    }

    /// Steps that shorten towards a position where a force is undefined are reported within thousands; steps as short all
    /// along, or a force that only comes near such a position, do not end the run.
    #[test]
    fn a_force_that_leads_nowhere_is_told_soon() {
        let run = |first: f64, then: f64| {
            let (mut pace, mut t) = (Pace::default(), 0.0);
            (1..WINDOW).find(|&i| {
                t += if i <= LOOK { first } else { then };
                pace.hopeless((t, 1.0), 6 * i, |_| false, |_| false, || true).is_some()
            })
        };
        assert_eq!(run(1e-4, 1e-8), Some(2 * LOOK));
        assert_eq!(run(1e-8, 1e-8), None);
        assert_eq!(run(1e-7, 1e-8), None);
    }
}
