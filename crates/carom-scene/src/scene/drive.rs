//! Drives: numbers of a scene that are functions of time.

use std::sync::Arc;

use carom::{Course, Drive, Formula, Linear, RunError, Spline, Target};
use carom_base::SpecError;

use super::error::Problem;
use super::fields::{Field, Fields, Typed};
use super::keys::{AtLeastOne, Choice, Form, Key, Table};
use super::tables::PLAIN;
use super::tree::Span;
use super::value;

/// `[[drive]]`
pub(super) static DRIVE: Table = Table {
    title: "drive",
    doc: "A number of the scene that is a function of time, given by points or by an expression. It goes before what the scene says of it elsewhere. \
          Steps end at the points of a table and where `abs`, `min` and `max` change over.",
    keys: &[
        Key::required("target", Form::Target, "path of the number, as in `--set`"),
        TABLE,
        Key::optional(
            "expression",
            Form::Expression,
            "`table` is given",
            "the number by the time `t` in s, in SI units; parameters may be used by name",
        ),
    ],
    choice: Some(Choice { sets: &[&["table"], &["expression"]], at_least_one: AtLeastOne::Needed }),
    ..PLAIN
};

const TABLE: Key = Key::optional(
    "table",
    Form::Points(None),
    "`expression` is given",
    "points in time, in the unit of the number: straight lines between them, and the same value before the first and after the last; a position takes \
     the cubic spline through them, which must last for the whole run",
);

/// A drive that was read.
pub(super) fn drive(f: &Fields) -> Result<Drive, Problem> {
    let path = f.text("target").unwrap_or_default();
    let Some(target) = Target::find(path) else { return Err(value::no_target(path, &f.place("target"))) };
    let course: Arc<dyn Course> = match f.get("expression").map(|e| &e.value) {
        Some(Typed::Expression(e)) => {
            let wrong = |e: carom_base::expression::ExpressionError| {
                Problem::new(format!("`expression`: {}", e.message)).at(f.place("expression"), "")
            };
            Arc::new(Formula::of(e.clone()).map_err(wrong)?)
        }
        _ => points(f, target)?,
    };
    Ok(Drive::new_arc(path, course))
}

/// The curve through points that the number takes.
fn points(f: &Fields, target: &Target) -> Result<Arc<dyn Course>, Problem> {
    let Some(Field { value: Typed::Raw(node), .. }) = f.get("table") else {
        return Err(Problem::new("`drive` needs `table` or `expression`").at(f.at.clone(), ""));
    };
    let points = value::points(&TABLE, node, target.quantity, target.allowed())?;
    let wrong = |e: SpecError| Problem::new(e.to_string()).at(node.span.clone(), "");
    Ok(match target.is_motion() {
        true => Arc::new(Spline::new(&points).map_err(wrong)?),
        false => Arc::new(Linear::new(&points).map_err(wrong)?),
    })
}

/// The drives of that target.
pub(super) fn of<'s>(scene: &'s Fields, target: &str) -> impl DoubleEndedIterator<Item = &'s Fields> {
    scene.array("drive").iter().filter(move |f| f.text("target") == Some(target))
}

/// Where a drive says what its number is.
pub(super) fn course(f: &Fields) -> Span {
    if f.given("table").is_some() { f.place("table") } else { f.place("expression") }
}

/// What goes wrong with a drive or a motion during the run, put at its curve.
pub(super) fn in_the_run(scene: &Fields, error: &RunError) -> Option<Problem> {
    let RunError::Drive { place, t, what, allowed } = error else { return None };
    let drives = scene.array("drive").iter();
    let driven = drives.map(|f| (format!("drive `{}`", f.text("target").unwrap_or_default()), course(f)));
    let moved = scene.array("body").iter().flat_map(|body| {
        let name = body.text("name").unwrap_or_default();
        let parts = body.table("motion").map_or(&[][..], |motion| &motion.list);
        parts.iter().map(move |f| (format!("body `{name}`: `{}` of its motion", f.name), f.at.clone()))
    });
    let (_, at) = driven.chain(moved).find(|(name, _)| name == place)?;
    Some(Problem::new(format!("{place}: at t = {t} s it {what}")).at(at, format!("allowed: {allowed}")))
}
