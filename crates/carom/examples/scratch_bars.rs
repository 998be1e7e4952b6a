use carom::prelude::*;
fn windows(n: usize) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, -9.81, 0.0]).body(Body::fixed("ground"));
    let bar = |name: &str| Body::new(name).mass(1.0).inertia([1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]);
    let axis = [0.0, 0.0, 1.0];
    for i in 0..=n {
        let (x, name) = (i as f64, format!("crank{i}"));
        b.body(
            bar(&name).position([x, 0.5, 0.0]).velocity([0.5, 0.0, 0.0]).angular_velocity([0.0, 0.0, -1.0]),
        );
        b.joint(Joint::between(&name, "ground", Revolute).at([x, 0.0, 0.0]).axis(axis));
    }
    for i in 0..n {
        let (x, name) = (i as f64, format!("coupler{i}"));
        b.body(bar(&name).position([x + 0.5, 1.0, 0.0]).velocity([1.0, 0.0, 0.0]));
        b.joint(Joint::between(&name, &format!("crank{i}"), Revolute).at([x, 1.0, 0.0]).axis(axis));
        b.joint(
            Joint::between(&name, &format!("crank{}", i + 1), Revolute).at([x + 1.0, 1.0, 0.0]).axis(axis),
        );
    }
    b.build().unwrap()
}
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let method = std::env::args().nth(2).unwrap();
    let model = windows(n);
    let angles: [(f64, f64); 5] = if n == 2 {
        [
            (0.5, 0.768818627555206042),
            (1.0, 3.33787080310509773),
            (2.0, 6.34103336131233161),
            (5.0, 16.6543534866534826),
            (10.0, 31.7505971869861018),
        ]
    } else {
        [
            (0.5, 0.758627516082763194),
            (1.0, 3.25720692490981343),
            (2.0, 6.31765844203611685),
            (5.0, 16.2786261969349783),
            (10.0, 31.5974337439857377),
        ]
    };
    for e in 4..13 {
        let rtol = 10f64.powi(-e);
        let mut rec = Recording::default();
        let start = std::time::Instant::now();
        let run = Simulation::new(&model)
            .method(&method)
            .duration(10.0)
            .rtol(rtol)
            .atol(rtol)
            .output(Output::At(angles.iter().map(|a| a.0).collect()))
            .run_into(&mut rec);
        let offs: Vec<String> = rec
            .frames
            .iter()
            .zip(angles)
            .map(|(f, a)| {
                let p = f.bodies[0].position * 2.0;
                format!("{:.1e}", (p.x - a.1.sin()).abs().max((p.y - a.1.cos()).abs()))
            })
            .collect();
        match run {
            Ok(r) => println!(
                "1e-{e} {offs:?} audit {:.1e} steps {} rejected {} evals {} {:?}",
                r.summary.audit_relative,
                r.summary.stats.steps,
                r.summary.stats.rejected,
                r.summary.stats.evaluations,
                start.elapsed()
            ),
            Err(x) => println!("1e-{e} {offs:?} {x}"),
        }
    }
}
