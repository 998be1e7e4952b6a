//! Runs that a program takes from one time to the next. A thread owns the run and answers commands: so it can borrow its scene, and the interpreter is free meanwhile.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use carom::Snapshot;
use carom_results::ResultSet;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::command::{Answer, Command, Record, Refused, Reply};
use crate::error::Raised;
use crate::run::{Run, SIGNALS};
use crate::stepper;

/// The ends of the channels to and from the thread.
struct Link {
    commands: Sender<Command>,
    answers: Receiver<Answer>,
    /// set to stop the command that is carried out
    stop: Arc<AtomicBool>,
    t: f64,
}

/// A run in progress.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Stepping {
    scene: Arc<carom_scene::Scene>,
    /// none once it has ended
    link: Mutex<Option<Link>>,
}

/// What a run has recorded up to a time.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Recorded {
    record: Record,
}

/// Whether it was done, why the run failed, and what a function of the scene raised.
type Outcome<T> = (Option<T>, Option<String>, Option<PyErr>);

impl Stepping {
    /// Starts a run of a scene.
    pub(crate) fn start(
        py: Python<'_>,
        scene: &Arc<carom_scene::Scene>,
        raised: &Arc<Raised>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Stepping, Option<String>, Option<PyErr>)> {
        let (commands, asked) = channel();
        let (tell, answers) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (owned, functions, flag) = (scene.clone(), raised.clone(), stop.clone());
        let work = move || stepper::work(&owned, &functions, &flag, progress, &asked, &tell);
        thread::Builder::new().name("carom-run".to_owned()).spawn(work)?;
        let stepping = Stepping {
            scene: scene.clone(),
            link: Mutex::new(Some(Link { commands, answers, stop, t: 0.0 })),
        };
        let (_, failed, raised) = stepping.wait(py)?;
        Ok((stepping, failed, raised))
    }

    /// Has a command carried out.
    fn ask(&self, py: Python<'_>, command: Command) -> PyResult<Outcome<Reply>> {
        let sent = py.detach(|| match self.link.lock() {
            Ok(link) => link.as_ref().is_some_and(|link| link.commands.send(command).is_ok()),
            Err(_) => false,
        });
        if sent { self.wait(py) } else { Ok((None, Some(ENDED.to_owned()), None)) }
    }

    /// Waits for an answer without holding the interpreter. Ctrl-C stops what is done, in good order.
    fn wait(&self, py: Python<'_>) -> PyResult<Outcome<Reply>> {
        let mut interrupted = None;
        let answer = py.detach(|| {
            let mut link = self.link.lock().ok()?;
            let link = link.as_mut()?;
            loop {
                match link.answers.recv_timeout(SIGNALS) {
                    Ok(answer) => {
                        link.stop.store(false, Ordering::Relaxed);
                        link.t = answer.t;
                        return Some(answer);
                    }
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(signal) = Python::attach(|py| py.check_signals()) {
                            interrupted = Some(signal);
                            link.stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
        });
        if let Some(signal) = interrupted {
            return Err(signal);
        }
        match answer.map(|answer| answer.reply) {
            None => Ok((None, Some(ENDED.to_owned()), None)),
            Some(Ok(reply)) => Ok((Some(reply), None, None)),
            Some(Err(Refused::Run(why))) => Ok((None, Some(why), None)),
            Some(Err(Refused::Function(raised))) => Ok((None, None, Some(raised))),
            Some(Err(Refused::Raised(raised))) => Err(raised),
        }
    }

    fn run(&self, kept: ResultSet, text: String) -> Run {
        Run::new(self.scene.clone(), kept, text)
    }
}

/// Why nothing can be asked of it any more.
const ENDED: &str = "the run has ended: scene.start() begins another";

#[pymethods]
impl Stepping {
    /// The time reached [s].
    #[getter]
    fn t(&self, py: Python<'_>) -> f64 {
        let reached = || self.link.lock().ok().and_then(|link| link.as_ref().map(|link| link.t));
        py.detach(reached).unwrap_or(f64::NAN)
    }

    /// Advances to a time [s], and says whether the run continues beyond it.
    fn advance(&self, py: Python<'_>, until: f64) -> PyResult<Outcome<bool>> {
        let (reply, failed, raised) = self.ask(py, Command::Advance(until))?;
        Ok((reply.map(|reply| matches!(reply, Reply::GoesOn(true))), failed, raised))
    }

    /// The state at the time reached, as results of one output time.
    fn state(&self, py: Python<'_>) -> PyResult<Outcome<Run>> {
        let (reply, failed, raised) = self.ask(py, Command::State)?;
        let Some(Reply::State(kept)) = reply else { return Ok((None, failed, raised)) };
        Ok((Some(self.run(kept, String::new())), failed, raised))
    }

    /// Sets inputs of the scene at the time reached.
    fn set(&self, py: Python<'_>, inputs: Vec<(String, f64)>) -> PyResult<Outcome<bool>> {
        let (reply, failed, raised) = self.ask(py, Command::Set(inputs))?;
        Ok((reply.map(|_| true), failed, raised))
    }

    /// All that the rest of the run depends on, as bytes, and what was recorded before.
    fn checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Outcome<(Bound<'py, PyBytes>, Recorded)>> {
        let (reply, failed, raised) = self.ask(py, Command::Checkpoint)?;
        let Some(Reply::Checkpoint(bytes, record)) = reply else { return Ok((None, failed, raised)) };
        Ok((Some((PyBytes::new(py, &bytes), Recorded { record })), failed, raised))
    }

    /// Goes on from such bytes.
    fn rewind(
        &self,
        py: Python<'_>,
        bytes: &[u8],
        recorded: Option<&Bound<'_, Recorded>>,
    ) -> PyResult<Outcome<bool>> {
        let record = recorded.map(|recorded| recorded.get().record.clone());
        let snapshot = match Snapshot::from_bytes(bytes) {
            Ok(snapshot) => Box::new(snapshot),
            Err(why) => return Ok((None, Some(why.to_string()), None)),
        };
        let (reply, failed, raised) = self.ask(py, Command::Rewind(snapshot, record))?;
        Ok((reply.map(|_| true), failed, raised))
    }

    /// Ends the run, and gives what was done beside why it failed.
    fn finish(&self, py: Python<'_>, folder: Option<PathBuf>, force: bool) -> PyResult<Outcome<Run>> {
        let (reply, failed, raised) = self.ask(py, Command::Finish(folder, force))?;
        self.close(py);
        let Some(Reply::Finished(all)) = reply else { return Ok((None, failed, raised)) };
        let (kept, text, failed) = *all;
        Ok((Some(self.run(kept, text)), failed, raised))
    }

    /// Lets the run go: its thread ends.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            if let Ok(mut link) = self.link.lock() {
                *link = None;
            }
        });
    }
}
