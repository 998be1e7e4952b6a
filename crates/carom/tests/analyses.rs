//! Kinematic and inverse analyses, against closed forms of the slider-crank.

use std::f64::consts::TAU;

use carom::prelude::*;
use carom::{AnalysisError, Cycle, Cylindrical, Formula, Posture, Spline};

const R: f64 = 0.05;
const L: f64 = 0.12;
const OMEGA: f64 = 5000.0 * TAU / 60.0;
/// of the crank about its bearing [kg m²]
const CRANK: f64 = 3e-4;
/// [kg]
const ROD: f64 = 0.21;
const SLIDER: f64 = 0.14;
/// of the rod about its middle [kg m²]
const I_ROD: f64 = 2.5e-4;

/// A slider-crank in the x-y plane, stretched out as it starts; said once, so that all reactions are what they must be.
fn slider_crank(drive: Option<Drive>) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, -9.81, 0.0]).body(Body::fixed("ground"));
    b.body(Body::new("crank").mass(0.3).inertia([2e-4, 2e-4, CRANK]).angular_velocity([0.0, 0.0, OMEGA]));
    let w = -R * OMEGA / L;
    let rod = Body::new("rod").mass(ROD).inertia([1e-5, I_ROD, I_ROD]).position([R + 0.5 * L, 0.0, 0.0]);
    b.body(rod.velocity([0.0, 0.5 * R * OMEGA, 0.0]).angular_velocity([0.0, 0.0, w]));
    b.body(Body::new("slider").mass(SLIDER).inertia([1e-4; 3]).position([R + L, 0.0, 0.0]));
    let z = [0.0, 0.0, 1.0];
    b.joint(Joint::between("crank", "ground", Revolute).at([0.0; 3]).axis(z).named("main"));
    b.joint(Joint::between("rod", "crank", Spherical).at([R, 0.0, 0.0]).named("pin"));
    b.joint(Joint::between("rod", "slider", Cylindrical).at([R + L, 0.0, 0.0]).axis(z).named("wrist"));
    let bore = Joint::between("slider", "ground", Prismatic).at([R + L, 0.0, 0.0]);
    b.joint(bore.axis([1.0, 0.0, 0.0]).named("bore"));
    drive.into_iter().for_each(|d| {
        b.drive(d);
    });
    b.build().unwrap()
}

/// At the crank angle a: sin b = −r/l sin a of the rod, the slider at x.
struct Closed {
    x: f64,
    /// dx/da, d²x/da²
    x1: f64,
    x2: f64,
    /// of the rod's angle
    b1: f64,
    b2: f64,
    /// ½ dJ/da, J the inertia that the crank feels, and dV/da
    torque_at_1: f64,
    weight: f64,
}

fn closed(a: f64) -> Closed {
    let (sin, cos) = a.sin_cos();
    let sin_b = -R / L * sin;
    let cos_b = (1.0 - sin_b * sin_b).sqrt();
    let b1 = -R / L * cos / cos_b;
    let b2 = (R / L * sin + b1 * b1 * sin_b) / cos_b;
    let x1 = -R * sin - L * sin_b * b1;
    let x2 = -R * cos - L * (cos_b * b1 * b1 + sin_b * b2);
    // the middle of the rod: r + ½ l
    let (u1, v1) = (-R * sin - 0.5 * L * sin_b * b1, R * cos + 0.5 * L * cos_b * b1);
    let u2 = -R * cos - 0.5 * L * (cos_b * b1 * b1 + sin_b * b2);
    let v2 = -R * sin + 0.5 * L * (-sin_b * b1 * b1 + cos_b * b2);
    Closed {
        x: R * cos + L * cos_b,
        x1,
        x2,
        b1,
        b2,
        torque_at_1: ROD * (u1 * u2 + v1 * v2) + I_ROD * b1 * b2 + SLIDER * x1 * x2,
        weight: 9.81 * ROD * v1,
    }
}

fn at_speed() -> Drive {
    Drive::new("joint/main/speed", Formula::new(&format!("{OMEGA:?}")).unwrap())
}

fn near(what: &str, found: f64, expected: f64, scale: f64) {
    assert!((found - expected).abs() < 1e-12 * scale, "{what}: {found} {expected}");
}

#[test]
fn a_slider_crank_goes_round() {
    let model = slider_crank(Some(at_speed()));
    let t = TAU / OMEGA;
    let all = Cycle::new(&model).duration(2.0 * t).output(Output::Every(t / 50.0)).inverse().unwrap();
    assert_eq!(all.len(), 101);
    for p in &all {
        let c = closed(OMEGA * p.t);
        let slider = &p.bodies[2];
        near("x", slider.position.x, c.x, 1.0);
        near("v", slider.velocity.x, c.x1 * OMEGA, OMEGA);
        near("a", p.accelerations[2].linear.x, c.x2 * OMEGA * OMEGA, OMEGA * OMEGA);
        near("rod", p.accelerations[1].angular.z, c.b2 * OMEGA * OMEGA, OMEGA * OMEGA);
        near("rod's rate", p.bodies[1].angular_velocity.z, c.b1 * OMEGA, OMEGA);
        let of = |joint: &str| p.coordinates.iter().find(|c| c.joint == joint).unwrap();
        near("turns", of("main").value, OMEGA * p.t, 10.0);
        near("bore", of("bore").value, c.x - R - L, 1.0);
        near("bore's second rate", of("bore").second, c.x2 * OMEGA * OMEGA, OMEGA * OMEGA);
        // what the drive must do: ½ J'(a) ω² and the weight
        let torque = c.torque_at_1 * OMEGA * OMEGA + c.weight;
        near("torque", p.drives[0].force, torque, 100.0);
        near("power", p.drives[0].power, torque * OMEGA, 1e5);
        assert_eq!(p.drives[0].drive, "main/speed");
    }
}

/// Reference values at 0, 30, 60, 90, 120 and 180 degrees: x [m], ẋ [m/s], ẍ [m/s²], the rod's angle and its rates.
const REFERENCE: [(f64, [f64; 6]); 6] = [
    (0.0, [0.16999999999999998, 0.0, -19419.360511402676, 0.0, -218.16615649929122, 0.0]),
    (
        30.0,
        [
            0.16066821613227697,
            -17.91937256449524,
            -14989.865006005375,
            -0.20987059226273774,
            -193.17612698151092,
            50448.33105893632,
        ],
    ),
    (
        60.0,
        [
            0.13691514642799696,
            -27.737153266482622,
            -4020.9974338584902,
            -0.3691726188881423,
            -116.9633406000071,
            100780.90181820907,
        ],
    ),
    (
        90.0,
        [
            0.10908712114635714,
            -26.179938779914945,
            6282.952444959467,
            -0.4297754313045277,
            0.0,
            125659.04889918938,
        ],
    ),
    (
        120.0,
        [
            0.08691514642799696,
            -17.60783083937283,
            9686.7864565434,
            -0.36917261888814235,
            116.96334060000703,
            100780.90181820908,
        ],
    ),
    (180.0, [0.06999999999999999, 0.0, 7996.207269401101, 0.0, 218.16615649929122, 0.0]),
];

/// Output times that are out of range or order are refused, as those of a run are.
#[test]
fn output_times_are_checked() {
    let model = slider_crank(Some(at_speed()));
    let refused = |output| Cycle::new(&model).duration(1.0).output(output).kinematics().unwrap_err();
    for (times, allowed) in [
        (vec![], "one time or more"),
        (vec![0.0, 1.5], "from 0 to the duration"),
        (vec![f64::NAN], "from 0 to the duration"),
        (vec![0.5, 0.25], "times in increasing order"),
    ] {
        let error = refused(Output::At(times.clone()));
        assert!(
            matches!(&error, AnalysisError::BadOption { field: "output_at", allowed: said, .. } if *said == allowed),
            "{times:?}: {error}"
        );
    }
    assert!(matches!(refused(Output::Every(0.0)), AnalysisError::BadOption { field: "output_every", .. }));
}

#[test]
fn reference_values() {
    let model = slider_crank(Some(at_speed()));
    let times = REFERENCE.iter().map(|(degrees, _)| degrees.to_radians() / OMEGA).collect();
    let all = Cycle::new(&model).duration(TAU / OMEGA).output(Output::At(times)).kinematics().unwrap();
    for (p, (degrees, [x, v, a, phi, w, alpha])) in all.iter().zip(REFERENCE) {
        let (slider, rod) = (&p.bodies[2], &p.bodies[1]);
        let angle = 2.0 * rod.orientation.k.atan2(rod.orientation.w);
        let pairs = [
            (slider.position.x, x, 1.0),
            (slider.velocity.x, v, OMEGA),
            (p.accelerations[2].linear.x, a, OMEGA * OMEGA),
            (angle, phi, 1.0),
            (rod.angular_velocity.z, w, OMEGA),
            (p.accelerations[1].angular.z, alpha, OMEGA * OMEGA),
        ];
        for (i, (found, expected, scale)) in pairs.into_iter().enumerate() {
            near(&format!("{degrees}, {i}"), found, expected, scale);
        }
    }
}

/// The torque of the inverse analysis, given to the crank instead of its speed, makes the same motion.
#[test]
fn the_torque_gives_the_motion() {
    let model = slider_crank(Some(at_speed()));
    let t = TAU / OMEGA;
    let all: Vec<Posture> =
        Cycle::new(&model).duration(t).output(Output::Every(t / 1000.0)).inverse().unwrap();
    let points: Vec<[f64; 2]> = all.iter().map(|p| [p.t, p.drives[0].force]).collect();
    let torque = Drive::new("joint/main/torque", Spline::new(&points).unwrap());
    let forward = slider_crank(Some(torque));
    let mut recording = Recording::default();
    let sim = Simulation::new(&forward).method("dop853").duration(t).rtol(1e-12).atol(1e-12);
    let run = sim.output(Output::Every(t / 20.0)).run_into(&mut recording).unwrap();
    for frame in &recording.frames {
        let x = frame.bodies[2].position.x;
        assert!((x - closed(OMEGA * frame.t).x).abs() < 1e-8 * (R + L), "{} {x}", frame.t);
    }
    assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
}

#[test]
fn what_cannot_be_analysed_is_told() {
    let refused = |m: &Model| Cycle::new(m).duration(0.1).kinematics().unwrap_err().to_string();
    let free = refused(&slider_crank(None));
    assert!(free.contains("1 motion") && free.contains("needs a drive"), "{free}");
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(1.0).inertia([1.0; 3]));
    assert!(refused(&b.build().unwrap()).contains("no joint"));
    // a crank that is longer than its rod locks
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground"));
    for (name, x) in [("crank", 0.0), ("rod", 0.4), ("slider", 0.5)] {
        b.body(Body::new(name).mass(1.0).inertia([0.1; 3]).position([x, 0.0, 0.0]));
    }
    let z = [0.0, 0.0, 1.0];
    b.joint(Joint::between("crank", "ground", Revolute).at([0.0; 3]).axis(z).named("main"));
    b.joint(Joint::between("rod", "crank", Spherical).at([0.4, 0.0, 0.0]).named("pin"));
    b.joint(Joint::between("rod", "slider", Cylindrical).at([0.5, 0.0, 0.0]).axis(z).named("wrist"));
    b.joint(Joint::between("slider", "ground", Prismatic).at([0.5, 0.0, 0.0]).axis([1.0, 0.0, 0.0]));
    b.drive(Drive::new("joint/main/angle", Formula::new("10*t").unwrap()));
    let locks = refused(&b.build().unwrap());
    assert!(locks.contains("joint `") && locks.contains("locks"), "{locks}");
}

/// A ram driven into a stop, x = 0.02 sin 3t from 10 mm before it: its drive gives m a, and K δ^1.5 + d δ̇ where it presses.
#[test]
fn a_drive_presses_against_a_contact() {
    let (mass, k, gap) = (2.0, 1e7, 0.01);
    let model = |normal: &str| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let over = Quat::from_axis_angle(&Vec3::x_axis(), 0.5 * TAU);
        b.body(Body::fixed("wall").position([0.0, 0.0, 0.05 + gap]).orientation(over).surface(Plane));
        b.body(Body::new("ram").mass(mass).surface(Sphere::new(0.05).unwrap()));
        let z = [0.0, 0.0, 1.0];
        b.joint(Joint::between("ram", "wall", Prismatic).at([0.0; 3]).axis(z).named("slide"));
        b.drive(Drive::new("joint/slide/displacement", Formula::new("0.02*sin(3*t)").unwrap()));
        let rule = ContactRule::between("ram", "wall");
        b.contact(match normal {
            "hertz" => rule.normal(Hertz::new().stiffness(k)),
            _ => rule.normal(LankaraniNikravesh::restitution(0.9).unwrap().stiffness(k)),
        });
        b.build().unwrap()
    };
    let all = Cycle::new(&model("hertz")).duration(1.0).inverse().unwrap();
    let mut pressed = 0;
    for p in &all {
        let x = 0.02 * (3.0 * p.t).sin();
        let delta = (x - gap).max(0.0);
        pressed += usize::from(delta > 0.0);
        let want = -9.0 * x * mass + k * delta.powf(1.5);
        assert!((p.drives[0].force - want).abs() < 1e-8, "{}: {} {want}", p.t, p.drives[0].force);
    }
    assert!(pressed > 100 && pressed < 190, "{pressed}");
    let refused = Cycle::new(&model("lankarani-nikravesh")).duration(1.0).inverse().unwrap_err();
    assert!(refused.to_string().contains("ram~wall"), "{refused}");
}
