//! What can be measured between two bodies A and B: a number of their configuration, its rate, its gradient, and what is known of its second rate.
//!
//! - D·E, D and E vectors that the bodies carry or that lead from a point of B to a point of A. With φ = D·E,
//!
//!     φ̇ = Ḋ·E + D·Ė,   φ̈ = D̈·E + 2 Ḋ·Ė + D·Ë.
//!
//! - θ = atan2(s, c), the angle by which X of one body is turned about Z × Y of the other from Z, with s = X·Y, c = X·Z, ρ² = s² + c²:
//!
//!     θ̇ = (c ṡ − s ċ)/ρ²,   θ̈ = (c s̈ − s c̈)/ρ² − 2 θ̇ (c ċ + s ṡ)/ρ².
//!
//! A gradient is a set of pulls: a unit of the multiplier pulls at the end r of an arm with g (`Pull`). Since everything is said by vectors that go with bodies, it
//! holds for those that deform as well.

use carom_base::{Scalar, Vec3};

use super::moving::{Moving, Swept, zero};

/// The end a vector goes with: A or B.
pub(crate) const A: usize = 0;
/// The other one.
pub(crate) const B: usize = 1;

/// A vector between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Vector {
    /// from a point of B to a point of A: the points of A and B, from their centres of mass
    Between([Vec3; 2]),
    /// goes with a body, in its axes
    On(usize, Vec3),
}

/// A number of the configuration of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Measure {
    /// scale · D·E
    Dot { d: Vector, e: Vector, scale: f64 },
    /// the angle of `x`, which goes with the body `of`, about an axis of the other: (s, c) = (X·Y, X·Z), Y and Z across that axis
    Angle { of: usize, x: Vec3, y: Vec3, z: Vec3 },
}

/// What a unit of a measure's force does to a body: a force, and pulls g at the ends r of arms, X in the body's axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull<S: Scalar = f64> {
    pub(crate) f: Vec3<S>,
    pub(crate) arms: [Arm<S>; 2],
}

/// g at the end of r.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm<S: Scalar = f64> {
    pub(crate) g: Vec3<S>,
    pub(crate) r: Vec3<S>,
    pub(crate) x: Vec3,
}

/// A measure in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<S: Scalar = f64> {
    pub(crate) value: S,
    pub(crate) rate: S,
    /// what is known of the second rate
    pub(crate) bias: S,
    /// on A and B
    pub(crate) pulls: [Pull<S>; 2],
}

impl<S: Scalar> Arm<S> {
    pub(super) fn none() -> Arm<S> {
        Arm { g: zero(), r: zero(), x: Vec3::zeros() }
    }
}

impl<S: Scalar> Pull<S> {
    /// Σ r × g.
    #[inline(always)]
    pub(crate) fn torque(&self) -> Vec3<S> {
        self.arms[0].r.cross(&self.arms[0].g) + self.arms[1].r.cross(&self.arms[1].g)
    }

    /// What accelerations of a body add to φ̈: of its centre of mass and about it, or F̈ if it deforms.
    pub(crate) fn along(&self, a: &[S; 12], deforms: bool) -> S {
        let along = self.f.iter().zip(a).fold(S::from_f64(0.0), |sum, (g, a)| sum + *g * *a);
        let sum = |all: &[S]| all.iter().zip(&a[3..]).fold(along, |sum, (g, a)| sum + *g * *a);
        if deforms { sum(&self.moment()) } else { sum(self.torque().as_slice()) }
    }

    /// Σ g ⊗ X, column by column.
    pub(crate) fn moment(&self) -> [S; 9] {
        std::array::from_fn(|i| {
            let (row, column) = (i % 3, i / 3);
            self.arms.iter().fold(S::from_f64(0.0), |sum, a| sum + a.g[row] * S::from_f64(a.x[column]))
        })
    }
}

/// A vector in a state: how it moves, and where it hangs on A and B.
struct Hung<S: Scalar> {
    swept: Swept<S>,
    /// how much of the body's place is in it: 1 (A), −1 (B) or 0; and the arm, with that sign
    ends: [(f64, Vec3<S>, Vec3); 2],
}

impl Vector {
    #[inline(always)]
    fn at<S: Scalar>(&self, ends: [&Moving<S>; 2]) -> Hung<S> {
        let none = (0.0, zero(), Vec3::zeros());
        match self {
            Vector::Between([a, b]) => {
                let ((p, r_a), (q, r_b)) = (ends[A].point(a), ends[B].point(b));
                Hung { swept: p - q, ends: [(1.0, r_a, *a), (-1.0, -r_b, -b)] }
            }
            Vector::On(end, x) => {
                let swept = ends[*end].carried(x);
                let mut hung = [none; 2];
                hung[*end] = (0.0, swept.w, *x);
                Hung { swept, ends: hung }
            }
        }
    }
}

impl Measure {
    /// Whether it does not depend on places.
    pub(crate) fn only_turns(&self) -> bool {
        match self {
            Measure::Dot { d, e, .. } => matches!((d, e), (Vector::On(..), Vector::On(..))),
            Measure::Angle { .. } => true,
        }
    }

    /// In a state of A and B.
    #[inline(always)]
    pub(crate) fn at<S: Scalar>(&self, ends: [&Moving<S>; 2]) -> Row<S> {
        match self {
            Measure::Dot { d, e, scale } => dot(d, e, S::from_f64(*scale), ends),
            Measure::Angle { of, x, y, z } => angle(*of, [x, y, z], ends),
        }
    }
}

#[inline(always)]
fn dot<S: Scalar>(d: &Vector, e: &Vector, scale: S, ends: [&Moving<S>; 2]) -> Row<S> {
    let (d, e) = (d.at(ends), e.at(ends));
    let (dw, ew) = (d.swept.w * scale, e.swept.w * scale);
    let pull = |i: usize| {
        let ((d_share, d_arm, d_x), (e_share, e_arm, e_x)) = (d.ends[i], e.ends[i]);
        // ∂(D·E) = E·∂D + D·∂E
        Pull {
            f: ew * S::from_f64(d_share) + dw * S::from_f64(e_share),
            arms: [Arm { g: ew, r: d_arm, x: d_x }, Arm { g: dw, r: e_arm, x: e_x }],
        }
    };
    let two = S::from_f64(2.0);
    Row {
        value: dw.dot(&e.swept.w),
        rate: d.swept.rate.dot(&ew) + dw.dot(&e.swept.rate),
        bias: d.swept.bias.dot(&ew) + two * scale * d.swept.rate.dot(&e.swept.rate) + dw.dot(&e.swept.bias),
        pulls: [pull(A), pull(B)],
    }
}

fn angle<S: Scalar>(of: usize, [x, y, z]: [&Vec3; 3], ends: [&Moving<S>; 2]) -> Row<S> {
    let other = ends[1 - of];
    let (wx, wy, wz) = (ends[of].carried(x), other.carried(y), other.carried(z));
    let both = |u: &Swept<S>, v: &Swept<S>| {
        let two = S::from_f64(2.0);
        let rate = u.rate.dot(&v.w) + u.w.dot(&v.rate);
        let bias = u.bias.dot(&v.w) + two * u.rate.dot(&v.rate) + u.w.dot(&v.bias);
        (u.w.dot(&v.w), rate, bias)
    };
    let ((s, s_dot, s_ddot), (c, c_dot, c_ddot)) = (both(&wx, &wy), both(&wx, &wz));
    let rho = s * s + c * c;
    let (sin, cos) = (s / rho, c / rho);
    let rate = cos * s_dot - sin * c_dot;
    let bias = cos * s_ddot - sin * c_ddot - S::from_f64(2.0) * rate * (cos * c_dot + sin * s_dot);
    // ∂θ = (c ∂s − s ∂c)/ρ²
    let on_x = [Arm { g: wy.w * cos - wz.w * sin, r: wx.w, x: *x }, Arm::none()];
    let on_other = [Arm { g: wx.w * cos, r: wy.w, x: *y }, Arm { g: -wx.w * sin, r: wz.w, x: *z }];
    let pull = |end: usize| Pull { f: zero(), arms: if end == of { on_x } else { on_other } };
    Row { value: s.atan2(c), rate, bias, pulls: [pull(A), pull(B)] }
}
