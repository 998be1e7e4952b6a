//! parry's GJK: an ellipsoid by its support points.

use carom_geometry::Vec3;
use carom_geometry::surfaces::Ellipsoid;
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::details::closest_points_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;

use crate::Contender;
use crate::pairs::{Pair, Placed};

/// Cold and warm.
pub(crate) fn all(pairs: &[Pair]) -> impl Iterator<Item = Contender<'_>> {
    [("parry", false), ("parry, warm", true)].into_iter().map(|(name, warm)| {
        let peers: Vec<_> = pairs.iter().map(Peer::new).collect();
        let mut simplex = VoronoiSimplex::new();
        let go = move |out: &mut [f64]| {
            out.iter_mut().zip(&peers).for_each(|(d, peer)| *d = peer.distance(&mut simplex, warm));
        };
        (name, Box::new(go) as _)
    })
}

struct Egg {
    semi: Vector,
}

impl SupportMap for Egg {
    #[inline]
    fn local_support_point(&self, dir: Vector) -> Vector {
        let scaled = dir * self.semi;
        scaled * self.semi / scaled.length()
    }
}

/// A pair as parry sees it.
struct Peer {
    a: Egg,
    b: Egg,
    now: [Pose; 2],
    /// the direction it ended with at the poses before, out of A
    seed: Option<Vector>,
}

impl Peer {
    fn new(pair: &Pair) -> Peer {
        let vector = |v: &Vec3| Vector::new(v.x, v.y, v.z);
        let egg = |e: &Ellipsoid| Egg { semi: vector(e.semi_axes()) };
        let pose =
            |x: &Placed| Pose::from_parts(vector(&x.p), Rotation::from_xyzw(x.q.i, x.q.j, x.q.k, x.q.w));
        let mut peer =
            Peer { a: egg(&pair.a), b: egg(&pair.b), now: pair.before.map(|x| pose(&x)), seed: None };
        peer.seed = peer.search(&mut VoronoiSimplex::new(), None).map(|(_, dir)| dir);
        peer.now = pair.now.map(|x| pose(&x));
        peer
    }

    /// The distance [m]; NaN where it finds none.
    fn distance(&self, simplex: &mut VoronoiSimplex, warm: bool) -> f64 {
        let seed = if warm { self.seed } else { None };
        self.search(simplex, seed).map_or(f64::NAN, |(d, _)| d)
    }

    #[inline]
    fn search(&self, simplex: &mut VoronoiSimplex, seed: Option<Vector>) -> Option<(f64, Vector)> {
        let x = self.now[0].inv_mul(&self.now[1]);
        match closest_points_support_map_support_map_with_params(
            &x,
            &self.a,
            &self.b,
            f64::MAX,
            simplex,
            seed,
        ) {
            GJKResult::ClosestPoints(p, q, dir) => Some(((q - p).length(), dir)),
            _ => None,
        }
    }
}
