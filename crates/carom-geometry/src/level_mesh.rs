//! Triangles of F = 0 within a box.
//!
//! The box is cut into cells, each into six tetrahedra around its diagonal, so that neighbours share faces (H. W. Kuhn 1960, Some
//! combinatorial lemmas in topology); in each of them F = 0 is a triangle or two, its corners where F vanishes along the edges. The
//! corners are on the surface to rounding, and those on the rim on the faces of the box. What is smaller than a cell is not seen.

use std::collections::BTreeMap;

use carom_base::Vec3;

use crate::closest_point::direction;
use crate::mesh::{Mesh, segments};
use crate::patch::Region;
use crate::shape::Level;

/// Cells along the longest side of the box.
const MOST_CELLS: usize = 64;

/// The corners of a tetrahedron follow from an order of the axes.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

struct Grid<'f> {
    f: &'f dyn Fn(&Vec3) -> Level,
    region: &'f Region,
    cells: [usize; 3],
    mesh: Mesh,
    /// the vertex on an edge of the grid
    seen: BTreeMap<(usize, usize), u32>,
}

/// F = 0 within the region, in about `n`/2 cells along its longest side; normals and triangles face where F grows.
pub(crate) fn level_mesh(f: &dyn Fn(&Vec3) -> Level, region: &Region, n: usize) -> Mesh {
    let size = region.max() - region.min();
    let along = segments(n).div_ceil(2).clamp(4, MOST_CELLS) as f64;
    let cells = std::array::from_fn(|i| ((along * size[i] / size.max()).ceil() as usize).max(2));
    let mut grid = Grid { f, region, cells, mesh: Mesh::default(), seen: BTreeMap::new() };
    let values: Vec<f64> = (0..grid.nodes()).map(|k| f(&grid.node(k)).f).collect();
    for cell in 0..cells.iter().product() {
        let at = [cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]];
        let corner = |k: usize| grid.number(&[at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2)]);
        let under = (0..8).filter(|k| values.get(corner(*k)).is_some_and(|f| *f < 0.0)).count();
        if under % 8 == 0 {
            continue;
        }
        for order in ORDERS {
            let mut corner = at;
            let mut nodes = [grid.number(&corner); 4];
            for (k, axis) in order.into_iter().enumerate() {
                corner[axis] += 1;
                nodes[k + 1] = grid.number(&corner);
            }
            grid.tetrahedron(&nodes, &values);
        }
    }
    grid.mesh
}

impl Grid<'_> {
    fn nodes(&self) -> usize {
        self.cells.iter().map(|n| n + 1).product()
    }

    fn number(&self, at: &[usize; 3]) -> usize {
        at[0] + (self.cells[0] + 1) * (at[1] + (self.cells[1] + 1) * at[2])
    }

    fn node(&self, k: usize) -> Vec3 {
        let [a, b, _] = self.cells.map(|n| n + 1);
        let at = [k % a, k / a % b, k / a / b];
        Vec3::from_fn(|i, _| match at[i] == self.cells[i] {
            true => self.region.max()[i],
            false => {
                let share = at[i] as f64 / self.cells[i] as f64;
                self.region.min()[i] + (self.region.max()[i] - self.region.min()[i]) * share
            }
        })
    }

    fn tetrahedron(&mut self, nodes: &[usize; 4], values: &[f64]) {
        let below = |k: &usize| values.get(*k).is_some_and(|f| *f < 0.0);
        let (under, over): (Vec<usize>, Vec<usize>) = nodes.iter().partition(|k| below(k));
        match (under.as_slice(), over.as_slice()) {
            (&[a], &[b, c, d]) | (&[b, c, d], &[a]) => {
                let corners = [(a, b), (a, c), (a, d)].map(|(a, b)| self.vertex(a, b, values));
                self.triangle(corners);
            }
            (&[a, b], &[c, d]) => {
                let [p, q, r, s] = [(a, c), (a, d), (b, d), (b, c)].map(|(a, b)| self.vertex(a, b, values));
                self.triangle([p, q, r]);
                self.triangle([p, r, s]);
            }
            _ => {}
        }
    }

    /// Where F vanishes between two nodes.
    fn vertex(&mut self, a: usize, b: usize, values: &[f64]) -> u32 {
        let key = (a.min(b), a.max(b));
        if let Some(k) = self.seen.get(&key) {
            return *k;
        }
        let (mut from, mut to) = (self.node(key.0), self.node(key.1));
        if !values.get(key.0).is_some_and(|f| *f < 0.0) {
            (from, to) = (to, from);
        }
        let mut middle = from;
        for _ in 0..60 {
            // only the coordinates that differ, so that the others stay on their faces
            middle = Vec3::from_fn(|i, _| if from[i] == to[i] { from[i] } else { 0.5 * (from[i] + to[i]) });
            if (self.f)(&middle).f < 0.0 {
                from = middle;
            } else {
                to = middle;
            }
        }
        let k = self.mesh.vertices.len() as u32;
        self.mesh.vertices.push(middle.into());
        self.mesh.normals.push(direction(&(self.f)(&middle).gradient, Vec3::z).0.into());
        self.seen.insert(key, k);
        k
    }

    /// A triangle, turned to face where F grows.
    fn triangle(&mut self, [a, b, c]: [u32; 3]) {
        let at = |k: u32| self.mesh.vertices.get(k as usize).map_or_else(Vec3::zeros, |v| Vec3::from(*v));
        let normal = |k: u32| self.mesh.normals.get(k as usize).map_or_else(Vec3::zeros, |n| Vec3::from(*n));
        let area = (at(b) - at(a)).cross(&(at(c) - at(a)));
        let facing = area.dot(&(normal(a) + normal(b) + normal(c)));
        if area.norm() > 0.0 {
            self.mesh.triangles.push(if facing < 0.0 { [a, c, b] } else { [a, b, c] });
        }
    }
}
