//! The paper's ring, and where it was found to be with quadruple precision.

use std::error::Error;
use std::f64::consts::FRAC_PI_3;

use carom::Summary;
use carom::prelude::*;
use serde_json::{Value, json};

use crate::Outcome;

/// How the ring is turned about x when it is dropped [rad].
const TILT: f64 = FRAC_PI_3;
/// Simulated time [s].
pub(crate) const DURATION: f64 = 1.0;
/// Slices of the case with a reference.
pub(crate) const SLICES: usize = 36;
/// Carom's methods that are tried.
pub(crate) const METHODS: [&str; 3] = ["dop853", "tsit5", "ode45"];

/// Parameters, and the centre of mass at some times.
pub(crate) struct Reference {
    parameters: Value,
    /// [s]
    pub(crate) times: Vec<f64>,
    /// [m]
    places: Vec<[f64; 3]>,
}

impl Reference {
    pub(crate) fn read() -> Result<Reference, Box<dyn Error>> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/carom/tests/data/torus.json");
        let data: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        let (mut times, mut places) = (Vec::new(), Vec::new());
        let states = data["case2"][SLICES.to_string()]["states"].as_array().ok_or("no states")?;
        for state in states {
            let t = state["t"].as_f64().ok_or("a state without t")?;
            // before, it falls freely
            if t >= 0.1 {
                times.push(t);
                places.push(place(&state["position"])?);
            }
        }
        if times.last() != Some(&DURATION) {
            return Err("the reference does not end with the run".into());
        }
        Ok(Reference { parameters: data["parameters"].clone(), times, places })
    }

    fn number(&self, key: &str) -> Result<f64, String> {
        self.parameters[key].as_f64().ok_or_else(|| format!("no {key} in the reference"))
    }

    /// How far from it the centre is at the end, and where it is farthest [m].
    pub(crate) fn errors(&self, places: &[[f64; 3]]) -> Result<[f64; 2], String> {
        if places.len() != self.places.len() {
            return Err(format!("{} places for {} times", places.len(), self.places.len()));
        }
        let apart = |(a, b): (&[f64; 3], &[f64; 3])| {
            let square = |k: usize| (a[k] - b[k]).powi(2);
            (square(0) + square(1) + square(2)).sqrt()
        };
        let all: Vec<f64> = places.iter().zip(&self.places).map(apart).collect();
        Ok([all.last().copied().unwrap_or(f64::NAN), all.iter().copied().fold(0.0, f64::max)])
    }

    /// The ring and the plane for another program.
    pub(crate) fn description(&self) -> Value {
        let mut all = self.parameters.clone();
        all["slices"] = json!(SLICES);
        all["tilt"] = json!(TILT);
        all
    }

    pub(crate) fn model(&self, slices: Slices) -> Result<Model, Box<dyn Error>> {
        let of = |key: &str| self.number(key);
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -of("gravity")?]);
        let poisson = of("poisson")?;
        b.material(Material::new("steel").youngs_modulus(of("E_torus")?).poisson_ratio(poisson));
        b.material(Material::new("support").youngs_modulus(of("E_plane")?).poisson_ratio(poisson));
        let surface = SurfaceSpec::new(Torus::new(of("R")?, of("r")?)?).material("steel");
        let inertia = [of("I_xi_xi")?, of("I_eta_eta")?, of("I_zeta_zeta")?];
        let ring = Body::new("ring").mass(of("mass")?).inertia(inertia).surface(surface);
        let turn = Quat::from_axis_angle(&Vec3::x_axis(), TILT);
        b.body(ring.position([0.0, 0.0, of("z0")?]).orientation(turn));
        b.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("support")));
        let law = ElasticFoundation::depth(of("h")?)?.damping(of("chi_bar_default")?);
        let rule = ContactRule::between("ring", "floor").normal(law).solver(slices);
        b.contact(rule.friction(Tanh::new(of("mu_case2")?, of("k_t")?)?));
        Ok(b.build()?)
    }
}

/// Three numbers [m].
pub(crate) fn place(v: &Value) -> Result<[f64; 3], String> {
    let all: Vec<f64> = v.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    all.try_into().map_err(|_| format!("not a place: {v}"))
}

/// A run as users have it.
pub(crate) fn run(model: &Model, method: &str, rtol: f64, located: bool) -> Result<Summary, String> {
    let simulation = Simulation::new(model).method(method).rtol(rtol).duration(DURATION);
    Ok(simulation.locate_contacts(located).run().map_err(|e| e.to_string())?.summary)
}

/// The same, watched at the reference's times.
pub(crate) fn watched(model: &Model, method: &str, rtol: f64, times: &[f64]) -> Result<Outcome, String> {
    let mut recording = Recording::default();
    let simulation = Simulation::new(model).method(method).rtol(rtol).duration(DURATION);
    let simulation = simulation.output(Output::At(times.to_vec()));
    simulation.run_into(&mut recording).map_err(|e| e.to_string())?;
    let places =
        recording.frames.iter().filter_map(|f| f.bodies.first()).map(|b| b.position.into()).collect();
    Ok(Outcome { places, ..outcome(&run(model, method, rtol, true)?) })
}

pub(crate) fn outcome(summary: &Summary) -> Outcome {
    let stats = summary.stats;
    Outcome { seconds: f64::NAN, evaluations: stats.evaluations, steps: stats.steps, places: Vec::new() }
}
