//! What a law is given of a contact: the shape in which the surfaces meet, what is latched at touch, and the indentation.

use carom_base::Scalar;
use carom_base::elementary::pow;

use crate::error::LawError;
use crate::hertz::PointContact;
use crate::history::History;

/// The shape of a contact when it begins, as far as a stiffness depends on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// the smaller relative curvature [1/m]
    pub k_min: f64,
    /// the larger one; of a strip, that across it
    pub k_max: f64,
    /// length of the line along which the surfaces meet in strips \[m\]; 0 where they meet in a point
    pub length: f64,
    /// the radii of two cylinders along their line of contact \[m\], a hollow one's negative; infinite where they are none
    pub radii: [f64; 2],
}

impl Meeting {
    /// In a point, with these relative curvatures [1/m].
    pub fn in_point(k_min: f64, k_max: f64) -> Meeting {
        Meeting { k_min, k_max, length: 0.0, radii: [f64::INFINITY; 2] }
    }

    /// In strips of a line of that length \[m\], bent by `across` [1/m].
    pub fn in_strips(across: f64, length: f64) -> Meeting {
        Meeting { k_min: 0.0, k_max: across, length, radii: [f64::INFINITY; 2] }
    }

    /// Two cylinders of these radii \[m\], a hollow one's negative, along a line of that length \[m\].
    pub fn along(radii: [f64; 2], length: f64) -> Meeting {
        Meeting { radii, ..Meeting::in_strips(1.0 / radii[0] + 1.0 / radii[1], length) }
    }

    /// k_max/k_min of a point; 1 where that is not above 0 and finite.
    pub fn slender(&self) -> f64 {
        let ratio = self.k_max / self.k_min;
        if self.length == 0.0 && self.k_min > 0.0 && ratio.is_finite() { ratio } else { 1.0 }
    }

    /// ab/δ \[m\] of Hertz's contact with semi-axes a and b at the indentation δ, whose area is π times that and δ; 1/k where both curvatures are k. Refused where there is no such contact.
    ///
    /// ```
    /// use carom_law::Meeting;
    /// assert_eq!(Meeting::in_point(100.0, 100.0).area_radius()?, 0.01);
    /// let slender = Meeting::in_point(1.0, 100.0);
    /// assert!(slender.area_radius()? < slender.radius()?); // a long ellipse is deeper for its area
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn area_radius(&self) -> Result<f64, LawError> {
        Ok(PointContact::new(1.0, self.k_min, self.k_max)?.area_radius())
    }

    /// The radius that is pressed in \[m\]: 1/√(k_min k_max) of a point, 1/k_max of a strip.
    pub fn radius(&self) -> Result<f64, LawError> {
        let Meeting { k_min, k_max, length, .. } = *self;
        match length > 0.0 {
            true if k_max > 0.0 => Ok(1.0 / k_max),
            false if k_min > 0.0 && k_max > 0.0 => Ok(1.0 / (k_min * k_max).sqrt()),
            _ => Err(LawError::NoRadius { k_min, k_max }),
        }
    }
}

/// What is latched of a line contact, beside its stiffness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineTouch {
    /// c \[m\] of δ = q ln(c/q); infinite where the law is a power
    pub c: f64,
    /// n, where the law is a power; 1 otherwise
    pub n: f64,
}

carom_base::plain!(LineTouch { c, n });

impl LineTouch {
    /// Of a contact in a point.
    pub const NONE: LineTouch = LineTouch { c: f64::INFINITY, n: 1.0 };
}

/// The state of a contact point as a normal law sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indentation<S: Scalar = f64> {
    /// indentation \[m\]; below zero only where adhesion holds the surfaces
    pub delta: S,
    /// its rate [m/s], positive while approaching
    pub delta_dot: S,
}

/// What was latched when the surfaces touched. It changes only at events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// contact stiffness K [N/mⁿ], given or from materials and curvature
    pub stiffness: f64,
    /// impact speed v0 [m/s], never below the law's least one
    pub v0: f64,
    /// effective mass of the two bodies along the normal \[kg\]
    pub mass: f64,
    /// radius that is pressed in \[m\] ([`Meeting::radius`]), where the law asks for one; infinite otherwise
    pub radius: f64,
    /// the area of Hertz's ellipse of contact by π times the depth \[m\] ([`Meeting::area_radius`]): the radius for a circle
    pub area_radius: f64,
    /// ratio of the relative curvatures, k_max/k_min; 1 where the law does not ask for them
    pub slender: f64,
    /// what the law latches of its own ([`NormalLaw::latch`](crate::NormalLaw::latch))
    pub own: [f64; 4],
    /// whether the surfaces meet in strips of a line, not in a point
    pub strip: bool,
    /// constants of a law of line contacts
    pub line: LineTouch,
    /// the indentation above which the surfaces are in contact \[m\]: zero, or below it while adhesion holds them ([`NormalLaw::holds_to`](crate::NormalLaw::holds_to))
    pub floor: f64,
    /// what the law remembers of the contact
    pub history: History,
}

carom_base::plain!(Touch {
    stiffness,
    v0,
    mass,
    radius,
    area_radius,
    slender,
    own,
    strip,
    line,
    floor,
    history
});

impl Touch {
    /// In a point: K [N/mⁿ], v0 [m/s], mass \[kg\].
    pub const fn point(stiffness: f64, v0: f64, mass: f64) -> Touch {
        Touch {
            stiffness,
            v0,
            mass,
            radius: f64::INFINITY,
            area_radius: f64::INFINITY,
            slender: 1.0,
            own: [0.0; 4],
            strip: false,
            line: LineTouch::NONE,
            floor: 0.0,
            history: History::NEW,
        }
    }

    /// The same between surfaces that are as round in every direction, with the relative radius R \[m\].
    pub const fn round(self, radius: f64) -> Touch {
        Touch { radius, area_radius: radius, ..self }
    }

    /// The force \[N\] that is neither large nor small for this contact: F* = K δ*ⁿ of the standard impact,
    /// δ* = (m v0²/K)^{1/(n+1)}.
    ///
    /// ```
    /// let touch = carom_law::Touch::point(1e8, 0.5, 0.1);
    /// let delta = (0.1f64 * 0.25 / 1e8).powf(0.4); // [m]
    /// assert!((touch.force(1.5) / (1e8 * delta.powf(1.5)) - 1.0).abs() < 1e-14);
    /// ```
    pub fn force(&self, exponent: f64) -> f64 {
        let delta = pow(self.mass * self.v0 * self.v0 / self.stiffness, 1.0 / (exponent + 1.0));
        self.stiffness * pow(delta, exponent)
    }
}
