//! The tractions of a short-range field.
//!
//! q = k { α_r d^−ν_r n − β_a [(d/d_a)^−ν_aa − (d/d_a)^−ν_ar] n − β_d d^−ν_d (n·u) n − β_f d^−ν_f u_t − μ α_r d^−ν_r u_t/√(u_t² + v_s²) },
//! u_t = u − n n·u
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | q | N/m² | traction, per area before deformation |
//! | k | – | factor by which the deformation changes the area (Eq 18) |
//! | d | m | height over the support (Eq 17) |
//! | n | – | the support's unit normal |
//! | u | m/s | velocity relative to the support |
//! | α_r, ν_r | N m^(ν_r − 2), – | repulsion (Eq 19) |
//! | β_d, ν_d | N s m^(ν_d − 3), – | damping (Eq 20) |
//! | β_f, ν_f | N s m^(ν_f − 3), – | friction: it is viscous, so bodies creep on slopes (Eq 21) |
//! | μ, v_s | –, m/s | Coulomb-like friction, at most μ times the repulsion; not in the paper |
//! | β_a, ν_aa, ν_ar, d_a | N/m², –, –, m | adhesion (Eq 22) |
//!
//! Source: A. Contento, A. Di Egidio, J. Dziedzic & A. Tatone, TASK Quarterly 13 (2009) 155–181. Eq 22 as printed has d in
//! metres and would repel everywhere below one metre; here d is divided by the range d_a, at which attraction and repulsion
//! are equal.

use carom_base::Scalar;
use carom_base::elementary::powi;
use thiserror::Error;

/// A power law c d^−ν.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// coefficient c
    pub coefficient: f64,
    /// exponent ν
    pub exponent: u32,
}

/// Adhesion −β_a [(d/d_a)^−ν_aa − (d/d_a)^−ν_ar]: attraction beyond d_a, repulsion within.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adhesion {
    /// coefficient β_a [N/m²]
    pub coefficient: f64,
    /// exponent of attraction ν_aa
    pub attraction_exponent: u32,
    /// exponent of repulsion ν_ar, greater than ν_aa
    pub repulsion_exponent: u32,
    /// range d_a [m]
    pub range: f64,
}

/// Coulomb-like friction −μ q_r u_t/√(u_t² + v_s²): less than μ times the repulsion q_r at any velocity u_t across the normal, and viscous
/// below the speed v_s, so that bodies creep there: under a tangential load of T times the normal one at v_s T/√(μ² − T²).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    /// coefficient of friction μ
    pub coefficient: f64,
    /// speed v_s [m/s]
    pub speed: f64,
}

/// The tractions of a field; those that are `None` do not act.
///
/// ```
/// use carom_field::{Power, Tractions};
/// let stiff = Tractions::new().repulsion(Power { coefficient: 2.5e-10, exponent: 8 });
/// assert!(stiff.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tractions {
    /// repulsion α_r, ν_r ≥ 2
    pub repulsion: Option<Power>,
    /// damping β_d, ν_d
    pub damping: Option<Power>,
    /// friction β_f, ν_f
    pub friction: Option<Power>,
    /// adhesion β_a
    pub adhesion: Option<Adhesion>,
    /// Coulomb-like friction μ, which needs the repulsion; nodes only ([`PointField`](crate::PointField))
    pub coulomb: Option<Coulomb>,
}

/// An error in the definition of a field.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FieldError {
    /// a value out of range
    #[error("{traction}: {field} = {value}: must be {allowed}")]
    BadValue {
        /// repulsion, damping, friction, adhesion or coulomb
        traction: &'static str,
        /// its name
        field: &'static str,
        /// the value given
        value: String,
        /// the allowed values
        allowed: &'static str,
    },
    /// no traction is given
    #[error("no traction: give at least one of repulsion, damping, friction, adhesion, coulomb")]
    Empty,
    /// a surface whose boundary is not described by pieces
    #[error("the boundary of a {kind} is not known piece by piece: a field cannot act on it")]
    NoBoundary {
        /// the surface's kind
        kind: &'static str,
    },
    /// a part that the boundary does not have
    #[error("a {kind} has no part `{name}`; it has {}{}", allowed.join(", "), did_you_mean(nearest))]
    UnknownPart {
        /// the surface's kind
        kind: &'static str,
        /// the name given
        name: String,
        /// the existing names
        allowed: Vec<String>,
        /// the name that was probably meant
        nearest: Option<String>,
    },
}

fn did_you_mean(name: &Option<String>) -> String {
    name.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// Greatest exponent: with larger ones, powers of small gaps leave the range of doubles.
const GREATEST_EXPONENT: u32 = 30;

impl Tractions {
    /// Returns a field without tractions.
    pub fn new() -> Tractions {
        Tractions::default()
    }

    /// Sets the repulsion.
    pub fn repulsion(mut self, power: Power) -> Tractions {
        self.repulsion = Some(power);
        self
    }

    /// Sets the damping.
    pub fn damping(mut self, power: Power) -> Tractions {
        self.damping = Some(power);
        self
    }

    /// Sets the friction.
    pub fn friction(mut self, power: Power) -> Tractions {
        self.friction = Some(power);
        self
    }

    /// Sets the adhesion.
    pub fn adhesion(mut self, adhesion: Adhesion) -> Tractions {
        self.adhesion = Some(adhesion);
        self
    }

    /// Sets the Coulomb-like friction.
    pub fn coulomb(mut self, coulomb: Coulomb) -> Tractions {
        self.coulomb = Some(coulomb);
        self
    }

    /// Checks that all values are in range.
    pub fn check(&self) -> Result<(), FieldError> {
        if *self == Tractions::default() {
            return Err(FieldError::Empty);
        }
        for (traction, power, least) in
            [("repulsion", self.repulsion, 2), ("damping", self.damping, 0), ("friction", self.friction, 0)]
        {
            let Some(power) = power else { continue };
            coefficient(traction, "coefficient", power.coefficient)?;
            exponent(traction, "exponent", power.exponent, least)?;
        }
        if let Some(c) = self.coulomb {
            coefficient("coulomb", "coefficient", c.coefficient)?;
            positive("coulomb", "speed", c.speed)?;
            if self.repulsion.is_none() {
                let (value, allowed) = (c.coefficient.to_string(), "given with a repulsion, which bounds it");
                return Err(FieldError::BadValue {
                    traction: "coulomb",
                    field: "coefficient",
                    value,
                    allowed,
                });
            }
        }
        let Some(a) = self.adhesion else { return Ok(()) };
        coefficient("adhesion", "coefficient", a.coefficient)?;
        exponent("adhesion", "attraction_exponent", a.attraction_exponent, 2)?;
        exponent("adhesion", "repulsion_exponent", a.repulsion_exponent, 2)?;
        if a.repulsion_exponent <= a.attraction_exponent {
            return Err(FieldError::BadValue {
                traction: "adhesion",
                field: "repulsion_exponent",
                value: a.repulsion_exponent.to_string(),
                allowed: "greater than attraction_exponent",
            });
        }
        positive("adhesion", "range", a.range)
    }

    /// Returns whether damping or friction dissipate energy.
    pub fn dissipates(&self) -> bool {
        self.damping.is_some() || self.friction.is_some() || self.coulomb.is_some()
    }

    /// Returns the normal traction of repulsion and adhesion together at a height over the support, on which alone they depend
    /// [N/m²]; it is positive away from the support.
    ///
    /// ```
    /// use carom_field::{Power, Tractions};
    /// let q = Tractions::new().repulsion(Power { coefficient: 2.0, exponent: 3 });
    /// assert_eq!(q.normal_at(0.5), 16.0);
    /// ```
    pub fn normal_at(&self, d: f64) -> f64 {
        let powers = self.conservative().into_iter().flatten();
        powers.map(|p| p.coefficient * powi(d, -(p.exponent as i32))).sum()
    }

    /// Returns the tractions that depend on the height alone, as powers of it: repulsion, and the two terms of adhesion.
    pub(crate) fn conservative(&self) -> [Option<Power>; 3] {
        let [attraction, repulsion] = match self.adhesion {
            None => [None; 2],
            Some(a) => {
                let power = |sign: f64, exponent: u32| {
                    let range = powi(a.range, exponent as i32);
                    Some(Power { coefficient: sign * a.coefficient * range, exponent })
                };
                [power(-1.0, a.attraction_exponent), power(1.0, a.repulsion_exponent)]
            }
        };
        [self.repulsion, attraction, repulsion]
    }
}

fn coefficient(traction: &'static str, field: &'static str, value: f64) -> Result<(), FieldError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    let value = value.to_string();
    Err(FieldError::BadValue { traction, field, value, allowed: "a finite number, 0 or greater" })
}

fn positive(traction: &'static str, field: &'static str, value: f64) -> Result<(), FieldError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    let (value, allowed) = (value.to_string(), "a finite number greater than 0");
    Err(FieldError::BadValue { traction, field, value, allowed })
}

fn exponent(traction: &'static str, field: &'static str, value: u32, least: u32) -> Result<(), FieldError> {
    if (least..=GREATEST_EXPONENT).contains(&value) {
        return Ok(());
    }
    let allowed = if least == 0 { "a whole number of 0 to 30" } else { "a whole number of 2 to 30" };
    Err(FieldError::BadValue { traction, field, value: value.to_string(), allowed })
}

/// Returns xⁿ by repeated squaring.
pub(crate) fn power<S: Scalar>(mut x: S, mut n: u32) -> S {
    let mut product = S::from_f64(1.0);
    while n > 0 {
        if n % 2 == 1 {
            product *= x;
        }
        x *= x;
        n /= 2;
    }
    product
}
