//! Stick and slip: a block on a belt, held by a spring.
//!
//! | symbol | value | meaning |
//! |---|---|---|
//! | m, N | 1 kg, 1 N | mass, normal force: gravity is 1 m/s² here |
//! | k | 2 N/m | stiffness of the spring; ω = √(k/m) |
//! | V | 0.1 m/s | speed of the belt |
//! | μ, Fs | 1, N | kinetic friction μN, largest friction Fs |

use std::f64::consts::PI;
use std::sync::Arc;

use crate::common::{close, near};
use carom::law::Friction;
use carom::law::friction::{Andersson, LuGre};
use carom::prelude::*;

const V: f64 = 0.1;
const STIFFNESS: f64 = 2.0;
/// How long a run takes: four turns back.
const END: f64 = 32.0;

/// The block rests on the belt with its four corners, pressed in by its weight; the spring is slack.
fn belt(friction: Arc<dyn Friction>) -> Model {
    let stiffness = 1e5;
    let depth = (0.25f64 / stiffness).powf(2.0 / 3.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -1.0]);
    let block = Body::new("block").mass(1.0).surface(Cuboid::new([0.1, 0.1, 0.04]).unwrap());
    b.body(block.position([0.0, 0.0, 0.02 - depth]).dofs(&[Dof::X, Dof::Z]));
    b.body(Body::prescribed("belt", Slide { velocity: Vec3::new(V, 0.0, 0.0) }).surface(Plane));
    b.body(Body::fixed("wall").position([-1.0, 0.0, 0.02 - depth]));
    let normal = HuntCrossley::damping(10.0).unwrap().stiffness(stiffness);
    b.contact(ContactRule::between("block", "belt").normal(normal).friction_arc(friction));
    b.force(Force::between("block", "wall", SpringDamper::new(STIFFNESS, 1.0).unwrap()));
    b.build().unwrap()
}

/// Friction N (μ + (μs − μ) e^{−(v/vs)²}) tanh(10 v/vs), with μ = 1, μs = 1.5.
fn andersson(vs: f64) -> Andersson {
    Andersson::new(1.0, 1.5, vs, 10.0 / vs).unwrap()
}

/// A run: the time from one turn back to the next, the last two of four, and the frames.
fn run(friction: impl Friction + 'static, method: &str, rtol: f64) -> (f64, Recording) {
    let model = belt(Arc::new(friction));
    let mut r = Recording::default();
    let run = Simulation::new(&model).duration(END).method(method).rtol(rtol).output_every(0.01);
    let run = run.run_into(&mut r).unwrap();
    assert!(run.summary.audit_relative < 1e4 * rtol, "{}", run.summary);
    let turns = turns(&r);
    (turns[3] - turns[2], r)
}

/// Where the block's speed falls through zero: on the polynomial through six frames, where it swings freely.
fn turns(r: &Recording) -> Vec<f64> {
    let v = |i: usize| r.frames[i].bodies[0].velocity.x;
    let through = |i: usize| {
        let at = |x: f64| -> f64 {
            let weight = |j: i32| {
                (-2..4).filter(|l| *l != j).map(|l| (x - f64::from(l)) / f64::from(j - l)).product::<f64>()
            };
            (-2..4).map(|j| weight(j) * v(i.checked_add_signed(j as isize).unwrap())).sum()
        };
        let (mut lo, mut hi) = (0.0, 1.0);
        for _ in 0..60 {
            let mid = 0.5 * (lo + hi);
            if at(mid) > 0.0 { lo = mid } else { hi = mid }
        }
        r.frames[i].t + lo * (r.frames[i + 1].t - r.frames[i].t)
    };
    (2..r.frames.len() - 4).filter(|&i| v(i) > 0.0 && v(i + 1) <= 0.0).map(through).collect()
}

/// Coulomb's friction that falls from Fs to μN at once, Δ = Fs − μN: stuck while the spring goes from μN − Δ to μN + Δ, then
/// most of a swing: T = 2Δ/(kV) + (2/ω) (π − atan(Δ ω/(kV))).
fn period_of_a_jump(delta: f64) -> f64 {
    let (kv, omega) = (STIFFNESS * V, STIFFNESS.sqrt());
    2.0 * delta / kv + 2.0 / omega * (PI - (delta * omega / kv).atan())
}

/// The same friction law in units of vs: its top, where it is, and its second derivative there.
fn top() -> (f64, f64) {
    let law = andersson(1.0);
    let f = |v: f64| -Friction::force(&law, 1.0, &Vec3::new(v, 0.0, 0.0)).x;
    let (mut lo, mut hi) = (0.05, 0.6);
    // a flat top: its height is known to rounding long before its place is
    while hi - lo > 1e-9 {
        let (a, b) = (lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0);
        if f(a) < f(b) { lo = a } else { hi = b }
    }
    let h = 1e-3;
    (f(lo), (f(lo + h) - 2.0 * f(lo) + f(lo - h)) / (h * h))
}

/// As vs → 0 the cycle becomes that of a jump. Slip does not begin at the top at once: m u̇ = kV t + ½|F''| u² blows up at
/// τ = 2.338107 (½|F''| kV/m²)^{−1/3}, 2.338107 the first zero of the Airy function, and by then the spring has gone on by kVτ. What
/// is left is of the order vs ln vs.
#[test]
fn the_cycle_of_static_and_kinetic_friction() {
    let (largest, bend) = top();
    let left = |vs: f64| {
        let tau = 2.338107410459767 / (0.5 * bend.abs() / (vs * vs) * STIFFNESS * V).cbrt();
        run(andersson(vs), "auto", 1e-9).0 / period_of_a_jump(largest - 1.0 + STIFFNESS * V * tau) - 1.0
    };
    let errors = [1e-3, 1e-4, 1e-5].map(left);
    assert!(errors[0] < 1.2e-3 && errors[1] < 1.65e-4 && errors[2] < 2.1e-5, "{errors:?}");
    assert!(errors[0] > 7.0 * errors[1] && errors[1] > 7.5 * errors[2] && errors[2] > 0.0, "{errors:?}");
}

/// The period against an independent integration (Radau IIA and Dormand–Prince 8(5,3) of scipy at 1e-13, which agree to 12 digits, on
/// m ẍ = −k x − f(ẋ − V)): its error goes with the tolerance, decade by decade, to what the 12 digits tell.
#[test]
fn the_period_converges() {
    for (method, share) in [("radau5", 0.2), ("ode45", 3.0)] {
        for rtol in [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11] {
            let period = run(andersson(1e-2), method, rtol).0;
            near(method, period / PERIOD, 1.0, share * rtol + 3e-13);
        }
    }
    // the long steps of dop853 across the end of slip: now and then its error estimate misses a part of what happens there
    close("auto", run(andersson(1e-2), "auto", 1e-9).0, PERIOD, 2e-7);
}

/// Independent: see `the_period_converges`.
const PERIOD: f64 = 7.454972351355;

/// The phase portrait: stuck at the speed of the belt, then an arc about the place where the spring balances kinetic friction; the
/// belt's driver does the work, friction takes all of it in a cycle.
#[test]
fn stick_and_slip() {
    let (period, r) = run(andersson(1e-4), "auto", 1e-9);
    let cycle: Vec<&Frame> = r.frames.iter().filter(|f| f.t > END - period - 0.01).collect();
    let state = |f: &Frame| (f.bodies[0].position.x - 0.5, f.bodies[0].velocity.x);
    let (largest, bend) = top();
    let tau = 2.338107410459767 / (0.5 * bend.abs() * 1e8 * STIFFNESS * V).cbrt();
    let delta = largest - 1.0 + STIFFNESS * V * tau;
    let omega = STIFFNESS.sqrt();
    let swing = (delta / STIFFNESS).hypot(V / omega);
    let (mut stuck, mut slipping) = (0, 0);
    for f in &cycle {
        let (x, v) = state(f);
        if v < V - 1e-2 {
            // x² + (v/ω)² of the arc stays, but for the Stribeck friction at its ends
            near("arc", x.hypot(v / omega), swing, 2e-3 * swing);
            slipping += 1;
        } else if (v - V).abs() < 1e-4 {
            stuck += 1;
        }
    }
    let share = f64::from(stuck) / f64::from(stuck + slipping);
    close("time stuck", share, 2.0 * delta / (STIFFNESS * V) / period, 0.01);
    let at =
        |t: f64| r.frames.iter().min_by(|a, b| (a.t - t).abs().total_cmp(&(b.t - t).abs())).unwrap().energy;
    let (start, end) = (at(END - period), at(END));
    close("work", end.work - start.work, end.dissipated_friction - start.dissipated_friction, 5e-3);
}

/// Bristles do it too.
#[test]
fn bristles_stick_and_slip() {
    let law = |sigma: f64, vs: f64| {
        // four corners share the bristles of one contact
        LuGre::new(1.0, 1.5, vs, 0.25 * sigma).unwrap().damping(0.25 * sigma.sqrt()).min_load(1e-3)
    };
    let (period, r) = run(law(1e5, 1e-3), "auto", 1e-8);
    close("period", period, period_of_a_jump(0.5), 0.02);
    let stuck = r.frames.iter().filter(|f| f.t > 10.0 && (f.bodies[0].velocity.x - V).abs() < 1e-4);
    assert!(stuck.count() > 900);
}
