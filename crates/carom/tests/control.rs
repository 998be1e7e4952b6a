//! Sampled controllers, inputs that a program sets, and stepping, against independent computations.

use crate::common::near;
use carom::prelude::*;
use carom::{AntiWindup, ControlFunction, ControlLaw, Controller, Formula, Motor, Output, Pid, StateSpace};

const M: f64 = 0.8;
const L: f64 = 0.5;
const I: f64 = 0.07;
const G: f64 = 9.81;

/// A pendulum that stands upside down on a pivot, 0.1 rad off, with a motor at the pivot.
fn pole(controller: Controller) -> Model {
    let mut b = ModelBuilder::new();
    let start = 0.1f64;
    let turn = Quat::from_scaled_axis(Vec3::new(0.0, start, 0.0));
    b.body(
        Body::new("pole")
            .mass(M)
            .inertia([I; 3])
            .position([L * start.sin(), 0.0, L * start.cos()])
            .orientation(turn),
    );
    b.body(Body::fixed("ground"));
    b.joint(Joint::between("pole", "ground", Revolute).named("pivot").at([0.0; 3]).axis([0.0, 1.0, 0.0]));
    b.controller(controller).force(Force::motor("pivot", Motor::new("balance.u").unwrap()));
    b.build().unwrap()
}

/// Integrates θ'' = (m g l sin θ + u)/(I + m l²) by the classical Runge–Kutta method, `parts` steps to a sample; the angle that is
/// measured is 0 at the start.
fn reference(law: &dyn ControlLaw, dt: f64, late: usize, quanta: [f64; 2], samples: usize) -> f64 {
    let inertia = I + M * L * L;
    let round = |x: f64, q: f64| if q > 0.0 { (x / q).round() * q } else { x };
    let (mut x, mut out) = (law.memory(), [0.0]);
    let mut state = [0.1f64, 0.0];
    let mut waiting = vec![0.0; late];
    for _ in 0..samples {
        law.sample(dt, &[round(state[0] - 0.1, quanta[0]), round(-0.1, quanta[0])], &mut x, &mut out);
        waiting.push(round(out[0], quanta[1]));
        let u = waiting.remove(0);
        let f = |[angle, rate]: [f64; 2]| [rate, (M * G * L * angle.sin() + u) / inertia];
        let parts = 40;
        let h = dt / f64::from(parts);
        for _ in 0..parts {
            let along = |k: [f64; 2], h: f64| [state[0] + h * k[0], state[1] + h * k[1]];
            let k1 = f(state);
            let k2 = f(along(k1, 0.5 * h));
            let k3 = f(along(k2, 0.5 * h));
            let k4 = f(along(k3, h));
            let slope = |i: usize| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
            state = [state[0] + h * slope(0), state[1] + h * slope(1)];
        }
    }
    state[0]
}

fn angle(run: &carom::Run) -> f64 {
    let p = run.end.body("pole").unwrap().position;
    p.x.atan2(p.z)
}

/// A pole is balanced by a sampled PID controller: with integral, filtered derivative and limits; with a delay of two samples; and
/// with rounded numbers.
#[test]
fn a_pole_is_balanced() {
    let dt = 2e-3;
    let pid = Pid::new(60.0).integral(40.0).derivative(8.0, 4e-3).limits(-6.0, 6.0);
    for (late, quanta) in [(0, [0.0, 0.0]), (2, [0.0, 0.0]), (1, [1e-4, 0.05])] {
        for windup in [AntiWindup::Clamp, AntiWindup::None, AntiWindup::BackCalculation(Some(0.05))] {
            let law = pid.anti_windup(windup);
            let controller = Controller::new("balance", dt, ["pivot.angle", "-0.1"], law).unwrap();
            let controller = controller.delay(late as f64 * dt).quantised(quanta[0], quanta[1]);
            let model = pole(controller);
            for method in ["dop853", "ode113", "radau5", "auto"] {
                let run =
                    Simulation::new(&model).duration(300.0 * dt).rtol(1e-12).method(method).run().unwrap();
                let expected = reference(&law, dt, late, quanta, 300);
                let what = format!("{method}, {windup:?}, late by {late}, {quanta:?}");
                near(&what, angle(&run), expected, 1e-9);
                assert!(run.summary.audit_relative < 1e-9, "{what}: {}", run.summary);
            }
        }
    }
    // it stands, if it is given time
    let model = pole(Controller::new("balance", dt, ["pivot.angle", "-0.1"], pid).unwrap());
    let run = Simulation::new(&model).duration(4.0).run().unwrap();
    near("at the end", angle(&run), 0.0, 2e-3);
}

/// A discrete state-space block and a function of a program that does the same.
#[test]
fn blocks_and_functions() {
    let block = StateSpace::new(
        vec![vec![0.5, 0.1], vec![0.0, 0.9]],
        vec![vec![0.2, 0.0], vec![1.0, -1.0]],
        vec![vec![-3.0, 4.0]],
        vec![vec![-60.0, 60.0]],
    )
    .unwrap();
    let function = ControlFunction::new(2, 1, vec![0.0; 2], |_, u, x| {
        let y = -3.0 * x[0] + 4.0 * x[1] - 60.0 * u[0] + 60.0 * u[1];
        (x[0], x[1]) = (0.5 * x[0] + 0.1 * x[1] + 0.2 * u[0], 0.9 * x[1] + u[0] - u[1]);
        vec![y]
    });
    let end = |controller: Result<Controller, _>| {
        let controller: Controller = controller.unwrap();
        let run = Simulation::new(&pole(controller)).duration(0.2).rtol(1e-11).run().unwrap();
        angle(&run)
    };
    let measured = ["pivot.angle", "-0.1"];
    let by_block = end(Controller::new("balance", 1e-3, measured, block.clone()));
    near("block", by_block, reference(&block, 1e-3, 0, [0.0; 2], 200), 1e-9);
    near("function", end(Controller::new("balance", 1e-3, measured, function)), by_block, 1e-13);
    assert!(
        StateSpace::new(vec![vec![1.0]], vec![vec![1.0, 2.0]], vec![vec![1.0]], vec![vec![0.0]]).is_err()
    );
}

/// A controller may measure what a load may not: the reaction of a joint. It puts out the weight that the joint carries.
#[test]
fn reactions_are_measured() {
    let copy = ControlFunction::new(1, 1, Vec::new(), |_, u, _| vec![u[0]]);
    let mut b = ModelBuilder::new();
    b.body(Body::new("weight").mass(3.0).inertia([1.0; 3])).body(Body::fixed("ceiling"));
    b.joint(Joint::between("weight", "ceiling", carom::Fixed).named("weld"));
    b.body(Body::new("cart").mass(2.0).inertia([1.0; 3]));
    b.joint(Joint::between("cart", "ceiling", Prismatic).named("rail").axis([1.0, 0.0, 0.0]));
    b.controller(Controller::new("scale", 0.1, ["weld.fz"], copy).unwrap());
    b.force(Force::motor("rail", Motor::new("scale.u").unwrap()));
    let run = Simulation::new(&b.build().unwrap()).duration(1.0).rtol(1e-10).run().unwrap();
    // the action on the second body, the ceiling: −m g
    near("cart", run.end.body("cart").unwrap().velocity.x, -3.0 * G / 2.0, 1e-8);
}

#[test]
fn controllers_that_are_refused() {
    let refused = |controller: Controller| {
        let mut b = ModelBuilder::new();
        b.body(Body::new("ball").mass(1.0).inertia([1.0; 3])).controller(controller);
        b.build().unwrap_err().to_string()
    };
    let measured = ["ball.x", "0"];
    for (controller, word) in [
        (Controller::new("c", 0.0, measured, Pid::new(1.0)), "every"),
        (Controller::new("c", f64::NAN, measured, Pid::new(1.0)), "every"),
        (Controller::new("c", 0.1, measured, Pid::new(1.0)).map(|c| c.delay(-1.0)), "delay"),
        (Controller::new("c", 0.1, measured, Pid::new(1.0).limits(2.0, 1.0)), "limits"),
        (Controller::new("c", 0.1, measured, Pid::new(f64::INFINITY)), "gains"),
        (Controller::new("c", 0.1, ["ball.xx", "0"], Pid::new(1.0)), "ball.x"),
    ] {
        let message = refused(controller.unwrap());
        assert!(message.contains("controller `c`") && message.contains(word), "{message}");
    }
    let one = Controller::new("c", 0.1, ["ball.x"], Pid::new(1.0)).unwrap();
    assert!(refused(one).contains("measures 2 at a time"));
}

/// A bouncing ball that is pushed: a scene with events, memory and an input.
fn pushed() -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.1]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    let rule =
        ContactRule::between("ball", "floor").normal(HuntCrossley::restitution(0.8).unwrap().stiffness(1e7));
    b.contact(rule.friction(Tanh::new(0.3, 1e3).unwrap()));
    b.input("push", 0.2);
    b.force(Force::on("ball", ExternalLoad::default().force_by(["push", "0", "0"]).unwrap()));
    b.build().unwrap()
}

/// Looking does not disturb: a run that is stepped at odd times is the run, to the bit, for every method.
#[test]
fn a_run_that_is_looked_at() {
    let model = pushed();
    for method in ["dop853", "ode113", "radau5", "ode15s", "auto", "verlet"] {
        let mut simulation = Simulation::new(&model).duration(0.6).method(method).output_every(0.05);
        if method == "verlet" {
            simulation = simulation.step(1e-4);
        }
        let (mut whole, mut stepped) = (Recording::default(), Recording::default());
        let run = simulation.run_into(&mut whole).unwrap();
        let mut running = simulation.begin().unwrap();
        for k in 1..37 {
            let until = 0.6 * f64::from(k) / 37.0;
            assert!(running.advance(until, &mut stepped).unwrap());
            assert_eq!((running.t(), running.frame().unwrap().t), (until, until));
        }
        assert!(!running.advance(0.6, &mut stepped).unwrap());
        let end = running.finish(&mut stepped).unwrap();
        assert_eq!(whole.frames, stepped.frames, "{method}");
        assert_eq!(whole.events, stepped.events, "{method}");
        assert_eq!(run.end.frame, end.end.frame, "{method}");
    }
}

/// A checkpoint within a step, and a rewind to it: what follows is the same, and is reported once.
#[test]
fn checkpoints_and_rewinds() {
    let model = pushed();
    let simulation = Simulation::new(&model).duration(0.6).output_every(0.013);
    let mut running = simulation.begin().unwrap();
    let (mut first, mut again) = (Recording::default(), Recording::default());
    running.advance(0.171, &mut Recording::default()).unwrap();
    let checkpoint = running.snapshot().unwrap();
    running.set("push", -0.4, &mut first).unwrap();
    running.advance(0.4, &mut first).unwrap();
    let there = running.frame().unwrap().clone();
    running.restore(&checkpoint).unwrap();
    assert_eq!(running.t(), 0.171);
    running.set("push", -0.4, &mut again).unwrap();
    running.advance(0.4, &mut again).unwrap();
    assert_eq!(&there, running.frame().unwrap());
    assert_eq!(first.frames, again.frames);
    assert!(first.frames.first().is_some_and(|frame| frame.t > 0.171));
}

/// An input that is set: x'' = u/m piece by piece, exactly; unknown inputs and times in the past are refused.
#[test]
fn inputs_that_are_set() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::new("cart").mass(2.0).inertia([1.0; 3])).input("push", 0.0);
    b.force(Force::on("cart", ExternalLoad::default().force_by(["push", "0", "0"]).unwrap()));
    let model = b.build().unwrap();
    for method in ["dop853", "ode113", "radau5", "auto"] {
        let mut running = Simulation::new(&model).duration(9.0).method(method).rtol(1e-11).begin().unwrap();
        let sink = &mut Recording::default();
        let (mut v, mut x, mut t) = (0.0, 0.0, 0.0);
        for (push, dt) in [(3.0, 0.7), (-1.0, 1.3), (0.5, 2.0), (-4.0, 0.1)] {
            running.set("push", push, sink).unwrap();
            running.advance(t + dt, sink).unwrap();
            x += v * dt + 0.25 * push * dt * dt;
            v += 0.5 * push * dt;
            t += dt;
            let cart = running.frame().unwrap().bodies[0];
            near(method, cart.position.x, x, 1e-10);
            near(method, cart.velocity.x, v, 1e-10);
        }
        let no = running.set("pusch", 1.0, sink).unwrap_err().to_string();
        assert!(no.contains("did you mean `push`"), "{no}");
        assert!(running.set("push", f64::NAN, sink).is_err());
        assert!(running.advance(1.0, sink).unwrap_err().to_string().contains("already"));
    }
}

#[test]
fn all_up_to_the_time_reached_is_reported() {
    let model = pushed();
    let simulation = Simulation::new(&model).duration(0.6).output_every(0.01);
    let mut recording = Recording::default();
    let mut running = simulation.begin().unwrap();
    // (the steps are longer than the intervals)
    for until in [0.0, 0.035, 0.04, 0.3] {
        running.advance(until, &mut recording).unwrap();
        let count = recording.frames.iter().filter(|frame| frame.t <= until).count();
        assert_eq!((count, recording.frames.len()), ((until / 0.01 + 1e-9) as usize + 1, count));
    }
    // a run that goes back reports what comes after, once
    let snapshot = running.snapshot().unwrap();
    running.restore(&snapshot).unwrap();
    while running.step(&mut recording).unwrap() {}
    running.finish(&mut recording).unwrap();
    let mut whole = Recording::default();
    simulation.run_into(&mut whole).unwrap();
    assert!(recording.frames == whole.frames && recording.events == whole.events);
}

#[test]
fn a_force_that_is_not_finite_is_named() {
    let fails = |expression: &str| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::new("sled").mass(1.0).inertia([1.0; 3]).velocity([1.0, 0.0, 0.0]));
        b.force(Force::on("sled", ExternalLoad::force([1.0, 0.0, 0.0])).named("thrust"));
        let load = ExternalLoad::default().force_by([expression, "0", "0"]).unwrap();
        b.force(Force::on("sled", load).named("brake"));
        let model = b.build().unwrap();
        Simulation::new(&model).duration(2.0).run().unwrap_err().to_string()
    };
    // at the start, at a place, at a time
    for expression in ["0/sled.y", "sqrt(0.5 - sled.x)", "sqrt(0.3 - t)"] {
        let why = fails(expression);
        assert!(why.contains("force brake"), "{expression}: {why}");
    }
}

/// A proportional controller on a prescribed motion x = 0.3 sin 5t, sampled every 10 ms: its output at all times is known, and
/// frames have it with what it does; where a frame is at a sampling instant, the value after the sample.
#[test]
fn outputs_of_controllers_are_recorded() {
    let (every, gain, target) = (0.01, 4.0, 0.1);
    for delay in [0.0, 0.004, 0.025] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("ground"));
        for name in ["guided", "pushed"] {
            b.body(Body::new(name).mass(2.0).inertia([1.0; 3]));
            let rail = Joint::between(name, "ground", Prismatic).axis([1.0, 0.0, 0.0]);
            b.joint(rail.named(&format!("{name}_rail")));
        }
        b.drive(Drive::new("joint/guided_rail/displacement", Formula::new("0.3*sin(5*t)").unwrap()));
        let law =
            Controller::new("p", every, ["guided_rail.displacement", "target"], Pid::new(gain)).unwrap();
        b.controller(law.delay(delay)).input("target", target);
        b.force(Force::motor("pushed_rail", Motor::new("p.u").unwrap()).named("motor"));
        let model = b.build().unwrap();
        assert_eq!(model.signal_names().collect::<Vec<_>>(), ["target", "p.u"]);
        let output = |t: f64| {
            let sample = ((t - delay) / every + 1e-9).floor();
            if sample < 0.0 { 0.0 } else { gain * (target - 0.3 * (5.0 * sample * every).sin()) }
        };
        for method in ["dop853", "ode113", "radau5", "verlet"] {
            let simulation = Simulation::new(&model).duration(0.3).method(method).rtol(1e-10);
            let simulation = if method == "verlet" { simulation.step(1e-3) } else { simulation };
            for simulation in [simulation.clone().output_every(0.0025), simulation.output(Output::Steps)] {
                let mut recording = Recording::default();
                simulation.run_into(&mut recording).unwrap();
                for frame in &recording.frames {
                    let what = format!("{method}, delay {delay}, t = {}", frame.t);
                    let [target_now, u] = [0, 1].map(|i| &frame.signals[i]);
                    assert_eq!((target_now.signal.as_str(), target_now.value), ("target", target), "{what}");
                    assert_eq!(u.signal, "p.u");
                    near(&what, u.value, output(frame.t), 1e-12);
                    near(&what, frame.forces[0].effort.unwrap().value, u.value, 1e-12);
                }
            }
        }
    }
}

/// An input is recorded with the value that it has when a frame is made: a program that sets it at an output time does so after
/// the frame of that time.
#[test]
fn inputs_are_recorded() {
    let model = pushed();
    let mut recording = Recording::default();
    let mut running = Simulation::new(&model).duration(0.4).output_every(0.1).begin().unwrap();
    running.advance(0.2, &mut recording).unwrap();
    running.set("push", 0.5, &mut recording).unwrap();
    assert_eq!(running.frame().unwrap().signals[0].value, 0.5);
    while running.step(&mut recording).unwrap() {}
    let values: Vec<f64> = recording.frames.iter().map(|frame| frame.signals[0].value).collect();
    assert_eq!(values, [0.2, 0.2, 0.2, 0.5, 0.5]);
    // names that would be those of other results
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(1.0).inertia([1.0; 3])).input("kinetic", 1.0).input("ball.push", 1.0);
    let names: Vec<String> = b.build().unwrap().signal_names().collect();
    assert_eq!(names, ["input/kinetic", "input/ball.push"]);
}

/// A pendulum that is stepped: its accelerations follow from where it is, by θ'' = −m g l sin θ/(I + m l²), also within a step, and
/// those of a reference point off the centre of mass are its own.
#[test]
fn accelerations_at_the_time_reached() {
    let mut b = ModelBuilder::new();
    let bob =
        Body::new("bob").mass(M).inertia([I; 3]).position([L, 0.0, 0.0]).centre_of_mass([-0.2, 0.0, 0.0]);
    b.body(bob).body(Body::fixed("ground"));
    b.joint(Joint::between("bob", "ground", Revolute).named("pin").at([0.0; 3]).axis([0.0, 1.0, 0.0]));
    let model = b.build().unwrap();
    let mut running = Simulation::new(&model).duration(2.0).rtol(1e-12).begin().unwrap();
    let mut recording = Recording::default();
    let l = L - 0.2;
    for t in [0.0, 0.123, 0.5, 1.7] {
        running.advance(t, &mut recording).unwrap();
        let body = running.frame().unwrap().bodies[0];
        let (p, w) = (body.position, body.angular_velocity.y);
        let all = running.accelerations().unwrap();
        let turning = M * G * l * p.x / L / (I + M * l * l);
        near("angular", all[0].angular.y, turning, 1e-9);
        // of the reference point, at L: α × p − ω² p
        near("x", all[0].linear.x, turning * p.z - w * w * p.x, 1e-9);
        near("z", all[0].linear.z, -turning * p.x - w * w * p.z, 1e-9);
        assert_eq!(all[0].body, "bob");
    }
}
