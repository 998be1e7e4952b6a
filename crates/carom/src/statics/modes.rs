//! Small motions about an equilibrium: M q̈ + C q̇ + K q = 0.
//!
//! Without damping, K φ = ω² M φ: real modes, from the symmetric part of K. With it, the roots s of the state matrix in (Ω u, u̇, z'), u along the undamped modes,
//!
//!   d/dt (Ω u, u̇, z') = ((0, Ω, 0), (−K Ω⁻¹, −C, −S), (…, 0, E)) (Ω u, u̇, z'),
//!
//! which is skew without damping, so that no root is less exact than rounding of the largest. K need not be symmetric here.

use carom_base::elementary::hypot;
use nalgebra::{Complex, DMatrix, DVector};

use super::equilibrium::Equilibrium;
use super::jacobi;
use super::linear::Linear;
use super::roots;
use super::shape::Shape;
use crate::error::StaticsError;
use crate::model::Model;
use crate::system::System;

/// ω² below this part of the largest, and of gravity over the size of a body, is zero.
const NEUTRAL: f64 = 1e-13;
/// Roots are real, imaginary or zero to this part of the largest.
const ROUNDING: f64 = 1e-12;
/// A stiffness that is unsymmetric by less than this part is symmetric: what is left of the forces shows there too.
const SYMMETRIC: f64 = 1e-9;

/// What a motion does that is left to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// goes to and fro
    Oscillates,
    /// comes back without swinging
    Decays,
    /// stays where it is, or goes on as it goes
    Neutral,
    /// leaves, swinging or not
    Grows,
}

impl Kind {
    /// A word for it.
    ///
    /// ```
    /// assert_eq!(carom::ModeKind::Grows.word(), "grows");
    /// ```
    pub fn word(self) -> &'static str {
        match self {
            Kind::Oscillates => "oscillates",
            Kind::Decays => "decays",
            Kind::Neutral => "neutral",
            Kind::Grows => "grows",
        }
    }
}

/// A mode without damping: q(t) = φ sin ωt, or φ e^(±|ω| t) where ω² < 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// oscillates, neutral, or grows
    pub kind: Kind,
    /// ω² [1/s²]: stiffness over mass; 0 if neutral
    pub omega_squared: f64,
    /// φ
    pub shape: Shape,
}

impl Mode {
    /// |ω| [rad/s]: angular frequency, or rate of growth where it grows.
    pub fn omega(&self) -> f64 {
        self.omega_squared.abs().sqrt()
    }

    /// [Hz]; 0 where nothing oscillates.
    pub fn frequency(&self) -> f64 {
        if self.kind == Kind::Oscillates { self.omega() / std::f64::consts::TAU } else { 0.0 }
    }
}

/// A root s of the motion with damping: q(t) = Re φ e^(st). Of a pair of conjugate roots the one above the real axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    /// oscillates, decays, or grows
    pub kind: Kind,
    /// Re s [1/s]: negative where it decays
    pub growth: f64,
    /// Im s [rad/s]: damped angular frequency
    pub omega: f64,
    /// the undamped mode it is most like, counted from 0
    pub mode: usize,
    /// how much of its energy that mode has
    pub share: f64,
    /// φ, in velocities
    pub shape: Shape,
}

impl Root {
    /// ζ = −Re s/|s|: 1 comes back without swinging, below 0 grows.
    pub fn damping_ratio(&self) -> f64 {
        -self.growth / hypot(self.growth, self.omega)
    }

    /// [Hz], with damping.
    pub fn frequency(&self) -> f64 {
        self.omega / std::f64::consts::TAU
    }
}

/// The modes of a model about an equilibrium.
///
/// Contacts that carry load are springs by their laws' slopes there, those that do not are open. Friction is what it is for small slip: a dashpot under
/// regularised laws, a spring under those with bristles, nothing under `coulomb`.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.5]).surface(Sphere::new(0.02)?));
/// builder.body(Body::fixed("floor").surface(Plane));
/// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
/// let modes = Modes::new(&builder.build()?)?;
/// let bounce = modes.modes.last().unwrap();
/// // ω² = 3/2 K δ0^(1/2)/m at the indentation under the weight
/// let depth = (0.1 * 9.81 / 1e8_f64).powf(2.0 / 3.0);
/// assert!((bounce.omega_squared / (1.5e8 * depth.sqrt() / 0.1) - 1.0).abs() < 1e-11);
/// assert_eq!(bounce.shape.to_string(), "ball z 1.00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Modes {
    /// where
    pub at: Equilibrium,
    /// without damping, ω² increasing
    pub modes: Vec<Mode>,
    /// with damping, |s| increasing; without those that are zero, of motions that need no force or go on as they go
    pub roots: Vec<Root>,
    /// whether anything dissipates
    pub damped: bool,
    /// whether stiffness and damping are exact; else they are differences, of some nine digits, as a pair of surfaces has no derivatives
    pub exact: bool,
    /// how far the stiffness is from symmetric, as a part of itself: more than rounding where forces have no potential. Undamped modes are those of its
    /// symmetric part, roots those of all
    pub asymmetry: f64,
}

impl Modes {
    /// About the equilibrium nearest to the configuration the model gives.
    pub fn new(model: &Model) -> Result<Modes, StaticsError> {
        Modes::about(model, Equilibrium::find(model)?)
    }

    /// About a configuration: an equilibrium, or what [`Equilibrium::given`] says.
    pub fn about(model: &Model, at: Equilibrium) -> Result<Modes, StaticsError> {
        let mut system = System::new(model, true, 0.0).map_err(|e| StaticsError::Model(Box::new(e)))?;
        let mut y = model.world.state_at_rest();
        y[..model.world.layout.bodies()].copy_from_slice(&at.y[..model.world.layout.bodies()]);
        let y = system.start(0.0, y);
        let linear = Linear::new(&mut system, &y)?;
        let (modes, phi) = undamped(model, &linear);
        let asymmetry = match linear.stiffness.norm() {
            0.0 => 0.0,
            k => linear.follower.norm() / k,
        };
        let roots = damped(model, &linear, &modes, &phi, asymmetry > SYMMETRIC)?;
        let damped = linear.damping.amax() > 0.0;
        Ok(Modes { at, modes, roots, damped, exact: linear.exact, asymmetry })
    }
}

/// The modes without damping, and their shapes along ũ as columns.
pub(super) fn undamped(m: &Model, linear: &Linear) -> (Vec<Mode>, DMatrix<f64>) {
    // gravity over a body's size: what is slow beside that is no motion
    let slow = m.world.free().map(|b| m.world.gravity.norm() / m.world.bodies[b].reach()).fold(0.0, f64::max);
    let mut k = linear.stiffness.clone();
    for i in 0..k.nrows() {
        for j in 0..i {
            // rounding that would mix directions that have nothing to do with each other
            let large = k[(i, i)].abs().max(k[(j, j)].abs()).max(slow);
            if k[(i, j)].abs() <= NEUTRAL * large {
                (k[(i, j)], k[(j, i)]) = (0.0, 0.0);
            }
        }
    }
    let (values, phi) = jacobi::symmetric(k);
    let zero = NEUTRAL * values.amax().max(slow);
    let mode = |(&value, column): (&f64, nalgebra::DVectorView<'_, f64>)| {
        let kind = match value {
            x if x.abs() <= zero => Kind::Neutral,
            x if x < 0.0 => Kind::Grows,
            _ => Kind::Oscillates,
        };
        let u = linear.at.unscaled(&column.clone_owned());
        let u: Vec<Complex<f64>> = u.iter().map(|x| Complex::new(*x, 0.0)).collect();
        let omega_squared = if kind == Kind::Neutral { 0.0 } else { value };
        Mode { kind, omega_squared, shape: Shape::new(m, &linear.at, &u) }
    };
    (values.iter().zip(phi.column_iter()).map(mode).collect(), phi)
}

/// The roots with damping.
fn damped(
    m: &Model,
    linear: &Linear,
    modes: &[Mode],
    phi: &DMatrix<f64>,
    follows: bool,
) -> Result<Vec<Root>, StaticsError> {
    let (n, z) = (modes.len(), linear.bristles.by_z.nrows());
    let a = state_matrix(linear, modes, phi, follows);
    let (pairs, _) = roots::eigen(&a).ok_or(StaticsError::NoRoots)?;
    let zero = ROUNDING * pairs.iter().map(|(s, _)| s.norm()).fold(0.0, f64::max);
    let mut all = Vec::new();
    for (s, x) in pairs {
        let clean = |x: f64| if x.abs() <= zero { 0.0 } else { x };
        let (growth, omega) = (clean(s.re), clean(s.im));
        // of a conjugate pair one is enough; zero is neutral
        if omega < 0.0 || (growth, omega) == (0.0, 0.0) {
            continue;
        }
        let kind = match (growth, omega) {
            (g, _) if g > 0.0 => Kind::Grows,
            (_, 0.0) => Kind::Decays,
            _ => Kind::Oscillates,
        };
        let share = |i: usize| x[i].norm_sqr() + x[n + i].norm_sqr();
        let mode = (0..n).fold(0, |best, i| if share(i) > share(best) { i } else { best });
        let whole: f64 = (0..n).map(share).sum();
        let moving = DVector::from_fn(n, |i, _| x[n + i]);
        let (re, im) = (phi * moving.map(|x| x.re), phi * moving.map(|x| x.im));
        let (re, im) = (linear.at.unscaled(&re), linear.at.unscaled(&im));
        let u: Vec<Complex<f64>> = re.iter().zip(&im).map(|(re, im)| Complex::new(*re, *im)).collect();
        let shape = Shape::new(m, &linear.at, &u);
        all.push(Root { kind, growth, omega, mode, share: share(mode) / whole, shape });
    }
    debug_assert!(a.nrows() == 2 * n + z);
    all.sort_by(|a, b| hypot(a.growth, a.omega).total_cmp(&hypot(b.growth, b.omega)));
    Ok(all)
}

/// The state matrix in (Ω u, u̇, z'), u along the undamped modes.
fn state_matrix(linear: &Linear, modes: &[Mode], phi: &DMatrix<f64>, follows: bool) -> DMatrix<f64> {
    let (n, z) = (modes.len(), linear.bristles.by_z.nrows());
    let along = |a: &DMatrix<f64>| phi.tr_mul(a) * phi;
    let mut a = DMatrix::zeros(2 * n + z, 2 * n + z);
    let follower = if follows { along(&linear.follower) } else { DMatrix::zeros(n, n) };
    a.view_mut((n, n), (n, n)).copy_from(&-along(&linear.damping));
    a.view_mut((n, 2 * n), (n, z)).copy_from(&phi.tr_mul(&linear.bristles.force));
    a.view_mut((2 * n, 2 * n), (z, z)).copy_from(&linear.bristles.by_z);
    let by_u = &linear.bristles.by_u * phi;
    for (j, mode) in modes.iter().enumerate() {
        // a neutral mode that others push has no scale of its own
        let scale = if mode.omega() > 0.0 { mode.omega() } else { 1.0 };
        a[(j, n + j)] = scale;
        a[(n + j, j)] = -mode.omega_squared / scale;
        for i in 0..n {
            a[(n + i, j)] -= follower[(i, j)] / scale;
        }
        for i in 0..z {
            a[(2 * n + i, j)] = by_u[(i, j)] / scale;
        }
    }
    a
}
