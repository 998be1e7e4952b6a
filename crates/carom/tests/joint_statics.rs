//! Equilibria and modes of mechanisms, against closed forms.

use carom::prelude::*;
use carom::{Drive, Formula, Rolling};

const G: f64 = 9.81;

fn bar(name: &str, m: f64, l: f64) -> Body {
    Body::new(name).mass(m).inertia([1e-3, m * l * l / 12.0, m * l * l / 12.0])
}

/// N bars of 1 m and 1 kg, one hung from the other, held out at an angle.
fn hung(n: usize, angle: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -G]).body(Body::fixed("ground"));
    let along = Vec3::new(angle.cos(), 0.0, -angle.sin());
    for i in 0..n {
        let turn = Quat::from_axis_angle(&Vec3::y_axis(), angle);
        let at = along * (i as f64 + 0.5);
        b.body(bar(&format!("bar{i}"), 1.0, 1.0).position(at.into()).orientation(turn));
        let other = if i == 0 { "ground".to_owned() } else { format!("bar{}", i - 1) };
        let hinge = Joint::between(&format!("bar{i}"), &other, Revolute);
        b.joint(hinge.at((along * i as f64).into()).axis([0.0, 1.0, 0.0]));
    }
    b.build().unwrap()
}

/// They hang down, and swing at ω² l/g = 3/2, or 3 ± 6/√7.
#[test]
fn pendulums_hang_and_swing() {
    for (n, expected) in [(1, vec![1.5]), (2, vec![3.0 - 6.0 / 7f64.sqrt(), 3.0 + 6.0 / 7f64.sqrt()])] {
        let modes = Modes::new(&hung(n, 0.4)).unwrap();
        for (i, body) in modes.at.bodies.iter().enumerate() {
            let off = body.position - Vec3::new(0.0, 0.0, -0.5 - i as f64);
            assert!(off.norm() < 1e-12, "{n}: {off}");
        }
        assert!(modes.at.stable() && modes.at.neutral.is_empty() && modes.exact);
        let found: Vec<f64> = modes.modes.iter().map(|m| m.omega_squared / G).collect();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        }
    }
    // upright, exactly, it stands: on its tip
    let tip = Equilibrium::find(&hung(1, -std::f64::consts::FRAC_PI_2)).unwrap();
    assert!(tip.unstable.len() == 1 && (tip.bodies[0].position.z - 0.5).abs() < 1e-15);
}

/// A ball in a bowl, rolling: ω² = 5/7 g/(R − r), to all sides; spinning on its spot is free.
#[test]
fn a_ball_in_a_bowl_rolls_to_its_middle() {
    let (big, r) = (0.5, 0.1);
    let mut b = ModelBuilder::new();
    let at = Vec3::new(0.2, 0.1, -0.1).normalize() * (big - r);
    b.gravity([0.0, 0.0, -G]);
    b.body(Body::new("ball").density(1e3).surface(Sphere::new(r).unwrap()).position(at.into()));
    b.body(Body::fixed("bowl").surface(SurfaceSpec::new(Sphere::new(big).unwrap()).inside()));
    b.joint(Joint::between("ball", "bowl", Rolling));
    let modes = Modes::new(&b.build().unwrap()).unwrap();
    assert!((modes.at.bodies[0].position - Vec3::new(0.0, 0.0, r - big)).norm() < 1e-12);
    assert_eq!((modes.modes.len(), modes.at.neutral.len()), (3, 1));
    for mode in modes.modes.iter().filter(|m| m.omega_squared > 0.0) {
        let off = mode.omega_squared / (5.0 / 7.0 * G / (big - r)) - 1.0;
        assert!(off.abs() < 1e-7, "{off:e}");
    }
}

/// A lever on a spring, with a dashpot: J ω² = k a² + m g s, and Re s = −c a²/2J. A drive that stands still holds what it drives.
#[test]
fn a_lever_on_a_spring() {
    let (k, c, a) = (300.0, 2.0, 0.4);
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -G]).body(Body::fixed("ground"));
    let lever = bar("lever", 2.0, 1.0)
        .orientation(Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2));
    b.body(lever.position([0.0, 0.0, -0.5]));
    b.joint(Joint::between("lever", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).named("pivot"));
    // across the lever, without tension as it hangs
    let spring = SpringDamper::new(k, 1.0).unwrap().damping(c);
    b.force(Force::between("lever", "ground", spring).points([a - 0.5, 0.0, 0.0], [1.0, 0.0, -a]));
    let modes = Modes::new(&b.build().unwrap()).unwrap();
    let j = 2.0 / 3.0;
    let omega_squared = (k * a * a + 2.0 * G * 0.5) / j;
    assert!((modes.modes[0].omega_squared / omega_squared - 1.0).abs() < 1e-12);
    let decay = c * a * a / (2.0 * j);
    assert!((modes.roots[0].growth + decay).abs() < 1e-12 * decay.max(1.0));
    assert!((modes.roots[0].omega - (omega_squared - decay * decay).sqrt()).abs() < 1e-11);
    b.drive(Drive::new("joint/pivot/angle", Formula::new("0.3").unwrap()));
    let held = Equilibrium::find(&b.build().unwrap()).unwrap();
    assert!((held.bodies[0].position.x - 0.5 * -(0.3f64.sin())).abs() < 1e-14, "{}", held.bodies[0].position);
    let mut moving = ModelBuilder::new();
    moving.body(Body::fixed("ground")).body(bar("bar", 1.0, 1.0));
    moving.joint(Joint::between("bar", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).named("pin"));
    moving.drive(Drive::new("joint/pin/speed", Formula::new("2").unwrap()));
    let refused = Equilibrium::find(&moving.build().unwrap()).unwrap_err().to_string();
    assert!(refused.contains("joint `pin/speed`"), "{refused}");
}
