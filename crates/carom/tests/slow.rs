//! Explicit methods where motions are far faster than what is followed: said while the run goes on, and only there.

use std::ops::ControlFlow;

use carom::Warning;
use carom::prelude::*;

/// Hears what is said at once, and stops then, or after so many steps.
#[derive(Default)]
struct Listener {
    said: Vec<Warning>,
    steps: usize,
}

impl Sink for Listener {
    fn warning(&mut self, warning: &Warning) -> Result<(), carom::SinkError> {
        self.said.push(warning.clone());
        Ok(())
    }
    fn progress(&mut self, _: f64) -> ControlFlow<()> {
        self.steps += 1;
        let go_on = self.said.is_empty() && self.steps < 20_000;
        if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn listen(model: &Model, method: &str, duration: f64) -> (Listener, carom::Run) {
    let mut listener = Listener::default();
    let run = Simulation::new(model).method(method).duration(duration).run_into(&mut listener).unwrap();
    (listener, run)
}

/// A block that creeps down a slope, held by friction that is as good as dry: v' = g (sin θ − μ cos θ tanh(s v)), a rate of about μ g s = 1e8 /s.
fn creeping() -> Model {
    let rubs = JointFriction::new(Tanh::new(0.6, 2e7).unwrap());
    let mut b = ModelBuilder::new();
    b.gravity([2.0, 0.0, -9.6]).body(Body::fixed("slope"));
    b.body(Body::new("block").mass(1.0).inertia([0.01; 3]));
    b.joint(Joint::between("block", "slope", Prismatic).at([0.0; 3]).axis([1.0, 0.0, 0.0]).friction(rubs));
    b.build().unwrap()
}

#[test]
fn an_explicit_method_that_is_slow_is_told_soon() {
    let model = creeping();
    for method in ["tsit5", "ode45", "dop853"] {
        let (listener, run) = listen(&model, method, 1.0);
        let [warning @ Warning::SlowMethod { .. }] = &listener.said[..] else {
            panic!("{method}: {:?}", listener.said)
        };
        assert!(listener.steps <= 8_000, "{method}: {}", listener.steps);
        let words = warning.to_string();
        assert!(words.starts_with(method) && words.contains("`auto`"), "{words}");
        assert!(run.summary.warnings.iter().any(|w| w.warning == *warning), "{}", run.summary);
    }
    // and the method that is advised is done at once
    let (listener, run) = listen(&model, "auto", 1.0);
    assert!(listener.said.is_empty() && !run.summary.stopped && run.summary.stats.steps < 1000);
}

/// A million periods of a pendulum are many steps, and none of them could be longer.
#[test]
fn a_long_run_is_not_slow() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -9.81]).body(Body::fixed("ceiling"));
    b.body(Body::new("bob").mass(1.0).inertia([0.01; 3]).position([0.3, 0.0, -1.0]));
    b.joint(Joint::between("bob", "ceiling", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]));
    let model = b.build().unwrap();
    for method in ["tsit5", "dop853"] {
        let (listener, run) = listen(&model, method, 2e6);
        assert!(listener.said.is_empty() && run.summary.stopped, "{method}: {:?}", listener.said);
    }
}
