//! Distances from JSON lines.

use std::io::{BufReader, Read};

use carom_studies::query::{Count, Query, answer_all};
use proptest::prelude::*;
use serde_json::{Value, json};

const TOLERANCE: f64 = 1e-12;

fn ask(line: &str) -> Value {
    let mut out = Vec::new();
    Query::default().answer(line.as_bytes(), &mut out);
    assert_eq!(out.last(), Some(&b'\n'));
    serde_json::from_slice(&out).unwrap()
}

fn error(line: &str) -> String {
    ask(line)["error"].as_str().unwrap().to_owned()
}

fn numbers(json: &Value) -> Vec<f64> {
    json.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn off(a: &Value, b: &Value) -> f64 {
    numbers(a).iter().zip(numbers(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A ball over the vertex of the dish 4 x² + 4 y² − 4 z = 1, and beyond its rim.
#[test]
fn surfaces_that_end_at_a_box() {
    let dish = r#""type": "quadric", "coefficients": [4, 4, 0, 0, 0, -4]"#;
    let within = r#""within": { "min": [-1, -1, -1], "max": [1, 1, 0] }"#;
    let line = |a: &str, position: &str| {
        let b = r#"{ "type": "sphere", "radius": 0.1 }"#;
        format!(r#"{{ "a": {{ {a} }}, "b": {b}, "pose_b": {{ "position": {position} }} }}"#)
    };
    for side in ["", r#", "side": "inside""#] {
        let a = format!("{dish}, {within}{side}");
        let answer = ask(&line(&a, "[0, 0, 0]"));
        assert!((answer["distance"].as_f64().unwrap() - 0.15).abs() < TOLERANCE, "{answer}");
        // the rim is a circle of radius 0.5
        let answer = ask(&line(&a, "[0.8, 0, 0.4]"));
        assert!((answer["distance"].as_f64().unwrap() - 0.4).abs() < TOLERANCE, "{answer}");
    }
    assert!(error(&line(dish, "[0, 0, 0]")).contains("needs `within`"));
    let bad =
        [r#"{ "min": [0, 0, 0] }"#, r#"{ "min": [1, 0, 0], "max": [0, 1, 1] }"#, "[1, 2]", r#"{ "low": 1 }"#];
    for within in bad {
        let text = error(&line(&format!(r#"{dish}, "within": {within}"#), "[0, 0, 0]"));
        assert!(text.contains("min") && text.contains("max"), "{text}");
    }
}

/// Two balls: the line of their centres meets each of them twice.
#[test]
fn all_common_normals() {
    let line = |b: &str, all: &str| {
        let a = r#"{ "type": "ellipsoid", "semi_axes": [2, 2, 2] }"#;
        format!(r#"{{ "a": {a}, "b": {b}, "pose_b": {{ "position": [0, 0, 5] }}, "all": {all} }}"#)
    };
    let answer = ask(&line(r#"{ "type": "sphere", "radius": 1 }"#, "true"));
    let normals = answer["common_normals"].as_array().unwrap();
    let expected = [
        (2.0, "nearest", 0, true),
        (4.0, "saddle", 2, false),
        (-6.0, "saddle", 2, false),
        (-8.0, "furthest", 4, true),
    ];
    assert_eq!((normals.len(), &answer["complete"]), (4, &json!(true)));
    for (normal, (distance, kind, index, opposite)) in normals.iter().zip(expected) {
        assert!((normal["distance"].as_f64().unwrap() - distance).abs() < TOLERANCE, "{normal}");
        assert_eq!(normal["kind"], kind);
        assert_eq!(
            (normal["index"].as_f64(), &normal["opposite"]),
            (Some(f64::from(index)), &json!(opposite))
        );
        // p_b − p_a = distance · normal
        let [a, b, n] = ["point_a", "point_b", "normal"].map(|key| numbers(&normal[key]));
        for i in 0..3 {
            assert!((b[i] - a[i] - distance * n[i]).abs() < TOLERANCE, "{normal}");
        }
    }
    assert!((answer["distance"].as_f64().unwrap() - 2.0).abs() < TOLERANCE);
    let answer = ask(&line(r#"{ "type": "sphere", "radius": 1 }"#, "false"));
    assert!(answer.get("common_normals").is_none());
    let text = error(&line(r#"{ "type": "box", "size": [1, 1, 1] }"#, "true"));
    assert!(text.contains("`all`") && text.contains("ellipsoid and box"), "{text}");
    let text = error(&line(r#"{ "type": "sphere", "radius": 1 }"#, "1"));
    assert!(text.contains("`all`") && text.contains("true, false"), "{text}");
}

/// A ball beside a wedge that is given by its corners, and what is no list of corners.
#[test]
fn surfaces_of_points() {
    let line = |vertices: &str| {
        let b = r#"{ "type": "sphere", "radius": 0.5 }, "pose_b": { "position": [1, -2, 1] }"#;
        format!(r#"{{ "a": {{ "type": "polyhedron", "vertices": {vertices} }}, "b": {b} }}"#)
    };
    let answer = ask(&line("[[0, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3]]"));
    assert!((answer["distance"].as_f64().unwrap() - 1.5).abs() < TOLERANCE, "{answer}");
    for bad in
        ["[[0, 0, 0], [3, 0], [0, 3, 0], [0, 0, 3]]", "[1, \"two\", 3]", "7", "[]", "[[0, 0, 0], [1, 1, 1]]"]
    {
        assert!(!error(&line(bad)).is_empty(), "{bad}");
    }
}

#[test]
fn reference_pairs() {
    let mut query = Query::default();
    let mut lines = 0;
    let pairs = include_str!("../../carom-geometry/tests/data/pairs.jsonl");
    let rings = include_str!("../../carom-geometry/tests/data/rings.jsonl");
    let ellipsoids = include_str!("../../carom-geometry/tests/data/ellipsoids.jsonl");
    for line in pairs.lines().chain(rings.lines()).chain(ellipsoids.lines()) {
        let case: Value = serde_json::from_str(line).unwrap();
        let mut out = Vec::new();
        assert!(query.answer(line.as_bytes(), &mut out));
        let answer: Value = serde_json::from_slice(&out).unwrap();
        let (id, expect) = (&case["id"], &case["expect"]);
        assert_eq!(answer["id"], *id);
        let distance = answer["distance"].as_f64().unwrap() - expect["distance"].as_f64().unwrap();
        assert!(distance.abs() < TOLERANCE, "{id}: {distance}");
        for name in ["normal", "point_a", "point_b"] {
            // absent where other points are as near
            let Some(want) = expect.get(name) else { continue };
            assert!(off(&answer[name], want) < TOLERANCE, "{id}: {name}");
        }
        let contacts = answer["contacts"].as_array().unwrap();
        assert_eq!(contacts[0]["distance"], answer["distance"]);
        let distances: Vec<f64> = contacts.iter().map(|c| c["distance"].as_f64().unwrap()).collect();
        assert!(distances.is_sorted(), "{id}: {distances:?}");
        for want in expect["all_contacts"].as_array().into_iter().flatten() {
            let found = contacts.iter().find(|c| c["feature"] == want["feature"]).unwrap();
            let d = found["distance"].as_f64().unwrap() - want["signed_distance"].as_f64().unwrap();
            assert!(d.abs() < TOLERANCE && off(&found["normal"], &want["normal"]) < TOLERANCE, "{id}");
        }
        lines += 1;
    }
    assert_eq!(lines, 34 + 53 + 11);
}

#[test]
fn an_answer_in_full() {
    let line = r#"{"id":"x1","a":{"type":"box","size":[2,2,2]},"b":{"type":"sphere","radius":1},
        "pose_b":{"position":[0,0,2.5],"quaternion":[1,0,0,0]},"tags":["kept out"]}"#;
    let contact = r#""distance":0.5,"point_a":[0,0,1],"point_b":[0,0,1.5],"normal":[0,0,1]"#;
    let mut out = Vec::new();
    Query::default().answer(line.as_bytes(), &mut out);
    assert_eq!(
        String::from_utf8(out).unwrap(),
        format!(
            "{{\"id\":\"x1\",{contact},\"method\":\"sphere-any\",\"iterations\":0,\"unique\":true,\
             \"certified\":true,\"bounds\":[0.5,0.5],\"contacts\":[{{\"feature\":\"box\",{contact}}}]}}\n"
        )
    );
}

/// The algorithm by its name, its iterations, and what cannot be.
#[test]
fn an_algorithm_by_name() {
    let line = |solver: &str| {
        format!(
            r#"{{"a":{{"type":"ellipsoid","semi_axes":[1,2,3]}},"b":{{"type":"superellipsoid","semi_axes":[1,1,1],"exponents":[3,3,3]}},"pose_b":{{"position":[3,3,3]}}{solver}}}"#
        )
    };
    let usual = ask(&line(""));
    assert_eq!(usual["method"], "convex");
    assert!(usual["iterations"].as_u64().unwrap() > 0);
    for (solver, method) in [
        (r#","solver":"common-normal""#, "common-normal"),
        (r#","solver":{"type":"common-normal","tangents":"auxiliary"}"#, "common-normal-auxiliary"),
        (
            r#","solver":{"type":"common-normal","start":"between","absolute_tolerance":1e-6,"pseudo_inverse":1e-6,"reflect":true}"#,
            "common-normal",
        ),
        (r#","solver":{"type":"common-normal","form":"parametric"}"#, "common-normal-parametric"),
        (r#","solver":"convex""#, "convex"),
    ] {
        let answer = ask(&line(solver));
        assert_eq!((&answer["method"], &answer["unique"]), (&json!(method), &json!(true)));
        assert!((3..10).contains(&answer["iterations"].as_u64().unwrap()), "{answer}");
        for key in ["point_a", "point_b", "normal"] {
            assert!(off(&answer[key], &usual[key]) < 1e-9, "{solver} {key}");
        }
    }
    for (solver, why) in [
        (
            r#","solver":"comon-normal""#,
            "`solver`: no solver is called `comon-normal`; did you mean `common-normal`?",
        ),
        (r#","solver":{"type":"common-normal","tangents":"aux"}"#, "allowed: one of householder, auxiliary"),
        (r#","solver":{"tangents":"auxiliary"}"#, "a solver needs its `type`"),
        (r#","solver":3"#, "expected a solver: its name, or an object with a `type`"),
        (r#","solver":"sphere-any""#, "sphere-any does not know ellipsoid against superellipsoid"),
        (r#","solvr":"convex""#, "there is no key `solvr`; did you mean `solver`?"),
    ] {
        assert!(error(&line(solver)).contains(why), "{}", error(&line(solver)));
    }
    // the same surfaces by another algorithm are another pair
    let mut query = Query::default();
    for (solver, method) in
        [("", "convex"), (r#","solver":"common-normal""#, "common-normal"), ("", "convex")]
    {
        let mut out = Vec::new();
        query.answer(line(solver).as_bytes(), &mut out);
        assert_eq!(serde_json::from_slice::<Value>(&out).unwrap()["method"], method);
    }
}

#[test]
fn the_normal_points_from_a_to_b_whatever_the_order() {
    let ball = json!({"type": "sphere", "radius": 0.5});
    let can = json!({"type": "cylinder", "radius": 1, "length": 4, "side": "inside"});
    let at = json!({"position": [0.25, 0, 0]});
    let straight = ask(&json!({"a": can, "b": ball, "pose_b": at}).to_string());
    let swapped = ask(&json!({"a": ball, "pose_a": at, "b": can}).to_string());
    assert_eq!(straight["distance"], 0.25);
    assert_eq!(straight["distance"], swapped["distance"]);
    assert_eq!(straight["normal"], json!([-1, 0, 0])); // from the wall into the cavity
    assert_eq!(swapped["normal"], json!([1, 0, 0]));
    assert_eq!(straight["point_a"], swapped["point_b"]);
    assert_eq!(straight["contacts"].as_array().unwrap().len(), 3);
}

#[test]
fn points_that_are_not_the_only_ones() {
    let sphere = |r: f64| json!({"type": "sphere", "radius": r});
    let inside = |mut s: Value| {
        s["side"] = json!("inside");
        s
    };
    let brick = json!({"type": "box", "size": [2, 2, 2]});
    let can = json!({"type": "cylinder", "radius": 1, "length": 4});
    let plane = json!({"type": "plane"});
    let ring = || json!({"type": "torus", "major_radius": 1, "minor_radius": 0.1});
    let tilted = json!([0.9998000066665778, 0.01999866669333308, 0, 0]);
    let flat = json!([1, 0, 0, 0]);
    for (a, b, position, quaternion, unique) in [
        (inside(sphere(3.0)), sphere(1.0), [0.0, 0.0, 0.0], &flat, false), // concentric
        (inside(sphere(3.0)), sphere(1.0), [1e-3, 0.0, 0.0], &flat, true),
        (sphere(3.0), sphere(1.0), [0.0, 0.0, 0.0], &flat, false),
        (sphere(3.0), sphere(1.0), [0.0, 5.0, 0.0], &flat, true),
        (brick.clone(), sphere(1.0), [0.0, 0.0, 0.0], &flat, false), // six faces as near
        (brick.clone(), sphere(1.0), [0.5, 0.5, 0.0], &flat, false), // two
        (brick.clone(), sphere(1.0), [0.5, 0.4, 0.0], &flat, true),
        (brick.clone(), sphere(1.0), [3.0, 3.0, 3.0], &flat, true),
        (inside(can.clone()), sphere(0.5), [0.0, 0.0, 0.5], &flat, false), // on the axis
        (inside(can.clone()), sphere(0.5), [0.5, 0.0, 1.5], &flat, false), // barrel and cap as near
        (inside(can.clone()), sphere(0.5), [0.4, 0.0, 0.0], &flat, true),
        (plane.clone(), sphere(1.0), [7.0, -3.0, 0.0], &flat, true),
        (plane.clone(), sphere(1.0), [1e6, 1e6, 0.5], &flat, true),
        (plane.clone(), brick.clone(), [0.0, 0.0, 2.0], &flat, false), // a face to the plane
        (plane.clone(), brick.clone(), [0.0, 0.0, 2.0], &tilted, false), // an edge
        (plane.clone(), can.clone(), [0.0, 0.0, 2.0], &flat, false),   // standing
        (plane.clone(), can, [0.0, 0.0, 2.0], &tilted, true),
        (ring(), ring(), [0.0, 0.0, 0.5], &flat, false), // on one axis
        (ring(), ring(), [0.3, 0.0, 0.5], &flat, false), // two places
        (ring(), ring(), [0.0, 0.0, 0.5], &tilted, true),
    ] {
        let pose = json!({"position": position, "quaternion": quaternion});
        let line = json!({"a": a, "b": b, "pose_b": pose}).to_string();
        assert_eq!(ask(&line)["unique"], unique, "{line}");
    }
}

/// Two convex solids, by whatever algorithm, apart, touching and in one another, and one of them above a plane: bounds meet at the distance. What is not convex has none.
#[test]
fn distances_of_convex_solids_are_certified() {
    let convex = [
        json!({"type": "sphere", "radius": 1}),
        json!({"type": "box", "size": [2, 2, 2]}),
        json!({"type": "cylinder", "radius": 1, "length": 2}),
        json!({"type": "capsule", "radius": 0.5, "length": 1}),
        json!({"type": "cone", "radius": 1, "length": 2}),
        json!({"type": "ellipsoid", "semi_axes": [1, 0.9, 1]}),
        json!({"type": "superellipsoid", "semi_axes": [1, 1, 1], "exponents": [4, 4, 4]}),
    ];
    let others = [
        json!({"type": "torus", "major_radius": 1, "minor_radius": 0.3}),
        json!({"type": "supertorus", "semi_axes": [0.3, 0.3], "major_radius": 1, "exponents": [3, 3]}),
        json!({"type": "sphere", "radius": 5, "side": "inside"}),
    ];
    let ask_at = |a: &Value, b: &Value, z: f64| {
        let line = json!({"a": a, "b": b, "pose_b": {"position": [0.1, 0.2, z]}}).to_string();
        let answer = ask(&line);
        assert!(answer["error"].is_null(), "{line}: {answer}");
        (line, answer)
    };
    let plane = json!({"type": "plane"});
    for b in &convex {
        for a in convex.iter().chain([&plane]) {
            for z in [3.0, 2.0, 1.9, 0.3] {
                let (line, answer) = ask_at(a, b, z);
                assert_eq!(answer["certified"], true, "{line}: {answer}");
                let (d, bounds) = (answer["distance"].as_f64().unwrap(), numbers(&answer["bounds"]));
                let near = |bound: &f64| (bound - d).abs() < 4.0 * TOLERANCE;
                assert!(bounds[0] <= bounds[1] && bounds.iter().all(near), "{line}: {answer}");
            }
        }
        for a in &others {
            let (line, answer) = ask_at(a, b, 2.5);
            assert_eq!((&answer["certified"], &answer["bounds"]), (&json!(false), &Value::Null), "{line}");
        }
    }
}

#[test]
fn bad_lines_say_what_is_wrong() {
    let ball = r#"{"type":"sphere","radius":1}"#;
    let with_b = |rest: &str| format!(r#"{{"a":{ball},"b":{ball}{rest}}}"#);
    assert_eq!(error(""), "the line is empty");
    assert_eq!(error("  \t"), "the line is empty");
    assert_eq!(error("hello"), "expected value (column 1)");
    assert_eq!(error("[1,2]"), "invalid type: sequence, expected an object with `a` and `b` (column 0)");
    assert_eq!(error("{}"), "`a` is missing: a surface");
    assert_eq!(error(&format!(r#"{{"a":{ball}}}"#)), "`b` is missing: a surface");
    let spere = error(&format!(r#"{{"a":{{"type":"spere","radius":1}},"b":{ball}}}"#));
    assert!(spere.starts_with("`a`: no surface is called `spere`; did you mean `sphere`?"), "{spere}");
    let unknown = error(&format!(r#"{{"a":{ball},"b":{{"type":"sphere","radius":1,"colour":2}}}}"#));
    assert_eq!(unknown, "`b`: sphere has no `colour`; it has radius");
    let negative = error(&format!(r#"{{"a":{ball},"b":{{"type":"sphere","radius":-1}}}}"#));
    assert_eq!(negative, "`b`: sphere: `radius` is -1; allowed: greater than 0");
    let long = error(&with_b(r#","pose_a":{"quaternion":[2,0,0,0]}"#));
    assert!(long.starts_with("`quaternion` is [2, 0, 0, 0], of length 2; allowed: length 1"), "{long}");
    let pose = error(&with_b(r#","pose_a":{"at":[2,0,0]}"#));
    assert!(pose.starts_with("a pose has no `at`; it has position, quaternion"), "{pose}");
    let short = error(&with_b(r#","pose_a":{"position":[2,0]}"#));
    assert!(short.starts_with("invalid length 2"), "{short}");
    let side = error(r#"{"a":{"type":"sphere","radius":1,"side":"left"},"b":{"type":"plane"}}"#);
    assert!(side.starts_with("`side` is \"left\"; allowed: outside, inside"), "{side}");
    let wall = error(&format!(r#"{{"a":{{"type":"plane","side":"inside"}},"b":{ball}}}"#));
    assert!(wall.starts_with("plane has no inside"), "{wall}");
    let pair = error(r#"{"a":{"type":"plane"},"b":{"type":"plane"}}"#);
    assert!(pair.starts_with("plane against plane has no distance: both are without end"), "{pair}");
}

#[test]
fn the_id_comes_back_with_an_error_too() {
    assert_eq!(ask(r#"{"a":3,"id":[1,"b"]}"#)["id"], json!([1, "b"]));
    let mut out = Vec::new();
    Query::default().answer(br#"{"id":12345678901234567890123}"#, &mut out); // as it came, whatever it is
    assert!(out.starts_with(br#"{"id":12345678901234567890123,"error":"#));
    assert_eq!(ask(r#"{"a":3,"id":"#).get("id"), None);
}

/// Gives its bytes a few at a time, as a slow pipe does.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.len().min(buf.len()).min(7);
        buf[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

#[test]
fn a_bad_line_does_not_stop_the_rest() {
    let good = r#"{"a":{"type":"plane"},"b":{"type":"sphere","radius":1},"pose_b":{"position":[0,0,3]}}"#;
    let text = format!("{good}\nnonsense\n\n{good}\r\n\u{fffd}\n{good}"); // the last without a newline
    let mut straight = Vec::new();
    let count = answer_all(&mut text.as_bytes(), &mut straight).unwrap();
    assert_eq!(count, Count { answers: 3, errors: 3 });
    let answers: Vec<Value> = String::from_utf8(straight.clone())
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let kinds: Vec<bool> = answers.iter().map(|a| a["distance"] == json!(2)).collect();
    assert_eq!(kinds, [true, false, false, true, false, true]);

    let mut slow = Vec::new();
    answer_all(&mut BufReader::new(Drops(text.as_bytes())), &mut slow).unwrap();
    assert_eq!(straight, slow);
    let mut nothing = Vec::new();
    assert_eq!(answer_all(&mut &b""[..], &mut nothing).unwrap(), Count::default());
    assert!(nothing.is_empty());
}

#[test]
fn lines_that_only_move_the_same_pair_are_answered_alike() {
    let mut query = Query::default();
    let (mut kept, mut fresh) = (Vec::new(), Vec::new());
    for i in 0..50 {
        let radius = 1 + (i / 10) % 2;
        let line = json!({"a": {"type": "box", "size": [1, 2, 3]}, "b": {"type": "sphere", "radius": radius},
                          "pose_b": {"position": [i, 3 - i, 1]}})
        .to_string();
        query.answer(line.as_bytes(), &mut kept);
        Query::default().answer(line.as_bytes(), &mut fresh);
    }
    assert_eq!(kept, fresh);
}

/// One line in, one out, whatever is in it.
fn one_answer(line: &[u8]) {
    let mut out = Vec::new();
    Query::default().answer(line, &mut out);
    assert_eq!(out.iter().position(|b| *b == b'\n'), Some(out.len() - 1));
    let answer: Value = serde_json::from_slice(&out).unwrap();
    assert!(answer.get("error").is_some() != answer["distance"].is_number(), "{answer}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_an_answer(line in proptest::collection::vec(any::<u8>(), 0..60)) {
        let line: Vec<u8> = line.into_iter().filter(|b| *b != b'\n').collect();
        one_answer(&line);
    }

    #[test]
    fn a_damaged_line_gets_an_answer(
        case in 0..25usize,
        at in any::<prop::sample::Index>(),
        by in prop_oneof![Just("\"null\""), Just("1e308"), Just("-1e999"), Just("{"), Just("]"), Just("0"), Just("")],
        cut in 0..20usize,
    ) {
        let data = include_str!("../../carom-geometry/tests/data/pairs.jsonl");
        let line = data.lines().nth(case).unwrap();
        let at = at.index(line.len());
        let end = (at + cut).min(line.len());
        one_answer(&[&line.as_bytes()[..at], by.as_bytes(), &line.as_bytes()[end..]].concat());
    }
}

/// A cube of triangles from a file over a can, and what is said of files that are wrong.
#[test]
fn meshes_from_files() {
    let place = std::env::temp_dir().join(format!("carom-query-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    let cube = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 0\nv 0 0 2\nv 2 0 2\nv 0 2 2\nv 2 2 2\n\
                f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(place.join("cube.obj"), cube).unwrap();
    std::fs::write(place.join("open.obj"), cube.replace("f 1 3 4 2\n", "")).unwrap();
    let file = |name: &str| place.join(name).display().to_string();
    let can = json!({"type": "cylinder", "radius": 0.005, "length": 0.02});
    let ask_of = |mesh: Value, z: f64| {
        ask(&json!({"a": mesh, "b": can, "pose_b": {"position": [0.01, 0.005, z]}}).to_string())
    };
    let mesh = json!({"type": "mesh", "file": file("cube.obj"), "unit": "cm"});
    let answer = ask_of(mesh, 0.033);
    assert!((answer["distance"].as_f64().unwrap() - 0.003).abs() < 1e-15, "{answer}");
    assert_eq!((&answer["method"], &answer["unique"]), (&json!("mesh"), &json!(false)));
    assert!(off(&answer["normal"], &json!([0, 0, 1])) < 1e-15);
    // its mirror image in x is beside the can
    let mirrored = json!({"type": "mesh", "file": file("cube.obj"), "unit": "cm", "mirrored": true});
    let answer = ask_of(mirrored, 0.01);
    assert!((answer["distance"].as_f64().unwrap() - 0.005).abs() < 1e-15, "{answer}");
    // its convex hull is a polyhedron
    let hull = json!({"type": "mesh", "file": file("open.obj"), "unit": "cm", "hull": true});
    let answer = ask_of(hull, 0.033);
    assert!((answer["distance"].as_f64().unwrap() - 0.003).abs() < 1e-15, "{answer}");
    assert_eq!(answer["method"], "convex-any");
    for (mesh, why) in [
        (json!({"type": "mesh", "file": file("open.obj")}), "bounds no solid: the surface is not closed"),
        (json!({"type": "mesh", "file": file("cub.obj")}), "did you mean `cube.obj`?"),
        (json!({"type": "mesh"}), "`file`"),
        (json!({"type": "mesh", "file": file("cube.obj"), "unit": "kg"}), "allowed: one of m, cm, mm"),
        (
            json!({"type": "mesh", "file": file("cube.obj"), "hul": true}),
            "mesh has no `hul`; it has file, unit, scale, hull",
        ),
        (json!({"type": "mush", "file": "a"}), "did you mean `mesh`?"),
    ] {
        let answer = ask_of(mesh, 0.0);
        assert!(answer["error"].as_str().is_some_and(|text| text.contains(why)), "{why}: {answer}");
    }
    std::fs::remove_dir_all(&place).unwrap();
}

/// A disc in a ball touches along its rim: the algorithm for cavities refuses that, and another one answers.
#[test]
fn the_method_is_the_one_that_answered() {
    let line = |axes: [f64; 3]| {
        json!({"a": {"type": "sphere", "radius": 0.6, "side": "inside"},
               "b": {"type": "ellipsoid", "semi_axes": axes}})
    };
    assert_eq!(ask(&line([0.1, 0.11, 0.12]).to_string())["method"], "cavity");
    let answer = ask(&line([0.5, 0.5, 0.05]).to_string());
    assert_eq!(answer["method"], "apart", "{answer}");
    assert!((answer["distance"].as_f64().unwrap() - 0.1).abs() < 1e-12, "{answer}");
}

#[test]
fn keys_are_given_once() {
    let line = r#"{"a":{"type":"plane"},"b":{"type":"sphere","radius":1,"radius":2}}"#;
    assert_eq!(error(line), "the key `radius` is given twice (column 62)");
    let line = r#"{"a":{"type":"plane"},"a":{"type":"plane"},"b":{"type":"plane"}}"#;
    assert!(error(line).starts_with("the key `a` is given twice"));
}

/// A line that never ends is given up, before it fills the memory.
#[test]
fn a_line_has_an_end() {
    let mut endless = BufReader::new(std::io::repeat(0));
    let error = answer_all(&mut endless, &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "line 1 is longer than 16 MB: that is no query");
}
