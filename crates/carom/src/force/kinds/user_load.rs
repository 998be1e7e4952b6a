//! A load on a body given by a user-defined function.
//!
//! Its derivatives come from central differences. Its power counts as work in the energy ledger.

use std::fmt;
use std::sync::Arc;

use carom_base::{Dual, Mat3, Vec3};
use carom_ode::Jacobian;

use crate::error::BuildError;
use crate::force::on_body::attachment;
use crate::force::{Acting, Force, ForceElement, ForceKind, ForceOutput, Integrals, Setting};
use crate::joint::Moving;
use crate::layout::ByAffine;
use crate::loads::{Loads, add};
use crate::slopes::{Load, RIGID, add_load};
use crate::world::World;

/// The step of a central difference, relative: the cube root of the rounding error 2.22e-16.
const STEP: f64 = 6.055e-6;

/// The motion of a body, as passed to the function of a load; world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// the centre of mass [m]
    pub position: Vec3,
    /// the body's axes as columns; of a deformable body, its deformation gradient F
    pub axes: Mat3,
    /// velocity of the centre of mass [m/s]
    pub velocity: Vec3,
    /// angular velocity [rad/s]
    pub angular_velocity: Vec3,
}

type Function = dyn Fn(f64, &BodyMotion) -> [Vec3; 2] + Send + Sync;

/// A force at the centre of mass [N] and a couple [N m] on a body, given by a function of time [s] and of the body's
/// motion; world frame.
///
/// ```
/// use carom::prelude::*;
/// let wind = UserLoad::new(|t, body| {
///     let relative = Vec3::new(2.0 * t, 0.0, 0.0) - body.velocity;
///     [relative * 0.5, Vec3::zeros()]
/// });
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0; 3]).body(Body::new("leaf").mass(0.5).inertia([1.0; 3]));
/// builder.force(Force::on("leaf", wind));
/// let run = Simulation::new(&builder.build()?).duration(3.0).run()?;
/// assert!((run.end.body("leaf").unwrap().velocity.x - 2.0 * (3.0 - 1.0 + (-3.0f64).exp())).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct UserLoad(Arc<Function>);

impl UserLoad {
    /// Creates a load from `load(t, body)`, which returns the force at the centre of mass [N] and the couple [N m].
    pub fn new(load: impl Fn(f64, &BodyMotion) -> [Vec3; 2] + Send + Sync + 'static) -> UserLoad {
        UserLoad(Arc::new(load))
    }

    fn at(&self, t: f64, body: &Moving) -> Load<f64> {
        let motion = BodyMotion {
            position: body.x,
            axes: body.r,
            velocity: body.v,
            angular_velocity: body.angular_velocity(),
        };
        let [force, couple] = (self.0)(t, &motion);
        Load::at(&Vec3::zeros(), &force, &couple)
    }

    /// Returns the load with its derivatives by the variables of a body's motion; `sizes`: the typical size of each
    /// variable, to which its step is proportional.
    fn slopes<const N: usize>(
        &self,
        t: f64,
        body: &Moving<Dual<N>>,
        sizes: impl Fn(usize) -> f64,
    ) -> Load<Dual<N>> {
        let here = self.at(t, &body.values());
        let steps: [(f64, [Load<f64>; 2]); N] = std::array::from_fn(|i| {
            let h = STEP * sizes(i);
            (2.0 * h, [h, -h].map(|h| self.at(t, &body.along(i, h))))
        });
        let vector = |part: fn(&Load<f64>) -> Vec3| {
            Vec3::from_fn(|k, _| Dual {
                re: part(&here)[k],
                eps: std::array::from_fn(|i| {
                    let (width, [up, down]) = &steps[i];
                    (part(up)[k] - part(down)[k]) / width
                }),
            })
        };
        let zero = Vec3::from_element(Dual { re: 0.0, eps: [0.0; N] });
        Load::at(&zero, &vector(|load| load.f), &vector(|load| load.torque))
    }
}

impl fmt::Debug for UserLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserLoad").finish_non_exhaustive()
    }
}

impl From<UserLoad> for Acting {
    fn from(load: UserLoad) -> Acting {
        Acting::new(load)
    }
}

impl ForceKind for UserLoad {
    fn kind(&self) -> &'static str {
        "own"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["body"]]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        let (name, body, _) = attachment(setting.world, force)?;
        Ok(Arc::new(UserLoadElement { name, body: [body], load: self.clone() }))
    }
}

/// A user-defined load in a model.
#[derive(Debug)]
struct UserLoadElement {
    name: String,
    body: [usize; 1],
    load: UserLoad,
}

impl UserLoadElement {
    fn now(&self, world: &World, loads: &Loads, t: f64) -> Load<f64> {
        self.load.at(t, &Moving::new(&world.bodies[self.body[0]], loads.body(self.body[0]), t))
    }
}

impl ForceElement for UserLoadElement {
    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> &[usize] {
        &self.body
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn integrals(&self, _: &World) -> Integrals {
        Integrals { work: true, ..Integrals::default() }
    }

    fn load(
        &self,
        world: &World,
        loads: &mut Loads,
        t: f64,
        integrals: &mut [f64],
    ) -> Result<(), &'static str> {
        let load = self.now(world, loads, t);
        if !(load.f.sum() + load.torque.sum()).is_finite() {
            return Err("its function gives numbers that are not finite");
        }
        let power = loads.load_from_outside(self.body[0], &load.f, &load.moment);
        add(integrals, world.quadratures.work, power);
        Ok(())
    }

    fn linearise(&self, world: &World, loads: &mut Loads, t: f64, y: &[f64], j: &mut Jacobian) -> bool {
        let (length, speed) = (world.scale.length, world.scale.speed);
        let rigid = [length, 1.0, speed, speed / length];
        // typical sizes of p0, F and their rates
        let affine = |i: usize| match i {
            0..3 => length,
            3..12 => 1.0,
            12..15 => speed,
            _ => speed / length,
        };
        let by_motion = |k: &Moving<Dual<RIGID>>| self.load.slopes(t, k, |i| rigid[i / 3]);
        let by_numbers = |k: &Moving<ByAffine>| self.load.slopes(t, k, affine);
        add_load(world, self.body[0], loads, (t, y), by_motion, by_numbers, j);
        let load = self.now(world, loads, t);
        loads.spread(self.body[0], &load.f, &load.moment);
        true
    }

    fn record(&self, world: &World, loads: &Loads, t: f64, _: &[f64]) -> Option<ForceOutput> {
        Some(ForceOutput::on_body(loads, self.body[0], &self.now(world, loads, t)))
    }

    fn add_amounts(&self, world: &World, loads: &Loads, amounts: &mut [f64]) {
        amounts[self.body[0]] += self.now(world, loads, 0.0).amount(world, self.body[0]);
    }
}
