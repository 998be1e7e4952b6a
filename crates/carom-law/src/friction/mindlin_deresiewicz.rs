//! Mindlin and Deresiewicz: slip creeps in from the edge of the contact, and where the shear turned round is remembered.
//!
//! F = −φ Σ kᵢ dᵢ, element i has the stiffness kᵢ = wᵢ k(δ), k = 8G*a = κ dN/dδ, and slips at |kᵢ dᵢ| = qᵢ μN
//!
//! wᵢ = mᵢ^g − mᵢ₊₁^g, qᵢ = p wᵢ − (p − 1)(mᵢ² − mᵢ₊₁²), mᵢ = 1 − i/n, g = 2 − 2/p, i = 0 … n − 1
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | elastic normal force K δ^p |
//! | δ | m | indentation |
//! | dᵢ | m | deflection of an element |
//! | μ | 1 | coefficient of friction |
//! | k | N/m | stiffness of the contact along the surface, without slip |
//! | κ | 1 | 4G*/E*, from the materials unless given; 2 (1 − ν)/(2 − ν) of like ones |
//! | φ | 1 | normal force by that at rest |
//! | n | 1 | `elements`; 20 unless given |
//! | u | m | how far the surfaces have been sheared |
//!
//! A contact sheared for the first time under a constant load has T = μN (1 − (1 − κu/(μδ))^p) (Cattaneo 1938, Mindlin 1949, p = 3/2; Ciavarella and Jäger 1998 for other p): its edge slips first. Sheared
//! back from T₁ it follows twice this curve at half the size, T = T₁ − 2 f((u₁ − u)/2), and so on from every turn, until a turn is passed and forgotten (Mindlin and Deresiewicz 1953). That is Masing's
//! rule, and what elements side by side do that slip one after the other (Iwan 1967): any number of turns is remembered, by n vectors. The elements here are those whose first curve is the
//! polygon of the tangents to Mindlin's at 1 − κu/(μδ) = mᵢ^{2/p}, so that stiffness at rest and full slip are exact and the force is too large by at most 0.193 μN/n² (p = 3/2); each turn that is remembered adds up to twice that, of either sign.
//!
//! **Under a load that changes** the elements follow the contact: Ḟᵢ = −kᵢ v + Fᵢ (k̇/k)₋, as `mindlin-rescale` has it for the whole. This is exact, as n grows, for a load that falls after a
//! first shear, and for a load that grows while nothing slips, as to the force; there the traction that is new at the edge is spread over the whole contact, and F²k̇/(2k²) of each
//! element is lost. `maw-barber-fawcett` has rings that keep their radius, which is right for any history: with as many rings as here are elements it needs the same state and an event for every ring
//! that touches or opens, of which this law has none; and it is for p = 3/2 alone. In oblique impacts ψ2 is up to 0.17 off its curve, where `mindlin-rescale` is 0.41; measured rebounds of an alumina ball
//! are met to 0.029 rms (rings 0.014, `mindlin-rescale` 0.055).
//!
//! Source: R. D. Mindlin, H. Deresiewicz, Elastic spheres in contact under varying oblique forces, *J. Appl. Mech.* 20 (1953) 327–344; elements: W. D. Iwan, *J. Appl. Mech.* 34 (1967) 612–617.
//! Added: what the load does to the elements, vectors in the tangent plane, φ.
//! Passive always, |F| ≤ μN always ([`compliant`](super::compliant)). Every element's stick and slip is located, and so is the turn of the depth.
//! Valid: point contacts under K δ^p, p ≥ 1; under other laws, N and k being those of the contact as it unloads, a model. For ellipses see [`grip`](crate::grip).
//! Exit: as of `mindlin-rescale`, which it is with n = 1.
//! Checked: the polygon and its return from every turn in closed form; Mindlin's curve and Mindlin and Deresiewicz' loop and loss as n grows; impacts against rings; passivity and the cone along random walks.

use std::sync::{Arc, OnceLock};

use carom_base::elementary::{cbrt, pow};
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use super::FrictionEntry;
use super::compliant::{COEFFICIENT, RATIO, Springs, spring_methods, whole_number};
use super::element::Element;
use super::slip::check_values;
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::grip::{Grip, Slip, Switching};
use crate::law::{Friction, FrictionLaw};
use crate::memory::Memory;
use crate::power::HERTZ_EXPONENT;

/// Partial slip with every turn of the shear remembered (Mindlin and Deresiewicz 1953).
///
/// ```
/// use carom_law::{FrictionLaw, friction::MindlinDeresiewicz};
/// let law = MindlinDeresiewicz::new(0.2)?.ratio(0.8).elements(40);
/// assert_eq!(FrictionLaw::elements(&law), 40);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MindlinDeresiewicz {
    coefficient: f64,
    ratio: Option<f64>,
    elements: usize,
}

const NAME: &str = "mindlin-deresiewicz";

const NUMBER: Param =
    Param::default("elements", Quantity::Number, Allowed::Between(1.0, 200.0), 20.0, "number of elements n");

/// p of round contacts.
const HERTZ: f64 = 1.5;
/// The shares of all elements under K δ^3/2, by how many there are.
static OF_HERTZ: [OnceLock<Vec<[f64; 2]>>; 201] = [const { OnceLock::new() }; 201];

impl MindlinDeresiewicz {
    /// μ > 0, κ from materials, 20 elements; refuses another μ.
    pub fn new(coefficient: f64) -> Result<MindlinDeresiewicz, LawError> {
        let law = MindlinDeresiewicz { coefficient, ratio: None, elements: 20 };
        law.check_values()?;
        Ok(law)
    }

    /// With a given ratio κ > 0 to the normal stiffness; [`FrictionLaw::check`] refuses another.
    pub const fn ratio(mut self, kappa: f64) -> MindlinDeresiewicz {
        self.ratio = Some(kappa);
        self
    }

    /// With another number of elements, 1 to 200; [`FrictionLaw::check`] refuses another.
    pub const fn elements(mut self, n: usize) -> MindlinDeresiewicz {
        self.elements = n;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let law = MindlinDeresiewicz {
            coefficient: needed(args, NAME, &COEFFICIENT)?,
            ratio: args.number(RATIO.name),
            elements: whole_number(args, NAME, &NUMBER)?,
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        let (ratio, n) = (self.ratio.unwrap_or(1.0), self.elements as f64);
        check_values(NAME, &[(&COEFFICIENT, self.coefficient), (&RATIO, ratio), (&NUMBER, n)])
    }

    fn k(&self, grip: &Grip) -> f64 {
        grip.tangential(grip.depth)
    }

    /// wᵢ, and qᵢ/wᵢ: an element's part of the stiffness, and how far it bends before it slips, by how far the contact would without partial slip. `p` is the exponent of the load.
    fn share(&self, element: usize, p: f64) -> [f64; 2] {
        if p != HERTZ {
            return self.computed_share(element, p);
        }
        // (every element asks for it in every evaluation, and powers take long)
        let all = || (0..self.elements).map(|i| self.computed_share(i, HERTZ)).collect();
        match OF_HERTZ.get(self.elements).map(|shares| shares.get_or_init(all)) {
            Some(shares) => shares[element],
            None => self.computed_share(element, p),
        }
    }

    fn computed_share(&self, element: usize, p: f64) -> [f64; 2] {
        let n = self.elements as f64;
        let [m, next] = [element, element + 1].map(|i| 1.0 - i as f64 / n);
        // slopes of the tangents, as parts of the first; that of the last, full slip, is zero also where p = 1
        let slope = |m: f64| match m > 0.0 {
            // (this is asked for at every evaluation of every element)
            true if p == HERTZ_EXPONENT => cbrt(m * m),
            true => pow(m, 2.0 - 2.0 / p),
            false => 0.0,
        };
        let w = slope(m) - slope(next);
        // (of a linear load, T = k u up to μN: all but the last have no stiffness)
        let reach = if w > 0.0 { p - (p - 1.0) * (m * m - next * next) / w } else { 1.0 };
        [w, reach]
    }
}

impl Springs for MindlinDeresiewicz {
    fn element<S: Scalar>(&self, element: usize, at: &Slip<S>, grip: &Grip) -> Element<S> {
        Element::of_contact(self.coefficient, self.share(element, grip.exponent), true, at, grip)
    }

    fn feels_turning(&self) -> bool {
        true
    }
}

impl FrictionLaw for MindlinDeresiewicz {
    spring_methods!();

    fn elements(&self) -> usize {
        self.elements
    }

    fn stiffness_ratio(&self) -> Option<f64> {
        self.ratio
    }

    fn needs_power(&self) -> bool {
        true
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "partial slip from the edge of the contact, every turn of the shear remembered; with memory",
        params: &[COEFFICIENT, RATIO, NUMBER],
        build: MindlinDeresiewicz::build,
    },
    formula: "F = −Σ kᵢ dᵢ, Σ kᵢ = 8G*a, elements that slip one after the other at parts of μN: T = μN (1 − (1 − κu/(μδ))^p) in first shear, twice that at half the size after a turn",
    range: "shear to and fro under a load that changes little, under K δ^p; where the load changes much, `maw-barber-fawcett` is more exact",
    at_rest: "holds, without creep",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "R. D. Mindlin, H. Deresiewicz, J. Appl. Mech. 20 (1953) 327-344; W. D. Iwan, J. Appl. Mech. 34 (1967) 612-617",
        checked: "not seen in the originals; partial slip, loops and their loss in closed form, impacts against rings, the cone, passivity",
    },
};
