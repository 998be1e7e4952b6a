//! Limits the step size so that no drive is stepped over.
//!
//! An integrator evaluates a drive only at the few times of its stages: it does not see a pulse between two of them, however
//! tight the tolerance. Interval bounds include everything. So the time ahead is divided into *cells* in which a drive
//! changes predictably: its value is monotonic, or bends in one direction, or is almost constant; a motion, whose second
//! derivative enters the equations, has one that changes by at most a fraction of its largest value. No step goes past the
//! end of the cell in which it starts, so that the drive is evaluated there. Fixed steps cannot be refined where a drive
//! turns out to change: their cells are those in which it changes by at most a fraction of its total change. Kinks need no
//! cells: steps end there anyway.

use carom_base::Range;
use carom_base::snapshot::{Carried, Reader, SnapshotError, Writer};

use super::{BodyKind, World};
use crate::course::{Course, Needs};

/// A value is almost constant if it changes by less than this fraction of its total change.
const NEGLIGIBLE_CHANGE: f64 = 1e-3;
/// The allowed change of a second derivative within a cell, as a fraction of the largest.
const PART: f64 = 0.25;
/// No cell is shorter than this fraction of the run: where bounds prove nothing even then, the step size control takes over.
const LEAST: f64 = 1e-7;
/// The length of such an unresolved cell, as a fraction of the run.
const SKIPPED: f64 = 1e-4;
/// The number of parts of the run over which the largest values of a drive are sought.
const PARTS: usize = 256;
/// A remainder of a cell below this fraction of the run is not worth a step.
const MIN_REMAINDER: f64 = 1e-12;
/// A change below this fraction of the value is rounding error.
const ROUNDING: f64 = 1e-12;
/// The largest number of cells of a drive: one with more changes all the time, and the step size control follows it.
const MOST: usize = 1 << 17;

/// The drives of a model, with the cells found so far.
#[derive(Debug, Default)]
pub(crate) struct Ahead<'m> {
    all: Vec<Cells<'m>>,
}

#[derive(Debug)]
struct Cells<'m> {
    course: &'m dyn Course,
    needs: Needs,
    end: f64,
    /// the allowed change of the value, or of its second derivative, within a cell
    no_surprise: f64,
    /// whether the method has fixed steps
    given: bool,
    /// the end of the cell found last [s]
    until: f64,
    width: f64,
    /// the time of the next kink [s]
    smooth: f64,
    /// whether bounds prove nothing about the cell
    unknown: bool,
    count: usize,
}

carom_base::carried!(
    ['m] Cells<'m> { until, width, smooth, unknown, count } scratch { course, needs, end, no_surprise, given }
);

impl Carried for Ahead<'_> {
    fn save(&self, to: &mut Writer) {
        self.all.iter().for_each(|cells| cells.save(to));
    }
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.all.iter_mut().try_for_each(|cells| cells.restore(from))
    }
}

impl<'m> Ahead<'m> {
    /// Creates the cells up to `end` [s]; `given`: steps are fixed, not chosen by their error.
    pub(crate) fn new(world: &'m World, end: f64, given: bool) -> Ahead<'m> {
        let driven = world.drives.iter().map(|d| (&*d.course, d.needs));
        let motions = world.prescribed.iter().flat_map(|&body| match &world.bodies[body].kind {
            BodyKind::Prescribed(motion) => motion.courses(),
            _ => Vec::new(),
        });
        let all = driven.chain(motions.map(|(_, course)| (course, Needs::Motion)));
        Ahead { all: all.map(|(course, needs)| Cells::new(course, needs, end, given)).collect() }
    }

    /// Returns the longest allowed step from t [s].
    pub(crate) fn step(&mut self, t: f64) -> f64 {
        self.all.iter_mut().map(|cells| cells.step(t)).fold(f64::INFINITY, f64::min)
    }
}

impl<'m> Cells<'m> {
    fn new(course: &'m dyn Course, needs: Needs, end: f64, given: bool) -> Cells<'m> {
        let at = |i: usize| end * i as f64 / PARTS as f64;
        let parts = (0..PARTS).map(|i| course.bounds(at(i), at(i + 1)));
        let (mut values, mut second) = (Range::point(course.at(0.0).value), 0.0_f64);
        for x in parts {
            if x.value.is_bounded() {
                values = values.hull(x.value);
            }
            if x.second.is_bounded() {
                second = second.max(x.second.magnitude());
            }
        }
        let rounding = ROUNDING * values.magnitude();
        let no_surprise = match needs {
            Needs::Motion => PART * second + rounding / (end * end),
            _ if given => PART * (values.hi - values.lo) + rounding,
            _ => NEGLIGIBLE_CHANGE * (values.hi - values.lo) + rounding,
        };
        let (until, smooth) = (0.0, f64::NEG_INFINITY);
        Cells {
            course,
            needs,
            end,
            no_surprise,
            given,
            until,
            width: end / 8.0,
            smooth,
            unknown: false,
            count: 0,
        }
    }

    fn step(&mut self, t: f64) -> f64 {
        // a remainder of a cell that is too short is skipped
        while t >= self.until - MIN_REMAINDER * self.end && self.until < self.end && self.count < MOST {
            self.until = self.next(self.until);
            self.count += 1;
        }
        // steps end at a kink anyway
        let known = self.until < self.smooth && self.count < MOST && !self.unknown;
        if known { self.until - t } else { f64::INFINITY }
    }

    /// Finds the end of the cell that starts at t.
    fn next(&mut self, t: f64) -> f64 {
        // a kink ends a cell: bounds jump there
        if t >= self.smooth {
            self.smooth = self.course.smooth_until(t, self.end);
        }
        let left = self.smooth - t;
        let mut width = (2.0 * self.width).min(left);
        self.unknown = false;
        while !self.is_plain(t, t + width) {
            width *= 0.5;
            if width < LEAST * self.end {
                (self.width, self.unknown) = (SKIPPED * self.end, true);
                return t + self.width;
            }
        }
        self.width = width;
        if width == left { self.smooth } else { t + width }
    }

    /// Whether the drive changes predictably between two times.
    fn is_plain(&self, t0: f64, t1: f64) -> bool {
        let x = self.course.bounds(t0, t1);
        let one_way = |rate: Range| rate.lo >= 0.0 || rate.hi <= 0.0;
        match self.needs {
            Needs::Motion => x.second.hi - x.second.lo <= self.no_surprise,
            _ if self.given => x.value.hi - x.value.lo <= self.no_surprise,
            _ => one_way(x.rate) || one_way(x.second) || x.value.hi - x.value.lo <= self.no_surprise,
        }
    }
}

#[cfg(test)]
mod tests {
    use carom_ode::{Options, Solver, methods};

    use super::Ahead;
    use crate::system::{StepPolicy, System};
    use crate::{Body, Drive, Formula, ModelBuilder};

    /// Slow drives take few additional steps: an oscillation of 1 Hz for 10 s is divided into some cells, and each of them
    /// cuts at most one step short.
    #[test]
    fn slow_drives_cost_a_step_for_every_cell_at_most() {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::new("cart").mass(2.0).inertia([0.1; 3]));
        b.drive(Drive::new("world/gravity/1", Formula::new("sin(2*pi*t)").unwrap()));
        let model = b.build().unwrap();
        let run = |ahead: Ahead<'_>| {
            let mut system = System::new(&model, StepPolicy::Located, 10.0).unwrap();
            system.drives_ahead = ahead;
            let y = system.start(0.0, model.world.initial_state());
            let options = Options {
                rtol: 1e-8,
                atol: 1e-8,
                scale: model.world.component_scales(),
                ..Options::default()
            };
            let method = methods::find("dop853").unwrap();
            let mut solver = Solver::new(method, &mut system, 0.0, &y, 10.0, options).unwrap();
            while !solver.done() {
                solver.step(&mut system).unwrap();
                solver.finish(&mut system).unwrap();
            }
            (solver.stats().steps, system.drives_ahead.all.iter().map(|cells| cells.count).sum::<usize>())
        };
        let (bare, _) = run(Ahead::default());
        let (steps, cells) = run(Ahead::new(&model.world, 10.0, false));
        // a cell lasts as long as the value is monotonic or bends in one direction: no less than an eighth of an oscillation
        assert!((20..=80).contains(&cells), "{cells} cells");
        assert!(steps <= bare + cells, "{steps} steps, {bare} without looking ahead, {cells} cells");
    }
}
