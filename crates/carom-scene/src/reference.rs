//! Writes the reference of scenes in Markdown from the tables of keys.

use std::fmt::Write;

use carom::TARGETS;
use carom_base::param::Allowed;

use crate::keys::{Form, Key, Kind, Presence, Table};
use crate::schema::unit;
use crate::tables::SCENE;
use crate::units;

/// Returns the reference of scene files in Markdown: every table, key, unit, range, default and meaning.
///
/// ```
/// let text = carom_scene::reference();
/// assert!(text.contains("| `duration` | s |"));
/// ```
pub fn reference() -> String {
    let mut out = String::from("# Scene files\n\n");
    out.push_str(
        "Numbers are in SI units; a string may carry its own unit: `\"25 mm\"`, `\"210 GPa\"`, `\"60 deg\"`. \
         Keys that are not listed here are errors.\n\n\
         A string that begins with `=` is computed: `\"= (diameter + gap)/2\"`, with the numbers of `[parameter]` by \
         name, `+ - * / ^`, parentheses, `pi`, and the functions `sqrt`, `abs`, `exp`, `log`, `sin`, `cos`, `tan`, \
         `atan2`, `min`, `max`. A parameter may use those above it. The result is in SI units: dimensions are not \
         followed through a computation.\n",
    );
    sections(&mut out, &SCENE);
    let (names, prefixes) = units::listing();
    let _ = write!(
        out,
        "\n## Units\n\n{}, with the prefixes {} where they are usual. Products and powers as in `kg/m^3`, `N s/m`, \
         `N/(m s)`, `N/m^1.5`.\n",
        code(&names),
        code(&prefixes)
    );
    out
}

/// Writes the reference of a table of keys and of all tables within it in Markdown, one section each.
pub fn sections(out: &mut String, root: &'static Table) {
    tables(root).into_iter().for_each(|t| section(out, t));
}

/// Returns a table and all tables within it, each once, in the order in which they are first named.
pub(crate) fn tables(root: &'static Table) -> Vec<&'static Table> {
    fn visit(t: &'static Table, all: &mut Vec<&'static Table>) {
        if all.iter().any(|x| std::ptr::eq(*x, t)) {
            return;
        }
        all.push(t);
        for key in t.keys_with(None) {
            if let Form::Table(t) | Form::Array(t) | Form::Tables(t) | Form::Map(t) = key.form {
                visit(t, all);
            }
        }
    }
    let mut all = Vec::new();
    visit(root, &mut all);
    all
}

fn code(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

fn section(out: &mut String, t: &'static Table) {
    let _ = write!(out, "\n## {}\n\n{}\n", t.title, t.doc);
    keys(out, t.keys);
    if let Some(kinds) = &t.kinds {
        let all = (kinds.all)();
        let names: Vec<&str> = all.iter().map(|k| k.name).collect();
        let _ = write!(out, "\n`{}`, the {}, is one of {}.\n", kinds.tag, kinds.noun, code(&names));
        all.iter().for_each(|k| kind(out, k));
    }
    if t.keys.iter().any(|key| matches!(key.form, Form::Target)) {
        targets(out);
    }
    for key in t.keys {
        if let Form::OneKind(noun, all) = key.form {
            let all = all();
            let names: Vec<&str> = all.iter().map(|k| k.name).collect();
            let form = format!("{} = {{ {} = {{ … }} }}", key.name, names.first().unwrap_or(&""));
            let _ = write!(out, "\nA {noun} is written as `{form}`; it is one of {}.\n", code(&names));
            all.iter().for_each(|k| kind(out, k));
        }
    }
}

/// Writes the table of the numbers that can be driven.
fn targets(out: &mut String) {
    out.push_str("\n| target | unit | takes | meaning |\n|---|---|---|---|\n");
    for t in TARGETS.iter() {
        let _ = writeln!(out, "| `{}` | {} | {} | {} |", t.path, t.quantity.unit(), t.allowed(), t.doc);
    }
}

fn kind(out: &mut String, kind: &Kind) {
    let _ = write!(out, "\n### {}\n\n{}.\n", kind.name, capital(kind.summary));
    let d = &kind.details;
    if !d.formula.is_empty() {
        let _ = write!(out, "\n{}\n\nHolds for: {}. Source: {}.\n", d.formula, d.range, d.source);
    }
    let own: Vec<Key> = kind.params.iter().map(Key::of).collect();
    keys(out, &own);
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn keys(out: &mut String, keys: &[Key]) {
    if keys.is_empty() {
        return;
    }
    out.push_str("\n| key | unit | takes | left out | meaning |\n|---|---|---|---|---|\n");
    for key in keys {
        let unit = unit(&key.form).unwrap_or("");
        let cells = [&format!("`{}`", key.name), unit, &takes(&key.form), &absent(&key.presence), key.doc];
        let _ = writeln!(out, "| {} |", cells.map(|c| c.replace('|', "\\|")).join(" | "));
    }
}

fn takes(form: &Form) -> String {
    let range = |allowed: &Allowed| match allowed {
        Allowed::Finite => String::new(),
        other => format!(", {other}"),
    };
    match form {
        Form::Text => "a string".to_owned(),
        Form::Name => "a name".to_owned(),
        Form::Bool => "true, false".to_owned(),
        Form::Number(_, allowed) => format!("a number{}", range(allowed)),
        Form::CountOr(least, most, word) => format!("a whole number from {least} to {most}, or `{word}`"),
        Form::Vector(n, _, allowed) => format!("{n} numbers{}", range(allowed)),
        Form::Each(n, _, allowed) => format!("a number, or {n} of them{}", range(allowed)),
        Form::Rows(n, _, allowed) => format!("any number of arrays of {n} numbers{}", range(allowed)),
        Form::List(_, allowed) => format!("numbers{}", range(allowed)),
        Form::Tensor(_) => "3 numbers, or 3 rows of 3".to_owned(),
        Form::Word(words) => code(&words.all()),
        Form::Words(words) => format!("any of {}", code(&words.all())),
        Form::Texts(n) => format!("{n} strings"),
        Form::TextList => "strings".to_owned(),
        Form::OneOrTexts => "a string, or several".to_owned(),
        Form::Sides => "2 sides, each a string or several".to_owned(),
        Form::Part => "a table".to_owned(),
        Form::Parameters => "a table of numbers".to_owned(),
        Form::Expression => "an expression".to_owned(),
        Form::Signal(q) => format!("a number in {}, or an expression of time and state", q.unit()),
        Form::Signals(n, q) => format!("{n} numbers in {}, or expressions of time and state", q.unit()),
        Form::Points(_) => "points `[t, value]`".to_owned(),
        Form::Matrix => "rows of numbers".to_owned(),
        Form::Readings => "an expression of time and state, or several".to_owned(),
        Form::Curve(..) => "points `[x, value]`".to_owned(),
        Form::Target => "a path, see below".to_owned(),
        Form::Table(t) => format!("a table, see {}", t.title),
        Form::Array(t) => format!("`[[{}]]`", t.title),
        Form::Tables(t) => format!("a table, or an array of them, see {}", t.title),
        Form::Map(t) => format!("`[{}.NAME]`", t.title),
        Form::OneKind(noun, _) => format!("a table with one {noun}"),
    }
}

fn absent(presence: &Presence) -> String {
    match presence {
        Presence::Required => "required".to_owned(),
        Presence::Number(x) if *x != 0.0 && x.abs() < 1e-3 => format!("{x:e}"),
        Presence::Number(x) => format!("{x}"),
        Presence::Numbers(x) => format!("{x:?}"),
        Presence::Word(x) => format!("`{x}`"),
        Presence::Bool(x) => format!("{x}"),
        Presence::Optional(text) => (*text).to_owned(),
    }
}
