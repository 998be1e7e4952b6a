//! Changes of the status of contact points, at events and between steps.

use carom_law::Indentation;

use super::contact_point::{Peaks, Status};
use super::monitor::{ContactMonitor, speed_rounding};
use crate::contact::Active;
use crate::joint::GeneralizedForce;
use crate::model::Model;
use crate::record::{Event, EventKind, Warning};
use crate::rule::Against;
use crate::site::Part;

/// If a contact point has more than this many events in a row, each within an instant of the last, it is set free for the
/// duration of an impact.
const MAX_EVENTS: usize = 1000;
/// An instant, as a part of the duration of an impact: no bounce is as short as this.
const INSTANT: f64 = 1e-3;

/// Crossings closer in time than this part of the time in which a body's size is travelled at the model's speed happen
/// together: symmetric bodies touch on both sides at once except for rounding errors, and one event is cheaper than two.
const TOGETHER: f64 = 1e-9;
/// Largest miss of a crossing, as a part of a body's size, within which other points cross together with it.
const MISSED: f64 = 1e-6;

/// The crossing at which a step was made to end.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    at: Active,
    /// distance by which the gap misses the crossing [m], and its rate there [m/s]
    missed: f64,
    rate: f64,
    /// whether the crossing is at the start of the step: no time is left in which the gap could be distinguished from zero
    stays: bool,
}

/// What happens to a contact point at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// a point that was apart touches, or a point that touched parts
    Crosses,
    /// neither gap nor rate can be distinguished from zero, or the point of the located crossing moves back: the motion that
    /// follows decides
    Undecided,
}

/// A contact point whose gap is about zero, seen from the side it is on.
#[derive(Clone, Copy, Debug)]
struct NearZero {
    /// distance by which it is beyond zero on the other side [m]
    beyond: f64,
    /// speed towards the other side [m/s]
    speed: f64,
    /// gap [m] and speed [m/s] that count as zero within rounding error
    zero_gap: f64,
    speed_rounding: f64,
    /// distance [m]: a point closer to zero than this and moving towards it crosses together with the others
    tolerance: f64,
}

impl NearZero {
    /// Decides what happens to the point at an event; `None`: its status stays. The first derivative that is not zero
    /// decides: the gap; if that is zero, its rate; if that is zero too, the motion that follows. `searched` is given if the
    /// event is this point's own crossing, and says whether the crossing is at the start of the step.
    fn fate(&self, searched: Option<bool>) -> Option<Fate> {
        let zero = self.beyond.abs() <= 2.0 * self.zero_gap;
        let still = self.speed.abs() <= self.speed_rounding;
        let due = match searched {
            None => self.speed > 0.0 && self.beyond >= -self.tolerance,
            // a crossing that does not exist to the accuracy of the step is a graze, and is ignored; but where no time has
            // passed it would be found again, so it counts
            Some(stays) => {
                stays || self.speed > self.speed_rounding || (still && (zero || self.beyond > 0.0))
            }
        };
        let undecided = (still && self.beyond <= 2.0 * self.zero_gap)
            || (searched.is_some() && self.speed < -self.speed_rounding);
        due.then_some(if undecided { Fate::Undecided } else { Fate::Crosses })
    }
}

/// Speeds above this part of the model's speed matter: their energy is more than 0.02² = 4·10⁻⁴ of the model's.
pub(super) const MATTERS: f64 = 0.02;

impl ContactMonitor {
    /// Changes, at an event, the status of every contact point whose gap is crossed, or zero within rounding error, and whose
    /// rate leads to the other side. Returns the duration of the shortest impact that begins [s], infinite if none does.
    pub(crate) fn toggle(&mut self, m: &Model, t: f64, y: &[f64]) -> f64 {
        let (mut shortest, worn) = (f64::INFINITY, m.world.layout.worn(y));
        let target = self.examined.target.take();
        for (bounds, b) in self.bounds.iter_mut().zip(&m.world.bodies) {
            bounds.end.update(b, t, y);
        }
        let stays = t == self.examined.start;
        let target = target.and_then(|(at, level)| {
            let (g, rate) = self.gap_at_end(at, worn)?;
            Some(Crossing { at, missed: (g - level).abs(), rate, stays })
        });
        for i in 0..self.candidates.len() {
            let pair = self.candidates[i];
            if self.pairs[pair].scratch.end_of != self.examined.steps
                && target.is_none_or(|x| x.at.pair != pair)
            {
                continue;
            }
            let s = &mut self.pairs[pair];
            let (a, b) = (&self.bounds[s.body_a].end, &self.bounds[s.body_b].end);
            let missed = target.map_or(0.0, |target| target.missed).min(MISSED * s.size);
            s.find_near_points(a, b, TOGETHER * s.size + 2.0 * missed);
            if let Some(target) =
                target.filter(|x| x.at.pair == pair && !s.scratch.near.contains(&x.at.point))
            {
                s.scratch.near.push(target.at.point);
            }
            for i in 0..self.pairs[pair].scratch.near.len() {
                let k = self.pairs[pair].scratch.near[i];
                let at = Active { pair, point: k };
                let before = self.pairs[pair].state.points[k].status;
                self.toggle_point(m, t, at, worn, target.as_ref());
                if before == Status::Off && self.pairs[pair].state.points[k].status == Status::On {
                    shortest = shortest.min(self.pairs[pair].impact_duration(m, k));
                }
            }
        }
        self.list_active();
        self.hold_pieces();
        shortest
    }

    fn toggle_point(&mut self, m: &Model, t: f64, at: Active, worn: &[f64], target: Option<&Crossing>) {
        let Some((g, rate)) = self.gap_at_end(at, worn) else { return };
        let (zero_gap, size) = (self.grain_at_end(at.pair), self.pairs[at.pair].size);
        let f = &mut self.pairs[at.pair].state.points[at.point];
        f.store_gap(t, g, rate, self.accepted);
        if f.status == Status::Free {
            if t >= f.events.free_until && g.abs() > 4.0 * zero_gap {
                self.leave_zero(m, t, at, worn);
            }
            return;
        }
        // a point that crosses within so short a time, or no later than the crossing searched for, crosses now
        let soon = TOGETHER * size * (rate.abs() / m.world.scale.speed).min(1.0);
        let with = |x: &Crossing| 2.0 * x.missed.min(MISSED * size) * (rate / x.rate).abs().min(1.0);
        let point = NearZero {
            beyond: -f.status.side() * (g - f.edge()),
            speed: -f.status.side() * rate,
            zero_gap,
            speed_rounding: speed_rounding(m),
            tolerance: zero_gap.max(soon).max(target.map_or(0.0, with)),
        };
        let Some(fate) = point.fate(target.filter(|x| x.at == at).map(|x| x.stays)) else { return };
        let apart = f.status == Status::Off;
        // surfaces that hold each other jump into contact and out of it
        let fate = if m.rules[self.pairs[at.pair].rule].jumps() { Fate::Crosses } else { fate };
        if self.chatters(m, t, at) {
            let name = self.pairs[at.pair].name.clone();
            self.report.warnings.push(Warning::Chatter { contact: name });
            self.set_free(m, t, at, worn);
        } else if fate == Fate::Undecided {
            self.set_free(m, t, at, worn);
        } else if apart {
            self.touch(m, t, at, worn);
        } else {
            self.note_rounding(m, at);
            self.release(m, t, at, worn);
        }
    }

    /// Counts an event of a contact point, and returns whether the point touches and parts far more often than any bouncing
    /// body; it is then to be free until an impact would be over. Bounces never count, however many there are, because their
    /// contacts last as long as an impact. The result does not depend on what is recorded, or when.
    fn chatters(&mut self, m: &Model, t: f64, at: Active) -> bool {
        let pair = &self.pairs[at.pair];
        let speed = pair.state.points[at.point].last.rate.abs();
        let duration = pair.duration_at(m, at.point, speed.max(m.rules[pair.rule].min_impact_speed));
        let f = &mut self.pairs[at.pair].state.points[at.point];
        let quick = t - std::mem::replace(&mut f.events.last, t) < INSTANT * duration;
        f.events.in_a_row = if quick { f.events.in_a_row + 1 } else { 0 };
        if f.events.in_a_row <= MAX_EVENTS {
            return false;
        }
        (f.events.in_a_row, f.events.free_until) = (0, t + duration);
        true
    }

    /// Updates the contact points after an accepted step: free points whose gaps are clear of zero become on or off again.
    pub(crate) fn settle(&mut self, m: &Model, t: f64, y: &[f64]) {
        self.accepted += 1;
        // at an event all gaps are evaluated again; the stored ones belong to the end of the step that went past the event
        if std::mem::take(&mut self.examined.repeated) || self.examined.end != t {
            return;
        }
        let mut changed = false;
        for i in 0..self.candidates.len() {
            let index = self.candidates[i];
            let pair = &mut self.pairs[index];
            if pair.scratch.end_of != self.examined.steps {
                continue;
            }
            for &k in &pair.scratch.near {
                let f = &mut pair.state.points[k];
                f.store_gap(t, f.end.gap, f.end.rate, self.accepted);
            }
            for i in 0..pair.scratch.near.len() {
                let k = self.pairs[index].scratch.near[i];
                let f = &self.pairs[index].state.points[k];
                if f.status != Status::Free
                    || t < f.events.free_until
                    || f.last.gap.abs() <= 4.0 * self.grain_at_end(index)
                {
                    continue;
                }
                changed = true;
                for b in [self.pairs[index].body_a, self.pairs[index].body_b] {
                    self.bounds[b].end.update(&m.world.bodies[b], t, y);
                }
                self.leave_zero(m, t, Active { pair: index, point: k }, m.world.layout.worn(y));
            }
        }
        if changed {
            self.list_active();
        }
        self.hold_pieces();
    }

    /// Sets a free point whose gap is clear of zero to off or on.
    fn leave_zero(&mut self, m: &Model, t: f64, at: Active, worn: &[f64]) {
        let f = &self.pairs[at.pair].state.points[at.point];
        if f.last.gap > f.edge() {
            self.release(m, t, at, worn);
        } else {
            self.found_touching(m, t, at, worn);
        }
    }

    /// Latches and records a touch: the gap closes.
    fn touch(&mut self, m: &Model, t: f64, at: Active, worn: &[f64]) {
        self.latch_and_note(m, t, at, worn, |rate| if rate.abs() <= speed_rounding(m) { 0.0 } else { -rate });
    }

    /// Latches and records a touch whose gap is closed already, since before the start or, within rounding error, from rest:
    /// it need not be closing any more.
    pub(crate) fn found_touching(&mut self, m: &Model, t: f64, at: Active, worn: &[f64]) {
        self.latch_and_note(m, t, at, worn, |rate| (-rate).max(0.0));
    }

    fn latch_and_note(&mut self, m: &Model, t: f64, at: Active, worn: &[f64], speed: impl Fn(f64) -> f64) {
        let latched = self.latch(m, t, at, worn);
        let speed = speed(self.pairs[at.pair].state.points[at.point].last.rate);
        self.note_touch(m, t, at, speed);
        let rule = &m.rules[self.pairs[at.pair].rule];
        let speed = -self.pairs[at.pair].state.points[at.point].last.rate;
        let matters = speed > MATTERS * m.world.scale.speed;
        if latched == Some(false) && matters && rule.normal.needs_impact_speed() {
            self.report.warnings.push(Warning::SlowTouch { contact: self.pairs[at.pair].name.clone() });
        }
    }

    /// Records a touch that closes at `speed` [m/s], after the law's quantities were latched. A free point that had touched
    /// before still touches, so its touch is not recorded again.
    pub(crate) fn note_touch(&mut self, m: &Model, t: f64, at: Active, speed: f64) {
        // the force rises from here on: if it falls at the end of the first step, it had a peak within that step
        let rising = f64::MIN_POSITIVE;
        let pair = &mut self.pairs[at.pair];
        if pair.state.points.iter().all(|f| !f.touching) {
            self.report.contacts += 1;
            (pair.state.f_n_rate, pair.state.depth_rate) = (rising, rising);
        }
        self.set_status(m, at, Status::On);
        self.note_jump(m, at, -1.0);
        let f = &mut self.pairs[at.pair].state.points[at.point];
        if std::mem::replace(&mut f.touching, true) {
            return;
        }
        f.peaks = Peaks { force_rate: rising, ..Peaks::default() };
        self.record(t, at, EventKind::Touch, speed);
        // with a plain dashpot the force jumps at touch, and may be largest there
        let pair = &self.pairs[at.pair];
        let f = &pair.state.points[at.point];
        let least = if f.touch.floor < 0.0 { -f.latched.hold } else { f64::MIN_POSITIVE };
        let first = Indentation { delta: (-f.last.gap).max(least), delta_dot: speed };
        let force = match pair.presses() {
            true => {
                let bodies = pair.bodies(|body| &self.bounds[body].end, &[]);
                pair.force_at(m, at.point, bodies).map_or(0.0, |patch| patch.f_n)
            }
            false => f.latched.share * m.rules[pair.rule].normal.force(first, &f.touch).f_n.max(0.0),
        };
        let f = &mut self.pairs[at.pair].state.points[at.point];
        f.peaks.force = force;
        self.report.peak_force = self.report.peak_force.max(f.peaks.force);
    }

    /// Sets a contact point whose gap opens to off, and records the release. No release is recorded for a point that was
    /// never closed by more than rounding error, because it had no touch.
    pub(crate) fn release(&mut self, m: &Model, t: f64, at: Active, worn: &[f64]) {
        self.note_share(m, at, worn);
        self.note_jump(m, at, 1.0);
        self.set_off(at);
        let pair = &mut self.pairs[at.pair];
        pair.state.deepest = pair.state.deepest.max(pair.state.points[at.point].peaks.indentation);
        let f = &mut self.pairs[at.pair].state.points[at.point];
        let speed = f.last.rate;
        if std::mem::replace(&mut f.touching, false) {
            self.record(t, at, EventKind::Release, speed);
        }
    }

    /// Notes the share that a contact point has as it parts, of what its contact has stored.
    fn note_share(&mut self, m: &Model, at: Active, worn: &[f64]) {
        let (pair, ends) = (&self.pairs[at.pair], &self.bounds);
        let rule = &m.rules[pair.rule];
        if !(rule.has_memory || rule.jumps()) || pair.presses() {
            return;
        }
        if let Ok(c) = pair.contact(at.point, pair.bodies(|body| &ends[body].end, worn)) {
            self.pairs[at.pair].state.points[at.point].latched.share = c.share;
        }
    }

    /// Records the energy that is lost as adhesive surfaces jump apart (`sign` 1), or into contact (−1): what the contact stores then is not there on the other side.
    fn note_jump(&mut self, m: &Model, at: Active, sign: f64) {
        let pair = &self.pairs[at.pair];
        let f = &pair.state.points[at.point];
        if f.latched.hold > 0.0 && f.touch.floor < 0.0 {
            // surfaces jump together where their law begins to act, however far beyond a step has gone that does not end there
            let delta = if sign < 0.0 { -f.begins } else { -f.last.gap };
            self.lost_in_jumps += sign * pair.jump(m, at.point, delta);
        }
    }

    pub(super) fn set_free(&mut self, m: &Model, t: f64, at: Active, worn: &[f64]) {
        self.latch(m, t, at, worn);
        self.set_status(m, at, Status::Free);
    }

    /// Sets the status of a contact point, and of the points that touch together with it, to on or free: they carry forces
    /// from now on.
    fn set_status(&mut self, m: &Model, at: Active, status: Status) {
        self.take_memory(m, at);
        let located = self.locates;
        let f = &mut self.pairs[at.pair].state.points[at.point];
        f.close(status, located);
        for point in self.pairs[at.pair].parts(at.point) {
            let part = Active { pair: at.pair, point };
            self.take_memory(m, part);
            self.pairs[at.pair].state.points[point].status = status;
        }
    }

    fn set_off(&mut self, at: Active) {
        let pair = &mut self.pairs[at.pair];
        for k in std::iter::once(at.point).chain(pair.parts(at.point)) {
            pair.state.points[k].open();
            pair.hold_on(k, 0);
            if let Some(memory) = pair.state.points[k].memory.take() {
                self.memories.leave(memory, pair.rule, &pair.state.points[k]);
            }
        }
    }

    /// Assigns a position in the state to the memory of a contact point, if its rule has laws with memory and the point
    /// has none yet.
    fn take_memory(&mut self, m: &Model, at: Active) {
        let pair = &mut self.pairs[at.pair];
        let f = &mut pair.state.points[at.point];
        let rule = &m.rules[pair.rule];
        if let (true, None) = (rule.has_memory, f.memory) {
            let first = self.memories.take(rule.memories(&f.latched.grips));
            f.memory = Some(first);
            for one in rule.remembering() {
                let deflection = one.law.deflection_in(&f.latched.grips[one.against as usize]);
                let own = first + one.elements.start..first + one.elements.end;
                self.memories.deflections[own].fill(deflection);
            }
            if f.latched.grips[Against::Sliding as usize].oval != 0.0 {
                self.memories.deflections[first + rule.elements()] = 1.0;
            }
        }
    }

    /// Latches the law's quantities from the bodies at the end of the step, with the wear depths `worn` there. Returns whether
    /// the impact speed was latched, `None` after a failure.
    pub(crate) fn latch(&mut self, m: &Model, t: f64, at: Active, worn: &[f64]) -> Option<bool> {
        let s = &mut self.pairs[at.pair];
        let (ends, bounds, mobility) = ([s.body_a, s.body_b], &self.bounds, &mut self.mobility);
        let bodies = s.bodies(|body| &bounds[body].end, worn);
        let mut mass =
            |by: &[GeneralizedForce; 2]| mobility.inverse_mass(m, t, ends, by, |body| &bounds[body].end);
        if let Ok((g, rate)) = s.gap(at.point, bodies) {
            let f = &mut s.state.points[at.point];
            (f.last.gap, f.last.rate, f.last_t) = (g, rate, t);
        }
        for part in s.parts(at.point) {
            if let Err(why) = s.latch(m, part, bodies, &mut mass) {
                self.failure = Some(Part::Contact(at.pair).fails(why));
                return None;
            }
        }
        match s.latch(m, at.point, bodies, &mut mass) {
            Ok(latched) => {
                let law = &m.rules[s.rule].normal;
                s.state.points[at.point].impact.slow = !latched && law.needs_impact_speed();
                Some(latched)
            }
            Err(why) => {
                self.failure = Some(Part::Contact(at.pair).fails(why));
                None
            }
        }
    }

    fn record(&mut self, t: f64, at: Active, kind: EventKind, speed: f64) {
        let s = &self.pairs[at.pair];
        let f = &s.state.points[at.point];
        self.report.events.push(Event {
            t,
            kind,
            contact: s.name.clone(),
            feature: s.geometry.feature_name(at.point),
            speed,
            peak_force: f.peaks.force,
            max_indentation: f.peaks.indentation,
            follows_from: f.peaks.follows_from,
        });
    }
}

#[cfg(test)]
mod tests {
    use carom_geometry::surfaces::{Plane, Sphere};
    use carom_law::normal::Hertz;

    use super::{INSTANT, MAX_EVENTS};
    use crate::contact::{Active, ContactMonitor};
    use crate::{Body, ContactRule, ModelBuilder};

    /// Events that follow each other faster than any bounces set a point free, for as long as an impact lasts; bounces never
    /// do, however many they are.
    #[test]
    fn only_instants_count() {
        let mut b = ModelBuilder::new();
        b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.02]).surface(Sphere::new(0.02).unwrap()));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
        let m = b.build().unwrap();
        let mut monitor = ContactMonitor::new(&m).unwrap();
        let at = Active { pair: 0, point: 0 };
        let f = &mut monitor.pairs[0].state.points[0];
        (f.touch.mass, f.touch.stiffness, f.last.rate) = (0.1, 1e8, -0.14);
        let duration = monitor.pairs[0].duration_at(&m, 0, 0.14);
        assert!((duration / 1.2e-3 - 1.0).abs() < 0.2, "{duration}");
        let mut t = 0.0;
        for i in 0..=10 * MAX_EVENTS {
            // contacts that last as long as an impact, and flights that end at once
            t += if i % 2 == 0 { duration } else { 0.1 * INSTANT * duration };
            assert!(!monitor.chatters(&m, t, at), "event {i}");
        }
        for i in 0..=MAX_EVENTS {
            t += 0.9 * INSTANT * duration;
            assert_eq!(monitor.chatters(&m, t, at), i == MAX_EVENTS, "event {i}");
        }
        assert_eq!(monitor.pairs[0].state.points[0].events.free_until, t + duration);
    }
}
