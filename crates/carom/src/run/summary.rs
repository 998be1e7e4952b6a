//! The summary of a run.

use carom_ode::Stats;

use super::audit::Audit;
use crate::overlap::Overlaps;
use crate::record::{Energy, Warning};
use crate::statics::Equilibrium;
use crate::world::Scale;

/// A warning with the number of times it occurred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningCount {
    /// the warning
    pub warning: Warning,
    /// number of occurrences
    pub count: usize,
}

/// Contacts of solids whose edges and corners count as rounded, so that they meet late: those of the same algorithm and the same bound together.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeRounding {
    /// name of the first of these contacts, as `die/box1~block/box1`
    pub contact: String,
    /// number of the others
    pub others: usize,
    /// the algorithm that finds the contact points
    pub method: &'static str,
    /// how much deeper than they touch the sharp solids may be in one another at most [m]
    pub late: f64,
    /// how much further from the other solid than the face or line that carries it a contact point may be taken to be at most, as faces and lines count as crowned [m]
    pub crown: f64,
}

impl EdgeRounding {
    /// Returns those of some contacts, given their names, algorithms and bounds, of edges and of the crown; the largest bound comes first.
    pub(super) fn of<'a>(
        contacts: impl Iterator<Item = (&'a str, &'static str, [f64; 2])>,
    ) -> Vec<EdgeRounding> {
        let mut all: Vec<EdgeRounding> = Vec::new();
        for (name, method, [late, crown]) in contacts.filter(|(_, _, [late, _])| *late > 0.0) {
            match all.iter_mut().find(|r| r.method == method && r.late == late && r.crown == crown) {
                Some(known) => known.others += 1,
                None => all.push(EdgeRounding { contact: name.to_owned(), others: 0, method, late, crown }),
            }
        }
        all.sort_by(|x, y| y.late.total_cmp(&x.late));
        all
    }
}

/// The results of a run, and how far it can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// integration method
    pub method: &'static str,
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerance, in units of the model's scales
    pub atol: f64,
    /// the time reached [s]
    pub t_end: f64,
    /// numbers of steps, evaluations and so on
    pub stats: Stats,
    /// number of touches of contact points
    pub touches: usize,
    /// number of times that two separate surfaces have touched
    pub contacts: usize,
    /// the largest normal force between two surfaces [N]
    pub peak_force: f64,
    /// the largest indentation of any contact point [m]
    pub max_indentation: f64,
    /// the smallest gap between a boundary and its support at the ends of steps [m], if there are short-range fields
    pub nearest_gap: Option<f64>,
    /// surfaces that overlapped at output times, found independently of the run's contacts
    pub overlaps: Overlaps,
    /// contacts whose edges count as rounded, and by how much they meet late
    pub roundings: Vec<EdgeRounding>,
    /// the total energy at the start [J]
    pub energy_start: f64,
    /// the energies at the end
    pub energy: Energy,
    /// how well the energy and momentum balances close
    pub audit: Audit,
    /// the largest energy-balance error, divided by the largest kinetic + stored + change of potential energy of the run
    pub audit_relative: f64,
    /// the resolution: errors of lengths [m] and speeds [m/s] below these are within the absolute tolerance, and motions are
    /// meaningful from some hundred times that on
    pub resolution: Scale,
    /// the equilibrium that the run started from, if it was asked for
    pub start: Option<Equilibrium>,
    /// warnings about this run
    pub warnings: Vec<WarningCount>,
    /// whether the run was ended early, by a sink or by the program that took its steps
    pub stopped: bool,
    /// the largest number of threads that have shared the work; nothing else depends on it
    pub threads: usize,
    /// the steps of a crowd
    pub crowd: Option<CrowdSteps>,
}

/// The steps of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdSteps {
    /// the longest step [s]: others are shorter so that output times are ends of steps
    pub step: f64,
    /// the largest indentation, as a part of the radius of the smaller body
    pub overlap: f64,
    /// number of times that the bodies near each other were listed
    pub lists: usize,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let s = &self.stats;
        writeln!(
            f,
            "{} s simulated    {}, rtol {:e}    {} steps ({} rejected), {} evaluations",
            self.t_end, self.method, self.rtol, s.steps, s.rejected, s.evaluations
        )?;
        // a pair may touch in many points at once: a touch of it counts once
        write!(f, "{} {}", self.contacts, if self.contacts == 1 { "touch" } else { "touches" })?;
        if self.touches != self.contacts {
            write!(f, " ({} of contact points)", self.touches)?;
        }
        writeln!(f, "    peak force {:.4} N    deepest {:.4e} m", self.peak_force, self.max_indentation)?;
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
        if let Some(crowd) = &self.crowd {
            let (many, s) = (self.threads, if self.threads == 1 { "" } else { "s" });
            let overlap = 100.0 * crowd.overlap;
            write!(
                f,
                "\nsteps of {:.3e} s, {many} thread{s}, largest overlap {overlap:.2} % of the smaller radius",
                crowd.step
            )?;
        }
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
