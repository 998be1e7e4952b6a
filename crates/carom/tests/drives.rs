//! Numbers in time: masses, gravity, the motion of supports, against closed forms.

use crate::common::{close, near};
use carom::base::{Jet, Range};
use carom::prelude::*;
use carom::{Course, Formula, Linear, Monotone, Shake, Spline, curve_through};
use carom_ode::methods;

const G: f64 = 9.81;

fn formula(text: &str) -> Formula {
    Formula::new(text).unwrap()
}

/// Straight lines with kinks at 0.2, 0.5 and 0.9.
fn kinked() -> Linear {
    Linear::new(&[[0.2, 1000.0], [0.5, 400.0], [0.9, 7000.0]]).unwrap()
}

/// A stone that tumbles as it falls.
fn stone() -> Body {
    let shape = SurfaceSpec::new(Cuboid::new([0.1, 0.2, 0.3]).unwrap());
    Body::new("stone").velocity([0.3, -0.2, 4.0]).angular_velocity([3.0, -5.0, 1.0]).surface(shape)
}

/// In free fall the mass cancels, for turning as for falling; what it adds to the energy is somebody's work.
#[test]
fn a_falling_mass_falls_as_ever() {
    let fall = |drive: Option<Drive>| {
        let mut b = ModelBuilder::new();
        let body = if drive.is_some() { stone() } else { stone().density(1000.0) };
        b.body(body);
        if let Some(drive) = drive {
            b.drive(drive);
        }
        Simulation::new(&b.build().unwrap()).duration(1.2).rtol(1e-12).run().unwrap()
    };
    let still = fall(None);
    let target = "body/stone/density";
    for drive in [Drive::new(target, formula("1000*(1 + 2*t)")), Drive::new(target, kinked())] {
        let run = fall(Some(drive));
        let [a, b] = [&run, &still].map(|r| *r.end.body("stone").unwrap());
        near("z", a.position.z, 4.0 * 1.2 - 0.5 * G * 1.2 * 1.2, 1e-12);
        near("x", a.position.x, 0.3 * 1.2, 1e-13);
        near("turn", a.orientation.angle_to(&b.orientation), 0.0, 1e-10);
        near("spin", (a.angular_velocity - b.angular_velocity).norm(), 0.0, 1e-10);
        let s = &run.summary;
        assert!(s.audit_relative < 1e-12, "{}", s.audit_relative);
        // all of it has the density of the end
        let factor = s.energy.kinetic / still.summary.energy.kinetic;
        let density = if factor > 5.0 { 7.0 } else { 3.4 };
        close("kinetic energy", factor, density, 1e-10);
        assert!(s.energy.work.abs() > 1.0, "{}", s.energy.work);
    }
}

/// m0 (1 + t) ẍ = −k x: with s = 1 + t, c = k/m0 and cylinder functions Z, x = √s Z₁(2 √(c s)), ẋ = √c Z₀(2 √(c s)). From x = 0.1 m and
/// 0.5 m/s; the numbers by mpmath with 40 figures.
#[test]
fn a_growing_mass_on_a_spring() {
    let (m0, k) = (0.4, 50.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("mass").inertia([1e-3; 3]).position([1.1, 0.0, 0.0]).velocity([0.5, 0.0, 0.0]));
    b.body(Body::fixed("wall"));
    b.force(Force::between("mass", "wall", SpringDamper::new(k, 1.0).unwrap()));
    b.drive(Drive::new("body/mass/mass", formula("0.4*(1 + t)")));
    let model = b.build().unwrap();
    assert_eq!(model.mass("mass"), Some(m0));
    for (t, x, v) in [
        (1.0, -0.108_800_019_140_930_98, -0.564_253_971_363_053_8),
        (3.0, -0.153_503_420_403_618_56, -0.044_687_211_334_698_55),
    ] {
        for method in ["dop853", "ode113", "radau5"] {
            // the error of a fifth order is longer in going
            let tolerance = if method == "radau5" { 1e-10 } else { 1e-11 };
            let run = Simulation::new(&model).method(method).duration(t).rtol(1e-13).run().unwrap();
            let mass = run.end.body("mass").unwrap();
            near("x", mass.position.x - 1.0, x, tolerance);
            near("v", mass.velocity.x, v, 10.0 * tolerance);
            assert!(
                run.summary.audit_relative < 10.0 * tolerance,
                "{method}: {}",
                run.summary.audit_relative
            );
        }
    }
}

/// ẍ = sin t: x = x0 + (v0 + 1) t − sin t. And along z by straight lines, with kinks: a cubic from each to the next.
#[test]
fn gravity_in_time() {
    let points = [[0.0, -9.0], [0.4, 3.0], [0.7, 3.0], [1.1, -20.0]];
    let mut b = ModelBuilder::new();
    b.body(
        Body::new("ball").mass(2.0).inertia([1.0; 3]).position([0.5, 0.0, 1.0]).velocity([0.25, 0.0, 0.0]),
    );
    b.drive(Drive::new("world/gravity/0", formula("sin(t)")));
    b.drive(Drive::new("world/gravity/2", Linear::new(&points).unwrap()));
    let model = b.build().unwrap();
    let end: f64 = 1.5;
    // after the last point it stays
    let (mut z, mut v, mut t) = (1.0, 0.0, 0.0);
    for w in points.windows(2).map(|w| (w[0], w[1])).chain([(points[3], [end, -20.0])]) {
        let (h, rate) = (w.1[0] - w.0[0], (w.1[1] - w.0[1]) / (w.1[0] - w.0[0]));
        z += h * (v + h * (w.0[1] / 2.0 + h * rate / 6.0));
        v += h * (w.0[1] + h * rate / 2.0);
        t += h;
    }
    near("time", t, end, 1e-15);
    for method in methods::ALL.iter().filter(|m| m.is_adaptive()) {
        let run = Simulation::new(&model).method(method.name()).duration(end).rtol(1e-13).run().unwrap();
        let ball = run.end.body("ball").unwrap();
        let tolerance = if method.name().starts_with("ode15s") { 1e-11 } else { 1e-12 };
        near(method.name(), ball.position.x, 0.5 + 1.25 * end - end.sin(), tolerance);
        near(method.name(), ball.velocity.x, 1.25 - end.cos(), tolerance);
        near(method.name(), ball.position.z, z, 10.0 * tolerance);
        near(method.name(), ball.velocity.z, v, 10.0 * tolerance);
        let s = &run.summary;
        assert!(s.audit_relative < tolerance, "{}: {}", method.name(), s.audit_relative);
        assert!(s.stats.rejected <= 12, "{}: {} rejected", method.name(), s.stats.rejected);
    }
}

/// Kinks are landed on: dop853 takes no more than a step or two from one to the next, none of them refused, where the motion is a
/// polynomial. Fixed steps land too, and the audit shows it.
#[test]
fn kinks_cost_nothing() {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(2.0).inertia([1.0; 3]));
    let points: Vec<[f64; 2]> = (0..50).map(|i| [0.02 * f64::from(i), f64::from(i * i % 7)]).collect();
    b.drive(Drive::new("world/gravity/2", Linear::new(&points).unwrap()));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).method("dop853").duration(1.0).rtol(1e-12).run().unwrap();
    let s = &run.summary;
    assert!(s.stats.rejected == 0 && s.stats.steps < 60, "{s}");
    // at a kink itself gravity is that of a time 64 roundings before or after: so much the largest audit sees of it, the last one does not
    assert!(s.audit_relative < 1e-12, "{}", s.audit_relative);
    assert!(s.energy.audit.abs() < 1e-13 * s.energy.kinetic, "{}", s.energy.audit);
    // the last of them at the very end
    let run_to = |t: f64| Simulation::new(&model).method("dop853").duration(t).rtol(1e-12).run().unwrap();
    let audit = run_to(points[20][0]).summary.audit_relative;
    assert!(audit < 1e-12, "{audit}");
    let fixed = |step: f64| {
        let sim = Simulation::new(&model).method("verlet").duration(1.0).step(step);
        sim.run().unwrap().end.body("ball").unwrap().velocity.z - run.end.body("ball").unwrap().velocity.z
    };
    // the trapezoidal rule is exact for straight lines, if no kink is within a step
    near("verlet", fixed(0.0123), 0.0, 1e-13);
}

/// A ball let fall on a table that shakes.
fn shaken(table: Body, drives: Vec<Drive>) -> Model {
    let mut b = ModelBuilder::new();
    let ball = Body::new("ball").mass(0.1).position([0.0, 0.0, 0.05]).velocity([0.05, 0.0, 0.0]);
    b.body(ball.surface(Sphere::new(0.02).unwrap()));
    b.body(table.surface(Plane));
    let law = HuntCrossley::damping(0.2).unwrap().stiffness(1e7);
    b.contact(ContactRule::between("ball", "table").normal(law).friction(Tanh::new(0.3, 100.0).unwrap()));
    for drive in drives {
        b.drive(drive);
    }
    b.build().unwrap()
}

/// A support driven by an expression moves as `Shake` does, touch by touch; bounds that hold for a step only miss none.
#[test]
fn a_driven_support_is_a_shaken_one() {
    let (a, w) = (0.01, 40.0);
    let shake = Shake { amplitude: Vec3::new(0.5 * a, 0.0, a), rate: w, phase: 0.0 };
    let one = shaken(Body::prescribed("table", shake), Vec::new());
    let drives = vec![
        Drive::new("body/table/position/2", formula("0.01*sin(40*t)")),
        Drive::new("body/table/position/0", formula("0.005*sin(40*t)")),
    ];
    let other = shaken(Body::fixed("table").position([3.0, 0.0, 7.0]), drives);
    for locate in [true, false] {
        let [a, b] = [&one, &other].map(|model| {
            let sim = Simulation::new(model).method("dop853").duration(0.4).rtol(1e-11);
            let mut recording = Recording::default();
            let run = sim.locate_contacts(locate).run_into(&mut recording).unwrap();
            let audit = run.summary.audit_relative;
            assert!(audit < if locate { 1e-9 } else { 1e-7 }, "{audit}");
            (run, recording.events)
        });
        assert_eq!(a.1.len(), b.1.len());
        assert!(a.1.len() >= 6, "{}", a.1.len());
        if locate {
            for (x, y) in a.1.iter().zip(&b.1) {
                near("touch", x.t, y.t, 1e-12);
            }
            let [p, q] = [&a.0, &b.0].map(|r| *r.end.body("ball").unwrap());
            near("place", (p.position - q.position).norm(), 0.0, 1e-12);
            near("velocity", (p.velocity - q.velocity).norm(), 0.0, 1e-10);
            close("work", a.0.summary.energy.work, b.0.summary.energy.work, 1e-10);
            let [p, q] = [&a.0, &b.0].map(|r| *r.end.body("table").unwrap());
            near("table", (p.position - q.position).norm(), 0.0, 1e-15);
        }
    }
}

/// A table that is lifted through points of a cubic is lifted along it; the ball on it feels its acceleration.
#[test]
fn a_spline_lifts_along_a_cubic() {
    let z = |t: f64| 0.3 * t * t - 0.1 * t * t * t;
    let points: Vec<[f64; 2]> = [0.0, 0.1, 0.35, 0.6, 0.75, 1.0].map(|t| [t, z(t)]).to_vec();
    let drives = vec![Drive::new("body/table/position/2", Spline::new(&points).unwrap())];
    let splined = shaken(Body::fixed("table"), drives);
    let drives = vec![Drive::new("body/table/position/2", formula("0.3*t^2 - 0.1*t^3"))];
    let expressed = shaken(Body::fixed("table"), drives);
    let [a, b] = [&splined, &expressed].map(|model| {
        let run = Simulation::new(model).method("dop853").duration(1.0).rtol(1e-11).run().unwrap();
        assert!(run.summary.audit_relative < 1e-8);
        run.end
    });
    near("table", a.body("table").unwrap().position.z, z(1.0), 1e-15);
    near("ball", (a.body("ball").unwrap().position - b.body("ball").unwrap().position).norm(), 0.0, 1e-11);
}

/// A body that has become heavier hits as a heavier one does: laws latch the mass it has at touch.
#[test]
fn a_heavier_body_hits_harder() {
    let drop = |mass: Option<f64>, drive: Option<Drive>| {
        let mut b = ModelBuilder::new();
        let mut ball = Body::new("ball").position([0.0, 0.0, 0.1]).surface(Sphere::new(0.02).unwrap());
        if let Some(mass) = mass {
            ball = ball.mass(mass);
        }
        b.body(ball);
        b.body(Body::fixed("floor").surface(Plane));
        // a dashpot by restitution: it goes with the effective mass
        let law = carom::law::normal::find("tsuji").unwrap();
        let args = carom::base::Args::new();
        let args = args.with("stiffness", carom::base::Value::Number(1e7));
        let law = law.make(&args.with("restitution", carom::base::Value::Number(0.7))).unwrap();
        b.contact(ContactRule::between("ball", "floor").normal_arc(law));
        if let Some(drive) = drive {
            b.drive(drive);
        }
        Simulation::new(&b.build().unwrap()).duration(0.2).rtol(1e-12).run().unwrap()
    };
    let heavy = drop(Some(0.5), None);
    // from 0.1 kg to 0.5 kg in flight
    let table = Linear::new(&[[0.0, 0.1], [0.05, 0.5]]).unwrap();
    let grown = drop(None, Some(Drive::new("body/ball/mass", table)));
    let [a, b] = [&heavy, &grown].map(|r| (r.summary.peak_force, r.end.body("ball").unwrap().velocity.z));
    close("peak force", b.0, a.0, 1e-9);
    near("speed", b.1, a.1, 1e-9);
    assert!(grown.summary.audit_relative < 1e-10, "{}", grown.summary.audit_relative);
}

/// Bounds hold, tightly enough; rates are those of values; kinks are where they are.
#[test]
fn courses_keep_their_promises() {
    let points: Vec<[f64; 2]> = (0..9).map(|i| [0.3 * f64::from(i), (1.7 * f64::from(i)).sin()]).collect();
    let courses: [Box<dyn Course>; 13] = [
        Box::new(Linear::new(&points).unwrap()),
        Box::new(Spline::new(&points).unwrap()),
        Box::new(Spline::new(&points[..3]).unwrap()),
        Box::new(formula("0.1*t*sin(40*t) + exp(-t)")),
        Box::new(formula("max(0, t - 1)^3*cos(t) + abs(t - 0.5)")),
        Box::new(Monotone::new(&points).unwrap()),
        Box::new(Monotone::new(&points[1..4]).unwrap()),
        Box::new(formula("if(t > 1 and t^2 <= 3, sqrt(t - 0.9), 1/(t + 1))")),
        Box::new(formula("step(t, 0.3, -1, 1.1, 2) + step(sin(3*t), 0, 0, 0.5, 1)")),
        Box::new(formula("pulse(t, 0.31, 0.6, 1 + t) + pulse(t, 0.1, 0.25, t^2, 0.5)")),
        Box::new(formula("sign(t - 1)*(t - 2) + floor(3*t)*t - ceil(t + 0.1) + mod(t, 0.43)^2")),
        Box::new(formula("if(mod(t, 0.47) < 0.21, t, sin(t))*abs(mod(t, 0.7) - 0.31)")),
        Box::new(formula("spline(t, 0.2, 1, 0.5, 3, 1.5, -1, 2, 0)*linear(sin(t), 0.1, 0, 0.8, 3, 0.9, 2)")),
    ];
    for c in &courses {
        let end = c.known().hi.min(2.4);
        let mut kinks = Vec::new();
        let mut t = 0.0;
        while t < end {
            t = c.smooth_until(t, end);
            kinks.push(t);
        }
        for i in 0..60 {
            let t = end * (f64::from(i) + 0.5) / 60.0;
            let h = 1e-5;
            if kinks.iter().any(|k| (k - t).abs() < 2.0 * h) {
                continue;
            }
            let (x, before, after) = (c.at(t), c.at(t - h), c.at(t + h));
            near("rate", (after.value - before.value) / (2.0 * h), x.rate, 1e-6);
            near("second rate", (after.rate - before.rate) / (2.0 * h), x.second, 1e-5);
            for (t0, t1) in [(0.0, end), (t - 0.1, t + 0.2), (t, t), (t - 1e-3, t + 1e-3)] {
                let (t0, t1) = (t0.max(0.0), t1.min(end));
                let b = c.bounds(t0, t1);
                let parts = [(b.value, 0), (b.rate, 1), (b.second, 2)];
                for (range, part) in parts {
                    // at a kink itself nothing is promised
                    let times = (0..=40).map(|k| t0 + (t1 - t0) * f64::from(k) / 40.0);
                    let smooth = times.filter(|t| kinks.iter().all(|k| (k - t).abs() > 1e-14));
                    let seen = smooth.map(|t| {
                        let x = c.at(t);
                        [x.value, x.rate, x.second][part]
                    });
                    let (lo, hi) =
                        seen.fold((f64::INFINITY, f64::NEG_INFINITY), |m, x| (m.0.min(x), m.1.max(x)));
                    let room = 1e-14 * (1.0 + lo.abs() + hi.abs());
                    assert!(
                        range.lo <= lo + room && hi <= range.hi + room,
                        "{c:?} at {t}: {lo} to {hi} in {range:?}"
                    );
                    // over a short time there is little more than what happens
                    if t1 - t0 < 1e-2 {
                        let wide = 3.0 * (hi - lo) + 0.02 * (1.0 + hi.abs());
                        assert!(range.hi - range.lo < wide, "{c:?} at {t}: {lo} to {hi}, {range:?}");
                    }
                }
            }
        }
    }
    let kink = |c: &dyn Course, t: f64| c.smooth_until(t, 100.0);
    assert_eq!(kink(&*courses[0], 0.0), 0.3);
    // not a knot: the first two pieces are one
    assert_eq!(kink(&*courses[1], 0.0), points[2][0]);
    assert_eq!(kink(&*courses[1], 1.7), points[6][0]);
    assert_eq!(kink(&*courses[1], points[6][0]), 100.0);
    assert_eq!(kink(&*courses[2], 0.0), 100.0);
    assert_eq!(kink(&*courses[3], 0.0), 100.0);
    near("kink", kink(&*courses[4], 0.0), 0.5, 1e-15);
    near("kink", kink(&*courses[4], 0.6), 1.0, 1e-15);
    // many, one after the other; and none where nothing changes its sign
    let (waves, mut t) = (formula("abs(sin(7*t)) + abs(t^2) + max(0*t, 0)"), 0.1);
    for k in 1..100 {
        t = waves.smooth_until(t, 1e4);
        near("zero of the sine", t, f64::from(k) * std::f64::consts::PI / 7.0, 1e-13);
    }
}

/// Every switch of an expression is found, one after the other, with nothing between them.
#[test]
fn kinks_of_expressions_are_located() {
    for (text, times) in [
        ("abs(t - 1)", &[1.0][..]),
        ("min(t, 1) + max(t^2, 2)", &[1.0, std::f64::consts::SQRT_2]),
        ("sign(cos(t))", &[0.5 * std::f64::consts::PI]),
        ("floor(2*t) + ceil(t + 0.25)", &[0.5, 0.75, 1.0, 1.5, 1.75, 2.0]),
        ("mod(t, 0.75)", &[0.75, 1.5, 2.25]),
        ("if(t < 1 or t >= 2, 1, t)", &[1.0, 2.0]),
        ("if(not (t > 1 and t^2 < 2.25), 1, t)", &[1.0, 1.5]),
        ("if(mod(t, 1) < 0.25, 3, 0)", &[0.25, 1.0, 1.25, 2.0, 2.25]),
        ("abs(mod(t, 1) - 0.25)", &[0.25, 1.0, 1.25, 2.0, 2.25]),
        ("step(t, 0.5, 0, 1.5, 1)", &[0.5, 1.5]),
        ("pulse(t, 0.5, 1, 7)", &[0.5, 1.5]),
        ("pulse(t, 0.5, 0.25, 7, 1)", &[0.5, 0.75, 1.5, 1.75]),
        ("linear(t, 0.5, 0, 1, 1, 2, 1.5)", &[0.5, 1.0, 2.0]),
        ("spline(t, 0.5, 0, 1, 1, 2, 1.5)", &[0.5, 1.0, 2.0]),
        ("monotone(t^2, 0.25, 0, 1, 1, 4, 1.5)", &[0.5, 1.0, 2.0]),
    ] {
        let (course, mut t) = (formula(text), 0.0);
        for expected in times {
            t = course.smooth_until(t, 2.4);
            near(text, t, *expected, 1e-15);
        }
        // a pulse rests where another would begin or end
        assert!(course.smooth_until(t, 2.4) >= 2.3, "{text}: {}", course.smooth_until(t, 2.4));
    }
}

/// Momentum that a force in time gives to a cart of 2 kg in 1 s, and the number of steps.
fn pushed(force: &str) -> (f64, usize) {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("ground")).body(Body::new("cart").mass(2.0).inertia([0.1; 3]));
    b.joint(Joint::between("cart", "ground", Prismatic).named("rail").at([0.0; 3]).axis([1.0, 0.0, 0.0]));
    b.drive(Drive::new("joint/rail/force", formula(force)));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).method("dop853").rtol(1e-10).atol(1e-10).duration(1.0).run().unwrap();
    (2.0 * run.end.body("cart").unwrap().velocity.x, run.summary.stats.steps)
}

/// A force may jump: the momentum is that of the pulses, to rounding error, and there are few steps.
#[test]
fn a_force_may_jump() {
    for (force, momentum, kinks) in [
        ("if(t < 0.25, 8, if(t < 0.5, -4, 0))", 1.0, 2),
        ("pulse(t, 0.125, 0.25, 8)", 2.0, 2),
        ("pulse(t, 0.125, 0.125, 8, 0.5)", 2.0, 6),
        ("16*(floor(4*t) - 3)", -24.0, 3),
        ("8*sign(0.75 - t)", 4.0, 1),
        ("mod(16*t, 4)", 2.0, 3),
        ("8*step(t, 0.25, 0, 0.75, 1)", 4.0, 2),
        ("monotone(t, 0.25, 0, 0.5, 8, 0.75, 0)", 8.0 / 3.0, 3),
    ] {
        let (got, steps) = pushed(force);
        near(force, got, momentum, 1e-9);
        assert!(steps < 25 * (kinks + 1), "{force}: {steps} steps");
    }
    // from one oscillation to another: hardly more steps than both take by themselves
    let [before, after] = ["3*sin(20*t)", "-5*cos(30*t)"];
    let (got, steps) = pushed(&format!("if(t < 0.5, {before}, {after})"));
    let exact = 3.0 / 20.0 * (1.0 - 10f64.cos()) - 5.0 / 30.0 * (30f64.sin() - 15f64.sin());
    near("momentum", got, exact, 1e-9);
    let both = pushed(before).1 + pushed(after).1;
    assert!(steps < both, "{steps} steps, and {both} for both");
}

/// A curve through points as scenes name it.
#[test]
fn curves_by_name() {
    let points = [[0.0, 0.0], [1.0, 1.0], [2.0, 4.0], [3.0, 9.0]];
    for (kind, value) in [("linear", 2.5), ("spline", 2.25), ("monotone", 2.25)] {
        near(kind, curve_through(kind, &points).unwrap().at(1.5).value, value, 1e-14);
    }
    // the monotone curve rests at both ends, meets all points, and its rate does not jump
    let curve = Monotone::new(&points).unwrap();
    assert_eq!([-1.0, 4.0].map(|t| curve.at(t).value), [0.0, 9.0]);
    for [t, x] in points {
        assert_eq!(curve.at(t).value, x);
        let [before, after] = [t - 1e-9, t + 1e-9].map(|t| curve.at(t).rate);
        assert!((t == 0.0 || t == 3.0) || (before - after).abs() < 1e-7, "{t}: {before} {after}");
    }
    assert_eq!(curve.smooth_until(0.0, 9.0), 1.0);
    assert_eq!(curve.smooth_until(3.0, 9.0), 9.0);
}

/// What cannot be driven, or not so, is said when the model is built; what goes wrong later, before the run.
#[test]
fn what_cannot_be_driven() {
    let model = |drives: &[(&str, &str)]| {
        let mut b = ModelBuilder::new();
        b.body(Body::new("ball").density(1.0).surface(Sphere::new(0.1).unwrap()));
        b.body(Body::fixed("floor"));
        for (target, text) in drives {
            b.drive(Drive::new(target, formula(text)));
        }
        b.build()
    };
    for (drives, message) in [
        (
            &[("body/ball/desnity", "1")][..],
            "drive `body/ball/desnity`: there is nothing of that path to drive; did you mean `body/ball/density`?; there is ",
        ),
        (&[("body/bal/mass", "1")], "drive `body/bal/mass`: no body is called `bal`; did you mean `ball`?"),
        (&[("body/floor/mass", "1")], "drive `body/floor/mass`: a fixed body has no mass"),
        (&[("body/ball/position/1", "t")], "drive `body/ball/position/1`: only a fixed body can be moved"),
        (
            &[("body/ball/mass", "t - 1")],
            "drive `body/ball/mass`: at t = 0 s it is -1; allowed: greater than 0",
        ),
        (
            &[("body/ball/mass", "1"), ("body/ball/density", "1")],
            "drives `body/ball/density` and `body/ball/mass` drive the same number",
        ),
        (&[("world/gravity/1", "1"), ("world/gravity/1", "1")], "drives `world/gravity/1` and "),
    ] {
        let error = model(drives).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    for (drive, message) in [
        (
            ("body/ball/mass", "1 - t/2"),
            "drive `body/ball/mass`: at t = 2 s it is 0; allowed: greater than 0",
        ),
        (("world/gravity/0", "tan(t)"), "drive `world/gravity/0`: at t = 1.5707963 s it has no finite rate"),
        (
            ("body/floor/position/0", "min(t, 1)"),
            "drive `body/floor/position/0`: at t = 1 s it changes at 1 before",
        ),
        (
            ("body/floor/position/0", "if(t < 1, 0, 1)"),
            "drive `body/floor/position/0`: at t = 1 s it jumps from 0 to 1; allowed: numbers that do not jump",
        ),
        (
            ("body/ball/mass", "1 + pulse(t, 1, 1, 1)"),
            "drive `body/ball/mass`: at t = 1 s it jumps from 1 to 2",
        ),
        (("world/gravity/1", "floor(t)"), "drive `world/gravity/1`: at t = 1 s it jumps from 0 to 1"),
    ] {
        let model = model(&[drive]).unwrap();
        let error = Simulation::new(&model).duration(3.0).run().unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
        Simulation::new(&model).duration(0.9).run().unwrap();
    }
    // a kink in a position is no jump of its velocity if it is smooth enough
    for text in
        ["max(0, t - 1)^2 + abs(t - 2)^3", "step(t, 1, 0, 2, 1)", "monotone(t, 1, 0, 1.5, 0, 2, 1, 2.5, 1)"]
    {
        let smooth = model(&[("body/floor/position/0", text)]).unwrap();
        Simulation::new(&smooth).duration(3.0).run().unwrap();
    }
}

/// A curve that does not keep its bounds is found out by the run, which names it.
#[test]
fn a_curve_that_lies() {
    #[derive(Debug)]
    struct Liar;
    impl Course for Liar {
        fn at(&self, t: f64) -> Jet {
            Jet { value: 1.0 - t, rate: -1.0, second: 0.0 }
        }
        fn bounds(&self, _: f64, _: f64) -> Jet<Range> {
            let one = Range::point(1.0);
            Jet { value: one, rate: one, second: one }
        }
    }
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").inertia([1.0; 3]));
    b.drive(Drive::new("body/ball/mass", Liar));
    let error = Simulation::new(&b.build().unwrap()).duration(2.0).run().unwrap_err().to_string();
    assert!(
        error.starts_with("drive body/ball/mass: at t = ") && error.ends_with("its value is not allowed"),
        "{error}"
    );
}
