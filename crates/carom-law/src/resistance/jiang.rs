//! Jiang, Yu and Harris: grains that touch over a width, which resists rolling as springs along it do.
//!
//! M = −k θ, θ̇ = ω while k|θ| < N B/6; |M| = N B/6, against the rolling, beyond; k = k_n B²/12
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A, across the normal |
//! | N | N | normal force |
//! | ω | rad/s | rolling: the part of ω_a − ω_b across the normal |
//! | θ | rad | how far the bodies have rolled since they stuck |
//! | B | m | width of the contact; the source has it as a part of the common radius, its shape parameter |
//! | k | N m/rad | rolling stiffness |
//! | k_n | N/m | normal stiffness dF/dδ at the depth that is usual in the contact |
//!
//! Source: M. J. Jiang, H.-S. Yu, D. Harris, A novel discrete model for granular material incorporating rolling resistance, *Computers and Geotechnics* 32 (2005) 340–357; from general knowledge.
//! Both constants follow from springs spread evenly over the width, k_n/B per length: ∫ (k_n/B) x² dx = k_n B²/12 over |x| < B/2, and the outermost spring is without load
//! where N/B = (k_n/B) θ B/2, that is at M = N B/6. As in the source the couple is constant from there on.
//! Changed: as in [`elastic-plastic`](super::ElasticPlastic), of which it is the case c = B/6, k = 3 k_n c².
//! Valid: discs that roll in a plane, slow rolling.
//! Exit: at |θ| = 2N/(k_n B) it rolls; it sticks again as soon as the rolling has ended.
//! Checked: the springs above, summed; a ball that lies on a slope, passivity along random walks.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::spring::{DAMPING, SpringSlider, Stiffness, spring_law};
use super::{Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::Friction;

/// A contact of a width that resists rolling (Jiang, Yu and Harris 2005).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::resistance::Jiang;
/// use carom_law::{Grip, Memory, ResistanceLaw, Slip, Touch};
/// let law = Jiang::new(6e-3)?; // B = 6 mm
/// let grip = Grip::new(&Touch::point(1e6, 1.0, 1.0), 1.0, 1.0, 0.0, 1.0);
/// let at = Slip { slope: 1e6, delta: 5e-5, ..Slip::under(50.0, Vec3::zeros()) };
/// let bent = Memory { z: Vec3::new(1e-3, 0.0, 0.0), s: 0.0 };
/// let m = law.spring().unwrap().evolve_at(0, &at, &grip, &bent).f_t;
/// assert!((m.x + 1e6 * 6e-3 * 6e-3 / 12.0 * 1e-3).abs() < 1e-15);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jiang {
    spring: SpringSlider,
}

const NAME: &str = "jiang";

const WIDTH: Param = Param::required(
    "width",
    Quantity::Length,
    Allowed::Positive,
    "width B over which the surfaces touch: they begin to roll at the couple N B/6",
);

impl Jiang {
    /// B \[m\] > 0; refuses another.
    pub fn new(width: f64) -> Result<Jiang, LawError> {
        Ok(Jiang::with(width, 0.0)?)
    }

    /// With damping C [N m s/rad] ≥ 0; [`ResistanceLaw::check`] refuses another.
    pub const fn damping(mut self, damping: f64) -> Jiang {
        self.spring.damping = damping;
        self
    }

    fn with(width: f64, damping: f64) -> Result<Jiang, SpecError> {
        check_value(NAME, &WIDTH, width)?;
        let stiffness = Stiffness::Normal(width * width / 12.0);
        let spring = SpringSlider { name: NAME, coefficient: width / 6.0, stiffness, damping };
        spring.check_values()?;
        Ok(Jiang { spring })
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        Ok(Arc::new(Jiang::with(needed(args, NAME, &WIDTH)?, needed(args, NAME, &DAMPING)?)?))
    }
}

impl ResistanceLaw for Jiang {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spring(&self) -> Option<&dyn Friction> {
        Some(&self.spring)
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.spring.check_values()?)
    }
}

spring_law!(Jiang);

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "a contact of a width B, with springs along it; with memory",
        params: &[WIDTH, DAMPING],
        build: Jiang::build,
    },
    formula: "M = −k θ, θ̇ = ω while k|θ| < N B/6; |M| = N B/6 beyond; k = k_n B²/12",
    range: "discs and grains that roll slowly in a plane or lie still",
    at_rest: "holds, without creep",
    reference: Reference {
        source: "M. J. Jiang, H.-S. Yu, D. Harris, Computers and Geotechnics 32 (2005) 340-357; from general knowledge",
        checked: "not seen in the original; both constants derived from springs along the width; a ball on a slope; passivity",
    },
};
