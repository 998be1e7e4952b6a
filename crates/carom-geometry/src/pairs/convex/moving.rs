//! How a contact moves with the two frames.

use carom_base::{Dual, Pose, Scalar, Vec3};

use super::newton::{Follow, Moves};
use crate::contact::Contact;

/// A contact with its derivatives, from how the two frames move.
pub(super) fn moving<const N: usize>(
    follow: &Follow,
    c: &Contact,
    [x_a, x_b]: [&Pose<Dual<N>>; 2],
    [at_a, at_b]: [&Pose; 2],
) -> Contact<Dual<N>> {
    let o = c.p_a + c.n * follow.l;
    let fixed = |x: &Pose<Dual<N>>, at: &Pose, p: &Vec3| x.point(&at.point_to_local(p).map(Dual::from_f64));
    let turned = |x: &Pose<Dual<N>>, at: &Pose| x.direction(&at.direction_to_local(&c.n).map(Dual::from_f64));
    let (p_a, o_a, o_b) = (fixed(x_a, at_a, &c.p_a), fixed(x_a, at_a, &o), fixed(x_b, at_b, &o));
    let (n_a, n_b) = (turned(x_a, at_a), turned(x_b, at_b));
    let by = |v: &Vec3<Dual<N>>, k: usize| v.map(|c| c.eps[k]);
    let (mut p, mut n) = (c.p_a.map(Dual::from_f64), c.n.map(Dual::from_f64));
    let mut delta = Dual::from_f64(c.delta);
    for k in 0..N {
        let moves = Moves {
            p_a: by(&p_a, k),
            o_a: by(&o_a, k),
            o_b: by(&o_b, k),
            n_a: by(&n_a, k),
            n_b: by(&n_b, k),
        };
        let (dp, dn, ds) = follow.rates(&moves);
        for i in 0..3 {
            p[i].eps[k] = dp[i];
            n[i].eps[k] = dn[i];
        }
        delta.eps[k] = -ds;
    }
    Contact { p_a: p, p_b: p - n * delta, n, delta, share: Dual::from_f64(1.0), common: None }
}
