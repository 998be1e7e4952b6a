//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.

mod modules;
mod near;
mod steps;
