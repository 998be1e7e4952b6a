//! Journals that pass through their bearings, and a check of their travel.

use carom_base::Vec3;

use super::Clearance;
use crate::body::Body;
use crate::joint::{ConstraintSet, Given};
use crate::record::Warning;
use crate::state::Kinematics;
use crate::text::{length, short};
use crate::world::World;

/// A journal whose motion along its axis nothing limits.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    joint: String,
    bodies: [usize; 2],
    /// the axis of the bearing, in its body's axes
    axis: Vec3,
    /// the joint's point on both bodies, from their reference points, in their axes [m]
    points: [Vec3; 2],
    /// lengths of the journal and of the bearing [m]
    lengths: [f64; 2],
}

impl Clearance {
    /// Returns the journal of a revolute joint with a length and without collars; `None` for other joints, and where
    /// the descriptions are invalid, which is reported elsewhere.
    pub(crate) fn through(&self, bodies: &[Body]) -> Option<Journal> {
        let bearing = self.length.filter(|_| self.joint.kind.name() == "revolute" && self.axial.is_none())?;
        let index = |name: &String| bodies.iter().position(|b| b.name == *name);
        let ends = [index(&self.joint.between[0])?, index(&self.joint.between[1])?];
        if matches!(self.joint.axis, Given::Omitted) {
            return None;
        }
        let frames = self.frames(ends.map(|i| &bodies[i])).ok()?;
        Some(Journal {
            joint: self.joint.label(),
            bodies: ends,
            axis: frames[1].r.column(2).into(),
            points: frames.map(|f| f.p),
            lengths: [self.through_length(bearing).ok()?, bearing],
        })
    }
}

impl Journal {
    /// Returns a warning if the journal is too short for its travel within `duration` [s], assuming that the bodies
    /// continue along its axis with their initial velocities under gravity.
    pub(crate) fn too_short(
        &self,
        world: &World,
        constraints: &ConstraintSet,
        y: &[f64],
        duration: f64,
    ) -> Option<Warning> {
        let held = |body: usize| {
            constraints.bodies.iter().any(|b| b.body == body) && self.is_held(world, constraints, body)
        };
        let motion = self.bodies.map(|body| {
            let (b, k) = (&world.bodies[body], Kinematics::new(&world.bodies[body], 0.0, y));
            let free = world.is_dynamic(body) && !held(body);
            let pull = if free { world.gravity.component_mul(&b.dofs.translation) } else { Vec3::zeros() };
            (k, pull)
        });
        let position = |end: usize| {
            let (k, b) = (&motion[end].0, &world.bodies[self.bodies[end]]);
            k.x.point(&(self.points[end] - b.centre))
        };
        let axis = motion[1].0.x.direction(&self.axis);
        let along = |v: Vec3| v.dot(&axis);
        let (x, v, a) = (
            along(position(1) - position(0)),
            along(motion[1].0.velocity_at(&position(1)) - motion[0].0.velocity_at(&position(0))),
            along(motion[1].1 - motion[0].1),
        );
        let room = 0.5 * (self.lengths[0] - self.lengths[1]);
        let leaves = [room - x, -room - x].map(|way| first_root(way, v, a));
        let t = leaves.into_iter().flatten().fold(f64::INFINITY, f64::min);
        (t <= duration).then(|| Warning::ShortJournal {
            joint: self.joint.clone(),
            length: length(self.lengths[0]),
            bearing: length(self.lengths[1]),
            t: short(t),
        })
    }

    /// Whether joints connect a body to a body that does not move by its forces, so that it does not fall freely.
    fn is_held(&self, world: &World, constraints: &ConstraintSet, body: usize) -> bool {
        let of = |bodies: &[usize]| bodies.contains(&body);
        constraints.list.iter().any(|h| of(&h.bodies) && h.bodies.iter().any(|&b| !world.is_dynamic(b)))
    }
}

/// Returns the first time t > 0 at which v t + ½ a t² equals the distance `way`.
fn first_root(way: f64, v: f64, a: f64) -> Option<f64> {
    let square = v * v + 2.0 * a * way;
    if square < 0.0 {
        return None;
    }
    let roots = [2.0 * way / (v + square.sqrt()), 2.0 * way / (v - square.sqrt())];
    roots.into_iter().filter(|t| *t > 0.0 && t.is_finite()).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::first_root;

    #[test]
    fn a_way_is_gone_when_it_is() {
        assert_eq!(first_root(2.0, 1.0, 0.0), Some(2.0));
        assert_eq!(first_root(-2.0, 1.0, 0.0), None);
        assert_eq!(first_root(2.0, 0.0, 4.0), Some(1.0));
        assert_eq!(first_root(-2.0, 0.0, 4.0), None);
        // thrown upwards, it passes that position as it falls
        assert_eq!(first_root(-3.0, 2.0, -2.0), Some(3.0));
    }
}
