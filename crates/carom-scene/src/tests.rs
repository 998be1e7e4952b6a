//! Checks that the tables of keys are documented and readable, and that the schema agrees with them.

use serde_json::{Map, Value as Json};

use crate::keys::{Form, Key, Kind, Presence, Table};
use crate::reference::{reference, tables};
use crate::schema::schema;
use crate::tables::SCENE;
use crate::tree::{Node, Span, Value};
use crate::value;

fn all_kinds() -> Vec<(&'static str, Kind)> {
    let mut kinds: Vec<(&'static str, Kind)> = Vec::new();
    for t in tables(&SCENE) {
        kinds.extend(t.kinds.iter().flat_map(|k| (k.all)()).map(|k| (t.title, k)));
        for key in t.keys {
            if let Form::OneKind(_, all) = key.form {
                kinds.extend(all().into_iter().map(|k| (t.title, k)));
            }
        }
    }
    kinds
}

#[test]
fn every_key_and_kind_is_documented() {
    let text = reference();
    let check = |of: &str, key: &Key| {
        assert!(!key.doc.is_empty() && !key.doc.ends_with('.'), "{of}: {}", key.name);
        assert!(text.contains(&format!("| `{}` |", key.name)), "{of}: {} is not in the reference", key.name);
        if let Presence::Optional(absent) = key.presence {
            assert!(!absent.is_empty(), "{of}: {}", key.name);
        }
    };
    for t in tables(&SCENE) {
        assert!(!t.doc.is_empty() && text.contains(&format!("\n## {}\n", t.title)), "{}", t.title);
        t.keys.iter().for_each(|key| check(t.title, key));
    }
    let kinds = all_kinds();
    assert!(kinds.len() > 10);
    for (of, kind) in kinds {
        assert!(!kind.summary.is_empty(), "{of}: {}", kind.name);
        assert!(text.contains(&format!("\n### {}\n", kind.name)), "{of}: {}", kind.name);
        kind.params.iter().map(Key::of).for_each(|key| check(kind.name, &key));
    }
}

/// A default must be a value that the key accepts.
#[test]
fn defaults_are_allowed() {
    let node = |value| Node { span: Span::new(0, 0..0), value };
    let keys = tables(&SCENE).into_iter().flat_map(|t| t.keys_with(None));
    for key in keys {
        let value = match key.presence {
            Presence::Number(x) => Value::Number(x),
            Presence::Numbers(x) => Value::Array(x.iter().map(|x| node(Value::Number(*x))).collect()),
            Presence::Word(x) => Value::Text(x.to_owned()),
            Presence::Bool(x) => Value::Bool(x),
            Presence::Required | Presence::Optional(_) => continue,
        };
        assert!(value::read(&key, &node(value), 1.5).is_ok(), "the default of {}", key.name);
    }
}

/// Choices name keys that exist, and may be left out.
#[test]
fn choices_are_among_the_keys() {
    for t in tables(&SCENE) {
        for name in t.choices.iter().flat_map(|c| c.sets.concat()) {
            let key = t.keys.iter().find(|k| k.name == name).unwrap();
            assert!(!matches!(key.presence, Presence::Required), "{name}");
        }
    }
}

fn properties(schema: &Json) -> &Map<String, Json> {
    schema["properties"].as_object().unwrap_or_else(|| panic!("no properties: {schema}"))
}

fn same_names(of: &str, mut names: Vec<&str>, schema: &Json) {
    let mut known: Vec<&str> = properties(schema).keys().map(String::as_str).collect();
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(names, known, "{of}");
    assert_eq!(schema["additionalProperties"], false, "{of}");
}

/// Checks that the schema has exactly the keys that the reader accepts.
fn same(t: &'static Table, schema: &Json) {
    let Some(kinds) = &t.kinds else {
        same_names(t.title, t.names(None), schema);
        return t.keys.iter().for_each(|key| same_form(key, &properties(schema)[key.name]));
    };
    let one_of: Vec<&Json> =
        schema["oneOf"].as_array().unwrap().iter().filter(|s| s["type"] == "object").collect();
    let all = (kinds.all)();
    assert_eq!(one_of.len(), all.len(), "{}", t.title);
    for (kind, schema) in all.iter().zip(one_of) {
        assert_eq!(properties(schema)[kinds.tag]["const"], kind.name);
        same_names(kind.name, t.names(Some(kind.name)), schema);
        t.keys_with(Some(kind.name)).iter().for_each(|key| same_form(key, &properties(schema)[key.name]));
    }
}

fn same_form(key: &Key, schema: &Json) {
    assert!(schema["description"].as_str().is_some_and(|d| d.starts_with(key.doc)), "{}", key.name);
    match key.form {
        Form::Table(t) => same(t, schema),
        Form::Array(t) => same(t, &schema["items"]),
        Form::Tables(t) => same(t, &schema["anyOf"][0]),
        Form::Map(t) => same(t, &schema["additionalProperties"]),
        Form::OneKind(_, all) => {
            let all = all();
            same_names(key.name, all.iter().map(|k| k.name).collect(), schema);
            for kind in &all {
                let inner = &properties(schema)[kind.name];
                same_names(kind.name, kind.params.iter().map(|p| p.name).collect(), inner);
            }
        }
        _ => {}
    }
}

#[test]
fn the_schema_has_the_keys_the_reader_takes() {
    same(&crate::tables::SCENE, &schema());
}
