//! The continuous ring against a plane: the limit of many slices.
//!
//! With m the plane's normal in the ring's frame, ρ = √(m_x² + m_y²), z the height of the centre and ψ the angle from the ring's lowest place,
//! the depth of the section at ψ is
//!
//!   δ(ψ) = R ρ cos ψ + r √(1 − ρ² sin² ψ) − z,
//!
//! the lowest place being D = r + R ρ − z deep. Contact is where δ > 0: nowhere if D < 0, everywhere if z ≤ r − R ρ, else for |ψ| < ψ₀ with
//!
//!   1 − cos ψ₀ = D (R − r (z + z₀)/(S + S₀)) / (ρ (R² − r²)),   z₀ = r + R ρ,  S² = z² + (R² − r²) m_z²,  S₀ = R + r ρ,
//!
//! which loses no digits as the patch closes. Forces are integrals over ψ of what a slice of the length R dψ carries.
//!
//! - An arc: what is integrated grows from its ends with the powers of δ that the force has, which the caller that binds the pair must give. The Gauss rule for
//!   these powers converges geometrically (`gauss`).
//! - The whole ring: the midpoint rule in w with tan(ψ/2) = λ tan(w/2), which is spectral as well: λ > 1 gathers the points on top, where the depth
//!   falls to δ_min = r − R ρ − z and the patch is about to open. λ⁴ = 1 + R ρ/(δ_min + ε R ρ) takes the roots of δ, and the pole of the map, away from
//!   the real axis alike; ε = (12/N)⁴ keeps N points from gathering more than N points can.
//!
//! Where an arc is about to become the whole ring, δⁿ is |ψ − π|²ⁿ for a moment, which the midpoint rule integrates less well: with 12 nodes forces with n = 3/2 are
//! right to 3e-5 there, with 24 to 2e-7; elsewhere to the tolerance the number of nodes was chosen for.
//!
//! The first contact point is the ring's lowest: it says when the ring touches and parts, and carries nothing. The others are the nodes; the share of
//! each is its weight, dψ/2π. Nodes move over the ring as the patch does, which takes nothing away: the force is that of an integral over material
//! points, and what moves with the patch's edges carries no force.

use std::f64::consts::{PI, TAU};

use carom_base::elementary::{cos, pow, powi, sin, sincos};
use carom_base::{Pose, Scalar, Two, Vec3};

use super::gauss;
use crate::closest_point::direction;
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, two_by_two};
use crate::pairs::{finite, solid, within};
use crate::shape::{Ring, Shape};
use crate::surfaces::Plane;

#[derive(Clone, Debug)]
struct Bound {
    major: f64,
    minor: f64,
    nodes: usize,
    /// of an arc: ψ/ψ₀, and the share over ψ₀
    arc: Vec<[f64; 2]>,
    /// of the whole ring: sin and cos of u = π (k + ½)/N
    angles: Vec<[f64; 2]>,
}

/// Forces being right to the tolerance that grow with these powers of the depth.
pub(super) fn bind(
    a: &Shape,
    ring: &dyn Ring,
    tolerance: f64,
    powers: [f64; 2],
) -> Option<Box<dyn BoundPair>> {
    solid::<Plane>(a)?;
    let [major, minor] = ring.round()?;
    Some(Box::new(enough(major, minor, tolerance, powers)))
}

/// A node: where on the ring, from the lowest place, and its weight dψ/2π.
#[derive(Clone, Copy, Debug)]
struct Node<S: Scalar> {
    psi: S,
    share: S,
}

/// Where the ring is over the plane: all the patch depends on.
#[derive(Clone, Copy, Debug)]
struct Height<S: Scalar> {
    /// of the centre [m]
    z: S,
    /// √(m_x² + m_y²)
    rho: S,
    /// |m_z|
    m_z: S,
}

/// The contact patch.
#[derive(Clone, Copy, Debug)]
enum Patch<S: Scalar> {
    /// there is none
    Empty,
    /// |ψ| < ψ₀
    Arc { psi0: S },
    /// the whole ring, its points gathered by λ on top
    Whole { lambda: S },
}

impl Bound {
    fn new(major: f64, minor: f64, nodes: usize, powers: [f64; 2]) -> Bound {
        let u = |k: usize| PI * (k as f64 + 0.5) / nodes as f64;
        let arc = gauss::rule(nodes, powers).into_iter().map(|[x, w]| [x, w / TAU]).collect();
        let angles = (0..nodes).map(|k| [sin(u(k)), cos(u(k))]).collect();
        Bound { major, minor, nodes, arc, angles }
    }

    fn patch<S: Scalar>(&self, at: &Height<S>) -> Patch<S> {
        let number = S::from_f64;
        let (major, minor, one) = (number(self.major), number(self.minor), number(1.0));
        let depth = minor + major * at.rho - at.z; // D
        if depth.value() <= 0.0 {
            return Patch::Empty;
        }
        let (highest, wave) = (minor - major * at.rho - at.z, major * at.rho);
        if highest.value() >= 0.0 {
            let least = powi(12.0 / self.nodes as f64, 4);
            // (flat on the plane there is no wave, and points are at equal distances)
            let stretch = one + wave / (highest + wave * number(least) + number(f64::MIN_POSITIVE));
            return Patch::Whole { lambda: stretch.sqrt().sqrt() };
        }
        let (z0, s0) = (minor + major * at.rho, major + minor * at.rho);
        let d2 = number(self.major * self.major - self.minor * self.minor);
        let s = (at.z * at.z + d2 * at.m_z * at.m_z).sqrt();
        let versine = depth * (major - minor * (at.z + z0) / (s + s0)) / (at.rho * d2);
        let half = (versine * number(0.5)).min(one); // sin²(ψ₀/2)
        Patch::Arc { psi0: number(2.0) * half.sqrt().atan2((one - half).sqrt()) }
    }

    /// The k-th node of the patch.
    #[inline]
    fn node<S: Scalar>(&self, k: usize, patch: &Patch<S>) -> Node<S> {
        let number = S::from_f64;
        match *patch {
            Patch::Empty => Node { psi: number(0.0), share: number(0.0) },
            Patch::Arc { psi0 } => {
                let [x, weight] = self.arc[k].map(number);
                Node { psi: psi0 * x, share: psi0 * weight }
            }
            Patch::Whole { lambda } => {
                let [sin, cos] = self.angles[k].map(number);
                // w = 2u − π: sin(w/2) = −cos u, cos(w/2) = sin u; dψ/dw = λ/(cos² + λ² sin²)
                let psi = number(-2.0) * (lambda * cos).atan2(sin);
                let slope = lambda / (sin * sin + lambda * lambda * cos * cos);
                Node { psi, share: slope * number(1.0 / self.nodes as f64) }
            }
        }
    }

    /// What all nodes have in common.
    fn view<S: Scalar>(&self, x_a: &Pose<S>, x_b: &Pose<S>) -> View<S> {
        let n = x_a.axis(2);
        let m = x_b.direction_to_local(&n);
        let (e, rho) = direction(&Vec3::new(m.x, m.y, S::from_f64(0.0)), Vec3::x);
        let patch = self.patch(&Height { z: n.dot(&(x_b.p - x_a.p)), rho, m_z: m.z.abs() });
        View { n, m, e, patch }
    }

    #[inline]
    fn contact_in<S: Scalar>(
        &self,
        view: &View<S>,
        feature: usize,
        x_a: &Pose<S>,
        x_b: &Pose<S>,
    ) -> Contact<S> {
        let View { n, m, e, patch } = *view;
        let zero = S::from_f64(0.0);
        let lowest = Node { psi: zero, share: zero };
        let node = feature.checked_sub(1).map_or(lowest, |k| self.node(k, &patch));
        let (sin, cos) = (node.psi.sin(), node.psi.cos());
        // the place on the ring, −e being the lowest
        let d = Vec3::new(e.y * sin - e.x * cos, -e.x * sin - e.y * cos, zero);
        // the lowest point of the section there, as of a slice (Marques & Silva, Eqs 12, 13)
        let (p, q) = (d.dot(&m), m.z);
        let length = (p * p + q * q).sqrt();
        let (xi, zeta) = match length.value() > 0.0 {
            true => (p / length, q / length),
            false => (S::from_f64(-1.0), zero),
        };
        let (major, minor) = (S::from_f64(self.major), S::from_f64(self.minor));
        let p_b = x_b.point(&(d * (major - minor * xi) - Vec3::new(zero, zero, minor * zeta)));
        let h = n.dot(&(p_b - x_a.p));
        Contact { p_a: p_b - n * h, p_b, n, delta: -h, share: node.share, common: None }
    }
}

/// The ring over the plane: the plane's normal in the world and in the ring's frame, the direction of the ring's highest place, the patch.
#[derive(Clone, Copy, Debug)]
struct View<S: Scalar> {
    n: Vec3<S>,
    m: Vec3<S>,
    e: Vec3<S>,
    patch: Patch<S>,
}

/// The ring with as many nodes as are needed for forces with these powers of the depth, and their moments, to be right to the tolerance, relative to the force: for arcs
/// up to three quarters of the ring at tilts from 3 to 90 degrees, and for the whole ring where its highest place is at least R ρ deep.
fn enough(major: f64, minor: f64, tolerance: f64, powers: [f64; 2]) -> Bound {
    let fine = Bound::new(major, minor, FINE, powers);
    let height = |rho: f64, z: f64| Height { z, rho, m_z: (1.0 - rho * rho).max(0.0).sqrt() };
    let arc = |rho: f64, psi0: f64| height(rho, depth(major, minor, rho, 0.0, psi0));
    let arcs = [0.05, 0.2, 0.5, 0.85, 1.0].map(|rho| [0.2, 0.6, 1.2, 1.8, 2.36].map(|psi0| arc(rho, psi0)));
    let slight = 0.1 * minor / major;
    let whole = [1.0, 3.0].map(|times| height(slight, minor - (1.0 + times) * major * slight));
    // a ring that stands is not half its height in the plane
    let shallow = |at: &&Height<f64>| minor + major * at.rho - at.z <= minor;
    let good = |ring: &Bound| {
        arcs.as_flattened().iter().chain(&whole).filter(shallow).all(|at| {
            powers.into_iter().all(|power| {
                let [f, fine] = [ring, &fine].map(|ring| ring.resultant(at, power));
                f.iter().zip(&fine).all(|(x, y)| (x - y).abs() <= tolerance * fine[0])
            })
        })
    };
    let mut rings = (MIN_NODES..FINE).map(|nodes| Bound::new(major, minor, nodes, powers));
    rings.find(good).unwrap_or(fine)
}

/// The least number of nodes; that taken for the limit.
const MIN_NODES: usize = 4;
const FINE: usize = 96;

/// δ(ψ) of a ring whose centre is at the height z [m].
fn depth(major: f64, minor: f64, rho: f64, z: f64, psi: f64) -> f64 {
    major * rho * cos(psi) + minor * (1.0 - powi(rho * sin(psi), 2)).max(0.0).sqrt() - z
}

impl Bound {
    /// ∫ δⁿ (1, cos ψ, sin² ψ) dψ/2π by the nodes.
    fn resultant(&self, at: &Height<f64>, n: f64) -> [f64; 3] {
        let (mut sum, patch) = ([0.0; 3], self.patch(at));
        for node in (0..self.nodes).map(|k| self.node(k, &patch)) {
            let f = node.share * pow(depth(self.major, self.minor, at.rho, at.z, node.psi).max(0.0), n);
            let (sin, cos) = sincos(node.psi);
            [1.0, cos, sin * sin].iter().zip(&mut sum).for_each(|(x, s)| *s += f * x);
        }
        sum
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        "slices-exact"
    }
    fn features(&self) -> usize {
        self.nodes + 1
    }
    fn parts(&self) -> usize {
        self.nodes
    }
    fn feature_name(&self, feature: usize) -> String {
        match feature {
            0 => "ring".to_owned(),
            k if k <= self.nodes => format!("node {k}"),
            _ => String::new(),
        }
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        RelativeCurvature::strip(1.0 / self.minor, TAU * self.major)
    }
    // the height of a ring's lowest point has a kink where the ring lies flat
    fn bounds(&self) -> GapBounds {
        GapBounds { stray: self.minor, ..GapBounds::UNKNOWN }
    }
}

impl PairFormula for Bound {
    #[inline]
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        if feature > self.nodes {
            return Err(PairFailure::NoFeature(feature));
        }
        let view = self.view(x_a, x_b);
        finite(self.contact_in(&view, feature, x_a, x_b))
    }
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        let view = self.view(x_a, x_b);
        two_by_two(features, contacts, |k| {
            finite(self.contact_in(&view, within(k, self.nodes + 1)?, x_a, x_b))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERTZ: [f64; 2] = [1.5; 2];

    fn ring(nodes: usize, powers: [f64; 2]) -> Bound {
        Bound::new(0.025, 0.005, nodes, powers)
    }

    /// The force of very many slices, all of the ring.
    fn by_slices(at: &Height<f64>, n: usize) -> f64 {
        let psi = |k: usize| TAU * (k as f64 + 0.5) / n as f64;
        (0..n).map(|k| depth(0.025, 0.005, at.rho, at.z, psi(k)).max(0.0).powf(1.5)).sum::<f64>() / n as f64
    }

    /// ∫ δⁿ dψ/2π over |ψ| < ψ₀ by double exponentials (Takahasi & Mori 1974), which know nothing of powers: x = tanh(½π sinh t).
    fn by_exponentials(at: &Height<f64>, psi0: f64, n: f64) -> f64 {
        let h = 1.0 / 64.0;
        let term = |k: i32| {
            let (sinh, cosh) = (0.5 * PI * (h * f64::from(k)).sinh(), 0.5 * PI * (h * f64::from(k)).cosh());
            let x = sinh.tanh();
            depth(0.025, 0.005, at.rho, at.z, psi0 * x).max(0.0).powf(n) * cosh / sinh.cosh().powi(2)
        };
        (-256..=256).map(term).sum::<f64>() * h * psi0 / TAU
    }

    #[test]
    fn the_patch_ends_where_the_depth_does() {
        let ring = ring(12, HERTZ);
        for rho in [0.02, 0.3, 0.9, 1.0_f64] {
            for psi0 in [1e-3, 0.03, 0.3, 1.2, 1.5] {
                let at =
                    Height { z: depth(0.025, 0.005, rho, 0.0, psi0), rho, m_z: (1.0 - rho * rho).sqrt() };
                let first = ring.node(0, &ring.patch(&at));
                let edge = first.psi / ring.arc[0][0];
                // the height is rounded to 1e-18, and the patch with it
                assert!((edge - psi0).abs() < 1e-16 / (0.025 * rho * psi0) + 1e-15, "{rho} {psi0} {edge}");
            }
        }
    }

    /// The table of the book.
    #[test]
    fn tolerances_ask_for_few_nodes() {
        let counts = |powers| [1e-4, 1e-6, 1e-8, 1e-10].map(|t| enough(0.025, 0.005, t, powers).nodes);
        assert_eq!(counts(HERTZ), [7, 8, 10, 13]);
        assert_eq!(counts([1.0, 0.0]), [8, 9, 11, 12]);
        assert_eq!(counts([1.5, 0.0]), [12, 15, 18, 20]);
        assert_eq!(counts([1.5, 0.25]), [16, 20, 24, 28]);
    }

    /// Whatever the power of the law, and of its dashpot, forces keep the tolerance.
    #[test]
    fn the_tolerance_is_kept_for_every_power() {
        let one = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 7.3].map(|n| [n; 2]);
        // kelvin-voigt, ristow, tsuji, kuwabara-kono, and a law of somebody's own
        let two = [[1.0, 0.0], [1.5, 0.0], [1.5, 0.25], [1.5, 0.5], [1.3, 0.0]];
        for powers in one.into_iter().chain(two) {
            for tolerance in [1e-6, 1e-9, 1e-11] {
                let ring = enough(0.025, 0.005, tolerance, powers);
                assert!(ring.nodes < 40, "{powers:?} {tolerance:e}: {} nodes", ring.nodes);
                for (rho, psi0) in [(0.1_f64, 0.3), (0.1, 1.0), (0.1, 2.3), (0.39, 0.45), (0.9, 0.5)] {
                    let z = depth(0.025, 0.005, rho, 0.0, psi0);
                    let at = Height { z, rho, m_z: (1.0 - rho * rho).sqrt() };
                    for n in powers {
                        let (f, exact) = (ring.resultant(&at, n)[0], by_exponentials(&at, psi0, n));
                        let off = (f / exact - 1.0).abs();
                        assert!(off < 2.0 * tolerance, "{powers:?} {tolerance:e} {rho} {psi0} {n}: {off:e}");
                    }
                }
                for times in [1.0, 1.3, 2.7] {
                    let at = Height {
                        z: 0.005 - (1.0 + times) * 0.0004,
                        rho: 0.016,
                        m_z: (1.0 - 0.016_f64.powi(2)).sqrt(),
                    };
                    for n in powers {
                        let off = (ring.resultant(&at, n)[0] / by_exponentials(&at, PI, n) - 1.0).abs();
                        assert!(off < 2.0 * tolerance, "{powers:?} {tolerance:e} {times} {n}: {off:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_force_is_that_of_very_many_slices() {
        for rho in [0.0, 1e-4, 0.02, 0.1, 0.5, 0.9] {
            for below in [0.1, 0.5, 0.9, 0.999, 1.0, 1.001, 1.1, 1.5] {
                // from a point to the whole ring and deeper
                let z = 0.005 + 0.025 * rho - (2.0 * 0.025 * rho + 1e-6) * below;
                // (a ring that stands is not its own width in the plane)
                if rho > 0.3 && below > 0.1 {
                    continue;
                }
                let at = Height { z, rho, m_z: (1.0_f64 - rho * rho).sqrt() };
                let exact = by_slices(&at, 400_000);
                for (nodes, tolerance) in [(12, 3e-5), (16, 4e-6), (24, 2e-7)] {
                    let f = ring(nodes, HERTZ).resultant(&at, 1.5)[0];
                    assert!(
                        (f - exact).abs() < tolerance * exact,
                        "{rho} {below} {nodes}: {:e}",
                        f / exact - 1.0
                    );
                }
            }
        }
    }
}
