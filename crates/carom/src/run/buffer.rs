//! A sink that holds back what a step reports until the program that steps a run has passed it.

use super::sink::{Sink, SinkError};
use crate::model::Model;
use crate::record::{Event, Frame, Moment, Warning};

/// What a step has reported, in its order.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    begins: bool,
    within: bool,
    items: Vec<Item>,
}

#[derive(Debug)]
enum Item {
    Frame(Box<Frame>),
    Moment(Box<Moment>),
    Event(Event),
    Warning(Warning),
}

impl Item {
    /// Returns its time [s]; a warning has none.
    fn t(&self) -> f64 {
        match self {
            Item::Frame(frame) => frame.t,
            Item::Moment(moment) => moment.t,
            Item::Event(event) => event.t,
            Item::Warning(_) => f64::INFINITY,
        }
    }
}

impl Buffer {
    /// Creates a buffer for a sink.
    pub(super) fn of(sink: &dyn Sink) -> Buffer {
        Buffer { within: sink.wants_within(), ..Buffer::default() }
    }

    /// Passes on everything that is later than `after` [s] and not later than `until` [s], and keeps what is later than that.
    pub(super) fn pass_on(
        &mut self,
        model: &Model,
        (after, until): (f64, f64),
        sink: &mut dyn Sink,
    ) -> Result<(), SinkError> {
        if std::mem::take(&mut self.begins) {
            sink.begin(model)?;
        }
        let (now, later) = std::mem::take(&mut self.items).into_iter().partition(|item| item.t() <= until);
        self.items = later;
        let now: Vec<Item> = now;
        for item in now.into_iter().filter(|item| item.t() > after) {
            match item {
                Item::Frame(frame) => sink.frame(&frame)?,
                Item::Moment(moment) => sink.within(&moment)?,
                Item::Event(event) => sink.event(&event)?,
                Item::Warning(warning) => sink.warning(&warning)?,
            }
        }
        Ok(())
    }
}

impl Sink for Buffer {
    fn begin(&mut self, _: &Model) -> Result<(), SinkError> {
        self.begins = true;
        Ok(())
    }
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.items.push(Item::Frame(Box::new(frame.clone())));
        Ok(())
    }
    fn wants_within(&self) -> bool {
        self.within
    }
    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        self.items.push(Item::Moment(Box::new(moment.clone())));
        Ok(())
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.items.push(Item::Event(event.clone()));
        Ok(())
    }
    fn warning(&mut self, warning: &Warning) -> Result<(), SinkError> {
        self.items.push(Item::Warning(warning.clone()));
        Ok(())
    }
}
