//! Derivatives of a force along coordinates by the states of its two bodies.

use carom_base::{Dual, Scalar};
use carom_ode::Jacobian;

use super::Element;
use crate::joint::{Moving, Row};
use crate::loads::Loads;
use crate::slopes::{Acts, add_along_coordinates};
use crate::world::World;

/// A force along coordinates, at t.
struct ElementAt<'a> {
    element: &'a Element,
    t: f64,
}

impl Acts for ElementAt<'_> {
    fn bodies(&self) -> [usize; 2] {
        self.element.bodies
    }

    fn each<S: Scalar>(&self, loads: &Loads, ends: [&Moving<S>; 2], mut take: impl FnMut(Row<S>, Dual<2>)) {
        let values = ends.map(Moving::values);
        for strand in &self.element.strands {
            let now = strand.at(self.t, &values, loads);
            take(strand.measure.at(ends), strand.slopes(&now, loads));
        }
    }
}

/// Adds the derivatives of a force along coordinates at t to the Jacobian, and loads its bodies.
pub(super) fn add(world: &World, element: &Element, loads: &mut Loads, t: f64, y: &[f64], j: &mut Jacobian) {
    add_along_coordinates(world, &ElementAt { element, t }, loads, t, y, j);
}
