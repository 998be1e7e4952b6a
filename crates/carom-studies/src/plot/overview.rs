//! Chooses what to draw of a run when nothing is asked for.

use carom_results::{ReadError, Recorded};
use carom_scene::plot::Wanted;

use super::axis::range;

/// Largest number of bodies, and of contacts.
const MOST: usize = 3;
/// A coordinate is at rest if its range is less than this fraction of the largest range.
const STILL: f64 = 1e-6;

/// Returns positions that change, energies, and normal forces of contacts, or forces of joints if there are no contacts. The
/// result is meant for [`Plot::together`](super::Plot::together).
pub fn overview(run: &Recorded) -> Result<Vec<Wanted>, ReadError> {
    let mut names = positions(run);
    let energies = ["kinetic", "potential", "elastic", "field", "strain", "total"];
    let changes = |name: &str| {
        let column = run.energies.iter().find(|(n, _)| n == name);
        column.and_then(|(_, values)| range(values)).is_some_and(|(low, high)| low != 0.0 || high != 0.0)
    };
    names.extend(energies.iter().filter(|name| changes(name)).map(|name| (*name).to_owned()));
    let contacts = run.contact_names()?;
    names.extend(contacts.iter().take(MOST).map(|contact| format!("{contact}.fn")));
    if contacts.is_empty() {
        names.extend(run.joints.iter().take(MOST).map(|joint| format!("{}.f", joint.joint)));
    }
    Ok(names.into_iter().map(|y| Wanted { y, x: None }).collect())
}

/// Returns the coordinates of the first bodies that change noticeably; all of them, if nothing was recorded.
fn positions(run: &Recorded) -> Vec<String> {
    let way = |name: &str| {
        let column = run.column(name).unwrap_or_default();
        range(&column).map_or(0.0, |(low, high)| high - low)
    };
    let bodies = run.tracks.iter().take(MOST);
    let all: Vec<String> = bodies.flat_map(|t| ["x", "y", "z"].map(|c| format!("{}.{c}", t.name))).collect();
    let longest = all.iter().map(|name| way(name)).fold(0.0, f64::max);
    all.into_iter().filter(|name| longest == 0.0 || way(name) > STILL * longest).collect()
}
