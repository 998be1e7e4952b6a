//! Force elements for short-range fields between the boundary of a body and a support.
//!
//! Near a plane the tractions are integrated in closed form ([`Field`]); near other surfaces, and with Coulomb-like friction, at nodes of the
//! boundary ([`PointField`]). Both give one [`Action`] on the body, and the support takes the opposite.

use std::sync::Arc;

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3, cofactor};
use carom_field::{
    Action, Field, FieldError, Height, Motions, Near, Placed, PointField, Power, Tractions, nodes_of,
    parts_of, pieces_of, rest_integral,
};
use carom_geometry::Shape;
use carom_geometry::surfaces::Plane;
use carom_ode::Jacobian;

use super::{FieldRule, ForceElement, ForceOutput, Integrals, Repulsion, field_slopes};
use crate::body::Rotation;
use crate::error::{BuildError, Subject};
use crate::loads::{Loads, add};
use crate::record::Energy;
use crate::rule::Endpoint;
use crate::state::{Kinematics, torque_of};
use crate::world::{BodyKind, SurfaceModel, World};

/// Number of nodes along each direction of a part of the boundary, unless [`FieldRule::points`] says otherwise.
const POINTS: usize = 32;

/// A short-range field as a force element of a model.
#[derive(Debug, Clone)]
pub(crate) struct FieldElement {
    pub(crate) name: String,
    /// the body and its support
    pub(crate) bodies: [usize; 2],
    /// the frame of the support's surface, in the frame of its centre of mass
    surface: Pose,
    by: Evaluation,
}

/// How the tractions are integrated over the boundary.
#[derive(Debug, Clone)]
enum Evaluation {
    /// in closed form, near a plane
    Plane(Arc<Field>),
    /// at nodes, near any surface
    Nodes(Arc<PointField>),
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
    /// the frame of its surface, world frame; of a plane, z is the normal
    pub(crate) surface: Pose<S>,
    /// centre of mass, its velocity, and angular velocity
    pub(crate) p: Vec3<S>,
    pub(crate) v: Vec3<S>,
    pub(crate) w: Vec3<S>,
}

impl FieldElement {
    /// Returns the action of the field on the body.
    pub(crate) fn act(&self, k: &Kinematics, ks: &Kinematics) -> Action {
        let (body, support) = self.motions(k, ks);
        match &self.by {
            Evaluation::Plane(field) => field.act(&near(&body, &support)),
            Evaluation::Nodes(field) => field.act(&motions(&body, &support)),
        }
    }

    /// Returns the action of the field on the body with derivatives with respect to any N variables.
    pub(crate) fn act_by<const N: usize>(
        &self,
        body: &FieldBodyMotion<Dual<N>>,
        support: &SupportMotion<Dual<N>>,
    ) -> Action<Dual<N>> {
        match &self.by {
            Evaluation::Plane(field) => field.act_by(&near(body, support)),
            Evaluation::Nodes(field) => field.act_by(&motions(body, support)),
        }
    }

    /// Returns the least distance of the boundary, or of its nodes, from the support [m].
    pub(crate) fn gap(&self, k: &Kinematics, ks: &Kinematics) -> f64 {
        let (body, support) = self.motions(k, ks);
        match &self.by {
            Evaluation::Plane(field) => field.nearest(&near(&body, &support).d),
            Evaluation::Nodes(field) => field.nearest(&motions(&body, &support)),
        }
    }

    /// Returns the tractions.
    pub(crate) fn tractions(&self) -> &Tractions {
        match &self.by {
            Evaluation::Plane(field) => field.tractions(),
            Evaluation::Nodes(field) => field.tractions(),
        }
    }

    /// Returns the frame of the support's surface in the frame of its centre of mass.
    pub(crate) fn surface(&self) -> &Pose {
        &self.surface
    }

    fn motions(&self, k: &Kinematics, ks: &Kinematics) -> (FieldBodyMotion<f64>, SupportMotion<f64>) {
        moving(&self.surface, k, ks)
    }

    /// Creates the field in a world whose bodies are already made.
    pub(crate) fn new(world: &World, rule: &FieldRule) -> Result<FieldElement, BuildError> {
        let name = rule.label();
        let subject = Subject::Field(name.clone());
        let [surface, support] = [0, 1].map(|i| find(world, &subject, &rule.between[i], i == 1));
        let (surface, support) = (surface?, support?);
        let (s, near_to) = (&world.surfaces[surface], &world.surfaces[support]);
        let bodies = [s.body, near_to.body];
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
        let boundary = Boundary { surface: s, own, across };
        let surface = near_to.local.unwrap_or_else(Pose::identity);
        let plane = near_to.shape.surface.as_any().is::<Plane>();
        let rest = moving(&surface, &b.rest, &world.bodies[bodies[1]].rest);
        let mut tractions = rule.tractions;
        tractions.repulsion = match rule.repulsion {
            None => None,
            Some((exponent, Repulsion::Coefficient(coefficient))) => Some(Power { coefficient, exponent }),
            Some((_, Repulsion::RestGap(_))) if !plane => {
                return bad(
                    "rest_gap",
                    "given".to_owned(),
                    "`coefficient`: only on a plane is the height at rest known",
                );
            }
            Some((exponent, Repulsion::RestGap(gap))) if gap > 0.0 && gap.is_finite() => {
                let weight = b.mass * world.gravity.norm();
                let pieces = boundary.pieces(rule, &subject)?;
                let coefficient = weight / rest_integral(&pieces, &near(&rest.0, &rest.1), exponent, gap);
                Some(Power { coefficient, exponent })
            }
            Some((_, Repulsion::RestGap(gap))) => {
                return bad("rest_gap", format!("{gap}"), "a finite number greater than 0");
            }
        };
        tractions.check().map_err(|source: FieldError| subject.fails(None, source))?;
        let by = if plane && rule.points.is_none() && tractions.coulomb.is_none() {
            Evaluation::Plane(Arc::new(Field::new(tractions, boundary.pieces(rule, &subject)?)))
        } else {
            Evaluation::Nodes(Arc::new(boundary.nodes(rule, &subject, tractions, &near_to.shape)?))
        };
        let field = FieldElement { name, bodies, surface, by };
        let gap = field.gap(&b.rest, &world.bodies[bodies[1]].rest);
        if !(gap > 0.0) {
            let value = format!("a boundary that reaches {} m into the support", -gap);
            return bad("between", value, "a boundary that is outside it at the start");
        }
        Ok(field)
    }
}

/// The boundary of a body that a field acts on.
struct Boundary<'w> {
    surface: &'w SurfaceModel,
    /// the frame of the surface, from the body's centre of mass
    own: Pose,
    /// the axis of a plane motion, in the surface's frame
    across: Option<Vec3>,
}

impl Boundary<'_> {
    /// Returns the pieces that have closed forms, or Gauss points if the rule says so.
    fn pieces(&self, rule: &FieldRule, subject: &Subject) -> Result<Vec<Placed>, BuildError> {
        let shape = &self.surface.shape;
        let pieces = pieces_of(shape.surface.as_ref(), rule.faces.as_deref(), self.across)
            .map_err(|source| subject.fails(None, source))?;
        let placed = |(piece, at): Placed| match rule.gauss_points {
            None => Ok((piece, self.own.then(&at))),
            Some(n) => match piece.by_gauss(n) {
                Some(by_gauss) => Ok((by_gauss, self.own.then(&at))),
                None => {
                    let value = format!("{n}, on a {}", shape.describe());
                    Err(subject.bad("gauss_points", value, "a number greater than 0, on flat faces"))
                }
            },
        };
        pieces.into_iter().map(placed).collect()
    }

    /// Returns the field at nodes near a support of any shape.
    fn nodes(
        &self,
        rule: &FieldRule,
        subject: &Subject,
        tractions: Tractions,
        support: &Shape,
    ) -> Result<PointField, BuildError> {
        if let Some(n) = rule.gauss_points {
            let allowed = "`points`: closed forms near a plane are what `gauss_points` replaces";
            return Err(subject.bad("gauss_points", n, allowed));
        }
        let parts = parts_of(self.surface.shape.surface.as_ref(), rule.faces.as_deref(), self.across)
            .map_err(|source| subject.fails(None, source))?;
        let n = rule.points.unwrap_or(POINTS);
        let nodes: Vec<_> =
            parts.iter().flat_map(|part| nodes_of(part, n)).map(|node| node.moved(&self.own)).collect();
        if nodes.is_empty() {
            return Err(subject.bad("points", n, "a number greater than 0"));
        }
        let allowed = "a support that has closest points";
        PointField::new(tractions, nodes, support.clone())
            .ok_or_else(|| subject.bad("between", &rule.between[1], allowed))
    }
}

/// Returns the motions of a body and of its support, whose surface has that frame on it.
fn moving(surface: &Pose, k: &Kinematics, ks: &Kinematics) -> (FieldBodyMotion<f64>, SupportMotion<f64>) {
    let f_dot = if k.deforms { k.l * k.x.r } else { k.w.cross_matrix() * k.x.r };
    let body = FieldBodyMotion { x: k.x, v: k.v, f_dot, deforms: k.deforms };
    (body, SupportMotion { surface: ks.x.then(surface), p: ks.x.p, v: ks.v, w: ks.w })
}

/// Finds the one surface of a body that can have a field, or, if `support`, be near one: its plane, if it has one.
fn find(world: &World, subject: &Subject, end: &Endpoint, support: bool) -> Result<usize, BuildError> {
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
    let is_plane = |s: &SurfaceModel| s.shape.surface.as_any().is::<Plane>();
    let has_plane = own.iter().any(|(_, s)| is_plane(s));
    let fits = |s: &SurfaceModel| match (support, has_plane) {
        (true, true) => is_plane(s),
        (true, false) => s.shape.surface.as_project().is_some() && !s.shape.surface.is_sheet(),
        (false, _) => pieces_of(s.shape.surface.as_ref(), None, None).is_ok(),
    };
    // surfaces that belong to joints with clearance are not meant by a body's name
    let mut fitting = own.iter().filter(|(_, s)| !s.of_joint && fits(s));
    match (fitting.next(), fitting.next()) {
        (Some((i, _)), None) => Ok(*i),
        (None, _) if support => {
            Err(bad("a support with a plane, or with another surface that has closest points"))
        }
        (None, _) => Err(bad("a body with a box, polyhedron, cylinder, sphere or ellipsoid")),
        (Some(_), Some(_)) => Err(bad("one of the body's surfaces, as `body/surface`")),
    }
}

/// Returns a body and a support of any shape, for nodes.
fn motions<S: Scalar>(body: &FieldBodyMotion<S>, support: &SupportMotion<S>) -> Motions<S> {
    Motions {
        body: body.x,
        v: body.v,
        f_dot: body.f_dot,
        cof: body.deforms.then(|| cofactor(&body.x.r)),
        surface: support.surface,
        support: [support.p, support.v, support.w],
    }
}

/// Returns a body relative to its support: d = n·(p0 − o) + (Fᵀ n)·X, u = ṗ − v_s(p).
fn near<S: Scalar>(body: &FieldBodyMotion<S>, support: &SupportMotion<S>) -> Near<S> {
    let n = support.surface.axis(2);
    let f = &body.x.r;
    let w = cross_matrix(&support.w);
    Near {
        n,
        d: Height { a: n.dot(&(body.x.p - support.surface.p)), b: f.tr_mul(&n) },
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
            field: self.tractions().dissipates(),
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
        let action = self.act(&k, &ks);
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
            energy.field += self.act(k, support).potential;
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
        let f = self.act(k, support).force.norm();
        self.bodies.into_iter().for_each(|body| amounts[body] += f);
    }

    fn as_field(&self) -> Option<&FieldElement> {
        Some(self)
    }

    /// Returns 1,500 instructions per piece, as counted, or 150 per node.
    fn work(&self) -> f64 {
        match &self.by {
            Evaluation::Plane(field) => 1500.0 * field.pieces() as f64,
            Evaluation::Nodes(field) => 150.0 * field.nodes() as f64,
        }
    }
}
