//! Makes the wear of contacts and bearings.

use carom::Wear;

use super::force::whole;
use crate::error::Problem;
use crate::fields::Fields;

pub(super) fn wear(f: &Fields) -> Result<Wear, Problem> {
    let mut wear = match (f.number("coefficient"), f.number("number"), f.number("hardness")) {
        (Some(k), _, _) => Wear::coefficient(k),
        (None, Some(number), Some(hardness)) => Wear::hardness(number, hardness),
        _ => return Err(f.blame("wear needs `coefficient`, or `number` and `hardness`")),
    };
    if let Some(times) = f.number("repeat") {
        wear = wear.repeat(times);
    }
    if f.number("sectors").is_some() {
        wear = wear.sectors(whole(f, "sectors")? as usize);
    }
    if f.bool("feedback") == Some(false) {
        wear = wear.without_feedback();
    }
    if let Some(length) = f.number("length") {
        wear = wear.length(length);
    }
    Ok(wear)
}
