//! What a friction law that follows the depth of its contact is given, and how it changes its modes.
//!
//! Surfaces that are pressed together give way along the surface too, the more easily the smaller their contact: the stiffness is
//! k = κ dF/dδ, κ = 4G*/E* (Mindlin 1949; for any shape: Ciavarella, *J. Appl. Mech.* 65 (1998) 998–1003). Laws that know this see the contact as a [`Slip`], and what
//! was latched of it as a [`Grip`].
//!
//! # Elliptical contacts
//!
//! The traction τ = τ₀/√(1 − x²/a² − y²/b²) shifts the ellipse as a whole: integrated over it, Cerruti's solution gives at every point the shift per force
//!
//! u_x/T_x = [(1 − ν) 𝐊 + ν 𝐃]/(2π a G) and u_y/T_y = [(1 − ν) 𝐊 + ν 𝐁]/(2π a G), a ≥ b,
//!
//! 𝐊, 𝐃 and 𝐁 = 𝐊 − 𝐃 as of [`hertz`](crate::hertz), summed over both bodies. The normal stiffness is π a E*/𝐊, so that with ε = (𝐃 − 𝐁)/𝐊 · Σ (ν/G)/Σ ((2 − ν)/G) the contact
//! is κ/(1 + ε) as stiff along a as along the normal, and κ/(1 − ε) along b: on the mean it yields as a circle does. For a line of like materials that is 1 − ν along it and 1 across.
//! Partial slip leaves similar ellipses that stick, under a shear in a fixed direction (Deresiewicz 1957, Vermeulen and Johnson 1964): what holds for circles holds with κ of that direction.
//!
//! Source: R. D. Mindlin, *J. Appl. Mech.* 16 (1949) 259–268; H. Deresiewicz, *J. Appl. Mech.* 24 (1957) 623–624; P. J. Vermeulen, K. L. Johnson, *J. Appl. Mech.* 31 (1964) 338–340. From general knowledge, not
//! compared with the originals; integrated again, and compared with Cerruti's solution integrated numerically (`oracles/shear.py`).

use carom_base::elementary::pow;
use carom_base::{Scalar, Vec3};

use crate::memory::Memory;
use crate::power::slope as power_slope;
use crate::touch::Touch;

/// A contact point as a friction law sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slip<S: Scalar = f64> {
    /// what presses the surfaces together, not below zero: the normal force and the pull-off force of adhesion \[N\]
    pub f_n: S,
    /// the same at rest, without the part of the normal force that depends on rates; below zero where a phase of the normal law holds by more than its pull-off force, and nothing presses \[N\]
    pub f_elastic: S,
    /// its slope, df_elastic/dδ [N/m]
    pub slope: S,
    /// the stiffness of the contact along the normal, with which it would unload [N/m] ([`NormalFormula::rigidity`](crate::NormalFormula::rigidity)): along the surface it is κ times that
    pub rigidity: S,
    /// its slope by δ [N/m²]
    pub stiffening: S,
    /// indentation δ \[m\]
    pub delta: S,
    /// its rate [m/s], positive while approaching
    pub delta_dot: S,
    /// slip: tangential part of v_a(p_a) − v_b(p_b) [m/s]
    pub v_t: Vec3<S>,
    /// the direction of the longer axis of an elliptical contact, a unit vector in the tangent plane; any for a circle
    pub axis: Vec3,
}

impl<S: Scalar> Slip<S> {
    /// Under a normal force \[N\] alone, which is all that laws by load and slip know.
    pub fn under(f_n: S, v_t: Vec3<S>) -> Slip<S> {
        let none = S::from_f64(0.0);
        Slip {
            f_n,
            f_elastic: f_n,
            slope: none,
            rigidity: none,
            stiffening: none,
            delta: none,
            delta_dot: none,
            v_t,
            axis: Vec3::zeros(),
        }
    }

    /// In a contact with the elastic force K δⁿ, at the indentation `delta` \[m\] and its rate [m/s]; `f_n` \[N\] is all of the normal force.
    pub fn of_power(grip: &Grip, f_n: S, delta: S, delta_dot: S, v_t: Vec3<S>) -> Slip<S> {
        let (n, k, number) = (grip.exponent, grip.stiffness, S::from_f64);
        let rigidity = power_slope(delta, n, k);
        Slip {
            f_elastic: rigidity * delta * number(1.0 / n),
            slope: rigidity,
            rigidity,
            stiffening: rigidity / delta * number(n - 1.0),
            delta,
            delta_dot,
            ..Slip::under(f_n, v_t)
        }
    }
}

/// What was latched of a contact for its friction. It changes only at events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// normal force from which on bristles are engaged fully \[N\]
    pub load: f64,
    /// K of the elastic force K δⁿ [N/mⁿ]
    pub stiffness: f64,
    /// n
    pub exponent: f64,
    /// κ = k/(dF/dδ): how stiff the contact is along the surface, as a part of how stiff it is along the normal
    pub ratio: f64,
    /// ε of an elliptical contact, whose stiffness along the surface is k/(1 + ε) along its longer axis and k/(1 − ε) across; 0 of a circle
    pub oval: f64,
    /// a depth that is neither large nor small for the contact: δ* of the standard impact \[m\]
    pub depth: f64,
    /// a speed that is neither large nor small for it [m/s]
    pub speed: f64,
    /// depth of Hertz's contact that the rings of `maw-barber-fawcett` reach \[m\]
    pub reach: f64,
    /// how many of them touch; 0 where nobody locates that, and the depth says
    pub touching: usize,
    /// the sign of δ̇ since it last changed, where a law asks for it
    pub rising: f64,
    /// whether the normal force has a part that is not elastic
    pub damped: bool,
    /// whether adhesion may hold the surfaces
    pub adheres: bool,
    /// the sign of df_elastic/dδ since it last changed, where surfaces adhere
    pub loosens: f64,
    /// the pull-off force, which f_elastic has in it \[N\]
    pub pull_off: f64,
    /// 1 while something presses the surfaces together and −1 while nothing does, of a normal law that may hold them all the same; else 0
    pub presses: f64,
    /// indentation below which they hold each other across a gap \[m\]; −∞ of most
    pub closes: f64,
    /// R of the contact patch, whose radius is √(R δ), of a law of rolling or spinning that asks for it \[m\]
    pub radius: f64,
}

carom_base::plain!(Grip {
    load,
    stiffness,
    exponent,
    ratio,
    oval,
    depth,
    speed,
    reach,
    touching,
    rising,
    damped,
    adheres,
    loosens,
    pull_off,
    presses,
    closes,
    radius
});

impl Grip {
    /// Of a joint or of bristles, which know a load alone \[N\].
    pub const fn under(load: f64) -> Grip {
        Grip {
            load,
            stiffness: 0.0,
            exponent: 1.0,
            ratio: 0.0,
            oval: 0.0,
            depth: 0.0,
            speed: 0.0,
            reach: 0.0,
            touching: 0,
            rising: 1.0,
            damped: false,
            adheres: false,
            loosens: 1.0,
            pull_off: 0.0,
            presses: 0.0,
            closes: f64::NEG_INFINITY,
            radius: 0.0,
        }
    }

    /// Of a contact whose elastic force is K δⁿ, with the indentation δ \[m\] and its rate [m/s] as it is latched; κ is the ratio.
    pub fn new(touch: &Touch, exponent: f64, ratio: f64, delta: f64, delta_dot: f64) -> Grip {
        let depth_at = |v: f64| pow(touch.mass * v * v / touch.stiffness, 1.0 / (exponent + 1.0));
        // (a body that cannot give way has no depth of its own)
        let usual = depth_at(touch.v0);
        let depth = if usual > 0.0 && usual.is_finite() { usual } else { delta.max(1e-9) };
        // deepest in an elastic impact: K δⁿ⁺¹/(n + 1) = m v²/2
        let deepest = pow(0.5 * (exponent + 1.0), 1.0 / (exponent + 1.0)) * depth_at(delta_dot.max(0.0));
        Grip {
            load: 0.0,
            stiffness: touch.stiffness,
            exponent,
            ratio,
            oval: 0.0,
            depth,
            speed: touch.v0,
            reach: 1.1 * deepest.max(delta).max(1e-6 * depth),
            touching: 0,
            rising: if delta_dot < 0.0 { -1.0 } else { 1.0 },
            damped: true,
            adheres: false,
            loosens: 1.0,
            pull_off: 0.0,
            presses: 0.0,
            closes: f64::NEG_INFINITY,
            radius: 0.0,
        }
    }

    /// The force at the depth [`depth`](Grip::depth) \[N\].
    pub fn force(&self) -> f64 {
        power_slope(self.depth, self.exponent, self.stiffness) * self.depth / self.exponent
    }

    /// The stiffness along the surface at a depth, κ n K δⁿ⁻¹ [N/m].
    pub fn tangential<S: Scalar>(&self, delta: S) -> S {
        power_slope(delta, self.exponent, self.ratio * self.stiffness)
    }

    /// How far a force along the surface shifts the contact, as a part of how far it would shift a circle: (1 + ε) along the axis, (1 − ε) across.
    pub fn yields<S: Scalar>(&self, axis: &Vec3, force: &Vec3<S>) -> Vec3<S> {
        self.stretch(axis, force, [1.0 + self.oval, 1.0 - self.oval])
    }

    /// What undoes [`yields`](Grip::yields).
    pub fn holds<S: Scalar>(&self, axis: &Vec3, shift: &Vec3<S>) -> Vec3<S> {
        self.stretch(axis, shift, [1.0 / (1.0 + self.oval), 1.0 / (1.0 - self.oval)])
    }

    fn stretch<S: Scalar>(&self, axis: &Vec3, x: &Vec3<S>, [along, across]: [f64; 2]) -> Vec3<S> {
        if self.oval == 0.0 {
            return *x;
        }
        let axis = axis.map(S::from_f64);
        x * S::from_f64(across) + axis * (axis.dot(x) * S::from_f64(along - across))
    }
}

/// An element of a law at an instant, for those who take steps of a given length and locate nothing: bent by z it pulls with `pull` z, and as it sticks ż = drive + `relief` z; a step that would bend it
/// beyond its limit leaves it there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// ż of an element that is not bent [m/s]
    pub drive: Vec3,
    /// what unloading takes [1/s]
    pub relief: f64,
    /// the largest |z| \[m\]
    pub limit: f64,
    /// force by deflection [N/m]
    pub pull: f64,
    /// force by slip beside it while it sticks [N s/m]
    pub damping: f64,
}

/// A law whose elements stick, slip or are open. What they do is in the last number of their memories, which has no rate: it changes at events only, as soon as one of the
/// law's switches changes its sign. While it is zero ([`Switching::change`] has not been called yet, or nobody locates events) an element goes by its state.
pub trait Switching {
    /// How many switches a contact point has.
    fn count(&self) -> usize;
    /// Writes the switches, which are positive while the modes hold, and the sizes of the numbers that they are computed from. NaN: one that cannot change.
    fn values(
        &self,
        at: &Slip,
        grip: &Grip,
        memories: &[[f64; Memory::SIZE]],
        values: &mut [f64],
        sizes: &mut [f64],
    );
    /// Returns one of its elements for steps of a given length. `None` (the default): it has no springs that could be taken so.
    fn spring(&self, element: usize, at: &Slip, grip: &Grip) -> Option<Spring> {
        let _ = (element, at, grip);
        None
    }
    /// Changes the modes of what has `crossed`, one by one as [`values`](Switching::values) has them.
    fn change(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]], crossed: &[bool]);
}
