//! Mass properties of bodies of thin shells: closed forms.

use std::f64::consts::PI;

use carom::geometry::surfaces::Torus;
use carom::prelude::*;

fn model(body: Body) -> Model {
    let mut builder = ModelBuilder::new();
    builder.material(Material::new("steel").density(7850.0));
    builder.body(body);
    builder.build().unwrap()
}

/// Mass and moments, which must be about the axes of the body.
fn properties(body: Body) -> (f64, [f64; 3]) {
    let model = model(body);
    let i = model.inertia("body").unwrap();
    assert!((i - Mat3::from_diagonal(&i.diagonal())).abs().max() < 1e-15 * i.abs().max());
    (model.mass("body").unwrap(), i.diagonal().into())
}

#[track_caller]
fn same(found: (f64, [f64; 3]), mass: f64, moments: [f64; 3]) {
    assert!((found.0 / mass - 1.0).abs() < 1e-14, "{} {mass}", found.0);
    for (x, y) in found.1.iter().zip(moments) {
        assert!((x / y - 1.0).abs() < 1e-14, "{:?} {moments:?}", found.1);
    }
}

#[test]
fn a_hollow_ball() {
    let (r, t) = (0.1, 1e-3);
    let skin = || SurfaceSpec::new(Sphere::new(r).unwrap()).shell(t).material("steel");
    let m = 7850.0 * 4.0 * PI * r * r * t;
    same(properties(Body::new("body").surface(skin())), m, [2.0 / 3.0 * m * r * r; 3]);
    // the body's density goes before the material's, and a given mass before both: then the shell says how it is spread
    let m = 1000.0 * 4.0 * PI * r * r * t;
    same(properties(Body::new("body").density(1000.0).surface(skin())), m, [2.0 / 3.0 * m * r * r; 3]);
    same(properties(Body::new("body").mass(3.0).surface(skin())), 3.0, [2.0 * r * r; 3]);
    // a container is a shell, too
    let m = 7850.0 * 4.0 * PI * r * r * t;
    same(properties(Body::new("body").surface(skin().inside())), m, [2.0 / 3.0 * m * r * r; 3]);
}

#[test]
fn a_tube_of_a_ring() {
    let (major, minor, t) = (0.3, 0.05, 2e-3);
    let tube = SurfaceSpec::new(Torus::new(major, minor).unwrap()).shell(t).material("steel");
    let m = 7850.0 * 4.0 * PI * PI * major * minor * t;
    let across = m * (0.5 * major * major + 1.25 * minor * minor);
    same(
        properties(Body::new("body").surface(tube)),
        m,
        [across, across, m * (major * major + 1.5 * minor * minor)],
    );
}

/// A shell is the limit of a solid with a cavity: ρ (S(r + t/2) − S(r − t/2)), to the square of the thickness.
#[test]
fn it_is_the_difference_of_two_solids() {
    let (size, t) = ([0.2, 0.3, 0.5], 1e-4);
    let block = |by: f64| Cuboid::new(size.map(|x| x + by)).unwrap();
    let solid = |by: f64| properties(Body::new("body").density(1.0).surface(block(by)));
    let (outer, inner) = (solid(t), solid(-t));
    let shell = properties(Body::new("body").density(1.0).surface(SurfaceSpec::new(block(0.0)).shell(t)));
    assert!(((outer.0 - inner.0) / shell.0 - 1.0).abs() < 1e-6);
    for i in 0..3 {
        assert!(((outer.1[i] - inner.1[i]) / shell.1[i] - 1.0).abs() < 1e-6);
    }
}

#[test]
fn shells_and_solids_add_up_wherever_they_are() {
    // a solid ball at one end of the x axis, a shell of the same mass at the other, turned
    let (r, l, t) = (0.1, 0.4, 0.1 / 3.0);
    let ball = Sphere::new(r).unwrap();
    let turned = Quat::from_euler_angles(0.3, -1.0, 2.0);
    let body = Body::new("body")
        .density(1000.0)
        .surface(SurfaceSpec::new(ball).at([l, 0.0, 0.0]))
        .surface(SurfaceSpec::new(ball).at([-l, 0.0, 0.0]).turned(turned).shell(t));
    let m = 1000.0 * 4.0 / 3.0 * PI * r * r * r; // 4 π r² t is the same
    let both = (0.4 + 2.0 / 3.0) * m * r * r;
    let apart = both + 2.0 * m * l * l;
    same(properties(body), 2.0 * m, [both, apart, apart]);
}
