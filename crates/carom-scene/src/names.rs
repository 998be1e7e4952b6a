//! The names of bodies, surfaces, contacts and the rest: those the scene gives, or default names.

use carom::law::{Material, STANDARD_MATERIALS};

use crate::error::Problem;
use crate::fields::Fields;
use crate::tree::{Node, Span, Value};

/// Returns the default name of a surface: its type and its number among the surfaces of that type.
fn numbered(kind: &str, before: &[Option<&str>]) -> String {
    format!("{kind}{}", before.iter().filter(|k| **k == Some(kind)).count() + 1)
}

/// Returns the names of a body's surfaces.
pub(crate) fn surfaces(body: &Fields) -> Vec<String> {
    let list = body.array("surface");
    let kinds: Vec<Option<&str>> = list.iter().map(|f| f.kind.as_ref().map(|k| k.0)).collect();
    let name = |(i, f): (usize, &Fields)| match f.text("name") {
        Some(name) => name.to_owned(),
        None => numbered(kinds[i].unwrap_or_default(), &kinds[..i]),
    };
    list.iter().enumerate().map(name).collect()
}

/// Returns the name of a contact, a force, a field or a joint.
pub(crate) fn between(f: &Fields) -> String {
    match (f.text("name"), f.texts("between")) {
        (Some(name), _) => name.to_owned(),
        (None, Some(([a, b], _))) => format!("{a}~{b}"),
        _ => match (f.text("body"), &f.kind) {
            // a load on a body
            (Some(body), Some((kind, _))) => format!("{body}~{kind}"),
            // a force along a coordinate of a joint
            _ => f.text("joint").unwrap_or_default().to_owned(),
        },
    }
}

/// Returns the names of the tables of an array that is still a tree.
pub(crate) fn of_nodes(items: &[Node]) -> Vec<String> {
    let kinds: Vec<Option<&str>> = items.iter().map(|n| n.get("type").and_then(Node::text)).collect();
    let name = |(i, node): (usize, &Node)| {
        if let Some(name) = node.get("name").and_then(Node::text) {
            return name.to_owned();
        }
        if let Some(target) = node.get("target").and_then(Node::text) {
            return target.to_owned();
        }
        match node.get("between").map(|n| &n.value) {
            Some(Value::Array(ends)) => ends.iter().map(label).collect::<Vec<_>>().join("~"),
            // a part is called by its prefix, or else by its file
            _ if node.get("file").is_some() && kinds[i].is_none() => {
                let prefix = node.get("prefix").or_else(|| node.get("file"));
                prefix.and_then(Node::text).unwrap_or_default().to_owned()
            }
            _ if node.get("body").is_some() && kinds[i].is_some() => {
                let body = node.get("body").and_then(Node::text).unwrap_or_default();
                format!("{body}~{}", kinds[i].unwrap_or_default())
            }
            _ if node.get("joint").is_some() => {
                node.get("joint").and_then(Node::text).unwrap_or_default().to_owned()
            }
            _ => numbered(kinds[i].unwrap_or_default(), &kinds[..i]),
        }
    };
    items.iter().enumerate().map(name).collect()
}

/// Returns what a side of a rule is called: its name, or its names.
fn label(end: &Node) -> String {
    match end.text() {
        Some(text) => text.to_owned(),
        None => end.items().iter().filter_map(Node::text).collect::<Vec<_>>().join("+"),
    }
}

/// Checks that names are unique: of bodies, of a body's surfaces, of contacts, forces, fields and joints, and of bodies,
/// probes and distances together.
pub(crate) fn unique(scene: &Fields) -> Result<(), Problem> {
    let own = |f: &Fields| f.text("name").unwrap_or_default().to_owned();
    let bodies = scene.array("body");
    let probes = scene.array("probe");
    differ("bodies", bodies.iter().map(|f| (own(f), f.span("name"))))?;
    // the names of all three head columns of the results
    let columns = bodies.iter().chain(probes).chain(scene.array("distance"));
    differ("bodies, probes or distances", columns.map(|f| (own(f), f.span("name"))))?;
    for body in bodies {
        let spans = body.array("surface").iter().map(|f| f.span("name"));
        differ("surfaces of this body", surfaces(body).into_iter().zip(spans))?;
    }
    let span_of = |f: &Fields| {
        let key = ["name", "between", "joint"].into_iter().find(|key| f.given(key).is_some());
        f.span(key.unwrap_or("between"))
    };
    for (what, table) in
        [("contacts", "contact"), ("forces", "force"), ("fields", "field"), ("joints", "joint")]
    {
        differ(what, scene.array(table).iter().map(|f| (between(f), span_of(f))))?;
    }
    for (what, table) in [("controllers", "controller"), ("inputs", "input")] {
        differ(what, scene.array(table).iter().map(|f| (own(f), f.span("name"))))?;
    }
    Ok(())
}

/// Returns the keys that name materials, with their tables.
fn material_keys(scene: &Fields) -> impl Iterator<Item = (&Fields, &'static str)> {
    let bodies = scene.array("body").iter();
    let of_bodies =
        bodies.flat_map(|b| std::iter::once(b).chain(b.array("surface"))).map(|f| (f, "material"));
    let plays = scene.array("joint").iter().filter_map(|j| j.table("clearance"));
    of_bodies.chain(plays.flat_map(|f| [(f, "material"), (f, "bearing_material")]))
}

/// Checks that the materials that are named exist: in the scene, or among the standard ones.
pub(crate) fn materials(scene: &Fields) -> Result<(), Problem> {
    let own: Vec<&str> = scene.map("material").iter().map(|m| m.0.as_str()).collect();
    let standard = STANDARD_MATERIALS.iter().map(|m| m.name).filter(|name| !own.contains(name));
    let known: Vec<&str> = own.iter().copied().chain(standard).collect();
    for (f, key) in material_keys(scene) {
        let Some(name) = f.text(key).filter(|m| !known.contains(m)) else { continue };
        let problem = Problem::new(format!("no material is called `{name}`")).at(f.span(key), "");
        return Err(problem.allowed(name, &known).help("or define it: [material.NAME]"));
    }
    Ok(())
}

/// Returns the standard materials that the scene names and does not define itself.
pub(crate) fn standard_materials(scene: &Fields) -> Vec<Material> {
    let own = |name: &str| scene.map("material").iter().any(|m| m.0 == name);
    let named = |name: &str| material_keys(scene).any(|(f, key)| f.text(key) == Some(name));
    let needed = STANDARD_MATERIALS.iter().filter(|m| named(m.name) && !own(m.name));
    needed.map(|m| m.material()).collect()
}

fn differ(what: &str, names: impl Iterator<Item = (String, Span)>) -> Result<(), Problem> {
    let mut seen = std::collections::BTreeMap::new();
    for (name, at) in names {
        if let Some(first) = seen.get(&name) {
            return Err(Problem::new(format!("two {what} are called `{name}`"))
                .at(at, "")
                .context(Span::clone(first), "the first one"));
        }
        seen.insert(name, at);
    }
    Ok(())
}
