//! Draws a box with axes around trajectories in space: the three walls behind them with a grid, ticks and labels along the edges.

use kuva::render::render::{Primitive, Scene, TextAnchor};

use crate::axis::Axis;
use crate::raster::Projection;
use crate::solid::{BoxAxes, Point};
use crate::texts::text;

const FRAME: &str = "#888888";
const GRID: &str = "#DDDDDD";
/// Text sizes, length of ticks, distance of the middles of numbers and labels from the edge [px].
const TICK: u32 = 11;
const LABEL: u32 = 13;
const TICKS: f64 = 4.0;
const NUMBERS: f64 = 15.0;
const LABELS: f64 = 44.0;
/// Width of a digit by the text size, and the gap between a number and a label beside it [px].
const DIGIT: f64 = 0.64;
const GAP: f64 = 7.0;
/// An edge is upright if the way out from it is as level as this.
const UPRIGHT: f64 = 0.95;
/// The least distance between numbers along an edge [px].
const APART: f64 = 20.0;
/// Edges that look shorter than this have no ticks [px].
const SHORTEST: f64 = 30.0;

/// Returns the corners of the box.
pub(crate) fn corners(axes: &BoxAxes) -> [Point; 8] {
    std::array::from_fn(|k| std::array::from_fn(|i| if k >> i & 1 == 0 { axes.low[i] } else { axes.high[i] }))
}

/// Draws the walls behind everything, and the axes along the edges that are seen outside of them.
pub(crate) fn draw(axes: &BoxAxes, eye: &Point, to: &Projection, scene: &mut Scene) {
    // the end of the box behind or in front along each axis
    let behind = |i: usize| if eye[i] > 0.0 { axes.low[i] } else { axes.high[i] };
    let front = |i: usize| if eye[i] > 0.0 { axes.high[i] } else { axes.low[i] };
    let ticks: [Vec<(f64, String)>; 3] = std::array::from_fn(|i| ticks(axes.low[i], axes.high[i]));
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let at = |a: f64, b: f64| {
            let mut p = [0.0; 3];
            (p[i], p[j], p[k]) = (behind(i), a, b);
            p
        };
        for (t, _) in &ticks[j] {
            line(&[at(*t, axes.low[k]), at(*t, axes.high[k])], GRID, to, scene);
        }
        for (t, _) in &ticks[k] {
            line(&[at(axes.low[j], *t), at(axes.high[j], *t)], GRID, to, scene);
        }
        let (a, b) = ((axes.low[j], axes.high[j]), (axes.low[k], axes.high[k]));
        let frame = [at(a.0, b.0), at(a.1, b.0), at(a.1, b.1), at(a.0, b.1), at(a.0, b.0)];
        line(&frame, FRAME, to, scene);
    }
    // x and y along the front edges of the floor, z along the vertical edge farthest to the left
    let floor = behind(2);
    edge(axes, 0, [f64::NAN, front(1), floor], &ticks[0], to, scene);
    edge(axes, 1, [front(0), f64::NAN, floor], &ticks[1], to, scene);
    let upright = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(a, b)| {
        let pick = |i: usize, n: i32| if n == 0 { axes.low[i] } else { axes.high[i] };
        [pick(0, a), pick(1, b), axes.low[2]]
    });
    if let Some(left) = upright.iter().min_by(|p, q| to.at(p).0.total_cmp(&to.at(q).0)) {
        edge(axes, 2, [left[0], left[1], f64::NAN], &ticks[2], to, scene);
    }
}

/// Returns round numbers within a range, with their texts.
fn ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let axis = Axis::linear("");
    // half as many as along the edge of a panel
    let step = axis.exact(low, low + 2.0 * (high - low)).step;
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|i| i as f64 * step).map(|t| (t, axis.tick(step, t))).collect()
}

/// Draws ticks, numbers and label along an edge parallel to axis i.
fn edge(axes: &BoxAxes, i: usize, on: Point, ticks: &[(f64, String)], to: &Projection, scene: &mut Scene) {
    let point = |t: f64| {
        let mut p = on;
        p[i] = t;
        to.at(&p)
    };
    let (a, b) = (point(axes.low[i]), point(axes.high[i]));
    let length = (b.0 - a.0).hypot(b.1 - a.1);
    if length < SHORTEST {
        return;
    }
    let centre = to.at(&std::array::from_fn(|k| 0.5 * (axes.low[k] + axes.high[k])));
    let middle = (0.5 * (a.0 + b.0), 0.5 * (a.1 + b.1));
    // across the edge, away from the middle of the box
    let across = ((b.1 - a.1) / length, (a.0 - b.0) / length);
    let away = across.0 * (middle.0 - centre.0) + across.1 * (middle.1 - centre.1);
    let out = if away < 0.0 { (-across.0, -across.1) } else { across };
    let from = |p: (f64, f64), d: f64| (p.0 + d * out.0, p.1 + d * out.1);
    // where numbers would touch, every second or third one stays
    let every = (APART * ticks.len() as f64 / length).ceil().max(1.0) as usize;
    for (t, words) in ticks.iter().step_by(every) {
        let p = point(*t);
        polyline(vec![p, from(p, TICKS)], FRAME, scene);
        let (at, anchor) = (from(p, NUMBERS), anchor(out.0));
        let shift = match anchor {
            TextAnchor::Middle => 0.0,
            TextAnchor::Start => -0.5 * NUMBERS,
            TextAnchor::End => 0.5 * NUMBERS,
        };
        scene.add(text(words, (at.0 + shift, at.1 + 0.35 * f64::from(TICK)), TICK, anchor));
    }
    let (distance, anchor) = if out.0.abs() < UPRIGHT {
        (LABELS, TextAnchor::Middle)
    } else {
        // beside an upright edge the label ends where the widest number begins
        let widest = ticks.iter().map(|(_, words)| words.chars().count()).max().unwrap_or(0) as f64;
        (0.5 * NUMBERS + DIGIT * widest * f64::from(TICK) + GAP, anchor(out.0))
    };
    let at = from(middle, distance);
    scene.add(text(&axes.labels[i], (at.0, at.1 + 0.35 * f64::from(LABEL)), LABEL, anchor));
}

/// Which end of a text is at its point, if it is outside of an edge in this direction.
fn anchor(right: f64) -> TextAnchor {
    match right {
        r if r > 0.5 => TextAnchor::Start,
        r if r < -0.5 => TextAnchor::End,
        _ => TextAnchor::Middle,
    }
}

fn line(points: &[Point], colour: &str, to: &Projection, scene: &mut Scene) {
    polyline(points.iter().map(|p| to.at(p)).collect(), colour, scene);
}

fn polyline(points: Vec<(f64, f64)>, colour: &str, scene: &mut Scene) {
    let stroke = colour.into();
    scene.add(Primitive::PolyLine { points, stroke, stroke_width: 0.8, stroke_dasharray: None });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Figure, View};

    #[test]
    fn every_axis_has_its_label_and_round_numbers() {
        let labels = ["x [m]", "y [m]", "z [m]"].map(String::from);
        let view = View::new([1.0, -2.0, 1.0]).axes([0.0, -1.0, 0.0], [0.4, 1.0, 1.0], labels.clone());
        let (scene, _) = crate::paint::scene(&Figure::new(1).view(view));
        let texts: Vec<&str> = scene
            .elements
            .iter()
            .filter_map(|p| match p {
                Primitive::Text { content, .. } => Some(content.as_str()),
                _ => None,
            })
            .collect();
        for wanted in labels.iter().map(String::as_str).chain(["0.4", "−1", "0.5"]) {
            assert!(texts.contains(&wanted), "{wanted}: {texts:?}");
        }
    }
}
