//! A ring that leans and rolls around a circle, or upright along a line (the book's page on rolling).

use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use crate::common::{close, near, rk4};
use crate::ring::{G, MU, RING, Start, Touching, model};
use carom::BodyState;
use carom::law::Friction;
use carom::law::friction::ElastoPlastic;
use carom::prelude::*;

/// Rolling without slip: the lean α [rad], the precession Ω and the spin w about the axis [rad/s].
#[derive(Clone, Copy, Debug)]
struct Circle {
    alpha: f64,
    precession: f64,
    w: f64,
}

/// What holds the ring back: slip outwards ε [m/s], a couple about the vertical [N m].
#[derive(Clone, Copy)]
struct Held {
    creep: f64,
    couple: f64,
}

const WEIGHT: f64 = RING.m * G;

impl Circle {
    /// The steady one: m g R cos α = Ω² (m (ρ − R cos α) h + C ρ sin α/b + (A − C) sin α cos α) with ρ = −s b/Ω, w = s + Ω cos α.
    fn steady(alpha: f64, precession: f64) -> Circle {
        let (sin, cos) = alpha.sin_cos();
        let (b, h) = (RING.b(alpha), RING.h(alpha));
        let inertia = RING.m * RING.major * h + (RING.c - RING.a) * sin;
        let rho = cos * (WEIGHT * RING.major / (precession * precession) + inertia)
            / (RING.m * h + RING.c * sin / b);
        Circle { alpha, precession, w: precession * (cos - rho / b) }
    }

    /// That of a body, and the speed of its centre along the circle [m/s].
    fn of(ring: &BodyState) -> (Circle, f64) {
        let axis = ring.orientation * Vec3::z();
        let w = ring.angular_velocity.dot(&axis);
        let precession = (ring.angular_velocity.z - w * axis.z) / (1.0 - axis.z * axis.z);
        let along = Vec3::z().cross(&axis).normalize();
        (Circle { alpha: axis.z.acos(), precession, w }, ring.velocity.dot(&along))
    }

    /// The speed of the centre [m/s], from no slip.
    fn speed(&self) -> f64 {
        let (sin, cos) = self.alpha.sin_cos();
        self.precession * RING.minor * sin * cos - self.w * RING.b(self.alpha)
    }

    /// Of the centre [m].
    fn radius(&self) -> f64 {
        self.speed() / self.precession
    }

    /// m Ω v [N].
    fn centripetal(&self) -> f64 {
        RING.m * self.precession * self.speed()
    }

    /// ω_z [rad/s].
    fn turning(&self) -> f64 {
        let (sin, cos) = self.alpha.sin_cos();
        self.precession * sin * sin + self.w * cos
    }

    /// L_z about the centre of mass [N m s].
    fn l_z(&self) -> f64 {
        let (sin, cos) = self.alpha.sin_cos();
        RING.a * self.precession * sin * sin + RING.c * self.w * cos
    }

    /// The moment that would raise the ring [N m]: none in steady motion.
    fn unbalance(&self) -> f64 {
        let (sin, cos) = self.alpha.sin_cos();
        let gyroscopic = self.precession * sin * (RING.c * self.w - RING.a * self.precession * cos);
        gyroscopic + WEIGHT * RING.major * cos - RING.h(self.alpha) * self.centripetal()
    }

    fn energy(&self) -> f64 {
        let turning = RING.a * (self.precession * self.alpha.sin()).powi(2) + RING.c * self.w * self.w;
        0.5 * (RING.m * self.speed().powi(2) + turning) + WEIGHT * RING.h(self.alpha)
    }

    fn numbers(&self) -> [f64; 3] {
        [self.alpha, self.precession, self.w]
    }

    fn with(&[alpha, precession, w]: &[f64; 3]) -> Circle {
        Circle { alpha, precession, w }
    }

    /// ∂f/∂(α, Ω, w), by differences of the fourth order.
    fn gradient(&self, f: impl Fn(&Circle) -> f64) -> [f64; 3] {
        let d = 1e-4;
        let at = |i: usize, steps: f64| {
            let mut y = self.numbers();
            y[i] += steps * d;
            f(&Circle::with(&y))
        };
        std::array::from_fn(|i| (8.0 * (at(i, 1.0) - at(i, -1.0)) - at(i, 2.0) + at(i, -2.0)) / (12.0 * d))
    }

    /// A point creeps at atanh(F/μN)/k_t.
    fn held_in_a_point(&self, k_t: f64) -> Held {
        Held { creep: (self.centripetal() / (MU * WEIGHT)).atanh() / k_t, couple: 0.0 }
    }

    /// A patch also turns on the spot: at x along it, it slips at ε − ω_z x.
    fn held_in_a_patch(&self, k_t: f64, delta0: f64) -> Held {
        let (b, turning) = (RING.b(self.alpha), self.turning());
        let (patch, _) = RING.patch(self.alpha, delta0);
        let sums = |creep: f64| {
            patch.iter().fold([0.0; 2], |[f, couple], place| {
                let x = b * place.psi;
                let df = MU * WEIGHT * place.share * (k_t * (creep - turning * x)).tanh();
                [f + df, couple + x * df]
            })
        };
        let (mut lo, mut hi) = (0.0, 10.0 / k_t);
        for _ in 0..60 {
            let middle = 0.5 * (lo + hi);
            *(if sums(middle)[0] < self.centripetal() { &mut lo } else { &mut hi }) = middle;
        }
        Held { creep: lo, couple: sums(lo)[1] }
    }

    /// The rates of α, Ω and w to first order in what holds the ring back: with F_t the friction along the circle,
    /// C ẇ = b F_t + M cos α, L̇_z = R cos α F_t + M, v̇ + Ω (ε + h α̇) = F_t/m, and the balance stays.
    fn drift(&self, held: &Held) -> [f64; 3] {
        let (cos, Held { creep, couple }) = (self.alpha.cos(), *held);
        let (l, v) = (self.gradient(Circle::l_z), self.gradient(Circle::speed));
        let g = self.gradient(Circle::unbalance);
        let (w_by_force, w_by_couple) = (RING.b(self.alpha) / RING.c, couple * cos / RING.c);
        let (o, h) = (self.precession, RING.h(self.alpha));
        let rows = [
            [l[0], l[1], l[2] * w_by_force - RING.major * cos],
            [g[0], g[1], g[2] * w_by_force],
            [v[0] + o * h, v[1], v[2] * w_by_force - 1.0 / RING.m],
        ];
        let right = Vec3::new(couple, 0.0, -o * creep) - Vec3::new(l[2], g[2], v[2]) * w_by_couple;
        let x = Mat3::from_fn(|i, j| rows[i][j]).try_inverse().unwrap() * right;
        [x[0], x[1], w_by_force * x[2] + w_by_couple]
    }

    /// The axis is (0, −sin α, cos α); held back as said.
    fn start(&self, delta0: f64, held: &Held) -> Start {
        let (sin, cos) = self.alpha.sin_cos();
        let axis = Vec3::new(0.0, -sin, cos);
        let falling = self.drift(held)[0];
        let out = held.creep + RING.h(self.alpha) * falling;
        Start {
            alpha: self.alpha,
            delta0,
            velocity: [self.speed(), -out, RING.major * cos * falling],
            omega: (Vec3::z() - axis * cos) * self.precession + axis * self.w + Vec3::x() * falling,
            gravity: [0.0, 0.0, -G],
        }
    }
}

/// Free: nothing holds it back.
const FREE: Held = Held { creep: 0.0, couple: 0.0 };

fn run(model: &Model, duration: f64, frames: usize, rtol: f64) -> Recording {
    let mut r = Recording::default();
    let sim = Simulation::new(model).duration(duration).method("radau5").rtol(rtol).atol(0.1 * rtol);
    let run = sim.output_every(duration / frames as f64).run_into(&mut r).unwrap();
    assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
    r
}

/// 20 degrees from upright, a revolution in 2.5 s, 0.68 m/s on 0.27 m.
fn circle() -> Circle {
    Circle::steady(70f64.to_radians(), 2.5)
}

/// The steady condition by itself: against an independent solution, Newton and Euler with the constraint differentiated, whose lean then keeps
/// to 1e-14 for three revolutions; and with the centre at rest, Ω² sin α (A − C r sin α/b) = m g R.
#[test]
fn the_steady_condition() {
    let c = circle();
    near("moment", c.unbalance(), 0.0, 1e-16);
    close("speed", c.speed(), 0.682961216390592, 1e-14);
    let (alpha, m) = (0.3_f64, RING.m);
    let (sin, b) = (alpha.sin(), RING.b(alpha));
    let wobble = (m * G * RING.major / (sin * (RING.a - RING.c * RING.minor * sin / b))).sqrt();
    near("centre at rest", Circle::steady(alpha, wobble).radius(), 0.0, 1e-16);
}

/// A run against the drift it should show: to the next order, and to `unsure` of lean, precession and spin. The largest differences.
fn compare(r: &Recording, start: &Circle, held: impl Fn(&Circle) -> Held, unsure: [f64; 3]) -> [f64; 3] {
    let (mut y, mut t, mut off) = (start.numbers(), 0.0, [0.0_f64; 3]);
    let per_speed = held(start).creep / start.speed();
    for frame in &r.frames {
        let step = (frame.t - t) / 20.0;
        (0..20).for_each(|_| y = rk4(y, step, |y| Circle::with(y).drift(&held(&Circle::with(y)))));
        t = frame.t;
        let (now, speed) = Circle::of(&frame.bodies[0]);
        for (i, name) in ["lean", "precession", "spin"].iter().enumerate() {
            let moved = (y[i] - start.numbers()[i]).abs();
            // the next order is ε/v of the first
            let bound = per_speed * moved + unsure[i] + 1e-13;
            near(&format!("{name} at {t}"), now.numbers()[i], y[i], bound);
            off[i] = off[i].max((now.numbers()[i] - y[i]).abs());
        }
        let grown = (Circle::with(&y).radius() - start.radius()).abs();
        let unsure = unsure[1] / start.precession * start.radius();
        near("radius", speed / now.precession, Circle::with(&y).radius(), per_speed * grown + unsure + 1e-13);
    }
    off
}

/// A point under tanh friction creeps outwards, at F ε of power, and the circle drifts as said; three revolutions. The rest is of second order.
#[test]
fn a_circle_drifts_by_its_creep() {
    let (c, delta0) = (circle(), 1e-6);
    let off = [1000.0, 2000.0, 4000.0].map(|k_t| {
        let held = c.held_in_a_point(k_t);
        let (slope, rates) = (c.gradient(Circle::energy), c.drift(&held));
        let power: f64 = slope.iter().zip(rates).map(|(s, r)| s * r).sum();
        close("power", power, -held.creep * c.centripetal(), 1e-9);
        let friction = Arc::new(Tanh::new(MU, k_t).unwrap());
        let model = model(Touching::Point, &c.start(delta0, &held), 100.0, friction);
        let r = run(&model, 3.0 * TAU / c.precession, 12, 1e-10);
        for frame in &r.frames {
            let now = Circle::of(&frame.bodies[0]).0;
            near("height", frame.bodies[0].position.z, RING.h(now.alpha) - delta0, 1e-11);
        }
        compare(&r, &c, |c| c.held_in_a_point(k_t), [0.0; 3])
    });
    for pair in off.windows(2) {
        (0..3).for_each(|i| near("second order", pair[0][i] / pair[1][i], 4.0, 0.3));
    }
}

/// A patch drifts by drilling as well, more so the steeper the law. Arms are off by δ0 of R: the steady lean by as much, and the precession
/// by what L_z makes of that.
#[test]
fn a_patch_drifts_by_drilling_too() {
    let c = circle();
    let l = c.gradient(Circle::l_z);
    for (k_t, delta0) in [(1000.0, 1e-7), (1000.0, 1e-6), (100.0, 1e-6)] {
        let held = |c: &Circle| c.held_in_a_patch(k_t, delta0);
        let model =
            model(Touching::Exact, &c.start(delta0, &held(&c)), 0.0, Arc::new(Tanh::new(MU, k_t).unwrap()));
        let r = run(&model, 1.0, 4, 1e-10);
        let share = delta0 / RING.major;
        compare(&r, &c, held, [share, share * (l[0] / l[1]).abs(), share * c.w.abs()]);
    }
}

/// What a law that remembers loses in steady motion. Its bristles turn at ½ ω_z, the force at Ω, so they are bent anew at c z, c = Ω − ½ ω_z,
/// z = F/σ0. Elastic ones lose σ1 (c z)² only; those of `lugre` flow, |v| = c z/√(1 − f²), f = F/μN, and lose |v| f F besides.
#[test]
fn bristles_hold_the_circle() {
    let (c, sigma0, sigma1) = (circle(), 1e5, 10.0);
    let force = c.centripetal();
    let bent = (c.precession - 0.5 * c.turning()) * force / sigma0;
    let (damped, f) = (sigma1 * bent * bent, force / (MU * WEIGHT));
    let flowing = bent / (1.0 - f * f).sqrt() * f * force;
    // they start unbent: as they bend by z the ring turns by z h/(A/m + h²), and nods by that
    let h = RING.h(c.alpha);
    let nod = force / sigma0 * h / (RING.a / RING.m + h * h);
    let elastic = ElastoPlastic::new(MU, MU, 0.01, sigma0).unwrap().damping(sigma1);
    let lugre = LuGre::new(MU, MU, 0.01, sigma0).unwrap().damping(sigma1);
    let laws: [(Arc<dyn Friction>, f64); 2] =
        [(Arc::new(elastic), damped), (Arc::new(lugre), flowing + damped)];
    for (law, want) in laws {
        let name = law.name();
        let model = model(Touching::Point, &c.start(1e-6, &FREE), 100.0, law);
        let r = run(&model, 3.0 * TAU / c.precession, 12, 1e-9);
        let lost = |k: usize| r.frames[k].energy.dissipated_friction;
        let power = (lost(12) - lost(4)) / (r.frames[12].t - r.frames[4].t);
        close(name, power, want, 1e-3);
        if name == "elasto-plastic" {
            let leans = r.frames.iter().map(|frame| Circle::of(&frame.bodies[0]).0.alpha);
            leans.for_each(|lean| near("lean", lean, c.alpha, 2.0 * nod));
        }
    }
}

/// φ = cos α of a ring that rolls upright at the spin s, φ0 off, L_z = 0, to first order; u is the speed of the centre across [m/s]:
/// A φ̈ = m g R φ + C s Ω + a F, m (u̇ + a s Ω) = F, Ω = −C s φ/A, F = −μ m g k_t (u + a φ̇).
fn upright(spin: f64, k_t: f64, phi0: f64, duration: f64) -> f64 {
    let rim = RING.b(FRAC_PI_2);
    let rates = |&[phi, phi_dot, u]: &[f64; 3]| {
        let precession = -RING.c * spin * phi / RING.a;
        let force = -MU * WEIGHT * k_t * (u + rim * phi_dot);
        let moment = WEIGHT * RING.major * phi + RING.c * spin * precession + rim * force;
        [phi_dot, moment / RING.a, force / RING.m - rim * spin * precession]
    };
    let steps = 100_000;
    (0..steps).fold([phi0, 0.0, 0.0], |y, _| rk4(y, duration / f64::from(steps), rates))[0]
}

/// A run that starts at φ = 1e-6, and ends as the linear equations say: the largest |φ| e^{−λ t} of its last tenth, over that at the start.
fn swings(spin: f64, k_t: f64, duration: f64, lambda: f64) -> f64 {
    let (phi0, frames) = (1e-6_f64, 800);
    let c = Circle { alpha: phi0.acos(), precession: -RING.c * spin * phi0 / RING.a, w: spin };
    let start = Start { velocity: [c.speed(), 0.0, 0.0], ..c.start(1e-6, &FREE) };
    let model = model(Touching::Point, &start, 100.0, Arc::new(Tanh::new(MU, k_t).unwrap()));
    let r = run(&model, duration, frames, 1e-11);
    let phi = |frame: &Frame| Circle::of(&frame.bodies[0]).0.alpha.cos();
    let last = &r.frames[9 * frames / 10..];
    let largest = last.iter().map(|f| phi(f).abs()).fold(0.0, f64::max);
    near("lean", phi(&r.frames[frames]), upright(spin, k_t, phi0, duration), 1e-6 * largest);
    last.iter().map(|f| phi(f).abs() * (-lambda * f.t).exp()).fold(0.0, f64::max) / phi0
}

/// Upright rolling is stable from s² = A m g R/(C (C + m a²)) on; creep makes it swing up slowly below s² = A m g R/(C (C − A)), and settle above.
/// Of a mode e^{λt} creep makes e^{(λ + ν)t}, ν = m² a² (λ² + C s²/A)/(2κ (A + m a²)), to first order in |λ|/(κ/m + κ a²/A), which is 11 % at most:
/// its square is left out.
#[test]
fn upright_rolling_has_a_least_speed() {
    let rim = RING.b(FRAC_PI_2);
    let about_rim = RING.a + RING.m * rim * rim;
    let tips = |inertia: f64| (RING.a * WEIGHT * RING.major / (RING.c * inertia)).sqrt();
    let (least, settles) = (tips(RING.c + RING.m * rim * rim), tips(RING.c - RING.a));
    let lambda2 = |spin: f64| {
        let gyroscopic = RING.c * (RING.c + RING.m * rim * rim) / RING.a * spin * spin;
        (WEIGHT * RING.major - gyroscopic) / about_rim
    };
    let creep = |spin: f64, k_t: f64| {
        let sum = lambda2(spin) + RING.c / RING.a * spin * spin;
        (RING.m * rim).powi(2) * sum / (2.0 * MU * WEIGHT * k_t * about_rim)
    };
    // below, cosh λt
    let spin = 0.98 * least;
    let tipping = lambda2(spin).sqrt() + creep(spin, 1000.0);
    near("tips over", swings(spin, 1000.0, 2.0, tipping), 0.5, 0.01);
    assert!((2.0 * tipping).exp() > 200.0);
    // above, cos ωt
    let spin = 1.02 * least;
    assert!(swings(spin, 1000.0, 2.0, creep(spin, 1000.0)) < 1.01);
    for (share, grows) in [(0.9, true), (1.1, false)] {
        let nu = creep(share * settles, 20.0);
        assert_eq!(nu > 0.0, grows);
        near("swings", swings(share * settles, 20.0, 5.0, nu), 1.0, 0.01);
    }
}

/// Without slip by a joint, the ring goes around its circle as the equations have it: nothing gives, nothing creeps.
#[test]
fn a_joint_holds_the_circle() {
    let circle = Circle::steady(70f64.to_radians(), 2.5);
    let start = circle.start(0.0, &FREE);
    let turn = Quat::from_axis_angle(&Vec3::x_axis(), start.alpha);
    let ring = Body::new("ring").mass(RING.m).inertia([RING.a, RING.a, RING.c]);
    let ring = ring.surface(Torus::new(RING.major, RING.minor).unwrap()).orientation(turn);
    let ring = ring.position([0.0, 0.0, RING.h(start.alpha)]).velocity(start.velocity);
    let mut b = ModelBuilder::new();
    b.gravity(start.gravity).body(ring.angular_velocity(start.omega.into()));
    b.body(Body::fixed("plane").surface(Plane)).joint(Joint::between("ring", "plane", carom::Rolling));
    let sim = b.build().unwrap();
    let sim = Simulation::new(&sim).method("dop853").duration(TAU / 2.5).rtol(1e-12).atol(1e-12);
    let run = sim.run().unwrap();
    let ring = run.end.body("ring").unwrap();
    let (now, speed) = Circle::of(ring);
    near("lean", now.alpha, circle.alpha, 1e-11);
    near("precession", now.precession, circle.precession, 1e-9);
    near("speed", speed, circle.speed(), 1e-11);
    // once around
    near("back", (ring.position - Vec3::new(0.0, 0.0, RING.h(start.alpha))).norm(), 0.0, 1e-10);
}
