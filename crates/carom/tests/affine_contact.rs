//! Contacts of bodies that deform: against a model of two degrees of freedom, the rigid limit, what is kept, what is refused.

use carom::geometry::surfaces::{Ellipsoid, Superellipsoid};
use carom::law::elastic::{Elastic, MooneyRivlin, NeoHookean};
use carom::prelude::*;
use carom::{BodyState, Fault};

/// Rubber of c10 = c [Pa] and viscosity μ [Pa s].
fn rubber(c: f64, mu: f64) -> Elastic {
    Elastic::new(MooneyRivlin::new(c, 0.0).unwrap()).viscosity(mu)
}

/// A soft ball of 1000 kg/m³ at that height over a floor.
fn dropped(elastic: Elastic, radius: f64, height: f64, rule: ContactRule) -> Model {
    let mut b = ModelBuilder::new();
    let ball = Body::affine("ball", elastic).density(1000.0).position([0.0, 0.0, height]);
    b.body(ball.surface(Sphere::new(radius).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(rule);
    b.build().unwrap()
}

fn on_floor() -> ContactRule {
    ContactRule::between("ball", "floor")
}

fn strain(body: &BodyState) -> Mat3 {
    body.deformation.unwrap().f
}

/// F = diag(s, s, s⁻²) and the height z of the centre have the Lagrangian
/// ½ m ż² + j ṡ² (1 + 2 s⁻⁶) − m g z − vol φ(s) − U(δ), j = m R²/5, φ = c10 (2 s² + s⁻⁴ − 3) + c01 (s⁴ + 2 s⁻² − 3), δ = R s⁻² − z,
/// and viscosity takes 6 μ vol ṡ²/s²: two equations, integrated by themselves.
#[test]
fn a_drop_has_two_degrees_of_freedom() {
    let (r, rho, k, g) = (0.05f64, 1000.0, 2e5, 9.81);
    let (c10, c01, mu) = (8e3, 3e3, 15.0);
    let elastic = Elastic::new(MooneyRivlin::new(c10, c01).unwrap()).viscosity(mu);
    let model = dropped(elastic, r, 0.15, on_floor().normal(Hertz::new().stiffness(k)));
    let duration = 0.6;
    let mut recording = Recording::default();
    let sim = Simulation::new(&model).duration(duration).method("dop853").rtol(1e-13).atol(1e-13);
    let run = sim.output_every(0.02).run_into(&mut recording).unwrap();
    let vol = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    let (m, j) = (rho * vol, rho * vol * r * r / 5.0);
    let rates = move |_: f64, y: &[f64], dy: &mut [f64]| {
        let (z, s, v, u) = (y[0], y[1], y[2], y[3]);
        let f = k * (r / (s * s) - z).max(0.0).powf(1.5);
        let stiff = c10 * (4.0 * s - 4.0 * s.powi(-5)) + c01 * (4.0 * s.powi(3) - 4.0 * s.powi(-3));
        let force = f * 2.0 * r / s.powi(3) - vol * stiff - 6.0 * mu * vol * u / (s * s);
        let inertia = 2.0 * j * (1.0 + 2.0 * s.powi(-6));
        dy.copy_from_slice(&[v, u, f / m - g, (force + 12.0 * j * u * u * s.powi(-7)) / inertia]);
    };
    let mut alone = carom::ode::Ivp::new(rates, 0.0, [0.15, 1.0, 0.0, 0.0]).method("dop853");
    alone = alone.rtol(1e-13).atol(1e-14).output_at(recording.frames.iter().map(|f| f.t).collect::<Vec<_>>());
    let solution = alone.solve_to(duration).unwrap();
    let (mut worst, mut flattest) = (0.0f64, 0.0f64);
    for (i, frame) in recording.frames.iter().enumerate() {
        let (ball, y) = (&frame.bodies[0], solution.y(i));
        let f = strain(ball);
        for (got, want) in [(ball.position.z, y[0]), (f[(0, 0)], y[1]), (ball.velocity.z, y[2])] {
            worst = worst.max((got - want).abs());
        }
        assert!(f[(0, 1)] == 0.0 && f[(0, 2)] == 0.0 && ball.position.x == 0.0);
        assert!((f[(0, 0)] - f[(1, 1)]).abs() < 1e-13 && (f.determinant() - 1.0).abs() < 1e-12);
        flattest = flattest.max(f[(0, 0)] - 1.0);
    }
    println!("{} touches, worst {worst:.1e}, stretched to {:.3}", run.summary.touches, 1.0 + flattest);
    assert!(run.summary.touches >= 2 && flattest > 0.05, "{}", run.summary);
    assert!(worst < 1e-9, "{worst:e}");
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
}

/// The stiffer a ball, the more it moves as a rigid one: with friction, spin and a damped contact the difference goes as 1/c.
#[test]
fn stiff_is_nearly_rigid() {
    let end = |body: Body| {
        let mut b = ModelBuilder::new();
        let ball = body.density(1000.0).position([0.0, 0.0, 0.06]).velocity([0.4, 0.0, -0.7]);
        b.body(ball.angular_velocity([3.0, 5.0, 0.0]).surface(Sphere::new(0.05).unwrap()));
        b.body(Body::fixed("floor").surface(Plane));
        let law = HuntCrossley::damping(0.3).unwrap().stiffness(1e4);
        b.contact(on_floor().normal(law).friction(Tanh::new(0.3, 5.0).unwrap()));
        let model = b.build().unwrap();
        let sim = Simulation::new(&model).duration(0.15).method("radau5").rtol(1e-10).atol(1e-10);
        let run = sim.run().unwrap();
        assert_eq!((run.summary.touches, run.summary.contacts), (1, 1), "{}", run.summary);
        *run.end.body("ball").unwrap()
    };
    let rigid = end(Body::new("ball"));
    let off = |c: f64| {
        let soft = end(Body::affine("ball", rubber(c, 1e-4 * c)));
        let spun = (soft.angular_velocity - rigid.angular_velocity).norm() * 0.05;
        (soft.velocity - rigid.velocity).norm() + (soft.position - rigid.position).norm() + spun
    };
    let [soft, stiff] = [1e7, 1e8].map(off);
    println!("off by {soft:.1e} at c = 1e7 Pa, {stiff:.1e} at 1e8 Pa");
    assert!(stiff < 1e-4 && soft > 7.0 * stiff && soft < 14.0 * stiff, "{soft:e} {stiff:e}");
}

/// Bodies of every shape that a plane touches, dropped askew and spinning, with damping and friction: energy and volume.
#[test]
fn energy_and_volume() {
    let shapes: Vec<(&str, SurfaceSpec)> = vec![
        ("sphere", Sphere::new(0.05).unwrap().into()),
        ("ellipsoid", Ellipsoid::new([0.05, 0.04, 0.06]).unwrap().into()),
        ("superellipsoid", Superellipsoid::new([0.05, 0.04, 0.06], [2.5, 3.0, 2.0]).unwrap().into()),
        ("box", Cuboid::new([0.08, 0.1, 0.06]).unwrap().into()),
        ("cylinder", Cylinder::new(0.04, 0.1).unwrap().into()),
        ("capsule", Capsule::new(0.04, 0.05).unwrap().into()),
        ("torus", Torus::new(0.05, 0.02).unwrap().into()),
    ];
    for (kind, shape) in shapes {
        for (elastic, kept) in [
            (rubber(1e4, 5.0), true),
            (Elastic::new(NeoHookean::new(2e4).unwrap()).bulk_modulus(4e4).viscosity(5.0), false),
        ] {
            let mut b = ModelBuilder::new();
            let body = Body::affine("body", elastic).density(1000.0).position([0.0, 0.0, 0.12]);
            let body = body.orientation(Quat::from_euler_angles(0.5, 0.4, 0.3)).velocity([0.3, -0.1, 0.0]);
            b.body(body.angular_velocity([2.0, -3.0, 1.0]).surface(shape.clone()));
            b.body(Body::fixed("floor").surface(Plane));
            let law = HuntCrossley::damping(0.2).unwrap().stiffness(2e4);
            let rule = ContactRule::between("body", "floor").normal(law);
            b.contact(rule.friction(Tanh::new(0.3, 20.0).unwrap()));
            let model = b.build().unwrap();
            let mut r = Recording::default();
            let sim = Simulation::new(&model).duration(0.6).method("dop853").rtol(1e-11).atol(1e-11);
            let run = sim.output_every(0.01).run_into(&mut r).unwrap();
            let s = &run.summary;
            println!(
                "{kind}: audit {:.1e}, {} touches, {} steps",
                s.audit_relative, s.touches, s.stats.steps
            );
            assert!(s.touches > 0 && s.audit_relative < 1e-9, "{kind}: {s}");
            assert!(s.warnings.is_empty(), "{kind}: {s}");
            for frame in &r.frames {
                let volume = strain(&frame.bodies[0]).determinant();
                assert!(!kept || (volume - 1.0).abs() < 1e-12, "{kind}: {}", volume - 1.0);
            }
        }
    }
}

/// m r × v + the axial vector of F J Ḟᵀ.
fn angular_momentum(model: &Model, name: &str, body: &BodyState) -> Vec3 {
    let (m, inertia) = (model.mass(name).unwrap(), model.inertia(name).unwrap());
    let own = match body.deformation {
        None => {
            let w = body.orientation.inverse() * body.angular_velocity;
            body.orientation * (inertia * w)
        }
        Some(d) => {
            let euler = Mat3::from_diagonal_element(0.5 * inertia.trace()) - inertia;
            let k = d.f_dot * euler * d.f.transpose();
            Vec3::new(k[(2, 1)] - k[(1, 2)], k[(0, 2)] - k[(2, 0)], k[(1, 0)] - k[(0, 1)])
        }
    };
    body.position.cross(&(body.velocity * m)) + own
}

/// A rigid ball hits a soft ball, ellipsoid and box: momentum, angular momentum and energy.
#[test]
fn collisions_keep_momenta() {
    let shapes: Vec<(&str, SurfaceSpec)> = vec![
        ("sphere", Sphere::new(0.05).unwrap().into()),
        ("ellipsoid", Ellipsoid::new([0.05, 0.04, 0.06]).unwrap().into()),
        ("box", Cuboid::new([0.08, 0.1, 0.06]).unwrap().into()),
    ];
    for (kind, shape) in shapes {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let soft = Body::affine("soft", rubber(5e3, 2.0)).density(1000.0).angular_velocity([1.0, 4.0, -2.0]);
        b.body(soft.orientation(Quat::from_euler_angles(0.5, 0.4, 0.3)).surface(shape.clone()));
        let ball = Body::new("ball").mass(0.3).position([0.2, 0.01, -0.02]).velocity([-2.0, 0.0, 0.0]);
        b.body(ball.angular_velocity([0.0, 5.0, 9.0]).surface(Sphere::new(0.03).unwrap()));
        let law = HuntCrossley::damping(0.1).unwrap().stiffness(3e4);
        // without friction: that acts on the two points, which are not one
        b.contact(ContactRule::between("soft", "ball").normal(law));
        let model = b.build().unwrap();
        let mut r = Recording::default();
        let sim = Simulation::new(&model).duration(0.2).method("dop853").rtol(1e-12).atol(1e-12);
        let run = sim.output_every(0.005).run_into(&mut r).unwrap();
        assert!(run.summary.touches > 0 && run.summary.audit_relative < 1e-10, "{kind}: {}", run.summary);
        let mass = ["soft", "ball"].map(|name| model.mass(name).unwrap());
        let kept = |frame: &Frame| {
            let p: Vec3 = frame.bodies.iter().zip(mass).map(|(b, m)| b.velocity * m).sum();
            let l: Vec3 =
                frame.bodies.iter().zip(["soft", "ball"]).map(|(b, n)| angular_momentum(&model, n, b)).sum();
            (p, l)
        };
        let (p, l) = kept(&r.frames[0]);
        let mut worst = [0.0f64; 2];
        for frame in &r.frames {
            let now = kept(frame);
            worst[0] = worst[0].max((now.0 - p).norm() / p.norm());
            worst[1] = worst[1].max((now.1 - l).norm() / l.norm());
        }
        println!(
            "{kind}: momentum {:.1e}, angular momentum {:.1e}, audit {:.1e}",
            worst[0], worst[1], run.summary.audit_relative
        );
        assert!(worst[0] < 1e-14 && worst[1] < 1e-11, "{kind}: {worst:?}");
        // it has been hit hard enough to be bent
        let bent = r
            .frames
            .iter()
            .map(|f| (strain(&f.bodies[0]).transpose() * strain(&f.bodies[0]) - Mat3::identity()).norm());
        assert!(bent.fold(0.0, f64::max) > 0.02);
    }
}

/// A soft ball between two that close in on it, and a soft block that falls flat: what is alike on both sides stays so.
#[test]
fn symmetry_is_kept() {
    let law = || HuntCrossley::damping(0.1).unwrap().stiffness(3e4);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::affine("soft", rubber(5e3, 2.0)).density(1000.0).surface(Sphere::new(0.05).unwrap()));
    for (name, x) in [("left", -1.0), ("right", 1.0)] {
        let ball = Body::new(name).mass(0.3).position([0.1 * x, 0.0, 0.0]).velocity([-2.0 * x, 0.0, 0.0]);
        b.body(ball.surface(Sphere::new(0.03).unwrap()));
        b.contact(ContactRule::between("soft", name).normal(law()).friction(Tanh::new(0.3, 20.0).unwrap()));
    }
    let mut r = Recording::default();
    let model = b.build().unwrap();
    Simulation::new(&model).duration(0.1).rtol(1e-10).output_every(0.002).run_into(&mut r).unwrap();
    assert_eq!(r.events.iter().filter(|e| e.kind == EventKind::Touch).count(), 2);
    for frame in &r.frames {
        let f = strain(&frame.bodies[0]);
        assert!(frame.bodies[0].position.norm() < 1e-14, "{:?}", frame.bodies[0].position);
        assert!(
            (f - Mat3::from_diagonal(&f.diagonal())).norm() < 1e-13 && (f[(1, 1)] - f[(2, 2)]).abs() < 1e-13
        );
        assert!((frame.bodies[1].position + frame.bodies[2].position).norm() < 1e-14);
    }
    let mut b = ModelBuilder::new();
    let block = Body::affine("block", rubber(5e3, 2.0)).density(1000.0).position([0.0, 0.0, 0.08]);
    b.body(block.surface(Cuboid::new([0.1, 0.1, 0.1]).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("block", "floor").normal(law()).friction(Tanh::new(0.3, 20.0).unwrap()));
    let mut r = Recording::default();
    let model = b.build().unwrap();
    Simulation::new(&model).duration(0.3).rtol(1e-10).output_every(0.01).run_into(&mut r).unwrap();
    assert_eq!(r.frames.iter().map(|f| f.contacts.len()).max(), Some(4));
    for frame in &r.frames {
        let f = strain(&frame.bodies[0]);
        assert!(
            (f - Mat3::from_diagonal(&f.diagonal())).norm() < 1e-12 && (f[(0, 0)] - f[(1, 1)]).abs() < 1e-12
        );
        assert!(frame.bodies[0].position.xy().norm() < 1e-13);
    }
}

/// Stiffness from materials at a deformed ball is that of the ellipsoid it is, and a corner has none.
#[test]
fn stiffness_from_materials() {
    let steel = || Material::new("rubber").youngs_modulus(1e6).poisson_ratio(0.4).density(1000.0);
    let f = Mat3::from_diagonal(&Vec3::new(1.3, 0.9, 1.0 / 1.17));
    let semi = [0.05 * 1.3, 0.05 * 0.9, 0.05 / 1.17];
    let force = |body: Body, surface: SurfaceSpec| {
        let mut b = ModelBuilder::new();
        b.material(steel());
        b.body(body.position([0.0, 0.0, 0.05 / 1.17 - 1e-3]).surface(surface.material("rubber")));
        b.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("rubber")));
        b.contact(on_floor().normal(Hertz::new()));
        let model = b.build()?;
        Ok::<_, BuildError>(Simulation::new(&model).duration(1e-9).run().unwrap().end.frame.contacts[0].f_n)
    };
    let soft =
        force(Body::affine("ball", rubber(1e5, 0.0)).deformation(f), Sphere::new(0.05).unwrap().into());
    let rigid = force(Body::new("ball"), Ellipsoid::new(semi).unwrap().into());
    let (soft, rigid) = (soft.unwrap(), rigid.unwrap());
    assert!(rigid > 0.0 && (soft / rigid - 1.0).abs() < 1e-8, "{soft} {rigid}");
    let corner = force(Body::affine("ball", rubber(1e5, 0.0)), Cuboid::new([0.1; 3]).unwrap().into());
    assert!(matches!(*corner.unwrap_err().fault, Fault::NeedsStiffness { .. }));
}

/// What a body that deforms cannot touch is refused by name.
#[test]
fn what_is_refused() {
    let soft =
        |name: &str| Body::affine(name, rubber(1e4, 0.0)).density(1000.0).surface(Sphere::new(0.05).unwrap());
    let rod = || Body::new("b").mass(1.0).surface(Capsule::new(0.1, 0.4).unwrap());
    for (a, b) in [(soft("a"), soft("b")), (soft("a"), rod())] {
        let mut builder = ModelBuilder::new();
        builder.body(a).body(b).contact(ContactRule::between("a", "b").normal(Hertz::new().stiffness(1e5)));
        let error = builder.build().unwrap_err();
        assert!(matches!(*error.fault, Fault::Pair { .. }), "{error}");
        assert!(format!("{error}").contains("a surface that deforms touches a plane"), "{error}");
    }
    // one rigid ball does not vouch for another that deforms
    let mut builder = ModelBuilder::new();
    let rigid = |name: &str, x: f64| {
        Body::new(name).mass(1.0).position([x, 0.0, 0.0]).surface(Sphere::new(0.05).unwrap())
    };
    builder
        .body(rigid("one", 1.0))
        .body(rigid("two", 2.0))
        .body(soft("a"))
        .body(soft("b").position([3.0, 0.0, 0.0]));
    builder.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(1e5)));
    assert!(matches!(*builder.build().unwrap_err().fault, Fault::Pair { .. }));
}
