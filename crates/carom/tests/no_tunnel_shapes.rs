//! Nothing passes through anything, whatever its shape: pairs of all kinds of algorithms, head-on along an axis of symmetry, so that what flew comes back as fast.

use crate::ways::{Dice, Tally, ways};
use carom::geometry::Region;
use carom::geometry::surfaces::{Ellipsoid, Polyhedron, Quadric, Superellipsoid};
use carom::prelude::*;

/// What flies along −z, by name, and how far it reaches below its centre.
fn movers(r: f64) -> Vec<(&'static str, Body, f64)> {
    let body = || Body::new("mover").mass(1.0).inertia([r * r; 3]);
    let octahedron: Vec<[f64; 3]> = (0..6)
        .map(|i| std::array::from_fn(|j| if j == i / 2 { if i % 2 == 0 { r } else { -r } } else { 0.0 }))
        .collect();
    let sideways = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    vec![
        ("ball", body().surface(Sphere::new(r).unwrap()), r),
        ("box", body().surface(Cuboid::new([2.0 * r, 3.0 * r, 2.0 * r]).unwrap()), r),
        ("ellipsoid", body().surface(Ellipsoid::new([1.5 * r, 1.2 * r, r]).unwrap()), r),
        ("octahedron", body().surface(Polyhedron::new(&octahedron).unwrap()), r),
        ("superellipsoid", body().surface(Superellipsoid::new([r; 3], [3.0, 3.0, 2.5]).unwrap()), r),
        ("lying cylinder", body().orientation(sideways).surface(Cylinder::new(r, 3.0 * r).unwrap()), r),
        ("lying capsule", body().orientation(sideways).surface(Capsule::new(r, 3.0 * r).unwrap()), r),
        ("flat torus", body().surface(Torus::new(2.0 * r, r).unwrap()), r),
        (
            "two balls",
            body()
                .surface(SurfaceSpec::new(Sphere::new(r).unwrap()).at([2.0 * r, 0.0, 0.0]))
                .surface(SurfaceSpec::new(Sphere::new(r).unwrap()).at([-2.0 * r, 0.0, 0.0])),
            r,
        ),
    ]
}

/// What stays where it is, its top that far above the origin.
fn obstacles(thickness: f64) -> Vec<(&'static str, Body, f64)> {
    let half = 0.5 * thickness;
    let fixed = || Body::fixed("obstacle");
    // z = (x² + y² − 1)/2: a sheet without thickness, hollow upwards
    let region = Region::new([-1.0, -1.0, -0.6], [1.0, 1.0, 0.5]).unwrap();
    let dish = Quadric::new(&[1.0, 1.0, 0.0, 0.0, 0.0, -2.0], Some(region)).unwrap();
    let across = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    vec![
        ("plane", fixed().surface(Plane), 0.0),
        ("plate", fixed().surface(Cuboid::new([1.0, 1.0, thickness]).unwrap()), half),
        ("disc", fixed().surface(Ellipsoid::new([1.0, 1.0, half]).unwrap()), half),
        ("rod", fixed().orientation(across).surface(Capsule::new(half, 1.0).unwrap()), half),
        ("dish", fixed().surface(dish), -0.5),
    ]
}

/// A share of the speed by which what comes back may be off: of steps that are given there are some twenty to an impact, of second order.
fn allowed(method: &str) -> f64 {
    if method == "verlet" { 0.05 } else { 0.01 }
}

#[test]
fn every_shape_comes_back() {
    let (mut dice, mut tally) = (Dice(0x9e3779b97f4a7c15), Tally::new());
    let mut pairs = 0;
    for trial in 0..45 {
        let (v, thickness, r) = (dice.log(1e-3, 1e6), dice.log(1e-3, 0.1), dice.log(1e-3, 0.1));
        let (far, depth) = (dice.log(1.0, 1e3) * r, dice.log(1e-3, 0.1) * thickness.min(r));
        let (mover, obstacle) = (trial % 9, trial / 9);
        let (name, body, below) = movers(r).swap_remove(mover);
        let (other, wall, top) = obstacles(thickness).swap_remove(obstacle);
        // a torus that lies flat on something round touches it all along a circle
        if name == "flat torus" && other != "plane" {
            continue;
        }
        let start = top + below + far;
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(body.position([0.0, 0.0, start]).velocity([0.0, 0.0, -v]));
        b.body(wall);
        let stiffness = 1.25 * v * v / depth.powf(2.5);
        b.contact(ContactRule::between("mover", "obstacle").normal(Hertz::new().stiffness(stiffness)));
        // (not every shape meets every other)
        let Ok(model) = b.build() else { continue };
        pairs += 1;
        let duration = 2.0 * far / v + 20.0 * depth / v;
        for way in ways(duration, &mut dice) {
            let describe = || {
                format!(
                    "{name} on {other} v {v:.1e} thick {thickness:.1e} r {r:.1e} far {far:.1e} depth {depth:.1e} {way:?}"
                )
            };
            match way.run(&model, duration, 1e-6) {
                Ok(run) => {
                    let back = run.end.body("mover").unwrap().velocity.z / v;
                    tally.note((back - 1.0).abs() < allowed(way.method), || {
                        format!("{}: {back}, {} touches", describe(), run.summary.touches)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    assert!(pairs > 20, "{pairs}");
    tally.end();
}

/// A ring in slices, as it falls flat, upright and tilted.
#[test]
fn a_ring_in_slices() {
    let (mut dice, mut tally) = (Dice(0x2545f4914f6cdd1d), Tally::new());
    for tilt in [0.0, std::f64::consts::FRAC_PI_2] {
        let (v, minor) = (dice.log(1e-3, 1e5), dice.log(1e-3, 0.1));
        let depth = dice.log(1e-3, 0.05) * minor;
        let lowest = 0.3 * f64::sin(tilt) + minor;
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let turned = Quat::from_axis_angle(&Vec3::x_axis(), tilt);
        let ring = Body::new("ring")
            .mass(1.0)
            .inertia([0.1; 3])
            .orientation(turned)
            .surface(Torus::new(0.3, minor).unwrap());
        b.body(ring.position([0.0, 0.0, lowest + 1.0]).velocity([0.0, 0.0, -v]));
        b.body(Body::fixed("floor").surface(Plane));
        let law = Hertz::new().stiffness(1.25 * v * v / depth.powf(2.5));
        b.contact(ContactRule::between("ring", "floor").normal(law).solver(Slices::new(18).unwrap()));
        let (model, duration) = (b.build().unwrap(), 2.0 / v);
        for way in ways(duration, &mut dice) {
            let describe = || format!("tilt {tilt:.2} v {v:.1e} minor {minor:.1e} depth {depth:.1e} {way:?}");
            match way.run(&model, duration, 1e-6) {
                Ok(run) => {
                    let back = run.end.body("ring").unwrap().velocity.z / v;
                    tally.note((back - 1.0).abs() < allowed(way.method), || {
                        format!("{}: {back}, {} touches", describe(), run.summary.touches)
                    });
                }
                Err(e) => tally.note(false, || format!("{}: {e}", describe())),
            }
        }
    }
    tally.end();
}
