//! Functions that plane pieces share.

use carom_base::{Mat3, Scalar, Vec3, norm};

use crate::piece::{Asked, Height, Moments};

/// Returns the unit normal on the side from which the vertices are counterclockwise; `None` without area.
pub(super) fn normal(vertices: &[Vec3]) -> Option<Vec3> {
    let (&first, rest) = vertices.split_first()?;
    let twice: Vec3 = rest.windows(2).map(|v| (v[0] - first).cross(&(v[1] - first))).sum();
    let size = twice.norm();
    (size > 0.0 && size.is_finite()).then(|| twice / size)
}

/// Returns the least height of the vertices [m].
pub(super) fn nearest(vertices: &[Vec3], d: &Height) -> f64 {
    vertices.iter().map(|v| d.at(v)).fold(f64::INFINITY, f64::min)
}

/// Returns how directly the plane faces a support whose normal is along `b`: the cosine of the angle between `normal` and −b.
pub(super) fn facing(normal: &Vec3, b: &Vec3) -> f64 {
    -b.dot(normal) / b.norm()
}

/// Returns the height over a support on which the plane lies flat at a gap [m].
pub(super) fn resting(vertices: &[Vec3], normal: &Vec3, gap: f64) -> Height {
    let on_it = vertices.first().map_or(0.0, |v| v.dot(normal));
    Height { a: gap + on_it, b: -normal }
}

/// Multiplies the moments by k = |F* m| (Contento et al. Eq 18), which is constant on a plane.
pub(super) fn stretch<S: Scalar>(cof: Option<&Mat3<S>>, normal: &Vec3, out: &mut [Moments<S>]) {
    let Some(cof) = cof else { return };
    let k = norm(&(cof * normal.map(S::from_f64)));
    for out in out {
        *out = Moments { i0: out.i0 * k, i1: out.i1 * k, i2: out.i2 * k };
    }
}

/// Computes the sets asked for, each once: one that is asked for twice is copied, and ∫ d^−(ν−1) dA = ∫ d d^−ν dA is obtained
/// with the moments of ν. `find` writes the moments of a set, and returns that integral.
#[inline(always)]
pub(super) fn sets<S: Scalar>(
    asked: &[Asked],
    out: &mut [Moments<S>],
    mut find: impl FnMut(&Asked, &mut Moments<S>) -> S,
) {
    for (i, set) in asked.iter().enumerate() {
        let earlier = &asked[..i];
        if let Some(same) = earlier.iter().position(|earlier| earlier == set) {
            out[i] = out[same];
        } else if !earlier.iter().any(|earlier| has_lower(earlier, set)) {
            let lower = find(set, &mut out[i]);
            for later in i + 1..asked.len() {
                if has_lower(set, &asked[later]) {
                    out[later] = Moments { i0: lower, ..Moments::zero() };
                }
            }
        }
    }
}

/// Returns whether another set is ∫ d^−(ν−1) dA, for which the first moments of ν are enough.
#[inline]
fn has_lower(set: &Asked, other: &Asked) -> bool {
    other.order == 0 && set.order >= 1 && set.nu == other.nu + 1
}
