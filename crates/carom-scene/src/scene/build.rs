//! From checked values to a scene with a model.

use carom::field::Adhesion;
use carom::geometry::pairs::{self, slices::Slices};
use carom::geometry::surfaces;
use carom::law::elastic::{self, Elastic};
use carom::law::{Material, friction, normal, resistance};
use carom::ode::methods;
use carom::{
    Body, ContactRule, Distance, Dof, FORCES, FieldRule, Force, MOTIONS, ModelBuilder, Output, Repulsion,
    Start, SurfaceSpec,
};
use carom_base::{Entry, Mat3, Quat, SpecError, Vec3};
use nalgebra::{Quaternion, Unit};

use super::blame;
use super::drive;
use super::error::Problem;
use super::fields::{Field, Fields, Typed};
use super::names;
use super::tree::Span;
use super::{Probe, Scene};

/// Makes the scene. `title`: what it is called if it does not say so itself.
pub(crate) fn scene(fields: &Fields, title: &str) -> Result<Scene, Problem> {
    names::unique(fields)?;
    names::materials(fields)?;
    let mut builder = ModelBuilder::new();
    if let Some(gravity) = fields.table("world").and_then(|w| w.vector("gravity")) {
        builder.gravity(gravity);
    }
    for (name, _, f) in fields.map("material") {
        let mut material = Material::new(name.as_str());
        material.youngs_modulus = f.number("youngs_modulus");
        material.poisson_ratio = f.number("poisson_ratio");
        material.density = f.number("density");
        builder.material(material);
    }
    for f in fields.array("body") {
        builder.body(body(f)?);
    }
    for f in fields.array("contact") {
        builder.contact(contact(f)?);
    }
    for f in fields.array("force") {
        builder.force(force(f)?);
    }
    for f in fields.array("field") {
        builder.field(field(f)?);
    }
    for f in fields.array("drive") {
        builder.drive(drive::drive(f)?);
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
    let duration = run.number("duration").unwrap_or_default();
    let method = run.text("method").unwrap_or_default();
    check_step(run, method)?;
    let rtol = run.number("rtol").unwrap_or_default();
    let model = builder.build().map_err(|e| blame::problem(fields, &e))?;
    let moving: Vec<&str> = model.moving_bodies().collect();
    let probes = fields.array("probe").iter().map(|f| probe(f, fields, &moving)).collect::<Result<_, _>>()?;
    let distances = fields.array("distance").iter().map(distance).collect::<Result<Vec<_>, _>>()?;
    for distance in &distances {
        distance.follow(&model).map_err(|e| blame::problem(fields, &e))?;
    }
    let scene = Scene {
        title: fields.text("title").unwrap_or(title).to_owned(),
        duration,
        start: start(run),
        method: method.to_owned(),
        rtol,
        atol: run.number("atol").unwrap_or(rtol),
        step: run.number("step"),
        max_step: run.number("max_step"),
        locate_contacts: run.bool("locate_contacts").unwrap_or(true),
        output: output(run, duration)?,
        probes,
        distances,
        model,
    };
    scene.simulation().check().map_err(|e| blame::of_the_run(fields, &e))?;
    Ok(scene)
}

/// Where the run starts.
fn start(run: &Fields) -> Start {
    let word = run.text("start").unwrap_or_default();
    Start::ALL.iter().find(|s| s.0 == word).map_or(Start::AsGiven, |s| s.1)
}

/// A method that does not choose its step needs one.
fn check_step(run: &Fields, method: &str) -> Result<(), Problem> {
    let fixed = methods::find(method).is_ok_and(|m| !m.is_adaptive());
    if !fixed || run.number("step").is_some() {
        return Ok(());
    }
    let problem = Problem::new(format!("`{method}` takes steps of one length: give `step`"));
    Err(problem.at(run.place("method"), "`step` is missing"))
}

fn output(run: &Fields, duration: f64) -> Result<Output, Problem> {
    if let Some(dt) = run.number("output_every") {
        return Ok(Output::Every(dt));
    }
    let Some(Field { value: Typed::Numbers(times, places), .. }) = run.get("output_at") else {
        return Ok(Output::Steps);
    };
    let bad = |i: usize, allowed: String| {
        let problem = Problem::new(format!("`output_at` cannot have {} here", times[i]));
        Err(problem.at(places[i].clone(), format!("allowed: {allowed}")))
    };
    if let Some(i) = times.iter().position(|t| *t > duration) {
        return bad(i, format!("from 0 to the duration, {duration}"));
    }
    if let Some(i) = times.windows(2).position(|w| w[1] <= w[0]) {
        return bad(i + 1, "times in increasing order".to_owned());
    }
    Ok(Output::At(times.clone()))
}

fn body(f: &Fields) -> Result<Body, Problem> {
    let name = f.text("name").unwrap_or_default();
    let mut body = match f.table("motion") {
        Some(motion) => Body::prescribed_arc(name, made(MOTIONS.iter(), motion)?),
        None if f.bool("fixed") == Some(true) => Body::fixed(name),
        None => match elastic(f)? {
            Some(elastic) => Body::affine(name, elastic),
            None => Body::new(name),
        },
    };
    stands_by_itself(f)?;
    if let Some(mass) = f.number("mass") {
        body = body.mass(mass);
    }
    match f.numbers("inertia") {
        Some(&[x, y, z]) => body = body.inertia([x, y, z]),
        Some(rows) => body = body.inertia_tensor(Mat3::from_row_iterator(rows.iter().copied())),
        None => {}
    }
    if let Some(centre) = f.vector("centre_of_mass") {
        body = body.centre_of_mass(centre);
    }
    if let Some(density) = f.number("density") {
        body = body.density(density);
    }
    if let Some(gradient) = f.vector("density_gradient") {
        body = body.density_gradient(gradient);
    }
    match f.numbers("deformation") {
        Some(&[x, y, z]) => body = body.deformation(Mat3::from_diagonal(&Vec3::new(x, y, z))),
        Some(rows) => body = body.deformation(Mat3::from_row_iterator(rows.iter().copied())),
        None => {}
    }
    if let Some(position) = f.vector("position") {
        body = body.position(position);
    }
    if let Some(turned) = f.table("orientation") {
        body = body.quaternion(orientation(turned)?);
    }
    if let Some(velocity) = f.vector("velocity") {
        body = body.velocity(velocity);
    }
    if let Some(velocity) = f.vector("angular_velocity") {
        body = body.angular_velocity(velocity);
    }
    if let Some((words, _)) = f.texts("dofs") {
        let dofs = words.iter().filter_map(|w| Dof::ALL.iter().find(|d| d.0 == w).map(|d| d.1));
        body = body.dofs(&dofs.collect::<Vec<_>>());
    }
    for surface in f.array("surface") {
        body = body.surface(self::surface(surface)?);
    }
    Ok(body)
}

/// What an affine body is made of; `None`: it is rigid.
fn elastic(f: &Fields) -> Result<Option<Elastic>, Problem> {
    let name = f.text("name").unwrap_or_default();
    if f.text("type") != Some("affine") {
        let soft = ["elastic", "deformation"].into_iter().find_map(|key| Some((key, f.given(key)?)));
        return match soft {
            None => Ok(None),
            Some((key, field)) => {
                Err(Problem::new(format!("body `{name}` is rigid and cannot have `{key}`"))
                    .at(field.at.clone(), "allowed: with `type = \"affine\"`"))
            }
        };
    }
    let Some(table) = f.table("elastic") else {
        let problem = Problem::new(format!("body `{name}` is affine and needs `elastic`"));
        return Err(problem.at(f.place("type"), "`elastic` is missing"));
    };
    let law = made(elastic::ALL.iter().map(|e| &e.entry), table)?;
    let elastic = Elastic::from_arc(law).viscosity(table.number("viscosity").unwrap_or_default());
    match (table.number("bulk_modulus"), table.bool("incompressible")) {
        (None, Some(false)) => {
            let problem = Problem::new("a body that does not keep its volume needs a `bulk_modulus`");
            Err(problem.at(table.place("incompressible"), "`bulk_modulus` is missing"))
        }
        (None, _) => Ok(Some(elastic)),
        (Some(_), Some(true)) => {
            let problem = Problem::new("a body that keeps its volume cannot have a `bulk_modulus`");
            Err(problem
                .at(table.place("bulk_modulus"), "")
                .context(table.place("incompressible"), "it keeps its volume"))
        }
        (Some(kappa), _) => Ok(Some(elastic.bulk_modulus(kappa))),
    }
}

/// What a body that is held or moved cannot have: it would be ignored.
fn stands_by_itself(f: &Fields) -> Result<(), Problem> {
    let held = match (f.bool("fixed"), f.given("motion")) {
        (_, Some(motion)) => (motion, "its motion is prescribed"),
        (Some(true), None) => match f.given("fixed") {
            Some(fixed) => (fixed, "it is fixed"),
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    for key in ["velocity", "angular_velocity", "dofs", "elastic", "deformation"] {
        let Some(field) = f.given(key) else { continue };
        if f.vector(key) == Some([0.0; 3]) {
            continue;
        }
        let name = f.text("name").unwrap_or_default();
        return Err(Problem::new(format!("body `{name}` cannot have `{key}`: {}", held.1))
            .at(field.at.clone(), "")
            .context(held.0.at.clone(), held.1));
    }
    Ok(())
}

fn surface(f: &Fields) -> Result<SurfaceSpec, Problem> {
    let mut spec = SurfaceSpec::from_arc(made(surfaces::ALL.iter(), f)?);
    if let Some(name) = f.text("name") {
        spec = spec.named(name);
    }
    if f.text("side") == Some("inside") {
        spec = spec.inside();
    }
    if let Some(material) = f.text("material") {
        spec = spec.material(material);
    }
    if let Some(thickness) = f.number("shell") {
        spec = spec.shell(thickness);
    }
    if let Some(position) = f.vector("position") {
        spec = spec.at(position);
    }
    if let Some(turned) = f.table("orientation") {
        let [w, x, y, z] = orientation(turned)?;
        spec = spec.turned(Quat::new_normalize(Quaternion::new(w, x, y, z)));
    }
    Ok(spec)
}

fn contact(f: &Fields) -> Result<ContactRule, Problem> {
    let mut rule = match f.texts("between") {
        Some(([a, b], _)) => ContactRule::between(a, b),
        _ => return Err(Problem::new("`between` needs two sides").at(f.at.clone(), "")),
    };
    if let Some(name) = f.text("name") {
        rule = rule.named(name);
    }
    if let Some(law) = f.table("normal") {
        rule = rule.normal_arc(made(normal::ALL.iter().map(|e| &e.entry), law)?);
    }
    if let Some(law) = f.table("friction") {
        rule = rule.friction_arc(made(friction::ALL.iter().map(|e| &e.entry), law)?);
    }
    if let Some(law) = f.table("rolling") {
        rule = rule.rolling_arc(made(resistance::ROLLING.iter().map(|e| &e.entry), law)?);
    }
    if let Some(law) = f.table("spinning") {
        rule = rule.spinning_arc(made(resistance::SPINNING.iter().map(|e| &e.entry), law)?);
    }
    if let Some(slices) = slices(f)? {
        rule = rule.solver(slices);
    }
    if let Some(solver) = f.table("solver") {
        rule = rule.solver_arc(made(pairs::NAMED.iter(), solver)?);
    }
    if let Some(speed) = f.number("min_impact_speed") {
        rule = rule.min_impact_speed(speed);
    }
    Ok(rule)
}

/// How rings touch, if not in a point.
fn slices(f: &Fields) -> Result<Option<Slices>, Problem> {
    let phase = f.number("slice_phase").unwrap_or_default();
    let made = match (f.number("slices"), f.text("slices")) {
        (Some(count), _) => Slices::new(count as usize).map(|slices| slices.phase(phase)),
        (None, Some(_)) => Slices::exact(f.number("slice_tolerance").unwrap_or(1e-9)),
        (None, None) => return Ok(None),
    };
    made.map(Some).map_err(|e| f.blame(&e.to_string()))
}

fn force(f: &Fields) -> Result<Force, Problem> {
    let mut force = match f.texts("between") {
        Some(([a, b], _)) => Force::between_arc(a, b, made(FORCES.iter(), f)?),
        _ => return Err(Problem::new("`between` needs two bodies").at(f.at.clone(), "")),
    };
    if let Some(name) = f.text("name") {
        force = force.named(name);
    }
    let point = |key: &str| f.vector(key).unwrap_or_default();
    Ok(force.points(point("point_a"), point("point_b")))
}

fn field(f: &Fields) -> Result<FieldRule, Problem> {
    let mut field = match f.texts("between") {
        Some(([a, b], _)) => FieldRule::between(a, b),
        _ => return Err(Problem::new("`between` needs two sides").at(f.at.clone(), "")),
    };
    if let Some(name) = f.text("name") {
        field = field.named(name);
    }
    if let Some((faces, _)) = f.texts("faces") {
        let faces: Vec<&str> = faces.iter().map(String::as_str).collect();
        field = field.faces(&faces);
    }
    if f.given("gauss_points").is_some() {
        field = field.gauss_points(whole(f, "gauss_points")? as usize);
    }
    if let Some(t) = f.table("repulsion") {
        let repulsion = match (t.number("coefficient"), t.number("rest_gap")) {
            (Some(coefficient), _) => Repulsion::Coefficient(coefficient),
            (None, gap) => Repulsion::RestGap(gap.unwrap_or_default()),
        };
        field = field.repulsion(whole(t, "exponent")?, repulsion);
    }
    let coefficient = |t: &Fields| t.number("coefficient").unwrap_or_default();
    if let Some(t) = f.table("damping") {
        field = field.damping(whole(t, "exponent")?, coefficient(t));
    }
    if let Some(t) = f.table("friction") {
        field = field.friction(whole(t, "exponent")?, coefficient(t));
    }
    if let Some(t) = f.table("adhesion") {
        field = field.adhesion(Adhesion {
            coefficient: coefficient(t),
            attraction_exponent: whole(t, "attraction_exponent")?,
            repulsion_exponent: whole(t, "repulsion_exponent")?,
            range: t.number("range").unwrap_or_default(),
        });
    }
    Ok(field)
}

/// An exponent.
fn whole(f: &Fields, key: &str) -> Result<u32, Problem> {
    let x = f.number(key).unwrap_or_default();
    if x.fract() == 0.0 {
        return Ok(x as u32);
    }
    Err(Problem::new(format!("`{key}` cannot be {x}")).at(f.place(key), "allowed: a whole number"))
}

/// The kind that a table names, made of the table's values.
fn made<'e, T: 'e>(mut registry: impl Iterator<Item = &'e Entry<T>>, f: &Fields) -> Result<T, Problem> {
    let name = f.kind.as_ref().map_or("", |k| k.0);
    let Some(entry) = registry.find(|e| e.name == name) else {
        return Err(Problem::new(format!("there is no `{name}`")).at(f.at.clone(), ""));
    };
    let own = |key: &str| entry.params.iter().any(|p| p.name == key);
    entry.make(&f.args(own)).map_err(|e| refused(f, e))
}

/// A refusal of a kind, put at the value it is about.
fn refused(f: &Fields, error: SpecError) -> Problem {
    match &error {
        SpecError::NotAllowed { name, value, allowed, .. } => {
            let problem = Problem::new(format!("`{name}` cannot be {value}"));
            problem.at(f.place(name), format!("allowed: {allowed}"))
        }
        SpecError::Conflict { what, .. } => f.blame(what),
        SpecError::UnknownName { name, .. } => Problem::new(error.to_string()).at(f.place(name), ""),
        SpecError::Missing { .. } => Problem::new(error.to_string()).at(f.at.clone(), ""),
    }
}

/// The quaternion w, x, y, z.
fn orientation(f: &Fields) -> Result<[f64; 4], Problem> {
    let wxyz = |q: Quat| [q.w, q.i, q.j, q.k];
    if let Some(&[w, x, y, z]) = f.numbers("quaternion") {
        let length = Quaternion::new(w, x, y, z).norm();
        return match (length - 1.0).abs() < 1e-6 {
            true => Ok([w, x, y, z]),
            false => {
                let problem = Problem::new(format!("`quaternion` has length {length}"));
                Err(problem.at(f.place("quaternion"), "allowed: length 1"))
            }
        };
    }
    if let Some([a, b, c]) = f.vector("euler_xyz") {
        let turn = |axis: &Unit<Vec3>, angle| Quat::from_axis_angle(axis, angle);
        return Ok(wxyz(turn(&Vec3::x_axis(), a) * turn(&Vec3::y_axis(), b) * turn(&Vec3::z_axis(), c)));
    }
    let axis = Vec3::from(f.vector("axis").unwrap_or_default());
    let angle = f.number("angle").unwrap_or_default();
    // the square of a tiny or huge number is 0 or infinite: such an axis is scaled first
    let axis = if (1e-100..1e100).contains(&axis.norm()) { axis } else { axis / axis.amax() };
    match Unit::try_new(axis, 0.0) {
        Some(axis) => Ok(wxyz(Quat::from_axis_angle(&axis, angle))),
        None => Err(Problem::new("`axis` cannot be zero").at(f.place("axis"), "allowed: a direction")),
    }
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
    let body = f.text("body").unwrap_or_default();
    if let Some(index) = moving.iter().position(|b| *b == body) {
        return Ok(Probe {
            name: name.to_owned(),
            body: index,
            point: f.vector("point").unwrap_or_default(),
        });
    }
    let at: Span = f.place("body");
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
