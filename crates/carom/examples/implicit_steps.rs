//! What implicit steps cost with the exact Jacobian, and with differences: the table of the book's page on verification.
//!
//! `cargo xtask implicit-steps [RTOL]`
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a program for the terminal"
)]

#[path = "../tests/stiff/mod.rs"]
mod stiff;

use carom::RunError;
use carom::ode::Stats;
use carom::prelude::*;

/// A column: its head, and what it counts.
type Column = (&'static str, fn(&Stats) -> usize);

const COLUMNS: [Column; 6] = [
    ("steps", |s| s.steps),
    ("evaluations", |s| s.evaluations),
    ("for differences", |s| s.differences),
    ("Jacobians", |s| s.jacobians),
    ("factorisations", |s| s.factorisations),
    ("diverged", |s| s.diverged),
];

fn main() -> Result<(), RunError> {
    let rtol = std::env::args().nth(1).and_then(|rtol| rtol.parse().ok()).unwrap_or(1e-6);
    println!("| scene | method | {} |", COLUMNS.map(|(head, _)| head).join(" | "));
    println!("|---|---|{}", "---|".repeat(COLUMNS.len()));
    let methods = ["radau5", "ode15s", "auto"];
    let mut total = methods.map(|_| [[0; COLUMNS.len()]; 2]);
    for (name, model, duration) in &stiff::scenes() {
        for (method, total) in methods.iter().zip(&mut total) {
            let run = |exact: bool| -> Result<[usize; COLUMNS.len()], RunError> {
                let simulation = Simulation::new(model).duration(*duration).method(method).rtol(rtol);
                let stats = simulation.exact_jacobian(exact).run()?.summary.stats;
                Ok(COLUMNS.map(|(_, count)| count(&stats)))
            };
            let both = [run(true)?, run(false)?];
            line(name, method, &both);
            for (total, counts) in total.iter_mut().zip(&both) {
                total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
            }
        }
    }
    methods.iter().zip(&total).for_each(|(method, total)| line("all", method, total));
    Ok(())
}

/// exact / differences, of every count.
fn line(scene: &str, method: &str, [exact, differences]: &[[usize; COLUMNS.len()]; 2]) {
    let counts: Vec<String> = exact.iter().zip(differences).map(|(a, b)| format!("{a} / {b}")).collect();
    println!("| {scene} | `{method}` | {} |", counts.join(" | "));
}
