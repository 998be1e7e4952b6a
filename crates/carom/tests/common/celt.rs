//! A celt (rattleback) by the theory of rigid bodies, without the engine: rolling without slip, what compliance and creep change of it to
//! first order, and small oscillations (the book's page on toys that spin).

use carom::base::{Mat3, Vec3};
use carom::law::hertz::PointContact;
use carom::ode::{Event, Ivp};
use nalgebra::SMatrix;

use crate::common::rk4;

pub(crate) const G: f64 = 9.81;

/// A solid half-ellipsoid whose principal axes of inertia are turned about the vertical: ω and γ, the upward vertical, in the axes of the
/// ellipsoid, whose centre is above the centre of mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Celt {
    pub(crate) m: f64,
    /// semi axes [m]
    pub(crate) axes: [f64; 3],
    /// from the centre of mass up to the centre of the ellipsoid [m]
    pub(crate) above: f64,
    /// about the centre of mass [kg m²]
    pub(crate) inertia: Mat3,
}

/// How the table holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    /// K of N = K δ^1.5 [N/m^1.5]
    pub(crate) stiffness: f64,
    /// k_t of F = μ N tanh(k_t u) [s/m]
    pub(crate) k_t: f64,
    pub(crate) mu: f64,
    /// whether K follows the curvature as the celt pitches; else it is latched, K all the time
    pub(crate) follows: bool,
}

impl Celt {
    /// That of the example: 80, 20, 20 mm, 100 g, turned by 5 degrees.
    pub(crate) fn example() -> Celt {
        Celt::half_ellipsoid(0.1, [0.08, 0.02, 0.02], 5f64.to_radians())
    }

    /// I = m (b² + c²)/5 and so on about the centre of the ellipsoid, 3c/8 above that of mass.
    fn half_ellipsoid(m: f64, axes: [f64; 3], skew: f64) -> Celt {
        let ([a, b, c], above) = (axes, 0.375 * axes[2]);
        let s2 = above * above;
        let moments = Vec3::new(
            m * ((b * b + c * c) / 5.0 - s2),
            m * ((a * a + c * c) / 5.0 - s2),
            m * (a * a + b * b) / 5.0,
        );
        // the axes of inertia turned by the skew as seen from those of the ellipsoid
        let (sin, cos) = skew.sin_cos();
        let r = Mat3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0);
        Celt { m, axes, above, inertia: r * Mat3::from_diagonal(&moments) * r.transpose() }
    }

    /// Q = diag(a², b², c²) [m²].
    fn squares(&self) -> Vec3 {
        Vec3::from(self.axes.map(|x| x * x))
    }

    /// From the centre of mass to the contact point, where the normal is −γ: r = s − Qγ/√(γ·Qγ).
    pub(crate) fn arm(&self, gamma: &Vec3) -> Vec3 {
        let q_gamma = self.squares().component_mul(gamma);
        Vec3::z() * self.above - q_gamma / gamma.dot(&q_gamma).sqrt()
    }

    /// ṙ, as γ changes at γ̇.
    fn arm_rate(&self, gamma: &Vec3, gamma_dot: &Vec3) -> Vec3 {
        let (q_gamma, q_gamma_dot) =
            (self.squares().component_mul(gamma), self.squares().component_mul(gamma_dot));
        let h = gamma.dot(&q_gamma).sqrt();
        q_gamma * (gamma.dot(&q_gamma_dot) / h.powi(3)) - q_gamma_dot / h
    }

    /// I − m r×(r×·): about the contact point.
    fn about_contact(&self, r: &Vec3) -> Mat3 {
        self.inertia + (Mat3::identity() * r.norm_squared() - r * r.transpose()) * self.m
    }

    /// ω̇, γ̇ and the force at the contact [N]: v = r×ω, F = m (v̇ + ω×v + gγ), I ω̇ + ω×Iω = r×F.
    fn rolling(&self, y: &[f64]) -> ([f64; 6], Vec3) {
        let (w, gamma) = halves(y);
        let gamma_dot = gamma.cross(&w);
        let (r, r_dot) = (self.arm(&gamma), self.arm_rate(&gamma, &gamma_dot));
        // all of F/m but r×ω̇
        let rest = r_dot.cross(&w) + w.cross(&r.cross(&w)) + gamma * G;
        let moment = r.cross(&rest) * self.m - w.cross(&(self.inertia * w));
        let w_dot = self.about_contact(&r).try_inverse().unwrap() * moment;
        (joined(&w_dot, &gamma_dot), (r.cross(&w_dot) + rest) * self.m)
    }

    pub(crate) fn energy(&self, y: &[f64]) -> f64 {
        let (w, gamma) = halves(y);
        let r = self.arm(&gamma);
        0.5 * (w.dot(&(self.inertia * w)) + self.m * r.cross(&w).norm_squared()) - self.m * G * r.dot(&gamma)
    }

    /// The slip at which friction is what rolling needs, against it, artanh(F/μN)/k_t [m/s], and the depth (N/K)^⅔ [m].
    pub(crate) fn slip_and_depth(&self, y: &[f64], hold: &Hold) -> (Vec3, f64) {
        let ((_, gamma), (_, force)) = (halves(y), self.rolling(y));
        let n = force.dot(&gamma);
        let friction = force - gamma * n;
        let f = friction.norm();
        let creep = (f / (hold.mu * n)).atanh() / hold.k_t;
        let softer =
            if hold.follows { self.stiffness(&gamma, 1.0) / self.stiffness(&Vec3::z(), 1.0) } else { 1.0 };
        (friction * (-creep / f), (n / (hold.stiffness * softer)).powf(2.0 / 3.0))
    }

    /// Hertz's K where the vertical is γ, for the contact modulus E* [Pa]: the radii of curvature are the eigenvalues across γ of
    /// ∂²/∂γ² of the support function √(γ·Qγ).
    pub(crate) fn stiffness(&self, gamma: &Vec3, e_star: f64) -> f64 {
        let q_gamma = self.squares().component_mul(gamma);
        let h = gamma.dot(&q_gamma).sqrt();
        let radii = Mat3::from_diagonal(&self.squares()) / h - q_gamma * q_gamma.transpose() / h.powi(3);
        let (sum, product) = (radii.trace(), 0.5 * (radii.trace().powi(2) - (radii * radii).trace()));
        let root = (0.25 * sum * sum - product).max(0.0).sqrt();
        let [k_1, k_2] = [root, -root].map(|x| 1.0 / (0.5 * sum + x));
        PointContact::new(e_star, k_1, k_2).unwrap().stiffness()
    }

    /// What a K that follows the curvature adds, lest energy be lost or gained: E = 2/5 K δ^5/2 has the moment γ×∂E/∂γ, which is
    /// 2/5 N δ γ×∂(ln K)/∂γ.
    fn moment_of_softening(&self, y: &[f64], hold: &Hold) -> Vec3 {
        let ((_, gamma), (_, force), (_, delta)) = (halves(y), self.rolling(y), self.slip_and_depth(y, hold));
        let d = 1e-5;
        let log = |i: usize, d: f64| {
            let mut g = gamma;
            g[i] += d;
            self.stiffness(&g.normalize(), 1.0).ln()
        };
        let slope = Vec3::from_fn(|i, _| (log(i, d) - log(i, -d)) / (2.0 * d));
        gamma.cross(&slope) * (0.4 * force.dot(&gamma) * delta)
    }

    /// The velocity of the contact point u = slip − δ̇γ and its rate in the axes of the body, along rolling without slip: by differences of
    /// the fourth order.
    pub(crate) fn yielding(&self, y: &[f64], hold: &Hold) -> (Vec3, Vec3) {
        let h = 5e-4;
        let step = |y: &[f64; 6], h: f64| rk4(*y, h, |y| self.rolling(y).0);
        let now: [f64; 6] = y.try_into().unwrap();
        let (after, before) = (step(&now, h), step(&now, -h));
        let along = [step(&before, -h), before, now, after, step(&after, h)];
        let (slip, depth): (Vec<Vec3>, Vec<f64>) = along.iter().map(|y| self.slip_and_depth(y, hold)).unzip();
        let delta_dot = (depth[0] - 8.0 * depth[1] + 8.0 * depth[3] - depth[4]) / (12.0 * h);
        let delta_ddot =
            (16.0 * (depth[1] + depth[3]) - depth[0] - depth[4] - 30.0 * depth[2]) / (12.0 * h * h);
        let slip_dot = (slip[0] - slip[1] * 8.0 + slip[3] * 8.0 - slip[4]) / (12.0 * h);
        let (w, gamma) = halves(y);
        let u_dot = slip_dot - gamma * delta_ddot - gamma.cross(&w) * delta_dot;
        (slip[2] - gamma * delta_dot, u_dot)
    }

    /// Rolling with first-order creep and compliance: v = r×ω + u puts m r×(u̇ + ω×u) on the right.
    fn yielding_rates(&self, y: &[f64], hold: &Hold) -> [f64; 6] {
        let ((w, gamma), (rates, _)) = (halves(y), self.rolling(y));
        let (u, u_dot) = self.yielding(y, hold);
        let r = self.arm(&gamma);
        let mut moment = r.cross(&(u_dot + w.cross(&u))) * self.m;
        if hold.follows {
            moment += self.moment_of_softening(y, hold);
        }
        let (w_dot, gamma_dot) = halves(&rates);
        joined(&(w_dot + self.about_contact(&r).try_inverse().unwrap() * moment), &gamma_dot)
    }

    /// Pitched by `pitch` [rad] and spun at `spin` [rad/s] about the vertical.
    pub(crate) fn start(pitch: f64, spin: f64) -> [f64; 6] {
        let gamma = Vec3::new(pitch.sin(), 0.0, pitch.cos());
        joined(&(gamma * spin), &gamma)
    }

    /// The first zero of ω·γ, if there is one before `until` [s], and the motion's last state; held as said or without slip.
    pub(crate) fn reversal(
        &self,
        start: [f64; 6],
        until: f64,
        hold: Option<&Hold>,
    ) -> (Option<f64>, Vec<f64>) {
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| match hold {
            Some(hold) => dy.copy_from_slice(&self.yielding_rates(y, hold)),
            None => dy.copy_from_slice(&self.rolling(y).0),
        };
        let spin = Event::new(|_, y| halves(y).0.dot(&halves(y).1)).terminal();
        let mut ivp = Ivp::new(rates, 0.0, start).event(spin).method("dop853").rtol(1e-12).atol(1e-13);
        let solution = ivp.solve_to(until).unwrap();
        (solution.events.first().map(|e| e.t), solution.y_end().to_vec())
    }

    /// h, R₁, R₂ [m]: height of the centre of mass, radii of curvature underneath.
    fn underneath(&self) -> [f64; 3] {
        let [a, b, c] = self.axes;
        [c - self.above, a * a / c, b * b / c]
    }

    /// Small oscillations about a steady spin n, rolling: rates of x, y (γ = (x, y, 1)), ẋ, ẏ.
    pub(crate) fn oscillations(&self, n: f64) -> SMatrix<f64, 4, 4> {
        let ([h, r1, r2], m, i) = (self.underneath(), self.m, &self.inertia);
        let (a, b, c, d) = (i[(0, 0)], i[(1, 1)], i[(2, 2)], i[(0, 1)]);
        let (rho1, rho2, sum) = (r1 - h, r2 - h, a + b - c);
        type M2 = SMatrix<f64, 2, 2>;
        let mass = M2::new(b + m * h * h, -d, -d, a + m * h * h);
        let gyro = M2::new(0.0, -(sum - m * h * (rho2 - h)), sum - m * h * (rho1 - h), 0.0) * n;
        let n2 = n * n;
        let stiff = M2::new(
            m * G * rho1 + (c - a + m * h * rho1) * n2,
            -d * n2,
            -d * n2,
            m * G * rho2 + (c - b + m * h * rho2) * n2,
        );
        let inverse = mass.try_inverse().unwrap();
        let mut rates = SMatrix::<f64, 4, 4>::zeros();
        rates.fixed_view_mut::<2, 2>(0, 2).copy_from(&M2::identity());
        rates.fixed_view_mut::<2, 2>(2, 0).copy_from(&(-inverse * stiff));
        rates.fixed_view_mut::<2, 2>(2, 2).copy_from(&(-inverse * gyro));
        rates
    }

    /// Rates of growth per spin, n → 0, of roll and pitch: σ/n = m h (R₁ − R₂) φ_x φ_y/(2 φ·Mφ), K φ = ω² M φ.
    pub(crate) fn growth_per_spin(&self) -> [f64; 2] {
        let ([h, r1, r2], m, i) = (self.underneath(), self.m, &self.inertia);
        let (b, a, d) = (i[(1, 1)] + m * h * h, i[(0, 0)] + m * h * h, i[(0, 1)]);
        let (k1, k2) = (m * G * (r1 - h), m * G * (r2 - h));
        // (k₁ − ω²b)(k₂ − ω²a) = ω⁴d²
        let (q, p) = (a * b - d * d, k1 * a + k2 * b);
        let root = (p * p - 4.0 * q * k1 * k2).sqrt();
        [(p - root) / (2.0 * q), (p + root) / (2.0 * q)].map(|w2| {
            // (k₂ − ω²a) y = −ω² d x
            let (x, y) = (k2 - w2 * a, -w2 * d);
            m * h * (r1 - r2) * x * y / (2.0 * (b * x * x - 2.0 * d * x * y + a * y * y))
        })
    }

    /// Their sum: m h (R₁ − R₂) D/(2 det M).
    pub(crate) fn growth_of_both_per_spin(&self) -> f64 {
        let ([h, r1, r2], m, i) = (self.underneath(), self.m, &self.inertia);
        let (b, a, d) = (i[(1, 1)] + m * h * h, i[(0, 0)] + m * h * h, i[(0, 1)]);
        m * h * (r1 - r2) * d / (2.0 * (a * b - d * d))
    }

    /// Small oscillations with creep, f = −κ u: rates of x, y, p, q (ω = (p, q, n)) and of the centre's v_x, v_y, in axes that turn with the body.
    pub(crate) fn creeping(&self, n: f64, kappa: f64) -> impl Fn(&[f64; 6]) -> [f64; 6] {
        let ([h, r1, r2], m, i) = (self.underneath(), self.m, self.inertia);
        let (a, b, c, d) = (i[(0, 0)], i[(1, 1)], i[(2, 2)], i[(0, 1)]);
        let inverse = SMatrix::<f64, 2, 2>::new(a, d, d, b).try_inverse().unwrap();
        move |&[x, y, p, q, vx, vy]| {
            let f = [-kappa * (vx - h * q + n * r2 * y), -kappa * (vy + h * p - n * r1 * x)];
            let moment = nalgebra::Vector2::new(
                -m * G * (r2 - h) * y + h * f[1] - (c - b) * n * q + d * n * p,
                m * G * (r1 - h) * x - h * f[0] - (a - c) * n * p - d * n * q,
            );
            let w_dot = inverse * moment;
            [n * y - q, p - n * x, w_dot.x, w_dot.y, f[0] / m + n * vy, f[1] / m - n * vx]
        }
    }
}

/// ω and γ.
pub(crate) fn halves(y: &[f64]) -> (Vec3, Vec3) {
    (Vec3::new(y[0], y[1], y[2]), Vec3::new(y[3], y[4], y[5]))
}

fn joined(a: &Vec3, b: &Vec3) -> [f64; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}
