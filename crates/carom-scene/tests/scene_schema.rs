//! The schema takes what the reader takes. A validator of the part of JSON Schema that the schema uses.

use carom_scene::{Format, Scene};
use serde_json::Value;

const BALL: &str = include_str!("scenes/ball.json");
const EVERYTHING: &str = include_str!("scenes/everything.json");

/// Whether the value is as the schema says.
fn valid(schema: &Value, value: &Value) -> bool {
    let Some(rules) = schema.as_object() else { return schema.as_bool() == Some(true) };
    let list = |x: &Value| x.as_array().cloned().unwrap_or_default();
    let number = |x: &Value| x.as_f64().unwrap_or(f64::NAN);
    rules.iter().all(|(rule, x)| match rule.as_str() {
        "type" => match x.as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            other => panic!("type {other:?}"),
        },
        "const" => value == x,
        "enum" => list(x).contains(value),
        "minimum" => !value.is_number() || number(value) >= number(x),
        "maximum" => !value.is_number() || number(value) <= number(x),
        "exclusiveMinimum" => !value.is_number() || number(value) > number(x),
        "items" => value.as_array().is_none_or(|a| a.iter().all(|v| valid(x, v))),
        "minItems" => value.as_array().is_none_or(|a| a.len() as f64 >= number(x)),
        "maxItems" => value.as_array().is_none_or(|a| a.len() as f64 <= number(x)),
        "minProperties" => value.as_object().is_none_or(|a| a.len() as f64 >= number(x)),
        "maxProperties" => value.as_object().is_none_or(|a| a.len() as f64 <= number(x)),
        "required" => {
            value.as_object().is_none_or(|o| list(x).iter().all(|k| o.contains_key(k.as_str().unwrap())))
        }
        "properties" => value
            .as_object()
            .is_none_or(|o| o.iter().all(|(k, v)| x.get(k).is_none_or(|rule| valid(rule, v)))),
        "additionalProperties" => value
            .as_object()
            .is_none_or(|o| o.iter().all(|(k, v)| schema["properties"].get(k).is_some() || valid(x, v))),
        "oneOf" => list(x).iter().filter(|s| valid(s, value)).count() == 1,
        "anyOf" => list(x).iter().any(|s| valid(s, value)),
        "not" => !valid(x, value),
        "pattern" | "description" | "default" | "examples" | "$schema" | "title" => true,
        other => panic!("the schema has a rule the test does not know: {other}"),
    })
}

#[test]
fn scenes_are_as_the_schema_says() {
    let schema = carom_scene::schema();
    for text in [BALL, EVERYTHING] {
        assert!(valid(&schema, &serde_json::from_str(text).unwrap()));
    }
}

/// What the schema refuses, the reader refuses as well.
#[test]
fn both_refuse() {
    let schema = carom_scene::schema();
    let cases = [
        ("\"radius\"", "\"radios\""),
        ("\"sphere\"", "\"spere\""),
        ("\"tanh\"", "\"tan\""),
        ("0.3", "0.6"),
        ("[1, 0, 0]", "[1, 0]"),
        ("\"fixed\": true", "\"fixed\": 1"),
        (
            "\"fixed\": true",
            "\"fixed\": true, \"motion\": { \"spin\": { \"axis\": [0, 0, 1], \"rate\": 1 } }",
        ),
        ("\"duration\": \"1 s\",", ""),
        ("\"rtol\": 1e-10", "\"rtol\": 0"),
        ("\"output_every\"", "\"output_at\": [0], \"output_every\""),
        ("\"axis\": [0, 0, 1], ", ""),
        ("\"Bouncing ball\"", "3"),
        ("\"slope\": 1000", "\"slope\": -1"),
    ];
    for (piece, by) in cases {
        assert!(BALL.contains(piece), "{piece}");
        let text = BALL.replacen(piece, by, 1);
        assert!(!valid(&schema, &serde_json::from_str(&text).unwrap()), "{by}");
        assert!(Scene::from_text(&text, Format::Json, "ball.json", &[]).is_err(), "{by}");
    }
}
