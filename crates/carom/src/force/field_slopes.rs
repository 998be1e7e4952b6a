//! Derivatives of a short-range field by the states of its body and its support.
//!
//! The field is evaluated in dual numbers. The variables are a small motion of a rigid body and its velocities,
//! (δx, δθ, δv, δω), or the 24 numbers of a deformable one, and after that those of the support if it moves by its forces.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};
use carom_field::Action;
use carom_ode::Jacobian;

use super::{FieldBodyMotion, FieldElement, SupportMotion, cross_matrix};
use crate::layout::{Affine, AffineRows, ByAffine, Rigid, RigidRows};
use crate::loads::Loads;
use crate::slopes::{RIGID, rotation_by_quaternion};
use crate::state::{Kinematics, torque_of};
use crate::world::{BodyKind, World};

/// Adds the derivatives of a field to the Jacobian and loads its bodies; of a deformable body, adds the moment with
/// derivatives to `field_moments`.
pub(super) fn add(world: &World, field: &FieldElement, loads: &mut Loads, y: &[f64], j: &mut Jacobian) {
    let [body, support] = field.bodies;
    let (k, ks) = (*loads.body(body), *loads.body(support));
    match world.bodies[body].kind {
        BodyKind::Dynamic(rows) => {
            let action = field.act_by(&rigid(&k, true), &held(field, &ks));
            let slopes = FieldLoads::new(&action, &moving(&k).r, k.x.p - ks.x.p, true);
            slopes.add(world, field, loads, rows.of(y), rows, j);
            loads.spread(body, &slopes.force.map(|x| x.re), &slopes.moment.map(|x| x.re));
        }
        BodyKind::Affine(rows) => {
            let own = Affine::variables(rows.numbers(y));
            let action = field.act_by(&soft(&own), &held(field, &ks));
            if let Some(at) = world.affine.iter().position(|&b| b == body) {
                loads.field_moments[at] += action.moment;
            }
            add_soft(world, field, loads, &action, &own, rows, j);
        }
        _ => {}
    }
    let BodyKind::Dynamic(rows) = world.bodies[support].kind else { return };
    let seen = if k.deforms { steady(&k) } else { rigid(&k, false) };
    let action = field.act_by(&seen, &moved_support(field, &ks));
    let slopes = FieldLoads::new(&action, &seen.x.r, k.x.p - ks.x.p, false);
    slopes.add(world, field, loads, rows.of(y), rows, j);
    loads.spread(support, &-slopes.force.map(|x| x.re), &-slopes.about_support.map(|x| x.re));
}

/// The field's loads on both bodies, with derivatives by a motion of one of them.
struct FieldLoads {
    force: Vec3<Dual<RIGID>>,
    /// ∫ q ⊗ r dA about the body's centre of mass
    moment: Mat3<Dual<RIGID>>,
    /// ∫ q ⊗ r dA about the support's centre of mass
    about_support: Mat3<Dual<RIGID>>,
}

impl FieldLoads {
    /// Collects the loads. `arm`: from the support's centre of mass to the body's. If `body_moves` the derivatives
    /// are by the body's motion, else by the support's.
    fn new(
        action: &Action<Dual<RIGID>>,
        axes: &Mat3<Dual<RIGID>>,
        arm: Vec3,
        body_moves: bool,
    ) -> FieldLoads {
        let moment = action.moment * axes.transpose();
        let sign = if body_moves { 1.0 } else { -1.0 };
        let arm = Vec3::from_fn(|i, _| {
            let mut eps = [0.0; RIGID];
            eps[i] = sign;
            Dual { re: arm[i], eps }
        });
        FieldLoads { force: action.force, moment, about_support: moment + action.force * arm.transpose() }
    }

    /// Adds the derivatives by a rigid body's numbers `y`, which are at `rows`, to the accelerations of body and support.
    fn add(
        &self,
        world: &World,
        field: &FieldElement,
        loads: &Loads,
        y: Rigid<'_>,
        rows: RigidRows,
        j: &mut Jacobian,
    ) {
        let turn = rotation_by_quaternion(&y.quaternion());
        let by = |i: usize| Change {
            f: self.force.map(|x| x.eps[i]),
            moment: self.moment.map(|x| x.eps[i]),
            about_support: self.about_support.map(|x| x.eps[i]),
        };
        for i in 0..3 {
            by(i).add(world, field, loads, rows.position(i), j);
            by(6 + i).add(world, field, loads, rows.velocity(i), j);
            by(9 + i).add(world, field, loads, rows.angular_velocity(i), j);
        }
        for i in 0..4 {
            let sum = |part: &dyn Fn(usize) -> Change| {
                (0..3).fold(Change::zero(), |sum, k| sum.plus(&part(3 + k), turn[(k, i)]))
            };
            sum(&by).add(world, field, loads, rows.quaternion(i), j);
        }
    }
}

/// The changes of the loads by one number of the state.
struct Change {
    f: Vec3,
    moment: Mat3,
    about_support: Mat3,
}

impl Change {
    fn zero() -> Change {
        Change { f: Vec3::zeros(), moment: Mat3::zeros(), about_support: Mat3::zeros() }
    }

    fn plus(&self, other: &Change, weight: f64) -> Change {
        Change {
            f: self.f + other.f * weight,
            moment: self.moment + other.moment * weight,
            about_support: self.about_support + other.about_support * weight,
        }
    }

    fn add(&self, world: &World, field: &FieldElement, loads: &Loads, column: usize, j: &mut Jacobian) {
        let [body, support] = field.bodies;
        spread(world, loads, body, &self.f, &self.moment, column, j);
        spread(world, loads, support, &-self.f, &-self.about_support, column, j);
    }
}

/// Adds to a column the accelerations of a body by a change of a force spread over it.
fn spread(
    world: &World,
    loads: &Loads,
    body: usize,
    f: &Vec3,
    moment: &Mat3,
    column: usize,
    j: &mut Jacobian,
) {
    let (b, r) = (&world.bodies[body], &loads.body(body).x.r);
    let (f, moment) = (f / loads.now.mass_factor(body), moment / loads.now.mass_factor(body));
    let a = f.component_mul(&b.inverse_mass);
    match (&b.kind, &b.soft) {
        (BodyKind::Dynamic(rows), _) => {
            let alpha = b.angular_response(r, &torque_of(&moment));
            j.add_rows(rows.velocity(0), column, &[a.x, a.y, a.z, alpha.x, alpha.y, alpha.z]);
        }
        (BodyKind::Affine(rows), Some(soft)) => {
            let inv = carom_base::inverse(r).1;
            let bent = soft.response(&inv, &(moment * inv.transpose()));
            j.add_rows(rows.velocity(0), column, a.as_slice());
            j.add_rows(rows.deformation_rate(0, 0), column, bent.as_slice());
        }
        _ => {}
    }
}

/// Adds the derivatives by a deformable body's numbers of its own acceleration and of its support's; the part of F̈
/// comes with its moment.
fn add_soft(
    world: &World,
    field: &FieldElement,
    loads: &Loads,
    action: &Action<ByAffine>,
    own: &Affine<ByAffine>,
    rows: AffineRows,
    j: &mut Jacobian,
) {
    let [body, support] = field.bodies;
    let arm = own.p - loads.body(support).x.p.map(Dual::from_f64);
    let about_support = action.moment * own.f.transpose() + action.force * arm.transpose();
    for (i, column) in rows.all().enumerate() {
        let f = action.force.map(|x| x.eps[i]);
        let a = f.component_mul(&world.bodies[body].inverse_mass) / loads.now.mass_factor(body);
        j.add_rows(rows.velocity(0), column, a.as_slice());
        let moment = about_support.map(|x| x.eps[i]);
        spread(world, loads, support, &-f, &-moment, column, j);
    }
}

/// Returns a body's frame, with derivatives by a displacement of its centre of mass (variables 0 to 2) and a rotation
/// about it (3 to 5).
fn moving(k: &Kinematics) -> Pose<Dual<RIGID>> {
    let var = |re: f64, i: usize| Dual::variable(re, i);
    let p = Vec3::from_fn(|i, _| var(k.x.p[i], i));
    let turn = Vec3::from_fn(|i, _| var(0.0, 3 + i));
    let r = k.x.r.map(Dual::from_f64);
    Pose { p, r: r + cross_matrix(&turn) * r }
}

/// Returns a rigid body's motion for the field; if it `moves`, with derivatives by its small motion and velocities.
fn rigid(k: &Kinematics, moves: bool) -> FieldBodyMotion<Dual<RIGID>> {
    let var = |re: f64, i: usize| if moves { Dual::variable(re, i) } else { Dual::from_f64(re) };
    let x = match moves {
        true => moving(k),
        false => Pose { p: k.x.p.map(Dual::from_f64), r: k.x.r.map(Dual::from_f64) },
    };
    let w = Vec3::from_fn(|i, _| var(k.w[i], 9 + i));
    FieldBodyMotion {
        x,
        v: Vec3::from_fn(|i, _| var(k.v[i], 6 + i)),
        f_dot: cross_matrix(&w) * x.r,
        deforms: false,
    }
}

/// Returns a deformable body's motion for the field, without derivatives.
fn steady(k: &Kinematics) -> FieldBodyMotion<Dual<RIGID>> {
    FieldBodyMotion {
        x: Pose { p: k.x.p.map(Dual::from_f64), r: k.x.r.map(Dual::from_f64) },
        v: k.v.map(Dual::from_f64),
        f_dot: (k.l * k.x.r).map(Dual::from_f64),
        deforms: true,
    }
}

/// Returns a deformable body's motion for the field, with derivatives by its own numbers.
fn soft(own: &Affine<ByAffine>) -> FieldBodyMotion<ByAffine> {
    FieldBodyMotion { x: Pose { p: own.p, r: own.f }, v: own.v, f_dot: own.f_dot, deforms: true }
}

/// Returns a support's motion for the field, without derivatives.
fn held<const N: usize>(field: &FieldElement, ks: &Kinematics) -> SupportMotion<Dual<N>> {
    let dual = |v: &Vec3| v.map(Dual::from_f64);
    let surface = ks.x.then(field.surface());
    SupportMotion {
        surface: Pose { p: dual(&surface.p), r: surface.r.map(Dual::from_f64) },
        p: dual(&ks.x.p),
        v: dual(&ks.v),
        w: dual(&ks.w),
    }
}

/// Returns a support's motion for the field, with derivatives by its small motion and velocities.
fn moved_support(field: &FieldElement, ks: &Kinematics) -> SupportMotion<Dual<RIGID>> {
    let x = moving(ks);
    let own = field.surface();
    let surface = x.then(&Pose { p: own.p.map(Dual::from_f64), r: own.r.map(Dual::from_f64) });
    let var = |v: &Vec3, from: usize| Vec3::from_fn(|i, _| Dual::variable(v[i], from + i));
    SupportMotion { surface, p: x.p, v: var(&ks.v, 6), w: var(&ks.w, 9) }
}
