//! What a law is.
//!
//! A law is one file: a header with its formula, symbols and units, citation and valid range, then the properties of the law
//! ([`NormalLaw`], [`FrictionLaw`]) and its formula over [`Scalar`] ([`NormalFormula`], [`FrictionFormula`]). The object-safe
//! [`Normal`] and [`Friction`] are what the dynamics holds; they follow from the formula by themselves, derivatives included.

use std::fmt::Debug;

use carom_base::{Dual, Jet, Scalar, Two, Vec3};

use crate::error::LawError;
use crate::grip::{Grip, Slip, Switching};
use crate::history::{History, PhaseEnd, PhaseEnds};
use crate::memory::{Evolution, Memory};
use crate::power::{self, check_power};
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// A normal force and its elastic part; what is not elastic is dissipated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalForce<S: Scalar = f64> {
    /// the force \[N\]: pushes the bodies apart, or, below zero, holds them, which few laws do
    pub f_n: S,
    /// the part that stored energy gives back \[N\]: dE/d(delta)
    pub f_elastic: S,
}

/// A contact at an indentation at rest, with first and second derivatives by the indentation: what friction that follows the depth knows of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Still {
    /// the normal force without its part by rates \[N\]
    pub force: Jet,
    /// the stiffness with which the surfaces would part from here [N/m]: 2E*a of a contact of radius a
    pub rigidity: Jet,
}

impl Still {
    /// Of a law by its formula, where the indentation changes by itself.
    pub(crate) fn of(law: &impl NormalFormula, delta: f64, touch: &Touch) -> Still {
        let delta = Jet::time(delta);
        let at = Indentation { delta, delta_dot: Scalar::from_f64(0.0) };
        Still { force: law.force(at, touch).f_n, rigidity: law.rigidity(delta, touch) }
    }
}

/// The properties of a normal force law, apart from its force ([`NormalFormula`]).
pub trait NormalLaw: Debug + Send + Sync {
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
    /// Whether damping acts while the surfaces approach alone, so that the slope of the force has a kink where the indentation turns round.
    fn ends_damping_at_turn(&self) -> bool {
        false
    }
    /// The tension \[N\] that the contact bears at most by adhesion: 0 (the default), if it bears none. Friction feels f_n and this together, as what presses the surfaces together is then more
    /// than f_n.
    fn pull_off(&self, touch: &Touch) -> f64 {
        let _ = touch;
        0.0
    }
    /// Numbers of its own that it latches as the surfaces touch, for [`Touch::own`]: what takes long to compute and does not change. The default: none.
    fn latch(&self, touch: &Touch) -> [f64; 4] {
        let _ = touch;
        [0.0; 4]
    }
    /// Whether a phase of the law may hold the surfaces by more than the pull-off force, so that nothing presses them together there.
    fn holds_loosely(&self) -> bool {
        false
    }
    /// The indentation \[m\] below which surfaces that hold each other do so across a gap and touch nowhere: −∞ (the default), if they touch as long as they hold.
    fn closes_at(&self, touch: &Touch) -> f64 {
        let _ = touch;
        f64::NEG_INFINITY
    }
    /// The gap \[m\] at which surfaces that approach begin to act on each other: 0 (the default), unless their adhesion has a range. There a contact begins, as an event, and its quantities are latched; the law
    /// [holds to](NormalLaw::holds_to) no smaller a gap.
    fn begins_at(&self) -> f64 {
        0.0
    }
    /// The gap \[m\] up to which surfaces that have touched hold each other: 0 (the default), unless they adhere. There they jump apart, and what the contact has stored is lost; as they touch, what it has stored
    /// less than nothing is lost.
    fn holds_to(&self, touch: &Touch) -> f64 {
        let _ = touch;
        0.0
    }
    /// Where the phase that the force is in ends, of a law whose force depends on what happened in the contact before. `None` (the default): the law has no phases.
    fn phase_ends(&self, touch: &Touch) -> Option<PhaseEnds> {
        let _ = touch;
        None
    }
    /// Whether it has phases, and so a history.
    fn has_phases(&self) -> bool {
        self.phase_ends(&Touch::point(1.0, 1.0, 1.0)).is_some()
    }
    /// What a law with phases remembers once the phase has ended in that way at the indentation `delta` \[m\]. Force and stored energy are the same before and after.
    fn next_phase(&self, end: PhaseEnd, delta: f64, touch: &Touch) -> History {
        let _ = (end, delta);
        touch.history
    }
    /// Whether the force may be asked for at any time, as that of a formula may (the default). A function of a program is not called before the run, where its errors belong.
    fn is_formula(&self) -> bool {
        true
    }
    /// Whether all parameters are in range and fit each other; the model asks this once, as it is built.
    ///
    /// Unless a law says more, this checks stiffness and exponent: an exponent other than 3/2 needs a given
    /// stiffness, as materials and curvature give one for 3/2 only.
    fn check(&self) -> Result<(), LawError> {
        Ok(check_power(self.name(), self.stiffness().given(), self.exponent())?)
    }
}

/// The formula of a normal force law, written once over [`Scalar`]: [`Normal`] follows from it.
///
/// ```
/// use carom_law::{Indentation, Normal, NormalForce, NormalFormula, NormalLaw, Stiffness, Touch};
/// use carom_base::{Dual, Scalar};
///
/// #[derive(Debug)]
/// struct Linear(f64); // K [N/m]
///
/// impl NormalLaw for Linear {
///     fn name(&self) -> &'static str {
///         "linear"
///     }
///     fn exponent(&self) -> f64 {
///         1.0
///     }
///     fn stiffness(&self) -> Stiffness {
///         Stiffness::Given(self.0)
///     }
///     fn energy(&self, delta: f64, touch: &Touch) -> f64 {
///         0.5 * touch.stiffness * delta * delta
///     }
/// }
///
/// impl NormalFormula for Linear {
///     fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
///         let f = S::from_f64(touch.stiffness) * c.delta;
///         NormalForce { f_n: f, f_elastic: f }
///     }
/// }
///
/// let law: &dyn Normal = &Linear(1e6);
/// let (delta, delta_dot) = (Dual::variable(1e-4, 0), Dual::variable(0.0, 1));
/// let f_n = law.force_dual(Indentation { delta, delta_dot }, &Touch::point(1e6, 0.5, 0.1)).f_n;
/// assert_eq!((f_n.re, f_n.eps), (100.0, [1e6, 0.0])); // [N], [N/m, N s/m]
/// ```
pub trait NormalFormula: NormalLaw + Sized {
    /// The force. Where `c.delta` ≤ `touch.floor`, which is 0 but for adhesion, there is no contact and no force. What is not elastic opposes the motion:
    /// (f_n − f_elastic) δ̇ ≥ 0, so that no law gains energy.
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S>;
    /// The forces of two points at once, none where there is no contact. The default: one after the other; a formula without branches may take both.
    #[inline]
    fn force_two(&self, c: Indentation<Two>, touch: [&Touch; 2]) -> NormalForce<Two> {
        one_by_one(self, c, touch)
    }
    /// The stiffness with which the surfaces would part from this indentation [N/m], continuous where phases end: 2E*a of a contact of radius a, to which its stiffness along the surface is
    /// proportional. The default: that of an elastic law, n K δⁿ⁻¹.
    fn rigidity<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        power::slope(delta, self.exponent_in(touch), touch.stiffness)
    }
    /// See [`Still`]. The default is by the formulas; one that is solved by iteration knows its second derivatives in another way.
    fn still(&self, delta: f64, touch: &Touch) -> Still {
        Still::of(self, delta, touch)
    }
}

/// The forces of two points, one after the other.
#[inline]
pub(crate) fn one_by_one<L: Normal + ?Sized>(
    law: &L,
    c: Indentation<Two>,
    touch: [&Touch; 2],
) -> NormalForce<Two> {
    let (delta, delta_dot) = (c.delta.lanes(), c.delta_dot.lanes());
    let [a, b] = [0, 1].map(|i| match delta[i] > touch[i].floor {
        true => law.force(Indentation { delta: delta[i], delta_dot: delta_dot[i] }, touch[i]),
        false => NormalForce { f_n: 0.0, f_elastic: 0.0 },
    });
    NormalForce { f_n: Two::new(a.f_n, b.f_n), f_elastic: Two::new(a.f_elastic, b.f_elastic) }
}

/// A normal force law as the dynamics holds it: object-safe, and there for every [`NormalFormula`].
pub trait Normal: NormalLaw {
    /// See [`NormalFormula::force`].
    fn force(&self, c: Indentation, touch: &Touch) -> NormalForce;
    /// See [`NormalFormula::force_two`].
    fn force_two(&self, c: Indentation<Two>, touch: [&Touch; 2]) -> NormalForce<Two> {
        one_by_one(self, c, touch)
    }
    /// See [`NormalFormula::force`]: with the derivatives by (delta, delta_dot), or by any two variables.
    fn force_dual(&self, c: Indentation<Dual<2>>, touch: &Touch) -> NormalForce<Dual<2>>;
    /// See [`NormalFormula::still`].
    fn still(&self, delta: f64, touch: &Touch) -> Still;
}

impl<L: NormalFormula> Normal for L {
    fn still(&self, delta: f64, touch: &Touch) -> Still {
        NormalFormula::still(self, delta, touch)
    }
    fn force(&self, c: Indentation, touch: &Touch) -> NormalForce {
        NormalFormula::force(self, c, touch)
    }
    fn force_two(&self, c: Indentation<Two>, touch: [&Touch; 2]) -> NormalForce<Two> {
        NormalFormula::force_two(self, c, touch)
    }
    fn force_dual(&self, c: Indentation<Dual<2>>, touch: &Touch) -> NormalForce<Dual<2>> {
        NormalFormula::force(self, c, touch)
    }
}

/// The properties of a friction law, apart from its force ([`FrictionFormula`]). Of most laws that is a name.
pub trait FrictionLaw: Debug + Send + Sync {
    /// The word for it in scenes.
    fn name(&self) -> &'static str;
    /// The slip around zero within which the force turns round [m/s]: a path of slip that passes zero meets its sharpest bend on this
    /// scale. Zero (the default): nothing is known, or it turns round at once.
    fn width(&self) -> f64 {
        0.0
    }
    /// Whether the force depends on what happened before: then each contact point has a [`Memory`].
    fn remembers(&self) -> bool {
        false
    }
    /// Whether the force is proportional to the normal force (the default), so that friction on a patch is the sum over its points, however many they are.
    fn is_proportional(&self) -> bool {
        true
    }
    /// The energy bent bristles store \[J\].
    fn energy(&self, memory: &Memory) -> f64 {
        let _ = memory;
        0.0
    }
    /// How many memories a contact point has, one for each of the law's elements.
    fn elements(&self) -> usize {
        1
    }
    /// Whether the force depends on the depth of the contact too, not on load and slip alone: then the law is for contact points only.
    fn follows_depth(&self) -> bool {
        false
    }
    /// Whether a law that follows the depth needs a point contact, whose stiffness follows from K and n ≥ 1 of the normal law.
    fn needs_power(&self) -> bool {
        false
    }
    /// Whether the contact must have a circle whose radius follows from its stiffness: K δ^{3/2}, or what yields or adheres on top of it.
    fn needs_circle(&self) -> bool {
        false
    }
    /// κ, the stiffness along the surface as a part of that along the normal, if it is given. `None` (the default): from the materials, if the law follows the depth.
    fn stiffness_ratio(&self) -> Option<f64> {
        None
    }
    /// The energy that one of its elements stores \[J\].
    fn energy_at(&self, element: usize, at: &Slip, grip: &Grip, memory: &Memory) -> f64 {
        let _ = (element, at, grip);
        self.energy(memory)
    }
    /// How far its elements bend in this contact under full friction \[m\]; 0 (the default): as [`deflection`](FrictionLaw::deflection) says.
    fn deflection_in(&self, grip: &Grip) -> f64 {
        let _ = grip;
        0.0
    }
    /// The modes of its elements, of a law that has some.
    fn switching(&self) -> Option<&dyn Switching> {
        None
    }
    /// What a run warns of, if the law gives energy by its nature.
    fn caution(&self) -> Option<&'static str> {
        None
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
    /// Whether all parameters are in range and fit each other; the model asks this once, as it is built.
    fn check(&self) -> Result<(), LawError> {
        Ok(())
    }
}

/// The formula of a friction law, written once over [`Scalar`]: [`Friction`] follows from it. Works on tangent 3-vectors.
///
/// Most laws are functions of load and slip: a [`force`](FrictionFormula::force). A law that remembers
/// ([`FrictionLaw::remembers`]) gives force and rates by [`evolve`](FrictionFormula::evolve).
///
/// ```
/// use carom_law::{Friction, FrictionFormula, FrictionLaw};
/// use carom_base::{Scalar, Vec3};
///
/// #[derive(Debug)]
/// struct Viscous(f64); // f_t per f_n and slip [s/m]
///
/// impl FrictionLaw for Viscous {
///     fn name(&self) -> &'static str {
///         "viscous"
///     }
/// }
///
/// impl FrictionFormula for Viscous {
///     fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
///         v_t * (-(S::from_f64(self.0) * f_n))
///     }
/// }
///
/// let law: &dyn Friction = &Viscous(0.5);
/// assert_eq!(law.force(10.0, &Vec3::new(2.0, 0.0, 0.0)), Vec3::new(-10.0, 0.0, 0.0)); // [N]
/// ```
pub trait FrictionFormula: FrictionLaw + Sized {
    /// The friction force on A \[N\], given the normal force f_n \[N\] and the slip v_t = tangential part of
    /// v_a(p_a) − v_b(p_b) [m/s]. It opposes v_t. Of a law that remembers: with unbent bristles.
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S>;
    /// The forces at two points at once. The default: one after the other; a formula without branches may take both.
    #[inline]
    fn force_two(&self, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two> {
        side_by_side(self, f_n, v_t)
    }
    /// The force, and how what is remembered changes. `load` \[N\] is the least normal force at which friction is full
    /// (see [`least_load`](FrictionLaw::least_load)). It dissipates: −f_t·v_t ≥ rate of the stored energy.
    fn evolve<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>, memory: &Memory<S>, load: f64) -> Evolution<S> {
        let _ = (memory, load);
        Evolution { f_t: self.force(f_n, v_t), rate: Memory::unbent(), stored: S::from_f64(0.0) }
    }
    /// The force of one of the law's elements, and how what it remembers changes. The default: [`evolve`](FrictionFormula::evolve), of a law that goes by load and slip.
    fn evolve_at<S: Scalar>(
        &self,
        element: usize,
        at: &Slip<S>,
        grip: &Grip,
        memory: &Memory<S>,
    ) -> Evolution<S> {
        let _ = element;
        self.evolve(at.f_n, &at.v_t, memory, grip.load)
    }
}

/// A friction law as the dynamics holds it: object-safe, and there for every [`FrictionFormula`].
pub trait Friction: FrictionLaw {
    /// See [`FrictionFormula::force`].
    fn force(&self, f_n: f64, v_t: &Vec3) -> Vec3;
    /// See [`FrictionFormula::force_two`].
    fn force_two(&self, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two> {
        side_by_side(self, f_n, v_t)
    }
    /// See [`FrictionFormula::force`]: with the derivatives by (f_n, v_t), or by any four variables.
    fn force_dual(&self, f_n: Dual<4>, v_t: &Vec3<Dual<4>>) -> Vec3<Dual<4>>;
    /// See [`FrictionFormula::evolve`].
    fn evolve(&self, f_n: f64, v_t: &Vec3, memory: &Memory, load: f64) -> Evolution;
    /// See [`FrictionFormula::evolve`]: with the derivatives by (f_n, v_t, z, s), or by any eight variables.
    fn evolve_dual(
        &self,
        f_n: Dual<8>,
        v_t: &Vec3<Dual<8>>,
        memory: &Memory<Dual<8>>,
        load: f64,
    ) -> Evolution<Dual<8>>;
    /// See [`FrictionFormula::evolve_at`].
    fn evolve_at(&self, element: usize, at: &Slip, grip: &Grip, memory: &Memory) -> Evolution;
    /// See [`FrictionFormula::evolve_at`]: with the derivatives by (f_n, v_t, z, s, delta, delta_dot), or by any ten variables.
    fn evolve_at_dual(
        &self,
        element: usize,
        at: &Slip<Dual<10>>,
        grip: &Grip,
        memory: &Memory<Dual<10>>,
    ) -> Evolution<Dual<10>>;
}

impl<L: FrictionFormula> Friction for L {
    fn force(&self, f_n: f64, v_t: &Vec3) -> Vec3 {
        FrictionFormula::force(self, f_n, v_t)
    }
    fn force_two(&self, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two> {
        FrictionFormula::force_two(self, f_n, v_t)
    }
    fn force_dual(&self, f_n: Dual<4>, v_t: &Vec3<Dual<4>>) -> Vec3<Dual<4>> {
        FrictionFormula::force(self, f_n, v_t)
    }
    fn evolve(&self, f_n: f64, v_t: &Vec3, memory: &Memory, load: f64) -> Evolution {
        FrictionFormula::evolve(self, f_n, v_t, memory, load)
    }
    fn evolve_dual(
        &self,
        f_n: Dual<8>,
        v_t: &Vec3<Dual<8>>,
        memory: &Memory<Dual<8>>,
        load: f64,
    ) -> Evolution<Dual<8>> {
        FrictionFormula::evolve(self, f_n, v_t, memory, load)
    }
    fn evolve_at(&self, element: usize, at: &Slip, grip: &Grip, memory: &Memory) -> Evolution {
        FrictionFormula::evolve_at(self, element, at, grip, memory)
    }
    fn evolve_at_dual(
        &self,
        element: usize,
        at: &Slip<Dual<10>>,
        grip: &Grip,
        memory: &Memory<Dual<10>>,
    ) -> Evolution<Dual<10>> {
        FrictionFormula::evolve_at(self, element, at, grip, memory)
    }
}

/// The friction at two points, one after the other.
#[inline]
fn side_by_side<L: Friction + ?Sized>(law: &L, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two> {
    let f_n = f_n.lanes();
    let [a, b] = [0, 1].map(|i| law.force(f_n[i], &v_t.map(|v| v.lanes()[i])));
    Two::vector(&a, &b)
}
