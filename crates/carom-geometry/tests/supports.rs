//! Every convex surface of the registry: what a support point must be.

use crate::common::{Random, all_surfaces};
use carom_base::Vec3;
use carom_geometry::{Side, Support, Surface};

/// Every surface with support points, and directions of all kinds, those along axes among them.
fn for_all_supports(mut check: impl FnMut(&dyn Surface, &dyn Support, &Vec3)) {
    let mut seen = 0;
    for surface in all_surfaces() {
        let Some(support) = surface.as_support() else { continue };
        let mut random = Random::of(surface.kind());
        seen += 1;
        for _ in 0..300 {
            check(&*surface, support, &random.special_direction());
        }
    }
    assert!(seen >= 8, "{seen}");
}

#[test]
fn no_point_of_the_surface_is_further() {
    let meshes: Vec<_> = all_surfaces().iter().map(|s| (s.bounds(), s.mesh(48, 1.0))).collect();
    for_all_supports(|surface, support, m| {
        let q = support.support(m);
        let mesh = &meshes.iter().find(|(bounds, _)| *bounds == surface.bounds()).unwrap().1;
        let furthest = mesh.vertices.iter().map(|v| Vec3::from(*v).dot(m)).fold(f64::MIN, f64::max);
        assert!(furthest < q.dot(m) + 1e-14, "{} along {m}: {furthest} {}", surface.kind(), q.dot(m));
        // and it is on the surface
        let off = surface.as_project().unwrap().closest_point(Side::Outside, 0, &q).d.abs();
        assert!(off < 1e-14, "{} along {m}: {off}", surface.kind());
        // the length of m does not matter, but to which of several points that are as far is taken
        let other = support.support(&(m * 1e-3)) - q;
        let as_far = !support.is_strict() && other.dot(m).abs() < 1e-14;
        assert!(other.norm() < 1e-12 || as_far, "{} along {m}", surface.kind());
    });
}

/// As m turns towards t by a little the point moves by t/k of it: not at all across what is sharp.
#[test]
fn the_point_moves_as_the_curvatures_say() {
    let mut moved = 0;
    for surface in all_surfaces() {
        let Some(support) = surface.as_support() else { continue };
        let mut random = Random::of(surface.kind());
        // (next to a flat the point runs too fast for differences)
        let off_axes = |m: &Vec3| m.abs().min() > 0.05;
        for m in (0..200).map(|_| random.direction()).filter(off_axes) {
            let q = support.support(&m);
            let c = support.curvature_at(&q, &m);
            for (k, t) in [(c.k1, c.direction), (c.k2, m.cross(&c.direction))] {
                // (nothing is known of where what is straight goes)
                if k == 0.0 {
                    continue;
                }
                let h = 1e-5;
                let by = (support.support(&(m + t * h)) - support.support(&(m - t * h))) / (2.0 * h);
                let off = (by - t / k).norm();
                assert!(off < 1e-6 * (1.0 + by.norm()), "{} at {m}: {off:e}, {k}", surface.kind());
                moved += 1;
            }
        }
    }
    assert!(moved > 1000, "{moved}");
}

/// A ball of the smallest radius touches from within, and no curvature is beyond either radius.
#[test]
fn radii_bound_the_curvatures() {
    for_all_supports(|surface, support, m| {
        let c = support.curvature_at(&support.support(m), m);
        for k in [c.k1, c.k2] {
            assert!(
                k * support.least_radius() <= 1.0 + 1e-12 || support.least_radius() == 0.0,
                "{}",
                surface.kind()
            );
            assert!(k * support.largest_radius() >= 1.0 - 1e-12 || k == 0.0, "{}", surface.kind());
        }
    });
}
