//! Friction that follows the depth of its contact: in ellipses, in every phase of the normal law, under adhesion, and at points that hand their shares over.

use carom::law::Material;

use super::*;

fn rubber() -> Material {
    Material::new("rubber").youngs_modulus(4e3).poisson_ratio(0.45)
}

/// Laws with the stiffness of their materials, or of a given ratio.
fn laws(ratio: Option<f64>) -> Vec<Arc<dyn Friction>> {
    let of = |name: &str| {
        let args = Args::new().with("coefficient", Value::Number(0.4));
        let args = match name {
            "mindlin-deresiewicz" => args.with("elements", Value::Number(3.0)),
            "maw-barber-fawcett" => args.with("rings", Value::Number(3.0)),
            _ => args,
        };
        let args = match ratio {
            Some(ratio) => args.with("stiffness_ratio", Value::Number(ratio)),
            None => args,
        };
        friction::find(name).unwrap().make(&args).unwrap()
    };
    ["cundall-strack", "mindlin", "mindlin-rescale", "mindlin-deresiewicz", "maw-barber-fawcett"]
        .map(of)
        .to_vec()
}

/// A state in which elements are bent, and stick, slip or have no mode; the axes of ellipses lie in some direction of their own.
fn bent(equations: &mut EquationsOfMotion<'_>, axes: bool, mode: f64) -> Vec<f64> {
    let mut y = trial_state(equations);
    let memories = equations.memories(y.len());
    let count = memories.len() / 4;
    for (i, memory) in y[memories].chunks_mut(4).enumerate() {
        memory[3] = mode;
        // (the axis is the last of a contact, which is the only one)
        if axes && i + 1 == count {
            memory.copy_from_slice(&[0.4, 0.9, -0.2, 0.0]);
        }
    }
    y
}

/// Ellipses of bodies that move and turn, in every mode.
#[test]
fn ellipses_in_every_mode() {
    let egg = Shape::outside(Ellipsoid::new([0.5, 0.3, 0.4]).unwrap());
    let rod = Shape::outside(Cylinder::new(0.5, 1.6).unwrap());
    let ball = Shape::outside(Sphere::new(0.3).unwrap());
    let plane = Shape::outside(Plane);
    let turns = [Quat::from_euler_angles(0.4, 0.3, -0.9), Quat::from_euler_angles(0.3, -0.8, 0.2)];
    let (mut entries, mut corners) = (0, 0);
    for (law, i) in laws(None).into_iter().zip(0..) {
        for (k, mode) in [0.3, 1.0, 2.0].into_iter().enumerate() {
            let couple = [(&plane, &egg), (&rod, &ball), (&egg, &egg)][(i + k) % 3];
            let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.3), &turns[0]);
            let mut x_b = Pose::new(x_a.p + Vec3::new(0.6, 0.5, 0.9), &turns[1]);
            touching(&*pairs::bind(couple.0, couple.1).unwrap(), &x_a, &mut x_b);
            let mut builder = ModelBuilder::new();
            let of = |shape: &Shape| surface_of(shape).material("rubber");
            builder.material(rubber());
            builder.body(lopsided_by("a", of(couple.0), x_a.p, turns[0], 1.0));
            builder.body(lopsided_by("b", of(couple.1), x_b.p, turns[1], -1.0));
            let normal = normal::HuntCrossley::damping(0.3).unwrap();
            builder.contact(ContactRule::between("a", "b").normal(normal).friction_arc(Arc::clone(&law)));
            let model = builder.build().unwrap();
            let mut equations = model.equations().unwrap();
            let y = bent(&mut equations, true, mode);
            let memories = equations.memories(y.len()).len() / 4;
            assert!(memories > law.elements(), "{memories}: no axis");
            let what = format!("{} {mode} {}", law.name(), couple.1.describe());
            let (all, some) = compare(&mut equations, &y, &what);
            (entries, corners) = (entries + all, corners + some);
        }
    }
    assert!(entries > 0 && corners * 100 < entries, "{corners} corners in {entries}");
}

/// Ellipses in which surfaces adhere, pressed in and held across a gap.
#[test]
fn ellipses_that_adhere() {
    let egg = Shape::outside(Ellipsoid::new([0.5, 0.3, 0.4]).unwrap());
    let plane = Shape::outside(Plane);
    let turns = [Quat::from_euler_angles(0.4, 0.3, -0.9), Quat::from_euler_angles(0.3, -0.8, 0.2)];
    let (mut entries, mut corners) = (0, 0);
    for law in laws(None) {
        let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.3), &turns[0]);
        let mut x_b = Pose::new(x_a.p + Vec3::new(0.6, 0.5, 0.9), &turns[1]);
        touching(&*pairs::bind(&plane, &egg).unwrap(), &x_a, &mut x_b);
        let mut builder = ModelBuilder::new();
        let of = |shape: &Shape| surface_of(shape).material("rubber");
        builder.material(rubber());
        builder.body(lopsided_by("a", of(&plane), x_a.p, turns[0], 1.0));
        builder.body(lopsided_by("b", of(&egg), x_b.p, turns[1], -1.0));
        let normal = normal::Jkr::adhesion_energy(0.3).unwrap();
        builder.contact(ContactRule::between("a", "b").normal(normal).friction_arc(Arc::clone(&law)));
        let model = builder.build().unwrap();
        let mut equations = model.equations().unwrap();
        let y = bent(&mut equations, true, 1.0);
        let (all, some) = compare(&mut equations, &y, law.name());
        (entries, corners) = (entries + all, corners + some);
    }
    assert!(entries > 0 && corners * 100 < entries, "{corners} corners in {entries}");
}

/// Points that receive their share of a contact from others, and points that lose theirs; under adhesion friction has its share of the pull-off force, with memory or without.
#[test]
fn shares_that_change() {
    let damped: Arc<dyn Normal> = Arc::new(normal::HuntCrossley::damping(0.9).unwrap().stiffness(1e3));
    let sticky: Arc<dyn Normal> =
        Arc::new(normal::Dmt::adhesion_energy(0.3).unwrap().stiffness(1e3).radius(0.4));
    let jumps: Arc<dyn Normal> =
        Arc::new(normal::Jkr::adhesion_energy(0.3).unwrap().stiffness(1e3).radius(0.4));
    for normal in [&damped, &sticky, &jumps] {
        for law in laws(Some(0.8)) {
            for mode in [0.3, 1.0, 2.0] {
                let model = rims::model(normal, Some(&law));
                let mut equations = model.equations().unwrap();
                let mut y = equations.initial_state();
                let memories = equations.memories(y.len());
                y[memories]
                    .chunks_mut(4)
                    .for_each(|memory| memory.copy_from_slice(&[0.013, -0.021, 0.017, mode]));
                let what = format!("{} {} {mode}", normal.name(), law.name());
                let (entries, corners) = compare_by(&mut equations, &y, &what, FINE, 1e-9);
                assert!(corners * 20 < entries, "{what}: {corners} of {entries}");
            }
        }
    }
    let plain: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 2.0).unwrap());
    let model = rims::model(&sticky, Some(&plain));
    let mut equations = model.equations().unwrap();
    let y = equations.initial_state();
    let (entries, corners) = compare_by(&mut equations, &y, "tanh", FINE, 1e-9);
    assert!(corners * 20 < entries, "tanh: {corners} of {entries}");
}
