//! Surfaces that roll on one another: p_a − p_b = 0 along the normal, and v_a(p_a) − v_b(p_b) = 0, with p_a and p_b the
//! points where they touch.
//!
//! The points move over the surfaces as these roll. With r = p − x, L = Ṙ R⁻¹ and v(p) = v + L r,
//!
//!   d v(p)/dt = v̇ + (R̈ R⁻¹ − L²) r + L (ṗ − v),
//!
//! For a rigid body L (ṗ − v) is all of this that is known before the accelerations are; ṗ is the derivative of the
//! pair's contact points along the motion. Derivatives of the rows by a small motion of a rigid body need those of ṗ,
//! which is linear in the velocities. Its derivatives by the positions need second derivatives of the contact points,
//! which pairs do not provide: only these are computed by differences, of sixth order, of ṗ, which is exact. Where a
//! body deforms the whole Jacobian is computed by differences.

use std::sync::Arc;

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3, inverse, rotation_by};
use carom_geometry::BoundPair;

use super::constraint::{Constraint, moved, moves_by_forces};
use super::describe::{Given, Joint};
use super::equation::{Equation, Rows};
use super::measure::{A, B};
use super::moving::Moving;
use crate::error::{BuildError, Fault, Subject};
use crate::rule::bind_surfaces;
use crate::state::{Kinematics, spin};
use crate::world::World;

/// Two surfaces that roll on one another, and the contact point at which they touch.
#[derive(Debug)]
pub(crate) struct Touching {
    pub(crate) surfaces: [usize; 2],
    pair: Box<dyn BoundPair>,
    feature: usize,
    /// the surfaces' frames in the frames of their bodies
    local: [Pose; 2],
    /// size of the smaller body [m]
    size: f64,
    /// whether one of the bodies deforms
    pub(crate) deforms: bool,
}

/// The points where the surfaces touch, and their rates in the world: of the contact points, not of the material there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RollingContact {
    /// p_a, p_b, in the world [m]
    pub(crate) p: [Vec3; 2],
    /// their rates [m/s]
    p_dot: [Vec3; 2],
}

impl Touching {
    /// Finds the points at which two surfaces of a model touch in the initial state: one, or two.
    pub(crate) fn find(
        world: &World,
        subject: &Subject,
        between: &[String; 2],
    ) -> Result<Vec<Touching>, BuildError> {
        let bad = |value: String, allowed| Err(subject.bad("between", value, allowed));
        let mut surfaces = [0; 2];
        for (surface, end) in surfaces.iter_mut().zip(between) {
            *surface = named(world, subject, end)?;
        }
        let bodies = surfaces.map(|s| world.surfaces[s].body);
        if bodies[A] == bodies[B] {
            return bad(format!("body `{}` twice", world.bodies[bodies[A]].name), "two bodies");
        }
        let bound = || {
            bind_surfaces(world, None, surfaces[A], surfaces[B]).map_err(|source| {
                let [a, b] = surfaces.map(|s| world.surface_name(s));
                subject.fails(Some("between"), Fault::Pair { a, b, source })
            })
        };
        let pair = bound()?;
        let local = surfaces.map(|s| world.surfaces[s].local.unwrap_or_else(Pose::identity));
        let at = [A, B].map(|end| {
            Kinematics::new(&world.bodies[bodies[end]], 0.0, &world.initial_state()).x.then(&local[end])
        });
        let depth = |k: usize| pair.contact(k, &at[A], &at[B]).ok().map(|c| (k, c.delta));
        let depths: Vec<(usize, f64)> = (0..pair.features()).filter_map(depth).collect();
        let deepest = depths.iter().fold(f64::NEG_INFINITY, |d, x| d.max(x.1));
        let size = bodies
            .map(|b| world.bodies[b].size)
            .into_iter()
            .filter(|s| *s > 0.0)
            .fold(f64::INFINITY, f64::min);
        let near = depths.iter().filter(|x| x.1 > deepest - 1e-9 * size.min(1e9));
        let features: Vec<usize> = near.map(|x| x.0).collect();
        let derived = |k: &usize| pair.contact_dual(*k, &lifted(&at[A]), &lifted(&at[B])).is_some();
        if !features.iter().all(derived) {
            return bad(
                format!("`{}`, by {}", between.join("` and `"), pair.solver()),
                "surfaces whose contact has derivatives",
            );
        }
        if features.is_empty() || features.len() > 2 {
            let value = format!("`{}`, which touch in {} points", between.join("` and `"), features.len());
            return bad(value, "surfaces that touch in one point or along a line");
        }
        let deforms = bodies.iter().any(|&b| world.bodies[b].soft.is_some());
        let made = |feature| Ok(Touching { surfaces, pair: bound()?, feature, local, size, deforms });
        features.into_iter().map(made).collect()
    }

    /// Returns the points where they touch in a state; `None` if they cannot be found.
    pub(crate) fn spot(&self, bodies: [&Moving; 2]) -> Option<RollingContact> {
        let [a, b] = [A, B].map(|end| rolled(bodies[end], &self.local[end]));
        let c = self.pair.contact_dual(self.feature, &a, &b)?.ok()?;
        let (value, rate) = (|v: &Vec3<Dual<6>>| v.map(|x| x.re), |v: &Vec3<Dual<6>>| v.map(|x| x.eps[0]));
        Some(RollingContact { p: [value(&c.p_a), value(&c.p_b)], p_dot: [rate(&c.p_a), rate(&c.p_b)] })
    }

    /// Writes the three rows, along the axes of the world. Where the points cannot be found the rows are NaN, and the
    /// step fails.
    pub(crate) fn evaluate<S: Scalar>(&self, bodies: [&Moving<S>; 2], out: &mut impl Rows<S>) {
        let still = bodies.map(Moving::values);
        let nowhere = RollingContact { p: [Vec3::repeat(f64::NAN); 2], p_dot: [Vec3::zeros(); 2] };
        let spot = self.spot([&still[A], &still[B]]).unwrap_or(nowhere);
        let mut at = spot.lifted();
        if out.has_derivatives() {
            [A, B].into_iter().for_each(|end| self.follow(&still, end, bodies[end], &mut at));
        }
        let ends = [A, B].map(|end| material(bodies[end], &at.p[end], &at.p_dot[end]));
        let value = at.p[A] - at.p[B];
        let (rate, bias) = (ends[A].v - ends[B].v, ends[A].known - ends[B].known);
        for i in 0..3 {
            out.row(value[i], rate[i], bias[i]);
            for (end, sign) in [(A, 1.0), (B, -1.0)] {
                out.gradient_along(end, i, sign, &ends[end].r, &ends[end].x);
            }
        }
    }

    /// Adds to the points and their rates the changes by a small motion of a rigid body, which are the derivatives of
    /// `moved`.
    fn follow<S: Scalar>(&self, still: &[Moving; 2], end: usize, moved: &Moving<S>, at: &mut Lifted<S>) {
        let k = &still[end];
        let (x, r, v) = (k.x.map(S::from_f64), k.r.map(S::from_f64), k.v.map(S::from_f64));
        let w = spin(&(k.r_dot * k.r.transpose()));
        let turn = spin(&((moved.r - r) * r.transpose()));
        let w_change = spin(&(moved.r_dot * moved.r.transpose())) - w.map(S::from_f64);
        let (dx, dv) = (moved.x - x, moved.v - v);
        for i in 0..6 {
            let of = |along: &Vec3<S>, about: &Vec3<S>| if i < 3 { along[i] } else { about[i - 3] };
            let (shift, speed) = (of(&dx, &turn), of(&dv, &w_change));
            let nothing = [Vec3::zeros(); 2];
            let by = self.by_motion(still, end, i).unwrap_or(nothing);
            let second = self.rates_by_position(still, end, i, &w).unwrap_or(nothing);
            for e in [A, B] {
                let (by, second) = (by[e].map(S::from_f64), second[e].map(S::from_f64));
                at.p[e] += by * shift;
                at.p_dot[e] += by * speed + second * shift;
            }
        }
    }

    /// Returns the derivatives of the points by a displacement of a body along a world axis (i = 0 to 2), or a rotation
    /// about one (i = 3 to 5).
    fn by_motion(&self, still: &[Moving; 2], end: usize, i: usize) -> Option<[Vec3; 2]> {
        let along = [A, B].map(|e| {
            let k = &still[e];
            let [v, w] =
                [0, 3].map(|first| Vec3::from_fn(|j, _| f64::from(u8::from(e == end && first + j == i))));
            rolled(&Moving::rigid(k.x, k.r, v, w), &self.local[e])
        });
        let c = self.pair.contact_dual(self.feature, &along[A], &along[B])?.ok()?;
        Some([&c.p_a, &c.p_b].map(|p| p.map(|x| x.eps[0])))
    }

    /// Returns the derivatives of the rates of the points by a displacement of a body along a world axis (i = 0 to 2),
    /// or a rotation about one (i = 3 to 5), at constant velocities.
    fn rates_by_position(&self, still: &[Moving; 2], end: usize, i: usize, w: &Vec3) -> Option<[Vec3; 2]> {
        let h = if i < 3 { 1e-3 * self.size } else { 1e-3 };
        let at = |s: f64| {
            let mut k = still[end];
            let step = Vec3::ith(i % 3, s * h);
            if i < 3 {
                k.x += step;
            } else {
                k.r = rotation_by(&step).to_rotation_matrix().into_inner() * k.r;
            }
            let moved = Moving { a: k.a, ..Moving::rigid(k.x, k.r, k.v, *w) };
            let both = if end == A { [&moved, &still[B]] } else { [&still[A], &moved] };
            self.spot(both).map(|spot| spot.p_dot)
        };
        let mut sum = [Vec3::zeros(); 2];
        for (s, weight) in [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)] {
            let (ahead, behind) = (at(s)?, at(-s)?);
            for e in [A, B] {
                sum[e] += (ahead[e] - behind[e]) * (weight / (60.0 * h));
            }
        }
        Some(sum)
    }
}

/// The points of a [`RollingContact`] and their rates, with derivatives.
struct Lifted<S: Scalar> {
    p: [Vec3<S>; 2],
    p_dot: [Vec3<S>; 2],
}

impl RollingContact {
    fn lifted<S: Scalar>(&self) -> Lifted<S> {
        let lift = |v: &Vec3| v.map(S::from_f64);
        Lifted { p: self.p.each_ref().map(lift), p_dot: self.p_dot.each_ref().map(lift) }
    }
}

/// The material point of a body at a point that moves over it.
struct Material<S: Scalar> {
    /// from the centre of mass to the point [m]
    r: Vec3<S>,
    /// the same vector in the body's axes [m]
    x: Vec3,
    v: Vec3<S>,
    /// the part of dv/dt that is known before the accelerations are
    known: Vec3<S>,
}

fn material<S: Scalar>(k: &Moving<S>, p: &Vec3<S>, p_dot: &Vec3<S>) -> Material<S> {
    let (r, back) = (p - k.x, inverse(&k.r).1);
    let l = k.r_dot * back;
    let known = k.a + (k.r_ddot * back - l * l) * r + l * (p_dot - k.v);
    Material { r, x: (back * r).map(|x| x.value()), v: k.v + l * r, known }
}

/// Builds the constraint of surfaces that roll on one another.
pub(super) fn constraint(
    name: String,
    subject: &Subject,
    joint: &Joint,
    world: &World,
) -> Result<Constraint, BuildError> {
    let needs = |key, what| subject.needs(joint.kind.name(), key, what);
    if [joint.point, joint.axis, joint.second_axis].iter().any(|given| *given != Given::Omitted) {
        return Err(needs(None, "no point and no axis: it is where the surfaces touch"));
    }
    if joint.friction.is_some() {
        return Err(needs(Some("friction"), "no `friction`: nothing in it slips"));
    }
    let touching = Touching::find(world, subject, &joint.between)?;
    let bodies: Vec<usize> = touching[0].surfaces.iter().map(|&s| world.surfaces[s].body).collect();
    moves_by_forces(world, &bodies, subject, &joint.between)?;
    Ok(Constraint {
        name,
        rows: 3 * touching.len(),
        equations: touching.into_iter().map(|t| Equation::Roll(Arc::new(t))).collect(),
        point: Vec3::zeros(),
        coordinates: Vec::new(),
        may_do_work: moved(world, &bodies),
        drawing: None,
        bodies,
    })
}

/// Returns the index of the surface `body/surface`, or of the only surface of a body.
fn named(world: &World, subject: &Subject, end: &str) -> Result<usize, BuildError> {
    let (body, surface) = end.split_once('/').map_or((end, None), |(b, s)| (b, Some(s)));
    let bodies: Vec<&str> = world.body_names().collect();
    let index = subject.find("between", "body", body, &bodies)?;
    let own: Vec<usize> = (0..world.surfaces.len()).filter(|&s| world.surfaces[s].body == index).collect();
    match surface {
        Some(surface) => {
            let names: Vec<String> = own.iter().map(|&s| world.surface_name(s)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = own.iter().find(|&&s| world.surfaces[s].name == surface);
            found.copied().ok_or_else(|| subject.unknown("between", "surface", end, &names))
        }
        None => match own[..] {
            [only] => Ok(only),
            _ => {
                let value = format!("body `{body}`, which has {} surfaces", own.len());
                Err(subject.bad("between", value, "bodies with one surface, or `body/surface`"))
            }
        },
    }
}

/// Returns a surface's frame with its rate as the first derivative.
fn rolled(k: &Moving, local: &Pose) -> Pose<Dual<6>> {
    let dual = |re: f64, rate: f64| Dual { re, eps: [rate, 0.0, 0.0, 0.0, 0.0, 0.0] };
    let (p, p_dot) = (k.x + k.r * local.p, k.v + k.r_dot * local.p);
    let (r, r_dot): (Mat3, Mat3) = (k.r * local.r, k.r_dot * local.r);
    Pose { p: p.zip_map(&p_dot, dual), r: r.zip_map(&r_dot, dual) }
}

fn lifted(x: &Pose) -> Pose<Dual<6>> {
    Pose { p: x.p.map(Dual::from_f64), r: x.r.map(Dual::from_f64) }
}
