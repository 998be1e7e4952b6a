//! What a crowd cannot have, by name.

use super::{balls, is_wall};
use crate::error::RunError;
use crate::model::Model;
use crate::rule::Rule;
use crate::world::BodyKind;

/// Returns an error that names what a model has and a crowd cannot have, if there is something.
pub(crate) fn refused(m: &Model) -> Result<(), RunError> {
    let found = joints(m).or_else(|| bodies(m)).or_else(|| rules(m)).or_else(|| surfaces(m));
    found.map_or(Ok(()), |what| {
        Err(RunError::BadOption {
            field: "method",
            value: format!("crowd, and there is {what}"),
            allowed: "crowds of rigid bodies on which contacts and gravity act, or another method",
        })
    })
}

fn joints(m: &Model) -> Option<String> {
    let joint = m.constraints.list.first().map(|joint| format!("joint `{}`", joint.name));
    let force = || m.forces.first().map(|force| format!("force or field `{}`", force.name()));
    let controller = || m.controls.controllers.first().map(|c| format!("controller `{}`", c.name));
    let input = || m.controls.inputs.first().map(|input| format!("input `{}`", input.name));
    let drive = || m.world.drives.first().map(|drive| format!("drive `{}`", drive.path));
    joint.or_else(force).or_else(controller).or_else(input).or_else(drive)
}

fn bodies(m: &Model) -> Option<String> {
    let soft = m.world.bodies.iter().find(|b| matches!(b.kind, BodyKind::Affine(_)));
    soft.map(|b| format!("body `{}`, which deforms", b.name))
}

fn rules(m: &Model) -> Option<String> {
    let all = m.rules.iter().filter(|rule| !rule.none);
    all.filter_map(|rule| Some(format!("contact `{}` with {}", rule.name, unfit(rule)?))).next()
}

/// Returns what of a rule a crowd cannot have.
fn unfit(rule: &Rule) -> Option<String> {
    let law = rule.normal.name();
    let springs = rule.resistance.iter().flatten().any(|law| law.spring().is_some());
    let friction = rule.friction.as_ref().filter(|law| law.elements() > 1);
    match () {
        () if rule.wear.is_some() => Some("wear".to_owned()),
        () if rule.presses => Some("pressure over patches".to_owned()),
        () if rule.normal.has_phases() => Some(format!("the normal law `{law}`, which has a history")),
        () if rule.adheres => Some(format!("the normal law `{law}`, which adheres")),
        () if springs => Some("resistance with memory".to_owned()),
        () if friction.is_some() => {
            friction.map(|law| format!("friction of several elements, `{}`", law.name()))
        }
        () => None,
    }
}

fn surfaces(m: &Model) -> Option<String> {
    let mut fits: Vec<bool> = m.world.surfaces.iter().map(is_wall).collect();
    balls(m).for_each(|(surface, _)| fits[surface] = true);
    let acts = |i: usize| (0..m.world.surfaces.len()).any(|j| m.table.get(i, j).is_some());
    let found = (0..m.world.surfaces.len()).find(|&i| !fits[i] && acts(i));
    found.map(|i| format!("surface `{}`, which is neither a ball nor a plane", m.world.surface_name(i)))
}
