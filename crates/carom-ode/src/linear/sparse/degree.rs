//! Minimum degree ordering: an order of elimination that keeps the factors of a symmetric pattern sparse.
//!
//! Eliminating an unknown joins all its neighbours. The remaining graph is never written out: an eliminated unknown
//! stays as an *element*, the list of the neighbours it joined (quotient graph; A. George, J. W. H. Liu, SIAM Review 31
//! (1989) 1). Degrees are the upper bounds of P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix Anal. Appl. 17
//! (1996) 886 ("AMD", equation 4.1), nearly as good as exact ones and far cheaper. The merging of indistinguishable
//! unknowns and the absorption of elements that lie within another come from there too.

const NONE: u32 = u32::MAX;

/// The remaining graph. Numbers below n name variables and, once eliminated, elements.
struct Quotient {
    /// number of unknowns that a variable represents; 0: eliminated, merged into another or postponed to the end
    size: Vec<usize>,
    /// of a variable: its neighbours by entries of the matrix; of an element: the variables it joined
    variables: Vec<Vec<u32>>,
    /// of a variable: its elements
    elements: Vec<Vec<u32>>,
    /// whether a number names an element that no other element has absorbed
    alive: Vec<bool>,
    /// of an element: number of unknowns it joined
    weight: Vec<usize>,
    /// of an element: number of these unknowns outside the newest element
    outside: Vec<usize>,
    /// time stamps: when `outside` was set, and when a number was last marked
    seen: Vec<u64>,
    mark: Vec<u64>,
    now: u64,
    /// the unknowns that a variable represents, as a linked list
    chain: Vec<u32>,
    chain_end: Vec<u32>,
    queue: Queue,
    hashes: Vec<(usize, u32)>,
    /// number of unknowns not yet eliminated
    left: usize,
}

/// Returns an order of elimination for the symmetric graph with these neighbours (without loops).
pub(super) fn minimum_degree(neighbours: Vec<Vec<u32>>) -> Vec<u32> {
    let n = neighbours.len();
    // a row with very many entries would be examined at each elimination; it comes last anyway (AMD, section 6)
    let too_many = (10.0 * (n as f64).sqrt()).max(16.0) as usize;
    let mut g = Quotient::new(neighbours);
    let mut last = Vec::new();
    for i in 0..n {
        let degree = g.variables[i].len();
        if degree > too_many {
            g.size[i] = 0;
            g.left -= 1;
            last.push(i as u32);
        } else {
            g.queue.insert(i, degree);
        }
    }
    let mut order = Vec::with_capacity(n);
    while let Some(p) = g.queue.least() {
        g.eliminate(p);
        let mut i = p as u32;
        while i != NONE {
            order.push(i);
            i = g.chain[i as usize];
        }
    }
    order.extend(last);
    order
}

impl Quotient {
    fn new(variables: Vec<Vec<u32>>) -> Quotient {
        let n = variables.len();
        Quotient {
            size: vec![1; n],
            variables,
            elements: vec![Vec::new(); n],
            alive: vec![false; n],
            weight: vec![0; n],
            outside: vec![0; n],
            seen: vec![0; n],
            mark: vec![0; n],
            now: 0,
            chain: vec![NONE; n],
            chain_end: (0..n as u32).collect(),
            queue: Queue::new(n),
            hashes: Vec::new(),
            left: n,
        }
    }

    /// Eliminates variable p: makes it an element.
    fn eliminate(&mut self, p: usize) {
        self.queue.remove(p);
        self.left -= self.size[p];
        self.size[p] = 0;
        let mut joined = self.join(p);
        let mut weight: usize = joined.iter().map(|&i| self.size[i as usize]).sum();
        self.look_outside(&joined);
        self.hashes.clear();
        for &i in &joined {
            let i = i as usize;
            let mut degree = self.prune(i);
            if self.elements[i].is_empty() && self.variables[i].is_empty() {
                // connected to the new element only: it can be eliminated with p without further fill
                self.left -= self.size[i];
                weight -= self.size[i];
                self.merge(p, i);
                continue;
            }
            degree = degree.min(self.queue.degree[i]);
            self.elements[i].push(p as u32);
            self.queue.degree[i] = degree;
            self.hashes.push((self.hash(i), i as u32));
        }
        self.merge_twins();
        joined.retain(|&i| self.size[i as usize] > 0);
        for &i in &joined {
            let i = i as usize;
            // AMD (4.1): the minimum of all that is left, and the new element plus the old bound or the sum over its
            // other elements
            let others = weight - self.size[i];
            let degree = (self.queue.degree[i] + others).min(self.left - self.size[i]);
            self.queue.insert(i, degree);
        }
        self.alive[p] = !joined.is_empty();
        self.weight[p] = weight;
        self.variables[p] = joined;
    }

    /// Returns the variables that the elimination of p joins, marked and removed from the queue. Absorbs the elements
    /// of p.
    fn join(&mut self, p: usize) -> Vec<u32> {
        self.now += 1;
        let mut joined = std::mem::take(&mut self.variables[p]);
        for e in std::mem::take(&mut self.elements[p]) {
            if std::mem::take(&mut self.alive[e as usize]) {
                joined.append(&mut self.variables[e as usize]);
            }
        }
        joined.retain(|&i| {
            let i = i as usize;
            let new = self.size[i] > 0 && self.mark[i] != self.now;
            self.mark[i] = self.now;
            new
        });
        for &i in &joined {
            self.queue.remove(i as usize);
        }
        joined
    }

    /// Computes, for every element that meets the new one, how much of it lies outside the new one (AMD, algorithm 2).
    fn look_outside(&mut self, joined: &[u32]) {
        for &i in joined {
            for &e in &self.elements[i as usize] {
                let e = e as usize;
                if self.seen[e] != self.now {
                    self.seen[e] = self.now;
                    self.outside[e] = self.weight[e];
                }
                self.outside[e] -= self.size[i as usize];
            }
        }
    }

    /// Removes the neighbours of i that the new element covers, and the elements that lie within it. Returns an upper
    /// bound on the number of unknowns that the others reach.
    fn prune(&mut self, i: usize) -> usize {
        let mut degree = 0;
        self.elements[i].retain(|&e| {
            let e = e as usize;
            if self.alive[e] && self.outside[e] == 0 {
                self.alive[e] = false;
                self.variables[e] = Vec::new();
            }
            degree += if self.alive[e] { self.outside[e] } else { 0 };
            self.alive[e]
        });
        self.variables[i].retain(|&j| {
            let j = j as usize;
            let stays = self.size[j] > 0 && self.mark[j] != self.now;
            degree += if stays { self.size[j] } else { 0 };
            stays
        });
        degree
    }

    fn hash(&self, i: usize) -> usize {
        self.elements[i].iter().chain(&self.variables[i]).map(|&k| k as usize).sum()
    }

    /// Merges variables with the same neighbours: when one is eliminated, the other follows without further fill.
    fn merge_twins(&mut self) {
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.sort_unstable();
        for group in hashes.chunk_by(|a, b| a.0 == b.0) {
            for (k, &(_, i)) in group.iter().enumerate() {
                let i = i as usize;
                if self.size[i] == 0 || k + 1 == group.len() {
                    continue;
                }
                self.now += 1;
                for &x in self.elements[i].iter().chain(&self.variables[i]) {
                    self.mark[x as usize] = self.now;
                }
                for &(_, j) in &group[k + 1..] {
                    let j = j as usize;
                    let same = self.size[j] > 0
                        && self.elements[j].len() == self.elements[i].len()
                        && self.variables[j].len() == self.variables[i].len()
                        && self.elements[j].iter().all(|&x| self.mark[x as usize] == self.now)
                        && self.variables[j].iter().all(|&x| self.mark[x as usize] == self.now);
                    if same {
                        self.size[i] += self.size[j];
                        self.merge(i, j);
                    }
                }
            }
        }
        self.hashes = hashes;
    }

    /// Makes variable i a part of `of`.
    fn merge(&mut self, of: usize, i: usize) {
        self.size[i] = 0;
        self.variables[i] = Vec::new();
        self.elements[i] = Vec::new();
        self.chain[self.chain_end[of] as usize] = i as u32;
        self.chain_end[of] = self.chain_end[i];
    }
}

/// Variables sorted by degree: a linked list for each degree.
struct Queue {
    degree: Vec<usize>,
    first: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// no variable has a smaller degree than this
    least: usize,
}

impl Queue {
    fn new(n: usize) -> Queue {
        Queue {
            degree: vec![0; n],
            first: vec![NONE; n],
            next: vec![NONE; n],
            previous: vec![NONE; n],
            least: 0,
        }
    }

    fn insert(&mut self, i: usize, degree: usize) {
        let first = self.first[degree];
        self.degree[i] = degree;
        self.next[i] = first;
        self.previous[i] = NONE;
        if first != NONE {
            self.previous[first as usize] = i as u32;
        }
        self.first[degree] = i as u32;
        self.least = self.least.min(degree);
    }

    fn remove(&mut self, i: usize) {
        let (previous, next) = (self.previous[i], self.next[i]);
        if previous == NONE {
            self.first[self.degree[i]] = next;
        } else {
            self.next[previous as usize] = next;
        }
        if next != NONE {
            self.previous[next as usize] = previous;
        }
    }

    /// Returns a variable of least degree.
    fn least(&mut self) -> Option<usize> {
        while self.least < self.first.len() && self.first[self.least] == NONE {
            self.least += 1;
        }
        self.first.get(self.least).map(|&i| i as usize)
    }
}
