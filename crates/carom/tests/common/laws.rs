//! Laws of the registries with values that suit a test, so that a new law is tested as soon as it is in its list.

use std::sync::Arc;

use carom::law::friction::{self, FrictionEntry};
use carom::law::normal::{self, NormalEntry};
use carom::law::{Friction, Normal, Stiffness};
use carom_base::param::Presence;
use carom_base::{Args, Param, Quantity, Value};

/// The parameter of that name, if a normal law has one.
pub(crate) fn param(entry: &NormalEntry, name: &str) -> Option<&'static Param> {
    entry.entry.params.iter().find(|p| p.name == name)
}

/// The normal laws F = K δⁿ + D δᵖ δ̇: those with a damping and a stiffness that are not of the family of a restitution.
pub(crate) fn dashpots() -> impl Iterator<Item = &'static NormalEntry> {
    let has = |e: &NormalEntry| param(e, "damping").is_some() && param(e, "stiffness").is_some();
    normal::ALL.iter().filter(move |e| e.eta.is_none() && !e.is_pressure() && has(e))
}

/// The stiffness for a law with a linear spring, or for any other.
pub(crate) fn stiffness_of(entry: &NormalEntry, [linear, other]: [f64; 2]) -> f64 {
    match param(entry, "stiffness").map(|p| p.quantity) {
        Some(Quantity::LinearStiffness) => linear,
        _ => other,
    }
}

/// Every law with a dashpot, by this restitution or, where it takes none, by a damping [N s/m], or one per stiffness \[s\]; with these stiffnesses of linear and other springs. A law whose
/// contacts can end in two ways is there twice: first at zero force, then pulling until the surfaces part.
pub(crate) fn dashpots_with(
    restitution: f64,
    [damping, per_stiffness]: [f64; 2],
    stiffness: [f64; 2],
) -> Vec<(String, Arc<dyn Normal>)> {
    let mut all = Vec::new();
    for entry in dashpots() {
        let (key, value) = match param(entry, "damping").map(|p| p.quantity) {
            _ if param(entry, "restitution").is_some() => ("restitution", restitution),
            Some(Quantity::Time) => ("damping", per_stiffness),
            _ => ("damping", damping),
        };
        let k = stiffness_of(entry, stiffness);
        let args = Args::new().with(key, Value::Number(value)).with("stiffness", Value::Number(k));
        all.push((entry.name().to_owned(), entry.make(&args).unwrap()));
        if param(entry, "exit").is_some() {
            let pulls = args.with("exit", Value::Text("indentation".to_owned()));
            all.push((format!("{}, pulls", entry.name()), entry.make(&pulls).unwrap()));
        }
    }
    all
}

/// A value for a parameter of a friction law.
pub(crate) fn friction_value(key: &str) -> f64 {
    match key {
        "coefficient" => 0.2,
        "static_coefficient" => 0.3,
        "slope" => 200.0,
        "v0" => 1e-3,
        "v1" => 2e-2,
        "decay" => 20.0,
        "stribeck_speed" => 0.1,
        "shape" => 2.0,
        "viscous" => 0.05,
        "transition_force" => 3.0,
        "stiffness_ratio" => 0.8,
        _ => 2e-2,
    }
}

/// A friction law with these values, those of [`friction_value`] for what else must be given, and defaults for the rest.
pub(crate) fn friction_with(entry: &FrictionEntry, values: &[(&str, f64)]) -> Arc<dyn Friction> {
    let mut args = Args::new();
    for p in entry.entry.params {
        match values.iter().find(|v| v.0 == p.name) {
            Some((_, x)) => args.set(p.name, Value::Number(*x)),
            // (the models of tests have no materials)
            None if p.presence == Presence::Required || p.name == "stiffness_ratio" => {
                args.set(p.name, Value::Number(friction_value(p.name)));
            }
            None => (),
        }
    }
    entry.make(&args).unwrap_or_else(|e| panic!("{}: {e}", entry.name()))
}

/// The friction laws with memory: bristles, and those that follow the depth of the contact.
pub(crate) fn with_memory() -> impl Iterator<Item = &'static FrictionEntry> {
    friction::ALL.iter().filter(move |entry| friction_with(entry, &[]).remembers())
}

/// The friction laws with bristles.
pub(crate) fn remembering() -> impl Iterator<Item = &'static FrictionEntry> {
    with_memory().filter(|entry| !friction_with(entry, &[]).follows_depth())
}

/// Whether a friction law can be with a normal law, and both without materials.
pub(crate) fn fits(normal: &dyn Normal, friction: &dyn Friction) -> bool {
    if !friction.follows_depth() {
        return true;
    }
    let point = matches!(normal.stiffness(), Stiffness::Given(_) | Stiffness::Materials);
    let n = normal.exponent();
    let fits = if friction.needs_circle() { n == 1.5 } else { n >= 1.0 };
    friction.stiffness_ratio().is_some() && (!friction.needs_power() || point && fits)
}
