//! A ring on a plane, for the tests of rolling; what is expected of it is computed here from first principles, without the engine.
//!
//! Symbols as in the book's page on rolling: α between the ring's axis and the vertical (90° is upright), b = R + r sin α, h = R sin α + r.

#![allow(dead_code, reason = "each test uses its own part")]

use carom::prelude::*;
use std::f64::consts::TAU;
use std::sync::Arc;

pub(crate) const G: f64 = 9.81;
/// Of friction.
pub(crate) const MU: f64 = 0.4;

/// Radii of ring and tube [m], mass [kg], moments of inertia about a diameter and about the axis [kg m²].
pub(crate) struct Ring {
    pub(crate) major: f64,
    pub(crate) minor: f64,
    pub(crate) m: f64,
    pub(crate) a: f64,
    pub(crate) c: f64,
}

/// A solid torus of 25 mm and 5 mm.
pub(crate) const RING: Ring = {
    let (major, minor, m) = (0.025, 0.005, 0.0968);
    let (major2, minor2) = (major * major, minor * minor);
    Ring { major, minor, m, a: m * (0.5 * major2 + 0.625 * minor2), c: m * (major2 + 0.75 * minor2) }
};

/// A place of the contact patch: the angle from the lowest place of the ring [rad], and its share of the normal force.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) psi: f64,
    pub(crate) share: f64,
}

/// How the ring touches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Touching {
    Point,
    Slices(usize),
    Exact,
}

impl Ring {
    /// b = R + r sin α: the arm of rolling [m].
    pub(crate) fn b(&self, alpha: f64) -> f64 {
        self.major + self.minor * alpha.sin()
    }

    /// h = R sin α + r: the height of the centre [m].
    pub(crate) fn h(&self, alpha: f64) -> f64 {
        self.major * alpha.sin() + self.minor
    }

    /// The depth of the section at ψ, the lowest being δ0 deep [m].
    fn depth(&self, alpha: f64, delta0: f64, psi: f64) -> f64 {
        let rho = alpha.sin();
        let lowest =
            |psi: f64| self.major * rho * psi.cos() + self.minor * (1.0 - (rho * psi.sin()).powi(2)).sqrt();
        delta0 - (lowest(0.0) - lowest(psi))
    }

    /// The patch under δ^{3/2}, and ∫ δ^{3/2} dψ/2π [m^{3/2}].
    pub(crate) fn patch(&self, alpha: f64, delta0: f64) -> (Vec<Place>, f64) {
        let (mut lo, mut hi) = (0.0, 1.0);
        for _ in 0..100 {
            let middle = 0.5 * (lo + hi);
            *(if self.depth(alpha, delta0, middle) > 0.0 { &mut lo } else { &mut hi }) = middle;
        }
        let n = 64;
        let place = |k: usize| {
            let u = 0.5 * TAU * (k as f64 + 0.5) / n as f64;
            let psi = lo * u.cos();
            let weight = lo * u.sin() * 0.5 / n as f64; // dψ/2π
            Place { psi, share: weight * self.depth(alpha, delta0, psi).max(0.0).powf(1.5) }
        };
        let mut all: Vec<Place> = (0..n).map(place).collect();
        let sum: f64 = all.iter().map(|p| p.share).sum();
        all.iter_mut().for_each(|p| p.share /= sum);
        (all, sum)
    }
}

/// What a run starts from.
pub(crate) struct Start {
    pub(crate) alpha: f64,
    pub(crate) delta0: f64,
    /// of the centre: x is where it rolls to, −y where its axis points [m/s]
    pub(crate) velocity: [f64; 3],
    pub(crate) omega: Vec3,
    pub(crate) gravity: [f64; 3],
}

/// The ring pressed in by δ0, so stiff that its weight is just carried; its axis (0, −sin α, cos α).
pub(crate) fn model(
    touching: Touching,
    start: &Start,
    chi: f64,
    friction: Arc<dyn carom::law::Friction>,
) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(start.gravity);
    let turn = Quat::from_axis_angle(&Vec3::x_axis(), start.alpha);
    let ring = Body::new("ring").mass(RING.m).inertia([RING.a, RING.a, RING.c]);
    let ring = ring.surface(Torus::new(RING.major, RING.minor).unwrap()).orientation(turn);
    let ring = ring.position([0.0, 0.0, RING.h(start.alpha) - start.delta0]);
    b.body(ring.velocity(start.velocity).angular_velocity(start.omega.into()));
    b.body(Body::fixed("plane").surface(Plane));
    let pressed = match touching {
        Touching::Point => start.delta0.powf(1.5),
        _ => RING.patch(start.alpha, start.delta0).1,
    };
    let law = HuntCrossley::damping(chi).unwrap().stiffness(-RING.m * start.gravity[2] / pressed);
    let rule = ContactRule::between("ring", "plane")
        .normal(law)
        .friction_arc(friction)
        .friction_at(FrictionAt::Surfaces);
    b.contact(match touching {
        Touching::Point => rule,
        Touching::Slices(n) => rule.solver(Slices::new(n).unwrap()),
        Touching::Exact => rule.solver(Slices::exact(1e-10).unwrap()),
    });
    b.build().unwrap()
}
