//! What drives make of the equations at an instant.

use carom_base::Vec3;

use crate::course::margin;
use crate::world::World;

/// The numbers of a model that drives change, at an instant. Without drives they stay what they are at the start.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    /// g [m/s²]
    pub(crate) gravity: Vec3,
    /// ġ [m/s³]
    pub(super) gravity_rate: Vec3,
    /// of every body
    mass: Vec<MassFactor>,
    /// where the rates asked for are smooth
    pub(crate) stretch: Stretch,
}

carom_base::plain!(Now { gravity, gravity_rate, mass, stretch });

/// A body's mass in time.
#[derive(Clone, Copy, Debug)]
struct MassFactor {
    /// φ = m(t)/m(0)
    value: f64,
    /// φ̇ [1/s]
    rate: f64,
}

carom_base::plain!(MassFactor { value, rate });

/// The time between two kinks. Within it courses are smooth; at its ends they are taken to be as they are inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

carom_base::plain!(Stretch { from, to });

impl Stretch {
    pub(crate) const ALL: Stretch = Stretch { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// t, or a time inside that rounding can hardly tell from it.
    pub(crate) fn inside(&self, t: f64) -> f64 {
        let margin = margin(self.from, self.to);
        t.max(self.from + margin).min(self.to - margin)
    }
}

impl Now {
    pub(crate) fn new(world: &World) -> Now {
        Now {
            gravity: world.gravity,
            gravity_rate: Vec3::zeros(),
            mass: vec![MassFactor { value: 1.0, rate: 0.0 }; world.bodies.len()],
            stretch: Stretch::ALL,
        }
    }

    /// φ = m(t)/m(0) of a body.
    #[inline(always)]
    pub(crate) fn mass_factor(&self, body: usize) -> f64 {
        self.mass[body].value
    }

    /// φ̇ of a body [1/s].
    pub(crate) fn mass_rate(&self, body: usize) -> f64 {
        self.mass[body].rate
    }

    /// m(t) g(t) of a body [N].
    pub(crate) fn weight(&self, world: &World, body: usize) -> Vec3 {
        self.gravity * (world.bodies[body].mass * self.mass[body].value)
    }

    /// The numbers at t. Fails with the drive whose value cannot be.
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

/// Why rates cannot be computed where a drive asks for what cannot be.
pub(crate) const NOT_ALLOWED: &str = "its value is not allowed";
