//! Compares bodies, energies and joints of two runs at the same times.

use carom::BodyState;
use carom::base::elementary::{atan2, powi};
use carom_base::{Mat3, Quat, Vec3};
use nalgebra::{Quaternion, Unit};

use super::{Difference, Times, within};
use crate::{Reaction, Recorded, Track};

/// Number of common times that is enough without interpolation.
const ENOUGH: usize = 10;
/// Factor on the estimated interpolation error, because impacts are shorter than the interval between outputs.
const CAUTION: f64 = 16.0;

/// Two runs, and the times at which they are compared.
pub(super) struct Pair<'a> {
    runs: [&'a Recorded; 2],
    pub(super) t: Vec<f64>,
    /// the outputs of each run at these times
    at: [Vec<TimeIndex>; 2],
    interpolated: Option<usize>,
    length: f64,
    /// the largest speed [m/s]
    pub(super) speed: f64,
}

/// The position of a time among a run's outputs.
#[derive(Clone, Copy, Debug)]
enum TimeIndex {
    /// at the output of this index
    At(usize),
    /// between the outputs of these two indices, at this fraction (0 to 1) of the interval
    Between(usize, usize, f64),
}

/// The motion of a body at a time.
struct Sample {
    position: Vec3,
    velocity: Vec3,
    /// R of F = R U; `None` for a probe
    orientation: Option<Quat>,
    /// U; `None` for a body that does not deform
    stretch: Option<Mat3>,
}

impl Sample {
    fn new(position: Vec3, velocity: Vec3, body: Option<BodyState>) -> Sample {
        let orientation = body.map(|b| b.orientation);
        let stretch = body
            .and_then(|b| Some(b.orientation.to_rotation_matrix().inverse().into_inner() * b.deformation?.f));
        Sample { position, velocity, orientation, stretch }
    }
}

/// A quantity that is compared between two bodies.
struct Measure {
    quantity: &'static str,
    unit: &'static str,
    scale: f64,
    /// order of the interpolation error in the interval between outputs
    order: i32,
    /// the difference; `None` if neither body has the quantity
    apart: fn(&Sample, &Sample) -> Option<f64>,
}

impl<'a> Pair<'a> {
    pub(super) fn new(a: &'a Recorded, b: &'a Recorded) -> Pair<'a> {
        let end = a.t_end().min(b.t_end());
        let counts = [within(&a.t, end).len(), within(&b.t, end).len()];
        let common = common(&a.t, &b.t, end);
        let (t, at, interpolated);
        if common.len() >= ENOUGH || 2 * common.len() >= counts[0].min(counts[1]) {
            t = common.iter().map(|(i, _)| a.t[*i]).collect();
            at = [
                common.iter().map(|c| TimeIndex::At(c.0)).collect(),
                common.iter().map(|c| TimeIndex::At(c.1)).collect(),
            ];
            interpolated = None;
        } else {
            // interpolating the finer run loses less
            let which = usize::from(counts[1] > counts[0]);
            let (fine, coarse) = ([&a.t, &b.t][which], [&a.t, &b.t][1 - which]);
            let given: Vec<TimeIndex> = (0..counts[1 - which]).map(TimeIndex::At).collect();
            t = coarse[..counts[1 - which]].to_vec();
            let found: Vec<TimeIndex> = t.iter().map(|t| time_index(fine, *t)).collect();
            at = if which == 0 { [found, given] } else { [given, found] };
            interpolated = Some(which);
        }
        let runs = [a, b];
        let [length, speed] = scales(&runs);
        Pair { runs, t, at, interpolated, length, speed }
    }

    /// Returns the differences of the bodies that both runs have; without interpolation also of energies and joints.
    pub(super) fn differences(&self) -> Vec<Difference> {
        let [a, b] = self.runs;
        let mut all = Vec::new();
        for one in &a.tracks {
            if let Some(other) = b.tracks.iter().find(|t| t.name == one.name) {
                let samples = self.at[0]
                    .iter()
                    .zip(&self.at[1])
                    .map(|(i, j)| (sample(a, one, *i), sample(b, other, *j)));
                all.extend(self.of_body(&one.name, samples.collect()));
            }
        }
        if self.interpolated.is_none() {
            all.extend(self.energies());
            all.extend(self.reactions());
        }
        all
    }

    fn of_body(&self, name: &str, samples: Vec<(Sample, Sample)>) -> Vec<Difference> {
        let both = |m: &Measure| -> Option<Difference> {
            let series = samples.iter().map(|(a, b)| (m.apart)(a, b)).collect::<Option<Vec<f64>>>()?;
            (!series.is_empty()).then(|| difference(name, m.quantity, m.unit, m.scale, series))
        };
        self.measures().iter().filter_map(both).collect()
    }

    fn measures(&self) -> [Measure; 4] {
        let measure = |quantity, unit, scale, order, apart| Measure { quantity, unit, scale, order, apart };
        [
            measure("position", "m", self.length, 4, |a, b| Some((a.position - b.position).norm())),
            measure("velocity", "m/s", self.speed, 3, |a, b| Some((a.velocity - b.velocity).norm())),
            measure("orientation", "rad", 1.0, 4, |a, b| Some(turn(&a.orientation?, &b.orientation?))),
            measure("stretch", "", 1.0, 4, |a, b| {
                // a rigid body has U = 1
                let [u, v] = [a, b].map(|s| s.stretch.unwrap_or_else(Mat3::identity));
                (a.stretch.is_some() || b.stretch.is_some()).then(|| (u - v).norm())
            }),
        ]
    }

    /// Compares the columns of `energy.csv` that both runs have and that are not zero throughout. The audit is left out, because
    /// it is not a property of the motion.
    fn energies(&self) -> Vec<Difference> {
        let [a, b] = self.runs;
        let scale = a.energy_scale().max(b.energy_scale());
        let mut all = Vec::new();
        for (name, one) in a.energies.iter().filter(|(name, _)| name != "audit") {
            let Some((_, other)) = b.energies.iter().find(|(n, _)| n == name) else { continue };
            if one.iter().chain(other).all(|x| *x == 0.0) {
                continue;
            }
            let series = self
                .t
                .iter()
                .map(|t| (value_at(&a.energy_t, one, *t) - value_at(&b.energy_t, other, *t)).abs());
            all.push(difference(
                "energy",
                name,
                "J",
                if scale > 0.0 { scale } else { 1.0 },
                series.collect(),
            ));
        }
        all
    }

    /// Compares the forces and couples of the joints that both runs have.
    fn reactions(&self) -> Vec<Difference> {
        let [a, b] = self.runs;
        let largest = |of: fn(&Reaction) -> &[[f64; 3]]| {
            let all = a.joints.iter().chain(&b.joints).flat_map(of);
            let most = all.map(|v| Vec3::from(*v).norm()).fold(0.0, f64::max);
            if most > 0.0 { most } else { 1.0 }
        };
        let scales = [("force", "N", largest(|r| &r.force)), ("couple", "N m", largest(|r| &r.couple))];
        let mut all = Vec::new();
        for one in &a.joints {
            let Some(other) = b.joints.iter().find(|r| r.joint == one.joint) else { continue };
            for (i, (quantity, unit, scale)) in scales.into_iter().enumerate() {
                let apart = |t: &f64| {
                    let loads = one.at(*t).zip(other.at(*t));
                    loads.map_or(0.0, |(p, q)| (Vec3::from(p[i]) - Vec3::from(q[i])).norm())
                };
                let series = self.t.iter().map(apart).collect();
                all.push(difference(&format!("joint {}", one.joint), quantity, unit, scale, series));
            }
        }
        all
    }

    /// Returns how the times were chosen. The error of an interpolation is estimated from every second output of that run: with
    /// twice the interval the error of cubic Hermite polynomials is 2⁴ times as large (2³ for the velocity).
    pub(super) fn times(&self, differences: &[Difference]) -> Times {
        let Some(which) = self.interpolated else { return Times::Common };
        let run = self.runs[which];
        let known = |t: &&Track| differences.iter().any(|d| d.of == t.name);
        let (mut error, measures): (f64, _) = (0.0, self.measures());
        for track in run.tracks.iter().filter(known) {
            for i in 1..run.t.len().saturating_sub(1) {
                let share = (run.t[i] - run.t[i - 1]) / (run.t[i + 1] - run.t[i - 1]);
                let (exact, guess) = (
                    sample(run, track, TimeIndex::At(i)),
                    sample(run, track, TimeIndex::Between(i - 1, i + 1, share)),
                );
                for m in &measures {
                    let apart = (m.apart)(&exact, &guess).unwrap_or(0.0);
                    error = error.max(apart / m.scale / powi(2f64, m.order));
                }
            }
        }
        Times::Interpolated { which, error: CAUTION * error }
    }
}

impl Recorded {
    /// Returns the largest sum, at any time, of the absolute kinetic, elastic, field, strain and dissipated energies and of the
    /// change of potential energy \[J\].
    fn energy_scale(&self) -> f64 {
        let mut total = vec![0.0; self.energy_t.len()];
        for (name, values) in &self.energies {
            let start = if name == "potential" { values.first().copied().unwrap_or(0.0) } else { 0.0 };
            if ["total", "audit", "work"].contains(&name.as_str()) {
                continue;
            }
            total.iter_mut().zip(values).for_each(|(sum, x)| *sum += (x - start).abs());
        }
        total.into_iter().fold(0.0, f64::max)
    }
}

fn difference(of: &str, quantity: &str, unit: &'static str, scale: f64, series: Vec<f64>) -> Difference {
    let (of, quantity) = (of.to_owned(), quantity.to_owned());
    Difference { of, quantity, unit, scale, series, max: 0.0, at: 0.0, rms: 0.0 }
}

/// Returns the largest distance of any body from its start, and the largest speed; 1 if nothing moves.
fn scales(runs: &[&Recorded; 2]) -> [f64; 2] {
    let (mut length, mut speed): (f64, f64) = (0.0, 0.0);
    for track in runs.iter().flat_map(|r| &r.tracks) {
        let start = track.position.first().copied().unwrap_or_default();
        for (p, v) in track.position.iter().zip(&track.velocity) {
            length = length.max((Vec3::from(*p) - Vec3::from(start)).norm());
            speed = speed.max(Vec3::from(*v).norm());
        }
    }
    [length, speed].map(|x| if x > 0.0 { x } else { 1.0 })
}

/// Returns the pairs of outputs at the same time, up to rounding errors.
fn common(a: &[f64], b: &[f64], end: f64) -> Vec<(usize, usize)> {
    let (mut pairs, mut j) = (Vec::new(), 0);
    let same = 1e-12 * end.abs();
    for i in within(a, end) {
        while j < b.len() && b[j] < a[i] - same {
            j += 1;
        }
        if j < b.len() && (b[j] - a[i]).abs() <= same {
            pairs.push((i, j));
            j += 1;
        }
    }
    pairs
}

fn time_index(t: &[f64], at: f64) -> TimeIndex {
    let next = t.partition_point(|x| *x < at);
    match (next, t.get(next)) {
        (_, Some(x)) if *x == at => TimeIndex::At(next),
        (0, _) => TimeIndex::At(0),
        (_, None) => TimeIndex::At(t.len() - 1),
        (_, Some(x)) => TimeIndex::Between(next - 1, next, (at - t[next - 1]) / (x - t[next - 1])),
    }
}

/// Returns the value at an output, or the last value if `energy.csv` is shorter than `states.csv`.
fn value_at(t: &[f64], values: &[f64], time: f64) -> f64 {
    let same = 1e-12 * time.abs();
    let next = t.partition_point(|x| *x < time - same).min(values.len().saturating_sub(1));
    values.get(next).copied().unwrap_or(f64::NAN)
}

fn sample(run: &Recorded, track: &Track, index: TimeIndex) -> Sample {
    match index {
        TimeIndex::At(i) => Sample::new(track.position[i].into(), track.velocity[i].into(), track.state(i)),
        TimeIndex::Between(i, j, s) => {
            let h = run.t[j] - run.t[i];
            let [p0, p1, v0, v1] =
                [track.position[i], track.position[j], track.velocity[i], track.velocity[j]].map(Vec3::from);
            let [da, db, dc, dd] = hermite_rate(s, h);
            let [a, b, c, d] = hermite(s, h);
            let position = p0 * a + v0 * b + p1 * c + v1 * d;
            let velocity = p0 * da + v0 * db + p1 * dc + v1 * dd;
            let between = |x: BodyState, y: BodyState| match (x.deformation, y.deformation) {
                (Some(x), Some(y)) => {
                    let f = x.f * a + x.f_dot * b + y.f * c + y.f_dot * d;
                    let f_dot = x.f * da + x.f_dot * db + y.f * dc + y.f_dot * dd;
                    BodyState::deformed(position, f, velocity, f_dot)
                }
                _ => {
                    let (q0, q1) = (x.orientation.into_inner(), y.orientation.into_inner());
                    // q and −q are the same orientation
                    let q1 = if q0.dot(&q1) < 0.0 { -q1 } else { q1 };
                    // dq/dt = ½ ω q, ω in the world frame
                    let rate = |w: Vec3, q: Quaternion<f64>| Quaternion::from_imag(w) * q * 0.5;
                    let [w0, w1] = [x.angular_velocity, y.angular_velocity];
                    let q = q0 * a + rate(w0, q0) * b + q1 * c + rate(w1, q1) * d;
                    BodyState { orientation: Unit::new_normalize(q), ..x }
                }
            };
            Sample::new(position, velocity, track.state(i).zip(track.state(j)).map(|(x, y)| between(x, y)))
        }
    }
}

/// Returns the weights of the cubic Hermite polynomial: of value and rate at the start, and of value and rate at the end.
fn hermite(s: f64, h: f64) -> [f64; 4] {
    let r = 1.0 - s;
    [r * r * (1.0 + 2.0 * s), s * r * r * h, s * s * (3.0 - 2.0 * s), -s * s * r * h]
}

/// Returns the weights of the cubic's rate: of value and rate at the start, and of value and rate at the end.
fn hermite_rate(s: f64, h: f64) -> [f64; 4] {
    let r = 1.0 - s;
    [-6.0 * s * r / h, r * (1.0 - 3.0 * s), 6.0 * s * r / h, s * (3.0 * s - 2.0)]
}

/// Returns the angle between two orientations \[rad\]: 2 atan(|vector|/|scalar|) of the relative rotation, which is accurate
/// for small angles.
fn turn(a: &Quat, b: &Quat) -> f64 {
    let d = (a.inverse() * b).into_inner();
    2.0 * atan2(d.imag().norm(), d.w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_exact() {
        let (t0, h) = (0.3, 0.7);
        let f = |t: f64| 1.0 - 2.0 * t + 3.0 * t * t - 4.0 * t * t * t;
        let rate = |t: f64| -2.0 + 6.0 * t - 12.0 * t * t;
        for s in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let known = [f(t0), rate(t0), f(t0 + h), rate(t0 + h)];
            let dot = |w: [f64; 4]| w.iter().zip(known).map(|(w, x)| w * x).sum::<f64>();
            let t = t0 + s * h;
            assert!((dot(hermite(s, h)) - f(t)).abs() < 1e-14);
            assert!((dot(hermite_rate(s, h)) - rate(t)).abs() < 1e-13);
        }
    }

    #[test]
    fn small_turns_keep_their_digits() {
        for angle in [0.0, 1e-15, 1e-9, 0.5, 3.0] {
            let q = Quat::from_axis_angle(&Vec3::y_axis(), angle);
            let p = Quat::from_axis_angle(&Vec3::x_axis(), 0.4);
            assert!((turn(&p, &(p * q)) - angle).abs() < 1e-15 + 1e-15 * angle, "{angle}");
            assert!(
                (turn(&p, &Unit::new_unchecked(-(p * q).into_inner())) - angle).abs() < 1e-15 + 1e-15 * angle
            );
        }
    }

    #[test]
    fn times_are_paired() {
        let (a, b) = ([0.0, 0.1, 0.2, 0.30000000000000004, 0.5], [0.0, 0.15, 0.3, 0.45]);
        assert_eq!(common(&a, &b, 0.45), [(0, 0), (3, 2)]);
    }
}
