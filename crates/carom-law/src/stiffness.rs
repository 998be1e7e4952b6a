//! Where the stiffness of a contact comes from.

use std::f64::consts::PI;

use crate::error::LawError;
use crate::hertz;
use crate::line::Line;
use crate::material::Material;
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
    /// soft layers that are pressed together, for a pressure on every point of a patch
    Layers(Layers),
}

/// The soft layers on two bodies, A and B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layers {
    /// given
    Given {
        /// pressure per depth of both together [Pa/m]
        stiffness: f64,
        /// how much A and B yield; their ratio counts
        weights: [f64; 2],
    },
    /// thicknesses of the layers on A and on B \[m\], 0 for a rigid body
    Thickness([f64; 2]),
}

/// Two layers pressed together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bedding {
    /// pressure per depth K [Pa/m]
    pub stiffness: f64,
    /// the parts s_A and s_B of the depth by which A and B yield; their sum is 1
    pub weights: [f64; 2],
}

impl Layers {
    /// The layers on bodies of these materials, in series; a layer without thickness needs none.
    ///
    /// ```
    /// use carom_law::{Layers, Material};
    /// let cork = Material::new("cork").youngs_modulus(30e6).poisson_ratio(0.0);
    /// let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3);
    /// let both = Layers::Thickness([0.003, 0.003]).between([Some(&cork), Some(&steel)])?;
    /// assert!((both.stiffness / (1.0 / (1e-10 + 0.003 / (210e9 * 0.7 / (1.3 * 0.4)))) - 1.0).abs() < 1e-15);
    /// assert!(both.weights[0] > 0.999 && (both.weights[0] + both.weights[1] - 1.0).abs() < 1e-15);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn between(&self, materials: [Option<&Material>; 2]) -> Result<Bedding, LawError> {
        let none = Material::new("(none)");
        let yields = match *self {
            Layers::Given { weights, .. } => weights,
            Layers::Thickness(thickness) => {
                let mut yields = [0.0; 2];
                for i in (0..2).filter(|&i| thickness[i] > 0.0) {
                    yields[i] = thickness[i] / materials[i].unwrap_or(&none).constrained_modulus()?;
                }
                yields
            }
        };
        let sum = yields[0] + yields[1];
        let stiffness = match *self {
            Layers::Given { stiffness, .. } => stiffness,
            Layers::Thickness(_) => 1.0 / sum,
        };
        Ok(Bedding { stiffness, weights: [yields[0] / sum, 1.0 - yields[0] / sum] })
    }

    /// Which of the two bodies must have a material.
    pub fn asks_materials(&self) -> [bool; 2] {
        match self {
            Layers::Given { .. } => [false; 2],
            Layers::Thickness(thickness) => thickness.map(|t| t > 0.0),
        }
    }
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
    /// K [N/mⁿ] of a contact: E* \[Pa\] of its materials, and the shape in which its surfaces meet. Of layers whose stiffness follows from materials that stiffness is given in the place
    /// of E*.
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
            // (that of layers is known before any contact: `Layers::between`)
            Stiffness::Layers(Layers::Given { stiffness, .. }) => Ok(*stiffness),
            Stiffness::Layers(Layers::Thickness(_)) => Ok(e_star),
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
            Stiffness::Layers(Layers::Given { stiffness, .. }) => Some(stiffness),
            Stiffness::Materials | Stiffness::Bed(_) | Stiffness::Line(_) | Stiffness::Layers(_) => None,
        }
    }

    /// Whether it asks for the materials of both surfaces.
    pub fn asks_materials(&self) -> bool {
        matches!(
            self,
            Stiffness::Materials
                | Stiffness::Line(_)
                | Stiffness::Layers(Layers::Thickness(_))
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
