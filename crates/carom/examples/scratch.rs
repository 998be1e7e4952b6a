#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use carom::prelude::*;
fn main() {
    for (name, law) in [("hertz", None), ("LN .5", Some(0.5)), ("LN .9", Some(0.9))] {
        for method in ["dop853", "ode45"] {
            for p in [4, 6, 8, 9, 10, 11, 12, 13, 14] {
                let mut b = ModelBuilder::new();
                b.gravity([0.0; 3]);
                let ball = Body::new("ball").mass(1.0).surface(Sphere::new(0.05).unwrap());
                b.body(ball.position([0.0, 0.0, 0.05]).velocity([0.0, 0.0, -1.0]));
                b.body(Body::fixed("wall").surface(Plane));
                let r = ContactRule::between("ball", "wall");
                b.contact(match law {
                    None => r.normal(Hertz::new().stiffness(1.4e8)),
                    Some(c) => r.normal(LankaraniNikravesh::restitution(c).unwrap().stiffness(1.4e8)),
                });
                let m = b.build().unwrap();
                let run =
                    Simulation::new(&m).method(method).duration(0.003).rtol(10f64.powi(-p)).run().unwrap();
                let v = run.end.body("ball").unwrap().velocity.z;
                println!(
                    "{name} {method} 1e-{p}: audit {:.1e} v {:.15} steps {} rej {} ev {}",
                    run.summary.audit_relative,
                    v,
                    run.summary.stats.steps,
                    run.summary.stats.rejected,
                    run.summary.stats.evaluations
                );
            }
        }
    }
}
