//! What a crowd cannot have, by name.

use std::any::TypeId;

use carom_base::Vec3;
use carom_law::{Friction, Grip, Slip};

use crate::error::RunError;
use crate::model::Model;
use crate::rule::{Rule, bind};
use crate::world::BodyKind;

/// Returns an error that names what a model has and a crowd cannot have, if there is something.
pub(crate) fn refused(m: &Model) -> Result<(), RunError> {
    let found = others(m).or_else(|| bodies(m)).or_else(|| rules(m)).or_else(|| integrals(m));
    found.map_or(Ok(()), |what| {
        Err(RunError::BadOption {
            field: "method",
            value: format!("crowd, and there is {what}"),
            allowed: "crowds of rigid bodies on which contacts and gravity act, or another method",
        })
    })
}

fn others(m: &Model) -> Option<String> {
    let joint = m.constraints.list.first().map(|joint| format!("joint `{}`", joint.name));
    let force = || m.forces.first().map(|force| format!("force or field `{}`", force.name()));
    let controller = || m.controls.controllers.first().map(|c| format!("controller `{}`", c.name));
    let input = || m.controls.inputs.first().map(|input| format!("input `{}`", input.name));
    joint.or_else(force).or_else(controller).or_else(input)
}

fn bodies(m: &Model) -> Option<String> {
    let soft = m.world.bodies.iter().find(|b| matches!(b.kind, BodyKind::Affine(_)));
    let driven = || m.world.drives.iter().find(|_| m.world.driven);
    soft.map(|b| format!("body `{}`, which deforms", b.name))
        .or_else(|| driven().map(|drive| format!("drive `{}` of a mass or of gravity", drive.path)))
}

fn rules(m: &Model) -> Option<String> {
    let all = m.rules.iter().filter(|rule| !rule.none);
    all.filter_map(|rule| Some(format!("contact `{}` with {}", rule.name, unfit(rule)?))).next()
}

/// Returns what of a rule a crowd cannot have.
fn unfit(rule: &Rule) -> Option<String> {
    let (at, grip) = (Slip::under(1.0, Vec3::zeros()), Grip::under(1.0));
    let cannot = |law: &dyn Friction| law.switching().is_some_and(|law| law.spring(0, &at, &grip).is_none());
    let located = rule.remembering().find(|one| cannot(one.law));
    match () {
        () if rule.wear.is_some() => Some("wear".to_owned()),
        () if rule.presses => Some("pressure over patches".to_owned()),
        () => {
            located.map(|one| format!("the friction law `{}`, which needs located contacts", one.law.name()))
        }
    }
}

/// Returns a contact whose points are parts of an integral. Surfaces of the same rules and of the same kind are alike.
fn integrals(m: &Model) -> Option<String> {
    let mut kinds: Vec<((usize, TypeId), usize)> = Vec::new();
    for (i, s) in m.world.surfaces.iter().enumerate() {
        let key = (m.table.group(i), s.shape.surface.as_any().type_id());
        if !kinds.iter().any(|kind| kind.0 == key) {
            kinds.push((key, i));
        }
    }
    let pairs = kinds.iter().flat_map(|a| kinds.iter().map(move |b| [a.1, b.1]));
    let cut = |[a, b]: [usize; 2]| {
        let (rule, _) = m.table.get(a, b).filter(|(_, straight)| *straight)?;
        let parts = bind(&m.world, &m.rules[rule], a, b).is_ok_and(|pair| pair.parts() > 0);
        parts.then(|| format!("contact `{}`, an integral over slices", m.rules[rule].name))
    };
    pairs.filter_map(cut).next()
}
