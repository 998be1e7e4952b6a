//! Checks of the description of a body before it becomes part of a model.

use carom_base::{Mat3, Quat, Vec3};
use carom_law::elastic::Elastic;
use nalgebra::Quaternion;

use super::{Body, Dofs, MassProperties, Rotation, Soft, SurfaceSpec};
use crate::error::{BuildError, Fault, Subject};

/// Returns the properties of a body that deforms. `r`: its axes at the start, undeformed.
pub(crate) fn soft(
    body: &Body,
    elastic: &Elastic,
    props: &MassProperties,
    dofs: &Dofs,
    r: &Mat3,
) -> Result<Soft, BuildError> {
    let subject = body.subject();
    let bad = |field, value: String, allowed| subject.bad(field, value, allowed);
    elastic.check().map_err(|source| subject.fails(Some("elastic"), source))?;
    if !(props.volume > 0.0) {
        let (what, hint) = ("volume", "a body that deforms needs a closed surface");
        return Err(subject.fails(None, Fault::Missing { what, hint }));
    }
    let axes = match dofs.rotation {
        Rotation::Free => None,
        Rotation::About(w) if dofs.translation.dot(&w) == 0.0 => Some([w, r.tr_mul(&w)]),
        Rotation::About(_) => {
            let value = "a translation along the axis of its rotation".to_owned();
            return Err(bad("dofs", value, "of a body that deforms: all, or those of plane strain"));
        }
        Rotation::None => {
            let value = "no rotation".to_owned();
            return Err(bad("dofs", value, "of a body that deforms: all, or those of plane strain"));
        }
    };
    let soft = Soft::new(&props.inertia, props.volume, elastic.clone(), axes);
    let d = &body.deformation;
    let det = d.determinant();
    let value = || format!("{:?}, of determinant {det}", d.transpose().as_slice());
    if !(det > 0.0 && det.is_finite()) {
        return Err(bad("deformation", value(), "a matrix of positive determinant"));
    }
    if soft.keeps_volume() && (det - 1.0).abs() > 1e-9 {
        return Err(bad("deformation", value(), "a matrix of determinant 1: the body keeps its volume"));
    }
    if let Some([_, own]) = axes
        && ((d * own - own).norm() > 1e-12 || (d.tr_mul(&own) - own).norm() > 1e-12)
    {
        return Err(bad("deformation", value(), "one of plane strain: none along its axis"));
    }
    Ok(soft)
}

/// Returns an error unless a shell has a positive thickness and its surface an area.
pub(crate) fn check_shell(subject: &Subject, spec: &SurfaceSpec) -> Result<(), BuildError> {
    let Some(thickness) = spec.shell else { return Ok(()) };
    let allowed = if !(thickness > 0.0 && thickness.is_finite()) {
        "a finite number greater than 0"
    } else if spec.shape.surface.shell().is_none() {
        "a shell of a surface that has an area"
    } else {
        return Ok(());
    };
    Err(subject.bad("shell", thickness, allowed))
}

pub(crate) fn orientation(subject: &Subject, [w, x, y, z]: [f64; 4]) -> Result<Quat, BuildError> {
    let q = Quaternion::new(w, x, y, z);
    let norm = q.norm();
    if !((norm - 1.0).abs() < 1e-6) {
        let value = format!("quaternion [{w}, {x}, {y}, {z}], of length {norm}");
        return Err(subject.bad("orientation", value, "a quaternion of length 1"));
    }
    Ok(Quat::new_normalize(q))
}

/// Returns an error if the initial velocities are not along the free directions. These are those of the centre of mass, which
/// is at `arm` from the reference point.
pub(crate) fn check_dofs(body: &Body, dofs: &Dofs, arm: &Vec3) -> Result<(), BuildError> {
    let w = body.angular_velocity;
    let v = body.velocity + w.cross(arm);
    let bad = |field, x: &Vec3| {
        let value = format!("[{}, {}, {}]", x.x, x.y, x.z);
        let why = format!("`{field}` is {value} at the centre of mass, which its `dofs` do not allow");
        Err(body
            .subject()
            .fails(Some(field), Fault::Conflict { why, with: "dofs", says: "the directions it can move in" }))
    };
    let forbidden = v - v.component_mul(&dofs.translation);
    if forbidden.norm() > 1e-12 * (body.velocity.norm() + w.norm() * arm.norm()) {
        return bad("velocity", &v);
    }
    if dofs.allowed_rotation(&w) != w {
        return bad("angular_velocity", &w);
    }
    Ok(())
}
