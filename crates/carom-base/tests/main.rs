//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]

use carom_testkit::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

mod expressions;
mod modules;
