//! The JSON Schema of scenes, from the tables of keys.

use carom::TARGETS;
use carom_base::Quantity;
use carom_base::param::Allowed;
use serde_json::{Map, Value, json};

use crate::keys::{AtLeastOne, Choice, Form, Key, Kind, Kinds, Presence, Shorthand, Table};
use crate::tables::SCENE;
use crate::wanted::example;

/// Returns the JSON Schema (draft 2020-12) of scenes, for editors: the keys, their units, and the values they accept.
///
/// A schema cannot express everything: whether names exist and units fit is checked when a scene is read.
///
/// ```
/// let schema = carom_scene::schema();
/// assert_eq!(schema["properties"]["run"]["required"][0], "duration");
/// ```
pub fn schema() -> Value {
    let mut schema = table(&SCENE);
    if let Value::Object(map) = &mut schema {
        map.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        map.insert("title".to_owned(), json!("Carom scene"));
    }
    schema
}

fn table(t: &Table) -> Value {
    match &t.kinds {
        None => object(t.doc, t.keys, None, t.choices),
        Some(kinds) => {
            let one_of: Vec<Value> = (kinds.all)().iter().map(|k| of_kind(t, kinds, k)).collect();
            match kinds.shorthand {
                Shorthand::Refused => json!({ "description": t.doc, "oneOf": one_of }),
                Shorthand::Allowed => {
                    let all = (kinds.all)();
                    let bare = all.iter().filter(|k| k.params.iter().all(|p| !is_required(&Key::of(p))));
                    let names: Vec<&str> = bare.map(|k| k.name).collect();
                    let mut any = one_of;
                    if !names.is_empty() {
                        any.push(json!({ "enum": names }));
                    }
                    json!({ "description": t.doc, "oneOf": any })
                }
            }
        }
    }
}

fn of_kind(t: &Table, kinds: &Kinds, kind: &Kind) -> Value {
    let tag = json!({ "const": kind.name, "description": kind.summary });
    object(kind.summary, &t.keys_with(Some(kind.name)), Some((kinds.tag, tag)), t.choices)
}

fn is_required(key: &Key) -> bool {
    matches!(key.presence, Presence::Required)
}

fn object(doc: &str, keys: &[Key], tag: Option<(&str, Value)>, choices: &[Choice]) -> Value {
    let mut properties = Map::new();
    let mut required: Vec<&str> = Vec::new();
    if let Some((name, value)) = tag {
        properties.insert(name.to_owned(), value);
        required.push(name);
    }
    for key in keys {
        properties.insert(key.name.to_owned(), property(key));
    }
    required.extend(keys.iter().filter(|k| is_required(k)).map(|k| k.name));
    let mut out = json!({
        "type": "object",
        "description": doc,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        out["required"] = json!(required);
    }
    let rules: Vec<(&str, Value)> = choices.iter().map(choice).collect();
    match rules.as_slice() {
        [(word, rule)] => out[*word] = rule.clone(),
        [] => {}
        _ => out["allOf"] = rules.iter().map(|(word, rule)| json!({ *word: rule })).collect(),
    }
    out
}

/// Returns the schema rule for sets of keys that exclude each other.
fn choice(c: &Choice) -> (&'static str, Value) {
    match c.at_least_one {
        AtLeastOne::Needed => ("oneOf", c.sets.iter().map(|set| json!({ "required": set })).collect()),
        AtLeastOne::NotNeeded => ("not", json!({ "required": c.sets.concat() })),
    }
}

fn property(key: &Key) -> Value {
    let mut value = form(&key.form);
    let mut text = key.doc.to_owned();
    if let Some(unit) = unit(&key.form) {
        text = format!("{text} [{unit}]");
    }
    match key.presence {
        Presence::Required if matches!(key.form, Form::Array(_)) => value["minItems"] = json!(1),
        Presence::Required => {}
        Presence::Optional(absent) => text = format!("{text}. Left out: {absent}"),
        Presence::Number(x) => value["default"] = json!(x),
        Presence::Numbers(x) => value["default"] = json!(x),
        Presence::Word(x) => value["default"] = json!(x),
        Presence::Bool(x) => value["default"] = json!(x),
    }
    value["description"] = json!(text);
    value
}

/// Returns the unit of a key, if it has one.
pub(crate) fn unit(form: &Form) -> Option<&'static str> {
    match form {
        Form::Number(q, _)
        | Form::Vector(_, q, _)
        | Form::Each(_, q, _)
        | Form::Rows(_, q, _)
        | Form::List(q, _)
        | Form::Tensor(q)
        | Form::Signal(q)
        | Form::Signals(_, q)
        | Form::Points(Some(q)) => match q {
            Quantity::Number => None,
            q => Some(q.unit()),
        },
        _ => None,
    }
}

fn form(form: &Form) -> Value {
    match form {
        Form::Text => json!({ "type": "string" }),
        Form::Name => json!({ "type": "string", "pattern": "^[^/*?,=\"`]+$" }),
        Form::Bool => json!({ "type": "boolean" }),
        Form::Number(q, allowed) => number(*q, allowed),
        Form::CountOr(least, most, word) => {
            let count = json!({ "type": "integer", "minimum": least, "maximum": most });
            json!({ "anyOf": [count, { "const": word }] })
        }
        Form::Vector(n, q, allowed) => array(number(*q, allowed), Some(*n)),
        Form::Each(n, q, allowed) => {
            let one = number(*q, allowed);
            json!({ "anyOf": [one, array(one.clone(), Some(*n))] })
        }
        Form::Rows(n, q, allowed) => array(array(number(*q, allowed), Some(*n)), None),
        Form::List(q, allowed) => array(number(*q, allowed), None),
        Form::Tensor(q) => {
            let row = array(number(*q, &Allowed::Finite), Some(3));
            json!({ "oneOf": [row, array(row.clone(), Some(3))] })
        }
        Form::Word(words) => json!({ "enum": words.all() }),
        Form::Words(words) => array(json!({ "enum": words.all() }), None),
        Form::Texts(n) => array(json!({ "type": "string" }), Some(*n)),
        Form::TextList => array(json!({ "type": "string" }), None),
        Form::OneOrTexts => one_or_texts(),
        Form::Sides => array(one_or_texts(), Some(2)),
        Form::Part => json!({ "type": "object" }),
        Form::Parameters => {
            json!({ "type": "object", "additionalProperties": number(Quantity::Length, &Allowed::Finite) })
        }
        Form::Signal(_) => json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] }),
        Form::Signals(n, _) => {
            array(json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] }), Some(*n))
        }
        Form::Matrix => array(array(json!({ "type": "number" }), None), None),
        Form::Readings => {
            let one = json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] });
            json!({ "anyOf": [{ "type": "string" }, { "type": "number" }, array(one, None)] })
        }
        Form::Expression => json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] }),
        Form::Points(_) | Form::Curve(..) => {
            let quantity = match form {
                Form::Curve(_, q) | Form::Points(Some(q)) => *q,
                _ => Quantity::Number,
            };
            let cell = number(quantity, &Allowed::Finite);
            let mut points = array(array(cell, Some(2)), None);
            points["minItems"] = json!(2);
            points
        }
        Form::Target => {
            let paths: Vec<&str> = TARGETS.iter().map(|t| t.path).collect();
            json!({ "type": "string", "examples": paths })
        }
        Form::Table(t) => table(t),
        Form::Array(t) => array(table(t), None),
        Form::Tables(t) => json!({ "anyOf": [table(t), array(table(t), None)] }),
        Form::Map(t) => json!({ "type": "object", "additionalProperties": table(t) }),
        Form::OneKind(_, all) => {
            let mut properties = Map::new();
            for kind in all() {
                let keys: Vec<Key> = kind.params.iter().map(Key::of).collect();
                properties.insert(kind.name.to_owned(), object(kind.summary, &keys, None, &[]));
            }
            json!({
                "type": "object",
                "properties": properties,
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
            })
        }
    }
}

fn one_or_texts() -> Value {
    let text = json!({ "type": "string" });
    json!({ "anyOf": [text, array(text.clone(), None)] })
}

fn array(items: Value, length: Option<usize>) -> Value {
    match length {
        Some(n) => json!({ "type": "array", "items": items, "minItems": n, "maxItems": n }),
        None => json!({ "type": "array", "items": items }),
    }
}

/// Returns the schema of a number in SI units or a string with a unit.
fn number(quantity: Quantity, allowed: &Allowed) -> Value {
    let mut plain = json!({ "type": "number" });
    match allowed {
        Allowed::Finite
        | Allowed::OneOf(_)
        | Allowed::Region
        | Allowed::Expression
        | Allowed::Signal
        | Allowed::Table
        | Allowed::Curve(_)
        | Allowed::Matrix
        | Allowed::Name
        | Allowed::Flag => {}
        Allowed::Positive => plain["exclusiveMinimum"] = json!(0),
        Allowed::NotNegative => plain["minimum"] = json!(0),
        Allowed::Between(lo, hi) => {
            plain["minimum"] = json!(lo);
            if hi.is_finite() {
                plain["maximum"] = json!(hi);
            }
        }
        Allowed::Above(lo, hi) => {
            plain["exclusiveMinimum"] = json!(lo);
            if hi.is_finite() {
                plain["maximum"] = json!(hi);
            }
        }
    }
    let text = json!({
        "type": "string",
        "pattern": "^\\s*(=|[+-]?(\\d|\\.\\d))",
        "examples": [example(quantity).trim_matches('"')],
    });
    json!({ "anyOf": [plain, text] })
}
