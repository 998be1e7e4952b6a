//! Drives are not stepped over, however short what they do is.

use carom::prelude::*;
use carom::{Formula, Linear, Orbit, Series, Shake};
use carom_testkit::one_in;

/// Width of the pulses [s], in runs of 1 s: e^(−(t − ½)²/σ²).
const SIGMA: f64 = 1e-3;
const PULSE: &str = "exp(-((t - 0.5)/1e-3)^2)";

fn formula(text: &str) -> Formula {
    Formula::new(text).unwrap()
}

/// σ √π.
fn area() -> f64 {
    SIGMA * std::f64::consts::PI.sqrt()
}

/// A cart of 2 kg on rails along x.
fn cart(b: &mut ModelBuilder) {
    b.gravity([0.0; 3]).body(Body::fixed("ground"));
    b.body(Body::new("cart").mass(2.0).inertia([0.1; 3]));
    b.joint(Joint::between("cart", "ground", Prismatic).named("rail").at([0.0; 3]).axis([1.0, 0.0, 0.0]));
}

const METHODS: [&str; 7] = ["dop853", "ode45", "tsit5", "ode113", "ode15s", "radau5", "auto"];

fn speed(b: &ModelBuilder, method: &str) -> Vec3 {
    let model = b.build().unwrap();
    let run = Simulation::new(&model).method(method).rtol(1e-9).atol(1e-9).duration(1.0).run().unwrap();
    run.end.body("cart").unwrap().velocity
}

/// v = F σ √π/m.
#[test]
fn a_force() {
    for method in METHODS {
        let mut b = ModelBuilder::new();
        cart(&mut b);
        b.drive(Drive::new("joint/rail/force", formula(&format!("300*{PULSE}"))));
        let v = speed(&b, method).x;
        assert!((v / (150.0 * area()) - 1.0).abs() < 1e-6, "{method}: {v}");
    }
}

/// The same as polynomials that a program made.
#[test]
fn a_function_of_a_program() {
    let pulse = |t: f64| 300.0 * (-((t - 0.5) / SIGMA).powi(2)).exp();
    let mut b = ModelBuilder::new();
    cart(&mut b);
    b.drive(Drive::new("joint/rail/force", Series::new(0.0, 1.0, &[0.49, 0.51], pulse).unwrap()));
    let v = speed(&b, "dop853").x;
    assert!((v / (150.0 * area()) - 1.0).abs() < 1e-6, "{v}");
}

/// Two pulses, the second a tenth of the first, of either sign; and a table.
#[test]
fn a_small_one_beside_a_large_one() {
    let mut b = ModelBuilder::new();
    cart(&mut b);
    let second = "exp(-((t - 0.8)/1e-3)^2)";
    b.drive(Drive::new("joint/rail/force", formula(&format!("300*{PULSE} - 30*{second}"))));
    let v = speed(&b, "dop853").x;
    assert!((v / (135.0 * area()) - 1.0).abs() < 1e-6, "{v}");
    let mut b = ModelBuilder::new();
    cart(&mut b);
    let table = [[0.0, 0.0], [0.5, 0.0], [0.5005, 300.0], [0.501, 0.0], [1.0, 0.0]];
    b.drive(Drive::new("joint/rail/force", Linear::new(&table).unwrap()));
    let v = speed(&b, "dop853").x;
    assert!((v - 0.075).abs() < 1e-9, "{v}");
}

/// v = g σ √π.
#[test]
fn gravity() {
    for method in METHODS {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::new("cart").mass(2.0).inertia([0.1; 3]));
        b.drive(Drive::new("world/gravity/1", formula(&format!("400*{PULSE}"))));
        let v = speed(&b, method).y;
        assert!((v / (400.0 * area()) - 1.0).abs() < 1e-6, "{method}: {v}");
    }
}

/// v = ∫ F/m dt, by the midpoint rule, which is exact to rounding for such a pulse.
#[test]
fn a_mass() {
    let mut b = ModelBuilder::new();
    cart(&mut b);
    b.drive(Drive::new("joint/rail/force", formula("2")));
    b.drive(Drive::new("body/cart/mass", formula(&format!("2*(1 + 50*{PULSE})"))));
    let n = 1_000_000;
    let m = |i: usize| 2.0 * (1.0 + 50.0 * (-(((i as f64 + 0.5) / n as f64 - 0.5) / SIGMA).powi(2)).exp());
    let expected: f64 = (0..n).map(|i| 2.0 / m(i)).sum::<f64>() / n as f64;
    let v = speed(&b, "dop853").x;
    assert!((v - expected).abs() < 1e-8 && expected < 0.997, "{v} {expected}");
}

/// A hand that twitches pulls at a spring: v = k a σ √π/m, but for what the cart moves meanwhile.
#[test]
fn a_prescribed_motion() {
    for method in ["dop853", "ode113", "auto"] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::new("cart").mass(2.0).inertia([0.1; 3]));
        b.body(Body::fixed("hand").position([1.0, 0.0, 0.0]));
        b.force(Force::between("cart", "hand", SpringDamper::new(10.0, 1.0).unwrap()));
        b.drive(Drive::new("body/hand/position/0", formula(&format!("1 + 0.3*{PULSE}"))));
        let model = b.build().unwrap();
        let run = Simulation::new(&model).method(method).rtol(1e-9).atol(1e-9).duration(1.0).run().unwrap();
        let x = run.end.body("cart").unwrap();
        let w = (10.0f64 / 2.0).sqrt();
        // then it swings
        let amplitude = (x.velocity.x.powi(2) + (w * x.position.x).powi(2)).sqrt();
        assert!((amplitude / (1.5 * area()) - 1.0).abs() < 1e-5, "{method}: {amplitude}");
    }
}

/// A drive whose rate goes up within a millisecond: the acceleration is a pulse though nothing else is.
#[test]
fn a_coordinate_of_a_joint() {
    let mut b = ModelBuilder::new();
    cart(&mut b);
    // its rate goes from 0 to 1
    b.drive(Drive::new("joint/rail/displacement", formula("0.5*(t - 0.5) + 0.5*sqrt((t - 0.5)^2 + 1e-6)")));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).method("dop853").rtol(1e-9).atol(1e-9).duration(1.0).run().unwrap();
    let x = run.end.body("cart").unwrap();
    let root = (0.25f64 + 1e-6).sqrt();
    let v = 0.5 + 0.25 / root;
    assert!((x.velocity.x - v).abs() < 1e-8 && (x.position.x - 0.25 - 0.5 * root).abs() < 1e-8, "{x:?}");
    // the work is the kinetic energy: it was seen as it happened
    assert!(run.summary.audit_relative < 1e-6, "{}", run.summary);
}

/// Steps that are given are shortened for it, and lengthened again.
#[test]
fn given_steps() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::new("cart").mass(2.0).inertia([0.1; 3]));
    b.drive(Drive::new("world/gravity/1", formula(&format!("400*{PULSE}"))));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).method("verlet").step(0.01).duration(1.0).run().unwrap();
    let v = run.end.body("cart").unwrap().velocity.y;
    assert!((v / (400.0 * area()) - 1.0).abs() < 0.02, "{v}");
    assert!(run.summary.stats.steps < 200, "{}", run.summary);
}

/// Motions that scenes know by name have no pulses: as long as they last they are as fast as ever, so that no step that is long enough to miss something looks as if nothing happened. A hand
/// that shakes or goes round pulls at a spring, slowly or very fast, with whole periods in the steps that one would take otherwise: ẍ + ω² x = ω² d(t) has the closed form
/// x = a ω²/(ω² − Ω²) (sin Ωt − Ω/ω sin ωt), and with cosines ÿ: y = a ω²/(ω² − Ω²) (cos Ωt − cos ωt).
#[test]
fn motions_by_name() {
    let (k, mass, a) = (10.0, 2.0, 0.3);
    let w = f64::sqrt(k / mass);
    for method in one_in(3, METHODS) {
        for rate in [1.0, 50.0, 256.0 * std::f64::consts::TAU] {
            let pulled = |hand: Body, rest: f64| {
                let mut b = ModelBuilder::new();
                b.gravity([0.0; 3]).body(Body::new("cart").mass(mass).inertia([0.1; 3])).body(hand);
                b.force(Force::between("cart", "hand", SpringDamper::new(k, rest).unwrap()));
                let model = b.build().unwrap();
                let sim = Simulation::new(&model).method(method).rtol(1e-9).atol(1e-9).duration(1.0);
                sim.run().unwrap().end.body("cart").unwrap().position
            };
            let factor = a * w * w / (w * w - rate * rate);
            let sine = factor * (rate.sin() - rate / w * w.sin());
            let cosine = factor * (rate.cos() - w.cos());
            let shake = Shake { amplitude: Vec3::new(a, 0.0, 0.0), rate, phase: 0.0 };
            let x = pulled(Body::prescribed("hand", shake).position([1.0, 0.0, 0.0]), 1.0).x;
            assert!((x - sine).abs() < 1e-7, "{method}, shaking at {rate} rad/s: {x}, not {sine}");
            // round the origin from (a, 0)
            let orbit = Orbit { to_centre: Vec3::new(-a, 0.0, 0.0), axis: Vec3::z_axis(), rate };
            let p = pulled(Body::prescribed("hand", orbit).position([a, 0.0, 0.0]), 0.0);
            let off = (p - Vec3::new(cosine, sine, 0.0)).norm();
            assert!(off < 1e-7, "{method}, going round at {rate} rad/s: {p}, not {cosine}, {sine}");
            // a pin on a disc that spins
            let spin = Spin { axis: Vec3::z_axis(), rate };
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]).body(Body::new("cart").mass(mass).inertia([0.1; 3]));
            b.body(Body::prescribed("disc", spin));
            let spring = SpringDamper::new(k, 0.0).unwrap();
            b.force(Force::between("cart", "disc", spring).points([0.0; 3], [a, 0.0, 0.0]));
            let model = b.build().unwrap();
            let sim = Simulation::new(&model).method(method).rtol(1e-9).atol(1e-9).duration(1.0);
            let p = sim.run().unwrap().end.body("cart").unwrap().position;
            let off = (p - Vec3::new(cosine, sine, 0.0)).norm();
            assert!(off < 1e-7, "{method}, spinning at {rate} rad/s: {p}, not {cosine}, {sine}");
        }
    }
}
