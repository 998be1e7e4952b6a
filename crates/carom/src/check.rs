//! Checks of descriptions: names must be known and unique, numbers finite.

use carom_base::Vec3;
use carom_base::words::nearest;

use crate::error::{BuildError, Fault, Subject};

impl Subject {
    /// Returns an error if a vector is not finite.
    pub(crate) fn finite(&self, key: &'static str, v: &Vec3) -> Result<(), BuildError> {
        match v.iter().all(|x| x.is_finite()) {
            true => Ok(()),
            false => Err(self.bad(key, format!("[{}, {}, {}]", v.x, v.y, v.z), "finite numbers")),
        }
    }

    /// Returns the error that no item has this name; it suggests the most similar known name.
    pub(crate) fn unknown(
        &self,
        key: &'static str,
        what: &'static str,
        name: &str,
        known: &[&str],
    ) -> BuildError {
        let nearest = nearest(name, known);
        self.fails(Some(key), Fault::UnknownName { what, name: name.to_owned(), nearest })
    }

    /// Returns the index of a name among the known ones, or an error if it is not among them.
    pub(crate) fn find(
        &self,
        key: &'static str,
        what: &'static str,
        name: &str,
        known: &[&str],
    ) -> Result<usize, BuildError> {
        known.iter().position(|n| *n == name).ok_or_else(|| self.unknown(key, what, name, known))
    }
}

/// Returns an error if a name is empty or given twice.
pub(crate) fn unique<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), BuildError> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(Subject::Model.bad("name", format!("empty for one of the {what}"), "a word"));
        }
        if !seen.insert(name) {
            return Err(Subject::Model.fails(None, Fault::DuplicateName { what, name: name.to_owned() }));
        }
    }
    Ok(())
}
