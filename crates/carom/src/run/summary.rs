//! A run in a few lines.

use carom_ode::Stats;

use super::audit::Audit;
use crate::overlap::Overlaps;
use crate::record::{Energy, Warning};
use crate::statics::Equilibrium;
use crate::world::Scale;

/// A warning and how often it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningCount {
    /// what
    pub warning: Warning,
    /// how often
    pub count: usize,
}

/// What a run did, and how far it can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// integration method
    pub method: &'static str,
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerance, in the model's scales
    pub atol: f64,
    /// the time reached [s]
    pub t_end: f64,
    /// steps, evaluations and so on
    pub stats: Stats,
    /// touches of contact points
    pub touches: usize,
    /// how often two surfaces that were apart have touched
    pub contacts: usize,
    /// the largest normal force between two surfaces [N]
    pub peak_force: f64,
    /// the largest indentation of any contact point [m]
    pub max_indentation: f64,
    /// the least distance of a boundary to its support at the ends of steps [m], where there are short-range fields
    pub nearest_gap: Option<f64>,
    /// what overlapped at output times, found without the run's own contacts
    pub overlaps: Overlaps,
    /// the total energy at the start [J]
    pub energy_start: f64,
    /// the ledger at the end
    pub energy: Energy,
    /// how well the books close
    pub audit: Audit,
    /// the largest |audit| of the energy, over the largest kinetic + stored + change of potential energy of the run
    pub audit_relative: f64,
    /// what counts as nothing: errors of lengths [m] and speeds [m/s] below these are within the absolute tolerance, and motions mean something from some hundred times
    /// that on
    pub resolution: Scale,
    /// the equilibrium it started from, if it was to start from one
    pub start: Option<Equilibrium>,
    /// things to know
    pub warnings: Vec<WarningCount>,
    /// whether the run was ended before its time, by a sink or by whoever took its steps
    pub stopped: bool,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let s = &self.stats;
        writeln!(
            f,
            "{} s simulated    {}, rtol {:e}    {} steps ({} rejected), {} evaluations",
            self.t_end, self.method, self.rtol, s.steps, s.rejected, s.evaluations
        )?;
        writeln!(
            f,
            "{} touches    peak force {:.4} N    deepest {:.4e} m",
            self.touches, self.peak_force, self.max_indentation
        )?;
        write!(
            f,
            "energy {:.6e} J -> {:.6e} J    lost {:.4e}    audit {:.1e}",
            self.energy_start,
            self.energy.total(),
            self.energy.dissipated(),
            self.audit_relative
        )?;
        write!(
            f,
            "    momentum {:.1e}, angular {:.1e}",
            self.audit.momentum_relative, self.audit.angular_momentum_relative
        )?;
        if let Some(estimate) = &self.audit.estimate {
            write!(
                f,
                "\ngiven steps: as exact as rtol {:.1e}, energy off by about {:.1e}",
                estimate.step, estimate.energy
            )?;
        }
        if let Some(start) = &self.start {
            write!(f, "\nstarted from an equilibrium: {start}")?;
        }
        for w in &self.warnings {
            write!(f, "\nwarning ({}x): {}", w.count, w.warning)?;
        }
        Ok(())
    }
}
