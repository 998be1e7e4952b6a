//! Boxes around things in a tree, by which pairs of things that can meet are found without looking at all.

use carom_base::{Pose, Vec3};

/// So many things or fewer are not split further.
const LEAF: usize = 2;
/// The depth of the stack of a walk through two trees.
const DEPTH: usize = 128;

/// A box with faces across the axes, by its middle and half its lengths [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct Aabb {
    pub(super) middle: Vec3,
    pub(super) half: Vec3,
}

impl Aabb {
    pub(super) fn of<'p>(points: impl IntoIterator<Item = &'p Vec3>) -> Aabb {
        let none = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (min, max) = points.into_iter().fold(none, |(min, max), p| (min.inf(p), max.sup(p)));
        Aabb { middle: (min + max) * 0.5, half: (max - min) * 0.5 }
    }

    fn with(&self, other: &Aabb) -> Aabb {
        let ends = |b: &Aabb| [b.middle - b.half, b.middle + b.half];
        Aabb::of(ends(self).iter().chain(&ends(other)))
    }

    /// The box around this one if its frame is at `x`; `turns` are the magnitudes of the frame's axes.
    fn placed(&self, x: &Pose, turns: &[Vec3; 3]) -> Aabb {
        let half = turns[0] * self.half.x + turns[1] * self.half.y + turns[2] * self.half.z;
        Aabb { middle: x.point(&self.middle), half }
    }

    pub(super) fn meets(&self, other: &Aabb) -> bool {
        let (apart, reach) = (self.middle - other.middle, self.half + other.half);
        (0..3).all(|i| apart[i].abs() <= reach[i])
    }

    /// Whether the plane through p with the normal n passes it.
    fn is_cut(&self, p: &Vec3, n: &Vec3) -> bool {
        n.dot(&(self.middle - p)).abs() <= n.abs().dot(&self.half) * (1.0 + 1e-9) + f64::MIN_POSITIVE
    }

    fn size(&self) -> f64 {
        self.half.norm_squared()
    }
}

/// A box and what is in it: things, or two boxes, of which the first one follows it.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Grown,
    /// the first thing, or the second box
    first: u32,
    /// how many things; 0: it has boxes
    count: u32,
}

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Boxes {
    nodes: Vec<Node>,
    /// the numbers of the things, in the order of the tree
    order: Vec<u32>,
}

/// The box of a thing that grows along straight lines: where it begins, and once it is whole, which it is at no lower level than `to` [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct Grown {
    pub(super) at_first: Aabb,
    pub(super) whole: Aabb,
    pub(super) to: f64,
}

impl Grown {
    fn with(&self, other: &Grown) -> Grown {
        Grown {
            at_first: self.at_first.with(&other.at_first),
            whole: self.whole.with(&other.whole),
            to: self.to.min(other.to),
        }
    }

    /// The box around what has grown to that level.
    #[inline]
    fn at(&self, level: f64) -> Aabb {
        let share = (level / self.to).min(1.0);
        let between = |a: &Vec3, b: &Vec3| a + (b - a) * share;
        Aabb {
            middle: between(&self.at_first.middle, &self.whole.middle),
            half: between(&self.at_first.half, &self.whole.half),
        }
    }
}

impl From<Aabb> for Grown {
    fn from(bounds: Aabb) -> Grown {
        Grown { at_first: bounds, whole: bounds, to: 1.0 }
    }
}

/// A flat thing that is looked for: its box, a point of it and its normal.
pub(super) struct Flat {
    pub(super) bounds: Aabb,
    pub(super) p: Vec3,
    pub(super) n: Vec3,
}

impl Boxes {
    /// From the boxes of all things.
    pub(super) fn new(each: &[Grown]) -> Boxes {
        let mut tree =
            Boxes { nodes: Vec::with_capacity(each.len()), order: (0..each.len() as u32).collect() };
        if !each.is_empty() {
            tree.grow(each, 0, each.len());
        }
        tree
    }

    fn grow(&mut self, each: &[Grown], from: usize, to: usize) {
        let part = &mut self.order[from..to];
        let first = each[part[0] as usize];
        let bounds = part.iter().fold(first, |sum, k| sum.with(&each[*k as usize]));
        let here = self.nodes.len();
        self.nodes.push(Node { bounds, first: from as u32, count: part.len() as u32 });
        if part.len() <= LEAF {
            return;
        }
        let middle = |k: &u32| &each[*k as usize].at_first.middle;
        let axis = Aabb::of(part.iter().map(middle)).half.imax();
        let half = part.len() / 2;
        part.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(b)));
        self.grow(each, from, from + half);
        self.nodes[here] = Node { bounds, first: self.nodes.len() as u32, count: 0 };
        self.grow(each, from + half, to);
    }

    fn things(&self, node: &Node) -> &[u32] {
        let first = node.first as usize;
        &self.order[first..first + node.count as usize]
    }

    /// Calls `visit` with the numbers of all things of this tree, whose frame is at `x`, and the box of the other tree that they can meet, its things having grown to a level. `beside` tells of a thing there that nothing in a box meets it.
    pub(super) fn with_boxes_of(
        &self,
        x: &Pose,
        other: (&Boxes, f64),
        beside: impl Fn(u32, &Aabb) -> bool,
        mut visit: impl FnMut(u32, u32),
    ) {
        let (other, level) = other;
        if self.nodes.is_empty() || other.nodes.is_empty() {
            return;
        }
        let turns = [0, 1, 2].map(|i| x.axis(i).abs());
        let mut stack = [(0u32, 0u32); DEPTH];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (i, j) = stack[top];
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            let (placed, bounds) = (a.bounds.whole.placed(x, &turns), b.bounds.at(level));
            if !placed.meets(&bounds) || (b.count > 0 && other.things(b).iter().all(|k| beside(*k, &placed)))
            {
                continue;
            }
            if b.count == 0 && bounds.size() > placed.size() {
                (stack[top], stack[top + 1]) = ((i, b.first), (i, j + 1));
                top += 2;
            } else if a.count > 0 {
                self.things(a).iter().for_each(|k| visit(*k, j));
            } else {
                (stack[top], stack[top + 1]) = ((a.first, j), (i + 1, j));
                top += 2;
            }
        }
    }

    /// Calls `visit` with the numbers of all things in a box of the tree that a flat thing can meet, having grown to a level.
    pub(super) fn meeting(&self, level: f64, within: u32, flat: &Flat, mut visit: impl FnMut(u32)) {
        if self.nodes.is_empty() {
            return;
        }
        let mut stack = [within; DEPTH];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let here = stack[top];
            let node = &self.nodes[here as usize];
            let bounds = node.bounds.at(level);
            if !bounds.meets(&flat.bounds) || !bounds.is_cut(&flat.p, &flat.n) {
                continue;
            }
            if node.count > 0 {
                self.things(node).iter().for_each(|k| visit(*k));
            } else {
                (stack[top], stack[top + 1]) = (node.first, here + 1);
                top += 2;
            }
        }
    }
}
