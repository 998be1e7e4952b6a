//! Draws the legend beside the panels. It replaces kuva's own, whose lines are too short to show the dashes.

use std::collections::BTreeSet;

use kuva::render::render::{Primitive, Scene, TextAnchor};

use crate::figure::{Curve, Figure};
use crate::look::{Look, Mark, passage};
use crate::markup::plain;

/// Text size, distance between entries, length of a sample, and gaps [px].
const SIZE: u32 = 13;
const LINE: f64 = 20.0;
const SAMPLE: f64 = 36.0;
const GAP: f64 = 8.0;
/// Upper limit on the average width of a letter, relative to the text size.
const LETTER: f64 = 0.62;

/// Adds a line for every name to the right of the scene, in the order of the curves' numbers, whatever the order of drawing.
/// Each is beside the first row of panels that has the curve; `top` is the top of the first row, `row` the distance to the
/// next.
pub(crate) fn add(figure: &Figure, scene: &mut Scene, top: f64, row: f64) {
    let mut seen = BTreeSet::new();
    let own = figure.entries.iter().map(|(label, look)| (label, look, Mark::Line));
    let mut curves: Vec<&Curve> = figure.panels.iter().flat_map(|p| &p.curves).collect();
    curves.sort_by_key(|c| c.n);
    let curves = curves.into_iter().map(|c| (&c.label, &c.look, c.mark));
    let entries: Vec<(&String, &Look, Mark)> =
        own.chain(curves).filter(|(label, _, _)| !label.is_empty() && seen.insert(label.as_str())).collect();
    let Some(longest) = entries.iter().map(|(label, _, _)| plain(label).chars().count()).max() else {
        return;
    };
    let left = scene.width;
    let has = |label: &str| figure.panels.iter().position(|p| p.curves.iter().any(|c| c.label == label));
    let row_of = |label: &str| has(label).map_or(0, |panel| panel / figure.columns);
    let mut next = top;
    for (label, look, mark) in &entries {
        let y = next.max(top + row * row_of(label) as f64) + 0.5 * LINE;
        next = y + 0.5 * LINE;
        sample(look, *mark, left, y).into_iter().for_each(|p| scene.add(p));
        scene.add(Primitive::Text {
            x: left + SAMPLE + GAP,
            y: y + 0.35 * f64::from(SIZE),
            content: (*label).clone(),
            size: SIZE,
            anchor: TextAnchor::Start,
            rotate: None,
            bold: false,
            color: None,
        });
    }
    scene.width += SAMPLE + GAP + LETTER * f64::from(SIZE) * longest as f64 + GAP;
    scene.height = scene.height.max(next + GAP);
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
