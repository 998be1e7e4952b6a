//! A tree of boxes around triangles, by which those near something are found without looking at all.
//!
//! Each box is split across its longest side at the median of the triangles' middles, so that both halves have as many and the tree is no deeper than the
//! logarithm of their number. Boxes and triangles are in flat arrays, in the order of a walk down the tree; the stack of a walk has a fixed size.

use carom_base::Vec3;

/// So many triangles or fewer are not split further.
const LEAF: usize = 4;
/// The depth of the stack: more than the levels of a tree whose triangles are numbered by 32 bits.
const DEPTH: usize = 40;

/// A triangle as it is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Facet {
    pub(super) corners: [Vec3; 3],
    /// unit normal, outwards
    pub(super) normal: Vec3,
    /// which triangle it is
    pub(super) number: u32,
    pub(super) vertices: [u32; 3],
    /// edge k is that from corner k to the next
    pub(super) edges: [u32; 3],
}

/// A box with faces across the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) min: Vec3,
    pub(super) max: Vec3,
}

impl Extent {
    pub(super) fn of<'p>(points: impl IntoIterator<Item = &'p Vec3>) -> Extent {
        let none = Extent { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::NEG_INFINITY) };
        points.into_iter().fold(none, |e, p| Extent { min: e.min.inf(p), max: e.max.sup(p) })
    }

    /// The square of the distance from a point [m²].
    #[inline]
    pub(super) fn square(&self, x: &Vec3) -> f64 {
        let off = |i: usize| (self.min[i] - x[i]).max(x[i] - self.max[i]).max(0.0);
        let (x, y, z) = (off(0), off(1), off(2));
        x * x + y * y + z * z
    }

    /// The square of the distance from another box [m²].
    pub(super) fn square_to(&self, other: &Extent) -> f64 {
        let off = |i: usize| (self.min[i] - other.max[i]).max(other.min[i] - self.max[i]).max(0.0);
        let (x, y, z) = (off(0), off(1), off(2));
        x * x + y * y + z * z
    }

    /// The least n·x in it [m].
    pub(super) fn least_along(&self, n: &Vec3) -> f64 {
        (0..3).map(|i| n[i] * if n[i] > 0.0 { self.min[i] } else { self.max[i] }).sum()
    }
}

/// A box, and what is in it: triangles, or two boxes, of which the first one follows it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    extent: Extent,
    /// the first triangle, or the second box
    first: u32,
    /// how many triangles; 0: it has boxes
    count: u32,
}

/// The tree, with the triangles in its order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    pub(super) facets: Vec<Facet>,
}

impl Tree {
    pub(super) fn new(mut facets: Vec<Facet>) -> Tree {
        let mut nodes = Vec::with_capacity(facets.len());
        let all = facets.len();
        grow(&mut nodes, &mut facets, 0, all);
        Tree { nodes, facets }
    }

    /// The box around everything.
    pub(super) fn extent(&self) -> Extent {
        self.nodes.first().map_or_else(|| Extent::of([]), |node| node.extent)
    }

    /// Looks at triangles, near ones first, as long as their box is nearer to the point than the best one; `look` takes the square of the best one's
    /// distance [m²] and returns the new one.
    #[inline]
    pub(super) fn nearest(&self, x: &Vec3, mut look: impl FnMut(&Facet, f64) -> f64) {
        let mut stack = [(0u32, 0.0f64); DEPTH];
        let (mut top, mut best) = (1, f64::INFINITY);
        while top > 0 {
            top -= 1;
            let (mut here, square) = stack[top];
            if !(square < best) {
                continue;
            }
            // down to a leaf, keeping the further box for later
            loop {
                let node = &self.nodes[here as usize];
                if node.count > 0 {
                    let first = node.first as usize;
                    for facet in &self.facets[first..first + node.count as usize] {
                        best = look(facet, best);
                    }
                    break;
                }
                let [a, b] = [here + 1, node.first];
                let [da, db] = [a, b].map(|k| self.nodes[k as usize].extent.square(x));
                let ((near, d_near), (far, d_far)) =
                    if da <= db { ((a, da), (b, db)) } else { ((b, db), (a, da)) };
                if d_far < best {
                    stack[top] = (far, d_far);
                    top += 1;
                }
                if !(d_near < best) {
                    break;
                }
                here = near;
            }
        }
    }

    /// Looks at all triangles in boxes that `wanted` does not rule out.
    pub(super) fn within(&self, wanted: impl Fn(&Extent) -> bool, mut look: impl FnMut(&Facet)) {
        let mut stack = [0u32; DEPTH];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let here = stack[top];
            let node = &self.nodes[here as usize];
            if !wanted(&node.extent) {
                continue;
            }
            if node.count > 0 {
                let first = node.first as usize;
                self.facets[first..first + node.count as usize].iter().for_each(&mut look);
            } else {
                stack[top] = node.first;
                stack[top + 1] = here + 1;
                top += 2;
            }
        }
    }
}

/// Adds the boxes of the triangles from `from` to `to`, and sorts these.
fn grow(nodes: &mut Vec<Node>, facets: &mut [Facet], from: usize, to: usize) {
    let part = &mut facets[from..to];
    let extent = Extent::of(part.iter().flat_map(|f| &f.corners));
    let here = nodes.len();
    nodes.push(Node { extent, first: from as u32, count: part.len() as u32 });
    if part.len() <= LEAF {
        part.sort_unstable_by_key(|f| f.number);
        return;
    }
    // three times the middle of a triangle
    let middle = |f: &Facet| f.corners[0] + f.corners[1] + f.corners[2];
    let middles: Vec<Vec3> = part.iter().map(middle).collect();
    let spread = Extent::of(&middles);
    let axis = (spread.max - spread.min).imax();
    let half = part.len() / 2;
    part.select_nth_unstable_by(half, |a, b| {
        middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.number.cmp(&b.number))
    });
    grow(nodes, facets, from, from + half);
    nodes[here] = Node { extent, first: nodes.len() as u32, count: 0 };
    grow(nodes, facets, from + half, to);
}
