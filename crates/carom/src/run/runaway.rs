//! Whether given steps run away.
//!
//! Steps too long for what is stiff make energy, the more the more there is, and end in numbers that mean nothing: the ledger is then off by far more than all the energy that could
//! be there. That is kinetic and stored energy at the start, what was worked, what gravity and fields gave, and the least that means something in the model.

use crate::error::RunError;
use crate::record::Energy;
use crate::system::System;
use crate::world::kinetic;

/// By how many times the energy that could be there the ledger may be off.
const MOST: f64 = 1e3;
/// A damper of an angle is as stiff as 1/φ² where the angle is φ from where it is not defined: from here on it is likely to blame [rad].
const LEANS: f64 = 0.2;

/// The watch over the energy of given steps.
#[derive(Debug)]
pub(super) struct Runaway {
    /// the step that was given [s]
    step: f64,
    /// the largest energy that could be there so far [J]
    could: f64,
    /// the force along an angle that was least defined of all that were looked at, and how near it was to where it is not [rad]
    lean: (usize, f64),
}

carom_base::plain!(Runaway { step, could, lean });

impl Runaway {
    pub(super) fn new(step: f64) -> Runaway {
        Runaway { step, could: 0.0, lean: (0, f64::INFINITY) }
    }

    /// Looks at a state by its ledger, the workspace holding it.
    pub(super) fn look(&mut self, system: &System<'_>, t: f64, e: &Energy) -> Result<(), RunError> {
        let m = system.model;
        let start = (system.energy_start - system.potential_start).abs();
        let given = e.work.abs() + (e.potential - system.potential_start).abs() + e.field.abs();
        // (what is not a number is no bound)
        self.could = self.could.max(start + given + m.world.least_force() * m.world.scale.length);
        if e.audit.abs() <= MOST * self.could {
            if let Some(lean) = system.least_lean(t).filter(|(_, lean)| *lean < self.lean.1) {
                self.lean = lean;
            }
            return Ok(());
        }
        Err(RunError::RanAway { t, off: e.audit.abs(), could: self.could, why: self.why(system, e) })
    }

    /// What is to blame, and what may help.
    fn why(&self, system: &System<'_>, e: &Energy) -> String {
        if self.lean.1 < LEANS {
            return format!("likely by {}", system.leaning(self.lean.0, self.lean.1));
        }
        let m = system.model;
        let energy = |body: usize| kinetic(&m.world.bodies[body], system.ws.body(body));
        let fastest = m.world.free().max_by(|a, b| energy(*a).total_cmp(&energy(*b)));
        let name = fastest.map_or("", |body| m.world.bodies[body].name.as_str());
        let losses = [
            (e.dissipated_normal, "the damping of contacts"),
            (e.dissipated_friction, "friction in contacts"),
            (e.dissipated_viscous, "dashpots of forces and the viscosity of bodies"),
            (e.dissipated_field, "fields"),
            (e.dissipated_joint, "friction in joints"),
        ];
        let most = losses.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let lost = most.filter(|(lost, _)| *lost > self.could);
        let lost = lost.map_or_else(String::new, |(_, what)| format!(", and most is lost to {what}"));
        format!(
            "body {name} has most of the kinetic energy{lost}: the step of {:e} s is too long for something so stiff; take a shorter `step`, or a method that chooses its steps (`dop853`, \
             or `radau5` where something is very stiff)",
            self.step
        )
    }
}
