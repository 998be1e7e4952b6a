//! A rack of fifteen billiard balls, touching each other, hit by the cue ball: momentum and energy.
//!
//! `cargo run --release --example billiard_break`
#![allow(clippy::print_stdout, reason = "an example for the terminal")]

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (diameter, mass): (f64, f64) = (0.05715, 0.17);
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0; 3]).material(Material::new("resin").youngs_modulus(5.84e9).poisson_ratio(0.34));
    let sphere = Sphere::new(diameter / 2.0)?;
    let ball = |name: &str, x: f64, y: f64| {
        let skin = SurfaceSpec::new(sphere).material("resin");
        Body::new(name).mass(mass).position([x, y, 0.0]).surface(skin)
    };
    builder.body(ball("cue", -0.2, 0.001).velocity([5.0, 0.0, 0.0]));
    for row in 0..5 {
        for j in 0..=row {
            let (x, y) = (f64::from(row) * 3f64.sqrt() / 2.0, f64::from(j) - f64::from(row) / 2.0);
            builder.body(ball(&format!("{row}{j}"), x * diameter, y * diameter));
        }
    }
    builder.contact(ContactRule::between("*", "*"));
    let model = builder.build()?;
    let run = Simulation::new(&model).duration(0.1).rtol(1e-10).run()?;
    println!("{}", run.summary);
    let momentum: Vec3 = run.end.frame.bodies.iter().map(|b| b.velocity * mass).sum();
    println!("momentum 0.85 kg m/s -> {:.15}, {:.1e}", momentum.x, momentum.y);
    Ok(())
}
