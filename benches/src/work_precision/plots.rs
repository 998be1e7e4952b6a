//! Diagrams: error against work, both logarithmic (the logarithms are taken here: kuva's end at 1e-10). Colours tell the families apart, lines and markers the libraries.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use carom_ode::problems::{self, Problem};
use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::plot::{LinePlot, LineStyle};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use crate::contenders::{Family, carom, scipy};
use crate::points::{Outcome, Point, contenders, of};

/// What is on the axis of work: file name, title, how to get it.
type Axis = (&'static str, &'static str, fn(&Outcome) -> f64);
const AXES: [Axis; 2] = [
    ("evaluations", "evaluations of the right-hand side [–]", |o| o.evaluations as f64),
    ("time", "CPU time [s]", |o| o.cpu),
];

/// Two diagrams a problem, as SVG and PNG.
pub(crate) fn write(folder: &Path, points: &[Point]) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    for problem in problems::ALL {
        if points.iter().any(|p| p.problem.name == problem.name && p.outcome.is_ok()) {
            for axis in AXES {
                diagram(folder, points, problem, axis)?;
            }
        }
    }
    Ok(())
}

/// Links to the diagrams, for the report.
pub(crate) fn links(points: &[Point]) -> String {
    let measured = |p: &&&Problem| points.iter().any(|point| point.problem.name == p.name);
    let line = |p: &&Problem| {
        let links = AXES.map(|(name, ..)| format!("[{name}](plots/{}.svg)", file(p, name)));
        format!("- {}: {}", p.name, links.join(", "))
    };
    problems::ALL.iter().filter(measured).map(line).collect::<Vec<_>>().join("\n")
}

fn file(problem: &Problem, axis: &str) -> String {
    format!("{}-{axis}", problem.name.replace('/', "-"))
}

fn diagram(folder: &Path, points: &[Point], problem: &Problem, axis: Axis) -> Result<(), Box<dyn Error>> {
    let (name, title, cost) = axis;
    let (mut plots, mut legend, mut drawn) = (Vec::new(), Vec::new(), Vec::new());
    for (library, method, family) in contenders(points, problem.name) {
        // codes for stiff problems crowd the diagrams of the others; they are in the tables
        let home = problem.stiff || family.explicit() || family == Family::Switching;
        let data: Vec<(f64, f64)> = of(points, problem.name, &library, &method)
            .iter()
            .map(|(_, o)| (cost(o).log10(), o.error.max(1e-17).log10()))
            .filter(|(_, error)| *error < 1.0)
            .collect();
        if !home || data.is_empty() {
            continue;
        }
        let (style, marker, width) = look(&library);
        let colour = colour(&library, &method, family);
        drawn.extend_from_slice(&data);
        legend.push(LegendEntry {
            label: format!("{library} {method}"),
            color: colour.to_owned(),
            shape: LegendShape::Line,
            dasharray: style.dasharray(),
        });
        let line = LinePlot::new().with_data(data.clone()).with_color(colour).with_stroke_width(width);
        plots.push(Plot::Line(line.with_line_style(style)));
        let dots = ScatterPlot::new().with_data(data).with_color(colour).with_size(3.2).with_marker(marker);
        plots.push(Plot::Scatter(dots));
    }
    let layout = layout(&plots, problem, title, legend, &drawn);
    let scene = render_multiple(plots, layout);
    let file = file(problem, name);
    std::fs::write(folder.join(format!("{file}.svg")), SvgBackend.render_scene(&scene))?;
    let png = PngBackend::new().with_scale(2.0).render_scene(&scene)?;
    std::fs::write(folder.join(format!("{file}.png")), png)?;
    Ok(())
}

fn layout(
    plots: &[Plot],
    problem: &Problem,
    x_label: &str,
    legend: Vec<LegendEntry>,
    drawn: &[(f64, f64)],
) -> Layout {
    let range = |pick: fn(&(f64, f64)) -> f64, grain: f64| {
        let all = drawn.iter().map(pick);
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        // so that no curve touches the frame
        let (low, high) = (low - 0.05, high + 0.05);
        ((low / grain).floor() * grain, (high / grain).ceil() * grain)
    };
    let ((x0, x1), (y0, y1)) = (range(|p| p.0, 0.5), range(|p| p.1, 1.0));
    Layout::auto_from_plots(plots)
        .with_title(problem.name)
        .with_subtitle("● carom   ■ SciPy   ▲ diffsol   ◆ differential-equations")
        .with_x_label(x_label)
        .with_y_label("error at the end [–]")
        .with_x_axis_min(x0)
        .with_x_axis_max(x1)
        .with_y_axis_min(y0)
        .with_y_axis_max(y1)
        .with_x_tick_step(0.5)
        .with_y_tick_step(1.0)
        .with_tick_format(TickFormat::Custom(Arc::new(decade)))
        .with_legend_entries(legend)
        .with_legend_position(LegendPosition::OutsideRightTop)
        .with_legend_box(false)
        .with_width(860.0)
        .with_height(540.0)
        .with_box_axes()
}

/// 10⁻³ and the like for −3; nothing between the decades.
fn decade(power: f64) -> String {
    if (power - power.round()).abs() > 1e-6 {
        return String::new();
    }
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |d| digits[d as usize]);
    // + 0.0 makes 0 of −0
    let power: String = format!("{:.0}", power.round() + 0.0).chars().map(raised).collect();
    format!("10{power}")
}

/// Line, marker and width of a library: Carom stands out.
fn look(library: &str) -> (LineStyle, MarkerShape, f64) {
    match library {
        carom::NAME => (LineStyle::Solid, MarkerShape::Circle, 2.6),
        scipy::NAME => (LineStyle::Dashed, MarkerShape::Square, 1.4),
        "diffsol" => (LineStyle::Dotted, MarkerShape::Triangle, 1.4),
        _ => (LineStyle::DashDot, MarkerShape::Diamond, 1.4),
    }
}

/// A colour for a family, told apart by the colour-blind too (Okabe, Ito); a second one where a library has two of a kind.
fn colour(library: &str, method: &str, family: Family) -> &'static str {
    match family {
        Family::Five if method.starts_with("tsit") => "#CC79A7",
        Family::Five => "#E69F00",
        Family::Eight => "#0072B2",
        Family::Adams => "#009E73",
        Family::Bdf => "#D55E00",
        Family::Radau => "#0072B2",
        Family::Sdirk if method == "tr_bdf2" => "#999999",
        Family::Sdirk => "#CC79A7",
        Family::Switching if library == carom::NAME => "#000000",
        Family::Switching => "#009E73",
        Family::Other => "#56B4E9",
    }
}
