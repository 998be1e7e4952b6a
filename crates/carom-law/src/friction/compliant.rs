//! What the laws share whose stiffness is that of the contact itself: `cundall-strack`, `mindlin`, `mindlin-rescale`, `mindlin-deresiewicz`, `maw-barber-fawcett`.
//!
//! An element is a spring between the surfaces, bent by z, a tangent vector, which pulls with k z up to its friction limit k r:
//!
//! F = −φ k d, d = z where it sticks, d = r ẑ where it slips
//!
//! - it sticks while |z| < r: ż = c φ v + q z;
//! - it slips while it would leave its limit, c φ v·ẑ + q r > ṙ; then only the direction of z counts, which follows the slip: ż = c v_⊥ |z|/√(r² + r₀²).
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | v, v_⊥ | m/s | slip: tangential part of v_a(p_a) − v_b(p_b), and its part across z |
//! | z, d | m | state of the element, and its deflection |
//! | k | N/m | stiffness of the element, a constant of the contact |
//! | r, ṙ | m, m/s | its friction limit μN/k by the elastic normal force, and the rate of that |
//! | c | 1 | how stiff the contact is now, as a part of k; 1 but for the laws of Mindlin |
//! | q | 1/s | what unloading takes; 0 but for `mindlin-rescale` and `mindlin-deresiewicz` |
//! | φ | 1 | normal force by elastic normal force, 0 to 1 |
//! | r₀ | m | a thousandth of the friction limit in this contact |
//!
//! With E = k d²/(2c), what slip gives and the element does not store is k d²ċ/(2c²) − k q d²/c in stick, and no less in slip. For c = 1 that is zero in stick, and in slip
//! φ k r v·ẑ − k r ṙ > 0: passive, whatever load and slip do. The same φ in F and in ż sees to it, and to |F| ≤ μN with the whole normal force where dashpots take part of it back.
//!
//! **Added to the sources.** r₀: without it a spring under no load would turn into the direction of slip at once, which no integrator can follow; no force or energy
//! depends on it but through that direction, and nothing in motions in a plane. Sources are laws of one dimension; here z is a vector.
//!
//! The mode, stick or slip, is in the last number of the memory: it changes at events ([`Switching`](crate::Switching)). While it is zero the element goes by its state, and
//! |z| follows r as it slips; one that is not bent waits.

use carom_base::param::Allowed;
use carom_base::{Args, Param, Quantity, Scalar, SpecError, Vec3};

use super::slip::NO_DIRECTION;
use crate::entry::{check_value, needed};
use crate::grip::{Grip, Slip, Switching};
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

/// What an element does, as the last number of its memory says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// nothing is said yet, or nobody locates events: it goes by its state
    New,
    Sticks,
    Slips,
    /// it touches nothing
    Open,
}

impl Mode {
    pub(super) fn of(s: f64) -> Mode {
        match s {
            ..0.5 => Mode::New,
            ..1.5 => Mode::Sticks,
            ..2.5 => Mode::Slips,
            _ => Mode::Open,
        }
    }

    /// The number of a memory that says so.
    pub(super) fn number(self) -> f64 {
        f64::from(self as u8)
    }
}

/// r₀, as a part of the friction limit in a contact.
const LIGHT: f64 = 1e-3;
/// A part of c below which nothing is computed from it.
const LEAST: f64 = 1e-100;

/// A limit that is nothing, as a part of that in the contact at large.
const NOTHING: f64 = 1e-6;

/// An element at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<S: Scalar = f64> {
    /// k [N/m]
    pub(crate) stiffness: f64,
    /// r \[m\]
    pub(crate) limit: S,
    /// ṙ [m/s]
    pub(crate) limit_rate: S,
    /// c
    pub(crate) part: S,
    /// ċ [1/s]
    pub(crate) part_rate: S,
    /// q [1/s]
    pub(crate) relief: S,
    /// φ
    pub(crate) engaged: S,
    /// the friction limit in this contact at large, of which r₀ is a part \[m\]
    pub(crate) size: f64,
    /// of a dashpot beside it, which acts while it sticks [N s/m]; laws of rolling resistance may have one
    pub(crate) damping: f64,
}

/// A law of elements that are there as long as the contact is: [`Switching`] and [`FrictionFormula`] follow.
pub(crate) trait Springs: FrictionLaw {
    /// One of its elements at an instant.
    fn element<S: Scalar>(&self, element: usize, at: &Slip<S>, grip: &Grip) -> Element<S>;

    /// Whether its elements do something else while the surfaces part than while they approach.
    fn feels_turning(&self) -> bool {
        false
    }
}

/// The switches are those of the elements, then the sign of δ̇.
impl<L: Springs> Switching for L {
    fn count(&self) -> usize {
        self.elements() + 1
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
            (values[i], sizes[i]) = self.element(i, at, grip).switch(&at.v_t, &memory, grip.speed);
        }
        (values[n], sizes[n]) = turning(at, grip, self.feels_turning());
    }

    fn change(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]], crossed: &[bool]) {
        for (i, memory) in memories.iter_mut().enumerate() {
            if crossed[i] {
                self.element(i, at, grip).change(&at.v_t, memory);
            }
        }
        if crossed[self.elements()] {
            turn(grip);
        }
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
        self.element(element, at, grip).evolve(&at.v_t, memory)
    }
}

/// φ = f_n/f_elastic, 0 to 1.
pub(crate) fn engaged<S: Scalar>(at: &Slip<S>) -> S {
    if at.f_n.value() >= at.f_elastic.value() {
        S::from_f64(if at.f_n.value() > 0.0 { 1.0 } else { 0.0 })
    } else {
        at.f_n / at.f_elastic
    }
}

/// |v|, zero where v has no direction.
fn length<S: Scalar>(v: &Vec3<S>) -> S {
    let squared = v.dot(v);
    if squared.value() < NO_DIRECTION { S::from_f64(0.0) } else { Scalar::sqrt(squared) }
}

impl<S: Scalar> Element<S> {
    /// A spring of stiffness k [N/m] under the friction limit r \[m\] with its rate [m/s], which is about `size` \[m\] in this contact.
    pub(crate) fn spring(stiffness: f64, limit: S, limit_rate: S, engaged: S, size: f64) -> Element<S> {
        let (one, none) = (S::from_f64(1.0), S::from_f64(0.0));
        Element {
            stiffness,
            limit,
            limit_rate,
            part: one,
            part_rate: none,
            relief: none,
            engaged,
            size,
            damping: 0.0,
        }
    }

    /// A spring whose stiffness follows that of the contact, k(δ) = κ dN/dδ, as laws of Mindlin have it: of friction coefficient μ, or of the part `share` of the contact with `reach` times as much
    /// deflection before it slips. `rescales`: its force falls with the stiffness as the surfaces part.
    pub(super) fn of_contact(
        coefficient: f64,
        [share, reach]: [f64; 2],
        rescales: bool,
        at: &Slip<S>,
        grip: &Grip,
    ) -> Element<S> {
        let k = grip.tangential(grip.depth);
        let per_k = S::from_f64(coefficient * reach / k);
        let size = coefficient * reach * grip.force() / k;
        let limit_rate = per_k * at.slope * at.delta_dot;
        let spring = Element::spring(share * k, per_k * at.f_elastic, limit_rate, engaged(at), size);
        // k̇/k = (n − 1) δ̇/δ; as the surfaces touch, friction is nothing and its rate does not count
        let delta = at.delta.max(S::from_f64(1e-12 * grip.depth));
        let relative_rate = S::from_f64(grip.exponent - 1.0) * at.delta_dot / delta;
        let part = grip.tangential(at.delta) * S::from_f64(1.0 / k);
        let relief = if rescales { relative_rate.min(S::from_f64(0.0)) } else { S::from_f64(0.0) };
        Element { part, part_rate: part * relative_rate, relief, ..spring }
    }

    /// ż in stick.
    fn sticking(&self, v: &Vec3<S>, z: &Vec3<S>) -> Vec3<S> {
        v * (self.part * self.engaged) + z * self.relief
    }

    /// The rate of E = k d²/(2c) where d and ḋ d are these.
    fn stored(&self, squared: S, rate: S) -> S {
        let (k, c) = (S::from_f64(self.stiffness), self.part.max(S::from_f64(LEAST)));
        k * rate / c - S::from_f64(0.5) * k * squared * self.part_rate / c / c
    }

    /// Its force, rate and stored power.
    pub(super) fn evolve(&self, v: &Vec3<S>, memory: &Memory<S>) -> Evolution<S> {
        let none = S::from_f64(0.0);
        let (mode, z) = (Mode::of(memory.s.value()), &memory.z);
        let (r, long) = (self.limit, length(z));
        // a new one that is not bent waits for its mode, which the instant of the touch gives it: until then its rate must not jump
        let waits = mode == Mode::New && long.value() == 0.0;
        if mode == Mode::Open || waits {
            return Evolution { f_t: Vec3::from_element(none), rate: Memory::unbent(), stored: none };
        }
        let direction = if long.value() > 0.0 { z * (S::from_f64(1.0) / long) } else { *z };
        let sticking = self.sticking(v, z);
        let outward = sticking.dot(&direction) - self.limit_rate;
        let sticks = match mode {
            Mode::Sticks => true,
            Mode::Slips | Mode::Open => false,
            Mode::New => long.value() < r.value() || outward.value() <= 0.0,
        };
        let pull = S::from_f64(self.stiffness) * self.engaged;
        if sticks {
            // beyond its limit a step ends: what it tries there is smooth
            let within = mode == Mode::Sticks || long.value() <= r.value();
            let d = if within { *z } else { direction * r };
            let (squared, rate) =
                if within { (z.dot(z), z.dot(&sticking)) } else { (r * r, r * self.limit_rate) };
            let stored = self.stored(squared, rate);
            let f_t = d * -pull - v * (S::from_f64(self.damping) * self.engaged);
            return Evolution { f_t, rate: Memory { z: sticking, s: none }, stored };
        }
        let across = v - direction * v.dot(&direction);
        let light = S::from_f64(LIGHT * self.size);
        let far = if mode == Mode::Slips { r } else { long };
        let turning = across * (self.part * long / Scalar::sqrt(far * far + light * light));
        let rate =
            if mode == Mode::Slips { turning } else { turning + direction * self.following(outward, long) };
        let stored = self.stored(r * r, r * self.limit_rate);
        Evolution { f_t: direction * -(pull * r), rate: Memory { z: rate, s: none }, stored }
    }

    /// How fast |z| follows r in slip, where nobody locates events.
    fn following(&self, outward: S, long: S) -> S {
        let r = self.limit;
        let most = outward + self.limit_rate;
        let most = if long.value() > r.value() { most * r / long } else { most };
        if self.limit_rate.value() > 0.0 { self.limit_rate.min(most) } else { self.limit_rate }
    }
}

impl Element {
    /// k d²/(2c) \[J\].
    pub(crate) fn energy(&self, memory: &Memory) -> f64 {
        let d = match Mode::of(memory.s) {
            Mode::Open => 0.0,
            Mode::Slips => self.limit,
            Mode::Sticks => memory.z.norm(),
            Mode::New => memory.z.norm().min(self.limit),
        };
        0.5 * self.stiffness * d * d / self.part.max(LEAST)
    }

    /// Its switch and the size of what that is computed from, of which `speed` [m/s] is a scale.
    pub(super) fn switch(&self, v: &Vec3, memory: &Memory, speed: f64) -> (f64, f64) {
        match Mode::of(memory.s) {
            Mode::Sticks => (self.limit - memory.z.norm(), self.limit.max(1e-6 * self.size)),
            Mode::Slips => (self.outward(v, &memory.z), speed),
            Mode::Open => (f64::NAN, 1.0),
            Mode::New => (-1.0, 1.0),
        }
    }

    /// How fast it would leave its limit if it stuck there [m/s], in the direction of z.
    fn outward(&self, v: &Vec3, z: &Vec3) -> f64 {
        let direction = z / z.norm();
        self.sticking(v, &(direction * self.limit)).dot(&direction) - self.limit_rate
    }

    /// What it does after its switch has changed sign.
    pub(super) fn change(&self, v: &Vec3, memory: &mut [f64; Memory::SIZE]) {
        let Memory { z, s } = Memory::from_numbers(memory);
        let (long, speed, mode) = (z.norm(), v.norm(), Mode::of(s));
        let along = if long > 0.0 { z / long } else { v / speed };
        let slips = match mode {
            Mode::Slips => false,
            Mode::New if self.limit > NOTHING * self.size && long < (1.0 - NOTHING) * self.limit => false,
            _ if long > 0.0 => self.outward(v, &z) > 0.0,
            // under no load yet: the limit grows, or slip is faster
            _ => speed > 0.0 && self.part * self.engaged * speed > self.limit_rate,
        };
        let (z, mode) = match slips {
            // (its length does not count: one that tolerances are made for)
            true => (along * self.size, Mode::Slips),
            false if mode == Mode::Slips || long > self.limit => (along * self.limit, Mode::Sticks),
            false => (z, Mode::Sticks),
        };
        *memory = Memory { z, s: mode.number() }.numbers();
    }
}

/// The switch of laws that look at the sign of δ̇, and its size: positive while that stays as it was. NaN where nothing depends on it.
pub(super) fn turning(at: &Slip, grip: &Grip, counts: bool) -> (f64, f64) {
    // without damping φ is 1 on both sides
    (if counts || grip.damped { grip.rising * at.delta_dot } else { f64::NAN }, grip.speed)
}

/// Notes that δ̇ has changed its sign.
pub(super) fn turn(grip: &mut Grip) {
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
            self.element(element, at, grip).energy(memory)
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
