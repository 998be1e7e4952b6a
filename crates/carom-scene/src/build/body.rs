//! Makes bodies with their surfaces.

use std::sync::Arc;

use carom::geometry::{Surface, surfaces};
use carom::law::elastic::{self, Elastic};
use carom::{Body, Dof, MOTIONS, SurfaceSpec};
use carom_base::{Mat3, Quat, Vec3, rotation_about};
use nalgebra::{Quaternion, Unit};

use super::kind::made;
use crate::error::Problem;
use crate::fields::Fields;
use crate::mesh_file::MeshFiles;
use crate::own::Own;

pub(super) fn body(f: &Fields, own: &Own, files: &MeshFiles) -> Result<Body, Problem> {
    let name = f.text("name").unwrap_or_default();
    let mut body = match f.table("motion") {
        Some(motion) => Body::prescribed_arc(name, made(MOTIONS.iter(), motion)?),
        None if f.bool("fixed") == Some(true) => Body::fixed(name),
        None => match elastic(f)? {
            Some(elastic) => Body::affine(name, elastic),
            None => Body::new(name),
        },
    };
    stands_by_itself(f)?;
    if let Some(mass) = f.number("mass") {
        body = body.mass(mass);
    }
    match f.numbers("inertia") {
        Some(&[x, y, z]) => body = body.inertia([x, y, z]),
        Some(rows) => body = body.inertia_tensor(Mat3::from_row_iterator(rows.iter().copied())),
        None => {}
    }
    if let Some(centre) = f.vector("centre_of_mass") {
        body = body.centre_of_mass(centre);
    }
    if let Some(density) = f.number("density") {
        body = body.density(density);
    }
    if let Some(gradient) = f.vector("density_gradient") {
        body = body.density_gradient(gradient);
    }
    match f.numbers("deformation") {
        Some(&[x, y, z]) => body = body.deformation(Mat3::from_diagonal(&Vec3::new(x, y, z))),
        Some(rows) => body = body.deformation(Mat3::from_row_iterator(rows.iter().copied())),
        None => {}
    }
    if let Some(position) = f.vector("position") {
        body = body.position(position);
    }
    if let Some(turned) = f.table("orientation") {
        body = body.quaternion(orientation(turned)?);
    }
    if let Some(velocity) = f.vector("velocity") {
        body = body.velocity(velocity);
    }
    if let Some(velocity) = f.vector("angular_velocity") {
        body = body.angular_velocity(velocity);
    }
    if let Some((words, _)) = f.texts("dofs") {
        let dofs = words.iter().filter_map(|w| Dof::ALL.iter().find(|d| d.0 == w).map(|d| d.1));
        body = body.dofs(&dofs.collect::<Vec<_>>());
    }
    for surface in f.array("surface") {
        let made =
            files.surface(surface, name, || own.surface(surface, || made(surfaces::ALL.iter(), surface)))?;
        body = body.surface(self::surface(surface, made, f.text("material"))?);
    }
    Ok(body)
}

/// Returns the elastic material of an affine body; `None` if the body is rigid.
fn elastic(f: &Fields) -> Result<Option<Elastic>, Problem> {
    let name = f.text("name").unwrap_or_default();
    if f.text("type") != Some("affine") {
        let soft = ["elastic", "deformation"].into_iter().find_map(|key| Some((key, f.given(key)?)));
        return match soft {
            None => Ok(None),
            Some((key, field)) => {
                Err(Problem::new(format!("body `{name}` is rigid and cannot have `{key}`"))
                    .at(field.at.clone(), "allowed: with `type = \"affine\"`"))
            }
        };
    }
    let Some(table) = f.table("elastic") else {
        let problem = Problem::new(format!("body `{name}` is affine and needs `elastic`"));
        return Err(problem.at(f.span("type"), "`elastic` is missing"));
    };
    let law = made(elastic::ALL.iter().map(|e| &e.entry), table)?;
    let elastic = Elastic::from_arc(law).viscosity(table.number("viscosity").unwrap_or_default());
    match (table.number("bulk_modulus"), table.bool("incompressible")) {
        (None, Some(false)) => {
            let problem = Problem::new("a body that does not keep its volume needs a `bulk_modulus`");
            Err(problem.at(table.span("incompressible"), "`bulk_modulus` is missing"))
        }
        (None, _) => Ok(Some(elastic)),
        (Some(_), Some(true)) => {
            let problem = Problem::new("a body that keeps its volume cannot have a `bulk_modulus`");
            Err(problem
                .at(table.span("bulk_modulus"), "")
                .context(table.span("incompressible"), "it keeps its volume"))
        }
        (Some(kappa), _) => Ok(Some(elastic.bulk_modulus(kappa))),
    }
}

/// Refuses keys that would have no effect on a fixed body or one with a prescribed motion.
fn stands_by_itself(f: &Fields) -> Result<(), Problem> {
    let held = match (f.bool("fixed"), f.given("motion")) {
        (_, Some(motion)) => (motion, "its motion is prescribed"),
        (Some(true), None) => match f.given("fixed") {
            Some(fixed) => (fixed, "it is fixed"),
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    for key in ["velocity", "angular_velocity", "dofs", "elastic", "deformation"] {
        let Some(field) = f.given(key) else { continue };
        if f.vector(key) == Some([0.0; 3]) {
            continue;
        }
        let name = f.text("name").unwrap_or_default();
        return Err(Problem::new(format!("body `{name}` cannot have `{key}`: {}", held.1))
            .at(field.at.clone(), "")
            .context(held.0.at.clone(), held.1));
    }
    Ok(())
}

fn surface(f: &Fields, made: Arc<dyn Surface>, material: Option<&str>) -> Result<SurfaceSpec, Problem> {
    let mut spec = SurfaceSpec::from_arc(made);
    if let Some(name) = f.text("name") {
        spec = spec.named(name);
    }
    if f.text("side") == Some("inside") {
        spec = spec.inside();
    }
    if let Some(material) = f.text("material").or(material) {
        spec = spec.material(material);
    }
    if let Some(thickness) = f.number("shell") {
        spec = spec.shell(thickness);
    }
    if let Some(position) = f.vector("position") {
        spec = spec.at(position);
    }
    if let Some(turned) = f.table("orientation") {
        let [w, x, y, z] = orientation(turned)?;
        spec = spec.turned(Quat::new_normalize(Quaternion::new(w, x, y, z)));
    }
    Ok(spec)
}

/// Returns the orientation as a quaternion w, x, y, z.
pub(crate) fn orientation(f: &Fields) -> Result<[f64; 4], Problem> {
    let wxyz = |q: Quat| [q.w, q.i, q.j, q.k];
    if let Some(&[w, x, y, z]) = f.numbers("quaternion") {
        let length = Quaternion::new(w, x, y, z).norm();
        return match (length - 1.0).abs() < 1e-6 {
            true => Ok([w, x, y, z]),
            false => {
                let problem = Problem::new(format!("`quaternion` has length {length}"));
                Err(problem.at(f.span("quaternion"), "allowed: length 1"))
            }
        };
    }
    if let Some([a, b, c]) = f.vector("euler_xyz") {
        let [x, y, z] = [(Vec3::x_axis(), a), (Vec3::y_axis(), b), (Vec3::z_axis(), c)]
            .map(|(axis, angle)| rotation_about(&axis, angle));
        return Ok(wxyz(x * y * z));
    }
    let axis = Vec3::from(f.vector("axis").unwrap_or_default());
    let angle = f.number("angle").unwrap_or_default();
    // the square of a tiny or huge number is 0 or infinite, so such an axis is scaled first
    let axis = if (1e-100..1e100).contains(&axis.norm()) { axis } else { axis / axis.amax() };
    match Unit::try_new(axis, 0.0) {
        Some(axis) => Ok(wxyz(rotation_about(&axis, angle))),
        None => Err(Problem::new("`axis` cannot be zero").at(f.span("axis"), "allowed: a direction")),
    }
}
