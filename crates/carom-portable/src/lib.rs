//! Functions and formats that are the same on every platform.
//!
//! - [`elementary`]: sines, exponentials, powers with the same bits everywhere.
//! - [`snapshot`]: the state that a computation keeps from step to step, as bytes.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

pub mod elementary;
pub mod snapshot;
