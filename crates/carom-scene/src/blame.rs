//! Where in the scene an error of the model builder comes from.

use carom::law::LawError;
use carom::{BuildError, RunError};

use crate::drive;
use crate::error::Problem;
use crate::fields::Fields;
use crate::names;

/// The builder's error, put at the value it is about.
pub(crate) fn problem(scene: &Fields, error: &BuildError) -> Problem {
    let problem = Problem::new(error.to_string());
    match error {
        BuildError::BadValue { place, field, value, allowed } => {
            let Some(f) = find(scene, place) else { return of_the_model(scene, field, problem) };
            let problem = Problem::new(format!("{place}: `{field}` cannot be {value}"));
            // an axis or a point may be given on each body
            let shown = [*field, &format!("{field}_a")].into_iter().find_map(|key| f.given(key));
            let shown = shown.or_else(|| f.table("clearance")?.given(field));
            problem.at(shown.map_or(&f.at, |field| &field.at).clone(), format!("allowed: {allowed}"))
        }
        BuildError::UnknownName { place, what, name, nearest } => {
            let Some(f) = find(scene, place) else { return problem };
            let problem = Problem::new(format!("no {what} is called `{name}`"));
            let problem = used_in(f, name, problem).nearest(nearest.clone());
            problem.note(format!("allowed: {}", known(scene, what, name, f)))
        }
        BuildError::JointNeeds { joint, kind, what } => match find(scene, &format!("joint `{joint}`")) {
            Some(f) => f.blame(&format!("a {kind} joint needs {what}")),
            None => problem,
        },
        BuildError::JointLaw { joint, .. } => match find(scene, &format!("joint `{joint}`")) {
            Some(f) => problem.at(f.place("friction"), ""),
            None => problem,
        },
        BuildError::NoMass { body } | BuildError::NoInertia { body } | BuildError::NoVolume { body } => {
            in_body(scene, body, "name", problem)
        }
        BuildError::ImpossibleInertia { body, why, .. } => {
            let problem = Problem::new(format!("no body has this inertia: {why}"));
            in_body(scene, body, "inertia", problem)
        }
        BuildError::TwoRotations { body } => in_body(scene, body, "dofs", problem),
        BuildError::ForbiddenVelocity { body, field, .. } => {
            let problem = in_body(scene, body, field, problem);
            match find_body(scene, body).and_then(|f| f.given("dofs")) {
                Some(dofs) => problem.context(dofs.at.clone(), "the directions it can move in"),
                None => problem,
            }
        }
        BuildError::Pair { contact, .. } | BuildError::EmptyContact { contact } => {
            in_contact(scene, contact, "between", problem)
        }
        BuildError::Distance { distance, .. } => match find(scene, &format!("distance `{distance}`")) {
            Some(f) => problem.at(f.place("between"), ""),
            None => problem,
        },
        BuildError::Law { contact, key, .. } => in_contact(scene, contact, key, problem),
        BuildError::ForceNeeds { force, kind, what, wrong } => {
            let Some(f) = find(scene, &format!("force `{force}`")) else { return problem };
            let problem = Problem::new(format!("a {kind} needs {what}"));
            let shown = wrong.and_then(|key| f.given(key)).map_or(&f.at, |field| &field.at);
            problem.at(shown.clone(), "")
        }
        BuildError::Force { force, .. } => match find(scene, &format!("force `{force}`")) {
            Some(f) => problem.at(f.at.clone(), ""),
            None => problem,
        },
        BuildError::Field { field, .. } => match find(scene, &format!("field `{field}`")) {
            Some(f) => problem.at(f.at.clone(), ""),
            None => problem,
        },
        BuildError::Elastic { body, .. } => in_body(scene, body, "elastic", problem),
        BuildError::NeedsStiffness { contact, a, b, why } => {
            let problem = Problem::new(format!("contact `{contact}`: {a} against {b} needs a `stiffness`"));
            let problem = in_contact(scene, contact, "normal", problem);
            let problem = [a, b].iter().fold(problem, |p, name| without_material(scene, name, p));
            problem.note(format!("materials and curvature do not give one: {why}"))
        }
        BuildError::AmbiguousContact { first, second, .. } => {
            let problem = in_contact(scene, second, "between", problem);
            match find_contact(scene, first) {
                Some(f) => problem.context(f.place("between"), "the other one"),
                None => problem,
            }
        }
        BuildError::NoTarget { target, .. } => match drive::of(scene, target).next() {
            Some(f) => problem.at(f.place("target"), ""),
            None => problem,
        },
        BuildError::DrivenTwice { target, other } => {
            let (Some(second), Some(first)) =
                (drive::of(scene, target).next_back(), drive::of(scene, other).next())
            else {
                return problem;
            };
            problem.at(second.place("target"), "").context(first.place("target"), "the first one")
        }
        BuildError::Drive { target, .. } => match drive::of(scene, target).next() {
            Some(f) => driven(scene, target, problem.at(f.place("target"), "")),
            None => problem,
        },
        BuildError::DriveStart { target, value, allowed } => match drive::of(scene, target).next() {
            Some(f) => Problem::new(format!("drive `{target}`: at t = 0 s it is {value}"))
                .at(drive::course(f), format!("allowed: {allowed}")),
            None => problem,
        },
        BuildError::DuplicateName { .. } => problem,
        BuildError::Material(error) => in_material(scene, error, problem),
    }
}

/// The error of a run's options, put at the value it is about.
pub(crate) fn of_the_run(scene: &Fields, error: &RunError) -> Problem {
    if let Some(problem) = drive::in_the_run(scene, error) {
        return problem;
    }
    let run = scene.table("run").unwrap_or(scene);
    match error {
        RunError::BadOption { field, value, allowed } => {
            let problem = Problem::new(format!("`{field}` cannot be {value}"));
            problem.at(run.place(field), format!("allowed: {allowed}"))
        }
        RunError::Assembly { joint, .. } => {
            let problem = Problem::new(error.to_string());
            // a drive of a joint is called `joint/coordinate`
            let holds = |f: &&Fields| joint.split('/').next() == Some(&names::between(f));
            match (
                drive::of(scene, &format!("joint/{joint}")).next(),
                scene.array("joint").iter().find(holds),
            ) {
                (Some(f), _) => problem.at(f.place("target"), ""),
                (None, Some(f)) => problem.at(f.place("between"), ""),
                (None, None) => problem.at(scene.at.clone(), ""),
            }
        }
        other => Problem::new(other.to_string()).at(run.place("method"), "this method"),
    }
}

/// Shows why the body or joint of a driven number is not one that it can be driven of.
fn driven(scene: &Fields, target: &str, problem: Problem) -> Problem {
    if let Some(joint) = target.strip_prefix("joint/").and_then(|rest| rest.split('/').next()) {
        return match find(scene, &format!("joint `{joint}`")).and_then(|f| f.kind.as_ref()) {
            Some((_, at)) => problem.context(at.clone(), "this joint"),
            None => problem,
        };
    }
    let Some(body) = target.split('/').nth(1).and_then(|name| find_body(scene, name)) else { return problem };
    let shown = ["motion", "fixed", "mass"].into_iter().find_map(|key| body.given(key));
    match shown {
        Some(field) => problem.context(field.at.clone(), ""),
        None => problem.context(body.place("name"), ""),
    }
}

fn find_body<'s>(scene: &'s Fields, name: &str) -> Option<&'s Fields> {
    scene.array("body").iter().find(|f| f.text("name") == Some(name))
}

fn find_contact<'s>(scene: &'s Fields, name: &str) -> Option<&'s Fields> {
    scene.array("contact").iter().find(|f| names::between(f) == name)
}

/// The table that the builder calls so.
fn find<'s>(scene: &'s Fields, place: &str) -> Option<&'s Fields> {
    for body in scene.array("body") {
        let name = format!("body `{}`", body.text("name").unwrap_or_default());
        if name == place {
            return Some(body);
        }
        for (f, surface) in body.array("surface").iter().zip(names::surfaces(body)) {
            if place == format!("{name}, surface `{surface}`") {
                return Some(f);
            }
        }
    }
    let named = |what: &'static str| {
        let called = move |f: &&Fields| place == format!("{what} `{}`", names::between(f));
        scene.array(what).iter().find(called)
    };
    if let Some(f) = scene
        .array("drive")
        .iter()
        .find(|f| place == format!("drive `{}`", f.text("target").unwrap_or_default()))
    {
        return Some(f);
    }
    let found = ["contact", "force", "field", "joint", "distance"].into_iter().find_map(named);
    found.or_else(|| play_of(scene, place.strip_prefix("contact `")?.strip_suffix('`')?))
}

/// The clearance whose contact is called so: as the joint, and after it what of it touches.
fn play_of<'s>(scene: &'s Fields, contact: &str) -> Option<&'s Fields> {
    let called = |f: &&Fields| contact.split('/').next() == Some(&names::between(f));
    scene.array("joint").iter().find(called)?.table("clearance")
}

fn of_the_model(scene: &Fields, field: &str, problem: Problem) -> Problem {
    let (table, key) = match field {
        "length_scale" => (scene.table("run").and_then(|r| r.table("scale")), "length"),
        "speed_scale" => (scene.table("run").and_then(|r| r.table("scale")), "speed"),
        _ => (scene.table("world"), field),
    };
    match table {
        Some(f) => problem.at(f.place(key), ""),
        None => problem.at(scene.at.clone(), ""),
    }
}

/// The text value in which a name is used.
fn used_in(f: &Fields, name: &str, problem: Problem) -> Problem {
    if let Some((texts, places)) = f.texts("between") {
        let at = texts.iter().position(|t| t == name || t.split('/').next() == Some(name));
        return match at {
            Some(i) => problem.at(places[i].clone(), ""),
            None => problem.at(f.place("between"), ""),
        };
    }
    let key = ["target", "joint"].into_iter().find(|key| f.given(key).is_some()).unwrap_or("material");
    problem.at(f.place(key), "")
}

/// The names of that sort, as the table `f` may use them.
fn known(scene: &Fields, what: &str, name: &str, f: &Fields) -> String {
    let names: Vec<String> = match what {
        "joint" => scene.array("joint").iter().map(names::between).collect(),
        "joint before it" => {
            let before = scene.array("joint").iter().take_while(|joint| joint.at != f.at);
            before.map(names::between).collect()
        }
        "material" => scene.map("material").iter().map(|m| m.0.clone()).collect(),
        "surface" => {
            let body = name.split('/').next().unwrap_or_default();
            let of = |f: &Fields| {
                let body = f.text("name").unwrap_or_default().to_owned();
                names::surfaces(f).into_iter().map(move |s| format!("{body}/{s}")).collect::<Vec<_>>()
            };
            match find_body(scene, body) {
                Some(f) => of(f),
                None => scene.array("body").iter().flat_map(of).collect(),
            }
        }
        _ => scene.array("body").iter().filter_map(|f| f.text("name").map(str::to_owned)).collect(),
    };
    if names.is_empty() { "none: the scene has none".to_owned() } else { names.join(", ") }
}

fn in_body(scene: &Fields, body: &str, field: &str, problem: Problem) -> Problem {
    let Some(f) = find_body(scene, body) else { return problem };
    let at = if f.given(field).is_some() { f.place(field) } else { f.place("name") };
    problem.at(at, "")
}

fn in_contact(scene: &Fields, contact: &str, field: &str, problem: Problem) -> Problem {
    if let Some(f) = find_contact(scene, contact) {
        let at = if f.given(field).is_some() { f.place(field) } else { f.place("between") };
        return problem.at(at, "");
    }
    match play_of(scene, contact) {
        Some(f) => problem.at(if f.given(field).is_some() { f.place(field) } else { f.at.clone() }, ""),
        None => problem,
    }
}

/// Shows the surface `body/surface` if it has no material.
fn without_material(scene: &Fields, name: &str, problem: Problem) -> Problem {
    let Some((body, surface)) = name.split_once('/') else { return problem };
    let Some(body) = find_body(scene, body) else { return problem };
    let mut named = names::surfaces(body).into_iter().zip(body.array("surface"));
    match named.find(|(n, _)| n == surface) {
        Some((_, f)) if f.given("material").is_none() => {
            let at = f.kind.as_ref().map_or(&f.at, |k| &k.1);
            problem.context(at.clone(), "this surface has no `material`")
        }
        _ => problem,
    }
}

fn in_material(scene: &Fields, error: &LawError, problem: Problem) -> Problem {
    let (LawError::BadMaterialValue { material, name, .. }
    | LawError::MissingMaterialValue { material, name }) = error
    else {
        return problem;
    };
    match scene.map("material").iter().find(|m| m.0 == *material) {
        Some((_, _, f)) => problem.at(f.place(name), ""),
        None => problem,
    }
}
