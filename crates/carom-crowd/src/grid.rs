//! A grid of equal cells, of which only those are kept that hold something.

use carom_base::Vec3;

/// A cell, by its three integer coordinates.
type Cell = [i32; 3];

/// Points in cells of equal size, to be found by the cell. Cells are looked up by a hash of their coordinates, so that a body that flies
/// away needs no more cells.
///
/// ```
/// use carom_base::Vec3;
/// let mut grid = carom_crowd::Grid::default();
/// grid.fill(0.5, [(7, Vec3::new(0.1, 0.1, 0.1)), (9, Vec3::new(0.6, 0.1, 0.1))].into_iter());
/// let mut found = Vec::new();
/// grid.around(&Vec3::zeros(), |i| found.push(i));
/// found.sort();
/// assert_eq!(found, [7, 9]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Grid {
    size: f64,
    /// bits of a hash that count
    mask: u32,
    /// where the points of a hash begin among `cells` and `points`
    starts: Vec<u32>,
    cells: Vec<Cell>,
    points: Vec<u32>,
    /// cell and number of every point in the order given
    given: Vec<(Cell, u32)>,
}

impl Grid {
    /// Fills the grid anew with numbered points; `size`: that of a cell [m].
    pub fn fill(&mut self, size: f64, points: impl Iterator<Item = (u32, Vec3)>) {
        self.size = size;
        self.given.clear();
        let given = points.map(|(i, x)| (cell(&x, size), i));
        self.given.extend(given);
        let buckets = (2 * self.given.len()).next_power_of_two().max(16);
        self.mask = (buckets - 1) as u32;
        self.starts.clear();
        self.starts.resize(buckets + 2, 0);
        for (cell, _) in &self.given {
            self.starts[(hash(cell) & self.mask) as usize + 2] += 1;
        }
        for i in 1..=buckets {
            self.starts[i + 1] += self.starts[i];
        }
        self.cells.resize(self.given.len(), [0; 3]);
        self.points.resize(self.given.len(), 0);
        // (starts[b + 1] is where bucket b begins, and where it ends once it is filled)
        for (cell, i) in &self.given {
            let next = &mut self.starts[(hash(cell) & self.mask) as usize + 1];
            (self.cells[*next as usize], self.points[*next as usize]) = (*cell, *i);
            *next += 1;
        }
    }

    /// Calls `each` for every point in the cell of `x` and in the 26 cells around it.
    #[inline]
    pub fn around(&self, x: &Vec3, mut each: impl FnMut(u32)) {
        let [i, j, k] = cell(x, self.size);
        for di in -1..=1 {
            for dj in -1..=1 {
                for dk in -1..=1 {
                    self.within([i + di, j + dj, k + dk], &mut each);
                }
            }
        }
    }

    #[inline]
    fn within(&self, cell: Cell, each: &mut impl FnMut(u32)) {
        let bucket = (hash(&cell) & self.mask) as usize;
        let Some(&[from, to]) = self.starts.get(bucket..bucket + 2).and_then(|s| s.first_chunk::<2>()) else {
            return;
        };
        for at in from as usize..to as usize {
            if self.cells[at] == cell {
                each(self.points[at]);
            }
        }
    }
}

/// Returns the cell of a point; far out, cells are as large as a number can say.
fn cell(x: &Vec3, size: f64) -> Cell {
    // (conversions end at the limits of the type; one less, as neighbours are looked up)
    let limit = f64::from(i32::MAX - 1);
    [0, 1, 2].map(|i| (x[i] / size).floor().clamp(-limit, limit) as i32)
}

fn hash([i, j, k]: &Cell) -> u32 {
    let mixed = (*i as u32).wrapping_mul(0x9E37_79B1)
        ^ (*j as u32).wrapping_mul(0x85EB_CA77)
        ^ (*k as u32).wrapping_mul(0xC2B2_AE3D);
    mixed ^ (mixed >> 15)
}
