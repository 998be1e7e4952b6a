//! Force elements for short-range fields between a body and a plane support.

use std::sync::Arc;

use carom_base::{Mat3, Pose, Scalar, Vec3, cofactor};
use carom_field::{Field, FieldError, Height, Near, Power, Tractions, pieces_of, rest_integral};
use carom_geometry::surfaces::Plane;
use carom_ode::Jacobian;

use super::{ForceElement, ForceOutput, Integrals, field_slopes};
use crate::body::Rotation;
use crate::error::{BuildError, Subject};
use crate::loads::{Loads, add};
use crate::record::Energy;
use crate::rule::Endpoint;
use crate::state::{Kinematics, torque_of};
use crate::world::{BodyKind, SurfaceModel, World};

/// How the coefficient of repulsion is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repulsion {
    /// α_r [N m^(ν − 2)]
    Coefficient(f64),
    /// the gap at which the body rests under its weight [m]: on the face that points most directly towards the
    /// support, or, if it is round, in its initial orientation
    RestGap(f64),
}

/// Short-range tractions on the boundary of a body near a plane support (Contento et al. 2009).
///
/// ```
/// use carom::prelude::*;
/// use carom::{FieldRule, Repulsion};
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("cube").density(1000.0).position([0.0, 0.0, 0.53]).surface(Cuboid::new([1.0; 3])?));
/// builder.body(Body::fixed("support").surface(Plane));
/// let field = FieldRule::between("cube", "support").faces(&["-z"]).repulsion(5, Repulsion::RestGap(0.02));
/// builder.field(field.damping(0, 1e4));
/// let run = Simulation::new(&builder.build()?).duration(5.0).run()?;
/// let gap = run.end.body("cube").unwrap().position.z - 0.5;
/// assert!((gap - 0.02).abs() < 1e-6); // at rest [m]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FieldRule {
    pub(crate) name: Option<String>,
    pub(crate) between: [Endpoint; 2],
    pub(crate) faces: Option<Vec<String>>,
    pub(crate) gauss_points: Option<usize>,
    pub(crate) repulsion: Option<(u32, Repulsion)>,
    /// damping, friction, adhesion
    pub(crate) tractions: Tractions,
}

impl FieldRule {
    /// Creates a rule without tractions, on the boundary of a body or of one of its surfaces, `body` or
    /// `body/surface`, near the plane of a support, named in the same form.
    pub fn between(body: &str, support: &str) -> FieldRule {
        FieldRule {
            name: None,
            between: [body, support].map(Endpoint::parse),
            faces: None,
            gauss_points: None,
            repulsion: None,
            tractions: Tractions::new(),
        }
    }

    /// Sets its name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> FieldRule {
        self.name = Some(name.to_owned());
        self
    }

    /// Restricts the field to these pieces of the boundary: `-x` to `+z` of a box, `side` and `caps` of a cylinder.
    /// Without this it acts on all of the boundary, in plane motion on all but the end faces.
    pub fn faces(mut self, faces: &[&str]) -> FieldRule {
        self.faces = Some(faces.iter().map(|f| (*f).to_owned()).collect());
        self
    }

    /// Integrates by n × n Gauss points on every face, as the field's authors do, instead of in closed form: for
    /// comparison with their results.
    pub fn gauss_points(mut self, n: usize) -> FieldRule {
        self.gauss_points = Some(n);
        self
    }

    /// Adds repulsion α_r d^−ν (Eq 19), ν ≥ 2.
    pub fn repulsion(mut self, exponent: u32, repulsion: Repulsion) -> FieldRule {
        self.repulsion = Some((exponent, repulsion));
        self
    }

    /// Adds damping β_d d^−ν (Eq 20) [N s m^(ν − 3)].
    pub fn damping(mut self, exponent: u32, coefficient: f64) -> FieldRule {
        self.tractions.damping = Some(Power { coefficient, exponent });
        self
    }

    /// Adds friction β_f d^−ν (Eq 21) [N s m^(ν − 3)].
    pub fn friction(mut self, exponent: u32, coefficient: f64) -> FieldRule {
        self.tractions.friction = Some(Power { coefficient, exponent });
        self
    }

    /// Adds adhesion (Eq 22, with the distance in units of its range).
    pub fn adhesion(mut self, adhesion: carom_field::Adhesion) -> FieldRule {
        self.tractions.adhesion = Some(adhesion);
        self
    }

    /// Returns its name, or `a~b` without one.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}~{}", self.between[0], self.between[1]))
    }
}

/// A short-range field as a force element of a model.
#[derive(Debug, Clone)]
pub(crate) struct FieldElement {
    pub(crate) name: String,
    /// the body and its support
    pub(crate) bodies: [usize; 2],
    /// the support's plane, in the frame of its centre of mass
    plane: Pose,
    pub(crate) field: Arc<Field>,
}

/// The motion of a body as a field needs it, in plain or dual numbers.
pub(crate) struct FieldBodyMotion<S: Scalar> {
    /// centre of mass and axes (R or F), world frame
    pub(crate) x: Pose<S>,
    pub(crate) v: Vec3<S>,
    /// Ḟ, or [ω] R
    pub(crate) f_dot: Mat3<S>,
    pub(crate) deforms: bool,
}

/// The motion of a support as a field needs it.
pub(crate) struct SupportMotion<S: Scalar> {
    /// the plane's frame, world frame
    pub(crate) plane: Pose<S>,
    /// centre of mass, its velocity, and angular velocity
    pub(crate) p: Vec3<S>,
    pub(crate) v: Vec3<S>,
    pub(crate) w: Vec3<S>,
}

impl FieldElement {
    /// Returns the position and velocity of the body relative to the support's plane.
    pub(crate) fn near(&self, k: &Kinematics, ks: &Kinematics) -> Near {
        near_at(&self.plane, k, ks)
    }

    /// Returns the plane in the frame of the support's centre of mass.
    pub(crate) fn plane(&self) -> &Pose {
        &self.plane
    }

    /// Creates the field in a world whose bodies are already made.
    pub(crate) fn new(world: &World, rule: &FieldRule) -> Result<FieldElement, BuildError> {
        let name = rule.label();
        let subject = Subject::Field(name.clone());
        let [surface, support] = [0, 1].map(|i| find(world, &subject, &rule.between[i], i == 1));
        let (surface, support) = (surface?, support?);
        let (s, plane) = (&world.surfaces[surface], &world.surfaces[support]);
        let bodies = [s.body, plane.body];
        let bad = |key, value: String, allowed| Err(subject.bad(key, value, allowed));
        if bodies[0] == bodies[1] || !world.is_dynamic(bodies[0]) {
            let value = format!("{} and {}", rule.between[0], rule.between[1]);
            return bad("between", value, "a body that moves by its forces, and another");
        }
        if world.bodies[bodies[1]].soft.is_some() {
            return bad("between", rule.between[1].to_string(), "a support that does not deform");
        }
        let own = s.local.unwrap_or_else(Pose::identity);
        let b = &world.bodies[bodies[0]];
        // in plane motion the end faces move within their own planes
        let across = match b.dofs.rotation {
            Rotation::About(w) => Some(own.r.tr_mul(&b.rest.x.r.tr_mul(&w))),
            _ => None,
        };
        let field_error = |source: FieldError| subject.fails(None, source);
        let pieces =
            pieces_of(s.shape.surface.as_ref(), rule.faces.as_deref(), across).map_err(field_error)?;
        let mut pieces: Vec<_> = pieces.into_iter().map(|(piece, at)| (piece, own.then(&at))).collect();
        if let Some(n) = rule.gauss_points {
            for (piece, _) in &mut pieces {
                let Some(by_gauss) = piece.by_gauss(n) else {
                    let value = format!("{n}, on a {}", s.shape.describe());
                    return bad("gauss_points", value, "a number greater than 0, on flat faces");
                };
                *piece = by_gauss;
            }
        }
        let plane = plane.local.unwrap_or_else(Pose::identity);
        let near = near_at(&plane, &b.rest, &world.bodies[bodies[1]].rest);
        let mut tractions = rule.tractions;
        tractions.repulsion = match rule.repulsion {
            None => None,
            Some((exponent, Repulsion::Coefficient(coefficient))) => Some(Power { coefficient, exponent }),
            Some((exponent, Repulsion::RestGap(gap))) if gap > 0.0 && gap.is_finite() => {
                let weight = b.mass * world.gravity.norm();
                let coefficient = weight / rest_integral(&pieces, &near, exponent, gap);
                Some(Power { coefficient, exponent })
            }
            Some((_, Repulsion::RestGap(gap))) => {
                return bad("rest_gap", format!("{gap}"), "a finite number greater than 0");
            }
        };
        tractions.check().map_err(field_error)?;
        let field = Field::new(tractions, pieces);
        let gap = field.nearest(&near.d);
        if !(gap > 0.0) {
            let value = format!("a boundary that reaches {} m below the plane", -gap);
            return bad("between", value, "a boundary that is above it at the start");
        }
        let nearby = FieldElement { name, bodies, plane, field: Arc::new(field) };
        Ok(nearby)
    }
}

/// Returns the position and velocity of a body relative to the plane of its support.
fn near_at(plane: &Pose, k: &Kinematics, ks: &Kinematics) -> Near {
    let f_dot = if k.deforms { k.l * k.x.r } else { k.w.cross_matrix() * k.x.r };
    let body = FieldBodyMotion { x: k.x, v: k.v, f_dot, deforms: k.deforms };
    near(&body, &SupportMotion { plane: ks.x.then(plane), p: ks.x.p, v: ks.v, w: ks.w })
}

/// Finds the one surface of a body that can have a field, or, if `plane`, the plane of its support.
fn find(world: &World, subject: &Subject, end: &Endpoint, plane: bool) -> Result<usize, BuildError> {
    let bad = |allowed| subject.bad("between", end, allowed);
    let (body, surface) = match end {
        Endpoint::Any | Endpoint::Several(_) => return Err(bad("a body, or `body/surface`")),
        Endpoint::Body(b) => (b, None),
        Endpoint::Surface(b, s) => (b, Some(s)),
    };
    let names: Vec<&str> = world.body_names().collect();
    let index = subject.find("between", "body", body, &names)?;
    let own: Vec<(usize, &SurfaceModel)> =
        world.surfaces.iter().enumerate().filter(|(_, s)| s.body == index).collect();
    if let Some(surface) = surface {
        let found = own.iter().find(|(_, s)| s.name == *surface);
        let names: Vec<String> = own.iter().map(|(i, _)| world.surface_name(*i)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let missing = || subject.unknown("between", "surface", &end.to_string(), &names);
        return found.map(|(i, _)| *i).ok_or_else(missing);
    }
    let fits = |s: &SurfaceModel| {
        let is_plane = s.shape.surface.as_any().is::<Plane>();
        if plane { is_plane } else { pieces_of(s.shape.surface.as_ref(), None, None).is_ok() }
    };
    // surfaces that belong to joints with clearance are not meant by a body's name
    let mut fitting = own.iter().filter(|(_, s)| !s.of_joint && fits(s));
    match (fitting.next(), fitting.next()) {
        (Some((i, _)), None) => Ok(*i),
        (None, _) if plane => Err(bad("a support with a plane")),
        (None, _) => Err(bad("a body with a box, polyhedron, cylinder, sphere or ellipsoid")),
        (Some(_), Some(_)) => Err(bad("one of the body's surfaces, as `body/surface`")),
    }
}

/// Returns a body relative to its support: d = n·(p0 − o) + (Fᵀ n)·X, u = ṗ − v_s(p).
pub(crate) fn near<S: Scalar>(body: &FieldBodyMotion<S>, support: &SupportMotion<S>) -> Near<S> {
    let n = support.plane.axis(2);
    let f = &body.x.r;
    let w = cross_matrix(&support.w);
    Near {
        n,
        d: Height { a: n.dot(&(body.x.p - support.plane.p)), b: f.tr_mul(&n) },
        cof: body.deforms.then(|| cofactor(f)),
        u0: body.v - support.v - support.w.cross(&(body.x.p - support.p)),
        u: body.f_dot - w * f,
    }
}

/// Returns the matrix [a] with [a] b = a × b.
pub(crate) fn cross_matrix<S: Scalar>(a: &Vec3<S>) -> Mat3<S> {
    let o = S::from_f64(0.0);
    Mat3::new(o, -a.z, a.y, a.z, o, -a.x, -a.y, a.x, o)
}

impl ForceElement for FieldElement {
    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    fn integrals(&self, world: &World) -> Integrals {
        Integrals {
            field: self.field.tractions().dissipates(),
            work: world.bodies[self.bodies[0]].soft.is_some(),
            ..Integrals::default()
        }
    }

    fn load(
        &self,
        world: &World,
        loads: &mut Loads,
        _: f64,
        integrals: &mut [f64],
    ) -> Result<(), &'static str> {
        let (q, [body, support]) = (&world.quadratures, self.bodies);
        let (k, ks) = (loads.bodies[body].k, loads.bodies[support].k);
        let action = self.field.act(&self.near(&k, &ks));
        // a trial stage may overshoot; the step is then shortened
        if !action.force.sum().is_finite() {
            return Err("the boundary reaches the support, where the field has no limit");
        }
        // ∫ q ⊗ r dA, r from the centre of mass
        let moment = action.moment * k.x.r.transpose();
        loads.spread(body, &action.force, &moment);
        add(integrals, q.dissipated_field, action.dissipated);
        if k.deforms {
            add(integrals, q.work, action.power);
        }
        if ks.moves || loads.audit {
            // the opposite load on the support
            let moment = moment + action.force * (k.x.p - ks.x.p).transpose();
            loads.spread(support, &-action.force, &-moment);
            if matches!(world.bodies[support].kind, BodyKind::Prescribed(_)) {
                let power = action.force.dot(&ks.v) + torque_of(&moment).dot(&ks.w);
                add(integrals, q.work, power);
            }
        }
        Ok(())
    }

    fn store(&self, _: &World, loads: &Loads, _: f64, energy: &mut Energy) {
        let [k, support] = self.bodies.map(|body| loads.body(body));
        if !k.deforms {
            energy.field += self.field.act(&self.near(k, support)).potential;
        }
    }

    fn linearise(&self, world: &World, loads: &mut Loads, _: f64, y: &[f64], j: &mut Jacobian) -> bool {
        field_slopes::add(world, self, loads, y, j);
        true
    }

    /// Returns `None`: fields have records of their own.
    fn record(&self, _: &World, _: &Loads, _: f64, _: &[f64]) -> Option<ForceOutput> {
        None
    }

    fn add_amounts(&self, _: &World, loads: &Loads, amounts: &mut [f64]) {
        let [k, support] = self.bodies.map(|body| loads.body(body));
        let f = self.field.act(&self.near(k, support)).force.norm();
        self.bodies.into_iter().for_each(|body| amounts[body] += f);
    }

    fn as_field(&self) -> Option<&FieldElement> {
        Some(self)
    }

    /// Returns 1,500 instructions per piece, as counted.
    fn work(&self) -> f64 {
        1500.0 * self.field.pieces() as f64
    }
}
