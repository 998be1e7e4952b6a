//! Detects fixed steps that run away.
//!
//! Steps too long for a stiff model create energy, at a rate that grows with the energy, and end in meaningless numbers: the
//! energy-balance error then exceeds by far all the energy that the system could have. That is the kinetic and stored energy
//! at the start, the work done, the energy supplied by gravity and fields, and the smallest energy that is resolved in the
//! model.

use crate::error::RunError;
use crate::record::Energy;
use crate::system::System;
use crate::world::kinetic;

/// The energy-balance error may be at most this multiple of the energy that the system could have.
const MOST: f64 = 1e3;
/// A damper that acts along an angle has a stiffness of order 1/φ², where φ is the distance to a position at which the angle
/// is undefined: below this value of φ [rad] it is the likely cause.
const LEANS: f64 = 0.2;

/// The monitor of the energy of fixed steps.
#[derive(Debug)]
pub(super) struct Runaway {
    /// the fixed step size [s]
    step: f64,
    /// the largest energy that the system could have had so far [J]
    could: f64,
    /// the force along an angle that came closest to a position where the angle is undefined, and how close [rad]
    lean: (usize, f64),
}

carom_base::plain!(Runaway { step, could, lean });

impl Runaway {
    pub(super) fn new(step: f64) -> Runaway {
        Runaway { step, could: 0.0, lean: (0, f64::INFINITY) }
    }

    /// Examines a state by its energies `e`; the workspace holds the state.
    pub(super) fn look(&mut self, system: &System<'_>, t: f64, e: &Energy) -> Result<(), RunError> {
        let m = system.model;
        let start = (system.energy.start - system.energy.potential_start).abs();
        let given = e.work.abs() + (e.potential - system.energy.potential_start).abs() + e.field.abs();
        // (NaN does not enter the bound)
        self.could = self.could.max(start + given + m.world.least_force() * m.world.scale.length);
        if e.audit.abs() <= MOST * self.could {
            if let Some(lean) = system.least_lean(t).filter(|(_, lean)| *lean < self.lean.1) {
                self.lean = lean;
            }
            return Ok(());
        }
        Err(RunError::RanAway { t, off: e.audit.abs(), could: self.could, why: self.why(system, e) })
    }

    /// Describes the likely cause, and what may help.
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
