//! Many pairs of ellipsoids at once: the same as one by one. And how many steps a search from the pose before takes.

use crate::common::Random;
use crate::common::RandomSolids as _;
use carom_geometry::pairs::convex::Batch;
use carom_geometry::surfaces::Ellipsoid;
use carom_geometry::{Contact, PairFailure, Pose, Quat, Seed, Shape, Vec3, pairs};

/// Any pair of ellipsoids: far apart, near, in one another.
fn pair(r: &mut Random) -> ([Ellipsoid; 2], [Pose; 2]) {
    let eggs = [r.ellipsoid(10.0), r.ellipsoid(10.0)];
    (eggs, [r.pose(0.4), r.pose(0.8)])
}

fn assert_same(found: &Result<Contact, PairFailure>, want: &Result<Contact, PairFailure>, what: &str) {
    let (Ok(found), Ok(want)) = (found, want) else { panic!("{what}: {found:?} {want:?}") };
    assert!((found.delta - want.delta).abs() < 1e-13, "{what}: {} {}", found.delta, want.delta);
    // normals are as exact as the surfaces are curved: where s is large, R_A + R_B + s E is, too
    for (x, y) in [(found.n, want.n), (found.p_a, want.p_a), (found.p_b, want.p_b)] {
        assert!((x - y).norm() < 1e-13, "{what}: {x} {y}");
    }
}

#[test]
fn a_batch_is_its_pairs_one_by_one() {
    let mut r = Random(7);
    // a count that leaves a block half empty
    let (eggs, mut x): (Vec<_>, Vec<_>) = (0..203).map(|_| pair(&mut r)).unzip();
    let bound: Vec<_> =
        eggs.iter().map(|[a, b]| pairs::bind(&Shape::outside(*a), &Shape::outside(*b)).unwrap()).collect();
    let mut batch = Batch::new(&eggs);
    let mut contacts = Vec::new();
    let mut deep = 0;
    // from scratch; then from a pose shortly before; then from anywhere
    for step in [0.0, 0.01, 0.1, 3.0] {
        for [_, b] in &mut x {
            let turn = Quat::from_scaled_axis(r.direction() * step);
            *b = Pose { p: b.p + r.direction() * (0.1 * step), r: turn.to_rotation_matrix().matrix() * b.r };
        }
        batch.contacts(&x, &mut contacts);
        assert_eq!(contacts.len(), batch.len());
        for (k, (found, [x_a, x_b])) in contacts.iter().zip(&x).enumerate() {
            let want = bound[k].contact(0, x_a, x_b);
            let coats: f64 = eggs[k].iter().map(|egg| egg.radii_of_curvature()[0]).sum();
            deep += usize::from(want.as_ref().unwrap().delta > coats);
            assert_same(found, &want, &format!("{step} {k}"));
        }
    }
    // the ordinary path has had its share
    assert!(deep > 40, "{deep}");
}

#[test]
fn bad_poses_spoil_only_their_own_pair_and_only_once() {
    let egg = Ellipsoid::new([0.3, 0.2, 0.1]).unwrap();
    let at = |x: f64| [Pose::identity(), Pose::at(Vec3::new(x, 0.0, 0.0))];
    let mut batch = Batch::new(&[[egg, egg]; 10]);
    let mut contacts = Vec::new();
    let good = [at(0.7); 10];
    let mut bad = good;
    bad[3] = at(f64::NAN);
    for x in [good, bad, good] {
        batch.contacts(&x, &mut contacts);
        for (found, [_, x_b]) in contacts.iter().zip(&x) {
            match found {
                Ok(c) => assert!((c.delta + 0.1).abs() < 1e-16, "{}", c.delta),
                Err(e) => assert!(x_b.p.x.is_nan() && *e == PairFailure::NotFinite),
            }
        }
    }
    // fewer poses, fewer contacts; none, none
    batch.contacts(&good[..9], &mut contacts);
    assert_eq!(contacts.len(), 9);
    batch.contacts(&[], &mut contacts);
    assert!(contacts.is_empty() && Batch::new(&[]).is_empty());
}

#[test]
fn a_forgotten_batch_starts_anew() {
    let mut r = Random(8);
    let (eggs, x): (Vec<_>, Vec<_>) = (0..16).map(|_| pair(&mut r)).unzip();
    let (mut batch, mut first, mut again) = (Batch::new(&eggs), Vec::new(), Vec::new());
    batch.contacts(&x, &mut first);
    batch.contacts(&x.iter().map(|[a, b]| [*b, *a]).collect::<Vec<_>>(), &mut again);
    batch.forget();
    batch.contacts(&x, &mut again);
    let numbers = |c: &[Result<Contact, PairFailure>]| {
        c.iter().flatten().map(|c| (c.p_a, c.n, c.delta)).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&first), numbers(&again));
}

/// 50 pairs that turn and pass, 0.01 rad and 1 % of the size a step: three steps of iteration are the rule.
#[test]
fn three_steps_follow_a_smooth_motion() {
    let mut r = Random(9);
    let mut steps = Vec::new();
    for _ in 0..50 {
        let [a, b] = [r.ellipsoid(5.0), r.ellipsoid(5.0)];
        let size = a.semi_axes().max() + b.semi_axes().max();
        let pair = pairs::bind(&Shape::outside(a), &Shape::outside(b)).unwrap();
        let (turns, spins) = ([r.turn(), r.turn()], [r.direction(), r.direction()]);
        let (along, aside) = (r.direction(), r.direction());
        let mut seed: Option<Seed> = None;
        for k in 0..60 {
            let t = 0.01 * f64::from(k - 30);
            let pose = |i: usize, p: Vec3| Pose::new(p, &(Quat::from_scaled_axis(spins[i] * t) * turns[i]));
            let x_a = pose(0, Vec3::zeros());
            let x_b = pose(1, aside.cross(&along).normalize() * (1.05 * size) + along * (size * t));
            let found = pair.search(&x_a, &x_b, seed.as_ref()).unwrap();
            if seed.is_some() {
                steps.push(found.steps);
            }
            seed = Some(Seed::of(&found.contact, &x_a, &x_b));
        }
    }
    steps.sort_unstable();
    assert!(steps[steps.len() / 2] <= 3 && steps[steps.len() - 1] <= 5, "{:?}", &steps[steps.len() - 9..]);
}
