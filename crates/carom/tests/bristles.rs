//! Friction laws with memory in motion.

use std::sync::Arc;

use crate::common::{close, near};
use crate::laws::{friction_with, remembering, with_memory};
use carom::OneSidedSpring;
use carom::Warning;
use carom::geometry::surfaces::Superellipsoid;
use carom::law::friction::{ElastoPlastic, FrictionEntry, LuGre, ResetIntegrator};
use carom::law::{Friction, Memory};
use carom::ode::{Event, Ivp};
use carom::prelude::{
    Body, ContactRule, Cuboid, Force, FrictionAt, Hertz, HuntCrossley, Model, ModelBuilder, Plane, Quat,
    Recording, Simulation, Sphere, SurfaceSpec, Tanh, Vec3,
};

const G: f64 = 9.81;

/// Every law with a memory, damped; μ = 0.3, μs = 0.4.
fn laws() -> Vec<Arc<dyn Friction>> {
    laws_of(1e5, 150.0)
}

/// With bristles of that stiffness [N/m] and damping [N s/m].
fn laws_of(sigma0: f64, sigma1: f64) -> Vec<Arc<dyn Friction>> {
    let values = [
        ("coefficient", 0.3),
        ("static_coefficient", 0.4),
        ("stribeck_speed", 0.01),
        ("dwell_time", 0.1),
        ("bristle_stiffness", sigma0),
        ("bristle_damping", sigma1),
    ];
    // a law whose bristles are not damped has viscous friction instead
    let damped = |e: &FrictionEntry| e.entry.params.iter().any(|p| p.name == "bristle_damping");
    let law = |e| match damped(e) {
        true => friction_with(e, &values),
        false => friction_with(e, &[&values[..], &[("viscous", sigma1)]].concat()),
    };
    remembering().map(law).collect()
}

/// The laws with bristles, and those that follow the depth of the contact.
fn all_laws() -> Vec<Arc<dyn Friction>> {
    let by_depth = with_memory().map(|e| friction_with(e, &[("coefficient", 0.3)]));
    laws().into_iter().chain(by_depth.filter(|law| law.follows_depth())).collect()
}

/// A ball thrown along the floor, on a leash: a cable is looked at for its switch at the very instant at which surfaces touch, before what they remember has a place in the state. One that stays
/// slack changes nothing, and one that pulls keeps the books.
#[test]
fn a_cable_beside_friction_with_memory() {
    for law in all_laws() {
        let run = |length: Option<f64>| {
            let mut b = ModelBuilder::new();
            let ball = Body::new("ball").mass(0.05).position([0.0, 0.0, 0.022]).velocity([1.0, 0.0, 0.0]);
            b.body(ball.surface(Sphere::new(0.02).unwrap()));
            b.body(Body::fixed("floor").surface(Plane));
            let normal = HuntCrossley::damping(0.5).unwrap().stiffness(1e7);
            let rule = ContactRule::between("ball", "floor").normal(normal);
            b.contact(rule.friction_arc(Arc::clone(&law)));
            if let Some(length) = length {
                b.force(Force::between("ball", "floor", OneSidedSpring::above(50.0, length).unwrap()));
            }
            let model = b.build().unwrap();
            let run = Simulation::new(&model).duration(0.1).rtol(1e-10).run().unwrap();
            assert!(run.summary.audit_relative < 1e-9, "{}: {}", law.name(), run.summary);
            run.end.body("ball").unwrap().position.x
        };
        let [free, slack, pulled] = [None, Some(100.0), Some(0.05)].map(run);
        near(law.name(), slack, free, 1e-9);
        assert!(pulled < free - 1e-3, "{}: {pulled} {free}", law.name());
    }
}

/// A block of 1 kg let down a little above an incline.
fn block(friction: &Arc<dyn Friction>, slope: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([G * slope.sin(), 0.0, -G * slope.cos()]);
    let brick = Body::new("block").mass(1.0).surface(Cuboid::new([0.12, 0.1, 0.04]).unwrap());
    b.body(brick.position([0.0, 0.0, 0.02 + 1e-5]));
    b.body(Body::fixed("incline").surface(Plane));
    let normal = HuntCrossley::damping(100.0).unwrap().stiffness(1e7);
    b.contact(ContactRule::between("block", "incline").normal(normal).friction_arc(Arc::clone(friction)));
    b.build().unwrap()
}

#[test]
fn a_block_holds_on_an_incline() {
    for law in laws() {
        let model = block(&law, 10f64.to_radians());
        let mut frames = Recording::default();
        let run = Simulation::new(&model).duration(10.0).output_every(1.0).run_into(&mut frames).unwrap();
        let x = |i: usize| frames.frames[i].bodies[0].position;
        near(law.name(), (x(10) - x(9)).norm(), 0.0, 1e-9);
        assert!(x(10).x > 0.0 && x(10).x < 1e-4, "{}: slid to {:?}", law.name(), x(10));
        // at rest the bristles carry the weight
        let friction: Vec3 = frames.frames[10].contacts.iter().map(|c| c.f_t).sum();
        close(law.name(), friction.x, -G * 10f64.to_radians().sin(), 1e-5);
        assert!(run.summary.warnings.iter().all(|w| !drives(&w.warning)), "{}", run.summary);
    }
}

/// Beyond its friction angle a block slides at g (sin θ − μ cos θ).
#[test]
fn a_block_slides_on_a_steep_incline() {
    let slope = 30f64.to_radians();
    for law in all_laws() {
        let run = |t: f64| Simulation::new(&block(&law, slope)).duration(t).run().unwrap();
        let v = |t: f64| run(t).end.body("block").unwrap().velocity.x;
        // of Dahl, viscous friction too: ten times its time constant is short here
        if law.name() == "dahl" {
            let rest = G * (slope.sin() - 0.3 * slope.cos()) / (4.0 * 150.0);
            close("dahl", v(0.5), rest, 1e-6);
        } else {
            close(law.name(), v(0.5) - v(0.3), 0.2 * G * (slope.sin() - 0.3 * slope.cos()), 1e-6);
        }
    }
}

/// A regularised law creeps, as it must: v = atanh(tan θ/μ)/k_t.
#[test]
fn a_regularised_block_creeps() {
    let slope = 10f64.to_radians();
    let law: Arc<dyn Friction> = Arc::new(Tanh::new(0.3, 1e4).unwrap());
    let run = Simulation::new(&block(&law, slope)).duration(1.0).run().unwrap();
    close("creep", run.end.body("block").unwrap().velocity.x, (slope.tan() / 0.3).atanh() / 1e4, 1e-2);
}

fn drives(warning: &Warning) -> bool {
    matches!(warning, Warning::FrictionDrives { .. })
}

/// A ball of 0.1 kg and 20 mm radius that hits a plane askew, turned as a whole by `turn`.
fn thrown(friction: &Arc<dyn Friction>, turn: &Quat, height: f64) -> Model {
    let mut b = ModelBuilder::new();
    let at = |x: f64, y: f64, z: f64| -> [f64; 3] { (turn * Vec3::new(x, y, z)).into() };
    b.gravity(at(0.0, 0.0, -G));
    let ball = Body::new("ball").mass(0.1).surface(Sphere::new(0.02).unwrap());
    let ball = ball.position(at(0.0, 0.0, height)).velocity(at(1.0, 0.3, -1.0));
    b.body(ball.angular_velocity(at(5.0, -20.0, 30.0)));
    b.body(Body::fixed("floor").surface(Plane).orientation(*turn));
    let normal = HuntCrossley::damping(0.3).unwrap().stiffness(1e7);
    b.contact(ContactRule::between("ball", "floor").normal(normal).friction_arc(Arc::clone(friction)));
    b.build().unwrap()
}

/// The ledger closes over impacts, releases with bent bristles included; and no direction is preferred.
#[test]
fn a_turned_copy_moves_the_same() {
    let turn = Quat::from_scaled_axis(Vec3::new(0.7, -1.1, 0.4));
    for law in all_laws() {
        let run =
            |turn: &Quat| Simulation::new(&thrown(&law, turn, 0.02)).duration(0.5).rtol(1e-12).run().unwrap();
        let (plain, turned) = (run(&Quat::identity()), run(&turn));
        assert!(plain.summary.touches >= 2, "{}", plain.summary);
        assert!(plain.summary.audit_relative < 1e-10, "{}: {}", law.name(), plain.summary);
        let (a, b) = (plain.end.body("ball").unwrap(), turned.end.body("ball").unwrap());
        for (what, a, b) in [
            ("position", a.position, b.position),
            ("velocity", a.velocity, b.velocity),
            ("spin", a.angular_velocity, b.angular_velocity),
        ] {
            assert!((turn * a - b).norm() <= 1e-9 * (1.0 + a.norm()), "{}: {what} {a:?}", law.name());
        }
    }
}

/// Every method takes bristles through an impact.
#[test]
fn every_method_agrees() {
    for law in all_laws() {
        let model = thrown(&law, &Quat::identity(), 0.0201);
        let end = |method: &str| {
            let run = Simulation::new(&model).duration(0.02).method(method).rtol(1e-9).run().unwrap();
            let ball = run.end.body("ball").unwrap();
            (ball.velocity, ball.angular_velocity * 0.02)
        };
        let (v, w) = end("dop853");
        for method in ["ode45", "tsit5", "ode113", "ode15s", "radau5", "auto"] {
            let (v1, w1) = end(method);
            let error = (v1 - v).norm() + (w1 - w).norm();
            assert!(
                error < if method == "verlet" { 1e-4 } else { 1e-6 },
                "{} by {method}: {error:e}",
                law.name()
            );
        }
    }
}

/// Fixed steps follow bristles to the second order, if they are short for them: here |v| σ0 h/(μN0) is a tenth at most.
#[test]
fn fixed_steps_converge() {
    let law: Arc<dyn Friction> =
        Arc::new(LuGre::new(0.3, 0.4, 0.1, 1e4).unwrap().damping(10.0).min_load(10.0));
    let model = thrown(&law, &Quat::identity(), 0.0201);
    let velocity = |sim: Simulation<'_>| sim.duration(5e-3).run().unwrap().end.body("ball").unwrap().velocity;
    let exact = velocity(Simulation::new(&model).rtol(1e-12));
    let error = |h: f64| (velocity(Simulation::new(&model).method("verlet").step(h)) - exact).norm();
    let (coarse, fine) = (error(1e-5), error(2.5e-6));
    assert!(coarse < 1e-4 && fine < coarse / 10.0, "{coarse:e} {fine:e}");
}

/// Slip to roll: v + (2/5) R ω is kept under any law, and bristles settle to rolling.
#[test]
fn bristles_settle_to_rolling() {
    let (radius, mass, v0, w0) = (0.02, 0.1, 1.0, -20.0);
    for law in laws() {
        let k: f64 = 1e7;
        let mut b = ModelBuilder::new();
        let depth = (mass * G / k).powf(2.0 / 3.0);
        let ball = Body::new("ball").mass(mass).surface(Sphere::new(radius).unwrap());
        let ball = ball.position([0.0, 0.0, radius - depth]).velocity([v0, 0.0, 0.0]);
        b.body(ball.angular_velocity([0.0, w0, 0.0]));
        b.body(Body::fixed("floor").surface(Plane));
        let rule = ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(k));
        b.contact(rule.friction_arc(Arc::clone(&law)).friction_at(FrictionAt::Surfaces));
        let run = Simulation::new(&b.build().unwrap()).duration(1.5).rtol(1e-11).run().unwrap();
        let end = run.end.body("ball").unwrap();
        let (v, w) = (end.velocity.x, end.angular_velocity.y);
        near(&format!("{}: invariant", law.name()), v + 0.4 * radius * w, v0 + 0.4 * radius * w0, 1e-11);
        near(&format!("{}: slip", law.name()), v - radius * w, 0.0, 1e-9);
        close(law.name(), v, (5.0 * v0 + 2.0 * radius * w0) / 7.0, 1e-9);
        assert!(run.summary.audit_relative < 1e-9, "{}: {}", law.name(), run.summary);
    }
}

/// Balls that land one after the other far apart: the state grows as they come, and each moves as if alone.
#[test]
fn a_state_that_grows_changes_nothing() {
    let law = &laws()[1];
    let alone: Vec<_> = (0..9)
        .map(|i| {
            let model = thrown(law, &Quat::identity(), 0.021 + 0.004 * f64::from(i));
            let run = Simulation::new(&model).duration(0.08).rtol(1e-11).run().unwrap();
            *run.end.body("ball").unwrap()
        })
        .collect();
    let mut b = ModelBuilder::new();
    for i in 0..9 {
        let ball = Body::new(&format!("ball{i}")).mass(0.1).surface(Sphere::new(0.02).unwrap());
        let ball = ball.position([0.0, f64::from(i), 0.021 + 0.004 * f64::from(i)]);
        b.body(ball.velocity([1.0, 0.3, -1.0]).angular_velocity([5.0, -20.0, 30.0]));
    }
    b.body(Body::fixed("floor").surface(Plane));
    let normal = HuntCrossley::damping(0.3).unwrap().stiffness(1e7);
    b.contact(ContactRule::between("*", "floor").normal(normal).friction_arc(Arc::clone(law)));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).duration(0.08).rtol(1e-11).run().unwrap();
    for (i, alone) in alone.iter().enumerate() {
        let ball = run.end.body(&format!("ball{i}")).unwrap();
        let error = (ball.velocity - alone.velocity).norm();
        assert!(error < 1e-8, "ball {i}: {error:e}");
    }
    assert!(run.summary.audit_relative < 1e-9, "{}", run.summary);
}

/// A constant σ1 drives in fast slip, and the run says so; a bounded one never does.
#[test]
fn a_run_warns_of_friction_that_drives() {
    // so smooth that it slips through the impact; as the load falls, bristles are bent too far for it
    let bounded = LuGre::new(0.05, 0.05, 0.01, 1e5).unwrap().damping(300.0);
    for (law, warns) in [(bounded, false), (bounded.constant_damping(), true)] {
        let law: Arc<dyn Friction> = Arc::new(law);
        let run = Simulation::new(&thrown(&law, &Quat::identity(), 0.02)).duration(0.1).run().unwrap();
        assert_eq!(run.summary.warnings.iter().any(|w| drives(&w.warning)), warns, "{}", run.summary);
        assert!(run.summary.audit_relative < 1e-5, "{}", run.summary);
    }
}

#[test]
fn bristles_need_located_contacts() {
    let model = thrown(&laws()[0], &Quat::identity(), 0.02);
    let error = Simulation::new(&model).locate_contacts(false).run().unwrap_err();
    assert!(error.to_string().contains("friction laws that remember"), "{error}");
}

/// A block of 1 kg on a belt at V = 0.1 m/s, held by a spring of k = 2 N/m, pressed on with 1 N: the time from one slip to the next.
fn period(law: &dyn Friction, rtol: f64) -> f64 {
    let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
        let memory = Memory { z: Vec3::new(y[2], 0.0, 0.0), s: y[3] };
        let now = law.evolve(1.0, &Vec3::new(y[1] - 0.1, 0.0, 0.0), &memory, 1e-3);
        dy.copy_from_slice(&[y[1], now.f_t.x - 2.0 * y[0], now.rate.z.x, now.rate.s]);
    };
    // it turns back where its speed falls through zero
    let solution = Ivp::new(rates, 0.0, [0.0; 4])
        .method("radau5")
        .event(Event::new(|_, y| y[1]).falling().terminal_after(4))
        .rtol(rtol)
        .atol_each(&[rtol, rtol, 1e-5 * rtol, rtol])
        .solve_to(60.0)
        .unwrap();
    solution.events[3].t - solution.events[2].t
}

/// The same where friction falls by Δ at once as slip begins: stuck while the spring goes from Fc − Δ to Fc + Δ, then most of a swing.
fn period_of_a_jump(delta: f64) -> f64 {
    let (kv, omega) = (2.0 * 0.1, 2f64.sqrt());
    2.0 * delta / kv + 2.0 / omega * (std::f64::consts::PI - (delta * omega / kv).atan())
}

#[test]
fn stick_and_slip_on_a_belt() {
    let lugre = |vs: f64, sigma0: f64| LuGre::new(1.0, 1.5, vs, sigma0).unwrap().damping(sigma0.sqrt());
    // the parameters of the original paper, without viscous friction: its bristles begin to slip a little early
    let law = lugre(1e-3, 1e5);
    let exact = period(&law, 1e-11);
    close("lugre", exact, period_of_a_jump(0.5), 0.02);
    let errors = [1e-5, 1e-7, 1e-9].map(|rtol| (period(&law, rtol) / exact - 1.0).abs());
    assert!(errors[0] < 1e-5 && errors[1] < 1e-6 && errors[2] < 1e-8, "{errors:?}");
    // with stiff bristles what is left is the width of the Stribeck curve
    let off = |vs: f64, sigma0: f64| period(&lugre(vs, sigma0), 1e-9) - period_of_a_jump(0.5);
    let (wide, narrow) = (off(1e-3, 1e7), off(1e-4, 1e8));
    assert!(wide > 0.0 && wide < 0.08 && narrow > 0.0 && narrow < 0.2 * wide, "{wide} {narrow}");
    let plastic = ElastoPlastic::new(1.0, 1.5, 1e-4, 1e8).unwrap().damping(1e4);
    close("elasto-plastic", period(&plastic, 1e-9), period_of_a_jump(0.5), 2e-3);
    // without a Stribeck curve: friction falls from the largest force of its band
    let reset = ResetIntegrator::new(1.0, 1.5, 1e7).unwrap().damping(3e3).stop_band(0.01);
    let force = |z: f64| {
        let memory = Memory { z: Vec3::new(z * 1e-7, 0.0, 0.0), s: 0.0 };
        -Friction::evolve(&reset, 1.0, &Vec3::zeros(), &memory, 1e-3).f_t.x
    };
    let largest = (0..1000).map(|i| force(0.98 + 2e-5 * f64::from(i))).fold(0.0, f64::max);
    close("reset-integrator", period(&reset, 1e-9), period_of_a_jump(largest - 1.0), 1e-3);
}

/// Fixed steps that are far too long for bristles under light loads, at touch and release, end a throw as a method does that chooses its steps, or warn.
#[test]
fn an_oblique_impact_with_fixed_steps() {
    for friction in laws_of(3e6, 900.0) {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("floor").surface(Plane));
        let ball = Body::new("ball").mass(0.3).surface(Sphere::new(0.02).unwrap());
        b.body(ball.position([0.0, 0.0, 0.021]).velocity([2.0, 0.5, -3.0]));
        let rule = ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e7));
        b.contact(rule.friction_arc(Arc::clone(&friction)));
        let model = b.build().unwrap();
        let name = friction.name();
        let end = |sim: Simulation| {
            let run = sim.duration(2e-3).run().unwrap_or_else(|e| panic!("{name}: {e}"));
            let ball = run.end.frame.bodies[0];
            (ball.velocity, ball.angular_velocity * 0.02, run.summary)
        };
        let (v, w, _) = end(Simulation::new(&model).method("dop853").rtol(1e-9));
        for (step, allowed) in [(5e-5, 1e-2), (2e-6, 5e-3)] {
            let (v2, w2, summary) = end(Simulation::new(&model).method("verlet").step(step));
            assert_eq!(summary.touches, 1);
            let off = (v - v2).norm().max((w - w2).norm()) / v.norm();
            let warned = step > 1e-5 && !summary.warnings.is_empty();
            assert!(off < allowed || warned, "{name} at {step} s: off by {off:e}");
        }
    }
}

/// In a corner of a hollow that is narrower than the ball, the closest point leaps from one wall to the next: the bristles that it leaves are
/// bent out of the new tangent plane, and what they store stays in the ledger.
#[test]
fn bristles_keep_their_energy_where_the_closest_point_leaps() {
    for law in laws_of(3e6, 4e3) {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("ball").mass(9.8).surface(Sphere::new(0.175).unwrap());
        let ball = ball.position([-0.2044, 0.0033, 0.2104]).velocity([-1.75, 2.1, 1.875]);
        b.body(ball.angular_velocity([9.0, 15.0, -22.0]));
        let hollow = Superellipsoid::new([0.3965, 0.793, 0.3965], [4.0; 3]).unwrap();
        b.body(Body::fixed("hollow").surface(SurfaceSpec::new(hollow).inside()));
        let normal = HuntCrossley::damping(0.3).unwrap().stiffness(5e7);
        b.contact(ContactRule::between("ball", "hollow").normal(normal).friction_arc(Arc::clone(&law)));
        let model = b.build().unwrap();
        let mut frames = Recording::default();
        let sim = Simulation::new(&model).rtol(1e-9).duration(0.02).output_every(1e-4);
        let run = sim.run_into(&mut frames).unwrap();
        let normals: Vec<Vec3> =
            frames.frames.iter().filter_map(|f| f.contacts.first()).map(|c| c.normal).collect();
        let leap = normals.windows(2).map(|n| (n[1] - n[0]).norm()).fold(0.0, f64::max);
        assert!(leap > 0.5, "{}: the closest point leapt by {leap} only; {}", law.name(), run.summary);
        assert!(run.summary.audit_relative < 1e-7, "{}: {}", law.name(), run.summary);
    }
}
