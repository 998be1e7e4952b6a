//! Bodies that deform: closed forms of ringing and turning, the rigid limit, what is kept.

use carom::geometry::surfaces::Ellipsoid;
use carom::law::elastic::{Elastic, MooneyRivlin, NeoHookean};
use carom::prelude::*;

use crate::common::frames;

const PLANE: [Dof; 3] = [Dof::X, Dof::Y, Dof::Rz];

fn stretched(s: f64) -> Mat3 {
    Mat3::from_diagonal(&Vec3::new(s, 1.0 / s, 1.0))
}

/// A cylinder in plane strain, stretched a little and let go.
fn ringing(elastic: Elastic, rho: f64, r: f64, stretch: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let body = Body::affine("roll", elastic).density(rho).dofs(&PLANE).deformation(stretched(stretch));
    b.body(body.surface(Cylinder::new(r, 1.0).unwrap()));
    b.build().unwrap()
}

/// Small stretches swing at ω² = 16 c/(ρ R²), whatever c10 and c01 make up c, and die away as e^(−2 μ t/(ρ R²)).
#[test]
fn a_cylinder_rings() {
    let (c, mu, rho, r) = (6e4, 20.0, 4e3, 0.3);
    let stretch: f64 = 1e-6;
    let elastic = Elastic::new(MooneyRivlin::new(0.7 * c, 0.3 * c).unwrap()).viscosity(mu);
    let model = ringing(elastic, rho, r, 1.0 + stretch);
    let decay = 2.0 * mu / (rho * r * r);
    let omega = (16.0 * c / (rho * r * r) - decay * decay).sqrt();
    let t = 3.3 * 2.0 * std::f64::consts::PI / omega;
    let run = Simulation::new(&model).duration(t).method("dop853").rtol(1e-13).atol(1e-13).run().unwrap();
    let f = run.end.body("roll").unwrap().deformation.unwrap().f;
    let expected = stretch * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
    // what is not linear is of the order of the square
    assert!((f[(0, 0)] - 1.0 - expected).abs() < 3e-12, "{} {expected}", f[(0, 0)] - 1.0);
    assert!((f.determinant() - 1.0).abs() < 1e-15);
}

/// Large stretches F = diag(λ, 1/λ) have one equation,
/// j (1 + λ⁻⁴) λ̈ = 2 j λ̇² λ⁻⁵ − 2 c vol (λ − λ⁻³) − 2 μ vol λ̇ λ⁻², j = ρ π R⁴/4, which is integrated by itself.
#[test]
fn a_cylinder_rings_loudly() {
    let (c, mu, rho, r) = (6e4, 100.0, 4e3, 0.3f64);
    let model = ringing(Elastic::new(MooneyRivlin::new(c, 0.0).unwrap()).viscosity(mu), rho, r, 1.6);
    let sim = Simulation::new(&model).duration(1.0).method("dop853").rtol(1e-13).atol(1e-13);
    let f = sim.run().unwrap().end.body("roll").unwrap().deformation.unwrap().f;
    let (j, vol) = (rho * std::f64::consts::PI * r.powi(4) / 4.0, std::f64::consts::PI * r * r);
    let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
        let (l, v) = (y[0], y[1]);
        let force =
            2.0 * j * v * v / l.powi(5) - 2.0 * c * vol * (l - l.powi(-3)) - 2.0 * mu * vol * v / (l * l);
        dy.copy_from_slice(&[v, force / (j * (1.0 + l.powi(-4)))]);
    };
    let mut alone = carom::ode::Ivp::new(rates, 0.0, [1.6, 0.0]).method("dop853").rtol(1e-13).atol(1e-13);
    let lambda = alone.solve_to(1.0).unwrap().y_end()[0];
    assert!((f[(0, 0)] - lambda).abs() < 1e-10, "{} {lambda}", f[(0, 0)]);
    assert!((f[(0, 0)] * f[(1, 1)] - 1.0).abs() < 1e-14 && f[(0, 1)] == 0.0 && f[(1, 0)] == 0.0);
}

/// Large stretches, in space: energy, momenta, volume.
#[test]
fn a_free_body_keeps_what_it_must() {
    for (elastic, kept) in [
        (Elastic::new(MooneyRivlin::new(4e4, 2e4).unwrap()), true),
        (Elastic::new(MooneyRivlin::new(4e4, 2e4).unwrap()).bulk_modulus(3e5), false),
        (Elastic::new(NeoHookean::new(9e4).unwrap()).bulk_modulus(3e5), false),
    ] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let d: Mat3 = Mat3::new(1.3, 0.2, 0.0, 0.0, 0.9, 0.1, 0.0, 0.0, 1.0);
        let d = if kept { d / d.determinant().cbrt() } else { d };
        let body = Body::affine("jelly", elastic).density(1000.0).deformation(d);
        let body = body.angular_velocity([3.0, -2.0, 5.0]).velocity([0.1, 0.2, 0.3]);
        b.body(body.surface(Cuboid::new([0.3, 0.2, 0.4]).unwrap()));
        let model = b.build().unwrap();
        let (m, inertia) = (model.mass("jelly").unwrap(), model.inertia("jelly").unwrap());
        let euler = Mat3::from_diagonal_element(0.5 * inertia.trace()) - inertia;
        let mut recording = Recording::default();
        let sim = Simulation::new(&model).duration(2.0).method("dop853").rtol(1e-12).atol(1e-12);
        let run = sim.output_every(0.1).run_into(&mut recording).unwrap();
        assert!(run.summary.audit_relative < 1e-10, "{}", run.summary.audit_relative);
        let spin = |f: &Frame| {
            let body = &f.bodies[0];
            let d = body.deformation.unwrap();
            // Σ r × v dm = the axial vector of F J Ḟᵀ
            let k = d.f_dot * euler * d.f.transpose();
            let l = Vec3::new(k[(2, 1)] - k[(1, 2)], k[(0, 2)] - k[(2, 0)], k[(1, 0)] - k[(0, 1)]);
            (l, body.velocity * m, d.f.determinant())
        };
        let (l0, p0, _) = spin(&recording.frames[0]);
        let mut most = 0.0f64;
        for frame in &recording.frames {
            let (l, p, det) = spin(frame);
            assert!((l - l0).norm() < 1e-9 * l0.norm(), "{l} {l0}");
            assert!((p - p0).norm() < 1e-12 * p0.norm());
            if kept {
                assert!((det - 1.0).abs() < 1e-12, "{}", det - 1.0);
            }
            most = most.max((det - 1.0).abs());
        }
        assert!(kept || most > 1e-3, "a volume that can change does: {most}");
    }
}

/// The stiffer a body, the more it moves as a rigid one: the difference goes as 1/c.
#[test]
fn stiff_is_nearly_rigid() {
    let shape = || Cuboid::new([0.3, 0.2, 0.4]).unwrap();
    let end = |body: Body| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(body.density(1000.0).angular_velocity([3.0, -2.0, 5.0]).surface(shape()));
        let sim = |m: &Model| Simulation::new(m).duration(0.2).method("radau5").rtol(1e-10).atol(1e-10).run();
        sim(&b.build().unwrap()).unwrap().end.body("body").unwrap().orientation
    };
    let rigid = end(Body::new("body"));
    let off = |c: f64| {
        // viscosity that lets the start, which is not in its swing, die away
        let elastic = Elastic::new(MooneyRivlin::new(c, 0.0).unwrap()).viscosity(2e-3 * c);
        end(Body::affine("body", elastic)).angle_to(&rigid)
    };
    let [soft, stiff] = [1e7, 1e8].map(off);
    assert!(stiff < 1e-4 && soft > 5.0 * stiff && soft < 20.0 * stiff, "{soft} {stiff}");
}

/// A soft body that flies has no strain, at whatever time one looks. (In steps of dop853 that are long beside its own
/// oscillations, the motion within the step had up to 1e-6 J.)
#[test]
fn a_body_in_flight_is_at_rest_in_itself() {
    let times: Vec<f64> = (0..=160).map(|i| f64::from(i) * 0.00375).collect();
    for modulus in [5e3, 2e4, 83_430.0, 4e5, 2e6] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let soft = Body::affine("soft", Elastic::new(NeoHookean::new(modulus).unwrap()).viscosity(145.1));
        let soft =
            soft.orientation(Quat::from_euler_angles(-2.0, -1.8, -2.9)).velocity([-0.273, -0.213, -0.294]);
        b.body(soft.mass(1.087).surface(Sphere::new(0.0517).unwrap()));
        let tumbling = Body::new("tumbling").mass(1.861).angular_velocity([7.1, -8.3, 0.96]);
        b.body(tumbling.position([1.0, 0.0, 0.0]).surface(Ellipsoid::new([0.06, 0.05, 0.04]).unwrap()));
        let model = b.build().unwrap();
        for rtol in [1e-6, 7e-8, 1e-8] {
            let (frames, _) = frames(&model, "dop853", rtol, &times);
            let strain = frames.iter().map(|frame| frame.energy.strain).fold(0.0, f64::max);
            // (the kinetic energy is 0.3 J)
            assert!(strain < 3e-4 * rtol, "{modulus} Pa, {rtol:e}: {strain:e} J");
        }
    }
}
