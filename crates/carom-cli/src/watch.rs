//! A run under the eyes of a person: a bar, and a way to stop it.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom::{Event, Frame, Model, Sink, SinkError, Summary};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::human::{duration, seconds};

/// Runs that are done before show no bar.
const PATIENCE: Duration = Duration::from_millis(300);
/// The bar's end.
const FULL: f64 = 10_000.0;

/// Passes everything on to another sink; shows a bar on a terminal; ends the run when told to stop.
pub(crate) struct Watch<'a> {
    sink: &'a mut dyn Sink,
    duration: f64,
    start: Instant,
    may_show: bool,
    bar: Option<ProgressBar>,
    stop: &'static AtomicBool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(
        sink: &'a mut dyn Sink,
        duration: f64,
        quiet: bool,
        stop: &'static AtomicBool,
    ) -> Watch<'a> {
        let may_show = !quiet && io::stderr().is_terminal();
        Watch { sink, duration, start: Instant::now(), may_show, bar: None, stop }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn show(&mut self, t: f64) {
        if self.bar.is_none() {
            if self.start.elapsed() < PATIENCE {
                return;
            }
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(Some(FULL as u64), target);
            if let Ok(style) = ProgressStyle::with_template("  {bar:40} {percent:>3} %  {msg}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            let position = (FULL * t / self.duration) as u64;
            if position != bar.position() {
                let left = self.start.elapsed().as_secs_f64() * (self.duration / t - 1.0);
                bar.set_message(format!("t = {}    {} left", duration(t), seconds(left.ceil())));
                bar.set_position(position);
            }
        }
    }
}

impl Sink for Watch<'_> {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        self.sink.begin(model)
    }
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.sink.frame(frame)
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.sink.event(event)
    }
    fn progress(&mut self, t: f64) -> ControlFlow<()> {
        if self.may_show {
            self.show(t);
        }
        if self.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        self.sink.progress(t)
    }
    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.sink.end(summary)
    }
}

/// True once someone has asked the program to stop (Ctrl-C, or an order to end). The second time ends it at
/// once; the results are still whole lines.
pub(crate) fn stop_on_ctrl_c() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    // without a handler Ctrl-C ends the program as it would any other
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    });
    &STOP
}
