//! A motion given by functions of time.

use std::sync::Arc;

use carom_base::expression::ExpressionError;
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Quat, Range, SpecError, Vec3, rotation_about};
use nalgebra::Unit;

use super::motion::{AXIS, Motion, MotionBounds, MotionState, axis};
use crate::course::{Course, Formula, curve_through};

/// A motion given by functions of time: displacements along x, y and z, and a rotation about an axis through the reference
/// point.
///
/// ```
/// use carom::{Formula, Guided, Motion};
/// use std::sync::Arc;
/// let mut motion = Guided::default();
/// motion.displacement[2] = Some(Arc::new(Formula::new("0.01*sin(40*t)")?)); // [m]
/// assert_eq!(motion.at(0.0).velocity.z, 0.4); // [m/s]
/// # Ok::<(), carom::base::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Guided {
    /// displacements from the initial position along x, y, z [m]
    pub displacement: [Option<Arc<dyn Course>>; 3],
    /// the rotation axis, a unit vector in the world frame, and the angle about it [rad]
    pub turn: Option<(Unit<Vec3>, Arc<dyn Course>)>,
}

type Given = Result<Option<Arc<dyn Course>>, SpecError>;

/// The keys of the functions: along x, y, z and about the axis.
const KEYS: [&str; 4] = ["x", "y", "z", "angle"];

const fn along(name: &'static str, allowed: Allowed, doc: &'static str) -> Param {
    Param::optional(name, Quantity::Length, allowed, "it does not move that way", doc)
}

const fn angle(allowed: Allowed) -> Param {
    let doc = "angle about the axis through the reference point, added to the orientation";
    Param::optional("angle", Quantity::Angle, allowed, "it does not turn", doc)
}

const TURN_AXIS: Param =
    Param::optional("axis", AXIS.quantity, AXIS.allowed, "it does not turn", AXIS.doc).array(3);

/// The curves whose velocity does not jump.
const INTERPOLATION: Param = Param::optional(
    "interpolation",
    Quantity::Number,
    Allowed::OneOf(&["spline", "monotone"]),
    "`spline`",
    "the curves through the points: cubic splines, which last from the first point to the last, or monotone curves, which do not overshoot and rest before and after",
);

const X: &str = "added to the x of the position";
const Y: &str = "added to the y of the position";
const Z: &str = "added to the z of the position";

impl Guided {
    pub(super) const TABLE: Entry<Arc<dyn Motion>> = Entry {
        name: "table",
        summary: "along smooth curves through points in time: cubic splines whose velocity and acceleration do not jump, or monotone curves that do not overshoot",
        params: &[
            along("x", Allowed::Table, X),
            along("y", Allowed::Table, Y),
            along("z", Allowed::Table, Z),
            TURN_AXIS,
            angle(Allowed::Table),
            INTERPOLATION,
        ],
        build: |args| Guided::read(args, "table", curve),
    };

    pub(super) const EXPRESSION: Entry<Arc<dyn Motion>> = Entry {
        name: "expression",
        summary: "by expressions of the time `t`, in SI units",
        params: &[
            along("x", Allowed::Expression, X),
            along("y", Allowed::Expression, Y),
            along("z", Allowed::Expression, Z),
            TURN_AXIS,
            angle(Allowed::Expression),
        ],
        build: |args| Guided::read(args, "expression", formula),
    };

    /// Creates the motion, with `course` reading the function of each key.
    fn read(
        args: &Args,
        kind: &'static str,
        course: fn(&Args, &'static str) -> Given,
    ) -> Result<Arc<dyn Motion>, SpecError> {
        let [x, y, z, angle] = KEYS.map(|key| course(args, key));
        let displacement = [x?, y?, z?];
        let turn = match (angle?, args.numbers(AXIS.name)) {
            (Some(angle), Some(_)) => Some((axis(args, kind)?, angle)),
            (None, None) => None,
            (Some(_), None) => return Err(SpecError::Conflict { kind, what: "`angle` needs `axis`" }),
            (None, Some(_)) => return Err(SpecError::Conflict { kind, what: "`axis` needs `angle`" }),
        };
        if turn.is_none() && displacement.iter().all(Option::is_none) {
            return Err(SpecError::Conflict { kind, what: "give `x`, `y`, `z`, or `axis` and `angle`" });
        }
        Ok(Arc::new(Guided { displacement, turn }))
    }
}

/// Creates the curve through the points given under a key.
fn curve(args: &Args, key: &'static str) -> Given {
    let Some(points) = args.table(key) else { return Ok(None) };
    let wrong = |e| match e {
        SpecError::NotAllowed { kind, value, allowed, .. } => {
            SpecError::NotAllowed { kind, name: key, value, allowed }
        }
        other => other,
    };
    let kind = args.text(INTERPOLATION.name).unwrap_or("spline");
    curve_through(kind, points).map(Some).map_err(wrong)
}

/// Creates the function from the expression given under a key.
fn formula(args: &Args, key: &'static str) -> Given {
    let Some(expression) = args.expression(key) else { return Ok(None) };
    let wrong = |e: ExpressionError| SpecError::NotAllowed {
        kind: "expression",
        name: key,
        value: e.message,
        allowed: Allowed::Expression.to_string(),
    };
    Ok(Some(Arc::new(Formula::of(expression.clone()).map_err(wrong)?)))
}

impl Motion for Guided {
    fn at(&self, t: f64) -> MotionState {
        let mut along = [Vec3::zeros(); 3];
        for (i, course) in self.displacement.iter().enumerate() {
            let Some(x) = course.as_ref().map(|c| c.at(t)) else { continue };
            (along[0][i], along[1][i], along[2][i]) = (x.value, x.rate, x.second);
        }
        let mut rotation = Quat::identity();
        let [mut angular_velocity, mut angular_acceleration] = [Vec3::zeros(); 2];
        if let Some((axis, angle)) = &self.turn {
            let x = angle.at(t);
            rotation = rotation_about(axis, x.value);
            angular_velocity = axis.into_inner() * x.rate;
            angular_acceleration = axis.into_inner() * x.second;
        }
        let [displacement, velocity, acceleration] = along;
        MotionState { displacement, rotation, velocity, angular_velocity, acceleration, angular_acceleration }
    }

    fn bounds(&self, t0: f64, t1: f64) -> MotionBounds {
        let (mut speed, mut acceleration) = (Vec3::zeros(), Vec3::zeros());
        for (i, course) in self.displacement.iter().enumerate() {
            let Some(x) = course.as_ref().map(|c| c.bounds(t0, t1)) else { continue };
            (speed[i], acceleration[i]) = (x.rate.magnitude(), x.second.magnitude());
        }
        let still = (Range::point(0.0), Range::point(0.0));
        let turn = self.turn.as_ref().map(|(_, angle)| angle.bounds(t0, t1));
        let (rate, second) = turn.map_or(still, |x| (x.rate, x.second));
        MotionBounds {
            speed: speed.norm(),
            acceleration: acceleration.norm(),
            angular_speed: rate.magnitude(),
            angular_acceleration: second.magnitude(),
        }
    }

    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let courses = self.displacement.iter().flatten().chain(self.turn.as_ref().map(|(_, angle)| angle));
        courses.fold(end, |end, course| course.smooth_until(t, end))
    }

    fn courses(&self) -> Vec<(&'static str, &dyn Course)> {
        let along = KEYS.into_iter().zip(self.displacement.iter().map(Option::as_deref));
        let turn = ("angle", self.turn.as_ref().map(|(_, angle)| &**angle));
        along.chain([turn]).filter_map(|(key, course)| Some((key, course?))).collect()
    }
}
