//! Chooses what to draw of a run when nothing is asked for.

use carom_base::Quantity;
use carom_results::{ReadError, Recorded};
use carom_scene::plot::Wanted;
use carom_scene::quantity::behind;

use super::axis::range;

/// Largest number of bodies, of contacts and of joints.
const MOST: usize = 3;
/// A coordinate is at rest if its range is less than this fraction of the largest range: it would be a straight line.
const STILL: f64 = 1e-3;
/// A number is rounding error if it is less than this fraction of the largest of its kind; a length also below 10⁻¹⁵ m, less
/// than an atomic nucleus.
const NOISE: f64 = 1e-9;
const NO_LENGTH: f64 = 1e-15;
/// A coordinate of a joint that changes by less [rad or m] is held where it is.
const UNMOVED: f64 = 1e-9;
/// The rounding error of a position, as a fraction of the largest.
const PLACED: f64 = 1e-12;

/// Returns the coordinates of joints that change, with full turns counted, then positions that change, angular velocities of
/// bodies that only turn, energies, and normal forces of contacts, or forces of joints if there are no contacts; none that is
/// rounding error beside the others. The result is meant for [`Plot::together`](super::Plot::together).
pub fn overview(run: &Recorded) -> Result<Vec<Wanted>, ReadError> {
    let moving = positions(run);
    let angles = coordinates(run, Quantity::Angle);
    let mut names = angles.clone();
    names.extend(coordinates(run, Quantity::Length));
    names.extend(moving.iter().cloned());
    // where joints turn, their angles say what the angular velocities would
    if angles.is_empty() {
        names.extend(turns(run, &moving));
    }
    names.extend(energies(run));
    let contacts: Vec<String> = run.contact_names()?.iter().map(|contact| format!("{contact}.fn")).collect();
    let joints = || run.joints.iter().map(|joint| format!("{}.f", joint.joint)).collect();
    let forces: Vec<String> = if contacts.is_empty() { joints() } else { contacts };
    names.extend(greatest(forces, |name| size(run, name)));
    Ok(names.into_iter().map(|y| Wanted { y, x: None }).collect())
}

/// Returns the values of a quantity; none, if it cannot be had.
fn values(run: &Recorded, name: &str) -> Vec<f64> {
    run.curve(name).map(|curve| curve.values).unwrap_or_default()
}

/// Returns the largest amount of a quantity.
fn size(run: &Recorded, name: &str) -> f64 {
    range(&values(run, name)).map_or(0.0, |(low, high)| low.abs().max(high.abs()))
}

/// Returns how far a quantity changes.
fn way(run: &Recorded, name: &str) -> f64 {
    range(&values(run, name)).map_or(0.0, |(low, high)| high - low)
}

/// Returns those of the first [`MOST`] that are largest, in their order, without rounding error; all of the first, if nothing was
/// recorded.
fn greatest(names: Vec<String>, size: impl Fn(&str) -> f64) -> Vec<String> {
    let sizes: Vec<f64> = names.iter().map(|name| size(name)).collect();
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let mut order: Vec<usize> =
        (0..names.len()).filter(|i| largest == 0.0 || sizes[*i] > NOISE * largest).collect();
    order.sort_by(|a, b| sizes[*b].total_cmp(&sizes[*a]).then(a.cmp(b)));
    order.truncate(MOST);
    order.sort_unstable();
    order.into_iter().map(|i| names[i].clone()).collect()
}

/// Returns those coordinates of joints with this quantity that change most.
fn coordinates(run: &Recorded, quantity: Quantity) -> Vec<String> {
    let of_body = |name: &str| run.tracks.iter().any(|t| behind(name, &t.name).is_some());
    let is = |name: &str| run.meaning(name).is_some_and(|m| m.quantity == Some(quantity)) && !of_body(name);
    let names = run.mechanism.iter().map(|(name, _)| name.clone()).filter(|name| is(name));
    let changes = |name: &String| way(run, name) > UNMOVED;
    greatest(names.filter(changes).collect(), |name| way(run, name))
}

/// Returns the coordinates of the first bodies that change noticeably; all of them, if nothing was recorded.
fn positions(run: &Recorded) -> Vec<String> {
    let bodies = run.tracks.iter().take(MOST);
    let all: Vec<String> = bodies.flat_map(|t| ["x", "y", "z"].map(|c| format!("{}.{c}", t.name))).collect();
    if run.t.is_empty() {
        return all;
    }
    let farthest = all.iter().map(|name| size(run, name)).fold(0.0, f64::max);
    let longest = all.iter().map(|name| way(run, name)).fold(0.0, f64::max);
    let least = (STILL * longest).max(PLACED * farthest).max(NO_LENGTH);
    all.into_iter().filter(|name| way(run, name) > least).collect()
}

/// Returns the angular velocities of those of the first bodies that stay where they are and turn.
fn turns(run: &Recorded, moving: &[String]) -> Vec<String> {
    let stays = |body: &str| !["x", "y", "z"].iter().any(|c| moving.contains(&format!("{body}.{c}")));
    let bodies = run.tracks.iter().take(MOST).filter(|t| t.rotation.is_some() && stays(&t.name));
    let all: Vec<String> =
        bodies.flat_map(|t| ["wx", "wy", "wz"].map(|c| format!("{}.{c}", t.name))).collect();
    let fastest = all.iter().map(|name| size(run, name)).fold(0.0, f64::max);
    let duration = run.t.last().zip(run.t.first()).map_or(0.0, |(last, first)| last - first);
    // a body that turns by less than a thousandth of a radian is at rest
    let turned = |name: &String| size(run, name) * duration > 1e-3;
    all.into_iter().filter(|name| size(run, name) > STILL * fastest && turned(name)).collect()
}

/// Returns the energies that are not rounding error beside the largest.
fn energies(run: &Recorded) -> Vec<String> {
    let names = ["kinetic", "potential", "elastic", "field", "strain", "total"];
    let size = |name: &str| {
        let column = run.energies.iter().find(|(n, _)| n == name);
        column.and_then(|(_, values)| range(values)).map_or(0.0, |(low, high)| low.abs().max(high.abs()))
    };
    let largest = names.iter().map(|name| size(name)).fold(0.0, f64::max);
    names.into_iter().filter(|name| size(name) > NOISE * largest).map(str::to_owned).collect()
}
