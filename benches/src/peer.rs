//! Exudyn, in a Python of its own that is told when to run.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

/// A Python at work, waiting for the next round.
pub(crate) struct Peer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    pub(crate) version: String,
    pub(crate) settings: Vec<Setting>,
    /// the smallest energy error of all it tried
    pub(crate) best_error: f64,
}

/// A cheapest setting in an error class.
pub(crate) struct Setting {
    pub(crate) class: f64,
    pub(crate) setting: String,
    pub(crate) error: f64,
    /// CPU time of a run [s], one a round
    pub(crate) times: Vec<f64>,
}

impl Peer {
    /// Starts Python and lets it find its cheapest settings.
    pub(crate) fn start() -> Result<Peer, String> {
        let python = std::env::var("CAROM_BENCH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let known = Command::new(&python).args(["-c", "import exudyn, numpy"]).output();
        match known {
            Err(e) => return Err(format!("{python} cannot be started: {e}")),
            Ok(o) if !o.status.success() => return Err(format!("{python} has no exudyn or numpy")),
            Ok(_) => {}
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/job1_exudyn.py");
        let mut child = Command::new(&python)
            .arg(script)
            .env("OMP_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{python}: {e}"))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipe to Python".to_owned());
        };
        let mut peer = Peer {
            child,
            to,
            from: BufReader::new(from),
            version: String::new(),
            settings: Vec::new(),
            best_error: f64::NAN,
        };
        let head = peer.line()?;
        peer.version = text(&head, "version")?;
        peer.best_error = number(&head, "best_error")?;
        for _ in 0..number(&head, "settings")? as usize {
            let v = peer.line()?;
            peer.settings.push(Setting {
                class: number(&v, "class")?,
                setting: text(&v, "setting")?,
                error: number(&v, "energy_error")?,
                times: Vec::new(),
            });
        }
        Ok(peer)
    }

    /// One run with every setting.
    pub(crate) fn round(&mut self) -> Result<(), String> {
        writeln!(self.to, "round").and_then(|()| self.to.flush()).map_err(|e| format!("Exudyn: {e}"))?;
        for i in 0..self.settings.len() {
            let v = self.line()?;
            self.settings[i].times.push(1e-3 * number(&v, "cpu_ms")?);
        }
        Ok(())
    }

    /// The next line of JSON; Exudyn says things of its own in between.
    fn line(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.from.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
                return Err("Exudyn's Python ended early".to_owned());
            }
            if line.starts_with('{') {
                return serde_json::from_str(&line).map_err(|e| format!("{e}: {line}"));
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // an empty line ends it
        if writeln!(self.to).and_then(|()| self.to.flush()).is_err() {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}

fn number(v: &Value, key: &str) -> Result<f64, String> {
    v[key].as_f64().ok_or_else(|| format!("no {key} in {v}"))
}

fn text(v: &Value, key: &str) -> Result<String, String> {
    v[key].as_str().map(str::to_owned).ok_or_else(|| format!("no {key} in {v}"))
}
