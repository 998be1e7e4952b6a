//! Builds a checked model from descriptions of its parts.

use std::sync::Arc;

use carom_base::Vec3;
use carom_geometry::PairSolver;
use carom_law::{LawError, Material};

use crate::body::Body;
use crate::check::unique;
use crate::clearance::{self, Clearance};
use crate::control::{Controller, Controls, Input};
use crate::drive::{Drive, Plan};
use crate::error::{BuildError, Subject};
use crate::force::{FieldRule, Force, ForceElement, Forces, Integrals};
use crate::joint::{ConstraintSet, Joint, regularise_inertia};
use crate::layout::{Quadratures, Wanted};
use crate::model::{Model, is_general};
use crate::rule::{ContactRule, Rule, Rules, lay_out_volumes};
use crate::signal::Names;
use crate::world::{BodyModel, Solvers, Units, World};

/// Collects bodies, materials, contact rules, forces and drives, and builds a [`Model`] from them.
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
    inputs: Vec<Input>,
    controllers: Vec<Controller>,
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
            inputs: Vec::new(),
            controllers: Vec::new(),
            solvers: Solvers::default(),
            impulses: false,
            length: None,
            speed: None,
        }
    }
}

impl ModelBuilder {
    /// Creates an empty builder with gravity 9.81 m/s² along −z.
    pub fn new() -> ModelBuilder {
        ModelBuilder::default()
    }

    /// Sets the acceleration of gravity [m/s²].
    pub fn gravity(&mut self, gravity: [f64; 3]) -> &mut ModelBuilder {
        self.gravity = gravity.into();
        self
    }

    /// Adds a material, which surfaces refer to by name.
    pub fn material(&mut self, material: Material) -> &mut ModelBuilder {
        self.materials.push(material);
        self
    }

    /// Adds a body.
    pub fn body(&mut self, body: Body) -> &mut ModelBuilder {
        self.bodies.push(body);
        self
    }

    /// Adds a contact rule. Bodies without a rule pass through each other.
    pub fn contact(&mut self, rule: ContactRule) -> &mut ModelBuilder {
        self.rules.push(rule);
        self
    }

    /// Adds a force, usually one between points of two bodies.
    pub fn force(&mut self, force: Force) -> &mut ModelBuilder {
        self.forces.push(force);
        self
    }

    /// Adds a short-range field between a body and a plane support.
    pub fn field(&mut self, field: FieldRule) -> &mut ModelBuilder {
        self.fields.push(field);
        self
    }

    /// Adds a joint between two bodies.
    pub fn joint(&mut self, joint: Joint) -> &mut ModelBuilder {
        self.joints.push(joint);
        self
    }

    /// Adds a joint with clearance: it creates surfaces on its two bodies, and contact rules for them.
    pub fn clearance(&mut self, clearance: Clearance) -> &mut ModelBuilder {
        self.clearances.push(clearance);
        self
    }

    /// Adds a drive, which makes a quantity of the model a function of time.
    pub fn drive(&mut self, drive: Drive) -> &mut ModelBuilder {
        self.drives.push(drive);
        self
    }

    /// Adds an input: a number that loads use by its name, and that a program may set while a run goes on
    /// ([`Running::set`](crate::Running::set)). It starts with `value`.
    pub fn input(&mut self, name: &str, value: f64) -> &mut ModelBuilder {
        self.inputs.push(Input { name: name.to_owned(), value });
        self
    }

    /// Adds a sampled controller.
    pub fn controller(&mut self, controller: Controller) -> &mut ModelBuilder {
        self.controllers.push(controller);
        self
    }

    /// Adds a user-defined pair solver, which is tried before those of the library.
    pub fn pair_solver(&mut self, solver: &'static dyn PairSolver) -> &mut ModelBuilder {
        self.solvers.0.push(solver);
        self
    }

    /// Chooses whether the impulses of all external forces on the bodies are integrated along with the motion. Momentum is
    /// then audited in every step to the last digit, including the errors of the integration; this takes some 5 to 20 % more
    /// time for small models. By default forces between bodies are only summed in one of many steps, which shows whether they
    /// cancel.
    pub fn integrate_impulses(&mut self, integrate: bool) -> &mut ModelBuilder {
        self.impulses = integrate;
        self
    }

    /// Sets the length that the absolute tolerance refers to [m]; the default is the size of the smallest body.
    pub fn length_scale(&mut self, length: f64) -> &mut ModelBuilder {
        self.length = Some(length);
        self
    }

    /// Sets the speed that the absolute tolerance refers to [m/s]; the default follows from the length and gravity, or from
    /// the initial speeds.
    pub fn speed_scale(&mut self, speed: f64) -> &mut ModelBuilder {
        self.speed = Some(speed);
        self
    }

    /// Checks the whole description and builds the model.
    pub fn build(&self) -> Result<Model, BuildError> {
        self.checked().map_err(|error| clearance::explained(error, &self.clearances))
    }

    fn checked(&self) -> Result<Model, BuildError> {
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
        let plan = Plan::new(&bodies, self.gravity, &self.drives)?;
        let units = Units { length: self.length, speed: self.speed };
        let mut world = World::new(&plan, &self.materials, &self.solvers, units)?;
        let Rules { mut rules, table, depths, oriented } = Rules::build(&world, &rules)?;
        world.orient(oriented);
        let (mut constraints, stops) = ConstraintSet::build(&world, &self.joints, &plan.joints, rules.len())?;
        rules.extend(stops);
        world.orient(constraints.oriented());
        regularise_inertia(&mut world, &mut constraints);
        let inputs = Controls::inputs(&self.inputs, &self.controllers);
        let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
        unique("inputs", names.iter().map(String::as_str))?;
        let known = Names { world: &world, constraints: &constraints, inputs: &names, line: None };
        Controls::check_names(&known, &self.inputs)?;
        let Forces { all: forces, mut counts } =
            Forces::build(&world, &constraints, &self.forces, &self.fields, &plan.joints, &names)?;
        world.orient(forces.iter().flat_map(|force| force.oriented()));
        let names = Names { world: &world, constraints: &constraints, inputs: &names, line: None };
        let controls = Controls::build(&names, inputs, self.inputs.len(), &self.controllers, &mut counts)?;
        world.orient(controls.controllers.iter().flat_map(|c| &c.readings).flat_map(|r| r.bodies()));
        let wanted = self.integrals(&world, &rules, &constraints, &forces);
        let quadratures = Quadratures::new(&wanted);
        lay_out_volumes(&mut rules, quadratures.wear);
        world.lay_out(depths, quadratures);
        let force = world.least_force();
        constraints
            .frictions
            .iter_mut()
            .for_each(|friction| friction.least_load = friction.law.least_load(force));
        Ok(Model {
            integrates_impulses: self.impulses,
            is_general: is_general(&world, &rules, &constraints, &forces),
            deflection: deflection_scale(&world, &rules, &constraints),
            journals: self.clearances.iter().filter_map(|c| c.through(&bodies)).collect(),
            world,
            rules: rules.into(),
            table,
            forces,
            counts,
            controls,
            constraints,
        })
    }

    /// Returns which work, dissipation, impulse and wear integrals the model needs: those of everything that can happen in
    /// it.
    fn integrals(
        &self,
        world: &World,
        rules: &[Rule],
        constraints: &ConstraintSet,
        forces: &[Arc<dyn ForceElement>],
    ) -> Wanted {
        // if no body is moved by forces, no work is done and none is dissipated
        if world.free().next().is_none() {
            return Wanted { dashpots: rules.iter().any(Rule::has_dashpot), ..Wanted::default() };
        }
        let worn = |r: &Rule| r.wear.as_ref().and_then(|w| w.profile.as_ref()).is_some_and(|p| p.feedback);
        let viscous = |b: &BodyModel| b.soft.as_ref().is_some_and(|s| s.elastic.is_viscous());
        let any = |which: fn(Integrals) -> bool| forces.iter().any(|force| which(force.integrals(world)));
        let somebody_works = world.driven
            || !world.prescribed.is_empty()
            || any(|f| f.driven)
            || constraints.list.iter().any(|h| h.may_do_work);
        Wanted {
            dissipated_normal: rules.iter().any(|r| !r.normal.is_elastic() || worn(r)),
            dashpots: rules.iter().any(Rule::has_dashpot),
            dissipated_friction: rules.iter().any(|r| r.friction.is_some() || r.resists()),
            dissipated_viscous: any(|f| f.viscous) || world.bodies.iter().any(viscous),
            dissipated_field: any(|f| f.field),
            dissipated_joint: !constraints.frictions.is_empty(),
            somebody_works,
            work: somebody_works || any(|f| f.work),
            impulse: self.impulses,
            named: forces.iter().filter(|force| force.integrals(world).named).count(),
            wears: rules.iter().filter(|r| r.wear.is_some()).count(),
        }
    }
}

/// Returns a large deflection of friction bristles [m]: the deflection that the softest friction law of the model gives under
/// the force m v²/l, or the weight if that is larger, on the lightest body; at most the length scale of the model.
fn deflection_scale(world: &World, rules: &[Rule], constraints: &ConstraintSet) -> f64 {
    let of_contacts = rules.iter().filter_map(|r| r.friction.as_ref());
    let bends = of_contacts.chain(constraints.frictions.iter().map(|r| &r.law)).filter(|f| f.remembers());
    bends.map(|f| f.deflection(world.least_force())).fold(world.scale.length, f64::min)
}
