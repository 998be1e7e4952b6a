//! The plain way: Newton's method for the six coordinates of both points (D. S. Lopes et al., Multibody Syst. Dyn. 24 (2010) 255).
//!
//! In A's frame, F_A = pᵀ M_A p − 1, F_B = (q − c)ᵀ M_B (q − c) − 1, with the gradients n_P, n_Q and t, b across n_P:
//!
//!   F_A = F_B = 0,   (n_P × n_Q)·(t, b) = 0,   ((q − p) × n_P)·(t, b) = 0,
//!
//! t and b held fast within a step. No line search, no second start.

use carom_geometry::Vec3;
use nalgebra::{Matrix3, Matrix6, Vector6};

use crate::pairs::Pair;

/// Steps at most.
const MOST: usize = 50;
/// The last step, relative to the size: the next one would be its square.
const LAST: f64 = 1e-8;

/// A pair as this method sees it.
pub(crate) struct Six<'p> {
    pair: &'p Pair,
    /// the points found at the poses before, each in its own frame
    seed: Option<[Vec3; 2]>,
}

impl<'p> Six<'p> {
    pub(crate) fn new(pair: &'p Pair) -> Six<'p> {
        let mut six = Six { pair, seed: None };
        let found = six.search(&pair.before, None).or_else(|| {
            // where it fails, the right points all the same: what is measured is the next step
            let n = crate::ours::normal(pair, &pair.before)?;
            let [a, b] = pair.before.map(|x| x.q.inverse() * n);
            Some((0.0, [pair.a.support(&a), pair.b.support(&-b)]))
        });
        six.seed = found.map(|(_, points)| points);
        six
    }

    /// The distance [m]; NaN where it fails.
    pub(crate) fn distance(&self, warm: bool) -> f64 {
        let seed = if warm { self.seed } else { None };
        self.search(&self.pair.now, seed).map_or(f64::NAN, |(d, _)| d)
    }

    #[inline]
    fn search(&self, at: &[crate::pairs::Placed; 2], seed: Option<[Vec3; 2]>) -> Option<(f64, [Vec3; 2])> {
        let [x_a, x_b] = [&at[0].x, &at[1].x];
        let (r, c) = (x_a.r.tr_mul(&x_b.r), x_a.point_to_local(&x_b.p));
        let weight = |e: &Vec3| Matrix3::from_diagonal(&e.map(|e| 1.0 / (e * e)));
        let (m_a, own) = (weight(self.pair.a.semi_axes()), weight(self.pair.b.semi_axes()));
        let m_b = r * own * r.transpose();
        // cold: where the line of the centres leaves the surfaces
        let (mut p, mut q) = match seed {
            Some([p, q]) => (p, c + r * q),
            None => (c / c.dot(&(m_a * c)).sqrt(), c - c / c.dot(&(m_b * c)).sqrt()),
        };
        for _ in 0..MOST {
            let (n_p, n_q, d) = (m_a * p, m_b * (q - c), q - p);
            let n = n_p.normalize();
            let t = (if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() }).cross(&n);
            let b = n.cross(&t);
            let mut j = Matrix6::zeros();
            let mut put = |row: usize, by_p: Vec3, by_q: Vec3| {
                for i in 0..3 {
                    (j[(row, i)], j[(row, 3 + i)]) = (by_p[i], by_q[i]);
                }
            };
            put(0, n_p * 2.0, Vec3::zeros());
            put(1, Vec3::zeros(), n_q * 2.0);
            // (u × v)·t = u·(v × t) = v·(t × u)
            for (k, t) in [t, b].iter().enumerate() {
                put(2 + k, m_a * n_q.cross(t), m_b * t.cross(&n_p));
                put(4 + k, m_a * t.cross(&d) - n_p.cross(t), n_p.cross(t));
            }
            let (turned, off) = (n_p.cross(&n_q), d.cross(&n_p));
            let phi = Vector6::new(
                p.dot(&n_p) - 1.0,
                (q - c).dot(&n_q) - 1.0,
                turned.dot(&t),
                turned.dot(&b),
                off.dot(&t),
                off.dot(&b),
            );
            let step = j.lu().solve(&-phi)?;
            p += step.fixed_rows::<3>(0);
            q += step.fixed_rows::<3>(3);
            if step.norm() <= LAST * self.pair.size {
                let (n_p, n_q) = (m_a * p, m_b * (q - c));
                let d = n_p.normalize().dot(&(q - p));
                // the nearest points, not others with a common normal
                return (d > 0.0 && n_p.dot(&n_q) < 0.0).then(|| (d, [p, r.tr_mul(&(q - c))]));
            }
            if !step.norm().is_finite() {
                return None;
            }
        }
        None
    }
}
