//! What a law is.
//!
//! A law is one file: a header with its formula, symbols and units, citation and valid range, then the
//! formula over [`Scalar`], so that exact derivatives come with it. The object-safe faces [`Normal`] and
//! [`Friction`] are what the dynamics holds; they follow from the formula by themselves.

use std::fmt::Debug;

use carom_base::{Dual, Scalar, Two, Vec3};

use crate::LawError;
use crate::memory::{Evolution, Memory};
use crate::normal::LineTouch;
use crate::normal::power::check_power;
pub use crate::stiffness::{Bed, Meeting, Springs, Stiffness};

/// The state of a contact point as a normal law sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indentation<S: Scalar = f64> {
    /// indentation \[m\], ≥ 0
    pub delta: S,
    /// its rate [m/s], positive while approaching
    pub delta_dot: S,
}

/// What was latched when the surfaces touched. It changes only at touch events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// contact stiffness K [N/mⁿ], given or from materials and curvature
    pub stiffness: f64,
    /// impact speed v0 [m/s], never below the law's least one
    pub v0: f64,
    /// effective mass of the two bodies along the normal \[kg\]
    pub mass: f64,
    /// radius that is pressed in \[m\] ([`Meeting::radius`]), where the law asks for one; infinite otherwise
    pub radius: f64,
    /// whether the surfaces meet in strips of a line, not in a point
    pub strip: bool,
    /// constants of a law of line contacts
    pub line: LineTouch,
}

impl Touch {
    /// In a point: K [N/mⁿ], v0 [m/s], mass \[kg\].
    pub const fn point(stiffness: f64, v0: f64, mass: f64) -> Touch {
        Touch { stiffness, v0, mass, radius: f64::INFINITY, strip: false, line: LineTouch::NONE }
    }

    /// The force \[N\] that is neither large nor small for this contact: F* = K δ*ⁿ of the standard impact,
    /// δ* = (m v0²/K)^{1/(n+1)}.
    ///
    /// ```
    /// let touch = carom_law::Touch::point(1e8, 0.5, 0.1);
    /// let delta = (0.1f64 * 0.25 / 1e8).powf(0.4); // [m]
    /// assert!((touch.force(1.5) / (1e8 * delta.powf(1.5)) - 1.0).abs() < 1e-14);
    /// ```
    pub fn force(&self, exponent: f64) -> f64 {
        let delta = (self.mass * self.v0 * self.v0 / self.stiffness).powf(1.0 / (exponent + 1.0));
        self.stiffness * delta.powf(exponent)
    }
}

/// A normal force and its elastic part; what is not elastic is dissipated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalForce<S: Scalar = f64> {
    /// the force \[N\]: pushes the bodies apart, or, below zero, holds them, which few laws do
    pub f_n: S,
    /// the part that stored energy gives back \[N\]: dE/d(delta)
    pub f_elastic: S,
}

/// Where a law comes from and how far it has been checked.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// author, year, journal, equation
    pub source: &'static str,
    /// how the formula was checked
    pub checked: &'static str,
}

/// A normal force law, written over [`Scalar`].
pub trait NormalLaw: Debug + Send + Sync + 'static {
    /// The word for it in scenes.
    fn name(&self) -> &'static str;
    /// n in K δⁿ, in a point contact.
    fn exponent(&self) -> f64;
    /// n in K δⁿ in this contact.
    fn exponent_in(&self, touch: &Touch) -> f64 {
        let _ = touch;
        self.exponent()
    }
    /// The powers of δ with which the force grows from δ = 0 in this contact: n of the spring, and that of a dashpot beside it. Integrals over a contact patch choose their
    /// points by them. The default: n for both, as of laws whose damping goes with the elastic force.
    fn powers(&self, touch: &Touch) -> [f64; 2] {
        [self.exponent_in(touch); 2]
    }
    /// Where the contact stiffness K comes from.
    fn stiffness(&self) -> Stiffness;
    /// The force. Where `c.delta` ≤ 0 there is no contact and no force. What is not elastic opposes the motion:
    /// (f_n − f_elastic) δ̇ ≥ 0, so that no law gains energy.
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S>;
    /// The forces of two points at once, none where `c.delta` ≤ 0. The default: one after the other; a formula without branches may take both.
    #[inline]
    fn force_two(&self, c: Indentation<Two>, touch: [&Touch; 2]) -> NormalForce<Two> {
        one_by_one(self, c, touch)
    }
    /// The stored energy \[J\]: ∫ f_elastic dδ from 0.
    fn energy(&self, delta: f64, touch: &Touch) -> f64;
    /// The indentation below which the law holds in this contact \[m\]; deeper, its force is no number and a step that goes there fails.
    /// Infinite (the default): everywhere.
    fn reach(&self, touch: &Touch) -> f64 {
        let _ = touch;
        f64::INFINITY
    }
    /// Whether the force depends on the impact speed.
    fn needs_impact_speed(&self) -> bool {
        false
    }
    /// Whether nothing is dissipated, so that no ledger entry is needed.
    fn is_elastic(&self) -> bool {
        false
    }
    /// Whether the force falls to zero while the surfaces still overlap, and is held there: the energy stored
    /// then is lost on the way to δ = 0, which an integrator does not feel and must resolve for the ledger: its error is held to the tolerance while such a contact lasts.
    fn lets_go_early(&self) -> bool {
        false
    }
    /// Whether all parameters are in range and fit each other; whoever takes a law in asks this once.
    ///
    /// Unless a law says more, this checks stiffness and exponent: an exponent other than 3/2 needs a given
    /// stiffness, as materials and curvature give one for 3/2 only.
    fn check(&self) -> Result<(), LawError> {
        Ok(check_power(self.name(), self.stiffness().given(), self.exponent())?)
    }
}

/// The forces of two points, one after the other.
#[inline]
pub(crate) fn one_by_one<L: NormalLaw + ?Sized>(
    law: &L,
    c: Indentation<Two>,
    touch: [&Touch; 2],
) -> NormalForce<Two> {
    let (delta, delta_dot) = (c.delta.lanes(), c.delta_dot.lanes());
    let [a, b] = [0, 1].map(|i| match delta[i] > 0.0 {
        true => law.force(Indentation { delta: delta[i], delta_dot: delta_dot[i] }, touch[i]),
        false => NormalForce { f_n: 0.0, f_elastic: 0.0 },
    });
    NormalForce { f_n: Two::new(a.f_n, b.f_n), f_elastic: Two::new(a.f_elastic, b.f_elastic) }
}

/// The object-safe face of [`NormalLaw`].
pub trait Normal: Debug + Send + Sync {
    /// See [`NormalLaw::name`].
    fn name(&self) -> &'static str;
    /// See [`NormalLaw::exponent`].
    fn exponent(&self) -> f64;
    /// See [`NormalLaw::exponent_in`].
    fn exponent_in(&self, touch: &Touch) -> f64;
    /// See [`NormalLaw::powers`].
    fn powers(&self, touch: &Touch) -> [f64; 2];
    /// See [`NormalLaw::stiffness`].
    fn stiffness(&self) -> Stiffness;
    /// See [`NormalLaw::force`].
    fn force(&self, c: Indentation, touch: &Touch) -> NormalForce;
    /// See [`NormalLaw::force_two`].
    fn force_two(&self, c: Indentation<Two>, touch: [&Touch; 2]) -> NormalForce<Two>;
    /// See [`NormalLaw::force`]: with the derivatives by (delta, delta_dot), or by any two variables.
    fn force_dual(&self, c: Indentation<Dual<2>>, touch: &Touch) -> NormalForce<Dual<2>>;
    /// See [`NormalLaw::energy`].
    fn energy(&self, delta: f64, touch: &Touch) -> f64;
    /// See [`NormalLaw::reach`].
    fn reach(&self, touch: &Touch) -> f64;
    /// See [`NormalLaw::needs_impact_speed`].
    fn needs_impact_speed(&self) -> bool;
    /// See [`NormalLaw::is_elastic`].
    fn is_elastic(&self) -> bool;
    /// See [`NormalLaw::lets_go_early`].
    fn lets_go_early(&self) -> bool;
    /// Whether the force may be asked for at any time, as that of a formula may (the default). A function of a program is not called before the run, where its errors belong.
    fn is_formula(&self) -> bool {
        true
    }
    /// See [`NormalLaw::check`].
    fn check(&self) -> Result<(), LawError>;
}

impl<L: NormalLaw> Normal for L {
    fn name(&self) -> &'static str {
        NormalLaw::name(self)
    }
    fn exponent(&self) -> f64 {
        NormalLaw::exponent(self)
    }
    fn exponent_in(&self, touch: &Touch) -> f64 {
        NormalLaw::exponent_in(self, touch)
    }
    fn powers(&self, touch: &Touch) -> [f64; 2] {
        NormalLaw::powers(self, touch)
    }
    fn stiffness(&self) -> Stiffness {
        NormalLaw::stiffness(self)
    }
    fn force(&self, c: Indentation, touch: &Touch) -> NormalForce {
        NormalLaw::force(self, c, touch)
    }
    fn force_two(&self, c: Indentation<Two>, touch: [&Touch; 2]) -> NormalForce<Two> {
        NormalLaw::force_two(self, c, touch)
    }
    fn force_dual(&self, c: Indentation<Dual<2>>, touch: &Touch) -> NormalForce<Dual<2>> {
        NormalLaw::force(self, c, touch)
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        NormalLaw::energy(self, delta, touch)
    }
    fn reach(&self, touch: &Touch) -> f64 {
        NormalLaw::reach(self, touch)
    }
    fn needs_impact_speed(&self) -> bool {
        NormalLaw::needs_impact_speed(self)
    }
    fn is_elastic(&self) -> bool {
        NormalLaw::is_elastic(self)
    }
    fn lets_go_early(&self) -> bool {
        NormalLaw::lets_go_early(self)
    }
    fn check(&self) -> Result<(), LawError> {
        NormalLaw::check(self)
    }
}

/// A friction law, written over [`Scalar`]. Works on tangent 3-vectors.
///
/// Most laws are functions of load and slip: a name and [`force`](FrictionLaw::force). A law that remembers says so, and
/// gives force and rates by [`evolve`](FrictionLaw::evolve).
pub trait FrictionLaw: Debug + Send + Sync + 'static {
    /// The word for it in scenes.
    fn name(&self) -> &'static str;
    /// The friction force on A \[N\], given the normal force f_n \[N\] and the slip v_t = tangential part of
    /// v_a(p_a) − v_b(p_b) [m/s]. It opposes v_t. Of a law that remembers: with unbent bristles.
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S>;
    /// The forces at two points at once. The default: one after the other; a formula without branches may take both.
    #[inline]
    fn force_two(&self, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two> {
        let f_n = f_n.lanes();
        let [a, b] = [0, 1].map(|i| self.force(f_n[i], &v_t.map(|v| v.lanes()[i])));
        Two::vector(&a, &b)
    }
    /// The slip around zero within which the force turns round [m/s]: a path of slip that passes zero meets its sharpest bend on this
    /// scale. Zero (the default): nothing is known, or it turns round at once.
    fn width(&self) -> f64 {
        0.0
    }
    /// Whether the force depends on what happened before: then each contact point has a [`Memory`].
    fn remembers(&self) -> bool {
        false
    }
    /// The force, and how what is remembered changes. `load` \[N\] is the least normal force at which friction is full
    /// (see [`least_load`](FrictionLaw::least_load)). It dissipates: −f_t·v_t ≥ rate of the stored energy.
    fn evolve<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>, memory: &Memory<S>, load: f64) -> Evolution<S> {
        let _ = (memory, load);
        Evolution { f_t: self.force(f_n, v_t), rate: Memory::unbent(), stored: S::from_f64(0.0) }
    }
    /// The energy bent bristles store \[J\].
    fn energy(&self, memory: &Memory) -> f64 {
        let _ = memory;
        0.0
    }
    /// How far bristles bend under full friction \[m\]: what is large for them, at a normal force f_n \[N\].
    fn deflection(&self, f_n: f64) -> f64 {
        let _ = f_n;
        0.0
    }
    /// The least normal force at which friction is full \[N\], for a contact whose forces are about `touch_force`
    /// \[N\] ([`Touch::force`]). Below it, a law that remembers engages its bristles in part only: the distance over
    /// which they follow a change of slip goes with the normal force, and would be nothing as the surfaces touch.
    fn least_load(&self, touch_force: f64) -> f64 {
        let _ = touch_force;
        0.0
    }
    /// Whether all parameters are in range and fit each other; whoever takes a law in asks this once.
    fn check(&self) -> Result<(), LawError> {
        Ok(())
    }
}

/// The object-safe face of [`FrictionLaw`].
pub trait Friction: Debug + Send + Sync {
    /// See [`FrictionLaw::name`].
    fn name(&self) -> &'static str;
    /// See [`FrictionLaw::force`].
    fn force(&self, f_n: f64, v_t: &Vec3) -> Vec3;
    /// See [`FrictionLaw::force_two`].
    fn force_two(&self, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two>;
    /// See [`FrictionLaw::force`]: with the derivatives by (f_n, v_t), or by any four variables.
    fn force_dual(&self, f_n: Dual<4>, v_t: &Vec3<Dual<4>>) -> Vec3<Dual<4>>;
    /// See [`FrictionLaw::width`].
    fn width(&self) -> f64;
    /// See [`FrictionLaw::remembers`].
    fn remembers(&self) -> bool;
    /// See [`FrictionLaw::evolve`].
    fn evolve(&self, f_n: f64, v_t: &Vec3, memory: &Memory, load: f64) -> Evolution;
    /// See [`FrictionLaw::evolve`]: with the derivatives by (f_n, v_t, z, s), or by any eight variables.
    fn evolve_dual(
        &self,
        f_n: Dual<8>,
        v_t: &Vec3<Dual<8>>,
        memory: &Memory<Dual<8>>,
        load: f64,
    ) -> Evolution<Dual<8>>;
    /// See [`FrictionLaw::energy`].
    fn energy(&self, memory: &Memory) -> f64;
    /// See [`FrictionLaw::deflection`].
    fn deflection(&self, f_n: f64) -> f64;
    /// See [`FrictionLaw::least_load`].
    fn least_load(&self, touch_force: f64) -> f64;
    /// See [`FrictionLaw::check`].
    fn check(&self) -> Result<(), LawError>;
}

impl<L: FrictionLaw> Friction for L {
    fn name(&self) -> &'static str {
        FrictionLaw::name(self)
    }
    fn force(&self, f_n: f64, v_t: &Vec3) -> Vec3 {
        FrictionLaw::force(self, f_n, v_t)
    }
    fn force_two(&self, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two> {
        FrictionLaw::force_two(self, f_n, v_t)
    }
    fn force_dual(&self, f_n: Dual<4>, v_t: &Vec3<Dual<4>>) -> Vec3<Dual<4>> {
        FrictionLaw::force(self, f_n, v_t)
    }
    fn width(&self) -> f64 {
        FrictionLaw::width(self)
    }
    fn remembers(&self) -> bool {
        FrictionLaw::remembers(self)
    }
    fn evolve(&self, f_n: f64, v_t: &Vec3, memory: &Memory, load: f64) -> Evolution {
        FrictionLaw::evolve(self, f_n, v_t, memory, load)
    }
    fn evolve_dual(
        &self,
        f_n: Dual<8>,
        v_t: &Vec3<Dual<8>>,
        memory: &Memory<Dual<8>>,
        load: f64,
    ) -> Evolution<Dual<8>> {
        FrictionLaw::evolve(self, f_n, v_t, memory, load)
    }
    fn energy(&self, memory: &Memory) -> f64 {
        FrictionLaw::energy(self, memory)
    }
    fn deflection(&self, f_n: f64) -> f64 {
        FrictionLaw::deflection(self, f_n)
    }
    fn least_load(&self, touch_force: f64) -> f64 {
        FrictionLaw::least_load(self, touch_force)
    }
    fn check(&self) -> Result<(), LawError> {
        FrictionLaw::check(self)
    }
}
