//! Boxes against boxes, and rods: where they touch, and that nothing jumps.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_PI_4;

use crate::common::{Random, cases, pose};
use carom_base::{Dual, Pose, Quat, Vec3};
use carom_geometry::pairs::{boxes_apart, plane_box};
use carom_geometry::surfaces::{Capsule, Cuboid, Cylinder, Plane};
use carom_geometry::{BoundPair, Contact, PairFailure, Seed, Shape, pairs};
use proptest::prelude::*;

fn block(size: [f64; 3]) -> Shape {
    Shape::outside(Cuboid::new(size).unwrap())
}

fn yawed(x: f64, y: f64, z: f64, yaw: f64) -> Pose {
    Pose::new(Vec3::new(x, y, z), &Quat::from_axis_angle(&Vec3::z_axis(), yaw))
}

/// The points that touch.
fn touching(pair: &dyn BoundPair, x_a: &Pose, x_b: &Pose) -> Vec<Contact> {
    (0..pair.features()).map(|k| pair.contact(k, x_a, x_b).unwrap()).filter(|c| c.delta > 0.0).collect()
}

#[test]
fn a_box_on_a_table_stands_as_it_does_on_a_plane() {
    let (table, brick) = (block([2.0, 1.0, 0.1]), block([0.2, 0.1, 0.06]));
    let on_table = pairs::bind(&table, &brick).unwrap();
    let on_plane = pairs::bind(&Shape::outside(Plane), &brick).unwrap();
    let (x_table, x_plane) = (Pose::identity(), Pose::at(Vec3::new(0.0, 0.0, 0.05)));
    // in the middle, towards an edge, turned and tilted by a little
    for (x, y, yaw, tilt) in
        [(0.0, 0.0, 0.0, 0.0), (0.8, -0.3, 0.4, 0.0), (0.1, 0.2, 1.0, 0.003), (0.1, 0.2, 1.0, -0.2)]
    {
        let turn = Quat::from_axis_angle(&Vec3::z_axis(), yaw) * Quat::from_axis_angle(&Vec3::x_axis(), tilt);
        // its lowest corners 10 µm deep
        let z = 0.03 * tilt.cos() + 0.05 * tilt.abs().sin() - 1e-5;
        let x_b = Pose::new(Vec3::new(x, y, 0.05 + z), &turn);
        let there = touching(&*on_plane, &x_plane, &x_b);
        let here = touching(&*on_table, &x_table, &x_b);
        assert_eq!((here.len(), here.is_empty()), (there.len(), false), "{x} {yaw} {tilt}");
        for (a, b) in here.iter().zip(&there) {
            assert!((a.delta - b.delta).abs() < 1e-15 && (a.p_b - b.p_b).norm() < 1e-15);
            assert!((a.n - Vec3::z()).norm() < 1e-15);
        }
    }
}

/// What the pair leaves out as too far away is too far away, and most is left out.
#[test]
fn no_near_point_is_left_out() {
    let (a, b) = (block([0.5, 0.3, 0.1]), block([0.1, 0.3, 0.2]));
    let pair = pairs::bind(&a, &b).unwrap();
    let mut r = Random(3);
    let (mut near, mut left, mut kept) = (Vec::new(), 0, 0);
    for _ in 0..4000 {
        let (x_a, x_b, margin) = (r.pose(0.3), r.pose(0.3), r.scale(1e-6, 0.1));
        assert!(pair.near(&x_a, &x_b, margin, &mut near));
        for k in (0..pair.features()).filter(|k| !near.contains(k)) {
            let gap = -pair.contact(k, &x_a, &x_b).unwrap().delta;
            assert!(gap > margin - 1e-14, "point {k}: {gap} {margin}");
            left += 1;
        }
        kept += near.len();
    }
    assert!(left > kept && kept > 4000, "{left} {kept}");
}

#[test]
fn boxes_in_line_hold_each_other() {
    let pair = pairs::bind(&block([0.1; 3]), &block([0.1; 3])).unwrap();
    let depth = 1e-5;
    for shift in [0.0, 1e-12, -1e-9, 1e-6, -1e-4, 0.01, 0.04] {
        for yaw in [0.0, 1e-10, 1e-5, 0.01, 0.3, FRAC_PI_4] {
            let x_b = yawed(shift, -0.5 * shift, 0.1 - depth, yaw);
            let lower: Vec<Contact> = (0..8)
                .map(|k| pair.contact(k, &Pose::identity(), &x_b).unwrap())
                .filter(|c| c.delta > 0.0)
                .collect();
            assert_eq!(lower.len(), 4, "{shift} {yaw}");
            for c in &lower {
                // no deeper than they are; the crown takes at most κ/2 of the half each way
                assert!(c.delta <= depth + 1e-16 && c.delta > depth - 5.1e-6, "{shift} {yaw}: {:e}", c.delta);
                assert!((c.n - Vec3::z()).norm() < 1e-3, "{shift} {yaw}: {:?}", c.n);
            }
        }
    }
}

#[test]
fn corners_on_faces_are_exact() {
    let pair = pairs::bind(&block([1.0; 3]), &block([0.2, 0.3, 0.4])).unwrap();
    let turn = Quat::from_euler_angles(0.5, 0.6, 0.2);
    let lowest =
        plane_box::contact(&Vec3::new(0.1, -0.15, -0.2), &Pose::identity(), &Pose::new(Vec3::zeros(), &turn));
    let depth = 0.003;
    // the corner +-- of the smaller in the top of the larger, and upside down
    let x_b = Pose::new(Vec3::new(0.0, 0.0, 0.5 + lowest.delta - depth), &turn);
    let (_, c) = pair.nearest(&Pose::identity(), &x_b).unwrap();
    let deepest = (0..8)
        .map(|k| x_b.point(&Vec3::new(s(k, 4, 0.1), s(k, 2, 0.15), s(k, 1, 0.2))).z)
        .fold(1.0, f64::min);
    assert!((c.delta - (0.5 - deepest)).abs() < 1e-15, "{}", c.delta);
    // a corner of the larger in a face of the smaller
    let x_a = Pose::new(Vec3::new(0.0, 0.0, -0.7), &turn);
    let highest = (0..8).map(|k| x_a.point(&Vec3::new(s(k, 4, 0.5), s(k, 2, 0.5), s(k, 1, 0.5))));
    let tip = highest.max_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
    let x_b = Pose::at(Vec3::new(tip.x, tip.y, tip.z + 0.2 - depth));
    let (k, c) = pair.nearest(&x_a, &x_b).unwrap();
    assert!(k >= 8 && (c.delta - depth).abs() < 1e-15 && (c.n - Vec3::z()).norm() < 1e-15, "{k} {c:?}");
}

fn s(k: usize, bit: usize, h: f64) -> f64 {
    if k & bit == 0 { -h } else { h }
}

#[test]
fn crossed_planks_touch_where_they_cross() {
    let pair = pairs::bind(&block([1.0, 0.1, 0.02]), &block([1.0, 0.1, 0.02])).unwrap();
    // (so far from their ends the crown takes 22 µm)
    let x_b = yawed(0.02, 0.03, 0.02 - 4e-5, 2.0 * FRAC_PI_4);
    let points = touching(&*pair, &Pose::identity(), &x_b);
    assert_eq!(points.len(), 4);
    // the four corners of the square they share, less what the edges are rounded by
    for (x, y) in [(-0.03, -0.05), (-0.03, 0.05), (0.07, -0.05), (0.07, 0.05)] {
        assert!(points.iter().any(|c| (c.p_b - Vec3::new(x, y, 0.01)).norm() < 5e-4), "{x} {y}: {points:?}");
    }
}

/// Far deeper than its edges are round, a ridge across a ridge still has a normal, and a depth that changes as the contact says.
#[test]
fn edges_deep_in_one_another_have_a_normal() {
    let pair = pairs::bind(&block([0.1; 3]), &block([0.1; 3])).unwrap();
    let across = Quat::from_axis_angle(&Vec3::z_axis(), 2.0 * FRAC_PI_4)
        * Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_4);
    let ridge = Pose::new(Vec3::zeros(), &Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_4));
    let apart = 2.0 * 0.05 * 2f64.sqrt();
    let at = |depth: f64| Pose::new(Vec3::new(0.01, 0.013, apart - depth), &across);
    let late = (2f64.sqrt() - 1.0) * 1e-3;
    assert!(touching(&*pair, &ridge, &at(late - 1e-6)).is_empty());
    assert_eq!(touching(&*pair, &ridge, &at(late + 3e-5)).len(), 1);
    for depth in [0.7e-3, 1.3e-3, 1.5e-3, 3e-3, 0.02] {
        let here = touching(&*pair, &ridge, &at(depth));
        let deepest = here.iter().max_by(|a, b| a.delta.total_cmp(&b.delta)).unwrap();
        assert!((deepest.n - Vec3::z()).norm() < 3e-3, "{deepest:?}");
        for k in 0..8 {
            let depth_at = |x: f64, y: f64, dz: f64| {
                let turned = across * Quat::from_axis_angle(&Vec3::y_axis(), 0.1);
                pair.contact(k, &ridge, &Pose::new(Vec3::new(x, y, apart - depth - dz), &turned)).unwrap()
            };
            let (c, h) = (depth_at(0.01, 0.013, 0.0), 1e-7);
            let by = |a: Contact, b: Contact| (a.delta - b.delta) / (2.0 * h);
            let slope = Vec3::new(
                by(depth_at(0.01 - h, 0.013, 0.0), depth_at(0.01 + h, 0.013, 0.0)),
                by(depth_at(0.01, 0.013 - h, 0.0), depth_at(0.01, 0.013 + h, 0.0)),
                by(depth_at(0.01, 0.013, h), depth_at(0.01, 0.013, -h)),
            );
            assert!((slope - c.n * c.share).norm() < 1e-6, "{depth} {k}: {slope:?} {c:?}");
            let rate = c.common_rate(|| [Vec3::z(), Vec3::zeros()]).unwrap_or(c.n.z);
            assert!((rate - c.share * c.n.z).abs() < 1e-15 && (c.share * c.lever() - 1.0).abs() < 1e-15);
        }
    }
    let nearly_through = (0..8).map(|k| pair.contact(k, &ridge, &at(0.12)));
    assert!(nearly_through.into_iter().any(|c| matches!(c, Err(PairFailure::TooDeep))));
}

/// The nearest points of two boxes by turns, each the clamp of the other: slow, but it cannot go wrong.
fn by_turns(half: [&Vec3; 2], x: [&Pose; 2]) -> f64 {
    let clamp = |k: usize, p: &Vec3| {
        let local = x[k].point_to_local(p);
        x[k].point(&Vec3::from_fn(|i, _| local[i].clamp(-half[k][i], half[k][i])))
    };
    let mut p = x[0].p;
    let mut d = f64::INFINITY;
    for _ in 0..20_000 {
        let q = clamp(1, &p);
        p = clamp(0, &q);
        let now = (p - q).norm();
        if d - now < 1e-15 {
            break;
        }
        d = now;
    }
    d
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn boxes_apart_are_as_far_as_by_turns(x_a in pose(0.5), x_b in pose(2.5)) {
        let (a, b) = (Vec3::new(0.5, 0.4, 0.3), Vec3::new(0.2, 0.6, 0.35));
        let c = boxes_apart::closest(&a, &b, &x_a, &x_b);
        prop_assert!(((c.p_a - c.p_b).dot(&c.n) - c.delta).abs() < 1e-14);
        let d = by_turns([&a, &b], [&x_a, &x_b]);
        if c.delta < -1e-6 {
            // from above, and slowly
            prop_assert!(-c.delta <= d + 1e-14 && -c.delta > d - 1e-5, "{} {d}", c.delta);
        } else {
            prop_assert!(d < 1e-2);
            // pushed out along n they just touch, and not before
            let out = |by: f64| Pose { p: x_b.p + c.n * by, r: x_b.r };
            prop_assert!(boxes_apart::closest(&a, &b, &x_a, &out(c.delta)).delta.abs() < 1e-12);
            prop_assert!(boxes_apart::closest(&a, &b, &x_a, &out(0.9 * c.delta)).delta > 0.0);
        }
    }

    #[test]
    fn contacts_never_jump(x_a in pose(0.2), x_b in pose(1.2), y_b in pose(1.2)) {
        let rod = Shape::outside(Capsule::new(0.1, 0.9).unwrap());
        let pairs = [
            pairs::bind(&block([1.0, 0.8, 0.6]), &block([0.4, 0.6, 0.5])).unwrap(),
            pairs::bind(&block([1.0, 0.8, 0.6]), &rod).unwrap(),
            pairs::bind(&Shape::outside(Capsule::new(0.2, 1.0).unwrap()), &rod).unwrap(),
            pairs::bind(&Shape::outside(Cylinder::new(0.2, 1.0).unwrap()), &rod).unwrap(),
        ];
        // along a straight way in small steps no gap changes by more than the way
        let (steps, way) = (400, y_b.p - x_b.p);
        for pair in &pairs {
            for k in 0..pair.features() {
                let at = |i: usize| Pose { p: x_b.p + way * (i as f64 / steps as f64), r: x_b.r };
                let gaps: Vec<_> = (0..=steps).map(|i| crate::common::contact(&**pair, k, &x_a, &at(i)).map(|c| c.delta)).collect();
                for pair_of in gaps.windows(2) {
                    if let [Some(a), Some(b)] = pair_of {
                        prop_assert!((a - b).abs() <= way.norm() / steps as f64 + 1e-12, "{} {k}", pair.solver());
                    }
                }
            }
        }
    }
}

#[test]
fn rods_meet_at_the_nearest_points_of_their_axes() {
    let (long, short) = (Capsule::new(0.03, 1.0).unwrap(), Capsule::new(0.02, 0.6).unwrap());
    let pair = pairs::bind(&Shape::outside(long), &Shape::outside(short)).unwrap();
    assert_eq!(
        (0..2).map(|k| pair.contact(k, &Pose::identity(), &Pose::identity()).unwrap().share).sum::<f64>(),
        1.0
    );
    // crossed at right angles: both ends' points are at the crossing, the crown aside
    let across =
        Pose::new(Vec3::new(0.049, 0.0, 0.1), &Quat::from_axis_angle(&Vec3::x_axis(), 2.0 * FRAC_PI_4));
    for k in 0..2 {
        let c = pair.contact(k, &Pose::identity(), &across).unwrap();
        assert!(
            (c.delta - 0.001).abs() < 1e-5 && (c.p_b - Vec3::new(0.029, 0.0, 0.1)).norm() < 1e-3,
            "{c:?}"
        );
    }
    let c = pair.closest(&Pose::identity(), &across).unwrap();
    assert!((c.delta - 0.001).abs() < 1e-15 && (c.p_b - Vec3::new(0.029, 0.0, 0.1)).norm() < 1e-15, "{c:?}");
    // side by side: each end is on its own
    let beside = Pose::at(Vec3::new(0.049, 0.0, 0.05));
    let ends = [0, 1].map(|k| pair.contact(k, &Pose::identity(), &beside).unwrap());
    assert!(ends.iter().all(|c| (c.delta - 0.001).abs() < 1e-15));
    assert!((ends[0].p_b - Vec3::new(0.029, 0.0, 0.35)).norm() < 1e-15);
    assert!((ends[1].p_b - Vec3::new(0.029, 0.0, -0.25)).norm() < 1e-15);
    // end on
    let above = Pose::at(Vec3::new(0.0, 0.0, 0.849));
    let (_, c) = pair.nearest(&Pose::identity(), &above).unwrap();
    assert!((c.delta - 0.001).abs() < 1e-15 && (c.n - Vec3::z()).norm() < 1e-15);
}

/// A capsule on a cylinder as it is: on its barrel, its cap, over its rim.
#[test]
fn a_capsule_touches_caps_and_rims_of_a_cylinder() {
    let (can, rod) =
        (Shape::outside(Cylinder::new(0.05, 0.2).unwrap()), Shape::outside(Capsule::new(0.02, 0.3).unwrap()));
    let pair = pairs::bind(&can, &rod).unwrap();
    assert_eq!(pair.solver(), "capsule-cylinder");
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    let at = |k: usize, x: Vec3, q: &Quat| pair.contact(k, &Pose::identity(), &Pose::new(x, q)).unwrap();
    // standing on the cap: its lower end
    let c = at(1, Vec3::new(0.01, 0.02, 0.1 + 0.02 + 0.15 - 1e-4), &Quat::identity());
    assert!((c.delta - 1e-4).abs() < 1e-16 && (c.n - Vec3::z()).norm() < 1e-15, "{c:?}");
    // its end beside the rim: the distance from the nearest point of the circle
    let end = Vec3::new(0.06, 0.0, 0.112);
    let c = at(1, end + Vec3::z() * 0.15, &Quat::identity());
    assert!((c.delta - (0.02 - 0.01f64.hypot(0.012))).abs() < 1e-16, "{c:?}");
    // lying across the cap, both ends hand over to where the cap ends: 50 mm off the middle, 0.1 m from the end
    let crown = 1e-4 / 0.3 * 0.1 * 0.1 / 2.0;
    for k in 0..2 {
        let c = at(k, Vec3::z() * (0.1 + 0.02 - 1e-4), &lying);
        assert!((c.delta - (1e-4 - crown)).abs() < 1e-10, "{} {crown}", c.delta);
        assert!((c.p_a.x.abs() - 0.05).abs() < 1e-5 && (c.n - Vec3::z()).norm() < 1e-3, "{c:?}");
    }
    // along the barrel, each end of the common length, as far as the crown lets it
    let c = at(0, Vec3::new(0.07 - 1e-4, 0.0, 0.05), &Quat::identity());
    assert!((c.delta - (1e-4 - crown)).abs() < 1e-10 && (c.p_a.z - 0.1).abs() < 1e-5, "{c:?}");
}

/// Nothing of a capsule on a cylinder is nearer than its contact points say, but for the crown, and seldom much further.
#[test]
fn a_capsule_is_as_far_from_a_cylinder_as_its_ends_say() {
    let (can, rod) =
        (Shape::outside(Cylinder::new(0.3, 0.5).unwrap()), Shape::outside(Capsule::new(0.1, 0.6).unwrap()));
    let pair = pairs::bind(&can, &rod).unwrap();
    let (mut random, mut seen) = (carom_testkit::Random(3), 0);
    for _ in 0..2000 {
        let (x_a, x) = (random.pose(1.0), random.pose(0.8));
        let x_b = x_a.then(&x);
        let (Ok((_, near)), Ok(sharp)) = (pair.nearest(&x_a, &x_b), pair.closest(&x_a, &x_b)) else {
            continue;
        };
        if sharp.delta < 0.09 {
            let late = sharp.delta - near.delta;
            // the nearer end is half the length away at most
            assert!((-1e-12..1e-4 * 0.6 / 8.0 + 1e-12).contains(&late), "{late:e} {}", sharp.delta);
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn a_can_stands_on_another_and_lies_beside_it() {
    let can = || Shape::outside(Cylinder::new(0.05, 0.2).unwrap());
    let pair = pairs::bind_by(&pairs::crowned::Crowned, &can(), &can()).unwrap();
    // half of the eight points are those of the lower rim; the upper ones slide down to them, the crown aside
    let on_top = Pose::at(Vec3::new(0.0, 0.0, 0.199));
    for k in 0..8 {
        let c = pair.contact(k, &Pose::identity(), &on_top).unwrap();
        assert!((c.delta - 0.001).abs() < 3e-5 && (c.n - Vec3::z()).norm() < 1e-4, "{c:?}");
    }
    let far = Pose::at(Vec3::new(0.0, 0.0, 0.5));
    assert!((pair.closest(&Pose::identity(), &far).unwrap().delta + 0.3).abs() < 1e-15);
    let (_, beside) = pair.nearest(&Pose::identity(), &Pose::at(Vec3::new(0.099, 0.0, 0.0))).unwrap();
    assert!((beside.delta - 0.001).abs() < 1e-8, "{beside:?}");
}

/// Blocks that lie about flat on one another, some shifted so that corners hang over edges, some pressed in deep.
fn lying(r: &mut Random) -> (Box<dyn BoundPair>, Pose, Pose) {
    let pair = pairs::bind(&block([0.5, 0.4, 0.1]), &block([0.3, 0.4, 0.2])).unwrap();
    let x_a = r.pose(0.3);
    let tilt = Quat::from_scaled_axis(r.vector() * r.scale(1e-6, 1e-2));
    let yaw = Quat::from_axis_angle(&Vec3::z_axis(), r.scale(1e-5, 1.0));
    let shift = r.vector() * r.scale(1e-4, 0.3);
    let on = Pose::new(Vec3::new(shift.x, shift.y, 0.15 - r.scale(1e-6, 2e-3)), &(tilt * yaw));
    let x_b = x_a.then(&on);
    (pair, x_a, x_b)
}

/// A pose that moves: a small displacement and a small rotation as the six variables.
fn moving(x: &Pose) -> Pose<Dual<6>> {
    let mut moved = still(x);
    for k in 0..3 {
        moved.p[k].eps[k] = 1.0;
        let turned = Vec3::ith(k, 1.0).cross_matrix() * x.r;
        moved.r.iter_mut().zip(&turned).for_each(|(r, rate)| r.eps[3 + k] = *rate);
    }
    moved
}

fn still(x: &Pose) -> Pose<Dual<6>> {
    let number = |v: f64| Dual { re: v, eps: [0.0; 6] };
    Pose { p: x.p.map(number), r: x.r.map(number) }
}

/// On the piece on which it is, a point is the one that is searched for; and its derivatives are the same.
#[test]
fn a_point_held_on_its_piece_is_the_one_found() {
    let mut r = Random(11);
    let (mut held, mut pieces) = (0, BTreeSet::new());
    for _ in 0..1000 {
        let (pair, x_a, x_b) = lying(&mut r);
        for k in 0..16 {
            let (Ok(free), piece) = (pair.contact(k, &x_a, &x_b), pair.piece(k, &x_a, &x_b)) else {
                continue;
            };
            if piece == 0 {
                continue;
            }
            let seed = Seed::on(piece);
            let on = pair.contact_from(k, &x_a, &x_b, Some(&seed)).unwrap();
            // (the search ends where slopes are rounding errors, 2e-13, which the slight crown, of 5e-4 per metre, turns into 4e-10 m of way; on edges of at least a quarter of a
            // millimetre's radius that way turns the normal)
            let way = (free.p_a - on.p_a).norm();
            let same =
                way < 1e-9 && (free.p_b - on.p_b).norm() < 1e-9 && (free.delta - on.delta).abs() < 1e-15;
            let turned = (free.n - on.n).norm();
            assert!(
                same && turned < 1e-12 + 2.0 * way / 0.25e-3,
                "feature {k}, piece {piece:x}: {free:?} {on:?}"
            );
            let (room, _) = pair.piece_ends(k, &x_a, &x_b, piece).unwrap();
            assert!(room > -1e-9, "feature {k}, piece {piece:x}: {room:e}");
            held += 1;
            pieces.insert(piece);
            // (near an end rounding decides on which side the search is; derivatives are compared where levels are distances from the core)
            if room < 1e-6 || free.delta > 0.45e-3 {
                continue;
            }
            let slopes = |seed| {
                let c = pair.contact_dual_from(k, &still(&x_a), &moving(&x_b), seed).unwrap().unwrap();
                let all = c.p_a.iter().chain(&c.p_b).chain(&c.n).chain([&c.delta]);
                all.flat_map(|v| v.eps).collect::<Vec<f64>>()
            };
            let (free, on) = (slopes(None), slopes(Some(&seed)));
            let size = free.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
            for (a, b) in free.iter().zip(&on) {
                assert!((a - b).abs() < 1e-8 * size, "feature {k}, piece {piece:x}: {a} {b}");
            }
        }
    }
    assert!(held > 2000 && pieces.len() > 30, "{held} points on {} pieces", pieces.len());
}

/// Where a piece ends, the one that is said to follow does; up to there it is the one that is found.
#[test]
fn where_a_piece_ends_the_next_one_begins() {
    let mut r = Random(12);
    let (mut ends, mut followed) = (0, 0);
    for _ in 0..1000 {
        let (pair, x_a, x_b) = lying(&mut r);
        let (v, w) = (r.vector() * 3e-3, r.vector() * 3e-3);
        let at =
            |t: f64| Pose { p: x_b.p + v * t, r: Quat::from_scaled_axis(w * t).to_rotation_matrix() * x_b.r };
        for k in 0..16 {
            let piece = pair.piece(k, &x_a, &x_b);
            let room = |t: f64| pair.piece_ends(k, &x_a, &at(t), piece).map_or(-1.0, |(room, _)| room);
            if piece == 0 || room(0.0) < 1e-6 || room(1.0) > -1e-6 {
                continue;
            }
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if room(middle) > 0.0 { low = middle } else { high = middle }
            }
            // (it ends in a leap where it is too deep, and may be short)
            if room(low) > 1e-6 || room(low - 1e-7) < 0.0 {
                continue;
            }
            ends += 1;
            assert_eq!(pair.piece(k, &x_a, &at(low - 1e-7)), piece, "feature {k}");
            let (_, next) = pair.piece_ends(k, &x_a, &at(high + 1e-7), piece).unwrap();
            followed += usize::from(next != 0 && pair.piece(k, &x_a, &at(high + 1e-7)) == next);
        }
    }
    // (at an edge that is deep no piece follows)
    assert!(ends > 100 && followed * 10 > ends * 8, "{followed} of {ends}");
}
