//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

mod adhesion;
mod bristles;
mod common;
mod compliant;
mod compliant_forms;
mod friction;
mod hertz;
mod impact_table;
mod modules;
mod normal;
mod passivity;
mod phases;
mod resistance;
mod rolling_springs;
mod walks;
