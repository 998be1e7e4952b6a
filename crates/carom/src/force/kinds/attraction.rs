//! Gravity towards a point: the attraction of a body by a centre that is fixed in the world.
//!
//! F = −μ m r/|r|³ at the centre of mass, E = −μ m/|r|
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | μ | m³/s² | gravitational parameter of the centre, G M; 3.986004418e14 of the Earth |
//! | m | kg | mass of the body |
//! | r | m | from the centre to the centre of mass of the body |
//!
//! The body is small beside |r|: the difference of the attraction over its extent, and the torque from it, are left out.
//! Source: Newton. Valid for r ≠ 0. Its energy is potential energy in the ledger.
//! Checked: an ellipse closes after Kepler's period; the energy −μ m/(2 a).

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity, Scalar, SpecError, Vec3};

use crate::error::BuildError;
use crate::force::on_body::{LoadFormula, OnBody};
use crate::force::{Acting, Force, ForceElement, ForceKind, Setting};
use crate::joint::Moving;
use crate::slopes::Load;

/// Gravity towards a point that is fixed in the world.
///
/// ```
/// use carom::prelude::*;
/// use carom::Attraction;
/// let mut builder = ModelBuilder::new();
/// let moon = Body::new("moon").mass(2.0).inertia([1.0; 3]).position([4.0, 0.0, 0.0]).velocity([0.0, 0.5, 0.0]);
/// builder.gravity([0.0; 3]).body(moon);
/// builder.force(Force::on("moon", Attraction::new(1.0)?)); // a circle: v² = μ/r
/// let run = Simulation::new(&builder.build()?).duration(20.0).rtol(1e-10).run()?;
/// assert!((run.end.body("moon").unwrap().position.norm() - 4.0).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attraction {
    parameter: f64,
    centre: Vec3,
}

const PARAMETER: Param = Param::required(
    "parameter",
    Quantity::GravitationalParameter,
    Allowed::Finite,
    "gravitational parameter G M of the centre; negative: it repels",
);
const CENTRE: Param =
    Param::optional("centre", Quantity::Length, Allowed::Finite, "the origin", "the centre, world frame")
        .array(3);

impl Attraction {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: "attraction",
        summary: "gravity towards a point: μ m/r², from outside",
        params: &[PARAMETER, CENTRE],
        build: |args| {
            let centre = args.numbers(CENTRE.name).and_then(|x| x.try_into().ok()).unwrap_or([0.0; 3]);
            let attraction = Attraction::new(args.number(PARAMETER.name).unwrap_or_default())?;
            Ok(Acting::new(attraction.centre(centre)))
        },
    };

    /// Creates an attraction by the origin, with μ = G M [m³/s²].
    pub fn new(parameter: f64) -> Result<Attraction, SpecError> {
        if !parameter.is_finite() {
            let (value, allowed) = (parameter.to_string(), Allowed::Finite.to_string());
            return Err(SpecError::NotAllowed { kind: "attraction", name: PARAMETER.name, value, allowed });
        }
        Ok(Attraction { parameter, centre: Vec3::zeros() })
    }

    /// Sets the centre [m], world frame.
    pub fn centre(mut self, centre: [f64; 3]) -> Attraction {
        self.centre = centre.into();
        self
    }
}

impl From<Attraction> for Acting {
    fn from(attraction: Attraction) -> Acting {
        Acting::new(attraction)
    }
}

impl ForceKind for Attraction {
    fn kind(&self) -> &'static str {
        "attraction"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["body"]]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        force.subject().finite("centre", &self.centre)?;
        OnBody::install(setting.world, force, |_| *self)
    }
}

impl LoadFormula for Attraction {
    fn load<S: Scalar>(&self, _: f64, mass: f64, body: &Moving<S>) -> Load<S> {
        let r = body.x - self.centre.map(S::from_f64);
        let square = r.dot(&r);
        let f = r * (S::from_f64(-self.parameter * mass) / (square * square.sqrt()));
        let zero = r * S::from_f64(0.0);
        Load::at(&zero, &f, &zero)
    }

    fn potential(&self, mass: f64, body: &Moving) -> Option<f64> {
        Some(-self.parameter * mass / (body.x - self.centre).norm())
    }
}
