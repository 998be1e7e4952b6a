//! Joints.

use carom::{JOINTS, Joint};

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
