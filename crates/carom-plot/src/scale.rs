//! Draws maps with kuva: their rectangles or dots, and their colour scale beside the panel.

use kuva::plot::{BandPlot, ScatterPlot};
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, Scene, TextAnchor};

use crate::axis::{Axis, Span};
use crate::heat::{Heat, NONE, Over, colour, edges};

/// The colour scale: its width and the gap before it [px], its number of colours, and text sizes [px].
const WIDTH: f64 = 18.0;
const GAP: f64 = 10.0;
const STEPS: usize = 64;
const LETTERS: u32 = 13;
const LABEL: u32 = 14;
/// Upper limit on the average width of a letter, relative to the text size.
const LETTER: f64 = 0.62;
/// Width by which rectangles extend under their neighbours, so that no line shows between them [px].
const OVER: f64 = 0.6;
/// Radius of a dot [px], and the margin between dots and frame, as a fraction of the axis.
const DOT: f64 = 4.5;
const MARGIN: f64 = 0.03;

/// Returns the middles of columns or rows as they are drawn.
fn coordinates(axis: &Axis, all: &[f64]) -> Vec<f64> {
    all.iter().map(|x| axis.coordinate(*x).unwrap_or(f64::NAN)).collect()
}

/// Returns the ranges of the axes: from the first edge to the last, or around all dots.
pub(crate) fn spans(heat: &Heat, x: &Axis, y: &Axis) -> (Span, Span) {
    let (columns, rows) = match &heat.over {
        Over::Grid { x, y, .. } => (x, y),
        Over::Dots(dots) => {
            let around = |axis: &Axis, pick: fn(&(f64, f64, f64)) -> f64| {
                let coordinates = dots.iter().filter_map(|d| axis.coordinate(pick(d)));
                let (low, high) =
                    coordinates.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
                let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
                let room = if high > low { MARGIN * (high - low) } else { 0.5 };
                axis.exact(low - room, high + room)
            };
            return (around(x, |d| d.0), around(y, |d| d.1));
        }
    };
    let span = |axis: &Axis, all: &[f64]| {
        let edges = edges(&coordinates(axis, all));
        axis.exact(edges.first().copied().unwrap_or(0.0), edges.last().copied().unwrap_or(1.0))
    };
    (span(x, columns), span(y, rows))
}

/// Draws the rectangles or dots; `per_px` is the length of a pixel on both axes.
pub(crate) fn coloured(heat: &Heat, x: &Axis, y: &Axis, per_px: (f64, f64)) -> Vec<Plot> {
    let colour_of = heat.colours();
    let (columns, rows, values) = match &heat.over {
        Over::Grid { x, y, values } => (x, y, values),
        Over::Dots(dots) => {
            let shown =
                |d: &(f64, f64, f64)| Some(((x.coordinate(d.0)?, y.coordinate(d.1)?), colour_of(d.2)));
            let (coordinates, colours): (Vec<_>, Vec<_>) = dots.iter().filter_map(shown).unzip();
            let dots = ScatterPlot::new().with_data(coordinates).with_colors(colours).with_size(DOT);
            return vec![Plot::Scatter(dots)];
        }
    };
    let (across, up) = (edges(&coordinates(x, columns)), edges(&coordinates(y, rows)));
    let mut all = Vec::new();
    for (row, b) in values.iter().zip(up.windows(2)) {
        for (value, a) in row.iter().zip(across.windows(2)) {
            let (x, high) = ([a[0], a[1] + OVER * per_px.0], b[1] + OVER * per_px.1);
            let cell = BandPlot::new(x, [b[0]; 2], [high; 2]).with_color(colour_of(*value));
            all.push(Plot::Band(cell.with_opacity(1.0)));
        }
    }
    all
}

/// Adds the colour scale to the right of the scene, from `top` to `bottom`.
pub(crate) fn add(heat: &Heat, scene: &mut Scene, top: f64, bottom: f64) {
    let left = scene.width + GAP;
    let (low, high) = heat.range();
    let axis = Axis::linear("");
    let height = bottom - top;
    let rect = |y: f64, height: f64, fill: &str, line: Option<&str>| Primitive::Rect {
        x: left,
        y,
        width: WIDTH,
        height,
        fill: fill.into(),
        stroke: line.map(Into::into),
        stroke_width: line.map(|_| 1.0),
        opacity: None,
    };
    for i in 0..STEPS {
        let y = bottom - height * (i + 1) as f64 / STEPS as f64;
        let over = if i == 0 { 0.0 } else { OVER };
        scene.add(rect(y, height / STEPS as f64 + over, &colour((i as f64 + 0.5) / STEPS as f64), None));
    }
    scene.add(rect(top, height, "none", Some("black")));
    let text = |x: f64, y: f64, content: String, size: u32, rotate: Option<f64>| {
        let anchor = if rotate.is_some() { TextAnchor::Middle } else { TextAnchor::Start };
        Primitive::Text { x, y, content, size, anchor, rotate, bold: false, color: None }
    };
    let middle = 0.35 * f64::from(LETTERS);
    let mut widest = 0;
    let mut tick = |scene: &mut Scene, y: f64, words: String| {
        widest = widest.max(words.chars().count());
        let ends = [(left + WIDTH, y), (left + WIDTH + 4.0, y)];
        let (stroke, stroke_dasharray) = ("black".into(), None);
        scene.add(Primitive::PolyLine { points: ends.into(), stroke, stroke_width: 1.0, stroke_dasharray });
        scene.add(text(left + WIDTH + 8.0, y + middle, words, LETTERS, None));
    };
    if high > low {
        let step = axis.exact(low, high).step;
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        for i in first..=last {
            let value = i as f64 * step;
            tick(scene, bottom - height * (value - low) / (high - low), axis.tick(step, value));
        }
    } else {
        tick(scene, bottom - 0.5 * height, format!("{low}"));
    }
    let right = left + WIDTH + 8.0 + LETTER * f64::from(LETTERS) * widest as f64;
    if heat.has_gaps() {
        scene.add(rect(bottom + 12.0, 14.0, NONE, Some("black")));
        scene.add(text(left + WIDTH + 8.0, bottom + 19.0 + middle, "none".to_owned(), LETTERS, None));
    }
    let baseline = right.max(left + WIDTH + 40.0) + f64::from(LABEL);
    scene.add(text(baseline, 0.5 * (top + bottom), heat.label.clone(), LABEL, Some(-90.0)));
    scene.width = baseline + GAP;
}
