//! A steel ball dropped on a steel floor: what the engine finds, and what the closed form says.
//!
//! `cargo run --release --example bouncing_ball`
#![allow(clippy::print_stdout, reason = "an example for the terminal")]

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    builder.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0));
    let steel = |s: SurfaceSpec| s.material("steel");
    builder.body(Body::new("ball").position([0.0, 0.0, 0.07]).surface(steel(Sphere::new(0.02)?.into())));
    builder.body(Body::fixed("floor").surface(steel(Plane.into())));
    builder.contact(ContactRule::between("ball", "floor").normal(LankaraniNikravesh::restitution(0.9)?));
    let model = builder.build()?;

    let mut recording = Recording::default();
    let run = Simulation::new(&model).duration(0.5).rtol(1e-10).run_into(&mut recording)?;
    println!("{}\n", run.summary);

    // Hertz stiffness of a steel ball on steel, and the speed of a fall of 0.05 m
    let k = 4.0 / 3.0 * (210e9 / (2.0 * (1.0 - 0.09))) * 0.02f64.sqrt();
    let v0 = f64::sqrt(2.0 * 9.81 * 0.05);
    let mass = model.mass("ball").unwrap_or(f64::NAN);
    let impact =
        carom::law::impact::StandardImpact { mass, v0, stiffness: k, exponent: 1.5, eta: 0.75 * 0.19 };
    let [touch, release, ..] = recording.events.as_slice() else { return Err("no bounce".into()) };
    println!("                      engine           closed form (without gravity during contact)");
    println!("effective restitution {:<16.12} {:.12}", release.speed / touch.speed, impact.restitution());
    println!("largest indentation   {:<16.9e} {:.9e} m", release.max_indentation, impact.max_indentation());
    println!("peak force            {:<16.6} {:.6} N", release.peak_force, impact.peak_force());
    Ok(())
}
