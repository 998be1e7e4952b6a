//! The names of an included part with its prefix.

use crate::error::Problem;
use crate::keys::{Form, Key, Kind, Table};
use crate::parameter::Known;
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
        Prefix {
            prefix,
            materials: materials.iter().map(|m| m.key.clone()).collect(),
            parameters: known.iter().map(|k| (k.0.clone(), new(&k.0))).collect(),
            known,
        }
    }

    /// Renames all that the part names, and returns its parameters by their new names.
    pub(super) fn apply(&self, part: &mut Node) -> Result<Known, Problem> {
        self.table(part, &SCENE)?;
        let renamed = self.known.iter().zip(&self.parameters);
        Ok(renamed.map(|(k, (_, new))| (new.clone(), k.1)).collect())
    }

    fn table(&self, node: &mut Node, table: &'static Table) -> Result<(), Problem> {
        let kind = table.kinds.as_ref().and_then(|k| node.get(k.tag)).and_then(Node::text);
        let keys = table.keys_with(kind);
        let Value::Table(members) = &mut node.value else { return Ok(()) };
        for m in members {
            if let Some(key) = keys.iter().find(|k| k.name == m.key) {
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
            *text = renamed(text, &self.parameters);
        }
    }

    /// Renames what a text names, by the key it is of.
    fn text(&self, node: &mut Node, key: &Key, table: &'static Table) -> Result<(), Problem> {
        let new = |text: &str| format!("{}{text}", self.prefix);
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
            ("body" | "contact" | "joint" | "force" | "field" | "probe" | "distance", "name" | "group")
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

/// Puts new names into an expression. A word before a parenthesis is a function, and letters after digits are of a number.
fn renamed(text: &str, names: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let part = |end: usize| rest.split_at(end);
        let length_of = |fits: fn(char) -> bool| rest.find(|c| !fits(c)).unwrap_or(rest.len());
        let (word, after) = if first.is_ascii_digit() || first == '.' {
            part(length_of(|c| c.is_ascii_alphanumeric() || c == '.'))
        } else if first.is_alphabetic() || first == '_' {
            part(length_of(|c| c.is_alphanumeric() || c == '_'))
        } else {
            part(first.len_utf8())
        };
        let is_function = after.trim_start().starts_with('(');
        match names.iter().find(|n| n.0 == word && !is_function && word != "t") {
            Some((_, new)) => out.push_str(new),
            None => out.push_str(word),
        }
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn parameters_in_expressions() {
        let names = [("e", "left_e"), ("sin", "left_sin"), ("w", "left_w"), ("t", "left_t")]
            .map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(renamed("2e-3*sin(w*t) + e - we", &names), "2e-3*sin(left_w*t) + left_e - we");
    }
}
