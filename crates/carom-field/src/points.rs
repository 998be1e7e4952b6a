//! Tractions at the nodes of a boundary, by the distance from a surface of any shape.
//!
//! A node at p = p0 + F X has the distance d from the support's surface and the normal n there, by its closest point. With the velocity
//! u of the node relative to the support, which moves as a rigid body out to the node,
//!
//!   q = k { [α_r d^−ν_r − β_a ((d/d_a)^−ν_aa − (d/d_a)^−ν_ar) − β_d d^−ν_d n·u] n − β_f d^−ν_f u_t − μ α_r d^−ν_r u_t/√(u_t² + v_s²) },
//!
//! u_t = u − n n·u. The body takes q at the node and the support the opposite at the same point, so that both forces and both moments
//! cancel. Since n is the gradient of d, the sum over the nodes has the potential Σ c/(ν − 1) d^(1−ν) dA exactly, whatever the number of
//! nodes: energy is kept even where they are too few for the integral.
//!
//! A cavity has several walls (barrel and caps of a can), each of which acts by its own distance.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};
use carom_geometry::{ClosestPoint, Project, Shape};

use crate::node::Node;
use crate::tractions::power;
use crate::{Action, Power, Tractions};

/// The motion of a body and of the support near it, in the world frame.
#[derive(Clone, Copy, Debug)]
pub struct Motions<S: Scalar = f64> {
    /// centre of mass p0 and axes F of the body; the columns of F are not orthonormal if it deforms
    pub body: Pose<S>,
    /// velocity of the centre of mass [m/s]
    pub v: Vec3<S>,
    /// rate of F [1/s]
    pub f_dot: Mat3<S>,
    /// cofactor matrix F* = det F F^−T of a body that deforms; `None` for a rigid body, whose area does not change
    pub cof: Option<Mat3<S>>,
    /// frame of the support's surface
    pub surface: Pose<S>,
    /// centre of mass of the support [m], its velocity [m/s] and angular velocity [rad/s]
    pub support: [Vec3<S>; 3],
}

/// The field on the nodes of a body's boundary near a surface.
///
/// ```
/// use carom_base::{Mat3, Pose, Vec3};
/// use carom_field::{Motions, PointField, Power, Tractions, nodes_of};
/// use carom_geometry::{Shape, Surface, surfaces::Sphere};
/// let ball = Sphere::new(0.1)?; // radius [m]
/// let nodes = nodes_of(&ball.boundary().unwrap()[0], 24);
/// let repulsion = Tractions::new().repulsion(Power { coefficient: 1e-3, exponent: 3 });
/// let field = PointField::new(repulsion, nodes, Shape::outside(Sphere::new(0.2)?)).unwrap();
/// let zero = Vec3::zeros();
/// let action = field.act(&Motions {
///     body: Pose::at(Vec3::new(0.35, 0.0, 0.0)),
///     v: zero,
///     f_dot: Mat3::zeros(),
///     cof: None,
///     surface: Pose::identity(),
///     support: [zero; 3],
/// });
/// assert!(action.force.x > 0.0 && action.force.y.abs() < 1e-12); // away from the other ball [N]
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PointField {
    tractions: Tractions,
    /// in the body's frame: from its centre of mass, in its axes
    nodes: Vec<Node>,
    support: Shape,
    features: usize,
}

/// The tractions at a distance, without their velocities.
struct Strength<S> {
    /// repulsion and adhesion [N/m²]
    normal: S,
    /// their potential [N/m]
    potential: S,
    /// repulsion alone [N/m²]
    repulsion: S,
    damping: S,
    friction: S,
}

impl PointField {
    /// Makes the field of these tractions on these nodes, which are in the body's frame [m], near a surface; `None` if it has no
    /// closest points.
    pub fn new(tractions: Tractions, nodes: Vec<Node>, support: Shape) -> Option<PointField> {
        let features = support.surface.as_project()?.features(support.side).len();
        Some(PointField { tractions, nodes, support, features })
    }

    /// Returns the tractions.
    pub fn tractions(&self) -> &Tractions {
        &self.tractions
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the least distance of a node from the surface [m].
    pub fn nearest(&self, motions: &Motions) -> f64 {
        let Some(project) = self.support.surface.as_project() else { return f64::NAN };
        let mut least = f64::INFINITY;
        for node in &self.nodes {
            let x = motions.surface.point_to_local(&motions.body.point(&node.x));
            for feature in 0..self.features {
                least = least.min(project.closest_point(self.support.side, feature, &x).d);
            }
        }
        least
    }

    /// Computes the action of the field on the body. It is NaN if a node is not outside the support.
    pub fn act(&self, motions: &Motions) -> Action {
        let Some(project) = self.support.surface.as_project() else { return Action::zero() };
        self.sum(motions, |feature, x| project.closest_point(self.support.side, feature, x))
    }

    /// Computes the action of the field on the body with derivatives with respect to any N variables.
    pub fn act_by<const N: usize>(&self, motions: &Motions<Dual<N>>) -> Action<Dual<N>> {
        let Some(project) = self.support.surface.as_project() else { return Action::zero() };
        self.sum(motions, |feature, x| closest_by(project, &self.support, feature, x))
    }

    fn sum<S: Scalar>(
        &self,
        motions: &Motions<S>,
        closest: impl Fn(usize, &Vec3<S>) -> ClosestPoint<S>,
    ) -> Action<S> {
        let mut action = Action::zero();
        for node in &self.nodes {
            for feature in 0..self.features {
                self.add(node, motions, |x| closest(feature, x), &mut action);
            }
        }
        action
    }

    /// Adds the action of the field at a node.
    #[inline]
    fn add<S: Scalar>(
        &self,
        node: &Node,
        motions: &Motions<S>,
        closest: impl Fn(&Vec3<S>) -> ClosestPoint<S>,
        action: &mut Action<S>,
    ) {
        let Motions { body, v, f_dot, cof, surface, support: [ps, vs, ws] } = motions;
        let x = node.x.map(S::from_f64);
        let p = body.point(&x);
        let ClosestPoint { n, d, .. } = closest(&surface.point_to_local(&p));
        if !(d.value() > 0.0) {
            action.force = Vec3::from_element(S::from_f64(f64::NAN));
            return;
        }
        let n = surface.direction(&n);
        let area = match cof {
            None => S::from_f64(node.area),
            // k dA = |F* m| dA (Eq 18)
            Some(cof) => length(&(cof * node.normal.map(S::from_f64))) * S::from_f64(node.area),
        };
        let u = v + f_dot * x - vs - ws.cross(&(p - ps));
        let un = n.dot(&u);
        let ut = u - n * un;
        let strength = self.strength(d);
        let drag = strength.friction + self.coulomb(strength.repulsion, &ut);
        let conservative = n * (strength.normal * area);
        let resistance = (n * (strength.damping * un) + ut * drag) * area;
        let force = conservative - resistance;
        action.force += force;
        action.moment += force * x.transpose();
        action.potential += strength.potential * area;
        action.dissipated += resistance.dot(&u);
        action.power += conservative.dot(&u);
    }

    fn strength<S: Scalar>(&self, d: S) -> Strength<S> {
        let (zero, inverse) = (S::from_f64(0.0), S::from_f64(1.0) / d);
        let at = |p: &Power| S::from_f64(p.coefficient) * power(inverse, p.exponent);
        let resistance = |p: Option<Power>| p.map_or(zero, |p| at(&p));
        let mut all = Strength {
            normal: zero,
            potential: zero,
            repulsion: resistance(self.tractions.repulsion),
            damping: resistance(self.tractions.damping),
            friction: resistance(self.tractions.friction),
        };
        for p in self.tractions.conservative().iter().flatten() {
            let q = at(p);
            all.normal += q;
            all.potential += q * d * S::from_f64(1.0 / f64::from(p.exponent - 1));
        }
        all
    }

    /// Returns the Coulomb-like friction over the velocity across the normal, μ q_r/√(u_t² + v_s²) [N s/m³].
    fn coulomb<S: Scalar>(&self, repulsion: S, ut: &Vec3<S>) -> S {
        let Some(c) = self.tractions.coulomb else { return S::from_f64(0.0) };
        let speed = (ut.dot(ut) + S::from_f64(c.speed * c.speed)).sqrt();
        S::from_f64(c.coefficient) * repulsion / speed
    }
}

/// Returns the closest point with derivatives with respect to any N variables, by the chain rule from those by the point's coordinates.
fn closest_by<const N: usize>(
    project: &dyn Project,
    support: &Shape,
    feature: usize,
    x: &Vec3<Dual<N>>,
) -> ClosestPoint<Dual<N>> {
    let own = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i].re, i));
    let ClosestPoint { p, n, d } = project.closest_point_dual(support.side, feature, &own);
    let by = x.as_slice();
    ClosestPoint { p: p.map(|c| c.compose(by)), n: n.map(|c| c.compose(by)), d: d.compose(by) }
}

fn length<S: Scalar>(v: &Vec3<S>) -> S {
    v.dot(v).sqrt()
}
