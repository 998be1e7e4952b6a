//! Contender b: Carom's integrator on a right-hand side written for this one ball.
//!
//! Steps, events, landings and first steps are those of the engine; only the mechanics is hard-coded. What
//! the engine takes longer is the price of its generality.

use carom::Scale;
use carom_ode::events::{Bounds, Found, Sample, crossing, first_crossing};
use carom_ode::{
    EventAction, Events, Interpolant, Landing, Ode, Options, RhsFailure, Site, Solver, Step, Steps, methods,
};

use crate::ball::{self, DURATION, G, MASS, N, Outcome, RADIUS, VZ, Z};

/// A ball over a plane.
struct Ball {
    stiffness: f64,
    touching: bool,
    touches: usize,
}

/// One run; `see` is told height and speed at the end of every step.
pub(crate) fn run(scale: Scale, rtol: f64, mut see: impl FnMut(f64, f64)) -> Result<Outcome, String> {
    let mut ball = Ball { stiffness: ball::stiffness(), touching: false, touches: 0 };
    let Scale { length, speed } = scale;
    let mut scales = [1.0; N];
    scales[..3].fill(length);
    scales[7..10].fill(speed);
    scales[10..].fill(speed / length);
    let options = Options { rtol, atol: rtol, scale: scales.to_vec(), ..Options::default() };
    let method = methods::find("dop853").map_err(|e| e.to_string())?;
    let start = Solver::new(method, &mut ball, 0.0, &ball::start(), DURATION, options);
    let mut solver = start.map_err(|e| e.to_string())?;
    while !solver.done() {
        solver.step(&mut ball).map_err(|e| e.to_string())?;
        see(solver.y()[Z], solver.y()[VZ]);
    }
    let stats = solver.stats();
    Ok(Outcome {
        touches: ball.touches,
        steps: stats.steps,
        evaluations: stats.evaluations,
        gap: solver.y()[Z] - RADIUS,
    })
}

impl Ode for Ball {
    #[inline]
    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let (Ok(y), Ok(dy)) = (<&[f64; N]>::try_from(y), <&mut [f64; N]>::try_from(dy)) else {
            return Err(RhsFailure { site: Site::Component(0), reason: "not a ball" });
        };
        let [_, _, z, q0, q1, q2, q3, vx, vy, vz, wx, wy, wz] = *y;
        let depth = RADIUS - z;
        let push =
            if self.touching && depth > 0.0 { self.stiffness / MASS * depth * depth.sqrt() } else { 0.0 };
        *dy = [
            vx,
            vy,
            vz,
            0.5 * (-wx * q1 - wy * q2 - wz * q3),
            0.5 * (wx * q0 + wy * q3 - wz * q2),
            0.5 * (wy * q0 + wz * q1 - wx * q3),
            0.5 * (wz * q0 + wx * q2 - wy * q1),
            0.0,
            0.0,
            push - G,
            0.0,
            0.0,
            0.0,
        ];
        Ok(())
    }
    fn events(&mut self) -> &mut dyn Events {
        self
    }
    fn steps(&mut self) -> &mut dyn Steps {
        self
    }
}

impl Events for Ball {
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let end = step.y1[Z] - RADIUS;
        if self.touching {
            return Ok(end <= 0.0);
        }
        let start = Sample { t: step.t0, g: (step.y0[Z] - RADIUS).max(0.0), rate: step.y0[VZ] };
        let end = Sample { t: step.t1, g: end, rate: step.y1[VZ] };
        Ok(bounds(step).keep_clear(&start, &end))
    }
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let resolution = 4.0 * f64::EPSILON * step.t1;
        let sign = if self.touching { -1.0 } else { 1.0 };
        let mut gap = |t: f64| {
            let (mut z, mut v) = ([0.0], [0.0]);
            dense.at(t, Z..Z + 1, &mut z);
            dense.at(t, VZ..VZ + 1, &mut v);
            Sample { t, g: sign * (z[0] - RADIUS), rate: sign * v[0] }
        };
        if !self.touching {
            let end = |t, y: &[f64]| Sample { t, g: y[Z] - RADIUS, rate: y[VZ] };
            let (a, b) = (end(step.t0, step.y0), end(step.t1, step.y1));
            return Ok(first_crossing(&mut gap, a, b, &bounds(step), resolution));
        }
        let end = gap(step.t1);
        let (mut hi, mut w) = (end, step.h());
        // just touched, the depth is zero: go back from the end until it is not
        let mut lo = gap(step.t0);
        while lo.g <= 0.0 && w > resolution {
            w *= 0.5;
            let s = gap(step.t0 + w);
            if s.g > 0.0 { lo = s } else { hi = s }
        }
        Ok(Found::At(if lo.g > 0.0 { crossing(&mut gap, &lo, &hi, resolution).t } else { step.t0 }))
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        let (gap, rate) = (step.y1[Z] - RADIUS, step.y1[VZ]);
        let toward = (rate > 0.0) == self.touching;
        let there = !toward || gap.abs() <= f64::EPSILON * RADIUS;
        Landing { dt: if there { 0.0 } else { -gap / rate } }
    }
    fn on_event(&mut self, _t: f64, y: &mut [f64]) -> EventAction {
        self.touching = !self.touching;
        self.touches += usize::from(self.touching);
        let time_scale = if self.touching { ball::impact_duration(-y[VZ]) } else { f64::INFINITY };
        EventAction::Restart { time_scale }
    }
}

impl Steps for Ball {
    fn on_accept(&mut self, _t: f64, y: &mut [f64]) {
        let norm = y[3..7].iter().map(|q| q * q).sum::<f64>().sqrt();
        y[3..7].iter_mut().for_each(|q| *q /= norm);
    }
    /// In a contact that opens: to little more than the release.
    fn max_step(&mut self, _t: f64, y: &[f64], dy: &[f64], _: f64) -> f64 {
        let (depth, rate) = (RADIUS - y[Z], y[VZ]);
        if !self.touching || rate <= 0.0 || depth <= 0.0 {
            return f64::INFINITY;
        }
        let root = (rate * rate + 2.0 * dy[VZ].max(0.0) * depth).sqrt();
        1.5 * 2.0 * depth / (rate + root)
    }
}

/// How fast and how sharply the gap can change within a step.
fn bounds(step: &Step<'_>) -> Bounds {
    let curvature = 1.5 * step.max_rate(VZ);
    Bounds { rate: step.y0[VZ].abs().max(step.y1[VZ].abs()) + curvature * step.h(), curvature }
}
