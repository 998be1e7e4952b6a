//! Measures of an analysis without integration: positions, and numbers of an equilibrium and its modes.

use carom::{Analysis, Equilibrium, Modes};
use carom_results::NUMBERS;
use carom_scene::Analysed;
use carom_scene::Scene;

/// Numbers of an equilibrium: the residual of its forces, the number of iterations, whether it is stable (1 or 0).
const AT_REST: [&str; 3] = ["residual", "iterations", "stable"];
/// Numbers of its modes: how many, the lowest frequency that is not zero [Hz], the fastest growth of a root [1/s].
const OF_MODES: [&str; 3] = ["modes", "lowest_frequency", "largest_growth"];
/// Numbers of the n-th mode, in the order of increasing ω²: [Hz], [rad/s], [1/s²].
const OF_MODE: [&str; 3] = ["frequency", "omega", "omega_squared"];
/// Numbers of the n-th root with damping, in the order of increasing |s|: [Hz], [1/s], and the damping ratio.
const OF_ROOT: [&str; 3] = ["root_frequency", "root_growth", "root_damping"];

/// Returns the standard measures of an analysis of this kind, as texts.
pub(super) fn standard(analysis: Analysis) -> &'static [&'static str] {
    match analysis {
        Analysis::Dynamic => &[
            "touches",
            "contacts",
            "peak_force",
            "max_indentation",
            "energy_start",
            "energy_end",
            "kinetic_end=final(kinetic)",
            "dissipated",
            "steps",
            "audit_relative",
        ],
        Analysis::Kinematic | Analysis::Inverse => &[],
        Analysis::Static => &AT_REST,
        Analysis::Modes => &["residual", "stable", "modes", "lowest_frequency", "largest_growth"],
    }
}

/// Returns whether the analysis as a whole has a number of that name.
pub(super) fn has_number(scene: &Scene, name: &str) -> bool {
    let counted = |heads: &[&str]| {
        name.split_once('.')
            .is_some_and(|(head, n)| heads.contains(&head) && n.parse::<usize>().is_ok_and(|n| n > 0))
    };
    let of_run = || ["summary.", "touch.", "release."].iter().any(|head| name.starts_with(head));
    match scene.analysis {
        Analysis::Dynamic => NUMBERS.contains(&name) || (of_run() && scene.names.knows(name)),
        Analysis::Kinematic | Analysis::Inverse => false,
        Analysis::Static => AT_REST.contains(&name),
        Analysis::Modes => {
            AT_REST.contains(&name) || OF_MODES.contains(&name) || counted(&OF_MODE) || counted(&OF_ROOT)
        }
    }
}

/// Returns whether the analysis has a quantity of that name at every time; an equilibrium has a single time.
pub(super) fn has_quantity(scene: &Scene, name: &str) -> bool {
    match scene.analysis {
        Analysis::Dynamic => scene.names.knows(name),
        Analysis::Kinematic => scene.names.of_mechanism(name, false),
        Analysis::Static | Analysis::Inverse | Analysis::Modes => scene.names.of_mechanism(name, true),
    }
}

/// Returns the names of numbers to suggest for a misspelt one.
pub(super) fn numbers_of(analysis: Analysis) -> Vec<&'static str> {
    match analysis {
        Analysis::Dynamic => NUMBERS.to_vec(),
        Analysis::Kinematic | Analysis::Inverse => Vec::new(),
        Analysis::Static => AT_REST.to_vec(),
        Analysis::Modes => {
            let firsts = ["frequency.1", "omega.1", "omega_squared.1", "root_frequency.1", "root_growth.1"];
            AT_REST.into_iter().chain(OF_MODES).chain(firsts).chain(["root_damping.1"]).collect()
        }
    }
}

/// Returns all numbers of the result of an analysis.
pub(super) fn numbers(found: &Analysed) -> Vec<(String, f64)> {
    match found {
        Analysed::Postures { .. } => Vec::new(),
        Analysed::Static(at) => at_rest(at),
        Analysed::Modes(modes) => at_rest(&modes.at).into_iter().chain(of_modes(modes)).collect(),
    }
}

fn named<const N: usize>(names: [&str; N], values: [f64; N]) -> impl Iterator<Item = (String, f64)> {
    names.map(str::to_owned).into_iter().zip(values)
}

fn at_rest(at: &Equilibrium) -> Vec<(String, f64)> {
    let stable = if at.stable() { 1.0 } else { 0.0 };
    named(AT_REST, [at.residual, at.iterations as f64, stable]).collect()
}

fn of_modes(modes: &Modes) -> Vec<(String, f64)> {
    let swinging = modes.modes.iter().map(carom::Mode::frequency).filter(|f| *f > 0.0);
    let lowest = swinging.reduce(f64::min).unwrap_or(f64::NAN);
    let growth = modes.roots.iter().map(|r| r.growth).reduce(f64::max).unwrap_or(f64::NAN);
    let mut all: Vec<_> = named(OF_MODES, [modes.modes.len() as f64, lowest, growth]).collect();
    for (i, mode) in modes.modes.iter().enumerate() {
        let values = [mode.frequency(), mode.omega(), mode.omega_squared];
        all.extend(named(OF_MODE, values).map(|(name, x)| (format!("{name}.{}", i + 1), x)));
    }
    for (i, root) in modes.roots.iter().enumerate() {
        let values = [root.frequency(), root.growth, root.damping_ratio()];
        all.extend(named(OF_ROOT, values).map(|(name, x)| (format!("{name}.{}", i + 1), x)));
    }
    all
}
