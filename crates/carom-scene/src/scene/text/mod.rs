//! The languages scenes are written in.

pub(crate) mod json;
pub(crate) mod toml;
