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
pub(crate) struct Facet {
    pub(crate) corners: [Vec3; 3],
    /// unit normal, outwards
    pub(crate) normal: Vec3,
    /// which triangle it is
    pub(crate) number: u32,
    pub(super) vertices: [u32; 3],
    /// edge k is that from corner k to the next
    pub(super) edges: [u32; 3],
}

/// A box with faces across the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(super) min: Vec3,
    pub(super) max: Vec3,
}

impl Extent {
    pub(crate) fn of<'p>(points: impl IntoIterator<Item = &'p Vec3>) -> Extent {
        let none = Extent { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::NEG_INFINITY) };
        points.into_iter().fold(none, |e, p| Extent { min: e.min.inf(p), max: e.max.sup(p) })
    }

    /// Its middle, and half its lengths [m].
    #[inline]
    pub(crate) fn halves(&self) -> (Vec3, Vec3) {
        ((self.min + self.max) * 0.5, (self.max - self.min) * 0.5)
    }

    /// The square of the distance from a point [m²].
    #[inline]
    pub(super) fn square(&self, x: &Vec3) -> f64 {
        let off = |i: usize| (self.min[i] - x[i]).max(x[i] - self.max[i]).max(0.0);
        let (x, y, z) = (off(0), off(1), off(2));
        x * x + y * y + z * z
    }

    /// The square of the distance from another box [m²].
    pub(crate) fn square_to(&self, other: &Extent) -> f64 {
        let off = |i: usize| (self.min[i] - other.max[i]).max(other.min[i] - self.max[i]).max(0.0);
        let (x, y, z) = (off(0), off(1), off(2));
        x * x + y * y + z * z
    }

    /// The square of its diagonal [m²].
    fn size(&self) -> f64 {
        (self.max - self.min).norm_squared()
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
pub(crate) struct Tree {
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

    /// Looks at triangles, those in the lower of two boxes first, as long as no value in their box is known to be above the best one: `bound` gives one that none in a box is below, `look` takes
    /// the best value so far and returns the new one.
    pub(crate) fn least(
        &self,
        mut best: f64,
        mut bound: impl FnMut(&Extent) -> f64,
        mut look: impl FnMut(&Facet, f64) -> f64,
    ) {
        let mut stack = [(0u32, f64::NEG_INFINITY); DEPTH];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (mut here, low) = stack[top];
            if !(low < best) {
                continue;
            }
            loop {
                let node = &self.nodes[here as usize];
                if node.count > 0 {
                    for facet in self.facets_of(node) {
                        best = look(facet, best);
                    }
                    break;
                }
                let [a, b] = [here + 1, node.first].map(|k| (k, bound(&self.nodes[k as usize].extent)));
                let (first, then) = if a.1 <= b.1 { (a, b) } else { (b, a) };
                if then.1 < best {
                    stack[top] = then;
                    top += 1;
                }
                if !(first.1 < best) {
                    break;
                }
                here = first.0;
            }
        }
    }

    /// The same for pairs of triangles, one of this tree and one of another.
    pub(crate) fn least_between(
        &self,
        other: &Tree,
        mut best: f64,
        mut bound: impl FnMut(&Extent, &Extent) -> f64,
        mut look: impl FnMut(&Facet, &Facet, f64) -> f64,
    ) {
        let mut stack = [(0u32, 0u32, f64::NEG_INFINITY); 2 * DEPTH];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (mut i, mut j, low) = stack[top];
            if !(low < best) {
                continue;
            }
            loop {
                let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
                if a.count > 0 && b.count > 0 {
                    for f in self.facets_of(a) {
                        for g in other.facets_of(b) {
                            best = look(f, g, best);
                        }
                    }
                    break;
                }
                // the larger box is the one that is opened
                let opens_a = b.count > 0 || (a.count == 0 && a.extent.size() >= b.extent.size());
                let pairs = if opens_a { [(i + 1, j), (a.first, j)] } else { [(i, j + 1), (i, b.first)] };
                let [x, y] = pairs.map(|(i, j)| {
                    (i, j, bound(&self.nodes[i as usize].extent, &other.nodes[j as usize].extent))
                });
                let (first, then) = if x.2 <= y.2 { (x, y) } else { (y, x) };
                if then.2 < best {
                    stack[top] = then;
                    top += 1;
                }
                if !(first.2 < best) {
                    break;
                }
                (i, j) = (first.0, first.1);
            }
        }
    }

    fn facets_of(&self, node: &Node) -> &[Facet] {
        let first = node.first as usize;
        &self.facets[first..first + node.count as usize]
    }

    /// Looks at all triangles in boxes that `wanted` does not rule out.
    pub(crate) fn within(&self, wanted: impl Fn(&Extent) -> bool, mut look: impl FnMut(&Facet)) {
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
