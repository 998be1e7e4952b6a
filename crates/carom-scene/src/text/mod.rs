//! The languages scenes are written in.

pub(crate) mod json;
pub(crate) mod toml;

/// The language a scene is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML
    Toml,
    /// JSON
    Json,
}
