//! Nothing passes through anything, whatever moves it: walls and paddles that are moved, springs, drives that jump, joints with limits; in cavities, among
//! many; contacts located or not, near pairs looked at one by one or found by the sweep.

use crate::ways::{Dice, Tally, ways};
use carom::geometry::surfaces::Ellipsoid;
use carom::law::elastic::{Elastic, MooneyRivlin};
use carom::prelude::*;
use carom::{Linear, Shake};

/// A law as stiff as stops a mass at a speed within a depth.
fn stopping(mass: f64, v: f64, depth: f64) -> Hertz {
    Hertz::new().stiffness(1.25 * mass * v * v / depth.powf(2.5))
}

/// A thin wall that is pushed into a resting ball sends it off at twice its speed.
#[test]
fn a_wall_that_is_pushed() {
    let (mut dice, mut tally) = (Dice(0x9e3779b97f4a7c15), Tally::new());
    for _ in 0..8 {
        let (v, thickness, radius) = (dice.log(1e-3, 1e6), dice.log(1e-4, 1.0), dice.log(1e-3, 1.0));
        let far = dice.log(0.1, 1e3) * radius;
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(Body::new("ball").mass(1.0).surface(Sphere::new(radius).unwrap()));
        let wall = Body::prescribed("wall", Slide { velocity: Vec3::new(v, 0.0, 0.0) });
        b.body(
            wall.position([-far - radius - 0.5 * thickness, 0.0, 0.0])
                .surface(Cuboid::new([thickness, 1.0, 1.0]).unwrap()),
        );
        b.contact(ContactRule::between("*", "*").normal(stopping(1.0, v, 0.1 * thickness.min(radius))));
        let (model, duration) = (b.build().unwrap(), (1.5 * far + radius) / v);
        for way in ways(duration, &mut dice) {
            let describe = || format!("v {v:.1e} thick {thickness:.1e} r {radius:.1e} far {far:.1e} {way:?}");
            match way.run(&model, duration, 1e-6) {
                Ok(run) => {
                    let speed = run.end.body("ball").unwrap().velocity.x / v;
                    tally.note((speed - 2.0).abs() < 0.04, || format!("{}: {speed}", describe()));
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}

/// A rod that turns fast hits a resting ball once, with its flat side: the ball leaves at twice the speed of the rod's point, 2 ω √(R² − (w/2 + r)²). The rod turns as
/// prescribed, or is free and very heavy.
#[test]
fn a_rod_that_turns_fast() {
    let (mut dice, mut tally) = (Dice(0x2545f4914f6cdd1d), Tally::new());
    for trial in 0..8 {
        let (omega, width, radius) = (dice.log(1e-3, 1e5), dice.log(1e-3, 0.1), dice.log(1e-3, 0.1));
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let (at, angle) = (0.8, 1.0 + 1.5 * dice.roll());
        b.body(Body::new("ball").mass(1e-3).surface(Sphere::new(radius).unwrap()).position([at, 0.0, 0.0]));
        let rod = match trial % 2 {
            0 => Body::prescribed("rod", Spin { axis: Vec3::z_axis(), rate: omega }),
            _ => Body::new("rod").mass(1e6).angular_velocity([0.0, 0.0, omega]),
        };
        let turned = Quat::from_axis_angle(&Vec3::z_axis(), -angle);
        b.body(rod.orientation(turned).surface(Cuboid::new([2.0, width, 0.3]).unwrap()));
        b.contact(ContactRule::between("*", "*").normal(stopping(1e-3, at * omega, 0.1 * width.min(radius))));
        let (model, duration) = (b.build().unwrap(), (angle + 0.3) / omega);
        let due = 2.0 * (at * at - (0.5 * width + radius).powi(2)).sqrt();
        for way in ways(duration, &mut dice) {
            let describe = || {
                format!(
                    "ω {omega:.1e} wide {width:.1e} r {radius:.1e} angle {angle:.2} trial {trial} {way:?}"
                )
            };
            match way.run(&model, duration, 1e-6) {
                Ok(run) => {
                    let speed = run.end.body("ball").unwrap().velocity.norm() / omega;
                    tally.note((speed / due - 1.0).abs() < 0.05, || {
                        format!("{}: {speed} {due}, {}", describe(), run.summary.touches)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}

/// A ball on a spring that draws it through a thin plate: it comes back from it again and again.
#[test]
fn a_spring_draws_a_ball_to_a_plate() {
    let (mut dice, mut tally) = (Dice(0x853c49e6748fea9b), Tally::new());
    for _ in 0..6 {
        let (k, thickness, radius) = (dice.log(1e-3, 1e9), dice.log(1e-3, 0.1), dice.log(1e-3, 0.1));
        let period = std::f64::consts::TAU / k.sqrt();
        let depth = 0.05 * thickness.min(radius);
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(Body::new("ball").mass(1.0).position([-1.0, 0.0, 0.0]).surface(Sphere::new(radius).unwrap()));
        b.body(
            Body::fixed("plate")
                .position([-0.3, 0.0, 0.0])
                .surface(Cuboid::new([thickness, 1.0, 1.0]).unwrap()),
        );
        b.body(Body::fixed("anchor").position([1.0, 0.0, 0.0]));
        // at rest 1 m from the anchor
        b.force(Force::between("ball", "anchor", SpringDamper::new(k, 1.0).unwrap()));
        b.contact(ContactRule::between("*", "*").normal(stopping(1.0, k.sqrt(), depth)));
        let (model, duration) = (b.build().unwrap(), 2.0 * period);
        let nearest = -0.3 - 0.5 * thickness - radius;
        for mut way in ways(duration, &mut dice) {
            way.step = way.step.min(0.01 * period);
            let describe = || format!("k {k:.1e} thick {thickness:.1e} r {radius:.1e} {way:?}");
            match way.record(&model, duration, 1e-6) {
                Ok((run, r)) => {
                    let furthest =
                        r.frames.iter().map(|f| f.bodies[0].position.x - nearest).fold(f64::MIN, f64::max);
                    let touches = run.summary.touches;
                    tally.note(furthest < 1.5 * depth && touches >= 3, || {
                        format!("{}: {:.1} depths, {touches}", describe(), furthest / depth)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}

/// Gravity that is switched on for a moment throws a resting ball at a wall.
#[test]
fn gravity_that_jumps() {
    let (mut dice, mut tally) = (Dice(0xda3e39cb94b95bdb), Tally::new());
    for _ in 0..6 {
        let (g, thickness, radius) = (dice.log(1.0, 1e8), dice.log(1e-3, 0.1), dice.log(1e-3, 0.1));
        let wall = dice.log(1e-7, 1.0);
        // on from 1 s to 1 s + τ, in which it moves by 0.1 m
        let tau = (0.2 / g).sqrt();
        let v = g * tau;
        let rise = 1e-3 * tau;
        let points =
            [[0.0, 0.0], [1.0, 0.0], [1.0 + rise, g], [1.0 + tau, g], [1.0 + tau + rise, 0.0], [9.0, 0.0]];
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.drive(Drive::new("world/gravity/0", Linear::new(&points).unwrap()));
        let depth = 0.1 * thickness.min(radius);
        b.body(
            Body::new("ball")
                .mass(1.0)
                .position([-wall - radius - 0.5 * thickness, 0.0, 0.0])
                .surface(Sphere::new(radius).unwrap()),
        );
        b.body(Body::fixed("wall").surface(Cuboid::new([thickness, 1.0, 1.0]).unwrap()));
        b.contact(ContactRule::between("*", "*").normal(stopping(1.0, v, depth)));
        let (model, duration) = (b.build().unwrap(), 1.0 + tau + 2.0 * wall / v);
        for mut way in ways(duration, &mut dice) {
            way.step = way.step.min(0.01 * tau + 1e-3 * wall / v);
            if way.method == "verlet" && duration / way.step > 1e5 {
                continue;
            }
            let describe =
                || format!("g {g:.1e} thick {thickness:.1e} r {radius:.1e} wall {wall:.1e} {way:?}");
            match way.record(&model, duration, 1e-6) {
                Ok((run, r)) => {
                    let nearest = -radius - 0.5 * thickness;
                    let furthest =
                        r.frames.iter().map(|f| f.bodies[0].position.x - nearest).fold(f64::MIN, f64::max);
                    let touches = run.summary.touches;
                    tally.note(furthest < 1.5 * depth && touches > 0, || {
                        format!("{}: {:.1} depths, {touches}", describe(), furthest / depth)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}

/// A carriage and a hinge that meet their limits turn round, however fast they are and however many turns the limit is away.
#[test]
fn limits_of_joints() {
    let (mut dice, mut tally) = (Dice(0x94d049bb133111eb), Tally::new());
    for _ in 0..6 {
        let (v, limit) = (dice.log(1e-3, 1e6), dice.log(0.1, 100.0));
        for hinge in [false, true] {
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]).body(Body::fixed("ground"));
            let body = Body::new("body").mass(1.0).inertia([1.0; 3]);
            let law = Hertz::new().stiffness((v / 0.02).powi(2)).exponent(1.0);
            if hinge {
                b.body(body.angular_velocity([0.0, 0.0, v]));
                let joint = Joint::between("body", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]);
                b.joint(joint.upper("angle", limit).stop_radius(1.0).stop(law));
            } else {
                b.body(body.velocity([0.0, 0.0, v]));
                let joint = Joint::between("body", "ground", Prismatic).axis([0.0, 0.0, 1.0]);
                b.joint(joint.upper("displacement", limit).stop(law));
            }
            let (model, duration) = (b.build().unwrap(), 1.5 * limit / v + 0.1 / v);
            for way in ways(duration, &mut dice) {
                let describe = || format!("hinge {hinge} v {v:.1e} limit {limit:.1e} {way:?}");
                match way.run(&model, duration, 1e-4) {
                    Ok(run) => {
                        let end = run.end.body("body").unwrap();
                        let back = (end.velocity.z + end.angular_velocity.z) / v;
                        tally.note((back + 1.0).abs() < 0.02, || {
                            format!("{}: {back}, {} touches", describe(), run.summary.touches)
                        });
                    }
                    Err(e) => tally.note(false, || format!("{}: {e}", describe())),
                }
            }
        }
    }
    tally.end();
}

/// A ball stays within the cavity it bounces about in.
#[test]
fn a_ball_in_a_cavity() {
    let (mut dice, mut tally) = (Dice(0xbf58476d1ce4e5b9), Tally::new());
    for trial in 0..6 {
        let (v, radius) = (dice.log(1e-3, 1e6), dice.log(1e-3, 0.2));
        let depth = 0.05 * radius;
        let surface = match trial % 3 {
            0 => SurfaceSpec::new(Sphere::new(1.0).unwrap()),
            1 => SurfaceSpec::new(Cuboid::new([2.0; 3]).unwrap()),
            _ => SurfaceSpec::new(Ellipsoid::new([1.0, 0.9, 0.8]).unwrap()),
        };
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("ball").mass(1.0).surface(Sphere::new(radius).unwrap());
        b.body(ball.position((dice.direction() * 0.3).into()).velocity((dice.direction() * v).into()));
        b.body(Body::fixed("shell").surface(surface.inside()));
        b.contact(ContactRule::between("*", "*").normal(stopping(1.0, v, depth)));
        let (model, duration) = (b.build().unwrap(), 10.0 / v);
        for way in ways(duration, &mut dice) {
            let describe = || format!("trial {trial} v {v:.1e} r {radius:.1e} {way:?}");
            match way.record(&model, duration, 1e-6) {
                Ok((run, r)) => {
                    let out = |p: &Vec3| if trial % 3 == 1 { p.amax() } else { p.norm() } + radius - 1.0;
                    let furthest =
                        r.frames.iter().map(|f| out(&f.bodies[0].position)).fold(f64::MIN, f64::max);
                    let touches = run.summary.touches;
                    tally.note(furthest < 1.5 * depth && touches > 2, || {
                        format!("{}: {:.1} depths, {touches}", describe(), furthest / depth)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}

/// Balls that fall into a box in a heap overlap no more than their weight and speed press them in.
#[test]
fn a_crowd_in_a_box() {
    let mut tally = Tally::new();
    let (radius, stiffness) = (0.02f64, 1e8);
    let mut b = ModelBuilder::new();
    b.body(
        Body::fixed("box")
            .position([0.0, 0.0, 0.5])
            .surface(SurfaceSpec::new(Cuboid::new([0.13, 0.13, 1.0]).unwrap()).inside()),
    );
    for i in 0..12 {
        let (x, y, z) = (f64::from(i % 3) - 1.0, f64::from(i / 3 % 2) - 1.0, f64::from(i / 6));
        let jitter = 2e-4 * f64::from(i * 7 % 5);
        let ball = Body::new(&format!("ball{i}")).mass(0.03).surface(Sphere::new(radius).unwrap());
        b.body(ball.position([0.043 * x + jitter, 0.043 * y - jitter, 0.03 + 0.05 * z]).velocity([
            0.0,
            0.0,
            -2.0 * z,
        ]));
    }
    b.contact(
        ContactRule::between("*", "*").normal(HuntCrossley::damping(0.5).unwrap().stiffness(stiffness)),
    );
    let model = b.build().unwrap();
    for mut way in ways(0.05, &mut Dice(1)) {
        if !["auto", "ode45", "verlet"].contains(&way.method) {
            continue;
        }
        way.step = 5e-5;
        let describe = || format!("{way:?}");
        match way.record(&model, 0.05, 1e-5) {
            Ok((_, r)) => {
                let mut deepest = 0.0f64;
                for f in &r.frames {
                    for (i, a) in f.bodies.iter().enumerate() {
                        let walls = [a.position.x.abs() - 0.065, a.position.y.abs() - 0.065, -a.position.z];
                        deepest = walls.iter().fold(deepest, |d, w| d.max(w + radius));
                        for b in &f.bodies[..i] {
                            deepest = deepest.max(2.0 * radius - (a.position - b.position).norm());
                        }
                    }
                }
                tally.note(deepest < 6e-4, || format!("{}: {deepest:.2e} deep", describe()));
            }
            Err(e) => tally.note(false, || format!("{}: {e}", describe())),
        }
    }
    tally.end();
}

/// Ninety-one balls in a shaft have more pairs, 4,186, than are looked at one by one: fixed steps, contacts not located. The lowest layer is at rest, the others fall on it.
#[test]
fn more_pairs_than_are_looked_at() {
    let radius = 0.02f64;
    let mut b = ModelBuilder::new();
    let shaft = SurfaceSpec::new(Cuboid::new([0.176, 0.176, 1.0]).unwrap()).inside();
    b.body(Body::fixed("shaft").position([0.0, 0.0, 0.5]).surface(shaft));
    for i in 0..91 {
        let (x, y, z) = (f64::from(i % 4) - 1.5, f64::from(i / 4 % 4) - 1.5, f64::from(i / 16));
        let jitter = 1e-4 * f64::from(i * 7 % 11);
        let ball = Body::new(&format!("ball{i}")).mass(0.0335).surface(Sphere::new(radius).unwrap());
        let at = [0.0425 * x + jitter, 0.0425 * y - jitter, 0.021 + 0.0425 * z];
        b.body(ball.position(at).velocity([0.0, 0.0, -0.5 * z]));
    }
    b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(7e5)));
    let model = b.build().unwrap();
    let mut r = Recording::default();
    let sim = Simulation::new(&model).method("verlet").step(5e-5).locate_contacts(false).duration(0.1);
    let run = sim.output_every(0.005).run_into(&mut r).unwrap();
    let mut deepest = 0.0f64;
    for f in &r.frames {
        for (i, a) in f.bodies.iter().enumerate() {
            for b in &f.bodies[..i] {
                deepest = deepest.max(2.0 * radius - (a.position - b.position).norm());
            }
        }
    }
    assert!(run.summary.touches > 100 && deepest > 1e-4, "{}", run.summary);
    // what is recorded is as deep as what the contacts know of, and far from through
    assert!(deepest < 0.3 * radius && deepest <= run.summary.max_indentation, "{deepest:e}: {}", run.summary);
}

/// A soft ball comes back from the floor.
#[test]
fn a_soft_ball() {
    let (mut dice, mut tally) = (Dice(0x5851f42d4c957f2d), Tally::new());
    for _ in 0..3 {
        let radius = dice.log(1e-3, 1.0);
        // as fast as squeezes it a little
        let stiffness = 1e5f64;
        let v = 0.2 * (stiffness / 1000.0).sqrt();
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let rubber =
            Elastic::new(MooneyRivlin::new(stiffness, 0.0).unwrap()).viscosity(0.1 * stiffness * radius / v);
        let far = 3.0 * radius;
        let ball = Body::affine("ball", rubber).density(1000.0).surface(Sphere::new(radius).unwrap());
        b.body(ball.position([0.0, 0.0, far + radius]).velocity([0.0, 0.0, -v]));
        b.body(Body::fixed("floor").surface(Plane));
        let mass = 4e3 / 3.0 * std::f64::consts::PI * radius.powi(3);
        let depth = 0.05 * radius;
        b.contact(ContactRule::between("*", "*").normal(stopping(mass, v, depth)));
        let (model, duration) = (b.build().unwrap(), 3.0 * far / v);
        for way in ways(duration, &mut dice) {
            if way.method == "verlet" {
                continue;
            }
            let describe = || format!("r {radius:.1e} {way:?}");
            match way.record(&model, duration, 1e-6) {
                Ok((run, r)) => {
                    let lowest = r.frames.iter().map(|f| f.bodies[0].position.z).fold(f64::MAX, f64::min);
                    let right = lowest > 0.5 * radius && run.end.body("ball").unwrap().velocity.z > 0.0;
                    tally.note(right, || {
                        format!("{}: {:.2} {}", describe(), lowest / radius, run.summary.touches)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}

/// A ball lies on a table, just touching it, as the table begins to shake so that it drops away: it is caught again and never goes through.
#[test]
fn a_table_that_drops_away() {
    let (mut dice, mut tally) = (Dice(0x6a09e667f3bcc909), Tally::new());
    for _ in 0..6 {
        let (rate, lift, radius) = (dice.log(1.0, 1e5), dice.log(2.0, 100.0), dice.log(1e-2, 0.1));
        // the largest acceleration is so many times that of gravity
        let amplitude = lift * 9.81 / (rate * rate);
        let mut b = ModelBuilder::new();
        b.body(
            Body::new("ball").mass(1.0).position([0.0, 0.0, radius]).surface(Sphere::new(radius).unwrap()),
        );
        // down at first, from rest
        let phase = std::f64::consts::FRAC_PI_2;
        b.body(
            Body::prescribed("table", Shake { amplitude: Vec3::new(0.0, 0.0, amplitude), rate, phase })
                .surface(Plane),
        );
        let depth = 0.02 * amplitude.min(radius);
        b.contact(ContactRule::between("*", "*").normal(stopping(1.0, amplitude * rate, depth)));
        let (model, duration) = (b.build().unwrap(), 60.0 / rate);
        for mut way in ways(duration, &mut dice) {
            way.step = way.step.min(0.1 / rate);
            let describe = || format!("rate {rate:.1e} lift {lift:.1e} r {radius:.1e} {way:?}");
            match way.record(&model, duration, 1e-6) {
                Ok((run, r)) => {
                    let table = |t: f64| amplitude * ((rate * t + phase).sin() - 1.0);
                    let depths = r.frames.iter().map(|f| table(f.t) + radius - f.bodies[0].position.z);
                    let deepest = depths.fold(f64::MIN, f64::max);
                    let touches = run.summary.touches;
                    tally.note(deepest < 10.0 * depth && touches > 0, || {
                        format!("{}: {:.1} depths, {touches}", describe(), deepest / depth)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}
