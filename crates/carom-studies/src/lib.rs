//! Work with many runs: parameter studies, recipes for the figures of papers, figures of recorded runs, and distance queries
//! line by line.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

mod integral;
pub mod paper;
pub mod plot;
pub mod query;
pub mod sweep;
