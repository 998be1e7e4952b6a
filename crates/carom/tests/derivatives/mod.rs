//! Compares the Jacobian with differences of the right-hand side, which must be zero outside of its pattern.

mod affine;
mod depth;
mod edges;
mod elements;
mod fields;
mod joints;
mod loads;
mod more;
mod rims;
mod slices;

use std::sync::Arc;

use carom_base::param::{Allowed, Presence};
use carom_base::{Args, Mat3, Param, Pose, Quat, Value, Vec3};
use carom_geometry::surfaces::{
    Capsule, Cuboid, Cylinder, Ellipsoid, Plane, Sphere, Superellipsoid, Supertorus, Torus,
};
use carom_geometry::{BoundPair, Shape, Side, pairs};
use carom_law::{Friction, Meeting, Normal, Stiffness, friction, normal};
use carom_ode::{Jacobian, Ode, Sparsity};
use nalgebra::Unit;

use crate::laws::fits;

use carom::{Body, ContactRule, Dof, EquationsOfMotion, Model, ModelBuilder, Orbit, SurfaceSpec};

/// How deep the surfaces overlap [m], where they are about 1 m large.
const DEPTH: f64 = 0.02;
/// The number of components of a rigid body.
const RIGID: usize = 13;

/// Returns values for a parameter that suit the scene: speeds are about 1 m/s, forces about 100 N.
fn value(p: &Param) -> Vec<Value> {
    if let Allowed::OneOf(words) = p.allowed {
        return words.iter().map(|w| Value::Text((*w).to_owned())).collect();
    }
    vec![Value::Number(match p.name {
        "stiffness" => 3e4,
        "exponent" => 1.7,
        "damping" | "restitution" => 0.6,
        "foundation_modulus" => 1e4,
        "radius" => 0.3,
        "plasticity" => 0.6,
        "yield_pressure" => 4e3,
        "adhesion_energy" => 20.0,
        "adhesion_range" => 1e-3,
        "adhesion_stiffness" => 1e3,
        "coefficient" => 0.4,
        "static_coefficient" => 0.7,
        "slope" | "decay" => 0.8,
        "v0" => 0.3,
        "viscous" => 0.2,
        "transition_force" => 30.0,
        "transition_rate" => 1.1,
        _ => 2.5,
    })]
}

/// Returns all combinations of these values, each optional parameter also left out; those with most parameters come first.
fn combinations(params: &[Param]) -> Vec<Args> {
    let mut all = vec![Args::new()];
    for p in params {
        let with = all.iter().flat_map(|args| value(p).into_iter().map(|x| args.clone().with(p.name, x)));
        let mut next: Vec<Args> = with.collect();
        if p.presence != Presence::Required {
            next.extend(all);
        }
        all = next;
    }
    all
}

/// Whether the stiffness needs neither materials nor curvatures.
fn known(stiffness: Stiffness) -> bool {
    !stiffness.asks_materials() && stiffness.at(0.0, &Meeting::in_point(0.0, 0.0)).is_ok()
}

/// The normal laws of the registry that need no materials, each with all its combinations.
pub(crate) fn normal_laws() -> Vec<Vec<Arc<dyn Normal>>> {
    let made = |e: &normal::NormalEntry| {
        let laws = combinations(e.entry.params).into_iter().filter_map(|args| e.make(&args).ok());
        let laws: Vec<_> = laws.filter(|law| known(law.stiffness())).collect();
        assert!(!laws.is_empty(), "no sample of {}", e.name());
        laws
    };
    normal::ALL.iter().filter(|e| !e.is_pressure()).map(made).collect()
}

/// The friction laws of the registry, each with all its combinations.
pub(crate) fn friction_laws() -> Vec<Vec<Arc<dyn Friction>>> {
    let made = |e: &friction::FrictionEntry| {
        let laws = combinations(e.entry.params).into_iter().filter_map(|args| e.make(&args).ok());
        let known = |law: &Arc<dyn Friction>| !law.follows_depth() || law.stiffness_ratio().is_some();
        let laws: Vec<_> = laws.filter(known).collect();
        assert!(!laws.is_empty(), "no sample of {}", e.name());
        laws
    };
    friction::ALL.iter().map(made).collect()
}

/// Returns every pair of shapes that can touch, in both orders.
fn couples() -> Vec<(Shape, Shape)> {
    let ball = Shape::outside(Sphere::new(0.3).unwrap());
    let plane = Shape::outside(Plane);
    let solids = [
        Shape::outside(Cylinder::new(0.5, 1.6).unwrap()),
        Shape::outside(Cuboid::new([1.0, 1.4, 0.8]).unwrap()),
        Shape::outside(Capsule::new(0.4, 1.0).unwrap()),
        Shape::outside(Torus::new(0.6, 0.2).unwrap()),
    ];
    let hollows = [
        Shape::outside(Sphere::new(0.7).unwrap()),
        Shape::outside(Supertorus::new(0.6, [0.2, 0.3], [3.5, 2.5]).unwrap()),
        Shape::inside(Sphere::new(2.0).unwrap()),
        Shape::inside(Cylinder::new(2.0, 4.0).unwrap()),
        Shape::inside(Cuboid::new([4.0, 4.0, 4.0]).unwrap()),
        Shape::inside(Capsule::new(2.0, 4.0).unwrap()),
    ];
    let mut all = vec![(plane.clone(), ball.clone())];
    all.extend(solids.clone().map(|s| (plane.clone(), s)));
    all.extend(solids.into_iter().chain(hollows).map(|s| (s, ball.clone())));
    let block = |size: [f64; 3]| Shape::outside(Cuboid::new(size).unwrap().with_edge_radius(0.06).unwrap());
    let rod = Shape::outside(Capsule::new(0.1, 0.6).unwrap());
    all.push((block([1.0, 1.4, 0.8]), block([0.5, 0.6, 0.4])));
    all.push((Shape::inside(Cuboid::new([4.0, 4.0, 4.0]).unwrap()), block([0.5, 0.6, 0.4])));
    all.push((block([1.0, 1.4, 0.8]), rod.clone()));
    let shaft = |length: f64| Shape::outside(Cylinder::new(0.5, length).unwrap());
    all.push((Shape::inside(Cylinder::new(2.0, 4.0).unwrap()), shaft(1.6)));
    all.push((Shape::inside(Cylinder::new(2.0, 0.4).unwrap()), shaft(9.0)));
    all.push((Shape::outside(Capsule::new(0.2, 1.0).unwrap()), rod));
    let ring = |major: f64, minor: f64| Shape::outside(Torus::new(major, minor).unwrap());
    all.push((ring(0.6, 0.2), ring(0.5, 0.1)));
    let egg = Shape::outside(Ellipsoid::new([0.5, 0.3, 0.4]).unwrap());
    let die = Shape::outside(Superellipsoid::new([0.4, 0.3, 0.5], [2.5, 3.0, 2.0]).unwrap());
    for other in [egg.clone(), die, block([0.9, 1.1, 0.7]), ring(0.6, 0.2)] {
        all.push((egg.clone(), other));
    }
    all.push((Shape::inside(Sphere::new(2.0).unwrap()), egg));
    all.extend(all.clone().into_iter().map(|(a, b)| (b, a)));
    all
}

/// Moves B along the normal until it overlaps A by DEPTH.
fn touching(pair: &dyn BoundPair, x_a: &Pose, x_b: &mut Pose) {
    for _ in 0..50 {
        let (_, c) = pair.nearest(x_a, x_b).unwrap();
        x_b.p += c.n * (c.delta - DEPTH);
    }
}

/// The surface of a body that has this shape.
fn surface_of(shape: &Shape) -> SurfaceSpec {
    let surface = SurfaceSpec::from_arc(Arc::clone(&shape.surface));
    if shape.side == Side::Inside { surface.inside() } else { surface }
}

/// Returns a moving, rotating body with an inertia without symmetry, an offset centre of mass and a rotated surface.
fn lopsided(name: &str, shape: &Shape, at: Vec3, turn: Quat, sign: f64) -> Body {
    lopsided_by(name, surface_of(shape), at, turn, sign)
}

/// The same with a surface that may have a material.
fn lopsided_by(name: &str, surface: SurfaceSpec, at: Vec3, turn: Quat, sign: f64) -> Body {
    let turned = Quat::from_euler_angles(0.7 * sign, -0.2, 0.5);
    let tensor = Mat3::new(0.5, 0.03, -0.05, 0.03, 0.7, 0.02, -0.05, 0.02, 0.6);
    Body::new(name)
        .mass(1.3)
        .inertia_tensor(tensor)
        .centre_of_mass([0.05, -0.08, 0.11])
        .position(at.into())
        .orientation(turn * turned.inverse())
        .velocity([0.4 * sign, -0.3, 0.5 * sign])
        .angular_velocity([0.6, -0.9 * sign, 0.7])
        .surface(surface.turned(turned))
}

/// Builds a model of two lopsided bodies that overlap, as modified by `change`.
fn scene(
    (a, b): &(Shape, Shape),
    laws: (&Arc<dyn Normal>, Option<&Arc<dyn Friction>>),
    change: impl Fn(Body, Body) -> (Body, Body),
) -> Model {
    built((a, b), laws, change, |builder, rule| {
        builder.contact(rule);
    })
}

/// Builds a model of two lopsided bodies that overlap; `more` adds the contact rule.
fn built(
    (a, b): (&Shape, &Shape),
    laws: (&Arc<dyn Normal>, Option<&Arc<dyn Friction>>),
    change: impl Fn(Body, Body) -> (Body, Body),
    more: impl Fn(&mut ModelBuilder, ContactRule),
) -> Model {
    placed_by((a, b), laws, change, more, |a, b| pairs::bind(a, b).unwrap())
}

/// Builds a model of two lopsided bodies that `pair` moves until they overlap; `more` adds the contact rule.
fn placed_by(
    (a, b): (&Shape, &Shape),
    laws: (&Arc<dyn Normal>, Option<&Arc<dyn Friction>>),
    change: impl Fn(Body, Body) -> (Body, Body),
    more: impl Fn(&mut ModelBuilder, ContactRule),
    pair: impl Fn(&Shape, &Shape) -> Box<dyn BoundPair>,
) -> Model {
    let turns = [Quat::from_euler_angles(0.4, 0.3, -0.9), Quat::from_euler_angles(0.3, -0.8, 0.2)];
    let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.3), &turns[0]);
    let mut x_b = Pose::new(x_a.p + Vec3::new(0.6, 0.5, 0.9), &turns[1]);
    touching(&*pair(a, b), &x_a, &mut x_b);
    let (a, b) = change(lopsided("a", a, x_a.p, turns[0], 1.0), lopsided("b", b, x_b.p, turns[1], -1.0));
    let mut builder = ModelBuilder::new();
    builder.body(a).body(b);
    let mut rule = ContactRule::between("a", "b").normal_arc(Arc::clone(laws.0));
    if let Some(friction) = laws.1 {
        rule = rule.friction_arc(Arc::clone(friction));
    }
    more(&mut builder, rule);
    builder.build().unwrap()
}

/// An entry by differences of sixth order, with two step sizes.
#[derive(Clone, Copy, Default)]
struct Quotient {
    wide: f64,
    narrow: f64,
}

/// The steps of differences.
#[derive(Clone, Copy)]
struct Steps {
    /// for entries that are to agree
    wide: f64,
    narrow: f64,
    /// the number of differences, by steps down to two thirds of these, whose mean is taken for a column of a body: it has less of the rounding of each. Columns of memories, by which no point moves, are then by usual steps
    mean_of: u32,
}

/// Where points move no faster than their bodies.
const USUAL: Steps = Steps { wide: 2e-4, narrow: 1e-4, mean_of: 1 };
/// Where points move over the whole of a rim within 1e-4 of its size, so that steps must be shorter, and differences have fewer digits.
const FINE: Steps = Steps { wide: 1e-6, narrow: 8e-7, mean_of: 60 };

/// Computes all entries by differences.
fn differences(
    equations: &mut EquationsOfMotion<'_>,
    t: f64,
    y: &[f64],
    n: usize,
    steps: Steps,
) -> Vec<Vec<Quotient>> {
    let mut all = vec![vec![Quotient::default(); n]; n];
    let memories = equations.memories(y.len());
    let mut at = |column: usize, step: f64| {
        let (mut y, mut dy) = (y.to_vec(), vec![0.0; y.len()]);
        y[column] += step;
        equations.rhs(t, &y, &mut dy).unwrap();
        dy
    };
    for k in 0..n {
        let steps = if memories.contains(&k) && steps.mean_of > 1 { USUAL } else { steps };
        for (h, narrow) in [steps.wide, steps.narrow].into_iter().zip([false, true]) {
            for part in 0..steps.mean_of {
                let h = h * (1.0 - f64::from(part) / f64::from(3 * steps.mean_of));
                let f = [1.0, 2.0, 3.0].map(|i| (at(k, i * h), at(k, -i * h)));
                for i in 0..n {
                    let d = |s: usize| f[s].0[i] - f[s].1[i];
                    let slope = (45.0 * d(0) - 9.0 * d(1) + d(2)) / (60.0 * h * f64::from(steps.mean_of));
                    *(if narrow { &mut all[i][k].narrow } else { &mut all[i][k].wide }) += slope;
                }
            }
        }
    }
    all
}

/// Returns the initial state, with all bodies rotating and with quaternions a little longer than 1, as in trial states.
fn trial_state(equations: &mut EquationsOfMotion<'_>) -> Vec<f64> {
    let mut y = equations.initial_state();
    for (_, components) in equations.bodies() {
        let body = &mut y[components];
        if body.len() == RIGID {
            body[3..7].iter_mut().for_each(|q| *q *= 1.03);
            body[10..].iter_mut().zip([0.2, -0.1, 0.3]).for_each(|(w, more)| *w += more);
        } else {
            // adds a little of every strain and strain rate, of volume too
            body[3..12].iter_mut().enumerate().for_each(|(i, f)| *f += 0.01 * (1.0 + i as f64).sin());
            body[15..].iter_mut().enumerate().for_each(|(i, f)| *f += 0.3 * (2.0 + i as f64).cos());
        }
    }
    // bent bristles, a little out of the tangent plane too
    let memories = equations.memories(y.len());
    for memory in y[memories].chunks_mut(4) {
        memory.copy_from_slice(&[0.013, -0.021, 0.017, 0.3]);
    }
    y
}

/// Whether the state has memories of friction.
fn has_memories(model: &Model) -> bool {
    let mut equations = model.equations().unwrap();
    let length = equations.initial_state().len();
    !equations.memories(length).is_empty()
}

/// Compares all entries where something touches; returns how many there were, and how many of them lie at a kink of a law.
fn check(model: &Model, what: &str) -> (usize, usize) {
    let mut equations = model.equations().unwrap();
    let y = trial_state(&mut equations);
    assert!(equations.active_contacts() > 0, "{what}: nothing touches");
    compare(&mut equations, &y, what)
}

/// Fails where forces and couples between bodies do not sum to zero to 1e-14 of the sum of their magnitudes. Points that a joint holds together coincide only where its equations hold, so for
/// joints the bodies are assembled first.
fn check_balance(equations: &mut EquationsOfMotion<'_>, t: f64, y: &[f64], what: &str) {
    let assembled;
    let has_joints = equations.model().joint_names().next().is_some();
    let (t, y) = match has_joints {
        false => (t, y),
        true => {
            assembled = equations.assembled_state().unwrap();
            (0.0, assembled.as_slice())
        }
    };
    let sums = equations.internal_forces(t, y).unwrap();
    for (sum, size, name) in
        [(sums.force, sums.force_size, "forces"), (sums.moment, sums.moment_size, "torques")]
    {
        assert!(sum.norm() <= 1e-14 * size, "{what}: {name} of {size:e} sum to {:e}", sum.norm());
    }
}

/// Compares all entries, whether anything touches or not; returns how many there were, and how many of them lie at a
/// kink of a law.
fn compare(equations: &mut EquationsOfMotion<'_>, y: &[f64], what: &str) -> (usize, usize) {
    compare_by(equations, y, what, USUAL, 1e-9)
}

/// The same with differences of these two steps, up to that part of the largest entry of a row.
fn compare_by(
    equations: &mut EquationsOfMotion<'_>,
    y: &[f64],
    what: &str,
    steps: Steps,
    within: f64,
) -> (usize, usize) {
    assert_eq!(equations.components().dim(), Some(y.len()));
    let n = y.len() - equations.components().quadratures();
    let sparsity = equations.derivatives().sparsity().unwrap();
    let mut j = Jacobian::new(sparsity.clone());
    let mut full = Jacobian::new(Sparsity::full(n));
    let t = 0.013;
    check_balance(equations, t, y, what);
    assert!(equations.derivatives().jacobian(t, y, &mut j).unwrap(), "{what}");
    equations.derivatives().jacobian(t, y, &mut full).unwrap();
    let numeric = differences(equations, t, y, n, steps);
    let (mut entries, mut corners) = (0, 0);
    for i in 0..n {
        let largest = (0..n).fold(0.0f64, |m, k| m.max(j.get(i, k).abs()));
        for k in 0..n {
            let Quotient { wide, narrow } = numeric[i][k];
            assert_eq!(j.get(i, k), full.get(i, k), "{what}: ({i}, {k}) is outside of the pattern");
            if sparsity.rows(k).binary_search(&i).is_err() {
                assert_eq!((wide, narrow), (0.0, 0.0), "{what}: ({i}, {k}) is outside of the pattern");
            }
            entries += 1;
            if (wide - narrow).abs() > within * largest {
                corners += 1;
                continue;
            }
            let error = (j.get(i, k) - narrow).abs() / largest.max(f64::MIN_POSITIVE);
            assert!(error < within, "{what}: ({i}, {k}) is {:e}, not {narrow:e}", j.get(i, k));
        }
    }
    (entries, corners)
}

/// Every pair meets every normal law and every friction law, and every normal law every friction law (but not every pair every two laws: a pair knows nothing of laws).
#[test]
fn every_pair_with_every_law() {
    let (normal, friction) = (normal_laws(), friction_laws());
    let frictions: Vec<_> = friction.iter().map(|laws| Some(&laws[0])).chain([None]).collect();
    let all = couples();
    assert!(all.len() >= frictions.len());
    let mut met = vec![vec![false; frictions.len()]; normal.len()];
    let (mut entries, mut corners) = (0, 0);
    for (i, couple) in all.iter().enumerate() {
        for j in 0..normal.len().max(frictions.len()) {
            let (law, k) = (&normal[j % normal.len()][0], (i + j) % frictions.len());
            met[j % normal.len()][k] = true;
            if frictions[k].is_some_and(|friction| !fits(law.as_ref(), friction.as_ref())) {
                continue;
            }
            let model = scene(couple, (law, frictions[k]), |a, b| (a, b));
            assert_eq!(has_memories(&model), frictions[k].is_some_and(|law| law.remembers()));
            let what = format!("{} {} {law:?} {:?}", couple.0.describe(), couple.1.describe(), frictions[k]);
            let (all, some) = check(&model, &what);
            (entries, corners) = (entries + all, corners + some);
        }
    }
    assert!(met.iter().flatten().all(|met| *met), "two laws have not met");
    assert!(corners * 100 < entries, "{corners} corners in {entries}");
}

#[test]
fn every_sample_of_every_law() {
    let couple = &couples()[1];
    let (normal, friction) = (normal_laws(), friction_laws());
    let (mut entries, mut corners) = (0, 0);
    let mut see = |law: &Arc<dyn Normal>, friction: &Arc<dyn Friction>| {
        let what = format!("{law:?} {friction:?}");
        let model = scene(couple, (law, Some(friction)), |a, b| (a, b));
        assert_eq!(has_memories(&model), friction.remembers(), "{what}");
        let (all, some) = check(&model, &what);
        (entries, corners) = (entries + all, corners + some);
    };
    normal.iter().flatten().for_each(|law| see(law, &friction[0][0]));
    let hertz: Arc<dyn Normal> = Arc::new(normal::Hertz::new().stiffness(1e3));
    for law in friction.iter().flatten() {
        see(if law.needs_power() { &hertz } else { &normal[0][0] }, law);
    }
    assert!(corners * 100 < entries, "{corners} corners in {entries}");
}

/// Friction that follows the depth, in stick and in slip.
#[test]
fn every_mode_of_friction() {
    let hertz: Arc<dyn Normal> = Arc::new(normal::HuntCrossley::damping(0.3).unwrap().stiffness(1e3));
    let (mut entries, mut corners) = (0, 0);
    for law in friction_laws().iter().flatten().filter(|law| law.follows_depth()) {
        for (i, mode) in [1.0, 2.0, 3.0].into_iter().enumerate() {
            let couple = &couples()[2 * i];
            let model = scene(couple, (&hertz, Some(law)), |a, b| (a, b));
            let mut equations = model.equations().unwrap();
            let mut y = trial_state(&mut equations);
            let memories = equations.memories(y.len());
            y[memories].chunks_mut(4).for_each(|memory| memory[3] = mode);
            let (all, some) = compare(&mut equations, &y, &format!("{law:?} {mode}"));
            (entries, corners) = (entries + all, corners + some);
        }
    }
    assert!(entries > 0 && corners * 100 < entries, "{corners} corners in {entries}");
}

/// Bodies with restricted motion, bodies with equal moments of inertia about all axes, and prescribed bodies.
#[test]
fn every_kind_of_body() {
    let normal = normal::find("hunt-crossley").unwrap();
    let mut laws = combinations(normal.entry.params).into_iter().filter_map(|args| normal.make(&args).ok());
    let law = laws.find(|law| known(law.stiffness())).unwrap();
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    let axis = Unit::new_normalize(Vec3::new(0.3, -0.5, 0.8));
    let moved = |b: Body| {
        let orbit = Orbit { to_centre: Vec3::new(0.4, 0.3, -0.2), axis, rate: 0.3 };
        b.moved_by(orbit).velocity([0.0; 3]).angular_velocity([0.0; 3])
    };
    let held = |b: Body, dofs: &[Dof]| b.velocity([0.0; 3]).angular_velocity([0.0; 3]).dofs(dofs);
    let even = |b: Body| b.inertia([0.4; 3]);
    let centred = |b: Body| b.inertia([0.4; 3]).centre_of_mass([0.0; 3]);
    type Change<'a> = (&'a str, &'a dyn Fn(Body, Body) -> (Body, Body));
    let changes: [Change<'_>; 8] = [
        ("no turning", &|a, b| (held(a, &[Dof::X, Dof::Z]), b)),
        ("about one axis", &|a, b| (held(a, &[Dof::Y, Dof::Rz]), b)),
        ("both held", &|a, b| (held(a, &[Dof::X, Dof::Rx]), held(b, &[Dof::Ry, Dof::Z]))),
        ("A moved", &|a, b| (moved(a), b)),
        ("B moved", &|a, b| (a, moved(b))),
        ("A alike about every axis", &|a, b| (even(a), b)),
        ("B alike about its centre", &|a, b| (a, centred(b))),
        ("both alike about their centres", &|a, b| (centred(a), centred(b))),
    ];
    for couple in couples() {
        for (what, change) in &changes {
            let model = scene(&couple, (&law, Some(&tanh)), change);
            let what = format!("{} {}, {what}", couple.0.describe(), couple.1.describe());
            let (_, corners) = check(&model, &what);
            assert_eq!(corners, 0, "{what}");
        }
    }
}
