//! Units of scenes and figures: those of [`carom_base::units`], and the units in which results are shown.

mod measure;
mod shown;

pub use carom_base::units::{Dimension, written};
pub(crate) use carom_base::units::{UnitError, examples, listing, nearest, nearest_of_all, parse, parse_any};
pub use measure::Measure;
pub use shown::ShownUnit;

/// Returns a unit by its name, for [`Plot::units`](crate::plot::Plot::units), or the reason why it is not a unit.
///
/// ```
/// assert_eq!(carom_scene::units::unit("mm").unwrap().value, 1e-3);
/// assert!(carom_scene::units::unit("mn").unwrap_err().contains("did you mean `mN`"));
/// ```
pub fn unit(text: &str) -> Result<ShownUnit, String> {
    ShownUnit::named(text).map_err(|e| match &e {
        UnitError::Unknown { name } => match nearest_of_all(name) {
            Some(nearest) => format!("{e}; did you mean `{nearest}`?"),
            None => e.to_string(),
        },
        _ => e.to_string(),
    })
}
