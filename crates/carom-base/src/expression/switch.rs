//! Switches: where an expression passes from one branch of a function to another.

use super::Expression;

/// On which side of a switch an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Side {
    /// by the sign of the switch's value
    #[default]
    Free,
    /// as if the switch were negative
    Negative,
    /// as if it were positive (or zero)
    Positive,
}

carom_portable::plain!(
    enum Side {
        Free,
        Negative,
        Positive,
    }
);

/// A sub-expression whose sign selects a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// what changes its sign where one branch ends and another begins, over the names of the whole expression
    pub value: Expression,
    /// whether the value of the whole may jump there (`if`, `sign`, `pulse`, `mod`, `floor`, `ceil`), or only has a kink
    /// (`abs`, `min`, `max`, `step`, tables)
    pub jumps: bool,
}

/// The sides on which the switches are, in the order in which an evaluation meets them.
pub(super) struct Sides<'s> {
    all: &'s [Side],
    next: usize,
}

impl<'s> Sides<'s> {
    pub(super) fn new(all: &'s [Side]) -> Sides<'s> {
        Sides { all, next: 0 }
    }

    /// Returns the side of the next switch.
    pub(super) fn one(&mut self) -> Side {
        self.next += 1;
        self.all.get(self.next - 1).copied().unwrap_or_default()
    }

    /// Returns the sides of the next n switches; those that are missing at the end are free.
    pub(super) fn several(&mut self, n: usize) -> &'s [Side] {
        let from = self.next.min(self.all.len());
        self.next += n;
        &self.all[from..self.next.min(self.all.len())]
    }
}
