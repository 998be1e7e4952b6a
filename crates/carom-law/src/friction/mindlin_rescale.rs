//! Mindlin without slip within the contact, with a force that falls with the stiffness as the surfaces part.
//!
//! Ḟ = −k(δ) v + F (k̇/k)₋ while |F| < μN, k = 8G*a = κ dF_n/dδ; |F| = μN, along the slip, beyond
//!
//! (x)₋ is x where it is below zero, else 0. Symbols as of [`mindlin`](super::mindlin).
//!
//! Source: K. L. Johnson's remark that a contact which becomes smaller leaves its outer parts without traction, as programs for granular matter have it; D. Elata, J. G. Berryman,
//! *Mech. Mater.* 24 (1996) 229–240, on why. With E = F²/(2k) what is lost is F²|k̇|/(2k²) ≥ 0: passive always.
//! Changed, valid, exit: as `mindlin`. The kink at δ̇ = 0 is located.
//! Checked: Elata and Berryman's cycle in closed form; passivity and the cone along random walks.

use std::sync::Arc;

use carom_base::{Args, Entry, SpecError};

use super::FrictionEntry;
use super::compliant::{COEFFICIENT, RATIO};
use super::mindlin::{Mindlin, RESCALED};
use crate::entry::Reference;
use crate::law::Friction;

fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
    Ok(Arc::new(Mindlin::read(args, true)?))
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: RESCALED,
        summary: "as `mindlin`, with a force that falls with the stiffness: makes no energy; with memory",
        params: &[COEFFICIENT, RATIO],
        build,
    },
    formula: "Ḟ = −k(δ) v + F (k̇/k)₋, k = 8G*a = κ dN/dδ, while |F| < μN; |F| = μN beyond",
    range: "oblique impacts and shear under any load, without slip within the contact",
    at_rest: "holds, without creep",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "R. D. Mindlin, J. Appl. Mech. 16 (1949) 259-268; D. Elata, J. G. Berryman, Mech. Mater. 24 (1996) 229-240",
        checked: "not seen in the originals; the cycle of Elata and Berryman in closed form, the cone, passivity",
    },
};
