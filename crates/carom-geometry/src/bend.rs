//! The shape operator of a surface F = 0, and what follows from it: principal curvatures and the derivatives of closest points.
//!
//! With n = ∇F/|∇F|, P = E − n nᵀ and H the Hessian of F the shape operator is S = P H P/|∇F|, dn = S dp; its eigenvalues on the tangent
//! plane are the principal curvatures. With x = p + d n a closest point's derivatives are, by the implicit function theorem,
//! dp = (E + d S)⁻¹ P dx, dn = S dp, dd = n·dx. At a centre of curvature, 1 + d k = 0, there is none, and that direction is left out.
//!
//! Checked: against differences of closest points and normals for every surface that uses it (`tests/surfaces.rs`); deformed ones against those of
//! other surfaces (`tests/deformed.rs`).

use carom_base::elementary::hypot;
use carom_base::{Dual, Mat3, Vec3, inverse};

use crate::closest_point::{direction, tangent};
use crate::contact::Curvature;
use crate::shape::{ClosestPoint, Side};

/// The outward normal at a point, the principal curvatures as seen from outside, the greater first [1/m], and their directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    pub(crate) n: Vec3,
    pub(crate) k: [f64; 2],
    pub(crate) t: [Vec3; 2],
}

/// adj(H) of a symmetric H: H adj(H) = det(H) E.
fn adjugate(h: &Mat3) -> Mat3 {
    let [x, y, z] = [0, 1, 2].map(|i| h.column(i).into_owned());
    Mat3::from_columns(&[y.cross(&z), z.cross(&x), x.cross(&y)])
}

/// Sine and cosine of half the angle of the vector (x, y), of that length, the cosine not negative; of a zero vector the angle is zero.
fn half_of(y: f64, x: f64, length: f64) -> (f64, f64) {
    if !(length > 0.0) {
        return (0.0, 1.0);
    }
    // the larger of the two by a square root, the other by the sine of the whole angle: so neither loses digits
    let (cos, sin) = (x / length, y / length);
    let larger = (0.5 * (1.0 + cos.abs())).sqrt();
    let smaller = 0.5 * sin.abs() / larger;
    if cos >= 0.0 { (smaller.copysign(sin), larger) } else { (larger.copysign(sin), smaller) }
}

impl Bend {
    /// From the gradient and the Hessian of F at a point of the surface, F growing outwards; both may have the same factor.
    pub(crate) fn new(gradient: &Vec3, hessian: &Mat3) -> Bend {
        let (n, slope) = direction(gradient, Vec3::z);
        let h = hessian / slope;
        let e = tangent(&n);
        let f = n.cross(&e);
        let (he, hf) = (h * e, h * f);
        let (ee, ef, ff) = (e.dot(&he), e.dot(&hf), f.dot(&hf));
        let (mean, half) = (0.5 * (ee + ff), 0.5 * (ee - ff));
        let radius = hypot(half, ef);
        let (sin, cos) = half_of(ef, half, radius);
        let first = direction(&(e * cos + f * sin), Vec3::x).0;
        // the larger by the trace, the other by Gauss' curvature k₁ k₂ = n·adj(H) n: a sum of theirs would lose its digits
        let larger = if mean < 0.0 { mean - radius } else { mean + radius };
        let gauss = n.dot(&(adjugate(&h) * n));
        let other = if larger == 0.0 { 0.0 } else { gauss / larger };
        let k = if mean < 0.0 { [other, larger] } else { [larger, other] };
        Bend { n, k, t: [first, n.cross(&first)] }
    }

    /// Of a surface that is deformed by F, from its curvatures where its outward normal was the unit vector `m`: the tangent t goes to F t and
    /// m to F^−T m, and with K = k₁ t₁⊗t₁ + k₂ t₂⊗t₂ the quadric m·x + ½ x·K x = 0 goes to that of F^−T m and F^−T K F⁻¹.
    pub(crate) fn deformed(m: &Vec3, k: &Curvature, f: &Mat3) -> Bend {
        let (t, s) = (&k.direction, m.cross(&k.direction));
        let bent = t * (t * k.k1).transpose() + s * (s * k.k2).transpose();
        let inv = inverse(f).1;
        Bend::new(&inv.tr_mul(m), &(inv.transpose() * bent * inv))
    }

    /// The principal curvatures, positive where that side sees a bulge.
    pub(crate) fn seen_from(&self, side: Side) -> Curvature {
        Curvature { k1: side.sign() * self.k[0], k2: side.sign() * self.k[1], direction: self.t[0] }
    }

    /// The closest point `p` of `x` as that side sees it, with the derivatives by what `x` depends on.
    pub(crate) fn closest_point_dual(
        &self,
        side: Side,
        p: &Vec3,
        x: &Vec3<Dual<3>>,
    ) -> ClosestPoint<Dual<3>> {
        let n = self.n * side.sign();
        let d = n.dot(&(x.map(|c| c.re) - p));
        let (mut dp, mut dn) = (Mat3::zeros(), Mat3::zeros());
        for (k, t) in self.k.iter().zip(&self.t) {
            let k = side.sign() * k;
            let spread = 1.0 + d * k;
            if spread > 1e-14 {
                let along = t * t.transpose() / spread;
                dp += along;
                dn += along * k;
            }
        }
        let dual = |re: f64, by: Vec3| Dual { re, eps: by.into() }.compose(x.as_slice());
        let vector = |v: &Vec3, m: &Mat3| Vec3::from_fn(|i, _| dual(v[i], m.row(i).transpose()));
        ClosestPoint { p: vector(p, &dp), n: vector(&n, &dn), d: dual(d, n) }
    }
}
