//! Numbers of results.

use std::collections::HashMap;

use super::{Place, csv, example, json};

/// A line of a CSV file, by column.
pub type Line = HashMap<String, String>;

/// Runs an example: its states and events, and its summary.
pub fn run(name: &str) -> (Vec<Line>, Vec<Line>, serde_json::Value) {
    let place = Place::new(&format!("example-{name}"));
    place.carom(&["run", &example(name), "-o", "results", "--quiet"]).done();
    let file = |name: &str| place.path("results").join(name);
    (csv(file("states.csv")), csv(file("events.csv")), json(file("summary.json")))
}

/// In the results in `folder` whatever touches closes: no point that has left is seen to touch on its way out.
pub fn touches_close(folder: &std::path::Path) {
    for event in csv(folder.join("events.csv")).iter().filter(|event| event["kind"] == "touch") {
        assert!(value(event, "speed") >= 0.0, "{}: {event:?}", folder.display());
    }
}

pub fn value(line: &Line, column: &str) -> f64 {
    line[column].parse().unwrap()
}

pub fn vector(line: &Line, columns: [&str; 3]) -> [f64; 3] {
    columns.map(|c| value(line, c))
}

pub fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
