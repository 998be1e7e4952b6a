//! What is stored, as a flux.
//!
//! With s the depth in the host there is a field f ∇s whose divergence is s (`depth.rs`). It is zero on the host's surface; so ∫ s dV over what both solids share is its flux out through the guest's surface, and what is lost in the walls
//! within the guest at which the nearest part of the host changes. The points of the integral are those of the forces.

use carom_base::{Pose, Vec3};

use super::body::{Body, ConeTip, Facet};
use super::curved;
use super::depth::{Depth, Last};
use super::flat::{self, Rooms};
use super::implicit::{Density, Task};

/// Steps of a march along an axis.
const MOST_STEPS: usize = 400;
/// How well it is looked for the greatest depth, relative.
const ROUGHLY: f64 = 1e-3;

/// ∫ s dV over what both solids share [m⁴], the guest's frame being at `x` in the host's; `None` if the solids are too deep in one another, or it is not known where the nearest part changes.
pub(super) fn stored(guest: &Body, host: &Body, x: &Pose, accuracy: f64, rooms: &mut Rooms) -> Option<f64> {
    let has_walls =
        !host.walls.is_empty() || matches!(&host.depth, Depth::Cells(cells) if cells.faces.len() > 1);
    if !(host.reach > 0.0) || (has_walls && !guest.depth.is_smooth()) {
        return None;
    }
    let mut deepest = 0.0f64;
    curved::points(guest, host, x, ROUGHLY, None, rooms, &mut |_, _, depth, _| deepest = deepest.max(depth));
    if deepest > 0.9 * host.reach {
        return None;
    }
    if host.tip.as_ref().is_some_and(|tip| !axis_is_free(guest, tip, x, deepest)) {
        return None;
    }
    let out = |p: &Vec3, n: &Vec3, _: f64, last: &Last| host.depth.field(p, last).dot(n);
    let density = Density { at: &out, scale: deepest };
    let mut sum = 0.0;
    curved::points(guest, host, x, accuracy, Some(density), rooms, &mut |_, _, flux, area| {
        sum += flux * area
    });
    Some(sum + if has_walls { lost_in_walls(guest, host, x, accuracy, deepest, rooms) } else { 0.0 })
}

/// ∫ ½ s² dS over a sheet within the host [m⁴].
pub(super) fn stored_by_sheet(sheet: &Body, host: &Body, x: &Pose, accuracy: f64, rooms: &mut Rooms) -> f64 {
    let half_square = |_: &Vec3, _: &Vec3, depth: f64, _: &Last| 0.5 * depth * depth;
    // (its own greatest depth would do as well)
    let density = Density { at: &half_square, scale: 0.5 * sheet.bounds.radius.min(host.bounds.radius) };
    let mut sum = 0.0;
    curved::points(sheet, host, x, accuracy, Some(density), rooms, &mut |_, _, half_square, area| {
        sum += half_square * area;
    });
    sum
}

/// Whether the axis of a cone is outside the guest, from the tip on down to twice the greatest depth: in the axis the field has no bound.
fn axis_is_free(guest: &Body, tip: &ConeTip, x: &Pose, deepest: f64) -> bool {
    let depth = |t: f64| guest.depth.least(&x.point_to_local(&(tip.p + tip.inward * t)));
    let end = 2.0 * deepest / tip.growth;
    // no depth changes by more than the way: a march whose steps are the distance from the guest's surface
    let mut t = 0.0;
    for _ in 0..MOST_STEPS {
        let here = depth(t);
        if here > -1e-3 * deepest {
            return false;
        }
        t -= here;
        if t > end {
            return true;
        }
    }
    false
}

/// What is lost in the host's walls within the guest.
fn lost_in_walls(guest: &Body, host: &Body, x: &Pose, accuracy: f64, deepest: f64, rooms: &mut Rooms) -> f64 {
    let mut charts = std::mem::take(&mut rooms.charts);
    charts.clear();
    charts.extend(host.walls.iter().cloned());
    if let Depth::Cells(cells) = &host.depth {
        flat::each_wall((host, cells), &mut rooms.part, |part, wall| {
            let facet = Facet { n: wall.n, corners: part.polygon().to_vec() };
            curved::quadrilaterals(&facet, &Pose::identity(), &mut charts);
        });
    }
    let jump = |p: &Vec3, _: &Vec3, _: f64, _: &Last| host.depth.jump(&x.point(p));
    let density = Some(Density { at: &jump, scale: deepest });
    let seen = Pose::identity().seen_from(x);
    let task = Task { charts: &charts, x: seen, depth: &guest.depth, accuracy, density };
    let mut sum = 0.0;
    task.points(&mut rooms.cellar, &mut |_, _, jump, area| sum += jump * area);
    rooms.charts = charts;
    sum
}
