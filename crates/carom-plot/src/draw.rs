//! Figures by kuva. Logarithms are taken here: its own logarithmic axes end at 1e-10.

use std::sync::Arc;

use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::{LinePlot, LineStyle};
use kuva::render::figure::Figure as Grid;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::Scene;

use crate::axis::{Axis, Span};
use crate::thin::thinned;
use crate::{Curve, Figure, Look, Panel, PlotError, dashes, legend};

/// Sizes of letters [px]: a figure two panels wide, printed 16 cm wide, has letters of about 7 points.
const TITLE: u32 = 15;
const LABEL: u32 = 14;
const TICK: u32 = 13;

pub(crate) fn svg(figure: &Figure) -> Result<String, PlotError> {
    Ok(SvgBackend.render_scene(&scene(figure)))
}

pub(crate) fn png(figure: &Figure) -> Result<Vec<u8>, PlotError> {
    let mut scene = scene(figure);
    dashes::cut(&mut scene);
    PngBackend::new().with_scale(2.0).render_scene(&scene).map_err(PlotError::Draw)
}

fn scene(figure: &Figure) -> Scene {
    let rows = figure.panels.len().div_ceil(figure.columns).max(1);
    let (plots, layouts): (Vec<_>, Vec<_>) =
        figure.panels.iter().map(|p| panel(p, figure.panel_size)).unzip();
    let (width, height) = figure.panel_size;
    let grid = Grid::new(rows, figure.columns)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_cell_size(width, height)
        .with_spacing(8.0)
        .with_padding(12.0);
    let titled = !figure.title.is_empty();
    let grid = if titled { grid.with_title(figure.title.as_str()).with_title_size(TITLE + 2) } else { grid };
    let mut scene = grid.render();
    legend::add(figure, &mut scene, if titled { 60.0 } else { 36.0 });
    scene
}

fn style(look: &Look) -> LineStyle {
    look.dashes.map_or(LineStyle::Solid, |d| LineStyle::Custom(d.to_owned()))
}

fn panel(panel: &Panel, size: (f64, f64)) -> (Vec<Plot>, Layout) {
    let Panel { x, y, curves, title } = panel;
    let pieces: Vec<(&Curve, Vec<(f64, f64)>)> =
        curves.iter().flat_map(|c| pieces(c, x, y).into_iter().map(move |p| (c, p))).collect();
    let places = |pick: fn(&(f64, f64)) -> f64| pieces.iter().flat_map(|(_, p)| p).map(pick);
    let (across, up) = (x.span(places(|p| p.0), false), y.span(places(|p| p.1), true));
    let per_px = ((across.high - across.low) / size.0, (up.high - up.low) / size.1);
    let mut plots: Vec<Plot> = pieces
        .iter()
        .map(|(curve, points)| {
            let line = LinePlot::new()
                .with_data(thinned(&inside(points, &up), per_px))
                .with_color(curve.look.colour);
            Plot::Line(line.with_stroke_width(curve.look.width).with_line_style(style(&curve.look)))
        })
        .collect();
    if plots.is_empty() {
        // an empty panel still has its frame
        plots.push(Plot::Line(LinePlot::new().with_data([(across.low, up.low)])));
    }
    let layout = Layout::auto_from_plots(&plots)
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
    let layout = if title.is_empty() { layout } else { layout.with_title(title.as_str()) };
    (plots, layout)
}

fn ticks(axis: &Axis, span: Span) -> TickFormat {
    let (log, step) = (axis.log, span.step);
    TickFormat::Custom(Arc::new(move |place| Axis::tick(log, step, place)))
}

/// What of a curve can be shown, in pieces without gaps.
fn pieces(curve: &Curve, x: &Axis, y: &Axis) -> Vec<Vec<(f64, f64)>> {
    let mut all = vec![Vec::new()];
    for (a, b) in &curve.points {
        match (x.place(*a).zip(y.place(*b)), all.last_mut()) {
            (Some(place), Some(piece)) => piece.push(place),
            _ => all.push(Vec::new()),
        }
    }
    all.retain(|piece| !piece.is_empty());
    all
}

/// What lies below the frame is drawn on its edge: a difference that is nearly nothing, not one that is missing.
fn inside(points: &[(f64, f64)], up: &Span) -> Vec<(f64, f64)> {
    points.iter().map(|(x, y)| (*x, y.clamp(up.low, up.high))).collect()
}
