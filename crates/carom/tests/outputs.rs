//! The motion does not depend on what is recorded when: the same scenes with few outputs, many and none, bit for bit, with the same steps, events and audits.

use carom::law::friction::Dahl;
use carom::prelude::*;
use carom::{Formula, Shake, Summary};
use carom_testkit::one_in;

fn ball(name: &str, at: [f64; 3]) -> Body {
    Body::new(name).mass(0.1).surface(Sphere::new(0.02).unwrap()).position(at)
}

fn damped() -> HuntCrossley {
    HuntCrossley::damping(0.3).unwrap().stiffness(1e7)
}

/// Bounces, and friction with memory or without.
fn bouncing(rule: impl FnOnce(ContactRule) -> ContactRule) -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    b.body(ball("ball", [0.0, 0.0, 0.021]).velocity([0.3, 0.1, 0.0]).angular_velocity([0.0, 20.0, 3.0]));
    b.contact(rule(ContactRule::between("ball", "floor").normal(damped())));
    b.build().unwrap()
}

/// A double pendulum with friction and a stop, its top driven or not, that hits a wall.
fn jointed(driven: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground"));
    let facing = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    b.body(Body::fixed("wall").position([-0.12, 0.0, 0.0]).surface(SurfaceSpec::new(Plane).turned(facing)));
    let link = |name: &str, z: f64| Body::new(name).mass(0.2).inertia([1e-3; 3]).position([0.0, 0.0, z]);
    b.body(link("upper", -0.1).angular_velocity([0.0, 3.0, 0.0]).velocity([-0.3, 0.0, 0.0]));
    b.body(link("lower", -0.3).surface(Sphere::new(0.03).unwrap()).velocity([-0.9, 0.0, 0.0]));
    let rubs = JointFriction::new(Tanh::new(0.2, 50.0).unwrap()).radius(0.01);
    let hinge =
        |a: &str, b: &str, z: f64| Joint::between(a, b, Revolute).at([0.0, 0.0, z]).axis([0.0, 1.0, 0.0]);
    b.joint(hinge("upper", "ground", 0.0).named("top").friction(rubs));
    let stop = HuntCrossley::damping(0.2).unwrap().stiffness(1e4).exponent(1.0);
    b.joint(hinge("lower", "upper", -0.2).named("knee").upper("angle", 0.4).stop(stop));
    b.contact(ContactRule::between("lower", "wall").normal(damped()));
    if driven {
        b.drive(Drive::new("world/gravity/0", Formula::new("2*sin(9*t)").unwrap()));
    }
    b.build().unwrap()
}

/// Balls on a shaken table.
fn shaken() -> Model {
    let mut b = ModelBuilder::new();
    let shake = Shake { amplitude: Vec3::new(0.002, 0.0, 0.004), rate: 60.0, phase: 0.0 };
    b.body(Body::prescribed("table", shake).surface(Plane));
    b.body(ball("one", [0.0, 0.0, 0.02])).body(ball("two", [0.01, 0.0, 0.07]));
    let rule = ContactRule::between("*", "*").normal(damped());
    b.contact(rule.friction(Tanh::new(0.3, 100.0).unwrap()));
    b.build().unwrap()
}

fn scenes() -> Vec<(&'static str, Model)> {
    let lugre = || LuGre::new(0.3, 0.4, 0.01, 1e5).unwrap();
    vec![
        ("a ball that slides", bouncing(|rule| rule.friction(Tanh::new(0.3, 100.0).unwrap()))),
        ("bristles", bouncing(|rule| rule.friction(lugre()))),
        ("Dahl", bouncing(|rule| rule.friction(Dahl::new(0.3, 1e5).unwrap()))),
        ("elastic", bouncing(|rule| rule.normal(Hertz::new().stiffness(1e8)))),
        ("joints", jointed(false)),
        ("driven joints", jointed(true)),
        ("a shaken table", shaken()),
    ]
}

#[test]
fn what_is_recorded_changes_nothing() {
    for (name, model) in scenes() {
        let adaptive = ["dop853", "tsit5", "radau5", "ode15s", "ode113", "auto"];
        let mut ways: Vec<(String, Simulation<'_>)> = Vec::new();
        for method in adaptive {
            let sim = Simulation::new(&model).method(method);
            ways.push((format!("{name}, {method}"), sim.clone()));
            ways.push((format!("{name}, {method}, not located"), sim.locate_contacts(false)));
        }
        let verlet = Simulation::new(&model).method("verlet").step(2e-5);
        ways.push((format!("{name}, verlet"), verlet.clone()));
        ways.push((format!("{name}, verlet, not located"), verlet.locate_contacts(false)));
        // bristles begin at touches: these must be located
        let remembers = ["bristles", "Dahl"].contains(&name);
        ways.retain(|(way, _)| !(remembers && way.ends_with("not located")));
        for (way, sim) in one_in(3, ways) {
            let run = |output: Output| sim.clone().duration(0.25).output(output).run();
            let ends = run(Output::Ends).unwrap_or_else(|e| panic!("{way}: {e}"));
            for output in
                [Output::Every(1e-3), Output::Every(20.0), Output::At(vec![0.1, 0.100_001]), Output::Steps]
            {
                let told = format!("{way}, {output:?}");
                let other = run(output).unwrap_or_else(|e| panic!("{told}: {e}"));
                assert_eq!(other.end.frame.bodies, ends.end.frame.bodies, "{told}");
                assert_eq!(other.end.frame.energy, ends.end.frame.energy, "{told}");
                let [a, b] = [&other.summary, &ends.summary];
                // (outputs within steps take evaluations of their own)
                let steps = |s: &Summary| (s.stats.steps, s.stats.rejected, s.stats.events);
                assert_eq!(steps(a), steps(b), "{told}");
                assert_eq!(
                    (a.touches, a.contacts, a.peak_force),
                    (b.touches, b.contacts, b.peak_force),
                    "{told}"
                );
                assert_eq!(a.audit, b.audit, "{told}");
            }
            assert!(ends.summary.touches > 0, "{way}: nothing touches");
        }
    }
}
