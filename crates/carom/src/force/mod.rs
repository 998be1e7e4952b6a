//! Forces between points of bodies, along the line that joins them, and couples.
//!
//! A law gives the tension T of the line from its length l and the rate of that: F = −T e on A, T e on B, e the direction from B's
//! point to A's. What it does not store it dissipates.
//!
//! To add one: write its file, and add its line to [`FORCES`].

mod field;
mod link;
mod spring_damper;
mod torque;

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Dual, Entry, Scalar, SpecError, Vec3};

use crate::build::unknown;
use crate::error::BuildError;
use crate::model::Model;

pub use field::{FieldRule, Repulsion};
pub(crate) use field::{Nearby, Seen, SeenSupport, cross_matrix, fields, near};
pub(crate) use link::{Link, Stretch};
pub use spring_damper::SpringDamper;
pub(crate) use torque::Couple;
pub use torque::Torque;

/// Every force a scene can have.
///
/// ```
/// use carom::base::{Args, Value};
/// let spring = carom::FORCES.iter().find(|e| e.name == "spring-damper").unwrap();
/// let args = Args::new().with("stiffness", Value::Number(100.0)).with("rest_length", Value::Number(0.1));
/// let carom::Acting::Line(law) = spring.make(&args)? else { panic!("a spring acts along a line") };
/// assert!((law.tension(0.15, 0.0).f - 5.0).abs() < 1e-14); // [N]
/// # Ok::<(), carom::base::SpecError>(())
/// ```
pub static FORCES: &[Entry<Acting>] = &[SpringDamper::ENTRY, Torque::ENTRY];

/// How a force acts.
#[derive(Clone, Debug)]
pub enum Acting {
    /// along the line between two points
    Line(Arc<dyn Line>),
    /// as a couple
    Torque(Torque),
}

/// A tension and its elastic part; what is not elastic is dissipated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tension<S: Scalar = f64> {
    /// the tension [N]: draws the points together, or, below zero, pushes them apart
    pub f: S,
    /// the part that stored energy gives back [N]: dE/dl
    pub f_elastic: S,
}

/// A tension law, written over [`Scalar`].
pub trait LineLaw: Debug + Send + Sync + 'static {
    /// The tension of a line of this length [m], which grows at `rate` [m/s]: (f − f_elastic) rate ≥ 0.
    fn tension<S: Scalar>(&self, length: S, rate: S) -> Tension<S>;
    /// The stored energy [J], of which f_elastic is the derivative by the length.
    fn energy(&self, length: f64) -> f64;
    /// Whether nothing is dissipated, so that no ledger entry is needed.
    fn is_elastic(&self) -> bool {
        false
    }
    /// Whether all parameters are in range; whoever takes a law in asks this once.
    fn check(&self) -> Result<(), SpecError>;
}

/// The object-safe face of [`LineLaw`].
pub trait Line: Debug + Send + Sync {
    /// See [`LineLaw::tension`].
    fn tension(&self, length: f64, rate: f64) -> Tension;
    /// See [`LineLaw::tension`]: with the derivatives by (length, rate).
    fn tension_dual(&self, length: Dual<2>, rate: Dual<2>) -> Tension<Dual<2>>;
    /// See [`LineLaw::energy`].
    fn energy(&self, length: f64) -> f64;
    /// See [`LineLaw::is_elastic`].
    fn is_elastic(&self) -> bool;
    /// See [`LineLaw::check`].
    fn check(&self) -> Result<(), SpecError>;
}

impl<L: LineLaw> Line for L {
    fn tension(&self, length: f64, rate: f64) -> Tension {
        LineLaw::tension(self, length, rate)
    }
    fn tension_dual(&self, length: Dual<2>, rate: Dual<2>) -> Tension<Dual<2>> {
        LineLaw::tension(self, length, rate)
    }
    fn energy(&self, length: f64) -> f64 {
        LineLaw::energy(self, length)
    }
    fn is_elastic(&self) -> bool {
        LineLaw::is_elastic(self)
    }
    fn check(&self) -> Result<(), SpecError> {
        LineLaw::check(self)
    }
}

/// A force between a point of one body and a point of another.
///
/// ```
/// use carom::prelude::*;
/// let spring = Force::between("block", "wall", SpringDamper::new(200.0, 0.1)?).points([0.0; 3], [0.0, 0.0, 0.02]);
/// # let _ = spring;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Force {
    pub(crate) name: Option<String>,
    pub(crate) between: [String; 2],
    /// in the bodies' frames, from their reference points
    pub(crate) points: [Vec3; 2],
    pub(crate) acting: Acting,
}

impl Force {
    /// Between the reference points of two bodies.
    pub fn between(a: &str, b: &str, law: impl Line + 'static) -> Force {
        Force::between_arc(a, b, Arc::new(law))
    }

    /// The same for a law that is shared.
    pub fn between_arc(a: &str, b: &str, law: Arc<dyn Line>) -> Force {
        Force::acting(a, b, Acting::Line(law))
    }

    /// A constant couple [N m] on the first body, world frame; its opposite on the second.
    pub fn torque(a: &str, b: &str, torque: [f64; 3]) -> Force {
        Force::acting(a, b, Acting::Torque(Torque { torque }))
    }

    /// A force of any kind.
    pub fn acting(a: &str, b: &str, acting: Acting) -> Force {
        Force { name: None, between: [a.to_owned(), b.to_owned()], points: [Vec3::zeros(); 2], acting }
    }

    /// Its name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> Force {
        self.name = Some(name.to_owned());
        self
    }

    /// Between these points of the two bodies [m], each in its body's frame, from its reference point.
    pub fn points(mut self, a: [f64; 3], b: [f64; 3]) -> Force {
        self.points = [a.into(), b.into()];
        self
    }

    /// The two bodies, of which one moves by its forces.
    pub(crate) fn bodies(&self, m: &Model, place: &str) -> Result<[usize; 2], BuildError> {
        let bad = |value: String, allowed| {
            Err(BuildError::BadValue { place: place.to_owned(), field: "between", value, allowed })
        };
        let names: Vec<&str> = m.body_names().collect();
        let mut bodies = [0; 2];
        for (index, body) in bodies.iter_mut().zip(&self.between) {
            let known = names.iter().position(|b| b == body);
            *index = known.ok_or_else(|| unknown(place.to_owned(), "body", body, &names))?;
        }
        if bodies[0] == bodies[1] {
            return bad(format!("body `{}` twice", self.between[0]), "two bodies");
        }
        if !bodies.iter().any(|&b| m.is_dynamic(b)) {
            let value = format!("`{}`, neither of which moves by its forces", self.between.join("` and `"));
            return bad(value, "bodies of which one moves by its forces");
        }
        Ok(bodies)
    }

    /// `a~b`, or its name.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.between.join("~"))
    }
}
