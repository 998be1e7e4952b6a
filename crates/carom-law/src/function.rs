//! Laws that are given by functions of numbers, as programs have them.
//!
//! A law of the registries is a formula over [`Scalar`](carom_base::Scalar) and has exact derivatives. A function of floating-point numbers has
//! none: they come from central differences, which implicit methods do with. What such a law stores is ∫ F(δ, 0) dδ unless it is given: what
//! is there without any rate counts as elastic, the rest as dissipated.

use std::fmt;

use carom_base::{Dual, Jet, Vec3, integral};

use crate::grip::{Grip, Slip};
use crate::law::{Friction, FrictionLaw, Normal, NormalForce, NormalLaw, Still};
use crate::memory::{Evolution, Memory};
use crate::power;
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// The step of a central difference, relative: the cube root of the rounding.
const STEP: f64 = 6.055e-6;

type NormalFn = Box<dyn Fn(f64, f64, f64) -> f64 + Send + Sync>;
type FrictionFn = Box<dyn Fn(f64, &Vec3) -> Vec3 + Send + Sync>;

/// A normal law F(δ, δ̇, v₀) by a function.
///
/// ```
/// use carom_law::{Indentation, Normal, NormalFunction, NormalLaw, Touch};
/// let law = NormalFunction::new(1e8, 1.5, |delta, rate, _v0| 1e8 * delta.powf(1.5) * (1.0 + 0.2 * rate));
/// let touch = Touch::point(1e8, 0.5, 0.1);
/// let force = law.force(Indentation { delta: 1e-4, delta_dot: -0.5 }, &touch);
/// assert!((force.f_n - 0.9 * 100.0).abs() < 1e-10 && (force.f_elastic - 100.0).abs() < 1e-10); // [N]
/// assert!((law.energy(1e-4, &touch) / (0.4 * 100.0 * 1e-4) - 1.0).abs() < 1e-13); // 2/5 K δ^(5/2)
/// ```
pub struct NormalFunction {
    force: NormalFn,
    energy: Option<Box<dyn Fn(f64) -> f64 + Send + Sync>>,
    stiffness: f64,
    exponent: f64,
    elastic: bool,
    lets_go_early: bool,
}

impl NormalFunction {
    /// `force(δ, δ̇, v₀)` \[N\] for δ \[m\] > 0 and δ̇ [m/s], positive while approaching; v₀ [m/s] is the speed of the impact. About K δⁿ, with K
    /// [N/mⁿ] and n: they set the scales of the contact, not its force.
    pub fn new(
        stiffness: f64,
        exponent: f64,
        force: impl Fn(f64, f64, f64) -> f64 + Send + Sync + 'static,
    ) -> NormalFunction {
        let force = Box::new(force);
        NormalFunction { force, energy: None, stiffness, exponent, elastic: false, lets_go_early: false }
    }

    /// The energy it stores \[J\], by δ \[m\]: ∫ F(δ, 0) dδ, which then need not be computed.
    pub fn energy_by(mut self, energy: impl Fn(f64) -> f64 + Send + Sync + 'static) -> NormalFunction {
        self.energy = Some(Box::new(energy));
        self
    }

    /// It does not depend on δ̇: nothing is dissipated, and the function is called half as often.
    pub fn elastic(mut self) -> NormalFunction {
        self.elastic = true;
        self
    }

    /// See [`NormalLaw::lets_go_early`].
    pub fn lets_go_early(mut self) -> NormalFunction {
        self.lets_go_early = true;
        self
    }

    fn at(&self, delta: f64, delta_dot: f64, v0: f64) -> f64 {
        if delta > 0.0 { (self.force)(delta, delta_dot, v0) } else { 0.0 }
    }
}

impl fmt::Debug for NormalFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NormalFunction")
            .field("stiffness", &self.stiffness)
            .field("exponent", &self.exponent)
            .field("elastic", &self.elastic)
            .finish_non_exhaustive()
    }
}

impl NormalLaw for NormalFunction {
    fn name(&self) -> &'static str {
        "own"
    }
    fn exponent(&self) -> f64 {
        self.exponent
    }
    // what a function adds to its elastic force need not vanish at δ = 0
    fn powers(&self, _touch: &Touch) -> [f64; 2] {
        [self.exponent, if self.elastic { self.exponent } else { 0.0 }]
    }
    fn stiffness(&self) -> Stiffness {
        Stiffness::Given(self.stiffness)
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        if !(delta > 0.0) {
            return 0.0;
        }
        match &self.energy {
            Some(energy) => energy(delta),
            // by u = √(s/δ): powers of δ with halves in them are smooth there
            None => integral(&|u| 2.0 * u * delta * self.at(delta * u * u, 0.0, touch.v0), 0.0, 1.0),
        }
    }
    fn needs_impact_speed(&self) -> bool {
        true
    }
    fn is_elastic(&self) -> bool {
        self.elastic
    }
    fn lets_go_early(&self) -> bool {
        self.lets_go_early
    }
    fn is_formula(&self) -> bool {
        false
    }
}

impl Normal for NormalFunction {
    fn force(&self, c: Indentation, touch: &Touch) -> NormalForce {
        let f_n = self.at(c.delta, c.delta_dot, touch.v0);
        let f_elastic = if self.elastic { f_n } else { self.at(c.delta, 0.0, touch.v0) };
        NormalForce { f_n, f_elastic }
    }
    fn force_dual(&self, c: Indentation<Dual<2>>, touch: &Touch) -> NormalForce<Dual<2>> {
        let (delta, rate) = (c.delta.re, c.delta_dot.re);
        let here = self.force(Indentation { delta, delta_dot: rate }, touch);
        let (dx, dv) = (STEP * delta, STEP * rate.abs().max(touch.v0));
        let slope = |h: f64, v: f64| {
            let at =
                |s: f64| self.force(Indentation { delta: delta + s * h, delta_dot: rate + s * v }, touch);
            let (up, down, width) = (at(1.0), at(-1.0), 2.0 * (h + v));
            [(up.f_n - down.f_n) / width, (up.f_elastic - down.f_elastic) / width]
        };
        let (by_delta, by_rate) =
            if delta > 0.0 { (slope(dx, 0.0), slope(0.0, dv)) } else { Default::default() };
        let chain =
            |re: f64, i: usize| Dual { re, eps: [by_delta[i], by_rate[i]] }.compose(&[c.delta, c.delta_dot]);
        NormalForce { f_n: chain(here.f_n, 0), f_elastic: chain(here.f_elastic, 1) }
    }
    // (the fourth root of the rounding, for a second difference)
    fn still(&self, delta: f64, touch: &Touch) -> Still {
        let h = 1e-4 * delta;
        let [below, value, above] = [-h, 0.0, h].map(|dx| self.at(delta + dx, 0.0, touch.v0));
        let (rate, second) = match h > 0.0 {
            true => ((above - below) / (2.0 * h), (above - 2.0 * value + below) / (h * h)),
            false => (0.0, 0.0),
        };
        let rigidity = power::slope(Jet::time(delta), self.exponent, self.stiffness);
        Still { force: Jet { value, rate, second }, rigidity }
    }
}

/// A friction law by a function of normal force and slip.
///
/// ```
/// use carom_law::{Friction, FrictionFunction};
/// use carom_base::Vec3;
/// let law = FrictionFunction::isotropic(|f_n, speed| 0.3 * f_n * (speed / 0.01).tanh()).width(0.01);
/// let force = law.force(10.0, &Vec3::new(0.0, -2.0, 0.0));
/// assert!((force - Vec3::new(0.0, 3.0, 0.0)).norm() < 1e-14); // [N], against the slip
/// ```
pub struct FrictionFunction {
    force: FrictionFn,
    width: f64,
}

impl FrictionFunction {
    /// `force(f_n, v_t)`: the force on A \[N\], which opposes the slip v_t [m/s].
    pub fn new(force: impl Fn(f64, &Vec3) -> Vec3 + Send + Sync + 'static) -> FrictionFunction {
        FrictionFunction { force: Box::new(force), width: 0.0 }
    }

    /// `size(f_n, |v_t|)` \[N\], against the slip; 0 without slip, or it would jump there.
    pub fn isotropic(size: impl Fn(f64, f64) -> f64 + Send + Sync + 'static) -> FrictionFunction {
        FrictionFunction::new(move |f_n, v_t| {
            let speed = v_t.norm();
            if speed == 0.0 { Vec3::zeros() } else { v_t * (-size(f_n, speed) / speed) }
        })
    }

    /// See [`FrictionLaw::width`] [m/s].
    pub fn width(mut self, width: f64) -> FrictionFunction {
        self.width = width;
        self
    }
}

impl fmt::Debug for FrictionFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrictionFunction").field("width", &self.width).finish_non_exhaustive()
    }
}

impl FrictionLaw for FrictionFunction {
    fn name(&self) -> &'static str {
        "own"
    }
    fn width(&self) -> f64 {
        self.width
    }
}

impl Friction for FrictionFunction {
    fn force(&self, f_n: f64, v_t: &Vec3) -> Vec3 {
        (self.force)(f_n, v_t)
    }
    fn force_dual(&self, f_n: Dual<4>, v_t: &Vec3<Dual<4>>) -> Vec3<Dual<4>> {
        let (load, slip) = (f_n.re, v_t.map(|v| v.re));
        let here = self.force(load, &slip);
        let (dl, dv) =
            (STEP * load.abs().max(f64::MIN_POSITIVE), STEP * slip.norm().max(self.width).max(1e-9));
        // by f_n, then by the three components of the slip
        let by: [Vec3; 4] = std::array::from_fn(|i| match i.checked_sub(1) {
            None => (self.force(load + dl, &slip) - self.force(load - dl, &slip)) / (2.0 * dl),
            Some(k) => {
                let mut way = Vec3::zeros();
                way[k] = dv;
                (self.force(load, &(slip + way)) - self.force(load, &(slip - way))) / (2.0 * dv)
            }
        });
        let arguments = [f_n, v_t.x, v_t.y, v_t.z];
        let component = |k: usize| Dual { re: here[k], eps: by.map(|d| d[k]) }.compose(&arguments);
        Vec3::new(component(0), component(1), component(2))
    }
    fn evolve(&self, f_n: f64, v_t: &Vec3, _memory: &Memory, _load: f64) -> Evolution {
        Evolution { f_t: self.force(f_n, v_t), rate: Memory::unbent(), stored: 0.0 }
    }
    fn evolve_dual(
        &self,
        f_n: Dual<8>,
        v_t: &Vec3<Dual<8>>,
        _memory: &Memory<Dual<8>>,
        _load: f64,
    ) -> Evolution<Dual<8>> {
        self.without_memory(f_n, v_t)
    }
    fn evolve_at(&self, _: usize, at: &Slip, _: &Grip, memory: &Memory) -> Evolution {
        self.evolve(at.f_n, &at.v_t, memory, 0.0)
    }
    fn evolve_at_dual(
        &self,
        _: usize,
        at: &Slip<Dual<10>>,
        _: &Grip,
        _: &Memory<Dual<10>>,
    ) -> Evolution<Dual<10>> {
        self.without_memory(at.f_n, &at.v_t)
    }
}

impl FrictionFunction {
    fn without_memory<const N: usize>(&self, f_n: Dual<N>, v_t: &Vec3<Dual<N>>) -> Evolution<Dual<N>> {
        let variable = |x: f64, i: usize| Dual::<4>::variable(x, i);
        let slip = Vec3::new(variable(v_t.x.re, 1), variable(v_t.y.re, 2), variable(v_t.z.re, 3));
        let f_t = self.force_dual(variable(f_n.re, 0), &slip);
        let arguments = [f_n, v_t.x, v_t.y, v_t.z];
        let zero = Dual { re: 0.0, eps: [0.0; N] };
        Evolution { f_t: f_t.map(|f| f.compose(&arguments)), rate: Memory::unbent(), stored: zero }
    }
}
