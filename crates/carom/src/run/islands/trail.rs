//! Where the bodies of an island have been within a window, and whether bodies of two islands may have met there.
//!
//! A body is within a ball about its centre of mass. In a step the centre is no further from the chord between its positions
//! at the ends than a h²/8, a being a bound on its acceleration. Two balls cannot have met if, in every part of the window in
//! which both chords are straight, the least distance of the two chords at equal times is larger than the radii and both
//! deviations together.

use carom_base::Vec3;
use carom_geometry::proximity::Aabb;
use carom_ode::Step;

use crate::contact::STAGE_MARGIN;
use crate::layout::RigidRows;
use crate::model::Model;

/// The chords of the centres of mass of the free bodies of an island.
#[derive(Debug, Default)]
pub(super) struct Trail {
    bodies: usize,
    /// the times of the ends of the steps [s], first that of the start
    times: Vec<f64>,
    /// the positions of all bodies at each of these times [m]
    positions: Vec<Vec3>,
    /// for each step, how far each body may be from its chord [m]
    deviations: Vec<f64>,
    /// the largest distance from the centre of mass of a point of each body that rotation moves [m]
    reaches: Vec<f64>,
    /// bounds on the lengths of the paths of all points of each body [m]
    paths: Vec<f64>,
}

impl Trail {
    pub(super) fn new(reaches: Vec<f64>) -> Trail {
        Trail { bodies: reaches.len(), reaches, ..Trail::default() }
    }

    /// Returns a bound on the length of the path of any point of a body in the window [m].
    pub(super) fn path(&self, body: usize) -> f64 {
        self.paths[body]
    }

    /// Starts a window.
    pub(super) fn begin(&mut self, t: f64, m: &Model, y: &[f64]) {
        self.times.clear();
        self.positions.clear();
        self.deviations.clear();
        self.paths.clear();
        self.paths.resize(self.bodies, 0.0);
        self.times.push(t);
        self.positions.extend(m.rows().map(|(_, rows)| rows.of(y).position()));
    }

    /// Adds a time in which nothing moves.
    pub(super) fn stay(&mut self, until: f64) {
        self.times.push(until);
        self.positions.extend_from_within(self.positions.len() - self.bodies..);
        self.deviations.resize(self.deviations.len() + self.bodies, 0.0);
    }

    /// Adds a step.
    pub(super) fn note(&mut self, step: &Step<'_>, m: &Model) {
        let h = step.h();
        if h == 0.0 {
            return;
        }
        self.times.push(step.t1);
        for (k, (_, rows)) in m.rows().enumerate() {
            let largest = |row: fn(RigidRows, usize) -> usize| {
                let rate = |i: usize| step.max_rate(row(rows, i));
                STAGE_MARGIN * Vec3::new(rate(0), rate(1), rate(2)).norm()
            };
            let (a, alpha) = (largest(RigidRows::velocity), largest(RigidRows::angular_velocity));
            let (start, end) = (rows.of(step.y0), rows.of(step.y1));
            self.positions.push(end.position());
            self.deviations.push(0.125 * a * h * h);
            // |v| is at most |v₀| + a t, and at most |v₁| + a (h − t): the mean of both bounds, integrated
            let path = |v0: Vec3, v1: Vec3, a: f64| 0.5 * (v0.norm() + v1.norm() + 0.5 * a * h) * h;
            self.paths[k] += path(start.velocity(), end.velocity(), a)
                + self.reaches[k] * path(start.angular_velocity(), end.angular_velocity(), alpha);
        }
    }

    /// Returns the box of everywhere where the ball of this radius about a body has been.
    pub(super) fn bounds(&self, body: usize, radius: f64) -> Aabb {
        let n = self.bodies;
        let at = |k: usize| &self.positions[k * n + body];
        let mut all = Aabb::of_sphere(at(0), radius);
        for k in 1..self.times.len() {
            let reach = radius + self.deviations[(k - 1) * n + body];
            all = all.merge(&Aabb::of_sphere(at(k - 1), reach)).merge(&Aabb::of_sphere(at(k), reach));
        }
        all
    }

    /// Returns the chord of a body in a step: its ends, their times, and the deviation from it.
    fn chord(&self, body: usize, k: usize) -> ([f64; 2], [&Vec3; 2], f64) {
        let n = self.bodies;
        let ends = [&self.positions[k * n + body], &self.positions[(k + 1) * n + body]];
        ([self.times[k], self.times[k + 1]], ends, self.deviations[k * n + body])
    }

    /// Whether balls of these radii about a body of one island and a body of another may have met.
    pub(super) fn may_have_met(one: (&Trail, usize), other: (&Trail, usize), radii: f64) -> bool {
        let (mut i, mut j) = (0, 0);
        while i + 1 < one.0.times.len() && j + 1 < other.0.times.len() {
            let (a, b) = (one.0.chord(one.1, i), other.0.chord(other.1, j));
            let (from, to) = (a.0[0].max(b.0[0]), a.0[1].min(b.0[1]));
            let apart = |t: f64| at(&b, t) - at(&a, t);
            if to >= from && least_distance(&apart(from), &apart(to)) <= radii + a.2 + b.2 {
                return true;
            }
            if a.0[1] <= b.0[1] {
                i += 1;
            } else {
                j += 1;
            }
        }
        false
    }
}

/// Returns the point of a chord at a time.
fn at((times, ends, _): &([f64; 2], [&Vec3; 2], f64), t: f64) -> Vec3 {
    let part = if times[1] > times[0] { (t - times[0]) / (times[1] - times[0]) } else { 0.0 };
    ends[0] * (1.0 - part) + ends[1] * part
}

/// Returns the least distance of the points of a segment from the origin.
fn least_distance(from: &Vec3, to: &Vec3) -> f64 {
    let along = to - from;
    let length = along.norm_squared();
    let part = if length > 0.0 { (-from.dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
    (from + along * part).norm()
}
