//! SciPy, in a Python of its own.
//!
//! The right-hand sides there are Python: its evaluations and errors count, its times are those of an interpreter.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use carom_ode::problems::{self, Problem};
use serde_json::{Value, json};

use super::{Contender, Family, Jacobians, Job, Work};

/// The library's name in tables.
pub(crate) const NAME: &str = "SciPy";

/// A Python at work, waiting for jobs.
struct Python {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

struct Scipy {
    python: Rc<RefCell<Python>>,
    method: &'static str,
    family: Family,
}

/// SciPy's methods and its version, or why there are none.
pub(crate) fn all() -> Result<(Vec<Box<dyn Contender>>, String), String> {
    let (python, version) = Python::start()?;
    let python = Rc::new(RefCell::new(python));
    for p in problems::ALL {
        python.borrow_mut().check(p)?;
    }
    let methods = [
        ("RK45", Family::Five),
        ("DOP853", Family::Eight),
        ("LSODA", Family::Switching),
        ("Radau", Family::Radau),
        ("BDF", Family::Bdf),
    ];
    let contender = |(method, family)| {
        Box::new(Scipy { python: Rc::clone(&python), method, family }) as Box<dyn Contender>
    };
    Ok((methods.map(contender).into_iter().collect(), version))
}

impl Contender for Scipy {
    fn library(&self) -> &'static str {
        NAME
    }
    fn method(&self) -> &'static str {
        self.method
    }
    fn family(&self) -> Family {
        self.family
    }
    fn run(&self, job: &Job) -> Result<Work, String> {
        self.solve(job).map(|(work, _)| work)
    }
    fn measured(&self, job: &Job) -> Option<Result<(Work, f64), String>> {
        Some(self.solve(job))
    }
}

impl Scipy {
    fn solve(&self, job: &Job) -> Result<(Work, f64), String> {
        let p = job.problem;
        let jacobian = match job.jacobians {
            Jacobians::Exact => "exact",
            Jacobians::Differences => "differences",
        };
        let answer = self.python.borrow_mut().ask(&json!({
            "problem": p.name, "method": self.method, "rtol": job.rtol, "atol": p.absolute(job.rtol),
            "t0": p.t0, "t_end": p.t_end, "y0": p.start(), "jacobian": jacobian,
            "limit": job.limit.as_secs_f64(),
        }))?;
        if let Some(why) = answer["failed"].as_str() {
            return Err(why.to_owned());
        }
        let count = |key: &str| answer[key].as_u64().map(|n| n as usize);
        let needed = |key: &str| count(key).ok_or_else(|| format!("no {key} in {answer}"));
        let work = Work {
            end: numbers(&answer, "end")?,
            evaluations: needed("evaluations")?,
            jacobians: count("jacobians"),
            factorizations: count("factorizations"),
            steps: needed("steps")?,
        };
        let cpu = answer["cpu"].as_f64().ok_or_else(|| format!("no cpu in {answer}"))?;
        Ok((work, cpu))
    }
}

impl Python {
    fn start() -> Result<(Python, String), String> {
        let python = std::env::var("CAROM_BENCH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        match Command::new(&python).args(["-c", "import scipy, numpy"]).output() {
            Err(e) => return Err(format!("{python} cannot be started: {e}")),
            Ok(o) if !o.status.success() => return Err(format!("{python} has no scipy or numpy")),
            Ok(_) => {}
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/work_precision_scipy.py");
        let mut child = Command::new(&python)
            .arg(script)
            .envs([("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{python}: {e}"))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipe to Python".to_owned());
        };
        let mut python = Python { child, to, from: BufReader::new(from) };
        let head = python.line()?;
        let version = head["version"].as_str().unwrap_or("of unknown version").to_owned();
        Ok((python, version))
    }

    fn ask(&mut self, job: &Value) -> Result<Value, String> {
        writeln!(self.to, "{job}").and_then(|()| self.to.flush()).map_err(|e| format!("SciPy: {e}"))?;
        self.line()
    }

    /// The next line of JSON; Fortran says things of its own in between.
    fn line(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.from.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
                return Err("SciPy's Python ended early".to_owned());
            }
            if line.starts_with('{') {
                return serde_json::from_str(&line).map_err(|e| format!("{e}: {line}"));
            }
        }
    }

    /// Whether both sides speak of the same problem: rates and Jacobian at a place where no term is 0.
    fn check(&mut self, p: &Problem) -> Result<(), String> {
        let n = p.dim();
        let y: Vec<f64> = (0..n).map(|i| 0.7 + 0.2 * (1.7 * i as f64).sin() + 0.01 * i as f64).collect();
        let answer = self.ask(&json!({"check": true, "problem": p.name, "y0": y}))?;
        let (mut rates, mut jacobian) = (vec![0.0; n], vec![0.0; n * n]);
        (p.rhs)(0.0, &y, &mut rates);
        if let Some(exact) = p.jacobian {
            exact(0.0, &y, &mut |i, j, value| jacobian[i * n + j] = value);
        }
        for (key, own) in [("rates", rates), ("jacobian", jacobian)] {
            let largest = own.iter().fold(0.0f64, |s, v| s.max(v.abs()));
            let theirs = numbers(&answer, key)?;
            let same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * largest;
            if theirs.len() != own.len() || !theirs.iter().zip(&own).all(same) {
                return Err(format!("{}: the {key} in Python are not those in Rust", p.name));
            }
        }
        Ok(())
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // an empty line ends it
        if writeln!(self.to).and_then(|()| self.to.flush()).is_err() {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}

fn numbers(v: &Value, key: &str) -> Result<Vec<f64>, String> {
    let array = v[key].as_array().ok_or_else(|| format!("no {key} in {v}"))?;
    array.iter().map(|n| n.as_f64().ok_or_else(|| format!("{n} is no number"))).collect()
}
