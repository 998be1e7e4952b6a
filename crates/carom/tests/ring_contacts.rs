//! Rings in slices against all kinds of surfaces: energy, forces, and that nothing is passed through.

use carom::geometry::Shape;
use carom::geometry::surfaces::Supertorus;
use carom::prelude::*;
use carom::{Recording, Summary};

fn ring() -> SurfaceSpec {
    SurfaceSpec::new(Torus::new(0.025, 0.005).unwrap())
}

fn link() -> SurfaceSpec {
    SurfaceSpec::new(Supertorus::new(0.025, [0.004, 0.006], [3.0, 4.0]).unwrap())
}

/// A ring of that surface over something fixed, with slices and a stiffness of all of them together.
struct Drop {
    surface: SurfaceSpec,
    other: SurfaceSpec,
    at: [f64; 3],
    tilt: [f64; 3],
    velocity: [f64; 3],
}

impl Drop {
    fn model(&self, damping: f64, friction: bool) -> Model {
        let mut b = ModelBuilder::new();
        let turn = Quat::from_euler_angles(self.tilt[0], self.tilt[1], self.tilt[2]);
        let ring =
            Body::new("ring").mass(0.1).inertia([3.2e-5, 3.2e-5, 6.2e-5]).surface(self.surface.clone());
        b.body(ring.position(self.at).orientation(turn).velocity(self.velocity));
        b.body(Body::fixed("other").surface(self.other.clone()));
        let law = HuntCrossley::damping(damping).unwrap().stiffness(1e8);
        let rule = ContactRule::between("ring", "other").normal(law).solver(Slices::new(24).unwrap());
        b.contact(if friction { rule.friction(Tanh::new(0.3, 100.0).unwrap()) } else { rule });
        b.build().unwrap()
    }

    fn run(&self, damping: f64, friction: bool, duration: f64) -> (Recording, Summary) {
        let model = self.model(damping, friction);
        let mut r = Recording::default();
        let sim = Simulation::new(&model).duration(duration).rtol(1e-10).output(Output::Every(1e-3));
        let run = sim.run_into(&mut r).unwrap_or_else(|e| panic!("{:?}: {e}", self.other));
        (r, run.summary)
    }
}

/// What a ring can fall on or into, with the height to drop it from.
fn others() -> Vec<(&'static str, SurfaceSpec, [f64; 3])> {
    vec![
        ("plane", SurfaceSpec::new(Plane), [0.0, 0.0, 0.05]),
        ("ball", SurfaceSpec::new(Sphere::new(0.04).unwrap()), [0.01, 0.005, 0.08]),
        ("box", SurfaceSpec::new(Cuboid::new([0.2, 0.2, 0.1]).unwrap()), [0.0, 0.0, 0.09]),
        ("edge of a box", SurfaceSpec::new(Cuboid::new([0.1, 0.1, 0.1]).unwrap()), [0.05, 0.0, 0.09]),
        ("barrel", SurfaceSpec::new(Cylinder::new(0.06, 0.4).unwrap()).turned(lying()), [0.01, 0.0, 0.1]),
        ("rod", SurfaceSpec::new(Capsule::new(0.03, 0.3).unwrap()).turned(lying()), [0.004, 0.0, 0.08]),
        ("post through it", SurfaceSpec::new(Cylinder::new(0.01, 0.4).unwrap()), [0.0, 0.0, 0.1]),
        ("bowl", SurfaceSpec::new(Sphere::new(0.1).unwrap()).inside(), [0.01, 0.0, -0.02]),
        ("crate", SurfaceSpec::new(Cuboid::new([0.12, 0.12, 0.12]).unwrap()).inside(), [0.0, 0.0, 0.0]),
        ("can", SurfaceSpec::new(Cylinder::new(0.06, 0.12).unwrap()).inside(), [0.01, 0.0, 0.0]),
    ]
}

fn lying() -> Quat {
    Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2)
}

/// Neither damping nor friction: energy is kept through touches and releases of slices.
#[test]
fn energy_is_kept_on_everything() {
    for (name, other, at) in others() {
        for (kind, surface) in [("torus", ring()), ("supertorus", link())] {
            let tilt = if name == "post through it" { [0.1, 0.0, 0.0] } else { [0.5, 0.3, 0.2] };
            let velocity = if name == "post through it" { [0.3, 0.0, 0.0] } else { [0.0; 3] };
            let drop = Drop { surface, other: other.clone(), at, tilt, velocity };
            let (_, summary) = drop.run(0.0, false, 0.15);
            assert!(summary.contacts > 0, "{name}: {summary}");
            assert!(summary.audit_relative < 1e-8, "{kind} on {name}: {summary}");
        }
    }
}

/// Damped and rubbed, the ledger closes as well, and the ring is still where it can be.
#[test]
fn damped_and_rubbed() {
    for (name, other, at) in others() {
        let drop = Drop { surface: ring(), other, at, tilt: [0.4, 0.1, 0.0], velocity: [0.1, 0.0, 0.0] };
        let (r, summary) = drop.run(0.5, true, 0.15);
        assert!(summary.audit_relative < 1e-8, "{name}: {summary}");
        let end = r.frames.last().unwrap().energy;
        assert!(end.dissipated_normal > 0.0 && end.dissipated_friction > 0.0, "{name}: {summary}");
        assert!(summary.max_indentation < 0.002, "{name}: {summary}");
    }
}

/// A ring at rest on a box carries its weight, in equal shares.
#[test]
fn the_weight_of_a_ring_on_a_table() {
    for (half, surface) in [(0.005, ring()), (0.006, link())] {
        let table = SurfaceSpec::new(Cuboid::new([0.2, 0.2, 0.1]).unwrap());
        let sunk = (0.1 * 9.81 / 1e8_f64).powf(2.0 / 3.0);
        let at = [0.0, 0.0, 0.05 + half - sunk];
        let drop = Drop { surface, other: table, at, tilt: [0.0; 3], velocity: [0.0; 3] };
        let (r, summary) = drop.run(0.5, false, 0.05);
        let z = r.frames.last().unwrap().bodies[0].position.z;
        assert!((z - at[2]).abs() < 1e-12, "{} {}", z - at[2], summary);
        assert!((summary.peak_force / 0.981 - 1.0).abs() < 1e-6, "{summary}");
    }
}

/// Shares of a supertorus' slices go with their lengths, and add up to one.
#[test]
fn shares_add_up() {
    let link = Shape::outside(Supertorus::new(0.025, [0.004, 0.006], [3.0, 4.0]).unwrap());
    for other in [Shape::outside(Plane), Shape::outside(Cuboid::new([1.0; 3]).unwrap())] {
        let pair = carom::geometry::pairs::bind_by(&Slices::new(17).unwrap(), &other, &link).unwrap();
        let x = carom::geometry::Pose::at(Vec3::new(0.0, 0.0, 0.6));
        let share = |k| pair.contact(k, &carom::geometry::Pose::identity(), &x).unwrap().share;
        assert!(((0..17).map(share).sum::<f64>() - 1.0).abs() < 1e-13);
    }
}
