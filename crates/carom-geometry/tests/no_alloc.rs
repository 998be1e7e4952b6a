//! Contacts and a warm broad phase allocate nothing.

use carom_base::Args;
use carom_geometry::proximity::{Aabb, Sweep};
use carom_geometry::{Pose, Quat, Vec3, pairs};
use carom_testkit::{Counting, allocations_of, one_in};

use crate::common::all_pairs;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn contacts_do_not_allocate() {
    let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.3), &Quat::from_euler_angles(0.3, -0.8, 1.1));
    let x_b = Pose::at(Vec3::new(0.25, 0.1, 0.4));
    let mut by_name = Vec::new();
    for (a, b, _) in one_in(3, all_pairs()) {
        let named = pairs::NAMED.iter().filter_map(|e| e.make(&Args::new()).ok());
        let bound = named.filter_map(|solver| pairs::bind_by(solver.as_ref(), a, b).ok());
        by_name.extend(bound.map(|pair| (a.clone(), b.clone(), pair)));
    }
    for (a, b, pair) in all_pairs().iter().chain(&by_name) {
        let mut sum = 0.0;
        let n = allocations_of(|| {
            for k in 0..pair.features() {
                sum += pair.contact(k, &x_a, &x_b).map_or(0.0, |c| c.delta);
                sum += pair.curvature(k, &x_a, &x_b).k_min;
            }
            sum += pair.nearest(&x_a, &x_b).map_or(0.0, |c| c.1.delta);
        });
        assert!(n == 0 && sum.is_finite(), "{} {}: {n}", a.describe(), b.describe());
    }
}

#[test]
fn a_warm_sweep_does_not_allocate() {
    let boxes = |t: f64| -> Vec<Aabb> {
        let at = |i: i32| Vec3::new((f64::from(i) + t).sin(), (2.0 * f64::from(i) - t).cos(), 0.0) * 5.0;
        (0..200).map(|i| Aabb::of_sphere(&at(i), 0.5)).collect()
    };
    let (mut sweep, mut out) = (Sweep::new(), Vec::with_capacity(200 * 199 / 2));
    sweep.pairs(&boxes(0.0), &mut out);
    for step in 1..100 {
        let boxes = boxes(0.05 * f64::from(step));
        assert_eq!(allocations_of(|| sweep.pairs(&boxes, &mut out)), 0);
        assert!(!out.is_empty());
    }
}
