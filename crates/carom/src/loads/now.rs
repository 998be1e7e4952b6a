//! The values that drives give to gravity and masses at an instant.

use carom_base::Vec3;

use crate::course::margin;
use crate::world::World;

/// The numbers of a model that drives change, at an instant. Without drives they keep their initial values.
#[derive(Clone, Debug)]
pub(crate) struct DrivenValues {
    /// g [m/s²]
    pub(crate) gravity: Vec3,
    /// ġ [m/s³]
    pub(super) gravity_rate: Vec3,
    /// mass of every body, relative to the start
    mass: Vec<MassFactor>,
    /// the span of time between kinks in which the rates are being evaluated
    pub(crate) stretch: Stretch,
}

carom_base::plain!(DrivenValues { gravity, gravity_rate, mass, stretch });

/// A body's mass relative to that at t = 0, and its rate.
#[derive(Clone, Copy, Debug)]
struct MassFactor {
    /// φ = m(t)/m(0)
    value: f64,
    /// φ̇ [1/s]
    rate: f64,
}

carom_base::plain!(MassFactor { value, rate });

/// A span of time between two kinks of the drives' functions. Within it these functions are smooth; at its ends they
/// are evaluated just inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

carom_base::plain!(Stretch { from, to });

impl Stretch {
    pub(crate) const ALL: Stretch = Stretch { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// Returns t, or, if t is at or beyond an end, the time just inside: it differs from the end by little more than
    /// rounding error.
    pub(crate) fn inside(&self, t: f64) -> f64 {
        let margin = margin(self.from, self.to);
        t.max(self.from + margin).min(self.to - margin)
    }
}

impl DrivenValues {
    pub(crate) fn new(world: &World) -> DrivenValues {
        DrivenValues {
            gravity: world.gravity,
            gravity_rate: Vec3::zeros(),
            mass: vec![MassFactor { value: 1.0, rate: 0.0 }; world.bodies.len()],
            stretch: Stretch::ALL,
        }
    }

    /// Returns φ = m(t)/m(0) of a body.
    #[inline(always)]
    pub(crate) fn mass_factor(&self, body: usize) -> f64 {
        self.mass[body].value
    }

    /// Returns φ̇ of a body [1/s].
    pub(crate) fn mass_rate(&self, body: usize) -> f64 {
        self.mass[body].rate
    }

    /// Returns the weight m(t) g(t) of a body [N].
    pub(crate) fn weight(&self, world: &World, body: usize) -> Vec3 {
        self.gravity * (world.bodies[body].mass * self.mass[body].value)
    }

    /// Sets the numbers to their values at t. Fails with the index of a drive whose value is invalid: not finite, or
    /// a mass that is not positive.
    pub(crate) fn set(&mut self, world: &World, t: f64) -> Result<(), usize> {
        let mut failed = None;
        let t = self.stretch.inside(t);
        for (i, g) in world.gravity_in_time.iter().enumerate() {
            let Some(g) = g else { continue };
            let x = g.course.at(t);
            (self.gravity[i], self.gravity_rate[i]) = (x.value, x.rate);
            if !x.value.is_finite() {
                failed = Some(g.drive);
            }
        }
        for body in world.free() {
            let Some(mass) = &world.bodies[body].mass_in_time else { continue };
            let x = mass.course.at(t);
            self.mass[body] = MassFactor { value: x.value / mass.initial, rate: x.rate / mass.initial };
            if !(x.value > 0.0 && x.value.is_finite()) {
                failed = Some(mass.drive);
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

/// The reason given where rates cannot be computed because the value of a drive is invalid.
pub(crate) const NOT_ALLOWED: &str = "its value is not allowed";
