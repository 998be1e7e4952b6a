//! Shapes of all kinds and random sizes, and where they are.

use std::sync::Arc;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::surfaces::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, LevelFunction, Plane, Polyhedron, Quadric, Sphere,
    Superellipsoid, Superovoid, Superquadric, Supertorus, Torus,
};
use carom_geometry::{Region, Shape, Side, Surface, pairs};

use crate::asked;
use crate::common::{Random, rock};

/// How many kinds there are; and those that take no search for every depth, which the last one does.
pub(crate) const KINDS: usize = 19;
pub(crate) const QUICK: usize = 18;

fn surface(kind: usize, r: &mut Random) -> Arc<dyn Surface> {
    let ratio = asked("CAROM_RATIO", 1) as f64;
    let size = r.scale(0.3 / ratio, 1.5 * ratio);
    let thin = 1.0 / asked("CAROM_THIN", 10) as f64;
    let mut length = || size * r.scale(thin, 1.0);
    let three = [length(), length(), length()];
    let mut exponent = || if r.next() < 0.3 { 2.0 } else { r.scale(2.0, 10.0) };
    let g = [exponent(), exponent(), exponent()];
    match kind {
        0 => Arc::new(Plane),
        1 => Arc::new(Sphere::new(three[0]).unwrap()),
        2 => Arc::new(Cuboid::new(three).unwrap()),
        3 => Arc::new(Cylinder::new(three[0], three[1]).unwrap()),
        4 => Arc::new(Capsule::new(three[0], three[1]).unwrap()),
        5 => {
            let corners = rock(size);
            let stretched: Vec<[f64; 3]> =
                corners.chunks(3).map(|c| std::array::from_fn(|i| c[i] * three[i] / size)).collect();
            Arc::new(Polyhedron::new(&stretched).unwrap())
        }
        6 => Arc::new(Ellipsoid::new(three).unwrap()),
        7 => Arc::new(Superellipsoid::new(three, g).unwrap()),
        8 => Arc::new(Superellipsoid::barr(three, [g[0], g[1]]).unwrap()),
        9 => Arc::new(Torus::new(size, size * r.scale(0.05, 0.9)).unwrap()),
        10 => {
            let [a, b] = [0.6, 1.2].map(|most| size * r.scale(0.05, most));
            Arc::new(Supertorus::new(size, [a, b], [g[0], g[1]]).unwrap())
        }
        11 => {
            let s = 1.0 / (size * size);
            let region = Region::new([-1.5 * size; 3], [1.5 * size, 1.2 * size, 1.1 * size]).unwrap();
            let c = match r.one_of(4) {
                0 => [s, 2.0 * s, -0.7 * s, 0.0, 0.0, 0.0],
                1 => [s, 0.5 * s, 0.0, 0.0, 0.0, -1.5 / size],
                2 => [s, -0.8 * s, 0.0, 0.0, 0.0, -1.0 / size],
                _ => [-s, -0.5 * s, 2.0 * s, 0.0, 0.0, 0.0],
            };
            Arc::new(Quadric::new(&c, Some(region)).unwrap())
        }
        12 => {
            let axes = three.map(|a| 1.0 / (a * a));
            Arc::new(Quadric::new(&[axes[0], axes[1], axes[2], 0.0, 0.0, 0.0], None).unwrap())
        }
        13 => {
            // (a size of its own)
            let region = Region::new([-1.4, -1.7, -0.9], [1.6, 1.5, 0.8]).unwrap();
            Arc::new(Superquadric::new(&[1.2, 0.8, -0.6], &[g[0].min(4.0), g[1].min(4.0)], region).unwrap())
        }
        // a convex one and one with a waist, by functions
        14 => {
            let [a, b, c] = three;
            let f = move |x: &Vec3| (x.x / a).powi(2) + (x.y / b).powi(2) + (x.z / c).powi(2) - 1.0;
            let slope = move |x: &Vec3| Vec3::new(x.x / (a * a), x.y / (b * b), x.z / (c * c)) * 2.0;
            let region = Region::new([-1.2 * a, -1.2 * b, -1.2 * c], [1.2 * a, 1.2 * b, 1.2 * c]).unwrap();
            Arc::new(LevelFunction::with_gradient(region, f, slope).unwrap())
        }
        16 => Arc::new(Cone::new(three[0], 0.0, three[1]).unwrap()),
        17 => Arc::new(Cone::new(three[0], three[2], three[1]).unwrap()),
        18 => {
            let taper = 0.95 * Superovoid::largest_taper(g[0]) * r.between(-1.0, 1.0);
            Arc::new(Superovoid::new(three, [g[0], g[1]], taper).unwrap())
        }
        _ => {
            let waist = move |x: &Vec3| (x * (1.0 / size)).norm_squared();
            let f = move |x: &Vec3| {
                let z = (x.z / size).powi(2);
                waist(x).powi(2) - 1.6 * z + 0.2 * (waist(x) - z) - 0.05
            };
            let slope = move |x: &Vec3| {
                let g = x * (4.0 * waist(x) / (size * size));
                g + Vec3::new(0.4 * x.x, 0.4 * x.y, -3.2 * x.z) / (size * size)
            };
            Arc::new(
                LevelFunction::with_gradient(
                    Region::new([-1.6 * size; 3], [1.6 * size; 3]).unwrap(),
                    f,
                    slope,
                )
                .unwrap(),
            )
        }
    }
}

pub(crate) const PLACES: [&str; 7] = ["anywhere", "near", "aligned", "concentric", "far", "touching", "deep"];

pub(crate) struct Case {
    pub(crate) a: Shape,
    pub(crate) b: Shape,
    pub(crate) x_a: Pose,
    pub(crate) x_b: Pose,
    pub(crate) size: f64,
}

impl Case {
    pub(crate) fn new(kinds: [usize; 2], side: Side, class: usize, r: &mut Random) -> Case {
        let shape = |k, side, r: &mut Random| Shape { surface: surface(k, r), side };
        let (a, b) = (shape(kinds[0], side, r), shape(kinds[1], Side::Outside, r));
        let bounded = |s: &Shape| match s.surface.bounds().radius {
            far if far.is_infinite() => 1.0,
            near => near,
        };
        let size = bounded(&a) + bounded(&b);
        let x_a = r.pose(1.0);
        let quarter = |r: &mut Random| {
            Quat::from_scaled_axis(Vec3::ith(r.one_of(3), std::f64::consts::FRAC_PI_2 * r.one_of(4) as f64))
        };
        let way = r.direction();
        let (p, turn) = match class {
            0 => (way * (size * r.next()), r.turn()),
            1 => (way * (size * r.between(0.5, 1.1)), r.turn()),
            2 => (Vec3::ith(r.one_of(3), size * r.between(-1.2, 1.2)), quarter(r) * quarter(r)),
            3 => (Vec3::zeros(), if r.next() < 0.5 { quarter(r) } else { r.turn() }),
            4 => (way * (size * r.scale(2.0, 100.0)), r.turn()),
            5 => (way * (size * r.between(0.2, 1.0)), r.turn()),
            _ => (way * (size * r.between(0.0, 0.3)), r.turn()),
        };
        let x_b = x_a.then(&Pose::new(p, &turn));
        let mut case = Case { a, b, x_a, x_b, size };
        if class == 5
            && let Ok(found) =
                pairs::bind_for_query(&case.a, &case.b).map(|p| p.search(&case.x_a, &case.x_b, None))
            && let Ok(found) = found
        {
            // moved until they touch, to a millionth or less
            let c = found.contact;
            let left = if r.next() < 0.5 {
                0.0
            } else {
                r.scale(1e-13, 1e-6) * if r.next() < 0.5 { 1.0 } else { -1.0 }
            };
            case.x_b.p += c.n * (c.delta + left * size);
        }
        case
    }

    pub(crate) fn name(&self) -> String {
        format!("{} – {}", self.a.describe(), self.b.describe())
    }

    pub(crate) fn convex(&self) -> bool {
        [&self.a, &self.b].iter().all(|s| s.side == Side::Outside && s.surface.as_support().is_some())
    }

    pub(crate) fn s(&self, n: &Vec3) -> f64 {
        let tip = |s: &Shape, x: &Pose, n: Vec3| {
            x.point(&s.surface.as_support().unwrap().support(&x.direction_to_local(&n)))
        };
        n.dot(&(tip(&self.b, &self.x_b, -n) - tip(&self.a, &self.x_a, *n)))
    }

    /// The largest distance of tangent planes found, uphill from many directions.
    pub(crate) fn parted(&self, r: &mut Random) -> f64 {
        let mut starts: Vec<(f64, Vec3)> = (0..300).map(|_| r.direction()).map(|n| (self.s(&n), n)).collect();
        for x in [&self.x_a, &self.x_b] {
            for n in (0..3).flat_map(|i| [x.axis(i), -x.axis(i)]) {
                starts.push((self.s(&n), n));
            }
        }
        starts.sort_by(|x, y| y.0.total_cmp(&x.0));
        let mut best = f64::NEG_INFINITY;
        for (mut s, mut n) in starts.into_iter().take(6) {
            let mut step = 0.2;
            while step > 1e-9 {
                let tried = (0..8).map(|_| (n + r.direction() * step).normalize()).map(|m| (self.s(&m), m));
                match tried.max_by(|x, y| x.0.total_cmp(&y.0)) {
                    Some((up, m)) if up > s => (s, n) = (up, m),
                    _ => step *= 0.7,
                }
            }
            best = best.max(s);
        }
        best
    }
}
