//! Multibody dynamics of bodies in contact, with a known error.
//!
//! Bodies carry surfaces. Contact rules say which surfaces touch and by which force laws. A simulation integrates the motion,
//! ends a step exactly at every touch and release, and ends with an energy audit:
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut builder = ModelBuilder::new();
//! builder.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0));
//! builder.body(
//!     Body::new("ball")
//!         .position([0.0, 0.0, 0.5])
//!         .velocity([1.0, 0.0, 0.0])
//!         .surface(SurfaceSpec::new(Sphere::new(0.02)?).material("steel")),
//! );
//! builder.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("steel")));
//! builder.contact(
//!     ContactRule::between("ball", "floor")
//!         .normal(LankaraniNikravesh::restitution(0.9)?)
//!         .friction(Tanh::new(0.2, 1000.0)?),
//! );
//! let model = builder.build()?;
//! let run = Simulation::new(&model).duration(1.0).rtol(1e-10).run()?;
//! println!("{}", run.summary);
//! assert!(run.summary.audit_relative < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There is one chain of computation: [`ModelBuilder`] → [`Model`] → state → contacts → forces → accelerations → integrator →
//! [`Sink`]. The crates behind it are re-exported: [`geometry`] finds where surfaces touch, [`law`] gives the force of a
//! contact, and [`ode`] integrates in time.
//!
//! The modules are listed from the lowest to the highest: each imports only modules that are listed before it.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

mod error;
mod check;
mod text;
mod site;
mod layout;
mod course;
mod coordinate;
mod body;
mod drive;
mod state;
mod world;
mod record;
mod wear;
mod rule;
mod joint;
mod clearance;
mod loads;
mod slopes;
mod signal;
mod control;
mod force;
mod model;
mod part;
mod build;
mod reaction;
mod workspace;
mod contact;
mod forward;
mod project;
mod jacobian;
mod system;
mod equations;
mod recorded;
mod peaks;
mod observe;
mod overlap;
mod crowd;
mod statics;
mod undecided;
mod distance;
mod drawn;
mod run;
mod analysis;
pub mod impact;

pub use carom_base as base;
pub use carom_base::words;
pub use carom_field as field;
pub use carom_geometry as geometry;
pub use carom_law as law;
pub use carom_ode as ode;

pub use analysis::{Analysis, AnalysisError, Cycle, Posture};
pub use body::{
    Body, Dof, Dofs, Guided, MOTIONS, Motion, MotionBounds, MotionState, Orbit, Rotation, Shake, Slide, Spin,
    SurfaceSpec,
};
pub use build::ModelBuilder;
pub use clearance::Clearance;
pub use contact::Status;
pub use control::{AntiWindup, CONTROL_LAWS, ControlFunction, ControlLaw, Controller, Pid, StateSpace};
pub use coordinate::{COORDINATES, Coordinate, CoordinateNames, Direction, Measured, PushDrive};
pub use course::{
    Course, Formula, INTERPOLATIONS, Interpolation, Linear, Monotone, Series, Spline, curve_through,
};
pub use distance::{Distance, Followed};
pub use drawn::{DrawnAction, DrawnBody, DrawnField, DrawnJoint, DrawnSurface};
pub use drive::{Drive, TARGETS, Target};
pub use equations::{EquationsOfMotion, InternalForces};
pub use error::{BuildError, Fault, RunError, StaticsError, Subject, Unbalanced};
pub use force::kinds::*;
pub use force::{Acting, DrawnLine, FieldRule, Force, Line, LineFunction, LineLaw, Repulsion, Tension};
pub use joint::kinds::*;
pub use joint::{Equations, Frames, Glyph, Joint, JointFriction, JointKind, Slip, Stabilisation};
pub use model::Model;
pub use overlap::{Overlap, Overlaps};
pub use record::{
    Acceleration, ContactRecord, CoordinateRecord, DriveRecord, EffortRecord, Energy, EnergyColumn, Event,
    EventKind, FieldRecord, ForceColumn, ForceRecord, Frame, JointRecord, LineRecord, Moment, Momentum,
    Phase, SignalRecord, Warning, WearRecord,
};
pub use rule::{ContactRule, Endpoint, FrictionAt, Several};
pub use run::{
    Audit, CrowdSteps, EdgeRounding, End, METHODS, Output, Pause, Recording, Run, Running, Simulation, Sink,
    SinkError, Snapshot, Start, StepEstimate, Summary, WarningCount,
};
pub use state::{BodyState, Deformation};
pub use statics::{Component, Equilibrium, Mode, ModeKind, Modes, Root, Shape};
pub use wear::Wear;
pub use world::Scale;

/// The names that a program needs to build and run models.
pub mod prelude {
    pub use crate::base::{Mat3, Quat, Vec3};
    pub use crate::geometry::pairs::pressure::Pressure;
    pub use crate::geometry::pairs::slices::Slices;
    pub use crate::geometry::surfaces::{Capsule, Cone, Cuboid, Cylinder, Plane, Sphere, Torus};
    pub use crate::law::Material;
    pub use crate::law::friction::{Ambrosio, LuGre, Tanh};
    pub use crate::law::normal::{
        ElasticFoundation, Flores, Foundation, Hertz, HuntCrossley, LankaraniNikravesh,
    };
    pub use crate::law::resistance::{HertzPatch, TanhCouple, ViscousCouple};
    pub use crate::{
        Actuator, Body, BuildError, Bushing, Clearance, ContactRule, Controller, CoordinateSpring, Dof, Drag,
        Drive, Energy, Equilibrium, Event, EventKind, ExternalLoad, Force, Frame, FrictionAt, Joint,
        JointFriction, Model, ModelBuilder, Modes, Motor, Output, Prismatic, Recording, Revolute, RunError,
        Simulation, Sink, Slide, Spherical, Spin, SpringDamper, Start, SurfaceSpec, UserLoad, Wear,
    };
}
