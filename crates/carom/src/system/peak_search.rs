//! Room for the search for the largest forces.

use carom_base::Two;
use carom_geometry::Contact;

/// Room for the search for peaks within a step, and what it found.
pub(crate) struct PeakSearch {
    /// the contact points of a pair of many, their forces [N] and depths [m]
    pub(crate) contacts: Vec<Contact<Two>>,
    pub(crate) points: Vec<[Two; 2]>,
    /// the points of a patch
    pub(crate) patch: Vec<Contact>,
    /// wear depths of bearings at a time at which peaks are looked for [m]
    pub(crate) depths: Vec<f64>,
    /// the peaks found within the last step: of which pair, and when [s]
    pub(crate) found: Vec<(usize, f64)>,
}

impl PeakSearch {
    /// Allocates room for a pair of `points` contact points, taken two at a time, and for `depths` wear depths.
    pub(super) fn new(points: usize, depths: usize) -> PeakSearch {
        let (contacts, points) =
            (Vec::with_capacity(points.div_ceil(2)), Vec::with_capacity(points.div_ceil(2)));
        PeakSearch {
            contacts,
            points,
            patch: Vec::new(),
            depths: Vec::with_capacity(depths),
            found: Vec::new(),
        }
    }
}
