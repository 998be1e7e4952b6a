//! Many runs, and what is made of them: parameter studies, recipes of papers' figures, figures of recorded runs, distance queries by the line.

pub mod paper;
pub mod plot;
pub mod query;
pub mod sweep;
