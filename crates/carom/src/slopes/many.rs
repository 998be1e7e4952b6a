//! The derivatives of loads that depend on the motions of several bodies, by the states of these bodies.

use carom_base::{Dual, Scalar};
use carom_ode::Jacobian;

use super::load::{Load, rigid_columns, unit};
use super::motion::{affine, constant, rigid};
use crate::joint::Moving;
use crate::loads::Loads;
use crate::world::{BodyKind, World};

/// The motions of all bodies: those of one body with derivatives, the others as constants.
pub(crate) struct Motions<'a, S: Scalar> {
    pub(crate) world: &'a World,
    pub(crate) loads: &'a Loads,
    /// time [s]
    pub(crate) t: f64,
    /// the body whose motion has derivatives, and its motion
    pub(crate) varied: Option<(usize, Moving<S>)>,
}

impl<S: Scalar> Motions<'_, S> {
    /// Returns the motion of a body.
    pub(crate) fn of(&self, body: usize) -> Moving<S> {
        match &self.varied {
            Some((varied, moving)) if *varied == body => *moving,
            _ => constant(&Moving::new(&self.world.bodies[body], self.loads.body(body), self.t)),
        }
    }
}

/// Loads on one or two bodies, given by a formula of the motions of several, written over [`Scalar`].
pub(crate) trait LoadsFormula {
    /// Returns the bodies that are loaded; at most two.
    fn loaded(&self) -> &[usize];
    /// Returns the bodies on whose motions the loads depend.
    fn involved(&self) -> &[usize];
    /// Returns the loads, in the order of [`LoadsFormula::loaded`].
    fn loads<S: Scalar>(&self, motions: &Motions<'_, S>) -> [Load<S>; 2];
}

/// Adds the derivatives of the loads to the Jacobian, and loads the bodies.
pub(crate) fn add(
    world: &World,
    formula: &impl LoadsFormula,
    loads: &mut Loads,
    t: f64,
    y: &[f64],
    j: &mut Jacobian,
) {
    for &body in formula.involved() {
        match world.bodies[body].kind {
            BodyKind::Dynamic(rows) => {
                let moving = Moving::new(&world.bodies[body], loads.body(body), t);
                let slopes = slopes(world, formula, loads, t, body, rigid(&moving, &loads.body(body).w));
                rigid_columns(rows.of(y), rows, |weight, column| {
                    for (load, &on) in slopes.iter().zip(formula.loaded()) {
                        load.add(world, loads, on, weight, column, j);
                    }
                });
            }
            BodyKind::Affine(rows) => {
                let slopes = slopes(world, formula, loads, t, body, affine(rows.numbers(y)));
                for (i, column) in rows.all().enumerate() {
                    for (load, &on) in slopes.iter().zip(formula.loaded()) {
                        load.add(world, loads, on, &unit(i), column, j);
                    }
                }
            }
            _ => {}
        }
    }
    let values: [Load<f64>; 2] = formula.loads(&Motions { world, loads, t, varied: None });
    for (load, &on) in values.iter().zip(formula.loaded()) {
        loads.spread(on, &load.f, &load.moment);
    }
}

fn slopes<const N: usize>(
    world: &World,
    formula: &impl LoadsFormula,
    loads: &Loads,
    t: f64,
    body: usize,
    moving: Moving<Dual<N>>,
) -> [Load<Dual<N>>; 2] {
    formula.loads(&Motions { world, loads, t, varied: Some((body, moving)) })
}
