//! Joints.

use carom::law::{friction, normal};
use carom::{Clearance, JOINTS, Joint};

use super::kind::made;
use crate::scene::error::Problem;
use crate::scene::fields::Fields;

pub(super) fn joint(f: &Fields) -> Result<Joint, Problem> {
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
    Ok(joint)
}

/// The same joint with play.
pub(super) fn clearance(joint: Joint, f: &Fields) -> Result<Clearance, Problem> {
    let mut play = Clearance::new(joint, f.number("gap").unwrap_or_default());
    if let Some(radius) = f.number("radius") {
        play = play.radius(radius);
    }
    if let Some(length) = f.number("length") {
        play = play.length(length);
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
        play = play.normal_arc(made(normal::ALL.iter().map(|e| &e.entry), law)?);
    }
    if let Some(law) = f.table("axial_normal") {
        play = play.axial_normal_arc(made(normal::ALL.iter().map(|e| &e.entry), law)?);
    }
    if let Some(law) = f.table("friction") {
        play = play.friction_arc(made(friction::ALL.iter().map(|e| &e.entry), law)?);
    }
    if let Some(speed) = f.number("min_impact_speed") {
        play = play.min_impact_speed(speed);
    }
    Ok(play)
}
