//! Draws views of objects in space: bodies as a picture of pixels, lines and texts over it with kuva's primitives.

use kuva::render::render::{Primitive, Scene, TextAnchor};

use crate::box_axes;
use crate::figure::{Figure, PADDING, SPACING};
use crate::legend;
use crate::look::Look;
use crate::raster::{Image, Projection};
use crate::solid::{Line, Point, View, cross, dot, unit};
use crate::texts::text;
use crate::thin::thinned;

/// Largest width and height of a view, its margin, that of one with axes, and the heights of the title above and of the scale bar below it [px].
const SIZE: f64 = 360.0;
const MARGIN: f64 = 14.0;
const AXES_MARGIN: f64 = 56.0;
const HEAD: f64 = 26.0;
const BAR: f64 = 26.0;
/// Text sizes [px].
const TITLE: u32 = 17;
const LABEL: u32 = 14;
const SMALL: u32 = 12;
/// The font that kuva uses in panels.
const FONT: &str = "DejaVu Sans, Verdana, Liberation Sans, Arial, sans-serif";
/// Depth by which a line may be behind a surface and still be seen on it [px].
const ON_SURFACE: f64 = 2.0;
/// Distance between points of a line that are tested for being hidden [px].
const STEP: f64 = 1.5;

/// Draws the views of a figure below its title, and the pictures behind them; with panels, each view is in the middle of its column.
pub(crate) fn scene(figure: &Figure) -> (Scene, Vec<Image>) {
    let Figure { views, columns, .. } = figure;
    let top = if figure.title.is_empty() { 0.0 } else { 34.0 };
    let (left, column) =
        if figure.panels.is_empty() { (0.0, SIZE) } else { (PADDING, figure.panel_size.0 + SPACING) };
    let size = column.min(SIZE);
    let width = 2.0 * left + *columns as f64 * column;
    let mut scene = Scene::new(width, top);
    scene.font_family = Some(FONT.to_owned());
    scene.add(text(&figure.title, (0.5 * width, 24.0), TITLE, TextAnchor::Middle));
    let mut images = Vec::new();
    for row in views.chunks(*columns) {
        let height = row.iter().map(|view| height(view, size)).fold(0.0, f64::max);
        for (i, view) in row.iter().enumerate() {
            let middle = left + (i as f64 + 0.5) * column;
            scene.add(text(&view.title, (middle, scene.height + 18.0), LABEL, TextAnchor::Middle));
            let corner = ((middle - 0.5 * size).round(), (scene.height + HEAD).round());
            images.push(draw(view, corner, (size, height), figure.density, &mut scene));
        }
        scene.height += HEAD + height;
    }
    let mut names: Vec<(String, Look)> = Vec::new();
    for name in views.iter().flat_map(|view| &view.names) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    legend::below(&names, &mut scene);
    (scene, images)
}

/// Returns the axes of the picture: to the right, upwards, towards the eye.
fn axes(eye: &Point) -> [Point; 3] {
    let e = unit(eye);
    let up = if e[2].abs() > 0.999 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let x = unit(&cross(&up, &e));
    [x, cross(&e, &x), e]
}

/// The lowest and highest coordinates of a view along the axes of its picture.
fn extent(view: &View, [x, y, _]: &[Point; 3]) -> ([f64; 2], [f64; 2]) {
    let on_lines = view.lines.iter().flat_map(|l| l.points.iter().copied());
    let on_box = view.axes.iter().flat_map(box_axes::corners);
    let all = view.patches.iter().flat_map(|p| p.corners).chain(on_lines).chain(on_box);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in all {
        for (i, at) in [dot(&p, x), dot(&p, y)].into_iter().enumerate() {
            (low[i], high[i]) = (low[i].min(at), high[i].max(at));
        }
    }
    if low[0] > high[0] { ([0.0; 2], [0.0; 2]) } else { (low, high) }
}

fn margin(view: &View) -> f64 {
    if view.axes.is_some() { AXES_MARGIN } else { MARGIN }
}

/// Returns the units of the drawing per metre with which a view fits a square of this size.
fn scale(view: &View, (low, high): &([f64; 2], [f64; 2]), size: f64) -> f64 {
    (size - 2.0 * margin(view)) / (high[0] - low[0]).max(high[1] - low[1]).max(f64::MIN_POSITIVE)
}

/// Returns the height that a view needs [px].
fn height(view: &View, size: f64) -> f64 {
    let extent = extent(view, &axes(&view.eye));
    let bar = if view.scale_bar { BAR } else { 0.0 };
    (scale(view, &extent, size) * (extent.1[1] - extent.0[1]) + 2.0 * margin(view) + bar).ceil()
}

/// Draws a view into the middle of a rectangle; returns its bodies as a picture with so many pixels per unit.
fn draw(
    view: &View,
    corner: (f64, f64),
    (width, height): (f64, f64),
    density: usize,
    scene: &mut Scene,
) -> Image {
    let axes = axes(&view.eye);
    let extent = extent(view, &axes);
    let scale = scale(view, &extent, width);
    let bar = if view.scale_bar { BAR } else { 0.0 };
    let middle = |i: usize| 0.5 * scale * (extent.0[i] + extent.1[i]);
    let centre = (corner.0 + 0.5 * width, corner.1 + 0.5 * (height - bar));
    let to = Projection { axes, scale, origin: (centre.0 - middle(0), centre.1 + middle(1)) };
    let image = Image::of(&view.patches, &to, corner, (width, height - bar), density);
    if let Some(axes) = &view.axes {
        box_axes::draw(axes, &view.eye, &to, scene);
    }
    view.lines.iter().for_each(|l| line(l, &to, &image, scene));
    if view.scale_bar {
        let wide = scale * (extent.1[0] - extent.0[0]);
        scale_bar(scale, wide, (centre.0, corner.1 + height - BAR), scene);
    }
    image
}

/// Draws a line; its parts that are behind bodies are pale.
fn line(line: &Line, to: &Projection, image: &Image, scene: &mut Scene) {
    let mut parts: Vec<(bool, Vec<(f64, f64)>)> = Vec::new();
    let mut add = |p: (f64, f64), hidden: bool| match parts.last_mut() {
        Some((last, points)) if *last == hidden => points.push(p),
        Some((_, points)) => {
            // the parts meet
            let before = points.last().copied().unwrap_or(p);
            parts.push((hidden, vec![before, p]));
        }
        None => parts.push((hidden, vec![p])),
    };
    let seen = |p: &Point| (to.at(p), to.depth(p));
    for (n, pair) in line.points.windows(2).enumerate() {
        let ((a, deep), (b, deep_b)) = (seen(&pair[0]), seen(&pair[1]));
        let steps = ((b.0 - a.0).hypot(b.1 - a.1) / STEP).ceil().clamp(1.0, 1e4);
        for k in usize::from(n > 0)..=steps as usize {
            let s = k as f64 / steps;
            let p = (a.0 + s * (b.0 - a.0), a.1 + s * (b.1 - a.1));
            add(p, image.hides(p, deep + s * (deep_b - deep), ON_SURFACE));
        }
    }
    for (hidden, points) in parts {
        let (stroke, stroke_width) = match hidden {
            false => (line.colour.into(), line.width),
            true => (pale(line.colour).as_str().into(), 0.7 * line.width),
        };
        let points = thinned(&points, (1.0, 1.0));
        scene.add(Primitive::PolyLine { points, stroke, stroke_width, stroke_dasharray: None });
    }
}

/// Returns a colour `#RRGGBB` mixed with white.
fn pale(colour: &str) -> String {
    let part = |i: usize| colour.get(i..i + 2).and_then(|x| u8::from_str_radix(x, 16).ok()).unwrap_or(0);
    let mixed = [1, 3, 5].map(|i| (0.45 * f64::from(part(i)) + 0.55 * 255.0).round() as u8);
    format!("#{:02X}{:02X}{:02X}", mixed[0], mixed[1], mixed[2])
}

/// Draws a bar of a round length, at most a third as wide as what is seen, and says how long it is.
fn scale_bar(scale: f64, wide: f64, (x, y): (f64, f64), scene: &mut Scene) {
    let most = wide / 3.0 / scale;
    if !(most > 0.0 && most.is_finite()) {
        return;
    }
    let ten = 10f64.powf(most.log10().floor());
    let round = [5.0, 2.0, 1.0].into_iter().map(|m| m * ten).find(|l| *l <= most).unwrap_or(ten);
    let half = 0.5 * scale * round;
    let (y, ends) = (y + 6.0, 4.0);
    for points in [
        vec![(x - half, y), (x + half, y)],
        vec![(x - half, y - ends), (x - half, y + ends)],
        vec![(x + half, y - ends), (x + half, y + ends)],
    ] {
        let stroke = "#333333".into();
        scene.add(Primitive::PolyLine { points, stroke, stroke_width: 1.2, stroke_dasharray: None });
    }
    scene.add(text(&length(round), (x, y + 16.0), SMALL, TextAnchor::Middle));
}

/// Writes a length in the unit in which it is a number from 1 to 999.
fn length(metres: f64) -> String {
    let units = [("km", 1e3), ("m", 1.0), ("mm", 1e-3), ("µm", 1e-6), ("nm", 1e-9)];
    let (unit, size) = units.into_iter().find(|(_, size)| metres > 0.999 * size).unwrap_or(("m", 1.0));
    format!("{} {unit}", (metres / size).round())
}

#[cfg(test)]
mod tests {
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
    fn a_line_behind_a_body_is_pale_where_it_is_hidden() {
        // a wall from x = 0 to 1, seen from −y, and a line behind it from x = 0.5 to 2
        let (a, b, c, d) = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]);
        let behind = vec![[0.5, 1.0, 0.5], [2.0, 1.0, 0.5]];
        let view = View::new([0.0, -1.0, 0.0]).patch([a, b, c], 0, 0).patch([a, c, d], 0, 0);
        let (scene, images) = scene(&Figure::new(1).view(view.path(behind, "#000000", 2.0)));
        let lines: Vec<(f64, f64, f64)> = scene
            .elements
            .iter()
            .filter_map(|p| match p {
                Primitive::PolyLine { points, stroke_width, .. } => {
                    Some((points[0].0, points.last()?.0, *stroke_width))
                }
                _ => None,
            })
            .collect();
        let per_metre = (SIZE - 2.0 * MARGIN) / 2.0;
        assert_eq!((lines.len(), images.len()), (2, 1));
        // hidden for half a metre, then seen for one
        assert!((lines[0].1 - lines[0].0 - 0.5 * per_metre).abs() < 2.0 * STEP && lines[0].2 < 2.0);
        assert!((lines[1].1 - lines[1].0 - per_metre).abs() < 2.0 * STEP && lines[1].2 == 2.0);
    }

    #[test]
    fn names_of_lines_are_below_the_views_once_in_rows_that_fit() {
        let view = |label: &str| {
            View::new([0.0, -1.0, 0.0]).name(label, "#000000", 2.0).name("normal", "#D00000", 2.0)
        };
        let long = "a name that is as long as half of the picture";
        let (scene, _) = scene(&Figure::new(1).view(view(long)).view(view("nearest")));
        let texts: Vec<(&str, f64, f64)> = scene
            .elements
            .iter()
            .filter_map(|p| match p {
                Primitive::Text { x, y, content, .. } if !content.is_empty() => {
                    Some((content.as_str(), *x, *y))
                }
                _ => None,
            })
            .collect();
        let names: Vec<&str> = texts.iter().map(|t| t.0).collect();
        assert_eq!(names, [long, "normal", "nearest"]);
        assert!(texts[0].2 < texts[1].2 && texts[1].2 == texts[2].2 && texts[1].1 < texts[2].1, "{texts:?}");
        assert!(texts[2].2 < scene.height);
    }

    #[test]
    fn lengths_are_in_round_units() {
        assert_eq!([2000.0, 1.0, 0.5, 0.001, 2e-5].map(length), ["2 km", "1 m", "500 mm", "1 mm", "20 µm"]);
        assert_eq!(pale("#D00000"), "#EA8C8C");
    }
}
