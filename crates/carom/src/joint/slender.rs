//! Bodies with little inertia in some direction, as slender bars have about their axes: next to that, what the other directions bring to S = Φ M⁻¹ Φᵀ is lost in rounding, and equations seem to repeat
//! others that do not. What joints hold must not depend on how hard it is to move. So S is that of M̃ = M + E, E what the inertia of such a body falls short of a small part (`LEAST`) of the
//! largest in its mechanism. The motion remains that of M,
//!
//!   M̃ a = f + E a + Φᵀ λ,   Φ a = −b,
//!
//! found by conjugate gradients among the accelerations that the joints allow, with M̃ for a preconditioner (Gould, Hribar and Nocedal 2001, <https://doi.org/10.1137/S1064827598345667>, with the residual
//! freed of Φᵀ μ in every step). Where joints hold the slender directions the eigenvalues are within about `LEAST` of 1, and three or four steps reach rounding.
//!
//! A direction that no joint of the body acts about, as the axis of a bar between two ball joints, has its own inertia and is left out of S altogether: reactions do not turn the body about it, and what rounding says
//! they did would be large, as so little resists it.

use carom_base::{Mat3, Vec3};

use super::equation::Equation;
use super::hold::Hold;
use super::linkage::Linkage;
use super::measure::A;
use super::multipliers::Multipliers;
use super::products::{respond, subtract, sum_of};
use crate::body::{Dofs, Inertia, Rotation};
use crate::model::{BodyKind, Model};
use crate::workspace::Loaded;

/// The least inertia, of the largest in a mechanism, that S is made of.
const LEAST: f64 = 1e-4;
/// The same where there are no loops, of the body's own: no equation can repeat others there, and only digits are lost.
const LEAST_OPEN: f64 = 5e-6;
/// Relative: what is along an axis.
const ALONG: f64 = 1e-12;
/// Steps of conjugate gradients beyond what the bodies can move in.
const STEPS: usize = 10;
/// So many steps that do not halve the least residual are rounding.
const WORSE: usize = 4;

/// A body with little inertia in some direction.
#[derive(Clone, Debug)]
pub(crate) struct Slender {
    /// its place among those that have joints
    pub(super) jointed: usize,
    /// M: along the axes of the world, and about those of the body, if it turns as it likes
    mass: Vec3,
    inertia: Option<Mat3>,
    /// E, likewise
    more_mass: Vec3,
    more_inertia: Mat3,
    /// the axes about which no joint acts
    pub(crate) free: Vec<FreeAxis>,
}

/// An axis of a body about which no joint acts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeAxis {
    pub(crate) body: usize,
    /// principal axes of the body, this one last
    axes: [Vec3; 3],
    moments: [f64; 3],
}

impl FreeAxis {
    /// The angular acceleration about it: Euler's equation, the torque being divided by m(t)/m(0).
    pub(crate) fn acceleration(&self, loaded: &Loaded, torque: &Vec3) -> f64 {
        let [torque, w] = [torque, &loaded.k.w].map(|v| loaded.k.x.direction_to_local(v));
        let [i, j, k] = self.moments;
        let gyroscopic = (j - i) * self.axes[0].dot(&w) * self.axes[1].dot(&w);
        (self.axes[2].dot(&torque) - gyroscopic) / k
    }

    /// Its direction, world frame.
    pub(crate) fn direction(&self, loaded: &Loaded) -> Vec3 {
        loaded.k.x.direction(&self.axes[2])
    }
}

/// Gives the bodies of a model the inertia that S is made of, and the linkage what they have too much of.
pub(super) fn enlarge(m: &mut Model, linkage: &mut Linkage) {
    let looped = linkage.holds_in_loops();
    for group in linkage.mechanisms() {
        let rigid = |&body: &usize| matches!(m.bodies[body].kind, BodyKind::Dynamic(_));
        let of_group = |h: usize| linkage.holds[h].bodies.iter().any(|body| group.contains(body));
        let closed = (0..linkage.holds.len()).any(|h| looped[h] && of_group(h));
        let largest = |of: &dyn Fn(usize) -> f64| group.iter().map(|&body| of(body)).fold(0.0, f64::max);
        let mass = if closed { LEAST * largest(&|body| m.bodies[body].mass) } else { 0.0 };
        let inertia = largest(&|body| largest_moment(m, body));
        let bodies: Vec<usize> = group.iter().copied().filter(rigid).collect();
        for body in bodies {
            let own = largest_moment(m, body);
            let [under, least] = match closed {
                true => [LEAST * inertia; 2],
                false => [LEAST_OPEN * own, LEAST * own],
            };
            let Some(jointed) = linkage.bodies.iter().position(|j| j.body == body) else { continue };
            let free = |axis: &Vec3| linkage.holds.iter().all(|hold| !acts_about(hold, body, axis));
            let Some((slender, response)) = slender(m, (body, jointed), mass, under, least, free) else {
                continue;
            };
            linkage.bodies[jointed].inverse = response;
            linkage.slender.push(slender);
        }
    }
}

fn largest_moment(m: &Model, body: usize) -> f64 {
    m.bodies[body].inertia.tensor().symmetric_eigenvalues().max()
}

/// A body whose mass is less than `mass` or some of whose moments are less than `under`, which are made `least`; with its inverse inertia in S. The body gets that of M̃.
fn slender(
    m: &mut Model,
    (body, jointed): (usize, usize),
    mass: f64,
    under: f64,
    least: f64,
    is_free: impl Fn(&Vec3) -> bool,
) -> Option<(Slender, Option<Mat3>)> {
    let b = &mut m.bodies[body];
    let (axes, moments) = principal(&b.inertia.tensor());
    let freely = b.dofs.rotation == Rotation::Free;
    let little = |k: usize| moments[k] < under && freely;
    let turns = (0..3).any(little);
    let missing = (mass - b.mass).max(0.0);
    if missing == 0.0 && !turns {
        return None;
    }
    let (mut inverse, mut response, mut excess) = (Mat3::zeros(), Mat3::zeros(), Mat3::zeros());
    let mut free = Vec::new();
    for k in 0..3 {
        let about = axes[k] * axes[k].transpose();
        if little(k) && is_free(&axes[k]) {
            let order = [(k + 1) % 3, (k + 2) % 3, k];
            free.push(FreeAxis { body, axes: order.map(|i| axes[i]), moments: order.map(|i| moments[i]) });
            inverse += about / moments[k];
            continue;
        }
        let enlarged = if little(k) { least } else { moments[k] };
        inverse += about / enlarged;
        response += about / enlarged;
        excess += about * (enlarged - moments[k]);
    }
    let missing = b.dofs.translation * missing;
    if missing != Vec3::zeros() {
        b.inverse_mass = b.dofs.translation / mass;
    }
    let response = turns.then(|| {
        b.inertia = Inertia::General { tensor: b.inertia.tensor(), inverse };
        response
    });
    let own = Slender {
        jointed,
        mass: b.dofs.translation * b.mass,
        inertia: freely.then(|| b.inertia.tensor()),
        more_mass: missing,
        more_inertia: excess,
        free,
    };
    Some((own, response))
}

/// Principal axes, right-handed, and moments.
fn principal(tensor: &Mat3) -> ([Vec3; 3], [f64; 3]) {
    let diagonal = tensor.diagonal();
    if *tensor == Mat3::from_diagonal(&diagonal) {
        return ([Vec3::x(), Vec3::y(), Vec3::z()], diagonal.into());
    }
    let eigen = tensor.symmetric_eigen();
    let [x, y] = [0, 1].map(|k| eigen.eigenvectors.column(k).into_owned());
    ([x, y, x.cross(&y)], eigen.eigenvalues.into())
}

/// Whether a joint acts about an axis through the centre of mass of a body; in doubt it does.
fn acts_about(hold: &Hold, body: usize, axis: &Vec3) -> bool {
    let Some(end) = hold.bodies.iter().position(|b| *b == body) else { return false };
    let along = |v: &Vec3| v.cross(axis).norm() <= ALONG * v.norm();
    hold.equations.iter().any(|equation| match equation {
        Equation::Meet(points) => !along(&points[end]),
        Equation::Align { x, y, z } => !along(&if end == A { x.cross(y) } else { *z }),
        _ => true,
    })
}

/// Room for the motion of slender bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// of the slender bodies, E a: force and torque
    pub(super) loads: Vec<[f64; 6]>,
    /// 1/(m(t)/m(0)) of every body that has joints
    pub(super) shares: Vec<f64>,
    accelerations: Vec<[f64; 12]>,
    residual: Vec<[f64; 12]>,
    step: Vec<[f64; 12]>,
    /// M̃ times it
    step_load: Vec<[f64; 12]>,
    /// M times it
    image: Vec<[f64; 12]>,
    /// the residual, preconditioned
    next: Vec<[f64; 12]>,
    /// μ
    multipliers: Vec<f64>,
}

impl Room {
    pub(super) fn new(l: &Linkage) -> Room {
        let bodies = if l.slender.is_empty() { 0 } else { l.bodies.len() };
        let zeros = || vec![[0.0; 12]; bodies];
        Room {
            loads: vec![[0.0; 6]; l.slender.len()],
            shares: vec![1.0; l.bodies.len()],
            accelerations: zeros(),
            residual: zeros(),
            step: zeros(),
            step_load: zeros(),
            image: zeros(),
            next: zeros(),
            multipliers: vec![0.0; if bodies > 0 { l.rows() } else { 0 }],
        }
    }
}

impl Multipliers {
    /// From λ for M̃ to λ for M, `free` being the accelerations that M̃ would have without joints.
    pub(super) fn settle(&mut self, m: &Model, free: impl Fn(usize) -> [f64; 12]) {
        let l = &m.linkage;
        if l.slender.is_empty() {
            return;
        }
        let mut room = std::mem::take(&mut self.slender);
        room.accelerations.iter_mut().enumerate().for_each(|(i, a)| *a = free(i));
        self.add_sums(m, &self.responses, &self.lambda, &mut room.accelerations);
        self.iterate(m, &mut room, free);
        for (load, s) in room.loads.iter_mut().zip(&l.slender) {
            [_, *load] = self.loads_of(s, room.shares[s.jointed], &room.accelerations[s.jointed]);
        }
        self.slender = room;
    }

    /// Conjugate gradients, from the accelerations for M̃, which the joints allow, to those for M.
    fn iterate(&mut self, m: &Model, room: &mut Room, free: impl Fn(usize) -> [f64; 12]) {
        self.start(m, room, free);
        // once more, so that what rounding leaves of Φᵀ μ is no part of a step
        self.precondition(m, room);
        self.precondition(m, room);
        room.step.copy_from_slice(&room.next);
        room.step_load.copy_from_slice(&room.residual);
        let mut size = dot(&room.residual, &room.next);
        let (mut least, mut worse) = (size, 0);
        for _ in 0..6 * m.linkage.bodies.len() + STEPS {
            // M p
            room.image.copy_from_slice(&room.step_load);
            for s in &m.linkage.slender {
                let [own, _] = self.loads_of(s, room.shares[s.jointed], &room.step[s.jointed]);
                let turns = if s.inertia.is_some() { 6 } else { 3 };
                room.image[s.jointed][..turns].copy_from_slice(&own[..turns]);
            }
            let resistance = dot(&room.image, &room.step);
            if !(size > 0.0 && resistance > 0.0) {
                break;
            }
            let length = size / resistance;
            add(&mut room.accelerations, length, &room.step);
            add(&mut room.residual, -length, &room.image);
            if is_rounding(length, &room.step, &room.accelerations, m.scale.length) {
                break;
            }
            self.precondition(m, room);
            let now = dot(&room.residual, &room.next);
            worse = if now < 0.5 * least { 0 } else { worse + 1 };
            least = least.min(now);
            if worse > WORSE {
                break;
            }
            let carry = now / size;
            size = now;
            for (p, z) in room.step.iter_mut().zip(&room.next) {
                (0..12).for_each(|i| p[i] = z[i] + carry * p[i]);
            }
            for (load, r) in room.step_load.iter_mut().zip(&room.residual) {
                (0..12).for_each(|i| load[i] = r[i] + carry * load[i]);
            }
        }
    }

    /// r = f − M a, with f = M̃ a₀: −Φᵀ λ of bodies that are not slender. λ is then counted from zero, so that no number is as large as M̃ a where M a is small.
    fn start(&mut self, m: &Model, room: &mut Room, free: impl Fn(usize) -> [f64; 12]) {
        room.residual.fill([0.0; 12]);
        self.lambda.iter_mut().for_each(|x| *x = -*x);
        self.add_sums(m, &self.loads, &self.lambda, &mut room.residual);
        self.lambda.fill(0.0);
        for s in &m.linkage.slender {
            let share = room.shares[s.jointed];
            let [f, more] = self.loads_of(s, share, &free(s.jointed));
            let [own, _] = self.loads_of(s, share, &room.accelerations[s.jointed]);
            let turns = if s.inertia.is_some() { 6 } else { 3 };
            (0..turns).for_each(|i| room.residual[s.jointed][i] = f[i] + more[i] - own[i]);
        }
    }

    /// M̃ z = r + Φᵀ μ, Φ z = 0: z into `next`; r and λ get their part of μ.
    fn precondition(&mut self, m: &Model, room: &mut Room) {
        let l = &m.linkage;
        for (i, jointed) in l.bodies.iter().enumerate() {
            let b = &m.bodies[jointed.body];
            let width = match b.kind {
                BodyKind::Dynamic(_) => 6,
                BodyKind::Affine(_) => 12,
                _ => continue,
            };
            let (r, z) = (&room.residual[i][..width], &mut room.next[i][..width]);
            respond(b, &self.inverses[i], room.shares[i], r, z);
        }
        room.multipliers.fill(0.0);
        let mut row = 0;
        for (hold, ends) in l.holds.iter().zip(&l.ends) {
            let mu = &mut room.multipliers[row..row + hold.rows];
            ends.iter()
                .filter(|e| e.width > 0)
                .for_each(|e| subtract(mu, &self.loads, e, &room.next[e.jointed]));
            row += hold.rows;
        }
        self.factors.solve(&l.pattern, &mut room.multipliers);
        self.add_sums(m, &self.responses, &room.multipliers, &mut room.next);
        self.add_sums(m, &self.loads, &room.multipliers, &mut room.residual);
        self.lambda.iter_mut().zip(&room.multipliers).for_each(|(x, mu)| *x += mu);
    }

    /// Adds Σ λ · gradient to every body.
    fn add_sums(&self, m: &Model, of: &[f64], lambda: &[f64], to: &mut [[f64; 12]]) {
        let (l, mut row) = (&m.linkage, 0);
        for (hold, ends) in l.holds.iter().zip(&l.ends) {
            for end in ends.iter().filter(|e| e.width > 0) {
                let sum = sum_of(&lambda[row..row + hold.rows], of, end);
                (0..12).for_each(|i| to[end.jointed][i] += sum[i]);
            }
            row += hold.rows;
        }
    }

    /// M a and E a of a slender body.
    fn loads_of(&self, s: &Slender, share: f64, a: &[f64; 12]) -> [[f64; 6]; 2] {
        let r = &self.moving[s.jointed].r;
        let (along, about) = (Vec3::new(a[0], a[1], a[2]), r.tr_mul(&Vec3::new(a[3], a[4], a[5])));
        [(&s.mass, s.inertia.unwrap_or_else(Mat3::zeros)), (&s.more_mass, s.more_inertia)].map(
            |(mass, inertia)| {
                let (f, torque) = (mass.component_mul(&along) / share, r * (inertia * about) / share);
                [f.x, f.y, f.z, torque.x, torque.y, torque.z]
            },
        )
    }

    /// M̃⁻¹ E a of every slender body.
    pub(super) fn slender_responses(&self, m: &Model, take: &mut impl FnMut(usize, &[f64])) {
        for (s, load) in m.linkage.slender.iter().zip(&self.slender.loads) {
            let (body, mut out) = (m.linkage.bodies[s.jointed].body, [0.0; 6]);
            let inverse = &self.inverses[s.jointed];
            respond(&m.bodies[body], inverse, self.slender.shares[s.jointed], load, &mut out);
            take(body, &out);
        }
    }

    /// How the torque of E a changes as a slender body turns, at m(0) for a mass.
    pub(crate) fn slender_by_turn(&self, m: &Model, mut take: impl FnMut(usize, Mat3)) {
        for (s, a) in m.linkage.slender.iter().map(|s| (s, &self.slender.accelerations[s.jointed])) {
            let (r, a) = (&self.moving[s.jointed].r, Vec3::new(a[3], a[4], a[5]));
            let excess = r * s.more_inertia * r.transpose();
            let by_turn = excess * a.cross_matrix() - (excess * a).cross_matrix();
            take(m.linkage.bodies[s.jointed].body, by_turn);
        }
    }

    /// E a of every slender body: force and torque.
    pub(crate) fn slender_loads(&self, m: &Model, mut take: impl FnMut(usize, Vec3, Vec3)) {
        for (s, load) in m.linkage.slender.iter().zip(&self.slender.loads) {
            let body = m.linkage.bodies[s.jointed].body;
            take(body, Vec3::new(load[0], load[1], load[2]), Vec3::new(load[3], load[4], load[5]));
        }
    }
}

fn dot(a: &[[f64; 12]], b: &[[f64; 12]]) -> f64 {
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a * b).sum()
}

/// a += factor · b.
fn add(a: &mut [[f64; 12]], factor: f64, b: &[[f64; 12]]) {
    a.as_flattened_mut().iter_mut().zip(b.as_flattened()).for_each(|(a, b)| *a += factor * b);
}

/// Whether a step of that length changes accelerations by no more than their rounding; l: what compares those of points and of turning [m].
fn is_rounding(length: f64, step: &[[f64; 12]], a: &[[f64; 12]], l: f64) -> bool {
    let largest = |of: &[[f64; 12]]| {
        of.iter().fold(0.0_f64, |most, x| {
            let [along, about] = [&x[..3], &x[3..]].map(|x| x.iter().fold(0.0_f64, |m, x| m.max(x.abs())));
            most.max(along).max(l * about)
        })
    };
    length * largest(step) <= f64::EPSILON * largest(a)
}

/// Whether a body can move in all directions, so that a joint alone leaves none of its equations without effect.
pub(super) fn moves_in_all(m: &Model, body: usize) -> bool {
    m.bodies[body].dofs == Dofs::FREE
}
