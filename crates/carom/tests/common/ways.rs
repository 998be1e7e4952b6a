//! Runs made in every way there is, and a tally of those that went wrong.
#![allow(dead_code, reason = "each test uses its own part")]

use carom::ode::methods;
use carom::prelude::*;
use carom::{Run, RunError};

/// A small generator of numbers, so that a failure can be repeated.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    /// between lo and hi, evenly in the logarithm
    pub(crate) fn log(&mut self, lo: f64, hi: f64) -> f64 {
        (lo.ln() + self.roll() * (hi / lo).ln()).exp()
    }
    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| 2.0 * self.roll() - 1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }
}

/// How a run is made: method, steps of methods that take what they are given, located or not, looked at one by one or swept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) method: &'static str,
    pub(crate) step: f64,
    pub(crate) locate: bool,
    pub(crate) sweep: bool,
}

impl Way {
    pub(crate) fn run(&self, model: &Model, duration: f64, rtol: f64) -> Result<Run, RunError> {
        self.simulation(model, duration, rtol).run()
    }

    /// The run, and its states at the ends of all steps.
    pub(crate) fn record(
        &self,
        model: &Model,
        duration: f64,
        rtol: f64,
    ) -> Result<(Run, Recording), RunError> {
        let mut recording = Recording::default();
        let run = self.simulation(model, duration, rtol).output(Output::Steps).run_into(&mut recording)?;
        Ok((run, recording))
    }

    fn simulation<'m>(&self, model: &'m Model, duration: f64, rtol: f64) -> Simulation<'m> {
        let mut sim = Simulation::new(model).method(self.method).rtol(rtol).locate_contacts(self.locate);
        if methods::find(self.method).is_ok_and(|m| !m.is_adaptive()) {
            sim = sim.step(self.step);
        }
        if self.sweep {
            sim = sim.eager_pairs(0);
        }
        sim.duration(duration)
    }
}

/// Every method, located and not, looked at one by one and swept. The dice are rolled as often whatever methods there are, so that another one leaves the numbers of a test as they are.
pub(crate) fn ways(duration: f64, dice: &mut Dice) -> Vec<Way> {
    const ROLLS: usize = 36;
    let steps: Vec<f64> = (0..ROLLS).map(|_| duration * dice.log(1e-3, 1.0)).collect();
    let mut all = Vec::new();
    for method in methods::ALL.iter().map(|m| m.name()) {
        let ways = [true, false].into_iter().flat_map(|locate| [(locate, false), (locate, true)]);
        for ((locate, sweep), step) in ways.zip(&steps[ROLLS - 4..]) {
            all.push(Way { method, step: *step, locate, sweep });
        }
    }
    all
}

pub(crate) struct Tally {
    runs: usize,
    wrong: Vec<String>,
}

impl Tally {
    pub(crate) fn new() -> Tally {
        Tally { runs: 0, wrong: Vec::new() }
    }
    pub(crate) fn note(&mut self, right: bool, what: impl FnOnce() -> String) {
        self.runs += 1;
        if !right {
            self.wrong.push(what());
        }
    }
    pub(crate) fn end(self) {
        let some: Vec<&String> = self.wrong.iter().take(20).collect();
        assert!(some.is_empty(), "{} of {} runs are wrong: {some:#?}", self.wrong.len(), self.runs);
    }
}
