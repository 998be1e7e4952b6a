//! Joints.

use carom::law::friction;
use carom::{JOINTS, Joint, JointFriction};

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
    friction_of(f, joint)
}

/// The friction of a joint: its law, and what its bearing is like.
fn friction_of(f: &Fields, joint: Joint) -> Result<Joint, Problem> {
    let keys = ["friction_radius", "friction_length", "friction_preload"];
    let Some(law) = f.table("friction") else {
        return match keys.into_iter().find(|key| f.number(key).is_some()) {
            None => Ok(joint),
            Some(key) => Err(Problem::new(format!("`{key}` without `friction`")).at(f.at.clone(), "")),
        };
    };
    let mut rubs = JointFriction::by(made(friction::ALL.iter().map(|e| &e.entry), law)?);
    let [radius, length, preload] = keys.map(|key| f.number(key));
    if let Some(radius) = radius {
        rubs = rubs.radius(radius);
    }
    if let Some(length) = length {
        rubs = rubs.length(length);
    }
    if let Some(preload) = preload {
        rubs = rubs.preload(preload);
    }
    Ok(joint.friction(rubs))
}
