//! Bodies with little inertia in some direction, as slender bars have about their axes. Their contributions to S = Φ
//! M⁻¹ Φᵀ are so large that those of the other directions are lost in rounding error, and equations seem redundant that
//! are not. What joints constrain must not depend on the inertia against it. So S is computed with M̃ = M + E, where E
//! is what the inertia of such a body lacks to a small fraction (`LEAST`) of the largest in its mechanism. The motion
//! remains that of M,
//!
//!   M̃ a = f + E a + Φᵀ λ,   Φ a = −b,
//!
//! which is found by conjugate gradients among the accelerations that the joints allow, with M̃ as the preconditioner
//! (Gould, Hribar and Nocedal 2001, <https://doi.org/10.1137/S1064827598345667>, with Φᵀ μ removed from the residual in
//! every step). Where joints constrain the slender directions the eigenvalues are within about `LEAST` of 1, and three
//! or four steps reach rounding error.
//!
//! Where they do not constrain them all, as where shafts turn in bearings and Cardan joints couple them, the motion
//! itself is one of small inertia. That is so where the equations that act about slender axes are not more than these
//! axes (`find_true_axes`): each such equation then has an axis to act about, S is well conditioned with the true inertia,
//! and such axes keep it.
//!
//! Many gradients have no component about a slender axis in positions that satisfy the joints: those of a bearing about
//! its shaft, of a ball joint on the axis. This component must be exactly zero, not rounding error or the error of a
//! trial state: a weight of 10 N that is off by 1e-12 m turns a shaft of 1e-9 kg m² at 0.01 rad/s². Therefore the
//! torques and angular accelerations of these bodies are expressed about their principal axes, where a zero stays a
//! zero.

use std::collections::BTreeMap;

use carom_base::{Mat3, Vec3};

use super::constraint::Constraint;
use super::constraint_set::ConstraintSet;
use super::equation::Equation;
use super::measure::{A, B, Measure, Vector};
use crate::body::{Dofs, Inertia, Rotation};
use crate::state::Loaded;
use crate::world::{BodyKind, World};

/// The least inertia from which S is computed, as a fraction of the largest in the mechanism.
const LEAST: f64 = 1e-4;
/// In a mechanism without loops, a moment of inertia is little below this fraction of the body's own largest one. No
/// equation can be redundant there, and only digits are lost.
const LEAST_OPEN: f64 = 5e-6;
/// Relative tolerance within which a vector counts as parallel to an axis.
const ALONG: f64 = 1e-12;
/// A body with little inertia in some direction.
#[derive(Clone, Debug)]
pub(crate) struct Slender {
    /// its index among the bodies that have joints
    pub(crate) jointed: usize,
    /// M and E along the axes of the world [kg]
    mass: Vec3,
    more_mass: Vec3,
    /// its rotation, if it has little inertia about some of its principal axes
    pub(crate) turning: Option<Turning>,
}

/// The rotational inertia of a body with little inertia about some of its axes, and the joints that act on it.
#[derive(Clone, Debug)]
pub(crate) struct Turning {
    pub(crate) body: usize,
    /// principal axes as columns, in the body's axes
    pub(crate) axes: Mat3,
    /// M and E about the principal axes [kg m²]
    moments: Vec3,
    pub(crate) more: Vec3,
    /// M̃⁻¹ about the principal axes
    pub(crate) inverse: Mat3,
    /// the joints that act on it
    pub(crate) actions: Vec<Action>,
    /// the axes with little inertia that enter S with their true inertia
    pub(crate) true_axes: Vec<usize>,
}

/// The action of a joint on a slender body.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    constraint: usize,
    end: usize,
    /// the first row of the joint, and where its gradients by this body start
    pub(crate) row: usize,
    pub(crate) at: usize,
    /// whether it is the row of a rotor, no constraint
    is_rotor: bool,
    /// for each row, whether it acts about each of the principal axes
    pub(crate) acts: Vec<[bool; 3]>,
}

/// Replaces the inverse inertia of slender bodies by M̃⁻¹, from which S is computed, and records the excess E in the
/// constraint set.
pub(crate) fn regularise_inertia(world: &mut World, constraints: &mut ConstraintSet) {
    let looped = constraints.constraints_in_loops();
    for group in constraints.mechanisms() {
        let rigid = |&body: &usize| matches!(world.bodies[body].kind, BodyKind::Dynamic(_));
        let of_group = |h: usize| constraints.list[h].bodies.iter().any(|body| group.contains(body));
        let closed = (0..constraints.list.len()).any(|h| looped[h] && of_group(h));
        let largest = |of: &dyn Fn(usize) -> f64| group.iter().map(|&body| of(body)).fold(0.0, f64::max);
        let mass = if closed { LEAST * largest(&|body| world.bodies[body].mass) } else { 0.0 };
        let inertia = largest(&|body| largest_moment(world, body));
        let bodies: Vec<usize> = group.iter().copied().filter(rigid).collect();
        let candidate = |&body: &usize| {
            let true_axes = largest_moment(world, body);
            let [under, least] = match closed {
                true => [LEAST * inertia; 2],
                false => [LEAST_OPEN * true_axes, LEAST * true_axes],
            };
            Axes::new(world, constraints, body, under, least)
        };
        let mut all: Vec<Axes> = bodies.iter().filter_map(candidate).collect();
        find_true_axes(&mut all);
        for body in bodies {
            let axes = all.iter().find(|axes| axes.body == body);
            let Some(jointed) = constraints.bodies.iter().position(|j| j.body == body) else { continue };
            let b = &mut world.bodies[body];
            let missing = b.dofs.translation * (mass - b.mass).max(0.0);
            if missing == Vec3::zeros() && axes.is_none() {
                continue;
            }
            let own_mass = b.dofs.translation * b.mass;
            if missing != Vec3::zeros() {
                b.inverse_mass = b.dofs.translation / mass;
            }
            let turning = axes.map(Axes::turning);
            if let Some(turning) = &turning {
                let inverse = turning.axes * turning.inverse * turning.axes.transpose();
                b.inertia = Inertia::General { tensor: b.inertia.tensor(), inverse };
                constraints.bodies[jointed].slender = Some(constraints.slender.len());
            }
            constraints.slender.push(Slender { jointed, mass: own_mass, more_mass: missing, turning });
        }
    }
}

fn largest_moment(world: &World, body: usize) -> f64 {
    world.bodies[body].inertia.tensor().symmetric_eigenvalues().max()
}

/// The principal axes of a body that has little inertia about some of them.
struct Axes {
    body: usize,
    axes: [Vec3; 3],
    moments: [f64; 3],
    is_small: [bool; 3],
    /// the least moments of inertia with which the axes enter S [kg m²]
    least: [f64; 3],
    actions: Vec<Action>,
}

impl Axes {
    /// Returns the principal axes of a body that rotates freely and has moments less than `under`, which are raised to
    /// `least`; `None` for other bodies.
    fn new(world: &World, constraints: &ConstraintSet, body: usize, under: f64, least: f64) -> Option<Axes> {
        let b = &world.bodies[body];
        let (axes, moments) = principal(&b.inertia.tensor());
        let is_small = moments.map(|x| x < under);
        if b.dofs.rotation != Rotation::Free || !is_small.contains(&true) {
            return None;
        }
        let size = (moments.iter().fold(0.0_f64, |most, x| most.max(*x)) / b.mass).sqrt();
        let acts = |constraint: &Constraint, end: usize, equation: &Equation| {
            [0, 1, 2].map(|k| !is_small[k] || acts_about(constraint, equation, end, &axes[k], size))
        };
        let mut actions = Vec::new();
        for (h, constraint) in constraints.list.iter().enumerate() {
            for end in (0..constraint.bodies.len()).filter(|&end| constraint.bodies[end] == body) {
                let rows = constraint.equations.iter();
                let rows =
                    rows.flat_map(|e| std::iter::repeat_n(acts(constraint, end, e), e.rows())).collect();
                let (row, at) = (constraints.rows_of(h).start, constraints.ends[h][end].at);
                actions.push(Action {
                    constraint: h,
                    end,
                    row,
                    at,
                    is_rotor: constraint.is_rotor(),
                    acts: rows,
                });
            }
        }
        let least = [0, 1, 2].map(|k| if is_small[k] { least } else { 0.0 });
        Some(Axes { body, axes, moments, is_small, least, actions })
    }

    /// Returns the rows of constraints that act about the axis k.
    fn rows(&self, k: usize) -> impl Iterator<Item = usize> {
        let rows = |a: &'_ Action| (a.row..).zip(a.acts.clone());
        self.actions
            .iter()
            .filter(|a| !a.is_rotor)
            .flat_map(rows)
            .filter_map(move |(row, acts)| acts[k].then_some(row))
    }

    fn turning(&self) -> Turning {
        let enlarged: [f64; 3] = std::array::from_fn(|k| self.moments[k].max(self.least[k]));
        let moments = Vec3::from(self.moments);
        Turning {
            body: self.body,
            axes: Mat3::from_columns(&self.axes),
            moments,
            more: Vec3::from(enlarged) - moments,
            inverse: Mat3::from_diagonal(&Vec3::from(enlarged.map(|x| 1.0 / x))),
            actions: self.actions.clone(),
            true_axes: (0..3).filter(|&k| self.is_small[k] && enlarged[k] == self.moments[k]).collect(),
        }
    }
}

/// Finds the slender axes that may enter S with their true inertia: groups of axes connected by the rows that act about
/// them, where these rows are not more than the axes. Within a group a moment is raised to `LEAST` of the largest one.
fn find_true_axes(all: &mut [Axes]) {
    let axes: Vec<(usize, usize)> = (0..all.len())
        .flat_map(|i| (0..3).map(move |k| (i, k)))
        .filter(|&(i, k)| all[i].is_small[k])
        .collect();
    // `set`: the number of each axis's group of connected axes; `of_row`: for every row an axis about which it acts
    let mut set: Vec<usize> = (0..axes.len()).collect();
    let mut of_row: BTreeMap<usize, usize> = BTreeMap::new();
    for (j, &(i, k)) in axes.iter().enumerate() {
        for row in all[i].rows(k) {
            let other = set[*of_row.entry(row).or_insert(j)];
            let true_axes = set[j];
            set.iter_mut().filter(|s| **s == true_axes).for_each(|s| *s = other);
        }
    }
    for (j, &(i, k)) in axes.iter().enumerate() {
        let together = || (0..axes.len()).filter(|&l| set[l] == set[j]);
        let rows = of_row.values().filter(|&&l| set[l] == set[j]).count();
        // bodies that are small in every direction are not shafts
        let slender = || together().all(|l| all[axes[l].0].is_small.iter().filter(|x| **x).count() == 1);
        if rows == 0 || rows <= together().count() && slender() {
            let largest = together().map(|l| all[axes[l].0].moments[axes[l].1]).fold(0.0, f64::max);
            all[i].least[k] = LEAST * largest;
        }
    }
}

/// Returns the principal axes, right-handed, and the moments of inertia about them.
fn principal(tensor: &Mat3) -> ([Vec3; 3], [f64; 3]) {
    let diagonal = tensor.diagonal();
    if *tensor == Mat3::from_diagonal(&diagonal) {
        return ([Vec3::x(), Vec3::y(), Vec3::z()], diagonal.into());
    }
    let eigen = tensor.symmetric_eigen();
    let [x, y] = [0, 1].map(|k| eigen.eigenvectors.column(k).into_owned());
    ([x, y, x.cross(&y)], eigen.eigenvalues.into())
}

/// Whether an equation of a joint acts about an axis through the centre of mass of one of its bodies, in positions that
/// satisfy the joint. `size`: that of the body [m]. In doubt it returns true.
fn acts_about(constraint: &Constraint, equation: &Equation, end: usize, axis: &Vec3, size: f64) -> bool {
    let along = |v: &Vec3| v.cross(axis).norm() <= ALONG * v.norm();
    let on_axis = |p: &Vec3| p.cross(axis).norm() <= ALONG * (p.norm() + size);
    match equation {
        Equation::Meet(points) => !on_axis(&points[end]),
        Equation::Align { x, y, z } => !along(&if end == A { x.cross(y) } else { *z }),
        Equation::Level(Measure::Dot { d: Vector::On(A, a), e: Vector::On(B, b), .. }, _) => {
            !along(if end == A { a } else { b })
        }
        Equation::Level(Measure::Dot { d: Vector::Between(points), e: Vector::Between(_), .. }, _) => {
            !on_axis(&points[end])
        }
        // a point of A lies in a plane of B; with a second such plane it lies on a line
        Equation::Level(Measure::Dot { d: Vector::Between(points), e: Vector::On(B, n), .. }, level) => {
            let across = n.cross(axis);
            let is_other = |other: &Equation| match other {
                Equation::Level(Measure::Dot { d: Vector::Between(p), e: Vector::On(B, n), .. }, l) => {
                    p == points && *l == 0.0 && n.cross(&across).norm() <= ALONG
                }
                _ => false,
            };
            let on_line =
                || *level == 0.0 && n.dot(axis).abs() <= ALONG && constraint.equations.iter().any(is_other);
            !on_axis(&points[end]) || end == B && !on_line()
        }
        _ => true,
    }
}

impl Slender {
    /// Whether S is computed with more inertia than it has: E is not zero.
    pub(crate) fn is_enlarged(&self) -> bool {
        let turning = self.turning.as_ref();
        self.more_mass != Vec3::zeros() || turning.is_some_and(|t| t.more != Vec3::zeros())
    }

    /// Returns the number of its accelerations, counted from the first, in which M and M̃ may differ.
    pub(crate) fn width(&self) -> usize {
        if self.turning.is_some() { 6 } else { 3 }
    }

    /// Returns M a and E a at the present mass; `share`: m(0)/m(t).
    pub(crate) fn loads_of(&self, share: f64, a: &[f64; 12]) -> [[f64; 6]; 2] {
        let none = Vec3::zeros();
        let [moments, more] = self.turning.as_ref().map_or([none; 2], |t| [t.moments, t.more]);
        [(&self.mass, moments), (&self.more_mass, more)].map(|(mass, moments)| {
            std::array::from_fn(|i| if i < 3 { mass[i] * a[i] } else { moments[i - 3] * a[i] } / share)
        })
    }
}

impl Turning {
    /// For a joint and one of its bodies, returns which rows act about which axes.
    pub(crate) fn acts(&self, constraint: usize, end: usize) -> Option<&[[bool; 3]]> {
        self.actions.iter().find(|a| (a.constraint, a.end) == (constraint, end)).map(|a| a.acts.as_slice())
    }

    /// Returns the angular acceleration about an axis that enters S with its true inertia [rad/s²], by Euler's
    /// equation; torque and reaction must be divided by m(t)/m(0).
    pub(crate) fn spin(&self, k: usize, loaded: &Loaded, torque: &Vec3, reaction: f64) -> f64 {
        let [torque, w] = [torque, &loaded.k.w].map(|v| self.axes.tr_mul(&loaded.k.x.direction_to_local(v)));
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let gyroscopic = (self.moments[j] - self.moments[i]) * w[i] * w[j];
        (torque[k] - gyroscopic + reaction) / self.moments[k]
    }
}

/// An angular acceleration about an axis of a slender body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spin {
    pub(crate) body: usize,
    /// the axis, in the world
    pub(crate) axis: Vec3,
    /// angular acceleration [rad/s²]
    pub(crate) rate: f64,
}

/// Whether a body can move in all directions, so that a joint on its own has no equation without effect.
pub(crate) fn moves_in_all(world: &World, body: usize) -> bool {
    world.bodies[body].dofs == Dofs::FREE
}
