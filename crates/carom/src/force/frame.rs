//! The two frames of a bushing or a torsion wire, one on each body, that have the same axes at the start.

use std::sync::Arc;

use carom_base::{SpecError, Vec3, inverse};

use super::{Bushing, Force, Line};
use crate::error::BuildError;
use crate::joint::{A, B, Given, Measure, Vector};
use crate::state::Kinematics;
use crate::world::World;

/// A coordinate and its law.
pub(super) type Part = (Measure, Arc<dyn Line>);

/// Two frames, on A and on B, that have the same axes at the start.
pub(super) struct Frame {
    /// points, from the centres of mass, in the bodies' axes [m]
    pub(super) points: [Vec3; 2],
    /// x, y, z, in the bodies' axes
    pub(super) axes: [[Vec3; 3]; 2],
    /// displacement of A's point from B's along x, y, z at the start [m]
    start: [f64; 3],
}

impl Frame {
    pub(super) fn new(world: &World, force: &Force, bodies: [usize; 2]) -> Result<Frame, BuildError> {
        let k = bodies.map(|body| Kinematics::new(&world.bodies[body], 0.0, &world.initial_state()));
        let to_body = |end: usize, v: &Vec3| inverse(&k[end].x.r).1 * v;
        let centre = |end: usize| world.bodies[bodies[end]].centre;
        let points = match force.point {
            Given::Bodies(points) => {
                force.subject().finite("point_a", &points[A])?;
                force.subject().finite("point_b", &points[B])?;
                [A, B].map(|end| points[end] - centre(end))
            }
            Given::World(p) => {
                force.subject().finite("point", &p)?;
                [A, B].map(|end| to_body(end, &(p - k[end].x.p)))
            }
            Given::Omitted => {
                let p = k[A].x.point(&-centre(A));
                [A, B].map(|end| to_body(end, &(p - k[end].x.p)))
            }
        };
        let world = axes(force)?;
        let [p, q] = [A, B].map(|end| k[end].x.point(&points[end]));
        Ok(Frame {
            points,
            axes: [A, B].map(|end| world.map(|v| to_body(end, &v))),
            start: world.map(|v| (p - q).dot(&v)),
        })
    }

    /// Returns the displacement of A's point from B's along an axis of B.
    fn along(&self, axis: usize) -> Measure {
        let e = Vector::On(B, self.axes[B][axis]);
        Measure::Dot { d: Vector::Between(self.points), e, scale: 1.0 }
    }

    /// Returns the angle of A about an axis of B: the angle by which the next axis (cyclically) has turned towards
    /// the one after it.
    pub(super) fn angle(&self, axis: usize) -> Measure {
        let (next, after) = ((axis + 1) % 3, (axis + 2) % 3);
        let [z, y] = [next, after].map(|axis| self.axes[B][axis]);
        Measure::Angle { x: Vector::On(A, self.axes[A][next]), from: B, y, z }
    }

    /// Returns the six coordinates of a bushing with their laws.
    pub(super) fn bushing(&self, bushing: &Bushing) -> Result<Vec<Part>, SpecError> {
        let mut all: Vec<Part> = Vec::with_capacity(6);
        for axis in 0..3 {
            all.push((self.along(axis), Arc::new(bushing.along(axis, self.start[axis])?)));
        }
        for axis in 0..3 {
            all.push((self.angle(axis), Arc::new(bushing.about(axis)?)));
        }
        Ok(all)
    }
}

/// Returns x, y, z in the world: z along `axis`, x along the part of `x_axis` normal to z. If `axis` is not given, z
/// is that of the world; if `x_axis` is not given, x is the part normal to z of the world axis that is most nearly
/// normal to it.
fn axes(force: &Force) -> Result<[Vec3; 3], BuildError> {
    let bad = |field, v: &Vec3, allowed| {
        let value = format!("[{}, {}, {}]", v.x, v.y, v.z);
        force.subject().bad(field, value, allowed)
    };
    let z = force.axis.unwrap_or_else(Vec3::z);
    if !(z.norm() > 0.0 && z.norm().is_finite()) {
        return Err(bad("axis", &z, "a direction: finite, not all three 0"));
    }
    let z = z.normalize();
    let across = |v: Vec3| v - z * z.dot(&v);
    let x = match force.x_axis {
        None => across(Vec3::ith(z.iamin(), 1.0)),
        Some(v) => {
            let x = across(v);
            if !(x.norm() > 1e-9 * v.norm() && x.norm().is_finite()) {
                return Err(bad("x_axis", &v, "a direction that is not along `axis`"));
            }
            x
        }
    }
    .normalize();
    Ok([x, z.cross(&x), z])
}
