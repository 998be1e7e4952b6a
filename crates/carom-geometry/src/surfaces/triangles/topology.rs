//! Which triangles adjoin which, and whether they close.

use carom_base::Vec3;

use super::error::TriangleMeshError;
use super::weld::Welded;

/// How triangles hang together. Edge k of a triangle is that from its corner k to the next.
pub(super) struct Topology {
    /// the vertices of every edge, the lesser number first
    pub(super) edges: Vec<[u32; 2]>,
    /// the edges of every triangle
    pub(super) edges_of: Vec<[u32; 3]>,
    /// the two triangles of every edge
    pub(super) beside: Vec<[u32; 2]>,
    /// the closed part of the surface that every triangle belongs to, numbered by their first triangles
    pub(super) part_of: Vec<u32>,
    /// how many closed parts there are
    pub(super) parts: usize,
}

/// One side of an edge: a triangle runs through it in one of the two directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    ends: [u32; 2],
    triangle: u32,
    number: u8,
    forwards: bool,
}

impl Topology {
    /// Refused unless every edge has two triangles, which run through it in opposite directions, and the triangles around a vertex adjoin one another.
    pub(super) fn new(mesh: &Welded) -> Result<Topology, TriangleMeshError> {
        let mut halves = Vec::with_capacity(3 * mesh.triangles.len());
        for (triangle, t) in mesh.triangles.iter().enumerate() {
            for (number, (a, b)) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])].into_iter().enumerate() {
                let (ends, forwards) = if a < b { ([a, b], true) } else { ([b, a], false) };
                halves.push(HalfEdge { ends, triangle: triangle as u32, number: number as u8, forwards });
            }
        }
        halves.sort_unstable();
        let sides: Vec<&[HalfEdge]> = halves.chunk_by(|a, b| a.ends == b.ends).collect();
        check_edges(&sides, &mesh.vertices)?;
        let mut edges_of = vec![[0; 3]; mesh.triangles.len()];
        let (mut edges, mut beside) = (Vec::with_capacity(sides.len()), Vec::with_capacity(sides.len()));
        for (number, side) in sides.iter().enumerate() {
            for half in *side {
                edges_of[half.triangle as usize][usize::from(half.number)] = number as u32;
            }
            edges.push(side[0].ends);
            beside.push([side[0].triangle, side[1].triangle]);
        }
        let mut topology = Topology { edges, edges_of, beside, part_of: Vec::new(), parts: 0 };
        topology.check_vertices(mesh)?;
        topology.find_parts();
        Ok(topology)
    }

    /// The triangle on the other side of an edge of a triangle.
    fn across(&self, triangle: u32, number: usize) -> u32 {
        let [a, b] = self.beside[self.edges_of[triangle as usize][number] as usize];
        if a == triangle { b } else { a }
    }

    /// Checks that one walk from triangle to triangle around a vertex meets all that have it as a corner.
    fn check_vertices(&self, mesh: &Welded) -> Result<(), TriangleMeshError> {
        let mut first = vec![None; mesh.vertices.len()];
        let mut around = vec![0usize; mesh.vertices.len()];
        for (triangle, t) in mesh.triangles.iter().enumerate() {
            for vertex in t {
                first[*vertex as usize].get_or_insert(triangle as u32);
                around[*vertex as usize] += 1;
            }
        }
        let met = |vertex: u32, start: u32| {
            let (mut here, mut count) = (start, 0);
            while count < around[vertex as usize] {
                let corner = mesh.triangles[here as usize].iter().position(|v| *v == vertex).unwrap_or(0);
                // across the edge that ends at the vertex
                here = self.across(here, (corner + 2) % 3);
                count += 1;
                if here == start {
                    break;
                }
            }
            count
        };
        let bad = |vertex: &usize| first[*vertex].is_some_and(|t| met(*vertex as u32, t) < around[*vertex]);
        let mut all = (0..mesh.vertices.len()).filter(bad);
        let Some(vertex) = all.next() else { return Ok(()) };
        Err(TriangleMeshError::SharedVertex {
            count: 1 + all.count(),
            triangle: first[vertex].unwrap_or(0) as usize + 1,
            point: mesh.vertices[vertex].into(),
        })
    }

    /// Numbers the closed parts of the surface.
    fn find_parts(&mut self) {
        let mut part_of: Vec<Option<u32>> = vec![None; self.edges_of.len()];
        let (mut parts, mut open) = (0, Vec::new());
        for start in 0..part_of.len() {
            if part_of[start].is_some() {
                continue;
            }
            open.push(start as u32);
            part_of[start] = Some(parts);
            while let Some(here) = open.pop() {
                for next in (0..3).map(|k| self.across(here, k)) {
                    if part_of[next as usize].is_none() {
                        part_of[next as usize] = Some(parts);
                        open.push(next);
                    }
                }
            }
            parts += 1;
        }
        self.part_of = part_of.into_iter().flatten().collect();
        self.parts = parts as usize;
    }
}

/// Checks that every edge has two sides, in opposite directions.
fn check_edges(sides: &[&[HalfEdge]], vertices: &[Vec3]) -> Result<(), TriangleMeshError> {
    // how many there are of a sort, and that of the first triangle
    let bad = |is_bad: fn(&[HalfEdge]) -> bool| {
        let all = || sides.iter().filter(|side| is_bad(side));
        let first = all().min_by_key(|side| (side[0].triangle, side[0].number))?;
        let [from, to] = if first[0].forwards { first[0].ends } else { [first[0].ends[1], first[0].ends[0]] };
        let ends = [from, to].map(|v| <[f64; 3]>::from(vertices[v as usize]));
        let triangles: Vec<usize> = first.iter().map(|half| half.triangle as usize + 1).collect();
        Some((all().count(), triangles, ends))
    };
    if let Some((count, triangles, [from, to])) = bad(|side| side.len() > 2) {
        return Err(TriangleMeshError::SharedByMany { count, triangles, from, to });
    }
    if let Some((count, triangles, [from, to])) = bad(|side| side.len() < 2) {
        return Err(TriangleMeshError::Open { count, triangle: triangles[0], from, to });
    }
    if let Some((count, triangles, [from, to])) = bad(|side| side[0].forwards == side[1].forwards) {
        return Err(TriangleMeshError::Turned { count, triangles: [triangles[0], triangles[1]], from, to });
    }
    Ok(())
}
