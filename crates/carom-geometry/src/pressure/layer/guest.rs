//! The surface that is within the layer: flat facets, in a tree.

use std::sync::Arc;

use carom_base::{Pose, Vec3};

use super::super::body::{Body, Pieces};
use super::super::flat::square;
use super::Layer;
use super::boxes::{Aabb, Boxes, Flat};
use crate::shape::{Shape, Side, Surface};
use crate::surfaces::TriangleMesh;

/// Flat facets with any number of corners.
#[derive(Clone, Debug, Default)]
struct Facets {
    corners: Vec<Vec3>,
    /// where the corners of each facet begin, and after the last one
    first: Vec<u32>,
    normals: Vec<Vec3>,
}

impl Facets {
    fn add(&mut self, corners: &[Vec3], n: Vec3) {
        if self.first.is_empty() {
            self.first.push(0);
        }
        self.corners.extend_from_slice(corners);
        self.first.push(self.corners.len() as u32);
        self.normals.push(n);
    }

    fn facet(&self, k: usize) -> &[Vec3] {
        &self.corners[self.first[k] as usize..self.first[k + 1] as usize]
    }
}

/// The surface of a solid as flat facets.
#[derive(Clone, Debug)]
pub(super) enum Guest {
    /// a plane without end
    Endless,
    Facets(Box<FacetTree>),
}

#[derive(Clone, Debug)]
pub(super) struct FacetTree {
    facets: Facets,
    boxes: Boxes,
    /// the mesh that they are of; none if they bound a convex solid
    mesh: Option<Arc<dyn Surface>>,
    sign: f64,
}

impl Guest {
    /// The facets of a solid. Curved surfaces have triangles, that many around a circle; `None` if those bound no solid.
    pub(super) fn new(shape: &Shape, body: &Body, around: usize) -> Option<Guest> {
        let mut facets = Facets::default();
        let mesh: Option<Arc<dyn Surface>> = match &body.pieces {
            Pieces::Endless => return Some(Guest::Endless),
            Pieces::Mesh(mesh) => Some(mesh.clone()),
            Pieces::Parts { facets: flat, charts } if charts.is_empty() && body.sign > 0.0 => {
                flat.iter().for_each(|f| facets.add(&f.corners, f.n));
                None
            }
            Pieces::Parts { .. } => Some(Arc::new(triangulated(shape, around)?)),
        };
        if let Some(mesh) = &mesh {
            add_mesh(&mut facets, mesh.as_any().downcast_ref()?, body.sign);
        }
        let each: Vec<_> = (0..facets.normals.len()).map(|k| Aabb::of(facets.facet(k)).into()).collect();
        let boxes = Boxes::new(&each);
        Some(Guest::Facets(Box::new(FacetTree { facets, boxes, mesh, sign: body.sign })))
    }

    /// Whether a point of its frame is within the solid.
    pub(super) fn contains(&self, x: &Vec3) -> bool {
        let Guest::Facets(tree) = self else { return x.z < 0.0 };
        let FacetTree { facets, mesh, sign, .. } = &**tree;
        match mesh.as_ref().and_then(|mesh| mesh.as_project()) {
            Some(project) => project.closest_point(Side::Outside, 0, x).d * sign < 0.0,
            None => (0..facets.normals.len()).all(|k| facets.normals[k].dot(&(x - facets.facet(k)[0])) < 0.0),
        }
    }

    /// Calls `visit` with every facet that can meet the layer down to a level [m], the guest's frame being at `x`, and the box of the layer's tree that it can meet.
    pub(super) fn visit(
        &self,
        x: &Pose,
        layer: &Layer,
        level: f64,
        corners: &mut Vec<Vec3>,
        mut visit: impl FnMut(&[Vec3], &Flat, u32),
    ) {
        match self {
            Guest::Endless => {
                let (n, four) = square(x, &layer.bounds.centre, layer.bounds.radius);
                visit(&four, &Flat { bounds: Aabb::of(&four), p: four[0], n }, 0);
            }
            Guest::Facets(tree) => {
                let FacetTree { facets, boxes, .. } = &**tree;
                let beside = |k: u32, bounds: &Aabb| {
                    layer.prisms[k as usize].hull(level, layer.first).is_beside(bounds)
                };
                boxes.with_boxes_of(x, (&layer.boxes, level), beside, |k, within| {
                    corners.clear();
                    corners.extend(facets.facet(k as usize).iter().map(|p| x.point(p)));
                    let n = x.direction(&facets.normals[k as usize]);
                    let flat = Flat { bounds: Aabb::of(corners.iter()), p: corners[0], n };
                    visit(corners, &flat, within);
                });
            }
        }
    }
}

fn add_mesh(facets: &mut Facets, mesh: &TriangleMesh, sign: f64) {
    for (t, n) in mesh.triangles().iter().zip(mesh.normals()) {
        facets.add(&t.map(|v| mesh.vertices()[v as usize]), n * sign);
    }
}

/// Triangles near to a curved surface.
fn triangulated(shape: &Shape, around: usize) -> Option<TriangleMesh> {
    let mesh = shape.surface.mesh(around, 1.0);
    let corners: Vec<_> = mesh.triangles.iter().map(|t| t.map(|v| mesh.vertices[v as usize])).collect();
    TriangleMesh::from_corners(&corners).ok()
}
