//! Draws legends: in the panels, where no curve is covered, or all in one beside them. They replace kuva's own, whose lines are
//! too short to show the dashes.

use std::collections::BTreeSet;

use kuva::render::render::{Primitive, Scene, TextAnchor};

use crate::figure::{Curve, Figure};
use crate::font;
use crate::look::{Look, Mark, passage};
use crate::markup::plain;
use crate::texts::text;

/// Text size, distance between entries, length of a sample, and gaps [px].
const SIZE: u32 = 13;
const LINE: f64 = 19.0;
const SAMPLE: f64 = 34.0;
const GAP: f64 = 7.0;

/// A line of a legend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    label: String,
    look: Look,
    mark: Mark,
}

/// The lines of a legend, in the order of the curves' numbers, whatever the order of drawing.
pub(crate) type Legend = Vec<Entry>;

fn of(figure: &Figure, curves: &[&Curve], with_own: bool) -> Legend {
    let mut seen = BTreeSet::new();
    let own = figure.entries.iter().filter(|_| with_own).map(|(label, look)| (label, look, Mark::Line));
    let mut curves = curves.to_vec();
    curves.sort_by_key(|c| c.n);
    let curves = curves.into_iter().map(|c| (&c.label, &c.look, c.mark));
    own.chain(curves)
        .filter(|(label, _, _)| !label.is_empty() && seen.insert(label.as_str()))
        .map(|(label, look, mark)| Entry { label: label.clone(), look: *look, mark })
        .collect()
}

/// Returns the legend of every panel. One whose curves are all named in the legend of an earlier panel has none.
pub(crate) fn of_panels(figure: &Figure) -> Vec<Legend> {
    let mut earlier: Vec<Legend> = Vec::new();
    for (i, panel) in figure.panels.iter().enumerate() {
        let legend = of(figure, &panel.curves.iter().collect::<Vec<_>>(), i == 0);
        let known = earlier.iter().any(|e| legend.iter().all(|entry| e.contains(entry)));
        earlier.push(if known { Vec::new() } else { legend });
    }
    earlier
}

/// Returns the width and height of a legend [px].
pub(crate) fn size(legend: &[Entry]) -> (f64, f64) {
    let widest = legend.iter().map(|e| width(&e.label)).fold(0.0, f64::max);
    (SAMPLE + widest + 3.0 * GAP, LINE * legend.len() as f64 + GAP)
}

/// Returns the width of a text; sub- and superscripts are smaller than assumed here.
fn width(label: &str) -> f64 {
    let size = f64::from(SIZE);
    // (a font that cannot be read is reported when the figure is written)
    let exact = font::font(false).and_then(|f| Ok(font::width(&f.face()?, &plain(label), size)));
    exact.unwrap_or(0.62 * size * label.chars().count() as f64)
}

/// Draws a legend with this upper left corner, on white that lets curves shine through.
pub(crate) fn draw(legend: &[Entry], (left, top): (f64, f64), scene: &mut Scene) {
    if legend.is_empty() {
        return;
    }
    let (width, height) = size(legend);
    scene.add(Primitive::Rect {
        x: left,
        y: top,
        width,
        height,
        fill: "#FFFFFF".into(),
        stroke: None,
        stroke_width: None,
        opacity: Some(0.85),
    });
    for (i, entry) in legend.iter().enumerate() {
        line(entry, left + GAP, top + 0.5 * GAP + (i as f64 + 0.5) * LINE, scene);
    }
}

/// The lines of the legend of all panels.
fn of_all(figure: &Figure) -> Legend {
    of(figure, &figure.panels.iter().flat_map(|p| &p.curves).collect::<Vec<_>>(), true)
}

/// Returns the width and height of one legend for all panels [px].
pub(crate) fn size_beside(figure: &Figure) -> (f64, f64) {
    size(&of_all(figure))
}

/// Draws one legend for all panels to the right of the scene. Each line is beside the first row of panels that has the curve;
/// `top` is the top of the first row, `row` the distance to the next.
pub(crate) fn beside(figure: &Figure, scene: &mut Scene, top: f64, row: f64) {
    let mut legend = of_all(figure);
    let left = scene.width;
    let has = |label: &str| figure.panels.iter().position(|p| p.curves.iter().any(|c| c.label == label));
    let row_of = |label: &str| has(label).map_or(0, |panel| panel / figure.columns);
    // (in the order of rows, so that none is pushed below its own)
    legend.sort_by_key(|entry| row_of(&entry.label));
    let mut next = top;
    for entry in &legend {
        let y = next.max(top + row * row_of(&entry.label) as f64) + 0.5 * LINE;
        next = y + 0.5 * LINE;
        line(entry, left, y, scene);
    }
    scene.width += size(&legend).0;
    scene.height = scene.height.max(next + GAP);
}

/// Draws names of lines below the scene, side by side, in as many rows as its width asks for.
pub(crate) fn below(names: &[(String, Look)], scene: &mut Scene) {
    let entry =
        |(label, look): &(String, Look)| Entry { label: label.clone(), look: *look, mark: Mark::Line };
    let entries: Vec<(Entry, f64)> = names
        .iter()
        .map(entry)
        .map(|entry| {
            let wide = SAMPLE + width(&entry.label) + 4.0 * GAP;
            (entry, wide)
        })
        .collect();
    let mut rest = &entries[..];
    while !rest.is_empty() {
        let mut wide = 0.0;
        let fits = |(_, w): &&(Entry, f64)| {
            wide += w;
            wide <= scene.width
        };
        let (row, after) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        let mut left = 0.5 * (scene.width - row.iter().map(|(_, w)| w).sum::<f64>()) + 1.5 * GAP;
        for (entry, wide) in row {
            line(entry, left, scene.height + 0.5 * LINE, scene);
            left += wide;
        }
        scene.height += LINE;
        rest = after;
    }
    scene.height += if names.is_empty() { 0.0 } else { GAP };
}

/// Draws one line of a legend.
fn line(entry: &Entry, left: f64, y: f64, scene: &mut Scene) {
    sample(&entry.look, entry.mark, left, y).into_iter().for_each(|p| scene.add(p));
    let at = (left + SAMPLE + GAP, y + 0.35 * f64::from(SIZE));
    scene.add(text(&entry.label, at, SIZE, TextAnchor::Start));
}

/// Draws a sample of the curve, to the right of `left`.
fn sample(look: &Look, mark: Mark, left: f64, y: f64) -> Vec<Primitive> {
    let line = Primitive::PolyLine {
        points: vec![(left, y), (left + SAMPLE, y)],
        stroke: look.colour.into(),
        stroke_width: look.width,
        stroke_dasharray: look.dashes.map(str::to_owned),
    };
    let bar = Primitive::Rect {
        x: left,
        y: y - 0.4 * f64::from(SIZE),
        width: SAMPLE,
        height: 0.8 * f64::from(SIZE),
        fill: look.colour.into(),
        stroke: None,
        stroke_width: None,
        opacity: None,
    };
    let dot = |share: f64, colour: &str| Primitive::Circle {
        cx: left + share * SAMPLE,
        cy: y,
        r: 3.0,
        fill: colour.into(),
        fill_opacity: None,
        stroke: None,
        stroke_width: None,
    };
    match mark {
        Mark::Line => vec![line],
        Mark::Dots => vec![line, dot(0.5, look.colour)],
        Mark::Points => vec![dot(0.5, look.colour)],
        Mark::Passage => [0.1, 0.3, 0.5, 0.7, 0.9].map(|share| dot(share, &passage(share))).into(),
        Mark::Bars => vec![bar],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Panel};

    #[test]
    fn a_panel_has_a_legend_unless_an_earlier_one_names_its_curves() {
        let panel = |labels: &[(&str, usize)]| {
            let curve = |(label, n): &(&str, usize)| Curve::new(*label, vec![(0.0, 0.0)], *n);
            Panel::new(Axis::linear("x"), Axis::linear("y")).curves(labels.iter().map(curve))
        };
        let figure = Figure::new(2)
            .panel(panel(&[("b", 1), ("a", 0)]))
            .panel(panel(&[("a", 0), ("c", 2)]))
            .panel(panel(&[("b", 1)]))
            .panel(panel(&[("", 3)]));
        let labels = |legend: &Legend| legend.iter().map(|e| e.label.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(of_panels(&figure).iter().map(labels).collect::<Vec<_>>(), ["a b", "a c", "", ""]);
    }
}
