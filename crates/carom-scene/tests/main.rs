//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

mod book;
mod clearance;
mod drives;
mod joints;
mod meshes;
mod modules;
mod parameters;
mod parts;
mod patterns;
mod scene_errors;
mod scene_mutations;
mod scene_read;
mod scene_schema;
mod signals;
mod starts;
mod templates;
