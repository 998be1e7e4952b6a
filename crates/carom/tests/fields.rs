//! Short-range fields against an independent program's trajectories, and closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test may")]

use crate::common::{near, number, reference};
use carom::field::Adhesion;
use carom::law::elastic::{Elastic, MooneyRivlin};
use carom::prelude::*;
use carom::{FieldRule, Frame, Repulsion, Summary};
use nalgebra::UnitQuaternion;
use serde_json::Value;

const PLANE: [Dof; 3] = [Dof::X, Dof::Y, Dof::Rz];

/// A support y = 0, its normal upwards.
fn support() -> Body {
    let turn = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), -std::f64::consts::FRAC_PI_2);
    Body::fixed("support").surface(SurfaceSpec::new(Plane).turned(turn))
}

fn optional(p: &Value, key: &str) -> f64 {
    p[key].as_f64().unwrap_or(0.0)
}

/// The tractions of a case, repulsion by its coefficient.
fn tractions(p: &Value) -> FieldRule {
    let nu = |key: &str| number(&p[key]) as u32;
    let mut f = FieldRule::between("body", "support")
        .repulsion(nu("nu_r"), Repulsion::Coefficient(number(&p["alpha_r"])));
    if optional(p, "beta_d") > 0.0 {
        f = f.damping(nu("nu_d"), number(&p["beta_d"]));
    }
    if optional(p, "beta_f") > 0.0 {
        f = f.friction(nu("nu_f"), number(&p["beta_f"]));
    }
    if let Some(coefficient) = p["beta_a"].as_f64() {
        let (attraction_exponent, repulsion_exponent) = (nu("nu_aa"), nu("nu_ar"));
        let range = number(&p["d_a"]);
        f = f.adhesion(Adhesion { coefficient, attraction_exponent, repulsion_exponent, range });
    }
    if p["faces"] == "B" {
        f = f.faces(&["-y"]);
    }
    f
}

/// The model of a case in the plane: per metre of depth.
fn in_the_plane(case: &Value) -> Model {
    let (p, s) = (&case["params"], &case["initial_state"]);
    let get = |key: &str| number(&s[key]);
    let mut b = ModelBuilder::new();
    let slope = optional(p, "slope");
    let gravity = match p["gy"].as_f64() {
        Some(gy) => [number(&p["gx"]), gy, 0.0],
        None => [-9.81 * slope.sin(), -9.81 * slope.cos(), 0.0],
    };
    b.gravity(gravity);
    b.body(support());
    let rho = number(&p["rho"]);
    let position = [get("x"), get("y"), 0.0];
    let body = if case["model"] == "plane_affine" {
        let elastic =
            Elastic::new(MooneyRivlin::new(number(&p["c"]), 0.0).unwrap()).viscosity(number(&p["mu"]));
        Body::affine("body", elastic).surface(Cylinder::new(number(&p["R"]), 1.0).unwrap())
    } else {
        let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), get("theta"));
        let body = Body::new("body").orientation(turn).angular_velocity([0.0, 0.0, get("omega")]);
        match p["shape"].as_str() {
            Some(_) => body.surface(Cylinder::new(number(&p["R"]), 1.0).unwrap()),
            None => body.surface(Cuboid::new([number(&p["L"]), number(&p["L"]), 1.0]).unwrap()),
        }
    };
    b.body(body.density(rho).dofs(&PLANE).position(position).velocity([get("vx"), get("vy"), 0.0]));
    b.field(tractions(p));
    if let Some(rate) = p["rho_rate"].as_f64() {
        let t0 = number(&p["rho_t0"]);
        let density = carom::Linear::new(&[[0.0, rho], [t0, rho], [t0 + 10.0, rho * (1.0 + 10.0 * rate)]]);
        b.drive(carom::Drive::new("body/body/density", density.unwrap()));
    }
    b.build().unwrap()
}

/// The model of a case in space.
fn in_space(case: &Value) -> Model {
    let (p, s) = (&case["params"], &case["initial_state"]);
    let get = |key: &str| number(&s[key]);
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("support").surface(Plane));
    let body = Body::new("body").density(number(&p["rho"])).position(["x", "y", "z"].map(get));
    let body = body.quaternion(["qw", "qx", "qy", "qz"].map(get)).velocity(["vx", "vy", "vz"].map(get));
    let cube = Cuboid::new([number(&p["L"]); 3]).unwrap();
    b.body(body.angular_velocity(["wx", "wy", "wz"].map(get)).surface(cube));
    b.field(tractions(p));
    b.build().unwrap()
}

/// A component of the state by the name the reference has for it.
fn component(frame: &Frame, name: &str, want: f64) -> f64 {
    let b = &frame.bodies[0];
    let q = &b.orientation;
    // the quaternion of the same half as the reference's
    match name {
        "x" => b.position.x,
        "y" => b.position.y,
        "z" => b.position.z,
        "vx" => b.velocity.x,
        "vy" => b.velocity.y,
        "vz" => b.velocity.z,
        "wx" => b.angular_velocity.x,
        "wy" => b.angular_velocity.y,
        "wz" | "omega" => b.angular_velocity.z,
        "theta" => {
            let theta = 2.0 * q.k.atan2(q.w);
            theta + ((want - theta) / std::f64::consts::TAU).round() * std::f64::consts::TAU
        }
        "qw" => q.w,
        "qx" => q.i,
        "qy" => q.j,
        "qz" => q.k,
        f => {
            let d = b.deformation.unwrap();
            let at = |m: &Mat3, ij: &str| {
                let ij: Vec<usize> = ij.bytes().map(|c| usize::from(c - b'1')).collect();
                m[(ij[0], ij[1])]
            };
            match f.strip_prefix("Fd") {
                Some(ij) => at(&d.f_dot, ij),
                None => at(&d.f, f.strip_prefix('F').unwrap()),
            }
        }
    }
}

fn run(model: &Model, times: &[f64], method: &str, rtol: f64) -> (Recording, Summary) {
    let mut r = Recording::default();
    let last = times.iter().copied().fold(0.0, f64::max);
    let sim = Simulation::new(model).duration(last).rtol(rtol).atol(rtol).method(method);
    let run = sim.output(Output::At(times.to_vec())).run_into(&mut r).unwrap();
    (r, run.summary)
}

/// Every trajectory at its times, as far as it can be known: max(10 trust, amplification 1e-11, 1e-9).
fn follows(name: &str) {
    let all = reference("field.json");
    let case = &all["cases"][name];
    let model = if case["model"] == "cube3" { in_space(case) } else { in_the_plane(case) };
    let usable: Vec<&Value> =
        case["reference"].as_array().unwrap().iter().filter(|r| r["usable_to_1e-8"] == true).collect();
    let times: Vec<f64> = usable.iter().map(|r| number(&r["t"])).collect();
    let (r, summary) = run(&model, &times, "dop853", 1e-13);
    assert_eq!(r.frames.len(), times.len());
    let mut worst = 0.0f64;
    for (frame, want) in r.frames.iter().zip(&usable) {
        let amplification = number(&want["amplification_1e9"]);
        let accept = (10.0 * number(&want["trust_abs"])).max(amplification * 1e-11).max(1e-9);
        let state = want["state"].as_object().unwrap();
        let turned = |k: &str| number(&want["state"][k]);
        let q = &frame.bodies[0].orientation;
        let same = state.get("qw").is_none_or(|_| {
            q.w * turned("qw") + q.i * turned("qx") + q.j * turned("qy") + q.k * turned("qz") > 0.0
        });
        for (component_name, value) in state {
            let want = number(value);
            let sign = if component_name.starts_with('q') && !same { -1.0 } else { 1.0 };
            let got = sign * component(frame, component_name, want);
            worst = worst.max((got - want).abs() / accept);
            near(&format!("{name}: {component_name} at {}", frame.t), got, want, accept);
        }
        // what the reference has lost, to the digits it is given with
        let lost = number(&want["dissipated_J"]);
        let tolerance = 1e-9 * (1.0 + lost) * amplification.clamp(1.0, 100.0);
        near(&format!("{name}: dissipated at {}", frame.t), frame.energy.dissipated(), lost, tolerance);
        if let Some(d) = &frame.bodies[0].deformation {
            assert!((d.f.determinant() - 1.0).abs() < 1e-12, "{name}: {}", d.f.determinant() - 1.0);
        }
    }
    assert!(summary.audit_relative < 1e-10, "{name}: {summary}");
    println!(
        "{name}: worst {worst:.3} of what is accepted, audit {:.1e}, {} steps",
        summary.audit_relative, summary.stats.steps
    );
}

macro_rules! cases {
    ($($name:ident),*) => { $(#[test] fn $name() { follows(stringify!($name)); })* };
}

cases!(
    fig7,
    fig7_undamped,
    fig8c,
    fig6b_bd100,
    fig6b_bd10000,
    fig11_nofriction,
    fig11_friction,
    fig12_nofriction,
    fig13a_ceiling,
    fig14_rolling,
    fig17,
    fig20,
    fig21,
    fig23
);

/// A cube that bounces flat: periods and least gaps in closed form, by energy.
#[test]
fn vertical_bounces() {
    let all = reference("field.json");
    for (name, case) in all["vertical_bounce_closed_form"].as_object().unwrap() {
        let [d0, v0, period, d_min] = ["d0", "v0", "period", "d_min"].map(|k| number(&case[k]));
        let nu = number(&case["nu_r"]) as u32;
        let mut b = ModelBuilder::new();
        b.gravity([0.0, -9.81, 0.0]);
        b.body(support());
        let cube = Body::new("body").density(1000.0).position([0.0, 0.5 + d0 + v0, 0.0]);
        b.body(cube.dofs(&PLANE).surface(Cuboid::new([1.0; 3]).unwrap()));
        let rule = FieldRule::between("body", "support").faces(&["-y"]);
        b.field(rule.repulsion(nu, Repulsion::RestGap(d0)));
        let (r, summary) = run(&b.build().unwrap(), &[0.5 * period, period], "dop853", 1e-13);
        let [low, back] = [0, 1].map(|i| &r.frames[i].bodies[0]);
        // at the top the speed says by how much the time is off
        let a = 9.81 * (1.0 - (d0 / (d0 + v0)).powi(nu as i32));
        near(&format!("{name}: period"), period + back.velocity.y / a, period, 1e-10);
        near(&format!("{name}: least gap"), low.position.y - 0.5, d_min, 1e-10);
        assert!(summary.audit_relative < 1e-10, "{name}: {summary}");
    }
}

/// Coefficients from the gap at rest: a flat face, a cylinder on its side; and what they make does not move.
#[test]
fn coefficients_from_the_rest_gap() {
    let all = reference("field.json");
    for name in ["fig7", "fig11_friction", "fig12_nofriction", "fig23"] {
        let case = &all["cases"][name];
        let p = &case["params"];
        let (d0, alpha) = (number(&p["d0"]), number(&p["alpha_r"]));
        let nu = number(&p["nu_r"]) as u32;
        let mut b = ModelBuilder::new();
        b.gravity([0.0, -9.81, 0.0]);
        b.body(support());
        let round = p["R"].as_f64();
        let body = Body::new("body").density(number(&p["rho"])).dofs(&PLANE);
        let body = match round {
            Some(radius) => body.surface(Cylinder::new(radius, 1.0).unwrap()),
            None => body.surface(Cuboid::new([1.0; 3]).unwrap()),
        };
        let height = d0 + round.unwrap_or(0.5);
        b.body(body.position([0.0, height, 0.0]));
        let rule = FieldRule::between("body", "support");
        let rule = if round.is_none() { rule.faces(&["-y"]) } else { rule };
        b.field(rule.repulsion(nu, Repulsion::RestGap(d0)));
        let model = b.build().unwrap();
        let got = model.field("body~support").unwrap().repulsion.unwrap().coefficient;
        assert!((got / alpha - 1.0).abs() < 1e-10, "{name}: {got} {alpha}");
        let end = Simulation::new(&model).duration(1.0).rtol(1e-12).atol(1e-12).run().unwrap().end;
        near(name, end.body("body").unwrap().position.y, height, 1e-13);
    }
}

/// A support that moves: seen from a table that falls freely nothing has weight, and one that moves evenly makes no difference.
#[test]
fn supports_that_move() {
    let model = |motion: Option<[f64; 3]>, velocity: [f64; 3]| {
        let mut b = ModelBuilder::new();
        let plane = match motion {
            Some(v) => Body::prescribed("support", Slide { velocity: v.into() }),
            None => Body::fixed("support"),
        };
        b.body(plane.surface(Plane));
        let turn = UnitQuaternion::from_euler_angles(0.3, -0.2, 0.1);
        let cube = Body::new("cube").density(1000.0).position([0.0, 0.0, 0.95]).orientation(turn);
        b.body(
            cube.velocity(velocity)
                .angular_velocity([1.0, 2.0, -1.0])
                .surface(Cuboid::new([1.0; 3]).unwrap()),
        );
        let rule = FieldRule::between("cube", "support").repulsion(6, Repulsion::RestGap(0.02));
        b.field(rule.damping(2, 10.0).friction(2, 20.0));
        b.build().unwrap()
    };
    let [still, moving] = [model(None, [0.0; 3]), model(Some([0.3, -0.2, 0.4]), [0.3, -0.2, 0.4])].map(|m| {
        let run = Simulation::new(&m).duration(1.0).rtol(1e-12).atol(1e-12).method("dop853").run().unwrap();
        assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
        run.end
    });
    let (a, b) = (still.body("cube").unwrap(), moving.body("cube").unwrap());
    assert!((a.position + Vec3::new(0.3, -0.2, 0.4) - b.position).norm() < 1e-9);
    assert!(
        a.orientation.angle_to(&b.orientation) < 1e-9
            && (a.angular_velocity - b.angular_velocity).norm() < 1e-8
    );
}

/// A plank that moves by its forces carries what stands on it: momentum is kept, energy accounted for.
#[test]
fn a_free_support() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let plank = Body::new("plank").mass(500.0).inertia([80.0, 90.0, 160.0]).position([0.1, -0.2, -0.05]);
    b.body(plank.angular_velocity([0.1, -0.2, 0.3]).surface(SurfaceSpec::new(Plane).at([0.0, 0.0, 0.05])));
    let cube = Body::new("cube").density(1000.0).position([0.0, 0.0, 0.8]).velocity([0.5, 0.2, -2.0]);
    b.body(cube.angular_velocity([1.0, -1.0, 2.0]).surface(Cuboid::new([1.0; 3]).unwrap()));
    let rule = FieldRule::between("cube", "plank").repulsion(6, Repulsion::Coefficient(6e-7));
    b.field(rule.damping(1, 100.0).friction(2, 10.0));
    let model = b.build().unwrap();
    let mut r = Recording::default();
    let sim =
        Simulation::new(&model).duration(0.5).rtol(1e-12).atol(1e-12).method("dop853").output_every(0.05);
    let run = sim.run_into(&mut r).unwrap();
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
    let momenta = |f: &Frame| {
        let mut all = (Vec3::zeros(), Vec3::zeros());
        for (name, s) in model.moving_bodies().zip(&f.bodies) {
            let (m, i) = (model.mass(name).unwrap(), model.inertia(name).unwrap());
            let r = s.orientation.to_rotation_matrix().into_inner();
            all.0 += s.velocity * m;
            all.1 += s.position.cross(&(s.velocity * m)) + r * i * r.transpose() * s.angular_velocity;
        }
        all
    };
    let (p0, l0) = momenta(&r.frames[0]);
    for frame in &r.frames {
        let (p, l) = momenta(frame);
        assert!((p - p0).norm() < 1e-9 * p0.norm() && (l - l0).norm() < 1e-9 * l0.norm(), "{p} {l}");
    }
    let turned = (r.frames[0].bodies[1].velocity - run.end.body("cube").unwrap().velocity).norm();
    assert!(turned > 0.5, "they have met: {turned}");
}

/// The stiffer an affine body, the more a field moves it as a rigid one.
#[test]
fn a_stiff_body_in_a_field_is_nearly_rigid() {
    let end = |body: Body| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0, -9.81, 0.0]);
        b.body(support());
        let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), 0.2);
        let body = body.density(1000.0).dofs(&PLANE).position([0.0, 0.65, 0.0]).orientation(turn);
        b.body(body.surface(Cuboid::new([1.0; 3]).unwrap()));
        let rule = FieldRule::between("body", "support").repulsion(5, Repulsion::RestGap(0.05));
        b.field(rule.damping(0, 5e3).friction(1, 100.0));
        let sim = |m: &Model| Simulation::new(m).duration(0.3).rtol(1e-10).atol(1e-10).method("radau5").run();
        *sim(&b.build().unwrap()).unwrap().end.body("body").unwrap()
    };
    let rigid = end(Body::new("body"));
    let off = |c: f64| {
        let soft =
            end(Body::affine("body", Elastic::new(MooneyRivlin::new(c, 0.0).unwrap()).viscosity(1e-3 * c)));
        (soft.position - rigid.position).norm() + soft.orientation.angle_to(&rigid.orientation)
    };
    let [soft, stiff] = [1e7, 1e8].map(off);
    assert!(stiff < 2e-4 && soft > 6.0 * stiff && soft < 15.0 * stiff, "{soft} {stiff}");
}

/// About its rest a cube over a support swings at ω_v² = ν g/d0 up and down, and rocks at ω_r² = ν g/(2 d0) − 3 g/L.
#[test]
fn linear_frequencies_of_a_cube() {
    let all = reference("field.json");
    for (nu, case) in all["linear_frequencies_square_L1"].as_object().unwrap() {
        let text = |key: &str| case[key].as_str().unwrap().parse::<f64>().unwrap();
        let d0 = number(&case["d0"]);
        let mut b = ModelBuilder::new();
        b.gravity([0.0, -9.81, 0.0]);
        b.body(support());
        let cube = Body::new("body").density(1000.0).position([0.0, 0.53, 0.0]).dofs(&PLANE);
        b.body(cube.surface(Cuboid::new([1.0; 3]).unwrap()));
        let rule = FieldRule::between("body", "support").faces(&["-y"]);
        b.field(rule.repulsion(nu.parse().unwrap(), Repulsion::RestGap(d0)));
        let model = b.build().unwrap();
        let modes = Modes::new(&model).unwrap();
        let found = |shape: &str| {
            let mode = modes.modes.iter().find(|m| m.shape.to_string().starts_with(shape)).unwrap();
            mode.omega_squared.sqrt()
        };
        for (shape, key) in [("body y", "omega_v"), ("body rz", "omega_r")] {
            let (got, want) = (found(shape), text(key));
            assert!((got / want - 1.0).abs() < 1e-10, "nu {nu}: {shape} {got} {want}");
        }
    }
}

/// The height at which the edge of a cube carries its weight, as the reference starts from it.
#[test]
fn equilibrium_on_an_edge() {
    let all = reference("field.json");
    for name in ["fig11_nofriction", "fig14_rolling"] {
        let case = &all["cases"][name];
        let (p, s) = (&case["params"], &case["initial_state"]);
        let mut b = ModelBuilder::new();
        b.gravity([0.0, -9.81 * optional(p, "slope").cos(), 0.0]);
        b.body(support());
        let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), number(&s["theta"]));
        let cube =
            Body::new("body").density(1000.0).position([0.0, 0.8, 0.0]).orientation(turn).dofs(&[Dof::Y]);
        b.body(cube.surface(Cuboid::new([1.0; 3]).unwrap()));
        let repulsion = Repulsion::Coefficient(number(&p["alpha_r"]));
        let faces = ["-x", "+x", "-y", "+y"];
        b.field(
            FieldRule::between("body", "support")
                .faces(&faces)
                .repulsion(number(&p["nu_r"]) as u32, repulsion),
        );
        let model = b.build().unwrap();
        let rest = Equilibrium::find(&model).unwrap();
        let height = rest.bodies[0].position.y;
        near(name, height, number(&s["y"]), 1e-11);
    }
}

/// A soft cylinder at rest over its support: squashed a little, it swings as its stiffness and the field's make it, and its volume is kept.
#[test]
fn a_soft_body_at_rest() {
    let (c, rho, r) = (6e4, 4e3, 0.3);
    let model =
        |gravity: f64| {
            let mut b = ModelBuilder::new();
            b.gravity([0.0, -gravity, 0.0]);
            b.body(support());
            let roll = Body::affine("roll", Elastic::new(MooneyRivlin::new(c, 0.0).unwrap())).density(rho);
            b.body(roll.dofs(&PLANE).position([0.0, r + 2e-3, 0.0]).surface(Cylinder::new(r, 1.0).unwrap()));
            let rule = FieldRule::between("roll", "support");
            b.field(rule.repulsion(
                8,
                Repulsion::Coefficient(if gravity > 0.0 { 1.2457697966862665e-16 } else { 0.0 }),
            ));
            b.build().unwrap()
        };
    // free of everything: the two stretches swing at ω² = 16 c/(ρ R²)
    let free = Modes::about(&model(0.0), Equilibrium::given(&model(0.0)).unwrap()).unwrap();
    let stretches = free.modes.iter().filter(|m| m.omega_squared > 1.0).count();
    assert_eq!(stretches, 2, "{:?}", free.modes);
    for mode in free.modes.iter().filter(|m| m.omega_squared > 1.0) {
        let want = 16.0 * c / (rho * r * r);
        assert!((mode.omega_squared / want - 1.0).abs() < 1e-10, "{} {want}", mode.omega_squared);
    }
    // under its weight: the frequency of small swings is what a run shows
    let heavy = model(9.81);
    let rest = Equilibrium::find(&heavy).unwrap();
    let state = rest.bodies[0];
    let f = state.deformation.unwrap().f;
    assert!((f.determinant() - 1.0).abs() < 1e-14 && f[(0, 0)] > 1.01, "{f}");
    let run = Simulation::new(&heavy).duration(0.5).rtol(1e-12).atol(1e-12).start(Start::Equilibrium);
    let end = run.run().unwrap().end;
    near("stays", end.body("roll").unwrap().position.y, state.position.y, 1e-11);
}
