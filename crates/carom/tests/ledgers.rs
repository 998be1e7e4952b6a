//! The energy ledger of impacts: every dashpot law with every adaptive method, at any tolerance; bristles in impacts; positions that are rounded.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::laws::{dashpots_with, friction_with, with_memory};
use carom::geometry::surfaces::Ellipsoid;
use carom::law::friction::{Dahl, ElastoPlastic, GonthierBristle};
use carom::law::normal::{Exit, Gonthier, KelvinVoigt};
use carom::law::{Friction, Normal};
use carom::ode::methods;
use carom::prelude::*;
use carom::{Motion, MotionBounds, MotionState, Warning};

const POINT: f64 = 8e9;
const LINEAR: f64 = 8e6;

/// The laws whose force jumps at touch, or is held at zero before the surfaces part, or pulls until they do.
fn dashpots(c: f64) -> Vec<(String, Arc<dyn Normal>)> {
    dashpots_with(c, [100.0 * (1.0 - c), 1e-5 * (1.0 - c)], [LINEAR, POINT])
}

/// A ball of 10 g that meets a plane at 1 m/s, after 0.4 s.
fn impact(law: Arc<dyn Normal>) -> Model {
    impact_from(0.5, law)
}

/// The same from another height.
fn impact_from(height: f64, law: Arc<dyn Normal>) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(0.01).position([0.0, 0.0, height]).velocity([0.0, 0.0, -1.0]);
    b.body(ball.surface(Sphere::new(0.1).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal_arc(law));
    b.build().unwrap()
}

/// The worst audit over rtol of every dashpot law in one impact, with every adaptive method.
fn worst_of_dashpots(located: bool, rtols: &[f64]) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for c in [0.1, 0.5, 0.95] {
        for (name, law) in dashpots(c) {
            let model = impact(law);
            for method in methods::ALL.iter().filter(|m| m.is_adaptive()).map(|m| m.name()) {
                for &rtol in rtols {
                    let which = format!("{name}, c = {c}, {method}, rtol {rtol:e}");
                    let run =
                        Simulation::new(&model).method(method).rtol(rtol).locate_contacts(located).run();
                    let summary = run.unwrap_or_else(|e| panic!("{which}: {e}")).summary;
                    assert!(summary.touches == 1 && summary.stats.steps < 4000, "{which}: {summary}");
                    let ratio = summary.audit_relative / rtol;
                    if ratio > worst.0 {
                        worst = (ratio, which);
                    }
                }
            }
        }
    }
    worst
}

/// Steps are long where the motion is smooth, and where no force acts; what a dashpot dissipates there is held to the tolerance as well.
#[test]
fn ledgers_of_dashpots_close_with_every_method() {
    let worst = worst_of_dashpots(true, &[1e-4, 1e-7, 1e-10, 1e-12]);
    assert!(worst.0 < 300.0, "{}: audit {:.0} rtol", worst.1, worst.0);
}

/// So it is where no event tells the method of touches and releases: what was dissipated until the release is part of what a multistep method goes on with.
#[test]
fn ledgers_of_dashpots_close_without_located_contacts() {
    let worst = worst_of_dashpots(false, &[1e-4, 1e-6, 1e-8]);
    assert!(worst.0 < 300.0, "{}: audit {:.0} rtol", worst.1, worst.0);
}

/// Steps of a straight flight end where the touch is, but for rounding, on either side: a force that jumps there is in the rates at the end of a step that knew nothing of it.
#[test]
fn ledgers_close_where_a_step_ends_on_a_touch() {
    let mut worst = (0.0, String::new());
    for i in 0..60 {
        let law = KelvinVoigt::restitution(0.5).unwrap().stiffness(LINEAR);
        let height = 0.2 + 0.0123 * f64::from(i);
        let model = impact_from(height, Arc::new(law));
        for method in methods::ALL.iter().filter(|m| m.is_adaptive()).map(|m| m.name()) {
            let which = format!("from {height} m, {method}");
            let run = Simulation::new(&model).method(method).rtol(1e-6).locate_contacts(false).run();
            let summary = run.unwrap_or_else(|e| panic!("{which}: {e}")).summary;
            assert!(summary.touches == 1 && summary.stats.steps < 1000, "{which}: {summary}");
            if summary.audit_relative > worst.0 {
                worst = (summary.audit_relative, which.clone());
            }
        }
    }
    assert!(worst.0 < 1e-4, "{}: audit {:.1e}", worst.1, worst.0);
}

/// The laws by restitution, and one by damping, as heavily damped as they come.
fn damped() -> Vec<(&'static str, Arc<dyn Normal>)> {
    vec![
        ("flores", Arc::new(Flores::restitution(0.05).unwrap().stiffness(1e7))),
        ("hunt-crossley", Arc::new(HuntCrossley::damping(30.0).unwrap().stiffness(1e7))),
        ("gonthier", Arc::new(Gonthier::restitution(0.05).unwrap().stiffness(1e7))),
        ("elastic-foundation", Arc::new(ElasticFoundation::new(1e9).unwrap().damping(30.0))),
    ]
}

/// A plate that falls at 40 m/s².
#[derive(Debug)]
struct FallsAway;

impl Motion for FallsAway {
    fn at(&self, t: f64) -> MotionState {
        let down = |z: f64| Vec3::new(0.0, 0.0, -z);
        MotionState {
            displacement: down(20.0 * t * t),
            rotation: Quat::identity(),
            velocity: down(40.0 * t),
            angular_velocity: Vec3::zeros(),
            acceleration: down(40.0),
            angular_acceleration: Vec3::zeros(),
        }
    }
    fn bounds(&self, _: f64, t1: f64) -> MotionBounds {
        MotionBounds { speed: 40.0 * t1, acceleration: 40.0, angular_speed: 0.0, angular_acceleration: 0.0 }
    }
}

/// A ball lands on a plate that then falls away from under it: the laws by restitution hold their force at zero too, and what is still stored is lost where no force acts.
#[test]
fn ledgers_close_where_a_plate_falls_away() {
    let mut worst = (0.0, String::new());
    for (name, law) in damped() {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("ball").mass(1.0).position([0.0, 0.0, 0.1001]).velocity([0.0, 0.0, -1.0]);
        b.body(ball.surface(Sphere::new(0.1).unwrap()));
        b.body(Body::prescribed("plate", FallsAway).surface(Plane));
        b.contact(ContactRule::between("ball", "plate").normal_arc(law));
        let model = b.build().unwrap();
        for method in methods::ALL.iter().filter(|m| m.is_adaptive()).map(|m| m.name()) {
            for (rtol, located) in [1e-4, 1e-7, 1e-10].into_iter().flat_map(|r| [(r, true), (r, false)]) {
                let which = format!("{name}, {method}, rtol {rtol:e}, located: {located}");
                let run = Simulation::new(&model)
                    .duration(0.01)
                    .method(method)
                    .rtol(rtol)
                    .locate_contacts(located)
                    .run();
                let summary = run.unwrap_or_else(|e| panic!("{which}: {e}")).summary;
                assert!(summary.stats.steps < 4000, "{which}: {summary}");
                let ratio = summary.audit_relative / rtol;
                if ratio > worst.0 {
                    worst = (ratio, which);
                }
            }
        }
    }
    assert!(worst.0 < 100.0, "{}: audit {:.0} rtol", worst.1, worst.0);
}

fn bristles() -> Vec<Arc<dyn Friction>> {
    let values = [
        ("coefficient", 0.3),
        ("static_coefficient", 0.4),
        ("stribeck_speed", 0.01),
        ("dwell_time", 0.1),
        ("bristle_stiffness", 1e5),
        ("bristle_damping", 50.0),
    ];
    with_memory().map(|entry| friction_with(entry, &values)).collect()
}

/// Bristles that are still bent as the surfaces part unbend under no load: the rates are those of the contact up to the release, and beyond in a stage that ends there.
#[test]
fn bristles_part_at_any_tolerance() {
    for friction in bristles() {
        let name = friction.name();
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -9.81]);
        let ball = Body::new("ball").mass(0.0324).inertia([1.19e-5, 3.08e-5, 3.74e-5]);
        let ball = ball.position([-0.011, -0.092, 0.021]).velocity([-0.03, -0.13, 0.003]);
        let ball = ball.angular_velocity([-160.4, -284.7, -44.8]).surface(Sphere::new(0.055).unwrap());
        b.body(ball);
        b.body(Body::fixed("box").surface(SurfaceSpec::new(Cuboid::new([1.0; 3]).unwrap()).inside()));
        let rule = ContactRule::between("ball", "box").normal(Hertz::new().stiffness(7.77e9));
        b.contact(rule.friction_arc(friction));
        let model = b.build().unwrap();
        for method in ["dop853", "ode113", "radau5"] {
            for rtol in [1e-6, 1e-10, 1e-12] {
                let run = Simulation::new(&model).duration(0.4).method(method).rtol(rtol).run();
                let run = run.unwrap_or_else(|e| panic!("{name}, {method}, rtol {rtol:e}: {e}"));
                let audit = run.summary.audit_relative;
                assert!(run.summary.touches > 0, "{name}, {method}");
                assert!(audit < 100.0 * rtol, "{name}, {method}, rtol {rtol:e}: audit {audit:e}");
            }
        }
    }
}

/// Two balls of 1 mm that meet 10 km from the origin: their positions are known to 1e-12 m, and 50 µm of indentation to the part 4e-8.
#[test]
fn tolerances_below_rounding_are_said() {
    let far = |origin: f64, rtol: f64| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = |name: &str| Body::new(name).mass(1e-3).surface(Sphere::new(1e-3).unwrap());
        b.body(ball("a").position([origin - 1.0, 0.0, 0.0]).velocity([10.0, 0.0, 0.0]));
        b.body(ball("b").position([origin, 0.0, 0.0]));
        b.contact(ContactRule::between("a", "b").normal(Hertz::new().stiffness(3.5e9)));
        let model = b.build().unwrap();
        let run = Simulation::new(&model).method("dop853").rtol(rtol).run().unwrap();
        let said = run.summary.warnings.iter().find_map(|w| match &w.warning {
            Warning::Rounding { contact, least } => Some((contact.clone(), least.parse::<f64>().unwrap())),
            _ => None,
        });
        (said, run.summary.audit_relative)
    };
    let (said, audit) = far(1e4, 1e-8);
    assert!(said.is_none() && audit < 1e-6, "{said:?}, audit {audit:e}");
    let (said, audit) = far(1e4, 1e-10);
    let (contact, least) = said.unwrap();
    assert_eq!(contact, "a/sphere1~b/sphere1");
    // half of the energy is stored at the deepest
    assert!((1e-8..5e-8).contains(&least) && audit < 1e3 * least, "{least:e}, audit {audit:e}");
    assert!(far(1.0, 1e-10).0.is_none());
}

/// At a tolerance so far below the rounding of positions that the run gets nowhere, the error names the rounding and the tolerance to take; and with that the run is done.
#[test]
fn a_run_lost_in_rounding_says_which_tolerance_to_take() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = |name: &str| Body::new(name).mass(1e-3).surface(Sphere::new(1e-3).unwrap());
    b.body(ball("a").velocity([10.0, 0.0, 0.0]));
    b.body(ball("b").position([1e4, 0.0, 0.0]));
    b.contact(ContactRule::between("a", "b").normal(Hertz::new().stiffness(3_535_533_905.932_737)));
    let model = b.build().unwrap();
    let run = |rtol: f64| Simulation::new(&model).duration(2000.0).rtol(rtol).run();
    let told = run(1e-12).unwrap_err().to_string();
    assert!(told.contains("rtol = 1e-12 is below that rounding; take rtol = 1e-7 or larger"), "{told}");
    assert!(told.contains("contact a/sphere1~b/sphere1") && told.contains("rounded to 2.2e-12 m"), "{told}");
    let done = run(1e-7).unwrap().summary;
    assert!(done.contacts == 1 && done.audit_relative < 1e-5, "{done}");
}

/// A stiff impact so far from the origin that the bodies go less far in a step than their positions are rounded to, and stay where they are: ten million steps would be left.
#[test]
fn bodies_held_by_the_rounding_of_their_positions() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = |name: &str, x: f64| {
        Body::new(name).mass(1e-3).position([1e6 + x, 1e6, 0.0]).surface(Sphere::new(1e-3).unwrap())
    };
    b.body(ball("a", 0.0).velocity([1.0, 0.0, 0.0])).body(ball("b", 0.0025));
    b.contact(ContactRule::between("a", "b").normal(Hertz::new().stiffness(3.16e14)));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).duration(1e-3).rtol(1e-9).run_into(&mut AtMost(200_000));
    let told = run.unwrap_err().to_string();
    assert!(told.contains("gets nowhere") && told.contains("rounded to 2.2e-10 m"), "{told}");
}

/// Stops a run after so many steps.
struct AtMost(usize);

impl Sink for AtMost {
    fn progress(&mut self, _: f64) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// A light ball that slides into a trough and bounces, under bristles without damping.
fn trough() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -9.81]);
    let inertia = 1.2433467644585202e-5;
    let ball = Body::new("ball").mass(1.0997386416713839e-6).inertia([inertia; 3]);
    let ball = ball.position([0.5316445865015009, 0.0, 15.915549912753757]);
    let ball = ball.velocity([2.447170631772085, 6.596009984173283, 0.0]);
    let ball = ball.angular_velocity([-0.737448455349842, 1.7805175453482047, -2.5494731433543216]);
    b.body(ball.surface(Sphere::new(5.316445865015009).unwrap()));
    let plane = |name: &str, angle: f64| {
        SurfaceSpec::new(Plane).named(name).turned(Quat::from_scaled_axis(Vec3::new(0.0, angle, 0.0)))
    };
    let [left, right] = [plane("left", 0.6981317007977318), plane("right", -0.5235987755982988)];
    b.body(Body::fixed("trough").surface(left).surface(right));
    let normal = LankaraniNikravesh::restitution(1.0).unwrap().exponent(1.0).stiffness(20292.572046655867);
    let friction = ElastoPlastic::new(0.8, 1.6, 2.1665387266840517, 16234.057637324695).unwrap();
    let rule = ContactRule::between("ball", "trough").normal(normal).friction(friction);
    b.contact(rule.friction_at(FrictionAt::Surfaces).min_impact_speed(0.007221795755613505));
    b.build().unwrap()
}

/// At a release forces are so small that their squares vanish: what rounding leaves of their power is not energy that friction gives.
#[test]
fn friction_gives_nothing_at_a_release() {
    let model = trough();
    for method in ["tsit5", "ode45", "dop853"] {
        let run =
            Simulation::new(&model).duration(2.2085002310744666).method(method).rtol(1e-6).run().unwrap();
        assert!(run.summary.touches > 0 && run.summary.warnings.is_empty(), "{method}: {}", run.summary);
    }
}

/// A coin that falls on a table, its lowest point far to the side.
fn coin(g: f64, body: Body, rule: ContactRule) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -g]);
    b.body(body);
    b.body(Body::fixed("table").surface(Plane));
    b.contact(rule);
    b.build().unwrap()
}

/// Bristles engage within less than rounding of positions and times where contacts are stiff, and follow loads that are noise there: neither is an error of a step.
#[test]
fn bristles_engage_in_stiff_contacts_at_any_tolerance() {
    let tilted = |angle: f64| Quat::from_scaled_axis(Vec3::new(angle, 0.0, 0.0));
    let rule = || ContactRule::between("coin", "table").friction_at(FrictionAt::Surfaces);
    let ellipsoid = Ellipsoid::new([0.740426467408092, 0.5182985271856644, 0.07404264674080921]).unwrap();
    let tumbling = Body::new("coin").density(1300.0419146265572).position([0.0, 0.0, 0.9625544076305197]);
    let tumbling = tumbling.orientation(tilted(0.5517700207064533)).velocity([0.26951036427702335, 0.0, 0.0]);
    let tumbling = tumbling.angular_velocity([0.0, 0.0, 10.919802686975553]).surface(ellipsoid);
    let gonthier = GonthierBristle::new(
        0.8,
        1.6,
        0.008085310928310701,
        1678036770.2596877,
        28.812965164559646,
        2.7473023881449887e-5,
    )
    .unwrap()
    .min_load(1.5530785474803308);
    let normal = KelvinVoigt::restitution(0.95).unwrap().stiffness(20975459628246.09);
    let tumbling = coin(
        9.81,
        tumbling,
        rule().normal(normal).friction(gonthier).min_impact_speed(0.0026951036427702336),
    );
    let cylinder = Cylinder::new(0.2716924457718737, 0.013584622288593685).unwrap();
    let slow = Body::new("coin").density(20501.503085797125).position([0.0, 0.0, 0.3532001795034358]);
    let slow = slow.orientation(tilted(0.8057436893747663)).velocity([0.001648309575813578, 0.0, 0.0]);
    let slow = slow.angular_velocity([0.0, 0.0, 0.030334107581290272]).surface(cylinder);
    let normal = KelvinVoigt::restitution(0.05).unwrap().stiffness(4540065141.888178).exit(Exit::Indentation);
    let dahl = Dahl::new(0.3, 136201.9542566453).unwrap().exponent(1.5);
    let slow = coin(1e-3, slow, rule().normal(normal).friction(dahl).min_impact_speed(1.648309575813578e-5));
    // model, duration, method, rtol
    let cases = [
        (trough(), 2.2085002310744666, "radau5", 1e-10),
        (tumbling, 0.5494604776289977, "tsit5", 1e-12),
        (slow, 26.0, "radau5", 1e-8),
    ];
    for (i, (model, duration, method, rtol)) in cases.iter().enumerate() {
        let run = Simulation::new(model).duration(*duration).method(method).rtol(*rtol).run();
        let summary = run.unwrap_or_else(|e| panic!("{i}, {method}: {e}")).summary;
        assert!(summary.touches > 0 && summary.audit_relative < 100.0 * rtol, "{i}, {method}: {summary}");
    }
}

/// So far from the origin that steps of an impact move nothing: the start says so, and a run that follows rounding ends with that reason.
#[test]
fn what_is_too_far_from_the_origin_is_said() {
    let pair = |x: f64, rtol: f64| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = |name: &str| Body::new(name).mass(1e-3).surface(Sphere::new(1e-3).unwrap());
        b.body(ball("a").position([x, x, 0.0]).velocity([1.0, 0.0, 0.0]));
        b.body(ball("b").position([x + 2.5e-3, x, 0.0]));
        b.contact(ContactRule::between("a", "b").normal(Hertz::new().stiffness(1e9)));
        let model = b.build().unwrap();
        let sim = Simulation::new(&model).duration(1e-3).rtol(rtol);
        let far = |w: &Warning| matches!(w, Warning::FarAway { .. });
        let started = sim.start_warnings().unwrap().iter().any(far);
        let told = match sim.run() {
            Ok(run) => run.summary.warnings.iter().any(|w| far(&w.warning)),
            Err(e) => e.to_string().contains("from the origin"),
        };
        (started, told)
    };
    assert_eq!(pair(1.0, 1e-9), (false, false));
    assert_eq!(pair(1e6, 1e-9), (true, true));
    assert_eq!(pair(1e8, 1e-6), (true, true));
}
