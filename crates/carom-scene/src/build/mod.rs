//! Makes a scene with a model from checked values.

mod body;
mod contact;
mod controller;
mod decoration;
mod force;
mod joint;
mod kind;
mod law;
mod plot;
mod run;
mod wear;

use carom::geometry::pairs;
use carom::law::Material;
use carom::{Distance, ModelBuilder};

pub(crate) use body::orientation;
pub(crate) use kind::made;

use crate::blame;
use crate::drive;
use crate::error::Problem;
use crate::fields::Fields;
use crate::mesh_file::MeshFiles;
use crate::names;
use crate::own::Own;
use crate::scene::{Probe, Scene, SceneText};
use crate::select::Roster;
use crate::tree::Span;

/// Makes the scene. `title` is its name if the text gives none; `source` is the text it was read from; `own` holds the
/// user-defined laws, forces, surfaces and curves.
pub(crate) fn scene(
    fields: &Fields,
    title: &str,
    mut source: SceneText,
    own: &Own,
) -> Result<Scene, Problem> {
    names::unique(fields)?;
    names::materials(fields)?;
    let mut builder = ModelBuilder::new();
    if let Some(gravity) = fields.table("world").and_then(|w| w.vector("gravity")) {
        builder.gravity(gravity);
    }
    for material in names::standard_materials(fields) {
        builder.material(material);
    }
    for (name, _, f) in fields.map("material") {
        let mut material = Material::new(name.as_str());
        material.youngs_modulus = f.number("youngs_modulus");
        material.poisson_ratio = f.number("poisson_ratio");
        material.density = f.number("density");
        builder.material(material);
    }
    let files = MeshFiles::new(source.folder.clone());
    for f in fields.array("body") {
        builder.body(body::body(f, own, &files)?);
    }
    let roster = Roster::of_fields(fields);
    roster.check_groups(fields)?;
    for f in fields.array("contact") {
        builder.contact(contact::contact(f, &roster, own)?);
    }
    for f in fields.array("force") {
        builder.force(force::force(f, own)?);
    }
    for f in fields.array("field") {
        builder.field(force::field(f)?);
    }
    for f in fields.array("joint") {
        let ideal = joint::joint(f, own)?;
        match f.table("clearance") {
            None => builder.joint(ideal),
            Some(play) => builder.clearance(joint::clearance(ideal, play, own)?),
        };
    }
    for f in fields.array("drive") {
        builder.drive(drive::drive(f, fields, own)?);
    }
    for f in fields.array("input") {
        builder.input(f.text("name").unwrap_or_default(), f.number("value").unwrap_or_default());
    }
    for f in fields.array("controller") {
        builder.controller(controller::controller(f)?);
    }
    let run = fields.table("run").unwrap_or(fields);
    if let Some(scale) = run.table("scale") {
        if let Some(length) = scale.number("length") {
            builder.length_scale(length);
        }
        if let Some(speed) = scale.number("speed") {
            builder.speed_scale(speed);
        }
    }
    builder.integrate_impulses(run.bool("integrate_impulses").unwrap_or_default());
    let duration = run.number("duration").unwrap_or_default();
    let method = run.text("method").unwrap_or_default();
    run::check_step(run, method)?;
    let rtol = run.number("rtol").unwrap_or_default();
    let model = builder.build().map_err(|e| blame::problem(fields, &e))?;
    let moving: Vec<&str> = model.moving_bodies().collect();
    let probes =
        fields.array("probe").iter().map(|f| probe(f, fields, &moving)).collect::<Result<Vec<_>, _>>()?;
    let distances = fields.array("distance").iter().map(distance).collect::<Result<Vec<_>, _>>()?;
    for distance in &distances {
        distance.follow(&model).map_err(|e| blame::problem(fields, &e))?;
    }
    let names = plot::known(fields, &model, &probes, &distances);
    let title = fields.text("title").unwrap_or(title).to_owned();
    source.title.clone_from(&title);
    let scene = Scene {
        title,
        duration,
        analysis: run::analysis(run),
        start: run::start(run),
        method: method.to_owned(),
        rtol,
        atol: run.number("atol").unwrap_or(rtol),
        step: run.number("step"),
        max_step: run.number("max_step"),
        islands: run.bool("islands").unwrap_or(true),
        threads: run.number("threads").map(|threads| threads as usize),
        locate_contacts: run.bool("locate_contacts").unwrap_or(true),
        plain: run.bool("plain").unwrap_or_default(),
        stabilisation: run::stabilisation(run)?,
        output: run::output(run, duration)?,
        plots: plot::plots(fields, &names)?,
        names,
        probes,
        distances,
        parameters: Vec::new(),
        meshes: files.into_all(),
        decorations: decoration::decorations(fields, &source.folder)?,
        source,
        model,
    };
    let simulation = scene.simulation();
    simulation.check().and_then(|()| simulation.check_joints()).map_err(|e| blame::of_the_run(fields, &e))?;
    Ok(scene)
}

fn distance(f: &Fields) -> Result<Distance, Problem> {
    let distance = match (f.text("name"), f.texts("between")) {
        (Some(name), Some(([a, b], _))) => Distance::between(name, a, b),
        _ => return Err(Problem::new("`between` needs two surfaces").at(f.at.clone(), "")),
    };
    match f.table("solver") {
        Some(solver) => Ok(distance.solver_arc(made(pairs::NAMED.iter(), solver)?)),
        None => Ok(distance),
    }
}

fn probe(f: &Fields, scene: &Fields, moving: &[&str]) -> Result<Probe, Problem> {
    let name = f.text("name").unwrap_or_default();
    let body = f.texts("body").and_then(|(names, _)| names.first()).map_or("", String::as_str);
    if let Some(index) = moving.iter().position(|b| *b == body) {
        return Ok(Probe {
            name: name.to_owned(),
            body: index,
            point: f.vector("point").unwrap_or_default(),
        });
    }
    let at: Span = f.span("body");
    let exists = scene.array("body").iter().any(|b| b.text("name") == Some(body));
    Err(match exists {
        true => {
            Problem::new(format!("body `{body}` does not move by its forces: a probe of it is not recorded"))
                .at(at, "")
                .allowed("", moving)
        }
        false => Problem::new(format!("no body is called `{body}`")).at(at, "").allowed(body, moving),
    })
}
