//! The messages for failures of contact laws and contact pairs.

use carom_geometry::PairFailure;

/// The failure of a normal law at too large an indentation, as a message that an integrator can pass on.
pub(crate) const BEYOND_REACH: &str = "the surfaces are deeper in one another than the normal law holds for";

/// Returns the failure of a contact pair as a message that an integrator can pass on.
pub(crate) fn reason(e: PairFailure) -> &'static str {
    match e {
        PairFailure::NotFinite => "the poses are not finite",
        PairFailure::NoFeature(_) => "the pair has no such feature",
        PairFailure::NoConvergence(_) => "the search for the contact point did not converge",
        PairFailure::TooDeep => {
            "the solids are so deep in one another that the contact has no single normal: a greater stiffness helps"
        }
        PairFailure::OtherSolution(_) => {
            "a common normal was found, but not that of the nearest points: another solver may help"
        }
        PairFailure::Rim => {
            "a cylinder has come out of the hollow one around it by more than a tenth of the shorter length, and touches beyond the end of the barrel: a longer cylinder or a stop helps"
        }
    }
}
