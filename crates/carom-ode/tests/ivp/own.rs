//! An `Ode` with a life of its own.

use carom_ode::events::Found;
use carom_ode::{Event, EventAction, Interpolant, Ivp, Landing, Ode, Reason, RhsFailure, Step};

use crate::common::{adaptive, times};

/// An [`Ode`] with events of its own keeps them.
#[test]
fn own_events_and_given_ones() {
    struct Bell {
        rings: Vec<f64>,
    }
    impl Ode for &mut Bell {
        fn dim(&self) -> usize {
            1
        }
        fn rhs(&mut self, _: f64, _: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            dy[0] = 1.0;
            Ok(())
        }
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
