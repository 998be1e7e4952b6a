//! `ode15s` and `ode15s-bdf` on stiff problems, at events, and where things go wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "others need the rest")]
mod common;
mod failures;
mod motion;
mod stiff;

const BOTH: [&str; 2] = ["ode15s", "ode15s-bdf"];
