//! Mechanisms of slender bars, whose inertia about their axes is 1e-3 to 1e-12 of m l²: which equations repeat others, and how well the motion is known, must not depend on it.

use carom::Universal;
use carom::prelude::*;

use crate::mechanism::{G, Mechanism, Placed, bar};

/// Bricard's ring of six bars of 1 m, one of them the ground, on hinges square to the bars and to one another. Three-fold symmetry makes it a closed form: every other corner is on a
/// triangle, P₀ P₂ P₄ at a radius r from the axis, P₁ P₃ P₅ at ρ and at a height h over it, and with q = 3ρ²/2 (1 + the cosine of the angle at P₀) the hinges give
/// (1 + cos A)(1 + cos B) = 1: r = √(2/3q), ρ = √(2q/3), h² = 5/3 − 2(q + 1/q)/3. With h = cos ψ/√3: ln q = 2 asinh(sin ψ/√8).
fn bricard(psi: f64) -> Vec<Placed> {
    let q = (2.0 * (psi.sin() / 8.0_f64.sqrt()).asinh()).exp();
    let (r, rho, h) = ((2.0 / (3.0 * q)).sqrt(), (2.0 * q / 3.0).sqrt(), psi.cos() / 3.0_f64.sqrt());
    let corner = |i: usize| {
        let (radius, height) = if i.is_multiple_of(2) { (r, 0.0) } else { (rho, h) };
        let angle = (i as f64 * 60.0).to_radians();
        Vec3::new(radius * angle.cos(), radius * angle.sin(), height)
    };
    let p: Vec<Vec3> = (0..6).map(corner).collect();
    // square to both bars at a corner; where those are in a line it changes its sign
    let flip = |even: bool| if (psi.sin() > 0.0) == even { psi.cos().signum() } else { 1.0 };
    let hinge = |i: usize| {
        let across = (p[i] - p[(i + 5) % 6]).cross(&(p[(i + 1) % 6] - p[i]));
        across.normalize() * flip(i.is_multiple_of(2))
    };
    // as the ground sees it: P₀ is the origin, P₅ on z, and the hinge at P₀ along −y
    let (z, y) = (p[5] - p[0], -hinge(0));
    let ground = Mat3::from_columns(&[y.cross(&z), y, z]).transpose();
    (0..5)
        .map(|i| {
            let (c, r) = bar(&p[i], &p[i + 1], &hinge(i));
            (ground * (c - p[0]), ground * r)
        })
        .collect()
}

#[test]
fn bricards_ring_of_slender_bars() {
    for axial in [1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12] {
        let bars = vec![(1.0, [axial, 1.0 / 12.0, 1.0 / 12.0]); 5];
        let mechanism = Mechanism { places: &bricard, bodies: bars, up: Vec3::y() };
        let mut b = mechanism.builder();
        let at = bricard(0.0);
        let hinges = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        for i in 0..6_usize {
            let names = [i.to_string(), i.wrapping_sub(1).to_string()];
            let (one, other) = match i {
                0 => (names[0].as_str(), "ground"),
                5 => (names[1].as_str(), "ground"),
                _ => (names[0].as_str(), names[1].as_str()),
            };
            let p =
                if i == 5 { at[4].0 + 0.5 * at[4].1.column(0) } else { at[i].0 - 0.5 * at[i].1.column(0) };
            b.joint(Joint::between(one, other, Revolute).at(p.into()).axis(hinges[i % 3]));
        }
        let model = b.build().unwrap();
        let sign = -(mechanism.potential(0.1) - mechanism.potential(-0.1)).signum();
        let times = [0.3, 0.6, 0.9, 1.05];
        let (off, run) = mechanism.off(&model, "dop853", 1e-10, &times, 2.6 * sign);
        let (evaluations, audit) = (run.summary.stats.evaluations, run.summary.audit_relative);
        println!("{axial:e}: {off:.1e} m, audit {audit:.1e}, {evaluations} evaluations");
        assert!(off < 1e-8, "{axial:e}: {off:e}");
        assert!(audit < 1e-9, "{axial:e}: {audit:e}");
    }
}

/// Crank, coupler and rocker on hinges that are skew: what they make of an angle ψ of the crank.
fn skew(psi: f64) -> [Vec3; 4] {
    // |B − A| = 1.2, B = D + cos φ y + sin φ z
    let a = Vec3::new(0.4 * (0.5 + psi).cos(), 0.4 * (0.5 + psi).sin(), 0.0);
    let d = Vec3::new(1.1, 0.1, -0.3);
    let e = d - a;
    let (p, q, s) = (2.0 * e.y, 2.0 * e.z, 1.2 * 1.2 - 1.0 - e.norm_squared());
    let phi = q.atan2(p) - (s / p.hypot(q)).acos();
    [Vec3::zeros(), a, d + Vec3::new(0.0, phi.cos(), phi.sin()), d]
}

/// The coupler has a ball at the crank and, at the rocker, a Cardan joint or another ball. The Cardan joint has its axes along the hinge of the rocker, x, and square to that and to the coupler.
fn skew_bars(psi: f64) -> Vec<Placed> {
    let [o, a, b, d] = skew(psi);
    let coupler = (b - a).normalize();
    vec![bar(&o, &a, &Vec3::z()), bar(&a, &b, &coupler.cross(&Vec3::x())), bar(&d, &b, &Vec3::x())]
}

/// Masses and principal moments of bars.
type Bars = Vec<(f64, [f64; 3])>;

/// All bars rods of 1 kg/m with this inertia about their axes, in m l².
fn skew_four_bar(axial: f64, joint: &str) -> (Bars, impl Fn(&mut ModelBuilder)) {
    let rod = |l: f64| (l, [axial, 1.0 / 12.0, 1.0 / 12.0].map(|i| i * l.powi(3)));
    let universal = joint == "universal";
    let joints = move |b: &mut ModelBuilder| {
        let [o, at_a, at_b, d] = skew(0.0);
        let square = (at_b - at_a).cross(&Vec3::x());
        b.joint(Joint::between("0", "ground", Revolute).at(o.into()).axis([0.0, 0.0, 1.0]));
        b.joint(Joint::between("2", "ground", Revolute).at(d.into()).axis([1.0, 0.0, 0.0]));
        b.joint(Joint::between("1", "0", Spherical).at(at_a.into()));
        let last = match universal {
            true => Joint::between("1", "2", Universal).axis(square.into()).second_axis([1.0, 0.0, 0.0]),
            false => Joint::between("1", "2", Spherical),
        };
        b.joint(last.at(at_b.into()));
    };
    (vec![rod(0.4), rod(1.2), rod(1.0)], joints)
}

/// With two balls the coupler may spin about its axis, which no joint acts about: it does not.
#[test]
fn skew_four_bars_of_slender_bars() {
    for joint in ["universal", "spherical"] {
        for axial in [1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12] {
            let (mut bodies, joints) = skew_four_bar(axial, joint);
            let given = bodies.clone();
            if joint == "spherical" {
                // its spin is none, whatever the closed form's axes do
                bodies[1].1[0] = 0.0;
            }
            let mut mechanism = Mechanism { places: &skew_bars, bodies: given, up: Vec3::y() };
            let mut b = mechanism.builder();
            joints(&mut b);
            mechanism.bodies = bodies;
            let model = b.build().unwrap();
            let sign = -(mechanism.potential(0.1) - mechanism.potential(-0.1)).signum();
            let (off, run) = mechanism.off(&model, "dop853", 1e-10, &[0.2, 0.4], 2.0 * sign);
            let (evaluations, audit) = (run.summary.stats.evaluations, run.summary.audit_relative);
            println!("{joint}, {axial:e}: {off:.1e} m, audit {audit:.1e}, {evaluations} evaluations");
            assert!(off < 1e-8, "{joint}, {axial:e}: {off:e}");
            assert!(audit < 1e-9, "{joint}, {axial:e}: {audit:e}");
        }
    }
}

/// Every family of methods, with and without a spin that is free.
#[test]
fn every_method_moves_slender_bars() {
    for joint in ["universal", "spherical"] {
        let (bodies, joints) = skew_four_bar(1e-9, joint);
        let mechanism = Mechanism { places: &skew_bars, bodies, up: Vec3::y() };
        let mut b = mechanism.builder();
        joints(&mut b);
        let model = b.build().unwrap();
        let sign = -(mechanism.potential(0.1) - mechanism.potential(-0.1)).signum();
        for method in ["ode45", "dop853", "ode113", "ode15s", "radau5"] {
            let (off, run) = mechanism.off(&model, method, 1e-9, &[0.2, 0.4], 2.0 * sign);
            println!("{joint}, {method}: {off:.1e} m, {} evaluations", run.summary.stats.evaluations);
            assert!(off < 1e-6, "{joint}, {method}: {off:e}");
        }
    }
}

/// Parallelograms side by side on hinges, each of which repeats three equations: cranks of 1 kg and 1 m, couplers as light as one likes. Twice a turn all bars are in a line.
#[test]
fn parallelograms_with_light_couplers() {
    let places = |psi: f64| -> Vec<Placed> {
        let tip = Vec3::new((0.4 + psi).sin(), (0.4 + psi).cos(), 0.0);
        let closest_point = |i: i32| Vec3::new(f64::from(i), 0.0, 0.0);
        let cranks = (0..3).map(|i| bar(&closest_point(i), &(closest_point(i) + tip), &Vec3::z()));
        let couplers =
            (0..2).map(|i| bar(&(closest_point(i) + tip), &(closest_point(i + 1) + tip), &Vec3::z()));
        cranks.chain(couplers).collect()
    };
    for (mass, axial) in [(1.0, 1e-6), (1.0, 1e-9), (1e-3, 1e-9), (1e-6, 1e-3), (1e-6, 1e-9), (1e-9, 1e-12)] {
        let rod = |m: f64| (m, [axial, 1.0 / 12.0, 1.0 / 12.0].map(|i| i * m));
        let bodies = vec![rod(1.0), rod(1.0), rod(1.0), rod(mass), rod(mass)];
        let mechanism = Mechanism { places: &places, bodies, up: Vec3::y() };
        let mut b = mechanism.builder();
        for (i, (c, r)) in places(0.0).iter().enumerate() {
            let ends = [-0.5, 0.5].map(|x| (c + x * r.column(0)).into());
            let joint = |other: &str, at| {
                Joint::between(&i.to_string(), other, Revolute).at(at).axis([0.0, 0.0, 1.0])
            };
            match i {
                0..3 => {
                    b.joint(joint("ground", ends[0]));
                }
                _ => {
                    b.joint(joint(&(i - 3).to_string(), ends[0])).joint(joint(&(i - 2).to_string(), ends[1]));
                }
            }
        }
        let model = b.build().unwrap();
        let (off, run) = mechanism.off(&model, "dop853", 1e-10, &[0.5, 0.8, 1.0], 5.0);
        let (evaluations, audit) = (run.summary.stats.evaluations, run.summary.audit_relative);
        println!("{mass:e}, {axial:e}: {off:.1e} m, audit {audit:.1e}, {evaluations} evaluations");
        assert!(off < 1e-8, "{mass:e}, {axial:e}: {off:e}");
        let repeated: usize =
            run.summary.warnings.iter().filter(|w| w.warning.to_string().contains("repeat")).count();
        assert!(repeated > 0, "{mass:e}, {axial:e}: six equations repeat others");
    }
}

/// A chain of slender bars with skew hinges has no loop, and nothing in it repeats: its energy is kept however slender they are.
#[test]
fn a_chain_of_slender_bars_in_space() {
    for axial in [1e-6, 1e-9, 1e-11, 1e-12] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -G]).body(Body::fixed("ground"));
        for i in 0..6 {
            let (name, x) = (format!("{i}"), f64::from(i));
            let inertia = [axial, 1.0 / 12.0, 1.0 / 12.0];
            b.body(Body::new(&name).mass(1.0).inertia(inertia).position([x + 0.5, 0.0, 0.0]));
            let last = if i == 0 { "ground".to_owned() } else { format!("{}", i - 1) };
            let axis = [[0.0, 1.0, 0.0], [0.0, 0.8, 0.6], [0.0, 0.0, 1.0]][i as usize % 3];
            b.joint(Joint::between(&name, &last, Revolute).at([x, 0.0, 0.0]).axis(axis));
        }
        let model = b.build().unwrap();
        let run = Simulation::new(&model).duration(1.0).rtol(1e-10).atol(1e-10).run().unwrap();
        let audit = run.summary.audit_relative;
        println!("{axial:e}: audit {audit:.1e}, {} evaluations", run.summary.stats.evaluations);
        assert!(audit < 1e-9 && run.summary.warnings.is_empty(), "{axial:e}: {audit:e}");
    }
}
