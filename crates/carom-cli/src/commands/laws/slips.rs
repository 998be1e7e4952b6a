//! The forces of friction laws against slip; of laws that remember, once slip has been steady for long.

use std::path::Path;
use std::sync::Arc;

use carom::base::Vec3;
use carom::law::friction;
use carom::law::{Friction, Grip, Memory, Slip, Touch};
use carom::ode::Ivp;
use carom_plot::{Axis, Curve, Figure, Panel};

use super::sample;
use crate::failure::Failure;
use crate::human::si;
use crate::plot;
use crate::text::{Table, columns, hanging};

/// The slips of the table [m/s].
const SLIPS: [f64; 7] = [1e-5, 1e-4, 5e-4, 1e-3, 2e-3, 1e-2, 1.0];
/// The normal force [N].
const F_N: f64 = 1.0;

/// A law with the values of its example.
struct Row {
    name: &'static str,
    law: Arc<dyn Friction>,
    line: String,
}

/// So long slip is steady [s]: more than any memory.
const LONG: f64 = 1e4;

impl Row {
    /// |F|/N at a steady slip [m/s]; NaN where it does not become steady.
    fn ratio(&self, slip: f64) -> f64 {
        let v_t = Vec3::new(slip, 0.0, 0.0);
        let force = match (self.law.follows_depth(), self.law.remembers()) {
            (true, _) => Some(self.sliding(&v_t)),
            (false, true) => self.steady(&v_t),
            (false, false) => Some(self.law.force(F_N, &v_t)),
        };
        force.map_or(f64::NAN, |f| f.norm() / F_N)
    }

    /// The force of a law that follows the depth, once all its elements slip.
    fn sliding(&self, v_t: &Vec3) -> Vec3 {
        let k = 1e8;
        let delta = (F_N / k).powf(2.0 / 3.0);
        let grip = Grip::new(&Touch::point(k, 1.0, 1.0), 1.5, 1.0, delta, 0.0);
        let at = Slip::of_power(&grip, F_N, delta, 0.0, *v_t);
        let bent = Memory { z: v_t.normalize(), s: 0.0 };
        (0..self.law.elements()).map(|i| self.law.evolve_at(i, &at, &grip, &bent).f_t).sum()
    }

    /// The force once the bristles no longer bend, in units of their deflection under full friction.
    fn steady(&self, v_t: &Vec3) -> Option<Vec3> {
        let (law, load, bend) = (&self.law, self.law.least_load(F_N), self.law.deflection(F_N));
        let memory = |y: &[f64]| Memory { z: Vec3::new(y[0], y[1], y[2]) * bend, s: y[3] };
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
            let rate = law.evolve(F_N, v_t, &memory(y), load).rate;
            dy[..3].copy_from_slice((rate.z / bend).as_slice());
            dy[3] = rate.s;
        };
        // stiff: the bristles settle within µs, and then nothing happens
        let mut steady =
            Ivp::new(rates, 0.0, [0.0; Memory::SIZE]).rtol(1e-8).atol(1e-8).method("ode15s").dense(false);
        let end = steady.solve_to(LONG).ok()?;
        Some(law.evolve(F_N, v_t, &memory(end.y_end()), load).f_t)
    }
}

/// The comparison as text; and the figure, if there is to be one.
pub(super) fn compare(names: &[&'static str], to: Option<&Path>) -> Result<String, Failure> {
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for entry in friction::ALL.iter().filter(|e| names.contains(&e.name())) {
        let (name, params) = (entry.name(), entry.entry.params);
        match entry.make(&sample::args(params)) {
            Ok(law) => rows.push(Row { name, law, line: sample::line("friction", name, params) }),
            Err(why) => left_out.push(format!("left out: {name}: {why}")),
        }
    }
    if let Some(path) = to {
        plot::write(&figure(&rows), path)?;
    }
    let mut text = String::from("|F|/N at a steady slip of\n\n");
    let heads = SLIPS.iter().map(|v| si(*v, "m/s"));
    let mut table = Table::new(["law".to_owned()].into_iter().chain(heads));
    for r in &rows {
        let numbers = SLIPS.iter().map(|v| format!("{:.4}", r.ratio(*v)));
        table.line([r.name.to_owned()].into_iter().chain(numbers));
    }
    text += &table.to_string();
    text += "\nfor a normal force of 1 N and\n\n";
    // whole lines, to be copied
    rows.iter().for_each(|r| text += &format!("  {}\n", r.line));
    left_out.iter().for_each(|why| text += &hanging("  ", why, columns()));
    Ok(text)
}

/// Slips up to a few transition speeds, and all of them on a logarithmic axis.
fn figure(rows: &[Row]) -> Figure {
    let force = || Axis::linear("friction |F|/N [1]");
    let near: Vec<f64> = (0..=250).map(|i| f64::from(i) / 50.0).collect();
    let far: Vec<f64> = (-200..=0).map(|i| 10f64.powf(f64::from(i) / 40.0)).collect();
    let curves = |slips: &[f64], unit: f64| -> Vec<Curve> {
        let points = |r: &Row| slips.iter().map(|v| (*v, r.ratio(v * unit))).collect();
        rows.iter().enumerate().map(|(i, r)| Curve::new(r.name, points(r), i)).collect()
    };
    Figure::new(2)
        .panel(Panel::new(Axis::linear("slip |v| [mm/s]"), force()).curves(curves(&near, 1e-3)))
        .panel(Panel::new(Axis::log("slip |v| [m/s]"), force()).curves(curves(&far, 1.0)))
}
