//! The formats in which scenes are written.

pub(crate) mod json;
pub(crate) mod toml;

/// The format in which a scene is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML
    Toml,
    /// JSON
    Json,
}
