//! What a scene, a query or a program may choose of the method, and the method exactly as its authors print it.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use super::tangents::Tangents;
use crate::pair::PairSolver;

/// Where a search without a contact before it starts (Section 7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// where the line between the centres leaves each surface
    #[default]
    Surfaces,
    /// both points in the middle between the centres, as printed: on neither surface
    Between,
}

/// The unknowns (Section 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// six coordinates, the surfaces' equations among those to be solved: Eqs 2 and 9
    #[default]
    Implicit,
    /// four parameters of points that stay on the surfaces: Eqs 3 and 6
    Parametric,
}

/// The solver.
///
/// ```
/// use carom_geometry::pairs::{self, common_normal::{CommonNormal, Tangents}};
/// use carom_geometry::{Pose, Shape, Vec3, surfaces::Ellipsoid};
/// let egg = Shape::outside(Ellipsoid::new([0.02, 0.02, 0.03])?); // semi axes [m]
/// let solver = CommonNormal { tangents: Tangents::Auxiliary, ..CommonNormal::default() };
/// let pair = pairs::bind_by(&solver, &egg, &egg)?;
/// let found = pair.search(&Pose::identity(), &Pose::at(Vec3::new(0.03, 0.01, 0.05)), None)?;
/// let usual = pairs::bind(&egg, &egg)?.closest(&Pose::identity(), &Pose::at(Vec3::new(0.03, 0.01, 0.05)))?;
/// assert!((found.contact.delta - usual.delta).abs() < 1e-15 && found.steps == 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommonNormal {
    /// how tangents are made of normals
    pub tangents: Tangents,
    /// the last step, relative to the larger bounding radius
    pub tolerance: f64,
    /// the last step [m], in place of the relative one
    pub absolute_tolerance: Option<f64>,
    /// where a search starts that has no contact before it
    pub start: Start,
    /// singular values of the Jacobian below this share of the largest are left out, Section 8; 0: none, and a singular Jacobian ends the search
    pub pseudo_inverse: f64,
    /// whether a common normal that is not the nearest is tried again from the points reflected in the centres, Eqs 22–24
    pub reflect: bool,
    /// the unknowns
    pub form: Form,
}

/// Of Section 7.
const TOLERANCE: f64 = 1e-6;
/// The pseudo-inverse of [`CommonNormal::as_printed`]: what is below the tolerance tells nothing.
const CUT: f64 = 1e-6;

impl Default for CommonNormal {
    fn default() -> CommonNormal {
        CommonNormal {
            tangents: Tangents::Householder,
            tolerance: TOLERANCE,
            absolute_tolerance: None,
            start: Start::Surfaces,
            pseudo_inverse: 0.0,
            reflect: false,
            form: Form::Implicit,
        }
    }
}

impl CommonNormal {
    /// The method as the paper has it: from the middle between the centroids, until a step of 1e-6 m, with the pseudo-inverse and reflected points.
    ///
    /// ```
    /// use carom_geometry::pairs::{self, common_normal::CommonNormal};
    /// use carom_geometry::{Pose, Shape, Vec3, surfaces::Ellipsoid};
    /// let ball = |r: f64| Ellipsoid::new([r; 3]).map(Shape::outside); // [m]
    /// let pair = pairs::bind_by(&CommonNormal::as_printed(), &ball(3.0)?, &ball(0.5)?)?;
    /// let found = pair.search(&Pose::identity(), &Pose::at(Vec3::new(2.7, 2.16, 2.88)), None)?;
    /// assert!((found.contact.delta + 1.0).abs() < 1e-12 && found.steps == 6); // 4.5 - 3 - 0.5 m apart
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_printed() -> CommonNormal {
        CommonNormal {
            absolute_tolerance: Some(1e-6),
            start: Start::Between,
            pseudo_inverse: CUT,
            reflect: true,
            ..CommonNormal::default()
        }
    }
}

/// Its line in [`NAMED`](crate::pairs::NAMED).
pub(in crate::pairs) const ENTRY: Entry<Arc<dyn PairSolver>> = Entry {
    name: "common-normal",
    summary: "smooth convex surfaces by Newton's method for six coordinates (Lopes et al. 2010): fast from a good start, fails from a bad one",
    params: &[
        Param::word(
            "tangents",
            &["householder", "auxiliary"],
            "householder",
            "how tangents are made of a normal",
        ),
        Param::default(
            "tolerance",
            Quantity::Number,
            Allowed::Between(1e-12, 1e-2),
            TOLERANCE,
            "of the last step, relative to the larger bounding radius",
        ),
        Param::optional(
            "absolute_tolerance",
            Quantity::Length,
            Allowed::Positive,
            "`tolerance` holds",
            "of the last step, a length; the paper's is 1e-6 m",
        ),
        Param::word(
            "start",
            &["surfaces", "between"],
            "surfaces",
            "of a search without one before it: where the line between the centres leaves the surfaces, or both points in its middle (the paper's)",
        ),
        Param::default(
            "pseudo_inverse",
            Quantity::Number,
            Allowed::Between(0.0, 1e-2),
            0.0,
            "singular values of the Jacobian below this share of the largest are left out (section 8 of the paper); 0: none",
        ),
        Param::optional(
            "reflect",
            Quantity::Number,
            Allowed::Flag,
            "false",
            "whether a common normal that is not the nearest is tried again from reflected points (Eqs 22–24 of the paper)",
        ),
        Param::word(
            "form",
            &["implicit", "parametric"],
            "implicit",
            "the unknowns: six coordinates, or four parameters of points that stay on the surfaces",
        ),
    ],
    build: |args| {
        let is = |name: &str, word: &str| args.text(name) == Some(word);
        Ok(Arc::new(CommonNormal {
            tangents: if is("tangents", "auxiliary") { Tangents::Auxiliary } else { Tangents::Householder },
            tolerance: args.number("tolerance").unwrap_or(TOLERANCE),
            absolute_tolerance: args.number("absolute_tolerance"),
            start: if is("start", "between") { Start::Between } else { Start::Surfaces },
            pseudo_inverse: args.number("pseudo_inverse").unwrap_or(0.0),
            reflect: args.flag("reflect").unwrap_or(false),
            form: if is("form", "parametric") { Form::Parametric } else { Form::Implicit },
        }))
    },
};
