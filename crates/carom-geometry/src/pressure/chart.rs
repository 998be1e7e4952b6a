//! Pieces of curved surfaces by two parameters, each from 0 to 1.
//!
//! Cylinders and cones are cut into quarters, discs too; an ellipsoid into six, as a cube blown up is, x = S ω with ω the direction of (1, a, b), a and b from −1 to 1. A smooth surface of
//! another kind has triangles that lie near to it (`Surface::mesh`); their points are taken to the surface along the normals at their corners, blended as the points are, so that neighbours agree on the edges they share.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use carom_base::elementary::sincos;
use carom_base::{Dual, Pose, Vec3};

use crate::boundary::{BoundaryPart, PartShape};
use crate::closest_point::direction;
use crate::shape::{Implicit, Side, Surface};
use crate::surfaces::{Capsule, Supertorus, Torus};

/// A point of a piece: where it is [m], how it moves with the parameters, and the normal out of the surface, all in the frame of the piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) p: Vec3,
    pub(crate) by: [Vec3; 2],
    pub(crate) n: Vec3,
}

/// How a piece is curved.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// flat, by its corners in the order in which they are met going round
    Quad { corners: [Vec3; 4], n: Vec3 },
    /// a quarter of a cylinder or a cone, from an angle [rad] on: the radius at both ends, and half the length
    Round { from: f64, radii: [f64; 2], half: f64 },
    /// a quarter of a disc
    Sector { from: f64, radius: f64 },
    /// a sixth of an ellipsoid, about an axis on its + or − side
    Sixth { axis: usize, side: f64, semi_axes: Vec3 },
    /// half a sixth of a ball that is at this height on the z axis, above or below that
    Half { axis: usize, side: f64, radius: f64, height: f64 },
    /// a sixteenth of a torus, from these angles [rad] along the ring and around the tube on
    Tube { from: [f64; 2], radii: [f64; 2] },
    /// a sixteenth of a supertorus, from these angles [rad] along the ring and around the section on
    Supertube { from: [f64; 2], ring: Arc<Supertorus> },
    /// where rays from the origin through a third of an octant meet the surface: about an axis, the signs of its coordinates and about how far it is along the axis [m] given
    Radial { axis: usize, signs: Vec3, size: f64, surface: Arc<dyn Surface> },
    /// where lines from the points of a quadrilateral meet the surface, along the normals at its corners, blended
    Shot { corners: [Vec3; 4], normals: [Vec3; 4], surface: Arc<dyn Surface> },
    /// the closest points to a quadrilateral
    Projected { corners: [Vec3; 4], surface: Arc<dyn Surface> },
}

/// A piece of a surface.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) form: Form,
    /// its frame, in the surface's
    pub(crate) at: Pose,
    /// how far a point goes at most with each parameter [m]
    pub(crate) most: [f64; 2],
    /// the point in its middle, if that takes long to find
    pub(crate) middle: Option<Vec3>,
    /// whether derivatives have no bound at the point where both parameters are zero
    pub(crate) has_pole: bool,
    /// whether it has powers that are no even numbers along its edges, where one of both parameters is zero
    pub(crate) is_rough: bool,
}

/// The point of a quadrilateral, and its derivatives.
fn bilinear(corners: &[Vec3; 4], u: f64, v: f64) -> (Vec3, [Vec3; 2]) {
    let [a, b, c, d] = corners;
    let (below, above) = (b - a, c - d);
    let by_u = below * (1.0 - v) + above * v;
    let (left, right) = (d - a, c - b);
    let by_v = left * (1.0 - u) + right * u;
    (a + below * u + left * v + (above - below) * (u * v), [by_u, by_v])
}

impl Form {
    #[inline]
    pub(crate) fn spot(&self, u: f64, v: f64) -> Spot {
        match self {
            Form::Quad { corners, n } => {
                let (p, by) = bilinear(corners, u, v);
                Spot { p, by, n: *n }
            }
            Form::Round { from, radii: [below, above], half } => {
                let (sin, cos) = sincos(from + FRAC_PI_2 * u);
                let (e, across) = (Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0));
                let (radius, growth) = (below + (above - below) * v, above - below);
                let along = e * growth + Vec3::z() * (2.0 * half);
                let n = (e * (2.0 * half) - Vec3::z() * growth) / along.norm();
                let p = e * radius + Vec3::z() * (half * (2.0 * v - 1.0));
                Spot { p, by: [across * (FRAC_PI_2 * radius), along], n }
            }
            Form::Sector { from, radius } => {
                let (sin, cos) = sincos(from + FRAC_PI_2 * v);
                let (e, across) = (Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0));
                let rho = radius * u;
                Spot { p: e * rho, by: [e * *radius, across * (FRAC_PI_2 * rho)], n: Vec3::z() }
            }
            Form::Sixth { axis, side, semi_axes } => sixth(*axis, *side, semi_axes, u, v),
            Form::Half { axis, side, radius, height } => half_sixth(*axis, *side, *radius, *height, u, v),
            Form::Tube { from, radii: [major, minor] } => {
                let (sin_a, cos_a) = sincos(from[0] + FRAC_PI_2 * u);
                let (sin_b, cos_b) = sincos(from[1] + FRAC_PI_2 * v);
                let (e, across) = (Vec3::new(cos_a, sin_a, 0.0), Vec3::new(-sin_a, cos_a, 0.0));
                let n = e * cos_b + Vec3::z() * sin_b;
                let around = Vec3::z() * cos_b - e * sin_b;
                let by = [across * (FRAC_PI_2 * (major + minor * cos_b)), around * (FRAC_PI_2 * minor)];
                Spot { p: e * *major + n * *minor, by, n }
            }
            Form::Supertube { from, ring } => {
                let (p, by, n) = ring.by_angles(from[0] + FRAC_PI_2 * u, from[1] + FRAC_PI_2 * v);
                Spot { p, by: by.map(|by| by * FRAC_PI_2), n }
            }
            Form::Radial { axis, signs, size, surface } => radial(*axis, &(signs * *size), &**surface, u, v),
            Form::Shot { corners, normals, surface } => shot(corners, normals, &**surface, u, v)
                .unwrap_or_else(|| projected(corners, &**surface, u, v)),
            Form::Projected { corners, surface } => projected(corners, &**surface, u, v),
        }
    }
}

/// The closest point of the surface to one of a quadrilateral.
fn projected(corners: &[Vec3; 4], surface: &dyn Surface, u: f64, v: f64) -> Spot {
    let (x, by) = bilinear(corners, u, v);
    let Some(project) = surface.as_project() else { return Spot { p: x, by, n: Vec3::z() } };
    let dual = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i));
    let found = project.closest_point_dual(Side::Outside, 0, &dual);
    let along = |e: &Vec3| Vec3::from_fn(|i, _| (0..3).map(|j| found.p[i].eps[j] * e[j]).sum());
    let [a, b] = by;
    Spot { p: found.p.map(|c| c.re), by: [along(&a), along(&b)], n: found.n.map(|c| c.re) }
}

/// Steps of Newton's method along a line, and the length of the last one, relative.
const MOST_SHOTS: usize = 12;
const LAST_SHOT: f64 = 1e-9;

/// The point p = x + t m of the surface F = 0, by Newton's method; `None` if that does not find one near to x. With x and m the parameters move p by dp = dx + t dm + m dt, ∇F·dp = 0.
fn shot(corners: &[Vec3; 4], normals: &[Vec3; 4], surface: &dyn Surface, u: f64, v: f64) -> Option<Spot> {
    let implicit = surface.as_implicit()?;
    let ((x, by), (m, turns)) = (bilinear(corners, u, v), bilinear(normals, u, v));
    let size = (corners[2] - corners[0]).norm().max((corners[1] - corners[0]).norm());
    let (mut t, mut last) = (0.0, false);
    for _ in 0..MOST_SHOTS {
        let p = x + m * t;
        let (f, gradient) = implicit.slope(&p);
        let slope = gradient.dot(&m);
        if last {
            let (n, steepness) = direction(&gradient, Vec3::z);
            // a line along the surface meets it nowhere for certain
            if !(slope.abs() > 0.1 * steepness * m.norm()) {
                return None;
            }
            let moved = |k: usize| {
                let e = by[k] + turns[k] * t;
                e - m * (gradient.dot(&e) / slope)
            };
            return Some(Spot { p, by: [moved(0), moved(1)], n });
        }
        let step = f / slope;
        t -= step;
        last = step.abs() * m.norm() <= LAST_SHOT * size;
        if !(t.abs() * m.norm() <= size) {
            return None;
        }
    }
    None
}

fn sixth(axis: usize, side: f64, semi_axes: &Vec3, u: f64, v: f64) -> Spot {
    let (a, b) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut q = Vec3::zeros();
    (q[axis], q[j], q[k]) = (side, a, b);
    let length = q.norm();
    let w = q / length;
    // dω = (dq − ω (ω·dq))/|q|, dq along one axis
    let along = |i: usize| (Vec3::ith(i, 1.0) - w * w[i]) * (2.0 / length);
    let scaled = |x: Vec3| x.component_mul(semi_axes);
    let n = direction(&w.component_div(semi_axes), Vec3::z).0;
    Spot { p: scaled(w), by: [scaled(along(j)), scaled(along(k))], n }
}

/// Half of a sixth of a ball, the half beyond its middle as seen from the middle of the z axis; about the z axis, all of it.
fn half_sixth(axis: usize, side: f64, radius: f64, height: f64, u: f64, v: f64) -> Spot {
    let up = if height < 0.0 { 0.0 } else { 0.5 };
    let (at, which) = match axis {
        0 => ([u, up + 0.5 * v], 1),
        1 => ([up + 0.5 * u, v], 0),
        _ => ([u, v], 2),
    };
    let mut spot = sixth(axis, side, &Vec3::repeat(radius), at[0], at[1]);
    if let Some(by) = spot.by.get_mut(which) {
        *by *= 0.5;
    }
    spot.p.z += height;
    spot
}

/// Where the ray of q = (1, u, v), its coordinates times `sides`, meets the surface F = 0: p = s q, with ds = −s ∇F·dq/(∇F·q).
fn radial(axis: usize, sides: &Vec3, surface: &dyn Surface, u: f64, v: f64) -> Spot {
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut q = *sides;
    (q[j], q[k]) = (q[j] * u, q[k] * v);
    let Some(implicit) = surface.as_implicit() else { return Spot { p: q, by: [q, q], n: q } };
    let (p, level) = implicit.settle(&q);
    let scale = p[axis] / q[axis];
    let fall = level.gradient / level.gradient.dot(&q);
    let along = |i: usize| (Vec3::ith(i, 1.0) - q * fall[i]) * (scale * sides[i]);
    Spot { p, by: [along(j), along(k)], n: direction(&level.gradient, Vec3::z).0 }
}

/// Quarters.
fn quarters() -> impl Iterator<Item = f64> {
    (0..4).map(|k| FRAC_PI_2 * f64::from(k))
}

impl Chart {
    /// A flat quadrilateral, in the surface's frame.
    pub(crate) fn quad(corners: [Vec3; 4], n: Vec3) -> Chart {
        let most = sides(&corners);
        Chart::here(Form::Quad { corners, n }, most)
    }

    /// The pieces of a part of a boundary that is no polygon.
    pub(crate) fn of(part: &BoundaryPart) -> Vec<Chart> {
        let chart = |form: Form, most: [f64; 2]| Chart { at: part.at, ..Chart::here(form, most) };
        let round = |radii: [f64; 2], length: f64| {
            let [below, above] = radii;
            let slant = ((above - below) * (above - below) + length * length).sqrt();
            let most = [FRAC_PI_2 * below.max(above), slant];
            quarters().map(|from| chart(Form::Round { from, radii, half: 0.5 * length }, most)).collect()
        };
        match &part.shape {
            PartShape::Polygon(_) => Vec::new(),
            PartShape::Barrel { radius, length } => round([*radius; 2], *length),
            PartShape::Mantle { radii, length } => round(*radii, *length),
            PartShape::Disc { radius } => Chart::disc(part.at, *radius).collect(),
            PartShape::Ellipsoid { semi_axes } => {
                let semi_axes = Vec3::from(*semi_axes);
                // a direction turns by no more than twice its parameter
                let most = [2.0 * semi_axes.max(); 2];
                let sixth = |k: usize| {
                    let side = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
                    chart(Form::Sixth { axis: k / 2, side, semi_axes }, most)
                };
                (0..6).map(sixth).collect()
            }
        }
    }

    /// Quarters of a disc about the origin of its frame.
    pub(crate) fn disc(at: Pose, radius: f64) -> impl Iterator<Item = Chart> {
        let most = [radius, FRAC_PI_2 * radius];
        quarters().map(move |from| Chart { at, ..Chart::here(Form::Sector { from, radius }, most) })
    }

    /// Where points within a cylinder or a cone are as near to a cap as to the mantle, down to the least depth at which they are as near to another part; and that depth [m]. At the height t from a cap whose rim has the radius r, with the growth g
    /// of the mantle's radius towards it, ρ = r − g t − √(1 + g²) t.
    pub(crate) fn inner_wall(
        part: &BoundaryPart,
        radii: [f64; 2],
        length: f64,
        top: bool,
    ) -> (f64, Vec<Chart>) {
        let (r, other) = if top { (radii[1], radii[0]) } else { (radii[0], radii[1]) };
        let g = (r - other) / length;
        let fall = g + (1.0 + g * g).sqrt();
        let high = (0.5 * length).min(r / fall);
        let (inner, sign) = ((r - fall * high).max(0.0), if top { 1.0 } else { -1.0 });
        let radii = if top { [inner, r] } else { [r, inner] };
        let at = part.at.then(&Pose::at(Vec3::z() * (0.5 * sign * (length - high))));
        let slant = ((r - inner) * (r - inner) + high * high).sqrt();
        let chart = |from| {
            let form = Form::Round { from, radii, half: 0.5 * high };
            Chart { at, ..Chart::here(form, [FRAC_PI_2 * r, slant]) }
        };
        (high, if high > 0.0 { quarters().map(chart).collect() } else { Vec::new() })
    }

    /// The pieces of a smooth closed surface that knows its closest points, by a formula of its kind if there is one.
    pub(crate) fn smooth(surface: &Arc<dyn Surface>) -> Vec<Chart> {
        let kind = surface.as_any();
        if let Some(torus) = kind.downcast_ref::<Torus>() {
            let radii = [torus.major(), torus.minor()];
            let most = [FRAC_PI_2 * (radii[0] + radii[1]), FRAC_PI_2 * radii[1]];
            return sixteenths().map(|from| Chart::here(Form::Tube { from, radii }, most)).collect();
        }
        if let Some(ring) = kind.downcast_ref::<Supertorus>() {
            let ring = Arc::new(*ring);
            let tube = |from| Chart::measured(Form::Supertube { from, ring: ring.clone() });
            return sixteenths().map(tube).collect();
        }
        if let Some(capsule) = kind.downcast_ref::<Capsule>() {
            return Chart::of_capsule(capsule.radius(), capsule.length());
        }
        if let Some(octants) = surface.as_implicit().and_then(Implicit::octants) {
            let signs = (0..8).map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { 1.0 } else { -1.0 }));
            let third = |signs: Vec3| (0..3).map(move |axis| (axis, signs));
            let radial = |(axis, signs)| {
                let form = |size| Form::Radial { axis, signs, size, surface: surface.clone() };
                let size = form(1.0).spot(0.5, 0.5).p[axis].abs();
                let has_pole = axis == 2 && octants.has_rough_poles;
                Chart { has_pole, is_rough: octants.has_rough_edges, ..Chart::measured(form(size)) }
            };
            return signs.flat_map(third).map(radial).collect();
        }
        Chart::from_triangles(surface)
    }

    fn here(form: Form, most: [f64; 2]) -> Chart {
        Chart { form, at: Pose::identity(), most, middle: None, has_pole: false, is_rough: false }
    }

    /// The barrel and both ends of a capsule.
    fn of_capsule(radius: f64, length: f64) -> Vec<Chart> {
        let most = [FRAC_PI_2 * radius, length];
        let barrel = |from| Chart::here(Form::Round { from, radii: [radius; 2], half: 0.5 * length }, most);
        let mut charts: Vec<Chart> = quarters().map(barrel).collect();
        for (end, k) in [1.0, -1.0].into_iter().flat_map(|end| (0..5).map(move |k| (end, k))) {
            // four sides and the top
            let (axis, side) = if k < 4 { (k / 2, 1.0 - 2.0 * (k % 2) as f64) } else { (2, end) };
            let form = Form::Half { axis, side, radius, height: 0.5 * end * length };
            charts.push(Chart::here(form, [2.0 * radius; 2]));
        }
        charts
    }

    /// The pieces of a smooth surface, from triangles near to it.
    fn from_triangles(surface: &Arc<dyn Surface>) -> Vec<Chart> {
        let mesh = surface.mesh(SEGMENTS, 1.0);
        let corner = |i: u32| Vec3::from(mesh.vertices[i as usize]);
        let triangles = mesh.triangles.iter().map(|t| t.map(corner));
        triangles.map(|t| Chart::near(surface, as_quadrilateral(&t))).collect()
    }

    fn near(surface: &Arc<dyn Surface>, corners: [Vec3; 4]) -> Chart {
        let normal = |p: Vec3| Some(direction(&surface.as_implicit()?.level(&p).gradient, Vec3::z).0);
        let (normals, surface) = (corners.map(normal), surface.clone());
        Chart::measured(match normals {
            [Some(a), Some(b), Some(c), Some(d)] => Form::Shot { corners, normals: [a, b, c, d], surface },
            _ => Form::Projected { corners, surface },
        })
    }

    /// A piece of which no bound is known of how far its points go: the largest of some, and as much again.
    fn measured(form: Form) -> Chart {
        let mut most = [0.0f64; 2];
        for k in 0..25 {
            let spot = form.spot(f64::from(k % 5) / 4.0, f64::from(k / 5) / 4.0);
            most = [0, 1].map(|i| most[i].max(2.0 * spot.by[i].norm()));
        }
        let middle = Some(form.spot(0.5, 0.5).p);
        Chart { middle, ..Chart::here(form, most) }
    }
}

/// Quarters of two angles.
fn sixteenths() -> impl Iterator<Item = [f64; 2]> {
    quarters().flat_map(|a| quarters().map(move |b| [a, b]))
}

/// Segments around a circle of the triangles near to a surface.
const SEGMENTS: usize = 12;

/// A triangle as a quadrilateral, one of whose sides has no length.
pub(crate) fn as_quadrilateral([a, b, c]: &[Vec3; 3]) -> [Vec3; 4] {
    [*a, *b, *c, *a]
}

/// The longer ones of opposite sides: no point moves faster with the parameters.
fn sides(corners: &[Vec3; 4]) -> [f64; 2] {
    let [a, b, c, d] = corners;
    [(b - a).norm().max((c - d).norm()), (d - a).norm().max((c - b).norm())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surfaces::{Superellipsoid, Superovoid};

    /// Its area by Gauss rules on some cells of every piece.
    fn area(surface: Arc<dyn Surface>, cells: usize) -> f64 {
        let (rule, mut sum) = (super::super::gauss::Rule::of(8), 0.0);
        for chart in Chart::smooth(&surface) {
            for k in 0..cells * cells * 64 {
                let (cell, node) = (k / 64, k % 64);
                let at = |i: usize, j: usize| (i as f64 + rule.nodes[j]) / cells as f64;
                let spot = chart.form.spot(at(cell / cells, node / 8), at(cell % cells, node % 8));
                let normal = spot.by[0].cross(&spot.by[1]);
                assert!(normal.dot(&spot.n).abs() > (1.0 - 1e-9) * normal.norm(), "{:?}", chart.form);
                sum +=
                    rule.weights[node / 8] * rule.weights[node % 8] * normal.norm() / (cells * cells) as f64;
            }
        }
        sum
    }

    #[test]
    fn pieces_make_up_whole_surfaces() {
        let surfaces: [Arc<dyn Surface>; 5] = [
            Arc::new(Torus::new(0.7, 0.2).unwrap()),
            Arc::new(Capsule::new(0.3, 0.8).unwrap()),
            Arc::new(Supertorus::new(0.7, [0.2, 0.3], [4.0, 3.0]).unwrap()),
            Arc::new(Superellipsoid::new([0.5, 0.6, 0.8], [4.0, 3.0, 2.0]).unwrap()),
            Arc::new(Superovoid::new([0.6, 0.66, 0.72], [2.2, 2.6], 0.3).unwrap()),
        ];
        for surface in surfaces {
            let exact = surface.shell().unwrap().area;
            let found = area(surface.clone(), 6);
            assert!((found / exact - 1.0).abs() < 1e-7, "{} {found} {exact}", surface.kind());
        }
    }
}
