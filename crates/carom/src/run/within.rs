//! Selects which points of contact force curves are kept between output times, and limits their number.
//!
//! The curve of a pair's normal force is kept such that straight lines between its points deviate from none of the others by
//! more than [`SHARP`] times the largest force of the contact episode (swinging-door compression: Bristol 1990); peaks are
//! always kept. The points are stored until the next output time, and their number is limited until then: for a contact
//! episode with very many points the tolerance grows, and of very many episodes in one output interval those with the largest
//! forces are kept.

use crate::record::{ContactRecord, Moment};
use crate::state::BodyState;
use carom_base::elementary::powi;

/// The allowed deviation of a straight line, as a fraction of the largest force of the contact episode.
const SHARP: f64 = 0.005;
/// A contact episode gets this number of points in an output interval at that tolerance; for each further point the tolerance
/// doubles.
const FINE: usize = 24;
/// A contact episode never gets more points than this, apart from its release.
const MOST: usize = 40;
/// All contact episodes of a pair together get at most this number of points, but one episode is always kept whole.
const ROOM: usize = 64;
/// The bodies are recorded at this number of moments of an output interval, or at fewer if there are many bodies: about
/// [`NUMBERS`] components of the state in all.
const WHOLE: usize = 12;
const NUMBERS: usize = 600;

/// Selects the significant points of a curve as it is traced: all points between the anchor and the last one are within the
/// tolerance of the straight line from the anchor to any point within the slopes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SwingingDoor {
    anchor: (f64, f64),
    pub(super) last: (f64, f64),
    slopes: (f64, f64),
}

carom_base::plain!(SwingingDoor { anchor, last, slopes });

impl SwingingDoor {
    /// Starts at a point that is kept.
    pub(super) fn new(t: f64, f: f64) -> SwingingDoor {
        SwingingDoor { anchor: (t, f), last: (t, f), slopes: (f64::NEG_INFINITY, f64::INFINITY) }
    }

    /// Adds a point. If a straight line to it would deviate from an earlier point by more than `tolerance`, the last point
    /// has to be kept: its time is returned.
    pub(super) fn reach(&mut self, t: f64, f: f64, tolerance: f64) -> Option<f64> {
        if t <= self.last.0 {
            return None;
        }
        let slope = (f - self.anchor.1) / (t - self.anchor.0);
        let kept = (slope < self.slopes.0 || slope > self.slopes.1).then_some(self.last);
        if let Some((t, f)) = kept {
            *self = SwingingDoor::new(t, f);
        }
        let (dt, df) = (t - self.anchor.0, f - self.anchor.1);
        self.slopes = (self.slopes.0.max((df - tolerance) / dt), self.slopes.1.min((df + tolerance) / dt));
        self.last = (t, f);
        kept.map(|(t, _)| t)
    }
}

/// A contact point at a moment: the indices of its pair and of the point in the pair, and its record.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) pair: usize,
    pub(super) point: usize,
    pub(super) record: ContactRecord,
}

carom_base::plain!(Row { pair, point, record });

/// A contact pair at a moment; at some moments also the bodies and all other pairs.
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

/// The points of a contact episode, or of its part in an output interval.
#[derive(Clone, Debug, Default)]
struct Episode {
    points: Vec<Point>,
}

carom_base::plain!(Episode { points });

impl Episode {
    fn peak(&self) -> f64 {
        self.points.iter().map(|p| p.f).fold(0.0, f64::max)
    }
}

/// The force curve of a contact pair.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) touching: bool,
    /// the step in which it was last seen to touch
    pub(super) seen: u64,
    /// index of one of its points, for when none touches any more
    pub(super) point: usize,
    pub(super) door: SwingingDoor,
    /// the largest force of this contact episode, of the points kept of it, and of all episodes so far [N]
    scale: f64,
    kept: f64,
    ever: f64,
    /// its normal force at the output time being recorded [N]
    pub(super) at_output: f64,
    waits: bool,
    now: Episode,
    done: Vec<Episode>,
}

carom_base::plain!(Curve { touching, seen, point, door, scale, kept, ever, at_output, waits, now, done });

impl Curve {
    fn new() -> Curve {
        Curve {
            touching: false,
            seen: 0,
            point: 0,
            door: SwingingDoor::new(0.0, 0.0),
            scale: 0.0,
            kept: 0.0,
            ever: 0.0,
            at_output: 0.0,
            waits: false,
            now: Episode::default(),
            done: Vec::new(),
        }
    }

    /// Starts a contact episode with this force.
    pub(super) fn begin(&mut self, t: f64, f: f64, point: usize) {
        (self.touching, self.point, self.door) = (true, point, SwingingDoor::new(t, f));
        // small episodes are not resolved more finely than is visible beside the largest so far
        (self.scale, self.kept) = (f.max(1e-3 * self.ever), f);
    }

    /// Updates the largest forces.
    pub(super) fn update_scale(&mut self, f: f64) {
        (self.scale, self.ever) = (self.scale.max(f), self.ever.max(f));
    }

    /// Returns the allowed deviation of a straight line [N].
    pub(super) fn tolerance(&self) -> f64 {
        let coarser = self.now.points.len().saturating_sub(FINE).min(60) as i32;
        SHARP * self.scale * powi(2f64, coarser)
    }

    /// Whether a force exceeds all that are kept of the contact episode.
    pub(super) fn tops(&self, f: f64) -> bool {
        f > (1.0 + 0.2 * SHARP) * self.kept
    }

    /// Takes account of an output time, at which the curve is recorded anyway.
    pub(super) fn output(&mut self, t: f64, f: f64) {
        self.kept = self.kept.max(f);
        // peaks later in the step are known already
        if t > self.door.last.0 {
            self.door = SwingingDoor::new(t, f);
        }
    }
}

/// The force curves of all pairs, and the points that wait to be reported.
#[derive(Debug)]
pub(super) struct Within {
    pub(super) curves: Vec<Curve>,
    /// the pairs that touch
    pub(super) touching: Vec<usize>,
    /// the pairs with points to report
    waiting: Vec<usize>,
    /// number of steps so far
    pub(super) steps: u64,
    pub(super) last_output: f64,
    /// number of waiting moments with bodies, and its limit
    whole: usize,
    most_whole: usize,
    /// the largest force [N] and indentation [m] at a peak of the run so far
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
    /// Creates the storage for a run whose bodies have this number of components in the state.
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

    /// Allocates curves for all contact pairs.
    pub(super) fn cover(&mut self, pairs: usize) {
        self.curves.resize_with(self.curves.len().max(pairs), Curve::new);
    }

    /// Whether the bodies are to be recorded at a moment with this force; a moment with a smaller force may have to give up
    /// its bodies for it.
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

    /// Keeps a point of a pair's curve.
    pub(super) fn keep(&mut self, pair: usize, point: Point) {
        let curve = &mut self.curves[pair];
        if !curve.waits {
            curve.waits = true;
            self.waiting.push(pair);
        }
        let points = &mut curve.now.points;
        // beyond the limit, a larger force replaces the largest one; a release is always kept
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

    /// Ends a contact episode, or its part before an output time. If there are too many points, removes the episode with the
    /// smallest peak.
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

    /// Returns all waiting points before a time [s], as moments in the order of time; later points stay.
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
            // an output time is reported by its frame
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

/// Combines the points of pairs into moments: points at the same time form one moment.
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

    /// Straight lines between the points kept of a half sine never deviate by more than the tolerance, and the points are
    /// few.
    #[test]
    fn lines_between_what_is_kept_are_near() {
        let curve: Vec<(f64, f64)> =
            (0..=1000).map(|i| f64::from(i) * 1e-3).map(|t| (t, (3.0 * t).sin())).collect();
        let mut door = SwingingDoor::new(curve[0].0, curve[0].1);
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

    /// A million contact episodes in an output interval: few points, and the largest force is one of them.
    #[test]
    fn a_storm_is_bounded_and_keeps_its_peak() {
        let mut within = Within::new(13);
        within.cover(1);
        for i in 0..100_000u32 {
            let t = f64::from(i);
            let top = 1.0 + f64::from(i.wrapping_mul(2_654_435_761) >> 8);
            for (dt, f) in [(0.0, 0.0), (0.2, top), (0.4, 0.0)] {
                let whole = within.is_whole(f);
                within.keep(0, point(t + dt, f, whole));
            }
            within.end(0);
            assert!(within.whole <= WHOLE);
        }
        let most = (0..100_000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 8).max().unwrap();
        let peak = within.curves[0].done.iter().map(Episode::peak).fold(0.0, f64::max);
        assert_eq!(peak, 1.0 + f64::from(most));
        let passed_on = within.take_before(1e9);
        assert!(passed_on.len() <= ROOM, "{}", passed_on.len());
        assert_eq!((within.whole, within.take_before(1e9).len()), (0, 0));
    }

    /// One contact episode that rises and falls for ever: at most the allowed number of points, the largest force among them.
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
