//! How long a step may be so that no drive is stepped over.
//!
//! An integrator sees a drive at the few times of its stages only: a pulse between two of them does not exist for it, however tight the tolerance. Bounds by intervals see everything. So the
//! time ahead is divided into *cells* in which a drive cannot surprise: a number rises or falls all the way, bends one way all the way, or hardly changes; a motion, whose second rate is
//! what enters the equations, has one that changes by a part of its largest at most. No step goes past the end of the cell it starts in, so that the drive is looked at there. Steps that are given cannot be
//! refined where a drive turns out to change: their cells are those in which it changes by a part of all its change at most. Kinks are no concern: steps end there anyway.

use carom_base::Range;
use carom_base::snapshot::{Carried, Reader, SnapshotError, Writer};

use super::{BodyKind, World};
use crate::course::{Course, Needs};

/// The change of a number that is hardly one, as a part of all its change.
const HARDLY: f64 = 1e-3;
/// The change of a second rate that is no surprise, as a part of the largest.
const PART: f64 = 0.25;
/// No cell is shorter than this part of the run: where bounds show nothing even then, steps find out for themselves.
const LEAST: f64 = 1e-7;
/// What is skipped there, as a part of the run.
const SKIPPED: f64 = 1e-4;
/// Parts of the run in which what is large for a drive is looked for.
const PARTS: usize = 256;
/// What is left of a cell that is not worth a step, as a part of the run.
const CRUMB: f64 = 1e-12;
/// A change that is rounding, as a part of the number.
const ROUNDING: f64 = 1e-12;
/// Cells of a drive at most: one with more changes all the time, and steps follow it.
const MOST: usize = 1 << 17;

/// The drives of a model, as far ahead as was looked.
#[derive(Debug, Default)]
pub(crate) struct Ahead<'m> {
    all: Vec<Cells<'m>>,
}

#[derive(Debug)]
struct Cells<'m> {
    course: &'m dyn Course,
    needs: Needs,
    end: f64,
    /// the change of the number, or of its second rate, that is no surprise
    no_surprise: f64,
    /// whether steps are given
    given: bool,
    /// the end of the cell that was asked for last
    until: f64,
    width: f64,
    /// the next kink
    smooth: f64,
    /// whether bounds show nothing of the cell
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
    /// Up to `end` [s]; `given`: steps are given, not chosen by their error.
    pub(crate) fn new(world: &'m World, end: f64, given: bool) -> Ahead<'m> {
        let driven = world.drives.iter().map(|d| (&*d.course, d.needs));
        let motions = world.prescribed.iter().flat_map(|&body| match &world.bodies[body].kind {
            BodyKind::Prescribed(motion) => motion.courses(),
            _ => Vec::new(),
        });
        let all = driven.chain(motions.map(|(_, course)| (course, Needs::Motion)));
        Ahead { all: all.map(|(course, needs)| Cells::new(course, needs, end, given)).collect() }
    }

    /// The longest step from t.
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
            _ => HARDLY * (values.hi - values.lo) + rounding,
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
        // a crumb of a cell is none
        while t >= self.until - CRUMB * self.end && self.until < self.end && self.count < MOST {
            self.until = self.next(self.until);
            self.count += 1;
        }
        // at a kink steps end anyway
        let known = self.until < self.smooth && self.count < MOST && !self.unknown;
        if known { self.until - t } else { f64::INFINITY }
    }

    /// The end of the cell that starts at t.
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

    /// Whether nothing can surprise between two times.
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
    use crate::system::System;
    use crate::{Body, Drive, Formula, ModelBuilder};

    /// What changes slowly costs hardly a step: a swing of 1 Hz for 10 s is divided into some cells, and each of them ends one step at most that would have gone on.
    #[test]
    fn slow_drives_cost_a_step_for_every_cell_at_most() {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::new("cart").mass(2.0).inertia([0.1; 3]));
        b.drive(Drive::new("world/gravity/1", Formula::new("sin(2*pi*t)").unwrap()));
        let model = b.build().unwrap();
        let run = |ahead: Ahead<'_>| {
            let mut system = System::new(&model, true, 10.0).unwrap();
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
        // cells are as long as a number rises or falls, or bends one way: no shorter than the eighth of a swing
        assert!((20..=80).contains(&cells), "{cells} cells");
        assert!(steps <= bare + cells, "{steps} steps, {bare} without looking ahead, {cells} cells");
    }
}
