//! Oblique impacts under friction laws that follow the depth of their contact: against experiments, closed forms and each other.

use carom_testkit::one_in;
use std::sync::Arc;

use crate::common::near;
use carom::law::friction::{CundallStrack, MawBarberFawcett, Mindlin, MindlinDeresiewicz, Tanh};
use carom::law::normal::Tsuji;
use carom::law::{Friction, Material, MaterialPair, hertz};
use carom::prelude::{
    Body, ContactRule, Cuboid, Dof, Drag, Flores, Force, Hertz, HuntCrossley, Model, ModelBuilder, Plane,
    Recording, Simulation, Sphere, Vec3,
};
use carom::{Run, Warning};

/// A ball that hits a plane: radius [m], mass [kg], velocity and spin.
#[derive(Clone, Copy)]
struct Throw {
    radius: f64,
    mass: f64,
    velocity: [f64; 3],
    spin: [f64; 3],
}

const BALL: Throw = Throw { radius: 0.02, mass: 0.1, velocity: [0.6, 0.1, -1.0], spin: [3.0, 5.0, 20.0] };

impl Throw {
    fn model(&self, contact: ContactRule) -> Model {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("ball").mass(self.mass).surface(Sphere::new(self.radius).unwrap());
        let ball = ball.position([0.0, 0.0, self.radius * 1.0001]).velocity(self.velocity);
        b.body(ball.angular_velocity(self.spin));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(contact);
        b.build().unwrap()
    }
}

pub(crate) fn all(mu: f64, ratio: f64) -> Vec<Arc<dyn Friction>> {
    vec![
        Arc::new(CundallStrack::new(mu).unwrap().ratio(ratio)),
        Arc::new(Mindlin::new(mu).unwrap().ratio(ratio)),
        Arc::new(Mindlin::new(mu).unwrap().ratio(ratio).rescaled()),
        Arc::new(MindlinDeresiewicz::new(mu).unwrap().ratio(ratio)),
        Arc::new(MawBarberFawcett::new(mu).unwrap().ratio(ratio)),
    ]
}

fn rule(friction: &Arc<dyn Friction>) -> ContactRule {
    ContactRule::between("ball", "floor").friction_arc(Arc::clone(friction))
}

/// The ledger closes to 1e-10 in oblique impacts with spin, elastic and damped, and every output is within the cone.
#[test]
fn the_ledger_closes_within_the_cone() {
    let mu = 0.2;
    for law in all(mu, 0.8) {
        for vx in [0.05, 0.3, 0.6, 2.0] {
            for damped in [false, true] {
                let rule = match damped {
                    false => rule(&law).normal(Hertz::new().stiffness(1e9)),
                    true => rule(&law).normal(HuntCrossley::damping(0.1).unwrap().stiffness(1e9)),
                };
                let model = Throw { velocity: [vx, 0.1, -1.0], ..BALL }.model(rule);
                let mut frames = Recording::default();
                let sim = Simulation::new(&model).duration(4e-4).rtol(1e-12).output_every(1e-6);
                let run = sim.run_into(&mut frames).unwrap();
                let what = format!("{} {vx} {damped}", law.name());
                assert!(run.summary.audit_relative < 1e-10, "{what}: {}", run.summary);
                assert_eq!(run.summary.touches, 1, "{what}");
                let points = frames.frames.iter().flat_map(|frame| &frame.contacts);
                let mut pressed = 0;
                for c in points.filter(|c| c.f_n > 0.0) {
                    pressed += 1;
                    assert!(c.f_t.norm() <= mu * c.f_n * (1.0 + 1e-9) + 1e-9, "{what}: beyond the cone");
                }
                assert!(pressed > 100, "{what}");
                let told = run.summary.warnings.iter();
                let told = told.filter(|w| matches!(w.warning, Warning::FrictionDrives { .. }));
                let told: usize = told.map(|w| w.count).sum();
                let drives = told == 1;
                assert!(told <= 1, "{what}: {told} warnings");
                assert!(!drives || law.name() == "mindlin", "{what}");
                if law.name() == "mindlin" && vx == 0.05 {
                    let text = run.summary.to_string();
                    assert!(drives && text.contains("mindlin-rescale"), "{what}: {text}");
                }
            }
        }
    }
}

/// Rebound of a ball that slides all the way: the friction impulse is μ times the normal one, whatever the law.
#[test]
fn full_sliding_in_closed_form() {
    let mu = 0.2;
    for law in all(mu, 0.8) {
        // so stiff that the arm is the radius
        let throw = Throw { velocity: [3.0, 0.0, -1.0], spin: [0.0; 3], ..BALL };
        let model = throw.model(rule(&law).normal(Hertz::new().stiffness(1e16)));
        let run = Simulation::new(&model).duration(1e-5).rtol(1e-11).run().unwrap();
        let ball = run.end.body("ball").unwrap();
        near(law.name(), ball.velocity.x, 3.0 - 2.0 * mu, 1e-5);
        near(law.name(), ball.angular_velocity.y * 0.02, 2.5 * 2.0 * mu, 1e-4);
    }
}

/// ψ2 of ψ1 for a ball and a plane with this χ.
fn psi2(law: &dyn Fn(f64, f64) -> Arc<dyn Friction>, chi: f64, psi1: f64) -> f64 {
    // ψ = κ v_t/(μ v_n), χ = κ (1 + 5/2)/2
    let (mu, kappa) = (0.1, 2.0 * chi / 3.5);
    let velocity = [psi1 * mu / kappa, 0.0, -1.0];
    // so stiff that the arm is the radius
    let normal = Hertz::new().stiffness(1e16);
    let model = Throw { velocity, spin: [0.0; 3], ..BALL }.model(rule(&law(mu, kappa)).normal(normal));
    let run = Simulation::new(&model).duration(5e-6).rtol(1e-9).run().unwrap();
    let ball = run.end.body("ball").unwrap();
    kappa * (ball.velocity.x - BALL.radius * ball.angular_velocity.y) / (mu * ball.velocity.z)
}

/// Rebound by incidence, against Maw, Barber and Fawcett's own rings (`oracles/oblique.py`): to 1e-3 with 20 rings, the other laws as far off as the book says.
#[test]
fn rebound_as_maw_barber_and_fawcett_have_it() {
    let table: serde_json::Value = serde_json::from_str(include_str!("data/oblique.json")).unwrap();
    type Make = Box<dyn Fn(f64, f64) -> Arc<dyn Friction>>;
    let rings = |n: usize| -> Make {
        Box::new(move |mu, kappa| Arc::new(MawBarberFawcett::new(mu).unwrap().ratio(kappa).rings(n)))
    };
    let laws: Vec<(&str, Make, f64)> = vec![
        ("60 rings", rings(60), 1e-3),
        ("20 rings", rings(20), 1e-3),
        (
            "mindlin-deresiewicz",
            Box::new(|mu, kappa| Arc::new(MindlinDeresiewicz::new(mu).unwrap().ratio(kappa))),
            1.0,
        ),
        (
            "mindlin-rescale",
            Box::new(|mu, kappa| Arc::new(Mindlin::new(mu).unwrap().ratio(kappa).rescaled())),
            1.0,
        ),
        ("mindlin", Box::new(|mu, kappa| Arc::new(Mindlin::new(mu).unwrap().ratio(kappa))), 1.0),
        ("cundall-strack", Box::new(|mu, kappa| Arc::new(CundallStrack::new(mu).unwrap().ratio(kappa))), 1.0),
    ];
    for (name, law, allowed) in &laws {
        let mut worst = 0f64;
        // (20 rings are the law as it is asked for: those by all rows)
        let rows = table["rows"].as_array().unwrap();
        for row in one_in(if *name == "20 rings" { 1 } else { 4 }, rows) {
            let [chi, psi1, want] = ["chi", "psi1", "psi2"].map(|key| row[key].as_f64().unwrap());
            let found = psi2(law.as_ref(), chi, psi1);
            println!("{name}: χ {chi:.3} ψ1 {psi1}: {found:.5}, {want:.5}, {:.1e}", found - want);
            worst = worst.max((found - want).abs());
            // (other laws may stick once more as the surfaces part)
            if psi1 >= if name.ends_with("rings") { 4.0 * chi - 1.0 } else { 4.0 * chi } {
                near(name, found, psi1 - 4.0 * chi, 1e-4);
            }
        }
        println!("{name}: {worst:.2e}");
        assert!(worst < *allowed, "{name}: {worst} of {allowed}");
        // the others are off, by what they are
        assert!(*allowed < 1.0 || worst > 0.15, "{name}: {worst}");
    }
}

/// An alumina ball on glass: A. H. Kharaz, D. A. Gorham, A. D. Salman, An experimental study of the elastic rebound of spheres, *Powder Technol.* 120 (2001) 281-291, points as digitised in
/// the program Lethe. Radius 2.5 mm, 4000 kg/m³, 380 GPa, ν = 0.23 on soda-lime glass of 70 GPa, ν = 0.25; μ = 0.092, 3.9 m/s, normal restitution 0.98. (quantity, angle from the normal [°], value)
const KHARAZ: &str = include_str!("data/kharaz.csv");

fn kharaz(law: &Arc<dyn Friction>) -> [f64; 3] {
    let alumina = Material::new("alumina").youngs_modulus(380e9).poisson_ratio(0.23);
    let glass = Material::new("glass").youngs_modulus(70e9).poisson_ratio(0.25);
    let e_star = MaterialPair::new(&alumina, &glass).e_star().unwrap();
    let radius: f64 = 2.5e-3;
    let mass = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) * 4000.0;
    let k = hertz::stiffness(e_star, 1.0 / radius, 1.0 / radius).unwrap();
    let mut sums = [(0.0, 0.0); 3];
    for line in KHARAZ.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (angle, value): (f64, f64) = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
        let (sin, cos) = angle.to_radians().sin_cos();
        let throw = Throw { radius, mass, velocity: [3.9 * sin, 0.0, -3.9 * cos], spin: [0.0; 3] };
        let normal = Flores::restitution(0.98).unwrap().stiffness(k);
        let model = throw.model(rule(law).normal(normal));
        let run = Simulation::new(&model).duration(1e-4).rtol(1e-8).run().unwrap();
        let ball = run.end.body("ball").unwrap();
        let (kind, found) = match cells[0] {
            "tangential_restitution" => (0, ball.velocity.x / (3.9 * sin)),
            "rebound_spin_rad_s" => (1, ball.angular_velocity.norm()),
            _ => (2, ball.velocity.x.atan2(ball.velocity.z).to_degrees()),
        };
        sums[kind].0 += (found - value) * (found - value);
        sums[kind].1 += 1.0;
    }
    sums.map(|(sum, n): (f64, f64)| (sum / n).sqrt())
}

/// How far the laws are from the experiment, rms: tangential restitution, spin [rad/s], angle of rebound [°].
#[test]
fn an_alumina_ball_rebounds_as_measured() {
    let alumina = Material::new("alumina").youngs_modulus(380e9).poisson_ratio(0.23);
    let glass = Material::new("glass").youngs_modulus(70e9).poisson_ratio(0.25);
    let ratio = MaterialPair::new(&alumina, &glass).stiffness_ratio().unwrap();
    let mut laws = all(0.092, ratio);
    laws.push(Arc::new(Tanh::new(0.092, 1e3).unwrap()));
    for law in laws {
        let off = kharaz(&law);
        println!("{} {off:?}", law.name());
        let allowed = match law.name() {
            "maw-barber-fawcett" => [0.03, 30.0, 0.6],
            "mindlin-deresiewicz" => [0.03, 30.0, 0.6],
            "mindlin-rescale" => [0.06, 40.0, 0.7],
            "mindlin" => [0.09, 40.0, 0.7],
            "cundall-strack" => [0.12, 41.0, 0.8],
            _ => [0.06, 75.0, 1.4],
        };
        for (off, allowed) in off.into_iter().zip(allowed) {
            assert!(off < allowed, "{}: {off} of {allowed}", law.name());
            // (what is said in the book is not said of another law)
            assert!(off > 0.4 * allowed, "{}: {off} of {allowed}", law.name());
        }
    }
}

/// Every method takes them through an oblique impact with spin.
#[test]
fn every_method_agrees() {
    for law in all(0.2, 0.8) {
        let model = BALL.model(rule(&law).normal(Hertz::new().stiffness(1e9)));
        let run = |method: &str, rtol: f64| -> Run {
            let sim = Simulation::new(&model).duration(4e-4).method(method).rtol(rtol);
            let sim = if method == "verlet" { sim.step(2e-7) } else { sim };
            sim.run().unwrap_or_else(|e| panic!("{} {method}: {e}", law.name()))
        };
        let best = run("dop853", 1e-12);
        let best = best.end.body("ball").unwrap();
        for method in ["ode45", "dop853", "ode113", "ode15s", "radau5", "verlet", "auto"] {
            let run = run(method, 1e-8);
            let ball = run.end.body("ball").unwrap();
            let allowed = if method == "verlet" { 1e-5 } else { 1e-6 };
            let off = (ball.velocity - best.velocity).norm()
                + 0.02 * (ball.angular_velocity - best.angular_velocity).norm();
            assert!(off < allowed, "{} {method}: {off:e}", law.name());
        }
    }
}

/// A ball that is kept from rolling, and a block on its corners, hold on an incline of 10°, once drag has damped how they ring on their contacts: they do not creep.
#[test]
fn nothing_creeps_on_an_incline() {
    let slope = 10f64.to_radians();
    let cases = all(0.3, 0.8).into_iter().flat_map(|law| [(Arc::clone(&law), false), (law, true)]);
    for (law, block) in one_in(3, cases) {
        let mut b = ModelBuilder::new();
        b.gravity([9.81 * slope.sin(), 0.0, -9.81 * slope.cos()]);
        let ball = Body::new("ball").mass(1.0).position([0.0, 0.0, 0.05 + 1e-7]);
        b.body(match block {
            false => ball.surface(Sphere::new(0.05).unwrap()).dofs(&[Dof::X, Dof::Y, Dof::Z]),
            true => ball.surface(Cuboid::new([0.3, 0.2, 0.1]).unwrap()),
        });
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(rule(&law).normal(Tsuji::restitution(0.3).unwrap().stiffness(1e7)));
        b.force(Force::on("ball", Drag::linear(100.0)));
        let model = b.build().unwrap();
        let mut frames = Recording::default();
        let sim = Simulation::new(&model).duration(2.0).output_every(0.1).rtol(1e-10);
        let run = sim.run_into(&mut frames).unwrap();
        let x = |i: usize| frames.frames[i].bodies[0].position.x;
        let creep = (x(20) - x(15)) / 0.5;
        println!("{} creeps {creep:e} m/s, holds at {:e} m", law.name(), x(20));
        assert!(creep.abs() < 1e-12, "{}: {creep:e}", law.name());
        // (a block still rocks a little)
        let moves = run.end.body("ball").unwrap().velocity.norm();
        let still = if block { 1e-7 } else { 1e-12 };
        assert!(x(20) > 1e-8 && moves < still, "{}: {moves:e}, {}", law.name(), run.summary);
        let friction: Vec3 = frames.frames[20].contacts.iter().map(|c| c.f_t).sum();
        near(law.name(), friction.x, -9.81 * slope.sin(), if block { 1e-3 } else { 1e-8 });
    }
}
