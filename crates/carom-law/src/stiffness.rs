//! Where the stiffness of a contact comes from.

use std::f64::consts::PI;

use crate::error::LawError;
use crate::hertz;
use crate::line::Line;
use crate::touch::{LineTouch, Meeting};

/// Where the contact stiffness K of a law comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stiffness {
    /// given [N/mⁿ]
    Given(f64),
    /// Hertz: from both materials and the relative curvatures at touch; n = 3/2
    Materials,
    /// a bed of springs under a sphere or under a strip of a surface
    Bed(Bed),
    /// cylinders that meet along a line: from both materials, the radii and the length
    Line(Line),
}

/// A bed of springs: how stiff it is, and what is pressed into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bed {
    /// how stiff a spring is
    pub springs: Springs,
    /// the radius of what is pressed into it \[m\]; `None`: from the curvatures at touch
    pub radius: Option<f64>,
    /// what the stiffness of a strip is multiplied by
    pub factor: f64,
}

/// The pressure per indentation of a bed of springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Springs {
    /// given [Pa/m]
    Modulus(f64),
    /// E* of both materials over this depth \[m\]
    Depth(f64),
}

impl Stiffness {
    /// K [N/mⁿ] of a contact: E* \[Pa\] of its materials, and the shape in which its surfaces meet.
    ///
    /// ```
    /// use carom_law::{Bed, Meeting, Springs, Stiffness, hertz};
    /// let (e_star, k) = (1e9, 50.0);
    /// let ball = Meeting::in_point(k, k);
    /// assert_eq!(Stiffness::Given(1e8).at(e_star, &ball)?, 1e8);
    /// assert_eq!(Stiffness::Materials.at(e_star, &ball)?, hertz::stiffness(e_star, k, k)?);
    /// let bed = Stiffness::Bed(Bed { springs: Springs::Depth(0.5), radius: None, factor: 1.0 });
    /// assert_eq!(bed.at(e_star, &ball)?, std::f64::consts::PI * 2e9 / k); // π k R
    /// let strip = Meeting::in_strips(k, 0.1);
    /// assert_eq!(bed.at(e_star, &strip)?, 2e9 * (2.0 / k).sqrt() * 0.1); // k √(2 r) L
    /// assert!(bed.at(e_star, &Meeting::in_point(0.0, k)).is_err()); // a cylinder has no such radius
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn at(&self, e_star: f64, meeting: &Meeting) -> Result<f64, LawError> {
        match self {
            Stiffness::Given(k) => Ok(*k),
            Stiffness::Materials => hertz::stiffness(e_star, meeting.k_min, meeting.k_max),
            Stiffness::Line(line) => Ok(line.at(e_star, meeting)?.0),
            Stiffness::Bed(bed) => {
                let k = match bed.springs {
                    Springs::Modulus(k) => k,
                    Springs::Depth(h) => e_star / h,
                };
                let r = bed.radius.map_or_else(|| meeting.radius(), Ok)?;
                Ok(match meeting.length > 0.0 {
                    true => bed.factor * k * (2.0 * r).sqrt() * meeting.length,
                    false => PI * k * r,
                })
            }
        }
    }

    /// The stiffness if it is given.
    pub fn given(&self) -> Option<f64> {
        match *self {
            Stiffness::Given(k) => Some(k),
            Stiffness::Materials | Stiffness::Bed(_) | Stiffness::Line(_) => None,
        }
    }

    /// Whether it asks for the materials of both surfaces.
    pub fn asks_materials(&self) -> bool {
        matches!(
            self,
            Stiffness::Materials
                | Stiffness::Line(_)
                | Stiffness::Bed(Bed { springs: Springs::Depth(_), .. })
        )
    }

    /// What else a law of line contacts latches of a contact; nothing of another law.
    pub fn line(&self, e_star: f64, meeting: &Meeting) -> LineTouch {
        match self {
            Stiffness::Line(line) => line.at(e_star, meeting).map_or(LineTouch::NONE, |(_, latched)| latched),
            _ => LineTouch::NONE,
        }
    }
}
