//! The columns of a folder's CSV files, for formats that hold numbers by name.

use std::path::Path;

use crate::results::{DataFile, ReadError, Recorded, data_files};

/// The files of a folder that holds results.
pub(super) fn files(folder: &Path) -> Result<Vec<DataFile>, ReadError> {
    // says what is wrong with a folder that is none
    Recorded::open(folder)?;
    data_files(folder)
}

/// A name without those that others have: `_2`, `_3` … behind it if need be, no longer than `longest`.
pub(super) fn unlike(name: String, taken: &[String], longest: usize) -> String {
    let cut = |name: &str, room: usize| name.chars().take(longest.saturating_sub(room)).collect::<String>();
    let name = cut(&name, 0);
    if !taken.contains(&name) {
        return name;
    }
    let numbered = (2..).map(|n: usize| format!("_{n}")).map(|end| cut(&name, end.len()) + &end);
    numbered.into_iter().find(|n| !taken.contains(n)).unwrap_or(name)
}
