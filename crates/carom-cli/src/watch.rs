//! A run under the eyes of a person: a bar, and a way to stop it.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom::{Sink, SinkError, Warning};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::human::seconds;

/// Work that is done before shows no bar.
const PATIENCE: Duration = Duration::from_millis(300);
/// The bar's end.
const FULL: f64 = 10_000.0;

/// How far work is, on a terminal.
pub(crate) struct Bar {
    start: Instant,
    may_show: bool,
    bar: Option<ProgressBar>,
}

impl Bar {
    pub(crate) fn new(quiet: bool) -> Bar {
        Bar { start: Instant::now(), may_show: !quiet && io::stderr().is_terminal(), bar: None }
    }

    /// Shows that this share of the work is done; `what` says how far that is.
    pub(crate) fn show(&mut self, share: f64, what: impl FnOnce() -> String) {
        if !self.may_show || (self.bar.is_none() && self.start.elapsed() < PATIENCE) {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(Some(FULL as u64), target);
            if let Ok(style) = ProgressStyle::with_template("  {bar:40} {percent:>3} %  {msg}") {
                bar.set_style(style);
            }
            bar
        });
        let position = (FULL * share) as u64;
        if position != bar.position() {
            let left = self.start.elapsed().as_secs_f64() * (1.0 / share - 1.0);
            bar.set_message(format!("{}    {} left", what(), seconds(left.ceil())));
            bar.set_position(position);
        }
    }

    /// Says something at once, above the bar if there is one.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        let print = || writeln!(crate::text::stderr(), "{text}");
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Says at once what a run warns of while it goes on.
pub(crate) struct Aloud<'a> {
    pub(crate) bar: &'a RefCell<Bar>,
    pub(crate) quiet: bool,
}

impl Sink for Aloud<'_> {
    fn warning(&mut self, warning: &Warning) -> Result<(), SinkError> {
        if !self.quiet {
            self.bar.borrow_mut().say(&format!("warning: {warning}"))?;
        }
        Ok(())
    }
}

/// Makes a limit on the size of files (`ulimit -f`) an error of the file, as a full disk is, in place of the end of the program.
pub(crate) fn meet_file_size_limits() {
    #[cfg(unix)]
    {
        // (if there is none of that number, files have no limits)
        let met = std::sync::Arc::new(AtomicBool::new(false));
        let signal = rustix::process::Signal::XFSZ.as_raw();
        drop(signal_hook::flag::register(signal, met));
    }
}

/// Whether to go on: until someone asks the program to stop.
pub(crate) fn go_on() -> ControlFlow<()> {
    if stop_on_ctrl_c().load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// True once someone has asked the program to stop (Ctrl-C, or an order to end). The second time ends it at
/// once; the results are still whole lines.
pub(crate) fn stop_on_ctrl_c() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    static HANDLER: OnceLock<()> = OnceLock::new();
    HANDLER.get_or_init(|| {
        // without a handler Ctrl-C ends the program as it would any other
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(1);
            }
        });
    });
    &STOP
}
