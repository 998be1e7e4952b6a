//! SciPy, in a Python of its own that is told what to run.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::Outcome;
use crate::ring::{DURATION, place};

/// A Python at work, waiting for the next run.
pub(crate) struct Scipy {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    pub(crate) version: String,
    /// absolute over relative tolerance of every component
    atol: Vec<f64>,
}

impl Scipy {
    /// Starts Python and lets it compile; `length` [m] and `speed` [m/s] are what tolerances are in units of.
    pub(crate) fn start(description: &Value, length: f64, speed: f64) -> Result<Scipy, String> {
        let python = std::env::var("CAROM_BENCH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        match Command::new(&python).args(["-c", "import scipy, numba"]).output() {
            Err(e) => return Err(format!("{python} cannot be started: {e}")),
            Ok(o) if !o.status.success() => return Err(format!("{python} has no scipy or numba")),
            Ok(_) => {}
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/torus_scipy.py");
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
        let scales = [(length, 3), (1.0, 4), (speed, 3), (speed / length, 3)];
        let atol = scales.into_iter().flat_map(|(scale, n)| std::iter::repeat_n(scale, n)).collect();
        let mut peer = Scipy { child, to, from: BufReader::new(from), version: String::new(), atol };
        peer.version = peer.ask(description)?["version"].as_str().unwrap_or_default().to_owned();
        Ok(peer)
    }

    /// One run; with times, where the centre was then.
    pub(crate) fn run(
        &mut self,
        rates: &str,
        front: &str,
        rtol: f64,
        times: &[f64],
    ) -> Result<Outcome, String> {
        let said = self.ask(&json!({
            "rates": rates, "front": front, "rtol": rtol, "atol": self.atol, "duration": DURATION, "times": times,
        }))?;
        let number = |key: &str| said[key].as_f64().ok_or_else(|| format!("SciPy says no {key}"));
        Ok(Outcome {
            seconds: number("cpu")?,
            evaluations: number("evaluations")? as usize,
            steps: number("steps")? as usize,
            places: said["places"].as_array().into_iter().flatten().map(place).collect::<Result<_, _>>()?,
        })
    }

    /// A line of JSON there and one back.
    fn ask(&mut self, what: &Value) -> Result<Value, String> {
        writeln!(self.to, "{what}").and_then(|()| self.to.flush()).map_err(|e| format!("SciPy: {e}"))?;
        let mut line = String::new();
        match self.from.read_line(&mut line) {
            Ok(n) if n > 0 => serde_json::from_str(&line).map_err(|e| format!("{e}: {line}")),
            Ok(_) => Err("SciPy's Python ended early".to_owned()),
            Err(e) => Err(e.to_string()),
        }
    }
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
