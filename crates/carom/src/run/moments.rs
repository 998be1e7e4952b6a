//! Tracks contacts through the steps between output times.

use carom_base::Vec3;

use super::runner::{Runner, passed_on};
use super::sink::Sink;
use super::within::{Point, Row, Within};
use crate::contact::Active;
use crate::error::RunError;
use crate::forward::kinematics;
use crate::record::ContactRecord;
use crate::state::BodyState;
use crate::system::touches;

/// A time in the last step.
#[derive(Clone, Copy, Debug)]
enum Where {
    Start,
    End,
    Inside(f64),
}

impl Runner<'_> {
    /// Starts or stops tracking contacts between output times, as the sink wishes.
    #[inline]
    pub(super) fn follow(&mut self) {
        if self.within.is_some() != self.reported.follows {
            let numbers = self.sim.model.world.layout.bodies();
            self.within = self.reported.follows.then(|| Box::new(Within::new(numbers)));
        }
    }

    /// Records, before the output times of the step just taken are reported, releases and touches at its start and peaks
    /// within it.
    pub(super) fn follow_contacts(&mut self) -> Result<(), RunError> {
        let Some(mut within) = self.within.take() else { return Ok(()) };
        let somebody = !(within.touching.is_empty() && self.system.monitor.active.is_empty());
        if somebody && self.solver.t() > self.solver.t_start() {
            self.touches_and_peaks(&mut within)?;
        }
        self.within = Some(within);
        Ok(())
    }

    fn touches_and_peaks(&mut self, within: &mut Within) -> Result<(), RunError> {
        within.steps += 1;
        within.cover(self.system.monitor.pairs.len());
        self.system.peaks.found.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut i = 0;
        while let Some(&at) = self.system.monitor.active.get(i) {
            i += self.system.monitor.pairs[at.pair].state.on.len().max(1);
            within.curves[at.pair].seen = within.steps;
            let deep = self.system.monitor.pairs[at.pair].state.depth > 0.0;
            let peaks = self.system.peaks.found.iter().any(|peak| peak.0 == at.pair);
            if !within.curves[at.pair].touching && (deep || peaks) {
                self.begin(within, at)?;
            }
        }
        self.let_go(within)?;
        for i in 0..self.system.peaks.found.len() {
            let (pair, t) = self.system.peaks.found[i];
            self.peak(within, pair, t)?;
        }
        Ok(())
    }

    /// Starts the curve of a pair that touches from the start of the step on.
    fn begin(&mut self, within: &mut Within, at: Active) -> Result<(), RunError> {
        let t = self.go_to(Where::Start)?;
        let point = self.point_of(at.pair, at.point, t);
        within.curves[at.pair].begin(t, point.f, at.point);
        within.touching.push(at.pair);
        if t > within.last_output {
            self.keep(within, at.pair, point, true);
        }
        Ok(())
    }

    /// Ends the curves of the pairs that can no longer carry a force: they have separated at the start of the step.
    fn let_go(&mut self, within: &mut Within) -> Result<(), RunError> {
        let mut i = 0;
        while let Some(&pair) = within.touching.get(i) {
            if within.curves[pair].seen == within.steps {
                i += 1;
                continue;
            }
            let t = self.go_to(Where::Start)?;
            self.part(within, pair, t);
            within.touching.swap_remove(i);
        }
        Ok(())
    }

    /// Ends the curve of a pair that separates in the state held by the workspace.
    fn part(&self, within: &mut Within, pair: usize, t: f64) {
        let point = self.point_of(pair, within.curves[pair].point, t);
        if t > within.last_output {
            self.keep(within, pair, point, true);
        }
        within.end(pair);
        within.curves[pair].touching = false;
    }

    /// Records a peak of force or depth of a pair within the step. It is kept if it exceeds the largest of the run or of the
    /// contact episode, or deviates from the straight line between the step's ends.
    fn peak(&mut self, within: &mut Within, pair: usize, t: f64) -> Result<(), RunError> {
        let (t1, f1) = (self.solver.t(), self.system.monitor.pairs[pair].state.f_n);
        let (last, f_last) = within.curves[pair].door.last;
        if t <= last || t >= t1 || t <= within.last_output {
            return Ok(());
        }
        self.go_to(Where::Inside(t))?;
        let point = self.point_of(pair, within.curves[pair].point, t);
        // exceeds by more than rounding error: a body that rolls steadily has very many equal peaks
        let above = |x: f64, most: f64| x > (1.0 + 1e-7) * most;
        let record = above(point.f, within.peak) || above(point.depth, within.deepest);
        let curve = &mut within.curves[pair];
        curve.update_scale(point.f);
        let line = f_last + (f1 - f_last) * (t - last) / (t1 - last);
        if !(record || curve.tops(point.f) || (point.f - line).abs() > curve.tolerance()) {
            return Ok(());
        }
        let f = point.f;
        (within.peak, within.deepest) = (within.peak.max(f), within.deepest.max(point.depth));
        self.keep(within, pair, point, true);
        self.reach(within, pair, t, f)?;
        within.curves[pair].door = super::within::SwingingDoor::new(t, f);
        Ok(())
    }

    /// Continues the curve of a pair to a later time with this force; keeps the points that straight lines would miss before.
    fn reach(&mut self, within: &mut Within, pair: usize, t: f64, f: f64) -> Result<(), RunError> {
        let curve = &mut within.curves[pair];
        curve.update_scale(f);
        let tolerance = curve.tolerance();
        let Some(last) = curve.door.reach(t, f, tolerance) else { return Ok(()) };
        // otherwise it is kept already
        if last == self.solver.t_start() && last > within.last_output {
            let t = self.go_to(Where::Start)?;
            let point = self.point_of(pair, within.curves[pair].point, t);
            self.keep(within, pair, point, false);
        }
        Ok(())
    }

    /// Continues the curves to the end of the step, after its output times are reported.
    pub(super) fn follow_to_end(&mut self) -> Result<(), RunError> {
        let Some(mut within) = self.within.take() else { return Ok(()) };
        let t1 = self.solver.t();
        let mut i = 0;
        while let Some(&pair) = within.touching.get(i).filter(|_| t1 > self.solver.t_start()) {
            let (f, depth) =
                (self.system.monitor.pairs[pair].state.f_n, self.system.monitor.pairs[pair].state.depth);
            self.reach(&mut within, pair, t1, f)?;
            if depth > 0.0 {
                i += 1;
                continue;
            }
            self.go_to(Where::End)?;
            self.part(&mut within, pair, t1);
            within.touching.swap_remove(i);
        }
        self.within = Some(within);
        Ok(())
    }

    /// Reports the moments before an output time, after its frame is made and before that is reported.
    pub(super) fn tell_within(&mut self, t: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
        if let Some(islands) = &mut self.islands {
            let moments = islands.in_order();
            islands.shown = t;
            return moments.iter().try_for_each(|moment| passed_on(moment.t, sink.within(moment)));
        }
        let Some(mut within) = self.within.take() else { return Ok(()) };
        within.cover(self.system.monitor.pairs.len());
        for (pair, contact) in self.frame_pairs.iter().zip(&self.frame.contacts) {
            within.curves[*pair].at_output += contact.f_n;
        }
        for i in 0..within.touching.len() {
            let pair = within.touching[i];
            let f = within.curves[pair].at_output;
            self.reach(&mut within, pair, t, f)?;
            within.curves[pair].output(t, f);
        }
        self.frame_pairs.iter().for_each(|pair| within.curves[*pair].at_output = 0.0);
        within.last_output = t;
        let moments = within.take_before(t);
        self.within = Some(within);
        moments.iter().try_for_each(|moment| passed_on(moment.t, sink.within(moment)))
    }

    /// Reports the remaining moments at the end of the run.
    pub(super) fn tell_rest(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        if let Some(islands) = &mut self.islands {
            let moments = islands.rest();
            return moments.iter().try_for_each(|moment| passed_on(moment.t, sink.within(moment)));
        }
        let moments = self.within.take().map(|mut within| within.take_before(f64::INFINITY));
        moments.into_iter().flatten().try_for_each(|moment| passed_on(moment.t, sink.within(&moment)))
    }

    /// Puts a state of the last step into `self.y` and the workspace; returns its time [s].
    fn go_to(&mut self, moment: Where) -> Result<f64, RunError> {
        let t1 = self.solver.t();
        let t = match moment {
            Where::Start => {
                self.y.clear();
                self.y.extend_from_slice(self.solver.last_step().y0);
                self.solver.t_start()
            }
            Where::End => {
                self.take_state();
                t1
            }
            Where::Inside(t) => {
                self.state_at(t, t1)?;
                t
            }
        };
        kinematics(self.sim.model, t, &self.y, &mut self.system.ws);
        Ok(t)
    }

    /// Returns the contact points of a pair that touch in the state held by the workspace. If none does, returns this point
    /// without a force.
    fn point_of(&self, pair: usize, point: usize, t: f64) -> Point {
        let on = self.system.monitor.active.iter().filter(|at| at.pair == pair);
        let mut rows: Vec<Row> = on.filter_map(|at| self.row(*at)).collect();
        if rows.is_empty() {
            let at = Active { pair, point };
            rows.extend(self.contact_record(&at, |_| true).map(|mut record| {
                record.delta = record.delta.max(0.0);
                // friction and resistance laws may divide by a load of zero
                (record.f_n, record.f_t, record.couple) = (0.0, Vec3::zeros(), Vec3::zeros());
                (record.area, record.pressure) = (0.0, 0.0);
                Row { pair, point, record }
            }));
        }
        let f = rows.iter().map(|row| row.record.f_n).sum();
        let depth = rows.iter().map(|row| row.record.delta).fold(0.0, f64::max);
        Point { t, f, depth, rows, bodies: None }
    }

    fn row(&self, at: Active) -> Option<Row> {
        let point = &self.system.monitor.pairs[at.pair].state.points[at.point];
        let record = self.contact_record(&at, |delta| touches(point, delta))?;
        Some(Row { pair: at.pair, point: at.point, record })
    }

    /// Keeps a point of a pair's curve in the state held by the workspace, together with the bodies and all other pairs if
    /// that is wanted and within the limits.
    fn keep(&self, within: &mut Within, pair: usize, mut point: Point, whole: bool) {
        if whole && within.is_whole(point.f) {
            let others = self.system.monitor.active.iter().filter(|at| at.pair != pair);
            point.rows.extend(others.filter_map(|at| self.row(*at)));
            let bodies = self.sim.model.world.moving().map(|b| BodyState::new(b, point.t, &self.y));
            point.bodies = Some(bodies.collect());
        }
        within.keep(pair, point);
    }

    /// Returns the record of a contact point in the state held by the workspace, if its depth satisfies `wanted`.
    pub(super) fn contact_record(&self, at: &Active, wanted: impl Fn(f64) -> bool) -> Option<ContactRecord> {
        let pair = &self.system.monitor.pairs[at.pair];
        let patch = self.system.patch(at, &self.y).ok()?;
        let c = match &patch {
            Some(patch) => patch.point,
            None => self.system.point(at, &self.y).ok()?.0,
        };
        wanted(c.contact.delta).then(|| ContactRecord {
            contact: pair.name.clone(),
            feature: pair.geometry.feature_name(at.point),
            point: c.contact.p_a,
            normal: c.contact.n,
            delta: c.contact.delta,
            delta_dot: c.delta_dot,
            f_n: c.f_n,
            f_t: c.f_t,
            couple: patch.map_or_else(|| self.system.couple(at, c, &self.y), |patch| patch.couple),
            area: patch.map_or(0.0, |patch| patch.force.area),
            pressure: patch.map_or(0.0, |patch| patch.force.pressure),
        })
    }
}
