//! The distance between two surfaces of a model, tracked from one output time to the next.
//!
//! No force acts along it: it is also defined for bodies without a contact rule, and for bodies whose motion is prescribed.

use std::sync::Arc;

use carom_base::Pose;
use carom_geometry::{BoundPair, Found, PairFailure, PairSolver, Seed};

use crate::error::{BuildError, Fault, Subject};
use crate::model::Model;
use crate::rule::{Endpoint, bind_surfaces};
use crate::state::BodyState;

/// Says which two surfaces a distance is between, and which algorithm finds it.
///
/// ```
/// use carom::prelude::*;
/// use carom::Distance;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::fixed("floor").surface(Plane));
/// builder.body(Body::fixed("lamp").position([0.0, 0.0, 2.0]).surface(Sphere::new(0.1)?));
/// let model = builder.build()?;
/// let mut height = Distance::between("height", "floor", "lamp").follow(&model)?;
/// assert!((height.at(&model, &[])?.contact.delta + 1.9).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Distance {
    name: String,
    between: [String; 2],
    solver: Option<Arc<dyn PairSolver>>,
}

impl Distance {
    /// Creates a distance between two bodies with one surface each, or between two surfaces (`body/surface`).
    pub fn between(name: &str, a: &str, b: &str) -> Distance {
        Distance { name: name.to_owned(), between: [a, b].map(str::to_owned), solver: None }
    }

    /// Uses this algorithm instead of the first one that can handle the surfaces.
    pub fn solver_arc(mut self, solver: Arc<dyn PairSolver>) -> Distance {
        self.solver = Some(solver);
        self
    }

    /// Returns the name used in columns of results.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns this distance as errors name it.
    fn subject(&self) -> Subject {
        Subject::Distance(self.name.clone())
    }

    /// Binds the distance to the surfaces of a model.
    pub fn follow(&self, model: &Model) -> Result<Followed, BuildError> {
        let [a, b] = [self.surface(model, 0)?, self.surface(model, 1)?];
        let bound = bind_surfaces(&model.world, self.solver.as_deref(), a, b);
        let pair = bound.map_err(|source| {
            let [a, b] = [a, b].map(|s| model.world.surface_name(s));
            self.subject().fails(Some("between"), Fault::Pair { a, b, source })
        })?;
        let frame_indices = [a, b].map(|s| model.world.frame_index(model.world.surfaces[s].body));
        Ok(Followed { surfaces: [a, b], frame_indices, pair, seed: None })
    }

    fn surface(&self, model: &Model, end: usize) -> Result<usize, BuildError> {
        let text = &self.between[end];
        let subject = self.subject();
        let of = |body: &str, surface: Option<&str>| -> Vec<usize> {
            let fits = |s: &crate::world::SurfaceModel| {
                model.world.bodies[s.body].name == body && surface.is_none_or(|name| name == s.name)
            };
            (0..model.world.surfaces.len()).filter(|i| fits(&model.world.surfaces[*i])).collect()
        };
        let found = match Endpoint::parse(text) {
            Endpoint::Any | Endpoint::Several(_) => Vec::new(),
            Endpoint::Body(body) => of(&body, None),
            Endpoint::Surface(body, surface) => of(&body, Some(&surface)),
        };
        match found.as_slice() {
            [one] => Ok(*one),
            [] => {
                let all: Vec<String> =
                    (0..model.world.surfaces.len()).map(|s| model.world.surface_name(s)).collect();
                let names: Vec<&str> = model.body_names().chain(all.iter().map(String::as_str)).collect();
                Err(subject.unknown("between", "surface", text, &names))
            }
            _ => {
                let value = format!("body `{text}`, which has several surfaces");
                Err(subject.bad("between", value, "surfaces, `body/surface`, or bodies with one"))
            }
        }
    }
}

/// A distance in a model, with the closest points found last: the next search starts from them.
#[derive(Debug)]
pub struct Followed {
    surfaces: [usize; 2],
    /// indices of the two bodies in frames; `None` for a fixed body
    frame_indices: [Option<usize>; 2],
    pair: Box<dyn BoundPair>,
    seed: Option<Seed>,
}

carom_base::carried!(Followed { seed } scratch { surfaces, frame_indices, pair });

impl Followed {
    /// Finds the closest points, with the moving bodies in the given states, listed as in a [`Frame`](crate::Frame). After a
    /// failure the next search starts without a guess.
    pub fn at(&mut self, model: &Model, bodies: &[BodyState]) -> Result<Found, PairFailure> {
        let [x_a, x_b] = self.frames(model, bodies).ok_or(PairFailure::NotFinite)?;
        let found = self.pair.search(&x_a, &x_b, self.seed.take().as_ref())?;
        self.seed = Some(Seed::of(&found.contact, &x_a, &x_b));
        Ok(found)
    }

    /// Returns the frames of the two surfaces, or `None` if a body's state is missing.
    pub fn frames(&self, model: &Model, bodies: &[BodyState]) -> Option<[Pose; 2]> {
        let pose = |i: usize| model.world.surface_pose(self.surfaces[i], self.frame_indices[i], bodies);
        Some([pose(0)?, pose(1)?])
    }
}
