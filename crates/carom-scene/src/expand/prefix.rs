//! The names of an included part with its prefix.

use std::collections::BTreeSet;

use super::signals;
use crate::error::Problem;
use crate::keys::{Form, Key, Kind, Table};
use crate::parameter::{Known, Parameter, own_names};
use crate::tables::SCENE;
use crate::tree::{Node, Value};
use crate::value::check_name;

/// What is put before the names of a part.
#[derive(Debug)]
pub(super) struct Prefix<'a> {
    prefix: &'a str,
    /// the materials that the part has itself
    materials: Vec<String>,
    /// old and new names of the part's parameters
    parameters: Vec<(String, String)>,
    /// what of the part has quantities that expressions of the state use: bodies, joints and controllers
    owners: BTreeSet<String>,
    /// the inputs of the part
    inputs: BTreeSet<String>,
    known: &'a Known,
}

impl<'a> Prefix<'a> {
    pub(super) fn new(prefix: &'a str, part: &Node, known: &'a Known) -> Prefix<'a> {
        let materials = part.get("material").and_then(Node::members).unwrap_or(&[]);
        // expressions know letters, digits and _ alone
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let new = |name: &str| match prefix.is_empty() {
            true => name.to_owned(),
            false => format!("{}{name}", prefix.chars().map(word).collect::<String>()),
        };
        let owners = ["body", "joint", "controller"].map(|array| signals::called(part, array));
        Prefix {
            prefix,
            materials: materials.iter().map(|m| m.key.clone()).collect(),
            parameters: known.iter().map(|k| (k.name.clone(), new(&k.name))).collect(),
            owners: owners.into_iter().flatten().collect(),
            inputs: signals::called(part, "input"),
            known,
        }
    }

    /// Renames all that the part names, and returns its parameters by their new names.
    pub(super) fn apply(&self, part: &mut Node) -> Result<Known, Problem> {
        self.table(part, &SCENE)?;
        let renamed = self.known.iter().zip(&self.parameters);
        Ok(renamed.map(|(k, (_, new))| Parameter { name: new.clone(), ..k.clone() }).collect())
    }

    fn table(&self, node: &mut Node, table: &'static Table) -> Result<(), Problem> {
        let kind = table.kinds.as_ref().and_then(|k| node.get(k.tag)).and_then(Node::text);
        let keys = table.keys_with(kind);
        let own = own_names(kind);
        let Value::Table(members) = &mut node.value else { return Ok(()) };
        for m in members {
            let Some(key) = keys.iter().find(|k| k.name == m.key) else { continue };
            if matches!(key.form, Form::Signal(_) | Form::Signals(..) | Form::Readings) {
                self.signal(&mut m.value, own);
            } else {
                self.value(&mut m.value, key, table)?;
            }
        }
        Ok(())
    }

    fn value(&self, node: &mut Node, key: &Key, table: &'static Table) -> Result<(), Problem> {
        match key.form {
            Form::Table(inner) => self.table(node, inner),
            Form::Array(inner) | Form::Tables(inner) => match &mut node.value {
                Value::Array(items) => items.iter_mut().try_for_each(|item| self.table(item, inner)),
                _ => self.table(node, inner),
            },
            Form::Map(_) => self.map(node),
            Form::OneKind(_, all) => self.kind(node, &all()),
            Form::Expression => {
                self.expression(node);
                Ok(())
            }
            _ => self.text(node, key, table),
        }
    }

    /// Renames what an expression of the state names: parameters, inputs, and what quantities are of; `own`: names that stay.
    fn signal(&self, node: &mut Node, own: &[&str]) {
        let new = |name: &str| format!("{}{name}", self.prefix);
        let owner = |name: &str| self.owners.contains(name).then(|| new(name));
        signals::rename(node, &|name| {
            if own.contains(&name) {
                return None;
            }
            let parameter = self.parameters.iter().find(|p| p.0 == name).map(|p| p.1.clone());
            let input = || self.inputs.contains(name).then(|| new(name));
            parameter.or_else(input).or_else(|| signals::of_owner(name, &owner))
        });
    }

    /// Renames the materials of the part.
    fn map(&self, node: &mut Node) -> Result<(), Problem> {
        let Value::Table(members) = &mut node.value else { return Ok(()) };
        for m in members {
            m.key = format!("{}{}", self.prefix, m.key);
            check_name(&m.key, &m.key_span)?;
        }
        Ok(())
    }

    fn kind(&self, node: &mut Node, all: &[Kind]) -> Result<(), Problem> {
        let Value::Table(kinds) = &mut node.value else { return Ok(()) };
        for one in kinds {
            let Some(kind) = all.iter().find(|k| k.name == one.key) else { continue };
            let Value::Table(members) = &mut one.value.value else { continue };
            for m in members {
                if kind.params.iter().any(|p| p.name == m.key && matches!(Key::of(p).form, Form::Expression))
                {
                    self.expression(&mut m.value);
                }
            }
        }
        Ok(())
    }

    /// Renames parameters in an expression of the time.
    fn expression(&self, node: &mut Node) {
        if let Value::Text(text) = &mut node.value {
            let new = |name: &str| self.parameters.iter().find(|p| p.0 == name).map(|p| p.1.clone());
            *text = signals::renamed(text, |name| new(name).filter(|_| name != "t"));
        }
    }

    /// Returns the new name of something of the part. A joint without a name is called by the two that it joins, which have new
    /// names each.
    fn new_name(&self, text: &str) -> String {
        let (name, rest) = text.split_at(text.find('/').unwrap_or(text.len()));
        match name.split_once('~').filter(|(a, b)| [a, b].iter().all(|n| self.owners.contains(**n))) {
            Some((a, b)) if !self.owners.contains(name) => format!("{0}{a}~{0}{b}{rest}", self.prefix),
            _ => format!("{}{text}", self.prefix),
        }
    }

    /// Renames what a text names, by the key it is of.
    fn text(&self, node: &mut Node, key: &Key, table: &'static Table) -> Result<(), Problem> {
        let new = |text: &str| self.new_name(text);
        match (table.title, key.name) {
            // the names of surfaces are within those of their bodies
            ("body.surface", "name") => {}
            (_, "material" | "bearing_material") => {
                change(node, &|t| if self.materials.iter().any(|m| m == t) { new(t) } else { t.to_owned() });
            }
            ("drive", "target") => {
                if let (Some(text), at) = (node.text(), &node.span)
                    && text.starts_with("world/")
                {
                    let problem = Problem::new(format!("a part cannot drive `{text}`"));
                    return Err(problem.at(at.clone(), "the including scene has the world"));
                }
                change(node, &|t| match t.split_once('/') {
                    Some((kind, rest)) => format!("{kind}/{}", new(rest)),
                    None => t.to_owned(),
                });
            }
            ("controller" | "input", "name")
            | ("body" | "contact" | "joint" | "force" | "field" | "probe" | "distance", "name" | "group")
            | (_, "between")
            | ("force" | "probe", "body")
            | ("force", "joint") => change(node, &new),
            _ => {}
        }
        Ok(())
    }
}

/// Changes a text, or all texts of an array.
fn change(node: &mut Node, new: &impl Fn(&str) -> String) {
    match &mut node.value {
        Value::Text(text) => *text = new(text),
        Value::Array(items) => items.iter_mut().for_each(|item| change(item, new)),
        _ => {}
    }
}
