//! An `Ode` with a life of its own.

use carom_testkit::near;
use std::cell::Cell;

use carom_ode::events::Found;
use carom_ode::{
    Components, Derivatives, Event, EventAction, Events, Interpolant, Ivp, IvpError, Landing, Ode, Reason,
    RhsFailure, Sparsity, Step, Steps,
};

use crate::common::{adaptive, times};

/// An [`Ode`] with events of its own keeps them.
#[test]
fn own_events_and_given_ones() {
    struct Bell {
        rings: Vec<f64>,
    }
    impl Ode for &mut Bell {
        fn rhs(&mut self, _: f64, _: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            dy[0] = 1.0;
            Ok(())
        }
        fn events(&mut self) -> &mut dyn Events {
            self
        }
    }

    impl Events for &mut Bell {
        fn certify(&mut self, _: &Step<'_>) -> Result<bool, RhsFailure> {
            Ok(false)
        }
        fn first_event(&mut self, step: &Step<'_>, _: &Interpolant<'_>) -> Result<Found, RhsFailure> {
            let next = self.rings.len() as f64 + 1.0;
            Ok(if next <= step.t1 { Found::At(next) } else { Found::Nothing })
        }
        fn landing(&mut self, step: &Step<'_>) -> Landing {
            Landing { dt: self.rings.len() as f64 + 1.0 - step.t1 }
        }
        fn on_event(&mut self, t: f64, _: &mut [f64]) -> EventAction {
            self.rings.push(t);
            if t == 3.0 { EventAction::Stop } else { EventAction::Continue }
        }
    }
    for method in adaptive() {
        let mut bell = Bell { rings: Vec::new() };
        let s = Ivp::of(&mut bell, 0.0, [0.0])
            .event(Event::new(|t, _| t - 1.5))
            .event(Event::new(|t, _| t - 2.0))
            .method(method)
            .solve_to(5.0)
            .unwrap();
        assert_eq!(times(&s), [1.5, 2.0], "{method}");
        assert_eq!((s.reason, s.t_end()), (Reason::Problem, 3.0), "{method}");
        drop(s);
        assert_eq!(bell.rings, [1.0, 2.0, 3.0], "{method}");
    }
}

/// Whatever an [`Ode`] says of itself, [`Ivp`] passes it on to the method: what it costs, where its steps may be cut, which steps were refused.
#[test]
fn all_that_a_problem_says_is_heard() {
    /// y' = −y³ that jumps at t = 1 without a word; a mark at t = 1/2.
    #[derive(Default)]
    struct Heard {
        marked: bool,
        work: usize,
        cut: usize,
        refused: usize,
    }
    impl Ode for &mut Heard {
        fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            dy[0] = if t < 1.0 { -y[0].powi(3) } else { 1e4 * (2.0 - y[0]) };
            Ok(())
        }
        fn derivatives(&mut self) -> &mut dyn Derivatives {
            self
        }
        fn events(&mut self) -> &mut dyn Events {
            self
        }
        fn steps(&mut self) -> &mut dyn Steps {
            self
        }
    }
    impl Derivatives for &mut Heard {
        fn work(&mut self, n: usize) -> f64 {
            assert_eq!(n, 1);
            self.work += 1;
            1e3
        }
    }
    impl Events for &mut Heard {
        fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
            Ok(self.marked || step.t1 < 0.5)
        }
        fn first_event(&mut self, _: &Step<'_>, _: &Interpolant<'_>) -> Result<Found, RhsFailure> {
            Ok(Found::At(0.5))
        }
        fn landing(&mut self, step: &Step<'_>) -> Landing {
            Landing { dt: 0.5 - step.t1 }
        }
        fn may_cut(&mut self, theta: f64) -> bool {
            assert!(theta > 0.0 && theta <= 1.0);
            self.cut += 1;
            true
        }
        fn on_event(&mut self, t: f64, _: &mut [f64]) -> EventAction {
            near("the mark", t, 0.5, 1e-12);
            self.marked = true;
            EventAction::Continue
        }
    }
    impl Steps for &mut Heard {
        fn refused(&mut self, h: f64) {
            assert!(h > 0.0);
            self.refused += 1;
        }
    }
    let mut heard = Heard::default();
    let s = Ivp::of(&mut heard, 0.0, [1.0]).method("auto").solve_to(2.0).unwrap();
    near("the end", s.y_end()[0], 2.0, 1e-6);
    drop(s);
    assert!(heard.marked && heard.work > 0 && heard.cut > 0 && heard.refused > 0);
}

/// A chain y_i' = −y_i + y_{i+1} whose links, and even components, come with an event at t = 1.
struct Growing {
    n: usize,
    linked: bool,
    add: usize,
    asked: Cell<usize>,
}

impl Growing {
    fn new(add: usize) -> Growing {
        Growing { n: 3, linked: false, add, asked: Cell::new(0) }
    }
}

impl Ode for &mut Growing {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        for i in 0..self.n {
            let next = if self.linked && i + 1 < self.n { y[i + 1] } else { 0.0 };
            dy[i] = next - y[i];
        }
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
    fn events(&mut self) -> &mut dyn Events {
        self
    }
}

impl Components for &mut Growing {
    fn dim(&self) -> Option<usize> {
        Some(self.n)
    }
}

impl Derivatives for &mut Growing {
    fn sparsity(&mut self) -> Option<Sparsity> {
        self.asked.set(self.asked.get() + 1);
        Some(Sparsity::banded(self.n, 0, usize::from(self.linked)))
    }
}

impl Events for &mut Growing {
    fn structure(&mut self) -> u64 {
        u64::from(self.linked)
    }
    fn certify(&mut self, _: &Step<'_>) -> Result<bool, RhsFailure> {
        Ok(self.linked)
    }
    fn first_event(&mut self, step: &Step<'_>, _: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        Ok(if step.t1 >= 1.0 { Found::At(1.0) } else { Found::Nothing })
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        Landing { dt: 1.0 - step.t1 }
    }
    fn on_event(&mut self, _: f64, _: &mut [f64]) -> EventAction {
        self.linked = true;
        self.n += self.add;
        EventAction::Restart { time_scale: f64::INFINITY }
    }
}

/// What an `Ode` says of its structure is passed on: links that the first pattern knew nothing of.
#[test]
fn a_structure_that_changes() {
    for method in adaptive() {
        let mut chain = Growing::new(0);
        let s = Ivp::of(&mut chain, 0.0, [1.0, 1.0, 1.0]).method(method).solve_to(2.0).unwrap();
        // e^−1 at t = 1, then e^−t (1 + t + t²/2), e^−t (1 + t), e^−t
        for (y, want) in s.y_end().iter().zip([2.5, 2.0, 1.0]) {
            near(method, *y, want * (-2f64).exp(), 1e-7);
        }
        let implicit = s.stats.factorisations > 0;
        drop(s);
        assert!(!implicit || chain.asked.get() >= 2, "{method}: the pattern is asked for anew");
    }
}

/// A solution has as many components from start to end.
#[test]
fn a_problem_that_grows() {
    for method in adaptive() {
        let mut chain = Growing::new(2);
        let e = Ivp::of(&mut chain, 0.0, [1.0, 1.0, 1.0]).method(method).solve_to(2.0).unwrap_err();
        assert_eq!(e.cause, IvpError::Resized { t: 1.0, before: 3, now: 5 }, "{method}");
        near(method, e.so_far.at(0.5).unwrap()[2], (-0.5f64).exp(), 1e-7);
    }
}

/// Another problem's solution cannot be carried on.
#[test]
fn solutions_of_other_problems() {
    let ivp = |n: usize| Ivp::new(|_, _, dy: &mut [f64]| dy.fill(1.0), 0.0, vec![0.0; n]);
    let three = ivp(3).solve_to(1.0).unwrap();
    let e = ivp(2).extend(three.clone(), 2.0).unwrap_err();
    assert_eq!(e.to_string(), "the state has 3 components, the problem 2");
    let e = ivp(2).extend_with(three, [0.0, 0.0], 2.0).unwrap_err();
    assert_eq!(e.to_string(), "`solution` has 3 values, the problem 2 components");
    assert_eq!((e.so_far.dim(), e.so_far.t_end()), (3, 1.0));
}

/// An event that its own problem puts a crumb beyond the end is at the end.
#[test]
fn no_step_passes_the_end() {
    struct Late;
    impl Ode for Late {
        fn rhs(&mut self, _: f64, _: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            dy[0] = 1.0;
            Ok(())
        }
        fn events(&mut self) -> &mut dyn Events {
            self
        }
    }

    impl Events for Late {
        fn certify(&mut self, _: &Step<'_>) -> Result<bool, RhsFailure> {
            Ok(false)
        }
        fn first_event(&mut self, step: &Step<'_>, _: &Interpolant<'_>) -> Result<Found, RhsFailure> {
            Ok(if step.t1 < 1.0 { Found::Nothing } else { Found::At(1.0) })
        }
        fn landing(&mut self, step: &Step<'_>) -> Landing {
            Landing { dt: 1.0 + 1e-9 - step.t1 }
        }
    }
    for method in adaptive() {
        let s = Ivp::of(Late, 0.0, [0.0]).method(method).solve_to(1.0).unwrap();
        assert_eq!((s.t_end(), s.reason), (1.0, Reason::End), "{method}");
        near(method, s.y_end()[0], 1.0, 1e-14);
    }
}
