//! How a command fails.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use carom::{AnalysisError, RunError, StaticsError};
use carom_results::ResultsError;
use carom_scene::{AnalyseError, SceneError};
use carom_studies::sweep::SweepError;

/// The exit code of a run that failed or was stopped, and of runs that differ.
const FAILED: u8 = 1;
/// Lines are not longer [letters].
const LONGEST: usize = 2000;
/// The exit code of an input that is wrong.
pub(crate) const WRONG_INPUT: u8 = 2;

/// Why a command did not do what was asked. The text is for people.
#[derive(Debug)]
pub(crate) enum Failure {
    /// the scene is wrong
    Scene(Box<SceneError>),
    /// the input is wrong
    Input(String),
    /// the run failed
    Run(String),
    /// the run was stopped, and has said so
    Stopped,
    /// two runs differ, as has been said
    Different,
    /// the reader of the output has gone: there is nothing to report
    Unheard,
}

impl Failure {
    /// Says it, and gives the exit code.
    pub(crate) fn say(self) -> ExitCode {
        let label = if colours() { "\u{1b}[1m\u{1b}[91merror\u{1b}[0m" } else { "error" };
        let (text, code) = match self {
            // it has a label of its own
            Failure::Scene(error) => (error.render(colours()), WRONG_INPUT),
            Failure::Input(text) => (format!("{label}: {text}"), WRONG_INPUT),
            Failure::Run(text) => (format!("{label}: {text}"), FAILED),
            Failure::Stopped | Failure::Different => return ExitCode::from(FAILED),
            Failure::Unheard => return ExitCode::SUCCESS,
        };
        let mut out = crate::text::stderr();
        out.colours = colours();
        // (a name or an expression of a scene may be as long as the scene)
        for line in text.trim_end().lines() {
            let short: String = line.chars().take(LONGEST).collect();
            let _ = writeln!(out, "{short}{}", if short.len() < line.len() { " …" } else { "" });
        }
        ExitCode::from(code)
    }
}

/// Whether errors may have colours: on a terminal that shows them, unless NO_COLOR asks for none.
fn colours() -> bool {
    let asked_for_none = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_none_or(|t| t == "dumb");
    io::stderr().is_terminal() && !asked_for_none && !dumb
}

/// Of writing to the standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::Unheard,
            _ => Failure::Run(format!("standard output: {error}")),
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Failure {
        Failure::Scene(Box::new(error))
    }
}

impl From<ResultsError> for Failure {
    fn from(error: ResultsError) -> Failure {
        let force = if error.may_be_forced() { ", or --force to add the results to it" } else { "" };
        if error.is_wrong_folder() {
            Failure::Input(format!("{error}{force}"))
        } else {
            Failure::Run(error.to_string())
        }
    }
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Failure {
        match error {
            SweepError::Scene(error) => Failure::from(error),
            other if other.may_be_restarted() => Failure::Input(format!("{other}, or --restart to lose it")),
            other if other.is_wrong_input() => Failure::Input(other.to_string()),
            other => Failure::Run(other.to_string()),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Integration { .. }
            | RunError::NoProgress { .. }
            | RunError::RanAway { .. }
            | RunError::Crowd { .. }
            | RunError::Sink { .. } => Failure::Run(error.to_string()),
            RunError::Start(error) => Failure::from(error),
            RunError::BadOption { .. }
            | RunError::Drive { .. }
            | RunError::Assembly { .. }
            | RunError::Model(_)
            | RunError::Method(_)
            | RunError::Input { .. }
            | RunError::Snapshot(_) => Failure::Input(error.to_string()),
        }
    }
}

impl From<AnalysisError> for Failure {
    fn from(error: AnalysisError) -> Failure {
        match error {
            AnalysisError::Stuck { .. } | AnalysisError::Forces { .. } => Failure::Run(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<AnalyseError> for Failure {
    fn from(error: AnalyseError) -> Failure {
        match error {
            AnalyseError::Mechanism(error) => Failure::from(error),
            AnalyseError::Statics(error) => Failure::from(error),
        }
    }
}

impl From<StaticsError> for Failure {
    fn from(error: StaticsError) -> Failure {
        match error {
            StaticsError::NoBody
            | StaticsError::Assembly(_)
            | StaticsError::DrivenJoint { .. }
            | StaticsError::Driven { .. }
            | StaticsError::Model(_) => Failure::Input(error.to_string()),
            _ => Failure::Run(error.to_string()),
        }
    }
}
