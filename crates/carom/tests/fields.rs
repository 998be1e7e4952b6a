//! Short-range fields against an independent program's trajectories, and closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may")]

mod common;

use carom::law::elastic::{Elastic, MooneyRivlin};
use carom::prelude::*;
use carom::{FieldRule, Frame, Repulsion, Summary};
use common::{near, number, reference};
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
    b.gravity([-9.81 * slope.sin(), -9.81 * slope.cos(), 0.0]);
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
        let tolerance = 1e-9 * (1.0 + lost) * amplification.max(1.0).min(100.0);
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
    fig14_rolling,
    fig17,
    fig20,
    fig21,
    fig23
);
