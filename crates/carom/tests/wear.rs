//! Archard's wear: closed forms of loaded shafts, and a slider-crank against another program.

use std::f64::consts::TAU;

use carom::prelude::*;
use carom::{Revolute, WearRecord};

const GAP: f64 = 0.5e-3;
const RADIUS: f64 = 9.5e-3;
const LENGTH: f64 = 0.02;
const MASS: f64 = 2.0;
const STIFFNESS: f64 = 1e9;
const G: f64 = 9.81;
/// k [1/Pa]
const K: f64 = 1e-9;

fn wear() -> Wear {
    Wear::coefficient(K).length(LENGTH)
}

/// δ under the shaft's weight.
fn depth() -> f64 {
    (MASS * G / STIFFNESS).powf(2.0 / 3.0)
}

/// A shaft that lies at the bottom of its bearing, pressed in as its weight asks for, turning and sinking at these speeds; the bearing turns at another.
fn shaft(wear: Option<Wear>, length: Option<f64>, turning: f64, sinking: f64, bearing: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, -G, 0.0]);
    builder.body(Body::prescribed("housing", Spin { axis: Vec3::z_axis(), rate: bearing }));
    let shaft = Body::new("shaft").mass(MASS).inertia([1e-4; 3]).position([0.0, -GAP - depth(), 0.0]);
    let shaft = shaft.velocity([0.0, -sinking, 0.0]).angular_velocity([0.0, 0.0, turning]);
    builder.body(shaft.dofs(&[Dof::X, Dof::Y, Dof::Rz]));
    let z = [0.0, 0.0, 1.0];
    let joint = Joint::between("shaft", "housing", Revolute).named("pin").points([0.0; 3], [0.0; 3]).axis(z);
    let mut pin = Clearance::new(joint, GAP).radius(RADIUS).normal(Hertz::new().stiffness(STIFFNESS));
    if let Some(length) = length {
        pin = pin.length(length);
    }
    if let Some(wear) = wear {
        pin = pin.wear(wear).friction_at(FrictionAt::Surfaces);
    }
    builder.clearance(pin);
    builder.build().unwrap()
}

fn run(model: &Model, duration: f64, rtol: f64) -> (carom::Run, WearRecord) {
    let run = Simulation::new(model).duration(duration).rtol(rtol).output(Output::Ends).run().unwrap();
    let worn = run.end.frame.wear[0].clone();
    (run, worn)
}

/// V of a profile: Σ h R Δθ L, each end for its part of the length.
fn volume(worn: &WearRecord, length: f64) -> f64 {
    let ends = worn.profiles.len() as f64;
    let sum = |h: &Vec<f64>| h.iter().sum::<f64>() * (RADIUS + GAP) * TAU / h.len() as f64 * length / ends;
    worn.profiles.iter().map(sum).sum()
}

fn close(a: f64, b: f64, relative: f64) {
    assert!((a - b).abs() <= relative * b.abs(), "{a:e} {b:e}: {:e}", (a - b) / b);
}

/// V = k m g ω R t, all at the bottom: c_i = V B_i/(R Δθ L), 120 B = 1, 26, 66, 26, 1, and depths in the middles that once more.
#[test]
fn a_turning_shaft_wears_where_it_lies() {
    let model = shaft(Some(wear().without_feedback()), None, 100.0, 0.0, 0.0);
    let (_, worn) = run(&model, 0.5, 1e-12);
    let want = K * MASS * G * 100.0 * RADIUS * 0.5;
    close(worn.volume, want, 1e-11);
    close(volume(&worn, LENGTH), worn.volume, 1e-13);
    let [h] = &worn.profiles[..] else { panic!("one profile") };
    let per = want / ((RADIUS + GAP) * TAU / 120.0 * LENGTH);
    let b = [1.0, 26.0, 66.0, 26.0, 1.0].map(|b| b / 120.0);
    for i in 86..=94 {
        let part: f64 = (0..5).filter_map(|k| Some(b[k] * b.get((i + k).checked_sub(90)?)?)).sum();
        close(h[i], per * part, 1e-9);
    }
    assert!(h.iter().enumerate().all(|(i, h)| (86..=94).contains(&i) || h.abs() < 1e-9 * per));
    assert_eq!(worn.deepest(), h[90]);
}

/// Fed back, the shaft sinks as fast as the wall recedes, ḣ = k F v Σ B²/(R Δθ L), Σ B² = 5710/120²: a solution with a constant force.
#[test]
fn a_turning_shaft_sinks_into_its_groove() {
    let (omega, t) = (100.0, 0.5);
    for length in [None, Some(LENGTH)] {
        let receding =
            K * MASS * G * omega * RADIUS / ((RADIUS + GAP) * TAU / 120.0 * LENGTH) * 5710.0 / 14400.0;
        let model = shaft(Some(wear()), length, omega, receding, 0.0);
        let (run, worn) = run(&model, t, 1e-10);
        let y = run.end.body("shaft").unwrap().position.y;
        close(-y - GAP - depth(), receding * t, 1e-7);
        close(worn.volume, K * MASS * G * omega * RADIUS * t, 1e-9);
        close(volume(&worn, LENGTH), worn.volume, 1e-12);
        assert_eq!(worn.profiles.len(), if length.is_some() { 2 } else { 1 });
        close(worn.deepest(), receding * t, 1e-9);
        // what the weight has done is lost with the material
        close(run.summary.energy.dissipated_normal, MASS * G * receding * t, 1e-6);
        assert!(run.summary.audit_relative < 1e-10, "{:e}", run.summary.audit_relative);
    }
}

/// A turning shaft that falls to the bottom of its bearing and bounces there.
fn falling_shaft(length: Option<f64>) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, -G, 0.0]);
    builder.body(Body::fixed("housing"));
    let shaft = Body::new("shaft").mass(MASS).inertia([1e-4; 3]).position([0.0, -0.9 * GAP, 0.0]);
    let shaft = shaft.velocity([0.0, -0.1, 0.0]).angular_velocity([0.0, 0.0, 100.0]);
    builder.body(shaft.dofs(&[Dof::Y, Dof::Rz]));
    let joint = Joint::between("shaft", "housing", Revolute).points([0.0; 3], [0.0; 3]);
    let pin = Clearance::new(joint.axis([0.0, 0.0, 1.0]), GAP).radius(RADIUS).wear(wear());
    let pin = pin.normal(HuntCrossley::damping(0.5).unwrap().stiffness(STIFFNESS));
    let pin = pin.friction_at(FrictionAt::Surfaces);
    builder.clearance(if let Some(length) = length { pin.length(length) } else { pin });
    builder.build().unwrap()
}

/// The indentation of every recorded contact is that of the recorded position in the profile recorded at the same time, δ = −y − gap − h, at an angle in the middle of
/// a sector. So it is in what is recorded between output times, and the largest of them is what the release reports.
#[test]
fn a_record_has_the_depths_of_its_own_state() {
    for length in [None, Some(LENGTH)] {
        let model = falling_shaft(length);
        let shaft = model.moving_bodies().position(|b| b == "shaft").unwrap();
        let simulation = || Simulation::new(&model).duration(3e-3).rtol(1e-8);
        let depth = |frame: &Frame| -frame.bodies[shaft].position.y - GAP - frame.wear[0].profiles[0][90];
        let mut often = Recording::default();
        simulation().output_every(3e-7).run_into(&mut often).unwrap();
        let touching: Vec<&Frame> = often.frames.iter().filter(|frame| !frame.contacts.is_empty()).collect();
        for frame in &touching {
            let off = frame.contacts.iter().map(|c| (c.delta - depth(frame)).abs()).fold(0.0, f64::max);
            assert!(off < 1e-17, "at {}: {off:e}", frame.t);
        }
        assert!(touching.len() > 1000, "{}", touching.len());
        let release = often.events.iter().find(|e| e.kind == EventKind::Release).unwrap();
        close(release.max_indentation, touching.iter().map(|f| depth(f)).fold(0.0, f64::max), 1e-6);

        let mut within = Recording::within();
        simulation().output(Output::Ends).run_into(&mut within).unwrap();
        let pressed: Vec<_> = within.moments.iter().filter(|moment| moment.contacts[0].f_n > 0.0).collect();
        assert!(pressed.len() > 5, "{}", pressed.len());
        let mut then = Recording::default();
        let times = pressed.iter().map(|moment| moment.t).collect();
        simulation().output(Output::At(times)).run_into(&mut then).unwrap();
        for (moment, frame) in pressed.iter().zip(&then.frames) {
            assert_eq!(moment.t, frame.t);
            let off = moment.contacts.iter().map(|c| (c.delta - depth(frame)).abs()).fold(0.0, f64::max);
            assert!(off < 1e-17, "within, at {}: {off:e}", moment.t);
        }
    }
}

/// The same by every method, with the exact Jacobian and by differences.
#[test]
fn every_method_wears_alike() {
    let (omega, t) = (100.0, 0.1);
    let receding = K * MASS * G * omega * RADIUS / ((RADIUS + GAP) * TAU / 24.0 * LENGTH) * 5710.0 / 14400.0;
    let model = shaft(Some(wear().sectors(24)), None, omega, receding, 0.0);
    for method in ["dop853", "tsit5", "ode45", "ode113", "ode15s", "radau5", "auto"] {
        for exact in [true, false] {
            let run = Simulation::new(&model).duration(t).rtol(1e-9).method(method).exact_jacobian(exact);
            let run = run.run().unwrap();
            let worn = &run.end.frame.wear[0];
            close(worn.volume, K * MASS * G * omega * RADIUS * t, 1e-6);
            close(volume(worn, LENGTH), worn.volume, 1e-10);
            assert!(run.summary.audit_relative < 1e-6, "{method}: {:e}", run.summary.audit_relative);
            assert!(run.summary.stats.steps < 20_000, "{method}: {}", run.summary.stats.steps);
        }
    }
}

/// A bearing that turns under its shaft wears the same all round: V/(2π R L) everywhere, after whole turns.
#[test]
fn a_load_that_goes_round_wears_a_ring() {
    let rate = 40.0;
    let turns = 3.0 * TAU / rate;
    let model = shaft(Some(wear().without_feedback().sectors(36)), None, 0.0, 0.0, rate);
    let (_, worn) = run(&model, turns, 1e-10);
    close(worn.volume, K * MASS * G * rate * (RADIUS + GAP) * turns, 1e-9);
    let uniform = worn.volume / (TAU * (RADIUS + GAP) * LENGTH);
    worn.profiles[0].iter().for_each(|h| close(*h, uniform, 1e-6));
}

/// A ring that is hung on a pin and turns freely, as round as can be: its places come by one after the other.
#[test]
fn a_ring_that_turns_on_a_pin_wears_all_round() {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, -G, 0.0]);
    builder.body(Body::fixed("pin"));
    let ring = Body::new("ring").mass(MASS).inertia([1e-3; 3]).position([0.0, -GAP - depth(), 0.0]);
    builder.body(ring.angular_velocity([0.0, 0.0, 40.0]));
    let joint = Joint::between("pin", "ring", Revolute).named("pin").points([0.0; 3], [0.0; 3]);
    let pin = Clearance::new(joint.axis([0.0, 0.0, 1.0]), GAP)
        .radius(RADIUS)
        .wear(wear().without_feedback().sectors(36))
        .friction_at(FrictionAt::Surfaces);
    builder.clearance(pin.normal(Hertz::new().stiffness(STIFFNESS)));
    let (_, worn) = run(&builder.build().unwrap(), TAU / 40.0, 1e-11);
    let uniform = worn.volume / (TAU * (RADIUS + GAP) * LENGTH);
    worn.profiles[0].iter().for_each(|h| close(*h, uniform, 1e-6));
}

/// With feedback the shaft goes down as the bearing wears, and the ledger closes.
#[test]
fn a_worn_ring_is_felt() {
    let rate = 40.0;
    let turns = 3.0 * TAU / rate;
    let model = shaft(Some(wear().sectors(36)), None, 0.0, 0.0, rate);
    let (run, worn) = run(&model, turns, 1e-11);
    close(volume(&worn, LENGTH), worn.volume, 1e-11);
    close(worn.volume, K * MASS * G * rate * (RADIUS + GAP) * turns, 1e-2);
    let uniform = worn.volume / (TAU * (RADIUS + GAP) * LENGTH);
    let y = run.end.body("shaft").unwrap().position.y;
    close(-y - GAP - depth(), uniform, 0.1);
    assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
}

/// Every contact has a volume: a block that slides to rest, V = k m g v²/(2 μ g).
#[test]
fn a_sliding_block_wears_as_far_as_it_goes() {
    let mut builder = ModelBuilder::new();
    builder.body(Body::fixed("floor").surface(Plane));
    let ball = Body::new("ball").mass(0.5).surface(Sphere::new(0.01).unwrap()).dofs(&[Dof::X, Dof::Z]);
    let deep = (0.5 * G / 1e8f64).powf(2.0 / 3.0);
    builder.body(ball.position([0.0, 0.0, 0.01 - deep]).velocity([1.0, 0.0, 0.0]));
    let rule = ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8));
    builder.contact(rule.wear(Wear::hardness(1e-3, 1e9).repeat(10.0)).friction_at(FrictionAt::Surfaces));
    let model = builder.build().unwrap();
    assert_eq!(model.worn_names().collect::<Vec<_>>(), ["ball~floor"]);
    let (_, worn) = run(&model, 0.25, 1e-10);
    close(worn.volume, 1e-11 * 0.5 * G * 0.25, 1e-9);
    assert!(worn.profiles.is_empty() && worn.deepest() == 0.0);
}

/// Without a coefficient nothing is worn, and nothing is otherwise than without wear.
#[test]
fn no_coefficient_no_wear() {
    let recorded = |wear: Option<Wear>| {
        let mut recording = Recording::default();
        let model = shaft(wear, None, 100.0, 0.3, 0.0);
        Simulation::new(&model).duration(0.05).output_every(0.01).run_into(&mut recording).unwrap();
        recording
    };
    let none = recorded(None);
    let zero = recorded(Some(Wear::coefficient(0.0).length(LENGTH)));
    assert_eq!(none.frames, zero.frames);
    assert_eq!(none.events, zero.events);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |wear: Wear, length: Option<f64>| {
        let mut builder = ModelBuilder::new();
        builder.body(Body::fixed("housing"));
        builder.body(Body::new("shaft").mass(1.0).inertia([1.0; 3]));
        let joint = Joint::between("shaft", "housing", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]);
        let pin = Clearance::new(joint, GAP).radius(RADIUS).normal(Hertz::new().stiffness(1e9)).wear(wear);
        builder.clearance(if let Some(length) = length { pin.length(length) } else { pin });
        builder.build().unwrap_err().to_string()
    };
    for (wear, what) in [
        (Wear::coefficient(-1.0), "coefficient"),
        (Wear::coefficient(f64::NAN), "coefficient"),
        (Wear::coefficient(1e-13).repeat(-1.0), "repeat"),
        (Wear::coefficient(1e-13).sectors(3), "sectors"),
        (Wear::coefficient(1e-13).length(0.0), "length"),
    ] {
        let message = refused(wear, Some(0.01));
        assert!(message.contains(what), "{message}");
    }
    let message = refused(Wear::coefficient(1e-13), None);
    assert!(message.contains("`length`"), "{message}");
}

/// A crank of 50 mm at 5000 rpm, a rod of 120 mm, a piston; the pin between these wears its bearing, each turn a thousand times.
fn slider_crank(wear: Wear) -> Model {
    let (crank, rod, speed) = (0.05, 0.12, 5000.0 * TAU / 60.0);
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0; 3]);
    builder.material(Material::new("steel").youngs_modulus(207e9).poisson_ratio(0.3));
    builder.body(Body::prescribed("crank", Spin { axis: Vec3::z_axis(), rate: speed }));
    let body = Body::new("rod").mass(0.21).inertia([2.5e-4; 3]).position([crank + 0.5 * rod, 0.0, 0.0]);
    let turning = [0.0, 0.0, -speed * crank / rod];
    builder.body(body.velocity([0.0, 0.5 * speed * crank, 0.0]).angular_velocity(turning));
    builder.body(Body::new("piston").mass(0.14).position([crank + rod, 0.0, 0.0]).dofs(&[Dof::X]));
    let z = [0.0, 0.0, 1.0];
    builder.joint(Joint::between("rod", "crank", Revolute).at([crank, 0.0, 0.0]).axis(z));
    let pin = Joint::between("rod", "piston", Revolute).named("pin").at([crank + rod, 0.0, 0.0]).axis(z);
    let pin = Clearance::new(pin, GAP)
        .radius(RADIUS)
        .materials("steel", "steel")
        .wear(wear)
        .friction_at(FrictionAt::Surfaces);
    builder.clearance(pin.normal(LankaraniNikravesh::restitution(0.9).unwrap()));
    builder.build().unwrap()
}

/// V against a quadrature of the recorded force and slip, the trapezoidal rule over 125,000 output times: impacts begin and end as t^1.5.
#[test]
fn the_volume_is_the_integral_of_force_and_slip() {
    let model = slider_crank(Wear::coefficient(1e-13).repeat(1000.0).length(LENGTH));
    let mut recording = Recording::default();
    let every = 2e-8;
    let run = Simulation::new(&model).duration(2.5e-3).rtol(1e-11).output_every(every);
    let run = run.run_into(&mut recording).unwrap();
    let rate = |frame: &Frame| {
        let [rod, piston] = ["rod", "piston"].map(|name| {
            let place = model.moving_bodies().position(|b| b == name).unwrap();
            frame.bodies[place]
        });
        let of = |c: &carom::ContactRecord| {
            let v = rod.velocity + rod.angular_velocity.cross(&(c.point - rod.position)) - piston.velocity;
            c.f_n * (v - c.normal * v.dot(&c.normal)).norm()
        };
        frame.contacts.iter().map(of).sum::<f64>()
    };
    let sum: f64 =
        recording.frames.windows(2).map(|w| 0.5 * (rate(&w[0]) + rate(&w[1])) * (w[1].t - w[0].t)).sum();
    let worn = &run.end.frame.wear[0];
    close(1e-10 * sum, worn.volume, 1e-6);
    close(volume(worn, LENGTH), worn.volume, 1e-12);
    assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
}

/// Touches, releases and wear by another program: minimal coordinates, DOP853 of scipy at rtol 1e-13 with steps of 0.2 µs in contact. At rtol 1e-12 with 1 µs it differs by 4e-13 s
/// and 2e-10 of the volume.
#[test]
fn a_slider_crank_wears_as_another_program_says() {
    let touches = [
        (0.00022728603203978558, 0.000281800828801006),
        (0.0006240972477623374, 0.0006831330213922443),
        (0.0008130570761949672, 0.0008668784011546793),
        (0.0010730642918826147, 0.001138933488136728),
        (0.0014041900283596595, 0.0014731409380944686),
        (0.0016447086421001037, 0.0017209838674817927),
        (0.001897135149170832, 0.0019730356127260107),
        (0.0022212300359185596, 0.0022829403354321055),
    ];
    let model = slider_crank(Wear::coefficient(1e-13).repeat(1000.0).length(LENGTH));
    let mut recording = Recording::default();
    let run = Simulation::new(&model).duration(2.5e-3).rtol(1e-12).run_into(&mut recording).unwrap();
    assert_eq!(recording.events.len(), 16);
    for (events, (touch, release)) in recording.events.chunks(2).zip(touches) {
        let off = [events[0].t - touch, events[1].t - release];
        assert!(off.iter().all(|t| t.abs() < 2e-12), "{off:?}");
    }
    let worn = &run.end.frame.wear[0];
    close(worn.volume, 8.691170476587452e-10, 1e-9);
    close(worn.deepest(), 1.0895880467857017e-05, 1e-9);
    close(worn.profiles[0][60], 7.5123443759374975e-06, 1e-9);
    assert!(run.summary.audit_relative < 1e-10, "{:e}", run.summary.audit_relative);
}
