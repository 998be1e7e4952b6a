//! The eight impacts of Y. C. Chung, J. Y. Ooi, Benchmark tests for verifying discrete element modelling codes at particle impact level, *Granular Matter* 13 (2011) 643–656, with their values as public programs have
//! them (Yade, Kratos, LAMMPS). Elastic normal impacts and full sliding are closed forms; where the ball sticks for a while, the rings of Maw, Barber and Fawcett are the reference (`oracles/oblique.py`).

use std::f64::consts::PI;
use std::sync::Arc;

use crate::common::{close, near};
use crate::oblique::all;
use carom::law::friction::MawBarberFawcett;
use carom::law::normal::GonthierImplicit;
use carom::law::{Friction, Material, MaterialPair};
use carom::prelude::{
    Body, ContactRule, FrictionAt, Hertz, Model, ModelBuilder, Plane, Recording, Simulation, Sphere,
    SurfaceSpec, Vec3,
};
use carom::{BodyState, Event};

/// E [Pa], ν, ρ [kg/m³].
type Stuff = [f64; 3];

const GLASS: Stuff = [48e9, 0.20, 2800.0];
const LIMESTONE: Stuff = [20e9, 0.25, 2500.0];
const ALUMINIUM: Stuff = [70e9, 0.30, 2699.0];
const MAGNESIUM: Stuff = [40e9, 0.35, 1800.0];
const OXIDE: Stuff = [380e9, 0.23, 4000.0];
const IRON: Stuff = [100e9, 0.25, 7000.0];
const STEEL: Stuff = [208e9, 0.30, 7850.0];
const ALLOY: Stuff = [70e9, 0.33, 2700.0];
/// of a rigid plane
const RIGID: f64 = 1e9;

fn material(name: &str, [e, nu, _]: Stuff, times: f64) -> Material {
    Material::new(name).youngs_modulus(e * times).poisson_ratio(nu)
}

fn mass(radius: f64, [.., rho]: Stuff) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3) * rho
}

/// A sphere and how it comes.
#[derive(Clone, Copy)]
struct Ball {
    radius: f64,
    stuff: Stuff,
    velocity: [f64; 3],
    spin: f64,
}

impl Ball {
    fn body(&self, name: &str, z: f64, mass: f64) -> Body {
        let surface = SurfaceSpec::new(Sphere::new(self.radius).unwrap()).material(name);
        let body = Body::new(name).mass(mass).surface(surface).position([0.0, 0.0, z]);
        body.velocity(self.velocity).angular_velocity([0.0, self.spin, 0.0])
    }

    /// Above a rigid plane.
    fn on_plane(&self, rule: impl Fn(ContactRule) -> ContactRule) -> Model {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).material(material("ball", self.stuff, 1.0));
        b.material(material("plane", self.stuff, RIGID));
        b.body(self.body("ball", self.radius * 1.00001, mass(self.radius, self.stuff)));
        b.body(Body::fixed("plane").surface(SurfaceSpec::new(Plane).material("plane")));
        b.contact(rule(ContactRule::between("ball", "plane").friction_at(FrictionAt::Surfaces)));
        b.build().unwrap()
    }

    /// How long an elastic impact on a rigid plane takes, about [s].
    fn time(&self) -> f64 {
        let [e, nu, _] = self.stuff;
        let k = 4.0 / 3.0 * e / (1.0 - nu * nu) * self.radius.sqrt();
        let v = self.velocity[2].abs();
        2.95 * (1.25 * mass(self.radius, self.stuff) * v * v / k).powf(0.4) / v
    }
}

/// After the impact.
fn after(model: &Model, time: f64) -> BodyState {
    let run = Simulation::new(model).duration(time).rtol(1e-10).run().unwrap();
    assert_eq!(run.summary.touches, 1, "{}", run.summary);
    *run.end.body("ball").unwrap()
}

/// Touch and release of an elastic normal impact at this speed [m/s], against Hertz's closed form.
fn elastic_impact(what: &str, model: &Model, [m, k, v]: [f64; 3]) {
    let deepest = (1.25 * m * v * v / k).powf(0.4);
    let mut frames = Recording::default();
    let sim = Simulation::new(model).duration(10.0 * deepest / v + 1e-4).rtol(1e-12);
    let run = sim.run_into(&mut frames).unwrap();
    let [touch, release]: [&Event; 2] = [&frames.events[0], &frames.events[1]];
    close(&format!("{what}: duration"), release.t - touch.t, 2.943_275_184_3 * deepest / v, 1e-8);
    close(&format!("{what}: speed"), release.speed, v, 1e-9);
    close(&format!("{what}: depth"), release.max_indentation, deepest, 1e-6);
    close(&format!("{what}: force"), release.peak_force, k * deepest.powf(1.5), 1e-6);
    assert!(run.summary.audit_relative < 1e-10, "{what}: {}", run.summary);
}

/// 1: two identical spheres of 10 mm, each at 10 m/s. 2: a sphere of 100 mm on a rigid plane at 0.2 m/s.
#[test]
fn elastic_normal_impacts() {
    for stuff in [GLASS, LIMESTONE] {
        let (radius, v) = (0.010, 10.0);
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).material(material("a", stuff, 1.0)).material(material("b", stuff, 1.0));
        let ball = |v: f64| Ball { radius, stuff, velocity: [0.0, 0.0, v], spin: 0.0 };
        b.body(ball(v).body("a", 0.0, mass(radius, stuff)));
        b.body(ball(-v).body("b", 2.00001 * radius, mass(radius, stuff)));
        b.contact(ContactRule::between("a", "b").normal(Hertz::new()));
        let e_star = stuff[0] / (2.0 * (1.0 - stuff[1] * stuff[1]));
        let k = 4.0 / 3.0 * e_star * f64::sqrt(0.5 * radius);
        elastic_impact(&format!("{stuff:?}"), &b.build().unwrap(), [0.5 * mass(radius, stuff), k, 2.0 * v]);
    }
    for stuff in [ALUMINIUM, MAGNESIUM] {
        let ball = Ball { radius: 0.1, stuff, velocity: [0.0, 0.0, -0.2], spin: 0.0 };
        let e_star = stuff[0] / (1.0 - stuff[1] * stuff[1]);
        let k = 4.0 / 3.0 * e_star * ball.radius.sqrt();
        let model = ball.on_plane(|rule| rule.normal(Hertz::new()));
        elastic_impact(&format!("{stuff:?}"), &model, [mass(0.1, stuff), k, 0.2]);
    }
}

/// 3: a sphere of 2.5 mm at 3.9 m/s rebounds with the restitution that is asked for.
#[test]
fn normal_impacts_with_restitution() {
    for stuff in [OXIDE, IRON] {
        for c in [0.2, 0.4, 0.6, 0.8, 1.0] {
            let ball = Ball { radius: 2.5e-3, stuff, velocity: [0.0, 0.0, -3.9], spin: 0.0 };
            let model = ball.on_plane(|rule| rule.normal(GonthierImplicit::restitution(c).unwrap()));
            near(&format!("{stuff:?}"), after(&model, 4.0 * ball.time()).velocity.z / 3.9, c, 1e-8);
        }
    }
}

/// 4: a sphere of 2.5 mm at 3.9 m/s under angles from the normal, μ = 0.092, e = 0.98. Where it slides all the way: tangential restitution, spin and angle of the rebound of the patch in closed form, under every law.
#[test]
fn oblique_impacts_at_one_speed() {
    let (radius, mu, e) = (2.5e-3, 0.092, 0.98);
    for stuff in [OXIDE, ALLOY] {
        let pair = [material("a", stuff, 1.0), material("b", stuff, RIGID)];
        let kappa = MaterialPair::new(&pair[0], &pair[1]).stiffness_ratio().unwrap();
        for angle in [5.0f64, 15.0, 25.0, 30.0, 45.0, 60.0, 75.0, 85.0] {
            let (sin, cos) = angle.to_radians().sin_cos();
            let ball = Ball { radius, stuff, velocity: [3.9 * sin, 0.0, -3.9 * cos], spin: 0.0 };
            for law in all(mu, kappa) {
                let normal = GonthierImplicit::restitution(e).unwrap();
                let model = ball.on_plane(|rule| rule.normal(normal).friction_arc(Arc::clone(&law)));
                let end = after(&model, 3.0 * ball.time());
                let what = format!("{} {angle}°", law.name());
                close(&what, end.velocity.z, e * 3.9 * cos, 1e-8);
                // what friction takes from the ball it gives to its spin
                let (v, spin) = (end.velocity.x, radius * end.angular_velocity.y);
                near(&what, 2.5 * (3.9 * sin - v), spin, 1e-8);
                // (elastic balls slide all the way where κ v_t/(μ v_n) is 4χ − 1 or more, χ = (7/4)κ, others a little earlier; the other laws stick once more below 4χ)
                let slides = angle.to_radians().tan() > 7.1 * mu;
                if slides {
                    let taken = mu * (1.0 + e) * cos / sin;
                    near(&what, v / (3.9 * sin), 1.0 - taken, 1e-6);
                    near(&what, spin, 2.5 * mu * (1.0 + e) * 3.9 * cos, 1e-6);
                    let patch = ((v - spin) / end.velocity.z).atan();
                    near(
                        &what,
                        patch,
                        ((3.9 * sin - 3.5 * mu * (1.0 + e) * 3.9 * cos) / (e * 3.9 * cos)).atan(),
                        1e-6,
                    );
                }
            }
        }
    }
}

/// 5: a steel sphere of 10 µm with 5 m/s along the normal, μ = 0.3, at tangential speeds: the slip and the spin of its rebound, over μ v_n, against the rings of Maw, Barber and Fawcett.
#[test]
fn oblique_impacts_at_one_normal_speed() {
    let table: serde_json::Value = serde_json::from_str(include_str!("data/oblique.json")).unwrap();
    let (radius, mu, v_n) = (1e-5, 0.3, 5.0);
    let kappa = 2.0 * 0.7 / 1.7;
    let rows = table["rows"].as_array().unwrap();
    let mut count = 0;
    for row in rows {
        let [chi, psi1, psi2] = ["chi", "psi1", "psi2"].map(|key| row[key].as_f64().unwrap());
        if (chi - 1.75 * kappa).abs() > 1e-3 {
            continue;
        }
        count += 1;
        let velocity = [psi1 * mu * v_n / kappa, 0.0, -v_n];
        let ball = Ball { radius, stuff: STEEL, velocity, spin: 0.0 };
        let law: Arc<dyn Friction> = Arc::new(MawBarberFawcett::new(mu).unwrap());
        let model = ball.on_plane(|rule| rule.normal(Hertz::new()).friction_arc(Arc::clone(&law)));
        let end = after(&model, 3.0 * ball.time());
        let spin = radius * end.angular_velocity.y / (mu * v_n);
        let slip = end.velocity.x / (mu * v_n) - spin;
        near(&format!("slip {psi1}"), kappa * slip, psi2, 1e-3);
        near(&format!("spin {psi1}"), kappa * spin, 2.5 / 3.5 * (psi1 - psi2), 1e-3);
    }
    assert!(count > 5, "{count}");
}

/// The spin r ω/(μ v_n) of the rebound by v_t/(μ v_n) of test 5, steel: by finite elements, as Kratos has digitised it from the paper.
const FINITE_ELEMENTS: [[f64; 2]; 12] = [
    [0.3179, 0.1866],
    [0.595, 0.406],
    [0.890, 0.665],
    [1.185, 0.982],
    [1.532, 1.355],
    [1.896, 1.793],
    [2.277, 2.321],
    [2.763, 2.856],
    [3.301, 3.441],
    [3.890, 4.041],
    [4.688, 4.569],
    [5.659, 4.941],
];

/// 5, beside the finite elements of the paper.
#[test]
fn spin_by_finite_elements() {
    let (mu, v_n) = (0.3, 5.0);
    let law: Arc<dyn Friction> = Arc::new(MawBarberFawcett::new(mu).unwrap());
    let mut squares = 0.0;
    for [slip, spin] in FINITE_ELEMENTS {
        let ball = Ball { radius: 1e-5, stuff: STEEL, velocity: [slip * mu * v_n, 0.0, -v_n], spin: 0.0 };
        let model = ball.on_plane(|rule| rule.normal(Hertz::new()).friction_arc(Arc::clone(&law)));
        let found = ball.radius * after(&model, 3.0 * ball.time()).angular_velocity.y / (mu * v_n);
        squares += (found - spin) * (found - spin) / FINITE_ELEMENTS.len() as f64;
    }
    println!("finite elements: {} rms", squares.sqrt());
    assert!(squares.sqrt() < 0.1, "{squares}");
}

/// A sphere that spins: 6 and 8, of 100 mm and an aluminium alloy, μ = 0.4, e = 0.5, 0.2 m/s along the normal.
fn spinning(law: &Arc<dyn Friction>, slip: f64) -> (Ball, impl Fn(ContactRule) -> ContactRule) {
    let ball = Ball { radius: 0.1, stuff: ALLOY, velocity: [0.0, 0.0, -0.2], spin: -slip / 0.1 };
    let law = Arc::clone(law);
    let normal = GonthierImplicit::restitution(0.5).unwrap();
    (ball, move |rule| rule.normal(normal).friction_arc(Arc::clone(&law)))
}

/// 6: β, the slip after by the slip before, is −1 + 3.5 μ (1 + e) v_n/v_s where the sphere slides all the way. 8: a sphere five times as large, a thousand times as dense and as stiff does as a rigid plane.
#[test]
fn spheres_that_spin() {
    let (mu, e, v_n) = (0.4, 0.5, 0.2);
    let [a, b] = [material("a", ALLOY, 1.0), material("b", ALLOY, RIGID)];
    let kappa = MaterialPair::new(&a, &b).stiffness_ratio().unwrap();
    for law in all(mu, kappa) {
        for tangent in [0.3, 1.0, 2.0, 4.0, 8.0] {
            let slip = tangent * v_n;
            let (ball, rule) = spinning(&law, slip);
            let end = after(&ball.on_plane(&rule), 4.0 * ball.time());
            let beta = |v: Vec3, w: Vec3| -(v.x - 0.1 * w.y) / slip;
            let found = beta(end.velocity, end.angular_velocity);
            let what = format!("{} {tangent}", law.name());
            if tangent > 7.5 * mu {
                near(&what, found, -1.0 + 3.5 * mu * (1.0 + e) / tangent, 1e-6);
            } else {
                assert!(found > -1.0 && found < 1.0, "{what}: {found}");
            }
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]).material(material("ball", ALLOY, 1.0));
            b.material(material("large", ALLOY, 1e3));
            let large = Ball { radius: 0.5, stuff: ALLOY, velocity: [0.0; 3], spin: 0.0 };
            b.body(ball.body("ball", 0.1 * 1.00001, mass(0.1, ALLOY)));
            b.body(large.body("large", -0.5, 1e3 * mass(0.5, ALLOY)));
            b.contact(rule(ContactRule::between("ball", "large").friction_at(FrictionAt::Surfaces)));
            let end = after(&b.build().unwrap(), 6.0 * ball.time());
            near(&what, beta(end.velocity, end.angular_velocity), found, 2e-3);
        }
    }
}

/// 7: two identical spheres that spin alike towards each other, so that nothing slips where they touch: they keep their spins.
#[test]
fn spheres_that_spin_against_each_other() {
    let kappa = 2.0 * (1.0 - 0.33) / (2.0 - 0.33);
    for law in all(0.4, kappa) {
        for spin in [0.3, 2.0, 11.0] {
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3])
                .material(material("ball", ALLOY, 1.0))
                .material(material("other", ALLOY, 1.0));
            let ball = |v: f64, spin: f64| Ball { radius: 0.1, stuff: ALLOY, velocity: [0.0, 0.0, v], spin };
            b.body(ball(0.2, spin).body("ball", 0.0, mass(0.1, ALLOY)));
            b.body(ball(-0.2, -spin).body("other", 0.200_001, mass(0.1, ALLOY)));
            let normal = GonthierImplicit::restitution(0.5).unwrap();
            b.contact(ContactRule::between("ball", "other").normal(normal).friction_arc(Arc::clone(&law)));
            let end = after(&b.build().unwrap(), 6e-3);
            close(law.name(), end.angular_velocity.y, spin, 1e-10);
            near(law.name(), end.velocity.x, 0.0, 1e-10);
            close(law.name(), end.velocity.z, -0.1, 1e-8);
        }
    }
}
