//! Solids that have no contact points, in motion by pressure over their patches: one pair of every class, elastic.

use carom::geometry::Region;
use carom::geometry::surfaces::{
    Ellipsoid, LevelFunction, Quadric, Superellipsoid, Superquadric, Supertorus,
};
use carom::prelude::*;

/// Two free bodies, without gravity, the second on its way to the first with velocity `v` from `x`, for a time: energy is kept to the
/// tolerance, and momentum to rounding, as forces on both are the same.
fn meet(name: &str, a: SurfaceSpec, b: SurfaceSpec, x: [f64; 3], v: [f64; 3], stiffness: f64, duration: f64) {
    let mut m = ModelBuilder::new();
    m.gravity([0.0; 3]);
    let q = Quat::from_scaled_axis(Vec3::new(0.02, 0.03, 0.01));
    m.body(Body::new("a").mass(5.0).inertia([1.0; 3]).surface(a));
    m.body(Body::new("b").mass(1.0).inertia([0.1; 3]).surface(b).position(x).orientation(q).velocity(v));
    let law = Foundation::new(stiffness).unwrap();
    m.contact(ContactRule::between("a", "b").normal(law).solver(Pressure::default()));
    let model = m.build().unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut recording = Recording::default();
    let sim = Simulation::new(&model).method("dop853").rtol(1e-10).atol(1e-13).duration(duration);
    let run = sim.output_every(0.02 * duration).run_into(&mut recording);
    let run = run.unwrap_or_else(|e| panic!("{name}: {e}"));
    let audit = &run.summary.audit;
    assert!(!recording.events.is_empty(), "{name}: they do not meet");
    let stored = recording.frames.iter().map(|f| f.energy.elastic).fold(0.0, f64::max);
    assert!(stored > 0.0, "{name}: nothing is stored");
    assert!(audit.energy_relative < 1e-9, "{name}: energy {:e}", audit.energy_relative);
    assert!(audit.momentum_relative < 1e-14, "{name}: momentum {:e}", audit.momentum_relative);
}

fn inside(surface: impl Into<SurfaceSpec>) -> SurfaceSpec {
    surface.into().inside()
}

#[test]
fn a_cylinder_in_a_cone_keeps_energy() {
    let can = || Cylinder::new(0.1, 0.2).unwrap();
    let cone = Cone::new(0.2, 0.3, 0.6).unwrap();
    meet("cylinder in cone", inside(cone), can().into(), [0.0, 0.0, 0.0], [1.0, 0.2, -0.3], 1e6, 0.25);
}

#[test]
fn a_cone_in_a_cone_keeps_energy() {
    let cone = Cone::new(0.2, 0.3, 0.6).unwrap();
    let plug = Cone::new(0.11, 0.16, 0.3).unwrap();
    meet("cone in cone", inside(cone), plug.into(), [0.0, 0.0, -0.1], [0.2, 0.0, -1.0], 1e6, 0.4);
}

#[test]
#[ignore = "takes 5 s: cargo xtask verify pressure"]
fn an_egg_in_a_bowl_keeps_energy() {
    let bowl = Ellipsoid::new([0.5, 0.4, 0.3]).unwrap();
    let egg = Ellipsoid::new([0.3, 0.3, 0.28]).unwrap();
    meet("egg in a bowl", inside(bowl), egg.into(), [0.0, 0.0, 0.0], [0.1, 0.0, -1.0], 1e6, 0.08);
}

#[test]
#[ignore = "takes 8 s: cargo xtask verify pressure"]
fn rings_keep_energy() {
    let ring = || Torus::new(0.2, 0.05).unwrap();
    let can = Cylinder::new(0.4, 0.6).unwrap();
    meet("torus in a cylinder", inside(can), ring().into(), [0.0; 3], [1.0, 0.1, 0.0], 1e6, 0.25);
    let brick = Cuboid::new([0.6, 0.6, 0.1]).unwrap();
    meet("torus on a box", brick.into(), ring().into(), [0.0, 0.0, 0.12], [0.1, 0.0, -1.0], 1e6, 0.06);
}

#[test]
#[ignore = "takes 45 s: cargo xtask verify pressure"]
fn supertori_keep_energy() {
    let link = || Supertorus::new(0.2, [0.05, 0.06], [4.0, 3.0]).unwrap();
    let brick = || Cuboid::new([0.6, 0.6, 0.1]).unwrap();
    meet("supertorus on a box", brick().into(), link().into(), [0.0, 0.0, 0.13], [0.0, 0.0, -1.0], 1e6, 0.06);
    let room = Cylinder::new(0.4, 0.6).unwrap();
    meet("supertorus in a cylinder", inside(room), link().into(), [0.0; 3], [1.0, 0.1, 0.0], 1e6, 0.3);
}

#[test]
#[ignore = "takes 7 s: cargo xtask verify pressure"]
fn a_sheet_keeps_energy() {
    // z = x² + y² − 1
    let region = Region::new([-1.0, -1.0, -1.0], [1.0, 1.0, -0.5]).unwrap();
    let dish = Quadric::new(&[1.0, 1.0, 0.0, 0.0, 0.0, -1.0], Some(region)).unwrap();
    let can = Cylinder::new(0.1, 0.2).unwrap();
    meet("a sheet and a cylinder", dish.into(), can.into(), [0.0, 0.0, -0.88], [0.0, 0.0, -1.0], 1e6, 0.08);
}

#[test]
#[ignore = "takes 16 s: cargo xtask verify pressure"]
fn a_superquadric_sheet_keeps_energy() {
    let region = Region::new([-1.4, -1.7, -0.9], [1.6, 1.5, 0.8]).unwrap();
    let sheet = Superquadric::new(&[1.2, 0.8, -0.6], &[2.5, 3.5], region).unwrap();
    let can = Cylinder::new(0.1, 0.2).unwrap();
    let name = "a superquadric sheet and a cylinder";
    meet(name, sheet.into(), can.into(), [0.75, 0.0, 0.0], [1.0, 0.0, 0.0], 1e6, 0.2);
}

#[test]
#[ignore = "takes 30 s: cargo xtask verify pressure"]
fn boxy_superellipsoids_keep_energy() {
    let brick = || Superellipsoid::new([0.2, 0.15, 0.1], [8.0, 8.0, 8.0]).unwrap();
    let (x, v) = ([0.03, 0.02, 0.22], [0.1, 0.0, -1.0]);
    meet("two boxy superellipsoids", brick().into(), brick().into(), x, v, 1e6, 0.06);
    let pebble = Superellipsoid::barr([0.2, 0.15, 0.1], [3.0, 3.0]).unwrap();
    meet("a boxy superellipsoid and one of Barr's", brick().into(), pebble.into(), x, v, 1e6, 0.06);
}

#[test]
#[ignore = "takes 13 s: cargo xtask verify pressure"]
fn superellipsoids_keep_energy() {
    let stone = || Superellipsoid::new([0.2, 0.15, 0.1], [4.0, 3.0, 2.5]).unwrap();
    let (x, v) = ([0.02, 0.01, 0.22], [0.1, 0.0, -1.0]);
    meet("two superellipsoids", stone().into(), stone().into(), x, v, 1e6, 0.06);
}

#[test]
#[ignore = "takes 15 s: cargo xtask verify pressure"]
fn a_level_function_keeps_energy() {
    // |x|⁴ − 1.6 z² + 0.2 (x² + y²) = 0.05 with lengths in units of 0.2 m: a waist between two bulges
    let s = 1.0 / (0.2f64 * 0.2);
    let f = move |x: &Vec3| {
        let (square, z) = (x.norm_squared() * s, x.z * x.z * s);
        square * square - 1.6 * z + 0.2 * (square - z) - 0.05
    };
    let slope = move |x: &Vec3| {
        x * (4.0 * s * s * x.norm_squared()) + Vec3::new(0.4 * x.x, 0.4 * x.y, -3.2 * x.z) * s
    };
    let region = Region::new([-0.32; 3], [0.32; 3]).unwrap();
    let waisted = LevelFunction::with_gradient(region, f, slope).unwrap();
    let brick = Cuboid::new([0.6, 0.6, 0.1]).unwrap();
    let (x, v) = ([0.0, 0.0, 0.33], [0.1, 0.0, -1.0]);
    meet("a level function on a box", brick.into(), waisted.into(), x, v, 1e6, 0.1);
}

/// A pebble falls askew on a cushion with ripples, is pressed into it over several of them, and leaves it turning.
#[test]
#[ignore = "takes 80 s: cargo xtask verify pressure"]
fn a_pebble_on_a_rippled_cushion_keeps_energy() {
    let (w, h, k, c) = (0.3, 0.1, 40.0, 0.02);
    let f = move |x: &Vec3| {
        let ripples = c * (k * x.x).sin() * (k * x.y).sin();
        (x.x / w).powi(2) + (x.y / w).powi(2) + (x.z / h).powi(2) - 1.0 + ripples
    };
    let slope = move |x: &Vec3| {
        let (a, b) = ((k * x.x).sin_cos(), (k * x.y).sin_cos());
        let [along, across] =
            [2.0 * x.x / (w * w) + c * k * a.1 * b.0, 2.0 * x.y / (w * w) + c * k * a.0 * b.1];
        Vec3::new(along, across, 2.0 * x.z / (h * h))
    };
    let region = Region::new([-0.35, -0.35, -0.12], [0.35, 0.35, 0.12]).unwrap();
    let cushion = LevelFunction::with_gradient(region, f, slope).unwrap();
    let pebble = Superellipsoid::barr([0.04, 0.03, 0.02], [3.0, 2.6]).unwrap();
    let (x, v) = ([0.05, 0.03, 0.119], [0.05, 0.0, -0.3]);
    meet("a pebble on a rippled cushion", cushion.into(), pebble.into(), x, v, 1e7, 0.06);
}

/// A ring between a floor, on which it lies flat, and a plug that falls into it a little beside its middle, and out again: both patches are narrow bands all round.
#[test]
#[ignore = "takes 15 s: cargo xtask verify pressure"]
fn an_o_ring_in_its_seat_keeps_energy() {
    let mut m = ModelBuilder::new();
    m.gravity([0.0; 3]);
    m.body(Body::fixed("floor").surface(Plane));
    let ring = Body::new("ring").mass(0.1).inertia([6e-4, 6e-4, 1e-3]).position([0.0, 0.0, 0.025]);
    m.body(ring.surface(Torus::new(0.1, 0.025).unwrap()));
    let plug = Body::new("plug").mass(1.0).inertia([1e-3; 3]).position([1e-3, 0.0, 0.068]);
    m.body(plug.velocity([0.0, 0.0, -1.0]).surface(Cone::new(0.06, 0.14, 0.08).unwrap()));
    for other in ["floor", "plug"] {
        m.contact(
            ContactRule::between("ring", other)
                .normal(Foundation::new(1e8).unwrap())
                .solver(Pressure::default()),
        );
    }
    let model = m.build().unwrap();
    let mut recording = Recording::default();
    let sim = Simulation::new(&model).method("dop853").rtol(1e-10).atol(1e-13).duration(0.02);
    let run = sim.output_every(1e-3).run_into(&mut recording).unwrap();
    let stored = recording.frames.iter().map(|f| f.energy.elastic).fold(0.0, f64::max);
    assert!(recording.events.len() > 2 && stored > 0.1, "{stored}");
    assert!(run.summary.audit.energy_relative < 1e-9, "{}", run.summary);
    println!("{}", run.summary);
}
