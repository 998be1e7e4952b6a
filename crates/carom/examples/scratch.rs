#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use carom::prelude::*;
use std::time::Instant;
fn main() {
    let k = 4.0 / 3.0 * 1e9 * 0.02f64.sqrt();
    for p in [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] {
        let mut b = ModelBuilder::new();
        b.body(Body::new("ball").mass(0.1).surface(Sphere::new(0.02).unwrap()).position([0.0, 0.0, 0.07]));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(k)));
        let model = b.build().unwrap();
        let sim = Simulation::new(&model).duration(1.0).rtol(10f64.powi(-p));
        let mut best = f64::MAX;
        for _ in 0..200 {
            let t = Instant::now();
            sim.run().unwrap();
            best = best.min(t.elapsed().as_secs_f64());
        }
        let run = sim.run().unwrap();
        println!(
            "1e-{p}: {:.4} ms audit {:.1e} ns/eval {:.1} {:?}",
            best * 1e3,
            run.summary.energy.audit.abs() / (0.1 * 9.81 * 0.05),
            best * 1e9 / run.summary.stats.evaluations as f64,
            run.summary.stats
        );
    }
}
