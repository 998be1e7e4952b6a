//! Friction in joints, by any friction law: F = F(N, v).
//!
//! - v, the slip: of a bearing that turns, ρ (ω_a − ω_b)·d; of a guide that slides, (v_a − v_b)·d at the point of A; d the directions that the joint leaves free. What
//!   slips in one bearing is one vector: a nut goes round and along at once, and friction opposes the way of its thread.
//! - N, the load: N₀ + |f| + 2 |m|/ℓ, f and m being force and couple of the joint's own equations, the couple about A's point: A is what slides, B the guide. A couple is carried by two ends of a bearing that are ℓ apart.
//!
//! Friction changes the reactions, and those the load: N = g(N). The equations of motion are linear in F, so that an iteration costs one solution with factors that are there;
//! it goes to rounding, by the secant method along the last step (Irons, Tuck, *Int. J. Numer. Meth. Eng.* 1, 1969). Where there is no load that makes its own friction (a
//! guide that jams: friction that adds more to the load than it needs) the step fails, and says so.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | ρ | m | radius of the bearing |
//! | ℓ | m | length of the bearing or guide; without one, couples press nothing together |
//! | N₀ | N | preload |

use std::sync::Arc;

use carom_base::{Mat3, Scalar, Vec3, inverse};
use carom_law::{Friction, Memory};

use super::describe::{Frames, JointKind};
use super::measure::{A, B};
use super::moving::{Moving, zero};
use crate::coordinate::Direction;
use crate::error::{BuildError, Subject};
use crate::state::{Kinematics, spin};

/// Friction in a joint: a law, and what its bearing is like.
///
/// ```
/// use carom::prelude::*;
/// let rubs = JointFriction::new(Tanh::new(0.1, 1000.0)?).radius(0.01); // [m]
/// let hinge = Joint::between("door", "frame", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).friction(rubs);
/// # let _ = hinge;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JointFriction {
    law: Arc<dyn Friction>,
    radius: Option<f64>,
    length: Option<f64>,
    preload: f64,
}

impl JointFriction {
    /// Of that law; joints that turn need a radius.
    pub fn new(law: impl Friction + 'static) -> JointFriction {
        JointFriction::by(Arc::new(law))
    }

    /// The same for a law that is shared.
    pub fn by(law: Arc<dyn Friction>) -> JointFriction {
        JointFriction { law, radius: None, length: None, preload: 0.0 }
    }

    /// At this distance from the axis or the centre [m], more than zero.
    pub fn radius(mut self, radius: f64) -> JointFriction {
        self.radius = Some(radius);
        self
    }

    /// Couples are carried by ends so far apart [m], more than zero.
    pub fn length(mut self, length: f64) -> JointFriction {
        self.length = Some(length);
        self
    }

    /// With this load [N] besides the reaction.
    pub fn preload(mut self, preload: f64) -> JointFriction {
        self.preload = preload;
        self
    }
}

/// A motion that a joint leaves free, and that may rub: about or along a direction of A's or B's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A turns about a direction of its own
    TurnOfA(Direction),
    /// A turns about a direction of B
    Turn(Direction),
    /// A slides along a direction of B
    Slide(Direction),
}

/// What rubs in a joint of a model.
#[derive(Clone, Debug)]
pub(crate) struct JointFrictionTerm {
    /// its joint
    pub(crate) constraint: usize,
    pub(crate) bodies: [usize; 2],
    /// the directions in which it slips, three at most
    ways: Vec<Way>,
    /// the joint's points, from the centres of mass
    points: [Vec3; 2],
    pub(crate) law: Arc<dyn Friction>,
    /// 2/ℓ, or 0
    by_couple: f64,
    preload: f64,
    /// the force below which bristles engage in part only [N]
    pub(crate) least_load: f64,
}

#[derive(Clone, Copy, Debug)]
struct Way {
    /// of this end, in its axes
    direction: Vec3,
    end: usize,
    /// ρ; `None`: it slides
    radius: Option<f64>,
}

/// What slips at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slipping<S: Scalar = f64> {
    /// the slip
    pub(crate) v: Vec3<S>,
    /// the point of A
    pub(crate) p: Vec3<S>,
    /// of each way: force on A at p, couple on A, for a unit of friction
    pub(crate) units: [(Vec3<S>, Vec3<S>); 3],
}

carom_base::plain!(Slipping { v, p, units });

impl JointFrictionTerm {
    /// Those of a joint that is the hold of that number. `couples`: whether it carries any.
    pub(crate) fn of(
        kind: &dyn JointKind,
        friction: &JointFriction,
        frames: &Frames,
        (constraint, joint): (usize, &str),
        bodies: [usize; 2],
        couples: bool,
    ) -> Result<Vec<JointFrictionTerm>, BuildError> {
        let bearings = kind.slips();
        let joint = Subject::Joint(joint.to_owned());
        let needs = |key, what| joint.needs(kind.name(), key, what);
        if bearings.is_empty() {
            return Err(needs(Some("friction"), "no `friction`: nothing in it slips"));
        }
        if friction.length.is_some() && !couples {
            return Err(needs(Some("friction_length"), "no `friction_length`: it carries no couple"));
        }
        // (what slides on a plane may spin freely)
        let slides = |bearing: &&[Slip]| matches!(bearing.first(), Some(Slip::Slide(_)));
        if friction.radius.is_none() && !bearings.iter().all(slides) {
            return Err(needs(None, "`friction_radius`: how far from its axis or centre it rubs"));
        }
        let positive = "a finite number greater than 0";
        let values = [
            ("friction_radius", friction.radius, positive),
            ("friction_length", friction.length, positive),
            ("friction_preload", Some(friction.preload).filter(|n| *n != 0.0), "a finite number, 0 or more"),
        ];
        for (field, value, allowed) in values {
            if let Some(value) = value.filter(|x| !(*x > 0.0 && x.is_finite())) {
                return Err(joint.bad(field, value, allowed));
            }
        }
        friction.law.check().map_err(|source| joint.fails(Some("friction"), source))?;
        let way = |slip: &Slip| {
            let (end, d, radius) = match *slip {
                Slip::TurnOfA(d) => (A, d, Some(friction.radius?)),
                Slip::Turn(d) => (B, d, Some(friction.radius?)),
                Slip::Slide(d) => (B, d, None),
            };
            Some(Way { direction: frames.direction(end, d), end, radius })
        };
        let term = |bearing: &&[Slip]| JointFrictionTerm {
            constraint,
            bodies,
            ways: bearing.iter().take(3).filter_map(way).collect(),
            points: frames.points,
            law: Arc::clone(&friction.law),
            by_couple: friction.length.map_or(0.0, |length| 2.0 / length),
            preload: friction.preload,
            least_load: 0.0,
        };
        Ok(bearings.iter().map(term).collect())
    }

    /// What slips, A and B moving so.
    pub(crate) fn slipping<S: Scalar>(&self, k: [&Moving<S>; 2]) -> Slipping<S> {
        let p = k[A].point(&self.points[A]).0;
        let l = k.map(|k| k.r_dot * inverse(&k.r).1);
        let v = p.rate - k[B].v - l[B] * (p.w - k[B].x);
        let w = spin(&l[A]) - spin(&l[B]);
        let none = (zero(), zero());
        let mut out = Slipping { v: zero(), p: p.w, units: [none; 3] };
        for (i, way) in self.ways.iter().enumerate() {
            let d = k[way.end].carried(&way.direction).w;
            let d = d * (S::from_f64(1.0) / d.dot(&d).sqrt());
            out.units[i] = match way.radius {
                None => (d, zero()),
                Some(radius) => (zero(), d * S::from_f64(radius)),
            };
            out.v[i] = out.units[i].0.dot(&v) + out.units[i].1.dot(&w);
        }
        out
    }

    /// How many ways there are.
    pub(crate) fn ways(&self) -> usize {
        self.ways.len()
    }

    /// dN along a change of force and couple; `whole`: both, and what is no couple.
    pub(crate) fn load_slope(&self, whole: &(Vec3, Vec3, f64), change: &(Vec3, Vec3)) -> f64 {
        let along =
            |of: &Vec3, d: &Vec3, least: f64| if of.norm() > least { of.dot(d) / of.norm() } else { 0.0 };
        // what rounding leaves of a couple has no direction
        along(&whole.0, &change.0, 0.0) + self.by_couple * along(&whole.1, &change.1, whole.2)
    }

    /// N, `force` and `couple` (about the point of A) being those of the joint.
    pub(crate) fn load(&self, force: &Vec3, couple: &Vec3) -> f64 {
        self.preload + force.norm() + self.by_couple * couple.norm()
    }

    /// The friction under a load, with the bristles as they are.
    pub(crate) fn force(&self, load: f64, v: &Vec3, memory: Option<&Memory>) -> Vec3 {
        match memory {
            None => self.law.force(load, v),
            Some(memory) => self.law.evolve(load, v, memory, self.least_load).f_t,
        }
    }
}

impl<S: Scalar> Slipping<S> {
    /// Force at p and couple on A [N, N m] of friction `f`.
    pub(crate) fn wrench(&self, f: &Vec3<S>) -> (Vec3<S>, Vec3<S>) {
        let each = self.units.iter().zip(f);
        each.fold((zero(), zero()), |(force, couple), (unit, f)| (force + unit.0 * *f, couple + unit.1 * *f))
    }
}

impl Slipping {
    /// The load of a unit of friction in a way on a body at `k`, as gradients have it: force and torque about its centre of mass, or force and Σ g ⊗ X. `side`: 1 on A, −1 on B.
    pub(crate) fn unit_load(&self, way: usize, k: &Kinematics, side: f64) -> [f64; 12] {
        let (force, couple) = (self.units[way].0 * side, self.units[way].1 * side);
        let r = self.p - k.x.p;
        let mut load = [0.0; 12];
        load[..3].copy_from_slice(force.as_slice());
        if k.deforms {
            let moment: Mat3 = force * r.transpose() + 0.5 * couple.cross_matrix();
            load[3..].copy_from_slice((moment * inverse(&k.x.r).1.transpose()).as_slice());
        } else {
            load[3..6].copy_from_slice((couple + r.cross(&force)).as_slice());
        }
        load
    }
}
