//! The part of the Jacobian that comes from friction in joints.
//!
//! At constant load N, friction f = F(N, v, z) is a force like any other (`add_reactions`). N follows from the multipliers,
//! and the multipliers from f:
//!
//!   dN = c·dλ + ∂N/∂x,   dλ = dλ|_N + Σ λ_r dN_r,
//!
//! with c = ∂N/∂λ, and λ_r the change of the multipliers by a unit of N_r. So (1 − G) dN = c·dλ|_N + ∂N/∂x
//! with G = c·λ_r, for every column (`Coupling`).
//!
//! Checked against differences of the right-hand side, for every friction law and every joint that can have friction
//! (`tests/joints.rs`).

use carom_base::{Dual, Scalar, Vec3};
use carom_law::Memory;
use carom_ode::Jacobian;
use nalgebra::{DMatrix, DVector, SMatrix};

use super::joint::first_acceleration;
use crate::joint::{A, B, JointFrictionTerm, Moving};
use crate::model::Model;
use crate::slopes::{Load, constant};
use crate::workspace::Workspace;

/// A couple smaller than this fraction of the torque about the centre of mass is taken as rounding error, that is, as zero.
const ROUNDING: f64 = 1e-12;

/// The derivatives of all joint friction terms, collected before the columns are solved one by one.
#[derive(Default)]
pub(super) struct JointFrictionSlopes {
    slopes: Vec<Slopes>,
    /// ∂N/∂λ of each friction term: row of the multiplier, value
    by_lambda: Vec<Vec<(usize, f64)>>,
    /// ∂N/∂x at constant multipliers: index of the friction term, column, value
    by_state: Vec<(usize, usize, f64)>,
}

/// The derivatives of a friction law by N (column 0), v (1 to 3) and its bristle state z, s (4 to 7).
struct Slopes {
    force: SMatrix<f64, 3, 8>,
    rate: SMatrix<f64, 4, 8>,
}

impl Slopes {
    fn new(friction: &JointFrictionTerm, load: f64, v: &Vec3, memory: Option<Memory>) -> Slopes {
        let mut slopes = Slopes { force: SMatrix::zeros(), rate: SMatrix::zeros() };
        match memory {
            None => {
                let v = Vec3::from_fn(|i, _| Dual::<4>::variable(v[i], 1 + i));
                let f = friction.law.force_dual(Dual::variable(load, 0), &v);
                for i in 0..3 {
                    (0..4).for_each(|k| slopes.force[(i, k)] = f[i].eps[k]);
                }
            }
            Some(Memory { z, s }) => {
                let at = |value: f64, i: usize| Dual::<8>::variable(value, i);
                let v = Vec3::from_fn(|i, _| at(v[i], 1 + i));
                let memory = Memory { z: Vec3::from_fn(|i, _| at(z[i], 4 + i)), s: at(s, 7) };
                let now = friction.law.evolve_dual(at(load, 0), &v, &memory, friction.least_load);
                for (k, column) in (0..8).enumerate() {
                    (0..3).for_each(|i| slopes.force[(i, column)] = now.f_t[i].eps[k]);
                    (0..3).for_each(|i| slopes.rate[(i, column)] = now.rate.z[i].eps[k]);
                    slopes.rate[(3, column)] = now.rate.s.eps[k];
                }
            }
        }
        slopes
    }
}

impl JointFrictionSlopes {
    /// Evaluates all friction terms; the workspace must hold their loads, slips and the multipliers. Applies friction
    /// to the bodies, and adds the derivatives by the bristle states.
    pub(super) fn new(m: &Model, ws: &mut Workspace, y: &[f64], j: &mut Jacobian) -> JointFrictionSlopes {
        let mut all = JointFrictionSlopes::default();
        for (i, friction) in m.constraints.frictions.iter().enumerate() {
            let (slip, load) = (ws.joint_friction.slips[i], ws.joint_friction.loads[i]);
            let memory = ws.joint_friction.memory(i, m.world.layout.memories(y));
            all.slopes.push(Slopes::new(friction, load, &slip.v, memory));
            all.by_lambda.push(by_lambda(m, ws, friction, &slip.p));
            let (force, couple) = slip.wrench(&ws.joint_friction.forces[i]);
            for (&body, side) in friction.bodies.iter().zip([1.0, -1.0]) {
                ws.loads.load(body, &slip.p, &(force * side));
                ws.loads.twist(body, &(couple * side));
            }
            let Some(first) = memory_row(m, ws, i) else { continue };
            let slopes = &all.slopes[i];
            for k in 0..Memory::SIZE {
                let (force, rate) = (slopes.force.column(4 + k), slopes.rate.column(4 + k));
                j.add_rows(first, first + k, rate.clone_owned().as_slice());
                push(m, ws, i, &Vec3::new(force[0], force[1], force[2]), 1.0, first + k, j);
            }
        }
        all
    }

    /// Adds the derivatives of a joint's friction at constant load, by the variables of one of its bodies, whose
    /// motion with derivatives is `own`, and records ∂N/∂x. `reactions`: the joint's reactions on its bodies.
    pub(super) fn put<const N: usize>(
        &mut self,
        (m, ws): (&Model, &Workspace),
        (constraint, end): (usize, usize),
        own: Moving<Dual<N>>,
        reactions: &[Load<Dual<N>>],
        columns: &[([f64; N], usize)],
        j: &mut Jacobian,
    ) {
        let of_joint = |(_, friction): &(usize, &JointFrictionTerm)| friction.constraint == constraint;
        for (i, friction) in m.constraints.frictions.iter().enumerate().filter(of_joint) {
            let (loads, v, p) = self.act(m, ws, (i, end), own);
            let reported_end = if ws.joints.wrench(m, constraint, B).is_some() { B } else { A };
            let x = if reported_end == end {
                own.x
            } else {
                ws.body(friction.bodies[reported_end]).x.p.map(Dual::from_f64)
            };
            let (f, torque) = (&reactions[reported_end].f, &reactions[reported_end].torque);
            let couple = torque + (x - p).cross(f);
            let none = ROUNDING * torque.map(|x| x.re).norm();
            let whole = (f.map(|x| x.re), couple.map(|x| x.re), none);
            for (weight, column) in columns {
                let along = |x: Dual<N>| x.eps.iter().zip(weight).map(|(e, w)| e * w).sum::<f64>();
                for (load, &body) in loads.iter().zip(&friction.bodies) {
                    load.add(&m.world, &ws.loads, body, weight, *column, j);
                }
                let n = friction.load_slope(&whole, &(f.map(along), couple.map(along)));
                self.note((m, ws), i, *column, (n, v.map(along)), j);
            }
        }
    }

    /// Returns a friction term's loads on A and B, its slip velocity and the point where it slips.
    fn act<const N: usize>(
        &self,
        m: &Model,
        ws: &Workspace,
        (friction, end): (usize, usize),
        own: Moving<Dual<N>>,
    ) -> ([Load<Dual<N>>; 2], Vec3<Dual<N>>, Vec3<Dual<N>>) {
        let r = &m.constraints.frictions[friction];
        let mut k = [A, B].map(|e| constant(ws.joints.moving_of(m, r.constraint, e)));
        k[end] = own;
        let slip = r.slipping([&k[A], &k[B]]);
        let f = Vec3::from_fn(|i, _| {
            let mut f = Dual::from_f64(ws.joint_friction.forces[friction][i]);
            for way in 0..3 {
                let slope = self.slopes[friction].force[(i, 1 + way)];
                f += Dual { re: 0.0, eps: slip.v[way].eps } * Dual::from_f64(slope);
            }
            f
        });
        let (force, couple) = slip.wrench(&f);
        let load = |end: usize, side: f64| {
            let side = Dual::from_f64(side);
            Load::at(&(slip.p - k[end].x), &(force * side), &(couple * side))
        };
        ([load(A, 1.0), load(B, -1.0)], slip.v, slip.p)
    }

    /// Records ∂N/∂x of a friction term, and adds the derivative of its bristle rates by the slip velocity.
    fn note(
        &mut self,
        (m, ws): (&Model, &Workspace),
        friction: usize,
        column: usize,
        (n, v): (f64, Vec3),
        j: &mut Jacobian,
    ) {
        if n != 0.0 {
            self.by_state.push((friction, column, n));
        }
        if let Some(first) = memory_row(m, ws, friction) {
            let rate = self.slopes[friction].rate.fixed_columns::<3>(1) * v;
            j.add_rows(first, column, rate.as_slice());
        }
    }
}

/// Returns the row of the state where a friction term's bristles start; `None` if its law has none.
fn memory_row(m: &Model, ws: &Workspace, friction: usize) -> Option<usize> {
    ws.joint_friction.memories[friction].map(|memory| m.world.layout.memory_rows(memory).start)
}

/// Returns c = ∂N/∂λ: the change of the load by a unit of every multiplier of its joint.
fn by_lambda(m: &Model, ws: &Workspace, friction: &JointFrictionTerm, p: &Vec3) -> Vec<(usize, f64)> {
    let joints = &ws.joints;
    let end = if joints.wrench(m, friction.constraint, B).is_some() { B } else { A };
    let about = |(force, torque): (Vec3, Vec3)| {
        (force, torque + (ws.body(friction.bodies[end]).x.p - p).cross(&force))
    };
    let Some(whole) = joints.wrench(m, friction.constraint, end) else { return Vec::new() };
    let none = ROUNDING * whole.1.norm();
    let (force, couple) = about(whole);
    let rows = m.constraints.rows_of(friction.constraint);
    let of = |(k, row): (usize, usize)| {
        let unit = about(joints.row_wrench(m, (friction.constraint, end), k));
        (row, friction.load_slope(&(force, couple, none), &unit))
    };
    rows.enumerate().map(of).collect()
}

/// Adds to a column the accelerations that friction `f` times `times` gives the bodies of a joint.
fn push(m: &Model, ws: &Workspace, friction: usize, f: &Vec3, times: f64, column: usize, j: &mut Jacobian) {
    let r = &m.constraints.frictions[friction];
    for end in [A, B] {
        let Some(first) = first_acceleration(m, r.bodies[end]) else { continue };
        let a = ws.joint_friction.response(friction, end, f);
        let width = if m.world.bodies[r.bodies[end]].soft.is_some() { 12 } else { 6 };
        let a = a.map(|a| a * times);
        j.add_rows(first, column, &a[..width]);
    }
}

/// The solution of the equations that couple the loads N and the multipliers λ.
pub(super) struct Coupling {
    frictions: JointFrictionSlopes,
    /// λ_r of each friction term
    lambda: Vec<Vec<f64>>,
    /// (1 − G)⁻¹
    inverse: DMatrix<f64>,
    /// ∂N/∂x of each column: index of the friction term, value
    by_column: Vec<Vec<(usize, f64)>>,
}

impl Coupling {
    /// Sets up the coupling of all friction terms; overwrites the multipliers of the workspace. `None`: 1 − G is
    /// singular, because some joint is about to jam.
    pub(super) fn new(
        m: &Model,
        ws: &mut Workspace,
        frictions: JointFrictionSlopes,
        columns: usize,
    ) -> Option<Coupling> {
        let n = frictions.slopes.len();
        let mut lambda = Vec::with_capacity(n);
        let mut a = vec![[0.0; 12]; m.constraints.bodies.len()];
        for (i, friction) in m.constraints.frictions.iter().enumerate() {
            a.fill([0.0; 12]);
            let f = frictions.by_load(i);
            for end in [A, B] {
                a[m.constraints.jointed_index(friction.constraint, end)] =
                    ws.joint_friction.response(i, end, &f);
            }
            ws.joints.solve_changed(m, &[], &a);
            lambda.push(ws.joints.lambda.clone());
        }
        let g = DMatrix::from_fn(n, n, |q, r| frictions.load_by(q, &lambda[r]));
        let inverse = (DMatrix::identity(n, n) - g).try_inverse()?;
        let mut by_column = vec![Vec::new(); columns];
        frictions.by_state.iter().for_each(|&(friction, column, x)| by_column[column].push((friction, x)));
        Some(Coupling { frictions, lambda, inverse, by_column })
    }

    /// Whether the state number of a column changes a load directly, by ∂N/∂x.
    pub(super) fn has(&self, column: usize) -> bool {
        !self.by_column[column].is_empty()
    }

    /// Solves for the dN of a column and adds what follows from it. On entry λ of the workspace holds dλ|_N, on return dλ.
    pub(super) fn solve(&self, m: &Model, ws: &mut Workspace, column: usize, j: &mut Jacobian) {
        let mut n = DVector::from_fn(self.lambda.len(), |q, _| self.frictions.load_by(q, &ws.joints.lambda));
        self.by_column[column].iter().for_each(|(q, x)| n[*q] += x);
        let n = &self.inverse * n;
        for (r, dn) in n.iter().enumerate() {
            ws.joints.lambda.iter_mut().zip(&self.lambda[r]).for_each(|(x, unit)| *x += dn * unit);
            push(m, ws, r, &self.frictions.by_load(r), *dn, column, j);
            if let Some(first) = memory_row(m, ws, r) {
                let rate = self.frictions.slopes[r].rate.column(0) * *dn;
                j.add_rows(first, column, rate.as_slice());
            }
        }
    }
}

impl JointFrictionSlopes {
    /// Returns ∂f/∂N.
    fn by_load(&self, friction: usize) -> Vec3 {
        Vec3::from_fn(|i, _| self.slopes[friction].force[(i, 0)])
    }

    /// Returns c·λ, the change of the load by a change `lambda` of the multipliers.
    fn load_by(&self, friction: usize, lambda: &[f64]) -> f64 {
        self.by_lambda[friction].iter().map(|(row, c)| c * lambda[*row]).sum()
    }
}
