//! What may be wrong with a distance: checks that know nothing of how it was found.

use std::time::Instant;

use carom_base::{Pose, Vec3};
use carom_geometry::surfaces::{Cylinder, Sphere, Torus};
use carom_geometry::{Found, Shape, Side, pairs};

use crate::common::Random;
use crate::common::trial::{self, Effort, height};
use crate::shapes::Case;

/// The least distance from `to` over the surface of `on`, by trial.
fn searched(on: &Shape, x_on: &Pose, to: &Shape, x_to: &Pose, r: &mut Random) -> f64 {
    let effort = Effort { starts: 4, apart: 0.3, rounds: 300 };
    let mesh = on.surface.mesh(24, 1.0);
    trial::searched((on, x_on), (to, x_to), mesh.vertices.iter().map(|v| Vec3::from(*v)), effort, r)
}

/// The least signed distance of a ball's centre, or of the circle within a ring, from the other shape, less the radius around it.
fn centred(on: &Shape, x_on: &Pose, to: &Shape, x_to: &Pose) -> Option<f64> {
    if on.side == Side::Inside {
        return None;
    }
    let surface = on.surface.as_any();
    if let Some(ball) = surface.downcast_ref::<Sphere>() {
        return Some(height(to, x_to, &x_on.p) - ball.radius());
    }
    let ring = surface.downcast_ref::<Torus>()?;
    let d = |t: f64| height(to, x_to, &x_on.point(&(Vec3::new(t.cos(), t.sin(), 0.0) * ring.major())));
    let step = std::f64::consts::TAU / 720.0;
    let mut least = f64::INFINITY;
    for k in 0..720 {
        let at = step * k as f64;
        if d(at) > d(at - step) || d(at) > d(at + step) {
            continue;
        }
        let (mut from, mut to) = (at - step, at + step);
        while to - from > 1e-11 {
            let third = (to - from) / 3.0;
            if d(from + third) < d(to - third) { to -= third } else { from += third }
        }
        least = least.min(d(0.5 * (from + to)));
    }
    Some(least - ring.minor())
}

const EXACT: f64 = 1e-12;
const NEAR: f64 = 1e-9;

/// A placement and what became of it: the algorithm, what is wrong with its answer, if anything, and how long query and check took [s].
pub(crate) struct Checked {
    pub(crate) solver: String,
    pub(crate) fault: Option<String>,
    pub(crate) query: f64,
    pub(crate) check: f64,
}

/// Queries that take longer are told [s].
pub(crate) const SLOW: f64 = 1.0;

pub(crate) fn checked(case: &Case, r: &mut Random) -> Checked {
    let pair = match pairs::bind_for_query(&case.a, &case.b) {
        Ok(pair) => pair,
        Err(e) => {
            let fault = Some(format!("refused: {e}"));
            return Checked { solver: "none".to_owned(), fault, query: 0.0, check: 0.0 };
        }
    };
    let began = Instant::now();
    let found = pair.search(&case.x_a, &case.x_b, None);
    let query = began.elapsed().as_secs_f64();
    let (solver, fault) = match found {
        Ok(found) => fault(case, pair.solver().to_owned(), &found, r),
        Err(e) => (pair.solver().to_owned(), Some(format!("failed: {e}"))),
    };
    Checked { solver, fault, query, check: began.elapsed().as_secs_f64() - query }
}

/// What is wrong with the answer, if anything.
pub(crate) fn fault(case: &Case, solver: String, found: &Found, r: &mut Random) -> (String, Option<String>) {
    let Case { a, b, x_a, x_b, size, .. } = case;
    let (c, d) = (found.contact, -found.contact.delta);
    let apart = c.p_b - c.p_a;
    let exact = EXACT * (size + d.abs());
    let say = |what: String| Some(format!("{what}; d = {d:e}, n = {:?}", c.n.as_slice()));
    if !((c.n.norm() - 1.0).abs() < 1e-12) || !((apart - c.n * d).norm() < 1e3 * exact) {
        return (solver, say(format!("points {apart:?} are not along the normal")));
    }
    if case.convex() {
        let low = case.s(&c.n);
        if (low - d).abs() > exact {
            return (solver, say(format!("tangent planes are {low:e} apart")));
        }
        let is_bound =
            |b: [f64; 2]| b[0] <= d + 1e-15 * size && b[1] >= d - 1e-15 * size && b[1] - b[0] < exact;
        // (closed forms of solids that overlap may come without)
        if !found.bounds.map_or(d <= 0.0 && found.steps == 0, is_bound) {
            return (solver, say(format!("not certified: {:?}", found.bounds)));
        }
        if d > 0.0 {
            let off = [height(a, x_a, &c.p_a), height(b, x_b, &c.p_b)];
            // (far apart, a distance says little of where its points are)
            let fault = off.iter().any(|o| o.abs() > 1e-8 * (size + d));
            return (solver, if fault { say(format!("points are off by {off:?}")) } else { None });
        }
        let other = case.parted(r);
        let fault = (other > d + NEAR).then(|| format!("they part by {other:e}, {:e} less", other - d));
        return (solver, fault.and_then(say));
    }
    // a journal longer than its bearing runs through it
    let length = |s: &Shape| s.surface.as_any().downcast_ref::<Cylinder>().map_or(0.0, Cylinder::length);
    if solver == "journal"
        && length(if a.side == Side::Inside { b } else { a })
            >= length(if a.side == Side::Inside { a } else { b })
    {
        return (solver, None);
    }
    // balls and rings overlap by how deep their centres are
    if d <= 0.0 && ["sphere-any", "torus-torus", "torus-convex"].contains(&found.solver) {
        let centred = centred(a, x_a, b, x_b).or_else(|| centred(b, x_b, a, x_a));
        let off = centred.map_or(f64::INFINITY, |centred| (centred - d).abs());
        return (solver, if off > NEAR { say(format!("the centre is off by {off:e}")) } else { None });
    }
    let bounded = |s: &Shape| {
        s.surface.bounds().radius.is_finite() && (s.side == Side::Outside || s.surface.is_sheet())
    };
    let walk = |on: &Shape, x_on: &Pose, to: &Shape, x_to: &Pose, p: &Vec3, r: &mut Random| {
        (bounded(on)).then(|| (searched(on, x_on, to, x_to, r), height(to, x_to, p), height(on, x_on, p)))
    };
    let mut least = f64::INFINITY;
    let mut there = false;
    let ways = [walk(a, x_a, b, x_b, &c.p_a, r), walk(b, x_b, a, x_a, &c.p_b, r)];
    for (value, to, on) in ways.into_iter().flatten() {
        least = least.min(value);
        there |= on.abs() < 1e3 * exact && (to - d).abs() < 1e3 * exact;
    }
    // a sheet or a plane in one way only
    if !there {
        return (solver, say("that is not how far the points are apart".to_owned()));
    }
    // apart, both ways are the same; a solid around the other has no depth the other way
    let fault = least < d - NEAR;
    (solver, if fault { say(format!("found {least:e} by trial, {:e} less", d - least)) } else { None })
}
