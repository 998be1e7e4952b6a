//! Contacts between bodies: contact pairs and their contact points, the forces there under the contact rules, and the
//! monitor of gaps, which finds every touch and release.

mod ahead;
mod bodies;
mod bounds;
mod bristle;
mod candidates;
mod carried;
mod change;
mod closing;
mod contact_point;
mod couple;
mod follow;
mod handover;
mod jump;
mod kinks;
mod latch;
mod make;
mod mass;
mod moved;
mod pair;
mod phases;
#[cfg(test)]
mod plain;
mod point;
mod pressure;
mod reason;
mod rounding;
mod search;
mod shear;
mod stepped;
mod unlocated;
mod warn;
mod monitor;
mod worn;

pub(crate) use bodies::PairBodies;
pub(crate) use bounds::{STAGE_MARGIN, reach};
pub(crate) use bristle::{Traction, rates, sums_work, turning};
pub(crate) use candidates::EAGER_PAIRS;
pub(crate) use closing::{Closing, common_rates};
pub use contact_point::Status;
pub(crate) use contact_point::{Active, ContactPoint, as_variable};
pub(crate) use couple::rolling_and_spinning;
pub(crate) use handover::HandedPair;
pub(crate) use kinks::TIGHT;
pub(crate) use monitor::{ContactMonitor, body_at};
pub(crate) use pair::ContactPair;
pub(crate) use phases::{follow_phases, note_extreme};
#[cfg(test)]
pub(crate) use plain::PlainSolver;
pub(crate) use point::{Lanes, PointForce, Pressed, Sliding};
pub(crate) use pressure::PatchPoint;
pub(crate) use reason::{BEYOND_REACH, reason};
pub(crate) use rounding::BELOW_ROUNDING;
pub(crate) use stepped::{Action, Advance, PairMemory, Remembered};
