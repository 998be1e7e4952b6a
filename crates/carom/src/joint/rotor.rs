//! The rotor inertia of a joint: what turns or moves with a coordinate that the joint leaves free, besides its bodies, as
//! the rotor of a motor that drives the coordinate by a gear.
//!
//! Its kinetic energy is ½ J q̇². A rotor with the moment of inertia J_r behind a gear with the ratio n turns at n q̇, so
//! that J = n² J_r. The inertia force is −J q̈ along q, on both bodies of the joint with the gradients of q. It is the
//! multiplier λ of the row
//!
//!   q̈ + λ/J = 0,
//!
//! which is like the row of a drive, with 1/J added to the diagonal of S. The row is never redundant, and there is no
//! equation of positions or velocities that belongs to it: in the projections of these, λ/J + Φ_q δ = 0 makes J part of
//! the norm in which the change is least.
//!
//! The angular momentum of the rotor is left out: the torques on the two bodies are equal and opposite.

use super::constraint::Constraint;
use super::describe::Joint;
use super::equation::Equation;
use super::measure::{A, B, Measure};
use super::moving::Moving;
use crate::error::{BuildError, Subject};
use crate::state::Kinematics;

/// The rotor inertia of a joint, as the user describes it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rotor {
    /// J along the first angle [kg m²]
    inertia: Option<f64>,
    /// m along the first displacement [kg]
    mass: Option<f64>,
}

impl Joint {
    /// Sets the moment of inertia J [kg m²] > 0 of what turns with its angle besides its bodies, as the rotor of a
    /// motor: the kinetic energy ½ J q̇², q being the first angle that the joint leaves free. Behind a gear with the
    /// ratio n, a rotor with the moment of inertia J_r has J = n² J_r.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let hinge = Joint::between("arm", "base", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]);
    /// // a rotor of 2e-5 kg m² behind a gear of 1:100
    /// let hinge = hinge.rotor_inertia(100.0_f64.powi(2) * 2e-5);
    /// # let _ = hinge;
    /// ```
    pub fn rotor_inertia(mut self, inertia: f64) -> Joint {
        self.rotor.inertia = Some(inertia);
        self
    }

    /// Sets the mass m [kg] > 0 of what moves with its displacement besides its bodies: the kinetic energy ½ m q̇², q
    /// being the first displacement that the joint leaves free. A rotor with the moment of inertia J_r that turns by one
    /// radian while the joint moves by r has m = J_r/r².
    pub fn rotor_mass(mut self, mass: f64) -> Joint {
        self.rotor.mass = Some(mass);
        self
    }
}

impl Rotor {
    /// Returns what is given, each with its key, whether it belongs to an angle, and what it needs.
    fn given(&self) -> impl Iterator<Item = (&'static str, f64, bool, &'static str)> {
        let keys = [
            ("rotor_inertia", self.inertia, true, "no `rotor_inertia`: it leaves no angle free"),
            ("rotor_mass", self.mass, false, "no `rotor_mass`: it leaves no displacement free"),
        ];
        keys.into_iter().filter_map(|(key, value, angle, what)| Some((key, value?, angle, what)))
    }

    /// Returns the key of what is given, if anything is.
    pub(crate) fn key(&self) -> Option<&'static str> {
        self.given().next().map(|(key, ..)| key)
    }
}

impl Constraint {
    /// Returns the rows of the joint's rotor inertia, as constraints of their own; `self` is the constraint of the
    /// joint.
    pub(super) fn rotors(&self, joint: &Joint) -> Result<Vec<Constraint>, BuildError> {
        let subject = Subject::Joint(self.name.clone());
        let row = |(key, inertia, angle, what): (&'static str, f64, bool, &'static str)| {
            if !(inertia > 0.0 && inertia.is_finite()) {
                return Err(subject.bad(key, inertia, "a finite number greater than 0"));
            }
            let coordinate = self.coordinates.iter().find(|(_, measure)| measure.is_angle() == angle);
            let Some(&(_, measure)) = coordinate else {
                return Err(subject.needs(joint.kind.name(), Some(key), what));
            };
            Ok(Constraint {
                name: format!("{}/{key}", self.name),
                bodies: self.bodies.clone(),
                equations: vec![Equation::Inertia { measure, inertia }],
                rows: 1,
                point: self.point,
                coordinates: Vec::new(),
                may_do_work: self.may_do_work,
                drawing: None,
            })
        };
        joint.rotor.given().map(row).collect()
    }

    /// Whether it is not a constraint but the row of a rotor's inertia force.
    pub(crate) fn is_rotor(&self) -> bool {
        matches!(self.equations[..], [Equation::Inertia { .. }])
    }
}

/// The row of a rotor's inertia force, among the rows of all constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RotorRow {
    /// index of its entry among the constraints
    pub(crate) constraint: usize,
    pub(crate) row: usize,
    /// where the diagonal block of S is that 1/J is added to
    pub(crate) at: usize,
    /// J [kg m² or kg]
    pub(crate) inertia: f64,
    pub(crate) bodies: [usize; 2],
    /// q
    pub(crate) measure: Measure,
}

impl RotorRow {
    /// Returns the rows of all rotors; `at`: where the diagonal block of a constraint is.
    pub(super) fn all(
        list: &[Constraint],
        row: impl Fn(usize) -> usize,
        at: impl Fn(usize) -> Option<usize>,
    ) -> Vec<RotorRow> {
        let rotor = |(h, constraint): (usize, &Constraint)| match (&constraint.equations[..], at(h)) {
            (&[Equation::Inertia { measure, inertia }], Some(at)) => {
                let bodies = [constraint.bodies[A], constraint.bodies[B]];
                Some(RotorRow { constraint: h, row: row(h), at, inertia, bodies, measure })
            }
            _ => None,
        };
        list.iter().enumerate().filter_map(rotor).collect()
    }

    /// Returns which of the numbers of a body is of the same kind as q̈: the first of the angular accelerations, or of
    /// those of the centre of mass.
    pub(crate) fn number(&self) -> usize {
        if self.measure.is_angle() { 3 } else { 0 }
    }

    /// Returns q̇ [rad/s or m/s]; `k`: the kinematics of a body.
    pub(crate) fn rate<'k>(&self, k: impl Fn(usize) -> &'k Kinematics) -> f64 {
        let [a, b] = self.bodies.map(|body| Moving::of(k(body)));
        self.measure.at([&a, &b]).rate
    }

    /// Returns its kinetic energy ½ J q̇² [J]; `k`: the kinematics of a body.
    pub(crate) fn kinetic<'k>(&self, k: impl Fn(usize) -> &'k Kinematics) -> f64 {
        let rate = self.rate(k);
        0.5 * self.inertia * rate * rate
    }
}
