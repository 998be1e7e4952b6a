//! Parts from other files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::goes::Goes;
use super::placement::Placement;
use super::prefix::Prefix;
use super::read::{orientation, table, text, vector};
use crate::error::{Problem, Source};
use crate::keys::PARAMETER;
use crate::parameter::{self, Known};
use crate::read::whole;
use crate::text::json::written;
use crate::tree::{Member, Node, Value};
use crate::{file, text as formats};

/// Greatest depth to which parts may include others.
const MAX_DEPTH: usize = 16;
/// What a part may have as a scene of its own, and the including scene has itself.
const LEFT_OUT: [&str; 4] = ["title", "run", "world", "plot"];
/// The arrays whose tables are moved with the part.
const MOVED: [&str; 7] = ["body", "joint", "force", "probe", "field", "drive", "controller"];

/// Where parts are read from.
#[derive(Clone, Debug)]
struct Place {
    /// the folder of the scene
    scene: PathBuf,
    /// the folder of the including file, relative to that of the scene
    folder: PathBuf,
    /// the files that lead here, the scene's own first
    files: Vec<PathBuf>,
}

/// Reads the files of all parts that a scene includes into its tree, and of those that they include; `file` is the scene's own.
pub(crate) fn embed(scene: &mut Node, file: &Path, sources: &mut Vec<Source>) -> Result<(), Problem> {
    if scene.get("include").is_none() {
        return Ok(());
    }
    let own = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    parts(scene, &Place { scene: folder, folder: PathBuf::new(), files: vec![own] }, sources)
}

/// Reads the files of the parts that a scene or part at that place includes.
fn parts(scene: &mut Node, place: &Place, sources: &mut Vec<Source>) -> Result<(), Problem> {
    let Some(Node { value: Value::Array(includes), .. }) = scene.get_mut("include") else { return Ok(()) };
    for include in includes {
        let Some(name) = include.get("file").filter(|n| n.text().is_some()) else { continue };
        let at = name.span.clone();
        let path = place.folder.join(name.text().unwrap_or_default());
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let path = place.scene.join(path);
        if include.get("part").is_none() {
            let called = include.get("prefix").and_then(Node::text).map(str::to_owned);
            let mut part = load(&path, &place.files, called, sources).map_err(|p| p.or_at(&at))?;
            shapes(&mut part, &folder);
            include.set("part", part.value, &part.span);
        }
        let mut inside = Place { folder, ..place.clone() };
        inside.files.push(path.canonicalize().unwrap_or(path));
        if let Some(part) = include.get_mut("part") {
            parts(part, &inside, sources)?;
        }
    }
    Ok(())
}

/// Makes the paths of the shapes that bodies of a part are drawn with, and of the meshes that they touch with, relative to the folder of the scene.
fn shapes(part: &mut Node, folder: &Path) {
    let Some(Node { value: Value::Array(bodies), .. }) = part.get_mut("body") else { return };
    for body in bodies {
        for key in ["mesh", "surface"] {
            let Some(given) = body.get_mut(key) else { continue };
            let tables = match &mut given.value {
                Value::Array(items) => items.iter_mut().collect(),
                _ => vec![given],
            };
            for file in tables.into_iter().filter_map(|m| m.get_mut("file")) {
                if let Value::Text(text) = &mut file.value {
                    *text = folder.join(&*text).to_string_lossy().into_owned();
                }
            }
        }
    }
}

/// Reads the file of a part.
fn load(
    path: &Path,
    files: &[PathBuf],
    prefix: Option<String>,
    sources: &mut Vec<Source>,
) -> Result<Node, Problem> {
    let true_path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let chain = |last: &Path| {
        let names = files.iter().map(PathBuf::as_path).chain([last]);
        names.map(|f| f.display().to_string()).collect::<Vec<_>>().join(" → ")
    };
    if files.contains(&true_path) {
        let problem = Problem::new(format!("`{}` includes itself", path.display()));
        return Err(problem.note(format!("the files, one including the next: {}", chain(&true_path))));
    }
    if files.len() > MAX_DEPTH {
        let problem = Problem::new(format!("parts include parts more than {MAX_DEPTH} deep"));
        return Err(problem.note(format!("the files, one including the next: {}", chain(&true_path))));
    }
    let text = file::read_part(path)?;
    let source = sources.len();
    let note = match prefix {
        Some(prefix) => format!("this is of the part that is included with the prefix `{prefix}`"),
        None => "this is of a part that is included without a prefix".to_owned(),
    };
    let name = path.display().to_string();
    sources.push(Source { name, text: Arc::from(text.as_str()), note: Some(note) });
    let parsed = match file::format(path, &text) {
        formats::Format::Toml => formats::toml::parse(&text),
        formats::Format::Json => formats::json::parse(&text),
    };
    let mut part = parsed.map_err(|p| p.moved_to(source))?;
    part.for_spans(&mut |span| span.source = source);
    if part.members().is_none_or(<[_]>::is_empty) {
        let problem = Problem::new(format!("`{}` is empty", path.display()));
        return Err(problem.note("a part is a scene, with at least a [[body]]"));
    }
    Ok(part)
}

/// Adds an included part to those before it: with its own parameters, patterns and parts worked out, its names prefixed, moved to
/// its place. Returns its parameters.
pub(super) fn apply(
    parts: &mut Node,
    node: &Node,
    part: Option<Node>,
    files: &Path,
    sources: &mut Vec<Source>,
) -> Result<Known, Problem> {
    let mut given = node.clone();
    let values = given.take(PARAMETER);
    if let Some(prefix) = given.get("prefix").filter(|p| p.text().is_some_and(|t| t.contains('/'))) {
        let problem = Problem::new("a prefix cannot contain '/'");
        let like = prefix.text().unwrap_or_default().replace('/', "_");
        let problem = problem.at(prefix.span.clone(), "`/` is between a body and its surface");
        return Err(problem.help(format!("write `{like}`")));
    }
    let f = whole(table("include"), &given)?;
    let Some(mut part) = part else {
        let problem = Problem::new("`part` must be a table");
        return Err(problem.at(node.span.clone(), ""));
    };
    if let Some(values) = values {
        override_parameters(&mut part, &values.value)?;
    }
    let known = super::whole(&mut part, files, sources)?;
    for key in LEFT_OUT {
        part.take(key);
    }
    let prefix = f.text("prefix").unwrap_or_default();
    let known = Prefix::new(prefix, &part, &known).apply(&mut part)?;
    let shift = vector(table("include"), node, "position")?.unwrap_or_default();
    place(&mut part, &Placement::moved(orientation(node)?, shift))?;
    merge(parts, part)?;
    Ok(known)
}

/// Replaces values of the part's parameters.
fn override_parameters(part: &mut Node, values: &Node) -> Result<(), Problem> {
    let Some(members) = values.members() else {
        let problem = Problem::new(format!("`{PARAMETER}` cannot be {}", values.type_name()));
        return Err(problem.at(values.span.clone(), "").note("it is a table of numbers by name"));
    };
    for m in members {
        let own = part.get_mut(PARAMETER);
        let known: Vec<String> =
            own.as_ref().and_then(|p| p.members()).unwrap_or(&[]).iter().map(|m| m.key.clone()).collect();
        match own.and_then(|p| p.get_mut(&m.key)) {
            Some(value) => *value = m.value.clone(),
            None => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let problem = Problem::new(format!("the part has no parameter `{}`", m.key));
                return Err(problem.at(m.key_span.clone(), "").allowed(&m.key, &known));
            }
        }
    }
    Ok(())
}

/// Moves the whole part to its place.
fn place(part: &mut Node, place: &Placement) -> Result<(), Problem> {
    if place.is_identity() {
        return Ok(());
    }
    let bodies = part.get("body").map_or_else(Vec::new, |b| b.items().to_vec());
    let set: BTreeSet<String> = bodies.iter().filter_map(|b| text(b, "name")).map(str::to_owned).collect();
    let joints = part.get("joint").map_or_else(Vec::new, |j| j.items().to_vec());
    let goes = Goes { place, set: &set, bodies: &bodies, joints: &joints };
    for array in MOVED {
        if let Some(Node { value: Value::Array(items), .. }) = part.get_mut(array) {
            items.iter_mut().try_for_each(|item| goes.item(array, item))?;
        }
    }
    Ok(())
}

/// Adds the tables of `more` to those of `own`, behind them.
pub(super) fn merge(own: &mut Node, more: Node) -> Result<(), Problem> {
    let Value::Table(members) = more.value else { return Ok(()) };
    for m in members {
        if crate::tables::SCENE.keys.iter().all(|k| k.name != m.key) {
            return Err(crate::read::unknown_key(&crate::tables::SCENE, None, &m.key, &m.key_span));
        }
        let Some(own) = own.get_mut(&m.key) else {
            own.set(&m.key, m.value.value, &m.key_span);
            continue;
        };
        match (&mut own.value, m.value.value) {
            (Value::Array(own), Value::Array(items)) => own.extend(items),
            (Value::Table(own), Value::Table(materials)) => {
                materials.into_iter().try_for_each(|m| add_material(own, m))?;
            }
            _ => {
                let problem = Problem::new(format!("`{}` has another form in the part", m.key));
                return Err(problem.at(m.key_span, ""));
            }
        }
    }
    Ok(())
}

/// Adds a material; the same one again is the same, and another of the same name is an error.
fn add_material(own: &mut Vec<Member>, new: Member) -> Result<(), Problem> {
    let Some(first) = own.iter().find(|m| m.key == new.key) else {
        own.push(new);
        return Ok(());
    };
    if written(&first.value) == written(&new.value) {
        return Ok(());
    }
    let problem = Problem::new(format!("two different materials are called `{}`", new.key));
    let problem = problem.at(new.key_span, "").context(first.key_span.clone(), "the first one");
    Err(problem.help("give the part a `prefix`"))
}

/// Computes the values of a part or scene with its own parameters.
pub(super) fn compute(scene: &mut Node) -> Result<Known, Problem> {
    parameter::apply(scene)
}
