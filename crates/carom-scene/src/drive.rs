//! Drives: numbers of a scene that are functions of time.

use std::sync::Arc;

use carom::{Course, Drive, Formula, JOINTS, RunError, Target, curve_through};
use carom_base::{Quantity, SpecError};

use crate::error::Problem;
use crate::fields::{Field, Fields, Typed};
use crate::measured;
use crate::names;
use crate::own::Own;
use crate::tables::DRIVE_TABLE;
use crate::tree::Span;
use crate::value;

/// Makes the drive that a table describes.
pub(super) fn drive(f: &Fields, scene: &Fields, own: &Own) -> Result<Drive, Problem> {
    let path = f.text("target").unwrap_or_default();
    let Some(target) = Target::find(path) else { return Err(value::no_target(path, &f.span("target"))) };
    if f.given("interpolation").is_some() && f.given("table").is_none() {
        return Err(f.blame("`interpolation` needs `table`, the points of a curve"));
    }
    if f.text("own").is_some() {
        let duration = scene.table("run").and_then(|run| run.number("duration")).unwrap_or_default();
        return Ok(Drive::new_arc(path, own.course(f, duration)?));
    }
    let quantity = quantity(scene, target, path);
    let course: Arc<dyn Course> = match f.get("expression") {
        Some(field @ Field { value: Typed::Expression(e), .. }) => {
            // of a joint that is not there, or leaves more than one thing free, no speed is known
            if quantity != Quantity::Number {
                measured::check_dimension(e, measured::time_dimension, quantity, field)?;
            }
            let wrong = |e: carom_base::expression::ExpressionError| {
                Problem::new(format!("`expression`: {}", e.message)).at(f.span("expression"), "")
            };
            Arc::new(Formula::of(e.clone()).map_err(wrong)?)
        }
        _ => points(f, target, quantity)?,
    };
    Ok(Drive::new_arc(path, course))
}

/// Returns the driven quantity; for the speed of a joint it is the rate of the coordinate that the joint leaves free.
fn quantity(scene: &Fields, target: &Target, path: &str) -> Quantity {
    let name = path.split('/').nth(1).filter(|_| target.path == "joint/NAME/speed");
    let joint = name.and_then(|name| scene.array("joint").iter().find(|f| names::between(f) == name));
    let speed = joint.and_then(|f| {
        let entry = JOINTS.iter().find(|e| f.kind.as_ref().is_some_and(|kind| kind.0 == e.name))?;
        entry.make(&f.args(|key| entry.params.iter().any(|p| p.name == key))).ok()?.speed()
    });
    speed.unwrap_or(target.quantity)
}

/// Makes the curve through the given points in time: by default a cubic spline for motions, straight lines otherwise.
fn points(f: &Fields, target: &Target, quantity: Quantity) -> Result<Arc<dyn Course>, Problem> {
    let Some(Field { value: Typed::Raw(node), .. }) = f.get("table") else {
        return Err(Problem::new("`drive` needs `table` or `expression`").at(f.at.clone(), ""));
    };
    let points = value::points(&DRIVE_TABLE, node, quantity, target.allowed())?;
    let wrong = |e: SpecError| Problem::new(e.to_string()).at(node.span.clone(), "");
    let kind = f.text("interpolation").unwrap_or(if target.is_motion() { "spline" } else { "linear" });
    curve_through(kind, &points).map_err(wrong)
}

/// Returns the drives of that target.
pub(super) fn of<'s>(scene: &'s Fields, target: &str) -> impl DoubleEndedIterator<Item = &'s Fields> {
    scene.array("drive").iter().filter(move |f| f.text("target") == Some(target))
}

/// Returns the position of the key that gives the course of a drive: `table`, `own` or `expression`.
pub(super) fn course(f: &Fields) -> Span {
    let key = ["table", "own"].into_iter().find(|key| f.given(key).is_some());
    f.span(key.unwrap_or("expression"))
}

/// Turns an error of a drive or of a prescribed motion during the run into a message that marks its curve.
pub(super) fn in_the_run(scene: &Fields, error: &RunError) -> Option<Problem> {
    let RunError::Drive { subject, t, what, allowed } = error else { return None };
    let drives = scene.array("drive").iter();
    let driven = drives.map(|f| (format!("drive `{}`", f.text("target").unwrap_or_default()), course(f)));
    let moved = scene.array("body").iter().flat_map(|body| {
        let name = body.text("name").unwrap_or_default();
        let parts = body.table("motion").map_or(&[][..], |motion| &motion.list);
        parts.iter().map(move |f| (format!("body `{name}`: `{}` of its motion", f.name), f.at.clone()))
    });
    let (_, at) = driven.chain(moved).find(|(name, _)| name == subject)?;
    Some(Problem::new(format!("{subject}: at t = {t} s it {what}")).at(at, format!("allowed: {allowed}")))
}
