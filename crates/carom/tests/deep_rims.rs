//! Soft solids with rims, edges and tips that go in one another by a tenth to a fifth of their size: forces keep their potential, and no run ends.

use carom::geometry::Surface;
use carom::geometry::surfaces::{Capsule, Cone, Cylinder, Polyhedron};
use carom::prelude::{
    Body, ContactRule, Cuboid, Hertz, HuntCrossley, Model, ModelBuilder, Quat, Simulation, SurfaceSpec, Vec3,
};
use std::sync::Arc;

fn can() -> Arc<dyn Surface> {
    Arc::new(Cylinder::new(0.03, 0.08).unwrap())
}

fn disc() -> Arc<dyn Surface> {
    Arc::new(Cylinder::new(0.04, 0.03).unwrap())
}

fn frustum() -> Arc<dyn Surface> {
    Arc::new(Cone::new(0.04, 0.02, 0.07).unwrap())
}

fn cone() -> Arc<dyn Surface> {
    Arc::new(Cone::new(0.04, 0.0, 0.07).unwrap())
}

fn prism() -> Arc<dyn Surface> {
    let corner = |k: u32| {
        let (sin, cos) = (std::f64::consts::FRAC_PI_3 * f64::from(k % 6)).sin_cos();
        [0.035 * cos, 0.035 * sin, if k < 6 { -0.03 } else { 0.03 }]
    };
    Arc::new(Polyhedron::new(&(0..12).map(corner).collect::<Vec<_>>()).unwrap())
}

/// Two free bodies, the upper one at a place and a lean, that meet at 1 m/s.
fn meeting(
    [low, high]: [&Arc<dyn Surface>; 2],
    solver: Option<&str>,
    at: [f64; 3],
    turn: [f64; 3],
    damping: f64,
) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let body = |name: &str, surface: &Arc<dyn Surface>| {
        Body::new(name).density(1000.0).surface(SurfaceSpec::from_arc(Arc::clone(surface)))
    };
    b.body(body("low", low).angular_velocity([1.0, 2.0, 0.0]));
    let turn = Quat::from_scaled_axis(Vec3::from(turn));
    b.body(body("high", high).position(at).orientation(turn).velocity([0.0, 0.0, -1.0]));
    let stiffness = 6e4;
    let mut rule = match damping {
        0.0 => ContactRule::between("low", "high").normal(Hertz::new().stiffness(stiffness)),
        _ => {
            let law = HuntCrossley::damping(damping).unwrap().stiffness(stiffness);
            ContactRule::between("low", "high").normal(law)
        }
    };
    if let Some(name) = solver {
        let entry = carom::geometry::pairs::NAMED.iter().find(|e| e.name == name).unwrap();
        rule = rule.solver_arc(entry.make(&Default::default()).unwrap());
    }
    b.contact(rule);
    b.build().unwrap()
}

#[test]
fn soft_rims_edges_and_tips_keep_energy_and_momentum() {
    let box_of = |size: [f64; 3]| -> Arc<dyn Surface> { Arc::new(Cuboid::new(size).unwrap()) };
    let rod: Arc<dyn Surface> = Arc::new(Capsule::new(0.01, 0.1).unwrap());
    let askew = [0.5, 0.3, 0.1];
    for (what, both, solver, at, turn) in [
        ("rim on rim", [&can(), &can()], None, [0.05, 0.0, 0.09], [0.0, 0.7, 0.0]),
        ("rim on rim, askew", [&can(), &can()], None, [0.04, 0.02, 0.09], askew),
        ("rim on rim, crowned", [&can(), &can()], Some("crowned"), [0.05, 0.0, 0.09], [0.0, 0.7, 0.0]),
        ("cap on cap, leaning", [&can(), &can()], None, [0.03, 0.01, 0.09], [0.0, 0.2, 0.0]),
        ("barrel on rim", [&can(), &can()], None, [0.04, 0.02, 0.08], [1.4, 0.2, 0.0]),
        ("disc on can", [&can(), &disc()], None, [0.05, 0.02, 0.08], askew),
        ("frustum on frustum", [&frustum(), &frustum()], None, [0.04, 0.01, 0.09], askew),
        ("cone on frustum", [&frustum(), &cone()], None, [0.03, 0.01, 0.08], [2.5, 0.4, 0.0]),
        ("tip on rim", [&can(), &cone()], None, [0.031, 0.0, 0.08], [3.1, 0.1, 0.0]),
        ("cone on can", [&can(), &cone()], None, [0.05, 0.02, 0.08], askew),
        ("prism on can", [&can(), &prism()], None, [0.04, 0.02, 0.09], askew),
        ("prism on prism", [&prism(), &prism()], None, [0.04, 0.02, 0.08], askew),
        ("can on box", [&box_of([0.1, 0.08, 0.06]), &can()], None, [0.06, 0.03, 0.08], askew),
        ("rod on prism", [&prism(), &rod], None, [0.03, 0.0, 0.06], [1.5, 0.0, 0.6]),
    ] {
        for (method, rtol, damping) in
            [("dop853", 1e-11, 0.0), ("radau5", 1e-10, 0.0), ("dop853", 1e-11, 0.3)]
        {
            let model = meeting(both, solver, at, turn, damping);
            let what = format!("{what}, {method}, {damping}");
            let run = Simulation::new(&model).duration(0.06).method(method).rtol(rtol).run();
            let summary = run.unwrap_or_else(|e| panic!("{what}: {e}")).summary;
            assert!(summary.touches > 0 && summary.max_indentation > 2e-3, "{what}: {summary}");
            assert!(summary.audit_relative < 1e-9, "{what}: {summary}");
            // (edges are further in one another than the depth says, which the audit of overlaps knows)
            assert!(!summary.to_string().contains("surfaces overlapped"), "{what}: {summary}");
            // (angular momentum is a product, which explicit methods keep as well as they integrate)
            let audit = summary.audit;
            let [linear, angular] = [audit.momentum_relative, audit.angular_momentum_relative];
            assert!(linear < 1e-14 && angular < 1e-12, "{what}: {linear:e} {angular:e}");
        }
    }
}
