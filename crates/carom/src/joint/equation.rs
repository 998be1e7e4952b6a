//! The equations of a joint: rows φ = 0, each with its rate, its gradient, and the part of its second rate that is
//! known before the accelerations are.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::{Jet, Scalar, Vec3};

use super::measure::{A, Arm, B, GeneralizedForce, Measure, Row, Vector};
use super::moving::{Moving, zero};
use super::rolling::Touching;
use crate::course::Course;

/// An equation of a joint, with one, two or three rows.
#[derive(Clone, Debug)]
pub(crate) enum Equation {
    /// a point of A coincides with a point of B: three rows, along the axes of the world
    Meet([Vec3; 2]),
    /// x and y, which are fixed to A, are perpendicular to z, which is fixed to B: two rows
    Align { x: Vec3, y: Vec3, z: Vec3 },
    /// two surfaces touch and do not slip: three rows
    Roll(Arc<Touching>),
    /// a measure has a constant value
    Level(Measure, f64),
    /// Σ factor · measure, over several pairs of bodies, has a constant value
    Sum(Vec<Term>, f64),
    /// a measure, or its rate, follows a prescribed function of time
    Follow { measure: Measure, course: Arc<dyn Course>, level: Level },
    /// the multiplier is the inertia force −J q̈ of a rotor whose coordinate is the measure q: no constraint, and
    /// neither q nor q̇ has a prescribed value
    Inertia { measure: Measure, inertia: f64 },
}

/// What follows the prescribed function of time: the measure itself, or its rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Value,
    Rate,
}

/// A term of a sum of measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) factor: f64,
    pub(crate) measure: Measure,
    /// which bodies of the joint are A and B of this measure
    pub(crate) ends: [usize; 2],
    /// index of the counter of its full turns, if it is an angle
    pub(crate) counter: Option<usize>,
}

/// A receiver of rows, which are passed to it one after another.
pub(crate) trait Rows<S: Scalar> {
    /// Takes the next row: φ, φ̇, and φ̈ without the part due to the unknown accelerations.
    fn row(&mut self, value: S, rate: S, bias: S);
    /// Takes the generalised force that a unit of the last row's multiplier exerts on a body of the joint.
    fn gradient(&mut self, body: usize, force: &GeneralizedForce<S>);
    /// Takes the generalised force of the last row on a body where it is a unit force along (`sign` 1) or against
    /// (`sign` −1) an axis of the world, at the end r of an arm from the centre of mass; x: that arm in the body's
    /// axes.
    #[inline(always)]
    fn gradient_along(&mut self, body: usize, axis: usize, sign: f64, r: &Vec3<S>, x: &Vec3) {
        let mut g = zero();
        g[axis] = S::from_f64(sign);
        self.gradient(
            body,
            &GeneralizedForce { f: g, arms: [Arm { g, r: *r, x: x.map(S::from_f64) }, Arm::none()] },
        );
    }
    /// Whether it uses the derivatives of the rows.
    fn has_derivatives(&self) -> bool {
        false
    }
    /// Sets the generalised forces of the last row on all bodies to zero.
    fn clear(&mut self);
    /// Adds `factor` times a generalised force to that of the last row on a body.
    fn add(&mut self, body: usize, factor: f64, force: &GeneralizedForce<S>);
}

impl Equation {
    pub(crate) fn rows(&self) -> usize {
        match self {
            Equation::Meet(_) | Equation::Roll(_) => 3,
            Equation::Align { .. } => 2,
            _ => 1,
        }
    }

    /// Whether its reaction can be a couple: it cannot where it is a force at the point of A only.
    pub(crate) fn carries_couples(&self) -> bool {
        let at_point = |measure: &Measure| matches!(measure, Measure::Dot { d: Vector::Between(_), .. });
        match self {
            Equation::Meet(_) | Equation::Roll(_) => false,
            Equation::Level(measure, _) => !at_point(measure),
            _ => true,
        }
    }

    /// Whether its reaction consists of couples and no forces.
    pub(crate) fn only_turns(&self) -> bool {
        match self {
            Equation::Align { .. } => true,
            Equation::Level(measure, _)
            | Equation::Follow { measure, .. }
            | Equation::Inertia { measure, .. } => measure.only_turns(),
            _ => false,
        }
    }

    /// Writes its rows to `out`; `bodies`: the states of the joint's bodies. `turns`: the counted angles of the last
    /// accepted state [rad].
    #[inline(always)]
    pub(crate) fn evaluate<S: Scalar>(
        &self,
        t: f64,
        bodies: &[&Moving<S>],
        turns: &[f64],
        out: &mut impl Rows<S>,
    ) {
        match self {
            Equation::Meet(points) => meet(points, [bodies[A], bodies[B]], out),
            Equation::Roll(touching) => touching.evaluate([bodies[A], bodies[B]], out),
            Equation::Align { x, y, z } => {
                let wz = bodies[B].carried(z);
                for (x, wx) in [(x, bodies[A].carried(x)), (y, bodies[A].carried(y))] {
                    let bias =
                        wx.bias.dot(&wz.w) + S::from_f64(2.0) * wx.rate.dot(&wz.rate) + wx.w.dot(&wz.bias);
                    out.row(wx.w.dot(&wz.w), wx.rate.dot(&wz.w) + wx.w.dot(&wz.rate), bias);
                    let force = |g, r, x: &Vec3| {
                        let arm = Arm { g, r, x: x.map(S::from_f64) };
                        GeneralizedForce { f: zero(), arms: [arm, Arm::none()] }
                    };
                    out.gradient(A, &force(wz.w, wx.w, x));
                    out.gradient(B, &force(wx.w, wz.w, z));
                }
            }
            Equation::Level(measure, level) => {
                let ends = [bodies[A], bodies[B]];
                let row = if out.has_derivatives() { measure.at(ends) } else { measure.at_once(ends) };
                put(row, S::from_f64(-level), Jet { value: 0.0, rate: 0.0, second: 0.0 }, out);
            }
            Equation::Follow { measure, course, level, .. } => {
                let row = measure.at([bodies[A], bodies[B]]);
                let wanted = course.at(t);
                match level {
                    Level::Value => {
                        let mut off = row.value.value() - wanted.value;
                        if matches!(measure, Measure::Angle { .. }) {
                            off = wrap(off);
                        }
                        put(row, S::from_f64(off - row.value.value()), wanted, out);
                    }
                    Level::Rate => {
                        let wanted = Jet { value: 0.0, rate: wanted.value, second: wanted.rate };
                        put(row, -row.value, wanted, out);
                    }
                }
            }
            Equation::Inertia { measure, .. } => {
                let Row { bias, forces, .. } = measure.at([bodies[A], bodies[B]]);
                let none = S::from_f64(0.0);
                out.row(none, none, bias);
                out.gradient(A, &forces[A]);
                out.gradient(B, &forces[B]);
            }
            Equation::Sum(terms, level) => sum(terms, *level, bodies, turns, out),
        }
    }
}

/// Writes the three rows of two points that coincide.
#[inline(always)]
fn meet<S: Scalar>(points: &[Vec3; 2], ends: [&Moving<S>; 2], out: &mut impl Rows<S>) {
    let ((p, r_a), (q, r_b)) = (ends[A].point(&points[A]), ends[B].point(&points[B]));
    let d = p - q;
    for i in 0..3 {
        out.row(d.w[i], d.rate[i], d.bias[i]);
        for (end, sign, r) in [(A, 1.0, r_a), (B, -1.0, r_b)] {
            out.gradient_along(end, i, sign, &r, &points[end]);
        }
    }
}

#[inline(always)]
fn put<S: Scalar>(row: Row<S>, shift: S, wanted: Jet, out: &mut impl Rows<S>) {
    let [rate, second] = [wanted.rate, wanted.second].map(S::from_f64);
    out.row(row.value + shift, row.rate - rate, row.bias - second);
    out.gradient(A, &row.forces[A]);
    out.gradient(B, &row.forces[B]);
}

fn sum<S: Scalar>(terms: &[Term], level: f64, bodies: &[&Moving<S>], turns: &[f64], out: &mut impl Rows<S>) {
    let at = |term: &Term| term.measure.at(term.ends.map(|i| bodies[i]));
    let (mut value, mut rate, mut bias) = (S::from_f64(-level), S::from_f64(0.0), S::from_f64(0.0));
    for term in terms {
        let (row, factor) = (at(term), S::from_f64(term.factor));
        let counted = term.counter.map_or(row.value.value(), |i| unwrapped(row.value.value(), turns[i]));
        value += factor * (row.value + S::from_f64(counted - row.value.value()));
        rate += factor * row.rate;
        bias += factor * row.bias;
    }
    out.row(value, rate, bias);
    out.clear();
    for term in terms {
        let row = at(term);
        out.add(term.ends[A], term.factor, &row.forces[A]);
        out.add(term.ends[B], term.factor, &row.forces[B]);
    }
}

/// Returns the angle without whole turns, from −π to π.
pub(crate) fn wrap(angle: f64) -> f64 {
    angle - 2.0 * PI * (angle / (2.0 * PI)).round()
}

/// Returns the angle plus the whole turns that bring it closest to its earlier value `was`.
pub(crate) fn unwrapped(angle: f64, was: f64) -> f64 {
    was + wrap(angle - was)
}
