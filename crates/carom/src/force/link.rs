//! A force between two points in a model.

use std::sync::Arc;

use carom_base::Vec3;
use carom_ode::Jacobian;

use super::{Force, ForceElement, Integrals, Kind, Line, Tension};
use crate::drawn::DrawnLine;
use crate::energy::Energy;
use crate::error::BuildError;
use crate::forward::{Workspace, add, push};
use crate::jacobian;
use crate::model::Model;
use crate::state::Kinematics;

/// A force along the line between two points, as it is written down.
#[derive(Debug)]
pub(super) struct Along(pub(super) Arc<dyn Line>);

impl Kind for Along {
    fn kind(&self) -> &'static str {
        "force along a line"
    }
    fn places(&self) -> &'static [&'static [&'static str]] {
        &[&["between", "[point_a]", "[point_b]"]]
    }
    fn install(&self, m: &mut Model, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        Ok(Arc::new(Link::new(m, force, &self.0)?))
    }
    fn as_line(&self) -> Option<&dyn Line> {
        Some(&*self.0)
    }
}

/// A force in a model.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) name: String,
    /// A and B
    pub(crate) bodies: [usize; 2],
    /// the points, from the centres of mass, in the bodies' axes
    pub(crate) points: [Vec3; 2],
    pub(crate) law: Arc<dyn Line>,
}

/// Where the line is and how it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// the points of A and B
    pub(crate) p: [Vec3; 2],
    /// v_a(p_a) − v_b(p_b)
    pub(crate) v: Vec3,
    /// from B's point to A's, of length 1; zero where the points are one
    pub(crate) e: Vec3,
    pub(crate) length: f64,
    /// its rate
    pub(crate) rate: f64,
}

/// What the line does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    pub(crate) stretch: Stretch,
    /// on A [N]; its opposite on B
    pub(crate) f: Vec3,
    /// what it dissipates [W]
    pub(crate) lost: f64,
}

impl Link {
    /// The force of a model whose bodies are there; a body whose own turning moves its point has an orientation that matters.
    pub(crate) fn new(m: &mut Model, force: &Force, law: &Arc<dyn Line>) -> Result<Link, BuildError> {
        let name = force.label();
        let subject = force.subject();
        let bodies = force.bodies(m)?;
        let points = force.points_on_bodies();
        subject.finite("point_a", &points[0])?;
        subject.finite("point_b", &points[1])?;
        law.check().map_err(|source| subject.fails(None, source))?;
        let points = [0, 1].map(|i| points[i] - m.bodies[bodies[i]].centre);
        for (&body, point) in bodies.iter().zip(&points) {
            m.bodies[body].orientation_matters |= *point != Vec3::zeros();
        }
        Ok(Link { name, bodies, points, law: Arc::clone(law) })
    }

    /// Where the line is, the bodies being at `ka` and `kb`.
    pub(crate) fn stretch(&self, ka: &Kinematics, kb: &Kinematics) -> Stretch {
        let p = [ka.x.point(&self.points[0]), kb.x.point(&self.points[1])];
        let d = p[0] - p[1];
        let length = d.norm();
        let e = if length > 0.0 { d / length } else { Vec3::zeros() };
        let v = ka.velocity_at(&p[0]) - kb.velocity_at(&p[1]);
        Stretch { p, v, e, length, rate: v.dot(&e) }
    }

    /// What it does, the bodies being at `ka` and `kb`.
    pub(crate) fn pull(&self, ka: &Kinematics, kb: &Kinematics) -> Pull {
        let stretch = self.stretch(ka, kb);
        let Tension { f, f_elastic } = self.law.tension(stretch.length, stretch.rate);
        Pull { stretch, f: stretch.e * -f, lost: (f - f_elastic) * stretch.rate }
    }
}

impl ForceElement for Link {
    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    fn integrals(&self, _: &Model) -> Integrals {
        Integrals { viscous: !self.law.is_elastic(), ..Integrals::default() }
    }

    fn load(&self, m: &Model, ws: &mut Workspace, _: f64, integrals: &mut [f64]) -> Result<(), &'static str> {
        let [a, b] = self.bodies;
        let pull = self.pull(ws.body(a), ws.body(b));
        add(integrals, m.quadratures.dissipated_viscous, pull.lost);
        let [p_a, p_b] = &pull.stretch.p;
        push(m, ws, integrals, a, p_a, &pull.f);
        push(m, ws, integrals, b, p_b, &-pull.f);
        Ok(())
    }

    fn store(&self, _: &Model, ws: &Workspace, _: f64, energy: &mut Energy) {
        let [a, b] = self.bodies.map(|body| ws.body(body));
        energy.elastic += self.law.energy(self.stretch(a, b).length);
    }

    fn linearise(&self, m: &Model, ws: &mut Workspace, _: f64, y: &[f64], j: &mut Jacobian) -> bool {
        jacobian::link(m, self, ws, y, j)
    }

    fn add_amounts(&self, _: &Model, ws: &Workspace, amounts: &mut [f64]) {
        let [a, b] = self.bodies;
        let f = self.pull(ws.body(a), ws.body(b)).f.norm();
        self.bodies.into_iter().for_each(|body| amounts[body] += f);
    }

    fn drawn_line(&self, m: &Model) -> Option<DrawnLine<'_>> {
        let points = [0, 1].map(|i| self.points[i] + m.bodies[self.bodies[i]].centre);
        Some(DrawnLine { name: &self.name, bodies: self.bodies, points })
    }
}
