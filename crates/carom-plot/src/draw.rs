//! Draws figures with kuva. Logarithms are taken here, because kuva's logarithmic axes end at 1e-10.

use std::sync::Arc;

use kuva::backend::svg::SvgBackend;
use kuva::plot::{Histogram, LinePlot, LineStyle, ScatterPlot};
use kuva::render::figure::Figure as Grid;
use kuva::render::layout::{ComputedLayout, Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, Scene};

use crate::axis::{Axis, Span};
use crate::error::{MOST_PIXELS, PlotError};
use crate::figure::{Curve, Figure, PADDING, Panel, SPACING};
use crate::legend::{self, Legend};
use crate::look::{Look, Mark, passage};
use crate::raster::Image;
use crate::room::{self, Frame};
use crate::short::shortened;
use crate::thin::thinned;
use crate::{dashes, paint, pdf, pixels, scale, scripts, upright};

/// Text sizes [px]: a figure two panels wide, printed 16 cm wide, has letters of about 7 points.
const TITLE: u32 = 15;
const LABEL: u32 = 14;
const TICK: u32 = 13;
/// The least distance between numbers along the horizontal axis, and the width of what is beside a frame [px].
const NUMBER: f64 = 44.0;
const BESIDE: f64 = 85.0;
/// Radius of a dot [px]; fraction of the distance between positions that bars fill.
const DOT: f64 = 3.5;
const BARS: f64 = 0.7;

/// A drawn figure: lines and texts, and the pictures of bodies behind them.
struct Drawing {
    scene: Scene,
    images: Vec<Image>,
}

pub(crate) fn svg(figure: &Figure) -> Result<String, PlotError> {
    let Drawing { scene, images } = drawing(figure);
    let svg = scripts::spans(&shortened(&SvgBackend::new().render_scene(&scene)));
    let svg = pixels::into_svg(svg, &images).map_err(PlotError::Draw)?;
    Ok(figure.width.map_or(svg.clone(), |width| sized(&svg, &scene, width.millimetres())))
}

/// Gives an SVG figure its width in print [mm].
fn sized(svg: &str, scene: &Scene, width: f64) -> String {
    let (head, rest) = svg.split_once('>').unwrap_or((svg, ""));
    let kept =
        head.split_once(" font-family").map_or(String::new(), |(_, font)| format!(" font-family{font}"));
    let height = width * scene.height / scene.width;
    let view = format!("viewBox=\"0 0 {} {}\"", scene.width, scene.height);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height:.2}mm\" {view}{kept}>{rest}"
    )
}

pub(crate) fn png(figure: &Figure) -> Result<Vec<u8>, PlotError> {
    let Drawing { mut scene, images } = drawing(figure);
    let [width, height] = [scene.width, scene.height].map(|px| (px * figure.density as f64).ceil() as u64);
    if width.saturating_mul(height) > MOST_PIXELS {
        return Err(PlotError::TooLarge { width, height });
    }
    scripts::split(&mut scene).map_err(PlotError::Draw)?;
    dashes::cut(&mut scene);
    let width = figure.width.map(|width| width.millimetres());
    upright::png(scene, &images, figure.density, width).map_err(PlotError::Draw)
}

pub(crate) fn pdf(figure: &Figure) -> Result<Vec<u8>, PlotError> {
    let Drawing { mut scene, images } = drawing(figure);
    scripts::split(&mut scene).map_err(PlotError::Draw)?;
    let width = figure.width.map(|width| width.millimetres());
    pdf::pdf(&scene, &images, width).map_err(PlotError::Draw)
}

/// Draws the views, and the panels below them.
fn drawing(figure: &Figure) -> Drawing {
    if figure.views.is_empty() {
        return Drawing { scene: panels(figure, &figure.title), images: Vec::new() };
    }
    let (mut scene, images) = paint::scene(figure);
    if !figure.panels.is_empty() {
        let below = panels(figure, "");
        scene.defs.extend(below.defs);
        let (transform, title, extra_attrs) = (Some(format!("translate(0,{})", scene.height)), None, None);
        scene.add(Primitive::GroupStart { transform, title, extra_attrs });
        scene.elements.extend(below.elements);
        scene.add(Primitive::GroupEnd);
        (scene.width, scene.height) = (scene.width.max(below.width), scene.height + below.height);
    }
    Drawing { scene, images }
}

/// Draws the panels in rows, each with its legend; one legend beside them, if a panel has no room for its own.
fn panels(figure: &Figure, title: &str) -> Scene {
    let rows = figure.panels.len().div_ceil(figure.columns).max(1);
    let (mut width, height) = figure.panel_size;
    let mut legends = legend::of_panels(figure);
    let within = figure.panels.iter().zip(&legends).all(|(p, l)| has_room(p, figure.panel_size, l));
    if !within {
        legends.iter_mut().for_each(Vec::clear);
        if figure.width.is_some() {
            // the width in print is that of all together
            width -= legend::size_beside(figure).0 / figure.columns as f64;
        }
    }
    let (mut plots, mut layouts, mut corners) = (Vec::new(), Vec::new(), Vec::new());
    for (p, legend) in figure.panels.iter().zip(&legends) {
        let (plot, layout, corner) = panel(p, (width, height), legend);
        plots.push(plot);
        layouts.push(layout);
        corners.push(corner);
    }
    let grid = Grid::new(rows, figure.columns)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_cell_size(width, height)
        .with_spacing(SPACING)
        .with_padding(PADDING);
    let titled = !title.is_empty();
    let grid = if titled { grid.with_title(title).with_title_size(TITLE + 2) } else { grid };
    let mut scene = grid.render();
    let top = if titled { 24.0 } else { 0.0 };
    for (i, p) in figure.panels.iter().enumerate() {
        let left = PADDING + (i % figure.columns) as f64 * (width + SPACING);
        let upper = PADDING + top + (i / figure.columns) as f64 * (height + SPACING);
        legend::draw(&legends[i], (left + corners[i].0, upper + corners[i].1), &mut scene);
        if let Some(heat) = &p.heat {
            let frame = frame(p, (width, height));
            scale::add(heat, &mut scene, upper + frame[1], upper + frame[3]);
        }
    }
    if !within {
        legend::beside(figure, &mut scene, 36.0 + top, height + SPACING);
    }
    scene
}

fn style(look: &Look) -> LineStyle {
    look.dashes.map_or(LineStyle::Solid, |d| LineStyle::Custom(d.to_owned()))
}

/// The pieces of the curves of a panel, in the units in which they are drawn.
type Pieces<'p> = Vec<(&'p Curve, Vec<(f64, f64)>)>;

fn pieces_of(panel: &Panel) -> Pieces<'_> {
    let all = |c| pieces(c, &panel.x, &panel.y).into_iter().map(move |p| (c, p));
    panel.curves.iter().flat_map(all).collect()
}

/// Returns the ranges of the axes.
fn spans(panel: &Panel, pieces: &Pieces<'_>, size: (f64, f64)) -> (Span, Span) {
    let Panel { x, y, curves, .. } = panel;
    if let Some(heat) = &panel.heat {
        return scale::spans(heat, x, y);
    }
    let coordinates = |pick: fn(&(f64, f64)) -> f64| pieces.iter().flat_map(|(_, p)| p).map(pick);
    // bars stand on zero
    let ground = curves.iter().any(|c| c.mark == Mark::Bars).then_some(0.0);
    let both = (x.span(coordinates(|p| p.0), false), y.span(coordinates(|p| p.1).chain(ground), true));
    let (across, up) = if panel.equal { equal(panel, both, size) } else { both };
    (x.spaced(across, NUMBER * across.length() / (size.0 - BESIDE)), up)
}

/// Returns the curves of a panel, its layout, and the upper left corner of its legend within it.
fn panel(panel: &Panel, size: (f64, f64), legend: &Legend) -> (Vec<Plot>, Layout, (f64, f64)) {
    let pieces = pieces_of(panel);
    let (across, up) = spans(panel, &pieces, size);
    let (corner, up) = with_room(panel, &pieces, (across, up), size, legend);
    let per_px = (across.length() / size.0, up.length() / size.1);
    let heat = panel.heat.as_ref().map(|heat| scale::coloured(heat, &panel.x, &panel.y, per_px));
    let curves = pieces.iter().flat_map(|(curve, points)| match curve.mark {
        Mark::Line => cut(points, &up).iter().map(|l| line(curve, &thinned(l, per_px))).collect(),
        Mark::Dots => {
            let lines = cut(points, &up).into_iter().map(|l| line(curve, &l));
            lines.chain([dots(curve, &inside(points, &up))]).collect()
        }
        Mark::Points => vec![dots(curve, &inside(points, &up))],
        Mark::Passage => vec![passing(&inside(points, &up))],
        Mark::Bars => vec![bars(curve, points, &panel.curves)],
    });
    let mut plots: Vec<Plot> = heat.into_iter().flatten().chain(curves).collect();
    if plots.is_empty() {
        // an empty panel still has its frame
        plots.push(Plot::Line(LinePlot::new().with_data([(across.low, up.low)])));
    }
    let layout = layout(panel, across, up);
    (plots, layout, corner)
}

/// Whether a panel has room for its legend: between its curves, or above them without making them much smaller.
fn has_room(panel: &Panel, size: (f64, f64), legend: &Legend) -> bool {
    if legend.is_empty() {
        return true;
    }
    let (needed, frame) = (legend::size(legend), frame(panel, size));
    let pieces = pieces_of(panel);
    let (across, up) = spans(panel, &pieces, size);
    let layout = computed(panel, (across, up), size);
    let lines: Vec<Vec<(f64, f64)>> = pieces.iter().flat_map(|p| lines_of(p, &up, &layout)).collect();
    let above = !is_fixed(panel) && room::share_above(needed, &frame) <= room::MOST_ABOVE;
    // (beside a map there is its scale of colours)
    room::fits(needed, &frame) && (panel.heat.is_some() || above || room::best(needed, &frame, &lines).1)
}

/// Whether the vertical axis cannot go on above the curves.
fn is_fixed(panel: &Panel) -> bool {
    panel.equal || panel.heat.is_some() || panel.y.has_names()
}

/// Returns the upper left corner of a legend, and the range of the vertical axis, which goes on above the curves if there is no room
/// for the legend between them.
fn with_room(
    panel: &Panel,
    pieces: &Pieces<'_>,
    (across, up): (Span, Span),
    size: (f64, f64),
    legend: &Legend,
) -> ((f64, f64), Span) {
    if legend.is_empty() {
        return ((0.0, 0.0), up);
    }
    let needed = legend::size(legend);
    let place = |up: Span| {
        let layout = computed(panel, (across, up), size);
        let lines: Vec<Vec<(f64, f64)>> = pieces.iter().flat_map(|p| lines_of(p, &up, &layout)).collect();
        (room::best(needed, &frame_of(&layout, across, up), &lines), frame_of(&layout, across, up))
    };
    let ((corner, free), frame) = place(up);
    if free || is_fixed(panel) {
        return (corner, up);
    }
    let highest = pieces.iter().flat_map(|(_, p)| p).map(|p| p.1.min(up.high)).fold(up.low, f64::max);
    let high = up.low + (highest - up.low) / (1.0 - room::share_above(needed, &frame));
    let step = panel.y.exact(up.low, high).step;
    let more = Span { low: (up.low / step + 1e-9).floor() * step, high: (high / step).ceil() * step, step };
    (place(more).0.0, more)
}

/// Returns the lines of a piece of a curve in its panel [px].
fn lines_of(
    (curve, points): &(&Curve, Vec<(f64, f64)>),
    up: &Span,
    to: &ComputedLayout,
) -> Vec<Vec<(f64, f64)>> {
    let px = |(x, y): (f64, f64)| (to.map_x(x), to.map_y(y));
    if curve.mark != Mark::Bars {
        return cut(points, up).into_iter().map(|line| line.into_iter().map(px).collect()).collect();
    }
    let bar = |(x, y): &(f64, f64)| {
        [-0.5, 0.0, 0.5].map(|share| vec![px((x + share * BARS, up.low)), px((x + share * BARS, *y))])
    };
    points.iter().flat_map(bar).collect()
}

fn computed(panel: &Panel, (across, up): (Span, Span), (width, height): (f64, f64)) -> ComputedLayout {
    ComputedLayout::from_layout(&layout(panel, across, up).with_width(width).with_height(height))
}

fn frame_of(layout: &ComputedLayout, across: Span, up: Span) -> Frame {
    [layout.map_x(across.low), layout.map_y(up.high), layout.map_x(across.high), layout.map_y(up.low)]
}

/// Returns the frame of a panel, from its upper left corner [px].
fn frame(panel: &Panel, size: (f64, f64)) -> Frame {
    let (across, up) = spans(panel, &pieces_of(panel), size);
    frame_of(&computed(panel, (across, up), size), across, up)
}

fn line(curve: &Curve, points: &[(f64, f64)]) -> Plot {
    let line = LinePlot::new().with_data(points.iter().copied()).with_color(curve.look.colour);
    Plot::Line(line.with_stroke_width(curve.look.width).with_line_style(style(&curve.look)))
}

fn dots(curve: &Curve, points: &[(f64, f64)]) -> Plot {
    let dots = ScatterPlot::new().with_data(points.iter().copied()).with_color(curve.look.colour);
    Plot::Scatter(dots.with_size(DOT))
}

fn passing(points: &[(f64, f64)]) -> Plot {
    let last = (points.len().max(2) - 1) as f64;
    let colours = (0..points.len()).map(|i| passage(i as f64 / last));
    Plot::Scatter(
        ScatterPlot::new().with_data(points.iter().copied()).with_colors(colours).with_size(0.6 * DOT),
    )
}

/// Draws the bars of one curve, beside those of the others.
fn bars(curve: &Curve, points: &[(f64, f64)], all: &[Curve]) -> Plot {
    let abreast: Vec<&Curve> = all.iter().filter(|c| c.mark == Mark::Bars).collect();
    let nth = abreast.iter().position(|c| std::ptr::eq(*c, curve)).unwrap_or(0) as f64;
    let width = BARS / abreast.len() as f64;
    let left = |x: f64| x - 0.5 * BARS + nth * width;
    let (mut edges, mut heights) = (Vec::new(), Vec::new());
    for (x, y) in points {
        // the space between two bars has zero height and is not drawn
        heights.extend((!edges.is_empty()).then_some(0.0));
        edges.extend([left(*x), left(*x) + width]);
        heights.push(*y);
    }
    Plot::Histogram(Histogram::new().with_precomputed(edges, heights).with_color(curve.look.colour))
}

fn layout(panel: &Panel, across: Span, up: Span) -> Layout {
    let Panel { x, y, title, .. } = panel;
    let frame = [(across.low, up.low), (across.high, up.high)];
    let layout = Layout::auto_from_plots(&[Plot::Line(LinePlot::new().with_data(frame))])
        .with_x_label(x.label.as_str())
        .with_y_label(y.label.as_str())
        .with_x_axis_min(across.low)
        .with_x_axis_max(across.high)
        .with_y_axis_min(up.low)
        .with_y_axis_max(up.high)
        .with_x_tick_step(across.step)
        .with_y_tick_step(up.step)
        .with_x_tick_format(ticks(x, across))
        .with_y_tick_format(ticks(y, up))
        .with_title_size(TITLE)
        .with_label_size(LABEL)
        .with_tick_size(TICK)
        .with_box_axes();
    if title.is_empty() { layout } else { layout.with_title(title.as_str()) }
}

/// Gives both axes the same scale per pixel, that of the axis that needs the longer range.
fn equal(panel: &Panel, (across, up): (Span, Span), (width, height): (f64, f64)) -> (Span, Span) {
    let frame = computed(panel, (across, up), (width, height));
    let (width, height) = (frame.plot_width(), frame.plot_height());
    let per_px = (across.length() / width).max(up.length() / height);
    let step = across.step.max(up.step);
    (across.widened(per_px * width, step), up.widened(per_px * height, step))
}

fn ticks(axis: &Axis, span: Span) -> TickFormat {
    let (axis, step) = (axis.clone(), span.step);
    TickFormat::Custom(Arc::new(move |coordinate| axis.tick(step, coordinate)))
}

/// Splits a curve into pieces without gaps, leaving out points that cannot be shown.
fn pieces(curve: &Curve, x: &Axis, y: &Axis) -> Vec<Vec<(f64, f64)>> {
    let mut all = vec![Vec::new()];
    for (a, b) in &curve.points {
        match (x.coordinate(*a).zip(y.coordinate(*b)), all.last_mut()) {
            (Some(coordinate), Some(piece)) => piece.push(coordinate),
            _ => all.push(Vec::new()),
        }
    }
    all.retain(|piece| !piece.is_empty());
    all
}

/// Cuts a line where it leaves the frame above or below, and where it comes back.
fn cut(points: &[(f64, f64)], up: &Span) -> Vec<Vec<(f64, f64)>> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for pair in points.windows(2) {
        let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
        let at = |s: f64| (ax + s * (bx - ax), ay + s * (by - ay));
        // the shares of the way from one point to the next at which it crosses the edges
        let [low, high] = [up.low, up.high].map(|edge| (edge - ay) / (by - ay));
        let level = ay == by;
        let inside = ay >= up.low && ay <= up.high;
        let (enters, leaves) = if level {
            (0.0, if inside { 1.0 } else { -1.0 })
        } else {
            (low.min(high).max(0.0), low.max(high).min(1.0))
        };
        if enters > leaves {
            continue;
        }
        if line.is_empty() {
            line.push(if enters == 0.0 { pair[0] } else { at(enters) });
        }
        line.push(if leaves == 1.0 { pair[1] } else { at(leaves) });
        if leaves < 1.0 {
            lines.push(std::mem::take(&mut line));
        }
    }
    if points.len() == 1 {
        line.extend(points.iter().filter(|p| p.1 >= up.low && p.1 <= up.high));
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Moves points above or below the frame onto its edge: they are out of range, not missing.
fn inside(points: &[(f64, f64)], up: &Span) -> Vec<(f64, f64)> {
    points.iter().map(|(x, y)| (*x, y.clamp(up.low, up.high))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::View;

    fn scene(figure: &Figure) -> Scene {
        drawing(figure).scene
    }

    fn drawn(axes: (Axis, Axis), curves: impl IntoIterator<Item = Curve>) -> Scene {
        scene(&Figure::new(1).panel(Panel::new(axes.0, axes.1).curves(curves)))
    }

    #[test]
    fn lines_are_cut_where_they_leave_the_frame() {
        let up = Span { low: 0.0, high: 2.0, step: 1.0 };
        let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 3.0), (3.0, 1.0), (4.0, 0.5), (5.0, -0.5)];
        let lines = [vec![(0.0, 1.0), (0.5, 2.0)], vec![(2.5, 2.0), (3.0, 1.0), (4.0, 0.5), (4.5, 0.0)]];
        assert_eq!(cut(&points, &up), lines);
        // from below to above in one step, and one that is never inside
        assert_eq!(cut(&[(0.0, -2.0), (3.0, 4.0)], &up), [vec![(1.0, 0.0), (2.0, 2.0)]]);
        assert!(cut(&[(0.0, 3.0), (3.0, 4.0)], &up).is_empty());
        assert_eq!(cut(&[(0.0, 2.0), (3.0, 2.0)], &up), [vec![(0.0, 2.0), (3.0, 2.0)]]);
    }

    #[test]
    fn a_passage_is_dots_of_changing_colour() -> Result<(), PlotError> {
        let way = (0..5).map(|i| (f64::from(i), f64::from(i * i))).collect();
        let curve = Curve::new("", way, 0).mark(Mark::Passage);
        let panel = Panel::new(Axis::linear("x"), Axis::linear("y")).curve(curve);
        let svg = svg(&Figure::new(1).panel(panel))?.to_lowercase();
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            assert_eq!(svg.matches(&passage(share).to_lowercase()).count(), 1, "{svg}");
        }
        Ok(())
    }

    /// A draft has a quarter of the pixels, and its pictures of bodies fill the same part of it.
    #[test]
    fn drafts_are_half_as_wide() -> Result<(), PlotError> {
        let panel = Panel::new(Axis::linear("x"), Axis::linear("y"));
        let view = View::new([0.0, -1.0, 0.0]).path(vec![[0.0; 3], [1.0, 0.0, 1.0]], "#123456", 1.0);
        let figure = Figure::new(1).panel(panel.curve(Curve::new("", vec![(0.0, 1.0)], 0))).view(view);
        let size = |figure: &Figure| -> Result<(u32, u32), PlotError> {
            let picture = pixels::Pixels::read(&png(figure)?).map_err(PlotError::Draw)?;
            Ok((picture.width, picture.height))
        };
        let (whole, draft) = (size(&figure)?, size(&figure.clone().draft())?);
        assert_eq!((2 * draft.0, 2 * draft.1), whole);
        let part = |figure: &Figure| {
            let image = &drawing(figure).images[0];
            (image.corner, image.size.0 / image.density, image.size.1 / image.density)
        };
        assert_eq!(part(&figure), part(&figure.clone().draft()));
        Ok(())
    }

    #[test]
    fn views_are_above_panels() {
        let panel =
            Panel::new(Axis::linear("x"), Axis::linear("y")).curve(Curve::new("", vec![(0.0, 1.0)], 0));
        let figure = Figure::new(1).panel(panel);
        let view = View::new([0.0, -1.0, 0.0]).path(vec![[0.0; 3], [1.0, 0.0, 1.0]], "#123456", 1.0);
        let (alone, both) = (scene(&figure), scene(&figure.clone().view(view.clone())));
        let above = scene(&Figure::new(1).view(view));
        assert_eq!(both.height, alone.height + above.height);
        let shift = format!("translate(0,{})", above.height);
        let group =
            |p: &Primitive| matches!(p, Primitive::GroupStart { transform: Some(t), .. } if *t == shift);
        let at = both.elements.iter().position(group).unwrap_or(0);
        assert_eq!(at, above.elements.len());
    }

    #[test]
    fn panels_below_views_keep_their_font_and_their_frames() -> Result<(), PlotError> {
        let curve = Curve::new("", vec![(0.0, 1.0), (1.0, 2.0)], 0);
        let panel = Panel::new(Axis::linear("x"), Axis::linear("y")).curve(curve);
        let view =
            View::new([0.0, -1.0, 0.0]).title("above").path(vec![[0.0; 3], [1.0, 0.0, 1.0]], "#123456", 1.0);
        let alone = svg(&Figure::new(1).panel(panel.clone()))?;
        let both = svg(&Figure::new(1).view(view).panel(panel))?;
        let font =
            |text: &str| text.split("font-family=\"").nth(1).map(|t| t.split('"').next().map(str::to_owned));
        assert_eq!(font(&alone), font(&both));
        // every curve is clipped at the frame of its panel, which is defined
        assert!(
            both.contains("url(#") && both.matches("<clipPath").count() == alone.matches("<clipPath").count()
        );
        Ok(())
    }

    #[test]
    fn every_kind_of_figure_can_be_a_pdf() -> Result<(), PlotError> {
        let panel = || Panel::new(Axis::linear("x"), Axis::linear("y"));
        let way = || vec![(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)];
        let grid =
            crate::Heat::new("z", vec![0.0, 1.0], vec![0.0, 1.0], vec![vec![1.0, 2.0], vec![3.0, f64::NAN]]);
        let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let marks = [Mark::Line, Mark::Dots, Mark::Points, Mark::Passage, Mark::Bars];
        let mut figures: Vec<Figure> = marks
            .into_iter()
            .map(|mark| Figure::new(1).panel(panel().curve(Curve::new("c", way(), 0).mark(mark))))
            .collect();
        figures.push(Figure::new(1).panel(panel().heat(grid)));
        figures.push(Figure::new(1).view(View::new([1.0, -2.0, 1.0]).patch(triangle, 0, 0)).panel(panel()));
        for figure in figures {
            let file = pdf(&figure)?;
            assert!(file.starts_with(b"%PDF-") && file.ends_with(b"%%EOF"), "{figure:?}");
        }
        Ok(())
    }

    #[test]
    fn bars_stand_side_by_side_on_zero() {
        let bars = |n, heights: [f64; 3]| {
            let points = (1..).map(f64::from).zip(heights).collect();
            Curve::new("", points, n).mark(Mark::Bars)
        };
        let names = Axis::names("slices", ["9", "18", "36"].map(String::from));
        let scene =
            drawn((names, Axis::linear("cost")), [bars(0, [1.0, 2.0, 4.0]), bars(1, [1.0, 3.0, 9.0])]);
        let mut boxes: Vec<[f64; 4]> = Vec::new();
        for element in &scene.elements {
            if let Primitive::Rect { x, y, width, height, fill, .. } = element {
                let ours = [0, 1].iter().any(|n| *fill == Look::nth(*n).colour.into());
                boxes.extend(ours.then_some([*x, *y, *width, *height]));
            }
        }
        assert_eq!(boxes.len(), 6, "{boxes:?}");
        boxes.sort_by(|a, b| a[0].total_cmp(&b[0]));
        for (bar, height) in boxes.iter().zip([1.0, 1.0, 2.0, 3.0, 4.0, 9.0]) {
            let ratio = (bar[3] / boxes[0][3] - height).abs();
            assert!(ratio < 0.02 && (bar[1] + bar[3] - boxes[0][1] - boxes[0][3]).abs() < 0.02, "{boxes:?}");
        }
        assert!(boxes.windows(2).all(|w| w[0][0] + w[0][2] < w[1][0] + 0.02), "{boxes:?}");
    }

    #[test]
    fn a_picture_that_would_exhaust_the_memory_is_refused() {
        let curve = Curve::new("", vec![(0.0, 0.0), (1.0, 2.0)], 0);
        let panel = Panel::new(Axis::linear("t [s]"), Axis::linear("z [m]")).curve(curve);
        let figure = Figure::new(3).panel_size(4000.0, 4000.0);
        let figure = (0..12).fold(figure, |figure, _| figure.panel(panel.clone()));
        let refused = png(&figure).unwrap_err();
        assert!(matches!(refused, PlotError::TooLarge { width, .. } if width > 24_000), "{refused}");
        assert!(refused.is_wrong_input() && svg(&figure).is_ok());
    }

    #[test]
    fn equal_scales_show_a_circle_as_one() {
        let circle: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(i) * 0.1).sin_cos()).collect();
        for size in [(470.0, 330.0), (200.0, 400.0)] {
            let both = Panel::new(Axis::linear("x [m]"), Axis::linear("y [m]"))
                .equal(true)
                .curve(Curve::new("", circle.clone(), 0));
            let layout = panel(&both, size, &Vec::new()).1.with_width(size.0).with_height(size.1);
            let frame = ComputedLayout::from_layout(&layout);
            let (x, y) = (frame.map_x(1.0) - frame.map_x(0.0), frame.map_y(0.0) - frame.map_y(1.0));
            assert!((x / y - 1.0).abs() < 0.02, "{x} {y}");
        }
    }
}
