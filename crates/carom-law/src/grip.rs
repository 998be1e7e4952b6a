//! What a friction law that follows the depth of its contact is given, and how it changes its modes.
//!
//! Surfaces that are pressed together give way along the surface too, the more easily the smaller their contact: the stiffness is
//! k = κ dF/dδ, κ = 4G*/E* (Mindlin 1949; for any shape: Ciavarella, *J. Appl. Mech.* 65 (1998) 998–1003). Laws that know this see the contact as a [`Slip`], and what
//! was latched of it as a [`Grip`].

use carom_base::elementary::pow;
use carom_base::{Scalar, Vec3};

use crate::memory::Memory;
use crate::touch::Touch;

/// A contact point as a friction law sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slip<S: Scalar = f64> {
    /// normal force, not below zero \[N\]
    pub f_n: S,
    /// its elastic part \[N\]
    pub f_elastic: S,
    /// the slope of the elastic part, df_elastic/dδ [N/m]
    pub slope: S,
    /// indentation δ \[m\]
    pub delta: S,
    /// its rate [m/s], positive while approaching
    pub delta_dot: S,
    /// slip: tangential part of v_a(p_a) − v_b(p_b) [m/s]
    pub v_t: Vec3<S>,
}

/// What was latched of a contact for its friction. It changes only at events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// normal force from which on bristles are engaged fully \[N\]
    pub load: f64,
    /// K of the elastic force K δⁿ [N/mⁿ], of this contact point alone
    pub stiffness: f64,
    /// n
    pub exponent: f64,
    /// κ = k/(dF/dδ): how stiff the contact is along the surface, as a part of how stiff it is along the normal
    pub ratio: f64,
    /// a depth that is neither large nor small for the contact: δ* of the standard impact \[m\]
    pub depth: f64,
    /// a speed that is neither large nor small for it [m/s]
    pub speed: f64,
    /// depth that the rings of `maw-barber-fawcett` reach \[m\]
    pub reach: f64,
    /// how many of them touch; 0 where nobody locates that, and the depth says
    pub touching: usize,
    /// the sign of δ̇ since it last changed, where a law asks for it
    pub rising: f64,
    /// whether the normal force has a part that is not elastic
    pub damped: bool,
    /// R of the contact patch, whose radius is √(R δ), of a law of rolling or spinning that asks for it \[m\]
    pub radius: f64,
}

carom_base::plain!(Grip {
    load,
    stiffness,
    exponent,
    ratio,
    depth,
    speed,
    reach,
    touching,
    rising,
    damped,
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
            depth: 0.0,
            speed: 0.0,
            reach: 0.0,
            touching: 0,
            rising: 1.0,
            damped: false,
            radius: 0.0,
        }
    }

    /// Of a contact point that carries `share` of a contact whose elastic force is K δⁿ, with the indentation δ \[m\] and its rate [m/s] as it is latched; κ is the ratio.
    pub fn new(touch: &Touch, share: f64, exponent: f64, ratio: f64, delta: f64, delta_dot: f64) -> Grip {
        let depth_at = |v: f64| pow(touch.mass * v * v / touch.stiffness, 1.0 / (exponent + 1.0));
        // (a body that cannot give way has no depth of its own)
        let usual = depth_at(touch.v0);
        let depth = if usual > 0.0 && usual.is_finite() { usual } else { delta.max(1e-9) };
        // deepest in an elastic impact: K δⁿ⁺¹/(n + 1) = m v²/2
        let deepest = pow(0.5 * (exponent + 1.0), 1.0 / (exponent + 1.0)) * depth_at(delta_dot.max(0.0));
        Grip {
            load: 0.0,
            stiffness: share * touch.stiffness,
            exponent,
            ratio,
            depth,
            speed: touch.v0,
            reach: 1.1 * deepest.max(delta).max(1e-6 * depth),
            touching: 0,
            rising: if delta_dot < 0.0 { -1.0 } else { 1.0 },
            damped: true,
            radius: 0.0,
        }
    }

    /// The force at the depth [`depth`](Grip::depth) \[N\].
    pub fn force(&self) -> f64 {
        self.stiffness * pow(self.depth, self.exponent)
    }

    /// The stiffness along the surface at a depth, κ n K δⁿ⁻¹ [N/m].
    pub fn tangential<S: Scalar>(&self, delta: S) -> S {
        let (n, k) = (self.exponent, S::from_f64(self.ratio * self.exponent * self.stiffness));
        if n == 1.5 { k * Scalar::sqrt(delta) } else { k * delta.powf(n - 1.0) }
    }
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
    /// Changes the modes of what has `crossed`, one by one as [`values`](Switching::values) has them.
    fn change(&self, at: &Slip, grip: &mut Grip, memories: &mut [[f64; Memory::SIZE]], crossed: &[bool]);
}
