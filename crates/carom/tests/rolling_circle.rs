//! A ring that leans and rolls around a circle.
#![allow(clippy::unwrap_used, reason = "a test may")]

#[path = "common/ring.rs"]
mod ring;
mod common;

use std::sync::Arc;
use carom::prelude::*;
use carom::law::friction::ElastoPlastic;
use common::{close, near};
use ring::{G, RING, Start, Touching, model, rk4};

const MU: f64 = 0.4;

/// Rolling with the axis at α, precession Ω and the spin w about the axis: all of a motion without slip in which α is steady.
#[derive(Clone, Copy, Debug)]
struct Circle { alpha: f64, precession: f64, w: f64 }

impl Circle {
    /// ρ_c from lean and precession; the spin from no slip
    fn steady(alpha: f64, precession: f64) -> (Circle, f64) {
        let (sin, cos) = alpha.sin_cos();
        let (b, h) = (RING.b(alpha), RING.h(alpha));
        let k = RING.m * h + RING.c * sin / b;
        let rho = (RING.m * G * RING.major * cos / (precession * precession) + RING.m * RING.major * cos * h + (RING.c - RING.a) * sin * cos) / k;
        let spin = -precession * rho / b;
        (Circle { alpha, precession, w: spin + precession * cos }, rho)
    }
    fn of(b: &carom::BodyState) -> (Circle, [f64; 2]) {
        let e3 = b.orientation * Vec3::z();
        let alpha = e3.z.acos();
        let w = b.angular_velocity.dot(&e3);
        let precession = (b.angular_velocity.z - w * e3.z) / (1.0 - e3.z * e3.z);
        let out = Vec3::new(e3.x, e3.y, 0.0).normalize();
        let along = Vec3::z().cross(&out);
        (Circle { alpha, precession, w }, [b.velocity.dot(&along), b.velocity.dot(&out)])
    }
    fn v_t(&self) -> f64 {
        let (sin, cos) = self.alpha.sin_cos();
        self.precession * RING.minor * sin * cos - self.w * RING.b(self.alpha)
    }
    fn centripetal(&self) -> f64 { RING.m * self.precession * self.v_t() }
    fn l_z(&self) -> f64 {
        let (sin, cos) = self.alpha.sin_cos();
        RING.a * self.precession * sin * sin + RING.c * self.w * cos
    }
    /// the moment that is left over
    fn unbalance(&self) -> f64 {
        let (sin, cos) = self.alpha.sin_cos();
        let o = self.precession;
        o * sin * (RING.c * self.w - RING.a * o * cos) + RING.m * G * RING.major * cos - RING.h(self.alpha) * self.centripetal()
    }
    fn energy(&self) -> f64 {
        let (sin, _) = self.alpha.sin_cos();
        0.5 * (RING.m * self.v_t().powi(2) + RING.a * (self.precession * sin).powi(2) + RING.c * self.w * self.w) + RING.m * G * RING.h(self.alpha)
    }
    fn gradient(&self, f: impl Fn(&Circle) -> f64) -> [f64; 3] {
        let d = 1e-5;
        let at = |i: usize, s: f64| {
            let mut c = *self;
            match i { 0 => c.alpha += s * d, 1 => c.precession += s * d, _ => c.w += s * d }
            f(&c)
        };
        std::array::from_fn(|i| (8.0 * (at(i, 1.0) - at(i, -1.0)) - (at(i, 2.0) - at(i, -2.0))) / (12.0 * d))
    }
    /// creep, drilling couple
    fn creep(&self, k_t: f64, delta0: Option<f64>) -> (f64, f64) {
        let f = self.centripetal() / (MU * RING.m * G);
        let Some(delta0) = delta0 else { return (f.atanh() / k_t, 0.0) };
        let (sin, cos) = self.alpha.sin_cos();
        let turn = self.precession * sin * sin + self.w * cos;
        let b = RING.b(self.alpha);
        let patch = RING.patch(self.alpha, delta0).0;
        let sum = |slip: f64| patch.iter().fold((0.0, 0.0), |(f, m), p| {
            let x = b * p.psi;
            let t = p.share * (k_t * (slip - turn * x)).tanh();
            (f + t, m + x * t)
        });
        let (mut lo, mut hi) = (0.0, 10.0 / k_t);
        for _ in 0..60 { let mid = 0.5 * (lo + hi); if sum(mid).0 < f { lo = mid } else { hi = mid } }
        (lo, MU * RING.m * G * sum(lo).1)
    }
    /// (α̇, Ω̇, ẇ)
    fn drift(&self, creep: f64, couple: f64) -> [f64; 3] {
        let (b, h) = (RING.b(self.alpha), RING.h(self.alpha));
        let cos = self.alpha.cos();
        let (l, g, v) = (self.gradient(Circle::l_z), self.gradient(Circle::unbalance), self.gradient(Circle::v_t));
        // ẇ = (F_t b + couple cos)/C
        // unknown α̇, Ω̇, F_t
        let w1 = b / RING.c;
        let w0 = couple * cos / RING.c;
        let m = Mat3::new(
            l[0], l[1], l[2] * w1 - RING.major * cos,
            g[0], g[1], g[2] * w1,
            v[0] + self.precession * h, v[1], v[2] * w1 - 1.0 / RING.m,
        );
        let rhs = Vec3::new(couple - l[2] * w0, -g[2] * w0, -v[2] * w0 - self.precession * creep);
        let x = m.try_inverse().unwrap() * rhs;
        [x[0], x[1], w0 + w1 * x[2]]
    }
    fn numbers(&self) -> [f64; 3] { [self.alpha, self.precession, self.w] }
    fn from(y: &[f64; 3]) -> Circle { Circle { alpha: y[0], precession: y[1], w: y[2] } }
}

fn start(c: &Circle, delta0: f64, v_r: f64, alpha_dot: f64) -> Start {
    let (sin, cos) = c.alpha.sin_cos();
    let axis = Vec3::new(0.0, -sin, cos);
    // ω = Ω (ẑ − cos α e3) + w e3 + α̇ t
    let omega = (Vec3::z() - axis * cos) * c.precession + axis * c.w + Vec3::x() * alpha_dot;
    Start { alpha: c.alpha, delta0, velocity: [c.v_t(), -v_r, RING.major * cos * alpha_dot], omega, gravity: [0.0, 0.0, -G] }
}

fn go(touching: Touching, k_t: f64, delta0: f64, t: f64, alpha: f64, omega: f64, method: &str) {
    let (c, rho) = Circle::steady(alpha.to_radians(), omega);
    println!("{touching:?} k_t {k_t} rho_c {rho} w {} v_t {} unbalance {:e}", c.w, c.v_t(), c.unbalance());
    let patch = matches!(touching, Touching::Exact).then_some(delta0);
    let rates = |y: &[f64; 3]| { let c = Circle::from(y); let (e, m) = c.creep(k_t, patch); c.drift(e, m) };
    let (e, couple) = c.creep(k_t, patch);
    let d = c.drift(e, couple);
    let g = c.gradient(Circle::energy);
    println!("creep {e:e} couple {couple:e} drift {d:?}; power {:e} vs {:e}", g[0]*d[0]+g[1]*d[1]+g[2]*d[2], -e * c.centripetal() + couple * (c.precession * alpha.to_radians().sin().powi(2) + c.w * alpha.to_radians().cos()));
    let s = start(&c, delta0, e + d[0] * RING.h(c.alpha), d[0]);
    let model = model(touching, &s, 0.0, Arc::new(Tanh::new(MU, k_t).unwrap()));
    let mut rec = Recording::default();
    let clock = std::time::Instant::now();
    let run = Simulation::new(&model).duration(t).method(method).rtol(1e-10).atol(1e-10).output_every(t / 4.0).run_into(&mut rec).unwrap();
    println!("{:?} {:?} audit {:e}", clock.elapsed(), run.summary.stats.steps, run.summary.audit_relative);
    let mut y = c.numbers();
    for f in &rec.frames {
        let (now, v) = Circle::of(&f.bodies[0]);
        let slow = Circle::from(&y);
        println!("t {:.3} moved {:?} off {:?} unbalance {:e} vt {:e}", f.t, [now.alpha - c.alpha, now.precession - c.precession, now.w - c.w],
           [now.alpha - slow.alpha, now.precession - slow.precession, now.w - slow.w], now.unbalance(), v[0] - slow.v_t());
        for _ in 0..50 { y = rk4(y, t / 200.0, rates); }
    }
}

#[test]
fn explore() {
    for k_t in [500.0, 1000.0, 2000.0, 4000.0] {
        go(Touching::Point, k_t, 1e-6, 5.0, 70.0, 2.5, "dop853");
        
    }
}
#[test]
fn explore_exact() {
    for k_t in [100.0, 1000.0] {
        go(Touching::Exact, k_t, 1e-7, 1.0, 70.0, 2.5, "radau5");
        go(Touching::Exact, k_t, 1e-6, 1.0, 70.0, 2.5, "radau5");
    }
}

#[test]
fn bristles() {
    for law in [Arc::new(ElastoPlastic::new(MU, MU, 0.01, 1e5).unwrap().damping(10.0)) as Arc<dyn carom::law::Friction>, Arc::new(LuGre::new(MU, MU, 0.01, 1e5).unwrap().damping(10.0))] {
        for n in [None, Some(360), Some(1440)] {
        let (c, _) = Circle::steady(70f64.to_radians(), 2.5);
        let delta0 = 1e-6;
        let s = start(&c, delta0, 0.0, 0.0);
        let touching = n.map_or(Touching::Point, Touching::Slices);
        let model = model(touching, &s, 100.0, Arc::clone(&law));
        let mut rec = Recording::default();
        let clock = std::time::Instant::now();
        let t = if n.is_some() { 0.2 } else { 5.0 };
        let run = Simulation::new(&model).duration(t).method("radau5").rtol(1e-9).atol(1e-9).output_every(t / 4.0).run_into(&mut rec).unwrap();
        println!("{n:?} {:?} {:?} audit {:e} {}", clock.elapsed(), run.summary.stats.steps, run.summary.audit_relative, run.summary.touches);
        for f in &rec.frames {
            let (now, v) = Circle::of(&f.bodies[0]);
            println!("t {:.3} moved {:?}  vt {:e} lost {:e}", f.t, [now.alpha - c.alpha, now.precession - c.precession, now.w - c.w], v[0] - c.v_t(), f.energy.dissipated_friction);
        }
        }
    }
}
