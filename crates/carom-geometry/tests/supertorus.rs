//! The supertorus: its foot against search over the whole surface, its forms against each other, the torus and quadrature.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::f64::consts::PI;

use carom_base::{Dual, Mat3, Vec3};
use carom_geometry::surfaces::{Sphere, Supertorus, Torus};
use carom_geometry::{GeometryError, Pose, Project, Shape, Side, Surface, pairs};

/// Numbers between 0 and 1 (L'Ecuyer's multiplier).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(3935559000370003845).wrapping_add(2691343689449507681);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.next()
    }
    /// Spread evenly over the powers of ten, of either sign.
    fn small(&mut self) -> f64 {
        let size = 10f64.powf(self.between(-14.0, -1.0));
        if self.next() < 0.5 { size } else { -size }
    }
}

/// The superellipse by its explicit form: eighth by eighth, in each by the smaller coordinate.
fn superellipse(gamma: f64, t: f64) -> (f64, f64) {
    let t = t.rem_euclid(8.0);
    let (eighth, rest) = (t.floor() as usize, t.fract());
    let s = if eighth.is_multiple_of(2) { rest } else { 1.0 - rest };
    let small = s * 0.5f64.powf(1.0 / gamma);
    let large = (1.0 - small.powf(gamma)).powf(1.0 / gamma);
    match eighth {
        0 => (large, small),
        1 => (small, large),
        2 => (-small, large),
        3 => (-large, small),
        4 => (-large, -small),
        5 => (-small, -large),
        6 => (small, -large),
        _ => (large, -small),
    }
}

/// The surface as a set of points, and how to look closer.
struct Searched {
    surface: Supertorus,
    nodes: Vec<(f64, f64, Vec3)>,
}

const EACH: usize = 10;

impl Searched {
    fn new(surface: Supertorus) -> Searched {
        let mut searched = Searched { surface, nodes: Vec::new() };
        for i in 0..8 * EACH {
            for j in 0..8 * EACH {
                let (s, t) = (i as f64 / EACH as f64, j as f64 / EACH as f64);
                searched.nodes.push((s, t, searched.point(s, t)));
            }
        }
        searched
    }

    fn point(&self, s: f64, t: f64) -> Vec3 {
        let ([a, b], [section, ring]) = (self.surface.semi_axes(), self.surface.exponents());
        let ((x, y), (u, v)) = (superellipse(ring, s), superellipse(section, t));
        let q = self.surface.major() + a * u;
        Vec3::new(q * x, q * y, b * v)
    }

    /// The least distance: the ten best nodes, each with ever closer looks around.
    fn distance(&self, x: &Vec3) -> f64 {
        let mut best: Vec<(f64, f64, f64)> =
            self.nodes.iter().map(|(s, t, p)| ((x - p).norm_squared(), *s, *t)).collect();
        best.select_nth_unstable_by(10, |a, b| a.0.total_cmp(&b.0));
        let closer = |&(mut least, mut s, mut t): &(f64, f64, f64)| {
            let mut width = 1.0 / EACH as f64;
            while width > 1e-9 {
                let centre = (s, t);
                for (i, j) in (-2..=2).flat_map(|i| (-2..=2).map(move |j| (i, j))) {
                    let at = (centre.0 + 0.5 * width * f64::from(i), centre.1 + 0.5 * width * f64::from(j));
                    let f = (x - self.point(at.0, at.1)).norm_squared();
                    if f < least {
                        (least, s, t) = (f, at.0, at.1);
                    }
                }
                width *= if (s, t) == centre { 0.4 } else { 1.0 };
            }
            least
        };
        best[..10].iter().map(closer).fold(f64::INFINITY, f64::min).sqrt()
    }
}

fn links() -> Vec<Supertorus> {
    let mut links = Vec::new();
    for exponents in [[2.0, 2.0], [2.0, 20.0], [20.0, 2.0], [2.2, 2.7], [4.0, 4.0], [8.0, 3.0], [20.0, 20.0]]
    {
        for axes in [[0.4, 0.4], [0.9, 0.3], [0.2, 1.5]] {
            links.push(Supertorus::new(1.0, axes, exponents).unwrap());
        }
    }
    links
}

/// Points all around: far, in the tube, at the axis, at the planes of symmetry, at the ring.
fn samples(link: &Supertorus, random: &mut Random, n: usize) -> Vec<Vec3> {
    let [a, b] = link.semi_axes();
    let mut out = Vec::new();
    for i in 0..n {
        let reach = Vec3::new(1.0 + 2.0 * a, 1.0 + 2.0 * a, 2.0 * b);
        let mut x = reach.map(|r| random.between(-r, r));
        if i % 3 == 0 {
            let at = link.point(random.between(-PI, PI), random.between(-PI, PI));
            let c = link.ring_point(at.y.atan2(at.x));
            x = c + (at - c) * random.next().powf(0.3);
        }
        match i % 7 {
            1 => (x.x, x.y) = (random.small(), random.small()),
            2 => x.y = random.small(),
            3 => x.z = random.small(),
            4 => x.y = x.x + random.small(),
            5 => {
                x = link.ring_point(random.between(-PI, PI))
                    + Vec3::new(random.small(), random.small(), random.small())
            }
            _ => {}
        }
        out.push(x);
    }
    out
}

#[test]
fn no_point_of_the_surface_is_nearer_than_the_foot() {
    let mut random = Random(1);
    let per: usize = std::env::var("PER").map_or(150, |s| s.parse().unwrap());
    let (mut bad, mut all) = (0, 0);
    let mut all_links = links();
    if std::env::var("PER").is_ok() {
        let mut r = Random(std::env::var("SEED").map_or(7, |s| s.parse().unwrap()));
        all_links = (0..200)
            .map(|_| {
                let g = |r: &mut Random| 2.0 * 10f64.powf(r.next());
                let g = [g(&mut r), g(&mut r)];
                Supertorus::new(1.0, [r.between(0.1, 0.95), 10f64.powf(r.between(-1.0, 0.5))], g).unwrap()
            })
            .collect();
    }
    for link in all_links {
        let searched = Searched::new(link);
        for x in samples(&link, &mut random, per) {
            let foot = link.foot(Side::Outside, 0, &x);
            let found = searched.distance(&x);
            all += 1;
            if !(foot.d.abs() <= found + 1e-13) {
                bad += 1;
                eprintln!("{:?} {:?} x = {:?}: {} > {found}", link.semi_axes(), link.exponents(), x, foot.d);
            }
            let off = (foot.p + foot.n * foot.d - x).norm();
            if !(off < 1e-14) {
                eprintln!("OFF {:?} {:?} {:?}: {off:e}", link.semi_axes(), link.exponents(), x);
                bad += 1;
            }
            if !(link.implicit(&foot.p).abs() < 1e-13) {
                eprintln!("F {:e}", link.implicit(&foot.p));
                bad += 1;
            }
        }
    }
    assert_eq!(bad, 0, "of {all}");
}
