//! A rattleback turns back: the engine against rolling without slip, what compliance and creep add to it, and small oscillations.

use crate::celt::{Celt, G, Hold, halves};
use crate::common::{close, first_zero, near, rk4};
use carom::geometry::surfaces::Ellipsoid;
use carom::prelude::*;

/// As in the example.
const HOLD: Hold = Hold { stiffness: 1e8, k_t: 1000.0, mu: 0.6, follows: false };
const E_STAR: f64 = 1e9;
const PITCH: f64 = std::f64::consts::PI / 180.0;

/// The celt on a table of that stiffness, from a start that yields with it: as deep as the load asks for, sinking and creeping as the motion to come has it.
fn model(celt: &Celt, y: &[f64; 6], hold: &Hold) -> Model {
    let normal = HuntCrossley::damping(1.0).unwrap().stiffness(hold.stiffness);
    model_with(celt, y, hold, normal)
}

/// The same with another normal law; both bodies are of one material, E* = 1 GPa.
fn model_with(celt: &Celt, y: &[f64; 6], hold: &Hold, normal: HuntCrossley) -> Model {
    let (w, gamma) = halves(y);
    // γ = (sin, 0, cos)
    let turned = Quat::from_axis_angle(&Vec3::y_axis(), -gamma.x.atan2(gamma.z));
    let (r, (u, _), (_, delta)) = (celt.arm(&gamma), celt.yielding(y, hold), celt.slip_and_depth(y, hold));
    let shape = Ellipsoid::new(celt.axes).unwrap();
    let mut b = ModelBuilder::new();
    b.material(Material::new("stuff").youngs_modulus(2.0 * E_STAR * (1.0 - 0.3 * 0.3)).poisson_ratio(0.3));
    b.gravity([0.0, 0.0, -G]).body(
        Body::new("celt")
            .mass(celt.m)
            .inertia_tensor(celt.inertia)
            .position([0.0, 0.0, -r.dot(&gamma) - delta])
            .orientation(turned)
            .velocity((turned * (r.cross(&w) + u)).into())
            .angular_velocity((turned * w).into())
            .surface(SurfaceSpec::new(shape).at([0.0, 0.0, celt.above]).material("stuff")),
    );
    b.body(Body::fixed("table").surface(SurfaceSpec::new(Plane).material("stuff")));
    let friction = Tanh::new(hold.mu, hold.k_t).unwrap();
    b.contact(
        ContactRule::between("celt", "table")
            .normal(normal)
            .friction(friction)
            .friction_at(FrictionAt::Surfaces),
    );
    b.build().unwrap()
}

/// The first zero of ω_z [s], if any.
fn reversal(model: &Model, until: f64, method: &str, rtol: f64) -> Option<f64> {
    let mut r = Recording::default();
    let sim = Simulation::new(model).duration(until).method(method).rtol(rtol).output_every(1e-4);
    let run = sim.run_into(&mut r).unwrap();
    assert!(run.summary.audit_relative < 1e-9 && run.summary.touches == 1, "{}", run.summary);
    let spin: Vec<_> = r.frames.iter().map(|f| (f.t, f.bodies[0].angular_velocity.z)).collect();
    first_zero(&spin)
}

/// Rolling by itself: its energy stays, and it turns back when the same equations do in another program, by three integrators that agree to 1e-14.
#[test]
fn rolling_turns_back_one_way_only() {
    let celt = Celt::example();
    let start = Celt::start(PITCH, -5.0);
    let (t, end) = celt.reversal(start, 3.0, None);
    close("energy", celt.energy(&end), celt.energy(&start), 1e-12);
    close("reversal", t.unwrap(), 1.01144184763904, 1e-11);
    assert_eq!(celt.reversal(Celt::start(PITCH, 5.0), 6.0, None).0, None);
}

/// The time of reversal depends neither on the method nor on the tolerance.
#[test]
fn the_time_of_reversal_is_converged() {
    let celt = Celt::example();
    let model = model(&celt, &Celt::start(PITCH, -5.0), &HOLD);
    let time = |method: &str, rtol: f64| reversal(&model, 1.05, method, rtol).unwrap();
    let exact = time("dop853", 1e-12);
    for method in ["dop853", "tsit5", "ode113", "radau5", "auto"] {
        close(method, time(method, 1e-10), exact, 1e-11);
    }
}

#[test]
fn the_other_way_it_goes_on() {
    let celt = Celt::example();
    let model = model(&celt, &Celt::start(PITCH, 5.0), &HOLD);
    assert_eq!(reversal(&model, 6.0, "dop853", 1e-10), None);
}

/// On a table ever stiffer and rougher the celt turns back when the rolling one does. It is late by the first order of δ and 1/k_t, which halves as
/// both do; what that leaves unexplained falls to a quarter.
#[test]
fn a_stiff_table_is_rolling() {
    let celt = Celt::example();
    let start = Celt::start(PITCH, -5.0);
    let rigid = celt.reversal(start, 3.0, None).0.unwrap();
    let late = [1.0, 2.0, 4.0, 8.0].map(|s: f64| {
        let hold = Hold { stiffness: HOLD.stiffness * s.powf(1.5), k_t: HOLD.k_t * s, ..HOLD };
        let t = reversal(&model(&celt, &start, &hold), 1.05, "auto", 1e-11).unwrap();
        let first = celt.reversal(start, 3.0, Some(&hold)).0.unwrap();
        let [late, explained] = [t - rigid, first - rigid];
        println!("{t:.9} s, late by {late:.3e}, first order {explained:.3e}, rest {:.3e} s", t - first);
        [t - rigid, t - first]
    });
    let ratio = |k: usize, i: usize| late[k][i] / late[k + 1][i];
    for (k, share) in [(0, 1.0), (1, 0.5), (2, 0.25)] {
        near("first order", ratio(k, 0), 2.0, 0.04 * share);
        near("second order", ratio(k, 1), 4.0, 0.06 * share);
    }
    // the first order taken away, and of the second what its ratio tells
    near("limit", late[3][1] - (late[2][1] - late[3][1]) / 3.0, 0.0, 2e-10);
}

/// Stiffness from materials is that of the curvatures at the touch; let it follow them, energy kept, and the time of reversal is hardly another.
#[test]
fn stiffness_may_be_latched() {
    let celt = Celt::example();
    let start = Celt::start(PITCH, -5.0);
    let latched = celt.stiffness(&halves(&start).1, E_STAR);
    let hold = Hold { stiffness: latched, ..HOLD };
    let from_materials = model_with(&celt, &start, &hold, HuntCrossley::damping(1.0).unwrap());
    let t = reversal(&from_materials, 1.05, "auto", 1e-10).unwrap();
    close("latched", t, reversal(&model(&celt, &start, &hold), 1.05, "auto", 1e-10).unwrap(), 1e-11);
    let first = |hold: Hold| celt.reversal(start, 3.0, Some(&hold)).0.unwrap();
    let bottom = celt.stiffness(&Vec3::z(), E_STAR);
    let follows = first(Hold { stiffness: bottom, follows: true, ..HOLD }) - first(hold);
    let pitched = celt.stiffness(&halves(&Celt::start(10.0 * PITCH, 0.0)).1, E_STAR);
    println!("K {latched:e}, {} of it at 10 degrees; later by {follows:e} s", pitched / latched);
    assert!(follows.abs() < 2e-5 * t);
}

/// Small oscillations: pitch grows when the celt is spun one way, roll when spun the other, and more slowly; as the spin goes to zero in closed form.
#[test]
fn one_oscillation_grows() {
    let celt = Celt::example();
    // roll, then pitch, the faster
    let modes = |n: f64| -> Vec<nalgebra::Complex<f64>> {
        let all = celt.oscillations(n).complex_eigenvalues();
        let mut modes: Vec<_> = all.iter().copied().filter(|z| z.im > 0.0).collect();
        modes.sort_by(|a, b| a.im.total_cmp(&b.im));
        modes
    };
    let rates = |n: f64| [modes(n)[0].re, modes(n)[1].re];
    let want = celt.growth_per_spin();
    println!("roll and pitch: {want:?} of the spin; at 5 rad/s {:?}", rates(5.0));
    // odd in n: the next order is (n/ω)²
    for (n, tolerance) in [(0.1, 1e-4), (0.01, 1e-6)] {
        for i in [0, 1] {
            close("growth", rates(n)[i] / n, want[i], tolerance);
            close("the other way", rates(-n)[i], -rates(n)[i], 1e-8);
        }
    }
    // what they are together, and that each goes as its frequency squared
    let [roll, pitch] = [0, 1].map(|i| want[i] / modes(0.0)[i].im.powi(2));
    near("opposite", roll / pitch, -1.0, 1e-12);
    close("sum", want[0] + want[1], celt.growth_of_both_per_spin(), 1e-12);
    let [[roll, pitch], [back_roll, back_pitch]] = [rates(5.0), rates(-5.0)];
    assert!(roll > 0.0 && pitch < 0.0 && back_roll < 0.0 && back_pitch > 8.0 * roll);
}

/// Runs from 1e-7 rad against the linear equations with creep: those leave out its third power only.
#[test]
fn small_oscillations_grow_as_they_should() {
    let (celt, tilt, duration, steps) = (Celt::example(), 1e-7, 1.0, 100_000);
    for n in [-5.0, 5.0] {
        let y = Celt::start(tilt, n);
        let model = model(&celt, &y, &HOLD);
        let run = Simulation::new(&model).duration(duration).rtol(1e-12).atol(1e-14).run().unwrap();
        let gamma = run.end.body("celt").unwrap().orientation.inverse() * Vec3::z();
        let ((w, g), (u, _)) = (halves(&y), celt.yielding(&y, &HOLD));
        let v = celt.arm(&g).cross(&w) + u;
        let rates = celt.creeping(n, HOLD.mu * celt.m * G * HOLD.k_t);
        let step = duration / f64::from(steps);
        let linear = (0..steps).fold([g.x, g.y, w.x, w.y, v.x, v.y], |y, _| rk4(y, step, &rates));
        println!("{n}: {:e} {:e}", gamma.x - linear[0], gamma.y - linear[1]);
        near("pitch", gamma.x, linear[0], 3e-8 * tilt);
        near("roll", gamma.y, linear[1], 3e-8 * tilt);
    }
}
