//! Writes `modes.json`, `modes.csv` and `roots.csv`.

use carom::{Component, Equilibrium, Model, Modes, Shape};
use carom_scene::Scene;
use serde_json::{Map, Value, json};

use crate::error::ResultsError;
use crate::files::MODES;
use crate::result_set::ResultSet;
use crate::table::{Columns, Rows};

/// Returns an equilibrium and the small motions about it in the form of `modes.json`: SI units, modes counted from 1, shapes
/// as in [`Shape`].
///
/// ```
/// use carom_results::modes_json;
/// use carom_scene::{Format, Scene};
/// let text = r#"
///     run = { duration = 1 }
///     body = [{ name = "mass", mass = 2, dofs = ["z"] }, { name = "wall", fixed = true, position = [0, 0, 1] }]
///     force = [{ type = "spring-damper", between = ["mass", "wall"], stiffness = 800, rest_length = 0.5 }]
/// "#;
/// let scene = Scene::from_text(text, Format::Toml, "spring.toml", &[])?;
/// let json = modes_json(&scene.title, &scene.model, &carom::Modes::new(&scene.model)?);
/// assert_eq!((&json["modes"][0]["shape"], &json["modes"][0]["omega"]), (&"mass z 1.00".into(), &20.0.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn modes_json(title: &str, model: &Model, modes: &Modes) -> Value {
    let mode = |(i, mode): (usize, &carom::Mode)| {
        json!({
            "mode": i + 1,
            "kind": mode.kind.word(),
            "omega_squared": mode.omega_squared,
            "omega": mode.omega(),
            "frequency": mode.frequency(),
            "shape": mode.shape.to_string(),
            "components": components(&mode.shape, |c| json!(c.value)),
        })
    };
    let root = |(i, root): (usize, &carom::Root)| {
        json!({
            "root": i + 1,
            "kind": root.kind.word(),
            "growth": root.growth,
            "omega": root.omega,
            "frequency": root.frequency(),
            "damping_ratio": root.damping_ratio(),
            "mode": root.mode + 1,
            "share": root.share,
            "shape": root.shape.to_string(),
            "components": components(&root.shape, |c| json!([c.value, c.phase])),
        })
    };
    json!({
        "title": title,
        "version": env!("CARGO_PKG_VERSION"),
        "equilibrium": equilibrium(model, &modes.at),
        "modes": modes.modes.iter().enumerate().map(mode).collect::<Value>(),
        "roots": modes.roots.iter().enumerate().map(root).collect::<Value>(),
        "damped": modes.damped,
        "asymmetry": modes.asymmetry,
    })
}

/// Makes the results of a modal analysis: [`modes_json`] in `modes.json`, the undamped modes in `modes.csv`, the roots with
/// damping in `roots.csv`.
pub(crate) fn of_modes(scene: &Scene, modes: &Modes) -> Result<ResultSet, ResultsError> {
    let components = |shape: &Shape| shape.components.iter().map(column).collect::<Vec<String>>();
    let shapes = modes.modes.first().map_or_else(Vec::new, |m| components(&m.shape));
    let own = ["mode", "kind", "omega_squared", "omega", "frequency"].map(str::to_owned);
    let mut undamped = Columns::new(MODES[1], own.into_iter().chain(shapes));
    for (i, mode) in modes.modes.iter().enumerate() {
        undamped.number((i + 1) as f64);
        undamped.text(mode.kind.word());
        undamped.numbers(&[mode.omega_squared, mode.omega(), mode.frequency()]);
        undamped.numbers(mode.shape.components.iter().map(|c| &c.value));
        undamped.end_line()?;
    }
    let own = ["root", "kind", "growth", "omega", "frequency", "damping_ratio", "mode", "share"];
    let mut damped = Columns::new(MODES[2], own);
    for (i, root) in modes.roots.iter().enumerate() {
        damped.number((i + 1) as f64);
        damped.text(root.kind.word());
        damped.numbers(&[root.growth, root.omega, root.frequency(), root.damping_ratio()]);
        damped.numbers(&[(root.mode + 1) as f64, root.share]);
        damped.end_line()?;
    }
    let text = modes_json(&scene.title, &scene.model, modes);
    let (tables, scene) = (vec![undamped.file, damped.file], Some(scene.source.clone()));
    Ok(ResultSet { texts: vec![(MODES[0], text)], tables, scene })
}

/// Returns the heading of a component: `ball.rz`.
fn column(c: &Component) -> String {
    format!("{}.{}", c.body, c.direction)
}

/// Arranges the components of a shape by body, then by direction.
fn components(shape: &Shape, value: fn(&Component) -> Value) -> Value {
    let mut bodies: Map<String, Value> = Map::new();
    for c in &shape.components {
        let body = bodies.entry(c.body.clone()).or_insert_with(|| json!({}));
        body[c.direction] = value(c);
    }
    Value::Object(bodies)
}

pub(super) fn equilibrium(model: &Model, at: &Equilibrium) -> Value {
    let texts = |shapes: &[Shape]| shapes.iter().map(Shape::to_string).collect::<Value>();
    let state = |b: &carom::BodyState| {
        let q = &b.orientation;
        json!({ "position": b.position.as_slice(), "quaternion": [q.w, q.i, q.j, q.k] })
    };
    let bodies = model.moving_bodies().zip(&at.bodies);
    let mut text = json!({
        "iterations": at.iterations,
        "residual": at.residual,
        "stable": at.stable(),
        "neutral": texts(&at.neutral),
        "unstable": texts(&at.unstable),
        "bodies": bodies.map(|(name, b)| (name.to_owned(), state(b))).collect::<Map<String, Value>>(),
    });
    // the angle [rad] of a body that has turned over since the start
    if let Some((body, angle)) = &at.turned {
        text["turned"] = json!({ "body": body, "angle": angle });
    }
    // another equilibrium near the start, if the search has left it
    if let Some(near) = &at.near {
        text["near"] = equilibrium(model, near);
    }
    text
}
