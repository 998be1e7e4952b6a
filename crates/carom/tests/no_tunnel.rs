//! Nothing passes through anything: head-on impacts whose end is known, at all speeds and thicknesses, with every method, contacts located
//! or not, near pairs looked at one by one or found by the sweep.

use crate::ways::{Dice, Tally, ways};
use carom::prelude::*;

/// What is run into, fixed at the origin, its near side at this distance from it along −n.
fn obstacles(thickness: f64, n: &Vec3) -> Vec<(&'static str, Body, f64)> {
    let fixed = || Body::fixed("wall");
    let along = |axis: Vec3| Quat::rotation_between(&axis, n).unwrap_or_else(Quat::identity);
    let half = 0.5 * thickness;
    vec![
        (
            "box",
            fixed().orientation(along(Vec3::z())).surface(Cuboid::new([1.0, 1.0, thickness]).unwrap()),
            half,
        ),
        ("sphere", fixed().surface(Sphere::new(half).unwrap()), half),
        ("plane", fixed().orientation(along(-Vec3::z())).surface(Plane), 0.0),
        ("cylinder", fixed().orientation(along(Vec3::x())).surface(Cylinder::new(half, 1.0).unwrap()), half),
        ("capsule", fixed().orientation(along(Vec3::x())).surface(Capsule::new(half, 1.0).unwrap()), half),
        (
            "torus",
            fixed().orientation(along(Vec3::x())).surface(Torus::new(0.5 + half, half).unwrap()),
            0.5 + 2.0 * half,
        ),
    ]
}

/// A ball flies head-on into something fixed and comes back as fast.
#[test]
fn a_ball_comes_back_from_every_obstacle() {
    let mut dice = Dice(0x9e3779b97f4a7c15);
    let mut tally = Tally::new();
    for _ in 0..6 {
        let (v, thickness, radius) = (dice.log(1e-3, 1e6), dice.log(1e-4, 1.0), dice.log(1e-4, 1.0));
        let (n, far) = (dice.direction(), dice.log(1.0, 1e4) * radius);
        // as stiff as stops it within a share of the thinner of the two
        let depth = dice.log(1e-4, 0.1) * thickness.min(radius);
        for (name, wall, near) in obstacles(thickness, &n) {
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            let ball = Body::new("ball").mass(1.0).surface(Sphere::new(radius).unwrap());
            b.body(ball.position((n * -(near + radius + far)).into()).velocity((n * v).into()));
            b.body(wall);
            b.contact(
                ContactRule::between("ball", "wall")
                    .normal(Hertz::new().stiffness(1.25 * v * v / depth.powf(2.5))),
            );
            let model = b.build().unwrap();
            let duration = 2.0 * (far + radius) / v;
            for way in ways(duration, &mut dice) {
                let run = way.run(&model, duration, 1e-6);
                let describe = || {
                    format!(
                        "{name} v {v:.1e} thick {thickness:.1e} r {radius:.1e} far {far:.1e} depth {depth:.1e} {way:?}"
                    )
                };
                match run {
                    Ok(run) => {
                        let back = run.end.body("ball").unwrap().velocity.dot(&n) / v;
                        let right = (back + 1.0).abs() < 0.02 && run.summary.touches == 1;
                        tally.note(right, || {
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

/// Two free bodies of equal mass: the one that flew rests, the other has its velocity.
#[test]
fn a_ball_hands_its_velocity_on() {
    let mut dice = Dice(0x2545f4914f6cdd1d);
    let mut tally = Tally::new();
    for _ in 0..10 {
        let (v, r1, r2) = (dice.log(1e-3, 1e6), dice.log(1e-4, 1.0), dice.log(1e-4, 1.0));
        let (n, far, at) =
            (dice.direction(), dice.log(0.1, 1e4) * r1, dice.direction() * dice.log(1e-3, 10.0));
        let depth = dice.log(1e-3, 0.1) * r1.min(r2);
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("a").mass(1.0).surface(Sphere::new(r1).unwrap());
        b.body(ball.position((at - n * (r1 + r2 + far)).into()).velocity((n * v).into()));
        b.body(Body::new("b").mass(1.0).surface(Sphere::new(r2).unwrap()).position(at.into()));
        b.contact(
            ContactRule::between("*", "*").normal(Hertz::new().stiffness(0.625 * v * v / depth.powf(2.5))),
        );
        let model = b.build().unwrap();
        let duration = (1.5 * far + r1) / v + 10.0 * depth / v;
        for way in ways(duration, &mut dice) {
            let describe =
                || format!("v {v:.1e} r {r1:.1e} {r2:.1e} far {far:.1e} depth {depth:.1e} {way:?}");
            match way.run(&model, duration, 1e-6) {
                Ok(run) => {
                    let end = |name: &str| run.end.body(name).unwrap().velocity.dot(&n) / v;
                    let right = end("a").abs() < 0.02 && (end("b") - 1.0).abs() < 0.02;
                    tally.note(right, || {
                        format!("{}: {} {}, {} touches", describe(), end("a"), end("b"), run.summary.touches)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}

/// Two balls of 1 mm that meet after a flight of ten billion radii: what rounding leaves of positions there is a hundred-thousandth of the indentation, and the impact as exact as that.
#[test]
fn after_a_flight_of_ten_billion_radii() {
    let (v, far) = (1e7, 1e7);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("a").mass(1e-3).velocity([v, 0.0, 0.0]).surface(Sphere::new(1e-3).unwrap()));
    b.body(Body::new("b").mass(1e-3).position([far, 0.0, 0.0]).surface(Sphere::new(1e-3).unwrap()));
    b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(1e20)));
    let model = b.build().unwrap();
    for rtol in [1e-3, 1e-4] {
        for way in ways(2.0, &mut Dice(1)) {
            let run = way.run(&model, 2.0, rtol).unwrap_or_else(|e| panic!("{way:?}, rtol {rtol:e}: {e}"));
            let end = |name: &str| run.end.body(name).unwrap().velocity.x / v;
            assert!(
                end("a").abs() < 0.02 && (end("b") - 1.0).abs() < 0.02,
                "{way:?}, rtol {rtol:e}: {} {}",
                end("a"),
                end("b")
            );
        }
    }
    // and where the tolerance asks for more than rounding leaves, that is said
    for rtol in [1e-8, 1e-12] {
        for way in ways(2.0, &mut Dice(1)).into_iter().filter(|way| way.method != "verlet") {
            match way.run(&model, 2.0, rtol) {
                Ok(run) => {
                    let end = |name: &str| run.end.body(name).unwrap().velocity.x / v;
                    assert!(
                        end("a").abs() < 1e-3 && (end("b") - 1.0).abs() < 1e-3,
                        "{way:?}, rtol {rtol:e}: {} {}",
                        end("a"),
                        end("b")
                    );
                }
                Err(e) => {
                    assert!(e.to_string().contains("positions are rounded to"), "{way:?}, rtol {rtol:e}: {e}")
                }
            }
        }
    }
}
