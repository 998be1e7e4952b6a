//! Contact rules: which bodies touch, and under which laws.

use std::ops::Range;
use std::sync::Arc;

use carom_base::Vec3;
use carom_geometry::PairSolver;
use carom_law::{Friction, Grip, Indentation, Normal, Resistance, Touch};

use super::endpoint::Endpoint;
use super::friction_point::FrictionAt;
use crate::error::Subject;
use crate::wear::WearLaw;

/// The scene keys of the laws of resistance.
pub(super) const RESISTANCE: [&str; 2] = ["rolling", "spinning"];

/// An indentation just above zero [m].
///
/// A located contact point touches and parts at δ = 0, by events. Rounding errors leave δ on either side, and stages of a
/// step end beyond. On both sides laws must give their forces at δ = 0⁺, or rates would jump within the first and the last
/// step of a contact: a dashpot pushes as soon as it touches, or pulls until it parts, and bristles relax under no load.
pub(crate) const TOUCHING: f64 = f64::MIN_POSITIVE;

/// Returns whether steps that resolve the motion under this law need not resolve what it dissipates. If the law holds its
/// force at zero, no force acts, and only the energy balance shows how the energy still stored is lost. If its force jumps at
/// touch, the motion is as smooth at the ends of the contact as in between, and steps are long; the dissipated power, D δ̇²,
/// changes twice as fast, and a formula of order p has an error that is 2^{p+1} times as large.
pub(crate) fn is_dashpot(law: &dyn Normal) -> bool {
    let first = Indentation { delta: TOUCHING, delta_dot: 1.0 };
    law.lets_go_early() || law.force(first, &Touch::point(1.0, 1.0, 1.0)).f_n > 1e-30
}

/// Returns whether a law may hold surfaces by adhesion.
pub(crate) fn adheres(law: &dyn Normal) -> bool {
    law.pull_off(&Touch { radius: 1.0, ..Touch::point(1.0, 1.0, 1.0) }) > 0.0
}

/// Returns whether surfaces jump into contact and out of it under a law.
pub(crate) fn jumps(law: &dyn Normal) -> bool {
    adheres(law) && law.holds_to(&Touch { radius: 1.0, ..Touch::point(1.0, 1.0, 1.0) }) > 0.0
}

/// What laws act against at a contact point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Against {
    /// the sliding velocity [m/s]
    Sliding,
    /// the part of the relative angular velocity across the normal [rad/s]
    Rolling,
    /// the part along the normal [rad/s]
    Spinning,
}

impl Against {
    pub(crate) const ALL: [Against; 3] = [Against::Sliding, Against::Rolling, Against::Spinning];

    /// Returns the part of a vector that lies where these rates do: along the normal, or in the tangent plane.
    pub(crate) fn part(self, n: &Vec3, z: &Vec3) -> Vec3 {
        let along = n * n.dot(z);
        if self == Against::Spinning { along } else { z - along }
    }

    /// Returns whether the law makes a couple, not a force.
    pub(crate) fn turns(self) -> bool {
        self != Against::Sliding
    }

    /// Returns the scene key of such a law.
    pub(super) fn key(self) -> &'static str {
        match self {
            Against::Sliding => "friction",
            Against::Rolling => RESISTANCE[0],
            Against::Spinning => RESISTANCE[1],
        }
    }
}

/// A law with memory of a rule, and which of the memories of a contact point are its own.
pub(crate) struct Remembering<'r> {
    pub(crate) against: Against,
    pub(crate) law: &'r dyn Friction,
    pub(crate) elements: Range<usize>,
}

/// Returns the laws with memory among these, by what they act against.
pub(super) fn springs<'r>(
    friction: &'r Option<Arc<dyn Friction>>,
    resistance: &'r [Option<Arc<dyn Resistance>>; 2],
) -> [Option<&'r dyn Friction>; 3] {
    let [rolling, spinning] = resistance.each_ref().map(|law| law.as_ref().and_then(|law| law.spring()));
    [friction.as_deref().filter(|law| law.remembers()), rolling, spinning]
}

/// A contact rule in a model, after all checks.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) between: [Endpoint; 2],
    pub(crate) normal: Arc<dyn Normal>,
    pub(crate) friction: Option<Arc<dyn Friction>>,
    pub(crate) friction_at: FrictionAt,
    /// laws of resistance to rolling and to spinning
    pub(crate) resistance: [Option<Arc<dyn Resistance>>; 2],
    /// whether friction has memory
    pub(crate) remembers: bool,
    /// whether friction or resistance has memory, so that a contact point has a position in the state
    pub(crate) has_memory: bool,
    /// whether its normal law may hold the surfaces by adhesion
    pub(crate) adheres: bool,
    pub(crate) min_impact_speed: f64,
    /// solver that finds the contact points, if not the standard ones
    pub(crate) solver: Option<Arc<dyn PairSolver>>,
    /// whether its contacts are integrals of pressure over their patches
    pub(crate) presses: bool,
    pub(crate) wear: Option<WearLaw>,
    /// whether no force acts between the surfaces that it names
    pub(crate) none: bool,
    /// whether a deep overlap at the start is intended
    pub(crate) may_start_deep: bool,
}

impl Rule {
    /// Returns the contact as the subject of an error message.
    pub(crate) fn subject(&self) -> Subject {
        Subject::Contact(self.name.clone())
    }

    /// Returns whether its normal law may be a dashpot, whose dissipation steps need not resolve ([`is_dashpot`]). (A
    /// user-defined function is first called in a run, where its errors belong.)
    pub(crate) fn has_dashpot(&self) -> bool {
        !self.normal.is_formula() || is_dashpot(&*self.normal)
    }

    /// Returns whether surfaces jump into contact and out of it.
    pub(crate) fn jumps(&self) -> bool {
        self.adheres && jumps(&*self.normal)
    }

    /// Returns whether its forces depend on more than positions and velocities.
    pub(crate) fn depends_on_the_past(&self) -> bool {
        let profile = self.wear.as_ref().and_then(|wear| wear.profile.as_ref());
        self.normal.needs_impact_speed()
            || self.normal.has_phases()
            || self.has_memory
            || profile.is_some_and(|p| p.feedback)
    }
}

impl Rule {
    /// Returns its laws with memory.
    pub(crate) fn remembering(&self) -> impl Iterator<Item = Remembering<'_>> {
        let mut next = 0;
        let laws = Against::ALL.into_iter().zip(springs(&self.friction, &self.resistance));
        laws.filter_map(move |(against, law)| {
            let law = law?;
            let elements = next..next + law.elements();
            next = elements.end;
            Some(Remembering { against, law, elements })
        })
    }

    /// Returns how many memories the elements of its laws have at a contact point.
    pub(crate) fn elements(&self) -> usize {
        self.remembering().map(|one| one.elements.len()).sum()
    }

    /// Returns how many positions in the state a contact point takes: those of the elements and, for an ellipse, one for its axis.
    pub(crate) fn memories(&self, grips: &[Grip; 3]) -> usize {
        self.elements() + usize::from(grips[Against::Sliding as usize].oval != 0.0)
    }

    /// Returns whether one of its laws has modes that change at located instants.
    pub(crate) fn switches(&self) -> bool {
        self.remembering().any(|one| one.law.switching().is_some())
    }

    /// Returns whether one of its laws with memory follows the depth of the contact.
    pub(crate) fn follows_depth(&self) -> bool {
        self.remembering().any(|one| one.law.follows_depth())
    }

    /// Returns whether it resists rolling or spinning.
    pub(crate) fn resists(&self) -> bool {
        self.resistance.iter().any(Option::is_some)
    }

    /// Returns whether one of its laws of resistance takes the radius of the contact patch from curvatures.
    pub(crate) fn asks_curvature(&self) -> bool {
        self.resistance.iter().flatten().any(|law| law.patch().asks_curvature())
    }
}
