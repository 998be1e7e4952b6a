//! What the laws share whose stiffness is that of the contact itself: `cundall-strack`, `mindlin`, `mindlin-rescale`, `mindlin-deresiewicz`, `maw-barber-fawcett`.
//!
//! An element is a spring between the surfaces, bent by z, a tangent vector, which pulls with k z up to its friction limit k r:
//!
//! F = −φ k d, d = z where it sticks, d = r ẑ where it slips
//!
//! - it sticks while |z| < r: ż = c φ R v + q z;
//! - it slips while it would leave its limit, λ > 0: then d follows the slip as F does, against what slips, ḋ = c φ R (v − λ ẑ) + q d with |d| = r, λ c φ ẑ·Rẑ = (c φ R v + q d)·ẑ − ṙ. Only the
//!   direction of z counts.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | v, λ | m/s | slip: tangential part of v_a(p_a) − v_b(p_b); what of it the spring does not take, along F |
//! | z, d | m | state of the element, and its deflection: the force it would have, over k |
//! | k | N/m | stiffness of the element, a constant of the contact |
//! | r, ṙ | m, m/s | its friction limit μN/k by the normal force at rest, and the rate of that |
//! | c | 1 | how stiff the contact is now, as a part of k; 1 but for the laws of Mindlin |
//! | q | 1/s | what unloading takes; 0 but for `mindlin-rescale` and `mindlin-deresiewicz` |
//! | R | 1 | 1/(1 + ε) along the longer axis of an elliptical contact and 1/(1 − ε) across ([`grip`](crate::grip)); 1 for a circle |
//! | φ | 1 | normal force by that at rest, 0 to 100 |
//! | r₀ | m | a thousandth of the friction limit in this contact |
//!
//! With E = k d·R⁻¹d/(2c), what slip gives and the element does not store is k d·R⁻¹d (ċ/(2c²) − q/c), and in slip φ k r λ more. For c = 1 that is zero in stick and above zero in slip: passive, whatever load and slip
//! do. The same φ in F and in ż sees to it, and to |F| ≤ μN with the whole normal force, which dashpots add to or take from; in slip it is that, but where a dashpot pushes a hundred times as hard as the spring. Under adhesion N is the normal force and the pull-off force together.
//!
//! **Surfaces that jump apart** lose their stiffness infinitely fast as they do, and ċ/c is infinite. There `mindlin-rescale` and `mindlin-deresiewicz` have z = c u with the shift u of the surfaces as their state, F = −φ k c u, |c u| ≤ r, which knows nothing of
//! that as the surfaces part: u̇ = φ R v − (ċ/c)₊ u. With the energy k c u·R⁻¹u/2 it is the same law.
//!
//! **Added to the sources.** r₀: under a load that vanishes ẑ would turn into the direction of slip at once, which no integrator can follow; it turns r/√(r² + r₀²) as fast. In a circle, where no energy depends on the direction, it turns by a part of φ as well, which jumps where
//! the load is nothing: (c g/√(r² + r₀²)) times the part of v across ẑ, g = (φ|ṙ| + o)/(|ṙ| + o) with the rate o = c φ v·ẑ − ṙ at which it would leave its limit. So it turns as it does where it sticks when it is about to, o = 0, or else it would stick and slip by turns for ever. No force of a circle
//! depends on that but through the direction, and nothing in motions in a plane; in an ellipse, where the energy depends on the direction, it turns no slower than leaves it passive. Sources are laws of one
//! dimension; here z is a vector.
//!
//! The mode, stick or slip, is in the last number of the memory: it changes at events ([`Switching`](crate::Switching)). While it is zero the element goes by its state, and
//! |z| follows r as it slips; one that is not bent waits.

use carom_base::param::Allowed;
use carom_base::{Args, Param, Quantity, Scalar, SpecError, Vec3};

use super::element::{Element, Mode, OPEN};
use crate::entry::{check_value, needed};
use crate::grip::{Grip, Slip, Spring, Switching};
use crate::law::{FrictionFormula, FrictionLaw};
use crate::memory::{Evolution, Memory};

/// Scene key of μ: without friction there is nothing that would bend springs.
pub(crate) const COEFFICIENT: Param =
    Param::required("coefficient", Quantity::Number, Allowed::Positive, "coefficient of friction μ");
/// Scene key of κ.
pub(crate) const RATIO: Param = Param::optional(
    "stiffness_ratio",
    Quantity::Number,
    Allowed::Positive,
    "4G*/E* of the two materials",
    "stiffness κ of the contact along the surface, as a part of that along the normal",
);

/// The value of a key that is a number of things, of which there are at most 200.
pub(super) fn whole_number(args: &Args, law: &'static str, param: &Param) -> Result<usize, SpecError> {
    let n = needed(args, law, param)?;
    check_value(law, param, n)?;
    if n.fract() != 0.0 {
        let (value, allowed) = (n.to_string(), "a whole number".to_owned());
        return Err(SpecError::NotAllowed { kind: law, name: param.name, value, allowed });
    }
    Ok(n as usize)
}

/// A law of such elements: [`Switching`] and [`FrictionFormula`] follow.
pub(crate) trait Springs: FrictionLaw {
    /// One of its elements at an instant.
    fn element<S: Scalar>(&self, element: usize, at: &Slip<S>, grip: &Grip) -> Element<S>;

    /// Whether its elements do something else while the surfaces part than while they approach.
    fn feels_turning(&self) -> bool {
        false
    }

    /// How many switches it has of its own: those by which elements begin to touch and cease to, of a law whose elements are not there as long as the contact is.
    fn own_switches(&self) -> usize {
        0
    }

    /// Writes its own switches and their sizes.
    fn own_values(&self, at: &Slip, grip: &Grip, values: &mut [f64], sizes: &mut [f64]) {
        let _ = (at, grip, values, sizes);
    }

    /// Notes in the grip which elements touch, before anything else is changed.
    fn prepare(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]]) {
        let _ = (at, grip, memories);
    }

    /// Changes what its own switches say that have crossed zero.
    fn change_own(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]], crossed: &[bool]) {
        let _ = (at, grip, memories, crossed);
    }

    /// How many elements touch: the first of all.
    fn touching(&self, at: &Slip, grip: &Grip) -> usize {
        let _ = (at, grip);
        self.elements()
    }
}

/// The switches are those of the elements, then the sign of δ̇, whether adhesive surfaces press less the further they part (where they pull hardest, friction limits have a minimum), whether anything presses, and the law's own.
const SHARED: usize = 3;

impl<L: Springs> Switching for L {
    fn count(&self) -> usize {
        self.elements() + SHARED + self.own_switches()
    }

    fn values(
        &self,
        at: &Slip,
        grip: &Grip,
        memories: &[[f64; Memory::SIZE]],
        values: &mut [f64],
        sizes: &mut [f64],
    ) {
        let n = self.elements();
        for (i, memory) in memories.iter().enumerate() {
            let memory = Memory::from_numbers(memory);
            (values[i], sizes[i]) = match Mode::of(memory.s) {
                Mode::Open => (f64::NAN, 1.0),
                _ => self.element(i, at, grip).switch(at, grip, &memory),
            };
        }
        (values[n], sizes[n]) = turning(at, grip, self.feels_turning());
        values[n + 1] = if grip.adheres { grip.loosens * at.slope } else { f64::NAN };
        sizes[n + 1] = at.rigidity.max(f64::MIN_POSITIVE);
        (values[n + 2], sizes[n + 2]) = presses(at, grip);
        let own = n + SHARED;
        self.own_values(at, grip, &mut values[own..], &mut sizes[own..]);
    }

    #[inline]
    fn spring(&self, element: usize, at: &Slip, grip: &Grip) -> Option<Spring> {
        if self.own_switches() > 0 {
            return None;
        }
        let element = self.element(element, at, grip);
        let Element { stiffness, limit, part, relief, firm, engaged, damping, .. } = element;
        let drive = grip.holds(&at.axis, &at.v_t) * (part * engaged);
        Some(Spring { drive, relief, limit, pull: stiffness * firm * engaged, damping: damping * engaged })
    }

    fn change(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]], crossed: &[bool]) {
        let n = self.elements();
        self.prepare(at, grip, memories);
        for (i, memory) in memories.iter_mut().enumerate() {
            if crossed[i] && grip.presses < 0.0 {
                *memory = OPEN;
            } else if crossed[i] && Mode::of(memory[3]) != Mode::Open {
                self.element(i, at, grip).change(at, grip, memory);
            }
        }
        self.change_own(at, grip, memories, &crossed[n + SHARED..]);
        if crossed[n] {
            turn(grip);
        }
        if crossed[n + 1] {
            grip.loosens = -grip.loosens;
        }
        if crossed[n + 2] {
            grip.presses = -grip.presses;
            match grip.presses < 0.0 {
                true => memories.fill(OPEN),
                false => press(self, at, grip, memories),
            }
        }
    }
}

/// Lets the elements begin that touch, as something presses the surfaces together again.
fn press(law: &impl Springs, at: &Slip, grip: &Grip, memories: &mut [[f64; Memory::SIZE]]) {
    let memories = &mut memories[..law.touching(at, grip)];
    if grip.closes.is_finite() {
        // the limits are there at once, those of what adhesion presses
        memories.fill([0.0, 0.0, 0.0, Mode::Sticks.number()]);
        return;
    }
    // the limits are about to grow from nothing, as at a touch
    memories.fill(Memory::unbent().numbers());
    let load = at.f_elastic.max(f64::MIN_POSITIVE);
    let at = Slip { f_n: load, f_elastic: load, ..*at };
    for (i, memory) in memories.iter_mut().enumerate() {
        law.element(i, &at, grip).change(&at, grip, memory);
    }
}

impl<L: Springs> FrictionFormula for L {
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

/// The switch that is positive while it is still so that something presses the surfaces together, or that nothing does, and its size; NaN where adhesion lets them go as soon as nothing does.
fn presses(at: &Slip, grip: &Grip) -> (f64, f64) {
    if grip.presses == 0.0 {
        return (f64::NAN, 1.0);
    }
    match grip.closes.is_finite() {
        true => (grip.presses * (at.delta - grip.closes), grip.closes.abs()),
        false => (grip.presses * at.f_elastic, grip.force()),
    }
}

/// The switch of laws that look at the sign of δ̇, and its size: positive while that stays as it was. NaN where nothing depends on it.
fn turning(at: &Slip, grip: &Grip, counts: bool) -> (f64, f64) {
    // without damping φ is 1 throughout
    (if counts || grip.damped { grip.rising * at.delta_dot } else { f64::NAN }, grip.speed)
}

/// Notes that δ̇ has changed its sign.
fn turn(grip: &mut Grip) {
    grip.rising = -grip.rising;
}

/// The methods of [`FrictionLaw`](crate::FrictionLaw) that all laws of [`Springs`] have; `word`: its name is a method's.
macro_rules! spring_methods {
    () => {
        fn name(&self) -> &'static str {
            NAME
        }

        spring_methods!(shared);
    };
    (word) => {
        fn name(&self) -> &'static str {
            self.word()
        }

        spring_methods!(shared);
    };
    (shared) => {
        fn remembers(&self) -> bool {
            true
        }

        fn follows_depth(&self) -> bool {
            true
        }

        fn deflection(&self, _: f64) -> f64 {
            f64::INFINITY
        }

        fn deflection_in(&self, grip: &Grip) -> f64 {
            self.coefficient * grip.force() / self.k(grip)
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
    };
}

pub(crate) use spring_methods;
