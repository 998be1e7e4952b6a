//! Every pair's contact with its derivatives against differences.

use std::collections::BTreeSet;

use carom_base::{Dual, Mat3, Pose, Quat, Scalar, Vec3};
use carom_geometry::pairs::common_normal::CommonNormal;
use carom_geometry::surfaces::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Plane, Polyhedron, Quadric, Sphere, Superellipsoid,
    Superquadric, Supertorus, Torus,
};
use carom_geometry::{
    BoundPair, Contact, ContactResult, PairFeatures, Region, RelativeCurvature, Seed, Shape, pairs,
};

/// The frame moved by a small displacement and turn, both in the world.
fn moved(x: &Pose, motion: &[f64; 6]) -> Pose {
    let turn = Quat::from_scaled_axis(Vec3::new(motion[3], motion[4], motion[5]));
    Pose {
        p: x.p + Vec3::new(motion[0], motion[1], motion[2]),
        r: turn.to_rotation_matrix().into_inner() * x.r,
    }
}

/// The same with the six numbers as variables at zero.
fn moving(x: &Pose) -> Pose<Dual<6>> {
    let constant = |v: f64| Dual::<6>::from_f64(v);
    let variable = |i: usize| Dual::<6>::variable(0.0, i);
    let r: Mat3<Dual<6>> = x.r.map(constant);
    let w = Vec3::new(variable(3), variable(4), variable(5));
    // r + w × r, column by column
    let turned = Mat3::from_columns(&[0, 1, 2].map(|i| {
        let axis = r.column(i).into_owned();
        axis + w.cross(&axis)
    }));
    Pose { p: Vec3::from_fn(|i, _| constant(x.p[i]) + variable(i)), r: turned }
}

fn numbers(c: &Contact) -> [f64; 10] {
    let mut out = [0.0; 10];
    for (i, v) in c.p_a.iter().chain(&c.p_b).chain(&c.n).chain([&c.delta]).enumerate() {
        out[i] = *v;
    }
    out
}

/// Shapes that have a pair with derivatives, each in either order.
fn couples() -> Vec<(Shape, Shape)> {
    let region = || Some(Region::new([-1.4, -1.7, -0.9], [1.6, 1.5, 0.8]).unwrap());
    let ball = || Shape::outside(Sphere::new(0.3).unwrap());
    let solids = || {
        [
            Shape::outside(Plane),
            Shape::outside(Sphere::new(0.7).unwrap()),
            Shape::outside(Cylinder::new(0.5, 1.6).unwrap()),
            Shape::outside(Cuboid::new([1.0, 1.4, 0.8]).unwrap()),
            Shape::outside(Capsule::new(0.4, 1.0).unwrap()),
            Shape::outside(Torus::new(0.6, 0.2).unwrap()),
            Shape::outside(Ellipsoid::new([0.5, 0.3, 0.8]).unwrap()),
            Shape::outside(Superellipsoid::new([0.5, 0.3, 0.6], [2.5, 4.0, 3.0]).unwrap()),
            Shape::outside(Superellipsoid::barr([0.5, 0.4, 0.6], [3.5, 2.5]).unwrap()),
            Shape::outside(Supertorus::new(0.6, [0.2, 0.3], [3.5, 2.5]).unwrap()),
            Shape::outside(Quadric::new(&[1.3, 0.9, -0.7, 0.0, 0.0, 0.0], region()).unwrap()),
            Shape::inside(Quadric::new(&[0.8, 1.1, 0.0, 0.0, 0.0, -0.9], region()).unwrap()),
            Shape::outside(Superquadric::new(&[1.2, 0.8, -0.6], &[2.5, 3.5], region().unwrap()).unwrap()),
            Shape::inside(Supertorus::new(3.0, [1.6, 2.0], [2.5, 3.5]).unwrap()),
            Shape::inside(Ellipsoid::new([2.2, 1.8, 2.0]).unwrap()),
            Shape::inside(Superellipsoid::new([2.2, 1.8, 2.0], [2.0, 4.0, 3.0]).unwrap()),
            Shape::inside(Superellipsoid::barr([2.2, 1.8, 2.0], [3.0, 2.5]).unwrap()),
            Shape::inside(Sphere::new(2.0).unwrap()),
            Shape::inside(Cylinder::new(2.0, 4.0).unwrap()),
            Shape::inside(Cone::new(2.4, 1.8, 4.0).unwrap()),
            Shape::outside(Cone::new(0.6, 0.0, 1.2).unwrap()),
            Shape::inside(Cuboid::new([4.0, 4.0, 4.0]).unwrap()),
            Shape::inside(Capsule::new(2.0, 4.0).unwrap()),
        ]
    };
    let mut couples: Vec<(Shape, Shape)> = solids().into_iter().map(|s| (s, ball())).collect();
    couples.extend(solids().into_iter().skip(2).take(7).map(|s| (Shape::outside(Plane), s)));
    couples.push((Shape::outside(Plane), Shape::outside(Cone::new(0.6, 0.0, 1.2).unwrap())));
    couples.push((Shape::outside(Plane), Shape::outside(Cone::new(0.3, 0.7, 1.2).unwrap())));
    let box_of = |s: [f64; 3]| Shape::outside(Cuboid::new(s).unwrap());
    couples.push((box_of([0.6, 0.8, 0.5]), box_of([0.5, 0.3, 0.4])));
    couples.push((Shape::inside(Cuboid::new([4.0, 4.0, 4.0]).unwrap()), box_of([0.9, 0.5, 0.6])));
    let rod = || Shape::outside(Capsule::new(0.1, 0.8).unwrap());
    couples.push((box_of([0.6, 0.8, 0.5]), rod()));
    let bearing = |length: f64| Shape::inside(Cylinder::new(2.6, length).unwrap());
    couples.push((bearing(4.0), Shape::outside(Cylinder::new(0.5, 1.6).unwrap())));
    couples.push((bearing(0.7), Shape::outside(Cylinder::new(0.3, 6.0).unwrap())));
    couples.push((Shape::outside(Capsule::new(0.4, 1.0).unwrap()), rod()));
    couples.push((Shape::outside(Cylinder::new(0.4, 1.0).unwrap()), rod()));
    couples.push((
        Shape::outside(Torus::new(0.6, 0.2).unwrap()),
        Shape::outside(Torus::new(0.45, 0.1).unwrap()),
    ));
    let smooth = [
        Shape::outside(Ellipsoid::new([0.5, 0.3, 0.4]).unwrap()),
        Shape::outside(Superellipsoid::new([0.5, 0.3, 0.4], [3.0, 2.5, 4.0]).unwrap()),
        Shape::outside(Superellipsoid::barr([0.3, 0.5, 0.4], [2.0, 3.5]).unwrap()),
    ];
    let edged =
        [box_of([0.6, 0.8, 0.5]), Shape::outside(Cylinder::new(0.4, 1.0).unwrap()), rod(), smooth[0].clone()];
    for (i, a) in smooth.iter().enumerate() {
        couples.extend(edged.iter().chain(&smooth[i..]).map(|b| (a.clone(), b.clone())));
    }
    let egg = || Shape::outside(Ellipsoid::new([0.5, 0.35, 0.4]).unwrap());
    let hollows = [
        Shape::inside(Sphere::new(2.0).unwrap()),
        Shape::inside(Cylinder::new(2.0, 4.0).unwrap()),
        Shape::inside(Cone::new(1.9, 2.3, 4.0).unwrap()),
        Shape::inside(Cuboid::new([4.0, 4.0, 4.0]).unwrap()),
        Shape::inside(Capsule::new(2.0, 4.0).unwrap()),
        Shape::inside(Ellipsoid::new([2.2, 1.8, 2.0]).unwrap()),
    ];
    couples.extend(hollows.into_iter().map(|s| (s, egg())));
    let die = Superellipsoid::new([0.5, 0.35, 0.4], [2.5, 2.2, 3.0]).unwrap();
    couples.push((Shape::inside(Cuboid::new([4.0, 4.0, 4.0]).unwrap()), Shape::outside(die)));
    let ring = || Shape::outside(Torus::new(0.6, 0.2).unwrap());
    couples.extend(smooth.into_iter().map(|s| (s, ring())));
    // and all the other way round
    couples.extend(couples.clone().into_iter().map(|(a, b)| (b, a)));
    couples
}

/// Poses of A, and from there to B.
fn poses() -> [(Pose, [f64; 3]); 2] {
    [
        (Pose::new(Vec3::new(0.1, -0.2, 0.3), &Quat::from_euler_angles(0.4, 0.3, -0.9)), [0.6, 0.5, 0.9]),
        (Pose::new(Vec3::new(-0.3, 0.2, 0.1), &Quat::from_euler_angles(-1.1, 0.2, 0.5)), [-0.7, 0.9, -0.4]),
    ]
}

#[test]
fn of_every_pair() {
    let mut checked = 0;
    for (a, b) in &couples() {
        let pair = pairs::bind(a, b).unwrap();
        for (x_a, offset) in &poses() {
            let x_b = Pose::new(x_a.p + Vec3::from(*offset), &Quat::from_euler_angles(0.3, -0.8, 0.2));
            for k in 0..pair.features() {
                checked += 1;
                let fixed = Pose { p: x_a.p.map(Dual::from_f64), r: x_a.r.map(Dual::from_f64) };
                let dual = pair.contact_dual(k, &fixed, &moving(&x_b)).unwrap().unwrap();
                let value = numbers(&pair.contact(k, x_a, &x_b).unwrap());
                let duals: Vec<_> =
                    dual.p_a.iter().chain(&dual.p_b).chain(&dual.n).chain([&dual.delta]).collect();
                for i in 0..6 {
                    let h = 1e-5;
                    let at = |s: f64| {
                        let mut motion = [0.0; 6];
                        motion[i] = s;
                        numbers(&pair.contact(k, x_a, &moved(&x_b, &motion)).unwrap())
                    };
                    let (plus, minus) = (at(h), at(-h));
                    for j in 0..10 {
                        assert!((duals[j].re - value[j]).abs() < 1e-14, "{}", pair.solver());
                        let difference = (plus[j] - minus[j]) / (2.0 * h);
                        let error = (duals[j].eps[i] - difference).abs();
                        assert!(error < 1e-8, "{} feature {k}: number {j} by {i}: {error:e}", pair.solver());
                    }
                }
            }
        }
    }
    assert!(checked > 60, "{checked}");
}

/// A pair with nothing but its six derivatives.
#[derive(Debug)]
struct BySix(Box<dyn BoundPair>);

impl PairFeatures for BySix {
    fn solver(&self) -> &'static str {
        self.0.solver()
    }
    fn features(&self) -> usize {
        self.0.features()
    }
    fn feature_name(&self, feature: usize) -> String {
        self.0.feature_name(feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        self.0.curvature(feature, x_a, x_b)
    }
}

impl BoundPair for BySix {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.0.contact(feature, x_a, x_b)
    }
    fn contact_dual_from(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
        seed: Option<&Seed>,
    ) -> Option<ContactResult<Dual<6>>> {
        self.0.contact_dual_from(feature, x_a, x_b, seed)
    }
}

/// Solids with edges and rims, which other tests differentiate by six variables.
fn edged() -> Vec<(Shape, Shape)> {
    let prism: Vec<[f64; 3]> = (0..6)
        .map(|k| [[0.5, 0.0], [-0.25, 0.4], [-0.25, -0.4]][k % 3])
        .zip([-0.3, -0.3, -0.3, 0.4, 0.4, 0.4])
        .map(|([x, y], z)| [x, y, z])
        .collect();
    let prism = Shape::outside(Polyhedron::new(&prism).unwrap());
    let cone = Shape::outside(Cone::new(0.5, 0.2, 0.9).unwrap());
    let drum = Shape::outside(Cylinder::new(0.4, 0.7).unwrap());
    let bowl = Shape::inside(Ellipsoid::new([2.2, 1.8, 2.0]).unwrap());
    let pipe = Shape::inside(Cylinder::new(0.7, 0.7).unwrap());
    let rod = Shape::outside(Capsule::new(0.1, 0.8).unwrap());
    let crate_ = Shape::inside(Cuboid::new([4.0; 3]).unwrap());
    let each =
        [(&prism, &cone), (&prism, &prism), (&cone, &drum), (&drum, &drum), (&bowl, &drum), (&bowl, &cone)];
    let more = [(&pipe, &prism), (&drum, &rod), (&bowl, &rod), (&crate_, &drum)];
    let mut couples: Vec<_> = each.into_iter().chain(more).map(|(a, b)| (a.clone(), b.clone())).collect();
    couples.extend(couples.clone().into_iter().map(|(a, b)| (b, a)));
    couples
}

/// One derivative is the first of six, to the last bit.
#[test]
fn by_one_variable_as_by_six() {
    let along = |x: &Pose, v: [f64; 3], w: [f64; 3]| {
        let turned = Vec3::from(w).cross_matrix() * x.r;
        let dual = |re: f64, rate: f64| Dual { re, eps: [rate] };
        Pose { p: x.p.zip_map(&Vec3::from(v), dual), r: x.r.zip_map(&turned, dual) }
    };
    let all = |c: &Contact<Dual<1>>| {
        let common = c.common.iter().flat_map(|c| c.n.iter().chain(&c.moment));
        let numbers = c.p_a.iter().chain(&c.p_b).chain(&c.n).chain([&c.delta, &c.share]).chain(common);
        numbers.flat_map(|v| [v.re.to_bits(), v.eps[0].to_bits()]).collect::<Vec<_>>()
    };
    // (searches are remembered: each has its own)
    let mut pairs_of = Vec::new();
    for (a, b) in couples().iter().chain(&edged()) {
        let bind = || pairs::bind(a, b).unwrap();
        pairs_of.push([bind(), bind()]);
    }
    let egg = Shape::outside(Ellipsoid::new([0.5, 0.3, 0.4]).unwrap());
    let by_normals = || pairs::bind_by(&CommonNormal::default(), &egg, &egg).unwrap();
    pairs_of.push([by_normals(), by_normals()]);
    let (mut solvers, mut moved) = (BTreeSet::new(), 0);
    for [pair, by_six] in pairs_of {
        solvers.insert(pair.solver());
        let by_six = BySix(by_six);
        for (x_a, offset) in &poses() {
            let x_b = Pose::new(x_a.p + Vec3::from(*offset), &Quat::from_euler_angles(0.3, -0.8, 0.2));
            let m_a = along(x_a, [0.3, -0.2, 0.7], [0.4, 0.9, -0.6]);
            let m_b = along(&x_b, [-0.5, 0.1, 0.2], [-0.3, 0.2, 1.1]);
            for k in 0..pair.features() {
                let seed = pair.contact(k, x_a, &x_b).ok().map(|c| Seed::of(&c, x_a, &x_b));
                for seed in [None, seed] {
                    let [one, six] = [&*pair, &by_six].map(|pair| {
                        let contact = pair.contact_in_motion(k, &m_a, &m_b, seed.as_ref());
                        contact.and_then(Result::ok).map(|c| all(&c))
                    });
                    moved += usize::from(one.is_some());
                    assert_eq!(one, six, "{} feature {k}", pair.solver());
                }
            }
        }
    }
    assert!(solvers.len() == 23 && moved > 3000, "{moved} of {solvers:?}");
}
