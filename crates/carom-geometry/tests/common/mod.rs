//! Samples of everything the registries hold, and random placements.
#![allow(dead_code, unreachable_pub, clippy::expect_used, clippy::unwrap_used)] // every test file uses its own part

pub mod meshes;
pub mod trial;

pub use carom_testkit::Random;
use std::sync::{Arc, LazyLock};

use carom_base::param::Presence;
use carom_base::{Args, Pose, Quat, Value, Vec3};
use carom_geometry::surfaces::{Cone, Ellipsoid, Superellipsoid};
use carom_geometry::{BoundPair, Contact, PairFailure, Project, Shape, Side, Surface, pairs, surfaces};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// One surface of every kind, and a frustum.
pub fn all_surfaces() -> Vec<Arc<dyn Surface>> {
    surfaces_from(0.5)
}

/// How many steps of 0.2 m the lengths of a kind begin above those of a sphere. They go by its name, so that another kind in the registry does not change them: sizes decide which
/// solids fit into which cavities.
fn steps_above(kind: &str) -> f64 {
    match kind {
        "sphere" => 0.0,
        "cylinder" => 1.0,
        "box" => 3.0,
        "capsule" => 6.0,
        "polyhedron" => 8.0,
        "torus" => 9.0,
        "supertorus" => 11.0,
        "ellipsoid" => 16.0,
        "superellipsoid" => 19.0,
        "barr-superellipsoid" => 25.0,
        // any other: as a middling one, so that rounding errors are no larger
        _ => 7.0,
    }
}

/// One surface of every kind, and a frustum; their parameters taken from their table: all different, the first above `length`.
fn surfaces_from(length: f64) -> Vec<Arc<dyn Surface>> {
    let sample = |entry: &carom_base::Entry<Arc<dyn Surface>>| {
        let mut length = length + 0.2 * steps_above(entry.name);
        let mut next = || {
            length += 0.2;
            length
        };
        if let Some(args) = open_args(entry.name) {
            return entry.make(&args).expect(entry.name);
        }
        let required = entry.params.iter().filter(|p| matches!(p.presence, Presence::Required));
        let args = required.fold(Args::new(), |args, p| {
            // a tube is thinner than its ring, and no edge is sharper than round
            let mut next = || match p.name {
                "minor_radius" | "semi_axes" => 0.3 * next(),
                "exponents" => 2.0 + next(),
                _ => next(),
            };
            let value = if p.list {
                Value::Numbers(rock(next()))
            } else if p.length == 1 {
                Value::Number(next())
            } else {
                Value::Numbers((0..p.length).map(|_| next()).collect())
            };
            args.with(p.name, value)
        });
        entry.make(&args).expect(entry.name)
    };
    let mut all: Vec<_> = surfaces::ALL.iter().map(sample).collect();
    // a cone without a tip as well, its top the wider one
    let frustum = Cone::new(length + 0.3, length + 0.7, length + 0.6).expect("a frustum");
    all.push(Arc::new(frustum));
    all
}

/// Corners of a lopsided rock of that size [m], blunt all over: a pentagon, wider and narrower, at three heights, and a point within.
pub fn rock(size: f64) -> Vec<f64> {
    let pentagon = [[0.75, -0.25], [0.5, 0.625], [-0.375, 0.75], [-0.75, -0.125], [0.0, -0.8125]];
    let at = |scale: f64, [dx, dy, z]: [f64; 3]| pentagon.map(|[x, y]| [scale * x + dx, scale * y + dy, z]);
    let rings = [at(0.75, [0.0, 0.0, -0.5]), at(1.0, [0.0; 3]), at(0.8125, [0.0625, 0.03125, 0.5])];
    let corners = rings.into_iter().flatten().chain([[0.125, 0.0, 0.0]]);
    corners.flatten().map(|x| x * size).collect()
}

/// What surfaces that can be open are made of: coefficients that go together, and a box.
pub fn open_args(kind: &str) -> Option<Args> {
    let numbers = |x: &[f64]| Value::Numbers(x.to_vec());
    let within = Value::Region { min: [-1.4, -1.7, -0.9], max: [1.6, 1.5, 0.8] };
    match kind {
        "quadric" => {
            let args = Args::new().with("coefficients", numbers(&[1.3, 0.9, -0.7, 0.0, 0.0, 0.0]));
            Some(args.with("within", within))
        }
        "superquadric" => {
            let args = Args::new().with("coefficients", numbers(&[1.2, 0.8, -0.6]));
            Some(args.with("exponents", numbers(&[2.5, 3.5])).with("within", within))
        }
        // a taper goes with its exponents
        "superovoid" => {
            let args = Args::new().with("semi_axes", numbers(&[0.6, 0.66, 0.72]));
            Some(args.with("exponents", numbers(&[2.2, 2.6])).with("taper", Value::Number(0.3)))
        }
        _ => None,
    }
}

/// Every surface with every side it has; cavities are wide enough for the ball.
pub fn all_shapes() -> Vec<Shape> {
    // some take their time to be made
    static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
        let shape = |side| move |surface| Shape { surface, side };
        let closed = surfaces_from(1.3).into_iter().filter(|s| s.has_inside());
        all_surfaces().into_iter().map(shape(Side::Outside)).chain(closed.map(shape(Side::Inside))).collect()
    });
    SHAPES.clone()
}

/// Whether the origin of `other` is between the caps, if the shape is the cavity of a cone: further up nothing but a cap bounds how its
/// mantle bends.
pub fn between_caps(shape: &Shape, x: &Pose, other: &Pose) -> bool {
    let cone = shape.surface.as_any().downcast_ref::<Cone>().filter(|_| shape.side == Side::Inside);
    cone.is_none_or(|cone| x.point_to_local(&other.p).z.abs() < 0.5 * cone.length() - 1e-3)
}

/// Every shape that knows closest points, with its features.
pub fn for_all_closest_points(mut check: impl FnMut(&Shape, &dyn Project, usize)) {
    for shape in all_shapes() {
        if let Some(project) = shape.surface.as_project() {
            for feature in 0..project.features(shape.side).len() {
                check(&shape, project, feature);
            }
        }
    }
}

/// Two shapes and their pair.
pub type Bound = (Shape, Shape, Box<dyn BoundPair>);

/// Every ordered pair of shapes that an algorithm knows. They are bound once: that takes longer than a contact.
pub fn all_pairs() -> &'static [Bound] {
    static PAIRS: LazyLock<Vec<Bound>> = LazyLock::new(|| {
        let shapes = all_shapes();
        let both = shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b)));
        // rims in the cavity of a superovoid take long, and are those in a superellipsoid to the algorithm: a cylinder tells for all
        let slow = |s: &Shape, other: &Shape| {
            s.describe() == "superovoid (inside)" && other.surface.kind() == "cone"
        };
        both.filter(|(a, b)| !slow(a, b) && !slow(b, a))
            .filter_map(|(a, b)| Some((a.clone(), b.clone(), pairs::bind(a, b).ok()?)))
            .collect()
    });
    &PAIRS
}

/// A contact point, unless the bodies are too far in one another for it to be one, or meet where the pair ends.
pub fn contact(pair: &dyn BoundPair, k: usize, x_a: &Pose, x_b: &Pose) -> Option<Contact> {
    match pair.contact(k, x_a, x_b) {
        Err(PairFailure::TooDeep | PairFailure::Rim) => None,
        // the ring itself is in the solid, as near to two of its sides: the normal is one of two
        Ok(c) if pair.solver() == "torus-convex" && c.delta > 0.5 => None,
        found => Some(found.unwrap()),
    }
}

pub fn vector(reach: f64) -> impl Strategy<Value = Vec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(Vec3::from)
}

pub fn turn() -> impl Strategy<Value = Quat> {
    vector(2.0).prop_map(Quat::from_scaled_axis)
}

pub fn pose(reach: f64) -> impl Strategy<Value = Pose> {
    (vector(reach), turn()).prop_map(|(p, q)| Pose::new(p, &q))
}

/// A frame in steady motion.
#[derive(Clone, Debug)]
pub struct Moving {
    pub p: Vec3,
    pub q: Quat,
    pub v: Vec3,
    pub w: Vec3,
}

impl Moving {
    pub fn at(&self, t: f64) -> Pose {
        Pose::new(self.p + self.v * t, &(Quat::from_scaled_axis(self.w * t) * self.q))
    }

    /// The velocity of the material point that is at `x` now.
    pub fn velocity(&self, x: &Vec3) -> Vec3 {
        self.v + self.w.cross(&(x - self.p))
    }
}

pub fn moving(reach: f64) -> impl Strategy<Value = Moving> {
    (vector(reach), turn(), vector(1.0), vector(1.0)).prop_map(|(p, q, v, w)| Moving { p, q, v, w })
}

/// So many random cases of a property, or `CAROM_TIMES` times as many.
pub fn cases(n: u32) -> ProptestConfig {
    // always the same ones: a check that fails, fails again
    let rng_seed = RngSeed::Fixed(1);
    let times = std::env::var("CAROM_TIMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    ProptestConfig { cases: n * times, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

/// Random solids.
pub trait RandomSolids {
    /// Of aspect ratios up to that, the longest semi axis 0.7 m at most.
    fn ellipsoid(&mut self, aspect: f64) -> Ellipsoid;
    /// Semi axes from 1 down to 1/20, exponents from 2 to 20, of either form.
    fn superellipsoid(&mut self) -> Superellipsoid;
}

impl RandomSolids for Random {
    fn ellipsoid(&mut self, aspect: f64) -> Ellipsoid {
        let mut semi = || 0.7 * self.scale(1.0 / aspect, 1.0);
        Ellipsoid::new([semi(), semi(), semi()]).unwrap()
    }
    fn superellipsoid(&mut self) -> Superellipsoid {
        let axes = std::array::from_fn(|_| 20f64.powf(-self.next()));
        let mut exponent = || if self.next() < 0.15 { 2.0 } else { 2.0 * 10f64.powf(self.next()) };
        let g = [exponent(), exponent(), exponent()];
        match self.next() < 0.5 {
            true => Superellipsoid::new(axes, g).unwrap(),
            false => Superellipsoid::barr(axes, [g[0], g[1]]).unwrap(),
        }
    }
}
