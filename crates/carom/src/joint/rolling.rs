//! Surfaces that roll on one another: p_a − p_b = 0 along the normal, and v_a(p_a) − v_b(p_b) = 0, p_a and p_b the points where they touch.
//!
//! The points go over the surfaces as they roll. With r = p − x, L = Ṙ R⁻¹ and v(p) = v + L r,
//!
//!   d v(p)/dt = v̇ + (R̈ R⁻¹ − L²) r + L (ṗ − v),
//!
//! of which L (ṗ − v) is all that is known of a rigid body; ṗ is the derivative of the pair's points along the motion.
//! So far the Jacobian of such a model is left to differences: it would need the second derivatives of pairs.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3, inverse};
use carom_geometry::BoundPair;

use super::equation::Rows;
use super::measure::{A, Arm, B, Pull};
use super::moving::{Moving, zero};
use crate::build::unknown;
use crate::contact::bind_surfaces;
use crate::error::BuildError;
use crate::model::Model;
use crate::state::Kinematics;

/// Two surfaces that roll, and the feature that they touch by.
#[derive(Debug)]
pub(crate) struct Touching {
    pub(crate) surfaces: [usize; 2],
    pair: Box<dyn BoundPair>,
    feature: usize,
    /// the surfaces' frames in their bodies'
    local: [Pose; 2],
}

/// Where they touch, and how fast that goes over the surfaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// p_a, p_b
    pub(crate) p: [Vec3; 2],
    /// their rates
    p_dot: [Vec3; 2],
}

impl Touching {
    /// The places where two surfaces of a model touch as its bodies start: one, or two.
    pub(crate) fn find(m: &Model, place: &str, between: &[String; 2]) -> Result<Vec<Touching>, BuildError> {
        let bad = |value: String, allowed| {
            Err(BuildError::BadValue { place: place.to_owned(), field: "between", value, allowed })
        };
        let mut surfaces = [0; 2];
        for (surface, end) in surfaces.iter_mut().zip(between) {
            *surface = named(m, place, end)?;
        }
        let bodies = surfaces.map(|s| m.surfaces[s].body);
        if bodies[A] == bodies[B] {
            return bad(format!("body `{}` twice", m.bodies[bodies[A]].name), "two bodies");
        }
        let bound = || {
            bind_surfaces(m, None, surfaces[A], surfaces[B]).map_err(|source| BuildError::Pair {
                contact: place.to_owned(),
                a: m.surface_name(surfaces[A]),
                b: m.surface_name(surfaces[B]),
                source,
            })
        };
        let pair = bound()?;
        let local = surfaces.map(|s| m.surfaces[s].local.unwrap_or_else(Pose::identity));
        let at = [A, B]
            .map(|end| Kinematics::new(&m.bodies[bodies[end]], 0.0, &m.initial_state()).x.then(&local[end]));
        let depth = |k: usize| pair.contact(k, &at[A], &at[B]).ok().map(|c| (k, c.delta));
        let depths: Vec<(usize, f64)> = (0..pair.features()).filter_map(depth).collect();
        let deepest = depths.iter().fold(f64::NEG_INFINITY, |d, x| d.max(x.1));
        let size =
            bodies.map(|b| m.bodies[b].size).into_iter().filter(|s| *s > 0.0).fold(f64::INFINITY, f64::min);
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
        features
            .into_iter()
            .map(|feature| Ok(Touching { surfaces, pair: bound()?, feature, local }))
            .collect()
    }

    /// Where they touch in a state; `None`: that cannot be found.
    pub(crate) fn spot(&self, bodies: [&Moving; 2]) -> Option<Spot> {
        let [a, b] = [A, B].map(|end| rolled(bodies[end], &self.local[end]));
        let c = self.pair.contact_dual(self.feature, &a, &b)?.ok()?;
        let (value, rate) = (|v: &Vec3<Dual<6>>| v.map(|x| x.re), |v: &Vec3<Dual<6>>| v.map(|x| x.eps[0]));
        Some(Spot { p: [value(&c.p_a), value(&c.p_b)], p_dot: [rate(&c.p_a), rate(&c.p_b)] })
    }

    /// The three rows, along the axes of the world. Where the points cannot be found they are not numbers, and the step fails.
    pub(crate) fn evaluate<S: Scalar>(&self, bodies: [&Moving<S>; 2], out: &mut impl Rows<S>) {
        let still = bodies.map(Moving::values);
        let nowhere = Spot { p: [Vec3::repeat(f64::NAN); 2], p_dot: [Vec3::zeros(); 2] };
        let spot = self.spot([&still[A], &still[B]]).unwrap_or(nowhere);
        let ends = [A, B].map(|end| material(&still[end], &spot.p[end], &spot.p_dot[end]));
        let value = spot.p[A] - spot.p[B];
        let (rate, bias) = (ends[A].v - ends[B].v, ends[A].known - ends[B].known);
        for i in 0..3 {
            let mut e = zero();
            e[i] = S::from_f64(1.0);
            out.row(S::from_f64(value[i]), S::from_f64(rate[i]), S::from_f64(bias[i]));
            for (end, g) in [(A, e), (B, -e)] {
                let arm = Arm { g, r: ends[end].r.map(S::from_f64), x: ends[end].x };
                out.pull(end, &Pull { f: g, arms: [arm, Arm::none()] });
            }
        }
    }
}

/// The material of a body at a point that goes over it.
struct Material {
    /// from the centre of mass
    r: Vec3,
    /// the same, as the body has it
    x: Vec3,
    v: Vec3,
    /// what is known of dv/dt
    known: Vec3,
}

fn material(k: &Moving, p: &Vec3, p_dot: &Vec3) -> Material {
    let (r, back) = (p - k.x, inverse(&k.r).1);
    let l = k.r_dot * back;
    let known = k.a + (k.r_ddot * back - l * l) * r + l * (p_dot - k.v);
    Material { r, x: back * r, v: k.v + l * r, known }
}

/// The surface `body/surface`, or the only one of a body.
fn named(m: &Model, place: &str, end: &str) -> Result<usize, BuildError> {
    let (body, surface) = end.split_once('/').map_or((end, None), |(b, s)| (b, Some(s)));
    let bodies: Vec<&str> = m.body_names().collect();
    let Some(index) = bodies.iter().position(|b| *b == body) else {
        return Err(unknown(place.to_owned(), "body", body, &bodies));
    };
    let own: Vec<usize> = (0..m.surfaces.len()).filter(|&s| m.surfaces[s].body == index).collect();
    match surface {
        Some(surface) => {
            let names: Vec<String> = own.iter().map(|&s| m.surface_name(s)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = own.iter().find(|&&s| m.surfaces[s].name == surface);
            found.copied().ok_or_else(|| unknown(place.to_owned(), "surface", end, &names))
        }
        None => match own[..] {
            [only] => Ok(only),
            _ => Err(BuildError::BadValue {
                place: place.to_owned(),
                field: "between",
                value: format!("body `{body}`, which has {} surfaces", own.len()),
                allowed: "bodies with one surface, or `body/surface`",
            }),
        },
    }
}

/// A surface's frame with its rate, as the first derivative.
fn rolled(k: &Moving, local: &Pose) -> Pose<Dual<6>> {
    let dual = |re: f64, rate: f64| Dual { re, eps: [rate, 0.0, 0.0, 0.0, 0.0, 0.0] };
    let (p, p_dot) = (k.x + k.r * local.p, k.v + k.r_dot * local.p);
    let (r, r_dot): (Mat3, Mat3) = (k.r * local.r, k.r_dot * local.r);
    Pose { p: p.zip_map(&p_dot, dual), r: r.zip_map(&r_dot, dual) }
}

fn lifted(x: &Pose) -> Pose<Dual<6>> {
    Pose { p: x.p.map(Dual::from_f64), r: x.r.map(Dual::from_f64) }
}
