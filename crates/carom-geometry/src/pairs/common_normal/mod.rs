//! Two surfaces F = 0 by the common normal, as D. S. Lopes, M. T. Silva, J. A. Ambrósio and P. Flores, A mathematical framework for rigid contact
//! detection between quadric and superquadric surfaces, Multibody Syst. Dyn. 24 (2010) 255–280, find it: six equations for six coordinates
//! (`constraints.rs`), solved by Newton's method as it is, Eq 8, until ‖Δq‖ ≤ `tolerance`, in units of the larger bounding radius, or an absolute one [m]. Convergence is quadratic: a last step of
//! 1e-6 leaves 1e-12.
//!
//! - *Cold start*, Section 7 (`start.rs`): where the line between the centres leaves each surface, or, as printed, the middle of that line for both points. *Warm start*: the points of the contact before.
//! - *Singular Jacobians*, Section 8: the pseudo-inverse, if asked for. Without it, as by default, the search ends there.
//! - *Four unknowns* in place of six, on request: `parametric.rs`.
//! - Equations 9 do not tell the nearest points from others with a common normal, of which there are four for separate generic ellipsoids and up to eight
//!   for overlapping ones (not "at most four" as said at Eq 22; and the printed rule, Eq 24, picks the far side). The right rule: of those with
//!   anti-parallel outward normals the largest s = n·(q − p). s > 0 is the largest; s < 0 can be it only where s is largest nearby, which is where
//!   R_A + R_B + s E is positive definite, R the radii of curvature. What is neither is refused ([`PairFailure::OtherSolution`]), or, if asked for, tried
//!   again from the reflected points of Eq 22.
//! - There is no line search and no second start: from a cold start the method often fails, and then says so. It is for comparison, by name;
//!   [`convex`](super::convex) is what pairs are bound to unless asked.
//!
//! Valid for smooth convex closed surfaces. Checked: Jacobian and tangents against differences; distances against reference values and the other method, derivatives against
//! differences, failures counted (`tests/common_normal.rs`).

mod constraints;
mod tangents;
mod options;
mod start;
mod parametric;
mod pseudo_inverse;

use std::sync::Arc;

use carom_base::elementary::hypot;
use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};
use nalgebra::Matrix2;

use super::{SHARP, finite, name_in, within};
use crate::bend::Bend;
use crate::closest_point::{direction, tangent};
use crate::contact::{Contact, Curvature, Found, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, with_derivatives};
use crate::shape::{Implicit, Level, Shape, Side, Surface};
use constraints::{Constraints, Points};
pub(super) use options::ENTRY;
pub use options::{CommonNormal, Form, Start};
pub use tangents::Tangents;

/// Newton's steps at most: what converges takes 3 to 12.
const MOST_STEPS: usize = 50;
const NAMES: [&str; 1] = ["contact"];

impl PairSolver for CommonNormal {
    fn name(&self) -> &'static str {
        match (self.tangents, self.form) {
            (Tangents::Householder, Form::Implicit) => "common-normal",
            (Tangents::Auxiliary, Form::Implicit) => "common-normal-auxiliary",
            (Tangents::Householder, Form::Parametric) => "common-normal-parametric",
            (Tangents::Auxiliary, Form::Parametric) => "common-normal-auxiliary-parametric",
        }
    }
    fn reference(&self) -> &'static str {
        "Lopes, Silva, Ambrósio & Flores 2010, Eqs 8-20"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        // a sheet ends somewhere, which its equation does not say
        let solid = |shape: &Shape| shape.side == Side::Outside && shape.surface.is_closed();
        if !solid(a) || !solid(b) {
            return None;
        }
        a.surface.as_implicit()?;
        b.surface.as_implicit()?;
        Some(Box::new(Bound { a: a.surface.clone(), b: b.surface.clone(), by: *self }))
    }
}

#[derive(Debug)]
struct Bound {
    a: Arc<dyn Surface>,
    b: Arc<dyn Surface>,
    by: CommonNormal,
}

/// What Newton's method came to.
struct Solved {
    at: Points,
    end: Constraints,
    steps: usize,
}

impl Bound {
    /// The equations that bind has asked for.
    fn equations(&self) -> Result<[&dyn Implicit; 2], PairFailure> {
        self.a.as_implicit().zip(self.b.as_implicit()).map(<[_; 2]>::from).ok_or(PairFailure::NoFeature(0))
    }

    /// Newton–Raphson, Eq 8, from `at`; `x` is the pose of B in A's frame.
    fn newton(&self, x: &Pose, mut at: Points) -> Result<Solved, PairFailure> {
        let surfaces @ [a, b] = self.equations()?;
        let by = &self.by;
        let size = a.bounds().radius.max(b.bounds().radius);
        let last = by.absolute_tolerance.unwrap_or(by.tolerance * size);
        for steps in 1..=MOST_STEPS {
            let here = Constraints::at(a, b, by.tangents, &at);
            let next = match by.form {
                Form::Implicit => here
                    .step(x, by.pseudo_inverse, size)
                    .map(|step| Points { p: at.p + step.p, q: at.q + step.q }),
                Form::Parametric => parametric::step(surfaces, &here, x, by.pseudo_inverse, size),
            };
            let next = next.ok_or(PairFailure::NoConvergence(steps))?;
            // ‖Δq‖₂ of all six coordinates, Section 7
            let step = hypot((next.p - at.p).norm(), (next.q - at.q).norm());
            at = next;
            if step <= last {
                return Ok(Solved { at, end: Constraints::at(a, b, by.tangents, &at), steps });
            }
        }
        Err(PairFailure::NoConvergence(MOST_STEPS))
    }

    /// The contact, in A's frame, and what Newton's method came to: from the contact before, or else from between the centres.
    fn solve(&self, x: &Pose, seed: Option<&Seed>) -> Result<(Contact, Solved), PairFailure> {
        if !(x.p.sum() + x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let [a, b] = self.equations()?;
        let mut at = match seed {
            Some(seed) => Points { p: seed.p_a, q: seed.p_b },
            None => start::cold(self.by.start, a, b, x),
        };
        if self.by.form == Form::Parametric {
            at = Points { p: parametric::onto(a, &at.p), q: parametric::onto(b, &at.q) };
        }
        let solved = self.newton(x, at)?;
        match self.contact_in_a(&solved, x) {
            Err(PairFailure::OtherSolution(before)) if self.by.reflect => {
                let other = PairFailure::OtherSolution(before);
                let start = start::reflected(a, b, x, &solved.at).ok_or(other)?;
                let solved = self.newton(x, start)?;
                let solved = Solved { steps: before + solved.steps, ..solved };
                Ok((self.contact_in_a(&solved, x)?, solved))
            }
            contact => Ok((contact?, solved)),
        }
    }

    /// The contact, in A's frame, unless the common normal is that of other points.
    fn contact_in_a(&self, solved: &Solved, x: &Pose) -> Result<Contact, PairFailure> {
        let (at, end) = (&solved.at, &solved.end);
        let (n, _) = direction(&end.a.gradient, Vec3::z);
        let (p_a, p_b) = (at.p, x.point(&at.q));
        let s = n.dot(&(p_b - p_a)); // Table 2
        let anti_parallel = n.dot(&x.direction(&end.b.gradient)) < 0.0;
        if !anti_parallel || (s < 0.0 && !is_largest(s, &n, [&end.a, &end.b], x)) {
            return Err(PairFailure::OtherSolution(solved.steps));
        }
        finite(Contact { p_a, p_b, n, delta: -s, share: 1.0, common: None })
    }

    fn found(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<(Contact, usize), PairFailure> {
        let x = x_b.seen_from(x_a);
        let (c, solved) = self.solve(&x, seed)?;
        let (p_a, p_b, n) = (x_a.point(&c.p_a), x_a.point(&c.p_b), x_a.direction(&c.n));
        Ok((Contact { p_a, p_b, n, ..c }, solved.steps))
    }

    /// What both surfaces' radii of curvature differ by at most: how far gaps can bend as bodies turn.
    fn strays(&self) -> Option<f64> {
        let of = |surface: &Arc<dyn Surface>| {
            let support = surface.as_support()?;
            Some(support.largest_radius() - support.least_radius()).filter(|stray| stray.is_finite())
        };
        Some(of(&self.a)? + of(&self.b)?)
    }

    /// No deeper than this an s that is largest nearby is the largest of all: the least radii of curvature together.
    fn certain_depth(&self) -> f64 {
        let of = |surface: &Arc<dyn Surface>| surface.as_support().map_or(0.0, |s| s.least_radius());
        of(&self.a) + of(&self.b)
    }
}

/// Whether s is largest nearby: R_A + R_B + s E positive definite. Where a surface is flat its radius is without bound.
fn is_largest(s: f64, n: &Vec3, [a, b]: [&Level; 2], x: &Pose) -> bool {
    let t = tangent(n);
    let across = nalgebra::Matrix3x2::from_columns(&[t, n.cross(&t)]);
    let radii = |level: &Level, turn: &Mat3| {
        let shape = turn * level.hessian * turn.transpose() / level.gradient.norm();
        let shape: Matrix2<f64> = across.tr_mul(&(shape * across));
        // flatter than this against the depth is flat enough
        (shape + Matrix2::identity() * (1e-9 / s.abs())).try_inverse()
    };
    match (radii(a, &Mat3::identity()), radii(b, &x.r)) {
        (Some(r_a), Some(r_b)) => {
            let m = r_a + r_b + Matrix2::identity() * s;
            m.trace() > 0.0 && m.determinant() > 0.0
        }
        _ => false,
    }
}

impl Bound {
    /// The contact with its derivatives.
    fn moving<const N: usize>(
        &self,
        feature: usize,
        x_a: &Pose<Dual<N>>,
        x_b: &Pose<Dual<N>>,
    ) -> ContactResult<Dual<N>> {
        within(feature, NAMES.len())?;
        let moving = x_b.seen_from(x_a);
        let x = Pose { p: moving.p.map(|c| c.re), r: moving.r.map(|c| c.re) };
        let (_, solved) = self.solve(&x, None)?;
        let rates = solved.end.rates(&x, &moving).ok_or(PairFailure::NoConvergence(solved.steps))?;
        let dual = |v: &Vec3, by: &dyn Fn(usize) -> Vec3| {
            Vec3::from_fn(|i, _| Dual { re: v[i], eps: std::array::from_fn(|k| by(k)[i]) })
        };
        let a = &solved.end.a;
        let p_a = x_a.point(&dual(&solved.at.p, &|k| rates[k].p));
        let p_b = x_b.point(&dual(&solved.at.q, &|k| rates[k].q));
        let gradient = dual(&a.gradient, &|k| a.hessian * rates[k].p);
        let n = x_a.direction(&direction(&gradient, Vec3::z).0);
        finite(Contact { p_a, p_b, n, delta: (p_a - p_b).dot(&n), share: Dual::from_f64(1.0), common: None })
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        self.by.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let (Ok(c), Ok([a, b])) = (self.contact(feature, x_a, x_b), self.equations()) else { return SHARP };
        let of = |surface: &dyn Implicit, x: &Pose, p: &Vec3| {
            let level = surface.level(&x.point_to_local(p));
            let found = Bend::new(&level.gradient, &level.hessian).seen_from(Side::Outside);
            Curvature { direction: x.direction(&found.direction), ..found }
        };
        RelativeCurvature::between(&of(a, x_a, &c.p_a), &of(b, x_b, &c.p_b))
    }
    /// As for two convex solids: bounded by how the tangent planes part.
    fn bounds(&self) -> GapBounds {
        match self.strays() {
            Some(stray) => GapBounds { stray, ..GapBounds::CONVEX },
            None => GapBounds::UNKNOWN,
        }
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.contact_from(feature, x_a, x_b, None)
    }
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        within(feature, NAMES.len())?;
        self.found(x_a, x_b, seed).map(|(contact, _)| contact)
    }
    fn is_iterative(&self) -> bool {
        true
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        let (contact, steps) = self.found(x_a, x_b, seed)?;
        // (it converges to a regular solution only)
        let certain = contact.delta <= self.certain_depth();
        let bounds = certain.then_some([-contact.delta; 2]);
        Ok(Found { contact, steps, bounds, unique: true, solver: self.solver() })
    }
    with_derivatives!(|pair, k, x_a, x_b, _| Some(pair.moving(k, x_a, x_b)));
}
