//! The effective mass m* of a contact: 1/m* is the change of the closing speed of its two points by a unit impulse between
//! them.
//!
//! For two free bodies 1/m* = J M⁻¹ Jᵀ, J being the gradient of δ̇ with respect to their velocities. Where joints constrain
//! them the impulse moves other bodies too, Φ M⁻¹ (Jᵀ + Φᵀ λ) = 0, and
//!
//!   1/m* = J M⁻¹ (Jᵀ + Φᵀ λ),   S λ = −Φ M⁻¹ Jᵀ,
//!
//! so that a hinged bar of inertia I about its hinge acts at a distance ρ like a particle of mass I/ρ².

use carom_base::{Mat3, inverse};

use crate::joint::GeneralizedForce;
use crate::model::Model;
use crate::reaction::Multipliers;
use crate::state::Kinematics;

/// If joints reduce 1/m* below this part of its value for free bodies, the joints, or the drives in them, allow no motion
/// there, and the value for free bodies is used.
const HELD: f64 = 1e-12;

/// Workspace for the effective mass.
#[derive(Clone, Debug)]
pub(crate) struct Mobility {
    joints: Multipliers,
    /// velocity changes by the impulse of the bodies that have joints
    accelerations: Vec<[f64; 12]>,
}

impl Mobility {
    pub(super) fn new(m: &Model) -> Mobility {
        Mobility { joints: Multipliers::new(m), accelerations: vec![[0.0; 12]; m.constraints.bodies.len()] }
    }

    /// Computes 1/m* [1/kg] of a contact with these gradients of δ on two bodies, at time `t`, with all bodies at `k`.
    pub(super) fn inverse_mass<'k>(
        &mut self,
        m: &Model,
        t: f64,
        bodies: [usize; 2],
        gradients: &[GeneralizedForce; 2],
        k: impl Fn(usize) -> &'k Kinematics,
    ) -> f64 {
        let Mobility { joints, accelerations } = self;
        let ends = [0, 1].map(|i| (bodies[i], &gradients[i]));
        let along = |body: usize, force: &GeneralizedForce, a: &[f64; 12]| {
            force.along(a, m.world.bodies[body].soft.is_some())
        };
        let moved = ends.map(|(body, force)| response(m, t, body, k(body), force));
        let free: f64 = ends.iter().zip(&moved).map(|((body, force), a)| along(*body, force, a)).sum();
        let jointed = |body: usize| m.constraints.bodies.iter().position(|b| b.body == body);
        if bodies.iter().all(|&body| jointed(body).is_none()) {
            return free;
        }
        joints.evaluate(m, t, &k);
        joints.factor(m, |body| m.world.mass_factor(body, t));
        accelerations.fill([0.0; 12]);
        for ((body, _), a) in ends.iter().zip(&moved) {
            if let Some(i) = jointed(*body) {
                accelerations[i] = *a;
            }
        }
        joints.solve_changed(m, &[], accelerations);
        let mut held = free;
        joints.responses(m, |_, of, change| {
            for (body, force) in ends.iter().filter(|end| end.0 == of) {
                let mut a = [0.0; 12];
                a[..change.len()].copy_from_slice(change);
                held += along(*body, force, &a);
            }
        });
        if held > HELD * free { held } else { free }
    }
}

/// Computes 1/m* [1/kg] of a contact between two bodies without joints and drives, with these gradients of δ.
pub(super) fn free_inverse_mass(
    m: &Model,
    bodies: [usize; 2],
    gradients: &[GeneralizedForce; 2],
    k: [&Kinematics; 2],
) -> f64 {
    let of = |i: usize| {
        let moved = response(m, 0.0, bodies[i], k[i], &gradients[i]);
        gradients[i].along(&moved, m.world.bodies[bodies[i]].soft.is_some())
    };
    of(0) + of(1)
}

/// Returns the change of a body's velocities by a unit impulse along a gradient: of v and ω or, for a deformable body, of v
/// and Ḟ.
fn response(m: &Model, t: f64, body: usize, k: &Kinematics, force: &GeneralizedForce) -> [f64; 12] {
    let mut out = [0.0; 12];
    if !m.world.is_dynamic(body) {
        return out;
    }
    let (b, share) = (&m.world.bodies[body], 1.0 / m.world.mass_factor(body, t));
    out[..3].copy_from_slice((force.f.component_mul(&b.inverse_mass) * share).as_slice());
    match &b.soft {
        Some(soft) => {
            let moment = Mat3::from_column_slice(&force.moment());
            out[3..].copy_from_slice((soft.response(&inverse(&k.x.r).1, &moment) * share).as_slice());
        }
        None => out[3..6].copy_from_slice((b.angular_response(&k.x.r, &force.torque()) * share).as_slice()),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Mobility;
    use crate::joint::GeneralizedForce;
    use crate::{Body, Joint, ModelBuilder, Revolute, Universal};
    use carom_base::{Quat, Vec3};

    /// Returns 1/m* for a body pushed at p along g.
    fn inverse_mass(b: &ModelBuilder, body: &str, p: Vec3, g: Vec3) -> f64 {
        let m = b.build().unwrap();
        let find = |name: &str| m.world.bodies.iter().position(|b| b.name == name).unwrap();
        let (pushed, ground) = (find(body), find("ground"));
        let k = |body: usize| &m.world.bodies[body].rest;
        let forces = [(pushed, g), (ground, -g)].map(|(body, g)| GeneralizedForce::at(k(body), &p, g));
        Mobility::new(&m).inverse_mass(&m, 0.0, [pushed, ground], &forces, k)
    }

    /// A coupler of any mass, however small, between cranks of 1 kg and 1 m at 0.4 rad from the vertical has its exact
    /// effective mass, 1/m* = (g·dp/dψ)²/J.
    #[test]
    fn light_bodies_have_their_own_mass() {
        for mass in [1.0, 1e-3, 1e-6, 1e-9] {
            let rod = |name: &str, m: f64, at: Vec3, angle: f64| {
                let body = Body::new(name).mass(m).inertia([1e-9 * m, m / 12.0, m / 12.0]);
                body.position(at.into()).orientation(Quat::from_scaled_axis(Vec3::z() * angle))
            };
            let (sin, cos) = 0.4_f64.sin_cos();
            let (tip, upright) = (Vec3::new(sin, cos, 0.0), std::f64::consts::FRAC_PI_2 - 0.4);
            let mut b = ModelBuilder::new();
            b.body(Body::fixed("ground")).body(rod("a", 1.0, 0.5 * tip, upright));
            b.body(rod("b", 1.0, Vec3::x() + 0.5 * tip, upright));
            b.body(rod("c", mass, 0.5 * Vec3::x() + tip, 0.0));
            for (one, other, at) in [
                ("a", "ground", Vec3::zeros()),
                ("b", "ground", Vec3::x()),
                ("c", "a", tip),
                ("c", "b", Vec3::x() + tip),
            ] {
                b.joint(Joint::between(one, other, Revolute).at(at.into()).axis([0.0, 0.0, 1.0]));
            }
            let g = Vec3::new(0.3, -0.8, 0.5);
            let found = inverse_mass(&b, "c", Vec3::new(0.5 + sin, cos, 0.0), g);
            let exact = g.dot(&Vec3::new(cos, -sin, 0.0)).powi(2) / (2.0 / 3.0 + mass);
            assert!((found / exact - 1.0).abs() < 1e-11, "{mass:e}: {found} {exact}");
        }
    }

    /// A bar on a hinge with a rotor acts at a distance ρ like a particle of mass (I + J)/ρ².
    #[test]
    fn rotors_are_part_of_the_mass() {
        for rotor in [1e-6, 0.2, 50.0] {
            let mut b = ModelBuilder::new();
            b.body(Body::fixed("ground"));
            b.body(Body::new("bar").mass(1.0).inertia([0.01, 0.1, 0.1]).position([0.5, 0.0, 0.0]));
            let hinge = Joint::between("bar", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]);
            b.joint(hinge.rotor_inertia(rotor));
            let found = inverse_mass(&b, "bar", Vec3::new(0.8, 0.0, 0.0), Vec3::y());
            let exact = 0.64 / (0.1 + 0.25 + rotor);
            assert!((found / exact - 1.0).abs() < 1e-12, "{rotor:e}: {found:e} {exact:e}");
        }
    }

    /// Two shafts on a Cardan joint are pushed at a lever of 0.1 m: 1/m* = ρ²/(I (1 + cos² β)).
    #[test]
    fn slender_shafts_have_their_own_inertia() {
        for axial in [1e-3, 1e-6, 1e-9, 1e-12] {
            let along = Vec3::new(0.6, 0.0, 0.8);
            let shaft = |name: &str, at: Vec3, d: Vec3| {
                let turn = Quat::rotation_between(&Vec3::x(), &d).unwrap();
                let body = Body::new(name).mass(1.0).inertia([axial, 1.0 / 12.0, 1.0 / 12.0]);
                body.position(at.into()).orientation(turn)
            };
            let mut b = ModelBuilder::new();
            b.body(Body::fixed("ground")).body(shaft("first", -0.5 * Vec3::z(), Vec3::z()));
            b.body(shaft("second", 0.5 * along, along));
            b.joint(Joint::between("first", "ground", Revolute).at([0.0, 0.0, -1.0]).axis([0.0, 0.0, 1.0]));
            b.joint(Joint::between("second", "ground", Revolute).at(along.into()).axis(along.into()));
            let fork = Joint::between("first", "second", Universal).at([0.0; 3]);
            b.joint(fork.axis([0.0, 1.0, 0.0]).second_axis([-0.8, 0.0, 0.6]));
            let found = inverse_mass(&b, "first", Vec3::new(0.1, 0.0, -0.5), Vec3::y());
            let exact = 0.01 / (axial * (1.0 + 0.64));
            assert!((found / exact - 1.0).abs() < 1e-12, "{axial:e}: {found:e} {exact:e}");
        }
    }
}
