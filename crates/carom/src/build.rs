//! From descriptions to a checked model.

use std::sync::Arc;

use carom_base::{Mat3, Pose, Vec3};
use carom_geometry::{PairSolver, Side};
use carom_law::{LawError, Material};

use crate::body::{Body, Dofs, Inertia, Kind, SurfaceSpec, mass_properties};
use crate::body::{check_dofs, check_shell, orientation, soft};
use crate::clearance::{self, Clearance};
use crate::contact::{ContactRule, RuleTable, check_pairs, check_rule};
use crate::drive::{Drive, InTime, Plan};
use crate::error::{BuildError, Fault, Subject};
use crate::force::{FieldRule, Force, Nearby, add_forces};
use crate::joint::{Joint, Linkage};
use crate::model::{AFFINE, BODY, BodyKind, BodyModel, Model, Scale, Solvers, SurfaceModel};
use crate::quadratures::Quadratures;
use crate::state::Kinematics;
use crate::wear;

/// Gathers bodies, materials, contact rules, forces and drives, and makes a [`Model`] of them.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0));
/// builder.body(Body::new("ball").surface(SurfaceSpec::new(Sphere::new(0.02)?).material("steel")));
/// let model = builder.build()?;
/// assert!((model.mass("ball").unwrap() - 0.263).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    gravity: Vec3,
    materials: Vec<Material>,
    bodies: Vec<Body>,
    rules: Vec<ContactRule>,
    forces: Vec<Force>,
    fields: Vec<FieldRule>,
    joints: Vec<Joint>,
    clearances: Vec<Clearance>,
    drives: Vec<Drive>,
    solvers: Solvers,
    impulses: bool,
    length: Option<f64>,
    speed: Option<f64>,
}

impl Default for ModelBuilder {
    fn default() -> ModelBuilder {
        ModelBuilder {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            materials: Vec::new(),
            bodies: Vec::new(),
            rules: Vec::new(),
            forces: Vec::new(),
            fields: Vec::new(),
            joints: Vec::new(),
            clearances: Vec::new(),
            drives: Vec::new(),
            solvers: Solvers::default(),
            impulses: false,
            length: None,
            speed: None,
        }
    }
}

impl ModelBuilder {
    /// Nothing yet but gravity, 9.81 m/s² along −z.
    pub fn new() -> ModelBuilder {
        ModelBuilder::default()
    }

    /// Gravity [m/s²].
    pub fn gravity(&mut self, gravity: [f64; 3]) -> &mut ModelBuilder {
        self.gravity = gravity.into();
        self
    }

    /// A material, to be named by surfaces.
    pub fn material(&mut self, material: Material) -> &mut ModelBuilder {
        self.materials.push(material);
        self
    }

    /// A body.
    pub fn body(&mut self, body: Body) -> &mut ModelBuilder {
        self.bodies.push(body);
        self
    }

    /// A contact rule. Bodies without one pass through each other.
    pub fn contact(&mut self, rule: ContactRule) -> &mut ModelBuilder {
        self.rules.push(rule);
        self
    }

    /// A force between points of two bodies.
    pub fn force(&mut self, force: Force) -> &mut ModelBuilder {
        self.forces.push(force);
        self
    }

    /// A short-range field between a body and a plane support.
    pub fn field(&mut self, field: FieldRule) -> &mut ModelBuilder {
        self.fields.push(field);
        self
    }

    /// A joint between two bodies.
    pub fn joint(&mut self, joint: Joint) -> &mut ModelBuilder {
        self.joints.push(joint);
        self
    }

    /// A joint with clearance: surfaces of its two bodies, and rules for them.
    pub fn clearance(&mut self, clearance: Clearance) -> &mut ModelBuilder {
        self.clearances.push(clearance);
        self
    }

    /// A number of the model that is a function of time.
    pub fn drive(&mut self, drive: Drive) -> &mut ModelBuilder {
        self.drives.push(drive);
        self
    }

    /// A pair solver of one's own, asked before those of the library.
    pub fn pair_solver(&mut self, solver: &'static dyn PairSolver) -> &mut ModelBuilder {
        self.solvers.0.push(solver);
        self
    }

    /// Whether the impulses of all that acts on the bodies from outside are integrated along with the motion, so that momentum is audited in every step to the last digit, errors of the
    /// integration included; it costs some 5 to 20 % of small models. Left out: forces between bodies are summed up now and then, which shows whether they cancel.
    pub fn integrate_impulses(&mut self, integrate: bool) -> &mut ModelBuilder {
        self.impulses = integrate;
        self
    }

    /// The length that the absolute tolerance refers to [m]; left out: the smallest body.
    pub fn length_scale(&mut self, length: f64) -> &mut ModelBuilder {
        self.length = Some(length);
        self
    }

    /// The speed that the absolute tolerance refers to [m/s]; left out: from the length and gravity, or the
    /// initial speeds.
    pub fn speed_scale(&mut self, speed: f64) -> &mut ModelBuilder {
        self.speed = Some(speed);
        self
    }

    /// Checks everything and makes the model.
    pub fn build(&self) -> Result<Model, BuildError> {
        Subject::Model.finite("gravity", &self.gravity)?;
        unique("materials", self.materials.iter().map(|m| m.name.as_str()))?;
        unique("bodies", self.bodies.iter().map(|b| b.name.as_str()))?;
        for m in &self.materials {
            let subject = Subject::Material(m.name.clone());
            m.validate().map_err(|e| match e {
                LawError::BadMaterialValue { name, .. } => subject.fails(Some(name), e),
                _ => subject.fails(None, e),
            })?;
        }
        let (bodies, rules) = clearance::expand(&self.clearances, &self.bodies, &self.rules)?;
        let mut plan = Plan::new(&bodies, self.gravity, &self.drives)?;
        let mut model = Model {
            gravity: plan.gravity,
            driven: plan.changes_energy(),
            gravity_in_time: plan.gravity_in_time,
            drives: plan.drives,
            bodies: Vec::new(),
            dynamic: Vec::new(),
            affine: Vec::new(),
            prescribed: Vec::new(),
            held: Vec::new(),
            partly_held: false,
            integrates_impulses: self.impulses,
            surfaces: Vec::new(),
            materials: self.materials.clone(),
            rules: Vec::new(),
            forces: Vec::new(),
            counted_angles: 0,
            linkage: Linkage::default(),
            more: false,
            table: RuleTable::default(),
            solvers: self.solvers.clone(),
            quadratures: Quadratures::default(),
            scale: Scale { length: 1.0, speed: 1.0 },
            deflection: 1.0,
            depths: 0,
            journals: self.clearances.iter().filter_map(|c| c.through(&bodies)).collect(),
        };
        for (body, mass_in_time) in plan.bodies.iter().zip(&mut plan.mass_in_time) {
            self.add_body(&mut model, body, mass_in_time.take())?;
        }
        for (i, &body) in model.affine.iter().enumerate() {
            model.bodies[body].kind = BodyKind::Affine(BODY * model.dynamic.len() + AFFINE * i);
        }
        for rule in &rules {
            model.rules.push(check_rule(&model, rule)?);
        }
        unique("contacts", model.rules.iter().map(|r| r.name.as_str()))?;
        model.depths = wear::lay_out_depths(&mut model.rules);
        // a round bearing whose places wear differently is not the same however it is turned
        for rule in model.rules.iter().filter(|r| r.wear.as_ref().is_some_and(|w| w.profile.is_some())) {
            let own = model.bodies.iter_mut().filter(|b| rule.between.iter().any(|end| end.is_of(&b.name)));
            own.for_each(|b| b.orientation_matters = true);
        }
        model.table = RuleTable::new(&model.rules, &model.surfaces, &model)?;
        check_pairs(&model)?;
        model.linkage = Linkage::build(&mut model, &self.joints, &plan.joints)?;
        add_forces(&mut model, &self.forces, &plan.joints)?;
        for field in &self.fields {
            let field = Nearby::new(&mut model, field)?;
            model.forces.push(Arc::new(field));
        }
        unique("fields", model.fields().map(|f| f.name.as_str()))?;
        model.more = model.has_more();
        model.held = (0..model.bodies.len()).filter(|&body| !model.is_dynamic(body)).collect();
        let partly_held = model.free().any(|body| model.bodies[body].dofs != Dofs::FREE);
        model.partly_held = partly_held;
        model.quadratures = Quadratures::of(&model);
        wear::lay_out_volumes(&mut model.rules, model.quadratures.wear);
        model.scale = self.scale(&model)?;
        model.deflection = model.deflection_scale();
        let force = model.least_force();
        let rubs = model.linkage.rubs.iter_mut();
        rubs.for_each(|rub| rub.least_load = rub.law.least_load(force));
        Ok(model)
    }

    fn add_body(
        &self,
        model: &mut Model,
        body: &Body,
        mass_in_time: Option<InTime>,
    ) -> Result<(), BuildError> {
        let subject = body.subject();
        subject.finite("position", &body.position)?;
        subject.finite("velocity", &body.velocity)?;
        subject.finite("angular_velocity", &body.angular_velocity)?;
        if let Some(c) = &body.centre_of_mass {
            subject.finite("centre_of_mass", c)?;
        }
        let names = body.surface_names();
        for (spec, name) in body.surfaces.iter().zip(&names) {
            check_shell(&body.surface_subject(&name), spec)?;
        }
        let orientation = orientation(&subject, body.orientation)?;
        let dofs = Dofs::new(&body.name, body.dofs.as_deref())?;
        let index = model.bodies.len();
        let (kind, props) = match &body.kind {
            Kind::Dynamic => {
                let turns = dofs.allowed_rotation(&Vec3::new(1.0, 1.0, 1.0)) != Vec3::zeros();
                let props = mass_properties(body, &self.materials, turns)?;
                model.dynamic.push(index);
                (BodyKind::Dynamic(model.dynamic.len() - 1), Some(props))
            }
            Kind::Affine(_) => {
                let props = mass_properties(body, &self.materials, true)?;
                model.affine.push(index);
                // its place in the state is known when all bodies are
                (BodyKind::Affine(0), Some(props))
            }
            Kind::Fixed => (BodyKind::Fixed, None),
            Kind::Prescribed(motion) => {
                model.prescribed.push(index);
                (BodyKind::Prescribed(motion.clone()), None)
            }
        };
        let (mass, centre, tensor) = match &props {
            Some(p) => (p.mass, p.centre, p.inertia),
            None => (f64::INFINITY, Vec3::zeros(), Mat3::identity()),
        };
        let r = orientation.to_rotation_matrix().into_inner();
        let soft = match (&body.kind, &props) {
            (Kind::Affine(elastic), Some(p)) => Some(soft(body, elastic, p, &dofs, &r)?),
            _ => None,
        };
        let f = if soft.is_some() { r * body.deformation } else { r };
        check_dofs(body, &dofs, &(f * centre))?;
        let axis = dofs.allowed_rotation(&Vec3::new(1.0, 1.0, 1.0));
        let axis_inertia = axis.dot(&(r * tensor * r.transpose() * axis));
        let first = model.surfaces.len();
        for (spec, name) in body.surfaces.iter().zip(names) {
            let mut surface = self.surface(body, spec, name, index, &centre, &model.surfaces[first..])?;
            if soft.is_some() {
                // a deformation moves the skin of a ball too
                surface.lever = surface.centre.norm() + surface.radius;
            }
            model.surfaces.push(surface);
        }
        let own = &model.surfaces[first..];
        let reach = |s: &SurfaceModel| (s.centre + centre).norm() + s.radius;
        let size = own.iter().map(reach).filter(|r| r.is_finite()).fold(0.0, f64::max);
        model.bodies.push(BodyModel {
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
                moves: !matches!(body.kind, Kind::Fixed),
                deforms: soft.is_some(),
                l: Mat3::zeros(),
            },
            soft,
            weight: if mass.is_finite() { model.gravity * mass } else { Vec3::zeros() },
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

    fn scale(&self, m: &Model) -> Result<Scale, BuildError> {
        let moving = || m.free().map(|i| &m.bodies[i]);
        let smallest = moving().map(|b| b.size).filter(|s| *s > 0.0).fold(f64::INFINITY, f64::min);
        let length = self.length.unwrap_or(if smallest.is_finite() { smallest } else { 1.0 });
        let initial = moving().map(|b| b.velocity.norm() + b.angular_velocity.norm() * length);
        let fastest = initial.fold((m.gravity.norm() * length).sqrt(), f64::max);
        let speed = self.speed.unwrap_or(if fastest > 0.0 { fastest } else { 1.0 });
        for (field, value) in [("length_scale", length), ("speed_scale", speed)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Subject::Model.bad(field, value, "a finite number greater than 0"));
            }
        }
        Ok(Scale { length, speed })
    }
}

pub(crate) fn unique<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), BuildError> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(Subject::Model.bad("name", format!("empty for one of the {what}"), "a word"));
        }
        if !seen.insert(name) {
            return Err(Subject::Model.fails(None, Fault::DuplicateName { what, name: name.to_owned() }));
        }
    }
    Ok(())
}
