//! Rules of contacts that are integrals of pressure over their patches: which laws they have, and how their solver is bound.

use std::sync::Arc;

use carom_geometry::PairSolver;
use carom_geometry::pairs::pressure::Pressure;
use carom_law::{Layers, Material, Stiffness};

use super::describe::ContactRule;
use super::rule::{RESISTANCE, Rule};
use crate::error::{BuildError, Subject};
use crate::world::World;

/// Returns the solver of a rule: the one it gives or, without one, that of pressure over patches if its law is a pressure, as no
/// other contacts have such laws.
pub(super) fn solver_of(rule: &ContactRule) -> Option<Arc<dyn PairSolver>> {
    let is_pressure = matches!(rule.normal.stiffness(), Stiffness::Layers(_));
    let pressure =
        || (is_pressure && !rule.none).then(|| Arc::new(Pressure::default()) as Arc<dyn PairSolver>);
    rule.solver.clone().or_else(pressure)
}

/// Checks that a rule whose solver integrates pressure over patches has laws for it, and no other rule has. Returns whether it
/// is such a rule.
pub(super) fn check_pressure(
    subject: &Subject,
    rule: &ContactRule,
    solver: Option<&Arc<dyn PairSolver>>,
) -> Result<bool, BuildError> {
    let presses = solver.is_some_and(|solver| solver.yielding([0.5; 2]).is_some());
    let name = rule.normal.name();
    match (presses, rule.normal.stiffness(), solver) {
        _ if rule.none => Ok(false),
        (false, Stiffness::Layers(_), Some(solver)) => {
            let given =
                if solver.key() == "solver" { format!("\"{}\"", solver.value()) } else { solver.value() };
            let value = format!("`{name}`, a law of pressure, with `{} = {given}`", solver.key());
            let allowed = "with `solver = \"pressure\"` or without one; or, for contact points, another law, as `elastic-foundation` or `hunt-crossley`";
            Err(subject.bad("normal", value, allowed))
        }
        (false, ..) => Ok(false),
        (true, Stiffness::Layers(layers), _) => {
            check_order(subject, rule, layers)?;
            check_others(subject, rule)?;
            Ok(true)
        }
        (true, ..) => {
            let value = format!("`{name}`, a law of the force at a point, with `solver = \"pressure\"`");
            let allowed = "a law of pressure: `normal = { law = \"foundation\", stiffness = \"1e9 Pa/m\" }` with a value of yours, \
                 or with `thickness` in its place";
            Err(subject.bad("normal", value, allowed))
        }
    }
}

/// Checks that it is known which of two layers that differ is on which body.
fn check_order(subject: &Subject, rule: &ContactRule, layers: Layers) -> Result<(), BuildError> {
    let (Layers::Given { weights: two, .. } | Layers::Thickness(two)) = layers;
    if two[0] == two[1] || rule.between[0] != rule.between[1] {
        return Ok(());
    }
    let value = format!("one of two layers that differ, between `{0}` and `{0}`", rule.between[0]);
    Err(subject.bad("normal", value, "layers alike, or two sides that can be distinguished"))
}

/// Checks that a rule has no laws besides that of pressure that a patch cannot have.
fn check_others(subject: &Subject, rule: &ContactRule) -> Result<(), BuildError> {
    if let Some(friction) = rule.friction.as_ref().filter(|f| f.remembers() || !f.is_proportional()) {
        let why = match friction.remembers() {
            true => "remembers where its points were, and those of a patch are new in every state",
            false => "is not proportional to the normal force, of which every point of a patch has a part",
        };
        let value = format!("`{}`, which {why}", friction.name());
        let allowed = "for pressure over patches, a law without memory whose force is proportional to the normal force, as `tanh`";
        return Err(subject.bad("friction", value, allowed));
    }
    for (key, resistance) in RESISTANCE.into_iter().zip(&rule.resistance) {
        if let Some(resistance) = resistance {
            let value =
                format!("`{}` with `{}`, a pressure over patches", resistance.name(), rule.normal.name());
            let allowed = "none: damping and friction at every point of a patch resist by themselves";
            return Err(subject.bad(key, value, allowed));
        }
    }
    match rule.wear {
        None => Ok(()),
        Some(_) => {
            let allowed = "none: patches do not wear in this version";
            Err(subject.bad(
                "wear",
                format!("given with `{}`, a pressure over patches", rule.normal.name()),
                allowed,
            ))
        }
    }
}

/// Returns the solver of a rule for the parts of the depth by which the layers of two surfaces yield; `None` if the rule has no
/// such solver.
pub(super) fn yielding(
    world: &World,
    rule: &Rule,
    a: usize,
    b: usize,
) -> Result<Option<Arc<dyn PairSolver>>, BuildError> {
    let (true, Some(solver), Stiffness::Layers(layers)) =
        (rule.presses, &rule.solver, rule.normal.stiffness())
    else {
        return Ok(None);
    };
    let bedding = layers
        .between(materials(world, a, b))
        .map_err(|error| rule.subject().fails(Some("normal"), error))?;
    Ok(solver.yielding(bedding.weights))
}

/// Returns the materials of two surfaces, where they have some.
pub(super) fn materials(world: &World, a: usize, b: usize) -> [Option<&Material>; 2] {
    [a, b].map(|s| world.surfaces[s].material.map(|i| &world.materials[i]))
}
