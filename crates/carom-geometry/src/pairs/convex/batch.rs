//! Many pairs of ellipsoids at once.
//!
//! Eight pairs side by side take the steps of `ellipsoids/chart.rs` together: the numbers of a block are arrays of eight, the loop over
//! the pairs is the innermost, and nothing in it branches, so that the compiler makes vectors of whatever width the processor has. What comes to
//! no certain end there is solved by itself, as any pair is.
//!
//! Checked: the same contacts as one by one to 1e-13 (`tests/batch.rs`).

use std::sync::Arc;

use carom_base::{Mat3, Pose, Vec3};

use super::ellipsoids::chart::{self, Chart, Quadratic};
use super::ellipsoids::{Eggs, Ellipsoids};
use super::{Bound, Way};
use crate::contact::Contact;
use crate::error::PairFailure;
use crate::pair::BoundPair;
use crate::surfaces::Ellipsoid;

/// Pairs side by side.
const LANES: usize = 8;

type Lanes = [f64; LANES];

/// Vectors side by side.
#[derive(Clone, Copy, Debug)]
struct Vectors([Lanes; 3]);

impl Vectors {
    const ZERO: Vectors = Vectors([[0.0; LANES]; 3]);

    #[inline(always)]
    fn get(&self, l: usize) -> Vec3 {
        Vec3::new(self.0[0][l], self.0[1][l], self.0[2][l])
    }

    #[inline(always)]
    fn set(&mut self, l: usize, v: &Vec3) {
        (self.0[0][l], self.0[1][l], self.0[2][l]) = (v.x, v.y, v.z);
    }
}

/// Frames side by side.
#[derive(Clone, Copy)]
struct Poses {
    p: Vectors,
    columns: [Vectors; 3],
}

impl Poses {
    const ZERO: Poses = Poses { p: Vectors::ZERO, columns: [Vectors::ZERO; 3] };

    #[inline(always)]
    fn get(&self, l: usize) -> Pose {
        Pose {
            p: self.p.get(l),
            r: Mat3::from_columns(&[self.columns[0].get(l), self.columns[1].get(l), self.columns[2].get(l)]),
        }
    }

    #[inline(always)]
    fn set(&mut self, l: usize, x: &Pose) {
        self.p.set(l, &x.p);
        for (j, column) in self.columns.iter_mut().enumerate() {
            column.set(l, &x.axis(j));
        }
    }
}

/// Eight pairs, the last perhaps fewer: the last stands in for those that are missing.
#[derive(Clone, Debug)]
struct Block {
    semi_a: Vectors,
    semi_b: Vectors,
    /// the normals of the last call, in A's frames; not a number where there was none
    n: Vectors,
}

/// Pairs of ellipsoids whose distances are asked for together, again and again.
///
/// Every call starts from the normals of the one before: for bodies that have moved little this is the quickest way to many distances. The results are
/// those of [`pairs::bind`](crate::pairs::bind) to rounding, whatever the start.
///
/// ```
/// use carom_geometry::pairs::convex::Batch;
/// use carom_geometry::{Pose, Vec3, surfaces::Ellipsoid};
/// let egg = Ellipsoid::new([0.02, 0.02, 0.03])?; // semi axes [m]
/// let mut batch = Batch::new(&[[egg, egg], [egg, egg]]);
/// let mut contacts = Vec::new();
/// for step in 0..10 {
///     let at = |x: f64| Pose::at(Vec3::new(x, 0.0, 0.001 * f64::from(step))); // [m]
///     batch.contacts(&[[at(0.0), at(0.05)], [at(0.0), at(0.039)]], &mut contacts);
///     let delta: Vec<f64> = contacts.iter().flatten().map(|c| c.delta).collect();
///     assert!((delta[0] + 0.01).abs() < 1e-16 && (delta[1] - 0.001).abs() < 1e-16);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    pairs: Vec<Bound>,
    blocks: Vec<Block>,
}

impl Batch {
    /// These pairs, in this order.
    pub fn new(pairs: &[[Ellipsoid; 2]]) -> Batch {
        let block = |pairs: &[[Ellipsoid; 2]]| {
            let nothing = Vectors([[f64::NAN; LANES]; 3]);
            let mut block = Block { semi_a: nothing, semi_b: nothing, n: nothing };
            for l in 0..LANES {
                let [a, b] = &pairs[l.min(pairs.len() - 1)];
                block.semi_a.set(l, a.semi_axes());
                block.semi_b.set(l, b.semi_axes());
            }
            block
        };
        let bound = |[a, b]: &[Ellipsoid; 2]| Bound {
            a: Arc::new(*a),
            b: Arc::new(*b),
            way: Way::Ellipsoids(Eggs::new(*a, *b)),
        };
        Batch { pairs: pairs.iter().map(bound).collect(), blocks: pairs.chunks(LANES).map(block).collect() }
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Forgets where the contacts were: the next call starts from scratch.
    pub fn forget(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.n = Vectors([[f64::NAN; LANES]; 3]));
    }

    /// The contacts of the pairs at these poses of A and B, put into `contacts` in that order, one for each pair that poses are given for.
    pub fn contacts(&mut self, x: &[[Pose; 2]], contacts: &mut Vec<Result<Contact, PairFailure>>) {
        contacts.clear();
        contacts.reserve(x.len().min(self.len()));
        let rows = self.blocks.iter_mut().zip(self.pairs.chunks(LANES)).zip(x.chunks(LANES));
        for ((block, pairs), x) in rows {
            let found = block.search(x);
            for (l, (pair, [x_a, x_b])) in pairs.iter().zip(x).enumerate() {
                let contact = match (&pair.way, found.contact(l)) {
                    (Way::Ellipsoids(eggs), Some(contact)) if eggs.is_certain(-contact.delta) => Ok(contact),
                    _ => {
                        let contact = pair.contact(0, x_a, x_b);
                        let n =
                            contact.as_ref().map_or(Vec3::repeat(f64::NAN), |c| x_a.direction_to_local(&c.n));
                        block.n.set(l, &n);
                        contact
                    }
                };
                contacts.push(contact);
            }
        }
    }
}

/// What a block has come to, in the world.
struct Found {
    n: Vectors,
    p: Vectors,
    s: Lanes,
    /// 1 where there is an answer
    end: Lanes,
}

impl Found {
    #[inline(always)]
    fn contact(&self, l: usize) -> Option<Contact> {
        let (n, p_a, s) = (self.n.get(l), self.p.get(l), self.s[l]);
        (self.end[l] == chart::THERE && (p_a.sum() + s).is_finite()).then(|| Contact {
            p_a,
            p_b: p_a + n * s,
            n,
            delta: -s,
            share: 1.0,
            common: None,
        })
    }
}

impl Block {
    /// One call for the pairs that there are poses of.
    fn search(&mut self, x: &[[Pose; 2]]) -> Found {
        // of a block that is not full the last pair stands in for those that are missing
        let last = x.len().saturating_sub(1);
        let (mut x_a, mut x_b) = (Poses::ZERO, Poses::ZERO);
        for l in 0..LANES {
            let [a, b] = &x[l.min(last)];
            x_a.set(l, a);
            x_b.set(l, b);
        }
        let mut seen = Poses::ZERO;
        for l in 0..LANES {
            seen.set(l, &x_b.get(l).seen_from(&x_a.get(l)));
        }
        if self.n.0[0].iter().any(|n| n.is_nan()) {
            self.start(&seen);
        }
        let mut charts = Charts::ZERO;
        for l in 0..LANES {
            charts.set(l, &chart::of(&self.semi_a.get(l), &self.semi_b.get(l), &seen.get(l), &self.n.get(l)));
        }
        let (y, end) = charts.stationary();
        let mut found = Found { n: Vectors::ZERO, p: Vectors::ZERO, s: [0.0; LANES], end };
        for l in 0..LANES {
            let (semi_a, semi_b) = (self.semi_a.get(l), self.semi_b.get(l));
            let at = chart::nearest(
                &semi_a,
                &semi_b,
                &seen.get(l),
                &chart::direction(&self.n.get(l), [y[0][l], y[1][l]]),
            );
            let x_a = x_a.get(l);
            self.n.set(l, &at.n);
            found.n.set(l, &x_a.direction(&at.n));
            found.p.set(l, &x_a.point(&at.p));
            found.s[l] = at.s;
        }
        found
    }

    /// Starts where there is no normal yet.
    fn start(&mut self, seen: &Poses) {
        for l in 0..LANES {
            let n = Ellipsoids::new(&self.semi_a.get(l), &self.semi_b.get(l), &seen.get(l)).start();
            let old = self.n.get(l);
            self.n.set(l, &if old.x.is_nan() { n } else { old });
        }
    }
}

/// Charts side by side, by their fifteen numbers.
struct Charts([Lanes; 15]);

impl Charts {
    const ZERO: Charts = Charts([[0.0; LANES]; 15]);

    #[inline(always)]
    fn set(&mut self, l: usize, chart: &Chart) {
        let Chart { a, b, c } = chart;
        let all = [a.tt, a.tb, a.bb, a.tn, a.bn, a.nn, b.tt, b.tb, b.bb, b.tn, b.bn, b.nn, c[0], c[1], c[2]];
        for (row, value) in self.0.iter_mut().zip(all) {
            row[l] = value;
        }
    }

    #[inline(always)]
    fn get(&self, l: usize) -> Chart {
        let [a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5, c0, c1, c2] = &self.0;
        Chart {
            a: Quadratic { tt: a0[l], tb: a1[l], bb: a2[l], tn: a3[l], bn: a4[l], nn: a5[l] },
            b: Quadratic { tt: b0[l], tb: b1[l], bb: b2[l], tn: b3[l], bn: b4[l], nn: b5[l] },
            c: [c0[l], c1[l], c2[l]],
        }
    }

    /// Newton's steps from y.
    #[inline(never)]
    fn steps(&self, y: &[Lanes; 2]) -> [Lanes; 2] {
        let mut v = [[0.0; LANES]; 2];
        for l in 0..LANES {
            [v[0][l], v[1][l]] = self.get(l).step([y[0][l], y[1][l]]);
        }
        v
    }

    /// The y of the stationary s, and how each search ended.
    fn stationary(&self) -> ([Lanes; 2], Lanes) {
        // a first step is almost never the last
        let mut y = self.steps(&[[0.0; LANES]; 2]);
        let mut last2 = squares(&y);
        let mut end = [chart::OPEN; LANES];
        for _ in 1..chart::MOST_STEPS {
            let v = self.steps(&y);
            let v2 = squares(&v);
            for l in 0..LANES {
                end[l] = chart::end(v2[l], last2[l]);
            }
            for l in 0..LANES {
                // one more step does no harm to those that are there; those that are nowhere never come back
                let lost = if end[l] == chart::NOWHERE { f64::NAN } else { 0.0 };
                y[0][l] += v[0][l] + lost;
                y[1][l] += v[1][l] + lost;
            }
            if !end.contains(&chart::OPEN) {
                break;
            }
            last2 = v2;
        }
        (y, end)
    }
}

#[inline(always)]
fn squares(v: &[Lanes; 2]) -> Lanes {
    let mut squares = [0.0; LANES];
    for l in 0..LANES {
        squares[l] = v[0][l] * v[0][l] + v[1][l] * v[1][l];
    }
    squares
}
