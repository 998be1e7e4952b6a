//! Scene texts in, models out: reading, units, values, keys, and errors that show the place in the text.

mod analyse;
mod blame;
mod build;
mod drive;
mod error;
mod fields;
mod file;
pub mod keys;
mod load;
mod names;
mod own;
mod parameter;
pub mod plot;
pub mod quantity;
mod read;
mod reference;
mod scene;
mod schema;
mod set;
pub mod shape_file;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod tree;
pub mod units;
mod value;

pub use analyse::{AnalyseError, Analysed};
pub use carom_base::expression;
pub use error::{Problem, SceneError};
pub use fields::{Field, Fields};
pub use load::read_by_keys;
pub use own::Own;
pub use reference::{reference, sections};
pub use scene::{Decoration, Probe, Scene, SceneText};
pub use schema::schema;
pub use set::same as same_setting;
pub use text::Format;
pub use tree::Span;
