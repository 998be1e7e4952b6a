//! Finds the position in the scene's text that an error of the model builder refers to.

use carom::{BuildError, Fault, RunError, Subject};
use carom_base::expression::Expression;

use crate::drive;
use crate::error::Problem;
use crate::fields::{Fields, Typed};
use crate::names;
use crate::tree::Span;

/// Turns an error of the model builder into a message that marks the value at fault in the text.
pub(crate) fn problem(scene: &Fields, error: &BuildError) -> Problem {
    let BuildError { subject, key, fault } = error;
    if *subject == Subject::Model {
        return of_the_model(scene, key.unwrap_or_default(), Problem::new(error.to_string()));
    }
    let Some(f) = find(scene, subject) else { return Problem::new(error.to_string()) };
    let (title, label) = match &**fault {
        Fault::BadValue { value, allowed } => {
            let title = format!("{subject}: `{}` cannot be {value}", key.unwrap_or_default());
            (title, format!("allowed: {allowed}"))
        }
        Fault::BadStart { value, allowed } => {
            (format!("{subject}: at t = 0 s it is {value}"), format!("allowed: {allowed}"))
        }
        Fault::UnknownName { what, name, .. } => (format!("no {what} is called `{name}`"), String::new()),
        Fault::UnknownQuantity { name, .. } => (format!("{subject}: there is no `{name}`"), String::new()),
        Fault::Needs { .. } => (fault.to_string(), String::new()),
        Fault::NeedsStiffness { what, a, b, .. } => {
            (format!("{subject}: {a} against {b} needs a `{what}`"), String::new())
        }
        Fault::Driven { joint, coordinate, .. } => {
            let title = format!("a motor cannot act along the {coordinate} of `{joint}`, which is driven");
            (title, "the drive moves it whatever the motor does".to_owned())
        }
        _ => (error.to_string(), String::new()),
    };
    let problem = Problem::new(title).at(span_of(f, error), label);
    match &**fault {
        Fault::UnknownName { what, name, nearest } => {
            problem.nearest(nearest.clone()).note(format!("allowed: {}", known(scene, what, name, f)))
        }
        Fault::UnknownQuantity { nearest, allowed, .. } => {
            let problem = problem.nearest(nearest.clone());
            problem.note(format!("allowed are\n{}", allowed.join("\n")))
        }
        Fault::Conflict { with, says, .. } => match f.given(with) {
            Some(other) => problem.context(other.at.clone(), *says),
            None => problem,
        },
        Fault::SaidTwice { first, .. } => match all(scene, first).next() {
            Some(other) => problem.context(other.span(key.unwrap_or("between")), "the first one"),
            None => problem,
        },
        Fault::Driven { drive, .. } => match find(scene, drive) {
            Some(other) => problem.context(other.span("target"), "the drive").help("leave one of them out"),
            None => problem,
        },
        Fault::NeedsStiffness { sources, a, b, why, .. } => {
            let problem = [a, b].iter().fold(problem, |p, name| without_material(scene, name, p));
            problem.note(format!("{sources} do not give one: {why}"))
        }
        Fault::Impossible(_) => match subject {
            Subject::Drive(target) => driven(scene, target, problem),
            _ => problem,
        },
        _ => problem,
    }
}

/// Returns the position of the value at fault within the subject's table: the key, or else the key that identifies the table.
fn span_of(f: &Fields, error: &BuildError) -> Span {
    let BuildError { subject, key, fault } = error;
    if let (Fault::UnknownName { name, .. }, Some((texts, spans))) = (&**fault, f.texts("between")) {
        let uses = |text: &String| text == name || text.split('/').next() == Some(name);
        if let Some(i) = texts.iter().position(uses) {
            return spans[i].clone();
        }
    }
    // an axis or a point may be given on each body, and a joint's clearance is a table within its table
    let of_key = |key: &&str| {
        let own = f.given(key).or_else(|| f.given(&format!("{key}_a")));
        own.or_else(|| f.table("clearance")?.given(key))
    };
    let known_by = match (subject, &**fault) {
        (Subject::Drive(_), Fault::BadStart { .. }) => return drive::course(f),
        (Subject::Drive(_), _) => "target",
        (Subject::Body(_), _) => "name",
        (Subject::Contact(_) | Subject::Distance(_), _) => "between",
        _ => "",
    };
    if let Some(at) = signal(f, *key, &fault.to_string()) {
        return at;
    }
    key.as_ref().and_then(of_key).map_or_else(|| f.span(known_by), |field| field.at.clone())
}

/// Returns the position of the expression that uses what the message quotes: of a vector that component, and of a controller's input
/// and setpoint that one.
fn signal(f: &Fields, key: Option<&str>, message: &str) -> Option<Span> {
    let quoted = message.split('`').nth(1)?;
    let key = key?;
    let keys = if key == "input" { vec![key, "setpoint"] } else { vec![key] };
    keys.into_iter().filter_map(|key| f.given(key)).find_map(|field| match &field.value {
        Typed::Signals(all, spans, _) => {
            let uses = |e: &Expression| e.names().iter().any(|n| n == quoted) || e.text().contains(quoted);
            all.iter().zip(spans).find(|(e, _)| uses(e)).map(|(_, at)| at.clone())
        }
        _ => None,
    })
}

/// Turns an error in the options of a run into a message that marks the value at fault in the text.
pub(crate) fn of_the_run(scene: &Fields, error: &RunError) -> Problem {
    if let Some(problem) = drive::in_the_run(scene, error) {
        return problem;
    }
    let run = scene.table("run").unwrap_or(scene);
    match error {
        RunError::BadOption { field, value, allowed } => {
            let problem = Problem::new(format!("`{field}` cannot be {value}"));
            problem.at(run.span(field), format!("allowed: {allowed}"))
        }
        RunError::Assembly { joint, .. } => {
            let problem = Problem::new(error.to_string());
            // a drive of a joint is called `joint/coordinate`
            let holds = |f: &&Fields| joint.split('/').next() == Some(&names::between(f));
            match (
                drive::of(scene, &format!("joint/{joint}")).next(),
                scene.array("joint").iter().find(holds),
            ) {
                (Some(f), _) => problem.at(f.span("target"), ""),
                (None, Some(f)) => problem.at(f.span("between"), ""),
                (None, None) => problem.at(scene.at.clone(), ""),
            }
        }
        other => Problem::new(other.to_string()).at(run.span("method"), "this method"),
    }
}

/// Marks the joint or body whose kind does not allow the number to be driven.
fn driven(scene: &Fields, target: &str, problem: Problem) -> Problem {
    if let Some(joint) = target.strip_prefix("joint/").and_then(|rest| rest.split('/').next()) {
        return match find(scene, &Subject::Joint(joint.to_owned())).and_then(|f| f.kind.as_ref()) {
            Some((_, at)) => problem.context(at.clone(), "this joint"),
            None => problem,
        };
    }
    let Some(body) = target.split('/').nth(1).and_then(|name| find_body(scene, name)) else { return problem };
    let shown = ["motion", "fixed", "mass"].into_iter().find_map(|key| body.given(key));
    match shown {
        Some(field) => problem.context(field.at.clone(), ""),
        None => problem.context(body.span("name"), ""),
    }
}

fn find_body<'s>(scene: &'s Fields, name: &str) -> Option<&'s Fields> {
    scene.array("body").iter().find(|f| f.text("name") == Some(name))
}

/// Finds the table that an error refers to; the last one, if several have the same name.
fn find<'s>(scene: &'s Fields, subject: &Subject) -> Option<&'s Fields> {
    all(scene, subject).next_back()
}

/// Returns all tables with the subject's name.
fn all<'s>(scene: &'s Fields, subject: &Subject) -> impl DoubleEndedIterator<Item = &'s Fields> {
    let named = |table: &str, name: &str| -> Vec<&'s Fields> {
        scene.array(table).iter().filter(|f| names::between(f) == name).collect()
    };
    let found: Vec<&Fields> = match subject {
        Subject::Model => Vec::new(),
        Subject::Body(name) => find_body(scene, name).into_iter().collect(),
        Subject::Surface { body, surface } => find_surface(scene, body, surface).into_iter().collect(),
        Subject::Material(name) => {
            scene.map("material").iter().filter(|m| m.0 == *name).map(|m| &m.2).collect()
        }
        Subject::Contact(name) => match named("contact", name) {
            // the contact of a joint with clearance: its name is the joint's, then `/` and the part that touches
            none if none.is_empty() => {
                let joints = named("joint", name.split('/').next().unwrap_or_default());
                joints.into_iter().filter_map(|f| f.table("clearance")).collect()
            }
            found => found,
        },
        Subject::Joint(name) => named("joint", name),
        Subject::Force(name) => named("force", name),
        Subject::Field(name) => named("field", name),
        Subject::Distance(name) => named("distance", name),
        Subject::Drive(path) => drive::of(scene, path).collect(),
        Subject::Controller(name) => named("controller", name),
        Subject::Input(name) => named("input", name),
    };
    found.into_iter()
}

fn find_surface<'s>(scene: &'s Fields, body: &str, surface: &str) -> Option<&'s Fields> {
    let body = find_body(scene, body)?;
    let mut named = names::surfaces(body).into_iter().zip(body.array("surface"));
    named.find(|(name, _)| name == surface).map(|(_, f)| f)
}

fn of_the_model(scene: &Fields, field: &str, problem: Problem) -> Problem {
    let (table, key) = match field {
        "length_scale" => (scene.table("run").and_then(|r| r.table("scale")), "length"),
        "speed_scale" => (scene.table("run").and_then(|r| r.table("scale")), "speed"),
        _ => (scene.table("world"), field),
    };
    match table {
        Some(f) => problem.at(f.span(key), ""),
        None => problem.at(scene.at.clone(), ""),
    }
}

/// Lists the names of the given sort that the table `f` may refer to, for a message.
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
        _ => {
            let bodies = scene.array("body").iter();
            let groups =
                bodies.clone().filter_map(|f| f.texts("group")).flat_map(|(groups, _)| groups.to_vec());
            let mut names: Vec<String> = bodies.filter_map(|f| f.text("name").map(str::to_owned)).collect();
            for group in groups {
                if !names.contains(&group) {
                    names.push(group);
                }
            }
            names
        }
    };
    if names.is_empty() { "none: the scene has none".to_owned() } else { names.join(", ") }
}

/// Marks the surface `body/surface` in the message if it has no material.
fn without_material(scene: &Fields, name: &str, problem: Problem) -> Problem {
    let found = name.split_once('/').and_then(|(body, surface)| find_surface(scene, body, surface));
    match found {
        Some(f) if f.given("material").is_none() => {
            let at = f.kind.as_ref().map_or(&f.at, |k| &k.1);
            problem.context(at.clone(), "this surface has no `material`")
        }
        _ => problem,
    }
}
