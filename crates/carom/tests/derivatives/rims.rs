//! A rim whose points have one indentation in common: a disc askew in a tube, on two sides of its rim.

use super::*;

/// The tube and the disc, and the place of the disc in the tube: it leans by 70°, as deep on both sides, and turned about its axis so that no anchor is in the plane between them.
fn askew() -> (Shape, Shape, Pose) {
    let tube = Shape::inside(Cylinder::new(1.0, 6.0).unwrap());
    let disc = Shape::outside(Cylinder::new(0.6, 0.08).unwrap());
    let pair = pairs::bind(&tube, &disc).unwrap();
    let lean = Quat::from_scaled_axis(Vec3::y() * 70f64.to_radians());
    let mut x = Pose::new(Vec3::new(0.6, 0.0, 0.0), &(lean * Quat::from_scaled_axis(Vec3::z() * 0.2)));
    for _ in 0..200 {
        x.p.x -= pair.nearest(&Pose::identity(), &x).unwrap().1.delta - 0.01;
    }
    let contacts = (0..pair.features()).map(|k| pair.contact(k, &Pose::identity(), &x).unwrap());
    let together = contacts.filter(|c| c.delta > 0.0 && c.share > 0.0 && c.common.is_some()).count();
    assert!(together > 1 && pair.solver() == "rims-in-cavity", "{together}");
    (tube, disc, x)
}

pub(super) fn model(normal: &Arc<dyn Normal>, friction: Option<&Arc<dyn Friction>>) -> Model {
    let (tube, disc, x) = askew();
    let turn = Quat::from_euler_angles(0.4, 0.3, -0.9);
    let x_a = Pose::new(Vec3::new(0.1, -0.2, 0.3), &turn);
    let x_b = x_a.then(&x);
    let of_b = Quat::from_matrix(&x_b.r);
    let mut builder = ModelBuilder::new();
    builder.body(lopsided("a", &tube, x_a.p, turn, 1.0)).body(lopsided("b", &disc, x_b.p, of_b, -1.0));
    let mut rule = ContactRule::between("a", "b").normal_arc(Arc::clone(normal));
    if let Some(friction) = friction {
        rule = rule.friction_arc(Arc::clone(friction));
    }
    builder.contact(rule);
    builder.build().unwrap()
}

/// Points move over the whole of the rim within 1e-4 of its size.
#[test]
fn points_with_one_indentation_in_common() {
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    let of = |name: &str| friction_laws().into_iter().flatten().find(|law| law.name() == name).unwrap();
    let laws: [Arc<dyn Normal>; 3] = [
        Arc::new(normal::Hertz::new().stiffness(1e3)),
        Arc::new(normal::HuntCrossley::damping(0.9).unwrap().stiffness(1e3)),
        Arc::new(normal::KuwabaraKono::damping(0.05).unwrap().stiffness(1e3)),
    ];
    for law in &laws {
        for friction in [None, Some(&tanh), Some(&of("lugre")), Some(&of("dahl"))] {
            let model = model(law, friction);
            let what = format!("{law:?} {friction:?}");
            let mut equations = model.equations().unwrap();
            // (as they are: to rotate the bodies on would end the tie)
            let mut y = equations.initial_state();
            let memories = equations.memories(y.len());
            y[memories].chunks_mut(4).for_each(|memory| memory.copy_from_slice(&[0.013, -0.021, 0.017, 0.3]));
            let (entries, corners) = compare_by(&mut equations, &y, &what, FINE, 1e-9);
            assert!(corners * 20 < entries, "{what}: {corners} of {entries}");
        }
    }
}
