//! What can be wrong with a law, a material or a contact stiffness.

use carom_base::SpecError;
use carom_base::param::Allowed;

/// Why a law, a material or a Hertz stiffness cannot be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LawError {
    /// A law's parameter is out of range or in conflict with another; the message is the one a scene gets.
    #[error(transparent)]
    Parameter(#[from] SpecError),
    /// A value of a material is needed and was not given.
    #[error("material `{material}` has no `{name}`, which a stiffness from materials needs")]
    MissingMaterialValue {
        /// the material
        material: String,
        /// the value it lacks
        name: &'static str,
    },
    /// A value of a material is out of range.
    #[error("material `{material}`: `{name}` is {value}; allowed: {allowed}")]
    BadMaterialValue {
        /// the material
        material: String,
        /// the value's name
        name: &'static str,
        /// the value given
        value: f64,
        /// what is allowed
        allowed: Allowed,
    },
    /// The two surfaces do not meet in a point: they conform or touch along a line.
    #[error(
        "relative curvatures {k_min} and {k_max} 1/m make no point contact (both must be greater than 0): \
         a line or conformal contact needs a given `stiffness`"
    )]
    NotPointContact {
        /// the smaller relative curvature [1/m]
        k_min: f64,
        /// the larger relative curvature [1/m]
        k_max: f64,
    },
    /// The contact has no radius to take: a surface that is flat or hollow in one direction.
    #[error(
        "relative curvatures {k_min} and {k_max} 1/m give no radius (both must be greater than 0): give `radius`"
    )]
    NoRadius {
        /// the smaller relative curvature [1/m]
        k_min: f64,
        /// the larger relative curvature [1/m]
        k_max: f64,
    },
    /// A layer that neither yields sideways nor changes its volume is rigid.
    #[error(
        "`poisson_ratio` of material `{material}` is 0.5: a layer that cannot yield sideways is then rigid; \
         allowed: less than 0.5, or give `stiffness` in the place of `thickness`"
    )]
    Incompressible {
        /// the material
        material: String,
    },
    /// The two surfaces are no cylinders that meet along a line.
    #[error(
        "`elastic = \"{law}\"` is for two cylinders that meet along a line, and these surfaces are none: \
         give `length`, `journal_radius` and `bearing_radius`, or another `elastic` part"
    )]
    NotLineContact {
        /// the elastic part
        law: &'static str,
    },
    /// Cylinders whose radii a law was not fitted for.
    #[error("`elastic = \"{law}\"`: the radii differ by {value} m; allowed: from {lo} to {hi} m")]
    BadClearance {
        /// the elastic part
        law: &'static str,
        /// ΔR \[m\]
        value: f64,
        /// least ΔR \[m\]
        lo: f64,
        /// largest ΔR \[m\]
        hi: f64,
    },
    /// A number the Hertz solution cannot work with.
    #[error("hertz stiffness: `{name}` is {value}; allowed: {allowed}")]
    BadHertzValue {
        /// the number's name
        name: &'static str,
        /// the number given
        value: f64,
        /// what is allowed
        allowed: Allowed,
    },
}
