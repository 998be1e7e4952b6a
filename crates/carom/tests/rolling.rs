//! A ring rolls straight down an incline: a = g sin θ/(1 + C/(m (R + r)²)), and what compliance makes of it (the book's page on rolling).

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use crate::common::{near, rk4};
use crate::ring::{G, MU, RING, Start, Touching, model};
use carom::prelude::*;

/// From the creep of steady rolling on, without spin.
#[derive(Clone, Copy)]
struct Incline {
    /// θ [rad]
    slope: f64,
    /// the static depth [m]
    delta0: f64,
    /// of the friction law [s/m]
    k_t: f64,
    /// χ̄ [s/m]
    chi: f64,
    /// [s]
    duration: f64,
}

const STEEP: Incline =
    Incline { slope: 10.0 * PI / 180.0, delta0: 1e-5, k_t: 1000.0, chi: 0.0, duration: 0.5 };
const GENTLE: Incline = Incline { slope: PI / 180.0, ..STEEP };

impl Incline {
    fn load(&self) -> f64 {
        RING.m * G * self.slope.cos()
    }

    /// The acceleration of the ideal ring, on the radius a \[m\].
    fn acceleration(&self, a: f64) -> f64 {
        G * self.slope.sin() / (1.0 + RING.c / (RING.m * a * a))
    }

    /// The slip of the rim at which friction is what rolling needs: atanh(F/μN)/k_t, F = m (g sin θ − v̇).
    fn creep(&self) -> f64 {
        let friction = RING.m * (G * self.slope.sin() - self.acceleration(RIM));
        (friction / (MU * self.load())).atanh() / self.k_t
    }

    /// v and ω at the end.
    fn run(&self, touching: Touching) -> [f64; 2] {
        let (sin, cos) = self.slope.sin_cos();
        let start = Start {
            alpha: FRAC_PI_2,
            delta0: self.delta0,
            velocity: [self.creep(), 0.0, 0.0],
            omega: Vec3::zeros(),
            gravity: [G * sin, 0.0, -G * cos],
        };
        let model = model(touching, &start, self.chi, Arc::new(Tanh::new(MU, self.k_t).unwrap()));
        let run = Simulation::new(&model).duration(self.duration).rtol(1e-11).atol(1e-12).run().unwrap();
        assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
        let ring = run.end.body("ring").unwrap();
        near("straight", ring.position.y, 0.0, 1e-13);
        [ring.velocity.x, ring.angular_velocity.y]
    }

    /// v and ω at the end by the equations of plane motion, friction and damping summed over the patch:
    /// m v̇ = m g sin θ − ∫ f, C ω̇ = ∫ (f a cos ψ − χ̄ p ω a² sin² ψ), f = μ p tanh(k_t (v − ω a cos ψ)). The height is steady:
    /// what damping adds to p is odd in ψ.
    fn in_the_plane(&self) -> [f64; 2] {
        let (patch, _) = RING.patch(FRAC_PI_2, self.delta0);
        let rates = |&[v, omega]: &[f64; 2]| {
            let (mut force, mut moment) = (0.0, 0.0);
            for place in &patch {
                let (sin, cos) = place.psi.sin_cos();
                let p = self.load() * place.share;
                let f = MU * p * (self.k_t * (v - omega * RIM * cos)).tanh();
                force += f;
                moment += f * RIM * cos - self.chi * p * omega * (RIM * sin).powi(2);
            }
            [G * self.slope.sin() - force / RING.m, moment / RING.c]
        };
        let steps = 20_000;
        let step = self.duration / f64::from(steps);
        (0..steps).fold([self.creep(), 0.0], |y, _| rk4(y, step, rates))
    }
}

/// a = R + r.
const RIM: f64 = RING.major + RING.minor;

/// One point: arm and depth have nothing to do with each other, and rolling is the ideal ring's but for the creep.
#[test]
fn a_single_point_rolls_as_the_ideal_ring() {
    for case in [STEEP, GENTLE, Incline { chi: 1.0, delta0: 1e-4, ..STEEP }] {
        let [v, omega] = case.run(Touching::Point);
        let way = case.acceleration(RIM) * case.duration;
        near("speed", v, way + case.creep(), 1e-13);
        near("spin", RIM * omega, way, 1e-13);
    }
}

/// The continuous ring: the equations of plane motion, with and without damping, whatever the micro-slip; to the 1e-10 of the force asked for.
#[test]
fn a_patch_rolls_as_the_sum_of_its_places() {
    for chi in [0.0, 1.0] {
        for case in [STEEP, GENTLE, Incline { delta0: 1e-4, ..STEEP }] {
            let case = Incline { chi, ..case };
            let ([v, omega], [want_v, want_omega]) = (case.run(Touching::Exact), case.in_the_plane());
            near("speed", v, want_v, 1e-10);
            near("spin", RIM * omega, RIM * want_omega, 1e-10);
        }
    }
}

/// The same in closed form where micro-slip is small, k_t ω δ0 ≪ 1: the ring rolls on the radius ā = a − δ0/6, and is held back by
/// κ ω 5δ0²/144 of micro-slip, κ = μ N k_t, and by χ̄ N a δ0 ω/3 of damping. What is left out is 2δ0/a of that (the patch's own shape) and
/// (k_t ω δ0)² of the micro-slip.
#[test]
fn a_patch_in_closed_form() {
    for chi in [0.0, 1.0] {
        let case = Incline { chi, ..GENTLE };
        let (load, delta0, t) = (case.load(), case.delta0, case.duration);
        let arm = RIM - delta0 / 6.0;
        let held = MU * load * case.k_t * 5.0 * delta0 * delta0 / 144.0 + chi * load * RIM * delta0 / 3.0;
        let lambda = held / (RING.c + RING.m * arm * arm);
        let ideal = case.acceleration(RIM) * t;
        let want = case.acceleration(arm) * t * (1.0 - 0.5 * lambda * t);
        let omega = case.run(Touching::Exact)[1];
        let effect = (want - ideal) / ideal;
        let left_out = (2.0 * delta0 / RIM + (case.k_t * omega * delta0).powi(2)) * effect.abs();
        near("spin", omega * arm / want, 1.0, left_out + effect * effect);
        assert!(effect.abs() > 30.0 * left_out, "{effect:e} {left_out:e}");
    }
}

/// N slices: the sum over the patch ripples by ϱ = 16 J₂(k)/k², k = N ψ0, as slices come and go. The ring rolls through the resonance N ω = ω0,
/// ω0² = 2g/δ0, and goes on bouncing: its load swings by A = ϱ ω0 √(π/2c), c = N ω̇, and with it the creep; its static height ripples by ϱ δ0/2.
#[test]
fn slices_roll_as_the_patch_but_for_a_ripple() {
    let [want, _] = STEEP.in_the_plane();
    let psi0 = (2.0 * STEEP.delta0 / RIM).sqrt();
    let g = G * STEEP.slope.cos();
    let a = STEEP.acceleration(RIM);
    let share = 1.0 - a / (G * STEEP.slope.sin());
    for n in [720, 1440, 2880] {
        let k = f64::from(n) * psi0;
        let ripple = 16.0 * (2.0 / (PI * k)).sqrt() / (k * k); // the envelope of J₂
        let swing = ripple * (2.0 * g / STEEP.delta0).sqrt() * (PI / (2.0 * f64::from(n) * a / RIM)).sqrt();
        let bounce = share * STEEP.creep() * (swing + ripple);
        let height = g * 0.5 * ripple * STEEP.delta0 / want;
        let [v, _] = STEEP.run(Touching::Slices(n as usize));
        near(&format!("{n} slices"), v, want, bounce + height);
    }
}
