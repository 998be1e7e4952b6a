//! Flat facets of one solid within another that has flat faces, in closed form.

use carom_base::{Pose, Vec3};

use super::body::{Body, Facet, Pieces};
use super::cells::{Cells, HalfSpace};
use super::chart::Chart;
use super::implicit::{Cellar, Visit};
use super::layer::Space;
use super::polygon::{Room, polygon_points};
use super::star::Points;
use crate::surfaces::TriangleMesh;

/// Room for the polygons of one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Rooms {
    pub(super) whole: Room,
    pub(super) part: Room,
    pub(super) cellar: Cellar,
    pub(super) charts: Vec<Chart>,
    faces: Vec<(Vec3, f64)>,
    pub(super) star: Points,
    pub(super) space: Space,
}

/// A facet within a cell of the other solid, the *host*, in the host's frame.
pub(super) struct Wetted<'r> {
    /// the facet's outward normal
    pub(super) n: Vec3,
    /// the cell
    pub(super) cell: usize,
    /// what of the facet is in it
    pub(super) polygon: &'r [Vec3],
}

/// All facets of a solid, the *guest*, whose frame is at `x` in the host's, cut by the host's cells.
pub(super) fn wetted(
    guest: &Body,
    host: &Body,
    cells: &Cells,
    x: &Pose,
    rooms: &mut Rooms,
    mut visit: impl FnMut(Wetted<'_>),
) {
    match &guest.pieces {
        Pieces::Parts { facets, .. } => {
            for Facet { n, corners } in facets {
                let corners = corners.iter().map(|p| x.point(p));
                within(x.direction(n), corners, cells, rooms, &mut visit);
            }
        }
        Pieces::Endless => {
            let (n, corners) = square(x, &host.bounds.centre, host.bounds.radius);
            within(n, corners, cells, rooms, &mut visit);
        }
        Pieces::Mesh(mesh) => {
            let Some(mesh) = mesh.as_any().downcast_ref::<TriangleMesh>() else { return };
            // the host's faces, seen from the mesh
            let mut faces = std::mem::take(&mut rooms.faces);
            faces.clear();
            faces.extend(cells.faces.iter().map(|f| (x.direction_to_local(&f.n), f.depth(&x.p))));
            mesh.near_cells(&faces, |corners, n| {
                let n = x.direction(n) * guest.sign;
                within(n, corners.iter().map(|p| x.point(p)), cells, rooms, &mut visit);
            });
            rooms.faces = faces;
        }
    }
}

/// A facet in the host's frame, cut by the host's cells.
pub(super) fn within(
    n: Vec3,
    corners: impl IntoIterator<Item = Vec3>,
    cells: &Cells,
    rooms: &mut Rooms,
    mut visit: impl FnMut(Wetted<'_>),
) {
    rooms.whole.start(corners);
    cells.cut(&mut rooms.whole, &mut rooms.part, |cell, part| {
        visit(Wetted { n, cell, polygon: part.polygon() });
    });
}

/// The part of the plane z = 0 of the frame `x` that can be within a ball: a square, and its normal.
pub(super) fn square(x: &Pose, centre: &Vec3, radius: f64) -> (Vec3, [Vec3; 4]) {
    let n = x.axis(2);
    let middle = centre - n * n.dot(&(centre - x.p));
    // larger than the ball, so that its sides are cut off wholly
    let (u, v) = (x.axis(0) * (1.5 * radius), x.axis(1) * (1.5 * radius));
    (n, [middle - u - v, middle + u - v, middle + u + v, middle - u + v])
}

/// Points of the integral over the guest's surface within the host, in the host's frame: where, the guest's outward normal, the depth in the host [m] and the area [m²].
pub(super) fn points(
    guest: &Body,
    host: &Body,
    cells: &Cells,
    x: &Pose,
    rooms: &mut Rooms,
    visit: &mut Visit<'_>,
) {
    wetted(guest, host, cells, x, rooms, |wetted| {
        let face = &cells.faces[wetted.cell];
        polygon_points(wetted.polygon, |(p, area)| visit(p, wetted.n, face.depth(&p), area));
    });
}

/// ∫ d dV over what both solids share, d the depth in the host [m⁴].
///
/// In the cell of face j the field −½ d_j² n_j has the divergence d_j. So the integral over the cell is that of its flux out of the cell: through the guest's facets −½ d_j² n_j·n; none through face j itself, where
/// d_j = 0; through the walls between cells j and k, whose normal out of cell j is (n_k − n_j)/|n_k − n_j|, both cells together give ½ d² |n_k − n_j|.
pub(super) fn stored(guest: (&Body, &Cells), host: (&Body, &Cells), x: &Pose, rooms: &mut Rooms) -> f64 {
    let mut sum = 0.0;
    wetted(guest.0, host.0, host.1, x, rooms, |wetted| {
        let face = &host.1.faces[wetted.cell];
        let lean = face.n.dot(&wetted.n);
        polygon_points(wetted.polygon, |(p, area)| {
            let d = face.depth(&p);
            sum -= 0.5 * d * d * lean * area;
        });
    });
    sum + walls(guest.1, host, x, rooms)
}

/// The integral of ½ d² |n_j − n_k| over the walls between the host's cells, as far as they are in the guest.
fn walls(guest: &Cells, host: (&Body, &Cells), x: &Pose, rooms: &mut Rooms) -> f64 {
    let (cells, mut sum) = (host.1, 0.0);
    each_wall(host, &mut rooms.part, |part, wall| {
        // a facet of the guest in the wall was taken for one of cell j: the wall counts if it is one of cell k
        let in_guest = guest.faces.iter().all(|f| {
            let keep = x.direction(&f.n).dot(&wall.n) < 0.0;
            part.cut(cells.zero, keep, |p| f.depth(&x.point_to_local(p)))
        });
        if in_guest {
            polygon_points(part.polygon(), |(p, area)| {
                let d = wall.below.depth(&p);
                sum += 0.5 * d * d * wall.lean * area;
            });
        }
    });
    sum
}

/// A wall between two cells: its normal out of the first one, the face of that, and |n_j − n_k|.
pub(super) struct WallBetween {
    pub(super) n: Vec3,
    pub(super) below: HalfSpace,
    pub(super) lean: f64,
}

/// Visits the walls between a solid's cells, as polygons.
pub(super) fn each_wall(
    (host, cells): (&Body, &Cells),
    part: &mut Room,
    mut visit: impl FnMut(&mut Room, &WallBetween),
) {
    let faces = &cells.faces;
    for (k, b) in faces.iter().enumerate() {
        for (j, a) in faces[..k].iter().enumerate() {
            let apart = b.n - a.n;
            let lean = apart.norm();
            // on the wall n_k·x − h_k = n_j·x − h_j
            if !(lean > 0.0) {
                continue;
            }
            let n = apart / lean;
            let middle = host.bounds.centre - n * (n.dot(&host.bounds.centre) - (b.h - a.h) / lean);
            if (middle - host.bounds.centre).norm() > host.bounds.radius {
                continue;
            }
            let u = crate::closest_point::tangent(&n);
            let frame = Pose { p: middle, r: carom_base::Mat3::from_columns(&[u, n.cross(&u), n]) };
            let (_, corners) = square(&frame, &host.bounds.centre, host.bounds.radius);
            part.start(corners);
            if cells.cut_wall([j, k], part) {
                visit(part, &WallBetween { n, below: *a, lean });
            }
        }
    }
}
