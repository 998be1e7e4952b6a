//! Moments allocate nothing.

use carom_base::{Dual, Mat3, Vec3};
use carom_field::{Asked, Height, Moments, pieces_of};
use carom_geometry::Surface;
use carom_geometry::surfaces::{Cuboid, Cylinder, Ellipsoid, Sphere};
use carom_testkit::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn moments_do_not_allocate() {
    let surfaces: [&dyn Surface; 4] = [
        &Cuboid::new([0.2, 0.3, 0.5]).unwrap(),
        &Cylinder::new(0.2, 0.7).unwrap(),
        &Sphere::new(0.3).unwrap(),
        &Ellipsoid::new([0.2, 0.3, 0.5]).unwrap(),
    ];
    let asked = [Asked { nu: 8, order: 1 }, Asked { nu: 7, order: 0 }, Asked { nu: 2, order: 2 }];
    let cof = Mat3::new(1.1, 0.1, 0.0, -0.05, 0.9, 0.02, 0.0, 0.04, 1.0);
    let d = Height { a: 0.9, b: Vec3::new(0.6, -0.64, 0.48) };
    for surface in surfaces {
        for (piece, _) in pieces_of(surface, None, None).unwrap() {
            let before = allocations();
            let (mut out, mut by_height, mut by_all) =
                ([Moments::zero(); 3], [Moments::zero(); 3], [Moments::zero(); 3]);
            piece.moments(&asked, &d, None, &mut out);
            piece.moments(&asked, &d, Some(&cof), &mut out);
            let b = Vec3::from_fn(|i, _| Dual::variable(d.b[i], i + 1));
            piece.moments_by_height(&asked, &Height { a: Dual::variable(d.a, 0), b }, &mut by_height);
            let b = Vec3::from_fn(|i, _| Dual::variable(d.b[i], i + 1));
            let cof = Mat3::from_fn(|i, j| Dual::variable(cof[(i, j)], 4 + i + 3 * j));
            piece.moments_by_all(&asked, &Height { a: Dual::variable(d.a, 0), b }, &cof, &mut by_all);
            let n = allocations() - before;
            assert!(n == 0 && out[0].i0.is_finite() && by_all[0].i0.re == out[0].i0, "{piece:?}: {n}");
        }
    }
}
