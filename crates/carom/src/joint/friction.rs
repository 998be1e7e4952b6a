//! Joint friction, by any friction law F = F(N, v).
//!
//! - v is the slip velocity: ρ (ω_a − ω_b)·d of a bearing that turns, (v_a − v_b)·d at the point of A of a guide that
//!   slides; d are the directions that the joint leaves free. All slip in one bearing is one vector: a nut turns and
//!   slides at once, and friction opposes its motion along the thread.
//! - N is the load N₀ + |f| + 2 |m|/ℓ, with f and m the force and the couple of the joint's own equations, the couple
//!   about A's point: A is the part that slides, B the guide. A couple is carried by the two ends of a bearing, which
//!   are ℓ apart.
//!
//! Friction changes the reactions, and the reactions change the load: N = g(N). The equations of motion are linear in
//! F, so that an iteration needs one solution with the factors already computed; it converges to rounding error by the
//! secant method along the last step (Irons, Tuck, *Int. J. Numer. Meth. Eng.* 1, 1969). Where no load satisfies N =
//! g(N) (a guide that jams: every load causes friction that increases it further) the step fails with an error that
//! names the joint.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | ρ | m | radius of the bearing |
//! | ℓ | m | length of the bearing or guide; without one, couples add nothing to the load |
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

/// Friction in a joint: a friction law, and the dimensions and the preload of its bearing.
///
/// ```
/// use carom::prelude::*;
/// let friction = JointFriction::new(Tanh::new(0.1, 1000.0)?).radius(0.01); // [m]
/// let hinge = Joint::between("door", "frame", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).friction(friction);
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
    /// Creates friction of that law; joints that turn need a radius as well.
    pub fn new(law: impl Friction + 'static) -> JointFriction {
        JointFriction::by(Arc::new(law))
    }

    /// Creates friction of a law that is shared; joints that turn need a radius as well.
    pub fn by(law: Arc<dyn Friction>) -> JointFriction {
        JointFriction { law, radius: None, length: None, preload: 0.0 }
    }

    /// Sets the distance from the axis or the centre at which friction acts [m], more than zero.
    pub fn radius(mut self, radius: f64) -> JointFriction {
        self.radius = Some(radius);
        self
    }

    /// Sets the distance between the two ends of the bearing, which carry couples [m], more than zero.
    pub fn length(mut self, length: f64) -> JointFriction {
        self.length = Some(length);
        self
    }

    /// Sets a load [N] that acts in addition to the reaction.
    pub fn preload(mut self, preload: f64) -> JointFriction {
        self.preload = preload;
        self
    }
}

/// A motion that a joint leaves free, and in which friction can act: about or along a direction of A's or B's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A turns about a direction of A
    TurnOfA(Direction),
    /// A turns about a direction of B
    Turn(Direction),
    /// A slides along a direction of B
    Slide(Direction),
}

/// The friction of one bearing of a joint of a model.
#[derive(Clone, Debug)]
pub(crate) struct JointFrictionTerm {
    /// index of its joint in the constraint set
    pub(crate) constraint: usize,
    pub(crate) bodies: [usize; 2],
    /// the directions in which it slips, at most three
    slip_directions: Vec<SlipDirection>,
    /// the joint's points on A and B, from the centres of mass, in the bodies' axes [m]
    points: [Vec3; 2],
    pub(crate) law: Arc<dyn Friction>,
    /// 2/ℓ [1/m], or 0 if no length is given
    load_per_couple: f64,
    preload: f64,
    /// the force below which bristles engage only in part [N]
    pub(crate) least_load: f64,
}

#[derive(Clone, Copy, Debug)]
struct SlipDirection {
    /// a direction of the body `end`, in its axes
    direction: Vec3,
    end: usize,
    /// ρ [m]; `None` if it slides
    radius: Option<f64>,
}

/// The slip of a joint at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slipping<S: Scalar = f64> {
    /// slip velocity, a component for each direction [m/s]
    pub(crate) v: Vec3<S>,
    /// the point of A, where friction acts, in the world [m]
    pub(crate) p: Vec3<S>,
    /// for each direction: force on A at p, and couple on A, per unit of friction
    pub(crate) units: [(Vec3<S>, Vec3<S>); 3],
}

carom_base::plain!(Slipping { v, p, units });

impl JointFrictionTerm {
    /// Builds the friction terms of a joint, one for each bearing. `constraint`: its index in the constraint set;
    /// `couples`: whether its reaction can be a couple.
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
        // (a body that slides on a plane needs no radius: it may then spin without friction)
        let slides = |bearing: &&[Slip]| matches!(bearing.first(), Some(Slip::Slide(_)));
        if friction.radius.is_none() && !bearings.iter().all(slides) {
            return Err(needs(
                None,
                "`friction_radius`: distance from its axis or centre at which friction acts",
            ));
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
        if friction.law.follows_depth() {
            let value = format!("{}, which follows the depth of a contact", friction.law.name());
            return Err(joint.bad("friction", value, "laws of load and slip, as `tanh` or `lugre`"));
        }
        let way = |slip: &Slip| {
            let (end, d, radius) = match *slip {
                Slip::TurnOfA(d) => (A, d, Some(friction.radius?)),
                Slip::Turn(d) => (B, d, Some(friction.radius?)),
                Slip::Slide(d) => (B, d, None),
            };
            Some(SlipDirection { direction: frames.direction(end, d), end, radius })
        };
        let term = |bearing: &&[Slip]| JointFrictionTerm {
            constraint,
            bodies,
            slip_directions: bearing.iter().take(3).filter_map(way).collect(),
            points: frames.points,
            law: Arc::clone(&friction.law),
            load_per_couple: friction.length.map_or(0.0, |length| 2.0 / length),
            preload: friction.preload,
            least_load: 0.0,
        };
        Ok(bearings.iter().map(term).collect())
    }

    /// Computes the slip in a state of A and B.
    pub(crate) fn slipping<S: Scalar>(&self, k: [&Moving<S>; 2]) -> Slipping<S> {
        let p = k[A].point(&self.points[A]).0;
        let l = k.map(|k| k.r_dot * inverse(&k.r).1);
        let v = p.rate - k[B].v - l[B] * (p.w - k[B].x);
        let w = spin(&l[A]) - spin(&l[B]);
        let none = (zero(), zero());
        let mut out = Slipping { v: zero(), p: p.w, units: [none; 3] };
        for (i, way) in self.slip_directions.iter().enumerate() {
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

    /// Returns the number of directions in which it slips.
    pub(crate) fn slip_directions(&self) -> usize {
        self.slip_directions.len()
    }

    /// Returns the change of N along a change of force and couple. `whole`: force and couple, and the size below which
    /// the couple is rounding error.
    pub(crate) fn load_slope(&self, whole: &(Vec3, Vec3, f64), change: &(Vec3, Vec3)) -> f64 {
        let along =
            |of: &Vec3, d: &Vec3, least: f64| if of.norm() > least { of.dot(d) / of.norm() } else { 0.0 };
        // a couple that is only rounding error has no direction
        along(&whole.0, &change.0, 0.0) + self.load_per_couple * along(&whole.1, &change.1, whole.2)
    }

    /// Returns N [N]; `force` and `couple` (about the point of A): the joint's reaction.
    pub(crate) fn load(&self, force: &Vec3, couple: &Vec3) -> f64 {
        self.preload + force.norm() + self.load_per_couple * couple.norm()
    }

    /// Returns the friction under a load, with the bristles in their present state [N].
    pub(crate) fn force(&self, load: f64, v: &Vec3, memory: Option<&Memory>) -> Vec3 {
        match memory {
            None => self.law.force(load, v),
            Some(memory) => self.law.evolve(load, v, memory, self.least_load).f_t,
        }
    }
}

impl<S: Scalar> Slipping<S> {
    /// Returns the force at p and the couple on A [N, N m] of friction `f`.
    pub(crate) fn wrench(&self, f: &Vec3<S>) -> (Vec3<S>, Vec3<S>) {
        let each = self.units.iter().zip(f);
        each.fold((zero(), zero()), |(force, couple), (unit, f)| (force + unit.0 * *f, couple + unit.1 * *f))
    }
}

impl Slipping {
    /// Returns the generalised force of a unit of friction in one direction on a body at `k`, in the form of gradients:
    /// force and torque about its centre of mass or, if it deforms, force and Σ g ⊗ X. `side`: 1 on A, −1 on B.
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
