//! Replaced values: `body/ring/position/2=0.1` edits the tree before it is read.

use crate::error::{Problem, Source};
use crate::keys::{Form, Key, Kind, Presence, Shorthand, Table};
use crate::names;
use crate::read::unknown_key;
use crate::tables::SCENE;
use crate::text::{json, toml};
use crate::tree::{Member, Node, Span, Value};

/// Returns the text that messages about a replaced value show.
pub(crate) fn source(set: &str) -> Source {
    Source::new("replaced value", set)
}

/// Replaces a value in the tree, or adds it.
pub(crate) fn apply(tree: &mut Node, set: &str, source: usize) -> Result<(), Problem> {
    let whole = Span::new(source, 0..set.len().max(1));
    let Some((path, value)) = set.split_once('=') else {
        return Err(Problem::new(format!("`{set}` is not of the form path=value"))
            .at(whole, "`=` is missing")
            .note(
                "a path is table/name/key: run/rtol=1e-10, body/ball/mass=\"2 kg\", body/ball/position/2=0.1",
            ));
    };
    let value = given(value, source, path.len() + 1)?;
    let path = Path { text: path.trim_end(), source, at: 0 };
    in_table(tree, &SCENE, path, value)
}

/// Reads a TOML value, or else a bare word: `run/method=ode45`.
fn given(text: &str, source: usize, at: usize) -> Result<Node, Problem> {
    let trimmed = text.trim();
    let at = at + (text.len() - text.trim_start().len());
    match toml::parse_value(trimmed, source, at) {
        Ok(node) => Ok(node),
        // a text with one of these first characters can only be a TOML value
        Err(problem) if trimmed.starts_with(['[', '{', '"', '\'']) => Err(problem),
        Err(_) => {
            let span = Span::new(source, at..at + trimmed.len().max(1));
            Ok(Node { span, value: Value::Text(trimmed.to_owned()) })
        }
    }
}

/// Returns whether two settings replace the same value by the same new one: `run/duration=1 s` and `run/duration = "1 s"` do.
pub fn same(a: &str, b: &str) -> bool {
    let meaning = |set: &str| {
        let (path, value) = set.split_once('=')?;
        let value = given(value, 0, 0).ok()?;
        Some((path.trim_end().to_owned(), json::written(&value)))
    };
    a == b || meaning(a).is_some_and(|a| meaning(b) == Some(a))
}

/// The rest of a path, and the position at which it begins.
#[derive(Clone, Copy)]
struct Path<'s> {
    text: &'s str,
    source: usize,
    at: usize,
}

impl<'s> Path<'s> {
    /// Returns the first word, and what follows it.
    fn split(&self) -> (Path<'s>, Option<Path<'s>>) {
        self.split_at(self.text.find('/').unwrap_or(self.text.len()))
    }

    fn split_at(&self, end: usize) -> (Path<'s>, Option<Path<'s>>) {
        let head = Path { text: &self.text[..end], ..*self };
        let rest = self.text.get(end + 1..).map(|text| Path { text, at: self.at + end + 1, ..*self });
        (head, rest)
    }

    fn span(&self) -> Span {
        Span::new(self.source, self.at..self.at + self.text.len().max(1))
    }
}

fn in_table(node: &mut Node, table: &'static Table, path: Path<'_>, value: Node) -> Result<(), Problem> {
    let kind = table.kinds.as_ref().and_then(|k| node.get(k.tag)).and_then(Node::text).map(str::to_owned);
    // a kind that does not exist is reported later, by the reader
    let kind = kind.filter(|k| table.kinds.is_some_and(|all| (all.all)().iter().any(|x| x.name == k)));
    let (head, rest) = path.split();
    if head.text.is_empty() {
        return Err(Problem::new("a part of the path is empty")
            .at(head.span(), "")
            .allowed("", &table.names(kind.as_deref())));
    }
    let keys = table.keys_with(kind.as_deref());
    let names_kind = table.kinds.as_ref().is_some_and(|k| k.tag == head.text);
    if !names_kind && !keys.iter().any(|k| k.name == head.text) {
        let problem = unknown_key(table, kind.as_deref(), head.text, &head.span());
        return Err(match head.text.contains('.') {
            true => {
                problem.note(format!("`/` is between the parts of a path: {}", head.text.replace('.', "/")))
            }
            false => problem,
        });
    }
    match (rest, keys.iter().find(|k| k.name == head.text)) {
        (None, _) => put(node, head, value),
        (Some(rest), Some(key)) if has_parts(&key.form) => {
            let inner = member(node, key, head)?;
            in_value(inner, key, rest, value)
        }
        (Some(rest), _) => Err(no_parts(head.text, rest)),
    }
}

fn has_parts(form: &Form) -> bool {
    !matches!(
        form,
        Form::Text
            | Form::Name
            | Form::Bool
            | Form::Number(..)
            | Form::CountOr(..)
            | Form::Word(_)
            | Form::Expression
            | Form::Signal(_)
            | Form::Target
            | Form::Part
    )
}

fn no_parts(name: &str, rest: Path<'_>) -> Problem {
    Problem::new(format!("`{name}` has no parts")).at(rest.span(), "the path should end before this")
}

/// Sets the value of a key of a table.
fn put(node: &mut Node, key: Path<'_>, value: Node) -> Result<(), Problem> {
    let Value::Table(members) = &mut node.value else {
        return Err(Problem::new(format!("there is no table to put `{}` in", key.text)).at(key.span(), ""));
    };
    match members.iter_mut().find(|m| m.key == key.text) {
        Some(m) => m.value = value,
        None => members.push(Member { key: key.text.to_owned(), key_span: key.span(), value }),
    }
    Ok(())
}

/// Returns the value of a key; creates it if it is absent and can be created.
fn member<'n>(node: &'n mut Node, key: &Key, path: Path<'_>) -> Result<&'n mut Node, Problem> {
    let Value::Table(members) = &mut node.value else {
        return Err(Problem::new(format!("there is no table with `{}`", key.name)).at(path.span(), ""));
    };
    let index = match members.iter().position(|m| m.key == key.name) {
        Some(index) => index,
        None => {
            let value = Node { span: path.span(), value: fresh(key, path)? };
            members.push(Member { key: key.name.to_owned(), key_span: path.span(), value });
            members.len() - 1
        }
    };
    Ok(&mut members[index].value)
}

/// Returns the initial value of an absent key, of which a part is then set.
fn fresh(key: &Key, path: Path<'_>) -> Result<Value, Problem> {
    let number = |x: &f64| Node { span: path.span(), value: Value::Number(*x) };
    match (key.form, key.presence) {
        (Form::Table(_) | Form::OneKind(..) | Form::Map(_) | Form::Parameters, _) => {
            Ok(Value::Table(Vec::new()))
        }
        (Form::Array(_), _) => Ok(Value::Array(Vec::new())),
        (_, Presence::Numbers(x)) => Ok(Value::Array(x.iter().map(number).collect())),
        _ => {
            let problem = Problem::new(format!("`{}` is not given, so no part of it can be set", key.name));
            Err(problem.at(path.span(), "set it as a whole"))
        }
    }
}

fn in_value(node: &mut Node, key: &Key, path: Path<'_>, value: Node) -> Result<(), Problem> {
    match key.form {
        Form::Table(table) => {
            spell_out(node, table);
            in_table(node, table, path, value)
        }
        Form::Tables(table) if node.members().is_some() => in_table(node, table, path, value),
        Form::Array(table) | Form::Tables(table) => in_array(node, table, path, value),
        Form::Map(table) => in_map(node, table, path, value),
        Form::OneKind(noun, all) => in_kind(node, noun, &all(), path, value),
        Form::Parameters => in_parameters(node, path, value),
        _ => in_list(node, key, path, value),
    }
}

/// Turns the bare name of a kind into a table.
fn spell_out(node: &mut Node, table: &Table) {
    let Some(kinds) = table.kinds.filter(|k| k.shorthand == Shorthand::Allowed) else { return };
    if node.text().is_some() {
        let tag = Member { key: kinds.tag.to_owned(), key_span: node.span.clone(), value: node.clone() };
        node.value = Value::Table(vec![tag]);
    }
}

/// Replaces within an array, where the path gives the name of the element. Names may contain slashes, as `ring/tread~floor`:
/// the longest name that fits is taken. If no name fits, the path may give the index.
fn in_array(node: &mut Node, table: &'static Table, path: Path<'_>, value: Node) -> Result<(), Problem> {
    let Value::Array(items) = &mut node.value else { return Err(no_parts(table.title, path)) };
    let names = names::of_nodes(items);
    let fits = |name: &str| path.text.strip_prefix(name).is_some_and(|r| r.is_empty() || r.starts_with('/'));
    let named = (0..names.len()).filter(|&i| fits(&names[i])).max_by_key(|&i| names[i].len());
    let head = path.split().0.text;
    let numbered = || Some((head.parse().ok().filter(|i| *i < names.len())?, head.len()));
    let Some((index, length)) = named.map(|i| (i, names[i].len())).or_else(numbered) else {
        return Err(no_such(table, &names, path));
    };
    match path.split_at(length).1 {
        None => items[index] = value,
        Some(rest) => return in_table(&mut items[index], table, rest, value),
    }
    Ok(())
}

fn no_such(table: &Table, names: &[String], path: Path<'_>) -> Problem {
    let (head, _) = path.split();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let noun = table.title.rsplit('.').next().unwrap_or_default();
    let problem = Problem::new(format!("no {noun} is called `{}`", head.text)).at(head.span(), "");
    match known.is_empty() {
        true => problem.note(format!("the scene has no {noun}")),
        false => problem.allowed(head.text, &known),
    }
}

fn in_map(node: &mut Node, table: &'static Table, path: Path<'_>, value: Node) -> Result<(), Problem> {
    let Value::Table(members) = &mut node.value else { return Err(no_parts(table.title, path)) };
    let (head, rest) = path.split();
    let names: Vec<String> = members.iter().map(|m| m.key.clone()).collect();
    let Some(member) = members.iter_mut().find(|m| m.key == head.text) else {
        return Err(no_such(table, &names, path));
    };
    match rest {
        None => member.value = value,
        Some(rest) => return in_table(&mut member.value, table, rest, value),
    }
    Ok(())
}

/// Replaces a parameter. It must exist already, because nothing in the scene would use a new one.
fn in_parameters(node: &mut Node, path: Path<'_>, value: Node) -> Result<(), Problem> {
    let names: Vec<String> = node.members().unwrap_or(&[]).iter().map(|m| m.key.clone()).collect();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    if known.contains(&path.text) {
        return put(node, path, value);
    }
    Err(Problem::new(format!("there is no parameter `{}`", path.text))
        .at(path.span(), "")
        .allowed(path.text, &known))
}

/// Replaces within a kind's parameters: `motion/spin/rate`.
fn in_kind(node: &mut Node, noun: &str, all: &[Kind], path: Path<'_>, value: Node) -> Result<(), Problem> {
    let (head, rest) = path.split();
    let names: Vec<&str> = all.iter().map(|k| k.name).collect();
    let Some(kind) = all.iter().find(|k| k.name == head.text) else {
        let problem = Problem::new(format!("there is no {noun} `{}`", head.text));
        return Err(problem.at(head.span(), "").allowed(head.text, &names));
    };
    let Some(rest) = rest else { return put(node, head, value) };
    if node.get(kind.name).is_none() {
        put(node, head, Node { span: head.span(), value: Value::Table(Vec::new()) })?;
    }
    let (head, rest) = rest.split();
    let keys: Vec<Key> = kind.params.iter().map(Key::of).collect();
    let Some(key) = keys.iter().find(|k| k.name == head.text) else {
        let names: Vec<&str> = keys.iter().map(|k| k.name).collect();
        let problem = Problem::new(format!("the {noun} `{}` has no key `{}`", kind.name, head.text));
        return Err(problem.at(head.span(), "unknown key").allowed(head.text, &names));
    };
    let Value::Table(members) = &mut node.value else { return Err(no_parts(noun, head)) };
    let Some(inner) = members.iter_mut().find(|m| m.key == kind.name) else {
        return Err(no_parts(noun, head));
    };
    match rest {
        None => put(&mut inner.value, head, value),
        Some(rest) => in_list(member(&mut inner.value, key, head)?, key, rest, value),
    }
}

/// Replaces an element of a list, given by its index from 0.
fn in_list(node: &mut Node, key: &Key, path: Path<'_>, value: Node) -> Result<(), Problem> {
    let (head, rest) = path.split();
    let Value::Array(items) = &mut node.value else { return Err(no_parts(key.name, path)) };
    let count = items.len();
    let Some(item) = head.text.parse().ok().and_then(|i: usize| items.get_mut(i)) else {
        let problem = Problem::new(format!("`{}` has no part `{}`", key.name, head.text));
        let problem = problem.at(head.span(), "");
        return Err(match count {
            0 => problem,
            _ => problem.note(format!("its parts are numbered 0 to {}", count - 1)),
        });
    };
    match rest {
        None => *item = value,
        Some(rest) => return in_list(item, key, rest, value),
    }
    Ok(())
}
