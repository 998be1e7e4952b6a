//! Quantities by name: those that bodies, contacts, joints and the rest have, in words and units, and those that a scene will
//! have before it runs.

mod catalogue;
mod names;

pub use catalogue::{
    COORDINATE, Entry, FIRST_RATE, LEDGER, Meaning, TIME, Thing, behind, of_force, of_mechanism, of_signal,
};
pub use names::Names;

/// Returns the known name most similar to a misspelt one.
pub fn nearest(name: &str, known: &[Meaning]) -> Option<String> {
    let words: Vec<&str> = known.iter().map(|m| m.name.as_str()).collect();
    carom::words::nearest(name, &words)
}
