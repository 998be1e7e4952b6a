//! The shape and the mass of a mirrored body: its axes stay as they are, and all within them is mirrored.

use carom::geometry::surfaces;
use carom_base::{Mat3, Vec3};

use super::placement::{mirrored_surface, reflected};
use super::read::{array, change, inner, numbers, orientation, put, put_orientation, table, text};
use crate::error::Problem;
use crate::tree::{Node, Value};

/// The surfaces that are their own mirror images in x of their frames.
const SYMMETRIC: [&str; 12] = [
    "sphere",
    "plane",
    "cylinder",
    "cone",
    "box",
    "capsule",
    "torus",
    "supertorus",
    "ellipsoid",
    "superellipsoid",
    "barr-superellipsoid",
    "superovoid",
];

/// Mirrors all within a body in the plane with the unit normal m of its frame.
pub(super) fn shape(body: &mut Node, m: &Vec3) -> Result<(), Problem> {
    let t = table("body");
    for key in ["inertia", "deformation"] {
        if let Some(given) = numbers(t, body, key)? {
            tensor(body, key, &given, m);
        }
    }
    change(t, body, "centre_of_mass", |x| reflected(m, x))?;
    change(t, body, "density_gradient", |x| reflected(m, x))?;
    if let Some(Node { value: Value::Array(surfaces), .. }) = body.get_mut("surface") {
        surfaces.iter_mut().try_for_each(|s| surface(s, m))?;
    }
    // one table, or several
    match body.get_mut("mesh") {
        Some(Node { value: Value::Array(drawn), .. }) => {
            drawn.iter_mut().try_for_each(|d| of_file(d, m, "mesh"))
        }
        Some(drawn) => of_file(drawn, m, "mesh"),
        None => Ok(()),
    }
}

/// Mirrors a shape from a file, be it touched or only drawn: what is read is mirrored in x of its frame, and the frame turned so that the whole is the mirror image.
fn of_file(node: &mut Node, m: &Vec3, key: &'static str) -> Result<(), Problem> {
    let (t, at) = (inner(table("body"), key), node.span.clone());
    let was = matches!(node.get("mirrored"), Some(Node { value: Value::Bool(true), .. }));
    node.set("mirrored", Value::Bool(!was), &at);
    change(t, node, "position", |x| reflected(m, x))?;
    let q = orientation(node)?.unwrap_or_default();
    put_orientation(node, &mirrored_surface(m, &q));
    Ok(())
}

/// Mirrors a tensor: M T M. Moments or stretches along the axes stay so if the plane is across one of the axes.
fn tensor(body: &mut Node, key: &str, given: &[f64], m: &Vec3) {
    let along_an_axis = m.iter().any(|x| x.abs() > 1.0 - 1e-15);
    let full = match *given {
        [_, _, _] if along_an_axis => return,
        [x, y, z] => Mat3::from_diagonal(&Vec3::new(x, y, z)),
        _ => Mat3::from_row_iterator(given.iter().copied()),
    };
    let mirror = Mat3::identity() - m * m.transpose() * 2.0;
    let image = mirror * full * mirror;
    let at = body.get(key).map_or_else(|| body.span.clone(), |v| v.span.clone());
    let row = |i: usize| {
        // an inertia stays symmetric to the last digit
        let entry = |j: usize| 0.5 * (image[(i, j)] + image[(j, i)]);
        let plain = |j: usize| image[(i, j)];
        let cells: Vec<f64> = (0..3).map(|j| if key == "inertia" { entry(j) } else { plain(j) }).collect();
        Node { span: at.clone(), value: array(&cells, &at) }
    };
    let rows = Value::Array((0..3).map(row).collect());
    body.set(key, rows, &at);
}

/// Mirrors a surface on its body. Its shape is mirrored in x of its own frame, which changes most shapes not at all; the frame
/// is then turned so that the whole is the mirror image.
fn surface(node: &mut Node, m: &Vec3) -> Result<(), Problem> {
    let t = inner(table("body"), "surface");
    let kind = text(node, "type").unwrap_or_default().to_owned();
    match kind.as_str() {
        "polyhedron" => {
            if let Some(vertices) = numbers(t, node, "vertices")? {
                let at = node.span.clone();
                let row = |v: &[f64]| Node { span: at.clone(), value: array(&[-v[0], v[1], v[2]], &at) };
                let rows = Value::Array(vertices.chunks_exact(3).map(row).collect());
                node.set("vertices", rows, &at);
            }
        }
        "quadric" | "superquadric" => sheet(node, &kind)?,
        surfaces::MESH => return of_file(node, m, "surface"),
        kind if SYMMETRIC.contains(&kind) => {}
        _ => {
            let problem = Problem::new(format!("a surface of type `{kind}` cannot be mirrored"));
            return Err(problem
                .at(node.span.clone(), "its mirror image is not known")
                .allowed("", &SYMMETRIC));
        }
    }
    change(t, node, "position", |x| reflected(m, x))?;
    let q = orientation(node)?.unwrap_or_default();
    if kind != "sphere" {
        put_orientation(node, &mirrored_surface(m, &q));
    }
    Ok(())
}

/// Mirrors the coefficients and the box of a sheet in x of its frame.
fn sheet(node: &mut Node, kind: &str) -> Result<(), Problem> {
    let t = inner(table("body"), "surface");
    if let (Some(mut a), "quadric") = (numbers(t, node, "coefficients")?, kind) {
        // the first three are of squares, the others of x, y and z themselves
        if let Some(linear) = a.get_mut(3) {
            *linear = -*linear;
        }
        put(node, "coefficients", &a);
    }
    let Some(within) = node.get_mut("within") else { return Ok(()) };
    let region = &crate::keys::REGION;
    let (min, max) = (numbers(region, within, "min")?, numbers(region, within, "max")?);
    if let (Some([x0, y0, z0]), Some([x1, y1, z1])) = (min.as_deref(), max.as_deref()) {
        put(within, "min", &[-x1, *y0, *z0]);
        put(within, "max", &[-x0, *y1, *z1]);
    }
    Ok(())
}
