//! Hertz: the elastic contact.
//!
//! F = K δⁿ, E = K δⁿ⁺¹/(n+1)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K | N/mⁿ | contact stiffness; from materials and curvature for n = 3/2, see [`crate::hertz`] |
//! | δ | m | indentation |
//! | n | 1 | exponent; 3/2 for a point contact |
//! | E | J | stored energy |
//!
//! Source: H. Hertz, Über die Berührung fester elastischer Körper, *J. reine angew. Math.* 92 (1882) 156–171.
//! Valid: elastic, small strain, impacts slow against the waves in the bodies.
//! Checked against the public code of Chrono and Simbody.

use std::sync::Arc;

use carom_base::{Args, Entry, Scalar, SpecError};

use super::{EXIT_TOGETHER, NormalEntry};
use crate::entry::Reference;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::power::{EXPONENT, PowerLaw, STIFFNESS, check_power};
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// F = K δⁿ: nothing is lost (Hertz 1882).
///
/// ```
/// use carom_law::normal::Hertz;
/// use carom_law::{Indentation, Normal, NormalLaw, Touch};
/// let law = Hertz::new(); // K from materials and curvature, n = 3/2
/// let touch = Touch::point(1e9, 1.0, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.3 }, &touch);
/// assert!((f.f_n - 1e3).abs() < 1e-9 && f.f_n == f.f_elastic);
///
/// // a given stiffness, and another exponent
/// assert!(Hertz::new().exponent(1.0).stiffness(2e6).check().is_ok());
/// assert!(Hertz::new().exponent(1.0).check().is_err()); // materials give K for 3/2 only
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hertz {
    power: PowerLaw,
}

impl Hertz {
    const NAME: &'static str = "hertz";

    /// Stiffness from materials and curvature, exponent 3/2.
    pub const fn new() -> Hertz {
        Hertz { power: PowerLaw::HERTZ }
    }

    /// With a given stiffness K [N/mⁿ] > 0; [`NormalLaw::check`] refuses another.
    pub const fn stiffness(mut self, k: f64) -> Hertz {
        self.power.stiffness = Some(k);
        self
    }

    /// With another exponent n, 1 to 10; [`NormalLaw::check`] refuses another, and one without a stiffness.
    pub const fn exponent(mut self, n: f64) -> Hertz {
        self.power.exponent = n;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let power = PowerLaw::from_args(args);
        check_power(Hertz::NAME, power.stiffness, power.exponent)?;
        Ok(Arc::new(Hertz { power }))
    }
}

impl Default for Hertz {
    fn default() -> Hertz {
        Hertz::new()
    }
}

impl NormalLaw for Hertz {
    fn name(&self) -> &'static str {
        Hertz::NAME
    }
    fn exponent(&self) -> f64 {
        self.power.exponent
    }
    fn stiffness(&self) -> Stiffness {
        self.power.source()
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        self.power.energy(delta, touch)
    }
    fn is_elastic(&self) -> bool {
        true
    }
}

impl NormalFormula for Hertz {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let f_elastic = self.power.elastic(c.delta, S::from_f64(touch.stiffness));
        NormalForce { f_n: f_elastic, f_elastic }
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: Hertz::NAME,
        summary: "elastic: nothing is lost",
        params: &[STIFFNESS, EXPONENT],
        build: Hertz::build,
    },
    formula: "F = K δⁿ",
    range: "elastic bodies, small strains, impacts slow against the waves in the bodies",
    exit: EXIT_TOGETHER,
    reference: Reference {
        source: "H. Hertz, J. reine angew. Math. 92 (1882) 156-171",
        checked: "against the public code of Chrono and Simbody",
    },
    eta: None,
};
