//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.

mod bristles;
mod common;
mod friction;
mod hertz;
mod impact_table;
mod normal;
mod passivity;
mod resistance;
