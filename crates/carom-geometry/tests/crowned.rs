//! Convex solids with flat faces, edges and rims: where they touch, that nothing jumps, and that forces have a potential.

use carom_base::{Dual, Scalar};
use carom_base::{Pose, Quat, Vec3};
use carom_geometry::pairs::crowned::Crowned;
use carom_geometry::surfaces::{Capsule, Cone, Cuboid, Cylinder, Polyhedron};
use carom_geometry::{BoundPair, Contact, PairSolver, Seed, Shape, Side};
use carom_testkit::{Random, one_in};

/// One solid of each kind, of different sizes.
fn solids() -> Vec<Shape> {
    let prism: Vec<[f64; 3]> = (0..12)
        .map(|k| {
            let (sin, cos) = (std::f64::consts::FRAC_PI_3 * f64::from(k % 6)).sin_cos();
            [0.5 * cos, 0.5 * sin, if k < 6 { -0.3 } else { 0.4 }]
        })
        .collect();
    vec![
        Shape::outside(Cuboid::new([0.7, 1.1, 0.5]).unwrap()),
        Shape::outside(Cylinder::new(0.4, 0.9).unwrap()),
        Shape::outside(Capsule::new(0.3, 0.8).unwrap()),
        Shape::outside(Polyhedron::new(&prism).unwrap()),
        Shape::outside(Cone::new(0.5, 0.0, 0.9).unwrap()),
        Shape::outside(Cone::new(0.2, 0.6, 0.6).unwrap()),
    ]
}

fn bound(a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
    Crowned.bind(a, b)
}

fn turned(random: &mut Random) -> Quat {
    Quat::from_scaled_axis(Vec3::from_fn(|_, _| 6.0 * random.next() - 3.0))
}

/// A pose of A, B's being the identity, with a gap from the depth `low` to `high` [m] at its nearest contact point.
fn placed(pair: &dyn BoundPair, random: &mut Random, low: f64, high: f64) -> Option<Pose> {
    let towards = Vec3::from_fn(|_, _| random.next() - 0.5).normalize();
    let turn = turned(random);
    let wanted = low + (high - low) * random.next();
    let mut x = Pose::new(towards * 3.0, &turn);
    for _ in 0..60 {
        let (_, c) = pair.nearest(&x, &Pose::identity()).ok()?;
        // the gap shrinks no faster than the centre moves
        let step = -c.delta - wanted;
        if step.abs() < 1e-6 {
            break;
        }
        x.p -= towards * step;
    }
    Some(x)
}

/// The least of distance and crown over points of A, by search: from closest points of the solids alone, over ever smaller cubes.
fn searched(a: &Shape, b: &Shape, x: &Pose, anchor: &Vec3, start: &Vec3) -> f64 {
    let radius = a.surface.bounds().radius / 1e-4;
    let (a, b) = (a.surface.as_project().unwrap(), b.surface.as_project().unwrap());
    let g = |p: &Vec3| {
        let on = a.closest_point(Side::Outside, 0, p);
        let p = if on.d > 0.0 { on.p } else { *p };
        (b.closest_point(Side::Outside, 0, &x.point(&p)).d + (p - anchor).norm_squared() / (2.0 * radius), p)
    };
    let (mut best, mut at) = g(start);
    let mut width = 0.3;
    while width > 1e-9 {
        let centre = at;
        for k in 0..125 {
            let step = |d: i32| f64::from(d % 5 - 2) * 0.5 * width;
            let (value, p) = g(&(centre + Vec3::new(step(k), step(k / 5), step(k / 25))));
            if value < best {
                (best, at) = (value, p);
            }
        }
        if at == centre {
            width *= 0.6;
        }
    }
    best
}

#[test]
fn the_gap_is_the_least_of_all() {
    let (solids, mut random) = (solids(), Random::of("least gap"));
    let (mut worst, mut tried): (f64, _) = (0.0, 0);
    for a in &solids {
        for b in &solids {
            let Some(pair) = bound(a, b) else { continue };
            // a capsule is crowned along its axis, not over its surface
            if a.surface.kind() == "capsule" {
                continue;
            }
            let anchors = a.surface.as_support().unwrap().anchors();
            for _ in 0..8 {
                let x = placed(&*pair, &mut random, 0.05, 0.3).unwrap();
                for (k, anchor) in anchors.iter().enumerate().take(3) {
                    let c = pair.contact(k, &x, &Pose::identity()).unwrap();
                    let searched = searched(a, b, &x, anchor, anchor);
                    // (a rounded edge is no nearer than a sharp one, and at most its radius further; anchors are √3 times 2 % of the inner ball further in than corners, which the crown tells by 2 κ of that at most)
                    let off = -c.delta - searched;
                    let inset = 2e-4 * 3f64.sqrt() * 0.02 * 0.4;
                    assert!((-inset..0.01).contains(&off), "{} {}: {off:e}", a.describe(), b.describe());
                    worst = worst.max(off.abs());
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 150 && worst > 0.0, "{tried}");
}

/// A small motion of a body: translation and rotation vector about its origin.
fn shifted(x: &Pose, v: &Vec3, w: &Vec3, h: f64) -> Pose {
    let turn = Quat::from_scaled_axis(w * h);
    Pose { p: x.p + v * h, r: turn.to_rotation_matrix().matrix() * x.r }
}

#[test]
fn rates_are_those_of_the_material() {
    let (solids, mut random) = (solids(), Random::of("rates"));
    let (mut seen, mut off) = (0, 0);
    for a in &solids {
        for b in &solids {
            let Some(pair) = bound(a, b) else { continue };
            for _ in 0..40 {
                let x = placed(&*pair, &mut random, -0.002, 0.05).unwrap();
                let [v, w] = [0, 1].map(|_| Vec3::from_fn(|_, _| random.next() - 0.5));
                for k in 0..pair.features() {
                    let at = |h: f64| pair.contact(k, &shifted(&x, &v, &w, h), &Pose::identity()).unwrap();
                    let c = at(0.0);
                    let h = 1e-7;
                    let slope = (at(h).delta - at(-h).delta) / (2.0 * h);
                    let at_p = v + w.cross(&(c.p_a - x.p));
                    let rate = c.common_rate(|| [at_p, w]).unwrap_or(at_p.dot(&c.n));
                    // where pieces meet within the difference it is as wrong as that is long
                    off += usize::from((slope - rate).abs() > 1e-6);
                    seen += 1;
                }
            }
        }
    }
    assert!(off * 500 < seen, "{off} of {seen}");
}

/// The energy of springs at all contact points, with the force and torque about A's origin.
fn energy(pair: &dyn BoundPair, x: &Pose) -> (f64, Vec3, Vec3, usize) {
    let (mut e, mut f, mut t, mut touching) = (0.0, Vec3::zeros(), Vec3::zeros(), 0);
    for k in 0..pair.features() {
        let c = pair.contact(k, x, &Pose::identity()).unwrap();
        if c.delta > 0.0 {
            e += c.share * c.lever() * 0.4 * c.delta.powf(2.5);
            let push = c.n * (-c.share * c.delta.powf(1.5));
            f += push;
            t += (c.p_a - x.p).cross(&push);
            touching += 1;
        }
    }
    (e, f, t, touching)
}

#[test]
fn flat_on_flat_the_force_is_that_of_a_potential() {
    // tilts from none over those at which contact points run over the face to large ones, on faces, over edges, at corners
    let (solids, mut random) = (solids(), Random::of("potential"));
    let (mut worst, mut seen): (f64, _) = (0.0, 0);
    for a in &solids {
        for b in &solids {
            let Some(pair) = bound(a, b) else { continue };
            for round in 0..20 {
                let tilt = if round % 4 == 0 { 0.0 } else { 10f64.powf(-6.0 * random.next()) };
                let turn = Quat::from_scaled_axis(Vec3::z() * (3.0 * random.next()))
                    * Quat::from_scaled_axis(Vec3::new(random.next() - 0.5, random.next() - 0.5, 0.0) * tilt);
                let mut x =
                    Pose::new(Vec3::new(0.6 * random.next() - 0.3, 0.6 * random.next() - 0.3, 2.0), &turn);
                for _ in 0..40 {
                    x.p.z += pair.nearest(&x, &Pose::identity()).unwrap().1.delta - 1e-3;
                }
                let (e, f, t, touching) = energy(&*pair, &x);
                assert!(
                    touching > 0 && e > 0.0,
                    "{} {} {touching} {e} {:?} {:?}",
                    a.describe(),
                    b.describe(),
                    x,
                    pair.nearest(&x, &Pose::identity())
                );
                for i in 0..6 {
                    let (mut v, mut w) = (Vec3::zeros(), Vec3::zeros());
                    if i < 3 {
                        v[i] = 1.0
                    } else {
                        w[i - 3] = 1.0
                    }
                    let h = 1e-6;
                    let at = |h: f64| energy(&*pair, &shifted(&x, &v, &w, h)).0;
                    let slope = (at(h) - at(-h)) / (2.0 * h);
                    let force = if i < 3 { f[i] } else { t[i - 3] };
                    worst = worst.max((slope + force).abs() / (f.norm() + t.norm()));
                    seen += 1;
                }
            }
        }
    }
    assert!(worst < 1e-3 && seen > 1000, "{worst} {seen}");
}

/// Solids as deep in one another as a quarter of their thickness, wherever they meet: edges, rims and corners have one normal, and forces a potential.
#[test]
fn deep_in_one_another_the_force_is_that_of_a_potential() {
    let (solids, mut random) = (solids(), Random::of("deep potential"));
    let (mut worst, mut seen): (f64, _) = (0.0, 0);
    for a in &solids {
        for b in &solids {
            let Some(pair) = bound(a, b) else { continue };
            for round in one_in(7, 0..80) {
                let depth = [0.01, 0.03, 0.1][round % 3];
                let x = placed(&*pair, &mut random, -depth, -0.5 * depth).unwrap();
                let (_, f, t, touching) = energy(&*pair, &x);
                assert!(touching > 0);
                for i in 0..6 {
                    let (v, w) = unit(i);
                    let at = |h: f64| energy(&*pair, &shifted(&x, &v, &w, h)).0;
                    let force = if i < 3 { f[i] } else { t[i - 3] };
                    worst = worst.max((slope(at, 1e-5) + force).abs() / (f.norm() + t.norm()));
                    seen += 1;
                }
            }
        }
    }
    assert!(worst < 1e-9 && seen > 1000, "{worst:e} of {seen}");
}

fn unit(i: usize) -> (Vec3, Vec3) {
    let of = |at: usize| Vec3::from_fn(|j, _| if at + j == i { 1.0 } else { 0.0 });
    (of(0), of(3))
}

/// A derivative by differences, of fourth order.
fn slope(at: impl Fn(f64) -> f64, h: f64) -> f64 {
    (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
}

/// The pose with its derivatives by translation and rotation about its origin.
fn moving(x: &Pose) -> Pose<Dual<6>> {
    let variable = |v: f64, i: usize| Dual::<6>::variable(v, i);
    let small = Vec3::new(variable(0.0, 3), variable(0.0, 4), variable(0.0, 5));
    let turned = x.r.map(Dual::from_f64);
    let by_turn = carom_base::Mat3::from_columns(&[0, 1, 2].map(|i| small.cross(&turned.column(i))));
    Pose { p: Vec3::from_fn(|i, _| variable(x.p[i], i)), r: turned + by_turn }
}

#[test]
fn deep_in_one_another_derivatives_are_those_of_differences() {
    let (solids, mut random) = (solids(), Random::of("deep derivatives"));
    let still =
        Pose { p: Vec3::zeros().map(Dual::from_f64), r: Pose::<f64>::identity().r.map(Dual::from_f64) };
    let (mut corners, mut seen) = (0, 0);
    for a in &solids {
        for b in &solids {
            let Some(pair) = bound(a, b) else { continue };
            for round in one_in(30, 0..90) {
                let depth = [0.01, 0.03, 0.1][round % 3];
                let x = placed(&*pair, &mut random, -depth, -0.5 * depth).unwrap();
                for k in 0..pair.features() {
                    let exact = pair.contact_dual(k, &moving(&x), &still).unwrap().unwrap();
                    let parts = |c: &Contact| {
                        let common = c.common.map_or([1.0, 0.0], |common| [common.lever, common.n.x]);
                        [c.delta, c.share, c.n.x, c.n.y, c.p_a.y, c.p_b.z, common[0], common[1]]
                    };
                    let by_pose = |i: usize| {
                        let common = exact.common.map_or([0.0; 2], |c| [c.lever.eps[i], c.n.x.eps[i]]);
                        let [delta, share] = [exact.delta, exact.share].map(|c| c.eps[i]);
                        let [n, p_a, p_b] = [exact.n, exact.p_a, exact.p_b].map(|v| v.map(|c| c.eps[i]));
                        [delta, share, n.x, n.y, p_a.y, p_b.z, common[0], common[1]]
                    };
                    let by_pose = [0, 1, 2, 3, 4, 5].map(by_pose);
                    for j in 0..8 {
                        let largest = by_pose.iter().fold(1.0, |m: f64, of| m.max(of[j].abs()));
                        for (i, of) in by_pose.iter().enumerate() {
                            let (v, w) = unit(i);
                            let at = |h: f64| pair.contact(k, &shifted(&x, &v, &w, h), &Pose::identity());
                            let [wide, narrow] =
                                [1e-5, 5e-6].map(|h| slope(|h| parts(&at(h).unwrap())[j], h));
                            seen += 1;
                            // (where walls change within the difference, it is wrong; rounding of a normal is that of a place, 1e-16, over the least radius of an edge and the step)
                            if (wide - narrow).abs() > 1e-7 * largest {
                                corners += 1;
                                continue;
                            }
                            let error = (narrow - of[j]).abs() / largest;
                            assert!(error < 1e-7, "{a:?} {b:?} {x:?} {k} {i} {j}: {error:e}");
                        }
                    }
                }
            }
        }
    }
    assert!(corners * 200 < seen && seen > 10_000, "{corners} of {seen}");
}

#[test]
fn a_search_from_the_last_point_ends_where_a_new_one_does() {
    let (solids, mut random) = (solids(), Random::of("seeds"));
    let (mut worst, mut seen): (f64, _) = (0.0, 0);
    for a in &solids {
        for b in &solids {
            let Some(pair) = bound(a, b) else { continue };
            for _ in 0..10 {
                let Some(x) = placed(&*pair, &mut random, -0.05, 0.05) else { continue };
                let [v, w] = [0, 1].map(|_| Vec3::from_fn(|_, _| random.next() - 0.5));
                let y = shifted(&x, &v, &w, 10f64.powf(-1.0 - 5.0 * random.next()));
                for k in 0..pair.features() {
                    let (Ok(before), Ok(anew)) =
                        (pair.contact(k, &x, &Pose::identity()), pair.contact(k, &y, &Pose::identity()))
                    else {
                        continue;
                    };
                    let seed = Seed::of(&before, &x, &Pose::identity());
                    let c = pair.contact_from(k, &y, &Pose::identity(), Some(&seed)).unwrap();
                    worst = worst.max((c.delta - anew.delta).abs()).max((c.p_a - anew.p_a).norm());
                    seen += 1;
                }
            }
        }
    }
    assert!(worst < 1e-8 && seen > 1000, "{worst:e} {seen}");
}

#[test]
fn derivatives_are_those_of_differences() {
    let (solids, mut random) = (solids(), Random::of("derivatives"));
    let (mut off, mut seen) = (0, 0);
    for a in &solids {
        for b in &solids {
            let Some(pair) = bound(a, b) else { continue };
            for _ in 0..10 {
                // some of them deeper than edges are rounded
                let Some(x) = placed(&*pair, &mut random, -0.03, 0.05) else { continue };
                let moved = moving(&x);
                let still = Pose {
                    p: Vec3::zeros().map(Dual::from_f64),
                    r: Pose::<f64>::identity().r.map(Dual::from_f64),
                };
                for k in 0..pair.features() {
                    let Ok(exact) = pair.contact_dual(k, &moved, &still).unwrap() else { continue };
                    for i in 0..6 {
                        let unit = |at: usize| Vec3::from_fn(|j, _| if at + j == i { 1.0 } else { 0.0 });
                        let h = 1e-6;
                        let at =
                            |h: f64| pair.contact(k, &shifted(&x, &unit(0), &unit(3), h), &Pose::identity());
                        let (Ok(plus), Ok(minus)) = (at(h), at(-h)) else { continue };
                        let slope = |f: fn(&Contact) -> f64| (f(&plus) - f(&minus)) / (2.0 * h);
                        let pairs = [
                            (slope(|c| c.delta), exact.delta.eps[i]),
                            (slope(|c| c.n.x), exact.n.x.eps[i]),
                            (slope(|c| c.p_a.y), exact.p_a.y.eps[i]),
                        ];
                        // (where walls change within the difference, it is wrong)
                        off +=
                            pairs.iter().filter(|(d, e)| !((d - e).abs() <= 1e-4 * (1.0 + e.abs()))).count();
                        seen += 3;
                    }
                }
            }
        }
    }
    assert!(off * 100 < seen && seen > 10_000, "{off} of {seen}");
}

#[test]
fn solids_that_are_apart_always_have_their_points() {
    let (solids, mut random) = (solids(), Random::of("apart"));
    let (mut failed, mut seen) = (Vec::new(), 0);
    for a in &solids {
        for b in &solids {
            let Some(pair) = bound(a, b) else { continue };
            for round in 0..60 {
                // at all distances, askew and in line
                let turn = match round % 3 {
                    0 => turned(&mut random),
                    1 => Quat::identity(),
                    _ => Quat::from_scaled_axis(Vec3::ith(round / 3 % 3, std::f64::consts::FRAC_PI_2)),
                };
                let towards = match round % 2 {
                    0 => Vec3::from_fn(|_, _| random.next() - 0.5).normalize(),
                    _ => Vec3::ith(round / 2 % 3, 1.0),
                };
                let x = Pose::new(towards * (0.5 + 2.0 * random.next()), &turn);
                let apart = pair.closest(&x, &Pose::identity()).unwrap().delta;
                for k in 0..pair.features() {
                    seen += 1;
                    if pair.contact(k, &x, &Pose::identity()).is_err() && apart < 0.01 {
                        failed.push(format!(
                            "{} {} {k} {apart} {:?}",
                            a.describe(),
                            b.describe(),
                            x.p.as_slice()
                        ));
                    }
                }
            }
        }
    }
    assert!(
        failed.is_empty() && seen > 1000,
        "{} of {seen}: {:#?}",
        failed.len(),
        &failed[..failed.len().min(20)]
    );
}

#[test]
fn nearly_parallel_barrels_and_faces_have_their_points() {
    let rod = |length: f64| Shape::outside(Cylinder::new(0.05, length).unwrap());
    let cone = Shape::outside(Cone::new(0.05, 0.03, 0.2).unwrap());
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    let (mut random, mut failed) = (Random::of("parallel"), Vec::new());
    for (a, b) in [(rod(0.1), rod(0.4)), (rod(0.1), rod(0.1)), (cone.clone(), rod(0.4)), (cone.clone(), cone)]
    {
        let pair = bound(&a, &b).or_else(|| bound(&b, &a)).unwrap();
        for round in 0..200 {
            let lean = if round % 5 == 0 { 0.0 } else { 10f64.powf(-8.0 * random.next()) };
            let turn = Quat::from_scaled_axis(Vec3::from_fn(|_, _| lean * (random.next() - 0.5))) * lying;
            // side by side, from apart to deep
            let x = Vec3::new(0.1 * random.next() - 0.05, 0.0, 0.1 + 2e-3 - 6e-3 * random.next());
            for k in 0..pair.features() {
                if let Err(e) = pair.contact(k, &Pose::new(x, &turn), &Pose::new(Vec3::zeros(), &lying)) {
                    failed.push(format!(
                        "{} {} {k} {lean:e} {:?} {e:?}",
                        a.describe(),
                        b.describe(),
                        x.as_slice()
                    ));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}: {:#?}", failed.len(), &failed[..failed.len().min(12)]);
}

/// Prisms that are flush, one on the other: every contact point that touches has the normal of the face, to rounding, and the same depth.
#[test]
fn flush_faces_have_upright_normals() {
    let prism = &solids()[3];
    let pair = bound(prism, prism).unwrap();
    for turn in [0.0, std::f64::consts::FRAC_PI_3] {
        let turn = Quat::from_axis_angle(&Vec3::z_axis(), turn);
        let x = Pose::new(Vec3::new(0.0, 0.0, 0.7 - 1e-4), &turn);
        let all = (0..pair.features()).map(|k| pair.contact(k, &x, &Pose::identity()).unwrap());
        let touching: Vec<Contact> = all.filter(|c| c.delta > 0.0).collect();
        // (those of the upper corners come through the prism, and sag by its height)
        let deepest = touching.iter().filter(|c| (c.delta - 1e-4).abs() < 1e-14).count();
        assert!(deepest == 6 && touching.iter().all(|c| (c.n + Vec3::z()).norm() < 1e-12), "{touching:?}");
    }
}
