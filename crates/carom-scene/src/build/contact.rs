//! Makes contacts: the surfaces that touch, and the laws between them.

use carom::geometry::pairs::{self, slices::Slices};
use carom::law::resistance;
use carom::{ContactRule, FrictionAt};

use super::kind::made;
use super::law::{friction_law, normal_law};
use super::wear::wear;
use crate::error::Problem;
use crate::fields::Fields;
use crate::own::Own;
use crate::select::Roster;

pub(super) fn contact(f: &Fields, roster: &Roster, own: &Own) -> Result<ContactRule, Problem> {
    let mut rule = match f.sides("between") {
        Some([a, b]) => ContactRule::between_sides(roster.endpoint(a)?, roster.endpoint(b)?),
        _ => return Err(Problem::new("`between` needs two sides").at(f.at.clone(), "")),
    };
    if f.bool("none") == Some(true) {
        rule = nothing(f, rule)?;
    }
    if let Some(name) = f.text("name") {
        rule = rule.named(name);
    }
    if f.text("start_overlap") == Some("allowed") {
        rule = rule.may_start_deep();
    }
    if let Some(law) = f.table("normal") {
        rule = rule.normal_arc(normal_law(law, own)?);
    }
    if let Some(law) = f.table("friction") {
        rule = rule.friction_arc(friction_law(law, own)?);
    }
    if let Some(at) = f.text("friction_at").and_then(FrictionAt::find) {
        rule = rule.friction_at(at);
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
    if let Some(worn) = f.table("wear") {
        rule = rule.wear(wear(worn)?);
    }
    if let Some(speed) = f.number("min_impact_speed") {
        rule = rule.min_impact_speed(speed);
    }
    Ok(rule)
}

/// Makes the rule that no contact acts between two sides; such a rule has no laws.
fn nothing(f: &Fields, rule: ContactRule) -> Result<ContactRule, Problem> {
    let laws = ["normal", "friction", "rolling", "spinning", "wear", "solver", "slices"];
    match laws.into_iter().find_map(|key| Some((key, f.given(key)?))) {
        Some((key, given)) => {
            let message = format!("`{key}` with `none = true`: nothing acts between the two, by no law");
            Err(Problem::new(message).at(given.at.clone(), ""))
        }
        None => Ok(rule.without_force()),
    }
}

/// Returns the slices in which rings touch; `None` if they touch in a point.
fn slices(f: &Fields) -> Result<Option<Slices>, Problem> {
    let phase = f.number("slice_phase").unwrap_or_default();
    let made = match (f.number("slices"), f.text("slices")) {
        (Some(count), _) => Slices::new(count as usize).map(|slices| slices.phase(phase)),
        (None, Some(_)) => Slices::exact(f.number("slice_tolerance").unwrap_or(1e-9)),
        (None, None) => return Ok(None),
    };
    made.map(Some).map_err(|e| f.blame(&e.to_string()))
}
