//! Distances, normals, points and all contacts against independent values (see data/README.md).

use carom_base::{Args, Mat3, Value};
use carom_geometry::proximity::ellipsoids::common_normals;
use carom_geometry::surfaces::Ellipsoid;
use carom_geometry::{Pose, Quat, Shape, Side, Vec3, pairs, surfaces};
use nalgebra::Quaternion;
use serde_json::Value as Json;

const TOLERANCE: f64 = 1e-12;

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn vector(json: &Json) -> Vec3 {
    Vec3::from_iterator(numbers(json))
}

fn shape(json: &Json) -> Shape {
    let mut args = Args::new();
    for (key, value) in json.as_object().unwrap() {
        match value {
            Json::Number(x) => args.set(key, Value::Number(x.as_f64().unwrap())),
            Json::Array(_) => args.set(key, Value::Numbers(numbers(value))),
            _ => {}
        }
    }
    let entry = surfaces::ALL.iter().find(|e| json["type"] == e.name).unwrap();
    let side = if json["side"] == "inside" { Side::Inside } else { Side::Outside };
    Shape { surface: entry.make(&args).unwrap(), side }
}

fn pose(json: &Json) -> Pose {
    if let Some(columns) = json["columns"].as_array() {
        let columns: Vec<Vec3> = columns.iter().map(vector).collect();
        return Pose { p: vector(&json["position"]), r: Mat3::from_columns(&columns) };
    }
    let q = numbers(&json["quaternion"]);
    let q = Quat::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    Pose::new(vector(&json["position"]), &q)
}

/// As many, with the same distances and the same indices (`oracles/common_normals.py`).
#[test]
fn all_common_normals_agree_with_independent_values() {
    let ellipsoid = |json: &Json| Ellipsoid::new(vector(&json["semi_axes"]).into()).unwrap();
    let mut lines = 0;
    for line in include_str!("data/common_normals.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let (id, expect) = (&case["id"], &case["expect"]);
        let (x_a, x_b) = (pose(&case["pose_a"]), pose(&case["pose_b"]));
        let found = common_normals(&ellipsoid(&case["a"]), &ellipsoid(&case["b"]), &x_a, &x_b).unwrap();
        let mut found: Vec<(f64, usize)> =
            found.all.iter().map(|c| ((c.contact.p_b - c.contact.p_a).norm(), c.index)).collect();
        found.sort_by(|x, y| x.0.total_cmp(&y.0));
        assert_eq!(found.len(), expect["count"].as_f64().unwrap() as usize, "{id}");
        let (distances, indices) = (numbers(&expect["distances"]), numbers(&expect["indices"]));
        for ((is, index), (should, expected)) in found.iter().zip(distances.iter().zip(&indices)) {
            assert!((is - should).abs() < 1e-13, "{id}: {is} {should}");
            assert!(*index == *expected as usize, "{id}: index {index} {expected}");
        }
        lines += 1;
    }
    assert_eq!(lines, 12);
}

#[test]
fn pairs_agree_with_independent_values() {
    let mut lines = 0;
    let files = [
        include_str!("data/pairs.jsonl"),
        include_str!("data/rings.jsonl"),
        include_str!("data/ellipsoids.jsonl"),
        include_str!("data/supers.jsonl"),
        include_str!("data/convex.jsonl"),
        include_str!("data/hard.jsonl"),
    ];
    for line in files.iter().flat_map(|file| file.lines()) {
        let case: Json = serde_json::from_str(line).unwrap();
        let (id, expect) = (&case["id"], &case["expect"]);
        let pair = pairs::bind(&shape(&case["a"]), &shape(&case["b"])).unwrap();
        let (x_a, x_b) = (pose(&case["pose_a"]), pose(&case["pose_b"]));
        let (_, c) = pair.nearest(&x_a, &x_b).unwrap();
        let distance = expect["distance"].as_f64().unwrap();
        assert!((distance + c.delta).abs() < TOLERANCE, "{id}: {distance} {}", -c.delta);
        for (name, found) in [("normal", c.n), ("point_a", c.p_a), ("point_b", c.p_b)] {
            // absent where other points are as near
            let Some(want) = expect.get(name) else { continue };
            // where flat poles face each other the points are some of many
            let flat = case["tags"].as_array().unwrap().iter().any(|tag| tag == "flat_pole");
            if flat && name != "normal" {
                continue;
            }
            let off = (vector(want) - found).norm();
            assert!(off < TOLERANCE, "{id}: {name} is off by {off}");
        }
        for contact in expect["all_contacts"].as_array().into_iter().flatten() {
            let k = (0..pair.features()).find(|k| contact["feature"] == pair.feature_name(*k)).unwrap();
            let c = pair.contact(k, &x_a, &x_b).unwrap();
            let distance = contact["signed_distance"].as_f64().unwrap();
            assert!((distance + c.delta).abs() < TOLERANCE, "{id} {k}: {distance} {}", -c.delta);
            assert!((vector(&contact["normal"]) - c.n).norm() < TOLERANCE, "{id} {k}");
        }
        lines += 1;
    }
    assert_eq!(lines, 34 + 53 + 11 + 6 + 57 + 14);
}

#[test]
fn hard_pairs_are_certified() {
    for line in include_str!("data/hard.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let pair = pairs::bind(&shape(&case["a"]), &shape(&case["b"])).unwrap();
        let found = pair.search(&pose(&case["pose_a"]), &pose(&case["pose_b"]), None).unwrap();
        let off = case["expect"]["distance"].as_f64().unwrap() + found.contact.delta;
        assert!(found.certified() && off.abs() < 1e-14, "{}: {off:e}, {found:?}", case["id"]);
    }
}
