//! All tests of the crate that go through its public items, in one program: linking each by itself took longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

mod allocation;
mod bad_rates;
mod common;
mod hard;
mod ivp;
mod library;
mod methods;
mod modules;
mod ode113;
mod ode15s;
mod quadratures;
mod radau5;
mod snapshots;

use carom_testkit::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
