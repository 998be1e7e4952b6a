//! Slices of a ring against a plane: Marques & Silva, Eqs 11–17.
//!
//! With m the plane's normal in the ring's frame, the lowest point of slice s is that of its middle section, Q = C_s − r n_P,s/‖n_P,s‖ with
//! n_P,s = m − (m·t_φ) t_φ (Eqs 12, 13); d = n·(Q − P) its height (Eq 14). The section moves with its body, and Q is its lowest point: so
//! the height changes at the rate of the material point Q, and d is exact to differentiate.
//!
//! A slice can be lower than the ring's centre line by the tube's radius: only slices with z − R ρ cos(φ_s − φ_low) − r below a margin are
//! looked at, z being the height of the centre and ρ = √(m_x² + m_y²).

use carom_base::elementary::{acos, atan2, hypot};
use carom_base::{Pose, Scalar, Two, Vec3};

use super::{Slice, arc, cut, name};
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, two_by_two};
use crate::pairs::{finite, solid};
use crate::shape::{Ring, Section, Shape};
use crate::surfaces::Plane;

#[derive(Debug)]
struct Bound {
    slices: Vec<Slice>,
    phase: f64,
    /// of the centre line [m]
    length: f64,
    /// of a round ring: R and r [m]
    round: Option<[f64; 2]>,
    /// the largest semi-axis of a section [m]
    thick: f64,
    /// whether all sections are
    ellipses: bool,
    /// whether the ring is A: by itself, as this is the innermost loop
    flipped: bool,
}

/// Binds a plane and a ring; `flipped`: the ring comes first.
pub(super) fn bind(
    plane: &Shape,
    ring: &dyn Ring,
    count: usize,
    phase: f64,
    flipped: bool,
) -> Option<Box<dyn BoundPair>> {
    solid::<Plane>(plane)?;
    let (slices, length) = cut(ring, count, phase);
    let thick = slices.iter().fold(0.0, |t: f64, s| t.max(hypot(s.section.radial.norm(), s.section.axial)));
    let ellipses = slices.iter().all(|s| s.section.exponent == 2.0);
    Some(Box::new(Bound { slices, phase, length, round: ring.round(), thick, ellipses, flipped }))
}

/// The contact of a section with the plane z = 0 of A's frame.
///
/// ```
/// use carom_geometry::{Pose, Ring, Vec3, pairs::slices::plane, surfaces::Torus};
/// let ring = Torus::new(0.025, 0.005)?; // [m]
/// let c = plane::contact(&ring.section(0.3), 1.0, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.0049)));
/// assert!((c.delta - 1e-4).abs() < 1e-17);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[inline(always)]
pub fn contact<S: Scalar>(section: &Section, share: f64, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let n = x_a.axis(2);
    let lowest = section.lowest(&x_b.direction_to_local(&n)); // Eqs 12, 13
    let p_b = x_b.point(&(section.centre.map(S::from_f64) + lowest));
    let d = n.dot(&(p_b - x_a.p)); // Eq 14
    Contact { p_a: p_b - n * d, p_b, n, delta: -d, share: S::from_f64(share), common: None } // Eq 15
}

/// The plane as the ring sees it, and where the ring is: for two slices at once.
struct View {
    /// n, and in the ring's frame
    n: Vec3<Two>,
    m: Vec3<Two>,
    /// height of the ring's centre [m]
    z: Two,
    /// the ring's origin and axes
    p: Vec3<Two>,
    axes: [Vec3<Two>; 3],
}

impl View {
    #[inline(always)]
    fn new(plane: &Pose, ring: &Pose) -> View {
        let n = plane.axis(2);
        View {
            n: Two::both(&n),
            m: Two::both(&ring.direction_to_local(&n)),
            z: Two::splat(n.dot(&(ring.p - plane.p))),
            p: Two::both(&ring.p),
            axes: [0, 1, 2].map(|i| Two::both(&ring.axis(i))),
        }
    }

    /// The contacts of two slices, as [`contact`] has them, or the other way round. Says whether a section lies in such a plane: then they are not right.
    #[inline(always)]
    fn contact<const FLIPPED: bool>(&self, a: &Slice, b: &Slice, out: &mut Contact<Two>) -> bool {
        let (s, t, m) = (&a.section, &b.section, &self.m);
        let radial = Two::vector(&s.radial, &t.radial);
        let axial = Two::new(s.axial, t.axial);
        let (p, q) = (radial.dot(m), m.z * axial);
        let square = p * p + q * q;
        let length = square.sqrt();
        let (xi, zeta) = (p / length, q / length);
        let mut lowest = Two::vector(&s.centre, &t.centre) - radial * xi; // Eqs 12, 13
        lowest.z -= axial * zeta;
        // the height in the ring's frame: Eq 14 by one product less
        let d = self.z + m.dot(&lowest);
        let [x, y, z] = &self.axes;
        let p_b = self.p + x * lowest.x + y * lowest.y + z * lowest.z;
        let p_a = p_b - self.n * d; // Eq 15
        (out.p_a, out.p_b) = if FLIPPED { (p_b, p_a) } else { (p_a, p_b) };
        out.n = if FLIPPED { -self.n } else { self.n };
        (out.delta, out.share) = (-d, Two::new(a.share, b.share));
        let [p, q] = square.lanes();
        p < 1e-280 || q < 1e-280
    }
}

impl Bound {
    /// The plane's frame and the ring's.
    #[inline(always)]
    fn poses<'x, S: Scalar>(&self, x_a: &'x Pose<S>, x_b: &'x Pose<S>) -> (&'x Pose<S>, &'x Pose<S>) {
        if self.flipped { (x_b, x_a) } else { (x_a, x_b) }
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        "slices"
    }
    fn features(&self) -> usize {
        self.slices.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name(feature, self.slices.len())
    }
    /// The height of a point over a plane is as straight as the point's way; of the lowest point of a section with corners nothing is known.
    ///
    /// The lowest point is r beyond the centre line. As the ring turns at ω it wanders over its section, which bends the gap by no more
    /// than r ω²/‖n_P,s‖ in addition: less than twice r ω² but for slices seen nearly edge on, ‖n_P,s‖ < 1/2, and those are at least
    /// R/2 above the lowest one.
    fn bounds(&self) -> GapBounds {
        GapBounds {
            hollow_radius: self.round.map(|_| f64::INFINITY),
            stray: self.round.map_or(self.thick, |[_, minor]| 3.0 * minor),
            follows_b: !self.flipped,
            sliding: None,
        }
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let (plane, ring) = self.poses(x_a, x_b);
        let m = ring.direction_to_local(&plane.axis(2));
        let across = match self.round {
            Some([_, minor]) => 1.0 / minor,
            None => self.slices.get(feature).map_or(0.0, |s| s.section.curvature(&m)),
        };
        RelativeCurvature::strip(across, self.length)
    }
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        near.clear();
        let (plane, ring) = self.poses(x_a, x_b);
        let n = plane.axis(2);
        let m = ring.direction_to_local(&n);
        let z = n.dot(&(ring.p - plane.p));
        let Some([major, minor]) = self.round else {
            let low = |s: &Slice| z + m.dot(&s.section.centre) - self.thick < margin;
            near.extend(self.slices.iter().enumerate().filter(|(_, s)| low(s)).map(|(k, _)| k));
            return true;
        };
        let rho = (m.x * m.x + m.y * m.y).sqrt();
        let (above, wave) = (z - minor - margin, major * rho);
        if above >= wave {
            return true;
        }
        let half = if above <= -wave { std::f64::consts::PI } else { acos(above / wave) };
        arc(atan2(-m.y, -m.x), half, self.slices.len(), self.phase, near);
        true
    }
}

impl PairFormula for Bound {
    #[inline(always)]
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let slice = self.slices.get(feature).ok_or(PairFailure::NoFeature(feature))?;
        let (plane, ring) = self.poses(x_a, x_b);
        let c = contact(&slice.section, slice.share, plane, ring);
        finite(if self.flipped { c.swapped() } else { c })
    }
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        let (plane, ring) = self.poses(x_a, x_b);
        let view = View::new(plane, ring);
        // (written where they are to be: copied, they would take as long as they take to be found)
        contacts.resize(features.len().div_ceil(2), Contact::NOWHERE);
        let mut flat = !self.ellipses;
        for (c, two) in contacts.iter_mut().zip(features.chunks(2)) {
            let slice = |k: usize| self.slices.get(k).ok_or(PairFailure::NoFeature(k));
            let [a, b] = [slice(two[0])?, slice(two[two.len() - 1])?];
            flat |= match self.flipped {
                false => view.contact::<false>(a, b, c),
                true => view.contact::<true>(a, b, c),
            };
        }
        if flat {
            return two_by_two(features, contacts, |k| PairFormula::contact(self, k, x_a, x_b));
        }
        // a sum is finite only if its terms are
        let sum = contacts.iter().fold(Two::splat(0.0), |sum, c| sum + c.delta).sum();
        if let (1, Some(c)) = (features.len() % 2, contacts.last_mut()) {
            (c.delta, c.share) = (c.delta.and(-1.0), c.share.and(0.0));
        }
        if sum.is_finite() { Ok(()) } else { Err(PairFailure::NotFinite) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::slices::Slices;
    use crate::surfaces::Torus;
    use crate::{PairSolver, Pose};
    use carom_base::{Quat, Vec3};

    fn ring(count: usize) -> Box<dyn BoundPair> {
        let torus = Shape::outside(Torus::new(0.025, 0.005).unwrap());
        Slices::new(count).unwrap().bind(&Shape::outside(Plane), &torus).unwrap()
    }

    #[test]
    fn a_slice_is_lowest_where_its_section_is() {
        let pair = ring(36);
        let x_b = Pose::new(Vec3::new(0.3, 0.1, 0.02), &Quat::from_euler_angles(0.4, 1.1, -0.3));
        for k in carom_testkit::one_in(5, 0..36) {
            let c = pair.contact(k, &Pose::identity(), &x_b).unwrap();
            let phi = std::f64::consts::TAU * k as f64 / 36.0;
            let torus = Torus::new(0.025, 0.005).unwrap();
            let height = |i: i32| x_b.point(&torus.point(phi, f64::from(i) * 1e-4)).z;
            let lowest = (0..62832).map(height).fold(f64::INFINITY, f64::min);
            assert!((-c.delta - lowest).abs() < 1e-11 && -c.delta <= lowest + 1e-17);
            assert!((torus.implicit(&x_b.point_to_local(&c.p_b))).abs() < 1e-17);
        }
    }

    /// Two by two the points are where they are one by one, whichever surface comes first; an odd one has nothing beside it, and a ring that stands has sections in
    /// the plane's direction.
    #[test]
    fn two_by_two_as_one_by_one() {
        let torus = Shape::outside(Torus::new(0.025, 0.005).unwrap());
        let solver = Slices::new(9).unwrap();
        let plane_first = ring(9);
        let ring_first = solver.bind(&torus, &Shape::outside(Plane)).unwrap();
        let mut contacts = Vec::new();
        for (i, tilt) in [0.0, 0.4, 1.1, std::f64::consts::FRAC_PI_2].into_iter().enumerate() {
            let x_p = Pose::new(Vec3::new(0.1, 0.0, 0.3), &Quat::from_euler_angles(0.2, 0.1, 0.3));
            let turn = Quat::from_euler_angles(tilt, 0.0, 0.0);
            let x_p = if i % 2 == 0 { Pose::identity() } else { x_p };
            let x_r = Pose::new(Vec3::new(0.1, 0.2, 0.02), &turn);
            for (pair, x_a, x_b) in [(&plane_first, &x_p, &x_r), (&ring_first, &x_r, &x_p)] {
                for features in [&[0usize, 1, 2, 3][..], &[8, 2, 5], &[4]] {
                    pair.contacts(features, x_a, x_b, &mut contacts).unwrap();
                    assert_eq!(contacts.len(), features.len().div_ceil(2));
                    for (at, &k) in features.iter().enumerate() {
                        let (two, lane) = (&contacts[at / 2], at % 2);
                        let one = pair.contact(k, x_a, x_b).unwrap();
                        let of = |v: &Vec3<Two>| v.map(|x| x.lanes()[lane]);
                        let apart = (of(&two.p_a) - one.p_a).norm() + (of(&two.p_b) - one.p_b).norm();
                        assert!(apart < 3e-16 && of(&two.n) == one.n, "{apart}");
                        assert!((two.delta.lanes()[lane] - one.delta).abs() < 2e-16);
                        assert_eq!(two.share.lanes()[lane], one.share);
                    }
                    if let (1, Some(last)) = (features.len() % 2, contacts.last()) {
                        assert_eq!((last.delta.lanes()[1], last.share.lanes()[1]), (-1.0, 0.0));
                    }
                }
            }
        }
        assert!(plane_first.contacts(&[0, 9], &Pose::identity(), &Pose::identity(), &mut contacts).is_err());
        let nowhere = Pose::at(Vec3::new(0.0, 0.0, f64::NAN));
        assert!(plane_first.contacts(&[0, 1], &Pose::identity(), &nowhere, &mut contacts).is_err());
    }

    #[test]
    fn what_is_near_is_found_and_little_else() {
        let pair = ring(144);
        let mut near = Vec::new();
        for (i, tilt) in [0.0, 1e-9, 1e-3, 0.3, 1.0, 1.57, 2.5].into_iter().enumerate() {
            let x_b =
                Pose::new(Vec3::new(0.0, 0.0, 0.02), &Quat::from_euler_angles(tilt, 0.2 * i as f64, 1.0));
            for margin in [0.0, 1e-3, 0.01, 0.1] {
                assert!(pair.near(&Pose::identity(), &x_b, margin, &mut near));
                let gap = |k: usize| -pair.contact(k, &Pose::identity(), &x_b).unwrap().delta;
                assert!((0..144).all(|k| gap(k) >= margin || near.contains(&k)));
                assert!(near.iter().all(|&k| gap(k) < margin + 0.005 + 1e-15), "{tilt} {margin}");
                let mut once = near.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), near.len());
            }
        }
    }
}
