//! A ring that rolls down an incline.
#![allow(clippy::unwrap_used, reason = "a test may")]

#[path = "common/ring.rs"]
mod ring;
mod common;

use std::sync::Arc;
use carom::prelude::*;
use common::{close, near};
use ring::{G, Place, RING, Start, Touching, model, rk4};

const UPRIGHT: f64 = std::f64::consts::FRAC_PI_2;
const MU: f64 = 0.4;

struct Incline { slope: f64, delta0: f64, k_t: f64, chi: f64, t: f64 }

impl Incline {
    fn arm(&self) -> f64 { RING.b(UPRIGHT) }
    fn load(&self) -> f64 { RING.m * G * self.slope.cos() }
    /// friction/μN
    fn share(&self) -> f64 { RING.c / (RING.c + RING.m * self.arm().powi(2)) }
    fn slip(&self) -> f64 {
        (self.share() * self.slope.tan() / MU).atanh() / self.k_t
    }
    fn run(&self, touching: Touching) -> (f64, f64, f64) {
        let (sin, cos) = self.slope.sin_cos();
        let start = Start { alpha: UPRIGHT, delta0: self.delta0, velocity: [self.slip(), 0.0, 0.0], omega: Vec3::zeros(), gravity: [G * sin, 0.0, -G * cos] };
        let model = model(touching, &start, self.chi, Arc::new(Tanh::new(MU, self.k_t).unwrap()));
        let t0 = std::time::Instant::now();
        let run = Simulation::new(&model).duration(self.t).rtol(1e-11).atol(1e-12).run().unwrap();
        let b = run.end.body("ring").unwrap();
        println!("{touching:?} {:?} audit {:.1e} y {:.1e} z {:.3e}", t0.elapsed(), run.summary.audit_relative, b.position.y, b.position.z);
        (b.velocity.x, b.angular_velocity.y, b.position.z)
    }
    fn reduced(&self, patch: &[Place], pressed: f64) -> [f64; 2] {
        let n = 20000;
        let (a, load) = (self.arm(), self.load());
        let rates = |&[v, omega]: &[f64; 2]| {
            let (mut f, mut t) = (0.0, 0.0);
            for p in patch {
                let slip = v - omega * a * p.psi.cos();
                let friction = MU * load * p.share * (self.k_t * slip).tanh();
                f += friction;
                t += friction * a * p.psi.cos() - self.chi * load * p.share * omega * (a * p.psi.sin()).powi(2);
            }
            [G * self.slope.sin() - f / RING.m, t / RING.c]
        };
        let mut y = [self.slip(), 0.0];
        for _ in 0..n { y = rk4(y, self.t / n as f64, rates); }
        y
    }
}

#[test]
fn explore() {
    let case = Incline { slope: 10f64.to_radians(), delta0: 1e-5, k_t: 1000.0, chi: 0.0, t: 0.5 };
    let ideal = case.t * G * case.slope.sin() * (1.0 - case.share());
    println!("ideal {ideal} slip {}", case.slip());
    let (v, w, z) = case.run(Touching::Point);
    println!("point {:e} {:e}", v - ideal - case.slip(), w * case.arm() - ideal);
    for chi in [0.0, 1.0] {
        let case = Incline { chi, ..case };
        let (patch, pressed) = RING.patch(UPRIGHT, case.delta0);
        let [vr, wr] = case.reduced(&patch, pressed);
        let (v, w, z) = case.run(Touching::Exact);
        println!("exact {v} {vr} {:e} {:e}; from ideal {:e}", v - vr, w - wr, v - ideal - case.slip());
        for n in [90, 180, 360, 720, 1440] {
            let (v, w, z) = case.run(Touching::Slices(n));
            println!("{n} {v} {:e} {:e}", v - vr, w - wr);
        }
    }
}
