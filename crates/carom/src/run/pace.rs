//! Whether a run gets anywhere: a statement of its pace, for runs that would take longer than anybody waits.

use carom_ode::methods;

use super::runner::{Runner, passed_on};
use super::sink::Sink;
use crate::error::RunError;
use crate::forward::kinematics;
use crate::record::Warning;
use crate::system::System;
use crate::text::length;

/// The pace is taken over so many steps. Whatever takes shorter steps than usual for a while (an impact, a transient) is over by then.
const WINDOW: usize = 50_000;
/// Where a force leads the motion to where it is not defined, steps grow shorter without end: that shows after so many,
const LOOK: usize = 1000;
/// if they take less than this part of the time that as many took before. A run of many steps that only comes near such a place goes on.
const SHORTER: f64 = 1e-3;
/// No run of so many evaluations is waited for: at some microseconds for each of them they take a day. (Steps are no measure: most attempts may be refused, and a step may be twelve evaluations.)
const HOPELESS: f64 = 1.2e11;
/// Nor is one of so many that mean nothing.
const VERY_MANY: f64 = 1e6;

/// A run that would take so many more steps may be slow because its method does not suit it,
const MANY: f64 = 3e5;
/// which is looked into where that is so for so many thousands of steps, and twice as many, and so on.
const SLOW: usize = 4;
/// Steps of an explicit method that are so many times longer than the time of the fastest motion are as long as they can be: they are stable up to 2 to 6 times that.
const AT_THE_LIMIT: f64 = 1.5;

/// How far the run had come when its pace was taken last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    steps: usize,
    evaluations: usize,
    t: f64,
    /// the time when the last [`LOOK`] steps began, and the longest time that as many took [s]
    looked: f64,
    longest: f64,
    /// for how many looks in a row very many steps have been left
    slow: usize,
    /// the time that the last [`LOOK`] steps took [s]
    last: f64,
    /// whether it was told that the method is slow
    warned: bool,
}

carom_base::plain!(Pace { steps, evaluations, t, looked, longest, last, slow, warned });

impl Pace {
    /// After a step, at time `t` [s], when so many `evaluations` have been made: how many steps the rest of the run would take, if that is hopeless. `stuck` is asked whether it is, where the steps since the last time took so
    /// long [s]; and `held`, where very many are left, of their length [s]. `leads_nowhere` is asked far sooner: whether a force leads to where it is not defined.
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
    /// At times, where very many steps are left for long: the length of a step [s] and how many are left to the end. Asked after [`hopeless`](Self::hopeless).
    #[inline]
    pub(super) fn slow(&self, end: f64) -> Option<(f64, f64)> {
        let asked = self.steps.is_multiple_of(LOOK) && self.slow >= SLOW && self.slow.is_power_of_two();
        let step = self.last / LOOK as f64;
        asked.then(|| (step, (end - self.looked) / step))
    }
}

impl Runner<'_> {
    /// Tells, once, of an explicit method whose steps are very many because they are as long as they can be.
    pub(super) fn tell_if_slow(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        let Some((step, needed)) = self.pace.slow(self.sim.duration) else { return Ok(()) };
        let method = methods::find(&self.sim.method).map_err(RunError::Method)?;
        if method.suits_stiff() || self.pace.warned {
            return Ok(());
        }
        // (where the rates cannot be had, the next step says so)
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

/// The likely cause of short steps, in words: a tolerance below the rounding of a contact's depth, or what presses hardest in this state; `stiff`: with a method that suits stiff
/// problems.
pub(super) fn hardest(system: &mut System<'_>, t: f64, y: &[f64], rtol: f64, stiff: bool) -> String {
    if let Some(rounded) = system.rounded(rtol) {
        return format!("it follows the rounding of {rounded}");
    }
    kinematics(system.model, t, y, &mut system.ws);
    if let Some(part) = system.at_jump() {
        return part;
    }
    let other = if stiff {
        "take a larger rtol"
    } else {
        "take a method for stiff problems (`auto`, `radau5`, `ode15s`)"
    };
    let mut hardest: Option<(f64, String)> = None;
    for at in &system.monitor.active {
        let pair = &system.monitor.pairs[at.pair];
        let Ok((c, _)) = system.point(at, y) else { continue };
        let touch = &pair.state.points[at.point].touch;
        // (a contact that is about to press counts too, by its stiffness)
        let force = c.f_n.abs().max(f64::MIN_POSITIVE);
        if hardest.as_ref().is_none_or(|(most, _)| force > *most) {
            let text = format!(
                "contact {} is {} deep and presses with {:.1e} N, with a stiffness of {:.1e} (N and m) on {:.1e} kg; check where the bodies start, \
                 the stiffness and the masses, or {other}",
                pair.name,
                length(c.contact.delta.max(0.0)),
                c.f_n,
                touch.stiffness,
                touch.mass
            );
            hardest = Some((force, text));
        }
    }
    let none = || format!("no contact presses; a force or joint may be too stiff: {other}");
    system.undefined_angle(t).or(hardest.map(|(_, text)| text)).unwrap_or_else(none)
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
        // bodies that stay where they are
        let needed = run(1e-9).expect("1e9 steps that mean nothing are hopeless");
        assert!((needed * 1e-9 - 1.0).abs() < 1e-4, "{needed}");
        let needed = run(1e-14).expect("1e14 steps are hopeless");
        assert!((needed * 1e-14 - 1.0).abs() < 1e-6, "{needed}");
        // no time passes at all
        assert_eq!(run(0.0), Some(f64::INFINITY));
    }

    /// Runs that would take very many steps are looked into after thousands of them, and then ever more seldom.
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

    /// What is hopeless is the work that is left: steps that are refused time and again count.
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

    /// Steps that shorten towards where a force is not defined are told within thousands; as short ones all along, and a force that comes near such a place, are no reason to stop.
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
