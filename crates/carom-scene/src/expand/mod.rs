//! Writes a scene out: parts from other files, patterns of bodies, and forces between groups become the tables that they
//! stand for, on the tree, before it is read. What is read is then what a user would have written by hand.

mod placement;
mod read;
mod mirror;
mod signals;
mod goes;
mod copy;
mod random;
mod arrange;
mod pattern;
mod prefix;
mod include;
mod pairs;

use std::path::Path;

use crate::error::{Problem, Source};
use crate::parameter::Known;
use crate::tree::{Node, Value};
use crate::value::wrong_form;

pub(crate) use include::embed;

/// Computes the values of a scene, whose files are in that folder, and writes its parts and patterns out; returns the parameters.
pub(crate) fn scene(tree: &mut Node, folder: &Path, sources: &mut Vec<Source>) -> Result<Known, Problem> {
    let known = whole(tree, folder, sources)?;
    pairs::apply(tree, sources)?;
    Ok(known)
}

/// Computes the values of a scene or part, with its parts and patterns written out; forces between groups are left, for they
/// may have names of the including scene.
fn whole(tree: &mut Node, folder: &Path, sources: &mut Vec<Source>) -> Result<Known, Problem> {
    // parts have parameters of their own, so they are set aside while values are computed
    let parts: Vec<Option<Node>> = match tree.get_mut("include") {
        Some(Node { value: Value::Array(items), .. }) => {
            items.iter_mut().map(|item| item.take("part").map(|m| m.value)).collect()
        }
        _ => Vec::new(),
    };
    let mut known = include::compute(tree)?;
    let includes = list(tree, "include")?;
    if !includes.is_empty() {
        // parts come first: a gear of the scene may then join joints of a part
        let mut all = Node { span: tree.span.clone(), value: Value::Table(Vec::new()) };
        for (node, part) in includes.iter().zip(parts) {
            known.extend(include::apply(&mut all, node, part, folder, sources)?);
        }
        let own = std::mem::replace(tree, all);
        include::merge(tree, own)?;
    }
    for node in list(tree, "pattern")? {
        pattern::apply(tree, &node, folder, sources)?;
    }
    Ok(known)
}

/// Takes the tables of an array out of the tree.
fn list(tree: &mut Node, name: &str) -> Result<Vec<Node>, Problem> {
    let Some(member) = tree.take(name) else { return Ok(Vec::new()) };
    match member.value.value {
        Value::Array(items) => Ok(items),
        _ => {
            let key = crate::tables::SCENE.keys.iter().find(|k| k.name == name);
            let problem = match key {
                Some(key) => wrong_form(key, &member.value),
                None => Problem::new(format!("`{name}` must be an array")),
            };
            Err(problem.help(format!("write [[{name}]] with two brackets")))
        }
    }
}

/// Returns whether a scene has parts or patterns, so that there is more in it than its text has.
pub(crate) fn is_needed(tree: &Node) -> bool {
    tree.get("include").is_some() || tree.get("pattern").is_some()
}

/// Lets errors about a copy say which copy it is.
fn note(node: &mut Node, text: &str, sources: &mut Vec<Source>) {
    let mut new: Vec<(usize, usize)> = Vec::new();
    node.for_spans(&mut |span| {
        let found = new.iter().find(|n| n.0 == span.source).map(|n| n.1);
        span.source = found.unwrap_or_else(|| {
            let mut source = sources.get(span.source).cloned().unwrap_or_default();
            source.note = Some(text.to_owned());
            sources.push(source);
            new.push((span.source, sources.len() - 1));
            sources.len() - 1
        });
    });
}
