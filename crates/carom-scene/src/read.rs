//! Turns a tree into checked values, according to the tables of keys.
//!
//! Within a table it reports first unknown keys, then wrong values in the order of the text, then missing keys. A misspelt
//! key is both unknown and missing; reporting it as unknown is enough.

use crate::error::Problem;
use crate::fields::{Field, Fields, Typed};
use crate::keys::{AtLeastOne, Choice, Form, Key, Kind, Kinds, Presence, Shorthand, Table};
use crate::reference::tables;
use crate::tree::{Member, Node, Span, Value};
use crate::value;
use crate::wanted::wanted;

/// Reads a whole scene.
pub(crate) fn scene(node: &Node) -> Result<Fields, Problem> {
    whole(&crate::tables::SCENE, node)
}

/// A scene that was read.
#[derive(Clone, Debug)]
pub(crate) struct ReadScene {
    pub(crate) tree: Node,
    pub(crate) fields: Fields,
}

/// Reads a whole scene, of which most is as in another one that was read before: only tables that differ are read.
pub(crate) fn scene_like(before: &ReadScene, node: &Node) -> Result<Fields, Problem> {
    let members = node.members().unwrap_or(&[]);
    let old = before.tree.members().unwrap_or(&[]);
    let same_keys = members.len() == old.len() && members.iter().zip(old).all(|(m, o)| m.key == o.key);
    if !same_keys {
        return scene(node);
    }
    let mut fields = before.fields.clone();
    for (member, old) in members.iter().zip(old).filter(|(m, o)| m != o) {
        let key = crate::tables::SCENE.keys.iter().find(|k| k.name == member.key);
        let field = fields.list.iter_mut().find(|f| f.name == member.key);
        let (Some(key), Some(field)) = (key, field) else { return scene(node) };
        let (items, old) = (member.value.items(), old.value.items());
        (field.key_at, field.at) = (Some(member.key_span.clone()), member.value.span.clone());
        match (key.form, &mut field.value) {
            (Form::Array(t), Typed::Array(list)) if !items.is_empty() && items.len() == list.len() => {
                for (item, at) in items.iter().zip(old).zip(list).filter(|((item, old), _)| item != old) {
                    *at = table(t, item.0, item.0.span.clone())?;
                }
            }
            _ => field.value = read(key, member, f64::NAN)?,
        }
    }
    Ok(fields)
}

/// Reads a whole text according to its table.
pub(crate) fn whole(t: &'static Table, node: &Node) -> Result<Fields, Problem> {
    table(t, node, node.span.clone())
}

/// Reads a table. `at` is the position at which missing keys are reported.
fn table(table: &'static Table, node: &Node, at: Span) -> Result<Fields, Problem> {
    let Some(members) = node.members() else { return Err(not_a_table(table, node)) };
    let kind = match &table.kinds {
        None => None,
        Some(kinds) => named_kind(kinds, node)?,
    };
    let name = kind.as_ref().map(|k| k.0);
    unknown_keys(table, name, members)?;
    if let (Some(kinds), None) = (&table.kinds, &kind) {
        return Err(no_kind(table, kinds, &at));
    }
    let keys = table.keys_with(name);
    let exponent = exponent(&keys, members)?;
    let mut list = Vec::new();
    for member in members {
        if let Some(key) = keys.iter().find(|k| k.name == member.key) {
            let value = read(key, member, exponent)?;
            let key_at = Some(member.key_span.clone());
            list.push(Field { name: key.name, key_at, at: member.value.span.clone(), value });
        }
    }
    let mut fields = Fields { at, kind, list };
    for choice in table.choices {
        choose(table, choice, &fields)?;
    }
    for key in &keys {
        if fields.get(key.name).is_none() {
            absent(table, key, &mut fields)?;
        }
    }
    Ok(fields)
}

fn not_a_table(table: &'static Table, node: &Node) -> Problem {
    let problem = Problem::new(format!("`{}` must be a table, not {}", table.title, node.type_name()));
    problem.at(node.span.clone(), "")
}

/// Returns the kind that a table names, if it names one.
fn named_kind(kinds: &Kinds, node: &Node) -> Result<Option<(&'static str, Span)>, Problem> {
    let Some(tag) = node.get(kinds.tag) else { return Ok(None) };
    kind(kinds.noun, &(kinds.all)(), tag).map(|name| Some((name, tag.span.clone())))
}

fn kind(noun: &str, all: &[Kind], node: &Node) -> Result<&'static str, Problem> {
    let names: Vec<&'static str> = all.iter().map(|k| k.name).collect();
    let Some(word) = node.text() else {
        let problem = Problem::new(format!("the {noun} must be a string, not {}", node.type_name()));
        return Err(problem.at(node.span.clone(), "").allowed("", &names));
    };
    names.iter().copied().find(|n| *n == word).ok_or_else(|| {
        let problem = Problem::new(format!("there is no {noun} `{word}`"));
        problem.at(node.span.clone(), "").allowed(word, &names)
    })
}

fn no_kind(table: &Table, kinds: &Kinds, at: &Span) -> Problem {
    let names: Vec<&str> = (kinds.all)().iter().map(|k| k.name).collect();
    Problem::new(format!("`{}` needs `{}`: the {}", table.title, kinds.tag, kinds.noun))
        .at(at.clone(), format!("`{}` is missing", kinds.tag))
        .allowed("", &names)
}

fn unknown_keys(table: &Table, kind: Option<&str>, members: &[Member]) -> Result<(), Problem> {
    let names = table.names(kind);
    let Some(member) = members.iter().find(|m| !names.contains(&m.key.as_str())) else { return Ok(()) };
    Err(unknown_key(table, kind, &member.key, &member.key_span))
}

/// Returns the name of a table in messages.
fn called(table: &Table, kind: Option<&str>) -> String {
    match (kind, &table.kinds) {
        (Some(kind), Some(kinds)) => format!("`{}` with {} = \"{kind}\"", table.title, kinds.tag),
        _ if std::ptr::eq(table, &crate::tables::SCENE) => "a scene".to_owned(),
        _ => format!("`{}`", table.title),
    }
}

/// Makes the message that a table has no such key, with the keys that it has.
pub(crate) fn unknown_key(table: &Table, kind: Option<&str>, key: &str, at: &Span) -> Problem {
    let of = called(table, kind);
    let problem = Problem::new(format!("{of} has no key `{key}`")).at(at.clone(), "unknown key");
    let names = table.names(kind);
    // in TOML a key belongs to the header above it: a key of another table is often just too far down
    let elsewhere = tables(&crate::tables::SCENE).into_iter().find(|t| t.keys.iter().any(|k| k.name == key));
    match elsewhere {
        Some(other) => {
            problem.help(format!("`{key}` is a key of {}", called(other, None))).allowed("", &names)
        }
        None => problem.allowed(key, &names),
    }
}

/// Returns the value of the key `exponent`, on which the unit of a stiffness depends; NaN if there is none.
fn exponent(keys: &[Key], members: &[Member]) -> Result<f64, Problem> {
    let Some(key) = keys.iter().find(|k| k.name == "exponent") else { return Ok(f64::NAN) };
    let Some(member) = members.iter().find(|m| m.key == "exponent") else {
        return Ok(if let Presence::Number(x) = key.presence { x } else { f64::NAN });
    };
    match (key.form, read(key, member, f64::NAN)?) {
        (Form::Number(..), Typed::Number(x)) => Ok(x),
        _ => Ok(f64::NAN),
    }
}

fn read(key: &Key, member: &Member, exponent: f64) -> Result<Typed, Problem> {
    let node = &member.value;
    match key.form {
        Form::Table(t) => match &node.value {
            Value::Text(_) if t.kinds.is_some_and(|k| k.shorthand == Shorthand::Allowed) => {
                shorthand(t, node)
            }
            Value::Table(_) => table(t, node, node.span.clone()).map(Typed::Table),
            _ => Err(value::wrong_form(key, node)),
        },
        Form::Tables(t) if node.members().is_some() => {
            table(t, node, node.span.clone()).map(|one| Typed::Array(vec![one]))
        }
        Form::Array(t) | Form::Tables(t) => array(t, key, member),
        Form::Map(t) => map(t, key, node),
        Form::OneKind(noun, all) => one_kind(noun, &all(), key, member),
        _ => value::read(key, node, exponent),
    }
}

/// Reads the name of a kind alone as a table with no other keys.
fn shorthand(t: &'static Table, node: &Node) -> Result<Typed, Problem> {
    let Some(kinds) = &t.kinds else { return Err(not_a_table(t, node)) };
    let tag = Member { key: kinds.tag.to_owned(), key_span: node.span.clone(), value: node.clone() };
    let node = Node { span: node.span.clone(), value: Value::Table(vec![tag]) };
    table(t, &node, node.span.clone()).map(Typed::Table)
}

fn array(t: &'static Table, key: &Key, member: &Member) -> Result<Typed, Problem> {
    let Value::Array(items) = &member.value.value else {
        let problem = value::wrong_form(key, &member.value);
        return Err(match member.value.value {
            Value::Table(_) => problem.help(format!("write [[{}]] with two brackets", t.title)),
            _ => problem,
        });
    };
    if items.is_empty() && matches!(key.presence, Presence::Required) {
        let problem = Problem::new(format!("`{}` is empty, and at least one is needed", key.name));
        return Err(problem.at(member.value.span.clone(), ""));
    }
    let read = |item: &Node| match item.value {
        Value::Table(_) => table(t, item, item.span.clone()),
        _ => Err(value::wrong_form(key, item)),
    };
    items.iter().map(read).collect::<Result<_, _>>().map(Typed::Array)
}

fn map(t: &'static Table, key: &Key, node: &Node) -> Result<Typed, Problem> {
    let Some(members) = node.members() else { return Err(value::wrong_form(key, node)) };
    let mut list = Vec::new();
    for m in members {
        value::check_name(&m.key, &m.key_span)?;
        let Value::Table(_) = m.value.value else {
            let problem =
                Problem::new(format!("`{}.{}` must be a table, not {}", t.title, m.key, m.value.type_name()));
            let problem = problem.at(m.value.span.clone(), "");
            return Err(problem.help(format!("write [{}.NAME], then its keys below", t.title)));
        };
        list.push((m.key.clone(), m.key_span.clone(), table(t, &m.value, m.value.span.clone())?));
    }
    Ok(Typed::Map(list))
}

/// Reads a table with one kind and its parameters: `{ spin = { axis = …, rate = … } }`.
fn one_kind(noun: &'static str, all: &[Kind], key: &Key, member: &Member) -> Result<Typed, Problem> {
    let node = &member.value;
    let names: Vec<&str> = all.iter().map(|k| k.name).collect();
    let Some(members) = node.members() else { return Err(value::wrong_form(key, node)) };
    let unknown = members.iter().find(|m| !names.contains(&m.key.as_str()));
    if let Some(m) = unknown {
        let problem = Problem::new(format!("there is no {noun} `{}`", m.key));
        return Err(problem.at(m.key_span.clone(), "").allowed(&m.key, &names));
    }
    let [one] = members else {
        let problem = Problem::new(format!("`{}` needs one {noun}, and has {}", key.name, members.len()));
        return Err(problem.at(node.span.clone(), "").allowed("", &names));
    };
    let Some(kind) = all.iter().find(|k| k.name == one.key) else { return Err(value::wrong_form(key, node)) };
    let Some(inner) = one.value.members() else {
        let problem = Problem::new(format!("`{}` must be a table, not {}", one.key, one.value.type_name()));
        return Err(problem.at(one.value.span.clone(), "").allowed("", &param_names(kind)));
    };
    let fields = kind_fields(kind, noun, inner, one.value.span.clone(), one.key_span.clone())?;
    Ok(Typed::Table(fields))
}

fn param_names(kind: &Kind) -> Vec<&'static str> {
    kind.params.iter().map(|p| p.name).collect()
}

/// Reads the parameters of a kind from the kind's table.
fn kind_fields(kind: &Kind, noun: &str, inner: &[Member], at: Span, named: Span) -> Result<Fields, Problem> {
    let names = param_names(kind);
    if let Some(m) = inner.iter().find(|m| !names.contains(&m.key.as_str())) {
        let problem = Problem::new(format!("the {noun} `{}` has no key `{}`", kind.name, m.key));
        return Err(problem.at(m.key_span.clone(), "unknown key").allowed(&m.key, &names));
    }
    let mut fields = Fields { at, kind: Some((kind.name, named)), list: Vec::new() };
    let keys: Vec<Key> = kind.params.iter().map(Key::of).collect();
    for (m, key) in inner.iter().filter_map(|m| Some((m, keys.iter().find(|k| k.name == m.key)?))) {
        let value = read(key, m, f64::NAN)?;
        let key_at = Some(m.key_span.clone());
        fields.list.push(Field { name: key.name, key_at, at: m.value.span.clone(), value });
    }
    for key in &keys {
        if fields.get(key.name).is_none() {
            missing_or_default(|| format!("the {noun} `{}`", kind.name), key, &mut fields)?;
        }
    }
    Ok(fields)
}

fn absent(table: &Table, key: &Key, fields: &mut Fields) -> Result<(), Problem> {
    let kind = fields.kind.as_ref().map(|k| k.0);
    missing_or_default(|| called(table, kind), key, fields)
}

/// Gives a key that is absent its default; `of` is the name of the table in messages.
fn missing_or_default(of: impl Fn() -> String, key: &Key, fields: &mut Fields) -> Result<(), Problem> {
    let at = fields.at.clone();
    let value = match key.presence {
        Presence::Required => {
            let problem = Problem::new(format!("{} needs `{}`: {}", of(), key.name, key.doc));
            let problem = problem.at(at, format!("`{}` is missing", key.name));
            return Err(problem.note(format!("`{}` is {}", key.name, wanted(&key.form))));
        }
        Presence::Number(x) => Typed::Number(x),
        Presence::Numbers(x) => Typed::Numbers(x.to_vec(), vec![at.clone(); x.len()]),
        Presence::Word(word) => Typed::Text(word.to_owned()),
        Presence::Bool(b) => Typed::Bool(b),
        Presence::Optional(_) => return Ok(()),
    };
    fields.list.push(Field { name: key.name, key_at: None, at, value });
    Ok(())
}

/// Checks that at most one of the sets of keys that exclude each other is given, and that this one is complete.
fn choose(table: &Table, choice: &Choice, fields: &Fields) -> Result<(), Problem> {
    let given = |set: &[&'static str]| set.iter().find_map(|name| fields.given(name));
    let named: Vec<_> = choice.sets.iter().filter_map(|set| Some((*set, given(set)?))).collect();
    let words = || {
        let quoted = |set: &&[&str]| set.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(" and ");
        choice.sets.iter().map(quoted).collect::<Vec<_>>().join(", or ")
    };
    match named.as_slice() {
        [] if choice.at_least_one == AtLeastOne::Needed => {
            Err(Problem::new(format!("`{}` needs {}", table.title, words())).at(fields.at.clone(), ""))
        }
        [] => Ok(()),
        [(set, first)] => match set.iter().find(|name| fields.given(name).is_none()) {
            None => Ok(()),
            Some(name) => {
                let problem = Problem::new(format!("`{}` needs `{name}` as well", first.name));
                Err(problem.at(fields.at.clone(), format!("`{name}` is missing")))
            }
        },
        [(_, first), (_, second), ..] => {
            let span_of = |f: &Field| f.key_at.clone().unwrap_or_else(|| f.at.clone());
            Err(Problem::new(format!("`{}` and `{}` exclude each other", first.name, second.name))
                .at(span_of(second), "")
                .context(span_of(first), "")
                .note(format!("give {}", words())))
        }
    }
}
