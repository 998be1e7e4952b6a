//! The measures of the coordinates that joints leave free.

use super::describe::Frames;
use super::measure::{A, B, Measure, Vector};
use crate::coordinate::{Coordinate, Direction, Measured};

impl Coordinate {
    /// Returns its measure for a joint that has these frames on its bodies.
    pub(super) fn measure(&self, frames: &Frames) -> Measure {
        match self.measured {
            Measured::Angle => frames.angle(),
            Measured::Along(d) => frames.along(d),
            // y of B, from y towards x of A: in this sense the angle is positive when A turns relative to B
            Measured::AboutFirst => frames.angle_of(B, Direction::Y, [Direction::X, Direction::Y]),
            Measured::AboutSecond => frames.angle_of(A, Direction::Z, [Direction::X, Direction::Z]),
            Measured::Swing => {
                let [d, e] = [A, B].map(|end| Vector::On(end, frames.direction(end, Direction::Z)));
                Measure::Between { d, e }
            }
        }
    }
}
