//! A small motion in words and numbers.

use nalgebra::Complex;

use super::coordinates::Coordinates;
use crate::model::Model;

/// What is named of a shape: components that are this large, the largest being 1.
const NAMED: f64 = 0.05;

/// How all bodies move in a mode: displacements of their centres of mass and turns about them, world frame.
///
/// A turn counts as the way of a point at the body's radius of gyration about that axis; counted so, the largest component is 1.
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
    /// in the order of the bodies
    pub components: Vec<Component>,
}

/// One body along or about one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// the body
    pub body: String,
    /// `x`, `y`, `z`: along, `rx`, `ry`, `rz`: about a world axis
    pub direction: &'static str,
    /// how far: [m], or [rad] of a turn
    pub value: f64,
    /// what it counts as: the value, of a turn times the radius of gyration [m]
    pub share: f64,
    /// how far it is ahead in its cycle of the largest component [rad]
    pub phase: f64,
}

impl Shape {
    /// Of a motion along u.
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
            // in step or against it, to rounding: a sign says it all
            let real = x.im.abs() <= 1e-9 * x.norm();
            let (value, phase) = if real { (x.re, 0.0) } else { (x.norm(), x.arg()) };
            let body = m.world.bodies[d.body].name.clone();
            Component { body, direction: d.label, value, share: value * d.lever, phase }
        };
        Shape { components: at.directions.iter().enumerate().map(component).collect() }
    }
}

impl std::fmt::Display for Shape {
    /// The components that are a twentieth of the largest or more, largest first; phases where bodies are not in step.
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
