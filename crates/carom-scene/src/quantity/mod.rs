//! Quantities by name: what there is of bodies, contacts, joints and the rest, in words and units, and which of them a scene will have before it runs.

mod catalogue;
mod names;

pub use catalogue::{COORDINATE, Entry, LEDGER, Meaning, TIME, Thing, behind, of_mechanism};
pub use names::Names;

/// The name that may be meant.
pub fn nearest(name: &str, known: &[Meaning]) -> Option<String> {
    let words: Vec<&str> = known.iter().map(|m| m.name.as_str()).collect();
    carom::words::nearest(name, &words)
}
