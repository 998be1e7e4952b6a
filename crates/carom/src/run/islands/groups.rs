//! Which bodies may meet within a window, and how long the window is.
//!
//! Bodies that touch, or whose balls overlap, belong together. Of the others it is foretold when their balls would meet: a
//! body that touches nothing flies on, under the same gravity as all that fly, so that two of them approach on a straight
//! line; a body that touches something leaves that line as its forces allow; one that meets a wall may from then on go anywhere
//! at the speed it has. This need not be right: what it misses is found when the window is over. The window ends before more bodies than a share of them would meet, so groups stay small.

use carom_base::Vec3;
use carom_geometry::proximity::{Aabb, Sweep};

/// A window is so short that no larger share of the groups at its start meet others in it.
const SHARE: f64 = 0.2;
/// That many meetings are always allowed.
const FEW: usize = 2;
/// A window is not shortened to less than this part of the last one, however many would meet in it.
const SHORTEST: f64 = 0.25;

/// A body at the start of a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    pub(super) p: Vec3,
    pub(super) v: Vec3,
    /// radius of the ball about its centre of mass that contains it [m]
    pub(super) radius: f64,
    /// how fast it may leave the path of a body that nothing touches, in any direction [m/s²]
    pub(super) pull: f64,
    /// the time from which on it may go anywhere [s], as it meets a wall then, and at what speed [m/s]
    pub(super) flies: f64,
    pub(super) speed: f64,
    /// the speed of its fastest point [m/s]
    pub(super) fastest: f64,
}

impl Mover {
    /// Returns the box in which it will be within a time `h` [s].
    pub(super) fn bounds(&self, h: f64, gravity: &Vec3) -> Aabb {
        let flies = self.flies.min(h);
        let far = self.p + self.v * flies + 0.5 * flies * flies * gravity;
        let radius = self.radius + 0.125 * gravity.norm() * flies * flies + self.strays(flies) * flies;
        let flight = Aabb::of_sphere(&self.p, radius).merge(&Aabb::of_sphere(&far, radius));
        if flies == h {
            return flight;
        }
        let left = h - flies;
        let anywhere = radius + (self.speed + gravity.norm() * (flies + 0.5 * left)) * left;
        flight.merge(&Aabb::of_sphere(&far, anywhere))
    }

    /// Returns how fast it leaves the path of a body that nothing touches, on average over a time `h` [m/s]: ½ a h, but no faster
    /// than if its velocity were reversed.
    fn strays(&self, h: f64) -> f64 {
        (0.5 * self.pull * h).min(2.0 * self.speed)
    }

    /// Returns when the balls of two bodies meet, if they do so within `h` [s].
    fn meets(&self, other: &Mover, h: f64, gravity: f64) -> Option<f64> {
        let (d, w) = (other.p - self.p, other.v - self.v);
        let radii = self.radius + other.radius;
        // first both fly, then one, then none
        let (first, second) = (self.flies.min(other.flies).min(h), self.flies.max(other.flies).min(h));
        let strays = self.strays(h) + other.strays(h);
        if let Some(t) = reached(&d, &w, radii, strays).filter(|t| *t <= first) {
            return Some(t);
        }
        let (flier, lost) = if self.flies > other.flies { (self, other) } else { (other, self) };
        let (d, radii) = (d + w * first, radii + strays * first);
        let falls = gravity * h;
        let grows = lost.speed + falls + strays;
        // (the flier's own velocity counts, as the other one has none)
        let towards = if self.flies > other.flies { -self.v } else { other.v };
        if let Some(t) = reached(&d, &towards, radii, grows + 0.5 * falls).filter(|t| first + t <= second) {
            return Some(first + t);
        }
        let d = d + towards * (second - first);
        let grown = radii + (grows + 0.5 * falls) * (second - first);
        let t = reached(&d, &Vec3::zeros(), grown, grows + flier.speed + falls)?;
        (second + t <= h).then_some(second + t)
    }
}

/// Returns the first time at which |d + w t| = r + u t, if there is one: 0 if it is less at the start.
fn reached(d: &Vec3, w: &Vec3, r: f64, u: f64) -> Option<f64> {
    let c = d.norm_squared() - r * r;
    if c <= 0.0 {
        return Some(0.0);
    }
    let (a, b) = (w.norm_squared() - u * u, d.dot(w) - r * u);
    let under = b * b - a * c;
    if under < 0.0 || (a >= 0.0 && b >= 0.0) {
        return None;
    }
    // the smaller positive root of a t² + 2 b t + c = 0
    let t = c / (under.sqrt() - b);
    (t >= 0.0).then_some(t)
}

/// Sets of bodies that belong together.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    parent: Vec<usize>,
    size: Vec<usize>,
    pub(super) count: usize,
}

impl Sets {
    pub(super) fn new(n: usize) -> Sets {
        Sets { parent: (0..n).collect(), size: vec![1; n], count: n }
    }

    pub(super) fn find(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    /// Puts two sets together. Returns whether they were two.
    pub(super) fn join(&mut self, i: usize, j: usize) -> bool {
        let (i, j) = (self.find(i), self.find(j));
        if i == j {
            return false;
        }
        let (root, other) = if self.size[i] >= self.size[j] { (i, j) } else { (j, i) };
        self.parent[other] = root;
        self.size[root] += self.size[other];
        self.count -= 1;
        true
    }

    /// Returns the sets: the indices of the members of each, ascending, in the order of the first ones.
    pub(super) fn all(&mut self) -> Vec<Vec<usize>> {
        let n = self.parent.len();
        let mut index = vec![usize::MAX; n];
        let mut all: Vec<Vec<usize>> = Vec::with_capacity(self.count);
        for i in 0..n {
            let root = self.find(i);
            if index[root] == usize::MAX {
                index[root] = all.len();
                all.push(Vec::new());
            }
            all[index[root]].push(i);
        }
        all
    }
}

/// The search for groups.
#[derive(Debug, Default)]
pub(super) struct Foretold {
    sweep: Sweep,
    boxes: Vec<Aabb>,
    overlaps: Vec<(u32, u32)>,
    meetings: Vec<(f64, u32, u32)>,
}

impl Foretold {
    /// Puts together which bodies belong together in a window of at most `h` [s], and returns its length. `sets` has those
    /// that touch. The last window was `last` [s].
    ///
    /// `gap` returns a lower bound on the gap between two bodies whose balls overlap [m], and need not be exact beyond what it is
    /// given as enough.
    pub(super) fn window(
        &mut self,
        movers: &[Mover],
        gravity: &Vec3,
        sets: &mut Sets,
        (h, last): (f64, f64),
        mut gap: impl FnMut(usize, usize, f64) -> f64,
    ) -> f64 {
        self.boxes.clear();
        self.boxes.extend(movers.iter().map(|mover| mover.bounds(h, gravity)));
        self.sweep.pairs(&self.boxes, &mut self.overlaps);
        self.meetings.clear();
        for &(i, j) in &self.overlaps {
            let (a, b) = (&movers[i as usize], &movers[j as usize]);
            let Some(mut t) = a.meets(b, h, gravity.norm()) else { continue };
            if t == 0.0 && sets.find(i as usize) != sets.find(j as usize) {
                // no point of them is faster
                let speed = a.fastest + b.fastest + 2.0 * gravity.norm() * h;
                t = gap(i as usize, j as usize, speed * h) / speed;
            }
            if t <= h {
                self.meetings.push((t, i, j));
            }
        }
        self.meetings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut meetings = self.meetings.iter().peekable();
        let least = SHORTEST * last.min(h);
        let mut join = |until: f64, most: usize, sets: &mut Sets| {
            let mut joined = 0;
            while let Some(&&(t, i, j)) = meetings.peek() {
                if t > until || joined >= most {
                    return t.min(until);
                }
                joined += usize::from(sets.join(i as usize, j as usize));
                meetings.next();
            }
            until
        };
        join(least, usize::MAX, sets);
        let most = FEW.max((SHARE * sets.count as f64) as usize);
        let end = join(h, most, sets);
        // what meets at that very instant belongs together too
        join(end, usize::MAX, sets);
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f64, v: f64) -> Mover {
        Mover {
            p: Vec3::new(x, 0.0, 0.0),
            v: Vec3::new(v, 0.0, 0.0),
            radius: 0.5,
            pull: 0.0,
            flies: f64::INFINITY,
            speed: 0.0,
            fastest: v.abs(),
        }
    }

    /// Two balls meet when the distance between them is travelled, however they fall; one that touches something may come
    /// to meet the other.
    #[test]
    fn meetings_are_foretold() {
        let (a, b) = (ball(0.0, 2.0), ball(3.0, 1.0));
        assert_eq!(a.meets(&b, 3.0, 9.81), Some(2.0));
        assert_eq!(a.meets(&b, 1.9, 9.81), None);
        assert_eq!(b.meets(&ball(0.0, -1.0), 9.0, 0.0), None);
        let resting = Mover { flies: 0.0, speed: 1.0, ..ball(6.0, 0.0) };
        let t = a.meets(&resting, 9.0, 0.0).unwrap();
        assert!((t - 5.0 / 3.0).abs() < 1e-12, "{t}");
        // one that is held by a contact leaves its path no faster than the force allows
        let pulled = Mover { pull: 0.5, speed: 1.0, ..ball(3.0, 1.0) };
        let t = a.meets(&pulled, 2.0, 0.0).unwrap();
        assert!((t - 2.0 / 1.5).abs() < 1e-12, "{t}");
    }

    /// A window ends before too many would meet.
    #[test]
    fn windows_are_short_enough() {
        let movers: Vec<Mover> = (0..100).map(|i| ball(2.0 * f64::from(i), -f64::from(i * i))).collect();
        let mut sets = Sets::new(100);
        let h = Foretold::default().window(&movers, &Vec3::zeros(), &mut sets, (1.0, 1e-9), |_, _, _| 0.0);
        assert!(h < 1.0 && (79..=80).contains(&sets.count), "{h} {}", sets.count);
        let groups = sets.all();
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), 100);
    }
}
