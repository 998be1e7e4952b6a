//! Wear by Archard's law: V̇ = k F_n |v_t|.
//!
//! J. F. Archard, Contact and rubbing of flat surfaces, J. Appl. Phys. 24 (1953) 981–988: the volume worn off is as the load times the way slid, over the
//! hardness, V = K F s/H; k = K/H [1/Pa].
//!
//! Every contact may have it, and its volume is an integral of the ledger's kind. A journal wears a profile besides, the depth h(θ) of its bearing over the
//! angle (`spline`), which may be fed back into the gap (`groove`): δ = δ₀ − h(θ). Depths are components of the state, so that the rates stay a function of it.

mod groove;
mod spline;

pub(crate) use groove::{Groove, Sweep, angle};
pub(crate) use spline::Splines;
pub(crate) use spline::value_at;

use crate::error::{BuildError, Subject};

/// How a contact wears.
///
/// ```
/// use carom::prelude::*;
/// let wear = Wear::hardness(1e-4, 2e9).repeat(1000.0); // K, H [Pa]; as if every turn were a thousand
/// let pin = Joint::between("rod", "piston", Revolute).at([0.17, 0.0, 0.0]).axis([0.0, 0.0, 1.0]);
/// let pin = Clearance::new(pin, 0.5e-3).radius(9.5e-3).wear(wear.length(0.02).sectors(180));
/// # let _ = pin;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Wear {
    /// k [1/Pa]
    pub(crate) coefficient: f64,
    pub(crate) repeat: f64,
    pub(crate) sectors: usize,
    pub(crate) feedback: bool,
    pub(crate) length: Option<f64>,
}

/// The fewest sectors of a profile, and the most.
const SECTORS: std::ops::RangeInclusive<usize> = 8..=100_000;

impl Wear {
    /// With the coefficient k [1/Pa] = [m³/(N m)]: volume per load and way slid. None at 0.
    pub fn coefficient(k: f64) -> Wear {
        Wear { coefficient: k, repeat: 1.0, sectors: 120, feedback: true, length: None }
    }

    /// With Archard's number K and the hardness H [Pa] of the softer side: k = K/H.
    pub fn hardness(number: f64, hardness: f64) -> Wear {
        Wear::coefficient(number / hardness)
    }

    /// Everything that is worn off counts so many times: wear is slow, and one turn may stand for many.
    pub fn repeat(mut self, times: f64) -> Wear {
        self.repeat = times;
        self
    }

    /// Into how many sectors the angle of a bearing is divided, 8 or more: a contact point wears about two of them.
    pub fn sectors(mut self, count: usize) -> Wear {
        self.sectors = count;
        self
    }

    /// The profile of a bearing is recorded, but the journal does not feel it.
    pub fn without_feedback(mut self) -> Wear {
        self.feedback = false;
        self
    }

    /// The length of the bearing that is worn [m], of a joint that has none of its own.
    pub fn length(mut self, length: f64) -> Wear {
        self.length = Some(length);
        self
    }

    /// The law in a model; `None` where nothing wears. `bearing`: what has a profile.
    pub(crate) fn build(
        &self,
        subject: &Subject,
        bearing: Option<&Bearing>,
    ) -> Result<Option<WearLaw>, BuildError> {
        let k = self.coefficient * self.repeat;
        for (field, value, least) in [("coefficient", self.coefficient, 0.0), ("repeat", self.repeat, 0.0)] {
            if !(value >= least && value.is_finite()) {
                return Err(subject.bad(field, value, "a finite number, 0 or greater"));
            }
        }
        if !SECTORS.contains(&self.sectors) {
            return Err(subject.bad("sectors", self.sectors, "from 8 to 100000"));
        }
        if let Some(length) = self.length.filter(|l| !(*l > 0.0 && l.is_finite())) {
            return Err(subject.bad("length", length, "a finite number greater than 0"));
        }
        let profile = bearing.map(|b| Profile {
            first: 0,
            sectors: self.sectors,
            ends: b.ends,
            area: b.radius * std::f64::consts::TAU / self.sectors as f64 * b.length / b.ends as f64,
            play: b.play,
            feedback: self.feedback,
        });
        Ok((k > 0.0).then_some(WearLaw { k, volume: 0, profile }))
    }
}

/// A bearing that wears.
#[derive(Clone, Debug)]
pub(crate) struct Bearing {
    /// of the hole [m]
    pub(crate) radius: f64,
    /// [m]
    pub(crate) length: f64,
    /// of the hole less that of the journal [m]
    pub(crate) play: f64,
    /// contact points that share its length
    pub(crate) ends: usize,
}

/// The law in a model.
#[derive(Clone, Debug)]
pub(crate) struct WearLaw {
    /// k, as often as it counts [1/Pa]
    pub(crate) k: f64,
    /// where its volume is among the integrals
    pub(crate) volume: usize,
    pub(crate) profile: Option<Profile>,
}

/// Where a bearing's depths are and what they cover.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// its first depth among all
    pub(crate) first: usize,
    pub(crate) sectors: usize,
    pub(crate) ends: usize,
    /// of a sector, R Δθ L [m²]
    pub(crate) area: f64,
    /// [m]
    pub(crate) play: f64,
    pub(crate) feedback: bool,
}

impl Profile {
    /// How many numbers it has in the state.
    pub(crate) fn len(&self) -> usize {
        self.ends * self.sectors
    }

    /// Where those of an end start among all depths.
    pub(crate) fn of_end(&self, point: usize) -> usize {
        self.first + point * self.sectors
    }
}
