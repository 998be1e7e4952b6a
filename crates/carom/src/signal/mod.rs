//! Signals: numbers given by expressions of the time and of the state, with their derivatives and their switches.
//!
//! A signal is what a load or a controller computes with: `-k*(arm.angle - target) - c*arm.rate`, with numbers in
//! place of the parameters. Its value and its derivatives by the motions of the bodies follow from the state alone.
//!
//! Where a branch of the expression changes over (`abs`, `max`, `if` …), the signal has a kink, or jumps. In a run
//! that locates events, the branch in use is kept from one event to the next: within a step the signal is smooth, even
//! where a stage of the step lies beyond the change-over, so that the step keeps its order and the change-over is
//! located exactly.

mod sense;
mod allowed;

use std::ops::Range;

use carom_base::expression::{Expression, Switch};
use carom_base::{Jet, Scalar};

use crate::course::{Course, Formula};
use crate::error::{BuildError, Subject};
use crate::loads::{Counts, Loads};
use crate::slopes::Motions;
use crate::world::World;

pub(crate) use sense::{Names, Sense};

/// The largest number of names in one expression.
const MOST_NAMES: usize = 32;

/// A number given by an expression of the time and of the state.
#[derive(Clone, Debug)]
pub(crate) struct Signal {
    expression: Expression,
    /// what its names mean, in their order
    senses: Vec<Sense>,
    switches: Vec<Switch>,
    /// which of its switches depend on the state, not on the time alone
    by_state: Vec<bool>,
    /// where the sides of its switches are among all
    sides: Range<usize>,
    /// what changes over at known times: an expression in the time alone for each switch that depends on nothing else
    timed: Vec<Formula>,
}

impl Signal {
    /// Creates a signal from an expression whose names are quantities of the model.
    pub(crate) fn new(
        names: &Names<'_>,
        subject: &Subject,
        key: &'static str,
        expression: &Expression,
        counts: &mut Counts,
    ) -> Result<Signal, BuildError> {
        if expression.names().len() > MOST_NAMES {
            let why = format!("its expression has {} names: at most {MOST_NAMES}", expression.names().len());
            return Err(subject.impossible(Some(key), why));
        }
        if expression.names().is_empty() && !expression.at::<f64>(&[]).is_finite() {
            return Err(subject.bad(key, expression.at::<f64>(&[]), "finite numbers"));
        }
        expression.smooth_pieces().map_err(|e| subject.impossible(Some(key), e.message))?;
        let find = |name: &String| names.find(subject, key, name, &mut counts.angles);
        let senses = expression.names().iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let switches = expression.switches();
        let from = counts.switches;
        counts.switches += switches.len();
        let sides = from..counts.switches;
        let is_timed =
            |s: &Switch| (0..senses.len()).all(|k| matches!(senses[k], Sense::Time) || !s.value.uses(k));
        let in_time =
            |s: &Switch| Formula::sign_changes(s.value.with(|name| (name != "t").then_some(0.0))).ok();
        let timed = switches.iter().filter(|s| is_timed(s)).filter_map(in_time).collect();
        let by_state = switches.iter().map(|s| !is_timed(s)).collect();
        Ok(Signal { expression: expression.clone(), senses, switches, by_state, sides, timed })
    }

    /// Returns the bodies on whose motions it depends.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> {
        self.senses.iter().flat_map(|sense| sense.bodies().iter().copied())
    }

    fn values<'v, S: Scalar>(&self, motions: &Motions<'_, S>, out: &'v mut [S; MOST_NAMES]) -> &'v [S] {
        for (value, sense) in out.iter_mut().zip(&self.senses) {
            *value = sense.at(motions);
        }
        &out[..self.senses.len()]
    }

    /// Returns its value with the derivatives that the motions have.
    pub(crate) fn at<S: Scalar>(&self, motions: &Motions<'_, S>) -> S {
        let mut room = [S::from_f64(0.0); MOST_NAMES];
        let values = self.values(motions, &mut room);
        let sides = &motions.loads.sides[self.sides.clone()];
        if motions.varied.is_none() {
            let plain: [f64; MOST_NAMES] = room.map(|x| x.value());
            return S::from_f64(self.expression.at_sides(&plain[..self.senses.len()], sides));
        }
        let mut jets = [Jet { value: 0.0, rate: 0.0, second: 0.0 }; MOST_NAMES];
        jets.iter_mut().zip(values).for_each(|(jet, x)| jet.value = x.value());
        let jets = &mut jets[..values.len()];
        // Σ ∂s/∂x_k dx_k; each partial derivative is the rate of a jet in which x_k alone changes, at rate 1
        let mut sum = S::from_f64(self.expression.at_sides(&*jets, sides).value);
        for (k, x) in values.iter().enumerate() {
            jets[k].rate = 1.0;
            let slope = self.expression.at_sides(&*jets, sides).rate;
            jets[k].rate = 0.0;
            if slope != 0.0 {
                sum += S::from_f64(slope) * (*x - S::from_f64(x.value()));
            }
        }
        sum
    }

    /// Updates the counts of full turns of its angles.
    pub(crate) fn count_turns(&self, world: &World, loads: &mut Loads, t: f64) {
        self.senses.iter().for_each(|sense| sense.count_turns(world, loads, t));
    }

    /// Returns the first time after t and before `end` at which a switch changes over that depends on the time alone.
    pub(crate) fn smooth_until(&self, t: f64, end: f64) -> f64 {
        self.timed.iter().fold(end, |end, formula| formula.smooth_until(t, end))
    }

    /// Writes the size of each switch into `sizes`: the sum of |∂s/∂x| times a large x over all x that it depends on, and its
    /// own magnitude where these are zero.
    pub(crate) fn switch_sizes(&self, world: &World, sizes: &mut [f64]) {
        let large: Vec<f64> = self.senses.iter().map(|sense| sense.large(world)).collect();
        for (i, switch) in self.sides.clone().zip(&self.switches) {
            // (at large values, where products of zeros do not hide how it depends on them)
            let mut jets: Vec<Jet> =
                large.iter().map(|&value| Jet { value, rate: 0.0, second: 0.0 }).collect();
            let mut size = 0.0;
            for k in 0..jets.len() {
                jets[k].rate = 1.0;
                let slope = switch.value.at(&jets).rate;
                jets[k].rate = 0.0;
                size += if slope.is_finite() { (slope * large[k]).abs() } else { 0.0 };
            }
            sizes[i] = size;
        }
    }

    /// Passes the index of every switch that depends on the state to `take`, with its value.
    pub(crate) fn each_switch(&self, world: &World, loads: &Loads, t: f64, mut take: impl FnMut(usize, f64)) {
        if self.sides.is_empty() {
            return;
        }
        let motions = Motions { world, loads, t, varied: None };
        let mut room = [0.0; MOST_NAMES];
        let values = self.values(&motions, &mut room);
        let all = self.sides.clone().zip(&self.switches).zip(&self.by_state);
        for ((i, switch), _) in all.filter(|(_, by_state)| **by_state) {
            take(i, switch.value.at(values));
        }
    }
}
