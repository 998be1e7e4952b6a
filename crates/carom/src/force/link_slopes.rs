//! Derivatives of a force between two points by the states of its two bodies.
//!
//! F = −T(l, l̇) e with d = p_a − p_b, l = |d|, e = d/l, l̇ = v·e. With k = ∂T/∂l, c = ∂T/∂l̇ and P = (1 − e eᵀ)/l,
//!
//!   de = P dd,   dl = e·dd,   dl̇ = e·dv + v·P dd,
//!   dF = −(e (k eᵀ + c vᵀ P) + T P) dd − c e eᵀ dv.
//!
//! A body's small motion (δx, δθ) changes its arm by δθ × r, hence dd = ±(δx + δθ × r), dv = ±ω × (δθ × r).

use carom_base::{Dual, Mat3, Vec3};
use carom_ode::Jacobian;

use super::{Link, Stretch};
use crate::layout::{AffineRows, Rigid, RigidRows};
use crate::loads::Loads;
use crate::slopes::{Change, Wrench, material_point, rotation_by_quaternion, unit};
use crate::world::{BodyKind, World};

/// A force between points, and its derivatives.
struct Linked {
    wrench: Wrench,
    /// derivative of F by d [N/m]
    by_d: Mat3,
    /// derivative of F by v [N s/m]
    by_v: Mat3,
}

/// Adds the derivatives of the force to the Jacobian, and loads the bodies with it. `false`: the points coincide, and
/// the line has no direction.
pub(super) fn add(world: &World, link: &Link, loads: &mut Loads, y: &[f64], j: &mut Jacobian) -> bool {
    let linked = Linked::new(link, loads);
    for (end, body) in link.bodies.into_iter().enumerate() {
        let added = match world.bodies[body].kind {
            BodyKind::Dynamic(rows) => linked.add_moved(world, end, rows.of(y), rows, j),
            BodyKind::Affine(rows) => linked.add_deformed(world, end, rows, j),
            _ => continue,
        };
        if !added {
            return false;
        }
    }
    linked.wrench.load(loads);
    true
}

impl Linked {
    /// Evaluates force and derivatives in the state that the loads hold.
    fn new(link: &Link, loads: &Loads) -> Linked {
        let [a, b] = link.bodies.map(|body| loads.body(body));
        let Stretch { p, v, e, length, rate } = link.stretch(a, b);
        let tension = link
            .law
            .tension_dual_on(
                Dual::variable(length, 0),
                Dual::variable(rate, 1),
                &loads.sides[link.switches.clone()],
            )
            .f;
        let [k, c] = tension.eps;
        let across = (Mat3::identity() - e * e.transpose()) / length;
        let f = e * -tension.re;
        Linked {
            wrench: Wrench::new(loads, link.bodies, p, f, Vec3::zeros()),
            by_d: -(e * (k * e.transpose() + c * v.transpose() * across) + tension.re * across),
            by_v: -c * e * e.transpose(),
        }
    }

    /// Adds the derivatives by the numbers `y` of a rigid body, A (0) or B (1), which are at `rows` in the state.
    /// `false`: the points coincide, and the line has no direction.
    fn add_moved(&self, world: &World, end: usize, y: Rigid<'_>, rows: RigidRows, j: &mut Jacobian) -> bool {
        let at = &self.wrench.ends[end];
        // a rotation δθ changes the arm by δθ × r
        let moved = |dd: Vec3, arm: Vec3| {
            let mut arms = [Vec3::zeros(); 2];
            arms[end] = arm;
            let f = at.sign * (self.by_d * dd + self.by_v * at.k.w.cross(&arm));
            Change { f, arms, couple: Vec3::zeros() }
        };
        let by_x = [0, 1, 2].map(|i| moved(unit(i), Vec3::zeros()));
        let by_turn = [0, 1, 2].map(|i| moved(unit(i).cross(&at.arm), unit(i).cross(&at.arm)));
        if !by_x.iter().chain(&by_turn).all(Change::is_finite) {
            return false;
        }
        for (i, by_x) in by_x.iter().enumerate() {
            self.wrench.add(world, by_x, rows.position(i), j);
        }
        if world.bodies[at.body].orientation_matters {
            for (i, by_q) in rotation_by_quaternion(&y.quaternion()).column_iter().enumerate() {
                self.wrench.add(world, &Change::sum(by_turn.each_ref(), &by_q.into()), rows.quaternion(i), j);
            }
        }
        for i in 0..3 {
            for (dv, column) in
                [(unit(i), rows.velocity(i)), (unit(i).cross(&at.arm), rows.angular_velocity(i))]
            {
                let f = at.sign * (self.by_v * dv);
                let change = Change { f, arms: [Vec3::zeros(); 2], couple: Vec3::zeros() };
                self.wrench.add(world, &change, column, j);
            }
        }
        true
    }

    /// Adds the derivatives by the numbers of a deformable body, A (0) or B (1), which are at `rows` in the state.
    /// Its point has material coordinates X: p = p0 + F X, v = ṗ0 + Ḟ X. `false`: the points coincide, and the line
    /// has no direction.
    fn add_deformed(&self, world: &World, end: usize, rows: AffineRows, j: &mut Jacobian) -> bool {
        let at = &self.wrench.ends[end];
        let x = material_point(&at.k.x.r, &at.arm);
        let mut all_finite = true;
        let mut add = |dd: Vec3, dv: Vec3, arm: Vec3, column: usize| {
            let mut arms = [Vec3::zeros(); 2];
            arms[end] = arm;
            let f = at.sign * (self.by_d * dd + self.by_v * dv);
            let change = Change { f, arms, couple: Vec3::zeros() };
            all_finite &= change.is_finite();
            self.wrench.add(world, &change, column, j);
        };
        let none = Vec3::zeros();
        for i in 0..3 {
            add(unit(i), none, none, rows.position(i));
            add(none, unit(i), none, rows.velocity(i));
            for k in 0..3 {
                let moved = unit(i) * x[k];
                add(moved, none, moved, rows.deformation(i, k));
                add(none, moved, none, rows.deformation_rate(i, k));
            }
        }
        all_finite
    }
}
