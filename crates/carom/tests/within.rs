//! Contacts between output times: their peaks are told, in few moments, and the run is the same with and without.

use carom::prelude::*;
use carom::{ContactRecord, Moment, Output};

/// A ball thrown at a floor and a wall, with damping and friction; and a brick that lies.
fn model() -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    b.body(Body::fixed("post").surface(Sphere::new(0.05).unwrap()).position([0.3, 0.0, 0.05]));
    let ball = Body::new("ball").mass(0.1).surface(Sphere::new(0.02).unwrap());
    b.body(ball.position([0.0, 0.0, 0.1]).velocity([1.0, 0.0, 0.0]).angular_velocity([0.0, 20.0, 0.0]));
    let depth = (0.8f64 * 9.81 / 4.0 / 1e7).powf(2.0 / 3.0);
    let brick = Body::new("brick").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
    b.body(brick.position([-2.0, 0.0, 0.03 - depth]));
    let rule = |a: &str, b: &str| {
        let law = HuntCrossley::damping(0.3).unwrap().stiffness(1e7);
        ContactRule::between(a, b).normal(law).friction(Tanh::new(0.3, 100.0).unwrap())
    };
    b.contact(rule("ball", "floor"));
    b.contact(rule("ball", "post"));
    b.contact(rule("brick", "floor"));
    b.build().unwrap()
}

fn of_ball(contacts: &[ContactRecord]) -> f64 {
    contacts.iter().filter(|c| c.contact.contains("ball")).map(|c| c.f_n).sum()
}

fn peak(r: &Recording) -> f64 {
    let frames = r.frames.iter().map(|f| of_ball(&f.contacts));
    frames.chain(r.moments.iter().map(|m| of_ball(&m.contacts))).fold(0.0, f64::max)
}

/// Methods of every family, contacts located and not: the largest force of the summary is among what is told, the last digits apart where steps are chosen;
/// and what is told changes no step.
#[test]
fn peaks_are_told_and_change_nothing() {
    let model = model();
    let base = || Simulation::new(&model).duration(0.4).rtol(1e-8);
    let chosen = ["dop853", "tsit5", "ode45", "radau5", "ode15s", "ode113", "auto"];
    let mut runs: Vec<(String, Simulation<'_>, f64)> = Vec::new();
    for method in chosen {
        runs.push((method.to_owned(), base().method(method), 1e-6));
        runs.push((format!("{method}, not located"), base().method(method).locate_contacts(false), 1e-2));
    }
    let verlet = base().method("verlet").step(2e-5);
    runs.push(("verlet, not located".to_owned(), verlet.clone().locate_contacts(false), 1e-2));
    runs.push(("verlet".to_owned(), verlet, 1e-2));
    for (name, simulation, tolerance) in runs {
        for output in [Output::Every(0.05), Output::Every(0.0007), Output::Ends, Output::Steps] {
            let simulation = simulation.clone().output(output.clone());
            let (mut plain, mut within) = (Recording::default(), Recording::within());
            let a = simulation.run_into(&mut plain).unwrap();
            let b = simulation.run_into(&mut within).unwrap();
            assert_eq!(a.summary, b.summary, "{name}, {output:?}");
            assert_eq!(
                (&plain.frames, &plain.events),
                (&within.frames, &within.events),
                "{name}, {output:?}"
            );
            assert!(plain.moments.is_empty());
            let (found, said) = (peak(&within), b.summary.peak_force);
            assert!(
                said > 10.0 && (found / said - 1.0).abs() < tolerance,
                "{name}, {output:?}: {found}, not {said}"
            );
            in_order(&within.moments, &within.frames);
        }
    }
}

/// Moments are between output times, in the order of time, each contact point at most once in each; bodies are all or none.
fn in_order(moments: &[Moment], frames: &[carom::Frame]) {
    assert!(moments.is_sorted_by(|a, b| a.t < b.t));
    for m in moments {
        assert!(frames.iter().all(|f| f.t != m.t));
        assert!(m.bodies.is_empty() || m.bodies.len() == 2);
        let mut names: Vec<_> = m.contacts.iter().map(|c| (&c.contact, &c.feature)).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert!(all > 0 && names.len() == all);
        assert!(m.contacts.iter().all(|c| c.delta >= 0.0 && c.f_n.is_finite()));
    }
}

/// What lies still is told at output times alone, however few; a touch has its zeros at both ends.
#[test]
fn what_rests_needs_nothing_more() {
    let model = model();
    let mut r = Recording::within();
    Simulation::new(&model).duration(0.4).rtol(1e-9).output_every(0.2).run_into(&mut r).unwrap();
    let own = |m: &&Moment| m.bodies.is_empty() && m.contacts.iter().any(|c| c.contact.contains("brick"));
    assert_eq!(r.moments.iter().filter(own).count(), 0);
    assert!(r.moments.len() < 100, "{}", r.moments.len());
    for event in r.events.iter().filter(|e| e.contact.contains("ball")) {
        let m = r.moments.iter().find(|m| m.t == event.t).unwrap();
        let c = m.contacts.iter().find(|c| c.contact == event.contact).unwrap();
        assert!(c.f_n < 1e-3 && c.delta < 1e-12, "{c:?}");
    }
}

/// With short steps, straight lines between what is told follow the force to a hundredth of its peak, and it is told in few points.
#[test]
fn lines_between_moments_follow_the_force() {
    let model = model();
    let base = || Simulation::new(&model).duration(0.2).method("tsit5").max_step(2e-5);
    let (mut fine, mut coarse) = (Recording::default(), Recording::within());
    base().output(Output::Steps).run_into(&mut fine).unwrap();
    base().output_every(0.1).run_into(&mut coarse).unwrap();
    let name = "ball/sphere1~floor/plane1";
    let of = |contacts: &[ContactRecord]| {
        contacts.iter().filter(|c| c.contact.contains(name)).map(|c| c.f_n).sum::<f64>()
    };
    let name_is_there = |m: &&Moment| m.contacts.iter().any(|c| c.contact == name);
    let mut curve: Vec<(f64, f64)> = coarse.frames.iter().map(|f| (f.t, of(&f.contacts))).collect();
    curve.extend(coarse.moments.iter().filter(name_is_there).map(|m| (m.t, of(&m.contacts))));
    curve.sort_by(|a, b| a.0.total_cmp(&b.0));
    let peak = curve.iter().map(|p| p.1).fold(0.0, f64::max);
    assert!(peak > 10.0 && curve.len() < 60, "{peak} {}", curve.len());
    let mut touching = 0;
    for frame in &fine.frames {
        let i = curve.partition_point(|p| p.0 < frame.t).clamp(1, curve.len() - 1);
        let (a, b) = (curve[i - 1], curve[i]);
        let line = a.1 + (b.1 - a.1) * (frame.t - a.0) / (b.0 - a.0);
        let f = of(&frame.contacts);
        touching += usize::from(f > 0.0);
        assert!((line - f).abs() < 0.01 * peak, "t {}: {line}, not {f}", frame.t);
    }
    assert!(touching > 50);
}

/// Very many bounces in one output interval: few moments, and the largest force is one of them.
#[test]
fn many_bounces_in_an_interval_are_few_moments() {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.021]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
    let model = b.build().unwrap();
    let mut r = Recording::within();
    let run = Simulation::new(&model).duration(20.0).output(Output::Ends).run_into(&mut r).unwrap();
    assert!(run.summary.touches > 100, "{}", run.summary.touches);
    assert!(r.moments.len() <= 64, "{}", r.moments.len());
    assert!((peak(&r) / run.summary.peak_force - 1.0).abs() < 1e-6);
}
