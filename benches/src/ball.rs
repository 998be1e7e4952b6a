//! The job: an elastic ball dropped on a plane, one second.

/// mass [kg]
pub(crate) const MASS: f64 = 0.1;
/// radius [m]
pub(crate) const RADIUS: f64 = 0.02;
/// E* of ball and plane [Pa]
const E_STAR: f64 = 1e9;
/// the gap it is dropped from [m]
pub(crate) const DROP: f64 = 0.05;
/// gravity [m/s²]
pub(crate) const G: f64 = 9.81;
/// how long [s]
pub(crate) const DURATION: f64 = 1.0;
/// touches there must be in that time
pub(crate) const TOUCHES: usize = 5;

/// Components of the state: position, quaternion, velocity, angular velocity.
pub(crate) const N: usize = 13;
/// The height of the centre in the state.
pub(crate) const Z: usize = 2;
/// Its rate.
pub(crate) const VZ: usize = 9;

/// The Hertz stiffness K = 4/3 E* √R [N/m^(3/2)].
pub(crate) fn stiffness() -> f64 {
    4.0 / 3.0 * E_STAR * RADIUS.sqrt()
}

/// The ball at rest above the plane.
pub(crate) fn start() -> [f64; N] {
    let mut y = [0.0; N];
    y[Z] = RADIUS + DROP;
    y[3] = 1.0;
    y
}

/// About how long an impact at speed `v` lasts [s]: 3.2 (m v²/K)^(2/5) / v.
pub(crate) fn impact_duration(v: f64) -> f64 {
    3.2 * (MASS * v * v / stiffness()).powf(0.4) / v
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) touches: usize,
    pub(crate) steps: usize,
    pub(crate) evaluations: usize,
    /// gap at the end [m]
    pub(crate) gap: f64,
}

/// The largest relative error of the energy in flight.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EnergyError(pub(crate) f64);

impl EnergyError {
    /// Takes an accepted step's end; counts it where the ball is in flight (at a touch or release, the gap is
    /// zero to rounding).
    pub(crate) fn see(&mut self, height: f64, speed: f64) {
        let gap = height - RADIUS;
        if gap > -1e-12 * RADIUS {
            let energy = G * gap + 0.5 * speed * speed;
            self.0 = self.0.max((energy / (G * DROP) - 1.0).abs());
        }
    }
}

/// The gap at the end by quadrature of one impact (no integrator involved) [m].
pub(crate) fn exact_gap() -> f64 {
    let k = stiffness();
    // kinetic energy at indentation d
    let kinetic = |d: f64| MASS * G * (DROP + d) - 0.4 * k * d.powf(2.5);
    let (mut lo, mut hi) = (0.0, 0.1 * RADIUS);
    for _ in 0..200 {
        let d = 0.5 * (lo + hi);
        if kinetic(d) > 0.0 { lo = d } else { hi = d }
    }
    // half an impact: ∫ dd / v; d = deepest (1 − s²) takes away the singularity at the turning point
    let deepest = lo;
    let n = 100_000;
    let half: f64 = (0..n)
        .map(|i| (i as f64 + 0.5) / n as f64)
        .map(|s| 2.0 * deepest * s / (2.0 / MASS * kinetic(deepest * (1.0 - s * s))).sqrt() / n as f64)
        .sum();
    let fall = (2.0 * DROP / G).sqrt();
    let since_release = (DURATION - fall) % (2.0 * half + 2.0 * fall) - 2.0 * half;
    G * since_release * (fall - 0.5 * since_release)
}
