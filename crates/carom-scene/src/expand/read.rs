//! Vectors and other values of tables that are still a tree.

use carom_base::{Quat, Vec3};
use nalgebra::{Quaternion, Unit};

use crate::build;
use crate::error::Problem;
use crate::fields::Typed;
use crate::keys::{Form, Key, Table};
use crate::read::whole;
use crate::tables::{ORIENTATION, SCENE};
use crate::tree::{Member, Node, Span, Value};
use crate::value;

/// Returns the table of the keys of an array of the scene, as of `body`.
pub(super) fn table(name: &str) -> &'static Table {
    let form = SCENE.keys.iter().find(|k| k.name == name).map(|k| k.form);
    match form {
        Some(Form::Array(table)) => table,
        _ => &SCENE,
    }
}

/// Returns the table within a table.
pub(super) fn inner(table: &'static Table, name: &str) -> &'static Table {
    match table.keys.iter().find(|k| k.name == name).map(|k| k.form) {
        Some(Form::Table(inner) | Form::Array(inner) | Form::Tables(inner)) => inner,
        _ => table,
    }
}

fn key(table: &'static Table, node: &Node, name: &str) -> Option<Key> {
    let kind = table.kinds.as_ref().and_then(|k| node.get(k.tag)).and_then(Node::text);
    table.keys_with(kind).into_iter().find(|k| k.name == name)
}

/// Returns the value of a key, if it is given.
pub(super) fn typed(table: &'static Table, node: &Node, name: &str) -> Result<Option<Typed>, Problem> {
    let (Some(value), Some(key)) = (node.get(name), key(table, node, name)) else { return Ok(None) };
    value::read(&key, value, f64::NAN).map(Some)
}

/// Returns the numbers of a key in SI units, if it is given.
pub(super) fn numbers(table: &'static Table, node: &Node, name: &str) -> Result<Option<Vec<f64>>, Problem> {
    Ok(match typed(table, node, name)? {
        Some(Typed::Numbers(x, _)) => Some(x),
        Some(Typed::Number(x)) => Some(vec![x]),
        _ => None,
    })
}

/// Returns the vector of a key in SI units, if it is given.
pub(super) fn vector(table: &'static Table, node: &Node, name: &str) -> Result<Option<Vec3>, Problem> {
    Ok(match numbers(table, node, name)?.as_deref() {
        Some(&[x, y, z]) => Some(Vec3::new(x, y, z)),
        _ => None,
    })
}

/// Returns the orientation of a table that has one, if it is given.
pub(super) fn orientation(node: &Node) -> Result<Option<Quat>, Problem> {
    let Some(given) = node.get("orientation") else { return Ok(None) };
    let [w, x, y, z] = build::orientation(&whole(&ORIENTATION, given)?)?;
    Ok(Some(Unit::new_normalize(Quaternion::new(w, x, y, z))))
}

/// Makes a node of numbers. A zero has no sign, so that the text of it is read back as the same number.
pub(super) fn array(numbers: &[f64], at: &Span) -> Value {
    let number = |x: &f64| Node { span: at.clone(), value: Value::Number(x + 0.0) };
    Value::Array(numbers.iter().map(number).collect())
}

/// Writes a vector; a new key has the position of the table.
pub(super) fn put(node: &mut Node, name: &str, numbers: &[f64]) {
    let at = node.get(name).map_or_else(|| node.span.clone(), |v| v.span.clone());
    node.set(name, array(numbers, &at), &at);
}

/// Changes a vector that is given.
pub(super) fn change(
    table: &'static Table,
    node: &mut Node,
    name: &str,
    image: impl Fn(&Vec3) -> Vec3,
) -> Result<(), Problem> {
    if let Some(v) = vector(table, node, name)? {
        put(node, name, image(&v).as_slice());
    }
    Ok(())
}

/// Writes an orientation as a quaternion.
pub(super) fn put_orientation(node: &mut Node, q: &Quat) {
    let at = node.get("orientation").map_or_else(|| node.span.clone(), |v| v.span.clone());
    let value = Node { span: at.clone(), value: array(&[q.w, q.i, q.j, q.k], &at) };
    let member = Member { key: "quaternion".to_owned(), key_span: at.clone(), value };
    node.set("orientation", Value::Table(vec![member]), &at);
}

/// Returns the position and orientation of a body at the start.
pub(super) fn pose(body: &Node) -> Result<(Vec3, Quat), Problem> {
    let x = vector(table("body"), body, "position")?.unwrap_or_default();
    Ok((x, orientation(body)?.unwrap_or_else(Quat::identity)))
}

/// Returns the text of a key, if it is one.
pub(super) fn text<'n>(node: &'n Node, name: &str) -> Option<&'n str> {
    node.get(name).and_then(Node::text)
}
