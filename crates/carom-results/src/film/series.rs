//! Collects the other recorded numbers of a film.

use carom_base::Quantity;
use carom_scene::quantity::behind;

use super::Series;
use crate::{Reaction, Recorded};

/// Returns energies, distances, fields, joint reactions, coordinates, forces and signals at the frames.
pub(super) fn series(run: &Recorded, frames: &[usize]) -> Vec<Series> {
    let at = |values: &[f64]| frames.iter().map(|i| values.get(*i).copied().unwrap_or(f64::NAN)).collect();
    let column = |group, unit: fn(&str) -> &'static str| {
        move |(name, values): &(String, Vec<f64>)| Series {
            name: name.clone(),
            group,
            unit: unit(name.rsplit('.').next().unwrap_or_default()),
            values: at(values),
        }
    };
    let energies = run.energies.iter().map(column("energy", |_| "J"));
    // whether a distance was found, and its points, are left to the tables
    let is_distance = |c: &&(String, Vec<f64>)| c.0.ends_with(".distance");
    let distances = run.distances.iter().filter(is_distance).map(column("distance", |_| "m"));
    let fields = run.fields.iter().map(column("field", |column| match column {
        "gap" => "m",
        "dissipated" => "W",
        c if c.starts_with('m') => "N m",
        _ => "N",
    }));
    let t: Vec<f64> = frames.iter().filter_map(|i| run.t.get(*i).copied()).collect();
    let joints = run.joints.iter().flat_map(|r| reaction(r, &t));
    let described = |group, (name, values): &(String, Vec<f64>)| {
        let unit = run.meaning(name).and_then(|m| m.quantity).map_or("", Quantity::unit);
        Series { name: name.clone(), group, unit, values: at(values) }
    };
    // (accelerations of bodies are left to the tables)
    let of_body = |name: &str| run.tracks.iter().any(|t| behind(name, &t.name).is_some());
    let mechanism = run.mechanism.iter().filter(|(name, _)| !of_body(name));
    let coordinates = mechanism.map(|column| described("joint", column));
    let forces = run.forces.iter().map(|column| described("force", column));
    let signals = run.signals.iter().map(|column| described("signal", column));
    let actions = joints.chain(coordinates).chain(forces).chain(signals);
    energies.chain(distances).chain(fields).chain(actions).collect()
}

/// Returns the magnitudes of force and couple, and their components.
fn reaction(r: &Reaction, t: &[f64]) -> Vec<Series> {
    let loads: Vec<[[f64; 3]; 2]> = t.iter().map(|t| r.at(*t).unwrap_or([[f64::NAN; 3]; 2])).collect();
    let mut all = Vec::new();
    for (i, (what, unit, letter)) in [("force", "N", 'f'), ("couple", "N m", 'm')].into_iter().enumerate() {
        let series = |name: String, values| Series { name, group: "joint", unit, values };
        let amount = |l: &[[f64; 3]; 2]| l[i].iter().map(|x| x * x).sum::<f64>().sqrt();
        let values: Vec<f64> = loads.iter().map(amount).collect();
        // a ball joint carries no couple
        if i == 1 && values.iter().all(|x| *x == 0.0) {
            continue;
        }
        all.push(series(format!("{} {what}", r.joint), values));
        for (k, axis) in ["x", "y", "z"].iter().enumerate() {
            let values = loads.iter().map(|l| l[i][k]).collect();
            all.push(series(format!("{}.{letter}{axis}", r.joint), values));
        }
    }
    all
}
