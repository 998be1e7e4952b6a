//! Many runs, and what is made of them: parameter studies, recipes of papers' figures, figures of recorded runs, distance queries by the line.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

pub mod paper;
pub mod plot;
pub mod query;
pub mod sweep;
