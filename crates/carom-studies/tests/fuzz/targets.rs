//! What is done with an input, and what must hold of the answer.

use std::fs;
use std::path::Path;

use carom_base::expression::{Expression, dimension_of};
use carom_base::number::push_field;
use carom_base::units;
use carom_results::records;
use carom_scene::{Format, Scene, shape_file};
use carom_studies::query::Query;
use carom_studies::sweep::Measure;

/// The examples, as far as they are short.
pub(super) fn example_scenes() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let files = files.into_iter().filter(|file| file.extension().is_some_and(|e| e == "toml" || e == "json"));
    let is_small = |text: &Vec<u8>| text.len() < 3000 && !text.windows(5).any(|word| word == b"crowd");
    files.map(|file| fs::read(file).unwrap()).filter(is_small).collect()
}

fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

/// A scene is read, or there is an error that says where; and what is read can be written out and read again.
pub(super) fn scene(input: &[u8]) -> String {
    let text = text(input);
    let (format, name) =
        if text.trim_start().starts_with('{') { (Format::Json, "a.json") } else { (Format::Toml, "a.toml") };
    match Scene::from_text(&text, format, name, &[]) {
        Err(error) => {
            assert!(!error.message().trim().is_empty() && !error.render(false).is_empty());
            error.message().to_owned()
        }
        Ok(scene) => {
            assert!(scene.duration > 0.0 && scene.duration.is_finite());
            let json = scene.source.json().to_string();
            let again =
                Scene::from_text(&json, Format::Json, name, &[]).map_err(|e| e.render(false)).unwrap();
            assert_eq!(scene.duration.to_bits(), again.duration.to_bits());
            match scene.simulation().check() {
                Ok(()) => "a scene".to_owned(),
                Err(error) => error.to_string(),
            }
        }
    }
}

/// A number with a unit is the number times the value of the unit.
pub(super) fn units(input: &[u8]) -> String {
    let text = text(input);
    match units::parse_any(&text) {
        Err(error) => error.to_string(),
        Ok((x, dimension)) => {
            let (number, unit) = units::written(&text).unwrap();
            if unit.is_empty() {
                assert!(x == number || x.is_nan() && number.is_nan(), "{text}");
            } else if let Ok((one, same)) = units::value_of(unit) {
                assert!(dimension.is_some_and(|d| d.same(&same)), "{text}");
                let product = number * one;
                let near =
                    (x - product).abs() <= 1e-12 * x.abs() || !product.is_finite() || product.abs() < 1e-300;
                assert!(near, "{text}: {x} {product}");
            }
            "a number".to_owned()
        }
    }
}

/// An expression has a value where its names have; its text gives the same value again.
pub(super) fn expression(input: &[u8]) -> String {
    let text = text(input);
    match Expression::parse(&text) {
        Err(error) => {
            assert!(error.at <= text.len() && text.is_char_boundary(error.at), "{text:?} {}", error.at);
            error.message
        }
        Ok(expression) => {
            let values: Vec<f64> = (0..expression.names().len()).map(|i| 0.3 + i as f64).collect();
            let value = expression.at(&values);
            let again = Expression::parse(expression.text()).unwrap();
            assert_eq!(value.to_bits(), again.at(&values).to_bits(), "{text:?}");
            let _ = (dimension_of(&expression, |_| None), expression.switches(), expression.smooth_pieces());
            match expression.complete() {
                Ok(()) => "an expression".to_owned(),
                Err(error) => error.message,
            }
        }
    }
}

/// A measure is read or refused.
pub(super) fn measure(input: &[u8]) -> String {
    match Measure::parse(&text(input)) {
        Ok(_) => "a measure".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn shape(input: &[u8], ending: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz/shape.{ending}"));
    fs::write(&path, input).unwrap();
    match shape_file::triangles(&path) {
        Ok(all) => {
            assert!(!all.is_empty() && all.iter().flatten().flatten().all(|x| x.is_finite()));
            "triangles".to_owned()
        }
        Err(error) => error.why,
    }
}

pub(super) fn stl(input: &[u8]) -> String {
    shape(input, "stl")
}

pub(super) fn obj(input: &[u8]) -> String {
    shape(input, "obj")
}

pub(super) fn ply(input: &[u8]) -> String {
    shape(input, "ply")
}

/// What was read of a table and is written again is read again as the same.
pub(super) fn csv(input: &[u8]) -> String {
    let text = text(input);
    let (lines, cut) = records(&text);
    let mut out = Vec::new();
    for (_, fields) in &lines {
        for field in fields {
            push_field(&mut out, field);
            out.push(b',');
        }
        *out.last_mut().unwrap() = b'\n';
    }
    let (again, _) = records(std::str::from_utf8(&out).unwrap());
    assert!(again.iter().map(|line| &line.1).eq(lines.iter().map(|line| &line.1)), "{text:?}");
    format!("{} {cut}", lines.len().min(5))
}

/// Every line has one answer, which is JSON; distances are numbers.
pub(super) fn query(input: &[u8]) -> String {
    let (mut query, mut shapes) = (Query::default(), String::new());
    for line in input.split(|b| *b == b'\n').take(4) {
        let mut out = Vec::new();
        let answered = query.answer(line, &mut out);
        assert!(out.ends_with(b"\n") && out.iter().filter(|b| **b == b'\n').count() == 1);
        let answer: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(answered, answer["distance"].is_number(), "{answer}");
        shapes += answer["error"].as_str().or(answer["method"].as_str()).unwrap_or("?");
    }
    shapes
}
