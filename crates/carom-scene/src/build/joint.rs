//! Makes joints.

use carom::{COORDINATES, Clearance, CoordinateNames, FrictionAt, JOINTS, Joint, JointFriction};

use super::kind::made;
use super::law::{friction_law, normal_law};
use super::wear::wear;
use crate::error::Problem;
use crate::fields::Fields;
use crate::own::Own;

pub(super) fn joint(f: &Fields, own: &Own) -> Result<Joint, Problem> {
    let mut joint = match f.texts("between") {
        Some(([a, b], _)) => Joint::between_arc(a, b, made(JOINTS.iter(), f)?),
        _ => return Err(Problem::new("`between` needs two bodies").at(f.at.clone(), "")),
    };
    if let Some(name) = f.text("name") {
        joint = joint.named(name);
    }
    if let Some(point) = f.vector("point") {
        joint = joint.at(point);
    }
    if let (Some(a), Some(b)) = (f.vector("point_a"), f.vector("point_b")) {
        joint = joint.points(a, b);
    }
    if let Some(axis) = f.vector("axis") {
        joint = joint.axis(axis);
    }
    if let (Some(a), Some(b)) = (f.vector("axis_a"), f.vector("axis_b")) {
        joint = joint.axes(a, b);
    }
    if let Some(axis) = f.vector("second_axis") {
        joint = joint.second_axis(axis);
    }
    for CoordinateNames { name, min, max, .. } in COORDINATES.iter().map(|c| c.names) {
        if let Some(bound) = f.number(min) {
            joint = joint.lower(name, bound);
        }
        if let Some(bound) = f.number(max) {
            joint = joint.upper(name, bound);
        }
    }
    if let Some(law) = f.table("stop") {
        joint = joint.stop_arc(normal_law(law, own)?);
    }
    if let Some(radius) = f.number("stop_radius") {
        joint = joint.stop_radius(radius);
    }
    if let Some(speed) = f.number("min_impact_speed") {
        joint = joint.min_impact_speed(speed);
    }
    if let Some(inertia) = f.number("rotor_inertia") {
        joint = joint.rotor_inertia(inertia);
    }
    if let Some(mass) = f.number("rotor_mass") {
        joint = joint.rotor_mass(mass);
    }
    friction_of(f, joint, own)
}

/// Adds friction to a joint: its law, and the dimensions and preload of its bearing.
fn friction_of(f: &Fields, joint: Joint, own: &Own) -> Result<Joint, Problem> {
    let keys = ["friction_radius", "friction_length", "friction_preload"];
    let Some(law) = f.table("friction") else {
        return match keys.into_iter().find(|key| f.number(key).is_some()) {
            None => Ok(joint),
            Some(key) => Err(Problem::new(format!("`{key}` without `friction`")).at(f.at.clone(), "")),
        };
    };
    let mut friction = JointFriction::by(friction_law(law, own)?);
    let [radius, length, preload] = keys.map(|key| f.number(key));
    if let Some(radius) = radius {
        friction = friction.radius(radius);
    }
    if let Some(length) = length {
        friction = friction.length(length);
    }
    if let Some(preload) = preload {
        friction = friction.preload(preload);
    }
    Ok(joint.friction(friction))
}

/// Makes a joint with clearance from a joint.
pub(super) fn clearance(joint: Joint, f: &Fields, own: &Own) -> Result<Clearance, Problem> {
    let mut play = Clearance::new(joint, f.number("gap").unwrap_or_default());
    if let Some(radius) = f.number("radius") {
        play = play.radius(radius);
    }
    if let Some(length) = f.number("length") {
        play = play.length(length);
    }
    if let Some(length) = f.number("journal_length") {
        play = play.journal_length(length);
    }
    if let Some(width) = f.number("width") {
        play = play.section(width, f.number("height"));
    }
    if let Some(direction) = f.vector("across") {
        play = play.across(direction);
    }
    if let Some(gap) = f.number("axial") {
        play = play.axial(gap);
    }
    if let Some(inner) = f.text("material") {
        play = play.materials(inner, f.text("bearing_material").unwrap_or(inner));
    }
    if let Some(law) = f.table("normal") {
        play = play.normal_arc(normal_law(law, own)?);
    }
    if let Some(law) = f.table("axial_normal") {
        play = play.axial_normal_arc(normal_law(law, own)?);
    }
    if let Some(law) = f.table("friction") {
        play = play.friction_arc(friction_law(law, own)?);
    }
    if let Some(at) = f.text("friction_at").and_then(FrictionAt::find) {
        play = play.friction_at(at);
    }
    if let Some(worn) = f.table("wear") {
        play = play.wear(wear(worn)?);
    }
    if let Some(speed) = f.number("min_impact_speed") {
        play = play.min_impact_speed(speed);
    }
    Ok(play)
}
