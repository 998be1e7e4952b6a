//! A contact as friction laws that follow its depth see it, under any normal law: what is latched of it as the surfaces touch ([`Grip`]), and what changes with the indentation ([`Slip`]).

use carom_base::{Jet, Scalar, Vec3};

use crate::grip::{Grip, Slip};
use crate::law::{Friction, Normal, Still};
use crate::power::HERTZ_EXPONENT;
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// The stiffness of a contact changes infinitely fast where the surfaces begin to press; within this part of the usual indentation it counts as changing by as much as it is.
const SHALLOW: f64 = 1e-12;

/// Whether a normal law gives what a friction law asks of it that follows the depth: a stiffness that changes with the indentation, or the radius of a circle.
pub fn suits(friction: &dyn Friction, normal: &dyn Normal) -> bool {
    if !friction.follows_depth() || !friction.needs_power() {
        return true;
    }
    let (n, in_points) =
        (normal.exponent(), matches!(normal.stiffness(), Stiffness::Given(_) | Stiffness::Materials));
    in_points && if friction.needs_circle() { n == HERTZ_EXPONENT } else { n >= 1.0 }
}

impl Grip {
    /// Of a contact under a normal law, as the surfaces touch with the indentation `at`. `ratio`: the stiffness along the surface as a part of that along the normal.
    pub fn at_touch(
        normal: &dyn Normal,
        friction: &dyn Friction,
        touch: &Touch,
        ratio: f64,
        at: Indentation,
    ) -> Grip {
        let grip = Grip::new(touch, normal.exponent_in(touch), ratio, at.delta, at.delta_dot);
        let (pull_off, hold, closes) =
            (normal.pull_off(touch), normal.holds_to(touch), normal.closes_at(touch));
        let reach = match friction.needs_circle() {
            true => circle(normal, touch, grip.reach + hold),
            false => grip.reach,
        };
        let presses = match () {
            () if closes.is_finite() => (at.delta - closes).signum(),
            () if normal.holds_loosely() => 1.0,
            () => 0.0,
        };
        let adheres = pull_off > 0.0 && hold > 0.0;
        Grip { reach, damped: !normal.is_elastic(), adheres, pull_off, presses, closes, ..grip }
    }
}

/// The depth of Hertz's contact \[m\] that is as large as this one at an indentation \[m\], or at least as it is when the surfaces touch.
fn circle(normal: &dyn Normal, touch: &Touch, delta: f64) -> f64 {
    let depth = |delta: f64| {
        let root = normal.still(delta, touch).rigidity.value / (HERTZ_EXPONENT * touch.stiffness);
        root * root
    };
    depth(delta).max(depth(0.0))
}

impl Slip {
    /// Of a contact under a normal law at an indentation, without slip; and what that is at rest, with the derivatives by the indentation.
    pub fn at_depth(normal: &dyn Normal, touch: &Touch, grip: &Grip, at: Indentation) -> (Slip, Still) {
        let adhesion = grip.pull_off;
        let mut still = normal.still(at.delta, touch);
        still.rigidity = bounded(still.rigidity, SHALLOW * grip.depth);
        if !still.force.second.is_finite() {
            still.force.second = 0.0;
        }
        still.force.value += adhesion;
        if grip.adheres && !(still.force.value > 0.0) {
            // where they pull hardest (never quite nothing, so that its ratio to itself is 1)
            still.force = Scalar::from_f64(f64::MIN_POSITIVE);
        }
        let pressing = || if at.delta > touch.floor { normal.force(at, touch).f_n } else { 0.0 };
        // (where adhesion and force cancel, two ways to compute them differ by all there is; no adhesive law knows rates)
        let f_n = if adhesion > 0.0 { still.force.value } else { pressing().max(0.0) };
        let slip = Slip {
            f_elastic: still.force.value,
            slope: still.force.rate,
            rigidity: still.rigidity.value,
            stiffening: still.rigidity.rate,
            delta: at.delta,
            delta_dot: at.delta_dot,
            ..Slip::under(f_n, Vec3::zeros())
        };
        (slip, still)
    }
}

/// The stiffness of a contact that changes no faster than by itself over this depth \[m\].
fn bounded(rigidity: Jet, shallow: f64) -> Jet {
    let most = rigidity.value / shallow;
    match rigidity.rate.abs() <= most {
        true => rigidity,
        false => Jet { rate: most.copysign(rigidity.rate), second: 0.0, ..rigidity },
    }
}
