//! The loads on the bodies in a state: force and torque on each, and the numbers that drives change. All forces,
//! contacts and joints write into it.

mod now;

use carom_base::expression::Side;
use carom_base::{Mat3, Scalar, Vec3};

use crate::joint::GeneralizedForce;
use crate::layout::ByAffine;
use crate::state::{Kinematics, Loaded, torque_of};
use crate::world::{BodyKind, World, kinetic};

pub(crate) use now::{DrivenValues, NOT_ALLOWED, Stretch};

/// The number of angles whose turns are counted, and of switches, of the forces of a model.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) angles: usize,
    pub(crate) switches: usize,
}

/// Positions and motion of the bodies and the loads on them, recomputed at every evaluation; allocated once.
#[derive(Clone, Debug)]
pub(crate) struct Loads {
    pub(crate) bodies: Vec<Loaded>,
    /// Σ f ⊗ r over all forces on every deformable body [N m], r from its centre of mass, world frame
    pub(crate) moments: Vec<Mat3>,
    /// moment of the fields on every deformable body, with derivatives, in the order of the state
    pub(crate) field_moments: Vec<Mat3<ByAffine>>,
    /// the numbers that drives change
    pub(crate) now: DrivenValues,
    /// angles of forces along coordinates, with full turns counted, as of the last accepted state [rad]
    pub(crate) turns: Vec<f64>,
    /// the inputs: numbers that controllers and programs set
    pub(crate) inputs: Vec<f64>,
    /// the sides on which forces with branches are evaluated, as of the last event
    pub(crate) sides: Vec<Side>,
    /// sum of external forces, and of their torques about the origin [N, N m], if `audit` is set
    pub(crate) outside: [Vec3; 2],
    /// whether fixed and prescribed bodies are loaded too, so that all forces can be summed; the motion does not need it
    pub(crate) audit: bool,
}

// `bodies` is saved too: whether a force approaches a configuration where it is undefined is decided on the bodies as
// last evaluated
carom_base::carried!(
    Loads { bodies, now, turns, inputs, sides } scratch { moments, field_moments, outside, audit }
);

impl Loads {
    /// Creates loads of zero on the bodies of a world; `counts`: how many angles have their full turns counted, and how many
    /// switches the forces have; `inputs`: the numbers that inputs start with.
    pub(crate) fn new(world: &World, counts: Counts, inputs: Vec<f64>) -> Loads {
        let unloaded = |k| Loaded { k, force: Vec3::zeros(), torque: Vec3::zeros() };
        let deforming = if world.affine.is_empty() { 0 } else { world.bodies.len() };
        Loads {
            bodies: world.bodies.iter().map(|b| unloaded(b.rest)).collect(),
            moments: vec![Mat3::zeros(); deforming],
            field_moments: vec![Mat3::from_element(ByAffine::from_f64(0.0)); world.affine.len()],
            now: DrivenValues::new(world),
            turns: vec![0.0; counts.angles],
            inputs,
            sides: vec![Side::Free; counts.switches],
            outside: [Vec3::zeros(); 2],
            audit: world.quadratures.impulse.is_some(),
        }
    }

    /// Returns position and motion of a body.
    #[inline]
    pub(crate) fn body(&self, body: usize) -> &Kinematics {
        &self.bodies[body].k
    }

    /// Sets the loads on fixed and prescribed bodies to zero.
    pub(crate) fn unload_held(&mut self, world: &World) {
        for &body in &world.held {
            let loaded = &mut self.bodies[body];
            (loaded.force, loaded.torque) = (Vec3::zeros(), Vec3::zeros());
        }
    }

    /// Adds a force along a coordinate to a body: `f` times its generalised force per unit.
    pub(crate) fn add_generalized(&mut self, body: usize, f: f64, force: &GeneralizedForce) {
        let moment: Mat3 = force.arms.iter().map(|arm| arm.g * arm.r.transpose()).sum();
        self.spread(body, &(force.f * f), &(moment * f));
    }

    /// Adds a force along a coordinate to both of its bodies. Its power on a prescribed body is work of the drive
    /// that moves that body.
    pub(crate) fn add_generalized_both(
        &mut self,
        world: &World,
        integrals: &mut [f64],
        bodies: [usize; 2],
        f: f64,
        forces: &[GeneralizedForce; 2],
    ) {
        for (body, force) in bodies.into_iter().zip(forces) {
            let k = self.bodies[body].k;
            if !k.moves && !self.audit {
                continue;
            }
            self.add_generalized(body, f, force);
            if matches!(world.bodies[body].kind, BodyKind::Prescribed(_)) {
                let power = f * (force.f.dot(&k.v) + force.torque().dot(&k.w));
                add(integrals, world.quadratures.work, -power);
            }
        }
    }

    /// Returns the torque on a body about its centre of mass [N m].
    pub(crate) fn torque(&self, body: usize) -> &Vec3 {
        &self.bodies[body].torque
    }

    /// Returns Σ f ⊗ r over all forces on a deformable body [N m].
    pub(crate) fn moment(&self, body: usize) -> &Mat3 {
        &self.moments[body]
    }

    /// Adds a force [N] on a body at point `p`.
    #[inline(always)]
    pub(crate) fn load(&mut self, body: usize, p: &Vec3, f: &Vec3) {
        let loaded = &mut self.bodies[body];
        loaded.load(p, f);
        if loaded.k.deforms {
            self.moments[body] += f * (p - loaded.k.x.p).transpose();
        }
    }

    /// Divides force and torque on a body by φ = m(t)/m(0): applied to the inertia at t = 0 they give the same
    /// accelerations.
    pub(crate) fn divide_by_mass_factor(&mut self, body: usize, mass_factor: f64) {
        self.bodies[body].force /= mass_factor;
        self.bodies[body].torque /= mass_factor;
    }

    /// Adds a couple [N m] on a body.
    pub(crate) fn twist(&mut self, body: usize, couple: &Vec3) {
        self.bodies[body].torque += couple;
        if self.bodies[body].k.deforms {
            // the skew-symmetric moment whose power is that of the couple, couple·ω
            self.moments[body] += 0.5 * couple.cross_matrix();
        }
    }

    /// Adds an external force spread over a body, as [`Loads::spread`] does, and its contribution to `outside`;
    /// returns its power [W].
    pub(crate) fn load_from_outside(&mut self, body: usize, f: &Vec3, moment: &Mat3) -> f64 {
        if self.audit {
            self.outside[0] += f;
            self.outside[1] += self.bodies[body].k.x.p.cross(f) + torque_of(moment);
        }
        self.spread_with_power(body, f, moment)
    }

    /// Adds a force spread over a body, as [`Loads::spread`] does; returns its power [W].
    pub(crate) fn spread_with_power(&mut self, body: usize, f: &Vec3, moment: &Mat3) -> f64 {
        self.spread(body, f, moment);
        self.power(body, f, moment)
    }

    /// Returns the power of a force spread over a body [W].
    pub(crate) fn power(&self, body: usize, f: &Vec3, moment: &Mat3) -> f64 {
        let k = &self.bodies[body].k;
        f.dot(&k.v) + if k.deforms { moment.dot(&k.l) } else { torque_of(moment).dot(&k.w) }
    }

    /// Adds a force spread over a body: its resultant [N], and ∫ f ⊗ r [N m], r from the centre of mass.
    pub(crate) fn spread(&mut self, body: usize, f: &Vec3, moment: &Mat3) {
        let loaded = &mut self.bodies[body];
        loaded.force += f;
        loaded.torque += torque_of(moment);
        if loaded.k.deforms {
            self.moments[body] += moment;
        }
    }
}

/// Adds a force on a body at `p`, and its power to the energy ledger if the body is prescribed.
#[inline(always)]
pub(crate) fn push(world: &World, loads: &mut Loads, integrals: &mut [f64], body: usize, p: &Vec3, f: &Vec3) {
    if !loads.bodies[body].k.moves && !loads.audit {
        return;
    }
    loads.load(body, p, f);
    // the power of a force on a prescribed body is work of the drive that moves that body
    let work = world.quadratures.work;
    if work.is_some() && matches!(world.bodies[body].kind, BodyKind::Prescribed(_)) {
        add(integrals, work, -f.dot(&loads.bodies[body].k.velocity_at(p)));
    }
}

/// Adds a force on A at the first point, and its opposite on B at the second.
#[inline(always)]
pub(crate) fn push_both(
    world: &World,
    loads: &mut Loads,
    integrals: &mut [f64],
    [a, b]: [usize; 2],
    [p_a, p_b]: &[Vec3; 2],
    f: &Vec3,
) {
    push(world, loads, integrals, a, p_a, f);
    push(world, loads, integrals, b, p_b, &-f);
}

/// Adds a couple on A, and its opposite on B.
pub(crate) fn twist(
    world: &World,
    loads: &mut Loads,
    integrals: &mut [f64],
    [a, b]: [usize; 2],
    couple: Vec3,
) {
    for (body, couple) in [(a, couple), (b, -couple)] {
        loads.twist(body, &couple);
        if matches!(world.bodies[body].kind, BodyKind::Prescribed(_)) {
            add(integrals, world.quadratures.work, -couple.dot(&loads.bodies[body].k.w));
        }
    }
}

/// Adds `rate` to an integrand of the energy ledger, if that integral is kept.
#[inline(always)]
pub(crate) fn add(integrals: &mut [f64], integral: Option<usize>, rate: f64) {
    if let Some(i) = integral {
        integrals[i] += rate;
    }
}

/// Divides all loads by φ = m(t)/m(0), so that the inertia at t = 0 gives the right accelerations. Returns the power
/// of those who change masses and gravity [W]: the sum over all bodies of φ̇ (T₀ − m₀ g·x) − m ġ·x.
pub(crate) fn divide_by_mass_factor(world: &World, loads: &mut Loads) -> f64 {
    let mut work = 0.0;
    for body in world.free() {
        let (b, k) = (&world.bodies[body], loads.body(body));
        let (value, rate) = (loads.now.mass_factor(body), loads.now.mass_rate(body));
        let (kinetic, potential) = (kinetic(b, k), -b.mass * loads.now.gravity.dot(&k.x.p));
        work += rate * (kinetic + potential) - value * b.mass * loads.now.gravity_rate.dot(&k.x.p);
        loads.divide_by_mass_factor(body, value);
    }
    work
}
