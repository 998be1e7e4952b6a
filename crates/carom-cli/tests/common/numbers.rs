//! Numbers of results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use super::{Said, csv, example, json};

/// A line of a CSV file, by column.
pub type Line = HashMap<String, String>;

/// The results of an example: the folder they are in, and what the program said.
#[derive(Clone)]
pub struct ExampleRun {
    pub folder: PathBuf,
    pub said: String,
}

/// Runs an example, unless another test has done so: some take seconds.
pub fn example_run(name: &str) -> ExampleRun {
    static DONE: LazyLock<Mutex<HashMap<String, Arc<OnceLock<ExampleRun>>>>> = LazyLock::new(Mutex::default);
    let cell = DONE.lock().unwrap().entry(name.to_owned()).or_default().clone();
    let run = || {
        let stem = name.split('.').next().unwrap();
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples").join(stem);
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(["run", &example(name)]).current_dir(&place).env_remove("NO_COLOR");
        let said = Said::new(command.output().unwrap()).done();
        ExampleRun { folder: place.join("out").join(stem), said }
    };
    cell.get_or_init(run).clone()
}

/// The states, the events and the summary of an example.
pub fn run(name: &str) -> (Vec<Line>, Vec<Line>, serde_json::Value) {
    let ExampleRun { folder, .. } = example_run(name);
    (csv(folder.join("states.csv")), csv(folder.join("events.csv")), json(folder.join("summary.json")))
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
