//! Passes a run to several sinks, and allows it to be stopped.

use std::ops::ControlFlow;

use carom::{Event, Frame, Model, Moment, Pause, Sink, SinkError, Snapshot, Summary, Warning};

/// Passes a run to several sinks, one after the other. After every step it calls `go_on` with the time reached \[s\], which
/// decides whether the run continues.
///
/// ```
/// use std::ops::ControlFlow;
/// use carom_results::{About, Memory, Sinks};
/// use carom_scene::{Format, Scene};
/// let text = "run.duration = 1\nbody = [{ name = \"stone\", mass = 1, inertia = [1, 1, 1] }]";
/// let scene = Scene::from_text(text, Format::Toml, "stone.toml", &[])?;
/// let mut memory = Memory::new(About::from(&scene));
/// let mut go_on = |t: f64| if t < 0.01 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
/// let run = scene.simulation().run_into(&mut Sinks::new([&mut memory as _], &mut go_on))?;
/// assert!(run.summary.stopped);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sinks<'a> {
    sinks: Vec<&'a mut dyn Sink>,
    /// which of them want the snapshot that comes next
    wants: Vec<bool>,
    go_on: &'a mut dyn FnMut(f64) -> ControlFlow<()>,
    /// whether the run is still what it should be
    sound: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Sinks<'a> {
    /// Combines these sinks.
    pub fn new(
        sinks: impl IntoIterator<Item = &'a mut dyn Sink>,
        go_on: &'a mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Sinks<'a> {
        Sinks { sinks: sinks.into_iter().collect(), wants: Vec::new(), go_on, sound: None }
    }

    /// Takes no snapshots any more once `sound` says that the run is not what it should be, as after a function of the program has failed.
    pub fn snapshots_while(self, sound: &'a dyn Fn() -> bool) -> Sinks<'a> {
        Sinks { sound: Some(sound), ..self }
    }

    fn all(&mut self, mut tell: impl FnMut(&mut dyn Sink) -> Result<(), SinkError>) -> Result<(), SinkError> {
        self.sinks.iter_mut().try_for_each(|sink| tell(*sink))
    }
}

impl Sink for Sinks<'_> {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        self.all(|sink| sink.begin(model))
    }
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.all(|sink| sink.frame(frame))
    }
    fn wants_within(&self) -> bool {
        self.sinks.iter().any(|sink| sink.wants_within())
    }
    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        self.all(|sink| if sink.wants_within() { sink.within(moment) } else { Ok(()) })
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.all(|sink| sink.event(event))
    }
    fn warning(&mut self, warning: &Warning) -> Result<(), SinkError> {
        self.all(|sink| sink.warning(warning))
    }
    fn progress(&mut self, t: f64) -> ControlFlow<()> {
        (self.go_on)(t)?;
        self.sinks.iter_mut().try_for_each(|sink| sink.progress(t))
    }
    fn wants_snapshot(&mut self, pause: Pause) -> bool {
        self.wants.clear();
        self.wants.extend(self.sinks.iter_mut().map(|sink| sink.wants_snapshot(pause)));
        self.wants.contains(&true) && self.sound.is_none_or(|sound| sound())
    }
    fn snapshot(&mut self, pause: Pause, snapshot: &Snapshot) -> Result<(), SinkError> {
        let wanting = self.sinks.iter_mut().zip(&self.wants).filter(|(_, wants)| **wants);
        wanting.into_iter().try_for_each(|(sink, _)| sink.snapshot(pause, snapshot))
    }
    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.all(|sink| sink.end(summary))
    }
}
