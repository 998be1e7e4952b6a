//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

mod actions;
mod broken_off;
mod distances;
mod film;
mod joints;
mod modules;
mod results;
