//! Moments of curved pieces by Gauss points in graded panels, independent of how the pieces do it.
#![allow(unreachable_pub)]

use std::f64::consts::PI;

use carom_base::{Mat3, Vec3};
use carom_field::{Asked, Moments};

/// Nodes and weights of Gauss's rule on (−1, 1).
pub fn gauss(n: usize) -> Vec<(f64, f64)> {
    (0..n)
        .map(|i| {
            let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..50 {
                let (mut p0, mut p1) = (1.0, x);
                for k in 1..n {
                    let p2 = ((2 * k + 1) as f64 * x * p1 - k as f64 * p0) / (k + 1) as f64;
                    (p0, p1) = (p1, p2);
                }
                slope = n as f64 * (x * p1 - p0) / (x * x - 1.0);
                x -= p1 / slope;
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// Nodes on [0, end], in panels that double from the width `first` at 0 and are no wider than `widest`.
pub fn graded(end: f64, first: f64, widest: f64) -> Vec<(f64, f64)> {
    let rule = gauss(24);
    let (mut from, mut width, mut nodes) = (0.0, first.min(end), Vec::new());
    while from < end {
        let to = if from + 1.2 * width >= end { end } else { from + width };
        let half = 0.5 * (to - from);
        nodes.extend(rule.iter().map(|(x, w)| (from + half * (1.0 + x), half * w)));
        width = (2.0 * width).min(widest);
        from = to;
    }
    nodes
}

/// Sums that keep what additions round off.
#[derive(Clone, Copy, Default)]
pub struct Sum(f64, f64);
impl Sum {
    pub fn add(&mut self, x: f64) {
        let total = self.0 + x;
        let part = total - self.0;
        self.1 += (self.0 - (total - part)) + (x - part);
        self.0 = total;
    }
    pub fn total(&self) -> f64 {
        self.0 + self.1
    }
}

/// Moments by summing points (x, height, k dA).
pub struct Reference {
    asked: Vec<Asked>,
    sums: Vec<[Sum; 10]>,
}

impl Reference {
    pub fn new(asked: &[Asked]) -> Reference {
        Reference { asked: asked.to_vec(), sums: vec![[Sum::default(); 10]; asked.len()] }
    }
    pub fn add(&mut self, x: Vec3, d: f64, area: f64) {
        for (ask, sums) in self.asked.iter().zip(&mut self.sums) {
            let f = area * d.powi(-(ask.nu as i32));
            let terms =
                [1.0, x.x, x.y, x.z, x.x * x.x, x.x * x.y, x.x * x.z, x.y * x.y, x.y * x.z, x.z * x.z];
            for (sum, term) in sums.iter_mut().zip(terms) {
                sum.add(f * term);
            }
        }
    }
    pub fn moments(&self) -> Vec<Moments> {
        let take = |s: &[Sum; 10]| {
            let t = s.map(|s| s.total());
            Moments {
                i0: t[0],
                i1: Vec3::new(t[1], t[2], t[3]),
                i2: Mat3::new(t[4], t[5], t[6], t[5], t[7], t[8], t[6], t[8], t[9]),
            }
        };
        self.sums.iter().map(take).collect()
    }
}

/// The largest difference, relative to i0 and a length.
pub fn difference(a: &Moments, b: &Moments, order: u32, length: f64) -> f64 {
    let mut off = (a.i0 - b.i0).abs();
    if order > 0 {
        off = off.max((a.i1 - b.i1).amax() / length);
    }
    if order > 1 {
        off = off.max((a.i2 - b.i2).amax() / (length * length));
    }
    off / b.i0
}

/// How wide panels round a circle may be: |G y| is smooth over σ₃/σ₁.
pub fn widest(g: Option<&Mat3>) -> f64 {
    g.map_or(0.25, |g| {
        let sigma = g.singular_values();
        (1.5 * sigma.min() / sigma.max()).min(0.25)
    })
}

pub fn barrel_reference(
    r: f64,
    l: f64,
    h: f64,
    b: &Vec3,
    cof: Option<&Mat3>,
    asked: &[Asked],
) -> Vec<Moments> {
    let across = b.x.hypot(b.y);
    let e = if across > 0.0 { -Vec3::new(b.x, b.y, 0.0) / across } else { Vec3::x() };
    let g = Vec3::z().cross(&e);
    let half = r * across;
    let round = graded(PI, (h / (h + half)).sqrt() * 0.5, widest(cof));
    let along = graded(l, 0.5 * h / b.z.abs().max(1e-9), 0.5 * l);
    let mut reference = Reference::new(asked);
    for &(psi, w) in &round {
        for sign in [1.0, -1.0] {
            let m = e * psi.cos() + g * (sign * psi.sin());
            let k = cof.map_or(1.0, |cof| (cof * m).norm());
            for &(s, w_s) in &along {
                let z = if b.z >= 0.0 { s - 0.5 * l } else { 0.5 * l - s };
                let d = h + 2.0 * half * (0.5 * psi).sin().powi(2) + b.z.abs() * s;
                reference.add(m * r + Vec3::z() * z, d, k * w * w_s * r);
            }
        }
    }
    reference.moments()
}

/// The side of a cone; h is the height of its lowest point.
pub fn mantle_reference(
    [r0, r1]: [f64; 2],
    l: f64,
    h: f64,
    b: &Vec3,
    cof: Option<&Mat3>,
    asked: &[Asked],
) -> Vec<Moments> {
    let across = b.x.hypot(b.y);
    let e = if across > 0.0 { -Vec3::new(b.x, b.y, 0.0) / across } else { Vec3::x() };
    let g = Vec3::z().cross(&e);
    let slant = l.hypot(r1 - r0);
    // how much higher the top's lowest point is than the base's
    let rise = l * b.z - (r1 - r0) * across;
    let wide = across * r0.max(r1);
    let round = graded(PI, (h / (h + wide)).sqrt() * 0.5, widest(cof));
    let mut reference = Reference::new(asked);
    for &(psi, w) in &round {
        let aside = 2.0 * across * (0.5 * psi).sin().powi(2);
        // the heights of the ends over the support, the base first
        let ends = [h + (-rise).max(0.0) + aside * r0, h + rise.max(0.0) + aside * r1];
        let (low, fall) = (ends[0].min(ends[1]), (ends[1] - ends[0]).abs());
        let along = graded(1.0, 0.5 * low / fall.max(1e-9), 0.5);
        for sign in [1.0, -1.0] {
            let m = e * psi.cos() + g * (sign * psi.sin());
            let normal = (m * l - Vec3::z() * (r1 - r0)) / slant;
            let k = cof.map_or(1.0, |cof| (cof * normal).norm());
            for &(s, w_s) in &along {
                let t = if ends[0] <= ends[1] { s } else { 1.0 - s };
                let r = r0 + (r1 - r0) * t;
                reference.add(m * r + Vec3::z() * (l * (t - 0.5)), low + fall * s, k * w * w_s * r * slant);
            }
        }
    }
    reference.moments()
}

pub fn disc_reference(r: f64, h: f64, b: &Vec3, cof: Option<&Mat3>, asked: &[Asked]) -> Vec<Moments> {
    let across = b.x.hypot(b.y);
    let e = if across > 0.0 { -Vec3::new(b.x, b.y, 0.0) / across } else { Vec3::x() };
    let g = Vec3::z().cross(&e);
    let half = r * across;
    let k = cof.map_or(1.0, |cof| (cof * Vec3::z()).norm());
    let mut reference = Reference::new(asked);
    for (psi, w) in graded(PI, (h / (h + half)).sqrt() * 0.5, 0.25) {
        for (t, w_t) in gauss(6) {
            let d = h + 2.0 * half * (0.5 * psi).sin().powi(2);
            let x = e * (r * psi.cos()) + g * (r * psi.sin() * t);
            reference.add(x, d, k * w * w_t * (r * psi.sin()).powi(2));
        }
    }
    reference.moments()
}

/// Polar angles about the nearest point of the unit sphere that the ellipsoid is an image of.
pub fn ellipsoid_reference(
    semi: &Vec3,
    h: f64,
    b: &Vec3,
    cof: Option<&Mat3>,
    asked: &[Asked],
) -> Vec<Moments> {
    let c = b.component_mul(semi);
    let e = -c.normalize();
    let f = e.cross(&if e.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() }).normalize();
    let g = e.cross(&f);
    let cofactors = Vec3::new(semi.y * semi.z, semi.z * semi.x, semi.x * semi.y);
    let mut reference = Reference::new(asked);
    let g_y = cof.map_or_else(Mat3::identity, |cof| *cof) * Mat3::from_diagonal(&cofactors);
    let widest = widest(Some(&g_y));
    let round: Vec<(f64, f64)> = graded(2.0 * PI, 2.0 * widest, 2.0 * widest);
    for (psi, w) in graded(PI, (h / (h + c.norm())).sqrt() * 0.5, widest) {
        let d = h + 2.0 * c.norm() * (0.5 * psi).sin().powi(2);
        for (alpha, w_a) in &round {
            let y = e * psi.cos() + (f * alpha.cos() + g * alpha.sin()) * psi.sin();
            reference.add(y.component_mul(semi), d, (g_y * y).norm() * w * w_a * psi.sin());
        }
    }
    reference.moments()
}
