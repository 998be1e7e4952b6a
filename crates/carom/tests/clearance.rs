//! Joints with clearance: a slider-crank against an independent solution, its limit, and journals in bearings.

use carom::law::normal::Line;
use carom::prelude::*;
use carom::{Phase, Revolute};

const SPEED: f64 = 5000.0 * std::f64::consts::TAU / 60.0;
const CRANK: f64 = 0.05;
const ROD: f64 = 0.12;

/// Crank 50 mm at 5000 rpm, rod 120 mm, 0.21 kg, 2.5e-4 kg m², piston 0.14 kg, extended as it starts; between rod and piston a pin of 9.5 mm with this play.
fn slider_crank(gap: f64, length: Option<f64>) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0; 3]);
    builder.material(Material::new("steel").youngs_modulus(207e9).poisson_ratio(0.3));
    builder.body(Body::prescribed("crank", Spin { axis: Vec3::z_axis(), rate: SPEED }));
    let turning = -SPEED * CRANK / ROD;
    let rod = Body::new("rod").mass(0.21).inertia([2.5e-4; 3]).position([CRANK + 0.5 * ROD, 0.0, 0.0]);
    builder.body(rod.velocity([0.0, 0.5 * SPEED * CRANK, 0.0]).angular_velocity([0.0, 0.0, turning]));
    builder.body(Body::new("piston").mass(0.14).position([CRANK + ROD, 0.0, 0.0]).dofs(&[Dof::X]));
    let z = [0.0, 0.0, 1.0];
    builder.joint(Joint::between("rod", "crank", Revolute).at([CRANK, 0.0, 0.0]).axis(z));
    let pin = Joint::between("rod", "piston", Revolute).named("pin").at([CRANK + ROD, 0.0, 0.0]).axis(z);
    let law = LankaraniNikravesh::restitution(0.9).unwrap();
    let pin = Clearance::new(pin, gap).radius(9.5e-3).materials("steel", "steel");
    builder.clearance(match length {
        None => pin.normal(law),
        // cylinders have no stiffness in a point: that of the balls, in both ends together
        Some(length) => pin.length(length).normal(law.stiffness(STIFFNESS)),
    });
    builder.build().unwrap()
}

/// (4/3) E* √R of balls of 9.5 mm in 10 mm, E = 207 GPa, ν = 0.3 [N/m^1.5].
const STIFFNESS: f64 = 66_101_983_978.968414;

fn recorded(model: &Model, duration: f64, every: f64, rtol: f64) -> (Recording, f64) {
    let mut recording = Recording::default();
    let run = Simulation::new(model).duration(duration).rtol(rtol).output(Output::Every(every));
    let summary = run.run_into(&mut recording).unwrap().summary;
    (recording, summary.audit_relative)
}

fn times(r: &Recording, kind: EventKind) -> Vec<f64> {
    r.events.iter().filter(|e| e.kind == kind).map(|e| e.t).collect()
}

/// Touches, releases and states by another program: the two angles and lengths of the plane mechanism as minimal coordinates, DOP853 of scipy at rtol 1e-13 with
/// steps of 1 µs in contact, roots of the gap at every event. Two of its runs at different tolerances differ by what is allowed here, which grows as errors do
/// from impact to impact: tenfold in about four.
#[test]
fn a_slider_crank_with_play_in_its_pin() {
    let touches = [
        (0.00022728603203962797, 0.0002807232580788099, 4.385783145277254),
        (0.0006370564301667384, 0.0006908905919407906, 2.7569491529665764),
        (0.0007497002798421819, 0.0008151504403746493, 1.8266990749006582),
        (0.00108594703390929, 0.001146705101146142, 1.10185117751296),
        (0.0012058161279854059, 0.001490886583443479, 0.8238005433047101),
        (0.001551486001303672, 0.0016277573701148904, 0.2709394130279465),
        (0.0017150817862181015, 0.0022927076308619045, 0.2572770529764854),
        (0.0028724952895987574, 0.0029120920223335706, 3.780248875485972),
        (0.0031698429125064003, 0.0032292036706723015, 2.376260437954804),
        (0.0033540939687539905, 0.0034064468765321915, 2.2614325079731357),
    ];
    let (r, audit) = recorded(&slider_crank(0.5e-3, None), 0.01, 1e-3, 1e-12);
    assert!(audit < 1e-13, "{audit:e}");
    let (on, off) = (times(&r, EventKind::Touch), times(&r, EventKind::Release));
    for (i, (touch, release, speed)) in touches.into_iter().enumerate() {
        let allowed = if i < 3 { 2e-15 } else { 1e-13 };
        assert!((on[i] - touch).abs() < allowed, "touch {i}: {} {touch} {:e}", on[i], on[i] - touch);
        assert!((off[i] - release).abs() < allowed, "release {i}: {:e}", off[i] - release);
        let found = r.events.iter().filter(|e| e.kind == EventKind::Touch).nth(i).unwrap().speed;
        assert!((found - speed).abs() < 1e-9, "{i}: {found} {speed}");
    }
    // the 21st, after 28 releases and touches
    assert!((on[20] - 0.009761430011264343).abs() < 1e-11, "{:e}", on[20] - 0.009761430011264343);
    // angle and speed of the rod, place and speed of the piston
    let states = [
        (5, [-0.20679769924660227, 0.07380958009985228, 202.9373725934034, -7.888321660629419], 1e-8),
        (10, [0.36582259664266753, 0.13688481725832502, -135.20302715043164, 30.230169359952463], 1e-7),
    ];
    for (i, [angle, x, turning, v], allowed) in states {
        let [rod, piston] = ["rod", "piston"].map(|name| body(&r, i, name));
        let q = rod.orientation;
        let got = [2.0 * q.k.atan2(q.w), piston.position.x, rod.angular_velocity.z, piston.velocity.x];
        let scale = [1.0, 1.0, SPEED, SPEED * CRANK];
        for (k, (a, b)) in got.into_iter().zip([angle, x, turning, v]).enumerate() {
            assert!((a - b).abs() < allowed * scale[k], "{i} ms, {k}: {a} {b} {:e}", a - b);
        }
    }
}

fn body<'r>(r: &'r Recording, frame: usize, name: &str) -> &'r carom::BodyState {
    let names = ["crank", "rod", "piston"];
    let index = names.iter().position(|n| *n == name).unwrap();
    &r.frames[frame].bodies[index]
}

/// Bearings with a length do in the plane what balls do: two ends with half the force each.
#[test]
fn in_the_plane_the_length_does_not_matter() {
    let [(ball, _), (long, audit)] =
        [None, Some(0.012)].map(|length| recorded(&slider_crank(0.5e-3, length), 3e-3, 1e-3, 1e-12));
    assert!(audit < 1e-12, "{audit:e}");
    let touches = [&ball, &long].map(|r| times(r, EventKind::Touch));
    assert_eq!(2 * touches[0].len(), touches[1].len());
    for (i, t) in touches[0].iter().enumerate() {
        assert!((t - touches[1][2 * i]).abs() < 1e-12, "{i}: {:e}", t - touches[1][2 * i]);
        assert_eq!(touches[1][2 * i], touches[1][2 * i + 1]);
    }
}

/// With less and less play the piston comes to where the ideal mechanism has it: it stays within the play and the deepest indentation, as the rod's angle
/// carries them over.
#[test]
fn without_play_it_is_ideal() {
    let mut last = None::<f64>;
    for gap in [0.5e-3, 0.05e-3, 0.005e-3] {
        let (r, audit) = recorded(&slider_crank(gap, None), 6e-3, 2e-5, 1e-11);
        assert!(audit < 1e-11, "{audit:e}");
        let deepest = r.events.iter().map(|e| e.max_indentation).fold(0.0, f64::max);
        let farthest = (0..r.frames.len())
            .map(|i| {
                let a = SPEED * r.frames[i].t;
                let ideal = CRANK * a.cos() + (ROD * ROD - (CRANK * a.sin()).powi(2)).sqrt();
                (body(&r, i, "piston").position.x - ideal).abs()
            })
            .fold(0.0, f64::max);
        let steepest = (1.0 - (CRANK / ROD).powi(2)).sqrt();
        assert!(farthest < (gap + deepest) / steepest, "{gap}: {farthest}, {deepest}");
        if let Some(last) = last {
            assert!(farthest < 0.35 * last, "{gap}: {farthest} after {last}");
        }
        last = Some(farthest);
    }
}

/// Impacts have one maximum of indentation; what is pressed on by the inertia of the rod for long follows.
#[test]
fn phases_have_names() {
    let (r, _) = recorded(&slider_crank(0.5e-3, None), 0.01, 1e-3, 1e-11);
    let releases: Vec<&Event> = r.events.iter().filter(|e| e.kind == EventKind::Release).collect();
    let phases: Vec<Phase> = releases.iter().map(|e| e.phase().unwrap()).collect();
    assert!(r.events.iter().all(|e| (e.kind == EventKind::Touch) == e.phase().is_none()));
    // the seventh and the twentieth last for 0.6 and 3.3 ms, an impact at their speeds for 0.08
    for (i, phase) in phases.iter().enumerate() {
        let touch = times(&r, EventKind::Touch)[i];
        let lasts = releases[i].t - touch;
        if lasts < 9e-5 {
            assert_eq!(*phase, Phase::Impact, "{i}: {lasts}");
        }
        if lasts > 3e-4 {
            assert_eq!(*phase, Phase::Following, "{i}: {lasts}");
            let from = releases[i].follows_from.unwrap();
            assert!(from > touch && from < releases[i].t);
        }
    }
    assert_eq!([phases[6], phases[19], phases[0]], [Phase::Following, Phase::Following, Phase::Impact]);
}

/// A journal that flies and turns in its bearing, held along the axis too.
fn tumbling(law: LankaraniNikravesh, length: f64, axial: Option<f64>) -> ModelBuilder {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.3, -9.81, 0.2]);
    builder.material(Material::new("steel").youngs_modulus(207e9).poisson_ratio(0.3));
    builder.body(Body::fixed("frame"));
    let shaft = Body::new("shaft").mass(0.3).inertia([4e-5, 5e-5, 2e-5]);
    builder.body(shaft.velocity([0.15, 0.1, 0.05]).angular_velocity([8.0, -5.0, 60.0]));
    let joint =
        Joint::between("shaft", "frame", Revolute).named("bearing").at([0.0; 3]).axis([0.0, 0.0, 1.0]);
    let mut play =
        Clearance::new(joint, 0.2e-3).radius(9.8e-3).length(length).materials("steel", "steel").normal(law);
    if let Some(gap) = axial {
        let flat = Hertz::new().stiffness(1e9);
        play = play.axial(gap).axial_normal_arc(std::sync::Arc::new(flat));
    }
    builder.clearance(play);
    builder
}

/// Every elastic part for lines, elastic and damped: energy is kept to rounding by the one, and by the other with what it loses.
#[test]
fn shafts_in_bearings_keep_their_energy() {
    for entry in carom::law::normal::LINES {
        for c in [1.0, 0.8] {
            let law = LankaraniNikravesh::restitution(c).unwrap().line(Line::new(entry.name).unwrap());
            let model = tumbling(law, 0.02, Some(0.1e-3)).build().unwrap();
            let (r, audit) = recorded(&model, 0.05, 0.01, 1e-13);
            assert!(audit < 5e-12, "{} {c}: {audit:e}", entry.name);
            let touched = |what: &str| r.events.iter().filter(|e| e.contact.contains(what)).count();
            assert!(
                touched("bearing-bearing") > 10 && touched("collar") > 2,
                "{}: {:?}",
                entry.name,
                r.events.len()
            );
            // it has lain askew: an end alone has touched
            let ends =
                |end: &str| r.events.iter().filter(|e| e.feature == end).map(|e| e.t).collect::<Vec<_>>();
            assert!(ends("end+") != ends("end-"));
        }
    }
}

/// Deeper than its range a line law has no force: the run ends and says so, with the contact's name.
#[test]
fn deeper_than_a_law_reaches_is_a_failure() {
    // of a bearing much shorter than its radius: Goldsmith's range ends at L²/R
    let law =
        LankaraniNikravesh::restitution(1.0).unwrap().line(Line::new("goldsmith").unwrap().length(2e-4));
    let model = tumbling(law, 0.02, None).build().unwrap();
    let error = Simulation::new(&model).duration(0.05).rtol(1e-9).run().unwrap_err().to_string();
    assert!(error.contains("deeper in one another than the normal law holds for"), "{error}");
    assert!(error.contains("bearing"), "{error}");
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let refused = |play: Clearance| {
        let mut builder = ModelBuilder::new();
        builder.body(Body::fixed("frame")).body(Body::new("shaft").mass(1.0).inertia([1.0; 3]));
        builder.clearance(play).build().unwrap_err().to_string()
    };
    let hinge = || Joint::between("shaft", "frame", Revolute).named("hinge").at([0.0; 3]);
    let flat = HuntCrossley::damping(0.1).unwrap().stiffness(1e8);
    let text = refused(Clearance::new(hinge(), -1e-4).radius(0.01).normal(flat));
    assert!(text.contains("joint `hinge`") && text.contains("`gap`"), "{text}");
    let text = refused(Clearance::new(hinge(), 1e-4).normal(flat));
    assert!(text.contains("hinge") && text.contains("radius"), "{text}");
    let text = refused(Clearance::new(hinge(), 1e-4).radius(0.01).length(0.02).normal(flat));
    assert!(text.contains("axis"), "{text}");
    let gear = Joint::between("shaft", "frame", carom::Fixed).named("weld").at([0.0; 3]);
    let text = refused(Clearance::new(gear, 1e-4).radius(0.01).normal(flat));
    assert!(text.contains("revolute, spherical, prismatic"), "{text}");
    let stray = Joint::between("shaft", "fram", Revolute).at([0.0; 3]);
    let text = refused(Clearance::new(stray, 1e-4).radius(0.01).normal(flat));
    assert!(text.contains("fram"), "{text}");
    // a line law in a joint that has none
    let law = LankaraniNikravesh::restitution(0.9).unwrap().line(Line::new("johnson").unwrap());
    let mut builder = ModelBuilder::new();
    builder.material(Material::new("steel").youngs_modulus(207e9).poisson_ratio(0.3));
    builder.body(Body::fixed("frame")).body(Body::new("shaft").mass(1.0).inertia([1.0; 3]));
    builder.clearance(Clearance::new(hinge(), 1e-4).radius(0.01).materials("steel", "steel").normal(law));
    let text = builder.build().unwrap_err().to_string();
    assert!(text.contains("meet along a line"), "{text}");
}

/// A slider in a guide, in the plane and in space: thrown at the wall askew it bounces from corner to corner, and its energy is kept.
#[test]
fn a_slider_in_its_guide() {
    for height in [None, Some(0.03)] {
        let mut builder = ModelBuilder::new();
        builder.gravity([0.0; 3]);
        builder.body(Body::fixed("frame"));
        let block = Body::new("block").mass(0.2).inertia([3e-5, 5e-5, 6e-5]).velocity([1.0, 0.2, 0.0]);
        let spin = if height.is_some() { [1.0, 2.0, 6.0] } else { [0.0, 0.0, 6.0] };
        builder.body(block.angular_velocity(spin));
        let joint =
            Joint::between("block", "frame", Prismatic).named("guide").at([0.0; 3]).axis([1.0, 0.0, 0.0]);
        let law = HuntCrossley::damping(0.0).unwrap().stiffness(1e9);
        let play = Clearance::new(joint, 0.3e-3).radius(2e-3).length(0.05).section(0.02, height);
        builder.clearance(play.normal(law));
        let model = builder.build().unwrap();
        let (r, audit) = recorded(&model, 0.02, 1e-3, 1e-13);
        assert!(audit < 1e-12, "{audit:e}");
        assert!(times(&r, EventKind::Touch).len() > 5);
        // free along the guide, held across it
        for f in &r.frames {
            let b = &f.bodies[0];
            assert!((b.position.x - f.t).abs() < 2e-4 && b.position.y.abs() < 4e-4, "{:?}", b.position);
            if height.is_none() {
                assert!(b.position.z == 0.0);
            }
        }
    }
}
