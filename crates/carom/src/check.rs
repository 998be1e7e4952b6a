//! Checks of what descriptions say: names that are known and used once, numbers that are finite.

use carom_base::Vec3;
use carom_base::words::nearest;

use crate::error::BuildError;

/// The error of a name that nothing has; it says which known name is nearest.
pub(crate) fn unknown(place: String, what: &'static str, name: &str, known: &[&str]) -> BuildError {
    BuildError::UnknownName { place, what, name: name.to_owned(), nearest: nearest(name, known) }
}

/// Refuses a vector that is not finite.
pub(crate) fn finite(place: &str, field: &'static str, v: &Vec3) -> Result<(), BuildError> {
    if v.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    let value = format!("[{}, {}, {}]", v.x, v.y, v.z);
    Err(BuildError::BadValue { place: place.to_owned(), field, value, allowed: "finite numbers" })
}

/// Refuses names that are empty or given twice.
pub(crate) fn unique<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), BuildError> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if name.is_empty() {
            let (place, value) = (what.to_owned(), "empty".to_owned());
            return Err(BuildError::BadValue { place, field: "name", value, allowed: "a word" });
        }
        if !seen.insert(name) {
            return Err(BuildError::DuplicateName { what, name: name.to_owned() });
        }
    }
    Ok(())
}
