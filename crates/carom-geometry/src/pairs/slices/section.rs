//! Slices of a tube that is not round against anything with a closest point: the point of each middle section that is deepest in it.
//!
//! With d(x) the distance of A and n = ∇d, the deepest point Q of a section is where its own outward normal, within its plane, is opposite to that part of n:
//! Q = C + lowest(n(Q)), [`Section::lowest`] being the point that is lowest over a plane of that normal. This is one equation for the angle a of the
//! direction in the section's plane,
//!
//!   h(a) = angle of n(Q(a)) − a = 0,
//!
//! falling through zero at a minimum of d. It is followed downhill from the lowest of some directions until h changes its sign, and the root taken
//! between. δ = −d(Q). Q is a minimum over points of the material, so the rate of d is that of the material point Q.
//!
//! At a sharp edge n would jump along the section, and Q sit on the jump. So the edges of boxes and cylinders count as rounded: by the `edge_radius` of a box,
//! by 1 % of the radius or half the length of a cylinder. d is that of the body less so much on every side, less the radius; faces stay where
//! they are.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::{atan2, cos, hypot, sin};
use carom_base::{Pose, Vec3};

use super::{Slice, cut, name};
use crate::closest_point::direction;
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, GapBounds, PairFeatures};
use crate::pairs::{finite, solid};
use crate::shape::{ClosestPoint, Ring, Section, Shape, Side, Surface};
use crate::surfaces::{Cuboid, Cylinder};

#[derive(Debug)]
struct Bound {
    /// A, or what is left of it under the rounding of its edges
    surface: Arc<dyn Surface>,
    /// of the edges [m]
    rounding: f64,
    side: Side,
    walls: &'static [&'static str],
    slices: Vec<Slice>,
    /// of the centre line [m]
    length: f64,
    /// no section reaches further from its centre [m]
    thick: f64,
    /// no two neighbours' centres are further apart [m]
    pitch: f64,
}

pub(super) fn bind(a: &Shape, ring: &dyn Ring, count: usize, phase: f64) -> Option<Box<dyn BoundPair>> {
    let (surface, rounding) = rounded(a);
    let walls = surface.as_project()?.features(a.side);
    (!walls.is_empty()).then_some(())?;
    let (slices, length) = cut(ring, count, phase);
    let thick = slices.iter().fold(0.0, |t: f64, s| t.max(hypot(s.section.radial.norm(), s.section.axial)));
    let next = slices.iter().cycle().skip(1);
    let apart = |(a, b): (&Slice, &Slice)| (a.section.centre - b.section.centre).norm();
    let pitch = slices.iter().zip(next).map(apart).fold(0.0, f64::max);
    Some(Box::new(Bound { surface, rounding, side: a.side, walls, slices, length, thick, pitch }))
}

/// What is left of a body with edges under their rounding, and its radius [m].
fn rounded(a: &Shape) -> (Arc<dyn Surface>, f64) {
    let core: Option<(Arc<dyn Surface>, f64)> = if let Some(block) = solid::<Cuboid>(a) {
        let r = block.edge_radius();
        let size = block.half().map(|h| 2.0 * (h - r));
        Cuboid::new(size.into()).ok().map(|core| (Arc::new(core) as Arc<dyn Surface>, r))
    } else if let Some(barrel) = solid::<Cylinder>(a) {
        let r = 0.01 * barrel.radius().min(0.5 * barrel.length());
        let core = Cylinder::new(barrel.radius() - r, barrel.length() - 2.0 * r).ok();
        core.map(|core| (Arc::new(core) as Arc<dyn Surface>, r))
    } else {
        None
    };
    core.unwrap_or_else(|| (a.surface.clone(), 0.0))
}

/// How many directions are tried for a start.
const STARTS: i32 = 24;
/// A turn of the normal that is no zero [rad].
const JUMP: f64 = 1e-6;
/// The most evaluations of a closest point for one slice from there.
const LOOKS: usize = 80;

/// A section and the wall it is near, all in A's frame.
struct View<'a> {
    bound: &'a Bound,
    section: &'a Section,
    wall: usize,
    /// the ring's frame in A's
    x: Pose,
}

impl View<'_> {
    fn closest_point(&self, x: &Vec3) -> ClosestPoint {
        let none = || ClosestPoint { p: *x, n: Vec3::z(), d: f64::NAN };
        let (side, r) = (self.bound.side, self.bound.rounding);
        let closest_point =
            self.bound.surface.as_project().map_or_else(none, |p| p.closest_point(side, self.wall, x));
        ClosestPoint { p: closest_point.p + closest_point.n * r, n: closest_point.n, d: closest_point.d - r }
    }

    /// The lowest point over a plane whose normal has the direction `a` in the section's plane.
    fn point(&self, a: f64) -> Vec3 {
        let (r, _) = direction(&self.section.radial, Vec3::x);
        let m = r * cos(a) + Vec3::z() * sin(a);
        self.x.point(&(self.section.centre + self.section.lowest(&m)))
    }

    /// The direction of a normal in the section's plane.
    fn angle(&self, n: &Vec3) -> f64 {
        let m = self.x.direction_to_local(n);
        let (r, _) = direction(&self.section.radial, Vec3::x);
        // across the section no direction is deeper: the outer side
        if hypot(m.dot(&r), m.z) < 1e-12 { PI } else { atan2(m.z, m.dot(&r)) }
    }

    /// h(a), between −π and π.
    fn turn(&self, a: f64) -> f64 {
        let h = self.angle(&self.closest_point(&self.point(a)).n) - a;
        h - 2.0 * PI * (h / (2.0 * PI)).round()
    }

    /// Where to start: by an edge a section may have two hollows, so the lowest of some directions, that of n at the centre among them.
    fn start(&self) -> f64 {
        let first = self.angle(&self.closest_point(&self.x.point(&self.section.centre)).n);
        let mut best = (f64::INFINITY, first);
        for k in 0..STARTS {
            let a = first + 2.0 * PI * f64::from(k) / f64::from(STARTS);
            let d = self.closest_point(&self.point(a)).d;
            if d < best.0 {
                best = (d, a);
            }
        }
        best.1
    }

    /// The direction of the deepest point.
    fn deepest(&self) -> Result<f64, PairFailure> {
        let mut low = self.start();
        let mut h_low = self.turn(low);
        let sign = h_low.signum();
        // no further than to the next start: another hollow may be there
        let widest = 2.0 * PI / f64::from(STARTS);
        let mut step = h_low.clamp(-widest, widest);
        let mut far = 1.0;
        for looks in 0..LOOKS {
            let (high, h_high) = (low + step, self.turn(low + step));
            if !h_high.is_finite() {
                return Err(PairFailure::NotFinite);
            }
            if h_high * sign <= 0.0 {
                return self.between([low, h_low], [high, h_high], LOOKS - looks);
            }
            (low, h_low) = (high, h_high);
            // in a hollow the way is longer than it looks: further each time
            far *= 2.0;
            step = (far * h_high.abs()).min(widest) * sign;
        }
        Err(PairFailure::NoConvergence(LOOKS))
    }

    /// The zero of h between two angles: by secants, an end that stays being counted half (Illinois).
    fn between(&self, mut a: [f64; 2], mut b: [f64; 2], looks: usize) -> Result<f64, PairFailure> {
        let close = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).abs() <= 2e-15 * (1.0 + a[0].abs());
        for _ in 0..looks {
            if a[1] == 0.0 || b[1] == 0.0 || close(&a, &b) {
                break;
            }
            let c = (a[0] * b[1] - b[0] * a[1]) / (b[1] - a[1]);
            let h = self.turn(c);
            if (h < 0.0) != (b[1] < 0.0) {
                a = b;
            } else {
                a[1] *= 0.5;
            }
            b = [c, h];
        }
        let [at, h] = if a[1] == 0.0 { a } else { b };
        // no zero but a jump: an edge, further in the section than it is rounded
        if h.abs() < JUMP { Ok(at) } else { Err(PairFailure::TooDeep) }
    }
}

impl Bound {
    fn view(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<View<'_>, PairFailure> {
        let walls = self.walls.len();
        let slice = self.slices.get(feature / walls).ok_or(PairFailure::NoFeature(feature))?;
        let x = x_b.seen_from(x_a);
        if !x.p.sum().is_finite() {
            return Err(PairFailure::NotFinite);
        }
        Ok(View { bound: self, section: &slice.section, wall: feature % walls, x })
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        "slices"
    }
    fn features(&self) -> usize {
        self.slices.len() * self.walls.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        let slice = name(feature / self.walls.len(), self.slices.len());
        match self.walls {
            [_] => slice,
            walls => format!("{slice} {}", walls[feature % walls.len()]),
        }
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let none = RelativeCurvature::strip(0.0, self.length);
        let Ok(view) = self.view(feature, x_a, x_b) else { return none };
        let (Ok(a), Some(project)) = (view.deepest(), self.surface.as_project()) else { return none };
        let q = view.point(a);
        let (closest_point, mut k) = (view.closest_point(&q), project.curvature(self.side, view.wall, &q));
        if self.rounding > 0.0 {
            // of the body, not of what is under its rounding: a barrel is rounder there
            k = Curvature {
                k1: k.k1 / (1.0 + k.k1 * self.rounding),
                k2: k.k2 / (1.0 + k.k2 * self.rounding),
                ..k
            };
        }
        // across the tube, in the tangent plane
        let along = view.x.direction(&Vec3::z().cross(&view.section.radial));
        let (across, _) = direction(&closest_point.n.cross(&along), || k.direction);
        let cos = across.dot(&k.direction);
        let wall = k.k1 * cos * cos + k.k2 * (1.0 - cos * cos);
        let own = view.section.curvature(&view.x.direction_to_local(&closest_point.n));
        RelativeCurvature::strip(own + wall, self.length)
    }
    // of the deepest point of a section nothing is known but how fast it can move
    fn bounds(&self) -> GapBounds {
        GapBounds { stray: self.thick, ..GapBounds::UNKNOWN }
    }
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        near.clear();
        let walls = self.walls.len();
        for wall in 0..walls {
            let mut slice = 0;
            while slice < self.slices.len() {
                let Ok(view) = self.view(slice * walls + wall, x_a, x_b) else { return false };
                let gap = view.closest_point(&view.x.point(&view.section.centre)).d - self.thick - margin;
                if gap < 0.0 {
                    near.push(slice * walls + wall);
                }
                // distances change no faster than one moves
                slice += if gap > self.pitch { (gap / self.pitch) as usize } else { 1 };
            }
        }
        true
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        let view = self.view(feature, x_a, x_b)?;
        let q = view.point(view.deepest()?);
        let closest_point = view.closest_point(&q);
        let (p_a, p_b, n) = (x_a.point(&closest_point.p), x_a.point(&q), x_a.direction(&closest_point.n));
        finite(Contact {
            p_a,
            p_b,
            n,
            delta: -closest_point.d,
            share: self.slices[feature / self.walls.len()].share,
            common: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairSolver;
    use crate::pairs::slices::Slices;
    use crate::surfaces::{Capsule, Plane, Sphere, Supertorus};
    use carom_base::Quat;

    fn link() -> Supertorus {
        Supertorus::new(0.6, [0.15, 0.25], [3.0, 4.0]).unwrap()
    }

    fn bound(other: Shape) -> Box<dyn BoundPair> {
        Slices::new(24).unwrap().bind(&other, &Shape::outside(link())).unwrap()
    }

    /// No point of a section is deeper than the one taken.
    #[test]
    fn the_deepest_point_of_every_section() {
        let others = [
            Shape::outside(Sphere::new(0.3).unwrap()),
            Shape::outside(Cylinder::new(0.4, 1.0).unwrap()),
            Shape::outside(Capsule::new(0.2, 1.0).unwrap()),
            Shape::outside(Cuboid::new([0.8, 0.6, 1.0]).unwrap()),
            Shape::inside(Sphere::new(1.5).unwrap()),
            Shape::inside(Cuboid::new([3.0, 3.0, 3.0]).unwrap()),
        ];
        let (mut seen, mut deep) = (0, 0);
        for other in others {
            let pair = bound(other.clone());
            let (core, rounding) = rounded(&other);
            let project = core.as_project().unwrap();
            let walls = project.features(other.side).len();
            for (i, z) in [0.0, 0.2, 0.5, 0.9].into_iter().enumerate() {
                let turn = Quat::from_euler_angles(0.3 + i as f64, 0.8, -0.4);
                let x_b = Pose::new(Vec3::new(0.5, -0.3, z), &turn);
                for k in 0..pair.features() {
                    let c = match pair.contact(k, &Pose::identity(), &x_b) {
                        Err(PairFailure::TooDeep) => {
                            deep += 1;
                            continue;
                        }
                        c => c.unwrap(),
                    };
                    let section = link().section(2.0 * PI * (k / walls) as f64 / 24.0);
                    let (r, _) = direction(&section.radial, Vec3::x);
                    let at = |j: i32| {
                        let a = f64::from(j) * PI / 500.0;
                        let q = section.centre + section.lowest(&(r * a.cos() + Vec3::z() * a.sin()));
                        project.closest_point(other.side, k % walls, &x_b.point(&q)).d - rounding
                    };
                    let least = (0..1000).map(at).fold(f64::INFINITY, f64::min);
                    // (with its core in the other body a section is deepest at several places)
                    let shallow = least > -0.07;
                    assert!(
                        !shallow || -c.delta < least + 1e-12,
                        "{} {k}: {} {least}",
                        other.describe(),
                        -c.delta
                    );
                    seen += usize::from(shallow && least < 0.0);
                    assert!(((c.p_a - c.p_b) - c.n * c.delta).norm() < 1e-14);
                    assert!(link().implicit(&x_b.point_to_local(&c.p_b)).abs() < 1e-12);
                }
            }
        }
        assert!(seen > 15 && deep < 60, "{seen} {deep}");
    }

    /// On a wide flat the slices are those of the plane.
    #[test]
    fn a_table_is_a_plane() {
        let table = Shape::outside(Cuboid::new([10.0, 10.0, 2.0]).unwrap());
        let (pair, plane) = (bound(table), bound(Shape::outside(Plane)));
        let turn = Quat::from_euler_angles(0.4, 0.2, 0.7);
        for k in 0..24 {
            let c = pair.contact(k, &Pose::identity(), &Pose::new(Vec3::new(0.0, 0.0, 1.5), &turn)).unwrap();
            let d = plane.contact(k, &Pose::identity(), &Pose::new(Vec3::new(0.0, 0.0, 0.5), &turn)).unwrap();
            assert!((c.delta - d.delta).abs() < 1e-14 && c.share == d.share, "{k}: {} {}", c.delta, d.delta);
        }
    }
}
