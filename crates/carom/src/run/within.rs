//! What is kept of contacts between output times, and how much of it.
//!
//! The curve of a pair's normal force is kept such that straight lines between its points miss none of the others by more than [`SHARP`] of the
//! largest force of the touch (a swinging door: Bristol 1990), and peaks are points of their own. What is kept waits for the next output
//! time, and is bounded until then: of a touch with very many points the tolerance grows, and of very many touches in one output interval those
//! with the largest forces stay.

use crate::record::{ContactRecord, Moment};
use crate::state::BodyState;
use carom_base::elementary::powi;

/// What a straight line may miss, of the largest force of the touch.
const SHARP: f64 = 0.005;
/// A touch gets so many points in an output interval at that; for every one more the tolerance doubles.
const FINE: usize = 24;
/// It never gets more than these, its release apart.
const MOST: usize = 40;
/// All touches of a pair together get so many, or one touch its own.
const ROOM: usize = 64;
/// The bodies are recorded at so many moments of an output interval, and fewer if they are many: about so many numbers in all.
const WHOLE: usize = 12;
const NUMBERS: usize = 600;

/// The points of a curve that matter, found as it comes: all between the anchor and the last one are near the straight line
/// from the anchor to any point within the slopes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Door {
    anchor: (f64, f64),
    pub(super) last: (f64, f64),
    slopes: (f64, f64),
}

carom_base::plain!(Door { anchor, last, slopes });

impl Door {
    /// From a point that is kept.
    pub(super) fn new(t: f64, f: f64) -> Door {
        Door { anchor: (t, f), last: (t, f), slopes: (f64::NEG_INFINITY, f64::INFINITY) }
    }

    /// A point more. If a straight line to it would miss one before by more than `tolerance`, the last one has to be kept: its time is returned.
    pub(super) fn reach(&mut self, t: f64, f: f64, tolerance: f64) -> Option<f64> {
        if t <= self.last.0 {
            return None;
        }
        let slope = (f - self.anchor.1) / (t - self.anchor.0);
        let kept = (slope < self.slopes.0 || slope > self.slopes.1).then_some(self.last);
        if let Some((t, f)) = kept {
            *self = Door::new(t, f);
        }
        let (dt, df) = (t - self.anchor.0, f - self.anchor.1);
        self.slopes = (self.slopes.0.max((df - tolerance) / dt), self.slopes.1.min((df + tolerance) / dt));
        self.last = (t, f);
        kept.map(|(t, _)| t)
    }
}

/// A contact point of a moment: the indices of its pair and of the point in it, and what it does.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) pair: usize,
    pub(super) point: usize,
    pub(super) record: ContactRecord,
}

carom_base::plain!(Row { pair, point, record });

/// A pair at a moment, and at some the bodies and all other pairs.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) t: f64,
    /// the normal force of the pair [N]
    pub(super) f: f64,
    /// the depth of its deepest point [m]
    pub(super) depth: f64,
    pub(super) rows: Vec<Row>,
    pub(super) bodies: Option<Vec<BodyState>>,
}

carom_base::plain!(Point { t, f, depth, rows, bodies });

/// A touch, or the part of it in an output interval.
#[derive(Clone, Debug, Default)]
struct Stretch {
    points: Vec<Point>,
}

carom_base::plain!(Stretch { points });

impl Stretch {
    fn peak(&self) -> f64 {
        self.points.iter().map(|p| p.f).fold(0.0, f64::max)
    }
}

/// What is known of a pair of surfaces.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) touching: bool,
    /// the step it was last seen in
    pub(super) seen: u64,
    /// a point of it, for when it has let go
    pub(super) point: usize,
    pub(super) door: Door,
    /// the largest force of this touch, of what is kept of it, and of all touches so far [N]
    scale: f64,
    kept: f64,
    ever: f64,
    /// its normal force at the output time being recorded [N]
    pub(super) at_output: f64,
    waits: bool,
    now: Stretch,
    done: Vec<Stretch>,
}

carom_base::plain!(Curve { touching, seen, point, door, scale, kept, ever, at_output, waits, now, done });

impl Curve {
    fn new() -> Curve {
        Curve {
            touching: false,
            seen: 0,
            point: 0,
            door: Door::new(0.0, 0.0),
            scale: 0.0,
            kept: 0.0,
            ever: 0.0,
            at_output: 0.0,
            waits: false,
            now: Stretch::default(),
            done: Vec::new(),
        }
    }

    /// A touch begins, with this force.
    pub(super) fn begin(&mut self, t: f64, f: f64, point: usize) {
        (self.touching, self.point, self.door) = (true, point, Door::new(t, f));
        // a touch is not finer than what is to be seen beside the largest so far
        (self.scale, self.kept) = (f.max(1e-3 * self.ever), f);
    }

    /// Takes note of a force.
    pub(super) fn feel(&mut self, f: f64) {
        (self.scale, self.ever) = (self.scale.max(f), self.ever.max(f));
    }

    /// What a straight line may miss [N].
    pub(super) fn tolerance(&self) -> f64 {
        let coarser = self.now.points.len().saturating_sub(FINE).min(60) as i32;
        SHARP * self.scale * powi(2f64, coarser)
    }

    /// Whether a force stands out of all that is kept of the touch.
    pub(super) fn tops(&self, f: f64) -> bool {
        f > (1.0 + 0.2 * SHARP) * self.kept
    }

    /// An output time, at which it is recorded anyhow.
    pub(super) fn output(&mut self, t: f64, f: f64) {
        self.kept = self.kept.max(f);
        // peaks later in the step are known already
        if t > self.door.last.0 {
            self.door = Door::new(t, f);
        }
    }
}

/// What waits to be told.
#[derive(Debug)]
pub(super) struct Within {
    pub(super) curves: Vec<Curve>,
    /// those that touch
    pub(super) touching: Vec<usize>,
    /// those with something to tell
    waiting: Vec<usize>,
    /// counts steps
    pub(super) steps: u64,
    pub(super) last_output: f64,
    /// at how many moments bodies wait, and may
    whole: usize,
    most_whole: usize,
    /// the largest force [N] and indentation [m] of the run at a peak so far
    pub(super) peak: f64,
    pub(super) deepest: f64,
}

carom_base::plain!(Within {
    curves,
    touching,
    waiting,
    steps,
    last_output,
    whole,
    most_whole,
    peak,
    deepest
});

impl Within {
    /// Of a run whose bodies have so many numbers.
    pub(super) fn new(numbers: usize) -> Within {
        Within {
            curves: Vec::new(),
            touching: Vec::new(),
            waiting: Vec::new(),
            steps: 0,
            last_output: f64::NEG_INFINITY,
            whole: 0,
            most_whole: (NUMBERS / numbers.max(1)).clamp(1, WHOLE),
            peak: 0.0,
            deepest: 0.0,
        }
    }

    /// Makes room for all slots there are.
    pub(super) fn cover(&mut self, pairs: usize) {
        self.curves.resize_with(self.curves.len().max(pairs), Curve::new);
    }

    /// Whether the bodies are to be recorded at a moment with this force, which a moment with less may have to make room for.
    pub(super) fn is_whole(&mut self, f: f64) -> bool {
        if self.whole < self.most_whole {
            return true;
        }
        let curves = &mut self.curves;
        let mut least: Option<(f64, [usize; 3])> = None;
        for &k in &self.waiting {
            let stretches = curves[k].done.iter().chain([&curves[k].now]).enumerate();
            for (i, j, point) in
                stretches.flat_map(|(i, s)| s.points.iter().enumerate().map(move |(j, p)| (i, j, p)))
            {
                if point.bodies.is_some() && least.is_none_or(|(f, _)| point.f < f) {
                    least = Some((point.f, [k, i, j]));
                }
            }
        }
        let Some((_, [k, i, j])) = least.filter(|(least, _)| *least < f) else { return false };
        let curve = &mut curves[k];
        let stretch = if i < curve.done.len() { &mut curve.done[i] } else { &mut curve.now };
        stretch.points[j].bodies = None;
        self.whole -= 1;
        true
    }

    /// Keeps a point of a pair.
    pub(super) fn keep(&mut self, pair: usize, point: Point) {
        let curve = &mut self.curves[pair];
        if !curve.waits {
            curve.waits = true;
            self.waiting.push(pair);
        }
        let points = &mut curve.now.points;
        // of too many, a greater force takes the place of the greatest; a release is always told
        if points.len() >= MOST && point.f > 0.0 {
            let greatest = (0..points.len()).max_by(|&a, &b| points[a].f.total_cmp(&points[b].f));
            match greatest.filter(|&i| points[i].f < point.f) {
                Some(i) => self.whole -= usize::from(points.remove(i).bodies.is_some()),
                None => return,
            }
        }
        curve.kept = curve.kept.max(point.f);
        self.whole += usize::from(point.bodies.is_some());
        points.push(point);
    }

    /// A touch ends, or what is told of it goes on after an output time. Of too many the one with the least peak goes.
    pub(super) fn end(&mut self, pair: usize) {
        let curve = &mut self.curves[pair];
        if !curve.now.points.is_empty() {
            curve.done.push(std::mem::take(&mut curve.now));
        }
        while curve.done.len() > 1 && curve.done.iter().map(|s| s.points.len()).sum::<usize>() > ROOM {
            let least =
                (0..curve.done.len()).min_by(|&a, &b| curve.done[a].peak().total_cmp(&curve.done[b].peak()));
            let gone = curve.done.remove(least.unwrap_or(0));
            self.whole -= gone.points.iter().filter(|p| p.bodies.is_some()).count();
        }
    }

    /// All that waits from before a time [s], one moment after the other; what is from then on stays.
    pub(super) fn take_before(&mut self, t: f64) -> Vec<Moment> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let mut points: Vec<Point> = Vec::new();
        for pair in std::mem::take(&mut self.waiting) {
            self.end(pair);
            let curve = &mut self.curves[pair];
            curve.waits = false;
            let all = std::mem::take(&mut curve.done).into_iter().flat_map(|s| s.points);
            let (before, mut after): (Vec<Point>, Vec<Point>) = all.partition(|p| p.t < t);
            points.extend(before);
            // an output time is told by itself
            after.retain(|p| p.t > t);
            if !after.is_empty() {
                curve.waits = true;
                self.waiting.push(pair);
                curve.now.points = after;
            }
        }
        let waits =
            |pair: &usize| self.curves[*pair].now.points.iter().filter(|p| p.bodies.is_some()).count();
        self.whole = self.waiting.iter().map(waits).sum();
        moments(points)
    }
}

/// Points of pairs put together: those of one time are one moment.
fn moments(mut points: Vec<Point>) -> Vec<Moment> {
    points.sort_by(|a, b| a.t.total_cmp(&b.t));
    let mut all: Vec<Moment> = Vec::new();
    for same in points.chunk_by(|a, b| a.t == b.t) {
        let mut rows: Vec<&Row> = same.iter().flat_map(|p| &p.rows).collect();
        rows.sort_by_key(|row| (row.pair, row.point));
        rows.dedup_by_key(|row| (row.pair, row.point));
        all.push(Moment {
            t: same[0].t,
            contacts: rows.into_iter().map(|row| row.record.clone()).collect(),
            bodies: same.iter().find_map(|p| p.bodies.clone()).unwrap_or_default(),
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(t: f64, f: f64, whole: bool) -> Point {
        Point { t, f, depth: f, rows: Vec::new(), bodies: whole.then(Vec::new) }
    }

    /// Straight lines between the points that the door keeps of a half sine are nowhere off by more than its tolerance, and they are few.
    #[test]
    fn lines_between_what_is_kept_are_near() {
        let curve: Vec<(f64, f64)> =
            (0..=1000).map(|i| f64::from(i) * 1e-3).map(|t| (t, (3.0 * t).sin())).collect();
        let mut door = Door::new(curve[0].0, curve[0].1);
        let mut kept = vec![curve[0]];
        for (t, f) in &curve[1..] {
            if let Some(last) = door.reach(*t, *f, 0.005) {
                kept.push(*curve.iter().find(|p| p.0 == last).unwrap());
            }
        }
        kept.push(curve[1000]);
        assert!((8..25).contains(&kept.len()), "{} points", kept.len());
        for (t, f) in curve {
            let i = kept.partition_point(|p| p.0 < t).max(1);
            let (a, b) = (kept[i - 1], kept[i]);
            let line = a.1 + (b.1 - a.1) * (t - a.0) / (b.0 - a.0);
            assert!((line - f).abs() <= 0.005 + 1e-12, "{t}: {line}, not {f}");
        }
    }

    /// A million touches in an output interval: few points, and the largest force is one of them.
    #[test]
    fn a_storm_is_bounded_and_keeps_its_peak() {
        let mut within = Within::new(13);
        within.cover(1);
        for i in 0..1_000_000u32 {
            let t = f64::from(i);
            let top = 1.0 + f64::from(i.wrapping_mul(2_654_435_761) >> 8);
            for (dt, f) in [(0.0, 0.0), (0.2, top), (0.4, 0.0)] {
                let whole = within.is_whole(f);
                within.keep(0, point(t + dt, f, whole));
            }
            within.end(0);
            assert!(within.whole <= WHOLE);
        }
        let most = (0..1_000_000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 8).max().unwrap();
        let peak = within.curves[0].done.iter().map(Stretch::peak).fold(0.0, f64::max);
        assert_eq!(peak, 1.0 + f64::from(most));
        let passed_on = within.take_before(1e9);
        assert!(passed_on.len() <= ROOM, "{}", passed_on.len());
        assert_eq!((within.whole, within.take_before(1e9).len()), (0, 0));
    }

    /// One touch that goes up and down for ever: as many points as it may have, the largest force among them.
    #[test]
    fn a_touch_without_end_is_bounded() {
        let mut within = Within::new(13);
        within.cover(1);
        for i in 0..10_000u32 {
            within.keep(0, point(f64::from(i), f64::from((i * 7919) % 10_007) + 1.0, false));
        }
        assert!(within.curves[0].now.points.len() <= MOST);
        assert_eq!(within.curves[0].now.peak(), 10_007.0);
        assert!(within.curves[0].tolerance() >= 0.0);
    }

    #[test]
    fn moments_after_an_output_time_wait_for_the_next() {
        let mut within = Within::new(13);
        within.cover(2);
        for (pair, t) in [(0, 1.0), (1, 1.0), (0, 2.0), (1, 2.5), (0, 3.0)] {
            within.keep(pair, point(t, 1.0, true));
        }
        let times = |all: Vec<Moment>| all.iter().map(|m| m.t).collect::<Vec<f64>>();
        assert_eq!(times(within.take_before(2.0)), [1.0]);
        assert_eq!(times(within.take_before(10.0)), [2.5, 3.0]);
    }
}
