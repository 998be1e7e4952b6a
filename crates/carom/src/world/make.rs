//! Builds a world from the descriptions of its bodies.

use carom_base::{Mat3, Pose, Vec3};
use carom_geometry::Side;
use carom_law::Material;

use super::{BodyKind, BodyModel, Scale, Solvers, SurfaceModel, World};
use crate::body::{
    Body, Dofs, Inertia, MotionKind, SurfaceSpec, check_dofs, check_shell, mass_properties, orientation, soft,
};
use crate::drive::{InTime, Plan};
use crate::error::{BuildError, Fault, Subject};
use crate::layout::{Quadratures, StateLayout};
use crate::state::Kinematics;

/// The scales that the author of the model has set, if any.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Units {
    /// length scale [m]
    pub(crate) length: Option<f64>,
    /// speed scale [m/s]
    pub(crate) speed: Option<f64>,
}

impl World {
    /// Builds the world from the bodies and drives of a plan, and checks them.
    pub(crate) fn new(
        plan: &Plan,
        materials: &[Material],
        solvers: &Solvers,
        units: Units,
    ) -> Result<World, BuildError> {
        let mut world = World {
            gravity: plan.gravity,
            driven: plan.changes_energy(),
            gravity_in_time: plan.gravity_in_time.clone(),
            drives: plan.drives.clone(),
            bodies: Vec::new(),
            dynamic: Vec::new(),
            affine: Vec::new(),
            prescribed: Vec::new(),
            held: Vec::new(),
            partly_held: false,
            surfaces: Vec::new(),
            materials: materials.to_vec(),
            solvers: solvers.clone(),
            scale: Scale { length: 1.0, speed: 1.0 },
            layout: state_of(&plan.bodies),
            quadratures: Quadratures::default(),
        };
        for (body, mass_in_time) in plan.bodies.iter().zip(&plan.mass_in_time) {
            world.add_body(body, mass_in_time.clone())?;
        }
        world.held = (0..world.bodies.len()).filter(|&body| !world.is_dynamic(body)).collect();
        let partly_held = world.free().any(|body| world.bodies[body].dofs != Dofs::FREE);
        world.partly_held = partly_held;
        world.scale = world.scale_of(units)?;
        Ok(world)
    }

    fn add_body(&mut self, body: &Body, mass_in_time: Option<InTime>) -> Result<(), BuildError> {
        let subject = body.subject();
        subject.finite("position", &body.position)?;
        subject.finite("velocity", &body.velocity)?;
        subject.finite("angular_velocity", &body.angular_velocity)?;
        if let Some(c) = &body.centre_of_mass {
            subject.finite("centre_of_mass", c)?;
        }
        let names = body.surface_names();
        for (spec, name) in body.surfaces.iter().zip(&names) {
            check_shell(&body.surface_subject(name), spec)?;
        }
        let orientation = orientation(&subject, body.orientation)?;
        let dofs = Dofs::new(&body.name, body.dofs.as_deref())?;
        let index = self.bodies.len();
        let (kind, props) = match &body.kind {
            MotionKind::Dynamic => {
                let turns = dofs.allowed_rotation(&Vec3::new(1.0, 1.0, 1.0)) != Vec3::zeros();
                let props = mass_properties(body, &self.materials, turns)?;
                let rows = self.layout.rigid_rows(self.dynamic.len());
                self.dynamic.push(index);
                (BodyKind::Dynamic(rows), Some(props))
            }
            MotionKind::Affine(_) => {
                let props = mass_properties(body, &self.materials, true)?;
                let rows = self.layout.affine_rows(self.affine.len());
                self.affine.push(index);
                (BodyKind::Affine(rows), Some(props))
            }
            MotionKind::Fixed => (BodyKind::Fixed, None),
            MotionKind::Prescribed(motion) => {
                self.prescribed.push(index);
                (BodyKind::Prescribed(motion.clone()), None)
            }
        };
        let (mass, centre, tensor) = match &props {
            Some(p) => (p.mass, p.centre, p.inertia),
            None => (f64::INFINITY, Vec3::zeros(), Mat3::identity()),
        };
        let r = orientation.to_rotation_matrix().into_inner();
        let soft = match (&body.kind, &props) {
            (MotionKind::Affine(elastic), Some(p)) => Some(soft(body, elastic, p, &dofs, &r)?),
            _ => None,
        };
        let f = if soft.is_some() { r * body.deformation } else { r };
        check_dofs(body, &dofs, &(f * centre))?;
        let axis = dofs.allowed_rotation(&Vec3::new(1.0, 1.0, 1.0));
        let axis_inertia = axis.dot(&(r * tensor * r.transpose() * axis));
        let first = self.surfaces.len();
        for (spec, name) in body.surfaces.iter().zip(names) {
            let mut surface = self.surface(body, spec, name, index, &centre, &self.surfaces[first..])?;
            if soft.is_some() {
                // a deformation moves the surface of a ball too
                surface.lever = surface.centre.norm() + surface.radius;
            }
            self.surfaces.push(surface);
        }
        let own = &self.surfaces[first..];
        let reach = |s: &SurfaceModel| (s.centre + centre).norm() + s.radius;
        let size = own.iter().map(reach).filter(|r| r.is_finite()).fold(0.0, f64::max);
        self.bodies.push(BodyModel {
            name: body.name.clone(),
            kind,
            mass,
            mass_in_time,
            inverse_mass: dofs.translation / mass,
            inertia: Inertia::new(tensor),
            axis_inertia,
            centre,
            dofs,
            position: body.position,
            orientation,
            velocity: body.velocity,
            angular_velocity: body.angular_velocity,
            orientation_matters: matches!(Inertia::new(tensor), Inertia::General { .. })
                || own.iter().any(|s| s.lever > 0.0),
            rest: Kinematics {
                x: Pose { p: body.position + f * centre, r: f },
                v: Vec3::zeros(),
                w: Vec3::zeros(),
                moves: !matches!(body.kind, MotionKind::Fixed),
                deforms: soft.is_some(),
                l: Mat3::zeros(),
            },
            soft,
            weight: if mass.is_finite() { self.gravity * mass } else { Vec3::zeros() },
            size,
        });
        Ok(())
    }

    fn surface(
        &self,
        owner: &Body,
        spec: &SurfaceSpec,
        name: String,
        body: usize,
        centre: &Vec3,
        others: &[SurfaceModel],
    ) -> Result<SurfaceModel, BuildError> {
        let kind = spec.shape.surface.kind();
        if others.iter().any(|s| s.name == name) {
            return Err(owner.subject().fails(None, Fault::DuplicateName { what: "surfaces", name }));
        }
        let subject = owner.surface_subject(&name);
        subject.finite("position", &spec.pose.p)?;
        if spec.shape.side == Side::Inside && !spec.shape.surface.has_inside() {
            let allowed = "inside of a closed surface or a sheet only";
            return Err(subject.bad("side", format!("inside, on a {kind}"), allowed));
        }
        let material = match &spec.material {
            None => None,
            Some(m) => {
                let names: Vec<&str> = self.materials.iter().map(|x| x.name.as_str()).collect();
                Some(subject.find("material", "material", m, &names)?)
            }
        };
        let pose = Pose { p: spec.pose.p - centre, r: spec.pose.r };
        let bounds = spec.shape.bounds();
        let middle = pose.point(&bounds.centre);
        let skin = spec.shape.surface.skin();
        Ok(SurfaceModel {
            name,
            body,
            local: (pose != Pose::identity()).then_some(pose),
            material,
            centre: middle,
            radius: bounds.radius,
            lever: middle.norm() + bounds.radius - skin,
            shape: spec.shape.clone(),
            of_joint: spec.of_joint,
        })
    }

    /// Returns the scales that tolerances refer to; where not set, the length is the size of the smallest body, and the speed
    /// follows from that and gravity, or from the initial speeds.
    fn scale_of(&self, units: Units) -> Result<Scale, BuildError> {
        let moving = || self.free().map(|i| &self.bodies[i]);
        let smallest = moving().map(|b| b.size).filter(|s| *s > 0.0).fold(f64::INFINITY, f64::min);
        let length = units.length.unwrap_or(if smallest.is_finite() { smallest } else { 1.0 });
        let initial = moving().map(|b| b.velocity.norm() + b.angular_velocity.norm() * length);
        let fastest = initial.fold((self.gravity.norm() * length).sqrt(), f64::max);
        let speed = units.speed.unwrap_or(if fastest > 0.0 { fastest } else { 1.0 });
        for (field, value) in [("length_scale", length), ("speed_scale", speed)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Subject::Model.bad(field, value, "a finite number greater than 0"));
            }
        }
        Ok(Scale { length, speed })
    }
}

/// Returns the layout of the state of these bodies.
fn state_of(bodies: &[Body]) -> StateLayout {
    let count = |which: fn(&MotionKind) -> bool| bodies.iter().filter(|b| which(&b.kind)).count();
    let rigid = count(|kind| matches!(kind, MotionKind::Dynamic));
    StateLayout::of_bodies(rigid, count(|kind| matches!(kind, MotionKind::Affine(_))))
}
