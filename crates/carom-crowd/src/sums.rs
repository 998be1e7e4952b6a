//! Sums over contacts, in an order that no number of threads changes.

/// Contacts are summed up in parts of so many, one part after the other.
pub const CHUNK: usize = 256;

/// What is summed up over the contacts of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// power that normal forces dissipate [W]
    pub lost_normal: f64,
    /// power that friction and resistance take from the motion [W]
    pub lost_friction: f64,
    /// the largest normal force [N]
    pub force: f64,
    /// the largest indentation [m]
    pub depth: f64,
    /// the largest indentation as a part of the radius of the smaller ball
    pub overlap: f64,
    /// number of contacts that have begun
    pub touches: usize,
    /// number of contacts that act
    pub acting: usize,
}

impl Sums {
    /// Adds what another part of the contacts has.
    pub fn add(&mut self, other: &Sums) {
        self.lost_normal += other.lost_normal;
        self.lost_friction += other.lost_friction;
        self.force = self.force.max(other.force);
        self.depth = self.depth.max(other.depth);
        self.overlap = self.overlap.max(other.overlap);
        self.touches += other.touches;
        self.acting += other.acting;
    }

    /// Adds up the parts in their order.
    pub fn of<'s>(parts: impl IntoIterator<Item = &'s Sums>) -> Sums {
        let mut sum = Sums::default();
        parts.into_iter().for_each(|part| sum.add(part));
        sum
    }
}
