//! Drag of a medium at rest: against the velocity of a body's centre of mass, and against its rotation.
//!
//! F = −(c₁ + c₂ |v|) v,   M = −k ω
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | c₁ | N s/m | linear drag: 6 π η R of a sphere in a viscous fluid (Stokes) |
//! | c₂ | N s²/m² | quadratic drag: ½ ρ A C_d |
//! | k | N m s/rad | drag against rotation: 8 π η R³ of a sphere |
//! | v, ω | m/s, rad/s | velocity of the centre of mass, angular velocity |
//!
//! Source: G. G. Stokes, Trans. Cambridge Philos. Soc. 9 (1851) 8–106; L. Prandtl for the quadratic part. The energy
//! it takes from the body is dissipated.
//! Checked: v₀ e^(−c₁ t/m), v₀/(1 + c₂ v₀ t/m), √(m g/c₂) tanh(…) of a fall, ω₀ e^(−k t/I).

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity, Scalar, SpecError};

use crate::error::BuildError;
use crate::force::on_body::{LoadFormula, OnBody};
use crate::force::{Acting, Force, ForceElement, ForceKind, Setting};
use crate::joint::Moving;
use crate::slopes::Load;

/// Drag of a medium at rest.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0; 3]).body(Body::new("bead").mass(2.0).inertia([1.0; 3]).velocity([3.0, 0.0, 0.0]));
/// builder.force(Force::on("bead", Drag::linear(0.5)));
/// let run = Simulation::new(&builder.build()?).duration(4.0).run()?;
/// assert!((run.end.body("bead").unwrap().velocity.x - 3.0 * (-0.5f64 * 4.0 / 2.0).exp()).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drag {
    linear: f64,
    quadratic: f64,
    turning: f64,
}

const LINEAR: Param =
    Param::default("linear", Quantity::LinearDamping, Allowed::NotNegative, 0.0, "linear drag c1");
const QUADRATIC: Param =
    Param::default("quadratic", Quantity::QuadraticDamping, Allowed::NotNegative, 0.0, "quadratic drag c2");
const TURNING: Param =
    Param::default("turning", Quantity::TorsionDamping, Allowed::NotNegative, 0.0, "drag against turning k");

impl Drag {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: "drag",
        summary: "drag of a medium at rest: (c1 + c2 |v|) v against the velocity, k ω against turning",
        params: &[LINEAR, QUADRATIC, TURNING],
        build: |args| {
            let number = |p: &Param| args.number(p.name).unwrap_or_default();
            let [linear, quadratic, turning] = [&LINEAR, &QUADRATIC, &TURNING].map(number);
            Ok(Acting::new(Drag { linear, quadratic, turning }))
        },
    };

    /// Creates a drag with linear coefficient c₁ [N s/m].
    pub fn linear(linear: f64) -> Drag {
        Drag { linear, ..Drag::default() }
    }

    /// Sets the quadratic coefficient c₂ [N s²/m²].
    pub fn quadratic(mut self, quadratic: f64) -> Drag {
        self.quadratic = quadratic;
        self
    }

    /// Sets the coefficient k against rotation [N m s/rad].
    pub fn turning(mut self, turning: f64) -> Drag {
        self.turning = turning;
        self
    }

    fn check(&self) -> Result<(), SpecError> {
        let values = [(&LINEAR, self.linear), (&QUADRATIC, self.quadratic), (&TURNING, self.turning)];
        for (param, value) in values {
            if !Allowed::NotNegative.number(value) {
                let (value, allowed) = (value.to_string(), Allowed::NotNegative.to_string());
                return Err(SpecError::NotAllowed { kind: "drag", name: param.name, value, allowed });
            }
        }
        Ok(())
    }
}

impl From<Drag> for Acting {
    fn from(drag: Drag) -> Acting {
        Acting::new(drag)
    }
}

impl ForceKind for Drag {
    fn kind(&self) -> &'static str {
        "drag"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["body"]]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        self.check().map_err(|source| force.subject().fails(None, source))?;
        OnBody::install(setting.world, force, |_| *self)
    }
}

impl LoadFormula for Drag {
    fn load<S: Scalar>(&self, _: f64, _: f64, body: &Moving<S>) -> Load<S> {
        let speed = body.v.dot(&body.v).sqrt();
        // (√(v·v) has no derivative at v = 0, but |v| v has the derivative 0 there)
        let speed = if speed.value() > 0.0 { speed } else { S::from_f64(0.0) };
        let c = S::from_f64(self.linear) + S::from_f64(self.quadratic) * speed;
        let w = body.angular_velocity();
        let zero = w * S::from_f64(0.0);
        Load::at(&zero, &(body.v * -c), &(w * S::from_f64(-self.turning)))
    }

    fn dissipates(&self) -> bool {
        true
    }
}
