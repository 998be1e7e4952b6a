//! Turns the text of a scene (TOML or JSON) into a model: reading, units, values, keys, and errors that show their
//! position in the text.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

// Texts, and the errors found in them.
pub mod units;
pub mod keys;
mod tree;
mod error;
mod text;
mod file;
mod fields;
// The bodies, surfaces, quantities and figures that a scene names.
mod names;
pub mod plot;
pub mod quantity;
pub mod shape_file;
mod mesh_file;
mod scene;
mod analyse;
mod own;
// The table of keys, and what is derived from it: the reader, the JSON schema and the reference.
mod wanted;
mod measured;
mod value;
mod select;
mod tables;
mod schema;
mod reference;
mod read;
// The steps from a text to a scene.
mod set;
mod parameter;
mod drive;
mod blame;
mod build;
mod expand;
mod load;
#[cfg(test)]
mod tests;

pub use analyse::{AnalyseError, Analysed};
pub use carom_base::expression;
pub use error::{Problem, SceneError};
pub use fields::{Field, Fields};
pub use load::{Template, read_by_keys};
pub use mesh_file::{MeshFile, SURFACE as MESH_SURFACE, mesh_surface};
pub use own::Own;
pub use reference::{reference, sections};
pub use scene::{Decoration, Probe, Scene, SceneText};
pub use schema::schema;
pub use set::same as same_setting;
pub use text::Format;
pub use tree::Span;
