//! States that do not determine their rates, so that these jump: several loads of a joint's friction may satisfy N =
//! g(N), and the contact point of a solid between two walls of one surface may be on either.

use carom_base::Vec3;
use carom_ode::Ode;

use crate::contact::PairBodies;
use crate::forward::kinematics;
use crate::reaction::Jointed;
use crate::system::System;
use crate::workspace::Workspace;

/// The distance by which a body is moved to test whether its contact point jumps, as a fraction of the size of the
/// pair.
const MOVED: f64 = 1e-6;
/// A normal that turns by more than this has jumped [rad]: along a smooth surface it would turn by about [`MOVED`].
const LEAPT: f64 = 0.1;

impl System<'_> {
    /// Describes a joint whose friction increases its own load so much that several loads are in balance in this state,
    /// if there is one.
    pub(crate) fn undecided_joint(&mut self, t: f64, y: &[f64]) -> Option<String> {
        let m = self.model;
        (0..m.constraints.frictions.len()).find_map(|i| {
            let mut rates = vec![0.0; y.len()];
            self.rhs(t, y, &mut rates).ok()?;
            let Workspace { loads, joints, joint_friction, accelerations, .. } = &mut self.ws;
            let (bodies, memories) = (&loads.bodies, m.world.layout.memories(y));
            let balances = joint_friction.balances(&mut Jointed { m, bodies, memories, joints, a: accelerations }, i);
            let loads: Vec<String> = balances.iter().map(|n| format!("{n:.3e} N")).collect();
            let friction = &m.constraints.frictions[i];
            (loads.len() > 1).then(|| {
                format!(
                    "joint {} (its friction, `{}`, adds more to the load that makes it than it needs, so that {} loads balance here, {}, and the motion leaps from one to another: \
                     a smaller coefficient or radius, less damping of bristles, or a longer bearing helps)",
                    m.constraints.list[friction.constraint].name,
                    friction.law.name(),
                    loads.len(),
                    loads.join(", ")
                )
            })
        })
    }

    /// Describes a contact under load whose contact point jumps to another position when a body is moved by a
    /// negligible distance, if there is one.
    pub(crate) fn leaping_point(&mut self, t: f64, y: &[f64]) -> Option<String> {
        kinematics(self.model, t, y, &mut self.ws);
        self.monitor.active.iter().find_map(|at| {
            let pair = &self.monitor.pairs[at.pair];
            let bodies = self.bodies(pair, y);
            let here = pair.contact(at.point, bodies).ok().filter(|c| c.delta > 0.0)?;
            let turned = |way: usize| {
                let mut moved = *bodies.b;
                let step = if way.is_multiple_of(2) { MOVED } else { -MOVED } * pair.size;
                moved.x.p += Vec3::from_fn(|i, _| if i == way / 2 { step } else { 0.0 });
                let moved = PairBodies { b: &moved, ..bodies };
                pair.contact(at.point, moved).map_or(0.0, |c| (c.n - here.n).norm())
            };
            (0..6).map(turned).any(|turned| turned > LEAPT).then(|| {
                format!(
                    "contact {} (one surface is between two walls of the other that are equally near, and the contact has one point, the nearest, which leaps from wall to wall: a hollow must be \
                     rounder everywhere than what touches it from within)",
                    pair.name
                )
            })
        })
    }
}
