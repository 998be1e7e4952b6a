//! Mindlin without slip within the contact: the stiffness follows the depth, the force keeps what it has.
//!
//! Ḟ = −k(δ) v while |F| < μN, k = 8G*a = κ dF_n/dδ; |F| = μN, along the slip, beyond
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N, F_n | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | δ | m | indentation |
//! | μ | 1 | coefficient of friction |
//! | k | N/m | stiffness of the contact along the surface |
//! | G*, a | Pa, m | 1/G* = (2 − ν_a)/G_a + (2 − ν_b)/G_b, and the radius of the contact |
//! | κ | 1 | k by the normal stiffness: 4G*/E*, from the materials unless given; 2 (1 − ν)/(2 − ν) of like ones |
//!
//! Source: R. D. Mindlin, Compliance of elastic bodies in contact, *J. Appl. Mech.* 16 (1949) 259–268; in this form
//! O. R. Walton, *Mech. Mater.* 16 (1993) 239–247, and many programs. For ellipses see [`grip`](crate::grip).
//! **It makes energy.** As the contact becomes smaller, F stays while the stiffness falls: a cycle of loading, shearing, unloading and shearing back gives more than it took
//! (D. Elata, J. G. Berryman, *Mech. Mater.* 24 (1996) 229–240). With E = F²/(2k) what is lost is F² k̇/(2k²), below zero as δ falls: the ledger shows it. `mindlin-rescale` is the same law without this.
//! Changed: φ, vectors and located slip, as of [`compliant`](super::compliant): |F| ≤ μN always.
//! Valid: shear under a load that grows. Needs a point contact; k is κ times the stiffness with which that unloads.
//! Exit: at |F| = μN it slips, as it would leave that limit; it sticks again as soon as it would not.
//! Checked: shear at constant depth, proportional loading and the energy of Elata and Berryman's cycle in closed form; the cone along random walks.

use std::sync::Arc;

use carom_base::{Args, Entry, Scalar, SpecError};

use super::FrictionEntry;
use super::compliant::{COEFFICIENT, RATIO, Springs, spring_methods};
use super::element::Element;
use super::slip::check_values;
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::grip::{Grip, Slip, Switching};
use crate::law::{Friction, FrictionLaw};
use crate::memory::Memory;

/// Ḟ = −k(δ) v up to μN (Mindlin 1949); with or without what unloading takes.
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, Grip, Memory, Slip, Touch, friction::Mindlin};
/// let law = Mindlin::new(0.2)?.ratio(0.8);
/// // Hertz, K = 1e9 N/m^1.5, at its usual depth: the force grows by κ dF_n/dδ times the slip
/// let grip = Grip::new(&Touch::point(1e9, 1.0, 1.0), 1.5, 0.8, 0.0, 1.0);
/// let at = Slip::of_power(&grip, grip.force(), grip.depth, 0.0, Vec3::new(0.3, 0.0, 0.0));
/// let bent = Memory { z: Vec3::new(1e-9, 0.0, 0.0), s: 0.0 };
/// let now = law.evolve_at(0, &at, &grip, &bent);
/// assert!((now.rate.z.x - 0.3).abs() < 1e-15 && now.f_t.x < 0.0);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mindlin {
    coefficient: f64,
    ratio: Option<f64>,
    rescales: bool,
}

const NAME: &str = "mindlin";
/// With what unloading takes.
pub(super) const RESCALED: &str = "mindlin-rescale";

impl Mindlin {
    /// μ > 0, κ from materials; refuses another μ.
    pub fn new(coefficient: f64) -> Result<Mindlin, LawError> {
        let law = Mindlin { coefficient, ratio: None, rescales: false };
        law.check_values()?;
        Ok(law)
    }

    /// `mindlin-rescale`: with a force that falls with the stiffness as the surfaces part.
    pub const fn rescaled(mut self) -> Mindlin {
        self.rescales = true;
        self
    }

    /// With a given ratio κ > 0 to the normal stiffness; [`FrictionLaw::check`] refuses another.
    pub const fn ratio(mut self, kappa: f64) -> Mindlin {
        self.ratio = Some(kappa);
        self
    }

    pub(super) fn read(args: &Args, rescales: bool) -> Result<Mindlin, SpecError> {
        let name = if rescales { RESCALED } else { NAME };
        let coefficient = needed(args, name, &COEFFICIENT)?;
        let law = Mindlin { coefficient, ratio: args.number(RATIO.name), rescales };
        law.check_values()?;
        Ok(law)
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        Ok(Arc::new(Mindlin::read(args, false)?))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_values(self.word(), &[(&COEFFICIENT, self.coefficient), (&RATIO, self.ratio.unwrap_or(1.0))])
    }

    fn word(&self) -> &'static str {
        if self.rescales { RESCALED } else { NAME }
    }

    /// The stiffness at the usual depth of the contact, by which z is F/k.
    fn k(&self, grip: &Grip) -> f64 {
        grip.tangential(grip.depth)
    }
}

impl Springs for Mindlin {
    fn element<S: Scalar>(&self, _: usize, at: &Slip<S>, grip: &Grip) -> Element<S> {
        Element::of_contact(self.coefficient, [1.0, 1.0], self.rescales, at, grip)
    }

    fn feels_turning(&self) -> bool {
        self.rescales
    }
}

impl FrictionLaw for Mindlin {
    spring_methods!(word);

    fn stiffness_ratio(&self) -> Option<f64> {
        self.ratio
    }

    fn needs_power(&self) -> bool {
        true
    }

    fn caution(&self) -> Option<&'static str> {
        let gains = "`mindlin` makes energy as a sheared contact unloads (Elata and Berryman 1996); `mindlin-rescale` is the same law without this";
        (!self.rescales).then_some(gains)
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "stiffness by the contact's own radius, no slip within it; makes energy on unloading; with memory",
        params: &[COEFFICIENT, RATIO],
        build: Mindlin::build,
    },
    formula: "Ḟ = −k(δ) v, k = 8G*a = κ dN/dδ, while |F| < μN; |F| = μN beyond",
    range: "shear under a load that grows; a sheared contact that unloads makes energy: `mindlin-rescale` does not",
    at_rest: "holds, without creep",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "R. D. Mindlin, J. Appl. Mech. 16 (1949) 259-268; O. R. Walton, Mech. Mater. 16 (1993) 239-247",
        checked: "not seen in the originals; proportional loading, the energy of Elata and Berryman's cycle in closed form, the cone",
    },
};
