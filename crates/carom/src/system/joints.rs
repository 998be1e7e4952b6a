//! The joints of a model in motion: assembled at the start, monitored during the run.

use carom_base::elementary::powi;
use nalgebra::DMatrix;

use super::System;
use crate::error::RunError;
use crate::forward::kinematics;
use crate::joint::Stabilisation;
use crate::project::{Violation, assemble, assemble_velocities, redundant};
use crate::record::Warning;
use crate::workspace::Workspace;

/// The hint for a mechanism that got stuck where some equations are redundant.
const STRAIGHT: &str = "; where it stays its equations repeat one another, as those of bars in a straight line do, which could bend either way: a start that is bent may help";

impl System<'_> {
    /// Returns the constraint Jacobian Φ_q in a state: rows by those components of the state that are velocities.
    pub(crate) fn gradients(&mut self, t: f64, y: &[f64]) -> DMatrix<f64> {
        let m = self.model;
        kinematics(m, t, y, &mut self.ws);
        let Workspace { joints, loads, .. } = &mut self.ws;
        joints.evaluate(m, t, |body| loads.body(body));
        let mut all = DMatrix::zeros(m.constraints.proper_rows(), m.world.layout.bodies());
        joints.gradients(m, |row, body, load| {
            let Some(rows) = m.world.rows(body).filter(|_| row < m.constraints.proper_rows()) else { return };
            rows.velocities().zip(load).for_each(|(i, x)| all[(row, i)] = *x);
        });
        all
    }

    /// Returns the largest constraint residual |φ| in a state [m or rad], and the name of its joint.
    pub(crate) fn violation(&mut self, t: f64, y: &[f64]) -> (f64, &str) {
        let m = self.model;
        kinematics(m, t, y, &mut self.ws);
        let t = self.ws.loads.now.stretch.inside(t);
        let Workspace { joints, loads, .. } = &mut self.ws;
        joints.evaluate(m, t, |body| loads.body(body));
        let worst = joints.value.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        worst.map_or((0.0, ""), |(row, x)| {
            (x.abs(), m.constraints.list[m.constraints.constraint_of(row)].name.as_str())
        })
    }

    /// Counts the full turns of the angles that joints leave free, in an accepted state.
    pub(crate) fn count_angles(&mut self, t: f64, y: &[f64]) {
        if self.model.constraints.has_angles() {
            kinematics(self.model, t, y, &mut self.ws);
            let Workspace { joints, loads, .. } = &mut self.ws;
            joints.count_angles(self.model, t, |body| loads.body(body));
        }
    }

    /// Chooses the method against the drift of joints.
    pub(crate) fn stabilise(&mut self, how: Stabilisation) {
        self.settings.stabilisation = how;
        self.ws.joints.baumgarte = if let Stabilisation::Baumgarte(alpha) = how { alpha } else { 0.0 };
    }

    /// Returns how far the joints are from a singular position in a state, and the joint whose equations are redundant there.
    pub(crate) fn singular_distance(&mut self, t: f64, y: &[f64]) -> (f64, usize) {
        kinematics(self.model, t, y, &mut self.ws);
        let Workspace { joints, loads, .. } = &mut self.ws;
        joints.evaluate(self.model, t, |body| loads.body(body));
        joints.factor(self.model, |body| loads.now.mass_factor(body));
        let (s, row) = joints.singular_distance();
        (s, self.model.constraints.constraint_of(row))
    }

    /// Whether drift is removed from joints by projection: not if Baumgarte's terms are used, or no stabilisation.
    pub(crate) fn projects_joints(&self) -> bool {
        !self.model.constraints.is_empty() && self.settings.stabilisation == Stabilisation::Projection
    }

    /// Warns if a body that was given an initial velocity has a different one now.
    fn warn_of_velocities(&mut self, before: &[f64], y: &[f64]) {
        let m = self.model;
        let changes = m.world.free().filter_map(|body| {
            let (b, rows) = (&m.world.bodies[body], m.world.rows(body)?);
            let reach = b.reach();
            // linear speeds, and angular speeds times the size of the body
            let size = |of: &dyn Fn(usize) -> f64| {
                let square = |(i, row): (usize, usize)| powi(of(row) * if i < 3 { 1.0 } else { reach }, 2);
                rows.velocities().enumerate().map(square).sum::<f64>().sqrt()
            };
            let given = size(&|i| before[i]);
            (given > 0.0).then(|| (size(&|i| y[i] - before[i]) / given, body))
        });
        let most = changes.max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((by, body)) = most.filter(|most| most.0 > 1e-6) {
            let body = m.world.bodies[body].name.clone();
            self.monitor.report.warnings.push(Warning::Velocities { body, by: format!("{by:.3e}") });
        }
    }

    /// Assembles the mechanism and gives it velocities that its joints allow; warns if that changed the state, and of
    /// redundant equations.
    pub(crate) fn assemble(&mut self, y: &mut [f64]) -> Result<(), RunError> {
        let m = self.model;
        if m.constraints.is_empty() {
            return Ok(());
        }
        let name = |off: &Violation| m.constraints.list[off.constraint].name.clone();
        let before = y.to_vec();
        assemble(m, &mut self.ws, y).map_err(|off| RunError::Assembly {
            joint: name(&off),
            off: off.by,
            what: "apart",
            hint: if off.singular { STRAIGHT } else { "" },
        })?;
        self.ws.joints.count_turns(m);
        let size = m.world.extent_of(y);
        let bodies = m.world.free().filter_map(|body| Some((body, m.world.rows(body)?.pose())));
        let moved = bodies.map(|(body, pose)| {
            let by: f64 = y[pose.clone()].iter().zip(&before[pose]).map(|(a, b)| powi(a - b, 2)).sum();
            (by.sqrt(), body)
        });
        let (by, body) = moved.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
        if by > 1e-6 * size {
            let body = m.world.bodies[body].name.clone();
            self.monitor.report.warnings.push(Warning::Assembled { body, by: format!("{by:.3e}") });
        }
        assemble_velocities(m, &mut self.ws, y).map_err(|off| RunError::Assembly {
            joint: name(&off),
            off: off.by,
            what: "fought over",
            hint: "",
        })?;
        self.warn_of_velocities(&before, y);
        for (constraint, rows) in redundant(m, &mut self.ws, y) {
            let joint = &m.constraints.list[constraint];
            let warning = Warning::Redundant { joint: joint.name.clone(), repeated: rows, of: joint.rows };
            self.monitor.report.warnings.push(warning);
        }
        Ok(())
    }
}
