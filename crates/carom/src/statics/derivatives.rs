//! The derivatives of all rates of the state along the directions in which bodies can move: exact, or by differences.
//!
//! They are columns of the exact Jacobian where all contact pairs have derivatives. Some have none (slices against
//! edges); there they are central differences of sixth order, (45 d₁ − 9 d₂ + d₃)/60h with d_k = f(kh) − f(−kh). A
//! contact force changes considerably over its indentation, so h is a small fraction of that. The error is about 1e-9
//! of the largest stiffness, for a contact that is 1e-6 m deep and whose position is known to 1e-17 m, and 1e-8 of
//! the largest damping.

use carom_ode::{Jacobian, Ode, RhsFailure};
use nalgebra::{DMatrix, DVector};

use super::coordinates::{Coordinates, Direction};
use crate::system::System;

/// The step of differences, as a fraction of the depth of contacts, or of the size of bodies where nothing touches.
const OF_DEPTH: f64 = 0.02;
const OF_SIZE: f64 = 1e-3;
/// The step in velocities, as a fraction of the model's speed: far below what friction laws treat as slow, since some
/// have a kink at rest.
const OF_SPEED: f64 = 1e-8;

/// Derivatives of all rates of the state except the integrals.
pub(super) struct Derivatives {
    /// by the configuration, along the directions
    pub(super) by_pose: DMatrix<f64>,
    /// by the velocities, along the directions
    pub(super) by_rate: DMatrix<f64>,
    /// by the bristle states of friction laws
    pub(super) by_memory: DMatrix<f64>,
    /// whether they are exact; otherwise they are differences
    pub(super) exact: bool,
}

impl Derivatives {
    /// Computes them in a state of the system, in which its contacts must be known.
    pub(super) fn new(
        system: &mut System<'_>,
        at: &Coordinates,
        y: &[f64],
    ) -> Result<Derivatives, RhsFailure> {
        let bodies = system.model.world.layout.bodies();
        if let Some(sparsity) = system.derivatives().sparsity() {
            let mut j = Jacobian::new(sparsity);
            if system.derivatives().jacobian(0.0, y, &mut j)? {
                return Ok(Derivatives {
                    by_pose: at.by_columns(&j, |d| &d.pose),
                    by_rate: at.by_columns(&j, |d| &d.rate),
                    by_memory: DMatrix::from_fn(
                        j.n(),
                        j.n() - bodies - system.model.world.layout.depths(),
                        |i, k| j.get(i, bodies + k),
                    ),
                    exact: true,
                });
            }
        }
        let m = system.model;
        let depth = system.depth(y).map_or(OF_SIZE * m.world.extent(), |depth| OF_DEPTH * depth);
        let speed = OF_SPEED * m.world.scale.speed;
        let along = |i: usize, h: f64, d: &Direction| {
            DVector::from_fn(at.dim(), |k, _| if k == i { h / d.lever } else { 0.0 })
        };
        let (mut by_pose, mut by_rate) = (Vec::new(), Vec::new());
        for (i, d) in at.directions.iter().enumerate() {
            let moved = |s: f64, y: &mut [f64]| at.advance(m, y, &along(i, s, d));
            by_pose.push(difference(system, y, depth, moved)? * d.lever);
            let faster = |s: f64, y: &mut [f64]| d.rate.iter().for_each(|&(k, w)| y[k] += w * s / d.lever);
            by_rate.push(difference(system, y, speed, faster)? * d.lever);
        }
        let memory = m.world.layout.all_memory_rows(y.len());
        let (rows, h) = (memory.end, OF_SIZE * m.deflection);
        let by_memory = memory.map(|k| difference(system, y, h, |s, y: &mut [f64]| y[k] += s));
        let by_memory = by_memory.collect::<Result<Vec<_>, _>>()?;
        let matrix = |columns: Vec<DVector<f64>>| DMatrix::from_fn(rows, columns.len(), |i, k| columns[k][i]);
        Ok(Derivatives {
            by_pose: matrix(by_pose),
            by_rate: matrix(by_rate),
            by_memory: matrix(by_memory),
            exact: false,
        })
    }
}

/// Returns the derivative by s of the rates, where `changed` changes the state by s, with differences of step `h`.
fn difference(
    system: &mut System<'_>,
    y: &[f64],
    h: f64,
    changed: impl Fn(f64, &mut [f64]),
) -> Result<DVector<f64>, RhsFailure> {
    let mut sum = DVector::zeros(y.len());
    for (k, weight) in [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)] {
        for side in [1.0, -1.0] {
            let (mut there, mut rates) = (y.to_vec(), DVector::zeros(y.len()));
            changed(side * k * h, &mut there);
            system.rhs(0.0, &there, rates.as_mut_slice())?;
            sum.axpy(side * weight / (60.0 * h), &rates, 1.0);
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use carom_geometry::surfaces::{Cuboid, Plane};
    use carom_law::friction::LuGre;
    use carom_law::normal::HuntCrossley;

    use super::*;
    use crate::system::StepPolicy;
    use crate::{Body, ContactRule, Equilibrium, ModelBuilder};

    /// Differences agree with the exact derivatives, to 1e-9 of the largest, and to 3e-8 by velocities.
    #[test]
    fn differences_agree_with_what_is_exact() {
        let mut b = ModelBuilder::new();
        let block = Body::new("block").mass(0.5).position([0.0, 0.0, 0.021]);
        b.body(block.surface(Cuboid::new([0.1, 0.08, 0.04]).unwrap()));
        b.body(Body::fixed("floor").surface(Plane));
        let friction = LuGre::new(0.3, 0.4, 0.01, 2e4).unwrap().damping(5.0);
        let normal = HuntCrossley::damping(0.5).unwrap().stiffness(1e7);
        b.contact(ContactRule::between("block", "floor").normal(normal).friction(friction));
        let model = b.build().unwrap();
        let rest = Equilibrium::find(&model).unwrap();
        let mut system = System::new(&model, StepPolicy::Located, 0.0).unwrap();
        let y = system.start(0.0, rest.state(&model));
        let at = Coordinates::new(&model, &y);
        let exact = Derivatives::new(&mut system, &at, &y).unwrap();
        system.settings.exact_jacobian = false;
        let found = Derivatives::new(&mut system, &at, &y).unwrap();
        assert!(exact.exact && !found.exact);
        for (name, exact, found, most) in [
            ("pose", &exact.by_pose, &found.by_pose, 1e-9),
            ("rate", &exact.by_rate, &found.by_rate, 3e-8),
            ("memory", &exact.by_memory, &found.by_memory, 1e-9),
        ] {
            let rows = exact.nrows();
            let error = (found.rows(0, rows) - exact).amax() / exact.amax();
            assert!(exact.amax() > 0.0 && error < most, "{name}: {error:.1e}");
        }
    }
}
