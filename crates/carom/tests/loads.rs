//! Loads by the time and the state, and forces with branches, against closed forms.

use crate::common::near;
use carom::prelude::*;
use carom::{
    Actuator, Attraction, Controller, Formula, Ligament, Motor, NonlinearSpring, OneSidedSpring, Pid, Subject,
};

const METHODS: [&str; 6] = ["dop853", "ode45", "ode113", "radau5", "ode15s", "auto"];

/// A body of 2 kg that is loaded along x.
fn loaded(load: ExternalLoad) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::new("mass").mass(2.0).inertia([1.0; 3]).velocity([0.3, 0.0, 0.0]));
    b.force(Force::on("mass", load).named("load"));
    b
}

fn along_x(text: &str) -> ExternalLoad {
    ExternalLoad::default().force_by([text, "0", "0"]).unwrap()
}

/// −k x − c ẋ: the closed form of the damped oscillator, and the ledger closes with its work.
#[test]
fn an_oscillator_on_a_load() {
    let (m, k, c, v): (f64, f64, f64, f64) = (2.0, 50.0, 3.0, 0.3);
    let model = loaded(along_x("-50*mass.x - 3*mass.vx")).build().unwrap();
    let (decay, omega) = (c / (2.0 * m), (k / m - (c / (2.0 * m)).powi(2)).sqrt());
    let t = 1.7;
    let x = (-decay * t).exp() * v / omega * (omega * t).sin();
    for method in METHODS {
        let run = Simulation::new(&model).duration(t).rtol(1e-11).method(method).run().unwrap();
        near(method, run.end.body("mass").unwrap().position.x, x, 2e-10);
        assert!(run.summary.audit_relative < 3e-9, "{method}: {}", run.summary);
    }
}

/// A central force: the ellipse of Kepler closes after one period.
#[test]
fn an_ellipse_of_kepler() {
    let mu = 4.0f64;
    let r3 = "(planet.x^2 + planet.y^2)^1.5";
    let [x, y] = ["x", "y"].map(|axis| format!("-1.5*4*planet.{axis}/{r3}"));
    let mut b = ModelBuilder::new();
    let planet = Body::new("planet").mass(1.5).inertia([1.0; 3]);
    b.gravity([0.0; 3]).body(planet.position([1.0, 0.0, 0.0]).velocity([0.0, 1.6, 0.0]));
    b.force(Force::on("planet", ExternalLoad::default().force_by([&x, &y, "0"]).unwrap()));
    let a = 1.0 / (2.0 - 1.6 * 1.6 / mu);
    let period = 2.0 * std::f64::consts::PI * (a * a * a / mu).sqrt();
    let run = Simulation::new(&b.build().unwrap()).duration(period).rtol(1e-12).run().unwrap();
    let end = run.end.body("planet").unwrap();
    near("x", end.position.x, 1.0, 1e-10);
    near("y", end.position.y, 0.0, 1e-10);
}

/// A force that jumps at a given time, and one that changes over there.
#[test]
fn jumps_in_time() {
    for (text, x) in [
        ("if(t < 1, 0, 5)", 0.3 * 2.5 + 5.0 / 2.0 * 1.5 * 1.5 / 2.0),
        ("max(0, 6*(t - 1))", 0.3 * 2.5 + 6.0 / 2.0 * 1.5 * 1.5 * 1.5 / 6.0),
        ("pulse(t, 1, 1e-6, 2e6)", 0.3 * 2.5 + 2.0 / 2.0 * (1.5 - 0.5e-6)),
    ] {
        let model = loaded(along_x(text)).build().unwrap();
        for method in METHODS {
            let run = Simulation::new(&model).duration(2.5).rtol(1e-10).method(method).run().unwrap();
            near(&format!("{text}, {method}"), run.end.body("mass").unwrap().position.x, x, 1e-9);
        }
    }
}

/// A force with a kink in the state: x'' = −|x| k/m is a half oscillation, then a flight as sinh.
#[test]
fn kinks_in_the_state_are_located() {
    let (k, m, v): (f64, f64, f64) = (8.0, 2.0, 0.3);
    let w = (k / m).sqrt();
    let back = std::f64::consts::PI / w;
    let t = 2.5;
    let x = -v / w * (w * (t - back)).sinh();
    let model = loaded(along_x("-8*abs(mass.x)")).build().unwrap();
    for method in METHODS {
        let run = Simulation::new(&model).duration(t).rtol(1e-11).method(method).run().unwrap();
        near(method, run.end.body("mass").unwrap().position.x, x, 3e-9);
        assert!(run.summary.audit_relative < 3e-9, "{method}: {}", run.summary);
    }
}

/// A relay in the direction of motion: constant deceleration until it stops, constant acceleration back and forth.
#[test]
fn a_relay_by_position() {
    // F = −4 N where x > 0, +4 N where x < 0: a = 2 m/s², period 4 v/a
    let model = loaded(along_x("if(mass.x > 0, -4, 4)")).build().unwrap();
    let run = Simulation::new(&model).duration(4.0 * 0.3 / 2.0 * 2.25).rtol(1e-11).run().unwrap();
    // after two periods and a quarter: at the far end
    near("x", run.end.body("mass").unwrap().position.x, 0.3 * 0.3 / (2.0 * 2.0), 1e-10);
}

/// A force that drives the motion back from both sides has no motion: it is refused, not chattered through.
#[test]
fn a_sliding_relay_is_refused() {
    let model = loaded(along_x("if(mass.vx > 0, -4, 4)")).build().unwrap();
    let error = Simulation::new(&model).duration(1.0).run().unwrap_err().to_string();
    assert!(error.contains("load") && error.contains("tanh"), "{error}");
}

fn pendulum() -> ModelBuilder {
    let mut b = ModelBuilder::new();
    b.body(Body::new("bob").mass(0.7).inertia([0.02, 0.03, 0.04]).position([0.4, 0.0, 0.0]))
        .body(Body::fixed("wall"));
    b.joint(Joint::between("bob", "wall", Revolute).named("pin").at([0.0; 3]).axis([0.0, 1.0, 0.0]));
    b
}

/// A spring and a damper written as a motor are the elements of that kind.
#[test]
fn a_motor_against_a_torsion_spring() {
    let end = |force: Force| {
        let mut b = pendulum();
        b.force(force);
        let run = Simulation::new(&b.build().unwrap()).duration(2.0).rtol(1e-12).run().unwrap();
        assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
        run.end.body("bob").unwrap().position
    };
    let spring = end(Force::torsion("pin", CoordinateSpring::new(3.0).unwrap().damping(0.2).rest(0.5)));
    let motor = end(Force::motor("pin", Motor::new("-3*(pin.angle - 0.5) - 0.2*pin.rate").unwrap()));
    near("bob", (spring - motor).norm(), 0.0, 1e-10);
}

/// A spring and a damper written as an actuator are the spring of that kind.
#[test]
fn an_actuator_against_a_spring() {
    let end = |force: Force| {
        let mut b = ModelBuilder::new();
        b.body(
            Body::new("a")
                .mass(1.0)
                .inertia([0.02, 0.03, 0.04])
                .position([0.0, 0.0, 1.0])
                .angular_velocity([3.0, 1.0, 2.0]),
        );
        b.body(Body::new("b").mass(2.0).inertia([0.05, 0.03, 0.04]).position([0.6, 0.0, 1.0]));
        b.force(force.points([0.1, 0.0, 0.05], [0.0, 0.2, 0.0]));
        let run = Simulation::new(&b.build().unwrap()).duration(1.0).rtol(1e-12).run().unwrap();
        assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
        run.end.body("a").unwrap().position
    };
    let spring = end(Force::between("a", "b", SpringDamper::new(80.0, 0.5).unwrap().damping(1.5)));
    let actuator =
        end(Force::acting("a", "b", Actuator::new("80*(length - 0.5) + 1.5*rate").unwrap().into()));
    near("a", (spring - actuator).norm(), 0.0, 1e-10);
}

/// A mass on a cable: it flies up slack, falls, and is caught again; closed form through all three phases.
#[test]
fn a_mass_on_a_cable() {
    let (m, k, l0, g): (f64, f64, f64, f64) = (2.0, 300.0, 1.0, 9.81);
    let mut b = ModelBuilder::new();
    // hangs below the ceiling, stretched by 0.2 m
    b.body(Body::new("mass").mass(m).inertia([1.0; 3]).position([0.0, 0.0, -1.2]))
        .body(Body::fixed("ceiling"));
    b.force(Force::between("mass", "ceiling", OneSidedSpring::above(k, l0).unwrap()).named("cable"));
    let model = b.build().unwrap();
    // s = excess: s = s_e + A cos ωt with s_e = m g/k, from s = 0.2 at rest, until s = 0
    let (w, rest) = ((k / m).sqrt(), m * g / k);
    let a = 0.2 - rest;
    let slack = (-rest / a).acos() / w;
    let up = a * w * (w * slack).sin();
    let flight = 2.0 * up / g;
    // caught with the same speed: the same motion again
    let period = 2.0 * slack + flight;
    let t = 2.0 * period + 0.1;
    let z = -(l0 + rest + a * (w * 0.1).cos());
    for method in METHODS {
        let run = Simulation::new(&model).duration(t).rtol(1e-11).method(method).run().unwrap();
        near(method, run.end.body("mass").unwrap().position.z, z, 2e-9);
        assert!(run.summary.audit_relative < 3e-9, "{method}: {}", run.summary);
    }
}

/// A mass dropped on a bump stop with damping: the dashpot never pulls, and the ledger closes.
#[test]
fn a_damped_bump_stop() {
    let (m, k, c, l0, g): (f64, f64, f64, f64, f64) = (1.0, 2000.0, 20.0, 0.1, 9.81);
    let mut b = ModelBuilder::new();
    b.body(Body::new("mass").mass(m).inertia([1.0; 3]).position([0.0, 0.0, 0.3])).body(Body::fixed("floor"));
    b.force(Force::between("mass", "floor", OneSidedSpring::below(k, l0).unwrap().damping(c)));
    let model = b.build().unwrap();
    // falls 0.2 m, then x'' = g − (k x + c x')/m until the force vanishes, then flies
    let (fall, v0) = ((2.0 * 0.2 / g).sqrt(), (2.0 * g * 0.2).sqrt());
    let (decay, rest) = (c / (2.0 * m), m * g / k);
    let w = (k / m - decay * decay).sqrt();
    let b1 = (v0 + decay * -rest) / w;
    let x = |t: f64| rest + (-decay * t).exp() * (-rest * (w * t).cos() + b1 * (w * t).sin());
    let v = |t: f64| {
        let (s, c) = (w * t).sin_cos();
        (-decay * t).exp() * ((decay * rest + w * b1) * c + (w * rest - decay * b1) * s)
    };
    let force = |t: f64| k * x(t) + c * v(t);
    let (mut lo, mut hi) = (0.5 * std::f64::consts::PI / w, 1.2 * std::f64::consts::PI / w);
    for _ in 0..200 {
        let mid = 0.5 * (lo + hi);
        if force(mid) > 0.0 { lo = mid } else { hi = mid }
    }
    let after = 0.05;
    let z = l0 - (x(lo) + v(lo) * after + 0.5 * g * after * after);
    let run = Simulation::new(&model).duration(fall + lo + after).rtol(1e-12).run().unwrap();
    near("z", run.end.body("mass").unwrap().position.z, z, 1e-10);
    assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
}

/// The branches of a ligament meet, and its energy is the integral of its tension.
#[test]
fn a_ligament_by_hand() {
    use carom::Line;
    let (k, l0, toe) = (5000.0, 0.03, 0.04);
    let law = Ligament::new(k, l0).unwrap().toe_strain(toe);
    near("half the toe", law.tension(l0 * 1.04, 0.0).f, k * 0.04 * 0.04 / (4.0 * toe), 1e-12);
    near("beyond", law.tension(l0 * 1.2, 0.0).f, k * (0.2 - toe), 1e-9);
    for strain in [-0.1, 0.05, 0.08, 0.3] {
        let (n, width) = (20_000, strain * l0 / 20_000.0);
        let area: f64 = (0..n).map(|i| law.tension(l0 + (f64::from(i) + 0.5) * width, 0.0).f * width).sum();
        near("energy", law.energy(l0 * (1.0 + strain)), area.max(0.0), 1e-7);
    }
}

/// Names that are not quantities of the state are refused, each with its reason.
#[test]
fn names_that_cannot_be_used() {
    for (text, words) in [
        ("pin.fx", "depends on the load itself"),
        ("bob.ax", "depends on the load itself"),
        ("bob.px", "there is no `bob.px`"),
        ("bog.x", "did you mean `bob.x`"),
        ("pin.angl", "did you mean `pin.angle`"),
        ("k*pin.angle", "there is no `k`"),
    ] {
        let mut b = pendulum();
        b.force(Force::motor("pin", Motor::new(text).unwrap()));
        let error = b.build().unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

/// What may be used is laid out by kind, and is said of who asks: a controller measures more than a load uses.
#[test]
fn unknown_names_come_with_what_there_is() {
    let refused = |b: &ModelBuilder| b.build().unwrap_err().to_string();
    let mut b = pendulum();
    b.input("push", 1.0).force(Force::motor("pin", Motor::new("pusch").unwrap()).named("m"));
    let expected = "force `m`: there is no `pusch`; did you mean `push`?
  the time: `t`
  inputs and outputs of controllers: `push`
  coordinates of joints, and their rates: `pin.angle`, `pin.angle_rate`, `pin.rate`
  of the bodies: `bob`, `wall`: `.x` `.y` `.z` `.vx` `.vy` `.vz` `.v` `.speed` `.wx` `.wy` `.wz` `.w`
  all of it is described in the chapter on loads of the book";
    assert_eq!(refused(&b), expected);
    let measured = |text: &str| {
        let mut b = pendulum();
        b.controller(Controller::new("c", 0.1, [text, "0"], Pid::new(1.0)).unwrap());
        refused(&b)
    };
    let expected = "controller `c`: there is no `pin.fxx`; did you mean `pin.fx`?
  the time: `t`
  inputs and outputs of controllers: `c.u`
  coordinates of joints, and their rates: `pin.angle`, `pin.angle_rate`, `pin.rate`
  of the bodies: `bob`, `wall`: `.x` `.y` `.z` `.vx` `.vy` `.vz` `.v` `.speed` `.wx` `.wy` `.wz` `.w`
  reactions of joints: `pin.fx`, `pin.fy`, `pin.fz`, `pin.mx`, `pin.my`, `pin.mz`
  normal forces between two bodies, as in `bob~wall.fn`
  all of it is described in `Sampling` in the chapter `Control` of the book";
    assert_eq!(measured("pin.fxx"), expected);
    assert!(measured("bob.ax").contains("a controller cannot measure `bob.ax`"), "{}", measured("bob.ax"));
}

/// A motor along a coordinate that is prescribed would move nothing.
#[test]
fn a_motor_on_a_driven_coordinate_is_refused() {
    for driven in ["angle", "speed"] {
        let mut b = pendulum();
        b.drive(Drive::new(&format!("joint/pin/{driven}"), Formula::new("0.1*t^2").unwrap()));
        b.force(Force::motor("pin", Motor::new("2").unwrap()).named("m"));
        let error = b.build().unwrap_err();
        let expected = "force `m`: a motor cannot act along the angle of `pin`, which is driven: the drive moves it whatever \
             the motor does; leave one of them out";
        assert_eq!(error.to_string(), expected);
        assert_eq!((error.subject, error.key), (Subject::Force("m".to_owned()), Some("joint")));
    }
    // a torque that is driven is a force as others are
    let mut b = pendulum();
    b.drive(Drive::new("joint/pin/torque", Formula::new("0.1*t").unwrap()));
    b.force(Force::motor("pin", Motor::new("2").unwrap()));
    assert!(b.build().is_ok());
}

/// The period of Duffing's oscillator x'' = −α x − β x³ is 4 K(m)/√(α + β a²), m = β a²/(2 (α + β a²)); K by the mean of Gauss.
#[test]
fn a_duffing_oscillator() {
    let (alpha, beta, a): (f64, f64, f64) = (4.0, 50.0, 0.7);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3])
        .body(Body::new("mass").mass(2.0).inertia([1.0; 3]).position([a, 0.0, 0.0]))
        .body(Body::fixed("wall"));
    b.joint(Joint::between("mass", "wall", Prismatic).named("rail").axis([1.0, 0.0, 0.0]));
    // the displacement is 0 as the bodies start
    let spring = NonlinearSpring::new(&format!("2*(4*(x + {a}) + 50*(x + {a})^3)"), -a).unwrap();
    b.force(Force::slide("rail", spring));
    let sum = alpha + beta * a * a;
    let m = beta * a * a / (2.0 * sum);
    let (mut x, mut y) = (1.0f64, (1.0 - m).sqrt());
    for _ in 0..20 {
        (x, y) = (0.5 * (x + y), (x * y).sqrt());
    }
    let quarter = 0.5 * std::f64::consts::PI / x / sum.sqrt();
    let run = Simulation::new(&b.build().unwrap()).duration(6.0 * quarter).rtol(1e-12).run().unwrap();
    near("x", run.end.body("mass").unwrap().position.x, -a, 1e-9);
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
}

/// A table of two lines is a spring that stiffens: each half swing has its own frequency.
#[test]
fn a_spring_by_a_table() {
    use carom::base::{Args, Value};
    let entry = carom::FORCES.iter().find(|e| e.name == "nonlinear-spring").unwrap();
    let points = vec![[0.0, -50.0], [1.0, 0.0], [1.5, 200.0]];
    let args = Args::new().with("table", Value::Table(points)).with("rest_length", Value::Number(1.0));
    let mut b = ModelBuilder::new();
    let mass = Body::new("mass").mass(2.0).inertia([1.0; 3]).position([1.0, 0.0, 0.0]);
    b.gravity([0.0; 3]).body(mass.velocity([0.6, 0.0, 0.0])).body(Body::fixed("wall"));
    b.force(Force::acting("mass", "wall", entry.make(&args).unwrap()));
    let (out, back) = ((400.0f64 / 2.0).sqrt(), (50.0f64 / 2.0).sqrt());
    let half = std::f64::consts::PI;
    let t = 3.0 * (half / out + half / back) + 0.5 * half / out;
    for method in METHODS {
        let run = Simulation::new(&b.build().unwrap()).duration(t).rtol(1e-11).method(method).run().unwrap();
        near(method, run.end.body("mass").unwrap().position.x, 1.0 + 0.6 / out, 1e-9);
        // (nothing is dissipated: what is left are the errors of the motion, which add up over the steps)
        let allowed = match method {
            "ode15s" => 6e-9,
            "ode45" => 2e-10,
            _ => 3e-11,
        };
        assert!(run.summary.audit_relative < allowed, "{method}: {}", run.summary);
    }
}

/// A table goes on straight beyond its ends: that of a stiffening spring may be short, and points on a line are a linear spring.
#[test]
fn beyond_the_ends_of_a_table() {
    use carom::base::{Args, Value};
    let entry = carom::FORCES.iter().find(|e| e.name == "nonlinear-spring").unwrap();
    let tension = |course: &str, points: &[[f64; 2]], x: f64| {
        let table = Args::new().with("table", Value::Table(points.to_vec()));
        let args = table.with("interpolation", Value::Text(course.to_owned()));
        entry.make(&args).unwrap().as_line().unwrap().tension(x, 0.0).f
    };
    let stiffening = [[0.9, -5.0], [1.0, 0.0], [1.01, 4.0]];
    near("below", tension("linear", &stiffening, 0.8), -10.0, 1e-13);
    near("above", tension("linear", &stiffening, 1.1), 40.0, 1e-12);
    let parabola = [[1.0, 1.0], [2.0, 4.0], [3.0, 9.0]];
    for course in ["spline", "monotone"] {
        // slopes 2 and 6 at the ends
        near(course, tension(course, &parabola, 2.5), 6.25, 1e-13);
        near(course, tension(course, &parabola, 0.5), 0.0, 1e-13);
        near(course, tension(course, &parabola, 4.0), 15.0, 1e-13);
    }
}

/// Gravity towards a point: the ellipse closes, and its energy is −μ m/(2 a) throughout.
#[test]
fn an_orbit() {
    let (mu, v, m): (f64, f64, f64) = (4.0, 1.6, 1.5);
    let mut b = ModelBuilder::new();
    let body = Body::new("moon").mass(m).inertia([1.0; 3]).position([2.0, 1.0, 0.0]).velocity([0.0, v, 0.0]);
    b.gravity([0.0; 3]).body(body);
    b.force(Force::on("moon", Attraction::new(mu).unwrap().centre([1.0, 1.0, 0.0])));
    let a = 1.0 / (2.0 - v * v / mu);
    let period = 2.0 * std::f64::consts::PI * (a * a * a / mu).sqrt();
    let run = Simulation::new(&b.build().unwrap()).duration(period).rtol(1e-12).run().unwrap();
    near("x", run.end.body("moon").unwrap().position.x, 2.0, 1e-10);
    near("energy", run.summary.energy.total(), -mu * m / (2.0 * a), 1e-11);
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
}

/// A damped cable that recoils faster than it can follow goes slack without a force, and two bodies on a slack ligament pass
/// through each other, where its length is zero and its rate jumps: neither holds the run up.
#[test]
fn slack_lines_hold_nothing_up() {
    let mut b = ModelBuilder::new();
    let upper = Body::new("upper").mass(2.603).inertia([1.0; 3]).position([0.0, 0.0, -1.58]);
    let lower = Body::new("lower").mass(1.155).inertia([1.0; 3]).position([0.0, 0.0, -1.9]);
    b.body(upper.velocity([0.0, 0.0, 0.4])).body(lower.velocity([0.0, 0.0, 4.0])).body(Body::fixed("anchor"));
    let cable = OneSidedSpring::above(4157.0, 1.566).unwrap().damping(0.776);
    b.force(Force::between("upper", "anchor", cable).named("cable"));
    let fibre = Ligament::new(468.0, 0.3638).unwrap().damping(0.7);
    b.force(Force::between("upper", "lower", fibre).named("fibre"));
    let model = b.build().unwrap();
    let end = |method: &str| {
        let run = Simulation::new(&model).duration(0.4).rtol(1e-11).method(method).run().unwrap();
        ["upper", "lower"].map(|name| run.end.body(name).unwrap().position.z)
    };
    let expected = end("dop853");
    assert!(expected[1] > expected[0], "the lower body has passed: {expected:?}");
    for method in METHODS {
        end(method).iter().zip(expected).for_each(|(z, expected)| near(method, *z, expected, 1e-8));
    }
}
