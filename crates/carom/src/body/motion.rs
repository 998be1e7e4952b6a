//! Prescribed motions.

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::elementary::{cos, sin};
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Quat, SpecError, Vec3, rotation_about};
use nalgebra::Unit;

use super::guided::Guided;
use crate::course::Course;

/// All motions that a scene can prescribe.
///
/// ```
/// use carom::base::{Args, Value};
/// let spin = carom::MOTIONS.iter().find(|e| e.name == "spin").unwrap();
/// let args = Args::new().with("axis", Value::Numbers(vec![0.0, 0.0, 2.0])).with("rate", Value::Number(3.0));
/// assert_eq!(spin.make(&args)?.at(0.5).angular_velocity.z, 3.0); // [rad/s]
/// # Ok::<(), carom::base::SpecError>(())
/// ```
pub static MOTIONS: &[Entry<Arc<dyn Motion>>] =
    &[Spin::ENTRY, Orbit::ENTRY, Shake::ENTRY, Slide::ENTRY, Guided::TABLE, Guided::EXPRESSION];

pub(super) const AXIS: Param =
    Param::required("axis", Quantity::Number, Allowed::Finite, "direction of the axis, world frame").array(3);
const RATE: Param =
    Param::required("rate", Quantity::AngularSpeed, Allowed::Finite, "angular speed about the axis");

/// Returns the three numbers of a required parameter.
fn vector(args: &Args, kind: &'static str, param: &Param) -> Result<Vec3, SpecError> {
    match args.numbers(param.name) {
        Some(&[x, y, z]) => Ok(Vec3::new(x, y, z)),
        _ => Err(SpecError::Missing { kind, name: param.name, doc: param.doc }),
    }
}

/// Returns the axis, normalised to length 1.
pub(super) fn axis(args: &Args, kind: &'static str) -> Result<Unit<Vec3>, SpecError> {
    let v = vector(args, kind, &AXIS)?;
    // scaled first: the square of a tiny or huge number would underflow or overflow
    Unit::try_new(v / v.amax().max(f64::MIN_POSITIVE), 0.5).ok_or_else(|| SpecError::NotAllowed {
        kind,
        name: AXIS.name,
        value: format!("[{}, {}, {}]", v.x, v.y, v.z),
        allowed: "a direction: not all three can be 0".to_owned(),
    })
}

/// The pose of a body relative to its initial pose, its velocity and its acceleration, under a prescribed motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionState {
    /// displacement of the reference point from its initial position [m]
    pub displacement: Vec3,
    /// rotation from the initial orientation, world frame
    pub rotation: Quat,
    /// velocity of the reference point [m/s]
    pub velocity: Vec3,
    /// angular velocity, world frame [rad/s]
    pub angular_velocity: Vec3,
    /// acceleration of the reference point [m/s²]
    pub acceleration: Vec3,
    /// angular acceleration, world frame [rad/s²]
    pub angular_acceleration: Vec3,
}

/// Bounds on a prescribed motion over a time span: they ensure that no contact is missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionBounds {
    /// bound on the speed of the reference point [m/s]
    pub speed: f64,
    /// bound on the acceleration of the reference point [m/s²]
    pub acceleration: f64,
    /// bound on the angular speed [rad/s]
    pub angular_speed: f64,
    /// bound on the angular acceleration [rad/s²]
    pub angular_acceleration: f64,
}

/// A prescribed motion. Velocities must be the exact rates of the pose, and accelerations those of the velocities.
pub trait Motion: Debug + Send + Sync {
    /// Returns pose, velocity and acceleration at `t` [s].
    fn at(&self, t: f64) -> MotionState;
    /// Returns bounds that hold from t0 to t1. They must be true: otherwise a contact may be missed.
    fn bounds(&self, t0: f64, t1: f64) -> MotionBounds;
    /// Returns the first time after `t` and before `end` [s] at which the motion is less smooth than elsewhere, as curves
    /// through points are at those points: steps end there. Returns `end` if there is none (the default).
    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let _ = t;
        end
    }
    /// Returns the functions of time that define the motion, each with its name: they are checked before a run. By default
    /// there are none.
    fn courses(&self) -> Vec<(&'static str, &dyn Course)> {
        Vec::new()
    }
}

/// Rotation about an axis through the reference point at a constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin {
    /// the axis, a unit vector in the world frame
    pub axis: Unit<Vec3>,
    /// angular speed [rad/s]
    pub rate: f64,
}

impl Spin {
    const ENTRY: Entry<Arc<dyn Motion>> = Entry {
        name: "spin",
        summary: "turning about an axis through the reference point at a constant rate",
        params: &[AXIS, RATE],
        build: |args| {
            Ok(Arc::new(Spin { axis: axis(args, "spin")?, rate: args.number("rate").unwrap_or_default() }))
        },
    };
}

impl Motion for Spin {
    fn at(&self, t: f64) -> MotionState {
        MotionState {
            displacement: Vec3::zeros(),
            rotation: rotation_about(&self.axis, self.rate * t),
            velocity: Vec3::zeros(),
            angular_velocity: self.axis.into_inner() * self.rate,
            acceleration: Vec3::zeros(),
            angular_acceleration: Vec3::zeros(),
        }
    }
    fn bounds(&self, _: f64, _: f64) -> MotionBounds {
        MotionBounds {
            speed: 0.0,
            acceleration: 0.0,
            angular_speed: self.rate.abs(),
            angular_acceleration: 0.0,
        }
    }
}

/// Rotation of the body about a given centre at a constant rate: the same face stays towards the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// vector from the initial position of the reference point to the centre [m]
    pub to_centre: Vec3,
    /// the axis, a unit vector in the world frame
    pub axis: Unit<Vec3>,
    /// angular speed [rad/s]
    pub rate: f64,
}

const TO_CENTRE: Param = Param::required(
    "to_centre",
    Quantity::Length,
    Allowed::Finite,
    "from the body's initial position to the centre, world frame",
)
.array(3);

impl Orbit {
    const ENTRY: Entry<Arc<dyn Motion>> = Entry {
        name: "orbit",
        summary: "going round a centre at a constant rate, the same face towards it",
        params: &[TO_CENTRE, AXIS, RATE],
        build: |args| {
            Ok(Arc::new(Orbit {
                to_centre: vector(args, "orbit", &TO_CENTRE)?,
                axis: axis(args, "orbit")?,
                rate: args.number("rate").unwrap_or_default(),
            }))
        },
    };
}

impl Motion for Orbit {
    fn at(&self, t: f64) -> MotionState {
        let rotation = rotation_about(&self.axis, self.rate * t);
        let w = self.axis.into_inner() * self.rate;
        let arm = rotation * -self.to_centre;
        MotionState {
            displacement: self.to_centre + arm,
            rotation,
            velocity: w.cross(&arm),
            angular_velocity: w,
            acceleration: w.cross(&w.cross(&arm)),
            angular_acceleration: Vec3::zeros(),
        }
    }
    fn bounds(&self, _: f64, _: f64) -> MotionBounds {
        let (r, w) = (self.to_centre.norm(), self.rate.abs());
        MotionBounds { speed: w * r, acceleration: w * w * r, angular_speed: w, angular_acceleration: 0.0 }
    }
}

/// Oscillation along a line: amplitude · sin(ω t + phase), measured from its value at t = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shake {
    /// direction and amplitude [m]
    pub amplitude: Vec3,
    /// angular frequency ω [rad/s]
    pub rate: f64,
    /// phase at t = 0 [rad]
    pub phase: f64,
}

const AMPLITUDE: Param =
    Param::required("amplitude", Quantity::Length, Allowed::Finite, "direction and amplitude").array(3);

impl Shake {
    const ENTRY: Entry<Arc<dyn Motion>> = Entry {
        name: "shake",
        summary: "to and fro along a line: amplitude · sin(rate · t + phase), from where that is at t = 0",
        params: &[
            AMPLITUDE,
            Param::required("rate", Quantity::AngularSpeed, Allowed::Finite, "angular frequency ω"),
            Param::default("phase", Quantity::Angle, Allowed::Finite, 0.0, "phase at t = 0"),
        ],
        build: |args| {
            Ok(Arc::new(Shake {
                amplitude: vector(args, "shake", &AMPLITUDE)?,
                rate: args.number("rate").unwrap_or_default(),
                phase: args.number("phase").unwrap_or_default(),
            }))
        },
    };
}

impl Motion for Shake {
    fn at(&self, t: f64) -> MotionState {
        let angle = self.rate * t + self.phase;
        MotionState {
            displacement: self.amplitude * (sin(angle) - sin(self.phase)),
            rotation: Quat::identity(),
            velocity: self.amplitude * (self.rate * cos(angle)),
            angular_velocity: Vec3::zeros(),
            acceleration: self.amplitude * (-self.rate * self.rate * sin(angle)),
            angular_acceleration: Vec3::zeros(),
        }
    }
    fn bounds(&self, _: f64, _: f64) -> MotionBounds {
        let (a, w) = (self.amplitude.norm(), self.rate.abs());
        MotionBounds { speed: a * w, acceleration: a * w * w, angular_speed: 0.0, angular_acceleration: 0.0 }
    }
}

/// Translation at a constant velocity, like a belt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// velocity, world frame [m/s]
    pub velocity: Vec3,
}

const VELOCITY: Param =
    Param::required("velocity", Quantity::Speed, Allowed::Finite, "constant velocity, world frame").array(3);

impl Slide {
    const ENTRY: Entry<Arc<dyn Motion>> = Entry {
        name: "slide",
        summary: "going straight on at a constant velocity, as a belt does",
        params: &[VELOCITY],
        build: |args| Ok(Arc::new(Slide { velocity: vector(args, "slide", &VELOCITY)? })),
    };
}

impl Motion for Slide {
    fn at(&self, t: f64) -> MotionState {
        MotionState {
            displacement: self.velocity * t,
            rotation: Quat::identity(),
            velocity: self.velocity,
            angular_velocity: Vec3::zeros(),
            acceleration: Vec3::zeros(),
            angular_acceleration: Vec3::zeros(),
        }
    }
    fn bounds(&self, _: f64, _: f64) -> MotionBounds {
        let speed = self.velocity.norm();
        MotionBounds { speed, acceleration: 0.0, angular_speed: 0.0, angular_acceleration: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Formula;

    /// Velocities are the rates of poses, and within the bounds.
    #[test]
    fn velocities_are_rates() {
        let axis = Unit::new_normalize(Vec3::new(1.0, -2.0, 0.5));
        let course = |text: &str| -> Option<Arc<dyn Course>> { Some(Arc::new(Formula::new(text).ok()?)) };
        let guided = Guided {
            displacement: [course("0.1*t^2"), None, course("0.02*t*sin(30*t)")],
            turn: course("sin(3*t)").map(|angle| (axis, angle)),
        };
        let motions: [&dyn Motion; 5] = [
            &guided,
            &Spin { axis, rate: 3.0 },
            &Orbit { to_centre: Vec3::new(0.3, 0.1, -0.2), axis, rate: -2.0 },
            &Shake { amplitude: Vec3::new(0.0, 0.01, 0.02), rate: 40.0, phase: 0.3 },
            &Slide { velocity: Vec3::new(0.3, -2.0, 0.1) },
        ];
        for m in motions {
            assert!(m.at(0.0).displacement.norm() < 1e-16);
            let bounds = m.bounds(0.0, 1.0);
            for t in [0.1, 0.37, 0.9] {
                let (h, s) = (1e-6, m.at(t));
                let (a, b) = (m.at(t - h), m.at(t + h));
                let rate = (b.displacement - a.displacement) / (2.0 * h);
                assert!((rate - s.velocity).norm() < 1e-7 * (1.0 + bounds.acceleration), "{m:?}");
                let turn = (b.rotation * a.rotation.inverse()).scaled_axis() / (2.0 * h);
                assert!((turn - s.angular_velocity).norm() < 1e-7, "{m:?}");
                assert!(s.velocity.norm() <= bounds.speed * (1.0 + 1e-12));
                let rate = (b.velocity - a.velocity) / (2.0 * h);
                assert!((rate - s.acceleration).norm() < 1e-6 * (1.0 + bounds.acceleration), "{m:?}");
                let turn = (b.angular_velocity - a.angular_velocity) / (2.0 * h);
                assert!((turn - s.angular_acceleration).norm() < 1e-7, "{m:?}");
                let acceleration = rate.norm();
                assert!(acceleration <= bounds.acceleration * (1.0 + 1e-6) + 1e-9);
            }
        }
    }
}
