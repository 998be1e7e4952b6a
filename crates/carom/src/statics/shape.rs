//! The shape of a small motion, in words and numbers.

use nalgebra::Complex;

use super::coordinates::Coordinates;
use crate::model::Model;

/// The smallest component of a shape that is named, the largest being 1.
const NAMED: f64 = 0.05;

/// The motion of all bodies in a mode: displacements of their centres of mass and rotations about them, world frame.
///
/// A rotation counts as the displacement of a point at the body's radius of gyration about that axis; in this measure
/// the largest component is 1.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("mass").mass(1.0).dofs(&[Dof::Z]));
/// builder.body(Body::fixed("wall").position([0.0, 0.0, 1.0]));
/// builder.force(Force::between("mass", "wall", SpringDamper::new(100.0, 1.0)?));
/// let modes = Modes::new(&builder.build()?)?;
/// assert_eq!(modes.modes[0].shape.to_string(), "mass z 1.00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// in the order of the bodies, for each body along and about its axes
    pub components: Vec<Component>,
}

/// The motion of one body along or about one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// name of the body
    pub body: String,
    /// `x`, `y`, `z`: along, `rx`, `ry`, `rz`: about a world axis
    pub direction: &'static str,
    /// amplitude: [m], or [rad] for a rotation
    pub value: f64,
    /// amplitude as a displacement [m]: the value, for a rotation times the radius of gyration
    pub share: f64,
    /// phase by which it leads the largest component [rad]
    pub phase: f64,
}

impl Shape {
    /// Returns the shape of a motion along u, scaled so that the largest component is 1.
    pub(super) fn new(m: &Model, at: &Coordinates, u: &[Complex<f64>]) -> Shape {
        let weighed = |i: usize| u[i] * at.directions[i].lever;
        let size = |i: usize| weighed(i).norm();
        let largest = (0..u.len()).fold(0, |best, i| if size(i) > size(best) { i } else { best });
        let unit = match u.get(largest) {
            Some(_) if size(largest) > 0.0 => weighed(largest),
            _ => Complex::new(1.0, 0.0),
        };
        let component = |(i, d): (usize, &super::coordinates::Direction)| {
            let x = u[i] / unit;
            // in phase or in antiphase, to rounding error: the sign suffices
            let real = x.im.abs() <= 1e-9 * x.norm();
            let (value, phase) = if real { (x.re, 0.0) } else { (x.norm(), x.arg()) };
            let body = m.world.bodies[d.body].name.clone();
            Component { body, direction: d.label, value, share: value * d.lever, phase }
        };
        Shape { components: at.directions.iter().enumerate().map(component).collect() }
    }
}

impl std::fmt::Display for Shape {
    /// Writes the components that are at least a twentieth of the largest, largest first, with phases where bodies
    /// are not in phase.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut named: Vec<&Component> = self.components.iter().filter(|c| c.share.abs() >= NAMED).collect();
        named.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
        for (i, c) in named.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{} {} {:.2}", c.body, c.direction, c.share)?;
            if c.phase != 0.0 {
                write!(f, " at {:.0}°", c.phase.to_degrees())?;
            }
        }
        Ok(())
    }
}
