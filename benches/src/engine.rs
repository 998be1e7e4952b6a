//! Contender a: Carom as its users have it.

use carom::prelude::*;

use crate::ball::{self, DROP, DURATION, EnergyError, MASS, Outcome, RADIUS};

/// The model. Building it is not timed.
pub(crate) fn model() -> Result<Model, Box<dyn std::error::Error>> {
    let mut b = ModelBuilder::new();
    let ball = Body::new("ball").mass(MASS).position([0.0, 0.0, RADIUS + DROP]);
    b.gravity([0.0, 0.0, -ball::G]);
    b.body(ball.surface(Sphere::new(RADIUS)?));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(ball::stiffness())));
    Ok(b.build()?)
}

/// One run.
pub(crate) fn run(model: &Model, rtol: f64) -> Result<Outcome, String> {
    let run = Simulation::new(model).duration(DURATION).rtol(rtol).run().map_err(|e| e.to_string())?;
    let end = run.end.body("ball").ok_or("no ball")?;
    let stats = run.summary.stats;
    Ok(Outcome {
        touches: run.summary.touches,
        steps: stats.steps,
        evaluations: stats.evaluations,
        gap: end.position.z - RADIUS,
    })
}

/// The same run, watched.
pub(crate) fn energy_error(model: &Model, rtol: f64) -> Result<f64, String> {
    let mut recording = Recording::default();
    let simulation = Simulation::new(model).duration(DURATION).rtol(rtol).output(Output::Steps);
    simulation.run_into(&mut recording).map_err(|e| e.to_string())?;
    let mut error = EnergyError::default();
    for frame in &recording.frames {
        let ball = frame.bodies.first().ok_or("no ball")?;
        error.see(ball.position.z, ball.velocity.z);
    }
    Ok(error.0)
}
