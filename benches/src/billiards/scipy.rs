//! SciPy, in a Python of its own that is told when to run.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use carom::{BodyState, Model};
use serde_json::{Value, json};

use super::Outcome;

/// A Python at work, waiting for the next round.
pub(crate) struct Scipy {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    pub(crate) version: String,
    /// CPU time of a run [s], one a round
    pub(crate) times: Vec<f64>,
    pub(crate) outcome: Option<Outcome>,
}

impl Scipy {
    /// Starts Python and lets it compile.
    pub(crate) fn start(
        model: &Model,
        bodies: &[BodyState],
        rtol: f64,
        duration: f64,
    ) -> Result<Scipy, String> {
        let python = std::env::var("CAROM_BENCH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        match Command::new(&python).args(["-c", "import scipy, numba"]).output() {
            Err(e) => return Err(format!("{python} cannot be started: {e}")),
            Ok(o) if !o.status.success() => return Err(format!("{python} has no scipy or numba")),
            Ok(_) => {}
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/break_scipy.py");
        let mut child = Command::new(&python)
            .arg(script)
            .env("OMP_NUM_THREADS", "1")
            .env("OPENBLAS_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{python}: {e}"))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipe to Python".to_owned());
        };
        let from = BufReader::new(from);
        let mut peer = Scipy { child, to, from, version: String::new(), times: Vec::new(), outcome: None };
        peer.say(&description(model, bodies, rtol, duration).to_string())?;
        peer.version = peer.line()?["version"].as_str().unwrap_or_default().to_owned();
        Ok(peer)
    }

    /// One run.
    pub(crate) fn round(&mut self) -> Result<(), String> {
        self.say("round")?;
        let said = self.line()?;
        let number = |key: &str| said[key].as_f64().ok_or_else(|| format!("SciPy says no {key}"));
        self.times.push(number("cpu")?);
        let flat: Vec<f64> = said["end"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let end = flat.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        let (evaluations, steps) = (number("evaluations")? as usize, number("steps")? as usize);
        self.outcome = Some(Outcome { evaluations, steps, end });
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        writeln!(self.to, "{text}").and_then(|()| self.to.flush()).map_err(|e| format!("SciPy: {e}"))
    }

    fn line(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        match self.from.read_line(&mut line) {
            Ok(n) if n > 0 => serde_json::from_str(&line).map_err(|e| format!("{e}: {line}")),
            Ok(_) => Err("SciPy's Python ended early".to_owned()),
            Err(e) => Err(e.to_string()),
        }
    }
}

/// The model in numbers: those of `break.toml`.
fn description(model: &Model, bodies: &[BodyState], rtol: f64, duration: f64) -> Value {
    let vector = |v: [f64; 3]| json!(v);
    let place: Vec<Value> = bodies.iter().map(|b| vector(b.position.into())).collect();
    let velocity: Vec<Value> = bodies.iter().map(|b| vector(b.velocity.into())).collect();
    let scale = model.scale();
    json!({
        "place": place, "velocity": velocity, "radius": 0.028_575, "mass": 0.17,
        "k_balls": 5.262001600575186e8, "k_cloth": 1e8, "k_cushions": 1e8,
        "mu_balls": 0.06, "mu_cloth": 0.2, "mu_cushions": 0.2, "v0": 1e-4, "v1": 1e-2,
        "length": scale.length, "speed": scale.speed, "rtol": rtol, "duration": duration,
    })
}

impl Drop for Scipy {
    fn drop(&mut self) {
        // an empty line ends it
        if writeln!(self.to).and_then(|()| self.to.flush()).is_err() {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}
