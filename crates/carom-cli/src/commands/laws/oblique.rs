//! An oblique impact under friction laws: how a ball leaves a plane, by the angle at which it came.
//!
//! ψ = κ v_t/(μ v_n), v_t the slip of the ball on the plane, so that the curve of elastic bodies depends on χ = κ (1 + m R²/I)/2 alone (Maw, Barber and Fawcett 1976). Where
//! ψ1 ≥ 4χ − 1 the ball slides all the way, and ψ2 = ψ1 − 4χ under any law that slides with μN.

use std::path::Path;
use std::sync::Arc;

use carom::base::Value;
use carom::law::{Friction, friction};
use carom::prelude::{Body, ContactRule, FrictionAt, Hertz, ModelBuilder, Plane, Simulation, Sphere};
use carom_plot::{Axis, Curve, Figure, Panel};

use super::sample;
use crate::failure::Failure;
use crate::plot;
use crate::text::{Table, columns, hanging};

/// ψ1 of the table.
const INCIDENCES: [f64; 8] = [0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 8.0];
/// κ of two bodies with ν = 0.3.
const KAPPA: f64 = 1.4 / 1.7;
/// χ of a ball.
const CHI: f64 = KAPPA * 3.5 / 2.0;
const RADIUS: f64 = 0.01;
const MASS: f64 = 0.03;
const STIFFNESS: f64 = 1e10;

/// A law with the values of its example, and its μ.
struct Row {
    name: &'static str,
    law: Arc<dyn Friction>,
    mu: f64,
}

impl Row {
    /// ψ2; NaN where the run fails.
    fn rebound(&self, psi: f64) -> f64 {
        self.slip_after(psi * self.mu / KAPPA).map_or(f64::NAN, |slip| KAPPA * slip / self.mu)
    }

    /// The slip after an elastic impact at 1 m/s along the normal [m/s].
    fn slip_after(&self, slip: f64) -> Option<f64> {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("ball").mass(MASS).surface(Sphere::new(RADIUS).ok()?);
        b.body(ball.position([0.0, 0.0, 1.0001 * RADIUS]).velocity([slip, 0.0, -1.0]));
        b.body(Body::fixed("floor").surface(Plane));
        let rule = ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(STIFFNESS));
        b.contact(rule.friction_arc(Arc::clone(&self.law)).friction_at(FrictionAt::Surfaces));
        let model = b.build().ok()?;
        let run = Simulation::new(&model).duration(1.5e-4).rtol(1e-8).run().ok()?;
        let ball = run.end.body("ball")?;
        (ball.velocity.z > 0.0).then(|| ball.velocity.x - RADIUS * ball.angular_velocity.y)
    }
}

/// The comparison as text; and the figure, if there is to be one.
pub(super) fn compare(names: &[&'static str], to: Option<&Path>) -> Result<String, Failure> {
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for entry in friction::ALL.iter().filter(|e| names.contains(&e.name())) {
        let (name, params) = (entry.name(), entry.entry.params);
        let mut args = sample::args(params);
        if params.iter().any(|p| p.name == "stiffness_ratio") {
            args.set("stiffness_ratio", Value::Number(KAPPA));
        }
        let mu = args.number("coefficient").unwrap_or(1.0);
        match entry.make(&args) {
            Ok(law) => rows.push(Row { name, law, mu }),
            Err(why) => left_out.push(format!("left out: {name}: {why}")),
        }
    }
    if let Some(path) = to {
        plot::write(&figure(&rows), path)?;
    }
    let mut text = String::from("ψ2 of a ball that leaves a plane, for ψ1 with which it came\n\n");
    let mut table = Table::new(["law".to_owned()].into_iter().chain(INCIDENCES.map(|psi| format!("{psi}"))));
    for row in &rows {
        let numbers = INCIDENCES.map(|psi| sample::cell(row.rebound(psi)));
        table.line([row.name.to_owned()].into_iter().chain(numbers));
    }
    text += &table.to_string();
    text += "\n";
    let what = format!(
        "ψ = κ v_t/(μ v_n), v_t the slip; ν = 0.3, χ = {CHI:.4}, elastic along the normal, no spin before; from ψ1 = 4χ − 1 = {:.4} on it slides all the way: ψ2 = ψ1 − 4χ. \
         Elastic bodies do as `maw-barber-fawcett`. Laws without κ have the values of their examples, at 1 m/s along the normal",
        4.0 * CHI - 1.0
    );
    text += &hanging("  ", &what, columns());
    left_out.iter().for_each(|why| text += &hanging("  ", why, columns()));
    Ok(text)
}

fn figure(rows: &[Row]) -> Figure {
    let incidences: Vec<f64> = (1..=40).map(|i| f64::from(i) * 0.2).collect();
    let points = |row: &Row| incidences.iter().map(|psi| (*psi, row.rebound(*psi))).collect();
    let curves: Vec<_> =
        rows.iter().enumerate().map(|(i, row)| Curve::new(row.name, points(row), i)).collect();
    let panel = Panel::new(Axis::linear("incidence ψ1 [1]"), Axis::linear("rebound ψ2 [1]"));
    Figure::new(1).panel(panel.curves(curves))
}
