//! What a force along coordinates owes to the states of its two bodies.
//!
//! Each body gets −Q g, g the gradient of q on it: d(Q g) = (k dq + c dq̇) g + Q dg with k = ∂Q/∂q, c = ∂Q/∂q̇. The measure brings dq, dq̇ and dg as dual numbers, by the small motion of
//! a rigid body or the 24 numbers of one that deforms.

use carom_base::Dual;
use carom_ode::Jacobian;

use super::body::turn_of;
use super::joint::{Load, affine, constant, rigid};
use crate::force::Element;
use crate::forward::Workspace;
use crate::joint::Moving;
use crate::model::{AFFINE, BODY, BodyKind, Model};
use crate::state::{affine_slice, body_slice};

/// Adds all of it, and loads the bodies with the force.
pub(super) fn add(m: &Model, element: &Element, ws: &mut Workspace, t: f64, y: &[f64], j: &mut Jacobian) {
    let t = ws.now.stretch.inside(t);
    let moving = element.moving(m, t, |body| ws.body(body));
    for (end, &body) in element.bodies.iter().enumerate() {
        match m.bodies[body].kind {
            BodyKind::Dynamic(d) => {
                let loads = loads(element, ws, t, &moving, end, rigid(&moving[end], &ws.body(body).w));
                let y = body_slice(y, d);
                let mut put = |weight: &[f64; 12], column: usize| {
                    for (load, &body) in loads.iter().zip(&element.bodies) {
                        load.add(m, ws, body, weight, d * BODY + column, j);
                    }
                };
                // δx, δv, δω, and δθ by q
                for i in (0..3).chain(6..12) {
                    put(&std::array::from_fn(|k| f64::from(u8::from(k == i))), if i < 3 { i } else { i + 1 });
                }
                for (k, by_q) in turn_of(&[y[3], y[4], y[5], y[6]]).column_iter().enumerate() {
                    put(&std::array::from_fn(|i| if (3..6).contains(&i) { by_q[i - 3] } else { 0.0 }), 3 + k);
                }
            }
            BodyKind::Affine(first) => {
                let loads = loads(element, ws, t, &moving, end, affine(affine_slice(y, first)));
                for i in 0..AFFINE {
                    let weight = std::array::from_fn(|k| f64::from(u8::from(k == i)));
                    for (load, &body) in loads.iter().zip(&element.bodies) {
                        load.add(m, ws, body, &weight, first + i, j);
                    }
                }
            }
            _ => {}
        }
    }
    for strand in &element.strands {
        let drawn = strand.at(t, &moving, &ws.turns);
        for (&body, pull) in element.bodies.iter().zip(&drawn.row.pulls) {
            ws.pull(body, -drawn.f, pull);
        }
    }
}

/// The loads on A and B by the variables of one of them, which is at `own`.
fn loads<const N: usize>(
    element: &Element,
    ws: &Workspace,
    t: f64,
    moving: &[Moving; 2],
    end: usize,
    own: Moving<Dual<N>>,
) -> [Load<Dual<N>>; 2] {
    let mut ends = moving.each_ref().map(constant);
    ends[end] = own;
    let mut loads = [Load::none(); 2];
    for strand in &element.strands {
        let row = strand.measure.at([&ends[0], &ends[1]]);
        let now = strand.at(t, moving, &ws.turns);
        let law = strand.slopes(&now);
        let [k, c] = law.eps;
        let eps = std::array::from_fn(|i| k * row.value.eps[i] + c * row.rate.eps[i]);
        let force = Dual { re: law.re, eps };
        loads.iter_mut().zip(&row.pulls).for_each(|(load, pull)| load.pull(-force, pull));
    }
    loads
}
