//! Constructs laws, joints, surfaces and so on from a registry and a table.

use carom_base::{Entry, SpecError};

use crate::error::Problem;
use crate::fields::{Field, Fields, Typed};
use crate::measured::{check_dimension, time_dimension};

/// Constructs the kind that a table names, from the table's values.
pub(crate) fn made<'e, T: 'e>(
    mut registry: impl Iterator<Item = &'e Entry<T>>,
    f: &Fields,
) -> Result<T, Problem> {
    let name = f.kind.as_ref().map_or("", |k| k.0);
    let Some(entry) = registry.find(|e| e.name == name) else {
        return Err(Problem::new(format!("there is no `{name}`")).at(f.at.clone(), ""));
    };
    let own = |key: &str| entry.params.iter().any(|p| p.name == key);
    for param in entry.params {
        if let Some(field @ Field { value: Typed::Expression(e), .. }) = f.given(param.name) {
            check_dimension(e, time_dimension, param.quantity, field)?;
        }
    }
    entry.make(&f.args(own)).map_err(|e| refused(f, e))
}

/// Turns an error from a kind's constructor into a message that marks the value at fault.
fn refused(f: &Fields, error: SpecError) -> Problem {
    match &error {
        SpecError::NotAllowed { name, value, allowed, .. } => {
            let problem = Problem::new(format!("`{name}` cannot be {value}"));
            problem.at(f.span(name), format!("allowed: {allowed}"))
        }
        SpecError::Conflict { what, .. } => f.blame(what),
        SpecError::UnknownName { name, .. } => Problem::new(error.to_string()).at(f.span(name), ""),
        SpecError::Missing { .. } => Problem::new(error.to_string()).at(f.at.clone(), ""),
    }
}
