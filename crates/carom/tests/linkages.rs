//! Linkages in space that move although counting says they should not, of bars with every inertia about their axes: which of their equations repeat others changes from row to row as they move.

use carom::prelude::*;
use carom::{Cylindrical, Prismatic, SpringDamper, Universal};

use crate::mechanism::{Mechanism, Placed, bar};

const AXIAL: [f64; 6] = [5e-2, 1e-3, 1e-6, 1e-9, 1e-10, 1e-12];

/// Sarrus: two pairs of bars of 1 m, whose hinges are square to those of the other pair, carry a platform straight up and down.
fn sarrus(psi: f64) -> Vec<Placed> {
    let (sin, cos) = (0.8 - psi).sin_cos();
    let up = 2.0 * sin * Vec3::z();
    let arm = |out: Vec3, axis: Vec3| {
        let (foot, knee) = (0.5 * out, (0.5 + cos) * out + sin * Vec3::z());
        [bar(&foot, &knee, &axis), bar(&knee, &(foot + up), &axis)]
    };
    let arms = [arm(Vec3::x(), Vec3::y()), arm(Vec3::y(), Vec3::x())];
    arms.into_iter().flatten().chain([(up, Mat3::identity())]).collect()
}

#[test]
fn sarrus_linkage() {
    for axial in AXIAL {
        let mut bodies = vec![(1.0, [axial, 1.0 / 12.0, 1.0 / 12.0]); 4];
        bodies.push((2.0, [0.2, 0.2, 0.3]));
        let mechanism = Mechanism { places: &sarrus, bodies, up: Vec3::z() };
        let mut b = mechanism.builder();
        let at = sarrus(0.0);
        for (i, axis) in [(0, [0.0, 1.0, 0.0]), (2, [1.0, 0.0, 0.0])] {
            let [lower, upper] = [i, i + 1].map(|i| i.to_string());
            let end = |i: usize, x: f64| (at[i].0 + x * at[i].1.column(0)).into();
            b.joint(Joint::between(&lower, "ground", Revolute).at(end(i, -0.5)).axis(axis));
            b.joint(Joint::between(&upper, &lower, Revolute).at(end(i, 0.5)).axis(axis));
            b.joint(Joint::between(&upper, "4", Revolute).at(end(i + 1, 0.5)).axis(axis));
        }
        let model = b.build().unwrap();
        for method in ["dop853", "ode113", "radau5"] {
            let (off, run) = mechanism.off(&model, method, 1e-10, &[0.15, 0.25, 0.35], 0.75);
            let audit = run.summary.audit_relative;
            println!("{method}, {axial:e}: {off:.1e} m, audit {audit:.1e}");
            assert!(off < 1e-8, "{method}, {axial:e}: {off:e}");
            assert!(audit < 1e-8, "{method}, {axial:e}: {audit:e}");
        }
    }
}

const LENGTHS: [f64; 2] = [1.0, 0.7];
const TWIST: f64 = 0.6;

/// Bennett: four bars of two lengths in turn, a and b, whose hinges are at angles α and β, sin α/a = sin β/b; with the hinges' angles θ and φ, tan(θ/2) tan(φ/2) = sin((β + α)/2)/sin((β − α)/2). One of the bars is the ground.
fn bennett(psi: f64) -> (Vec<Placed>, Vec<[Vec3; 2]>) {
    let [a, b] = LENGTHS;
    let twists = [TWIST, (b * TWIST.sin() / a).asin()];
    let theta = 1.1 + psi;
    let ratio = (0.5 * (twists[1] + twists[0])).sin() / (0.5 * (twists[1] - twists[0])).sin();
    let phi = 2.0 * (ratio / (0.5 * theta).tan()).atan();
    // each hinge: its point and axis, and the frame there
    let (mut p, mut frame, mut hinges) = (Vec3::zeros(), Mat3::identity(), vec![]);
    for (i, turn) in [theta, phi, -theta, -phi].into_iter().enumerate() {
        let about = |axis: Vec3, angle: f64| Quat::from_scaled_axis(axis * angle).to_rotation_matrix();
        hinges.push([p, frame.column(2).into_owned()]);
        frame *= about(Vec3::z(), turn).matrix();
        p += LENGTHS[i % 2] * frame.column(0);
        frame *= about(Vec3::x(), twists[i % 2]).matrix();
    }
    assert!(p.norm() < 1e-13 && (frame - Mat3::identity()).norm() < 1e-13, "{p} {frame}");
    let bars = (0..3).map(|i| bar(&hinges[i][0], &hinges[i + 1][0], &hinges[i][1])).collect();
    (bars, hinges)
}

#[test]
fn bennett_linkage() {
    let places = |psi: f64| bennett(psi).0;
    for axial in AXIAL {
        let rod = |l: f64| (1.0, [axial, 1.0 / 12.0, 1.0 / 12.0].map(|i| i * l * l));
        let bodies = vec![rod(LENGTHS[0]), rod(LENGTHS[1]), rod(LENGTHS[0])];
        let mechanism = Mechanism { places: &places, bodies, up: Vec3::z() };
        let mut b = mechanism.builder();
        for (i, [p, axis]) in bennett(0.0).1.into_iter().enumerate() {
            let names = [[0, 9], [1, 0], [2, 1], [2, 9]][i].map(|k: usize| match k {
                9 => "ground".to_owned(),
                k => k.to_string(),
            });
            b.joint(Joint::between(&names[0], &names[1], Revolute).at(p.into()).axis(axis.into()));
        }
        let model = b.build().unwrap();
        let sign = -(mechanism.potential(0.1) - mechanism.potential(-0.1)).signum();
        let (off, run) = mechanism.off(&model, "dop853", 1e-10, &[0.2, 0.4], 1.0 * sign);
        let audit = run.summary.audit_relative;
        println!("{axial:e}: {off:.1e} m, audit {audit:.1e}");
        assert!(off < 1e-8, "{axial:e}: {off:e}");
        assert!(audit < 5e-8, "{axial:e}: {audit:e}");
    }
}

/// Stewart's platform on six legs of two slender tubes each, which slide in one another on springs: a Cardan joint at the foot, a ball at the top, between them a slide or a tube that also turns, and so spins as it likes.
/// How slender they are is of no account.
#[test]
fn stewart_platform() {
    for slides in [true, false] {
        let ends = [1e-5, 1e-7, 1e-9, 1e-12].map(|axial| {
            let run = stewart(axial, slides);
            let (evaluations, audit) = (run.summary.stats.evaluations, run.summary.audit_relative);
            println!("{slides}, {axial:e}: audit {audit:.1e}, {evaluations} evaluations");
            assert!(audit < 1e-9 && evaluations < 1000, "{axial:e}: {audit:e}, {evaluations} evaluations");
            run.end.body("top").unwrap().position
        });
        let off = ends.map(|p| (p - ends[3]).norm());
        assert!(off[0] < 1e-6 && off[1] < 1e-8 && off[2] < 1e-10, "{slides}: {off:?}");
    }
}

fn stewart(axial: f64, slides: bool) -> carom::Run {
    let mut b = ModelBuilder::new();
    let centre = Vec3::new(0.02, 0.01, 1.2);
    b.body(Body::fixed("ground"));
    b.body(Body::new("top").mass(3.0).inertia([0.4, 0.4, 0.7]).position(centre.into()));
    for i in 0..6 {
        let (turn, side) = (f64::from(i / 2).mul_add(120.0, 0.0).to_radians(), f64::from(2 * (i % 2) - 1));
        let at =
            |r: f64, angle: f64| r * Vec3::new((turn + side * angle).cos(), (turn + side * angle).sin(), 0.0);
        let (foot, top) = (at(1.0, 0.25), centre + at(0.6, 0.8));
        let (middle, d) = ((foot + top) / 2.0, (top - foot).normalize());
        let across = d.cross(&Vec3::new(0.3, 1.0, 0.2)).normalize();
        let l = (top - foot).norm() / 2.0;
        let names = [format!("lower{i}"), format!("upper{i}")];
        for (name, from, to) in [(&names[0], foot, middle), (&names[1], middle, top)] {
            let (c, r) = bar(&from, &to, &across);
            let inertia = [axial, 1.0 / 12.0, 1.0 / 12.0].map(|x| x * l * l);
            let body = Body::new(name).mass(1.0).inertia(inertia);
            b.body(body.position(c.into()).orientation(Quat::from_matrix(&r)));
        }
        let [lower, upper] = [0, 1].map(|k| names[k].as_str());
        let fork = Joint::between(lower, "ground", Universal).at(foot.into());
        b.joint(fork.axis(across.into()).second_axis(d.cross(&across).into()));
        let tube = match slides {
            true => Joint::between(upper, lower, Prismatic),
            false => Joint::between(upper, lower, Cylindrical),
        };
        b.joint(tube.at(middle.into()).axis(d.into()));
        b.joint(Joint::between(upper, "top", Spherical).at(top.into()));
        b.force(Force::between(lower, upper, SpringDamper::new(2000.0, 1.02 * l).unwrap().damping(5.0)));
    }
    let model = b.build().unwrap();
    Simulation::new(&model).method("dop853").duration(0.3).rtol(1e-10).atol(1e-10).run().unwrap()
}
