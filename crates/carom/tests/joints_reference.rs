//! Mechanisms against independent solutions: a driven slider-crank, the seven-body mechanism of Andrews, a heavy top.

use crate::common::{number, numbers, reference};
use carom::prelude::*;
use carom::{Cylindrical, PointOnLine};

/// The frames of a run at these times.
fn frames(model: &Model, rtol: f64, times: &[f64]) -> Vec<Frame> {
    let mut recording = Recording::default();
    let run = Simulation::new(model).duration(*times.last().unwrap()).rtol(rtol);
    run.output(Output::At(times.to_vec())).run_into(&mut recording).unwrap();
    recording.frames
}

/// Crank, rod and piston with every equation said once; the crank turns at 5000 rpm.
fn slider_crank(r: f64, l: f64, omega: f64, rod: (f64, f64), piston: f64) -> Model {
    let phi_dot = -omega * r / l; // the rod in line with the crank
    let ball = |name: &str, m: f64, i: f64| Body::new(name).mass(m).inertia([i; 3]);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("block"));
    b.body(ball("crank", 0.5, 3e-4).angular_velocity([0.0, 0.0, omega]));
    let middle = r + 0.5 * l;
    let v = r * omega + phi_dot * 0.5 * l;
    b.body(
        ball("rod", rod.0, rod.1)
            .position([middle, 0.0, 0.0])
            .velocity([0.0, v, 0.0])
            .angular_velocity([0.0, 0.0, phi_dot]),
    );
    b.body(ball("piston", piston, 1e-4).position([r + l, 0.0, 0.0]));
    let (z, pin) = ([0.0, 0.0, 1.0], [r + l, 0.0, 0.0]);
    b.joint(Joint::between("crank", "block", Revolute).at([0.0; 3]).axis(z).named("main"));
    b.joint(Joint::between("rod", "crank", Spherical).at([r, 0.0, 0.0]));
    b.joint(Joint::between("rod", "piston", Cylindrical).at(pin).axis(z));
    b.joint(Joint::between("piston", "block", Prismatic).at(pin).axis([1.0, 0.0, 0.0]));
    b.drive(Drive::new("joint/main/speed", carom::Formula::new(&omega.to_string()).unwrap()));
    b.build().unwrap()
}

/// Places and rates by the closed form; accelerations by what the reactions do to piston and rod.
#[test]
fn a_slider_crank_moves_as_its_closed_form() {
    let all = reference("mechanisms.json");
    let want = &all["ideal_slider_crank"];
    let p = |name: &str| number(&want["params"][name]);
    let (r, l, omega) = (p("crank"), p("rod"), p("crank_rpm") * std::f64::consts::TAU / 60.0);
    let (rod, piston) = ((0.2, 2.8e-4), 0.3);
    let angles = ["0deg", "30deg", "60deg", "90deg", "120deg", "180deg"];
    let degrees = |a: &str| a.trim_end_matches("deg").parse::<f64>().unwrap();
    let times: Vec<f64> = angles.iter().map(|a| degrees(a).to_radians() / omega).collect();
    let model = slider_crank(r, l, omega, rod, piston);
    for (frame, angle) in frames(&model, 1e-13, &times).iter().zip(angles) {
        let want = &want[angle];
        let close = |name: &str, got: f64, scale: f64| {
            let off = (got - number(&want[name])).abs() / scale;
            assert!(off < 1e-13, "{name} at {angle}: {got} instead of {}, {off:e}", want[name]);
        };
        let [_, turned, slid] = [0, 1, 2].map(|i| &frame.bodies[i]);
        close("x", slid.position.x, r);
        close("xdot", slid.velocity.x, r * omega);
        let along = turned.orientation * Vec3::x();
        close("phi", along.y.atan2(along.x), 1.0);
        close("phidot", turned.angular_velocity.z, omega * r / l);
        // what acts on the piston along its bore, and on the rod about its middle
        let [on_crank, on_piston] = [1, 2].map(|i| frame.joints[i].force);
        close("xddot", on_piston.x / piston, r * omega * omega);
        let arm = along * (0.5 * l);
        let torque = (-arm).cross(&-on_crank) + arm.cross(&-on_piston);
        close("phiddot", torque.z / rod.1, omega * omega * r / l);
    }
}

/// Nutation by elliptic functions: the angle of the axis from the vertical.
#[test]
fn a_heavy_top_nods_as_elliptic_functions_do() {
    let all = reference("mechanisms.json");
    let want = &all["heavy_symmetric_top"];
    // about the fixed point 0.002 kg m²: less m l² about the centre of mass
    let (m, l, theta): (f64, f64, f64) = (0.5, 0.04, std::f64::consts::FRAC_PI_6);
    let across = 0.002 - m * l * l;
    let axis = Vec3::new(theta.sin(), 0.0, theta.cos());
    let turn = Quat::from_axis_angle(&Vec3::y_axis(), theta);
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground")).body(
        Body::new("top")
            .mass(m)
            .inertia([across, across, 8e-4])
            .position((axis * l).into())
            .quaternion([turn.w, turn.i, turn.j, turn.k])
            .angular_velocity((axis * 150.0).into()),
    );
    b.joint(Joint::between("top", "ground", Spherical).at([0.0; 3]));
    let model = b.build().unwrap();
    let times = ["t=0.05", "t=0.1", "t=0.5", "t=1.0"];
    let at: Vec<f64> = times.iter().map(|t| t[2..].parse().unwrap()).collect();
    for (frame, t) in frames(&model, 1e-13, &at).iter().zip(times) {
        let p = frame.bodies[0].position;
        let got = p.xy().norm().atan2(p.z);
        let off = (got - number(&want["theta"][t]["theta"])).abs();
        assert!(off < 1e-12, "{t}: {got}, {off:e}");
    }
}

/// The seven-body mechanism of Andrews: bodies in a plane on pins, which are points on lines across it.
struct Squeezer {
    definition: serde_json::Value,
}

impl Squeezer {
    fn of(&self, part: &str, name: &str) -> f64 {
        number(&self.definition[part][name])
    }

    fn l(&self, name: &str) -> f64 {
        self.of("lengths", name)
    }

    /// The angles of the bodies from the coordinates β, Θ, γ, Φ, δ, Ω, ε.
    fn angles(q: &[f64]) -> [f64; 7] {
        let [beta, theta, gamma, phi, delta, omega, epsilon] = q[..7] else { panic!("seven coordinates") };
        [beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon]
    }

    /// K1 … K7: centres of mass.
    fn centres(&self, a: &[f64; 7]) -> [[f64; 2]; 7] {
        let l = |name| self.l(name);
        let [(xa, ya), (xb, yb)] =
            [("xa", "ya"), ("xb", "yb")].map(|(x, y)| (self.of("points", x), self.of("points", y)));
        let (s, c) = (a.map(f64::sin), a.map(f64::cos));
        let (rr, da, sa, sb, zt, u) = (l("rr"), l("da"), l("sa"), l("sb"), l("zt"), l("u"));
        let (e, f, ta, tb) = (l("e") - l("ea"), l("zf") - l("fa"), l("ta"), l("tb"));
        let (ua, ub) = (l("ua"), l("ub"));
        [
            [l("ra") * c[0], l("ra") * s[0]],
            [rr * c[0] - da * c[1], rr * s[0] - da * s[1]],
            [xb + sa * s[2] + sb * c[2], yb - sa * c[2] + sb * s[2]],
            [xa + zt * c[4] + e * s[3], ya + zt * s[4] - e * c[3]],
            [xa + ta * c[4] - tb * s[4], ya + ta * s[4] + tb * c[4]],
            [xa + u * s[6] + f * c[5], ya - u * c[6] + f * s[5]],
            [xa + ua * s[6] - ub * c[6], ya - ua * c[6] - ub * s[6]],
        ]
    }

    fn model(&self, q: &[f64]) -> Model {
        let l = |name| self.l(name);
        let at = |x: &str, y: &str| [self.of("points", x), self.of("points", y)];
        let a = Squeezer::angles(q);
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(Body::fixed("ground"));
        for (i, ([x, y], angle)) in self.centres(&a).into_iter().zip(a).enumerate() {
            let (mass, inertia) =
                (self.of("masses", &format!("m{}", i + 1)), self.of("inertias", &format!("I{}", i + 1)));
            let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
            b.body(
                Body::new(&format!("K{}", i + 1))
                    .mass(mass)
                    .inertia([inertia; 3])
                    .position([x, y, 0.0])
                    .quaternion([turn.w, turn.i, turn.j, turn.k])
                    .dofs(&[Dof::X, Dof::Y, Dof::Rz]),
            );
        }
        let (s, c) = (a.map(f64::sin), a.map(f64::cos));
        let ([xa, ya], anchor) = (at("xa", "ya"), at("xb", "yb"));
        let crank = [l("rr") * c[0], l("rr") * s[0]];
        let knot = [crank[0] - l("d") * c[1], crank[1] - l("d") * s[1]];
        let pins = [
            ("K3", "K2", knot),
            ("K4", "K2", knot),
            ("K6", "K2", knot),
            ("K1", "ground", [0.0; 2]),
            ("K2", "K1", crank),
            ("K3", "ground", anchor),
            ("K5", "ground", [xa, ya]),
            ("K7", "ground", [xa, ya]),
            ("K4", "K5", [xa + l("zt") * c[4], ya + l("zt") * s[4]]),
            ("K6", "K7", [xa + l("u") * s[6], ya - l("u") * c[6]]),
        ];
        for (one, other, [x, y]) in pins {
            b.joint(Joint::between(one, other, PointOnLine).at([x, y, 0.0]).axis([0.0, 0.0, 1.0]));
        }
        b.force(Force::torque("K1", "ground", [0.0, 0.0, number(&self.definition["drive_torque"])]));
        let spring = SpringDamper::new(number(&self.definition["spring_stiffness_c0"]), l("l0")).unwrap();
        let [x, y] = at("xc", "yc");
        let on_k3 = [l("sd") - l("sb"), l("sa") - l("sc"), 0.0];
        b.force(Force::between("K3", "ground", spring).points(on_k3, [x, y, 0.0]));
        b.build().unwrap()
    }
}

/// Angles and rates at six times; the multipliers of the loops, which are the forces of three pins, at the start and at the end.
#[test]
fn the_squeezer_moves_as_an_independent_solution() {
    let all = reference("mechanisms.json");
    let all = &all["andrews_squeezer"];
    let squeezer = Squeezer { definition: all["definition"].clone() };
    let model = squeezer.model(&numbers(&all["definition"]["initial_q"]));
    let times = ["0.005", "0.010", "0.015", "0.020", "0.025", "0.030"];
    let mut at = vec![0.0];
    at.extend(times.iter().map(|t| t.parse::<f64>().unwrap()));
    let frames = frames(&model, 1e-13, &at);
    for (frame, t) in frames[1..].iter().zip(times) {
        let want = numbers(&all["q_and_rates"][t]);
        let (angles, rates) = (Squeezer::angles(&want), Squeezer::angles(&want[7..]));
        for (i, body) in frame.bodies.iter().enumerate() {
            let along = body.orientation * Vec3::x();
            // the angle from the one wanted: turns are not counted
            let off = (along.y * angles[i].cos() - along.x * angles[i].sin()).abs();
            assert!(
                off < 1e-12 && along.x * angles[i].cos() + along.y * angles[i].sin() > 0.0,
                "K{} at {t}: {off:e}",
                i + 1
            );
            let off = (body.angular_velocity.z - rates[i]).abs() / 1000.0;
            assert!(off < 1e-12, "K{} at {t}: rate {off:e}", i + 1);
        }
    }
    for (frame, t) in [(&frames[0], "0"), (&frames[6], "0.030")] {
        let lambda = &numbers(&all["accelerations_and_multipliers"][t])[7..];
        let largest = lambda.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        // −λ on K2, where three loops close
        for (pin, pair) in lambda.chunks(2).enumerate() {
            let f = frame.joints[pin].force;
            let off = (f.x + pair[0]).abs().max((f.y + pair[1]).abs()) / largest;
            assert!(off < 1e-11, "{} at {t}: {f} instead of {pair:?}, {off:e}", frame.joints[pin].joint);
        }
    }
}
