//! Errors that show their position in the file.

use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::tree::Span;

/// A text that a scene is read from: the file, a replaced value (`--set`), or an included part. A copy that a pattern makes
/// has the text of what it is a copy of, and a note.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    /// the name of the text in messages
    pub(crate) name: String,
    pub(crate) text: Arc<str>,
    /// what errors in it say besides, as which copy it is
    pub(crate) note: Option<String>,
}

impl Source {
    pub(crate) fn new(name: &str, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.to_owned(), text: text.into(), note: None }
    }
}

/// A message about an error: what is wrong, where, and what would be right. It is not yet tied to the texts.
#[derive(Clone, Debug)]
pub struct Problem {
    title: String,
    marks: Vec<Mark>,
    notes: Vec<Note>,
}

#[derive(Clone, Debug)]
struct Mark {
    span: Span,
    label: String,
    primary: bool,
}

#[derive(Clone, Debug)]
enum Note {
    Note(String),
    Help(String),
}

impl Problem {
    /// Makes a message from a one-line statement of what is wrong.
    pub fn new(title: impl Into<String>) -> Problem {
        Problem { title: title.into(), marks: Vec::new(), notes: Vec::new() }
    }

    /// Marks the position of the error, with a label to show there.
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Problem {
        self.marks.push(Mark { span, label: label.into(), primary: true });
        self
    }

    /// Marks another position that is related to the error.
    pub(crate) fn context(mut self, span: Span, label: impl Into<String>) -> Problem {
        self.marks.push(Mark { span, label: label.into(), primary: false });
        self
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Problem {
        self.notes.push(Note::Note(text.into()));
        self
    }

    /// Adds a hint about what would be right.
    pub fn help(mut self, text: impl Into<String>) -> Problem {
        self.notes.push(Note::Help(text.into()));
        self
    }

    /// Adds the most similar allowed word, if there is one, and the list of all allowed words.
    pub fn allowed(self, given: &str, allowed: &[&str]) -> Problem {
        let out = self.nearest(similar(given, allowed));
        match allowed {
            [] => out,
            _ => out.note(format!("allowed: {}", allowed.join(", "))),
        }
    }

    /// Adds the word that was probably meant, if there is one.
    pub(crate) fn nearest(self, word: Option<String>) -> Problem {
        match word {
            Some(word) => self.help(format!("did you mean `{word}`?")),
            None => self,
        }
    }

    /// Marks a position, if none is marked yet.
    pub(crate) fn or_at(self, span: &Span) -> Problem {
        if self.marks.is_empty() { self.at(span.clone(), "") } else { self }
    }

    /// Marks the same positions in another text.
    pub(crate) fn moved_to(mut self, source: usize) -> Problem {
        self.marks.iter_mut().for_each(|mark| mark.span.source = source);
        self
    }

    pub(crate) fn with(self, sources: &[Source]) -> SceneError {
        // the texts are copied, so that the message can be rendered when they are gone
        SceneError { problem: self, sources: sources.to_vec() }
    }
}

/// Finds the word that was probably meant: a misspelt one, or the only one that begins with the given letters.
fn similar(given: &str, allowed: &[&str]) -> Option<String> {
    let longer = || {
        let mut words = allowed.iter().filter(|w| given.len() > 2 && w.starts_with(given));
        words.next().filter(|_| words.next().is_none()).map(|w| (*w).to_owned())
    };
    if given.is_empty() { None } else { carom::words::nearest(given, allowed).or_else(longer) }
}

/// An error in a scene. Its text shows the position in the file, what is allowed, and the nearest valid word.
///
/// ```
/// use carom_scene::{Format, Scene};
/// let error = Scene::from_text("[run]\nduratoin = 1", Format::Toml, "ball.toml", &[]).unwrap_err();
/// assert!(error.to_string().contains("did you mean `duration`?"));
/// assert_eq!(error.line_column(), Some((2, 1)));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", self.render(false))]
pub struct SceneError {
    problem: Problem,
    sources: Vec<Source>,
}

impl SceneError {
    /// Returns the whole message, with or without terminal colours.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let title = Level::ERROR.primary_title(&*self.problem.title);
        let mut group = Group::with_title(title);
        for (i, source) in self.sources.iter().enumerate() {
            let here: Vec<&Mark> = self.problem.marks.iter().filter(|p| p.span.source == i).collect();
            if here.is_empty() {
                continue;
            }
            let mut snippet = Snippet::source(&*source.text).path(&*source.name);
            for mark in here {
                let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                let mut annotation = kind.span(clamped(&source.text, &mark.span));
                // what is wrong has the note of its text below; what is shown besides has it here
                let note = source.note.as_deref().filter(|_| !mark.primary);
                let label: Vec<&str> = [mark.label.as_str(), note.unwrap_or_default()]
                    .into_iter()
                    .filter(|l| !l.is_empty())
                    .collect();
                if !label.is_empty() {
                    annotation = annotation.label(label.join(": "));
                }
                snippet = snippet.annotation(annotation);
            }
            group = group.element(snippet);
        }
        for note in &self.problem.notes {
            group = group.element(match note {
                Note::Note(text) => Level::NOTE.message(&**text),
                Note::Help(text) => Level::HELP.message(&**text),
            });
        }
        for note in self.source_notes() {
            group = group.element(Level::NOTE.message(note));
        }
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }

    /// Returns the notes of the texts in which the error is.
    fn source_notes(&self) -> Vec<&str> {
        let mut notes: Vec<&str> = Vec::new();
        for mark in self.problem.marks.iter().filter(|m| m.primary) {
            let note = self.sources.get(mark.span.source).and_then(|s| s.note.as_deref());
            notes.extend(note.filter(|n| !notes.contains(n)));
        }
        notes
    }

    /// Returns what is wrong in one line, without the position.
    pub fn message(&self) -> &str {
        &self.problem.title
    }

    /// Returns what is wrong and what is allowed or was probably meant, in one line.
    pub fn in_a_line(&self) -> String {
        let notes = self.problem.notes.iter().map(|note| match note {
            Note::Help(text) | Note::Note(text) => text.as_str(),
        });
        std::iter::once(self.message())
            .chain(notes)
            .chain(self.source_notes())
            .collect::<Vec<_>>()
            .join("; ")
            .replace('\n', "; ")
    }

    /// Returns the line and column of the error, counted from 1, if it has a position.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let mark = self.problem.marks.iter().find(|p| p.primary)?;
        let text = &self.sources.get(mark.span.source)?.text;
        let before = &text[..clamped(text, &mark.span).start];
        let line = before.rfind('\n').map_or(0, |i| i + 1);
        Some((before.matches('\n').count() + 1, before[line..].chars().count() + 1))
    }
}

/// Limits the span to the text, at boundaries of whole characters.
fn clamped(text: &str, span: &Span) -> std::ops::Range<usize> {
    let floor = |i: usize| (0..=i.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    let start = floor(span.range.start);
    start..floor(span.range.end).max(start)
}
