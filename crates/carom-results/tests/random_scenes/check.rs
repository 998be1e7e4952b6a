//! Runs a scene and looks for what must not be.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

use carom_results::Sinks;
use carom_scene::{Format, Scene};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

use crate::eye::Eye;

/// Errors of audits that are no surprise, in units of the tolerance.
const SLACK: f64 = 1000.0;

/// Of given steps, in units of what they themselves show.
const ESTIMATES: f64 = 10.0;

/// Words of the warnings by which a run says that it is not to be trusted.
const DOUBTS: [&str; 4] = ["do not trust", "too long", "surfaces overlapped", "touches and releases"];

/// Words of the errors that a run may end with: what the model cannot do, said so.
const JUSTIFIED: [&str; 6] = [
    "it jams",
    "loads balance here",
    "leaps from wall to wall",
    "has come out of the hollow one",
    "where that angle is not defined",
    "the motion has run away",
];

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// what must not be: of which kind, and what
    pub(crate) faults: Vec<(&'static str, String)>,
    /// what the run itself said of its own exactness
    pub(crate) warned: Vec<String>,
    /// the error by which it ended, if the model is to blame
    pub(crate) ended: Option<String>,
    /// processor time \[s\]
    pub(crate) time: f64,
    pub(crate) touches: usize,
}

impl Report {
    pub(crate) fn fault(&mut self, kind: &'static str, what: impl Into<String>) {
        if !self.faults.iter().any(|(k, _)| *k == kind) {
            self.faults.push((kind, what.into()));
        }
    }

    /// The kinds of faults, for shrinking: a smaller scene must have one of them too.
    pub(crate) fn kinds(&self) -> Vec<&'static str> {
        self.faults.iter().map(|(k, _)| *k).collect()
    }
}

/// Runs a scene for that time of the processor \[s\] at most, in a thread of its own, so that one that never comes back is told.
pub(crate) fn run(scene: &Value, longest: f64) -> Report {
    let (send, receive) = mpsc::channel();
    let text = scene.to_string();
    std::thread::spawn(move || {
        let report = catch_unwind(AssertUnwindSafe(|| judge(&text, longest))).unwrap_or_else(|why| {
            let why = why.downcast_ref::<String>().cloned();
            let mut report = Report::default();
            report.fault("panic", why.unwrap_or_else(|| "without words".to_owned()));
            report
        });
        let _ = send.send(report);
    });
    receive.recv_timeout(Duration::from_secs(600)).unwrap_or_else(|_| {
        let mut report = Report::default();
        report.fault("hangs", "a step that does not come back");
        report
    })
}

fn processor() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 + 1e-9 * t.tv_nsec as f64
}

fn judge(text: &str, longest: f64) -> Report {
    let mut report = Report::default();
    let start = processor();
    let scene = match Scene::from_text(text, Format::Json, "random", &[]) {
        Ok(scene) => scene,
        Err(why) => {
            report.fault("refused", why.message());
            return report;
        }
    };
    let mut eye = Eye::new(&scene);
    let mut go_on = |_: f64| {
        if processor() - start < longest { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let run = scene.simulation().run_into(&mut Sinks::new([&mut eye as _], &mut go_on));
    report.time = processor() - start;
    match run {
        Err(why) => {
            let why = why.to_string();
            match JUSTIFIED.iter().any(|j| why.contains(j)) {
                true => report.ended = Some(why),
                false => report.fault("failed", why),
            }
        }
        Ok(run) => {
            let s = &run.summary;
            report.touches = s.touches;
            let said = s.warnings.iter().map(|w| w.warning.to_string());
            report.warned = said.filter(|w| DOUBTS.iter().any(|d| w.contains(d))).collect();
            if s.stopped {
                let (t, steps) = (s.t_end, s.stats.steps);
                report.fault("slow", format!("at t = {t:e} of {} s after {steps} steps", scene.duration));
            }
            if report.warned.is_empty() {
                let given = |e: carom::StepEstimate| [e.energy, e.momentum, e.angular_momentum];
                let allowed = match s.audit.estimate {
                    // (outputs are between steps, where a cubic is not as exact as momentum at their ends)
                    Some(e) => given(e).map(|e| (ESTIMATES * e).clamp(1e-6, 1e-2)),
                    None => [SLACK * s.rtol; 3],
                };
                eye.audits(allowed, &mut report);
            }
        }
    }
    eye.overlaps_and_touches(&mut report);
    if report.warned.iter().any(|w| w.contains("surfaces overlapped")) {
        report.faults.retain(|(kind, _)| *kind != "overlap");
    }
    report
}
