//! What a contact pair is evaluated in: the motion of its two bodies, and how far bearings are worn.

use super::pair::ContactPair;
use crate::state::Kinematics;

/// The bodies of a contact pair in the state in which the pair is evaluated, with the wear depths of that state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairBodies<'a> {
    pub(crate) a: &'a Kinematics,
    pub(crate) b: &'a Kinematics,
    /// wear depths of all bearings of the model [m], as [`StateLayout::worn`](crate::layout::StateLayout::worn) returns
    /// them; empty in a model without such depths
    pub(crate) worn: &'a [f64],
}

impl ContactPair {
    /// Returns the bodies of this pair, given the motion of every body of the model and the wear depths.
    #[inline(always)]
    pub(crate) fn bodies<'a>(
        &self,
        motion: impl Fn(usize) -> &'a Kinematics,
        worn: &'a [f64],
    ) -> PairBodies<'a> {
        PairBodies { a: motion(self.body_a), b: motion(self.body_b), worn }
    }
}
