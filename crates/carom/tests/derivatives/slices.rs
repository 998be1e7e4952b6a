//! Rings in slices, and the continuous ring, whose shares of the contact change with its pose.

use carom_geometry::pairs::slices::Slices;
use carom_law::normal::ElasticFoundation;

use super::*;

/// Returns a ring paired with every shape that it touches in slices, in both orders.
fn rings() -> Vec<(Shape, Shape)> {
    let ring = Shape::outside(Torus::new(0.6, 0.2).unwrap());
    let others = [
        Shape::outside(Plane),
        Shape::outside(Sphere::new(0.4).unwrap()),
        Shape::outside(Cylinder::new(0.5, 1.6).unwrap()),
        Shape::outside(Cuboid::new([1.0, 1.4, 0.8]).unwrap()),
        Shape::outside(Capsule::new(0.4, 1.0).unwrap()),
        Shape::outside(Torus::new(0.7, 0.1).unwrap()),
        Shape::inside(Sphere::new(2.0).unwrap()),
        Shape::inside(Cuboid::new([4.0, 4.0, 4.0]).unwrap()),
    ];
    let one_way: Vec<_> = others.into_iter().map(|other| (other, ring.clone())).collect();
    one_way.iter().cloned().chain(one_way.iter().cloned().map(|(a, b)| (b, a))).collect()
}

fn sliced(couple: &(Shape, Shape), slices: Slices, friction: &Arc<dyn Friction>) -> Model {
    let law: Arc<dyn Normal> = Arc::new(ElasticFoundation::new(3e4).unwrap().damping(0.4));
    // the bodies are moved until they overlap as computed with these slices
    let add = |builder: &mut ModelBuilder, rule: ContactRule| {
        builder.contact(rule.solver(slices));
    };
    placed_by(
        (&couple.0, &couple.1),
        (&law, Some(friction)),
        |a, b| (a, b),
        add,
        |a, b| pairs::bind_by(&slices, a, b).unwrap(),
    )
}

#[test]
fn rings_in_slices() {
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    let lugre = friction_laws().into_iter().flatten().find(|law| law.name() == "lugre").unwrap();
    for couple in rings() {
        for friction in [&tanh, &lugre] {
            // few slices: none just grazes, where differences would straddle its touch
            let model = sliced(&couple, Slices::new(11).unwrap().phase(0.3), friction);
            let what = format!("{} {} {friction:?}", couple.0.describe(), couple.1.describe());
            let (entries, corners) = check(&model, &what);
            assert!(corners * 100 < entries, "{what}: {corners} of {entries}");
        }
    }
}

#[test]
fn the_continuous_ring() {
    let tanh: Arc<dyn Friction> = Arc::new(friction::Tanh::new(0.4, 0.8).unwrap());
    for couple in [&rings()[0], &rings()[8]] {
        let model = sliced(couple, Slices::exact(1e-8).unwrap(), &tanh);
        let (_, corners) = check(&model, "exact");
        assert_eq!(corners, 0);
    }
}
