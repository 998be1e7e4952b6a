//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

mod analyses;
mod book;
mod broken_off;
mod clearances;
mod common;
mod compare;
mod examples;
mod growth;
mod laws;
mod loads;
mod machines;
mod mechanisms;
mod modes;
mod modules;
mod papers;
mod plots;
mod program;
mod records;
mod releases;
mod same_bytes;
mod sweeps;
mod view;
