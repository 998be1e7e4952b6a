//! What a controller measures: expressions of the state, and of reactions and contact forces as well.

use carom_base::expression::Expression;

use crate::error::{BuildError, Subject};
use crate::loads::{Counts, Loads};
use crate::record::JointRecord;
use crate::signal::{Names, Sense};
use crate::slopes::Motions;
use crate::world::World;

/// An expression that a controller measures at its samples.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    expression: Expression,
    sources: Vec<Source>,
}

/// What a name in it means.
#[derive(Clone, Debug)]
enum Source {
    State(Sense),
    /// a component of the reaction of a joint: force, then couple, x, y and z
    Reaction {
        joint: usize,
        component: usize,
    },
    /// the sum of the normal forces between two bodies [N]
    Normal([usize; 2]),
}

/// What is known at a sample besides the state.
pub(crate) struct Observed<'a> {
    pub(crate) joints: &'a [JointRecord],
    /// normal forces of all contacts, with their two bodies
    pub(crate) normals: &'a [([usize; 2], f64)],
}

impl Reading {
    pub(crate) fn new(
        names: &Names<'_>,
        subject: &Subject,
        expression: &Expression,
        counts: &mut Counts,
    ) -> Result<Reading, BuildError> {
        expression.complete().map_err(|e| subject.impossible(Some("input"), e.message))?;
        let mut sources = Vec::new();
        for name in expression.names() {
            sources.push(match force(names, name) {
                Some(source) => source,
                None => Source::State(names.find(subject, "input", name, &mut counts.angles)?),
            });
        }
        Ok(Reading { expression: expression.clone(), sources })
    }

    /// Whether it needs reactions or contact forces.
    pub(crate) fn needs_forces(&self) -> bool {
        self.sources.iter().any(|source| !matches!(source, Source::State(_)))
    }

    /// Returns the bodies on whose motion it depends.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> {
        self.sources.iter().flat_map(|source| match source {
            Source::State(sense) => sense.bodies().to_vec(),
            _ => Vec::new(),
        })
    }

    /// Returns its value in the state that the loads hold.
    pub(crate) fn value(&self, world: &World, loads: &Loads, t: f64, observed: &Observed<'_>) -> f64 {
        let motions = Motions::<f64> { world, loads, t, varied: None };
        let value = |source: &Source| match source {
            Source::State(sense) => sense.at(&motions),
            Source::Reaction { joint, component } => observed.joints.get(*joint).map_or(f64::NAN, |record| {
                if *component < 3 { record.force[*component] } else { record.couple[*component - 3] }
            }),
            Source::Normal([a, b]) => {
                let of = observed.normals.iter().filter(|(pair, _)| *pair == [*a, *b] || *pair == [*b, *a]);
                of.map(|(_, f)| f).sum()
            }
        };
        let values: Vec<f64> = self.sources.iter().map(value).collect();
        self.expression.at(&values)
    }

    /// Updates the counts of full turns of its angles.
    pub(crate) fn count_turns(&self, world: &World, loads: &mut Loads, t: f64) {
        for source in &self.sources {
            if let Source::State(sense) = source {
                sense.count_turns(world, loads, t);
            }
        }
    }
}

/// Returns the reaction or contact force of that name: `JOINT.fx`, `A~B.fn`.
fn force(names: &Names<'_>, name: &str) -> Option<Source> {
    let (owner, suffix) = name.rsplit_once('.')?;
    let component = ["fx", "fy", "fz", "mx", "my", "mz"].iter().position(|c| *c == suffix);
    let joint = names.constraints.proper().iter().position(|joint| joint.name == owner);
    if let (Some(joint), Some(component)) = (joint, component) {
        return Some(Source::Reaction { joint, component });
    }
    let (a, b) = owner.split_once('~').filter(|_| suffix == "fn")?;
    let body = |name: &str| names.world.body_names().position(|known| known == name);
    Some(Source::Normal([body(a)?, body(b)?]))
}
