//! Force elements between two points.

use std::ops::Range;
use std::sync::Arc;

use carom_base::Vec3;
use carom_ode::Jacobian;

use super::{
    DrawnLine, Force, ForceElement, ForceKind, ForceOutput, Integrals, Line, Setting, Switching, Tension,
    link_slopes,
};
use crate::error::BuildError;
use crate::loads::{Loads, add, push};
use crate::record::{Energy, ForceRecord, LineRecord};
use crate::state::Kinematics;
use crate::world::World;

/// A force along the line between two points, as described by the user.
#[derive(Debug)]
pub(super) struct Along(pub(super) Arc<dyn Line>);

impl ForceKind for Along {
    fn kind(&self) -> &'static str {
        "force along a line"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["between", "[point_a]", "[point_b]"]]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        Ok(Arc::new(Link::new(setting, force, &self.0)?))
    }
    fn as_line(&self) -> Option<&dyn Line> {
        Some(&*self.0)
    }
}

/// A force between two points in a model.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) name: String,
    /// A and B
    pub(crate) bodies: [usize; 2],
    /// the points, from the centres of mass, in the bodies' axes
    pub(crate) points: [Vec3; 2],
    pub(crate) law: Arc<dyn Line>,
    /// where the switches of the law are among all
    pub(crate) switches: Range<usize>,
}

/// Position of the line, and how fast it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// the points of A and B
    pub(crate) p: [Vec3; 2],
    /// v_a(p_a) − v_b(p_b)
    pub(crate) v: Vec3,
    /// unit vector from B's point to A's; zero where the points coincide
    pub(crate) e: Vec3,
    pub(crate) length: f64,
    /// rate of the length [m/s]
    pub(crate) rate: f64,
}

/// The force of the line and the power it dissipates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkForce {
    pub(crate) stretch: Stretch,
    /// tension [N]
    pub(crate) tension: f64,
    /// on A [N]; its opposite on B
    pub(crate) f: Vec3,
    /// power it dissipates [W]
    pub(crate) lost: f64,
}

impl Link {
    /// Creates the force in a model whose bodies are already made.
    fn new(setting: &mut Setting<'_>, force: &Force, law: &Arc<dyn Line>) -> Result<Link, BuildError> {
        let name = force.label();
        let subject = force.subject();
        let (bodies, points) = force.ends(setting.world)?;
        law.check().map_err(|source| subject.fails(None, source))?;
        Ok(Link { name, bodies, points, law: Arc::clone(law), switches: setting.switches_of(&**law) })
    }

    /// Returns the position and length of the line and their rates, with A moving as `ka` and B as `kb`.
    pub(crate) fn stretch(&self, ka: &Kinematics, kb: &Kinematics) -> Stretch {
        let p = [ka.x.point(&self.points[0]), kb.x.point(&self.points[1])];
        let d = p[0] - p[1];
        let length = d.norm();
        let e = if length > 0.0 { d / length } else { Vec3::zeros() };
        let v = ka.velocity_at(&p[0]) - kb.velocity_at(&p[1]);
        Stretch { p, v, e, length, rate: v.dot(&e) }
    }

    /// Returns the force in the state that the loads hold.
    pub(crate) fn force_in(&self, loads: &Loads) -> LinkForce {
        let [a, b] = self.bodies.map(|body| loads.body(body));
        let stretch = self.stretch(a, b);
        let sides = &loads.sides[self.switches.clone()];
        let Tension { f, f_elastic } = self.law.tension_on(stretch.length, stretch.rate, sides);
        LinkForce { stretch, tension: f, f: stretch.e * -f, lost: (f - f_elastic) * stretch.rate }
    }
}

impl ForceElement for Link {
    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    /// Returns the bodies whose point is off the centre of mass, so that it moves as they turn.
    fn oriented(&self) -> Vec<usize> {
        let off_centre = self.bodies.iter().zip(&self.points).filter(|(_, point)| **point != Vec3::zeros());
        off_centre.map(|(&body, _)| body).collect()
    }

    fn integrals(&self, _: &World) -> Integrals {
        Integrals { viscous: !self.law.is_elastic(), ..Integrals::default() }
    }

    fn load(
        &self,
        world: &World,
        loads: &mut Loads,
        _: f64,
        integrals: &mut [f64],
    ) -> Result<(), &'static str> {
        let [a, b] = self.bodies;
        let force = self.force_in(loads);
        add(integrals, world.quadratures.dissipated_viscous, force.lost);
        let [p_a, p_b] = &force.stretch.p;
        push(world, loads, integrals, a, p_a, &force.f);
        push(world, loads, integrals, b, p_b, &-force.f);
        Ok(())
    }

    fn store(&self, _: &World, loads: &Loads, _: f64, energy: &mut Energy) {
        let [a, b] = self.bodies.map(|body| loads.body(body));
        energy.elastic += self.law.energy(self.stretch(a, b).length);
    }

    fn linearise(&self, world: &World, loads: &mut Loads, _: f64, y: &[f64], j: &mut Jacobian) -> bool {
        link_slopes::add(world, self, loads, y, j)
    }

    fn add_amounts(&self, _: &World, loads: &Loads, amounts: &mut [f64]) {
        let f = self.force_in(loads).f.norm();
        self.bodies.into_iter().for_each(|body| amounts[body] += f);
    }

    fn record(&self, _: &World, loads: &Loads, _: f64, _: &[f64]) -> Option<ForceOutput> {
        let LinkForce { stretch, tension, f, .. } = self.force_in(loads);
        let Stretch { p, length, rate, .. } = stretch;
        Some(ForceOutput::Force(ForceRecord {
            on_first: f,
            couple: (p[0] - loads.body(self.bodies[0]).x.p).cross(&f),
            line: Some(LineRecord { length, rate, tension }),
            power: -tension * rate,
            ..ForceRecord::default()
        }))
    }

    fn drawn_line(&self, world: &World) -> Option<DrawnLine<'_>> {
        let points = [0, 1].map(|i| self.points[i] + world.bodies[self.bodies[i]].centre);
        Some(DrawnLine { name: &self.name, bodies: self.bodies, points })
    }

    fn switching(&self) -> Option<&dyn Switching> {
        (!self.switches.is_empty()).then_some(self)
    }
}

impl Switching for Link {
    fn switches(&self) -> Range<usize> {
        self.switches.clone()
    }

    fn switch_values(&self, _: &World, loads: &Loads, _: f64, values: &mut [f64]) {
        let [a, b] = self.bodies.map(|body| loads.body(body));
        let Stretch { length, rate, .. } = self.stretch(a, b);
        for (i, at) in self.switches.clone().enumerate() {
            values[at] = self.law.switch(i, length, rate);
        }
    }

    fn switch_sizes(&self, world: &World, sizes: &mut [f64]) {
        sizes[self.switches.clone()].fill(world.scale.length);
    }

    fn dissipates_unseen(&self, _: &World, loads: &Loads) -> bool {
        let LinkForce { tension, lost, .. } = self.force_in(loads);
        tension == 0.0 && lost != 0.0
    }
}
