//! Maw, Barber and Fawcett: a contact that slips ring by ring, from its edge inwards.
//!
//! F = −φ Σ kᵢ dᵢ, ring i touches while δ > δᵢ = D (i/n)², and is an element with rᵢ = μ N wᵢ/Σⱼ kⱼ wⱼ, wᵢ = δ − δᵢ
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | elastic normal force K δ^{3/2} |
//! | δ, D | m | indentation, and the one that n rings reach |
//! | dᵢ, rᵢ | m | deflection of a ring, and its friction limit |
//! | kᵢ | N/m | (3/2) κ K √D/n, half of that for i = 0: together 8G*a, a the radius of the contact |
//! | μ | 1 | coefficient of friction |
//! | κ | 1 | 4G*/E*, from the materials unless given; 2 (1 − ν)/(2 − ν) of like ones |
//! | φ | 1 | normal force by that at rest |
//! | n | 1 | `rings`; 20 unless given |
//!
//! Source: N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, *Wear* 38 (1976) 101–114, who divide the contact into rings with elliptic integrals for what
//! each does to each. The rings here are the independent springs of V. L. Popov and M. Heß, *Method of Dimensionality Reduction in Contact Mechanics and Friction* (Springer 2015), which have the same
//! forces for any history along a line (Cattaneo 1938, Mindlin 1949), and no matrix. Rings that touch slip and stick on their own; which are those is located, and so is every touch of a ring.
//! Added: rᵢ by the sum, so that full slip is μN exactly with any number of rings; vectors in the tangent plane, for which the springs are a model and no longer the exact answer.
//! A contact that becomes deeper than D doubles its rings' width: neighbours become one, with the same force; what they then store less is lost.
//! `mindlin-deresiewicz` has elements that grow and shrink with the contact: the same answer under a constant load, without rings that touch and open, and less exact where the load changes.
//! Passive always, |F| ≤ μN always ([`compliant`](super::compliant)). No stiffness changes in time: nothing is stored or given but by slip.
//! Valid: point contacts under K δ^{3/2}, both bodies elastic and much larger than the contact; no waves in them. For ellipses see [`grip`](crate::grip).
//! Exit: a ring slips at its limit as it would leave it; opens where δ = δᵢ.
//! Checked: Mindlin's partial slip under constant load and its return in closed form; Maw, Barber and Fawcett's curve of rebound against their own rings, computed apart (`oracles/oblique.py`); passivity, the cone.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::FrictionEntry;
use super::compliant::{COEFFICIENT, Element, Mode, RATIO, engaged, turn, turning, whole_number};
use super::slip::check_values;
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::grip::{Grip, Slip, Switching};
use crate::law::{Friction, FrictionFormula, FrictionLaw};
use crate::memory::{Evolution, Memory};

/// Rings that stick and slip on their own (Maw, Barber and Fawcett 1976; Popov and Heß 2015).
///
/// ```
/// use carom_law::{Friction, FrictionLaw, friction::MawBarberFawcett};
/// let law = MawBarberFawcett::new(0.2)?.ratio(0.8).rings(40);
/// assert_eq!(law.elements(), 40);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MawBarberFawcett {
    coefficient: f64,
    ratio: Option<f64>,
    rings: usize,
}

const NAME: &str = "maw-barber-fawcett";
/// Rings unless given.
const RINGS: usize = 20;
/// Indentations closer than this part of D are reached together.
const TOGETHER: f64 = 1e-9;
/// The most rings there may be.
pub(super) const MOST_RINGS: usize = 200;

const NUMBER: Param = Param::default(
    "rings",
    Quantity::Number,
    Allowed::Between(2.0, MOST_RINGS as f64),
    RINGS as f64,
    "number of rings n",
);

impl MawBarberFawcett {
    /// μ > 0, κ from materials, 20 rings; refuses another μ.
    pub fn new(coefficient: f64) -> Result<MawBarberFawcett, LawError> {
        let law = MawBarberFawcett { coefficient, ratio: None, rings: RINGS };
        law.check_values()?;
        Ok(law)
    }

    /// With a given ratio κ > 0 to the normal stiffness; [`FrictionLaw::check`] refuses another.
    pub const fn ratio(mut self, kappa: f64) -> MawBarberFawcett {
        self.ratio = Some(kappa);
        self
    }

    /// With another number of rings, 2 to 200; [`FrictionLaw::check`] refuses another.
    pub const fn rings(mut self, n: usize) -> MawBarberFawcett {
        self.rings = n;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let law = MawBarberFawcett {
            coefficient: needed(args, NAME, &COEFFICIENT)?,
            ratio: args.number(RATIO.name),
            rings: whole_number(args, NAME, &NUMBER)?,
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        let ratio = self.ratio.unwrap_or(1.0);
        check_values(NAME, &[(&COEFFICIENT, self.coefficient), (&RATIO, ratio), (&NUMBER, self.rings as f64)])
    }

    /// δᵢ \[m\].
    fn depth(&self, grip: &Grip, ring: usize) -> f64 {
        let x = ring as f64 / self.rings as f64;
        grip.reach * x * x
    }

    /// kᵢ of all rings but the first, which has half of it [N/m].
    fn stiffness(&self, grip: &Grip) -> f64 {
        grip.tangential(grip.reach) / self.rings as f64
    }

    /// How many rings touch at an indentation \[m\], if nobody has located that; the first does always.
    fn touching(&self, grip: &Grip, delta: f64) -> usize {
        if grip.touching > 0 {
            return grip.touching;
        }
        let x = (delta / grip.reach).max(0.0).sqrt() * self.rings as f64;
        (x.ceil() as usize).clamp(1, self.rings)
    }

    fn element<S: Scalar>(&self, ring: usize, at: &Slip<S>, grip: &Grip) -> Element<S> {
        let number = S::from_f64;
        let (k, m) = (self.stiffness(grip), self.touching(grip, at.delta.value()));
        let own = if ring == 0 { 0.5 * k } else { k };
        let size = self.deflection_in(grip);
        let w = at.delta - number(self.depth(grip, ring));
        if at.delta.value() <= 0.0 || (grip.touching == 0 && w.value() <= 0.0) {
            return Element::spring(own, number(0.0), number(0.0), engaged(at), size);
        }
        // Σ k and Σ k δⱼ of the rings that touch
        let (count, width) = (m as f64, grip.reach / (self.rings as f64 * self.rings as f64));
        let sum = k * (count - 0.5);
        let moment = k * width * (count - 1.0) * count * (2.0 * count - 1.0) / 6.0;
        let pressed = number(sum) * at.delta - number(moment);
        let mu = number(self.coefficient);
        let by_w = mu * at.f_elastic / pressed;
        let by_delta = mu * at.slope * w / pressed + by_w - by_w * w * number(sum) / pressed;
        Element::spring(own, by_w * w, by_delta * at.delta_dot, engaged(at), size)
    }

    /// Makes rings of twice the width of those there are.
    fn widen(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]]) {
        let n = self.rings;
        // F/k of a ring is what it is bent by; the first has half the stiffness of the others
        let bent = |ring: usize, memories: &[[f64; Memory::SIZE]]| {
            let Memory { z, s } = Memory::from_numbers(&memories[ring]);
            let weight = if ring == 0 { 0.5 } else { 1.0 };
            match Mode::of(s) {
                Mode::Open => Vec3::zeros(),
                Mode::Slips => z * (weight * self.element(ring, at, grip).limit / z.norm()),
                Mode::Sticks | Mode::New => z * weight,
            }
        };
        let last = n.div_ceil(2) - 1;
        // forwards: a ring takes from those at and beyond its own place, and of the one before its half was kept
        let mut kept = Vec3::zeros();
        for ring in 0..n {
            let mut force = kept;
            kept = Vec3::zeros();
            if ring <= last {
                force += bent(2 * ring, memories);
                if 2 * ring + 1 < n {
                    let beside = bent(2 * ring + 1, memories);
                    let own = if ring == last { 1.0 } else { 0.5 };
                    force += beside * own;
                    kept = beside * (1.0 - own);
                }
            }
            let weight = if ring == 0 { 1.0 } else { 2.0 };
            memories[ring] = Memory { z: force / weight, s: 0.0 }.numbers();
        }
        (grip.reach, grip.touching) = (4.0 * grip.reach, 0);
        let m = self.touching(grip, at.delta);
        grip.touching = m;
        for (ring, memory) in memories.iter_mut().enumerate() {
            match ring < m {
                true => self.element(ring, at, grip).change(at, grip, memory),
                false => *memory = [0.0, 0.0, 0.0, Mode::Open.number()],
            }
        }
    }
}

impl FrictionLaw for MawBarberFawcett {
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

    fn needs_hertz(&self) -> bool {
        true
    }

    fn elements(&self) -> usize {
        self.rings
    }

    fn stiffness_ratio(&self) -> Option<f64> {
        self.ratio
    }

    fn deflection(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn deflection_in(&self, grip: &Grip) -> f64 {
        self.coefficient * grip.force() / grip.tangential(grip.depth)
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

impl Switching for MawBarberFawcett {
    /// Those of the rings, then whether the next one touches, whether the last one opens, and the sign of δ̇.
    fn count(&self) -> usize {
        self.rings + 3
    }

    fn values(
        &self,
        at: &Slip,
        grip: &Grip,
        memories: &[[f64; Memory::SIZE]],
        values: &mut [f64],
        sizes: &mut [f64],
    ) {
        let n = self.rings;
        for (ring, memory) in memories.iter().enumerate() {
            let memory = Memory::from_numbers(memory);
            (values[ring], sizes[ring]) = match Mode::of(memory.s) {
                Mode::Open => (f64::NAN, 1.0),
                _ => self.element(ring, at, grip).switch(at, grip, &memory),
            };
        }
        let m = grip.touching;
        values[n] = if m == 0 { f64::NAN } else { self.depth(grip, m) - at.delta };
        values[n + 1] = if m < 2 { f64::NAN } else { at.delta - self.depth(grip, m - 1) };
        (sizes[n], sizes[n + 1]) = (grip.reach, grip.reach);
        (values[n + 2], sizes[n + 2]) = turning(at, grip, false);
    }

    fn change(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]], crossed: &[bool]) {
        let n = self.rings;
        if grip.touching == 0 {
            grip.touching = self.touching(grip, at.delta);
            memories[grip.touching..].fill([0.0, 0.0, 0.0, Mode::Open.number()]);
        }
        // a ring whose limit is nothing is about to open, or has just touched: at the same instant but for rounding
        let (m, near) = (grip.touching, TOGETHER * grip.reach);
        let opens = m > 1 && at.delta_dot < 0.0 && at.delta - self.depth(grip, m - 1) < near;
        let touches = at.delta_dot > 0.0 && self.depth(grip, m) - at.delta < near;
        for ring in 0..n {
            if crossed[ring] && Mode::of(memories[ring][3]) != Mode::Open {
                self.element(ring, at, grip).change(at, grip, &mut memories[ring]);
            }
        }
        if crossed[n] || touches {
            match grip.touching < n {
                // its limit is about to grow from nothing
                true => {
                    let ring = grip.touching;
                    grip.touching += 1;
                    memories[ring] = Memory::unbent().numbers();
                    self.element(ring, at, grip).change(at, grip, &mut memories[ring]);
                }
                false => self.widen(at, grip, memories),
            }
        }
        if (crossed[n + 1] || opens) && grip.touching > 1 {
            grip.touching -= 1;
            memories[grip.touching] = [0.0, 0.0, 0.0, Mode::Open.number()];
        }
        if crossed[n + 2] {
            turn(grip);
        }
    }
}

impl FrictionFormula for MawBarberFawcett {
    /// A contact that is not sheared does not pull.
    fn force<S: Scalar>(&self, _: S, v_t: &Vec3<S>) -> Vec3<S> {
        v_t * S::from_f64(0.0)
    }

    fn evolve_at<S: Scalar>(
        &self,
        element: usize,
        at: &Slip<S>,
        grip: &Grip,
        memory: &Memory<S>,
    ) -> Evolution<S> {
        self.element(element, at, grip).evolve(at, grip, memory)
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "rings of the contact stick and slip on their own: the elastic answer; with memory",
        params: &[COEFFICIENT, RATIO, NUMBER],
        build: MawBarberFawcett::build,
    },
    formula: "F = −Σ kᵢ dᵢ over rings that touch while δ > D (i/n)², Σ kᵢ = 8G*a, each up to its part of μN",
    range: "oblique impacts and shear of point contacts under K δ^{3/2}, whatever the history",
    at_rest: "holds, without creep",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "N. Maw, J. R. Barber, J. N. Fawcett, Wear 38 (1976) 101-114; V. L. Popov, M. Heß, Method of Dimensionality Reduction, Springer (2015)",
        checked: "not seen in the originals; Mindlin's partial slip in closed form, rebound against an independent computation with rings, the cone, passivity",
    },
};
