//! From descriptions to a checked model.

use std::sync::Arc;

use carom_base::Vec3;
use carom_geometry::PairSolver;
use carom_law::{LawError, Material};

use crate::body::Body;
use crate::check::unique;
use crate::clearance::{self, Clearance};
use crate::drive::{Drive, Plan};
use crate::error::{BuildError, Subject};
use crate::force::{FieldRule, Force, ForceElement, Forces, Integrals};
use crate::joint::{ConstraintSet, Joint, enlarge};
use crate::layout::{Quadratures, Wanted};
use crate::model::{Model, has_more};
use crate::rule::{ContactRule, Rule, Rules, lay_out_volumes};
use crate::world::{BodyModel, Solvers, Units, World};

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
        let plan = Plan::new(&bodies, self.gravity, &self.drives)?;
        let units = Units { length: self.length, speed: self.speed };
        let mut world = World::new(&plan, &self.materials, &self.solvers, units)?;
        let Rules { mut rules, table, depths, oriented } = Rules::build(&world, &rules)?;
        world.orient(oriented);
        let (mut constraints, stops) = ConstraintSet::build(&world, &self.joints, &plan.joints, rules.len())?;
        rules.extend(stops);
        world.orient(constraints.oriented());
        enlarge(&mut world, &mut constraints);
        let Forces { all: forces, counted_angles } =
            Forces::build(&world, &constraints, &self.forces, &self.fields, &plan.joints)?;
        world.orient(forces.iter().flat_map(|force| force.oriented()));
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
            more: has_more(&world, &rules, &constraints, &forces),
            deflection: deflection_scale(&world, &rules, &constraints),
            journals: self.clearances.iter().filter_map(|c| c.through(&bodies)).collect(),
            world,
            rules,
            table,
            forces,
            counted_angles,
            constraints,
        })
    }

    /// The integrals of all that can happen.
    fn integrals(
        &self,
        world: &World,
        rules: &[Rule],
        constraints: &ConstraintSet,
        forces: &[Arc<dyn ForceElement>],
    ) -> Wanted {
        // without a body that forces move nothing is done or lost
        if world.free().next().is_none() {
            return Wanted { dashpots: rules.iter().any(Rule::has_dashpot), ..Wanted::default() };
        }
        let worn = |r: &Rule| r.wear.as_ref().and_then(|w| w.profile.as_ref()).is_some_and(|p| p.feedback);
        let viscous = |b: &BodyModel| b.soft.as_ref().is_some_and(|s| s.elastic.is_viscous());
        let any = |which: fn(Integrals) -> bool| forces.iter().any(|force| which(force.integrals(world)));
        let somebody_works = world.driven
            || !world.prescribed.is_empty()
            || any(|f| f.driven)
            || constraints.list.iter().any(|h| h.works);
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
            wears: rules.iter().filter(|r| r.wear.is_some()).count(),
        }
    }
}

/// What is large for bristles [m]: how far the softest friction of the model bends them under the force m v²/l, no less than its
/// weight, on the lightest body.
fn deflection_scale(world: &World, rules: &[Rule], constraints: &ConstraintSet) -> f64 {
    let of_contacts = rules.iter().filter_map(|r| r.friction.as_ref());
    let bends = of_contacts.chain(constraints.frictions.iter().map(|r| &r.law)).filter(|f| f.remembers());
    bends.map(|f| f.deflection(world.least_force())).fold(world.scale.length, f64::min)
}
