//! External loads on one body.

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Scalar, Vec3};
use carom_ode::Jacobian;

use super::{ActionSite, Force, ForceElement, ForceOutput, Integrals};
use crate::error::BuildError;
use crate::joint::{Given, Moving};
use crate::loads::{Loads, add};
use crate::record::{Energy, ForceRecord};
use crate::slopes::{Load, add_load};
use crate::world::World;

/// The keys that tell where a load acts: its body, and optionally a point.
pub(super) const ATTACHMENT: &[&[&str]] = &[&["body", "[point]"]];

/// A load on a body given by a formula, written once over [`Scalar`], so that its derivatives follow in dual numbers.
pub(super) trait LoadFormula: Debug + Send + Sync + 'static {
    /// Returns the load at t [s] on a body of this mass [kg] with this motion.
    fn load<S: Scalar>(&self, t: f64, mass: f64, body: &Moving<S>) -> Load<S>;
    /// Returns its potential energy [J], if it has a potential; otherwise its power is work or dissipation.
    fn potential(&self, mass: f64, body: &Moving) -> Option<f64> {
        let _ = (mass, body);
        None
    }
    /// Whether its power is dissipation; otherwise it is external work.
    fn dissipates(&self) -> bool {
        false
    }
}

/// An external load on one body of a model.
#[derive(Debug)]
pub(super) struct OnBody<L> {
    pub(super) name: String,
    pub(super) body: [usize; 1],
    pub(super) law: L,
}

impl<L: LoadFormula> OnBody<L> {
    /// Creates the load in a world whose bodies are already made. `law` builds it from its point of action, given
    /// from the centre of mass in the body's axes.
    pub(super) fn install(
        world: &World,
        force: &Force,
        law: impl FnOnce(Vec3) -> L,
    ) -> Result<Arc<dyn ForceElement>, BuildError> {
        let (name, body, point) = attachment(world, force)?;
        Ok(Arc::new(OnBody { name, body: [body], law: law(point) }))
    }
}

/// Returns the name of a load, its body, and its point of action, from the centre of mass in the body's axes.
pub(super) fn attachment(world: &World, force: &Force) -> Result<(String, usize, Vec3), BuildError> {
    let name = force.label();
    let subject = force.subject();
    let own = force.body.as_deref().unwrap_or_default();
    let known = world.body_names().position(|name| name == own);
    let names = || world.body_names().collect::<Vec<_>>();
    let body = known.map_or_else(|| subject.find("body", "body", own, &names()), Ok)?;
    if !world.is_dynamic(body) {
        let value = format!("`{own}`, which does not move by its forces");
        return Err(subject.bad("body", value, "a body that moves by its forces"));
    }
    let b = &world.bodies[body];
    let point = match force.point {
        Given::World(p) => {
            subject.finite("point", &p)?;
            b.rest.x.point_to_local(&p)
        }
        Given::Bodies([p, _]) => {
            subject.finite("point", &p)?;
            p - b.centre
        }
        Given::Omitted => -b.centre,
    };
    Ok((name, body, point))
}

impl ForceOutput {
    /// Returns what is recorded of a load on one body, in the state that the loads hold.
    pub(super) fn on_body(loads: &Loads, body: usize, load: &Load<f64>) -> ForceOutput {
        let power = loads.power(body, &load.f, &load.moment);
        let (on_first, couple) = (load.f, load.torque);
        ForceOutput::Force(ForceRecord { on_first, couple, power, ..ForceRecord::default() })
    }
}

impl<L: LoadFormula> OnBody<L> {
    fn moving(&self, world: &World, loads: &Loads, t: f64) -> Moving {
        Moving::new(&world.bodies[self.body[0]], loads.body(self.body[0]), t)
    }

    fn mass(&self, world: &World, loads: &Loads) -> f64 {
        world.bodies[self.body[0]].mass * loads.now.mass_factor(self.body[0])
    }

    fn now(&self, world: &World, loads: &Loads, t: f64) -> Load<f64> {
        self.law.load(t, self.mass(world, loads), &self.moving(world, loads, t))
    }

    /// Returns its potential energy [J]. A potential counts as such only where no mass is driven: otherwise the power of the load
    /// is work.
    fn potential(&self, world: &World, loads: &Loads, t: f64) -> Option<f64> {
        let potential = self.law.potential(self.mass(world, loads), &self.moving(world, loads, t));
        potential.filter(|_| !world.driven)
    }
}

impl<L: LoadFormula> ForceElement for OnBody<L> {
    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> &[usize] {
        &self.body
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn integrals(&self, world: &World) -> Integrals {
        let lost = self.law.dissipates();
        let rest = Moving::of(&world.bodies[self.body[0]].rest);
        let stored = !world.driven && self.law.potential(1.0, &rest).is_some();
        Integrals { viscous: lost, work: !lost && !stored, ..Integrals::default() }
    }

    fn load(
        &self,
        world: &World,
        loads: &mut Loads,
        t: f64,
        integrals: &mut [f64],
    ) -> Result<(), &'static str> {
        let load = self.now(world, loads, t);
        if !load.f.sum().is_finite() {
            return Err("its force is not finite here");
        }
        let stored = self.potential(world, loads, t).is_some();
        let power = loads.load_from_outside(self.body[0], &load.f, &load.moment);
        match self.law.dissipates() {
            true => add(integrals, world.quadratures.dissipated_viscous, -power),
            false if stored => {}
            false => add(integrals, world.quadratures.work, power),
        }
        Ok(())
    }

    fn store(&self, world: &World, loads: &Loads, t: f64, energy: &mut Energy) {
        energy.potential += self.potential(world, loads, t).unwrap_or(0.0);
    }

    fn linearise(&self, world: &World, loads: &mut Loads, t: f64, y: &[f64], j: &mut Jacobian) -> bool {
        let (body, mass) = (self.body[0], self.mass(world, loads));
        let (rigid, affine) = (|k: &_| self.law.load(t, mass, k), |k: &_| self.law.load(t, mass, k));
        add_load(world, body, loads, (t, y), rigid, affine, j);
        let load = self.now(world, loads, t);
        loads.spread(body, &load.f, &load.moment);
        true
    }

    fn record(&self, world: &World, loads: &Loads, t: f64, _: &[f64]) -> Option<ForceOutput> {
        Some(ForceOutput::on_body(loads, self.body[0], &self.now(world, loads, t)))
    }

    fn site(&self) -> Option<ActionSite> {
        Some(ActionSite::on_body(self.body[0], Vec3::zeros()))
    }

    fn add_amounts(&self, world: &World, loads: &Loads, amounts: &mut [f64]) {
        amounts[self.body[0]] += self.now(world, loads, 0.0).amount(world, self.body[0]);
    }
}
