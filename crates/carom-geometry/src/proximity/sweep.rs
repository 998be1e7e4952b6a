//! Sweep and prune: sort the boxes along one axis, and compare only neighbours.
//!
//! Between two calls bodies move little, so the order of the last call is nearly right and an insertion
//! sort mends it in a time that grows with the number of boxes alone (Baraff 1992; Cohen, Lin,
//! Manocha and Ponamgi 1995).

use super::Aabb;

/// Where the shadow of a box on the sweep axis begins, and which box it is.
#[derive(Clone, Copy, Debug)]
struct Start {
    at: f64,
    id: u32,
}

/// A box, in the order of the sweep: along the sweep axis and the two others.
#[derive(Clone, Copy, Debug)]
struct Row {
    from: [f64; 3],
    to: [f64; 3],
    id: u32,
}

/// The broad phase: finds all overlapping pairs of boxes, and remembers their order for the next call.
///
/// Once its buffers have grown it allocates nothing.
///
/// ```
/// use carom_geometry::{Vec3, proximity::{Aabb, Sweep}};
/// let boxes = [0.0, 5.0, 1.5].map(|x| Aabb::of_sphere(&Vec3::new(x, 0.0, 0.0), 1.0)); // [m]
/// let (mut sweep, mut pairs) = (Sweep::new(), Vec::new());
/// sweep.pairs(&boxes, &mut pairs);
/// assert_eq!(pairs, [(0, 2)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    axis: usize,
    /// kept in order from call to call
    starts: Vec<Start>,
    /// copied in that order, so that the sweep runs straight through memory
    rows: Vec<Row>,
}

/// Another axis is taken when its spread is so many times the present one's: changing costs a full sort.
const WORTH_A_CHANGE: f64 = 2.0;

/// So many moves a box are cheaper than a full sort.
const MOVES_A_BOX: usize = 16;

impl Sweep {
    /// A broad phase that has seen nothing yet.
    pub fn new() -> Sweep {
        Sweep::default()
    }

    /// Puts every overlapping pair (i, j), i < j, into `out`, once and in ascending order.
    ///
    /// The result depends on the boxes alone, not on earlier calls. `out` is cleared first.
    pub fn pairs(&mut self, boxes: &[Aabb], out: &mut Vec<(u32, u32)>) {
        out.clear();
        self.sort(boxes);
        let axes = [self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3];
        let row = |s: &Start| {
            boxes.get(s.id as usize).map(|b| Row {
                from: axes.map(|i| from(b, i)),
                to: axes.map(|i| to(b, i)),
                id: s.id,
            })
        };
        self.rows.clear();
        self.rows.extend(self.starts.iter().filter_map(row));
        for (k, a) in self.rows.iter().enumerate() {
            for b in self.rows[k + 1..].iter().take_while(|b| b.from[0] <= a.to[0]) {
                let overlap = |i: usize| (a.from[i] <= b.to[i]) & (b.from[i] <= a.to[i]);
                // no branch but one: which axis parts two boxes cannot be foretold
                if overlap(0) & overlap(1) & overlap(2) {
                    out.push((a.id.min(b.id), a.id.max(b.id)));
                }
            }
        }
        out.sort_unstable();
    }

    /// Brings the starts up to date and in order.
    fn sort(&mut self, boxes: &[Aabb]) {
        let axis = widest(boxes, self.axis);
        let fresh = axis != self.axis || self.starts.len() != boxes.len();
        self.axis = axis;
        if fresh {
            self.starts.clear();
            self.starts.extend((0..boxes.len() as u32).map(|id| Start { at: 0.0, id }));
        }
        for start in &mut self.starts {
            if let Some(b) = boxes.get(start.id as usize) {
                start.at = from(b, axis);
            }
        }
        if fresh || !insertion_sort(&mut self.starts) {
            self.starts.sort_unstable_by(|a, b| a.at.total_cmp(&b.at));
        }
    }
}

/// Where a box begins along an axis; what is not a number overlaps all, as in [`Aabb::overlaps`].
fn from(b: &Aabb, axis: usize) -> f64 {
    if b.min[axis].is_nan() { f64::NEG_INFINITY } else { b.min[axis] }
}

/// Where it ends.
fn to(b: &Aabb, axis: usize) -> f64 {
    if b.max[axis].is_nan() { f64::INFINITY } else { b.max[axis] }
}

/// Sorts by `at`; gives up, and says so, when the order is too far off.
fn insertion_sort(starts: &mut [Start]) -> bool {
    let mut moves = MOVES_A_BOX * starts.len();
    for i in 1..starts.len() {
        let moving = starts[i];
        let mut k = i;
        while k > 0 && starts[k - 1].at > moving.at {
            starts[k] = starts[k - 1];
            k -= 1;
        }
        starts[k] = moving;
        match moves.checked_sub(i - k) {
            Some(left) => moves = left,
            None => return false,
        }
    }
    true
}

/// The axis along which the middles of the finite boxes spread most; `now` unless another is clearly
/// better.
fn widest(boxes: &[Aabb], now: usize) -> usize {
    let mut spread = [0.0; 3];
    for (i, spread) in spread.iter_mut().enumerate() {
        // about the first middle: sums of squares far from the origin would cancel
        let mut middles = boxes.iter().map(|b| 0.5 * (b.min[i] + b.max[i])).filter(|m| m.is_finite());
        let Some(first) = middles.next() else { continue };
        let (mut n, mut sum, mut squares) = (1.0, 0.0, 0.0);
        for m in middles {
            n += 1.0;
            sum += m - first;
            squares += (m - first) * (m - first);
        }
        *spread = squares - sum * sum / n;
    }
    let best = (0..3).fold(now, |best, i| if spread[i] > spread[best] { i } else { best });
    if spread[best] > WORTH_A_CHANGE * spread[now] { best } else { now }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_base::Vec3;

    #[test]
    fn no_boxes_no_pairs() {
        let mut out = vec![(1, 2)];
        Sweep::new().pairs(&[], &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn takes_the_widest_axis() {
        let boxes: Vec<Aabb> =
            (0..10).map(|i| Aabb::of_sphere(&Vec3::new(0.0, f64::from(i), 0.1), 0.1)).collect();
        assert_eq!(widest(&boxes, 0), 1);
        assert_eq!(widest(&[Aabb::everything()], 2), 2);
    }

    #[test]
    fn a_floor_meets_everyone() {
        let mut boxes = vec![Aabb::everything()];
        boxes.extend((0..50).map(|i| Aabb::of_sphere(&Vec3::new(f64::from(i) * 3.0, 0.0, 0.0), 1.0)));
        let (mut sweep, mut out) = (Sweep::new(), Vec::new());
        sweep.pairs(&boxes, &mut out);
        assert_eq!(out, (1..=50).map(|i| (0, i)).collect::<Vec<_>>());
    }

    #[test]
    fn a_shuffled_world_is_sorted_anew() {
        let at = |x: f64| Aabb::of_sphere(&Vec3::new(x, 0.0, 0.0), 0.6);
        let forward: Vec<Aabb> = (0..200).map(|i| at(f64::from(i))).collect();
        let backward: Vec<Aabb> = forward.iter().rev().copied().collect();
        let (mut sweep, mut out) = (Sweep::new(), Vec::new());
        for boxes in [&forward, &backward] {
            sweep.pairs(boxes, &mut out);
            assert_eq!(out, (0..199).map(|i| (i, i + 1)).collect::<Vec<_>>());
        }
    }
}
