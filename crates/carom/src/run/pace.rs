//! Whether a run gets anywhere: a statement of its pace, for runs that would take longer than anybody waits.

use crate::forward::kinematics;
use crate::system::System;
use crate::text::length;

/// The pace is taken over so many steps. Whatever takes shorter steps than usual for a while (an impact, a transient) is over by then.
const WINDOW: usize = 50_000;
/// Where a force leads the motion to where it is not defined, steps grow shorter without end: that shows after so many,
const LOOK: usize = 1000;
/// if they take less than this part of the time that as many took before. A run of many steps that only comes near such a place goes on.
const SHORTER: f64 = 1e-3;
/// No run of so many steps is waited for: at some microseconds a step they take a day.
const HOPELESS: f64 = 1e10;
/// Nor is one of so many that mean nothing.
const VERY_MANY: f64 = 1e6;

/// How far the run had come when its pace was taken last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    steps: usize,
    t: f64,
    /// the time when the last [`LOOK`] steps began, and the longest time that as many took [s]
    looked: f64,
    longest: f64,
}

impl Pace {
    /// After a step, at time `t` [s]: how many steps the rest of the run would take, if that is hopeless. `stuck` is asked whether it is, where the steps since the last time took so
    /// long [s]; and `held`, where very many are left, of their length [s]. `leads_nowhere` is asked far sooner: whether a force leads to where it is not defined.
    #[inline]
    pub(super) fn hopeless(
        &mut self,
        t: f64,
        end: f64,
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
        (self.looked, self.longest) = (t, self.longest.max(took));
        if t < end && needed > VERY_MANY && took < SHORTER * self.longest && leads_nowhere() {
            return Some(needed);
        }
        if self.steps < WINDOW {
            return None;
        }
        let span = t - self.t;
        let step = span / WINDOW as f64;
        let needed = (end - t) / step;
        (self.steps, self.t) = (0, t);
        let hopeless = needed > HOPELESS || stuck(span) || needed > VERY_MANY && held(step);
        (t < end && hopeless).then_some(needed)
    }
}

/// The likely cause of short steps, in words: a tolerance below the rounding of a contact's depth, or what presses hardest in this state; `stiff`: with a method that suits stiff
/// problems.
pub(super) fn hardest(system: &mut System<'_>, t: f64, y: &[f64], rtol: f64, stiff: bool) -> String {
    if let Some(rounded) = system.rounded(rtol) {
        return format!("it follows the rounding of {rounded}");
    }
    kinematics(system.model, t, y, &mut system.ws);
    if let Some(place) = system.at_jump() {
        return place;
    }
    let other =
        if stiff { "take a larger rtol" } else { "take a method for stiff problems (`ode15s`, `radau5`)" };
    let mut hardest: Option<(f64, String)> = None;
    for at in &system.watch.active {
        let slot = &system.watch.slots[at.slot];
        let Ok((c, _)) = system.point(at, y) else { continue };
        let touch = &slot.state.points[at.feature].touch;
        // (a contact that is about to press counts too, by its stiffness)
        let force = c.f_n.abs().max(f64::MIN_POSITIVE);
        if hardest.as_ref().is_none_or(|(most, _)| force > *most) {
            let text = format!(
                "contact {} is {} deep and presses with {:.1e} N, with a stiffness of {:.1e} (N and m) on {:.1e} kg; check where the bodies start, \
                 the stiffness and the masses, or {other}",
                slot.name,
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
            (1..=WINDOW).find_map(|i| pace.hopeless(step * i as f64, 1.0, |_| false, |_| true, || false))
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

    /// Steps that shorten towards where a force is not defined are told within thousands; as short ones all along, and a force that comes near such a place, are no reason to stop.
    #[test]
    fn a_force_that_leads_nowhere_is_told_soon() {
        let run = |first: f64, then: f64| {
            let (mut pace, mut t) = (Pace::default(), 0.0);
            (1..WINDOW).find(|&i| {
                t += if i <= LOOK { first } else { then };
                pace.hopeless(t, 1.0, |_| false, |_| false, || true).is_some()
            })
        };
        assert_eq!(run(1e-4, 1e-8), Some(2 * LOOK));
        assert_eq!(run(1e-8, 1e-8), None);
        assert_eq!(run(1e-7, 1e-8), None);
    }
}
