//! What is the same on every platform.
//!
//! - [`elementary`]: sines, exponentials, powers with the same bits everywhere.
//! - [`snapshot`]: what a computation carries from step to step, as bytes.

pub mod elementary;
pub mod snapshot;
