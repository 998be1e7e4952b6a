//! Equilibria and small motions about them, against closed forms.

use crate::common::{close, near};
use carom::geometry::surfaces::Ellipsoid;
use carom::law::normal::KelvinVoigt;
use carom::prelude::*;
use carom::{Mode, ModeKind};

const G: f64 = 9.81;

/// The modes that are not neutral.
fn moving(modes: &Modes) -> Vec<&Mode> {
    modes.modes.iter().filter(|m| m.kind != ModeKind::Neutral).collect()
}

/// The mode of this shape.
#[track_caller]
fn of_shape<'a>(modes: &'a Modes, shape: &str) -> &'a Mode {
    let shapes: Vec<String> = modes.modes.iter().map(|m| m.shape.to_string()).collect();
    modes.modes.iter().find(|m| m.shape.to_string() == shape).unwrap_or_else(|| panic!("{shape}: {shapes:?}"))
}

/// A body that balls and springs are hung from.
fn wall(at: [f64; 3]) -> Body {
    Body::fixed("wall").position(at)
}

fn spring(k: f64, rest_length: f64) -> SpringDamper {
    SpringDamper::new(k, rest_length).unwrap()
}

/// ω² = k/m, and with a dashpot s = −c/2m ± i √(k/m − (c/2m)²).
#[test]
fn a_mass_on_a_spring() {
    let (k, m, c) = (250.0, 0.4, 3.0);
    let mut b = ModelBuilder::new();
    b.body(Body::new("mass").mass(m).position([0.0, 0.0, -0.7]).dofs(&[Dof::Z]));
    b.body(wall([0.0; 3]));
    b.force(Force::between("mass", "wall", spring(k, 0.3).damping(c)));
    let modes = Modes::new(&b.build().unwrap()).unwrap();
    near("place", modes.at.bodies[0].position.z, -(0.3 + m * G / k), 1e-15);
    assert!(modes.at.residual <= 1e-12 && modes.at.stable() && modes.at.neutral.is_empty());
    close("ω²", modes.modes[0].omega_squared, k / m, 1e-13);
    assert_eq!((modes.modes.len(), modes.roots.len(), modes.damped), (1, 1, true));
    let root = &modes.roots[0];
    close("growth", root.growth, -c / (2.0 * m), 1e-12);
    close("damped ω", root.omega, (k / m - (c / (2.0 * m)).powi(2)).sqrt(), 1e-12);
    close("ζ", root.damping_ratio(), c / (2.0 * (k * m).sqrt()), 1e-12);
    assert_eq!((root.mode, root.kind), (0, ModeKind::Oscillates));
}

/// Two equal masses between three equal springs: in step with k/m, against each other with 3 k/m.
#[test]
fn two_masses_and_three_springs() {
    let (k, m) = (80.0, 0.25);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    for (name, x) in [("left", 0.0), ("right", 3.0)] {
        b.body(Body::fixed(name).position([x, 0.0, 0.0]));
    }
    for (name, x) in [("a", 0.8), ("b", 2.1)] {
        b.body(Body::new(name).mass(m).position([x, 0.0, 0.0]).dofs(&[Dof::X]));
    }
    for [one, other] in [["left", "a"], ["a", "b"], ["b", "right"]] {
        b.force(Force::between(one, other, spring(k, 0.7)));
    }
    let modes = Modes::new(&b.build().unwrap()).unwrap();
    for (body, x) in modes.at.bodies.iter().zip([1.0, 2.0]) {
        near("place", body.position.x, x, 1e-14);
    }
    close("in step", modes.modes[0].omega_squared, k / m, 1e-13);
    close("against", modes.modes[1].omega_squared, 3.0 * k / m, 1e-13);
    let shapes = [&modes.modes[0], &modes.modes[1]].map(|m| m.shape.to_string());
    assert_eq!(shapes, ["a x 1.00, b x 1.00", "a x 1.00, b x -1.00"]);
    assert!(!modes.damped);
}

/// A pendulum on a stiff spring, let go at 60°: hangs by l = l0 + mg/k and swings with g/l, in x and in y, beside k/m.
#[test]
fn a_pendulum_on_a_stiff_spring() {
    for k in [1e3, 1e6, 1e10] {
        let (m, l0) = (0.3, 0.5);
        let mut b = ModelBuilder::new();
        let (s, c) = 60f64.to_radians().sin_cos();
        b.body(Body::new("bob").mass(m).position([l0 * s, 0.0, -l0 * c]).dofs(&[Dof::X, Dof::Y, Dof::Z]));
        b.body(wall([0.0; 3]));
        b.force(Force::between("bob", "wall", spring(k, l0)));
        let modes = Modes::new(&b.build().unwrap()).unwrap();
        let l = l0 + m * G / k;
        near("length", modes.at.bodies[0].position.z, -l, 1e-15);
        near("plumb", modes.at.bodies[0].position.x, 0.0, 1e-12);
        // the tension is known to rounding of the length
        let rounding = k * l * f64::EPSILON / (m * G);
        for swing in &modes.modes[..2] {
            close("swing", swing.omega_squared, G / l, 1e-13 + rounding);
        }
        close("bounce", modes.modes[2].omega_squared, k / m, 1e-13);
    }
}

fn on_floor(body: Body, normal: impl carom::law::Normal + 'static) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    let rule = ContactRule::between("*", "floor").normal(normal);
    b.body(body).body(Body::fixed("floor").surface(Plane)).contact(rule);
    b
}

/// A ball dropped on a Hertz contact: δ0 = (mg/K)^(2/3), ω² = 3/2 K δ0^(1/2)/m; all else neutral.
#[test]
fn a_ball_on_a_hertz_contact() {
    let (m, r, k): (f64, f64, f64) = (0.1, 0.02, 1e8);
    for height in [0.02, 0.0201, 0.5, 30.0, 0.0199] {
        let ball = Body::new("ball").mass(m).position([0.3, -0.1, height]).surface(Sphere::new(r).unwrap());
        let modes = Modes::new(&on_floor(ball, Hertz::new().stiffness(k)).build().unwrap()).unwrap();
        let depth = (m * G / k).powf(2.0 / 3.0);
        let at = modes.at.bodies[0].position;
        near("depth", at.z, r - depth, 1e-17);
        assert_eq!((at.x, at.y, modes.at.neutral.len()), (0.3, -0.1, 5));
        let bounce = moving(&modes);
        assert_eq!(bounce.len(), 1);
        close("ω²", bounce[0].omega_squared, 1.5 * k * depth.sqrt() / m, 1e-11);
        assert!(modes.at.iterations < 120, "{}", modes.at.iterations);
    }
}

/// A linear spring and dashpot: ζ = D/(2 √(K m)). Friction at rest is a dashpot: slip of a ball decays at 7/2 μ g k_t; rolling is free.
#[test]
fn a_ball_on_a_dashpot_with_friction() {
    let (m, r, k, d, mu, slope) = (0.2, 0.03, 4e4, 12.0, 0.25, 50.0);
    let ball = Body::new("ball").mass(m).position([0.0, 0.0, 0.05]).surface(Sphere::new(r).unwrap());
    let mut b = ModelBuilder::new();
    b.body(ball).body(Body::fixed("floor").surface(Plane));
    let law = KelvinVoigt::damping(d).unwrap().stiffness(k);
    b.contact(
        ContactRule::between("ball", "floor")
            .normal(law)
            .friction(Tanh::new(mu, slope).unwrap())
            .friction_at(FrictionAt::Surfaces),
    );
    let modes = Modes::new(&b.build().unwrap()).unwrap();
    near("depth", modes.at.bodies[0].position.z, r - m * G / k, 1e-16);
    let bounce = modes.roots.iter().find(|r| r.omega > 0.0).unwrap();
    close("ζ", bounce.damping_ratio(), d / (2.0 * (k * m).sqrt()), 1e-11);
    let slip: Vec<f64> =
        modes.roots.iter().filter(|r| r.kind == ModeKind::Decays).map(|r| r.growth).collect();
    assert_eq!(slip.len(), 2);
    slip.iter().for_each(|s| close("slip", *s, -3.5 * mu * G * slope, 1e-11));
    // rolling and spinning go on as they go
    assert_eq!(modes.roots.len(), 3);
}

/// A brick on its four corners, linear springs: heaves with 4k/m, rocks with (4 k b² − m g h)/I about each axis.
#[test]
fn a_brick_on_its_corners() {
    let (size, m, k): ([f64; 3], f64, f64) = ([0.2, 0.1, 0.06], 0.8, 5e4);
    let [a, b, h] = size.map(|s| 0.5 * s);
    let law = Hertz::new().stiffness(k).exponent(1.0);
    let brick = |q: [f64; 4], z: f64| {
        let body = Body::new("brick").mass(m).position([0.0, 0.0, z]).quaternion(q);
        on_floor(body.surface(Cuboid::new(size).unwrap()), law).build().unwrap()
    };
    // flat, and let down on one corner
    let tilted = Quat::from_euler_angles(0.2, -0.3, 0.0);
    let tilted = [tilted.w, tilted.i, tilted.j, tilted.k];
    for (q, z, accuracy) in [([1.0, 0.0, 0.0, 0.0], 0.04, 1e-12), (tilted, 0.12, 1e-11)] {
        let modes = Modes::new(&brick(q, z)).unwrap();
        near("height", modes.at.bodies[0].position.z, h - m * G / (4.0 * k), 1e-15);
        let (ix, iy) = (m * (b * b + h * h) / 3.0, m * (a * a + h * h) / 3.0);
        let mut want = [4.0 * k / m, (4.0 * k * b * b - m * G * h) / ix, (4.0 * k * a * a - m * G * h) / iy];
        want.sort_by(f64::total_cmp);
        let moving = moving(&modes);
        assert_eq!(moving.len(), 3);
        moving.iter().zip(want).for_each(|(m, want)| close("ω²", m.omega_squared, want, accuracy));
        assert!(modes.at.stable() && modes.at.neutral.len() == 3);
    }
    let flat = Modes::new(&brick([1.0, 0.0, 0.0, 0.0], 0.04)).unwrap();
    close("heave", of_shape(&flat, "brick z 1.00").omega_squared, 4.0 * k / m, 1e-12);
    close(
        "rock",
        of_shape(&flat, "brick rx 1.00").omega_squared,
        (4.0 * k * b * b - m * G * h) / (m * (b * b + h * h) / 3.0),
        1e-12,
    );
}

/// An ellipsoid of height c on a plane, radii of curvature a²/c and b²/c there: the normal force goes through the lowest point, which moves by
/// (a²/c − c) θ beside the centre, so that ω² = m g (a²/c − c)/I. Below zero it falls over.
#[test]
fn an_egg_lying_and_standing() {
    let axes = [0.03, 0.025, 0.02];
    let (m, k) = (0.06, 2e7);
    let i = |p: usize, q: usize| m * (axes[p] * axes[p] + axes[q] * axes[q]) / 5.0;
    // which axis is up, and the others by the turn that brings it there about x or y
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let up = [
        (2, [1.0, 0.0, 0.0, 0.0], [(0, "egg ry 1.00"), (1, "egg rx 1.00")]),
        (1, [half, half, 0.0, 0.0], [(0, "egg ry 1.00"), (2, "egg rx 1.00")]),
        (0, [half, 0.0, half, 0.0], [(2, "egg ry 1.00"), (1, "egg rx 1.00")]),
    ];
    for (up, q, ways) in up {
        let c = axes[up];
        let egg = Body::new("egg").mass(m).position([0.0, 0.0, c + 1e-3]).quaternion(q);
        let egg = egg.surface(Ellipsoid::new(axes).unwrap());
        let modes = Modes::new(&on_floor(egg, Hertz::new().stiffness(k)).build().unwrap()).unwrap();
        let depth = (m * G / k).powf(2.0 / 3.0);
        near("height", modes.at.bodies[0].position.z, c - depth, 1e-15);
        for (along, shape) in ways {
            // rocking along an axis is turning in its plane with the upright one
            let want = m * G * (axes[along] * axes[along] / c - c) / i(along, up);
            let mode = of_shape(&modes, shape);
            close(shape, mode.omega_squared, want, 1e-10);
            assert_eq!(mode.kind == ModeKind::Grows, axes[along] < c, "{shape}");
        }
        let unstable = axes.iter().filter(|a| **a < c).count();
        assert_eq!((modes.at.unstable.len(), modes.at.neutral.len()), (unstable, 3));
        // rates of growth
        let grows = modes.roots.iter().filter(|r| r.kind == ModeKind::Grows);
        let growing = modes.modes.iter().filter(|m| m.kind == ModeKind::Grows);
        assert_eq!(grows.clone().count(), unstable);
        for (root, mode) in grows.zip(growing.rev()) {
            close("growth", root.growth, mode.omega(), 1e-10);
        }
    }
}

/// Let go a little off its tip, the egg does not stay there.
#[test]
fn an_egg_falls_over() {
    let egg = Body::new("egg").mass(0.06).position([0.0, 0.0, 0.031]);
    let q = Quat::from_euler_angles(0.0, std::f64::consts::FRAC_PI_2 - 1e-4, 0.0);
    let egg = egg.quaternion([q.w, q.i, q.j, q.k]).surface(Ellipsoid::new([0.03, 0.02, 0.02]).unwrap());
    let rest = Equilibrium::find(&on_floor(egg, Hertz::new().stiffness(2e7)).build().unwrap()).unwrap();
    assert!(rest.stable(), "{rest}");
    near("height", rest.bodies[0].position.z, 0.02 - (0.06 * G / 2e7_f64).powf(2.0 / 3.0), 1e-15);
}

/// A ball in a bowl, without friction: a pendulum of the length R − r + δ0. Let go at the side, it ends at the bottom.
#[test]
fn a_ball_in_a_bowl() {
    let (big, r, m, k): (f64, f64, f64, f64) = (0.3, 0.02, 0.05, 1e8);
    let mut b = ModelBuilder::new();
    let (s, c) = 50f64.to_radians().sin_cos();
    let at = [(big - r) * s, 0.0, -(big - r) * c];
    b.body(Body::new("ball").mass(m).position(at).surface(Sphere::new(r).unwrap()));
    b.body(Body::fixed("bowl").surface(SurfaceSpec::new(Sphere::new(big).unwrap()).inside()));
    b.contact(ContactRule::between("ball", "bowl").normal(Hertz::new().stiffness(k)));
    let model = b.build().unwrap();
    let modes = Modes::new(&model).unwrap();
    let depth = (m * G / k).powf(2.0 / 3.0);
    let l = big - r + depth;
    near("bottom", modes.at.bodies[0].position.x, 0.0, 1e-11);
    near("depth", modes.at.bodies[0].position.z, -l, 1e-15);
    let moving = moving(&modes);
    assert_eq!(moving.len(), 3);
    moving[..2].iter().for_each(|mode| close("swing", mode.omega_squared, G / l, 1e-10));
    close("bounce", moving[2].omega_squared, 1.5 * k * depth.sqrt() / m, 1e-10);
}

/// A run that starts at the bottom of the bowl with a small push swings with the frequency of the mode.
#[test]
fn a_run_swings_with_the_frequency_of_its_mode() {
    let axes = [0.05, 0.04, 0.02];
    let egg = Body::new("egg").mass(0.2).position([0.0, 0.0, 0.1]).angular_velocity([0.0, 1e-4, 0.0]);
    let egg = egg.surface(Ellipsoid::new(axes).unwrap());
    let model = on_floor(egg, Hertz::new().stiffness(1e7)).build().unwrap();
    let modes = Modes::new(&model).unwrap();
    let rocking = of_shape(&modes, "egg ry 1.00").omega();
    let mut r = Recording::default();
    let period = std::f64::consts::TAU / rocking;
    let run = Simulation::new(&model).start(Start::Equilibrium).rtol(1e-12).duration(2.25 * period);
    run.output_every(period / 64.0).run_into(&mut r).unwrap();
    // zeros of the rate a quarter and two and a quarter periods on
    let rate: Vec<(f64, f64)> = r.frames.iter().map(|f| (f.t, f.bodies[0].angular_velocity.y)).collect();
    let later: Vec<(f64, f64)> = rate.iter().copied().filter(|(t, _)| *t > 1.1 * period).collect();
    let [first, third] = [&rate, &later].map(|curve| crate::common::first_zero(curve).unwrap());
    close("period", third - first, period, 1e-8);
}

/// Bristles are springs for small slip: 4 σ0/m along the floor.
#[test]
fn bristles_are_springs() {
    let (m, k, sigma) = (0.5, 1e5, 2e4);
    let block = Body::new("block").mass(m).position([0.0, 0.0, 0.03]).dofs(&[Dof::X, Dof::Z]);
    let mut b = ModelBuilder::new();
    b.body(block.surface(Cuboid::new([0.1, 0.1, 0.04]).unwrap())).body(Body::fixed("floor").surface(Plane));
    let law = Hertz::new().stiffness(k).exponent(1.0);
    let friction = LuGre::new(0.3, 0.4, 0.01, sigma).unwrap().damping(5.0);
    b.contact(ContactRule::between("block", "floor").normal(law).friction(friction));
    let model = b.build().unwrap();
    let modes = Modes::new(&model).unwrap();
    assert_eq!(modes.at.neutral.len(), 1); // without friction
    close("along", of_shape(&modes, "block x 1.00").omega_squared, 4.0 * sigma / m, 1e-12);
    close("heave", of_shape(&modes, "block z 1.00").omega_squared, 4.0 * k / m, 1e-12);
    // σ1 damps
    let along = &modes.roots[0];
    close("ζ", along.damping_ratio(), 4.0 * 5.0 / (2.0 * (4.0 * sigma * m).sqrt()), 1e-11);
    assert_eq!(modes.roots.len(), 2);
}

/// Stiffness from materials and curvature goes with the place of contact: found where a run latches it.
#[test]
fn stiffness_from_curvature() {
    let steel = || Material::new("steel").youngs_modulus(2.1e11).poisson_ratio(0.3).density(7850.0);
    let egg = SurfaceSpec::new(Ellipsoid::new([0.03, 0.02, 0.01]).unwrap()).material("steel");
    let q = Quat::from_euler_angles(0.5, -0.4, 0.3);
    let egg = Body::new("egg").position([0.0, 0.0, 0.05]).quaternion([q.w, q.i, q.j, q.k]).surface(egg);
    let mut b = ModelBuilder::new();
    b.material(steel()).body(egg);
    b.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("steel")));
    b.contact(ContactRule::between("egg", "floor").normal(Hertz::new()));
    let model = b.build().unwrap();
    let rest = Equilibrium::find(&model).unwrap();
    assert!(rest.stable() && rest.neutral.len() == 3, "{rest}");
    // 1e-8 m deep, 1e-2 m large: 1e-10 is what numbers can tell
    assert!(rest.residual < 1e-9, "{rest}");
    let run = Simulation::new(&model).start(Start::Equilibrium).duration(1e-2).run().unwrap();
    let end = run.end.body("egg").unwrap();
    let way = (end.position - rest.bodies[0].position).norm();
    // what is left of the forces moves it by 1e-9 g t²/2
    assert!(way < 1e-12 && end.velocity.norm() < 1e-10, "{way} {}", end.velocity.norm());
    assert_eq!(run.summary.start, Some(rest));
}

/// The given velocities are those of the reference point, wherever the equilibrium turns the body to.
#[test]
fn a_run_starts_with_the_given_velocities() {
    let q = Quat::from_euler_angles(0.3, 0.0, 0.0);
    let egg = Body::new("egg").mass(0.1).inertia([1e-5, 2e-5, 2e-5]).centre_of_mass([0.0, 0.0, -5e-3]);
    let egg = egg.position([0.0, 0.0, 0.03]).quaternion([q.w, q.i, q.j, q.k]);
    let egg = egg.velocity([0.1, 0.0, 0.0]).angular_velocity([0.0, 0.0, 2.0]);
    let model =
        on_floor(egg.surface(Sphere::new(0.02).unwrap()), Hertz::new().stiffness(1e7)).build().unwrap();
    let mut r = Recording::default();
    let run = Simulation::new(&model).start(Start::Equilibrium).duration(1e-3);
    run.output_every(1e-3).run_into(&mut r).unwrap();
    let start = &r.frames[0].bodies[0];
    near("upright", start.orientation.angle(), 0.0, 1e-11);
    near("height", start.position.z, 0.02 - (0.1 * G / 1e7_f64).powf(2.0 / 3.0), 1e-15);
    near("velocity", (start.velocity - Vec3::new(0.1, 0.0, 0.0)).norm(), 0.0, 1e-14);
    assert_eq!(start.angular_velocity, Vec3::new(0.0, 0.0, 2.0));
}

/// Many contacts: what is found stays where it is.
#[test]
fn a_heap_comes_to_rest() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("cup").surface(SurfaceSpec::new(Ellipsoid::new([0.1, 0.1, 0.2]).unwrap()).inside()));
    for i in 0..6 {
        let (s, c) = (1.9 * f64::from(i)).sin_cos();
        let at = [0.03 * c, 0.03 * s, -0.1 + 0.035 * f64::from(i)];
        b.body(Body::new(&format!("ball{i}")).mass(0.05).position(at).surface(Sphere::new(0.02).unwrap()));
    }
    b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(1e7)));
    let model = b.build().unwrap();
    let modes = Modes::new(&model).unwrap();
    assert!(modes.at.residual < 1e-12 && modes.at.stable(), "{}", modes.at);
    // each ball may turn as it likes, and all may turn round the cup
    assert_eq!(modes.at.neutral.len(), 6 * 3 + 1);
    let run = Simulation::new(&model).start(Start::Equilibrium).duration(0.1).run().unwrap();
    let moved =
        run.end.frame.bodies.iter().zip(&modes.at.bodies).map(|(a, b)| (a.position - b.position).norm());
    assert!(moved.fold(0.0, f64::max) < 1e-12);
}

/// What cannot be at rest is said.
#[test]
fn what_cannot_be_at_rest() {
    let find = |b: &ModelBuilder| Equilibrium::find(&b.build().unwrap()).unwrap_err().to_string();
    let ball = || Body::new("ball").mass(0.1).position([0.0, 0.0, 0.3]).surface(Sphere::new(0.02).unwrap());
    let mut b = ModelBuilder::new();
    b.body(ball());
    let text = find(&b);
    assert!(
        text.starts_with(
            "no equilibrium found: body `ball` goes away: nothing holds it; left on it z -9.810e-1 N, after "
        ),
        "{text}"
    );
    // a slope, friction or not
    let mut b = ModelBuilder::new();
    b.gravity([1.0, 0.0, -9.0]).body(ball()).body(Body::fixed("floor").surface(Plane));
    let rule = ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e7));
    b.contact(rule.clone().friction(Tanh::new(0.3, 1e3).unwrap()));
    let text = find(&b);
    assert!(
        text.contains("left on it x 1.000e-1 N, after ") && text.contains("(friction holds nothing"),
        "{text}"
    );
    // a slide down a rail that only friction in the joint could hold
    let mut b = ModelBuilder::new();
    b.body(ball()).body(Body::fixed("rail"));
    let friction = JointFriction::new(Tanh::new(0.3, 1e3).unwrap());
    b.joint(
        Joint::between("ball", "rail", Prismatic)
            .at([0.0, 0.0, 0.3])
            .axis([0.0, 0.0, 1.0])
            .friction(friction),
    );
    let text = find(&b);
    assert!(text.contains("(friction holds nothing"), "{text}");
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    assert_eq!(find(&b), "no body moves by its forces: there is nothing to bring to rest");
    let mut b = ModelBuilder::new();
    b.body(ball())
        .body(Body::prescribed("belt", Slide { velocity: Vec3::new(1.0, 0.0, 0.0) }).surface(Plane));
    b.contact(ContactRule::between("ball", "belt").normal(Hertz::new().stiffness(1e7)));
    assert_eq!(find(&b), "body `belt` moves as prescribed at t = 0: an equilibrium is of bodies at rest");
}
