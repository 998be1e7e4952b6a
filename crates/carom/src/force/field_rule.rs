//! Descriptions of short-range fields, as users and scenes write them down.

use carom_field::{Coulomb, Power, Tractions};

use crate::rule::Endpoint;

/// How the coefficient of repulsion is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repulsion {
    /// α_r [N m^(ν − 2)]
    Coefficient(f64),
    /// the gap at which the body rests under its weight [m]: on the face that points most directly towards the
    /// support, or, if it is round, in its initial orientation
    RestGap(f64),
}

/// Short-range tractions on the boundary of a body near a support (Contento et al. 2009): a plane, or any other surface that has closest
/// points.
///
/// ```
/// use carom::prelude::*;
/// use carom::{FieldRule, Repulsion};
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("cube").density(1000.0).position([0.0, 0.0, 0.53]).surface(Cuboid::new([1.0; 3])?));
/// builder.body(Body::fixed("support").surface(Plane));
/// let field = FieldRule::between("cube", "support").faces(&["-z"]).repulsion(5, Repulsion::RestGap(0.02));
/// builder.field(field.damping(0, 1e4));
/// let run = Simulation::new(&builder.build()?).duration(5.0).run()?;
/// let gap = run.end.body("cube").unwrap().position.z - 0.5;
/// assert!((gap - 0.02).abs() < 1e-6); // at rest [m]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FieldRule {
    pub(crate) name: Option<String>,
    pub(crate) between: [Endpoint; 2],
    pub(crate) faces: Option<Vec<String>>,
    pub(crate) gauss_points: Option<usize>,
    pub(crate) points: Option<usize>,
    pub(crate) repulsion: Option<(u32, Repulsion)>,
    /// damping, friction, adhesion, Coulomb-like friction
    pub(crate) tractions: Tractions,
}

impl FieldRule {
    /// Creates a rule without tractions, on the boundary of a body or of one of its surfaces, `body` or
    /// `body/surface`, near the surface of a support, named in the same form.
    pub fn between(body: &str, support: &str) -> FieldRule {
        FieldRule {
            name: None,
            between: [body, support].map(Endpoint::parse),
            faces: None,
            gauss_points: None,
            points: None,
            repulsion: None,
            tractions: Tractions::new(),
        }
    }

    /// Sets its name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> FieldRule {
        self.name = Some(name.to_owned());
        self
    }

    /// Restricts the field to these pieces of the boundary: `-x` to `+z` of a box, `side` and `caps` of a cylinder.
    /// Without this it acts on all of the boundary, in plane motion on all but the end faces.
    pub fn faces(mut self, faces: &[&str]) -> FieldRule {
        self.faces = Some(faces.iter().map(|f| (*f).to_owned()).collect());
        self
    }

    /// Integrates by n × n Gauss points on every face, as the field's authors do, instead of in closed form: for
    /// comparison with their results.
    pub fn gauss_points(mut self, n: usize) -> FieldRule {
        self.gauss_points = Some(n);
        self
    }

    /// Acts at n nodes along each part of the boundary (2n around a round one) instead of in closed form. Without this there are
    /// closed forms near planes, and 32 nodes near other supports and with [`FieldRule::coulomb`].
    pub fn points(mut self, n: usize) -> FieldRule {
        self.points = Some(n);
        self
    }

    /// Adds Coulomb-like friction −μ q_r u_t/√(u_t² + v_s²), q_r the repulsion: less than μ times the repulsion at any velocity u_t
    /// across the normal.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{FieldRule, Repulsion};
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("block").density(1000.0).position([0.0, 0.0, 0.12]).velocity([1.0, 0.0, 0.0]).surface(Cuboid::new([0.2; 3])?));
    /// builder.body(Body::fixed("table").surface(Plane));
    /// let field = FieldRule::between("block", "table").faces(&["-z"]).repulsion(5, Repulsion::RestGap(0.02));
    /// builder.field(field.coulomb(0.2, 1e-3).points(4));
    /// let run = Simulation::new(&builder.build()?).duration(0.1).run()?;
    /// let speed = run.end.body("block").unwrap().velocity.x;
    /// assert!((speed - (1.0 - 0.2 * 9.81 * 0.1)).abs() < 0.01); // v0 − μ g t [m/s], less what its tilt changes
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coulomb(mut self, coefficient: f64, speed: f64) -> FieldRule {
        self.tractions.coulomb = Some(Coulomb { coefficient, speed });
        self
    }

    /// Adds repulsion α_r d^−ν (Eq 19), ν ≥ 2.
    pub fn repulsion(mut self, exponent: u32, repulsion: Repulsion) -> FieldRule {
        self.repulsion = Some((exponent, repulsion));
        self
    }

    /// Adds damping β_d d^−ν (Eq 20) [N s m^(ν − 3)].
    pub fn damping(mut self, exponent: u32, coefficient: f64) -> FieldRule {
        self.tractions.damping = Some(Power { coefficient, exponent });
        self
    }

    /// Adds friction β_f d^−ν (Eq 21) [N s m^(ν − 3)].
    pub fn friction(mut self, exponent: u32, coefficient: f64) -> FieldRule {
        self.tractions.friction = Some(Power { coefficient, exponent });
        self
    }

    /// Adds adhesion (Eq 22, with the distance in units of its range).
    pub fn adhesion(mut self, adhesion: carom_field::Adhesion) -> FieldRule {
        self.tractions.adhesion = Some(adhesion);
        self
    }

    /// Returns its name, or `a~b` without one.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}~{}", self.between[0], self.between[1]))
    }
}
