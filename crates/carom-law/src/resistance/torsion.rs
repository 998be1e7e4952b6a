//! A Hertz contact under torsion: it turns as an elastic body until friction gives way all over.
//!
//! Ṁ = −k ω + ½ (k̇/k) M while |M| < (3π/16) μ a N; |M| = (3π/16) μ a N, against the spinning, beyond; k = (16/3) G a³
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A, along the normal |
//! | N | N | normal force, and the pull-off force of adhesion |
//! | ω | rad/s | spinning: the part of ω_a − ω_b along the normal |
//! | k | N m/rad | torsional stiffness |
//! | a | m | radius of the patch, a = S/(2E*): √(R δ) under Hertz's law |
//! | S | N/m | stiffness with which the contact would unload |
//! | G | Pa | 1/G = 1/G_a + 1/G_b, of the shear moduli |
//! | μ | 1 | coefficient of friction |
//! | R | m | `radius`, or that of the lever which friction over the ellipse of contact has ([`PointContact::spin_radius`]); 1/k of a circle |
//! | δ | m | indentation |
//!
//! Source: the stiffness of a disc on a half-space is E. Reissner and H. F. Sagoci's, *J. Appl. Phys.* 15 (1944) 652–654; two bodies turn one after the other. The couple of full slip is that of
//! friction μ p under Hertz's pressure, (3π/16) μ a N (J. L. Lubkin, *J. Appl. Mech.* 18 (1951) 183–187; H. Deresiewicz, *J. Appl. Mech.* 21 (1954) 52–56); from general knowledge.
//! Changed: Lubkin's ring of slip, which grows inwards from the edge, is left out: the contact sticks all over or slips all over, as `mindlin` has it along the surface. At the limit it has turned
//! (3π/16) μ N a/k, and Lubkin's contact, which never slips to its middle, further. The sources have a constant load. Where it changes
//! without spinning, the couple follows √k here: then the contact stores M²/(2k) as before, and neither makes energy, as it would if the couple stayed as it unloads, nor loses any. N is the elastic normal force ([`compliant`](crate::friction::compliant)).
//! After yield and under adhesion the limit is that of Hertz's pressure on the circle that is there: a model; the stiffness is exact.
//! **In an ellipse** a is the lever √(R δ), with which the couple of full slip is exact; its stiffness, without slip, is that of the ellipse by Cerruti's solution ([`PointContact::torsion`]), which knows Poisson's ratios. Given a `stiffness_ratio` or a `radius` the contact counts as a circle.
//! Valid: a patch that spins without sliding, under K δ^{3/2} or what yields or adheres on top of it.
//! Exit: at the couple of full slip it slips; it sticks again as soon as the spinning has ended.
//! Checked: the swing of a ball on its contact in closed form, at two depths; passivity along random walks; the limit against the integral over the patch.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::hertz_patch::RADIUS;
use super::spring::spring_law;
use super::{Patch, Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::friction::compliant::{COEFFICIENT, Springs};
use crate::friction::element::{Element, engaged, pressing};
use crate::friction::slip::check_values;
use crate::grip::{Grip, Slip, Switching};
use crate::hertz::PointContact;
use crate::law::{Friction, FrictionLaw};
use crate::material::MaterialPair;
use crate::memory::Memory;

/// The torsional stiffness of a Hertz contact, and friction over its patch.
///
/// ```
/// use carom_law::resistance::Torsion;
/// use carom_law::{Material, MaterialPair, ResistanceLaw};
/// let law = Torsion::new(0.3)?;
/// let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3);
/// let ratio = law.stiffness_ratio_of(&MaterialPair::new(&steel, &steel))?; // k/(a² dF/dδ)
/// assert!((ratio - 4.0 / 3.0 * 0.7).abs() < 1e-15);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torsion {
    coefficient: f64,
    ratio: Option<f64>,
    radius: Option<f64>,
}

const NAME: &str = "torsion";

const RATIO: Param = Param::optional(
    "stiffness_ratio",
    Quantity::Number,
    Allowed::Positive,
    "8G/(3E*) of the two materials",
    "torsional stiffness of the contact by a² and the stiffness along the normal",
);

/// The least √c: what so light a contact can hold is nothing.
const LEAST: f64 = 1e-9;
/// The couple of full slip by μ a N.
const FULL: f64 = 3.0 * PI / 16.0;

impl Torsion {
    /// μ > 0; stiffness from materials, R from the curvatures. Refuses another μ.
    pub fn new(coefficient: f64) -> Result<Torsion, LawError> {
        let law = Torsion { coefficient, ratio: None, radius: None };
        law.check_values()?;
        Ok(law)
    }

    /// With a given ratio k/(a² dF/dδ) > 0; [`ResistanceLaw::check`] refuses another.
    pub const fn ratio(mut self, ratio: f64) -> Torsion {
        self.ratio = Some(ratio);
        self
    }

    /// With this R \[m\] > 0; [`ResistanceLaw::check`] refuses another.
    pub const fn radius(mut self, radius: f64) -> Torsion {
        self.radius = Some(radius);
        self
    }

    fn check_values(&self) -> Result<(), SpecError> {
        let (ratio, radius) = (self.ratio.unwrap_or(1.0), self.radius.unwrap_or(1.0));
        check_values(NAME, &[(&COEFFICIENT, self.coefficient), (&RATIO, ratio), (&RADIUS, radius)])
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        let law = Torsion { coefficient, ratio: args.number(RATIO.name), radius: args.number(RADIUS.name) };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    /// k at the usual depth of the contact, by which the memory is M/(√c k).
    fn k(grip: &Grip) -> f64 {
        grip.radius * grip.depth * grip.tangential(grip.depth)
    }

    /// The angle at which the contact slips under its usual force \[rad\].
    fn size(&self, grip: &Grip) -> f64 {
        FULL * self.coefficient * (grip.radius * grip.depth).sqrt() * grip.force() / Torsion::k(grip)
    }
}

impl Springs for Torsion {
    fn element<S: Scalar>(&self, _: usize, at: &Slip<S>, grip: &Grip) -> Element<S> {
        let (k, number) = (Torsion::k(grip), S::from_f64);
        // a²/R, of a contact that is as stiff along the normal as one of Hertz would be at that depth
        let root = at.rigidity * number(1.0 / (1.5 * grip.stiffness));
        let radius = root * number(grip.radius.sqrt());
        let none = number(0.0);
        // ȧ/a; where the surfaces do not touch, the couple is nothing and its rate does not count
        let relative =
            if at.rigidity.value() > 0.0 { at.stiffening * at.delta_dot / at.rigidity } else { none };
        // √c, c = k(δ)/k ∝ a³
        let firm = Scalar::sqrt(radius * radius * at.rigidity * number(grip.ratio / k)).max(number(LEAST));
        let firm_rate = firm * relative * number(1.5);
        let (load, load_rate) = pressing(at);
        let per_firm = number(FULL * self.coefficient / k) * radius / firm;
        let (limit, rate) = (per_firm * load, per_firm * load_rate);
        let limit_rate = rate - limit * relative * number(0.5);
        // the couple is −√c k z with ż = √c ω: the stored k z²/2 does not change with c
        Element {
            part: firm,
            part_rate: firm_rate,
            firm,
            firm_rate,
            ..Element::spring(k, limit, limit_rate, engaged(at), self.size(grip))
        }
    }
}

impl FrictionLaw for Torsion {
    fn name(&self) -> &'static str {
        NAME
    }

    fn remembers(&self) -> bool {
        true
    }

    fn follows_depth(&self) -> bool {
        true
    }

    fn needs_power(&self) -> bool {
        true
    }

    fn needs_circle(&self) -> bool {
        true
    }

    fn stiffness_ratio(&self) -> Option<f64> {
        self.ratio
    }

    fn deflection(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn deflection_in(&self, grip: &Grip) -> f64 {
        self.size(grip)
    }

    fn energy_at(&self, element: usize, at: &Slip, grip: &Grip, memory: &Memory) -> f64 {
        self.element(element, at, grip).energy(at, grip, memory)
    }

    fn switching(&self) -> Option<&dyn Switching> {
        Some(self)
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl ResistanceLaw for Torsion {
    fn name(&self) -> &'static str {
        NAME
    }

    fn patch(&self) -> Patch {
        self.radius.map_or(Patch::Lever, Patch::Radius)
    }

    fn spring(&self) -> Option<&dyn Friction> {
        Some(self)
    }

    fn stiffness_ratio_of(&self, materials: &MaterialPair<'_>) -> Result<f64, LawError> {
        materials.torsion_ratio()
    }

    fn in_ellipse(&self, ellipse: &PointContact, poisson: f64) -> f64 {
        if self.radius.is_some() { 1.0 } else { ellipse.torsion(poisson) }
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

spring_law!(Torsion);

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "the torsional stiffness of a Hertz contact, and friction over its patch; with memory",
        params: &[COEFFICIENT, RATIO, RADIUS],
        build: Torsion::build,
    },
    formula: "Ṁ = −k ω + ½ (k̇/k) M, k = (16/3) G a³, while |M| < (3π/16) μ a N; |M| = (3π/16) μ a N beyond",
    range: "a patch, round or an ellipse, that spins without sliding; no ring of slip at its edge",
    at_rest: "holds, without creep",
    reference: Reference {
        source: "E. Reissner, H. F. Sagoci, J. Appl. Phys. 15 (1944) 652-654; J. L. Lubkin, J. Appl. Mech. 18 (1951) 183-187; H. Deresiewicz, J. Appl. Mech. 21 (1954) 52-56; from general knowledge",
        checked: "not seen in the originals; the swing on the contact in closed form, the limit and Cerruti's solution in ellipses by quadrature, passivity",
    },
};
