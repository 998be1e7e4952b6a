//! The broad phase against looking at all pairs.

use crate::common::{cases, vector};
use carom_geometry::Vec3;
use carom_geometry::proximity::{Aabb, Sweep};
use proptest::prelude::*;

fn all_pairs(boxes: &[Aabb]) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    for i in 0..boxes.len() {
        for j in i + 1..boxes.len() {
            if boxes[i].overlaps(&boxes[j]) {
                out.push((i as u32, j as u32));
            }
        }
    }
    out
}

/// Mostly balls, on a grid now and then so that sides coincide; some without end, some not numbers.
fn a_box() -> impl Strategy<Value = Aabb> {
    let ball = (vector(3.0), 0.0f64..1.0).prop_map(|(c, r)| Aabb::of_sphere(&c, r));
    let grid =
        [-3i32..3, -3i32..3, -3i32..3].prop_map(|c| Aabb::of_sphere(&Vec3::from(c.map(f64::from)), 0.5));
    let slab = (0usize..3, -2.0f64..2.0).prop_map(|(i, top)| {
        let mut b = Aabb::everything();
        b.max[i] = top;
        b
    });
    let lost = (0usize..3, any::<bool>()).prop_map(|(i, low)| {
        let mut b = Aabb::of_sphere(&Vec3::zeros(), 0.5);
        if low {
            b.min[i] = f64::NAN
        } else {
            b.max[i] = f64::NAN
        }
        b
    });
    prop_oneof![12 => ball, 6 => grid, 1 => slab, 1 => Just(Aabb::everything()), 1 => lost]
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn finds_what_looking_at_all_pairs_finds(worlds in prop::collection::vec(prop::collection::vec(a_box(), 0..40), 1..5)) {
        let (mut sweep, mut out) = (Sweep::new(), Vec::new());
        for boxes in &worlds {
            sweep.pairs(boxes, &mut out);
            prop_assert_eq!(&out, &all_pairs(boxes));
        }
    }

    #[test]
    fn follows_boxes_that_move(
        start in prop::collection::vec((vector(3.0), vector(1.0), 0.1f64..0.8), 2..40)
    ) {
        let (mut sweep, mut out) = (Sweep::new(), Vec::new());
        for step in 0..20 {
            let t = 0.3 * f64::from(step);
            let boxes: Vec<Aabb> = start.iter().map(|(c, v, r)| Aabb::of_sphere(&(c + v * t), *r)).collect();
            sweep.pairs(&boxes, &mut out);
            prop_assert_eq!(&out, &all_pairs(&boxes));
        }
    }
}
