//! Draws views of objects in space with kuva's primitives.

use kuva::render::render::{Primitive, Scene, TextAnchor};

use crate::facets;
use crate::figure::{Figure, PADDING, SPACING};
use crate::solid::{Point, View, cross, dot, unit};
use crate::thin::thinned;

/// Size of a view, its margin, and the height of the title above it [px].
const SIZE: f64 = 360.0;
const MARGIN: f64 = 14.0;
const HEAD: f64 = 26.0;
/// Text sizes [px].
const TITLE: u32 = 17;
const LABEL: u32 = 14;
/// The font that kuva uses in panels.
const FONT: &str = "DejaVu Sans, Verdana, Liberation Sans, Arial, sans-serif";
/// The colours of bodies: pale, so that lines stand out.
const BODIES: [[f64; 3]; 4] =
    [[168.0, 196.0, 222.0], [236.0, 205.0, 150.0], [184.0, 214.0, 178.0], [222.0, 186.0, 206.0]];
const GROUND: [f64; 3] = [232.0, 232.0, 232.0];

/// Draws the views of a figure below its title; with panels, each view is in the middle of its column.
pub(crate) fn scene(figure: &Figure) -> Scene {
    let Figure { views, columns, .. } = figure;
    let rows = views.len().div_ceil(*columns).max(1);
    let top = if figure.title.is_empty() { 0.0 } else { 34.0 };
    let (left, column) =
        if figure.panels.is_empty() { (0.0, SIZE) } else { (PADDING, figure.panel_size.0 + SPACING) };
    let (width, height) = (2.0 * left + *columns as f64 * column, rows as f64 * (SIZE + HEAD) + top);
    let mut scene = Scene::new(width, height);
    scene.font_family = Some(FONT.to_owned());
    scene.add(text(&figure.title, 0.5 * width, 24.0, TITLE));
    for (i, view) in views.iter().enumerate() {
        let middle = left + ((i % columns) as f64 + 0.5) * column;
        let y = (i / columns) as f64 * (SIZE + HEAD) + top;
        scene.add(text(&view.title, middle, y + 18.0, LABEL));
        draw(view, (middle - 0.5 * SIZE, y + HEAD), &mut scene);
    }
    scene
}

fn text(content: &str, x: f64, y: f64, size: u32) -> Primitive {
    let (content, anchor) = (content.to_owned(), TextAnchor::Middle);
    Primitive::Text { x, y, content, size, anchor, rotate: None, bold: false, color: None }
}

/// Returns the axes of the picture: to the right, upwards, towards the eye.
fn axes(eye: &Point) -> [Point; 3] {
    let e = unit(eye);
    let up = if e[2].abs() > 0.999 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let x = unit(&cross(&up, &e));
    [x, cross(&e, &x), e]
}

/// Draws a view into the square with that corner.
fn draw(view: &View, corner: (f64, f64), scene: &mut Scene) {
    let [x, y, e] = axes(&view.eye);
    let on_lines = view.lines.iter().flat_map(|l| l.points.iter().copied());
    let all = view.patches.iter().flat_map(|p| p.corners).chain(on_lines);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in all {
        for (i, at) in [dot(&p, &x), dot(&p, &y)].into_iter().enumerate() {
            (low[i], high[i]) = (low[i].min(at), high[i].max(at));
        }
    }
    let scale = (SIZE - 2.0 * MARGIN) / (high[0] - low[0]).max(high[1] - low[1]).max(f64::MIN_POSITIVE);
    let projected = |p: &Point| {
        let middle = |i: usize| 0.5 * (low[i] + high[i]);
        (
            corner.0 + 0.5 * SIZE + scale * (dot(p, &x) - middle(0)),
            corner.1 + 0.5 * SIZE - scale * (dot(p, &y) - middle(1)),
        )
    };
    // light from the left, above and in front
    let light = unit(&[0, 1, 2].map(|i| -0.5 * x[i] + 0.7 * y[i] + e[i]));
    let mut faces = facets::seen(&view.patches, &e, &light);
    faces.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    let painted = faces.iter().map(|face| {
        let colour = face.colour.map_or(GROUND, |n| BODIES[n % BODIES.len()]);
        (face.corners.iter().map(projected).collect(), colour.map(|c| (c * face.shade).round() as u8))
    });
    facets::joined(painted).into_iter().for_each(|path| scene.add(path));
    for line in &view.lines {
        let points = thinned(&line.points.iter().map(projected).collect::<Vec<_>>(), (1.0, 1.0));
        let stroke = line.colour.into();
        scene.add(Primitive::PolyLine { points, stroke, stroke_width: line.width, stroke_dasharray: None });
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use kuva::render::color::Color;

    use super::*;
    use crate::solid::less;

    #[test]
    fn axes_are_across_each_other_and_z_is_up() {
        for eye in [[1.0, -2.0, 0.5], [0.0, 0.0, 3.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]] {
            let [x, y, e] = axes(&eye);
            for (a, b) in [(&x, &y), (&y, &e), (&e, &x)] {
                assert!(dot(a, b).abs() < 1e-15 && (dot(a, a) - 1.0).abs() < 1e-15);
            }
            assert!(less(&cross(&x, &y), &e).iter().all(|d| d.abs() < 1e-15));
            assert!(y[2] >= 0.0 && dot(&e, &eye) > 0.0);
        }
    }

    #[test]
    fn what_is_in_front_is_painted_last_and_backs_are_not() {
        let corners = |y: f64| [[0.0, y, 0.0], [1.0, y, 0.0], [0.0, y, 1.0]];
        let [a, b, c] = corners(-2.0);
        // seen from −y: the near one is blue, the far one ochre, the third shows its back; the nearest, grey, is ground
        let view = View::new([0.0, -1.0, 0.0]).patch(corners(0.0), 1).patch(corners(-1.0), 0);
        let view = view.patch([a, c, b], 2).ground([a, b, c]);
        let scene = scene(&Figure::new(1).view(view));
        let mut bluer = Vec::new();
        for element in &scene.elements {
            if let Primitive::Path(path) = element {
                let Some(Color::Rgb(r, _, b)) = path.fill else { continue };
                bluer.push(b.cmp(&r));
            }
        }
        assert_eq!(bluer, [Ordering::Equal, Ordering::Less, Ordering::Greater]);
    }
}
