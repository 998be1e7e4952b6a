//! Forces between points, against closed forms.

use crate::common::{close, near};
use carom::Shake;
use carom::prelude::*;

const G: f64 = 9.81;

/// A weight on a spring below a ceiling: z = z∞ + e^{−ζωt} (a cos ω_d t + b sin ω_d t).
#[test]
fn a_damped_oscillator() {
    let (m, k, c, l0): (f64, f64, f64, f64) = (0.4, 50.0, 0.6, 0.2);
    let mut b = ModelBuilder::new();
    b.body(
        Body::new("weight").mass(m).inertia([1e-3; 3]).position([0.0, 0.0, -0.25]).velocity([0.0, 0.0, 0.3]),
    );
    b.body(Body::fixed("ceiling"));
    b.force(Force::between("weight", "ceiling", SpringDamper::new(k, l0).unwrap().damping(c)));
    let model = b.build().unwrap();
    let rest = -(l0 + m * G / k);
    let (decay, omega) = (c / (2.0 * m), (k / m - (c / (2.0 * m)).powi(2)).sqrt());
    let a = -0.25 - rest;
    let s = (0.3 + decay * a) / omega;
    for t in [0.3, 1.7] {
        let run = Simulation::new(&model).duration(t).rtol(1e-12).run().unwrap();
        let z = rest + (-decay * t).exp() * (a * (omega * t).cos() + s * (omega * t).sin());
        near("place", run.end.body("weight").unwrap().position.z, z, 1e-11);
        assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
        assert!(run.summary.energy.dissipated_viscous > 1e-3);
    }
}

/// A block drawn by a shaken end: x = A (ω0² sin Ωt − ω0 Ω sin ω0t)/(ω0² − Ω²), and the hand's work is all there is.
#[test]
fn a_forced_oscillator() {
    let (m, k, amplitude, rate) = (0.5, 40.0, 0.03, 5.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("block").mass(m).inertia([1e-3; 3]).dofs(&[Dof::X]));
    let shake = Shake { amplitude: Vec3::new(amplitude, 0.0, 0.0), rate, phase: 0.0 };
    b.body(Body::prescribed("hand", shake).position([1.0, 0.0, 0.0]));
    b.force(Force::between("block", "hand", SpringDamper::new(k, 1.0).unwrap()));
    let model = b.build().unwrap();
    let (t, w0) = (2.3, (k / m).sqrt());
    let run = Simulation::new(&model).duration(t).rtol(1e-12).run().unwrap();
    let swing = |w: f64| (w * t).sin();
    let x = amplitude * (w0 * w0 * swing(rate) - w0 * rate * swing(w0)) / (w0 * w0 - rate * rate);
    near("place", run.end.body("block").unwrap().position.x, x, 1e-11);
    close("work", run.summary.energy.work, run.summary.energy.total(), 1e-10);
}

/// Two free bodies held together off their centres of mass, tumbling: both momenta stay and the ledger closes, with every
/// kind of method.
#[test]
fn two_bodies_on_a_spring() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let tumbling = |name: &str, mass: f64| Body::new(name).mass(mass).inertia([0.02, 0.03, 0.045]);
    b.body(tumbling("a", 1.0).angular_velocity([1.0, -3.0, 0.5]).velocity([0.2, 0.0, 0.1]));
    let other = tumbling("b", 2.0).position([1.0, 0.2, 0.0]).centre_of_mass([0.02, 0.0, -0.05]);
    b.body(other.angular_velocity([0.3, 0.2, -2.0]));
    let spring = SpringDamper::new(30.0, 0.6).unwrap();
    let points = ([0.1, 0.2, 0.0], [-0.1, 0.05, 0.1]);
    b.force(Force::between("a", "b", spring.damping(0.8)).points(points.0, points.1));
    b.force(Force::between("a", "b", spring).named("second"));
    let model = b.build().unwrap();
    let momenta = |f: &Frame| {
        let mut sum = (Vec3::zeros(), Vec3::zeros());
        for (name, b) in ["a", "b"].iter().zip(&f.bodies) {
            let (m, arm) = (model.mass(name).unwrap(), b.orientation * model.centre_of_mass(name).unwrap());
            let (x, v) = (b.position + arm, b.velocity + b.angular_velocity.cross(&arm));
            let spin = b.orientation
                * (model.inertia(name).unwrap() * (b.orientation.inverse() * b.angular_velocity));
            sum = (sum.0 + v * m, sum.1 + x.cross(&v) * m + spin);
        }
        sum
    };
    let mut ends = Vec::new();
    for method in ["dop853", "radau5", "ode15s"] {
        let mut r = Recording::default();
        let rtol = if method == "ode15s" { 1e-9 } else { 1e-12 };
        let run = Simulation::new(&model).duration(3.0).rtol(rtol).method(method).run_into(&mut r).unwrap();
        let ((p0, l0), (p, l)) = (momenta(&r.frames[0]), momenta(&run.end.frame));
        let off = 300.0 * rtol;
        assert!((p - p0).norm() < off * p0.norm() && (l - l0).norm() < off * l0.norm(), "{method}");
        assert!(run.summary.audit_relative < off, "{method}: {}", run.summary);
        ends.push(run.end.body("a").unwrap().position);
    }
    assert!((ends[0] - ends[1]).norm() < 1e-9 && (ends[0] - ends[2]).norm() < 1e-6, "{ends:?}");
}

#[test]
fn what_cannot_be() {
    let error = |force: Force| {
        let mut b = ModelBuilder::new();
        b.body(Body::new("a").mass(1.0).inertia([1.0; 3])).body(Body::fixed("b")).body(Body::fixed("c"));
        b.force(force).build().unwrap_err().to_string()
    };
    let spring = SpringDamper::new(1.0, 1.0).unwrap();
    let cases = [
        (Force::between("a", "d", spring), "force `a~d`: no body is called `d`"),
        (Force::between("a", "a", spring), "force `a~a`: `between` is body `a` twice; allowed: two bodies"),
        (
            Force::between("b", "c", spring),
            "force `b~c`: `between` is `b` and `c`, neither of which moves by its forces",
        ),
        (
            Force::between("a", "b", spring.damping(-1.0)),
            "force `a~b`: spring-damper: `damping` is -1; allowed: 0 or greater",
        ),
        (
            Force::between("a", "b", spring).points([f64::NAN, 0.0, 0.0], [0.0; 3]),
            "force `a~b`: `point_a` is [NaN, 0, 0]",
        ),
    ];
    for (force, message) in cases {
        let said = error(force);
        assert!(said.starts_with(message), "{said}");
    }
    assert!(SpringDamper::new(-1.0, 0.0).is_err() && SpringDamper::new(1.0, f64::NAN).is_err());
}

/// A body of three different moments under a couple that does not turn with it: L = M t, by explicit steps and by implicit ones with the exact Jacobian; what holds the couple's other end does
/// work as well.
#[test]
fn a_couple_feeds_angular_momentum() {
    let (inertia, torque, t) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.2, 0.5), 5.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("rock").mass(1.0).inertia(inertia.into()).angular_velocity([0.4, 0.1, -0.2]));
    b.body(Body::prescribed("rotor", Spin { axis: Vec3::z_axis(), rate: 2.0 }));
    b.force(Force::torque("rock", "rotor", torque.into()));
    let model = b.build().unwrap();
    for (method, tolerance) in [("dop853", 1e-11), ("radau5", 1e-9)] {
        let run = Simulation::new(&model).duration(t).rtol(1e-12).method(method).run().unwrap();
        let rock = run.end.body("rock").unwrap();
        let r = rock.orientation.to_rotation_matrix();
        let l = r * inertia.component_mul(&(r.inverse() * rock.angular_velocity));
        let want = Vec3::new(0.4, 0.2, -0.6) + torque * t;
        near(method, (l - want).norm(), 0.0, tolerance);
        assert!(run.summary.audit_relative < 1e-11, "{method}: {}", run.summary);
    }
}

/// A body that a couple turns, its thrust turning with it: v̇ = F/m (cos φ, sin φ), φ = ½ M/I t².
#[test]
fn a_thrust_that_turns_with_its_body() {
    let (m, i, f, w) = (0.7, 0.02, 3.0, 4.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let rocket = Body::new("rocket").mass(m).inertia([i; 3]).angular_velocity([0.0, 0.0, w]);
    // on a circle of F/(m ω²), about the origin
    let r = f / (m * w * w);
    b.body(rocket.position([-r, 0.0, 0.0]).velocity([0.0, -r * w, 0.0]));
    b.force(Force::on("rocket", ExternalLoad::force([f, 0.0, 0.0]).turning_with_body()));
    let model = b.build().unwrap();
    for method in ["dop853", "radau5", "ode15s", "ode113", "verlet"] {
        let sim = Simulation::new(&model).duration(5.3).method(method).rtol(1e-11).atol(1e-11);
        let run = if method == "verlet" { sim.step(1e-4) } else { sim }.run().unwrap();
        let end = run.end.body("rocket").unwrap();
        let exact = [-r * (w * 5.3f64).cos(), -r * (w * 5.3f64).sin()];
        let off = (end.position.x - exact[0]).hypot(end.position.y - exact[1]);
        let allowed = match method {
            "verlet" => 1e-6,
            "ode15s" => 1e-8,
            _ => 1e-9,
        };
        assert!(off < allowed, "{method}: {off:e}");
        // what it does is work, and it comes from outside
        assert!(run.summary.audit_relative < 1e3 * 1e-11 || method == "verlet", "{}", run.summary);
        assert!(run.summary.audit.momentum_relative < 1e-12, "{}", run.summary);
        assert!(run.summary.warnings.is_empty(), "{}", run.summary);
    }
}

/// A constant force at a point off the centre, on a body that cannot turn but about z: α = r F/I from rest, its work is ∫ M ω.
#[test]
fn a_force_at_a_point_and_a_couple() {
    let (i, f, arm, couple, t) = (0.3, 2.0, 0.4, -0.5, 0.9);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("wheel").mass(1.0).inertia([i; 3]).dofs(&[Dof::Rz]));
    let load = ExternalLoad::force([0.0, f, 0.0]).torque([0.0, 0.0, couple]).turning_with_body();
    b.force(Force::on("wheel", load).at([arm, 0.0, 0.0]));
    let run = Simulation::new(&b.build().unwrap()).duration(t).rtol(1e-12).run().unwrap();
    let alpha = (f * arm + couple) / i;
    near("rate", run.end.body("wheel").unwrap().angular_velocity.z, alpha * t, 1e-12);
    near("work", run.summary.energy.work, 0.5 * i * (alpha * t).powi(2), 1e-12);
}

/// Drag in closed form: linear, quadratic, a fall to its final speed, a spin; what it takes is dissipated.
#[test]
fn drag_brakes() {
    let (m, i, c, k, v0, t) = (0.8, 0.05, 0.3, 0.02, 7.0, 3.1);
    let run = |gravity: f64, v: f64, drag: Drag| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -gravity]);
        let body = Body::new("body").mass(m).inertia([i; 3]).velocity([0.0, 0.0, -v]);
        b.body(body.angular_velocity([0.0, 0.0, v])).force(Force::on("body", drag));
        let run = Simulation::new(&b.build().unwrap()).duration(t).rtol(1e-12).atol(1e-12).run().unwrap();
        assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
        let end = run.end.body("body").unwrap();
        (-end.velocity.z, end.angular_velocity.z)
    };
    let (v, w) = run(0.0, v0, Drag::linear(c).turning(k));
    near("linear", v, v0 * (-c * t / m).exp(), 1e-11);
    near("spin", w, v0 * (-k * t / i).exp(), 1e-11);
    near("quadratic", run(0.0, v0, Drag::default().quadratic(c)).0, v0 / (1.0 + c * v0 * t / m), 1e-11);
    let last = (m * G / c).sqrt();
    near("fall", run(G, 0.0, Drag::default().quadratic(c)).0, last * (G * t / last).tanh(), 1e-11);
}

/// A load by a function that is a spring to the origin: x₀ cos ωt, with explicit and implicit methods; its errors are told with its name.
#[test]
fn a_load_by_a_function() {
    let build = |load: UserLoad| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(Body::new("bead").mass(0.5).inertia([1.0; 3]).position([0.2, 0.0, 0.0]));
        b.force(Force::on("bead", load).named("tether"));
        b.build().unwrap()
    };
    let model = build(UserLoad::new(|_, body| [body.position * -18.0, Vec3::zeros()]));
    for method in ["dop853", "radau5"] {
        let run = Simulation::new(&model).duration(2.0).method(method).rtol(1e-11).atol(1e-11).run().unwrap();
        near(method, run.end.body("bead").unwrap().position.x, 0.2 * 12.0f64.cos(), 1e-9);
        assert!(run.summary.audit_relative < 1e-8, "{}", run.summary);
    }
    let bad = build(UserLoad::new(|t, _| {
        [Vec3::new(if t > 0.1 { f64::NAN } else { 1.0 }, 0.0, 0.0), Vec3::zeros()]
    }));
    let message = Simulation::new(&bad).duration(1.0).run().unwrap_err().to_string();
    assert!(message.contains("force tether") && message.contains("not finite"), "{message}");
}

/// Loads on what does not move, or nowhere, are refused with the reason.
#[test]
fn loads_need_a_body() {
    let refused = |force: Force| {
        let mut b = ModelBuilder::new();
        b.body(Body::new("ball").mass(1.0).inertia([1.0; 3])).body(Body::fixed("ground")).force(force);
        b.build().unwrap_err().to_string()
    };
    let thrust = || ExternalLoad::force([1.0, 0.0, 0.0]);
    for (force, words) in [
        (Force::on("bal", thrust()), ["bal", "ball"]),
        (Force::on("ground", thrust()), ["ground", "moves by its forces"]),
        (Force::acting("ball", "ground", thrust().into()), ["ball~ground", "`body`"]),
        (Force::on("ball", ExternalLoad::force([f64::NAN, 0.0, 0.0])), ["ball", "force"]),
        (Force::on("ball", Drag::linear(-1.0)), ["linear", "-1"]),
        (Force::on("ball", Drag::linear(1.0)).at([0.0; 3]), ["drag", "`body`"]),
    ] {
        let message = refused(force);
        words.iter().for_each(|word| assert!(message.contains(word), "`{word}` is not in: {message}"));
    }
}

/// A body may have several loads without names: they are called by its name and their kind.
#[test]
fn several_loads_on_a_body() {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(1.0).inertia([1.0; 3]));
    b.force(Force::on("ball", ExternalLoad::force([1.0, 0.0, 0.0])))
        .force(Force::on("ball", Drag::linear(1.0)));
    assert!(b.build().is_ok());
    b.force(Force::on("ball", Drag::linear(2.0)));
    let message = b.build().unwrap_err().to_string();
    assert!(message.contains("ball~drag"), "{message}");
}
