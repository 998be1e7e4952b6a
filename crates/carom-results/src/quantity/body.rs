//! Quantities of bodies and probes from `states.csv`: recorded ones, and those derived from them.

use crate::tables::{AFFINE, BODY};
use crate::track::Track;
use carom::base::elementary::{asin, atan2, hypot};

/// Returns a quantity of a body or probe by the part of its name after the dot, one value per output time.
pub(super) fn column(track: &Track, t: &[f64], suffix: &str) -> Option<Vec<f64>> {
    recorded(track, suffix).or_else(|| derived(track, t, suffix))
}

/// Returns a column of `states.csv`.
fn recorded(t: &Track, suffix: &str) -> Option<Vec<f64>> {
    if let (Some(d), Some(i)) = (&t.deformation, AFFINE.iter().position(|c| *c == suffix)) {
        return Some(match i {
            0..3 => t.position.iter().map(|p| p[i]).collect(),
            3..12 => d.f.iter().map(|f| f[i - 3]).collect(),
            12..15 => t.velocity.iter().map(|v| v[i - 12]).collect(),
            _ => d.f_dot.iter().map(|f| f[i - 15]).collect(),
        });
    }
    let i = BODY.iter().position(|c| *c == suffix)?;
    let rotation = t.rotation.as_ref();
    Some(match i {
        0..3 => t.position.iter().map(|p| p[i]).collect(),
        3..7 => rotation?.quaternion.iter().map(|q| q[i - 3]).collect(),
        7..10 => t.velocity.iter().map(|v| v[i - 7]).collect(),
        _ => rotation?.angular_velocity.iter().map(|w| w[i - 10]).collect(),
    })
}

/// Computes a quantity from the recorded ones.
fn derived(track: &Track, t: &[f64], suffix: &str) -> Option<Vec<f64>> {
    let spin = || track.rotation.as_ref().map(|r| r.angular_velocity.as_slice());
    let norms = |v: &[[f64; 3]]| v.iter().map(norm).collect();
    let axis = |rest: &str| ["x", "y", "z"].iter().position(|a| *a == rest);
    match suffix {
        "v" | "speed" => return Some(norms(&track.velocity)),
        "w" => return Some(norms(spin()?)),
        "a" => return Some(rates(t, &track.velocity).iter().map(norm).collect()),
        "alpha" => return Some(rates(t, spin()?).iter().map(norm).collect()),
        "volume" => return Some(track.deformation.as_ref()?.f.iter().map(determinant).collect()),
        _ => {}
    }
    if let Some(i) = suffix.strip_prefix("alpha").and_then(axis) {
        return Some(rates(t, spin()?).iter().map(|a| a[i]).collect());
    }
    if let Some(i) = suffix.strip_prefix('a').and_then(axis) {
        return Some(rates(t, &track.velocity).iter().map(|a| a[i]).collect());
    }
    let turned = &track.rotation.as_ref()?.quaternion;
    if suffix == "tilt" {
        // cos = 1 − 2 (x² + y²), the zz entry of the rotation matrix; with half angles it is accurate near 0 and π
        let tilt = |&[w, x, y, z]: &[f64; 4]| 2.0 * atan2(hypot(x, y), hypot(w, z));
        return Some(turned.iter().map(tilt).collect());
    }
    if let Some(i) = suffix.strip_prefix("angle_").and_then(axis) {
        // the twist about the axis
        return Some(continued(turned.iter().map(|q| 2.0 * atan2(q[i + 1], q[0]))));
    }
    let i = suffix.strip_prefix("euler_").and_then(axis)?;
    Some(continued(turned.iter().map(|q| euler_xyz(q)[i])))
}

fn norm(v: &[f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn determinant(f: &[f64; 9]) -> f64 {
    let [a, b, c, d, e, g, h, i, j] = *f;
    a * (e * j - g * i) - b * (d * j - g * h) + c * (d * i - e * h)
}

/// Returns the angles of R = Rx(a) Ry(b) Rz(c), as in `euler_xyz` of scenes.
fn euler_xyz(&[w, x, y, z]: &[f64; 4]) -> [f64; 3] {
    let sin_b = 2.0 * (x * z + w * y);
    [
        atan2(2.0 * (w * x - y * z), 1.0 - 2.0 * (x * x + y * y)),
        asin(sin_b.clamp(-1.0, 1.0)),
        atan2(2.0 * (w * z - x * y), 1.0 - 2.0 * (y * y + z * z)),
    ]
}

/// Makes angles continuous: they change by at most half a turn from one output time to the next.
fn continued(angles: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut last: Option<f64> = None;
    let turn = std::f64::consts::TAU;
    let next = |x: f64| {
        let x = last.map_or(x, |last| x - ((x - last) / turn).round() * turn);
        last = Some(x);
        x
    };
    angles.map(next).collect()
}

/// Computes rates by differences: the slope of the parabola through a point and its neighbours, which is exact for parabolas.
fn rates(t: &[f64], v: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let n = t.len().min(v.len());
    let slope = |i: usize, j: usize, k: usize, at: usize| {
        // Newton's form: v_i + (t − t_i) d + (t − t_i)(t − t_j) dd
        let parts = |c: usize| {
            let d = (v[j][c] - v[i][c]) / (t[j] - t[i]);
            let dd = ((v[k][c] - v[j][c]) / (t[k] - t[j]) - d) / (t[k] - t[i]);
            d + dd * (2.0 * t[at] - t[i] - t[j])
        };
        [parts(0), parts(1), parts(2)]
    };
    let at = |i: usize| match (n, i) {
        (0 | 1, _) => [f64::NAN; 3],
        (2, _) => [0, 1, 2].map(|c| (v[1][c] - v[0][c]) / (t[1] - t[0])),
        (_, 0) => slope(0, 1, 2, 0),
        (_, i) if i + 1 == n => slope(i - 2, i - 1, i, i),
        (_, i) => slope(i - 1, i, i + 1, i),
    };
    (0..n).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::{Deformed, Rotation};

    fn turned(q: Vec<[f64; 4]>) -> Track {
        let zeros = vec![[0.0; 3]; q.len()];
        let rotation = Some(Rotation { angular_velocity: zeros.clone(), quaternion: q });
        Track { name: String::new(), position: zeros.clone(), velocity: zeros, rotation, deformation: None }
    }

    #[test]
    fn angles_are_what_scenes_say() {
        // Rx(0.3) Ry(-0.7) Rz(2.5), multiplied out by hand
        let half = |x: f64| (0.5 * x).sin_cos();
        let ((sa, ca), (sb, cb), (sc, cc)) = (half(0.3), half(-0.7), half(2.5));
        let q = [
            ca * cb * cc - sa * sb * sc,
            sa * cb * cc + ca * sb * sc,
            ca * sb * cc - sa * cb * sc,
            ca * cb * sc + sa * sb * cc,
        ];
        let track = turned(vec![q]);
        for (name, angle) in [("euler_x", 0.3), ("euler_y", -0.7), ("euler_z", 2.5)] {
            let found = column(&track, &[0.0], name).unwrap_or_default();
            assert!((found[0] - angle).abs() < 1e-15, "{name} {found:?}");
        }
        let cos_tilt = 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]);
        let tilt = column(&track, &[0.0], "tilt").unwrap_or_default();
        assert!((tilt[0].cos() - cos_tilt).abs() < 1e-15);
    }

    #[test]
    fn turns_are_counted() {
        let angles: Vec<f64> = (0..40).map(|i| 0.4 * f64::from(i)).collect();
        let track = turned(angles.iter().map(|a| [(0.5 * a).cos(), 0.0, (0.5 * a).sin(), 0.0]).collect());
        let found = column(&track, &angles, "angle_y").unwrap_or_default();
        assert!(found.iter().zip(&angles).all(|(a, b)| (a - b).abs() < 1e-13), "{found:?}");
    }

    #[test]
    fn differences_are_exact_for_parabolas() {
        let t = [0.0, 0.1, 0.25, 0.3, 0.7];
        let mut track = turned(vec![[1.0, 0.0, 0.0, 0.0]; 5]);
        track.velocity = t.iter().map(|t| [3.0 - 2.0 * t + t * t, 0.0, 4.0 * t]).collect();
        let found = column(&track, &t, "ax").unwrap_or_default();
        assert!(found.iter().zip(t).all(|(a, t)| (a - (2.0 * t - 2.0)).abs() < 1e-14), "{found:?}");
        let found = column(&track, &t, "a").unwrap_or_default();
        assert!(found.iter().zip(t).all(|(a, t)| (a - (2.0 * t - 2.0f64).hypot(4.0)).abs() < 1e-13));
    }

    #[test]
    fn volumes() {
        let mut track = turned(vec![[1.0, 0.0, 0.0, 0.0]]);
        track.rotation = None;
        let f = vec![[2.0, 1.0, 0.0, 0.0, 3.0, 0.5, 0.0, 0.0, 0.25]];
        track.deformation = Some(Deformed { f: f.clone(), f_dot: f });
        assert_eq!(column(&track, &[0.0], "volume"), Some(vec![1.5]));
        assert_eq!(column(&track, &[0.0], "tilt"), None);
    }
}
