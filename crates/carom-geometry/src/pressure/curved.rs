//! Surfaces within solids whose integrals have no closed form: those that are curved, or flat within a solid that is.

use carom_base::{Pose, Vec3};

use super::body::{Body, Facet, Pieces};
use super::chart::{Chart, as_quadrilateral};
use super::depth::{Depth, Last};
use super::flat::{self, Rooms};
use super::implicit::{Density, Task, Visit};
use crate::surfaces::TriangleMesh;

/// How accurate integrals over the depth in a mesh are at best, relative: that depth has kinks which are not looked for.
pub(super) const IN_A_MESH: f64 = 1e-4;

/// Points of the integral over the guest's surface within the host, in the host's frame: in closed form where there is one.
pub(super) fn points(
    guest: &Body,
    host: &Body,
    x: &Pose,
    accuracy: f64,
    density: Option<Density<'_>>,
    rooms: &mut Rooms,
    visit: &mut Visit<'_>,
) {
    if let Depth::Cells(cells) = &host.depth {
        let last = Last::default();
        let value = |p: &Vec3, n: &Vec3, depth: f64| {
            density.map_or(depth, |density| (density.at)(p, n, depth, &last))
        };
        flat::points(guest, host, cells, x, rooms, &mut |p, n, depth, area| {
            visit(p, n, value(&p, &n, depth), area)
        });
    } else {
        rooms.charts.clear();
        facets(guest, host, x, &mut rooms.charts);
        let charts = std::mem::take(&mut rooms.charts);
        let accuracy = if host.depth.is_smooth() { accuracy } else { accuracy.max(IN_A_MESH) };
        let task = Task { charts: &charts, x: Pose::identity(), depth: &host.depth, accuracy, density };
        task.points(&mut rooms.cellar, visit);
        rooms.charts = charts;
    }
    if let Pieces::Parts { charts, .. } = &guest.pieces {
        let accuracy = if host.depth.is_smooth() { accuracy } else { accuracy.max(IN_A_MESH) };
        // the normals of the pieces of a cavity look into its wall
        let outward = |p: &Vec3, n: &Vec3, depth: f64, last: &Last| {
            density.as_ref().map_or(depth, |density| (density.at)(p, &(n * guest.sign), depth, last))
        };
        let density = density.map(|Density { scale, .. }| Density { at: &outward, scale });
        let task = Task { charts, x: *x, depth: &host.depth, accuracy, density };
        let mut turned = |p: Vec3, n: Vec3, depth: f64, area: f64| visit(p, n * guest.sign, depth, area);
        task.points(&mut rooms.cellar, &mut turned);
    }
}

/// The flat facets of the guest that can be within the host, as quadrilaterals in the host's frame.
fn facets(guest: &Body, host: &Body, x: &Pose, charts: &mut Vec<Chart>) {
    match &guest.pieces {
        Pieces::Parts { facets, .. } => {
            facets.iter().for_each(|facet| quadrilaterals(facet, x, charts));
        }
        Pieces::Endless => {
            let (n, corners) = flat::square(x, &host.bounds.centre, host.bounds.radius);
            match host.is_ring {
                // the patch is a band around its middle, along which the cells of a disc lie
                true => {
                    let at = Pose { p: (corners[0] + corners[2]) * 0.5, r: x.r };
                    charts.extend(Chart::disc(at, 1.01 * host.bounds.radius));
                }
                false => charts.push(Chart::quad(corners, n)),
            }
        }
        Pieces::Mesh(mesh) => {
            let Some(mesh) = mesh.as_any().downcast_ref::<TriangleMesh>() else { return };
            mesh.near_solid(
                |p| host.depth.least(&x.point(p)),
                |corners, n| {
                    let n = x.direction(n) * guest.sign;
                    charts.push(Chart::quad(as_quadrilateral(&corners.map(|p| x.point(&p))), n));
                },
            );
        }
    }
}

/// A facet as quadrilaterals, one a corner, that meet in its middle; one that has four corners is one.
pub(super) fn quadrilaterals(facet: &Facet, x: &Pose, charts: &mut Vec<Chart>) {
    let (n, corners) = (x.direction(&facet.n), &facet.corners);
    if let [a, b, c, d] = corners[..] {
        return charts.push(Chart::quad([a, b, c, d].map(|p| x.point(&p)), n));
    }
    let count = corners.len();
    let middle = corners.iter().sum::<Vec3>() / count as f64;
    for i in 0..count {
        let (before, after) = (corners[(i + count - 1) % count], corners[(i + 1) % count]);
        let here = corners[i];
        let quad = [middle, (before + here) * 0.5, here, (here + after) * 0.5];
        charts.push(Chart::quad(quad.map(|p| x.point(&p)), n));
    }
}
