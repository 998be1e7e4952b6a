//! An element of compliant friction: a spring between the surfaces that sticks or slips.
//!
//! [`compliant`](super::compliant) has its equations.

use carom_base::{Scalar, Vec3};

use super::slip::NO_DIRECTION;
use crate::grip::{Grip, Slip};
use crate::memory::{Evolution, Memory};

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

/// The memory of an element that touches nothing.
pub(super) const OPEN: [f64; Memory::SIZE] = [0.0, 0.0, 0.0, Mode::Open as u8 as f64];

/// r₀, as a part of the friction limit in a contact.
const LIGHT: f64 = 1e-3;
/// How fast ẑ turns at most in an ellipse, in units of |v_t|/r₀: under a load so light that it would turn faster, energies are below 1e-9 of those of the contact.
const FASTEST: f64 = 100.0;
/// The largest φ: a dashpot that pushes as soon as the surfaces touch makes it infinite there.
const MOST: f64 = 100.0;
/// The least c by which energies are computed: what an element can hold in so light a contact is nothing.
const LEAST: f64 = 1e-9;

/// How far inside its limit an element is put that sticks there, as a part of the limit.
const INSIDE: f64 = 1e-9;
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
    /// the force and energy of the element by those of the stiffness k: 1, or the stiffness of the contact as a part of k where z is how far the surfaces have shifted, not a force over k
    pub(crate) firm: S,
    /// its rate [1/s]
    pub(crate) firm_rate: S,
    /// φ
    pub(crate) engaged: S,
    /// the friction limit in this contact at large, of which r₀ is a part \[m\]
    pub(crate) size: f64,
    /// of a dashpot beside it, which acts while it sticks [N s/m]; laws of rolling resistance may have one
    pub(crate) damping: f64,
}

/// φ = f_n/f_elastic, 0 to [`MOST`].
pub(crate) fn engaged<S: Scalar>(at: &Slip<S>) -> S {
    if at.f_n.value() >= MOST * at.f_elastic.value() {
        S::from_f64(if at.f_n.value() > 0.0 { MOST } else { 0.0 })
    } else {
        at.f_n / at.f_elastic
    }
}

/// What presses the surfaces together at rest, and its rate; nothing where they are held by more than the pull-off force.
pub(crate) fn pressing<S: Scalar>(at: &Slip<S>) -> (S, S) {
    let none = S::from_f64(0.0);
    if at.f_elastic.value() < 0.0 { (none, none) } else { (at.f_elastic, at.slope * at.delta_dot) }
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
            firm: one,
            firm_rate: none,
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
        let (load, load_rate) = pressing(at);
        let spring = Element::spring(share * k, per_k * load, per_k * load_rate, engaged(at), size);
        let none = S::from_f64(0.0);
        let stiffens = at.stiffening * at.delta_dot;
        // k̇/k; where the surfaces do not touch, friction is nothing and its rate does not count
        let relative_rate = if at.rigidity.value() > 0.0 { stiffens / at.rigidity } else { none };
        let per_k = S::from_f64(grip.ratio / k);
        let (part, part_rate) = (at.rigidity * per_k, stiffens * per_k);
        if rescales && grip.adheres {
            // surfaces that jump apart lose their stiffness infinitely fast, of which the shift knows nothing: |c u| ≤ r
            let firm = part.max(S::from_f64(LEAST));
            let limit = spring.limit / firm;
            let limit_rate = (spring.limit_rate - limit * part_rate) / firm;
            let relief = -relative_rate.max(none);
            return Element { firm, firm_rate: part_rate, limit, limit_rate, relief, ..spring };
        }
        let relief = if rescales { relative_rate.min(none) } else { none };
        Element { part, part_rate, relief, ..spring }
    }

    /// ż in stick.
    fn sticking(&self, at: &Slip<S>, grip: &Grip, z: &Vec3<S>) -> Vec3<S> {
        grip.holds(&at.axis, &at.v_t) * (self.part * self.engaged) + z * self.relief
    }

    /// The rate of E = k d·R⁻¹d/(2c) where d changes at this rate; times `firm`.
    fn stored(&self, at: &Slip<S>, grip: &Grip, d: &Vec3<S>, rate: &Vec3<S>) -> S {
        let (k, c) = (S::from_f64(self.stiffness), self.part.max(S::from_f64(LEAST)));
        let yields = grip.yields(&at.axis, d);
        let stiffens = if self.part.value() > LEAST { self.part_rate / c } else { S::from_f64(0.0) };
        let half = S::from_f64(0.5);
        k / c
            * (self.firm * yields.dot(rate) + half * yields.dot(d) * (self.firm_rate - self.firm * stiffens))
    }

    /// Its force, rate and stored power.
    pub(super) fn evolve(&self, at: &Slip<S>, grip: &Grip, memory: &Memory<S>) -> Evolution<S> {
        let none = S::from_f64(0.0);
        let (mode, z) = (Mode::of(memory.s.value()), &memory.z);
        let (r, long) = (self.limit, length(z));
        // a new one that is not bent waits for its mode, which the instant of the touch gives it: until then its rate must not jump
        let waits = mode == Mode::New && long.value() == 0.0;
        if mode == Mode::Open || waits {
            return Evolution { f_t: Vec3::from_element(none), rate: Memory::unbent(), stored: none };
        }
        let direction = if long.value() > 0.0 { z * (S::from_f64(1.0) / long) } else { *z };
        let at_limit = direction * r;
        let free = self.sticking(at, grip, &at_limit);
        let outward = free.dot(&direction) - self.limit_rate;
        let sticks = match mode {
            Mode::Sticks => true,
            Mode::Slips | Mode::Open => false,
            Mode::New => long.value() < r.value() || outward.value() <= 0.0,
        };
        let pull = S::from_f64(self.stiffness) * self.firm * self.engaged;
        // beyond its limit a step ends: what it tries there is smooth
        if sticks && (mode == Mode::Sticks || long.value() <= r.value()) {
            let rate = self.sticking(at, grip, z);
            let stored = self.stored(at, grip, z, &rate);
            let f_t = z * -pull - at.v_t * (S::from_f64(self.damping) * self.engaged);
            return Evolution { f_t, rate: Memory { z: rate, s: none }, stored };
        }
        let turning = self.turning(at, grip, &direction, &free, outward);
        let rate = match mode {
            Mode::Slips => turning * long,
            _ if sticks => self.sticking(at, grip, z),
            _ => turning * long + direction * self.following(outward, long),
        };
        let d_rate = direction * self.limit_rate + turning * r;
        let stored = self.stored(at, grip, &at_limit, &d_rate);
        Evolution { f_t: at_limit * -pull, rate: Memory { z: rate, s: none }, stored }
    }

    /// How fast ẑ turns as it slips; `free`: ḋ if it stuck at its limit, which it would leave at the rate `outward`.
    fn turning(&self, at: &Slip<S>, grip: &Grip, direction: &Vec3<S>, free: &Vec3<S>, outward: S) -> Vec3<S> {
        let (r, light) = (self.limit, S::from_f64(LIGHT * self.size));
        let slowly = S::from_f64(1.0) / Scalar::sqrt(r * r + light * light);
        if grip.oval == 0.0 {
            // (no energy depends on how fast this is)
            let across = at.v_t - direction * at.v_t.dot(direction);
            return across * (self.part * self.turned_by(outward) * slowly);
        }
        // λ c φ R ẑ
        let stiff = grip.holds(&at.axis, direction);
        let taken = outward / stiff.dot(direction);
        let rate = free - stiff * taken;
        let across = rate - direction * rate.dot(direction);
        if !(r.value() > 0.0) {
            return across * slowly;
        }
        // turning takes from what is stored, or adds to it: so much slower that what slip loses makes up for it
        let gives = -grip.yields(&at.axis, direction).dot(&across);
        let passive = if gives.value() > 0.0 { (S::from_f64(1.0) - taken / gives) / r } else { slowly };
        // (under next to no load it would turn without bounds, for energies that are nothing)
        across * slowly.max(passive.min(S::from_f64(FASTEST) / light))
    }

    /// By how much faster than without dashpots ẑ turns in a circle: φ where it is about to stick, as it turns then, and 1 where it slips fast.
    fn turned_by(&self, outward: S) -> S {
        let outward = outward.max(S::from_f64(0.0));
        let follows = self.limit_rate.abs();
        let sum = follows + outward;
        if sum.value() > 0.0 { (self.engaged * follows + outward) / sum } else { S::from_f64(1.0) }
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
    /// k d·R⁻¹d/(2c) \[J\].
    pub(crate) fn energy(&self, at: &Slip, grip: &Grip, memory: &Memory) -> f64 {
        let long = memory.z.norm();
        let size = match Mode::of(memory.s) {
            Mode::Open => 0.0,
            Mode::Slips => self.limit,
            Mode::Sticks => long,
            Mode::New => long.min(self.limit),
        };
        let d = if long > 0.0 { memory.z * (size / long) } else { memory.z };
        0.5 * self.stiffness * self.firm * grip.yields(&at.axis, &d).dot(&d) / self.part.max(LEAST)
    }

    /// Its switch and the size of what that is computed from.
    pub(super) fn switch(&self, at: &Slip, grip: &Grip, memory: &Memory) -> (f64, f64) {
        match Mode::of(memory.s) {
            // at the instant of a touch nothing is known yet of which grows faster
            Mode::Sticks if memory.z == Vec3::zeros() && !(self.limit > NOTHING * NOTHING * self.size) => {
                (f64::NAN, 1.0)
            }
            Mode::Sticks => {
                // (a load that is a difference of others is as exact as those)
                let whole = self.limit * (at.f_elastic.max(grip.pull_off) / at.f_elastic);
                let size = if whole.is_finite() { whole } else { self.limit };
                (self.limit - memory.z.norm(), size.max(1e-6 * self.size))
            }
            Mode::Slips => (self.outward(at, grip, &memory.z), grip.speed),
            Mode::Open => (f64::NAN, 1.0),
            Mode::New => (-1.0, 1.0),
        }
    }

    /// How fast it would leave its limit if it stuck there [m/s], in the direction of z.
    fn outward(&self, at: &Slip, grip: &Grip, z: &Vec3) -> f64 {
        let direction = z / z.norm();
        self.sticking(at, grip, &(direction * self.limit)).dot(&direction) - self.limit_rate
    }

    /// What it does after its switch has changed sign.
    pub(super) fn change(&self, at: &Slip, grip: &Grip, memory: &mut [f64; Memory::SIZE]) {
        let Memory { z, s } = Memory::from_numbers(memory);
        let v = grip.holds(&at.axis, &at.v_t);
        let (long, speed, mode) = (z.norm(), v.norm(), Mode::of(s));
        let along = if long > 0.0 { z / long } else { v / speed };
        let leaves_at = |rate: f64| self.outward(at, grip, &z) > rate;
        let (slips, along) = match mode {
            Mode::Slips => (false, along),
            Mode::New if self.limit > NOTHING * self.size && long < (1.0 - NOTHING) * self.limit => {
                (false, along)
            }
            // under a light load ẑ, which turns more slowly as it slips than where it sticks, can be where neither goes on: it takes the direction of slip
            Mode::Sticks if long > 0.0 && self.limit < LIGHT * self.size && !leaves_at(NOTHING * speed) => {
                (speed > 0.0, if speed > 0.0 { v / speed } else { along })
            }
            _ if long > 0.0 => (leaves_at(0.0), along),
            // under no load yet: the limit grows, or slip is faster
            _ => (speed > 0.0 && self.part * self.engaged * speed > self.limit_rate, along),
        };
        // in an ellipse, as much deflection may store more in that direction: it then sticks there with what it has stored
        let stores = |along: &Vec3| grip.yields(&at.axis, along).dot(along);
        let more =
            if grip.oval != 0.0 && long > 0.0 { stores(&along) * long * long / stores(&z) } else { 1.0 };
        let (z, mode) = match slips {
            true if more > 1.0 + INSIDE => (along * (self.limit / more.sqrt()), Mode::Sticks),
            // (its length does not count: one that tolerances are made for)
            true => (along * self.size, Mode::Slips),
            // it has not left its limit: rounding of the depth has changed the sign, and would again and again
            false if mode == Mode::Sticks && long > (1.0 - INSIDE) * self.limit => {
                (along * ((1.0 - INSIDE) * self.limit), Mode::Sticks)
            }
            false if mode == Mode::Slips || long > self.limit => (along * self.limit, Mode::Sticks),
            false => (z, Mode::Sticks),
        };
        *memory = Memory { z, s: mode.number() }.numbers();
    }
}
