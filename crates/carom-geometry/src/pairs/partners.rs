//! What a shape touches, for those who asked for something else.

use std::sync::Arc;

use super::{either_way, slices};
use crate::error::GeometryError;
use crate::shape::{Shape, Side, Surface};
use crate::surfaces::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, MESH, Plane, Polyhedron, Sphere, Superellipsoid, Torus,
};

/// The usual solids, in the size of `s` [m].
fn solids(s: f64, shape: fn(Arc<dyn Surface>) -> Shape) -> Result<Vec<Shape>, GeometryError> {
    let all: [Arc<dyn Surface>; 9] = [
        Arc::new(Sphere::new(s)?),
        Arc::new(Ellipsoid::new([s, s, 1.1 * s])?),
        Arc::new(Superellipsoid::new([s; 3], [2.5; 3])?),
        Arc::new(Cuboid::new([s; 3])?),
        Arc::new(Cylinder::new(s, 2.0 * s)?),
        Arc::new(Capsule::new(s, 2.0 * s)?),
        Arc::new(Cone::new(s, 0.0, 2.0 * s)?),
        Arc::new(Polyhedron::new(&[[s, s, s], [s, -s, -s], [-s, s, -s], [-s, -s, s]])?),
        Arc::new(Torus::new(2.0 * s, s)?),
    ];
    Ok(all.into_iter().map(shape).collect())
}

/// A shape of every usual kind: small solids, and large cavities.
fn usual() -> Result<Vec<Shape>, GeometryError> {
    let mut all = solids(1e-3, |surface| Shape { surface, side: Side::Outside })?;
    all.insert(1, Shape::outside(Plane));
    all.extend(solids(1e3, |surface| Shape { surface, side: Side::Inside })?);
    Ok(all)
}

/// What each of the shapes touches, in words; `touch` says whether two do.
pub(super) fn of(shapes: [&Shape; 2], touch: impl Fn(&Shape, &Shape) -> bool) -> Vec<String> {
    let usual = usual().unwrap_or_default();
    let say = |shape: &Shape| {
        let (known, rest): (Vec<&Shape>, Vec<&Shape>) = usual.iter().partition(|other| touch(shape, other));
        let sliced = rest.into_iter().filter(|other| either_way(&slices::ANY, shape, other).is_some());
        let sliced: Vec<String> = sliced.map(Shape::describe).collect();
        let mut words: Vec<String> = known.into_iter().map(Shape::describe).collect();
        if !sliced.is_empty() {
            words.push(format!("in slices {}", sliced.join(", ")));
        }
        let words = if words.is_empty() { "nothing".to_owned() } else { words.join(", ") };
        format!("{} touches {words}", shape.describe())
    };
    let [a, b] = shapes;
    let mut words = if a.describe() == b.describe() { vec![say(a)] } else { vec![say(a), say(b)] };
    if shapes.iter().any(|shape| shape.surface.kind() == MESH) {
        words.push("the convex hull of a mesh, `hull = true`, touches what a polyhedron touches".to_owned());
    }
    // solids of the kind that touch cavities of the kind: these do not for their measures
    let like = |shape: &Shape| {
        let name = shape.describe();
        usual.iter().find(move |s| s.describe() == name)
    };
    if a.side != b.side && like(a).zip(like(b)).is_some_and(|(a, b)| touch(a, b)) {
        words.push("of these measures they would touch at more than one point: the solid must be curved more strongly, everywhere, than the cavity is anywhere".to_owned());
    }
    words
}
