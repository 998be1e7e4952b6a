//! Measures between two bodies A and B: a scalar function of their configuration, its rate, its gradient, and the part
//! of its second rate that is known before the accelerations are.
//!
//! - φ = D·E, where D and E are vectors that are fixed to a body or that lead from a point of B to a point of A:
//!
//!     φ̇ = Ḋ·E + D·Ė,   φ̈ = D̈·E + 2 Ḋ·Ė + D·Ë.
//!
//! - θ = atan2(s, c), the angle by which X, fixed to one body or leading from one to the other, is turned from Z about
//!   Z × Y of the other body, with s = X·Y, c = X·Z, ρ² = s² + c²:
//!
//!     θ̇ = (c ṡ − s ċ)/ρ²,   θ̈ = (c s̈ − s c̈)/ρ² − 2 θ̇ (c ċ + s ṡ)/ρ².
//!
//! - ψ = atan2(s, c), the angle between D and E, with c = D·E and s = u·(D × E), u the direction of D × E: its rates
//!   are those of θ, its gradients by D and E are −u × D/D² and u × E/E².
//!
//! A gradient is a generalised force: a unit of the multiplier acts with forces g at the ends r of arms
//! (`GeneralizedForce`). Since it is expressed by vectors fixed to bodies, it is valid for bodies that deform as well.

use carom_base::elementary::hypot;
use carom_base::{Scalar, Vec3, inverse};

use super::moving::{Moving, VectorMotion, zero};
use crate::state::Kinematics;

/// Index of the joint's first body.
pub(crate) const A: usize = 0;
/// Index of the joint's second body.
pub(crate) const B: usize = 1;

/// A vector that is defined by two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Vector {
    /// leads from a point of B to a point of A; holds the points of A and B, from their centres of mass, in their axes
    /// [m]
    Between([Vec3; 2]),
    /// is fixed to a body (`A` or `B`); holds its components in the body's axes
    On(usize, Vec3),
}

/// A scalar function of the configuration of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Measure {
    /// scale · D·E
    Dot { d: Vector, e: Vector, scale: f64 },
    /// the angle of `x` about an axis of the body `from`: (s, c) = (X·Y, X·Z), Y and Z perpendicular to that axis
    Angle { x: Vector, from: usize, y: Vec3, z: Vec3 },
    /// the angle between two vectors, from 0 to π
    Between { d: Vector, e: Vector },
}

/// The generalised force that a unit of a measure's multiplier exerts on a body: a force f on its centre of mass, and
/// the moments of forces g at the ends r of arms, each given in the body's axes too (x).
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeneralizedForce<S: Scalar = f64> {
    pub(crate) f: Vec3<S>,
    pub(crate) arms: [Arm<S>; 2],
}

/// A force g at the end of an arm r; x: the arm in the body's axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm<S: Scalar = f64> {
    pub(crate) g: Vec3<S>,
    pub(crate) r: Vec3<S>,
    pub(crate) x: Vec3<S>,
}

/// The value of a measure in a state, with its rates and its gradient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<S: Scalar = f64> {
    pub(crate) value: S,
    pub(crate) rate: S,
    /// the part of the second rate that is known before the accelerations are
    pub(crate) bias: S,
    /// the gradient: generalised forces on A and B
    pub(crate) forces: [GeneralizedForce<S>; 2],
}

impl<S: Scalar> Arm<S> {
    pub(crate) fn none() -> Arm<S> {
        Arm { g: zero(), r: zero(), x: zero() }
    }
}

impl GeneralizedForce {
    /// Returns the generalised force of a force g at the point p of a body.
    pub(crate) fn at(k: &Kinematics, p: &Vec3, g: Vec3) -> GeneralizedForce {
        let r = p - k.x.p;
        let x = if k.deforms { inverse(&k.x.r).1 * r } else { r };
        GeneralizedForce { f: g, arms: [Arm { g, r, x }, Arm::none()] }
    }

    /// Returns the generalised force of a force g at the point p of a rigid body, and a couple.
    pub(crate) fn with_couple(k: &Kinematics, p: &Vec3, g: Vec3, couple: Vec3) -> GeneralizedForce {
        let mut force = GeneralizedForce::at(k, p, g);
        // r × (c × r) = c for a unit vector r across c
        let mut least = Vec3::zeros();
        least[couple.iamin()] = 1.0;
        let r = couple.cross(&least).normalize();
        if r.sum().is_finite() {
            force.arms[1] = Arm { g: couple.cross(&r), r, x: r };
        }
        force
    }
}

impl<S: Scalar> GeneralizedForce<S> {
    /// Returns the torque Σ r × g about the centre of mass.
    #[inline(always)]
    pub(crate) fn torque(&self) -> Vec3<S> {
        self.arms[0].r.cross(&self.arms[0].g) + self.arms[1].r.cross(&self.arms[1].g)
    }

    /// Returns what accelerations of a body add to φ̈; a: those of its centre of mass, then its angular acceleration
    /// or, if it deforms, F̈.
    pub(crate) fn along(&self, a: &[S; 12], deforms: bool) -> S {
        let along = self.f.iter().zip(a).fold(S::from_f64(0.0), |sum, (g, a)| sum + *g * *a);
        let sum = |all: &[S]| all.iter().zip(&a[3..]).fold(along, |sum, (g, a)| sum + *g * *a);
        if deforms { sum(&self.moment()) } else { sum(self.torque().as_slice()) }
    }

    /// Returns Σ g ⊗ X, column by column: the generalised force for F of a body that deforms.
    pub(crate) fn moment(&self) -> [S; 9] {
        std::array::from_fn(|i| {
            let (row, column) = (i % 3, i / 3);
            self.arms.iter().fold(S::from_f64(0.0), |sum, a| sum + a.g[row] * a.x[column])
        })
    }
}

/// A vector in a state: its motion, and how it depends on the positions of A and B.
struct VectorInState<S: Scalar> {
    swept: VectorMotion<S>,
    /// for A and B: the coefficient of the body's position in the vector, which is 1 (A), −1 (B) or 0; and the arm with
    /// that sign, in the world and in the body's axes
    ends: [(f64, Vec3<S>, Vec3); 2],
}

impl<S: Scalar> VectorInState<S> {
    /// Returns the force and the arm at one end, where g is the gradient by this vector.
    #[inline(always)]
    fn force_on(&self, end: usize, g: Vec3<S>) -> (Vec3<S>, Arm<S>) {
        let (share, r, x) = self.ends[end];
        (g * S::from_f64(share), Arm { g, r, x: x.map(S::from_f64) })
    }
}

impl Vector {
    #[inline(always)]
    fn at<S: Scalar>(&self, ends: [&Moving<S>; 2]) -> VectorInState<S> {
        let none = (0.0, zero(), Vec3::zeros());
        match self {
            Vector::Between([a, b]) => {
                let ((p, r_a), (q, r_b)) = (ends[A].point(a), ends[B].point(b));
                VectorInState { swept: p - q, ends: [(1.0, r_a, *a), (-1.0, -r_b, -b)] }
            }
            Vector::On(end, x) => {
                let swept = ends[*end].carried(x);
                let mut hung = [none; 2];
                hung[*end] = (0.0, swept.w, *x);
                VectorInState { swept, ends: hung }
            }
        }
    }
}

impl Measure {
    /// Whether it depends on the orientations of the bodies only, not on their positions.
    pub(crate) fn only_turns(&self) -> bool {
        let carried = |v: &Vector| matches!(v, Vector::On(..));
        match self {
            Measure::Dot { d, e, .. } | Measure::Between { d, e } => carried(d) && carried(e),
            Measure::Angle { x, .. } => carried(x),
        }
    }

    /// Whether its values are angles [rad]; otherwise they are lengths, or products of vectors.
    pub(crate) fn is_angle(&self) -> bool {
        !matches!(self, Measure::Dot { .. })
    }

    /// For an angle about an axis, returns the sine of the angle between that axis and the vector that is measured:
    /// from 0, where the angle is undefined, to 1.
    pub(crate) fn lean(&self, ends: [&Moving; 2]) -> Option<f64> {
        let Measure::Angle { x, from, y, z } = self else { return None };
        let hung = x.at(ends).swept.w;
        let [y, z] = [y, z].map(|v| ends[*from].carried(v).w);
        Some(hypot(hung.dot(&y), hung.dot(&z)) / hung.norm())
    }

    /// Evaluates the measure in a state of A and B. It is compiled once for each kind of number, not at each of its
    /// callers: with derivatives it is long.
    #[inline(never)]
    pub(crate) fn at<S: Scalar>(&self, ends: [&Moving<S>; 2]) -> Row<S> {
        self.at_once(ends)
    }

    /// Evaluates the measure in a state of A and B, compiled into its caller: for the rows of joints.
    #[inline(always)]
    pub(crate) fn at_once<S: Scalar>(&self, ends: [&Moving<S>; 2]) -> Row<S> {
        match self {
            Measure::Dot { d, e, scale } => dot(d, e, S::from_f64(*scale), ends),
            Measure::Angle { x, from, y, z } => angle(x, *from, [y, z], ends),
            Measure::Between { d, e } => between(d, e, ends),
        }
    }
}

/// Returns the generalised forces on A and B of gradients by two vectors: ∂φ = g_d·∂D + g_e·∂E.
#[inline(always)]
fn forces<S: Scalar>(
    d: &VectorInState<S>,
    g_d: Vec3<S>,
    e: &VectorInState<S>,
    g_e: Vec3<S>,
) -> [GeneralizedForce<S>; 2] {
    let force = |end: usize| {
        let ((f_d, d), (f_e, e)) = (d.force_on(end, g_d), e.force_on(end, g_e));
        GeneralizedForce { f: f_d + f_e, arms: [d, e] }
    };
    [force(A), force(B)]
}

/// Returns u·v, its rate, and the part of its second rate that is known before the accelerations are.
#[inline(always)]
fn product<S: Scalar>(u: &VectorMotion<S>, v: &VectorMotion<S>) -> [S; 3] {
    let bias = u.bias.dot(&v.w) + S::from_f64(2.0) * u.rate.dot(&v.rate) + u.w.dot(&v.bias);
    [u.w.dot(&v.w), u.rate.dot(&v.w) + u.w.dot(&v.rate), bias]
}

#[inline(always)]
fn dot<S: Scalar>(d: &Vector, e: &Vector, scale: S, ends: [&Moving<S>; 2]) -> Row<S> {
    let (d, e) = (d.at(ends), e.at(ends));
    let [value, rate, bias] = product(&d.swept, &e.swept).map(|x| x * scale);
    Row { value, rate, bias, forces: forces(&d, e.swept.w * scale, &e, d.swept.w * scale) }
}

/// Returns atan2(s, c) with its rates, and (s, c)/ρ².
#[inline(always)]
fn atan2<S: Scalar>([s, s_dot, s_ddot]: [S; 3], [c, c_dot, c_ddot]: [S; 3]) -> ([S; 3], [S; 2]) {
    let rho = s * s + c * c;
    let (sin, cos) = (s / rho, c / rho);
    let rate = cos * s_dot - sin * c_dot;
    let bias = cos * s_ddot - sin * c_ddot - S::from_f64(2.0) * rate * (cos * c_dot + sin * s_dot);
    ([s.atan2(c), rate, bias], [sin, cos])
}

fn angle<S: Scalar>(x: &Vector, from: usize, [y, z]: [&Vec3; 2], ends: [&Moving<S>; 2]) -> Row<S> {
    let hung = x.at(ends);
    let (wy, wz) = (ends[from].carried(y), ends[from].carried(z));
    let (s, c) = (product(&hung.swept, &wy), product(&hung.swept, &wz));
    let ([value, rate, bias], [sin, cos]) = atan2(s, c);
    // ∂θ = (c ∂s − s ∂c)/ρ² = g·∂X + X·(c ∂Y − s ∂Z)/ρ², g = (c Y − s Z)/ρ²
    let g = wy.w * cos - wz.w * sin;
    let across = y.map(S::from_f64) * cos - z.map(S::from_f64) * sin;
    let force = |end: usize| {
        let (f, own) = hung.force_on(end, g);
        let other = if end == from { Arm { g: hung.swept.w, r: g, x: across } } else { Arm::none() };
        GeneralizedForce { f, arms: [own, other] }
    };
    Row { value, rate, bias, forces: [force(A), force(B)] }
}

fn between<S: Scalar>(d: &Vector, e: &Vector, ends: [&Moving<S>; 2]) -> Row<S> {
    let (d, e) = (d.at(ends), e.at(ends));
    let (VectorMotion { w: dw, rate: dv, bias: da }, VectorMotion { w: ew, rate: ev, bias: ea }) =
        (d.swept, e.swept);
    let n = dw.cross(&ew);
    let n_dot = dv.cross(&ew) + dw.cross(&ev);
    let n_ddot = da.cross(&ew) + dv.cross(&ev) * S::from_f64(2.0) + dw.cross(&ea);
    let s = n.dot(&n).sqrt();
    let none = S::from_f64(0.0);
    // where D and E are parallel, every direction perpendicular to them serves as u
    let u = if s > none { n / s } else { across(&dw) };
    let s_dot = u.dot(&n_dot);
    let bent = if s > none { (n_dot.dot(&n_dot) - s_dot * s_dot) / s } else { none };
    let s = [s, s_dot, u.dot(&n_ddot) + bent];
    let ([value, rate, bias], _) = atan2(s, product(&d.swept, &e.swept));
    let (g_d, g_e) = (dw.cross(&u) / dw.dot(&dw), u.cross(&ew) / ew.dot(&ew));
    Row { value, rate, bias, forces: forces(&d, g_d, &e, g_e) }
}

/// Returns a unit vector perpendicular to z.
fn across<S: Scalar>(z: &Vec3<S>) -> Vec3<S> {
    let least = Vec3::ith(z.map(|x| x.value()).iamin(), 1.0).map(S::from_f64);
    let across = least - z * (z.dot(&least) / z.dot(z));
    across / across.dot(&across).sqrt()
}
