//! What tells runs of different models or with different options apart.

use std::cell::OnceCell;
use std::fmt::Write;

use carom_base::snapshot::Hash;

use super::simulation::Simulation;

/// A number that differs between models and options, except with a probability of one in 2⁶⁴: a hash of their debug output,
/// computed once it is asked for. The duration and the number of threads are left out: what a run has done does not depend on
/// them.
#[derive(Clone, Debug, Default)]
pub(super) struct Fingerprint(OnceCell<u64>);

impl Fingerprint {
    /// Returns the fingerprint of a run: always the same one.
    pub(super) fn of(&self, sim: &Simulation<'_>) -> u64 {
        let hash = || {
            let sim = Simulation { duration: f64::INFINITY, threads: None, ..sim.clone() };
            let mut hash = Hash::EMPTY;
            // (numbers are printed with all their digits; writing to a hash cannot fail)
            let _ = write!(hash, "{sim:?}");
            hash.0
        };
        *self.0.get_or_init(hash)
    }
}
