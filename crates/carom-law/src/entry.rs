//! What the registries of laws share: where a law comes from, and the values of its parameters against their table.

use carom_base::param::Allowed;
use carom_base::{Args, Param, SpecError};

/// Where a law comes from and how far it has been checked.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// author, year, journal, equation
    pub source: &'static str,
    /// how the formula was checked
    pub checked: &'static str,
}

/// A parameter's value against its own table line: the one message for scenes and for callers.
pub(crate) fn check_value(kind: &'static str, param: &Param, value: f64) -> Result<(), SpecError> {
    if param.allowed.number(value) {
        return Ok(());
    }
    let (value, allowed): (String, &Allowed) = (value.to_string(), &param.allowed);
    Err(SpecError::NotAllowed { kind, name: param.name, value, allowed: allowed.to_string() })
}

/// The number of a required parameter.
pub(crate) fn needed(args: &Args, kind: &'static str, param: &Param) -> Result<f64, SpecError> {
    args.number(param.name).ok_or(SpecError::Missing { kind, name: param.name, doc: param.doc })
}
