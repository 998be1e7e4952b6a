//! interim
use carom_base::Scalar;

pub(crate) fn segment<S: Scalar>(nu: u32, x0: S, x1: S) -> [S; 3] {
    let n = 40usize;
    let eps = (x0.value() / x1.value()).sqrt();
    let mut out = [S::from_f64(0.0); 3];
    for i in 0..n {
        // Newton for Legendre nodes
        let mut z = (std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        let mut dp = 1.0;
        for _ in 0..20 {
            let (mut p0, mut p1) = (1.0, z);
            for k in 1..n {
                let p2 = ((2 * k + 1) as f64 * z * p1 - k as f64 * p0) / (k + 1) as f64;
                (p0, p1) = (p1, p2);
            }
            dp = n as f64 * (z * p1 - p0) / (z * z - 1.0);
            z -= p1 / dp;
        }
        let w = 1.0 / ((1.0 - z * z) * dp * dp);
        let mu = 0.5 * (1.0 + z);
        let q = 1.0 - mu + eps * mu;
        let l = eps * mu / q;
        let w = w * eps / (q * q);
        let d = x0 * S::from_f64(1.0 - l) + x1 * S::from_f64(l);
        let mut f = S::from_f64(w);
        for _ in 0..nu {
            f /= d;
        }
        let t = S::from_f64(2.0 * l - 1.0);
        out[0] += f;
        out[1] += f * t;
        out[2] += f * t * t;
    }
    out
}
