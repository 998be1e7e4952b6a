//! Slow cycles of normal laws with a history: what adhesion holds and loses, what a dent leaves and how it is loaded again.
//!
//! In units of a length D and of the force F₁ = K Dⁿ, with surfaces of the relative radius 10 D. No damping acts: the surfaces move as slowly as one likes.

use std::path::Path;
use std::sync::Arc;

use carom::base::param::{Presence, Quantity};
use carom::base::{Args, Param, Value};
use carom::law::normal::{self, NormalEntry};
use carom::law::{Indentation, Normal, PhaseEnd, Touch};
use carom_plot::{Axis, Curve, Figure, Panel};

use super::sample;
use crate::failure::Failure;
use crate::plot;
use crate::text::{Table, columns, hanging};

/// Relative radius of the surfaces, in units of D.
const RADIUS: f64 = 10.0;
/// Points of a way from one turn to the next.
const POINTS: usize = 400;
/// The turns of a contact with a dent: loaded, unloaded, loaded again and further, unloaded.
const TURNS: [f64; 4] = [1.0, 0.15, 1.5, 0.0];

/// A law with its values.
struct Row {
    entry: &'static NormalEntry,
    law: Arc<dyn Normal>,
    touch: Touch,
    values: String,
    adheres: bool,
}

/// The value of a key in these units, where it is not the one of the law's example.
fn value(p: &Param) -> f64 {
    match (p.name, p.quantity) {
        ("adhesion_energy", _) => 0.01,
        ("adhesion_range", _) => 0.2,
        ("yield_pressure", _) => 0.02,
        ("radius", _) => RADIUS,
        (_, Quantity::LinearStiffness | Quantity::Stiffness | Quantity::PointStiffness) => 1.0,
        _ => sample::usual_value(p),
    }
}

impl Row {
    /// `None` for a law without history and adhesion, or one that needs more than these values.
    fn new(entry: &'static NormalEntry) -> Option<Row> {
        let needed = |p: &&Param| {
            p.presence == Presence::Required || ["stiffness", "radius", "restitution"].contains(&p.name)
        };
        let params: Vec<&Param> = entry.entry.params.iter().filter(needed).collect();
        let args = params.iter().fold(Args::new(), |args, p| args.with(p.name, Value::Number(value(p))));
        let law = entry.make(&args).ok()?;
        let touch = Touch::point(1.0, 1.0, 1.0).round(RADIUS);
        let adheres = law.pull_off(&touch) > 0.0 && !law.has_phases();
        if !(adheres || law.has_phases()) || entry.is_pressure() {
            return None;
        }
        let own = params.iter().filter(|p| !["stiffness", "radius"].contains(&p.name));
        let values: Vec<String> = own.map(|p| format!("{} = {}", p.name, value(p))).collect();
        Some(Row { entry, law, touch, values: values.join(", "), adheres })
    }

    /// Where the surfaces go, one turn after the other, from where the contact begins.
    fn turns(&self) -> Vec<f64> {
        match self.adheres {
            true => vec![-self.law.begins_at(), 1.0, -self.law.holds_to(&self.touch)],
            false => [0.0].into_iter().chain(TURNS).collect(),
        }
    }

    /// The points (δ, F) from turn to turn.
    fn ways(&self) -> Vec<Vec<(f64, f64)>> {
        let mut touch = self.touch;
        let hold = self.law.holds_to(&touch);
        touch.floor = if hold > 0.0 { -hold * (1.0 + 4.0 * f64::EPSILON) } else { 0.0 };
        let turns = self.turns();
        let way = |ends: &[f64]| {
            let at = |i: usize| {
                // finer at both ends, where a force may have a root
                let x = i as f64 / POINTS as f64;
                ends[0] + (ends[1] - ends[0]) * x * x * (3.0 - 2.0 * x)
            };
            (0..=POINTS).map(|i| (at(i), self.force(at(i), ends[1] - ends[0], &mut touch))).collect()
        };
        turns.windows(2).map(way).collect()
    }

    /// The force at an indentation on the way in a direction, after all phases that end on the way there.
    fn force(&self, delta: f64, direction: f64, touch: &mut Touch) -> f64 {
        while let Some(ends) = self.law.phase_ends(touch) {
            let end = match () {
                () if ends.rate * direction < 0.0 => PhaseEnd::Turn,
                () if direction > 0.0 && delta > ends.above => PhaseEnd::Above,
                () if direction < 0.0 && delta < ends.below => PhaseEnd::Below,
                () => break,
            };
            let level = match end {
                PhaseEnd::Above => ends.above,
                PhaseEnd::Below => ends.below,
                PhaseEnd::Turn => delta,
            };
            let next = self.law.next_phase(end, level, touch);
            if next == touch.history {
                break;
            }
            touch.history = next;
        }
        // (laws of adhesion have no force where the surfaces do not touch)
        let delta_dot = 1e-12 * direction.signum();
        self.law.force(Indentation { delta, delta_dot }, touch).f_n
    }
}

/// The work of a force on a way from (δ, F) to (δ, F).
fn work(way: &[(f64, f64)]) -> f64 {
    way.windows(2).map(|p| 0.5 * (p[0].1 + p[1].1) * (p[1].0 - p[0].0)).sum()
}

/// The indentation at which an unloading force has fallen to zero.
fn dent(way: &[(f64, f64)]) -> f64 {
    way.iter().find(|p| p.1 <= 1e-12).map_or(0.0, |p| p.0)
}

/// The comparison as text; and the figure, if there is to be one.
pub(super) fn compare(names: &[&'static str], to: Option<&Path>) -> Result<String, Failure> {
    let chosen = normal::ALL.iter().filter(|e| names.contains(&e.name()));
    let rows: Vec<Row> = chosen.filter_map(Row::new).collect();
    if let Some(path) = to {
        plot::write(&figure(&rows), path)?;
    }
    let [adhesion, dents] = [true, false].map(|adheres| rows.iter().filter(move |r| r.adheres == adheres));
    let mut text = String::from(
        "Pressed together to D, then pulled apart, in units of D and F₁ = K Dⁿ; relative radius 10 D\n\n",
    );
    let mut table =
        Table::new(["law", "at D [F₁]", "pull-off [F₁]", "parts at [D]", "lost [F₁ D]"].map(str::to_owned));
    for r in adhesion {
        let ways = r.ways();
        let least = ways[1].iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
        let numbers = [ways[0][POINTS].1, least, ways[1][POINTS].0, work(&ways[0]) + work(&ways[1])];
        table.line([r.entry.name().to_owned()].into_iter().chain(numbers.map(sample::cell)));
    }
    text += &table.to_string();
    text += "\nPressed in to D, unloaded to 0.15 D, loaded again to 1.5 D and unloaded\n\n";
    let heads =
        ["law", "at D [F₁]", "dent [D]", "lost [F₁ D]", "at 1.5 D [F₁]", "dent [D]", "lost in all [F₁ D]"];
    let mut table = Table::new(heads.map(str::to_owned));
    for r in dents {
        let ways = r.ways();
        let lost: Vec<f64> = ways.iter().map(|way| work(way)).collect();
        let numbers = [
            ways[0][POINTS].1,
            dent(&ways[1]),
            lost[0] + lost[1],
            ways[2][POINTS].1,
            dent(&ways[3]),
            lost.iter().sum(),
        ];
        table.line([r.entry.name().to_owned()].into_iter().chain(numbers.map(sample::cell)));
    }
    text += &table.to_string();
    text += "\n";
    rows.iter()
        .for_each(|r| text += &hanging("  ", &format!("{} with {}", r.entry.name(), r.values), columns()));
    Ok(text)
}

/// At the left what adhesion does, at the right what dents do.
fn figure(rows: &[Row]) -> Figure {
    let titles = ["pulled apart: adhesion", "loaded again: dents"];
    let panels = [true, false].into_iter().zip(titles).filter_map(|(adheres, title)| {
        let axes = Panel::new(Axis::linear("indentation δ [D]"), Axis::linear("normal force F [F₁]"));
        let of_panel: Vec<(usize, &Row)> =
            rows.iter().enumerate().filter(|(_, r)| r.adheres == adheres).collect();
        let curve = |(i, r): &(usize, &Row)| Curve::new(r.entry.name(), loop_of(r), *i);
        (!of_panel.is_empty()).then(|| axes.title(title).curves(of_panel.iter().map(curve)))
    });
    let panels: Vec<Panel> = panels.collect();
    panels.into_iter().fold(Figure::new(2), Figure::panel)
}

/// The whole loop; surfaces that adhere jump into contact and out of it.
fn loop_of(r: &Row) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> = r.ways().concat();
    let [start, end] = [points.first(), points.last()].map(|p| p.map_or(0.0, |p| p.0));
    [(start, 0.0)].into_iter().chain(points).chain([(end, 0.0)]).collect()
}
