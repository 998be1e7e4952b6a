//! What a force along coordinates owes to the states of its two bodies: that of an element, or that of a stop.
//!
//! Each body gets −Q g, g the gradient of q on it: d(Q g) = (k dq + c dq̇) g + Q dg with k = ∂Q/∂q, c = ∂Q/∂q̇. The measure brings dq, dq̇ and dg as dual numbers, by the small motion of
//! a rigid body or the 24 numbers of one that deforms.

use carom_base::{Dual, Scalar};
use carom_law::Indentation;
use carom_ode::Jacobian;

use super::joint::{affine, constant, rigid};
use super::load::{Load, rigid_columns, unit};
use crate::contact::{PointForce, Slot, varied};
use crate::force::Element;
use crate::forward::Workspace;
use crate::joint::{Moving, Row};
use crate::model::{BodyKind, Model};

/// What acts along coordinates of A and B.
pub(super) trait Acts {
    fn bodies(&self) -> [usize; 2];
    /// Hands out each coordinate of bodies that move so, with Q and its derivatives by (q, q̇).
    fn each<S: Scalar>(&self, ws: &Workspace, ends: [&Moving<S>; 2], take: impl FnMut(Row<S>, Dual<2>));
}

/// A force along coordinates, at t.
struct Drawing<'a> {
    element: &'a Element,
    t: f64,
}

impl Acts for Drawing<'_> {
    fn bodies(&self) -> [usize; 2] {
        self.element.bodies
    }

    fn each<S: Scalar>(&self, ws: &Workspace, ends: [&Moving<S>; 2], mut take: impl FnMut(Row<S>, Dual<2>)) {
        let values = ends.map(Moving::values);
        for strand in &self.element.strands {
            let now = strand.at(self.t, &values, &ws.turns);
            take(strand.measure.at(ends), strand.slopes(&now));
        }
    }
}

/// A stop that is met.
pub(super) struct Stopping<'a> {
    pub(super) m: &'a Model,
    pub(super) slot: &'a Slot,
    pub(super) point: PointForce,
}

impl Acts for Stopping<'_> {
    fn bodies(&self) -> [usize; 2] {
        [self.slot.body_a, self.slot.body_b]
    }

    fn each<S: Scalar>(&self, _: &Workspace, ends: [&Moving<S>; 2], mut take: impl FnMut(Row<S>, Dual<2>)) {
        let Some(row) = self.slot.stop_row(ends) else { return };
        let delta = varied(self.point.contact.delta);
        let delta_dot = Dual::variable(self.point.delta_dot, 1);
        let law = &self.m.rules[self.slot.rule].normal;
        let touch = &self.slot.features[0].touch;
        take(row, law.force_dual(Indentation { delta, delta_dot }, touch).f_n);
    }
}

/// Adds all that a force along coordinates does at t, and loads its bodies.
pub(crate) fn add_element(
    m: &Model,
    element: &Element,
    ws: &mut Workspace,
    t: f64,
    y: &[f64],
    j: &mut Jacobian,
) {
    add(m, &Drawing { element, t }, ws, t, y, j);
}

/// Adds all of it, and loads the bodies with the force.
pub(super) fn add(m: &Model, acts: &impl Acts, ws: &mut Workspace, t: f64, y: &[f64], j: &mut Jacobian) {
    let bodies = acts.bodies();
    let moving = bodies.map(|body| Moving::new(&m.bodies[body], ws.body(body), t));
    for (end, &body) in bodies.iter().enumerate() {
        match m.bodies[body].kind {
            BodyKind::Dynamic(rows) => {
                let loads = loads(acts, ws, &moving, end, rigid(&moving[end], &ws.body(body).w));
                rigid_columns(rows.of(y), rows, |weight, column| {
                    for (load, &body) in loads.iter().zip(&bodies) {
                        load.add(m, ws, body, weight, column, j);
                    }
                });
            }
            BodyKind::Affine(rows) => {
                let loads = loads(acts, ws, &moving, end, affine(rows.numbers(y)));
                for (i, column) in rows.all().enumerate() {
                    for (load, &body) in loads.iter().zip(&bodies) {
                        load.add(m, ws, body, &unit(i), column, j);
                    }
                }
            }
            _ => {}
        }
    }
    let mut loads = [Load::none(); 2];
    acts.each(ws, moving.each_ref(), |row, law| {
        loads.iter_mut().zip(&row.pulls).for_each(|(load, pull)| load.pull(-law.re, pull));
    });
    bodies.iter().zip(&loads).for_each(|(&body, load)| ws.spread(body, &load.f, &load.moment));
}

/// The loads on A and B by the variables of one of them, which is at `own`.
fn loads<const N: usize>(
    acts: &impl Acts,
    ws: &Workspace,
    moving: &[Moving; 2],
    end: usize,
    own: Moving<Dual<N>>,
) -> [Load<Dual<N>>; 2] {
    let mut ends = moving.each_ref().map(constant);
    ends[end] = own;
    let mut loads = [Load::none(); 2];
    acts.each(ws, ends.each_ref(), |row, law| {
        let [k, c] = law.eps;
        let eps = std::array::from_fn(|i| k * row.value.eps[i] + c * row.rate.eps[i]);
        let force = Dual { re: law.re, eps };
        loads.iter_mut().zip(&row.pulls).for_each(|(load, pull)| load.pull(-force, pull));
    });
    loads
}
