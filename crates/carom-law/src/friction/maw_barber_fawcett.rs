//! Maw, Barber and Fawcett: a contact that slips ring by ring, from its edge inwards.
//!
//! F = −φ Σ kᵢ dᵢ, ring i touches while h > hᵢ = D (i/n)², and is an element with rᵢ = μ N wᵢ/Σⱼ kⱼ wⱼ, wᵢ = h − hᵢ
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force at rest, and the pull-off force of adhesion: K δ^{3/2} under Hertz's law |
//! | h = a²/R | m | depth of Hertz's contact of the same radius a, a = S/(2E*): the indentation δ under Hertz's law |
//! | S | N/m | stiffness with which the contact would unload, (3/2) K √h |
//! | D | m | h that n rings reach |
//! | dᵢ, rᵢ | m | deflection of a ring, and its friction limit |
//! | kᵢ | N/m | (3/2) κ K √D/n, half of that for i = 0: together 8G*a |
//! | μ | 1 | coefficient of friction |
//! | κ | 1 | 4G*/E*, from the materials unless given; 2 (1 − ν)/(2 − ν) of like ones |
//! | φ | 1 | normal force by that at rest |
//! | n | 1 | `rings`; 20 unless given |
//!
//! Source: N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, *Wear* 38 (1976) 101–114, who divide the contact into rings with elliptic integrals for what
//! each does to each. The rings here are the independent springs of V. L. Popov and M. Heß, *Method of Dimensionality Reduction in Contact Mechanics and Friction* (Springer 2015), which have the same
//! forces for any history along a line (Cattaneo 1938, Mindlin 1949), and no matrix. Rings that touch slip and stick on their own; which are those is located, and so is every touch of a ring.
//! Added: rᵢ by the sum, so that full slip is μN exactly with any number of rings; vectors in the tangent plane, for which the springs are a model and no longer the exact answer.
//! A contact that becomes deeper than D doubles its rings' width: neighbours become one, with the same force; what they then store less is lost. Of an even number the last
//! has no ring on its outer side to go to: the one that takes it as well bends no further than leaves the energy as it was, and loses a part of its force, less than the last ring holds.
//! `mindlin-deresiewicz` has elements that grow and shrink with the contact: the same answer under a constant load, without rings that touch and open, and less exact where the load changes.
//!
//! **After yield and under adhesion** the rings reach as far as the contact does, and their limits share μN as those of Hertz's contact of that radius would. Under `thornton` and `stronge` that is what the normal law itself
//! says of a contact that unloads; while it yields, the pressure is flatter, and the limits are those it would have as soon as it unloads. Under `edinburgh`, `jkr` and `maugis-dugdale` it is a model: where a contact pulls at its edge
//! and presses in its middle, no theory says how friction is spread; full slip and the stiffness without slip are right.
//!
//! Passive always, |F| ≤ μN always ([`compliant`](super::compliant)). No stiffness changes in time: nothing is stored or given but by slip.
//! Valid: point contacts under K δ^{3/2} and laws that yield or adhere on top of it, both bodies elastic along the surface and much larger than the contact; no waves in them. For ellipses see [`grip`](crate::grip).
//! Exit: a ring slips at its limit as it would leave it; opens where h = hᵢ.
//! Checked: Mindlin's partial slip under constant load and its return in closed form; Maw, Barber and Fawcett's curve of rebound against their own rings, computed apart (`oracles/oblique.py`); rings that touch and open as dents and adhesion say; passivity, the cone.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::FrictionEntry;
use super::compliant::{COEFFICIENT, RATIO, Springs, spring_methods, whole_number};
use super::element::{Element, Mode, OPEN, engaged, pressing};
use super::slip::check_values;
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::grip::{Grip, Slip, Switching};
use crate::law::{Friction, FrictionLaw};
use crate::memory::Memory;

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

    /// hᵢ \[m\].
    fn depth(&self, grip: &Grip, ring: usize) -> f64 {
        let x = ring as f64 / self.rings as f64;
        grip.reach * x * x
    }

    /// kᵢ of all rings but the first, which has half of it [N/m].
    fn stiffness(&self, grip: &Grip) -> f64 {
        grip.tangential(grip.reach) / self.rings as f64
    }

    /// How many rings reach to a depth h \[m\]; the first does always.
    fn rings_to(&self, grip: &Grip, depth: f64) -> usize {
        let x = (depth / grip.reach).max(0.0).sqrt() * self.rings as f64;
        (x.ceil() as usize).clamp(1, self.rings)
    }

    /// The stiffness at the usual depth of the contact.
    fn k(&self, grip: &Grip) -> f64 {
        grip.tangential(grip.depth)
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
        // what a ring stores, by k/2
        let stored = |ring: usize, memories: &[[f64; Memory::SIZE]]| {
            let force = bent(ring, memories);
            grip.yields(&at.axis, &force).dot(&force) * if ring == 0 { 2.0 } else { 1.0 }
        };
        let before = stored(n - 1, memories)
            + stored(n.max(2) - 2, memories)
            + if n > 2 { 0.5 * stored(n - 3, memories) } else { 0.0 };
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
            if n.is_multiple_of(2) && ring == last {
                let after = grip.yields(&at.axis, &force).dot(&force) / weight;
                force *= if after > before { (before / after).sqrt() } else { 1.0 };
            }
            memories[ring] = Memory { z: force / weight, s: 0.0 }.numbers();
        }
        (grip.reach, grip.touching) = (4.0 * grip.reach, 0);
        self.prepare(at, grip, memories);
        for ring in 0..grip.touching {
            match grip.presses < 0.0 {
                true => memories[ring] = OPEN,
                false => self.element(ring, at, grip).change(at, grip, &mut memories[ring]),
            }
        }
    }

    /// Lets a ring begin that has just touched: its limit is about to grow from nothing.
    fn begin(&self, at: &Slip, grip: &Grip, memories: &mut [[f64; Memory::SIZE]], ring: usize) {
        memories[ring] = OPEN;
        if grip.presses >= 0.0 {
            memories[ring] = Memory::unbent().numbers();
            self.element(ring, at, grip).change(at, grip, &mut memories[ring]);
        }
    }
}

impl Springs for MawBarberFawcett {
    fn element<S: Scalar>(&self, ring: usize, at: &Slip<S>, grip: &Grip) -> Element<S> {
        let number = S::from_f64;
        let (k, [depth, deepens]) = (self.stiffness(grip), hertz_depth(at, grip));
        // how many touch, if nobody has located that
        let m = if grip.touching > 0 { grip.touching } else { self.rings_to(grip, depth.value()) };
        let own = if ring == 0 { 0.5 * k } else { k };
        let size = self.deflection_in(grip);
        let w = depth - number(self.depth(grip, ring));
        if depth.value() <= 0.0 || (grip.touching == 0 && w.value() <= 0.0) {
            return Element::spring(own, number(0.0), number(0.0), engaged(at), size);
        }
        // Σ k and Σ k hⱼ of the rings that touch
        let (count, width) = (m as f64, grip.reach / (self.rings as f64 * self.rings as f64));
        let sum = k * (count - 0.5);
        let moment = k * width * (count - 1.0) * count * (2.0 * count - 1.0) / 6.0;
        let pressed = number(sum) * depth - number(moment);
        let (load, load_rate) = pressing(at);
        let mu = number(self.coefficient);
        let by_w = mu * load / pressed;
        let rate = mu * load_rate * w / pressed + (by_w - by_w * w * number(sum) / pressed) * deepens;
        Element::spring(own, by_w * w, rate, engaged(at), size)
    }

    fn touching(&self, _: &Slip, grip: &Grip) -> usize {
        grip.touching
    }

    /// Whether the next ring touches, and whether the last one opens.
    fn own_switches(&self) -> usize {
        2
    }

    fn own_values(&self, at: &Slip, grip: &Grip, values: &mut [f64], sizes: &mut [f64]) {
        let (m, [depth, _]) = (grip.touching, hertz_depth(at, grip));
        values[0] = if m == 0 { f64::NAN } else { self.depth(grip, m) - depth };
        values[1] = if m < 2 { f64::NAN } else { depth - self.depth(grip, m - 1) };
        sizes.fill(grip.reach);
    }

    fn prepare(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]]) {
        if grip.touching == 0 {
            grip.touching = self.rings_to(grip, hertz_depth(at, grip)[0]);
            memories[grip.touching..].fill(OPEN);
        }
    }

    fn change_own(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]], crossed: &[bool]) {
        let [depth, deepens] = hertz_depth(at, grip);
        // a ring whose limit is nothing is about to open, or has just touched: at the same instant but for rounding
        let (m, near) = (grip.touching, TOGETHER * grip.reach);
        let opens = m > 1 && deepens < 0.0 && depth - self.depth(grip, m - 1) < near;
        let touches = deepens > 0.0 && self.depth(grip, m) - depth < near;
        if crossed[0] || touches {
            match grip.touching < self.rings {
                true => {
                    grip.touching += 1;
                    self.begin(at, grip, memories, m);
                }
                false => self.widen(at, grip, memories),
            }
        }
        if (crossed[1] || opens) && grip.touching > 1 {
            grip.touching -= 1;
            memories[grip.touching] = OPEN;
        }
    }
}

/// h and its rate \[m, m/s\]: the depth of Hertz's contact that is as stiff along the normal as this one would be as it unloads.
fn hertz_depth<S: Scalar>(at: &Slip<S>, grip: &Grip) -> [S; 2] {
    let per_k = S::from_f64(1.0 / (1.5 * grip.stiffness));
    let root = at.rigidity * per_k;
    [root * root, root * at.stiffening * per_k * at.delta_dot * S::from_f64(2.0)]
}

impl FrictionLaw for MawBarberFawcett {
    spring_methods!();

    fn needs_power(&self) -> bool {
        true
    }

    fn needs_circle(&self) -> bool {
        true
    }

    fn elements(&self) -> usize {
        self.rings
    }

    fn stiffness_ratio(&self) -> Option<f64> {
        self.ratio
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "rings of the contact stick and slip on their own: the elastic answer; with memory",
        params: &[COEFFICIENT, RATIO, NUMBER],
        build: MawBarberFawcett::build,
    },
    formula: "F = −Σ kᵢ dᵢ over rings that touch while a²/R > D (i/n)², Σ kᵢ = 8G*a, each up to its part of μN",
    range: "oblique impacts and shear of point contacts under K δ^{3/2}, whatever the history; a model where the contact yields or adheres",
    at_rest: "holds, without creep",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "N. Maw, J. R. Barber, J. N. Fawcett, Wear 38 (1976) 101-114; V. L. Popov, M. Heß, Method of Dimensionality Reduction, Springer (2015)",
        checked: "not seen in the originals; Mindlin's partial slip in closed form, rebound against an independent computation with rings, the cone, passivity",
    },
};
