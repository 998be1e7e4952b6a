//! What the tests of all crates share. No crate needs it to be built.

mod compare;
mod counting;
mod imports;
mod random;

pub use compare::{close, near, within};
pub use counting::{Counting, allocations, allocations_of};
pub use imports::{import_cycles, modules_form_no_cycle};
pub use random::Random;
