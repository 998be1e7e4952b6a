//! Points, segments and triangles: how far they are apart.

use carom_base::Vec3;

use crate::closest_point::direction;

/// The nearest points of two things that are apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) p: Vec3,
    pub(super) q: Vec3,
    /// the unit vector from p to q
    pub(super) n: Vec3,
    pub(super) d: f64,
}

/// The distance of a point from a segment [m].
pub(super) fn from_segment(x: &Vec3, [a, b]: &[Vec3; 2]) -> f64 {
    let e = b - a;
    let share = ((x - a).dot(&e) / e.norm_squared()).clamp(0.0, 1.0);
    (x - a - e * share).norm()
}

/// Whether the closest point to x of the plane of a triangle is within the triangle.
fn is_over(x: &Vec3, t: &[Vec3; 3], normal: &Vec3) -> bool {
    (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(normal).dot(&(x - t[k])) <= 0.0)
}

/// The distance of a point from a triangle [m].
pub(super) fn from_triangle(x: &Vec3, t: &[Vec3; 3], normal: &Vec3) -> f64 {
    if is_over(x, t, normal) {
        return normal.dot(&(x - t[0])).abs();
    }
    (0..3).map(|k| from_segment(x, &[t[k], t[(k + 1) % 3]])).fold(f64::INFINITY, f64::min)
}

/// The nearest points of two triangles with their unit normals, if they are nearer than `best`; at a distance of 0 where they cross.
pub(super) fn triangles(
    f: &[Vec3; 3],
    f_normal: &Vec3,
    g: &[Vec3; 3],
    g_normal: &Vec3,
    best: f64,
) -> Option<Nearest> {
    // heights over each other's planes: nothing is nearer than a plane that has all of the other on one side
    let over = |t: &[Vec3; 3], on: &Vec3, n: &Vec3| t.map(|x| n.dot(&(x - on)));
    let (of_g, of_f) = (over(g, &f[0], f_normal), over(f, &g[0], g_normal));
    let beyond = |h: &[f64; 3]| h.iter().all(|h| *h >= best) || h.iter().all(|h| *h <= -best);
    if beyond(&of_g) || beyond(&of_f) {
        return None;
    }
    if let Some(x) = crossing(f, &of_f, g, g_normal).or_else(|| crossing(g, &of_g, f, f_normal)) {
        return Some(Nearest { p: x, q: x, n: *f_normal, d: 0.0 });
    }
    let mut found = None;
    let mut least = best;
    let mut offer = |near: Nearest| {
        if near.d < least {
            least = near.d;
            found = Some(near);
        }
    };
    for k in 0..3 {
        if of_g[k].abs() < best && is_over(&g[k], f, f_normal) {
            let n = if of_g[k] < 0.0 { -f_normal } else { *f_normal };
            offer(Nearest { p: g[k] - f_normal * of_g[k], q: g[k], n, d: of_g[k].abs() });
        }
        if of_f[k].abs() < best && is_over(&f[k], g, g_normal) {
            let n = if of_f[k] < 0.0 { *g_normal } else { -g_normal };
            offer(Nearest { p: f[k], q: f[k] - g_normal * of_f[k], n, d: of_f[k].abs() });
        }
        for j in 0..3 {
            offer(segments([&f[k], &f[(k + 1) % 3]], [&g[j], &g[(j + 1) % 3]]));
        }
    }
    found
}

/// Whether two triangles cross.
pub(super) fn cross(f: &[Vec3; 3], f_normal: &Vec3, g: &[Vec3; 3], g_normal: &Vec3) -> bool {
    let over = |t: &[Vec3; 3], on: &Vec3, n: &Vec3| t.map(|x| n.dot(&(x - on)));
    let of_f = over(f, &g[0], g_normal);
    let apart = of_f.iter().all(|h| *h > 0.0) || of_f.iter().all(|h| *h < 0.0);
    !apart
        && (crossing(f, &of_f, g, g_normal).is_some()
            || crossing(g, &over(g, &f[0], f_normal), f, f_normal).is_some())
}

/// Where a side of a triangle passes through another one; `heights` are those of its corners over that one's plane.
fn crossing(t: &[Vec3; 3], heights: &[f64; 3], through: &[Vec3; 3], normal: &Vec3) -> Option<Vec3> {
    (0..3).find_map(|k| {
        let (from, to) = (heights[k], heights[(k + 1) % 3]);
        if !(from * to < 0.0) {
            return None;
        }
        let x = t[k] + (t[(k + 1) % 3] - t[k]) * (from / (from - to));
        is_over(&x, through, normal).then_some(x)
    })
}

/// The nearest points of two segments.
fn segments([a, b]: [&Vec3; 2], [c, d]: [&Vec3; 2]) -> Nearest {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, vv, uv, uw, vw) = (u.dot(&u), v.dot(&v), u.dot(&v), u.dot(&w), v.dot(&w));
    let det = uu * vv - uv * uv;
    let s = if det > 1e-14 * uu * vv { ((uv * vw - vv * uw) / det).clamp(0.0, 1.0) } else { 0.0 };
    let t = (uv * s + vw) / vv;
    let (s, t) = if t < 0.0 {
        ((-uw / uu).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((uv - uw) / uu).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    };
    let (p, q) = (a + u * s, c + v * t);
    let inner = |x: f64| x > 0.0 && x < 1.0;
    let across = u.cross(&v);
    if inner(s) && inner(t) && across.norm_squared() > 1e-8 * uu * vv {
        // across both, so that n has all its digits however near they are
        let (n, _) = direction(&across, Vec3::z);
        let d = -n.dot(&w);
        return Nearest { p, q, n: if d < 0.0 { -n } else { n }, d: d.abs() };
    }
    let (n, d) = direction(&(q - p), Vec3::z);
    Nearest { p, q, n, d }
}
