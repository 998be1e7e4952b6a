//! Reads the columns of a folder's CSV files, for formats that hold numbers by name.

use std::path::Path;

use crate::{DataFile, Ending, ReadError, Recorded, data_files};

/// Reads the tables of a folder of results, with notices for the user, such as that the run failed.
pub(super) fn files(folder: &Path) -> Result<(Vec<DataFile>, Vec<String>), ReadError> {
    // returns a clear error if it is not a folder of results
    let run = Recorded::open(folder)?;
    let reached =
        || run.t.last().map_or("nothing was recorded".to_owned(), |t| format!("it came to t = {t} s"));
    let notice = match &run.ending {
        Ending::Done => None,
        Ending::Stopped => Some(format!("the run was stopped; {}", reached())),
        Ending::Unfinished => Some(format!("the run was not finished; {}", reached())),
        Ending::Failed(why) => Some(format!("the run failed ({why}); {}", reached())),
    };
    Ok((data_files(folder)?, notice.into_iter().collect()))
}

/// Returns a name that is not in `taken`: with `_2`, `_3` … appended if needed, and not longer than `longest`.
pub(super) fn unlike(name: String, taken: &[String], longest: usize) -> String {
    let cut = |name: &str, room: usize| name.chars().take(longest.saturating_sub(room)).collect::<String>();
    let name = cut(&name, 0);
    if !taken.contains(&name) {
        return name;
    }
    let numbered = (2..).map(|n: usize| format!("_{n}")).map(|end| cut(&name, end.len()) + &end);
    numbered.into_iter().find(|n| !taken.contains(n)).unwrap_or(name)
}
