//! Forces, fields, distances and probes of several bodies: one for each.

use std::collections::HashSet;

use super::read::text;
use crate::error::{Problem, Source};
use crate::select::{Roster, is_wild};
use crate::tree::{Node, Span, Value};

type Named = (String, Option<String>);

/// The greatest number of forces, fields, distances or probes that one table may become.
const MOST: usize = 100_000;

/// Writes the tables out that name several bodies or surfaces: one for every pair, or for every body.
pub(super) fn apply(scene: &mut Node, sources: &mut Vec<Source>) -> Result<(), Problem> {
    let roster = Roster::of_nodes(scene.get("body").map_or(&[][..], Node::items));
    for array in ["force", "field", "distance", "probe"] {
        let Some(Node { value: Value::Array(items), .. }) = scene.get_mut(array) else { continue };
        let mut all = Vec::new();
        for node in std::mem::take(items) {
            match (sides(&node, &roster)?, each(&node, &roster)?) {
                (Some([a, b]), _) => pairs(&node, &a, &b, &mut all, sources)?,
                (None, Some(bodies)) => singles(&node, &bodies, &mut all, sources),
                (None, None) => all.push(node),
            }
        }
        *items = all;
    }
    joints(scene, &roster)
}

/// Refuses groups and wildcards in joints, which name two bodies.
fn joints(scene: &Node, roster: &Roster) -> Result<(), Problem> {
    let nodes = scene.get("joint").map_or(&[][..], Node::items);
    for end in nodes.iter().filter_map(|n| n.get("between")).flat_map(Node::items) {
        if end.text().is_some_and(is_wild) || matches!(end.value, Value::Array(_)) {
            let problem = Problem::new("a joint is between two bodies, each by its name");
            let help = "copy the joint with its body by a [[pattern]]";
            return Err(problem.at(end.span.clone(), "").help(help).allowed("", &roster.names()));
        }
    }
    Ok(())
}

/// Returns the bodies or surfaces that a text or a list of texts names, and whether it could name several.
fn selected(node: &Node, roster: &Roster) -> Result<Option<(Vec<Named>, bool)>, Problem> {
    let list: Vec<(&str, &Span)> = match (&node.value, node.text()) {
        (_, Some(text)) => vec![(text, &node.span)],
        (Value::Array(items), _) => items.iter().filter_map(|i| Some((i.text()?, &i.span))).collect(),
        _ => return Ok(None),
    };
    let mut several = matches!(node.value, Value::Array(_));
    let mut members: Vec<Named> = Vec::new();
    for (text, at) in list {
        let found = roster.select(text, at)?;
        several |= found.found;
        for member in found.members {
            if !members.contains(&member) {
                members.push(member);
            }
        }
    }
    Ok(Some((members, several)))
}

fn sides(node: &Node, roster: &Roster) -> Result<Option<[Vec<Named>; 2]>, Problem> {
    let Some([a, b]) = node.get("between").map(Node::items) else { return Ok(None) };
    match (selected(a, roster)?, selected(b, roster)?) {
        (Some((a, several)), Some((b, more))) if several || more => Ok(Some([a, b])),
        _ => Ok(None),
    }
}

fn each(node: &Node, roster: &Roster) -> Result<Option<Vec<Named>>, Problem> {
    let Some(body) = node.get("body") else { return Ok(None) };
    Ok(selected(body, roster)?.filter(|(_, several)| *several).map(|(members, _)| members))
}

fn shown((body, surface): &Named) -> String {
    match surface {
        Some(surface) => format!("{body}/{surface}"),
        None => body.clone(),
    }
}

/// Makes a copy for every pair. Bodies of one group have each pair once, and none with themselves.
fn pairs(
    node: &Node,
    a: &[Named],
    b: &[Named],
    all: &mut Vec<Node>,
    sources: &mut Vec<Source>,
) -> Result<(), Problem> {
    let between = || node.get("between").map_or_else(|| node.span.clone(), |n| n.span.clone());
    if a.len().saturating_mul(b.len()) > 2 * MOST {
        let problem = Problem::new(format!("`between` names {} and {} of them", a.len(), b.len()));
        return Err(problem.at(between(), format!("allowed: up to {MOST} pairs")));
    }
    let on_both: HashSet<&Named> = a.iter().filter(|x| b.contains(x)).collect();
    let mut done: HashSet<(&Named, &Named)> = HashSet::new();
    let count = all.len();
    for x in a {
        for y in b {
            let again = on_both.contains(x) && on_both.contains(y) && done.contains(&(y, x));
            if x.0 == y.0 || again {
                continue;
            }
            done.insert((x, y));
            let mut copy = node.clone();
            let at = between();
            let end = |n: &Named| Node { span: at.clone(), value: Value::Text(shown(n)) };
            copy.set("between", Value::Array(vec![end(x), end(y)]), &at);
            let mut words = Vec::new();
            if a.len() > 1 {
                words.push(x);
            }
            if b.len() > 1 {
                words.push(y);
            }
            name(&mut copy, &words);
            let note = format!("this is the one of `{}` and `{}`", shown(x), shown(y));
            super::note(&mut copy, &note, sources);
            all.push(copy);
        }
    }
    if all.len() == count {
        return Err(
            Problem::new("`between` names no two bodies").at(between(), "both sides are the same body")
        );
    }
    Ok(())
}

fn singles(node: &Node, bodies: &[Named], all: &mut Vec<Node>, sources: &mut Vec<Source>) {
    for body in bodies {
        let mut copy = node.clone();
        let at = node.span.clone();
        copy.set("body", Value::Text(shown(body)), &at);
        name(&mut copy, &[body]);
        super::note(&mut copy, &format!("this is the one of `{}`", shown(body)), sources);
        all.push(copy);
    }
}

/// Adds to the name of a table, if it has one, which of the bodies it is of.
fn name(node: &mut Node, of: &[&Named]) {
    let Some(name) = text(node, "name") else { return };
    let words = of.iter().map(|n| shown(n).replace('/', "_"));
    let name = std::iter::once(name.to_owned()).chain(words).collect::<Vec<_>>().join("_");
    let at = node.span.clone();
    node.set("name", Value::Text(name), &at);
}
