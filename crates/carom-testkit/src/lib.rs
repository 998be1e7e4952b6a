//! Helpers that the tests of all crates share. No crate needs this one to be built.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

mod broken_off;
mod compare;
mod counting;
mod imports;
mod part;
mod random;

pub use broken_off::{End, Files, difference, files};
pub use compare::{close, near, within};
pub use counting::{Counting, allocations, allocations_of};
pub use imports::{imports_out_of_order, modules_are_in_order};
pub use part::{all_cases, one_in};
pub use random::Random;
