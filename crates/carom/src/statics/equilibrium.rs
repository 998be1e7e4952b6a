//! Equilibria: configurations in which bodies are at rest.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::linear::Linear;
use super::modes::{Mode, ModeKind, undamped};
use super::nearby::OVER;
use super::search::{Found, Search};
use super::shape::Shape;
use crate::error::StaticsError;
use crate::model::{Model, is_general};
use crate::record::{ForceRecord, JointRecord, Warning};
use crate::state::BodyState;
use crate::system::{StepPolicy, System};
use crate::world::BodyKind;

/// A configuration at rest in which the forces on every body are in balance.
///
/// It is the one that the bodies would reach from their given configuration by slow, strongly damped motion without
/// friction: the nearest one downhill. A body that stands exactly on its tip stays there; the equilibrium is then not
/// stable. Directions that need no force (a ball on a plane may lie anywhere) keep their given positions. Friction is
/// left out, as its laws have no force at rest; bristles are unbent.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.5]).surface(Sphere::new(0.02)?));
/// builder.body(Body::fixed("floor").surface(Plane));
/// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
/// let rest = Equilibrium::find(&builder.build()?)?;
/// let depth = (0.1 * 9.81 / 1e8_f64).powf(2.0 / 3.0);
/// assert!((rest.bodies[0].position.z - (0.02 - depth)).abs() < 1e-17);
/// assert!(rest.stable() && rest.neutral.len() == 5); // x, y and all turns
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// the bodies that are not fixed, at rest, in the order of frames
    pub bodies: Vec<BodyState>,
    /// number of iterations of the search; 0: the configuration is as given
    pub iterations: usize,
    /// unbalanced force on a body as a fraction of the sum of the magnitudes of its forces: the largest over all bodies
    pub residual: f64,
    /// the body that has turned most from its given orientation, and its angle [rad], if that is more than a third of
    /// a turn: another equilibrium may be meant
    pub turned: Option<(String, f64)>,
    /// if a body has turned that far: an equilibrium near the start that the search moved away from, if there is one.
    /// It is not stable under the forces that act at rest, that is, without friction
    pub near: Option<Box<Equilibrium>>,
    /// reaction of every joint on its second body
    pub joints: Vec<JointRecord>,
    /// the forces, in the order of [`Model::force_names`](crate::Model::force_names)
    pub forces: Vec<ForceRecord>,
    /// shapes of motions that need no force
    pub neutral: Vec<Shape>,
    /// shapes of motions that grow by themselves
    pub unstable: Vec<Shape>,
    pub(super) y: Vec<f64>,
}

impl Equilibrium {
    /// Finds the equilibrium nearest to the given configuration.
    pub fn find(model: &Model) -> Result<Equilibrium, StaticsError> {
        Equilibrium::find_while(model, &mut || ControlFlow::Continue(()))
    }

    /// Finds the equilibrium nearest to the given configuration; `go_on` is called before every iteration and may
    /// stop the search.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.5]).surface(Sphere::new(0.02)?));
    /// builder.body(Body::fixed("floor").surface(Plane));
    /// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
    /// let stopped = Equilibrium::find_while(&builder.build()?, &mut || ControlFlow::Break(()));
    /// assert_eq!(stopped, Err(carom::StaticsError::Stopped { iterations: 0 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_while(
        model: &Model,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Equilibrium, StaticsError> {
        let bare = checked(model)?;
        let found = Search::new(&bare)?.go(go_on).map_err(|e| with_friction(e, model))?;
        Equilibrium::new(&bare, found)
    }

    /// Returns the given configuration, whether its forces are in balance or not; `residual` shows how far they are
    /// from it.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.5]).surface(Sphere::new(0.02)?));
    /// let given = Equilibrium::given(&builder.build()?)?;
    /// assert_eq!(given.residual, 1.0); // in free fall
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn given(model: &Model) -> Result<Equilibrium, StaticsError> {
        let bare = checked(model)?;
        let found = Search::new(&bare)?.found();
        Equilibrium::new(&bare, found)
    }

    /// Returns a warning if a body is turned over.
    pub fn warning(&self) -> Option<Warning> {
        let (body, angle) = self.turned.as_ref()?;
        let near = self.near.as_ref().map_or_else(String::new, |near| {
            let directions = if near.unstable.len() == 1 { "direction" } else { "directions" };
            format!(
                "; near where it is given there is one as well, which without friction is unstable in {} {directions}",
                near.unstable.len()
            )
        });
        Some(Warning::TurnedOver { body: body.clone(), by: format!("{:.0}", angle.to_degrees()), near })
    }

    /// Whether no small motion away from it grows; neutral motions count as stable.
    pub fn stable(&self) -> bool {
        self.unstable.is_empty()
    }

    fn new(bare: &Model, Found { y, iterations, left, near }: Found) -> Result<Equilibrium, StaticsError> {
        let mut system =
            System::new(bare, StepPolicy::Located, 0.0).map_err(|e| StaticsError::Model(Box::new(e)))?;
        system.ws.joints.without_rotors = true;
        let started = system.start(0.0, y.clone());
        let linear = Linear::new(&mut system, &started)?;
        let (modes, _) = undamped(bare, &linear);
        let mut joints = Vec::new();
        system.reactions(0.0, &started, &mut joints);
        let forces = system.forces_at(0.0, &started);
        let of =
            |kind: ModeKind| modes.iter().filter(move |m: &&Mode| m.kind == kind).map(|m| m.shape.clone());
        let bodies: Vec<BodyState> = bare.world.moving().map(|b| BodyState::new(b, 0.0, &y)).collect();
        let near = near.map(|near| Equilibrium::new(bare, *near).map(Box::new)).transpose()?;
        Ok(Equilibrium {
            near,
            turned: turned_over(bare, &bodies),
            bodies,
            iterations,
            residual: left,
            joints,
            forces,
            neutral: of(ModeKind::Neutral).collect(),
            unstable: of(ModeKind::Grows).collect(),
            y,
        })
    }

    /// Returns the initial state of a run that starts in this configuration, with the velocities given in the model.
    pub(crate) fn state(&self, model: &Model) -> Vec<f64> {
        let mut y = model.world.initial_state();
        y[..model.world.layout.bodies()].copy_from_slice(&self.y[..model.world.layout.bodies()]);
        model.world.set_velocities(&mut y);
        y
    }
}

impl std::fmt::Display for Equilibrium {
    /// Writes, for example, `found in 12 iterations, 3e-16 of the forces left; stable, 5 neutral directions`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.iterations {
            0 => write!(f, "as given")?,
            1 => write!(f, "found in 1 iteration")?,
            n => write!(f, "found in {n} iterations")?,
        }
        match self.residual {
            0.0 => write!(f, ", forces in balance")?,
            left => write!(f, ", {left:.0e} of the forces left")?,
        }
        match self.unstable.len() {
            0 => write!(f, "; stable")?,
            1 => write!(f, "; unstable in 1 direction")?,
            n => write!(f, "; unstable in {n} directions")?,
        }
        match self.neutral.len() {
            0 => Ok(()),
            1 => write!(f, ", 1 neutral direction"),
            n => write!(f, ", {n} neutral directions"),
        }
    }
}

/// Returns the body that has turned most from its given orientation, and its angle [rad], if that is more than a
/// third of a turn.
fn turned_over(m: &Model, bodies: &[BodyState]) -> Option<(String, f64)> {
    let turns = m.world.moving().zip(bodies).map(|(b, now)| (b, b.orientation.angle_to(&now.orientation)));
    let most = turns.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, angle)| *angle > OVER);
    most.map(|(b, angle)| (b.name.clone(), angle))
}

/// Returns the model without friction and rolling resistance; fails if it cannot be at rest.
fn checked(model: &Model) -> Result<Model, StaticsError> {
    if model.world.free().next().is_none() {
        return Err(StaticsError::NoBody);
    }
    if let Some(constraint) = model.constraints.list.iter().find(|constraint| constraint.moves_at_start()) {
        return Err(StaticsError::DrivenJoint { joint: constraint.name.clone() });
    }
    for b in &model.world.bodies {
        if let BodyKind::Prescribed(motion) = &b.kind {
            let now = motion.at(0.0);
            if now.velocity.norm() + now.angular_velocity.norm() != 0.0 {
                return Err(StaticsError::Driven { body: b.name.clone() });
            }
        }
    }
    let mut bare = model.clone();
    for rule in Arc::make_mut(&mut bare.rules) {
        (rule.friction, rule.resistance) = (None, [None, None]);
        (rule.remembers, rule.has_memory) = (false, false);
    }
    bare.constraints.frictions.clear();
    bare.is_general = is_general(&bare.world, &bare.rules, &bare.constraints, &bare.forces);
    Ok(bare)
}

/// Notes in the error whether the model has friction: the user may expect it to hold a body.
fn with_friction(mut error: StaticsError, model: &Model) -> StaticsError {
    if let StaticsError::NotFound { friction, .. } = &mut error {
        let in_joints = !model.constraints.frictions.is_empty();
        *friction = in_joints || model.rules.iter().any(|r| r.friction.is_some());
    }
    error
}
