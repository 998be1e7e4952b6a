//! Contacts between bodies: the rules that say which and how, their points and forces, and the watch over
//! gaps that finds every touch and release.

mod ahead;
mod bounds;
mod bristle;
mod change;
mod check;
mod closing;
mod couple;
mod feature;
mod follow;
mod friction_point;
mod mass;
mod moved;
mod point;
mod rounding;
mod rule;
mod search;
mod slot;
mod timing;
mod unlocated;
mod warn;
mod watch;
mod worn;

pub(crate) use ahead::is_dashpot;
pub(crate) use bounds::reach;
pub(crate) use bristle::stored;
pub(crate) use check::{audit_pair, bind_surfaces, check_pairs, check_rule};
pub(crate) use couple::rolling_and_spinning;
pub use feature::Status;
pub(crate) use feature::{TOUCHING, varied};
pub use friction_point::FrictionAt;
pub(crate) use point::{PointForce, Pressed, load, shown};
pub(crate) use rounding::BELOW_ROUNDING;
pub use rule::{ContactRule, Endpoint};
pub(crate) use rule::{Rule, RuleTable};
pub(crate) use slot::{Slot, placed};
pub(crate) use watch::{EAGER_PAIRS, Watch, body_at};
