//! What the tests of all crates share. No crate needs it to be built.

mod compare;
mod counting;
mod imports;
mod random;

pub use compare::{close, near, within};
pub use counting::{Counting, allocations, allocations_of};
pub use imports::{import_cycles, imports_out_of_order, modules_are_in_order, modules_form_no_cycle};
pub use random::Random;
