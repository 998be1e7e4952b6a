//! Mechanisms with one degree of freedom. Where their bodies are is a closed form in a parameter ψ; with T = J(ψ) ψ̇²/2 a mechanism released from rest takes t(ψ) = ∫ √(J / 2(V(0) − V)) dψ, a quadrature
//! that knows nothing of joints, multipliers or integrators.

use carom::prelude::*;

pub(crate) const G: f64 = 9.81;

/// A body of a mechanism: centre, and axes as columns.
pub(crate) type Placed = (Vec3, Mat3);

/// A mechanism with one degree of freedom.
pub(crate) struct Mechanism<'p> {
    /// where the bodies are
    pub(crate) places: &'p dyn Fn(f64) -> Vec<Placed>,
    /// mass and principal moments of each
    pub(crate) bodies: Vec<(f64, [f64; 3])>,
    /// against gravity
    pub(crate) up: Vec3,
}

impl Mechanism<'_> {
    pub(crate) fn potential(&self, psi: f64) -> f64 {
        (self.places)(psi).iter().zip(&self.bodies).map(|((c, _), (m, _))| m * G * c.dot(&self.up)).sum()
    }

    /// J, by differences of sixth order.
    fn inertia(&self, psi: f64) -> f64 {
        const H: f64 = 2e-3;
        let weights = [45.0, -9.0, 1.0].map(|w| w / (60.0 * H));
        let at: Vec<_> = (1..=3)
            .map(|k| [psi + f64::from(k) * H, psi - f64::from(k) * H].map(|x| (self.places)(x)))
            .collect();
        let here = (self.places)(psi);
        let body = |(i, (m, moments)): (usize, &(f64, [f64; 3]))| {
            let (mut v, mut r) = (Vec3::zeros(), Mat3::zeros());
            for (w, [ahead, behind]) in weights.iter().zip(&at) {
                v += (ahead[i].0 - behind[i].0) * *w;
                r += (ahead[i].1 - behind[i].1) * *w;
            }
            // [ω] in the axes of the body
            let w = here[i].1.transpose() * r;
            let w = [w[(2, 1)] - w[(1, 2)], w[(0, 2)] - w[(2, 0)], w[(1, 0)] - w[(0, 1)]].map(|x| 0.5 * x);
            m * v.norm_squared() + w.iter().zip(moments).map(|(w, i)| i * w * w).sum::<f64>()
        };
        self.bodies.iter().enumerate().map(body).sum()
    }

    /// t(ψ): from rest at 0, ψ = x² takes the singularity out of the integrand.
    fn time(&self, psi: f64) -> f64 {
        // Gauss and Legendre, five points a panel
        const NODES: [(f64, f64); 5] = [
            (0.0, 0.568_888_888_888_888_9),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (0.906_179_845_938_664, 0.236_926_885_056_189_1),
            (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
        ];
        const PANELS: usize = 24;
        let (sign, end, start) = (psi.signum(), psi.abs().sqrt(), self.potential(0.0));
        let h = end / PANELS as f64;
        let rate = |x: f64| {
            let psi = sign * x * x;
            2.0 * x * (self.inertia(psi) / (2.0 * (start - self.potential(psi)))).sqrt()
        };
        let panel = |k: usize| {
            NODES.iter().map(|(x, w)| w * rate((k as f64 + 0.5 + 0.5 * x) * h)).sum::<f64>() * 0.5 * h
        };
        (0..PANELS).map(panel).sum()
    }

    /// ψ(t), between 0 and `most`.
    fn at(&self, t: f64, most: f64) -> f64 {
        let (mut low, mut high) = (0.0, most);
        let (mut f_low, mut f_high) = (-t, self.time(most) - t);
        assert!(f_high > 0.0, "only {} s are known", f_high + t);
        // false position, as of Illinois
        for _ in 0..60 {
            let psi = high - f_high * (high - low) / (f_high - f_low);
            let f = self.time(psi) - t;
            if f.abs() < 1e-13 {
                return psi;
            }
            if f * f_high < 0.0 {
                (low, f_low) = (high, f_high);
            } else {
                f_low *= 0.5;
            }
            (high, f_high) = (psi, f);
        }
        high
    }

    /// The model, its bodies called 0, 1, … and as they are at ψ = 0.
    pub(crate) fn builder(&self) -> ModelBuilder {
        let mut b = ModelBuilder::new();
        b.gravity((-G * self.up).into()).body(Body::fixed("ground"));
        for (i, ((c, r), (m, moments))) in (self.places)(0.0).iter().zip(&self.bodies).enumerate() {
            let q = Quat::from_matrix(r);
            let body = Body::new(&i.to_string()).mass(*m).inertia(*moments);
            b.body(body.position((*c).into()).orientation(q));
        }
        b
    }

    /// The largest distance of a body from where it should be, at these times; and the run.
    pub(crate) fn off(
        &self,
        model: &Model,
        method: &str,
        rtol: f64,
        times: &[f64],
        most: f64,
    ) -> (f64, carom::Run) {
        let (frames, run) = crate::common::frames(model, method, rtol, times);
        let mut worst = 0.0_f64;
        for (frame, &t) in frames.iter().zip(times) {
            let exact = (self.places)(self.at(t, most));
            for (i, (c, _)) in exact.iter().enumerate() {
                worst = worst.max((frame.bodies[i].position - c).norm());
            }
        }
        (worst, run)
    }
}

/// A bar of 1 kg from a to b, x along it, z along `axis`.
pub(crate) fn bar(a: &Vec3, b: &Vec3, axis: &Vec3) -> Placed {
    let (x, z) = ((b - a).normalize(), axis.normalize());
    ((a + b) / 2.0, Mat3::from_columns(&[x, z.cross(&x), z]))
}
